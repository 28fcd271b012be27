//! An iteration searched in parts is the same iteration; searches that take hours, stopped, killed
//! and resumed, count what an undisturbed one counts.

use crate::support::{cancelled, in_lab};
use cosette::cube::{Cube, Metric, Move, random_walks};
use cosette::search::SolutionCount;
use cosette::{Cancel, Control, Progress, ThreadCount};
use cosette_lab::bound_table::{BoundTable, DistanceStorage};
use cosette_lab::error::LabError;
use cosette_lab::experiment::{ExperimentOptions, RunSize};
use cosette_lab::ida::{Ida, IdaLimits, IdaPart};
use cosette_lab::korf::{self, Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::long_search::{self, IterationCounts, SearchPlan};
use cosette_lab::nargolkar::superflip;
use cosette_lab::reid::bound::CosetBound;
use cosette_lab::reid::table::CosetTable;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

pub fn bound(metric: Metric) -> CosetBound {
    let storage = DistanceStorage::FourBits;
    let table = in_lab(|lab| lab.table(&CosetTable { metric, storage }));
    let table = table.expect("there is room for the table");
    CosetBound::new(BoundTable::new(storage, table), false)
}

/// All solutions of one threshold.
fn all(threshold: u8, by_symmetry: bool) -> IdaLimits {
    IdaLimits {
        solution_count: SolutionCount::All,
        by_parity: false,
        by_symmetry,
        ..IdaLimits::only(threshold)
    }
}

fn check_parts(ida: &Ida<'_, CosetBound>, position: &Cube, threshold: u8, by_symmetry: bool) {
    let limits = all(threshold, by_symmetry);
    let one = Control::new(ThreadCount::ONE);
    let found = ida.search(position, &limits, &one);
    let whole = found.iterations.first().expect("the threshold is searched");
    for size in [1, 7, 1000] {
        let cut = ida.cut(position, threshold, &limits);
        assert_eq!(cut.threshold, threshold);
        let mut parts = vec![cut.trunk.clone()];
        for first in (0..cut.tasks()).step_by(size).rev() {
            let tasks = first..cut.tasks().min(first + size);
            parts.push(ida.search_part(position, &cut, tasks, &limits, &one));
        }
        let sum = |count: fn(&IdaPart) -> u64| parts.iter().map(count).sum::<u64>();
        let sums = [
            sum(|part| part.nodes),
            sum(|part| part.probes),
            sum(|part| part.tests),
        ];
        let expected = [whole.nodes, whole.probes, whole.tests];
        assert_eq!(sums, expected, "{} in parts of {size}", position.reid());
        assert!(parts.iter().all(|part| part.complete));
        let solutions: BTreeSet<&Vec<Move>> =
            parts.iter().flat_map(|part| &part.solutions).collect();
        assert_eq!(solutions, found.solutions.iter().collect());
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    for (metric, thresholds) in [(Metric::Htm, [5, 9, 11]), (Metric::Qtm, [5, 10, 13])] {
        let bound = &bound(metric);
        let ida = Ida { bound, metric };
        for walk in random_walks(2006, 5).take(3) {
            let position = Cube::from_moves(&walk);
            let first = ida.first_threshold(&position, &all(0, false));
            let searched = thresholds.iter().filter(|&&threshold| threshold >= first);
            searched.for_each(|&threshold| check_parts(&ida, &position, threshold, false));
        }
        for by_symmetry in [false, true] {
            check_parts(&ida, &superflip(), 12, by_symmetry);
        }
    }
}

#[test]
fn a_part_stops_with_its_solution_or_when_asked_to() {
    let metric = Metric::Htm;
    let bound = &bound(metric);
    let ida = Ida { bound, metric };
    let walk = random_walks(2006, 9).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let limits = IdaLimits::default();
    let part = |threshold, control: &Control<'_>| {
        let cut = ida.cut(&position, threshold, &limits);
        ida.search_part(&position, &cut, 0..cut.tasks(), &limits, control)
    };
    let solved = part(9, &Control::new(ThreadCount::ONE));
    assert!(!solved.complete && position.apply_moves(&solved.solutions[0]).is_solved());
    assert!(!part(13, &cancelled()).complete);
}

#[test]
fn an_iteration_generates_the_nodes_that_its_definition_says() {
    for (metric, thresholds) in [(Metric::Htm, [0, 3, 10]), (Metric::Qtm, [0, 4, 11])] {
        let bound = &bound(metric);
        let ida = Ida { bound, metric };
        for (walk, threshold) in random_walks(1985, 6).zip(thresholds) {
            let position = Cube::from_moves(&walk[..usize::from(threshold).min(6)]);
            let control = Control::new(ThreadCount::ONE);
            let found = ida.search(&position, &all(threshold, false), &control);
            let visits = ida.trace(&position, threshold);
            let ends = visits
                .iter()
                .filter(|visit| visit.remaining == 0 && visit.bound == 0);
            let tests = if threshold == 0 { 1 } else { ends.count() };
            let counted = [found.iterations[0].nodes, found.iterations[0].tests];
            assert_eq!(counted, [visits.len() as u64, tests as u64]);
        }
    }
}

/// Three positions of up to twelve moves.
fn positions() -> Vec<Cube> {
    let walks = random_walks(9, 12).take(3);
    walks.map(|walk| Cube::from_moves(&walk)).collect()
}

fn plan(positions: &[Cube], solution_count: SolutionCount) -> SearchPlan<'_> {
    SearchPlan {
        name: "Korf",
        positions,
        metric: Metric::Htm,
        limits: IdaLimits {
            solution_count,
            last: Some(12),
            ..IdaLimits::default()
        },
    }
}

