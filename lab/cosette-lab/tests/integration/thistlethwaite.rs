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
    let known: [(u64, usize, &[u64]); 4] = [
        (2048, 18, &[1, 2, 25, 202, 620, 900, 285, 13]),
        (
            1_082_565,
            14,
            &[
                1, 2, 17, 134, 1065, 8190, 54694, 267576, 560568, 187204, 3114,
            ],
        ),
        (
            29_400,
            10,
            &[
                1, 2, 9, 36, 124, 530, 1806, 3732, 5158, 7070, 7218, 3202, 488, 24,
            ],
        ),
        (
            663_552,
            6,
            &[
                1, 6, 27, 120, 519, 1932, 6484, 20310, 55034, 113892, 178495, 179196, 89728, 16176,
                1488, 144,
            ],
        ),
    ];
    for (stage, (cosets, moves, counts)) in Thistlethwaite::get().stages.iter().zip(known) {
        assert_eq!(stage.cosets(), cosets);
        assert_eq!(stage.moves.len(), moves);
        assert_eq!(stage.counts, counts, "{}", stage.group);
    }
}

/// Solves, and checks all that is true of each solution; gives its length.
fn checked_length(position: &Cube) -> usize {
    let thistlethwaite = Thistlethwaite::get();
    let ways = thistlethwaite.solution(position);
    let mut here = *position;
    for (stage, way) in thistlethwaite.stages.iter().zip(&ways) {
        assert_eq!(stage.distance(&here), Some(way.len() as u8));
        let is_in_group = way.iter().all(|m| stage.moves.contains(m));
        assert!(is_in_group, "{way:?} in {}", stage.group);
        here = here.apply_moves(way);
        assert_eq!(stage.distance(&here), Some(0));
    }
    assert!(here.is_solved());
    ways.iter().map(Vec::len).sum()
}

#[test]
fn forty_five_moves_are_never_exceeded() {
    let positions = random_positions(45).take(20_000);
    let longest = positions.map(|position| checked_length(&position)).max();
    assert!(longest.is_some_and(|longest| (32..=45).contains(&longest)));
    assert_eq!(checked_length(&Cube::SOLVED), 0);
}

#[test]
fn positions_outside_a_group_have_no_distance_in_it() {
    let stages = &Thistlethwaite::get().stages;
    for (name, stage) in [("F", 0), ("R", 1), ("U", 2)] {
        assert_eq!(stages[stage].distance(&position(name)), Some(1));
    }
    assert_eq!(stages[3].distance(&position("U")), None);
}

/// Solves without a limit but that of the options; the best solution solves the position.
fn solve(engine: impl Engine, position: &Cube, max_length: Option<u8>) -> Report {
    assert!(!engine.is_optimal());
    let options = Options {
        max_length,
        ..Options::default()
    };
    let report = engine.solve(position, &options, &|_| {}, &Control::default());
    let solution = report.best_known.as_ref().expect("a solution");
    assert!(position.apply_moves(solution).is_solved());
    report
}

fn length(report: &Report) -> u8 {
    report.best_known.as_ref().map_or(0, Vec::len) as u8
}

#[test]
fn the_engine_claims_nothing() {
    let engine = Thistlethwaite::get();
    let position = random_positions(3).next().unwrap();
    let report = solve(engine, &position, None);
    assert_eq!((report.outcome, report.lower_bound), (Outcome::Unproven, 0));
    assert!(report.nodes() >= length(&report).into());
    let shorter = solve(engine, &position, Some(length(&report) - 1));
    assert_eq!(shorter.best_known, report.best_known, "it has no other");
    assert_eq!(length(&solve(engine, &Cube::SOLVED, None)), 0);
}

#[test]
fn time_and_target_end_a_two_phase_search() {
    let timed = Kociemba {
        time: Some(Duration::from_secs(1)),
        ..Kociemba::default()
    };
    // The best solution is given also where it is longer than wanted.
    for max_length in [None, Some(12)] {
        let start = Instant::now();
        let position = random_positions(2).next().unwrap();
        let report = solve(timed, &position, max_length);
        assert!(start.elapsed() < Duration::from_secs(10));
        assert_eq!((report.outcome, report.lower_bound), (Outcome::Unproven, 0));
    }
    let target = Kociemba {
        target: 22,
        time: None,
    };
    for position in random_positions(1).take(5) {
        assert!(length(&solve(target, &position, None)) <= 22);
        assert!(length(&solve(Kociemba::default(), &position, Some(21))) <= 21);
    }
}

#[test]
fn what_is_exhausted_is_proven() {
    for walked in 0..=8 {
        let position = Cube::from_moves(&random_walks(3, walked).next().unwrap());
        let report = solve(Kociemba::default(), &position, None);
        assert_eq!(report.outcome, Outcome::Optimal);
        assert_eq!(report.lower_bound, length(&report));
        assert!(usize::from(length(&report)) <= walked);
    }
}

#[test]
fn a_stopped_search_finds_nothing() {
    let position = random_positions(4).next().unwrap();
    let report = Kociemba::default().solve(&position, &Options::default(), &|_| {}, &cancelled());
    let stopped = Outcome::Cancelled(CancelReason::Requested);
    assert_eq!(
        (report.outcome, report.nodes(), report.best_known),
        (stopped, 0, None)
    );
}
