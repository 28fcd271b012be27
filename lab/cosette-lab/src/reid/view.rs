//! A node of the search: the cosets of a position along three axes, as classes with symmetries.
//!
//! A rotation of order three carries the axis of U and D to that of R and L, and again to that of F and B. The position
//! and its two conjugates are seen along one axis each, and looked up in one table.
//!
//! A view is the class of its slots and flips, the symmetry s that brings them to the representative, and the twist.
//! After a move m the slots and flips of the representative are turned by the conjugate of m, so that one row of a
//! table, 72 bytes, holds what all moves of a node lead to:
//!
//! ```text
//! (class, s)·m = (class′, s·t)        where the representative, turned by s⁻¹·m·s, is brought to that of class′ by t
//! ```
//!
//! What did not pay, in million nodes a second of one thread, half-turn metric, threshold 14 of the position of
//! Nargolkar's appendix B. The four were measured with an earlier loop and beside other work, so they tell little more
//! than the order; what the search reaches now stands in the experiment `speed`.
//!
//! | nodes | million a second |
//! |---|---|
//! | classes with symmetries, the children of a node looked up together (kept) | 12 to 23 |
//! | slots and flips turned in small tables, the class looked up among 1,013,760 raw coordinates | 12 to 19 |
//! | raw coordinates turned by a table of 73 MB | 8 to 22 |
//! | small tables, one child looked up after the other | 6.5 to 9.4 |
//!
//! Not tried: prefetching the entries before they are read.

use super::classes::Classes;
use super::coset::{AXIS_SYMMETRIES, AxisSymmetry, Coset, Maps, TWISTS};
use cosette::cube::{Cube, Face, Move, Symmetry};
use std::sync::LazyLock;

/// A coset as its class, the symmetry that brings it to the representative, and its twist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    class: u16,
    twist: u16,
    symmetry: u8,
}

/// A position seen along the three axes.
pub type Views = [View; 3];

/// The tables to turn views and to find their entries.
pub struct Lookup {
    maps: &'static Maps,
    /// For each class and move: 16 · class + symmetry of the representative turned.
    turned: Vec<[u32; Move::COUNT]>,
    /// The views' rotations.
    rotations: [Symmetry; 3],
    /// Each move as it is seen along each axis.
    seen: [[Move; Move::COUNT]; 3],
    /// The same, conjugated by each symmetry.
    conjugated: [[[Move; Move::COUNT]; AXIS_SYMMETRIES]; 3],
    /// Products of the symmetries.
    then: [[u8; AXIS_SYMMETRIES]; AXIS_SYMMETRIES],
}

impl Lookup {
    /// The tables; computed at the first call, in about a tenth of a second.
    pub fn get() -> &'static Lookup {
        static LOOKUP: LazyLock<Lookup> = LazyLock::new(Lookup::compute);
        &LOOKUP
    }

    fn compute() -> Lookup {
        let (maps, classes) = (Maps::get(), Classes::get());
        let third = Symmetry::all()
            .find(|s| s.face(Face::U) == Face::R && s.face(Face::R) == Face::F && s.face(Face::F) == Face::U)
            .expect("there is a rotation about the corner URF");
        let rotations = [Symmetry::IDENTITY, third, third.then(third)];
        let sixteen: [Symmetry; AXIS_SYMMETRIES] = std::array::from_fn(|s| AxisSymmetry::from_index(s).symmetry());
        let number = |s: Symmetry| sixteen.iter().position(|&other| other == s).expect("the sixteen are a group");
        let turned = |class: usize, m: Move| {
            let (class, s) = classes.turned(maps, class, m);
            (class * AXIS_SYMMETRIES + s.index()) as u32
        };
        Lookup {
            maps,
            turned: (0..Classes::COUNT).map(|class| Move::ALL.map(|m| turned(class, m))).collect(),
            rotations,
            seen: rotations.map(|rotation| Move::ALL.map(|m| rotation.conjugate_move(m))),
            conjugated: rotations
                .map(|rotation| sixteen.map(|s| Move::ALL.map(|m| rotation.then(s).conjugate_move(m)))),
            then: sixteen.map(|s| sixteen.map(|t| number(s.then(t)) as u8)),
        }
    }

    /// The three views of a position.
    pub fn views(&self, position: &Cube) -> Views {
        self.rotations.map(|rotation| {
            let coset = Coset::of(&position.conjugate(rotation));
            let (class, s) = Classes::get().of(coset.raw());
            View { class: class as u16, twist: coset.twist, symmetry: s.index() as u8 }
        })
    }

    /// The views after a move.
    #[inline(always)]
    pub fn turned(&self, views: &Views, m: Move) -> Views {
        [self.view_turned(views, 0, m), self.view_turned(views, 1, m), self.view_turned(views, 2, m)]
    }

    /// The view along one axis after a move.
    #[inline(always)]
    pub fn view_turned(&self, views: &Views, axis: usize, m: Move) -> View {
        let View { class, twist, symmetry } = views[axis];
        let s = usize::from(symmetry) % AXIS_SYMMETRIES;
        let turned = self.turned[usize::from(class)][self.conjugated[axis][s][m.index()].index()] as usize;
        View {
            class: (turned / AXIS_SYMMETRIES) as u16,
            twist: self.maps.twists_turned[usize::from(twist)][self.seen[axis][m.index()].index()],
            symmetry: self.then[s][turned % AXIS_SYMMETRIES],
        }
    }

    /// The entry of a view in a table of all cosets.
    #[inline(always)]
    pub fn entry(&self, view: View) -> usize {
        let twists = &self.maps.twists_conjugated[usize::from(view.symmetry)];
        usize::from(view.class) * TWISTS + usize::from(twists[usize::from(view.twist)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reid::table;
    use cosette::cube::random_positions;

    #[test]
    fn views_turn_as_positions_do() {
        let lookup = Lookup::get();
        // Beside a stabilizer, the places of one entry count as the first of them.
        let first_twin = |entry: usize| {
            let (class, twist) = (entry / TWISTS, entry % TWISTS);
            let twins = Classes::get().stabilizer(class).map(|s| Maps::get().twists_conjugated[s.index()][twist]);
            (class, twins.min())
        };
        let entry = |coset| first_twin(table::entry(Maps::get(), Classes::get(), coset));
        let entries = |views: Views| views.map(|view| first_twin(lookup.entry(view)));
        for position in random_positions(2).take(100) {
            let views = lookup.views(&position);
            for m in Move::ALL {
                let after = position.turned(m);
                let cosets = lookup.rotations.map(|rotation| Coset::of(&after.conjugate(rotation)));
                assert_eq!(entries(lookup.turned(&views, m)), entries(lookup.views(&after)));
                assert_eq!(entries(lookup.turned(&views, m)), cosets.map(entry));
            }
        }
    }
}
