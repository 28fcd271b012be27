//! All engines on the same positions: nodes, probes, processor time, memory, and the longest solved
//! length of each.
//!
//! ```text
//! for each engine
//!     for length = 8, …, 18, until it solves no position of a length in time
//!         solve some positions of that length, with one thread
//! ```

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::fiat::Fiat;
use crate::kociemba::Kociemba;
use crate::korf::{Korf, SEVEN, SIX};
use crate::lab::{Lab, memory_from_now_on, peak_memory, processor_time_of_process};
use crate::lee::heuristic::{PartialBound, PartialProblem, opposite_faces};
use crate::lee::search::{AstarSettings, Lee};
use crate::lee::states::BackwardSpace;
use crate::long_search::IdaSolver;
use crate::main_engine;
use crate::record::Record;
use crate::reid::Reid;
use crate::stored_results::StoredResults;
use crate::thistlethwaite::Thistlethwaite;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric};
use cosette::search::Options;
use cosette_app::engine::Engine;
use serde_json::{Value, json};
use std::fmt::Display;
use std::time::Duration;

/// Name of its stored results.
const NAME: &str = "engines";
/// The lengths of the positions.
const LENGTHS: std::ops::RangeInclusive<u8> = 8..=18;

/// The figures of one engine for the positions of one length, in the order of a stored result: the
/// numbers of positions asked, solved and proven; and the means over the solved ones of the length
/// of the solution found, proven or the best, of nodes and probes, and of seconds of processor
/// time.
const FIGURES: [&str; 7] = [
    "asked", "solved", "proven", "found", "nodes", "probes", "seconds",
];

