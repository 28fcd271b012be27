//! The worked examples of the pages, computed again: each row of their tables is on its page.

use crate::ida::bound;
use crate::support::{in_lab, position};
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, MoveSet};
use cosette::search::SolutionCount;
use cosette_lab::fiat::{Fiat, quarters};
use cosette_lab::ida::{Ida, LowerBound};
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::reid::Reid;
use cosette_lab::thistlethwaite::Thistlethwaite;
use cosette_lab::uninformed::{PlainLimits, SEARCHES};
use std::fs;
use std::path::Path;

const SCRAMBLE: &str = "R F D U' R";

/// The rows of a table.
type Rows = Vec<Vec<String>>;

/// Makes sure that a page has a table with exactly these rows; numbers are grouped by commas there.
fn is_printed(name: &str, rows: impl IntoIterator<Item = Vec<String>>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    let page = fs::read_to_string(folder.join(format!("{name}.md"))).expect("the page exists");
    let ungrouped = |cell: &str| cell.trim().replace(',', "");
    let cells = |line: &str| match line.starts_with('|') {
        true => line.trim_matches('|').split('|').map(ungrouped).collect(),
        false => vec![],
    };
    let printed: Rows = page.lines().map(cells).collect();
    let row = |cells: Vec<String>| cells.iter().map(|cell| ungrouped(cell)).collect();
    let rows: Rows = rows.into_iter().map(row).collect();
    let is_there = printed
        .windows(rows.len() + 1)
        .any(|lines| lines[..rows.len()] == rows && lines[rows.len()].is_empty());
    assert!(is_there, "{name}: {rows:#?}");
}

/// A row of a table.
macro_rules! row {
    ($($cell:expr),*) => { vec![$($cell.to_string()),*] };
}

/// Moves, or that there are none.
fn path(moves: &[Move]) -> String {
    match moves {
        [] => "none".into(),
        _ => DisplayMoves(moves).to_string(),
    }
}

/// The iterations of IDA* on the example, and the nodes of the last one that are not cut, with the
/// values of the bound.
fn is_printed_deepening<B: LowerBound>(page: &str, bound: &B, values: impl Fn(&Cube) -> Vec<u8>) {
    let metric = Metric::Htm;
    let position = position(SCRAMBLE);
    let node = |made: &[Move], at: &Cube, bound: u8, left: u8, then: &str| {
        let mut row = row![path(made)];
        row.extend(values(at).iter().map(u8::to_string));
        row.extend(row![bound, left, then]);
        row
    };
    let root = bound.bound(&bound.node(&position), u8::MAX, &mut 0);
    let mut iterations = Vec::new();
    for threshold in root.. {
        let visits = Ida { bound, metric }.trace(&position, threshold);
        let kept: Vec<_> = visits.iter().filter(|visit| !visit.is_cut()).collect();
        let solved = kept.iter().filter(|visit| visit.position.is_solved());
        let solutions = solved.count();
        let cut = visits.len() - kept.len();
        iterations.push(row![threshold, visits.len(), cut, kept.len(), solutions]);
        if solutions > 0 {
            let mut nodes = vec![node(&[], &position, root, threshold, "searched on")];
            nodes.extend(kept.iter().map(|visit| {
                let then = match visit.remaining {
                    _ if visit.position.is_solved() => "solved",
                    0 => "compared, not solved",
                    _ => "searched on",
                };
                let at = &visit.position;
                node(&visit.path, at, visit.bound, visit.remaining, then)
            }));
            is_printed(page, nodes);
            break;
        }
    }
    is_printed(page, iterations);
}

