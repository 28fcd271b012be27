//! Searches for goals against brute force: all sequences of the turns, one after the other.

use crate::{control, smallest_table};
use cosette::cube::{
    Corner, Cube, Edge, Face, LayerTurn, Metric, Move, Symmetry, Turn, canonical, inverse,
};
use cosette::goal::{Goal, GoalReport, GoalSolution, GoalSolver, NAMED_GOALS, TurnMetric, TurnSet};
use cosette::{Control, Outcome};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

type IsMet = fn(&Cube) -> bool;

/// What the runs of a sequence about one axis turn in all: how far each layer does.
type LayerSums = Vec<(usize, [u8; 3])>;

fn sums(turns: &[LayerTurn]) -> LayerSums {
    let mut sums: LayerSums = Vec::new();
    for turn in turns {
        // How far the layers of R, of M as R turns and of L as R turns go is told by what the turn
        // does to the centers and to the faces.
        let axis = turn.axis() as usize;
        let first = ["U", "R", "F"][axis];
        let middle = ["E'", "M'", "S"][axis];
        let quarters = layers(*turn, first, middle);
        match sums.last_mut() {
            Some((last, sum)) if *last == axis => {
                sum.iter_mut()
                    .zip(quarters)
                    .for_each(|(sum, quarters)| *sum = (*sum + quarters) % 4);
                if *sum == [0; 3] {
                    sums.pop();
                }
            }
            _ => sums.push((axis, quarters)),
        }
    }
    sums
}

