//! What is refused says what is allowed, in words of the command, as the terminal and the locale can show it.

use crate::support::{EASY, SUPERFLIP, cosette, solve, tables};
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

#[test]
fn errors_keep_to_the_locale() {
    for (locale, is_ascii) in [("C", true), ("POSIX", true), ("de_DE.ISO-8859-1", true), ("C.UTF-8", false)] {
        let assert = solve().env("LC_ALL", locale).arg("R U É").assert().code(3);
        let stderr = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(stderr.contains("not a valid move") && stderr.is_ascii() == is_ascii, "{locale}: {stderr}");
    }
}

/// A terminal of this many columns, by `script`, where it is installed.
#[cfg(target_os = "linux")]
fn on_terminal(columns: u8, locale: &str, command: &str) -> Option<String> {
    let program = cosette().get_program().to_str().unwrap().to_owned();
    let line = format!("stty cols {columns} rows 24; {program} {command}");
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("LC_ALL", locale).env("NO_COLOR", "1").env_remove("COLUMNS");
    let output = script.stdin(std::process::Stdio::null()).output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn a_tiny_terminal_shows_whole_words() {
    let Some(tiny) = on_terminal(10, "C.UTF-8", "solve 'R U Q'") else { return eprintln!("skipped: no script") };
    assert!(tiny.contains("error: `Q` is not a valid move") && tiny.contains("help: moves are U R F D L B"), "{tiny}");
    let search = format!(r#"solve --table 24M --timeout 0.5 --tables {} "{SUPERFLIP}""#, tables().display());
    for (columns, locale) in [(20, "C.UTF-8"), (80, "C"), (10, "C")] {
        let shown = on_terminal(columns, locale, &search).unwrap();
        assert!(shown.contains("not solved: the shortest solution has"), "{shown}");
        assert!(locale != "C" || shown.is_ascii(), "{shown:?}");
        // A bar of one line is replaced without going up.
        assert!(!shown.contains("\u{1b}[2A"), "{columns} columns: {shown:?}");
    }
}
