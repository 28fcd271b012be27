//! A bidirectional search for short solutions, without a table: loading one takes longer than this
//! search.
//!
//! Two lists of canonical sequences are joined: those applied to the position, and those that end
//! in the solved cube. A solution a·b of length L is found if p·a is the position that b solves,
//! with b as long as a or one move shorter. L increases from 0, so the first length with a solution
//! is the shortest, and all solutions of that length are found. A half turn that is split in two in
//! the quarter-turn metric is joined again by the canonical form.

use crate::engine::{Engine, OnEvent};
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical, for_each_sequence, inverse};
use cosette::search::{Event, IterationStats, Options, Outcome, Report};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// The shortest solutions of a position close to the solved cube.
pub struct ShortSolutions {
    metric: Metric,
    solutions: BTreeSet<Vec<Move>>,
    iterations: Vec<IterationStats>,
}

impl ShortSolutions {
    /// Finds all shortest solutions of `position`; `None` if they are longer than eight moves or
    /// ten quarter turns, which takes some hundredths of a second.
    pub fn find(position: &Cube, metric: Metric) -> Option<ShortSolutions> {
        let half = match metric {
            Metric::Htm => 4,
            Metric::Qtm => 5,
        };
        let mut short = ShortSolutions {
            metric,
            solutions: BTreeSet::new(),
            iterations: Vec::new(),
        };
        let mut ends: HashMap<Cube, Vec<Vec<Move>>> =
            HashMap::from([(Cube::SOLVED, vec![Vec::new()])]);
        for length in 0..=2 * half {
            let start = Instant::now();
            let mut nodes = 0;
            if length % 2 == 0 && length > 0 {
                ends.clear();
                for_each_sequence(length / 2, metric, |b| {
                    ends.entry(Cube::from_moves(&inverse(b)))
                        .or_default()
                        .push(b.to_vec());
                });
            }
            for_each_sequence(length.div_ceil(2), metric, |a| {
                nodes += 1;
                let meeting = ends.get(&position.apply_moves(a)).into_iter().flatten();
                short
                    .solutions
                    .extend(meeting.map(|b| canonical(&[a, b].concat())));
            });
            short.iterations.push(IterationStats {
                length,
                nodes,
                probes: 0,
                elapsed: start.elapsed(),
                exhausted: true,
            });
            if !short.solutions.is_empty() {
                return Some(short);
            }
        }
        None
    }

    /// Returns all shortest solutions.
    pub fn into_solutions(self) -> Vec<Vec<Move>> {
        self.solutions.into_iter().collect()
    }

    /// Returns the length of the solutions.
    pub fn length(&self) -> u8 {
        self.iterations
            .last()
            .map_or(0, |iteration| iteration.length)
    }
}

impl Engine for ShortSolutions {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        "no table".into()
    }

    /// Returns the solutions that [`find`](ShortSolutions::find) found.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        _: &Control<'_>,
    ) -> Report {
        let solutions: Vec<Vec<Move>> = self
            .solutions
            .iter()
            .take(options.solution_count.max())
            .cloned()
            .collect();
        let mut iterations = self.iterations.clone();
        let last = iterations
            .last_mut()
            .expect("it has searched the length of its solutions");
        last.exhausted = solutions.len() == self.solutions.len();
        for iteration in &iterations {
            on_event(Event::IterationStarted {
                length: iteration.length,
            });
            if iteration.length == self.length() {
                on_event(Event::Solution(&solutions[0]));
            }
            on_event(Event::IterationFinished(iteration));
        }
        Report {
            outcome: Outcome::Optimal,
            lower_bound: self.length(),
            best_known: Some(solutions[0].clone()),
            solutions,
            neighbors: None,
            symmetry_count: position.symmetries().len(),
            elapsed: iterations.iter().map(|iteration| iteration.elapsed).sum(),
            iterations,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Sequence, is_canonical, random_positions};

    /// Reference implementation: tries every canonical sequence.
    fn obvious(position: &Cube, metric: Metric) -> (u8, BTreeSet<Vec<Move>>) {
        let solutions = |length| {
            let mut found = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                if position.apply_moves(moves).is_solved() {
                    found.insert(moves.to_vec());
                }
            });
            found
        };
        let mut by_length = (0..).map(|length| (length, solutions(length)));
        by_length
            .find(|(_, found)| !found.is_empty())
            .expect("it is solved by some sequence")
    }

    #[test]
    fn it_finds_the_shortest_solutions_and_all_of_them() {
        for metric in Metric::ALL {
            for text in [
                "",
                "R",
                "R2",
                "U D'",
                "R2 L2",
                "R U R' U'",
                "U2 D2 F2 B2",
                "R U2 F' L2 D",
            ] {
                let position = Cube::from_moves(text.parse::<Sequence>().unwrap().moves());
                let short = ShortSolutions::find(&position, metric);
                let (length, solutions) = obvious(&position, metric);
                let short = short.unwrap_or_else(|| panic!("{text} in {metric}"));
                assert_eq!(
                    (short.length(), &short.solutions),
                    (length, &solutions),
                    "{text} in {metric}"
                );
                assert!(solutions.iter().all(|moves| is_canonical(moves)));
            }
        }
        assert!(
            random_positions(1)
                .take(3)
                .all(|far| ShortSolutions::find(&far, Metric::Htm).is_none())
        );
    }
}
