//! Coordinates: ranks of the arrangements of corners or of edges that a goal distinguishes.
//!
//! A *pattern* is an arrangement in which pieces have labels instead of names. Pieces with the same
//! label are not distinguished, pieces with the label 0 are ignored, and the orientation of a label
//! may be ignored as well. A move acts on patterns as on positions. So the patterns that a
//! coordinate ranks are closed under moves, and the distance of a pattern to the goal patterns is a
//! lower bound for its positions.
//!
//! A goal is divided into coordinates of at most 50,000 patterns where possible, so that a pattern
//! database can combine several of them (`pattern_database`):
//!
//! - all pieces of a kind in one coordinate, if it is small enough;
//! - or, if every piece has to be oriented, the orientations of all pieces and, separately, their
//!   slots;
//! - or a few pieces at a time, and also the orientations of all pieces if every piece has to be
//!   oriented.
//!
//! Only patterns that the allowed turns reach count. For example, U, D and half turns of the other
//! faces twist and flip nothing, and never exchange the edges of the middle layer with other edges.

use super::definition::{ANY, Mask, PieceKind, SlotOrientations, half_turn_arrangements};
use super::turns::FaceEffect;
use crate::control::Control;
use crate::cube::{Cube, Move};
use std::collections::HashMap;

/// Maximum number of patterns of a coordinate; larger coordinates are split. If all its pieces have
/// one label, a coordinate cannot be split and may exceed this.
const MAX_PATTERNS: u64 = 50_000;
/// Maximum number of patterns of a coordinate of a few pieces: three edges have 10,560, four edges
/// without orientation 11,880.
const MAX_SMALL_PATTERNS: u64 = 12_000;

/// Upper bound on the number of coordinates of a goal: at most seven of edges and four of corners.
pub(super) const MAX_COORDINATES: usize = 12;

/// A constraint, and the numbers of the pieces that have it.
type PieceClass = (SlotOrientations, Vec<usize>);

/// A ranking of the patterns that moves reach from the goal patterns, with a table of moves.
pub(super) struct Coordinate {
    labels: Labels,
    /// The rank of each pattern, by its key.
    ranks: HashMap<u64, u32>,
    /// The rank of the pattern after a move, by rank and move.
    next: Vec<[u32; Move::COUNT]>,
    /// Number of goal patterns, which have the first ranks.
    goal_len: usize,
}

/// The labels that distinguish the pieces of one kind.
#[derive(Clone)]
pub(super) struct Labels {
    kind: PieceKind,
    /// The label of each piece; 0 if the piece is ignored.
    pub of_piece: [u8; 12],
    /// By label: the allowed slots and orientations, and whether the orientation is distinguished.
    classes: Vec<(SlotOrientations, bool)>,
    /// `true` if patterns are identified whose labels differ by one of the 96 permutations that
    /// half turns make of the corners.
    half_turns: bool,
}

impl Coordinate {
    /// Returns coordinates that together decide whether a position is in `mask`. They rank only the
    /// patterns that the moves reach. `None` if the work is cancelled.
    pub fn from_mask(
        mask: &Mask,
        moves: &[Move],
        control: &Control<'_>,
    ) -> Option<Vec<Coordinate>> {
        let make = |labels, max| Coordinate::new(labels, moves, max, control);
        let coordinates = parts_of_mask(mask, moves, &make);
        // Of cancelled work, some coordinates are missing.
        (!control.is_cancelled()).then_some(coordinates)
    }

    /// Returns an upper bound on the number of patterns of each coordinate of `mask`, without
    /// generating them: the moves may not reach all.
    pub fn sizes(mask: &Mask, moves: &[Move]) -> Vec<u64> {
        let make = |labels: Labels, max| Some(labels.count()).filter(|&count| count <= max);
        parts_of_mask(mask, moves, &make)
    }

