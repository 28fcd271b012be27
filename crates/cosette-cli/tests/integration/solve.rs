//! Solved positions: proofs, events and the formats of results.

use crate::support::{
    EASY, SOLVED, SUPERFLIP, answer, cosette, json_lines, position, solve, tables,
};
use cosette::cube::{Metric, ParseOptions, parse_moves, random_positions};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn text_says_what_is_proven() {
    let output = solve().args(EASY.split(' ')).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stderr, b"", "progress is for terminals");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let [solution, length, work] = stdout.lines().collect::<Vec<_>>()[..] else {
        panic!("{stdout}")
    };
    assert!(position(&format!("{EASY} {solution}")).is_solved());
    assert_eq!(length, "10 moves, proven shortest");
    assert!(
        work.starts_with("htm-24M, ") && work.contains("probes"),
        "{work}"
    );
    assert!(
        !stdout.contains('\u{1b}'),
        "no colors where there is no terminal"
    );
}

#[test]
fn json_has_the_promised_fields() {
    // With --all, the length of the two-phase solution is searched as well.
    let line = answer(&["--all", EASY]);
    assert_eq!(line["input"], EASY);
    assert_eq!(line["facelets"], position(EASY).facelets());
    assert_eq!(line["metric"], "htm");
    assert_eq!(line["optimal"], true);
    assert_eq!(line["length"], 10);
    assert_eq!(line["lower_bound"], 10);
    assert_eq!(line["solution_count"], 1);
    assert_eq!(line["table"], "htm-24M");
    assert_eq!(line["engine"], "cosette");
    assert!(
        line["nodes"].as_u64() > Some(0)
            && line["probes"].as_u64() > Some(0)
            && line["seconds"].is_f64()
    );
    let solution = line["solutions"][0].as_str().unwrap();
    assert!(position(&format!("{EASY} {solution}")).is_solved());
    let iterations = line["iterations"].as_array().unwrap();
    let nodes = iterations
        .iter()
        .map(|iteration| iteration["nodes"].as_u64().unwrap());
    assert_eq!(line["nodes"], nodes.sum::<u64>());
    assert_eq!(iterations.last().unwrap()["length"], 10);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_list() {
    let list = "\u{feff}# list\nR U F\n";
    solve()
        .write_stdin(list)
        .assert()
        .success()
        .stdout(contains("3 htm, proven"));
    let mut batch = cosette();
    batch
        .arg("batch")
        .arg("--tables")
        .arg(tables())
        .args(["--table", "24M", "-"]);
    batch
        .write_stdin(list)
        .assert()
        .success()
        .stdout(contains("3 htm, proven"));
}

#[test]
fn a_known_solution_is_proven_rather_than_searched() {
    let line = answer(&[&position(EASY).facelets()]);
    assert_eq!(
        (&line["optimal"], &line["length"], &line["complete"]),
        (&true.into(), &10.into(), &true.into())
    );
    assert!(
        position(&format!(
            "{EASY} {}",
            line["solutions"][0].as_str().unwrap()
        ))
        .is_solved()
    );
    let iterations = line["iterations"].as_array().unwrap();
    assert!(
        iterations
            .iter()
            .all(|iteration| iteration["length"].as_u64() < Some(10)),
        "{iterations:?}"
    );
    // It is proven to be the shortest; how many others there are is not asked.
    let text = printed(&["-n", "1", &position(EASY).facelets()]);
    assert!(text.contains("10 moves, proven shortest\n"), "{text}");
}

#[test]
fn every_format_shows_the_same_position() {
    let cube = position(EASY);
    let input = [EASY.to_owned(), cube.facelets(), cube.reid(), cube.speffz()].join("\n");
    let output = solve().arg("--json").write_stdin(input).output().unwrap();
    let lines = json_lines(&output.stdout);
    let formats: Vec<_> = lines
        .iter()
        .map(|line| line["format"].as_str().unwrap())
        .collect();
    assert_eq!(formats, ["moves", "facelets", "reid", "speffz"]);
    assert!(
        lines
            .iter()
            .all(|line| line["facelets"] == cube.facelets() && line["length"] == 10)
    );
    // A format that is asked for is not guessed.
    solve()
        .args(["--input-format", "reid", EASY])
        .assert()
        .code(3)
        .stderr(contains("help"));
}

#[test]
fn premoves_are_read_on_request() {
    assert_eq!(
        answer(&["--niss", "R U (F)"])["facelets"],
        position("F' R U").facelets()
    );
    solve()
        .args(["--niss", "(R U)2 F"])
        .assert()
        .code(3)
        .stderr(contains("`(R U)2` may be moves on the inverse"));
}

#[test]
fn the_solved_cube_takes_no_moves() {
    solve()
        .arg(SOLVED)
        .assert()
        .success()
        .stdout(contains("already solved"));
    let line = answer(&[SOLVED]);
    assert_eq!(
        (&line["length"], &line["solutions"]),
        (&0.into(), &serde_json::json!([""]))
    );
}

/// All solutions are found. (They are complete and distinct: `reference_solver` of the library tests
/// that.)
#[test]
fn all_solutions_are_shown() {
    // Six half turns in two ways, and in each the opposite faces commute.
    let pattern = "U2 D2 F2 B2 L2 R2";
    let all = answer(&["--all", pattern]);
    let solutions = all["solutions"].as_array().unwrap().len();
    assert_eq!(
        (&all["length"], &all["complete"], &all["solution_count"]),
        (&6.into(), &true.into(), &solutions.into())
    );
    assert!(solutions > 2 && answer(&["-n", "2", pattern])["solution_count"] == 2);
    solve()
        .args(["--all", pattern])
        .assert()
        .success()
        .stdout(contains(format!("all {solutions} solutions")));
}

#[test]
fn a_position_may_have_a_name() {
    let named = solve().arg("T-perm: R U F").assert().success();
    named.stdout(contains("F' U' R'\nT-perm: 3 moves, proven shortest"));
    solve()
        .args(["-q", "T-perm: R U F"])
        .assert()
        .success()
        .stdout("F' U' R'\n");
    let goal = solve()
        .args(["--goal", "cross:D", "Aa - x R U F"])
        .assert()
        .success();
    goal.stdout(contains("Aa: "));
    let refused = solve().arg("F: R U R'").assert().code(3);
    refused.stderr(
        contains("`F` may be a name or part of the moves")
            .and(contains("[F: R U] for a conjugate")),
    );
    solve()
        .arg("T-perm: R U Q")
        .assert()
        .code(3)
        .stderr(contains("`Q` is not a valid move"));
    let lines = solve()
        .write_stdin("T: R U F\nname,alg\nF,R2\n")
        .assert()
        .success();
    lines
        .stdout(contains("F' U' R'  // T: 3 htm, proven").and(contains("R2  // F: 1 htm, proven")));
}

#[test]
fn standard_input_is_answered_line_by_line() {
    let input = format!("# a comment\nR U F\n\n  // another\n{EASY}\n");
    for arguments in [&[][..], &["-"]] {
        let output = solve()
            .args(arguments)
            .write_stdin(input.clone())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0));
        let stdout = String::from_utf8(output.stdout).unwrap();
        // Line i of the output answers line i of the input.
        let ["", first, "", "", second] = stdout.lines().collect::<Vec<_>>()[..] else {
            panic!("{stdout}")
        };
        assert!(
            first.starts_with("F' U' R'  // 3 htm, proven, htm-24M, "),
            "{first}"
        );
        // An answer is a move text, with everything else in a comment.
        assert!(
            position(&format!("{EASY} {second}")).is_solved(),
            "{second}"
        );
    }
}

