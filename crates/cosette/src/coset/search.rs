//! The search through a coset, level by level, with the tables that searches share.

use super::distance_table::DistanceTable;
use super::members::{BITMAP, MEMBER_COUNT, MemberBitmap, ROWS};
use super::pass::Pass;
use super::sequence_search::{SequenceCounts, SequenceSearch};
use super::stabilizer::Stabilizer;
use crate::block_file::FileError;
use crate::control::{Control, SpawnError, Threads};
use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::platform::{Instant, PageMemory, available_memory};
use crate::remedy::Remedy;
use crate::twophase::phase1::Coset;
use crate::twophase::{TwoPhase, TwoPhaseLimits};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use zerocopy::FromBytes;

/// An error that ended a coset search.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum CosetError {
    /// Too little memory.
    #[error(
        "a coset needs {} MB of memory, but only {} MB are available",
        needed.div_ceil(1_000_000),
        available / 1_000_000,
    )]
    TooLittleMemory { needed: u64, available: u64 },
    /// The requested threads could not be started.
    #[error(transparent)]
    Threads(#[from] SpawnError),
    /// An unusable folder of levels.
    #[error(transparent)]
    Levels(FileError),
    /// The work was cancelled or timed out.
    #[error("stopped before the level was complete")]
    Cancelled,
}

impl From<FileError> for CosetError {
    fn from(error: FileError) -> CosetError {
        match error {
            FileError::Threads(error) => CosetError::Threads(error),
            FileError::Cancelled => CosetError::Cancelled,
            error => CosetError::Levels(error),
        }
    }
}

impl CosetError {
    /// Returns a remedy, if there is one.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            CosetError::TooLittleMemory { .. } => Some(Remedy::FreeMemory),
            CosetError::Threads(refused) => Some(refused.remedy()),
            CosetError::Levels(_) | CosetError::Cancelled => None,
        }
    }
}

/// Returns the memory of a search, in bytes, including its tables.
pub fn memory_bytes() -> u64 {
    DistanceTable::bytes() + 2 * BITMAP as u64
}

/// The tables that searches share: 806 MB.
pub struct CosetTables {
    metric: Metric,
    members: MemberBitmap,
    distances: OnceLock<DistanceTable>,
}

impl CosetTables {
    /// Creates the tables without computing them. They are computed when the first level is
    /// searched; levels that are restored from a file do not need them.
    pub fn new(metric: Metric) -> CosetTables {
        CosetTables {
            metric,
            members: MemberBitmap::new(),
            distances: OnceLock::new(),
        }
    }

    /// Computes the tables, in some 15 CPU seconds. The unit of progress is a level of the
    /// breadth-first search for distances.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory for the tables and a search, if threads
    /// cannot be started, or on cancellation.
    pub fn generate(metric: Metric, control: &Control<'_>) -> Result<CosetTables, CosetError> {
        if memory_bytes() > available_memory() {
            return Err(too_little_memory());
        }
        let tables = CosetTables::new(metric);
        tables.distances(control)?;
        Ok(tables)
    }

    fn distances(&self, control: &Control<'_>) -> Result<&DistanceTable, CosetError> {
        if let Some(distances) = self.distances.get() {
            return Ok(distances);
        }
        let generate = |threads: &Threads| {
            DistanceTable::generate(self.metric, threads, &control.step("distances of cosets"))
        };
        let distances = Threads::run(control.threads(), generate)?;
        let missing = || {
            if control.is_cancelled() {
                CosetError::Cancelled
            } else {
                too_little_memory()
            }
        };
        let distances = distances.ok_or_else(missing)?;
        Ok(self.distances.get_or_init(|| distances))
    }
}

/// Returns the error that there is too little memory for a search and its tables.
fn too_little_memory() -> CosetError {
    CosetError::TooLittleMemory {
        needed: memory_bytes(),
        available: available_memory(),
    }
}

/// The thoroughness of the search of a level, after the pass that marks the images of all marked
/// positions under the moves of H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEffort {
    /// Search all sequences, so that every position within this many moves is marked. The search is
    /// skipped if the pass leaves so few positions unmarked that solving each of them is faster.
    Exhaustive,
    /// Stop the search once enough positions are marked that later passes alone will have marked
    /// nearly all by level 20.
    UntilCovered,
}

