//! Positions a few moves from solved, without a table: loading one takes longer than solving them.
//!
//! Two lists of canonical sequences meet: those made from the position, and those that end solved. A solution a·b of length
//! L is found where p·a is the position that b solves, with b as long as a or one move shorter. L rises from 0, so the
//! first length with a solution is the shortest, and all solutions of that length are found. A half turn that is cut in
//! two in the quarter-turn metric is put together again by the canonical form.

use crate::engine::{Engine, OnEvent};
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical, for_each_sequence, inverse};
use cosette::search::{Event, Options, Outcome, Report, Threshold};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// The shortest solutions of a position that is near solved.
pub struct Short {
    metric: Metric,
    solutions: BTreeSet<Vec<Move>>,
    thresholds: Vec<Threshold>,
}

impl Short {
    /// All shortest solutions of `position`; `None` if they are longer than eight moves or ten quarter turns, which takes some
    /// hundredths of a second.
    pub fn of(position: &Cube, metric: Metric) -> Option<Short> {
        let half = match metric {
            Metric::Htm => 4,
            Metric::Qtm => 5,
        };
        let mut short = Short { metric, solutions: BTreeSet::new(), thresholds: Vec::new() };
        let mut ends: HashMap<Cube, Vec<Vec<Move>>> = HashMap::from([(Cube::SOLVED, vec![Vec::new()])]);
        for length in 0..=2 * half {
            let (start, mut nodes) = (Instant::now(), 0);
            if length % 2 == 0 && length > 0 {
                ends.clear();
                for_each_sequence(length / 2, metric, |b| {
                    ends.entry(Cube::from_moves(&inverse(b))).or_default().push(b.to_vec());
                });
            }
            for_each_sequence(length.div_ceil(2), metric, |a| {
                nodes += 1;
                let meeting = ends.get(&position.after(a)).into_iter().flatten();
                short.solutions.extend(meeting.map(|b| canonical(&[a, b].concat())));
            });
            short.thresholds.push(Threshold { length, nodes, probes: 0, elapsed: start.elapsed(), exhausted: true });
            if !short.solutions.is_empty() {
                return Some(short);
            }
        }
        None
    }

    /// All shortest solutions.
    pub fn into_solutions(self) -> Vec<Vec<Move>> {
        self.solutions.into_iter().collect()
    }

    /// The length of the solutions.
    pub fn length(&self) -> u8 {
        self.thresholds.last().map_or(0, |threshold| threshold.length)
    }
}

impl Engine for Short {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        "no table".into()
    }

    /// The solutions that were found when this was made.
    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, _: &Control<'_>) -> Report {
        let solutions: Vec<Vec<Move>> = self.solutions.iter().take(options.solution_count.most()).cloned().collect();
        let mut thresholds = self.thresholds.clone();
        let last = thresholds.last_mut().expect("it has searched the length of its solutions");
        last.exhausted = solutions.len() == self.solutions.len();
        for threshold in &thresholds {
            on_event(Event::ThresholdStarted { length: threshold.length });
            if threshold.length == self.length() {
                on_event(Event::Solution(&solutions[0]));
            }
            on_event(Event::ThresholdDone(threshold));
        }
        Report {
            outcome: Outcome::Optimal,
            lower_bound: self.length(),
            best_known: Some(solutions[0].clone()),
            solutions,
            neighbours: None,
            symmetry_count: position.symmetries().len(),
            elapsed: thresholds.iter().map(|threshold| threshold.elapsed).sum(),
            thresholds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Sequence, is_canonical, random_positions};

    /// Every canonical sequence, tried by itself.
    fn obvious(position: &Cube, metric: Metric) -> (u8, BTreeSet<Vec<Move>>) {
        let solutions = |length| {
            let mut found = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                if position.after(moves).is_solved() {
                    found.insert(moves.to_vec());
                }
            });
            found
        };
        let mut by_length = (0..).map(|length| (length, solutions(length)));
        by_length.find(|(_, found)| !found.is_empty()).expect("it is solved by some sequence")
    }

    #[test]
    fn it_finds_the_shortest_solutions_and_all_of_them() {
        for metric in Metric::ALL {
            for text in ["", "R", "R2", "U D'", "R2 L2", "R U R' U'", "U2 D2 F2 B2", "R U2 F' L2 D"] {
                let position = Cube::from_moves(text.parse::<Sequence>().unwrap().moves());
                let short = Short::of(&position, metric);
                let (length, solutions) = obvious(&position, metric);
                let short = short.unwrap_or_else(|| panic!("{text} in {metric}"));
                assert_eq!((short.length(), &short.solutions), (length, &solutions), "{text} in {metric}");
                assert!(solutions.iter().all(|moves| is_canonical(moves)));
            }
        }
        assert!(random_positions(1).take(3).all(|far| Short::of(&far, Metric::Htm).is_none()));
    }
}
