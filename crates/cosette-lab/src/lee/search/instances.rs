//! Positions of exactly known length, from a seed.

use crate::lab::{Lab, LabError};
use crate::walks::random_walk;
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Solver};
use cosette::table::{OnDisk, Table, TableId, TableSize};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// A random canonical sequence of so many moves, done on the solved cube.
pub fn walk<R: Rng + ?Sized>(length: u8, rng: &mut R) -> Cube {
    Cube::from_moves(&random_walk(rng, length.into()))
}

/// So many positions of exactly this length: random walks that the fast engine says cannot be shortened.
///
/// # Errors
/// On cancellation.
pub fn of_length(length: u8, count: usize, seed: u64, solver: &Solver, lab: &Lab<'_>) -> Result<Vec<Cube>, LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ u64::from(length) << 32);
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        let position = walk(length, &mut rng);
        let report = solver.solve(&position, &Options::default(), &|_| {}, lab.cancel);
        lab.check()?;
        if report.length() == Some(length) {
            positions.push(position);
        }
    }
    Ok(positions)
}

/// The fast engine in the half-turn metric, with a table of this size: that of the folder, where it is there.
///
/// # Errors
/// If there is too little memory, or on cancellation.
pub fn fast_engine(size: TableSize, lab: &Lab<'_>) -> Result<Solver, LabError> {
    let id = TableId { metric: Metric::Htm, size };
    let on_progress =
        |progress: cosette::Progress| lab.step("filling the table of the fast engine", progress.done, progress.total);
    let table = match lab.folder.state(id) {
        OnDisk::Yes => lab.folder.load(id, lab.threads, &on_progress, lab.cancel)?,
        _ => Table::generate(id, lab.threads, &on_progress, lab.cancel)?,
    };
    Ok(Solver::new(Arc::new(table), lab.threads))
}
