//! All sequences of a given length that lead from a coset into H, each marked by its end.
//!
//! The search is an iteration of Korf's IDA*, with the exact distance of every coset and the
//! directions of its moves (`distance_table`): nearly every node that is expanded leads into H. The
//! remaining cost is memory latency, so nodes are expanded in batches. Nodes with the same number
//! of remaining moves gather in a list, while their entries are prefetched. A full list is expanded
//! into the next one; of several full lists, the one with the fewest remaining moves comes first.
//!
//! # Which sequences
//!
//! If a pass has already marked the ends of sequences whose last move is of H (`pass`), only the
//! other sequences are searched. Their last move is a quarter turn of R, F, L or B, from one of the
//! four cosets at distance 1, and both quarter turns of the face lead into H.
//!
//! Late in such a sequence the distance is nearly determined: it is 1 with one move to go, 2 with
//! two, 2 or 3 with three, and 1 to 4 with four (T. Rokicki, `hcoset`, 2010). In quarter turns, it
//! is 1, 2, and 1 to 3. A sequence with another distance equals one that ends with a move of H: for
//! example, B2 F equals F B2.

use super::distance_table::DistanceTable;
use super::members::MemberNumbering;
use super::stabilizer::Stabilizer;
use crate::control::{Control, Threads};
use crate::cube::{Cube, Face, Metric, Move, MoveSet, Turn};
use crate::kernel::prefetch;
use crate::twophase::TwoPhase;
use crate::twophase::phase1::{Coset, CosetKey, SETS};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of nodes of a list that are expanded together.
const BATCH: usize = 64;
/// Number of bits that are set together.
const BITS: usize = 128;
/// Maximum number of moves to go at which threads share the nodes, so that each node has some
/// hundred thousand sequences; more if [`MAX_MOVES_BEFORE_SPLIT`] requires it.
const MAX_MOVES_AFTER_SPLIT: u8 = 12;
/// Maximum number of moves before threads share the nodes, so that these are not too many.
const MAX_MOVES_BEFORE_SPLIT: u8 = 5;
/// Number of shared nodes that a thread takes at once.
const SHARE: usize = 16;

/// The parameters of a search.
#[derive(Clone, Copy)]
pub(super) struct SequenceSearch<'a> {
    pub members: &'a MemberNumbering,
    pub distances: &'a DistanceTable,
    pub position: &'a Cube,
    /// The symmetries up to which sequences are searched.
    pub stabilizer: &'a Stabilizer,
    /// Number of moves.
    pub length: u8,
    /// `true` if the last move must not be of H. If `false`, the newly marked members are stored.
    pub ends_outside: bool,
    /// Number of new members after which the search may end.
    pub enough: u64,
}

/// The results of a search.
#[derive(Debug, Default)]
pub(super) struct SequenceCounts {
    /// Number of sequences.
    pub sequences: u64,
    /// Number of newly marked members.
    pub members: u64,
    /// The bits of newly marked members, if they are stored.
    pub bits: Vec<u64>,
    /// `true` if some sequences were left out, as there were enough members.
    pub is_partial: bool,
}

impl SequenceSearch<'_> {
    /// Sets the bits of all members that the sequences lead to; `None` on cancellation.
    pub fn mark(
        &self,
        bitmap: &[AtomicU64],
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<SequenceCounts> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
        {
            return self.mark_with::<avx2::Pieces>(avx2::drain, bitmap, threads, control);
        }
        self.mark_with::<[u8; 32]>(drain, bitmap, threads, control)
    }

    fn mark_with<P: PackedPieces>(
        &self,
        drain: fn(&mut SequenceSearcher<'_, P>, RangeInclusive<u8>),
        bitmap: &[AtomicU64],
        threads: &Threads,
        control: &Control<'_>,
    ) -> Option<SequenceCounts> {
        let mut root_searcher = SequenceSearcher::new(*self, bitmap);
        let split = root_searcher.add_first_nodes();
        for remaining in (split + 1..=self.length).rev() {
            drain(&mut root_searcher, remaining..=remaining);
        }
        let mut nodes = std::mem::take(&mut root_searcher.lists[usize::from(split)]);
        // The sequence of no moves: there is a node if the position is in H.
        if self.length == 0 && nodes.pop().is_some() {
            root_searcher.mark(P::of(self.position));
        }
        let members = AtomicU64::new(0);
        let searched_count = AtomicU64::new(0);
        let node_count = nodes.len() as u64;
        let work = |searcher: &mut SequenceSearcher<'_, P>, nodes: &[SequenceNode<P>]| {
            if control.is_cancelled() {
                return Err(());
            }
            if members.load(Ordering::Relaxed) >= self.enough {
                return Ok(SequenceCounts {
                    is_partial: true,
                    ..SequenceCounts::default()
                });
            }
            searcher.lists[usize::from(split)].extend_from_slice(nodes);
            for remaining in (1..=split).rev() {
                drain(searcher, 1..=remaining);
            }
            let counts = searcher.finish();
            members.fetch_add(counts.members, Ordering::Relaxed);
            let share = nodes.len() as u64;
            let searched = share + searched_count.fetch_add(share, Ordering::Relaxed);
            control.report(searched, node_count);
            Ok(counts)
        };
        let shares = nodes.chunks(SHARE).collect();
        let counts = threads
            .map(shares, || SequenceSearcher::new(*self, bitmap), work)
            .ok()?;
        Some(
            counts
                .into_iter()
                .fold(root_searcher.finish(), |mut sum, counts| {
                    sum.sequences += counts.sequences;
                    sum.members += counts.members;
                    sum.bits.extend(counts.bits);
                    sum.is_partial |= counts.is_partial;
                    sum
                }),
        )
    }
}

