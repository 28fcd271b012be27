//! All engines on the same positions: nodes, probes, processor time, memory, and how far each gets.
//!
//! ```text
//! for each engine
//!     for length = 8, …, 18, until it solves no position of a length in time
//!         solve some positions of that length, with one thread
//! ```

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Origin, Plot, Request, Table};
use crate::fast;
use crate::fiat::Fiat;
use crate::kociemba::Kociemba;
use crate::korf::{Korf, SEVEN, SIX};
use crate::lab::{Lab, memory_from_now_on, peak_memory, processor_time_of_process};
use crate::lee::engine::Lee;
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::perimeter::Perimeter;
use crate::lee::search::AstarSettings;
use crate::reid::Reid;
use crate::thistlethwaite::Thistlethwaite;
use cosette::cube::{Cube, Metric};
use cosette::search::Options;
use cosette::{Control, ThreadCount};
use cosette_app::engine::Engine;
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
            let forward = Some(ForwardDepth::of(5));
            Ok(Box::new(Lee::new(Perimeter::new(7, lab)?, 7, forward, AstarSettings::default(), lab)?))
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

/// The table of all engines: in a quick run what the folder of results has, if it has something.
pub fn engines(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let path = request.results.as_ref().map(|folder| folder.join(format!("{NAME}.jsonl")));
    let kept = path.as_deref().map_or(Ok(Vec::new()), read)?;
    if request.effort == Effort::Quick && !kept.is_empty() {
        return Ok(experiment(&kept));
    }
    let (count, seconds) = size(request.effort);
    let limit = request.time.unwrap_or(Duration::from_secs(seconds));
    let positions = positions(lab, count, request.seed_or(1))?;
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
    let plot = |name, title: &str, y, value: fn(&Means) -> f64| {
        let plot = Plot::new(name, title, ["length of the position", y], [false, true]);
        measured.iter().filter(|engine| engine.runs.iter().any(|run| run.proven)).fold(plot, |plot, engine| {
            let proven = |length| Means::of(&engine.all_of_length(length, |run| run.proven));
            let points = LENGTHS.filter_map(|length| Some((length.into(), value(&proven(length)?))));
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
            plot("engines-seconds", "Seconds to prove a shortest solution", "seconds", |mean| mean.seconds),
            plot("engines-nodes", "Nodes to prove a shortest solution", "nodes", |mean| mean.nodes),
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

impl Run {
    fn is_solved(&self) -> bool {
        self.found.is_some()
    }
}

/// The means of some runs that found a solution.
struct Means {
    found: f64,
    nodes: f64,
    probes: f64,
    seconds: f64,
}

impl Means {
    /// Those of these runs; nothing if there is none.
    fn of(runs: &[&Run]) -> Option<Means> {
        let mean = |value: fn(&Run) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
        (!runs.is_empty()).then(|| Means {
            found: mean(|run| run.found.unwrap_or(0).into()),
            nodes: mean(|run| run.nodes as f64),
            probes: mean(|run| run.probes as f64),
            seconds: mean(|run| run.seconds),
        })
    }
}

/// A cell that shows something of means, if there are some.
fn cell(means: &Option<Means>, show: impl Fn(&Means) -> Cell) -> Cell {
    means.as_ref().map_or(Cell::Nothing, show)
}

/// How many times ours.
fn times(own: &Option<Means>, ours: &Option<Means>, value: fn(&Means) -> f64) -> Cell {
    match own.as_ref().map(value).zip(ours.as_ref().map(value)) {
        Some((own, ours)) if ours > 0.0 => Cell::Number(own / ours, 1),
        _ => Cell::Nothing,
    }
}

/// The means of our engine at a length of which it solved all positions.
fn ours(measured: &[Measured], length: u8) -> Option<Means> {
    let ours = measured.iter().find(|engine| engine.engine.starts_with(OURS))?;
    Means::of(&ours.all_of_length(length, Run::is_solved))
}

/// How far each engine gets, and beside ours at the longest length that both solve.
fn summary(measured: &[Measured]) -> Table {
    let mut table = Table::headed(
        "How far each gets",
        "engine | memory, MB | proven | solves all up to | seconds there | ours there | times ours | nodes there | times ours",
    );
    for engine in measured {
        let last = LENGTHS.rev().find(|&length| !engine.all_of_length(length, Run::is_solved).is_empty());
        let there = last.and_then(|length| Means::of(&engine.of_length(length)));
        let ours = last.and_then(|length| ours(measured, length));
        let [solved, proven] = [Run::is_solved as fn(&Run) -> bool, |run| run.proven]
            .map(|is_so| engine.runs.iter().filter(|run| is_so(run)).count());
        table.row([
            Cell::text(&engine.engine),
            match engine.memory.map(|bytes| bytes / 1_000_000) {
                None => Cell::Nothing,
                Some(..10) => Cell::text("< 10"),
                Some(megabytes) => Cell::Count(megabytes),
            },
            Cell::text(format!("{proven} of {solved}")),
            Cell::count(last.map(u64::from)),
            cell(&there, |mean| Cell::Seconds(mean.seconds)),
            cell(&ours, |mean| Cell::Seconds(mean.seconds)),
            times(&there, &ours, |mean| mean.seconds),
            cell(&there, |mean| Cell::Count(mean.nodes.round() as u64)),
            times(&there, &ours, |mean| mean.nodes),
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
    for engine in measured {
        for length in LENGTHS {
            let runs = engine.of_length(length);
            if runs.is_empty() {
                continue;
            }
            let solved: Vec<&Run> = runs.iter().copied().filter(|run| run.is_solved()).collect();
            let is_proven = !solved.is_empty() && solved.iter().all(|run| run.proven);
            let means = Means::of(&solved);
            table.row([
                Cell::text(&engine.engine),
                Cell::Count(length.into()),
                Cell::text(format!("{} of {}", solved.len(), runs.len())),
                cell(&means, |mean| Cell::Number(mean.found, 1)),
                Cell::text(if is_proven { "yes" } else { "no" }),
                cell(&means, |mean| Cell::Count(mean.nodes.round() as u64)),
                cell(&means, |mean| Cell::Count(mean.probes.round() as u64)),
                cell(&means, |mean| Cell::Seconds(mean.seconds)),
                times(&means, &ours(measured, length), |mean| mean.seconds),
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
    fn plots_show_lengths_at_which_all_is_proven() {
        let mut guessing = engine("guessing", &[(8, Some(1.0)), (9, Some(1.0))]);
        guessing.runs[1].proven = false;
        assert_eq!(experiment(&[guessing]).plots[0].series[0].points, [(8.0, 1.0)]);
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
