//! The library against known counts, the obvious solver, and the laws that hold on paper; its files
//! against damage.
//!
//! Here is what the tests share: the oracles, the smallest tables, a breadth-first search. Nothing
//! is fast on purpose; all of it is meant to be right at a glance.

mod distributed_parts;
mod engine;
mod examples;
mod generation;
mod goal;
mod goal_solutions;
mod group_laws;
mod notation;
mod oracles;
mod reference_solver;
mod table_files;
mod texts;
mod twophase;

use cosette::cube::{Cube, Metric, Move, random_positions};
use cosette::table::{Table, TableFolder, TableId};
use cosette::{Control, ThreadCount};
use proptest::prelude::*;
use rayon::prelude::*;
use std::fs;
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// Asserts that a `TableError` is this error of the table's file.
macro_rules! assert_file_error {
    ($error:expr, $pattern:pat $(if $guard:expr)?) => {{
        let error: cosette::table::TableError = $error;
        assert!(
            matches!(&error, cosette::table::TableError::File($pattern) $(if $guard)?),
            "{error}"
        );
    }};
}
pub(crate) use assert_file_error;

/// Any position.
pub fn positions() -> impl Strategy<Value = Cube> {
    any::<u64>().prop_map(|seed| random_positions(seed).next().unwrap())
}

/// The position that `text` shows; solved if it is empty.
pub fn position(text: &str) -> Cube {
    match text {
        "" => Cube::SOLVED,
        _ => text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}")),
    }
}

/// Two threads, which are enough to find what only several get wrong.
pub fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

/// The table of the half-turn metric of this size.
pub fn id(size: &str) -> TableId {
    TableId {
        metric: Metric::Htm,
        size: size.parse().unwrap(),
    }
}

/// The moves that cost one in `metric`: all eighteen, or the twelve quarter turns. With these alone
/// a breadth-first search gives distances, for a half turn is two quarter turns.
pub fn generators(metric: Metric) -> Vec<Move> {
    let moves = Move::ALL.into_iter();
    moves.filter(|&m| metric.cost(m) == 1).collect()
}

/// Breadth-first search that keeps each level as a sorted list: calls `visit` with the points at
/// distance 0, 1, … and `deepest` from `start`.
///
/// Moves can be undone, so a neighbor of a point at distance d is at distance d − 1, d or d + 1.
/// The next level is therefore all neighbors of this one, each once, less those in this level or in
/// the one before.
pub fn levels<P, N>(
    start: P,
    deepest: usize,
    neighbors: impl Fn(P) -> N + Sync,
    mut visit: impl FnMut(&[P]),
) where
    P: Copy + Ord + Send + Sync,
    N: IntoIterator<Item = P>,
{
    let mut before = Vec::new();
    let mut level = vec![start];
    visit(&level);
    for _ in 0..deepest {
        let is_new = |p: &P| level.binary_search(p).is_err() && before.binary_search(p).is_err();
        let all = level.par_iter().flat_map_iter(|&p| neighbors(p));
        let mut next: Vec<P> = all.filter(is_new).collect();
        next.par_sort_unstable();
        next.dedup();
        before = std::mem::replace(&mut level, next);
        visit(&level);
    }
}

/// The counts of the oracle `name`, from depth 0 on. Panics if there is no such file or a line is
/// neither a comment nor the next depth and its count.
pub fn known_counts(name: &str) -> Vec<u64> {
    let path = format!("{}/tests/oracles/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    let count = |(depth, row): (usize, &str)| {
        let count = row.strip_prefix(&format!("{depth} "));
        count.and_then(|count| count.parse().ok()).expect(row)
    };
    rows.enumerate().map(count).collect()
}

/// Checks `found`, counts from depth 0 on, against the first rows of the oracle `name`. Panics if
/// they differ, or if there are more than the oracle knows.
pub fn check_counts(name: &str, found: &[u64]) {
    let known = known_counts(name);
    assert_eq!(found, &known[..known.len().min(found.len())], "{name}");
}

/// The smallest table of a metric.
pub fn smallest_table(metric: Metric) -> Arc<Table> {
    static TABLES: [OnceLock<Arc<Table>>; 2] = [OnceLock::new(), OnceLock::new()];
    let id = TableId {
        metric,
        ..id("24M")
    };
    let generate = || Arc::new(Table::generate(id, &control()).unwrap());
    TABLES[metric as usize].get_or_init(generate).clone()
}

/// The file in which the smallest table of the half-turn metric is saved.
pub fn smallest_file() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let home = TempDir::new().unwrap();
        let folder = TableFolder::new(home.path());
        let table = smallest_table(Metric::Htm);
        folder.save(&table, &control()).unwrap();
        fs::read(folder.path_of(table.id())).unwrap()
    })
}