    /// Creates a coordinate; `None` if the moves reach more than `max` patterns from the goal
    /// patterns, or the work is cancelled.
    fn new(labels: Labels, moves: &[Move], max: u64, control: &Control<'_>) -> Option<Coordinate> {
        // All face turns together reach all patterns, so the count is enough.
        if moves.len() == Move::COUNT && labels.count() > max {
            return None;
        }
        let mut patterns = labels.goal_patterns(max);
        let goal_len = patterns.len();
        let keys = patterns.iter().map(|pattern| labels.key(pattern));
        let mut ranks: HashMap<u64, u32> = keys.zip(0..).collect();
        let mut next = Vec::new();
        // The loop ends when the patterns are closed under the moves.
        while let Some(&pattern) = patterns.get(next.len()) {
            let mut after = [0; Move::COUNT];
            for &m in moves {
                let moved = labels.moved(&pattern, Cube::from_move(m));
                after[m.index()] = *ranks.entry(labels.key(&moved)).or_insert_with(|| {
                    patterns.push(moved);
                    patterns.len() as u32 - 1
                });
            }
            if patterns.len() as u64 > max || control.is_cancelled() {
                return None;
            }
            next.push(after);
        }
        if labels.half_turns {
            // All images of a pattern have its rank, so that ranking a position need not find the
            // least of them.
            for (pattern, rank) in patterns.iter().zip(0..) {
                let images = labels.half_turn_images(pattern);
                ranks.extend(images.map(|image| (labels.key(&image), rank)));
            }
        }
        Some(Coordinate {
            labels,
            ranks,
            next,
            goal_len,
        })
    }

    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Returns an upper bound on the number of combinations of patterns of these coordinates that
    /// occur in positions: no two patterns have different pieces in one slot.
    pub fn joint_len(coordinates: &[&Coordinate]) -> u64 {
        let len_of_kind = |kind: PieceKind| {
            let mut of_kind = coordinates.to_vec();
            of_kind.retain(|c| c.labels.kind == kind);
            let product = of_kind.iter().map(|c| c.len() as u64).product();
            if of_kind.iter().any(|c| c.labels.half_turns) {
                product
            } else {
                Labels::joint(kind, &of_kind).count().min(product)
            }
        };
        PieceKind::BOTH.into_iter().map(len_of_kind).product()
    }

    /// Returns the number of goal patterns, which have the first ranks.
    pub fn goal_len(&self) -> usize {
        self.goal_len
    }

    /// Returns the rank of the pattern of a position; `None` if the moves do not lead from there to
    /// a goal pattern.
    pub fn rank(&self, position: &Cube) -> Option<u32> {
        let pattern = self.labels.raw_pattern(position);
        self.ranks.get(&self.labels.key(&pattern)).copied()
    }

    /// Returns the pattern before an effect, for each pattern after it.
    pub fn before(&self, effect: &FaceEffect) -> Vec<u32> {
        let inverse = effect.moves.map(|m| m.map(Move::inverse));
        let before = |pattern| self.after(pattern, &inverse);
        (0..self.len() as u32).map(before).collect()
    }

    /// Returns the pattern after these moves.
    #[inline(always)]
    pub fn after(&self, pattern: u32, moves: &[Option<Move>; 2]) -> u32 {
        let moves = moves.iter().flatten();
        moves.fold(pattern, |pattern, m| self.next[pattern as usize][m.index()])
    }
}

/// Groups the pieces by their constraint in a mask. The half-turn condition distinguishes all
/// corners, so each is then a group of its own.
fn classes_of(mask: &Mask, kind: PieceKind) -> Vec<PieceClass> {
    let mut classes: Vec<PieceClass> = Vec::new();
    for piece in kind.slots().filter(|&piece| !mask.ignores(piece)) {
        let allowed = mask.of(piece);
        let is_same = |class: &&mut PieceClass| class.0 == *allowed && !mask.needs_half_turns(kind);
        match classes.iter_mut().find(is_same) {
            Some(class) => class.1.push(piece.number()),
            None => classes.push((*allowed, vec![piece.number()])),
        }
    }
    classes
}

