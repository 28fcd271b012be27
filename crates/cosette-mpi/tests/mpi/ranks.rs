//! `cosette-mpi ranks`: the hosts and their ranks, one of which works on each. Ranks and tables
//! that do not fit together are refused: by all ranks, in one message.

use crate::{COSETTE_MPI, Ended, mpirun, mpirun_bound_to, run, tables, two_hosts};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// The rows that `ranks` prints.
fn rows(job: &mut Command) -> Vec<Value> {
    let rows = run(job
        .args([COSETTE_MPI, "ranks", "--json", "--table", "24M", "--tables"])
        .arg(tables()))
    .json_lines();
    for row in &rows {
        assert_eq!(row["table"], "htm-24M");
    }
    rows
}

#[test]
fn without_mpirun_there_is_one_rank() {
    let mut alone = Command::new(COSETTE_MPI);
    alone
        .args([
            "ranks",
            "--json",
            "--table",
            "24M",
            "--threads",
            "3",
            "--tables",
        ])
        .arg(tables());
    let [row] = &run(&mut alone).json_lines()[..] else {
        panic!("there is one rank")
    };
    assert_eq!(row["threads"], 3);
    assert_eq!(row["ranks"], 1);
}

#[test]
fn one_rank_of_a_host_works_with_the_cores_of_all() {
    let all = std::thread::available_parallelism().unwrap().get();
    for place in ["none", "core:if-supported"] {
        let Some(mut job) = mpirun_bound_to(place) else {
            return;
        };
        let [row] = &rows(job.args(["-np", "2"]))[..] else {
            panic!("there is one host")
        };
        assert_eq!(row["ranks"], 2);
        let threads = row["threads"].as_u64().unwrap() as usize;
        assert!(
            all.min(2) <= threads && threads <= all,
            "{place}: {threads}"
        );
    }
    let mut job = mpirun().unwrap();
    let job = job.args(["-np", "3"]);
    job.args([
        COSETTE_MPI,
        "ranks",
        "--json",
        "--threads",
        "2",
        "--table",
        "24M",
        "--tables",
    ])
    .arg(tables());
    assert_eq!(run(job).json_lines()[0]["threads"], 6);
}

#[test]
fn each_of_two_hosts_has_a_table() {
    let Some(mut job) = two_hosts() else { return };
    let rows = rows(job.args(["-np", "4"]));
    let hosts: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["host"].as_str().unwrap(),
                row["ranks"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(hosts, [("n1", 2), ("n2", 2)]);
}

#[test]
fn a_table_that_is_missing_on_the_only_host_is_generated() {
    let Some(mut job) = mpirun_bound_to("core:if-supported") else {
        return;
    };
    let folder = TempDir::new().unwrap();
    job.args([
        "-np",
        "2",
        COSETTE_MPI,
        "ranks",
        "-v",
        "--table",
        "24M",
        "--tables",
    ])
    .arg(folder.path());
    let ended = run(&mut job);
    assert!(ended.status.success(), "{}", ended.errors);
    // One rank generates it, with the cores of both, or with more where the system does not bind
    // ranks.
    let (_, threads) = ended.errors.split_once("threads=").expect("it is logged");
    let threads: usize = threads.split_whitespace().next().unwrap().parse().unwrap();
    assert!(
        threads >= std::thread::available_parallelism().unwrap().get().min(2),
        "{}",
        ended.errors
    );
    assert_eq!(
        ended.output.matches("htm-24M").count(),
        1,
        "{}",
        ended.output
    );
    assert!(folder.path().join("htm-24M.table").exists());
}

#[test]
fn ranks_that_do_different_things_are_refused() {
    for (first, second) in [
        (&["ranks"][..], &["solve", "R"][..]),
        (&["solve", "R U"], &["solve", "R F"]),
    ] {
        let Some(mut job) = mpirun() else { return };
        let job = job
            .args(["-np", "1", COSETTE_MPI])
            .args(first)
            .args([":", "-np", "1", COSETTE_MPI])
            .args(second);
        let ended = run(job);
        assert_eq!(ended.status.code(), Some(1), "{}", ended.errors);
        let [first, second] = [first, second].map(|args| args.join(" "));
        let message = format!("rank 0 runs `{first}`, but rank 1 runs `{second}`");
        assert_eq!(
            ended.errors.matches(&message).count(),
            1,
            "{}",
            ended.errors
        );
    }
}

/// A job of two ranks, each with its own arguments.
fn two_ranks(mut job: Command, arguments: [&[&str]; 2]) -> Ended {
    for (rank, arguments) in arguments.into_iter().enumerate() {
        job.args(if rank == 0 { &[][..] } else { &[":"] });
        job.args(["-np", "1", COSETTE_MPI, "ranks", "--tables"])
            .arg(tables())
            .args(arguments);
    }
    run(&mut job)
}

/// A folder whose table has been changed.
fn damaged(change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let mut bytes = fs::read(tables().join("htm-24M.table")).unwrap();
    change(&mut bytes);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("htm-24M.table"), bytes).unwrap();
    folder
}

