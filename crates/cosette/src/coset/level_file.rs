//! A file of the levels of a coset: a result, from which a stopped search can resume.
//!
//! ```text
//! byte 0     | magic | version | metric, effort | the position, as facelets | checksum |
//!      4096  a section for each level, from 0 on, each at a multiple of 4096
//!            | number of moves, counts, times | bytes | checksum of the list | checksum, seeded with the one before |
//!     +4096  | for each block: bytes, checksum |        a list
//!            | block 0 | block 1 | …                    a code of which bits the level marked (`rice`)
//! ```
//!
//! A bit that an earlier level marked is not open, so no position is in two levels. The head of a
//! section is written last, after the rest was synced; then it is synced. So a process that is
//! killed, or a machine that loses power, leaves complete levels, and perhaps a part of one more,
//! which the next search overwrites. Later corruption is detected by checksums.

use super::{Level, LevelFileError, SearchEffort};
use crate::block_file::Storage;
use crate::control::Threads;
use crate::cube::{Cube, Metric};
use crate::twophase::phase1::Coset;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, Immutable, IntoBytes, KnownLayout, Unaligned};

const VERSION: u32 = 1;
/// As in PNG, line ends in the magic show what a transfer as text would do to the file.
const MAGIC: [u8; 16] = *b"cosette coset\r\n\x1a";
const PAGE: u64 = 4096;
/// Number of blocks that are coded before they are written: at most 62 MB.
const AT_ONCE: usize = 64;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Head {
    magic: [u8; 16],
    version: U32,
    metric: u8,
    is_exact: u8,
    position: [u8; 54],
    checksum: U64,
}

impl Head {
    fn new(position: &Cube, metric: Metric, effort: SearchEffort) -> Head {
        let mut head = Head {
            magic: MAGIC,
            version: VERSION.into(),
            metric: u8::from(metric == Metric::Qtm),
            is_exact: u8::from(effort == SearchEffort::Exhaustive),
            position: [0; 54],
            checksum: 0.into(),
        };
        head.position
            .copy_from_slice(position.facelets().as_bytes());
        head.checksum = head.own_checksum().into();
        head
    }

    fn own_checksum(&self) -> u64 {
        xxh3_64(&self.as_bytes()[..size_of::<Head>() - size_of::<U64>()])
    }

    fn metric(&self) -> Metric {
        if self.metric == 0 {
            Metric::Htm
        } else {
            Metric::Qtm
        }
    }

    fn effort(&self) -> SearchEffort {
        if self.is_exact == 0 {
            SearchEffort::UntilCovered
        } else {
            SearchEffort::Exhaustive
        }
    }
}

/// The head of a section.
#[derive(Clone, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Section {
    moves: u8,
    is_complete: u8,
    is_exact: u8,
    reserved: u8,
    blocks: U32,
    /// The numbers and times of the level, in the order of its fields.
    numbers: [U64; 6],
    /// Size of the blocks in bytes.
    bytes: U64,
    list_checksum: U64,
    checksum: U64,
}

impl Section {
    fn own_checksum(&self, seed: u64) -> u64 {
        xxh3_64_with_seed(
            &self.as_bytes()[..size_of::<Section>() - size_of::<U64>()],
            seed,
        )
    }

    fn level(&self) -> Level {
        let [by_pass, by_search, sequences, total, pass, search] = self.numbers.map(U64::get);
        let [pass, search] = [pass, search].map(Duration::from_nanos);
        let [is_complete, is_exact] = [self.is_complete, self.is_exact].map(|is| is == 1);
        Level {
            moves: self.moves,
            by_pass,
            by_search,
            sequences,
            total,
            is_complete,
            is_exact,
            pass_time: pass,
            search_time: search,
        }
    }

    /// Returns the offsets of its blocks, and of the next section.
    fn data(&self, start: u64) -> (u64, u64) {
        let list = u64::from(self.blocks.get()) * size_of::<Block>() as u64;
        let data = start + PAGE + list;
        (
            data,
            data.saturating_add(self.bytes.get())
                .checked_next_multiple_of(PAGE)
                .unwrap_or(u64::MAX),
        )
    }
}

/// The list entry of a block.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Block {
    bytes: U32,
    checksum: U64,
}

