//! Writes the corpora that cannot be written by hand: journals in the format of the program,
//! without their checksums. Run it when the format changes.

use cosette::cube::{Move, parse_moves};
use cosette::search::distributed::Counts;
use cosette::search::{IterationStats, Outcome, Report};
use cosette_app::batch::{Batch, SearchedPosition};
use cosette_app::request::Request;
use cosette_app::search_journal::{FinishedUnit, JournalState, SearchRecord};
use cosette_app::solve_result::EngineInfo;
use cosette_fuzz::folder;
use cosette_fuzz::journals::{SCRAMBLE, batch_list, body, search_table, searched_position};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn corpus(target: &str, name: &str, content: &[u8]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), content).unwrap();
}

/// The bodies of a journal, one per line.
fn bodies(journal: &Path) -> Vec<u8> {
    let journal = fs::read(journal).unwrap();
    let lines = journal
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .flat_map(|line| [body(line), b"\n"].concat())
        .collect()
}

fn moves(text: &str) -> Vec<Move> {
    parse_moves(text, &Default::default())
        .unwrap()
        .moves()
        .to_vec()
}

fn batch() {
    let folder = folder();
    let path = folder.path().join("journal");
    let mut batch = Batch::open(batch_list(), Request::default(), true, Some(&path)).unwrap();
    corpus("batch_journal", "begun", &bodies(&path));
    let solution = moves("F U2 R'");
    let mut iteration = IterationStats::new(3);
    iteration.nodes = 4;
    iteration.probes = 10;
    iteration.elapsed = Duration::from_micros(7);
    let mut report = Report::new(&searched_position(), Outcome::Optimal, 3);
    report.solutions = vec![solution.clone()];
    report.best_known = Some(solution);
    report.iterations = vec![iteration];
    report.elapsed = Duration::from_micros(9);
    batch
        .record_search(
            SearchedPosition { number: 0, report },
            &EngineInfo::table(search_table()),
        )
        .unwrap();
    batch.commit().unwrap();
    corpus("batch_journal", "answered", &bodies(&path));
}

fn search() {
    let folder = folder();
    let path = folder.path().join("journal");
    let (mut journal, _) = JournalState::open(&path, &searched_position(), search_table()).unwrap();
    let solution: Vec<Move> = moves(SCRAMBLE).iter().rev().map(|&m| !m).collect();
    let longer = [moves("R2 L2 R2 L2"), solution.clone()].concat();
    let threshold = |length| {
        let mut iteration = IterationStats::new(length);
        iteration.nodes = 1000 * u64::from(length);
        iteration.probes = 7000;
        iteration.elapsed = Duration::from_millis(250);
        iteration.exhausted = true;
        SearchRecord::Iteration(iteration)
    };
    let part = |length, tasks: &[u16], solutions: Vec<Vec<Move>>| {
        SearchRecord::Unit(FinishedUnit {
            length,
            tasks: tasks.to_vec(),
            counts: Counts {
                nodes: 100,
                probes: 700,
            },
            priority: vec![(tasks[0], 3)],
            solutions,
            elapsed: Duration::new(1, 1),
            ..FinishedUnit::default()
        })
    };
    let records = [
        SearchRecord::Solution(longer),
        threshold(12),
        threshold(13),
        part(14, &[1, 2], vec![]),
        threshold(14),
        part(15, &[7], vec![solution]),
    ];
    for (count, record) in records.iter().enumerate() {
        journal.append(record);
        journal.commit().unwrap();
        if [0, 2, 3, 5].contains(&count) {
            let name = format!("records-{}", count + 1);
            corpus("search_journal", &name, &bodies(&path));
        }
    }
}

fn main() {
    batch();
    search();
}
