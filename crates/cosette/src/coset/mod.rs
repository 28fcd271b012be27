//! Whole cosets: the distances of 19.5·10⁹ positions at once.
//!
//! # Theory
//!
//! Let H be the subgroup that U, D, R2, F2, L2 and B2 generate (`twophase`). It has 19,508,428,800 members, and H·p is the set
//! of positions that a member of H followed by the moves to p leads to: its *coset*. They differ from p in which pieces are where, but
//! not in how corners and edges are oriented, or in which slots have edges of the slice. Every sequence of moves that leads from p into H, to a
//! member h, is a solution of the position h⁻¹·p. So a search for the ways from p into H solves positions of the coset, one
//! with each way it finds; and as each way can be continued by moves of H, most positions need no search at all: what is within
//! n moves gives, by one more move of H, most of what is within n + 1 (`pass`). The search adds those whose last move is not of
//! H (`words`). With both, every position of the coset within n moves is marked; with the passes alone, positions are marked
//! that are certainly within n.
//!
//! ```text
//! for n = 0, 1, …
//!     marked := marked, and what a move of H makes of it        one pass over 2.4 GB
//!     for each way into H of n moves whose last is not of H     as far as it pays
//!         mark where it ends
//! ```
//!
//! T. Rokicki thought of it ("Twenty-five moves suffice for Rubik's Cube", 2008), and 55,882,296 such cosets proved that every
//! position is within 20 moves (Rokicki, Kociemba, Davidson and Dethridge, 2010). What is new here is the order of members in
//! the bitmap (`members`).
//!
//! ```no_run
//! use cosette::coset::{CosetSearch, CosetTables, Effort};
//! use cosette::{Control, Cube, Metric};
//!
//! let control = Control::default();
//! let tables = CosetTables::generate(Metric::Htm, &control)?;
//! let mut search = CosetSearch::new(&tables, &"R U F L D B".parse::<Cube>()?)?;
//! while search.count() < cosette::coset::MEMBERS && search.level().is_none_or(|level| level.moves < 20) {
//!     let level = search.advance(Effort::Enough, &control)?;
//!     println!("{} positions within {} moves", level.total, level.moves);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod gaps;
mod levels;
mod members;
mod pass;
mod saved;
mod stabilizer;
mod ways;
mod words;

pub use error::{CosetError, SavedError};
pub use members::MEMBERS;
pub use saved::Saved;

use crate::control::{Control, Threads};
use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::platform::{PageMemory, Pages, available_memory};
use crate::twophase::cosets::Coset;
use crate::twophase::{TwoPhase, TwoPhaseLimits};
use members::{BITMAP, Members};
use pass::Pass;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stabilizer::Stabilizer;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use ways::Ways;
use words::Words;
use zerocopy::FromBytes;

/// The bytes of memory that a search takes, with its tables.
pub fn bytes() -> u64 {
    Ways::bytes() + 2 * BITMAP as u64
}

/// A number of the coset of a position, the same for all positions of it, and for the cosets that equal it in one of the 16
/// symmetries of H: they have as many positions at each distance.
pub fn class_of(position: &Cube) -> u64 {
    let numbers = Symmetry::keeping_up_and_down().map(|symmetry| Coset::of(&position.conjugate(symmetry)).number());
    numbers.min().expect("there are 16")
}

/// Below so many members of the level before, all ways are searched: sooner than a pass is done. Their bits are kept.
const FEW: u64 = 4_000_000;

/// So few positions are sooner solved one by one than a level is searched.
const FEW_LEFT: u64 = 5_000;

/// The bytes of a bitmap that threads work on together.
const BLOCK: usize = BITMAP / members::ROWS;

/// The tables that searches share: 806 MB.
pub struct CosetTables {
    metric: Metric,
    members: Members,
    ways: OnceLock<Ways>,
}

impl CosetTables {
    /// The tables, computed when the first level is searched: levels from a file do without.
    pub fn new(metric: Metric) -> CosetTables {
        CosetTables { metric, members: Members::new(), ways: OnceLock::new() }
    }

    /// Computes the tables, in some 15 CPU seconds. Progress counts distances. Fails if there is too little memory for them and
    /// a search, if threads cannot be started, or on cancellation.
    pub fn generate(metric: Metric, control: &Control<'_>) -> Result<CosetTables, CosetError> {
        if bytes() > available_memory() {
            return Err(too_little());
        }
        let tables = CosetTables::new(metric);
        tables.ways(control)?;
        Ok(tables)
    }

