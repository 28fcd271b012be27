//! The products of one side in lexicographic order, and the merge of two such streams: the search
//! as it was published.
//!
//! # Both streams at once: descent along the words that are prefixes on both sides
//!
//! ```text
//! descend(place, left pairs, right pairs):          pairs (x, node): the products of x below the node begin with the word
//!     for each value that x·(values of the node) has on both sides, in order
//!         descend(place + 1, the left pairs with it, the right pairs with it)
//! ```
//!
//! If no product of one side begins with a word, the products of the other side that do are never
//! generated. The words come in lexicographic order; the pairs of a word take the place of the
//! heap.

use super::list::{Match, ProductSet, TrieNode, values};
use super::permutation::{Factor, PLACES, PackedPermutation, VALUES};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// The products of a side in lexicographic order, equal ones one after another.
///
/// A heap holds the next product of each left factor. A product taken from it is replaced by its
/// successor, found by the trie. So there are as many products in memory as there are left factors:
/// 16 bytes each.
pub struct Products<'a> {
    side: &'a ProductSet,
    heap: BinaryHeap<Reverse<u128>>,
}

/// One product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// The product.
    pub permutation: PackedPermutation,
    /// The number of its left factor.
    pub factor: u32,
}

impl<'a> Products<'a> {
    /// Creates the stream of all products.
    pub fn new(side: &'a ProductSet) -> Products<'a> {
        Products::from(side, PackedPermutation::beginning(&[]))
    }

    /// Creates the stream of the products from this word on.
    pub fn from(side: &'a ProductSet, least: PackedPermutation) -> Products<'a> {
        let mut products = Products {
            side,
            heap: BinaryHeap::with_capacity(side.factors.len()),
        };
        let entries =
            (0..side.factors.len() as u32).filter_map(|factor| products.least(factor, least));
        products.heap = entries.collect();
        products
    }

    /// Returns the least product of one left factor from a word on, in the form stored in the heap.
    fn least(&self, factor: u32, least: PackedPermutation) -> Option<Reverse<u128>> {
        let ProductSet { factors, list } = self.side;
        let product = list.least_product(&factors[factor as usize], least)?;
        Some(Reverse(product.with_number(factor)))
    }
}

impl Iterator for Products<'_> {
    type Item = Product;

    fn next(&mut self) -> Option<Product> {
        let &Reverse(top) = self.heap.peek()?;
        let (permutation, factor) = PackedPermutation::and_number(top);
        let successor = self.least(factor, permutation.next());
        let mut place = self.heap.peek_mut()?;
        match successor {
            Some(successor) => *place = successor,
            None => drop(PeekMut::pop(place)),
        }
        Some(Product {
            permutation,
            factor,
        })
    }
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
        let products = Products::from(side, PackedPermutation::beginning(&[first]));
        products
            .take_while(move |product| product.permutation.value(0) == first)
            .peekable()
    });
    let mut generated = 0;
    let number = |side: &ProductSet, product: Product| {
        side.list
            .number(&side.factors[product.factor as usize], product.permutation) as u32
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
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    factor: u32,
    node: TrieNode,
}

/// A partial product with one more value.
#[derive(Clone, Copy, Debug, Default)]
struct Longer {
    parent: u32,
    value: u8,
    image: u8,
}

/// The descent below some words.
pub struct ProductDescent<'a> {
    sides: [&'a ProductSet; 2],
    /// The pairs of both sides below each place.
    pairs: Vec<[Vec<Pair>; 2]>,
    /// The partial products of the current word with one more value.
    longer: [Vec<Longer>; 2],
    /// Number of these partial products on each side.
    kept: [usize; 2],
    /// Number of partial products generated: products with one more value, including those that end
    /// at once.
    pub generated: u64,
    on_match: &'a mut dyn FnMut(Match),
    is_stopped: &'a dyn Fn() -> bool,
}

