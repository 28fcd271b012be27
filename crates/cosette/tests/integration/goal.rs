//! Goals: their definitions, the positions that meet them, and refused texts.

use crate::position;
use crate::texts::known_texts;
use cosette::cube::{Cube, parse_turns, random_positions};
use cosette::goal::{Goal, GoalReport, GoalSolution, GoalSolver, NAMED_GOALS, TurnMetric, TurnSet};
use cosette::{Cancel, Control, Outcome};
use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

fn goal(text: &str) -> Goal {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn solver(text: &str, turns: &TurnSet) -> GoalSolver {
    GoalSolver::new(&goal(text), turns, &Control::default()).unwrap()
}

fn turns(text: &str, costs: &str) -> TurnSet {
    TurnSet::parse(text, TurnMetric::Htm, costs).unwrap()
}

/// All solutions with turns of all faces.
fn solve_all(text: &str, position: &Cube) -> GoalReport {
    let solver = solver(text, &TurnSet::default());
    solver.search(position).all().run()
}

fn variants(text: &str) -> Vec<String> {
    goal(text).variants().map(str::to_owned).collect()
}

/// The solutions, each once, wherever it reaches the goal.
fn distinct(found: &[GoalSolution]) -> HashSet<String> {
    let texts = found.iter().map(|found| format!("{:?}", found.turns));
    texts.collect()
}

/// Asserts that the first goal is the best of the others.
fn assert_best_of(text: &str, others: &[String], position: &Cube) {
    let all = solve_all(text, position);
    let mut best = HashSet::new();
    let mut lower_bound = u32::MAX;
    for other in others {
        let report = solve_all(other, position);
        lower_bound = lower_bound.min(report.lower_bound);
        if report.lower_bound == all.lower_bound {
            best.extend(distinct(&report.solutions));
        }
    }
    assert_eq!(all.lower_bound, lower_bound, "{text}");
    assert_eq!(distinct(&all.solutions), best, "{text}");
}

/// `tests/texts/goal-variants.txt`.
#[test]
fn variants_are_one_goal_seen_from_different_sides() {
    for [text, count, same] in known_texts("goal-variants") {
        let found = variants(&text);
        assert_eq!(found.len().to_string(), count, "{text}");
        if !same.is_empty() {
            assert_eq!(found, variants(&same), "{text}");
        }
    }
    for named in NAMED_GOALS {
        let found = variants(named.name);
        let each_once: HashSet<&String> = found.iter().collect();
        assert_eq!(each_once.len(), found.len(), "{}", named.name);
    }
    assert!(variants("f2l-1:U").iter().all(|name| name.starts_with('U')));
    let cube = random_positions(7).next().unwrap();
    for name in ["cross", "2x2x2", "eo", "dr"] {
        let all = variants(name).into_iter();
        let alone: Vec<String> = all.map(|variant| format!("{name}:{variant}")).collect();
        assert_best_of(name, &alone, &cube);
    }
    let two = ["cross:D", "cross:U"].map(str::to_owned);
    assert_best_of("cross:D | cross:U", &two, &cube);
    let all = solve_all("cross:D | cross", &cube);
    assert_eq!(all.lower_bound, solve_all("cross", &cube).lower_bound);
}

#[test]
fn names_come_before_positions_and_pieces() {
    let edge = position("U R2 F B' L");
    let oriented = position("U D R2 F2");
    let is_met = |text: &str, cube: &Cube| goal(text).is_met(cube);
    // DR is in its place after the first, and elsewhere after the second.
    assert!(is_met("DR", &oriented) && !is_met("{DR}", &oriented) && !is_met("DR", &edge));
    assert!(is_met("EDGES Corners", &Cube::SOLVED) && !is_met("EDGES", &edge));
}

#[test]
fn positions_are_goals() {
    let target = position("R U R' U'");
    for text in ["R U R' U'", &target.facelets(), &target.reid(), "[R, U]"] {
        assert_eq!(goal(text).target(), Some(target), "{text}");
    }
    for text in [
        "R2F1U3",
        "R",
        "Rw",
        "R2",
        "RUR'",
        "f b",
        "solved",
        // Dots may also stand in a position.
        "1. R2 U' F L D B R2 U' F L D B R2 U' F L D B R2",
        "https://alg.cubing.net/?setup=R_U_F2_L_D_B_R-",
    ] {
        assert!(goal(text).is_position(), "{text}");
    }
    assert!(goal("U | U'").target().is_none() && !goal("UF UR").is_position());
    // R U F, undone as far as R U, and R' U' more.
    let from = position("R U F");
    let report = solve_all(&Goal::from_position(&target).to_string(), &from);
    assert_eq!((report.lower_bound, report.solutions.len()), (3, 1));
    assert_eq!(from.apply_moves(&report.solutions[0].moves()), target);
}

#[test]
fn a_turn_of_a_face_may_be_left() {
    const UP: &str = "solved | U | U2 | U'";
    assert_eq!(variants(UP), ["solved", "U", "U2", "U'"]);
    let turned = ["", "U", "U2", "U'"].map(position);
    let up = solver(UP, &TurnSet::default());
    let any = solver("auf", &TurnSet::default());
    for (moves, least, least_any) in [("U R", 1, 1), ("U", 0, 0), ("D2", 1, 0), ("R U2 B'", 3, 2)] {
        let position = position(moves);
        let up = up.search(&position).all().run();
        let any = any.search(&position).all().run();
        let found = (up.lower_bound, any.lower_bound);
        assert_eq!(found, (least, least_any), "{moves}");
        let of_up = any.solutions.iter().filter(|found| found.variant == "U");
        let count = of_up.count();
        assert!(least > least_any || up.solutions.len() == count, "{moves}");
        for found in &up.solutions {
            assert!(
                turned.contains(&position.apply_moves(&found.moves())),
                "{moves}"
            );
        }
    }
}

/// `tests/texts/goals-painted.txt`: whether any position satisfies facelets, also with signs
/// between the faces.
#[test]
fn no_piece_is_flipped_twisted_or_swapped_alone() {
    for [verdict, facelets] in known_texts("goals-painted") {
        let faces: Vec<&str> = (0..6).map(|face| &facelets[9 * face..][..9]).collect();
        for sign in ["", "/", ",", "-", " "] {
            let goal = faces.join(sign).parse::<Goal>();
            assert_eq!(goal.is_ok(), verdict == "possible", "{facelets}");
        }
    }
}

#[test]
fn a_goal_that_the_turns_cannot_reach_is_recognized() {
    let lone = "R and U alone cannot solve the edge DF as the goal requires";
    // In all but the first, each piece alone would get there, but not all together.
    for (text, moves, turns, lost) in [
        ("cross:D", "F", "R U", lone),
        (
            "corners",
            "R U R' U' R' F R2 U' R' U' R U R' F'",
            "R U",
            "all corners",
        ),
        ("UR URF", "M2 U M2 U2 M2 U M2", "M2 U2", "all pieces"),
        ("cross:D", "F R U R' U' F' D", "M U", "all edges"),
    ] {
        let turns = TurnSet::parse(turns, TurnMetric::Stm, "").unwrap();
        let report = solver(text, &turns).search(&position(moves)).run();
        let reason = report.unreachable.unwrap_or_default();
        assert!(reason.contains(lost), "{text}: {reason}");
    }
    let turns = |text: &str| parse_turns(text, &Default::default()).unwrap();
    let solver = solver("cross:D", &TurnSet::default());
    let position = position("F R D2");
    for (ends, avoid) in [("M", ""), ("R R", ""), ("U", "U")] {
        let search = solver.search(&position).ends_with(&turns(ends));
        let report = search.avoid(&turns(avoid)).run();
        assert!(report.unreachable.is_some(), "{ends}, {avoid}");
        assert!(report.solutions.is_empty(), "{ends}, {avoid}");
    }
}

/// `tests/texts/goal-faults.txt` and `tests/texts/cost-faults.txt`.
#[test]
fn bad_goals_and_costs_are_explained() {
    for [text, wrong] in known_texts("goal-faults") {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(&wrong), "{text}: {error}");
    }
    for [text, costs, wrong] in known_texts("cost-faults") {
        let error = TurnSet::parse(&text, TurnMetric::Htm, &costs);
        let error = error.unwrap_err().to_string();
        assert!(error.contains(&wrong), "{text} {costs}: {error}");
    }
}

