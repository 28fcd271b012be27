//! The lower bound: the largest of the distances along three axes.
//!
//! Three equal distances x, x, x other than zero prove x + 1. Say the last move of a shortest
//! solution turns a face of some axis. The target subgroup of that axis contains the move, so the
//! position before it lies in that subgroup already, and the distance along that axis is less than
//! the length of the solution. This holds in both metrics.
//!
//! # A node of the search: the cosets of a position along three axes, as classes with symmetries
//!
//! A rotation of order three carries the axis of U and D to that of R and L, and again to that of F
//! and B. The position and its two conjugates are seen along one axis each, and looked up in one
//! table.
//!
//! A view is the class of its slots and flips, the symmetry s that brings them to the
//! representative, and the twist. After a move m the slots and flips of the representative are
//! turned by the conjugate of m, so that one row of a table, a line of 64 bytes, holds what all
//! moves of a node lead to:
//!
//! ```text
//! (class, s)·m = (class′, s·t)        where the representative, turned by s⁻¹·m·s, is brought to that of class′ by t
//! ```
//!
//! Variants that did not pay, in million nodes per second of one thread, half-turn metric,
//! threshold 14 of the position of Nargolkar's appendix B. The four were measured with an earlier
//! loop and while other work was running, so only their order is meaningful; the experiment `speed`
//! has the current speed of the search.
//!
//! | nodes | million a second |
//! |---|---|
//! | classes with symmetries, the children of a node looked up together (kept) | 12 to 23 |
//! | slots and flips turned in small tables, the class looked up among 1,013,760 raw coordinates | 12 to 19 |
//! | raw coordinates turned by a table of 73 MB | 8 to 22 |
//! | small tables, one child looked up after the other | 6.5 to 9.4 |
//!
//! The rows of the classes of a node, and with move sets its entries, are prefetched a batch ahead.
//! No. 10 of Korf's ten, thresholds 14 to 16, one thread of two shared cores of a Zen 5, in million
//! nodes a second of processor time: 37 became 280 with move sets, 10 became 19 with four bits.
//!
//! # The other way to store the distances: modulo three, in two bits each
//!
//! Neighbors differ by one at most, so the distance of a child follows from that of its parent and
//! the entry modulo three. The distance of the first position is rebuilt by descent: as long as the
//! target is not reached there is a neighbor whose entry is one less modulo three, and it is one
//! nearer.
//!
//! ```text
//! distance(coset) = 0 if it is the target, else 1 + distance(a neighbor whose entry is one less modulo three)
//! ```
//!
//! In the quarter-turn metric a half turn may change a distance by two. It is followed as two
//! quarter turns, with an access to the table for each.

use super::coset::{AXIS_SYMMETRIES, CosetClasses, Maps, ReidCoset, TWISTS, axis_symmetries};
use crate::bound_table::BoundTable;
use crate::ida::{IdaNode, LowerBound};
use crate::packed::ModThree;
use crate::space::generators;
use cosette::cube::{Cube, Face, Metric, Move, MoveSet, Symmetry, Turn};
use cosette::table::TableMemory;
use std::sync::LazyLock;

/// The bound that the distances along the three axes prove; `raises_equal` is `true` if three
/// equal ones count as one more.
#[inline(always)]
fn proven([a, b, c]: [u8; 3], raises_equal: bool) -> u8 {
    a.max(b).max(c) + u8::from(raises_equal && a == b && b == c && a > 0)
}

/// The data of a node of [`CosetBound`].
#[derive(Clone, Copy, Debug)]
pub struct ReidNode {
    /// Its views along the three axes.
    views: Views,
    /// Their entries.
    entries: [u32; 3],
    /// The axes in the order in which they prune.
    axes: [u8; 3],
}

impl ReidNode {
    /// The axis that prunes first (0), second (1) or last (2).
    #[inline(always)]
    fn axis(&self, nth: usize) -> usize {
        self.axes[nth].into()
    }
}

/// The lower bound read from distances in four bits or with move sets.
pub struct CosetBound {
    lookup: &'static ViewTables,
    table: BoundTable,
    pub(super) raises_equal: bool,
}

impl CosetBound {
    /// Creates the bound with this table; `raises_equal` is `true` if three equal distances count
    /// as one more.
    pub fn new(table: BoundTable, raises_equal: bool) -> CosetBound {
        CosetBound {
            lookup: ViewTables::get(),
            table,
            raises_equal,
        }
    }

    /// Returns the distance of an entry of the table.
    pub(super) fn distance(&self, entry: usize) -> u8 {
        self.table.get(entry)
    }