/// Splits a mask into coordinates; `make` builds those that have at most a given number of
/// patterns.
fn parts_of_mask<T>(
    mask: &Mask,
    moves: &[Move],
    make: &impl Fn(Labels, u64) -> Option<T>,
) -> Vec<T> {
    let mut parts = Vec::new();
    for kind in PieceKind::BOTH {
        let classes = classes_of(mask, kind);
        let half_turns = mask.needs_half_turns(kind);
        if classes.is_empty() {
            continue;
        }
        if !half_turns
            && let Some(whole) = make(Labels::from_classes(kind, &classes, true), MAX_PATTERNS)
        {
            parts.push(whole);
            continue;
        }
        let is_oriented = |piece| kind.slots().all(|slot| mask.allowed(piece, slot) <= 1);
        if kind.slots().all(is_oriented) {
            let oriented = std::array::from_fn(|slot| u8::from(slot < kind.count()));
            let all_pieces = [(oriented, (0..kind.count()).collect())];
            parts.extend(make(
                Labels::from_classes(kind, &all_pieces, true),
                u64::MAX,
            ));
            let slots = Labels {
                half_turns,
                ..Labels::from_classes(kind, &classes, false)
            };
            if let Some(slots) = make(slots, MAX_PATTERNS) {
                parts.push(slots);
                continue;
            }
        }
        parts_of_few_pieces(classes, kind, moves, make, &mut parts);
    }
    parts
}

/// Adds coordinates of a few pieces each. The pieces of an orbit stay together if they fit: the
/// edges of the middle layer, if its faces make only half turns.
fn parts_of_few_pieces<T>(
    mut classes: Vec<PieceClass>,
    kind: PieceKind,
    moves: &[Move],
    make: &impl Fn(Labels, u64) -> Option<T>,
    parts: &mut Vec<T>,
) {
    let part = |classes: &[PieceClass], max| make(Labels::from_classes(kind, classes, true), max);
    let orbit = |class: &PieceClass| kind.orbit(class.1[0], moves);
    classes.sort_by_cached_key(orbit);
    let orbits = classes.chunk_by(|one, next| orbit(one) == orbit(next));
    let units = orbits.flat_map(|unit| match part(unit, MAX_PATTERNS) {
        Some(_) => vec![unit],
        None => unit.chunks(1).collect(),
    });
    let mut group: Vec<PieceClass> = Vec::new();
    for unit in units {
        let larger_group = [&group[..], unit].concat();
        if !group.is_empty() && part(&larger_group, MAX_SMALL_PATTERNS).is_none() {
            parts.extend(part(&group, u64::MAX));
            group.clear();
        }
        group.extend_from_slice(unit);
    }
    parts.extend(part(&group, u64::MAX));
}

/// The label in each slot, and its orientation, which is 0 if it is not distinguished.
pub(super) type LabelPattern = [(u8, u8); 12];

impl Labels {
    /// Returns all labels of a mask: a pattern of these labels determines whether a position is in
    /// the mask.
    pub fn from_mask(mask: &Mask, kind: PieceKind) -> Labels {
        Labels {
            half_turns: mask.needs_half_turns(kind),
            ..Labels::from_classes(kind, &classes_of(mask, kind), true)
        }
    }

    /// Assigns a label to each class, a set of pieces with one constraint. Without `oriented`, no
    /// orientation is distinguished.
    fn from_classes(kind: PieceKind, classes: &[PieceClass], oriented: bool) -> Labels {
        let mut labels = Labels {
            kind,
            of_piece: [0; 12],
            classes: vec![([ANY; 12], false)],
            half_turns: false,
        };
        let any = ANY >> (3 - kind.orientations());
        for (allowed, pieces) in classes {
            // An orientation matters if a slot allows some orientations, but not all.
            let mut slots = allowed[..kind.count()].iter();
            let is_oriented = oriented && slots.any(|bits| ![0, any].contains(&(bits & any)));
            for &piece in pieces {
                labels.of_piece[piece] = labels.classes.len() as u8;
            }
            labels.classes.push((*allowed, is_oriented));
        }
        labels
    }

