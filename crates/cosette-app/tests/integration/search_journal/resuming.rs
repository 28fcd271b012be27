//! Searches that continue from their journals.

use super::support::{Recording, SCRAMBLE, all, moves, tasks};
use crate::support::{random, table};
use cosette::ThreadCount;
use cosette::cube::Cube;
use cosette::search::distributed::Tasks;
use cosette::search::{Event, IterationStats, Options, Outcome, Report, Solver};
use cosette_app::search_journal::{
    FinishedUnit, JournalWriter, RecordingExecutor, SearchJournal, SearchRecord,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// Continues from a journal to the end; the report, and what was said at the beginning.
fn finish(path: &Path, position: &Cube) -> (Report, String) {
    let mut tasks = Tasks::of(position, &table());
    let (journal, recorded) = SearchJournal::open(path, position, table().id()).unwrap();
    let resumed = recorded.resume(&mut tasks).unwrap();
    let said = resumed.to_string();
    let journal = Mutex::new(journal);
    let record = |event: Event<'_>| {
        let new = match event {
            Event::Solution(moves) => SearchRecord::Solution(moves.to_vec()),
            Event::IterationFinished(iteration) => SearchRecord::Iteration(*iteration),
            _ => return,
        };
        let mut journal = journal.lock().unwrap();
        journal.append(&new);
        journal.commit().unwrap();
    };
    let mut executor = Recording::new(&journal, tasks);
    let solver = Solver::new(table(), ThreadCount::ONE);
    let search = solver.search(position).options(all()).on_event(&record);
    let (report, _) = search.resume_with(&mut executor, resumed.checkpoint);
    (report, said)
}

/// The same with threads of this process.
fn finish_with_threads(path: &Path, position: &Cube) -> Report {
    let threads = ThreadCount::new(3).unwrap();
    let solver = Solver::new(table(), threads);
    let (writer, resumed) = JournalWriter::open(path, position, solver.table()).unwrap();
    let from = resumed
        .map(|resumed| resumed.checkpoint)
        .unwrap_or_default();
    let record = |event: Event<'_>| writer.record(event);
    let mut executor = RecordingExecutor::new(solver.table(), threads, &writer);
    let search = solver.search(position).options(all()).on_event(&record);
    let (report, _) = search.resume_with(&mut executor, from);
    writer.close().unwrap();
    report
}

/// Continues from a journal with one thread for this long.
fn continue_for(path: &Path, position: &Cube, options: Options<'_>, slot: Duration) -> Report {
    let solver = Solver::new(table(), ThreadCount::ONE);
    let (writer, resumed) = JournalWriter::open(path, position, solver.table()).unwrap();
    let from = resumed
        .map(|resumed| resumed.checkpoint)
        .unwrap_or_default();
    let record = |event: Event<'_>| writer.record(event);
    let mut executor = RecordingExecutor::new(solver.table(), ThreadCount::ONE, &writer);
    let search = solver
        .search(position)
        .options(options)
        .timeout(slot)
        .on_event(&record);
    let (report, _) = search.resume_with(&mut executor, from);
    writer.close().unwrap();
    report
}

/// What does not depend on how often the search was interrupted: lengths, nodes and probes.
fn counts(report: &Report) -> Vec<(u8, u64, u64)> {
    assert!(
        report
            .iterations
            .iter()
            .all(|iteration| iteration.exhausted)
    );
    report
        .iterations
        .iter()
        .map(|iteration| (iteration.length, iteration.nodes, iteration.probes))
        .collect()
}

/// Fails where a root task is recorded twice for a length.
fn check_that_nothing_is_repeated(path: &Path) {
    let mut seen = BTreeSet::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let part = &line["body"]["record"]["unit"];
        for task in part["tasks"].as_array().into_iter().flatten() {
            assert!(
                seen.insert((part["length"].as_u64(), task.as_u64())),
                "{} of {}",
                task,
                part["length"]
            );
        }
    }
    assert!(!seen.is_empty());
}

#[test]
fn a_search_that_was_interrupted_anywhere_ends_the_same() {
    // One solution, and a pattern ("cube in a cube") that has several, as symmetries fix it.
    for text in [SCRAMBLE, "F L F U' R U F2 L2 U' L' B D' B' L2 U"] {
        let position = Cube::from_moves(&moves(text));
        let folder = TempDir::new().unwrap();
        let whole = folder.path().join("whole");
        let (expected, said) = finish(&whole, &position);
        assert_eq!(said, "no iteration complete");
        let solver = Solver::new(table(), ThreadCount::ONE);
        let plain = solver.search(&position).options(all()).run();
        assert_eq!(
            (&expected.solutions, counts(&expected)),
            (&plain.solutions, counts(&plain))
        );
        assert!(expected.symmetry_count == 1 || expected.solutions.len() > 1);

        let text = fs::read_to_string(&whole).unwrap();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let cuts = random(1).map(|number| 1 + number % lines.len()).take(6);
        for cut in cuts.chain([lines.len() - 1, lines.len()]) {
            let path = folder.path().join(cut.to_string());
            fs::write(&path, lines[..cut].concat()).unwrap();
            let (report, said) = finish(&path, &position);
            let at = format!("cut after {cut} of {} lines: {said}", lines.len());
            assert_eq!(report.solutions, expected.solutions, "{at}");
            assert_eq!(counts(&report), counts(&expected), "{at}");
            assert_eq!(report.lower_bound, expected.lower_bound, "{at}");
            check_that_nothing_is_repeated(&path);
        }
    }
}

