//! The kernel with AVX-512. It processes eight paintings at a time, and picks any 64 bits of a
//! painting with one instruction.
//!
//! A painting of the edges is one 64-bit number. `vpshufbitqmb` conjugates it: each symmetry has a
//! list of the bits to pick ([`BitGather`]). Among the picked bits are the sets of slots that
//! determine the rank.

use super::lookup_tables::{BitGather, CornerClass, KernelTables, TWISTS};
use super::operations::{Kernel, LISTED, Queue, SLACK, TableEntries, Work, prefetch_near};
use super::vector::{Avx2, ORIENTATION};
use crate::coord::{ENTRIES_PER_WORD, EdgeMap, EdgePainting, EntryAddress, Layout, PLACEMENTS};
use crate::cube::{Cube, Move, Symmetry};
use std::arch::x86_64::*;
use std::sync::LazyLock;

/// Proof that this machine has the instructions, with the constants of the kernel.
#[derive(Clone, Copy)]
pub(super) struct Avx512 {
    avx2: Avx2,
    constants: &'static Constants,
}

#[repr(C, align(64))]
struct Constants {
    /// The 48 conjugations of edges.
    maps: [PickedBits; Symmetry::COUNT],
    /// For each move and side the factors of [`Kernel::turn`]: m and m⁻¹ for the first side, m⁻¹
    /// and m for the second.
    turns: [[[Cube; 2]; 2]; Move::COUNT],
}

/// The bits that a conjugation picks: [`BitGather::bits`].
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct PickedBits([u8; 64]);

/// The picked bits, placements and classes of eight paintings: the input of [`addresses`].
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Picked {
    bits: [u64; LANES],
    placements: [u32; LANES],
    classes: [CornerClass; LANES],
}

impl Picked {
    const EMPTY: Picked = Picked {
        bits: [0; LANES],
        placements: [0; LANES],
        classes: [CornerClass(0); LANES],
    };
}

/// Factor for number / 40 by one multiplication of 32 bits and a shift. The result is exact below
/// 2³⁴, since 40 · 3,435,973,837 = 2³⁷ + 8.
const RECIPROCAL: u32 = 3_435_973_837;
const RECIPROCAL_SHIFT: u32 = 37;
const _: () = assert!(ENTRIES_PER_WORD as u64 * RECIPROCAL as u64 == (1 << RECIPROCAL_SHIFT) + 8);

/// Number of bytes of a table below which few of its lines need page walks: the TLB of a core holds
/// some 2,000 to 3,000 huge pages of 2 MB.
const TLB_REACH: usize = 4 << 30;

/// Number of paintings that are processed at a time.
const LANES: usize = 8;
const _: () = assert!(3 * LANES == SLACK);

impl Avx512 {
    pub const NAME: &str = "avx512";

