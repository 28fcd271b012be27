//! Two-phase search: every solution solves, and with time enough the shortest is found.

use crate::moves;
use crate::reference_solver::{
    distance, far_symmetric_cases, near_symmetric_cases, random_walks, superflip,
};
use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move, canonical, random_positions};
use cosette::twophase::{TwoPhase, TwoPhaseLimits, TwoPhaseReport};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Searches within limits and checks all that is found on the way.
fn search(cube: &Cube, limits: &TwoPhaseLimits) -> TwoPhaseReport {
    search_until(cube, limits, &Cancel::new())
}

fn search_until(cube: &Cube, limits: &TwoPhaseLimits, cancel: &Cancel) -> TwoPhaseReport {
    let mut solutions: Vec<Vec<Move>> = Vec::new();
    let found = TwoPhase::get().search(
        cube,
        limits,
        &mut |solution| solutions.push(solution.to_vec()),
        cancel,
    );
    for solution in &solutions {
        assert!(
            cube.apply_moves(solution).is_solved(),
            "{solution:?} does not solve {cube:?}"
        );
        assert_eq!(&canonical(solution), solution);
    }
    assert!(
        solutions
            .windows(2)
            .all(|pair| pair[1].len() < pair[0].len()),
        "{solutions:?} grow shorter"
    );
    assert_eq!(found.solution, solutions.pop());
    assert!(found.nodes <= limits.nodes || limits.until_solved);
    found
}

fn within_nodes(nodes: u64) -> TwoPhaseLimits {
    TwoPhaseLimits {
        nodes,
        ..TwoPhaseLimits::default()
    }
}

#[test]
fn random_positions_have_good_solutions_at_once() {
    let mut total = 0;
    for cube in random_positions(20).take(100) {
        let found = search(
            &cube,
            &TwoPhaseLimits {
                target: 19,
                ..within_nodes(200_000)
            },
        );
        total += found
            .solution
            .expect("a tenth of it is enough for most")
            .len();
    }
    assert!(total <= 100 * 20, "{total}");
}

#[test]
fn what_is_exhausted_is_shortest() {
    for case in near_symmetric_cases()
        .into_iter()
        .chain(random_walks(21, 200, 9, Metric::Htm))
    {
        let found = search(&case.cube, &TwoPhaseLimits::default());
        assert!(found.exhausted, "{}", case.name);
        let length = found.solution.map(|solution| solution.len());
        assert_eq!(
            length,
            distance(&case.cube, Metric::Htm, 9),
            "{}",
            case.name
        );
    }
}

#[test]
fn symmetric_positions_are_solved() {
    for case in far_symmetric_cases() {
        let found = search(
            &case.cube,
            &TwoPhaseLimits {
                target: 21,
                ..TwoPhaseLimits::default()
            },
        );
        assert!(found.solution.is_some(), "{}", case.name);
    }
    // The superflip needs twenty moves, as many as any position, and looks the same along all axes,
    // direct and inverse.
    let found = search(
        &superflip(),
        &TwoPhaseLimits {
            target: 20,
            ..TwoPhaseLimits::default()
        },
    );
    assert_eq!(found.solution.map(|solution| solution.len()), Some(20));
}

#[test]
fn a_first_solution_is_found_soon() {
    let found = search(
        &superflip(),
        &TwoPhaseLimits {
            until_solved: true,
            ..within_nodes(12_000)
        },
    );
    assert!(found.solution.unwrap().len() <= 25);
    assert!(found.nodes < 400_000, "{}", found.nodes);
}

#[test]
fn members_of_the_target_subgroup_are_solved() {
    // Far within the subgroup, so phase 1 is over before it begins.
    let turns: Vec<Move> = moves("U R2 D2 F2 U' L2 D B2 U2 R2 D' F2 U L2 D' B2 U R2");
    let found = search(&Cube::from_moves(&turns), &within_nodes(2_000_000));
    assert!(
        found
            .solution
            .is_some_and(|solution| solution.len() <= turns.len())
    );
}

#[test]
fn the_same_nodes_find_the_same() {
    for cube in random_positions(22).take(20) {
        assert_eq!(
            search(&cube, &within_nodes(30_000)),
            search(&cube, &within_nodes(30_000))
        );
    }
}

#[test]
fn a_search_keeps_its_limits() {
    let cube = random_positions(23).next().unwrap();
    let none = search(&cube, &within_nodes(0));
    assert_eq!(
        none,
        TwoPhaseReport {
            solution: None,
            nodes: 0,
            exhausted: false
        }
    );
    let few = search(&cube, &within_nodes(1000));
    assert_eq!((few.nodes, few.exhausted), (1000, false));
    let hoping = search(
        &cube,
        &TwoPhaseLimits {
            until_solved: true,
            ..within_nodes(100)
        },
    );
    assert!(hoping.solution.is_some() && hoping.nodes > 100 && !hoping.exhausted);
    let start = Instant::now();
    let in_time = Cancel::new().child_with_timeout(Duration::from_millis(20));
    let late = search_until(&cube, &TwoPhaseLimits::default(), &in_time);
    assert!(
        !late.exhausted && start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = TwoPhase::get().search(&cube, &TwoPhaseLimits::default(), &mut |_| {}, &cancel);
    assert_eq!(cancelled.nodes, 0);
    // The first solution that is good enough is the last.
    let target = search(
        &cube,
        &TwoPhaseLimits {
            target: 24,
            ..TwoPhaseLimits::default()
        },
    );
    assert!(target.solution.is_some_and(|solution| solution.len() <= 24));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn walks_are_undone_in_as_many_moves(seed in any::<u64>(), length in 0usize..=11) {
        let case = &random_walks(seed, 1, length, Metric::Htm)[0];
        let found = search(&case.cube, &TwoPhaseLimits { target: length as u8, ..TwoPhaseLimits::default() });
        prop_assert!(found.solution.is_some_and(|solution| solution.len() <= length));
    }
}
