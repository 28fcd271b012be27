//! Phase 2: the members of the target subgroup.
//!
//! In H the corners are in any order, and so are the edges of U and D among themselves and the
//! slice edges among themselves: 8! · 8! · 4! / 2 = 19,508,428,800 positions. Two pruning tables
//! bound the distance: one for the corners and the slice, one for the other edges and the slice,
//! 40,320 · 24 entries each. They are generated 24 entries at a time: the orders of the slice are
//! the bits of a word, and a move carries them together.

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
    pub fn of(quadruples: &PieceQuadruples) -> Member {
        // The edges of U and D are in the first eight slots, as the slice has the last four. So
        // their sets of slots have the same ranks among twelve slots as among eight.
        let [corners, edges] = [
            quadruples.corners,
            [quadruples.edges[0], quadruples.edges[1]],
        ]
        .map(eight);
        Member {
            corners,
            edges,
            slice: quadruples.edges[2] % ORDERS,
        }
    }
}

/// Returns the rank of the order of eight pieces in eight slots, given the ranks of the slots of
/// the first four and of the last four.
fn eight([first, last]: [u16; 2]) -> u16 {
    first * ORDERS + last % ORDERS
}

/// Number of orders of eight pieces.
const EIGHT_ORDERS: u16 = 40_320;

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

/// For each value of a coordinate of members, the value after each of the [`MOVES`].
type MemberTurns = Vec<[u16; MOVES.len()]>;

/// The moves of members, and bounds of their distance from solved.
pub(super) struct Phase2Tables {
    corner_quadruples: Turns,
    edge_quadruples: Turns,
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
    pub fn generate(corner_quadruples: &Turns, edge_quadruples: &Turns) -> Phase2Tables {
        let corners = eight_turns(corner_quadruples);
        let edges = eight_turns(edge_quadruples);
        let slice_in_place = &edge_quadruples[edge_quadruples.len() - usize::from(ORDERS)..];
        let slice = slice_in_place
            .iter()
            .map(|turned| MOVES.map(|m| turned[m.index()] % ORDERS))
            .collect();
        Phase2Tables {
            corner_bounds: OrderDistances::generate(&corners, &slice),
            edge_bounds: OrderDistances::generate(&edges, &slice),
            corner_quadruples: corner_quadruples.clone(),
            edge_quadruples: edge_quadruples.clone(),
            corners,
            edges,
            slice,
        }
    }

    /// Returns the quadruples after a move.
    pub fn turned_quadruples(&self, quadruples: &PieceQuadruples, m: Move) -> PieceQuadruples {
        PieceQuadruples {
            corners: quadruples
                .corners
                .map(|four| self.corner_quadruples[usize::from(four)][m.index()]),
            edges: quadruples
                .edges
                .map(|four| self.edge_quadruples[usize::from(four)][m.index()]),
        }
    }

    /// Returns the moves that preserve H, each with the member to which it leads.
    #[inline(always)]
    pub fn neighbors(&self, member: Member) -> impl Iterator<Item = (Move, Member)> {
        let corners = &self.corners[usize::from(member.corners)];
        let edges = &self.edges[usize::from(member.edges)];
        let slice = &self.slice[usize::from(member.slice)];
        let neighbor = |i: usize| Member {
            corners: corners[i],
            edges: edges[i],
            slice: slice[i],
        };
        MOVES
            .into_iter()
            .enumerate()
            .map(move |(i, m)| (m, neighbor(i)))
    }

    /// Returns a lower bound on the distance from solved.
    #[inline(always)]
    pub fn bound(&self, member: Member) -> u8 {
        self.corner_bounds
            .of(member.corners, member.slice)
            .max(self.edge_bounds.of(member.edges, member.slice))
    }
}

/// Returns for each order of eight pieces in eight slots the order after each move.
fn eight_turns(quadruples: &Turns) -> MemberTurns {
    let turned = |value: u16| {
        let first = value / ORDERS;
        let order = value % ORDERS;
        // The last four are in the other slots: the complements of sets are ranked in reverse
        // order.
        let last = (CORNER_SETS - 1 - first / ORDERS) * ORDERS + order;
        MOVES.map(|m| eight([first, last].map(|four| quadruples[usize::from(four)][m.index()])))
    };
    (0..EIGHT_ORDERS).map(turned).collect()
}

/// A set of orders of the slice, a bit each.
type OrderSet = u32;

/// The distances from solved, by order of eight pieces (a *row*) and by order of the slice.
struct OrderDistances(Vec<[u8; ORDERS as usize]>);

impl OrderDistances {
    /// Searches breadth first from the first order in the first row. In each step, each row takes
    /// over the orders that its neighbors reached in the last step.
    fn generate(rows: &MemberTurns, slice: &MemberTurns) -> OrderDistances {
        const ALL: OrderSet = (1 << ORDERS) - 1;
        let transitions = OrderTransitions::generate(slice);
        let mut bounds = OrderDistances(vec![[0; ORDERS as usize]; rows.len()]);
        let mut level: Vec<OrderSet> = vec![0; rows.len()];
        level[0] = 1;
        let mut reached = level.clone();
        for distance in 1.. {
            let newly_reached =
                |(neighbors, reached): (&[u16; MOVES.len()], &OrderSet)| match *reached {
                    ALL => 0,
                    reached => {
                        transitions.from(neighbors.map(|row| level[usize::from(row)])) & !reached
                    }
                };
            let next: Vec<OrderSet> = rows.iter().zip(&reached).map(newly_reached).collect();
            let mut is_done = true;
            for (row, &new) in next.iter().enumerate() {
                reached[row] |= new;
                is_done &= new == 0;
                let mut orders = new;
                while orders != 0 {
                    bounds.0[row][orders.trailing_zeros() as usize] = distance;
                    orders &= orders - 1;
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

/// The images of sets of orders under the four half turns that touch the slice, for each value of
/// each byte of a set.
struct OrderTransitions([[[OrderSet; 256]; 3]; 4]);

impl OrderTransitions {
    fn generate(slice: &MemberTurns) -> OrderTransitions {
        OrderTransitions(std::array::from_fn(|turn| {
            // In `MOVES`, six turns come before the half turns that touch the slice.
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

    /// Returns the orders that moves carry to a row, given the orders of the neighbor to which each
    /// move leads. The inverse move carries them back; it acts on the slice like the move, because
    /// half turns are their own inverses and the other moves do not change the slice.
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
        // The numbers of positions at each distance within H, which Kociemba has published.
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
            let quadruples = PieceQuadruples::of(&p);
            for m in Move::ALL {
                let turned = PieceQuadruples::of(&p.apply(m));
                assert_eq!(members().turned_quadruples(&quadruples, m), turned);
            }
        }
    }

    /// Reference implementation: one entry after the other, with a queue.
    fn reference_bounds(rows: &MemberTurns, slice: &MemberTurns) -> Vec<[u8; ORDERS as usize]> {
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
    fn bounds_agree_with_the_reference_implementation() {
        let tables = members();
        let corners = reference_bounds(&tables.corners, &tables.slice);
        assert!(tables.corner_bounds.0 == corners);
        let edges = reference_bounds(&tables.edges, &tables.slice);
        assert!(tables.edge_bounds.0 == edges);
    }
}
