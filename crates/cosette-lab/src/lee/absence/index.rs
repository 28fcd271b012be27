//! The two arrays on disk, and looking up in them.
//!
//! Both lie in one file, hash1 before hash2. They are built bucket by bucket: the pairs of bucket and number are sorted, as many
//! at a time as fit 400 MB, which takes a pass over the stored positions each. Where a building is interrupted it begins
//! anew: it takes seconds.

use super::{Hash, Method};
use crate::lab::{Lab, LabError};
use crate::lee::Perimeter;
use crate::lee::blocks::{BlockFile, Draft, Head, Magic, StoredError, check_room, in_pool, sort};
use crate::lee::space::{Key, StoredSpace, numbering};
use cosette::Cancel;
use cosette::cube::{Cube, Move};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const MAGIC: Magic = *b"cosette index\r\n\x1a";
const WORD: u64 = 4;
/// How many pairs are sorted at a time.
const PAIRS: u64 = 50_000_000;
/// Buckets are counted in so many bins to see how many fit.
const BINS: u64 = 1 << 12;
/// How many bytes are written at a time, about.
const PIECE: usize = 1 << 20;

/// A stored space with the arrays of a hashing scheme.
#[derive(Debug)]
pub struct HashedSpace {
    space: StoredSpace,
    index: BlockFile,
    hash: Hash,
    method: Method,
    buckets: u64,
}

/// How many random accesses were made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// To hash1.
    pub hash1: u64,
    /// To hash2.
    pub hash2: u64,
    /// To stored positions.
    pub positions: u64,
}

impl Accesses {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.hash1 + self.hash2 + self.positions
    }
}

impl HashedSpace {
    /// Builds the arrays for a stored space at `path`, replacing what is there.
    ///
    /// # Errors
    /// If there is no room, if a file cannot be read or written, if the space is damaged, or on cancellation.
    pub fn build(
        space: StoredSpace,
        path: &Path,
        hash: Hash,
        method: Method,
        buckets: u64,
        threads: NonZeroUsize,
        cancel: &Cancel,
    ) -> Result<HashedSpace, LabError> {
        let mut head = head(&space, hash, method, buckets);
        check_room(path, head.file_size())?;
        let draft = Draft::open(path)?;
        let building = Building { space: &space, hash, method, buckets, threads, cancel };
        let written = building.parts().and_then(|parts| {
            let mut hash2 = Array { draft: &draft, head: &head, bytes: Vec::new(), at: buckets * building.entry() };
            let mut hash1 = Array { bytes: Vec::new(), at: 0, ..hash2 };
            parts.into_iter().try_for_each(|part| building.write(part, &mut hash1, &mut hash2))?;
            hash1.flush()?;
            hash2.flush()?;
            Ok(hash2.at)
        });
        let finish = || {
            head.payload = written?;
            draft.set_len(&head)?;
            draft.checksums(&head, threads, cancel)
        };
        match finish() {
            Ok(sums) => draft.finish(&head, &sums)?,
            Err(fault) => {
                draft.discard()?;
                return Err(fault);
            }
        }
        HashedSpace::open(space, path, hash, method, buckets)
    }

    /// Opens the arrays at `path`. Their header is checked, they themselves are not ([`HashedSpace::verify`]).
    ///
    /// # Errors
    /// If there are none, if the file is truncated or damaged where it speaks of itself, or if they are others.
    pub fn open(
        space: StoredSpace,
        path: &Path,
        hash: Hash,
        method: Method,
        buckets: u64,
    ) -> Result<HashedSpace, LabError> {
        let index = BlockFile::open(path, MAGIC)?;
        let expected = head(&space, hash, method, buckets);
        if index.head.facts != expected.facts || index.head.room != expected.room {
            let found = "another index".into();
            let expected = format!("the index of {} in {buckets} buckets", space.path().display());
            return Err(StoredError::OtherContents { path: path.to_owned(), found, expected }.into());
        }
        Ok(HashedSpace { space, index, hash, method, buckets })
    }

