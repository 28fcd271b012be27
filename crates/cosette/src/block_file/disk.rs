//! What the system does for files.

use super::Storage;
use same_file::Handle;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Reads at an offset; other threads may read and write at the same time.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Writes at an offset; other threads may read and write at the same time.
#[cfg(unix)]
pub(super) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
pub(super) fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => (bytes, offset) = (&mut bytes[count..], offset + count as u64),
        }
    }
    Ok(())
}

#[cfg(windows)]
pub(super) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => (bytes, offset) = (&bytes[count..], offset + count as u64),
        }
    }
    Ok(())
}

impl Storage for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        read_exact_at(self, bytes, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        write_all_at(self, bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_all()
    }
}

/// How much work a power cut may cost, roughly.
const INTERVAL: Duration = Duration::from_secs(1);

/// Does `work` while another thread syncs the files once a second: the disk is busy all the time, little is left to write
/// at the end, and a power cut costs a second or two of work. The second result says whether syncing failed.
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
        let synced = syncing.map_or(Ok(()), |syncing| syncing.join().expect("syncing does not panic"));
        (result, synced)
    })
}

/// Opens a file for reading, unless it is a device or a pipe, which might never answer.
pub(super) fn open_to_read(path: &Path) -> io::Result<File> {
    check_is_no_device(path)?;
    File::open(path)
}

pub(super) fn open_to_write(path: &Path) -> io::Result<File> {
    check_is_no_device(path)?;
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn check_is_no_device(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(file) if !file.is_file() && !file.is_dir() => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device or a pipe, not a file"))
        }
        _ => Ok(()),
    }
}

pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes the new name of a file survive a power cut.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether `path` still names this file.
pub(super) fn is_still_at(file: &File, path: &Path) -> bool {
    let this = file.try_clone().and_then(Handle::from_file);
    this.is_ok_and(|this| Handle::from_path(path).is_ok_and(|that| this == that))
}

/// How much of the disk a file takes; zero where there is none.
pub(super) fn bytes_on_disk(path: &Path) -> u64 {
    #[cfg(unix)]
    return std::fs::metadata(path).map_or(0, |file| std::os::unix::fs::MetadataExt::blocks(&file) * 512);
    #[cfg(not(unix))]
    return std::fs::metadata(path).map_or(0, |file| file.len());
}
