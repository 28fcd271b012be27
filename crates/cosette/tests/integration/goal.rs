//! What goals are, where they are met, and what is refused.

use cosette::cube::{Cube, Face, Move, Turn, random_positions};
use cosette::goal::{Goal, GoalReport, GoalSolution, GoalSolver, NAMED_GOALS, TurnMetric, TurnSet};
use cosette::{Cancel, Control, Outcome};
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::time::Duration;

use crate::texts::known_texts;

fn goal(text: &str) -> Goal {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A solver for a goal with turns of all faces.
fn solver(text: &str) -> GoalSolver {
    GoalSolver::new(&goal(text), &TurnSet::default(), &Control::default()).unwrap()
}

fn solve_all(text: &str, position: &Cube) -> GoalReport {
    solver(text).search(position).all().run()
}

fn variants(text: &str) -> Vec<String> {
    goal(text).variants().map(str::to_owned).collect()
}

#[test]
fn variants_are_one_goal_seen_from_different_sides() {
    let cube = random_positions(7).next().unwrap();
    for (name, count) in [
        ("cross", 6),
        ("xcross", 24),
        ("2x2x2", 8),
        ("eo", 3),
        ("dr", 3),
        ("2x2x3", 12),
        ("1x2x3", 24),
    ] {
        assert_eq!(variants(name).len(), count, "{name}");
        if matches!(name, "2x2x3" | "xcross" | "1x2x3") {
            continue;
        }
        let all = solve_all(name, &cube);
        let alone: Vec<GoalSolution> = variants(name)
            .iter()
            .map(|variant| solve_all(&format!("{name}:{variant}"), &cube))
            .filter(|report| report.lower_bound == all.lower_bound)
            .flat_map(|report| report.solutions)
            .collect();
        let distinct = |found: &[GoalSolution]| -> HashSet<_> {
            found.iter().map(|found| found.turns.clone()).collect()
        };
        assert_eq!(distinct(&all.solutions), distinct(&alone), "{name}");
    }
}

#[test]
fn names_are_in_any_case_and_come_before_positions_and_pieces() {
    for (text, name) in [
        ("F2L", "f2l"),
        ("F2L-1", "f2l-1"),
        ("Cross:d", "cross:D"),
        ("EO", "eo"),
        ("DR", "dr"),
        ("HTR", "htr"),
        ("AUF", "auf"),
    ] {
        assert_eq!(variants(text), variants(name), "{text}");
    }
    let edge: Cube = "U R2 F B' L".parse().unwrap();
    let oriented: Cube = "U D R2 F2".parse().unwrap();
    let is_met = |text: &str, cube: &Cube| goal(text).is_met(cube);
    // DR is in its place after the first, and elsewhere after the second.
    for text in ["DR UF", "{DR}", "DR DL"] {
        assert_eq!(variants(text).len(), 1, "{text}");
    }
    assert!(is_met("DR", &oriented) && !is_met("{DR}", &oriented) && !is_met("DR", &edge));
    assert!(is_met("EDGES Corners", &Cube::SOLVED) && !is_met("EDGES", &edge));
}

#[test]
fn positions_are_goals() {
    let target: Cube = "R U R' U'".parse().unwrap();
    let from: Cube = "R U F".parse().unwrap();
    for text in ["R U R' U'", &target.facelets(), &target.reid(), "[R, U]"] {
        assert_eq!(goal(text).target(), Some(target), "{text}");
    }
    for text in ["R2F1U3", "R", "Rw", "R2", "RUR'", "f b"] {
        assert!(goal(text).is_position(), "{text}");
    }
    assert!(
        goal("solved").is_position()
            && goal("U | U'").target().is_none()
            && !goal("UF UR").is_position()
    );
    // R U F, undone as far as R U, and R' U' more.
    let report = solve_all(&Goal::from_position(&target).to_string(), &from);
    assert_eq!((report.lower_bound, report.solutions.len()), (3, 1));
    assert_eq!(from.apply_moves(&report.solutions[0].moves()), target);
}

#[test]
fn a_turn_of_a_face_may_be_left() {
    const UP: &str = "solved | U | U2 | U'";
    assert_eq!(variants(UP), ["solved", "U", "U2", "U'"]);
    assert_eq!(variants("auf:D").len(), 1);
    assert_eq!(variants("auf").len(), 6);
    let up = solver(UP);
    let any = solver("auf");
    for (moves, least, least_any) in [("U R", 1, 1), ("U", 0, 0), ("D2", 1, 0), ("R U2 B'", 3, 2)] {
        let position: Cube = moves.parse().unwrap();
        let up = up.search(&position).all().run();
        let any = any.search(&position).all().run();
        assert_eq!(
            (up.lower_bound, any.lower_bound),
            (least, least_any),
            "{moves}"
        );
        let of_up = any
            .solutions
            .iter()
            .filter(|found| found.variant == "U")
            .count();
        assert!(least > least_any || up.solutions.len() == of_up, "{moves}");
        let turned = Turn::ALL.map(|turn| *Cube::from_move(Move::new(Face::U, turn)));
        let ends = up
            .solutions
            .iter()
            .map(|found| position.apply_moves(&found.moves()));
        assert!(
            ends.into_iter()
                .all(|end| end.is_solved() || turned.contains(&end)),
            "{moves}"
        );
    }
}

#[test]
fn alternatives_are_variants() {
    let cube = random_positions(39).next().unwrap();
    let both = solve_all("cross:D | cross:U", &cube);
    let down = solve_all("cross:D", &cube);
    let up = solve_all("cross:U", &cube);
    assert_eq!(both.lower_bound, down.lower_bound.min(up.lower_bound));
    for (name, alone) in [("cross:D", down), ("cross:U", up)] {
        let found = both.solutions.iter().filter(|found| found.variant == name);
        let is_shortest = alone.lower_bound == both.lower_bound;
        let expected = if is_shortest {
            alone.solutions.len()
        } else {
            0
        };
        assert_eq!(found.count(), expected, "{name}");
    }
    assert_eq!(
        solve_all("cross:D | cross", &cube).lower_bound,
        solve_all("cross", &cube).lower_bound
    );
}

/// 54 facelets, all but some of them blank.
fn painted(facelets: &[(usize, &str)]) -> String {
    let mut text = ["."; 54];
    facelets
        .iter()
        .for_each(|&(place, color)| text[place] = color);
    text.concat()
}

#[test]
fn no_piece_is_flipped_twisted_or_swapped_alone() {
    let solved = Cube::SOLVED.facelets();
    let painted = |changed: &[(usize, &str)]| {
        let mut text: Vec<String> = solved.chars().map(String::from).collect();
        changed
            .iter()
            .for_each(|&(place, color)| text[place] = color.to_owned());
        text.concat().parse::<Goal>()
    };
    // UF flipped, alone or beside another edge; URF twisted; UF and UR swapped.
    assert!(painted(&[(7, "F"), (19, "U")]).is_err());
    assert!(painted(&[(7, "F"), (19, "U"), (5, "R"), (10, "U")]).is_ok());
    assert!(painted(&[(8, "R"), (9, "F"), (20, "U")]).is_err());
    assert!(painted(&[(19, "R"), (10, "F")]).is_err());
    // With two blank corners, they may be the ones that are swapped.
    let blank = [
        (8, "."),
        (9, "."),
        (20, "."),
        (6, "."),
        (18, "."),
        (38, "."),
    ];
    assert!(painted(&[&[(19, "R"), (10, "F")], &blank[..]].concat()).is_ok());
}

#[test]
fn a_goal_that_the_turns_cannot_reach_is_recognized() {
    // In all but the first, each piece alone would get there, but not all together.
    for (text, moves, turns, lost) in [
        (
            "cross:D",
            "F",
            "R U",
            "no sequence of R U solves the edge DF as the goal requires",
        ),
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
        let solver = GoalSolver::new(&goal(text), &turns, &Control::default()).unwrap();
        let report = solver.search(&moves.parse().unwrap()).run();
        let reason = report.unreachable.unwrap_or_default();
        assert!(reason.contains(lost), "{text}: {reason}");
    }
}

/// `tests/texts/goal-faults.txt`.
#[test]
fn bad_goals_are_explained() {
    for [text, wrong] in known_texts("goal-faults") {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(&wrong), "{text}: {error}");
    }
}

