//! The search by length, in both forms, beside what Korf says of it.

use super::{Fiat, Form, LengthResult, List, quarters};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::lab::Lab;
use crate::manhattan::branching_factor;
use crate::walks::random_walks;
use cosette::cube::{Cube, Metric, Moves, sequence_counts};
use cosette::search::SolutionCount;
use std::sync::Arc;

/// Permutations a second of Fiat et al.'s search (Korf 1997).
const PAPER_PERMUTATIONS: f64 = 10_000.0;
/// Nodes a second of Korf's IDA* (Korf 1997).
const PAPER_NODES: f64 = 700_000.0;
/// Nodes of complete iterations of IDA* with pattern databases (Korf 1997): depth, mean number.
const PAPER_ITERATIONS: [(f64, f64); 2] = [(16.0, 9.5e9), (17.0, 1.22e11)];

/// The seed of the walk, unless another is asked for.
const SEED: u64 = 1989;

/// Searches a position some moves away from solved, length by length, in both forms; counts permutations a second and
/// bytes a permutation, and compares them with IDA*, whose nodes a second in Korf's system are given.
pub fn fiat(lab: &Lab<'_>, request: &Request, ida: f64) -> Result<Experiment, LabError> {
    let (moves, longest_merge) = match request.effort {
        Effort::Quick => (13, 12),
        Effort::Full => (16, 14),
    };
    let seed = request.seed_or(SEED);
    let walk = random_walks(seed, moves).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let descent = run(lab, Form::Descent, &position, 17)?;
    let merge = run(lab, Form::Merge, &position, longest_merge)?;
    let solved = &descent[descent.len() - 1];
    let lists = Fiat::new(Metric::Htm).lists().up_to(quarters(solved.length)[1], &lab.control)?;
    let solutions: Vec<String> = solved.solutions.iter().map(|solution| Moves(solution).to_string()).collect();
    Ok(Experiment::new(
        "products",
        "Bidirectional search with quarters of solutions",
        "Fiat, Moses, Shamir, Shimshoni, Tardos 1989; Korf 1997",
    )
    .text(format!(
        "A random walk of {moves} moves (seed {seed}) is solved, every length searched completely (threads: {}). Both sides' \
         products of left factors and lists are generated in lexicographic order; equal ones are solutions. The \
         *merge* generates each product, as published. The *descent* generates the beginnings of products, value by \
         value, and continues only those that both sides share.",
        lab.control.threads()
    ))
    .text(
        "Korf compares speeds, 10,000 permutations a second against 700,000 nodes of IDA*; and over 500 bytes a \
         permutation against half a byte an entry. He does not say on which machine the first ran. A merge may generate \
         fewer products than exist, because one side of a range of words can end before the other.",
    )
    .tables([by_length(&descent, &merge), speed(&descent, &merge, ida), memory(&lists, solved), distances(&lists)])
    .plots([plot(&descent)])
    .remark(format!(
        "The walk ends {} moves from solved. Its shortest solutions: {}.",
        solved.length,
        solutions.join(", ")
    ))
    .remark(at_the_papers_speeds()))
}

/// How long complete searches of length 17 and 18 take in both systems at the speeds that are printed.
fn at_the_papers_speeds() -> String {
    let [four, five] = [43_239.0, 574_908.0]; // permutations at these distances
    let nodes = PAPER_ITERATIONS[1].1;
    let days = |count: f64, a_second: f64| count / a_second / 86_400.0;
    let [at_17, at_18] = [(four * five + four * four, nodes), (2.0 * four * five, nodes * branching_factor())]
        .map(|(products, nodes)| [days(products, PAPER_PERMUTATIONS), days(nodes, PAPER_NODES)]);
    format!(
        "At the printed speeds all products of length 17 take {:.1} days, and a complete iteration of IDA* {:.1}; at length 18, of \
         which Korf speaks, {:.1} and {:.1} days, a factor of {:.1}: \"about a factor of two slower\", as he says.",
        at_17[0],
        at_17[1],
        at_18[0],
        at_18[1],
        at_18[0] / at_18[1],
    )
}

/// Searches length by length to the first solutions or to a last length.
fn run(lab: &Lab<'_>, form: Form, position: &Cube, last: u8) -> Result<Vec<LengthResult>, LabError> {
    let fiat = Fiat::new(Metric::Htm).with_form(form);
    let mut lengths: Vec<LengthResult> = Vec::new();
    while lengths.last().is_none_or(|searched| searched.solutions.is_empty() && searched.length < last) {
        let length = lengths.len() as u8;
        let what = format!("{form:?}, length {length}");
        lengths.push(fiat.search(position, length, SolutionCount::All, &lab.control.step(&what))?);
        lab.check()?;
    }
    Ok(lengths)
}

