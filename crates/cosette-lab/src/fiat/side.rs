//! One side of the search: all products of a list of left factors and a list.

use super::list::List;
use super::permutation::{Factor, Permutation};
use std::sync::Arc;

/// The products x·y of left factors x, numbered from 0, and the permutations y of a list.
#[derive(Clone, Debug)]
pub struct Side {
    /// The left factors.
    pub factors: Vec<Factor>,
    /// The right factors.
    pub list: Arc<List>,
}

impl Side {
    /// The products of `first`, the permutations of `factors` and those of `list`, in this order.
    pub fn new(first: Permutation, factors: &[Permutation], list: Arc<List>) -> Side {
        let first = Factor::of(first);
        let factors = factors.iter().map(|&factor| first.compose(&Factor::of(factor))).collect();
        Side { factors, list }
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
