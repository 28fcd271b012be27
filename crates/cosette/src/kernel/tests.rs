//! Tests of every kernel against the definitions of the coordinates, on random positions.

use super::*;
use crate::coord::{
    CornerClasses, CornerPainting, ENTRIES_PER_WORD, EdgePainting, EntryAddress, Layout,
    PLACEMENTS, VALUES, WORDS_PER_LINE, edge_conjugations,
};
use crate::cube::{Cube, Face, Move, Symmetry, Turn, random_positions};

/// A loop that checks that the results of a kernel are those of the definitions.
struct AgreesWithDefinitions {
    positions: usize,
    /// `true` for a small test, without the classes of corner paintings and without a table. It
    /// takes Miri a minute or two.
    is_small: bool,
}

impl Work for AgreesWithDefinitions {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let positions: Vec<Cube> = random_positions(5)
            .take(self.positions)
            .chain([Cube::SOLVED])
            .collect();
        for (p, q) in positions.iter().zip(positions.iter().rev()) {
            assert_eq!(kernel.compose(p, q), p.compose(q));
            for m in Move::ALL {
                let expected = [
                    [p.apply(m), Cube::from_move(!m).compose(q)],
                    [Cube::from_move(!m).compose(p), q.apply(m)],
                ];
                for (side, expected) in expected.into_iter().enumerate() {
                    let mut turned = [Cube::SOLVED; 2];
                    kernel.turn(&[*p, *q], side, m, &mut turned);
                    assert_eq!(turned, expected);
                }
            }
        }
        expands_like_the_definition(kernel);
        lists_and_compares_like_the_definition(kernel);
        marks_like_the_definition(kernel, &positions);
        if self.is_small {
            return;
        }
        reads_like_the_definition(kernel, &positions);
        locates_like_the_definition(kernel, &positions);
    }
}

#[inline(always)]
fn locates_like_the_definition<K: Kernel>(kernel: K, positions: &[Cube]) {
    let mut queue = Box::new(Queue::<96>::EMPTY);
    for (number, p) in positions.iter().enumerate() {
        // All sets of faces occur, and all lengths of queues below 3 · 8.
        let is_in_set = |face: &Face| number >> face.index() & 1 == 1;
        let backward = |face| *Cube::from_move(Move::new(face, Turn::Counterclockwise));
        let faces = Face::ALL.into_iter().filter(is_in_set);
        let other_side = faces.map(|face| backward(face).compose(p));
        let children = &Move::ALL[number % 18..];
        let expected = other_side.chain(children.iter().map(|&m| p.apply(m)));
        let expected: Vec<Cube> = expected.collect();
        queue.clear();
        kernel.queue_other_side(p, number as u32 & 63, &mut queue);
        kernel.queue_children(children.iter().map(|&m| (p, m)), &mut queue);
        assert_eq!(queue.len(), expected.len());
        for kept_flips in [0, 3, 6, 9] {
            let layout = Layout::new(kept_flips);
            let entries = TableEntries {
                words: &[],
                layout,
                values: &[0; VALUES],
            };
            kernel.locate(&mut queue, &entries);
            let addresses = expected.iter().map(|cube| address_of(cube, layout));
            assert!(queue.addresses().iter().copied().eq(addresses));
        }
    }
}

fn address_of(p: &Cube, layout: Layout) -> EntryAddress {
    let (class, s) = CornerClasses::get().classify(CornerPainting::of(p).coordinate());
    let edges = EdgePainting::of(&p.conjugate(s));
    let offset =
        edges.placement() << layout.kept_flips | edges.flips() & ((1 << layout.kept_flips) - 1);
    let word = class * layout.lines_per_class * WORDS_PER_LINE as u32 + offset / ENTRIES_PER_WORD;
    let slot = offset % ENTRIES_PER_WORD;
    EntryAddress(u64::from(word) + (u64::from(64 * (slot % 2) + 3 * (slot / 2)) << 32))
}

#[inline(always)]
fn reads_like_the_definition<K: Kernel>(kernel: K, positions: &[Cube]) {
    let layout = Layout::new(0);
    let words = CornerClasses::COUNT * layout.lines_per_class as usize * WORDS_PER_LINE;
    // Any table will do: the words are the multiples of an odd number.
    let words: Vec<u64> = (0..words as u64)
        .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        .collect();
    let values = std::array::from_fn(|i| i as u8 ^ 0x5a);
    let entries = TableEntries {
        words: &words,
        layout,
        values: &values,
    };
    let mut queue = Box::new(Queue::<48>::EMPTY);
    for p in positions {
        queue.clear();
        kernel.queue_children(Move::ALL.iter().map(|&m| (p, m)), &mut queue);
        kernel.locate(&mut queue, &entries);
        // SAFETY: the queue was located in this table.
        unsafe { kernel.read(&mut queue, &entries) };
        for m in Move::ALL {
            let address = address_of(&p.apply(m), layout).0;
            let word = words[address as u32 as usize];
            let in_word = address >> 32;
            let code = (word >> (in_word % 64)) % 8;
            let value = (word >> 60) * 16 + 8 * (in_word / 64) + code;
            assert_eq!(queue.bounds()[m.index()], values[value as usize]);
        }
    }
}

