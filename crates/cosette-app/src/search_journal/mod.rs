//! The journal of the search of one position, from which a later run resumes.
//!
//! An iteration consists of root tasks, which are searched in any order and on any machine
//! (`cosette::search::distributed::Tasks`). Completed tasks are recorded with their results, and so
//! are completed iterations. When a search is stopped, the tasks in progress are recorded with
//! their open nodes. Only the work in progress when the process was killed is searched again.
//! Nothing is counted twice: the nodes and probes of complete iterations are those of an
//! uninterrupted search.
//!
//! ```text
//! {"check":"…","body":{"journal":6,"kind":"search","settings":{"position":"UUF…",…}}}
//! {"check":"…","body":{"synced":166,"record":{"iteration":{"length":14,"nodes":…,"probes":…,…}}}}
//! {"check":"…","body":{"synced":330,"record":{"unit":{"length":15,"tasks":[7,3],"counts":{…},…}}}}
//! {"check":"…","body":{"synced":330,"record":{"solution":"R U2 F'"}}}
//! ```
//!
//! The numbers of root tasks depend on the position and the table, so a journal belongs to both. It
//! does not depend on the requested number of solutions.
//!
//! | file | contents |
//! |---|---|
//! | `record` | the records |
//! | `state` | the content of a journal, and the checkpoint from which its search resumes |
//! | `writer` | the writer of the records |
//! | `executor` | searches with threads of this process, and records each finished work unit |

mod executor;
mod record;
mod state;
mod writer;

pub use executor::RecordingExecutor;
#[cfg(feature = "dataset")]
pub(crate) use record::move_text;
pub use record::{FinishedUnit, SearchRecord};
pub use state::{JournalState, ResumePoint};
pub use writer::JournalWriter;
