//! Many positions: formats, journals, and being killed.

use crate::support::{SUPERFLIP, apart, cosette, json_lines, position, tables};
use assert_cmd::Command;
use cosette::cube::{DisplayMoves, random_walks};
use predicates::prelude::*;
use predicates::str::contains;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Five positions, of which two are equal up to symmetry and inversion, and a line that is not a
/// position.
const LIST: &str = "# a list\nR U F\nR U Q\n\nF' U' R'\nR U R' U' F2 D L B2 R D\n// the end\nU2 D2 F2 B2 L2 R2\nR2\n";

/// `cosette batch` with the smallest table.
fn batch() -> Command {
    let mut command = cosette();
    command
        .arg("batch")
        .arg("--tables")
        .arg(tables())
        .args(["--table", "24M"]);
    command
}

/// A folder with a list of positions in it.
fn folder_with(list: &str) -> (TempDir, PathBuf, PathBuf) {
    let folder = TempDir::new().unwrap();
    let [list_file, journal] = ["list.txt", "journal"].map(|name| folder.path().join(name));
    fs::write(&list_file, list).unwrap();
    (folder, list_file, journal)
}

/// Returns the lengths by line. Panics if a line has two results, or if a solution does not solve
/// its position.
fn lengths(output: &[u8]) -> BTreeMap<u64, u64> {
    let mut lengths = BTreeMap::new();
    for answer in json_lines(output)
        .iter()
        .filter(|answer| answer["error"].is_null())
    {
        let solution = answer["solutions"][0].as_str().unwrap();
        let [input, solution] = [answer["input"].as_str().unwrap(), solution].map(position);
        assert!((input * solution).is_solved(), "{answer}");
        let before = lengths.insert(
            answer["line"].as_u64().unwrap(),
            answer["length"].as_u64().unwrap(),
        );
        assert_eq!(before, None, "{answer}");
    }
    lengths
}

#[test]
fn answers_are_written_as_text_csv_and_json() {
    let (_folder, list, _) = folder_with(LIST);
    let output = batch().arg(&list).arg("--ordered").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    let stdout = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = stdout.lines().collect();
    // Line i of the output answers line i of the list.
    assert!(
        lines[1].starts_with("F' U' R'  // line 2: 3 htm, proven, htm-24M, "),
        "{stdout}"
    );
    assert_eq!(lines[2], "// line 3: not a position");
    assert_eq!(
        lines[4],
        "R U F  // line 5: 3 htm, proven, as line 2 up to symmetry and inversion"
    );
    assert_eq!((lines[0], lines[3], lines[6], lines.len()), ("", "", "", 9));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("line 3: `Q` is not a valid move") && stderr.contains(" 3 │ R U Q"),
        "{stderr}"
    );

    let csv = batch()
        .arg("-")
        .args(["--ordered", "--output-format", "csv"])
        .write_stdin(LIST)
        .output()
        .unwrap()
        .stdout;
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[1].starts_with("2,R U F,moves,") && lines[2].contains(",`Q` is not a valid move,"),
        "{csv}"
    );
    assert_eq!(lines.len(), 7);

    let Output {
        stdout: json,
        stderr,
        ..
    } = batch().arg(&list).arg("--json").output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&stderr),
        "one position cannot be read; see its `error`\n"
    );
    assert_eq!(
        lengths(&json),
        BTreeMap::from([(2, 3), (5, 3), (6, 10), (8, 6), (9, 1)])
    );
    assert_eq!(
        json_lines(&json)
            .iter()
            .filter(|answer| answer["error"] == "`Q` is not a valid move")
            .count(),
        1
    );
}

