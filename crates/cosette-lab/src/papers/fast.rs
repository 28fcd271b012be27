//! The fast engine, where an exhibit sets a founding system beside it.

use crate::lab::{Lab, LabError};
use cosette::cube::Metric;
use cosette::search::Solver;
use cosette::table::{OnDisk, TableId, TableSize, available_memory};
use std::sync::Arc;

/// What is filled where there is no table on disk.
const FIRST: &str = "240M";
/// Larger ones are not loaded for an exhibit.
const LARGEST: &str = "2G";

/// The fast engine with the largest table on disk up to 2 GB that fits in memory; one of 240 MB is filled where there is none.
///
/// # Errors
/// If the table cannot be loaded or filled, or on cancellation.
pub fn solver(lab: &Lab<'_>) -> Result<Solver, LabError> {
    let named = |name: &str| -> TableSize { name.parse().expect("the catalogue has this table") };
    let fits = |size: &TableSize| *size <= named(LARGEST) && size.bytes() <= available_memory() / 2;
    let ids = TableSize::ALL.into_iter().rev().filter(fits).map(|size| TableId { metric: Metric::Htm, size });
    let on_disk = ids.into_iter().find(|&id| matches!(lab.folder.state(id), OnDisk::Yes));
    let id = on_disk.unwrap_or(TableId { metric: Metric::Htm, size: named(FIRST) });
    let on_progress = |what: &str| {
        let what = format!("{what} {id}");
        move |progress: cosette::Progress| lab.step(&what, progress.done, progress.total)
    };
    if on_disk.is_none() {
        lab.folder.fill(id, lab.threads, &on_progress("filling"), lab.cancel)?;
    }
    let table = lab.folder.load(id, lab.threads, &on_progress("loading"), lab.cancel)?;
    Ok(Solver::new(Arc::new(table), lab.threads))
}
