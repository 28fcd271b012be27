//! Searches for goals against brute force: all sequences of the turns, one after the other.

use crate::{control, position, smallest_table};
use cosette::Outcome;
use cosette::cube::{
    Corner, Cube, Edge, Face, LayerTurn, Metric, Move, Symmetry, canonical, inverse,
};
use cosette::goal::{Goal, GoalReport, GoalSolver, NAMED_GOALS, TurnMetric, TurnSet};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The effect of each run of a sequence about one axis: its axis, on the cube and on the centers.
/// Sequences that agree in it are one solution.
type Runs = Vec<(usize, Cube, Symmetry)>;

fn runs(turns: &[LayerTurn]) -> Runs {
    let mut runs = Runs::new();
    for turn in turns {
        let axis = turn.axis() as usize;
        if runs.last().is_none_or(|run| run.0 != axis) {
            runs.push((axis, Cube::SOLVED, Symmetry::IDENTITY));
        }
        // A turn about the axis leaves the faces on it where they are.
        let run = runs.last_mut().unwrap();
        turn.face_turns().for_each(|m| run.1 = run.1.apply(m));
        run.2 = run.2.then(turn.rotation());
        if run.1.is_solved() && run.2 == Symmetry::IDENTITY {
            runs.pop();
        }
    }
    runs
}

/// The solved cube after the turns, seen with the centers where they were.
fn cube_after(turns: &[LayerTurn]) -> Cube {
    let mut cube = Cube::SOLVED;
    let mut frame = Symmetry::IDENTITY;
    for turn in turns {
        turn.face_turns()
            .for_each(|m| cube = cube.apply(frame.conjugate_move(m)));
        frame = turn.rotation().inverse().then(frame);
    }
    cube
}

/// Random turns of a set.
fn walk(rng: &mut ChaCha8Rng, turns: &TurnSet, length: usize) -> Vec<LayerTurn> {
    let turn = |_| turns.allowed().choose(rng).unwrap().0;
    (0..length).map(turn).collect()
}

/// Sets of turns, and the largest cost of their sequences that brute force makes.
const ALLOWED: [(&str, TurnMetric, &str, u32); 9] = [
    ("U R F D L B", TurnMetric::Htm, "", 3),
    ("U R F D L B", TurnMetric::Qtm, "", 3),
    ("R U", TurnMetric::Htm, "R2=3", 5),
    ("R U r M", TurnMetric::Stm, "", 3),
    ("R2 U' F M", TurnMetric::Qstm, "F=2", 4),
    ("R U x", TurnMetric::Etm, "", 4),
    ("M U u2 S'", TurnMetric::Htm, "", 4),
    ("R+ U F' L2", TurnMetric::Qtm, "", 4),
    ("E S f y'", TurnMetric::Etm, "", 3),
];

/// A sequence that costs no more than another whose runs do the same. What it begins with is such a
/// sequence too, and comes before it.
struct CheapestSequence {
    turns: Vec<LayerTurn>,
    runs: Runs,
    cost: u32,
    cube: Cube,
    without_last: usize,
}

/// All of them up to a cost.
struct BruteForce {
    turns: TurnSet,
    most: u32,
    sequences: Vec<CheapestSequence>,
}

impl BruteForce {
    fn new((turns, metric, costs, most): (&str, TurnMetric, &str, u32)) -> BruteForce {
        let turns = TurnSet::parse(turns, metric, costs).unwrap();
        let mut all = vec![(Vec::new(), 0)];
        let mut cheapest: BTreeMap<Runs, u32> = BTreeMap::new();
        let mut done = 0;
        while let Some((sequence, cost)) = all.get(done).cloned() {
            done += 1;
            let least = cheapest.entry(runs(&sequence)).or_insert(cost);
            *least = cost.min(*least);
            for &(turn, turn_cost) in turns.allowed() {
                let cost = cost + u32::from(turn_cost);
                if cost <= most {
                    all.push(([&sequence[..], &[turn]].concat(), cost));
                }
            }
        }
        let mut numbers: BTreeMap<Vec<LayerTurn>, usize> = BTreeMap::new();
        let mut sequences = Vec::new();
        for (turns, cost) in all {
            let runs = runs(&turns);
            if cheapest[&runs] == cost {
                let without_last = turns.len().saturating_sub(1);
                numbers.insert(turns.clone(), sequences.len());
                sequences.push(CheapestSequence {
                    cube: cube_after(&turns),
                    without_last: numbers[&turns[..without_last]],
                    turns,
                    runs,
                    cost,
                });
            }
        }
        BruteForce {
            turns,
            most,
            sequences,
        }
    }

