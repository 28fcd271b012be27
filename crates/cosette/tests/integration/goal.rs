//! What goals are, where they are met, and what is refused.

use cosette::cube::{Cube, Face, Move, Turn, random_positions};
use cosette::goal::{Goal, GoalReport, GoalSolution, GoalSolver, NAMED_GOALS, TurnMetric, TurnSet};
use cosette::{Cancel, Control, Outcome};
use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn places_are_one_goal_seen_from_different_sides() {
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
        let goal: Goal = name.parse().unwrap();
        assert_eq!(goal.variants().count(), count, "{name}");
        if matches!(name, "2x2x3" | "xcross" | "1x2x3") {
            continue;
        }
        let all = GoalSolver::new(&goal, &TurnSet::default(), &Control::default())
            .unwrap()
            .search(&cube)
            .all()
            .run();
        let alone = goal.variants().map(|place| {
            let goal: Goal = format!("{name}:{place}").parse().unwrap();
            GoalSolver::new(&goal, &TurnSet::default(), &Control::default())
                .unwrap()
                .search(&cube)
                .all()
                .run()
        });
        let alone: Vec<_> = alone
            .filter(|report| report.lower_bound == all.lower_bound)
            .flat_map(|report| report.solutions)
            .collect();
        let in_order = |found: &[GoalSolution]| {
            found
                .iter()
                .map(|found| {
                    found
                        .turns
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                })
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(in_order(&all.solutions), in_order(&alone), "{name}");
    }
}

#[test]
fn names_are_in_any_case_and_come_before_positions_and_pieces() {
    let places = |text: &str| {
        let goal: Goal = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        goal.variants().map(str::to_owned).collect::<Vec<_>>()
    };
    for (text, name) in [
        ("F2L", "f2l"),
        ("F2L-1", "f2l-1"),
        ("Cross:d", "cross:D"),
        ("EO", "eo"),
        ("DR", "dr"),
        ("HTR", "htr"),
        ("AUF", "auf"),
    ] {
        assert_eq!(places(text), places(name), "{text}");
    }
    let (edge, oriented): (Cube, Cube) =
        ("U R2 F B' L".parse().unwrap(), "U D R2 F2".parse().unwrap());
    let is_met = |text: &str, cube: &Cube| text.parse::<Goal>().unwrap().is_met(cube);
    // DR is in its place after the first, and elsewhere after the second.
    for text in ["DR UF", "{DR}", "DR DL"] {
        assert_eq!(
            text.parse::<Goal>().unwrap().variants().count(),
            1,
            "{text}"
        );
    }
    assert!(is_met("DR", &oriented) && !is_met("{DR}", &oriented) && !is_met("DR", &edge));
    assert!(is_met("EDGES Corners", &Cube::SOLVED) && !is_met("EDGES", &edge));
}

