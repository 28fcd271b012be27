//! Both streams at once: down the words that both sides can begin, and only those.
//!
//! ```text
//! descend(place, left pairs, right pairs):          pairs (x, node): the products of x below the node begin with the word
//!     for each value that x·(values of the node) has on both sides, in order
//!         descend(place + 1, the left pairs with it, the right pairs with it)
//! ```
//!
//! A word that no product of one side begins with ends the matter for all products of the other side that do, and they
//! are never generated. The words come in lexicographic order; the pairs of a word take the place of the heap.

use super::permutation::{PLACES, VALUES};
use super::side::{Match, Side};
use super::trie::{Node, values};

/// The products of a left factor below a node of the trie.
#[derive(Clone, Copy, Debug, Default)]
struct Pair {
    factor: u32,
    node: Node,
}

/// The descent below some words.
pub struct Descent<'a> {
    sides: [&'a Side; 2],
    /// The pairs of both sides below each place.
    pairs: Vec<[Vec<Pair>; 2]>,
    /// Partial products generated: products with one more value, those that end at once among them.
    pub generated: u64,
    on_match: &'a mut dyn FnMut(Match),
    is_stopped: &'a dyn Fn() -> bool,
}

/// Below this place nobody asks whether to stop.
const ASK_ABOVE: usize = 6;

impl<'a> Descent<'a> {
    /// A descent over two sides. It calls `on_match` with all equal products, and leaves off where `is_stopped` says so.
    pub fn new(
        sides: [&'a Side; 2],
        on_match: &'a mut dyn FnMut(Match),
        is_stopped: &'a dyn Fn() -> bool,
    ) -> Descent<'a> {
        let pairs = (0..PLACES).map(|_| [Vec::new(), Vec::new()]).collect();
        Descent { sides, pairs, generated: 0, on_match, is_stopped }
    }

    /// Goes through the products that begin with these values.
    pub fn below(&mut self, beginning: &[u8]) {
        let roots = self.sides.map(|side| pairs_below(side, beginning));
        let mut pairs = std::mem::take(&mut self.pairs);
        self.descend(beginning.len(), [&roots[0], &roots[1]], &mut pairs[beginning.len()..]);
        self.pairs = pairs;
    }

    /// How many bytes its pairs take.
    pub fn bytes(&self) -> usize {
        self.pairs.iter().flatten().map(|pairs| pairs.capacity() * size_of::<Pair>()).sum()
    }

    fn descend(&mut self, place: usize, parents: [&[Pair]; 2], deeper: &mut [[Vec<Pair>; 2]]) {
        let Some((children, deeper)) = deeper.split_first_mut() else { return self.meet(parents) };
        // The side with fewer pairs is likely to have fewer images, and then the other need not be counted.
        let mut counts = [[0; VALUES]; 2];
        let mut ends = counts;
        for side in [0, 1] {
            counts[side] = self.count(side, place, parents[side]);
        }
        let both = |image: &usize| counts[0][*image] > 0 && counts[1][*image] > 0;
        let live = (0..VALUES).filter(both).fold(0, |set, image| set | 1 << image);
        if live == 0 {
            return;
        }
        for side in [0, 1] {
            ends[side] = self.sort(side, place, parents[side], (&counts[side], live), &mut children[side]);
        }
        for image in values(live).map(usize::from) {
            let [left, right] =
                [0, 1].map(|side| &children[side][ends[side][image] - counts[side][image]..ends[side][image]]);
            self.descend(place + 1, [left, right], deeper);
            if place < ASK_ABOVE && (self.is_stopped)() {
                return;
            }
        }
    }

    /// How many products with one more value each image has.
    fn count(&mut self, side: usize, place: usize, parents: &[Pair]) -> [usize; VALUES] {
        let Side { factors, list } = self.sides[side];
        let mut counts = [0; VALUES];
        let mut generated = 0;
        for pair in parents {
            let images = factors[pair.factor as usize].images(place);
            for value in values(pair.node.values(place, &list.permutations)) {
                counts[usize::from(images[usize::from(value)])] += 1;
                generated += 1;
            }
        }
        self.generated += generated;
        counts
    }

    /// Sorts the products with one more value by their images, those that are live. Gives where each image's end.
    fn sort(
        &self,
        side: usize,
        place: usize,
        parents: &[Pair],
        (counts, live): (&[usize; VALUES], u32),
        children: &mut Vec<Pair>,
    ) -> [usize; VALUES] {
        let Side { factors, list } = self.sides[side];
        let mut ends = [0; VALUES];
        let mut end = 0;
        for image in values(live).map(usize::from) {
            ends[image] = end;
            end += counts[image];
        }
        children.resize(end, Pair::default());
        for pair in parents {
            let images = factors[pair.factor as usize].images(place);
            for value in values(pair.node.values(place, &list.permutations)) {
                let image = usize::from(images[usize::from(value)]);
                if live >> image & 1 == 1 {
                    children[ends[image]] = Pair { factor: pair.factor, node: list.trie.child(pair.node, value) };
                    ends[image] += 1;
                }
            }
        }
        ends
    }

    /// All products of both sides are equal here.
    fn meet(&mut self, pairs: [&[Pair]; 2]) {
        let numbers = |pair: &Pair| [pair.factor, pair.node.leaf().expect("words end at leaves") as u32];
        for left in pairs[0].iter().map(numbers) {
            pairs[1].iter().map(numbers).for_each(|right| (self.on_match)(Match { left, right }));
        }
    }
}

/// The pairs of the products that begin with these values: at most one for each left factor.
fn pairs_below(side: &Side, beginning: &[u8]) -> Vec<Pair> {
    let Side { factors, list } = side;
    let pair = |(number, factor): (usize, &super::permutation::Factor)| {
        let mut node = list.trie.root();
        for (place, &image) in beginning.iter().enumerate() {
            let value = factor.value_of(place, image);
            if node.values(place, &list.permutations) >> value & 1 == 0 {
                return None;
            }
            node = list.trie.child(node, value);
        }
        Some(Pair { factor: number as u32, node })
    };
    factors.iter().enumerate().filter_map(pair).collect()
}
