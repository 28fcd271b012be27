//! The members of H as bits of a bitmap, in an order in which each move of H carries whole
//! registers.
//!
//! # Theory
//!
//! A member of H permutes the corners, the eight edges of the layers U and D, and the four edges of
//! the slice between; all three permutations together are even. Let the four pieces of a layer, or
//! of the slice, have the *labels* 0 to 3. An *exchange* flips the same bits of all four labels: it
//! swaps 0 with 1 and 2 with 3; or 0 with 2 and 1 with 3; or 0 with 3 and 1 with 2; or it changes
//! nothing. There are four exchanges for the corners of each layer, four for the edges of each
//! layer, and four for the slice edges: 4⁵ = 1024 combinations, each an even permutation. Moves act
//! on slots and exchanges on pieces, so they commute.
//!
//! So H falls into *rows* of 1024 members that exchanges carry to one another. A move carries a row
//! to a row, and flips the same label bits of all its members. In a bitmap where a row is 128
//! bytes, a move carries rows, and swaps bits whose numbers differ in the flipped bits: for a
//! register of 256 bits one shuffle of lanes, one of bytes, and two lookups of nibbles.
//!
//! The permutations of the corners, of the edges of U and D, and of the slice edges fall into rows
//! in the same way, the first two into 2520 rows of 16:
//!
//! ```text
//! bit = (((corner row · 2520 + edge row) · 3 + slice row) · 4 + slice label) · 256 + 16 · corner labels + edge labels
//!        └── cell: 12 registers ──────────┘
//! ```
//!
//! The slice edges have six rows of 4. Three of these have the parity that makes all permutations
//! together even; they are numbered from 0 to 2.
//!
//! (Earlier programs store the permutations of the slice edges side by side: 24 bits, which a half
//! turn permutes by a table. T. Rokicki, `hcoset`, 2010.)

use crate::cube::{Corner, Cube, Edge};
pub(super) use crate::twophase::phase2::MOVES;

/// Number of rows of the permutations of eight pieces.
pub(super) const ROWS: usize = 2520;
/// Number of permutations of eight pieces in a row: four exchanges in each of two layers.
const LABELS: usize = 16;
/// Number of bits of a register.
pub(super) const REGISTER_BITS: usize = 256;
/// Number of registers of a cell.
pub(super) const REGISTERS: usize = 12;
/// Number of bytes of a cell.
pub(super) const CELL: usize = REGISTERS * REGISTER_BITS / 8;
/// Number of bytes of a bitmap of all members.
pub(super) const BITMAP: usize = ROWS * ROWS * CELL;
/// Number of members of H, and so of positions of a coset.
pub const MEMBER_COUNT: u64 = 8 * BITMAP as u64;

/// Index in [`MOVES`] of the first half turn of R, F, L or B; only these move the slice edges.
pub(super) const FIRST_HALF_TURN: usize = 6;

/// The action of the moves of H on the rows of eight pieces.
pub(super) struct RowMoves {
    /// For each row and move, 16 · the row after the move + the label bits that the move flips.
    pub after: Vec<[u16; MOVES.len()]>,
    /// Parity of the permutations of a row: `true` if odd.
    pub is_odd: Vec<bool>,
}

/// The numbering of the members, and the action of the moves on them.
pub(super) struct MemberNumbering {
    /// For the pieces in the first four slots, packed by [`fours`], 24 · their rank.
    first: Box<[u16; 4096]>,
    /// For the pieces in the last four slots, packed by [`fours`], the rank of their order.
    last: Box<[u8; 4096]>,
    /// For each rank of a permutation of eight its number: 16 · row + labels.
    numbers: Vec<u16>,
    /// For each number the permutation, slot by slot.
    permutations: Vec<[u8; 8]>,
    /// The first row of each group, then the number of rows. A group is the rows that turns of U
    /// and D carry to one another; they are consecutive.
    pub groups: Vec<usize>,
    /// For the slice edges, packed by [`slice_key`], 4 · row + label.
    slices: Box<[u8; 256]>,
    /// By parity of the row and by 4 · row + label, the slice edges.
    slice_orders: [[[u8; 4]; REGISTERS]; 2],
    pub corners: RowMoves,
    pub edges: RowMoves,
    /// By parity of the slice row after the move: for each half turn of R, F, L and B and each
    /// register of a cell after it, the register before it.
    pub slice_before: [[[u8; REGISTERS]; 4]; 2],
}