#[test]
fn facelets_of_goals_may_be_divided() {
    let in_faces = |text: &str, sign: &str| {
        text.as_bytes()
            .chunks(9)
            .map(|face| str::from_utf8(face).unwrap())
            .collect::<Vec<_>>()
            .join(sign)
    };
    for text in [painted(&[(7, "U"), (19, "F")]), Cube::SOLVED.facelets()] {
        assert!(
            ["/", ",", "-", " "]
                .iter()
                .all(|sign| in_faces(&text, sign).parse::<Goal>().is_ok()),
            "{text}"
        );
    }
    // Dots may also stand in a position.
    for text in [
        "1. R2 U' F L D B R2 U' F L D B R2 U' F L D B R2",
        "https://alg.cubing.net/?setup=R_U_F2_L_D_B_R-",
    ] {
        assert!(goal(text).is_position(), "{text}");
    }
}

#[test]
fn bad_costs_are_explained() {
    assert_eq!(
        TurnSet::parse("R U", TurnMetric::Htm, "R=2,U=3;"),
        TurnSet::parse("R U", TurnMetric::Htm, "U=3 R=2")
    );
    for (text, costs, wrong) in [
        ("R^4", "", "has no effect"),
        ("x R", "", "costs nothing"),
        ("", "", "no moves are allowed"),
        ("R", "U=2", "has a cost"),
        ("R", "R=0", "is not a cost"),
        ("R + U", "", "does not follow a move"),
        ("R", "R=2, R=3", "has two costs"),
    ] {
        let error = TurnSet::parse(text, TurnMetric::Htm, costs)
            .unwrap_err()
            .to_string();
        assert!(error.contains(wrong), "{text} {costs}: {error}");
    }
}

