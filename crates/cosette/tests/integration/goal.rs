//! Searches for goals against the obvious one: all sequences of the turns, one after the other.

use cosette::cube::{Corner, Cube, Edge, Face, LayerTurn, Symmetry, Turn, random_positions};
use cosette::goal::{Found, Goal, GoalReport, GoalSolver, TurnMetric, Turns};
use cosette::{Control, Outcome};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

type IsMet = fn(&Cube) -> bool;

/// What the runs of a sequence about one axis turn in all: how far each layer does.
type Sums = Vec<(usize, [u8; 3])>;

fn sums(turns: &[LayerTurn]) -> Sums {
    let mut sums: Sums = Vec::new();
    for turn in turns {
        // How far the layers of R, of M as R turns and of L as R turns go is told by what the turn does to the centres and to
        // the faces.
        let axis = turn.axis() as usize;
        let (first, middle) = (["U", "R", "F"][axis], ["E'", "M'", "S"][axis]);
        let quarters = layers(*turn, first, middle);
        match sums.last_mut() {
            Some((last, sum)) if *last == axis => {
                sum.iter_mut().zip(quarters).for_each(|(sum, quarters)| *sum = (*sum + quarters) % 4);
                if *sum == [0; 3] {
                    sums.pop();
                }
            }
            _ => sums.push((axis, quarters)),
        }
    }
    sums
}

/// By how many quarters the turn moves the layers of `first`, of the slice and of the opposite face, all seen from `first`.
fn layers(turn: LayerTurn, first: &str, middle: &str) -> [u8; 3] {
    let rotations = |turn: LayerTurn| turn.rotation();
    let middle = cosette::cube::parse_turns(middle, &Default::default()).unwrap()[0];
    let quarters = (0..4)
        .find(|&n| (0..n).fold(Symmetry::IDENTITY, |rotation, _| rotation.then(rotations(middle))) == rotations(turn));
    let middle = quarters.expect("a turn of layers rotates about its axis");
    let mut layers = [middle, middle, middle];
    for m in turn.face_turns() {
        let face = m.face().to_string();
        if face == first {
            layers[0] = (layers[0] + m.turn().quarters()) % 4;
        } else {
            layers[2] = (layers[2] + 4 - m.turn().quarters()) % 4;
        }
    }
    layers
}

fn moves(turns: &[LayerTurn]) -> Vec<cosette::Move> {
    Found { cost: 0, place: String::new(), turns: turns.to_vec() }.moves()
}

/// The solutions that cost at most `most`, by the obvious search: as sums, with the least cost of each.
fn obvious(position: &Cube, is_met: &dyn Fn(&Cube) -> bool, turns: &Turns, most: u32) -> BTreeMap<Sums, u32> {
    let mut words: BTreeMap<Sums, (u32, Vec<LayerTurn>)> = BTreeMap::from([(Vec::new(), (0, Vec::new()))]);
    let mut fringe: BTreeSet<(u32, Sums)> = BTreeSet::from([(0, Vec::new())]);
    while let Some((cost, word)) = fringe.pop_first() {
        let (least, shortest) = words[&word].clone();
        if least < cost {
            continue;
        }
        for &(turn, turn_cost) in turns.allowed() {
            let longer = [&shortest[..], &[turn]].concat();
            let (cost, key) = (cost + u32::from(turn_cost), sums(&longer));
            if cost <= most && words.get(&key).is_none_or(|known| cost < known.0) {
                words.insert(key.clone(), (cost, longer));
                fringe.insert((cost, key));
            }
        }
    }
    let meets = |sums: &Sums| words.get(sums).is_some_and(|(_, turns)| is_met(&position.after(&moves(turns))));
    let cost = |axis: usize, sum: [u8; 3]| words.get(&vec![(axis, sum)]).map(|(cost, _)| *cost);
    // Whether the goal is met before, or with only a part of a run that may as well be its beginning.
    let is_met_before = |word: &Sums| {
        (0..word.len()).any(|before| {
            let (axis, whole) = word[before];
            meets(&word[..before].to_vec())
                || (0..64).map(|n| [n / 16, n / 4 % 4, n % 4]).any(|part: [u8; 3]| {
                    let rest = std::array::from_fn(|layer| (4 + whole[layer] - part[layer]) % 4);
                    cost(axis, part)
                        .zip(cost(axis, rest))
                        .is_some_and(|(one, other)| Some(one + other) == cost(axis, whole))
                        && meets(&[&word[..before], &[(axis, part)]].concat())
                })
        })
    };
    let is_found = |word: &Sums| meets(word) && !is_met_before(word);
    words.iter().filter(|(word, _)| is_found(word)).map(|(word, &(cost, _))| (word.clone(), cost)).collect()
}

