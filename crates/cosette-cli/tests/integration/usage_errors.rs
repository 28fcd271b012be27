//! Rejected input: invalid positions, with exit code 3, and usage errors, with exit code 2. An
//! error has a message, a location and a remedy, in characters that the terminal and the locale can
//! show.

use crate::support::{EASY, SOLVED, apart, cosette, json_lines, solve};
use cosette::cube::is_displayable;
use predicates::prelude::*;
use predicates::str::contains;

/// Errors are shown with their help and their line. (Their messages are tested by `formats`,
/// `texts` and `notation` of the library.)
#[test]
fn texts_that_are_not_positions_are_refused() {
    let folder = tempfile::TempDir::new().unwrap();
    for (text, message, help) in [
        ("", "there is nothing to read", "give moves"),
        (
            "R U Q F",
            "`Q` is not a valid move",
            "moves are U R F D L B",
        ),
        ("R U Q F", "1 | R U Q F\n  |     ^", "moves are"),
        (&SOLVED[1..], "there are 53 facelets", "give 54"),
    ] {
        let assert = cosette()
            .arg("solve")
            .arg("--tables")
            .arg(folder.path())
            .arg(text)
            .assert();
        assert
            .code(3)
            .stdout("")
            .stderr(contains(message))
            .stderr(contains("help: ").and(contains(help)));
        let files = folder.path().read_dir().unwrap().count();
        assert_eq!(
            files, 0,
            "no table is generated for a text that is not a position"
        );
    }
}

#[test]
fn wrong_usage_has_its_own_code() {
    for arguments in [
        &["solve", "--metric", "ftm", "R"][..],
        &["bench", "search", "--metric", "stm"],
        &["solve", "--input-format", "wca", "R"],
        &["solve", "--table", "5G", "R"],
        &["solve", "--all", "-n", "2", "R"],
        &["solve", "--metric", "htm", "--table", "qtm-24M", "R"],
        &["coset"],
        &["coset", "R U", "--max-distance", "3", "--list", "4"],
        &["coset", "R U", "-n", "4"],
        &["coset", "R U", "--max-distance", "21"],
        &["coset", "R U", "--batch", "list"],
        &["coset", "R U", "--journal", "j"],
        &["coset", "--batch", "list", "--save", "f"],
        &["tables", "gen"],
        &["solves"],
        &[],
    ] {
        cosette()
            .args(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains("Usage").or(contains("--help")));
    }
    cosette()
        .arg("coset")
        .assert()
        .code(2)
        .stderr(contains("--batch <FILE>"));
    let assert = cosette().args(["coset", "--journal", "j"]).assert().code(2);
    assert.stderr(contains("not provided:\n  --batch <FILE>\n"));
}

#[test]
fn the_option_that_contradicts_another_is_named() {
    for (arguments, said) in [
        (
            &[
                "solve",
                "--solution-format",
                "scramble",
                "-n",
                "5",
                "--slack",
                "1",
                "R U R' U'",
            ][..],
            "not to a search with --slack",
        ),
        (
            &[
                "solve",
                "--solution-format",
                "scramble",
                "-n",
                "5",
                "--slack",
                "1",
                "R U R' U'",
            ],
            "`cosette scramble --case`",
        ),
        (
            &["solve", "--solution-format", "niss", "--goal", "cross", "R"],
            "remove --solution-format or --goal",
        ),
        (
            &[
                "batch",
                "--solution-format",
                "link",
                "--moves",
                "R U",
                "list",
            ],
            "remove --solution-format or --moves",
        ),
        (
            &["scramble", "--case", "R", "--length", "5"],
            "use --min-length with --case",
        ),
        (
            &["scramble", "--case", "R", "--format", "facelets"],
            "remove --format",
        ),
        (
            &["scramble", "--case", "R", "--metric", "qtm"],
            "remove --metric",
        ),
        (&["scramble", "--min-length", "30"], "--case <POSITION>"),
        (&["scramble", "--pre-auf"], "--case <POSITION>"),
    ] {
        cosette()
            .args(arguments)
            .assert()
            .code(2)
            .stdout("")
            .stderr(contains(said));
    }
    let assert = cosette().args(["scramble", "--case", "R Q"]).assert();
    assert
        .code(3)
        .stdout("")
        .stderr(contains("`Q` is not a valid move"));
}

#[test]
fn an_error_of_a_variable_names_it() {
    for (variable, value, named) in [
        (
            "COSETTE_METRIC",
            "furlong",
            "--metric <METRIC> (or COSETTE_METRIC)",
        ),
        ("COSETTE_THREADS", "0", "--threads <N> (or COSETTE_THREADS)"),
        ("COSETTE_TABLE", "huge", "--table <NAME> (or COSETTE_TABLE)"),
        (
            "COSETTE_MEMORY",
            "much",
            "--memory <SIZE> (or COSETTE_MEMORY)",
        ),
    ] {
        cosette()
            .args(["solve", "R"])
            .env(variable, value)
            .assert()
            .code(2)
            .stderr(contains(named));
    }
    let option = cosette()
        .args(["solve", "--threads", "0", "R"])
        .assert()
        .code(2);
    option.stderr(contains("'--threads <N>'"));
}

