//! Searches that continue from their journals.

use super::support::{SCRAMBLE, moves, random, solver, table};
use cosette::cube::Cube;
use cosette::search::distributed::Tasks;
use cosette::search::{Event, IterationStats, Options, Outcome, Report, SolutionCount};
use cosette_app::search_journal::{
    FinishedUnit, JournalState, JournalWriter, RecordingExecutor, SearchRecord,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

fn all() -> Options<'static> {
    Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    }
}

/// Continues from a journal with this many threads for this long.
fn resume(
    path: &Path,
    position: &Cube,
    options: Options<'_>,
    threads: usize,
    slot: Duration,
) -> Report {
    let solver = solver(threads);
    let (writer, resumed) = JournalWriter::open(path, position, solver.table()).unwrap();
    let from = resumed.map(|resumed| resumed.checkpoint);
    let record = |event: Event<'_>| writer.record(event);
    let mut executor = RecordingExecutor::new(solver.table(), solver.threads(), &writer);
    let search = solver.search(position).options(options).timeout(slot);
    let search = search.on_event(record);
    let (report, _) = search.resume_with(&mut executor, from.unwrap_or_default());
    writer.close().unwrap();
    report
}

/// Returns the results that do not depend on how often the search was interrupted: the outcome, the
/// solutions, and the length, nodes and probes of each iteration.
fn essence(report: &Report) -> String {
    let iterations = report.iterations.iter();
    let counts = iterations.map(|iteration| {
        assert!(iteration.exhausted);
        (iteration.length, iteration.nodes, iteration.probes)
    });
    let counts: Vec<_> = counts.collect();
    format!("{:?} {:?} {counts:?}", report.outcome, report.solutions)
}

/// Fails where a root task is recorded twice for a length, or an interrupted iteration is recorded.
fn check_that_nothing_is_repeated(path: &Path) {
    let mut seen = BTreeSet::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        assert!(!line.contains(r#""exhausted":false"#), "{line}");
        let line: Value = serde_json::from_str(line).unwrap();
        let unit = &line["body"]["record"]["unit"];
        for task in unit["tasks"].as_array().into_iter().flatten() {
            let key = (unit["length"].as_u64(), task.as_u64());
            assert!(seen.insert(key), "{task} of {}", unit["length"]);
        }
    }
    assert!(!seen.is_empty());
}

#[test]
fn a_search_that_was_interrupted_anywhere_ends_the_same() {
    // One solution, and a pattern ("cube in a cube") that has several, as symmetries fix it.
    for text in [SCRAMBLE, "F L F U' R U F2 L2 U' L' B D' B' L2 U"] {
        let position = Cube::from_moves(&moves(text));
        let plain = solver(1).search(&position).options(all()).run();
        let expected = essence(&plain);
        assert!(plain.symmetry_count == 1 || plain.solutions.len() > 1);
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("journal");
        let resume = |threads| resume(&path, &position, all(), threads, Duration::MAX);
        assert_eq!(essence(&resume(3)), expected);
        check_that_nothing_is_repeated(&path);
        let whole = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let cuts = random(1).map(|number| 1 + number % lines.len()).take(6);
        for cut in cuts.chain([lines.len() - 1, lines.len()]) {
            fs::write(&path, lines[..cut].concat()).unwrap();
            assert_eq!(essence(&resume(1 + cut % 3)), expected, "cut after {cut}");
            check_that_nothing_is_repeated(&path);
        }
        // A journal that is complete gives the counts of its search at once.
        assert_eq!(essence(&resume(2)), expected);
    }
}

/// Returns the lower bound in the journal after length 14, of which `unit` was recorded before the
/// rest was searched. Length 13 is recorded with this number of nodes.
fn lower_bound_after(nodes: u64, unit: FinishedUnit) -> Option<u8> {
    let position = Cube::from_moves(&moves(SCRAMBLE));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let open = || JournalState::open(&path, &position, table().id()).unwrap();
    let (mut journal, _) = open();
    let mut iteration = IterationStats::new(13);
    iteration.nodes = nodes;
    iteration.exhausted = true;
    journal.append(&SearchRecord::Iteration(iteration));
    journal.append(&SearchRecord::Unit(FinishedUnit { length: 14, ..unit }));
    journal.commit().unwrap();
    drop(journal);
    let up_to_14 = Options {
        max_length: Some(14),
        ..all()
    };
    let report = resume(&path, &position, up_to_14, 1, Duration::MAX);
    assert_eq!(report.outcome, Outcome::NoneWithinLimit);
    let resumed = open().1.resume(&mut Tasks::of(&position, &table()));
    resumed.unwrap().lower_bound
}

/// Other executors record units of iterations that threads would search as a whole.
#[test]
fn units_that_others_have_recorded_count() {
    let order = Tasks::of(&Cube::from_moves(&moves(SCRAMBLE)), &table()).order(14);
    let begun = FinishedUnit {
        tasks: order[..1].to_vec(),
        ..FinishedUnit::default()
    };
    assert_eq!(lower_bound_after(1000, begun), Some(15));
    // Open nodes with nothing remaining are recorded.
    let leaf = json!({"task": 1, "remaining": 0, "bounds": [0, 0], "last": [0, 0], "path": [2]});
    let complete = FinishedUnit {
        tasks: order,
        open: vec![serde_json::from_value(leaf).unwrap()],
        ..FinishedUnit::default()
    };
    assert_eq!(lower_bound_after(1_000_000, complete), Some(15));
}

#[test]
fn a_search_in_short_slots_ends_and_searches_nothing_twice() {
    // Far from solved: its last length takes seconds, and is cut into many parts.
    let position = Cube::from_moves(&moves("R2 U2 L F2 R' U' F' B U' L' F L' U' L D' L2 F2 L2"));
    let up_to_16 = Options {
        max_length: Some(16),
        ..all()
    };
    let expected = solver(1).search(&position).options(up_to_16).run();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let slot = expected.elapsed / 20;
    let mut slots = 0;
    let report = loop {
        slots += 1;
        let report = resume(&path, &position, up_to_16, 1, slot);
        if !matches!(report.outcome, Outcome::Cancelled(_)) {
            break report;
        }
        assert!(slots < 1000, "it ends");
    };
    assert!(slots > 5, "{slots} slots");
    assert_eq!(essence(&report), essence(&expected));
    check_that_nothing_is_repeated(&path);
    assert!(fs::read_to_string(&path).unwrap().contains("\"open\""));
    // Asked again, it answers at once, with the same counts.
    let again = resume(&path, &position, up_to_16, 1, Duration::MAX);
    assert_eq!(essence(&again), essence(&expected));
}