/// By how many quarters the turn moves the layers of `first`, of the slice and of the opposite
/// face, all seen from `first`.
fn layers(turn: LayerTurn, first: &str, middle: &str) -> [u8; 3] {
    let rotations = |turn: LayerTurn| turn.rotation();
    let middle = cosette::cube::parse_turns(middle, &Default::default()).unwrap()[0];
    let quarters = (0..4).find(|&n| {
        (0..n).fold(Symmetry::IDENTITY, |rotation, _| {
            rotation.then(rotations(middle))
        }) == rotations(turn)
    });
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

/// Random turns of a set.
fn walk(rng: &mut ChaCha8Rng, turns: &TurnSet, length: usize) -> Vec<LayerTurn> {
    let turn = |_| turns.allowed().choose(rng).unwrap().0;
    (0..length).map(turn).collect()
}

/// The position from which a walk leads to the solved cube.
fn before(walk: &[LayerTurn]) -> Cube {
    Cube::from_moves(&moves(walk)).inverse()
}

/// The cost of each solution.
fn solution_costs(report: &GoalReport) -> BTreeMap<LayerSums, u32> {
    let solutions = report.solutions.iter();
    solutions
        .map(|solution| (sums(&solution.turns), solution.cost))
        .collect()
}

fn moves(turns: &[LayerTurn]) -> Vec<Move> {
    GoalSolution {
        cost: 0,
        variant: String::new(),
        turns: turns.to_vec(),
    }
    .moves()
}

/// The sequences of some turns that cost at most so much, by what their runs do.
struct BruteForce {
    words: BTreeMap<LayerSums, TurnWord>,
}

/// The least cost, and what is made of a solved cube: by the sequence, and by those with which a
/// goal would be met before: the beginnings, and those with only a part of a run that may as well
/// be its beginning.
struct TurnWord {
    cost: u32,
    cube: Cube,
    before: Vec<Cube>,
}

impl BruteForce {
    fn new(turns: &TurnSet, most: u32) -> BruteForce {
        let mut words = BTreeMap::from([(Vec::new(), (0, Vec::new()))]);
        let mut fringe: BTreeSet<(u32, LayerSums)> = BTreeSet::from([(0, Vec::new())]);
        while let Some((cost, word)) = fringe.pop_first() {
            let (least, shortest) = words[&word].clone();
            if least < cost {
                continue;
            }
            for &(turn, turn_cost) in turns.allowed() {
                let longer = [&shortest[..], &[turn]].concat();
                let cost = cost + u32::from(turn_cost);
                let key = sums(&longer);
                if cost <= most && words.get(&key).is_none_or(|known| cost < known.0) {
                    words.insert(key.clone(), (cost, longer));
                    fringe.insert((cost, key));
                }
            }
        }
        let cost = |axis: usize, sum: [u8; 3]| words.get(&vec![(axis, sum)]).map(|word| word.0);
        let cube = |word: &[(usize, [u8; 3])]| {
            words
                .get(word)
                .map(|(_, turns)| Cube::from_moves(&moves(turns)))
        };
        let before = |word: &LayerSums| {
            let mut cubes = Vec::new();
            for (length, &(axis, whole)) in word.iter().enumerate() {
                cubes.extend(cube(&word[..length]));
                for part in (0..64).map(|n| [n / 16, n / 4 % 4, n % 4]) {
                    let rest = std::array::from_fn(|layer| (4 + whole[layer] - part[layer]) % 4);
                    let both = cost(axis, part)
                        .zip(cost(axis, rest))
                        .map(|(part, rest)| part + rest);
                    if both.is_some() && both == cost(axis, whole) {
                        cubes.extend(cube(&[&word[..length], &[(axis, part)]].concat()));
                    }
                }
            }
            cubes
        };
        let word = |(key, (cost, turns)): (&LayerSums, &(u32, Vec<LayerTurn>))| {
            (
                key.clone(),
                TurnWord {
                    cost: *cost,
                    cube: Cube::from_moves(&moves(turns)),
                    before: before(key),
                },
            )
        };
        BruteForce {
            words: words.iter().map(word).collect(),
        }
    }

    /// The solutions, with the least cost of each.
    fn solutions(
        &self,
        position: &Cube,
        is_met: &dyn Fn(&Cube) -> bool,
    ) -> BTreeMap<LayerSums, u32> {
        let meets = |cube: &Cube| is_met(&position.compose(cube));
        let is_solution = |word: &&(&LayerSums, &TurnWord)| {
            meets(&word.1.cube) && !word.1.before.iter().any(meets)
        };
        let found: Vec<_> = self.words.iter().collect();
        found
            .iter()
            .filter(is_solution)
            .map(|(key, word)| ((*key).clone(), word.cost))
            .collect()
    }
}

/// The goals that have names, each by the definition of its usual place.
fn definition(name: &str) -> Box<dyn Fn(&Cube) -> bool> {
    let is_eo = |cube: &Cube| Edge::ALL.into_iter().all(|edge| cube.edge(edge).1 == 0);
    let has_no_twist = |cube: &Cube| {
        Corner::ALL
            .into_iter()
            .all(|corner| cube.corner(corner).1 == 0)
    };
    let slice = |cube: &Cube, edge: Edge| cube.edge(edge).0.slice();
    let pieces = match name {
        "cross" | "eocross" => "DF DR DB DL",
        "xcross" => "DF DR DB DL FR DFR",
        "2x2x2" => "DL DF FL DLF",
        "2x2x3" => "DL DF DB FL BL DLF DBL",
        "f2l" => "DF DR DB DL FR FL BL BR DFR DLF DBL DRB",
        "f2l-1" => "DF DR DB DL FL BL BR DLF DBL DRB",
        "1x2x3" => "DL FL BL DLF DBL",
        "blocks" => "DL FL BL DLF DBL DR FR BR DFR DRB",
        "eoline" => "DF DB",
        "layer" => "UF UR UB UL URF UFL ULB UBR",
        "eo" => return Box::new(is_eo),
        "oll" => {
            let layers = definition("f2l");
            return Box::new(move |cube| layers(cube) && is_eo(cube) && has_no_twist(cube));
        }
        "dr" => {
            let in_slice =
                move |cube: &Cube, edge: &Edge| (slice(cube, *edge) == 0) == (edge.slice() == 0);
            return Box::new(move |cube| {
                is_eo(cube)
                    && has_no_twist(cube)
                    && Edge::ALL.iter().all(|edge| in_slice(cube, edge))
            });
        }
        "htr" => {
            let corners = half_turn_corners();
            return Box::new(move |cube| {
                let in_slices = Edge::ALL
                    .into_iter()
                    .all(|edge| slice(cube, edge) == edge.slice());
                in_slices && is_eo(cube) && has_no_twist(cube) && corners.contains(&order(cube))
            });
        }
        "solved" => return Box::new(Cube::is_solved),
        "auf" => {
            let turned = Turn::ALL.map(|turn| *Cube::from_move(Move::new(Face::U, turn)));
            return Box::new(move |cube| cube.is_solved() || turned.contains(cube));
        }
        "corners" | "edges" => "",
        _ => panic!("{name} is not tested"),
    };
    let is_named = |piece: String| pieces.split(' ').any(|name| name == piece);
    let edges: Vec<Edge> = Edge::ALL
        .into_iter()
        .filter(|edge| name == "edges" || is_named(edge.to_string()))
        .collect();
    let corners: Vec<Corner> = Corner::ALL
        .into_iter()
        .filter(|corner| name == "corners" || is_named(corner.to_string()))
        .collect();
    assert!(
        matches!(name, "edges" | "corners")
            || edges.len() + corners.len() == pieces.split(' ').count(),
        "{name}"
    );
    let asks_eo = name.starts_with("eo");
    Box::new(move |cube| {
        edges.iter().all(|&edge| cube.edge(edge) == (edge, 0))
            && corners
                .iter()
                .all(|&corner| cube.corner(corner) == (corner, 0))
            && (!asks_eo || is_eo(cube))
    })
}

fn order(cube: &Cube) -> [Corner; 8] {
    Corner::ALL.map(|corner| cube.corner(corner).0)
}

/// The orders of corners that half turns make.
fn half_turn_corners() -> &'static BTreeSet<[Corner; 8]> {
    static FOUND: std::sync::OnceLock<BTreeSet<[Corner; 8]>> = std::sync::OnceLock::new();
    FOUND.get_or_init(|| {
        let mut cubes = vec![Cube::SOLVED];
        let mut found = BTreeSet::from([order(&Cube::SOLVED)]);
        while let Some(cube) = cubes.pop() {
            let turned = Move::ALL
                .into_iter()
                .filter(|m| m.is_half_turn())
                .map(|m| cube.apply(m));
            cubes.extend(turned.filter(|cube| found.insert(order(cube))));
        }
        found
    })
}

