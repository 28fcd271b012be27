//! Bidirectional A* over a perimeter, and the heuristics from partial problems, against the fast
//! engine; and the example of Lee's page, followed by hand: nineteen stored positions in eight
//! buckets, and the search step by step.

use crate::support::{cancelled, fast, in_lab};
use cosette::cube::{Cube, DisplayMoves, Face, Metric, Move, random_positions};
use cosette::numbers::grouped;
use cosette::search::{Options, Outcome};
use cosette::{CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::lab::Lab;
use cosette_lab::lee::backward::BackwardSpace;
use cosette_lab::lee::hashed_membership::{Hash, HashedSpace, Method};
use cosette_lab::lee::heuristic::{
    CHOSEN, FACES, ForwardSpace, Heuristic, PartialBound, Partials, pair,
};
use cosette_lab::lee::painting::Selection;
use cosette_lab::lee::search::{
    AstarEvent, AstarResult, AstarSettings, Expansion, Lee, SearchEnd, TieOrder, search as astar,
};
use cosette_lab::lee::stored_space::PositionKey;
use cosette_lab::lee::{Perimeter, WITHIN};
use cosette_lab::main_engine::positions_of_length;
use cosette_lab::walks::random_walk_position;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

#[test]
fn the_perimeter_has_the_positions_of_the_oracle() {
    in_lab(|lab| {
        let memory = BackwardSpace::perimeter(6, lab).unwrap();
        assert_eq!(memory.class_counts(), [1, 2, 9, 75, 934, 12_077, 159_131]);
        let sums = memory.counts().iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        assert!(sums.eq(WITHIN[..=6].iter().copied()));
        let files = Method::ALL.map(|method| {
            let buckets = [None, Some(1000)][usize::from(method == Method::Three)];
            HashedSpace::in_lab(lab, 4, method, buckets).unwrap()
        });
        let mut spaces: Vec<&dyn Perimeter> = vec![&memory];
        spaces.extend(files.iter().map(|space| space as &dyn Perimeter));
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for length in (0..=8).flat_map(|length| [length; 20]) {
            let position = random_walk_position(&mut rng, length);
            let search = fast(Metric::Htm).search(&position);
            let proven = search.control(&lab.control).run().lower_bound;
            for space in &spaces {
                let distance = Some(proven).filter(|&proven| proven <= space.depth());
                assert_eq!(space.distance(&position).unwrap(), distance);
                let solution = space.solution(&position).unwrap();
                assert_eq!(solution.as_ref().map(Vec::len), distance.map(usize::from));
                assert!(solution.is_none_or(|moves| position.apply_moves(&moves).is_solved()));
            }
        }
        for space in spaces {
            let is_absent = |position| space.distance(&position).unwrap().is_none();
            assert!(random_positions(3).take(1000).all(is_absent));
        }
    });
}

/// Returns the search of a position with a bound.
fn searched(
    position: &Cube,
    perimeter: &BackwardSpace,
    heuristic: &Heuristic<'_>,
    settings: &AstarSettings,
    lab: &Lab<'_>,
) -> AstarResult {
    let ignore = &mut |_: AstarEvent<'_>| {};
    astar(
        position,
        perimeter,
        heuristic,
        settings,
        ignore,
        &lab.control,
    )
    .unwrap()
}

/// Checks that a search found a solution of this length, and never reopened a node.
#[track_caller]
fn check_solved(position: &Cube, found: &AstarResult, length: u8) {
    let SearchEnd::Solved(moves) = &found.ended else {
        panic!("{found}")
    };
    assert!(position.apply_moves(moves).is_solved());
    assert_eq!(
        (moves.len(), found.lower_bound, found.reopened),
        (length.into(), length, 0)
    );
}

#[test]
fn the_solution_is_as_short_as_the_fast_engine_says() {
    in_lab(|lab| {
        let perimeter = BackwardSpace::perimeter(7, lab).unwrap();
        let informed = PartialBound::Informed(3);
        let choices = [
            Partials::opposite_faces(5, informed, lab).unwrap(),
            Partials::new(&CHOSEN.map(pair), 5, informed, lab).unwrap(),
        ];
        let ties = [None, Some(6), Some(8)];
        for length in 8..=11 {
            let positions = positions_of_length(length, 50, 1, fast(Metric::Htm), lab).unwrap();
            for (i, position) in positions.iter().enumerate() {
                let settings = AstarSettings {
                    order: [TieOrder::Queue, TieOrder::Stack][i % 2],
                    tie_bound: ties[i / 2 % 3],
                    ..AstarSettings::default()
                };
                for bound in [PartialBound::HEU6, PartialBound::HEU8, informed] {
                    let partials = &choices[i % 5 / 3];
                    let heuristic = partials.heuristic(bound, position, &lab.control).unwrap();
                    assert!(heuristic.bound(position, 0) <= length);
                    let found = searched(position, &perimeter, &heuristic, &settings, lab);
                    check_solved(position, &found, length);
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
        let perimeter = BackwardSpace::perimeter(7, lab).unwrap();
        let partials = Partials::opposite_faces(7, PartialBound::Informed(7), lab).unwrap();
        let settings = AstarSettings::default();
        for (length, d_for) in [(10, 5), (11, 5), (12, 5), (13, 6), (14, 7)] {
            for position in positions_of_length(length, 50, 1, fast(Metric::Htm), lab).unwrap() {
                let bound = PartialBound::Informed(d_for);
                let heuristic = partials.heuristic(bound, &position, &lab.control).unwrap();
                let found = searched(&position, &perimeter, &heuristic, &settings, lab);
                check_solved(&position, &found, length);
            }
        }
    });
}

#[test]
fn forward_spaces_tell_what_the_theorem_says() {
    in_lab(|lab| {
        // All painted positions are within 14 moves where only the corners of opposite faces are
        // seen, so all distances are known.
        let selection = Selection::faces(&[Face::U, Face::D]).corners_only();
        let all = BackwardSpace::new(selection, 14, false, lab).unwrap();
        assert_eq!(all.counts().iter().sum::<u64>(), 153_090);
        // With and without marks beyond the backward space.
        let problems = [false, true]
            .map(|are_marked| BackwardSpace::new(selection, 2, are_marked, lab).unwrap());
        for (i, start) in random_positions(4).take(20).enumerate() {
            let near = &problems[i % 2];
            for d_for in 1..=4 {
                let forward = ForwardSpace::new(near, &start, d_for, &Control::default()).unwrap();
                let mut rng = ChaCha8Rng::seed_from_u64(5);
                for moves in (0..d_for).flat_map(|moves| [moves; 20]) {
                    let position = start * random_walk_position(&mut rng, moves);
                    let value = forward
                        .get(near.painting().number(&position))
                        .or_else(|| near.get(&position));
                    let value = value.expect("it is fewer than d_for moves away");
                    let distance = all.get(&position).unwrap();
                    // How many moves away it is as it is painted: no more than were made.
                    let bounds = |away: u8| distance.min(2 + d_for - away + 1);
                    assert!(
                        (0..=moves).any(|away| value == bounds(away)),
                        "{value} {distance} {moves}"
                    );
                    assert!(value >= bounds(moves));
                }
            }
        }
    });
}

#[test]
fn bounds_are_admissible_and_consistent() {
    in_lab(|lab| {
        let bound = PartialBound::Informed(4);
        let partials = Partials::opposite_faces(4, bound, lab).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(6);
        for length in 6..=9 {
            let start = random_walk_position(&mut rng, length);
            let informed = partials.heuristic(bound, &start, &lab.control).unwrap();
            let own = informed.bound(&start, 0);
            assert!(own <= length);
            assert_eq!(informed.bounds(&start).into_iter().max(), Some(own));
            for moves in 0..=6 {
                let position = start * random_walk_position(&mut rng, moves);
                let own = informed.bound(&position, 0);
                assert_eq!(informed.bound(&position, 5), own.max(5));
                assert!(partials.backward(6).bound(&position, 0) <= own.min(6));
                for m in Move::ALL {
                    let next = informed.bound(&position.apply(m), 0);
                    assert!(own.abs_diff(next) <= 1);
                }
            }
        }
    });
}

/// Lee's search with a perimeter of five moves, and backward spaces to a depth.
fn lee(backward: u8, bound: PartialBound, settings: AstarSettings, lab: &Lab<'_>) -> Lee {
    Lee {
        perimeter: Box::new(BackwardSpace::perimeter(5, lab).unwrap()),
        partials: Partials::opposite_faces(backward, bound, lab).unwrap(),
        bound,
        settings,
        on_bounds: None,
    }
}

#[test]
fn memory_ends_the_search_with_a_lower_bound() {
    in_lab(|lab| {
        let settings = AstarSettings {
            states: 20_000,
            ..AstarSettings::default()
        };
        let lee = lee(5, PartialBound::HEU6, settings, lab);
        let position = random_positions(7).next().unwrap();
        let found = lee
            .search(&position, 20, &mut |_| {}, &lab.control)
            .unwrap();
        assert_eq!(found.ended, SearchEnd::Full);
        assert!((20_000..20_020).contains(&found.stored));
        // Positions outside a perimeter of depth 5 count six: 3,240 lie at most three moves from
        // the root, 43,239 at four.
        assert_eq!(found.lower_bound, 9);
        assert_eq!(
            found.to_string(),
            format!("{} states stored; lower bound 9", found.stored)
        );
        let report = lee.solve(&position, &Options::default(), &|_| {}, &lab.control);
        assert_eq!(
            (report.outcome, report.lower_bound, report.solutions.len()),
            (Outcome::OutOfMemory, 9, 0)
        );
        let options = Options {
            max_length: Some(8),
            ..Options::default()
        };
        let report = lee.solve(&position, &options, &|_| {}, &lab.control);
        assert_eq!(
            (report.outcome, report.lower_bound),
            (Outcome::NoneWithinLimit, 9)
        );
        assert_eq!(
            lee.solve(&position, &Options::default(), &|_| {}, &cancelled())
                .outcome,
            Outcome::Cancelled(CancelReason::Requested)
        );
    });
}

#[test]
fn the_engine_reports_what_it_did() {
    in_lab(|lab| {
        let lee = lee(4, PartialBound::Informed(2), AstarSettings::default(), lab);
        assert_eq!(
            (lee.name(), lee.metric(), lee.is_optimal()),
            ("lee", Metric::Htm, true)
        );
        let fast = fast(Metric::Htm);
        for length in [0, 3, 8] {
            for position in positions_of_length(length, 3, 3, fast, lab).unwrap() {
                let report = lee.solve(&position, &Options::default(), &|_| {}, &lab.control);
                assert_eq!(
                    (report.outcome, report.length()),
                    (Outcome::Optimal, Some(length))
                );
                assert_eq!(
                    report.iterations.last().map(|threshold| threshold.length),
                    Some(length)
                );
                if length > 0 {
                    let options = Options {
                        max_length: Some(length - 1),
                        ..Options::default()
                    };
                    let report = lee.solve(&position, &options, &|_| {}, &lab.control);
                    assert_eq!(
                        (report.outcome, report.lower_bound),
                        (Outcome::NoneWithinLimit, length)
                    );
                }
            }
        }
        // Stopped while it searches.
        let far = random_positions(7).next().unwrap();
        let control = lab.control.clone().with_timeout(Duration::from_millis(20));
        let report = lee.solve(&far, &Options::default(), &|_| {}, &control);
        assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::TimedOut));
        // Stopped before the forward spaces are complete: the position is not stored.
        let report = lee.solve(&far, &Options::default(), &|_| {}, &cancelled());
        assert_eq!(
            (report.outcome, report.lower_bound),
            (Outcome::Cancelled(CancelReason::Requested), 6)
        );
    });
}

// The example of the page.

const SCRAMBLE: &str = "R U F D";
const D_BACK: u8 = 1;
const BUCKETS: u64 = 8;

/// The example as the page has it.
fn text() -> &'static str {
    let page = include_str!("../../pages/lee.md");
    let (_, text) = page.split_once("## A position of four moves").unwrap();
    text.split_once("Here the partial problems").unwrap().0
}

/// The rows of its tables, without their padding.
fn kept_rows() -> Vec<String> {
    let tables = text().split("\n\n").filter(|part| part.starts_with('|'));
    let rows = tables.flat_map(|table| table.lines().skip(2));
    rows.map(|row| {
        row.trim_matches('|')
            .split('|')
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" | ")
    })
    .collect()
}

