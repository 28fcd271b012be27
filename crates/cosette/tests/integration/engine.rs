//! The optimal search against the obvious solver: the same lengths and the same sets of solutions,
//! in both metrics.

use crate::reference_solver::{
    Case, all_shortest_solutions, distance, far_symmetric_cases, near_symmetric_cases,
    random_walks, superflip, symmetric_classes,
};
use crate::{generators, position, smallest_table as table};
use cosette::bench::Instructions;
use cosette::coord::{CornerClasses, CornerPainting};
use cosette::cube::{Cube, Metric, Move, Symmetry, canonical, random_positions};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Event, Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode};
use cosette::{Cancel, CancelReason, Remedy, ThreadCount};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

const ONE: SolutionCount = SolutionCount::ONE;
const PONS_ASINORUM: &str = "R2 L2 U2 D2 F2 B2";

fn at_most(count: usize) -> SolutionCount {
    SolutionCount::AtMost(NonZeroUsize::new(count).unwrap())
}

fn solver(metric: Metric) -> Solver {
    Solver::new(table(metric), ThreadCount::new(2).unwrap())
}

/// A solver with one thread.
fn alone(metric: Metric) -> Solver {
    Solver::new(table(metric), ThreadCount::ONE)
}

fn solve(solver: &Solver, cube: &Cube, solution_count: SolutionCount) -> Report {
    let options = Options {
        solution_count,
        ..Options::default()
    };
    let report = solver.search(cube).options(options).run();
    assert_eq!(report.outcome, Outcome::Optimal);
    assert!(!report.solutions.is_empty());
    for solution in &report.solutions {
        assert!(cube.apply_moves(solution).is_solved(), "{solution:?}");
        let length = solver.table().id().metric.length(solution);
        assert_eq!(length, usize::from(report.lower_bound));
        assert_eq!(&canonical(solution), solution);
    }
    report
}

/// The length of a shortest solution.
fn length(solver: &Solver, cube: &Cube) -> u8 {
    solve(solver, cube, ONE).lower_bound
}

/// Nodes, probes and solutions, in which searches of the same order agree.
fn work(report: &Report) -> (u64, u64, &[Vec<Move>]) {
    (report.nodes(), report.probes(), &report.solutions)
}

#[test]
fn lengths_are_those_of_the_obvious_solver() {
    let mut executor = ThreadExecutor::new(ThreadCount::ONE);
    for metric in Metric::ALL {
        let solver = solver(metric);
        for Case { name, cube } in random_walks(10, 1000, 10, metric) {
            let found = usize::from(length(&solver, &cube));
            assert_eq!(distance(&cube, metric, 10), Some(found), "{name}, {metric}");
        }
        // Split late.
        for Case { name, cube } in random_walks(13, 40, 13, metric) {
            let report = solver.search(&cube).run_with(&mut executor);
            let found = solver.solve(&cube).length() as u8;
            assert_eq!(report.length(), Some(found), "{name}, {metric}");
            assert!(cube.apply_moves(&report.solutions[0]).is_solved());
        }
    }
    // Out of the obvious solver's reach.
    for Case { name, cube } in far_symmetric_cases() {
        let report = solver(Metric::Htm).search(&cube).max_length(10).run();
        match distance(&cube, Metric::Htm, 10) {
            Some(distance) => assert_eq!(report.length(), Some(distance as u8), "{name}"),
            None => {
                let found = (report.outcome, report.lower_bound);
                assert_eq!(found, (Outcome::NoneWithinLimit, 11), "{name}")
            }
        }
    }
}

#[test]
fn all_solutions_are_those_of_the_obvious_solver() {
    for (metric, limit) in [(Metric::Htm, 8), (Metric::Qtm, 12)] {
        let solver = solver(metric);
        let symmetric = near_symmetric_cases().into_iter();
        let symmetric = symmetric.chain(symmetric_classes(5, 4));
        for Case { name, cube } in symmetric.chain(random_walks(20, 100, 8, metric)) {
            let expected = Vec::from_iter(all_shortest_solutions(&cube, metric, limit));
            let all = solve(&solver, &cube, SolutionCount::All).solutions;
            assert_eq!(all, expected, "{name}, {metric}");
            let one = solve(&solver, &cube, ONE).solutions;
            assert!(one.len() == 1 && all.contains(&one[0]), "{name}, {metric}");
        }
    }
    let pons = position(PONS_ASINORUM);
    let solver = solver(Metric::Htm);
    let all = solve(&solver, &pons, SolutionCount::All).solutions;
    for count in 1..=all.len() + 1 {
        let some = solve(&solver, &pons, at_most(count)).solutions;
        assert_eq!(some.len(), count.min(all.len()));
        assert!(some.iter().all(|solution| all.contains(solution)));
    }
}

