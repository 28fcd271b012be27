//! Records: read back as they were written, torn, damaged and refused.

use super::support::{SCRAMBLE, moves, position, table_id, tasks};
use crate::support::damaged_copies;
use cosette::cube::{Cube, inverse};
use cosette::search::IterationStats;
use cosette::search::distributed::{Counts, OpenNode};
use cosette_app::batch::{Batch, PositionList};
use cosette_app::journal::{JournalError, JournalErrorKind};
use cosette_app::request::Request;
use cosette_app::search_journal::{FinishedUnit, JournalState, SearchJournal, SearchRecord};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

fn open(path: &Path) -> Result<(SearchJournal, JournalState), JournalError> {
    SearchJournal::open(path, &position(), table_id("24M"))
}

fn refusal(path: &Path) -> JournalError {
    open(path).err().expect("it is refused")
}

fn threshold(length: u8) -> SearchRecord {
    let (nodes, probes, elapsed) = (1000 * u64::from(length), 7000, Duration::from_millis(250));
    SearchRecord::Iteration(IterationStats {
        length,
        nodes,
        probes,
        elapsed,
        exhausted: true,
    })
}

fn part(length: u8, tasks: &[u16]) -> SearchRecord {
    let counts = Counts {
        nodes: 100,
        probes: 700,
    };
    let priority = tasks
        .iter()
        .map(|&task| (task, 1 + u64::from(task)))
        .collect();
    let elapsed = Duration::new(tasks.len() as u64, 1);
    SearchRecord::Unit(FinishedUnit {
        length,
        tasks: tasks.to_vec(),
        counts,
        priority,
        elapsed,
        ..FinishedUnit::default()
    })
}

fn solution() -> SearchRecord {
    SearchRecord::Solution(inverse(&moves(SCRAMBLE)))
}

/// A journal in a folder of its own, each of these records committed.
fn journal(records: &[SearchRecord]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    assert!(open(&path).unwrap().1.is_new());
    records
        .iter()
        .for_each(|record| append(&path, std::slice::from_ref(record)));
    (folder, path)
}

/// Adds records in one commit.
fn append(path: &Path, records: &[SearchRecord]) {
    let (mut journal, _) = open(path).unwrap();
    records.iter().for_each(|record| journal.append(record));
    journal.commit().unwrap();
}

/// Why these records are refused.
fn recorded_error(records: &[SearchRecord]) -> JournalError {
    let (_folder, path) = journal(&[]);
    append(&path, records);
    refusal(&path)
}

fn recorded(records: &[SearchRecord]) -> JournalState {
    let (_folder, path) = journal(records);
    let (_journal, recorded) = open(&path).unwrap();
    recorded
}

#[test]
fn a_search_continues_where_its_records_say() {
    let longer = [moves("R2 L2 R2 L2"), inverse(&moves(SCRAMBLE))].concat();
    let mut of_17 = tasks().order(17);
    of_17.sort_unstable();
    let records = [
        SearchRecord::Solution(longer.clone()),
        threshold(16),
        part(17, &of_17[..5]),
        part(17, &of_17[5..]),
        threshold(17),
        part(18, &[7, 2]),
        // A task that is searched twice counts once.
        part(18, &[2, 3]),
        part(18, &[3]),
    ];
    let recorded = recorded(&records);
    assert!(!recorded.is_new());
    let mut tasks = tasks();
    let resumed = recorded.resume(&mut tasks).unwrap();
    assert_eq!(resumed.lower_bound, Some(18));
    assert!(
        resumed
            .to_string()
            .starts_with("2 iterations complete, lower bound 18, "),
        "{resumed}"
    );
    let checkpoint = resumed.checkpoint;
    assert_eq!(checkpoint.solutions, [longer]);
    assert_eq!(
        checkpoint
            .iterations
            .iter()
            .map(|threshold| threshold.nodes)
            .collect::<Vec<_>>(),
        [16_000, 17_000]
    );
    let sum_17 = of_17.iter().map(|&task| 1 + u64::from(task)).sum::<u64>();
    assert_eq!(
        (
            checkpoint.priority.len(),
            checkpoint.priority.iter().sum::<u64>()
        ),
        (tasks.count(), sum_17)
    );
    let partial = checkpoint.partial.unwrap();
    assert_eq!(
        (partial.counts, partial.elapsed),
        (
            Counts {
                nodes: 200,
                probes: 1400
            },
            Duration::new(2, 1)
        )
    );
    assert_eq!(
        (
            partial.priority[2],
            partial.priority[3],
            partial.priority[7]
        ),
        (3, 4, 8)
    );
    // Those with the most priority come first.
    let order = tasks.order(18);
    assert_eq!(order[..2], [of_17[of_17.len() - 1], of_17[of_17.len() - 2]]);
    let left: Vec<u16> = order
        .into_iter()
        .filter(|task| ![7, 2, 3].contains(task))
        .collect();
    assert_eq!(partial.left.tasks, left);
}