#[test]
fn every_row_of_the_example_is_computed_again() {
    in_lab(|lab| {
        assert!(
            text().contains(&format!("has depth {D_BACK}"))
                && text().contains(&format!("is `{SCRAMBLE}`, four"))
        );
        assert_eq!(kept_rows(), [lookups(), search(lab)].concat());
    });
}

fn bucket(position: &Cube) -> u64 {
    Hash::Mixed.bucket(PositionKey::of(position), BUCKETS)
}

/// How many of the nineteen positions lie in a bucket, by their numbers.
fn numbers_in(number: u64) -> Vec<usize> {
    let nineteen = [Cube::SOLVED]
        .into_iter()
        .chain(Move::ALL.map(|m| Cube::SOLVED.apply(m)));
    nineteen
        .enumerate()
        .filter(|(_, position)| bucket(position) == number)
        .map(|(i, _)| i)
        .collect()
}

/// What asking for an absent position of two moves takes, one for each size of a bucket.
fn lookups() -> Vec<String> {
    let pairs = Move::ALL
        .into_iter()
        .flat_map(|first| Move::ALL.map(|second| [first, second]));
    let mut asked = BTreeMap::new();
    for pair in pairs.filter(|[first, second]| first.face().axis() != second.face().axis()) {
        let number = bucket(&Cube::from_moves(&pair));
        asked
            .entry(numbers_in(number).len() as u32)
            .or_insert((pair, number));
    }
    let row = |(size, (pair, number)): (u32, ([Move; 2], u64))| {
        let accesses = Method::ALL.map(|method| method.accesses(size).to_string());
        let names: Vec<String> = numbers_in(number).iter().map(usize::to_string).collect();
        let names = if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(", ")
        };
        format!(
            "`{}` | {number} | {names} | {}",
            DisplayMoves(&pair),
            accesses.join(" | ")
        )
    };
    asked.into_iter().map(row).collect()
}

