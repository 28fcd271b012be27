//! Kociemba's two-phase search (H. Kociemba, "Close to God's algorithm", Cubism For Fun 28, 1992)
//! as an engine.
//!
//! The search is that of the library; its theory and its departures are documented in
//! [`cosette::twophase`]. It finds a solution within milliseconds and then ever shorter ones. The
//! last one is proven shortest only if the search is exhaustive.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::lab::Lab;
use crate::record::Record;
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, random_positions};
use cosette::search::{IterationStats, Options, Outcome, Report};
use cosette::twophase::{TwoPhase, TwoPhaseLimits};
use cosette_app::engine::{Engine, OnEvent};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Two-phase search within limits of time and length.
///
/// `options.max_length` is also a target: the search ends with the first solution of at most that
/// length. A longer one is returned if there is no better one. The engine returns one solution,
/// whatever number is requested. Unless the search was exhaustive, the bound is zero, which claims
/// nothing. The outcome is then `Cancelled` if the search was cancelled, and `Unproven` if its own
/// time is over or the target is reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kociemba {
    /// A length at which the search ends.
    pub target: u8,
    /// The search ends after this time, counted from its beginning, once it has a solution. With
    /// neither time nor target it continues until it is exhaustive or cancelled, which may take
    /// days.
    pub time: Option<Duration>,
}

impl Engine for Kociemba {
    fn name(&self) -> &'static str {
        "two-phase"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        "sieves and members".into()
    }

    fn is_optimal(&self) -> bool {
        false
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        _on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        // Its tables are not part of the time.
        let two_phase = TwoPhase::get();
        let start = Instant::now();
        let target = self.target.max(options.max_length.unwrap_or(0));
        let limits = TwoPhaseLimits {
            target,
            ..TwoPhaseLimits::default()
        };
        let cancel = control.cancel_token().limited(self.time);
        let mut found = two_phase.search(position, &limits, &mut |_| {}, &cancel);
        if found.solution.is_none() && options.max_length.is_none() && !control.is_cancelled() {
            let until_solved = TwoPhaseLimits {
                nodes: 0,
                until_solved: true,
                ..limits
            };
            found = two_phase.search(position, &until_solved, &mut |_| {}, control.cancel_token());
        }
        let elapsed = start.elapsed();
        let length = found
            .solution
            .as_ref()
            .map_or(Metric::Htm.diameter(), |solution| solution.len() as u8);
        let mut run = IterationStats::new(length);
        run.nodes = found.nodes;
        run.elapsed = elapsed;
        run.exhausted = found.exhausted;
        let is_short_enough = options.max_length.is_none_or(|longest| length <= longest);
        let outcome = match (found.exhausted, is_short_enough) {
            (false, _) => Outcome::unfinished(control.cancel_token()),
            (true, false) => Outcome::NoneWithinLimit,
            (true, true) => Outcome::Optimal,
        };
        let lower_bound = if found.exhausted { length } else { 0 };
        let mut report = Report::new(position, outcome, lower_bound);
        if outcome == Outcome::Optimal {
            report.solutions.extend(found.solution.clone());
        }
        report.best_known = found.solution;
        report.iterations = vec![run];
        report.elapsed = elapsed;
        report
    }
}

/// The times at which the best solutions are recorded, in milliseconds.
const TIMES: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// The default seed.
const SEED: u64 = 1992;

/// Length against time of two-phase search.
pub fn times(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let positions = 1000;
    let milliseconds = match request.effort {
        RunSize::Quick => 100,
        RunSize::Full => 2000,
    };
    let seed = request.seed_or(SEED);
    // Its tables are not part of the times.
    TwoPhase::get();
    let runs = search_all(lab, seed, positions, Duration::from_millis(milliseconds))?;
    let times = TIMES.into_iter().filter(|&time| time <= milliseconds);
    let record = json!({
        "positions": positions,
        "seed": seed,
        // The search time of a position.
        "milliseconds": milliseconds,
        "threads": lab.control.threads().get(),
        "times": times.map(|time| solved_by(&runs, time)).collect::<Vec<_>>(),
        "nodes": runs.iter().map(|run| run.nodes).sum::<u64>(),
        "seconds": runs.iter().map(|run| run.seconds).sum::<f64>(),
        "first": first_solutions(&runs),
    });
    Ok(Record::computed(request, &record))
}

/// Returns the mean length of the shortest solutions found within a time, and the shares of the
/// positions that are solved in 18 to 21 moves at most.
fn solved_by(runs: &[KociembaSearch], milliseconds: u64) -> Value {
    let time = Duration::from_millis(milliseconds);
    let lengths: Vec<usize> = runs.iter().filter_map(|run| run.best(time)).collect();
    let at_most = |longest: usize| {
        let count = lengths.iter().filter(|&&length| length <= longest).count();
        100.0 * count as f64 / runs.len() as f64
    };
    let sum = lengths.iter().sum::<usize>() as f64;
    json!({
        "milliseconds": milliseconds,
        "solved": at_most(usize::MAX),
        "mean": (!lengths.is_empty()).then(|| sum / lengths.len() as f64),
        "at_most_18": at_most(18),
        "at_most_19": at_most(19),
        "at_most_20": at_most(20),
        "at_most_21": at_most(21),
    })
}

