//! Korf's Table 2: the ten instances, their lengths and the nodes generated, as far as there is time.
//!
//! The paper's ten are "100 random moves" from solved, no face turned twice running. A file has one position per line,
//! in any format that `cosette solve` reads; blank lines are skipped.
//!
//! The whole table needs 3.5·10¹² nodes, so it is a long search ([`crate::long_search`]).

use super::Korf;
use super::edges::SIX;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::kept::Kept;
use crate::lab::Lab;
use crate::long_search::{self, IterationCounts, Plan, Results};
use cosette::cube::{Cube, Face, Metric, Move, ReadOptions, Turn, read_position};
use cosette::search::SolutionCount;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// Where instances come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instances {
    /// A file with a position a line.
    File(PathBuf),
    /// Random walks of 100 moves, the same for the same seed.
    Walks {
        /// How many.
        count: usize,
        /// The seed.
        seed: u64,
    },
}

/// How many moves a random walk has.
pub const WALK: usize = 100;

impl Instances {
    /// The positions.
    ///
    /// # Errors
    /// If the file cannot be read, is empty, or has a line that is not a position.
    pub fn positions(&self) -> Result<Vec<Cube>, LabError> {
        match self {
            Instances::File(path) => read(path),
            Instances::Walks { count, seed } => {
                let mut rng = ChaCha8Rng::seed_from_u64(*seed);
                Ok((0..*count).map(|_| Cube::from_moves(&walk(&mut rng))).collect())
            }
        }
    }
}

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

/// Random moves, no face twice running.
fn walk(rng: &mut ChaCha8Rng) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::with_capacity(WALK);
    while moves.len() < WALK {
        let face = Face::from_index(rng.random_range(0..6));
        let turn = Turn::ALL[rng.random_range(0..3)];
        if moves.last().is_none_or(|last| last.face() != face) {
            moves.push(Move::new(face, turn));
        }
    }
    moves
}

/// Where its results are kept.
const NAME: &str = "korf-instances";

impl Instances {
    /// Those of the request: a file, or ten random walks from its seed.
    pub fn of(request: &Request) -> Instances {
        match &request.instances {
            Some(path) => Instances::File(path.clone()),
            None => Instances::Walks { count: 10, seed: request.seed_or(1) },
        }
    }
}

