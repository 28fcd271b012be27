//! Ranks and tables that do not fit together are refused: by all ranks, in one message.

use crate::support::{COSETTE_MPI, Ended, mpirun, run, tables, two_hosts};
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A job of two ranks, each with its own arguments.
fn two_ranks(mut job: Command, arguments: [&[&str]; 2]) -> Ended {
    for (rank, arguments) in arguments.into_iter().enumerate() {
        job.args(if rank == 0 { &[][..] } else { &[":"] });
        job.args(["-np", "1", COSETTE_MPI, "ranks", "--tables"]).arg(tables()).args(arguments);
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
    job.env("COSETTE_TABLES", tables()).env("TABLES_ON_N2", folder);
    run(job.args(["-np", "4", COSETTE_MPI, "ranks", "--table", "24M"]))
}

#[test]
fn ranks_that_want_different_tables_are_refused() {
    let Some(job) = mpirun() else { return };
    two_ranks(job, [&["--table", "24M"], &["--table", "47M"]]).assert_refused(&[
        "was told to use the table htm-24M, and rank 1 on",
        "was told to use the table htm-47M",
        "give all ranks the same --table and --metric",
    ]);
}

#[test]
fn ranks_that_count_in_different_metrics_are_refused() {
    let Some(job) = mpirun() else { return };
    two_ranks(job, [&[], &["--metric", "qtm"]]).assert_refused(&["any table for htm", "any table for qtm"]);
}

#[test]
fn wrong_arguments_of_any_rank_are_refused_once() {
    let wrong: [(&[&str], &str); 2] = [
        (&["--tabel", "24M"], "unexpected argument '--tabel'"),
        (&["--table", "htm-24M", "--metric", "qtm"], "the table is for htm, but --metric is qtm"),
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
    job.args(["-np", "2", COSETTE_MPI, "ranks", "--table", "24M", "--tables"]).arg(folder.path());
    run(&mut job).assert_refused(&["block 5 of 6 of", "cosette tables rm htm-24M"]);
}

#[test]
fn a_table_that_is_missing_on_one_host_is_refused() {
    let Some(job) = two_hosts() else { return };
    let nothing = TempDir::new().unwrap();
    with_tables_on_n2(job, nothing.path()).assert_refused(&[
        "on host n2: there is no table at",
        "generate it there with `cosette tables gen htm-24M`, or name a folder on a shared disk with --tables",
    ]);
    assert_eq!(fs::read_dir(nothing.path()).unwrap().count(), 0);
}

#[test]
fn a_table_that_is_damaged_on_one_host_is_refused() {
    let Some(job) = two_hosts() else { return };
    let folder = damaged(|bytes| bytes.truncate(10_000_000));
    with_tables_on_n2(job, folder.path()).assert_refused(&["on host n2:", "has 10000000 bytes and should have"]);
}