/// A file of the levels of a coset.
pub struct LevelFile<S = File> {
    path: PathBuf,
    storage: S,
    head: Head,
    position: Cube,
    /// The sections with their offsets.
    sections: Vec<(u64, Section)>,
    /// Offset of the next section.
    end: u64,
}

#[cfg(feature = "files")]
impl LevelFile {
    /// Opens the file of this coset, or creates it; only this process may then write it.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, if another process has locked the file, or if it is
    /// corrupted or has other contents.
    pub fn open_or_create(
        path: &Path,
        position: &Cube,
        metric: Metric,
        effort: SearchEffort,
    ) -> Result<LevelFile, LevelFileError> {
        let io = |action| LevelFileError::io(action, path);
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io("open"))?;
        match crate::platform::try_lock(&file) {
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(LevelFileError::Locked {
                    path: path.to_owned(),
                });
            }
            Err(std::fs::TryLockError::Error(source)) => return Err(io("lock")(source)),
            Ok(()) => {}
        }
        LevelFile::open_or_create_in(path, file, position, metric, effort)
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, or if the file is corrupted or has another format.
    pub fn open_existing(path: &Path) -> Result<LevelFile, LevelFileError> {
        LevelFile::open_existing_in(
            path,
            File::open(path).map_err(LevelFileError::io("open", path))?,
        )
    }

    /// Returns `true` if the file at this path begins with the magic of such a file.
    pub fn is_at(path: &Path) -> bool {
        let mut magic = [0; MAGIC.len()];
        File::open(path).is_ok_and(|file| Storage::read_exact_at(&file, &mut magic, 0).is_ok())
            && magic == MAGIC
    }
}

impl<S: Storage> LevelFile<S> {
    /// Opens or creates the levels of this coset in a [`Storage`], which may be empty. `path` is
    /// used only in error messages.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage cannot be read or written, or if it is corrupted or has
    /// other contents.
    pub fn open_or_create_in(
        path: &Path,
        storage: S,
        position: &Cube,
        metric: Metric,
        effort: SearchEffort,
    ) -> Result<LevelFile<S>, LevelFileError> {
        let io = |action| LevelFileError::io(action, path);
        let head = Head::new(position, metric, effort);
        let mut begun = vec![
            0;
            storage
                .length()
                .map_err(io("read"))?
                .min(size_of::<Head>() as u64) as usize
        ];
        storage.read_exact_at(&mut begun, 0).map_err(io("read"))?;
        if begun.len() < size_of::<Head>() && head.as_bytes().starts_with(&begun) {
            storage
                .write_all_at(head.as_bytes(), 0)
                .and_then(|()| storage.sync())
                .map_err(io("write"))?;
            return Ok(LevelFile {
                path: path.to_owned(),
                storage,
                head,
                position: *position,
                sections: Vec::new(),
                end: PAGE,
            });
        }
        let saved = LevelFile::open_existing_in(path, storage)?;
        let other = |found: &str, expected: &str| {
            let [found, expected] = [found, expected].map(str::to_owned);
            Err(LevelFileError::WrongCoset {
                path: path.to_owned(),
                found,
                expected,
            })
        };
        let exactly = |effort| {
            if effort == SearchEffort::Exhaustive {
                "exact distances"
            } else {
                "distances up to 20"
            }
        };
        match (saved.metric(), saved.search_effort()) {
            _ if Coset::of(&saved.position) != Coset::of(position) => other(
                &format!("the coset of {}", saved.position.facelets()),
                &format!("of {}", position.facelets()),
            ),
            (found, _) if found != metric => other(found.name(), metric.name()),
            (_, found) if found != effort => other(exactly(found), exactly(effort)),
            _ => {
                // Discards the remains of an incomplete level.
                saved.storage.set_length(saved.end).map_err(io("write"))?;
                Ok(saved)
            }
        }
    }

