//! The products of one side in lexicographic order, the merge of two such streams, and the search
//! for solutions of one length.

use super::list::{Lists, PermutationList, ProductSet};
use super::permutation::{Factor, PackedPermutation, VALUES};
use crate::deepening::by_length;
use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical, inverse};
use cosette::search::{IterationStats, Options, Report, SolutionCount};
use cosette_app::engine::{Engine, OnEvent};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::binary_heap::PeekMut;
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The products of a side in lexicographic order, equal ones one after another.
///
/// A heap holds the next product of each left factor. A product taken from it is replaced by its
/// successor, found by the trie. So there are as many products in memory as there are left factors.
pub struct Products<'a> {
    side: &'a ProductSet,
    heap: BinaryHeap<Reverse<Product>>,
}

/// One product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Product {
    /// The product.
    pub permutation: PackedPermutation,
    /// The numbers of its left and of its right factor.
    pub factors: [u32; 2],
}

impl<'a> Products<'a> {
    /// Creates the stream of the products from this word on.
    pub fn from(side: &'a ProductSet, least: PackedPermutation) -> Products<'a> {
        let factors = 0..side.factors.len() as u32;
        let heap = factors.filter_map(|factor| least_product(side, factor, least).map(Reverse));
        Products {
            side,
            heap: heap.collect(),
        }
    }
}

impl Iterator for Products<'_> {
    type Item = Product;

    fn next(&mut self) -> Option<Product> {
        let mut top = self.heap.peek_mut()?;
        let Reverse(product) = *top;
        match least_product(self.side, product.factors[0], product.permutation.next()) {
            Some(successor) => *top = Reverse(successor),
            None => drop(PeekMut::pop(top)),
        }
        Some(product)
    }
}

/// Returns the least product of one left factor from a word on.
fn least_product(side: &ProductSet, factor: u32, least: PackedPermutation) -> Option<Product> {
    let (permutation, right) = side
        .list
        .least_product(&side.factors[factor as usize], least)?;
    Some(Product {
        permutation,
        factors: [factor, right],
    })
}

/// Merges the products of both sides whose first value is `first`, and calls `on_match` with the
/// factors of all equal ones, those of the left side first. Returns the number of products
/// generated. It stops when `is_stopped` returns `true`, which it checks from time to time.
pub fn merge(
    sides: [&ProductSet; 2],
    first: u8,
    on_match: &mut dyn FnMut([[u32; 2]; 2]),
    is_stopped: &dyn Fn() -> bool,
) -> u64 {
    let [mut left, mut right] = sides.map(|side| {
        let products = Products::from(side, PackedPermutation::beginning(first));
        products
            .take_while(move |product| product.permutation.value(0) == first)
            .peekable()
    });
    let mut generated = 0;
    while let (Some(a), Some(b)) = (left.peek().copied(), right.peek().copied()) {
        if generated % (1 << 12) == 0 && is_stopped() {
            break;
        }
        if a.permutation < b.permutation {
            left.next();
            generated += 1;
        } else if a.permutation > b.permutation {
            right.next();
            generated += 1;
        } else {
            // All left factors with this product, each with all right ones.
            let is_equal = |product: &Product| product.permutation == a.permutation;
            let equal: Vec<Product> = std::iter::from_fn(|| left.next_if(is_equal)).collect();
            generated += equal.len() as u64;
            while let Some(product) = right.next_if(is_equal) {
                generated += 1;
                equal
                    .iter()
                    .for_each(|other| on_match([other.factors, product.factors]));
            }
        }
    }
    generated
}

/// Splits a length into four: the left factors and the list of the left side, the list and the left
/// factors of the right side.
pub fn quarters(length: u8) -> [u8; 4] {
    let [left, right] = [length.div_ceil(2), length / 2];
    [left / 2, left.div_ceil(2), right.div_ceil(2), right / 2]
}

/// Statistics of the search for solutions of one length.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LengthResult {
    /// The length.
    pub length: u8,
    /// Number of products on both sides, counting equal ones each time.
    pub products: u64,
    /// Number of products generated.
    pub generated: u64,
    /// Number of equal products found.
    pub matches: u64,
    /// Number of stored permutations: in lists that are in use, and as left factors.
    pub stored: u64,
    /// Number of bytes of the lists, with tries.
    pub bytes: u64,
    /// Number of bytes of the heaps of all threads.
    pub working_bytes: u64,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// `true` if the entire length was searched.
    pub complete: bool,
    /// The solutions in canonical form, each re-applied.
    #[serde(skip)]
    pub solutions: BTreeSet<Vec<Move>>,
}

