//! The programs in `examples/`, run as a reader would run them.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The standard output of an example. `cargo test` builds them with the tests, but not if it is
/// told which tests to build: then `cargo build --examples` does, in the same profile.
fn run(example: &str, args: &[&str], input: &str, tables: &Path) -> String {
    let test = std::env::current_exe().unwrap();
    let examples = test.ancestors().nth(2).unwrap().join("examples");
    let mut child = Command::new(examples.join(example))
        .args(args)
        .env("COSETTE_TABLES", tables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{example}: {error}"));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{example} failed");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_question_for_help_runs_no_job() {
    for example in [
        "solve_one",
        "all_solutions",
        "own_tables",
        "solve_many",
        "positions",
        "async_search",
    ] {
        let output = run(example, &["--help"], "", Path::new("/nonexistent"));
        assert!(output.starts_with(&format!("usage: {example}")), "{output}");
        assert_eq!(output.lines().count(), 1, "{output}");
    }
}

#[test]
fn examples_do_what_they_say() {
    let folder = TempDir::new().unwrap();
    let tables = folder.path();
    let own = [tables.to_str().unwrap(), "40000000", "2", "R U2 F'"];
    let output = run("own_tables", &own, "", Path::new("/nonexistent"));
    assert!(output.starts_with("htm-24M: F U2 R', "), "{output}");
    assert!(tables.join("htm-24M.table").exists());
    let one = run("solve_one", &["R U2 F'"], "", tables);
    assert_eq!(one, "F U2 R': 3 moves, proven\n");
    let all = run("all_solutions", &["R L"], "", tables);
    assert_eq!(all, "R' L'\nsolutions of 2 moves: 1\n");
    let by_async = run("async_search", &["R L"], "", tables);
    assert_eq!(by_async, "R' L'\n");
    let many = run("solve_many", &[], "R U\nnonsense\nF2\n\n", tables);
    assert_eq!(many, "2\tU' R'\n1\tF2\n");
    let positions = run("positions", &[], "", tables);
    assert!(positions.contains("has order 6\n"), "{positions}");
    assert!(
        positions.contains("fixed by 48 symmetries\n"),
        "{positions}"
    );
}
