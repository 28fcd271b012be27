//! `cosette scramble`, `check`, `completions` and `man`.

use crate::support::{apart, cosette, json_lines, solve};
use assert_cmd::Command;
use cosette::cube::{Format, ParseOptions, parse_position};
use predicates::prelude::*;
use predicates::str::contains;
use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read};

fn printed(command: &mut Command) -> Vec<String> {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_seed_gives_the_same_positions_in_every_format() {
    let drawn = |format: &str, seed: &str| {
        let lines =
            printed(cosette().args(["scramble", "-n", "20", "--seed", seed, "--format", format]));
        let format: Format = format.parse().unwrap();
        let read = |line: &String| {
            parse_position(line, Some(format), &ParseOptions::default())
                .unwrap()
                .cube
        };
        lines.iter().map(read).collect::<Vec<_>>()
    };
    let positions = drawn("facelets", "7");
    assert_eq!(positions.len(), 20);
    for format in ["facelets", "reid", "speffz"] {
        assert_eq!(drawn(format, "7"), positions, "{format}");
    }
    assert_ne!(drawn("facelets", "8"), positions);
    assert_ne!(
        printed(cosette().arg("scramble")),
        printed(cosette().arg("scramble"))
    );
}

#[test]
fn sequences_have_the_length_asked_for() {
    let arguments = ["scramble", "-n", "5", "--seed", "3", "--length", "25"];
    let sequences = printed(cosette().args(arguments));
    assert_eq!(sequences.len(), 5);
    assert!(
        sequences
            .iter()
            .all(|sequence| sequence.split(' ').count() == 25)
    );
    assert_eq!(printed(cosette().args(arguments)), sequences);
    let facelets = printed(cosette().args(arguments).args(["--format", "facelets"]));
    for (sequence, facelets) in sequences.iter().zip(&facelets) {
        let read = |text| {
            parse_position(text, None, &ParseOptions::default())
                .unwrap()
                .cube
        };
        assert_eq!(read(sequence), read(facelets));
    }
}

#[test]
fn scrambles_of_a_case_lead_to_it() {
    let case = "R U R' U' R' F R2 U' R' U' R U R' F'";
    let arguments = ["scramble", "--case", case, "-n", "20", "--seed", "3"];
    let scrambles = printed(cosette().args(arguments));
    assert_eq!(scrambles.iter().collect::<HashSet<_>>().len(), 20);
    assert_eq!(printed(cosette().args(arguments)), scrambles);
    // A model of the cube that shares no code with that of the library checks that the case undone
    // solves each.
    let file = tempfile::NamedTempFile::new().unwrap();
    let write = |scrambles: &[String], solution: &str| {
        let lines: Vec<String> = scrambles
            .iter()
            .map(|scramble| format!("{scramble}, {solution}\n"))
            .collect();
        std::fs::write(file.path(), lines.concat()).unwrap();
        cosette().arg("check").arg(file.path()).assert()
    };
    write(&scrambles, case).success();
    write(&scrambles, "R U R' U'").code(1);
    let long = printed(cosette().args(arguments).args(["--min-length", "30"]));
    assert!(
        long.iter()
            .all(|scramble| scramble.split(' ').count() >= 30)
    );
    write(&long, case).success();
    let turned = printed(cosette().args(arguments).args(["--pre-auf", "--post-auf"]));
    let read = |text: &str| {
        parse_position(text, None, &ParseOptions::default())
            .unwrap()
            .cube
    };
    let is_turned = |scramble: &String| {
        let images = ["U U'", "U", "U2", "U'"].iter().flat_map(|post| {
            ["U U'", "U", "U2", "U'"].map(|pre| read(&format!("{post} {case} {pre}")))
        });
        images.into_iter().any(|image| image == read(scramble))
    };
    assert!(turned.iter().all(is_turned));
    assert!(turned.iter().any(|scramble| read(scramble) != read(case)));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = apart(cosette().args(["scramble", "-n", "1000000"]))
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert_eq!(first.trim_end().len(), 54);
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    assert_eq!((child.wait().unwrap().code(), &stderr[..]), (Some(0), ""));
}

#[test]
fn completions_contain_the_options() {
    for (shell, knows_names) in [
        ("bash", true),
        ("elvish", false),
        ("fish", true),
        ("powershell", false),
        ("zsh", true),
    ] {
        let script = cosette()
            .args(["completions", shell])
            .output()
            .unwrap()
            .stdout;
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains("max-length"), "{shell}");
        // Of tables and metrics.
        assert!(
            !knows_names || ["htm-1.5G", "qtm"].iter().all(|name| script.contains(name)),
            "{shell}"
        );
    }
}