    /// Opens the levels in a [`Storage`]. `path` is used only in error messages.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage cannot be read, or if it is corrupted or has another format.
    pub fn open_existing_in(path: &Path, storage: S) -> Result<LevelFile<S>, LevelFileError> {
        let io = |source| LevelFileError::io("read", path)(source);
        let path_of = || path.to_owned();
        let length = storage.length().map_err(io)?;
        let mut head = Head::new_zeroed();
        let known = length.min(size_of::<Head>() as u64) as usize;
        storage
            .read_exact_at(&mut head.as_mut_bytes()[..known], 0)
            .map_err(io)?;
        if head.magic != MAGIC {
            return Err(LevelFileError::NotALevelFile { path: path_of() });
        }
        if known == size_of::<Head>() && head.version != VERSION {
            return Err(LevelFileError::Version {
                path: path_of(),
                found: head.version.get(),
                known: VERSION,
            });
        }
        let facelets = std::str::from_utf8(&head.position)
            .ok()
            .filter(|_| head.checksum == head.own_checksum());
        let Some(position) = facelets.and_then(|facelets| Cube::from_facelets(facelets).ok())
        else {
            return Err(LevelFileError::Corrupted {
                path: path_of(),
                level: 0,
                offset: 0,
            });
        };
        let (mut sections, mut end, mut seed) =
            (Vec::<(u64, Section)>::new(), PAGE, head.checksum.get());
        while length.saturating_sub(end) >= size_of::<Section>() as u64 {
            let mut section = Section::new_zeroed();
            storage
                .read_exact_at(section.as_mut_bytes(), end)
                .map_err(io)?;
            let next = section.data(end);
            // No head was written yet.
            if section.as_bytes().iter().all(|&byte| byte == 0) {
                break;
            }
            let is_next = usize::from(section.moves) == sections.len();
            if section.checksum != section.own_checksum(seed) || !is_next {
                return Err(LevelFileError::Corrupted {
                    path: path_of(),
                    level: sections.len() as u8,
                    offset: end,
                });
            }
            // The file is truncated.
            if next.0 + section.bytes.get() > length {
                break;
            }
            seed = section.checksum.get();
            sections.push((end, section));
            end = next.1;
        }
        Ok(LevelFile {
            path: path_of(),
            storage,
            head,
            position,
            sections,
            end,
        })
    }

    /// Returns the position that defines the coset.
    pub fn position(&self) -> &Cube {
        &self.position
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.head.metric()
    }

    /// Returns the depth to which each level was searched.
    pub fn search_effort(&self) -> SearchEffort {
        self.head.effort()
    }

