//! Tables generated into their files: a generation that was stopped, killed or damaged ends in the
//! same file as one that was not. The same in storages without a path.

use crate::{assert_file_error, control, smallest_file};
use cosette::block_file::FileError;
use cosette::cube::Metric;
use cosette::table::choice::TableSelection;
use cosette::table::{
    PartialTable, Storage, Table, TableError, TableFileState, TableFolder, TableId,
};
use cosette::{Cancel, Progress};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, RwLock};
use tempfile::TempDir;

const CLASSES: u64 = 3393;
const PAGE: usize = 4096;
const RECORD: usize = 80;
/// Offset of the payload: the checksums of the classes take seven pages.
const PAYLOAD: usize = 8 * PAGE;

fn id() -> TableId {
    TableId {
        metric: Metric::Htm,
        size: "24M".parse().unwrap(),
    }
}

/// A folder in which the table is being generated.
struct InterruptedGeneration {
    home: TempDir,
    folder: TableFolder,
}

impl InterruptedGeneration {
    fn new() -> InterruptedGeneration {
        let home = TempDir::new().unwrap();
        InterruptedGeneration {
            folder: TableFolder::new(home.path()),
            home,
        }
    }

    /// One that another process continues as long as the file is open.
    fn of_another_process() -> (InterruptedGeneration, File) {
        let generation = InterruptedGeneration::new();
        generation.stop_after(1000);
        let journal = File::open(generation.journal()).unwrap();
        journal.lock().unwrap();
        (generation, journal)
    }

    /// Continues until this many classes are generated in all, and returns how many are kept.
    fn stop_after(&self, classes: u64) -> u64 {
        let cancel = Cancel::new();
        let watch = |_: &str, progress: Progress| {
            if progress.done >= classes {
                cancel.cancel();
            }
        };
        match self
            .folder
            .generate(id(), &control().on_progress(&watch).with_cancel(&cancel))
        {
            Err(TableError::Stopped { progress, .. }) => {
                let state = self.folder.state(id());
                assert!(matches!(state, TableFileState::Partial(left) if left == progress));
                progress.done
            }
            other => panic!("{other:?}"),
        }
    }

