//! Korf's Table 2: the ten instances, their lengths and the nodes generated, as far as there is time.
//!
//! The paper's ten are "100 random moves" from solved, no face turned twice running. A file has one position per line,
//! in any format that `cosette solve` reads; blank lines are skipped.
//!
//! The whole table needs 3.5·10¹² nodes, so work goes by thresholds, over all instances each: so that the mean of a
//! complete iteration is known early, and each threshold can be compared with the one before.
//!
//! ```text
//! for threshold = 0, 1, …
//!     for each instance that is not solved and whose bound is not larger
//!         unless the journal has it: search the threshold, and keep what it counted
//! ```

use super::edges::SIX;
use super::engine::Korf;
use super::journal::{IterationRecord, Iterations};
use crate::engine::Engine;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Move, Moves, ReadOptions, Turn, read_position};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// Which instances, and how far.
#[derive(Clone, Debug)]
pub struct InstancesOptions {
    /// The instances.
    pub instances: Instances,
    /// The last threshold.
    pub max_length: u8,
    /// The run ends after this many nodes.
    pub max_nodes: u64,
    /// The search ends after this time.
    pub time: Option<Duration>,
    /// Where complete iterations are kept, and taken from if they are there.
    pub journal: Option<PathBuf>,
}

impl InstancesOptions {
    /// Ten random walks: in the quick run to depth 14, else until all are solved.
    pub fn of(effort: Effort) -> InstancesOptions {
        InstancesOptions {
            instances: Instances::Walks { count: 10, seed: 1997 },
            max_length: if effort == Effort::Quick { 14 } else { 20 },
            max_nodes: u64::MAX,
            time: None,
            journal: None,
        }
    }
}

/// Table 2, as far as the options allow. Iterations in the journal are not searched again.
///
/// # Errors
/// If the instances cannot be read, if the journal cannot be used, if a table is unavailable, or on cancellation;
/// complete iterations are in the journal.
pub fn instances(lab: &Lab<'_>, options: &InstancesOptions) -> Result<Experiment, LabError> {
    let control = options.time.map_or(lab.control.clone(), |time| lab.control.clone().with_timeout(time));
    let positions = options.instances.positions()?;
    let mut iterations = match &options.journal {
        Some(path) => Iterations::open(path, &positions, &databases())?,
        None => Iterations::default(),
    };
    let korf = Korf::new(lab, &SIX)?;
    run(lab, options, &korf, &positions, &mut iterations, &control)?;
    Ok(experiment(&korf, options, &positions, &iterations))
}

/// The databases that the instances are searched with, by name.
fn databases() -> String {
    SIX.iter().fold("corners".to_owned(), |name, set| format!("{name} + {set}"))
}

