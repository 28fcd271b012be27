//! How many random lines a second this machine's memory gives: the limit of every search with a large table.
//!
//! # Theory
//!
//! A search cannot be faster than the lines of its table arrive. A single line takes the whole latency of memory, some
//! 100 ns; with many in flight at once, one arrives every few nanoseconds. The rate depends on how many are in flight,
//! on the prefetch instruction, and on the size of the pages, so all three can be chosen here.
//!
//! ```text
//! a ring of k slots, each with a line in flight; repeat for each slot in turn:
//!     read the line, and compute the next one from what was read
//!     prefetch that one
//! ```
//!
//! Since the next line of a slot depends on the one before, no more than k are ever in flight, however far ahead the
//! processor works; and with k = 1 the latency is measured. (If the lines were drawn ahead of time, the processor would
//! fetch some ten at once whatever k is: 17 ns a line with k = 1, where the latency is 170. From k = 64 on, both ways agree.)

use super::catalogue::TableError;
use super::line::Line;
use super::pruning_table::{Table, TableMemory, share_of_huge_pages};
use crate::control::{Cancel, Control, ThreadCount};
use crate::kernel::{Hint, prefetch, prefetch_near};
use crate::platform::Pages;
use rayon::prelude::*;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use zerocopy::FromBytes;

/// Memory like that of a table, to be read in random order.
pub struct RandomLines {
    memory: TableMemory,
}

/// A way of reading.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// How many lines are in flight at once, for each thread; from 1 to [`Access::MOST_IN_FLIGHT`].
    pub in_flight: usize,
    /// How they are prefetched.
    pub hint: Hint,
    /// How many threads read.
    pub threads: ThreadCount,
}

impl Access {
    /// The most lines that can be in flight for one thread.
    pub const MOST_IN_FLIGHT: usize = 128;
}

/// How fast lines arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineRate {
    /// Lines per second of all threads together.
    pub per_second: f64,
    threads: ThreadCount,
}

impl LineRate {
    /// Nanoseconds of thread time per line.
    pub fn nanoseconds(self) -> f64 {
        1e9 * self.threads.get() as f64 / self.per_second
    }
}

/// Lines that are written between two reports of progress: 4 MB.
const CHUNK: usize = 1 << 16;

/// Lines that are read between two readings of the clock: some microseconds to some hundred.
const READS_PER_CHECK: usize = 4096;

impl RandomLines {
    /// Takes `bytes` of memory, rounded down to whole lines, and writes to all of it, since all pages that were never
    /// written share one physical page. Fails if there is too little memory, if threads cannot be started, or on
    /// cancellation. Panics if that is less than a line.
    pub fn new(bytes: u64, pages: Pages, control: &Control<'_>) -> Result<RandomLines, TableError> {
        let lines = (bytes / size_of::<Line>() as u64) as usize;
        assert!(lines > 0, "there is a line to read");
        let mut memory = TableMemory::in_pages(pages, (lines * size_of::<Line>()) as u64)?;
        let done = AtomicU64::new(0);
        let write = |(number, piece): (usize, &mut [Line])| {
            if control.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            piece.fill(zerocopy::transmute!([scattered(number); 8]));
            let done = piece.len() as u64 + done.fetch_add(piece.len() as u64, Ordering::Relaxed);
            control.report(done, lines as u64);
            Ok(())
        };
        control.in_pool(|| memory.as_mut_lines().par_chunks_mut(CHUNK).enumerate().try_for_each(write))??;
        Ok(RandomLines { memory })
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        self.memory.len() as u64
    }

    /// The share that is in huge pages, from 0 to 1; `None` if the system does not say.
    pub fn share_of_huge_pages(&self) -> Option<f64> {
        share_of_huge_pages(&self.memory)
    }

    /// Reads for `time`, or until it is cancelled, and returns the rate, with fewer threads if the system refuses to start
    /// them all. Panics if the number of lines in flight is out of range.
    pub fn rate(&self, access: Access, time: Duration, cancel: &Cancel) -> LineRate {
        rate(&self.memory, access, time, cancel)
    }
}

impl Table {
    /// [`RandomLines::rate`] for the lines of this table: the limit of a search with it.
    pub fn line_rate(&self, access: Access, time: Duration, cancel: &Cancel) -> LineRate {
        rate(&self.memory, access, time, cancel)
    }
}