#[test]
fn solutions_take_the_form_that_is_asked_for() {
    let (_folder, list, _) = folder_with(LIST);
    let quiet = batch().arg(&list).arg("-q").assert().code(3);
    let text = String::from_utf8(quiet.get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        (lines[1], lines[2], lines[4]),
        ("F' U' R'", "// line 3: not a position", "R U F")
    );
    assert!(lines.len() == 9 && lines[8] == "R2", "{text}");

    let scrambles = batch()
        .arg("-")
        .args(["-q", "--solution-format", "scramble"])
        .write_stdin("R U F\n")
        .assert();
    scrambles.success().stdout("R U F\n").stderr("");
    let niss = batch()
        .arg("-")
        .args(["--solution-format", "niss"])
        .write_stdin("F' U' R'\n")
        .assert();
    niss.success().stdout(predicates::str::starts_with(
        "R U (F')  // line 1: 3 htm, proven",
    ));
    for other in [
        &["--solution-format", "niss", "--json"][..],
        &["--solution-format", "niss", "--csv"],
        &["-q", "--json"],
    ] {
        batch().arg(&list).args(other).assert().code(2);
    }
}

#[test]
fn solutions_are_preferred_and_explained() {
    // Six half turns, or the same with quarter turns where opposite faces turn together: nine of
    // the twelve moves of qtm.
    let pattern = "U2 D2 F2 B2 L2 R2";
    let (_folder, list, journal) = folder_with(&format!("{pattern}\nR U F\nF' U' R'\n"));
    let explained = |more: &[&str]| {
        let output = batch()
            .arg(&list)
            .args(["--explain", "--json", "--ordered", "--no-dedupe"])
            .args(more)
            .output();
        json_lines(&output.unwrap().stdout)
    };
    let alone: Vec<Value> = explained(&[])
        .iter()
        .map(|answer| answer["explanation"].clone())
        .collect();
    assert!(
        alone[0]["solutions"]["count"].as_u64() > Some(1),
        "{alone:?}"
    );
    let output = batch()
        .arg(&list)
        .args(["--explain", "--json", "--ordered"])
        .output()
        .unwrap();
    let carried = json_lines(&output.stdout);
    assert_eq!(carried[2]["equivalent_to_line"], 2);
    for (answer, alone) in carried.iter().zip(&alone) {
        assert_eq!(&answer["explanation"], alone);
    }
    batch()
        .arg(&list)
        .arg("--explain")
        .assert()
        .success()
        .stdout(contains("symmetries besides the identity fix it"));
    let csv = batch()
        .arg(&list)
        .args(["--explain", "--csv"])
        .assert()
        .success();
    csv.stdout(
        contains(",equivalent_to_line,explanation,error")
            .and(contains("symmetries besides the identity fix it")),
    );

    let preferred = |more: &[&str]| {
        let mut command = batch();
        command
            .arg(&list)
            .args(["--prefer", "qtm", "--json", "--ordered", "--journal"])
            .arg(&journal)
            .args(more);
        command.output().unwrap()
    };
    for answer in json_lines(&preferred(&[]).stdout) {
        assert_eq!(
            (&answer["solution_count"], &answer["optimal"]),
            (&1.into(), &true.into()),
            "{answer}"
        );
    }
    assert_eq!(
        json_lines(&preferred(&[]).stdout).len(),
        3,
        "the journal is continued"
    );
    let other = batch()
        .arg(&list)
        .arg("--journal")
        .arg(&journal)
        .assert()
        .code(1);
    other.stderr(contains("prefer"));
}

#[test]
fn optimal_moves_are_found() {
    let (_folder, list, journal) = folder_with("R U F\nF' U' R'\n");
    let mut command = batch();
    command
        .arg(&list)
        .args(["--optimal-moves", "--json", "--ordered", "--journal"])
        .arg(&journal);
    let answers = json_lines(&command.output().unwrap().stdout);
    for (answer, first) in answers.iter().zip(["F'", "R"]) {
        assert_eq!(answer["optimal_moves"], json!([first]));
        let after = answer["neighbor_distances"].as_array().unwrap();
        assert_eq!(
            (
                after.len(),
                after.iter().filter(|&length| *length == 2).count()
            ),
            (18, 1),
            "{answer}"
        );
        assert_eq!(
            answer["equivalent_to_line"],
            Value::Null,
            "the optimal moves of the inverse are others"
        );
    }
    let again = json_lines(&command.output().unwrap().stdout);
    assert_eq!(again, answers);
    batch()
        .arg(&list)
        .arg("--optimal-moves")
        .assert()
        .success()
        .stdout(contains("// optimal moves: F'"));
    let refused = batch()
        .arg(&list)
        .args(["--optimal-moves", "--goal", "cross"])
        .assert()
        .code(2);
    refused.stderr(contains("--optimal-moves applies only to"));
    batch()
        .arg(&list)
        .arg("--journal")
        .arg(&journal)
        .assert()
        .code(1)
        .stderr(contains("optimal-moves"));
}

