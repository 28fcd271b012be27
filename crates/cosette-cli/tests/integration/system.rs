//! Refusals of the system, and text that a terminal must not show: exit codes and remedies.

use crate::support::{EASY, cosette, json_lines, solve, with_file_system};
use cosette::cube::is_displayable;
use cosette::table::TableSize;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

#[test]
fn larger_tables_take_longer_to_generate_and_search_faster() {
    let mut list = cosette();
    let output = list.args(["tables", "list", "--json"]).output().unwrap();
    let rows = json_lines(&output.stdout);
    let generation = |row: &serde_json::Value| row["generation_seconds"].as_f64().unwrap();
    let search = |row: &serde_json::Value| row["cube_seconds"].as_f64().unwrap();
    let (htm, qtm) = rows.split_at(TableSize::ALL.len());
    assert_eq!(htm.len(), qtm.len());
    assert!(htm.is_sorted_by_key(generation) && htm.is_sorted_by(|a, b| search(a) > search(b)));
    // From 6 GB on twice the table is less than twice as fast.
    assert!(htm[7..].is_sorted_by(|a, b| search(a) < 2.0 * search(b)));
    for (htm, qtm) in htm.iter().zip(qtm) {
        assert!(generation(qtm) > generation(htm) && search(qtm) > search(htm));
    }
}

#[test]
fn a_disk_that_is_full_or_read_only_is_noticed_before_a_table_is_generated() {
    for (options, message) in [
        ("size=1m", "on disk, but only 1 MB are free"),
        ("size=1m,nr_inodes=1", "cannot write to the folder"),
        ("ro", "cannot write to the folder"),
    ] {
        let script = r#""$COSETTE" tables gen 24M --tables "$DIR""#;
        let Some(output) = with_file_system(options, script) else {
            return;
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.contains(message) && stderr.contains("--tables"),
            "{stderr}"
        );
    }
}

#[test]
#[cfg(unix)]
fn folders_and_tables_without_permission() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let table = folder.join("htm-24M.table");
    fs::write(&table, "").unwrap();
    fs::set_permissions(&table, Permissions::from_mode(0o0)).unwrap();
    if fs::File::open(&table).is_ok() {
        return; // root may read anything
    }
    let run = |arguments: &[&str]| {
        let mut command = cosette();
        command.args(arguments).arg("--tables").arg(folder).assert()
    };
    run(&["solve", "--table", "24M", EASY])
        .code(1)
        .stderr(contains("make the file readable"));
    fs::set_permissions(folder, Permissions::from_mode(0o600)).unwrap();
    for command in ["list", "verify"] {
        run(&["tables", command])
            .code(1)
            .stderr(contains("cannot read the folder").and(contains("Permission denied")));
    }
    run(&["solve", "--table", "24M", "U R2 F B R B2 R U2 L"])
        .success()
        .stderr(contains("cannot open the folder"));
    fs::set_permissions(folder, Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn an_error_far_to_the_right_is_displayable_and_the_other_lines_are_solved() {
    let far = format!("{}Q", "R ".repeat(40_000));
    let number = format!("R U{}", "9".repeat(900_000));
    let wide = format!("{}Q", "é".repeat(40_000));
    for bad in [&far, &number, &wide] {
        let output = solve()
            .arg("--json")
            .write_stdin(format!("R U F\n{bad}\nU R\n"))
            .output()
            .unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.len() < 2000, "{} bytes", errors.len());
        assert_eq!(json_lines(&output.stdout).len(), 3, "{errors}");
    }
    // In one line the error is shown with what is around it.
    solve()
        .arg(&far)
        .assert()
        .code(3)
        .stderr(contains("R R R Q").and(contains("not a valid move")));
}

#[test]
fn a_position_cannot_control_the_terminal() {
    let hostile = "\u{1b}]0;x\u{7}R\u{9b}\u{202e}";
    // The comment of a valid position is returned as data.
    let comment = format!("R U // {hostile}");
    for (arguments, code) in [
        (["--input-format", "moves", hostile], 3),
        (["--json", "--", hostile], 3),
        (["--json", "--", &comment], 0),
    ] {
        let output = solve().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        for printed in [&output.stdout, &output.stderr] {
            let mut chars = std::str::from_utf8(printed).unwrap().chars();
            assert!(chars.all(|char| is_displayable(char) || char == '\n'));
        }
        if code == 0 {
            assert_eq!(json_lines(&output.stdout)[0]["input"], comment);
        }
    }
}
