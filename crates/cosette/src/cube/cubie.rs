//! The twenty movable pieces and their slots: eight corners, twelve edges.
//!
//! A cubie has the name of its slot in the solved cube. Its facelets are numbered: a corner's
//! clockwise from the one on U or D; an edge's from the one on U or D, or on F or B if it has none
//! there. So a corner's axes are in the order (UD, RL, FB) or (UD, FB, RL), according to its
//! tetrad, and an edge's first axis depends on its slice alone.

use super::moves::Face::{self, B, D, F, L, R, U};
use std::fmt;

/// One of the eight corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Corner {
    Urf,
    Ufl,
    Ulb,
    Ubr,
    Dfr,
    Dlf,
    Dbl,
    Drb,
}

impl Corner {
    /// Number of corners.
    pub const COUNT: usize = 8;

    /// The eight corners.
    pub const ALL: [Corner; 8] = {
        use Corner::*;
        [Urf, Ufl, Ulb, Ubr, Dfr, Dlf, Dbl, Drb]
    };

    /// Returns the number of this corner, 0 to 7.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the three faces of its slot, clockwise from the one on U or D.
    pub const fn faces(self) -> [Face; 3] {
        [
            [U, R, F],
            [U, F, L],
            [U, L, B],
            [U, B, R],
            [D, F, R],
            [D, L, F],
            [D, B, L],
            [D, R, B],
        ][self as usize]
    }

    /// Returns its tetrad, 0 or 1: corners of one tetrad are reached from one another by half
    /// turns.
    pub const fn tetrad(self) -> u8 {
        [0, 1, 0, 1, 1, 0, 1, 0][self as usize]
    }
}

/// One of the twelve edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Edge {
    Ur,
    Uf,
    Ul,
    Ub,
    Dr,
    Df,
    Dl,
    Db,
    Fr,
    Fl,
    Bl,
    Br,
}

impl Edge {
    /// Number of edges.
    pub const COUNT: usize = 12;

    /// The twelve edges.
    pub const ALL: [Edge; 12] = {
        use Edge::*;
        [Ur, Uf, Ul, Ub, Dr, Df, Dl, Db, Fr, Fl, Bl, Br]
    };

    /// Returns the number of this edge, 0 to 11.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the two faces of its slot; flips are measured from the first.
    pub const fn faces(self) -> [Face; 2] {
        [
            [U, R],
            [U, F],
            [U, L],
            [U, B],
            [D, R],
            [D, F],
            [D, L],
            [D, B],
            [F, R],
            [F, L],
            [B, L],
            [B, R],
        ][self as usize]
    }

    /// Returns its slice, numbered by the axis it does *not* touch: 0 for the edges between U and
    /// D, 1 for those between R and L, 2 for those between F and B.
    pub const fn slice(self) -> u8 {
        [2, 1, 2, 1, 2, 1, 2, 1, 0, 0, 0, 0][self as usize]
    }
}

impl fmt::Display for Corner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.faces().iter().try_for_each(|face| write!(f, "{face}"))
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.faces().iter().try_for_each(|face| write!(f, "{face}"))
    }
}
