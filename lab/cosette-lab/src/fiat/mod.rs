//! Bidirectional search that stores quarters of solutions (Fiat, Moses, Shamir, Shimshoni and
//! Tardos, "Planning and learning in permutation groups", FOCS 1989). The page `fiat.md` has the
//! idea and the figures.
//!
//! # Theory
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
//! 1. *Descent* ([`ProductDescent`]), the default: both streams are generated together, value by
//!    value. For each word that is a prefix of products on both sides, the pairs of left factor and
//!    node with this prefix are stored, and divided by their next value; words that are a prefix on
//!    one side only are dropped at once, with all the products below. [`Form::Merge`] is the
//!    published form, which takes many times as long (see the page).
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

mod list;
mod permutation;
mod products;
mod search;

pub use list::{Lists, Match, PermutationList, ProductSet};
pub use permutation::{Factor, PackedPermutation};
pub use products::{Product, ProductDescent, Products, merge};
pub use search::{Fiat, Form, LengthResult, quarters};

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::korf::{Korf, SIX};
use crate::lab::{Lab, processor_time_of_process};
use crate::record::Record;
use crate::walks::random_walks;
use cosette::cube::{Cube, DisplayMoves, Metric, random_positions, sequence_counts};
use cosette::search::SolutionCount;
use serde::Serialize;

/// The default seed of the walk.
const SEED: u64 = 1989;

/// The figures of `cosette-lab fiat products`.
#[derive(Serialize)]
struct ProductsRecord<'a> {
    /// Number of moves of the random walk.
    moves: usize,
    seed: u64,
    /// The shortest solutions.
    solutions: Vec<String>,
    lengths: Vec<LengthFigures<'a>>,
    /// Permutations of the longest merge in a second of processor time.
    merge_rate: f64,
    /// Nodes of IDA* with Korf's databases in a second of processor time.
    ida_rate: f64,
    lists: Vec<ListSize>,
    bytes: StructureBytes,
}

/// The figures of a complete search of one length: by descent, and by merge.
#[derive(Serialize)]
struct LengthFigures<'a> {
    #[serde(flatten)]
    descent: &'a LengthResult,
    merge: Option<&'a LengthResult>,
    /// The lengths of the four parts.
    quarters: [u8; 4],
    /// Canonical sequences of this length (Korf 1997, Table 1).
    sequences: f64,
}

/// The size of the list of one distance.
#[derive(Serialize)]
struct ListSize {
    distance: usize,
    permutations: usize,
    nodes: usize,
    bytes: usize,
}

/// Bytes of the structures of both forms.
#[derive(Serialize)]
struct StructureBytes {
    permutation: usize,
    factor: usize,
    heap_product: usize,
    pair: usize,
}

/// Searches a position some moves away from solved, length by length, in both forms; counts
/// permutations a second and bytes a permutation, and measures Korf's IDA* beside them, by one
/// iteration from a random position.
pub fn products(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let (moves, longest_merge) = match request.effort {
        RunSize::Quick => (13, 12),
        RunSize::Full => (16, 14),
    };
    let seed = request.seed_or(SEED);
    let walk = random_walks(seed, moves).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let descent = run(lab, Form::Descent, &position, 17)?;
    let merge = run(lab, Form::Merge, &position, longest_merge)?;
    let solved = descent.last().expect("length 0 is searched");
    let longest = merge.last().expect("length 0 is searched");
    let lists = Fiat::new(Metric::Htm)
        .lists()
        .up_to(quarters(solved.length)[1], &lab.control)?;
    let sequences = sequence_counts(descent.len() - 1, Metric::Htm);
    let lengths = descent
        .iter()
        .zip(sequences)
        .map(|(result, sequences)| LengthFigures {
            descent: result,
            merge: merge.get(usize::from(result.length)),
            quarters: quarters(result.length),
            sequences: sequences as f64,
        });
    let record = ProductsRecord {
        moves,
        seed,
        solutions: solved
            .solutions
            .iter()
            .map(|solution| DisplayMoves(solution).to_string())
            .collect(),
        lengths: lengths.collect(),
        merge_rate: longest.generated as f64 / longest.seconds,
        ida_rate: ida_rate(lab, request)?,
        lists: lists.iter().enumerate().map(list_size).collect(),
        bytes: StructureBytes {
            permutation: size_of::<PackedPermutation>(),
            factor: size_of::<Factor>(),
            heap_product: size_of::<Product>(),
            pair: ProductDescent::PAIR_BYTES,
        },
    };
    Ok(Record::computed(request, &record))
}

fn list_size((distance, list): (usize, &std::sync::Arc<PermutationList>)) -> ListSize {
    ListSize {
        distance,
        permutations: list.permutations.len(),
        nodes: list.nodes(),
        bytes: list.bytes(),
    }
}

/// Measures the nodes of IDA* with Korf's databases in a second of processor time.
fn ida_rate(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<f64, LabError> {
    const DEPTH: u8 = 13;
    let korf = Korf::new(lab, &SIX)?;
    let position = random_positions(request.seed_or(1))
        .next()
        .expect("they have no end");
    let start = processor_time_of_process();
    let iteration = korf.iterate(&position, DEPTH, &lab.control);
    lab.check()?;
    Ok(iteration.nodes as f64 / (processor_time_of_process() - start))
}

/// Searches length by length to the first solutions or to a last length, in seconds of processor
/// time.
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
        let control = lab.control.step(&what);
        let start = processor_time_of_process();
        let result = fiat.search(position, length, SolutionCount::All, &control)?;
        lengths.push(LengthResult {
            seconds: processor_time_of_process() - start,
            ..result
        });
        lab.check()?;
    }
    Ok(lengths)
}
