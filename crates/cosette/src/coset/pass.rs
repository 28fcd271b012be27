//! A pass: every move of H applied to all marked members at once.
//!
//! A pass adds to the members within n moves their images under the ten moves of H (`members`). It
//! writes a new bitmap cell by cell, each from eleven cells of the old one: the cell itself and its
//! preimages under the ten moves. So threads never wait for each other, and no written cell is
//! read.
//!
//! In quarter turns, a half turn is two moves, and each quarter turn changes the parity of the
//! corners. So level n adds members to only half of the cells: by quarter turns from the other
//! half, where level n - 1 added members, and by half turns from the same half, where level n - 2
//! did.
//!
//! Cells are processed in groups that turns of U and D carry to themselves, up to sixteen rows of
//! corners by sixteen of edges: 98 kB, which stay in the processor's cache while they are read
//! seven times. The other four sources are read once, from memory, which bounds the time.

use super::members::{
    CELL, FIRST_HALF_TURN, MOVES, MemberNumbering, REGISTER_BITS, REGISTERS, ROWS,
};
use crate::control::{Control, Threads};
use crate::kernel::prefetch;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of bytes of a register.
const REGISTER: usize = REGISTER_BITS / 8;

/// Number of cells by which the sources of a cell are prefetched in advance.
const AHEAD: usize = 32;

/// The source of a cell under a move.
struct CellSource<'a> {
    /// The offset of the cell before the move, in bytes.
    cell: usize,
    /// The label bits that the move flips.
    labels: u8,
    /// For each register of the cell after the move, the register before it.
    registers: &'a [u8; REGISTERS],
}

/// The registers of a move that leaves the slice as it is.
static UNMOVED: [u8; REGISTERS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

/// The input of a pass.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub members: &'a MemberNumbering,
    /// The bitmap of the members marked before.
    pub old: &'a [u8],
    /// In quarter turns, the parity of the corners of the new members: `true` if odd.
    pub corner_parity: Option<bool>,
}

impl Pass<'_> {
    /// Writes to `new` the members of the old bitmap and their images under the moves of H (in
    /// quarter turns, only images of the parity `corner_parity`). Returns the number of written
    /// members; `None` on cancellation.
    pub fn run(&self, new: &mut [u8], threads: &Threads, control: &Control<'_>) -> Option<u64> {
        let mut blocks = new.chunks_mut(ROWS * CELL);
        let groups = self.members.groups.windows(2).map(|group| {
            let rows = group[0]..group[1];
            (
                rows.clone(),
                blocks.by_ref().take(rows.len()).collect::<Vec<_>>(),
            )
        });
        let finished_rows = AtomicU64::new(0);
        let work = |(): &mut (), (rows, mut blocks): (Range<usize>, Vec<&mut [u8]>)| {
            if control.is_cancelled() {
                return Err(());
            }
            let count = PassKernel::best().group(self, rows.clone(), &mut blocks);
            control.report(
                rows.len() as u64 + finished_rows.fetch_add(rows.len() as u64, Ordering::Relaxed),
                ROWS as u64,
            );
            Ok(count)
        };
        let counts = threads.map(groups.collect(), || (), work).ok()?;
        Some(counts.into_iter().sum())
    }
}

/// The instruction set of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassKernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl PassKernel {
    fn best() -> PassKernel {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            return PassKernel::Avx2;
        }
        PassKernel::Portable
    }

    /// Writes the blocks of these corner rows, and returns the number of their members.
    fn group(self, pass: &Pass<'_>, rows: Range<usize>, blocks: &mut [&mut [u8]]) -> u64 {
        match self {
            PassKernel::Portable => group::<[u64; 4]>(pass, rows, blocks),
            #[cfg(target_arch = "x86_64")]
            PassKernel::Avx2 => {
                #[target_feature(enable = "avx2,popcnt")]
                fn with_avx2(pass: &Pass<'_>, rows: Range<usize>, blocks: &mut [&mut [u8]]) -> u64 {
                    group::<avx2::Wide>(pass, rows, blocks)
                }
                // SAFETY: `best` and the tests have seen that the machine has these instructions.
                unsafe { with_avx2(pass, rows, blocks) }
            }
        }
    }
}

