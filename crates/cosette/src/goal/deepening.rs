//! Iterative deepening: iterations of increasing cost, with pattern databases or, for solutions of
//! a few turns, with a perimeter instead.

use super::databases::Databases;
use super::dedup::rank;
use super::iteration::{GoalIteration, MAX_COORDINATES, Node};
use super::pattern_database::UNREACHABLE;
use super::perimeter::Perimeter;
use super::search::{BuildCancelled, Conditions, GoalReport, GoalSearch};
use crate::control::ThreadCount;
use crate::platform::Instant;
use crate::search::{Event, IterationStats, Outcome};
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Work of building the databases, in steps of their breadth-first searches, for which a search
/// without them may look at one pattern. A pattern takes as long as some fifty steps, so a search
/// that gives up has taken 2 % as long as the databases will.
const STEPS_PER_PATTERN: u64 = 2_500;
/// Number of such searches in whose time the databases would have been built.
const SEARCHES_WITHOUT_DATABASES: u64 = 50;

/// The counts of an iteration.
#[derive(Clone, Copy, Default)]
struct Counts {
    nodes: u64,
    probes: u64,
}

/// Runs an iteration, given the counts of the last one; `None` to give up.
type Iterate<'a> = dyn FnMut(&mut GoalIteration<'_>, Counts) -> Option<()> + 'a;

impl GoalSearch<'_> {
    /// Searches with the pattern databases.
    pub(super) fn with_databases(&self, conditions: Conditions<'_>) -> GoalReport {
        let solver = self.solver;
        let places = solver.reachable_places(&self.position);
        if places.is_empty() {
            return GoalReport {
                unreachable: Some(self.reason(false, conditions)),
                ..GoalReport::none(u32::MAX)
            };
        }
        let databases = match solver.databases(&self.control) {
            Ok(databases) => databases,
            Err(BuildCancelled(reason)) => {
                let costs = solver
                    .turns()
                    .allowed()
                    .iter()
                    .map(|&(_, cost)| u32::from(cost));
                let is_met = solver.goal().is_met(&self.position);
                let least = if is_met {
                    0
                } else {
                    costs.min().unwrap_or_default()
                };
                return GoalReport {
                    outcome: Outcome::Cancelled(reason),
                    ..GoalReport::none(least)
                };
            }
        };
        let roots = solver.roots(&places, databases, &self.position);
        let bound = solver.bound_by(databases);
        let least = solver.bound_of_roots(&bound, &roots, &self.position);
        let report = self.deepen(
            least.unwrap_or(u32::MAX),
            conditions,
            &mut |iteration, last| {
                iteration.run(&bound, &roots, last.nodes);
                Some(())
            },
        );
        let mut report = report.expect("nothing limits its nodes");
        if report.solutions.is_empty() && report.lower_bound == u32::MAX {
            report.unreachable = Some(self.reason(least.is_some(), conditions));
        }
        report
    }

    /// Searches with a perimeter of the goal in place of the databases, unless these exist. `None`
    /// if no solution is found within a small part of the work of building them.
    pub(super) fn without_databases(&self, conditions: Conditions<'_>) -> Option<GoalReport> {
        let solver = self.solver;
        if solver.databases.get().is_some() {
            return None;
        }
        let max_work = Databases::work(&solver.goal().mask, &solver.effects) / STEPS_PER_PATTERN;
        if solver.work_without_databases.load(Relaxed) > max_work * SEARCHES_WITHOUT_DATABASES {
            return None;
        }
        // Events are withheld until a solution is known to exist.
        let silent = GoalSearch {
            on_event: &|_| {},
            on_solution: &|_| {},
            ..self.clone()
        };
        let report = silent.with_perimeter(conditions, max_work)?;
        for threshold in &report.iterations {
            (self.on_event)(Event::IterationStarted {
                length: threshold.length,
            });
            let is_of_it = |cost: u32| cost == u32::from(threshold.length);
            report
                .solutions
                .iter()
                .filter(|found| is_of_it(found.cost))
                .for_each(self.on_solution);
            (self.on_event)(Event::IterationFinished(threshold));
        }
        Some(report)
    }

    /// Searches with a perimeter of the goal. `None` if no solution is found, or if the search
    /// would look at more than `max_work` patterns.
    fn with_perimeter(self, conditions: Conditions<'_>, max_work: u64) -> Option<GoalReport> {
        let solver = self.solver;
        let mut perimeter = Perimeter::new(&solver.labels, &solver.effects)?;
        let places = solver.goal().places.iter().enumerate();
        let roots: Vec<Node> = places
            .map(|(number, place)| Node::root(number, place, [0; MAX_COORDINATES]))
            .collect();
        let turns = solver.sequences.turns.len() as u64;
        let least = solver
            .bound_of_roots(&perimeter, &roots, &self.position)
            .unwrap_or(u32::MAX);
        let search = self.threads(ThreadCount::ONE);
        let mut work = 0;
        let report = search.deepen(least, conditions, &mut |iteration, last| {
            work += last.probes;
            // An upper estimate: each node has all turns, and each turn leads one cost further.
            let mut work_of_next = last.probes * turns;
            // No work is left once all patterns that lead to the goal are settled.
            while (1..=work_of_next).contains(&perimeter.work_to_grow()) && work < max_work {
                work += perimeter.work_to_grow();
                perimeter.grow();
                work_of_next /= turns;
            }
            iteration.max_nodes = max_work.checked_sub(work)? / turns;
            iteration.run(&perimeter, &roots, last.nodes);
            Some(())
        });
        solver.work_without_databases.fetch_add(work, Relaxed);
        report.filter(|report| !report.solutions.is_empty())
    }

    /// Searches by increasing cost, beginning with `limit`. `iterate` runs each iteration. `None` if
    /// it gives up, or if the nodes that it allows an iteration do not suffice.
    fn deepen(
        &self,
        mut limit: u32,
        conditions: Conditions<'_>,
        iterate: &mut Iterate<'_>,
    ) -> Option<GoalReport> {
        let mut report = GoalReport::none(limit);
        let mut last_counts = Counts::default();
        let mut left = self.count.max();
        loop {
            let last = report
                .solutions
                .first()
                .map_or(u32::MAX, |first| first.cost.saturating_add(self.slack));
            if limit
                > last
                    .min(self.most.unwrap_or(u32::MAX))
                    .min(u32::from(UNREACHABLE) - 1)
            {
                break;
            }
            if report.solutions.is_empty() {
                report.lower_bound = limit;
            }
            let length = u8::try_from(limit).unwrap_or(u8::MAX);
            (self.on_event)(Event::IterationStarted { length });
            let began = Instant::now();
            let mut iteration = GoalIteration::new(self, conditions, limit, left);
            iterate(&mut iteration, last_counts)?;
            let exhausted = !iteration.is_ended.load(Relaxed);
            let nodes = iteration.nodes.load(Relaxed);
            let probes = iteration.probes.load(Relaxed);
            last_counts = Counts { nodes, probes };
            let is_spent = iteration.is_spent();
            let threshold = IterationStats {
                length,
                nodes,
                probes,
                elapsed: began.elapsed(),
                exhausted,
            };
            report.iterations.push(threshold);
            (self.on_event)(Event::IterationFinished(&threshold));
            limit = iteration.next.load(Relaxed);
            let (mut found, sequences) = iteration
                .found
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            found.sort_by_cached_key(|found| rank(&found.turns));
            report.solutions.append(&mut found);
            left -= sequences.len();
            if left == 0 {
                break;
            }
            if !exhausted && is_spent {
                return None;
            }
            if !exhausted {
                report.outcome = Outcome::unfinished(self.control.cancel_token());
                break;
            }
            if report.solutions.is_empty() {
                report.lower_bound = limit;
            }
        }
        if !report.solutions.is_empty() && report.outcome == Outcome::NoneWithinLimit {
            report.outcome = Outcome::Optimal;
        }
        Some(report)
    }
}

