//! For each coset of H its distance from H and the direction of each move, nearer or farther, so
//! that a search expands no useless node.
//!
//! An entry of 32 bits has the distance and four bits for each face. A turn changes the distance by
//! at most one. In half turns, no turn of a face leads nearer if another one leads farther, as one
//! turn of the face leads from the one coset to the other. So three bits state which of the three
//! turns change the distance, and one bit states the direction. In quarter turns, each of the two
//! turns of a face has two bits: whether it changes the distance, and the direction.
//!
//! (This is the encoding of T. Rokicki's `phase1prune`, 2010. Our table has 45 classes of slots by
//! 2048 flips by 2187 twists, 806 MB; every key corresponds to a coset, and keys are computed from
//! tables that stay in the cache.)

use crate::control::{Control, Threads};
use crate::cube::{Metric, Move, MoveSet, Symmetry, Turn};
use crate::kernel::prefetch;
use crate::platform::PageMemory;
use crate::twophase::TwoPhase;
use crate::twophase::phase1::{Coset, CosetKey, Cosets};
use std::sync::atomic::{AtomicU8, Ordering};
use zerocopy::FromBytes;

/// The entries of all cosets, up to the symmetries that preserve H.
pub(super) struct DistanceTable {
    pub metric: Metric,
    entries: PageMemory,
    near: NearEntries,
    /// For each symmetry and each code of the last moves ([`Move::COUNT`] if there are none), the
    /// moves that may follow, in the frame of the symmetry.
    following: Vec<[u32; Move::COUNT + 1]>,
    /// For each symmetry and each move in its frame, the move of the cube.
    moves: Vec<[Move; Move::COUNT]>,
}

/// Number of reported steps: enough for the distances in either metric.
const STEPS: u64 = 15;

/// In half turns, bit 3 of each face: set if the turns that change the distance lead farther.
const FARTHER: u32 = 0x88_8888;
/// In quarter turns, the bit of each turn that is set if the turn changes the distance. The next
/// bit is set if the turn leads farther.
const QUARTER_TURNS: u32 = 0x55_5555;

impl DistanceTable {
    /// Returns the size of the entries in bytes.
    pub fn bytes() -> u64 {
        4 * TwoPhase::get().cosets().keys() as u64
    }

