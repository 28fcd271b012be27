//! A file that is being written: a partial file next to the final path, which is renamed to that
//! path once it is complete.
//!
//! The payload is written as a whole, in any order, or generated block by block (`block_storage`)
//! from where an earlier generation stopped. Blocks are written while others are being generated.
//! So saving takes no extra time, and the payload need not fit in memory. While a process writes
//! the partial file, it locks the journal, so that no other process writes the file too.

use super::block_storage::{BlockRecord, BlockStorage, read_journal};
use super::error::FileError;
use super::header::{MAGIC, PayloadKind, PayloadStats, file_size};
use crate::control::{Control, Progress};
use crate::platform::try_lock;
use same_file::Handle;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64;

/// Interval between syncs: a power cut costs a second or two of work.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

/// A file that is being written next to its final path, in any order and by any threads.
pub struct PartialFile<'a> {
    path: PathBuf,
    /// The path of the partial file.
    part: PathBuf,
    blocks: BlockStorage<'a, File>,
}

impl PartialFile<'_> {
    /// Opens the partial file of `path`, which keeps the data of an earlier attempt, or creates it.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk is full ([`check_room`]), if another process writes the partial
    /// file, or if it cannot be written.
    pub fn open<'a>(
        path: &Path,
        contents: &'a dyn PayloadKind,
    ) -> Result<PartialFile<'a>, FileError> {
        check_room(path, contents)?;
        let [part, journal_path] = with_endings(path, PARTIAL);
        let journal = open_locked(&journal_path, path)?;
        let file = open_to_write(&part).map_err(FileError::io("write", &part))?;
        let blocks = BlockStorage::named([part.clone(), journal_path], contents, file, journal);
        blocks.make_room()?;
        Ok(PartialFile {
            path: path.to_owned(),
            part,
            blocks,
        })
    }

    /// Writes into the payload at an offset.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, for example because the disk is full.
    pub fn write_all_at(&self, bytes: &[u8], offset: u64) -> Result<(), FileError> {
        self.blocks.write_all_at(bytes, offset)
    }

    /// Writes all of the payload and completes the file, with the threads of `control`. Progress
    /// counts bytes.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, or on cancellation; the partial file is then removed.
    ///
    /// # Panics
    ///
    /// Panics if the length of the payload differs from that of its contents.
    pub fn save(
        self,
        payload: &[u8],
        facts: &PayloadStats,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        let bytes = self.blocks.layout.bytes;
        assert_eq!(
            payload.len() as u64,
            bytes,
            "the payload has as many bytes as its contents say"
        );
        let done = AtomicU64::new(0);
        let write = |_: &mut [u8], block: usize| {
            let Range { start, end } = self.blocks.range(block);
            let block = &payload[start as usize..end as usize];
            self.blocks.write_all_at(block, start)?;
            control.report(
                end - start + done.fetch_add(end - start, Ordering::Relaxed),
                bytes,
            );
            Ok(xxh3_64(block))
        };
        let (sums, synced) =
            self.while_syncing(|| self.blocks.layout.for_each_block(control, write));
        self.end(sums.and_then(|sums| synced.map(|()| sums)), facts)
    }

    /// Completes the file, with `bytes` bytes of payload. The payload is read again for its
    /// checksums, with the threads of `control`; progress is not reported.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, or on cancellation; the partial file is then removed.
    pub fn finish(
        mut self,
        bytes: u64,
        facts: &PayloadStats,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        self.blocks.layout.bytes = bytes;
        let sums = self
            .blocks
            .make_room()
            .and_then(|()| self.stored_checksums(control));
        self.end(sums, facts)
    }

    /// Removes the partial file.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure.
    pub fn discard(self) -> Result<(), FileError> {
        remove_all(with_endings(&self.path, PARTIAL)).map(drop)
    }

    /// Completes the file, or removes the partial file if there is an error.
    fn end(self, sums: Result<Vec<u64>, FileError>, facts: &PayloadStats) -> Result<(), FileError> {
        let result = sums.and_then(|sums| self.complete(facts, &sums));
        if result.is_err() {
            self.discard()?;
        }
        result
    }

    /// Writes the header and renames the file to its final name.
    fn complete(&self, facts: &PayloadStats, sums: &[u64]) -> Result<(), FileError> {
        let PartialFile { path, part, .. } = self;
        self.blocks.write_head(facts, sums)?;
        fs::rename(part, path).map_err(FileError::io("write", path))?;
        sync_folder_of(path).map_err(FileError::io("write", path))?;
        remove_all(with_endings(&self.path, PARTIAL)).map(drop)
    }

    /// Returns the checksums of the blocks in the file.
    fn stored_checksums(&self, control: &Control<'_>) -> Result<Vec<u64>, FileError> {
        self.blocks.layout.for_each_block(control, |bytes, block| {
            let Range { start, .. } = self.blocks.range(block);
            self.blocks.read_exact_at(bytes, start)?;
            Ok(xxh3_64(bytes))
        })
    }

    /// Does `work` while another thread syncs the files once a second. So the disk is busy all the
    /// time, little is left to write at the end, and a power cut costs a second or two of work.
    /// Returns the results of `work` and of syncing.
    fn while_syncing<T>(&self, work: impl FnOnce() -> T) -> (T, Result<(), FileError>) {
        let (stop, stopped) = mpsc::channel::<()>();
        let files = [&self.blocks.payload, &self.blocks.journal];
        std::thread::scope(|scope| {
            let syncing = std::thread::Builder::new().spawn_scoped(scope, move || {
                while stopped.recv_timeout(SYNC_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    files.iter().try_for_each(|file| file.sync_data())?;
                }
                Ok(())
            });
            let result = work();
            // The thread stops when the sender is dropped.
            drop(stop);
            // If the system refuses that thread, nothing is synced before the end, and a power cut
            // costs all of the work.
            let synced = syncing.map_or(Ok(()), |syncing| {
                syncing.join().expect("syncing does not panic")
            });
            (result, synced.map_err(FileError::io("write", &self.part)))
        })
    }
}

