//! The perimeter of a goal: the patterns from which few turns lead to it, with their costs.
//!
//! A pattern database takes seconds to build, longer than a search for a solution of a few turns.
//! For such a solution the patterns around the goal are enough, as in perimeter search (J. F.
//! Dillenburg and P. C. Nelson, Perimeter search, Artificial Intelligence 65, 1994; G. Manzini,
//! BIDA*, Artificial Intelligence 75, 1995): half of the solution is found from the position, half
//! of it from the goal.
//!
//! # The lower bound
//!
//! Dijkstra's algorithm goes backwards from the patterns of the goal. Those it has *settled* have
//! their exact cost. Let n be the least cost of the others that it has found, which are *open*, and
//! c the cost of the cheapest turn. A path from a pattern to the goal enters the settled ones from
//! an open one, so
//!
//! - a pattern that was not found costs at least n + c: it is not open itself, so a turn leads from
//!   it to another that is not settled, which costs at least n;
//! - an open one costs as much as was found, if its first turn leads to a settled one, or at least
//!   n + c.
//!
//! Where all turns cost one, the bound of all open patterns is exact.
//!
//! # Size
//!
//! With a larger perimeter an iteration of IDA* has fewer nodes. So the perimeter grows by one cost
//! whenever this is less work than the next iteration would be without
//! (`GoalSearch::with_perimeter`). Both grow about eighteenfold per step, so the total work is
//! roughly the square root of that of a search without a bound, as in bidirectional search.

use super::coordinate::Labels;
use super::iteration::{Heuristic, Node};
use super::mask::PieceKind;
use super::turns::{FaceEffect, TurnInFrame};
use crate::cube::{Corner, Cube, Edge};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Maximum number of patterns of a goal that has a perimeter.
const MAX_GOAL_PATTERNS: usize = 1_000;

/// The code of the piece in each slot: its label · 4 + its orientation, if the goal distinguishes
/// them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pattern {
    corners: [u8; Corner::COUNT],
    edges: [u8; Edge::COUNT],
}

impl Hash for Pattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, last] = [&self.edges[..8], &self.edges[4..]]
            .map(|edges| edges.try_into().expect("eight of them"));
        [self.corners, first, last]
            .into_iter()
            .for_each(|codes| state.write_u64(u64::from_le_bytes(codes)));
    }
}

/// Multiplies each word, and folds the product. The default hasher takes a third of the time of a
/// search.
#[derive(Default)]
struct PatternHasher(u64);

impl Hasher for PatternHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        // The golden ratio times 2⁶⁴.
        let product = u128::from(self.0 ^ word) * 0x9e37_79b9_7f4a_7c15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The codes of one kind of pieces.
struct Codes {
    /// Code by piece and its orientation.
    of: [[u8; 3]; Edge::COUNT],
    /// Code after a twist or flip, by its amount and the code before.
    turned: [[u8; 64]; 3],
}

/// The patterns around a goal, and the lower bound that they give.
pub(super) struct Perimeter {
    codes: [Codes; 2],
    /// The inverse of each effect, and its cost.
    undone: Vec<(Cube, u32)>,
    costs: HashMap<Pattern, u32, BuildHasherDefault<PatternHasher>>,
    /// The open patterns by their cost. One that was found again for less is there twice.
    open: BTreeMap<u32, Vec<Pattern>>,
    /// Lower bound for patterns that were not found; `None` if the goal is unreachable from them.
    beyond: Option<u32>,
}

impl Codes {
    fn new(kind: PieceKind, labels: &Labels) -> Codes {
        let code = |(label, orientation): (u8, u8)| label * 4 + orientation;
        let mut of = [[0; 3]; Edge::COUNT];
        for (piece, codes) in of[..kind.count()].iter_mut().enumerate() {
            for orientation in 0..kind.orientations() {
                codes[usize::from(orientation)] = code(labels.told(labels.of[piece], orientation));
            }
        }
        let mut turned = [[0; 64]; 3];
        for (by, codes) in (0..kind.orientations()).zip(&mut turned) {
            for label in 0..labels.len() as u8 {
                for orientation in 0..kind.orientations() {
                    let after = labels.told(label, (orientation + by) % kind.orientations());
                    codes[usize::from(code((label, orientation)))] = code(after);
                }
            }
        }
        Codes { of, turned }
    }
}

