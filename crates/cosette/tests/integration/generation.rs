//! Tables generated into their files: a generation that was stopped, killed or damaged ends in the
//! same file as one that was not. The same in storages without a path.

use crate::{assert_file_error, control, id, smallest_file};
use cosette::block_file::FileError;
use cosette::table::choice::{OpenedTable, TableSelection};
use cosette::table::{PartialTable, Storage, Table, TableError, TableFileState, TableFolder};
use cosette::{Cancel, Control, Progress};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, RwLock};
use tempfile::TempDir;

const CLASSES: u64 = 3393;
const PAGE: usize = 4096;
const RECORD: usize = 80;
/// Offset of the payload: the checksums of the classes take seven pages.
const PAYLOAD: usize = 8 * PAGE;

const SIZE: &str = "24M";

/// Cancels as soon as this many classes are there.
fn until<R>(classes: u64, run: impl FnOnce(&Control<'_>) -> R) -> R {
    let cancel = Cancel::new();
    let watch = |_: &str, progress: Progress| {
        if progress.done >= classes {
            cancel.cancel();
        }
    };
    run(&control().on_progress(watch).with_cancel(&cancel))
}

/// A folder in which the table is being generated.
struct InterruptedGeneration {
    home: TempDir,
    folder: TableFolder,
}

impl InterruptedGeneration {
    fn new() -> InterruptedGeneration {
        let home = TempDir::new().unwrap();
        let folder = TableFolder::new(home.path());
        InterruptedGeneration { home, folder }
    }

    /// One that another process continues as long as the file is open.
    fn of_another_process() -> (InterruptedGeneration, File) {
        let generation = InterruptedGeneration::new();
        generation.stop_after(1000);
        let journal = File::open(generation.path("journal")).unwrap();
        journal.lock().unwrap();
        (generation, journal)
    }

    /// Continues until this many classes are generated in all, and returns how many are kept.
    fn stop_after(&self, classes: u64) -> u64 {
        let generated = until(classes, |control| self.folder.generate(id(SIZE), control));
        let Err(TableError::Stopped { progress, .. }) = generated else {
            panic!("{generated:?}")
        };
        let state = self.folder.state(id(SIZE));
        assert!(matches!(state, TableFileState::Partial(left) if left == progress));
        progress.done
    }

    /// Continues to the end; the file must be as expected.
    fn finish(&self) {
        let most = AtomicU64::new(0);
        let watch = |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Relaxed);
        let control = control().on_progress(watch);
        self.folder.generate(id(SIZE), &control).unwrap();
        assert_eq!(most.load(Relaxed), CLASSES);
        let file = fs::read(self.folder.path_of(id(SIZE))).unwrap();
        assert!(file == smallest_file(), "the files differ");
        self.check_files(1);
    }

    /// Opens the table as one that is not there.
    fn open(&self, control: &Control<'_>) -> Result<OpenedTable, TableError> {
        let choice = TableSelection {
            id: id(SIZE),
            is_on_disk: false,
            better: None,
            or_smaller: false,
        };
        self.folder.open(choice, control)
    }

    fn check_files(&self, count: usize) {
        assert_eq!(fs::read_dir(self.home.path()).unwrap().count(), count);
    }

    fn path(&self, kind: &str) -> PathBuf {
        self.home.path().join(format!("htm-24M.table.{kind}"))
    }

    fn damage(&self, kind: &str, damage: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(self.path(kind)).unwrap();
        damage(&mut bytes);
        fs::write(self.path(kind), bytes).unwrap();
    }
}

