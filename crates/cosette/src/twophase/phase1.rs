//! Phase 1: the cosets of the target subgroup H, and filters of the cosets near it.
//!
//! # Cosets
//!
//! The coset H·p is given by the twist of the corners, the flip of the edges, and the set of slots
//! of the slice edges: 2187 · 2048 · 495 = 2,217,093,120 cosets. Sixteen symmetries preserve H.
//!
//! # Keys
//!
//! A coset and its sixteen conjugates are equally far from H. The 495 sets of slots fall into 45
//! classes, and a conjugate whose set is the representative of its class gives the coset a key
//! (class, flip, twist). A coset has several keys if several symmetries carry its set to the
//! representative: all of its keys are inserted, and only one is looked up. Computing a key needs
//! only the tables that conjugate flips and twists, which stay in the cache.

use super::coordinate::{
    EDGE_SETS, FLIPS, ORDERS, PhaseCoordinate, TWISTS, Turns, flip, four_edges, twist,
};
use crate::cube::{Corner, Cube, Edge, Move, MoveSet, Symmetry};

/// The coordinate of a position p in phase 1: the coset H·p.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coset {
    twist: u16,
    flip: u16,
    slice: u16,
}

impl Coset {
    /// The target subgroup itself.
    pub const TARGET: Coset = Coset {
        twist: 0,
        flip: 0,
        slice: SETS as u16 - 1,
    };

    pub fn of(cube: &Cube) -> Coset {
        Coset {
            twist: twist(cube),
            flip: flip(cube),
            slice: slice(cube),
        }
    }

    /// Returns a number less than 2³² that no other coset has.
    #[cfg(target_pointer_width = "64")]
    pub fn number(self) -> u64 {
        (u64::from(self.slice) << 11 | u64::from(self.flip)) * 2187 + u64::from(self.twist)
    }

    /// Returns the set of slots of the slice edges.
    #[inline(always)]
    pub fn slice(self) -> usize {
        self.slice.into()
    }
}

/// Number of sets of slots of the slice edges.
pub(crate) const SETS: usize = EDGE_SETS as usize;

/// Returns the rank of the set of slots of the slice edges.
fn slice(cube: &Cube) -> u16 {
    four_edges(cube, 8) / ORDERS
}

/// The key of a coset.
#[derive(Clone, Copy)]
pub(crate) struct CosetKey {
    pub key: u32,
    /// The number of the symmetry that carries the coset to the key, among the symmetries that
    /// preserve the axis of U and D.
    pub symmetry: u8,
}

/// A symmetry that carries a set of slots to the representative of its class.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    class: u8,
    symmetry: u8,
    /// The flips that the symmetry adds to the conjugate. If it turns the slice by a quarter, an
    /// edge gets a flip if it is a slice edge, and another if it is in a slot of the slice.
    flips: u16,
}

/// The moves of cosets, their keys, and filters of those near the target.
pub(crate) struct Cosets {
    twist: Turns,
    flip: Turns,
    slice: Turns,
    /// For each set of slots, one of its frames.
    frame: Vec<Frame>,
    /// For each set of slots, all of its frames.
    frames: Vec<Vec<Frame>>,
    /// The representatives of the classes.
    representatives: Vec<u16>,
    /// For each of the sixteen symmetries, the conjugates of a flip and of a twist.
    conjugate_flips: Vec<[u16; FLIPS]>,
    conjugate_twists: Vec<[u16; TWISTS]>,
    /// For each number of moves up to [`NEAR`], the cosets within this distance of the target.
    near: Vec<BloomFilter>,
}

/// The largest distance that a filter covers.
const NEAR: usize = 7;

/// The largest distance whose cosets are listed.
const MAX_LEVEL: usize = NEAR - 1;

/// The sizes of the filters in bits, as exponents of two. There are at least 16 bits per key, but
/// only seven in the last filter, to limit it to a megabyte.
const FILTER_SIZES: [u32; NEAR + 1] = [7, 7, 7, 10, 14, 17, 21, 23];

impl Cosets {
    /// Number of keys with the same class and flip.
    pub const ROW: usize = TWISTS;

