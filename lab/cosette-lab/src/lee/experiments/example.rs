//! A position of four moves, followed by hand: nineteen stored positions in eight buckets, and bidirectional A* step by step.

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::absence::{Hash, Method};
use crate::lee::engine::{Bound, Estimates};
use crate::lee::experiments::partial::{CHOSEN, FACES, pair};
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::partial::{Informed, Partials};
use crate::lee::perimeter::Perimeter;
use crate::lee::search::{AstarSettings, Expansion, Observer, Order, SearchEnd, search as astar};
use crate::lee::space::Key;
use cosette::cube::{Cube, Move, Moves};
use std::collections::{BTreeMap, HashMap};

/// The scramble.
const SCRAMBLE: &str = "R U F D";
/// How many moves around solved are stored in the example.
const D_BACK: u8 = 1;
/// Buckets of the example.
const BUCKETS: u64 = 8;

/// A position of four moves and the nineteen within one move of solved.
pub fn example(lab: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let position: Cube = SCRAMBLE.parse().expect("the scramble is moves");
    let perimeter = Perimeter::new(D_BACK, lab)?;
    let partials = Partials::new(&CHOSEN.map(pair), D_BACK, None, lab)?;
    let mut table = Table::headed(
        format!("`{SCRAMBLE}`: its distance as each pair of faces sees it, from a backward and a forward space."),
        "pair | faces | distance as it is painted",
    );
    let d_for = ForwardDepth::try_from(3).expect("in range");
    for (number, [first, second]) in CHOSEN.into_iter().enumerate() {
        let solved = partials.problem(number).solve(&partials.seen(number, &position), d_for, &lab.control)?;
        table.row([
            Cell::Text(format!("{first}-{second}")),
            Cell::Text(format!("{} and {}", FACES[first].letter(), FACES[second].letter())),
            solved.length.map_or(Cell::Nothing, |length| Cell::Count(length.into())),
        ]);
    }
    let mut sums = Table::headed(
        "The search with three bounds: that of absence, and those of the pairs with forward spaces of two and of three moves.",
        "h | expanded | stored | solution",
    );
    let (expansions, solution) = trace(&position, &perimeter, None, lab);
    sums.row(sum("absence alone", &expansions, &solution));
    let mut steps = Table::headed(
        "Each expansion with d_for = 3: the children by their f, those in the perimeter left out.",
        "step | moves from the position | g | h | f = g + h | children with f = 4 | f = 5 | f = 6 | best meeting",
    );
    for d_for in [2, 3] {
        let d_for = ForwardDepth::try_from(d_for).expect("in range");
        let informed = partials.informed(&position, d_for, &lab.control)?;
        let (expansions, solution) = trace(&position, &perimeter, Some(&informed), lab);
        sums.row(sum(&format!("pairs, d_for = {}", d_for.moves()), &expansions, &solution));
        if d_for.moves() < 3 {
            continue;
        }
        for (step, (path, expansion)) in (1..).zip(&expansions) {
            let Expansion { position, depth, bound, meeting, .. } = *expansion;
            let with_f = |f: u8| {
                let children = Move::ALL.iter().map(|&m| position.turned(m));
                let outside = children.filter(|child| perimeter.distance(child).is_none());
                Cell::Count(outside.filter(|child| depth + 1 + informed.bound(child, D_BACK + 1) == f).count() as u64)
            };
            steps.row([
                Cell::Count(step),
                Cell::Text(if path.is_empty() { "none".into() } else { format!("`{path}`") }),
                Cell::Count(depth.into()),
                Cell::Count(bound.into()),
                Cell::Count((depth + bound).into()),
                with_f(4),
                with_f(5),
                with_f(6),
                meeting.map_or(Cell::Nothing, |length| Cell::Count(length.into())),
            ]);
        }
    }
    Ok(Experiment::new("example", "A position of four moves", "By the same code as all that follows")
        .text(format!(
            "The perimeter of this example has depth {D_BACK}: nineteen positions. The position to be solved is \
             `{SCRAMBLE}`, four moves from solved, so three moves forward must reach the perimeter."
        ))
        .tables([buckets(), lookups(), table, steps, sums]))
}

/// A row on a search: what it expanded, and what it stored with the position itself.
fn sum(name: &str, expansions: &[(String, Expansion)], solution: &str) -> [Cell; 4] {
    let stored = expansions.iter().map(|(_, expansion)| expansion.stored).sum::<u64>();
    [
        Cell::text(name),
        Cell::Count(expansions.len() as u64),
        Cell::Count(1 + stored),
        Cell::Text(format!("`{solution}`")),
    ]
}