    /// The sequences that lead to the goal, with their costs, but for those whose beginnings do: of
    /// all with the same runs, none may.
    fn solutions(&self, position: &Cube, is_met: &dyn Fn(&Cube) -> bool) -> BTreeMap<Runs, u32> {
        let mut solutions = BTreeMap::new();
        let mut later = BTreeSet::new();
        let mut met: Vec<bool> = Vec::new();
        for sequence in &self.sequences {
            let met_before = !met.is_empty() && met[sequence.without_last];
            let is_met = is_met(&position.compose(&sequence.cube));
            if met_before {
                later.insert(&sequence.runs);
            } else if is_met {
                solutions.insert(sequence.runs.clone(), sequence.cost);
            }
            met.push(met_before || is_met);
        }
        solutions.retain(|runs, _| !later.contains(runs));
        solutions
    }
}

/// The order of the corners, if each edge is in its slice.
fn order(cube: &Cube) -> Option<[Corner; 8]> {
    let is_in_slice = |edge: &Edge| cube.edge(*edge).0.slice() == edge.slice();
    let order = Corner::ALL.map(|corner| cube.corner(corner).0);
    Edge::ALL.iter().all(is_in_slice).then_some(order)
}

/// The orders of corners that half turns make.
static HALF_TURN_ORDERS: LazyLock<BTreeSet<Option<[Corner; 8]>>> = LazyLock::new(|| {
    let mut cubes = vec![Cube::SOLVED];
    let mut found = BTreeSet::from([order(&Cube::SOLVED)]);
    while let Some(cube) = cubes.pop() {
        let half_turns = Move::ALL.into_iter().filter(|m| m.is_half_turn());
        let turned = half_turns.map(|m| cube.apply(m));
        cubes.extend(turned.filter(|cube| found.insert(order(cube))));
    }
    found
});

const PIECES: &str = "UF UR URF";
const GROUP: &str = "{UF UR UB UL}";
const PIECES_AND_GROUP: &str = "UF UR URF {ULB UFL}";
const PLACED: &str = "placed(UF UR URF)";

/// The definition of the usual variant of a goal, as a predicate of positions.
fn definition(name: &'static str) -> impl Fn(&Cube) -> bool {
    let pieces = match name {
        "cross" | "eocross" => "DF DR DB DL",
        "xcross" => "DF DR DB DL FR DFR",
        "2x2x2" => "DL DF FL DLF",
        "2x2x3" => "DL DF DB FL BL DLF DBL",
        "f2l" | "oll" => "DF DR DB DL FR FL BL BR DFR DLF DBL DRB",
        "f2l-1" => "DF DR DB DL FL BL BR DLF DBL DRB",
        "1x2x3" => "DL FL BL DLF DBL",
        "blocks" => "DL FL BL DLF DBL DR FR BR DFR DRB",
        "eoline" => "DF DB",
        "layer" => "UF UR UB UL URF UFL ULB UBR",
        "edges" => "UF UR UB UL DF DR DB DL FR FL BL BR",
        "corners" => "URF UFL ULB UBR DFR DLF DBL DRB",
        PIECES_AND_GROUP => PIECES,
        _ => "",
    };
    let is_named = |piece: String| pieces.split(' ').any(|name| name == piece);
    let edges = Edge::ALL.into_iter();
    let edges: Vec<Edge> = edges.filter(|edge| is_named(edge.to_string())).collect();
    let corners = Corner::ALL.into_iter();
    let corners: Vec<Corner> = corners
        .filter(|corner| is_named(corner.to_string()))
        .collect();
    let named = edges.len() + corners.len();
    assert_eq!(named, pieces.split_whitespace().count(), "{name}");
    let has_edges_oriented = matches!(name, "eo" | "eoline" | "eocross" | "oll" | "dr" | "htr");
    let has_corners_oriented = matches!(name, "oll" | "dr" | "htr");
    move |cube| {
        edges.iter().all(|&edge| cube.edge(edge) == (edge, 0))
            && corners
                .iter()
                .all(|&corner| cube.corner(corner) == (corner, 0))
            && (!has_edges_oriented || Edge::ALL.iter().all(|&edge| cube.edge(edge).1 == 0))
            && (!has_corners_oriented || Corner::ALL.iter().all(|&slot| cube.corner(slot).1 == 0))
            && has_rest(name, cube)
    }
}

