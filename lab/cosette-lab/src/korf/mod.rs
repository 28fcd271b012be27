//! Korf 1997: optimal solutions with pattern databases.
//!
//! R. E. Korf, "Finding optimal solutions to Rubik's Cube using pattern databases", AAAI 1997.
//! Ignore all cubies except some, and solve those: the minimum number of moves is a lower bound for
//! the whole cube. A *pattern database* holds that number for every arrangement of the chosen
//! cubies. The paper has three, at four bits an entry:
//!
//! | cubies | entries | bytes |
//! |---|---|---|
//! | the eight corners | 8! · 3⁷ = 88,179,840 | 44,089,920 |
//! | six edges, twice | 12·11·10·9·8·7 · 2⁶ = 42,577,920 | 21,288,960 |
//! | seven edges, as the option | 510,935,040 | 255,467,520 |
//!
//! Moves of cubies outside the set still count, so the values must not be added; the bound is their
//! maximum, and IDA* searches with it.
//!
//! # The solver: IDA* with the maximum of the pattern databases (Korf 1997, "Experimental results")
//!
//! ```text
//! for threshold = bound of the position, …
//!     search depth first along canonical sequences; nodes whose depth and bound exceed the threshold are cut
//! ```
//!
//! Departures: 1. All threads search ([`crate::ida`]). 2. All shortest solutions are found on
//! request.
//!
//! # The maximum of the pattern databases as a bound of IDA*
//!
//! ```text
//! prune(nodes):                                              with four bits an entry
//!     for each node and move: read the corners of the child, drop the move if they are too far
//!     for each set of edges
//!         for each node and move that is left: read the edges of the child, drop the move if they are too far
//! prune(nodes):                                              with move sets
//!     for each database and node: read the entry of the node, drop the moves whose children it cuts
//! ```
//!
//! A database does not fit the cache, so nearly all time is spent waiting for memory: 200 ns for an
//! entry, 8 ns if many are requested at once. The loops never branch on what they read, so the
//! processor runs ahead and waits for many entries at once. With four bits the corners come first:
//! they prune most, and 1.37 databases are read per node. With move sets the entries of a node are
//! known before it is expanded, so they are prefetched while other nodes are.
//!
//! Million nodes a second of processor time, one thread, No. 10 of the paper's ten, threshold 14,
//! two shared cores of a Zen 5:
//!
//! | move sets | million |
//! |---|---|
//! | no prefetching, the permutations of the corners in one move table of 1.5 MB | 70 |
//! | a path of 16 bytes in a node instead of 32, the index of each node computed once | 120 |
//! | the permutations and the second triples in tables of at most 60 KB | 135 |
//! | batches of 16 nodes, the first line of each entry prefetched a batch ahead | 250 |
//! | both lines of an entry prefetched (kept) | 360 in a small program, 285 here |
//! | batches of 8, 32 or 64 nodes | within 5 % |
//! | entries of 64 bits, in 1.4 GB instead of 0.9 | 320 |
//! | twelve entries to a line of 64 bytes | 300 |
//! | entries prefetched when a node is pushed: many leave the cache before it is popped | 170 |
//!
//! | four bits, depth 14 of four random positions, two cores of a Zen 4 | million |
//! |---|---|
//! | node by node, all corners of its children read, then the edges until one set is too far | 16–17 (depth 13) |
//! | batches of **16** nodes, database by database | 25–27 |
//! | batches of 32 | 24 |
//! | batches of 64 | 22–25 |

pub mod corners;
pub mod edges;
pub mod experiments;
pub mod instances;

pub use edges::{SEVEN, SIX};
pub use experiments::{databases, formula, law, speed};
pub use instances::instances;

use crate::bound_table::{BoundTable, DistanceStorage};
use crate::error::LabError;
use crate::ida::{Ida, IdaEngine, IdaNode, LowerBound};
use crate::lab::{Lab, LabTable};
use crate::packed::{DistanceCounts, PackedDistances};
use corners::{CornerSpace, CornerTransitions, Corners};
use cosette::Control;
use cosette::block_file::{PayloadKind, numbering};
use cosette::cube::{Cube, Metric, Move};
use edges::{EdgeSet, EdgeSpace, EdgeTables, Edges};
use std::iter;

/// The pattern database of the corners, or of a set of edges.
#[derive(Clone, Copy, Debug)]
pub struct KorfDatabase {
    /// The edges; `None` for the corners.
    pub edges: Option<EdgeSet>,
    /// The metric of its distances.
    pub metric: Metric,
    /// Their storage.
    pub storage: DistanceStorage,
}

