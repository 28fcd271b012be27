//! Errors in long or hostile texts: short, and in characters that a terminal can show.

use crate::support::{json_lines, solve};
use cosette::cube::is_displayable;
use predicates::prelude::*;
use predicates::str::contains;

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
    let is_harmless = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        text.chars()
            .all(|char| is_displayable(char) || char == '\n')
    };
    for arguments in [&["--input-format", "moves"][..], &["--json"]] {
        let output = solve().args(arguments).arg(hostile).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(
            is_harmless(&output.stdout) && is_harmless(&output.stderr),
            "{output:?}"
        );
    }
    // The comment of a valid position is returned as data.
    let text = format!("R U // {hostile}");
    let output = solve().args(["--json", &text]).output().unwrap();
    assert!(is_harmless(&output.stdout));
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["input"],
        text
    );
}
