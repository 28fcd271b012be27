//! The tables of the paper, one experiment each.

mod hashing;
mod partial;
mod search;

pub use hashing::{Sizes, absence, space, times};
pub use partial::partial;
pub use search::search;

use crate::error::LabError;
use crate::lab::Lab;
use crate::stored_results::StoredResults;
use rayon::prelude::*;

/// Runs the trials whose keys have no stored result, with all threads, and stores their results.
/// `prepare` returns what they share; it is not called if no result is missing.
fn run_missing<T: Sync, S: Sync>(
    kept: &StoredResults,
    lab: &Lab<'_>,
    trials: impl Iterator<Item = (String, T)>,
    prepare: impl FnOnce() -> Result<S, LabError>,
    run: impl Fn(&S, &T) -> Result<String, LabError> + Sync,
) -> Result<(), LabError> {
    let missing: Vec<(String, T)> = trials.filter(|(key, _)| kept.get(key).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let shared = prepare()?;
    let add = |(key, trial): &(String, T)| kept.add(key, &[&run(&shared, trial)?]);
    let trials = missing.par_iter().with_max_len(1);
    lab.control.in_pool(|| trials.try_for_each(add))?
}