    /// The stored space of this depth and an index with as many buckets as positions, from the lab's folder; what is not
    /// there is built and kept. All of it is checked.
    ///
    /// # Errors
    /// As for [`StoredSpace::in_lab`], [`HashedSpace::build`] and [`HashedSpace::open`].
    pub fn in_lab(lab: &Lab<'_>, depth: u8) -> Result<HashedSpace, LabError> {
        let space = StoredSpace::in_lab(lab, depth)?;
        let path = lab.folder.path().join(format!("lee-index-{depth}"));
        let (hash, method, buckets) = (Hash::Mixed, Method::One, space.len());
        lab.step(&format!("indexing the positions within {depth} moves"), 0, 1);
        if path.exists() {
            let hashed = HashedSpace::open(space, &path, hash, method, buckets)?;
            hashed.verify(lab.threads, lab.cancel)?;
            Ok(hashed)
        } else {
            HashedSpace::build(space, &path, hash, method, buckets, lab.threads, lab.cancel)
        }
    }

    /// Checks all checksums of the arrays.
    ///
    /// # Errors
    /// If a block is damaged, if the file cannot be read, or on cancellation.
    pub fn verify(&self, threads: NonZeroUsize, cancel: &Cancel) -> Result<(), LabError> {
        self.index.for_each_block(threads, |_, _| {}, &|_| {}, cancel)
    }

    /// The stored space.
    pub fn space(&self) -> &StoredSpace {
        &self.space
    }

    /// Gives the stored space back.
    pub fn into_space(self) -> StoredSpace {
        self.space
    }

    /// How many bytes the two arrays take.
    pub fn bytes(&self) -> u64 {
        self.index.head.payload
    }

    /// The files that are read: the arrays and the positions.
    pub(super) fn files(&self) -> [&std::fs::File; 2] {
        [self.index.file(), self.space.file()]
    }

