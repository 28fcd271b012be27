//! The pattern databases of a goal, and the lower bounds that they give.

use super::coordinate::Coordinate;
use super::full_cube_bound::FullCubeBound;
use super::iteration::{Heuristic, MAX_COORDINATES, Node};
use super::mask::Mask;
use super::pattern_database::{PatternDatabase, UNREACHABLE};
use super::turns::{FaceEffect, TurnInFrame};
use crate::Control;
use crate::cube::Cube;

/// Name of the build step in progress reports.
const STEP: &str = "building the pattern databases of the goal";

/// Pattern databases over the coordinates of a goal.
pub(super) struct Databases {
    pub coordinates: Vec<Coordinate>,
    pub bounds: Vec<PatternDatabase>,
}

impl Databases {
    /// Builds the databases for turns with these effects. `None` if it is cancelled.
    pub fn build(mask: &Mask, effects: &[FaceEffect], control: &Control<'_>) -> Option<Databases> {
        let control = control.step(STEP);
        control.report(0, 1);
        let coordinates = Coordinate::from_mask(mask, &FaceEffect::moves(effects));
        let bounds = PatternDatabase::over(&coordinates, effects, &control)?;
        Some(Databases {
            coordinates,
            bounds,
        })
    }

    /// Returns the maximum number of steps of the breadth-first searches that build the databases.
    pub fn work(mask: &Mask, effects: &[FaceEffect]) -> u64 {
        PatternDatabase::total_entries(&Coordinate::sizes(mask, &FaceEffect::moves(effects)))
            * effects.len() as u64
    }

    /// Returns the patterns of a position; `None` if the turns do not lead from one of them to a
    /// goal pattern.
    pub fn patterns(&self, seen: &Cube) -> Option<[u32; MAX_COORDINATES]> {
        let mut patterns = [0; MAX_COORDINATES];
        for (number, coordinate) in patterns.iter_mut().zip(&self.coordinates) {
            *number = coordinate.rank(seen)?;
        }
        Some(patterns)
    }

    #[inline(always)]
    fn least(&self, patterns: &[u32; MAX_COORDINATES]) -> u8 {
        self.bounds
            .iter()
            .map(|bounds| bounds.least(patterns))
            .max()
            .unwrap_or(0)
    }
}

/// Maximum of the bounds of the databases and of a table of the main engine.
pub(super) struct DatabaseBound<'a> {
    pub databases: &'a Databases,
    pub whole: Option<&'a FullCubeBound>,
}

impl Heuristic for DatabaseBound<'_> {
    fn bound_of_root(&self, node: &Node, cube: &Cube) -> Option<u32> {
        let least =
            Some(self.databases.least(&node.patterns)).filter(|&least| least != UNREACHABLE)?;
        Some(
            self.whole
                .map_or(0, |whole| whole.lower_bound(cube))
                .max(least.into()),
        )
    }

    #[inline(always)]
    fn is_goal(&self, node: &Node, _: &Cube) -> bool {
        self.databases.least(&node.patterns) == 0
    }

    #[inline(always)]
    fn child(
        &self,
        (node, cube): (&Node, &Cube),
        acting: TurnInFrame,
        child: &mut Node,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube> {
        for bounds in &self.databases.bounds {
            for &coordinate in &bounds.moved {
                let moved = acting.moves.iter().flatten();
                child.patterns[coordinate] = moved
                    .fold(node.patterns[coordinate], |pattern, &m| {
                        self.databases.coordinates[coordinate].after(pattern, m)
                    });
            }
            *probes += 1;
            let least = bounds.least(&child.patterns);
            if least == UNREACHABLE || !is_within(u32::from(least)) {
                return None;
            }
        }
        let Some(whole) = self.whole else {
            return Some(*cube);
        };
        let moved = acting
            .moves
            .iter()
            .flatten()
            .fold(*cube, |cube, &m| cube.apply(m));
        *probes += 1;
        is_within(whole.lower_bound(&moved)).then_some(moved)
    }
}
