//! For each coset of H its distance from H, and the moves that lead nearer, so that a search
//! expands no useless node.
//!
//! An entry of 32 bits has the distance, and four bits for each face: its three turns lead one step
//! nearer, one farther, or leave the distance, and no two of them differ by two. So three bits
//! encode which of them change it, and one the direction. In quarter turns a face has two, of which
//! each has two bits. (This is the encoding of T. Rokicki's `phase1prune`, 2010; ours has 45
//! classes of slots by 2048 flips by 2187 twists, 806 MB, where every key corresponds to a coset,
//! and keys are computed from tables that stay in the cache.)

use crate::control::{Control, Threads};
use crate::cube::{Metric, Move, MoveSet, Symmetry, Turn};
use crate::kernel::prefetch;
use crate::platform::PageMemory;
use crate::twophase::TwoPhase;
use crate::twophase::phase1::{Coset, CosetKey, Cosets};
use std::sync::atomic::{AtomicU8, Ordering};
use zerocopy::FromBytes;

/// The entries of all keys.
pub(super) struct DistanceTable {
    pub metric: Metric,
    entries: PageMemory,
    near: NearEntries,
    /// For each symmetry and last move (none at the end), the moves that may follow, in the frame
    /// of the symmetry.
    following: Vec<[u32; Move::COUNT + 1]>,
    /// For each symmetry and move in its frame, the move.
    moves: Vec<[Move; Move::COUNT]>,
}

/// Number of reported steps: the largest distances in the two metrics, and the moves.
const STEPS: u64 = 15;

