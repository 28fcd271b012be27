//! `cosette-lab-mpi nargolkar` as a user starts it: by `mpirun`, with several ranks. The command
//! itself checks that every solution solves its position, and that it has the proven length.
//!
//! Tests that need `mpirun` say so, and pass on a machine without it.

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

/// Runs the command with these arguments on this many ranks, or without `mpirun`. `None` if there
/// is no `mpirun`.
fn run(ranks: Option<usize>, args: &[&str]) -> Option<Output> {
    run_with_input(ranks, args, "")
}

/// Runs the command like [`run`], with this text on standard input.
fn run_with_input(ranks: Option<usize>, args: &[&str], input: &str) -> Option<Output> {
    // The first run generates Reid's tables, and the ranks of one run keep the machine busy.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let program = env!("CARGO_BIN_EXE_cosette-lab-mpi");
    let mut command = match ranks {
        None => Command::new(program),
        Some(ranks) => {
            let mut command = Command::new("mpirun");
            command.args([
                "--oversubscribe",
                "--bind-to",
                "none",
                "-np",
                &ranks.to_string(),
                program,
            ]);
            command
                .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
                .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            command
        }
    };
    command
        .args(["nargolkar", "--fast-table", "24M"])
        .args(args);
    // A folder of their own: the tests of the command expect none of these tables.
    command.env(
        "COSETTE_TABLES",
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables-nargolkar"),
    );
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    match command.spawn() {
        Ok(mut child) => {
            let mut stdin = child.stdin.take().expect("it is piped");
            stdin.write_all(input.as_bytes()).expect("it is read");
            drop(stdin);
            Some(child.wait_with_output().expect("it ends"))
        }
        Err(refused) if refused.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("there is no mpirun: skipped");
            None
        }
        Err(refused) => panic!("{refused}"),
    }
}

/// The records of a kind that are printed by this many ranks.
fn records(ranks: Option<usize>, args: &[&str], kind: &str) -> Option<Vec<Value>> {
    let output = run(ranks, args)?;
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines = String::from_utf8(output.stdout).expect("text");
    let records = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect(line));
    Some(records.filter(|record| record["kind"] == kind).collect())
}

/// The positions, with their searches by this many ranks. Checks those against that of the
/// sequential program.
fn positions(ranks: usize, args: &[&str]) -> Option<Vec<Value>> {
    let positions = records(Some(ranks), args, "position")?;
    for position in &positions {
        let alone = &position["alone"];
        let found = list(&position["found"]);
        let is_solved = alone["length"].is_u64();
        let expected = ["limits", "unproven", "subtrees"]
            .into_iter()
            .filter(|&split| is_solved || split != "unproven");
        assert!(
            found
                .iter()
                .map(|row| row[2].as_str().expect("a name"))
                .eq(expected),
            "{position}"
        );
        let nodes = list(&alone["limits"])
            .iter()
            .map(|limit| number(&limit[1]))
            .sum::<u64>();
        let complete = list(&alone["limits"]).len() - usize::from(is_solved);
        for row in found {
            assert_eq!(row[0], ranks);
            let (split, length, path, same_limits) =
                (&row[2], &row[3], number(&row[4]), number(&row[5]));
            if split == "unproven" {
                assert!(number(length) >= number(&alone["length"]), "{position}");
            } else {
                assert_eq!(*length, alone["length"], "{position}");
                assert!(same_limits as usize >= complete, "{position}");
            }
            assert!(
                split != "limits" || path <= nodes,
                "no rank does more than all of it: {position}"
            );
        }
    }
    Some(positions)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("a number: {value}"))
}

#[test]
fn any_number_of_ranks_finds_what_one_finds() {
    for ranks in [1, 2, 4] {
        let Some(positions) = positions(ranks, &["--depth", "12", "--depth", "13"]) else {
            return;
        };
        // Six patterns and their inverses, in both metrics, all solved within the budget.
        assert_eq!(positions.len(), 6 * 2 * 2);
        assert!(
            positions
                .iter()
                .all(|position| position["alone"]["length"].is_u64())
        );
    }
}