/// `true` if a position satisfies the goal beyond solved pieces and orientations.
fn has_rest(name: &str, cube: &Cube) -> bool {
    let is_in_layer = |edge: &Edge| (cube.edge(*edge).0.slice() == 0) == (edge.slice() == 0);
    let up = [Edge::Uf, Edge::Ur, Edge::Ub, Edge::Ul];
    let others = [Corner::Ufl, Corner::Ulb];
    match name {
        "dr" => Edge::ALL.iter().all(is_in_layer),
        "htr" => order(cube).is_some() && HALF_TURN_ORDERS.contains(&order(cube)),
        "auf" => ["", "U", "U2", "U'"].map(position).contains(cube),
        "solved" => cube.is_solved(),
        PLACED => {
            let edges = [Edge::Uf, Edge::Ur];
            let are_placed = edges.map(|slot| cube.edge(slot).0) == edges;
            are_placed && cube.corner(Corner::Urf).0 == Corner::Urf
        }
        GROUP => {
            let mut edges = up.iter().map(|&slot| cube.edge(slot));
            edges.all(|(edge, flip)| up.contains(&edge) && flip == 0)
        }
        PIECES_AND_GROUP => {
            let mut corners = others.iter().map(|&slot| cube.corner(slot));
            corners.all(|(corner, twist)| others.contains(&corner) && twist == 0)
        }
        _ => true,
    }
}

/// A rotation that carries the place of a goal to its usual place.
fn rotation_from(place: &str, usual: &str) -> Symmetry {
    let face = |letter| Face::ALL.into_iter().find(|face| face.letter() == letter);
    let names = |faces: &str| faces.chars().filter_map(face).collect::<Vec<Face>>();
    let usual = names(usual);
    let place = names(place);
    let carries = |s: &Symmetry| {
        let mut pairs = place.iter().zip(&usual);
        !s.is_mirror() && pairs.all(|(&from, &to)| s.face(from) == to)
    };
    Symmetry::all().find(carries).unwrap()
}

/// Asks so many questions about a goal; those about small parts of the cube are asked of all turns
/// that are allowed above.
fn ask(rng: &mut ChaCha8Rng, name: &'static str, allowed: &[BruteForce], questions: usize) {
    let mut named = NAMED_GOALS.iter().filter(|named| named.name == name);
    let usual = named.next().map_or("", |named| named.default_variant);
    let definition = definition(name);
    for brute_force in allowed {
        let mut goal = name.parse::<Goal>().unwrap();
        let places: Vec<&str> = goal.variants().collect();
        let place = places.choose(rng).unwrap();
        if !usual.is_empty() && !place.is_empty() && rng.random_ratio(3, 4) {
            goal = format!("{name}:{place}").parse().unwrap();
        }
        let turns = &brute_force.turns;
        let solver = GoalSolver::new(&goal, turns, &control()).unwrap();
        let places = goal.variants();
        let rotations: Vec<Symmetry> = places.map(|place| rotation_from(place, usual)).collect();
        for _ in 0..questions {
            let length = rng.random_range(0..5);
            let walk = walk(rng, turns, length);
            // The goal is met after the walk, unless it ends with other pieces than those it began
            // with.
            let ignored = position(["", "U F"].choose(rng).unwrap());
            let position = ignored.compose(&cube_after(&walk).inverse());
            let question = format!("{goal} with {turns} from {walk:?}, {}", position.facelets());
            // Where one sequence solves several places it is found for each.
            let mut expected = Vec::new();
            // The positions of `auf` are one goal.
            let alone = if name == "auf" { rotations.len() } else { 1 };
            for rotations in rotations.chunks(alone) {
                let is_met = |cube: &Cube| {
                    let mut seen = rotations.iter().map(|&rotation| cube.conjugate(rotation));
                    seen.any(|cube| definition(&cube))
                };
                expected.extend(brute_force.solutions(&position, &is_met));
            }
            if rotations.len() == 1 && rng.random_ratio(1, 4) {
                check_constraints(rng, brute_force, &solver, &position, &expected);
            }
            let slack = rng.random_range(0..=brute_force.most);
            check(
                &solver,
                &position,
                brute_force.most,
                slack,
                expected,
                &question,
            );
        }
    }
}

/// Compares the solutions of a goal, and one of them, with those that are expected.
fn check(
    solver: &GoalSolver,
    position: &Cube,
    most: u32,
    slack: u32,
    mut expected: Vec<(Runs, u32)>,
    question: &str,
) {
    let least = expected.iter().map(|solution| solution.1).min();
    expected.retain(|solution| solution.1 - least.unwrap() <= slack);
    expected.sort();
    let search = solver.search(position).slack(slack).max_cost(most);
    let report = search.all().run();
    assert_eq!(sorted_solutions(&report), expected, "{question}");
    if let Some(least) = least {
        let one = solver.search(position).run();
        assert_eq!(
            [report.lower_bound, one.lower_bound],
            [least; 2],
            "{question}"
        );
        assert_eq!(report.outcome, Outcome::Optimal, "{question}");
        assert_eq!(one.solutions.len(), 1, "{question}");
    }
}

