//! Every kernel against the definitions of the coordinates, on random positions.

use super::*;
use crate::coord::{CornerPainting, PLACEMENTS, edge_conjugations};
use crate::cube::{Symmetry, Turn, random_positions};

/// The same loop for every kernel: `true` where all its results are those of the definitions.
struct AgreesWithDefinitions;

impl Work for AgreesWithDefinitions {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let positions: Vec<Cube> = random_positions(5).take(500).chain([Cube::SOLVED]).collect();
        for (p, q) in positions.iter().zip(positions.iter().rev()) {
            assert_eq!(kernel.compose(p, q), p.compose(q));
            let mut neighbours = Neighbours::EMPTY;
            kernel.across(p, &mut neighbours);
            for m in Move::ALL {
                let ahead = painting_of(&p.turned(m));
                assert_eq!(kernel.ahead(p, m), ahead);
                if !m.is_half_turn() {
                    // The two quarter turns of a face share a painting on the other side.
                    assert_eq!(neighbours.of(m.face()), painting_of(&Cube::of_move(!m).compose(p)));
                } else {
                    assert_eq!(painting_of(p), painting_of(&Cube::of_move(m).compose(p)));
                }
            }
            for s in Symmetry::all() {
                for kept_flips in [0, 3, 6, 9] {
                    let entries = Entries { kept_flips };
                    let conjugates = [p, q].map(|cube| EdgePainting::of(&cube.conjugate(s)));
                    let expected = conjugates.map(|edges| entries.offset(edges.placement(), edges.flips()));
                    let paintings = [p, q].map(EdgePainting::of);
                    let map = &edge_conjugations()[s.index()];
                    assert_eq!(kernel.offsets([map; 2], [&paintings[0], &paintings[1]], entries), expected);
                }
            }
        }
        marks_like_the_definition(kernel, &positions);
    }
}

fn painting_of(p: &Cube) -> Painting {
    Painting { edges: EdgePainting::of(p), corners: CornerPainting::of(p).coordinate() }
}

#[inline(always)]
fn marks_like_the_definition<K: Kernel>(kernel: K, positions: &[Cube]) {
    let entries = Entries { kept_flips: 4 };
    let (s, m) = (Symmetry::from_index(29), Move::new(Face::F, Turn::Clockwise));
    let map = edge_conjugations()[s.index()].then(Cube::of_move(m));
    let mut bitmap = vec![0u64; (PLACEMENTS << 4).div_ceil(64)];
    let mut expected = bitmap.clone();
    for p in positions {
        let image = EdgePainting::of(&p.conjugate(s).turned(m));
        let offset = entries.offset(image.placement(), image.flips()) as usize;
        expected[offset / 64] |= 1 << (offset % 64);
    }
    let paintings: Vec<u64> = positions.iter().map(|p| EdgePainting::of(p).to_bits()).collect();
    assert!(paintings.len() % 2 == 1, "the odd one out is tested too");
    kernel.mark(&map, &paintings, entries, &mut bitmap);
    assert_eq!(bitmap, expected);
}

#[test]
fn the_portable_kernel_agrees_with_the_definitions() {
    Instructions::portable().run(AgreesWithDefinitions);
}

#[test]
fn the_best_kernel_agrees_with_the_definitions() {
    Instructions::best().run(AgreesWithDefinitions);
}
