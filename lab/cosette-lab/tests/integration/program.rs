//! The command `cosette-lab`; corrupted files of Lee's stored positions.

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{self, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Reid's superflip: twenty moves.
const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
/// Ten moves that cannot be shortened.
const EASY: &str = "R U R' U' F2 D L B2 R D";
/// Lee's engine with all positions within five moves.
const LEE: &str = "lee --d-back 5 --d-for 3";

/// The command with these arguments, divided at spaces; it does not see the user's tables.
fn command(arguments: &str) -> Command {
    let mut command = Command::cargo_bin("cosette-lab").unwrap();
    command
        .env_remove("COSETTE_TABLES")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        .timeout(Duration::from_secs(600))
        .args(arguments.split(' '));
    command
}

/// The command with the tables that all tests share.
fn lab(arguments: &str) -> Command {
    let mut command = command(arguments);
    let tables = concat!(env!("CARGO_TARGET_TMPDIR"), "/test-tables");
    command.env("COSETTE_TABLES", tables);
    command
}

/// `cosette-lab solve` with an engine and its options.
fn solve(options: &str, position: &str) -> Assert {
    let mut command = lab(&format!("solve --engine {options}"));
    command.arg(position).assert()
}

/// The JSON objects of a text, one per line.
fn json_lines(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The first JSON object on standard output.
fn answer(assert: &Assert) -> Value {
    json_lines(&assert.get_output().stdout).remove(0)
}

fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn optimal_engines_prove_the_shortest_solution() {
    for (options, engine, length) in [
        ("korf", "korf", 10),
        ("korf --distances four-bits", "korf", 10),
        ("fiat", "fiat", 10),
        ("manhattan", "manhattan", 10),
        ("reid", "reid", 10),
        ("nargolkar", "reid", 10),
        ("reid --metric qtm", "reid", 12),
        (LEE, "lee", 10),
        ("lee --d-back 5 -n 1", "lee", 10),
        ("lee --d-back 5 --pairs 0-1,2-3,3-5", "lee", 10),
        (
            "lee --d-back 5 --pairs 0-1,2-3,3-5 --ties heu6-queue --d-for 2",
            "lee",
            10,
        ),
        (
            "lee --d-back 5 --pairs 0-1 --heuristic heu6 --ties queue",
            "lee",
            10,
        ),
        (
            "lee --d-back 5 --heuristic heu8 --ties heu8-stack",
            "lee",
            10,
        ),
        (
            "lee --d-back 5 --perimeter disk --hash-method 4 --buckets 100000",
            "lee",
            10,
        ),
        ("lee --d-back 5 --perimeter disk --hash-method 1", "lee", 10),
    ] {
        let answer = answer(&solve(&format!("{options} --json"), EASY).success());
        let found = [&answer["engine"], &answer["optimal"], &answer["length"]];
        assert_eq!(json!(found), json!([engine, true, length]), "{options}");
    }
    let bounds = solve(&format!("{LEE} --pairs 0-1,2-3,3-5 --bounds"), "R U F D").success();
    assert_eq!(
        stderr(&bounds),
        "h by 0-1: 4\nh by 2-3: 4\nh by 3-5: 4\nh: 4\n"
    );
}

/// Two-phase search without a limit goes on for a second: what is near is then solved by fewest
/// moves.
#[test]
fn engines_that_do_not_prove_say_so() {
    for engine in ["thistlethwaite", "two-phase"] {
        let answer = answer(&solve(&format!("{engine} --json"), SUPERFLIP).success());
        assert_eq!(
            json!([answer["optimal"], answer["length"]]),
            json!([false, null])
        );
        assert!(answer["best_known"].is_string());
        solve(engine, SUPERFLIP)
            .success()
            .stdout(contains("not proven shortest"));
    }
    let near = answer(&solve("kociemba --json", "R U F D L B2 R").success());
    assert_eq!(
        json!([near["engine"], near["upper_bound"]]),
        json!(["two-phase", 7])
    );
    assert!(near["nodes"].as_u64() > Some(0), "{near}");
}

#[test]
fn limits_end_a_search_with_what_it_has_ruled_out() {
    for (options, position, text) in [
        (
            "two-phase --max-length 15 --timeout 0.2",
            SUPERFLIP,
            "--timeout",
        ),
        ("thistlethwaite --max-length 9", EASY, "--max-length"),
        ("manhattan --timeout 0.5", SUPERFLIP, "--timeout"),
    ] {
        solve(options, position).code(4).stdout(contains(text));
    }
    let limited = format!("{LEE} --states 20000");
    solve(&limited, SUPERFLIP)
        .code(4)
        .stdout(contains("has 10 to 20 moves").and(contains("stopped at --states")))
        .stderr("");
    // Absence from the stored positions is known before any forward space is made.
    for (options, reason, least) in [
        (limited, "memory", 10),
        (format!("{LEE} --timeout 0.0001"), "timeout", 6),
    ] {
        let answer = answer(&solve(&format!("{options} --json"), SUPERFLIP).code(4));
        assert_eq!(answer["stop_reason"], reason);
        assert!(answer["lower_bound"].as_u64() >= Some(least), "{answer}");
    }
}

const SETS: &str = "one or two sets of six or seven different edges";
const SEVERAL: &str = "this engine finds only one";
const PAIRS: &str = "write pairs of two different faces";
const DISK: &str = "apply only to --perimeter disk";

/// Options of an engine that are refused, and words of the error.
const REFUSED_OPTIONS: [(&str, &str); 37] = [
    ("korf --table 24M", "have their own tables"),
    ("korf --metric qtm", "--metric qtm"),
    ("korf --databases 8+5+5", "8+7+7"),
    ("korf --edges UR,UF", SETS),
    ("reid --metric qtm --distances move-sets", "in half turns"),
    ("reid --databases 8", "--engine korf"),
    (
        "korf --distances mod-three",
        "--distances mod-three applies only to --engine",
    ),
    (
        "fiat --distances four-bits",
        "--distances applies only to --engine",
    ),
    (
        "fiat --no-symmetry",
        "--no-symmetry applies only to --engine",
    ),
    (
        "manhattan --raise-equal",
        "--raise-equal applies only to --engine",
    ),
    ("fiat --journal file", "--journal applies only to --engine"),
    ("lee --journal file", "--journal applies only to --engine"),
    (
        "thistlethwaite --log",
        "--log applies only to --engine korf",
    ),
    ("two-phase --log", "--log applies only to --engine korf"),
    ("korf --d-for 5", "applies only to --engine lee"),
    ("korf --ties queue", "applies only to --engine lee"),
    ("korf --bounds", "applies only to --engine lee"),
    ("lee --all", SEVERAL),
    ("lee -n 2", SEVERAL),
    ("lee --explain", SEVERAL),
    ("lee --prefer qtm", SEVERAL),
    ("lee --d-back 9", "0 to 8"),
    ("lee --d-for 0", "1 to 7"),
    ("lee --d-for 8", "1 to 7"),
    ("lee --d-for deep", "1 to 7"),
    ("lee --states 0", "1 to 4000000000"),
    ("lee --pairs 0", PAIRS),
    ("lee --pairs 0-0", PAIRS),
    ("lee --pairs 0-6", PAIRS),
    ("lee --pairs 0-1,", PAIRS),
    ("lee --pairs U-L", PAIRS),
    ("lee --ties heu7", "heu6-queue"),
    ("lee --heuristic none", "heu8"),
    ("lee --hash-method 5", "1 to 4"),
    ("lee --hash-method 2", DISK),
    ("lee --buckets 100", DISK),
    ("lee --heuristic heu6 --d-for 5", "--heuristic forward"),
];

#[test]
fn options_that_do_not_fit_the_engine_are_refused() {
    for (options, text) in REFUSED_OPTIONS {
        let refused = solve(options, EASY).code(2);
        assert!(
            stderr(&refused).contains(text),
            "{options}: {}",
            stderr(&refused)
        );
    }
}

#[test]
fn korf_s_databases_may_be_chosen() {
    let by = |engine: &str, edges: &str| {
        let options = format!("solve --engine {engine} --distances four-bits --json --edges");
        lab(&options).args([edges, "R U F"]).assert()
    };
    let eight = solve("korf --databases 8 --distances four-bits --json", "R U F");
    assert_eq!(answer(&eight.success())["table"], "korf 8");
    assert_eq!(
        answer(&by("korf", "ur uf ul ub fr fl").success())["table"],
        "korf 8+6"
    );
    by("reid", "ur uf ul ub fr fl")
        .code(2)
        .stderr(contains("--edges applies only to --engine korf"));
    for edges in [
        "UR UF UL UB FR",
        "UR UF UL UB FR XY",
        "UR UF UL UB FR FL; DR DF DL DB BR BL; UR UF UL UB FR FL",
    ] {
        by("korf", edges)
            .code(2)
            .stderr(contains("one or two sets"));
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
        (LEE, "htm", false),
    ] {
        let options = format!("{engine} --log --metric {metric}");
        let logged = solve(&format!("{options} --json"), EASY).success();
        let log = stderr(&logged);
        let begin = log.find('{').expect("there are limits");
        let lines = json_lines(&log.as_bytes()[begin..]).into_iter();
        let (limits, cosets): (Vec<_>, Vec<_>) = lines.partition(|line| line["length"].is_u64());
        assert_eq!(cosets.is_empty(), engine != "reid", "{options}");
        let sum = |field: &str| -> Option<u64> { limits.iter().map(|of| of[field].as_u64()).sum() };
        assert_eq!(sum("nodes"), answer(&logged)["nodes"].as_u64(), "{options}");
        assert_eq!(sum("tests").is_some(), counts_tests, "{options}");
        let lengths = limits.iter().filter_map(|limit| limit["length"].as_u64());
        let lengths: Vec<u64> = lengths.collect();
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
        let text = stderr(&solve(&options, EASY).success());
        assert!(text.contains("known solution, so its length is not searched"));
        let logged = text.lines().last().expect("there are limits");
        assert!(
            logged.starts_with(&line) && logged.contains("nodes, ") && logged.ends_with(" s)"),
            "{options}: {logged}"
        );
    }
}

#[test]
fn reid_s_search_has_its_options() {
    let limited = |options: &str| {
        let options = format!("reid --json --max-length 13 {options}");
        solve(&options, SUPERFLIP).code(4)
    };
    let nodes = |options: &str| answer(&limited(options))["nodes"].as_u64();
    let whole = nodes("--no-symmetry");
    let mod_three = answer(&limited("--no-symmetry --distances mod-three"));
    assert_eq!(mod_three["table"], "reid-htm-mod3");
    assert_eq!(mod_three["nodes"].as_u64(), whole);
    assert!(nodes("--no-symmetry --raise-equal") < whole);
    let logged = limited("--log");
    assert!(answer(&logged)["nodes"].as_u64() < whole);
    let line = r#"{"cosets":476,"distance":12,"entries":129}"#;
    assert!(stderr(&logged).contains(line));
    let as_text = stderr(&solve("reid --log --max-length 9", SUPERFLIP));
    for line in [
        "0f\t1\t(1)",
        "11f\t58202444\t",
        "switching to backward searching",
    ] {
        assert!(as_text.contains(line), "{as_text}");
    }
}

#[test]
fn a_list_is_read_from_standard_input() {
    let mut command = lab("solve --engine reid --all --json -");
    let listed = command.write_stdin("R U F\n\nR L\n").assert().success();
    let answers = json_lines(&listed.get_output().stdout);
    let found = answers.iter().map(|answer| &answer["solution_count"]);
    assert_eq!(found.collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn the_share_of_the_tasks_is_reported() {
    let reported = solve("manhattan --events --max-length 10", SUPERFLIP).code(4);
    let mut events = json_lines(&reported.get_output().stdout);
    events.retain(|event| event["event"] == "progress");
    let lengths = events.iter().filter_map(|event| event["length"].as_u64());
    assert_eq!(lengths.max(), Some(10));
    let is_part = |event: &Value| event["done"].as_u64() < event["total"].as_u64();
    assert!(events.iter().all(is_part));
}

/// A run resumes after the lengths that are complete, and counts the same nodes as one without a
/// journal. Another search does not begin in its journal.
#[test]
fn a_search_resumes_from_its_journal() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal").display().to_string();
    let run = |options: &str| {
        let mut command = lab(&format!("solve --engine reid --json {options}"));
        command.args(["--journal", &path, SUPERFLIP]).assert()
    };
    run("--max-length 11").code(4).stderr("");
    let resumed = run("--max-length 13 --log").code(4);
    let alone = solve("reid --json --max-length 13", SUPERFLIP).code(4);
    let [counts, expected] = [&resumed, &alone].map(|assert| {
        let answer = answer(assert);
        let iterations = answer["iterations"].as_array().unwrap().iter();
        let nodes = iterations.map(|of| of["nodes"].as_u64());
        (answer["lower_bound"].as_u64(), nodes.collect::<Vec<_>>())
    });
    assert_eq!(counts, expected);
    resumed.stderr(contains("resuming from").and(contains("length 11, ")));
    for (options, text) in [("--all", "all solutions"), ("--no-symmetry", "symmetry")] {
        run(options).code(1).stderr(contains(text));
    }
}

#[test]
fn experiments_are_shown_as_text_and_as_json() {
    let shown = stdout(&lab("thistlethwaite").assert().success());
    // Pictures are drawn by `report` only.
    assert!(shown.contains("663,552") && !shown.contains(".svg"));
    let experiment = answer(&lab("thistlethwaite --json stages").assert().success());
    assert_eq!(experiment["experiment"], "stages");
    assert_eq!(experiment["data"]["stages"][3]["cosets"], 663_552);
    let run = || contains("Computed on 2026-11-2").and(contains(" on AMD EPYC"));
    for experiment in ["engines all", "korf instances", "reid superflip"] {
        lab(experiment).assert().success().stdout(run());
    }
}

#[test]
fn the_help_of_a_paper_names_its_experiments() {
    for paper in cosette_lab::papers::PAPERS {
        let help = stdout(&lab(&format!("{} --help", paper.name)).assert().success());
        let is_named = |name: &str| help.contains(&format!("  {name} "));
        assert!(
            paper.experiments.iter().all(|entry| is_named(entry.name)),
            "{help}"
        );
        // Each run is named once.
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let runs: Vec<&str> = help.split(" Computed on ").skip(1).collect();
        assert!(
            (1..runs.len()).all(|i| !runs[i..].contains(&runs[i - 1])),
            "{help}"
        );
        let is_long = paper.experiments.iter().any(|entry| !entry.kept.is_empty());
        assert_eq!(help.contains("ed on 2026-11-"), is_long, "{help}");
    }
}

#[test]
fn the_seed_may_be_chosen() {
    let [own, chosen] = ["", " --seed 7"].map(|seed| {
        let shown = lab(&format!("kociemba example{seed}")).assert().success();
        stdout(&shown)
    });
    assert!(own.contains("from seed 1992") && chosen.contains("from seed 7"));
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with('|'));
        rows.skip(2).map(str::to_owned).collect()
    };
    assert!(!rows(&own).is_empty() && rows(&own) != rows(&chosen));
}

#[test]
fn what_no_experiment_takes_is_refused_with_what_is_known() {
    for (arguments, text) in [
        ("thistlethwaite corners", "`corners`; use one of stages"),
        (
            "report nobody --out .",
            "`nobody`; use one of engines, korf",
        ),
        (
            "korf nodes law --instances file",
            "--instances applies only to korf instances, reid korf-ten-by-reid\n",
        ),
        (
            "korf nodes law --max-nodes 9",
            "--max-nodes applies only to korf instances, reid korf-ten-by-reid, reid superflip\n",
        ),
        (
            "korf nodes law --timeout 1",
            "--timeout applies only to engines all, korf instances, reid korf-ten-by-reid, \
                reid superflip, distances distances, symmetric symmetric\n",
        ),
    ] {
        lab(arguments).assert().code(2).stderr(contains(text));
    }
}

#[test]
fn a_report_is_a_page_with_pictures_and_an_index() {
    let folder = TempDir::new().unwrap();
    let mut report = lab("report thistlethwaite --out");
    report.arg(folder.path()).assert().success();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("README.md").contains("[Thistlethwaite](thistlethwaite.md)"));
    assert!(read("thistlethwaite.md").contains("(thistlethwaite-lengths.svg)"));
    assert!(read("thistlethwaite-lengths.svg").starts_with("<svg"));
}