/// Each expansion with d_for = 3; what the search takes by three bounds. Each pair of faces needs
/// four moves.
fn search(lab: &Lab<'_>) -> Vec<String> {
    let position: Cube = SCRAMBLE.parse().unwrap();
    let perimeter = BackwardSpace::perimeter(D_BACK, lab).unwrap();
    // Flips are visible only by their places otherwise.
    let selections = CHOSEN.map(|faces| Selection::faces(&faces.map(|face| FACES[face])));
    let depths = [2, 3].map(PartialBound::Informed);
    let partials = Partials::new(&selections, D_BACK, depths[1], lab).unwrap();
    for number in 0..partials.count() {
        let seen = partials.seen(number, &position);
        let space = partials.space(number);
        let solved = space.solve(&seen, 3, &lab.control).unwrap();
        assert_eq!(solved.length, Some(4));
    }
    let [two, three] =
        depths.map(|bound| partials.heuristic(bound, &position, &lab.control).unwrap());
    let mut rows = expansions(&position, &perimeter, &three, lab);
    let bounds = [
        ("absence alone", &partials.backward(0)),
        ("pairs, d_for = 2", &two),
        ("pairs, d_for = 3", &three),
    ];
    for (name, heuristic) in bounds {
        let (expansions, solution) = trace(&position, &perimeter, heuristic, lab);
        assert_eq!(solution.split(' ').count(), 4);
        let stored = 1 + expansions
            .iter()
            .map(|(_, expansion)| expansion.stored)
            .sum::<u64>();
        rows.push(format!(
            "{name} | {} | {} | `{solution}`",
            expansions.len(),
            grouped(stored)
        ));
    }
    rows
}

