//! Tables in storages without a path: the same bytes as files, and generation that continues from any state of them.

use crate::support::control;
use crate::support::tables::smallest_file;
use cosette::block_file::FileError;
use cosette::table::{PartialTable, Storage, Table, TableError, TableId};
use cosette::{Cancel, Metric, Progress};
use std::io;
use std::sync::RwLock;

fn smallest_id() -> TableId {
    TableId { metric: Metric::Htm, size: "24M".parse().unwrap() }
}

type Bytes = RwLock<Vec<u8>>;

/// Generates classes until there are this many, and stores them. Returns how many there are.
fn continue_until(classes: u64, id: TableId, file: &Bytes, journal: &Bytes) -> u64 {
    let mut table = PartialTable::new(id).unwrap();
    table.restore(file, journal).unwrap();
    let cancel = Cancel::new();
    let watch = |_: &str, progress: Progress| {
        if progress.done >= classes {
            cancel.cancel();
        }
    };
    match table.generate(&control().on_progress(&watch).with_cancel(&cancel)) {
        Err(TableError::Stopped { kept, .. }) => assert_eq!(kept, table.progress()),
        other => panic!("{other:?}"),
    }
    table.store(file, journal).unwrap();
    table.progress().done
}

#[test]
fn what_is_stored_is_the_file_to_the_byte() {
    let (id, expected) = (smallest_id(), smallest_file());
    let (file, journal) = (Bytes::default(), Bytes::default());
    assert!(matches!(Table::load_from(id, &file, &control()), Err(TableError::File(FileError::NotFound { .. }))));
    let kept = continue_until(500, id, &file, &journal);
    assert!(kept < 3000, "{kept}");
    assert!(Table::load_from(id, &file, &control()).is_err(), "without its header it is no table");
    // One class is damaged, another one's record.
    let mut damaged = file.read().unwrap().clone();
    let at = damaged.len() - 1;
    damaged[at] ^= 1;
    *file.write().unwrap() = damaged;
    journal.write().unwrap()[4096] ^= 1;
    let mut table = PartialTable::new(id).unwrap();
    table.restore(&file, &journal).unwrap();
    let restored = table.progress().done;
    assert!((kept - 2..kept).contains(&restored), "{restored} of {kept}");
    table.generate(&control()).unwrap();
    table.store(&file, &journal).unwrap();
    table.complete(&file, &journal, &control()).unwrap();
    let table = table.into_table();
    assert!(*file.read().unwrap() == *expected, "the file is another one");

    let loaded = Table::load_from(id, &file, &control()).unwrap();
    assert_eq!(loaded.distribution(), table.distribution());
    Table::verify_in(id, &file, &control()).unwrap();
    let copy = Bytes::new(b"something else".to_vec());
    loaded.store_in(&copy, &control()).unwrap();
    assert!(*copy.read().unwrap() == *expected, "the copy is another one");

    copy.write().unwrap()[1 << 20] ^= 1;
    let damaged = Table::load_from(id, &copy, &control()).map(drop).unwrap_err();
    assert!(matches!(damaged, TableError::File(FileError::DamagedBlock { block: 0, .. })), "{damaged}");
}

#[test]
fn storages_of_something_else_are_overwritten() {
    let id = smallest_id();
    let (file, journal) = (Bytes::new(vec![7; 10_000]), Bytes::new(vec![7; 10_000]));
    let mut table = PartialTable::new(id).unwrap();
    table.restore(&file, &journal).unwrap();
    assert_eq!(table.progress().done, 0);
    let kept = continue_until(10, id, &file, &journal);
    table.restore(&file, &journal).unwrap();
    assert_eq!(table.progress().done, kept);
}

/// A storage that is full, or gone.
struct Refusing;

impl Storage for Refusing {
    fn length(&self) -> io::Result<u64> {
        Ok(0)
    }

    fn set_length(&self, _: u64) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn read_exact_at(&self, bytes: &mut [u8], _: u64) -> io::Result<()> {
        if bytes.is_empty() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_table_that_cannot_be_stored_can_be_used() {
    let mut table = PartialTable::new(smallest_id()).unwrap();
    let refused = table.restore(&Refusing, &Refusing).unwrap_err();
    assert!(matches!(refused, TableError::File(FileError::Io { action: "write", .. })), "{refused}");
    table.generate(&control()).unwrap();
    assert!(table.store(&Refusing, &Refusing).is_err());
    assert_eq!(table.into_table().id(), smallest_id());
}
