//! Records of a search: read back as they were written, torn, damaged and refused.

use super::support::{SCRAMBLE, damaged_copies, line_ends, moves, table};
use cosette::cube::{Cube, inverse};
use cosette::search::IterationStats;
use cosette::search::distributed::{Counts, OpenNode, Tasks};
use cosette::table::TableId;
use cosette_app::batch::{Batch, PositionList};
use cosette_app::journal::{Journal, JournalError, JournalErrorKind};
use cosette_app::request::Request;
use cosette_app::search_journal::{FinishedUnit, JournalState, ResumePoint, SearchRecord};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn position() -> Cube {
    Cube::from_moves(&moves(SCRAMBLE))
}

fn tasks() -> Tasks {
    Tasks::of(&position(), &table())
}

fn open(path: &Path) -> Result<(Journal<SearchRecord>, JournalState), JournalError> {
    JournalState::open(path, &position(), table().id())
}

fn state_of(path: &Path) -> JournalState {
    open(path).unwrap().1
}

fn refusal(path: &Path) -> JournalError {
    open(path).err().expect("it is refused")
}

fn iteration(length: u8) -> SearchRecord {
    let mut iteration = IterationStats::new(length);
    iteration.nodes = 1000 * u64::from(length);
    iteration.probes = 7000;
    iteration.elapsed = Duration::from_millis(250);
    iteration.exhausted = true;
    SearchRecord::Iteration(iteration)
}

fn finished(length: u8, tasks: &[u16]) -> FinishedUnit {
    FinishedUnit {
        length,
        tasks: tasks.to_vec(),
        counts: Counts {
            nodes: 100,
            probes: 700,
        },
        priority: tasks
            .iter()
            .map(|&task| (task, 1 + u64::from(task)))
            .collect(),
        elapsed: Duration::new(tasks.len() as u64, 1),
        ..FinishedUnit::default()
    }
}

fn unit(length: u8, tasks: &[u16]) -> SearchRecord {
    SearchRecord::Unit(finished(length, tasks))
}

/// A journal in a folder of its own, each of these records committed.
fn journal(records: &[SearchRecord]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let (mut journal, state) = open(&path).unwrap();
    assert!(state.is_new());
    for record in records {
        journal.append(record);
        journal.commit().unwrap();
    }
    (folder, path)
}

fn resumed(records: &[SearchRecord]) -> ResumePoint {
    let (_folder, path) = journal(records);
    state_of(&path).resume(&mut tasks()).unwrap()
}

/// Fails unless these records are refused for this reason.
#[track_caller]
fn assert_refused(records: &[SearchRecord], reason: &str) {
    let (_folder, path) = journal(records);
    let error = refusal(&path).to_string();
    assert!(error.ends_with(reason) && error.len() < 400, "{error}");
}

