//! The optimal search against the obvious solver: the same lengths and the same sets of solutions,
//! in both metrics.

use crate::reference_solver::{
    Case, all_shortest_solutions, distance, far_symmetric_cases, near_symmetric_cases,
    random_walks, superflip, symmetric_classes,
};
use crate::{moves, position, smallest_table as table};
use cosette::bench::Instructions;
use cosette::cube::{Cube, Metric, Move, Symmetry, canonical, random_positions};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Event, Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode};
use cosette::{Cancel, CancelReason, ThreadCount};
use proptest::prelude::*;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn two() -> ThreadCount {
    ThreadCount::new(2).unwrap()
}

fn solver(metric: Metric) -> Solver {
    Solver::new(table(metric), two())
}

fn solve(solver: &Solver, cube: &Cube, solution_count: SolutionCount) -> Report {
    let report = solver
        .search(cube)
        .options(Options {
            solution_count,
            ..Options::default()
        })
        .run();
    assert_eq!(report.outcome, Outcome::Optimal);
    let metric = solver.table().id().metric;
    for solution in &report.solutions {
        assert!(
            cube.apply_moves(solution).is_solved(),
            "{solution:?} does not solve {cube:?}"
        );
        assert_eq!(metric.length(solution), usize::from(report.lower_bound));
        assert_eq!(&canonical(solution), solution);
    }
    assert!(!report.solutions.is_empty());
    report
}

fn agrees_on_all_solutions(Case { name, cube }: &Case, metric: Metric, limit: usize) {
    let expected: Vec<Vec<Move>> = all_shortest_solutions(cube, metric, limit)
        .into_iter()
        .collect();
    let report = solve(&solver(metric), cube, SolutionCount::All);
    assert_eq!(report.solutions, expected, "{name}, {metric}");
    let one = solve(&solver(metric), cube, SolutionCount::ONE);
    assert_eq!(one.solutions.len(), 1);
    assert!(expected.contains(&one.solutions[0]), "{name}, {metric}");
}

#[test]
fn a_thousand_positions_within_ten_moves() {
    for metric in Metric::ALL {
        let solver = solver(metric);
        for Case { name, cube } in random_walks(10, 1000, 10, metric) {
            let report = solve(&solver, &cube, SolutionCount::ONE);
            assert_eq!(
                distance(&cube, metric, 10),
                report.length().map(usize::from),
                "{name}, {metric}"
            );
        }
    }
}

#[test]
fn all_solutions_of_walks() {
    for metric in Metric::ALL {
        for case in random_walks(20, 100, 8, metric) {
            agrees_on_all_solutions(&case, metric, 8);
        }
    }
}

#[test]
fn all_solutions_of_symmetric_positions() {
    for (metric, limit) in [(Metric::Htm, 8), (Metric::Qtm, 12)] {
        for case in near_symmetric_cases()
            .iter()
            .chain(&symmetric_classes(5, 4))
        {
            agrees_on_all_solutions(case, metric, limit);
        }
    }
}

#[test]
fn far_symmetric_positions_are_out_of_the_obvious_solvers_reach() {
    for Case { name, cube } in far_symmetric_cases() {
        let report = solver(Metric::Htm).search(&cube).max_length(10).run();
        match distance(&cube, Metric::Htm, 10) {
            Some(distance) => assert_eq!(report.length(), Some(distance as u8), "{name}"),
            None => assert_eq!(
                (report.outcome, report.lower_bound),
                (Outcome::NoneWithinLimit, 11),
                "{name}"
            ),
        }
    }
}

#[test]
fn a_search_that_is_cut_late_finds_the_same_length() {
    let mut executor = ThreadExecutor::new(ThreadCount::ONE);
    for metric in Metric::ALL {
        let solver = solver(metric);
        for Case { name, cube } in random_walks(13, 40, 13, metric) {
            let report = solver.search(&cube).run_with(&mut executor);
            assert_eq!(
                report.length(),
                Some(solver.solve(&cube).length() as u8),
                "{name}, {metric}"
            );
            assert!(cube.apply_moves(&report.solutions[0]).is_solved());
        }
    }
}

