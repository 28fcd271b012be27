//! Reading and writing at an offset, whatever other threads read and write meanwhile.

use std::fs::File;
use std::io;

#[cfg(unix)]
pub(super) use unix::{read_exact_at, write_all_at};
#[cfg(windows)]
pub(super) use windows::{read_exact_at, write_all_at};

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::FileExt;

    pub fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        file.read_exact_at(bytes, offset)
    }

    pub fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }
}

#[cfg(windows)]
mod windows {
    use super::*;
    use std::os::windows::fs::FileExt;

    pub fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match file.seek_read(bytes, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => (bytes, offset) = (&mut bytes[count..], offset + count as u64),
            }
        }
        Ok(())
    }

    pub fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match file.seek_write(bytes, offset)? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => (bytes, offset) = (&bytes[count..], offset + count as u64),
            }
        }
        Ok(())
    }
}
