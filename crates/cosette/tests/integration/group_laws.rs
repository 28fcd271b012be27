//! The laws of the cube group, of its symmetries, of canonical sequences, and of coordinates: these
//! do not change under the target subgroup, nor classes under symmetry.

use crate::positions;
use crate::reference_solver::superflip;
use cosette::coord::{CornerClasses, CornerPainting, EdgePainting, PLACEMENTS};
use cosette::cube::{
    Corner, Cube, CubeError, Edge, Face, Metric, Move, MoveSet, Symmetry, Turn, canonical,
    for_each_sequence, inverse, is_canonical, random_positions, random_walks, sequence_counts,
};
use proptest::prelude::*;

fn symmetries() -> impl Strategy<Value = Symmetry> {
    (0..Symmetry::COUNT).prop_map(Symmetry::from_index)
}

fn moves() -> impl Strategy<Value = Move> {
    (0..Move::COUNT).prop_map(Move::from_index)
}

proptest! {
    #[test]
    fn products_are_associative(a in positions(), b in positions(), c in positions()) {
        prop_assert_eq!((a * b) * c, a * (b * c));
    }

    #[test]
    fn the_inverse_undoes(p in positions(), q in positions()) {
        prop_assert!((p * p.inverse()).is_solved());
        prop_assert!((p.inverse() * p).is_solved());
        prop_assert_eq!((p * q).inverse(), q.inverse() * p.inverse());
    }

    #[test]
    fn the_inverse_of_a_sequence_undoes_it(sequence in prop::collection::vec(moves(), 0..30), p in positions()) {
        prop_assert_eq!(p.apply_moves(&sequence).apply_moves(&inverse(&sequence)), p);
        prop_assert_eq!(Cube::from_moves(&sequence).inverse(), Cube::from_moves(&inverse(&sequence)));
    }

    #[test]
    fn solved_is_neutral(p in positions()) {
        prop_assert_eq!(p * Cube::SOLVED, p);
        prop_assert_eq!(Cube::SOLVED * p, p);
    }

    #[test]
    fn powers_are_repeated_products(p in positions(), n in -20i64..20) {
        prop_assert!(p.power(i64::from(p.order())).is_solved());
        prop_assert_eq!(p.power(n) * p, p.power(n + 1));
        prop_assert_eq!(p.power(-1), p.inverse());
        prop_assert!((1..p.order()).all(|n| !p.power(i64::from(n)).is_solved()));
    }

    #[test]
    fn parity_is_a_homomorphism(p in positions(), q in positions()) {
        prop_assert_eq!((p * q).is_odd(), p.is_odd() ^ q.is_odd());
    }

    #[test]
    fn conjugation_is_an_action_by_automorphisms(p in positions(), q in positions(), s in symmetries(), t in symmetries()) {
        prop_assert_eq!((p * q).conjugate(s), p.conjugate(s) * q.conjugate(s));
        prop_assert_eq!(p.conjugate(s).conjugate(t), p.conjugate(s.then(t)));
        prop_assert_eq!(p.conjugate(s).conjugate(s.inverse()), p);
        prop_assert_eq!(p.inverse().conjugate(s), p.conjugate(s).inverse());
        prop_assert_eq!(p.conjugate(s).representative(), p.representative());
    }

    #[test]
    fn moves_are_conjugated_like_positions(m in moves(), s in symmetries()) {
        prop_assert_eq!(Cube::from_move(m).conjugate(s), *Cube::from_move(s.conjugate_move(m)));
    }

    #[test]
    fn canonical_form_keeps_the_effect(path in prop::collection::vec(moves(), 0..30)) {
        let short = canonical(&path);
        prop_assert!(is_canonical(&short));
        prop_assert!(short.len() <= path.len());
        prop_assert_eq!(Cube::from_moves(&short), Cube::from_moves(&path));
        prop_assert_eq!(canonical(&short), short);
    }

    #[test]
    fn cubies_make_the_position_again(p in positions()) {
        let corners = Corner::ALL.map(|slot| { let (c, t) = p.corner(slot); (c as u8, t) });
        let edges = Edge::ALL.map(|slot| { let (e, f) = p.edge(slot); (e as u8, f) });
        prop_assert_eq!(Cube::from_cubies(&corners, &edges), Ok(p));
    }
}

#[test]
fn known_orders() {
    let of = |moves: &[(Face, Turn)]| {
        let moves: Vec<Move> = moves.iter().map(|&(f, t)| Move::new(f, t)).collect();
        Cube::from_moves(&moves).order()
    };
    use Face::*;
    use Turn::*;
    assert!(
        Move::ALL
            .iter()
            .all(|&m| Cube::from_move(m).order() == if m.is_half_turn() { 2 } else { 4 })
    );
    assert_eq!(of(&[(R, Clockwise), (U, Clockwise)]), 105);
    assert_eq!(of(&[(R, Clockwise), (U, Counterclockwise)]), 63);
    assert_eq!(of(&[(R, Half), (U, Half)]), 6);
    // The largest order of any position.
    assert_eq!(
        of(&[
            (R, Clockwise),
            (U, Half),
            (D, Counterclockwise),
            (B, Clockwise),
            (D, Counterclockwise)
        ]),
        1260
    );
}