#[test]
fn solutions_are_those_of_the_obvious_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    let goals: [(&str, IsMet); 6] = [
        ("cross:D", |cube| {
            [Edge::Df, Edge::Dr, Edge::Db, Edge::Dl].into_iter().all(|edge| cube.edge(edge) == (edge, 0))
        }),
        ("eo:FB", |cube| Edge::ALL.into_iter().all(|edge| cube.edge(edge).1 == 0)),
        ("dr:UD", |cube| {
            Edge::ALL
                .into_iter()
                .all(|edge| cube.edge(edge).1 == 0 && (cube.edge(edge).0.slice() == 0) == (edge.slice() == 0))
                && Corner::ALL.into_iter().all(|corner| cube.corner(corner).1 == 0)
        }),
        ("placed(UF UR URF)", |cube| {
            cube.edge(Edge::Uf).0 == Edge::Uf
                && cube.edge(Edge::Ur).0 == Edge::Ur
                && cube.corner(Corner::Urf).0 == Corner::Urf
        }),
        ("{UF UR UB UL}", |cube| {
            let up = [Edge::Uf, Edge::Ur, Edge::Ub, Edge::Ul];
            up.into_iter().all(|edge| up.contains(&cube.edge(edge).0) && cube.edge(edge).1 == 0)
        }),
        ("UF UR URF {ULB UFL}", |cube| {
            [Edge::Uf, Edge::Ur].into_iter().all(|edge| cube.edge(edge) == (edge, 0))
                && cube.corner(Corner::Urf) == (Corner::Urf, 0)
                && [Corner::Ufl, Corner::Ulb]
                    .map(|slot| cube.corner(slot))
                    .into_iter()
                    .all(|(corner, twist)| twist == 0 && matches!(corner, Corner::Ufl | Corner::Ulb))
        }),
    ];
    let allowed = [
        ("U R F D L B", TurnMetric::Htm, "", 3),
        ("U R F D L B", TurnMetric::Qtm, "", 3),
        ("R U", TurnMetric::Htm, "R2=3", 5),
        ("R U r M", TurnMetric::Stm, "", 3),
        ("R2 U' F M", TurnMetric::Qstm, "F=2", 4),
        ("R U x", TurnMetric::Etm, "", 4),
        ("M U u2 S'", TurnMetric::Htm, "", 4),
    ];
    for (name, is_met) in goals {
        let goal: Goal = name.parse().unwrap();
        for (text, metric, costs, most) in allowed {
            let turns = Turns::read(text, metric, costs).unwrap();
            let solver = GoalSolver::new(&goal, &turns, &Control::default()).unwrap();
            for _ in 0..4 {
                let walk: Vec<LayerTurn> =
                    (0..rng.random_range(1..4)).map(|_| turns.allowed().choose(&mut rng).unwrap().0).collect();
                let position = Cube::from_moves(&moves(&walk)).inverse();
                let expected = obvious(&position, &is_met, &turns, most);
                let report = solver.search(&position).all().slack(most).max_cost(most).run();
                let found: BTreeMap<Sums, u32> =
                    report.found.iter().map(|found| (sums(&found.turns), found.cost)).collect();
                assert_eq!(found.len(), report.found.len(), "each is found once");
                let question = format!("{name} with {text} in {}, {costs}, from {walk:?}", metric.name());
                assert_eq!(found, expected, "{question}");
                if let Some(&least) = expected.values().min() {
                    assert_eq!((report.least, report.outcome), (least, Outcome::Optimal), "{question}");
                    let one = solver.search(&position).run();
                    assert_eq!((one.least, one.found.len()), (least, 1), "{question}");
                }
            }
        }
    }
}