impl MemberNumbering {
    /// Computes the tables, in some milliseconds.
    pub fn new() -> MemberNumbering {
        let (first, last) = ranks();
        let rank = |pieces: &[u8; 8]| {
            let [front, back] = fours(u64::from_le_bytes(*pieces));
            usize::from(first[front]) + usize::from(last[back])
        };
        let mut numbers = vec![u16::MAX; ROWS * LABELS];
        let (permutations, groups) = number_permutations(&mut numbers, &rank);
        let number = |pieces: &[u8; 8]| numbers[rank(pieces)];
        let row_moves = |slots: &dyn Fn(&Cube) -> [u8; 8]| {
            // The first permutation of a row has the labels 0.
            let after = |pieces: [u8; 8], m| number(&carried(pieces, slots(Cube::from_move(m))));
            let rows = permutations.chunks_exact(LABELS).map(|row| row[0]);
            RowMoves {
                after: rows
                    .clone()
                    .map(|row| MOVES.map(|m| after(row, m)))
                    .collect(),
                is_odd: rows.map(|row| is_odd(&row)).collect(),
            }
        };
        let corners = row_moves(&corners);
        let edges = row_moves(&edges);
        let slices = slices();
        let mut slice_orders = [[[0; 4]; REGISTERS]; 2];
        for_each_order(4, &mut |order| {
            let register = usize::from(slices[slice_key(order)]);
            slice_orders[usize::from(is_odd(order))][register].copy_from_slice(order);
        });
        let slice_before = slice_before(&slices);
        MemberNumbering {
            first,
            last,
            numbers,
            permutations,
            groups,
            slices,
            slice_orders,
            corners,
            edges,
            slice_before,
        }
    }

    /// Returns the bit of the member with these pieces, slot by slot: corners and edges of U and D,
    /// a byte each, and slice edges, two bits each.
    #[inline(always)]
    pub fn bit(&self, corners: u64, edges: u64, slice: u8) -> u64 {
        let [corners, edges] = [corners, edges].map(|pieces| {
            let [front, back] = fours(pieces);
            usize::from(self.numbers[usize::from(self.first[front]) + usize::from(self.last[back])])
        });
        let cell = (corners / LABELS) * ROWS + edges / LABELS;
        let register = cell * REGISTERS + usize::from(self.slices[usize::from(slice)]);
        (register * REGISTER_BITS + corners % LABELS * LABELS + edges % LABELS) as u64
    }

    /// Returns the bit of a member.
    pub fn bit_of(&self, member: &Cube) -> u64 {
        let slice = slice_key(&slice(member));
        self.bit(
            u64::from_le_bytes(corners(member)),
            u64::from_le_bytes(edges(member)),
            slice as u8,
        )
    }

    /// Returns the member of a bit.
    pub fn member(&self, bit: u64) -> Cube {
        let bit = bit as usize;
        let register = bit / REGISTER_BITS;
        let labels = bit % REGISTER_BITS;
        let cell = register / REGISTERS;
        let slice_order = register % REGISTERS;
        let corner_row = cell / ROWS;
        let edge_row = cell % ROWS;
        let corners = self.permutations[corner_row * LABELS + labels / LABELS];
        let edges = self.permutations[edge_row * LABELS + labels % LABELS];
        let is_odd = self.corners.is_odd[corner_row] != self.edges.is_odd[edge_row];
        let slice = self.slice_orders[usize::from(is_odd)][slice_order];
        let edge = |slot: usize| {
            let edge = edges.get(slot).copied();
            (edge.unwrap_or_else(|| slice[slot - 8] + 8), 0)
        };
        let corners = corners.map(|corner| (corner, 0));
        Cube::from_cubies(&corners, &std::array::from_fn(edge)).expect("the parities agree")
    }
}