    /// Returns the kernel, if this machine can run it.
    pub fn detect() -> Option<Avx512> {
        static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| Constants {
            maps: KernelTables::get()
                .maps
                .each_ref()
                .map(|map| PickedBits(BitGather::of(map).bits)),
            turns: Move::ALL
                .map(|m| [[m, !m], [!m, m]].map(|pair| pair.map(|m| *Cube::from_move(m)))),
        });
        let has_features = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512bitalg");
        Avx2::detect().filter(|_| has_features).map(|avx2| Avx512 {
            avx2,
            constants: &CONSTANTS,
        })
    }

    /// Runs a loop compiled for these instructions.
    pub fn enter<W: Work>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
        #[target_feature(enable = "avx512vbmi,avx512vbmi2,avx512bitalg")]
        fn enter<W: Work>(kernel: Avx512, work: W) -> W::Output {
            work.run(kernel)
        }
        // SAFETY: an `Avx512` exists only where `detect` and `Avx2::detect` found the features.
        unsafe { enter(self, work) }
    }

    /// Picks the bits of the eight paintings from `first` on.
    ///
    /// # Safety
    /// The machine must have the instructions, and the queue eight paintings there.
    #[inline(always)]
    unsafe fn pick_chunk<const N: usize>(
        self,
        queue: &Queue<N>,
        first: usize,
        picked: &mut Picked,
    ) {
        for i in 0..LANES {
            // SAFETY: the instructions and eight slots by the contract. The corners of a slot are
            // zero or the corner index of a `Cube` (see `Queue`), so a place in `classes`, whose
            // symmetries are below 48.
            unsafe {
                // Lines of the table evict `classes` from the second-level cache: prefetch the
                // class of the painting sixteen slots later.
                let later = *queue.corners.get_unchecked(first + i + 2 * LANES);
                prefetch_near(
                    self.avx2
                        .tables
                        .classes
                        .as_ptr()
                        .wrapping_add(later as usize),
                );
                let class = self
                    .avx2
                    .tables
                    .class(*queue.corners.get_unchecked(first + i));
                let bits = _mm512_load_si512(
                    self.constants
                        .maps
                        .as_ptr()
                        .cast::<[u8; 8]>()
                        .add(class.eight_symmetries())
                        .cast(),
                );
                picked.classes[i] = class;
                picked.bits[i] = pick(*queue.edges.get_unchecked(first + i), bits);
                picked.placements[i] = self.placement(picked.bits[i]);
            }
        }
    }

    /// Returns the position of the solved cube after a move.
    #[inline(always)]
    fn of_move(self, m: Move) -> &'static Cube {
        // SAFETY: a move's number is below `Move::COUNT`.
        unsafe { &self.constants.turns.get_unchecked(m.index())[0][0] }
    }

    /// Returns the rank of a placement: the first two 16-bit parts of `picked` are the slots of
    /// slices 1 and 2.
    ///
    /// # Safety
    /// The machine must have BMI2.
    #[inline(always)]
    unsafe fn placement(self, picked: u64) -> u32 {
        let ones = u32::from(picked as u16);
        // SAFETY: by the contract of this function. Slots that slice 1 fills are not slots of slice
        // 2.
        let others = unsafe { _pext_u32((picked >> 16) as u32, ones ^ 0xfff) };
        self.avx2.tables.ranks.rank_of_others(ones, others)
    }
}

/// Returns the 64 bits of a painting whose numbers are the bytes of `bits`.
///
/// # Safety
/// The machine must have AVX-512 with BITALG.
#[inline(always)]
unsafe fn pick(painting: EdgePainting, bits: __m512i) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe { _mm512_bitshuffle_epi64_mask(_mm512_set1_epi64(painting.0 as i64), bits) }
}