#[test]
fn an_error_in_one_line_does_not_stop_the_others() {
    let assert = solve().write_stdin("R U F\nR U Q\n\nR2\n# end\n").assert();
    let lines = predicates::function::function(|text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        lines.len() == 5
            && lines[1] == "// line 2: `Q` is not a valid move"
            && lines[3].starts_with("R2  //")
    });
    assert
        .code(3)
        .stdout(lines)
        .stderr(contains("line 2: `Q` is not a valid move").and(contains(" 2 │ R U Q")));
    let output = solve()
        .arg("--json")
        .write_stdin("R U Q\nR\n")
        .output()
        .unwrap();
    let lines = json_lines(&output.stdout);
    assert_eq!(
        (&lines[0]["line"], &lines[0]["error"]),
        (&1.into(), &"`Q` is not a valid move".into())
    );
    assert_eq!(
        (&lines[0]["input"], &lines[0]["span"]),
        (&"R U Q".into(), &serde_json::json!([4, 5]))
    );
    assert_eq!(
        (&lines[1]["line"], &lines[1]["length"]),
        (&2.into(), &1.into())
    );
    solve()
        .write_stdin(&b"R \xff U"[..])
        .assert()
        .code(3)
        .stderr(contains("line 1"));
}

#[test]
fn quiet_prints_the_solution_alone() {
    let output = solve().args(["-q", EASY]).output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    let [solution] = stdout.lines().collect::<Vec<_>>()[..] else {
        panic!("{stdout}")
    };
    assert!(
        position(&format!("{EASY} {solution}")).is_solved() && !stdout.contains('/'),
        "{stdout}"
    );
    assert_eq!((output.status.code(), &stderr[..]), (Some(0), ""));

    let lines = "U' R'\n\n// line 3: `Q` is not a valid move\nR2\n";
    let assert = solve()
        .arg("--quiet")
        .write_stdin("R U\n# a comment\nR Q\nR2\n")
        .assert();
    assert.code(3).stdout(lines).stderr(contains("line 3: `Q`"));
    solve()
        .args(["-q", "--all", "R L"])
        .assert()
        .success()
        .stdout("R' L'\n");
    solve()
        .args(["-q", "--solution-format", "scramble", "R U"])
        .assert()
        .success()
        .stdout("R U\n");
    // What is not solved is an error.
    let assert = solve()
        .args([
            "-q",
            "--max-length",
            "8",
            &random_positions(1).next().unwrap().facelets(),
        ])
        .assert();
    assert
        .code(4)
        .stdout("")
        .stderr(contains("not solved: the shortest solution has"));
    solve().args(["-q", "--json", EASY]).assert().code(2);
}