impl KorfDatabase {
    /// Returns the number of entries.
    fn entries(&self) -> usize {
        self.edges.map_or(Corners::COUNT, |set| set.entries())
    }
}

impl PayloadKind for KorfDatabase {
    fn name(&self) -> String {
        let cubies = match self.edges {
            None => "corners-2".to_owned(),
            Some(set) => format!("edges-2-{set}").to_lowercase().replace(' ', "-"),
        };
        format!("korf-{cubies}-{}{}", self.metric, self.storage.suffix())
    }

    fn bytes(&self) -> u64 {
        self.storage.bytes(self.entries())
    }

    fn numbering(&self) -> u64 {
        numbering(|position| match self.edges {
            None => Corners::of(position).index() as u64,
            Some(set) => set.index(EdgeTables::get(), set.of(position)) as u64,
        })
    }
}

impl LabTable for KorfDatabase {
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError> {
        let KorfDatabase {
            edges,
            metric,
            storage,
        } = *self;
        match edges {
            None => storage.generate(&CornerSpace(CornerTransitions::get()), metric, control),
            Some(set) => storage.generate(&EdgeSpace::new(set), metric, control),
        }
    }
}

/// The paper's databases: the corners, two sets of six edges, and as the option two of seven; in
/// four bits, and with move sets.
pub fn tables() -> Vec<Box<dyn LabTable>> {
    let sets = [SIX, SEVEN].concat().into_iter().map(Some);
    let cubies: Vec<Option<EdgeSet>> = iter::once(None).chain(sets).collect();
    let stored = |storage| {
        let table = move |&edges: &Option<EdgeSet>| KorfDatabase {
            edges,
            metric: Metric::Htm,
            storage,
        };
        let tables = cubies.iter().map(table);
        tables.map(|table| Box::new(table) as Box<dyn LabTable>)
    };
    let storages = [DistanceStorage::FourBits, DistanceStorage::MoveSets];
    storages.into_iter().flat_map(stored).collect()
}

/// Returns the total number of entries of the corners and of these sets of edges.
pub fn entries(sets: &[EdgeSet]) -> usize {
    Corners::COUNT + sets.iter().map(EdgeSet::entries).sum::<usize>()
}

/// Maximum number of sets of edges with databases.
pub const MAX_SETS: usize = 2;

/// Korf's solver: the pattern databases of the corners and of up to two sets of edges.
pub struct Korf {
    corner_moves: &'static CornerTransitions,
    corners: BoundTable,
    edge_tables: &'static EdgeTables,
    edges: Vec<(EdgeSet, BoundTable)>,
    storage: DistanceStorage,
}

/// The data of a node: the coordinates of its corners and of its sets of edges.
#[derive(Clone, Copy, Debug)]
pub struct KorfNode {
    corners: Corners,
    edges: [Edges; MAX_SETS],
    /// Their indices: of the corners, then of each set of edges.
    entries: [u32; 1 + MAX_SETS],
}

impl Korf {
    /// Creates the solver with the databases of the corners and of these sets of edges, in four
    /// bits and the half-turn metric, from their files or generated: [`SIX`], [`SEVEN`], any
    /// others, or none.
    ///
    /// # Panics
    /// Panics if there are more sets than [`MAX_SETS`].
    pub fn new(lab: &Lab<'_>, sets: &[EdgeSet]) -> Result<Korf, LabError> {
        Korf::with_storage(lab, sets, DistanceStorage::FourBits)
    }

    /// Creates the solver with the databases stored so, in four bits or with move sets.
    ///
    /// # Panics
    /// Panics if there are more sets than [`MAX_SETS`].
    pub fn with_storage(
        lab: &Lab<'_>,
        sets: &[EdgeSet],
        storage: DistanceStorage,
    ) -> Result<Korf, LabError> {
        assert!(sets.len() <= MAX_SETS, "{} sets of edges", sets.len());
        let table = |edges| -> Result<BoundTable, LabError> {
            let database = KorfDatabase {
                edges,
                metric: Metric::Htm,
                storage,
            };
            Ok(BoundTable::new(storage, lab.table(&database)?))
        };
        let edges = sets.iter().map(|&set| Ok((set, table(Some(set))?)));
        Ok(Korf {
            corner_moves: CornerTransitions::get(),
            corners: table(None)?,
            edge_tables: EdgeTables::get(),
            edges: edges.collect::<Result<_, LabError>>()?,
            storage,
        })
    }

    /// Returns the total number of entries.
    pub fn entries(&self) -> usize {
        entries(&self.sets().collect::<Vec<_>>())
    }

