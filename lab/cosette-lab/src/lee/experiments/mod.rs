//! The tables of the paper, one experiment each.
//!
//! The printed figures of the paper and the texts of the experiments are data
//! (`pages/lee-experiments.md`, read by [`crate::template`]), and so are the results of long runs
//! ([`crate::stored_results`]).

mod absence;
mod partial;
mod search;
mod space;

pub use absence::{Sizes, absence};
pub use partial::partial;
pub use search::search;
pub use space::{space, times};

use crate::stored_results::StoredResults;
use crate::template::PageTemplate;

/// Returns the form of an experiment, with the circumstances of its stored results.
fn form(name: &'static str, kept: &StoredResults) -> PageTemplate {
    let mut form = PageTemplate::read(include_str!("../../../pages/lee-experiments.md"), name);
    form.say_kept(kept);
    form
}
