//! Admissible heuristics: lower bounds on the cost of the turns that lead from a node to the goal.
//!
//! A search uses one of two heuristics: the pattern databases of the goal, for the whole cube
//! together with a table of the main engine, or the perimeter of the goal.
//!
//! # The table of the main engine
//!
//! The table has lower bounds on the number of face turns, in its metric, that solve a position. An
//! allowed turn equals some face turns in the frame of the centers: a slice turn two, a rotation
//! none. If the turn costs c and equals n face turns in this metric, each of these costs c / n. So
//! the cost of solving a position at distance d is at least d times the minimum of these quotients.
//!
//! # The perimeter
//!
//! The perimeter of a goal consists of the patterns from which few turns lead to it, with their
//! costs.
//!
//! A pattern database takes seconds to build, longer than a search for a solution of a few turns
//! takes. For such a solution the patterns around the goal are enough: half of it is found from the
//! position, the other half from the goal, as in perimeter search (J. F. Dillenburg and P. C.
//! Nelson, Perimeter search, Artificial Intelligence 65, 1994; G. Manzini, BIDA*, Artificial
//! Intelligence 75, 1995).
//!
//! ## Its lower bound
//!
//! Dijkstra's algorithm goes backwards from the patterns of the goal. The patterns that it has
//! *settled* have their exact cost; the other patterns that it has found are *open*. Let n be the
//! minimum cost of the open patterns, and c the cost of the cheapest turn. The last unsettled
//! pattern on a path to the goal is open, so every unsettled pattern costs at least n. Therefore
//!
//! - a pattern that was not found costs at least n + c, because its first turn leads to an
//!   unsettled pattern;
//! - an open pattern has the cost that was found if its first turn leads to a settled pattern, and
//!   otherwise costs at least n + c.
//!
//! If all turns cost one, the bounds of all open patterns are exact.
//!
//! ## Its size
//!
//! With a larger perimeter an iteration of IDA* has fewer nodes. So the perimeter grows by one cost
//! whenever this is less work than the next iteration would be with the old perimeter
//! (`GoalSearch::with_perimeter`). The work to grow the perimeter and the work of an iteration
//! increase about eighteenfold per step, so the total is roughly the square root of the work of a
//! search without a bound, as in bidirectional search.

use super::constraints::INITIAL_SET;
use super::coordinate::{Labels, MAX_COORDINATES};
use super::definition::{GoalVariant, PieceKind};
use super::pattern_database::{Databases, UNREACHABLE};
use super::turns::{FaceEffect, START, TurnInFrame, applied};
use crate::Table;
use crate::control::Control;
use crate::cube::{Corner, Cube, Edge, LayerTurn};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;

/// A node of the search: a sequence and the patterns it leads to.
#[derive(Clone, Copy)]
pub(super) struct GoalNode {
    pub patterns: [u32; MAX_COORDINATES],
    pub cost: u32,
    /// The set of constraint states before the last run.
    pub constraint_set: u32,
    /// Index of the variant of the goal.
    pub variant: u16,
    /// Orientation of the cube.
    pub frame: u8,
    /// State of the run automaton.
    pub state: u8,
    /// `true` if the node satisfies the goal: if its bound is zero.
    pub is_goal: bool,
}

impl GoalNode {
    /// Creates the root node of a search for a variant, which has the index `number`.
    pub fn root(
        number: usize,
        variant: &GoalVariant,
        patterns: [u32; MAX_COORDINATES],
    ) -> GoalNode {
        GoalNode {
            patterns,
            variant: number as u16,
            frame: variant.rotation.index() as u8,
            state: START,
            cost: 0,
            constraint_set: INITIAL_SET,
            is_goal: false,
        }
    }
}

/// A lower bound on the cost of the turns that lead from a node to the goal.
pub(super) trait GoalHeuristic: Sync {
    /// Returns the bound of a root node; `None` if the goal is unreachable.
    fn root_bound(&self, node: &GoalNode, cube: &Cube) -> Option<u32>;

    /// Applies a turn to a node and its position. `child` is the node after the turn; this fills in
    /// its patterns and `is_goal`. Returns the position after the turn, unchanged if the heuristic
    /// does not need it. `None` if the goal is unreachable or a bound is not `is_within` the limit.
    fn child(
        &self,
        node: (&GoalNode, &Cube),
        turn: TurnInFrame,
        child: &mut GoalNode,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube>;
}

/// Maximum of the bounds of the databases and of a table of the main engine.
pub(super) struct DatabaseBound<'a> {
    pub databases: &'a Databases,
    pub full_cube: Option<&'a FullCubeBound>,
}

