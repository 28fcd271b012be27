//! For systems without shared memory that is freed with its last user: each process loads its own copy of a table.

use crate::platform::Pages;
use crate::table::catalogue::TableError;
use std::convert::Infallible;
use std::io;
use std::ops::{Deref, DerefMut};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryLocation {
    pub process: u32,
    pub descriptor: u32,
    pub file: u64,
}

pub(super) struct Draft(Infallible);

impl Draft {
    pub fn zeroed(_: Pages, _: u64) -> Result<Draft, TableError> {
        Err(unsupported("create"))
    }

    pub fn seal(self) -> Result<SharedMemory, TableError> {
        match self.0 {}
    }
}

impl Deref for Draft {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self.0 {}
    }
}

impl DerefMut for Draft {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self.0 {}
    }
}

#[derive(Debug)]
pub(super) struct SharedMemory(Infallible);

impl SharedMemory {
    pub fn open(_: MemoryLocation, _: u64) -> Result<SharedMemory, TableError> {
        Err(unsupported("open"))
    }

    pub fn location(&self) -> Option<MemoryLocation> {
        match self.0 {}
    }
}

impl Deref for SharedMemory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self.0 {}
    }
}

fn unsupported(action: &'static str) -> TableError {
    TableError::NotShared { action, source: io::ErrorKind::Unsupported.into() }
}