/// Implements [`PassKernel::group`] for a kind of register.
#[inline(always)]
fn group<R: Register>(pass: &Pass<'_>, rows: Range<usize>, blocks: &mut [&mut [u8]]) -> u64 {
    let &Pass {
        members,
        old,
        corner_parity,
    } = pass;
    let first_row = rows.start;
    let cells = members.groups.windows(2).flat_map(|edge_group| {
        rows.clone().flat_map(move |corner_row| {
            (edge_group[0]..edge_group[1]).map(move |edge_row| (corner_row, edge_row))
        })
    });
    let mut ahead = cells.clone();
    let mut prefetch_next = || {
        if let Some((corner_row, edge_row)) = ahead.next() {
            let sources = sources(members, corner_row, edge_row);
            let from_memory = sources[FIRST_HALF_TURN..].iter().map(|source| source.cell);
            for cell in from_memory.chain([(corner_row * ROWS + edge_row) * CELL]) {
                old[cell..][..CELL]
                    .chunks(64)
                    .for_each(|line| prefetch(line.as_ptr()));
            }
        }
    };
    (0..AHEAD).for_each(|_| prefetch_next());
    let mut count = 0;
    for (corner_row, edge_row) in cells {
        prefetch_next();
        let sources = sources(members, corner_row, edge_row);
        let cell = (corner_row * ROWS + edge_row) * CELL;
        let new = &mut blocks[corner_row - first_row][edge_row * CELL..][..CELL];
        let moves = match corner_parity {
            None => PASS_MOVES[0],
            Some(is_odd) if is_odd == members.corners.is_odd[corner_row] => PASS_MOVES[1],
            Some(_) => &[],
        };
        count += self::cell::<R>(
            old,
            cell,
            &sources,
            moves,
            new.try_into().expect("it is a cell"),
        );
    }
    count
}

/// Indices in [`MOVES`] of the moves of a pass: all in half turns, and all but U2 and D2 in quarter
/// turns, where two passes make these of quarter turns.
const PASS_MOVES: [&[usize]; 2] = [&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], &[0, 2, 3, 5, 6, 7, 8, 9]];

/// Returns the sources of a cell: its preimage under each move.
#[inline(always)]
fn sources(
    members: &MemberNumbering,
    corner_row: usize,
    edge_row: usize,
) -> [CellSource<'_>; MOVES.len()] {
    let corners = &members.corners.after[corner_row];
    let edges = &members.edges.after[edge_row];
    let is_odd = members.corners.is_odd[corner_row] != members.edges.is_odd[edge_row];
    let slice_before = &members.slice_before[usize::from(is_odd)];
    // These are images under the moves. They serve as preimages, as the inverse of each move is a
    // move as well.
    std::array::from_fn(|i| {
        let [corners, edges] = [corners[i], edges[i]].map(usize::from);
        let registers = if i < FIRST_HALF_TURN {
            &UNMOVED
        } else {
            &slice_before[i - FIRST_HALF_TURN]
        };
        let labels = corners % 16 * 16 + edges % 16;
        CellSource {
            cell: (corners / 16 * ROWS + edges / 16) * CELL,
            labels: labels as u8,
            registers,
        }
    })
}

