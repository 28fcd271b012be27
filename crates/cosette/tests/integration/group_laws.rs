//! The laws of the cube group, of its symmetries, of canonical sequences, and of coordinates: these
//! do not change under the target subgroup, nor classes under symmetry.

use crate::reference_solver::superflip;
use crate::{position, positions};
use cosette::coord::{CornerClasses, CornerPainting, EdgePainting};
use cosette::cube::{
    Corner, Cube, CubeError, Edge, Metric, Move, MoveSet, Symmetry, canonical, for_each_sequence,
    inverse, is_canonical, random_positions, random_walks, sequence_counts,
};
use proptest::prelude::*;

fn symmetries() -> impl Strategy<Value = Symmetry> {
    (0..Symmetry::COUNT).prop_map(Symmetry::from_index)
}

fn moves() -> impl Strategy<Value = Move> {
    (0..Move::COUNT).prop_map(Move::from_index)
}

/// Number of the piece and orientation of each slot.
type Cubies = ([(u8, u8); 8], [(u8, u8); 12]);

fn cubies(cube: &Cube) -> Cubies {
    let corners = Corner::ALL.map(|slot| cube.corner(slot));
    let edges = Edge::ALL.map(|slot| cube.edge(slot));
    let corners = corners.map(|(corner, twist)| (corner as u8, twist));
    (corners, edges.map(|(edge, flip)| (edge as u8, flip)))
}

proptest! {
    #[test]
    fn positions_are_a_group(a in positions(), b in positions(), c in positions()) {
        prop_assert_eq!((a * b) * c, a * (b * c));
        prop_assert_eq!(a * Cube::SOLVED, a);
        prop_assert_eq!(Cube::SOLVED * a, a);
        prop_assert!((a * a.inverse()).is_solved());
        prop_assert!((a.inverse() * a).is_solved());
        prop_assert_eq!((a * b).inverse(), b.inverse() * a.inverse());
        prop_assert_eq!((a * b).is_odd(), a.is_odd() ^ b.is_odd());
        let (corners, edges) = cubies(&a);
        prop_assert_eq!(Cube::from_cubies(&corners, &edges), Ok(a));
    }

    #[test]
    fn powers_are_repeated_products(p in positions(), n in -20i64..20) {
        prop_assert!(p.power(i64::from(p.order())).is_solved());
        prop_assert_eq!(p.power(n) * p, p.power(n + 1));
        prop_assert_eq!(p.power(-1), p.inverse());
        prop_assert!((1..p.order()).all(|n| !p.power(i64::from(n)).is_solved()));
    }

    #[test]
    fn conjugation_is_an_action_by_automorphisms(
        p in positions(), q in positions(), s in symmetries(), t in symmetries(), m in moves()
    ) {
        prop_assert_eq!((p * q).conjugate(s), p.conjugate(s) * q.conjugate(s));
        prop_assert_eq!(p.conjugate(s).conjugate(t), p.conjugate(s.then(t)));
        prop_assert_eq!(p.conjugate(s).conjugate(s.inverse()), p);
        prop_assert_eq!(p.inverse().conjugate(s), p.conjugate(s).inverse());
        prop_assert_eq!(p.conjugate(s).representative(), p.representative());
        prop_assert_eq!(Cube::from_move(m).conjugate(s), *Cube::from_move(s.conjugate_move(m)));
    }

    #[test]
    fn sequences_have_inverses_and_a_canonical_form(
        path in prop::collection::vec(moves(), 0..30), p in positions()
    ) {
        prop_assert_eq!(p.apply_moves(&path).apply_moves(&inverse(&path)), p);
        let back = Cube::from_moves(&inverse(&path));
        prop_assert_eq!(Cube::from_moves(&path).inverse(), back);
        let short = canonical(&path);
        prop_assert!(is_canonical(&short));
        prop_assert!(short.len() <= path.len());
        prop_assert_eq!(Cube::from_moves(&short), Cube::from_moves(&path));
        prop_assert_eq!(canonical(&short), short);
    }
}

#[test]
fn known_orders_and_stabilizers() {
    for m in Move::ALL {
        let turned = *Cube::from_move(m);
        assert_eq!(turned.order(), if m.is_half_turn() { 2 } else { 4 });
        assert_eq!(
            turned.symmetries().len(),
            if m.is_half_turn() { 8 } else { 4 }
        );
        assert_eq!(*Cube::from_move(!m), turned.inverse());
        let opposite = *Cube::from_move(Move::new(m.face().opposite(), m.turn()));
        assert_eq!(turned * opposite, opposite * turned);
    }
    // The last one is the largest order of any position.
    for (text, order) in [
        ("R U", 105),
        ("R U'", 63),
        ("R2 U2", 6),
        ("R U2 D' B D'", 1260),
    ] {
        assert_eq!(position(text).order(), order, "{text}");
    }
    for cube in [superflip(), Cube::SOLVED] {
        assert_eq!(cube.symmetries().len(), 48);
    }
}

