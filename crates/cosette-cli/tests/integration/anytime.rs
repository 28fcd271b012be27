//! What is reported while a position is solved, and the forms of answers.

use crate::support::{EASY, SUPERFLIP, json_lines, position, solve};
use predicates::prelude::*;
use predicates::str::contains;

/// What the command prints.
fn printed(args: &[&str]) -> String {
    String::from_utf8(solve().args(args).output().unwrap().stdout).unwrap()
}

#[test]
fn events_report_a_solution_then_the_bounds_then_the_answer() {
    let moves = "R U F2 L D' B R2 U' L2 F D B'";
    let output = solve().args(["--events", "--all", moves]).output().unwrap();
    let events = json_lines(&output.stdout);
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["started", "solution"]);
    assert_eq!(events[0]["input"], moves);
    let answer = events.last().unwrap();
    assert_eq!((&answer["event"], &answer["optimal"]), (&"answer".into(), &true.into()));
    let bounds = events.iter().filter(|event| event["event"] == "threshold-started");
    let bounds: Vec<u64> = bounds.map(|event| event["length"].as_u64().unwrap()).collect();
    assert!(bounds.is_sorted() && bounds.last().copied() == answer["length"].as_u64(), "{bounds:?}");
    assert!(names.contains(&"progress") && names.contains(&"threshold-done"));
    solve().args(["--events", "--json", EASY]).assert().code(2);
    // A text that is not a position is an event too.
    let output = solve().arg("--events").write_stdin(format!("R X\n{EASY}\n")).output().unwrap();
    let events = json_lines(&output.stdout);
    assert_eq!((&events[0]["event"], &events[0]["line"]), (&"failure".into(), &1.into()));
    assert_eq!((&events[1]["event"], &events[1]["line"]), (&"started".into(), &2.into()));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_timeout_leaves_a_good_solution_and_both_bounds() {
    let output = solve().args(["--timeout", "2", "--events", SUPERFLIP]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let events = json_lines(&output.stdout);
    let progress = events.iter().filter(|event| event["event"] == "progress");
    assert!(
        progress.clone().count() > 0 && progress.clone().all(|event| event["done"].as_u64() <= event["total"].as_u64())
    );
    let answer = events.last().unwrap();
    assert_eq!((&answer["stopped"], &answer["upper_bound"]), (&"timeout".into(), &20.into()));
    assert!(answer["seconds"].as_f64() < Some(4.0), "{answer}");
}

#[test]
fn what_is_special_is_explained() {
    let text = printed(&["--explain", "R2 L2 U2 D2 F2 B2"]);
    assert!(
        text.contains("47 symmetries besides the identity fix it: ") && text.contains("returns to solved"),
        "{text}"
    );
    assert!(text.contains("shortest solutions begin with one of"), "{text}");
    let output = solve().args(["--explain", "--json", EASY]).output().unwrap();
    let explanation = &json_lines(&output.stdout)[0]["explanation"];
    assert_eq!((&explanation["rotations"], &explanation["solutions"]["count"]), (&1.into(), &1.into()));
    assert_eq!(explanation["solutions"]["last_moves"], serde_json::json!(["R'"]));
}

#[test]
fn the_position_is_shown_as_a_net() {
    let text = printed(&["--show", "R"]);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    assert_eq!((lines[0], lines[3]), ("       U U F", "L L L  F F D  R R R  U B B"));
    let turned = "in the colours of a cube with white up and green in front";
    assert!(!text.contains(turned) && printed(&["--show", "x2 R"]).contains(turned));
}

#[test]
fn solutions_come_in_several_forms() {
    let first = |form: &str| printed(&["--as", form, EASY]).lines().next().unwrap().to_owned();
    assert_eq!(position(&first("scramble")), position(EASY));
    let niss = first("niss");
    assert!(niss.contains('('), "{niss}");
    assert!(position(&format!("{EASY} {niss}")).is_solved(), "{niss}");
    let setup = format!("https://alg.cubing.net/?setup={}&alg=", EASY.replace(' ', "_").replace('\'', "-"));
    assert!(first("link").starts_with(&setup), "{}", first("link"));
    solve().args(["--as", "poem", EASY]).assert().code(2).stderr(contains("niss"));
}

#[test]
fn of_all_shortest_solutions_the_one_with_the_fewest_quarter_turns() {
    // Four solutions of the pattern have half turns in different places.
    let moves = "R2 L2 U D' F2 B2 U' D";
    let all = printed(&["--all", moves]);
    let quarter_turns = |text: &str| text.split(' ').map(|m| if m.ends_with('2') { 2 } else { 1 }).sum::<usize>();
    let solutions: Vec<&str> = all.lines().take_while(|line| !line.contains("moves")).collect();
    let least = solutions.iter().map(|solution| quarter_turns(solution)).min().unwrap();
    let preferred = printed(&["--prefer", "qtm", moves]);
    let lines: Vec<&str> = preferred.lines().collect();
    assert_eq!(quarter_turns(lines[0]), least);
    let among = format!("{least} quarter turns, the fewest among all {} solutions", solutions.len());
    assert!(contains(among.clone()).eval(lines[1]), "{among}: {preferred}");
}
