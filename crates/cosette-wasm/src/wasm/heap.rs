//! The heap, which grows before threads run, and not while they do.
//!
//! V8 checks `memory.copy` and `memory.fill` against the size of the memory that the thread knows, which may be from before
//! another thread made the memory grow. A copy to where another thread had just made room ended one generation in a hundred
//! with "memory access out of bounds" (V8 15.6; it happens to others too: github.com/rolldown/rolldown/issues/10697).

use cosette::ThreadCount;
use cosette::table::TableError;
use std::hint::black_box;

/// What a thread takes: its stack, and what it generates a class of the largest table in. Measured: 2.3 to 5.1 MB.
const OF_A_THREAD: u64 = 6 << 20;
/// What a search takes beside its table and its threads. Measured: 5 MB.
pub const OF_A_SEARCH: u64 = 16 << 20;
/// What generating takes beside the table and the threads, most of it for the seeds. Measured: 84 MB.
pub const OF_GENERATING: u64 = 96 << 20;

/// Makes the heap grow until this many bytes, and what the threads take, are free in one piece. Fails if the system refuses that.
pub fn reserve(bytes: u64, threads: ThreadCount) -> Result<(), TableError> {
    if cfg!(not(feature = "threads")) {
        return Ok(());
    }
    // A search may have one thread more than was asked for: that of the two-phase search.
    let needed = bytes + (threads.get() as u64 + 1) * OF_A_THREAD;
    let mut room = Vec::<u8>::new();
    // What is freed stays in the heap: WebAssembly takes no memory back.
    let reserved = black_box(&mut room).try_reserve_exact(usize::try_from(needed).unwrap_or(usize::MAX));
    reserved.map_err(|_| TableError::TooLittleMemory { needed, available: needed })
}