#[test]
fn neighbors_are_as_far_as_if_each_was_solved() {
    for metric in Metric::ALL {
        let solver = solver(metric);
        let mut cases = near_symmetric_cases();
        cases.extend(symmetric_classes(4, 8));
        cases.extend(random_walks(11, 40, 9, metric));
        cases.retain(|case| distance(&case.cube, metric, 9).is_some());
        if metric == Metric::Htm {
            // Far enough for root tasks: eleven moves, and with symmetry.
            for text in [
                "U R F2 L' D B2 R' U2 F L D'",
                "U R2 L2 U2 F2 B2 U R2 F2 B2 L2",
            ] {
                cases.push(Case::new(text.into(), text));
            }
        }
        for Case { name, cube } in cases {
            let report = solver.search(&cube).neighbors().run();
            assert_eq!(report.lower_bound, length(&solver, &cube), "{name}");
            assert_eq!(report.solutions.len(), 1, "{name}");
            let neighbors = report.neighbors.unwrap();
            for m in generators(metric) {
                let length = length(&solver, &cube.apply(m));
                assert_eq!(neighbors.length_after(m), Some(length), "{name} {m:?}");
            }
        }
    }
    let solver = solver(Metric::Qtm);
    let report = solver.search(&Cube::SOLVED).neighbors().run();
    let of_solved = report.neighbors.unwrap();
    assert_eq!(of_solved.length_after(Move::ALL[0]), Some(1));
    assert_eq!(of_solved.length_after(Move::ALL[1]), None);
}

#[test]
fn a_stopped_search_has_no_neighbors() {
    // Stopped at the first of six solutions.
    let cancel = Cancel::new();
    let on_event = |event: Event<'_>| {
        if matches!(event, Event::Solution(_)) {
            cancel.cancel();
        }
    };
    let solver = solver(Metric::Htm);
    let pons = position(PONS_ASINORUM);
    let search = solver.search(&pons).with_cancel(&cancel).on_event(on_event);
    let stopped = search.neighbors().run();
    assert!(stopped.neighbors.is_none() && stopped.outcome != Outcome::Optimal);
}

#[test]
fn root_tasks_by_class_lose_no_solution() {
    let solver = solver(Metric::Htm);
    let all = |cube: &Cube| solve(&solver, cube, SolutionCount::All);
    // Far enough for root tasks, and with symmetry: 16 moves away. Products p⁻¹·s⁻¹·p·s often have
    // symmetry of their own.
    let far = superflip() * position("U R2 F B R B2 R U2");
    let walks = random_walks(5, 40, 6, Metric::Htm).into_iter();
    let products = walks.flat_map(|case| {
        let p = case.cube;
        Symmetry::all().map(move |s| p.inverse() * p.conjugate(s))
    });
    let products = products.filter(|p| p.symmetries().len() >= 2 && solver.table().bound(p) >= 9);
    for cube in [far].into_iter().chain(products.take(3)) {
        let report = all(&cube);
        assert_eq!(report.symmetry_count, cube.symmetries().len());
        for s in cube.symmetries() {
            for solution in &report.solutions {
                let image: Vec<Move> = solution.iter().map(|&m| s.conjugate_move(m)).collect();
                assert!(report.solutions.contains(&canonical(&image)));
            }
        }
        // A search from the inverse has other tasks.
        let inverse = all(&cube.inverse());
        assert_eq!(report.length(), inverse.length());
        assert_eq!(report.solutions.len(), inverse.solutions.len());
    }
}

