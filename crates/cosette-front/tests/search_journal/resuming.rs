//! Searches that are gone on with from their journals.

use crate::support::{Recording, all, position, table, tasks};
use cosette::Cancel;
use cosette::search::{Event, Report, Solver};
use cosette_front::search_journal::{Record, SearchJournal};
use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use tempfile::TempDir;

/// Goes on with a journal to the end; the report, and what was said at the beginning.
fn finish(path: &Path) -> (Report, String) {
    let mut tasks = tasks();
    let (journal, recorded) = SearchJournal::open(path, &position(), table().id()).unwrap();
    let taken_up = recorded.take_up(&mut tasks).unwrap();
    let said = taken_up.to_string();
    let journal = Mutex::new(journal);
    let note = |event: Event<'_>| {
        let record = match event {
            Event::Solution(moves) => Record::Solution(moves.to_vec()),
            Event::ThresholdDone(threshold) => Record::Threshold(*threshold),
            _ => return,
        };
        let mut journal = journal.lock().unwrap();
        journal.append(&record);
        journal.commit().unwrap();
    };
    let mut crew = Recording::new(&journal, tasks);
    let from = (&position(), &all(), taken_up.standing);
    let (report, _) = Solver::new(table(), NonZeroUsize::MIN).resume_with(&mut crew, from, &note, &Cancel::new());
    (report, said)
}

/// What does not depend on how often the search was left: lengths, nodes and probes.
fn counts(report: &Report) -> Vec<(u8, u64, u64)> {
    assert!(report.thresholds.iter().all(|threshold| threshold.exhausted));
    report.thresholds.iter().map(|threshold| (threshold.length, threshold.nodes, threshold.probes)).collect()
}

#[test]
fn a_search_that_was_cut_anywhere_ends_as_if_it_had_not_been() {
    let folder = TempDir::new().unwrap();
    let whole = folder.path().join("whole");
    let (expected, said) = finish(&whole);
    assert_eq!(said, "no threshold complete");
    let plain = Solver::new(table(), NonZeroUsize::MIN).solve(&position(), &all(), &|_| {}, &Cancel::new());
    assert_eq!((&expected.solutions, counts(&expected)), (&plain.solutions, counts(&plain)));

    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Spread over the journal, as no pattern of its lines is.
    let cuts = (0..12).map(|i| 1 + (i * 7919 + 13) % (lines.len() - 1));
    for cut in cuts.chain([lines.len() - 1, lines.len()]) {
        let path = folder.path().join(cut.to_string());
        fs::write(&path, lines[..cut].concat()).unwrap();
        let (report, said) = finish(&path);
        assert_eq!(report.solutions, expected.solutions, "cut after {cut} lines, {said}");
        assert_eq!(counts(&report), counts(&expected), "cut after {cut} lines, {said}");
        assert_eq!(report.lower_bound, expected.lower_bound);
    }
}
