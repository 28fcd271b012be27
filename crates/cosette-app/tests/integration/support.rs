//! What all tests share: a table, and what can happen to a journal.

use cosette::Control;
use cosette::cube::Metric;
use cosette::table::{Table, TableId};
use std::sync::{Arc, OnceLock};

/// The smallest table of the half-turn metric, generated once.
pub fn table() -> Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    let id = TableId {
        metric: Metric::Htm,
        size: "24M".parse().unwrap(),
    };
    TABLE
        .get_or_init(|| Arc::new(Table::generate(id, &Control::default()).unwrap()))
        .clone()
}

/// Pseudorandom numbers.
pub fn random(seed: u64) -> impl Iterator<Item = usize> {
    let next = |state: &u64| {
        Some(
            state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        )
    };
    std::iter::successors(Some(seed), next)
        .skip(1)
        .map(|state| (state >> 33) as usize)
}

/// Copies of a journal in which one or two lines, or a range of bytes, are deleted, altered,
/// doubled or exchanged: each with what was done to it.
pub fn damaged_copies(journal: &[u8], ranges: usize) -> Vec<(String, Vec<u8>)> {
    let lines: Vec<&[u8]> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    let mut copies = Vec::new();
    let altered = |line: &[u8], at: usize| {
        let mut line = line.to_vec();
        let at = at % (line.len() - 1);
        line[at] ^= 0x20;
        line
    };
    for first in 0..lines.len() {
        for second in first..lines.len() {
            let with = |change: &dyn Fn(usize, &[u8]) -> Vec<u8>| -> Vec<u8> {
                let line = |(number, line): (usize, &&[u8])| {
                    if number == first || number == second {
                        change(number, line)
                    } else {
                        line.to_vec()
                    }
                };
                lines.iter().enumerate().flat_map(line).collect()
            };
            let other = |number| lines[if number == first { second } else { first }];
            let at = 31 * first + 17 * second;
            copies.push((
                format!("lines {first} and {second} deleted"),
                with(&|_, _| Vec::new()),
            ));
            copies.push((
                format!("lines {first} and {second} altered"),
                with(&|_, line| altered(line, at)),
            ));
            copies.push((
                format!("lines {first} and {second} doubled"),
                with(&|_, line| line.repeat(2)),
            ));
            copies.push((
                format!("lines {first} and {second} exchanged"),
                with(&|number, _| other(number).to_vec()),
            ));
            let between = [&lines[..first], &lines[second + 1..]].concat().concat();
            copies.push((format!("lines {first} to {second} deleted"), between));
        }
    }
    let mut random = random(3);
    let mut below = |end: usize| random.next().unwrap() % end;
    for _ in 0..ranges {
        let (start, length) = (below(journal.len()), 1 + below(300));
        let end = journal.len().min(start + length);
        let (before, range, after) = (&journal[..start], &journal[start..end], &journal[end..]);
        let other = below(journal.len());
        let (altered, copied) = (
            range.iter().map(|byte| byte ^ 1).collect::<Vec<u8>>(),
            &journal[other..journal.len().min(other + length)],
        );
        for (name, changed) in [
            ("deleted", vec![]),
            ("altered", altered),
            ("doubled", range.repeat(2)),
            ("exchanged", copied.to_vec()),
        ] {
            copies.push((
                format!("bytes {start} to {end} {name}"),
                [before, &changed, after].concat(),
            ));
        }
    }
    copies
}
