//! The library against known counts, the obvious solver, and the laws that hold on paper; its files
//! against damage.
//!
//! Here is what the tests share: the oracles, the smallest tables, a breadth-first search, moves as
//! text. Nothing is fast on purpose; all of it is meant to be right at a glance.

mod distributed_parts;
mod engine;
mod examples;
mod formats;
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
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// Asserts that a `TableError` is this error of the table's file.
macro_rules! assert_file_error {
    ($error:expr, $pattern:pat $(if $guard:expr)?) => {{
        let error: cosette::table::TableError = $error;
        let is_expected = matches!(&error, cosette::table::TableError::File($pattern) $(if $guard)?);
        assert!(is_expected, "{error}");
    }};
}
pub(crate) use assert_file_error;

/// Any position.
pub fn positions() -> impl Strategy<Value = Cube> {
    any::<u64>().prop_map(|seed| random_positions(seed).next().unwrap())
}

/// Two threads, which are enough to find what only several get wrong.
pub fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

/// Makes the checksum of a changed header of a table file right again.
pub fn sign_header(bytes: &mut [u8]) {
    const CHECKSUM_AT: usize = 4096 - 8;
    let checksum = xxh3_64(&bytes[..CHECKSUM_AT]);
    bytes[CHECKSUM_AT..][..8].copy_from_slice(&checksum.to_le_bytes());
}

/// The moves that cost one in `metric`: all eighteen, or the twelve quarter turns. With these alone
/// a breadth-first search gives distances, for a half turn is two quarter turns.
pub fn generators(metric: Metric) -> Vec<Move> {
    Move::ALL
        .into_iter()
        .filter(|&m| metric.cost(m) == 1)
        .collect()
}

/// The moves written in `text`, as in `R U2 F'`. Panics if a word is not a move.
pub fn moves(text: &str) -> Vec<Move> {
    let read = |word: &str| Move::ALL.into_iter().find(|m| m.to_string() == word);
    text.split_whitespace()
        .map(|word| read(word).unwrap_or_else(|| panic!("{word} is not a move")))
        .collect()
}

/// The position after the moves written in `text`.
pub fn position(text: &str) -> Cube {
    Cube::from_moves(&moves(text))
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
    for depth in 0..=deepest {
        visit(&level);
        if depth < deepest {
            let is_new =
                |p: &P| level.binary_search(p).is_err() && before.binary_search(p).is_err();
            let mut next: Vec<P> = level
                .par_iter()
                .flat_map_iter(|&p| neighbors(p))
                .filter(is_new)
                .collect();
            next.par_sort_unstable();
            next.dedup();
            before = std::mem::replace(&mut level, next);
        }
    }
}

/// The counts of the oracle `name`, from depth 0 on. Panics if there is no such file or a line is
/// neither a comment nor the next depth and its count.
pub fn known_counts(name: &str) -> Vec<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracles")
        .join(name)
        .with_extension("txt");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut counts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let row = line
            .split_once(' ')
            .and_then(|(depth, count)| Some((depth.parse().ok()?, count.parse().ok()?)));
        let (depth, count): (usize, u64) =
            row.unwrap_or_else(|| panic!("{name}: {line:?} is not a depth and a count"));
        assert_eq!(
            depth,
            counts.len(),
            "{name}: the depths must follow one another from 0"
        );
        counts.push(count);
    }
    counts
}

/// Checks `found`, counts from depth 0 on, against the first rows of the oracle `name`. Panics if
/// they differ, or if there are more than the oracle knows.
pub fn check_counts(name: &str, found: &[u64]) {
    let known = known_counts(name);
    assert!(
        found.len() <= known.len(),
        "{name} has {} rows, found {found:?}",
        known.len()
    );
    assert_eq!(found, &known[..found.len()], "{name}");
}

/// Checks `found` against all rows of the oracle `name`. Panics if they differ.
pub fn check_all_counts(name: &str, found: &[u64]) {
    assert_eq!(found, known_counts(name), "{name}");
}

/// The smallest table of a metric.
pub fn smallest_table(metric: Metric) -> Arc<Table> {
    static TABLES: [OnceLock<Arc<Table>>; 2] = [OnceLock::new(), OnceLock::new()];
    let generate = || {
        let id = TableId {
            metric,
            size: "24M".parse().unwrap(),
        };
        Arc::new(Table::generate(id, &control()).unwrap())
    };
    TABLES[metric as usize].get_or_init(generate).clone()
}

/// The file in which the smallest table of the half-turn metric is saved.
pub fn smallest_file() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let home = TempDir::new().unwrap();
        let table = smallest_table(Metric::Htm);
        let folder = TableFolder::new(home.path());
        folder.save(&table, &control()).unwrap();
        fs::read(folder.path_of(table.id())).unwrap()
    })
}
