//! The heap, which grows before threads run, and not while they do.
//!
//! A thread may know the size of the memory from before another one made it grow. Loads and stores work all the same, but
//! browsers check `memory.copy` and `memory.fill` against the size that the thread knows: a copy to where another thread has
//! just made room ended a generation in a hundred with "memory access out of bounds" (V8 15.6).

use cosette::ThreadCount;
use std::hint::black_box;

/// What a thread takes: its stack, and what it generates a class of the largest table in. Measured: 2.3 to 5.1 MB.
const OF_A_THREAD: u64 = 6 << 20;
/// What a search takes beside its table and its threads. Measured: 5 MB.
pub const OF_A_SEARCH: u64 = 16 << 20;
/// What generating takes beside the table and the threads, most of it for the seeds. Measured: 84 MB.
pub const OF_GENERATING: u64 = 96 << 20;

/// Makes the heap grow to this many bytes and what the threads take. If it cannot, it will have to grow later.
pub fn reserve(bytes: u64, threads: ThreadCount) {
    if cfg!(feature = "threads") {
        // A search may have one thread more than was asked for: that of the two-phase search.
        let bytes = bytes + (threads.get() as u64 + 1) * OF_A_THREAD;
        let mut room = Vec::<u8>::new();
        // What is freed stays in the heap: WebAssembly takes no memory back.
        _ = black_box(&mut room).try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    }
}