#[test]
fn an_iteration_with_a_solution_of_its_length_is_not_complete() {
    let found = SearchRecord::Unit(FinishedUnit {
        solutions: vec![inverse(&moves(SCRAMBLE))],
        tasks: vec![1],
        length: 15,
        ..FinishedUnit::default()
    });
    let resumed = recorded(&[threshold(13), threshold(14), found, threshold(15)])
        .resume(&mut tasks())
        .unwrap();
    assert_eq!(resumed.lower_bound, Some(15));
    assert!(resumed.checkpoint.partial.is_some());
    assert_eq!(resumed.checkpoint.iterations.len(), 2);
}

#[test]
fn an_interrupted_iteration_is_not_recorded() {
    let SearchRecord::Iteration(complete) = threshold(14) else {
        unreachable!()
    };
    assert!(
        recorded(&[SearchRecord::Iteration(IterationStats {
            exhausted: false,
            ..complete
        })])
        .is_new()
    );
}

#[test]
fn moves_are_written_as_people_write_them() {
    let (_folder, path) = journal(&[solution()]);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains(r#""record":{"solution":"F' R2 U2 B' D "#),
        "{text}"
    );
    for line in text.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).unwrap()["body"].is_object());
    }
}

#[test]
fn a_commit_torn_at_any_byte_is_cut_off() {
    let before = [solution(), threshold(13)];
    let last = [part(14, &[1, 2]), part(14, &[3]), threshold(14)];
    let (_folder, path) = journal(&before);
    let start = fs::metadata(&path).unwrap().len() as usize;
    // The expected content after each record of the last commit.
    let mut expected = vec![open(&path).unwrap().1];
    for count in 1..=last.len() {
        fs::write(&path, &fs::read(&path).unwrap()[..start]).unwrap();
        append(&path, &last[..count]);
        expected.push(open(&path).unwrap().1);
    }
    let bytes = fs::read(&path).unwrap();
    for length in start..=bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let whole = bytes[start..length]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        assert_eq!(
            open(&path).unwrap().1,
            expected[whole],
            "cut to {length} bytes"
        );
        if length % 16 == 0 {
            append(&path, &last[whole..]);
            assert_eq!(
                open(&path).unwrap().1,
                expected[last.len()],
                "cut to {length} bytes"
            );
        }
    }
}

#[test]
fn a_line_damaged_later_is_refused_with_its_number() {
    let (_folder, path) = journal(&[threshold(12), threshold(13), threshold(14)]);
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    for line in [1, 2, 3] {
        let mut damaged = bytes.clone();
        damaged[ends[line - 1] - 5] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let refused = refusal(&path);
        assert!(
            matches!(refused.kind, JournalErrorKind::Damaged { line: found, .. } if found == line),
            "{refused}"
        );
        // The file is not changed.
        assert_eq!(fs::read(&path).unwrap(), damaged);
    }
    // Without that line, the next one is not intact either. Cut off there, it is the journal that
    // it was then.
    fs::write(&path, [&bytes[..=ends[1]], &bytes[ends[2] + 1..]].concat()).unwrap();
    append(&path, &[]);
    fs::write(&path, &bytes[..=ends[1]]).unwrap();
    assert!(open(&path).is_ok());
}