/// Returns the addresses of the entries of eight paintings: [`Layout::offset`] and
/// [`Layout::address`], eight at a time.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn addresses(picked: &Picked, layout: Layout) -> __m512i {
    // SAFETY: AVX-512 by the contract. `Picked` is aligned to 64 bytes and its fields are 64, 32
    // and 32 bytes long, so each load is aligned and inside.
    unsafe {
        let bits = _mm512_load_si512(picked.bits.as_ptr().cast());
        let placements =
            _mm512_cvtepu32_epi64(_mm256_load_si256(picked.placements.as_ptr().cast()));
        let classes = _mm512_cvtepu32_epi64(_mm256_load_si256(picked.classes.as_ptr().cast()));
        let flips = _mm512_xor_si512(_mm512_srli_epi64::<32>(bits), _mm512_srli_epi64::<48>(bits));
        let added = _mm512_srli_epi64::<{ CornerClass::FLIPS_SHIFT }>(classes);
        let flip_mask = _mm512_set1_epi64((1 << layout.kept_flips) - 1);
        let flips = _mm512_and_si512(_mm512_xor_si512(flips, added), flip_mask);
        let shift = _mm_cvtsi32_si128(layout.kept_flips as i32);
        let offsets = _mm512_or_si512(_mm512_sll_epi64(placements, shift), flips);
        let products = _mm512_mul_epu32(offsets, _mm512_set1_epi64(i64::from(RECIPROCAL)));
        let words = _mm512_srli_epi64::<RECIPROCAL_SHIFT>(products);
        let per_word = _mm512_set1_epi64(i64::from(ENTRIES_PER_WORD));
        let slots = _mm512_sub_epi64(offsets, _mm512_mul_epu32(words, per_word));
        // 3 · (slot / 2) + (slot % 2 << 6) = slot + slot / 2 + 63 · (slot % 2)
        let second = _mm512_and_si512(slots, _mm512_set1_epi64(1));
        let second = _mm512_sub_epi64(
            _mm512_slli_epi64::<{ EntryAddress::SECOND_SHIFT }>(second),
            second,
        );
        let in_word = _mm512_add_epi64(
            _mm512_add_epi64(slots, _mm512_srli_epi64::<1>(slots)),
            second,
        );
        let class = _mm512_srli_epi64::<{ CornerClass::CLASS_SHIFT }>(classes);
        let start = _mm512_mul_epu32(
            class,
            _mm512_set1_epi64(i64::from(layout.words_per_class())),
        );
        let in_word = _mm512_slli_epi64::<{ EntryAddress::IN_WORD_SHIFT }>(in_word);
        _mm512_add_epi64(_mm512_add_epi64(start, words), in_word)
    }
}

impl Kernel for Avx512 {
    #[inline(always)]
    fn compose(self, a: &Cube, b: &Cube) -> Cube {
        self.avx2.compose(a, b)
    }