fn rate(memory: &[u8], access: Access, time: Duration, cancel: &Cancel) -> LineRate {
    let lines = <[Line]>::ref_from_bytes(memory).expect("pages are aligned, and the table is made of lines");
    match access.hint {
        Hint::Near => rate_with(prefetch_near, lines, access, time, cancel),
        Hint::Far => rate_with(prefetch, lines, access, time, cancel),
    }
}

fn rate_with(
    prefetch: impl Fn(*const Line) + Copy + Sync,
    lines: &[Line],
    Access { in_flight, mut threads, .. }: Access,
    time: Duration,
    cancel: &Cancel,
) -> LineRate {
    assert!((1..=Access::MOST_IN_FLIGHT).contains(&in_flight), "{in_flight} lines in flight");
    // Locked until all threads have been started.
    let gate = RwLock::new(());
    let read = |thread: usize| {
        let draws = (0..in_flight).map(|place| scattered(thread * in_flight + place)).collect();
        let mut ring = Ring { lines, draws, prefetch };
        drop(gate.read());
        ring.read_for(time, cancel)
    };
    let per_second = std::thread::scope(|scope| {
        let read = &read;
        let closed = gate.write();
        let start = |thread| std::thread::Builder::new().spawn_scoped(scope, move || read(thread)).ok();
        let others: Vec<_> = (1..threads.get()).map_while(start).collect();
        threads = threads.at_most(1 + others.len());
        drop(closed);
        read(0) + others.into_iter().map(|other| other.join().expect("reading does not panic")).sum::<f64>()
    });
    LineRate { per_second, threads }
}

/// A different number for each `number`, far from those of its neighbours.
fn scattered(number: usize) -> u64 {
    (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2⁶⁴ divided by the golden ratio
}

/// The lines in flight for one thread.
struct Ring<'a, P> {
    lines: &'a [Line],
    /// For each slot a random number, which selects the line in flight: a fraction of all, in units of 2⁻⁶⁴.
    draws: Vec<u64>,
    prefetch: P,
}

impl<P: Fn(*const Line) + Copy> Ring<'_, P> {
    /// Lines per second, measured for `time`.
    fn read_for(&mut self, time: Duration, cancel: &Cancel) -> f64 {
        let start = Instant::now();
        let mut read = 0;
        loop {
            for _ in 0..READS_PER_CHECK.div_ceil(self.draws.len()) {
                self.read_each();
                read += self.draws.len();
            }
            let elapsed = start.elapsed();
            if elapsed >= time || cancel.is_cancelled() {
                return read as f64 / elapsed.as_secs_f64();
            }
        }
    }

    /// Reads the line of each slot and prefetches its next one.
    #[inline(always)]
    fn read_each(&mut self) {
        let line_of = |draw: u64| ((u128::from(draw) * self.lines.len() as u128) >> 64) as usize;
        for draw in &mut self.draws {
            let [word, ..]: &[u64; 8] = zerocopy::transmute_ref!(&self.lines[line_of(*draw)]);
            // One step of a linear congruential generator (Knuth's MMIX), in which the word read takes part.
            *draw = (*draw ^ word).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.prefetch)(&raw const self.lines[line_of(*draw)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_reading_has_a_rate() {
        let (threads, cancel) = (ThreadCount::new(2).unwrap(), Cancel::new());
        for pages in Pages::ALL {
            let lines = RandomLines::new(10_000_000, pages, &Control::new(threads)).unwrap();
            assert_eq!(lines.bytes(), 10_000_000);
            for (hint, in_flight) in Hint::ALL.into_iter().zip([1, Access::MOST_IN_FLIGHT]) {
                let rate = lines.rate(Access { in_flight, hint, threads }, Duration::from_millis(1), &cancel);
                assert!(rate.per_second > 1e5 && rate.nanoseconds() > 0.1, "{rate:?}");
            }
        }
    }

    #[test]
    fn writing_stops_when_asked() {
        let cancel = Cancel::new();
        cancel.cancel();
        let stopped = RandomLines::new(10_000_000, Pages::Huge, &Control::default().with_cancel(&cancel));
        assert!(matches!(stopped, Err(TableError::Cancelled)));
    }
}
