//! Shared by several tests: a table, batches, and damage that can happen to a journal.

use cosette::cube::{Metric, Move, Sequence};
use cosette::search::SolveResult;
use cosette::table::{Table, TableId};
use cosette::{Cancel, Control, Solver, ThreadCount};
use cosette_app::batch::{Batch, BatchError, Lines, PositionList, Workers};
use cosette_app::request::Request;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A sequence of 15 moves.
pub const SCRAMBLE: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

pub fn moves(text: &str) -> Vec<Move> {
    text.parse::<Sequence>().unwrap().moves().to_vec()
}

/// The smallest table of the half-turn metric, generated once.
pub fn table() -> Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    let id = TableId {
        metric: Metric::Htm,
        size: "24M".parse().unwrap(),
    };
    let generate = || Arc::new(Table::generate(id, &Control::default()).unwrap());
    TABLE.get_or_init(generate).clone()
}

pub fn solver(threads: usize) -> Solver {
    Solver::new(table(), ThreadCount::new(threads).unwrap())
}

/// Lines of a list: positions of three to nine moves, an invalid line, and two positions that equal
/// others up to symmetry or inversion.
pub const TEXTS: [&str; 8] = [
    "R U F",
    "R U Q",
    "# comment",
    "R U R' U' F2 D L B2 R",
    "F' U' R'",
    "U2 D2 F2 B2 L2 R2",
    "L' U' F'",
    "B L2 D' R",
];

/// The entries of [`TEXTS`] that are positions, by their place in the list.
pub const POSITIONS: [usize; 6] = [0, 2, 3, 4, 5, 6];

pub fn list(texts: &[&str]) -> PositionList {
    let text = texts.join("\n");
    let lines = Lines::new(text.as_bytes()).map(Result::unwrap);
    PositionList::read(lines, &Request::default())
}

pub fn open(texts: &[&str], request: Request, journal: Option<&Path>) -> Result<Batch, BatchError> {
    Batch::open(list(texts), request, true, journal)
}

/// The results of all positions.
pub fn answers(texts: &[&str], request: Request) -> BTreeMap<usize, SolveResult> {
    solve(&mut open(texts, request, None).unwrap())
}

pub fn workers() -> Workers {
    Workers {
        solver: solver(2),
        jobs: ThreadCount::new(2).unwrap(),
    }
}

/// Solves what is to do; the answers by their place in the list.
pub fn solve(batch: &mut Batch) -> BTreeMap<usize, SolveResult> {
    let mut answers = BTreeMap::new();
    let mut on_answer = |number, answer| {
        let earlier = answers.insert(number, answer);
        assert!(earlier.is_none(), "an answer is given once");
        Ok::<_, BatchError>(())
    };
    let run = workers().run(batch, &Cancel::new(), &mut on_answer);
    run.unwrap();
    answers
}

/// A request that gives up on each position after 0.3 s.
pub fn hurried() -> Request {
    Request {
        timeout: Some(Duration::from_millis(300)),
        ..Request::default()
    }
}

/// Pseudorandom numbers.
pub fn random(seed: u64) -> impl Iterator<Item = usize> {
    let next = |state: &u64| {
        let product = state.wrapping_mul(6_364_136_223_846_793_005);
        Some(product.wrapping_add(1_442_695_040_888_963_407))
    };
    let states = std::iter::successors(Some(seed), next).skip(1);
    states.map(|state| (state >> 33) as usize)
}

/// The offset of the end of each line.
pub fn line_ends(text: &[u8]) -> Vec<usize> {
    let ends = (1..=text.len()).filter(|&end| text[end - 1] == b'\n');
    ends.collect()
}

/// Copies of a journal in which one or two lines, or a range of bytes, are deleted, altered,
/// doubled or exchanged: each with what was done to it.
pub fn damaged_copies(journal: &[u8], ranges: usize) -> Vec<(String, Vec<u8>)> {
    let lines: Vec<&[u8]> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    let mut copies = Vec::new();
    for first in 0..lines.len() {
        for second in first..lines.len() {
            let with = |change: &dyn Fn(&[u8]) -> Vec<u8>| -> Vec<u8> {
                let mut changed: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
                changed[first] = change(lines[first]);
                changed[second] = change(lines[second]);
                changed.concat()
            };
            let altered = |line: &[u8]| {
                let mut line = line.to_vec();
                let at = (31 * first + 17 * second) % (line.len() - 1);
                line[at] ^= 0x20;
                line
            };
            let mut exchanged = lines.clone();
            exchanged.swap(first, second);
            for (change, copy) in [
                ("deleted", with(&|_| Vec::new())),
                ("altered", with(&altered)),
                ("doubled", with(&|line| line.repeat(2))),
                ("exchanged", exchanged.concat()),
                (
                    "deleted with those between them",
                    [&lines[..first], &lines[second + 1..]].concat().concat(),
                ),
            ] {
                copies.push((format!("lines {first} and {second} {change}"), copy));
            }
        }
    }
    let mut random = random(3);
    let mut below = |end: usize| random.next().unwrap() % end;
    for _ in 0..ranges {
        let length = 1 + below(300);
        let start = below(journal.len());
        let end = journal.len().min(start + length);
        let other = below(journal.len());
        let range = &journal[start..end];
        for (change, changed) in [
            ("deleted", Vec::new()),
            ("altered", range.iter().map(|byte| byte ^ 1).collect()),
            ("doubled", range.repeat(2)),
            (
                "exchanged",
                journal[other..journal.len().min(other + length)].to_vec(),
            ),
        ] {
            let mut copy = journal.to_vec();
            copy.splice(start..end, changed);
            copies.push((format!("bytes {start} to {end} {change}"), copy));
        }
    }
    copies
}