#[test]
fn a_turn_that_is_named_whole_has_the_cost_that_it_is_given() {
    let costs = |text: &str, costs: &str| {
        let turns = TurnSet::parse(text, TurnMetric::Htm, costs).unwrap();
        (
            turns
                .allowed()
                .iter()
                .map(|turn| turn.1)
                .collect::<Vec<u8>>(),
            turns.first_dominated().map(|turn| turn.to_string()),
        )
    };
    assert_eq!(costs("R", "R2=1 R=3"), costs("R", "R=3 R2=1"));
    assert_eq!(costs("R", "R2=1 R=3"), (vec![3, 1, 3], None));
    assert_eq!(costs("R", "R'=3"), (vec![1, 1, 3], Some("R'".to_owned())));
    assert_eq!(costs("R", "R'=2"), (vec![1, 1, 2], None));
}

#[test]
fn costs_and_slack_have_no_end() {
    let position: Cube = "R U R".parse().unwrap();
    let turns = TurnSet::parse("R U", TurnMetric::Htm, "R=100 U=100").unwrap();
    let solver = GoalSolver::new(&goal("URF UF"), &turns, &Control::default()).unwrap();
    let report = solver.search(&position).run();
    assert!(
        report.unreachable.is_none() && report.solutions.is_empty() && report.lower_bound > 254,
        "{report:?}"
    );
    let one = solver
        .search(&"R".parse().unwrap())
        .slack(u32::MAX)
        .max_cost(100)
        .all()
        .run();
    assert_eq!((one.solutions.len(), one.outcome), (1, Outcome::Optimal));
    assert_eq!(solve_all("xcross:DRF", &Cube::SOLVED).lower_bound, 0);
}

#[test]
fn sequences_are_counted_and_not_their_variants() {
    let solver = solver("eo");
    // Each turn of F orients edges in two places, as they see it.
    let position: Cube = "F".parse().unwrap();
    let search = || solver.search(&position).slack(1);
    let distinct = |found: &[GoalSolution]| {
        found
            .iter()
            .map(|found| found.turns.clone())
            .collect::<HashSet<_>>()
            .len()
    };
    let all = search().all().run().solutions;
    let told = Mutex::new(Vec::new());
    assert!(distinct(&all) < all.len());
    for count in [1, 2, 7, 20] {
        told.lock().unwrap().clear();
        let on_solution = |found: &GoalSolution| told.lock().unwrap().push(found.clone());
        let found = search()
            .count(count)
            .on_solution(&on_solution)
            .run()
            .solutions;
        assert_eq!(distinct(&found), count.min(distinct(&all)));
        assert!(
            found
                .iter()
                .all(|found| all.contains(found) && told.lock().unwrap().contains(found))
        );
        assert_eq!(told.lock().unwrap().len(), found.len());
    }
}

#[test]
fn the_beginning_of_a_variant_stands_for_several() {
    for (text, count) in [("xcross:D", 4), ("xcross:DFR", 1), ("xcross:DF", 1)] {
        assert_eq!(variants(text).len(), count, "{text}");
    }
    assert!(variants("f2l-1:U").iter().all(|name| name.starts_with('U')));
    for named in NAMED_GOALS {
        let found = variants(named.name);
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>().len(),
            found.len(),
            "{}",
            named.name
        );
    }
}

#[test]
fn ends_that_cannot_be_are_recognized() {
    let turns = |text: &str| cosette::cube::parse_turns(text, &Default::default()).unwrap();
    let solver = solver("cross:D");
    let position: Cube = "F R D2".parse().unwrap();
    for (ends, avoid) in [("M", None), ("R R", None), ("U", Some("U"))] {
        let search = solver.search(&position).ends_with(&turns(ends));
        let report = avoid
            .into_iter()
            .fold(search, |search, avoid| search.avoid(&turns(avoid)))
            .run();
        assert!(
            report.unreachable.is_some() && report.solutions.is_empty(),
            "{ends}, {avoid:?}"
        );
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
        let unfinished = GoalSolver::new(&goal("cross:D"), &TurnSet::default(), &control)
            .err()
            .unwrap();
        assert!(unfinished.to_string().starts_with(why), "{unfinished}");
    }
}
