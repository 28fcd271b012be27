//! The tables of distances that searches read: packed distances, or distances with the moves that a
//! search may make.

use crate::error::LabError;
use crate::ida::IdaNode;
use crate::packed::{DistanceCounts, FourBits, ModThree, PackedDistances, count};
use crate::space::{self, Space};
use cosette::Control;
use cosette::cube::{Metric, Move, MoveSet};
use cosette::table::{TableMemory, available_memory};
use rayon::prelude::*;

/// The storage of the distances of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DistanceStorage {
    /// Modulo three, in two bits each.
    ModThree,
    /// In four bits each, as in the papers.
    FourBits,
    /// With the moves that lead nearer and those that lead no farther, in forty bits each.
    MoveSets,
}

impl DistanceStorage {
    /// Returns the storage for a long search with tables of this many entries in all: with move
    /// sets if they take at most half of the free memory, which is logged.
    pub fn for_long_search(metric: Metric, entries: usize) -> DistanceStorage {
        let needed = DistanceStorage::MoveSets.bytes(entries);
        let available = available_memory();
        let fits = metric == Metric::Htm && needed <= available / 2;
        let megabytes = |bytes: u64| bytes / 1_000_000;
        tracing::info!(
            "tables with move sets take {} of {} MB of free memory: {}",
            megabytes(needed),
            megabytes(available),
            if fits { "used" } else { "not used" }
        );
        if fits {
            DistanceStorage::MoveSets
        } else {
            DistanceStorage::FourBits
        }
    }

    /// Returns its name in tables of results.
    pub fn name(self) -> &'static str {
        match self {
            DistanceStorage::ModThree => "modulo three",
            DistanceStorage::FourBits => "four bits",
            DistanceStorage::MoveSets => "with move sets",
        }
    }

    /// Returns the end of the name of a table stored so.
    pub fn suffix(self) -> &'static str {
        match self {
            DistanceStorage::ModThree => "-mod3",
            DistanceStorage::FourBits => "",
            DistanceStorage::MoveSets => "-moves",
        }
    }

    /// Returns the number of bytes of this many entries.
    pub fn bytes(self, entries: usize) -> u64 {
        let bytes = match self {
            DistanceStorage::ModThree => ModThree::bytes(entries),
            DistanceStorage::FourBits => FourBits::bytes(entries),
            DistanceStorage::MoveSets => MoveSetTable::bytes(entries),
        };
        bytes as u64
    }

    /// Generates the distances of a space.
    ///
    /// # Panics
    /// Panics if move sets are requested in the quarter-turn metric, where a half turn may change a
    /// distance by two.
    pub fn generate<S: Space>(
        self,
        space: &S,
        metric: Metric,
        control: &Control<'_>,
    ) -> Result<PackedDistances, LabError> {
        let distances = space::distances(space, metric, control)?;
        match self {
            DistanceStorage::ModThree => ModThree::pack(&distances, control),
            DistanceStorage::FourBits => FourBits::pack(&distances, control),
            DistanceStorage::MoveSets => {
                assert_eq!(metric, Metric::Htm, "move sets are for moves that cost one");
                MoveSetTable::pack(space, &distances, control)
            }
        }
    }
}

/// A distance, with the moves that lead nearer and those that lead no farther.
///
/// # The moves that a search may make
///
/// A node with r moves left and the distance v is not cut by this distance if v ≤ r. Its children
/// have r − 1 moves left, and their distances are v − 1, v or v + 1, since each move costs one. So
/// a child is cut unless its distance is at most r − 1:
///
/// ```text
/// r = v         children at v − 1 are not cut: the moves that lead nearer
/// r = v + 1     children at v − 1 and v: the moves that lead no farther
/// r ≥ v + 2     all children, since v + 1 ≤ r − 1
/// r < v         none, since v − 1 > r − 1; only a first node can be so far
/// ```
///
/// The result is that of reading the distances of all children, so nodes, tests and solutions are
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceAndMoves(u64);

impl DistanceAndMoves {
    /// Number of bytes of an entry: four bits, and twice eighteen.
    const BYTES: usize = 5;
    const NEARER: usize = 4;
    const NO_FARTHER: usize = DistanceAndMoves::NEARER + Move::COUNT;

    /// Adds a move and the distance that it leads to.
    #[inline(always)]
    fn add(&mut self, m: Move, neighbor: u8) {
        let distance = self.distance();
        self.0 |= u64::from(neighbor < distance) << (DistanceAndMoves::NEARER + m.index())
            | u64::from(neighbor <= distance) << (DistanceAndMoves::NO_FARTHER + m.index());
    }

    /// Returns the distance.
    #[inline(always)]
    pub fn distance(self) -> u8 {
        self.0 as u8 % 16
    }

    /// Returns the moves after which a child is not cut, given the moves that are left before them;
    /// computed without a branch, so that the processor need not wait for the entry.
    #[inline(always)]
    pub fn moves_within(self, remaining: u8) -> MoveSet {
        let distance = self.distance();
        let set_if = |applies: bool, set: u64| u32::from(applies).wrapping_neg() & set as u32;
        MoveSet::from_bits(
            set_if(remaining == distance, self.0 >> DistanceAndMoves::NEARER)
                | set_if(
                    remaining == distance + 1,
                    self.0 >> DistanceAndMoves::NO_FARTHER,
                )
                | set_if(remaining > distance + 1, u64::MAX),
        )
    }
}