/// Returns the milliseconds to the first solution of at most 21 moves, of the positions that have
/// one.
fn first_solutions(runs: &[KociembaSearch]) -> Value {
    let mut firsts: Vec<f64> = runs.iter().filter_map(|run| run.first(21)).collect();
    firsts.sort_by(f64::total_cmp);
    let quantile = |percent: usize| firsts[(firsts.len() * percent / 100).min(firsts.len() - 1)];
    json!({
        "positions": firsts.len(),
        "mean": firsts.iter().sum::<f64>() / firsts.len() as f64,
        "median": quantile(50),
        "percentile_99": quantile(99),
        "longest": quantile(100),
    })
}

/// The search of one position.
struct KociembaSearch {
    /// The time and length of each solution found; each is shorter than the one before.
    found: Vec<(Duration, usize)>,
    nodes: u64,
    seconds: f64,
}

impl KociembaSearch {
    fn of(lab: &Lab<'_>, position: &Cube, time: Duration) -> KociembaSearch {
        let start = Instant::now();
        let in_time = lab.control.cancel_token().child_with_timeout(time);
        let mut found = Vec::new();
        let mut on_solution = |moves: &[_]| found.push((start.elapsed(), moves.len()));
        let nodes = TwoPhase::get()
            .search(
                position,
                &TwoPhaseLimits::default(),
                &mut on_solution,
                &in_time,
            )
            .nodes;
        KociembaSearch {
            found,
            nodes,
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// Returns the length of the shortest solution found within this time.
    fn best(&self, after: Duration) -> Option<usize> {
        self.found
            .iter()
            .take_while(|(time, _)| *time <= after)
            .last()
            .map(|&(_, length)| length)
    }

    /// Returns the time of the first solution of at most this length, in milliseconds.
    fn first(&self, length: usize) -> Option<f64> {
        let first = self.found.iter().find(|&&(_, found)| found <= length);
        first.map(|(time, _)| 1e3 * time.as_secs_f64())
    }
}

/// The solutions that a search of one position finds, each shorter than those before, and where it
/// enters the subgroup.
pub fn example(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let seed = request.seed_or(SEED);
    let position = random_positions(seed).next().expect("they have no end");
    let limits = TwoPhaseLimits {
        target: 19,
        ..TwoPhaseLimits::default()
    };
    let mut solutions = Vec::new();
    TwoPhase::get().search(
        &position,
        &limits,
        &mut |moves| solutions.push(phased(moves)),
        lab.control.cancel_token(),
    );
    lab.check()?;
    let record = json!({"seed": seed, "solutions": solutions});
    Ok(Record::computed(request, &record))
}

/// Finds the phases of a solution: phase 2 is the largest number of moves at the end, or at the
/// beginning if it is larger there, that preserve the subgroup of one axis.
fn phased(moves: &[Move]) -> Value {
    let axes = [("U and D", "UD"), ("R and L", "RL"), ("F and B", "FB")];
    let keeps = |m: &Move, faces: &str| m.is_half_turn() || faces.contains(m.face().letter());
    let all = axes.into_iter().flat_map(|(axis, faces)| {
        let at_start = moves.iter().take_while(|m| keeps(m, faces)).count();
        let at_end = moves.iter().rev().take_while(|m| keeps(m, faces)).count();
        [(at_start, false, axis), (at_end, true, axis)]
    });
    let (second, is_at_end, axis) = all
        .max_by_key(|&(second, is_at_end, _)| (second, is_at_end))
        .expect("there are three axes");
    json!({
        "moves": DisplayMoves(moves).to_string(),
        // The moves of phases 1 and 2.
        "first": moves.len() - second,
        "second": second,
        // The axis of the subgroup.
        "axis": axis,
        "is_of_inverse": !is_at_end,
    })
}

/// Searches random positions, one a thread.
fn search_all(
    lab: &Lab<'_>,
    seed: u64,
    count: usize,
    time: Duration,
) -> Result<Vec<KociembaSearch>, LabError> {
    let positions: Vec<Cube> = random_positions(seed).take(count).collect();
    let done = AtomicU64::new(0);
    let run = |position: &Cube| {
        lab.check()?;
        let run = KociembaSearch::of(lab, position, time);
        lab.step(
            "solving by two phases",
            done.fetch_add(1, Relaxed) + 1,
            count as u64,
        );
        Ok(run)
    };
    lab.control
        .in_pool(|| positions.par_iter().with_max_len(1).map(run).collect())?
}