#[test]
fn places_are_one_goal_seen_from_different_sides() {
    let cube = random_positions(7).next().unwrap();
    for (name, count) in
        [("cross", 6), ("xcross", 24), ("2x2x2", 8), ("eo", 3), ("dr", 3), ("2x2x3", 12), ("1x2x3", 24)]
    {
        let goal: Goal = name.parse().unwrap();
        assert_eq!(goal.places().count(), count, "{name}");
        if matches!(name, "2x2x3" | "xcross" | "1x2x3") {
            continue;
        }
        let all = GoalSolver::new(&goal, &Turns::default(), &Control::default()).unwrap().search(&cube).all().run();
        let alone = goal.places().map(|place| {
            let goal: Goal = format!("{name}:{place}").parse().unwrap();
            GoalSolver::new(&goal, &Turns::default(), &Control::default()).unwrap().search(&cube).all().run()
        });
        let alone: Vec<_> = alone.filter(|report| report.least == all.least).flat_map(|report| report.found).collect();
        let in_order = |found: &[Found]| {
            found
                .iter()
                .map(|found| found.turns.iter().map(ToString::to_string).collect::<Vec<_>>())
                .collect::<BTreeSet<_>>()
        };
        assert_eq!(in_order(&all.found), in_order(&alone), "{name}");
    }
}