    /// Computes both products at once.
    #[inline(always)]
    fn turn(self, from: &[Cube; 2], side: usize, m: Move, to: &mut [Cube; 2]) {
        // SAFETY: `self` proves the instructions; two `Cube`s are 64 bytes, and a move's number is
        // below `Move::COUNT`.
        unsafe {
            let turns = self
                .constants
                .turns
                .get_unchecked(m.index())
                .as_ptr()
                .add(side % 2);
            let turns = _mm512_load_si512(turns.cast());
            let cubes = _mm512_loadu_si512(from.as_ptr().cast());
            // On side `side` the move is the right factor; on the other side its inverse is the
            // left factor.
            let own = 0x0f << (4 * (side % 2));
            let left = _mm512_mask_blend_epi64(own, turns, cubes);
            let right = _mm512_mask_blend_epi64(own, cubes, turns);
            let orientations = _mm512_and_si512(right, _mm512_set1_epi8(ORIENTATION as i8));
            let product = wrap_cubes(_mm512_add_epi8(
                _mm512_shuffle_epi8(left, right),
                orientations,
            ));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), product);
        }
    }

    #[inline(always)]
    fn queue_other_side<const N: usize>(self, q: &Cube, faces: u32, queue: &mut Queue<N>) {
        assert!(queue.length + SLACK <= N);
        let tables = self.avx2.tables;
        // SAFETY: `self` proves the instructions. The edges of a `Cube` are aligned to 16 bytes and
        // followed by its corners; `KernelTables` and its first field are aligned to 64; four rows
        // of `other_side_edges` are 64 bytes. Eight slots from the end of the queue on are free.
        unsafe {
            let faces = faces as __mmask8;
            let cubies = _mm512_broadcast_i32x4(_mm_load_si128(q.edge_bytes().as_ptr().cast()));
            let flips = _mm512_srli_epi16::<1>(_mm512_and_si512(cubies, _mm512_set1_epi8(0x10)));
            let low = painted_edges(tables.other_side_edges[..4].as_ptr().cast(), cubies, flips);
            let high = painted_edges(tables.other_side_edges[4..].as_ptr().cast(), cubies, flips);
            let edges = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            _mm512_storeu_si512(
                queue.edges.as_mut_ptr().add(queue.length).cast(),
                _mm512_maskz_compress_epi64(faces, edges),
            );
            // A lane for each face: for each corner slot, the cubie there is looked up in the paint
            // of the face.
            let cubies =
                _mm512_set1_epi64(q.corner_bytes().as_ptr().cast::<i64>().read_unaligned());
            let face = _mm512_set_epi64(
                7 * EIGHTS,
                6 * EIGHTS,
                5 * EIGHTS,
                4 * EIGHTS,
                3 * EIGHTS,
                2 * EIGHTS,
                EIGHTS,
                0,
            );
            const EIGHTS: i64 = 0x0808_0808_0808_0808;
            let indices = _mm512_or_si512(_mm512_and_si512(cubies, _mm512_set1_epi8(7)), face);
            let paint = _mm512_load_si512(tables.other_side_corners.as_ptr().cast());
            let twists = _mm512_and_si512(cubies, _mm512_set1_epi8(0x30));
            let sum = _mm512_add_epi8(_mm512_permutexvar_epi8(indices, paint), twists);
            let painted = _mm512_min_epu8(sum, _mm512_sub_epi8(sum, _mm512_set1_epi8(0x30)));
            let coordinates = corner_coordinates(painted);
            _mm512_storeu_si512(
                queue.corners.as_mut_ptr().add(queue.length).cast(),
                _mm512_maskz_compress_epi64(faces, coordinates),
            );
        }
        queue.length += faces.count_ones() as usize;
    }

    #[inline(always)]
    fn queue_child<const N: usize>(self, p: &Cube, m: Move, queue: &mut Queue<N>) {
        self.avx2.queue_child(p, m, queue);
    }

    /// Paints two children at once, as AVX2 paints one; then computes the corner indices, eight at
    /// a time.
    #[inline(always)]
    fn queue_children<'a, const N: usize>(
        self,
        mut children: impl ExactSizeIterator<Item = (&'a Cube, Move)>,
        queue: &mut Queue<N>,
    ) {
        let first = queue.length;
        let count = children.len();
        assert!(count <= N && first + count + SLACK <= N);
        // SAFETY: `self` proves the instructions; a `Cube` is 32 bytes, `slices` and `tetrads` are
        // 16 each. There are eight slots from the last child on, and up to eight of them are
        // written.
        unsafe {
            let tables = self.avx2.tables;
            let paint = _mm256_loadu2_m128i(
                tables.tetrads.as_ptr().cast(),
                tables.slices.as_ptr().cast(),
            );
            let paint = _mm512_broadcast_i64x4(paint);
            let orientation = _mm512_set1_epi8(ORIENTATION as i8);
            for i in (first..first + count).step_by(2) {
                let (p, m) = children.next().expect("as many as it has said");
                let (later_p, later_m) = children.next().unwrap_or((p, m));
                let p = load_cubes(p, later_p);
                let m = load_cubes(self.of_move(m), self.of_move(later_m));
                let painted = _mm512_or_si512(
                    _mm512_shuffle_epi8(paint, p),
                    _mm512_and_si512(p, orientation),
                );
                let sum = _mm512_add_epi8(
                    _mm512_shuffle_epi8(painted, m),
                    _mm512_and_si512(m, orientation),
                );
                let slots = wrap_cubes(sum);
                let flips = _mm512_srli_epi16::<1>(_mm512_and_si512(slots, _mm512_set1_epi8(0x10)));
                let nibbles = _mm512_or_si512(_mm512_and_si512(slots, _mm512_set1_epi8(7)), flips);
                let bytes =
                    _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(nibbles, _mm512_set1_epi16(0x1001)));
                let edges = _mm256_castsi256_si128(_mm256_permute4x64_epi64::<0b10_00>(bytes));
                let corners =
                    _mm512_permutexvar_epi64(_mm512_set_epi64(0, 0, 0, 0, 0, 0, 6, 2), slots);
                _mm_storeu_si128(queue.edges.as_mut_ptr().add(i).cast(), edges);
                _mm_storeu_si128(
                    queue.corners.as_mut_ptr().add(i).cast(),
                    _mm512_castsi512_si128(corners),
                );
            }
            // Slots past the end get the index 0.
            _mm512_storeu_si512(
                queue.corners.as_mut_ptr().add(first + count).cast(),
                _mm512_setzero_si512(),
            );
            for i in (first..first + count).step_by(LANES) {
                let corners = queue.corners.as_mut_ptr().add(i);
                _mm512_storeu_si512(
                    corners.cast(),
                    corner_coordinates(_mm512_loadu_si512(corners.cast())),
                );
            }
        }
        queue.length += count;
    }

    #[inline(always)]
    fn locate<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>) {
        assert!(queue.length + SLACK <= N);
        // A software pipeline: round i picks the bits of chunk i, computes the addresses of chunk i
        // − 1 and prefetches for chunk i − 2. So no wide load reads narrow stores of the same
        // round, which the processor could not forward to it. Prefetches are also spread over time.
        // If they need page walks, however, it is faster to have all at the end, so that the walks
        // overlap (decision 38).
        let spreads_prefetches = size_of_val(entries.words) <= TLB_REACH;
        let chunks = queue.length.div_ceil(LANES);
        let mut picked = [Picked::EMPTY; 2];
        for round in 0..chunks + 2 {
            // SAFETY: `self` proves the instructions. Up to seven slots past the end are processed:
            // they are in the queue, and hold zeros or paintings queued earlier, which can be
            // located as well.
            unsafe {
                if round < chunks {
                    self.pick_chunk(queue, LANES * round, &mut picked[round % 2]);
                }
                if (1..=chunks).contains(&round) {
                    let addresses = addresses(&picked[(round - 1) % 2], entries.layout);
                    _mm512_storeu_si512(
                        queue.addresses.as_mut_ptr().add(LANES * (round - 1)).cast(),
                        addresses,
                    );
                }
                if spreads_prefetches && round > 1 {
                    for i in LANES * (round - 2)..LANES * (round - 1) {
                        entries.prefetch(*queue.addresses.get_unchecked(i));
                    }
                }
            }
        }
        if !spreads_prefetches {
            queue.prefetch(entries);
        }
    }

    #[inline(always)]
    unsafe fn read<const N: usize>(self, queue: &mut Queue<N>, entries: &TableEntries<'_>) {
        assert!(queue.length + SLACK <= N);
        // SAFETY: by the contract of this function; up to seven slots past the end are read and
        // written: they are in the queue, and were located together with the others.
        unsafe {
            let [low, high] = [0, 128].map(|at| Values::load(entries.values.as_ptr().add(at)));
            for first in (0..queue.length).step_by(LANES) {
                // Eight loads cost less than one gather.
                let mut words = [0u64; LANES];
                for (i, word) in words.iter_mut().enumerate() {
                    *word = *entries
                        .words
                        .get_unchecked(queue.addresses.get_unchecked(first + i).word());
                }
                let words = _mm512_loadu_si512(words.as_ptr().cast());
                let addresses = _mm512_loadu_si512(queue.addresses.as_ptr().add(first).cast());
                let in_word = _mm512_srli_epi64::<{ EntryAddress::IN_WORD_SHIFT }>(addresses);
                // The shift gives zero for counts above 63. So the bit of the half, above the six
                // bits of the count, is cleared.
                let codes =
                    _mm512_srlv_epi64(words, _mm512_and_si512(in_word, _mm512_set1_epi64(63)));
                let codes = _mm512_and_si512(codes, _mm512_set1_epi64(7));
                let second =
                    _mm512_and_si512(_mm512_srli_epi64::<3>(in_word), _mm512_set1_epi64(8));
                let alphabets =
                    _mm512_and_si512(_mm512_srli_epi64::<56>(words), _mm512_set1_epi64(0xf0));
                let places = _mm512_or_si512(codes, _mm512_or_si512(second, alphabets));
                let places = _mm512_castsi128_si512(_mm512_cvtepi64_epi8(places));
                let bounds = _mm512_mask_blend_epi8(
                    _mm512_movepi8_mask(places),
                    low.at(places),
                    high.at(places),
                );
                _mm_storel_epi64(
                    queue.bounds.as_mut_ptr().add(first).cast(),
                    _mm512_castsi512_si128(bounds),
                );
            }
        }
    }

    #[inline(always)]
    fn expand(self, bytes: u64, set: u32) -> u64 {
        self.avx2.expand(bytes, set)
    }

    #[inline(always)]
    fn expand_eight(self, bytes: &[u8; 64], sets: u64, places: &mut [u64; 8]) {
        // SAFETY: `self` proves the instructions; all of these are 64 bytes.
        unsafe {
            let bytes = _mm512_loadu_si512(bytes.as_ptr().cast());
            let before = _mm512_loadu_si512(places.as_ptr().cast());
            _mm512_storeu_si512(
                places.as_mut_ptr().cast(),
                _mm512_mask_expand_epi8(before, sets, bytes),
            );
        }
    }

    #[inline(always)]
    fn exceeding(self, numbers: &[u64; 8], limits: u64) -> u64 {
        // SAFETY: `self` proves the instructions; eight numbers are 64 bytes.
        unsafe {
            let number = _mm512_set_epi64(
                7 * ONES,
                6 * ONES,
                5 * ONES,
                4 * ONES,
                3 * ONES,
                2 * ONES,
                ONES,
                0,
            );
            const ONES: i64 = 0x0101_0101_0101_0101;
            let limits = _mm512_shuffle_epi8(_mm512_set1_epi64(limits as i64), number);
            _mm512_cmpgt_epu8_mask(_mm512_loadu_si512(numbers.as_ptr().cast()), limits)
        }
    }

    #[inline(always)]
    fn list(self, set: u32, numbers: &mut [u8; LISTED]) {
        // SAFETY: `self` proves the instructions.
        unsafe {
            let all = _mm256_set_epi64x(
                0x1f1e_1d1c_1b1a_1918,
                0x1716_1514_1312_1110,
                0x0f0e_0d0c_0b0a_0908,
                0x0706_0504_0302_0100,
            );
            _mm256_storeu_si256(
                numbers.as_mut_ptr().cast(),
                _mm256_maskz_compress_epi8(set, all),
            );
        }
    }

    #[inline(always)]
    fn at_most(self, bounds: &[u8; 64], limits: &[u8; 64]) -> u64 {
        // SAFETY: `self` proves the instructions; both arrays are 64 bytes.
        unsafe {
            let bounds = _mm512_loadu_si512(bounds.as_ptr().cast());
            let limits = _mm512_loadu_si512(limits.as_ptr().cast());
            _mm512_cmple_epi8_mask(bounds, limits)
        }
    }

    #[inline(always)]
    fn mark(self, map: &EdgeMap, paintings: &[EdgePainting], layout: Layout, bitmap: &mut [u64]) {
        mark(self, map, paintings, layout, bitmap);
    }
}

