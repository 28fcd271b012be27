//! Kociemba's two-phase search (H. Kociemba, "Close to God's algorithm", Cubism For Fun 28, 1992)
//! as an engine.
//!
//! The search is that of the library; its theory and its departures are documented in
//! [`cosette::twophase`]. It finds a solution within milliseconds and then ever shorter ones. The
//! last one is proven shortest only if the search is exhaustive.

use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::lab::Lab;
use crate::template::{PageTemplate, row};
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, random_positions};
use cosette::search::{IterationStats, Options, Outcome, Report};
use cosette::twophase::{TwoPhase, TwoPhaseLimits};
use cosette_app::engine::{Engine, OnEvent};
use rayon::prelude::*;
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
        let run = IterationStats {
            length,
            nodes: found.nodes,
            probes: 0,
            elapsed,
            exhausted: found.exhausted,
        };
        let is_short_enough = options.max_length.is_none_or(|longest| length <= longest);
        Report {
            outcome: match (found.exhausted, is_short_enough) {
                (false, _) => Outcome::unfinished(control.cancel_token()),
                (true, false) => Outcome::NoneWithinLimit,
                (true, true) => Outcome::Optimal,
            },
            lower_bound: if found.exhausted { length } else { 0 },
            solutions: found
                .solution
                .iter()
                .filter(|_| found.exhausted && is_short_enough)
                .cloned()
                .collect(),
            best_known: found.solution,
            iterations: vec![run],
            neighbors: None,
            symmetry_count: position.symmetries().len(),
            elapsed,
        }
    }
}

/// The forms of the experiments.
const FORMS: &str = include_str!("../pages/kociemba-experiments.md");

/// Returns the number of random positions, and the search time of each, in milliseconds.
const fn size(effort: RunSize) -> (usize, u32) {
    match effort {
        RunSize::Quick => (1000, 100),
        RunSize::Full => (1000, 2000),
    }
}

/// The times at which the best solutions are recorded, in milliseconds.
const TIMES: [u32; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// Solutions as short as this are counted.
const LENGTHS: [usize; 4] = [18, 19, 20, 21];

/// The default seed.
const SEED: u64 = 1992;

/// Length against time of two-phase search.
pub fn kociemba(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (count, milliseconds) = size(request.effort);
    let seed = request.seed_or(SEED);
    // Its tables are not part of the times.
    TwoPhase::get();
    let runs = measure(lab, seed, count, Duration::from_millis(milliseconds.into()))?;
    let mut form = PageTemplate::read(FORMS, "times");
    form.say("positions", count)
        .say("seed", seed)
        .say("milliseconds", milliseconds);
    form.say("threads", lab.control.threads());
    // The mean length, and the shares of positions with a solution as short as each of the lengths.
    let mut points: [Vec<(f64, f64)>; 5] = Default::default();
    for time in TIMES.into_iter().filter(|&time| time <= milliseconds) {
        let after = Duration::from_millis(time.into());
        let lengths: Vec<usize> = runs.iter().filter_map(|run| run.best(after)).collect();
        let percent = |part: usize| 100.0 * part as f64 / runs.len() as f64;
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        let [a, b, c, d] = LENGTHS
            .map(|longest| percent(lengths.iter().filter(|&&length| length <= longest).count()));
        form.table("times")
            .row(row![time, percent(lengths.len()), mean, a, b, c, d]);
        for (points, value) in points
            .iter_mut()
            .zip([mean, a, b, c, d])
            .filter(|(_, value)| value.is_finite())
        {
            points.push((time.into(), value));
        }
    }
    let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
    let nodes = runs.iter().map(|run| run.nodes).sum::<u64>() as f64;
    form.say("nanoseconds", format!("{:.0}", 1e9 * seconds / nodes))
        .say("millions", format!("{:.0}", nodes / 1e6));
    say_first_good(&mut form, &runs);
    let [mean, shares @ ..] = points;
    let plot = |name, title, y| Plot::new(name, title, ["milliseconds", y], [true, false]);
    let shares_of = plot(
        "kociemba-shares",
        "Positions with a solution as short as that",
        "positions, per cent",
    );
    let shares = LENGTHS
        .iter()
        .zip(shares)
        .fold(shares_of, |plot, (length, shares)| {
            plot.series(format!("{length} or less"), shares)
        });
    let mean = plot(
        "kociemba-mean",
        "Mean length of the shortest solution found",
        "moves",
    )
    .series("mean of the positions solved", mean);
    Ok(form.experiment().plots([mean, shares]))
}

/// Adds the time of the first solution of at most 21 moves.
fn say_first_good(form: &mut PageTemplate, runs: &[KociembaSearch]) {
    let mut firsts: Vec<f64> = runs.iter().filter_map(|run| run.first(21)).collect();
    firsts.sort_by(f64::total_cmp);
    let quantile = |percent: usize| firsts[(firsts.len() * percent / 100).min(firsts.len() - 1)];
    form.say("found", firsts.len());
    let mean = firsts.iter().sum::<f64>() / firsts.len() as f64;
    for (name, milliseconds) in [
        ("mean", mean),
        ("half", quantile(50)),
        ("most", quantile(99)),
        ("all", quantile(100)),
    ] {
        form.say(name, format!("{milliseconds:.1}"));
    }
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
pub fn example(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let seed = request.seed_or(SEED);
    let position = random_positions(seed).next().expect("they have no end");
    let mut form = PageTemplate::read(FORMS, "example");
    form.say("seed", seed);
    let limits = TwoPhaseLimits {
        target: 19,
        ..TwoPhaseLimits::default()
    };
    let mut on_solution = |moves: &[Move]| {
        let (second, axis, is_inverse) = second_phase(moves);
        let axis = if is_inverse {
            format!("{axis}, of the inverse")
        } else {
            axis.to_owned()
        };
        let first = moves.len() - second;
        form.table("solutions").row(row![
            DisplayMoves(moves).to_string(),
            moves.len(),
            first,
            second,
            axis
        ]);
    };
    TwoPhase::get().search(
        &position,
        &limits,
        &mut on_solution,
        lab.control.cancel_token(),
    );
    lab.check()?;
    Ok(form.experiment())
}

/// Returns the largest number of moves at the end, or at the beginning if it is larger there, that
/// preserve the subgroup of one axis; the axis; and `true` if they are at the beginning.
fn second_phase(moves: &[Move]) -> (usize, &'static str, bool) {
    let axes = [("U and D", "UD"), ("R and L", "RL"), ("F and B", "FB")];
    let keeps = |m: &Move, faces: &str| m.is_half_turn() || faces.contains(m.face().letter());
    let at_end = |faces| moves.iter().rev().take_while(|m| keeps(m, faces)).count();
    let at_start = |faces| moves.iter().take_while(|m| keeps(m, faces)).count();
    let both = axes
        .into_iter()
        .flat_map(|(name, faces)| [(at_start(faces), name, true), (at_end(faces), name, false)]);
    both.max_by_key(|&(count, _, is_inverse)| (count, !is_inverse))
        .expect("there are three axes")
}

/// Searches random positions, one a thread.
fn measure(
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
