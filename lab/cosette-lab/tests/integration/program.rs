//! The command `cosette-lab`; corrupted files of Lee's stored positions.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{self, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Reid's superflip: twenty moves.
const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Ten moves that cannot be shortened.
const EASY: &str = "R U R' U' F2 D L B2 R D";

/// The directory of tables that all tests share.
fn tables() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/test-tables"))
}

/// The command, which does not see the user's tables.
fn cosette_lab() -> Command {
    let mut command = Command::cargo_bin("cosette-lab").unwrap();
    command
        .env_remove("COSETTE_TABLES")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8");
    command.timeout(Duration::from_secs(600));
    command
}

/// `cosette-lab solve` with an engine.
fn solve_by(engine: &str) -> Command {
    let mut command = cosette_lab();
    command
        .args(["solve", "--engine", engine, "--tables"])
        .arg(tables());
    command
}

/// The experiments of a paper.
fn lab(paper: &str) -> Command {
    let mut command = cosette_lab();
    command.args([paper, "--tables"]).arg(tables());
    command
}

/// The JSON objects on standard output, one per line.
fn json_lines(output: &[u8]) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn optimal_engines_prove_the_shortest_solution() {
    let engines = [
        ("korf", "htm", 10),
        ("fiat", "htm", 10),
        ("manhattan", "htm", 10),
        ("reid", "htm", 10),
        ("reid", "qtm", 12),
    ];
    for (engine, metric, length) in engines {
        let output = solve_by(engine)
            .args(["--json", "--metric", metric, EASY])
            .assert()
            .success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!(answer["engine"], engine);
        assert_eq!(
            (&answer["optimal"], &answer["length"]),
            (&true.into(), &length.into()),
            "{engine} {metric}"
        );
    }
}

#[test]
fn engines_that_do_not_prove_say_so() {
    for engine in ["thistlethwaite", "two-phase"] {
        solve_by(engine)
            .args(["--log", EASY])
            .assert()
            .code(2)
            .stderr(contains("--log applies only to --engine korf"));
        let output = solve_by(engine)
            .args(["--json", SUPERFLIP])
            .assert()
            .success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!(
            (&answer["optimal"], &answer["length"]),
            (&false.into(), &serde_json::Value::Null)
        );
        assert!(answer["best_known"].is_string());
        solve_by(engine)
            .arg(SUPERFLIP)
            .assert()
            .success()
            .stdout(contains("not proven shortest"));
    }
}

#[test]
fn a_target_that_is_not_met_in_time_is_a_limit() {
    let late = solve_by("two-phase")
        .args(["--max-length", "15", "--timeout", "0.2", SUPERFLIP])
        .assert();
    late.code(4).stdout(contains("--timeout"));
    solve_by("thistlethwaite")
        .args(["--max-length", "9", EASY])
        .assert()
        .code(4)
        .stdout(contains("--max-length"));
}

#[test]
fn options_of_other_engines_are_refused() {
    solve_by("korf")
        .args(["--table", "24M", EASY])
        .assert()
        .code(2)
        .stderr(contains("have their own tables"));
    solve_by("korf")
        .args(["--metric", "qtm", EASY])
        .assert()
        .code(2)
        .stderr(contains("--metric qtm"));
    solve_by("reid")
        .args(["--databases", "8", EASY])
        .assert()
        .code(2)
        .stderr(contains("--engine korf"));
    solve_by("reid")
        .args(["--metric", "qtm", "--distances", "move-sets", EASY])
        .assert()
        .code(2)
        .stderr(contains("in half turns"));
    for (engine, option) in [
        ("korf", &["--distances", "mod-three"][..]),
        ("fiat", &["--distances", "four-bits"]),
        ("fiat", &["--no-symmetry"]),
        ("manhattan", &["--raise-equal"]),
        ("reid", &["--edges", "UR UF UL UB FR FL"]),
        ("fiat", &["--journal", "file"]),
        ("lee", &["--journal", "file"]),
    ] {
        solve_by(engine)
            .args(option)
            .arg(EASY)
            .assert()
            .code(2)
            .stderr(contains(option[0]).and(contains("applies only to --engine")));
    }
}