    /// Generates the tables, given the coordinate of four edges.
    pub(super) fn generate(edges: &PhaseCoordinate) -> Cosets {
        let sets = || edges.turns.iter().step_by(ORDERS.into());
        let slice = sets().map(|turned| turned.map(|value| value / ORDERS));
        let symmetries: Vec<Symmetry> = Symmetry::preserving_ud_axis().collect();
        let twists = PhaseCoordinate::new(TWISTS, twist);
        let mut flips = PhaseCoordinate::new(FLIPS, flip);
        flips.positions = flips.positions.iter().map(with_flips_of).collect();
        let positions = edges.positions.iter().step_by(ORDERS.into());
        let positions: Vec<Cube> = positions
            .map(|position| position.compose(&with_flips_of(position).inverse()))
            .collect();
        let (frames, representatives) = frames(&positions, &symmetries);
        let mut cosets = Cosets {
            conjugate_flips: symmetries.iter().map(|&s| flips.conjugates(s)).collect(),
            conjugate_twists: symmetries.iter().map(|&s| twists.conjugates(s)).collect(),
            twist: twists.turns,
            flip: flips.turns,
            slice: slice.collect(),
            frame: frames.iter().map(|frames| frames[0]).collect(),
            frames,
            representatives,
            near: Vec::new(),
        };
        cosets.near = cosets.filters();
        cosets
    }

    /// Returns the filters. Each coset is inserted, under all its keys, in the filter of its
    /// distance and in the filters of all larger distances. The last filter takes all neighbors of
    /// the last level, because in a filter it does no harm if some are nearer or come twice.
    fn filters(&self) -> Vec<BloomFilter> {
        let mut filters: Vec<BloomFilter> =
            FILTER_SIZES.into_iter().map(BloomFilter::new).collect();
        let mut insert = |coset: Coset, distance: usize| {
            for key in self.keys_of(coset) {
                let filters = filters[distance..].iter_mut();
                filters.for_each(|filter| filter.insert(key));
            }
        };
        for (distance, level) in self.levels().into_iter().enumerate() {
            for key in level {
                let coset = self.coset_of(key);
                insert(coset, distance);
                if distance == MAX_LEVEL {
                    Move::ALL
                        .into_iter()
                        .for_each(|m| insert(self.turned(coset, m), NEAR));
                }
            }
        }
        filters
    }

    /// Searches breadth first from the target. Returns for each distance up to [`MAX_LEVEL`] the
    /// lowest keys of the cosets at this distance.
    fn levels(&self) -> Vec<Vec<u32>> {
        let mut levels = vec![vec![self.lowest_key(Coset::TARGET)]];
        for distance in 0..MAX_LEVEL {
            let neighbors =
                |&key: &u32| Move::ALL.map(|m| self.lowest_key(self.turned(self.coset_of(key), m)));
            let mut next: Vec<u32> = levels[distance].iter().flat_map(neighbors).collect();
            next.sort_unstable();
            next.dedup();
            // A neighbor is as far as the coset itself, or one move nearer or farther.
            let nearer = &levels[distance.saturating_sub(1)..];
            next.retain(|key| nearer.iter().all(|level| level.binary_search(key).is_err()));
            levels.push(next);
        }
        levels
    }

    /// Returns the coset after a move.
    #[inline(always)]
    pub fn turned(&self, coset: Coset, m: Move) -> Coset {
        Coset {
            twist: self.twist[usize::from(coset.twist)][m.index()],
            flip: self.flip[usize::from(coset.flip)][m.index()],
            slice: self.slice[usize::from(coset.slice)][m.index()],
        }
    }

    /// Returns the `moves` after which the target may be reached in `remaining` moves.
    #[inline(always)]
    pub fn survivors(&self, coset: Coset, moves: MoveSet, remaining: u8) -> MoveSet {
        let Some(filter) = self.near.get(usize::from(remaining)) else {
            return moves;
        };
        // All keys are computed first, so that the accesses to the filter overlap: most of them are
        // cache misses.
        let mut keys = [0; Move::COUNT];
        for m in moves.iter() {
            keys[m.index()] = self.key(self.turned(coset, m));
        }
        moves.filter(|m| filter.may_contain(keys[m.index()]))
    }

    /// Returns `true` if the target may be within seven moves, and `false` only if it is not.
    pub fn may_be_near(&self, coset: Coset) -> bool {
        self.near[NEAR].may_contain(self.key(coset))
    }

    #[inline(always)]
    fn key(&self, coset: Coset) -> u32 {
        self.place(coset).key
    }