/// Writes a cell, and returns the number of its members.
#[inline(always)]
fn cell<R: Register>(
    old: &[u8],
    cell: usize,
    sources: &[CellSource<'_>; MOVES.len()],
    moves: &[usize],
    new: &mut [u8; CELL],
) -> u64 {
    let register = |cell: &[u8; CELL], number: usize| {
        R::load(
            cell[number * REGISTER..][..REGISTER]
                .try_into()
                .expect("it is a register"),
        )
    };
    let cell_at =
        |cell: usize| -> &[u8; CELL] { old[cell..][..CELL].try_into().expect("it is a cell") };
    let own_cell = cell_at(cell);
    let mut union: [R; REGISTERS] = std::array::from_fn(|number| register(own_cell, number));
    for source in moves.iter().map(|&i| &sources[i]) {
        let before = cell_at(source.cell);
        let exchange = R::exchange(source.labels);
        for (number, union) in union.iter_mut().enumerate() {
            let before = register(before, usize::from(source.registers[number]) % REGISTERS);
            *union = union.or(before.exchanged(&exchange));
        }
    }
    let mut count = 0;
    for (union, new) in union.into_iter().zip(new.chunks_exact_mut(REGISTER)) {
        count += union.count();
        union.store(new.try_into().expect("it is a register"));
    }
    count
}

/// A register of 256 bits.
trait Register: Copy {
    /// An exchange: it swaps bits whose numbers differ in the label bits that a move flips.
    type Exchange;

    fn load(bytes: &[u8; REGISTER]) -> Self;
    /// Writes the register past the cache, to an address that is a multiple of its size.
    fn store(self, bytes: &mut [u8; REGISTER]);
    fn or(self, other: Self) -> Self;
    fn exchange(labels: u8) -> Self::Exchange;
    fn exchanged(self, exchange: &Self::Exchange) -> Self;
    fn count(self) -> u64;
}

impl Register for [u64; 4] {
    type Exchange = u8;

    #[inline(always)]
    fn load(bytes: &[u8; REGISTER]) -> [u64; 4] {
        std::array::from_fn(|word| {
            u64::from_le_bytes(bytes[8 * word..][..8].try_into().expect("there are eight"))
        })
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8; REGISTER]) {
        bytes
            .chunks_exact_mut(8)
            .zip(self)
            .for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    }

    #[inline(always)]
    fn or(self, other: [u64; 4]) -> [u64; 4] {
        std::array::from_fn(|word| self[word] | other[word])
    }

    #[inline(always)]
    fn exchange(labels: u8) -> u8 {
        labels
    }

    #[inline(always)]
    fn exchanged(self, &labels: &u8) -> [u64; 4] {
        /// For each bit of a number below 64, a mask of the numbers in which it is clear.
        const CLEAR: [u64; 6] = [
            0x5555_5555_5555_5555,
            0x3333_3333_3333_3333,
            0x0f0f_0f0f_0f0f_0f0f,
            0x00ff_00ff_00ff_00ff,
            0x0000_ffff_0000_ffff,
            0x0000_0000_ffff_ffff,
        ];
        std::array::from_fn(|word| {
            CLEAR.into_iter().enumerate().fold(
                self[word ^ usize::from(labels >> 6)],
                |bits, (i, clear)| {
                    let swapped = clear & (u64::from(labels >> i & 1)).wrapping_neg();
                    let differing = (bits >> (1 << i) ^ bits) & swapped;
                    bits ^ differing ^ differing << (1 << i)
                },
            )
        })
    }

    #[inline(always)]
    fn count(self) -> u64 {
        self.into_iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{REGISTER, Register};
    use std::arch::x86_64::*;

    /// A register of AVX2. All its methods run in a function compiled for AVX2, on a machine that
    /// has it.
    #[derive(Clone, Copy)]
    pub(super) struct Wide(__m256i);

    /// The operands of the shuffles that exchange the lanes of a register, the bytes of each lane,
    /// and the bits of each byte, separately for its low and its high nibble.
    #[derive(Clone, Copy)]
    pub(super) struct Exchange {
        lanes: __m256i,
        bytes: __m256i,
        low: __m256i,
        high: __m256i,
    }

    /// For label bit 7, clear or set, the 32-bit words of the old register in the new one.
    static LANES: [[u32; 8]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 0, 1, 2, 3]];
    /// For label bits 3 to 6, the bytes of an old lane in the new one.
    static BYTES: [[u8; 16]; 16] = {
        let mut bytes = [[0; 16]; 16];
        let mut i = 0;
        while i < 256 {
            bytes[i / 16][i % 16] = ((i / 16) ^ (i % 16)) as u8;
            i += 1;
        }
        bytes
    };
    /// For label bits 0 to 2, the images of the low nibble of a byte, and of the high one.
    static NIBBLES: [[[u8; 16]; 2]; 8] = {
        let mut nibbles = [[[0; 16]; 2]; 8];
        let mut i = 0;
        while i < 8 * 2 * 16 * 4 {
            let labels = i / 128;
            let half = i / 64 % 2;
            let nibble = i / 4 % 16;
            let bit = i % 4;
            nibbles[labels][half][nibble] |=
                ((nibble >> bit & 1) as u8) << ((4 * half + bit) ^ labels);
            i += 1;
        }
        nibbles
    };

    /// Returns a register with these bytes in both lanes.
    #[inline(always)]
    fn twice(bytes: &[u8; 16]) -> __m256i {
        // SAFETY: sixteen bytes are read, from anywhere; the machine has AVX2.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }

    impl Register for Wide {
        type Exchange = Exchange;

        #[inline(always)]
        fn load(bytes: &[u8; REGISTER]) -> Wide {
            // SAFETY: 32 bytes are read, from anywhere; the machine has AVX2.
            Wide(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
        }

        #[inline(always)]
        fn store(self, bytes: &mut [u8; REGISTER]) {
            let start = bytes.as_mut_ptr().cast::<__m256i>();
            debug_assert!(start.is_aligned());
            // SAFETY: 32 bytes are written, to a multiple of 32; the machine has AVX2. A rayon
            // join, which every pass ends with, comes after a locked instruction, which such stores
            // are not delayed past.
            unsafe { _mm256_stream_si256(start, self.0) }
        }

        #[inline(always)]
        fn or(self, other: Wide) -> Wide {
            // SAFETY: the machine has AVX2.
            Wide(unsafe { _mm256_or_si256(self.0, other.0) })
        }

        #[inline(always)]
        fn exchange(labels: u8) -> Exchange {
            let labels = usize::from(labels);
            let [low, high] = &NIBBLES[labels % 8];
            // SAFETY: 32 bytes are read, from anywhere; the machine has AVX2.
            let lanes = unsafe { _mm256_loadu_si256(LANES[labels / 128].as_ptr().cast()) };
            Exchange {
                lanes,
                bytes: twice(&BYTES[labels / 8 % 16]),
                low: twice(low),
                high: twice(high),
            }
        }

        #[inline(always)]
        fn exchanged(self, exchange: &Exchange) -> Wide {
            // SAFETY: the machine has AVX2.
            unsafe {
                let lanes = _mm256_permutevar8x32_epi32(self.0, exchange.lanes);
                let bytes = _mm256_shuffle_epi8(lanes, exchange.bytes);
                let nibble = _mm256_set1_epi8(0x0f);
                let low = _mm256_shuffle_epi8(exchange.low, _mm256_and_si256(bytes, nibble));
                let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), nibble);
                Wide(_mm256_or_si256(
                    low,
                    _mm256_shuffle_epi8(exchange.high, high),
                ))
            }
        }

        #[inline(always)]
        fn count(self) -> u64 {
            let mut bytes = [0; REGISTER];
            // SAFETY: 32 bytes are written, to anywhere; the machine has AVX2.
            unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), self.0) };
            <[u64; 4]>::load(&bytes).count()
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[repr(align(32))]
    struct AlignedBytes<const SIZE: usize>([u8; SIZE]);

    #[test]
    fn avx2_and_portable_code_give_the_same_bits() {
        if PassKernel::best() != PassKernel::Avx2 {
            return;
        }
        let mut generator = ChaCha8Rng::seed_from_u64(42);
        for labels in 0..=255 {
            let mut bytes = [0; REGISTER];
            generator.fill_bytes(&mut bytes);
            let portable = <[u64; 4]>::load(&bytes).exchanged(&labels);
            for bit in 0..REGISTER_BITS {
                let other = bit ^ usize::from(labels);
                let expected = u64::from(bytes[other / 8] >> (other % 8) & 1);
                assert_eq!(portable[bit / 64] >> (bit % 64) & 1, expected);
            }
            let wide = avx2::Wide::load(&bytes).exchanged(&avx2::Wide::exchange(labels));
            assert_eq!(wide.count(), portable.count());
            let mut stored = AlignedBytes([0; REGISTER]);
            wide.store(&mut stored.0);
            assert_eq!(<[u64; 4]>::load(&stored.0), portable);
        }
        let members = MemberNumbering::new();
        let mut old = vec![0; (MOVES.len() + 1) * CELL];
        generator.fill_bytes(&mut old);
        for (corner_row, edge_row) in [(0, 0), (17, 2000), (2519, 1), (1000, 1001)] {
            let mut sources = sources(&members, corner_row, edge_row);
            for (source, cell) in sources.iter_mut().zip(1..) {
                source.cell = cell * CELL;
            }
            let moves = PASS_MOVES[0];
            let [mut portable, mut wide] = [(); 2].map(|()| AlignedBytes([0; CELL]));
            let count = cell::<[u64; 4]>(&old, 0, &sources, moves, &mut portable.0);
            let wide_count = cell::<avx2::Wide>(&old, 0, &sources, moves, &mut wide.0);
            assert_eq!(wide_count, count);
            assert_eq!(portable.0, wide.0);
        }
    }
}
