//! A disk that is full, or becomes full while a space is built: on a file system of the test's own, where mounting is
//! allowed.

use cosette::block_file::FileError;
use cosette::{Control, Progress, Remedy, ThreadCount};
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lee::space::{Layout, StoredSpace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Once;

/// In the environment of a test that has a file system of its own: where it is mounted.
const MOUNTED: &str = "COSETTE_TEST_MOUNTED";

/// Runs `work` with a folder that is a file system of so many megabytes; or, in the process of the test itself, runs the
/// test named `test` once more in another process, which has one.
fn with_file_system(test: &str, megabytes: u32, work: impl FnOnce(&Path)) {
    if let Some(folder) = std::env::var_os(MOUNTED) {
        return work(&PathBuf::from(folder));
    }
    let folder = tempfile::TempDir::new().unwrap();
    let run = |unshare: &[&str]| {
        let mount = format!(
            r#"mount -t tmpfs -o size={megabytes}m tmpfs "${MOUNTED}" || exit 99; exec "$0" --exact lee_full_disk::{test}"#
        );
        let mut command = Command::new(unshare[0]);
        command.args(&unshare[1..]).args(["sh", "-c", &mount]).arg(std::env::current_exe().unwrap());
        let output = command.env(MOUNTED, folder.path()).output().ok()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        (output.status.code() != Some(99) && !stderr.starts_with("unshare:")).then_some(output)
    };
    match run(&["unshare", "-m"]).or_else(|| run(&["unshare", "-Urm"])) {
        None => eprintln!("skipped: mounting is forbidden here"),
        Some(output) => {
            let stdout = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}");
        }
    }
}

fn build(path: &Path, on_start: &(dyn Fn() + Sync)) -> Result<StoredSpace, LabError> {
    let once = Once::new();
    let on_progress = |_: &str, _: Progress| once.call_once(on_start);
    let control = Control::new(ThreadCount::new(2).unwrap()).on_progress(&on_progress);
    StoredSpace::build(path, 5, Layout::Compact, &control)
}

#[test]
fn too_small_a_disk_is_noticed_first() {
    with_file_system("too_small_a_disk_is_noticed_first", 5, |folder| {
        let error = build(&folder.join("space"), &|| panic!("nothing is begun")).unwrap_err();
        assert!(matches!(error, LabError::File(FileError::TooLittleDisk { .. })), "{error}");
        assert!(error.to_string().contains("needs 6 MB more on disk and 5 MB are free"), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::Table(Remedy::FreeDiskSpace)));
        assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
    });
}

#[test]
fn a_disk_that_becomes_full_leaves_nothing_that_is_trusted() {
    with_file_system("a_disk_that_becomes_full_leaves_nothing_that_is_trusted", 8, |folder| {
        let (path, filler) = (folder.join("space"), folder.join("filler"));
        // Someone else writes five of the eight megabytes once the room has been checked.
        let error = build(&path, &|| fs::write(&filler, vec![1; 5 << 20]).unwrap()).unwrap_err();
        assert!(error.to_string().contains("cannot write"), "{error}");
        assert_eq!(error.remedy(), Some(LabRemedy::Table(Remedy::FreeDiskSpace)), "{error}");
        assert!(!path.exists());
        let error = build(&path, &|| {}).unwrap_err();
        assert!(matches!(error, LabError::File(FileError::TooLittleDisk { .. })), "{error}");
        // Room is made: the building goes on, and ends in the same file as one that was never interrupted.
        fs::remove_file(&filler).unwrap();
        build(&path, &|| {}).unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        build(&path, &|| {}).unwrap();
        assert!(fs::read(&path).unwrap() == bytes);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    });
}