#[test]
fn positions_are_goals_and_alternatives_are_places() {
    let goal = |text: &str| text.parse::<Goal>().unwrap();
    let solve = |goal: &Goal, position: &Cube| {
        GoalSolver::new(goal, &Turns::default(), &Control::default()).unwrap().search(position).all().run()
    };
    let (target, from): (Cube, Cube) = ("R U R' U'".parse().unwrap(), "R U F".parse().unwrap());
    for text in ["R U R' U'", &target.facelets(), &target.reid(), "[R, U]"] {
        assert_eq!(goal(text).target(), Some(target), "{text}");
    }
    assert!(goal("solved").is_position() && goal("U | U'").target().is_none() && !goal("UF UR").is_position());
    // R U F, undone as far as R U, and R' U' more.
    let report = solve(&Goal::of_position(&target), &from);
    assert_eq!((report.least, report.found.len()), (3, 1));
    assert_eq!(from.after(&report.found[0].moves()), target);

    // A turn of a face may be left: of U, or of any.
    let (up, any) = (goal("solved | U | U2 | U'"), goal("auf"));
    assert_eq!(up.places().collect::<Vec<_>>(), ["solved", "U", "U2", "U'"]);
    assert_eq!((goal("auf:D").places().count(), any.places().count()), (1, 6));
    let solver = |goal| GoalSolver::new(goal, &Turns::default(), &Control::default()).unwrap();
    let (up, any) = (solver(&up), solver(&any));
    for (moves, least, least_any) in [("U R", 1, 1), ("U", 0, 0), ("D2", 1, 0), ("R U2 B'", 3, 2)] {
        let position: Cube = moves.parse().unwrap();
        let (up, any) = (up.search(&position).all().run(), any.search(&position).all().slack(1).run());
        assert_eq!((up.least, any.least), (least, least_any), "{moves}");
        let of_up = any.found.iter().filter(|found| found.place == "U" && found.cost == least).count();
        assert_eq!(up.found.len(), of_up, "{moves}");
        let turned = Turn::ALL.map(|turn| *Cube::of_move(cosette::Move::new(Face::U, turn)));
        let ends = up.found.iter().map(|found| position.after(&found.moves()));
        assert!(ends.into_iter().all(|end| end.is_solved() || turned.contains(&end)), "{moves}");
    }

    let cube = random_positions(39).next().unwrap();
    let (both, down, up) =
        (solve(&goal("cross:D | cross:U"), &cube), solve(&goal("cross:D"), &cube), solve(&goal("cross:U"), &cube));
    assert_eq!(both.least, down.least.min(up.least));
    let named = |name| both.found.iter().filter(|found| found.place == name).count();
    let shortest = |report: &GoalReport| if report.least == both.least { report.found.len() } else { 0 };
    assert_eq!((named("cross:D"), named("cross:U")), (shortest(&down), shortest(&up)));
    assert_eq!(solve(&goal("cross:D | cross"), &cube).least, solve(&goal("cross"), &cube).least);

    for (text, wrong) in [
        ("cross:D | eo:FB", "different kinds"),
        ("cross:D |", "is empty"),
        ("auf:U UF", "leave out"),
        ("auf:X", "no place"),
        ("U Q", "moves or facelets"),
        (&target.facelets().replace("UUU", "UUD"), "U"),
    ] {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
}

/// 54 facelets, all but some of them blank.
fn painted(facelets: &[(usize, &str)]) -> String {
    let mut text = ["."; 54];
    facelets.iter().for_each(|&(place, colour)| text[place] = colour);
    text.concat()
}

#[test]
fn no_piece_is_flipped_twisted_or_swapped_alone() {
    let solved = Cube::SOLVED.facelets();
    let painted = |changed: &[(usize, &str)]| {
        let mut text: Vec<String> = solved.chars().map(String::from).collect();
        changed.iter().for_each(|&(place, colour)| text[place] = colour.to_owned());
        text.concat().parse::<Goal>()
    };
    // UF flipped, alone or beside another edge; URF twisted; UF and UR swapped.
    assert!(painted(&[(7, "F"), (19, "U")]).is_err());
    assert!(painted(&[(7, "F"), (19, "U"), (5, "R"), (10, "U")]).is_ok());
    assert!(painted(&[(8, "R"), (9, "F"), (20, "U")]).is_err());
    assert!(painted(&[(19, "R"), (10, "F")]).is_err());
    // With two blank corners, they may be the ones that are swapped.
    let blank = [(8, "."), (9, "."), (20, "."), (6, "."), (18, "."), (38, ".")];
    assert!(painted(&[&[(19, "R"), (10, "F")], &blank[..]].concat()).is_ok());
}

#[test]
fn a_goal_that_the_turns_cannot_reach_is_recognised() {
    let position: Cube = "F".parse().unwrap();
    let turns = Turns::read("R U", TurnMetric::Htm, "").unwrap();
    let goal: Goal = "cross:D".parse().unwrap();
    let report = GoalSolver::new(&goal, &turns, &Control::default()).unwrap().search(&position).run();
    assert_eq!(report.unreachable.as_deref(), Some("no sequence of R U brings the edge DF where the goal wants it"));
    for (text, wrong) in [
        ("", "the goal is empty"),
        ("crss", "neither"),
        ("cross:X", "no place"),
        ("cross eo:FB", "needs a place"),
        ("{UF UR", "not closed"),
        (&painted(&[(8, "U"), (9, "D")]), "no piece"),
        (&painted(&[(7, "U"), (19, "F"), (5, "U"), (10, "F")]), "no position meets"),
        ("UUU.", "54"),
        ("oriented()", "is empty"),
        ("htr URF", "leave out what else"),
        ("half-turn-corners", "neither"),
        (&painted(&[(4, "R")]), "centre of U"),
    ] {
        let error = text.parse::<Goal>().unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
    for (text, costs, wrong) in
        [("x R", "", "costs nothing"), ("", "", "no turn"), ("R", "U=2", "has a cost"), ("R", "R=0", "is not a cost")]
    {
        let error = Turns::read(text, TurnMetric::Htm, costs).unwrap_err().to_string();
        assert!(error.contains(wrong), "{text} {costs}: {error}");
    }
}

#[test]
fn costs_and_slack_have_no_end() {
    let position: Cube = "R U R".parse().unwrap();
    let turns = Turns::read("R U", TurnMetric::Htm, "R=100 U=100").unwrap();
    let solver = GoalSolver::new(&"URF UF".parse().unwrap(), &turns, &Control::default()).unwrap();
    let report = solver.search(&position).run();
    assert!(report.unreachable.is_none() && report.found.is_empty() && report.least > 254, "{report:?}");
    let one = solver.search(&"R".parse().unwrap()).slack(u32::MAX).max_cost(100).all().run();
    assert_eq!((one.found.len(), one.outcome), (1, Outcome::Optimal));
    let slot = GoalSolver::new(&"xcross:DRF".parse().unwrap(), &Turns::default(), &Control::default()).unwrap();
    assert_eq!(slot.search(&Cube::SOLVED).run().least, 0);
}
