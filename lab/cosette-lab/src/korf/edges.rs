//! Three edges: the piece from which the coordinates of six and seven are put together.
//!
//! Three edges have 12·11·10 = 1,320 placements, each with 8 flips. The images of the placements
//! under the moves are a table of 47 KB, the same for any three edges, since only slots matter; and
//! a move flips some of the three, whatever their flips were.
//!
//! Six edges are two triples. The second occupies slots that the first leaves free, with 9·8·7 =
//! 504 placements, which a table of 580 KB numbers. So the index of six edges takes two small
//! tables, instead of a move table of all 665,280 placements (48 MB).
//!
//! # Sets of six and of seven edges, and their pattern databases
//!
//! ```text
//! index = 64 · (placement of six, 0 … 665,279) + flips                       42,577,920 entries
//! index = 128 · (6 · placement of six + free slot of the seventh) + flips    510,935,040 entries
//! ```
//!
//! A flip is stored with the cubie: so a move flips the edges of the set that it carries across,
//! whatever their flips were, and its action on a vector of flips is an exclusive or.

use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::lab::LabTable;
use crate::packed::PackedDistances;
use crate::space::Space;
use cosette::Control;
use cosette::block_file::{PayloadKind, numbering};
use cosette::cube::{Cube, Edge, Metric, Move};
use std::fmt;
use std::sync::LazyLock;

/// Number of placements of three edges: 12·11·10.
pub const PLACEMENTS: usize = 1_320;
/// Number of placements of a second triple for each placement of the first one: 9·8·7.
pub const SECOND_PLACEMENTS: usize = 504;

/// The placement of three edges, in the low eleven bits, and their flips in the three bits above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple(u16);

const PLACEMENT_BITS: u32 = 11;

impl Triple {
    /// Creates three edges in these slots with these flips.
    fn at(places: [(u8, u8); 3]) -> Triple {
        let flips = places[0].1 | places[1].1 << 1 | places[2].1 << 2;
        Triple(number(&places.map(|place| place.0), 12) as u16 | u16::from(flips) << PLACEMENT_BITS)
    }

    /// Returns the placement, 0 to 1,319.
    #[inline(always)]
    pub fn placement(self) -> usize {
        usize::from(self.0 & ((1 << PLACEMENT_BITS) - 1))
    }

    /// Returns the flips, one bit each.
    #[inline(always)]
    pub fn flips(self) -> usize {
        usize::from(self.0 >> PLACEMENT_BITS)
    }

    /// Returns the triple after a move.
    #[inline(always)]
    pub fn turned(self, tables: &EdgeTables, m: Move) -> Triple {
        Triple(
            tables.moves[self.placement()][m.index()].0 ^ (self.0 & !((1 << PLACEMENT_BITS) - 1)),
        )
    }
}

/// Returns the slot of an edge, 0 to 11, and its flip.
fn place_of(position: &Cube, edge: Edge) -> (u8, u8) {
    let slot = Edge::ALL
        .into_iter()
        .find(|&slot| position.edge(slot).0 == edge)
        .expect("every edge is somewhere");
    (slot.index() as u8, position.edge(slot).1)
}

/// Returns the new slot of an edge in this slot after a move, and `true` if the move flips it.
fn carried(slot: u8, m: Move) -> (u8, u8) {
    place_of(Cube::from_move(m), Edge::ALL[usize::from(slot)])
}

/// Ranks the placement of cubies in these slots of `all`: one digit for each cubie, its slot among
/// those that the earlier cubies leave free.
fn number(slots: &[u8], all: u8) -> u32 {
    (0..slots.len()).fold(0, |number, i| {
        let taken = slots[..i]
            .iter()
            .filter(|&&earlier| earlier < slots[i])
            .count();
        number * (u32::from(all) - i as u32) + u32::from(slots[i]) - taken as u32
    })
}

/// Returns the slots, of twelve, of `cubies` cubies in the placement of this rank.
fn slots_of(mut number: u32, cubies: usize) -> Vec<u8> {
    let mut digits: Vec<usize> = Vec::new();
    for i in (0..cubies).rev() {
        digits.push((number % (12 - i as u32)) as usize);
        number /= 12 - i as u32;
    }
    let mut free: Vec<u8> = (0..12).collect();
    digits
        .into_iter()
        .rev()
        .map(|digit| free.remove(digit))
        .collect()
}

