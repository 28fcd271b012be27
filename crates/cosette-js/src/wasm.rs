//! The WebAssembly module.
//!
//! The host calls one function, `call`, with a request in JSON, and receives the result in JSON.
//! The host provides files, which the module addresses by number, and, with threads, workers that
//! share its memory (`npm/threads.js`). If the memory is shared, a long search or generation is
//! stopped by setting the byte at `stop_flag`; otherwise the host requests time slices, between
//! which it can stop. The host clears the byte before each request.
//!
//! Before the first call, the host calls `_initialize`, which prepares the C library (`build.rs`).
//!
//! The heap grows before threads run, and not while they do. V8 checks `memory.copy` and
//! `memory.fill` against the memory size that the thread knows, which may be out of date after
//! another thread has made the memory grow. A copy into memory that another thread had just added
//! ended one generation in a hundred with "memory access out of bounds" (V8 15.6; others are
//! affected too: github.com/rolldown/rolldown/issues/10697).

use crate::requests::{TableLocation, answer};
use crate::session::{Caller, EngineError, Session};
use cosette::table::{PartialTable, Storage, TableError};
use cosette::{Cancel, Control, Progress, Table, TableId, ThreadCount};
use serde_json::Value;
use std::cell::RefCell;
use std::hint::black_box;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Set by the host to stop the current request.
static STOP: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The session of the thread that the host calls.
    static SESSION: RefCell<Session> = RefCell::default();
}

/// Returns the address of the byte that stops the current request when it is set to 1.
#[unsafe(no_mangle)]
pub extern "C" fn stop_flag() -> *const AtomicBool {
    &raw const STOP
}

/// Allocates a buffer for a request of this many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(bytes: usize) -> *mut u8 {
    Box::into_raw(vec![0; bytes].into_boxed_slice()).cast()
}

/// Frees a buffer that [`call`] or [`reserve`] has returned.
///
/// # Safety
///
/// `bytes` must have been returned by [`call`] or [`reserve`]; `length` is the length of
/// the whole buffer, for a result with its four bytes of length; it must not have been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(bytes: *mut u8, length: usize) {
    // SAFETY: by the contract of this function; `call` and `reserve` return boxed slices.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, length)) });
}

/// Executes a request, and frees it. Returns the length of the result, in four bytes, followed by
/// the result.
///
/// # Safety
///
/// The request must be in a buffer of this many bytes that [`reserve`] has returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(request: *mut u8, length: usize) -> *mut u8 {
    // SAFETY: by the contract of this function; `reserve` returns boxed slices.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let json = SESSION
        .with_borrow_mut(|session| answer(session, &request, &Host))
        .to_string();
    let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
    bytes.extend(json.into_bytes());
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

#[link(wasm_import_module = "cosette")]
unsafe extern "C" {
    /// Returns the length of a file; negative if it cannot be read.
    safe fn file_length(file: u32) -> f64;
    /// Truncates a file or extends it with zeros; `false` on failure.
    safe fn file_set_length(file: u32, length: f64) -> bool;
    /// Reads bytes; `false` if there are fewer.
    fn file_read(file: u32, bytes: *mut u8, length: usize, offset: f64) -> bool;
    /// Writes bytes; `false` on failure.
    fn file_write(file: u32, bytes: *const u8, length: usize, offset: f64) -> bool;
    safe fn file_sync(file: u32) -> bool;
    /// Receives an event as JSON. May be called from any thread.
    fn event(json: *const u8, length: usize);
}

/// A file that the host has opened, by its number. Only the thread that the host calls may use it.
struct HostFile(u32);

/// The table, if it is complete.
const TABLE: HostFile = HostFile(0);
/// The generated part of an incomplete table.
const PARTIAL: HostFile = HostFile(1);
/// The journal of the generated part.
const JOURNAL: HostFile = HostFile(2);

impl Storage for HostFile {
    fn length(&self) -> io::Result<u64> {
        let length = file_length(self.0);
        if length >= 0.0 {
            Ok(length as u64)
        } else {
            Err(io::Error::other("the host cannot read the file"))
        }
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        stored(file_set_length(self.0, length as f64))
    }

    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        // SAFETY: the host writes at most as many bytes as there is room for.
        let is_read = unsafe { file_read(self.0, bytes.as_mut_ptr(), bytes.len(), offset as f64) };
        if is_read {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        // SAFETY: the host only reads these bytes.
        stored(unsafe { file_write(self.0, bytes.as_ptr(), bytes.len(), offset as f64) })
    }

    fn sync(&self) -> io::Result<()> {
        stored(file_sync(self.0))
    }
}

/// Returns an error if the host failed to store something. The host gives no reason; the most
/// common one is that its storage is full.
fn stored(succeeded: bool) -> io::Result<()> {
    if succeeded {
        Ok(())
    } else {
        Err(io::ErrorKind::StorageFull.into())
    }
}

/// The host, which calls the module.
struct Host;