#[test]
fn no_damage_makes_a_journal_say_anything_that_it_did_not_say_once() {
    let found = SearchRecord::Unit(FinishedUnit {
        solutions: vec![inverse(&moves(SCRAMBLE))],
        ..match part(15, &[4]) {
            SearchRecord::Unit(part) => part,
            _ => unreachable!(),
        }
    });
    let records = [
        threshold(12),
        threshold(13),
        part(14, &[1, 2]),
        part(14, &[3]),
        threshold(14),
        part(15, &[3]),
        found,
        part(15, &[5]),
        threshold(15),
    ];
    let (_folder, path) = journal(&records);
    let bytes = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').collect();
    let content = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        open(&path).map(|(_, recorded)| recorded)
    };
    let once: Vec<JournalState> = ends
        .iter()
        .map(|&end| content(&bytes[..=end]).unwrap())
        .collect();
    let (mut read, mut refused) = (0, 0);
    for (damage, copy) in damaged_copies(&bytes, 100) {
        match content(&copy) {
            Ok(recorded) => {
                read += 1;
                assert!(once.contains(&recorded), "{damage}");
            }
            Err(JournalError {
                kind: JournalErrorKind::Damaged { line, offset },
                ..
            }) => {
                refused += 1;
                // As the advice is: what remains can be continued.
                assert!(
                    line == 1 || once.contains(&content(&copy[..offset as usize]).unwrap()),
                    "{damage}"
                );
            }
            Err(JournalError {
                kind: JournalErrorKind::NotAJournal | JournalErrorKind::Mismatch { .. },
                ..
            }) => refused += 1,
            Err(error) => panic!("{damage}: {error}"),
        }
    }
    assert!(read > 50 && refused > 400, "{read} read, {refused} refused");
}

#[test]
fn a_threshold_counts_only_with_all_its_parts_and_after_all_before_it() {
    let resumed = |records: &[SearchRecord]| recorded(records).resume(&mut tasks()).unwrap();
    let all_of_15 = part(15, &tasks().order(15));
    assert_eq!(
        resumed(&[threshold(14), all_of_15, threshold(15)]).lower_bound,
        Some(16)
    );
    assert_eq!(
        resumed(&[threshold(14), part(15, &[1, 2]), threshold(15)]).lower_bound,
        Some(15)
    );
    assert_eq!(
        resumed(&[threshold(13), threshold(15)]).lower_bound,
        Some(14)
    );
}