#[test]
fn moves_invert_and_commute_with_the_opposite_face() {
    for m in Move::ALL {
        assert_eq!(*Cube::from_move(!m), Cube::from_move(m).inverse());
        let opposite = Move::new(m.face().opposite(), m.turn());
        assert_eq!(
            Cube::from_moves(&[m, opposite]),
            Cube::from_moves(&[opposite, m])
        );
    }
}

#[test]
fn stabilizers_divide_48() {
    assert_eq!(superflip().symmetries().len(), 48);
    assert_eq!(Cube::SOLVED.symmetries().len(), 48);
    assert_eq!(
        Cube::from_moves(&[Move::new(Face::U, Turn::Clockwise)])
            .symmetries()
            .len(),
        4
    );
    assert_eq!(
        Cube::from_moves(&[Move::new(Face::U, Turn::Half)])
            .symmetries()
            .len(),
        8
    );
}

#[test]
fn impossible_positions_are_refused() {
    let corners: [(u8, u8); 8] = std::array::from_fn(|i| (i as u8, 0));
    let edges: [(u8, u8); 12] = std::array::from_fn(|i| (i as u8, 0));
    let with_corner = |slot: usize, value| {
        let mut corners = corners;
        corners[slot] = value;
        Cube::from_cubies(&corners, &edges)
    };
    let with_edge = |slot: usize, value| {
        let mut edges = edges;
        edges[slot] = value;
        Cube::from_cubies(&corners, &edges)
    };
    assert_eq!(with_corner(2, (2, 1)), Err(CubeError::TwistedCorner(1)));
    assert_eq!(
        with_corner(2, (8, 0)),
        Err(CubeError::NoSuchCorner(Corner::Ulb))
    );
    assert_eq!(
        with_corner(2, (2, 3)),
        Err(CubeError::NoSuchCorner(Corner::Ulb))
    );
    assert_eq!(with_edge(3, (3, 1)), Err(CubeError::FlippedEdge));
    assert_eq!(with_edge(3, (12, 0)), Err(CubeError::NoSuchEdge(Edge::Ub)));
    assert_eq!(
        with_corner(0, (1, 0)),
        Err(CubeError::CornerTwice {
            twice: Corner::Ufl,
            missing: Corner::Urf
        })
    );
    assert_eq!(
        with_edge(0, (1, 0)),
        Err(CubeError::EdgeTwice {
            twice: Edge::Uf,
            missing: Edge::Ur
        })
    );
    let mut swapped = corners;
    swapped.swap(0, 1);
    assert_eq!(
        Cube::from_cubies(&swapped, &edges),
        Err(CubeError::SwappedPieces)
    );
}

#[test]
fn canonical_sequences_are_counted_alike() {
    // Korf 1997, Table 1; the shorter ones are an oracle.
    assert_eq!(
        sequence_counts(18, Metric::Htm)[18],
        246_639_261_965_462_754_048
    );
    for metric in Metric::ALL {
        for (length, &count) in sequence_counts(5, metric).iter().enumerate() {
            let mut seen = 0;
            for_each_sequence(length as u8, metric, |path| {
                assert!(is_canonical(path));
                assert_eq!(metric.length(path), length);
                seen += 1;
            });
            assert_eq!(seen, count, "{metric}, length {length}");
        }
    }
    assert_eq!(MoveSet::after(None).iter().count(), 18);
    assert_eq!(MoveSet::after(Some(Move::from_index(0))).iter().count(), 15);
    assert_eq!(
        MoveSet::after(Some(Move::from_index(17))).iter().count(),
        12
    );
}

#[test]
fn seeds_are_golden() {
    let first = random_positions(1).next().unwrap();
    assert_eq!(random_positions(1).next().unwrap(), first);
    assert_ne!(random_positions(2).next().unwrap(), first);
    let facelets = "Cube(DDBRUFDFBRLLURDRRRFUUBFRLUDUBBUDBBDULFRDLLDLFUFFBBLFRL)";
    assert_eq!(format!("{first:?}"), facelets);
}

#[test]
fn random_walks_are_canonical_and_depend_on_the_seed() {
    let walks = |seed| random_walks(seed, 25).take(10).collect::<Vec<_>>();
    assert_eq!(walks(1), walks(1));
    assert_ne!(walks(1), walks(2));
    for walk in walks(3) {
        let follows = |pair: &[Move]| MoveSet::after(Some(pair[0])).iter().any(|m| m == pair[1]);
        assert!(walk.len() == 25 && walk.windows(2).all(follows));
    }
}

/// An element of the target subgroup: every cubie stays within its tetrad or slice, nothing is
/// twisted or flipped.
///
/// Half turns give products of even permutations; what else the subgroup has comes from a cycle
/// within one slice and a swap within one tetrad, together even.
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
        let [a, b] = [m, !m].map(|m| *Cube::from_move(m) * p);
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
