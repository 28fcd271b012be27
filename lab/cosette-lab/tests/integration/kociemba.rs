//! Two-phase search as an engine.

use crate::support::cancelled;
use cosette::cube::{Cube, random_positions};
use cosette::search::{Options, Outcome, Report};
use cosette::{CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::kociemba::Kociemba;
use cosette_lab::walks::random_walks;
use std::time::{Duration, Instant};

fn solve(engine: Kociemba, position: &Cube, options: &Options<'_>) -> Report {
    let report = engine.solve(position, options, &|_| {}, &Control::default());
    assert!(report.best_known.iter().all(|solution| position.after(solution).is_solved()));
    report
}

#[test]
fn time_and_target_end_the_search() {
    let timed = Kociemba { time: Some(Duration::from_millis(100)), ..Kociemba::default() };
    assert!(!timed.is_optimal());
    for position in random_positions(1).take(5) {
        let start = Instant::now();
        let report = solve(timed, &position, &Options::default());
        assert!(start.elapsed() < Duration::from_secs(2));
        assert_eq!((report.outcome, report.lower_bound, report.best_known.is_some()), (Outcome::Unproven, 0, true));
        let target = solve(Kociemba { target: 22, time: None }, &position, &Options::default());
        assert!(target.best_known.as_ref().unwrap().len() <= 22);
        let longest = Options { max_length: Some(21), ..Options::default() };
        let limited = solve(Kociemba::default(), &position, &longest);
        assert!(limited.best_known.as_ref().unwrap().len() <= 21);
    }
}

#[test]
fn the_best_solution_is_given_also_where_it_is_longer_than_wanted() {
    let position = random_positions(2).next().unwrap();
    let timed = Kociemba { time: Some(Duration::from_secs(1)), ..Kociemba::default() };
    let report = solve(timed, &position, &Options { max_length: Some(12), ..Options::default() });
    assert_eq!((report.outcome, report.lower_bound), (Outcome::Unproven, 0));
    assert!(position.after(report.best_known.as_ref().unwrap()).is_solved());
}

#[test]
fn what_is_exhausted_is_proven() {
    for length in 0..=8 {
        let position = Cube::from_moves(&random_walks(3, length).next().unwrap());
        let report = solve(Kociemba::default(), &position, &Options::default());
        assert_eq!(report.outcome, Outcome::Optimal);
        assert_eq!(usize::from(report.lower_bound), report.best_known.as_ref().unwrap().len());
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
