//! The rate at which this machine's memory delivers random lines: the limit of every search with a
//! large table.
//!
//! # Theory
//!
//! A search cannot be faster than the lines of its table arrive. A single line takes the whole
//! latency of memory, some 100 ns; with many in flight at once, one arrives every few nanoseconds.
//! They are requested as the search requests them, in the same pages and with the same prefetch;
//! only how many are in flight can be chosen.
//!
//! ```text
//! a ring of k slots, each with a line in flight; repeat for each slot, one after the other:
//!     read the line, and compute the next one from what was read
//!     prefetch that one
//! ```
//!
//! Since the next line of a slot depends on the one before, no more than k are ever in flight,
//! however far ahead the processor works; and with k = 1 the latency is measured. A search also
//! computes, some hundred instructions for each line. Measurements with instructions between the
//! requests show if that takes more time or overlaps with memory. (Lines drawn in advance would not
//! do: the processor would fetch some ten at once even with k = 1, and show 17 ns a line on a
//! machine whose latency is 170 ns. From k = 64 on, both ways agree.)

use super::catalog::TableError;
use super::line::Line;
use super::pruning_table::TableMemory;
use crate::control::Control;
use crate::kernel::prefetch;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use zerocopy::FromBytes;

/// Nanoseconds that one thread needs per line: to request it, to execute the [`INSTRUCTIONS`] of a
/// search for it, and for both together.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OverlapMeasurement {
    /// Lines alone.
    pub lines_ns: f64,
    /// Instructions alone.
    pub instructions_ns: f64,
    /// Both alternately.
    pub both_ns: f64,
}

impl OverlapMeasurement {
    /// Returns which share of the shorter of the two times overlaps with the longer one: 1 if
    /// memory and computation overlap completely, 0 if their times add up; negative if they hinder
    /// one another.
    pub fn share(&self) -> f64 {
        (self.lines_ns + self.instructions_ns - self.both_ns)
            / self.lines_ns.min(self.instructions_ns)
    }

    /// Returns the minimum of two measurements, time by time.
    pub fn least(self, other: OverlapMeasurement) -> OverlapMeasurement {
        OverlapMeasurement {
            lines_ns: self.lines_ns.min(other.lines_ns),
            instructions_ns: self.instructions_ns.min(other.instructions_ns),
            both_ns: self.both_ns.min(other.both_ns),
        }
    }
}

/// Number of instructions between two requests: about as many as in a search.
pub const INSTRUCTIONS: usize = 128;

/// Number of lines in flight during a measurement of overlap.
const MANY: usize = 128;

/// Lines that are written between two reports of progress: 4 MB.
const CHUNK: usize = 1 << 16;

/// Lines that are read between two readings of the clock: they take from about ten to some hundred
/// microseconds.
const READS_PER_CHECK: usize = 4096;

impl TableMemory {
    /// Allocates `bytes` of memory, rounded down to whole lines, and writes to all of it, since all
    /// pages that were never written share one physical page.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory, if threads cannot be started, or on
    /// cancellation.
    ///
    /// # Panics
    ///
    /// Panics if `bytes` is less than a line.
    pub fn filled(bytes: u64, control: &Control<'_>) -> Result<TableMemory, TableError> {
        let lines = (bytes / size_of::<Line>() as u64) as usize;
        assert!(lines > 0, "there is a line to read");
        let mut memory = TableMemory::zeroed((lines * size_of::<Line>()) as u64)?;
        let written = AtomicU64::new(0);
        let write = |(number, piece): (usize, &mut [Line])| {
            if control.is_cancelled() {
                return Err(TableError::Cancelled);
            }
            piece.fill(zerocopy::transmute!([scattered(number); 8]));
            let done =
                piece.len() as u64 + written.fetch_add(piece.len() as u64, Ordering::Relaxed);
            control.report(done, lines as u64);
            Ok(())
        };
        control.in_pool(|| {
            memory
                .as_mut_lines()
                .par_chunks_mut(CHUNK)
                .enumerate()
                .try_for_each(write)
        })??;
        Ok(memory)
    }

    /// Reads random lines for `time`, with `in_flight` lines (at least 1) in flight per thread.
    /// Returns the nanoseconds that a thread needs per line: the limit of a search.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, or on cancellation.
    pub fn line_nanoseconds(
        &self,
        in_flight: usize,
        time: Duration,
        control: &Control<'_>,
    ) -> Result<f64, TableError> {
        let read = |thread: usize| {
            Ring::new(self.as_lines(), thread, in_flight).read_for::<true, 0>(time, control)
        };
        let rates = control.in_pool(|| rayon::broadcast(|thread| read(thread.index())))?;
        if control.is_cancelled() {
            return Err(TableError::Cancelled);
        }
        Ok(1e9 * rates.len() as f64 / rates.iter().sum::<f64>())
    }