/// The result of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Level {
    /// The number of moves.
    pub moves: u8,
    /// Number of positions that the pass marked.
    pub by_pass: u64,
    /// Number of positions that the search marked.
    pub by_search: u64,
    /// Number of searched sequences into H: at least one of each class under the symmetries of the
    /// coset, and a few more.
    pub sequences: u64,
    /// Number of all positions marked by this and earlier levels: they are within `moves` moves.
    pub total: u64,
    /// `true` if no other positions are within `moves` moves.
    pub is_complete: bool,
    /// `true` if the positions that this level marked are at a distance of exactly `moves`: the
    /// level before was complete.
    pub is_exact: bool,
    /// Wall-clock time of the pass.
    pub pass_time: Duration,
    /// Wall-clock time of the search.
    pub search_time: Duration,
}

/// Returns a number that identifies the coset of a position up to the 16 symmetries of H. Cosets
/// with the same number have the same number of positions at each distance.
pub fn coset_class(position: &Cube) -> u64 {
    let numbers = Symmetry::preserving_ud_axis()
        .map(|symmetry| Coset::of(&position.conjugate(symmetry)).number());
    numbers.min().expect("there are 16")
}

/// Number of members of the last level below which all sequences are searched, as that is faster
/// than a pass. The bits found are stored.
const SMALL_LEVEL: u64 = 4_000_000;

/// Number of positions below which solving each is faster than searching a level.
const SOLVE_INDIVIDUALLY_BELOW: u64 = 5_000;

/// The bytes of a bitmap that threads work on together.
pub(super) const BLOCK: usize = BITMAP / ROWS;

/// A position that no level has marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmarkedPosition {
    /// The position.
    pub position: Cube,
    /// A solution; `None` if the two-phase search found none within the limits.
    pub solution: Option<Vec<Move>>,
}

/// A search through a coset, level by level.
pub struct CosetSearch<'a> {
    tables: &'a CosetTables,
    pub(super) position: Cube,
    /// The marked members.
    pub(super) marked: PageMemory,
    /// The members marked before the last pass.
    pub(super) before: PageMemory,
    /// The bits of the last level, if no pass was made for it.
    pub(super) fresh: Option<Vec<u64>>,
    /// The last level.
    pub(super) level: Option<Level>,
    /// [`SMALL_LEVEL`], or fewer in tests.
    pub(super) few: u64,
}

