//! The example of Lee's page, followed by hand: nineteen stored positions in eight buckets, and bidirectional A* step by step.

use crate::support::in_lab;
use cosette::cube::{Cube, Face, Move, Moves};
use cosette_lab::lab::Lab;
use cosette_lab::lee::absence::{Hash, Method};
use cosette_lab::lee::partial::painting::Selection;
use cosette_lab::lee::partial::problem::ForwardDepth;
use cosette_lab::lee::partial::{Informed, Partials};
use cosette_lab::lee::perimeter::Perimeter;
use cosette_lab::lee::search::{
    AstarEvent, AstarSettings, Bound, Estimates, Expansion, Order, SearchEnd, search as astar,
};
use cosette_lab::lee::space::Key;
use std::collections::{BTreeMap, HashMap};

const SCRAMBLE: &str = "R U F D";
const D_BACK: u8 = 1;
const BUCKETS: u64 = 8;

/// The paper's faces 0-1, 2-3 and 3-5.
const PAIRS: [(&str, [Face; 2]); 3] =
    [("0-1", [Face::U, Face::L]), ("2-3", [Face::F, Face::R]), ("3-5", [Face::R, Face::D])];

/// The example as the page has it.
fn text() -> &'static str {
    let page = include_str!("../../pages/lee.md");
    let (_, text) = page.split_once("## A position of four moves").unwrap();
    text.split_once("**Buckets.**").unwrap().0
}

/// The rows of its tables, without their padding.
fn kept_rows() -> Vec<String> {
    let tables = text().split("\n\n").filter(|part| part.starts_with('|'));
    let rows = tables.flat_map(|table| table.lines().skip(2));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().join(" | ")).collect()
}

#[test]
fn every_row_of_the_example_is_computed_again() {
    in_lab(|lab| {
        assert!(text().contains(&format!("has depth {D_BACK}")) && text().contains(&format!("is `{SCRAMBLE}`")));
        assert_eq!(kept_rows(), [buckets(), lookups(), search(lab)].concat());
    });
}

fn bucket(position: &Cube) -> u64 {
    Hash::Mixed.bucket(Key::of(position), BUCKETS)
}

/// How many of the nineteen positions lie in a bucket, by their numbers.
fn numbers_in(number: u64) -> Vec<usize> {
    let nineteen = [Cube::SOLVED].into_iter().chain(Move::ALL.map(|m| Cube::SOLVED.turned(m)));
    nineteen.enumerate().filter(|(_, position)| bucket(position) == number).map(|(i, _)| i).collect()
}

/// The nineteen positions in buckets, with the entries that methods 1 to 3 write.
fn buckets() -> Vec<String> {
    let mut starts = [0; 3];
    let row = |number| {
        let own = numbers_in(number);
        let entries = [Method::Start, Method::One, Method::Two].map(|method| {
            let (beyond, start) = (method.in_hash2(own.len() as u32) as usize, &mut starts[method as usize]);
            let here = own[..own.len() - beyond].iter().map(|number| format!("number {number}"));
            let entry = here.chain((beyond > 0).then(|| format!("start {start}"))).collect::<Vec<_>>().join(", ");
            *start += beyond;
            entry
        });
        let names: Vec<String> = own.iter().map(usize::to_string).collect();
        format!("{number} | {} | {} | {}", names.join(", "), own.len(), entries.join(" | "))
    };
    (0..BUCKETS).map(row).collect()
}

/// What asking for an absent position of two moves takes, one for each size of a bucket.
fn lookups() -> Vec<String> {
    let pairs = Move::ALL.into_iter().flat_map(|first| Move::ALL.map(|second| [first, second]));
    let mut asked = BTreeMap::new();
    for pair in pairs.filter(|[first, second]| first.face().axis() != second.face().axis()) {
        let number = bucket(&Cube::from_moves(&pair));
        asked.entry(numbers_in(number).len() as u32).or_insert((pair, number));
    }
    let row = |(size, (pair, number)): (u32, ([Move; 2], u64))| {
        let accesses = Method::ALL.map(|method| method.accesses(size).to_string());
        format!("`{}` | {number} | {size} | {}", Moves(&pair), accesses.join(" | "))
    };
    asked.into_iter().map(row).collect()
}