#[test]
fn bad_arguments_are_refused() {
    let (folder, list, _) = folder_with(LIST);
    batch()
        .arg(&list)
        .arg("--strict")
        .assert()
        .code(3)
        .stdout("")
        .stderr(contains("nothing was solved"));
    batch()
        .arg(folder.path().join("none"))
        .assert()
        .code(1)
        .stderr(contains("cannot read the positions in"));
    batch()
        .arg("-")
        .write_stdin("# nothing\n")
        .assert()
        .code(1)
        .stderr(contains("standard input contains no positions"));
    batch().assert().code(2).stderr(contains("<FILE>"));
    batch()
        .args([&list, &list])
        .assert()
        .code(2)
        .stderr(contains("batch reads only one file"));
    batch()
        .arg(&list)
        .args(["--jobs", "3", "--threads", "2"])
        .assert()
        .code(2)
        .stderr(contains("raise --threads"));
}

/// Names are in the results. (`name` and `list` of `cosette-app` test their syntax.)
#[test]
fn names_are_in_the_answers() {
    let cases = "T-perm: R U F\n\nAa - x R U Q\nF: R U R'\nSune\tR U R' U R U2 R'\nF' U' R'\n";
    let (_folder, list, journal) = folder_with(cases);
    let run = |list: &Path| {
        let output = batch()
            .arg(list)
            .args(["--json", "--ordered", "--journal"])
            .arg(&journal)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3));
        let answers = json_lines(&output.stdout);
        answers
            .iter()
            .map(|answer| format!("{} {} {}", answer["line"], answer["name"], answer["input"]))
            .collect::<Vec<_>>()
    };
    let expected = [
        r#"1 "T-perm" "R U F""#,
        r#"3 null "Aa - x R U Q""#,
        r#"4 null "F: R U R'""#,
        r#"5 "Sune" "R U R' U R U2 R'""#,
        r#"6 null "F' U' R'""#,
    ];
    assert_eq!(run(&list), expected);
    assert_eq!(run(&list), expected, "a journal is continued with them");
    // A name is no part of the position, so it may change.
    let renamed = list.with_file_name("renamed.txt");
    fs::write(&renamed, cases.replace("T-perm", "Ra")).unwrap();
    assert_eq!(run(&renamed)[0], r#"1 "Ra" "R U F""#);

    let text = batch().arg(&list).arg("--ordered").assert().code(3);
    let said = contains("F' U' R'  // line 1, T-perm: 3 htm, proven")
        .and(contains("// line 5, Sune: 7 htm, proven"));
    text.stdout(said)
        .stderr(contains("line 4: `F` may be a name or part of the moves"));
    let csv = batch()
        .arg(&list)
        .args(["--ordered", "--csv"])
        .output()
        .unwrap()
        .stdout;
    let csv = String::from_utf8(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert!(
        lines[0].ends_with(",neighbor_distances,name")
            && lines[1].ends_with(",T-perm")
            && lines[5].ends_with(','),
        "{csv}"
    );
    // What is written is read again, with the names.
    for (option, file) in [("--csv", "answers.csv"), ("--json", "answers.jsonl")] {
        let answers = list.with_file_name(file);
        fs::write(
            &answers,
            batch()
                .arg(&list)
                .args(["--ordered", option])
                .output()
                .unwrap()
                .stdout,
        )
        .unwrap();
        let again = batch()
            .arg(&answers)
            .args(["--json", "--ordered"])
            .output()
            .unwrap()
            .stdout;
        let again = json_lines(&again);
        let read: Vec<_> = again
            .iter()
            .map(|answer| (&answer["name"], &answer["length"]))
            .collect();
        let null = Value::Null;
        let expected = [
            (&json!("T-perm"), &json!(3)),
            (&null, &null),
            (&null, &null),
            (&json!("Sune"), &json!(7)),
            (&null, &json!(3)),
        ];
        assert_eq!(read, expected, "{file}");
        cosette().arg("check").arg(&answers).assert().success();
    }
}

/// Unsupported files are errors. (`list` and `file_kind` of `cosette-app` test which files are
/// supported.)
#[test]
fn files_that_are_no_lists_are_told_once() {
    let folder = TempDir::new().unwrap();
    let run = |name: &str, content: &[u8], option: &str| {
        let file = folder.path().join(name);
        fs::write(&file, content).unwrap();
        let Output {
            status,
            stdout,
            stderr,
        } = batch()
            .arg(&file)
            .args([option, "--ordered"])
            .output()
            .unwrap();
        let [stdout, stderr] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (status.code(), stdout, stderr)
    };
    let rows = "SomeOpen2024\t333\t1000\t1100\n".repeat(1000);
    for (name, content, said) in [
        (
            "results.tsv",
            format!("competitionId\teventId\tbest\taverage\n{rows}").as_bytes(),
            "a table without a recognized column",
        ),
        ("list.xlsx", b"PK\x03\x04\x14\0", "save a sheet as CSV"),
        ("list.pdf", b"%PDF-1.7\n", "a PDF document"),
        (
            "list.html",
            b"<!DOCTYPE html>\n<html>\n<p>R U F</p>\n",
            "HTML",
        ),
        ("list.bin", b"\x01\x02\0\x03", "binary"),
        (
            "times.jsonl",
            "{\"time\": 12.3}\n".repeat(1000).as_bytes(),
            "jq -r",
        ),
    ] {
        for option in ["--json", "--csv", "--quiet"] {
            let (code, stdout, stderr) = run(name, content, option);
            assert!(
                code == Some(1) && stdout.is_empty() && stderr.contains(said),
                "{name}: {stdout}{stderr}"
            );
            assert!(
                stderr.lines().count() < 5 && stderr.contains("not a list of positions"),
                "{name}: {stderr}"
            );
        }
    }
    let backup = "Puzzle;Category;Time(millis);Date(millis);Scramble;Penalty;Comment\n\
                  \"333\";\"Normal\";\"12340\";\"1700000000000\";\"R U F\";\"0\";\"\"\n\
                  \"222\";\"Normal\";\"2340\";\"1700000000001\";\"R U' R2\";\"0\";\"\"\n\
                  \"333\";\"Normal\";\"11340\";\"1700000000002\";\"R2\";\"2\";\"late; +2\"\n";
    let (code, stdout, stderr) = run("backup.txt", backup.as_bytes(), "--quiet");
    assert_eq!(
        (code, &stdout[..], &stderr[..]),
        (Some(0), "\nF' U' R'\n\nR2\n", "")
    );
    let (_, _, stderr) = run("backup.txt", backup.as_bytes(), "--json");
    assert_eq!(
        stderr,
        "line 1 is a heading and is skipped\none scramble of another puzzle is skipped\n"
    );
}

#[test]
fn a_journal_is_continued() {
    let (_folder, list, journal) = folder_with(LIST);
    let run = || {
        batch()
            .arg(&list)
            .arg("--journal")
            .arg(&journal)
            .args(["--json", "--ordered"])
            .output()
            .unwrap()
            .stdout
    };
    let first = run();
    assert_eq!(lengths(&first).len(), 5);
    assert_eq!(run(), first, "what is read back is what was found");
    let mut command = cosette();
    command.args(["batch", "stats"]).arg(&journal).assert().success().stdout(
        contains("5 of 6 positions answered, 5 with a proven length in htm; the others are not searched yet, reached")
            .and(contains("mean length 4.600; of all positions 17.706")),
    );
    let check = |journal: &std::path::Path| cosette().arg("check").arg(journal).assert().success();
    check(&journal).stdout(contains("5 answers, 5 solutions"));
    // A damaged line is no answer.
    let damaged = journal.with_extension("damaged");
    fs::write(
        &damaged,
        fs::read_to_string(&journal)
            .unwrap()
            .replacen("\"length\":", "\"length\":1", 1),
    )
    .unwrap();
    check(&damaged)
        .stdout(contains("4 answers, 4 solutions"))
        .stderr(contains(": a corrupted journal line, not checked"));
    let svg = journal.with_extension("svg");
    let output = command
        .arg("--json")
        .arg("--svg")
        .arg(&svg)
        .output()
        .unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["lengths"][1]["positions"], 2);
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

/// The error of an unusable journal has a reason and a remedy. (`journals` of `cosette-app` tests
/// which journals are rejected.)
#[test]
fn a_journal_that_does_not_fit_is_refused() {
    let (_folder, list, journal) = folder_with("R U F\nR2\nU L\n");
    let with_journal = || {
        let mut command = batch();
        command.arg("--journal").arg(&journal);
        command
    };
    with_journal().arg(&list).assert().success();
    let other_settings =
        contains("was started for one solution, not with --all").and(contains("help: resume with"));
    with_journal()
        .arg(&list)
        .arg("--all")
        .assert()
        .code(1)
        .stderr(other_settings);
    let other_list =
        contains("is of another list: of 3 positions, including invalid lines, not of 1 position");
    with_journal()
        .arg("-")
        .write_stdin("R\n")
        .assert()
        .code(1)
        .stderr(other_list);
    let lock = File::open(&journal).unwrap();
    lock.lock().unwrap();
    with_journal()
        .arg(&list)
        .assert()
        .code(1)
        .stderr(contains("is in use"));
    drop(lock);
    let assert = batch().arg(&list).arg("--journal").arg(&list).assert();
    assert
        .code(1)
        .stderr(contains("list.txt is not a journal of a batch"));
    let mut bytes = fs::read(&journal).unwrap();
    let second = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 30;
    bytes[second] ^= 1;
    fs::write(&journal, bytes).unwrap();
    with_journal()
        .arg(&list)
        .assert()
        .success()
        .stderr(contains("the line is corrupted; skipping it").and(contains("line=2")));
}

#[test]
fn a_journal_is_never_overwritten_by_output() {
    let (_folder, list, journal) = folder_with("R U\nF2 L\n");
    let output = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&journal)
        .unwrap();
    let mut command = batch();
    command.arg(&list).arg("--journal").arg(&journal);
    assert_eq!(
        apart(&command)
            .stdout(output)
            .output()
            .unwrap()
            .status
            .code(),
        Some(1)
    );
    assert_eq!(fs::read(&journal).unwrap(), b"");
    command.assert().success();
    let before = fs::read(&journal).unwrap();
    let stats = cosette()
        .args(["batch", "stats"])
        .arg(&journal)
        .arg("--svg")
        .arg(&journal)
        .assert();
    stats
        .code(1)
        .stderr(contains("would overwrite the journal"));
    assert_eq!(fs::read(&journal).unwrap(), before);
}

