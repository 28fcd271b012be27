//! Batches: many positions, solved one by one. No result is lost or duplicated, even if the process
//! is killed.
//!
//! A [`PositionList`] holds texts and their positions. A [`Batch`] stores the results, in a journal
//! if there is one, and knows which positions are equivalent under symmetry and inversion.
//! [`Workers`] solve the remaining positions ([`Batch::remaining`]), record the results
//! ([`Batch::record`]), and pass them on once they are on the disk ([`Batch::commit`]). A
//! [`BatchOutput`] writes them.
//!
//! | file | contents |
//! |---|---|
//! | `list` | texts and their positions |
//! | `state` | the results of a list, their journal, and the remaining positions |
//! | `workers` | the threads that solve the positions, and the collection of their results |
//! | `file_kind` | detection of files that are not lists of positions |
//! | `output` | output of results as text, CSV or JSON, in the order of the list or not |
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
pub use workers::{BatchAnswers, PositionListener, Workers, answer_chunks, run_goal};
