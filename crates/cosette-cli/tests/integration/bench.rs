//! `cosette bench`.

use crate::support::{EASY, SOLVED, cosette, json_lines, tables};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use tempfile::TempDir;

#[test]
fn the_latency_and_the_throughput_of_memory_are_measured() {
    let arguments = [
        "bench",
        "memory",
        "--size",
        "1M",
        "--threads",
        "1",
        "--runs",
        "1",
    ];
    let output = cosette().args(arguments).arg("--json").output().unwrap();
    let [record] = &json_lines(&output.stdout)[..] else {
        panic!("one line is written")
    };
    assert_eq!(
        (&record["bench"], &record["bytes"]),
        (&"memory".into(), &1_000_000.into())
    );
    assert_eq!(record["machine"]["arch"], std::env::consts::ARCH);
    assert!(
        record["rustc"].as_str().unwrap().starts_with("rustc "),
        "{record}"
    );
    assert_eq!(
        record["date"].as_str().unwrap().len(),
        "2026-01-01T00:00:00Z".len()
    );
    let readings = record["readings"].as_array().unwrap();
    let in_flight: Vec<u64> = readings
        .iter()
        .map(|reading| reading["in_flight"].as_u64().unwrap())
        .collect();
    assert_eq!(in_flight, [1, 64, 128]);
    assert!(
        readings
            .iter()
            .all(|reading| reading["ns"].as_f64() > Some(0.0) && reading["threads"] == 1)
    );
    assert!(
        record["overlap"]["both_ns"].as_f64() > Some(0.0),
        "{record}"
    );
    cosette()
        .args(arguments)
        .assert()
        .success()
        .stdout(contains(" million\n").count(3).and(contains("overlap")));
}

#[test]
fn more_memory_than_there_is_is_refused() {
    let assert = cosette()
        .args(["bench", "memory", "--size", "900T"])
        .assert();
    assert
        .code(1)
        .stderr(contains("cannot measure 900.00 TB of memory").and(contains("--size")));
    cosette()
        .args(["bench", "memory", "--size", "10K"])
        .assert()
        .code(2)
        .stderr(contains("write a size of at least 1M"));
}

/// `cosette bench search` with the smallest table and one thread, once.
fn search() -> assert_cmd::Command {
    let mut command = cosette();
    command
        .args([
            "bench",
            "search",
            "--runs",
            "1",
            "--threads",
            "1",
            "--table",
            "24M",
            "--tables",
        ])
        .arg(tables());
    command
}

#[test]
fn a_set_is_solved_and_its_lengths_are_checked() {
    let output = search()
        .args(["--set", "16", "-n", "1", "--json"])
        .output()
        .unwrap();
    let [record] = &json_lines(&output.stdout)[..] else {
        panic!("one line is written")
    };
    assert_eq!(
        (&record["bench"], &record["set"]),
        (&"search".into(), &"length 16".into())
    );
    assert_eq!(
        (&record["positions"], &record["threads"]),
        (&1.into(), &1.into())
    );
    assert_eq!(
        (&record["table"], &record["mode"]),
        (&"htm-24M".into(), &"cube by cube".into())
    );
    let figure = |of: &str| {
        record[of]
            .as_f64()
            .unwrap_or_else(|| panic!("{of}: {record}"))
    };
    let median = |of: &str| record[of]["median"].as_f64().unwrap();
    assert!(
        median("nodes") > 1e5 && median("probes") > median("nodes"),
        "{record}"
    );
    assert!(
        figure("share_of_limit") > 0.0 && figure("ns_per_probe") > 1.0,
        "{record}"
    );
    let gigabyte_seconds = figure("table_bytes") / 1e9 * median("seconds");
    assert!(
        (figure("gigabyte_seconds") / gigabyte_seconds - 1.0).abs() < 1e-3,
        "{record}"
    );
}

#[test]
fn positions_come_from_a_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("easy.txt");
    fs::write(&file, format!("# two positions\n{EASY}\n{SOLVED}\n")).unwrap();
    search()
        .arg("--positions")
        .arg(&file)
        .assert()
        .success()
        .stdout(contains("easy.txt            2  cube by cube"));
    search()
        .args(["--positions", "-"])
        .write_stdin(EASY)
        .assert()
        .success()
        .stdout(contains("htm-24M, 23.67 MB"));
    search()
        .arg("--positions")
        .arg(&file)
        .args(["--set", "16"])
        .assert()
        .code(2);

    fs::write(&file, "R U F\nR U Q\n").unwrap();
    let assert = search().arg("--positions").arg(&file).assert();
    assert
        .code(3)
        .stdout("")
        .stderr(contains("line 2: `Q` is not a valid move"));
    fs::write(&file, "# none\n").unwrap();
    search()
        .arg("--positions")
        .arg(&file)
        .assert()
        .code(1)
        .stderr(contains("contains no positions"));
    fs::remove_file(&file).unwrap();
    search()
        .arg("--positions")
        .arg(&file)
        .assert()
        .code(1)
        .stderr(contains("cannot read").and(contains("easy.txt")));
}

#[test]
fn tables_are_generated_and_loaded() {
    let mut generate = cosette();
    generate.args(["bench", "gen", "--table", "24M", "--runs", "1"]);
    generate
        .assert()
        .success()
        .stdout(contains("million entries per second").and(contains("htm-24M, 23.67 MB")));
    let mut load = cosette();
    load.args(["bench", "load", "--runs", "2", "--json", "--tables"])
        .arg(tables());
    let record = &json_lines(&load.output().unwrap().stdout)[0];
    assert_eq!(
        (&record["bench"], &record["table"]),
        (&"load".into(), &"htm-24M".into())
    );
    assert_eq!(
        (&record["runs"], &record["entries"]),
        (&2.into(), &117_567_450.into())
    );
    assert!(record["seconds"]["min"].as_f64() <= record["seconds"]["max"].as_f64());

    let empty = TempDir::new().unwrap();
    let assert = cosette()
        .args(["bench", "load", "--tables"])
        .arg(empty.path())
        .assert();
    assert
        .code(1)
        .stderr(contains("there is no table at").and(contains("cosette tables gen")));
}

/// Fields are added to records, never renamed: records that are kept have only fields that a new one has.
#[test]
fn kept_records_can_be_compared_with_new_ones() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/records");
    let output = cosette()
        .args([
            "bench",
            "memory",
            "--size",
            "1M",
            "--threads",
            "1",
            "--runs",
            "1",
            "--json",
        ])
        .output();
    let new = &json_lines(&output.unwrap().stdout)[0];
    let names = |object: &serde_json::Value| {
        object
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    // They are kept in the repository, not in the package.
    for entry in fs::read_dir(kept).into_iter().flatten() {
        for record in json_lines(&fs::read(entry.unwrap().path()).unwrap()) {
            let machine = names(&record["machine"]);
            assert!(
                machine
                    .iter()
                    .all(|name| new["machine"].get(name).is_some()),
                "{machine:?}"
            );
            if record["bench"] == "memory" {
                assert!(
                    names(&record).iter().all(|name| new.get(name).is_some()),
                    "{:?}",
                    names(&record)
                );
            }
        }
    }
}
