//! `cosette scramble`, `completions` and `man`.

use crate::support::cosette;
use assert_cmd::Command;
use cosette::cube::{Format, ReadOptions, read_position};
use predicates::str::contains;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

fn printed(command: &mut Command) -> Vec<String> {
    let output = command.assert().success().get_output().stdout.clone();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn a_seed_gives_the_same_positions_in_every_format() {
    let drawn = |format: &str, seed: &str| {
        let lines = printed(cosette().args(["scramble", "-n", "20", "--seed", seed, "--format", format]));
        let format: Format = format.parse().unwrap();
        let read = |line: &String| read_position(line, Some(format), &ReadOptions::default()).unwrap().cube;
        lines.iter().map(read).collect::<Vec<_>>()
    };
    let positions = drawn("facelets", "7");
    assert_eq!(positions.len(), 20);
    for format in ["facelets", "reid", "speffz"] {
        assert_eq!(drawn(format, "7"), positions, "{format}");
    }
    assert_ne!(drawn("facelets", "8"), positions);
    assert_ne!(printed(cosette().arg("scramble")), printed(cosette().arg("scramble")));
}

#[test]
fn sequences_have_the_length_asked_for() {
    let arguments = ["scramble", "-n", "5", "--seed", "3", "--length", "25"];
    let sequences = printed(cosette().args(arguments));
    assert_eq!(sequences.len(), 5);
    assert!(sequences.iter().all(|sequence| sequence.split(' ').count() == 25));
    assert_eq!(printed(cosette().args(arguments)), sequences);
    let facelets = printed(cosette().args(arguments).args(["--format", "facelets"]));
    for (sequence, facelets) in sequences.iter().zip(&facelets) {
        let read = |text| read_position(text, None, &ReadOptions::default()).unwrap().cube;
        assert_eq!(read(sequence), read(facelets));
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("cosette"));
    command.args(["scramble", "-n", "1000000"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first.trim_end().len(), 54);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((child.wait().unwrap().code(), &stderr[..]), (Some(0), ""));
}

#[test]
fn completions_contain_the_options() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        cosette().args(["completions", shell]).assert().success().stdout(contains("max-length"));
    }
}

#[test]
fn manual_pages() {
    cosette().arg("man").assert().success().stdout(contains(".TH cosette"));
    cosette().args(["man", "tables", "gen"]).assert().success().stdout(contains("force"));
    cosette().args(["man", "nothing"]).assert().code(2);
    let temporary = tempfile::TempDir::new().unwrap();
    // The folder is created.
    let folder = temporary.path().join("new");
    cosette().args(["man", "--dir"]).arg(&folder).assert().success();
    for page in ["cosette-solve.1", "cosette-bench-memory.1"] {
        assert!(folder.join(page).exists(), "{page}");
    }
}

#[test]
fn help_names_the_exit_codes() {
    cosette().arg("--help").assert().success().stdout(contains("130 interrupted"));
    cosette().arg("--version").assert().success().stdout(contains("cosette 0."));
}