#[test]
fn threads_record_what_they_search() {
    let position = Cube::from_moves(&moves(SCRAMBLE));
    let solver = Solver::new(table(), ThreadCount::ONE);
    let expected = solver.search(&position).options(all()).run();
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    let report = finish_with_threads(&whole, &position);
    assert_eq!(
        (&report.solutions, counts(&report)),
        (&expected.solutions, counts(&expected))
    );
    check_that_nothing_is_repeated(&whole);
    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for cut in random(2)
        .map(|number| 1 + number % lines.len())
        .take(4)
        .chain([lines.len()])
    {
        let path = folder.path().join(cut.to_string());
        fs::write(&path, lines[..cut].concat()).unwrap();
        let report = finish_with_threads(&path, &position);
        assert_eq!(
            (&report.solutions, counts(&report)),
            (&expected.solutions, counts(&expected)),
            "cut after {cut}"
        );
        check_that_nothing_is_repeated(&path);
    }
}

/// Records this part of length 14 after a length 13 with so many nodes, searches the rest of length
/// 14, and returns the lower bound that the journal holds then.
fn lower_bound_after(nodes: u64, part: FinishedUnit) -> Option<u8> {
    let (position, folder) = (Cube::from_moves(&moves(SCRAMBLE)), TempDir::new().unwrap());
    let path = folder.path().join("journal");
    let open = || SearchJournal::open(&path, &position, table().id()).unwrap();
    let (mut journal, _) = open();
    let (probes, elapsed) = (0, Duration::ZERO);
    journal.append(&SearchRecord::Iteration(IterationStats {
        length: 13,
        nodes,
        probes,
        elapsed,
        exhausted: true,
    }));
    journal.append(&SearchRecord::Unit(FinishedUnit { length: 14, ..part }));
    journal.commit().unwrap();
    drop(journal);
    let up_to_14 = Options {
        max_length: Some(14),
        ..all()
    };
    assert_eq!(
        continue_for(&path, &position, up_to_14, Duration::MAX).outcome,
        Outcome::NoneWithinLimit
    );
    open().1.resume(&mut tasks()).unwrap().lower_bound
}

/// Other executors record parts of iterations that threads would search as a whole.
#[test]
fn a_short_iteration_that_others_have_begun_counts_as_complete() {
    let part = FinishedUnit {
        tasks: tasks().order(14)[..1].to_vec(),
        ..FinishedUnit::default()
    };
    assert_eq!(lower_bound_after(1000, part), Some(15));
}

#[test]
fn open_nodes_with_nothing_remaining_are_recorded() {
    let leaf = json!({"task": 1, "remaining": 0, "bounds": [0, 0], "last": [0, 0], "path": [2]});
    let open = vec![serde_json::from_value(leaf).unwrap()];
    let part = FinishedUnit {
        tasks: tasks().order(14),
        open,
        ..FinishedUnit::default()
    };
    assert_eq!(lower_bound_after(1_000_000, part), Some(15));
}

#[test]
fn a_search_in_short_slots_ends_and_searches_nothing_twice() {
    // Far from solved: its last length takes seconds, and is cut into many parts.
    let position = Cube::from_moves(&moves("R2 U2 L F2 R' U' F' B U' L' F L' U' L D' L2 F2 L2"));
    let up_to_16 = Options {
        max_length: Some(16),
        ..all()
    };
    let solver = Solver::new(table(), ThreadCount::ONE);
    let expected = solver.search(&position).options(up_to_16).run();
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let slot = expected.elapsed / 20;
    let mut slots = (1..1000).map(|count| (count, continue_for(&path, &position, up_to_16, slot)));
    let (count, report) = slots
        .find(|(_, report)| !matches!(report.outcome, Outcome::Cancelled(_)))
        .expect("it ends");
    assert!(count > 5, "{count} slots");
    assert_eq!(
        (report.outcome, counts(&report)),
        (expected.outcome, counts(&expected))
    );
    check_that_nothing_is_repeated(&path);
    assert!(fs::read_to_string(&path).unwrap().contains("\"open\""));
    // Asked again, it answers at once, with the same counts.
    let again = continue_for(&path, &position, up_to_16, Duration::MAX);
    assert_eq!(
        (again.outcome, counts(&again)),
        (expected.outcome, counts(&expected))
    );
}

#[test]
fn a_journal_that_is_complete_gives_the_counts_of_its_search() {
    let position = Cube::from_moves(&moves(SCRAMBLE));
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let threads = ThreadCount::new(2).unwrap();
    let run = || {
        let solver = Solver::new(table(), threads);
        let (writer, resumed) = JournalWriter::open(&path, &position, solver.table()).unwrap();
        let from = resumed
            .map(|resumed| resumed.checkpoint)
            .unwrap_or_default();
        let record = |event: Event<'_>| writer.record(event);
        let mut executor = RecordingExecutor::new(solver.table(), threads, &writer);
        let (report, _) = solver
            .search(&position)
            .on_event(&record)
            .resume_with(&mut executor, from);
        writer.close().unwrap();
        (report.solutions.len(), report.nodes(), report.probes())
    };
    assert_eq!(run(), run());
}