/// Limits beyond the goal are under way when it is declared. They would take minutes of processor
/// time to end.
#[test]
fn a_goal_cancels_larger_limits() {
    let args = ["--depth", "14", "--metric", "qtm", "--budget", "3000000"];
    let Some(totals) = records(Some(4), &args, "total") else {
        return;
    };
    let by_limits = totals
        .iter()
        .find(|total| total["split"] == "limits")
        .expect("it is one of the ways");
    assert!(
        by_limits["computation"].as_f64() < Some(60.0),
        "{by_limits}"
    );
}

/// A search that the budget ends: the same limits are searched in each way, and none holds a
/// solution.
#[test]
fn a_budget_ends_with_complete_limits() {
    let Some(positions) = positions(2, &["--depth", "19", "--budget", "100000"]) else {
        return;
    };
    assert!(
        !positions.is_empty()
            && positions
                .iter()
                .all(|position| position["alone"]["length"].is_null())
    );
}

/// What is searched by the sequential program only is recorded apart.
#[test]
fn the_sequential_program_may_be_measured_alone() {
    let positions = records(
        None,
        &["--depth", "13", "--metric", "qtm", "--sequential"],
        "position",
    );
    let positions = positions.expect("it needs no mpirun");
    assert_eq!(positions.len(), 4);
    assert!(
        positions
            .iter()
            .all(|position| list(&position["found"]).is_empty())
    );
}

/// Returns the output of a search that succeeds, and its log; `None` on a machine without `mpirun`.
fn solved(ranks: usize, args: &[&str], input: &str) -> Option<(String, String)> {
    let output = run_with_input(Some(ranks), args, input)?;
    let [text, log] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert!(output.status.success(), "{log}");
    Some((text, log))
}

/// However the ranks divide the work, and whatever part rank 0 takes.
#[test]
fn a_position_is_solved() {
    for (args, length) in [
        (
            &["--subtrees"][..],
            "6 half turns; no solution has 5 or fewer",
        ),
        (
            &["--metric", "qtm"],
            "7 quarter turns; no solution has 6 or fewer",
        ),
        (&["--first-goal"], "6 half turns"),
        (&["--no-symmetry", "--master", "alternates"], "6 half turns"),
        (&["--master", "coordinates"], "6 half turns"),
    ] {
        let args = [&["--position", "R U2 F D L B"], args].concat();
        let Some((text, _)) = solved(2, &args, "") else {
            return;
        };
        let is_solved = text.starts_with("B' L' D' F' U2 R'\n");
        assert!(
            is_solved && text.contains(length) && text.contains("np = 2"),
            "{text}"
        );
    }
    let wrong = run(None, &["--position", "R U X9"]).expect("it needs no mpirun");
    assert!(
        wrong.status.code() == Some(3) && String::from_utf8_lossy(&wrong.stderr).contains("`X`"),
        "{wrong:?}"
    );
}

/// The log of appendix B of the thesis has the cosets, every limit from the first, and one cube after
/// another.
#[test]
fn positions_on_standard_input_are_solved_with_a_log() {
    let args = ["--position", "-", "--all", "--log"];
    let list = "R2 F2 R2 F2 R2 F2\n\nR R' \nF B\n";
    let Some((text, log)) = solved(3, &args, list) else {
        return;
    };
    for part in [
        "R2 F2 R2 F2 R2 F2\n6 half turns, 8 solutions; no solution has 5 or fewer",
        "solved already: 0 half turns",
        "F' B'\n2 half turns; no solution has 1 or fewer",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in ["finding all solutions", "124946368", "position with "] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let first = log.lines().find(|line| line.starts_with("    1 "));
    let first: Vec<&str> = first.expect("limit 1").split_whitespace().collect();
    // The six half turns stay in the subgroups along all three axes.
    assert_eq!(first[1..3], ["18", "6"], "nodes and tests");
}

/// A search begins after the limits that its journal holds.
#[test]
fn finished_limits_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("limits.journal");
    let journal = journal.to_str().expect("text");
    let args = ["--position", "R U2 F D L B", "--journal", journal];
    let Some((first, _)) = solved(2, &args, "") else {
        return;
    };
    let again = [&args[..], &["--log"]].concat();
    let (second, log) = solved(2, &again, "").expect("there is mpirun");
    for text in [first, second] {
        let limits = text.lines().filter(|line| line.starts_with("    "));
        assert_eq!(
            limits.count(),
            6,
            "the limits of both runs are shown: {text}"
        );
    }
    assert!(
        !log.contains("\n    5 "),
        "limit 5 is not searched again: {log}"
    );
}