    /// Continues to the end; the file must be as expected.
    fn finish(&self) {
        let most = AtomicU64::new(0);
        let watch =
            |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Ordering::Relaxed);
        self.folder
            .generate(id(), &control().on_progress(&watch))
            .unwrap();
        assert_eq!(most.into_inner(), CLASSES);
        assert!(
            fs::read(self.folder.path_of(id())).unwrap() == smallest_file(),
            "the files differ"
        );
        assert_eq!(
            fs::read_dir(self.home.path()).unwrap().count(),
            1,
            "nothing else is left"
        );
    }

    fn part(&self) -> PathBuf {
        self.home.path().join("htm-24M.table.part")
    }

    fn journal(&self) -> PathBuf {
        self.home.path().join("htm-24M.table.journal")
    }

    fn damage(&self, path: PathBuf, damage: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn generation_continues_where_it_stopped() {
    let generation = InterruptedGeneration::new();
    let first = generation.stop_after(500);
    assert!((500..CLASSES).contains(&first));
    // What is there is counted first, so this stops before anything new is generated.
    assert_eq!(generation.stop_after(1), first);
    let second = generation.stop_after(first + 500);
    assert!((first + 500..CLASSES).contains(&second));
    generation.finish();
}

#[test]
fn what_is_damaged_is_generated_again() {
    let generation = InterruptedGeneration::new();
    generation.stop_after(2000);
    // Some lines, and some records: the first class of either worker is among them.
    generation.damage(generation.part(), |bytes| {
        for at in (PAYLOAD..bytes.len()).step_by(1 << 20) {
            bytes[at] ^= 4;
        }
    });
    generation.damage(generation.journal(), |bytes| {
        for at in (PAGE + RECORD..bytes.len()).step_by(100 * RECORD + 7) {
            bytes[at] ^= 1;
        }
    });
    generation.finish();
}

#[test]
fn the_journal_of_another_table_is_not_trusted() {
    let generation = InterruptedGeneration::new();
    generation.stop_after(1000);
    generation.damage(generation.journal(), |bytes| bytes[16] ^= 1);
    assert!(matches!(
        generation.folder.state(id()),
        TableFileState::Missing
    ));
    generation.finish();
}

#[test]
fn a_table_is_generated_by_one_process_at_a_time() {
    let (generation, journal) = InterruptedGeneration::of_another_process();
    let generated = generation.folder.generate(id(), &control());
    let removed = generation.folder.remove(id());
    for result in [generated, removed] {
        assert_file_error!(result.unwrap_err(), FileError::BeingGenerated { .. });
    }
    drop(journal);
    generation.folder.remove(id()).unwrap();
    assert_eq!(fs::read_dir(generation.home.path()).unwrap().count(), 0);
}

#[test]
fn a_process_waits_for_the_one_that_generates_and_takes_over_if_it_ends() {
    let (generation, journal) = InterruptedGeneration::of_another_process();
    let journal = Mutex::new(Some(journal));
    let reports = Mutex::new(Vec::new());
    let watch = |step: &str, progress: Progress| {
        reports
            .lock()
            .unwrap()
            .push((step.to_owned(), progress.done));
        // The other process ends.
        journal.lock().unwrap().take();
    };
    let choice = TableSelection {
        id: id(),
        is_on_disk: false,
        better: None,
        or_smaller: false,
    };
    let opened = generation
        .folder
        .open(choice, &control().on_progress(&watch))
        .unwrap();
    assert!(opened.save_error.is_none());
    let reports = reports.into_inner().unwrap();
    assert_eq!(
        reports[0].0,
        "waiting for another process to generate htm-24M"
    );
    assert!(
        reports[0].1 >= 1000 && reports[1].0 == "generating htm-24M",
        "{:?}",
        &reports[..2]
    );
    assert_eq!(
        fs::read_dir(generation.home.path()).unwrap().count(),
        1,
        "nothing else is left"
    );
}

#[test]
fn what_another_process_has_completed_is_not_generated_again() {
    let (generation, _journal) = InterruptedGeneration::of_another_process();
    let steps = Mutex::new(BTreeSet::new());
    let watch = |step: &str, _: Progress| {
        if steps.lock().unwrap().insert(step.to_owned()) && step.starts_with("waiting") {
            fs::write(generation.folder.path_of(id()), smallest_file()).unwrap();
        }
    };
    generation
        .folder
        .generate_if_missing(id(), &control().on_progress(&watch))
        .unwrap();
    assert_eq!(steps.into_inner().unwrap().len(), 1, "it only waits");
}

#[test]
fn waiting_for_another_process_can_be_cancelled() {
    let (generation, _journal) = InterruptedGeneration::of_another_process();
    let cancel = Cancel::new();
    let watch = |_: &str, _: Progress| cancel.cancel();
    let choice = TableSelection {
        id: id(),
        is_on_disk: false,
        better: None,
        or_smaller: false,
    };
    let refused = generation
        .folder
        .open(choice, &control().with_cancel(&cancel).on_progress(&watch))
        .err()
        .unwrap();
    assert!(refused.is_cancellation(), "{refused}");
}

#[test]
fn stopping_before_the_first_class_leaves_nothing_behind() {
    let generation = InterruptedGeneration::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let refusal = generation
        .folder
        .generate(id(), &control().with_cancel(&cancel))
        .unwrap_err();
    assert!(matches!(refusal, TableError::Cancelled), "{refusal}");
    assert_eq!(fs::read_dir(generation.home.path()).unwrap().count(), 0);
}

/// A storage without a path.
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
        Err(TableError::Stopped { progress, .. }) => assert_eq!(progress, table.progress()),
        other => panic!("{other:?}"),
    }
    table.store(file, journal).unwrap();
    table.progress().done
}

#[test]
fn what_is_stored_is_the_file_to_the_byte() {
    let id = id();
    let expected = smallest_file();
    let file = Bytes::default();
    let journal = Bytes::default();
    assert!(matches!(
        Table::load_from(id, &file, &control()),
        Err(TableError::File(FileError::NotFound { .. }))
    ));
    let kept = continue_until(500, id, &file, &journal);
    assert!(kept < 3000, "{kept}");
    assert!(
        Table::load_from(id, &file, &control()).is_err(),
        "without its header it is no table"
    );
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
    assert!(
        *file.read().unwrap() == *expected,
        "the file is another one"
    );

    let loaded = Table::load_from(id, &file, &control()).unwrap();
    assert_eq!(loaded.distribution(), table.distribution());
    Table::verify_in(id, &file, &control()).unwrap();

    file.write().unwrap()[1 << 20] ^= 1;
    let damaged = Table::load_from(id, &file, &control())
        .map(drop)
        .unwrap_err();
    assert!(
        matches!(
            damaged,
            TableError::File(FileError::CorruptedBlock { block: 145, .. })
        ),
        "{damaged}"
    );
}

#[test]
fn storages_of_something_else_are_overwritten() {
    let id = id();
    let file = Bytes::new(vec![7; 10_000]);
    let journal = Bytes::new(vec![7; 10_000]);
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
        if bytes.is_empty() {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
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
    let mut table = PartialTable::new(id()).unwrap();
    let refused = table.restore(&Refusing, &Refusing).unwrap_err();
    assert!(
        matches!(
            refused,
            TableError::File(FileError::Io {
                action: "write",
                ..
            })
        ),
        "{refused}"
    );
    table.generate(&control()).unwrap();
    assert!(table.store(&Refusing, &Refusing).is_err());
    assert_eq!(table.into_table().id(), id());
}