/// Checks that the file can be written: its folder exists or can be created, is writable, and its
/// disk has room for the bytes that an interrupted generation has not written yet.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn check_room(path: &Path, contents: &dyn PayloadKind) -> Result<(), FileError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(FileError::io("create the folder", folder))?;
    fs::metadata(folder.join(".")).map_err(FileError::io("open the folder", folder))?;
    tempfile::tempfile_in(folder).map_err(FileError::io("write to the folder", folder))?;
    let available =
        fs4::available_space(folder).map_err(FileError::io("reserve space in", folder))?;
    let [part, _] = with_endings(path, PARTIAL);
    let needed = file_size(contents).saturating_sub(bytes_on_disk(&part));
    if available < needed {
        return Err(FileError::TooLittleDisk {
            path: path.to_owned(),
            needed,
            available,
        });
    }
    Ok(())
}

/// Removes the file at `path`, intact or not, and the remains of an interrupted generation.
///
/// # Errors
///
/// Returns an error if there is nothing to remove, or if the file cannot be removed, is being
/// generated, or has another format.
pub fn remove(path: &Path) -> Result<(), FileError> {
    let mut start = Vec::new();
    let mut file = File::open(path).map(|file| file.take(MAGIC.len() as u64));
    if file
        .as_mut()
        .is_ok_and(|file| file.read_to_end(&mut start).is_ok())
        && !MAGIC.starts_with(&start)
    {
        return Err(FileError::OtherFormat {
            path: path.to_owned(),
        });
    }
    let [_, journal] = with_endings(path, PARTIAL);
    let lock = match OpenOptions::new().write(true).open(&journal) {
        Ok(file) => {
            lock_for(path, &file)?;
            Some(file)
        }
        Err(error) => match FileError::io("open", &journal)(error) {
            FileError::NotFound { .. } => None,
            error => return Err(error),
        },
    };
    let had_partial_files = remove_all(with_endings(path, PARTIAL)).and_then(|had_partial_files| {
        let had_wasm_files = remove_all(with_endings(path, PARTIAL_OF_WASM))?;
        Ok(had_partial_files || had_wasm_files)
    });
    drop(lock);
    match (
        had_partial_files?,
        fs::remove_file(path).map_err(FileError::io("remove", path)),
    ) {
        (true, Err(FileError::NothingToRemove { .. })) => Ok(()),
        (_, result) => result,
    }
}

/// Returns the number of generated blocks of the file at `path`, by its journal; `None` if
/// generation has not started.
pub fn progress(path: &Path, contents: &dyn PayloadKind) -> Option<Progress> {
    let [part, journal] = with_endings(path, PARTIAL);
    let records = read_journal(&File::open(journal).ok()?, contents).ok()??;
    let total = records.len() as u64;
    let done = records.iter().flatten().count() as u64;
    (done > 0 && part.exists()).then_some(Progress { done, total })
}