/// 128 values, looked up by the low seven bits of each byte.
#[derive(Clone, Copy)]
struct Values([__m512i; 2]);

impl Values {
    /// Loads 128 values.
    ///
    /// # Safety
    /// The machine must have AVX-512, and 128 bytes must be readable at `values`.
    #[inline(always)]
    unsafe fn load(values: *const u8) -> Values {
        // SAFETY: by the contract of this function.
        unsafe {
            Values([
                _mm512_loadu_si512(values.cast()),
                _mm512_loadu_si512(values.add(64).cast()),
            ])
        }
    }

    /// Looks up the values at `places`.
    ///
    /// # Safety
    /// The machine must have AVX-512 with VBMI.
    #[inline(always)]
    unsafe fn at(self, places: __m512i) -> __m512i {
        // SAFETY: by the contract of this function.
        unsafe { _mm512_permutex2var_epi8(self.0[0], places, self.0[1]) }
    }
}

/// Loads two positions.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn load_cubes(low: &Cube, high: &Cube) -> __m512i {
    // SAFETY: by the contract of this function; a `Cube` is 32 bytes, aligned to 32.
    unsafe {
        let [low, high] = [
            _mm256_load_si256((&raw const *low).cast()),
            _mm256_load_si256((&raw const *high).cast()),
        ];
        _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
    }
}

