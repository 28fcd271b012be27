//! `cosette-mpi ranks`: the hosts and their ranks, one of which works on each; and `coset`. Ranks
//! and tables that do not fit together are refused: by all ranks, in one message.

use crate::Launch::{self, Alone, Bound, Ranks, TwoHosts};
use crate::{COSETTE_MPI, JobOutput, run, tables};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use tempfile::TempDir;

/// The hosts that `ranks` prints, with these further options.
fn rows(launch: Launch, options: &str) -> Option<Vec<Value>> {
    let rows = launch.run(&format!("ranks --json {options}"))?.json_lines();
    assert!(rows.iter().all(|row| row["table"] == "htm-24M"));
    Some(rows)
}

#[test]
fn one_rank_of_a_host_works_with_the_cores_of_all() {
    let [row] = &rows(Alone, "--threads 3").unwrap()[..] else {
        panic!("there is one rank")
    };
    assert_eq!([&row["threads"], &row["ranks"]], [&json!(3), &json!(1)]);
    let all = available_parallelism().unwrap().get();
    for launch in [Ranks(2), Bound(2)] {
        let Some(rows) = rows(launch, "") else { return };
        assert_eq!(rows.len(), 1, "there is one host");
        assert_eq!(rows[0]["ranks"], 2);
        let threads = rows[0]["threads"].as_u64().unwrap() as usize;
        assert!((all.min(2)..=all).contains(&threads), "{threads} threads");
    }
    let rows = rows(Ranks(3), "--threads 2").unwrap();
    assert_eq!(rows[0]["threads"], 6);
}

#[test]
fn each_of_two_hosts_has_a_table() {
    let Some(rows) = rows(TwoHosts(4), "") else {
        return;
    };
    let hosts = rows.iter().map(|row| json!([row["host"], row["ranks"]]));
    assert!(hosts.eq([json!(["n1", 2]), json!(["n2", 2])]), "{rows:?}");
}

#[test]
fn a_table_that_is_missing_on_the_only_host_is_generated() {
    let folder = TempDir::new().unwrap();
    let Some(mut job) = Bound(2).job("ranks -v --tables") else {
        return;
    };
    let ended = run(job.arg(folder.path()));
    assert!(ended.status.success(), "{}", ended.errors);
    // One rank generates it, with the cores of both, or with more where the system does not bind
    // ranks.
    let (_, threads) = ended.errors.split_once("threads=").expect("it is logged");
    let threads: usize = threads.split_whitespace().next().unwrap().parse().unwrap();
    let cores = available_parallelism().unwrap().get();
    assert!(threads >= cores.min(2), "{}", ended.errors);
    let tables = ended.output.matches("htm-24M").count();
    assert_eq!(tables, 1, "{}", ended.output);
    assert!(folder.path().join("htm-24M.table").exists());
}

/// A job of two ranks, each with its own arguments.
fn two_ranks([first, second]: [&str; 2]) -> Option<JobOutput> {
    let mut job = Ranks(1).job(first)?;
    job.args([":", "-np", "1", COSETTE_MPI]);
    Some(run(job.args(second.split_whitespace())))
}

#[test]
fn ranks_that_do_different_things_are_refused() {
    for ranks in [["ranks", "solve R"], ["solve R U", "solve R F"]] {
        let Some(ended) = two_ranks(ranks) else {
            return;
        };
        let [first, second] = ranks;
        let message = format!("rank 0 runs `{first}`, but rank 1 runs `{second}`");
        ended.assert_refused(1, &[&message]);
    }
}

#[test]
fn ranks_that_want_different_tables_are_refused() {
    let Some(ended) = two_ranks(["ranks --table 24M", "ranks --table 47M"]) else {
        return;
    };
    ended.assert_refused(
        1,
        &[
            "uses the table htm-24M, but rank 1 on",
            "uses the table htm-47M",
            "give all ranks the same --table and --metric",
        ],
    );
}

