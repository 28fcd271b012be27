//! `cosette-mpi ranks`: the ranks, and whether those of a host share one table. Ranks and tables that do not fit together are
//! refused: by all ranks, in one message.

use crate::{COSETTE_MPI, Ended, mpirun, mpirun_bound_to, run, tables, two_hosts};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const TABLE_BYTES: f64 = 30.4e6;

/// The rows that `ranks` prints.
fn rows(job: &mut Command) -> Vec<Value> {
    let rows = run(job
        .args([COSETTE_MPI, "ranks", "--json", "--table", "24M", "--tables"])
        .arg(tables()))
    .json_lines();
    for (rank, row) in rows.iter().enumerate() {
        assert_eq!(row["rank"], rank);
        assert_eq!(row["table"], "htm-24M");
    }
    rows
}

/// The memory of the ranks, each page counted once.
fn memory(rows: &[Value]) -> Option<f64> {
    rows.iter()
        .map(|row| row["proportional_bytes"].as_f64())
        .sum()
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
    assert_eq!(row["shared"], false);
}

#[test]
#[cfg(target_os = "linux")]
fn the_ranks_of_a_host_have_one_table() {
    let Some(mut two) = mpirun() else { return };
    let rows_of_two = rows(two.args(["-np", "2"]));
    assert_eq!(rows_of_two.len(), 2);
    for row in &rows_of_two {
        assert_eq!(row["shared"], true);
        assert_eq!(row["first_on_host"], 0);
        assert!(
            row["resident_bytes"].as_f64().unwrap() > TABLE_BYTES,
            "each rank sees all of the table"
        );
    }
    let rows_of_one = rows(mpirun().unwrap().args(["-np", "1"]));
    let [one, two] = [rows_of_one, rows_of_two].map(|rows| memory(&rows).unwrap());
    assert!(
        two - one < 0.6 * TABLE_BYTES,
        "two ranks have {two} bytes, one has {one}"
    );
}

#[test]
fn ranks_divide_the_cores_of_a_host() {
    let Some(mut job) = mpirun() else { return };
    let all = std::thread::available_parallelism().unwrap().get();
    for row in rows(job.args(["-np", "3"])) {
        assert_eq!(row["threads"], (all / 3).max(1));
    }
}

#[test]
fn each_of_two_hosts_has_a_table() {
    let Some(mut job) = two_hosts() else { return };
    let rows = rows(job.args(["-np", "4"]));
    let hosts: Vec<&str> = rows
        .iter()
        .map(|row| row["host"].as_str().unwrap())
        .collect();
    assert_eq!(hosts, ["n1", "n2", "n1", "n2"]);
    let firsts: Vec<_> = rows
        .iter()
        .map(|row| row["first_on_host"].as_u64().unwrap())
        .collect();
    assert_eq!(firsts, [0, 1, 0, 1]);
    let memory = memory(&rows).unwrap();
    assert!(memory > 2.0 * TABLE_BYTES, "{memory}");
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
    // One rank generates it, with the cores of both, or with more where the system does not bind ranks.
    let (_, threads) = ended.errors.split_once("threads=").expect("it is logged");
    let threads: usize = threads.split_whitespace().next().unwrap().parse().unwrap();
    assert!(
        threads >= std::thread::available_parallelism().unwrap().get().min(2),
        "{}",
        ended.errors
    );
    assert_eq!(
        ended.output.matches("htm-24M").count(),
        2,
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