#[test]
fn engines_have_the_names_of_the_authors() {
    for (author, engine) in [("kociemba", "two-phase"), ("nargolkar", "reid")] {
        let output = solve_by(author)
            .args(["--json", "R U F"])
            .assert()
            .success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!(answer["engine"], engine);
    }
}

/// The work for each limit is logged, so that its nodes add up to those of the answer.
#[test]
fn limits_are_logged_as_they_end() {
    for (engine, metric, counts_tests) in [
        ("korf", "htm", true),
        ("manhattan", "htm", true),
        ("fiat", "htm", false),
        ("reid", "htm", true),
        ("reid", "qtm", true),
        ("lee", "htm", false),
    ] {
        let run = |more: &[&str]| {
            let mut command = match engine {
                "lee" => solve_by_lee(),
                _ => solve_by(engine),
            };
            let command = command.args(["--log", "--metric", metric, EASY]).args(more);
            command.assert().success().get_output().clone()
        };
        let output = run(&["--json"]);
        let answer = &json_lines(&output.stdout)[0];
        let text = String::from_utf8(output.stderr).unwrap();
        let begin = text.find('{').expect("there are limits");
        let lines = json_lines(&text.as_bytes()[begin..]).into_iter();
        let (limits, cosets): (Vec<_>, Vec<_>) = lines.partition(|line| line["length"].is_u64());
        assert_eq!(cosets.is_empty(), engine != "reid", "{engine} {metric}");
        let sum = |field: &str| limits.iter().map(|limit| limit[field].as_u64()).sum();
        let nodes: Option<u64> = sum("nodes");
        assert_eq!(nodes, answer["nodes"].as_u64(), "{engine} {metric}");
        let tests: Option<u64> = sum("tests");
        assert_eq!(tests.is_some(), counts_tests, "{engine} {metric}");
        let lengths: Vec<u64> = limits
            .iter()
            .filter_map(|limit| limit["length"].as_u64())
            .collect();
        assert!(
            lengths.windows(2).all(|two| two[1] == two[0] + 1),
            "every limit has a line, in quarter turns too: {lengths:?}"
        );
        let last = limits.last().expect("there are limits");
        let unit = if metric == "qtm" { "q" } else { "f" };
        let ended = match last["exhausted"].as_bool() {
            Some(true) => "completed",
            _ => "ended early",
        };
        let line = format!("limit {}{unit} {ended} (", last["length"]);
        let text = String::from_utf8(run(&[]).stderr).unwrap();
        let logged = text.lines().last().expect("there are limits");
        assert!(
            logged.starts_with(&line) && logged.contains("nodes, ") && logged.ends_with(" s)"),
            "{engine} {metric}: {logged}"
        );
    }
}

