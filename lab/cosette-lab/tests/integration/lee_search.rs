//! Bidirectional A* over a perimeter, and the heuristics from partial problems, against the fast engine.

use crate::support::{cancelled, fast, in_lab};
use cosette::cube::{Cube, Face, Metric, random_positions};
use cosette::search::{Options, Outcome};
use cosette::{CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::error::LabRemedy;
use cosette_lab::fast::positions_of_length;
use cosette_lab::lee::engine::Lee;
use cosette_lab::lee::partial::Partials;
use cosette_lab::lee::partial::painting::Selection;
use cosette_lab::lee::partial::problem::{Forward, ForwardDepth, Problem};
use cosette_lab::lee::perimeter::Perimeter;
use cosette_lab::lee::search::{AstarSettings, Bound, Estimates, Most, Order, SearchEnd, search as astar};
use cosette_lab::walks::random_walk_position;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn the_perimeter_has_the_positions_of_the_oracle() {
    in_lab(|lab| {
        let perimeter = Perimeter::new(6, lab).unwrap();
        assert_eq!(perimeter.counts(), [1, 2, 9, 75, 934, 12_077, 159_131]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let fast = fast(Metric::Htm);
        for length in 0..=8 {
            for _ in 0..20 {
                let position = random_walk_position(&mut rng, length);
                let proven = fast.search(&position).control(&lab.control).run().lower_bound;
                assert_eq!(perimeter.distance(&position), Some(proven).filter(|&proven| proven <= 6));
                if let Some(moves) = perimeter.solution(&position) {
                    assert_eq!((moves.len(), position.after(&moves)), (proven.into(), Cube::SOLVED));
                }
            }
        }
        assert!(random_positions(3).take(1000).all(|position| perimeter.distance(&position).is_none()));
        let error = Perimeter::new(9, lab).err().unwrap();
        assert_eq!(error.to_string(), "positions within 9 moves cannot be stored; the limit is 8 moves");
        assert_eq!(error.remedy(), Some(LabRemedy::AskForFewerMoves(8)));
    });
}

#[test]
fn the_solution_is_as_short_as_the_fast_engine_says() {
    in_lab(|lab| {
        let fast = fast(Metric::Htm);
        let perimeter = Perimeter::new(7, lab).unwrap();
        let partials = Partials::opposite_faces(5, None, lab).unwrap();
        for length in 8..=11 {
            for (i, position) in positions_of_length(length, 50, 1, fast, lab).unwrap().iter().enumerate() {
                let informed = partials.informed(position, ForwardDepth::of(3), &lab.control).unwrap();
                let order = [Order::Queue, Order::Stack][i % 2];
                let ties = [None, Some((&partials, Most::HEU6)), Some((&partials, Most::HEU8))][i / 2 % 3];
                for bound in [Bound::Backward(&partials, Most::HEU6), Bound::Informed(&informed)] {
                    let estimates = Estimates { bound, ties };
                    assert!(estimates.bound(position, 0) <= length);
                    let settings = AstarSettings { order, ..AstarSettings::default() };
                    let found = astar(position, &perimeter, &estimates, &settings, &mut |_| {}, &lab.control);
                    let SearchEnd::Solved(moves) = &found.ended else { panic!("{found}") };
                    assert_eq!((moves.len(), position.after(moves)), (length.into(), Cube::SOLVED));
                    assert_eq!((found.lower_bound, found.overtaken[1]), (length, 0));
                }
            }
        }
    });
}

/// Fifty positions of each length, with forward spaces so deep that few states are stored.
#[test]
#[ignore = "18 minutes of processor time, nearly all for length 14"]
fn the_solution_is_as_short_as_the_fast_engine_says_up_to_14() {
    in_lab(|lab| {
        let perimeter = Perimeter::new(7, lab).unwrap();
        let partials = Partials::opposite_faces(7, Some(ForwardDepth::of(7)), lab).unwrap();
        for (length, d_for) in [(10, 5), (11, 5), (12, 5), (13, 6), (14, 7)] {
            for position in positions_of_length(length, 50, 1, fast(Metric::Htm), lab).unwrap() {
                let informed = partials.informed(&position, ForwardDepth::of(d_for), &lab.control).unwrap();
                let estimates = Estimates { bound: Bound::Informed(&informed), ties: None };
                let settings = AstarSettings::default();
                let found = astar(&position, &perimeter, &estimates, &settings, &mut |_| {}, &lab.control);
                let SearchEnd::Solved(moves) = &found.ended else { panic!("{found}") };
                assert_eq!((moves.len(), position.after(moves)), (length.into(), Cube::SOLVED));
                assert_eq!((found.lower_bound, found.overtaken[1]), (length, 0));
            }
        }
    });
}

#[test]
fn forward_spaces_tell_what_the_theorem_says() {
    in_lab(|lab| {
        // All painted positions are within 14 moves where only the corners of opposite faces are seen, so all distances are known.
        let selection = Selection::faces(&[Face::U, Face::D]).corners_only();
        let all = Problem::new(selection, 14, None, lab).unwrap();
        assert_eq!(all.counts().iter().sum::<u64>(), 153_090);
        // With and without marks beyond the backward space.
        let problems = [None, Some(ForwardDepth::of(7))].map(|d_for| Problem::new(selection, 2, d_for, lab).unwrap());
        for (i, start) in random_positions(4).take(20).enumerate() {
            let near = &problems[i % 2];
            for d_for in 1..=4 {
                let forward = Forward::new(near, &start, ForwardDepth::of(d_for), &Control::default()).unwrap();
                let mut rng = ChaCha8Rng::seed_from_u64(5);
                for moves in (0..d_for).flat_map(|moves| [moves; 20]) {
                    let position = start * random_walk_position(&mut rng, moves);
                    let value = forward.get(near.painting().number(&position)).or_else(|| near.distance(&position));
                    let value = value.expect("it is fewer than d_for moves away");
                    let distance = all.distance(&position).unwrap();
                    // How many moves away it is as it is painted: no more than were made.
                    let bounds = |away: u8| distance.min(2 + d_for - away + 1);
                    assert!((0..=moves).any(|away| value == bounds(away)), "{value} {distance} {moves}");
                    assert!(value >= bounds(moves));
                }
            }
        }
    });
}

#[test]
fn bounds_are_admissible_and_consistent() {
    in_lab(|lab| {
        let partials = Partials::opposite_faces(4, None, lab).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for length in 6..=9 {
            let start = random_walk_position(&mut rng, length);
            let informed = partials.informed(&start, ForwardDepth::of(4), &lab.control).unwrap();
            assert!(informed.bound(&start, 0) <= length);
            for moves in 0..=6 {
                let position = start * random_walk_position(&mut rng, moves);
                for m in cosette::cube::Move::ALL {
                    let (own, next) = (informed.bound(&position, 0), informed.bound(&position.turned(m), 0));
                    assert!(own.abs_diff(next) <= 1);
                    assert_eq!(informed.bound(&position, 5), own.max(5));
                }
                assert!(partials.backward(&position, 6) <= informed.bound(&position, 0));
            }
        }
    });
}

#[test]
fn memory_ends_the_search_with_a_lower_bound() {
    in_lab(|lab| {
        let settings = AstarSettings { states: 20_000, ..AstarSettings::default() };
        let lee = Lee::new(Perimeter::new(5, lab).unwrap(), 5, None, settings, lab).unwrap();
        let position = random_positions(7).next().unwrap();
        let found = lee.search(&position, 20, &mut |_| {}, &lab.control).unwrap();
        assert_eq!(found.ended, SearchEnd::Full);
        assert!((20_000..20_020).contains(&found.stored));
        // Positions outside a perimeter of depth 5 count six: 3,240 lie at most three moves from the root, 43,239 at four.
        assert_eq!(found.lower_bound, 9);
        assert_eq!(found.to_string(), format!("{} states stored; lower bound 9", found.stored));
        let report = lee.solve(&position, &Options::default(), &|_| {}, &lab.control);
        assert_eq!((report.outcome, report.lower_bound, report.solutions.len()), (Outcome::Unproven, 9, 0));
        let options = Options { max_length: Some(8), ..Options::default() };
        let report = lee.solve(&position, &options, &|_| {}, &lab.control);
        assert_eq!((report.outcome, report.lower_bound), (Outcome::NoneWithinLimit, 9));
        assert_eq!(
            lee.solve(&position, &Options::default(), &|_| {}, &cancelled()).outcome,
            Outcome::Cancelled(CancelReason::Requested)
        );
    });
}

#[test]
fn the_engine_reports_what_it_did() {
    in_lab(|lab| {
        let lee =
            Lee::new(Perimeter::new(5, lab).unwrap(), 4, Some(ForwardDepth::of(2)), AstarSettings::default(), lab)
                .unwrap();
        assert_eq!((lee.name(), lee.metric(), lee.is_optimal()), ("lee", Metric::Htm, true));
        let fast = fast(Metric::Htm);
        for length in [0, 3, 8] {
            for position in positions_of_length(length, 3, 3, fast, lab).unwrap() {
                let report = lee.solve(&position, &Options::default(), &|_| {}, &lab.control);
                assert_eq!((report.outcome, report.length()), (Outcome::Optimal, Some(length)));
                assert_eq!(report.thresholds.last().map(|threshold| threshold.length), Some(length));
                if length > 0 {
                    let options = Options { max_length: Some(length - 1), ..Options::default() };
                    let report = lee.solve(&position, &options, &|_| {}, &lab.control);
                    assert_eq!((report.outcome, report.lower_bound), (Outcome::NoneWithinLimit, length));
                }
            }
        }
    });
}
