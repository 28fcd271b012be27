//! A part of a threshold in the hands of a core.

use crate::simulation::load::{Nanos, Task};
use cosette_mpi::dispatcher::Divisible;
use std::collections::VecDeque;

/// The rest of a task that is shorter is not worth giving away: nodes near the threshold stay where they are.
const SHORTEST: Nanos = 20_000;

/// Some of a task, or all of it, as a span of its cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    task: usize,
    from: Nanos,
    to: Nanos,
}

/// Spans of tasks, searched in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece(VecDeque<Span>);

impl Piece {
    /// Whole tasks.
    pub fn of(tasks: &[Task], numbers: &[usize]) -> Piece {
        Piece(numbers.iter().map(|&task| Span { task, from: 0, to: tasks[task].cost }).collect())
    }

    /// How long it takes.
    pub fn cost(&self) -> Nanos {
        self.0.iter().map(|span| span.to - span.from).sum()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// When the first solution is found, from now on.
    pub fn solution(&self, tasks: &[Task]) -> Option<Nanos> {
        let mut before = 0;
        for span in &self.0 {
            match tasks[span.task].solution {
                Some(at) if span.from < at && at <= span.to => return Some(before + at - span.from),
                _ => before += span.to - span.from,
            }
        }
        None
    }

    /// Takes away what was searched in this time.
    pub fn advance(&mut self, mut time: Nanos) {
        while let Some(span) = self.0.front_mut() {
            let searched = time.min(span.to - span.from);
            span.from += searched;
            time -= searched;
            if span.from < span.to {
                return;
            }
            self.0.pop_front();
        }
    }

    /// Takes away half of it: the last half of the tasks that are not begun, and half of the rest of the one that is.
    ///
    /// A searcher gives every other open node, which is about half of what is left of the task.
    pub fn give_half(&mut self) -> Piece {
        let keep = self.0.len() - self.0.len().saturating_sub(1) / 2;
        let mut given = self.0.split_off(keep);
        if let Some(first) = self.0.front_mut()
            && first.to - first.from >= SHORTEST
        {
            let middle = first.from + (first.to - first.from) / 2;
            given.push_front(Span { from: middle, ..*first });
            first.to = middle;
        }
        Piece(given)
    }
}

impl Divisible for Piece {
    fn divide(self, pieces: usize) -> Vec<Piece> {
        let pieces = pieces.min(self.0.len()).max(1);
        let mut divided = vec![Piece::default(); pieces];
        self.0.into_iter().enumerate().for_each(|(at, span)| divided[at % pieces].0.push_back(span));
        divided
    }

    fn join(&mut self, other: Piece) {
        self.0.extend(other.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::testing::solve;

    #[test]
    fn nothing_is_lost_where_half_is_given() {
        let solve = solve(&[&[100_000, 7, 8, 9, 10]]);
        let mut kept = Piece::of(&solve.thresholds[0], &[0, 1, 2, 3, 4]);
        kept.advance(40_000);
        let given = kept.give_half();
        assert_eq!((kept.cost(), given.cost()), (30_000 + 7 + 8, 30_000 + 9 + 10));
        let divided = Piece::of(&solve.thresholds[0], &[1, 2, 3, 4]).divide(3);
        assert_eq!(divided.iter().map(Piece::cost).collect::<Vec<_>>(), [7 + 10, 8, 9]);
        // What is short stays where it is.
        let mut short = Piece::of(&solve.thresholds[0], &[4]);
        short.advance(2);
        assert!(short.give_half().is_empty());
    }

    #[test]
    fn a_solution_lies_in_one_of_the_halves() {
        let mut solve = solve(&[&[50, 100_000]]);
        solve.thresholds[0][1].solution = Some(80_000);
        let tasks = &solve.thresholds[0];
        let mut kept = Piece::of(tasks, &[0, 1]);
        assert_eq!(kept.solution(tasks), Some(80_050));
        kept.advance(50);
        let given = kept.give_half();
        assert_eq!((kept.solution(tasks), given.solution(tasks)), (None, Some(30_000)));
    }
}