/// The counts of a search, position by position, but for their seconds; its journal is in the
/// folder, and results of earlier searches are lost.
fn search(
    lab: &Lab<'_>,
    plan: &SearchPlan<'_>,
    folder: Option<&Path>,
    max_nodes: Option<u64>,
) -> Result<Vec<Vec<IterationCounts>>, LabError> {
    if let Some(folder) = folder {
        fs::remove_file(folder.join("long.txt")).ok();
    }
    let request = ExperimentOptions {
        results: folder.map(Path::to_owned),
        max_nodes,
        ..ExperimentOptions::new(RunSize::Full)
    };
    let korf = || Korf::new(lab, &SIX);
    let results = long_search::results(lab, &request, "long", plan, korf)?;
    let of_position = |number| {
        let mut iterations = results.iterations(number);
        iterations
            .iter_mut()
            .for_each(|counts| counts.seconds = 0.0);
        iterations
    };
    Ok((1..=3).map(of_position).collect())
}

/// What an undisturbed search counts.
fn whole(lab: &Lab<'_>, plan: &SearchPlan<'_>) -> Vec<Vec<IterationCounts>> {
    search(lab, plan, None, None).expect("it is not cancelled")
}

#[test]
fn a_long_search_counts_the_iterations_of_each_position() {
    let positions = positions();
    in_lab(|lab| {
        let plan = plan(&positions, SolutionCount::All);
        let korf = Korf::new(lab, &SIX).expect("they can be generated");
        for (position, counted) in positions.iter().zip(whole(lab, &plan)) {
            let found = korf.ida().search(position, &plan.limits, &lab.control);
            let expected = found.iterations.iter();
            let expected = expected.map(|of| (of.threshold, of.nodes, of.probes, of.tests));
            let counts = counted.iter();
            assert!(
                counts
                    .map(|of| (of.threshold, of.nodes, of.probes, of.tests))
                    .eq(expected)
            );
            let last = counted.last().expect("it is complete");
            assert_eq!(last.threshold, found.lower_bound);
            assert_eq!(last.solutions, found.solutions.len() as u64);
        }
    });
}

/// Other numbers of threads, limits, crashes and cancellations do not change the counts.
#[test]
fn a_disturbed_search_counts_what_an_undisturbed_one_counts() {
    let positions = positions();
    in_lab(|lab| {
        for count in [SolutionCount::ONE, SolutionCount::All] {
            let plan = plan(&positions, count);
            let undisturbed = whole(lab, &plan);
            let with = |control: Control<'_>| {
                let lab = Lab {
                    control,
                    ..lab.clone()
                };
                whole(&lab, &plan)
            };
            for threads in [1, 4].map(|threads| ThreadCount::new(threads).expect("a few")) {
                let control = lab.control.clone().with_threads(threads);
                assert_eq!(with(control), undisturbed);
            }
            let nodes: u64 = undisturbed.iter().flatten().map(|of| of.nodes).sum();
            crash_until_done(lab, &plan, &undisturbed, nodes / 2);
            cancel_and_resume(lab, &plan, &undisturbed);
        }
    });
}

