//! A folder with the levels of a coset: a result, from which a stopped search can resume.
//!
//! Each level is a block file (`block_file`), `00.level`, `01.level` and so on. Its facts are the
//! numbers of the level, and the metric, the search effort and the position.
//!
//! ```text
//! payload    | for each block of the bitmap the size of its code in bytes, 4 bytes |
//!            | code 0 | code 1 | …                 codes of the bits that the level marked (`rice`)
//! ```
//!
//! A bit that an earlier level marked is not open, so no position is in two levels. A block file is
//! complete when it gets its name. So a process that is killed, or a machine that loses power,
//! leaves complete levels, and perhaps a part of one more, which the next search overwrites. Files
//! after a missing level are not part of the result; they are removed when the missing level is
//! saved. The file `lock` is locked while a process searches.

use super::members::ROWS;
use super::rice;
use super::search::{BLOCK, CosetError, CosetSearch, Level, SearchEffort, bits, words_of};
use crate::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind, PayloadStats};
use crate::control::{Control, Threads};
use crate::cube::{Cube, Metric};
use crate::twophase::phase1::Coset;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use zerocopy::little_endian::{U32, U64};
use zerocopy::{FromBytes, FromZeros, IntoBytes};

/// Number of codes of a level: one for each block of the bitmap.
const CODES: usize = ROWS;
/// Offset of the first code.
const FIRST_CODE: u64 = (CODES * size_of::<U32>()) as u64;
/// More than the number of bytes by which a code may exceed its block.
const CODE_OVERHEAD: u64 = 16;
/// Number of blocks that are encoded before their codes are written: at most 62 MB.
const ENCODED_AT_ONCE: usize = 64;
/// Number of moves of the last level that a coset can have: the maximum distance in quarter turns.
const MAX_MOVES: u8 = 26;

/// The payload of a level.
struct LevelPayload {
    moves: u8,
}

impl PayloadKind for LevelPayload {
    fn name(&self) -> String {
        format!("level {} of a coset", self.moves)
    }

    fn bytes(&self) -> u64 {
        FIRST_CODE + CODES as u64 * (BLOCK as u64 + CODE_OVERHEAD)
    }

    fn may_be_shorter(&self) -> bool {
        true
    }

    /// Returns the version of the order of members and of the codes.
    fn numbering(&self) -> u64 {
        1
    }
}

/// The parameters that all levels of a folder have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SearchIdentity {
    position: Cube,
    metric: Metric,
    effort: SearchEffort,
}

impl fmt::Display for SearchIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let distances = match self.effort {
            SearchEffort::Exhaustive => "exact distances",
            SearchEffort::UntilCovered => "distances up to 20",
        };
        let facelets = self.position.facelets();
        write!(
            f,
            "{distances} in {} of the coset of {facelets}",
            self.metric
        )
    }
}

impl SearchIdentity {
    /// Number of facts before the facelets of the position.
    const NUMBERS: usize = 10;

    /// Returns the facts of the file of a level.
    fn facts(&self, level: &Level) -> PayloadStats {
        let numbers: [u64; SearchIdentity::NUMBERS] = [
            (self.metric == Metric::Qtm).into(),
            (self.effort == SearchEffort::Exhaustive).into(),
            level.by_pass,
            level.by_search,
            level.sequences,
            level.total,
            level.is_complete.into(),
            level.is_exact.into(),
            level.pass_time.as_nanos() as u64,
            level.search_time.as_nanos() as u64,
        ];
        let mut facts = [0; 32];
        let (number_facts, letter_facts) = facts.split_at_mut(SearchIdentity::NUMBERS);
        number_facts.copy_from_slice(&numbers);
        let facelets = self.position.facelets();
        for (fact, letters) in letter_facts.iter_mut().zip(facelets.as_bytes().chunks(8)) {
            *fact = letters
                .iter()
                .fold(0, |fact, &letter| fact << 8 | u64::from(letter));
        }
        facts
    }