#[inline(always)]
fn expands_like_the_definition<K: Kernel>(kernel: K) {
    for (set, expected) in [
        (0, 0),
        (0b10_1010, 0x0000_0400_0300_0200),
        (0b11_1111, 0x0000_0706_0504_0302),
    ] {
        assert_eq!(kernel.expand(0x0908_0706_0504_0302, set), expected);
    }
    let unchanged_byte = 9 << 48;
    let bytes = std::array::from_fn(|i| i as u8 + 1);
    let mut places = [unchanged_byte; 8];
    kernel.expand_eight(&bytes, 0x0001_0000_0000_3f2a, &mut places);
    let mut expected = [unchanged_byte; 8];
    expected[0] |= 0x0300_0200_0100;
    expected[1] |= 0x0908_0706_0504;
    expected[6] |= 0x0a;
    assert_eq!(places, expected);
    let limits = 0x0009_7e08_0802_0501u64;
    let exceeds =
        |bit: usize| places[bit / 8].to_le_bytes()[bit % 8] > limits.to_le_bytes()[bit / 8];
    let exceeding = (0..64).fold(0, |set, bit| set | u64::from(exceeds(bit)) << bit);
    assert_eq!(kernel.exceeding(&places, limits), exceeding);
}

#[inline(always)]
fn lists_and_compares_like_the_definition<K: Kernel>(kernel: K) {
    let mut state = 1u64;
    let mut byte = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    for round in 0..100 {
        // Every third round compares bytes that are nearly equal.
        let bounds: [u8; 64] = std::array::from_fn(|_| byte());
        let limits = bounds.map(|bound| {
            if round % 3 == 0 {
                bound.wrapping_add(byte() % 3).wrapping_sub(1)
            } else {
                byte()
            }
        });
        let is_at_most = |i: usize| u64::from(bounds[i] as i8 <= limits[i] as i8);
        let expected = (0..64).fold(0, |set, i| set | is_at_most(i) << i);
        assert_eq!(kernel.at_most(&bounds, &limits), expected);

        let mask = if round % 2 == 0 {
            u32::MAX
        } else {
            0x0102_0400
        };
        let set = u32::from_le_bytes(std::array::from_fn(|_| byte())) & mask;
        let mut numbers = [0xff; LISTED];
        kernel.list(set, &mut numbers);
        let expected: Vec<u8> = (0..32).filter(|i| set >> i & 1 == 1).collect();
        assert_eq!(numbers[..expected.len()], expected);
    }
}

#[inline(always)]
fn marks_like_the_definition<K: Kernel>(kernel: K, positions: &[Cube]) {
    assert!(positions.len() >= 2);
    let layout = Layout::new(4);
    let s = Symmetry::from_index(29);
    let m = Move::new(Face::F, Turn::Clockwise);
    let map = edge_conjugations()[s.index()].then(Cube::from_move(m));
    let mut bitmap = vec![0u64; (PLACEMENTS << 4).div_ceil(64)];
    let mut expected = bitmap.clone();
    for p in &positions[1..] {
        let image = EdgePainting::of(&p.conjugate(s).apply(m));
        let offset = layout.offset(image.placement(), image.flips()) as usize;
        expected[offset / 64] |= 1 << (offset % 64);
    }
    let paintings: Vec<EdgePainting> = positions[1..].iter().map(EdgePainting::of).collect();
    assert!(paintings.len() % 2 == 1, "the odd one out is tested too");
    kernel.mark(&map, &paintings, layout, &mut bitmap);
    assert_eq!(bitmap, expected);
}

/// Checks all kernels of this machine on this number of positions.
fn check_all_kernels(positions: usize, is_small: bool) {
    for instructions in Instructions::all() {
        println!("{}", instructions.name());
        instructions.run(AgreesWithDefinitions {
            positions,
            is_small,
        });
    }
}

#[test]
fn all_kernels_agree_on_a_few_positions() {
    check_all_kernels(3, true);
}

#[test]
#[cfg_attr(miri, ignore = "it takes hours")]
fn all_kernels_agree_with_the_definitions() {
    check_all_kernels(1501, false);
}

#[test]
#[ignore = "a minute"]
fn all_kernels_agree_with_the_definitions_on_many_positions() {
    check_all_kernels(100_001, false);
}
