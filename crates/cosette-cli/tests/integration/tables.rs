//! `cosette tables`.

use crate::support::{cosette, json_lines, tables};
use cosette::table::TableSize;
use cosette_lab::all_tables;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

#[test]
fn the_list_shows_every_size() {
    let mut assert = cosette().args(["tables", "list", "--tables"]).arg(tables()).assert().success();
    for size in TableSize::ALL {
        assert = assert.stdout(contains(format!("htm-{size} ")).and(contains(format!("qtm-{size} "))));
    }
    let output = cosette().args(["tables", "list", "--json", "--tables"]).arg(tables()).output().unwrap();
    let mut rows = json_lines(&output.stdout);
    // Other tests generate tables of the lab there.
    rows.retain(|row| row["lab"] == false);
    assert_eq!(rows.len(), 20);
    assert_eq!(rows[0]["name"], "htm-24M");
    assert!(rows[0]["on_disk"] == true && rows[0]["fits"] == true);
    assert_eq!((&rows[1]["name"], &rows[1]["on_disk"]), (&"htm-47M".into(), &false.into()));
    let seconds = |row: &serde_json::Value, of: &str| row[of].as_f64().unwrap();
    assert!(rows[..10].is_sorted_by(|a, b| seconds(a, "generation_seconds") <= seconds(b, "generation_seconds")));
    for (htm, qtm) in rows[..10].iter().zip(&rows[10..]) {
        assert!(seconds(qtm, "generation_seconds") > seconds(htm, "generation_seconds"), "{qtm}");
        assert!(seconds(qtm, "cube_seconds") > seconds(htm, "cube_seconds"), "{qtm}");
    }
    assert!(rows[..10].is_sorted_by(|a, b| seconds(a, "cube_seconds") > seconds(b, "cube_seconds")));
    let output = cosette().args(["tables", "list", "--json", "--metric", "qtm", "--tables"]).arg(tables()).output();
    assert!(json_lines(&output.unwrap().stdout).iter().all(|row| row["metric"] == "qtm" || row["lab"] == true));
}

#[test]
fn a_long_generation_is_announced() {
    use std::io::{BufRead, BufReader};
    let folder = TempDir::new().unwrap();
    let mut command = std::process::Command::new(cosette().get_program());
    command.args(["solve", "--metric", "qtm", "--threads", "1", "R", "--tables"]).arg(folder.path());
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("generating qtm-190M takes about 1"), "{line}");
}

#[test]
fn the_path_is_that_of_the_file() {
    let of = |names: &[&str]| {
        let output = cosette().args(["tables", "path"]).args(names).arg("--tables").arg(tables()).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    };
    assert_eq!(of(&[]), tables().to_str().unwrap());
    assert_eq!(of(&["24M"]), tables().join("htm-24M.table").to_str().unwrap());
    assert_eq!(of(&["24M", "--metric", "qtm"]), tables().join("qtm-24M.table").to_str().unwrap());
    assert_eq!(of(&["qtm-1.5G"]), tables().join("qtm-1.5G.table").to_str().unwrap());
    let assert = cosette().args(["tables", "path"]).env("XDG_CACHE_HOME", "/var/somewhere").assert();
    if cfg!(all(unix, not(target_os = "macos"))) {
        assert.success().stdout("/var/somewhere/cosette\n");
    }
}

#[test]
fn what_is_on_disk_is_not_generated_again() {
    let assert = cosette().args(["tables", "gen", "24M", "--tables"]).arg(tables()).assert();
    assert.success().stdout(contains("already at"));
    let assert = cosette().args(["tables", "verify", "24M", "--tables"]).arg(tables()).assert();
    assert.success().stdout("htm-24M: sound\n");
}

#[test]
fn missing_tables_are_reported() {
    let folder = TempDir::new().unwrap();
    let verify = cosette().args(["tables", "verify", "--tables"]).arg(folder.path()).assert();
    verify.success().stdout(contains("no tables"));
    let run = |command| cosette().args(["tables", command, "24M", "--tables"]).arg(folder.path()).assert().code(1);
    let is_reported = contains("there is no table at");
    let advises = contains("cosette tables gen");
    run("verify").stdout("htm-24M: not on disk\n").stderr(is_reported.clone().and(advises.clone()));
    run("rm").stderr(is_reported.and(advises.not()));
}

#[test]
fn unknown_names_are_wrong_usage() {
    cosette().args(["tables", "gen", "31M"]).assert().code(2).stderr(contains("the tables are 24M, 47M"));
    cosette().args(["tables", "gen"]).assert().code(2);
}

#[test]
fn tables_of_the_lab_are_known_by_name() {
    let Some(table) = all_tables().into_iter().min_by_key(|table| table.bytes()) else { return };
    let (name, folder) = (table.name(), TempDir::new().unwrap());
    let run = |args: &[&str]| cosette().arg("tables").args(args).arg("--tables").arg(folder.path()).assert();
    let path = folder.path().join(format!("{name}.table"));
    run(&["path", &name]).success().stdout(format!("{}\n", path.display()));
    run(&["gen", &name]).success().stdout(contains("generated and saved"));
    run(&["gen", &name]).success().stdout(contains("already at"));
    run(&["list"]).success().stdout(contains("table of the lab").and(contains(&name)));
    let rows = json_lines(&run(&["list", "--json"]).get_output().stdout);
    let row = rows.last().unwrap();
    assert_eq!((rows.len(), row["name"].as_str()), (21, Some(&name[..])));
    assert!(row["lab"] == true && row["on_disk"] == true);
    run(&["verify"]).success().stdout(format!("{name}: sound\n"));
    run(&["gen", &name, "--metric", "htm"]).code(2).stderr(contains("belongs to the lab"));

    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let remedy = format!("cosette tables rm {name}");
    run(&["verify", &name]).code(1).stdout(format!("{name}: faulty\n")).stderr(contains(remedy));
    run(&["rm", &name]).success();
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
