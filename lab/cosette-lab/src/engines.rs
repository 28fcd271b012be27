//! All engines on the same positions: nodes, probes, processor time, memory, and how far each gets.
//!
//! ```text
//! for each engine
//!     for length = 8, …, 18, until it solves no position of a length in time
//!         solve some positions of that length, with one thread
//! ```

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request};
use crate::fast;
use crate::fiat::Fiat;
use crate::form::{Form, FormTable, row};
use crate::kept::Kept;
use crate::kociemba::Kociemba;
use crate::korf::{Korf, SEVEN, SIX};
use crate::lab::{Lab, memory_from_now_on, peak_memory, processor_time_of_process};
use crate::lee::engine::Lee;
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::perimeter::Perimeter;
use crate::lee::search::AstarSettings;
use crate::reid::Reid;
use crate::thistlethwaite::Thistlethwaite;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric};
use cosette::search::Options;
use cosette_app::engine::Engine;
use std::fmt::Display;
use std::time::Duration;

/// Where its results are kept.
const NAME: &str = "engines";
/// The lengths of the positions.
const LENGTHS: std::ops::RangeInclusive<u8> = 8..=18;

/// What one engine did with one position.
#[derive(Clone, Debug)]
struct Run {
    /// The true length of the position.
    length: u8,
    /// The length that was found: proven, or the best.
    found: Option<u8>,
    /// Whether that was proven the shortest.
    proven: bool,
    nodes: u64,
    probes: u64,
    /// Seconds of processor time.
    seconds: f64,
}

impl Run {
    fn is_solved(&self) -> bool {
        self.found.is_some()
    }
}

/// What is known of an engine and its runs.
#[derive(Clone, Debug)]
struct Measured {
    engine: String,
    /// By how much the memory of the process grew, in bytes, where the system says it.
    memory: Option<u64>,
    /// How long it had for a position, in seconds.
    limit: f64,
    runs: Vec<Run>,
}