    /// Measures the overlap of memory and computation: three measurements for `time` each, with one
    /// thread.
    pub fn overlap(&self, time: Duration, control: &Control<'_>) -> OverlapMeasurement {
        let ring = || Ring::new(self.as_lines(), 0, MANY);
        let nanoseconds = |rate: f64| 1e9 / rate;
        OverlapMeasurement {
            lines_ns: nanoseconds(ring().read_for::<true, 0>(time, control)),
            instructions_ns: nanoseconds(ring().read_for::<false, INSTRUCTIONS>(time, control)),
            both_ns: nanoseconds(ring().read_for::<true, INSTRUCTIONS>(time, control)),
        }
    }

    fn as_lines(&self) -> &[Line] {
        <[Line]>::ref_from_bytes(self).expect("pages are aligned, and the table is made of lines")
    }
}

/// Returns a number that is different for each `number`, and far from the results for adjacent
/// ones.
fn scattered(number: usize) -> u64 {
    (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) // 2⁶⁴ divided by the golden ratio
}

/// The lines in flight for one thread.
struct Ring<'a> {
    lines: &'a [Line],
    /// For each slot a random number that selects its line: number `draw` · lines / 2⁶⁴.
    draws: Vec<u64>,
}

impl<'a> Ring<'a> {
    fn new(lines: &'a [Line], thread: usize, in_flight: usize) -> Ring<'a> {
        Ring {
            lines,
            draws: (0..in_flight)
                .map(|slot| scattered(thread * in_flight + slot))
                .collect(),
        }
    }

    /// Returns how many lines it reads (or would read, without `LINES`) per second, measured for
    /// `time`.
    fn read_for<const LINES: bool, const WORK: usize>(
        &mut self,
        time: Duration,
        control: &Control<'_>,
    ) -> f64 {
        let start = Instant::now();
        let mut lines_read = 0;
        loop {
            for _ in 0..READS_PER_CHECK.div_ceil(self.draws.len()) {
                self.read_each::<LINES, WORK>();
                lines_read += self.draws.len();
            }
            let elapsed = start.elapsed();
            if elapsed >= time || control.is_cancelled() {
                return lines_read as f64 / elapsed.as_secs_f64();
            }
        }
    }

    /// For each slot: executes `WORK` instructions; then, if `LINES`, reads its line and prefetches
    /// the next one.
    #[inline(always)]
    fn read_each<const LINES: bool, const WORK: usize>(&mut self) {
        let line_of = |draw: u64| ((u128::from(draw) * self.lines.len() as u128) >> 64) as usize;
        // Four independent chains, which a processor executes at once; a step is two instructions
        // in each, eight in all.
        let mut chains = [1, 2, 3, 4];
        for draw in &mut self.draws {
            for step in 0..WORK / 8 {
                chains = chains.map(|chain: u64| chain.rotate_left(7).wrapping_add(step as u64));
            }
            if !LINES {
                continue;
            }
            let [word, ..]: &[u64; 8] = zerocopy::transmute_ref!(&self.lines[line_of(*draw)]);
            // One step of a linear congruential generator (Knuth's MMIX), in which the word read
            // takes part.
            *draw = (*draw ^ word)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            prefetch(&raw const self.lines[line_of(*draw)]);
        }
        std::hint::black_box(chains);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Cancel, ThreadCount};

    #[test]
    fn the_share_of_overlap_follows_from_the_times() {
        for (both_ns, share) in [(9.0, 1.0), (11.0, 0.5), (13.0, 0.0)] {
            let measured = OverlapMeasurement {
                lines_ns: 4.0,
                instructions_ns: 9.0,
                both_ns,
            };
            assert_eq!(measured.share(), share);
        }
    }

    #[test]
    fn measurements_are_plausible_and_end_when_cancelled() {
        let cancel = Cancel::new();
        let control = Control::new(ThreadCount::new(2).unwrap()).with_cancel(&cancel);
        let lines = TableMemory::filled(10_000_000, &control).unwrap();
        let time = Duration::from_millis(1);
        let [one, many] =
            [1, 128].map(|in_flight| lines.line_nanoseconds(in_flight, time, &control));
        let measured = lines.overlap(time, &control);
        for nanoseconds in [
            one.unwrap(),
            many.unwrap(),
            measured.lines_ns,
            measured.instructions_ns,
            measured.both_ns,
        ] {
            assert!((0.1..10_000.0).contains(&nanoseconds), "{nanoseconds}");
        }
        cancel.cancel();
        let again = TableMemory::filled(10_000_000, &control);
        assert!(matches!(again, Err(TableError::Cancelled)));
        let endless = lines.line_nanoseconds(1, Duration::MAX, &control);
        assert!(matches!(endless, Err(TableError::Cancelled)));
    }
}