/// Numbers the permutations of eight pieces: stores the number of each in `numbers`, by its rank.
/// Returns the permutations by number, and [`MemberNumbering::groups`].
fn number_permutations(
    numbers: &mut [u16],
    rank: &dyn Fn(&[u8; 8]) -> usize,
) -> (Vec<[u8; 8]>, Vec<usize>) {
    let mut permutations = Vec::new();
    let mut groups = vec![0];
    for_each_order(8, &mut |order| {
        let pieces = order.try_into().expect("there are eight");
        if numbers[rank(&pieces)] != u16::MAX {
            return;
        }
        // The rows of a group: the turns of U and of D.
        let mut turned = pieces;
        for _ in 0..4 {
            turned[..4].rotate_right(1);
            for _ in 0..4 {
                turned[4..].rotate_right(1);
                if numbers[rank(&turned)] != u16::MAX {
                    continue;
                }
                let base = relabeled(turned, labels(&turned));
                for labels in 0..LABELS as u8 {
                    let pieces = relabeled(base, labels);
                    numbers[rank(&pieces)] = permutations.len() as u16;
                    permutations.push(pieces);
                }
            }
        }
        groups.push(permutations.len() / LABELS);
    });
    (permutations, groups)
}

/// Returns the corners of a position, slot by slot.
fn corners(cube: &Cube) -> [u8; 8] {
    Corner::ALL.map(|slot| cube.corner(slot).0.index() as u8)
}

/// Returns the edges in the first eight slots, those of U and D.
fn edges(cube: &Cube) -> [u8; 8] {
    std::array::from_fn(|slot| cube.edge(Edge::ALL[slot]).0.index() as u8)
}

/// Returns the edges in the slots of the slice, numbered from 0.
fn slice(cube: &Cube) -> [u8; 4] {
    std::array::from_fn(|slot| cube.edge(Edge::ALL[8 + slot]).0.index() as u8 - 8)
}

/// Packs the edges of the slice, two bits each, the first slot lowest.
fn slice_key(edges: &[u8]) -> usize {
    edges
        .iter()
        .rev()
        .fold(0, |key, &edge| key << 2 | usize::from(edge))
}

/// Returns the pieces after a move that carries to each slot the piece in the slot `from`.
fn carried(pieces: [u8; 8], from: [u8; 8]) -> [u8; 8] {
    from.map(|slot| pieces[usize::from(slot)])
}

/// Packs eight pieces, a byte each, into three bits each: the first four, and the last four.
#[inline(always)]
fn fours(pieces: u64) -> [usize; 2] {
    let pairs = (pieces | pieces >> 5) & 0x003f_003f_003f_003f;
    let fours = (pairs | pairs >> 10) & 0x0000_0fff_0000_0fff;
    [fours as usize & 0xfff, (fours >> 32) as usize]
}

/// Computes the tables `first` and `last` of a [`MemberNumbering`].
fn ranks() -> (Box<[u16; 4096]>, Box<[u8; 4096]>) {
    let mut first = Box::new([u16::MAX; 4096]);
    let mut last = Box::new([0; 4096]);
    let mut ranked = 0;
    for_each_order(8, &mut |order| {
        let pieces: [u8; 8] = order.try_into().expect("there are eight");
        let [front, back] = fours(u64::from_le_bytes(pieces));
        if first[front] == u16::MAX {
            first[front] = 24 * ranked;
            ranked += 1;
        }
        // The Lehmer code of the order: for each piece, the number of lower pieces after it.
        let lower = |i: usize| {
            pieces[i..]
                .iter()
                .filter(|&&other| other < pieces[i])
                .count() as u8
        };
        last[back] = 6 * lower(4) + 2 * lower(5) + lower(6);
    });
    (first, last)
}

/// Returns for each layer the label of its piece in the earliest slot: that of U in the low two
/// bits.
fn labels(pieces: &[u8; 8]) -> u8 {
    let label = |layer: u8| {
        let mut pieces = pieces.iter();
        pieces
            .find(|&piece| piece / 4 == layer)
            .expect("a layer has four")
            % 4
    };
    label(0) | label(1) << 2
}

