//! `cosette tables`; tables and folders that cannot be used: exit code 1 and the remedy.

use crate::support::{EASY, apart, cosette, damaged, json_lines, solve, tables, with_file_system};
use cosette::table::TableSize;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

#[test]
fn the_list_shows_every_size() {
    let mut assert = cosette()
        .args(["tables", "list", "--tables"])
        .arg(tables())
        .assert()
        .success();
    for size in TableSize::ALL {
        assert =
            assert.stdout(contains(format!("htm-{size} ")).and(contains(format!("qtm-{size} "))));
    }
    let output = cosette()
        .args(["tables", "list", "--json", "--tables"])
        .arg(tables())
        .output()
        .unwrap();
    let rows = json_lines(&output.stdout);
    assert_eq!(rows.len(), 20);
    assert_eq!(rows[0]["name"], "htm-24M");
    assert!(rows[0]["on_disk"] == true && rows[0]["fits"] == true);
    assert_eq!(
        (&rows[1]["name"], &rows[1]["on_disk"]),
        (&"htm-47M".into(), &false.into())
    );
    let seconds = |row: &serde_json::Value, of: &str| row[of].as_f64().unwrap();
    let (generation, cube) = ("generation_seconds", "cube_seconds");
    assert!(
        rows[..10].is_sorted_by(|a, b| seconds(a, generation) <= seconds(b, generation)
            && seconds(a, cube) > seconds(b, cube))
    );
    // From 6 GB on twice the table is less than twice as fast.
    assert!(rows[7..10].is_sorted_by(|a, b| seconds(a, cube) < 2.0 * seconds(b, cube)));
    for (htm, qtm) in rows[..10].iter().zip(&rows[10..]) {
        assert!(
            seconds(qtm, generation) > seconds(htm, generation)
                && seconds(qtm, cube) > seconds(htm, cube),
            "{qtm}"
        );
    }
    let output = cosette()
        .args(["tables", "list", "--json", "--metric", "qtm", "--tables"])
        .arg(tables())
        .output();
    assert!(
        json_lines(&output.unwrap().stdout)
            .iter()
            .all(|row| row["metric"] == "qtm")
    );
    let mut limited = cosette();
    limited
        .args(["tables", "list", "--json", "--tables"])
        .arg(tables())
        .env("COSETTE_MEMORY", "30M");
    let rows = json_lines(&limited.output().unwrap().stdout);
    assert!(
        rows[0]["fits"] == true && rows[1]["fits"] == false,
        "{} {}",
        rows[0],
        rows[1]
    );
}

