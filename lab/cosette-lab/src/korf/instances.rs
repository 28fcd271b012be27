//! Korf's Table 2: the ten instances, their lengths and the nodes generated, as far as there is time.
//!
//! The paper's ten are "100 random moves" from solved, no face turned twice running. A file has one position per line,
//! in any format that `cosette solve` reads; blank lines are skipped.
//!
//! The whole table needs 3.5·10¹² nodes, so it is a long search ([`crate::long_search`]).

use super::Korf;
use super::edges::SIX;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request};
use crate::form::{FormTable, row};
use crate::kept::Kept;
use crate::lab::Lab;
use crate::long_search::{self, Plan, Results};
use cosette::cube::{Cube, Face, Metric, Move, ReadOptions, Turn, read_position};
use cosette::search::SolutionCount;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::Path;

/// The positions of the request: those of its file, or ten random walks from its seed.
///
/// # Errors
/// If the file cannot be read, is empty, or has a line that is not a position.
pub fn positions(request: &Request) -> Result<Vec<Cube>, LabError> {
    match &request.instances {
        Some(path) => read(path),
        None => Ok(walks(request.seed_or(SEED)).take(10).map(|walk| Cube::from_moves(&walk)).collect()),
    }
}

/// The seed of the walks, unless another is asked for.
const SEED: u64 = 1;

fn read(path: &Path) -> Result<Vec<Cube>, LabError> {
    let text = fs::read_to_string(path).map_err(LabError::io("read", path))?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let position = |(text, line): (&str, usize)| match read_position(text, None, &ReadOptions::default()) {
        Ok(input) => Ok(input.cube),
        Err(source) => Err(LabError::InvalidInstance { path: path.to_owned(), line, source }),
    };
    let positions: Vec<Cube> = lines.map(position).collect::<Result<_, LabError>>()?;
    if positions.is_empty() { Err(LabError::NoInstances { path: path.to_owned() }) } else { Ok(positions) }
}

/// How many moves a random walk has.
const WALK: usize = 100;

