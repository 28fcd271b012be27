//! `cosette tables`; tables and folders that cannot be used: exit code 1 and the remedy.

use crate::support::{EASY, apart, cosette, json_lines, tables, with_file_system};
use cosette::table::TableSize;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

#[test]
fn larger_tables_take_longer_to_generate_and_search_faster() {
    let output = cosette()
        .args(["tables", "list", "--json"])
        .output()
        .unwrap();
    let rows = json_lines(&output.stdout);
    assert_eq!(rows.len(), 2 * TableSize::ALL.len());
    let seconds = |row: &serde_json::Value, of: &str| row[of].as_f64().unwrap();
    let generation = |row| seconds(row, "generation_seconds");
    let search = |row| seconds(row, "cube_seconds");
    let (htm, qtm) = rows.split_at(TableSize::ALL.len());
    assert!(htm.is_sorted_by_key(generation) && htm.is_sorted_by(|a, b| search(a) > search(b)));
    // From 6 GB on twice the table is less than twice as fast.
    assert!(htm[7..].is_sorted_by(|a, b| search(a) < 2.0 * search(b)));
    for (htm, qtm) in htm.iter().zip(qtm) {
        assert!(
            generation(qtm) > generation(htm) && search(qtm) > search(htm),
            "{qtm}"
        );
    }
}

#[test]
fn a_long_generation_is_announced() {
    use std::io::{BufRead, BufReader};
    let folder = TempDir::new().unwrap();
    let mut command = cosette();
    command
        .args([
            "solve",
            "--metric",
            "qtm",
            "--threads",
            "1",
            EASY,
            "--tables",
        ])
        .arg(folder.path());
    let mut child = apart(&command).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(
        line.starts_with("generating qtm-190M takes about 1"),
        "{line}"
    );
}

#[track_caller]
fn cannot_be_generated(options: &str, message: &str) {
    let Some(output) = with_file_system(options, r#""$COSETTE" tables gen 24M --tables "$DIR""#)
    else {
        return;
    };
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains(message) && stderr.contains("--tables"),
        "{stderr}"
    );
}

#[test]
fn a_full_disk_is_noticed_before_a_table_is_generated() {
    cannot_be_generated("size=1m", "on disk, but only 1 MB are free");
    cannot_be_generated("size=1m,nr_inodes=1", "cannot write to the folder");
}

#[test]
fn a_read_only_file_system() {
    cannot_be_generated("ro", "cannot write to the folder");
}

/// Runs the command with limited addresses, and returns its exit code and what it printed.
#[cfg(target_os = "linux")]
fn with_addresses(
    kilobytes: u32,
    args: &str,
    folder: &std::path::Path,
) -> (Option<i32>, String, String) {
    let command = format!("ulimit -v {kilobytes}; exec \"$0\" {args} --threads 2 --tables \"$1\"");
    let program = cosette().get_program().to_owned();
    // As docs/howto/long-searches.md advises: the C library reserves 64 MB of addresses for the
    // heap of each thread.
    let mut sh = std::process::Command::new("sh");
    let output = sh
        .env("MALLOC_ARENA_MAX", "1")
        .args(["-c", &command])
        .arg(program)
        .arg(folder)
        .output()
        .unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), stdout, stderr)
}

#[test]
#[cfg(target_os = "linux")]
fn a_table_that_is_chosen_can_be_used() {
    // Enough for the smallest table, for a larger one, for nothing; and for a first table, which is
    // generated.
    for (kilobytes, is_enough, is_first) in [
        (250_000, true, false),
        (400_000, true, false),
        (60_000, false, false),
        (200_000, true, true),
        (350_000, true, true),
    ] {
        let folder = TempDir::new().unwrap();
        let there = ["htm-24M.table", "htm-190M.table"]
            .iter()
            .filter(|table| !is_first && tables().join(table).exists());
        for table in there {
            std::os::unix::fs::symlink(tables().join(table), folder.path().join(table)).unwrap();
        }
        let (code, output, errors) =
            with_addresses(kilobytes, &format!("solve {EASY:?}"), folder.path());
        assert_eq!(
            code,
            Some(if is_enough { 0 } else { 1 }),
            "{kilobytes} KB: {errors}"
        );
        assert!(
            is_enough == output.contains("proven") && !errors.contains("backtrace"),
            "{kilobytes} KB: {errors}"
        );
        assert!(is_enough || errors.contains("help: "), "{errors}");
    }
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_entered() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o600)).unwrap();
    if std::fs::metadata(folder.path().join(".")).is_ok() {
        return; // root may enter anything
    }
    for command in ["list", "verify"] {
        let assert = cosette()
            .args(["tables", command, "--tables"])
            .arg(folder.path())
            .assert();
        assert
            .code(1)
            .stderr(contains("cannot read the folder").and(contains("Permission denied")));
    }
    let assert = cosette()
        .args([
            "solve",
            "--table",
            "24M",
            "U R2 F B R B2 R U2 L",
            "--tables",
        ])
        .arg(folder.path())
        .assert();
    assert.success().stderr(contains("cannot open the folder"));
}

#[test]
#[cfg(unix)]
fn a_table_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("htm-24M.table");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o0)).unwrap();
    if std::fs::File::open(&path).is_ok() {
        return; // root may read anything
    }
    let assert = cosette()
        .args(["solve", "--table", "24M", EASY, "--tables"])
        .arg(folder.path())
        .assert();
    assert.code(1).stderr(contains("make the file readable"));
}
