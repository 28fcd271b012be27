//! Lee's search as a user meets it, and files of its stored positions that cannot be trusted.

use crate::support::{EASY, SUPERFLIP, cosette, json_lines, tables, with_file_system};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// `cosette solve --engine lee` with all positions within five moves.
fn solve() -> Command {
    let mut command = cosette();
    command.args(["solve", "--engine", "lee", "--d-back", "5", "--d-for", "3", "--tables"]).arg(tables());
    command
}

/// `cosette lab lee`, the experiment that reads the stored positions.
fn lab(folder: &Path) -> Command {
    let mut command = cosette();
    command.args(["lab", "lee", "times", "--tables"]).arg(folder);
    command
}

#[test]
fn one_shortest_solution_is_found_and_several_are_refused() {
    let output = solve().args(["--json", EASY]).assert().success();
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!((&answer["engine"], &answer["optimal"], &answer["length"]), (&"lee".into(), &true.into(), &10.into()));
    solve().args(["-n", "1", EASY]).assert().success();
    for several in [&["--all"][..], &["-n", "2"], &["--explain"], &["--prefer", "qtm"]] {
        solve().args(several).arg(EASY).assert().code(2).stderr(contains("this engine finds one"));
    }
}

#[test]
fn depths_out_of_range_are_refused() {
    let refused = |option: &str, value: &str, range: &str| {
        let mut command = cosette();
        command.args(["solve", "--engine", "lee", option, value, EASY]);
        command.assert().code(2).stderr(contains(option).and(contains(range)));
    };
    refused("--d-back", "9", "0 to 8");
    refused("--d-for", "0", "1 to 7");
    refused("--d-for", "8", "1 to 7");
    refused("--d-for", "deep", "1 to 7");
    refused("--states", "0", "1 to 4000000000");
    cosette().args(["solve", "--d-for", "5", EASY]).assert().code(2).stderr(contains("--engine lee"));
}

#[test]
fn a_position_beyond_the_memory_limit_is_bounded() {
    solve()
        .args(["--states", "20000", SUPERFLIP])
        .assert()
        .code(4)
        .stdout(contains("has 10 to 20 moves").and(contains("stopped at --states")))
        .stderr(contains("states stored; lower bound 10"));
    let output = solve().args(["--states", "20000", "--json", SUPERFLIP]).assert().code(4);
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!((&answer["stopped"], &answer["lower_bound"]), (&"memory".into(), &10.into()));
}

/// What else may be wrong with such a file: `a_truncated_or_altered_file_is_refused` of the lab.
#[test]
fn stored_positions_that_are_something_else_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("lee-space-7");
    for bytes in [&b""[..], b"somebody's notes"] {
        fs::write(&path, bytes).unwrap();
        let refused = lab(folder.path()).arg("--full").assert().code(1);
        refused.stderr(
            contains("lee-space-7").and(contains("is not a table or database of Cosette")).and(contains("remove")),
        );
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is left alone");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn too_little_disk_space_is_reported_first() {
    let script = r#""$COSETTE" lab lee times --full --tables "$DIR"; code=$?; ls -A "$DIR"; exit $code"#;
    let Some(output) = with_file_system("size=5m", script) else { return };
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("needs 982 MB more on disk and 5 MB are free") && stderr.contains("free disk space"),
        "{stderr}"
    );
    assert!(output.stdout.is_empty(), "nothing is left behind");
}
