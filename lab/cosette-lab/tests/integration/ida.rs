//! An iteration searched in parts is the same iteration; searches that take hours, stopped, killed
//! and continued, count what an undisturbed one counts.

use crate::support::{cancelled, in_lab};
use cosette::cube::{Cube, Metric, Move, parse_reid, random_walks};
use cosette::search::SolutionCount;
use cosette::{Cancel, Control, Progress, ThreadCount};
use cosette_lab::bound_table::{BoundTable, DistanceStorage};
use cosette_lab::error::LabError;
use cosette_lab::experiment::{ExperimentOptions, RunSize};
use cosette_lab::ida::{Cut, Ida, IdaLimits, IdaPart, LowerBound};
use cosette_lab::korf::{self, Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::long_search::{self, IterationCounts, LongSearchResults, PartJournal, SearchPlan};
use cosette_lab::reid::bound::CosetBound;
use cosette_lab::reid::table::CosetTable;
use cosette_lab::stored_results::StoredResults;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const SUPERFLIP: &str = "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR";

pub fn bound(metric: Metric) -> CosetBound {
    let storage = DistanceStorage::FourBits;
    let table = in_lab(|lab| lab.table(&CosetTable { metric, storage }));
    let table = table.expect("there is room for the table");
    CosetBound::new(BoundTable::new(storage, table), false)
}

/// All parts of so many tasks, the last first.
fn parts<B: LowerBound>(
    ida: &Ida<'_, B>,
    position: &Cube,
    cut: &Cut<B::Node>,
    size: usize,
    limits: &IdaLimits,
) -> Vec<IdaPart> {
    let starts: Vec<usize> = (0..cut.tasks()).step_by(size).collect();
    let part = |&first: &usize| {
        ida.search_part(
            position,
            cut,
            first..cut.tasks().min(first + size),
            limits,
            &Control::new(ThreadCount::ONE),
        )
    };
    starts.iter().rev().map(part).collect()
}

fn check(ida: &Ida<'_, CosetBound>, position: &Cube, threshold: u8, by_symmetry: bool) {
    let limits = IdaLimits {
        solution_count: SolutionCount::All,
        by_parity: false,
        by_symmetry,
        ..IdaLimits::only(threshold)
    };
    let found = ida.search(position, &limits, &Control::new(ThreadCount::ONE));
    let whole = found.iterations.first().expect("the threshold is searched");
    for size in [1, 7, 1000] {
        let cut = ida.cut(position, threshold, &limits);
        let mut parts = parts(ida, position, &cut, size, &limits);
        assert_eq!(cut.threshold, threshold);
        parts.push(cut.trunk.clone());
        let sum = |count: fn(&IdaPart) -> u64| parts.iter().map(count).sum::<u64>();
        let counts = (
            sum(|part| part.nodes),
            sum(|part| part.probes),
            sum(|part| part.tests),
        );
        assert_eq!(
            counts,
            (whole.nodes, whole.probes, whole.tests),
            "{} in parts of {size}",
            position.reid()
        );
        assert!(parts.iter().all(|part| part.complete));
        let solutions: BTreeSet<&Vec<Move>> =
            parts.iter().flat_map(|part| &part.solutions).collect();
        assert_eq!(solutions, found.solutions.iter().collect());
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    for (metric, thresholds) in [(Metric::Htm, [5, 9, 11]), (Metric::Qtm, [5, 10, 13])] {
        let bound = bound(metric);
        let ida = Ida {
            bound: &bound,
            metric,
        };
        for walk in random_walks(2006, 5).take(3) {
            let position = Cube::from_moves(&walk);
            let first = ida.first_threshold(
                &position,
                &IdaLimits {
                    by_parity: false,
                    ..IdaLimits::default()
                },
            );
            let searched = thresholds.iter().filter(|&&threshold| threshold >= first);
            searched.for_each(|&threshold| check(&ida, &position, threshold, false));
        }
        let superflip = parse_reid(SUPERFLIP).expect("twenty pieces");
        check(&ida, &superflip, 12, false);
        check(&ida, &superflip, 12, true);
    }
}

#[test]
fn a_part_stops_with_its_solution_or_when_asked_to() {
    let bound = bound(Metric::Htm);
    let ida = Ida {
        bound: &bound,
        metric: Metric::Htm,
    };
    let walk = random_walks(2006, 9).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let cut = ida.cut(&position, 9, &IdaLimits::default());
    let part = ida.search_part(
        &position,
        &cut,
        0..cut.tasks(),
        &IdaLimits::default(),
        &Control::new(ThreadCount::ONE),
    );
    assert!(!part.complete && position.apply_moves(&part.solutions[0]).is_solved());
    let cut = ida.cut(&position, 13, &IdaLimits::default());
    let part = ida.search_part(
        &position,
        &cut,
        0..cut.tasks(),
        &IdaLimits::default(),
        &cancelled(),
    );
    assert!(!part.complete);
}

#[test]
fn an_iteration_generates_the_nodes_that_its_definition_says() {
    for (metric, thresholds) in [(Metric::Htm, [0, 3, 10]), (Metric::Qtm, [0, 4, 11])] {
        let bound = bound(metric);
        let ida = Ida {
            bound: &bound,
            metric,
        };
        for (walk, threshold) in random_walks(1985, 6).zip(thresholds) {
            let position = Cube::from_moves(&walk[..usize::from(threshold).min(6)]);
            let limits = IdaLimits {
                solution_count: SolutionCount::All,
                by_parity: false,
                ..IdaLimits::only(threshold)
            };
            let found = ida.search(&position, &limits, &Control::new(ThreadCount::ONE));
            let visits = ida.trace(&position, threshold);
            assert_eq!(
                found.iterations.first().map(|iteration| iteration.nodes),
                Some(visits.len() as u64)
            );
            let ends = visits
                .iter()
                .filter(|visit| visit.remaining == 0 && visit.bound == 0)
                .count();
            let tests = if threshold == 0 { 1 } else { ends as u64 };
            assert_eq!(
                found.iterations.first().map(|iteration| iteration.tests),
                Some(tests)
            );
        }
    }
}

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_file(&path).ok();
    path
}

/// Three positions of up to twelve moves.
fn positions() -> Vec<Cube> {
    random_walks(9, 12)
        .take(3)
        .map(|walk| Cube::from_moves(&walk))
        .collect()
}

fn plan(positions: &[Cube], solution_count: SolutionCount) -> SearchPlan<'_> {
    let metric = Metric::Htm;
    let max_nodes = u64::MAX;
    SearchPlan {
        name: "Korf",
        positions,
        metric,
        solution_count,
        by_symmetry: false,
        max_length: 12,
        max_nodes,
    }
}

