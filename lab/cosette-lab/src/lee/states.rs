//! Sets of states in memory: the positions within some moves of one, with their distances.
//!
//! Around solved, with one position of each symmetry class and all facelets visible, such a set is
//! the *perimeter*: the 109,043,123 positions within seven moves are of 2,273,804 classes,
//! 1,441,386,411 within eight of 30,035,907. With some facelets visible it is the backward space of
//! a partial problem.

use super::Perimeter;
use super::painting::{Painting, Selection};
use crate::error::LabError;
use crate::lab::Lab;
use cosette::Control;
use cosette::cube::{Cube, Face, Move};
use rayon::prelude::*;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The numbers of painted positions, each with a value below 16, in eight bytes of an open hash
/// table, at most three quarters full: the number in 60 bits, the value in four.
#[derive(Debug)]
pub struct StateSet {
    slots: Vec<u64>,
    /// Number of occupied slots.
    filled: usize,
}

const EMPTY: u64 = u64::MAX;

impl StateSet {
    /// Generates the painted positions within a radius of a center, breadth first; their values are
    /// the distances. Positions with the same number count as one; the first one found is passed to
    /// `on_new` with its distance, which may end the search.
    ///
    /// # Panics
    /// Panics if the radius exceeds 15.
    pub fn around(
        painting: &Painting,
        center: &Cube,
        radius: u8,
        mut on_new: impl FnMut(&Cube, u8) -> ControlFlow<()>,
        control: &Control<'_>,
    ) -> Result<StateSet, LabError> {
        assert!(radius < 16, "distances take four bits");
        let mut states = StateSet {
            slots: vec![EMPTY; 64],
            filled: 0,
        };
        states.insert(painting.number(center), 0);
        if on_new(center, 0) == Break(()) {
            return Ok(states);
        }
        let mut level = vec![(*center, None)];
        for distance in 1..=radius {
            control.report(distance.into(), radius.into());
            let mut next = Vec::new();
            for (i, (position, last)) in level.iter().enumerate() {
                if i % 1024 == 0 && control.is_cancelled() {
                    return Err(LabError::Cancelled);
                }
                // Other moves of the face that turned last reach the same positions.
                for m in Move::ALL.into_iter().filter(|m| Some(m.face()) != *last) {
                    let child = position.apply(m);
                    if states.insert(painting.number(&child), distance) {
                        if on_new(&child, distance) == Break(()) {
                            return Ok(states);
                        }
                        if distance < radius {
                            next.push((child, Some(m.face())));
                        }
                    }
                }
            }
            level = next;
        }
        Ok(states)
    }

    /// Returns the value of a number, if it is in the set.
    #[inline(always)]
    pub fn get(&self, number: u64) -> Option<u8> {
        let slot = self.slots[self.slot_of(number)];
        (slot != EMPTY).then_some((slot & 15) as u8)
    }

    /// Replaces the value of a number by a greater one; returns `false` if the number is not in the
    /// set, or its value not less.
    pub fn raise(&mut self, number: u64, value: u8) -> bool {
        let at = self.slot_of(number);
        let is_raised = self.slots[at] != EMPTY && self.slots[at] & 15 < u64::from(value);
        if is_raised {
            self.slots[at] = number << 4 | u64::from(value);
        }
        is_raised
    }

    /// Returns all numbers, in no particular order.
    pub fn numbers(&self) -> impl Iterator<Item = u64> {
        let filled = self.slots.iter().filter(|&&slot| slot != EMPTY);
        filled.map(|slot| slot >> 4)
    }

    /// Returns the number of entries.
    pub fn count(&self) -> u64 {
        self.filled as u64
    }

    /// Returns the slot of a number, or the empty slot for it.
    #[inline(always)]
    fn slot_of(&self, number: u64) -> usize {
        let mut at = spread(number, self.slots.len());
        while self.slots[at] != EMPTY && self.slots[at] >> 4 != number {
            at += 1;
            if at == self.slots.len() {
                at = 0;
            }
        }
        at
    }

    /// Inserts a number if it is new.
    fn insert(&mut self, number: u64, value: u8) -> bool {
        let at = self.slot_of(number);
        if self.slots[at] != EMPTY {
            return false;
        }
        self.slots[at] = number << 4 | u64::from(value);
        self.filled += 1;
        if self.filled * 4 > self.slots.len() * 3 {
            let wider = vec![EMPTY; self.slots.len() * 3 / 2];
            for slot in std::mem::replace(&mut self.slots, wider) {
                if slot != EMPTY {
                    let at = self.slot_of(slot >> 4);
                    self.slots[at] = slot;
                }
            }
        }
        true
    }
}

