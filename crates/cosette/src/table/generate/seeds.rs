//! The seeds: all paintings within a few moves of solved whose corners are the representative of
//! their class.
//!
//! They are gathered class by class, as tables are generated: the seeds of a class at distance d
//! are the paintings one move away from a seed at distance d − 1, except those that are nearer.
//! Nothing is shared between classes, and where a representative has a stabilizer, all paintings
//! that its symmetries map to one another are found. So the seeds of class c are exactly the
//! paintings with corners `representative(c)`, and a conjugate by *any one* suitable symmetry finds
//! all seeds of its class.
//!
//! # Duplicate elimination
//!
//! Some words are not tried on a seed, because their paintings are reached in another way.
//!
//! A painting p is reached from a seed s by a word u: p = s·u, where u is the inverse of a
//! canonical word. Let f be a face that a shortest path to s ends with: s = t·f′, where t is one
//! move nearer than s and f′ some turn of f.
//!
//! 1. *Words that begin with a turn of f* can be skipped. Two consecutive turns of f are one turn
//!    or none, so p = t·f″·… is nearer than |s| + |u|, and an earlier level has marked it.
//! 2. *Words that begin with a turn of the opposite face g* can be skipped if g is D, L or B. As g
//!    and f commute, p = (t·g)·f·…, and t·g is a seed as far as s (or nearer, see 1) with g among
//!    its last faces. Its words that begin with f = U, R or F are skipped by rule 1 alone, and what
//!    rule 1 skips has been marked.
//!
//! Both hold for cosets as they do for positions: all that is used is that a move on the right
//! changes the distance by one at most. So |s|, |t| may be the distances of cosets, and no path
//! needs to begin in any particular way.
//!
//! Together the two rules leave about 0.74 of the words of a seed, the share that may continue a
//! canonical sequence. A rule that is applied to only some of a seed's last faces skips less and is
//! still right. So a seed with last faces on several axes is grouped by one axis, and a word skips
//! one range of the groups:
//!
//! ```text
//! last faces   U  UD  D   R  RL  L   F  FB  B   none
//! group        0   1  2   3   4  5   6   7  8      9
//! ```
//!
//! In the quarter-turn metric a seed and a word may together make a half turn: t·f·f really costs
//! two. A half turn may be made of two clockwise or of two counterclockwise turns, and one way is
//! enough. So in this metric, rule 1 is:
//!
//! 1. *Words that begin with the counterclockwise or the half turn of f* can be skipped. Two turns
//!    of f in opposite directions, or three in one direction, make p nearer. If s = t·f⁻¹ and the
//!    word begins with f⁻¹, the seed t·f reaches p by the same word with f in its place, which is
//!    not skipped by rule 1.
//!
//! Rule 2 holds as it stands, whatever the turns: where g is turned twice, t·g is the seed, and its
//! word turns f, then g. The two rules never refer to one another in a circle: rule 1 replaces a
//! counterclockwise turn by a clockwise one of the same face, rule 2 a turn of D, L or B by one of
//! U, R or F.

use crate::control::{Cancel, Threads};
use crate::coord::{CornerClasses, CornerMoves, CornerPainting, EdgePainting, edge_conjugations};
use crate::cube::{Cube, Metric, Move, Symmetry, Turn};
use crate::kernel::prefetch;
use std::ops::Range;

/// The seeds at each distance.
pub(super) struct Seeds {
    levels: Vec<SeedLevel>,
}

/// The seeds at one distance, by class of corners.
type SeedLevel = Vec<ClassSeeds>;

/// The seeds of one class at one distance, by the last faces of their shortest paths.
#[derive(Default)]
pub(super) struct ClassSeeds {
    /// The edge paintings of the seeds, group by group.
    edges: Vec<EdgePainting>,
    /// The start of each group ([`LastFaces::group`]) in `edges`, and the end of the last one.
    starts: [u32; SEED_GROUPS + 1],
}