#[test]
fn instances_that_cannot_be_read_are_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("instances.txt");
    let instances = || lab("korf instances --instances").arg(&file).assert();
    instances().code(1).stderr(contains("instances.txt"));
    fs::write(&file, "R U F\n\nR U X9\n").unwrap();
    instances().code(3).stderr(
        contains("line 3")
            .and(contains("`X`"))
            .and(contains("write x: ").count(1)),
    );
}

/// Other faults of such a file are tested by `a_truncated_or_altered_file_is_refused` of the lab.
#[test]
fn stored_positions_that_are_something_else_are_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("lee-perimeter-7-1-524288");
    for bytes in [&b""[..], b"somebody's notes"] {
        fs::write(&path, bytes).unwrap();
        let mut times = command("lee times --full --tables");
        times.arg(folder.path()).assert().code(1).stderr(
            contains("lee-perimeter-7-1-524288")
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
    let mut unshare = process::Command::new("unshare");
    unshare.args(["-Urm", "sh", "-c", script]);
    unshare
        .env("DIR", folder.path())
        .env("LAB", command("lee").get_program());
    let Ok(output) = unshare.output() else { return };
    let stderr = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(99) || stderr.starts_with("unshare:") {
        return;
    }
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("needs another 1422 MB on disk, but only 5 MB are free")
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
    let command = command("solve --engine thistlethwaite --json");
    let mut child = process::Command::new(command.get_program())
        .args(command.get_args())
        .stdin(fs::File::open(&list).unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    let mut kill = process::Command::new("kill");
    kill.args(["-INT", &child.id().to_string()]);
    assert!(kill.status().unwrap().success());
    std::thread::sleep(Duration::from_millis(200));
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.lines().count() < LINES / 2);
}

#[test]
fn tables_are_known_by_name() {
    let tables = cosette_lab::all_tables();
    let table = tables.iter().min_by_key(|table| table.bytes()).unwrap();
    let name = table.name();
    let folder = TempDir::new().unwrap();
    let run = |arguments: &str| {
        let mut command = command(&format!("tables {arguments} --tables"));
        command.arg(folder.path()).assert()
    };
    let path = folder.path().join(format!("{name}.table"));
    let corrupt = || {
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
    };
    let [generate, verify, remove] = ["gen", "verify", "rm"].map(|verb| format!("{verb} {name}"));
    run(&generate).success().stdout(contains("generated"));
    // Lee's stored positions are known by their files.
    let stored = folder.path().join("lee-space-3");
    fs::write(&stored, "positions").unwrap();
    let [path_name, stored_name] = [&path, &stored].map(|path| path.display().to_string());
    run("list")
        .success()
        .stdout(contains(path_name).and(contains(stored_name)));
    fs::remove_file(stored).unwrap();
    run(&verify).success().stdout(format!("{name}: ok\n"));
    corrupt();
    run(&verify)
        .code(1)
        .stderr(contains(format!("cosette-lab tables rm {name}")));
    run(&remove).success();
    run("gen nothing").code(2).stderr(contains(&name));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