    #[inline(always)]
    fn key_in(&self, frame: Frame, coset: Coset) -> u32 {
        let flip = self.flip_in(frame, coset.flip);
        let twist = self.conjugate_twists[usize::from(frame.symmetry)][usize::from(coset.twist)];
        (u32::from(frame.class) * FLIPS as u32 + u32::from(flip)) * TWISTS as u32 + u32::from(twist)
    }

    #[inline(always)]
    fn flip_in(&self, frame: Frame, flip: u16) -> u16 {
        self.conjugate_flips[usize::from(frame.symmetry)][usize::from(flip)] ^ frame.flips
    }

    /// Returns all keys of a coset.
    fn keys_of(&self, coset: Coset) -> impl Iterator<Item = u32> {
        let frames = self.frames[usize::from(coset.slice)].iter();
        frames.map(move |&frame| self.key_in(frame, coset))
    }

    /// Returns the lowest key of a coset, which all its conjugates share.
    fn lowest_key(&self, coset: Coset) -> u32 {
        let lowest = self.keys_of(coset).min();
        lowest.expect("every set of slots has a frame")
    }

    /// Returns the number of keys. Row i consists of the [`Cosets::ROW`] keys from `ROW` · i on,
    /// which differ only in the twist.
    pub fn keys(&self) -> usize {
        self.representatives.len() * FLIPS * Cosets::ROW
    }

    /// Returns the key under which a coset is looked up.
    #[inline(always)]
    pub fn place(&self, coset: Coset) -> CosetKey {
        let frame = self.frame[usize::from(coset.slice)];
        CosetKey {
            key: self.key_in(frame, coset),
            symmetry: frame.symmetry,
        }
    }

    /// Returns the rows that hold the cosets of a row after a move, each with the number of the
    /// symmetry that carries the cosets there.
    pub fn rows_after(&self, row: usize, m: Move) -> impl Iterator<Item = (usize, u8)> {
        let slice = self.slice[usize::from(self.representatives[row / FLIPS])][m.index()];
        let flip = self.flip[row % FLIPS][m.index()];
        self.frames[usize::from(slice)].iter().map(move |frame| {
            let flip = self.flip_in(*frame, flip);
            (
                usize::from(frame.class) * FLIPS + usize::from(flip),
                frame.symmetry,
            )
        })
    }

    /// Returns the twist after a move and then the symmetry with this number.
    pub fn twist_after(&self, twist: usize, m: Move, symmetry: u8) -> u16 {
        self.conjugate_twists[usize::from(symmetry)][usize::from(self.twist[twist][m.index()])]
    }

    /// Returns the coset with this key whose set of slots is a representative.
    fn coset_of(&self, key: u32) -> Coset {
        let key = key as usize;
        let row = key / TWISTS;
        Coset {
            twist: (key % TWISTS) as u16,
            flip: (row % FLIPS) as u16,
            slice: self.representatives[row / FLIPS],
        }
    }
}

/// Returns the position with the flips of this one, and every piece in its own slot.
fn with_flips_of(position: &Cube) -> Cube {
    let flips = Edge::ALL.map(|slot| (slot.index() as u8, position.edge(slot).1));
    let corners = Corner::ALL.map(|slot| (slot.index() as u8, 0));
    Cube::from_cubies(&corners, &flips).expect("flips of a position add up")
}

/// Returns all frames of each set of slots, which is given by a position without flips; and the
/// representatives of the classes.
fn frames(positions: &[Cube], symmetries: &[Symmetry]) -> (Vec<Vec<Frame>>, Vec<u16>) {
    let mut representatives = Vec::new();
    let frames = positions.iter().map(|position| {
        let conjugates: Vec<Cube> = symmetries.iter().map(|&s| position.conjugate(s)).collect();
        let lowest = conjugates.iter().map(slice).min();
        let lowest = lowest.expect("there are symmetries");
        let class = representatives
            .iter()
            .position(|&other| other == lowest)
            .unwrap_or_else(|| {
                representatives.push(lowest);
                representatives.len() - 1
            });
        let to_representative = (0..)
            .zip(&conjugates)
            .filter(|(_, image)| slice(image) == lowest);
        let frame = |(symmetry, image)| Frame {
            class: class as u8,
            symmetry,
            flips: flip(image),
        };
        to_representative.map(frame).collect()
    });
    (frames.collect(), representatives)
}

