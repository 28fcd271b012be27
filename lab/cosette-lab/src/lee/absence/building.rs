//! Building the two arrays.
//!
//! They are built bucket by bucket: the pairs of bucket and number are sorted, as many at a time as fit 400 MB, which
//! takes a pass over the stored positions each. An interrupted build starts again: it takes seconds.

use super::scheme::{Scheme, WORD};
use crate::error::LabError;
use crate::lee::sort;
use crate::lee::space::{Key, StoredSpace};
use cosette::Control;
use cosette::block_file::{Contents, PartialFile};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How many pairs are sorted at a time.
const PAIRS: u64 = 50_000_000;
/// In how many bins buckets are counted to see how many fit.
const BINS: u64 = 1 << 12;
/// How many bytes are written at a time, about.
const PIECE: usize = 1 << 20;

/// The construction of the two arrays.
pub(super) struct Building<'a> {
    pub space: &'a StoredSpace,
    pub scheme: Scheme,
    pub control: &'a Control<'a>,
}

impl Building<'_> {
    /// Builds the arrays into the file at `path`. If that fails, nothing is left behind.
    pub fn build(&self, path: &Path, contents: &dyn Contents) -> Result<(), LabError> {
        let partial = PartialFile::open(path, contents)?;
        match self.write_all(&partial) {
            Ok(bytes) => Ok(partial.finish(bytes, self.control)?),
            Err(fault) => {
                partial.discard()?;
                Err(fault)
            }
        }
    }

    /// Writes both arrays and returns how many bytes they have.
    fn write_all(&self, partial: &PartialFile<'_>) -> Result<u64, LabError> {
        let array = |at| Array { partial, bytes: Vec::new(), at };
        let (mut hash1, mut hash2) = (array(0), array(self.scheme.buckets * self.entry()));
        self.parts()?.into_iter().try_for_each(|part| self.write(part, &mut hash1, &mut hash2))?;
        hash1.flush()?;
        hash2.flush()?;
        Ok(hash2.at)
    }

    /// How many bytes an entry of hash1 takes.
    fn entry(&self) -> u64 {
        self.scheme.method.words() as u64 * WORD
    }

    /// All buckets, in parts that hold [`PAIRS`] positions or little more.
    fn parts(&self) -> Result<Vec<Range<u64>>, LabError> {
        let end_of = |bin: u64| ((bin + 1) * self.scheme.buckets).div_ceil(BINS);
        if self.space.len() <= PAIRS {
            return Ok(std::iter::once(0..self.scheme.buckets).collect());
        }
        let bins: Vec<AtomicU64> = (0..BINS).map(|_| AtomicU64::new(0)).collect();
        let count = |_, keys: &mut dyn Iterator<Item = Key>| {
            let mut here = vec![0; BINS as usize];
            keys.for_each(|key| {
                here[(self.scheme.hash.bucket(key, self.scheme.buckets) * BINS / self.scheme.buckets) as usize] += 1
            });
            for (bin, here) in bins.iter().zip(here) {
                bin.fetch_add(here, Relaxed);
            }
        };
        self.space.for_each_stretch(count, &self.control.silent())?;
        let (mut parts, mut start, mut pairs) = (Vec::new(), 0, 0);
        for (bin, count) in (0..).zip(bins) {
            pairs += count.into_inner();
            if pairs >= PAIRS || bin + 1 == BINS {
                parts.push(start..end_of(bin));
                (start, pairs) = (end_of(bin), 0);
            }
        }
        Ok(parts)
    }

    /// Writes the buckets of a part.
    fn write(&self, part: Range<u64>, hash1: &mut Array<'_>, hash2: &mut Array<'_>) -> Result<(), LabError> {
        let pairs = Mutex::new(Vec::new());
        let gather = |first: u64, keys: &mut dyn Iterator<Item = Key>| {
            let pair = |(number, key)| {
                let bucket = self.scheme.hash.bucket(key, self.scheme.buckets);
                part.contains(&bucket).then_some(bucket << 32 | number)
            };
            let here: Vec<u64> = (first..).zip(keys).filter_map(pair).collect();
            pairs.lock().expect("no thread panics").extend(here);
        };
        self.space.for_each_stretch(gather, &self.control.silent())?;
        let mut pairs = pairs.into_inner().expect("no thread panics");
        self.control.in_pool(|| sort(&mut pairs, self.control))?;
        let (mut pairs, second) = (&pairs[..], self.scheme.buckets * self.entry());
        for bucket in part {
            let size = pairs.iter().take_while(|&&pair| pair >> 32 == bucket).count();
            let (numbers, rest) = pairs.split_at(size);
            pairs = rest;
            let beyond = self.scheme.method.in_hash2(size as u32) as usize;
            let start = ((hash2.at + hash2.bytes.len() as u64 - second) / WORD) as u32;
            let mut words = [size as u32, 0, 0, 0];
            words[1..].iter_mut().zip(&numbers[..size - beyond]).for_each(|(word, &number)| *word = number as u32);
            if beyond > 0 {
                words[self.scheme.method.words() - 1] = start;
            }
            words[..self.scheme.method.words()].iter().for_each(|&word| hash1.push(word));
            numbers[size - beyond..].iter().for_each(|&number| hash2.push(number as u32));
            if hash1.bytes.len() >= PIECE || hash2.bytes.len() >= PIECE {
                if self.control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                hash1.flush()?;
                hash2.flush()?;
                self.control.report(bucket, self.scheme.buckets);
            }
        }
        Ok(())
    }
}

/// An array being written.
struct Array<'a> {
    partial: &'a PartialFile<'a>,
    /// What is still to be written.
    bytes: Vec<u8>,
    /// Where it goes in the payload.
    at: u64,
}

impl Array<'_> {
    #[inline]
    fn push(&mut self, word: u32) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    fn flush(&mut self) -> Result<(), LabError> {
        self.partial.write_all_at(&self.bytes, self.at)?;
        self.at += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }
}
