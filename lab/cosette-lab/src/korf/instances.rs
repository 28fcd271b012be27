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
use crate::experiment::{Cell, Experiment, ExperimentOptions, RunSize};
use crate::lab::Lab;
use crate::long_search::{self, LongSearchResults, SearchPlan};
use crate::stored_results::StoredResults;
use crate::template::{FormTable, row};
use cosette::cube::{Cube, Face, Metric, Move, ParseOptions, Turn, parse_position};
use cosette::search::SolutionCount;
use cosette_app::batch::{Lines, ListError, ListLine};
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
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
pub fn instances(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let given = request
        .instances
        .as_ref()
        .map(|path| read(path))
        .transpose()?;
    if let Some(results) = long_search::kept(request, NAME, given.as_deref())? {
        return Ok(experiment("kept results", &results));
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
                "random walks of 100 moves from seed {}, no face twice running",
                request.seed_or(SEED)
            )
        }
    };
    Ok(experiment(&origin, &results))
}

/// Returns the names of the databases used for the instances.
fn databases() -> String {
    SIX.iter()
        .fold("corners".to_owned(), |name, set| format!("{name} + {set}"))
}

/// The mean nodes of a complete search to this threshold, in the paper's text.
fn nodes_in_the_paper(threshold: u8) -> Option<f64> {
    [(16, 9.5e9), (17, 1.22e11)]
        .into_iter()
        .find(|(printed, _)| *printed == threshold)
        .map(|(_, nodes)| nodes)
}

/// The lengths of the paper's ten instances, in its order.
const LENGTHS_IN_THE_PAPER: [u8; 10] = [16, 17, 17, 17, 18, 18, 18, 18, 18, 18];
/// Number of nodes generated by the paper's program for each, up to the first solution.
pub const NODES_IN_THE_PAPER: [u64; 10] = [
    3_720_885_493,
    11_485_155_726,
    64_837_508_623,
    126_005_368_381,
    262_228_269_081,
    344_770_394_346,
    502_417_601_953,
    562_494_969_937,
    626_785_460_346,
    1_021_814_815_051,
];
/// A checksum of the paper's ten positions, by which they are recognized.
pub const PAPERS_TEN: &str = "0e02c615e1ca20ff";

fn experiment(origin: &str, results: &LongSearchResults) -> Experiment {
    let is_the_papers = results.are_of(PAPERS_TEN);
    let mut form = super::form("instances");
    form.say("count", results.count())
        .say("databases", databases());
    form.say(
        "origin",
        if is_the_papers {
            format!("{origin}; they are the ten of the paper")
        } else {
            origin.to_owned()
        },
    );
    form.say_kept(&results.0);
    by_threshold(form.table("thresholds"), results);
    by_instance(form.table("instances"), is_the_papers, results);
    form.experiment()
}

/// Stored results, and the means of their complete iterations.
pub type IterationMeans = (StoredResults, Vec<IterationMean>);

/// The nodes of complete iterations of one threshold.
pub struct IterationMean {
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Number of positions with a complete iteration.
    pub positions: usize,
    /// Their mean nodes.
    pub nodes: f64,
    /// Ratio to the nodes of the threshold before, over the positions that have both.
    pub growth: f64,
    /// Total nodes of all thresholds up to this one: minimum, mean and maximum.
    pub so_far: [f64; 3],
}

impl IterationMean {
    /// Returns the means by increasing threshold.
    fn all(results: &LongSearchResults) -> Vec<IterationMean> {
        let of = |threshold: u8| {
            let has_it = |number: &usize| complete(results, *number, threshold).is_some();
            let complete = |number, threshold| complete(results, number, threshold);
            let positions: Vec<usize> = (1..=results.count()).filter(has_it).collect();
            let nodes: Vec<f64> = positions
                .iter()
                .filter_map(|&number| complete(number, threshold))
                .collect();
            let both = positions.iter().filter_map(|&number| {
                complete(number, threshold - 1).zip(complete(number, threshold))
            });
            let (before, after): (Vec<f64>, Vec<f64>) = both.unzip();
            let sum = |number: usize| {
                (1..=threshold)
                    .filter_map(|threshold| complete(number, threshold))
                    .sum::<f64>()
            };
            let sums: Vec<f64> = positions.iter().map(|&number| sum(number)).collect();
            let [least, most] = [f64::min, f64::max].map(|of| sums.iter().copied().reduce(of));
            let so_far = [least?, mean(&sums), most?];
            Some(IterationMean {
                threshold,
                positions: nodes.len(),
                nodes: mean(&nodes),
                growth: mean(&after) / mean(&before),
                so_far,
            })
        };
        (1..=20).filter_map(of).collect()
    }
}

/// Returns the means of complete iterations in the stored results, if there are any.
pub fn measured_means(request: &ExperimentOptions) -> Result<Option<IterationMeans>, LabError> {
    let results = long_search::kept(request, NAME, None)?;
    Ok(results
        .map(|results| (IterationMean::all(&results), results.0))
        .map(|(means, kept)| (kept, means)))
}

/// Returns the nodes of an iteration that found no solution.
fn complete(results: &LongSearchResults, number: usize, threshold: u8) -> Option<f64> {
    results
        .get(number, threshold)
        .filter(|counts| counts.solutions == 0)
        .map(|counts| counts.nodes as f64)
}

fn by_threshold(table: &mut FormTable, results: &LongSearchResults) {
    for IterationMean {
        threshold,
        positions,
        nodes,
        growth,
        so_far: [least, mean, most],
    } in IterationMean::all(results)
    {
        let printed = nodes_in_the_paper(threshold);
        let how_many = format!("{positions} of {}", results.count());
        let ratio = printed.map(|printed| mean / printed);
        table.row(row![
            threshold, how_many, nodes, growth, least, mean, most, printed, ratio
        ]);
    }
}

fn by_instance(table: &mut FormTable, is_the_papers: bool, results: &LongSearchResults) {
    for number in 1..=results.count() {
        let counts = results.of_position(number);
        let (nodes, seconds) = long_search::total(&counts);
        let last = counts.last();
        let is_solved = counts.last().is_some_and(|counts| counts.solutions > 0);
        let length = last.map(|counts| match counts.threshold {
            length if is_solved => Cell::Count(length.into()),
            ruled_out => Cell::text(format!("≥ {}", ruled_out + 1)),
        });
        let printed = is_the_papers.then(|| {
            (
                LENGTHS_IN_THE_PAPER[number - 1],
                NODES_IN_THE_PAPER[number - 1],
            )
        });
        table.row(row![
            number,
            printed.map(|(length, _)| length),
            length,
            printed.map(|(_, nodes)| nodes),
            nodes,
            printed
                .filter(|_| is_solved)
                .map(|(_, printed)| nodes as f64 / printed as f64),
            seconds,
            nodes as f64 / seconds / 1e6,
            last.map(|counts| counts.commit.as_str()),
        ]);
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
