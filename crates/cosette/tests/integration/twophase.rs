//! Two-phase search: every solution solves, and with time enough the shortest is found.

use crate::position;
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
    let mut on_solution = |solution: &[Move]| {
        assert!(cube.apply_moves(solution).is_solved(), "{solution:?}");
        assert_eq!(canonical(solution), solution);
        let is_shorter = |last: &Vec<Move>| solution.len() < last.len();
        assert!(solutions.last().is_none_or(is_shorter), "{solution:?}");
        solutions.push(solution.to_vec());
    };
    let found = TwoPhase::get().search(cube, limits, &mut on_solution, cancel);
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

/// The length of a solution with at most `target` moves.
fn length_towards(target: u8, nodes: u64, cube: &Cube) -> usize {
    let limits = TwoPhaseLimits {
        target,
        ..within_nodes(nodes)
    };
    search(cube, &limits).solution.expect("it is found").len()
}

#[test]
fn random_positions_have_good_solutions_at_once() {
    let random = random_positions(20).take(100);
    // A tenth of the nodes is enough for most.
    let lengths = random.map(|cube| length_towards(19, 200_000, &cube));
    assert!(lengths.sum::<usize>() <= 100 * 20);
}

#[test]
fn what_is_exhausted_is_shortest() {
    let mut cases = near_symmetric_cases();
    cases.extend(random_walks(21, 200, 9, Metric::Htm));
    for case in cases {
        let found = search(&case.cube, &TwoPhaseLimits::default());
        assert!(found.exhausted, "{}", case.name);
        let length = found.solution.map(|solution| solution.len());
        let expected = distance(&case.cube, Metric::Htm, 9);
        assert_eq!(length, expected, "{}", case.name);
    }
}

#[test]
fn symmetric_positions_are_solved() {
    let unlimited = TwoPhaseLimits::default().nodes;
    for case in far_symmetric_cases() {
        length_towards(21, unlimited, &case.cube);
    }
    // The superflip needs twenty moves, as many as any position, and looks the same along all axes,
    // direct and inverse.
    assert_eq!(length_towards(20, unlimited, &superflip()), 20);
    // Far within the target subgroup, phase 1 is over before it begins.
    let member = position("U R2 D2 F2 U' L2 D B2 U2 R2 D' F2 U L2 D' B2 U R2");
    assert!(length_towards(0, 2_000_000, &member) <= 18);
}

#[test]
fn the_same_nodes_find_the_same() {
    for cube in random_positions(22).take(20) {
        let [one, other] = [(); 2].map(|()| search(&cube, &within_nodes(30_000)));
        assert_eq!(one, other);
    }
}

#[test]
fn a_search_keeps_its_limits() {
    let cube = random_positions(23).next().unwrap();
    let none = search(&cube, &within_nodes(0));
    assert_eq!(
        (none.solution, none.nodes, none.exhausted),
        (None, 0, false)
    );
    let few = search(&cube, &within_nodes(1000));
    assert_eq!((few.nodes, few.exhausted), (1000, false));
    let until_solved = |nodes, cube: &Cube| {
        let limits = TwoPhaseLimits {
            until_solved: true,
            ..within_nodes(nodes)
        };
        search(cube, &limits)
    };
    let hoping = until_solved(100, &cube);
    assert!(hoping.solution.is_some() && hoping.nodes > 100 && !hoping.exhausted);
    let soon = until_solved(12_000, &superflip());
    assert!(soon.solution.unwrap().len() <= 25 && soon.nodes < 400_000);
    let start = Instant::now();
    let in_time = Cancel::new().child_with_timeout(Duration::from_millis(20));
    let late = search_until(&cube, &TwoPhaseLimits::default(), &in_time);
    assert!(!late.exhausted && start.elapsed() < Duration::from_secs(2));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = search_until(&cube, &TwoPhaseLimits::default(), &cancel);
    assert_eq!(cancelled.nodes, 0);
    // The first solution that is good enough is the last.
    assert!(length_towards(24, TwoPhaseLimits::default().nodes, &cube) <= 24);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn walks_are_undone_in_as_many_moves(seed in any::<u64>(), length in 0usize..=11) {
        let case = &random_walks(seed, 1, length, Metric::Htm)[0];
        let limits = TwoPhaseLimits { target: length as u8, ..TwoPhaseLimits::default() };
        let found = search(&case.cube, &limits).solution;
        prop_assert!(found.is_some_and(|solution| solution.len() <= length));
    }
}
