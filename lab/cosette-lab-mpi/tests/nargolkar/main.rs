//! `cosette-lab-mpi nargolkar` as a user starts it: by `mpirun`, with several ranks. The command
//! itself checks that every solution solves its position, and that it has the proven length.
//!
//! Tests that need `mpirun` say so, and pass on a machine without it.

use serde_json::Value;
use std::fs;
use std::io::{Seek, Write};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Runs the command with these arguments and this standard input on this number of ranks; with 0,
/// without `mpirun`. Returns `None` where `mpirun` is missing.
fn run(ranks: usize, args: &[&str], input: &str) -> Option<Output> {
    // The first run generates Reid's tables, and the ranks of one run keep the machine busy.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let program = env!("CARGO_BIN_EXE_cosette-lab-mpi");
    let mut command = Command::new(if ranks == 0 { program } else { "mpirun" });
    if ranks > 0 {
        command
            .args(["--oversubscribe", "--bind-to", "none", "-np"])
            .args([&ranks.to_string(), program])
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    }
    // A folder of their own: the tests of the command expect none of these tables.
    let tables = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables-nargolkar");
    let mut stdin = tempfile::tempfile().expect("a file");
    stdin.write_all(input.as_bytes()).expect("written");
    stdin.rewind().expect("a file");
    let output = command
        .args(["nargolkar", "--fast-table", "24M"])
        .args(args)
        .env("COSETTE_TABLES", tables)
        .stdin(stdin)
        .output();
    output
        .inspect_err(|refused| eprintln!("skipped: {refused}"))
        .ok()
}

/// Returns the output of a run that succeeds, and its log; `None` where `mpirun` is missing.
fn succeed(ranks: usize, args: &[&str], input: &str) -> Option<[String; 2]> {
    let output = run(ranks, &[args, &["--four-bits"]].concat(), input)?;
    let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).expect("text"));
    assert!(output.status.success(), "{texts:?}");
    Some(texts)
}

/// The records of a kind in a text.
fn records(text: &str, kind: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str::<Value>(line).expect(line))
        .filter(|record| record["kind"] == kind)
        .collect()
}

/// The recorded searches by this many ranks, which agree with those of the sequential program.
fn searches(ranks: usize, args: &[&str]) -> Option<Vec<Value>> {
    let [text, _] = succeed(ranks, args, "")?;
    let searches = records(&text, "search");
    let mut alone = &Value::Null;
    for search in &searches {
        let number = |name: &str| search[name].as_u64();
        assert_eq!(search["ranks"], ranks.max(1));
        if search["split"] == "sequential" {
            alone = search;
        }
        let is_proven = search["split"] != "unproven";
        assert!(
            !is_proven || search["length"] == alone["length"],
            "{search}"
        );
        if ["limits", "subtrees"].contains(&search["split"].as_str().expect("a name")) {
            let limits = alone["limits"].as_array().expect("a list").len() as u64;
            let complete = limits - u64::from(!alone["length"].is_null());
            assert!(number("same_limits") >= Some(complete), "{search}");
        }
        let is_by_limits = search["split"] == "limits";
        let is_less = number("path") <= number("sequential");
        assert!(
            !is_by_limits || is_less,
            "no rank does more than all of it: {search}"
        );
    }
    Some(searches)
}

/// Six patterns and their inverses in both metrics, all solved within the budget, in five ways; and
/// those that the budget ends with complete limits, in four ways.
#[test]
fn any_number_of_ranks_finds_what_one_finds() {
    for ranks in [1, 2, 4] {
        let Some(solved) = searches(ranks, &["--depth", "12", "--depth", "13"]) else {
            return;
        };
        assert_eq!(solved.len(), 6 * 2 * 2 * 5);
        assert!(solved.iter().all(|search| search["length"].is_u64()));
        let args = ["--depth", "19", "--budget", "100000"];
        let complete = searches(ranks, &args).expect("there is mpirun");
        assert_eq!(complete.len(), 5 * 2 * 2 * 4);
        assert!(complete.iter().all(|search| search["length"].is_null()));
    }
}

/// Tables with move sets change no count, of complete limits and of those with a solution.
#[test]
fn both_storages_search_the_same_nodes() {
    for args in [
        ["--depth=12", "--metric=htm", "--symmetry"],
        ["--depth=19", "--metric=htm", "--budget=100000"],
    ] {
        let output = run(0, &args, "").expect("it needs no mpirun");
        let text = String::from_utf8(output.stdout).expect("text");
        let expected = searches(0, &args).expect("it needs no mpirun");
        assert!(!expected.is_empty() && records(&text, "search") == expected);
    }
}

#[test]
fn listed_positions_are_measured() {
    let args = ["--patterns=-", "--metric=htm", "--sequential"];
    let list = "R U2 F D L B\nF B\n";
    let [text, _] = succeed(0, &args, list).expect("it needs no mpirun");
    let searches = records(&text, "search");
    let lengths = searches.iter().map(|search| &search["length"]);
    assert!(lengths.eq([6, 2].iter()), "{text}");
}

