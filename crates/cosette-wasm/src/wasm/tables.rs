//! Tables in the files of the host, generated in slices of time.

use super::heap;
use super::host::{JOURNAL, PARTIAL, TABLE};
use crate::session::{Caller, Session, is_other_file};
use cosette::table::{PartialTable, TableError};
use cosette::{Control, Progress, Table, TableId, ThreadCount};
use serde::Deserialize;
use std::time::Duration;

/// Where the table is: the host has opened its files.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The files are in a folder of the user, where any file may be.
    #[serde(default)]
    is_users: bool,
}

/// A table that is not complete.
pub type Partial = Option<PartialTable>;

impl Session {
    /// Loads a table from the files of the host, or what there is of it: then returns how much that is. One thread reads: only
    /// this one has the files. Fails if there is too little memory, if a file of the user is in its place, or on cancellation.
    pub fn open(
        &mut self,
        id: TableId,
        threads: ThreadCount,
        place: Place,
        caller: &impl Caller,
    ) -> Result<Option<Progress>, TableError> {
        *self = Session::new(threads);
        heap::reserve(id.size.bytes() + heap::OF_A_SEARCH, threads)?;
        let show = |_: &str, progress: Progress| caller.tell_progress("loading", progress);
        let control = Control::new(ThreadCount::ONE).on_progress(&show).with_cancel(&caller.cancel());
        match Table::load_from(id, &TABLE, &control) {
            Ok(table) => {
                self.use_table(table);
                self.is_stored = true;
                return Ok(None);
            }
            Err(refused) if refused.is_cancellation() || matches!(refused, TableError::TooLittleMemory { .. }) => {
                return Err(refused);
            }
            // In a browser, a file without a header is a table that is not complete.
            Err(refused) if place.is_users && is_other_file(&refused) => return Err(refused),
            // What is not there, or damaged, is generated.
            Err(_) => {}
        }
        heap::reserve(id.size.bytes() + heap::OF_GENERATING, threads)?;
        let mut partial = PartialTable::new(id)?;
        self.is_stored = partial.restore(&PARTIAL, &JOURNAL).is_ok();
        let progress = partial.progress();
        self.partial = Some(partial);
        Ok(Some(progress))
    }

    /// Generates for a slice of time, and stores what was generated. The table is ready once nothing is missing. Fails if the
    /// threads cannot be started, or on cancellation before anything was generated.
    pub fn generate(&mut self, slice: Duration, caller: &impl Caller) -> Result<Option<Progress>, TableError> {
        let threads = self.threads();
        let Some(partial) = &mut self.partial else { return Ok(None) };
        let control = Control::new(threads).with_cancel(&caller.cancel());
        // The slice begins after what cannot be kept, or each would end within it.
        partial.prepare(&control)?;
        let generated = partial.generate(&control.with_timeout(slice));
        self.is_stored = self.is_stored && partial.store(&PARTIAL, &JOURNAL).is_ok();
        match generated {
            Err(TableError::Stopped { kept, .. }) => return Ok(Some(kept)),
            generated => generated?,
        }
        let partial = self.partial.take().expect("it was there above");
        if self.is_stored {
            // If the file cannot be completed, the table is used all the same.
            self.is_stored = partial.complete(&PARTIAL, &JOURNAL, &Control::new(threads)).is_ok();
        }
        self.use_table(partial.into_table());
        Ok(None)
    }
}