/// Move tables of triples and of single edges, and the joint numbering of two triples.
pub struct EdgeTables {
    /// The placement a move leads to, and the edges it flips.
    moves: Vec<[Triple; Move::COUNT]>,
    /// The slots of each placement, one bit each.
    masks: Vec<u16>,
    /// For each first placement, the index in `seconds` of its second placements.
    begins: Vec<u32>,
    /// The number of each second placement, 0 to 503.
    seconds: Vec<u16>,
    /// For each slot, its image under each move, and `1` if the edge is flipped.
    singles: [[u8; Move::COUNT]; 16],
}

impl EdgeTables {
    /// The tables; computed at the first call, in a few hundredths of a second.
    pub fn get() -> &'static EdgeTables {
        static TABLES: LazyLock<EdgeTables> = LazyLock::new(EdgeTables::compute);
        &TABLES
    }

    fn compute() -> EdgeTables {
        let slots: Vec<Vec<u8>> = (0..PLACEMENTS as u32)
            .map(|number| slots_of(number, 3))
            .collect();
        let masks: Vec<u16> = slots
            .iter()
            .map(|slots| slots.iter().map(|slot| 1 << slot).sum::<u16>())
            .collect();
        let turned = |slots: &[u8], m: Move| Triple::at([0, 1, 2].map(|i| carried(slots[i], m)));
        let moves = slots
            .iter()
            .map(|slots| Move::ALL.map(|m| turned(slots, m)))
            .collect();
        // Placements that fill the same slots leave the same second placements.
        let mut sets: Vec<u16> = masks.clone();
        sets.sort_unstable();
        sets.dedup();
        let begin =
            |mask: &u16| (sets.binary_search(mask).expect("it is there") * PLACEMENTS) as u32;
        let begins = masks.iter().map(begin).collect();
        let mut seconds = vec![0; sets.len() * PLACEMENTS];
        for (set, seconds) in sets.iter().zip(seconds.chunks_mut(PLACEMENTS)) {
            let free = |mask: &u16| mask & set == 0;
            for (placement, slots) in slots
                .iter()
                .enumerate()
                .filter(|&(placement, _)| free(&masks[placement]))
            {
                let among_free = slots
                    .iter()
                    .map(|slot| slot - (set & ((1 << slot) - 1)).count_ones() as u8);
                seconds[placement] = number(&among_free.collect::<Vec<_>>(), 9) as u16;
            }
        }
        let mut singles = [[0; Move::COUNT]; 16];
        for (slot, row) in singles[..12].iter_mut().enumerate() {
            *row = Move::ALL
                .map(|m| carried(slot as u8, m))
                .map(|(slot, flip)| slot | flip << 4);
        }
        EdgeTables {
            moves,
            masks,
            begins,
            seconds,
            singles,
        }
    }

    /// The number of the placement of six edges, 0 to 665,279.
    #[inline(always)]
    pub fn placement_of_six(&self, first: Triple, second: Triple) -> usize {
        let second = self.seconds[self.begins[first.placement()] as usize + second.placement()];
        first.placement() * SECOND_PLACEMENTS + usize::from(second)
    }
}

/// Six or seven edges, in the order in which they are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeSet {
    six: [Edge; 6],
    seventh: Option<Edge>,
}

impl EdgeSet {
    /// Creates the set of these edges; `None` unless they are six or seven distinct ones.
    pub fn new(edges: &[Edge]) -> Option<EdgeSet> {
        let (six, rest) = edges.split_first_chunk::<6>()?;
        let is_new = |i: usize| !edges[..i].contains(&edges[i]);
        (rest.len() <= 1 && (0..edges.len()).all(is_new)).then_some(EdgeSet {
            six: *six,
            seventh: rest.first().copied(),
        })
    }

