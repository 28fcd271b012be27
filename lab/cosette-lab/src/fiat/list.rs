//! All permutations at an exact distance, each once, and the shortest sequences that lead to them.

use super::permutation::{Factor, PackedPermutation, VALUES};
use crate::error::LabError;
use crate::space::generators;
use cosette::Control;
use cosette::cube::{Cube, Metric, Move};
use std::sync::{Arc, Mutex, MutexGuard};

/// The permutations at one distance, each once, and a trie over them: a node for each shared
/// prefix.
///
/// The children of a node lie side by side in the order of their values, so that a node is a set of
/// values and the number of its first child: eight bytes. If only one permutation has a prefix, the
/// node is its leaf.
#[derive(Debug)]
pub struct PermutationList {
    /// The permutations in lexicographic order.
    pub permutations: Vec<PackedPermutation>,
    nodes: Vec<TrieNode>,
}

/// A node of the trie.
#[derive(Clone, Copy, Debug, Default)]
struct TrieNode {
    /// The values of its children, a bit each; none for a leaf.
    values: u32,
    /// Its first child, or the permutation of a leaf.
    first: u32,
}

impl PermutationList {
    /// Creates the list of these permutations, which must be sorted and distinct.
    ///
    /// # Panics
    ///
    /// Panics if there are none.
    pub fn new(permutations: Vec<PackedPermutation>) -> PermutationList {
        assert!(!permutations.is_empty(), "a trie over nothing");
        debug_assert!(permutations.is_sorted_by(|a, b| a < b));
        let mut nodes = vec![TrieNode::default()];
        // Level by level: nodes, and the part of the list below each.
        let mut level = vec![(0, 0..permutations.len())];
        let mut place = 0;
        while !level.is_empty() {
            let mut below = Vec::new();
            for (node, part) in level {
                if part.len() == 1 {
                    nodes[node] = TrieNode {
                        values: 0,
                        first: part.start as u32,
                    };
                    continue;
                }
                nodes[node].first = nodes.len() as u32;
                let mut start = part.start;
                for child in permutations[part].chunk_by(|a, b| a.value(place) == b.value(place)) {
                    nodes[node].values |= 1 << child[0].value(place);
                    below.push((nodes.len(), start..start + child.len()));
                    nodes.push(TrieNode::default());
                    start += child.len();
                }
            }
            level = below;
            place += 1;
        }
        nodes.shrink_to_fit();
        PermutationList {
            permutations,
            nodes,
        }
    }

    /// Returns the number of nodes of the trie.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the number of bytes of its permutations and the trie.
    pub fn bytes(&self) -> usize {
        size_of_val(self.permutations.as_slice()) + size_of_val(self.nodes.as_slice())
    }

    fn holds(&self, permutation: PackedPermutation) -> bool {
        self.permutations.binary_search(&permutation).is_ok()
    }

    /// Returns the least product of `factor` and one of the permutations that is at least `least`,
    /// and the number of that permutation.
    pub(super) fn least_product(
        &self,
        factor: &Factor,
        least: PackedPermutation,
    ) -> Option<(PackedPermutation, u32)> {
        self.least_below(factor, self.nodes[0], 0, least)
    }

    /// Returns the least product below a node, at depth `place`, that is at least `least`; the
    /// products begin like `least` up to there, or `least` is the first of all words.
    fn least_below(
        &self,
        factor: &Factor,
        node: TrieNode,
        place: usize,
        least: PackedPermutation,
    ) -> Option<(PackedPermutation, u32)> {
        if node.values == 0 {
            let product = factor.product(self.permutations[node.first as usize]);
            return (product >= least).then_some((product, node.first));
        }
        let bound = least.value(place);
        let (image, child) = self.least_child(node, factor, place, bound)?;
        if image > bound {
            return self.least_below(factor, child, place + 1, PackedPermutation::FIRST);
        }
        self.least_below(factor, child, place + 1, least)
            .or_else(|| {
                let (_, child) = self.least_child(node, factor, place, bound + 1)?;
                self.least_below(factor, child, place + 1, PackedPermutation::FIRST)
            })
    }