    /// Parses the facts of the file of a level; `None` if they are invalid.
    fn parse(moves: u8, facts: &PayloadStats) -> Option<(SearchIdentity, Level)> {
        let (numbers, letters) = facts.split_at(SearchIdentity::NUMBERS);
        let letters = letters.iter().flat_map(|fact| fact.to_be_bytes());
        let facelets: Vec<u8> = letters.filter(|&letter| letter != 0).collect();
        let search = SearchIdentity {
            position: Cube::from_facelets(std::str::from_utf8(&facelets).ok()?).ok()?,
            metric: Metric::ALL[usize::from(numbers[0] == 1)],
            effort: [SearchEffort::UntilCovered, SearchEffort::Exhaustive]
                [usize::from(numbers[1] == 1)],
        };
        let level = Level {
            moves,
            by_pass: numbers[2],
            by_search: numbers[3],
            sequences: numbers[4],
            total: numbers[5],
            is_complete: numbers[6] == 1,
            is_exact: numbers[7] == 1,
            pass_time: Duration::from_nanos(numbers[8]),
            search_time: Duration::from_nanos(numbers[9]),
        };
        Some((search, level))
    }
}

/// A folder with the levels of a coset.
pub struct LevelFolder {
    path: PathBuf,
    search: SearchIdentity,
    levels: Vec<(BlockFile, Level)>,
    /// The lock file, locked until it is dropped; `None` if the folder is only read.
    lock: Option<File>,
}

impl LevelFolder {
    /// Opens the folder of this coset, or creates it, and locks it against other processes.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, if another process has locked the folder, or if it is
    /// corrupted or has other contents.
    pub fn open_or_create(
        path: &Path,
        position: &Cube,
        metric: Metric,
        effort: SearchEffort,
    ) -> Result<LevelFolder, FileError> {
        fs::create_dir_all(path).map_err(FileError::io("create the folder", path))?;
        let lock = block_file::open_locked(&path.join("lock"), path)?;
        let mut search = SearchIdentity {
            position: *position,
            metric,
            effort,
        };
        let mut folder = LevelFolder::read(path)?.unwrap_or_else(|| LevelFolder {
            path: path.to_owned(),
            search,
            levels: Vec::new(),
            lock: None,
        });
        // Another position of the coset gives the same levels.
        if Coset::of(position) == Coset::of(&folder.search.position) {
            search.position = folder.search.position;
        }
        if search != folder.search {
            return Err(FileError::OtherContents {
                path: path.to_owned(),
                found: folder.search.to_string(),
                expected: search.to_string(),
            });
        }
        folder.lock = Some(lock);
        Ok(folder)
    }

    /// Opens a folder for reading.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, or if the folder has no levels or is corrupted.
    pub fn open_existing(path: &Path) -> Result<LevelFolder, FileError> {
        LevelFolder::read(path)?.ok_or_else(|| FileError::NotFound {
            path: path_of(path, 0),
        })
    }

    /// Opens the files of the levels, up to the first missing one; `None` if there are none.
    fn read(path: &Path) -> Result<Option<LevelFolder>, FileError> {
        let mut levels: Vec<(BlockFile, Level)> = Vec::new();
        let mut search: Option<SearchIdentity> = None;
        let mut total_before = 0;
        for moves in 0..=MAX_MOVES {
            let path = path_of(path, moves);
            let file = match BlockFile::open(&path, &LevelPayload { moves }) {
                Err(FileError::NotFound { .. }) => break,
                file => file?,
            };
            let (_, level) = SearchIdentity::parse(moves, file.facts())
                .filter(|(identity, level)| {
                    let total = level.by_pass + level.by_search + total_before;
                    total == level.total && *search.get_or_insert(*identity) == *identity
                })
                .ok_or(FileError::CorruptedHeader { path })?;
            total_before = level.total;
            levels.push((file, level));
        }
        Ok(search.map(|search| LevelFolder {
            path: path.to_owned(),
            search,
            levels,
            lock: None,
        }))
    }

    /// Returns the position that defines the coset.
    pub fn position(&self) -> &Cube {
        &self.search.position
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.search.metric
    }

    /// Returns the thoroughness of the search of each level.
    pub fn search_effort(&self) -> SearchEffort {
        self.search.effort
    }