    /// Computes the entries; `None` on cancellation, or if there is too little memory.
    pub fn generate(
        metric: Metric,
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<DistanceTable> {
        let cosets = TwoPhase::get().cosets();
        let turns: Vec<Move> = Move::ALL
            .into_iter()
            .filter(|&m| metric.cost(m) == 1)
            .collect();
        let twists = Twists::new(cosets);
        let distances = distances(cosets, &turns, &twists, threads, control)?;
        let mut entries = PageMemory::zeroed(DistanceTable::bytes())?;
        let work = |(): &mut (), (row, entries): (usize, &mut [u8])| {
            if control.is_cancelled() {
                return Err(());
            }
            let entries = <[u32]>::mut_from_bytes(entries).expect("entries are aligned");
            fill_row(row, entries, &distances, metric, &turns, &twists);
            Ok(())
        };
        let rows = entries.chunks_mut(4 * Cosets::ROW).enumerate().collect();
        threads.map(rows, || (), work).ok()?;
        let near = NearEntries::of(<[u32]>::ref_from_bytes(&entries).expect("entries are aligned"));
        let symmetries = Symmetry::preserving_ud_axis();
        let moves = symmetries.map(|s| Move::ALL.map(|m| s.inverse().conjugate_move(m)));
        Some(DistanceTable {
            metric,
            entries,
            near,
            following: following(metric, &turns),
            moves: moves.collect(),
        })
    }

    /// Returns the key of the entry of a coset, and the symmetry that carries the coset to it.
    #[inline(always)]
    pub fn place(&self, coset: Coset) -> CosetKey {
        TwoPhase::get().cosets().place(coset)
    }

    /// Prefetches the entry of a coset that is at most `max_distance` moves from H.
    #[inline(always)]
    pub fn prefetch(&self, place: CosetKey, max_distance: u8) {
        if max_distance <= NearEntries::MAX_DISTANCE {
            prefetch(
                self.near
                    .entries
                    .as_ptr()
                    .wrapping_add(NearEntries::slot(place.key)),
            );
        } else {
            prefetch(self.entries.as_ptr().wrapping_add(4 * place.key as usize));
        }
    }

    /// Returns the entry of a coset that is at most `max_distance` moves from H.
    #[inline(always)]
    fn entry(&self, place: CosetKey, max_distance: u8) -> u32 {
        if max_distance <= NearEntries::MAX_DISTANCE {
            return self.near.entry(place.key);
        }
        let bytes = &self.entries[4 * place.key as usize..][..4];
        u32::from_ne_bytes(bytes.try_into().expect("there are four"))
    }

    /// Returns the distance of a coset from H.
    pub fn distance(&self, place: CosetKey) -> u8 {
        (self.entry(place, u8::MAX) >> 24) as u8
    }

    /// Returns the distance of a coset that is at most `max_distance` moves from H, and three sets
    /// of moves in the frame of the symmetry: they lead nearer, to the same distance, and farther.
    #[inline(always)]
    pub fn moves(&self, place: CosetKey, max_distance: u8) -> (u8, [u32; 3]) {
        let entry = self.entry(place, max_distance);
        // Removes bit 3 of each face, so that the bits have the numbers of the moves.
        let moves = |bits: u32| {
            let pairs = bits & 0x07_0707 | (bits & 0x70_7070) >> 1;
            pairs & 0x3f | pairs >> 2 & 0xfc0 | pairs >> 4 & 0x3_f000
        };
        let all = MoveSet::ALL.bits();
        let [changed, farther] = match self.metric {
            Metric::Htm => {
                let farther = (entry & FARTHER) >> 3;
                [entry, farther | farther << 1 | farther << 2]
            }
            Metric::Qtm => [entry & QUARTER_TURNS, entry >> 1 & QUARTER_TURNS],
        };
        let [changed, farther] = [changed, farther].map(moves);
        let by_direction = [changed & !farther, all & !changed, changed & farther];
        ((entry >> 24) as u8, by_direction)
    }

    /// Returns the code of the last moves of a sequence, `last` before its last move `m`: the
    /// number of `m`. In quarter turns, the second of two equal turns has the number of the half
    /// turn instead.
    #[inline(always)]
    pub fn last_with(&self, last: u8, m: Move) -> u8 {
        let m = m.index() as u8;
        // In the order of moves, a half turn follows the clockwise turn of its face.
        if m == last { m + 1 } else { m }
    }

    /// Returns the moves that may follow the last moves in a canonical sequence, in the frame of
    /// the symmetry.
    #[inline(always)]
    pub fn following(&self, place: CosetKey, last: u8) -> u32 {
        self.following[usize::from(place.symmetry)][usize::from(last)]
    }

    /// Calls `visit` with each of these moves, which are in the frame of the symmetry.
    #[inline(always)]
    pub fn for_each(&self, place: CosetKey, mut moves: u32, mut visit: impl FnMut(Move)) {
        let cube_moves = &self.moves[usize::from(place.symmetry)];
        while moves != 0 {
            visit(cube_moves[moves.trailing_zeros() as usize % Move::COUNT]);
            moves &= moves - 1;
        }
    }
}

/// Computes the entries of a row of cosets: their distances, and the direction of each move.
fn fill_row(
    row: usize,
    entries: &mut [u32],
    distances: &[u8],
    metric: Metric,
    turns: &[Move],
    twists: &Twists,
) {
    let own_distances = &distances[row * Cosets::ROW..][..Cosets::ROW];
    for &m in turns {
        let (after, symmetry) = TwoPhase::get()
            .cosets()
            .rows_after(row, m)
            .next()
            .expect("every row has a frame");
        let after = &distances[after * Cosets::ROW..][..Cosets::ROW];
        let cosets = entries.iter_mut().zip(own_distances);
        for ((entry, &own), &twist) in cosets.zip(twists.after(m, symmetry)) {
            let after = after[usize::from(twist)];
            let [nearer, farther] = [after < own, after > own].map(u32::from);
            *entry |= match metric {
                Metric::Htm => nearer | farther | farther << (3 - m.index() % 3),
                Metric::Qtm => nearer | farther | farther << 1,
            } << bit_of(m);
        }
    }
    for (entry, &own) in entries.iter_mut().zip(own_distances) {
        *entry |= u32::from(own) << 24;
    }
}

/// Returns for each symmetry that preserves H, and for each last move, the moves that may follow in
/// a canonical sequence, in the frame of the symmetry.
fn following(metric: Metric, turns: &[Move]) -> Vec<[u32; Move::COUNT + 1]> {
    let after = |s: Symmetry, last: usize| {
        let last = (last < Move::COUNT).then(|| Move::from_index(last));
        // In quarter turns, a half turn is a clockwise turn and its repetition.
        let repetition = last.filter(|m| metric == Metric::Qtm && m.turn() == Turn::Clockwise);
        let allowed = MoveSet::after(last)
            .iter()
            .chain(repetition)
            .filter(|m| turns.contains(m));
        allowed.fold(0, |bits, m| bits | 1 << s.conjugate_move(m).index())
    };
    Symmetry::preserving_ud_axis()
        .map(|s| std::array::from_fn(|last| after(s, last)))
        .collect()
}

/// A hash table, with linear probing, of the entries of cosets near H. Most nodes of a search are
/// in these cosets, and the table is small enough to stay in the cache.
struct NearEntries {
    /// Key and entry; [`NearEntries::EMPTY`] where there is none.
    entries: Vec<(u32, u32)>,
}

impl NearEntries {
    /// The maximum distance of a coset in the table.
    const MAX_DISTANCE: u8 = 6;
    /// The binary logarithm of the number of slots, which is more than twice the number of keys.
    const LOG_SLOTS: u32 = 18;
    const EMPTY: (u32, u32) = (u32::MAX, 0);

