//! Texts that are not positions: exit code 3, what is wrong and where, and how to fix it. No table is needed for that.

use crate::support::{SOLVED, cosette, json_lines, painted, solve, tables};
use cosette::cube::is_displayable;
use predicates::prelude::*;
use predicates::str::contains;

/// Each text with its message and its help. The facelet numbers: U9 = 8 meets R1 = 9 and F3 = 20 in the corner URF; U6 = 5
/// meets R2 = 10 in the edge UR, U8 = 7 meets F2 = 19 in UF; R8 = 16 meets D6 = 32 in DR.
#[test]
fn texts_that_are_not_positions_are_refused() {
    let seven_colours = painted(&[(8, 'P')]);
    // White and yellow on one edge; a yellow facelet elsewhere turned white to keep nine of each.
    let no_such_edge = painted(&[(10, 'Y'), (28, 'R')]);
    // UF shows the colours of UR, and DR those of DF.
    let twice = painted(&[(19, 'R'), (16, 'G')]);
    let flipped = painted(&[(7, 'G'), (19, 'W')]);
    let twisted = painted(&[(8, 'R'), (9, 'G'), (20, 'W')]);
    // UF and UR exchanged.
    let swapped = painted(&[(19, 'R'), (10, 'G')]);
    let folder = tempfile::TempDir::new().unwrap();
    for (text, message, help) in [
        ("", "there is nothing to read", "give moves"),
        (" // a comment", "there is nothing to read", "give moves"),
        ("R U Q F", "`Q` is not a valid move", "moves are U R F D L B"),
        ("R U Q F", "│ R U Q F", "moves are"),
        ("(R U R'", "this `(` is never closed", "close it with `)`"),
        ("R U) R'", "this `)` was never opened", "leave it out"),
        (&SOLVED[1..], "there are 53 facelets", "give 54"),
        (&format!("{SOLVED}B"), "there are 55 facelets", "give 54"),
        (&seven_colours, "`P` on facelet U9 is a seventh colour", "use the colours of the centres"),
        (&no_such_edge, "shows the colours `WY`, which no edge has", "check this slot"),
        (&twice, "appears twice", "must appear once"),
        (&flipped, "an edge is flipped in place", "flip one edge"),
        (&twisted, "a corner is twisted in place", "twist one corner"),
        (&swapped, "two pieces are swapped", "swap two edges or two corners"),
    ] {
        let assert = cosette().arg("solve").arg("--tables").arg(folder.path()).arg(text).assert();
        assert.code(3).stdout("").stderr(contains(message)).stderr(contains("help: ").and(contains(help)));
        assert_eq!(
            folder.path().read_dir().unwrap().count(),
            0,
            "no table is generated for a text that is not a position"
        );
    }
}

#[test]
fn json_says_what_is_wrong() {
    let output = cosette().args(["solve", "--json", "R U Q"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let [line] = &crate::support::json_lines(&output.stdout)[..] else { panic!("one line is written") };
    assert_eq!(line["input"], "R U Q");
    assert_eq!(line["error"], "`Q` is not a valid move");
    assert_eq!(line["span"], serde_json::json!([4, 5]));
}

#[test]
fn wrong_usage_has_its_own_code() {
    for arguments in [
        &["solve", "--metric", "stm", "R"][..],
        &["solve", "--format", "wca", "R"],
        &["solve", "--table", "5G", "R"],
        &["solve", "--memory", "much", "R"],
        &["solve", "--all", "-n", "2", "R"],
        &["solve", "--threads", "0", "R"],
        &["solve", "--timeout", "-1", "R"],
        &["solve", "--metric", "htm", "--table", "qtm-24M", "R"],
        &["solves"],
        &[],
    ] {
        cosette().args(arguments).assert().code(2).stdout("").stderr(contains("Usage").or(contains("--help")));
    }
}

#[test]
fn an_error_far_to_the_right_is_displayable_and_the_other_lines_are_solved() {
    let far = format!("{}Q", "R ".repeat(40_000));
    let number = format!("R U{}", "9".repeat(1_000_000));
    let wide = format!("{}Q", "é".repeat(40_000));
    for bad in [&far, &number, &wide] {
        let output = solve().arg("--json").write_stdin(format!("R U F\n{bad}\nU R\n")).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(errors.len() < 2000, "{} bytes", errors.len());
        assert_eq!(json_lines(&output.stdout).len(), 3, "{errors}");
    }
    // In one line the error is shown with what is around it.
    solve().arg(&far).assert().code(3).stderr(contains("R R R Q").and(contains("not a valid move")));
}

#[test]
fn a_position_cannot_control_the_terminal() {
    let hostile = "\u{1b}]0;x\u{7}R\u{9b}\u{202e}";
    let is_harmless = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).unwrap();
        text.chars().all(|char| is_displayable(char) || char == '\n')
    };
    for arguments in [&["--format", "moves"][..], &["--json"]] {
        let output = solve().args(arguments).arg(hostile).output().unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(is_harmless(&output.stdout) && is_harmless(&output.stderr), "{output:?}");
    }
    // What the comment of a good position holds comes back as data.
    let text = format!("R U // {hostile}");
    let output = solve().args(["--json", &text]).output().unwrap();
    assert!(is_harmless(&output.stdout));
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["input"], text);
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_shown_still_has_its_exit_code() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for (text, code) in [("R U", 0), ("R Q", 3)] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("cosette"));
        command.args(["-vvv", "solve", "--table", "24M", text, "--tables"]).arg(tables());
        let output = command.stderr(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
    }
}