/// A running search.
struct FiatSearch<'a> {
    lists: &'a Lists,
    position: &'a Cube,
    parts: [u8; 4],
    /// The lists of the left factors.
    ends: [&'a PermutationList; 2],
    sides: [&'a ProductSet; 2],
    solution_count: SolutionCount,
    control: &'a Control<'a>,
    has_enough: AtomicBool,
    result: Mutex<LengthResult>,
}

impl FiatSearch<'_> {
    fn is_stopped(&self) -> bool {
        self.has_enough.load(Relaxed) || self.control.is_cancelled()
    }

    fn result(&self) -> MutexGuard<'_, LengthResult> {
        self.result.lock().expect("no thread panics")
    }

    /// Searches the products whose first value is `first`.
    fn search(&self, first: u8) {
        let mut on_match = |found| self.take(found);
        let generated = merge(self.sides, first, &mut on_match, &|| self.is_stopped());
        self.result().generated += generated;
    }

    /// Stores the solutions given by equal products: p·a·b = d⁻¹·c⁻¹.
    fn take(&self, factors: [[u32; 2]; 2]) {
        let [[a, b], [d, c]] = factors.map(|side| side.map(|number| number as usize));
        let [left, right] = self.sides;
        let sequences = |list: &PermutationList, number: usize, part: usize| {
            let permutation = list.permutations[number];
            self.lists.sequences(permutation, self.parts[part])
        };
        let inverses = |list: &PermutationList, number: usize, part: usize| {
            let sequences = sequences(list, number, part);
            sequences.iter().map(|moves| inverse(moves)).collect()
        };
        let solutions = [
            sequences(self.ends[0], a, 0),
            sequences(&left.list, b, 1),
            inverses(&right.list, c, 2),
            inverses(self.ends[1], d, 3),
        ]
        .iter()
        .fold(vec![Vec::new()], |beginnings, ends| {
            concatenations(&beginnings, ends)
        });
        let mut result = self.result();
        result.matches += 1;
        for solution in solutions {
            let solution = canonical(&solution);
            assert!(
                self.position.apply_moves(&solution).is_solved(),
                "{solution:?} does not solve {:?}",
                self.position
            );
            result.solutions.insert(solution);
        }
        if result.solutions.len() >= self.solution_count.max() {
            self.has_enough.store(true, Relaxed);
        }
    }
}

/// Returns each beginning followed by each end.
fn concatenations(beginnings: &[Vec<Move>], ends: &[Vec<Move>]) -> Vec<Vec<Move>> {
    let with_end = |beginning: &Vec<Move>| {
        let all = ends.iter().map(|end| [beginning.as_slice(), end].concat());
        all.collect::<Vec<_>>()
    };
    beginnings.iter().flat_map(with_end).collect()
}

/// The bidirectional search that stores quarters of solutions, `--engine fiat`.
///
/// In its reports nodes are [`LengthResult::generated`], and probes the equal products found: the
/// search has no table look-ups.
#[derive(Debug)]
pub struct Fiat {
    /// The lists, created on demand and cached.
    pub lists: Lists,
}

impl Fiat {
    /// Creates a search in this metric. Lists are created on demand and cached.
    pub fn new(metric: Metric) -> Fiat {
        Fiat {
            lists: Lists::new(metric),
        }
    }

    /// Searches the solutions of one length, shorter ones being ruled out.
    ///
    /// # Errors
    /// Returns an error on cancellation while lists are made. What is cancelled later is
    /// incomplete.
    pub fn search(
        &self,
        position: &Cube,
        length: u8,
        wanted: SolutionCount,
        control: &Control<'_>,
    ) -> Result<LengthResult, LabError> {
        let start = Instant::now();
        let parts = quarters(length);
        let lists = self.lists.up_to(parts[1], control)?;
        let [a, b, c, d] = parts.map(|part| &lists[usize::from(part)]);
        let position_word = PackedPermutation::of(position);
        let solved_word = PackedPermutation::of(&Cube::SOLVED);
        let left = ProductSet::new(position_word, &a.permutations, Arc::clone(b));
        let right = ProductSet::new(solved_word, &d.permutations, Arc::clone(c));
        // The parts differ by one at most, so that there are one or two lists.
        let lists_in_use = &lists[usize::from(parts[3])..=usize::from(parts[1])];
        let permutations = lists_in_use.iter().map(|list| list.permutations.len());
        let bytes = lists_in_use.iter().map(|list| list.bytes());
        let factors = left.factors.len() + right.factors.len();
        let search = FiatSearch {
            lists: &self.lists,
            position,
            parts,
            ends: [a, d],
            sides: [&left, &right],
            solution_count: wanted,
            control,
            has_enough: AtomicBool::new(false),
            result: Mutex::new(LengthResult {
                length,
                products: left.products() + right.products(),
                stored: (permutations.sum::<usize>() + factors) as u64,
                bytes: (bytes.sum::<usize>() + factors * size_of::<Factor>()) as u64,
                ..LengthResult::default()
            }),
        };
        let threads = control.threads().at_most(VALUES);
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            while let first @ 0..VALUES = next.fetch_add(1, Relaxed)
                && !search.is_stopped()
            {
                search.search(first as u8);
                let done = next.load(Relaxed).min(VALUES);
                control.report(done as u64, VALUES as u64);
            }
        });
        let complete = !search.is_stopped();
        let result = search.result.into_inner().expect("no thread panics");
        Ok(LengthResult {
            working_bytes: (factors * size_of::<Product>() * threads.get()) as u64,
            seconds: start.elapsed().as_secs_f64(),
            complete,
            ..result
        })
    }
}

impl Engine for Fiat {
    fn name(&self) -> &'static str {
        "fiat"
    }

    fn metric(&self) -> Metric {
        self.lists.metric
    }

    fn tables(&self) -> String {
        "lists of permutations".to_owned()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        // With quarter turns the parity of the position is that of every solution.
        let lengths = match self.metric() {
            Metric::Htm => (0, 1),
            Metric::Qtm => (u8::from(position.is_odd()), 2),
        };
        by_length(
            position,
            self.metric(),
            options,
            lengths,
            (on_event, control),
            |length, control| {
                let searched = self
                    .search(position, length, options.solution_count, control)
                    .ok()?;
                let mut threshold = IterationStats::new(length);
                threshold.nodes = searched.generated;
                threshold.probes = searched.matches;
                threshold.elapsed = Duration::from_secs_f64(searched.seconds);
                threshold.exhausted = searched.complete;
                Some((threshold, searched.solutions.into_iter().collect()))
            },
        )
    }
}