#[test]
fn a_search_continues_from_its_journal() {
    let folder = tempfile::TempDir::new().unwrap();
    let journal = folder.path().join("journal");
    let run = |args: &[&str]| solve().arg("--journal").arg(&journal).args(args).assert();
    run(&["--all", EASY])
        .success()
        .stdout(contains("10 moves, proven"))
        .stderr("");
    run(&["--all", EASY])
        .success()
        .stdout(contains("10 moves, proven"))
        .stderr(contains("resuming from"));
    run(&["-q", EASY]).success().stderr("");
    run(&["R U"]).code(1).stderr(contains("position"));
    run(&["-"])
        .code(2)
        .stderr(contains("--journal supports only one position"));
}

#[test]
fn auto_takes_what_is_on_disk() {
    let output = cosette()
        .args(["solve", "--json", EASY, "--tables"])
        .arg(tables())
        .output()
        .unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["table"], "htm-24M");
    let output = cosette()
        .args(["solve", "--json", EASY])
        .env("COSETTE_TABLES", tables())
        .output()
        .unwrap();
    assert_eq!(json_lines(&output.stdout)[0]["table"], "htm-24M");
}

#[test]
fn quarter_turns_are_counted_on_request() {
    // Generates a table, saves it, and finds it again.
    let folder = tempfile::TempDir::new().unwrap();
    for generated in [true, false] {
        let mut command = cosette();
        command.args([
            "solve",
            "--metric",
            "qtm",
            "--memory",
            "40M",
            "-v",
            "--json",
            "R2 U F2 L",
            "--tables",
        ]);
        let output = command.arg(folder.path()).output().unwrap();
        let line = &json_lines(&output.stdout)[0];
        assert_eq!(
            (&line["metric"], &line["length"], &line["table"]),
            (&"qtm".into(), &6.into(), &"qtm-24M".into())
        );
        let solution = parse_moves(
            line["solutions"][0].as_str().unwrap(),
            &ParseOptions::default(),
        )
        .unwrap();
        assert_eq!(Metric::Qtm.length(solution.moves()), 6);
        let log = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (log.contains("generated"), log.contains("loaded")),
            (generated, true),
            "{log}"
        );
        assert!(log.contains("instructions="), "{log}");
    }
}