    /// Returns the total number of bytes.
    pub fn bytes(&self) -> u64 {
        let edges = self.sets().map(|set| self.storage.bytes(set.entries()));
        self.storage.bytes(Corners::COUNT) + edges.sum::<u64>()
    }

    /// The sets of edges.
    pub fn sets(&self) -> impl Iterator<Item = EdgeSet> {
        self.edges.iter().map(|&(set, _)| set)
    }

    /// The distributions of the values: of the corners, then of each set of edges.
    pub fn counts(&self) -> impl Iterator<Item = &DistanceCounts> {
        self.databases().map(BoundTable::counts)
    }

    /// The values of a position: of the corners, then of each set of edges.
    pub fn values(&self, position: &Cube) -> impl Iterator<Item = u8> {
        let entries = self.node(position).entries;
        let tables = self.databases().zip(entries);
        tables.map(|(table, entry)| table.get(entry as usize))
    }

    /// The databases: of the corners, then of each set of edges.
    #[inline(always)]
    fn databases(&self) -> impl Iterator<Item = &BoundTable> {
        iter::once(&self.corners).chain(self.edges.iter().map(|(_, table)| table))
    }

    /// The node with these coordinates.
    #[inline(always)]
    fn indexed(&self, corners: Corners, edges: [Edges; MAX_SETS]) -> KorfNode {
        let mut entries = [corners.index() as u32, 0, 0];
        for (i, (set, _)) in self.edges.iter().enumerate() {
            entries[1 + i] = set.index(self.edge_tables, edges[i]) as u32;
        }
        KorfNode {
            corners,
            edges,
            entries,
        }
    }
}

impl Korf {
    /// Returns the search with this bound.
    pub fn ida(&self) -> Ida<'_, Korf> {
        Ida {
            bound: self,
            metric: Metric::Htm,
        }
    }
}

impl LowerBound for Korf {
    type Node = KorfNode;

    fn node(&self, position: &Cube) -> KorfNode {
        let unused = SIX[0].of(position);
        let mut edges = [unused; MAX_SETS];
        for (edges, (set, _)) in edges.iter_mut().zip(&self.edges) {
            *edges = set.of(position);
        }
        self.indexed(Corners::of(position), edges)
    }

    #[inline(always)]
    fn turned(&self, node: &KorfNode, m: Move) -> KorfNode {
        let [first, second] = node.edges;
        self.indexed(
            node.corners.turned(self.corner_moves, m),
            [
                first.turned(self.edge_tables, m),
                second.turned(self.edge_tables, m),
            ],
        )
    }

    #[inline(always)]
    fn bound(&self, node: &KorfNode, remaining: u8, probes: &mut u64) -> u8 {
        let mut bound = 0;
        for (table, entry) in self.databases().zip(node.entries) {
            *probes += 1;
            bound = bound.max(table.get(entry as usize));
            if bound > remaining {
                break;
            }
        }
        bound
    }

    #[inline(always)]
    fn prefetch(&self, node: &KorfNode) {
        self.corners.prefetch(node.entries[0] as usize);
        for (i, (_, table)) in self.edges.iter().enumerate() {
            table.prefetch(node.entries[1 + i] as usize);
        }
    }

    fn prune(&self, nodes: &mut [IdaNode<KorfNode>], metric: Metric, probes: &mut u64) {
        debug_assert_eq!(metric, Metric::Htm);
        self.corners.prune(
            nodes,
            metric,
            |node| node.entries[0] as usize,
            |node, m| node.corners.turned(self.corner_moves, m).index(),
            |_, own| own,
            probes,
        );
        for (i, (set, table)) in self.edges.iter().enumerate() {
            let child = |node: &KorfNode, m| node.edges[i].turned(self.edge_tables, m);
            table.prune(
                nodes,
                metric,
                |node| node.entries[1 + i] as usize,
                |node, m| set.index(self.edge_tables, child(node, m)),
                |_, own| own,
                probes,
            );
        }
    }
}

impl IdaEngine for Korf {
    type Bound = Korf;

    fn name(&self) -> &'static str {
        "korf"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        let name = self.sets().fold("korf 8".to_owned(), |name, set| {
            format!("{name}+{}", set.size())
        });
        match self.storage {
            DistanceStorage::MoveSets => format!("{name} with move sets"),
            _ => name,
        }
    }

    fn lower_bound(&self) -> &Korf {
        self
    }

    fn bound_name(&self) -> String {
        let sets = self.sets().map(|set| format!("; {set}"));
        format!("corners{}", sets.collect::<String>())
    }
}