    /// The edges, in order.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.six.into_iter().chain(self.seventh)
    }

    /// Returns the number of edges: six or seven.
    pub fn size(&self) -> usize {
        6 + usize::from(self.seventh.is_some())
    }

    /// Returns the number of placements.
    pub fn placements(&self) -> usize {
        PLACEMENTS * SECOND_PLACEMENTS * if self.seventh.is_some() { 6 } else { 1 }
    }

    /// Returns the number of flips.
    pub fn flips(&self) -> usize {
        1 << self.size()
    }

    /// Returns the number of entries of the database.
    pub fn entries(&self) -> usize {
        self.placements() * self.flips()
    }

    /// The edges of the set in a position.
    pub fn of(&self, position: &Cube) -> Edges {
        let [a, b, c, d, e, f] = self.six;
        let place = |edge| place_of(position, edge);
        Edges {
            triples: [[a, b, c], [d, e, f]].map(|edges| Triple::at(edges.map(place))),
            seventh: self
                .seventh
                .map_or(0, |edge| place(edge).0 | place(edge).1 << 4),
        }
    }

    /// The index of the edges of this set.
    #[inline(always)]
    pub fn index(&self, tables: &EdgeTables, edges: Edges) -> usize {
        let row = self.row(tables, edges);
        if self.seventh.is_some() {
            row * 128 + edges.flips()
        } else {
            row * 64 + edges.flips() % 64
        }
    }

    /// The number of their placement.
    #[inline(always)]
    fn row(
        &self,
        tables: &EdgeTables,
        Edges {
            triples: [first, second],
            seventh,
        }: Edges,
    ) -> usize {
        let six = tables.placement_of_six(first, second);
        if self.seventh.is_none() {
            return six;
        }
        let taken = tables.masks[first.placement()] | tables.masks[second.placement()];
        let slot = seventh & 15;
        let below = taken & ((1 << (seventh & 15)) - 1);
        6 * six + usize::from(slot) - below.count_ones() as usize
    }
}

/// The default sets of six edges: four edges of the U layer and two below them, whose database has
/// the mean of the paper, 7.668; and the other six, to which a symmetry carries the first.
pub const SIX: [EdgeSet; 2] = {
    use Edge::{Bl, Br, Db, Df, Dl, Dr, Fl, Fr, Ub, Uf, Ul, Ur};
    let upper = [Ur, Uf, Ul, Ub, Fr, Fl];
    let lower = [Dr, Df, Dl, Db, Br, Bl];
    [
        EdgeSet {
            six: upper,
            seventh: None,
        },
        EdgeSet {
            six: lower,
            seventh: None,
        },
    ]
};

/// The default sets of seven edges: those of six, each with a third edge between the layers.
pub const SEVEN: [EdgeSet; 2] = [
    EdgeSet {
        seventh: Some(Edge::Br),
        ..SIX[0]
    },
    EdgeSet {
        seventh: Some(Edge::Fr),
        ..SIX[1]
    },
];

impl fmt::Display for EdgeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.edges().map(|edge| edge.to_string()).collect();
        f.write_str(&names.join(" "))
    }
}

/// Placement and flips of the edges of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges {
    triples: [Triple; 2],
    /// The slot of the seventh in the low four bits, its flip above; zero where there are only six.
    seventh: u8,
}

impl Edges {
    /// Their flips, one bit each.
    #[inline(always)]
    fn flips(self) -> usize {
        self.triples[0].flips() | self.triples[1].flips() << 3 | usize::from(self.seventh >> 4) << 6
    }

    /// Returns the edges after a move. The seventh is moved even if there is none;
    /// [`EdgeSet::index`] ignores it.
    #[inline(always)]
    pub fn turned(self, tables: &EdgeTables, m: Move) -> Edges {
        Edges {
            triples: self.triples.map(|triple| triple.turned(tables, m)),
            seventh: tables.singles[usize::from(self.seventh & 15)][m.index()]
                ^ (self.seventh & 16),
        }
    }
}

/// The pattern database of a set of edges.
#[derive(Clone, Copy, Debug)]
pub struct EdgeDatabase {
    /// The edges.
    pub set: EdgeSet,
    /// The metric of its distances.
    pub metric: Metric,
    /// Their storage.
    pub storage: DistanceStorage,
}

