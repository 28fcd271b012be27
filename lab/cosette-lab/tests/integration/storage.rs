//! Tables of the lab in files: generated once, loaded from then on, refused where they are damaged.

use cosette::block_file::{FileError, PayloadKind, numbering};
use cosette::table::{TableError, TableFolder};
use cosette::{Control, Remedy, TableFile, ThreadCount};
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lab::{Lab, LabTable};
use cosette_lab::packed::{FourBits, PackedDistances};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tempfile::TempDir;

/// A table that counts how often it is generated.
#[derive(Default)]
struct Squares {
    generations: AtomicUsize,
}

const ENTRIES: usize = 12_345;

fn distance(index: usize) -> u8 {
    (index * index % 13) as u8
}

impl PayloadKind for Squares {
    fn name(&self) -> String {
        "squares".into()
    }

    fn bytes(&self) -> u64 {
        FourBits::bytes(ENTRIES) as u64
    }

    fn numbering(&self) -> u64 {
        numbering(|_| 0)
    }
}

impl LabTable for Squares {
    fn generate(&self, control: &Control<'_>) -> Result<PackedDistances, LabError> {
        self.generations.fetch_add(1, Relaxed);
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let distances: Vec<u8> = (0..ENTRIES).map(distance).collect();
        control.report(1, 1);
        FourBits::pack(&distances, control)
    }
}

fn in_lab<T>(folder: &Path, work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let threads = ThreadCount::new(2).unwrap();
    work(&Lab {
        folder: &TableFolder::new(folder),
        control: Control::new(threads),
    })
}

#[track_caller]
fn is_right(packed: PackedDistances) {
    let table = FourBits::new(packed);
    assert!((0..ENTRIES).all(|index| table.get(index) == distance(index)));
    let count = |wanted: usize| {
        (0..ENTRIES)
            .filter(|&index| usize::from(distance(index)) == wanted)
            .count() as u64
    };
    assert_eq!(*table.counts(), (0..=12).map(count).collect::<Vec<u64>>());
}

#[test]
fn a_table_is_generated_once() {
    let home = TempDir::new().unwrap();
    let table = Squares::default();
    let folder = home.path().join("new/folder");
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| in_lab(&folder, |lab| is_right(lab.table(&table).unwrap())));
        }
    });
    assert_eq!(table.generations.load(Relaxed), 1);
    in_lab(&folder, |lab| lab.verify(&table)).unwrap();
    in_lab(&folder, |lab| lab.generate(&table)).unwrap();
    assert_eq!(table.generations.into_inner(), 2);
    assert_eq!(folder.read_dir().unwrap().count(), 1);
}

#[test]
fn a_damaged_table_is_refused_with_a_remedy() {
    let home = TempDir::new().unwrap();
    let table = Squares::default();
    let path = home.path().join("squares.table");
    in_lab(home.path(), |lab| lab.generate(&table)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let loaded = in_lab(home.path(), |lab| lab.table(&table)).map(drop);
    for refusal in [loaded, in_lab(home.path(), |lab| lab.verify(&table))].map(Result::unwrap_err) {
        assert!(
            matches!(
                refusal,
                LabError::Table(TableError::File(FileError::CorruptedBlock {
                    block: 0,
                    blocks: 1,
                    ..
                }))
            ),
            "{refusal}"
        );
        let squares = TableFile {
            name: "squares".into(),
            folder: Some(home.path().to_owned()),
        };
        assert_eq!(
            refusal.remedy(),
            Some(LabRemedy::Table(Remedy::GenerateAgain(Some(squares))))
        );
    }
    in_lab(home.path(), |lab| lab.generate(&table)).unwrap();
    in_lab(home.path(), |lab| is_right(lab.table(&table).unwrap()));
}

#[test]
fn a_table_that_cannot_be_saved_is_used_in_memory() {
    let home = TempDir::new().unwrap();
    let table = Squares::default();
    // Root may write anywhere, but not below a regular file.
    fs::write(home.path().join("file"), "").unwrap();
    let folder = home.path().join("file/tables");
    in_lab(&folder, |lab| is_right(lab.table(&table).unwrap()));
    let refusal = in_lab(&folder, |lab| lab.generate(&table)).unwrap_err();
    assert_eq!(
        refusal.remedy(),
        Some(LabRemedy::Table(Remedy::ChooseWritableFolder)),
        "{refusal}"
    );
    assert_eq!(
        table.generations.into_inner(),
        1,
        "the free space is checked first"
    );
}

#[test]
fn a_generation_stops_when_asked() {
    let home = TempDir::new().unwrap();
    let table = Squares::default();
    let refusal = in_lab(home.path(), |lab| {
        lab.control.cancel_token().cancel();
        lab.table(&table).map(drop)
    });
    assert!(refusal.unwrap_err().is_cancellation());
    assert_eq!(home.path().read_dir().unwrap().count(), 0);
}
