//! All engines on the same positions: nodes, probes, processor time, memory, and how far each gets.
//!
//! ```text
//! for each engine
//!     for length = 8, …, 18, until it solves no position of a length in time
//!         solve some positions of that length, with one thread
//! ```

use crate::engine::{Engine, OnEvent};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Origin, Plot, Request, Table};
use crate::fast;
use crate::fiat::Fiat;
use crate::kociemba::Kociemba;
use crate::korf::{Korf, SEVEN, SIX};
use crate::lab::{Lab, memory_from_now_on, peak_memory, processor_time_of_process};
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::perimeter::Perimeter;
use crate::lee::search::{AstarSettings, Lee};
use crate::reid::Reid;
use crate::thistlethwaite::Thistlethwaite;
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Report, Solver};
use cosette::{Control, ThreadCount};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Where its results are kept.
const NAME: &str = "engines";
/// The lengths of the positions.
const LENGTHS: std::ops::RangeInclusive<u8> = 8..=18;

/// What one engine did with one position.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

/// What is known of an engine and its runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Measured {
    engine: String,
    /// By how much the memory of the process grew, in bytes, where the system says it.
    memory: Option<u64>,
    /// How long it had for a position, in seconds.
    limit: f64,
    commit: String,
    machine: String,
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
    Contestant { name: OURS, open: |lab| Ok(Box::new(Fast(fast::solver(lab)?))) },
];

const OURS: &str = "cosette";

/// The engine of this program, through the interface of the others.
struct Fast(Solver);

impl Engine for Fast {
    fn name(&self) -> &'static str {
        OURS
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        self.0.table().id().to_string()
    }

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        self.0.search(position).options(*options).on_event(on_event).control(control).run()
    }
}

/// How many positions of each length, and how many seconds each engine has for one.
const fn size(effort: Effort) -> (usize, u64) {
    match effort {
        Effort::Quick => (3, 10),
        Effort::Full => (5, 240),
    }
}

/// The table of all engines: in a quick run what the folder of results has, if it has something.
pub fn engines(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let path = request.results.as_ref().map(|folder| folder.join(format!("{NAME}.jsonl")));
    let kept = path.as_deref().map_or(Ok(Vec::new()), read)?;
    if request.effort == Effort::Quick && !kept.is_empty() {
        return Ok(experiment(&kept));
    }
    let (count, seconds) = size(request.effort);
    let limit = request.time.unwrap_or(Duration::from_secs(seconds));
    let positions = positions(lab, count, request.seed)?;
    let one = Lab { control: lab.control.clone().with_threads(ThreadCount::ONE), ..lab.clone() };
    let mut measured: Vec<Measured> = Vec::new();
    for contestant in &CONTESTANTS {
        measured.push(measure(&one, contestant, &positions, limit, &request.origin)?);
        if let Some(path) = &path {
            write(path, &measured)?;
        }
    }
    Ok(experiment(&measured))
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

/// Opens an engine, and has it solve the positions, until it solves none of a length in time.
fn measure(
    lab: &Lab<'_>,
    contestant: &Contestant,
    positions: &[(u8, Cube)],
    limit: Duration,
    origin: &Origin,
) -> Result<Measured, LabError> {
    let before = memory_from_now_on();
    let engine = (contestant.open)(lab)?;
    let name = match contestant.name {
        OURS => format!("{OURS} {}", engine.tables()),
        name => name.to_owned(),
    };
    let mut runs: Vec<Run> = Vec::new();
    for length in LENGTHS {
        let of_length: Vec<Run> = positions
            .iter()
            .filter(|(true_length, _)| *true_length == length)
            .map(|(_, position)| {
                lab.step(&format!("{name}, length {length}"), runs.len() as u64, positions.len() as u64);
                run(&*engine, length, position, limit, &lab.control)
            })
            .collect();
        lab.check()?;
        let is_over = of_length.iter().all(|run| run.found.is_none());
        runs.extend(of_length);
        if is_over {
            break;
        }
    }
    let memory = peak_memory().zip(before).map(|(peak, before)| peak.saturating_sub(before));
    let Origin { commit, machine } = origin.clone();
    Ok(Measured { engine: name, memory, limit: limit.as_secs_f64(), commit, machine, runs })
}

fn run(engine: &dyn Engine, length: u8, position: &Cube, limit: Duration, control: &Control<'_>) -> Run {
    let control = control.clone().with_timeout(limit);
    let before = processor_time_of_process();
    let report = engine.solve(position, &Options::default(), &|_| {}, &control.silent());
    let seconds = processor_time_of_process() - before;
    let proven = report.length();
    let best = report.best_known.as_ref().filter(|_| !engine.is_optimal()).map(|moves| moves.len() as u8);
    Run {
        length,
        found: proven.or(best),
        proven: proven.is_some(),
        nodes: report.nodes(),
        probes: report.probes(),
        seconds,
    }
}

/// The engines that a file has; none if there is no file.
fn read(path: &Path) -> Result<Vec<Measured>, LabError> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(LabError::io("read", path))?,
    };
    let not_counts = |_| LabError::NotCounts { path: path.to_owned() };
    text.lines().map(|line| serde_json::from_str(line).map_err(not_counts)).collect()
}

