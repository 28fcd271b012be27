//! Journals: files of records that survive a crash of the process or of the machine.
//!
//! A journal is a text file of JSON objects, one per line. The first is its *head*: the version of the format, and what the
//! journal is about. Every other line is a *record*.
//!
//! Records are appended and never changed, several at a time in one *commit*, which returns once the system says that they
//! are on the disk. Nothing is shown before its commit. A record also stores the length that the journal had after the
//! previous commit. So after a crash or a power cut, which may leave anything at all of the last commit, damage at the end
//! can be distinguished from damage elsewhere: if a valid record after a damaged one says that the damaged part was on the
//! disk before, then the file has been changed since, and it is refused. Anything else is what remains of an interrupted
//! commit, and it is cut off. Each checksum covers the one before, so what is read is always the journal as it once was:
//! nothing within it is missing, repeated or in another order.
//!
//! While a process writes a journal it holds the system's lock on it, which ends with the process, however that ends.
//!
//! | journal | of |
//! |---|---|
//! | [`crate::batch`] | many positions |
//! | [`crate::search_journal`] | the search of one position |
//! | `long_search::journal` of the lab | searches by IDA* that take hours |

mod error;
mod line;
mod reading;
mod writing;

pub use error::JournalError;
pub(crate) use error::quoted;
pub use line::{Head, Record};
pub use reading::{Contents, Offset, read};
pub use writing::Journal;
