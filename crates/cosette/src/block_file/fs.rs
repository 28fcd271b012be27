//! File-system operations, and the paths of a file that is being written.

use super::error::FileError;
use super::storage::Storage;
use crate::platform::try_lock;
use same_file::Handle;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

impl Storage for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    #[cfg(unix)]
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, bytes, offset)
    }

    #[cfg(unix)]
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(self, bytes, offset)
    }

    #[cfg(windows)]
    fn read_exact_at(&self, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, bytes, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => (bytes, offset) = (&mut bytes[count..], offset + count as u64),
            }
        }
        Ok(())
    }

    #[cfg(windows)]
    fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match std::os::windows::fs::FileExt::seek_write(self, bytes, offset)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => (bytes, offset) = (&bytes[count..], offset + count as u64),
            }
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// Approximate amount of work that a power cut may cost.
const INTERVAL: Duration = Duration::from_secs(1);

/// Does `work` while another thread syncs the files once a second: the disk is busy all the time,
/// little is left to write at the end, and a power cut costs a second or two of work. The second
/// result is the error of syncing.
pub(super) fn while_syncing<T>(files: &[&File], work: impl FnOnce() -> T) -> (T, io::Result<()>) {
    let (done, is_done) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let syncing = std::thread::Builder::new().spawn_scoped(scope, move || {
            while is_done.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                files.iter().try_for_each(|file| file.sync_data())?;
            }
            Ok(())
        });
        let result = work();
        drop(done);
        // Without that thread, a power cut costs all of the work.
        let synced = syncing.map_or(Ok(()), |syncing| {
            syncing.join().expect("syncing does not panic")
        });
        (result, synced)
    })
}

pub(super) fn open_to_write(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Makes the new name of a file survive a power cut. Other systems cannot sync a folder.
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

/// Returns the disk space of a file; zero if there is none.
pub(super) fn bytes_on_disk(path: &Path) -> u64 {
    #[cfg(unix)]
    return fs::metadata(path).map_or(0, |file| {
        std::os::unix::fs::MetadataExt::blocks(&file) * 512
    });
    #[cfg(not(unix))]
    return fs::metadata(path).map_or(0, |file| file.len());
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Removes those files that exist, and returns `true` if one did.
fn remove_all(paths: [&PathBuf; 2]) -> Result<bool, FileError> {
    let mut removed = false;
    for path in paths {
        match fs::remove_file(path) {
            Ok(()) => removed = true,
            Err(refused) if refused.kind() == io::ErrorKind::NotFound => {}
            Err(refused) => return Err(FileError::io("remove", path)(refused)),
        }
    }
    Ok(removed)
}

/// Opens a file that is locked while `path` is written.
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

/// Locks an open file while `path` is written.
pub(super) fn lock_for(path: &Path, file: &File) -> Result<(), FileError> {
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

/// The path of a file, and those of the files next to it while it is being written.
pub(super) struct Paths {
    pub path: PathBuf,
    pub part: PathBuf,
    pub journal: PathBuf,
}

impl Paths {
    pub fn of(path: &Path) -> Paths {
        Paths {
            path: path.to_owned(),
            part: with_ending(path, ".part"),
            journal: with_ending(path, ".journal"),
        }
    }

    /// Removes partial file and journal, and returns `true` if there was one.
    pub fn remove_partial(&self) -> Result<bool, FileError> {
        remove_all([&self.part, &self.journal])
    }

    /// Removes the partial files that the npm package leaves when it generates in WebAssembly,
    /// which has no locks.
    pub fn remove_partial_of_wasm(&self) -> Result<bool, FileError> {
        let [part, journal] =
            [".wasm-part", ".wasm-journal"].map(|ending| with_ending(&self.path, ending));
        remove_all([&part, &journal])
    }
}
