//! The pattern databases of a goal, and the lower bounds that they give.

use super::bounds::{Bounds, UNREACHABLE};
use super::coordinate::Coordinate;
use super::iteration::{Heuristic, MOST_COORDINATES, Node};
use super::mask::Mask;
use super::turns::{Acting, Effect};
use super::whole::Whole;
use crate::Control;
use crate::cube::Cube;

/// The name of the step that builds them, for reports of progress.
const STEP: &str = "building the tables of the goal";

/// Pattern databases over the coordinates of a goal.
pub(super) struct Databases {
    pub coordinates: Vec<Coordinate>,
    pub bounds: Vec<Bounds>,
}

impl Databases {
    /// Builds them for turns with these effects. `None` if it is cancelled.
    pub fn build(mask: &Mask, effects: &[Effect], control: &Control<'_>) -> Option<Databases> {
        let control = control.step(STEP);
        control.report(0, 1);
        let coordinates = Coordinate::of_mask(mask, &Effect::moves(effects));
        let bounds = Bounds::over(&coordinates, effects, &control)?;
        Some(Databases { coordinates, bounds })
    }

    /// How many steps of a breadth-first search build them, at most.
    pub fn work(mask: &Mask, effects: &[Effect]) -> u64 {
        Bounds::total_entries(&Coordinate::sizes(mask, &Effect::moves(effects))) * effects.len() as u64
    }

    /// The patterns of a position; `None` if the turns do not lead from one of them to a wanted one.
    pub fn patterns(&self, seen: &Cube) -> Option<[u32; MOST_COORDINATES]> {
        let mut patterns = [0; MOST_COORDINATES];
        for (number, coordinate) in patterns.iter_mut().zip(&self.coordinates) {
            *number = coordinate.number(seen)?;
        }
        Some(patterns)
    }

    #[inline(always)]
    fn least(&self, patterns: &[u32; MOST_COORDINATES]) -> u8 {
        self.bounds.iter().map(|bounds| bounds.least(patterns)).max().unwrap_or(0)
    }
}

/// The largest of the bounds of the databases and of a table of the main engine.
pub(super) struct DatabaseBound<'a> {
    pub databases: &'a Databases,
    pub whole: Option<&'a Whole>,
}

impl Heuristic for DatabaseBound<'_> {
    fn bound_of_root(&self, node: &Node, cube: &Cube) -> Option<u32> {
        let least = Some(self.databases.least(&node.patterns)).filter(|&least| least != UNREACHABLE)?;
        Some(self.whole.map_or(0, |whole| whole.least(cube)).max(least.into()))
    }

    #[inline(always)]
    fn is_goal(&self, node: &Node, _: &Cube) -> bool {
        self.databases.least(&node.patterns) == 0
    }

    #[inline(always)]
    fn child(
        &self,
        (node, cube): (&Node, &Cube),
        acting: Acting,
        child: &mut Node,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube> {
        for bounds in &self.databases.bounds {
            for &coordinate in &bounds.moved {
                let moved = acting.moves.iter().flatten();
                child.patterns[coordinate] = moved.fold(node.patterns[coordinate], |pattern, &m| {
                    self.databases.coordinates[coordinate].after(pattern, m)
                });
            }
            *probes += 1;
            let least = bounds.least(&child.patterns);
            if least == UNREACHABLE || !is_within(u32::from(least)) {
                return None;
            }
        }
        let Some(whole) = self.whole else { return Some(*cube) };
        let moved = acting.moves.iter().flatten().fold(*cube, |cube, &m| cube.turned(m));
        *probes += 1;
        is_within(whole.least(&moved)).then_some(moved)
    }
}