impl Perimeter {
    /// Creates the perimeter that holds the patterns of the goal alone; `None` if they are too
    /// many.
    pub fn new(labels: &[Labels; 2], effects: &[FaceEffect]) -> Option<Perimeter> {
        let [corners, edges] = labels
            .each_ref()
            .map(|labels| labels.wanted_as_shown(MAX_GOAL_PATTERNS));
        let corners = corners?;
        let edges = edges?;
        if corners.len() * edges.len() > MAX_GOAL_PATTERNS {
            return None;
        }
        let mut goal = Vec::new();
        for corners in &corners {
            for edges in &edges {
                goal.push(Pattern {
                    corners: std::array::from_fn(|slot| corners[slot].0 * 4 + corners[slot].1),
                    edges: std::array::from_fn(|slot| edges[slot].0 * 4 + edges[slot].1),
                });
            }
        }
        let codes = PieceKind::BOTH.map(|kind| Codes::new(kind, &labels[kind as usize]));
        let undone = effects
            .iter()
            .map(|effect| (effect.cube().inverse(), u32::from(effect.cost)))
            .collect();
        let costs = goal.iter().map(|&pattern| (pattern, 0)).collect();
        let mut perimeter = Perimeter {
            codes,
            undone,
            costs,
            open: BTreeMap::from([(0, goal)]),
            beyond: None,
        };
        perimeter.note_beyond();
        Some(perimeter)
    }

    /// Returns the number of patterns that the next call of `grow` generates.
    pub fn work_to_grow(&self) -> u64 {
        let settled_next = self
            .open
            .first_key_value()
            .map_or(0, |(_, patterns)| patterns.len());
        settled_next as u64 * self.undone.len() as u64
    }

    /// Settles the open patterns of minimum cost.
    pub fn grow(&mut self) {
        let Some((cost, patterns)) = self.open.pop_first() else {
            return;
        };
        for pattern in patterns {
            if self.costs[&pattern] < cost {
                continue;
            }
            for (undone, turn_cost) in &self.undone {
                let before = pattern.after(undone, &self.codes);
                let cost = cost + turn_cost;
                match self.costs.entry(before) {
                    Entry::Occupied(known) if *known.get() <= cost => continue,
                    Entry::Occupied(mut known) => {
                        known.insert(cost);
                    }
                    Entry::Vacant(unknown) => {
                        unknown.insert(cost);
                    }
                }
                self.open.entry(cost).or_default().push(before);
            }
        }
        self.note_beyond();
    }

    fn note_beyond(&mut self) {
        let least_open = self.open.first_key_value().map(|(&cost, _)| cost);
        let cheapest = self.undone.iter().map(|&(_, cost)| cost).min();
        self.beyond = least_open
            .zip(cheapest)
            .map(|(open, cheapest)| open + cheapest);
    }

    /// Returns a lower bound on the cost from a position to the goal; `None` if it is unreachable.
    #[inline]
    fn bound(&self, position: &Cube) -> Option<u32> {
        match (
            self.costs.get(&Pattern::of(position, &self.codes)),
            self.beyond,
        ) {
            (Some(&cost), Some(beyond)) => Some(cost.min(beyond)),
            (Some(&cost), None) => Some(cost),
            (None, beyond) => beyond,
        }
    }
}

impl Pattern {
    #[inline]
    fn of(position: &Cube, [corners, edges]: &[Codes; 2]) -> Pattern {
        let corner = |slot: usize| {
            let (corner, twist) = position.corner(Corner::ALL[slot]);
            corners.of[corner.index()][usize::from(twist)]
        };
        let edge = |slot: usize| {
            let (edge, flip) = position.edge(Edge::ALL[slot]);
            edges.of[edge.index()][usize::from(flip)]
        };
        Pattern {
            corners: std::array::from_fn(corner),
            edges: std::array::from_fn(edge),
        }
    }

    /// Returns the pattern after turns that give the position `by` on the solved cube.
    #[inline]
    fn after(&self, by: &Cube, [corners, edges]: &[Codes; 2]) -> Pattern {
        let corner = |slot: usize| {
            let (from, twist) = by.corner(Corner::ALL[slot]);
            corners.turned[usize::from(twist)][usize::from(self.corners[from.index()])]
        };
        let edge = |slot: usize| {
            let (from, flip) = by.edge(Edge::ALL[slot]);
            edges.turned[usize::from(flip)][usize::from(self.edges[from.index()])]
        };
        Pattern {
            corners: std::array::from_fn(corner),
            edges: std::array::from_fn(edge),
        }
    }
}

impl Heuristic for Perimeter {
    fn bound_of_root(&self, _: &Node, cube: &Cube) -> Option<u32> {
        self.bound(cube)
    }

    fn is_goal(&self, _: &Node, cube: &Cube) -> bool {
        self.bound(cube) == Some(0)
    }

    #[inline]
    fn child(
        &self,
        (_, cube): (&Node, &Cube),
        acting: TurnInFrame,
        _: &mut Node,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube> {
        let moved = acting
            .moves
            .iter()
            .flatten()
            .fold(*cube, |cube, &m| cube.apply(m));
        *probes += 1;
        self.bound(&moved)
            .filter(|&bound| is_within(bound))
            .map(|_| moved)
    }
}