/// Random moves, no face twice running.
fn walks(seed: u64) -> impl Iterator<Item = Vec<Move>> {
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

/// Where its results are kept.
const NAME: &str = "korf-instances";

/// Table 2, as far as the request allows: in a quick run what is kept, or to depth 14 where another search is asked for.
///
/// # Errors
/// If the instances cannot be read, if the results cannot be used, if a table is unavailable, or on cancellation; complete
/// parts are in the journal.
pub fn instances(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let given = request.instances.as_ref().map(|path| read(path)).transpose()?;
    if let Some(results) = long_search::kept(request, NAME, given.as_deref())? {
        return Ok(experiment("kept results", &results));
    }
    let (databases, positions) = (databases(), positions(request)?);
    let plan = Plan {
        name: &databases,
        positions: &positions,
        metric: Metric::Htm,
        solution_count: SolutionCount::ONE,
        by_symmetry: false,
        max_length: if request.effort == Effort::Quick { 14 } else { 20 },
        max_nodes: request.max_nodes.unwrap_or(u64::MAX),
    };
    let korf = Korf::new(lab, &SIX)?;
    let results = long_search::run(lab, request, NAME, korf.databases(), &plan)?;
    let origin = match &request.instances {
        Some(path) => format!("from {}", path.display()),
        None => {
            format!("random walks of 100 moves from seed {}, no face twice running", request.seed_or(SEED))
        }
    };
    Ok(experiment(&origin, &results))
}

/// The databases that the instances are searched with, by name.
fn databases() -> String {
    SIX.iter().fold("corners".to_owned(), |name, set| format!("{name} + {set}"))
}

/// Korf 1997, Table 1 and text: how many times more nodes each depth has.
const BRANCHING: f64 = 13.34847;

/// The mean nodes of a complete iteration of this threshold, in the paper's text.
fn nodes_in_the_paper(threshold: u8) -> Option<f64> {
    [(16, 9.5e9), (17, 1.22e11)].into_iter().find(|(printed, _)| *printed == threshold).map(|(_, nodes)| nodes)
}

/// The lengths of the paper's ten instances, in its order.
const LENGTHS_IN_THE_PAPER: [u8; 10] = [16, 17, 17, 17, 18, 18, 18, 18, 18, 18];
/// The nodes that it generated for each, up to the first solution.
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
/// A checksum of the paper's ten positions, by which they are recognised.
pub const PAPERS_TEN: &str = "0e02c615e1ca20ff";

fn experiment(origin: &str, results: &Results) -> Experiment {
    let is_the_papers = results.are_of(PAPERS_TEN);
    let mut form = super::form("instances");
    form.say("count", results.count()).say("databases", databases());
    form.say(
        "origin",
        if is_the_papers { format!("{origin}; they are the ten of the paper") } else { origin.to_owned() },
    );
    form.say_kept(&results.0);
    by_threshold(form.table("thresholds"), results);
    by_instance(form.table("instances"), is_the_papers, results);
    form.experiment()
}

/// Kept results, and the mean nodes of their complete iterations by threshold.
pub type Measured = (Kept, Vec<(u8, f64)>);

/// The mean nodes of complete iterations by threshold, from the results that are kept, if there are some.
pub fn measured_means(request: &Request) -> Result<Option<Measured>, LabError> {
    let Some(results) = long_search::kept(request, NAME, None)? else { return Ok(None) };
    let mean = |threshold| {
        let nodes: Vec<f64> =
            (1..=results.count()).filter_map(|number| complete(&results, number, threshold)).collect();
        (nodes.len() == results.count()).then(|| (threshold, nodes.iter().sum::<f64>() / nodes.len() as f64))
    };
    let means = (10..=20).filter_map(mean).collect();
    Ok(Some((results.0, means)))
}

/// The nodes of an iteration that found no solution.
fn complete(results: &Results, number: usize, threshold: u8) -> Option<f64> {
    results.get(number, threshold).filter(|counts| counts.solutions == 0).map(|counts| counts.nodes as f64)
}

fn by_threshold(table: &mut FormTable, results: &Results) {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for threshold in 1..=20u8 {
        let all =
            (1..=results.count()).map(|number| [threshold - 1, threshold].map(|at| complete(results, number, at)));
        let all: Vec<[Option<f64>; 2]> = all.collect();
        let nodes: Vec<f64> = all.iter().filter_map(|[_, nodes]| *nodes).collect();
        let (before, after): (Vec<f64>, Vec<f64>) = all.iter().filter_map(|[before, nodes]| before.zip(*nodes)).unzip();
        if !nodes.is_empty() {
            let (printed, how_many) =
                (nodes_in_the_paper(threshold), format!("{} of {}", nodes.len(), results.count()));
            let (nodes, before, after) = (mean(&nodes), mean(&before), mean(&after));
            let ratio = printed.map(|printed| nodes / printed);
            table.row(row![threshold, how_many, nodes, BRANCHING * before, printed, ratio, after / before]);
        }
    }
}

fn by_instance(table: &mut FormTable, is_the_papers: bool, results: &Results) {
    for number in 1..=results.count() {
        let counts = results.of_position(number);
        let nodes: u64 = counts.iter().map(|counts| counts.nodes).sum();
        let seconds: f64 = counts.iter().map(|counts| counts.seconds).sum();
        let (last, is_solved) = (counts.last(), counts.last().is_some_and(|counts| counts.solutions > 0));
        let length = last.map(|counts| match counts.threshold {
            length if is_solved => Cell::Count(length.into()),
            ruled_out => Cell::text(format!("≥ {}", ruled_out + 1)),
        });
        let printed = is_the_papers.then(|| (LENGTHS_IN_THE_PAPER[number - 1], NODES_IN_THE_PAPER[number - 1]));
        table.row(row![
            number,
            printed.map(|(length, _)| length),
            length,
            printed.map(|(_, nodes)| nodes),
            nodes,
            printed.filter(|_| is_solved).map(|(_, printed)| nodes as f64 / printed as f64),
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
        assert!(first(5).windows(2).all(|pair| pair[0].face() != pair[1].face()));
        assert_eq!(first(5), first(5));
        assert_ne!(first(5), first(6));
    }
}
