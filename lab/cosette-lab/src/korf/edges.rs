//! Three edges: the piece from which the coordinates of six and seven are put together.
//!
//! Three edges have 12·11·10 = 1,320 placements, each with 8 flips. The images of the placements
//! under the moves are a table of 47 KB, the same for any three edges, since only slots matter; and
//! a move flips some of the three, whatever their flips were.
//!
//! Six edges are two triples. The second occupies slots that the first leaves free, with 84 sets of
//! three slots, which a table of 48 KB numbers, and 6 orders. So the index of six edges takes two
//! small tables, which stay in the processor's cache while databases are read, instead of a move
//! table of all 665,280 placements (48 MB).
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

use crate::pattern::{Pattern, Placements};
use crate::space::Space;
use cosette::cube::{Cube, Edge, Move};
use std::fmt;
use std::sync::LazyLock;

/// Number of placements of three edges: 12·11·10.
pub const PLACEMENTS: usize = 1_320;
/// Number of placements of a second triple for each placement of the first one: 9·8·7.
pub const SECOND_PLACEMENTS: usize = 504;
/// Number of orders of three edges: 3!.
const ORDERS: usize = 6;
/// Number of sets of three slots: C(12,3).
const SETS: usize = PLACEMENTS / ORDERS;

/// The placement of three edges, in the low eleven bits, and their flips in the three bits above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triple(u16);

const PLACEMENT_BITS: u32 = 11;

impl Triple {
    /// Creates three edges in these slots with these flips.
    fn at(placements: &Placements, places: [(u8, u8); 3]) -> Triple {
        let placement = placements.number(&places.map(|place| place.0));
        let flips = places[0].1 | places[1].1 << 1 | places[2].1 << 2;
        Triple(placement as u16 | u16::from(flips) << PLACEMENT_BITS)
    }

    /// Returns the placement, 0 to 1,319.
    #[inline(always)]
    pub fn placement(self) -> usize {
        usize::from(self.0 & ((1 << PLACEMENT_BITS) - 1))
    }

    /// Returns the rank of the set of its slots, 0 to 219.
    #[inline(always)]
    fn set(self) -> usize {
        self.placement() / ORDERS
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

/// Move tables of triples and of single edges, and the joint numbering of two triples.
pub struct EdgeTables {
    placements: Placements,
    /// The placement a move leads to, and the edges it flips.
    moves: Vec<[Triple; Move::COUNT]>,
    /// For the set of the first triple, the rank of the set of the second, 0 to 83, among those
    /// that are free.
    seconds: Vec<[u8; SETS]>,
    /// For each slot, its image under each move, and `1` if the edge is flipped.
    singles: [[u8; Move::COUNT]; 16],
}

impl EdgeTables {
    /// The tables; computed at the first call, in a few milliseconds.
    pub fn get() -> &'static EdgeTables {
        static TABLES: LazyLock<EdgeTables> = LazyLock::new(EdgeTables::compute);
        &TABLES
    }

    fn compute() -> EdgeTables {
        let placements = Placements::new(3, 12);
        let edges = [Edge::Ur, Edge::Uf, Edge::Ul];
        let triple =
            |position: &Cube| Triple::at(&placements, edges.map(|edge| place_of(position, edge)));
        let moves = |position: &Cube| {
            let before = triple(position).0 & !((1 << PLACEMENT_BITS) - 1);
            Move::ALL.map(|m| Triple(triple(&position.apply(m)).0 ^ before))
        };
        let seconds = |first: &u16| {
            let mut free = 0;
            std::array::from_fn(|second| {
                let rank = free;
                free += u8::from(placements.sets()[second] & first == 0);
                rank
            })
        };
        let mut singles = [[0; Move::COUNT]; 16];
        for (slot, row) in singles[..12].iter_mut().enumerate() {
            *row = Move::ALL.map(|m| {
                let (slot, flip) = place_of(Cube::from_move(m), Edge::ALL[slot]);
                slot | flip << 4
            });
        }
        EdgeTables {
            moves: Pattern::new(|position| triple(position).placement() as u16)
                .positions
                .iter()
                .map(moves)
                .collect(),
            seconds: placements.sets().iter().map(seconds).collect(),
            singles,
            placements,
        }
    }

    /// The number of the placement of six edges, 0 to 665,279.
    #[inline(always)]
    pub fn placement_of_six(&self, first: Triple, second: Triple) -> usize {
        let set = usize::from(self.seconds[first.set()][second.set()]);
        first.placement() * SECOND_PLACEMENTS + set * ORDERS + second.placement() % ORDERS
    }

    /// The slots that two triples fill, one bit each.
    #[inline(always)]
    fn slots(&self, triples: [Triple; 2]) -> u16 {
        let sets = self.placements.sets();
        sets[triples[0].set()] | sets[triples[1].set()]
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
            triples: [[a, b, c], [d, e, f]]
                .map(|edges| Triple::at(&EdgeTables::get().placements, edges.map(place))),
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
        let taken = tables.slots([first, second]);
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

/// Placements are the rows, flips the columns.
pub(super) struct EdgeSpace {
    set: EdgeSet,
    tables: &'static EdgeTables,
    /// The edges of each placement, unflipped.
    rows: Vec<Edges>,
}

impl EdgeSpace {
    pub fn new(set: EdgeSet) -> EdgeSpace {
        let tables = EdgeTables::get();
        let placements = || (0..PLACEMENTS as u16).map(Triple);
        let set_of = |triple: Triple| tables.placements.sets()[triple.set()];
        let mut rows = Vec::new();
        for first in placements() {
            let is_free = |second: &Triple| set_of(*second) & set_of(first) == 0;
            for second in placements().filter(is_free) {
                let triples = [first, second];
                let slots = match set.seventh {
                    Some(_) => !tables.slots(triples) & 0xfff,
                    None => 1,
                };
                let seventh = (0..12).filter(|slot| slots >> slot & 1 == 1);
                rows.extend(seventh.map(|seventh| Edges { triples, seventh }));
            }
        }
        EdgeSpace { set, tables, rows }
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
    fn rows_are_the_placements_in_order() {
        for set in sets() {
            let space = EdgeSpace::new(set);
            assert_eq!(space.rows.len(), set.placements());
            let rows = space.rows.iter().map(|&edges| set.row(space.tables, edges));
            assert!(rows.eq(0..set.placements()));
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