#[test]
fn a_metric_for_solve_and_batch_in_the_environment_says_nothing_of_tables() {
    let mut list = cosette();
    list.args(["tables", "list", "--tables"])
        .arg(tables())
        .env("COSETTE_METRIC", "stm");
    list.assert()
        .success()
        .stdout(contains("htm-24M").and(contains("qtm-24M")));
    list.env("COSETTE_METRIC", "none").assert().code(2);
    // Names that say their metric need no other.
    let mut path = cosette();
    path.args(["tables", "path", "htm-24M"])
        .env("COSETTE_METRIC", "qtm");
    path.assert().success().stdout(contains("htm-24M"));
    let mut path = cosette();
    path.args(["tables", "path", "24M"])
        .env("COSETTE_METRIC", "qtm")
        .assert()
        .success()
        .stdout(contains("qtm-24M"));
    let other = cosette()
        .args(["tables", "path", "qtm-24M", "--metric", "htm"])
        .assert();
    other.code(2).stderr(contains(
        "the table qtm-24M is for qtm, but --metric is htm",
    ));
    cosette()
        .args(["tables", "list", "--metric", "stm"])
        .assert()
        .code(2)
        .stderr(contains("[possible values: htm, qtm]"));
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

#[test]
fn the_path_is_that_of_the_file() {
    let of = |names: &[&str]| {
        let output = cosette()
            .args(["tables", "path"])
            .args(names)
            .arg("--tables")
            .arg(tables())
            .output()
            .unwrap();
        String::from_utf8(output.stdout)
            .unwrap()
            .trim_end()
            .to_owned()
    };
    assert_eq!(of(&[]), tables().to_str().unwrap());
    assert_eq!(
        of(&["24M"]),
        tables().join("htm-24M.table").to_str().unwrap()
    );
    assert_eq!(
        of(&["24M", "--metric", "qtm"]),
        tables().join("qtm-24M.table").to_str().unwrap()
    );
    assert_eq!(
        of(&["qtm-1.5G"]),
        tables().join("qtm-1.5G.table").to_str().unwrap()
    );
    let assert = cosette()
        .args(["tables", "path"])
        .env("XDG_CACHE_HOME", "/var/somewhere")
        .assert();
    if cfg!(all(unix, not(target_os = "macos"))) {
        assert.success().stdout("/var/somewhere/cosette\n");
    }
}

#[test]
fn what_is_on_disk_is_not_generated_again() {
    let assert = cosette()
        .args(["tables", "gen", "24M", "--tables"])
        .arg(tables())
        .assert();
    assert.success().stdout(contains("already at"));
    let assert = cosette()
        .args(["tables", "verify", "24M", "--tables"])
        .arg(tables())
        .assert();
    assert.success().stdout("htm-24M: ok\n");
}

#[test]
fn missing_tables_are_reported() {
    let folder = TempDir::new().unwrap();
    let verify = cosette()
        .args(["tables", "verify", "--tables"])
        .arg(folder.path())
        .assert();
    verify.success().stdout(contains("no tables"));
    let run = |command| {
        cosette()
            .args(["tables", command, "24M", "--tables"])
            .arg(folder.path())
            .assert()
            .code(1)
    };
    let is_reported = contains("there is no table at");
    let advises = contains("cosette tables gen");
    run("verify")
        .stdout("htm-24M: not on disk\n")
        .stderr(is_reported.clone().and(advises.clone()));
    run("rm").stderr(is_reported.and(advises.not()));
}

const VERSION_AT: usize = 16;

/// Checks that a table which was damaged is refused, by `solve` and by `verify`.
#[track_caller]
fn refused(damage: impl FnOnce(&mut Vec<u8>), message: &str) -> TempDir {
    let folder = damaged(damage);
    // Asked for by name, and found as the best on disk.
    for table in ["24M", "auto"] {
        let assert = cosette()
            .args(["solve", EASY, "--table", table, "--tables"])
            .arg(folder.path())
            .assert();
        assert
            .code(1)
            .stdout("")
            .stderr(contains(message))
            .stderr(contains("cosette tables gen htm-24M"));
    }
    let verify = cosette()
        .args(["tables", "verify", "--tables"])
        .arg(folder.path())
        .assert();
    verify
        .code(1)
        .stdout("htm-24M: corrupted\n")
        .stderr(contains(message));
    folder
}

#[test]
fn damaged_tables_are_refused_and_can_be_removed() {
    refused(
        |bytes| bytes.truncate(bytes.len() - 1),
        "bytes, but should have",
    );
    refused(
        |bytes| *bytes.last_mut().unwrap() ^= 1,
        "block 3393 of 3393",
    );
    let folder = refused(
        |bytes| bytes[VERSION_AT] = 99,
        "has format version 99, but this program reads version",
    );
    let list = cosette()
        .args(["tables", "list", "--tables"])
        .arg(folder.path())
        .assert();
    list.success()
        .stdout(contains("corrupted"))
        .stderr(contains("format version 99"));
    // The remedy works.
    cosette()
        .args(["tables", "rm", "24M", "--tables"])
        .arg(folder.path())
        .assert()
        .success();
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_file_that_is_not_a_table() {
    let folder = refused(|bytes| *bytes = b"R U R' U'".to_vec(), "is not a table");
    // Not even a generation replaces it, unless it is asked to.
    let assert = cosette()
        .args(["tables", "gen", "24M", "--tables"])
        .arg(folder.path())
        .assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains("is not a table"))
        .stderr(contains("move that file away"));
    assert_eq!(
        std::fs::read(folder.path().join("htm-24M.table")).unwrap(),
        b"R U R' U'"
    );
}

#[test]
fn too_little_memory() {
    let assert = solve().args(["--memory", "10M", EASY]).assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains(
            "needs 24 MB of memory, but only 10 MB are allowed",
        ))
        .stderr(contains("this is the smallest table"))
        .stderr(contains("raise --memory"));
    let folder = TempDir::new().unwrap();
    let assert = cosette()
        .args(["solve", "--memory", "10M", EASY, "--tables"])
        .arg(folder.path())
        .assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains("only 10 MB are allowed"));
}

#[test]
fn a_folder_that_cannot_be_written_costs_a_warning() {
    // Root may write anywhere, but not below a regular file.
    let home = TempDir::new().unwrap();
    std::fs::write(home.path().join("file"), "").unwrap();
    let folder = home.path().join("file/tables");
    let assert = cosette()
        .args(["solve", "--memory", "40M", EASY, "--tables"])
        .arg(&folder)
        .assert();
    assert
        .success()
        .stdout(contains("10 moves"))
        .stderr(contains("warning: cannot save htm-24M"))
        .stderr(contains("--tables"));
    let assert = cosette()
        .args(["tables", "gen", "12G", "--tables"])
        .arg(&folder)
        .assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains("cannot create the folder"))
        .stderr(contains("--tables"));
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

#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_the_process_is_available_memory() {
    let command = "ulimit -v 700000; exec \"$0\" solve R --table 750M --tables \"$1\"";
    let program = cosette().get_program().to_owned();
    let output = std::process::Command::new("sh")
        .args(["-c", command])
        .arg(program)
        .arg(tables())
        .output()
        .unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("needs 753 MB of memory") && errors.contains("choose a smaller table"),
        "{errors}"
    );
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
fn a_folder_that_is_none_is_told() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    for (name, what) in [
        ("none", "which does not exist yet"),
        ("file", "which is not a folder"),
    ] {
        for command in ["list", "verify"] {
            let assert = cosette()
                .args(["tables", command])
                .env("COSETTE_TABLES", folder.path().join(name))
                .assert();
            assert.success().stdout(contains(format!("{name}, {what}")));
        }
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
