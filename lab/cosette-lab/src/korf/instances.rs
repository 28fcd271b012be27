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
use crate::lab::Lab;
use crate::long_search::{self, IterationCounts, LongSearchResults, SearchPlan};
use crate::record::Record;
use cosette::cube::{Cube, Face, Metric, Move, ParseOptions, Turn, parse_position};
use cosette::search::SolutionCount;
use cosette_app::batch::{Lines, ListError, ListLine};
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::collections::BTreeMap;
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

/// The figures of `cosette-lab korf instances`.
#[derive(Serialize)]
struct InstancesRecord {
    /// The origin of the positions.
    positions: String,
    are_the_papers: bool,
    databases: String,
    thresholds: Vec<IterationMean>,
    instances: Vec<InstanceFigures>,
}

/// The complete iterations of one position.
#[derive(Serialize)]
struct InstanceFigures {
    number: usize,
    /// The length of its shortest solutions, if it is proven.
    length: Option<u8>,
    /// No solution is shorter.
    lower_bound: u8,
    nodes: u64,
    seconds: f64,
    iterations: Vec<IterationCounts>,
}

/// Reproduces Table 2, as far as the request allows: in a quick run from the stored results, or to
/// depth 14 if another search is requested.
pub fn instances(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let given = request
        .instances
        .as_ref()
        .map(|path| read(path))
        .transpose()?;
    if let Some(results) = long_search::kept(request, NAME, given.as_deref())? {
        return Ok(record("stored results", &results));
    }
    let databases = databases();
    let positions = positions(request)?;
    let plan = SearchPlan {
        name: &databases,
        positions: &positions,
        metric: Metric::Htm,
        solution_count: SolutionCount::ONE,
        by_symmetry: false,
        max_length: if request.effort == RunSize::Quick {
            14
        } else {
            20
        },
        max_nodes: request.max_nodes.unwrap_or(u64::MAX),
    };
    let storage = match request.effort {
        RunSize::Quick => DistanceStorage::FourBits,
        RunSize::Full => DistanceStorage::for_long_search(Metric::Htm, entries(&SIX)),
    };
    let korf = Korf::with_storage(lab, &SIX, storage)?;
    let results = long_search::run(lab, request, NAME, &korf, &plan)?;
    let origin = match &request.instances {
        Some(path) => format!("from {}", path.display()),
        None => {
            format!(
                "random walks of 100 moves from seed {}, no face twice in a row",
                request.seed_or(SEED)
            )
        }
    };
    Ok(record(&origin, &results))
}

fn record(origin: &str, results: &LongSearchResults) -> Record {
    let record = InstancesRecord {
        positions: origin.to_owned(),
        are_the_papers: results.are_of(PAPERS_TEN),
        databases: databases(),
        thresholds: IterationMean::all(results),
        instances: (1..=results.count())
            .map(|number| instance(number, results.of_position(number)))
            .collect(),
    };
    Record::of_results(&results.0, &record)
}

fn instance(number: usize, iterations: Vec<IterationCounts>) -> InstanceFigures {
    let (nodes, seconds) = long_search::total(&iterations);
    let last = iterations.last();
    let solved = last.filter(|counts| counts.solutions > 0);
    let length = solved.map(|counts| counts.threshold);
    let ruled_out = last.map_or(0, |counts| counts.threshold + 1);
    InstanceFigures {
        number,
        length,
        lower_bound: length.unwrap_or(ruled_out),
        nodes,
        seconds,
        iterations,
    }
}

/// Returns the names of the databases used for the instances.
fn databases() -> String {
    SIX.iter()
        .fold("corners".to_owned(), |name, set| format!("{name} + {set}"))
}

/// A checksum of the paper's ten positions, by which they are recognized.
pub const PAPERS_TEN: &str = "0e02c615e1ca20ff";

/// The nodes of complete iterations of one threshold.
#[derive(Serialize)]
struct IterationMean {
    /// The length of the solutions that were searched.
    threshold: u8,
    /// Number of positions with a complete iteration.
    positions: usize,
    /// Their mean nodes.
    nodes: f64,
    /// Ratio to the nodes of the threshold before, over the positions that have both.
    growth: f64,
    /// Total nodes of all thresholds up to this one: minimum, mean and maximum.
    so_far: [f64; 3],
}

/// Nodes of the complete iterations of one position, by threshold.
type CompleteNodes = BTreeMap<u8, f64>;

impl IterationMean {
    /// Returns the means by increasing threshold.
    fn all(results: &LongSearchResults) -> Vec<IterationMean> {
        let complete = |number| -> CompleteNodes {
            let iterations = results.of_position(number).into_iter();
            iterations
                .filter(|counts| counts.solutions == 0)
                .map(|counts| (counts.threshold, counts.nodes as f64))
                .collect()
        };
        let positions: Vec<CompleteNodes> = (1..=results.count()).map(complete).collect();
        (1..=20)
            .filter_map(|threshold| IterationMean::of(&positions, threshold))
            .collect()
    }

    fn of(positions: &[CompleteNodes], threshold: u8) -> Option<IterationMean> {
        let complete = positions
            .iter()
            .filter_map(|nodes| Some((nodes, *nodes.get(&threshold)?)));
        let (positions, nodes): (Vec<&CompleteNodes>, Vec<f64>) = complete.unzip();
        let both = positions
            .iter()
            .filter_map(|nodes| Some((nodes.get(&(threshold - 1))?, nodes[&threshold])));
        let (before, after): (Vec<f64>, Vec<f64>) = both.unzip();
        let so_far: Vec<f64> = positions
            .iter()
            .map(|nodes| nodes.range(..=threshold).map(|(_, nodes)| nodes).sum())
            .collect();
        let least = so_far.iter().copied().reduce(f64::min)?;
        let most = so_far.iter().copied().reduce(f64::max)?;
        Some(IterationMean {
            threshold,
            positions: nodes.len(),
            nodes: mean(&nodes),
            growth: mean(&after) / mean(&before),
            so_far: [least, mean(&so_far), most],
        })
    }
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
