//! The search through a coset, level by level, with the tables that searches share.

use super::distance_table::DistanceTable;
use super::members::{BITMAP, MEMBER_COUNT, MemberNumbering, ROWS};
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
    members: MemberNumbering,
    distances: OnceLock<DistanceTable>,
}

impl CosetTables {
    /// Creates the tables without computing them. They are computed when the first level is
    /// searched; levels that are restored from a file do not need them.
    pub fn new(metric: Metric) -> CosetTables {
        CosetTables {
            metric,
            members: MemberNumbering::new(),
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
        let failure = || {
            if control.is_cancelled() {
                CosetError::Cancelled
            } else {
                too_little_memory()
            }
        };
        let distances = distances.ok_or_else(failure)?;
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

/// The thoroughness of the search of a level. It follows the pass, which marks the images of all
/// marked positions under the moves of H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEffort {
    /// Search all sequences, so that every position within this many moves is marked. The search is
    /// skipped if the pass leaves so few positions unmarked that solving each of them is faster.
    Exhaustive,
    /// Stop the search once so many positions are marked that later passes alone mark nearly all
    /// others by level 20.
    UntilCovered,
}

/// The result of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Level {
    /// The number of moves.
    pub moves: u8,
    /// Number of positions that the pass marked.
    pub by_pass: u64,
    /// Number of positions that the search marked.
    pub by_search: u64,
    /// Number of searched sequences into H. Of sequences that the symmetries of the coset carry to
    /// one another, at least one is searched, but not always only one.
    pub sequences: u64,
    /// Number of positions that this and earlier levels marked, all within `moves` moves.
    pub total: u64,
    /// `true` if all positions within `moves` moves are known to be marked.
    pub is_complete: bool,
    /// `true` if the positions that this level marked are at a distance of exactly `moves`, as the
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

/// Number of marked members below which the next level has no pass, as searching all its sequences
/// is faster. The bits that it marks are then stored.
const SMALL_LEVEL: u64 = 4_000_000;

/// Number of unmarked positions below which solving each is faster than searching a level.
const SOLVE_INDIVIDUALLY_BELOW: u64 = 5_000;

/// Number of bytes of a bitmap that a thread processes at once: the members of a row of corners.
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
    /// The bits that the last level marked, if it had no pass.
    pub(super) new_bits: Option<Vec<u64>>,
    /// The last level.
    pub(super) level: Option<Level>,
    /// Number of marked members from which levels have a pass: [`SMALL_LEVEL`], except in tests.
    pub(super) pass_from: u64,
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
            new_bits: None,
            level: None,
            pass_from: SMALL_LEVEL,
        })
    }

    /// Restarts with the coset of another position.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started.
    pub fn restart(&mut self, position: &Cube, control: &Control<'_>) -> Result<(), CosetError> {
        let blocks = self.marked.chunks_mut(BLOCK).collect();
        let clear = |(): &mut (), block: &mut [u8]| {
            block.fill(0);
            Ok::<(), CosetError>(())
        };
        Threads::run(control.threads(), |threads| {
            threads.map(blocks, || (), clear)
        })??;
        self.position = *position;
        self.new_bits = None;
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
        let passes = count >= self.pass_from;
        let mut total = count;
        if passes {
            total = self.pass(moves, distances.metric, threads, control)?;
        }
        let pass_time = start.elapsed();
        let by_pass = total - count;
        let enough = match effort {
            SearchEffort::UntilCovered if passes => sufficient_count(total).saturating_sub(total),
            _ => u64::MAX,
        };
        let mut searched = SequenceCounts {
            is_partial: true,
            ..SequenceCounts::default()
        };
        if effort == SearchEffort::UntilCovered || MEMBER_COUNT - total > SOLVE_INDIVIDUALLY_BELOW {
            let search = SequenceSearch {
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
            searched = search.mark(bitmap, threads, &control.step(&format!("search {moves}")))?;
        }
        total += searched.members;
        self.new_bits = (!passes).then_some(searched.bits);
        let level = Level {
            moves,
            by_pass,
            by_search: searched.members,
            sequences: searched.sequences,
            total,
            is_complete: was_complete && !searched.is_partial,
            is_exact: was_complete,
            pass_time,
            search_time: start.elapsed() - pass_time,
        };
        self.level = Some(level);
        Some(level)
    }

    /// Makes the pass of a level, and returns the number of marked positions; `None` on
    /// cancellation, which leaves the marked positions unchanged.
    fn pass(
        &mut self,
        moves: u8,
        metric: Metric,
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<u64> {
        let step = format!("pass {moves}");
        // The parity of the corners of a member after `moves` quarter turns.
        let is_odd = self.position.is_odd() != (moves % 2 == 1);
        std::mem::swap(&mut self.marked, &mut self.before);
        let pass = Pass {
            members: &self.tables.members,
            old: &self.before,
            corner_parity: (metric == Metric::Qtm).then_some(is_odd),
        };
        let count = pass.run(&mut self.marked, threads, &control.step(&step));
        if count.is_none() {
            std::mem::swap(&mut self.marked, &mut self.before);
        }
        count
    }

    /// Returns `Some(true)` if a position is marked, and so within the moves of the last level;
    /// `None` if it is in another coset.
    pub fn is_marked(&self, position: &Cube) -> Option<bool> {
        let member = self.position * position.inverse();
        (Coset::of(&member) == Coset::TARGET)
            .then(|| self.is_marked_bit(self.tables.members.bit_of(&member)))
    }

    /// Returns positions of the coset, drawn uniformly; deterministic for a given seed.
    pub fn random_positions(&self, seed: u64) -> impl Iterator<Item = Cube> {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        std::iter::repeat_with(move || self.position(generator.random_range(0..MEMBER_COUNT)))
    }

    /// Returns the position with this number: each position of the coset has one, below
    /// [`MEMBER_COUNT`].
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

    /// Returns the numbers of the positions that the last level marked ([`CosetSearch::position`]).
    pub fn newly_marked_numbers(&self) -> impl Iterator<Item = u64> {
        let stored = self.new_bits.iter().flatten().copied();
        let differing = words_of(&self.marked)
            .zip(words_of(&self.before))
            .map(|(marked, before)| marked & !before);
        let of_pass = self.new_bits.is_none().then(|| bits(differing));
        stored.chain(of_pass.into_iter().flatten())
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
        let searched_count = AtomicU64::new(0);
        let unmarked_count = MEMBER_COUNT - self.count();
        let solve = |(): &mut (), position: Cube| {
            let result =
                TwoPhase::get().search(&position, &limits, &mut |_| {}, control.cancel_token());
            if control.is_cancelled() {
                return Err(CosetError::Cancelled);
            }
            control.report(
                1 + searched_count.fetch_add(1, Ordering::Relaxed),
                unmarked_count,
            );
            let solution = result
                .solution
                .filter(|solution| solution.len() <= usize::from(within));
            Ok(UnmarkedPosition { position, solution })
        };
        Threads::run(control.threads(), |threads| {
            threads.map(self.unmarked().collect(), || (), solve)
        })?
    }
}

/// Returns the number of marked positions at which the search of a level may end, as later passes
/// then mark nearly all others; `after_pass` is their number after the pass of the level.
///
/// At 16 moves, marking ten million more leaves 1/e of the positions that would be left, and a
/// position that is left costs as much as marking 120,000 by search. So the best number to leave is
/// about 80, ten million by 120,000. In five cosets, this rule is within six million of that number
/// (`docs/lab/cosets.md`). (The form of the rule is T. Rokicki's. His constants, 167 million and a
/// third, leave 389, 630 and 507 positions in three of these cosets.)
fn sufficient_count(after_pass: u64) -> u64 {
    150_000_000 + after_pass / 2
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

    /// Reference implementation: the positions of a coset at each distance up to `max`, by brute
    /// force.
    fn levels_by_brute_force(position: &Cube, metric: Metric, max: u8) -> Vec<BTreeSet<Cube>> {
        let mut all = BTreeSet::new();
        let level = |length| {
            let mut level = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                let found = Cube::from_moves(moves).inverse();
                if Coset::of(&found) == Coset::of(position) && all.insert(found) {
                    level.insert(found);
                }
            });
            level
        };
        (0..=max).map(level).collect()
    }

    #[test]
    #[ignore = "6 GB, and two minutes"]
    fn levels_are_those_of_brute_force() {
        let control = Control::default();
        for metric in Metric::ALL {
            let tables = CosetTables::generate(metric, &control).unwrap();
            let mut search = CosetSearch::new(&tables, &Cube::SOLVED).unwrap();
            for (moves, pass_from) in [
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
                search.pass_from = pass_from;
                for (length, expected) in levels_by_brute_force(&position, metric, 5)
                    .into_iter()
                    .enumerate()
                {
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
    fn cosets_have_one_class_if_they_are_symmetric() {
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
