//! Positions as permutations that are compared like words: the order of the slots, and products.
//!
//! A cubie and its orientation are one *value* of 24: edge and flip are 2 · cubie + flip, corner
//! and twist 3 · cubie + twist. A permutation is the word of its twenty values, slot by slot in one
//! fixed order, five bits each: 100 bits of an integer, and the integers are ordered as the words
//! are.

use cosette::cube::{Corner, Cube, Edge};

/// Number of slots, and of values in a word.
pub const PLACES: usize = 20;

/// Number of values: 12 edges in two orientations, or 8 corners in three.
pub const VALUES: usize = 24;

const BITS: u32 = 5;

/// A slot.
#[derive(Clone, Copy)]
enum SlotKind {
    Edge(Edge),
    Corner(Corner),
}

/// The order of comparison: a corner with its three edges, then their neighbors, and so on.
const ORDER: [SlotKind; PLACES] = {
    use SlotKind::{Corner as C, Edge as E};
    [
        C(Corner::Urf),
        E(Edge::Ur),
        E(Edge::Uf),
        E(Edge::Fr),
        C(Corner::Ufl),
        E(Edge::Ul),
        E(Edge::Fl),
        E(Edge::Ub),
        C(Corner::Ulb),
        E(Edge::Bl),
        E(Edge::Br),
        C(Corner::Ubr),
        E(Edge::Dr),
        E(Edge::Df),
        E(Edge::Dl),
        E(Edge::Db),
        C(Corner::Dfr),
        C(Corner::Dlf),
        C(Corner::Dbl),
        C(Corner::Drb),
    ]
};

/// For each place, 1 if the values are those of corners, and 0 if they are those of edges.
const KINDS: [usize; PLACES] = {
    let mut kinds = [0; PLACES];
    let mut place = 0;
    while place < PLACES {
        kinds[place] = matches!(ORDER[place], SlotKind::Corner(_)) as usize;
        place += 1;
    }
    kinds
};

/// A position as a word of twenty values. The order is that of the words: that of the values at the
/// first place, then at the second, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackedPermutation(u128);

impl PackedPermutation {
    /// The first of all words, which is that of no position.
    pub(super) const FIRST: PackedPermutation = PackedPermutation(0);

    /// Returns the word of a position.
    pub fn of(position: &Cube) -> PackedPermutation {
        PackedPermutation::from_values(|place| match ORDER[place] {
            SlotKind::Edge(slot) => {
                let (cubie, flip) = position.edge(slot);
                2 * cubie.index() as u8 + flip
            }
            SlotKind::Corner(slot) => {
                let (cubie, twist) = position.corner(slot);
                3 * cubie.index() as u8 + twist
            }
        })
    }

    /// Creates the word with these values at each place.
    #[inline(always)]
    pub(super) fn from_values(value: impl Fn(usize) -> u8) -> PackedPermutation {
        PackedPermutation(
            (0..PLACES).fold(0, |word, place| word << BITS | u128::from(value(place))),
        )
    }

    /// Returns the least word, of a position or not, that begins with this value.
    pub(super) fn beginning(first: u8) -> PackedPermutation {
        PackedPermutation(u128::from(first) << (BITS * (PLACES as u32 - 1)))
    }

    /// The value at a place.
    #[inline(always)]
    pub fn value(self, place: usize) -> u8 {
        (self.0 >> (BITS * (PLACES - 1 - place) as u32)) as u8 & ((1 << BITS) - 1)
    }

    /// Returns the next word, of a position or not.
    pub(super) fn next(self) -> PackedPermutation {
        PackedPermutation(self.0 + 1)
    }
}

/// The action of a position on values as the left factor of a product: (x·y)\[i\] = x\[y\[i\]\].
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// For edges and for corners, the image of each value.
    images: [[u8; VALUES]; 2],
}

impl Factor {
    /// Creates a left factor from a position.
    pub fn of(position: PackedPermutation) -> Factor {
        let mut images = [[0; VALUES]; 2];
        for (place, slot) in ORDER.into_iter().enumerate() {
            let value = position.value(place);
            match slot {
                SlotKind::Edge(slot) => {
                    for flip in 0..2 {
                        images[0][2 * slot.index() + flip] = value ^ flip as u8;
                    }
                }
                SlotKind::Corner(slot) => {
                    for twist in 0..3 {
                        let turned = (value % 3 + twist as u8) % 3;
                        images[1][3 * slot.index() + twist] = value / 3 * 3 + turned;
                    }
                }
            }
        }
        Factor { images }
    }

    /// The product: first this position, then `next`.
    #[inline(always)]
    pub fn product(&self, next: PackedPermutation) -> PackedPermutation {
        PackedPermutation::from_values(|place| self.image(place, next.value(place)))
    }

    /// The image of a value at a place.
    #[inline(always)]
    pub(super) fn image(&self, place: usize, value: u8) -> u8 {
        self.images[KINDS[place]][usize::from(value)]
    }
}