    /// Combines the labels of several coordinates. Pieces share a label unless some coordinate
    /// distinguishes them, and an orientation is distinguished if some coordinate distinguishes it.
    fn joint(kind: PieceKind, coordinates: &[&Coordinate]) -> Labels {
        let mut joint = Labels::from_classes(kind, &[], true);
        // By joint label: the label in each coordinate.
        let mut combinations: Vec<Vec<u8>> = vec![vec![0; coordinates.len()]];
        for piece in 0..kind.count() {
            let labels: Vec<u8> = coordinates
                .iter()
                .map(|c| c.labels.of_piece[piece])
                .collect();
            let index = combinations.iter().position(|other| *other == labels);
            joint.of_piece[piece] = index.unwrap_or(combinations.len()) as u8;
            if index.is_none() {
                let mut labeled = coordinates.iter().zip(&labels);
                let is_oriented = labeled.any(|(c, &label)| c.labels.is_oriented(label));
                joint.classes.push(([ANY; 12], is_oriented));
                combinations.push(labels);
            }
        }
        joint
    }

    /// Returns the maximum number of patterns. If all orientations are distinguished, the last one
    /// follows from the others.
    fn count(&self) -> u64 {
        let labels = &self.of_piece[..self.kind.count()];
        let orientations = u64::from(self.kind.orientations());
        let mut free = labels.len() as u64;
        let mut count = 1u64;
        for (label, &(_, is_oriented)) in self.classes.iter().enumerate().skip(1) {
            let is_of_class = |other: &&u8| usize::from(**other) == label;
            let pieces = labels.iter().filter(is_of_class).count() as u64;
            let slots = (0..pieces).fold(1, |slots, i| slots * (free - i) / (i + 1));
            let oriented = if is_oriented { pieces as u32 } else { 0 };
            free -= pieces;
            count = count.saturating_mul(slots * orientations.pow(oriented));
        }
        if labels.iter().all(|&label| self.is_oriented(label)) {
            count / orientations
        } else {
            count
        }
    }

    /// Returns a key unique to the pattern: five bits for each slot.
    fn key(&self, pattern: &LabelPattern) -> u64 {
        let orientations = u64::from(self.kind.orientations());
        pattern.iter().fold(0, |key, &(label, orientation)| {
            key << 5 | (u64::from(label) * orientations + u64::from(orientation))
        })
    }

    /// Returns the pattern of a position.
    pub fn pattern(&self, cube: &Cube) -> LabelPattern {
        self.least(self.raw_pattern(cube))
    }

    /// Returns the pattern of a position without identification under half turns.
    pub fn raw_pattern(&self, cube: &Cube) -> LabelPattern {
        let mut pattern = [(0, 0); 12];
        for (slot, (piece, orientation)) in self.kind.pieces(cube).enumerate() {
            pattern[slot] = self.oriented_label(self.of_piece[piece], orientation);
        }
        pattern
    }

    /// Returns the label with its orientation, or with 0 if the orientation is not distinguished.
    pub fn oriented_label(&self, label: u8, orientation: u8) -> (u8, u8) {
        let is_oriented = self.is_oriented(label);
        (label, if is_oriented { orientation } else { 0 })
    }

    fn is_oriented(&self, label: u8) -> bool {
        self.classes[usize::from(label)].1
    }

    /// Returns the pattern after the moves that lead from the solved cube to the position `by`.
    fn moved(&self, pattern: &LabelPattern, by: &Cube) -> LabelPattern {
        let mut moved = [(0, 0); 12];
        for (slot, (from, turned)) in self.kind.pieces(by).enumerate() {
            let (label, orientation) = pattern[from];
            moved[slot] =
                self.oriented_label(label, (orientation + turned) % self.kind.orientations());
        }
        self.least(moved)
    }