impl GoalHeuristic for DatabaseBound<'_> {
    fn root_bound(&self, node: &GoalNode, cube: &Cube) -> Option<u32> {
        let bound = self.databases.bound(&node.patterns);
        let full_cube = self.full_cube.map_or(0, |table| table.lower_bound(cube));
        (bound != UNREACHABLE).then(|| full_cube.max(bound.into()))
    }

    #[inline(always)]
    fn child(
        &self,
        (node, cube): (&GoalNode, &Cube),
        turn: TurnInFrame,
        child: &mut GoalNode,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube> {
        child.is_goal = true;
        for database in &self.databases.databases {
            for &index in &database.new_coordinates {
                let coordinate = &self.databases.coordinates[index];
                child.patterns[index] = coordinate.after(node.patterns[index], &turn.moves);
            }
            *probes += 1;
            let bound = database.bound(&child.patterns);
            if bound == UNREACHABLE || !is_within(u32::from(bound)) {
                return None;
            }
            child.is_goal &= bound == 0;
        }
        let Some(table) = self.full_cube else {
            return Some(*cube);
        };
        let moved = applied(&turn.moves, cube);
        *probes += 1;
        is_within(table.lower_bound(&moved)).then_some(moved)
    }
}

/// Lower bound from a pruning table of the main engine, for goals of the whole cube.
pub(super) struct FullCubeBound {
    table: Arc<Table>,
    /// A number of face turns, in the metric of the table.
    faces: u32,
    /// Minimum cost of turns that equal `faces` face turns.
    cost: u32,
}

impl FullCubeBound {
    pub fn new(table: Arc<Table>, turns: &[(LayerTurn, u8)]) -> FullCubeBound {
        let metric = table.id().metric;
        let faces =
            |turn: LayerTurn| -> u32 { turn.face_turns().map(|m| u32::from(metric.cost(m))).sum() };
        let quotients = turns
            .iter()
            .map(|&(turn, cost)| (faces(turn), u32::from(cost)))
            .filter(|&(faces, _)| faces > 0);
        let least = quotients.min_by(|one, other| (one.1 * other.0).cmp(&(other.1 * one.0)));
        // With rotations only, the bound is 0.
        let (faces, cost) = least.unwrap_or((1, 0));
        FullCubeBound { table, faces, cost }
    }

    /// Returns a lower bound on the cost of solving a position.
    pub fn lower_bound(&self, position: &Cube) -> u32 {
        let bound = self
            .table
            .bound(position)
            .max(self.table.bound(&position.inverse()));
        (u32::from(bound) * self.cost).div_ceil(self.faces)
    }
}

/// Maximum number of goal patterns for which there is a perimeter.
const MAX_GOAL_PATTERNS: usize = 1_000;

/// The code of the piece in each slot: its label · 4 + its orientation, or + 0 if the goal does not
/// distinguish the orientation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PerimeterPattern {
    corners: [u8; Corner::COUNT],
    edges: [u8; Edge::COUNT],
}

impl Hash for PerimeterPattern {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Two overlapping words hold the twelve edges.
        for codes in [&self.corners, &self.edges[..8], &self.edges[4..]] {
            let word = codes.try_into().expect("eight of them");
            state.write_u64(u64::from_le_bytes(word));
        }
    }
}

/// A hasher that multiplies each word and folds the product. The default hasher would take a third
/// of the time of a search.
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
    /// The code of a piece, by its byte in a position: its number + 16 · its orientation.
    of_byte: [u8; 64],
    /// The code after a twist or flip, by the amount of this and the code before.
    turned: [[u8; 64]; 3],
}

/// The patterns around a goal, and the lower bound that they give.
pub(super) struct GoalPerimeter {
    codes: [Codes; 2],
    /// The inverse of each effect, and its cost.
    undone: Vec<(Cube, u32)>,
    costs: HashMap<PerimeterPattern, u32, BuildHasherDefault<PatternHasher>>,
    /// The open patterns by their cost. A pattern that was found again at a lower cost is in two of
    /// the lists.
    open: BTreeMap<u32, Vec<PerimeterPattern>>,
    /// Lower bound for patterns that were not found; `None` if the goal is unreachable from them.
    bound_beyond: Option<u32>,
}

impl Codes {
    fn new(kind: PieceKind, labels: &Labels) -> Codes {
        let code = |(label, orientation): (u8, u8)| usize::from(label * 4 + orientation);
        let mut of_byte = [0; 64];
        let mut turned = [[0; 64]; 3];
        for orientation in 0..kind.orientations() {
            for (piece, &label) in labels.of_piece[..kind.count()].iter().enumerate() {
                of_byte[piece + 16 * usize::from(orientation)] =
                    code(labels.oriented_label(label, orientation)) as u8;
            }
            for label in 0..labels.len() as u8 {
                for by in 0..kind.orientations() {
                    let after = (orientation + by) % kind.orientations();
                    turned[usize::from(by)][code((label, orientation))] =
                        code(labels.oriented_label(label, after)) as u8;
                }
            }
        }
        Codes { of_byte, turned }
    }

    /// Returns the codes of the pieces in the slots of a position, given by its bytes.
    #[inline(always)]
    fn of<const SLOTS: usize>(&self, position: &[u8; 16]) -> [u8; SLOTS] {
        // A byte is less than 64; the remainder saves the check of the index.
        std::array::from_fn(|slot| self.of_byte[usize::from(position[slot] % 64)])
    }