#[test]
fn manual_pages() {
    cosette()
        .arg("man")
        .assert()
        .success()
        .stdout(contains(".TH cosette"));
    let footer = concat!("\"cosette ", env!("CARGO_PKG_VERSION"), "\"");
    let page = cosette().args(["man", "tables", "gen"]).assert().success();
    page.stdout(
        contains("force")
            .and(contains(footer))
            .and(contains("COSETTE_METRIC")),
    );
    cosette().args(["man", "nothing"]).assert().code(2);
    let temporary = tempfile::TempDir::new().unwrap();
    // The folder is created.
    let folder = temporary.path().join("new");
    cosette()
        .args(["man", "--dir"])
        .arg(&folder)
        .assert()
        .success();
    for page in ["cosette-solve.1", "cosette-bench-memory.1"] {
        assert!(folder.join(page).exists(), "{page}");
    }
    let file = folder.join("cosette.1");
    cosette()
        .args(["man", "--dir"])
        .arg(&file)
        .assert()
        .code(1)
        .stderr(contains("cannot write to").and(contains("cosette.1")));
    assert!(
        !folder.join("cosette-tables-help.1").exists() && !folder.join("cosette-help.1").exists()
    );
}

#[test]
fn help_names_the_exit_codes() {
    cosette()
        .arg("--help")
        .assert()
        .success()
        .stdout(contains("130 interrupted"));
    cosette()
        .arg("--version")
        .assert()
        .success()
        .stdout(contains("cosette 0."));
}

#[test]
fn our_answers_have_no_fault_and_wrong_ones_have() {
    // Random walks of 1 to 14 moves, every shortest solution of each; and one of the answers
    // altered.
    let walks: Vec<String> = (1..=14)
        .map(|length| {
            let mut scramble = cosette();
            scramble.args([
                "scramble",
                "-n",
                "3",
                "--seed",
                "1",
                "--length",
                &length.to_string(),
            ]);
            String::from_utf8(scramble.output().unwrap().stdout).unwrap()
        })
        .collect();
    let answers = solve()
        .args(["--json", "--all"])
        .write_stdin(walks.concat())
        .output()
        .unwrap();
    assert!(
        answers.status.success(),
        "{}",
        String::from_utf8_lossy(&answers.stderr)
    );
    let checked = cosette()
        .arg("check")
        .write_stdin(answers.stdout.clone())
        .assert()
        .success();
    checked.stdout(contains("42 answers, ").and(contains(": no errors")));
    let text = String::from_utf8(answers.stdout).unwrap();
    let bounds = |length: u8, lower: u8| {
        format!("\"length\":{length},\"lower_bound\":{lower},\"upper_bound\":{length}")
    };
    let with = |length, lower| text.replacen(&bounds(9, 9), &bounds(length, lower), 1);
    let altered = with(10, 10);
    assert_ne!(text, altered);
    let loose = cosette()
        .arg("check")
        .write_stdin(with(9, 8))
        .assert()
        .code(1);
    loose.stdout(contains(
        "`length` contradicts `lower_bound` or `upper_bound`",
    ));
    let missing = cosette()
        .args(["check", "none", "-", "neither"])
        .write_stdin(altered.clone())
        .assert()
        .code(1);
    missing
        .stdout(contains("moves, not the proven length"))
        .stderr(contains("none").and(contains("neither")));
    cosette()
        .arg("check")
        .write_stdin(altered)
        .assert()
        .code(1)
        .stdout(contains("moves, not the proven length"));
    let of_goal = "{\"input\":\"R\",\"goal\":\"cross:D\",\"length\":1,\"solutions\":[\"R'\"]}\n";
    let checked = cosette()
        .arg("check")
        .write_stdin(of_goal.repeat(3))
        .assert()
        .success();
    checked.stdout(
        contains("1: its goal is `cross:D`: not checked").and(contains("3 answers like this")),
    );
}

#[test]
fn a_line_that_is_not_text_is_a_fault_of_its_own() {
    let checked = cosette()
        .arg("check")
        .write_stdin(b"\xff\nR, R'\nR, R\n")
        .assert()
        .code(1);
    checked.stdout(
        contains("input:1: expected")
            .and(contains("input:3: `R` does not solve"))
            .and(contains("2 errors")),
    );
}

/// One solution that was chosen among all is not taken for all of them.
#[test]
fn a_preferred_solution_has_no_fault() {
    let answer = solve()
        .args(["--json", "--prefer", "qtm", "U2 D2 F2 B2 L2 R2"])
        .output()
        .unwrap()
        .stdout;
    assert_eq!(json_lines(&answer)[0]["preferred_among"], 6);
    cosette()
        .arg("check")
        .write_stdin(answer)
        .assert()
        .success()
        .stdout(contains(": no errors"));
}