    /// Returns the complete levels.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = Level> {
        self.sections.iter().map(|(_, section)| section.level())
    }

    /// Writes the next level, whose blocks `encode` codes. After an error, the part written is cut
    /// off.
    pub(super) fn append(
        &mut self,
        level: &Level,
        blocks: usize,
        threads: &Threads,
        encode: impl Fn(usize) -> Vec<u8> + Send + Sync,
    ) -> Result<(), LevelFileError> {
        let start = self.end;
        let written = self
            .write(level, blocks, threads, encode)
            .map_err(LevelFileError::io("write", &self.path));
        match written {
            Ok(section) => {
                self.end = section.data(start).1;
                self.sections.push((start, section));
                Ok(())
            }
            Err(error) => {
                // If that fails as well, the section has no head.
                let _ = self.storage.set_length(start);
                Err(error)
            }
        }
    }

    fn write(
        &self,
        level: &Level,
        blocks: usize,
        threads: &Threads,
        encode: impl Fn(usize) -> Vec<u8> + Send + Sync,
    ) -> io::Result<Section> {
        let &Level {
            moves,
            by_pass,
            by_search,
            sequences,
            total,
            is_complete,
            is_exact,
            pass_time: pass,
            search_time: search,
        } = level;
        let [pass, search] = [pass, search].map(|time| time.as_nanos() as u64);
        let mut section = Section {
            moves,
            is_complete: is_complete.into(),
            is_exact: is_exact.into(),
            blocks: (blocks as u32).into(),
            numbers: [by_pass, by_search, sequences, total, pass, search].map(U64::from),
            ..Section::new_zeroed()
        };
        let data = section.data(self.end).0;
        let mut at = data;
        let mut list = Vec::with_capacity(blocks);
        for first in (0..blocks).step_by(AT_ONCE) {
            let numbers = (first..blocks.min(first + AT_ONCE)).collect();
            let coded = threads.map(
                numbers,
                || (),
                |(), number| Ok::<_, io::Error>((number, encode(number))),
            )?;
            for (number, bytes) in coded {
                self.storage.write_all_at(&bytes, at)?;
                let checksum = xxh3_64_with_seed(&bytes, number as u64).into();
                list.push(Block {
                    bytes: (bytes.len() as u32).into(),
                    checksum,
                });
                at += bytes.len() as u64;
            }
        }
        self.storage
            .write_all_at(list.as_bytes(), self.end + PAGE)?;
        self.storage.sync()?;
        section.bytes = (at - data).into();
        section.list_checksum = xxh3_64(list.as_bytes()).into();
        let before = self
            .sections
            .last()
            .map_or(self.head.checksum, |(_, section)| section.checksum);
        section.checksum = section.own_checksum(before.get()).into();
        self.storage.write_all_at(section.as_bytes(), self.end)?;
        self.storage.sync()?;
        Ok(section)
    }

    /// Reads the code of each block of a level, and passes it to `decode` with one of `items`, of
    /// which there must be as many. `decode` returns `None` if the code is invalid.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, or if the file is corrupted.
    pub(super) fn decode<T: Send, R: Send>(
        &self,
        moves: u8,
        items: Vec<T>,
        threads: &Threads,
        decode: impl Fn(T, &[u8]) -> Option<R> + Send + Sync,
    ) -> Result<Vec<R>, LevelFileError> {
        let io = |source| LevelFileError::io("read", &self.path)(source);
        let (start, section) = &self.sections[usize::from(moves)];
        let damaged = || LevelFileError::Corrupted {
            path: self.path.clone(),
            level: moves,
            offset: *start,
        };
        if section.blocks.get() as usize != items.len() {
            return Err(damaged());
        }
        let mut list = vec![Block::new_zeroed(); items.len()];
        self.storage
            .read_exact_at(list.as_mut_bytes(), start + PAGE)
            .map_err(io)?;
        if section.list_checksum != xxh3_64(list.as_bytes()) {
            return Err(damaged());
        }
        let after = |at: &mut u64, block: &Block| {
            *at += u64::from(block.bytes.get());
            Some(*at)
        };
        let data = section.data(*start).0;
        let places: Vec<u64> = std::iter::once(data)
            .chain(list.iter().scan(data, after))
            .collect();
        let work = |bytes: &mut Vec<u8>, (number, item): (usize, T)| {
            bytes.resize(list[number].bytes.get() as usize, 0);
            self.storage
                .read_exact_at(bytes, places[number])
                .map_err(io)?;
            let is_sound = list[number].checksum == xxh3_64_with_seed(bytes, number as u64);
            is_sound
                .then(|| decode(item, bytes))
                .flatten()
                .ok_or_else(damaged)
        };
        threads.map(items.into_iter().enumerate().collect(), Vec::new, work)
    }

    /// Returns the error that the counts of a level do not match its content.
    pub(super) fn miscounted(&self, moves: u8) -> LevelFileError {
        LevelFileError::Corrupted {
            path: self.path.clone(),
            level: moves,
            offset: self.sections[usize::from(moves)].0,
        }
    }
}

