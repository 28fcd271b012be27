//! A shared table against one of this process alone.

use super::*;
use crate::control::{Control, ThreadCount};
use crate::cube::{Metric, random_positions};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use tempfile::TempDir;

fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

fn smallest() -> TableId {
    TableId { metric: Metric::Htm, size: "24M".parse().unwrap() }
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
    let larger = SharedTable { id: TableId { size: "47M".parse().unwrap(), ..smallest() }, ..shared.clone() };
    assert!(Table::attach(&larger).is_err());
    let other_file = SharedTable {
        location: MemoryLocation { file: shared.location.file + 1, ..shared.location },
        ..shared.clone()
    };
    assert!(Table::attach(&other_file).is_err());
    let text = shared.to_string();
    for wrong in ["", "htm-24M", "htm-31M 1 2 3", &text[..text.len() - 2], &format!("{text} 1")] {
        assert!(wrong.parse::<SharedTable>().is_err(), "{wrong}");
    }
    assert_eq!(text.parse(), Ok(shared));
}