/// A Bloom filter, which may seem to contain more than was inserted, but never less (B. H. Bloom,
/// "Space/time trade-offs in hash coding with allowable errors", 1970). Its three bits for an
/// element lie in one word, so that a test is one load and no branch.
#[derive(Debug)]
struct BloomFilter {
    words: Vec<u64>,
    /// Shift of a hash to the number of a word.
    shift: u32,
}

impl BloomFilter {
    /// Creates an empty filter of 2^`size` bits.
    fn new(size: u32) -> BloomFilter {
        let word_bits = size - u64::BITS.ilog2();
        BloomFilter {
            words: vec![0; 1 << word_bits],
            shift: u64::BITS - word_bits,
        }
    }

    fn insert(&mut self, key: u32) {
        let (word, bits) = self.word_and_bits(key);
        self.words[word] |= bits;
    }

    /// Returns `true` if the key may have been inserted; always `true` if it was.
    #[inline(always)]
    fn may_contain(&self, key: u32) -> bool {
        let (word, bits) = self.word_and_bits(key);
        self.words[word] & bits == bits
    }

    #[inline(always)]
    fn word_and_bits(&self, key: u32) -> (usize, u64) {
        // The factor is the golden ratio times 2⁶⁴. The upper half of the product depends on every
        // bit of the key.
        let hash = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let bits = 1 << (hash >> 29 & 63) | 1 << (hash >> 35 & 63) | 1 << (hash >> 41 & 63);
        ((hash >> self.shift) as usize, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Metric, for_each_sequence, random_positions};

    fn cosets() -> &'static Cosets {
        &super::super::TwoPhase::get().cosets
    }

    fn is_within(coset: Coset, moves: usize) -> bool {
        cosets().near[moves].may_contain(cosets().key(coset))
    }

    #[test]
    fn cosets_follow_moves_and_have_their_keys() {
        assert_eq!(Coset::of(&Cube::SOLVED), Coset::TARGET);
        for p in random_positions(11).take(200) {
            let coset = Coset::of(&p);
            for m in Move::ALL {
                assert_eq!(cosets().turned(coset, m), Coset::of(&p.apply(m)));
            }
            let key = cosets().lowest_key(coset);
            assert_eq!(cosets().lowest_key(cosets().coset_of(key)), key);
            for s in Symmetry::preserving_ud_axis() {
                assert_eq!(cosets().lowest_key(Coset::of(&p.conjugate(s))), key);
            }
        }
    }

    #[test]
    fn levels_have_the_known_numbers_of_cosets() {
        // Reid 1997, without symmetry.
        let golden = include_str!("../../tests/oracles/reid-cosets-htm.txt").lines();
        let golden = golden.filter(|line| !line.starts_with('#')).take(NEAR);
        // A coset has as many conjugates with each set of its class as it has different keys.
        let conjugates = |&key: &u32| {
            let coset = cosets().coset_of(key);
            let class = cosets().frame[usize::from(coset.slice)].class;
            let sets = cosets().frame.iter().filter(|frame| frame.class == class);
            let frames = cosets().frames[usize::from(coset.slice)].iter();
            let keys = frames.map(|&frame| cosets().key_in(frame, coset));
            sets.count() * keys.collect::<std::collections::BTreeSet<u32>>().len()
        };
        let levels = cosets().levels().into_iter().enumerate();
        let counts = levels.map(|(distance, level)| {
            let count: usize = level.iter().map(conjugates).sum();
            format!("{distance} {count}")
        });
        assert!(golden.eq(counts));
    }

    #[test]
    fn filters_lose_nothing_and_let_little_through() {
        // A walk leads no farther than it is long. Tests all walks of four moves, each continued by
        // three more.
        let mut number = 0;
        for_each_sequence(4, Metric::Htm, |walk| {
            number += 1;
            let further = [number, number / 18, number / 324];
            let further = further.map(|digits| Move::from_index(digits % 18));
            let mut coset = Coset::TARGET;
            for (length, &m) in (1..).zip(walk.iter().chain(&further)) {
                coset = cosets().turned(coset, m);
                assert!((length..=NEAR).all(|moves| is_within(coset, moves)));
            }
        });
        // One coset in 2000 is within six moves, one in 170 within seven: ten and 120 of these. The
        // limits leave room for false positives.
        for (moves, max) in [(6, 200), (7, 1400)] {
            let random = random_positions(13).take(20_000);
            let passed = random.filter(|p| is_within(Coset::of(p), moves)).count();
            assert!(passed < max, "{moves}: {passed}");
        }
    }
}