impl<'a> CosetSearch<'a> {
    /// Creates a search through the coset of a position.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory.
    pub fn new(tables: &'a CosetTables, position: &Cube) -> Result<CosetSearch<'a>, CosetError> {
        let zeroed = || PageMemory::zeroed(BITMAP as u64).ok_or_else(too_little_memory);
        Ok(CosetSearch {
            tables,
            position: *position,
            marked: zeroed()?,
            before: zeroed()?,
            fresh: None,
            level: None,
            few: SMALL_LEVEL,
        })
    }

    /// Restarts with the coset of another position.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started.
    pub fn restart(&mut self, position: &Cube, control: &Control<'_>) -> Result<(), CosetError> {
        let pages = self.marked.chunks_mut(BLOCK).collect();
        let clear = |(): &mut (), page: &mut [u8]| {
            page.fill(0);
            Ok::<(), CosetError>(())
        };
        Threads::run(control.threads(), |threads| {
            threads.map(pages, || (), clear)
        })??;
        self.position = *position;
        self.fresh = None;
        self.level = None;
        Ok(())
    }

    /// Returns the last level.
    pub fn level(&self) -> Option<&Level> {
        self.level.as_ref()
    }

    /// Returns the number of marked positions.
    pub fn count(&self) -> u64 {
        self.level.map_or(0, |level| level.total)
    }

    /// Advances to the next level. Progress counts parts of the pass, then of the search.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, or on cancellation; the marked positions are
    /// then within the moves of the last level, or one more.
    pub fn advance(
        &mut self,
        effort: SearchEffort,
        control: &Control<'_>,
    ) -> Result<Level, CosetError> {
        let distances = self.tables.distances(control)?;
        Threads::run(control.threads(), |threads| {
            self.next(effort, distances, threads, control)
        })?
        .ok_or(CosetError::Cancelled)
    }

    /// Implements [`CosetSearch::advance`]; `None` on cancellation.
    fn next(
        &mut self,
        effort: SearchEffort,
        distances: &DistanceTable,
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<Level> {
        let moves = self.level.map_or(0, |level| level.moves + 1);
        let was_complete = self.level.is_none_or(|level| level.is_complete);
        let count = self.count();
        let start = Instant::now();
        let passes = count >= self.few;
        let mut total = count;
        if passes {
            total = self.pass(moves, distances.metric, threads, control)?;
        }
        let pass_time = start.elapsed();
        let by_pass = total - count;
        let enough = match effort {
            SearchEffort::UntilCovered if passes => enough(total).saturating_sub(total),
            _ => u64::MAX,
        };
        let mut found = SequenceCounts {
            is_partial: true,
            ..SequenceCounts::default()
        };
        if effort == SearchEffort::UntilCovered || MEMBER_COUNT - total > SOLVE_INDIVIDUALLY_BELOW {
            let words = SequenceSearch {
                members: &self.tables.members,
                distances,
                position: &self.position,
                stabilizer: &Stabilizer::of(&self.position),
                length: moves,
                ends_outside: passes,
                enough,
            };
            let bitmap =
                <[AtomicU64]>::mut_from_bytes(&mut self.marked).expect("pages are aligned");
            found = words.mark(bitmap, threads, &control.step(&format!("search {moves}")))?;
        }
        total += found.members;
        self.fresh = (!passes).then_some(found.bits);
        let level = Level {
            moves,
            by_pass,
            by_search: found.members,
            sequences: found.words,
            total,
            is_complete: was_complete && !found.is_partial,
            is_exact: was_complete,
            pass_time,
            search_time: start.elapsed() - pass_time,
        };
        self.level = Some(level);
        Some(level)
    }

    /// Makes the pass of a level, and returns the number of marked positions; `None` on
    /// cancellation, which leaves the positions as they were.
    fn pass(
        &mut self,
        moves: u8,
        metric: Metric,
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<u64> {
        let step = format!("pass {moves}");
        let is_odd = self.position.is_odd() != (moves % 2 == 1);
        std::mem::swap(&mut self.marked, &mut self.before);
        let pass = Pass {
            members: &self.tables.members,
            old: &self.before,
            corner_parity: (metric == Metric::Qtm).then_some(is_odd),
        };
        let passed = pass.run(&mut self.marked, threads, &control.step(&step));
        if passed.is_none() {
            std::mem::swap(&mut self.marked, &mut self.before);
        }
        passed
    }

    /// Returns `true` if a position is marked, and so within the moves of the last level. `None` if
    /// it is in another coset.
    pub fn is_marked(&self, position: &Cube) -> Option<bool> {
        let member = self.position * position.inverse();
        (Coset::of(&member) == Coset::TARGET)
            .then(|| self.is_marked_bit(self.tables.members.bit_of(&member)))
    }

    /// Returns positions of the coset, drawn uniformly; deterministic for a given seed.
    pub fn random_positions(&self, seed: u64) -> impl Iterator<Item = Cube> {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        std::iter::repeat_with(move || self.position(chance.random_range(0..MEMBER_COUNT)))
    }

    /// Returns the position with this number.
    ///
    /// # Panics
    ///
    /// Panics if `number` is not less than [`MEMBER_COUNT`].
    pub fn position(&self, number: u64) -> Cube {
        self.tables.members.member(number).inverse() * self.position
    }

    fn is_marked_bit(&self, bit: u64) -> bool {
        self.marked[(bit / 8) as usize] >> (bit % 8) & 1 == 1
    }

    /// Returns the positions that the last level marked.
    pub fn newly_marked(&self) -> impl Iterator<Item = Cube> {
        self.newly_marked_numbers()
            .map(|number| self.position(number))
    }

    /// Returns the numbers of the positions that the last level marked; each position of the coset
    /// has one.
    pub fn newly_marked_numbers(&self) -> impl Iterator<Item = u64> {
        let listed = self.fresh.iter().flatten().copied();
        let differing = words_of(&self.marked)
            .zip(words_of(&self.before))
            .map(|(marked, before)| marked & !before);
        let of_pass = self.fresh.is_none().then(|| bits(differing));
        listed.chain(of_pass.into_iter().flatten())
    }

    /// Returns the positions that are not marked.
    pub fn unmarked(&self) -> impl Iterator<Item = Cube> {
        bits(words_of(&self.marked).map(|word| !word)).map(|bit| self.position(bit))
    }

    /// Returns the positions that are not marked, each with a solution of at most `within` moves
    /// (half turns count one in either metric), if a two-phase search with `nodes` nodes finds one.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, or on cancellation.
    pub fn solve_unmarked(
        &self,
        within: u8,
        nodes: u64,
        control: &Control<'_>,
    ) -> Result<Vec<UnmarkedPosition>, CosetError> {
        let limits = TwoPhaseLimits {
            target: within,
            nodes,
            ..TwoPhaseLimits::default()
        };
        let control = &control.step("positions left");
        let done = AtomicU64::new(0);
        let all = MEMBER_COUNT - self.count();
        let solve = |(): &mut (), position: Cube| {
            let found =
                TwoPhase::get().search(&position, &limits, &mut |_| {}, control.cancel_token());
            if control.is_cancelled() {
                return Err(CosetError::Cancelled);
            }
            control.report(1 + done.fetch_add(1, Ordering::Relaxed), all);
            let solution = found
                .solution
                .filter(|solution| solution.len() <= usize::from(within));
            Ok(UnmarkedPosition { position, solution })
        };
        Threads::run(control.threads(), |threads| {
            threads.map(self.unmarked().collect(), || (), solve)
        })?
    }
}

/// Returns the number of positions to mark in a level whose pass has marked `by_pass`, for the
/// later passes to mark nearly all. If that many are marked, no search is needed.
///
/// Ten million more at 16 moves leave 1/e of the positions, and one that is left costs as much as
/// the search of 120,000: so 80 should be left. That is where this ends, to within six million, in
/// five cosets (`docs/lab/cosets.md`). (The form of the rule is T. Rokicki's, whose 167 million and
/// a third leave 389, 630 and 507 in three of them.)
fn enough(by_pass: u64) -> u64 {
    150_000_000 + by_pass / 2
}

/// Returns the words of a bitmap.
pub(super) fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> + Clone {
    bytes
        .chunks_exact(8)
        .map(|word| u64::from_le_bytes(word.try_into().expect("there are eight")))
}

/// Returns the numbers of the bits that are set.
pub(super) fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    (0..)
        .step_by(64)
        .zip(words)
        .filter(|&(_, word)| word != 0)
        .flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| first + u64::from(word.trailing_zeros()));
                word &= word.wrapping_sub(1);
                bit
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coset::members;
    use crate::cube::{for_each_sequence, random_positions};
    use std::collections::BTreeSet;

    /// Reference implementation: the positions of a coset at each distance, by brute force.
    fn obvious(position: &Cube, metric: Metric, longest: u8) -> Vec<BTreeSet<Cube>> {
        let mut seen = BTreeSet::new();
        let level = |length| {
            let mut level = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                let found = Cube::from_moves(moves).inverse();
                if Coset::of(&found) == Coset::of(position) && seen.insert(found) {
                    level.insert(found);
                }
            });
            level
        };
        (0..=longest).map(level).collect()
    }

    #[test]
    #[ignore = "6 GB, and two minutes"]
    fn cosets_are_those_of_the_obvious_search() {
        let control = Control::default();
        for metric in Metric::ALL {
            let tables = CosetTables::generate(metric, &control).unwrap();
            let mut search = CosetSearch::new(&tables, &Cube::SOLVED).unwrap();
            for (moves, few) in [
                ("U U'", 1),
                ("U U'", u64::MAX),
                ("R U2 F'", 1),
                ("F R", 1),
                ("R L", 1),
                ("R L'", u64::MAX),
                ("R F L B", u64::MAX),
            ] {
                let position: Cube = moves.parse().unwrap();
                search.restart(&position, &control).unwrap();
                search.few = few;
                for (length, expected) in obvious(&position, metric, 5).into_iter().enumerate() {
                    let level = search.advance(SearchEffort::Exhaustive, &control).unwrap();
                    assert!(level.is_complete && usize::from(level.moves) == length);
                    let found: Vec<Cube> = search.newly_marked().collect();
                    assert_eq!(found.len(), expected.len(), "{metric} {moves} {length}");
                    assert_eq!(BTreeSet::from_iter(found), expected);
                }
            }
        }
    }

    #[test]
    fn cosets_that_are_alike_have_one_number() {
        let mut classes = BTreeSet::new();
        let moves = [members::MOVES[0], members::MOVES[members::FIRST_HALF_TURN]];
        let member = Cube::from_moves(&moves);
        for position in random_positions(1).take(100) {
            let class = coset_class(&position);
            assert!(class < 1 << 32 && classes.insert(class));
            assert_eq!(coset_class(&(member * position)), class);
            for symmetry in Symmetry::all() {
                let is_of_h = Coset::of(&member.conjugate(symmetry)) == Coset::TARGET;
                assert_eq!(coset_class(&position.conjugate(symmetry)) == class, is_of_h);
            }
        }
    }

    #[test]
    #[ignore = "6 GB, and two minutes"]
    fn levels_have_the_published_numbers_of_positions() {
        let control = Control::default();
        let tables = CosetTables::generate(Metric::Htm, &control).unwrap();
        let mut search = CosetSearch::new(&tables, &Cube::SOLVED).unwrap();
        let published = [
            1, 10, 67, 456, 3079, 20076, 125218, 756092, 4331124, 23639531, 122749840, 582017108,
            2278215506, 5790841966,
        ];
        let mut total = 0;
        for expected in published {
            total += expected;
            let level = search.advance(SearchEffort::Exhaustive, &control).unwrap();
            assert_eq!(level.total, total);
        }
        for position in search.random_positions(41).take(10_000) {
            assert!(search.is_marked(&position).is_some());
        }
    }
}