#[test]
fn a_time_limit_is_for_each_position() {
    let (_folder, list, journal) = folder_with(&format!("{SUPERFLIP}\nR\n"));
    for _ in 0..2 {
        let mut command = batch();
        command
            .arg(&list)
            .args(["--timeout", "0.4", "--ordered", "--journal"])
            .arg(&journal);
        let limit = contains("not solved, stopped by --timeout").and(contains("// best known: "));
        command
            .assert()
            .code(4)
            .stdout(limit.and(contains("R'  // line 2: 1 htm, proven")));
    }
}

/// Returns the lengths in a journal by text. Panics if a text has two results.
fn kept(journal: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(journal).unwrap_or_default();
    let mut kept = BTreeMap::new();
    for line in text.lines().skip(1) {
        let Ok(line) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let answer = &line["body"]["answer"];
        let before = kept.insert(
            answer["input"].as_str().unwrap().to_owned(),
            answer["length"].clone(),
        );
        assert_eq!(before, None);
    }
    kept
}

/// Starts a batch repeatedly and kills it after a random time; then lets it end.
/// `.ci/attacks/kills` does so more often.
#[test]
#[cfg(unix)]
fn being_killed_loses_and_repeats_nothing() {
    let (kills, positions) = (5, 120);
    let walks = random_walks(6, 14)
        .take(positions)
        .map(|moves| format!("{}\n", DisplayMoves(&moves)));
    let (_folder, list, journal) = folder_with(&walks.collect::<String>());
    let mut command = batch();
    command.arg(&list).arg("--json");
    let uninterrupted = command.output().unwrap().stdout;
    command.arg("--journal").arg(&journal);
    let (mut rng, mut alive) = (ChaCha8Rng::seed_from_u64(5), 0);
    for _ in 0..kills {
        let mut child = apart(&command).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(rng.random_range(0..700)));
        alive += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        let shown = child.wait_with_output().unwrap().stdout;
        // Every printed result is in the journal, except a line that was cut off by the kill.
        let kept = kept(&journal);
        let end = shown
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        for answer in json_lines(&shown[..end]) {
            assert_eq!(
                kept.get(answer["input"].as_str().unwrap()),
                Some(&answer["length"])
            );
        }
    }
    assert!(
        alive >= kills / 2,
        "killed while it worked {alive} times of {kills}"
    );
    let resumed = command.output().unwrap();
    assert_eq!(
        resumed.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&resumed.stderr)
    );
    assert_eq!(lengths(&resumed.stdout), lengths(&uninterrupted));
    assert_eq!(
        (lengths(&resumed.stdout).len(), kept(&journal).len()),
        (positions, positions)
    );
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_the_journal() {
    let (_folder, list, journal) = folder_with(&format!("R U F\n{SUPERFLIP}\n"));
    let child = apart(batch().arg(&list).arg("--journal").arg(&journal))
        .spawn()
        .unwrap();
    while kept(&journal).is_empty() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let asked = Instant::now();
    crate::support::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert!(asked.elapsed().as_secs_f64() < 2.0);
    assert_eq!(output.status.code(), Some(130));
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(
        stdout.starts_with("F' U' R'  // line 1: 3 htm, proven") && stdout.lines().count() == 1,
        "{stdout}"
    );
    assert!(
        stderr.contains("interrupted; the journal has results for 1 of 2 positions"),
        "{stderr}"
    );
    // Nothing holds the journal any more.
    OpenOptions::new()
        .append(true)
        .open(&journal)
        .unwrap()
        .write_all(b"{")
        .unwrap();
    batch()
        .arg(&list)
        .arg("--journal")
        .arg(&journal)
        .args(["--timeout", "0.2"])
        .assert()
        .code(4);
}