impl GoalReport {
    /// Returns the report of a search that finds nothing.
    fn none(least: u32) -> GoalReport {
        GoalReport {
            outcome: Outcome::NoneWithinLimit,
            lower_bound: least,
            solutions: Vec::new(),
            unreachable: None,
            iterations: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, GoalSolver, TurnMetric, TurnSet};
    use super::*;
    use crate::Control;
    use crate::cube::{Cube, LayerTurn, Sequence};
    use crate::search::SolutionCount;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::num::NonZeroUsize;

    const TURNS: [(&str, TurnMetric, &str); 9] = [
        ("U R F D L B", TurnMetric::Htm, ""),
        ("U R F D L B", TurnMetric::Qtm, ""),
        ("R U", TurnMetric::Htm, "R2=3"),
        ("U R F D L B M E S", TurnMetric::Stm, ""),
        ("U R F D L B M E S", TurnMetric::Qstm, "F=2"),
        ("R U x", TurnMetric::Etm, ""),
        ("M U u2 S'", TurnMetric::Htm, ""),
        ("R+ U F' L2", TurnMetric::Qtm, "U2=7"),
        ("E S f y' R", TurnMetric::Etm, ""),
    ];

    /// A search with random options, some of which solutions of this walk back satisfy.
    fn random_search<'a>(
        rng: &mut ChaCha8Rng,
        search: GoalSearch<'a>,
        back: &[LayerTurn],
    ) -> GoalSearch<'a> {
        let mut search = match rng.random_range(0..3) {
            0 => search,
            1 => search.solution_count(SolutionCount::AtMost(
                NonZeroUsize::new(rng.random_range(1..5)).unwrap(),
            )),
            _ => search.all(),
        };
        if rng.random_ratio(1, 3) {
            search = search.slack(rng.random_range(1..3));
        }
        if rng.random_ratio(1, 4) {
            search = search.max_cost(rng.random_range(0..6));
        }
        let part = rng.random_range(0..=back.len().min(2));
        match rng.random_range(0..6) {
            0 => search = search.starts_with(&back[..part]),
            1 => search = search.ends_with(&back[back.len() - part..]),
            2 => {
                search = search
                    .avoid(&back[..part])
                    .avoid(&back[back.len() - part..])
            }
            _ => {}
        }
        search = if rng.random_ratio(1, 4) {
            search.dedup_symmetric()
        } else {
            search
        };
        if rng.random_ratio(1, 4) {
            search.dedup_inverse()
        } else {
            search
        }
    }

    /// Compares the reports for positions from which a few turns lead to a goal, and returns the
    /// number of searches for which the perimeter was sufficient.
    fn compare(
        rng: &mut ChaCha8Rng,
        goal: &str,
        (text, metric, costs): (&str, TurnMetric, &str),
        questions: usize,
    ) -> usize {
        let goal: Goal = goal.parse().unwrap();
        let turns = TurnSet::parse(text, metric, costs).unwrap();
        let solver =
            GoalSolver::new(&goal, &turns, &Control::new(ThreadCount::new(2).unwrap())).unwrap();
        let mut answered = 0;
        for _ in 0..questions {
            let back: Vec<LayerTurn> = (0..rng.random_range(0..5))
                .map(|_| turns.allowed().choose(rng).unwrap().0)
                .collect();
            let around = *[Cube::SOLVED, Cube::SOLVED, "U F".parse().unwrap()]
                .choose(rng)
                .unwrap();
            let moves = Sequence::from_turns(&back).moves_in_initial_frame();
            let position = around.compose(&Cube::from_moves(&moves).inverse());
            let search = random_search(
                rng,
                solver.search(&position).threads(ThreadCount::ONE),
                &back,
            );
            search.under_conditions(|conditions| {
                let Some(without) = search.clone().with_perimeter(conditions, 100_000) else {
                    return;
                };
                answered += 1;
                let with = search.with_databases(conditions);
                let proven = |report: &GoalReport| {
                    (
                        report.outcome,
                        report.lower_bound,
                        report.solutions.clone(),
                        report.unreachable.clone(),
                    )
                };
                assert_eq!(
                    proven(&without),
                    proven(&with),
                    "{goal} with {turns} from {}",
                    position.facelets()
                );
            });
        }
        answered
    }

    #[test]
    fn hundreds_of_questions_are_answered_as_with_databases() {
        let mut rng = ChaCha8Rng::seed_from_u64(57);
        let goals = [
            "cross:D",
            "2x2x2",
            "1x2x3:DL",
            "eo",
            "dr:UD",
            "xcross:DFR",
            "oriented(UF UR) URF",
            "{UF UR UB UL}",
        ];
        let mut answered = 0;
        for goal in goals {
            for turns in TURNS {
                answered += compare(&mut rng, goal, turns, 12);
            }
        }
        assert!(answered > 500, "{answered}");
        // With tables of a hundred megabytes.
        let large = [
            ("solved", 3),
            ("auf", 4),
            ("htr", 0),
            ("f2l", 1),
            ("solved", 7),
            ("layer", 5),
        ];
        let answered: usize = large
            .iter()
            .map(|&(goal, turns)| compare(&mut rng, goal, TURNS[turns], 40))
            .sum();
        assert!(answered > 150, "{answered}");
    }

    /// No solution is missed within the work that is allowed.
    #[test]
    fn solutions_of_six_turns_need_no_databases() {
        let mut rng = ChaCha8Rng::seed_from_u64(58);
        for metric in TurnMetric::ALL {
            let turns = TurnSet::parse(metric.default_turns(), metric, "").unwrap();
            let solver =
                GoalSolver::on_demand(&"solved".parse().unwrap(), &turns, ThreadCount::ONE);
            for _ in 0..5 {
                let walk: Vec<LayerTurn> = (0..6)
                    .map(|_| turns.allowed().choose(&mut rng).unwrap().0)
                    .collect();
                let position =
                    Cube::from_moves(&Sequence::from_turns(&walk).moves_in_initial_frame());
                let report = solver.search(&position).all().run();
                assert_eq!(report.outcome, Outcome::Optimal);
                assert!(
                    solver.databases.get().is_none(),
                    "{} in {}",
                    position.facelets(),
                    metric.name()
                );
            }
        }
    }
}
