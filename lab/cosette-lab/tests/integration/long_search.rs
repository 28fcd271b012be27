//! Searches that take hours: stopped, killed and continued, they count what an undisturbed one counts.

use crate::support::in_lab;
use cosette::cube::{Cube, Metric, random_walks};
use cosette::search::SolutionCount;
use cosette::{Cancel, Control, Progress, ThreadCount};
use cosette_lab::error::LabError;
use cosette_lab::experiment::{Effort, Request};
use cosette_lab::ida::{Ida, IdaLimits};
use cosette_lab::kept::Kept;
use cosette_lab::korf::bound::Databases;
use cosette_lab::korf::{self, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::long_search::{self, IterationCounts, Journal, Plan, Results};
use std::fs;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_file(&path).ok();
    path
}

/// Three positions of up to twelve moves.
fn positions() -> Vec<Cube> {
    random_walks(9, 12).take(3).map(|walk| Cube::from_moves(&walk)).collect()
}

fn plan(positions: &[Cube], solution_count: SolutionCount) -> Plan<'_> {
    let (metric, max_nodes) = (Metric::Htm, u64::MAX);
    Plan { name: "Korf", positions, metric, solution_count, by_symmetry: false, max_length: 12, max_nodes }
}

/// The counts of each position but for their seconds.
fn counts(results: &Results) -> Vec<Vec<IterationCounts>> {
    let without_seconds = |counts| IterationCounts { seconds: 0.0, ..counts };
    (1..=3).map(|number| results.of_position(number).into_iter().map(without_seconds).collect()).collect()
}

/// Searches, and keeps what is complete in memory.
fn search(lab: &Lab<'_>, bound: &Databases, plan: &Plan<'_>, journal: &mut Journal) -> (Results, Result<(), LabError>) {
    let results = Results(Kept::default());
    let ended = long_search::search(lab, bound, plan, (journal, &results), "c0ffee", &lab.control);
    (results, ended)
}

/// Runs `test` in a lab with Korf's databases.
fn with_bound(test: impl FnOnce(&Lab<'_>, &Databases)) {
    in_lab(|lab| test(lab, &Databases::new(lab, &SIX).expect("they can be generated")));
}

/// What an undisturbed search counts.
fn whole(lab: &Lab<'_>, bound: &Databases, plan: &Plan<'_>) -> Results {
    let (results, ended) = search(lab, bound, plan, &mut Journal::default());
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
            let limits = IdaLimits { solution_count: SolutionCount::All, last: Some(12), ..IdaLimits::default() };
            let found = Ida { bound, metric: Metric::Htm }.search(position, &limits, &mut |_| {}, &lab.control);
            for iteration in &found.iterations {
                let counts = results.get(number, iteration.threshold).expect("it is complete");
                assert_eq!((counts.nodes, counts.probes), (iteration.nodes, iteration.probes));
            }
            let last = results.of_position(number).pop().expect("it is complete");
            assert_eq!((last.threshold, last.solutions), (found.lower_bound, found.solutions.len() as u64));
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
                let limited = Plan { max_nodes: total / 2, ..plan.clone() };
                let mut journal = Journal::open(&path, &plan).expect("it is its own");
                let (results, ended) = search(lab, bound, &limited, &mut journal);
                ended.expect("it is not cancelled");
                let done = counts(&results);
                if done == whole {
                    break;
                }
                assert!(whole.iter().zip(&done).all(|(all, done)| all.starts_with(done)));
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
        let control: Control<'_> = lab.control.clone().on_progress(&stop_at_ten).with_cancel(&cancel);
        let stopping = Lab { control, ..lab.clone() };
        let mut journal = Journal::open(&path, &plan).expect("it is new");
        let (stopped, ended) = search(&stopping, bound, &plan, &mut journal);
        assert!(ended.is_err_and(|error| error.is_cancellation()));
        let complete = counts(&stopped).iter().flatten().count();
        assert!(complete > 0 && complete < counts(&whole).iter().flatten().count());
        drop(journal);
        let mut journal = Journal::open(&path, &plan).expect("it is its own");
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
            let control = lab.control.clone().with_threads(ThreadCount::new(threads).expect("a few threads"));
            let lab = Lab { control, ..lab.clone() };
            counts(&whole(&lab, bound, &plan))
        });
        assert_eq!(counted[0], counted[1]);
    });
}

#[test]
fn only_the_journal_of_the_same_work_is_continued() {
    let positions = positions();
    let plan = plan(&positions, SolutionCount::ONE);
    let path = scratch("long-other.journal");
    for text in
        ["not a record\n", "somebody's notes, without a line feed", "{\"check\":\"0123456789abcdef\",\"body\":{}}\n"]
    {
        fs::write(&path, text).expect("it can be written");
        Journal::open(&path, &plan).map(drop).expect_err("it is not a journal");
        assert_eq!(fs::read_to_string(&path).expect("it is still there"), text, "it is not changed");
    }
    let path = scratch("long-work.journal");
    Journal::open(&path, &plan).expect("it is new");
    let refused = |plan: &Plan<'_>| Journal::open(&path, plan).map(drop).expect_err("another search").to_string();
    assert!(refused(&Plan { positions: &positions[1..], ..plan.clone() }).contains("positions"));
    assert!(refused(&Plan { name: "other tables", ..plan.clone() }).contains("other tables"));
    assert!(refused(&Plan { solution_count: SolutionCount::All, ..plan.clone() }).contains("all solutions"));
    assert!(refused(&Plan { by_symmetry: true, ..plan.clone() }).contains("by symmetry"));
}

#[test]
fn results_are_shown_again_without_a_search_and_continued() {
    let folder = tempfile::tempdir().expect("a folder");
    let walks = folder.path().join("walks.txt");
    fs::write(&walks, "R U2 F' L2 D B\nU R2 F B R B2\n").expect("it can be written");
    let request = Request {
        instances: Some(walks.clone()),
        results: Some(folder.path().join("results")),
        ..Request::new(Effort::Full)
    };
    in_lab(|lab| {
        let searched = korf::instances(lab, &request).expect("it is not cancelled");
        let path = folder.path().join("results/korf-instances.txt");
        let text = fs::read_to_string(&path).expect("they are there");
        let quick = Request { effort: Effort::Quick, instances: None, ..request.clone() };
        let shown = korf::instances(lab, &quick).expect("they are there");
        assert_eq!(shown.tables[0].rows, searched.tables[0].rows);
        // What is complete is not searched again, even without the journal.
        fs::remove_file(folder.path().join("results/korf-instances.journal")).expect("it was there");
        korf::instances(lab, &request).expect("it is not cancelled");
        assert_eq!(fs::read_to_string(&path).expect("they are there"), text);
        fs::write(&walks, "R\n").expect("it can be written");
        let others = Request { instances: Some(walks.clone()), ..quick.clone() };
        assert!(matches!(korf::instances(lab, &others), Err(LabError::OtherPositions { .. })));
        fs::write(&path, "something else\n").expect("it can be written");
        assert!(matches!(korf::instances(lab, &quick), Err(LabError::NotResults { .. })));
    });
}