impl Seeds {
    /// Returns all seeds within `depth` of solved; `None` on cancellation.
    pub fn within(depth: u8, metric: Metric, threads: &Threads, cancel: &Cancel) -> Option<Seeds> {
        let (solved_class, _) =
            CornerClasses::get().classify(CornerPainting::of(&Cube::SOLVED).coordinate());
        let mut level: SeedLevel = std::iter::repeat_with(ClassSeeds::default)
            .take(CornerClasses::COUNT)
            .collect();
        level[solved_class as usize] =
            ClassSeeds::new(vec![(LastFaces::NONE, EdgePainting::of(&Cube::SOLVED))]);
        let mut seeds = Seeds {
            levels: vec![level],
        };
        for distance in 1..=depth {
            let gather = |_: &mut (), class| {
                if cancel.is_cancelled() {
                    Err(())
                } else {
                    Ok(seeds.gather(distance, class, metric))
                }
            };
            let level = threads
                .map((0..CornerClasses::COUNT as u32).collect(), || (), gather)
                .ok()?;
            seeds.levels.push(level);
        }
        Some(seeds)
    }

    /// Returns the seeds of `class` at exactly `distance`.
    pub fn of(&self, distance: u8, class: u32) -> &ClassSeeds {
        &self.levels[usize::from(distance)][class as usize]
    }

    /// Returns the seeds of a class at `distance`, one move farther than the known ones.
    fn gather(&self, distance: u8, class: u32, metric: Metric) -> ClassSeeds {
        /// Below the bits of a painting: the faces its shortest paths end with, and whether it is
        /// nearer than `distance`.
        const TAG_BITS: u32 = 7;
        const NEARER: u64 = 1 << 6;
        /// 2⁶⁴ divided by the golden ratio, as for Fibonacci hashing.
        const HASH_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let classes = CornerClasses::get();
        let corners = classes.representative(class);
        let mut tagged: Vec<u64> = Vec::new();
        for m in Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1) {
            let (from, s) = classes.classify(CornerMoves::get().turned(corners, m));
            let map = edge_conjugations()[s.inverse().index()].then(Cube::from_move(!m));
            let sources = &self.of(distance - 1, from).edges;
            tagged.extend(
                map.apply_to_all(sources)
                    .map(|edges| edges.0 << TAG_BITS | 1 << m.face().index()),
            );
        }
        for nearer in distance.saturating_sub(2)..distance {
            tagged.extend(
                self.of(nearer, class)
                    .edges
                    .iter()
                    .map(|edges| edges.0 << TAG_BITS | NEARER),
            );
        }
        // A hash table of the paintings, with the tags of equal ones joined; 0 is an empty slot.
        let bits = (2 * tagged.len() + 1).ilog2() + 1;
        let mut slots = vec![0u64; 1 << bits];
        for painting in tagged {
            let edges = painting >> TAG_BITS;
            let mut slot = (edges.wrapping_mul(HASH_FACTOR) >> (64 - bits)) as usize;
            while slots[slot] != 0 && slots[slot] >> TAG_BITS != edges {
                slot = (slot + 1) % slots.len();
            }
            slots[slot] |= painting;
        }
        let seeds = slots
            .into_iter()
            .filter(|painting| *painting != 0 && painting & NEARER == 0)
            .map(|painting| {
                (
                    LastFaces::of_bits(painting as u8 & 0x3f),
                    EdgePainting(painting >> TAG_BITS),
                )
            })
            .collect();
        ClassSeeds::new(seeds)
    }

    /// Returns the number of cosets of the target subgroup at exactly `distance`.
    #[cfg(test)]
    pub fn cosets(&self, distance: u8) -> u64 {
        let classes = CornerClasses::get();
        let orbit = |class: u32| 48 / classes.stabilizer(class).len();
        let of_class = |class| (orbit(class) * self.of(distance, class).edges.len()) as u64;
        (0..CornerClasses::COUNT as u32).map(of_class).sum()
    }
}

impl ClassSeeds {
    fn new(seeds: Vec<(LastFaces, EdgePainting)>) -> ClassSeeds {
        let mut starts = [0; SEED_GROUPS + 1];
        for (last, _) in &seeds {
            starts[last.group() + 1] += 1;
        }
        for group in 0..SEED_GROUPS {
            starts[group + 1] += starts[group];
        }
        let mut next = starts;
        let mut edges = vec![EdgePainting::of(&Cube::SOLVED); seeds.len()];
        for (last, painting) in seeds {
            let index = &mut next[last.group()];
            edges[*index as usize] = painting;
            *index += 1;
        }
        ClassSeeds { edges, starts }
    }

    /// Prefetches the first eight cache lines of the seeds.
    #[inline(always)]
    pub fn prefetch(&self) {
        for line in 0..8 {
            prefetch(self.edges.as_ptr().wrapping_add(8 * line));
        }
    }