#[test]
fn generation_continues_where_it_stopped() {
    let generation = InterruptedGeneration::new();
    let first = generation.stop_after(500);
    assert!((500..CLASSES).contains(&first));
    // Existing classes are counted first, so this stops before anything new is generated.
    assert_eq!(generation.stop_after(1), first);
    let second = generation.stop_after(first + 500);
    assert!((first + 500..CLASSES).contains(&second));
    // Some lines, and some records: the first class of either worker is among them.
    generation.damage("part", |bytes| {
        for at in (PAYLOAD..bytes.len()).step_by(1 << 20) {
            bytes[at] ^= 4;
        }
    });
    generation.damage("journal", |bytes| {
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
    generation.damage("journal", |bytes| bytes[16] ^= 1);
    let state = generation.folder.state(id(SIZE));
    assert!(matches!(state, TableFileState::Missing));
    generation.finish();
}

#[test]
fn a_table_is_generated_by_one_process_at_a_time() {
    let (generation, journal) = InterruptedGeneration::of_another_process();
    let folder = &generation.folder;
    for result in [
        folder.generate(id(SIZE), &control()),
        folder.remove(id(SIZE)),
    ] {
        assert_file_error!(result.unwrap_err(), FileError::BeingGenerated { .. });
    }
    // Waiting can be cancelled.
    let refused = until(0, |control| generation.open(control)).err().unwrap();
    assert!(refused.is_cancellation(), "{refused}");
    drop(journal);
    folder.remove(id(SIZE)).unwrap();
    // Nor does a generation that stops before the first class leave anything behind.
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = folder.generate(id(SIZE), &control().with_cancel(&cancel));
    assert!(
        matches!(cancelled, Err(TableError::Cancelled)),
        "{cancelled:?}"
    );
    generation.check_files(0);
}

#[test]
fn a_process_waits_for_the_one_that_generates_and_takes_over_if_it_ends() {
    let (generation, journal) = InterruptedGeneration::of_another_process();
    let journal = Mutex::new(Some(journal));
    let reports = Mutex::new(Vec::new());
    let watch = |step: &str, progress: Progress| {
        let report = (step.to_owned(), progress.done);
        reports.lock().unwrap().push(report);
        // The other process ends.
        journal.lock().unwrap().take();
    };
    let opened = generation.open(&control().on_progress(watch)).unwrap();
    assert!(opened.save_error.is_none());
    let reports = reports.into_inner().unwrap();
    let [(waiting, done), (generating, _), ..] = &reports[..] else {
        panic!("{reports:?}")
    };
    assert_eq!(waiting, "waiting for another process to generate htm-24M");
    assert!(*done >= 1000 && generating == "generating htm-24M");
    generation.check_files(1);
}

#[test]
fn what_another_process_has_completed_is_not_generated_again() {
    let (generation, _journal) = InterruptedGeneration::of_another_process();
    let folder = &generation.folder;
    let steps = Mutex::new(BTreeSet::new());
    let watch = |step: &str, _: Progress| {
        if steps.lock().unwrap().insert(step.to_owned()) && step.starts_with("waiting") {
            fs::write(folder.path_of(id(SIZE)), smallest_file()).unwrap();
        }
    };
    let control = control().on_progress(watch);
    folder.generate_if_missing(id(SIZE), &control).unwrap();
    assert_eq!(steps.lock().unwrap().len(), 1, "it only waits");
}

/// A storage without a path.
type Bytes = RwLock<Vec<u8>>;

/// The part of a table in these storages, and how many classes it has.
fn restored(file: &Bytes, journal: &Bytes) -> Result<(PartialTable, u64), TableError> {
    let mut table = PartialTable::new(id(SIZE))?;
    table.restore(file, journal)?;
    let done = table.progress().done;
    Ok((table, done))
}

/// Generates classes until there are this many, and stores them. Returns how many there are.
fn continue_until(classes: u64, file: &Bytes, journal: &Bytes) -> u64 {
    let (mut table, _) = restored(file, journal).unwrap();
    match until(classes, |control| table.generate(control)) {
        Err(TableError::Stopped { progress, .. }) => assert_eq!(progress, table.progress()),
        other => panic!("{other:?}"),
    }
    table.store(file, journal).unwrap();
    table.progress().done
}

#[test]
fn what_is_stored_is_the_file_to_the_byte() {
    let [file, journal] = [Bytes::default(), Bytes::default()];
    let load = || Table::load_from(id(SIZE), &file, &control());
    assert_file_error!(load().err().unwrap(), FileError::NotFound { .. });
    let kept = continue_until(500, &file, &journal);
    assert!(kept < 3000, "{kept}");
    assert!(load().is_err(), "without its header it is no table");
    // One class is damaged, another one's record.
    *file.write().unwrap().last_mut().unwrap() ^= 1;
    journal.write().unwrap()[4096] ^= 1;
    let (mut table, done) = restored(&file, &journal).unwrap();
    assert!((kept - 2..kept).contains(&done), "{done} of {kept}");
    table.generate(&control()).unwrap();
    table.store(&file, &journal).unwrap();
    table.complete(&file, &journal, &control()).unwrap();
    let table = table.into_table();
    assert!(*file.read().unwrap() == smallest_file(), "the files differ");

    assert_eq!(load().unwrap().distribution(), table.distribution());
    Table::verify_in(id(SIZE), &file, &control()).unwrap();
    file.write().unwrap()[1 << 20] ^= 1;
    assert_file_error!(
        load().err().unwrap(),
        FileError::CorruptedBlock { block: 145, .. }
    );
}

#[test]
fn storages_of_something_else_are_overwritten() {
    let [file, journal] = [(); 2].map(|()| Bytes::new(vec![7; 10_000]));
    assert_eq!(restored(&file, &journal).unwrap().1, 0);
    let kept = continue_until(10, &file, &journal);
    assert_eq!(restored(&file, &journal).unwrap().1, kept);
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
        match bytes {
            [] => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        self.set_length(0)
    }

    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_table_that_cannot_be_stored_can_be_used() {
    let mut table = PartialTable::new(id(SIZE)).unwrap();
    let refused = table.restore(&Refusing, &Refusing).unwrap_err();
    assert_file_error!(
        refused,
        FileError::Io {
            action: "write",
            ..
        }
    );
    table.generate(&control()).unwrap();
    assert!(table.store(&Refusing, &Refusing).is_err());
    assert_eq!(table.into_table().id(), id(SIZE));
}