    /// Returns the least of the half-turn images of a pattern, if they are identified; otherwise
    /// the pattern itself.
    fn least(&self, pattern: LabelPattern) -> LabelPattern {
        if self.half_turns {
            self.half_turn_images(&pattern)
                .min()
                .expect("one of them changes nothing")
        } else {
            pattern
        }
    }

    /// Returns the images of a pattern under the permutations of labels that half turns make.
    fn half_turn_images<'a>(
        &self,
        pattern: &'a LabelPattern,
    ) -> impl Iterator<Item = LabelPattern> + use<'a> {
        half_turn_arrangements().iter().map(|by| {
            pattern.map(|(label, orientation)| match label {
                0 => (0, orientation),
                _ => (by[usize::from(label) - 1] as u8 + 1, orientation),
            })
        })
    }

    /// Returns the goal patterns; if there are more than `max`, `max + 1` of them.
    fn goal_patterns(&self, max: u64) -> Vec<LabelPattern> {
        if self.half_turns {
            return vec![self.pattern(&Cube::SOLVED)];
        }
        let mut unused = vec![0; self.len()];
        for &label in &self.of_piece[..self.kind.count()] {
            unused[usize::from(label)] += 1;
        }
        let mut patterns = Vec::new();
        self.fill((0, &mut [(0, 0); 12]), &mut unused, &mut patterns, max);
        patterns
    }

    /// Returns the goal patterns without identification under half turns; `None` if there are more
    /// than `max`.
    pub fn raw_goal_patterns(&self, max: usize) -> Option<Vec<LabelPattern>> {
        let patterns = if self.half_turns {
            self.half_turn_images(&self.raw_pattern(&Cube::SOLVED))
                .collect()
        } else {
            self.goal_patterns(max as u64)
        };
        Some(patterns).filter(|patterns| patterns.len() <= max)
    }

    /// Returns the number of labels, including the label 0.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Adds to `patterns` the goal patterns that agree with `pattern` in the slots before `slot`
    /// and have the `unused` labels (the number of pieces for each) in the other slots. Stops at
    /// `max + 1` patterns.
    fn fill(
        &self,
        (slot, pattern): (usize, &mut LabelPattern),
        unused: &mut [usize],
        patterns: &mut Vec<LabelPattern>,
        max: u64,
    ) {
        if patterns.len() as u64 > max {
            return;
        }
        if slot == self.kind.count() {
            let sum: u8 = pattern.iter().map(|&(_, orientation)| orientation).sum();
            let mut labels = pattern[..slot].iter().map(|&(label, _)| label);
            let are_all_oriented = labels.all(|label| self.is_oriented(label));
            if !are_all_oriented || sum.is_multiple_of(self.kind.orientations()) {
                patterns.push(*pattern);
            }
            return;
        }
        for label in 0..self.classes.len() {
            if unused[label] == 0 {
                continue;
            }
            unused[label] -= 1;
            let (allowed, is_oriented) = self.classes[label];
            let orientations = if is_oriented {
                allowed[slot]
            } else {
                u8::from(allowed[slot] != 0)
            };
            for orientation in (0..self.kind.orientations()).filter(|o| orientations >> o & 1 == 1)
            {
                pattern[slot] = (label as u8, orientation);
                self.fill((slot + 1, pattern), unused, patterns, max);
            }
            unused[label] += 1;
        }
        pattern[slot] = (0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Goal;
    use super::*;
    use crate::Cancel;

    #[test]
    fn cancellation_stops_within_a_coordinate() {
        let goal: Goal = "cross:D".parse().unwrap();
        let cancel = Cancel::new();
        let control = Control::default().with_cancel(&cancel);
        let build = || {
            let labels = Labels::from_mask(&goal.mask, PieceKind::Edges);
            Coordinate::new(labels, &Move::ALL, u64::MAX, &control)
        };
        assert!(build().is_some());
        cancel.cancel();
        assert!(build().is_none());
    }
}