/// The counts of each position but for their seconds.
fn counts(results: &LongSearchResults) -> Vec<Vec<IterationCounts>> {
    let without_seconds = |counts| IterationCounts {
        seconds: 0.0,
        ..counts
    };
    (1..=3)
        .map(|number| {
            results
                .of_position(number)
                .into_iter()
                .map(without_seconds)
                .collect()
        })
        .collect()
}

/// Searches, and keeps what is complete in memory.
fn search(
    lab: &Lab<'_>,
    bound: &Korf,
    plan: &SearchPlan<'_>,
    journal: &mut PartJournal,
) -> (LongSearchResults, Result<(), LabError>) {
    let results = LongSearchResults(StoredResults::default());
    let ended = long_search::search(
        lab,
        bound,
        plan,
        (journal, &results),
        "c0ffee",
        &lab.control,
    );
    (results, ended)
}

/// Runs `test` in a lab with Korf's databases.
fn with_bound(test: impl FnOnce(&Lab<'_>, &Korf)) {
    in_lab(|lab| test(lab, &Korf::new(lab, &SIX).expect("they can be generated")));
}

/// What an undisturbed search counts.
fn whole(lab: &Lab<'_>, bound: &Korf, plan: &SearchPlan<'_>) -> LongSearchResults {
    let (results, ended) = search(lab, bound, plan, &mut PartJournal::default());
    ended.expect("it is not cancelled");
    results
}

#[test]
fn its_counts_are_those_of_the_iterations() {
    let positions = positions();
    with_bound(|lab, bound| {
        let plan = plan(&positions, SolutionCount::All);
        let results = whole(lab, bound, &plan);
        for (number, position) in (1..).zip(&positions) {
            let limits = IdaLimits {
                solution_count: SolutionCount::All,
                last: Some(12),
                ..IdaLimits::default()
            };
            let found = Ida {
                bound,
                metric: Metric::Htm,
            }
            .search(position, &limits, &lab.control);
            for iteration in &found.iterations {
                let counts = results
                    .get(number, iteration.threshold)
                    .expect("it is complete");
                assert_eq!(
                    (counts.nodes, counts.probes),
                    (iteration.nodes, iteration.probes)
                );
            }
            let last = results.of_position(number).pop().expect("it is complete");
            assert_eq!(
                (last.threshold, last.solutions),
                (found.lower_bound, found.solutions.len() as u64)
            );
        }
    });
}

#[test]
fn an_interrupted_run_counts_nothing_twice() {
    let positions = positions();
    with_bound(|lab, bound| {
        for count in [SolutionCount::ONE, SolutionCount::All] {
            let plan = plan(&positions, count);
            let whole = counts(&whole(lab, bound, &plan));
            let path = scratch(&format!("long-{count:?}.journal"));
            let total: u64 = whole.iter().flatten().map(|counts| counts.nodes).sum();
            let mut was = 0;
            loop {
                let limited = SearchPlan {
                    max_nodes: total / 2,
                    ..plan.clone()
                };
                let mut journal = PartJournal::open(&path, &plan).expect("it is its own");
                let (results, ended) = search(lab, bound, &limited, &mut journal);
                ended.expect("it is not cancelled");
                let done = counts(&results);
                if done == whole {
                    break;
                }
                assert!(
                    whole
                        .iter()
                        .zip(&done)
                        .all(|(all, done)| all.starts_with(done))
                );
                let complete = done.iter().flatten().count();
                assert!(complete > was, "it goes on");
                was = complete;
                drop(journal);
                // What a crash leaves: a line without its end.
                let text = fs::read_to_string(&path).expect("the file is there");
                fs::write(&path, text + "{\"check\":\"01").expect("it can be written");
            }
        }
    });
}

#[test]
fn a_request_to_stop_keeps_what_is_complete() {
    let positions = positions();
    with_bound(|lab, bound| {
        let plan = plan(&positions, SolutionCount::ONE);
        let whole = whole(lab, bound, &plan);
        let path = scratch("long-stopped.journal");
        let cancel = Cancel::new();
        let stop_at_ten = |what: &str, _: Progress| {
            if what.ends_with("length 10") {
                cancel.cancel();
            }
        };
        let control: Control<'_> = lab
            .control
            .clone()
            .on_progress(&stop_at_ten)
            .with_cancel(&cancel);
        let stopping = Lab {
            control,
            ..lab.clone()
        };
        let mut journal = PartJournal::open(&path, &plan).expect("it is new");
        let (stopped, ended) = search(&stopping, bound, &plan, &mut journal);
        assert!(ended.is_err_and(|error| error.is_cancellation()));
        let complete = counts(&stopped).iter().flatten().count();
        assert!(complete > 0 && complete < counts(&whole).iter().flatten().count());
        drop(journal);
        let mut journal = PartJournal::open(&path, &plan).expect("it is its own");
        let (results, ended) = search(lab, bound, &plan, &mut journal);
        ended.expect("it is not cancelled");
        assert_eq!(counts(&results), counts(&whole));
    });
}

#[test]
fn one_thread_and_many_count_the_same() {
    let positions = positions();
    with_bound(|lab, bound| {
        let plan = plan(&positions, SolutionCount::ONE);
        let counted = [1, 4].map(|threads| {
            let control = lab
                .control
                .clone()
                .with_threads(ThreadCount::new(threads).expect("a few threads"));
            let lab = Lab {
                control,
                ..lab.clone()
            };
            counts(&whole(&lab, bound, &plan))
        });
        assert_eq!(counted[0], counted[1]);
    });
}

#[test]
fn only_the_journal_of_the_same_work_is_continued() {
    let positions = positions();
    let plan = plan(&positions, SolutionCount::ONE);
    let path = scratch("long-work.journal");
    PartJournal::open(&path, &plan).expect("it is new");
    let refused = |plan: &SearchPlan<'_>| {
        PartJournal::open(&path, plan)
            .map(drop)
            .expect_err("another search")
            .to_string()
    };
    assert!(
        refused(&SearchPlan {
            positions: &positions[1..],
            ..plan.clone()
        })
        .contains("positions")
    );
    assert!(
        refused(&SearchPlan {
            name: "other tables",
            ..plan.clone()
        })
        .contains("other tables")
    );
    assert!(
        refused(&SearchPlan {
            solution_count: SolutionCount::All,
            ..plan.clone()
        })
        .contains("all solutions")
    );
    assert!(
        refused(&SearchPlan {
            by_symmetry: true,
            ..plan.clone()
        })
        .contains("by symmetry")
    );
}