/// The bits of faces for the direction: set if the turns that change the distance lead farther.
const FARTHER: u32 = 0x88_8888;
/// The bits of quarter turns that are set if these change the distance; the bit after each is set
/// if they lead farther.
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

    /// Returns the location of the entry of a coset.
    #[inline(always)]
    pub fn place(&self, coset: Coset) -> CosetKey {
        TwoPhase::get().cosets().place(coset)
    }

    /// Prefetches the entry of a coset that is at most `most` moves from H.
    #[inline(always)]
    pub fn prefetch(&self, place: CosetKey, most: u8) {
        if most <= NearEntries::MAX_DISTANCE {
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

    #[inline(always)]
    fn entry(&self, place: CosetKey, most: u8) -> u32 {
        if most <= NearEntries::MAX_DISTANCE {
            return self.near.entry(place.key);
        }
        let bytes = &self.entries[4 * place.key as usize..][..4];
        u32::from_ne_bytes(bytes.try_into().expect("there are four"))
    }

    /// Returns the distance of a coset.
    pub fn distance(&self, place: CosetKey) -> u8 {
        (self.entry(place, u8::MAX) >> 24) as u8
    }

    /// Returns the distance of a coset that is at most `most` moves from H, and the moves that lead
    /// one step nearer, leave it, and lead one farther, in the frame of the symmetry.
    #[inline(always)]
    pub fn moves(&self, place: CosetKey, most: u8) -> (u8, [u32; 3]) {
        let entry = self.entry(place, most);
        // Three bits for each face, in the order of moves.
        let faces = |bits: u32| {
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
        let [changed, farther] = [changed, farther].map(faces);
        let by_direction = [changed & !farther, all & !changed, changed & farther];
        ((entry >> 24) as u8, by_direction)
    }

    /// Returns the code of the last moves of a sequence after one more: the number of that move, or
    /// in quarter turns that of a half turn, if it is the second of the same.
    #[inline(always)]
    pub fn last_with(&self, last: u8, m: Move) -> u8 {
        let m = m.index() as u8;
        if m == last { m + 1 } else { m }
    }

    /// Returns the moves that may follow in a canonical sequence, in the frame of the symmetry.
    #[inline(always)]
    pub fn following(&self, place: CosetKey, last: u8) -> u32 {
        self.following[usize::from(place.symmetry)][usize::from(last)]
    }

    /// Calls `visit` with each of these moves.
    #[inline(always)]
    pub fn for_each(&self, place: CosetKey, mut moves: u32, mut visit: impl FnMut(Move)) {
        let names = &self.moves[usize::from(place.symmetry)];
        while moves != 0 {
            visit(names[moves.trailing_zeros() as usize % Move::COUNT]);
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
    let own = &distances[row * Cosets::ROW..][..Cosets::ROW];
    for &m in turns {
        let (after, symmetry) = TwoPhase::get()
            .cosets()
            .rows_after(row, m)
            .next()
            .expect("every row has a frame");
        let after = &distances[after * Cosets::ROW..][..Cosets::ROW];
        let cosets = entries.iter_mut().zip(own);
        for ((entry, &own), &twist) in cosets.zip(twists.after(m, symmetry)) {
            let after = after[usize::from(twist)];
            let [nearer, farther] = [after < own, after > own].map(u32::from);
            *entry |= match metric {
                Metric::Htm => nearer | farther | farther << (3 - m.index() % 3),
                Metric::Qtm => nearer | farther | farther << 1,
            } << place_of(m);
        }
    }
    for (entry, &own) in entries.iter_mut().zip(own) {
        *entry |= u32::from(own) << 24;
    }
}

/// Returns for each symmetry that preserves H, and for each last move, the moves that may follow in
/// a canonical sequence, in the frame of the symmetry.
fn following(metric: Metric, turns: &[Move]) -> Vec<[u32; Move::COUNT + 1]> {
    let after = |s: Symmetry, last: usize| {
        let last = (last < Move::COUNT).then(|| Move::from_index(last));
        // In quarter turns a half turn is the same clockwise turn twice.
        let again = last.filter(|m| metric == Metric::Qtm && m.turn() == Turn::Clockwise);
        let allowed = MoveSet::after(last)
            .iter()
            .chain(again)
            .filter(|m| turns.contains(m));
        allowed.fold(0, |bits, m| bits | 1 << s.conjugate_move(m).index())
    };
    Symmetry::preserving_ud_axis()
        .map(|s| std::array::from_fn(|last| after(s, last)))
        .collect()
}

/// The entries of cosets near H, which most nodes of a search are in: few enough to stay in the
/// cache. A hash table with linear probing.
struct NearEntries {
    /// Key and entry; [`NearEntries::EMPTY`] where there is none.
    entries: Vec<(u32, u32)>,
}

impl NearEntries {
    /// The largest distance.
    const MAX_DISTANCE: u8 = 6;
    /// The number of slots, as a power of two: more than twice the number of keys.
    const SIZE: u32 = 18;
    const EMPTY: (u32, u32) = (u32::MAX, 0);

    fn of(entries: &[u32]) -> NearEntries {
        let mut near = NearEntries {
            entries: vec![NearEntries::EMPTY; 1 << NearEntries::SIZE],
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

    /// Returns the slot of a key, or from which its probing starts.
    #[inline(always)]
    fn slot(key: u32) -> usize {
        // The golden ratio: the upper bits of the product depend on all of the key.
        (key.wrapping_mul(0x9e37_79b9) >> (u32::BITS - NearEntries::SIZE)) as usize
    }

    /// Returns the entry of a key that is in the table.
    #[inline(always)]
    fn entry(&self, key: u32) -> u32 {
        let mut slot = NearEntries::slot(key);
        loop {
            let (found, entry) = self.entries[slot % (1 << NearEntries::SIZE)];
            debug_assert!(found != u32::MAX, "the coset is near");
            if found == key {
                return entry;
            }
            slot += 1;
        }
    }
}

/// Returns the position of the bit of a move in an entry.
const fn place_of(m: Move) -> usize {
    m.index() / 3 * 4 + m.index() % 3
}

/// For each move and symmetry, the image of each twist.
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

/// Distance up to which cosets are found from nearer ones; beyond it, most have been found, so each
/// remaining one looks for a nearer one.
const NEAR: u8 = 9;

/// Computes the distances of all keys, by breadth-first search.
fn distances(
    cosets: &Cosets,
    turns: &[Move],
    twists: &Twists,
    threads: &Threads,
    control: &Control<'_>,
) -> Option<Vec<u8>> {
    const UNKNOWN: u8 = u8::MAX;
    let distances: Vec<AtomicU8> = (0..cosets.keys()).map(|_| AtomicU8::new(UNKNOWN)).collect();
    let row_of = |row: usize| &distances[row * Cosets::ROW..][..Cosets::ROW];
    let target = cosets.place(Coset::TARGET).key;
    distances[target as usize].store(0, Ordering::Relaxed);
    let mut found = 1;
    for distance in 0.. {
        if found == 0 {
            break;
        }
        control.report(distance.into(), STEPS);
        let work = |list: &mut Vec<usize>, row: usize| {
            if control.is_cancelled() {
                return Err(());
            }
            let own = row_of(row);
            let is_near = distance < NEAR;
            let wanted = if is_near { distance } else { UNKNOWN };
            list.clear();
            list.extend(
                (0..Cosets::ROW).filter(|&twist| own[twist].load(Ordering::Relaxed) == wanted),
            );
            let mut found = 0;
            for &m in turns {
                for (after, symmetry) in cosets.rows_after(row, m) {
                    let after = row_of(after);
                    let twists = twists.after(m, symmetry);
                    let before = list.len();
                    if is_near {
                        for &twist in &*list {
                            let after = &after[usize::from(twists[twist])];
                            if after.load(Ordering::Relaxed) == UNKNOWN {
                                after.store(distance + 1, Ordering::Relaxed);
                                found += 1;
                            }
                        }
                    } else {
                        list.retain(|&twist| {
                            let is_next = after[usize::from(twists[twist])].load(Ordering::Relaxed)
                                == distance;
                            if is_next {
                                own[twist].store(distance + 1, Ordering::Relaxed);
                            }
                            !is_next
                        });
                        found += (before - list.len()) as u64;
                        // One of the symmetries is enough.
                        break;
                    }
                }
            }
            Ok(found)
        };
        let counts = threads
            .map((0..cosets.keys() / Cosets::ROW).collect(), Vec::new, work)
            .ok()?;
        found = counts.into_iter().sum::<u64>();
    }
    Some(distances.into_iter().map(AtomicU8::into_inner).collect())
}
