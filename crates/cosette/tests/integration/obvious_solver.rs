//! The obvious solver of `support`, which the other solvers are compared with, is compared with known counts and with
//! still simpler code.

use crate::support::cases::{
    Case, PONS_ASINORUM, SIX_SPOT, far_symmetric_cases, near_symmetric_cases, random_walks, superflip,
    symmetric_classes,
};
use crate::support::solver::{ObviousSolver, Solutions, all_shortest_solutions, distance, shortest_solution};
use crate::support::{inverse, moves, oracle};
use cosette::cube::{Cube, Metric, Symmetry, canonical, for_each_sequence, is_canonical};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn as_many_positions_as_known_lie_within_the_radius() {
    for (metric, radius) in [(Metric::Htm, 5), (Metric::Qtm, 6)] {
        let mut counts = vec![0; radius + 1];
        ObviousSolver::shared(metric).kept().for_each(|(_, distance)| counts[distance] += 1);
        oracle::check(&format!("positions-{metric}"), &counts);
    }
}

/// The positions whose shortest sequences have exactly `length`, each with all of those, found by trying everything.
fn made_by_shortest_sequences(length: u8, metric: Metric) -> BTreeMap<Cube, Solutions> {
    let mut nearer = BTreeSet::new();
    for shorter in 0..length {
        for_each_sequence(shorter, metric, |sequence| nearer.extend([Cube::from_moves(sequence)]));
    }
    let mut made: BTreeMap<Cube, Solutions> = BTreeMap::new();
    for_each_sequence(length, metric, |sequence| {
        let cube = Cube::from_moves(sequence);
        if !nearer.contains(&cube) {
            made.entry(cube).or_default().insert(sequence.to_vec());
        }
    });
    made
}

#[test]
fn all_solutions_are_found_wherever_the_searches_meet() {
    for (metric, longest) in [(Metric::Htm, 4), (Metric::Qtm, 5)] {
        let solvers: Vec<ObviousSolver> = (0..=4).map(|radius| ObviousSolver::new(metric, radius)).collect();
        for length in 0..=longest {
            for (nth, (cube, sequences)) in made_by_shortest_sequences(length, metric).into_iter().enumerate() {
                let expected: Solutions = sequences.iter().map(|sequence| canonical(&inverse(sequence))).collect();
                assert_eq!(all_shortest_solutions(&cube, metric, 10), expected);
                // The smaller the radius, the longer the search outside: all of them on a few positions only.
                for solver in solvers.iter().filter(|_| nth % 1_000 == 0) {
                    assert_eq!(solver.all_shortest_solutions(&cube, usize::from(length)), expected);
                    let too_few = usize::from(length).checked_sub(1);
                    assert!(too_few.is_none_or(|limit| solver.all_shortest_solutions(&cube, limit).is_empty()));
                }
            }
        }
    }
}

/// Checks what must hold of the solutions of any position within `limit`, and returns the distance.
fn check_solutions(case: &Case, metric: Metric, limit: usize) -> usize {
    let Case { name, cube } = case;
    let solutions = all_shortest_solutions(cube, metric, limit);
    let length = metric.length(solutions.first().unwrap_or_else(|| panic!("{name}: no solution within {limit}")));
    for solution in &solutions {
        assert!(cube.after(solution).is_solved(), "{name}: {solution:?}");
        assert!(is_canonical(solution), "{name}: {solution:?}");
        assert_eq!(metric.length(solution), length, "{name}: {solution:?}");
    }
    assert_eq!(shortest_solution(cube, metric, limit).as_ref(), solutions.first(), "{name}");
    assert_eq!(distance(cube, metric, limit), Some(length), "{name}");
    if metric == Metric::Qtm {
        assert_eq!(length % 2 == 1, cube.is_odd(), "{name}");
    }

    let of_inverse: Solutions = solutions.iter().map(|solution| canonical(&inverse(solution))).collect();
    assert_eq!(all_shortest_solutions(&cube.inverse(), metric, limit), of_inverse, "{name}, inverse");
    let s = Symmetry::from_index(name.len() * 7 % Symmetry::COUNT);
    let conjugate = |solution: &Vec<_>| solution.iter().map(|&m| s.conjugate_move(m)).collect::<Vec<_>>();
    let of_conjugate: Solutions = solutions.iter().map(|solution| canonical(&conjugate(solution))).collect();
    assert_eq!(all_shortest_solutions(&cube.conjugate(s), metric, limit), of_conjugate, "{name}, {s:?}");
    length
}