#[test]
fn open_nodes_are_left_until_they_are_searched() {
    let node = |task: u16| -> OpenNode {
        let text =
            format!(r#"{{"task":{task},"remaining":5,"bounds":[3,4],"last":[0,0],"path":[2]}}"#);
        serde_json::from_str(&text).unwrap()
    };
    let searched = |nodes: &[usize], open: &[u16]| {
        let nodes = nodes.to_vec();
        let open = open.iter().map(|&task| node(task)).collect();
        SearchRecord::Unit(FinishedUnit {
            length: 15,
            nodes,
            open,
            ..FinishedUnit::default()
        })
    };
    let SearchRecord::Unit(all) = part(15, &tasks().order(15)) else {
        unreachable!()
    };
    let all = SearchRecord::Unit(FinishedUnit {
        open: vec![node(1), node(2)],
        ..all
    });
    let mut records = vec![threshold(14), all, searched(&[0], &[3]), threshold(15)];
    let resumed = recorded(&records).resume(&mut tasks()).unwrap();
    assert_eq!(resumed.lower_bound, Some(15));
    let left = resumed.checkpoint.partial.unwrap().left;
    assert_eq!((left.nodes, left.tasks.len()), (vec![node(2), node(3)], 0));
    // What is searched twice counts once.
    records.insert(3, searched(&[0], &[4]));
    records.insert(4, searched(&[1, 2], &[]));
    assert_eq!(
        recorded(&records).resume(&mut tasks()).unwrap().lower_bound,
        Some(16)
    );
    records.push(searched(&[3], &[]));
    let refused = recorded_error(&records);
    assert!(
        refused
            .to_string()
            .ends_with("is invalid: there is no open node 3"),
        "{refused}"
    );
}

#[test]
fn parts_that_no_search_leaves_are_refused() {
    let leaving = |length: u8, remaining: u8, bound: u8, path: usize| {
        let node = json!({"task": 1, "remaining": remaining, "bounds": [3, bound], "last": [0, 0], "path": vec![2; path]});
        let open = vec![serde_json::from_value(node).unwrap()];
        [
            threshold(length - 1),
            SearchRecord::Unit(FinishedUnit {
                length,
                open,
                ..FinishedUnit::default()
            }),
        ]
    };
    assert!(!recorded(&leaving(15, 5, 4, 6)).is_new());
    for impossible in [
        leaving(15, 200, 4, 6),
        leaving(15, 5, 200, 6),
        leaving(15, 5, 4, 30),
    ] {
        let refused = recorded_error(&impossible);
        assert!(
            refused
                .to_string()
                .ends_with("is invalid: the open node is impossible"),
            "{refused}"
        );
    }
    let refused = recorded_error(&leaving(6, 5, 4, 1));
    assert!(
        refused
            .to_string()
            .ends_with("is invalid: an iteration of length 6 has no work units"),
        "{refused}"
    );
}

#[test]
fn errors_quote_little_of_a_journal() {
    let (_folder, path) = journal(&[]);
    let refused = recorded_error(&[SearchRecord::Solution(moves("R U").repeat(1000))]);
    assert!(refused.to_string().len() < 400, "{refused}");
    // A head with a checksum that fits, of another position.
    let head = format!(
        r#"{{"journal":6,"kind":"search","settings":{{"position":"{}","table":"htm-24M"}}}}"#,
        "U".repeat(1000)
    );
    let check = xxhash_rust::xxh3::xxh3_64_with_seed(head.as_bytes(), 0);
    fs::write(
        &path,
        format!("{{\"check\":\"{check:016x}\",\"body\":{head}}}\n"),
    )
    .unwrap();
    let refused = refusal(&path);
    assert!(
        matches!(&refused.kind, JournalErrorKind::Mismatch { setting, .. } if setting == "position"),
        "{refused}"
    );
    assert!(refused.to_string().len() < 500, "{refused}");
}

#[test]
fn another_search_is_refused() {
    let (_folder, path) = journal(&[threshold(13)]);
    let other = SearchJournal::open(&path, &Cube::from_moves(&moves("R U")), table_id("24M"))
        .err()
        .unwrap();
    assert!(
        matches!(&other.kind, JournalErrorKind::Mismatch { setting, .. } if setting == "position"),
        "{other}"
    );
    let other = SearchJournal::open(&path, &position(), table_id("1.5G"))
        .err()
        .unwrap();
    assert!(
        other
            .to_string()
            .ends_with("was started with --table htm-24M, not with --table htm-1.5G"),
        "{other}"
    );
    assert!(matches!(
        &other.kind,
        JournalErrorKind::Mismatch { setting, found, .. }
            if setting == "table" && found == "htm-24M"
    ));
    let (_journal, _) = open(&path).unwrap();
    assert!(matches!(refusal(&path).kind, JournalErrorKind::Locked));
}

#[test]
fn other_files_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    drop(
        Batch::open(
            PositionList::default(),
            Request::default(),
            true,
            Some(&path),
        )
        .unwrap(),
    );
    let refused = refusal(&path).to_string();
    assert!(
        refused.ends_with("is a journal of a batch, not of a search"),
        "{refused}"
    );
    fs::remove_file(&path).unwrap();
    drop(open(&path).unwrap());
    let refused = Batch::open(
        PositionList::default(),
        Request::default(),
        true,
        Some(&path),
    )
    .err()
    .unwrap()
    .to_string();
    assert!(
        refused.ends_with("is a journal of a search, not of a batch"),
        "{refused}"
    );
    fs::write(&path, "R U F\n").unwrap();
    assert!(
        refusal(&path)
            .to_string()
            .ends_with("is not a journal of a search")
    );
    assert!(matches!(
        refusal(folder.path()).kind,
        JournalErrorKind::Io { .. }
    ));
}

#[test]
fn what_cannot_be_of_this_search_is_refused() {
    let (_folder, path) = journal(&[threshold(13), SearchRecord::Solution(moves("R U"))]);
    let refused = refusal(&path);
    assert!(
        matches!(&refused.kind, JournalErrorKind::Invalid { place, .. } if place == "line 3"),
        "{refused}"
    );
    assert!(
        refused
            .to_string()
            .ends_with("is invalid: `R U` does not solve its position"),
        "{refused}"
    );
    let refused = recorded(&[threshold(13), part(14, &[u16::MAX])])
        .resume(&mut tasks())
        .unwrap_err();
    assert!(
        matches!(&refused.kind, JournalErrorKind::Invalid { place, .. } if place == "line 3"),
        "{refused}"
    );
}