    fn ways(&self, control: &Control<'_>) -> Result<&Ways, CosetError> {
        if let Some(ways) = self.ways.get() {
            return Ok(ways);
        }
        let generate = |threads: &Threads| Ways::generate(self.metric, threads, &control.step("distances of cosets"));
        let ways = Threads::run(control.threads(), generate)?;
        let missing = || if control.is_cancelled() { CosetError::Cancelled } else { too_little() };
        let ways = ways.ok_or_else(missing)?;
        Ok(self.ways.get_or_init(|| ways))
    }
}

/// How far a level is searched, besides the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// All ways: every position within so many moves is marked. None, if the pass leaves so few positions that each is sooner
    /// solved by itself.
    All,
    /// Ways until what is marked is likely to make the last passes mark nearly all positions within 20 moves.
    Enough,
}

/// What a level found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Level {
    /// The number of moves.
    pub moves: u8,
    /// Positions that the pass marked.
    pub by_pass: u64,
    /// Positions that the search marked.
    pub by_search: u64,
    /// Ways into H that were searched: of those that symmetries of the coset carry to one another at least one, and few more.
    pub ways: u64,
    /// All positions marked so far: they are within so many moves.
    pub total: u64,
    /// Whether no others are.
    pub is_complete: bool,
    /// Whether those that this level marked are exactly so far: the level before was complete.
    pub is_exact: bool,
    /// How long the pass took.
    pub pass: Duration,
    /// How long the search took.
    pub search: Duration,
}

/// A position that no level has marked, and a solution, if one was found.
pub type Settled = (Cube, Option<Vec<Move>>);

/// A search through a coset, level by level.
pub struct CosetSearch<'a> {
    tables: &'a CosetTables,
    position: Cube,
    /// What is marked.
    marked: PageMemory,
    /// What was marked before the last pass.
    before: PageMemory,
    /// The bits of the last level, if no pass was made for it.
    fresh: Option<Vec<u64>>,
    /// The last level.
    level: Option<Level>,
    /// [`FEW`], or fewer in tests.
    few: u64,
}

