//! Bidirectional search that stores quarters of solutions (Fiat, Moses, Shamir, Shimshoni and
//! Tardos 1989).
//!
//! # Theory
//!
//! A search from both ends meets in the middle: with branching factor b and a solution of d moves
//! it takes b^(d/2) time, but it stores the b^(d/2) positions of one end. Schroeppel and Shamir
//! (1981) store far less if the positions of one end are *products* of two short lists: generate
//! the products of both ends in order, and merge the two streams as one merges sorted files.
//! Nothing is stored but the lists, b^(d/4) permutations each. For integers a heap gives the sums
//! of two lists in order. Fiat et al. found how to do it for products in a permutation group
//! ("Planning and learning in permutation groups", FOCS 1989), and so solved random positions of
//! the cube; Korf (1997) compares it with IDA*.
//!
//! Let p be the position and a·b·c·d a solution, each part a permutation of a known length. Then
//!
//! ```text
//! (p·a)·b = d⁻¹·c⁻¹
//! ```
//!
//! Both sides are products x·y of a left factor x (p·a on the left, d⁻¹ on the right) and a
//! permutation y of a list. With moves a list holds the inverses of its permutations too, so c⁻¹
//! and d⁻¹ are in the lists of c and d themselves.
//!
//! *The order.* A permutation is a word of twenty values ([`PackedPermutation`]), one for each
//! place, and words are compared lexicographically. Products are read left to right, (x·y)\[i\] =
//! x\[y\[i\]\]: the word of x·y is that of y with each value replaced by its image under x. So the
//! order of the products of one x is found in a trie over the list:
//!
//! *Walk.* Visit the children of each node of the trie in the order of their values' images under
//! x: then the leaves y come in the order of x·y. Proof: let y and z part at place i. The words of
//! x·y and x·z agree before i, for those of y and z do. At i they differ, since x is one to one on
//! values, and the walk goes first to the one with the smaller image, which is the smaller product.
//! Orientations do no harm: a value is a cubie and how it is turned, and x carries all turns of a
//! cubie to those of another. ∎
//!
//! This needs the *right* factor in the trie. Were the left factor in it, a step down would fix
//! x\[i\], a value at another place of the product for each y; one would have to take inverses on
//! both sides.
//!
//! ```text
//! heap ← for each left factor x of a side: its least product                  (one heap a side)
//! take the least product of a side from its heap; put in the next of the same x, by the trie
//! merge both streams; equal products are solutions
//! ```
//!
//! # Departures
//!
//! 1. *Descent* ([`ProductDescent`]): by default both streams are generated together, value by
//!    value. For each word that is a prefix of products on both sides, the pairs of left factor and
//!    node with this prefix are stored, and divided by their next value; words that are a prefix on
//!    one side only are dropped at once, with all the products below. The order and the tries are
//!    the same, without heaps. The descent takes space for b^(d/4) pairs, like the heaps, times the
//!    few values that a place still has. [`Form::Merge`] is the published form.
//! 2. To skip products in the merge, seeking in one stream the products of the other, does not pay:
//!    sides are about equal in number, so there are as many products to stop at as to skip.
//! 3. Threads take words of one value (merge) or two (descent): each is a range of the order and a
//!    merge of its own.
//! 4. Lengths are tried from zero up, so that the first solution is one of the shortest, and lists
//!    hold the permutations at an *exact* distance, each once. All shortest solutions are found:
//!    the parts of a shortest solution are shortest sequences themselves. In the quarter-turn
//!    metric a half turn may be cut in two quarters; put together they are it again.
//! 5. Sequences are not stored: those of a permutation are found by stepping back through the
//!    lists.
//! 6. The next product is found from the last one and the trie, so a heap keeps words alone, 16
//!    bytes each, and no paths.
//!
//! *Limits.* Lists of up to d/4 moves, rounded up: 43,239 permutations for length 16, 574,908 for
//! 17 to 20 (half-turn metric); the time is exhausted long before the memory.

mod list;
mod permutation;
mod products;
mod search;

pub use list::{Lists, Match, PermutationList, ProductSet};
pub use permutation::{Factor, PackedPermutation};
pub use products::{Product, ProductDescent, Products, merge};
pub use search::{Fiat, Form, LengthResult, quarters};

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, Plot, RunSize};
use crate::lab::Lab;
use crate::template::{self, row};
use crate::walks::random_walks;
use cosette::cube::{Cube, DisplayMoves, Metric, sequence_counts};
use cosette::search::SolutionCount;

/// Permutations a second of Fiat et al.'s search (Korf 1997).
const PAPER_PERMUTATIONS: f64 = 10_000.0;
/// Nodes a second of Korf's IDA* (Korf 1997).
const PAPER_NODES: f64 = 700_000.0;
/// Nodes of complete iterations of IDA* with pattern databases (Korf 1997): depth, mean number.
const PAPER_ITERATIONS: [(f64, f64); 2] = [(16.0, 9.5e9), (17.0, 1.22e11)];

/// The default seed of the walk.
const SEED: u64 = 1989;