/// A job of four ranks on two hosts; the second host finds its tables elsewhere.
fn with_tables_on_n2(mut job: Command, folder: &Path) -> Ended {
    job.env("COSETTE_TABLES", tables())
        .env("TABLES_ON_N2", folder);
    run(job.args(["-np", "4", COSETTE_MPI, "ranks", "--table", "24M"]))
}

#[test]
fn ranks_that_want_different_tables_are_refused() {
    let Some(job) = mpirun() else { return };
    two_ranks(job, [&["--table", "24M"], &["--table", "47M"]]).assert_refused(&[
        "uses the table htm-24M, but rank 1 on",
        "uses the table htm-47M",
        "give all ranks the same --table and --metric",
    ]);
}

#[test]
fn wrong_arguments_of_any_rank_are_refused_once() {
    let wrong: [(&[&str], &str); 2] = [
        (&["--tabel", "24M"], "unexpected argument '--tabel'"),
        (
            &["--table", "htm-24M", "--metric", "qtm"],
            "the table (--table or COSETTE_TABLE) is for htm, but --metric (or COSETTE_METRIC) is qtm",
        ),
    ];
    for (arguments, message) in wrong {
        for of_ranks in [[arguments, arguments], [arguments, &[]], [&[], arguments]] {
            let Some(job) = mpirun() else { return };
            let ended = two_ranks(job, of_ranks);
            assert_eq!(ended.status.code(), Some(2), "{}", ended.errors);
            assert_eq!(ended.errors.matches(message).count(), 1, "{}", ended.errors);
        }
    }
}

#[test]
fn a_damaged_table_is_refused() {
    let Some(mut job) = mpirun() else { return };
    let folder = damaged(|bytes| bytes[20_000_000] ^= 1);
    job.args([
        "-np",
        "2",
        COSETTE_MPI,
        "ranks",
        "--table",
        "24M",
        "--tables",
    ])
    .arg(folder.path());
    run(&mut job).assert_refused(&["block 2863 of 3393 of", "cosette tables rm htm-24M"]);
}

#[test]
fn a_table_that_is_missing_on_one_host_is_refused() {
    let Some(job) = two_hosts() else { return };
    let nothing = TempDir::new().unwrap();
    with_tables_on_n2(job, nothing.path()).assert_refused(&[
        "on host n2: there is no table at",
        "generate it there with `cosette tables gen htm-24M`, or use a folder on a shared disk with --tables",
    ]);
    assert_eq!(fs::read_dir(nothing.path()).unwrap().count(), 0);
}

#[test]
fn a_table_that_is_damaged_on_one_host_is_refused() {
    let Some(job) = two_hosts() else { return };
    let folder = damaged(|bytes| bytes.truncate(10_000_000));
    with_tables_on_n2(job, folder.path())
        .assert_refused(&["on host n2:", "has 10000000 bytes, but should have"]);
}