impl<'a> CosetSearch<'a> {
    /// A search through the coset of a position. Fails if there is too little memory.
    pub fn new(tables: &'a CosetTables, position: &Cube) -> Result<CosetSearch<'a>, CosetError> {
        let zeroed = || PageMemory::zeroed(Pages::Huge, BITMAP as u64).ok_or_else(too_little);
        let (marked, before) = (zeroed()?, zeroed()?);
        Ok(CosetSearch { tables, position: *position, marked, before, fresh: None, level: None, few: FEW })
    }

    /// Begins again, with the coset of another position. Fails if threads cannot be started.
    pub fn restart(&mut self, position: &Cube, control: &Control<'_>) -> Result<(), CosetError> {
        let pages = self.marked.chunks_mut(BLOCK).collect();
        let clear = |(): &mut (), page: &mut [u8]| {
            page.fill(0);
            Ok::<(), CosetError>(())
        };
        Threads::run(control.threads(), |threads| threads.map(pages, || (), clear))??;
        (self.position, self.fresh, self.level) = (*position, None, None);
        Ok(())
    }

    /// The last level.
    pub fn level(&self) -> Option<&Level> {
        self.level.as_ref()
    }

    /// How many positions are marked.
    pub fn count(&self) -> u64 {
        self.level.map_or(0, |level| level.total)
    }

    /// Goes on to the next level. Progress counts parts of the pass, then of the search. Fails if threads cannot be started, or
    /// on cancellation; after that, what is marked is within the moves of the last level, or one more.
    pub fn advance(&mut self, effort: Effort, control: &Control<'_>) -> Result<Level, CosetError> {
        let ways = self.tables.ways(control)?;
        Threads::run(control.threads(), |threads| self.next(effort, ways, threads, control))?
            .ok_or(CosetError::Cancelled)
    }

    fn next(&mut self, effort: Effort, ways: &Ways, threads: &Threads, control: &Control<'_>) -> Option<Level> {
        let members = &self.tables.members;
        let moves = self.level.map_or(0, |level| level.moves + 1);
        let (count, was_complete) = self.level.map_or((0, true), |level| (level.total, level.is_complete));
        let start = crate::platform::Instant::now();
        let passes = count >= self.few;
        let mut total = count;
        if passes {
            let step = format!("pass {moves}");
            std::mem::swap(&mut self.marked, &mut self.before);
            let is_odd = self.position.is_odd() != (moves % 2 == 1);
            let pass = Pass { members, old: &self.before, only: (ways.metric == Metric::Qtm).then_some(is_odd) };
            let passed = pass.run(&mut self.marked, threads, &control.step(&step));
            if passed.is_none() {
                std::mem::swap(&mut self.marked, &mut self.before);
            }
            total = passed?;
        }
        let passed = start.elapsed();
        let by_pass = total - count;
        let mut found = words::Found { is_partial: true, ..words::Found::default() };
        if effort == Effort::Enough || MEMBERS - total > FEW_LEFT {
            let enough = match effort {
                Effort::Enough if passes => enough(total).saturating_sub(total),
                _ => u64::MAX,
            };
            let bitmap = <[AtomicU64]>::mut_from_bytes(&mut self.marked).expect("pages are aligned");
            let (position, stabilizer) = (&self.position, &Stabilizer::of(&self.position));
            let words = Words { members, ways, position, stabilizer, length: moves, ends_outside: passes, enough };
            found = words.mark(bitmap, threads, &control.step(&format!("search {moves}")))?;
        }
        total += found.members;
        self.fresh = (!passes).then_some(found.bits);
        let level = Level {
            moves,
            by_pass,
            by_search: found.members,
            ways: found.words,
            total,
            is_complete: was_complete && !found.is_partial,
            is_exact: was_complete,
            pass: passed,
            search: start.elapsed() - passed,
        };
        self.level = Some(level);
        Some(level)
    }

    /// Whether a position is marked, and so within the moves of the last level. `None` if it is in another coset.
    pub fn contains(&self, position: &Cube) -> Option<bool> {
        let member = self.position * position.inverse();
        (Coset::of(&member) == Coset::TARGET).then(|| self.is_marked(self.tables.members.bit_of(&member)))
    }

    /// Positions of the coset, drawn uniformly; the same for the same seed.
    pub fn random_positions(&self, seed: u64) -> impl Iterator<Item = Cube> {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        std::iter::repeat_with(move || self.position(chance.random_range(0..MEMBERS)))
    }

    /// The position with this number. Panics unless it is less than [`MEMBERS`].
    pub fn position(&self, number: u64) -> Cube {
        self.tables.members.member(number).inverse() * self.position
    }

    fn is_marked(&self, bit: u64) -> bool {
        self.marked[(bit / 8) as usize] >> (bit % 8) & 1 == 1
    }

    /// The positions that the last level marked.
    pub fn newly_marked(&self) -> impl Iterator<Item = Cube> {
        self.newly_marked_numbers().map(|number| self.position(number))
    }

    /// Their numbers, of which each position of the coset has one.
    pub fn newly_marked_numbers(&self) -> impl Iterator<Item = u64> {
        let listed = self.fresh.iter().flatten().copied();
        let differing = words_of(&self.marked).zip(words_of(&self.before)).map(|(marked, before)| marked & !before);
        let of_pass = self.fresh.is_none().then(|| bits(differing));
        listed.chain(of_pass.into_iter().flatten())
    }

    /// The positions that are not marked.
    pub fn left(&self) -> impl Iterator<Item = Cube> {
        bits(words_of(&self.marked).map(|word| !word)).map(|bit| self.position(bit))
    }

    /// The positions that are not marked, each with a solution of at most `within` moves, half turns
    /// as one in either metric, if `nodes` nodes of the two-phase search
    /// give one. Fails if threads cannot be started, or on cancellation.
    pub fn settle(&self, within: u8, nodes: u64, control: &Control<'_>) -> Result<Vec<Settled>, CosetError> {
        let limits = TwoPhaseLimits { target: within, nodes, ..TwoPhaseLimits::default() };
        let control = &control.step("positions left");
        let (done, all) = (AtomicU64::new(0), MEMBERS - self.count());
        let solve = |(): &mut (), position: Cube| {
            let found = TwoPhase::get().search(&position, &limits, &mut |_| {}, control.cancel());
            if control.is_cancelled() {
                return Err(CosetError::Cancelled);
            }
            control.report(1 + done.fetch_add(1, Ordering::Relaxed), all);
            Ok((position, found.solution.filter(|solution| solution.len() <= usize::from(within))))
        };
        Threads::run(control.threads(), |threads| threads.map(self.left().collect(), || (), solve))?
    }
}

/// How many positions should be marked after a level, where the pass has marked so many, for the later passes to mark nearly all.
/// Where there are more, no search is needed any more.
///
/// Ten million more at 16 moves leave 1/e of the positions, and one that is left costs as much as the search of 120,000: so 80
/// should be left. That is where this ends, to within six million, in five cosets (`docs/lab/cosets.md`). (The form of the rule is
/// T. Rokicki's, whose 167 million and a third leave 389, 630 and 507 in three of them.)
fn enough(by_pass: u64) -> u64 {
    150_000_000 + by_pass / 2
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("there are eight")))
}