/// A table of distances with move sets.
#[derive(Debug)]
pub struct MoveSetTable(PackedDistances);

impl MoveSetTable {
    /// Number of bytes after the last entry, since entries are read as words.
    const PADDING: usize = size_of::<u64>() - DistanceAndMoves::BYTES;

    /// Returns the number of bytes of this many entries.
    pub const fn bytes(entries: usize) -> usize {
        entries * DistanceAndMoves::BYTES + MoveSetTable::PADDING
    }

    /// Packs the distances of a space, row by row, with the moves that lead from each.
    fn pack<S: Space>(
        space: &S,
        distances: &[u8],
        control: &Control<'_>,
    ) -> Result<PackedDistances, LabError> {
        let columns = space.columns();
        let row_at = |row: usize| &distances[row * columns..][..columns];
        let pack_row = |(row, bytes): (usize, &mut [u8])| {
            let mut entries: Vec<DistanceAndMoves> = row_at(row)
                .iter()
                .map(|&distance| DistanceAndMoves(distance.into()))
                .collect();
            for m in Move::ALL {
                let (to_row, image) = space.turned(row, m);
                let to = row_at(to_row);
                for (column, entry) in entries.iter_mut().enumerate() {
                    entry.add(m, to[image(column)]);
                }
            }
            for (bytes, entry) in bytes.chunks_mut(DistanceAndMoves::BYTES).zip(entries) {
                bytes.copy_from_slice(&entry.0.to_le_bytes()[..DistanceAndMoves::BYTES]);
            }
        };
        let mut bytes = TableMemory::zeroed(MoveSetTable::bytes(distances.len()) as u64)?;
        control.in_pool(|| {
            bytes
                .par_chunks_mut(columns * DistanceAndMoves::BYTES)
                .take(space.rows())
                .enumerate()
                .filter(|_| !control.is_cancelled())
                .for_each(pack_row);
        })?;
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let counts = count(distances, 15);
        Ok(PackedDistances { bytes, counts })
    }

    /// Prefetches the entry at `index`. One of sixteen lies in two lines of memory, and the word
    /// that is read in one of nine; half of the time of a search went to waiting for the second.
    #[inline(always)]
    fn prefetch(&self, index: usize) {
        let first = index * DistanceAndMoves::BYTES;
        self.0.bytes.prefetch(first);
        self.0.bytes.prefetch(first + size_of::<u64>() - 1);
    }

    /// Returns the entry at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> DistanceAndMoves {
        let bytes = &self.0.bytes[index * DistanceAndMoves::BYTES..][..size_of::<u64>()];
        DistanceAndMoves(u64::from_le_bytes(bytes.try_into().expect("eight bytes")))
    }
}

/// A table of distances, in four bits each or with move sets.
#[derive(Debug)]
pub enum BoundTable {
    /// In four bits each.
    FourBits(FourBits),
    /// With move sets.
    MoveSets(MoveSetTable),
}

impl BoundTable {
    /// Creates the table of distances stored so.
    ///
    /// # Panics
    /// Panics if they are stored modulo three.
    pub fn new(storage: DistanceStorage, packed: PackedDistances) -> BoundTable {
        match storage {
            DistanceStorage::ModThree => panic!("distances modulo three depend on a neighbor"),
            DistanceStorage::FourBits => BoundTable::FourBits(FourBits::new(packed)),
            DistanceStorage::MoveSets => BoundTable::MoveSets(MoveSetTable(packed)),
        }
    }

    /// Returns the distance at `index`.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u8 {
        match self {
            BoundTable::FourBits(table) => table.get(index),
            BoundTable::MoveSets(table) => table.get(index).distance(),
        }
    }

    /// Prefetches what [`prune`](Self::prune) will read of a node with the entry at `index`: that
    /// entry, or nothing if it reads those of the children.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        if let BoundTable::MoveSets(table) = self {
            table.prefetch(index);
        }
    }

    /// Returns the number of entries of each distance.
    pub fn counts(&self) -> &DistanceCounts {
        match self {
            BoundTable::FourBits(table) => table.counts(),
            BoundTable::MoveSets(table) => &table.0.counts,
        }
    }

    /// Retains the moves of each node whose children this table does not cut. `entry` returns that
    /// of a node, and `child` that of a child; `carried` brings the moves of an entry to its node,
    /// where the entry is that of a representative.
    #[inline(always)]
    pub fn prune<N>(
        &self,
        nodes: &mut [IdaNode<N>],
        metric: Metric,
        entry: impl Fn(&N) -> usize,
        child: impl Fn(&N, Move) -> usize,
        carried: impl Fn(&N, MoveSet) -> MoveSet,
        probes: &mut u64,
    ) {
        match self {
            BoundTable::FourBits(table) => {
                for open in nodes {
                    let node = &open.node;
                    *probes += u64::from(open.moves.bits().count_ones());
                    open.moves = open
                        .moves
                        .filter(|m| table.get(child(node, m)) <= open.remaining - metric.cost(m));
                }
            }
            BoundTable::MoveSets(table) => {
                *probes += nodes.len() as u64;
                for open in nodes {
                    let moves = table.get(entry(&open.node)).moves_within(open.remaining);
                    let kept = carried(&open.node, moves);
                    open.moves = MoveSet::from_bits(open.moves.bits() & kept.bits());
                }
            }
        }
    }
}