/// Returns the pieces after an exchange, which flips these bits of the labels.
fn relabeled(pieces: [u8; 8], labels: u8) -> [u8; 8] {
    pieces.map(|piece| piece ^ [labels % 4, labels / 4][usize::from(piece / 4)])
}

/// Computes the table `slices` of a [`MemberNumbering`]. The three rows of each parity have the
/// numbers 0 to 2. The label is the exchange that brings edge 3 to the last slot.
fn slices() -> Box<[u8; 256]> {
    let mut slices = Box::new([0; 256]);
    let mut rows = [Vec::new(), Vec::new()];
    for_each_order(4, &mut |order| {
        let label = order[3] ^ 3;
        let row: Vec<u8> = order.iter().map(|edge| edge ^ label).collect();
        let rows = &mut rows[usize::from(is_odd(order))];
        let number = rows
            .iter()
            .position(|other| *other == row)
            .unwrap_or_else(|| {
                rows.push(row);
                rows.len() - 1
            });
        slices[slice_key(order)] = 4 * number as u8 + label;
    });
    slices
}

/// Computes the table `slice_before` of a [`MemberNumbering`].
fn slice_before(slices: &[u8; 256]) -> [[[u8; REGISTERS]; 4]; 2] {
    let mut before = [[[0; REGISTERS]; 4]; 2];
    for_each_order(4, &mut |order| {
        for (number, m) in MOVES[FIRST_HALF_TURN..].iter().enumerate() {
            let after: Vec<u8> = slice(Cube::from_move(*m))
                .iter()
                .map(|&from| order[usize::from(from)])
                .collect();
            let registers = &mut before[usize::from(is_odd(&after))][number];
            registers[usize::from(slices[slice_key(&after)])] = slices[slice_key(order)];
        }
    });
    before
}

fn is_odd(order: &[u8]) -> bool {
    let lower_after = |i: usize| order[i..].iter().filter(|&&other| other < order[i]).count();
    (0..order.len()).map(lower_after).sum::<usize>() % 2 == 1
}

/// Calls `visit` with the orders of the numbers below `count`, in lexicographic order.
fn for_each_order(count: u8, visit: &mut dyn FnMut(&[u8])) {
    fn extend(order: &mut Vec<u8>, count: u8, visit: &mut dyn FnMut(&[u8])) {
        if order.len() == usize::from(count) {
            return visit(order);
        }
        for next in 0..count {
            if !order.contains(&next) {
                order.push(next);
                extend(order, count, visit);
                order.pop();
            }
        }
    }
    extend(&mut Vec::new(), count, visit);
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn bits_and_moves_agree_with_positions() {
        let members = MemberNumbering::new();
        assert_eq!(MEMBER_COUNT, 19_508_428_800);
        assert_eq!(members.groups.last(), Some(&ROWS));
        let mut chance = ChaCha8Rng::seed_from_u64(41);
        for _ in 0..20_000 {
            let bit = chance.random_range(0..MEMBER_COUNT);
            let member = members.member(bit);
            assert_eq!(members.bit_of(&member), bit);
            let cell = bit as usize / (8 * CELL);
            let in_cell = bit as usize % (8 * CELL);
            let label = in_cell % REGISTER_BITS;
            for (i, &m) in MOVES.iter().enumerate() {
                let corners = usize::from(members.corners.after[cell / ROWS][i]);
                let edges = usize::from(members.edges.after[cell % ROWS][i]);
                let after = members.bit_of(&member.apply(m)) as usize;
                let corner_row = corners / LABELS;
                let edge_row = edges / LABELS;
                assert_eq!(after / (8 * CELL), corner_row * ROWS + edge_row);
                let exchanged = corners % LABELS * LABELS + edges % LABELS;
                assert_eq!(after % REGISTER_BITS, label ^ exchanged);
                let mut before = after % (8 * CELL) / REGISTER_BITS;
                if let Some(number) = i.checked_sub(FIRST_HALF_TURN) {
                    let is_odd =
                        members.corners.is_odd[corner_row] != members.edges.is_odd[edge_row];
                    let slices = &members.slice_before[usize::from(is_odd)];
                    before = usize::from(slices[number][before]);
                }
                assert_eq!(before, in_cell / REGISTER_BITS);
            }
        }
    }
}