fn crash_until_done(
    lab: &Lab<'_>,
    plan: &SearchPlan<'_>,
    undisturbed: &[Vec<IterationCounts>],
    max_nodes: u64,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut was = 0;
    loop {
        let done = search(lab, plan, Some(folder.path()), Some(max_nodes));
        let done = done.expect("it is not cancelled");
        if done == undisturbed {
            break;
        }
        let mut both = undisturbed.iter().zip(&done);
        assert!(both.all(|(all, done)| all.starts_with(done)));
        let complete = done.iter().flatten().count();
        assert!(complete > was, "it goes on");
        was = complete;
        // A crash leaves a line without its end.
        let path = folder.path().join("long.journal");
        let text = fs::read_to_string(&path).expect("the file is there");
        fs::write(&path, text + "{\"check\":\"01").expect("it can be written");
    }
}

fn cancel_and_resume(lab: &Lab<'_>, plan: &SearchPlan<'_>, undisturbed: &[Vec<IterationCounts>]) {
    let folder = tempfile::tempdir().expect("a folder");
    let cancel = Cancel::new();
    let stop_at_ten = |what: &str, _: Progress| {
        if what.ends_with("length 10") {
            cancel.cancel();
        }
    };
    let control = lab.control.clone().on_progress(stop_at_ten);
    let stopping = Lab {
        control: control.with_cancel(&cancel),
        ..lab.clone()
    };
    let stopped = search(&stopping, plan, Some(folder.path()), None);
    assert!(stopped.is_err_and(|error| error.is_cancellation()));
    let kept = fs::read_to_string(folder.path().join("long.txt")).expect("it is there");
    let complete = kept.lines().filter(|line| !line.starts_with('#')).count() - 1;
    assert!(complete > 0 && complete < undisturbed.iter().flatten().count());
    let resumed = search(lab, plan, Some(folder.path()), None);
    assert_eq!(resumed.expect("it is not cancelled"), undisturbed);
}

#[test]
fn only_the_journal_of_the_same_work_is_continued() {
    let positions = positions();
    let folder = tempfile::tempdir().expect("a folder");
    let own = plan(&positions, SolutionCount::ONE);
    let by_symmetry = IdaLimits {
        by_symmetry: true,
        ..own.limits
    };
    let others = [
        (plan(&positions[1..], SolutionCount::ONE), "positions"),
        (plan(&positions, SolutionCount::All), "all solutions"),
        (
            SearchPlan {
                name: "other tables",
                ..own.clone()
            },
            "other tables",
        ),
        (
            SearchPlan {
                limits: by_symmetry,
                ..own.clone()
            },
            "by symmetry",
        ),
    ];
    in_lab(|lab| {
        search(lab, &own, Some(folder.path()), Some(1)).expect("it is its own");
        for (plan, text) in others {
            let refused = search(lab, &plan, Some(folder.path()), Some(1));
            let error = refused.expect_err("another search").to_string();
            assert!(error.contains(text), "{error}");
        }
    });
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
    let quick = ExperimentOptions {
        effort: RunSize::Quick,
        instances: None,
        ..request.clone()
    };
    let path = folder.path().join("results/korf-instances.txt");
    let kept = || fs::read_to_string(&path).expect("they are there");
    in_lab(|lab| {
        let searched = korf::instances(lab, &request).expect("it is not cancelled");
        let text = kept();
        let shown = korf::instances(lab, &quick).expect("they are there");
        assert_eq!(shown.data["thresholds"], searched.data["thresholds"]);
        // What is complete is not searched again, even without the journal.
        fs::remove_file(path.with_extension("journal")).expect("it was there");
        korf::instances(lab, &request).expect("it is not cancelled");
        assert_eq!(kept(), text);
        fs::write(&walks, "R\n").expect("it can be written");
        let others = ExperimentOptions {
            instances: Some(walks),
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