/// An engine of the comparison: the name that it is shown with, and how it is made.
struct Contestant {
    name: &'static str,
    open: fn(&Lab<'_>) -> Result<Box<dyn Engine>, LabError>,
}

/// The engines, the slowest first; ours is the last.
const CONTESTANTS: [Contestant; 8] = [
    Contestant { name: "thistlethwaite", open: |_| Ok(Box::new(Thistlethwaite::get())) },
    Contestant { name: "twophase", open: |_| Ok(Box::new(Kociemba { target: 0, time: Some(Duration::from_secs(1)) })) },
    Contestant { name: "fiat", open: |_| Ok(Box::new(Fiat::new(Metric::Htm))) },
    Contestant {
        name: "lee",
        open: |lab| {
            let forward = ForwardDepth::try_from(5).expect("it may be 1 to 7");
            Ok(Box::new(Lee::new(Perimeter::new(7, lab)?, 7, Some(forward), AstarSettings::default(), lab)?))
        },
    },
    Contestant { name: "korf 8+6+6", open: |lab| Ok(Box::new(Korf::new(lab, &SIX)?)) },
    Contestant { name: "korf 8+7+7", open: |lab| Ok(Box::new(Korf::new(lab, &SEVEN)?)) },
    Contestant { name: "reid", open: |lab| Ok(Box::new(Reid::new(lab, Metric::Htm)?)) },
    Contestant { name: OURS, open: |lab| Ok(Box::new(fast::solver(lab)?)) },
];

const OURS: &str = "cosette";

/// How many positions of each length, and how many seconds each engine has for one.
const fn size(effort: Effort) -> (usize, u64) {
    match effort {
        Effort::Quick => (3, 10),
        Effort::Full => (5, 240),
    }
}

/// The table of all engines: in a quick run those that are kept, if nothing else is asked for. A full run continues those in its
/// folder of results, if it has one.
pub fn engines(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    if let Some(kept) = Kept::shown(request, NAME)? {
        return Ok(experiment(&kept, &read(&kept)));
    }
    let (count, seconds) = size(request.effort);
    let limit = request.time.unwrap_or(Duration::from_secs(seconds));
    let (kept, positions) = (Kept::begin(request, NAME)?, positions(lab, count, request.seed_or(1))?);
    kept.are_of(&positions.iter().map(|(_, position)| *position).collect::<Vec<_>>())?;
    let one = Lab { control: lab.control.clone().with_threads(ThreadCount::ONE), ..lab.clone() };
    for contestant in CONTESTANTS.iter().filter(|contestant| kept.get(contestant.name).is_none()) {
        measure(&one, contestant, &positions, limit, &kept)?;
    }
    Ok(experiment(&kept, &read(&kept)))
}

/// Positions of each length, from the seed.
fn positions(lab: &Lab<'_>, count: usize, seed: u64) -> Result<Vec<(u8, Cube)>, LabError> {
    let solver = fast::solver(lab)?;
    let mut positions = Vec::new();
    for length in LENGTHS {
        lab.step("looking for positions", (length - LENGTHS.start()).into(), LENGTHS.count() as u64);
        let found = fast::positions_of_length(length, count, seed, &solver, lab)?;
        positions.extend(found.into_iter().map(|position| (length, position)));
    }
    Ok(positions)
}

/// Opens an engine, has it solve the positions until it solves none of a length in time, and keeps what it did.
fn measure(
    lab: &Lab<'_>,
    Contestant { name, open }: &Contestant,
    positions: &[(u8, Cube)],
    limit: Duration,
    kept: &Kept,
) -> Result<(), LabError> {
    let before = memory_from_now_on();
    let engine = open(lab)?;
    let mut done = 0;
    for of_length in positions.chunk_by(|a, b| a.0 == b.0) {
        let mut is_over = true;
        for ((length, position), number) in of_length.iter().zip(0..) {
            lab.step(&format!("{name}, length {length}"), done, positions.len() as u64);
            let control = lab.control.clone().with_timeout(limit);
            let before = processor_time_of_process();
            let report = engine.solve(position, &Options::default(), &|_| {}, &control.silent());
            let seconds = processor_time_of_process() - before;
            lab.check()?;
            let best = report.best_known.as_ref().filter(|_| !engine.is_optimal()).map(|moves| moves.len() as u8);
            let (proven, found) = (report.length(), report.length().or(best));
            let length_found = found.map_or("-".to_owned(), |length| length.to_string());
            let values: [&dyn Display; 5] = [
                &length_found,
                &u8::from(proven.is_some()),
                &report.nodes(),
                &report.probes(),
                &format!("{seconds:.9}"),
            ];
            kept.add(&format!("{name}, {length} {number}"), &values)?;
            is_over &= found.is_none();
            done += 1;
        }
        if is_over {
            break;
        }
    }
    let memory = peak_memory().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let memory = memory.map_or("-".to_owned(), |bytes| bytes.to_string());
    let tables = if *name == OURS { engine.tables() } else { "-".to_owned() };
    kept.add(name, &[&memory, &limit.as_secs_f64(), &tables])
}

/// The engines whose runs are all kept.
fn read(kept: &Kept) -> Vec<Measured> {
    let run = |(key, values): (String, Vec<String>)| {
        let [found, proven, nodes, probes, seconds] = <[String; 5]>::try_from(values).ok()?;
        Some(Run {
            length: key.split(' ').next()?.parse().ok()?,
            found: found.parse().ok(),
            proven: proven == "1",
            nodes: nodes.parse().ok()?,
            probes: probes.parse().ok()?,
            seconds: seconds.parse().ok()?,
        })
    };
    let measured = CONTESTANTS.iter().filter_map(|Contestant { name, .. }| {
        let tables = kept.value::<String>(name, 2)?;
        Some(Measured {
            engine: if *name == OURS { format!("{OURS} {tables}") } else { (*name).to_owned() },
            memory: kept.value(name, 0),
            limit: kept.number(name, 1)?,
            runs: kept.all(&format!("{name}, ")).into_iter().filter_map(run).collect(),
        })
    });
    measured.collect()
}

fn experiment(kept: &Kept, measured: &[Measured]) -> Experiment {
    let limit = measured.first().map_or(0.0, |engine| engine.limit);
    let count = measured.first().map_or(0, |engine| engine.of_length(*LENGTHS.start()).len());
    let plot = |name, title: &str, y, value: Value| {
        let plot = Plot::new(name, title, ["length of the position", y], [false, true]);
        measured.iter().filter(|engine| engine.runs.iter().any(|run| run.proven)).fold(plot, |plot, engine| {
            let mean = |length| mean(&engine.all_of_length(length, |run| run.proven), value);
            plot.series(engine.engine.clone(), LENGTHS.filter_map(|length| Some((length.into(), mean(length)?))))
        })
    };
    let mut form = Form::read(include_str!("../pages/engines-experiments.md"), "all");
    form.say("count", count).say("limit", limit).say_kept(kept);
    summarise(form.table("summary"), measured);
    by_length(form.table("lengths"), measured);
    form.experiment().plots([
        plot("engines-seconds", "Seconds to prove a shortest solution", "seconds", SECONDS),
        plot("engines-nodes", "Nodes to prove a shortest solution", "nodes", NODES),
    ])
}

impl Measured {
    /// The runs with the positions of a length.
    fn of_length(&self, length: u8) -> Vec<&Run> {
        self.runs.iter().filter(|run| run.length == length).collect()
    }