fn by_length(descent: &[LengthResult], merge: &[LengthResult]) -> Table {
    let mut table = Table::headed(
        "Complete searches by length; parts of the left side, then of the right side",
        "length | parts | products | merge: generated | merge: seconds | descent: generated | descent: seconds | \
         permutations stored | bytes stored | bytes at work",
    );
    for searched in descent {
        let [a, b, c, d] = quarters(searched.length);
        let merged = merge.get(usize::from(searched.length));
        table.row([
            Cell::Count(searched.length.into()),
            Cell::text(format!("{a}+{b}, {c}+{d}")),
            Cell::Count(searched.products),
            Cell::count(merged.map(|merged| merged.generated)),
            merged.map_or(Cell::Nothing, |merged| Cell::Seconds(merged.elapsed.as_secs_f64())),
            Cell::Count(searched.generated),
            Cell::Seconds(searched.elapsed.as_secs_f64()),
            Cell::Count(searched.stored),
            Cell::Count(searched.bytes),
            Cell::Count(searched.working_bytes),
        ]);
    }
    table
}

fn speed(descent: &[LengthResult], merge: &[LengthResult], ida: f64) -> Table {
    let per_second = |lengths: &[LengthResult], count: fn(&LengthResult) -> u64| {
        lengths.last().map_or(0.0, |last| count(last) as f64 / last.elapsed.as_secs_f64())
    };
    let merged = per_second(merge, |last| last.generated);
    let mut table = Table::new(
        "Speed, in the longest search of each form, with all threads",
        &["a second", "paper", "measured", "ratio"],
    );
    table.row([
        Cell::text("permutations, merge"),
        Cell::Estimate(PAPER_PERMUTATIONS),
        Cell::Estimate(merged),
        Cell::ratio(merged, PAPER_PERMUTATIONS),
    ]);
    for (what, count) in [
        ("beginnings generated, descent", (|last| last.generated) as fn(&LengthResult) -> u64),
        ("products excluded or found, descent", |last| last.products),
    ] {
        table.row([Cell::text(what), Cell::Nothing, Cell::Estimate(per_second(descent, count)), Cell::Nothing]);
    }
    let nodes = Cell::text("nodes of IDA* with pattern databases");
    table.row([nodes, Cell::Estimate(PAPER_NODES), Cell::Estimate(ida), Cell::ratio(ida, PAPER_NODES)]);
    table.row([
        Cell::text("nodes of IDA* to a permutation of the merge"),
        Cell::Number(PAPER_NODES / PAPER_PERMUTATIONS, 1),
        Cell::Number(ida / merged, 1),
        Cell::ratio(ida / merged, PAPER_NODES / PAPER_PERMUTATIONS),
    ]);
    table
}

/// The row that Korf's figure stands beside.
const IN_TOTAL: &str = "a stored permutation of the longest search, in total";

fn memory(lists: &[Arc<List>], solved: &LengthResult) -> Table {
    let mut table = Table::headed("Memory", "bytes | paper | measured");
    let longest = &lists[lists.len() - 1];
    let permutations = longest.permutations.len() as f64;
    let rows = [
        ("a permutation of a list", size_of_val(longest.permutations.as_slice()) as f64 / permutations),
        ("with its share of the trie", longest.bytes() as f64 / permutations),
        ("a left factor, with the images of all values and back", size_of::<super::Factor>() as f64),
        (IN_TOTAL, solved.bytes as f64 / solved.stored as f64),
        ("a product in a heap of the merge", size_of::<u128>() as f64),
        ("a pair in the descent", super::Descent::PAIR_BYTES as f64),
        ("at work in the descent, to a permutation stored", solved.working_bytes as f64 / solved.stored as f64),
        ("a product generated that is kept (of the descent)", solved.working_bytes as f64 / solved.products as f64),
    ];
    for (what, bytes) in rows {
        let paper = if what == IN_TOTAL { Cell::text("over 500") } else { Cell::Nothing };
        table.row([Cell::text(what), paper, Cell::Number(bytes, 2)]);
    }
    table
}

fn distances(lists: &[Arc<List>]) -> Table {
    let mut table = Table::new("The lists", &["distance", "permutations", "nodes of the trie", "bytes"]);
    for (distance, list) in lists.iter().enumerate() {
        table.row([
            Cell::Count(distance as u64),
            Cell::Count(list.permutations.len() as u64),
            Cell::Count(list.trie.nodes() as u64),
            Cell::Count(list.bytes() as u64),
        ]);
    }
    table
}

fn plot(descent: &[LengthResult]) -> Plot {
    let points = |count: fn(&LengthResult) -> u64| {
        descent.iter().map(move |searched| (searched.length.into(), count(searched).max(1) as f64))
    };
    let sequences = sequence_counts(descent.len() - 1, Metric::Htm);
    let sequences = sequences.iter().enumerate().map(|(length, &count)| (length as f64, count as f64));
    let title = "Permutations generated and stored, and nodes without a lower bound";
    Plot::new("fiat", title, ["length", "permutations or nodes"], [false, true])
        .series("products of both sides", points(|searched| searched.products))
        .series("generated by the descent", points(|searched| searched.generated))
        .series("permutations stored", points(|searched| searched.stored))
        .series("canonical sequences (Korf 1997, Table 1)", sequences)
        .printed("IDA* with pattern databases (Korf 1997)", PAPER_ITERATIONS)
}
