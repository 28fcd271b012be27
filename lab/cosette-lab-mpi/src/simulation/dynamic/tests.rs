//! Tests of the dynamic split on made-up solves.

use super::*;
use crate::simulation::fixed::{self, Deal};
use crate::simulation::testing::{ideal, solve};

const SECOND: Nanos = 1_000_000_000;

/// Tasks of many sizes, by a simple generator of numbers.
fn uneven(count: usize, least: Nanos) -> Vec<Nanos> {
    let next =
        |number: &u64| Some(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    // The largest is some hundred times the least.
    std::iter::successors(Some(2006), next).map(|number| least << ((number >> 33) % 8)).take(count).collect()
}

fn slow(cores: usize, threads: usize) -> Network {
    Network { service: 10_000, ..Network::ours((cores, threads), 100_000) }
}

#[test]
fn one_core_takes_the_sum_of_the_costs() {
    let costs = uneven(5_000, 2_000);
    let solve = solve(&[&costs, &costs]);
    let alone = solve.by_one_thread(SolutionCount::All);
    assert_eq!(alone, 2 * costs.iter().sum::<Nanos>());
    assert_eq!(outcome(&solve, SolutionCount::All, &ideal(1, 1)).time, alone);
}

#[test]
fn every_task_is_searched_once() {
    let costs = uneven(3_000, 30_000);
    let solve = solve(&[&costs[..40], &costs]);
    let alone = solve.by_one_thread(SolutionCount::All);
    for cores in [1, 2, 3, 8, 64, 500] {
        for network in [ideal(cores, 1), slow(cores, 1), ideal(cores, 7), slow(cores, 64)] {
            let Outcome { time, searched, .. } = outcome(&solve, SolutionCount::All, &network);
            assert_eq!(searched, alone, "{cores} cores");
            assert!(time * cores as u64 >= alone, "{cores} cores");
        }
    }
}

#[test]
fn many_small_tasks_keep_all_cores_busy() {
    let solve = solve(&[&vec![100_000; 80_000]]);
    for cores in [2, 8, 64] {
        let time = outcome(&solve, SolutionCount::All, &ideal(cores, 4)).time;
        let efficiency = 8.0 * SECOND as f64 / (cores as f64 * time as f64);
        assert!(efficiency > 0.95 && efficiency <= 1.0, "{efficiency} of {cores} cores");
    }
}

#[test]
fn static_splits_take_longer_if_tasks_are_uneven() {
    let mut costs = uneven(20_000, 20_000);
    costs[19_000] = SECOND;
    let mut solve = solve(&[&costs]);
    // Nothing is predicted.
    solve.thresholds[0].iter_mut().for_each(|task| task.work = 1);
    for cores in [2, 8, 64] {
        let dynamic = outcome(&solve, SolutionCount::All, &slow(cores, 4)).time;
        for deal in [Deal::Cyclic, Deal::Blocks] {
            let fixed = fixed::static_time(&solve, deal, SolutionCount::All, &slow(cores, 4));
            assert!(dynamic <= fixed, "{dynamic} and {fixed} ns, {cores} cores, {deal:?}");
        }
    }
}

#[test]
fn a_single_large_task_is_shared() {
    let solve = solve(&[&[8 * SECOND]]);
    let time = outcome(&solve, SolutionCount::All, &slow(8, 2)).time;
    assert!(time < 12 * SECOND / 10, "{time} ns");
}

#[test]
fn the_first_solution_ends_it() {
    let mut solve = solve(&[&vec![1_000_000; 10_000]]);
    solve.thresholds[0][2_000].solution = Some(500_000);
    assert_eq!(outcome(&solve, SolutionCount::ONE, &ideal(1, 1)).time, 2_000_500_000);
    let ours = outcome(&solve, SolutionCount::ONE, &slow(8, 1));
    // Leases that hold later tasks are searched at the same time.
    assert!((240_000_000..400_000_000).contains(&ours.time), "{ours:?}");
    assert!(ours.searched < 4 * SECOND, "{ours:?}");
}

#[test]
fn the_outcome_is_the_same_each_time() {
    let solve = solve(&[&uneven(2_000, 50_000)]);
    assert_eq!(outcome(&solve, SolutionCount::All, &slow(64, 8)), outcome(&solve, SolutionCount::All, &slow(64, 8)));
}

#[test]
fn many_cores_wait_for_a_slow_coordinator() {
    let solve = solve(&[&uneven(20_000, 50_000)]);
    let times = [0, 10_000, 1_000_000]
        .map(|service| outcome(&solve, SolutionCount::All, &Network { service, ..slow(512, 1) }).time);
    assert!(times.is_sorted() && times[2] > 2 * times[0], "{times:?}");
}
