//! `cosette bench`.

use crate::support::{cosette, json_lines, tables};
use std::fs;

#[test]
fn a_set_is_solved_and_its_lengths_are_checked() {
    let mut search = cosette();
    search.args([
        "bench",
        "search",
        "--set",
        "16",
        "-n",
        "1",
        "--runs",
        "1",
        "--threads",
        "1",
    ]);
    let output = search
        .args(["--table", "24M", "--json", "--tables"])
        .arg(tables())
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

/// Fields are added to records, never renamed: records that are kept have only fields that a new
/// one has.
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