/// The expansions of a search, each with the moves from its root, and the solution.
fn trace(
    position: &Cube,
    perimeter: &Perimeter,
    informed: Option<&Informed<'_>>,
    lab: &Lab<'_>,
) -> (Vec<(String, Expansion)>, String) {
    struct Trace {
        paths: HashMap<Cube, Vec<Move>>,
        expansions: Vec<(String, Expansion)>,
    }
    impl Observer for Trace {
        fn expanded(&mut self, expansion: &Expansion) {
            let path = self.paths.get(&expansion.position).cloned().unwrap_or_default();
            for m in Move::ALL {
                let longer = path.iter().copied().chain([m]).collect();
                self.paths.entry(expansion.position.turned(m)).or_insert(longer);
            }
            self.expansions.push((Moves(&path).to_string(), *expansion));
        }
    }
    let mut trace = Trace { paths: HashMap::from([(*position, Vec::new())]), expansions: Vec::new() };
    let bound = informed.map_or(Bound::Nothing, Bound::Informed);
    let estimates = Estimates { bound, ties: None };
    let settings = AstarSettings { order: Order::Stack, ..AstarSettings::default() };
    let found = astar(position, perimeter, &estimates, &settings, &mut trace, &lab.control);
    let solution = match &found.ended {
        SearchEnd::Solved(moves) => Moves(moves).to_string(),
        _ => String::new(),
    };
    (trace.expansions, solution)
}

/// The nineteen positions, with the moves that make them.
fn nineteen() -> Vec<(String, Cube)> {
    let moved = Move::ALL.iter().map(|&m| (m.to_string(), Cube::SOLVED.turned(m)));
    std::iter::once(("solved".to_owned(), Cube::SOLVED)).chain(moved).collect()
}

fn bucket(position: &Cube) -> u64 {
    Hash::Mixed.bucket(Key::of(position), BUCKETS)
}

/// The nineteen positions in buckets, with the entries that methods 1 to 3 write.
fn buckets() -> Table {
    let columns = "bucket | numbers of its positions | size | method 1: start | method 2: start or number | \
                   method 3: number, then start or number";
    let caption = format!(
        "The positions within one move of solved, numbered 0 (solved), 1 ({}), … 18 ({}), in {BUCKETS} buckets.",
        Move::ALL[0],
        Move::ALL[17]
    );
    let mut table = Table::headed(caption, columns);
    let positions = nineteen();
    let mut starts = [0; 3];
    for number in 0..BUCKETS {
        let own: Vec<usize> = (0..positions.len()).filter(|&i| bucket(&positions[i].1) == number).collect();
        let mut entries = [(); 3].map(|()| String::new());
        for (i, method) in [Method::Start, Method::One, Method::Two].into_iter().enumerate() {
            let beyond = method.in_hash2(own.len() as u32) as usize;
            let here = own[..own.len() - beyond].iter().map(|number| format!("number {number}"));
            let start = (beyond > 0).then(|| format!("start {}", starts[i]));
            entries[i] = here.chain(start).collect::<Vec<_>>().join(", ");
            starts[i] += beyond;
        }
        let names: Vec<String> = own.iter().map(usize::to_string).collect();
        let cells = [Cell::Count(number), Cell::Text(names.join(", ")), Cell::Count(own.len() as u64)];
        table.row(cells.into_iter().chain(entries.map(Cell::Text)));
    }
    table
}

/// What asking for absent positions takes, one for each size of a bucket.
fn lookups() -> Table {
    let columns = "asked for | bucket | size | accesses with method 1 | method 2 | method 3 | method 4";
    let mut table = Table::headed("Accesses to be sure that a position of two moves is absent.", columns);
    let positions = nineteen();
    let pairs = Move::ALL.into_iter().flat_map(|first| Move::ALL.map(|second| [first, second]));
    let mut asked = BTreeMap::new();
    for pair in pairs.filter(|[first, second]| first.face().axis() != second.face().axis()) {
        let bucket_of = bucket(&Cube::from_moves(&pair));
        let size = positions.iter().filter(|(_, position)| bucket(position) == bucket_of).count();
        asked.entry(size).or_insert((pair, bucket_of));
    }
    for (size, (pair, bucket_of)) in asked {
        let accesses = Method::ALL.map(|method| Cell::Count(method.accesses(size as u32)));
        let cells = [Cell::Text(format!("`{}`", Moves(&pair))), Cell::Count(bucket_of), Cell::Count(size as u64)];
        table.row(cells.into_iter().chain(accesses));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Effort;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn every_bound_finds_four_moves() {
        in_empty_lab(|lab| {
            let example = example(lab, &Request::new(Effort::Quick)).unwrap();
            let [.., sums] = &example.tables[..] else { panic!("there are tables") };
            for row in &sums.rows {
                let Cell::Text(solution) = &row[3] else { panic!("a solution") };
                assert_eq!(solution.split(' ').count(), 4);
            }
            let [.., steps, _] = &example.tables[..] else { panic!("there are tables") };
            for row in &steps.rows {
                assert_eq!(row[4], Cell::Count(4), "no f exceeds the length");
            }
            assert!(example.tables[0].rows.len() == BUCKETS as usize);
        });
    }
}