#[test]
fn a_turn_that_is_named_whole_has_the_cost_that_it_is_given() {
    assert_eq!(turns("R U", "R=2,U=3;"), turns("R U", "U=3 R=2"));
    assert_eq!(turns("R", "R2=1 R=3"), turns("R", "R=3 R2=1"));
    for (given, expected, dominated) in [
        ("R2=1 R=3", [3, 1, 3], None),
        ("R'=3", [1, 1, 3], Some("R'")),
        ("R'=2", [1, 1, 2], None),
    ] {
        let turns = turns("R", given);
        let costs = turns.allowed().iter().map(|turn| turn.1);
        assert!(costs.eq(expected), "{given}");
        let first = turns.first_dominated().map(|turn| turn.to_string());
        assert_eq!(first.as_deref(), dominated);
    }
}

#[test]
fn costs_and_slack_have_no_end() {
    let solver = solver("URF UF", &turns("R U", "R=100 U=100"));
    let report = solver.search(&position("R U R")).run();
    assert!(report.unreachable.is_none() && report.solutions.is_empty());
    assert!(report.lower_bound > 254, "{report:?}");
    let turned = position("R");
    let search = solver.search(&turned).slack(u32::MAX).max_cost(100);
    let one = search.all().run();
    assert_eq!((one.solutions.len(), one.outcome), (1, Outcome::Optimal));
    assert_eq!(solve_all("xcross:DRF", &Cube::SOLVED).lower_bound, 0);
}

#[test]
fn sequences_are_counted_and_not_their_variants() {
    let solver = solver("eo", &TurnSet::default());
    // Each turn of F orients edges in two places, as they see it.
    let position = position("F");
    let search = || solver.search(&position).slack(1);
    let all = search().all().run().solutions;
    let number = distinct(&all).len();
    assert!(number < all.len());
    for count in [1, 2, 7, 20] {
        let told = Mutex::new(Vec::new());
        let on_solution = |found: &GoalSolution| told.lock().unwrap().push(found.clone());
        let search = search().count(count).on_solution(on_solution);
        let found = search.run().solutions;
        let told = told.lock().unwrap();
        assert_eq!(distinct(&found).len(), count.min(number));
        assert!(
            found
                .iter()
                .all(|found| all.contains(found) && told.contains(found))
        );
        assert_eq!(told.len(), found.len());
    }
}

#[test]
fn tables_that_are_not_finished_say_why() {
    let late = Cancel::new().child_with_timeout(Duration::ZERO);
    let cancelled = Cancel::new();
    cancelled.cancel();
    for (cancel, why) in [
        (late, "the time limit was reached before"),
        (cancelled, "cancelled before"),
    ] {
        let control = Control::default().with_cancel(&cancel);
        let unfinished = GoalSolver::new(&goal("cross:D"), &TurnSet::default(), &control);
        let unfinished = unfinished.err().unwrap().to_string();
        assert!(unfinished.starts_with(why), "{unfinished}");
    }
}