impl PayloadKind for EdgeDatabase {
    fn name(&self) -> String {
        format!(
            "korf-edges-{}-{}{}",
            self.set.to_string().to_lowercase().replace(' ', "-"),
            self.metric,
            self.storage.suffix()
        )
    }

    fn bytes(&self) -> u64 {
        self.storage.bytes(self.set.entries())
    }

    fn numbering(&self) -> u64 {
        numbering(|position| self.set.index(EdgeTables::get(), self.set.of(position)) as u64)
    }
}

impl LabTable for EdgeDatabase {
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError> {
        let space = EdgeSpace::new(self.set);
        self.storage.generate(&space, self.metric, control)
    }
}

/// Placements are the rows, flips the columns.
struct EdgeSpace {
    set: EdgeSet,
    tables: &'static EdgeTables,
    /// The edges of each placement, unflipped.
    rows: Vec<Edges>,
}

impl EdgeSpace {
    fn new(set: EdgeSet) -> EdgeSpace {
        let edges = |row: usize| {
            let slots = slots_of(row as u32, set.size());
            let triple = |first: usize| Triple::at([0, 1, 2].map(|i| (slots[first + i], 0)));
            Edges {
                triples: [triple(0), triple(3)],
                seventh: slots.get(6).copied().unwrap_or(0),
            }
        };
        EdgeSpace {
            set,
            tables: EdgeTables::get(),
            rows: (0..set.placements()).map(edges).collect(),
        }
    }
}

impl Space for EdgeSpace {
    fn rows(&self) -> usize {
        self.set.placements()
    }

    fn columns(&self) -> usize {
        self.set.flips()
    }

    fn start(&self) -> (usize, usize) {
        let solved = self.set.of(&Cube::SOLVED);
        (self.set.row(self.tables, solved), 0)
    }

    fn turned(&self, row: usize, m: Move) -> (usize, impl Fn(usize) -> usize) {
        let turned = self.rows[row].turned(self.tables, m);
        let flips = turned.flips() % self.set.flips();
        (self.set.row(self.tables, turned), move |column| {
            column ^ flips
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn placements_of_six_are_numbered_by_tables_as_by_definition() {
        let tables = EdgeTables::get();
        for placement in 0..(PLACEMENTS * SECOND_PLACEMENTS) as u32 {
            let slots = slots_of(placement, 6);
            assert_eq!(number(&slots, 12), placement);
            let [first, second] = [0, 3].map(|i| Triple::at([0, 1, 2].map(|j| (slots[i + j], 0))));
            assert_eq!(tables.placement_of_six(first, second), placement as usize);
        }
    }

    fn sets() -> [EdgeSet; 2] {
        use Edge::*;
        [&[Fr, Uf, Dl, Ub, Dr, Bl][..], &[Fr, Uf, Dl, Ub, Dr, Bl, Ul]]
            .map(|edges| EdgeSet::new(edges).expect("a set"))
    }

    #[test]
    fn a_set_has_six_or_seven_different_edges() {
        assert_eq!(EdgeSet::new(&Edge::ALL[..5]), None);
        assert_eq!(EdgeSet::new(&Edge::ALL[..8]), None);
        assert_eq!(EdgeSet::new(&[Edge::Ur; 6]), None);
        assert_eq!(sets().map(|set| set.entries()), [42_577_920, 510_935_040]);
        assert_eq!(sets()[1].to_string(), "FR UF DL UB DR BL UL");
    }

    #[test]
    fn edges_move_as_positions_do_and_as_their_space_does() {
        let tables = EdgeTables::get();
        for set in sets() {
            let space = EdgeSpace::new(set);
            for position in random_positions(3).take(1000) {
                let edges = set.of(&position);
                let index = set.index(tables, set.of(&position));
                assert!(index < set.entries());
                for m in Move::ALL {
                    let image = set.index(tables, set.of(&position.apply(m)));
                    assert_eq!(set.index(tables, edges.turned(tables, m)), image);
                    let (row, image_of) = space.turned(index / set.flips(), m);
                    assert_eq!(row * set.flips() + image_of(index % set.flips()), image);
                }
            }
        }
    }
}