/// Reduces the sums of orientations in two positions or paintings, like `wrap` of `vector`: flips
/// modulo two, twists modulo three.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn wrap_cubes(sum: __m512i) -> __m512i {
    // SAFETY: by the contract of this function.
    unsafe {
        let modulus =
            _mm512_broadcast_i64x4(_mm256_setr_m128i(_mm_set1_epi8(0x20), _mm_set1_epi8(0x30)));
        _mm512_min_epu8(sum, _mm512_sub_epi8(sum, modulus))
    }
}

/// Returns the edges of four paintings, given the paint of four faces, a lane each.
///
/// # Safety
/// The machine must have AVX-512, and 64 bytes must be readable at `paint`.
#[inline(always)]
unsafe fn painted_edges(paint: *const u8, cubies: __m512i, flips: __m512i) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe {
        let painted = _mm512_xor_si512(
            _mm512_shuffle_epi8(_mm512_loadu_si512(paint.cast()), cubies),
            flips,
        );
        _mm512_cvtepi16_epi8(_mm512_maddubs_epi16(painted, _mm512_set1_epi16(0x1001)))
    }
}

/// Returns the corner indices of eight cubes; each byte is tetrad + 16 · twist of a slot.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn corner_coordinates(corners: __m512i) -> __m512i {
    // SAFETY: by the contract of this function.
    unsafe {
        let tetrads = _mm512_test_epi8_mask(corners, _mm512_set1_epi64(0x0001_0101_0101_0101));
        let tetrads = _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(tetrads as i64));
        let twists = _mm512_and_si512(_mm512_srli_epi16::<4>(corners), _mm512_set1_epi8(3));
        let pairs = _mm512_maddubs_epi16(twists, _mm512_set1_epi64(0x0001_0301_0301_0301));
        let halves = _mm512_madd_epi16(pairs, _mm512_set1_epi64(0x02d9_0051_0009_0001));
        let twists = _mm512_add_epi32(halves, _mm512_srli_epi64::<32>(halves));
        let twists = _mm512_and_si512(twists, _mm512_set1_epi64(0xffff));
        _mm512_add_epi64(
            _mm512_mul_epu32(tetrads, _mm512_set1_epi64(TWISTS as i64)),
            twists,
        )
    }
}

