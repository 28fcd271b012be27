//! Whole cosets, one at a time on each host.

use crate::{COSETTE_MPI, mpirun, run};
use serde_json::Value;
use std::fs;

/// Counts the cosets of a list on three ranks of one host, with a journal.
fn count(list: &str, more: &[&str]) -> Option<crate::Ended> {
    let folder = tempfile::TempDir::new().unwrap();
    let path = folder.path().join("list");
    fs::write(&path, list).unwrap();
    let mut job = mpirun()?;
    job.args(["-np", "3", COSETTE_MPI, "coset"])
        .arg(path)
        .arg("--journal")
        .arg(folder.path().join("journal"));
    Some(run(job.args(more)))
}

#[test]
fn ranks_end_where_there_is_nothing_to_count() {
    let Some(ended) = count("R U Q\n", &[]) else {
        return;
    };
    assert!(
        ended.errors.contains("`Q` is not a valid move") && ended.output.is_empty(),
        "{}",
        ended.errors
    );
    let ended = count("R U F\n", &["--memory", "1G"]).unwrap();
    ended.assert_refused(&["a coset needs 5684 MB of memory"]);
}

#[test]
#[ignore = "6 GB, and half a minute"]
fn cosets_have_the_published_numbers_of_positions() {
    let Some(ended) = count("U R2\nR U F2\nD\n", &["--max-distance", "7", "--json"]) else {
        return;
    };
    let within = |answer: &Value| answer["within"]["7"].as_u64().unwrap();
    let mut counts: Vec<u64> = ended.json_lines().iter().map(within).collect();
    counts.sort_unstable();
    // Two of them are H.
    assert_eq!(counts[1..], [904_999; 2]);
}
