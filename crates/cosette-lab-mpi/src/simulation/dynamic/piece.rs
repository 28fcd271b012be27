//! A part of a threshold in the hands of a core.

use crate::simulation::load::{Nanos, Task};
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
    pub fn of(tasks: &[Task], numbers: std::ops::Range<usize>) -> Piece {
        Piece(numbers.map(|task| Span { task, from: 0, to: tasks[task].cost }).collect())
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
    pub fn give_half(&mut self, is_begun: bool) -> Piece {
        let begun = usize::from(is_begun && !self.0.is_empty());
        let keep = self.0.len() - (self.0.len() - begun) / 2;
        let mut given = self.0.split_off(keep);
        if begun == 1
            && let Some(first) = self.0.front_mut()
            && first.to - first.from >= SHORTEST
        {
            let middle = first.from + (first.to - first.from) / 2;
            given.push_front(Span { from: middle, ..*first });
            first.to = middle;
        }
        Piece(given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::testing::solve;

    #[test]
    fn nothing_is_lost_where_half_is_given() {
        let solve = solve(&[&[100_000, 7, 8, 9, 10]]);
        let mut kept = Piece::of(&solve.thresholds[0], 0..5);
        kept.advance(40_000);
        let given = kept.give_half(true);
        assert_eq!((kept.cost(), given.cost()), (30_000 + 7 + 8, 30_000 + 9 + 10));
        let mut whole = Piece::of(&solve.thresholds[0], 1..5);
        let given = whole.give_half(false);
        assert_eq!((whole.cost(), given.cost()), (7 + 8, 9 + 10));
        // What is short stays where it is.
        whole.advance(8);
        assert!(whole.give_half(true).is_empty());
    }

    #[test]
    fn a_solution_lies_in_one_of_the_halves() {
        let mut solve = solve(&[&[50, 100_000]]);
        solve.thresholds[0][1].solution = Some(80_000);
        let tasks = &solve.thresholds[0];
        let mut kept = Piece::of(tasks, 0..2);
        assert_eq!(kept.solution(tasks), Some(80_050));
        kept.advance(50);
        let given = kept.give_half(true);
        assert_eq!((kept.solution(tasks), given.solution(tasks)), (None, Some(30_000)));
    }
}