/// A function that opens an engine.
type OpenContestant = fn(&Lab<'_>) -> Result<Box<dyn Engine>, LabError>;

/// The engines by their displayed names, the slowest first; ours is the last.
const CONTESTANTS: [(&str, OpenContestant); 8] = [
    ("thistlethwaite", |_| Ok(Box::new(Thistlethwaite::get()))),
    ("two-phase", |_| {
        Ok(Box::new(Kociemba {
            target: 0,
            time: Some(Duration::from_secs(1)),
        }))
    }),
    ("fiat", |_| Ok(Box::new(Fiat::new(Metric::Htm)))),
    ("lee", |lab| {
        let bound = PartialBound::Informed(5);
        Ok(Box::new(Lee {
            perimeter: Box::new(BackwardSpace::perimeter(7, lab)?),
            problems: PartialProblem::all(&opposite_faces(), 7, bound, lab)?,
            bound,
            settings: AstarSettings::default(),
            on_bounds: None,
        }))
    }),
    ("korf 8+6+6", |lab| {
        Ok(Box::new(IdaSolver::new(Korf::new(lab, &SIX)?, None)))
    }),
    ("korf 8+7+7", |lab| {
        Ok(Box::new(IdaSolver::new(Korf::new(lab, &SEVEN)?, None)))
    }),
    ("reid", |lab| {
        Ok(Box::new(IdaSolver::new(Reid::new(lab, Metric::Htm)?, None)))
    }),
    (OURS, |lab| Ok(Box::new(main_engine::solver(lab)?))),
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
pub fn engines(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    if let Some(kept) = StoredResults::shown(request, NAME)? {
        return Ok(record(&kept));
    }
    let (count, seconds) = size(request.effort);
    let limit = request.time.unwrap_or(Duration::from_secs(seconds));
    let kept = StoredResults::begin(request, NAME)?;
    let positions = positions(lab, count, request.seed_or(1))?;
    let cubes: Vec<Cube> = positions.iter().map(|&(_, position)| position).collect();
    kept.are_of(&cubes)?;
    let one = Lab {
        control: lab.control.clone().with_threads(ThreadCount::ONE),
        ..lab.clone()
    };
    for contestant in CONTESTANTS {
        if kept.get(contestant.0).is_none() {
            measure(&one, contestant, &positions, limit, &kept)?;
        }
    }
    Ok(record(&kept))
}

fn record(kept: &StoredResults) -> Record {
    Record::of_results(kept, &json!({"engines": read(kept)}))
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
    (name, open): (&str, OpenContestant),
    positions: &[(u8, Cube)],
    limit: Duration,
    kept: &StoredResults,
) -> Result<(), LabError> {
    // Memory used to generate its tables is not counted.
    drop(open(lab)?);
    let before = memory_from_now_on();
    let engine = open(lab)?;
    for of_length in positions.chunk_by(|a, b| a.0 == b.0) {
        let length = of_length[0].0;
        lab.step(
            &format!("{name}, length {length}"),
            (length - LENGTHS.start()).into(),
            LENGTHS.count() as u64,
        );
        let figures = solve_all(lab, &*engine, of_length, limit)?;
        kept.add(
            &format!("{name}, {length}"),
            &figures.each_ref().map(|figure| figure as &dyn Display),
        )?;
        if figures[1] == 0.0 {
            break;
        }
    }
    let memory = peak_memory()
        .zip(before)
        .map(|(peak, before)| peak.saturating_sub(before));
    let memory = memory.map_or("-".to_owned(), |bytes| bytes.to_string());
    let tables = match name {
        OURS => engine.tables(),
        _ => "-".to_owned(),
    };
    kept.add(name, &[&memory, &limit.as_secs_f64(), &tables])
}

/// Lets an engine solve positions of one length, and returns its figures.
fn solve_all(
    lab: &Lab<'_>,
    engine: &dyn Engine,
    positions: &[(u8, Cube)],
    limit: Duration,
) -> Result<[f64; FIGURES.len()], LabError> {
    let mut solved = 0.0;
    let mut proven = 0.0;
    let mut sums = [0.0; 4];
    for (_, position) in positions {
        let control = lab.control.clone().with_timeout(limit);
        let before = processor_time_of_process();
        let report = engine.solve(position, &Options::default(), &|_| {}, &control.silent());
        let seconds = processor_time_of_process() - before;
        lab.check()?;
        let best = report.best_known.as_ref().filter(|_| !engine.is_optimal());
        let best = best.map(|moves| moves.len() as u8);
        proven += f64::from(u8::from(report.length().is_some()));
        if let Some(found) = report.length().or(best) {
            solved += 1.0;
            let [nodes, probes] = [report.nodes(), report.probes()].map(|count| count as f64);
            let figures = [f64::from(found), nodes, probes, seconds];
            sums = std::array::from_fn(|i| sums[i] + figures[i]);
        }
    }
    let [found, nodes, probes, seconds] = sums.map(|sum| sum / solved);
    let asked = positions.len() as f64;
    Ok([asked, solved, proven, found, nodes, probes, seconds])
}

/// Returns the engines whose runs are all stored.
fn read(kept: &StoredResults) -> Vec<Value> {
    let measured = CONTESTANTS.iter().filter_map(|&(name, _)| {
        let tables: String = kept.value(name, 2)?;
        let of_length = |length: u8| {
            let values = kept.get(&format!("{name}, {length}"))?;
            let mut run = json!({"length": length});
            for (figure, value) in FIGURES.into_iter().zip(values) {
                run[figure] = serde_json::from_str(&value).unwrap_or_default();
            }
            Some(run)
        };
        let engine = match name {
            OURS => format!("{OURS} {tables}"),
            name => name.to_owned(),
        };
        Some(json!({
            "engine": engine,
            // Memory growth of the process, in bytes, if the system reports it.
            "memory": kept.value::<u64>(name, 0),
            // Time limit for a position, in seconds.
            "limit": kept.number(name, 1)?,
            "runs": LENGTHS.filter_map(of_length).collect::<Vec<_>>(),
        }))
    });
    measured.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_engines_are_kept() {
        let engines = read(&StoredResults::of_program(NAME));
        assert_eq!(engines.len(), CONTESTANTS.len());
        let cosette = engines.last().expect("it is the last");
        let runs = cosette["runs"].as_array().expect("a list");
        assert!(runs.iter().all(|run| run["proven"] == run["asked"]));
    }
}
