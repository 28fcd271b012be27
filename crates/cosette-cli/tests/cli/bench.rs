//! `cosette bench`.

use crate::support::{cosette, json_lines};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn memory_is_read_in_all_ways() {
    let arguments = ["bench", "memory", "--size", "1M", "--threads", "1", "--runs", "1"];
    let output = cosette().args(arguments).arg("--json").output().unwrap();
    let [record] = &json_lines(&output.stdout)[..] else { panic!("one line is written") };
    assert_eq!((&record["bench"], &record["bytes"]), (&"memory".into(), &1_000_000.into()));
    assert_eq!(record["machine"]["arch"], std::env::consts::ARCH);
    assert!(record["rustc"].as_str().unwrap().starts_with("rustc "), "{record}");
    assert_eq!(record["date"].as_str().unwrap().len(), "2026-01-01T00:00:00Z".len());
    let readings = record["readings"].as_array().unwrap();
    assert_eq!(readings.len(), 2 * 2 * 8, "pages, hints, lines in flight");
    assert!(readings.iter().all(|reading| reading["ns"].as_f64() > Some(0.0) && reading["threads"] == 1));
    let rows =
        predicates::function::function(|text: &str| text.lines().filter(|row| row.contains("million")).count() == 4);
    cosette().args(arguments).assert().success().stdout(rows.and(contains("ordinary")));
}

#[test]
fn memory_that_is_not_there_is_not_measured() {
    let assert = cosette().args(["bench", "memory", "--size", "900T"]).assert();
    assert.code(1).stderr(contains("900.00 TB of memory cannot be measured").and(contains("--size")));
    cosette().args(["bench", "memory", "--size", "10K"]).assert().code(2).stderr(contains("choose 1M or more"));
}