#[cfg(test)]
impl LevelFile<std::sync::RwLock<Vec<u8>>> {
    /// Returns a copy of the file.
    pub(super) fn bytes(&self) -> Vec<u8> {
        self.storage.read().unwrap().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::RwLock;

    const BLOCKS: usize = 130;
    type Memory = LevelFile<RwLock<Vec<u8>>>;

    fn opened(bytes: &[u8]) -> Result<Memory, LevelFileError> {
        let path = Path::new("levels");
        LevelFile::open_or_create_in(
            path,
            RwLock::new(bytes.to_vec()),
            &Cube::SOLVED,
            Metric::Htm,
            SearchEffort::Exhaustive,
        )
    }

    fn block(level: u8, number: usize) -> Vec<u8> {
        (0..number as u8 % 7)
            .map(|byte| byte.wrapping_mul(level))
            .collect()
    }

    /// Adds levels up to the third.
    fn complete(saved: &mut Memory) {
        let threads = |threads: &Threads| {
            let first = saved.levels().len() as u8;
            for moves in first..3 {
                let [by_pass, by_search, sequences, total] =
                    [1, 2, 3, 4].map(|factor| factor * u64::from(moves));
                let [pass, search] = [by_pass, sequences].map(Duration::from_nanos);
                let is_complete = moves < 2;
                let is_exact = true;
                let level = Level {
                    moves,
                    by_pass,
                    by_search,
                    sequences,
                    total,
                    is_complete,
                    is_exact,
                    pass_time: pass,
                    search_time: search,
                };
                saved
                    .append(&level, BLOCKS, threads, |number| block(moves, number))
                    .unwrap();
                assert_eq!(saved.levels().last(), Some(level));
            }
        };
        Threads::run(crate::ThreadCount::ONE, threads).unwrap();
    }

    /// Checks every block of every level.
    fn check(saved: &Memory) -> Result<(), LevelFileError> {
        for moves in 0..saved.levels().len() as u8 {
            let is_right = |number, bytes: &[u8]| Some(bytes == block(moves, number));
            let decode =
                |threads: &Threads| saved.decode(moves, (0..BLOCKS).collect(), threads, is_right);
            assert!(
                Threads::run(crate::ThreadCount::ONE, decode)
                    .unwrap()?
                    .into_iter()
                    .all(|is_right| is_right)
            );
        }
        Ok(())
    }

    #[test]
    fn a_file_that_ends_anywhere_is_continued_to_the_same_file() {
        let mut saved = opened(&[]).unwrap();
        complete(&mut saved);
        check(&saved).unwrap();
        let whole = saved.bytes();
        for end in (0..whole.len()).step_by(61).chain(0..100) {
            let mut saved = opened(&whole[..end]).unwrap();
            check(&saved).unwrap();
            complete(&mut saved);
            assert!(saved.bytes() == whole, "{end}");
        }
        // The head is the last that is written of a level.
        let (start, section) = &saved.sections[2];
        let mut torn = whole.clone();
        torn[*start as usize..][..size_of_val(section)].fill(0);
        let mut saved = opened(&torn).unwrap();
        assert_eq!(saved.levels().len(), 2);
        complete(&mut saved);
        assert!(saved.bytes() == whole);
    }

    #[test]
    fn damage_and_other_files_are_refused() {
        let mut saved = opened(&[]).unwrap();
        complete(&mut saved);
        let whole = saved.bytes();
        let mut harmless = 0;
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 8;
            match opened(&damaged).and_then(|saved| check(&saved)) {
                Err(LevelFileError::Corrupted { .. }) => {}
                Err(LevelFileError::NotALevelFile { .. }) => assert!(at < 16),
                Err(LevelFileError::Version { .. }) => assert!((16..20).contains(&at)),
                Err(other) => panic!("{at}: {other}"),
                // Zeros between the parts.
                Ok(()) => {
                    harmless += 1;
                    assert_eq!(whole[at], 0, "{at}");
                }
            }
        }
        let sections = 3 * (size_of::<Section>() + BLOCKS * size_of::<Block>());
        let blocks: usize = (0..3)
            .flat_map(|level| (0..BLOCKS).map(move |number| block(level, number).len()))
            .sum();
        assert_eq!(
            whole.len() - harmless,
            size_of::<Head>() + sections + blocks
        );
        assert!(matches!(
            opened(b"R U R' U'"),
            Err(LevelFileError::NotALevelFile { .. })
        ));
        let of = |position: &str, metric, effort| {
            let position: Cube = position.parse().unwrap();
            let other = LevelFile::open_or_create_in(
                Path::new("levels"),
                RwLock::new(whole.clone()),
                &position,
                metric,
                effort,
            );
            other.map(drop).map_err(|error| error.to_string())
        };
        assert_eq!(of("U R2", Metric::Htm, SearchEffort::Exhaustive), Ok(()));
        let told =
            |result: Result<(), String>, what: &str| assert!(result.unwrap_err().contains(what));
        told(
            of("R", Metric::Htm, SearchEffort::Exhaustive),
            "holds the coset of UUU",
        );
        told(
            of("U", Metric::Qtm, SearchEffort::Exhaustive),
            "holds htm, not qtm",
        );
        told(
            of("U", Metric::Htm, SearchEffort::UntilCovered),
            "holds exact distances, not",
        );
    }
}
