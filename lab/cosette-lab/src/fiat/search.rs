//! The search for solutions of one length.

use super::list::{Lists, Match, PermutationList, ProductSet};
use super::permutation::{Factor, PackedPermutation, VALUES};
use super::products::{Product, ProductDescent, merge};
use crate::deepening::by_length;
use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical, inverse};
use cosette::search::{IterationStats, Options, Report, SolutionCount};
use cosette_app::engine::{Engine, OnEvent};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The method that finds equal products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Both streams are generated and merged, as published.
    Merge,
    /// Only the words that are prefixes on both sides are followed.
    #[default]
    Descent,
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
    /// Number of products generated; in a descent, partial ones, each with one value more than the
    /// one before.
    pub generated: u64,
    /// Number of equal products found.
    pub matches: u64,
    /// Number of stored permutations: in lists that are in use, and as left factors.
    pub stored: u64,
    /// Number of bytes of the lists, with tries.
    pub bytes: u64,
    /// Number of bytes of the products stored meanwhile, in all threads: heaps, or pairs.
    pub working_bytes: u64,
    /// Elapsed time in seconds.
    pub seconds: f64,
    /// `true` if the entire length was searched.
    pub complete: bool,
    /// The solutions in canonical form, each re-applied.
    #[serde(skip)]
    pub solutions: BTreeSet<Vec<Move>>,
}

/// Number of left factors from which words are shared among threads by their first two values.
const SHARED_FROM: usize = 1000;

/// Returns the prefixes of words that are searched one by one.
fn words(form: Form, factors: usize) -> Vec<Vec<u8>> {
    let values = || 0..VALUES as u8;
    match form {
        Form::Merge => values().map(|first| vec![first]).collect(),
        Form::Descent if factors < SHARED_FROM => vec![Vec::new()],
        Form::Descent => values()
            .flat_map(|first| values().map(move |second| vec![first, second]))
            .collect(),
    }
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

    /// Searches the products that begin with a word.
    fn search(&self, form: Form, word: &[u8]) {
        let is_stopped = || self.is_stopped();
        let mut on_match = |found| self.take(found);
        let (generated, bytes) = match form {
            Form::Merge => {
                let heaps = self.sides.map(|side| side.factors.len());
                let bytes = heaps.iter().sum::<usize>() * size_of::<Product>();
                let generated = merge(self.sides, word[0], &mut on_match, &is_stopped);
                (generated, bytes)
            }
            Form::Descent => {
                let mut descent = ProductDescent::new(self.sides, &mut on_match, &is_stopped);
                descent.below(word);
                (descent.generated, descent.bytes())
            }
        };
        let mut result = self.result();
        result.generated += generated;
        result.working_bytes = result.working_bytes.max(bytes as u64);
    }

    /// Stores the solutions given by equal products: p·a·b = d⁻¹·c⁻¹.
    fn take(&self, found: Match) {
        let [a, b] = found.left.map(|number| number as usize);
        let [d, c] = found.right.map(|number| number as usize);
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
    lists: Lists,
    form: Form,
}

impl Fiat {
    /// Creates a search in this metric. Lists are created on demand and cached.
    pub fn new(metric: Metric) -> Fiat {
        Fiat {
            lists: Lists::new(metric),
            form: Form::default(),
        }
    }

    /// Sets the method that finds equal products.
    #[must_use]
    pub fn with_form(self, form: Form) -> Fiat {
        Fiat { form, ..self }
    }

    /// Its lists.
    pub fn lists(&self) -> &Lists {
        &self.lists
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
        let words = words(self.form, left.factors.len());
        let threads = control.threads().at_most(words.len());
        let next = AtomicUsize::new(0);
        threads.run(&|_| {
            while let Some(word) = words.get(next.fetch_add(1, Relaxed)) {
                if search.is_stopped() {
                    break;
                }
                search.search(self.form, word);
                let done = next.load(Relaxed).min(words.len());
                control.report(done as u64, words.len() as u64);
            }
        });
        let complete = !search.is_stopped();
        let result = search.result.into_inner().expect("no thread panics");
        Ok(LengthResult {
            working_bytes: result.working_bytes * threads.get() as u64,
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
        self.lists.metric()
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
