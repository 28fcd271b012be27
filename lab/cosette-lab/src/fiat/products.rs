//! The products of one side in lexicographic order, and the merge of two such streams: the search
//! as it was published.
//!
//! # Both streams at once: descent along the words that are prefixes on both sides
//!
//! ```text
//! descend(place, left pairs, right pairs):
//!     (a pair is a left factor x and a node: the products of x below the node begin with the word)
//!     for each value that x·(values of the node) has on both sides, in order
//!         descend(place + 1, the left pairs with it, the right pairs with it)
//! ```
//!
//! If no product of one side begins with a word, the products of the other side that do are never
//! generated. The words come in lexicographic order; the pairs of a word take the place of the
//! heap.

use super::list::{Match, ProductSet, TrieNode, values};
use super::permutation::{PLACES, PackedPermutation, VALUES};
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
    /// The number of its left factor.
    pub factor: u32,
}

impl<'a> Products<'a> {
    /// Creates the stream of all products.
    pub fn new(side: &'a ProductSet) -> Products<'a> {
        Products::from(side, PackedPermutation::FIRST)
    }

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
        match least_product(self.side, product.factor, product.permutation.next()) {
            Some(successor) => *top = Reverse(successor),
            None => drop(PeekMut::pop(top)),
        }
        Some(product)
    }
}

/// Returns the least product of one left factor from a word on.
fn least_product(side: &ProductSet, factor: u32, least: PackedPermutation) -> Option<Product> {
    let permutation = side
        .list
        .least_product(&side.factors[factor as usize], least)?;
    Some(Product {
        permutation,
        factor,
    })
}

/// Merges the products of both sides whose first value is `first`, and calls `on_match` with all
/// equal ones. Returns the number of products generated. It stops when `is_stopped` returns `true`,
/// which it checks from time to time.
pub fn merge(
    sides: [&ProductSet; 2],
    first: u8,
    on_match: &mut dyn FnMut(Match),
    is_stopped: &dyn Fn() -> bool,
) -> u64 {
    debug_assert!(usize::from(first) < VALUES);
    let [mut left, mut right] = sides.map(|side| {
        let products = Products::from(side, PackedPermutation::beginning(first));
        products
            .take_while(move |product| product.permutation.value(0) == first)
            .peekable()
    });
    let mut generated = 0;
    let number = |side: &ProductSet, product: Product| {
        let factor = &side.factors[product.factor as usize];
        let node = side.list.node(factor, product.permutation.values());
        leaf_number(node.expect("it is a product of the list"))
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
            while let Some(product) = right.next_if(|product| product.permutation == a.permutation)
            {
                let right = [product.factor, number(sides[1], product)];
                equal
                    .iter()
                    .for_each(|&left| on_match(Match { left, right }));
                generated += 1;
            }
        }
    }
    generated
}

/// The products of a left factor below a node of the trie.
#[derive(Clone, Copy, Debug)]
struct Pair {
    factor: u32,
    node: TrieNode,
}

/// The pairs whose products have the same next value, by that value.
type PairsByValue = [Vec<Pair>; VALUES];

/// The descent below some words.
pub struct ProductDescent<'a> {
    sides: [&'a ProductSet; 2],
    /// The pairs of both sides at each place; all are empty but those of the current word.
    pairs: Vec<[PairsByValue; 2]>,
    /// Number of partial products generated: products with one more value, including those that end
    /// at once.
    pub generated: u64,
    on_match: &'a mut dyn FnMut(Match),
    is_stopped: &'a dyn Fn() -> bool,
}

/// The place from which on cancellation is no longer checked.
const ASK_ABOVE: usize = 6;

impl<'a> ProductDescent<'a> {
    /// Number of bytes of a left factor and a node of the trie.
    pub const PAIR_BYTES: usize = size_of::<Pair>();

    /// Creates a descent over two sides. It calls `on_match` with all equal products, and stops
    /// when `is_stopped` returns `true`.
    pub fn new(
        sides: [&'a ProductSet; 2],
        on_match: &'a mut dyn FnMut(Match),
        is_stopped: &'a dyn Fn() -> bool,
    ) -> ProductDescent<'a> {
        let none = || [const { Vec::new() }; VALUES];
        ProductDescent {
            sides,
            pairs: (0..PLACES).map(|_| [none(), none()]).collect(),
            generated: 0,
            on_match,
            is_stopped,
        }
    }

    /// Visits the products with this prefix of values, each below 24; the prefix may be empty.
    pub fn below(&mut self, beginning: &[u8]) {
        let roots = self.sides.map(|side| pairs_below(side, beginning));
        let place = beginning.len();
        let mut pairs = std::mem::take(&mut self.pairs);
        self.descend(place, [&roots[0], &roots[1]], &mut pairs[place..]);
        self.pairs = pairs;
    }

    /// Returns the number of bytes used for the products below its prefixes.
    pub fn bytes(&self) -> usize {
        let pairs = self.pairs.iter().flatten().flatten();
        pairs.map(|pairs| pairs.capacity() * Self::PAIR_BYTES).sum()
    }

    fn descend(&mut self, place: usize, parents: [&[Pair]; 2], deeper: &mut [[PairsByValue; 2]]) {
        let Some((children, deeper)) = deeper.split_first_mut() else {
            return self.meet(parents);
        };
        // The side with fewer pairs first: images that only the other side has are dropped at once.
        let few = usize::from(parents[1].len() < parents[0].len());
        let many = 1 - few;
        let images = self.extend(few, place, parents[few], !0, &mut children[few]);
        let shared = self.extend(many, place, parents[many], images, &mut children[many]);
        for image in values(shared).map(usize::from) {
            let [left, right] = &*children;
            self.descend(place + 1, [&left[image], &right[image]], deeper);
            if place < ASK_ABOVE && (self.is_stopped)() {
                break;
            }
        }
        for image in values(images).map(usize::from) {
            children.iter_mut().for_each(|side| side[image].clear());
        }
    }

    /// Extends the products by one more value, and sorts those with one of the `wanted` images by
    /// it. Returns the images that there are.
    fn extend(
        &mut self,
        side: usize,
        place: usize,
        parents: &[Pair],
        wanted: u32,
        children: &mut PairsByValue,
    ) -> u32 {
        let ProductSet { factors, list } = self.sides[side];
        let mut found = 0;
        for &Pair { factor, node } in parents {
            let images = factors[factor as usize].images(place);
            for value in values(list.values(node, place)) {
                let image = images[usize::from(value)];
                self.generated += 1;
                if wanted >> image & 1 == 1 {
                    found |= 1 << image;
                    let node = list.child(node, value);
                    children[usize::from(image)].push(Pair { factor, node });
                }
            }
        }
        found
    }

    /// Reports all products of both sides, which are equal here.
    fn meet(&mut self, [left, right]: [&[Pair]; 2]) {
        let numbers = |pair: &Pair| [pair.factor, leaf_number(pair.node)];
        for one in left {
            for other in right {
                (self.on_match)(Match {
                    left: numbers(one),
                    right: numbers(other),
                });
            }
        }
    }
}

/// Returns the number of the permutation at the end of a word.
fn leaf_number(node: TrieNode) -> u32 {
    node.leaf().expect("words end at leaves") as u32
}

/// Returns the pairs of the products with this prefix: at most one for each left factor.
fn pairs_below(side: &ProductSet, beginning: &[u8]) -> Vec<Pair> {
    let factors = (0..).zip(&side.factors);
    let pairs = factors.filter_map(|(number, factor)| {
        Some(Pair {
            factor: number,
            node: side.list.node(factor, beginning.iter().copied())?,
        })
    });
    pairs.collect()
}