/// Implements [`Kernel::mark`].
#[inline(always)]
fn mark(
    kernel: Avx512,
    map: &EdgeMap,
    paintings: &[EdgePainting],
    layout: Layout,
    bitmap: &mut [u64],
) {
    assert!(bitmap.len() * 64 >= PLACEMENTS << layout.kept_flips);
    let mut batch = PaintingBatch::EMPTY;
    // SAFETY: `kernel` proves the instructions. Whatever the paintings, a placement is less than
    // `PLACEMENTS` (`rank_of_others`) and an offset keeps `kept_flips` bits below it, so it is less
    // than `PLACEMENTS << kept_flips`; the bitmap has a bit for each.
    unsafe {
        let map = WideMap::new(map);
        for paintings in paintings.chunks(BATCH) {
            match paintings.try_into() {
                Ok(whole) => map.apply(whole, &mut batch),
                Err(_) => map.apply(&padded(paintings), &mut batch),
            }
            for i in 0..paintings.len() {
                let ones = u32::from(batch.ones[i]);
                let twos = u32::from(batch.twos[i]);
                let others = _pext_u32(twos, ones ^ 0xfff);
                let placement = kernel.avx2.tables.ranks.rank_of_others(ones, others);
                let offset = layout.offset(placement, u32::from(batch.flips[i]));
                *bitmap.get_unchecked_mut(offset as usize / 64) |= 1 << (offset % 64);
            }
        }
    }
}

