//! All permutations at an exact distance, each once, and the shortest sequences that lead to them.

use super::permutation::{Factor, Permutation};
use super::trie::Trie;
use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Metric, Move};
use std::sync::{Arc, Mutex};

/// Permutations in order, each there once, and their trie: those at one distance.
#[derive(Debug)]
pub struct List {
    /// The permutations in lexicographic order.
    pub permutations: Vec<Permutation>,
    /// The trie over them.
    pub trie: Trie,
}

impl List {
    /// The list of these permutations.
    ///
    /// # Panics
    /// If there are none.
    pub fn new(permutations: Vec<Permutation>) -> List {
        let trie = Trie::new(&permutations);
        List { permutations, trie }
    }

    /// How many bytes its permutations and the trie take.
    pub fn bytes(&self) -> usize {
        std::mem::size_of_val(self.permutations.as_slice()) + self.trie.bytes()
    }

    fn holds(&self, permutation: Permutation) -> bool {
        self.permutations.binary_search(&permutation).is_ok()
    }
}

/// The lists of a metric by distance, made when they are first needed.
#[derive(Debug)]
pub struct Lists {
    metric: Metric,
    made: Mutex<Vec<Arc<List>>>,
}

impl Lists {
    /// No list yet.
    pub fn new(metric: Metric) -> Lists {
        Lists { metric, made: Mutex::new(Vec::new()) }
    }

    /// What is counted.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The lists of the distances from 0 to `longest`.
    ///
    /// Breadth-first search: each list is what the moves of cost one make of the one before, sorted, without what stands in
    /// the two before. (A move of cost one changes the distance by one at most.)
    pub fn up_to(&self, longest: u8, control: &Control<'_>) -> Result<Vec<Arc<List>>, LabError> {
        let mut made = self.made.lock().expect("no thread panics while it makes a list");
        if made.is_empty() {
            made.push(Arc::new(List::new(vec![Permutation::of(&Cube::SOLVED)])));
        }
        let moves = self.moves().into_iter().filter(|&(_, cost, _)| cost == 1).map(|(_, _, turn)| turn);
        let turns: Vec<Permutation> = moves.collect();
        while made.len() <= usize::from(longest) {
            let (last, before) = (&made[made.len() - 1], made.len().checked_sub(2).map(|at| &made[at]));
            let mut next = Vec::with_capacity(last.permutations.len() * turns.len());
            for (number, &permutation) in last.permutations.iter().enumerate() {
                if number.is_multiple_of(1 << 14) && control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                let factor = Factor::of(permutation);
                next.extend(turns.iter().map(|&turn| factor.product(turn)));
            }
            next.sort_unstable();
            next.dedup();
            next.retain(|&found| !last.holds(found) && !before.is_some_and(|list| list.holds(found)));
            next.shrink_to_fit();
            made.push(Arc::new(List::new(next)));
        }
        Ok(made[..=usize::from(longest)].to_vec())
    }

    /// All shortest sequences to a permutation of the list at `distance`. The lists up to there have been made.
    pub fn sequences(&self, permutation: Permutation, distance: u8) -> Vec<Vec<Move>> {
        let lists = self.made.lock().expect("no thread panics while it makes a list").clone();
        let (mut sequences, mut backward) = (Vec::new(), Vec::new());
        self.step_back(&lists, permutation, distance, &mut backward, &mut sequences);
        sequences
    }

    fn step_back(
        &self,
        lists: &[Arc<List>],
        permutation: Permutation,
        distance: u8,
        backward: &mut Vec<Move>,
        sequences: &mut Vec<Vec<Move>>,
    ) {
        if distance == 0 {
            sequences.push(backward.iter().rev().copied().collect());
        }
        let factor = Factor::of(permutation);
        for (m, cost, _) in self.moves() {
            let Some(rest) = distance.checked_sub(cost) else { continue };
            let before = factor.product(Permutation::of(Cube::of_move(m.inverse())));
            if lists[usize::from(rest)].holds(before) {
                backward.push(m);
                self.step_back(lists, before, rest, backward, sequences);
                backward.pop();
            }
        }
    }

    /// The moves, their costs and what they make of the solved position.
    fn moves(&self) -> [(Move, u8, Permutation); Move::COUNT] {
        Move::ALL.map(|m| (m, self.metric.cost(m), Permutation::of(Cube::of_move(m))))
    }
}

/// The products x·y of left factors x, numbered from 0, and the permutations y of a list.
#[derive(Clone, Debug)]
pub struct ProductSet {
    /// The left factors.
    pub factors: Vec<Factor>,
    /// The right factors.
    pub list: Arc<List>,
}

impl ProductSet {
    /// The products of `first`, the permutations of `factors` and those of `list`, in this order.
    pub fn new(first: Permutation, factors: &[Permutation], list: Arc<List>) -> ProductSet {
        let first = Factor::of(first);
        let factors = factors.iter().map(|&factor| first.compose(&Factor::of(factor))).collect();
        ProductSet { factors, list }
    }

    /// How many products there are.
    pub fn products(&self) -> u64 {
        self.factors.len() as u64 * self.list.permutations.len() as u64
    }
}

/// Equal products: the numbers of their factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Match {
    /// The left factor and the right factor of the product on the left side.
    pub left: [u32; 2],
    /// Those on the right side.
    pub right: [u32; 2],
}
