//! Three edges: the piece from which the coordinates of six and seven are put together.
//!
//! Three edges stand in 12·11·10 = 1,320 ways, each with 8 flips. What a move makes of the ways is a table of 47 KB, the same
//! for any three edges, since only slots matter; and it flips some of the three, whatever their flips were.
//!
//! Six edges are two triples. The second stands in slots that the first leaves free, in 9·8·7 = 504 ways, and a table of
//! 580 KB numbers them: so the index of six edges takes two small tables, instead of a table of moves of all 665,280
//! placements (48 MB).

use cosette::cube::{Cube, Edge, Move};
use std::sync::LazyLock;

/// How many ways three edges can stand in: 12·11·10.
pub const PLACEMENTS: usize = 1_320;
/// How many ways of a second triple each way of the first one leaves: 9·8·7.
pub const SECOND_PLACEMENTS: usize = 504;

/// Where three edges stand, in the low eleven bits, and their flips in the three bits above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple(u16);

const PLACEMENT_BITS: u32 = 11;

impl Triple {
    /// Where three edges stand in a position.
    pub fn of(position: &Cube, edges: [Edge; 3]) -> Triple {
        let places = edges.map(|edge| place_of(position, edge));
        Triple::at(places)
    }

    /// Three edges in these slots, so flipped.
    pub(super) fn at(places: [(u8, u8); 3]) -> Triple {
        let flips = places[0].1 | places[1].1 << 1 | places[2].1 << 2;
        Triple(number(&places.map(|place| place.0), 12) as u16 | u16::from(flips) << PLACEMENT_BITS)
    }

    /// Where they stand, 0 to 1,319.
    #[inline(always)]
    pub fn placement(self) -> usize {
        usize::from(self.0 & ((1 << PLACEMENT_BITS) - 1))
    }

    /// Their flips, one bit each.
    #[inline(always)]
    pub fn flips(self) -> usize {
        usize::from(self.0 >> PLACEMENT_BITS)
    }

    /// The triple after a move.
    #[inline(always)]
    pub fn turned(self, tables: &TripleTables, m: Move) -> Triple {
        Triple(tables.moves[self.placement()][m.index()].0 ^ (self.0 & !((1 << PLACEMENT_BITS) - 1)))
    }
}

/// The slot that an edge stands in, 0 to 11, and its flip.
pub(super) fn place_of(position: &Cube, edge: Edge) -> (u8, u8) {
    let slot = Edge::ALL.into_iter().find(|&slot| position.edge(slot).0 == edge).expect("every edge is somewhere");
    (slot.index() as u8, position.edge(slot).1)
}

/// What becomes of an edge in this slot: its new slot, and whether it is flipped.
pub(super) fn carried(slot: u8, m: Move) -> (u8, u8) {
    place_of(Cube::of_move(m), Edge::ALL[usize::from(slot)])
}

/// The number of the way in which cubies stand in these slots of `all`: one digit for each cubie, its slot among those
/// that the cubies before it leave free.
pub(super) fn number(slots: &[u8], all: u8) -> u32 {
    (0..slots.len()).fold(0, |number, i| {
        let taken = slots[..i].iter().filter(|&&earlier| earlier < slots[i]).count();
        number * (u32::from(all) - i as u32) + u32::from(slots[i]) - taken as u32
    })
}

/// The slots, of twelve, in which `cubies` cubies stand in the arrangement with this number.
pub(super) fn slots_of(mut number: u32, cubies: usize) -> Vec<u8> {
    let mut digits: Vec<usize> = Vec::new();
    for i in (0..cubies).rev() {
        digits.push((number % (12 - i as u32)) as usize);
        number /= 12 - i as u32;
    }
    let mut free: Vec<u8> = (0..12).collect();
    digits.into_iter().rev().map(|digit| free.remove(digit)).collect()
}

/// What moves make of triples, and how two of them are numbered together.
pub struct TripleTables {
    /// The placement a move leads to, and the edges it flips.
    moves: Vec<[Triple; Move::COUNT]>,
    /// The slots of each placement, one bit each.
    pub(super) masks: Vec<u16>,
    /// Where in `seconds` the second placements begin that a first one leaves.
    begins: Vec<u32>,
    /// The number of each second placement, 0 to 503.
    seconds: Vec<u16>,
}

impl TripleTables {
    /// The tables; computed at the first call, in a few hundredths of a second.
    pub fn get() -> &'static TripleTables {
        static TABLES: LazyLock<TripleTables> = LazyLock::new(TripleTables::compute);
        &TABLES
    }

    fn compute() -> TripleTables {
        let slots: Vec<Vec<u8>> = (0..PLACEMENTS as u32).map(|number| slots_of(number, 3)).collect();
        let masks: Vec<u16> = slots.iter().map(|slots| slots.iter().map(|slot| 1 << slot).sum::<u16>()).collect();
        let turned = |slots: &[u8], m: Move| Triple::at([0, 1, 2].map(|i| carried(slots[i], m)));
        let moves = slots.iter().map(|slots| Move::ALL.map(|m| turned(slots, m))).collect();
        // Placements that fill the same slots leave the same second placements.
        let mut sets: Vec<u16> = masks.clone();
        sets.sort_unstable();
        sets.dedup();
        let begin = |mask: &u16| (sets.binary_search(mask).expect("it is there") * PLACEMENTS) as u32;
        let begins = masks.iter().map(begin).collect();
        let mut seconds = vec![0; sets.len() * PLACEMENTS];
        for (set, seconds) in sets.iter().zip(seconds.chunks_mut(PLACEMENTS)) {
            let free = |mask: &u16| mask & set == 0;
            for (placement, slots) in slots.iter().enumerate().filter(|&(placement, _)| free(&masks[placement])) {
                let among_free = slots.iter().map(|slot| slot - (set & ((1 << slot) - 1)).count_ones() as u8);
                seconds[placement] = number(&among_free.collect::<Vec<_>>(), 9) as u16;
            }
        }
        TripleTables { moves, masks, begins, seconds }
    }

    /// The number of the placement of six edges, 0 to 665,279.
    #[inline(always)]
    pub fn placement_of_six(&self, first: Triple, second: Triple) -> usize {
        let second = self.seconds[self.begins[first.placement()] as usize + second.placement()];
        first.placement() * SECOND_PLACEMENTS + usize::from(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn triples_move_as_positions_do() {
        let edges = [Edge::Db, Edge::Uf, Edge::Fl];
        for position in random_positions(2).take(1000) {
            for m in Move::ALL {
                let triple = Triple::of(&position, edges).turned(TripleTables::get(), m);
                assert_eq!(triple, Triple::of(&position.turned(m), edges));
            }
        }
    }

    #[test]
    fn placements_of_six_are_numbered_by_tables_as_by_definition() {
        let tables = TripleTables::get();
        for placement in 0..(PLACEMENTS * SECOND_PLACEMENTS) as u32 {
            let slots = slots_of(placement, 6);
            assert_eq!(number(&slots, 12), placement);
            let [first, second] = [0, 3].map(|i| Triple::at([0, 1, 2].map(|j| (slots[i + j], 0))));
            assert_eq!(tables.placement_of_six(first, second), placement as usize);
        }
    }
}