#[test]
fn a_known_solution_is_proven_but_not_searched() {
    for metric in Metric::ALL {
        let solver = solver(metric);
        for Case { name, cube } in random_walks(50, 20, 11, metric) {
            let searched = solve(&solver, &cube, ONE);
            let length = searched.lower_bound;
            let found = &searched.solutions[0];
            let with = |solution_count, known: &[Move]| {
                let options = Options {
                    solution_count,
                    known_solution: Some(known),
                    max_length: length.checked_sub(1),
                    ..Options::default()
                };
                solver.search(&cube).options(options).run()
            };
            let report = with(ONE, found);
            assert_eq!(report.outcome, Outcome::Optimal, "{name}, {metric}");
            assert_eq!(report.length(), Some(length), "{name}, {metric}");
            let mut iterations = report.iterations.iter();
            assert!(iterations.all(|iteration| iteration.length < length && iteration.exhausted));
            assert!(cube.apply_moves(&report.solutions[0]).is_solved());
            if length == 0 {
                continue;
            }
            // One that is too long is of no use, and those who want more must search.
            let round = ["R", "U", "R'", "U'"].map(|m| m.parse::<Move>().unwrap());
            let longer = [&found[..], &round.repeat(6)].concat();
            for (wanted, known) in [
                (ONE, &longer),
                (at_most(2), found),
                (SolutionCount::All, found),
            ] {
                let outcome = with(wanted, known).outcome;
                assert_eq!(outcome, Outcome::NoneWithinLimit, "{name}, {metric}");
            }
        }
    }
}

#[test]
#[should_panic = "does not solve"]
fn a_known_solution_must_solve() {
    let options = Options {
        known_solution: Some(&[Move::ALL[0]]),
        ..Options::default()
    };
    let solver = solver(Metric::Htm);
    let cube = position("R U");
    solver.search(&cube).options(options).run();
}

#[test]
fn all_kernels_and_thread_counts_search_alike() {
    let one = alone(Metric::Htm);
    let two = solver(Metric::Htm);
    let portable = alone(Metric::Htm).with_instructions(Instructions::portable());
    for Case { cube, .. } in random_walks(30, 8, 13, Metric::Htm) {
        let report = solve(&one, &cube, ONE);
        assert_eq!(work(&report), work(&solve(&portable, &cube, ONE)));
        let all = solve(&two, &cube, SolutionCount::All).solutions;
        assert_eq!(all, solve(&one, &cube, SolutionCount::All).solutions);
        assert!(all.contains(&report.solutions[0]));
    }
}

#[test]
fn many_at_once_are_solved_as_each_alone() {
    let cases = random_walks(50, 9, 12, Metric::Htm).into_iter();
    let positions: Vec<Cube> = cases.map(|case| case.cube).collect();
    let solver = solver(Metric::Htm);
    let mut unordered: Vec<_> = solver.solve_many(positions.clone()).unordered().collect();
    unordered.sort_by_key(|&(number, _)| number);
    let ordered: Vec<_> = solver.solve_many(positions.clone()).collect();
    assert_eq!([ordered.len(), unordered.len()], [positions.len(); 2]);
    for ((position, solution), (_, same)) in positions.iter().zip(ordered).zip(unordered) {
        let alone = solve(&alone(Metric::Htm), position, ONE);
        assert_eq!(work(solution.report()), work(&alone));
        assert_eq!(work(same.report()), work(&alone));
    }
}

#[test]
fn many_at_once_have_limits_and_may_be_no_positions() {
    let solver = solver(Metric::Htm);
    let positions = ["R", "nonsense", "R U F"].map(str::parse::<Cube>);
    let answers = solver.search_many(positions, &Cancel::new(), |search| {
        search.count(3).max_length(2)
    });
    let answers = answers.map(|answer| {
        let report = answer.ok()?;
        Some((report.outcome, report.solutions.len()))
    });
    let expected = [
        Some((Outcome::Optimal, 1)),
        None,
        Some((Outcome::NoneWithinLimit, 0)),
    ];
    assert!(answers.eq(expected));
    // A position that is left out does not take along the next ones.
    let left_out = solver.answer_many(0..6, &Cancel::new(), |_, number, _| {
        (number != 1).then_some(number)
    });
    assert!(left_out.unwrap().eq([0, 2, 3, 4, 5]));
}

