//! `cosette-lab-mpi nargolkar` as a user starts it: by `mpirun`, with several ranks.
//!
//! Tests that need `mpirun` say so and pass if there is none.

use cosette::cube::{Cube, Metric, Move};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// Runs the command with these arguments on this many ranks, or without `mpirun`. `None` if there is no `mpirun`.
fn run(ranks: Option<usize>, args: &[&str]) -> Option<Output> {
    // The first run generates Reid's tables, and the ranks of one run keep the machine busy.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let program = env!("CARGO_BIN_EXE_cosette-lab-mpi");
    let mut command = match ranks {
        None => Command::new(program),
        Some(ranks) => {
            let mut command = Command::new("mpirun");
            command.args(["--oversubscribe", "--bind-to", "none", "-np", &ranks.to_string(), program]);
            command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            command
        }
    };
    command.args(["nargolkar", "--fast-table", "24M"]).args(args);
    // A folder of their own: the tests of the command expect none of these tables.
    command.env("COSETTE_TABLES", Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables-nargolkar"));
    match command.output() {
        Ok(output) => Some(output),
        Err(refused) if refused.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("there is no mpirun: skipped");
            None
        }
        Err(refused) => panic!("{refused}"),
    }
}

/// The searches that this many ranks record.
fn searches(ranks: usize, args: &[&str]) -> Option<Vec<Value>> {
    let output = run(Some(ranks), args)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).expect("text");
    let records = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    Some(records.filter(|record| record["kind"] == "search").collect())
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("a number: {value}"))
}

/// The nodes of the limits that were searched to their end.
fn complete(search: &Value) -> BTreeMap<u64, u64> {
    let limits = search["limits"].as_array().expect("a list").iter();
    limits.filter(|limit| limit["complete"] == true).map(|of| (number(&of["limit"]), number(&of["nodes"]))).collect()
}

/// The ways in which a position is searched: without a solution there is no first goal to be taken.
fn ways(is_solved: bool) -> Vec<&'static str> {
    let all = ["sequential", "fastest", "limits", "unproven", "subtrees"];
    all.into_iter().filter(|&way| is_solved || way != "unproven").collect()
}

/// Checks all searches of a position against that of the sequential program, which comes first.
fn check(searches: &[Value]) {
    let mut searches = searches;
    while let Some(alone) = searches.first() {
        let ways = ways(alone["length"].is_u64());
        let (of_one, others) = searches.split_at(ways.len());
        searches = others;
        assert_eq!(of_one.iter().filter_map(|search| search["split"].as_str()).collect::<Vec<_>>(), ways);
        for search in of_one {
            if search["split"] == "unproven" {
                assert!(number(&search["length"]) >= number(&alone["length"]), "{search}");
                continue;
            }
            assert_eq!(search["length"], alone["length"], "{search}");
            if search["split"] == "fastest" {
                continue;
            }
            assert_eq!(complete(search), complete(alone), "{search}");
            assert!(
                search["spent"].as_array().expect("a list").iter().all(|of| of["computation"].is_f64()),
                "{search}"
            );
            if search["split"] != "sequential" {
                let searched =
                    search["limits"].as_array().expect("a list").iter().map(|of| number(&of["nodes"])).sum::<u64>();
                assert!(number(&search["nodes"]) >= searched && number(&search["path"]) <= number(&search["nodes"]));
            }
            if search["split"] == "limits" {
                assert!(
                    number(&search["path"]) <= number(&alone["path"]),
                    "no rank does more than all of it: {search}"
                );
            }
        }
    }
}

const SHORT: [&str; 4] = ["--depth", "12", "--depth", "13"];

#[test]
fn any_number_of_ranks_finds_what_one_finds() {
    for ranks in [1, 2, 4] {
        let Some(searches) = searches(ranks, &SHORT) else { return };
        // Six patterns and their inverses, in both metrics, in five ways.
        assert_eq!(searches.len(), 6 * 2 * 2 * 5);
        check(&searches);
        for pair in searches.chunks(10) {
            assert_eq!(pair[0]["length"], pair[5]["length"], "an inverse is as far from solved");
        }
        assert!(searches.iter().all(|search| search["length"].is_u64()), "all are solved within the budget");
    }
}