/// A node: a position after some moves.
#[derive(Clone, Copy)]
struct SequenceNode<P> {
    pieces: P,
    coset: Coset,
    place: CosetKey,
    /// The code of the last moves ([`DistanceTable::last_with`]); [`Move::COUNT`] if there are
    /// none.
    last: u8,
}

/// A thread's search.
struct SequenceSearcher<'a, P> {
    search: SequenceSearch<'a>,
    bitmap: &'a [AtomicU64],
    /// For each number of moves to go, nodes whose entries are prefetched.
    lists: Vec<Vec<SequenceNode<P>>>,
    /// Bits to set, whose words are prefetched.
    requested_bits: Vec<u64>,
    /// By the number of the set of slice slots, for the four cosets at distance 1: the two moves
    /// into H, in canonical order.
    last_moves: Vec<Option<[Move; 2]>>,
    counts: SequenceCounts,
}

impl<'a, P: PackedPieces> SequenceSearcher<'a, P> {
    fn new(search: SequenceSearch<'a>, bitmap: &'a [AtomicU64]) -> SequenceSearcher<'a, P> {
        let mut last_moves = vec![None; SETS];
        for face in [Face::R, Face::F, Face::L, Face::B] {
            let moves = [Turn::Clockwise, Turn::Counterclockwise].map(|turn| Move::new(face, turn));
            last_moves[Coset::of(Cube::from_move(moves[0])).slice()] = Some(moves);
        }
        let lists = vec![Vec::new(); usize::from(search.length) + 1];
        SequenceSearcher {
            search,
            bitmap,
            lists,
            requested_bits: Vec::with_capacity(BITS),
            last_moves,
            counts: SequenceCounts::default(),
        }
    }

    /// Adds the nodes after the first moves, and returns the number of moves to go at which threads
    /// share the nodes.
    fn add_first_nodes(&mut self) -> u8 {
        let SequenceSearch {
            distances,
            position,
            length,
            ..
        } = self.search;
        let metric = distances.metric;
        let mut split = length
            .min(MAX_MOVES_AFTER_SPLIT)
            .max(length.saturating_sub(MAX_MOVES_BEFORE_SPLIT));
        for moves in self.search.stabilizer.first_moves(position, length, metric) {
            let after = position.apply_moves(&moves);
            let coset = Coset::of(&after);
            let place = distances.place(coset);
            let remaining = length - metric.length(&moves) as u8;
            split = split.min(remaining);
            if distances.distance(place) <= remaining {
                let node = SequenceNode {
                    pieces: P::of(&after),
                    coset,
                    place,
                    last: moves.last().map_or(Move::COUNT, |m| m.index()) as u8,
                };
                self.push(remaining, node);
            }
        }
        split
    }

    /// Sets the requested bits, and returns the counts since the last call.
    fn finish(&mut self) -> SequenceCounts {
        self.set_bits();
        std::mem::take(&mut self.counts)
    }

    /// Adds a node with `remaining` moves to go.
    #[inline(always)]
    fn push(&mut self, remaining: u8, node: SequenceNode<P>) {
        self.search.distances.prefetch(node.place, remaining);
        self.lists[usize::from(remaining)].push(node);
    }

    /// Marks the member in which a sequence ends.
    #[inline(always)]
    fn mark(&mut self, pieces: P) {
        let [corners, edges, slice] = pieces.words();
        let bit = self.search.members.bit(
            corners & LOW_THREE_BITS,
            edges & LOW_THREE_BITS,
            two_bits_each(slice as u32),
        );
        self.request(bit);
        if self.requested_bits.len() == BITS {
            self.set_bits();
        }
    }

    #[inline(always)]
    fn request(&mut self, bit: u64) {
        prefetch(&raw const self.bitmap[(bit / 64) as usize]);
        self.requested_bits.push(bit);
    }

    /// Sets the requested bits, and those of the images of newly marked members.
    #[inline(always)]
    fn set_bits(&mut self) {
        let count = self.requested_bits.len();
        self.counts.sequences += count as u64;
        for i in 0..count {
            if self.set(self.requested_bits[i]) && !self.search.stabilizer.is_trivial() {
                self.request_images(self.requested_bits[i]);
            }
        }
        for i in count..self.requested_bits.len() {
            self.set(self.requested_bits[i]);
        }
        self.requested_bits.clear();
    }

    #[cold]
    fn request_images(&mut self, bit: u64) {
        let SequenceSearch {
            members,
            stabilizer,
            ..
        } = self.search;
        stabilizer
            .images(bit, members)
            .for_each(|image| self.request(image));
    }

    /// Sets a bit; returns `true` if it was clear.
    #[inline(always)]
    fn set(&mut self, bit: u64) -> bool {
        let word = &self.bitmap[(bit / 64) as usize];
        let mask = 1 << (bit % 64);
        // A load costs a tenth of a locked instruction.
        let is_new = word.load(Ordering::Relaxed) & mask == 0
            && word.fetch_or(mask, Ordering::Relaxed) & mask == 0;
        if is_new {
            self.counts.members += 1;
            if !self.search.ends_outside {
                self.counts.bits.push(bit);
            }
        }
        is_new
    }
}