    /// Returns all paintings of edges except those of `groups`, in two parts.
    pub fn without(&self, groups: Range<usize>) -> [&[EdgePainting]; 2] {
        let [start, end] = [groups.start, groups.end].map(|group| self.starts[group] as usize);
        [&self.edges[..start], &self.edges[end..]]
    }
}

/// Number of groups of seeds.
const SEED_GROUPS: usize = 10;

const NO_LAST_FACE: usize = SEED_GROUPS - 1;

/// The faces that shortest paths to a seed end with, a bit each.
#[derive(Clone, Copy)]
struct LastFaces(u8);

impl LastFaces {
    /// The last faces of the solved painting: none.
    pub const NONE: LastFaces = LastFaces(0);

    /// Creates a set from bits; bit i is the face numbered i.
    pub fn of_bits(bits: u8) -> LastFaces {
        LastFaces(bits)
    }

    /// Returns the group of a seed with these last faces: by an axis with both faces in the set, or
    /// else by any axis with one of them.
    pub fn group(self) -> usize {
        let first = self.0 & 0b111;
        let second = self.0 >> 3;
        let axes = if first & second != 0 {
            first & second
        } else {
            first | second
        };
        if axes == 0 {
            return NO_LAST_FACE;
        }
        let axis = axes.trailing_zeros() as usize;
        match (first >> axis & 1, second >> axis & 1) {
            (1, 0) => 3 * axis,
            (1, 1) => 3 * axis + 1,
            _ => 3 * axis + 2,
        }
    }
}

/// Returns the groups of seeds on which a word beginning with `first` is not tried, if the seeds
/// are conjugated by `s`.
pub(super) fn skipped_groups(first: Move, s: Symmetry, metric: Metric) -> Range<usize> {
    let face = first.face();
    let seed_face = s.face(face).index();
    let axis = seed_face % 3;
    let is_second = seed_face / 3;
    let groups_with = |is_second: usize| 3 * axis + is_second..3 * axis + is_second + 2;
    let may_double = metric == Metric::Qtm && first.turn() == Turn::Clockwise;
    match (may_double, face > face.opposite()) {
        // Rule 1.
        (false, false) => groups_with(is_second),
        // Both rules.
        (false, true) => 3 * axis..3 * axis + 3,
        // No rule.
        (true, false) => 0..0,
        // Rule 2.
        (true, true) => groups_with(1 - is_second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::ThreadCount;
    use crate::cube::Face;
    use crate::table::generate::tests::counted_cosets;

    #[test]
    fn seeds_are_all_cosets() {
        for metric in Metric::ALL {
            let find =
                |threads: &Threads| Seeds::within(5, metric, threads, &Cancel::new()).unwrap();
            let seeds = Threads::run(ThreadCount::default(), find).unwrap();
            let counts = (0..=5).map(|distance| seeds.cosets(distance));
            let painting = |cube: &Cube| (CornerPainting::of(cube), EdgePainting::of(cube));
            assert!(counts.eq(counted_cosets(metric, 5, painting)), "{metric}");
        }
    }

    #[test]
    fn groups_are_skipped_by_the_rules() {
        let is_last = |bits: u8, face: Face| bits >> face.index() & 1 == 1;
        let metrics = Metric::ALL.into_iter();
        for (metric, s) in metrics.flat_map(|metric| Symmetry::all().map(move |s| (metric, s))) {
            for first in Move::ALL {
                let face = first.face();
                let skipped = skipped_groups(first, s, metric);
                let seed_face = s.face(face);
                let opposite = s.face(face.opposite());
                let may_double = metric == Metric::Qtm && first.turn() == Turn::Clockwise;
                for bits in 0..64 {
                    let by_rule_1 = is_last(bits, seed_face) && !may_double;
                    let by_a_rule = by_rule_1 || face > face.opposite() && is_last(bits, opposite);
                    // A seed with last faces on several axes is grouped by one of them, so it may
                    // be retained needlessly.
                    let axes = (bits | bits >> 3) & 0b111;
                    let is_skipped = skipped.contains(&LastFaces::of_bits(bits).group());
                    let is_right = is_skipped == by_a_rule || by_a_rule && axes.count_ones() > 1;
                    assert!(is_right, "{metric} {first} {bits:06b}");
                }
            }
        }
    }
}