/// A rotation that carries the place of a goal to its usual place.
fn rotation_from(place: &str, usual: &str) -> Symmetry {
    let names = |faces: &str| -> Vec<Face> {
        faces
            .chars()
            .filter_map(|c| Face::ALL.into_iter().find(|face| face.letter() == c))
            .collect()
    };
    let place = names(place);
    let usual = names(usual);
    let carries = |s: &Symmetry| {
        !s.is_mirror()
            && place
                .iter()
                .zip(&usual)
                .all(|(&from, &to)| s.face(from) == to)
    };
    Symmetry::all().find(carries).unwrap()
}

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

/// Asks so many questions about a goal; those about small parts of the cube are asked of all turns
/// that are allowed above.
fn ask(
    rng: &mut ChaCha8Rng,
    name: &str,
    brute_force: &[(TurnSet, BruteForce, u32)],
    questions: usize,
) {
    let goal: Goal = name.parse().unwrap();
    let usual = NAMED_GOALS
        .iter()
        .find(|named| named.name == name)
        .unwrap()
        .default_variant;
    let definition = definition(name);
    let places: Vec<String> = goal.variants().map(str::to_owned).collect();
    for (turns, brute_force, most) in brute_force {
        let place = Some(places.choose(rng).unwrap())
            .filter(|place| !place.is_empty() && rng.random_ratio(3, 4));
        let goal: Goal = place
            .map_or(name.to_owned(), |place| format!("{name}:{place}"))
            .parse()
            .unwrap();
        let solver = GoalSolver::new(&goal, turns, &control()).unwrap();
        let rotations: Vec<Symmetry> = goal
            .variants()
            .map(|place| rotation_from(place, usual))
            .collect();
        for _ in 0..questions {
            let length = rng.random_range(0..5);
            let walk = walk(rng, turns, length);
            // The goal is met after the walk, unless it ends with other pieces than those it began
            // with.
            let ignored = *[Cube::SOLVED, "U F".parse().unwrap()].choose(rng).unwrap();
            let position = ignored.compose(&before(&walk));
            let question = format!("{goal} with {turns} from {walk:?}, {}", position.facelets());
            // Where one sequence solves several places it is found for each.
            let mut expected: BTreeMap<LayerSums, (u32, usize)> = BTreeMap::new();
            // The positions of `auf` are one goal.
            let alone = if name == "auf" { rotations.len() } else { 1 };
            for rotations in rotations.chunks(alone) {
                let is_met = |cube: &Cube| {
                    rotations
                        .iter()
                        .any(|&rotation| definition(&cube.conjugate(rotation)))
                };
                for (word, cost) in brute_force.solutions(&position, &is_met) {
                    expected.entry(word).or_insert((cost, 0)).1 += 1;
                }
            }
            let slack = rng.random_range(0..=*most);
            let least = expected.values().map(|(cost, _)| *cost).min();
            expected.retain(|_, (cost, _)| least.is_some_and(|least| *cost <= least + slack));
            let report = solver
                .search(&position)
                .all()
                .slack(slack)
                .max_cost(*most)
                .run();
            let mut found: BTreeMap<LayerSums, (u32, usize)> = BTreeMap::new();
            for solution in &report.solutions {
                found
                    .entry(sums(&solution.turns))
                    .or_insert((solution.cost, 0))
                    .1 += 1;
            }
            assert_eq!(found, expected, "{question}");
            if let Some(least) = least {
                assert_eq!(report.lower_bound, least, "{question}");
                assert_eq!(report.outcome, Outcome::Optimal, "{question}");
                let one = solver.search(&position).run();
                assert_eq!(one.lower_bound, least, "{question}");
                assert_eq!(one.solutions.len(), 1, "{question}");
            }
        }
    }
}

