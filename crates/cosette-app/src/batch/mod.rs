//! Batches: many positions, solved one by one; no result is lost or duplicated, whenever the
//! process is killed.
//!
//! A [`PositionList`] holds texts and their positions. A [`Batch`] tracks the solved ones, in a
//! journal if there is one, and the classes under symmetry and inversion. [`Workers`] solve the
//! remaining positions ([`Batch::remaining`]), record the results ([`Batch::record`]) and pass them
//! on once they are on the disk ([`Batch::commit`]); an [`BatchOutput`] writes them.
//!
//! | file | contents |
//! |---|---|
//! | `list` | texts and their positions |
//! | `state` | the results of a list, their journal, and the remaining positions |
//! | `workers` | the threads that solve the positions, and results as they arrive |
//! | `file_kind` | detection of files that are not lists of positions |
//! | `output` | text, CSV, JSON; in order or not |
//! | `stats` | the lengths in a journal, compared with those of all positions |

mod file_kind;
mod list;
mod output;
mod state;
mod stats;
mod workers;

pub use crate::name::alternatives;
pub use file_kind::ListError;
pub use list::{Lines, ListEntry, ListLine, PositionList};
pub use output::{BatchOutput, OutputFormat, OutputStyle, write_text};
pub use state::{Batch, BatchError, PendingPosition, SearchedPosition};
pub use stats::{LengthStats, Stats, histogram, known_share};
pub use workers::{BatchAnswers, Workers, answer_chunks, run_goal};