/// Expands all nodes with the maximum number of remaining moves of this range. Of the nodes with
/// fewer remaining moves, down to the minimum, it expands full batches.
#[inline(always)]
fn drain<P: PackedPieces>(searcher: &mut SequenceSearcher<'_, P>, remaining: RangeInclusive<u8>) {
    let (min, max) = remaining.into_inner();
    // Number of remaining moves of the list to expand.
    let mut remaining = max;
    loop {
        let length = searcher.lists[usize::from(remaining)].len();
        let min_length = if remaining == max { 1 } else { BATCH };
        if length < min_length {
            if remaining == max {
                return;
            }
            remaining += 1;
            continue;
        }
        let start = length.saturating_sub(BATCH);
        for i in start..length {
            let node = searcher.lists[usize::from(remaining)][i];
            expand(searcher, remaining, node);
        }
        searcher.lists[usize::from(remaining)].truncate(start);
        remaining = min.max(remaining - 1);
    }
}

/// Adds the children of a node.
#[inline(always)]
fn expand<P: PackedPieces>(
    searcher: &mut SequenceSearcher<'_, P>,
    remaining: u8,
    node: SequenceNode<P>,
) {
    let SequenceSearch {
        distances,
        ends_outside,
        ..
    } = searcher.search;
    let (distance, directions) = distances.moves(node.place, remaining);
    let after = remaining - 1;
    // The minimum distance for each number of moves to go, as the module explains.
    let min_distances = match distances.metric {
        Metric::Htm => [0, 1, 2, 2, 1],
        Metric::Qtm => [0, 1, 2, 1, 0],
    };
    let min_distance = if ends_outside {
        min_distances.get(usize::from(after)).copied().unwrap_or(0)
    } else {
        0
    };
    let mut moves = 0;
    for (direction, moves_in_direction) in directions.into_iter().enumerate() {
        // The distance of the child is one less, as direction 0 leads nearer.
        let child_plus_one = distance + direction as u8;
        if child_plus_one > min_distance && child_plus_one <= after + 1 {
            moves |= moves_in_direction;
        }
    }
    moves &= distances.following(node.place, node.last);
    let cosets = TwoPhase::get().cosets();
    distances.for_each(node.place, moves, |m| {
        let pieces = node.pieces.turned(m);
        let coset = cosets.turned(node.coset, m);
        match after {
            0 => searcher.mark(pieces),
            1 if ends_outside => {
                let last = searcher.last_moves[coset.slice()].expect("it is at distance 1");
                // A turn of the same face would merge with `m`. Turns of opposite faces have only
                // one canonical order.
                if MoveSet::after(Some(m)).contains(last[0]) {
                    last.into_iter()
                        .for_each(|m| searcher.mark(pieces.turned(m)));
                }
            }
            _ => {
                let node = SequenceNode {
                    pieces,
                    coset,
                    place: distances.place(coset),
                    last: distances.last_with(node.last, m),
                };
                searcher.push(after, node);
            }
        }
    });
}

