//! `cosette check`: our own answers under a model of the cube that shares no code with ours.

use crate::support::{cosette, json_lines, solve};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn our_answers_have_no_fault_and_wrong_ones_have() {
    // Random walks of 1 to 14 moves, every shortest solution of each; and one of the answers altered.
    let walks: Vec<String> = (1..=14)
        .map(|length| {
            let mut scramble = cosette();
            scramble.args(["scramble", "-n", "3", "--seed", "1", "--length", &length.to_string()]);
            String::from_utf8(scramble.output().unwrap().stdout).unwrap()
        })
        .collect();
    let answers = solve().args(["--json", "--all"]).write_stdin(walks.concat()).output().unwrap();
    assert!(answers.status.success(), "{}", String::from_utf8_lossy(&answers.stderr));
    let checked = cosette().arg("check").write_stdin(answers.stdout.clone()).assert().success();
    checked.stdout(contains("42 answers, ").and(contains(": no fault")));
    let text = String::from_utf8(answers.stdout).unwrap();
    let altered = text.replacen("\"length\":9,\"lower_bound\":9", "\"length\":10,\"lower_bound\":10", 1);
    assert_ne!(text, altered);
    let missing = cosette().args(["check", "none", "-", "neither"]).write_stdin(altered.clone()).assert().code(1);
    missing.stdout(contains("moves, not the proven length")).stderr(contains("none").and(contains("neither")));
    cosette().arg("check").write_stdin(altered).assert().code(1).stdout(contains("moves, not the proven length"));
}

#[test]
fn a_line_that_is_not_text_is_a_fault_of_its_own() {
    let checked = cosette().arg("check").write_stdin(b"\xff\nR, R'\nR, R\n").assert().code(1);
    checked
        .stdout(contains("input:1: expected").and(contains("input:3: `R` does not solve")).and(contains("2 faults")));
}

/// One solution that was chosen among all is not taken for all of them.
#[test]
fn a_preferred_solution_has_no_fault() {
    let answer = solve().args(["--json", "--prefer", "qtm", "U2 D2 F2 B2 L2 R2"]).output().unwrap().stdout;
    assert_eq!(json_lines(&answer)[0]["preferred_among"], 6);
    cosette().arg("check").write_stdin(answer).assert().success().stdout(contains(": no fault"));
}