#[test]
fn reid_s_search_has_its_options() {
    let output = |more: &[&str]| {
        let mut command = solve_by("reid");
        let command = command.args(["--json", "--max-length", "13", SUPERFLIP]);
        command.args(more).assert().code(4).get_output().clone()
    };
    let answer = |more: &[&str]| json_lines(&output(more).stdout).remove(0);
    let whole = answer(&["--no-symmetry"]);
    let by_symmetry = answer(&["--log"]);
    assert!(by_symmetry["nodes"].as_u64() < whole["nodes"].as_u64());
    let mod_three = answer(&["--no-symmetry", "--distances", "mod-three"]);
    assert_eq!(
        (&mod_three["table"], &mod_three["nodes"]),
        (&"reid-htm-mod3".into(), &whole["nodes"])
    );
    let raised = answer(&["--no-symmetry", "--raise-equal"]);
    assert!(raised["nodes"].as_u64() < whole["nodes"].as_u64());
    let log = String::from_utf8(output(&["--log"]).stderr).unwrap();
    assert!(
        log.contains(r#"{"cosets":476,"distance":12,"entries":129}"#),
        "{log}"
    );
    let mut as_text = solve_by("reid");
    let as_text = as_text.args(["--log", "--max-length", "9", SUPERFLIP]);
    let log = String::from_utf8(as_text.assert().get_output().stderr.clone()).unwrap();
    for line in [
        "0f\t1\t(1)",
        "11f\t58202444\t",
        "switching to backward searching",
    ] {
        assert!(log.contains(line), "{log}");
    }
}

#[test]
fn a_list_is_read_from_standard_input() {
    let output = solve_by("reid")
        .args(["--all", "--json", "-"])
        .write_stdin("R U F\n\nR L\n")
        .assert()
        .success();
    let answers = json_lines(&output.get_output().stdout);
    let found = answers.iter().map(|answer| &answer["solution_count"]);
    assert_eq!(found.collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn the_share_of_the_tasks_is_reported() {
    let output = solve_by("manhattan")
        .args(["--events", "--max-length", "10", SUPERFLIP])
        .assert()
        .code(4);
    let events = json_lines(&output.get_output().stdout);
    let progress = |event: &&serde_json::Value| event["event"] == "progress";
    let reported: Vec<_> = events.iter().filter(progress).collect();
    let length = |event: &&serde_json::Value| event["length"].as_u64();
    assert_eq!(reported.iter().filter_map(length).max(), Some(10));
    assert!(
        reported
            .iter()
            .all(|event| event["done"].as_u64() < event["total"].as_u64())
    );
}

/// A run resumes after the lengths that are complete, and counts the same nodes as one without a
/// journal. Another search does not begin in its journal.
#[test]
fn a_search_resumes_from_its_journal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let run = |length: &str, more: &[&str]| {
        let mut command = solve_by("reid");
        command.args(["--json", "--max-length", length, SUPERFLIP]);
        command.args(more).arg("--journal").arg(&path).assert()
    };
    run("11", &[]).code(4).stderr("");
    let resumed = run("13", &["--log"]).code(4);
    let output = resumed.get_output().clone();
    resumed.stderr(contains("resuming from").and(contains("length 11, ")));
    let alone = solve_by("reid")
        .args(["--json", "--max-length", "13", SUPERFLIP])
        .assert()
        .code(4);
    let counts = |output: &[u8]| {
        let answer = json_lines(output).remove(0);
        let iterations = answer["iterations"].as_array().unwrap().clone();
        let counts = iterations.iter().map(|of| of["nodes"].as_u64());
        (answer["lower_bound"].as_u64(), counts.collect::<Vec<_>>())
    };
    assert_eq!(counts(&output.stdout), counts(&alone.get_output().stdout));
    run("13", &["--all"])
        .code(1)
        .stderr(contains("all solutions"));
    run("13", &["--no-symmetry"])
        .code(1)
        .stderr(contains("symmetry"));
}

#[test]
fn korf_s_databases_may_be_chosen() {
    let output = solve_by("korf")
        .args(["--databases", "8", "--distances", "four-bits"])
        .args(["--json", "R U F"])
        .assert()
        .success();
    assert_eq!(
        json_lines(&output.get_output().stdout)[0]["table"],
        "korf 8"
    );
    solve_by("korf")
        .args(["--databases", "8+5+5", EASY])
        .assert()
        .code(2)
        .stderr(contains("8+7+7"));
    let output = solve_by("korf")
        .args(["--edges", "ur uf ul ub fr fl"])
        .args(["--distances", "four-bits", "--json", "R U F"])
        .assert()
        .success();
    assert_eq!(
        json_lines(&output.get_output().stdout)[0]["table"],
        "korf 8+6"
    );
    for edges in [
        "UR UF UL UB FR",
        "UR UF UL UB FR XY",
        "UR UF UL UB FR FL; DR DF DL DB BR BL; UR UF UL UB FR FL",
    ] {
        solve_by("korf")
            .args(["--edges", edges, EASY])
            .assert()
            .code(2)
            .stderr(contains("one or two sets of six or seven different edges"));
    }
}

/// Bounds of the Manhattan type are small: a search that is cut off says what it has ruled out.
#[test]
fn what_is_too_far_for_a_weak_bound_is_bounded() {
    let late = solve_by("manhattan")
        .args(["--timeout", "0.5", SUPERFLIP])
        .assert();
    late.code(4).stdout(contains("--timeout"));
}

/// Without a limit two-phase search goes on for a second: what is near is then solved by fewest
/// moves.
#[test]
fn two_phase_search_improves_its_solution() {
    let output = solve_by("two-phase")
        .args(["--json", "R U F D L B2 R"])
        .assert()
        .success();
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(
        (&answer["upper_bound"], answer["nodes"].as_u64() > Some(0)),
        (&7.into(), true),
        "{answer}"
    );
}

#[test]
fn experiments_are_shown_as_text_and_as_json() {
    let shown = lab("thistlethwaite")
        .assert()
        .success()
        .stdout(contains("663,552"));
    // Pictures are drawn by `report` only.
    shown.stdout(contains(".svg").not());
    let output = lab("thistlethwaite")
        .args(["--json", "stages"])
        .assert()
        .success();
    let experiment = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(experiment["experiment"], "stages");
    assert_eq!(experiment["data"]["stages"][3]["cosets"], 663_552);
}

#[test]
fn the_help_of_a_paper_names_its_experiments() {
    for paper in cosette_lab::papers::PAPERS {
        let help = lab(paper.name).arg("--help").assert().success();
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        assert!(
            paper
                .experiments
                .iter()
                .all(|entry| help.contains(&format!("  {} ", entry.name))),
            "{help}"
        );
        // Each run is named once.
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let runs: Vec<&str> = help.split(" Computed on ").skip(1).collect();
        assert!(
            (1..runs.len()).all(|i| !runs[i..].contains(&runs[i - 1])),
            "{help}"
        );
    }
}

#[test]
fn the_seed_may_be_chosen() {
    let drawn = |more: &[&str]| {
        let output = lab("kociemba").arg("example").args(more).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let own = drawn(&[]);
    let chosen = drawn(&["--seed", "7"]);
    assert!(
        own.contains("from seed 1992") && chosen.contains("from seed 7"),
        "{own}{chosen}"
    );
    let found = |text: &str| {
        text.lines()
            .filter(|line| line.starts_with('|'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert!(
        found(&own).len() > 2 && found(&own)[2..] != found(&chosen)[2..],
        "{own}{chosen}"
    );
}

#[test]
fn an_unknown_experiment_is_refused_with_the_known_ones() {
    lab("thistlethwaite")
        .arg("corners")
        .assert()
        .code(2)
        .stderr(contains("`corners`").and(contains("stages")));
}

#[test]
fn options_that_no_experiment_takes_are_refused_with_those_that_do() {
    let refused = |option: &str, value: &str, takers: &'static str| {
        let assert = lab("korf").args(["nodes", "law", option, value]).assert();
        assert
            .code(2)
            .stderr(contains(format!("{option} applies only to {takers}\n")));
    };
    refused(
        "--instances",
        "file",
        "korf instances, reid korf-ten-by-reid",
    );
    refused(
        "--max-nodes",
        "9",
        "korf instances, reid korf-ten-by-reid, reid superflip",
    );
    refused(
        "--timeout",
        "1",
        "engines all, korf instances, reid korf-ten-by-reid, reid superflip, distances distances, symmetric symmetric",
    );
}

#[test]
fn a_report_is_a_page_with_pictures_and_an_index() {
    let folder = TempDir::new().unwrap();
    lab("report")
        .arg("thistlethwaite")
        .arg("--out")
        .arg(folder.path())
        .assert()
        .success();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let index = read("README.md");
    assert!(index.contains("[Thistlethwaite](thistlethwaite.md)"));
    assert!(read("thistlethwaite.md").contains("(thistlethwaite-lengths.svg)"));
    assert!(read("thistlethwaite-lengths.svg").starts_with("<svg"));
    let unknown = contains("`nobody`").and(contains("thistlethwaite"));
    lab("report")
        .args(["nobody", "--out", "."])
        .assert()
        .code(2)
        .stderr(unknown);
}

#[test]
fn instances_that_cannot_be_read_are_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("instances.txt");
    let instances = || {
        lab("korf")
            .args(["instances", "--instances"])
            .arg(&file)
            .assert()
    };
    instances().code(1).stderr(contains("instances.txt"));
    fs::write(&file, "R U F\n\nR U X9\n").unwrap();
    instances().code(3).stderr(
        contains("line 3")
            .and(contains("`X`"))
            .and(contains("write x: ").count(1)),
    );
}

#[test]
fn figures_of_long_runs_are_shown_with_their_machine_and_date() {
    let run = || contains("Computed on 2026-11-2").and(contains(" on AMD EPYC"));
    for (paper, experiment) in [
        ("engines", "all"),
        ("korf", "instances"),
        ("reid", "superflip"),
    ] {
        let shown = lab(paper).arg(experiment).assert().success();
        shown.stdout(run());
        lab(paper).arg("--help").assert().success().stdout(run());
    }
}

/// `cosette-lab solve --engine lee` with all positions within five moves.
fn solve_by_lee() -> Command {
    let mut command = cosette_lab();
    command
        .args([
            "solve", "--engine", "lee", "--d-back", "5", "--d-for", "3", "--tables",
        ])
        .arg(tables());
    command
}

/// `cosette-lab lee`, the experiment that reads the stored positions.
fn lab_lee(folder: &Path) -> Command {
    let mut command = cosette_lab();
    command.args(["lee", "times", "--tables"]).arg(folder);
    command
}

#[test]
fn one_shortest_solution_is_found_and_several_are_refused() {
    let output = solve_by_lee().args(["--json", EASY]).assert().success();
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(
        (&answer["engine"], &answer["optimal"], &answer["length"]),
        (&"lee".into(), &true.into(), &10.into())
    );
    solve_by_lee().args(["-n", "1", EASY]).assert().success();
    for several in [
        &["--all"][..],
        &["-n", "2"],
        &["--explain"],
        &["--prefer", "qtm"],
    ] {
        solve_by_lee()
            .args(several)
            .arg(EASY)
            .assert()
            .code(2)
            .stderr(contains("this engine finds only one"));
    }
}

#[test]
fn the_options_of_lee_s_program_lead_to_the_same_length() {
    let paper = ["--pairs", "0-1,2-3,3-5"];
    let disk = ["--perimeter", "disk"];
    let choices: [&[&str]; 6] = [
        &paper,
        &[&paper[..], &["--ties", "heu6-queue", "--d-for", "2"]].concat(),
        &["--pairs", "0-1", "--heuristic", "heu6", "--ties", "queue"],
        &["--heuristic", "heu8", "--ties", "heu8-stack"],
        &[&disk[..], &["--hash-method", "4", "--buckets", "100000"]].concat(),
        &[&disk[..], &["--hash-method", "1"]].concat(),
    ];
    for choice in choices {
        let mut command = cosette_lab();
        command
            .args([
                "solve", "--engine", "lee", "--d-back", "5", "--json", "--tables",
            ])
            .arg(tables());
        let output = command.args(choice).arg(EASY).assert().success();
        let answer = &json_lines(&output.get_output().stdout)[0];
        assert_eq!(
            (&answer["optimal"], &answer["length"]),
            (&true.into(), &10.into()),
            "{choice:?}"
        );
    }
    let mut bounds = solve_by_lee();
    bounds.args(paper).args(["--bounds", "R U F D"]);
    bounds
        .assert()
        .success()
        .stderr("h by 0-1: 4\nh by 2-3: 4\nh by 3-5: 4\nh: 4\n");
}

#[test]
fn options_of_lee_s_program_that_do_not_fit_are_refused() {
    let refused = |options: &[&str], text: &str| {
        let mut command = cosette_lab();
        command.args(["solve", "--engine", "lee"]).args(options);
        command.arg(EASY).assert().code(2).stderr(contains(text));
    };
    refused(&["--d-back", "9"], "0 to 8");
    refused(&["--d-for", "0"], "1 to 7");
    refused(&["--d-for", "8"], "1 to 7");
    refused(&["--d-for", "deep"], "1 to 7");
    refused(&["--states", "0"], "1 to 4000000000");
    for pairs in ["0", "0-0", "0-6", "0-1,", "U-L"] {
        refused(&["--pairs", pairs], "write pairs of two different faces");
    }
    refused(&["--ties", "heu7"], "heu6-queue");
    refused(&["--heuristic", "none"], "heu8");
    refused(&["--hash-method", "5"], "1 to 4");
    for option in [["--hash-method", "2"], ["--buckets", "100"]] {
        refused(&option, "apply only to --perimeter disk");
    }
    refused(
        &["--heuristic", "heu6", "--d-for", "5"],
        "--heuristic forward",
    );
    for option in [&["--d-for", "5"][..], &["--ties", "queue"], &["--bounds"]] {
        let mut command = cosette_lab();
        command.args(["solve", "--engine", "korf"]).args(option);
        command
            .arg(EASY)
            .assert()
            .code(2)
            .stderr(contains("only to --engine lee"));
    }
}

#[test]
fn a_position_beyond_the_memory_limit_is_bounded() {
    solve_by_lee()
        .args(["--states", "20000", SUPERFLIP])
        .assert()
        .code(4)
        .stdout(contains("has 10 to 20 moves").and(contains("stopped at --states")))
        .stderr("");
    let output = solve_by_lee()
        .args(["--states", "20000", "--json", SUPERFLIP])
        .assert()
        .code(4);
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(
        (&answer["stop_reason"], &answer["lower_bound"]),
        (&"memory".into(), &10.into())
    );
}

/// Absence from the stored positions is known before any forward space is made.
#[test]
fn a_search_that_is_stopped_at_once_is_bounded() {
    let output = solve_by_lee()
        .args(["--timeout", "0.0001", "--json", SUPERFLIP])
        .assert()
        .code(4);
    let answer = &json_lines(&output.get_output().stdout)[0];
    assert_eq!(answer["stop_reason"], "timeout");
    assert!(answer["lower_bound"].as_u64() >= Some(6), "{answer}");
}

/// Other faults of such a file are tested by `a_truncated_or_altered_file_is_refused` of the lab.
#[test]
fn stored_positions_that_are_something_else_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("lee-space-7");
    for bytes in [&b""[..], b"somebody's notes"] {
        fs::write(&path, bytes).unwrap();
        let refused = lab_lee(folder.path()).arg("--full").assert().code(1);
        refused.stderr(
            contains("lee-space-7")
                .and(contains("is not a table or database of Cosette"))
                .and(contains("remove")),
        );
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is left alone");
    }
}

/// Needs the right to mount a file system, and is skipped without.
#[test]
#[cfg(target_os = "linux")]
fn too_little_disk_space_is_reported_first() {
    let folder = TempDir::new().unwrap();
    let script = r#"mount -t tmpfs -o size=5m tmpfs "$DIR" || exit 99
        "$LAB" lee times --full --tables "$DIR"; code=$?; ls -A "$DIR"; exit $code"#;
    let mut command = process::Command::new("unshare");
    command.args(["-Urm", "sh", "-c", script]);
    command
        .env("DIR", folder.path())
        .env("LAB", cosette_lab().get_program());
    let Ok(output) = command.output() else { return };
    let stderr = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(99) || stderr.starts_with("unshare:") {
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("needs another 982 MB on disk, but only 5 MB are free")
            && stderr.contains("free disk space"),
        "{stderr}"
    );
    assert!(output.stdout.is_empty(), "nothing is left behind");
}

/// An engine without anything to stop is not asked for the rest of a list. The first lines fill the
/// pipe, so the list cannot end before they are read.
#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_list() {
    const LINES: usize = 20_000;
    let folder = TempDir::new().unwrap();
    let list = folder.path().join("list");
    fs::write(&list, format!("{SUPERFLIP}\n").repeat(LINES)).unwrap();
    let command = solve_by("thistlethwaite");
    let mut child = process::Command::new(command.get_program())
        .args(command.get_args())
        .arg("--json")
        .stdin(fs::File::open(&list).unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    assert!(
        process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
    std::thread::sleep(Duration::from_millis(200));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.lines().count() < LINES / 2);
}

#[test]
fn tables_are_known_by_name() {
    let table = cosette_lab::all_tables()
        .into_iter()
        .min_by_key(|table| table.bytes())
        .unwrap();
    let name = table.name();
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        cosette_lab()
            .arg("tables")
            .args(args)
            .arg("--tables")
            .arg(folder.path())
            .assert()
    };
    let path = folder.path().join(format!("{name}.table"));
    run(&["gen", &name]).success().stdout(contains("generated"));
    run(&["list"])
        .success()
        .stdout(contains(path.display().to_string()));
    run(&["verify", &name])
        .success()
        .stdout(format!("{name}: ok\n"));
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    run(&["verify", &name])
        .code(1)
        .stderr(contains(format!("cosette-lab tables rm {name}")));
    run(&["rm", &name]).success();
    run(&["gen", "nothing"]).code(2).stderr(contains(&name));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