/// Which arguments are joined: `only_parts_of_one_position_are_joined` of `cosette-app`.
#[test]
fn several_positions_are_not_joined() {
    let facelets = position(EASY).facelets();
    let several = solve().args([&facelets, "R"]).assert().code(2).stdout("");
    several
        .stderr(contains("2 arguments are more than one position").and(contains("one per line")));
    let in_one = solve()
        .arg(format!("{facelets} {facelets}"))
        .assert()
        .code(3)
        .stdout("");
    in_one.stderr(contains("more than one position"));
    for arguments in [
        &["R", "U2", "F'"][..],
        &["corners:", "(A B C D)", "edges:", "(A B C D)"],
    ] {
        solve()
            .args(arguments)
            .assert()
            .success()
            .stdout(contains("proven"));
    }
}

/// Returns the standard output of the command.
fn printed(args: &[&str]) -> String {
    String::from_utf8(solve().args(args).output().unwrap().stdout).unwrap()
}

#[test]
fn events_report_a_solution_then_the_bounds_then_the_answer() {
    let moves = "R U F2 L D' B R2 U' L2 F D B'";
    let output = solve().args(["--events", "--all", moves]).output().unwrap();
    let events = json_lines(&output.stdout);
    let names: Vec<&str> = events
        .iter()
        .map(|event| event["event"].as_str().unwrap())
        .collect();
    assert_eq!(names[..2], ["started", "solution"]);
    assert_eq!(events[0]["input"], moves);
    let answer = events.last().unwrap();
    assert_eq!(
        (&answer["event"], &answer["optimal"]),
        (&"answer".into(), &true.into())
    );
    let bounds = events
        .iter()
        .filter(|event| event["event"] == "iteration-started");
    let bounds: Vec<u64> = bounds
        .map(|event| event["length"].as_u64().unwrap())
        .collect();
    assert!(
        bounds.is_sorted() && bounds.last().copied() == answer["length"].as_u64(),
        "{bounds:?}"
    );
    assert!(names.contains(&"progress") && names.contains(&"iteration-finished"));
    solve().args(["--events", "--json", EASY]).assert().code(2);
    // A text that is not a position is an event too.
    let output = solve()
        .arg("--events")
        .write_stdin(format!("R X\n{EASY}\n"))
        .output()
        .unwrap();
    let events = json_lines(&output.stdout);
    assert_eq!(
        (&events[0]["event"], &events[0]["line"]),
        (&"failure".into(), &1.into())
    );
    assert_eq!(
        (&events[1]["event"], &events[1]["line"]),
        (&"started".into(), &2.into())
    );
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn what_is_special_is_explained() {
    let text = printed(&["--explain", "R2 L2 U2 D2 F2 B2"]);
    for said in [
        "47 symmetries besides the identity fix it: ",
        "returns to solved",
        "shortest solutions begin with one of",
    ] {
        assert!(text.contains(said), "{text}");
    }
    assert_eq!(
        answer(&["--explain", EASY])["explanation"]["solutions"]["last_moves"],
        serde_json::json!(["R'"])
    );
}

#[test]
fn the_position_is_shown_as_a_net() {
    let text = printed(&["--show", "R"]);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!(
        (lines[0], lines[3]),
        ("       U U F", "L L L  F F D  R R R  U B B")
    );
    // As it is seen: yellow is up, and blue comes from the front.
    assert!(printed(&["--show", "x2 R"]).starts_with("       D D B"));
}

#[test]
fn a_position_near_solved_needs_no_table() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = cosette();
    command
        .args(["solve", "--all", "--json", "--tables"])
        .arg(folder.path().join("tables"))
        .arg("R2 L2 U D'");
    let without_table = &json_lines(&command.assert().success().get_output().stdout)[0];
    let with_table = answer(&["--all", "R2 L2 U D'"]);
    for field in [
        "solutions",
        "length",
        "complete",
        "optimal",
        "lower_bound",
        "symmetries",
    ] {
        assert_eq!(without_table[field], with_table[field], "{field}");
    }
    assert_eq!(without_table["table"], "no table");
    assert!(!folder.path().join("tables").exists());
    // The variable names a table as the option does.
    let named = cosette()
        .args(["solve", "--json", "R"])
        .env("COSETTE_TABLE", "24M")
        .env("COSETTE_TABLES", tables())
        .assert();
    assert_eq!(
        json_lines(&named.success().get_output().stdout)[0]["table"],
        "htm-24M"
    );
}

