//! Phase 2: the members of the target subgroup.
//!
//! In H the corners are in any order, and the edges of U and D and those of the slice each among
//! themselves: 8! · 8! · 4! / 2 = 19,508,428,800 positions. Two pruning tables bound the distance:
//! one for the corners and the slice, one for the other edges and the slice, 40,320 · 24 entries
//! each. They are generated 24 entries at a time: the orders of the slice are the bits of a word,
//! and a move carries them together.

use super::coordinate::{CORNER_SETS, ORDERS, Turns, four_corners, four_edges};
use crate::cube::{Cube, Face, Move, MoveSet, Turn};

/// The slots of five quadruples of pieces: all of a position but its orientations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceQuadruples {
    /// The corners of U, and those of D.
    corners: [u16; 2],
    /// The edges of U, those of D, and those of the slice.
    edges: [u16; 3],
}

impl PieceQuadruples {
    pub fn of(cube: &Cube) -> PieceQuadruples {
        PieceQuadruples {
            corners: [0, 4].map(|first| four_corners(cube, first)),
            edges: [0, 4, 8].map(|first| four_edges(cube, first)),
        }
    }
}

/// A position in H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    corners: u16,
    edges: u16,
    slice: u16,
}

impl Member {
    pub const SOLVED: Member = Member {
        corners: 0,
        edges: 0,
        slice: 0,
    };

    /// Returns the position with these quadruples.
    pub fn of(fours: &PieceQuadruples) -> Member {
        // Without the slice, sets of the twelve edge slots have the ranks of sets of eight: the
        // slice has the last slots.
        let [corners, edges] = [fours.corners, [fours.edges[0], fours.edges[1]]].map(eight);
        Member {
            corners,
            edges,
            slice: fours.edges[2] % ORDERS,
        }
    }
}

/// Returns the order of eight pieces in eight slots: from the slots of the first four, and the
/// order of the others.
fn eight([first, last]: [u16; 2]) -> u16 {
    first * ORDERS + last % ORDERS
}

/// Number of orders of eight pieces.
const EIGHTS: u16 = 40_320;

/// The moves that preserve H. The first six do not change the slice.
pub(crate) const MOVES: [Move; 10] = {
    use Face::{B, D, F, L, R, U};
    use Turn::{Clockwise, Counterclockwise, Half};
    [
        Move::new(U, Clockwise),
        Move::new(U, Half),
        Move::new(U, Counterclockwise),
        Move::new(D, Clockwise),
        Move::new(D, Half),
        Move::new(D, Counterclockwise),
        Move::new(R, Half),
        Move::new(F, Half),
        Move::new(L, Half),
        Move::new(B, Half),
    ]
};

type MemberTurns = Vec<[u16; MOVES.len()]>;

/// The moves of members, and bounds of their distance from solved.
pub(super) struct Phase2Tables {
    corner_fours: Turns,
    edge_fours: Turns,
    corners: MemberTurns,
    edges: MemberTurns,
    slice: MemberTurns,
    corner_bounds: OrderDistances,
    edge_bounds: OrderDistances,
}

impl Phase2Tables {
    /// The moves that preserve H.
    pub const MOVES: MoveSet = MoveSet::from_moves(&MOVES);

    /// Generates the tables, given the turns of four corners and of four edges.
    pub fn generate(corner_fours: &Turns, edge_fours: &Turns) -> Phase2Tables {
        let corners = eight_turns(corner_fours);
        let edges = eight_turns(edge_fours);
        let slice_in_place = &edge_fours[edge_fours.len() - usize::from(ORDERS)..];
        let slice = slice_in_place
            .iter()
            .map(|turned| MOVES.map(|m| turned[m.index()] % ORDERS))
            .collect();
        Phase2Tables {
            corner_bounds: OrderDistances::generate(&corners, &slice),
            edge_bounds: OrderDistances::generate(&edges, &slice),
            corner_fours: corner_fours.clone(),
            edge_fours: edge_fours.clone(),
            corners,
            edges,
            slice,
        }
    }

    /// Returns the quadruples after a move.
    pub fn turned_fours(&self, fours: &PieceQuadruples, m: Move) -> PieceQuadruples {
        PieceQuadruples {
            corners: fours
                .corners
                .map(|four| self.corner_fours[usize::from(four)][m.index()]),
            edges: fours
                .edges
                .map(|four| self.edge_fours[usize::from(four)][m.index()]),
        }
    }

    /// Returns the members that the moves lead to.
    #[inline(always)]
    pub fn neighbors(&self, at: Member) -> impl Iterator<Item = (Move, Member)> {
        let corners = &self.corners[usize::from(at.corners)];
        let edges = &self.edges[usize::from(at.edges)];
        let slice = &self.slice[usize::from(at.slice)];
        let member = |i: usize| Member {
            corners: corners[i],
            edges: edges[i],
            slice: slice[i],
        };
        MOVES
            .into_iter()
            .enumerate()
            .map(move |(i, m)| (m, member(i)))
    }

    /// Returns a lower bound on the distance from solved.
    #[inline(always)]
    pub fn bound(&self, at: Member) -> u8 {
        self.corner_bounds
            .of(at.corners, at.slice)
            .max(self.edge_bounds.of(at.edges, at.slice))
    }
}

/// Returns the turns of eight pieces in eight slots.
fn eight_turns(fours: &Turns) -> MemberTurns {
    let turned = |value: u16| {
        let first = value / ORDERS;
        let order = value % ORDERS;
        // The others are in the remaining slots.
        let last = (CORNER_SETS - 1 - first / ORDERS) * ORDERS + order;
        MOVES.map(|m| eight([first, last].map(|four| fours[usize::from(four)][m.index()])))
    };
    (0..EIGHTS).map(turned).collect()
}