#[test]
fn wrong_arguments_of_any_rank_are_refused_once() {
    for (wrong, message) in [
        ("ranks --tabel 24M", "unexpected argument '--tabel'"),
        (
            "ranks --table htm-24M --metric qtm",
            "the table (--table or COSETTE_TABLE) is for htm, but --metric (or COSETTE_METRIC) is \
                qtm",
        ),
    ] {
        for ranks in [[wrong, wrong], [wrong, "ranks"], ["ranks", wrong]] {
            let Some(ended) = two_ranks(ranks) else {
                return;
            };
            ended.assert_refused(2, &[message]);
        }
    }
}

/// A folder whose table has been changed.
fn damaged(change: impl FnOnce(&mut Vec<u8>)) -> TempDir {
    let mut bytes = fs::read(tables().join("htm-24M.table")).unwrap();
    change(&mut bytes);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("htm-24M.table"), bytes).unwrap();
    folder
}

#[test]
fn a_damaged_table_is_refused() {
    let folder = damaged(|bytes| bytes[20_000_000] ^= 1);
    let Some(mut job) = Ranks(2).job("ranks --tables") else {
        return;
    };
    let ended = run(job.arg(folder.path()));
    ended.assert_refused(1, &["block 2863 of 3393 of", "cosette tables rm htm-24M"]);
}

/// A job of four ranks on two hosts; the second host finds its tables elsewhere.
fn with_tables_on_n2(folder: &Path) -> Option<JobOutput> {
    let mut job = TwoHosts(4).job("ranks")?;
    Some(run(job.env("TABLES_ON_N2", folder)))
}

#[test]
fn a_table_that_is_missing_or_damaged_on_one_host_is_refused() {
    let nothing = TempDir::new().unwrap();
    let Some(ended) = with_tables_on_n2(nothing.path()) else {
        return;
    };
    ended.assert_refused(
        1,
        &[
            "on host n2: there is no table at",
            "generate it there with `cosette tables gen htm-24M`, or use a folder on a shared disk \
                with --tables",
        ],
    );
    assert_eq!(fs::read_dir(nothing.path()).unwrap().count(), 0);
    let folder = damaged(|bytes| bytes.truncate(10_000_000));
    let ended = with_tables_on_n2(folder.path()).unwrap();
    ended.assert_refused(1, &["on host n2:", "has 10000000 bytes, but should have"]);
}

/// Counts the cosets of a list on three ranks of one host, with a journal.
fn count_cosets(list: &str, options: &str) -> Option<JobOutput> {
    let folder = TempDir::new().unwrap();
    let [file, journal] = ["list", "journal"].map(|name| folder.path().join(name));
    fs::write(&file, list).unwrap();
    let mut job = Ranks(3).job(&format!("coset {options} --journal"))?;
    Some(run(job.arg(journal).arg(file)))
}

#[test]
fn ranks_end_where_there_is_nothing_to_count() {
    let Some(ended) = count_cosets("R U Q\n", "") else {
        return;
    };
    let is_told = ended.errors.contains("`Q` is not a valid move");
    assert!(is_told && ended.output.is_empty(), "{}", ended.errors);
    let ended = count_cosets("R U F\n", "--memory 1G").unwrap();
    ended.assert_refused(1, &["a coset needs 5684 MB of memory"]);
}

#[test]
#[ignore = "6 GB, and half a minute"]
fn cosets_have_the_published_numbers_of_positions() {
    let Some(ended) = count_cosets("U R2\nR U F2\nD\n", "--max-distance 7 --json") else {
        return;
    };
    let within = |answer: &Value| answer["within"]["7"].as_u64().unwrap();
    let mut counts: Vec<u64> = ended.json_lines().iter().map(within).collect();
    counts.sort_unstable();
    // Two of them are H.
    assert_eq!(counts[1..], [904_999; 2]);
}