#[test]
fn a_search_continues_where_its_records_say() {
    let longer = [moves("R2 L2 R2 L2"), inverse(&moves(SCRAMBLE))].concat();
    let mut of_17 = tasks().order(17);
    of_17.sort_unstable();
    let (_folder, path) = journal(&[
        SearchRecord::Solution(longer.clone()),
        iteration(16),
        unit(17, &of_17[..5]),
        unit(17, &of_17[5..]),
        iteration(17),
        unit(18, &[7, 2]),
        // A task that is searched twice counts once.
        unit(18, &[2, 3]),
        unit(18, &[3]),
    ]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains(r#""record":{"solution":"R2 L2 R2 L2 F' R2 U2 "#),
        "{text}"
    );
    let mut tasks = tasks();
    let resumed = state_of(&path).resume(&mut tasks).unwrap();
    assert_eq!(resumed.lower_bound, Some(18));
    let said = resumed.to_string();
    assert!(
        said.starts_with("2 iterations complete, lower bound 18, "),
        "{said}"
    );
    let checkpoint = resumed.checkpoint;
    assert_eq!(checkpoint.solutions, [longer]);
    let nodes = checkpoint
        .iterations
        .iter()
        .map(|iteration| iteration.nodes);
    assert_eq!(nodes.collect::<Vec<_>>(), [16_000, 17_000]);
    assert_eq!(checkpoint.priority.len(), tasks.count());
    let sum_17 = of_17.iter().map(|&task| 1 + u64::from(task)).sum::<u64>();
    assert_eq!(checkpoint.priority.iter().sum::<u64>(), sum_17);
    let partial = checkpoint.partial.unwrap();
    assert_eq!([partial.counts.nodes, partial.counts.probes], [200, 1400]);
    assert_eq!(partial.elapsed, Duration::new(2, 1));
    assert_eq!([2, 3, 7].map(|task| partial.priority[task]), [3, 4, 8]);
    // Tasks with the highest priority come first.
    let mut order = tasks.order(18);
    let last = of_17.len() - 1;
    assert_eq!(order[..2], [of_17[last], of_17[last - 1]]);
    order.retain(|task| ![7, 2, 3].contains(task));
    assert_eq!(partial.left.tasks, order);
}

#[test]
fn an_iteration_counts_with_all_its_units_after_all_before_it_and_without_a_solution() {
    let all_of_15 = unit(15, &tasks().order(15));
    let found = SearchRecord::Unit(FinishedUnit {
        solutions: vec![inverse(&moves(SCRAMBLE))],
        ..finished(15, &[1])
    });
    assert_eq!(resumed(&[]).to_string(), "no iteration complete");
    for (records, lower_bound, has_partial) in [
        (vec![iteration(14), all_of_15, iteration(15)], 16, false),
        (
            vec![iteration(14), unit(15, &[1, 2]), iteration(15)],
            15,
            true,
        ),
        (vec![iteration(13), iteration(15)], 14, false),
        (
            vec![iteration(13), iteration(14), found, iteration(15)],
            15,
            true,
        ),
    ] {
        let resumed = resumed(&records);
        assert_eq!(resumed.lower_bound, Some(lower_bound));
        assert_eq!(resumed.checkpoint.partial.is_some(), has_partial);
    }
}

#[test]
fn no_damage_makes_a_journal_say_anything_that_it_did_not_say_once() {
    let found = SearchRecord::Unit(FinishedUnit {
        solutions: vec![inverse(&moves(SCRAMBLE))],
        ..finished(15, &[4])
    });
    let (_folder, path) = journal(&[
        iteration(12),
        iteration(13),
        unit(14, &[1, 2]),
        unit(14, &[3]),
        iteration(14),
        unit(15, &[3]),
        found,
        unit(15, &[5]),
        iteration(15),
    ]);
    let bytes = fs::read(&path).unwrap();
    let ends = line_ends(&bytes);
    let content = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        open(&path).map(|(_, state)| state)
    };
    let once: Vec<JournalState> = ends
        .iter()
        .map(|&end| content(&bytes[..end]).unwrap())
        .collect();
    // A commit that is torn at any byte is cut off.
    for length in ends[0]..=bytes.len() {
        let whole = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(
            content(&bytes[..length]).unwrap(),
            once[whole - 1],
            "{length}"
        );
    }
    let mut read = 0;
    let mut refused = 0;
    for (damage, copy) in damaged_copies(&bytes, 100) {
        let error = match content(&copy) {
            Ok(state) => {
                read += 1;
                assert!(once.contains(&state), "{damage}");
                continue;
            }
            Err(error) => error,
        };
        refused += 1;
        assert_eq!(fs::read(&path).unwrap(), copy, "{damage}");
        match error.kind {
            JournalErrorKind::NotAJournal | JournalErrorKind::Mismatch { .. } => {}
            JournalErrorKind::Damaged { line: 1, .. } => {}
            // As the advice is: what remains can be continued.
            JournalErrorKind::Damaged { line, offset } => {
                let rest = &copy[..offset as usize];
                assert_eq!(line_ends(rest).len(), line - 1, "{damage}");
                assert!(once.contains(&content(rest).unwrap()), "{damage}");
            }
            _ => panic!("{damage}: {error}"),
        }
    }
    assert!(read > 50 && refused > 400, "{read} read, {refused} refused");
}

/// A node that a unit left open.
fn node(task: u16, remaining: u8, bound: u8, path: usize) -> OpenNode {
    let node = json!({
        "task": task,
        "remaining": remaining,
        "bounds": [3, bound],
        "last": [0, 0],
        "path": vec![2; path],
    });
    serde_json::from_value(node).unwrap()
}