/// Each expansion: the moves to it, and the children by their f.
fn expansions(
    position: &Cube,
    perimeter: &BackwardSpace,
    heuristic: &Heuristic<'_>,
    lab: &Lab<'_>,
) -> Vec<String> {
    let mut rows = Vec::new();
    let (expansions, _) = trace(position, perimeter, heuristic, lab);
    for (step, (path, expansion)) in (1..).zip(&expansions) {
        let Expansion {
            position,
            depth,
            bound,
            meeting,
            ..
        } = *expansion;
        let with_f = [4, 5, 6].map(|f| {
            let children = Move::ALL.iter().map(|&m| position.apply(m));
            let outside = children.filter(|child| perimeter.distance(child).unwrap().is_none());
            outside
                .filter(|child| depth + 1 + heuristic.bound(child, D_BACK + 1) == f)
                .count()
                .to_string()
        });
        assert_eq!(depth + bound, 4, "no f exceeds the length");
        let path = if path.is_empty() {
            "none".into()
        } else {
            format!("`{path}`")
        };
        let meeting = meeting.map_or(String::new(), |length| length.to_string());
        rows.push(format!(
            "{step} | {path} | {depth} | {bound} | 4 | {} | {meeting}",
            with_f.join(" | ")
        ));
    }
    rows
}

/// The expansions of a search, each with the moves from its root, and the solution.
fn trace(
    position: &Cube,
    perimeter: &BackwardSpace,
    heuristic: &Heuristic<'_>,
    lab: &Lab<'_>,
) -> (Vec<(String, Expansion)>, String) {
    let mut paths = HashMap::from([(*position, Vec::new())]);
    let mut expansions = Vec::new();
    let mut on_event = |event: AstarEvent<'_>| {
        let AstarEvent::Expanded(expansion) = event else {
            return;
        };
        let path: Vec<Move> = paths[&expansion.position].clone();
        for m in Move::ALL {
            paths
                .entry(expansion.position.apply(m))
                .or_insert_with(|| [&path[..], &[m]].concat());
        }
        expansions.push((DisplayMoves(&path).to_string(), expansion));
    };
    let settings = AstarSettings::default();
    let found = astar(
        position,
        perimeter,
        heuristic,
        &settings,
        &mut on_event,
        &lab.control,
    );
    let found = found.unwrap();
    let SearchEnd::Solved(moves) = &found.ended else {
        panic!("{found}")
    };
    (expansions, DisplayMoves(moves).to_string())
}
