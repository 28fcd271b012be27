//! All engines on the same positions: nodes, probes, processor time, memory, and the longest solved
//! length of each.
//!
//! ```text
//! for each engine
//!     for length = 8, …, 18, until it solves no position of a length in time
//!         solve some positions of that length, with one thread
//! ```

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, Plot, RunSize};
use crate::fiat::Fiat;
use crate::kociemba::Kociemba;
use crate::korf::{Korf, SEVEN, SIX};
use crate::lab::{Lab, memory_from_now_on, peak_memory, processor_time_of_process};
use crate::lee::backward::BackwardSpace;
use crate::lee::heuristic::{PartialBound, Partials};
use crate::lee::search::{AstarSettings, Lee};
use crate::main_engine;
use crate::reid::Reid;
use crate::stored_results::StoredResults;
use crate::template::{FormTable, PageTemplate, row};
use crate::thistlethwaite::Thistlethwaite;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric};
use cosette::search::Options;
use cosette_app::engine::Engine;
use std::fmt::Display;
use std::time::Duration;

/// Name of its stored results.
const NAME: &str = "engines";
/// The lengths of the positions.
const LENGTHS: std::ops::RangeInclusive<u8> = 8..=18;

/// Results of one engine for the positions of one length; means are over the solved positions.
#[derive(Clone, Copy, Debug)]
struct OfLength {
    length: u8,
    asked: usize,
    solved: usize,
    /// Number of solutions proven shortest.
    proven: usize,
    /// Length of the solution found: proven, or the best.
    found: f64,
    nodes: f64,
    probes: f64,
    /// Seconds of processor time.
    seconds: f64,
}

/// An engine and its runs.
#[derive(Clone, Debug)]
struct EngineRuns {
    engine: String,
    /// Memory growth of the process, in bytes, if the system reports it.
    memory: Option<u64>,
    /// Time limit for a position, in seconds.
    limit: f64,
    runs: Vec<OfLength>,
}