#[test]
fn two_thousand_questions_are_answered_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(39);
    let allowed = ALLOWED.map(|(text, metric, costs, most)| {
        let turns = TurnSet::parse(text, metric, costs).unwrap();
        (turns.clone(), BruteForce::new(&turns, most), most)
    });
    for name in ["cross", "2x2x2", "1x2x3", "eo", "eoline", "dr"] {
        ask(&mut rng, name, &allowed, 32);
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

#[test]
fn pieces_and_groups_are_reached_as_by_brute_force() {
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    let goals: [(&str, IsMet); 3] = [
        ("placed(UF UR URF)", |cube| {
            cube.edge(Edge::Uf).0 == Edge::Uf
                && cube.edge(Edge::Ur).0 == Edge::Ur
                && cube.corner(Corner::Urf).0 == Corner::Urf
        }),
        ("{UF UR UB UL}", |cube| {
            let up = [Edge::Uf, Edge::Ur, Edge::Ub, Edge::Ul];
            up.into_iter()
                .all(|edge| up.contains(&cube.edge(edge).0) && cube.edge(edge).1 == 0)
        }),
        ("UF UR URF {ULB UFL}", |cube| {
            [Edge::Uf, Edge::Ur]
                .into_iter()
                .all(|edge| cube.edge(edge) == (edge, 0))
                && cube.corner(Corner::Urf) == (Corner::Urf, 0)
                && [Corner::Ufl, Corner::Ulb]
                    .map(|slot| cube.corner(slot))
                    .into_iter()
                    .all(|(corner, twist)| {
                        twist == 0 && matches!(corner, Corner::Ufl | Corner::Ulb)
                    })
        }),
    ];
    for (text, metric, costs, most) in ALLOWED {
        let turns = TurnSet::parse(text, metric, costs).unwrap();
        let brute_force = BruteForce::new(&turns, most);
        for (name, is_met) in goals {
            let solver =
                GoalSolver::new(&name.parse().unwrap(), &turns, &Control::default()).unwrap();
            for _ in 0..10 {
                let length = rng.random_range(1..4);
                let walk = walk(&mut rng, &turns, length);
                let position = before(&walk);
                let report = solver
                    .search(&position)
                    .all()
                    .slack(most)
                    .max_cost(most)
                    .run();
                let found = solution_costs(&report);
                assert_eq!(found.len(), report.solutions.len(), "each is found once");
                assert_eq!(
                    found,
                    brute_force.solutions(&position, &is_met),
                    "{name} with {turns} from {walk:?}"
                );
                check_words(&mut rng, &solver, &position, most, &found);
            }
        }
    }
}

/// Every sequence that costs at most so much.
fn all_sequences(turns: &TurnSet, most: u32) -> Vec<(Vec<LayerTurn>, u32)> {
    let mut all = vec![(Vec::new(), 0)];
    let mut done = 0;
    while let Some((sequence, cost)) = all.get(done).cloned() {
        done += 1;
        for &(turn, turn_cost) in turns.allowed() {
            let cost = cost + u32::from(turn_cost);
            if cost <= most {
                all.push(([&sequence[..], &[turn]].concat(), cost));
            }
        }
    }
    all
}

/// Asks for beginnings, ends and what to avoid, and takes of all sequences that cost as much as a
/// solution and do the same those that begin and end like this and avoid it.
fn check_words(
    rng: &mut ChaCha8Rng,
    solver: &GoalSolver,
    position: &Cube,
    most: u32,
    solutions: &BTreeMap<LayerSums, u32>,
) {
    let all = all_sequences(solver.turns(), most);
    let words: Vec<&[LayerTurn]> = all
        .iter()
        .map(|(sequence, _)| &sequence[..])
        .filter(|word| word.len() < 3)
        .collect();
    let of_solution = all
        .iter()
        .filter(|(sequence, cost)| solutions.get(&sums(sequence)) == Some(cost));
    let standing: Vec<&Vec<LayerTurn>> = of_solution.map(|(sequence, _)| sequence).collect();
    // Mostly words that are there.
    let part = |rng: &mut ChaCha8Rng, from_end: bool| match standing
        .choose(rng)
        .filter(|_| rng.random_ratio(2, 3))
    {
        Some(sequence) if from_end => sequence[sequence.len().saturating_sub(2)..].to_vec(),
        Some(sequence) => sequence[..sequence.len().min(2)].to_vec(),
        None => words.choose(rng).unwrap().to_vec(),
    };
    let (starts, ends, avoid) = match rng.random_range(0..4) {
        0 => (part(rng, false), Vec::new(), Vec::new()),
        1 => (Vec::new(), part(rng, true), Vec::new()),
        2 => (
            Vec::new(),
            Vec::new(),
            vec![part(rng, false), part(rng, true)],
        ),
        _ => (part(rng, false), part(rng, true), vec![part(rng, true)]),
    };
    let is_wanted = |sequence: &Vec<LayerTurn>| {
        let has = |word: &Vec<LayerTurn>| {
            !word.is_empty() && sequence.windows(word.len()).any(|window| window == word)
        };
        sequence.starts_with(&starts) && sequence.ends_with(&ends) && !avoid.iter().any(has)
    };
    let wanted = standing.iter().filter(|sequence| is_wanted(sequence));
    let expected: BTreeMap<LayerSums, u32> = wanted
        .map(|sequence| (sums(sequence), solutions[&sums(sequence)]))
        .collect();
    let search = avoid.iter().fold(
        solver
            .search(position)
            .starts_with(&starts)
            .ends_with(&ends),
        |search, word| search.avoid(word),
    );
    let report = search.all().slack(most).max_cost(most).run();
    let question = format!(
        "{} from {}: {starts:?} {ends:?} {avoid:?}",
        solver.goal(),
        position.facelets()
    );
    assert!(
        report.solutions.iter().all(|found| is_wanted(&found.turns)),
        "{question}"
    );
    let found = solution_costs(&report);
    assert_eq!(
        (found.len(), &found),
        (report.solutions.len(), &expected),
        "{question}"
    );
    if let Some(&least) = expected.values().min() {
        assert_eq!(
            (report.lower_bound, report.outcome),
            (least, Outcome::Optimal),
            "{question}"
        );
    }
}

/// The number of solutions of which none is an image of another, by all symmetries that keep the
/// turns.
fn orbits(solutions: &[GoalSolution], images: &dyn Fn(&[Move]) -> Vec<Vec<Move>>) -> usize {
    let key = |moves: &[Move]| canonical(moves);
    let all: BTreeSet<Vec<Move>> = solutions.iter().map(|found| key(&found.moves())).collect();
    let least = |moves: &Vec<Move>| {
        images(moves)
            .iter()
            .map(|image| key(image))
            .filter(|image| all.contains(image))
            .min()
    };
    all.iter().map(least).collect::<BTreeSet<_>>().len()
}

#[test]
fn images_of_a_solution_are_left_out_on_request() {
    let goal: Goal = "cross:D".parse().unwrap();
    let solver = GoalSolver::new(&goal, &TurnSet::default(), &Control::default()).unwrap();
    let keeps_down: Vec<Symmetry> = Symmetry::all()
        .filter(|s| s.face(Face::D) == Face::D)
        .collect();
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
        let position: Cube = text.parse().unwrap();
        let group: Vec<&Symmetry> = keeps_down
            .iter()
            .filter(|&&s| edges(&position.conjugate(s)) == edges(&position))
            .collect();
        assert_eq!(group.len() > 1, is_symmetric, "{text}");
        let search = solver.search(&position).all().slack(1);
        let all = search.clone().run();
        let some = search.dedup_symmetric().run();
        let images = |moves: &[Move]| {
            group
                .iter()
                .map(|s| moves.iter().map(|&m| s.conjugate_move(m)).collect())
                .collect()
        };
        assert_eq!(
            some.solutions.len(),
            orbits(&all.solutions, &images),
            "{text}"
        );
        assert!(
            some.solutions
                .iter()
                .all(|found| all.solutions.contains(found)),
            "{text}"
        );
        assert_eq!(
            some.solutions.first().map(|found| found.cost),
            all.solutions.first().map(|found| found.cost)
        );
    }
}

