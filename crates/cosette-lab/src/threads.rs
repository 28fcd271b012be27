//! Work shared among threads.

use crate::error::LabError;
use cosette::Cancel;
use cosette::table::TableError;
use std::num::NonZeroUsize;

/// Does `work` in a pool of this many threads.
pub(crate) fn in_pool<T: Send>(threads: NonZeroUsize, work: impl FnOnce() -> T + Send) -> Result<T, LabError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    Ok(pool.map_err(|source| TableError::Threads { threads, source })?.install(work))
}

/// Does `work` on each of at most `threads` threads, this one among them; on fewer where the system starts no more.
pub(crate) fn on_each(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if let Err(refused) = std::thread::Builder::new().spawn_scoped(scope, &work) {
                tracing::warn!(%refused, "searching with fewer threads");
                break;
            }
        }
        work();
    });
}

/// Sorts with the threads of this pool. On cancellation the order is left as it happens to be.
pub(crate) fn sort<T: Ord + Send>(items: &mut [T], cancel: &Cancel) {
    if items.len() < 1 << 16 {
        items.sort_unstable();
    } else if !cancel.is_cancelled() {
        let middle = items.len() / 2;
        let (below, _, above) = items.select_nth_unstable(middle);
        rayon::join(|| sort(below, cancel), || sort(above, cancel));
    }
}
