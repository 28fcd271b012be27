//! The estimates of the paper: what partial problems say, and what breaks ties.

use super::astar::Estimate;
use crate::lee::partial::partials::{Informed, Partials};
use cosette::cube::Cube;

/// The greatest value of a heuristic from stored backward spaces alone: the paper's heu6 and heu8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Most(u8);

impl Most {
    /// heu6: the backward spaces are read to depth 5, and what lies beyond counts six.
    pub const HEU6: Most = Most(6);
    /// heu8: the backward spaces are read to depth 7, and what lies beyond counts eight.
    pub const HEU8: Most = Most(8);
}

/// What the lower bound is.
pub enum Bound<'a> {
    /// Nothing but what the perimeter says.
    Nothing,
    /// What the backward spaces of partial problems say.
    Backward(&'a Partials, Most),
    /// What they say together with forward spaces.
    Informed(&'a Informed<'a>),
}

/// A lower bound, with what breaks ties.
pub struct Estimates<'a> {
    /// The lower bound.
    pub bound: Bound<'a>,
    /// Of nodes with one f those are expanded first for which this is least; none where only the order counts.
    pub ties: Option<(&'a Partials, Most)>,
}

impl Estimate for Estimates<'_> {
    fn bound(&self, position: &Cube, at_least: u8) -> u8 {
        match &self.bound {
            Bound::Backward(_, Most(most)) if *most <= at_least => 0,
            Bound::Nothing => 0,
            Bound::Backward(partials, Most(most)) => partials.backward(position, *most),
            Bound::Informed(informed) => informed.bound(position, at_least),
        }
    }

    fn tie(&self, position: &Cube) -> u8 {
        self.ties.map_or(0, |(partials, Most(most))| partials.backward(position, most))
    }
}