    /// Returns the complete levels.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = Level> {
        self.levels.iter().map(|(_, level)| *level)
    }

    /// Saves the next level; `encode` returns the code of a block, given its number. After an
    /// error, the part written is removed.
    fn append(
        &mut self,
        level: &Level,
        encode: impl Fn(usize) -> Vec<u8> + Send + Sync,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        let payload = LevelPayload { moves: level.moves };
        let path = path_of(&self.path, level.moves);
        let partial = PartialFile::open(&path, &payload)?;
        let written = Threads::run(control.threads(), |threads| {
            write_codes(&partial, threads, encode)
        });
        let bytes = match written.map_err(FileError::from).and_then(|bytes| bytes) {
            Ok(bytes) => bytes,
            Err(error) => {
                partial.discard()?;
                return Err(error);
            }
        };
        // Later levels may remain from a search whose file of this level was removed.
        for moves in level.moves + 1..=MAX_MOVES {
            match block_file::remove(&path_of(&self.path, moves)) {
                Err(FileError::NothingToRemove { .. }) => {}
                removed => removed?,
            }
        }
        partial.finish(bytes, &self.search.facts(level), control)?;
        let file = BlockFile::open(&path, &payload)?;
        self.levels.push((file, *level));
        Ok(())
    }

    /// Checks the file of a level, reads the code of each block, and passes it to `decode` with the
    /// item of the block: there are [`CODES`] items. `decode` returns `None` if the code is
    /// invalid.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, if the file is corrupted, or on cancellation.
    fn decode<T: Send, R: Send>(
        &self,
        moves: u8,
        items: Vec<T>,
        control: &Control<'_>,
        decode: impl Fn(T, &[u8]) -> Option<R> + Send + Sync,
    ) -> Result<Vec<R>, FileError> {
        let (file, _) = &self.levels[usize::from(moves)];
        file.for_each_block(|_, _| {}, &control.silent())?;
        let mut sizes = vec![U32::new_zeroed(); CODES];
        file.read_exact_at(sizes.as_mut_bytes(), 0)?;
        let mut end = FIRST_CODE;
        let starts = sizes.iter().map(|size| {
            let start = end;
            end += u64::from(size.get());
            start
        });
        let codes = starts.zip(&sizes).zip(items).collect();
        let work = |bytes: &mut Vec<u8>, ((start, size), item): ((u64, &U32), T)| {
            bytes.resize(size.get() as usize, 0);
            file.read_exact_at(bytes, start)?;
            decode(item, bytes).ok_or_else(|| file.damaged_at(start))
        };
        Threads::run(control.threads(), |threads| {
            threads.map(codes, Vec::new, work)
        })?
    }
}

/// Returns the path of the file of a level.
fn path_of(folder: &Path, moves: u8) -> PathBuf {
    folder.join(format!("{moves:02}.level"))
}

/// Writes the codes of all blocks, and returns the number of bytes of the payload.
fn write_codes(
    partial: &PartialFile<'_>,
    threads: &Threads,
    encode: impl Fn(usize) -> Vec<u8> + Send + Sync,
) -> Result<u64, FileError> {
    let mut sizes = Vec::with_capacity(CODES);
    let mut end = FIRST_CODE;
    for first in (0..CODES).step_by(ENCODED_AT_ONCE) {
        let numbers = (first..CODES.min(first + ENCODED_AT_ONCE)).collect();
        let encode = |(): &mut (), number| Ok::<_, FileError>(encode(number));
        for code in threads.map(numbers, || (), encode)? {
            partial.write_all_at(&code, end)?;
            sizes.push(U32::new(code.len() as u32));
            end += code.len() as u64;
        }
    }
    partial.write_all_at(sizes.as_bytes(), 0)?;
    Ok(end)
}

