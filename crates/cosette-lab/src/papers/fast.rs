//! The fast engine, where an experiment sets a founding system beside it.

use crate::lab::{Lab, LabError};
use cosette::Progress;
use cosette::cube::Metric;
use cosette::search::Solver;
use cosette::table::{OnDisk, TableId, TableSize, available_memory};
use std::sync::Arc;

/// What is filled where there is no table on disk.
const FIRST: &str = "240M";
/// Larger ones are not loaded for an experiment.
const LARGEST: &str = "2G";

/// The fast engine with the largest table on disk up to 2 GB that fits in memory; one of 240 MB is filled where there is none.
///
/// # Errors
/// If the table cannot be loaded or filled, or on cancellation.
pub fn solver(lab: &Lab<'_>) -> Result<Solver, LabError> {
    let fits = |size: &TableSize| *size <= id_of(LARGEST).size && size.bytes() <= available_memory() / 2;
    let ids = TableSize::ALL.into_iter().rev().filter(fits).map(|size| TableId { metric: Metric::Htm, size });
    let on_disk = ids.into_iter().find(|&id| matches!(lab.folder.state(id), OnDisk::Yes));
    if on_disk.is_none() {
        fill(lab, &[FIRST])?;
    }
    let id = on_disk.unwrap_or_else(|| id_of(FIRST));
    let on_progress = |Progress { done, total }: Progress| lab.step(&format!("loading {id}"), done, total);
    let table = lab.folder.load(id, lab.threads, &on_progress, lab.cancel)?;
    Ok(Solver::new(Arc::new(table), lab.threads))
}

/// Fills those tables of these sizes that are not on disk.
///
/// # Errors
/// If one cannot be filled, or on cancellation.
pub fn fill(lab: &Lab<'_>, sizes: &[&str]) -> Result<(), LabError> {
    let missing = sizes.iter().map(|size| id_of(size)).filter(|&id| !matches!(lab.folder.state(id), OnDisk::Yes));
    for id in missing {
        let on_progress = |Progress { done, total }: Progress| lab.step(&format!("filling {id}"), done, total);
        lab.folder.fill(id, lab.threads, &on_progress, lab.cancel)?;
    }
    Ok(())
}

fn id_of(size: &str) -> TableId {
    TableId { metric: Metric::Htm, size: size.parse().expect("the catalogue has this table") }
}
