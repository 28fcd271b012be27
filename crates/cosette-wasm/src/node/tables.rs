//! Tables in a folder, as the command keeps them.

use crate::session::{Caller, Session, is_other_file};
use cosette::table::choice::{Choice, MemoryLimit, default_folder};
use cosette::table::{OnDisk, TableError, TableFolder};
use cosette::{Control, Progress, Table, TableId, ThreadCount};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Where the table is.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The folder of the tables; by default that of the command.
    folder: Option<PathBuf>,
    /// The table is in memory only.
    #[serde(default)]
    in_memory: bool,
}

/// How often JavaScript hears of progress, at most.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

impl Session {
    /// Loads a table from its folder. One that is not there, or is damaged, is generated first, by this process or by another
    /// that has begun to; in memory if it cannot be stored. So it is complete on return, and no progress is returned. Fails if
    /// a file in its place is not this table, if there is too little memory, if the threads cannot be started, or on cancellation.
    pub fn open(
        &mut self,
        id: TableId,
        threads: ThreadCount,
        place: Place,
        caller: &impl Caller,
    ) -> Result<Option<Progress>, TableError> {
        *self = Session::new(threads);
        let memory = MemoryLimit::now(None);
        if !memory.fits(id.size) {
            return Err(TableError::TooLittleMemory { needed: id.size.bytes(), available: memory.available });
        }
        let pace = Mutex::new(Pace::default());
        let show = |step: &str, progress: Progress| {
            // It is also generated while this process waits for another.
            let step = if step.starts_with("loading") { "loading" } else { "generating" };
            // While it is locked, so that progress is told in its order.
            let mut pace = pace.lock().expect("no thread panics while it has the lock");
            if pace.is_time(step, progress) {
                caller.tell_progress(step, progress);
            }
        };
        let control = Control::new(threads).on_progress(&show).with_cancel(&caller.cancel());
        let folder = (!place.in_memory).then(|| place.folder.or_else(default_folder)).flatten();
        let (table, is_stored) = match folder {
            Some(folder) => {
                let folder = TableFolder::new(folder);
                // What is kept is counted from 0 again while it is read.
                if let OnDisk::Partly(kept) = folder.state(id) {
                    show("generating", kept);
                }
                from_folder(&folder, id, &control)?
            }
            None => (Table::generate(id, &control)?, false),
        };
        self.use_table(table);
        self.is_stored = is_stored;
        Ok(None)
    }
}

/// A table from its folder, and whether it is stored there.
fn from_folder(folder: &TableFolder, id: TableId, control: &Control<'_>) -> Result<(Table, bool), TableError> {
    let is_on_disk = folder.path_of(id).exists();
    match folder.open(Choice { id, is_on_disk, better: None }, control) {
        Ok(opened) => return Ok((opened.table, opened.unsaved.is_none())),
        Err(refused) if !is_on_disk || !is_generated_again(&refused) => return Err(refused),
        Err(_) => {}
    }
    match folder.generate(id, control) {
        Ok(()) => Ok((folder.load(id, control)?, true)),
        Err(refused) if !is_generated_again(&refused) => Err(refused),
        Err(_) => Ok((Table::generate(id, control)?, false)),
    }
}

/// Whether it is about the file of this table, not about the machine, the caller or another file.
fn is_generated_again(refused: &TableError) -> bool {
    let is_of_machine = matches!(refused, TableError::TooLittleMemory { .. } | TableError::Threads(_));
    !is_of_machine && !refused.is_cancellation() && !is_other_file(refused)
}

/// Which progress is told: what comes later than the last and is further, the end always.
#[derive(Default)]
struct Pace {
    last: Option<(&'static str, u64, Instant)>,
}

impl Pace {
    fn is_time(&mut self, step: &'static str, Progress { done, total }: Progress) -> bool {
        let is_time = self.last.is_none_or(|(last_step, last_done, then)| {
            step != last_step || done > last_done && (done == total || then.elapsed() >= PROGRESS_INTERVAL)
        });
        if is_time {
            self.last = Some((step, done, Instant::now()));
        }
        is_time
    }
}
