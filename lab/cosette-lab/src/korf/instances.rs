//! Korf's Table 2: the ten instances, their lengths and the nodes generated, within the available
//! time.
//!
//! The paper's ten are "100 random moves" from solved, no face turned twice running. A file has one
//! position per line, in any format that `cosette solve` reads; blank lines are skipped.
//!
//! The whole table needs 3.5·10¹² nodes, so it is a long search ([`crate::long_search`]).

use super::edges::SIX;
use super::{Korf, entries};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use crate::long_search::{self, IterationCounts, SearchPlan};
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::{Cube, Face, Metric, Move, ParseOptions, Turn, parse_position};
use cosette_app::batch::{Lines, ListError, ListLine};
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The positions of the request: those of its file, or ten random walks from its seed.
///
/// # Errors
/// Returns an error if the file cannot be read, is empty, or has a line that is not a position.
pub fn positions(request: &ExperimentOptions) -> Result<Vec<Cube>, LabError> {
    match &request.instances {
        Some(path) => read(path),
        None => Ok(walks(request.seed_or(SEED))
            .take(10)
            .map(|walk| Cube::from_moves(&walk))
            .collect()),
    }
}

/// The default seed of the walks.
const SEED: u64 = 1;

fn read(path: &Path) -> Result<Vec<Cube>, LabError> {
    let file = File::open(path).map_err(LabError::io("read", path))?;
    let position = |line: Result<ListLine, ListError>| {
        let line = line.map_err(|error| LabError::io("read", path)(error.into()))?;
        let input = line.read(|text| parse_position(text, None, &ParseOptions::default()));
        let invalid = |source| LabError::InvalidInstance {
            path: path.to_owned(),
            line: line.number,
            source,
        };
        input.map(|input| input.cube).map_err(invalid)
    };
    let positions: Vec<Cube> = Lines::new(BufReader::new(file))
        .map(position)
        .collect::<Result<_, LabError>>()?;
    if positions.is_empty() {
        Err(LabError::NoInstances {
            path: path.to_owned(),
        })
    } else {
        Ok(positions)
    }
}

/// Number of moves of a random walk.
const WALK: usize = 100;

/// Returns random moves, without the same face twice in a row.
pub(super) fn walks(seed: u64) -> impl Iterator<Item = Vec<Move>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut moves: Vec<Move> = Vec::with_capacity(WALK);
        while moves.len() < WALK {
            let face = Face::from_index(rng.random_range(0..6));
            let turn = Turn::ALL[rng.random_range(0..3)];
            if moves.last().is_none_or(|last| last.face() != face) {
                moves.push(Move::new(face, turn));
            }
        }
        moves
    })
}

/// Name of its stored results.
const NAME: &str = "korf-instances";

/// Reproduces Table 2, as far as the request allows: in a quick run from the stored results, or to
/// depth 14 if another search is requested.
pub fn instances(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let databases = databases();
    let positions = positions(request)?;
    let (last, storage) = match request.effort {
        RunSize::Quick => (14, DistanceStorage::FourBits),
        RunSize::Full => (
            20,
            DistanceStorage::for_long_search(Metric::Htm, entries(&SIX)),
        ),
    };
    let plan = SearchPlan {
        name: &databases,
        positions: &positions,
        metric: Metric::Htm,
        limits: IdaLimits {
            last: Some(last),
            ..IdaLimits::default()
        },
    };
    let korf = || Korf::with_storage(lab, &SIX, storage);
    let results = long_search::results(lab, request, NAME, &plan, korf)?;
    let origin = match &request.instances {
        Some(path) => format!("from {}", path.display()),
        None if results.are_of(&positions).is_err() => "stored results".to_owned(),
        None => format!(
            "random walks of 100 moves from seed {}, no face twice in a row",
            request.seed_or(SEED)
        ),
    };
    let positions: Vec<Vec<IterationCounts>> = (1..=results.positions())
        .map(|number| results.iterations(number))
        .collect();
    let thresholds = (1..=20).filter_map(|threshold| iteration_mean(&positions, threshold));
    let record = json!({
        "positions": origin,
        "are_the_papers": are_korfs(&results),
        "databases": databases,
        "thresholds": thresholds.collect::<Vec<_>>(),
        "instances": (1..).zip(&positions).map(instance).collect::<Vec<_>>(),
    });
    Ok(Record::of_results(&results, &record))
}

/// Returns the complete iterations of one position, and its length if it is proven.
fn instance((number, iterations): (usize, &Vec<IterationCounts>)) -> Value {
    let (nodes, seconds) = long_search::total(iterations);
    let last = iterations.last();
    let solved = last.filter(|counts| counts.solutions > 0);
    let length = solved.map(|counts| counts.threshold);
    let ruled_out = last.map_or(0, |counts| counts.threshold + 1);
    json!({
        "number": number,
        "length": length,
        "lower_bound": length.unwrap_or(ruled_out),
        "nodes": nodes,
        "seconds": seconds,
        "iterations": iterations,
    })
}

/// Returns the names of the databases used for the instances.
fn databases() -> String {
    SIX.iter()
        .fold("corners".to_owned(), |name, set| format!("{name} + {set}"))
}

/// Returns `true` if results are of the paper's ten positions, which are recognized by a checksum.
pub fn are_korfs(results: &StoredResults) -> bool {
    results.value("positions", 1) == Some("0e02c615e1ca20ff".to_owned())
}

/// Returns the mean nodes of the complete iterations of one threshold: their growth over the
/// positions that have the threshold before too, and the sums of all thresholds up to this one,
/// minimum, mean and maximum. `None` if no position has one.
fn iteration_mean(positions: &[Vec<IterationCounts>], threshold: u8) -> Option<Value> {
    let nodes_at = |iterations: &[IterationCounts], threshold: u8| {
        let is_complete = |of: &&IterationCounts| of.threshold == threshold && of.solutions == 0;
        iterations
            .iter()
            .find(is_complete)
            .map(|of| of.nodes as f64)
    };
    let mut nodes = Vec::new();
    let mut both = [Vec::new(), Vec::new()];
    let mut so_far = Vec::new();
    for iterations in positions {
        let Some(at) = nodes_at(iterations, threshold) else {
            continue;
        };
        nodes.push(at);
        if let Some(before) = nodes_at(iterations, threshold - 1) {
            both[0].push(before);
            both[1].push(at);
        }
        let sum = iterations.iter().filter(|of| of.threshold <= threshold);
        so_far.push(sum.map(|of| of.nodes as f64).sum::<f64>());
    }
    let least = so_far.iter().copied().reduce(f64::min)?;
    let most = so_far.iter().copied().reduce(f64::max)?;
    Some(json!({
        "threshold": threshold,
        "positions": nodes.len(),
        "nodes": mean(&nodes),
        "growth": mean(&both[1]) / mean(&both[0]),
        "so_far": [least, mean(&so_far), most],
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_turn_no_face_twice_running_and_depend_on_the_seed_alone() {
        let first = |seed| walks(seed).next().expect("they have no end");
        assert_eq!(first(5).len(), WALK);
        assert!(
            first(5)
                .windows(2)
                .all(|pair| pair[0].face() != pair[1].face())
        );
        assert_eq!(first(5), first(5));
        assert_ne!(first(5), first(6));
    }
}