fn write(path: &Path, measured: &[Measured]) -> Result<(), LabError> {
    let lines = measured.iter().map(|engine| serde_json::to_string(engine).expect("they are plain values") + "\n");
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(LabError::io("create the folder of", path))?;
    fs::write(path, lines.collect::<String>()).map_err(LabError::io("write", path))
}

fn experiment(measured: &[Measured]) -> Experiment {
    let limit = measured.first().map_or(0.0, |engine| engine.limit);
    let positions = measured.iter().flat_map(|engine| &engine.runs).filter(|run| run.length == *LENGTHS.start());
    let count = positions.count() / measured.len().max(1);
    let mut origins: Vec<String> =
        measured.iter().map(|engine| format!("{} ({})", engine.machine, engine.commit)).collect();
    origins.dedup();
    let plot = |name, title: &str, y, value: fn(&Run) -> f64| {
        let plot = Plot::new(name, title, ["length of the position", y], [false, true]);
        measured.iter().filter(|engine| engine.runs.iter().any(|run| run.proven)).fold(plot, |plot, engine| {
            let points =
                lengths(engine).filter_map(|length| mean(engine, length, value).map(|mean| (length.into(), mean)));
            plot.series(engine.engine.clone(), points)
        })
    };
    Experiment::new("all", "All engines on the same positions", "Korf 1997; Reid 1997; Fiat and others 1989; Lee 2013")
        .text(format!(
            "{count} positions of each length: random walks from a seed whose length was proven. Each engine has one thread and \
             {limit:.0} s for a position, and goes on to the next length unless it solved none. Seconds are those of the \
             processor, means over the positions that were solved; nodes are those generated, by the engine of this program \
             those expanded; probes are accesses to tables. Machine: {}.",
            origins.join("; "),
        ))
        .tables([summary(measured), by_length(measured)])
        .plots([
            plot("engines-seconds", "Seconds to prove a shortest solution", "seconds", |run| run.seconds),
            plot("engines-nodes", "Nodes to prove a shortest solution", "nodes", |run| run.nodes as f64),
        ])
}

/// The lengths that an engine was tried with.
fn lengths(engine: &Measured) -> impl Iterator<Item = u8> {
    LENGTHS.filter(|length| engine.runs.iter().any(|run| run.length == *length))
}

/// The mean over the positions of a length that were solved; none unless all were.
fn mean(engine: &Measured, length: u8, value: fn(&Run) -> f64) -> Option<f64> {
    let runs: Vec<&Run> = engine.runs.iter().filter(|run| run.length == length).collect();
    let is_solved = !runs.is_empty() && runs.iter().all(|run| run.found.is_some());
    is_solved.then(|| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64)
}

