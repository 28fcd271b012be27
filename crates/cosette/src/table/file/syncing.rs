//! Files that are synced while they are written.

use std::fs::File;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How much work a power cut may cost, about.
const INTERVAL: Duration = Duration::from_secs(1);

/// Does `work`, and meanwhile asks the system once a second to bring to disk what has been written: so the disk is busy all
/// the time, little is left to write at the end, and a power cut costs a second or two of work.
///
/// # Errors
/// If the disk refused, whatever the work says of it.
pub(crate) fn while_syncing<T>(files: &[&File], work: impl FnOnce() -> T) -> (T, io::Result<()>) {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let syncing = scope.spawn(move || {
            while is_done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                files.iter().try_for_each(|file| file.sync_data())?;
            }
            Ok(())
        });
        let result = work();
        drop(done);
        (result, syncing.join().expect("syncing does not panic"))
    })
}