const LOW_THREE_BITS: u64 = 0x0707_0707_0707_0707;

/// Packs the low two bits of four bytes.
#[inline(always)]
fn two_bits_each(bytes: u32) -> u8 {
    let pairs = (bytes & 0x0303_0303) | (bytes & 0x0303_0303) >> 6;
    (pairs & 0xf | pairs >> 12 & 0xf0) as u8
}

/// The pieces of a position, slot by slot. Their orientations do not follow moves.
trait PackedPieces: Copy + Send + Sync {
    fn of(cube: &Cube) -> Self;
    fn turned(self, m: Move) -> Self;
    /// Returns the corners, the edges of the first eight slots, and the edges of the slice, a byte
    /// each: the piece in the low bits.
    fn words(self) -> [u64; 3];
}

fn bytes_of(cube: &Cube) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(cube.edge_bytes());
    bytes[16..].copy_from_slice(cube.corner_bytes());
    bytes
}

impl PackedPieces for [u8; 32] {
    fn of(cube: &Cube) -> [u8; 32] {
        bytes_of(cube)
    }

    #[inline(always)]
    fn turned(self, m: Move) -> [u8; 32] {
        let from = Cube::from_move(m);
        let mut turned = self;
        for (slot, from) in from.edge_bytes()[..12].iter().enumerate() {
            turned[slot] = self[usize::from(from % 16)];
        }
        for (slot, from) in from.corner_bytes()[..8].iter().enumerate() {
            turned[16 + slot] = self[16 + usize::from(from % 16)];
        }
        turned
    }

    #[inline(always)]
    fn words(self) -> [u64; 3] {
        [16, 0, 8].map(|start| {
            u64::from_le_bytes(self[start..][..8].try_into().expect("there are eight"))
        })
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Cube, Move, RangeInclusive, SequenceSearcher, bytes_of};
    use std::arch::x86_64::*;

    /// A register of AVX2 with the edges and the corners. All its methods run in [`drain`].
    #[derive(Clone, Copy)]
    pub(super) struct Pieces(__m256i);

    pub(super) fn drain(
        searcher: &mut SequenceSearcher<'_, Pieces>,
        remaining: RangeInclusive<u8>,
    ) {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn with_avx2(searcher: &mut SequenceSearcher<'_, Pieces>, remaining: RangeInclusive<u8>) {
            super::drain(searcher, remaining);
        }
        // SAFETY: the search chose this because the machine has these instructions.
        unsafe { with_avx2(searcher, remaining) }
    }

    impl super::PackedPieces for Pieces {
        #[inline(always)]
        fn of(cube: &Cube) -> Pieces {
            // SAFETY: 32 bytes are read, from anywhere; the machine has AVX2.
            Pieces(unsafe { _mm256_loadu_si256(bytes_of(cube).as_ptr().cast()) })
        }

        #[inline(always)]
        fn turned(self, m: Move) -> Pieces {
            let turned: *const Cube = Cube::from_move(m);
            // SAFETY: a position is 32 bytes, and aligned to them; the machine has AVX2. A shuffle
            // reads the low four bits of an index, and none has bit 7 set.
            Pieces(unsafe { _mm256_shuffle_epi8(self.0, _mm256_load_si256(turned.cast())) })
        }

        #[inline(always)]
        fn words(self) -> [u64; 3] {
            // SAFETY: the machine has AVX2.
            unsafe {
                let edges = _mm256_castsi256_si128(self.0);
                let corners = _mm_cvtsi128_si64(_mm256_extracti128_si256::<1>(self.0));
                [
                    corners,
                    _mm_cvtsi128_si64(edges),
                    _mm_extract_epi64::<1>(edges),
                ]
                .map(|word| word as u64)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_positions;

    #[test]
    fn pieces_follow_moves() {
        let pieces_only = |[corners, edges, slice]: [u64; 3]| {
            let slice = two_bits_each(slice as u32).into();
            [corners & LOW_THREE_BITS, edges & LOW_THREE_BITS, slice]
        };
        for (cube, m) in random_positions(44).zip(Move::ALL) {
            let expected = pieces_only(bytes_of(&cube.apply(m)).words());
            let portable = <[u8; 32]>::of(&cube).turned(m);
            assert_eq!(pieces_only(portable.words()), expected);
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let wide = avx2::Pieces::of(&cube).turned(m);
                assert_eq!(pieces_only(wide.words()), expected);
            }
        }
    }
}