#[test]
fn the_examples_of_the_pages_are_as_computed() {
    in_lab(|lab| {
        let korf = Korf::new(lab, &SIX).expect("there is room for the tables");
        let sets = [
            "the eight corners",
            "the edges UR UF UL UB FR FL",
            "the edges DR DF DL DB BR BL",
        ];
        let values = |position: &Cube| korf.values(position).collect::<Vec<u8>>();
        let sizes = korf.counts().map(|counts| counts.iter().sum::<u64>());
        let asked = sets.iter().zip(sizes).zip(values(&position(SCRAMBLE)));
        let asked = asked.map(|((set, size), value)| row![set, size, value]);
        is_printed("optimal-search", asked);
        is_printed_deepening("optimal-search", &korf, values);
        let reid = Reid::new(lab, Metric::Htm).expect("there is room for the table");
        let groups = [
            "⟨U, D, F2, R2, B2, L2⟩",
            "⟨R, L, F2, U2, B2, D2⟩",
            "⟨F, B, U2, R2, D2, L2⟩",
        ];
        let distances = groups.iter().zip(reid.distances(&position(SCRAMBLE)));
        let distances = distances.map(|(group, distance)| row![group, distance]);
        is_printed("reid", distances);
        is_printed_deepening("reid", &bound(Metric::Htm), |position| {
            reid.distances(position).to_vec()
        });
        let start = position("L2 U L2");
        let mut tree = Vec::new();
        for limit in reid.bound(&start)..=3 {
            expand(&reid, &start, limit, &[], &mut tree);
        }
        is_printed("nargolkar", tree);
    });
}

/// Adds a node of the search by hand, and then those below it.
fn expand(reid: &Reid, start: &Cube, limit: u8, made: &[Move], tree: &mut Rows) {
    let here = start.apply_moves(made);
    let remaining = limit - made.len() as u8;
    let moves = MoveSet::after(made.last().copied());
    let bounds = moves.iter().map(|m| (m, reid.bound(&here.apply(m))));
    let kept: Vec<(Move, u8)> = bounds.filter(|&(_, bound)| bound < remaining).collect();
    let shown = kept
        .iter()
        .map(|&(m, bound)| match here.apply(m).is_solved() {
            true => format!("**{m}: solved**"),
            false => format!("{m}: {bound}"),
        });
    let shown = shown.collect::<Vec<_>>().join(", ");
    tree.push(row![
        limit,
        path(made),
        remaining,
        moves.iter().count(),
        shown
    ]);
    for (m, _) in kept.into_iter().filter(|_| remaining > 1) {
        expand(reid, start, limit, &[made, &[m]].concat(), tree);
    }
}

#[test]
fn four_parts_and_four_stages_are_as_computed() {
    let fiat = Fiat::new(Metric::Htm);
    let control = Control::default();
    let mut lengths = Vec::new();
    let mut parts = Vec::new();
    for length in 0..=5 {
        let found = fiat.search(&position(SCRAMBLE), length, SolutionCount::All, &control);
        let found = found.expect("it is not cancelled");
        let [a, b, c, d] = quarters(length);
        let lists = fiat.lists.up_to(b, &control).expect("it is not cancelled");
        let size = |part: u8| lists[usize::from(part)].permutations.len();
        let cut = format!("{a} + {b}, {c} + {d}");
        let [left, right] = [size(a) * size(b), size(c) * size(d)];
        lengths.push(row![length, cut, left, right, found.matches]);
        if let Some(mut rest) = found.solutions.first().map(Vec::as_slice) {
            for (name, length) in ["a", "b", "c", "d"].into_iter().zip([a, b, c, d]) {
                let (part, others) = rest.split_at(length.into());
                parts.push(row![name, path(part), length]);
                rest = others;
            }
        }
    }
    is_printed("fiat", lengths);
    is_printed("fiat", parts);
    let system = Thistlethwaite::get();
    let groups = system.stages.iter().map(|stage| stage.group);
    let groups: Vec<&str> = groups.chain(["the solved cube"]).collect();
    let solution = system.solution(&position(SCRAMBLE));
    let stages = (1..).zip(groups.windows(2)).zip(&solution);
    let stages = stages.map(|((n, g), made)| row![n, g[0], g[1], made.len(), path(made)]);
    is_printed("thistlethwaite", stages);
    assert_eq!(solution.concat().len(), 7, "as the page says");
}

#[test]
fn the_plain_searches_are_as_computed() {
    let control = Control::default();
    let limits = PlainLimits {
        generated: u64::MAX,
        stored: u64::MAX,
        control: &control,
    };
    let rows = SEARCHES.each_ref().map(|search| {
        let found = search.run(&position("R U F"), &limits);
        let moves = path(&found.moves.expect("it is near"));
        let takes_next = search.takes_next;
        row![
            search.name,
            takes_next,
            found.generated,
            found.stored,
            moves
        ]
    });
    is_printed("nargolkar", rows);
}
