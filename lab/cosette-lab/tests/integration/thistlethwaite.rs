//! The systems that prove nothing: Thistlethwaite's stages, with exact counts and diameters, and
//! solutions of at most 45 moves; and two-phase search as an engine.
//!
//! The counts of the stages prove their distances: none is too small, for each is the length of a
//! path ([`checked_length`]), and if one were too large, there would be fewer cosets at a smaller
//! distance than are known.

use crate::support::{cancelled, position};
use cosette::cube::{Cube, random_positions};
use cosette::search::{Options, Outcome, Report};
use cosette::{CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::thistlethwaite::Thistlethwaite;
use cosette_lab::walks::random_walks;
use std::time::{Duration, Instant};

#[test]
fn counts_and_diameters_are_exact() {
    let stages = Thistlethwaite::get().stages();
    assert_eq!(
        stages.each_ref().map(|stage| stage.cosets()),
        [2048, 1_082_565, 29_400, 663_552]
    );
    assert_eq!(
        stages.each_ref().map(|stage| stage.diameter()),
        [7, 10, 13, 15]
    );
    assert_eq!(
        stages.each_ref().map(|stage| stage.moves().len()),
        [18, 14, 10, 6]
    );
    let counts: [&[u64]; 4] = [
        &[1, 2, 25, 202, 620, 900, 285, 13],
        &[
            1, 2, 17, 134, 1065, 8190, 54694, 267576, 560568, 187204, 3114,
        ],
        &[
            1, 2, 9, 36, 124, 530, 1806, 3732, 5158, 7070, 7218, 3202, 488, 24,
        ],
        &[
            1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113892, 178495, 179196, 89728, 16176,
            1488, 144,
        ],
    ];
    for (stage, counts) in stages.iter().zip(counts) {
        assert_eq!(stage.counts(), counts, "{}", stage.group());
    }
}

/// Solves, and checks all that is true of each solution; gives its length.
fn checked_length(position: &Cube) -> usize {
    let thistlethwaite = Thistlethwaite::get();
    let ways = thistlethwaite.solution(position);
    let mut here = *position;
    for (stage, way) in thistlethwaite.stages().iter().zip(&ways) {
        assert_eq!(stage.distance(&here), Some(way.len() as u8));
        assert!(
            way.iter().all(|m| stage.moves().contains(m)),
            "{way:?} in {}",
            stage.group()
        );
        here = here.apply_moves(way);
        assert_eq!(stage.distance(&here), Some(0));
    }
    assert!(here.is_solved());
    ways.iter().map(Vec::len).sum()
}

#[test]
fn forty_five_moves_are_never_exceeded() {
    let longest = random_positions(45)
        .take(20_000)
        .map(|position| checked_length(&position))
        .max();
    assert!(
        longest.is_some_and(|longest| (32..=45).contains(&longest)),
        "{longest:?}"
    );
    assert_eq!(checked_length(&Cube::SOLVED), 0);
}

#[test]
fn positions_outside_a_group_have_no_distance_in_it() {
    let stages = Thistlethwaite::get().stages();
    let quarter_turns = [("F", 1), ("R", 2), ("U", 3)];
    for (name, from) in quarter_turns {
        let position = position(name);
        assert_eq!(stages[from - 1].distance(&position), Some(1));
        if from == 3 {
            assert_eq!(stages[from].distance(&position), None);
        }
    }
}

#[test]
fn the_engine_claims_nothing() {
    let engine = Thistlethwaite::get();
    assert!(!engine.is_optimal());
    let solve = |position: &Cube, options: &Options<'_>| {
        engine.solve(position, options, &|_| {}, &Control::default())
    };
    let position = random_positions(3).next().unwrap();
    let report = solve(&position, &Options::default());
    assert_eq!((report.outcome, report.lower_bound), (Outcome::Unproven, 0));
    let solution = report.best_known.as_ref().expect("a solution");
    assert!(position.apply_moves(solution).is_solved());
    assert!(report.nodes() >= solution.len() as u64);
    let shorter = Options {
        max_length: Some(solution.len() as u8 - 1),
        ..Options::default()
    };
    assert_eq!(
        solve(&position, &shorter).best_known,
        report.best_known,
        "it has no other"
    );
    assert_eq!(
        solve(&Cube::SOLVED, &Options::default()).best_known,
        Some(vec![])
    );
}

// Two-phase search.

fn two_phase(engine: Kociemba, position: &Cube, options: &Options<'_>) -> Report {
    let report = engine.solve(position, options, &|_| {}, &Control::default());
    assert!(
        report
            .best_known
            .iter()
            .all(|solution| position.apply_moves(solution).is_solved())
    );
    report
}

#[test]
fn time_and_target_end_the_search() {
    let timed = Kociemba {
        time: Some(Duration::from_secs(1)),
        ..Kociemba::default()
    };
    assert!(!timed.is_optimal());
    // The best solution is given also where it is longer than wanted.
    for max_length in [None, Some(12)] {
        let start = Instant::now();
        let position = random_positions(2).next().unwrap();
        let report = two_phase(
            timed,
            &position,
            &Options {
                max_length,
                ..Options::default()
            },
        );
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!(
            (
                report.outcome,
                report.lower_bound,
                report.best_known.is_some()
            ),
            (Outcome::Unproven, 0, true)
        );
    }
    for position in random_positions(1).take(5) {
        let target = two_phase(
            Kociemba {
                target: 22,
                time: None,
            },
            &position,
            &Options::default(),
        );
        assert!(target.best_known.as_ref().unwrap().len() <= 22);
        let longest = Options {
            max_length: Some(21),
            ..Options::default()
        };
        let limited = two_phase(Kociemba::default(), &position, &longest);
        assert!(limited.best_known.as_ref().unwrap().len() <= 21);
    }
}

#[test]
fn what_is_exhausted_is_proven() {
    for length in 0..=8 {
        let position = Cube::from_moves(&random_walks(3, length).next().unwrap());
        let report = two_phase(Kociemba::default(), &position, &Options::default());
        assert_eq!(report.outcome, Outcome::Optimal);
        assert_eq!(
            usize::from(report.lower_bound),
            report.best_known.as_ref().unwrap().len()
        );
        assert!(report.best_known.as_ref().unwrap().len() <= length);
    }
}

#[test]
fn a_stopped_search_finds_nothing() {
    let position = random_positions(4).next().unwrap();
    let report = Kociemba::default().solve(&position, &Options::default(), &|_| {}, &cancelled());
    assert_eq!(
        (report.outcome, report.nodes(), report.best_known),
        (Outcome::Cancelled(CancelReason::Requested), 0, None)
    );
}