    /// Returns the codes after the turns that lead from the solved cube to the position `by`.
    #[inline(always)]
    fn after<const SLOTS: usize>(&self, before: &[u8; SLOTS], by: &[u8; 16]) -> [u8; SLOTS] {
        std::array::from_fn(|slot| {
            let from = before[usize::from(by[slot] % 16)];
            self.turned[usize::from(by[slot] / 16)][usize::from(from)]
        })
    }
}

impl GoalPerimeter {
    /// Creates the perimeter that holds the patterns of the goal alone; `None` if there are more
    /// than [`MAX_GOAL_PATTERNS`].
    pub fn new(labels: &[Labels; 2], effects: &[FaceEffect]) -> Option<GoalPerimeter> {
        let [corners, edges] = labels
            .each_ref()
            .map(|labels| labels.raw_goal_patterns(MAX_GOAL_PATTERNS));
        let corners = corners?;
        let edges = edges?;
        if corners.len() * edges.len() > MAX_GOAL_PATTERNS {
            return None;
        }
        let mut goal = Vec::new();
        for corners in &corners {
            for edges in &edges {
                goal.push(PerimeterPattern {
                    corners: std::array::from_fn(|slot| corners[slot].0 * 4 + corners[slot].1),
                    edges: std::array::from_fn(|slot| edges[slot].0 * 4 + edges[slot].1),
                });
            }
        }
        let codes = PieceKind::BOTH.map(|kind| Codes::new(kind, &labels[kind as usize]));
        let undone = effects
            .iter()
            .map(|effect| {
                (
                    applied(&effect.moves, &Cube::SOLVED).inverse(),
                    effect.cost.into(),
                )
            })
            .collect();
        let costs = goal.iter().map(|&pattern| (pattern, 0)).collect();
        let mut perimeter = GoalPerimeter {
            codes,
            undone,
            costs,
            open: BTreeMap::from([(0, goal)]),
            bound_beyond: None,
        };
        perimeter.update_bound_beyond();
        Some(perimeter)
    }

    /// Returns the number of patterns that the next call of `grow` generates.
    pub fn work_to_grow(&self) -> u64 {
        let settled_next = self.open.values().next().map_or(0, Vec::len);
        (settled_next * self.undone.len()) as u64
    }

    /// Settles the open patterns of minimum cost. Returns `None` if no pattern is open, or if the
    /// work is cancelled, which leaves an incomplete perimeter that must not be used.
    pub fn grow(&mut self, control: &Control<'_>) -> Option<()> {
        let (cost, patterns) = self.open.pop_first()?;
        for pattern in patterns {
            if control.is_cancelled() {
                return None;
            }
            if self.costs[&pattern] < cost {
                continue;
            }
            for (undone, turn_cost) in &self.undone {
                let before = pattern.after(undone, &self.codes);
                let cost = cost + turn_cost;
                let known = self.costs.entry(before).or_insert(u32::MAX);
                if cost < *known {
                    *known = cost;
                    self.open.entry(cost).or_default().push(before);
                }
            }
        }
        self.update_bound_beyond();
        Some(())
    }

    fn update_bound_beyond(&mut self) {
        let least_open = self.open.keys().next();
        let cheapest = self.undone.iter().map(|(_, cost)| cost).min();
        self.bound_beyond = least_open.zip(cheapest).map(|(open, cost)| open + cost);
    }

    /// Returns a lower bound on the cost from a position to the goal; `None` if the goal is
    /// unreachable.
    #[inline]
    fn bound(&self, position: &Cube) -> Option<u32> {
        let pattern = PerimeterPattern::of(position, &self.codes);
        match self.costs.get(&pattern) {
            Some(&cost) => Some(self.bound_beyond.map_or(cost, |beyond| cost.min(beyond))),
            None => self.bound_beyond,
        }
    }
}

impl PerimeterPattern {
    #[inline]
    fn of(position: &Cube, [corners, edges]: &[Codes; 2]) -> PerimeterPattern {
        PerimeterPattern {
            corners: corners.of(position.corner_bytes()),
            edges: edges.of(position.edge_bytes()),
        }
    }

    /// Returns the pattern after the turns that lead from the solved cube to the position `by`.
    #[inline]
    fn after(&self, by: &Cube, [corners, edges]: &[Codes; 2]) -> PerimeterPattern {
        PerimeterPattern {
            corners: corners.after(&self.corners, by.corner_bytes()),
            edges: edges.after(&self.edges, by.edge_bytes()),
        }
    }
}

impl GoalHeuristic for GoalPerimeter {
    fn root_bound(&self, _: &GoalNode, cube: &Cube) -> Option<u32> {
        self.bound(cube)
    }

    #[inline]
    fn child(
        &self,
        (_, cube): (&GoalNode, &Cube),
        turn: TurnInFrame,
        child: &mut GoalNode,
        probes: &mut u64,
        is_within: impl Fn(u32) -> bool,
    ) -> Option<Cube> {
        let moved = applied(&turn.moves, cube);
        *probes += 1;
        let bound = self.bound(&moved)?;
        child.is_goal = bound == 0;
        is_within(bound).then_some(moved)
    }
}