#[test]
fn rank_0_may_only_coordinate() {
    let Some(positions) = positions(2, &["--depth", "13", "--master", "coordinates"]) else {
        return;
    };
    assert!(
        positions
            .iter()
            .flat_map(|position| list(&position["found"]))
            .all(|row| row[1] == 1)
    );
    let alone = run(None, &["--master", "coordinates"]).expect("it needs no mpirun");
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("mpirun -np 2"));
}

/// A list of positions in place of appendix C.
#[test]
fn listed_positions_are_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("list.txt");
    std::fs::write(&file, "R U2 F D L B\nF B\n").expect("written");
    let list = file.to_str().expect("text");
    let Some(positions) = positions(2, &["--patterns", list, "--metric", "htm"]) else {
        return;
    };
    let lengths = positions.iter().map(|of| &of["alone"]["length"]);
    assert!(lengths.eq([6, 2].iter()), "{positions:?}");
}

#[test]
fn a_page_is_made_of_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("records.jsonl");
    let page = folder.path().join("page");
    let [file, page] = [&file, &page].map(|path| path.to_str().expect("text"));
    let read = |path: &str| std::fs::read_to_string(path).expect("it is there");
    // The third run finds everything recorded.
    let mut recorded = Vec::new();
    for ranks in [1, 2, 2] {
        let Some(output) = run(
            Some(ranks),
            &["--depth", "13", "--metric", "qtm", "--record", file],
        ) else {
            return;
        };
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let positions = read(file)
            .lines()
            .filter(|line| line.contains("\"position\""))
            .collect::<String>();
        recorded.push(positions);
    }
    assert!(recorded[0] != recorded[1] && recorded[1] == recorded[2]);
    let output = run(None, &["--page", page, file]).expect("it needs no mpirun");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = read(&format!("{page}/nargolkar-parallel.md"));
    for part in [
        "Tables 5.1 to 5.3",
        "Figures 5.5 and 5.6",
        "Table 5.4",
        "Karp–Flatt",
        "- np = 2, all ways",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(read(&format!("{page}/nargolkar-speedup-qtm.svg")).contains("<svg"));
}

/// The pages of the repository are those that the program writes.
#[test]
fn the_pages_are_made_of_what_is_kept() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kept = repository.join("lab/cosette-lab-mpi/results/nargolkar.jsonl");
    let folder = tempfile::tempdir().expect("a folder");
    run(
        None,
        &[
            "--page",
            folder.path().to_str().expect("text"),
            kept.to_str().expect("text"),
        ],
    );
    let read = |path: &Path| std::fs::read_to_string(path).expect("it is there");
    let pages: Vec<_> = folder
        .path()
        .read_dir()
        .expect("it is there")
        .map(|page| page.expect("a file"))
        .collect();
    assert_eq!(pages.len(), 8);
    for page in pages {
        let ours = repository.join("docs/lab").join(page.file_name());
        assert!(
            read(&page.path()) == read(&ours),
            "`just nargolkar-page` writes {} anew",
            ours.display()
        );
    }
}

#[test]
fn files_without_records_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("notes.jsonl");
    std::fs::write(&file, "{\"kind\":\"position\"}\n").expect("written");
    let page = folder.path().display().to_string();
    let output =
        run(None, &["--page", &page, &file.display().to_string()]).expect("it needs no mpirun");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("notes.jsonl") && errors.contains("line 1") && errors.contains("--record"),
        "{errors}"
    );
}