    /// Returns the distances along the three axes.
    #[inline(always)]
    pub fn distances(&self, node: &ReidNode) -> [u8; 3] {
        node.entries.map(|entry| self.table.get(entry as usize))
    }

    #[inline(always)]
    fn node_of(&self, views: Views) -> ReidNode {
        let entry = |axis: usize| self.lookup.entry(views[axis]) as u32;
        let mut node = ReidNode {
            views,
            entries: [entry(0), entry(1), entry(2)],
            axes: [0, 1, 2],
        };
        // Where the entries of all children are read, the largest distance prunes most.
        if let BoundTable::FourBits(_) = self.table {
            let distances = self.distances(&node);
            node.axes
                .sort_unstable_by_key(|&axis| std::cmp::Reverse(distances[usize::from(axis)]));
        }
        node
    }
}

impl LowerBound for CosetBound {
    type Node = ReidNode;

    fn node(&self, position: &Cube) -> ReidNode {
        self.node_of(self.lookup.views(position))
    }

    #[inline(always)]
    fn turned(&self, node: &ReidNode, m: Move) -> ReidNode {
        self.node_of(self.lookup.turned(&node.views, m))
    }

    #[inline(always)]
    fn bound(&self, node: &ReidNode, _remaining: u8, probes: &mut u64) -> u8 {
        *probes += 3;
        proven(self.distances(node), self.raises_equal)
    }

    #[inline(always)]
    fn prefetch(&self, node: &ReidNode) {
        for axis in 0..3 {
            self.table.prefetch(node.entries[axis] as usize);
            self.lookup.prefetch(node.views[axis]);
        }
    }

    /// Looks up distances axis by axis for all moves of all surviving nodes: no read waits for the
    /// one before.
    fn prune(&self, nodes: &mut [IdaNode<ReidNode>], metric: Metric, probes: &mut u64) {
        for nth in 0..3 {
            self.table.prune(
                nodes,
                metric,
                |node| node.entries[node.axis(nth)] as usize,
                |node, m| {
                    let view = self.lookup.view_turned(&node.views, node.axis(nth), m);
                    self.lookup.entry(view)
                },
                |node, moves| {
                    let axis = node.axis(nth);
                    self.lookup.carried(node.views[axis], axis, moves)
                },
                probes,
            );
        }
        if self.raises_equal {
            for open in nodes {
                let node = open.node;
                let remaining = open.remaining;
                let bound = |m| proven(self.distances(&self.turned(&node, m)), true);
                open.moves = open
                    .moves
                    .filter(|m| bound(m) <= remaining - metric.cost(m));
            }
        }
    }
}

/// A coset, as its class, the symmetry that carries it to the representative, and its twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReidView {
    class: u16,
    twist: u16,
    symmetry: u8,
}

/// A position seen along the three axes.
pub type Views = [ReidView; 3];

/// Number of moves that are carried together.
const SIX_MOVES: usize = 6;

/// Number of bytes of a class in [`ViewTables::turned`], the length of a line of memory, and of a
/// move there.
const CLASS_BYTES: usize = 64;
const TURN_BYTES: usize = 3;

/// The tables to turn views and to find their entries.
pub struct ViewTables {
    maps: &'static Maps,
    /// For each class and move: 16 · class + symmetry of the representative turned, in three bytes,
    /// so that the eighteen of a class lie in one line of memory.
    turned: TableMemory,
    /// The views' rotations.
    pub(super) rotations: [Symmetry; 3],
    /// Each move in the frame of each axis, conjugated by each symmetry.
    conjugated: [[[Move; Move::COUNT]; AXIS_SYMMETRIES]; 3],
    /// Each set of moves of the representative in the frame of the position: for each axis and
    /// symmetry, six moves at a time.
    carried: [[[[u32; 1 << SIX_MOVES]; Move::COUNT / SIX_MOVES]; AXIS_SYMMETRIES]; 3],
    /// Products of the symmetries.
    then: [[u8; AXIS_SYMMETRIES]; AXIS_SYMMETRIES],
}

