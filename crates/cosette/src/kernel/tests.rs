//! Every kernel against the definitions of the coordinates, on random positions.

use super::*;
use crate::coord::{CornerClasses, CornerPainting, ENTRIES_PER_LINE, PLACEMENTS, edge_conjugations};
use crate::cube::{Face, Symmetry, Turn, random_positions};
use std::time::Instant;

/// The same loop for every kernel: `true` where all its results are those of the definitions.
struct AgreesWithDefinitions;

impl Work for AgreesWithDefinitions {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let positions: Vec<Cube> = random_positions(5).take(500).chain([Cube::SOLVED]).collect();
        for (p, q) in positions.iter().zip(positions.iter().rev()) {
            assert_eq!(kernel.compose(p, q), p.compose(q));
            let mut across = Paintings::<NEIGHBOURS>::EMPTY;
            kernel.across(p, &mut across.edges, &mut across.corners);
            for m in Move::ALL {
                let ahead = painting_of(&p.turned(m));
                let mut edges = EdgePainting([0; 16]);
                let corners = kernel.ahead(p, m, &mut edges);
                assert_eq!((edges, corners), ahead);
                if !m.is_half_turn() {
                    // The two quarter turns of a face share a painting on the other side.
                    let face = m.face().index();
                    let neighbour = painting_of(&Cube::of_move(!m).compose(p));
                    assert_eq!((across.edges[face], across.corners[face]), neighbour);
                } else {
                    assert_eq!(painting_of(p), painting_of(&Cube::of_move(m).compose(p)));
                }
            }
            for kept_flips in [0, 3, 6, 9] {
                let layout = layout(kept_flips);
                let edges = [p, q].map(EdgePainting::of);
                let corners = [p, q].map(|cube| painting_of(cube).1);
                // SAFETY: both are paintings of positions.
                let places = unsafe { kernel.places([&edges[0], &edges[1]], corners, layout) };
                assert_eq!(places, [p, q].map(|cube| place_of(cube, layout)));
            }
        }
        marks_like_the_definition(kernel, &positions);
    }
}

fn painting_of(p: &Cube) -> (EdgePainting, u32) {
    (EdgePainting::of(p), CornerPainting::of(p).coordinate())
}

fn layout(kept_flips: u32) -> Layout {
    Layout { kept_flips, lines_per_class: ((PLACEMENTS << kept_flips) as u32).div_ceil(ENTRIES_PER_LINE) }
}

fn place_of(p: &Cube, layout: Layout) -> Place {
    let (class, s) = CornerClasses::get().classify(CornerPainting::of(p).coordinate());
    let edges = EdgePainting::of(&p.conjugate(s));
    let offset = edges.placement() << layout.kept_flips | edges.flips() & ((1 << layout.kept_flips) - 1);
    let line = class * layout.lines_per_class + offset / ENTRIES_PER_LINE;
    Place { line, bit: 2 * (offset % ENTRIES_PER_LINE) }
}

#[inline(always)]
fn marks_like_the_definition<K: Kernel>(kernel: K, positions: &[Cube]) {
    let layout = layout(4);
    let (s, m) = (Symmetry::from_index(29), Move::new(Face::F, Turn::Clockwise));
    let map = edge_conjugations()[s.index()].then(Cube::of_move(m));
    let mut bitmap = vec![0u64; (PLACEMENTS << 4).div_ceil(64)];
    let mut expected = bitmap.clone();
    for p in positions {
        let image = EdgePainting::of(&p.conjugate(s).turned(m));
        let offset = layout.offset(image.placement(), image.flips()) as usize;
        expected[offset / 64] |= 1 << (offset % 64);
    }
    let paintings: Vec<u64> = positions.iter().map(|p| EdgePainting::of(p).to_bits()).collect();
    assert!(paintings.len() % 2 == 1, "the odd one out is tested too");
    // SAFETY: all are paintings of positions.
    unsafe { kernel.mark(&map, &paintings, layout, &mut bitmap) };
    assert_eq!(bitmap, expected);
}

#[test]
fn the_kernels_agree_with_the_definitions() {
    for instructions in Instructions::all() {
        println!("{}", instructions.name());
        instructions.run(AgreesWithDefinitions);
    }
}

/// How long a mark takes, with lists of seeds as long as those of htm tables.
struct MarkSpeed;

impl Work for MarkSpeed {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        const SEEDS: usize = 1900;
        const WORDS: usize = 1000;
        let seeds: Vec<u64> = random_positions(7).take(64 * SEEDS).map(|p| EdgePainting::of(&p).to_bits()).collect();
        for kept_flips in 0..10 {
            let layout = layout(kept_flips);
            let mut bitmap = vec![0u64; (PLACEMENTS << kept_flips).div_ceil(64)];
            let mut best = f64::MAX;
            for _ in 0..5 {
                let start = Instant::now();
                for (word, seeds) in (0..WORDS).zip(seeds.chunks_exact(SEEDS).cycle()) {
                    let map = edge_conjugations()[word * 7 % 48].then(Cube::of_move(Move::ALL[word % 18]));
                    // SAFETY: all are paintings of positions.
                    unsafe { kernel.mark(&map, seeds, layout, &mut bitmap) };
                }
                best = best.min(start.elapsed().as_secs_f64());
            }
            println!("{kept_flips} flips: {:.2} ns a mark", best * 1e9 / (SEEDS * WORDS) as f64);
        }
    }
}

/// Not for everyday runs: `cargo test --release -- --ignored --nocapture mark_speed`.
#[test]
#[ignore = "measures"]
fn mark_speed() {
    for instructions in Instructions::all() {
        println!("{}", instructions.name());
        instructions.run(MarkSpeed);
    }
}