#[test]
fn symmetric_cases_within_reach() {
    near_symmetric_cases().par_iter().for_each(|case| {
        let htm = check_solutions(case, Metric::Htm, 8);
        let qtm = check_solutions(case, Metric::Qtm, 12);
        assert!(htm <= qtm && qtm <= 2 * htm, "{}: {htm} and {qtm}", case.name);
    });
}

/// Counted once with this code, so that a change is noticed.
#[test]
fn all_symmetric_classes_near_solved() {
    let cases = symmetric_classes(5, 4);
    assert_eq!(cases.len(), 34);
    cases.par_iter().for_each(|case| {
        check_solutions(case, Metric::Htm, 5);
        check_solutions(case, Metric::Qtm, 10);
    });
}

#[test]
fn random_walks_within_reach() {
    for metric in Metric::ALL {
        random_walks(1, 200, 9, metric).par_iter().for_each(|case| {
            check_solutions(case, metric, 9);
        });
    }
}

#[test]
fn a_thousand_walks_are_the_same_for_the_same_seed() {
    for metric in Metric::ALL {
        let [once, again, other] = [1, 1, 2].map(|seed| random_walks(seed, 1_000, 10, metric));
        let cubes = |cases: &[Case]| cases.iter().map(|case| case.cube).collect::<Vec<_>>();
        assert_eq!(cubes(&once), cubes(&again));
        assert_ne!(cubes(&once), cubes(&other));
        assert!(
            once.iter().all(|case| case.cube == Cube::from_moves(&moves(case.name.strip_prefix("walk ").unwrap())))
        );
    }
}

#[test]
fn the_metrics_differ() {
    let distances = |text: &str| {
        let cube = Cube::from_moves(&moves(text));
        (distance(&cube, Metric::Htm, 8).unwrap(), distance(&cube, Metric::Qtm, 12).unwrap())
    };
    assert_eq!(distances(""), (0, 0));
    assert_eq!(distances("R"), (1, 1));
    assert_eq!(distances("R2"), (1, 2));
    assert_eq!(distances("R2 L2"), (2, 4));
    assert_eq!(distances(PONS_ASINORUM), (6, 12));
    assert_eq!(distances(SIX_SPOT), (8, 8));
    assert_eq!(distances("F2 B2 U D' R2 L2 U D'"), (8, 12));
}

#[test]
fn superflip_is_out_of_reach() {
    assert_eq!(distance(&superflip(), Metric::Htm, 10), None);
    assert_eq!(distance(&superflip(), Metric::Qtm, 12), None);
    for case in far_symmetric_cases() {
        assert_eq!(distance(&case.cube, Metric::Htm, 8), None, "{}", case.name);
    }
}

#[test]
fn symmetric_cases_are_symmetric() {
    let order = |cube: Cube| cube.stabilizer().len();
    let of = |text: &str| Cube::from_moves(&moves(text));
    assert_eq!(order(of(PONS_ASINORUM)), 48);
    assert_eq!(order(superflip() * of(PONS_ASINORUM)), 48);
    assert_eq!(order(of(SIX_SPOT)), 6);
    assert_eq!(order(of(PONS_ASINORUM) * of(SIX_SPOT)), 6);
    for case in near_symmetric_cases() {
        assert_eq!(order(superflip() * case.cube), order(case.cube), "{}", case.name);
        assert_eq!(superflip() * case.cube, case.cube * superflip(), "{}", case.name);
    }
}