fn sorted_solutions(report: &GoalReport) -> Vec<(Runs, u32)> {
    let solutions = report.solutions.iter();
    let mut solutions: Vec<_> = solutions
        .map(|solution| (runs(&solution.turns), solution.cost))
        .collect();
    solutions.sort();
    solutions
}

/// Asks for beginnings, ends and what to avoid, and takes of all sequences that do the same as a
/// solution those that begin and end like this and avoid it.
fn check_constraints(
    rng: &mut ChaCha8Rng,
    brute_force: &BruteForce,
    solver: &GoalSolver,
    position: &Cube,
    solutions: &[(Runs, u32)],
) {
    let all: Vec<_> = brute_force.sequences.iter().collect();
    let mut standing = all.clone();
    standing.retain(|sequence| solutions.iter().any(|(runs, _)| *runs == sequence.runs));
    // Mostly sequences that are there.
    let mut part = |from_end: bool| {
        let from = if rng.random_ratio(2, 3) {
            &standing
        } else {
            &all
        };
        let turns = from.choose(rng).map_or(&[][..], |sequence| &sequence.turns);
        let length = turns.len().min(2);
        let start = if from_end { turns.len() - length } else { 0 };
        turns[start..][..length].to_vec()
    };
    let none = Vec::new();
    let [start, end, avoided] = [part(false), part(true), part(true)];
    let (starts, ends, avoid) = match rng.random_range(0..4) {
        0 => (&start, &none, [&none, &none]),
        1 => (&none, &end, [&none, &none]),
        2 => (&none, &none, [&start, &end]),
        _ => (&start, &end, [&none, &avoided]),
    };
    let is_wanted = |turns: &[LayerTurn]| {
        let has = |word: &&Vec<LayerTurn>| {
            let mut windows = turns.windows(word.len().max(1));
            !word.is_empty() && windows.any(|window| window == &word[..])
        };
        turns.starts_with(starts) && turns.ends_with(ends) && !avoid.iter().any(has)
    };
    let wanted = standing
        .iter()
        .filter(|sequence| is_wanted(&sequence.turns));
    let expected: BTreeSet<_> = wanted
        .map(|sequence| (sequence.runs.clone(), sequence.cost))
        .collect();
    let most = brute_force.most;
    let search = solver.search(position).slack(most).max_cost(most);
    let search = search.starts_with(starts).ends_with(ends);
    let search = avoid.iter().fold(search, |search, word| search.avoid(word));
    let report = search.all().run();
    let question = format!("{}: {starts:?} {ends:?} {avoid:?}", solver.goal());
    let mut solutions = report.solutions.iter();
    assert!(solutions.all(|found| is_wanted(&found.turns)), "{question}");
    assert!(sorted_solutions(&report).iter().eq(&expected), "{question}");
    if let Some(least) = expected.iter().map(|(_, cost)| *cost).min() {
        assert_eq!(report.lower_bound, least, "{question}");
        assert_eq!(report.outcome, Outcome::Optimal, "{question}");
    }
}

#[test]
fn two_thousand_questions_are_answered_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    let allowed = ALLOWED.map(BruteForce::new);
    for name in ["cross", "2x2x2", "1x2x3", "eo", "eoline", "dr"] {
        ask(&mut rng, name, &allowed, 32);
    }
    for name in [PLACED, GROUP, PIECES_AND_GROUP] {
        ask(&mut rng, name, &allowed, 10);
    }
    // These have tables of a hundred megabytes.
    let large = [
        "xcross", "2x2x3", "f2l", "f2l-1", "oll", "blocks", "corners", "edges", "layer", "htr",
        "solved", "auf", "eocross",
    ];
    for (number, name) in large.into_iter().enumerate() {
        ask(&mut rng, name, &allowed[number % allowed.len()..][..1], 25);
    }
}

/// Asserts that of the solutions one is kept for each that is the image of another.
fn assert_orbits(all: &GoalReport, kept: &GoalReport, images: &dyn Fn(&[Move]) -> Vec<Vec<Move>>) {
    let solutions = all.solutions.iter();
    let moves: BTreeSet<_> = solutions.map(|found| canonical(&found.moves())).collect();
    let least = |solution: &Vec<Move>| {
        let images = images(solution).into_iter().map(|image| canonical(&image));
        images.filter(|image| moves.contains(image)).min()
    };
    let orbits: BTreeSet<_> = moves.iter().map(least).collect();
    assert_eq!(kept.solutions.len(), orbits.len());
    let mut solutions = kept.solutions.iter();
    assert!(solutions.all(|found| all.solutions.contains(found)));
    assert_eq!(kept.lower_bound, all.lower_bound);
}

