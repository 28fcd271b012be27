//! The stored backward space as an experiment.

use super::kept::{Kept, cell};
use super::{experiment, printed};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Layout, StoredSpace};
use crate::lee::{MAX_DEPTH, WITHIN};
use std::time::Instant;

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-space.txt");

/// The stored backward space: its size, level by level, and what building it takes. With full effort it is built to seven
/// moves, and stays in the lab's folder.
pub fn space(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-space", RESULTS)?;
    if kept.is_open() {
        build(lab, &kept, 7)?;
    }
    Ok(experiment("space", "The stored backward space", "Lee 2013, Tables I and II")
        .text(kept.circumstances())
        .tables([both_sides(), sizes(lab)?, building(&kept)]))
}

/// The positions within 16 to 20 moves. Only those within 20 are counted exactly; the others are sums of cube20.org's
/// 1.1, 12, 29 and 1.5 · 10¹⁸.
const FAR: [f64; 4] = [1.2e18, 1.32e19, 4.22e19, 4.32e19];
/// All positions: 8! · 3⁷ · 12! / 2 · 2¹¹.
const ALL: u128 = 43_252_003_274_489_856_000;

/// Table II.
fn both_sides() -> Table {
    let columns = "d_back | stored, paper | ours | ratio | forward depth | forward positions, paper | ours";
    let mut table =
        Table::headed("Table II: positions within d_back moves of solved, and within 20 − d_back.", columns);
    for (d_back, rest) in (0..=10).map(|d_back| (d_back, 20 - d_back)) {
        let key = format!("II {d_back}");
        let stored: u64 = printed().value(&key, 0).expect("eleven rows are printed");
        table.row([
            Cell::Count(d_back as u64),
            Cell::Count(stored),
            Cell::Count(WITHIN[d_back]),
            Cell::ratio(WITHIN[d_back] as f64, stored as f64),
            Cell::Count(rest as u64),
            printed().value(&key, 1).map_or(Cell::Nothing, Cell::Text),
            match (WITHIN.get(rest), rest) {
                (Some(&within), _) => Cell::Count(within),
                (None, 20) => Cell::Large(ALL),
                _ => Cell::Estimate(FAR[rest - 16]),
            },
        ]);
    }
    table
}

/// The bytes of the backward space.
fn sizes(lab: &Lab<'_>) -> Result<Table, LabError> {
    /// Symmetry classes on the levels (OEIS A080583); the first are counted.
    const CLASSES: [u64; 11] = [1, 2, 9, 75, 934, 12_077, 159_131, 2_101_575, 27_762_103, 366_611_212, 4_838_564_147];
    debug_assert_eq!(Perimeter::new(6, lab)?.counts(), &CLASSES[..7]);
    let columns = "d_back | paper, 40 bytes a position | ours, 40 bytes | ratio | ours, 9 bytes | symmetry classes | \
                   ours, 8 bytes a class | filter, 9 bits a class";
    let mut table = Table::headed("Megabytes of the positions within d_back moves.", columns);
    let megabytes = |bytes: f64| {
        if bytes < 1e8 { Cell::Number(bytes / 1e6, 2) } else { Cell::Count((bytes / 1e6).round() as u64) }
    };
    for d_back in 5..CLASSES.len() {
        let classes: u64 = CLASSES[..=d_back].iter().sum();
        let paper = printed().number(&format!("bytes {d_back}"), 0);
        let bytes = (40 * WITHIN[d_back]) as f64;
        table.row([
            Cell::Count(d_back as u64),
            paper.map_or(Cell::Nothing, |megabytes| Cell::Count(f64::round(megabytes) as u64)),
            megabytes(bytes),
            paper.map_or(Cell::Nothing, |megabytes| Cell::ratio(bytes / 1e6, megabytes)),
            megabytes((9 * WITHIN[d_back]) as f64),
            Cell::Count(classes),
            megabytes(8.0 * classes as f64),
            megabytes(9.0 / 8.0 * classes as f64),
        ]);
    }
    Ok(table)
}

/// What building it took.
fn building(kept: &Kept) -> Table {
    let columns = "positions within 7 moves | bytes a position* | bytes* | seconds to build* | seconds to check*";
    let mut table = kept.table("Building the positions within 7 moves, the files with checksums.", columns);
    for (what, values) in kept.all("") {
        let name = what.split_once(' ').map_or(what.as_str(), |(_, name)| name);
        table.row(std::iter::once(Cell::text(name)).chain(values.iter().map(|value| cell(value))));
    }
    table
}

/// Builds the space, in both layouts.
fn build(lab: &Lab<'_>, kept: &Kept, depth: u8) -> Result<(), LabError> {
    debug_assert!(depth <= MAX_DEPTH);
    let (path, paper_path) =
        (StoredSpace::path_in(lab, depth), lab.folder.path().join(format!("lee-space-{depth}-paper")));
    let start = Instant::now();
    let classes = Perimeter::new(depth, lab)?;
    let classing = start.elapsed().as_secs_f64();
    for (number, layout, path) in [(1, Layout::Compact, &path), (2, Layout::Paper, &paper_path)] {
        let key = format!("{number} {}", layout.name());
        if kept.get(&key).is_some() {
            continue;
        }
        let what = format!("storing the positions within {depth} moves, {} bytes each", layout.bytes());
        let start = Instant::now();
        let space = StoredSpace::build(path, depth, layout, &lab.control.step(&what));
        if layout == Layout::Paper && space.is_err() {
            // It is not needed again.
            StoredSpace::remove(path)?;
        }
        let (space, seconds) = (space?, start.elapsed().as_secs_f64());
        let start = Instant::now();
        space.verify(&lab.control.silent())?;
        let checking = start.elapsed().as_secs_f64();
        let bytes = StoredSpace::file_size(depth, layout);
        kept.add(&key, &[&layout.bytes(), &bytes, &format!("{seconds:.1}"), &format!("{checking:.1}")])?;
    }
    StoredSpace::remove(&paper_path)?;
    let each = format!("{:.2}", classes.bytes() as f64 / StoredSpace::level(depth).end as f64);
    kept.add("3 classes, in memory", &[&each, &classes.bytes(), &format!("{classing:.1}"), &"-"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn both_layouts_are_built_and_the_paper_s_is_removed() {
        in_empty_lab(|lab| {
            let kept = Kept::read("");
            build(lab, &kept, 4).unwrap();
            assert_eq!(building(&kept).rows.len(), 3);
            assert_eq!(std::fs::read_dir(lab.folder.path()).unwrap().count(), 1);
        });
    }

    /// The one digit of Table II that differs.
    #[test]
    fn the_paper_s_forward_column() {
        let stored = |d_back: usize| printed().value(&format!("II {d_back}"), 0);
        let forward = |d_back: usize| printed().value::<String>(&format!("II {d_back}"), 1).unwrap().replace(',', "");
        assert_eq!(forward(5).parse::<u64>().unwrap() - WITHIN[15], 8);
        assert!((6..=10).all(|d_back| forward(d_back) == WITHIN[20 - d_back].to_string()));
        assert!((0..=10).all(|d_back| stored(d_back) == Some(WITHIN[d_back])));
    }
}