    /// The runs with the positions of a length if all of them are so; otherwise none.
    fn all_of_length(&self, length: u8, is_so: fn(&Run) -> bool) -> Vec<&Run> {
        let runs = self.of_length(length);
        if runs.iter().all(|run| is_so(run)) { runs } else { Vec::new() }
    }
}

/// A figure of a run.
type Value = fn(&Run) -> f64;
const SECONDS: Value = |run| run.seconds;
const NODES: Value = |run| run.nodes as f64;

/// The mean over some runs; nothing if there is none.
fn mean(runs: &[&Run], value: Value) -> Option<f64> {
    (!runs.is_empty()).then(|| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64)
}

/// A mean and how many times that of our engine it is, at a length of which ours solved all positions.
fn beside_ours(measured: &[Measured], length: u8, runs: &[&Run], value: Value) -> [Option<f64>; 3] {
    let ours = measured.iter().find(|engine| engine.engine.starts_with(OURS));
    let ours = ours.and_then(|ours| mean(&ours.all_of_length(length, Run::is_solved), value));
    let own = mean(runs, value);
    [own, ours, own.zip(ours).filter(|&(_, ours)| ours > 0.0).map(|(own, ours)| own / ours)]
}

/// How far each engine gets, and beside ours at the longest length that both solve.
fn summarise(table: &mut FormTable, measured: &[Measured]) {
    for engine in measured {
        let last = LENGTHS.rev().find(|&length| !engine.all_of_length(length, Run::is_solved).is_empty());
        let there = last.map_or(Vec::new(), |length| engine.of_length(length));
        let [seconds, nodes] =
            [SECONDS, NODES].map(|value| beside_ours(measured, last.unwrap_or_default(), &there, value));
        let [solved, proven] = [Run::is_solved as fn(&Run) -> bool, |run| run.proven]
            .map(|is_so| engine.runs.iter().filter(|run| is_so(run)).count());
        let memory = engine.memory.map(|bytes| match bytes / 1_000_000 {
            ..10 => Cell::text("< 10"),
            megabytes => Cell::Count(megabytes),
        });
        let proven = format!("{proven} of {solved}");
        let [seconds, of_ours, times] = seconds;
        table.row(row![engine.engine.as_str(), memory, proven, last, seconds, of_ours, times, nodes[0], nodes[2]]);
    }
}

/// A row for each engine and length.
fn by_length(table: &mut FormTable, measured: &[Measured]) {
    for (engine, length) in measured.iter().flat_map(|engine| LENGTHS.map(move |length| (engine, length))) {
        let runs = engine.of_length(length);
        if runs.is_empty() {
            continue;
        }
        let solved: Vec<&Run> = runs.iter().copied().filter(|run| run.is_solved()).collect();
        let is_proven = !solved.is_empty() && solved.iter().all(|run| run.proven);
        let [seconds, _, times] = beside_ours(measured, length, &solved, SECONDS);
        table.row(row![
            engine.engine.as_str(),
            length,
            format!("{} of {}", solved.len(), runs.len()),
            mean(&solved, |run| run.found.unwrap_or(0).into()),
            if is_proven { "yes" } else { "no" },
            mean(&solved, NODES),
            mean(&solved, |run| run.probes as f64),
            seconds,
            times,
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, seconds: &[(u8, Option<f64>)]) -> Measured {
        let runs = seconds.iter().map(|&(length, seconds)| Run {
            length,
            found: seconds.map(|_| length),
            proven: seconds.is_some(),
            nodes: 10,
            probes: 20,
            seconds: seconds.unwrap_or(9.0),
        });
        Measured { engine: name.to_owned(), memory: Some(50_000_000), limit: 10.0, runs: runs.collect() }
    }

    #[test]
    fn engines_are_compared_where_both_solve_all() {
        let slow = engine("slow", &[(8, Some(1.0)), (8, Some(3.0)), (9, Some(50.0)), (9, None)]);
        let ours = engine("cosette", &[(8, Some(0.5)), (8, Some(0.5)), (9, Some(1.0)), (9, Some(1.0))]);
        let shown = experiment(&Kept::default(), &[slow, ours]);
        let row = &shown.tables[0].rows[0];
        assert_eq!(row[3], Cell::Count(8));
        assert_eq!(row[6], Cell::Number(4.0, 1));
        assert_eq!(shown.tables[1].rows[1][2], Cell::text("1 of 2"));
        assert_eq!(shown.plots[0].series[0].points, [(8.0, 2.0)]);
    }

    #[test]
    fn plots_show_lengths_at_which_all_is_proven() {
        let mut guessing = engine("guessing", &[(8, Some(1.0)), (9, Some(1.0))]);
        guessing.runs[1].proven = false;
        let shown = experiment(&Kept::default(), &[guessing]);
        assert_eq!(shown.plots[0].series[0].points, [(8.0, 1.0)]);
    }

    #[test]
    fn all_engines_are_kept() {
        assert_eq!(read(&Kept::of_program(NAME)).len(), CONTESTANTS.len());
    }
}