#[test]
fn solutions_solve() {
    let Some(searches) = searches(2, &["--depth", "13", "--metric", "qtm"]) else { return };
    let pattern = ["F' U' L' B' F' R' U' D B R2 U B R", "F R D F2 R' U' D B L' R' F' D' R'"];
    let cube = |text: &str| Cube::from_moves(&read(text));
    for search in searches.iter().filter(|search| search["subject"]["pattern"].is_u64()) {
        let solution = read(search["solution"].as_str().expect("a solution"));
        let position = cube(pattern[number(&search["subject"]["pattern"]) as usize - 5]);
        assert!(position.after(&solution).is_solved(), "{search}");
        assert_eq!(Metric::Qtm.length(&solution) as u64, number(&search["length"]));
    }
}

fn read(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|word| word.parse().expect("a move")).collect()
}

/// Limits beyond the goal are under way when it is declared. They would take minutes to end.
#[test]
fn a_goal_cancels_larger_limits() {
    let Some(searches) = searches(4, &["--depth", "14", "--metric", "qtm", "--budget", "3000000"]) else { return };
    check(&searches);
    let wasted = |search: &Value| {
        let limits = search["limits"].as_array().expect("a list").iter();
        number(&search["nodes"]) - limits.map(|limit| number(&limit["nodes"])).sum::<u64>()
    };
    let by_limits = || searches.iter().filter(|search| search["split"] == "limits");
    assert!(by_limits().any(|search| wasted(search) > 0), "ranks search beyond the goal");
    assert!(by_limits().all(|search| wasted(search) < 60_000_000), "and stop");
}

/// A search that the budget ends: the same limits are searched in each way, and none holds a solution.
#[test]
fn a_budget_ends_with_complete_limits() {
    let Some(searches) = searches(2, &["--depth", "19", "--budget", "100000"]) else { return };
    check(&searches);
    for search in searches.iter().filter(|search| search["split"] != "fastest") {
        assert_eq!(search["length"], Value::Null);
        assert_eq!(complete(search).len(), search["limits"].as_array().expect("a list").len());
    }
}

/// What is searched further by the sequential program only is recorded apart.
#[test]
fn the_sequential_program_may_be_measured_alone() {
    let output = run(None, &["--depth", "13", "--metric", "qtm", "--sequential"]).expect("it needs no mpirun");
    let lines = String::from_utf8(output.stdout).expect("text");
    let records: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    assert_eq!(records.iter().filter(|record| record["kind"] == "alone").count(), 4);
    assert!(records.iter().all(|record| record["kind"] != "search"));
}

#[test]
fn rank_0_may_only_coordinate() {
    let Some(searches) = searches(2, &["--depth", "13", "--coordinate-only"]) else { return };
    check(&searches);
    assert!(searches.iter().all(|search| search["searching"] == 1 && search["ranks"] == 2));
    let alone = run(None, &["--coordinate-only"]).expect("it needs no mpirun");
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&alone.stderr).contains("mpirun -np 2"));
}

#[test]
fn a_page_is_made_of_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (one, two) = (file("one.jsonl"), file("two.jsonl"));
    for (ranks, record) in [(1, &one), (2, &two)] {
        let Some(output) = run(Some(ranks), &["--depth", "13", "--metric", "qtm", "--record", record]) else { return };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = run(None, &["--page", &file("page"), &one, &two]).expect("it needs no mpirun");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.path().join("page/nargolkar-parallel.md")).expect("the page");
    for part in ["Tables 5.1 to 5.3", "Figures 5.5 and 5.6", "Table 5.4", "Karp–Flatt", "- np = 2, all ways"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(folder.path().join("page/nargolkar-speedup-qtm.svg").exists());
    // Sums make the same page.
    let sums = run(None, &["--sum", &one, &two]).expect("it needs no mpirun");
    std::fs::write(file("sums.jsonl"), sums.stdout).expect("written");
    let output = run(None, &["--page", &file("again"), &file("sums.jsonl")]).expect("it needs no mpirun");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let again = std::fs::read_to_string(folder.path().join("again/nargolkar-parallel.md")).expect("the page");
    assert_eq!(again, page);
}

#[test]
fn files_without_records_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("notes.jsonl");
    std::fs::write(&file, "{\"kind\":\"search\"}\n").expect("written");
    let page = folder.path().display().to_string();
    let output = run(None, &["--page", &page, &file.display().to_string()]).expect("it needs no mpirun");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("notes.jsonl") && errors.contains("line 1") && errors.contains("--record"), "{errors}");
}