#[test]
fn lines_after_the_last_position_have_blank_ones() {
    let ordered = batch()
        .args(["--ordered", "-"])
        .write_stdin("R\n\nU\n\n# end\n")
        .assert();
    let text = String::from_utf8(ordered.success().get_output().stdout.clone()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("R'") && lines[2].starts_with("U'"),
        "{text}"
    );
    assert_eq!(
        [lines.len(), lines[1].len(), lines[3].len(), lines[4].len()],
        [5, 0, 0, 0],
        "{text}"
    );
}

#[test]
fn a_journal_is_not_a_stream() {
    batch()
        .args(["--journal", "-", "list"])
        .assert()
        .code(2)
        .stderr(contains("a journal must be a file"));
}

#[test]
fn the_csv_is_checked_again() {
    let (folder, list, _) = folder_with("R U F\n[R, U] F2\nR R'\n\"R U\"\nQ\nU2 D2 F2 B2 L2 R2\n");
    let csv = folder.path().join("answers.csv");
    let printed = batch()
        .arg(&list)
        .args(["--csv", "--all"])
        .assert()
        .code(3)
        .get_output()
        .stdout
        .clone();
    fs::write(&csv, &printed).unwrap();
    let check = |csv: &std::path::Path| cosette().arg("check").arg(csv).assert();
    check(&csv)
        .success()
        .stdout(contains("5 answers, ").and(contains(": no errors")));
    let wrong = String::from_utf8(printed)
        .unwrap()
        .replace("F' U' R'", "F' U' R");
    fs::write(&csv, wrong).unwrap();
    check(&csv)
        .code(1)
        .stdout(contains("`F' U' R` does not solve the position").and(contains("1 error")));
}
