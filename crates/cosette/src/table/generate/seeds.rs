//! The seeds: all paintings within a few moves of solved whose corners are the representative of their class.
//!
//! They are gathered class by class, as tables are generated: the seeds of a class at distance d are the paintings one
//! move away from a seed at distance d − 1, except those that are nearer. Nothing is shared between classes, and where
//! a representative has a stabilizer, the paintings that differ by it are all found. So the seeds of class c are
//! exactly the paintings with corners `representative(c)`, and a conjugate by *any one* suitable symmetry finds all
//! seeds of its class.

use super::duplicates::{LastFaces, SEED_GROUPS};
use crate::control::Cancel;
use crate::coord::{CornerClasses, CornerMoves, CornerPainting, EdgePainting, edge_conjugations};
use crate::cube::{Cube, Metric, Move};
use crate::kernel::prefetch;
use crate::platform::Threads;
use std::ops::Range;

/// The seeds at each distance.
pub(super) struct Seeds {
    levels: Vec<Level>,
}

/// The seeds at one distance, by class of corners.
type Level = Vec<ClassSeeds>;

/// The seeds of one class at one distance, by how their shortest paths end.
#[derive(Default)]
pub(super) struct ClassSeeds {
    /// The paintings of the edges.
    edges: Vec<EdgePainting>,
    /// Where each group starts ([`LastFaces::group`]), and where the last one ends.
    starts: [u32; SEED_GROUPS + 1],
}

impl Seeds {
    /// All seeds within `depth` of solved; `None` on cancellation.
    pub fn within(depth: u8, metric: Metric, threads: &Threads, cancel: &Cancel) -> Option<Seeds> {
        let (solved, _) = CornerClasses::get().classify(CornerPainting::of(&Cube::SOLVED).coordinate());
        let mut level: Level = std::iter::repeat_with(ClassSeeds::default).take(CornerClasses::COUNT).collect();
        level[solved as usize] = ClassSeeds::new(vec![(LastFaces::NONE, EdgePainting::of(&Cube::SOLVED))]);
        let mut seeds = Seeds { levels: vec![level] };
        for distance in 1..=depth {
            let gather = |_: &mut (), class| {
                if cancel.is_cancelled() { Err(()) } else { Ok(seeds.gather(distance, class, metric)) }
            };
            let level = threads.map((0..CornerClasses::COUNT as u32).collect(), || (), gather).ok()?;
            seeds.levels.push(level);
        }
        Some(seeds)
    }

    /// The seeds of `class` at exactly `distance`.
    pub fn of(&self, distance: u8, class: u32) -> &ClassSeeds {
        &self.levels[usize::from(distance)][class as usize]
    }

    /// The seeds of a class one move farther than those known so far.
    fn gather(&self, distance: u8, class: u32, metric: Metric) -> ClassSeeds {
        /// Below the bits of a painting: the faces its shortest paths end with, and whether it is nearer than
        /// `distance`.
        const TAG_BITS: u32 = 7;
        const NEARER: u64 = 1 << 6;
        let classes = CornerClasses::get();
        let corners = classes.representative(class);
        let mut found: Vec<u64> = Vec::new();
        for m in Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1) {
            let (from, s) = classes.classify(CornerMoves::get().turned(corners, m));
            let map = edge_conjugations()[s.inverse().index()].then(Cube::of_move(!m));
            let sources = &self.of(distance - 1, from).edges;
            found.extend(sources.iter().map(|edges| map.apply(edges).0 << TAG_BITS | 1 << m.face().index()));
        }
        for nearer in distance.saturating_sub(2)..distance {
            found.extend(self.of(nearer, class).edges.iter().map(|edges| edges.0 << TAG_BITS | NEARER));
        }
        found.sort_unstable();
        let mut seeds = Vec::with_capacity(found.len());
        for same in found.chunk_by(|a, b| a >> TAG_BITS == b >> TAG_BITS) {
            let tags = same.iter().fold(0, |tags, found| tags | found);
            if tags & NEARER == 0 {
                seeds.push((LastFaces::of_bits(tags as u8 & 0x3f), EdgePainting(same[0] >> TAG_BITS)));
            }
        }
        ClassSeeds::new(seeds)
    }

    /// How many cosets of the target subgroup are at exactly `distance`.
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
            let place = &mut next[last.group()];
            edges[*place as usize] = painting;
            *place += 1;
        }
        ClassSeeds { edges, starts }
    }

    /// Prefetches the first of them.
    #[inline(always)]
    pub fn prefetch(&self) {
        for line in 0..8 {
            prefetch(self.edges.as_ptr().wrapping_add(8 * line));
        }
    }

    /// All paintings of edges except those of `groups`, in two parts.
    pub fn without(&self, groups: Range<usize>) -> [&[EdgePainting]; 2] {
        let [start, end] = [groups.start, groups.end].map(|group| self.starts[group] as usize);
        [&self.edges[..start], &self.edges[end..]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::ThreadCount;

    #[test]
    fn seeds_are_all_cosets() {
        for metric in Metric::ALL {
            let find = |threads: &Threads| Seeds::within(5, metric, threads, &Cancel::new()).unwrap();
            let seeds = Threads::run(ThreadCount::default(), find).unwrap();
            let counts: Vec<u64> = (0..=5).map(|distance| seeds.cosets(distance)).collect();
            let painting = |cube: &Cube| (CornerPainting::of(cube), EdgePainting::of(cube));
            assert_eq!(counts, crate::table::generate::testing::counted_cosets(metric, 5, painting), "{metric}");
        }
    }
}