impl CosetSearch<'_> {
    /// Saves the last level in a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, if the level cannot be written, or on
    /// cancellation; the folder then keeps the levels that it had.
    ///
    /// # Panics
    ///
    /// Panics if the level is not the next one of the folder.
    pub fn save(
        &mut self,
        folder: &mut LevelFolder,
        control: &Control<'_>,
    ) -> Result<(), CosetError> {
        let Some(level) = self.level else {
            return Ok(());
        };
        let next = folder.levels.len();
        assert_eq!(usize::from(level.moves), next, "not the next level");
        self.new_bits
            .iter_mut()
            .for_each(|bits| bits.sort_unstable());
        let encode = |number| rice::encode(&self.newly_marked_words(number));
        Ok(folder.append(&level, encode, control)?)
    }

    /// Returns for each word of a block the bits that no level before the last has marked, and the
    /// bits that the last level has marked; no words if the last level has marked none.
    fn newly_marked_words(&self, number: usize) -> Vec<(u64, u64)> {
        let block = number * BLOCK..(number + 1) * BLOCK;
        let marked = words_of(&self.marked[block.clone()]);
        let before = match &self.new_bits {
            None => words_of(&self.before[block]).collect(),
            Some(bits) => {
                let start = block.start as u64 * 8;
                let first = bits.partition_point(|&bit| bit < start);
                let end = bits.partition_point(|&bit| bit < block.end as u64 * 8);
                if first == end {
                    return Vec::new();
                }
                let mut before: Vec<u64> = marked.clone().collect();
                for bit in bits[first..end].iter().map(|bit| bit - start) {
                    before[(bit / 64) as usize] ^= 1 << (bit % 64);
                }
                before
            }
        };
        let words = marked.zip(before);
        words
            .map(|(marked, before)| (!before, marked & !before))
            .collect()
    }

    /// Restores the next level from a folder; `None` if the folder does not have it. Progress
    /// counts blocks of the level.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, if the level cannot be read or is corrupted,
    /// or on cancellation; the marked positions are then invalid.
    ///
    /// # Panics
    ///
    /// Panics if the folder is of the coset of another position.
    pub fn restore(
        &mut self,
        folder: &LevelFolder,
        control: &Control<'_>,
    ) -> Result<Option<Level>, CosetError> {
        let position = folder.search.position;
        assert_eq!(position, self.position, "not the folder of this position");
        let next = self.level.map_or(0, |level| level.moves + 1);
        let Some(&(_, level)) = folder.levels.get(usize::from(next)) else {
            return Ok(None);
        };
        let step = format!("level {} of the file", level.moves);
        let control = &control.step(&step);
        let decoded_count = AtomicU64::new(0);
        let passes = self.count() >= self.pass_from;
        if passes {
            std::mem::swap(&mut self.marked, &mut self.before);
        }
        let blocks = self
            .marked
            .chunks_mut(BLOCK)
            .zip(self.before.chunks(BLOCK))
            .enumerate()
            .collect();
        let decode = |(number, (marked, before)): (usize, (&mut [u8], &[u8])), code: &[u8]| {
            if control.is_cancelled() {
                return None;
            }
            if code.is_empty() && !passes {
                return Some((0, Vec::new()));
            }
            let first = (number * BLOCK * 8) as u64;
            let decoded = mark(code, marked, passes.then_some(before), first)?;
            let finished = 1 + decoded_count.fetch_add(1, Ordering::Relaxed);
            control.report(finished, CODES as u64);
            Some(decoded)
        };
        let decoded = folder.decode(level.moves, blocks, control, decode);
        if control.is_cancelled() {
            return Err(CosetError::Cancelled);
        }
        let (counts, new_bits): (Vec<u64>, Vec<Vec<u64>>) = decoded?.into_iter().unzip();
        if self.count() + counts.iter().sum::<u64>() != level.total {
            let path = path_of(&folder.path, level.moves);
            return Err(FileError::CorruptedHeader { path }.into());
        }
        self.new_bits = (!passes).then(|| new_bits.concat());
        self.level = Some(level);
        Ok(Some(level))
    }
}