/// Searches what is missing, until the control says to stop.
fn run(
    lab: &Lab<'_>,
    options: &InstancesOptions,
    korf: &Korf,
    positions: &[Cube],
    iterations: &mut Iterations,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let mut nodes = 0;
    for threshold in 0..=options.max_length {
        for (position, done) in positions.iter().zip(0..) {
            lab.check()?;
            lab.step(&format!("length {threshold}"), done, positions.len() as u64);
            let name = position.facelets();
            let is_done = iterations.solved(&name).is_some() || iterations.get(&name, threshold).is_some();
            if is_done || korf.bound(position) > threshold {
                continue;
            }
            let limits = IdaLimits { nodes: options.max_nodes.saturating_sub(nodes), ..IdaLimits::default() };
            let (iteration, found) = korf.iterate(position, threshold, &limits, control);
            nodes += iteration.nodes;
            let solution = found.solutions.first().map(|moves| Moves(moves).to_string());
            if !iteration.complete && solution.is_none() {
                return lab.check();
            }
            iterations.add(IterationRecord {
                position: name,
                threshold,
                nodes: iteration.nodes,
                probes: iteration.probes,
                seconds: iteration.elapsed.as_secs_f64(),
                solution,
            })?;
        }
    }
    Ok(())
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
/// A checksum of the paper's ten positions, by which they are recognised.
const PAPERS_TEN: u64 = 0x7e17_9275_20f9_9949;

/// FNV-1a.
fn checksum(names: &[String]) -> u64 {
    let bytes = names.iter().flat_map(|name| name.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn experiment(korf: &Korf, options: &InstancesOptions, positions: &[Cube], iterations: &Iterations) -> Experiment {
    let names: Vec<String> = positions.iter().map(Cube::facelets).collect();
    let is_the_papers = checksum(&names) == PAPERS_TEN;
    let origin = match &options.instances {
        Instances::File(path) => format!("from {}", path.display()),
        Instances::Walks { seed, .. } => format!("random walks of 100 moves from seed {seed}, no face twice running"),
    };
    Experiment::new("instances", "Ten random instances", "Korf 1997, Table 2")
        .text(format!(
            "{} instances, {origin}{}. IDA* with the maximum of the databases {} ({}). All generated children count \
             as nodes, including those that are cut at once.",
            positions.len(),
            if is_the_papers { "; they are the ten of the paper" } else { "" },
            databases(),
            korf.tables(),
        ))
        .text(
            "The paper does not say in which order its moves were tried, so the counts of its last iterations, which \
             end at the first solution, cannot be reproduced exactly. Its whole table took 3.5·10¹² nodes; here an \
             iteration that was not searched to its end is not counted.",
        )
        .tables([by_threshold(&names, iterations), by_instance(&names, is_the_papers, iterations)])
}

fn by_threshold(names: &[String], iterations: &Iterations) -> Table {
    let mut table = Table::new(
        "Complete iterations, over all instances that have one",
        &["depth", "complete", "mean nodes", "13.35 × the mean before", "paper", "ratio", "times the depth before"],
    );
    let complete = |name: &String, threshold| {
        iterations.get(name, threshold).filter(|record| record.solution.is_none()).map(|record| record.nodes as f64)
    };
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for threshold in 1..=20u8 {
        let nodes: Vec<f64> = names.iter().filter_map(|name| complete(name, threshold)).collect();
        if nodes.is_empty() {
            continue;
        }
        let both = names.iter().filter_map(|name| Some((complete(name, threshold - 1)?, complete(name, threshold)?)));
        let (before, after): (Vec<f64>, Vec<f64>) = both.unzip();
        let known = |value: f64| if before.is_empty() { Cell::Nothing } else { Cell::Estimate(value) };
        let factor = mean(&after) / mean(&before);
        table.row([
            Cell::Count(threshold.into()),
            Cell::text(format!("{} of {}", nodes.len(), names.len())),
            Cell::Count(mean(&nodes).round() as u64),
            known(BRANCHING * mean(&before)),
            nodes_in_the_paper(threshold).map_or(Cell::Nothing, Cell::Estimate),
            Cell::ratio(mean(&nodes), nodes_in_the_paper(threshold).unwrap_or(0.0)),
            if before.is_empty() { Cell::Nothing } else { Cell::Number(factor, 3) },
        ]);
    }
    table
}

fn by_instance(names: &[String], is_the_papers: bool, iterations: &Iterations) -> Table {
    let mut table = Table::new(
        "Instances; ≥ 15 means that no solution of 14 moves or fewer exists and that the search stopped there",
        &["instance", "length", "paper", "nodes generated", "seconds", "million nodes a second"],
    );
    for (i, name) in names.iter().enumerate() {
        let records: Vec<&IterationRecord> =
            iterations.records().iter().filter(|record| record.position == *name).collect();
        let (nodes, seconds) =
            records.iter().fold((0, 0.0), |(nodes, seconds), record| (nodes + record.nodes, seconds + record.seconds));
        let last = records.iter().max_by_key(|record| record.threshold);
        let length = match last {
            None => Cell::Nothing,
            Some(IterationRecord { threshold, solution: Some(_), .. }) => Cell::Count((*threshold).into()),
            Some(record) => Cell::text(format!("≥ {}", record.threshold + 1)),
        };
        let paper = LENGTHS_IN_THE_PAPER.get(i).filter(|_| is_the_papers);
        table.row([
            Cell::Count(i as u64 + 1),
            length,
            Cell::count(paper.map(|&length| length.into())),
            Cell::Count(nodes),
            Cell::Seconds(seconds),
            if seconds > 0.0 { Cell::Number(nodes as f64 / seconds / 1e6, 1) } else { Cell::Nothing },
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