#[test]
fn open_nodes_are_left_until_they_are_searched() {
    let open_node = |task| node(task, 5, 4, 1);
    let searched = |nodes: &[usize], open: &[u16]| {
        SearchRecord::Unit(FinishedUnit {
            length: 15,
            nodes: nodes.to_vec(),
            open: open.iter().map(|&task| open_node(task)).collect(),
            ..FinishedUnit::default()
        })
    };
    let all = SearchRecord::Unit(FinishedUnit {
        open: vec![open_node(1), open_node(2)],
        ..finished(15, &tasks().order(15))
    });
    let mut records = vec![iteration(14), all, searched(&[0], &[3]), iteration(15)];
    let begun = resumed(&records);
    assert_eq!(begun.lower_bound, Some(15));
    let left = begun.checkpoint.partial.unwrap().left;
    assert_eq!(left.nodes, [open_node(2), open_node(3)]);
    assert!(left.tasks.is_empty());
    // A task that is searched twice counts once.
    records.insert(3, searched(&[0], &[4]));
    records.insert(4, searched(&[1, 2], &[]));
    assert_eq!(resumed(&records).lower_bound, Some(16));
    records.push(searched(&[3], &[]));
    assert_refused(&records, "is invalid: there is no open node 3");
}

#[test]
fn records_that_no_search_leaves_are_refused() {
    let leaving = |length: u8, node: OpenNode| {
        let open = vec![node];
        let unit = FinishedUnit {
            length,
            open,
            ..FinishedUnit::default()
        };
        [iteration(length - 1), SearchRecord::Unit(unit)]
    };
    resumed(&leaving(15, node(1, 5, 4, 6)));
    for impossible in [node(1, 200, 4, 6), node(1, 5, 200, 6), node(1, 5, 4, 30)] {
        let records = leaving(15, impossible);
        assert_refused(&records, "is invalid: the open node is impossible");
    }
    let short = leaving(6, node(1, 5, 4, 1));
    let reason = "is invalid: an iteration of length 6 has no work units";
    assert_refused(&short, reason);
    let wrong = |text: &str| [SearchRecord::Solution(moves(text))];
    let reason = "is invalid: `R U` does not solve its position";
    assert_refused(&wrong("R U"), reason);
    // Errors quote little of a journal.
    assert_refused(&wrong(&"R U ".repeat(1000)), "does not solve its position");
    let (_folder, path) = journal(&[iteration(13), unit(14, &[u16::MAX])]);
    let error = state_of(&path)
        .resume(&mut tasks())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("line 3 of the journal "), "{error}");
}

#[test]
fn another_search_is_refused() {
    let (_folder, path) = journal(&[iteration(13)]);
    let other = |position: &Cube, table: TableId| {
        let opened = JournalState::open(&path, position, table);
        opened.err().unwrap()
    };
    let refused = other(&Cube::from_moves(&moves("R U")), table().id());
    assert!(
        refused.to_string().ends_with("is of another position"),
        "{refused}"
    );
    let refused = other(&position(), "htm-1.5G".parse().unwrap());
    let reason = "was started with --table htm-24M, not with --table htm-1.5G";
    assert!(refused.to_string().ends_with(reason), "{refused}");
    let _journal = open(&path).unwrap();
    assert!(matches!(refusal(&path).kind, JournalErrorKind::Locked));
}

#[test]
fn other_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let open_batch = || {
        let list = PositionList::default();
        Batch::open(list, Request::default(), true, Some(&path))
    };
    drop(open_batch().unwrap());
    let refused = refusal(&path).to_string();
    assert!(
        refused.ends_with("is a journal of a batch, not of a search"),
        "{refused}"
    );
    fs::remove_file(&path).unwrap();
    drop(open(&path).unwrap());
    let refused = open_batch().err().unwrap().to_string();
    assert!(
        refused.ends_with("is a journal of a search, not of a batch"),
        "{refused}"
    );
    fs::write(&path, "R U F\n").unwrap();
    let refused = refusal(&path).to_string();
    assert!(
        refused.ends_with("is not a journal of a search"),
        "{refused}"
    );
    let refused = refusal(folder.path()).kind;
    assert!(matches!(refused, JournalErrorKind::Io { .. }));
}
