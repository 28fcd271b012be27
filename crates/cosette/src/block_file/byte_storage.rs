//! Bytes at offsets: in a file of the system, in memory, or in a storage of the caller.

use std::io;
use std::sync::{PoisonError, RwLock};

/// Bytes that are read and written at offsets: a file of the system, or any storage of the caller,
/// such as the private files of a page in a browser. Other threads may read and write other bytes
/// at the same time.
pub trait Storage: Sync {
    /// Returns the number of bytes.
    fn length(&self) -> io::Result<u64>;

    /// Truncates the storage to `length`, or extends it by zeros.
    fn set_length(&self, length: u64) -> io::Result<()>;

    /// Fills `bytes` with the bytes at `offset`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too few bytes.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;

    /// Writes `bytes` at `offset`, and extends the storage if necessary.
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;

    /// Returns once everything written before survives a power cut, within the guarantees of the
    /// system.
    fn sync(&self) -> io::Result<()>;
}

impl<S: Storage> Storage for &S {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        (**self).set_length(length)
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        (**self).read_exact_at(bytes, offset)
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        (**self).write_all_at(bytes, offset)
    }

    fn sync(&self) -> io::Result<()> {
        (**self).sync()
    }
}

#[cfg(feature = "files")]
impl Storage for std::fs::File {
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

/// Bytes in memory, which the caller may keep anywhere.
impl Storage for RwLock<Vec<u8>> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.write()
            .unwrap_or_else(PoisonError::into_inner)
            .resize(memory_offset(length)?, 0);
        Ok(())
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let stored = self.read().unwrap_or_else(PoisonError::into_inner);
        let source = stored
            .get(memory_offset(offset)?..)
            .and_then(|rest| rest.get(..bytes.len()));
        bytes.copy_from_slice(source.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut stored = self.write().unwrap_or_else(PoisonError::into_inner);
        let start = memory_offset(offset)?;
        let end = start + bytes.len();
        if stored.len() < end {
            stored.resize(end, 0);
        }
        stored[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn memory_offset(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| io::ErrorKind::OutOfMemory.into())
}