#[test]
fn positions_are_goals_and_alternatives_are_places() {
    let goal = |text: &str| text.parse::<Goal>().unwrap();
    let solve = |goal: &Goal, position: &Cube| {
        GoalSolver::new(goal, &TurnSet::default(), &Control::default())
            .unwrap()
            .search(position)
            .all()
            .run()
    };
    let (target, from): (Cube, Cube) = ("R U R' U'".parse().unwrap(), "R U F".parse().unwrap());
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
    let report = solve(&Goal::from_position(&target), &from);
    assert_eq!((report.lower_bound, report.solutions.len()), (3, 1));
    assert_eq!(from.apply_moves(&report.solutions[0].moves()), target);

    // A turn of a face may be left: of U, or of any.
    let (up, any) = (goal("solved | U | U2 | U'"), goal("auf"));
    assert_eq!(
        up.variants().collect::<Vec<_>>(),
        ["solved", "U", "U2", "U'"]
    );
    assert_eq!(
        (goal("auf:D").variants().count(), any.variants().count()),
        (1, 6)
    );
    let solver = |goal| GoalSolver::new(goal, &TurnSet::default(), &Control::default()).unwrap();
    let (up, any) = (solver(&up), solver(&any));
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

    let cube = random_positions(39).next().unwrap();
    let both = solve(&goal("cross:D | cross:U"), &cube);
    let down = solve(&goal("cross:D"), &cube);
    let up = solve(&goal("cross:U"), &cube);
    assert_eq!(both.lower_bound, down.lower_bound.min(up.lower_bound));
    let named = |name| {
        both.solutions
            .iter()
            .filter(|found| found.variant == name)
            .count()
    };
    let shortest = |report: &GoalReport| {
        if report.lower_bound == both.lower_bound {
            report.solutions.len()
        } else {
            0
        }
    };
    assert_eq!(
        (named("cross:D"), named("cross:U")),
        (shortest(&down), shortest(&up))
    );
    assert_eq!(
        solve(&goal("cross:D | cross"), &cube).lower_bound,
        solve(&goal("cross"), &cube).lower_bound
    );

    for (text, wrong) in [
        ("cross:D | eo:FB", "different kinds"),
        ("cross:D |", "is empty"),
        ("auf:U UF", "cannot be combined"),
        ("auf:X", "no variant"),
        ("U Q", "`Q` is not a valid move"),
        (
            "pll:U",
            "`pll:U` is a step, not a goal; to solve through this step, use auf:U",
        ),
        (
            "zbll",
            "`zbll` is a step, not a goal; to solve through this step, use auf:U",
        ),
        (
            "LL",
            "`LL` is a step, not a goal; to solve through this step, use auf:U",
        ),
        ("lse", "through this step, use solved"),
        (
            "FB",
            "`FB` is a step, not a goal; to solve through this step, use 1x2x3",
        ),
        ("F2B", "through this step, use blocks"),
        ("f2l1", "through this step, use f2l-1"),
        ("fr", "separate moves by spaces"),
        ("RUR", "separate moves"),
        ("1lll", "separate moves"),
        (&target.facelets().replacen("UU", "UD", 1), "U"),
    ] {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
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
    let position: Cube = "F".parse().unwrap();
    let turns = TurnSet::parse("R U", TurnMetric::Htm, "").unwrap();
    let goal: Goal = "cross:D".parse().unwrap();
    let report = GoalSolver::new(&goal, &turns, &Control::default())
        .unwrap()
        .search(&position)
        .run();
    assert_eq!(
        report.unreachable.as_deref(),
        Some("no sequence of R U solves the edge DF as the goal requires")
    );
    // Each piece alone would get there, but not all together.
    for (goal, moves, turns, lost) in [
        (
            "corners",
            "R U R' U' R' F R2 U' R' U' R U R' F'",
            "R U",
            "all corners",
        ),
        ("UR URF", "M2 U M2 U2 M2 U M2", "M2 U2", "all pieces"),
        ("cross:D", "F R U R' U' F' D", "M U", "all edges"),
    ] {
        let goal: Goal = goal.parse().unwrap();
        let turns = TurnSet::parse(turns, TurnMetric::Stm, "").unwrap();
        let solver = GoalSolver::new(&goal, &turns, &Control::default()).unwrap();
        let reason = solver.search(&moves.parse().unwrap()).run().unreachable;
        assert!(
            reason
                .as_deref()
                .is_some_and(|reason| reason.contains(lost)),
            "{goal}: {reason:?}"
        );
    }
    for (text, wrong) in [
        ("", "the goal is empty"),
        ("crss", "is not a goal, a piece or a position"),
        ("R U X F", "`X` is not a valid move"),
        ("UF DFX", "`DFX` is not a goal"),
        ("PLL:U", "through this step, use auf:U"),
        ("cross:X", "no variant"),
        ("htr:", "it has no variants"),
        ("corners:U", "it has no variants"),
        ("oriented(cross:D)", "is a goal, but braces"),
        ("{croos}", "is not a goal"),
        (&painted(&[(8, "X")]), "`X` is not a facelet"),
        ("cross eo:FB", "needs a variant"),
        ("{UF UR", "not closed"),
        (&painted(&[(8, "U"), (9, "D")]), "that no piece has"),
        (
            &painted(&[(7, "U"), (19, "F"), (5, "U"), (10, "F")]),
            "no position satisfies",
        ),
        ("UUU.", "54"),
        ("oriented()", "is empty"),
        ("htr URF", "already constrains all corners"),
        ("half-turn-corners", "is not a goal"),
        (&painted(&[(4, "R")]), "center of face U"),
    ] {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
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
        assert!(
            text.parse::<Goal>().is_ok_and(|goal| goal.is_position()),
            "{text}"
        );
    }
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
    let solver = GoalSolver::new(&"URF UF".parse().unwrap(), &turns, &Control::default()).unwrap();
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
    let slot = GoalSolver::new(
        &"xcross:DRF".parse().unwrap(),
        &TurnSet::default(),
        &Control::default(),
    )
    .unwrap();
    assert_eq!(slot.search(&Cube::SOLVED).run().lower_bound, 0);
}

#[test]
fn sequences_are_counted_and_not_their_places() {
    let solver = GoalSolver::new(
        &"eo".parse().unwrap(),
        &TurnSet::default(),
        &Control::default(),
    )
    .unwrap();
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
fn the_beginning_of_a_place_stands_for_several() {
    let places = |text: &str| {
        text.parse::<Goal>()
            .unwrap()
            .variants()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (
            places("xcross:D").len(),
            places("xcross:DFR").len(),
            places("xcross:DF").len()
        ),
        (4, 1, 1)
    );
    assert!(places("f2l-1:U").iter().all(|place| place.starts_with('U')));
    for named in NAMED_GOALS {
        let found = places(named.name);
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
    let solver = GoalSolver::new(
        &"cross:D".parse().unwrap(),
        &TurnSet::default(),
        &Control::default(),
    )
    .unwrap();
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
        let unfinished =
            GoalSolver::new(&"cross:D".parse().unwrap(), &TurnSet::default(), &control)
                .err()
                .unwrap();
        assert!(unfinished.to_string().starts_with(why), "{unfinished}");
    }
}
