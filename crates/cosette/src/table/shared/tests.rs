//! A shared table against one of this process alone.

use super::*;
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::{Cube, Metric, random_positions};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use tempfile::TempDir;

fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

fn smallest() -> TableId {
    TableId { metric: Metric::Htm, size: "30M".parse().unwrap() }
}

/// A folder with the smallest table.
fn folder() -> &'static TableFolder {
    static FOLDER: OnceLock<(TempDir, TableFolder)> = OnceLock::new();
    let make = || {
        let directory = TempDir::new().unwrap();
        let folder = TableFolder::new(directory.path());
        folder.generate(smallest(), &control()).unwrap();
        (directory, folder)
    };
    &FOLDER.get_or_init(make).1
}

fn load_shared(pages: Pages) -> Table {
    folder().load_in(pages, smallest(), &control()).unwrap()
}

fn assert_same(one: &Table, other: &Table) {
    assert!(one.memory[..] == other.memory[..]);
    assert_eq!((one.id(), one.distribution()), (other.id(), other.distribution()));
    for cube in random_positions(3).take(100) {
        assert_eq!(one.bound(&cube), other.bound(&cube));
    }
}

#[test]
fn a_shared_table_is_the_same_table() {
    let own = folder().load(smallest(), &control()).unwrap();
    assert_eq!(own.shared(), None);
    for first in Pages::ALL.map(load_shared) {
        assert_same(&own, &first);
        let text = first.shared().unwrap().to_string();
        let second = Table::attach(&text.parse().unwrap()).unwrap();
        // The memory stays when the first user has gone.
        drop(first);
        assert_same(&own, &second);
        let gone = Table::attach(&text.parse().unwrap()).err().unwrap();
        assert!(matches!(gone, TableError::NotShared { action: "open", .. }), "{gone}");
    }
    let copy = own.into_shared().unwrap();
    assert_same(&copy, &load_shared(Pages::Huge));
}

#[test]
fn nobody_can_write_to_a_shared_table() {
    let table = load_shared(Pages::Huge);
    let MemoryLocation { process, descriptor, .. } = table.shared().unwrap().location;
    let path = format!("/proc/{process}/fd/{descriptor}");
    let mut file = OpenOptions::new().read(true).write(true).open(path).unwrap();
    assert!(file.write(b"other").is_err());
    assert!(file.set_len(0).is_err());
    // SAFETY: the mapping would be the only one of these bytes; it is refused.
    assert!(unsafe { memmap2::MmapMut::map_mut(&file) }.is_err());
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let address = format!("{:x}-", table.memory.as_ptr() as usize);
    let line = maps.lines().find(|line| line.starts_with(&address)).expect("the table is mapped");
    assert!(line.contains(" r--s "), "{line}");
}

#[test]
fn descriptions_that_do_not_fit_are_refused() {
    let table = load_shared(Pages::Ordinary);
    let shared = table.shared().unwrap();
    // The file of another table, or one that anybody can write to.
    let larger = SharedTable { id: TableId { size: "60M".parse().unwrap(), ..smallest() }, ..shared.clone() };
    assert!(Table::attach(&larger).is_err());
    let other_file = SharedTable {
        location: MemoryLocation { file: shared.location.file + 1, ..shared.location },
        ..shared.clone()
    };
    assert!(Table::attach(&other_file).is_err());
    let text = shared.to_string();
    for wrong in ["", "htm-30M", "htm-31M 1 2 3", &text[..text.len() - 2], &format!("{text} 1")] {
        assert!(wrong.parse::<SharedTable>().is_err(), "{wrong}");
    }
    assert_eq!(text.parse(), Ok(shared));
}

/// Not for everyday runs: `COSETTE_TABLES=DIR cargo test --release -p cosette --lib -- --ignored --nocapture
/// ways_to_lie_in_memory`, with htm-2G in that folder. Medians, the ways in turns: nanoseconds of a thread for a random
/// line, and seconds of one thread for a random position of length 17.
#[test]
#[ignore = "measures; needs a table of 2 GB"]
fn ways_to_lie_in_memory() {
    use crate::kernel::Hint;
    use crate::search::Solver;
    use crate::table::random_lines::Access;
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    const ROUNDS: usize = 7;

    let folder = TableFolder::new(std::env::var_os("COSETTE_TABLES").expect("COSETTE_TABLES names a folder"));
    let id = TableId { metric: Metric::Htm, size: "2G".parse().unwrap() };
    let cancel = Cancel::new();
    let ways = [None, Some(Pages::Huge), Some(Pages::Ordinary)].map(|pages| {
        let start = Instant::now();
        let table = match pages {
            None => folder.load(id, &control()),
            Some(pages) => folder.load_in(pages, id, &control()),
        };
        let table = Arc::new(table.unwrap());
        println!("shared {pages:?}: loaded in {:.2?}, huge {:?}", start.elapsed(), table.share_of_huge_pages());
        (table.clone(), Solver::new(table, ThreadCount::ONE))
    });
    let solve = |solver: &Solver, cube: &Cube| solver.search(cube).run();
    let cube = random_positions(17).find(|cube| solve(&ways[0].1, cube).length() == Some(17)).unwrap();
    let access = Access { in_flight: 64, hint: Hint::Near, threads: ThreadCount::ONE };
    let mut measured = [(); 3].map(|()| (Vec::new(), Vec::new()));
    for _ in 0..ROUNDS {
        for ((table, solver), (lines, solves)) in ways.iter().zip(&mut measured) {
            lines.push(table.line_rate(access, Duration::from_millis(200), &cancel).nanoseconds());
            let start = Instant::now();
            solve(solver, &cube);
            solves.push(start.elapsed().as_secs_f64());
        }
    }
    for (lines, solves) in &mut measured {
        lines.sort_by(f64::total_cmp);
        solves.sort_by(f64::total_cmp);
        println!(
            "{:.2} ns a line ({lines:.2?}), {:.3} s a solve ({solves:.3?})",
            lines[ROUNDS / 2],
            solves[ROUNDS / 2]
        );
    }
}