/// Random positions take minutes with this table; the first one is solved. A thread that waits for
/// positions is not waited for: the one who drops the solutions may be the one who provides them.
#[test]
fn dropping_the_solutions_of_many_stops_the_search() {
    let (ended, has_ended) = mpsc::channel();
    thread::spawn(move || {
        let solver = solver(Metric::Htm);
        let endless = [Cube::SOLVED].into_iter().chain(random_positions(1));
        let mut many = solver.solve_many(endless);
        assert_eq!(many.next().unwrap().to_string(), "");
        drop(many);
        let (send, positions) = mpsc::channel();
        send.send(Cube::SOLVED).unwrap();
        let mut many = solver.solve_many(positions);
        many.next().unwrap();
        drop(many);
        let (_send, positions) = mpsc::channel();
        let cancel = Cancel::new();
        let mut many = solver.solve_many_until(positions, &cancel);
        cancel.cancel();
        assert!(many.next().is_none());
        drop(send);
        ended.send(()).unwrap();
    });
    assert_eq!(has_ended.recv_timeout(Duration::from_secs(60)), Ok(()));
}

#[test]
fn a_concurrent_two_phase_search_changes_no_length() {
    let one = alone(Metric::Htm);
    for Case { name, cube } in random_walks(60, 6, 16, Metric::Htm) {
        let search = one.search(&cube).two_phase(TwoPhaseMode::Interleaved);
        let report = search.run();
        let length = length(&one, &cube);
        assert_eq!(report.outcome, Outcome::Optimal, "{name}");
        assert_eq!(report.lower_bound, length, "{name}");
        assert_eq!(report.solutions[0].len(), usize::from(length), "{name}");
        assert!(cube.apply_moves(&report.solutions[0]).is_solved(), "{name}");
    }
}

/// The signature of the search: what a fixed set of solves costs with one thread, to the node. A
/// change of the search order changes it; then the file is replaced, and the commit says so.
#[test]
fn nodes_and_probes_have_their_signature() {
    let mut found = String::new();
    for (metric, longest) in [(Metric::Htm, 14), (Metric::Qtm, 17)] {
        let one = alone(metric);
        for Case { name, cube } in random_walks(40, 6, longest, metric) {
            for (wanted, solutions) in [(ONE, "one"), (SolutionCount::All, "all")] {
                let report = solve(&one, &cube, wanted);
                let (nodes, probes, all) = work(&report);
                let length = report.lower_bound;
                let count = all.len();
                found +=
                    &format!("{metric} {length} {count} {nodes} {probes} # {name}, {solutions}\n");
            }
        }
    }
    let golden = include_str!("../oracles/signature.txt").lines();
    let golden = golden.filter(|line| !line.starts_with('#'));
    assert!(
        found.lines().eq(golden),
        "the file should now hold:\n{found}"
    );
}

#[test]
fn a_cancelled_search_reports_what_is_proven() {
    let cancel = Cancel::new();
    let started = AtomicU8::new(0);
    let on_event = |event: Event<'_>| match event {
        Event::IterationStarted { length } => started.store(length, Relaxed),
        Event::Progress { progress, .. } if progress.done > 0 => cancel.cancel(),
        _ => {}
    };
    let solver = solver(Metric::Htm);
    let far = random_positions(77).next().unwrap();
    let search = solver.search(&far);
    let report = search.on_event(on_event).with_cancel(&cancel).run();
    assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert_eq!(report.lower_bound, started.into_inner());
    assert_eq!(report.length(), None);
    assert!(!report.iterations.last().unwrap().exhausted);
    assert!(report.elapsed < Duration::from_secs(2));
}