/// Marks the members of a level in a block whose first bit is `first`, and returns their number;
/// `None` if the code is invalid. If the level has a pass, `before` is the block before it, whose
/// members are marked as well. If not, `marked` is updated, and the bits of the level are returned.
fn mark(
    code: &[u8],
    marked: &mut [u8],
    before: Option<&[u8]>,
    first: u64,
) -> Option<(u64, Vec<u64>)> {
    let mut decoder = rice::Decoder::new(code)?;
    let marked_before: Vec<u64> = words_of(before.unwrap_or(marked)).collect();
    let words = <[U64]>::mut_from_bytes(marked).expect("a block has whole words");
    let mut count = 0;
    let mut new_bits = Vec::new();
    for ((marked, before_word), first) in words
        .iter_mut()
        .zip(marked_before)
        .zip((first..).step_by(64))
    {
        let new = decoder.word(!before_word)?;
        marked.set(before_word | new);
        count += u64::from(new.count_ones());
        if before.is_none() {
            new_bits.extend(bits(std::iter::once(new)).map(|bit| first + bit));
        }
    }
    decoder.is_done().then_some((count, new_bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coset::CosetTables;
    use std::collections::BTreeMap;

    /// The contents of the files of a folder, by name.
    type Files = BTreeMap<String, Vec<u8>>;

    fn files_of(folder: &Path) -> Files {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let file = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        };
        entries.map(file).collect()
    }

    /// Opens a folder with these files.
    fn opened(files: &Files) -> (tempfile::TempDir, Result<LevelFolder, FileError>) {
        let directory = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(directory.path().join(name), bytes).unwrap();
        }
        let effort = SearchEffort::Exhaustive;
        let folder =
            LevelFolder::open_or_create(directory.path(), &Cube::SOLVED, Metric::Htm, effort);
        (directory, folder)
    }

    fn code(level: u8, number: usize) -> Vec<u8> {
        let bytes = 0..number as u8 % 7;
        bytes.map(|byte| byte.wrapping_mul(level + 1)).collect()
    }

    fn level(moves: u8) -> Level {
        let number = u64::from(moves);
        Level {
            moves,
            by_pass: number,
            by_search: 2,
            sequences: 3 * number,
            total: 2 * (number + 1) + number * (number + 1) / 2,
            is_complete: moves < 2,
            is_exact: true,
            pass_time: Duration::from_nanos(number),
            search_time: Duration::from_nanos(3 * number),
        }
    }

    fn append(folder: &mut LevelFolder, level: &Level) {
        let encode = |number| code(level.moves, number);
        let control = Control::default();
        folder.append(level, encode, &control).unwrap();
    }

    /// Adds the missing ones of three levels.
    fn complete(folder: &mut LevelFolder) {
        let first = folder.levels().len() as u8;
        for moves in first..3 {
            append(folder, &level(moves));
        }
        assert!(folder.levels().eq((0..3).map(level)));
    }

    /// Checks every code of every level.
    fn check(folder: &LevelFolder) -> Result<(), FileError> {
        for moves in 0..folder.levels().len() as u8 {
            let is_right = |number, bytes: &[u8]| Some(bytes == code(moves, number));
            let numbers = (0..CODES).collect();
            let are_right = folder.decode(moves, numbers, &Control::default(), is_right)?;
            assert!(are_right.into_iter().all(|is_right| is_right));
        }
        Ok(())
    }

    /// Returns the files of three levels.
    fn three_levels() -> Files {
        let (directory, folder) = opened(&Files::new());
        let mut folder = folder.unwrap();
        complete(&mut folder);
        check(&folder).unwrap();
        files_of(directory.path())
    }

    #[test]
    fn a_folder_that_ends_anywhere_is_completed_to_the_same_files() {
        let all_files = three_levels();
        assert!(
            all_files
                .keys()
                .eq(["00.level", "01.level", "02.level", "lock"])
        );
        let last_file = &all_files["02.level"];
        for levels in 0..3 {
            for end in (0..=last_file.len()).step_by(997) {
                let mut files = all_files.clone();
                files.retain(|name, _| *name < format!("{levels:02}") || name == "lock");
                // The header of a level is written last.
                let mut part = last_file[..end].to_vec();
                part[..end.min(4096)].fill(0);
                files.insert(format!("{levels:02}.level.part"), part);
                files.insert(format!("{levels:02}.level.journal"), vec![7; 30]);
                let (directory, folder) = opened(&files);
                let mut folder = folder.unwrap();
                assert_eq!(folder.levels().len(), levels);
                check(&folder).unwrap();
                complete(&mut folder);
                assert!(files_of(directory.path()) == all_files, "{levels} {end}");
            }
        }
    }

    #[test]
    fn a_level_that_was_removed_is_searched_again_with_later_ones() {
        let all_files = three_levels();
        let mut files = all_files.clone();
        files.remove("01.level");
        let (directory, folder) = opened(&files);
        let mut folder = folder.unwrap();
        assert!(folder.levels().eq([level(0)]));
        append(&mut folder, &level(1));
        assert!(!directory.path().join("02.level").exists());
        complete(&mut folder);
        assert!(files_of(directory.path()) == all_files);
    }

    #[test]
    fn corrupted_and_wrong_files_are_refused() {
        let all_files = three_levels();
        let length = all_files["01.level"].len();
        for at in (0..length).step_by(61).chain(0..150) {
            let mut files = all_files.clone();
            files.get_mut("01.level").unwrap()[at] ^= 8;
            let (directory, folder) = opened(&files);
            let error = folder.and_then(|folder| check(&folder)).unwrap_err();
            let path = directory.path().join("01.level");
            assert_eq!(error.path(), Some(&*path), "{error}");
            match error {
                FileError::CorruptedHeader { .. } | FileError::CorruptedBlock { .. } => {}
                FileError::OtherFormat { .. } => assert!(at < 16),
                FileError::OtherVersion { .. } => assert!((16..20).contains(&at)),
                other => panic!("{at}: {other}"),
            }
        }
        // The first level in place of the second, a level with a wrong count, and no level.
        let mut files = all_files.clone();
        files.insert("01.level".into(), all_files["00.level"].clone());
        let error = opened(&files).1.err().unwrap();
        assert!(matches!(error, FileError::OtherContents { .. }), "{error}");
        let (directory, folder) = opened(&all_files);
        let mut folder = folder.unwrap();
        folder.levels.truncate(1);
        let mut with_wrong_total = level(1);
        with_wrong_total.total += 1;
        append(&mut folder, &with_wrong_total);
        let error = LevelFolder::open_existing(directory.path()).err().unwrap();
        assert!(
            matches!(error, FileError::CorruptedHeader { .. }),
            "{error}"
        );
        let empty = tempfile::tempdir().unwrap();
        let error = LevelFolder::open_existing(empty.path()).err().unwrap();
        assert!(matches!(error, FileError::NotFound { .. }), "{error}");
    }

    #[test]
    fn the_folder_of_another_search_is_refused() {
        let (directory, folder) = opened(&three_levels());
        let open = |position: &str, metric, effort| {
            let position: Cube = position.parse().unwrap();
            let result = LevelFolder::open_or_create(directory.path(), &position, metric, effort);
            result
                .err()
                .map_or(String::new(), |error| error.to_string())
        };
        let exact = SearchEffort::Exhaustive;
        assert!(open("U", Metric::Htm, exact).contains("another process"));
        drop(folder);
        assert_eq!(open("U R2", Metric::Htm, exact), "");
        let covered = SearchEffort::UntilCovered;
        let of_htm = "holds exact distances in htm of the coset of UUU";
        for (position, metric, effort, part) in [
            ("R", Metric::Htm, exact, of_htm),
            ("U", Metric::Qtm, exact, ", not exact distances in qtm of"),
            (
                "U",
                Metric::Htm,
                covered,
                ", not distances up to 20 in htm of",
            ),
        ] {
            let error = open(position, metric, effort);
            assert!(error.contains(part), "{error}");
        }
    }

    /// A search resumes from its last complete level, whichever it is, and finds the same levels.
    #[test]
    #[ignore = "6 GB, and some minutes"]
    fn a_killed_search_resumes_from_the_last_complete_level() {
        let control = Control::default();
        let position = Cube::SOLVED;
        let exact = SearchEffort::Exhaustive;
        for (metric, last) in [(Metric::Htm, 8), (Metric::Qtm, 9)] {
            let directory = tempfile::tempdir().unwrap();
            let open = || LevelFolder::open_or_create(directory.path(), &position, metric, exact);
            let tables = CosetTables::new(metric);
            let mut search = CosetSearch::new(&tables, &position).unwrap();
            let mut folder = open().unwrap();
            // Passes from a few levels on.
            search.pass_from = 1000;
            for _ in 0..=last {
                search.advance(exact, &control).unwrap();
                search.save(&mut folder, &control).unwrap();
            }
            let levels = folder.levels().collect::<Vec<Level>>();
            let newly_marked = search.newly_marked().collect::<Vec<Cube>>();
            drop(folder);
            for lost in [3, last - 1] {
                let file = |name: &str| directory.path().join(format!("{lost:02}.{name}"));
                fs::rename(file("level"), file("level.part")).unwrap();
                let mut folder = open().unwrap();
                assert_eq!(folder.levels().len(), lost);
                search.restart(&position, &control).unwrap();
                for expected in &levels {
                    let level = match search.restore(&folder, &control).unwrap() {
                        Some(level) => level,
                        None => {
                            let level = search.advance(exact, &control).unwrap();
                            search.save(&mut folder, &control).unwrap();
                            level
                        }
                    };
                    assert_eq!(
                        (level.moves, level.total, level.is_exact),
                        (expected.moves, expected.total, true)
                    );
                }
                assert!(search.newly_marked().eq(newly_marked.iter().copied()));
            }
        }
    }
}