/// Number of elements by which the list of longer products grows.
const GROWTH: usize = 1 << 10;

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
        let pairs = (0..PLACES).map(|_| [Vec::new(), Vec::new()]).collect();
        ProductDescent {
            sides,
            pairs,
            longer: [const { Vec::new() }; 2],
            kept: [0; 2],
            generated: 0,
            on_match,
            is_stopped,
        }
    }

    /// Visits the products with this prefix of values, each below 24; the prefix may be empty.
    pub fn below(&mut self, beginning: &[u8]) {
        let roots = self.sides.map(|side| pairs_below(side, beginning));
        let mut pairs = std::mem::take(&mut self.pairs);
        self.descend(
            beginning.len(),
            [&roots[0], &roots[1]],
            &mut pairs[beginning.len()..],
        );
        self.pairs = pairs;
    }

    /// Returns the number of bytes used for the products below its prefixes.
    pub fn bytes(&self) -> usize {
        let pairs = self
            .pairs
            .iter()
            .flatten()
            .map(|pairs| pairs.capacity() * Self::PAIR_BYTES);
        pairs
            .chain(
                self.longer
                    .iter()
                    .map(|longer| longer.capacity() * size_of::<Longer>()),
            )
            .sum()
    }

    fn descend(&mut self, place: usize, parents: [&[Pair]; 2], deeper: &mut [[Vec<Pair>; 2]]) {
        let Some((children, deeper)) = deeper.split_first_mut() else {
            return self.meet(parents);
        };
        // The side with fewer pairs first: images that only the other side has are dropped at once.
        let few = usize::from(parents[1].len() < parents[0].len());
        let images = self.extend(few, place, parents[few], !0);
        let live = self.extend(1 - few, place, parents[1 - few], images);
        if live == 0 {
            return;
        }
        let ends = [0, 1].map(|side| self.sort(side, parents[side], live, &mut children[side]));
        let mut starts = [0, 0];
        for image in values(live) {
            let end = ends.map(|ends| ends[usize::from(image)]);
            let [left, right] = [0, 1].map(|side| &children[side][starts[side]..end[side]]);
            self.descend(place + 1, [left, right], deeper);
            starts = end;
            if place < ASK_ABOVE && (self.is_stopped)() {
                return;
            }
        }
    }

    /// Extends the products by one more value, out of the `wanted` images, and returns their
    /// images.
    fn extend(&mut self, side: usize, place: usize, parents: &[Pair], wanted: u32) -> u32 {
        let ProductSet { factors, list } = self.sides[side];
        let longer = &mut self.longer[side];
        let mut found = 0;
        let mut kept = 0;
        let mut generated = 0;
        for (parent, pair) in parents.iter().enumerate() {
            let of = factors[pair.factor as usize].images(place);
            if longer.len() < kept + VALUES {
                longer.resize(kept + GROWTH, Longer::default());
            }
            for value in values(list.values(pair.node, place)) {
                let image = of[usize::from(value)];
                let is_wanted = wanted >> image & 1;
                longer[kept] = Longer {
                    parent: parent as u32,
                    value,
                    image,
                };
                kept += is_wanted as usize;
                found |= is_wanted << image;
                generated += 1;
            }
        }
        self.generated += generated;
        self.kept[side] = kept;
        found
    }

    /// Sorts the live products with one more value by their images. Returns the end of each image's
    /// range.
    fn sort(
        &self,
        side: usize,
        parents: &[Pair],
        live: u32,
        children: &mut Vec<Pair>,
    ) -> [usize; VALUES] {
        let list = &self.sides[side].list;
        let longer = &self.longer[side][..self.kept[side]];
        let mut ends = [0; VALUES];
        longer
            .iter()
            .for_each(|longer| ends[usize::from(longer.image)] += 1);
        let mut end = 0;
        for image in values(live).map(usize::from) {
            end += std::mem::replace(&mut ends[image], end);
        }
        if children.len() < end {
            children.resize(end, Pair::default());
        }
        for &Longer {
            parent,
            value,
            image,
        } in longer
        {
            if live >> image & 1 == 1 {
                let Pair { factor, node } = parents[parent as usize];
                let end = &mut ends[usize::from(image)];
                children[*end] = Pair {
                    factor,
                    node: list.child(node, value),
                };
                *end += 1;
            }
        }
        ends
    }

    /// Reports all products of both sides, which are equal here.
    fn meet(&mut self, pairs: [&[Pair]; 2]) {
        let numbers = |pair: &Pair| {
            [
                pair.factor,
                pair.node.leaf().expect("words end at leaves") as u32,
            ]
        };
        for left in pairs[0].iter().map(numbers) {
            pairs[1]
                .iter()
                .map(numbers)
                .for_each(|right| (self.on_match)(Match { left, right }));
        }
    }
}

/// Returns the pairs of the products with this prefix: at most one for each left factor.
fn pairs_below(side: &ProductSet, beginning: &[u8]) -> Vec<Pair> {
    let ProductSet { factors, list } = side;
    let pair = |(number, factor): (usize, &Factor)| {
        let mut node = list.root();
        for (place, &image) in beginning.iter().enumerate() {
            let value = factor.value_of(place, image);
            if list.values(node, place) >> value & 1 == 0 {
                return None;
            }
            node = list.child(node, value);
        }
        Some(Pair {
            factor: number as u32,
            node,
        })
    };
    factors.iter().enumerate().filter_map(pair).collect()
}