impl ViewTables {
    /// The tables; computed at the first call, in about a tenth of a second.
    pub fn get() -> &'static ViewTables {
        static LOOKUP: LazyLock<ViewTables> = LazyLock::new(ViewTables::compute);
        &LOOKUP
    }

    fn compute() -> ViewTables {
        let maps = Maps::get();
        let classes = CosetClasses::get();
        let third = Symmetry::all()
            .find(|s| {
                s.face(Face::U) == Face::R
                    && s.face(Face::R) == Face::F
                    && s.face(Face::F) == Face::U
            })
            .expect("there is a rotation about the corner URF");
        let rotations = [Symmetry::IDENTITY, third, third.then(third)];
        let sixteen: [Symmetry; AXIS_SYMMETRIES] =
            axis_symmetries().try_into().expect("there are sixteen");
        let number = |s: Symmetry| {
            sixteen
                .iter()
                .position(|&other| other == s)
                .expect("the sixteen are a group")
        };
        let bytes = CosetClasses::COUNT * CLASS_BYTES;
        let mut turned = TableMemory::zeroed(bytes as u64).expect("four megabytes are free");
        for (class, row) in turned.chunks_mut(CLASS_BYTES).enumerate() {
            for (m, bytes) in Move::ALL.into_iter().zip(row.chunks_mut(TURN_BYTES)) {
                let (class, s) = classes.turned(maps, class, m);
                let number = (class * AXIS_SYMMETRIES + s) as u32;
                bytes.copy_from_slice(&number.to_le_bytes()[..TURN_BYTES]);
            }
        }
        let conjugated = rotations
            .map(|rotation| sixteen.map(|s| Move::ALL.map(|m| rotation.then(s).conjugate_move(m))));
        ViewTables {
            maps,
            turned,
            rotations,
            conjugated,
            carried: conjugated.map(|of_axis| {
                of_axis.map(|conjugated| {
                    std::array::from_fn(|part| {
                        std::array::from_fn(|six| {
                            let set = MoveSet::from_bits((six << (part * SIX_MOVES)) as u32);
                            let of_position = |&m: &Move| set.contains(conjugated[m.index()]);
                            Move::ALL
                                .into_iter()
                                .filter(of_position)
                                .map(|m| 1 << m.index())
                                .sum()
                        })
                    })
                })
            }),
            then: sixteen.map(|s| sixteen.map(|t| number(s.then(t)) as u8)),
        }
    }

    /// The three views of a position.
    pub fn views(&self, position: &Cube) -> Views {
        self.rotations.map(|rotation| {
            let coset = ReidCoset::of(&position.conjugate(rotation));
            let (class, s) = CosetClasses::get().of(coset.raw());
            ReidView {
                class: class as u16,
                twist: coset.twist,
                symmetry: s as u8,
            }
        })
    }

    /// The views after a move.
    #[inline(always)]
    pub fn turned(&self, views: &Views, m: Move) -> Views {
        [
            self.view_turned(views, 0, m),
            self.view_turned(views, 1, m),
            self.view_turned(views, 2, m),
        ]
    }

    /// The view along one axis after a move.
    #[inline(always)]
    pub fn view_turned(&self, views: &Views, axis: usize, m: Move) -> ReidView {
        let ReidView {
            class,
            twist,
            symmetry,
        } = views[axis];
        let s = usize::from(symmetry) % AXIS_SYMMETRIES;
        let of_representative = self.conjugated[axis][s][m.index()];
        let turned = self.class_turned(class, of_representative);
        ReidView {
            class: (turned / AXIS_SYMMETRIES) as u16,
            twist: self.maps.twists_turned[usize::from(twist)]
                [self.conjugated[axis][0][m.index()].index()],
            symmetry: self.then[s][turned % AXIS_SYMMETRIES],
        }
    }

    /// 16 · class + symmetry of the representative of a class after a move.
    #[inline(always)]
    fn class_turned(&self, class: u16, m: Move) -> usize {
        let at = usize::from(class) * CLASS_BYTES + m.index() * TURN_BYTES;
        let word = self.turned[at..][..size_of::<u32>()].try_into();
        let word = u32::from_le_bytes(word.expect("four bytes"));
        word as usize % (1 << (8 * TURN_BYTES))
    }

    /// Prefetches what [`view_turned`](Self::view_turned) reads of the class of a view.
    #[inline(always)]
    fn prefetch(&self, view: ReidView) {
        self.turned.prefetch(usize::from(view.class) * CLASS_BYTES);
    }

    /// The moves of the position that are these of the representative of its view along an axis.
    #[inline(always)]
    fn carried(&self, view: ReidView, axis: usize, moves: MoveSet) -> MoveSet {
        let carried = &self.carried[axis][usize::from(view.symmetry) % AXIS_SYMMETRIES];
        let six = |part: usize| carried[part][(moves.bits() >> (part * SIX_MOVES)) as usize % 64];
        MoveSet::from_bits(six(0) | six(1) | six(2))
    }

    /// The entry of a view in a table of all cosets.
    #[inline(always)]
    pub fn entry(&self, view: ReidView) -> usize {
        let twists = &self.maps.twists_conjugated[usize::from(view.symmetry)];
        usize::from(view.class) * TWISTS + usize::from(twists[usize::from(view.twist)])
    }
}

