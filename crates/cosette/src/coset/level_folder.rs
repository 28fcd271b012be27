//! A folder with the levels of a coset: a result, from which a stopped search can resume.
//!
//! Each level is a block file (`block_file`), `00.level`, `01.level` and so on. Its facts are the
//! numbers of the level, and the metric, the search effort and the position.
//!
//! ```text
//! payload    | for each block of the bitmap the bytes of its code, 4 bytes |
//!            | code 0 | code 1 | …                 of which bits the level marked (`rice`)
//! ```
//!
//! A bit that an earlier level marked is not open, so no position is in two levels. A block file is
//! complete when it gets its name. So a process that is killed, or a machine that loses power,
//! leaves complete levels, and perhaps a part of one more, which the next search overwrites. Files
//! after a missing level are no part of the result; they are removed when that level is saved. The
//! file `lock` is locked while a process searches.

use super::level::{Level, SearchEffort};
use super::members::ROWS;
use super::search::BLOCK;
use crate::block_file::{self, BlockFile, FileError, PartialFile, PayloadKind, PayloadStats};
use crate::control::{Control, Threads};
use crate::cube::{Cube, Metric};
use crate::twophase::phase1::Coset;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;
use zerocopy::little_endian::U32;
use zerocopy::{FromZeros, IntoBytes};

/// Number of codes of a level: one for each block of the bitmap.
pub(super) const CODES: usize = ROWS;
/// Offset of the first code.
const FIRST_CODE: u64 = (CODES * size_of::<U32>()) as u64;
/// More than the bytes by which a code may exceed the block.
const CODE_OVERHEAD: u64 = 16;
/// Number of blocks that are coded before they are written: at most 62 MB.
const CODED_AT_ONCE: usize = 64;
/// Number of moves of the last level that a coset can have.
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

/// The facts of a file: a level, and the search that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LevelFacts {
    level: Level,
    position: Cube,
    metric: Metric,
    effort: SearchEffort,
}

impl LevelFacts {
    /// Number of facts before the facelets of the position.
    const NUMBERS: usize = 10;

    fn to_stats(self) -> PayloadStats {
        let level = &self.level;
        let numbers: [u64; LevelFacts::NUMBERS] = [
            level.by_pass,
            level.by_search,
            level.sequences,
            level.total,
            level.is_complete.into(),
            level.is_exact.into(),
            level.pass_time.as_nanos() as u64,
            level.search_time.as_nanos() as u64,
            (self.metric == Metric::Qtm).into(),
            (self.effort == SearchEffort::Exhaustive).into(),
        ];
        let mut stats = [0; 32];
        stats[..LevelFacts::NUMBERS].copy_from_slice(&numbers);
        let facelets = self.position.facelets();
        let words = &mut stats[LevelFacts::NUMBERS..];
        for (word, letters) in words.iter_mut().zip(facelets.as_bytes().chunks(8)) {
            let mut bytes = [0; 8];
            bytes[..letters.len()].copy_from_slice(letters);
            *word = u64::from_le_bytes(bytes);
        }
        stats
    }

    /// Parses the facts of a file; `None` if they are not those of a level.
    fn parse(moves: u8, stats: &PayloadStats) -> Option<LevelFacts> {
        let (numbers, words) = stats.split_at(LevelFacts::NUMBERS);
        let &[
            by_pass,
            by_search,
            sequences,
            total,
            is_complete,
            is_exact,
            pass_time,
            search_time,
            is_qtm,
            is_exhaustive,
        ] = numbers
        else {
            return None;
        };
        let letters: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let facelets = std::str::from_utf8(&letters).ok()?.trim_end_matches('\0');
        Some(LevelFacts {
            level: Level {
                moves,
                by_pass,
                by_search,
                sequences,
                total,
                is_complete: is_complete == 1,
                is_exact: is_exact == 1,
                pass_time: Duration::from_nanos(pass_time),
                search_time: Duration::from_nanos(search_time),
            },
            position: Cube::from_facelets(facelets).ok()?,
            metric: match is_qtm {
                0 => Metric::Htm,
                _ => Metric::Qtm,
            },
            effort: match is_exhaustive {
                0 => SearchEffort::UntilCovered,
                _ => SearchEffort::Exhaustive,
            },
        })
    }

    /// Returns `true` if `self` is of the level after `before`, in the same search.
    fn follows(&self, before: &LevelFacts) -> bool {
        let level = &self.level;
        let new = level.by_pass.checked_add(level.by_search);
        let total = new.and_then(|new| new.checked_add(before.level.total));
        total == Some(level.total)
            && LevelFacts {
                level: before.level,
                ..*self
            } == *before
    }
}

/// A folder of the levels of a coset.
pub struct LevelFolder {
    path: PathBuf,
    position: Cube,
    metric: Metric,
    effort: SearchEffort,
    levels: Vec<(BlockFile, Level)>,
    /// Locked until it is dropped; `None` if the folder is only read.
    _lock: Option<File>,
}