/// Interval at which a waiting process checks whether the other process still generates the file.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Opens the partial file of `path`; returns `None` once there is a file at `path`. While another
/// process generates the file, waits and reports its progress. If that process ends before the file
/// is complete, opens its partial file.
///
/// # Errors
///
/// Returns the errors of [`PartialFile::open`], or an error on cancellation.
pub fn open_if_missing<'a>(
    path: &Path,
    contents: &'a dyn PayloadKind,
    control: &Control<'_>,
) -> Result<Option<PartialFile<'a>>, FileError> {
    let step = format!(
        "waiting for another process to generate {}",
        contents.name()
    );
    let waiting = control.step(&step);
    let mut is_waiting = false;
    while !path.exists() {
        match PartialFile::open(path, contents) {
            // The other process has just completed the file.
            Ok(partial) if path.exists() => partial.discard()?,
            Err(_) if path.exists() => {}
            Ok(partial) => return Ok(Some(partial)),
            Err(FileError::BeingGenerated { .. }) if control.is_cancelled() => {
                return Err(FileError::Cancelled);
            }
            Err(FileError::BeingGenerated { .. }) => {
                if !std::mem::replace(&mut is_waiting, true) {
                    tracing::info!(path = %path.display(), "waiting for another process to \
                        generate it");
                }
                let Progress { done, total } =
                    progress(path, contents).unwrap_or(Progress { done: 0, total: 1 });
                waiting.report(done, total);
                std::thread::sleep(POLL_INTERVAL);
            }
            Err(refused) => return Err(refused),
        }
    }
    Ok(None)
}

/// The blocks of a file that is being generated ([`PartialFile::generate`]).
pub struct Generation<'a> {
    blocks: &'a BlockStorage<'a, File>,
    control: &'a Control<'a>,
    /// Number of complete blocks.
    done: AtomicU64,
}

impl PartialFile<'_> {
    /// Generates the file block by block, from where an earlier generation stopped, replacing the
    /// file at its path. `work` receives the missing blocks, in a pool with the threads of
    /// `control`, and writes each of them ([`Generation::write`]). Progress counts blocks. The
    /// first 16 facts of the file are the sums of the counts of its blocks.
    ///
    /// # Errors
    ///
    /// Returns the errors of `work`, or an error on an I/O failure or on cancellation. The
    /// generated blocks are kept.
    ///
    /// # Panics
    ///
    /// Panics if `work` leaves a block out.
    pub fn generate<E: From<FileError> + Send>(
        self,
        control: &Control<'_>,
        work: impl FnOnce(&Generation<'_>, &[usize]) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let records = self.blocks.journal_records()?;
        let generation = Generation {
            blocks: &self.blocks,
            control,
            done: AtomicU64::new(0),
        };
        let (written, synced) = self.while_syncing(|| {
            let missing = generation.restore(&records)?;
            control
                .in_pool(|| work(&generation, &missing))
                .map_err(FileError::from)??;
            let done = generation.done.load(Ordering::Relaxed);
            assert_eq!(
                done,
                self.blocks.count() as u64,
                "each block is written once"
            );
            Ok(self.verified(control)?)
        });
        match written {
            Err(error) => {
                // Blocks may be stored but unreadable just now. So the partial file is removed only
                // if the journal has no record and no block was written.
                let done = generation.done.into_inner();
                if records.iter().all(Option::is_none) && done == 0 {
                    self.discard()?;
                }
                Err(error)
            }
            Ok((sums, facts)) => {
                synced?;
                Ok(self.complete(&facts, &sums)?)
            }
        }
    }

    /// Returns the checksums of the blocks and the sums of their counts, by the journal. Checks
    /// that the blocks agree with the journal: since they were written, the disk may have corrupted
    /// them or, if files cannot be locked, another process may have written them.
    fn verified(&self, control: &Control<'_>) -> Result<(Vec<u64>, PayloadStats), FileError> {
        let sums = self.stored_checksums(control)?;
        let mut facts = PayloadStats::default();
        for (record, &sum) in self.blocks.journal_records()?.into_iter().zip(&sums) {
            let Some(record) = record.filter(|record| record.block_checksum() == sum) else {
                let part = &self.part;
                return Err(FileError::io("write", part)(io::Error::other(CHANGED)));
            };
            for (fact, count) in facts.iter_mut().zip(record.counts()) {
                *fact += u64::from(count);
            }
        }
        Ok((sums, facts))
    }
}