/// A sequence seen in each symmetry.
fn images(moves: &[Move], group: &[Symmetry]) -> Vec<Vec<Move>> {
    let image = |s: &Symmetry| moves.iter().map(|&m| s.conjugate_move(m)).collect();
    group.iter().map(image).collect()
}

fn solver(goal: &str, turns: &str, metric: TurnMetric, costs: &str) -> GoalSolver {
    let turns = TurnSet::parse(turns, metric, costs).unwrap();
    GoalSolver::new(&goal.parse().unwrap(), &turns, &control()).unwrap()
}

#[test]
fn images_of_a_solution_are_left_out_on_request() {
    let solver = solver("cross:D", "U R F D L B", TurnMetric::Htm, "");
    let edges = |cube: &Cube| {
        let down = [Edge::Df, Edge::Dr, Edge::Db, Edge::Dl];
        Edge::ALL.map(|slot| Some(cube.edge(slot)).filter(|(edge, _)| down.contains(edge)))
    };
    for (text, is_symmetric) in [
        ("R L", true),
        ("R2 L2 U", true),
        ("R L F B", true),
        ("F R U", false),
        ("R U2 R", true),
    ] {
        let position = position(text);
        let seen = |s: &Symmetry| edges(&position.conjugate(*s)) == edges(&position);
        let keeps_down = Symmetry::all().filter(|s| s.face(Face::D) == Face::D);
        let group: Vec<Symmetry> = keeps_down.filter(seen).collect();
        assert_eq!(group.len() > 1, is_symmetric, "{text}");
        let search = solver.search(&position).all().slack(1);
        let all = search.clone().run();
        let some = search.dedup_symmetric().run();
        assert_orbits(&all, &some, &|moves| images(moves, &group));
    }
}

#[test]
fn what_is_kept_up_to_inversion_has_its_inverse() {
    let solver = solver("solved", "x y U", TurnMetric::Etm, "");
    let turned = position("U2");
    let search = solver.search(&turned).all().slack(4);
    let all = search.clone().run().solutions;
    let kept = search.dedup_inverse().run().solutions;
    assert!(kept.len() < all.len());
    let kept: BTreeSet<Runs> = kept.iter().map(|found| runs(&found.turns)).collect();
    for found in &all {
        let inverse = found.turns.iter().rev().map(|turn| turn.inverse());
        let inverse = runs(&inverse.collect::<Vec<_>>());
        assert!(kept.contains(&runs(&found.turns)) || kept.contains(&inverse));
    }
}

#[test]
fn whole_cubes_are_answered_alike_with_a_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let group: Vec<Symmetry> = Symmetry::all().collect();
    for (text, metric, costs, length) in [
        ("U R F D L B", TurnMetric::Htm, "", 7),
        ("R U F", TurnMetric::Htm, "", 9),
        ("R U", TurnMetric::Qtm, "R2=1", 12),
        ("R U F2 M S r", TurnMetric::Stm, "", 4),
    ] {
        let solver = solver("solved", text, metric, costs);
        let walked = |_| cube_after(&walk(&mut rng, solver.turns(), length)).inverse();
        let mut positions: Vec<Cube> = (0..4).map(walked).collect();
        let has_all_faces = text.len() == 11;
        if has_all_faces {
            positions.extend(["R2 L2 U2 D2 F2 B2", "R L F2"].map(position));
        }
        let search = |p| solver.search(p).all().slack(1).run();
        let without: Vec<GoalReport> = positions.iter().map(search).collect();
        let solver = solver.with_table(smallest_table(Metric::Htm));
        for (position, without) in positions.iter().zip(&without) {
            let search = solver.search(position).all().slack(1);
            let with = search.clone().run();
            assert_eq!(with.lower_bound, without.lower_bound);
            assert_eq!(with.solutions, without.solutions);
            assert!(with.nodes() <= without.nodes());
            if has_all_faces {
                // The inverse of a solution, seen in any symmetry, may be a solution.
                let some = search.dedup_symmetric().dedup_inverse().run();
                assert_orbits(&with, &some, &|moves| {
                    [images(moves, &group), images(&inverse(moves), &group)].concat()
                });
            }
        }
    }
}