    fn of(entries: &[u32]) -> NearEntries {
        let mut near = NearEntries {
            entries: vec![NearEntries::EMPTY; 1 << NearEntries::LOG_SLOTS],
        };
        let is_near = |&(_, entry): &(u32, &u32)| entry >> 24 <= NearEntries::MAX_DISTANCE.into();
        for (key, &entry) in (0..).zip(entries).filter(is_near) {
            let mut slot = NearEntries::slot(key);
            while near.entries[slot] != NearEntries::EMPTY {
                slot = (slot + 1) % near.entries.len();
            }
            near.entries[slot] = (key, entry);
        }
        near
    }

    /// Returns the slot at which the probing for a key starts.
    #[inline(always)]
    fn slot(key: u32) -> usize {
        // 2³² divided by the golden ratio. The upper bits of the product depend on all bits of the
        // key.
        (key.wrapping_mul(0x9e37_79b9) >> (u32::BITS - NearEntries::LOG_SLOTS)) as usize
    }

    /// Returns the entry of a key that is in the table.
    #[inline(always)]
    fn entry(&self, key: u32) -> u32 {
        let mut slot = NearEntries::slot(key);
        loop {
            let (slot_key, entry) = self.entries[slot % (1 << NearEntries::LOG_SLOTS)];
            debug_assert!(slot_key != u32::MAX, "the coset is near");
            if slot_key == key {
                return entry;
            }
            slot += 1;
        }
    }
}

/// Returns the position of the bit of a move in an entry.
const fn bit_of(m: Move) -> usize {
    m.index() / 3 * 4 + m.index() % 3
}

/// For each move and symmetry, the twist after each twist and the move, in the frame of the
/// symmetry.
struct Twists(Vec<[Vec<u16>; 16]>);

impl Twists {
    fn new(cosets: &Cosets) -> Twists {
        let after = |m, symmetry| {
            (0..Cosets::ROW)
                .map(|twist| cosets.twist_after(twist, m, symmetry))
                .collect()
        };
        Twists(
            Move::ALL
                .iter()
                .map(|&m| std::array::from_fn(|symmetry| after(m, symmetry as u8)))
                .collect(),
        )
    }

    fn after(&self, m: Move, symmetry: u8) -> &[u16] {
        &self.0[m.index()][usize::from(symmetry)]
    }
}

/// First distance at which the search is backward. At lower distances, each coset at the distance
/// finds its unknown neighbors. From this distance on few cosets are unknown, so each of these
/// looks for a neighbor at the distance.
const FIRST_BACKWARD: u8 = 9;

/// The distance of a coset that has not been found.
const UNKNOWN: u8 = u8::MAX;

/// Computes the distances of all keys, by breadth-first search.
fn distances(
    cosets: &Cosets,
    turns: &[Move],
    twists: &Twists,
    threads: &Threads,
    control: &Control<'_>,
) -> Option<Vec<u8>> {
    let distances: Vec<AtomicU8> = (0..cosets.keys()).map(|_| AtomicU8::new(UNKNOWN)).collect();
    let row_of = |row: usize| &distances[row * Cosets::ROW..][..Cosets::ROW];
    let target = cosets.place(Coset::TARGET).key;
    distances[target as usize].store(0, Ordering::Relaxed);
    let mut found_count = 1;
    for distance in 0.. {
        if found_count == 0 {
            break;
        }
        control.report(distance.into(), STEPS);
        let work = |list: &mut Vec<usize>, row: usize| {
            if control.is_cancelled() {
                return Err(());
            }
            let own_row = row_of(row);
            let is_forward = distance < FIRST_BACKWARD;
            let distance_of_listed = if is_forward { distance } else { UNKNOWN };
            // The twists of the cosets of the row that are expanded.
            list.clear();
            list.extend(
                (0..Cosets::ROW)
                    .filter(|&twist| own_row[twist].load(Ordering::Relaxed) == distance_of_listed),
            );
            let mut count = 0;
            for &m in turns {
                for (after, symmetry) in cosets.rows_after(row, m) {
                    let after = row_of(after);
                    let twists = twists.after(m, symmetry);
                    let length_before = list.len();
                    if is_forward {
                        for &twist in &*list {
                            let after = &after[usize::from(twists[twist])];
                            if after.load(Ordering::Relaxed) == UNKNOWN {
                                after.store(distance + 1, Ordering::Relaxed);
                                count += 1;
                            }
                        }
                    } else {
                        list.retain(|&twist| {
                            let is_next = after[usize::from(twists[twist])].load(Ordering::Relaxed)
                                == distance;
                            if is_next {
                                own_row[twist].store(distance + 1, Ordering::Relaxed);
                            }
                            !is_next
                        });
                        count += (length_before - list.len()) as u64;
                        // One frame is enough: a neighbor has the same distance in all of them.
                        break;
                    }
                }
            }
            Ok(count)
        };
        let counts = threads
            .map((0..cosets.keys() / Cosets::ROW).collect(), Vec::new, work)
            .ok()?;
        found_count = counts.into_iter().sum::<u64>();
    }
    Some(distances.into_iter().map(AtomicU8::into_inner).collect())
}