#[test]
fn what_is_kept_up_to_inversion_has_its_inverse() {
    let turns = TurnSet::parse("x y U", TurnMetric::Etm, "").unwrap();
    let solver = GoalSolver::new(&"solved".parse().unwrap(), &turns, &Control::default()).unwrap();
    let search = || solver.search(&"U2".parse().unwrap()).all().slack(4);
    let all = search().run().solutions;
    let kept = search().dedup_inverse().run().solutions;
    let inverse = |found: &GoalSolution| {
        let turns = found.turns.iter().rev().map(|turn| turn.inverse());
        sums(&turns.collect::<Vec<_>>())
    };
    let is_there = |word: &LayerSums| kept.iter().any(|kept| sums(&kept.turns) == *word);
    assert!(kept.len() < all.len());
    for found in &all {
        assert!(is_there(&sums(&found.turns)) || is_there(&inverse(found)));
    }
}

#[test]
fn whole_cubes_are_answered_alike_with_a_table() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let goal: Goal = "solved".parse().unwrap();
    for (text, metric, costs, length, slack) in [
        ("U R F D L B", TurnMetric::Htm, "", 7, 1),
        ("R U F", TurnMetric::Htm, "", 9, 1),
        ("R U", TurnMetric::Qtm, "R2=1", 12, 1),
        ("R U F2 M S r", TurnMetric::Stm, "", 4, 1),
    ] {
        let turns = TurnSet::parse(text, metric, costs).unwrap();
        let mut positions: Vec<Cube> = (0..4)
            .map(|_| before(&walk(&mut rng, &turns, length)))
            .collect();
        let has_all_faces = text.len() == 11;
        if has_all_faces {
            positions
                .extend(["R2 L2 U2 D2 F2 B2", "R L F2"].map(|text| text.parse::<Cube>().unwrap()));
        }
        let solver = GoalSolver::new(&goal, &turns, &control()).unwrap();
        let solve =
            |solver: &GoalSolver, position: &Cube| solver.search(position).all().slack(slack).run();
        let without: Vec<GoalReport> = positions
            .iter()
            .map(|position| solve(&solver, position))
            .collect();
        let solver = solver.with_table(smallest_table(Metric::Htm));
        for (position, without) in positions.iter().zip(&without) {
            let with = solve(&solver, position);
            assert_eq!(
                (with.lower_bound, &with.solutions),
                (without.lower_bound, &without.solutions),
                "{}",
                position.facelets()
            );
            assert!(with.nodes() <= without.nodes(), "{}", position.facelets());
            if !has_all_faces {
                continue;
            }
            // The inverse of a solution, seen in any symmetry, may be a solution.
            let images = |moves: &[Move]| -> Vec<Vec<Move>> {
                let seen = |moves: &[Move]| {
                    let moves = moves.to_vec();
                    Symmetry::all()
                        .map(move |s| moves.iter().map(|&m| s.conjugate_move(m)).collect())
                };
                seen(moves).chain(seen(&inverse(moves))).collect()
            };
            let some = solver
                .search(position)
                .all()
                .slack(slack)
                .dedup_symmetric()
                .dedup_inverse()
                .run();
            assert_eq!(
                some.solutions.len(),
                orbits(&with.solutions, &images),
                "{}",
                position.facelets()
            );
        }
    }
}
