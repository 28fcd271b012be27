//! What the module asks of its host: files, and to be told what happens.

use super::exports::STOP;
use crate::session::Caller;
use cosette::Cancel;
use cosette::table::Storage;
use serde_json::Value;
use std::io;

#[link(wasm_import_module = "cosette")]
unsafe extern "C" {
    /// How long a file is; negative if it cannot be read.
    safe fn file_length(file: u32) -> f64;
    /// Cuts a file or adds zeros; false if that is refused.
    safe fn file_set_length(file: u32, length: f64) -> bool;
    /// Reads, and returns whether there were as many bytes.
    fn file_read(file: u32, bytes: *mut u8, length: usize, offset: f64) -> bool;
    /// Writes; false if that is refused.
    fn file_write(file: u32, bytes: *const u8, length: usize, offset: f64) -> bool;
    safe fn file_sync(file: u32) -> bool;
    /// Takes an event as JSON. May be called by any thread.
    fn event(json: *const u8, length: usize);
}

/// A file that the host has opened, by its number. Only the thread that the host calls may use it.
pub struct HostFile(pub u32);

/// The table, if it is complete.
pub const TABLE: HostFile = HostFile(0);
/// What is generated so far, and its journal.
pub const PARTIAL: HostFile = HostFile(1);
pub const JOURNAL: HostFile = HostFile(2);

impl Storage for HostFile {
    fn length(&self) -> io::Result<u64> {
        let length = file_length(self.0);
        if length >= 0.0 { Ok(length as u64) } else { Err(io::Error::other("the host cannot read the file")) }
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        accepted(file_set_length(self.0, length as f64))
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        // SAFETY: the host writes at most as many bytes as there is room for.
        let is_read = unsafe { file_read(self.0, bytes.as_mut_ptr(), bytes.len(), offset as f64) };
        if is_read { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        // SAFETY: the host only reads these bytes.
        accepted(unsafe { file_write(self.0, bytes.as_ptr(), bytes.len(), offset as f64) })
    }

    fn sync(&self) -> io::Result<()> {
        accepted(file_sync(self.0))
    }
}

fn accepted(is_accepted: bool) -> io::Result<()> {
    if is_accepted { Ok(()) } else { Err(io::ErrorKind::StorageFull.into()) }
}

/// The host, which calls the module.
pub struct Host;

impl Caller for Host {
    fn tell(&self, json: &Value) {
        let text = json.to_string();
        // SAFETY: the host only reads these bytes.
        unsafe { event(text.as_ptr(), text.len()) };
    }

    fn cancel(&self) -> Cancel {
        Cancel::watching(&STOP)
    }
}