/// Returns an index below `count`, distributed evenly for any set of numbers.
#[inline(always)]
fn spread(number: u64, count: usize) -> usize {
    let folded = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (folded ^ (folded >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((u128::from(mixed) * count as u128) >> 64) as usize
}

/// A set of numbers, a bit for each, that seems to hold one in sixteen of the others.
#[derive(Debug)]
struct Marks(Vec<AtomicU64>);

impl Marks {
    /// Creates the empty set, with room for `room` numbers.
    fn new(room: usize) -> Marks {
        let words = std::iter::repeat_with(AtomicU64::default);
        Marks(words.take(room / 4 + 1).collect())
    }

    #[inline(always)]
    fn place(&self, number: u64) -> (&AtomicU64, u64) {
        let bit = spread(number, self.0.len() * 64);
        (&self.0[bit / 64], 1 << (bit % 64))
    }

    fn insert(&self, number: u64) {
        let (word, bit) = self.place(number);
        word.fetch_or(bit, Relaxed);
    }

    #[inline(always)]
    fn contains(&self, number: u64) -> bool {
        let (word, bit) = self.place(number);
        word.load(Relaxed) & bit != 0
    }
}

/// The painted positions within a depth of solved, one of each symmetry class.
#[derive(Debug)]
pub struct BackwardSpace {
    painting: Painting,
    depth: u8,
    states: StateSet,
    /// The classes to one move beyond the depth, and a few others, if they are marked.
    marks: Option<Marks>,
    /// Number of painted positions of each distance, counting all members of a class.
    counts: Vec<u64>,
}

impl BackwardSpace {
    /// Generates the perimeter: all positions within `depth` moves of solved; 29 MB and some
    /// seconds for seven, 0.3 GB for eight.
    pub fn perimeter(depth: u8, lab: &Lab<'_>) -> Result<BackwardSpace, LabError> {
        let control = lab.control.step("generating the perimeter");
        BackwardSpace::visiting(&Selection::faces(&Face::ALL), depth, &control, |_, _| {})
    }

    /// Generates the backward space of the problem in which these facelets are visible. If the
    /// classes one move beyond the depth `are_marked`, which takes as long as a forward space of
    /// seven moves, forward spaces are generated faster.
    pub fn new(
        selection: &Selection,
        depth: u8,
        are_marked: bool,
        lab: &Lab<'_>,
    ) -> Result<BackwardSpace, LabError> {
        let step = "generating the backward space of a partial problem";
        let mut farthest = Vec::new();
        let on_new = |position: &Cube, distance: u8| {
            if are_marked && distance == depth {
                farthest.push(*position);
            }
        };
        let mut space = BackwardSpace::visiting(selection, depth, &lab.control.step(step), on_new)?;
        if are_marked {
            let marks = Marks::new(farthest.len() * Move::COUNT);
            space.states.numbers().for_each(|class| marks.insert(class));
            let mark = |position: &Cube| {
                for m in Move::ALL {
                    marks.insert(space.painting.number(&position.apply(m)));
                }
            };
            let farthest = farthest.par_iter().filter(|_| !lab.control.is_cancelled());
            lab.control.in_pool(|| farthest.for_each(mark))?;
            space.marks = Some(marks);
        }
        lab.check()?;
        Ok(space)
    }

    /// Generates a backward space; `on_new` is called with a position of each class and its
    /// distance.
    pub(super) fn visiting(
        selection: &Selection,
        depth: u8,
        control: &Control<'_>,
        mut on_new: impl FnMut(&Cube, u8),
    ) -> Result<BackwardSpace, LabError> {
        let painting = Painting::of_classes(selection);
        let mut counts = vec![0; usize::from(depth) + 1];
        let count = |position: &Cube, distance: u8| {
            counts[usize::from(distance)] += painting.class_size(position);
            on_new(position, distance);
            Continue(())
        };
        let states = StateSet::around(&painting, &Cube::SOLVED, depth, count, control)?;
        Ok(BackwardSpace {
            painting,
            depth,
            states,
            marks: None,
            counts,
        })
    }

    /// Returns the number of painted positions at each distance up to the depth.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of classes.
    pub fn classes(&self) -> u64 {
        self.states.count()
    }

    /// Returns the distance of a painted position from solved, if it is within the depth.
    #[inline(always)]
    pub fn get(&self, position: &Cube) -> Option<u8> {
        self.states.get(self.painting.number(position))
    }

    /// Returns the distance of a painted position, if it is at most one move beyond the depth.
    pub(super) fn up_to_one_beyond(&self, position: &Cube) -> Option<u8> {
        let class = self.painting.number(position);
        if self
            .marks
            .as_ref()
            .is_some_and(|marks| !marks.contains(class))
        {
            return None;
        }
        let mut neighbors = Move::ALL.iter().map(|&m| position.apply(m));
        self.states.get(class).or_else(|| {
            let is_next = neighbors.any(|neighbor| self.get(&neighbor).is_some());
            is_next.then_some(self.depth + 1)
        })
    }
}

impl Perimeter for BackwardSpace {
    fn depth(&self) -> u8 {
        self.depth
    }

    #[inline]
    fn distance(&self, position: &Cube) -> Result<Option<u8>, LabError> {
        Ok(self.get(position))
    }
}