#[test]
fn a_solution_is_known_at_once_and_the_bounds_close_in_on_the_length() {
    for metric in Metric::ALL {
        let solver = alone(metric);
        for Case { name, cube } in random_walks(10, 8, 13, metric) {
            // The best solution known and the lower bound, as they come.
            let most = AtomicU8::new(u8::MAX);
            let least = AtomicU8::new(0);
            let on_event = |event: Event<'_>| match event {
                Event::Solution(moves) => {
                    assert!(cube.apply_moves(moves).is_solved(), "{name}");
                    let length = metric.length(moves) as u8;
                    assert!(length < most.swap(length, Relaxed), "{name}");
                }
                Event::IterationStarted { length } => {
                    assert!(most.load(Relaxed) < u8::MAX, "a solution comes first");
                    assert!(least.swap(length, Relaxed) <= length, "{name}");
                }
                Event::Progress {
                    length, progress, ..
                } => {
                    assert_eq!(length, least.load(Relaxed));
                    assert!(progress.done <= progress.total);
                }
                Event::IterationFinished(iteration) => {
                    assert!(most.load(Relaxed) >= iteration.length)
                }
                other => panic!("{other:?}"),
            };
            let search = solver.search(&cube).two_phase(TwoPhaseMode::Upfront);
            let report = search.on_event(on_event).run();
            let length = length(&solver, &cube);
            assert_eq!(report.outcome, Outcome::Optimal);
            assert_eq!(report.lower_bound, length, "{name}");
            assert_eq!(most.into_inner(), length);
            assert_eq!(report.length(), Some(length));
            let best = report.best_known.map(|moves| metric.length(&moves) as u8);
            assert_eq!(best, Some(length));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn bounds_are_admissible_and_symmetric(
        seed in any::<u64>(), s in 0..48usize, length in 0usize..12
    ) {
        for metric in Metric::ALL {
            let table = table(metric);
            let Case { cube, .. } = &random_walks(seed, 1, length, metric)[0];
            // The walk is no shorter than the distance.
            prop_assert!(usize::from(table.bound(cube)) <= length);
            let random = random_positions(seed).next().unwrap();
            // Where the corners have no symmetry, both have one entry. Otherwise they may have two,
            // which are packed apart.
            let classes = CornerClasses::get();
            let (class, _) = classes.classify(CornerPainting::of(&random).coordinate());
            if classes.stabilizer(class).len() == 1 {
                let conjugate = random.conjugate(Symmetry::from_index(s));
                prop_assert_eq!(table.bound(&random), table.bound(&conjugate));
            }
            for m in Move::ALL.into_iter().filter(|m| m.is_half_turn()) {
                let turned = *Cube::from_move(m) * random;
                prop_assert_eq!(table.bound(&turned), table.bound(&random));
            }
        }
    }
}

#[test]
fn a_length_counts_what_the_metric_counts() {
    let solution = solver(Metric::Qtm).solve(&position("R2 U F2"));
    assert_eq!((solution.length(), solution.moves().len()), (5, 3));
}

#[test]
fn a_count_of_zero_finds_one_solution_also_in_catch_unwind() {
    let solver = solver(Metric::Htm);
    let report = std::panic::catch_unwind(|| solver.search(&position("R U F")).count(0).run());
    assert_eq!(report.unwrap().solutions.len(), 1);
}

#[test]
fn solvers_share_a_table_and_fail_in_a_folder_that_cannot_be_used() {
    let home = tempfile::TempDir::new().unwrap();
    std::fs::write(home.path().join("file"), "").unwrap();
    let in_folder = |folder| {
        let builder = Solver::builder().table("24M");
        builder.folder(home.path().join(folder))
    };
    let refused = in_folder("file/tables").open().unwrap_err();
    assert_eq!(refused.remedy(), Some(Remedy::ChooseWritableFolder));
    let builder = || in_folder("tables");
    let saved = builder().open().unwrap();
    assert!(saved.save_error().is_none(), "{saved:?}");
    assert!(format!("{:?}", saved.search(&Cube::SOLVED)).contains("24M"));
    // Another solver shares the table, also if it takes any; not if it may not use as much memory.
    let any = Solver::builder().folder(home.path().join("tables"));
    for another in [builder(), any] {
        let another = another.open().unwrap();
        assert!(std::ptr::eq(another.table(), saved.table()));
    }
    for (memory, text) in [(1_000, "1000 bytes"), (1_000_000, "1 MB")] {
        let refused = builder().memory(memory).open().unwrap_err().to_string();
        assert!(
            refused.ends_with(&format!("but only {text} are allowed")),
            "{refused}"
        );
    }
    // Nor is it there twice if two are opened at once.
    drop(saved);
    let open = || builder().open().unwrap();
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(open);
        (open(), other.join().unwrap())
    });
    assert!(std::ptr::eq(first.table(), second.table()));
}