#[test]
fn results_are_shown_again_without_a_search_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let walks = folder.path().join("walks.txt");
    fs::write(&walks, "R U2 F' L2 D B\nU R2 F B R B2\n").expect("it can be written");
    let request = ExperimentOptions {
        instances: Some(walks.clone()),
        results: Some(folder.path().join("results")),
        ..ExperimentOptions::new(RunSize::Full)
    };
    in_lab(|lab| {
        let searched = korf::instances(lab, &request).expect("it is not cancelled");
        let path = folder.path().join("results/korf-instances.txt");
        let text = fs::read_to_string(&path).expect("they are there");
        let quick = ExperimentOptions {
            effort: RunSize::Quick,
            instances: None,
            ..request.clone()
        };
        let shown = korf::instances(lab, &quick).expect("they are there");
        assert_eq!(shown.data["thresholds"], searched.data["thresholds"]);
        // What is complete is not searched again, even without the journal.
        fs::remove_file(folder.path().join("results/korf-instances.journal"))
            .expect("it was there");
        korf::instances(lab, &request).expect("it is not cancelled");
        assert_eq!(fs::read_to_string(&path).expect("they are there"), text);
        fs::write(&walks, "R\n").expect("it can be written");
        let others = ExperimentOptions {
            instances: Some(walks.clone()),
            ..quick.clone()
        };
        assert!(matches!(
            korf::instances(lab, &others),
            Err(LabError::OtherPositions { .. })
        ));
        fs::write(&path, "something else\n").expect("it can be written");
        assert!(matches!(
            korf::instances(lab, &quick),
            Err(LabError::NotResults { .. })
        ));
    });
}