#[test]
fn impossible_positions_are_refused() {
    let solved = cubies(&Cube::SOLVED);
    let refused = |change: &dyn Fn(&mut Cubies)| {
        let mut changed = solved;
        change(&mut changed);
        Cube::from_cubies(&changed.0, &changed.1).unwrap_err()
    };
    let no_corner = CubeError::NoSuchCorner(Corner::Ulb);
    assert_eq!(
        refused(&|cubies| cubies.0[2].1 = 1),
        CubeError::TwistedCorner(1)
    );
    assert_eq!(refused(&|cubies| cubies.0[2].0 = 8), no_corner);
    assert_eq!(refused(&|cubies| cubies.0[2].1 = 3), no_corner);
    assert_eq!(refused(&|cubies| cubies.1[3].1 = 1), CubeError::FlippedEdge);
    assert_eq!(
        refused(&|cubies| cubies.1[3].0 = 12),
        CubeError::NoSuchEdge(Edge::Ub)
    );
    let twice = CubeError::CornerTwice {
        twice: Corner::Ufl,
        missing: Corner::Urf,
    };
    assert_eq!(refused(&|cubies| cubies.0[0].0 = 1), twice);
    let twice = CubeError::EdgeTwice {
        twice: Edge::Uf,
        missing: Edge::Ur,
    };
    assert_eq!(refused(&|cubies| cubies.1[0].0 = 1), twice);
    assert_eq!(
        refused(&|cubies| cubies.0.swap(0, 1)),
        CubeError::SwappedPieces
    );
}

#[test]
fn canonical_sequences_are_counted_alike() {
    // Korf 1997, Table 1; the shorter ones are an oracle.
    let known = 246_639_261_965_462_754_048;
    assert_eq!(sequence_counts(18, Metric::Htm)[18], known);
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
    for (last, count) in [(None, 18), (Some(0), 15), (Some(17), 12)] {
        let next = MoveSet::after(last.map(Move::from_index));
        assert_eq!(next.iter().count(), count);
    }
}

#[test]
fn seeds_are_golden() {
    let first = |seed| random_positions(seed).next().unwrap();
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
    let facelets = "Cube(DDBRUFDFBRLLURDRRRFUUBFRLUDUBBUDBBDULFRDLLDLFUFFBBLFRL)";
    assert_eq!(format!("{:?}", first(1)), facelets);
    let walks = |seed| random_walks(seed, 25).take(10).collect::<Vec<_>>();
    assert_eq!(walks(1), walks(1));
    assert_ne!(walks(1), walks(2));
    assert!(
        walks(3)
            .iter()
            .all(|walk| walk.len() == 25 && is_canonical(walk))
    );
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
        let (mut corners, mut edges) = cubies(&Cube::SOLVED);
        if odd {
            corners.swap(Corner::Urf.index(), Corner::Ulb.index());
            edges.swap(Edge::Ur.index(), Edge::Dl.index());
        }
        Cube::from_cubies(&corners, &edges).unwrap() * Cube::from_moves(&path)
    })
}

/// The paintings of corners and edges.
fn paintings(cube: &Cube) -> (CornerPainting, EdgePainting) {
    (CornerPainting::of(cube), EdgePainting::of(cube))
}

proptest! {
    #[test]
    fn paintings_do_not_see_the_target_subgroup_and_follow_symmetry(
        p in positions(), h in target_subgroup(), m in moves(), s in symmetries()
    ) {
        let (corners, edges) = paintings(&p);
        prop_assert_eq!(paintings(&(h * p)), (corners, edges));
        // Nor which way a face was turned first.
        let [one, other] = [m, !m].map(|m| *Cube::from_move(m) * p);
        prop_assert_eq!(paintings(&one), paintings(&other));
        let seen = (corners.conjugate(s), edges.conjugate(s));
        prop_assert_eq!(paintings(&p.conjugate(s)), seen);
        let classes = CornerClasses::get();
        let class = |corners: CornerPainting| classes.classify(corners.coordinate()).0;
        prop_assert_eq!(class(corners), class(seen.0));
    }
}
