//! The tables of the paper, one experiment each.
//!
//! What the paper prints and what the experiments say is data (`pages/lee-experiments.md`, read by [`crate::form`]), and so is what
//! long runs have computed ([`crate::kept`]).

mod absence;
mod partial;
mod search;
mod space;

pub use absence::{Sizes, absence};
pub use partial::partial;
pub use search::search;
pub use space::{space, times};

use crate::form::Form;
use crate::kept::Kept;

/// The form of an experiment, with what it says of its kept results.
fn form(name: &'static str, kept: &Kept) -> Form {
    let mut form = Form::read(include_str!("../../../pages/lee-experiments.md"), name);
    form.say_kept(kept);
    form
}