/// Solutions are printed in each format. (`form` of `cosette-app` tests the formats.)
#[test]
fn solutions_come_in_several_forms() {
    let scramble = printed(&["--solution-format", "scramble", EASY]);
    assert_eq!(position(scramble.lines().next().unwrap()), position(EASY));
    solve()
        .args(["--solution-format", "poem", EASY])
        .assert()
        .code(2)
        .stderr(contains("niss"));
}

#[test]
fn of_all_shortest_solutions_the_one_with_the_fewest_quarter_turns() {
    // Four solutions of the pattern have half turns in different places.
    let moves = "R2 L2 U D' F2 B2 U' D";
    let all = printed(&["--all", moves]);
    let quarter_turns = |text: &str| {
        text.split(' ')
            .map(|m| if m.ends_with('2') { 2 } else { 1 })
            .sum::<usize>()
    };
    let solutions: Vec<&str> = all
        .lines()
        .take_while(|line| !line.contains("moves"))
        .collect();
    let least = solutions
        .iter()
        .map(|solution| quarter_turns(solution))
        .min()
        .unwrap();
    let preferred = printed(&["--prefer", "qtm", moves]);
    let lines: Vec<&str> = preferred.lines().collect();
    assert_eq!(quarter_turns(lines[0]), least);
    let among = format!(
        "{least} quarter turns, the fewest of all {} solutions",
        solutions.len()
    );
    assert!(
        contains(among.clone()).eval(lines[1]),
        "{among}: {preferred}"
    );
}

#[test]
fn a_time_limit_leaves_the_proven_bound() {
    let assert = solve().args(["--timeout", "0.5", SUPERFLIP]).assert();
    assert
        .code(4)
        .stdout(contains("stopped by --timeout"))
        .stdout(contains("best solution known, 20 moves"));
    let output = solve()
        .args(["--timeout", "2", "--events", SUPERFLIP])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(4));
    let events = json_lines(&output.stdout);
    let mut progress = events
        .iter()
        .filter(|event| event["event"] == "progress")
        .peekable();
    assert!(
        progress.peek().is_some()
            && progress.all(|event| event["done"].as_u64() <= event["total"].as_u64())
    );
    let answer = events.last().unwrap();
    assert_eq!(
        (&answer["optimal"], &answer["length"]),
        (&false.into(), &serde_json::Value::Null)
    );
    assert_eq!(
        (&answer["stop_reason"], &answer["complete"]),
        (&"timeout".into(), &false.into())
    );
    assert!(answer["lower_bound"].as_u64() > Some(5) && answer["upper_bound"] == 20);
    assert_eq!(answer["solutions"], serde_json::json!([]));
    assert!(answer["seconds"].as_f64() < Some(4.0), "{answer}");
}

