//! The products of one side in lexicographic order, and the merge of two such streams: the search as it was published.

use super::list::{Match, ProductSet};
use super::permutation::{Permutation, VALUES};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// The products of a side in lexicographic order, equal ones one after another.
///
/// A heap holds the next product of each left factor. What is taken from it is replaced by its successor, which the trie
/// gives. So there are as many products in memory as there are left factors: 16 bytes each.
pub struct Products<'a> {
    side: &'a ProductSet,
    heap: BinaryHeap<Reverse<u128>>,
}

/// One product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// The product.
    pub permutation: Permutation,
    /// The number of its left factor.
    pub factor: u32,
}

impl<'a> Products<'a> {
    /// All products.
    pub fn new(side: &'a ProductSet) -> Products<'a> {
        Products::from(side, Permutation::beginning(&[]))
    }

    /// The products from this word on.
    pub fn from(side: &'a ProductSet, least: Permutation) -> Products<'a> {
        let mut products = Products { side, heap: BinaryHeap::with_capacity(side.factors.len()) };
        let entries = (0..side.factors.len() as u32).filter_map(|factor| products.least(factor, least));
        products.heap = entries.collect();
        products
    }

    /// The least product of one left factor from a word on, as the heap keeps it.
    fn least(&self, factor: u32, least: Permutation) -> Option<Reverse<u128>> {
        let ProductSet { factors, list } = self.side;
        let product = list.trie.least_product(&list.permutations, &factors[factor as usize], least)?;
        Some(Reverse(product.with_number(factor)))
    }
}

impl Iterator for Products<'_> {
    type Item = Product;

    fn next(&mut self) -> Option<Product> {
        let &Reverse(top) = self.heap.peek()?;
        let (permutation, factor) = Permutation::and_number(top);
        let successor = self.least(factor, permutation.next());
        let mut place = self.heap.peek_mut()?;
        match successor {
            Some(successor) => *place = successor,
            None => drop(PeekMut::pop(place)),
        }
        Some(Product { permutation, factor })
    }
}

/// Merges the products of both sides whose first value is `first`, and calls `on_match` with all that are equal. Gives how
/// many products were generated. It stops when `is_stopped` says so, which it checks from time to time.
pub fn merge(
    sides: [&ProductSet; 2],
    first: u8,
    on_match: &mut dyn FnMut(Match),
    is_stopped: &dyn Fn() -> bool,
) -> u64 {
    debug_assert!(usize::from(first) < VALUES);
    let [mut left, mut right] = sides.map(|side| {
        let products = Products::from(side, Permutation::beginning(&[first]));
        products.take_while(move |product| product.permutation.value(0) == first).peekable()
    });
    let mut generated = 0;
    let number = |side: &ProductSet, product: Product| {
        side.list.trie.number(&side.factors[product.factor as usize], product.permutation) as u32
    };
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
            let mut equal = Vec::new();
            while let Some(product) = left.next_if(|product| product.permutation == a.permutation) {
                equal.push([product.factor, number(sides[0], product)]);
                generated += 1;
            }
            while let Some(product) = right.next_if(|product| product.permutation == a.permutation) {
                let right = [product.factor, number(sides[1], product)];
                equal.iter().for_each(|&left| on_match(Match { left, right }));
                generated += 1;
            }
        }
    }
    generated
}