/// Number of paintings that are mapped before the first of them is ranked and marked. If they were
/// processed four by four, each step would wait for the stores of the previous one.
const BATCH: usize = 32;

/// Mapped paintings: the slots of slice 1, the slots of slice 2, and the flips, a bit a slot.
struct PaintingBatch {
    ones: [u16; BATCH],
    twos: [u16; BATCH],
    flips: [u16; BATCH],
}

impl PaintingBatch {
    const EMPTY: PaintingBatch = PaintingBatch {
        ones: [0; BATCH],
        twos: [0; BATCH],
        flips: [0; BATCH],
    };
}

/// An [`EdgeMap`] for four paintings at once.
struct WideMap {
    /// For each byte, the bit where the nibble of its slot starts.
    select: __m512i,
    relabel: __m512i,
    flips: __m512i,
}

impl WideMap {
    /// Loads a map.
    ///
    /// # Safety
    /// The machine must have AVX-512 with BW.
    #[inline(always)]
    unsafe fn new(map: &EdgeMap) -> WideMap {
        // SAFETY: by the contract of this function.
        unsafe {
            // Past the twelfth slot a painting has a slot of zeros.
            let from = _mm512_min_epu8(load_four(&map.from), _mm512_set1_epi8(12));
            let select = _mm512_slli_epi16::<2>(from);
            WideMap {
                select,
                relabel: load_four(&map.relabel),
                flips: load_four(&map.flips),
            }
        }
    }

    /// Maps paintings.
    ///
    /// # Safety
    /// The machine must have AVX-512 with BW and VBMI.
    #[inline(always)]
    unsafe fn apply(&self, paintings: &[EdgePainting; BATCH], batch: &mut PaintingBatch) {
        // SAFETY: by the contract of this function; four paintings from `first` on lie in the
        // arrays.
        unsafe {
            let twice = _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3);
            for first in (0..BATCH).step_by(4) {
                let four = _mm256_loadu_si256(paintings.as_ptr().add(first).cast());
                let four = _mm512_permutexvar_epi64(twice, _mm512_castsi256_si512(four));
                // Eight bits from the start of each nibble, of which the permutation reads six;
                // `relabel` holds its 16 bytes four times, so the upper two of these have no
                // effect.
                let nibbles = _mm512_multishift_epi64_epi8(self.select, four);
                let mapped =
                    _mm512_xor_si512(_mm512_permutexvar_epi8(nibbles, self.relabel), self.flips);
                let ones = _mm512_test_epi8_mask(mapped, _mm512_set1_epi8(1 << 1));
                let twos = _mm512_test_epi8_mask(mapped, _mm512_set1_epi8(1 << 2));
                batch
                    .ones
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(ones);
                batch
                    .twos
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(twos);
                batch
                    .flips
                    .as_mut_ptr()
                    .add(first)
                    .cast::<u64>()
                    .write_unaligned(_mm512_movepi8_mask(mapped));
            }
        }
    }
}

/// Returns the paintings, at most [`BATCH`], filled up with empty ones.
fn padded(paintings: &[EdgePainting]) -> [EdgePainting; BATCH] {
    let mut padded = [EdgePainting(0); BATCH];
    padded[..paintings.len()].copy_from_slice(paintings);
    padded
}

/// Loads 16 bytes into all four lanes.
///
/// # Safety
/// The machine must have AVX-512.
#[inline(always)]
unsafe fn load_four(bytes: &[u8; 16]) -> __m512i {
    // SAFETY: by the contract of this function.
    unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
}