#[test]
fn neighbors_are_as_far_as_if_each_was_solved() {
    for metric in Metric::ALL {
        let solver = solver(metric);
        let near = near_symmetric_cases()
            .into_iter()
            .chain(symmetric_classes(4, 8))
            .chain(random_walks(11, 40, 9, metric));
        let near = near.filter(|case| distance(&case.cube, metric, 9).is_some());
        // Far enough for root tasks: eleven moves, and with symmetry.
        let far = [
            "U R F2 L' D B2 R' U2 F L D'",
            "U R2 L2 U2 F2 B2 U R2 F2 B2 L2",
        ]
        .map(|text| Case {
            name: text.into(),
            cube: position(text),
        })
        .into_iter();
        let cases = near.chain(far.filter(|_| metric == Metric::Htm));
        for Case { name, cube } in cases {
            let report = solver.search(&cube).neighbors().run();
            assert_eq!(
                report.lower_bound,
                solve(&solver, &cube, SolutionCount::ONE).lower_bound,
                "{name}"
            );
            assert_eq!(report.solutions.len(), 1, "{name}");
            let neighbors = report.neighbors.unwrap();
            for m in Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1) {
                let length = solve(&solver, &cube.apply(m), SolutionCount::ONE).lower_bound;
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
    let solver = solver(Metric::Htm);
    let cancel = Cancel::new();
    let pons = position("R2 L2 U2 D2 F2 B2");
    let on_event = |event: Event<'_>| {
        if matches!(event, Event::Solution(_)) {
            cancel.cancel();
        }
    };
    let stopped = solver
        .search(&pons)
        .with_cancel(&cancel)
        .on_event(&on_event)
        .neighbors()
        .run();
    assert!(stopped.neighbors.is_none() && stopped.outcome != Outcome::Optimal);
}

#[test]
fn root_tasks_by_class_lose_no_solution() {
    // Far enough for root tasks, and with symmetry: 16 moves away, checked by conjugation and by
    // inversion.
    let cube = superflip() * position("U R2 F B R B2 R U2");
    let report = solve(&solver(Metric::Htm), &cube, SolutionCount::All);
    let inverse = solve(&solver(Metric::Htm), &cube.inverse(), SolutionCount::All);
    assert_eq!(report.length(), inverse.length());
    assert_eq!(report.solutions.len(), inverse.solutions.len());
    let symmetric = random_walks(5, 40, 6, Metric::Htm)
        .into_iter()
        .map(|case| case.cube);
    // Products p⁻¹·s⁻¹·p·s often have symmetry of their own.
    let candidates =
        symmetric.flat_map(|p| Symmetry::all().map(move |s| p.inverse() * p.conjugate(s)));
    let far = candidates.filter(|p| p.symmetries().len() >= 2 && table(Metric::Htm).bound(p) >= 9);
    for cube in far.take(3) {
        let report = solve(&solver(Metric::Htm), &cube, SolutionCount::All);
        assert!(report.symmetry_count >= 2);
        for s in cube.symmetries() {
            for solution in &report.solutions {
                let image: Vec<Move> = solution.iter().map(|&m| s.conjugate_move(m)).collect();
                assert!(report.solutions.contains(&canonical(&image)));
            }
        }
        // The same search from a conjugate and from the inverse, where the tasks are others.
        let inverse = solve(&solver(Metric::Htm), &cube.inverse(), SolutionCount::All);
        assert_eq!(inverse.solutions.len(), report.solutions.len());
    }
}

#[test]
fn as_many_solutions_as_requested() {
    let cube = position("R2 L2 U2 D2 F2 B2");
    let all = solve(&solver(Metric::Htm), &cube, SolutionCount::All).solutions;
    for count in 1..=all.len() + 1 {
        let wanted = SolutionCount::AtMost(NonZeroUsize::new(count).unwrap());
        let some = solve(&solver(Metric::Htm), &cube, wanted).solutions;
        assert_eq!(some.len(), count.min(all.len()));
        assert!(some.iter().all(|solution| all.contains(solution)));
    }
}

#[test]
fn a_known_solution_is_proven_but_not_searched() {
    for metric in Metric::ALL {
        let solver = solver(metric);
        for Case { name, cube } in random_walks(50, 20, 11, metric) {
            let searched = solve(&solver, &cube, SolutionCount::ONE);
            let length = searched.lower_bound;
            let found = &searched.solutions[0];
            let with = |wanted, known: &[Move]| {
                let options = Options {
                    solution_count: wanted,
                    known_solution: Some(known),
                    max_length: length.checked_sub(1),
                    ..Options::default()
                };
                solver.search(&cube).options(options).run()
            };
            let report = with(SolutionCount::ONE, found);
            assert_eq!(
                (report.outcome, report.length()),
                (Outcome::Optimal, Some(length)),
                "{name}, {metric}"
            );
            assert!(
                report
                    .iterations
                    .iter()
                    .all(|iteration| iteration.length < length && iteration.exhausted)
            );
            assert!(cube.apply_moves(&report.solutions[0]).is_solved());
            // One that is too long is of no use, and those who want more must search.
            let longer = [found.as_slice(), &moves("R U R' U'").repeat(6)].concat();
            let useless = [
                (SolutionCount::ONE, &longer),
                (SolutionCount::AtMost(NonZeroUsize::new(2).unwrap()), found),
                (SolutionCount::All, found),
            ];
            for (wanted, known) in useless.into_iter().filter(|_| length > 0) {
                assert_eq!(
                    with(wanted, known).outcome,
                    Outcome::NoneWithinLimit,
                    "{name}, {metric}"
                );
            }
        }
    }
}

#[test]
#[should_panic = "does not solve"]
fn a_known_solution_must_solve() {
    let cube = position("R U");
    let known = moves("U' R");
    solver(Metric::Htm)
        .search(&cube)
        .options(Options {
            known_solution: Some(&known),
            ..Options::default()
        })
        .run();
}

#[test]
fn all_kernels_and_thread_counts_search_alike() {
    let one = Solver::new(table(Metric::Htm), ThreadCount::ONE);
    let portable = Solver::new(table(Metric::Htm), ThreadCount::ONE)
        .with_instructions(Instructions::portable());
    for Case { cube, .. } in random_walks(30, 8, 13, Metric::Htm) {
        let a = solve(&one, &cube, SolutionCount::ONE);
        let b = solve(&portable, &cube, SolutionCount::ONE);
        assert_eq!(
            (a.nodes(), a.probes(), &a.solutions),
            (b.nodes(), b.probes(), &b.solutions)
        );
        let two = solve(&solver(Metric::Htm), &cube, SolutionCount::All);
        assert_eq!(
            two.solutions,
            solve(&one, &cube, SolutionCount::All).solutions
        );
        assert!(two.solutions.contains(&a.solutions[0]));
    }
}

#[test]
fn many_at_once_are_solved_as_each_alone() {
    let positions: Vec<Cube> = random_walks(50, 9, 12, Metric::Htm)
        .into_iter()
        .map(|case| case.cube)
        .collect();
    let one = Solver::new(table(Metric::Htm), ThreadCount::ONE);
    let solver = solver(Metric::Htm);
    let mut unordered: Vec<_> = solver.solve_many(positions.clone()).unordered().collect();
    unordered.sort_by_key(|&(number, _)| number);
    let ordered: Vec<_> = solver.solve_many(positions.clone()).collect();
    assert_eq!(
        (ordered.len(), unordered.len()),
        (positions.len(), positions.len())
    );
    for ((position, solution), (_, same)) in positions.iter().zip(ordered).zip(unordered) {
        let alone = solve(&one, position, SolutionCount::ONE);
        for report in [solution.report(), same.report()] {
            assert_eq!(
                (report.nodes(), report.probes(), &report.solutions),
                (alone.nodes(), alone.probes(), &alone.solutions)
            );
        }
    }
}

#[test]
fn many_at_once_have_limits_and_may_be_no_positions() {
    let positions = ["R", "nonsense", "R U F"].map(str::parse::<Cube>);
    let answers = solver(Metric::Htm).search_many(positions, &Cancel::new(), |search| {
        search.count(3).max_length(2)
    });
    let answers: Vec<_> = answers
        .map(|answer| answer.map(|report| (report.outcome, report.solutions.len())))
        .collect();
    assert_eq!(answers[0], Ok((Outcome::Optimal, 1)));
    assert!(answers[1].is_err());
    assert_eq!(answers[2], Ok((Outcome::NoneWithinLimit, 0)));
    assert_eq!(answers.len(), 3);
    // What is left out does not take along what comes after it.
    let two = solver(Metric::Htm).with_threads(ThreadCount::new(2).unwrap());
    let left_out = two
        .answer_many(0..6, &Cancel::new(), |_, number, _| {
            (number != 1).then_some(number)
        })
        .unwrap();
    assert_eq!(left_out.collect::<Vec<i32>>(), [0, 2, 3, 4, 5]);
}

#[test]
fn dropping_the_solutions_of_many_stops_the_search() {
    let solver = solver(Metric::Htm);
    let start = std::time::Instant::now();
    // Random positions take minutes with this table; the first one is solved.
    let endless = [Cube::SOLVED].into_iter().chain(random_positions(1));
    let mut many = solver.solve_many(endless);
    assert_eq!(many.next().unwrap().to_string(), "");
    drop(many);
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}

/// A thread that waits for positions is not waited for: the one who drops the solutions may be the
/// one who provides them.
#[test]
fn solutions_of_positions_that_do_not_come_are_dropped_and_cancelled() {
    let (ended, has_ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let solver = solver(Metric::Htm);
        let (send, positions) = std::sync::mpsc::channel();
        send.send(Cube::SOLVED).unwrap();
        let mut many = solver.solve_many(positions);
        many.next().unwrap();
        drop(many);
        let (_send, positions) = std::sync::mpsc::channel();
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
    let one = Solver::new(table(Metric::Htm), ThreadCount::ONE);
    let mut spared = 0;
    for Case { name, cube } in random_walks(60, 6, 16, Metric::Htm) {
        let search = one.search(&cube).two_phase(TwoPhaseMode::Interleaved);
        let report = search.run();
        let alone = solve(&one, &cube, SolutionCount::ONE);
        assert_eq!(
            (report.outcome, report.lower_bound),
            (Outcome::Optimal, alone.lower_bound),
            "{name}"
        );
        assert!(cube.apply_moves(&report.solutions[0]).is_solved(), "{name}");
        assert_eq!(
            report.solutions[0].len(),
            usize::from(alone.lower_bound),
            "{name}"
        );
        spared += u32::from(report.iterations.len() < alone.iterations.len());
    }
    println!("{spared} last iterations spared");
}

/// The signature of the search: what a fixed set of solves costs with one thread, to the node. A
/// change of the search order changes it; then the file is replaced, and the commit says so.
#[test]
fn nodes_and_probes_have_their_signature() {
    let mut found = String::new();
    for (metric, longest) in [(Metric::Htm, 14), (Metric::Qtm, 17)] {
        let one = Solver::new(table(metric), ThreadCount::ONE);
        for Case { name, cube } in random_walks(40, 6, longest, metric) {
            for (wanted, solutions) in [(SolutionCount::ONE, "one"), (SolutionCount::All, "all")] {
                let report = solve(&one, &cube, wanted);
                let length = report.lower_bound;
                let count = report.solutions.len();
                let nodes = report.nodes();
                let probes = report.probes();
                found +=
                    &format!("{metric} {length} {count} {nodes} {probes} # {name}, {solutions}\n");
            }
        }
    }
    let golden = include_str!("../oracles/signature.txt");
    let golden: String = golden
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(found, golden, "the file should now hold:\n{found}");
}

#[test]
fn a_cancelled_search_reports_what_is_proven() {
    let far = random_positions(77).next().unwrap();
    let cancel = Cancel::new();
    let started = AtomicU64::new(0);
    let on_event = |event: Event<'_>| match event {
        Event::IterationStarted { length } => started.store(u64::from(length), Ordering::Relaxed),
        Event::Progress { progress, .. } if progress.done > 0 => cancel.cancel(),
        _ => {}
    };
    let report = solver(Metric::Htm)
        .search(&far)
        .on_event(&on_event)
        .with_cancel(&cancel)
        .run();
    assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert_eq!(
        u64::from(report.lower_bound),
        started.load(Ordering::Relaxed)
    );
    assert_eq!(report.length(), None);
    assert!(!report.iterations.last().unwrap().exhausted);
    assert!(report.elapsed < Duration::from_secs(2));
}

#[test]
fn a_solution_is_known_at_once_and_the_bounds_close_in_on_the_length() {
    for metric in Metric::ALL {
        let solver = Solver::new(table(metric), ThreadCount::ONE);
        for Case { name, cube } in random_walks(10, 8, 13, metric) {
            // Above the best solution known and the lower bound, as they come.
            let most = AtomicU64::new(u64::MAX);
            let least = AtomicU64::new(0);
            let on_event = |event: Event<'_>| match event {
                Event::Solution(moves) => {
                    assert!(cube.apply_moves(moves).is_solved(), "{name}");
                    let length = metric.length(moves) as u64;
                    assert!(length < most.swap(length, Ordering::Relaxed), "{name}");
                }
                Event::IterationStarted { length } => {
                    assert!(
                        most.load(Ordering::Relaxed) < u64::MAX,
                        "a solution comes first"
                    );
                    assert!(
                        least.swap(length.into(), Ordering::Relaxed) <= length.into(),
                        "{name}"
                    );
                }
                Event::Progress {
                    length, progress, ..
                } => {
                    assert_eq!(u64::from(length), least.load(Ordering::Relaxed));
                    assert!(progress.done <= progress.total);
                }
                Event::IterationFinished(iteration) => {
                    assert!(most.load(Ordering::Relaxed) >= iteration.length.into())
                }
            };
            let report = solver
                .search(&cube)
                .two_phase(TwoPhaseMode::Upfront)
                .on_event(&on_event)
                .run();
            assert_eq!(report.outcome, Outcome::Optimal);
            assert_eq!(
                report.lower_bound,
                solve(&solver, &cube, SolutionCount::ONE).lower_bound,
                "{name}"
            );
            assert_eq!(most.into_inner(), u64::from(report.lower_bound));
            assert_eq!(
                report.length(),
                report.best_known.map(|moves| metric.length(&moves) as u8)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn bounds_are_admissible_and_symmetric(seed in any::<u64>(), s in 0..48usize, length in 0u8..12) {
        for metric in Metric::ALL {
            let table = table(metric);
            let Case { cube, .. } = &random_walks(seed, 1, usize::from(length), metric)[0];
            // The walk is no shorter than the distance.
            prop_assert!(usize::from(table.bound(cube)) <= usize::from(length));
            let random = random_positions(seed).next().unwrap();
            let conjugate = random.conjugate(Symmetry::from_index(s));
            // Where the corners have no symmetry, both have one entry. Otherwise they may have two,
            // which are packed apart.
            let classes = cosette::coord::CornerClasses::get();
            let (class, _) = classes.classify(cosette::coord::CornerPainting::of(&random).coordinate());
            if classes.stabilizer(class).len() == 1 {
                prop_assert_eq!(table.bound(&random), table.bound(&conjugate));
            }
            for m in Move::ALL.into_iter().filter(|m| m.is_half_turn()) {
                prop_assert_eq!(table.bound(&(*Cube::from_move(m) * random)), table.bound(&random));
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
fn solvers_share_a_table_and_say_if_it_could_not_be_saved() {
    let home = tempfile::TempDir::new().unwrap();
    std::fs::write(home.path().join("file"), "").unwrap();
    let builder = || Solver::builder().table("24M");
    let unsaved = builder()
        .folder(home.path().join("file/tables"))
        .open()
        .unwrap();
    assert!(
        unsaved
            .save_error()
            .is_some_and(|refused| refused.remedy().is_some()),
        "{unsaved:?}"
    );
    let saved = builder().folder(home.path().join("tables")).open().unwrap();
    assert!(saved.save_error().is_none(), "{saved:?}");
    assert!(format!("{:?}", saved.search(&Cube::SOLVED)).contains("24M"));
    // Another solver shares the table, also if it takes any; not if it may not use as much memory.
    for another in [builder(), Solver::builder()] {
        let another = another.folder(home.path().join("tables")).open().unwrap();
        assert!(std::ptr::eq(another.table(), saved.table()));
    }
    assert!(
        builder()
            .folder(home.path().join("tables"))
            .memory(1_000_000)
            .open()
            .is_err()
    );
    // Nor is it there twice if two are opened at once.
    drop(saved);
    let open = || builder().folder(home.path().join("tables")).open().unwrap();
    let (first, second) = std::thread::scope(|scope| {
        let other = scope.spawn(open);
        (open(), other.join().unwrap())
    });
    assert!(std::ptr::eq(first.table(), second.table()));
}
