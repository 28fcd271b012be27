//! Coordinates do not change under the target subgroup, nor classes under symmetry.

use crate::support::positions;
use cosette::coord::{CornerClasses, CornerPainting, EdgePainting, PLACEMENTS};
use cosette::cube::{Corner, Cube, Edge, Move, Symmetry};
use proptest::prelude::*;

/// An element of the target subgroup: every cubie stays within its tetrad or slice, nothing is twisted or flipped.
///
/// Half turns give products of even permutations; what else the subgroup has comes from a cycle within one slice and a
/// swap within one tetrad, together even.
fn target_subgroup() -> impl Strategy<Value = Cube> {
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|m| m.is_half_turn()).collect();
    let path = prop::collection::vec(prop::sample::select(half_turns), 0..20);
    (path, any::<bool>()).prop_map(|(path, odd)| {
        let mut corners: [(u8, u8); 8] = std::array::from_fn(|i| (i as u8, 0));
        let mut edges: [(u8, u8); 12] = std::array::from_fn(|i| (i as u8, 0));
        if odd {
            corners.swap(Corner::Urf.index(), Corner::Ulb.index());
            edges.swap(Edge::Ur.index(), Edge::Dl.index());
        }
        Cube::from_cubies(&corners, &edges).unwrap() * Cube::from_moves(&path)
    })
}

proptest! {
    #[test]
    fn paintings_do_not_see_the_target_subgroup(p in positions(), h in target_subgroup()) {
        prop_assert_eq!(CornerPainting::of(&(h * p)), CornerPainting::of(&p));
        prop_assert_eq!(EdgePainting::of(&(h * p)), EdgePainting::of(&p));
    }

    #[test]
    fn quarter_turns_of_a_face_share_a_coset(p in positions(), m in 0..Move::COUNT) {
        let m = Move::from_index(m);
        let [a, b] = [m, !m].map(|m| *Cube::of_move(m) * p);
        prop_assert_eq!(CornerPainting::of(&a), CornerPainting::of(&b));
        prop_assert_eq!(EdgePainting::of(&a), EdgePainting::of(&b));
    }

    #[test]
    fn classes_do_not_change_under_symmetry(p in positions(), s in 0..Symmetry::COUNT) {
        let s = Symmetry::from_index(s);
        let classes = CornerClasses::get();
        let class = |cube: &Cube| classes.classify(CornerPainting::of(cube).coordinate()).0;
        prop_assert_eq!(class(&p.conjugate(s)), class(&p));
        prop_assert_eq!(CornerPainting::of(&p).conjugate(s), CornerPainting::of(&p.conjugate(s)));
        prop_assert_eq!(EdgePainting::of(&p).conjugate(s), EdgePainting::of(&p.conjugate(s)));
    }

    #[test]
    fn coordinates_stay_in_range_and_come_back(p in positions()) {
        let corners = CornerPainting::of(&p);
        prop_assert!((corners.coordinate() as usize) < CornerPainting::COUNT);
        prop_assert_eq!(CornerPainting::from_coordinate(corners.coordinate()), corners);
        prop_assert!((EdgePainting::of(&p).placement() as usize) < PLACEMENTS);
    }
}
