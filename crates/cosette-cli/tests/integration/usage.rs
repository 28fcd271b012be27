//! What is refused says what is allowed, in words of the command, as the terminal and the locale can show it.

use crate::support::{EASY, cosette, solve};
use predicates::prelude::*;
use predicates::str::contains;

/// What the libraries say of a wrong number.
const WORDS_OF_LIBRARIES: [&str; 5] = ["unexpected argument", "non-zero type", "Duration", "invalid digit", "not in"];

#[test]
fn a_refused_number_says_what_is_allowed() {
    let refused = |command: &[&str], option: &str, value: &str, allowed: &str| {
        let assert = cosette().args(command).args([option, value]).assert().code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.contains(allowed) && stderr.contains(value), "{stderr}");
        for words in WORDS_OF_LIBRARIES {
            assert!(!stderr.contains(words), "{stderr}");
        }
    };
    let seconds = "write a number of seconds, zero or more, as in 60 or 0.5";
    for command in [&["solve", "R"][..], &["batch", "-"], &["lab", "korf"]] {
        for value in ["-1", "nan", "-0.5", "inf", "soon"] {
            refused(command, "--timeout", value, seconds);
        }
    }
    for command in [&["solve", "R"][..], &["batch", "-"], &["bench", "search"]] {
        for value in ["0", "-1", "1.5", "many"] {
            refused(command, "-n", value, "write a whole number, 1 or more");
        }
        refused(command, "--threads", "-1", "write a number of threads, 1 to ");
        refused(command, "--memory", "-2G", "write a number and a unit, as in 2G or 500M");
    }
    refused(&["solve", "R"], "--max-length", "-1", "write a number of moves, as in 18");
    refused(&["batch", "-"], "--jobs", "-1", "write a number of threads, 1 to ");
    refused(&["scramble"], "--length", "-1", "write a whole number, 0 to 1000000");
    refused(&["scramble"], "--length", "1000001", "write a whole number, 0 to 1000000");
    refused(&["scramble"], "-n", "-1", "write a whole number");
    refused(&["scramble"], "--seed", "-1", "write a whole number");
    refused(&["lab", "korf"], "--max-nodes", "-1", "write a number, as in 1000000 or 1e9");
    refused(&["check"], "--prove", "-1", "write a whole number, 0 to 10");
    refused(&["bench", "memory"], "--runs", "0", "write a whole number, 1 to ");
    refused(&["solve", "R"], "--d-for", "-1", "write a whole number, 1 to 7");
}

#[test]
fn a_limit_beyond_all_is_no_limit() {
    let solved = contains("10 moves, proven");
    solve().args(["--max-length", "1000", EASY]).assert().success().stdout(solved.clone());
    solve().args(["--timeout", "1e300", EASY]).assert().success().stdout(solved);
}

#[test]
fn usage_does_not_ask_for_what_the_environment_gives() {
    let assert = cosette().arg("batch").env("COSETTE_TABLES", "/somewhere").assert().code(2);
    assert.stderr(contains("Usage: cosette batch").and(contains("--tables").not()));
}