#[test]
fn a_coset_takes_no_more_memory_than_it_may() {
    let assert = cosette()
        .args(["coset", "--memory", "1G", "R", "U"])
        .assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains("a coset needs 5684 MB of memory"));
}

#[test]
fn what_is_no_folder_of_a_coset_stays_as_it_is() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "R U R' U'").unwrap();
    let assert = cosette()
        .args(["coset", "R U", "--save"])
        .arg(file.path())
        .assert();
    assert
        .code(1)
        .stdout("")
        .stderr(contains("cannot create the folder").and(contains("use a new folder")));
    assert_eq!(std::fs::read(file.path()).unwrap(), b"R U R' U'");
    let assert = cosette()
        .args(["coset", "--batch", "-"])
        .write_stdin("# no position\nR U Q\n")
        .assert();
    assert
        .code(3)
        .stdout("")
        .stderr(contains("`Q` is not a valid move"));
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
    // What the comment of a good position holds comes back as data.
    let text = format!("R U // {hostile}");
    let output = solve().args(["--json", &text]).output().unwrap();
    assert!(is_harmless(&output.stdout));
    assert_eq!(
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["input"],
        text
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_shown_still_has_its_exit_code() {
    let full = || {
        std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for (text, code) in [("R U", 0), ("R Q", 3)] {
        let output = apart(solve().args(["-vvv", text]))
            .stderr(full())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code));
    }
}

/// Phrases of the libraries' messages about invalid numbers, which must not be shown.
const WORDS_OF_LIBRARIES: [&str; 5] = [
    "unexpected argument",
    "non-zero type",
    "Duration",
    "invalid digit",
    "not in",
];

#[test]
fn a_refused_number_says_what_is_allowed() {
    let refused = |command: &[&str], option: &str, value: &str, allowed: &str| {
        let assert = cosette()
            .args(command)
            .args([option, value])
            .assert()
            .code(2);
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(
            stderr.contains(allowed) && stderr.contains(value),
            "{stderr}"
        );
        for words in WORDS_OF_LIBRARIES {
            assert!(!stderr.contains(words), "{stderr}");
        }
    };
    let seconds = "write a non-negative number of seconds, such as 60 or 0.5";
    for command in [&["solve", "R"][..], &["batch", "-"]] {
        for value in ["-1", "nan"] {
            refused(command, "--timeout", value, seconds);
        }
    }
    for command in [&["solve", "R"][..], &["batch", "-"], &["bench", "search"]] {
        for value in ["0", "1.5", "many"] {
            refused(command, "-n", value, "write a whole number of at least 1");
        }
        let limit = cosette::ThreadCount::limit();
        for value in ["-1", "0", "many"] {
            refused(
                command,
                "--threads",
                value,
                &format!("write a number of threads from 1 to {limit}"),
            );
        }
        refused(
            command,
            "--threads",
            "100000",
            &format!("this machine supports at most {limit}"),
        );
        refused(
            command,
            "--memory",
            "-2G",
            "write a number with a unit, such as 2G or 500M",
        );
    }
    refused(
        &["solve", "R"],
        "--max-length",
        "-1",
        "write a number of moves, such as 18",
    );
    refused(
        &["batch", "-"],
        "--jobs",
        "-1",
        "write a number of threads from 1 to ",
    );
    refused(
        &["scramble"],
        "--length",
        "-1",
        "write a whole number from 0 to 1000000",
    );
    refused(
        &["scramble"],
        "--length",
        "1000001",
        "write a whole number from 0 to 1000000",
    );
    refused(&["scramble"], "-n", "-1", "write a whole number");
    refused(&["scramble"], "--seed", "-1", "write a whole number");
    refused(
        &["check"],
        "--prove",
        "-1",
        "write a whole number from 0 to 10",
    );
    refused(
        &["bench", "memory"],
        "--runs",
        "0",
        "write a whole number from 1 to ",
    );
}

#[test]
fn a_limit_beyond_all_is_no_limit() {
    let solved = contains("10 moves, proven");
    solve()
        .args(["--max-length", "1000", EASY])
        .assert()
        .success()
        .stdout(solved.clone());
    solve()
        .args(["--timeout", "1e300", EASY])
        .assert()
        .success()
        .stdout(solved);
}

#[test]
fn usage_does_not_ask_for_what_the_environment_gives() {
    let assert = cosette()
        .arg("batch")
        .env("COSETTE_TABLES", "/somewhere")
        .assert()
        .code(2);
    assert.stderr(contains("Usage: cosette batch").and(contains("--tables").not()));
}