/// An engine of the comparison: its displayed name, and its constructor.
struct Contestant {
    name: &'static str,
    open: fn(&Lab<'_>) -> Result<Box<dyn Engine>, LabError>,
}

/// The engines, the slowest first; ours is the last.
const CONTESTANTS: [Contestant; 8] = [
    Contestant {
        name: "thistlethwaite",
        open: |_| Ok(Box::new(Thistlethwaite::get())),
    },
    Contestant {
        name: "two-phase",
        open: |_| {
            Ok(Box::new(Kociemba {
                target: 0,
                time: Some(Duration::from_secs(1)),
            }))
        },
    },
    Contestant {
        name: "fiat",
        open: |_| Ok(Box::new(Fiat::new(Metric::Htm))),
    },
    Contestant {
        name: "lee",
        open: |lab| {
            let bound = PartialBound::Informed(5);
            Ok(Box::new(Lee {
                perimeter: Box::new(BackwardSpace::perimeter(7, lab)?),
                partials: Partials::opposite_faces(7, bound, lab)?,
                bound,
                settings: AstarSettings::default(),
                on_bounds: None,
            }))
        },
    },
    Contestant {
        name: "korf 8+6+6",
        open: |lab| Ok(Box::new(Korf::new(lab, &SIX)?)),
    },
    Contestant {
        name: "korf 8+7+7",
        open: |lab| Ok(Box::new(Korf::new(lab, &SEVEN)?)),
    },
    Contestant {
        name: "reid",
        open: |lab| Ok(Box::new(Reid::new(lab, Metric::Htm)?)),
    },
    Contestant {
        name: OURS,
        open: |lab| Ok(Box::new(main_engine::solver(lab)?)),
    },
];

const OURS: &str = "cosette";

/// Returns the number of positions of each length, and the time limit of each engine for a
/// position, in seconds.
const fn size(effort: RunSize) -> (usize, u64) {
    match effort {
        RunSize::Quick => (3, 10),
        RunSize::Full => (5, 240),
    }
}

/// Returns the table of all engines: in a quick run the stored results, unless something else is
/// requested. A full run resumes the results in its folder, if it has one.
pub fn engines(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    if let Some(kept) = StoredResults::shown(request, NAME)? {
        return Ok(experiment(&kept, &read(&kept)));
    }
    let (count, seconds) = size(request.effort);
    let limit = request.time.unwrap_or(Duration::from_secs(seconds));
    let kept = StoredResults::begin(request, NAME)?;
    let positions = positions(lab, count, request.seed_or(1))?;
    kept.are_of(
        &positions
            .iter()
            .map(|(_, position)| *position)
            .collect::<Vec<_>>(),
    )?;
    let one = Lab {
        control: lab.control.clone().with_threads(ThreadCount::ONE),
        ..lab.clone()
    };
    for contestant in CONTESTANTS
        .iter()
        .filter(|contestant| kept.get(contestant.name).is_none())
    {
        measure(&one, contestant, &positions, limit, &kept)?;
    }
    Ok(experiment(&kept, &read(&kept)))
}

/// Returns positions of each length, from the seed.
fn positions(lab: &Lab<'_>, count: usize, seed: u64) -> Result<Vec<(u8, Cube)>, LabError> {
    let solver = main_engine::solver(lab)?;
    let mut positions = Vec::new();
    for length in LENGTHS {
        lab.step(
            "looking for positions",
            (length - LENGTHS.start()).into(),
            LENGTHS.count() as u64,
        );
        let found = main_engine::positions_of_length(length, count, seed, &solver, lab)?;
        positions.extend(found.into_iter().map(|position| (length, position)));
    }
    Ok(positions)
}

/// Opens an engine, lets it solve the positions until it solves none of a length in time, and
/// stores the results.
fn measure(
    lab: &Lab<'_>,
    Contestant { name, open }: &Contestant,
    positions: &[(u8, Cube)],
    limit: Duration,
    kept: &StoredResults,
) -> Result<(), LabError> {
    // Memory used to generate its tables is not counted.
    drop(open(lab)?);
    let before = memory_from_now_on();
    let engine = open(lab)?;
    let mut done = 0;
    for of_length in positions.chunk_by(|a, b| a.0 == b.0) {
        let mut solved = 0;
        let mut proven = 0;
        let mut sums = [0.0; 4];
        for (length, position) in of_length {
            lab.step(
                &format!("{name}, length {length}"),
                done,
                positions.len() as u64,
            );
            let control = lab.control.clone().with_timeout(limit);
            let before = processor_time_of_process();
            let report = engine.solve(position, &Options::default(), &|_| {}, &control.silent());
            let seconds = processor_time_of_process() - before;
            lab.check()?;
            let best = report
                .best_known
                .as_ref()
                .filter(|_| !engine.is_optimal())
                .map(|moves| moves.len() as u8);
            proven += usize::from(report.length().is_some());
            if let Some(found) = report.length().or(best) {
                solved += 1;
                let figures = [
                    f64::from(found),
                    report.nodes() as f64,
                    report.probes() as f64,
                    seconds,
                ];
                sums.iter_mut()
                    .zip(figures)
                    .for_each(|(sum, figure)| *sum += figure);
            }
            done += 1;
        }
        let [found, nodes, probes, seconds] = sums.map(|sum| sum / f64::from(solved));
        let values: [&dyn Display; 7] = [
            &of_length.len(),
            &solved,
            &proven,
            &found,
            &nodes,
            &probes,
            &seconds,
        ];
        kept.add(&format!("{name}, {}", of_length[0].0), &values)?;
        if solved == 0 {
            break;
        }
    }
    let memory = peak_memory()
        .zip(before)
        .map(|(peak, before)| peak.saturating_sub(before));
    let memory = memory.map_or("-".to_owned(), |bytes| bytes.to_string());
    let tables = if *name == OURS {
        engine.tables()
    } else {
        "-".to_owned()
    };
    kept.add(name, &[&memory, &limit.as_secs_f64(), &tables])
}

/// Returns the engines whose runs are all stored.
fn read(kept: &StoredResults) -> Vec<EngineRuns> {
    let measured = CONTESTANTS.iter().filter_map(|Contestant { name, .. }| {
        let tables: String = kept.value(name, 2)?;
        let of_length = |length: u8| {
            let key = format!("{name}, {length}");
            let count = |place| kept.value::<usize>(&key, place);
            let mean = |place| kept.number(&key, place).unwrap_or(f64::NAN);
            let asked = count(0)?;
            let solved = count(1)?;
            let proven = count(2)?;
            let [found, nodes, probes, seconds] = [3, 4, 5, 6].map(mean);
            Some(OfLength {
                length,
                asked,
                solved,
                proven,
                found,
                nodes,
                probes,
                seconds,
            })
        };
        Some(EngineRuns {
            engine: if *name == OURS {
                format!("{OURS} {tables}")
            } else {
                (*name).to_owned()
            },
            memory: kept.value(name, 0),
            limit: kept.number(name, 1)?,
            runs: LENGTHS.filter_map(of_length).collect(),
        })
    });
    measured.collect()
}

/// A mean in the plots and in comparisons.
type PlottedMean = fn(&OfLength) -> f64;
const SECONDS: PlottedMean = |of_length| of_length.seconds;
const NODES: PlottedMean = |of_length| of_length.nodes;

fn experiment(kept: &StoredResults, measured: &[EngineRuns]) -> Experiment {
    let limit = measured.first().map_or(0.0, |engine| engine.limit);
    let count = measured
        .first()
        .and_then(|engine| engine.runs.first())
        .map_or(0, |of_length| of_length.asked);
    let plot = |name, title: &str, y, mean: PlottedMean| {
        let plot = Plot::new(name, title, ["length of the position", y], [false, true]);
        measured
            .iter()
            .filter(|engine| engine.runs.iter().any(|run| run.proven > 0))
            .fold(plot, |plot, engine| {
                let proven = engine.runs.iter().filter(|run| run.proven == run.asked);
                plot.series(
                    engine.engine.clone(),
                    proven.map(|run| (run.length.into(), mean(run))),
                )
            })
    };
    let mut form = PageTemplate::read(include_str!("../pages/engines-experiments.md"), "all");
    form.say("count", count).say("limit", limit).say_kept(kept);
    summarize(form.table("summary"), measured);
    by_length(form.table("lengths"), measured);
    form.experiment().plots([
        plot(
            "engines-seconds",
            "Seconds to prove a shortest solution",
            "seconds",
            SECONDS,
        ),
        plot(
            "engines-nodes",
            "Nodes to prove a shortest solution",
            "nodes",
            NODES,
        ),
    ])
}

/// Returns a mean, that of our engine at this length if it solved all positions there, and the
/// ratio of the two.
fn beside_ours(
    measured: &[EngineRuns],
    run: Option<&OfLength>,
    mean: PlottedMean,
) -> [Option<f64>; 3] {
    let ours = measured
        .iter()
        .find(|engine| engine.engine.starts_with(OURS))
        .zip(run);
    let ours =
        ours.and_then(|(ours, run)| ours.runs.iter().find(|other| other.length == run.length));
    let ours = ours.filter(|ours| ours.solved == ours.asked).map(mean);
    let own = run.map(mean);
    [own, ours, own.zip(ours).map(|(own, ours)| own / ours)]
}

/// Adds the reach of each engine, and its comparison with ours at the longest length that both
/// solve.
fn summarize(table: &mut FormTable, measured: &[EngineRuns]) {
    for engine in measured {
        let last = engine.runs.iter().rfind(|run| run.solved == run.asked);
        let [seconds, of_ours, times] = beside_ours(measured, last, SECONDS);
        let [nodes, _, times_nodes] = beside_ours(measured, last, NODES);
        let memory = engine.memory.map(|bytes| match bytes / 1_000_000 {
            ..10 => Cell::text("< 10"),
            megabytes => Cell::Count(megabytes),
        });
        let sum = |count: fn(&OfLength) -> usize| engine.runs.iter().map(count).sum::<usize>();
        let proven = format!("{} of {}", sum(|run| run.proven), sum(|run| run.solved));
        let name = engine.engine.as_str();
        let last = last.map(|run| run.length);
        table.row(row![
            name,
            memory,
            proven,
            last,
            seconds,
            of_ours,
            times,
            nodes,
            times_nodes
        ]);
    }
}

/// Adds a row for each engine and length.
fn by_length(table: &mut FormTable, measured: &[EngineRuns]) {
    for (engine, run) in measured
        .iter()
        .flat_map(|engine| engine.runs.iter().map(move |run| (engine, run)))
    {
        let OfLength {
            length,
            asked,
            solved,
            proven,
            found,
            nodes,
            probes,
            ..
        } = *run;
        let is_proven = if solved > 0 && proven == solved {
            "yes"
        } else {
            "no"
        };
        let [seconds, _, times] = beside_ours(measured, Some(run), SECONDS);
        let solved = format!("{solved} of {asked}");
        table.row(row![
            engine.engine.as_str(),
            length,
            solved,
            found,
            is_proven,
            nodes,
            probes,
            seconds,
            times
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates an engine from the runs of each length: solved and proven out of two positions, and
    /// seconds.
    fn engine(name: &str, runs: &[(u8, usize, usize, f64)]) -> EngineRuns {
        let asked = 2;
        let nodes = 10.0;
        let probes = 20.0;
        let runs = runs.iter().map(|&(length, solved, proven, seconds)| {
            let found = length.into();
            OfLength {
                length,
                asked,
                solved,
                proven,
                found,
                nodes,
                probes,
                seconds,
            }
        });
        EngineRuns {
            engine: name.to_owned(),
            memory: Some(50_000_000),
            limit: 10.0,
            runs: runs.collect(),
        }
    }

    #[test]
    fn engines_are_compared_where_both_solve_all_and_plotted_where_all_is_proven() {
        let slow = engine("slow", &[(8, 2, 2, 2.0), (9, 1, 1, 50.0)]);
        let guessing = engine("guessing", &[(8, 2, 2, 1.0), (9, 2, 1, 1.0)]);
        let ours = engine("cosette", &[(8, 2, 2, 0.5), (9, 2, 2, 1.0)]);
        let shown = experiment(&StoredResults::default(), &[slow, guessing, ours]);
        let row = &shown.tables[0].rows[0];
        assert_eq!((&row[3], &row[6]), (&Cell::Count(8), &Cell::Number(4.0, 1)));
        assert_eq!(shown.tables[1].rows[1][2], Cell::text("1 of 2"));
        assert_eq!(shown.plots[0].series[0].points, [(8.0, 2.0)]);
        assert_eq!(shown.plots[0].series[1].points, [(8.0, 1.0)]);
    }

    #[test]
    fn all_engines_are_kept() {
        assert_eq!(
            read(&StoredResults::of_program(NAME)).len(),
            CONTESTANTS.len()
        );
    }
}
