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

/// Bytes in memory, which the caller may keep anywhere.
impl Storage for RwLock<Vec<u8>> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.read().unwrap_or_else(PoisonError::into_inner).len() as u64)
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.write()
            .unwrap_or_else(PoisonError::into_inner)
            .resize(in_memory(length)?, 0);
        Ok(())
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let kept = self.read().unwrap_or_else(PoisonError::into_inner);
        let from = kept
            .get(in_memory(offset)?..)
            .and_then(|kept| kept.get(..bytes.len()));
        bytes.copy_from_slice(from.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let mut kept = self.write().unwrap_or_else(PoisonError::into_inner);
        let start = in_memory(offset)?;
        let end = start + bytes.len();
        if kept.len() < end {
            kept.resize(end, 0);
        }
        kept[start..end].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

fn in_memory(offset: u64) -> io::Result<usize> {
    usize::try_from(offset).map_err(|_| io::ErrorKind::OutOfMemory.into())
}