/// Searches a position some moves away from solved, length by length, in both forms; counts
/// permutations a second and bytes a permutation, and compares them with IDA*, whose nodes a second
/// in Korf's system are given.
pub fn fiat(lab: &Lab<'_>, request: &ExperimentOptions, ida: f64) -> Result<Experiment, LabError> {
    let (moves, longest_merge) = match request.effort {
        RunSize::Quick => (13, 12),
        RunSize::Full => (16, 14),
    };
    let seed = request.seed_or(SEED);
    let walk = random_walks(seed, moves).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let descent = run(lab, Form::Descent, &position, 17)?;
    let merge = run(lab, Form::Merge, &position, longest_merge)?;
    let solved = &descent[descent.len() - 1];
    let lists = Fiat::new(Metric::Htm)
        .lists()
        .up_to(quarters(solved.length)[1], &lab.control)?;
    let solutions: Vec<String> = solved
        .solutions
        .iter()
        .map(|solution| DisplayMoves(solution).to_string())
        .collect();

    let mut form =
        template::PageTemplate::read(include_str!("../../pages/fiat-experiments.md"), "products");
    form.say("moves", moves)
        .say("seed", seed)
        .say("threads", lab.control.threads());
    form.say("length", solved.length)
        .say("solutions", solutions.join(", "));
    for searched in &descent {
        let [a, b, c, d] = quarters(searched.length);
        let merged = merge.get(usize::from(searched.length));
        form.table("lengths").row(row![
            searched.length,
            format!("{a}+{b}, {c}+{d}"),
            searched.products,
            merged.map(|merged| merged.generated),
            merged.map(|merged| merged.elapsed),
            searched.generated,
            searched.elapsed,
            searched.stored,
            searched.bytes,
            searched.working_bytes,
        ]);
    }
    speed(form.table("speed"), &descent, &merge, ida);
    let mut bytes = memory(&lists[lists.len() - 1], solved).into_iter();
    form.table("memory").fill(|_| {
        bytes
            .next()
            .map(|bytes| row![bytes])
            .expect("there are as many rows")
    });
    for (distance, list) in lists.iter().enumerate() {
        form.table("lists").row(row![
            distance,
            list.permutations.len(),
            list.nodes(),
            list.bytes()
        ]);
    }
    Ok(form.experiment().plots([plot(&descent)]))
}

/// Searches length by length to the first solutions or to a last length.
fn run(
    lab: &Lab<'_>,
    form: Form,
    position: &Cube,
    last: u8,
) -> Result<Vec<LengthResult>, LabError> {
    let fiat = Fiat::new(Metric::Htm).with_form(form);
    let mut lengths: Vec<LengthResult> = Vec::new();
    while lengths
        .last()
        .is_none_or(|searched| searched.solutions.is_empty() && searched.length < last)
    {
        let length = lengths.len() as u8;
        let what = format!("{form:?}, length {length}");
        lengths.push(fiat.search(
            position,
            length,
            SolutionCount::All,
            &lab.control.step(&what),
        )?);
        lab.check()?;
    }
    Ok(lengths)
}

fn speed(
    table: &mut template::FormTable,
    descent: &[LengthResult],
    merge: &[LengthResult],
    ida: f64,
) {
    let per_second = |lengths: &[LengthResult], count: fn(&LengthResult) -> u64| {
        lengths
            .last()
            .map_or(0.0, |last| count(last) as f64 / last.elapsed.as_secs_f64())
    };
    let merged = per_second(merge, |last| last.generated);
    let none = Cell::Nothing;
    table.row(row![
        "permutations, merge",
        PAPER_PERMUTATIONS,
        merged,
        merged / PAPER_PERMUTATIONS
    ]);
    for (what, count) in [
        (
            "beginnings generated, descent",
            (|last| last.generated) as fn(&LengthResult) -> u64,
        ),
        ("products excluded or found, descent", |last| last.products),
    ] {
        table.row(row![
            what,
            none.clone(),
            per_second(descent, count),
            none.clone()
        ]);
    }
    table.row(row![
        "nodes of IDA* with pattern databases",
        PAPER_NODES,
        ida,
        ida / PAPER_NODES
    ]);
    let times = [PAPER_NODES / PAPER_PERMUTATIONS, ida / merged];
    let [paper, ours] = times.map(|times| Cell::Number(times, 1));
    table.row(row![
        "nodes of IDA* to a permutation of the merge",
        paper,
        ours,
        times[1] / times[0]
    ]);
}

/// Bytes, in the order of the table.
fn memory(longest: &PermutationList, solved: &LengthResult) -> [f64; 8] {
    let permutations = longest.permutations.len() as f64;
    [
        size_of_val(longest.permutations.as_slice()) as f64 / permutations,
        longest.bytes() as f64 / permutations,
        size_of::<Factor>() as f64,
        solved.bytes as f64 / solved.stored as f64,
        size_of::<u128>() as f64,
        ProductDescent::PAIR_BYTES as f64,
        solved.working_bytes as f64 / solved.stored as f64,
        solved.working_bytes as f64 / solved.products as f64,
    ]
}

fn plot(descent: &[LengthResult]) -> Plot {
    let points = |count: fn(&LengthResult) -> u64| {
        descent
            .iter()
            .map(move |searched| (searched.length.into(), count(searched).max(1) as f64))
    };
    let sequences = sequence_counts(descent.len() - 1, Metric::Htm);
    let sequences = sequences
        .iter()
        .enumerate()
        .map(|(length, &count)| (length as f64, count as f64));
    let title = "Permutations generated and stored, and nodes without a lower bound";
    Plot::new(
        "fiat",
        title,
        ["length", "permutations or nodes"],
        [false, true],
    )
    .series(
        "products of both sides",
        points(|searched| searched.products),
    )
    .series(
        "generated by the descent",
        points(|searched| searched.generated),
    )
    .series("permutations stored", points(|searched| searched.stored))
    .series("canonical sequences (Korf 1997, Table 1)", sequences)
    .printed("IDA* with pattern databases (Korf 1997)", PAPER_ITERATIONS)
}