    /// The number of the position with this key, if it is stored; adds the random accesses it took.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn find(&self, key: Key, accesses: &mut Accesses) -> Result<Option<u64>, LabError> {
        let mut entry = [0; 16];
        let entry = &mut entry[..self.method.words() * WORD as usize];
        accesses.hash1 += 1;
        self.index.read(entry, self.hash.bucket(key, self.buckets) * entry.len() as u64)?;
        let word = |bytes: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| bytes[i]));
        let size = word(entry);
        let beyond = self.method.in_hash2(size);
        let (here, last) = entry[4..].split_at(if beyond > 0 { entry.len() - 8 } else { 4 * size.min(3) as usize });
        if let found @ Some(_) = self.compare(key, here, accesses)? {
            return Ok(found);
        }
        if beyond == 0 {
            return Ok(None);
        }
        let start = self.buckets * self.method.words() as u64 * WORD + u64::from(word(last)) * WORD;
        let mut small = [0; 64];
        let mut large = Vec::new();
        let numbers = match small.get_mut(..4 * beyond as usize) {
            Some(numbers) => numbers,
            None => {
                large.resize(4 * beyond as usize, 0);
                &mut large[..]
            }
        };
        accesses.hash2 += 1;
        self.index.read(numbers, start)?;
        self.compare(key, numbers, accesses)
    }

    /// The number among these whose position has this key.
    fn compare(&self, key: Key, numbers: &[u8], accesses: &mut Accesses) -> Result<Option<u64>, LabError> {
        for number in numbers.chunks_exact(4) {
            let number = u64::from(u32::from_le_bytes(std::array::from_fn(|i| number[i])));
            accesses.positions += 1;
            if self.space.key(number)? == key {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    fn find_position(&self, position: &Cube) -> Result<Option<u64>, LabError> {
        self.find(Key::of(position), &mut Accesses::default())
    }
}

/// # Panics
/// If a file, which could be read when it was opened, can no longer be.
impl Perimeter for HashedSpace {
    fn distance(&self, position: &Cube) -> Option<u8> {
        let found = self.find_position(position).unwrap_or_else(|fault| panic!("{fault}"));
        found.map(StoredSpace::distance_at)
    }

    fn depth(&self) -> u8 {
        self.space.depth()
    }

    fn way_home(&self, position: &Cube) -> Option<Vec<Move>> {
        let way = self.space.follow_home(position, |position| self.find_position(position));
        way.unwrap_or_else(|fault| panic!("{fault}"))
    }
}

/// What the file of these arrays says of itself; with room for all numbers in hash2.
fn head(space: &StoredSpace, hash: Hash, method: Method, buckets: u64) -> Head {
    let mut facts = [0; 32];
    let said = [u64::from(space.depth()), hash as u64, method.number(), buckets, numbering()];
    facts[..said.len()].copy_from_slice(&said);
    let room = (buckets * method.words() as u64 + space.len()) * WORD;
    Head { magic: MAGIC, facts, payload: room, room }
}

/// Arrays being built.
struct Building<'a> {
    space: &'a StoredSpace,
    hash: Hash,
    method: Method,
    buckets: u64,
    threads: NonZeroUsize,
    cancel: &'a Cancel,
}

impl Building<'_> {
    /// How many bytes an entry of hash1 takes.
    fn entry(&self) -> u64 {
        self.method.words() as u64 * WORD
    }

    /// All buckets, in parts that hold [`PAIRS`] positions or little more.
    fn parts(&self) -> Result<Vec<Range<u64>>, LabError> {
        let end_of = |bin: u64| ((bin + 1) * self.buckets).div_ceil(BINS);
        if self.space.len() <= PAIRS {
            return Ok(std::iter::once(0..self.buckets).collect());
        }
        let bins: Vec<AtomicU64> = (0..BINS).map(|_| AtomicU64::new(0)).collect();
        let count = |_, keys: &mut dyn Iterator<Item = Key>| {
            let mut here = vec![0; BINS as usize];
            keys.for_each(|key| here[(self.hash.bucket(key, self.buckets) * BINS / self.buckets) as usize] += 1);
            for (bin, here) in bins.iter().zip(here) {
                bin.fetch_add(here, Relaxed);
            }
        };
        self.space.for_each_stretch(self.threads, count, &|_| {}, self.cancel)?;
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
                let bucket = self.hash.bucket(key, self.buckets);
                part.contains(&bucket).then_some(bucket << 32 | number)
            };
            let here: Vec<u64> = (first..).zip(keys).filter_map(pair).collect();
            pairs.lock().expect("no thread panics").extend(here);
        };
        self.space.for_each_stretch(self.threads, gather, &|_| {}, self.cancel)?;
        let mut pairs = pairs.into_inner().expect("no thread panics");
        in_pool(self.threads, || sort(&mut pairs, self.cancel))?;
        let (mut pairs, second) = (&pairs[..], self.buckets * self.entry());
        for bucket in part {
            let size = pairs.iter().take_while(|&&pair| pair >> 32 == bucket).count();
            let (numbers, rest) = pairs.split_at(size);
            pairs = rest;
            let beyond = self.method.in_hash2(size as u32) as usize;
            let start = ((hash2.at + hash2.bytes.len() as u64 - second) / WORD) as u32;
            let mut words = [size as u32, 0, 0, 0];
            words[1..].iter_mut().zip(&numbers[..size - beyond]).for_each(|(word, &number)| *word = number as u32);
            if beyond > 0 {
                words[self.method.words() - 1] = start;
            }
            words[..self.method.words()].iter().for_each(|&word| hash1.push(word));
            numbers[size - beyond..].iter().for_each(|&number| hash2.push(number as u32));
            if hash1.bytes.len() >= PIECE || hash2.bytes.len() >= PIECE {
                if self.cancel.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                hash1.flush()?;
                hash2.flush()?;
            }
        }
        Ok(())
    }
}

/// An array being written.
struct Array<'a> {
    draft: &'a Draft,
    head: &'a Head,
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
        self.draft.write(self.head, &self.bytes, self.at)?;
        self.at += self.bytes.len() as u64;
        self.bytes.clear();
        Ok(())
    }
}
