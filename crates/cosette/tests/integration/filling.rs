//! Tables filled into their files: stopped, killed and damaged fillings end in the same file as those that ran through.

use crate::support::tables::smallest_file;
use cosette::block_file::FileError;
use cosette::cube::Metric;
use cosette::table::{OnDisk, TableError, TableFolder, TableId};
use cosette::{Cancel, Control, Progress, ThreadCount};
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::TempDir;

const CLASSES: u64 = 3393;
const PAGE: usize = 4096;
const RECORD: usize = 80;

fn id() -> TableId {
    TableId { metric: Metric::Htm, size: "30M".parse().unwrap() }
}

fn control() -> Control<'static> {
    Control::new(ThreadCount::new(2).unwrap())
}

/// A folder in which the table is being filled.
struct Filling {
    home: TempDir,
    folder: TableFolder,
}

impl Filling {
    fn new() -> Filling {
        let home = TempDir::new().unwrap();
        Filling { folder: TableFolder::new(home.path()), home }
    }

    /// Goes on until so many classes are there in all, and says how many are kept.
    fn stop_after(&self, classes: u64) -> u64 {
        let cancel = Cancel::new();
        let watch = |_: &str, progress: Progress| {
            if progress.done >= classes {
                cancel.cancel();
            }
        };
        match self.folder.generate(id(), &control().on_progress(&watch).with_cancel(&cancel)) {
            Err(TableError::Stopped { kept, .. }) => {
                assert!(matches!(self.folder.state(id()), OnDisk::Partly(filled) if filled == kept));
                kept.done
            }
            other => panic!("{other:?}"),
        }
    }

    /// Goes on to the end; the file must be as expected.
    fn finish(&self) {
        let most = AtomicU64::new(0);
        let watch = |_: &str, progress: Progress| _ = most.fetch_max(progress.done, Ordering::Relaxed);
        self.folder.generate(id(), &control().on_progress(&watch)).unwrap();
        assert_eq!(most.into_inner(), CLASSES);
        assert!(fs::read(self.folder.path_of(id())).unwrap() == smallest_file(), "the files differ");
        assert_eq!(fs::read_dir(self.home.path()).unwrap().count(), 1, "nothing else is left");
    }

    fn part(&self) -> PathBuf {
        self.home.path().join("htm-30M.table.part")
    }

    fn journal(&self) -> PathBuf {
        self.home.path().join("htm-30M.table.journal")
    }

    fn damage(&self, path: PathBuf, damage: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = fs::read(&path).unwrap();
        damage(&mut bytes);
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_filling_that_runs_through() {
    Filling::new().finish();
}

#[test]
fn a_filling_goes_on_where_it_stopped() {
    let filling = Filling::new();
    let first = filling.stop_after(500);
    assert!((500..CLASSES).contains(&first));
    // What is there is counted first, so this stops before anything new is filled.
    assert_eq!(filling.stop_after(1), first);
    let second = filling.stop_after(first + 500);
    assert!((first + 500..CLASSES).contains(&second));
    filling.finish();
}

#[test]
fn what_is_damaged_is_filled_anew() {
    let filling = Filling::new();
    filling.stop_after(2000);
    // Some lines, and some records: the first class of either worker is among them.
    filling.damage(filling.part(), |bytes| {
        for at in (2 * PAGE..bytes.len()).step_by(1 << 20) {
            bytes[at] ^= 4;
        }
    });
    filling.damage(filling.journal(), |bytes| {
        for at in (PAGE + RECORD..bytes.len()).step_by(100 * RECORD + 7) {
            bytes[at] ^= 1;
        }
    });
    filling.finish();
}

#[test]
fn a_power_cut_may_leave_anything() {
    for cut in [0, PAGE - 1, PAGE, PAGE + 3 * RECORD + 1] {
        let filling = Filling::new();
        filling.stop_after(1000);
        filling.damage(filling.journal(), |bytes| bytes.truncate(cut));
        filling.damage(filling.part(), |bytes| bytes.truncate(bytes.len() / 3));
        filling.finish();
    }
}

#[test]
fn the_journal_of_another_table_is_not_believed() {
    let filling = Filling::new();
    filling.stop_after(1000);
    filling.damage(filling.journal(), |bytes| bytes[16] ^= 1);
    assert!(matches!(filling.folder.state(id()), OnDisk::No));
    filling.finish();
}

#[test]
fn a_table_is_filled_by_one_process_at_a_time() {
    let filling = Filling::new();
    filling.stop_after(1000);
    let journal = File::open(filling.journal()).unwrap();
    journal.lock().unwrap();
    let refusal = filling.folder.generate(id(), &control()).unwrap_err();
    assert!(matches!(refusal, TableError::File(FileError::BeingGenerated { .. })), "{refusal}");
    let refusal = filling.folder.remove(id()).unwrap_err();
    assert!(matches!(refusal, TableError::File(FileError::BeingGenerated { .. })), "{refusal}");
    drop(journal);
    filling.folder.remove(id()).unwrap();
    assert_eq!(fs::read_dir(filling.home.path()).unwrap().count(), 0);
}

#[test]
fn stopping_before_the_first_class_leaves_nothing_behind() {
    let filling = Filling::new();
    let cancel = Cancel::new();
    cancel.cancel();
    let refusal = filling.folder.generate(id(), &control().with_cancel(&cancel)).unwrap_err();
    assert!(matches!(refusal, TableError::Cancelled), "{refusal}");
    assert_eq!(fs::read_dir(filling.home.path()).unwrap().count(), 0);
}
