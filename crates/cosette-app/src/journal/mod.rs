//! Journals: what is done, safe from one moment to the next.
//!
//! A journal is a text file of JSON objects, one a line. The first is its *head*: the version of the format, and what the
//! journal is of. Each other line is a *record*.
//!
//! Records are appended and never changed, several at a time in one *commit*, which ends when the system says that all
//! is on the disk. What is shown after its commit is kept. A record notes how long the journal was at the end of the
//! commit before. So after a crash or a power cut, which may leave anything at all of the last commit, damage at the end
//! can be told from damage elsewhere: where a whole record that follows a damaged one says that this was on the disk
//! before, the file has been changed since, and it is refused. All else is the remainder of a commit, and it is cut off.
//!
//! While a process writes a journal it holds the system's lock on it, which ends with the process, however it ends.
//!
//! | journal | of |
//! |---|---|
//! | [`crate::batch::journal`] | many positions |
//! | [`crate::search_journal`] | the search of one position |

mod error;
mod log;
mod reading;
mod seal;

pub use error::JournalError;
pub use log::{Log, Place};
pub use reading::{Contents, read};

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The first line of a journal. As JSON it has the version of the format as `journal`, and its kind as `kind`; a batch
/// leaves the kind out.
pub trait Head: Serialize + DeserializeOwned {
    /// What such a journal is of, in a word.
    const KIND: &'static str;
    /// The version of the format that this program writes and reads.
    const VERSION: u32;
    /// What comes of a record that is deleted.
    const WITHOUT_RECORD: &'static str;
    /// The other lines.
    type Record: Record;

    /// Refuses a journal with this head where another is asked for.
    ///
    /// # Errors
    /// What differs.
    fn check_is(&self, asked: &Self, path: &Path) -> Result<(), JournalError>;
}

/// A line that is not the first.
pub trait Record: Serialize + DeserializeOwned {
    /// How many bytes of the journal were on the disk before this.
    fn synced(&self) -> u64;
}