    /// Returns the child of an inner node with the least image that is at least `least`, and that
    /// image.
    fn least_child(
        &self,
        node: TrieNode,
        factor: &Factor,
        place: usize,
        least: u8,
    ) -> Option<(u8, TrieNode)> {
        let values = (0..VALUES as u8).filter(|value| node.values >> value & 1 == 1);
        let children = (node.first as usize..).zip(values);
        let images = children.map(|(child, value)| (factor.image(place, value), child));
        let (image, child) = images.filter(|&(image, _)| image >= least).min()?;
        Some((image, self.nodes[child]))
    }
}

/// The lists of a metric by distance, created on demand.
#[derive(Debug)]
pub struct Lists {
    /// The move metric.
    pub metric: Metric,
    made: Mutex<Vec<Arc<PermutationList>>>,
}

impl Lists {
    /// Creates an empty collection.
    pub fn new(metric: Metric) -> Lists {
        Lists {
            metric,
            made: Mutex::new(Vec::new()),
        }
    }

    /// Returns the lists of the distances from 0 to `longest`.
    ///
    /// Breadth-first search: each list holds the images of the list before under the moves of cost
    /// one, sorted, without the elements of the two lists before. (A move of cost one changes the
    /// distance by one at most.)
    pub fn up_to(
        &self,
        longest: u8,
        control: &Control<'_>,
    ) -> Result<Vec<Arc<PermutationList>>, LabError> {
        let mut made = self.made();
        if made.is_empty() {
            made.push(Arc::new(PermutationList::new(vec![PackedPermutation::of(
                &Cube::SOLVED,
            )])));
        }
        let moves = generators(self.metric).into_iter();
        let turns: Vec<PackedPermutation> = moves
            .map(|m| PackedPermutation::of(Cube::from_move(m)))
            .collect();
        while made.len() <= usize::from(longest) {
            let last = &made[made.len() - 1];
            let before = made.len().checked_sub(2).map(|at| &made[at]);
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
            next.retain(|&found| {
                !last.holds(found) && !before.is_some_and(|list| list.holds(found))
            });
            next.shrink_to_fit();
            made.push(Arc::new(PermutationList::new(next)));
        }
        Ok(made[..=usize::from(longest)].to_vec())
    }

    /// Returns all shortest sequences to a permutation of the list at `distance`. The lists up to
    /// there must exist.
    pub fn sequences(&self, permutation: PackedPermutation, distance: u8) -> Vec<Vec<Move>> {
        if distance == 0 {
            return vec![Vec::new()];
        }
        let factor = Factor::of(permutation);
        let mut sequences = Vec::new();
        for m in Move::ALL {
            let Some(rest) = distance.checked_sub(self.metric.cost(m)) else {
                continue;
            };
            let before = factor.product(PackedPermutation::of(Cube::from_move(m.inverse())));
            let list = Arc::clone(&self.made()[usize::from(rest)]);
            if list.holds(before) {
                for mut sequence in self.sequences(before, rest) {
                    sequence.push(m);
                    sequences.push(sequence);
                }
            }
        }
        sequences
    }

    fn made(&self) -> MutexGuard<'_, Vec<Arc<PermutationList>>> {
        self.made
            .lock()
            .expect("no thread panics while it makes a list")
    }
}

/// The products x·y of left factors x, numbered from 0, and the permutations y of a list.
#[derive(Clone, Debug)]
pub struct ProductSet {
    /// The left factors.
    pub factors: Vec<Factor>,
    /// The right factors.
    pub list: Arc<PermutationList>,
}

impl ProductSet {
    /// Creates the products of `first`, the permutations of `factors` and those of `list`, in this
    /// order.
    pub fn new(
        first: PackedPermutation,
        factors: &[PackedPermutation],
        list: Arc<PermutationList>,
    ) -> ProductSet {
        let first = Factor::of(first);
        let factors = factors
            .iter()
            .map(|&factor| Factor::of(first.product(factor)))
            .collect();
        ProductSet { factors, list }
    }

    /// Returns the number of products.
    pub fn products(&self) -> u64 {
        self.factors.len() as u64 * self.list.permutations.len() as u64
    }
}
