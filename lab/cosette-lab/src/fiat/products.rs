//! The products of one side in lexicographic order, and the merge of two such streams.

use super::list::ProductSet;
use super::permutation::PackedPermutation;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

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