/// How far each engine gets, and beside ours at the longest length that both solve.
fn summary(measured: &[Measured]) -> Table {
    let mut table = Table::headed(
        "How far each gets",
        "engine | memory, MB | proven | solves all up to | seconds there | ours there | times ours | nodes there | times ours",
    );
    let ours = measured.iter().find(|engine| engine.engine.starts_with(OURS));
    for engine in measured {
        let last = lengths(engine).filter(|&length| mean(engine, length, |run| run.seconds).is_some()).last();
        let at = |engine: &Measured, value: fn(&Run) -> f64| last.and_then(|length| mean(engine, length, value));
        let (seconds, nodes) = (at(engine, |run| run.seconds), at(engine, |run| run.nodes as f64));
        let beside = ours.and_then(|ours| at(ours, |run| run.seconds));
        let beside_nodes = ours.and_then(|ours| at(ours, |run| run.nodes as f64));
        let times = |own: Option<f64>, ours: Option<f64>| match own.zip(ours) {
            Some((own, ours)) if ours > 0.0 => Cell::Number(own / ours, 1),
            _ => Cell::Nothing,
        };
        let [solved, proven] = [|run: &&Run| run.found.is_some(), |run: &&Run| run.proven]
            .map(|is_so| engine.runs.iter().filter(is_so).count());
        table.row([
            Cell::text(&engine.engine),
            match engine.memory.map(|bytes| bytes / 1_000_000) {
                None => Cell::Nothing,
                Some(..10) => Cell::text("< 10"),
                Some(megabytes) => Cell::Count(megabytes),
            },
            Cell::text(format!("{proven} of {solved}")),
            Cell::count(last.map(u64::from)),
            seconds.map_or(Cell::Nothing, Cell::Seconds),
            beside.map_or(Cell::Nothing, Cell::Seconds),
            times(seconds, beside),
            nodes.map_or(Cell::Nothing, |nodes| Cell::Count(nodes.round() as u64)),
            times(nodes, beside_nodes),
        ]);
    }
    table
}

/// A row for each engine and length.
fn by_length(measured: &[Measured]) -> Table {
    let mut table = Table::headed(
        "By length: means over the positions solved",
        "engine | length | solved | found | proven | nodes | probes | seconds | times ours",
    );
    let ours = measured.iter().find(|engine| engine.engine.starts_with(OURS));
    for engine in measured {
        for length in lengths(engine) {
            let runs: Vec<&Run> = engine.runs.iter().filter(|run| run.length == length).collect();
            let solved: Vec<&Run> = runs.iter().copied().filter(|run| run.found.is_some()).collect();
            let mean_of = |value: fn(&Run) -> f64| {
                (!solved.is_empty()).then(|| solved.iter().map(|run| value(run)).sum::<f64>() / solved.len() as f64)
            };
            let seconds = mean_of(|run| run.seconds);
            let count = |value| mean_of(value).map_or(Cell::Nothing, |mean| Cell::Count(mean.round() as u64));
            let beside = ours.and_then(|ours| mean(ours, length, |run| run.seconds));
            table.row([
                Cell::text(&engine.engine),
                Cell::Count(length.into()),
                Cell::text(format!("{} of {}", solved.len(), runs.len())),
                mean_of(|run| run.found.unwrap_or(0).into()).map_or(Cell::Nothing, |found| Cell::Number(found, 1)),
                Cell::text(if solved.iter().all(|run| run.proven) && !solved.is_empty() { "yes" } else { "no" }),
                count(|run| run.nodes as f64),
                count(|run| run.probes as f64),
                seconds.map_or(Cell::Nothing, Cell::Seconds),
                match seconds.zip(beside) {
                    Some((seconds, ours)) if ours > 0.0 => Cell::Number(seconds / ours, 1),
                    _ => Cell::Nothing,
                },
            ]);
        }
    }
    table
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
        let (commit, machine) = ("abc".to_owned(), "a machine".to_owned());
        Measured {
            engine: name.to_owned(),
            memory: Some(50_000_000),
            limit: 10.0,
            commit,
            machine,
            runs: runs.collect(),
        }
    }

    #[test]
    fn engines_are_compared_where_both_solve_all() {
        let slow = engine("slow", &[(8, Some(1.0)), (8, Some(3.0)), (9, Some(50.0)), (9, None)]);
        let ours = engine("cosette", &[(8, Some(0.5)), (8, Some(0.5)), (9, Some(1.0)), (9, Some(1.0))]);
        let shown = experiment(&[slow, ours]);
        let row = &shown.tables[0].rows[0];
        assert_eq!(row[3], Cell::Count(8));
        assert_eq!(row[6], Cell::Number(4.0, 1));
        assert_eq!(shown.tables[1].rows[1][2], Cell::text("1 of 2"));
        assert_eq!(shown.plots[0].series[0].points, [(8.0, 2.0)]);
    }

    #[test]
    fn results_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("results/engines.jsonl");
        assert!(read(&path).expect("no file is no engine").is_empty());
        write(&path, &[engine("korf", &[(8, Some(1.0))])]).expect("it can be written");
        assert_eq!(read(&path).expect("it is one")[0].engine, "korf");
        fs::write(&path, "something else").expect("it can be written");
        assert!(matches!(read(&path), Err(LabError::NotCounts { .. })));
    }
}
