//! The fast engine, for experiments that compare a historical solver with it.

use crate::error::LabError;
use crate::lab::Lab;
use crate::walks::random_walk_position;
use cosette::cube::{Cube, Metric};
use cosette::search::Solver;
use cosette::table::{Table, TableFileState, TableId, TableSize, available_memory};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// The table that is generated if there is none on disk.
const FIRST: &str = "190M";
/// The largest table that is loaded for an experiment.
const MAX_TABLE: &str = "1.5G";

/// The fast engine in the half-turn metric, with the largest table on disk up to 1.5 GB that fits
/// in memory; if there is none, one of 190 MB is generated.
pub fn solver(lab: &Lab<'_>) -> Result<Solver, LabError> {
    solver_in(Metric::Htm, lab)
}

/// Returns the main engine in either metric.
pub fn solver_in(metric: Metric, lab: &Lab<'_>) -> Result<Solver, LabError> {
    let is_usable = |id: &TableId| {
        id.size <= size(MAX_TABLE)
            && id.size.bytes() <= available_memory() / 2
            && is_on_disk(*id, lab)
    };
    let ids = TableSize::ALL.map(|size| TableId { metric, size });
    let id = match ids.into_iter().rev().find(is_usable) {
        Some(id) => id,
        None => {
            let size = size(FIRST);
            let id = TableId { metric, size };
            lab.folder.generate(id, &lab.control)?;
            id
        }
    };
    let table = lab.folder.load(id, &lab.control)?;
    Ok(Solver::new(Arc::new(table), lab.control.threads()))
}

/// The fast engine in the half-turn metric with a table of this size: that on disk, or one
/// generated in memory.
pub fn solver_of_size(size: TableSize, lab: &Lab<'_>) -> Result<Solver, LabError> {
    let metric = Metric::Htm;
    let id = TableId { metric, size };
    let table = match is_on_disk(id, lab) {
        true => lab.folder.load(id, &lab.control)?,
        false => Table::generate(id, &lab.control)?,
    };
    Ok(Solver::new(Arc::new(table), lab.control.threads()))
}

/// Generates the tables of these sizes that are not on disk.
pub fn generate(lab: &Lab<'_>, sizes: &[&str]) -> Result<(), LabError> {
    let metric = Metric::Htm;
    let ids = sizes.iter().map(|name| TableId {
        metric,
        size: size(name),
    });
    for id in ids.filter(|&id| !is_on_disk(id, lab)) {
        lab.folder.generate(id, &lab.control)?;
    }
    Ok(())
}

/// Returns `count` positions of exactly this length: random walks that the fast engine proves
/// cannot be shortened.
pub fn positions_of_length(
    length: u8,
    count: usize,
    seed: u64,
    solver: &Solver,
    lab: &Lab<'_>,
) -> Result<Vec<Cube>, LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ u64::from(length) << 32);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let position = random_walk_position(&mut rng, length);
        let report = solver.search(&position).control(&lab.control).run();
        lab.check()?;
        if report.length() == Some(length) {
            positions.push(position);
        }
    }
    Ok(positions)
}

fn is_on_disk(id: TableId, lab: &Lab<'_>) -> bool {
    matches!(lab.folder.state(id), TableFileState::Complete)
}

fn size(name: &str) -> TableSize {
    name.parse().expect("the catalog has this table")
}