/// The data of a node of [`ModThreeBound`].
#[derive(Clone, Copy, Debug)]
pub struct ModThreeNode {
    /// Its views along the three axes.
    views: Views,
    /// Their distances.
    pub distances: [u8; 3],
    /// Number of table accesses for these distances.
    probes: u8,
}

/// The lower bound read from distances modulo three.
pub struct ModThreeBound {
    lookup: &'static ViewTables,
    table: ModThree,
    metric: Metric,
    raises_equal: bool,
}

impl ModThreeBound {
    /// Creates the bound with this table, which is that of `metric`; `raises_equal` is `true` if
    /// three equal distances count as one more.
    pub fn new(table: ModThree, metric: Metric, raises_equal: bool) -> ModThreeBound {
        ModThreeBound {
            lookup: ViewTables::get(),
            table,
            metric,
            raises_equal,
        }
    }

    fn at(&self, view: ReidView) -> u8 {
        self.table.get(self.lookup.entry(view))
    }

    /// The distance of the view along an axis, by descent to the target.
    fn descend(&self, mut views: Views, axis: usize) -> u8 {
        let target = self.lookup.entry(self.lookup.views(&Cube::SOLVED)[axis]);
        let mut distance = 0;
        while self.lookup.entry(views[axis]) != target {
            let nearer = (self.at(views[axis]) + 2) % 3;
            let after = |m: Move| self.lookup.view_turned(&views, axis, m);
            let next = generators(self.metric)
                .into_iter()
                .map(after)
                .find(|&view| self.at(view) == nearer);
            views[axis] =
                next.expect("a coset other than the target has a neighbor that is nearer");
            distance += 1;
        }
        distance
    }

    /// The node after a move that costs one.
    #[inline(always)]
    fn beside(&self, node: &ModThreeNode, m: Move) -> ModThreeNode {
        let views = self.lookup.turned(&node.views, m);
        let distance = |axis: usize| {
            self.table
                .beside(node.distances[axis], self.lookup.entry(views[axis]))
        };
        ModThreeNode {
            views,
            distances: [distance(0), distance(1), distance(2)],
            probes: 3,
        }
    }
}

impl LowerBound for ModThreeBound {
    type Node = ModThreeNode;

    fn node(&self, position: &Cube) -> ModThreeNode {
        let views = self.lookup.views(position);
        ModThreeNode {
            views,
            distances: [0, 1, 2].map(|axis| self.descend(views, axis)),
            probes: 3,
        }
    }

    #[inline(always)]
    fn turned(&self, node: &ModThreeNode, m: Move) -> ModThreeNode {
        if self.metric.cost(m) == 1 {
            return self.beside(node, m);
        }
        let quarter = Move::new(m.face(), Turn::Clockwise);
        ModThreeNode {
            probes: 6,
            ..self.beside(&self.beside(node, quarter), quarter)
        }
    }

    #[inline(always)]
    fn bound(&self, node: &ModThreeNode, _remaining: u8, probes: &mut u64) -> u8 {
        *probes += u64::from(node.probes);
        proven(node.distances, self.raises_equal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reid::table;
    use cosette::cube::random_positions;

    #[test]
    fn views_turn_as_positions_do() {
        let lookup = ViewTables::get();
        // With a stabilizer, the places of one entry count as the first of them.
        let first_twin = |entry: usize| {
            let class = entry / TWISTS;
            let twist = entry % TWISTS;
            let twins = CosetClasses::get()
                .stabilizer(class)
                .map(|s| Maps::get().twists_conjugated[s][twist]);
            (class, twins.min())
        };
        let entry = |coset| first_twin(table::entry(Maps::get(), CosetClasses::get(), coset));
        let entries = |views: Views| views.map(|view| first_twin(lookup.entry(view)));
        for position in random_positions(2).take(100) {
            let views = lookup.views(&position);
            for m in Move::ALL {
                let after = position.apply(m);
                let cosets = lookup
                    .rotations
                    .map(|rotation| ReidCoset::of(&after.conjugate(rotation)));
                assert_eq!(
                    entries(lookup.turned(&views, m)),
                    entries(lookup.views(&after))
                );
                assert_eq!(entries(lookup.turned(&views, m)), cosets.map(entry));
            }
        }
    }
}
