//! The systems that founded the field: `cosette lab`, and `cosette solve --engine`.

use crate::support::{EASY, SUPERFLIP, cosette, json_lines, tables};
use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// `cosette solve` by a founding system.
fn solve_by(engine: &str) -> Command {
    let mut command = cosette();
    command.args(["solve", "--engine", engine, "--tables"]).arg(tables());
    command
}

/// `cosette lab` on a paper.
fn lab(paper: &str) -> Command {
    let mut command = cosette();
    command.args(["lab", paper, "--tables"]).arg(tables());
    command
}

#[test]
fn optimal_engines_prove_the_shortest_solution() {
    for (engine, metric, length) in [("korf", "htm", 10), ("fiat", "htm", 10), ("reid", "htm", 10), ("reid", "qtm", 12)]
    {
        let output = solve_by(engine).args(["--json", "--metric", metric, EASY]).assert().success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!(answer["engine"], engine);
        assert_eq!((&answer["optimal"], &answer["length"]), (&true.into(), &length.into()), "{engine} {metric}");
    }
}

#[test]
fn engines_that_do_not_prove_say_so() {
    for engine in ["thistlethwaite", "twophase"] {
        let output = solve_by(engine).args(["--json", EASY]).assert().success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!((&answer["optimal"], &answer["length"]), (&false.into(), &serde_json::Value::Null));
        assert!(answer["best_known"].is_string());
        solve_by(engine).arg(EASY).assert().success().stdout(contains("does not prove"));
    }
}

#[test]
fn a_target_that_is_not_met_in_time_is_a_limit() {
    let late = solve_by("twophase").args(["--max-length", "15", "--timeout", "0.2", SUPERFLIP]).assert();
    late.code(4).stdout(contains("--timeout"));
    solve_by("thistlethwaite").args(["--max-length", "9", EASY]).assert().code(4).stdout(contains("--max-length"));
}

#[test]
fn options_of_other_engines_are_refused() {
    solve_by("korf").args(["--table", "24M", EASY]).assert().code(2).stderr(contains("have their own tables"));
    solve_by("korf").args(["--metric", "qtm", EASY]).assert().code(2).stderr(contains("--metric qtm"));
}

#[test]
fn experiments_are_shown_as_text_and_as_json() {
    let shown = lab("thistlethwaite").assert().success().stdout(contains("663,552"));
    // Pictures are drawn by `report` only.
    shown.stdout(contains(".svg").not().and(contains("`cosette lab report thistlethwaite --out DIR` draws the plots")));
    let output = lab("thistlethwaite").args(["--json", "stages"]).assert().success();
    let experiment = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(experiment["name"], "stages");
    assert_eq!(experiment["tables"][0]["rows"][3][2], 663_552);
}

#[test]
fn the_help_of_a_paper_names_its_experiments() {
    for paper in cosette_lab::papers::PAPERS {
        let help = lab(paper.name).arg("--help").assert().success();
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        assert!(paper.experiments.iter().all(|entry| help.contains(&format!("  {} ", entry.name))), "{help}");
    }
}

#[test]
fn the_seed_may_be_chosen() {
    let drawn = |more: &[&str]| {
        let output = lab("kociemba").arg("example").args(more).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let (own, chosen) = (drawn(&[]), drawn(&["--seed", "7"]));
    assert!(own.contains("from seed 1992") && chosen.contains("from seed 7"), "{own}{chosen}");
    let found = |text: &str| text.lines().filter(|line| line.starts_with('|')).map(str::to_owned).collect::<Vec<_>>();
    assert!(found(&own).len() > 2 && found(&own)[2..] != found(&chosen)[2..], "{own}{chosen}");
}

#[test]
fn an_unknown_experiment_is_refused_with_the_known_ones() {
    lab("thistlethwaite").arg("corners").assert().code(2).stderr(contains("`corners`").and(contains("stages")));
}

#[test]
fn a_report_is_a_page_with_pictures_and_an_index() {
    let folder = TempDir::new().unwrap();
    lab("report").arg("thistlethwaite").arg("--out").arg(folder.path()).assert().success();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("README.md").contains("(thistlethwaite.md)"));
    assert!(read("thistlethwaite.md").contains("(thistlethwaite-lengths.svg)"));
    assert!(read("thistlethwaite-lengths.svg").starts_with("<svg"));
    let unknown = contains("`nobody`").and(contains("thistlethwaite"));
    lab("report").args(["nobody", "--out", "."]).assert().code(2).stderr(unknown);
}

#[test]
fn instances_that_cannot_be_read_are_named() {
    let instances = |file: &Path| lab("korf").args(["instances", "--instances"]).arg(file).assert();
    instances(Path::new("no-such-file")).code(1).stderr(contains("no-such-file"));
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("instances.txt");
    fs::write(&file, "R U F\n\nR U X9\n").unwrap();
    instances(&file).code(3).stderr(contains("line 3").and(contains("`X`")));
    fs::write(&file, "# nothing\n").unwrap();
    instances(&file).failure().stderr(contains("instances.txt"));
}
