//! Batches: many positions, answered one by one; nothing is lost or duplicated whenever the process is killed.
//!
//! A [`List`] holds texts and their positions. A [`Batch`] knows which of them are answered, with a journal if there is one,
//! and which are equal up to symmetry and inversion. [`Workers`] solve the remaining positions ([`Batch::remaining`]), record
//! the answers ([`Batch::record`]) and hand them out once they are on the disk ([`Batch::commit`]); an [`Output`] writes them.
//!
//! | file | what it holds |
//! |---|---|
//! | `list` | texts and their positions; which are equal up to symmetry and inversion |
//! | `state` | the answers so far, the remaining positions, and the threads that solve them |
//! | `journal` | the answers on the disk |
//! | `file_kind` | files that are no lists of positions, and what to make of them |
//! | `output` | text, CSV, JSON; in order or not |
//! | `stats` | the lengths in a journal, beside those of all positions |

mod file_kind;
mod journal;
mod list;
mod output;
mod state;
mod stats;

pub use crate::alternatives::alternatives;
pub use crate::journal::JournalError;
pub use file_kind::ListError;
pub use list::{Entry, Line, Lines, List};
pub use output::{Layout, Outcome, Output, Style, write_text};
pub use state::{Answers, Batch, BatchError, Remaining, Searched, Workers, answer_chunks, run_goal};
pub use stats::{OfLength, Stats, histogram, known_share};