/// A set of orders of the slice, a bit each.
type OrderSet = u32;

/// For each row, an order of eight pieces, and each order of the slice: the distance from solved.
struct OrderDistances(Vec<[u8; ORDERS as usize]>);

impl OrderDistances {
    /// Breadth-first search from the first row and the first order. Each row takes from its
    /// neighbors what was reached in the last step.
    fn generate(rows: &MemberTurns, slice: &MemberTurns) -> OrderDistances {
        const ALL: OrderSet = (1 << ORDERS) - 1;
        let carried = OrderTransitions::generate(slice);
        let mut bounds = OrderDistances(vec![[0; ORDERS as usize]; rows.len()]);
        let mut level: Vec<OrderSet> = vec![0; rows.len()];
        level[0] = 1;
        let mut reached = level.clone();
        for distance in 1.. {
            let find = |(neighbors, reached): (&[u16; MOVES.len()], &OrderSet)| match *reached {
                ALL => 0,
                reached => carried.from(neighbors.map(|row| level[usize::from(row)])) & !reached,
            };
            let next: Vec<OrderSet> = rows.iter().zip(&reached).map(find).collect();
            let mut is_done = true;
            for (row, &found) in next.iter().enumerate() {
                reached[row] |= found;
                is_done &= found == 0;
                let mut left = found;
                while left != 0 {
                    bounds.0[row][left.trailing_zeros() as usize] = distance;
                    left &= left - 1;
                }
            }
            if is_done {
                break;
            }
            level = next;
        }
        bounds
    }

    #[inline(always)]
    fn of(&self, row: u16, order: u16) -> u8 {
        self.0[usize::from(row)][usize::from(order)]
    }
}

/// The images of sets of orders under the four half turns that touch the slice, a byte of the set
/// at a time.
struct OrderTransitions([[[OrderSet; 256]; 3]; 4]);

impl OrderTransitions {
    fn generate(slice: &MemberTurns) -> OrderTransitions {
        OrderTransitions(std::array::from_fn(|turn| {
            let image = |order: usize| 1 << slice[order][6 + turn];
            let images = |byte: usize, bits: usize| {
                (0..8)
                    .filter(|bit| bits >> bit & 1 == 1)
                    .map(|bit| image(8 * byte + bit))
                    .sum()
            };
            std::array::from_fn(|byte| std::array::from_fn(|bits| images(byte, bits)))
        }))
    }

    /// Returns the orders that the moves carry here from the neighbors they lead to. A half turn is
    /// its own inverse.
    #[inline(always)]
    fn from(&self, [a, b, c, d, e, f, touching @ ..]: [OrderSet; MOVES.len()]) -> OrderSet {
        let carry = |(orders, [low, middle, high]): (OrderSet, &[[OrderSet; 256]; 3])| {
            let [a, b, c, _] = orders.to_le_bytes().map(usize::from);
            low[a] | middle[b] | high[c]
        };
        touching
            .into_iter()
            .zip(&self.0)
            .map(carry)
            .fold(a | b | c | d | e | f, |all, orders| all | orders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;
    use std::collections::{HashSet, VecDeque};

    fn members() -> &'static Phase2Tables {
        &super::super::TwoPhase::get().members
    }

    #[test]
    fn members_follow_moves_and_their_bounds_hold() {
        // The positions at each distance within H. Kociemba has these counts too.
        let golden = [1, 10, 67, 456, 3079, 19_948];
        let mut seen = HashSet::from([Cube::SOLVED]);
        let mut level = vec![Cube::SOLVED];
        for (distance, count) in golden.into_iter().enumerate() {
            assert_eq!(level.len(), count);
            let mut next = Vec::new();
            for cube in level {
                let member = Member::of(&PieceQuadruples::of(&cube));
                assert_eq!(member == Member::SOLVED, cube.is_solved());
                assert!(usize::from(members().bound(member)) <= distance);
                for (m, neighbor) in members().neighbors(member) {
                    let turned = cube.apply(m);
                    assert_eq!(neighbor, Member::of(&PieceQuadruples::of(&turned)));
                    if seen.insert(turned) {
                        next.push(turned);
                    }
                }
            }
            level = next;
        }
        for p in random_positions(14).take(200) {
            let fours = PieceQuadruples::of(&p);
            for m in Move::ALL {
                let turned = PieceQuadruples::of(&p.apply(m));
                assert_eq!(members().turned_fours(&fours, m), turned);
            }
        }
    }

    /// Reference implementation: one entry after the other, with a queue.
    fn obvious_bounds(rows: &MemberTurns, slice: &MemberTurns) -> Vec<[u8; ORDERS as usize]> {
        const UNSEEN: u8 = u8::MAX;
        let mut bounds = vec![[UNSEEN; ORDERS as usize]; rows.len()];
        bounds[0][0] = 0;
        let mut queue = VecDeque::from([(0, 0)]);
        while let Some((row, order)) = queue.pop_front() {
            let bound = bounds[row][order] + 1;
            for (&next_row, &next_order) in rows[row].iter().zip(&slice[order]) {
                let next = (usize::from(next_row), usize::from(next_order));
                if bounds[next.0][next.1] == UNSEEN {
                    bounds[next.0][next.1] = bound;
                    queue.push_back(next);
                }
            }
        }
        bounds
    }

    #[test]
    fn bounds_are_those_of_the_obvious_search() {
        let tables = members();
        let corners = obvious_bounds(&tables.corners, &tables.slice);
        assert!(tables.corner_bounds.0 == corners);
        let edges = obvious_bounds(&tables.edges, &tables.slice);
        assert!(tables.edge_bounds.0 == edges);
    }
}