/// Table 2, as far as the request allows: in a quick run what is kept, or to depth 14 where another search is asked for.
///
/// # Errors
/// If the instances cannot be read, if the results cannot be used, if a table is unavailable, or on cancellation; complete
/// parts are in the journal.
pub fn instances(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let instances = Instances::of(request);
    let given = request.instances.as_ref().map(|_| instances.positions()).transpose()?;
    if let Some(results) = long_search::kept(request, NAME, given.as_deref())? {
        return Ok(experiment("kept results", &results));
    }
    let positions = given.map_or_else(|| instances.positions(), Ok)?;
    let databases = databases();
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
    let origin = match &instances {
        Instances::File(path) => format!("from {}", path.display()),
        Instances::Walks { seed, .. } => format!("random walks of 100 moves from seed {seed}, no face twice running"),
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
    match threshold {
        16 => Some(9.5e9),
        17 => Some(1.22e11),
        _ => None,
    }
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
    Experiment::new("instances", "Ten random instances", "Korf 1997, Table 2")
        .text(format!(
            "Instances: {}, {origin}{}. IDA* with the maximum of the databases {}. All generated children count as nodes, \
             including those that are cut at once.",
            results.count(),
            if is_the_papers { "; they are the ten of the paper" } else { "" },
            databases(),
        ))
        .text(
            "The paper does not say in which order its moves were tried, so the counts of its last iterations, which \
             end at the first solution, cannot be reproduced exactly. Its whole table took 3.5·10¹² nodes; here an \
             iteration that was not searched to its end is not counted.",
        )
        .tables([by_threshold(results), by_instance(is_the_papers, results)])
}

/// The mean nodes of complete iterations by threshold, from the results that are kept, if there are some.
pub fn measured_means(request: &Request) -> Result<Option<(Kept, Vec<(u8, f64)>)>, LabError> {
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

fn by_threshold(results: &Results) -> Table {
    let mut table = results.0.table(
        "Complete iterations, over all instances that have one",
        "threshold | complete* | mean nodes* | 13.35 × the mean before* | paper | ratio* | growth, of those that have both*",
    );
    let complete = |number: usize, threshold| complete(results, number, threshold);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for threshold in 1..=20u8 {
        let nodes: Vec<f64> = (1..=results.count()).filter_map(|number| complete(number, threshold)).collect();
        if nodes.is_empty() {
            continue;
        }
        let both = (1..=results.count())
            .filter_map(|number| Some((complete(number, threshold - 1)?, complete(number, threshold)?)));
        let (before, after): (Vec<f64>, Vec<f64>) = both.unzip();
        let known = |value: f64| if before.is_empty() { Cell::Nothing } else { Cell::Estimate(value) };
        let factor = mean(&after) / mean(&before);
        table.row([
            Cell::Count(threshold.into()),
            Cell::text(format!("{} of {}", nodes.len(), results.count())),
            Cell::Count(mean(&nodes).round() as u64),
            known(BRANCHING * mean(&before)),
            nodes_in_the_paper(threshold).map_or(Cell::Nothing, Cell::Estimate),
            Cell::ratio(mean(&nodes), nodes_in_the_paper(threshold).unwrap_or(0.0)),
            if before.is_empty() { Cell::Nothing } else { Cell::Number(factor, 3) },
        ]);
    }
    table
}

fn by_instance(is_the_papers: bool, results: &Results) -> Table {
    let mut table = results.0.table(
        "Instances; \"≥ 16\" means that no solution of 15 moves or fewer exists, and that the search is complete so far; seconds \
         are those of one processor",
        "instance | length (paper) | length* | nodes (paper) | nodes generated* | ratio* | seconds* | million nodes a second* | \
         commit*",
    );
    for number in 1..=results.count() {
        let counts: Vec<IterationCounts> = results.of_position(number);
        let (nodes, seconds) =
            counts.iter().fold((0, 0.0), |(nodes, seconds), counts| (nodes + counts.nodes, seconds + counts.seconds));
        let last = counts.last();
        let (length, is_solved) = match last {
            None => (Cell::Nothing, false),
            Some(counts) if counts.solutions > 0 => (Cell::Count(counts.threshold.into()), true),
            Some(counts) => (Cell::text(format!("≥ {}", counts.threshold + 1)), false),
        };
        let printed = is_the_papers.then(|| (LENGTHS_IN_THE_PAPER[number - 1], NODES_IN_THE_PAPER[number - 1]));
        table.row([
            Cell::Count(number as u64),
            Cell::count(printed.map(|(length, _)| length.into())),
            length,
            Cell::count(printed.map(|(_, nodes)| nodes)),
            Cell::Count(nodes),
            Cell::ratio(nodes as f64, printed.filter(|_| is_solved).map_or(0.0, |(_, nodes)| nodes as f64)),
            Cell::Seconds(seconds),
            if seconds > 0.0 { Cell::Number(nodes as f64 / seconds / 1e6, 1) } else { Cell::Nothing },
            last.map_or(Cell::Nothing, |counts| Cell::text(&counts.commit)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_turn_no_face_twice_running_and_depend_on_the_seed_alone() {
        let moves = walk(&mut ChaCha8Rng::seed_from_u64(5));
        assert_eq!(moves.len(), WALK);
        assert!(moves.windows(2).all(|pair| pair[0].face() != pair[1].face()));
        let walks = |seed| Instances::Walks { count: 3, seed }.positions().expect("walks need no file");
        assert_eq!(walks(5), walks(5));
        assert_ne!(walks(5), walks(6));
        assert_eq!(walks(5)[0], Cube::from_moves(&moves));
    }
}
