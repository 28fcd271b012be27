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
//! 1. To skip products, seeking in one stream the products of the other, does not pay: sides are
//!    about equal in number, so there are as many products to stop at as to skip. Neither stream is
//!    generated for products that begin as none of the other does, which is many times as fast but
//!    another method than the published one.
//! 2. Threads take words of one first value: each is a range of the order and a merge of its own.
//! 3. Lengths are tried from zero up, so that the first solution is one of the shortest, and lists
//!    hold the permutations at an *exact* distance, each once. All shortest solutions are found:
//!    the parts of a shortest solution are shortest sequences themselves. In the quarter-turn
//!    metric a half turn may be cut in two quarters; put together they are it again.
//! 4. Sequences are not stored: those of a permutation are found by stepping back through the
//!    lists.

mod list;
mod permutation;
mod search;

pub use list::{Lists, PermutationList, ProductSet};
pub use permutation::{Factor, PackedPermutation};
pub use search::{Fiat, LengthResult, Product, Products, merge, quarters};

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::korf::{Korf, SIX};
use crate::lab::{Lab, processor_time_of_process};
use crate::record::Record;
use crate::walks::random_walks;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, random_positions, sequence_counts};
use cosette::search::SolutionCount;
use serde_json::json;
use std::sync::Arc;

/// The default seed of the walk.
const SEED: u64 = 1989;

/// Searches a position some moves away from solved, length by length; counts permutations a second
/// and bytes a permutation, and measures Korf's IDA* beside them, by one iteration from a random
/// position.
pub fn products(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let moves = match request.effort {
        RunSize::Quick => 13,
        RunSize::Full => 16,
    };
    let seed = request.seed_or(SEED);
    let walk = random_walks(seed, moves).next().expect("they have no end");
    let fiat = Fiat::new(Metric::Htm);
    let results = run(lab, &fiat, &Cube::from_moves(&walk))?;
    let solved = results.last().expect("length 0 is searched");
    let sequences = sequence_counts(results.len() - 1, Metric::Htm);
    let lengths = results.iter().zip(sequences).map(|(result, sequences)| {
        let mut figures = json!(result);
        figures["quarters"] = json!(quarters(result.length));
        // Canonical sequences of this length (Korf 1997, Table 1).
        figures["sequences"] = json!(sequences as f64);
        figures
    });
    let lists = fiat.lists.up_to(quarters(solved.length)[1], &lab.control)?;
    let list_size = |(distance, list): (usize, &Arc<PermutationList>)| {
        json!({
            "distance": distance,
            "permutations": list.permutations.len(),
            "nodes": list.nodes(),
            "bytes": list.bytes(),
        })
    };
    let solution = |moves: &Vec<Move>| DisplayMoves(moves).to_string();
    let record = json!({
        "moves": moves,
        "seed": seed,
        "solutions": solved.solutions.iter().map(solution).collect::<Vec<_>>(),
        "lengths": lengths.collect::<Vec<_>>(),
        "ida_rate": ida_rate(lab, request)?,
        "lists": lists.iter().enumerate().map(list_size).collect::<Vec<_>>(),
        "bytes": {
            "permutation": size_of::<PackedPermutation>(),
            "factor": size_of::<Factor>(),
            "heap_product": size_of::<Product>(),
        },
    });
    Ok(Record::computed(request, &record))
}

/// Measures the nodes of IDA* with Korf's databases in a second of processor time.
fn ida_rate(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<f64, LabError> {
    const DEPTH: u8 = 13;
    let korf = Korf::new(lab, &SIX)?;
    let position = random_positions(request.seed_or(1))
        .next()
        .expect("they have no end");
    let start = processor_time_of_process();
    let iteration = korf.ida().iteration(&position, DEPTH, lab)?;
    Ok(iteration.nodes as f64 / (processor_time_of_process() - start))
}

/// Searches length by length to the first solutions, in seconds of processor time.
fn run(lab: &Lab<'_>, fiat: &Fiat, position: &Cube) -> Result<Vec<LengthResult>, LabError> {
    let mut lengths: Vec<LengthResult> = Vec::new();
    while lengths
        .last()
        .is_none_or(|searched| searched.solutions.is_empty())
    {
        let length = lengths.len() as u8;
        let what = format!("length {length}");
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
