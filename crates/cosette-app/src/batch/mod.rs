//! Batches: many positions, answered one by one; nothing is lost or duplicated whenever the process is killed.
//!
//! A [`List`] holds texts and their positions. A [`Batch`] knows which of them are answered, with a journal if there is one,
//! and which are equal up to symmetry and inversion. [`Workers`] solve the remaining positions ([`Batch::remaining`]), record
//! the answers ([`Batch::record`]) and hand them out once they are on the disk ([`Batch::commit`]); an [`Output`] writes them.
//!
//! | file | what it holds |
//! |---|---|
//! | `list` | texts, their positions, and what is asked of each |
//! | `state` | the answers so far, and the remaining positions |
//! | `journal` | the answers on the disk |
//! | `class` | positions that are equal up to symmetry and inversion |
//! | `run` | threads that solve |
//! | `output` | text, CSV, JSON; in order or not |
//! | `stats`, `known`, `histogram` | the lengths in a journal, beside those of all positions |

mod class;
mod histogram;
mod journal;
mod known;
mod list;
mod output;
mod run;
mod state;
mod stats;

pub use crate::journal::JournalError;
pub use histogram::histogram;
pub use list::{Entry, Fingerprint, Line, Lines, List, Settings};
pub use output::{Layout, Outcome, Output, Style};
pub use run::{COMMIT_INTERVAL, Workers};
pub use state::{Batch, BatchError, Searched, check};
pub use stats::{OfLength, Stats};