impl LevelFolder {
    /// Opens the folder of this coset, or creates it; only this process may then write it.
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
        let lock = Some(block_file::lock_folder(path)?);
        let Some(mut folder) = LevelFolder::read(path)? else {
            return Ok(LevelFolder {
                path: path.to_owned(),
                position: *position,
                metric,
                effort,
                levels: Vec::new(),
                _lock: lock,
            });
        };
        let other = |found: &str, expected: &str| {
            Err(FileError::OtherContents {
                path: path.to_owned(),
                found: found.to_owned(),
                expected: expected.to_owned(),
            })
        };
        if Coset::of(&folder.position) != Coset::of(position) {
            return other(
                &format!("the coset of {}", folder.position.facelets()),
                &format!("of {}", position.facelets()),
            );
        }
        if folder.metric != metric {
            return other(folder.metric.name(), metric.name());
        }
        if folder.effort != effort {
            return other(name_of(folder.effort), name_of(effort));
        }
        folder._lock = lock;
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

    /// Opens the files of the levels; `None` if there are none.
    fn read(path: &Path) -> Result<Option<LevelFolder>, FileError> {
        let mut levels = Vec::new();
        let mut last: Option<LevelFacts> = None;
        for moves in 0..=MAX_MOVES {
            let path = path_of(path, moves);
            let file = match BlockFile::open(&path, &LevelPayload { moves }) {
                Err(FileError::NotFound { .. }) => break,
                file => file?,
            };
            let facts = LevelFacts::parse(moves, file.facts())
                .filter(|facts| last.is_none_or(|last| facts.follows(&last)))
                .ok_or(FileError::CorruptedHeader { path })?;
            last = Some(facts);
            levels.push((file, facts.level));
        }
        Ok(last.map(|last| LevelFolder {
            path: path.to_owned(),
            position: last.position,
            metric: last.metric,
            effort: last.effort,
            levels,
            _lock: None,
        }))
    }

    /// Returns the position that defines the coset.
    pub fn position(&self) -> &Cube {
        &self.position
    }

    /// Returns the metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// Returns the depth to which each level was searched.
    pub fn search_effort(&self) -> SearchEffort {
        self.effort
    }

    /// Returns the complete levels.
    pub fn levels(&self) -> impl ExactSizeIterator<Item = Level> {
        self.levels.iter().map(|(_, level)| *level)
    }

    /// Saves the next level, whose blocks `encode` codes. After an error, the part written is
    /// removed.
    pub(super) fn append(
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
        // Levels that followed an earlier file of this level do not follow this one.
        for moves in level.moves + 1..=MAX_MOVES {
            match block_file::remove(&path_of(&self.path, moves)) {
                Err(FileError::NothingToRemove { .. }) => {}
                removed => removed?,
            }
        }
        let facts = LevelFacts {
            level: *level,
            position: self.position,
            metric: self.metric,
            effort: self.effort,
        };
        partial.finish(bytes, &facts.to_stats(), control)?;
        let file = BlockFile::open(&path, &payload)?;
        self.levels.push((file, *level));
        Ok(())
    }

    /// Checks the file of a level, reads the code of each block, and passes it to `decode` with one
    /// of the [`CODES`] items. `decode` returns `None` if the code is invalid.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure, if the file is corrupted, or on cancellation.
    pub(super) fn decode<T: Send, R: Send>(
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

    /// Returns the error that the counts of a level do not match its content.
    pub(super) fn miscounted(&self, moves: u8) -> FileError {
        FileError::CorruptedHeader {
            path: path_of(&self.path, moves),
        }
    }
}

/// Returns the path of the file of a level.
fn path_of(folder: &Path, moves: u8) -> PathBuf {
    folder.join(format!("{moves:02}.level"))
}

fn name_of(effort: SearchEffort) -> &'static str {
    match effort {
        SearchEffort::Exhaustive => "exact distances",
        SearchEffort::UntilCovered => "distances up to 20",
    }
}