#[test]
fn a_continued_search_says_how_long_this_run_took() {
    let folder = tempfile::TempDir::new().unwrap();
    let run = || {
        let assert = solve()
            .args(["--timeout", "1", SUPERFLIP, "--journal"])
            .arg(folder.path().join("journal"))
            .assert();
        String::from_utf8(assert.code(4).get_output().stdout.clone()).unwrap()
    };
    let seconds = |text: &str, after: &str| -> f64 {
        let (_, rest) = text.rsplit_once(after).unwrap();
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    run();
    let output = run();
    // The last line has the cost of both runs.
    assert!(
        seconds(&output, "--timeout after ") + 0.05 < seconds(&output, " probes, "),
        "{output}"
    );
}

#[test]
fn a_length_limit() {
    let assert = solve().args(["--max-length", "12", SUPERFLIP]).assert();
    assert
        .code(4)
        .stdout(contains("has 13 to 20 moves"))
        .stdout(contains("stopped at --max-length"));
    // Once 9 is ruled out, the inverse of the given ten moves is a shortest solution.
    solve()
        .args(["--max-length", "9", EASY])
        .assert()
        .success()
        .stdout(contains("10 moves, proven"));
    solve()
        .args(["--max-length", "10", EASY])
        .assert()
        .success()
        .stdout(contains("10 moves, proven"));
}

#[test]
fn a_stopped_search_knows_a_solution() {
    let cube = random_positions(1).next().unwrap();
    let line = answer(&["--max-length", "8", &cube.facelets()]);
    let known = parse_moves(
        line["best_known"].as_str().unwrap(),
        &ParseOptions::default(),
    )
    .unwrap();
    assert!(cube.apply_moves(known.moves()).is_solved());
    assert!(
        known.moves().len() <= 22 && line["upper_bound"] == known.moves().len().min(20),
        "{line}"
    );
}

#[test]
fn a_part_of_the_cube_is_solved_with_the_turns_that_are_allowed() {
    let answered = |arguments: &[&str]| {
        let output = cosette()
            .args(["solve", "--goal"])
            .args(arguments)
            .output()
            .unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, stdout, _) = answered(&["cross:D", "--all", "-q", "F R D2"]);
    assert_eq!((code, &stdout[..]), (Some(0), "D2 R' F'\n"));
    let (_, stdout, _) = answered(&[
        "edges", "--moves", "R M2", "--metric", "stm", "--json", "M2 R",
    ]);
    let line: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(line["solutions"], serde_json::json!(["R' M2"]));
    let (_, stdout, _) = answered(&["cross:D", "-q", "[R | F2] D"]);
    assert_eq!(stdout, "D' R'\nD' F2\n");
    let (_, stdout, _) = answered(&["F2 L", "L"]);
    assert!(
        stdout.starts_with("L' F2 L\n3 moves to the position F2 L, proven"),
        "{stdout}"
    );
    let (code, stdout, _) = answered(&["cross:D", "--moves", "R U", "F"]);
    assert!(
        code == Some(4) && stdout.contains("no sequence of R U solves the edge DF"),
        "{stdout}"
    );
    for (arguments, wrong) in [
        (&["crss", "R"][..], "is not a goal"),
        (&["eo", "--moves", "x R", "R"], "costs nothing"),
    ] {
        let (code, _, stderr) = answered(arguments);
        assert!(code == Some(2) && stderr.contains(wrong), "{stderr}");
    }
}

#[test]
fn a_short_search_for_the_whole_cube_loads_no_table() {
    let folder = tempfile::TempDir::new().unwrap();
    for (moves, position, code) in [
        ("R U", "R U R' U R U2 R'", 0),
        ("R U", "R U F", 4),
        ("U2 R2 F2", "U2 R2 F2", 0),
    ] {
        let mut command = cosette();
        command
            .args(["solve", "--moves", moves, position])
            .env("COSETTE_TABLES", folder.path());
        command.assert().code(code);
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{moves}: {position}"
        );
    }
}