/// The numbers of the bits that are set.
fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    (0..).step_by(64).zip(words).filter(|&(_, word)| word != 0).flat_map(|(first, mut word)| {
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| first + u64::from(word.trailing_zeros()));
            word &= word.wrapping_sub(1);
            bit
        })
    })
}

fn too_little() -> CosetError {
    CosetError::TooLittleMemory { needed: bytes(), available: available_memory() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Format, for_each_sequence};
    use std::collections::BTreeSet;

    /// The positions of a coset at each distance, by trying all sequences.
    fn obvious(position: &Cube, metric: Metric, longest: u8) -> Vec<BTreeSet<String>> {
        let mut seen = BTreeSet::new();
        let mut levels = Vec::new();
        for length in 0..=longest {
            let mut level = BTreeSet::new();
            for_each_sequence(length, metric, |moves| {
                let found = Cube::from_moves(moves).inverse();
                if Coset::of(&found) == Coset::of(position) && seen.insert(found.facelets()) {
                    level.insert(found.facelets());
                }
            });
            levels.push(level);
        }
        levels
    }

    #[test]
    #[ignore = "6 GB, and two minutes"]
    fn cosets_are_those_of_the_obvious_search() {
        let control = Control::default();
        for metric in Metric::ALL {
            let tables = CosetTables::generate(metric, &control).unwrap();
            let mut search = CosetSearch::new(&tables, &Cube::SOLVED).unwrap();
            for (moves, few) in [
                ("", 1),
                ("", u64::MAX),
                ("R U2 F'", 1),
                ("F R", 1),
                ("R L", 1),
                ("R L'", u64::MAX),
                ("R F L B", u64::MAX),
            ] {
                let position =
                    crate::cube::read_position(&format!("{moves} U U'"), Some(Format::Moves), &Default::default());
                let position = position.unwrap().cube;
                search.restart(&position, &control).unwrap();
                search.few = few;
                for (length, expected) in obvious(&position, metric, 5).into_iter().enumerate() {
                    let level = search.advance(Effort::All, &control).unwrap();
                    assert!(level.is_complete && usize::from(level.moves) == length);
                    let found: Vec<String> = search.newly_marked().map(|position| position.facelets()).collect();
                    assert_eq!(found.len(), expected.len(), "{metric} {moves} {length}");
                    assert_eq!(BTreeSet::from_iter(found), expected);
                }
            }
        }
    }

    #[test]
    fn cosets_that_are_alike_have_one_number() {
        let mut classes = BTreeSet::new();
        for position in crate::cube::random_positions(1).take(100) {
            let class = class_of(&position);
            assert!(class < 1 << 32 && classes.insert(class));
            let member = Cube::from_moves(&[members::MOVES[0], members::MOVES[members::FIRST_HALF_TURN]]);
            assert_eq!(class_of(&(member * position)), class);
            for symmetry in Symmetry::all() {
                let is_of_h = Coset::of(&member.conjugate(symmetry)) == Coset::TARGET;
                assert_eq!(class_of(&position.conjugate(symmetry)) == class, is_of_h);
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
            1, 10, 67, 456, 3079, 20076, 125218, 756092, 4331124, 23639531, 122749840, 582017108, 2278215506,
            5790841966,
        ];
        let mut total = 0;
        for expected in published {
            total += expected;
            assert_eq!(search.advance(Effort::All, &control).unwrap().total, total);
        }
        for position in search.random_positions(41).take(10_000) {
            assert!(search.contains(&position).is_some());
        }
    }
}