/// Writes the codes of all blocks, and returns the number of bytes of the payload.
fn write_codes(
    partial: &PartialFile<'_>,
    threads: &Threads,
    encode: impl Fn(usize) -> Vec<u8> + Send + Sync,
) -> Result<u64, FileError> {
    let mut sizes = Vec::with_capacity(CODES);
    let mut end = FIRST_CODE;
    for first in (0..CODES).step_by(CODED_AT_ONCE) {
        let numbers = (first..CODES.min(first + CODED_AT_ONCE)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The files of a folder by name.
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
        let home = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(home.path().join(name), bytes).unwrap();
        }
        let folder = LevelFolder::open_or_create(
            home.path(),
            &Cube::SOLVED,
            Metric::Htm,
            SearchEffort::Exhaustive,
        );
        (home, folder)
    }

    fn code(level: u8, number: usize) -> Vec<u8> {
        (0..number as u8 % 7)
            .map(|byte| byte.wrapping_mul(level + 1))
            .collect()
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

    /// Adds levels up to the third.
    fn complete(folder: &mut LevelFolder) {
        let first = folder.levels().len() as u8;
        for moves in first..3 {
            let encode = |number| code(moves, number);
            folder
                .append(&level(moves), encode, &Control::default())
                .unwrap();
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

    /// The files of three levels.
    fn three_levels() -> Files {
        let (home, folder) = opened(&Files::new());
        let mut folder = folder.unwrap();
        complete(&mut folder);
        check(&folder).unwrap();
        files_of(home.path())
    }

    #[test]
    fn a_folder_that_ends_anywhere_is_continued_to_the_same_files() {
        let whole = three_levels();
        let names: Vec<&String> = whole.keys().collect();
        assert_eq!(names, ["00.level", "01.level", "02.level", "lock"]);
        let cut = &whole["02.level"];
        let journal = vec![7; 30];
        for levels in 0..3 {
            for end in (0..=cut.len()).step_by(997) {
                let mut files = whole.clone();
                for moves in levels..3 {
                    files.remove(&format!("{moves:02}.level"));
                }
                // The header is the last that is written of a level.
                let mut part = cut[..end].to_vec();
                let header = end.min(4096);
                part[..header].fill(0);
                files.insert(format!("{levels:02}.level.part"), part);
                files.insert(format!("{levels:02}.level.journal"), journal.clone());
                let (home, folder) = opened(&files);
                let mut folder = folder.unwrap();
                assert_eq!(folder.levels().len(), levels);
                check(&folder).unwrap();
                complete(&mut folder);
                assert!(files_of(home.path()) == whole, "{levels} {end}");
            }
        }
    }

    #[test]
    fn a_level_that_was_removed_is_searched_again_with_later_ones() {
        let whole = three_levels();
        let mut files = whole.clone();
        files.remove("01.level");
        let (home, folder) = opened(&files);
        let mut folder = folder.unwrap();
        assert!(folder.levels().eq([level(0)]));
        let encode = |number| code(1, number);
        folder
            .append(&level(1), encode, &Control::default())
            .unwrap();
        assert!(!home.path().join("02.level").exists());
        complete(&mut folder);
        assert!(files_of(home.path()) == whole);
    }

    #[test]
    fn damage_and_other_files_are_refused() {
        let whole = three_levels();
        let length = whole["01.level"].len();
        for at in (0..length).step_by(61).chain(0..150) {
            let mut files = whole.clone();
            files.get_mut("01.level").unwrap()[at] ^= 8;
            let (home, folder) = opened(&files);
            let error = folder.and_then(|folder| check(&folder)).unwrap_err();
            let path = error.path().map(Path::to_owned);
            assert_eq!(path, Some(home.path().join("01.level")), "{error}");
            match error {
                FileError::CorruptedHeader { .. } | FileError::CorruptedBlock { .. } => {}
                FileError::OtherFormat { .. } => assert!(at < 16),
                FileError::OtherVersion { .. } => assert!((16..20).contains(&at)),
                other => panic!("{at}: {other}"),
            }
        }
        // The first level in place of the second, and a level of other counts.
        let mut files = whole.clone();
        files.insert("01.level".into(), whole["00.level"].clone());
        let error = opened(&files).1.err().unwrap();
        assert!(matches!(error, FileError::OtherContents { .. }), "{error}");
        let (home, folder) = opened(&whole);
        let mut folder = folder.unwrap();
        folder.levels.truncate(1);
        let mut other = level(1);
        other.total += 1;
        folder
            .append(&other, |number| code(1, number), &Control::default())
            .unwrap();
        let error = LevelFolder::open_existing(home.path()).err().unwrap();
        assert!(
            matches!(error, FileError::CorruptedHeader { .. }),
            "{error}"
        );
    }

    #[test]
    fn the_folder_of_another_search_is_refused() {
        let (home, folder) = opened(&three_levels());
        let open = |position: &str, metric, effort| {
            let position: Cube = position.parse().unwrap();
            let other = LevelFolder::open_or_create(home.path(), &position, metric, effort);
            other.map(drop).map_err(|error| error.to_string())
        };
        let says = |result: Result<(), String>, what: &str| {
            let error = result.unwrap_err();
            assert!(error.contains(what), "{error}");
        };
        let exact = SearchEffort::Exhaustive;
        says(open("U", Metric::Htm, exact), "another process");
        drop(folder);
        assert_eq!(open("U R2", Metric::Htm, exact), Ok(()));
        says(open("R", Metric::Htm, exact), "holds the coset of UUU");
        says(open("U", Metric::Qtm, exact), "holds htm, not qtm");
        says(
            open("U", Metric::Htm, SearchEffort::UntilCovered),
            "holds exact distances, not",
        );
        let empty = tempfile::tempdir().unwrap();
        let error = LevelFolder::open_existing(empty.path()).err().unwrap();
        assert!(matches!(error, FileError::NotFound { .. }), "{error}");
    }
}