impl Generation<'_> {
    /// Returns the number of blocks.
    pub fn count(&self) -> usize {
        self.blocks.count()
    }

    /// Returns the byte range of a block in the payload.
    pub fn range(&self, block: usize) -> Range<u64> {
        self.blocks.range(block)
    }

    /// Writes a block and its `counts`, which it contributes to the first 16 facts.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure.
    pub fn write(&self, block: usize, bytes: &[u8], counts: [u32; 16]) -> Result<(), FileError> {
        self.blocks.write(block, bytes, counts)?;
        self.add_block();
        Ok(())
    }

    /// Counts the complete blocks of an earlier generation, and returns the numbers of the missing
    /// blocks.
    fn restore(&self, records: &[Option<BlockRecord>]) -> Result<Vec<usize>, FileError> {
        let number_if_missing = |bytes: &mut [u8], block: usize| {
            let record = self.blocks.read_if_stored(block, records[block], bytes)?;
            if record.is_some() {
                self.add_block();
            }
            Ok(record.is_none().then_some(block))
        };
        let missing = self
            .blocks
            .layout
            .for_each_block(self.control, number_if_missing)?;
        Ok(missing.into_iter().flatten().collect())
    }

    fn add_block(&self) {
        let done = 1 + self.done.fetch_add(1, Ordering::Relaxed);
        self.control.report(done, self.count() as u64);
    }
}

/// The message for a block that has changed since it was written.
const CHANGED: &str =
    "a part of it has changed since it was written; the same command writes it again";

fn open_to_write(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Syncs the folder of a file, so that the new name of the file survives a power cut. Does nothing
/// on systems other than Unix, which cannot sync a folder.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder_of(path))?.sync_all()
    } else {
        Ok(())
    }
}

/// Returns `true` if `path` still names this file.
fn is_still_at(file: &File, path: &Path) -> io::Result<bool> {
    let this = Handle::from_file(file.try_clone()?)?;
    match Handle::from_path(path) {
        Ok(that) => Ok(this == that),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(fault) => Err(fault),
    }
}

/// Returns the disk space that a file uses; zero if there is no file.
fn bytes_on_disk(path: &Path) -> u64 {
    #[cfg(unix)]
    return fs::metadata(path).map_or(0, |file| {
        // `blocks` counts units of 512 bytes.
        std::os::unix::fs::MetadataExt::blocks(&file) * 512
    });
    #[cfg(not(unix))]
    return fs::metadata(path).map_or(0, |file| file.len());
}

/// The endings of a partial file and of its journal.
const PARTIAL: [&str; 2] = [".part", ".journal"];
/// The endings that the npm package uses when it generates a table in WebAssembly, which has no
/// locks.
const PARTIAL_OF_WASM: [&str; 2] = [".wasm-part", ".wasm-journal"];

fn with_endings(path: &Path, endings: [&str; 2]) -> [PathBuf; 2] {
    endings.map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.into()
    })
}

/// Removes those of the files that exist, and returns `true` if any did.
fn remove_all(paths: [PathBuf; 2]) -> Result<bool, FileError> {
    let mut any_existed = false;
    for path in &paths {
        match fs::remove_file(path) {
            Ok(()) => any_existed = true,
            Err(refused) if refused.kind() == io::ErrorKind::NotFound => {}
            Err(refused) => return Err(FileError::io("remove", path)(refused)),
        }
    }
    Ok(any_existed)
}

/// Opens the file `lock` and locks it, until it is closed, so that only this process writes `path`.
pub(crate) fn open_locked(lock: &Path, path: &Path) -> Result<File, FileError> {
    loop {
        let file = open_to_write(lock).map_err(FileError::io("write", lock))?;
        lock_for(path, &file)?;
        // If the previous holder of the lock has just removed the file, this lock protects nothing.
        if is_still_at(&file, lock).map_err(FileError::io("read", lock))? {
            return Ok(file);
        }
    }
}

/// Locks an open file, so that only this process writes `path`.
fn lock_for(path: &Path, file: &File) -> Result<(), FileError> {
    match try_lock(file) {
        Err(TryLockError::WouldBlock) => Err(FileError::BeingGenerated {
            path: path.to_owned(),
        }),
        Err(TryLockError::Error(refused)) => {
            let path = path.display();
            tracing::warn!(%path, %refused, "this folder does not support locks");
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_file::header::tests::Noise;

    #[test]
    fn a_block_that_changes_after_it_was_written_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("noise.table");
        let noise = Noise::new(96, 24);
        let generate = |alters_a_block: bool| {
            let mut written = Vec::new();
            let partial = PartialFile::open(&path, &noise).unwrap();
            let generated = partial.generate(&Control::default(), |generation, blocks| {
                written = blocks.to_vec();
                for &block in blocks {
                    generation.write(block, &[0; 24], [0; 16])?;
                }
                if alters_a_block {
                    generation.blocks.write_all_at(&[1], 30)?;
                }
                Ok::<(), FileError>(())
            });
            (written, generated.map_err(|error| error.to_string()))
        };
        let (written, refused) = generate(true);
        assert_eq!(written, [0, 1, 2, 3]);
        assert!(refused.unwrap_err().ends_with(CHANGED) && !path.exists());
        assert_eq!(generate(false), (vec![1], Ok(())));
    }
}