/// Limits beyond the goal are under way when it is declared. They would take minutes of processor
/// time to end.
#[test]
fn a_goal_cancels_larger_limits() {
    let args = ["--depth", "14", "--metric", "qtm", "--budget", "3000000"];
    let Some([text, _]) = succeed(4, &args, "") else {
        return;
    };
    let totals = records(&text, "total");
    let by_limits = totals.iter().filter(|total| total["split"] == "limits");
    let seconds: f64 = by_limits
        .map(|total| total["computation"].as_f64().expect("a number"))
        .sum();
    assert!(seconds > 0.0 && seconds < 60.0, "{seconds}");
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
        let Some([text, _]) = succeed(2, &args, "") else {
            return;
        };
        let is_solved = text.starts_with("B' L' D' F' U2 R'\n");
        let parts = [length, "np = 2", "goal declared by rank "];
        assert!(
            is_solved && parts.iter().all(|part| text.contains(part)),
            "{text}"
        );
    }
}

/// All ranks end with the exit code of the error, which one of them reports.
#[test]
fn errors_have_one_exit_code() {
    for (ranks, args, code, part) in [
        (0, &["--position", "R U X9"][..], 3, "`X`"),
        (3, &["--position", "R U X9"], 3, "`X`"),
        (0, &["--master", "coordinates"], 2, "`mpirun -np 2`"),
        (
            0,
            &["--page", "pages", "Cargo.toml"],
            1,
            "Cargo.toml: line 1: ",
        ),
    ] {
        let Some(wrong) = run(ranks, args, "") else {
            return;
        };
        let errors = String::from_utf8_lossy(&wrong.stderr);
        assert_eq!(wrong.status.code(), Some(code), "{errors}");
        assert_eq!(errors.matches(part).count(), 1, "{errors}");
    }
}

/// The log of appendix B of the thesis has the cosets, every limit from the first, and one cube
/// after another.
#[test]
fn positions_on_standard_input_are_solved_with_a_log() {
    let args = ["--position", "-", "--all", "--log"];
    let list = "R2 F2 R2 F2 R2 F2\n\nR R' \nF B\n";
    let Some([text, log]) = succeed(3, &args, list) else {
        return;
    };
    for part in [
        "R2 F2 R2 F2 R2 F2\n",
        "\n6 half turns, 8 solutions; no solution has 5 or fewer",
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
    let args = ["--position", "R U2 F D L B", "--log", "--journal", journal];
    for is_searched in [true, false] {
        let Some([text, log]) = succeed(2, &args, "") else {
            return;
        };
        let limits = text.lines().filter(|line| line.starts_with("    "));
        assert_eq!(limits.count(), 6, "the limits of both runs: {text}");
        assert_eq!(log.contains("\n    5 "), is_searched, "{log}");
    }
}

/// Runs skip what is recorded, and a page is made of their records.
#[test]
fn a_page_is_made_of_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("records.jsonl");
    let path = file.to_str().expect("text");
    let page = folder.path().join("page");
    let mut counts = Vec::new();
    for (ranks, sequential) in [(1, false), (2, false), (2, false), (1, true)] {
        let mut args = vec!["--depth", "13", "--metric", "qtm", "--record", path];
        args.extend(sequential.then_some("--sequential"));
        if succeed(ranks, &args, "").is_none() {
            return;
        }
        let text = fs::read_to_string(&file).expect("records");
        counts.push(records(&text, "search").len());
    }
    assert_eq!(counts, [20, 40, 40, 44]);
    let args = ["--page", page.to_str().expect("text"), path];
    succeed(0, &args, "").expect("it needs no mpirun");
    let text = fs::read_to_string(page.join("nargolkar-parallel.md")).expect("a page");
    assert!(text.contains(" 2 | all ways"), "{text}");
}

/// The pages of the repository are those that the program writes.
#[test]
fn the_pages_are_made_of_what_is_kept() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let kept = repository.join("lab/cosette-lab-mpi/results/nargolkar.jsonl");
    let folder = tempfile::tempdir().expect("a folder");
    let paths = [folder.path(), &kept].map(|path| path.to_str().expect("text"));
    succeed(0, &["--page", paths[0], paths[1]], "").expect("it needs no mpirun");
    let pages: Vec<_> = folder.path().read_dir().expect("pages").collect();
    assert_eq!(pages.len(), 8);
    for page in pages {
        let page = page.expect("a file");
        let ours = repository.join("docs/lab").join(page.file_name());
        let [new, kept] = [&page.path(), &ours].map(|path| fs::read(path).expect("a page"));
        let ours = ours.display();
        assert!(new == kept, "`just nargolkar-page` writes {ours} anew");
    }
}