/// What each pair of faces sees; each expansion with d_for = 3; what the search takes by three bounds.
fn search(lab: &Lab<'_>) -> Vec<String> {
    let position: Cube = SCRAMBLE.parse().unwrap();
    let perimeter = Perimeter::new(D_BACK, lab).unwrap();
    let partials = Partials::new(&PAIRS.map(|(_, faces)| Selection::faces(&faces)), D_BACK, None, lab).unwrap();
    let distance = |(number, (name, faces)): (usize, (&str, [Face; 2]))| {
        let seen = partials.seen(number, &position);
        let length = partials.problem(number).solve(&seen, ForwardDepth::of(3), &lab.control).unwrap().length.unwrap();
        let [one, other] = faces.map(Face::letter);
        format!("{name} | {one} and {other} | {length}")
    };
    let mut rows: Vec<String> = PAIRS.into_iter().enumerate().map(distance).collect();
    let [two, three] = [2, 3].map(|d_for| partials.informed(&position, ForwardDepth::of(d_for), &lab.control).unwrap());
    let (expansions, _) = trace(&position, &perimeter, Some(&three), lab);
    for (step, (path, expansion)) in (1..).zip(&expansions) {
        let Expansion { position, depth, bound, meeting, .. } = *expansion;
        let with_f = [4, 5, 6].map(|f| {
            let children = Move::ALL.iter().map(|&m| position.turned(m));
            let outside = children.filter(|child| perimeter.distance(child).is_none());
            outside.filter(|child| depth + 1 + three.bound(child, D_BACK + 1) == f).count().to_string()
        });
        assert_eq!(depth + bound, 4, "no f exceeds the length");
        let path = if path.is_empty() { "none".into() } else { format!("`{path}`") };
        let meeting = meeting.map_or(String::new(), |length| length.to_string());
        rows.push(format!("{step} | {path} | {depth} | {bound} | 4 | {} | {meeting}", with_f.join(" | ")));
    }
    let bounds = [("absence alone", None), ("pairs, d_for = 2", Some(&two)), ("pairs, d_for = 3", Some(&three))];
    for (name, informed) in bounds {
        let (expansions, solution) = trace(&position, &perimeter, informed, lab);
        assert_eq!(solution.split(' ').count(), 4);
        let stored = 1 + expansions.iter().map(|(_, expansion)| expansion.stored).sum::<u64>();
        let stored = if stored < 1000 { stored.to_string() } else { format!("{},{:03}", stored / 1000, stored % 1000) };
        rows.push(format!("{name} | {} | {stored} | `{solution}`", expansions.len()));
    }
    rows
}

/// The expansions of a search, each with the moves from its root, and the solution.
fn trace(
    position: &Cube,
    perimeter: &Perimeter,
    informed: Option<&Informed<'_>>,
    lab: &Lab<'_>,
) -> (Vec<(String, Expansion)>, String) {
    let mut paths = HashMap::from([(*position, Vec::new())]);
    let mut expansions = Vec::new();
    let mut on_event = |event: AstarEvent<'_>| {
        let AstarEvent::Expanded(expansion) = event else { return };
        let path: Vec<Move> = paths[&expansion.position].clone();
        for m in Move::ALL {
            paths.entry(expansion.position.turned(m)).or_insert_with(|| [&path[..], &[m]].concat());
        }
        expansions.push((Moves(&path).to_string(), expansion));
    };
    let estimates = Estimates { bound: informed.map_or(Bound::Nothing, Bound::Informed), ties: None };
    let settings = AstarSettings { order: Order::Stack, ..AstarSettings::default() };
    let found = astar(position, perimeter, &estimates, &settings, &mut on_event, &lab.control);
    let SearchEnd::Solved(moves) = &found.ended else { panic!("{found}") };
    (expansions, Moves(moves).to_string())
}