impl Caller for Host {
    fn send_event(&self, json: &Value) {
        let text = json.to_string();
        // SAFETY: the host only reads these bytes.
        unsafe { event(text.as_ptr(), text.len()) };
    }

    fn cancel(&self) -> Cancel {
        Cancel::watching(&STOP)
    }
}

/// Memory of a thread: its stack, and the buffer for a class, the unit in which a table is
/// generated, of the largest table. Measured: 2.3 to 5.1 MB.
const MEMORY_PER_THREAD: u64 = 6 << 20;
/// Memory of a search in addition to its table and its threads. Measured: 5 MB.
const SEARCH_MEMORY: u64 = 16 << 20;
/// Memory for generating in addition to the table and the threads, most of it for the seeds: the
/// positions from which the generation starts. Measured: 84 MB.
const GENERATION_MEMORY: u64 = 96 << 20;

/// Grows the heap until this many bytes, and the memory of the threads, are free in one piece.
/// Without threads the heap may grow at any time, so it does nothing.
///
/// # Errors
///
/// Returns [`TableError`] if the memory cannot be allocated.
fn grow_heap(bytes: u64, threads: ThreadCount) -> Result<(), TableError> {
    if cfg!(not(feature = "threads")) {
        return Ok(());
    }
    // A search may have one more thread than requested: that of the two-phase search.
    let needed = bytes + (threads.get() as u64 + 1) * MEMORY_PER_THREAD;
    let mut room = Vec::<u8>::new();
    // Freed memory stays in the heap: WebAssembly never returns memory.
    let reserved =
        black_box(&mut room).try_reserve_exact(usize::try_from(needed).unwrap_or(usize::MAX));
    // Equal numbers mean that the system refused the allocation.
    reserved.map_err(|_| TableError::TooLittleMemory {
        needed,
        available: needed,
    })
}

impl Session {
    /// Loads a table from the files of the host. If the table is incomplete, returns its progress.
    /// Only this thread reads, because only it may use the files.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is unknown, if there is too little memory, if another file of
    /// the user is at the path of the table, or on cancellation.
    pub fn open(
        &mut self,
        name: &str,
        threads: ThreadCount,
        location: TableLocation,
        caller: &impl Caller,
    ) -> Result<(TableId, Option<Progress>), EngineError> {
        let id: TableId = name.parse()?;
        *self = Session::new(threads);
        grow_heap(id.size.bytes() + SEARCH_MEMORY, threads)?;
        let show = |_: &str, progress: Progress| caller.send_progress("loading", progress);
        let control = Control::new(ThreadCount::ONE)
            .on_progress(show)
            .with_cancel(&caller.cancel());
        match Table::load_from(id, &TABLE, &control) {
            Ok(table) => {
                self.use_table(table);
                self.is_stored = true;
                return Ok((id, None));
            }
            Err(error) if error.is_cancellation() || error.is_out_of_memory() => {
                return Err(error.into());
            }
            // In the user's folder, a foreign file is not replaced. In a browser, the table and the
            // partial table are one file, whose header is written last: a file without it is an
            // incomplete table.
            Err(error) if location.is_in_users_folder && error.is_other_file() => {
                return Err(error.into());
            }
            // A missing or corrupted table is generated.
            Err(_) => {}
        }
        grow_heap(id.size.bytes() + GENERATION_MEMORY, threads)?;
        let mut partial = PartialTable::new(id)?;
        // An error means that the storage of the host does not work.
        self.is_stored = partial.restore(&PARTIAL, &JOURNAL).is_ok();
        let progress = partial.progress();
        self.partial = Some(partial);
        Ok((id, Some(progress)))
    }

    /// Generates for a time slice, and stores the generated part. The table is ready once it is
    /// complete.
    ///
    /// # Errors
    ///
    /// Returns [`TableError`] if threads cannot be started, or on cancellation before anything was
    /// generated.
    pub fn generate(
        &mut self,
        slice: Duration,
        caller: &impl Caller,
    ) -> Result<Option<Progress>, TableError> {
        let threads = self.threads;
        let Some(partial) = &mut self.partial else {
            return Ok(None);
        };
        let control = Control::new(threads).with_cancel(&caller.cancel());
        // The time slice starts only after `prepare`, whose work is not stored: otherwise every
        // slice could end during it, and nothing would ever be generated.
        partial.prepare(&control)?;
        let generated = partial.generate(&control.with_timeout(slice));
        self.is_stored = self.is_stored && partial.store(&PARTIAL, &JOURNAL).is_ok();
        match generated {
            Err(TableError::Stopped { progress, .. }) => return Ok(Some(progress)),
            generated => generated?,
        }
        let partial = self.partial.take().expect("it was there above");
        if self.is_stored {
            // If the file cannot be completed, the table is still used.
            self.is_stored = partial
                .complete(&PARTIAL, &JOURNAL, &Control::new(threads))
                .is_ok();
        }
        self.use_table(partial.into_table());
        Ok(None)
    }
}
