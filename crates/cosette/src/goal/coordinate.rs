//! Coordinates: ranks of the arrangements of corners or of edges that a goal distinguishes.
//!
//! A *pattern* is an arrangement in which pieces have labels instead of names. Pieces with the same
//! label are not distinguished, those with the label 0 are ignored, and the orientation of a label
//! may be ignored as well. A move acts on patterns as on positions, so the patterns that a
//! coordinate ranks are closed under moves, and their distances to the goal patterns are lower
//! bounds.
//!
//! A goal is divided into coordinates of ten to fifty thousand patterns, so that a pattern database
//! can have several of them as its digits (`pattern_database`):
//!
//! - all pieces of a kind in one coordinate, if it is small enough;
//! - or, if every piece has to be oriented, the orientations of all pieces and, separately, their
//!   slots;
//! - or a few pieces at a time, and in addition the orientations of all if each has to be oriented.
//!
//! Only patterns count that the allowed turns reach: U, D and half turns of the other faces twist
//! and flip nothing, and the edges of U and D and those between them stay apart.

use super::mask::{Mask, PieceKind, SlotOrientations, half_turn_arrangements};
use crate::cube::{Cube, Move};
use std::collections::HashMap;

/// Maximum patterns of one coordinate, unless its pieces all have one label; larger ones are split.
const MAX_PATTERNS: u64 = 50_000;
/// Maximum patterns of a coordinate of a few pieces: three edges have 10,560, four that need no
/// orientation 11,880.
const MAX_SMALL_PATTERNS: u64 = 12_000;

/// A constraint, and the pieces that have it.
type Class = (SlotOrientations, Vec<usize>);

/// A ranking of the patterns that moves reach from the goal patterns, with a table of moves.
pub(super) struct Coordinate {
    labels: Labels,
    numbers: HashMap<u64, u32>,
    /// Pattern after a move, by pattern and move.
    next: Vec<[u32; Move::COUNT]>,
    /// Number of goal patterns, which have the first ranks.
    wanted: usize,
}

/// The labels that distinguish the pieces of one kind.
#[derive(Clone)]
pub(super) struct Labels {
    kind: PieceKind,
    /// The label of each piece; 0 is ignored.
    pub of: [u8; 12],
    /// By label: the allowed slots and orientations, and whether the orientation is distinguished.
    classes: Vec<(SlotOrientations, bool)>,
    /// `true` if patterns that differ by a half turn of the solved corners are identified.
    half_turns: bool,
}

impl Coordinate {
    /// Returns coordinates that together decide whether a position is in `mask`, and whether these
    /// moves lead there.
    pub fn from_mask(mask: &Mask, moves: &[Move]) -> Vec<Coordinate> {
        parts_of_mask(mask, moves, &|labels, most| {
            Coordinate::new(labels, moves, most)
        })
    }

    /// Returns the maximum number of patterns of each coordinate of `mask`: the moves may not reach
    /// all.
    pub fn sizes(mask: &Mask, moves: &[Move]) -> Vec<u64> {
        parts_of_mask(mask, moves, &|labels, most| {
            Some(labels.count()).filter(|&count| count <= most)
        })
    }

    /// Returns the coordinate of one piece alone.
    pub fn from_piece(mask: &Mask, kind: PieceKind, piece: usize, moves: &[Move]) -> Coordinate {
        let labels = Labels::of_classes(kind, &[(*mask.of(kind, piece), vec![piece])], true);
        Coordinate::new(labels, moves, u64::MAX).expect("no coordinate has so many patterns")
    }

    /// Creates a coordinate; `None` if the moves reach more than `most` patterns from the goal
    /// patterns.
    fn new(labels: Labels, moves: &[Move], most: u64) -> Option<Coordinate> {
        // Face turns reach all patterns: no need to try.
        if moves.len() == Move::COUNT && labels.count() > most {
            return None;
        }
        let mut found = labels.wanted(most);
        let wanted = found.len();
        let mut numbers: HashMap<u64, u32> = found
            .iter()
            .enumerate()
            .map(|(i, &p)| (labels.key(&p), i as u32))
            .collect();
        let mut next = Vec::new();
        // The loop ends when the patterns found are closed under the moves.
        while let Some(&pattern) = found.get(next.len()) {
            let mut after = [0; Move::COUNT];
            for &m in moves {
                let moved = labels.moved(&pattern, Cube::from_move(m));
                after[m.index()] = *numbers.entry(labels.key(&moved)).or_insert_with(|| {
                    found.push(moved);
                    found.len() as u32 - 1
                });
            }
            if found.len() as u64 > most {
                return None;
            }
            next.push(after);
        }
        if labels.half_turns {
            // Precomputed, so that ranking a position needs no search for the least of its
            // patterns.
            let alike = |(number, pattern): (usize, &Pattern)| {
                labels
                    .relabeled(pattern)
                    .map(|p| (labels.key(&p), number as u32))
                    .collect::<Vec<_>>()
            };
            numbers.extend(found.iter().enumerate().flat_map(alike));
        }
        Some(Coordinate {
            labels,
            numbers,
            next,
            wanted,
        })
    }

    /// Returns the number of patterns.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// Returns the maximum number of combinations of patterns of these coordinates that occur
    /// together: not two with different pieces in one slot.
    pub fn joint_len(coordinates: &[&Coordinate]) -> u64 {
        let of_kind = |kind: PieceKind| {
            let of_kind: Vec<&Coordinate> = coordinates
                .iter()
                .copied()
                .filter(|c| c.labels.kind == kind)
                .collect();
            let product = of_kind.iter().map(|c| c.len() as u64).product();
            match of_kind.iter().any(|c| c.labels.half_turns) {
                true => product,
                false => Labels::joint(kind, &of_kind).count().min(product),
            }
        };
        PieceKind::BOTH.into_iter().map(of_kind).product()
    }

    /// Returns the number of goal patterns, which come first.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// Returns the rank of the pattern of a position; `None` if the moves do not lead from there to
    /// a goal pattern.
    pub fn rank(&self, position: &Cube) -> Option<u32> {
        self.numbers
            .get(&self.labels.key(&self.labels.shown(position)))
            .copied()
    }

    /// Returns the pattern after one of the moves.
    #[inline(always)]
    pub fn after(&self, pattern: u32, m: Move) -> u32 {
        self.next[pattern as usize][m.index()]
    }
}

/// Groups the pieces by their constraint in a mask.
fn classes_of(mask: &Mask, kind: PieceKind) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for piece in (0..kind.count()).filter(|&piece| !mask.ignores(kind, piece)) {
        let allowed = mask.of(kind, piece);
        match classes.iter_mut().find(|class| class.0 == *allowed) {
            Some(class) => class.1.push(piece),
            None => classes.push((*allowed, vec![piece])),
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
    PieceKind::BOTH
        .into_iter()
        .flat_map(|kind| parts_of_kind(mask, kind, moves, make))
        .collect()
}

/// Splits the constraints of a mask on one kind of pieces into coordinates.
fn parts_of_kind<T>(
    mask: &Mask,
    kind: PieceKind,
    moves: &[Move],
    make: &impl Fn(Labels, u64) -> Option<T>,
) -> Vec<T> {
    let mut classes = classes_of(mask, kind);
    let is_oriented = |piece: usize| {
        mask.of(kind, piece)[..kind.count()]
            .iter()
            .all(|&bits| bits <= 1)
    };
    let all_are_oriented = (0..kind.count()).all(is_oriented);
    let half_turns = kind == PieceKind::Corners && mask.half_turn_corners;
    if classes.is_empty() && !half_turns {
        return Vec::new();
    }
    let of = |classes: &[Class], most| make(Labels::of_classes(kind, classes, true), most);
    let all = |labels: Labels| make(labels, u64::MAX).expect("no coordinate has so many patterns");
    let whole = if half_turns {
        None
    } else {
        of(&classes, MAX_PATTERNS)
    };
    if let Some(whole) = whole {
        return vec![whole];
    }
    let mut parts = Vec::new();
    if all_are_oriented {
        let everywhere = std::array::from_fn(|slot| u8::from(slot < kind.count()));
        let oriented = [(everywhere, (0..kind.count()).collect())];
        parts.push(all(Labels::of_classes(kind, &oriented, true)));
        let placed = match half_turns {
            // Identities matter: the half-turn condition applies to all corners.
            true => (0..kind.count())
                .map(|piece| ([1; 12], vec![piece]))
                .collect(),
            false => classes.clone(),
        };
        let places = Labels {
            half_turns,
            ..Labels::of_classes(kind, &placed, false)
        };
        if let Some(places) = make(places, MAX_PATTERNS) {
            parts.push(places);
            return parts;
        }
    }
    // Pieces that never meet are separate: the edges of the middle layer under half turns of its
    // faces.
    let orbit = |class: &Class| kind.orbit(class.1[0], moves);
    classes.sort_by_cached_key(orbit);
    let orbits = classes.chunk_by(|one, next| orbit(one) == orbit(next));
    let units = orbits.flat_map(|unit| match of(unit, MAX_PATTERNS) {
        Some(_) => vec![unit],
        None => unit.chunks(1).collect(),
    });
    let mut few: Vec<Class> = Vec::new();
    for unit in units {
        let more = [&few[..], unit].concat();
        if !few.is_empty() && of(&more, MAX_SMALL_PATTERNS).is_none() {
            parts.extend(of(&few, u64::MAX));
            few.clear();
        }
        few.extend_from_slice(unit);
    }
    parts.extend(of(&few, u64::MAX));
    parts
}

/// The label in each slot, and its orientation, which is 0 if it is not distinguished.
pub(super) type Pattern = [(u8, u8); 12];

impl Labels {
    /// Returns all labels of a mask: a pattern of them determines whether a position is in the
    /// mask.
    pub fn of_mask(mask: &Mask, kind: PieceKind) -> Labels {
        let half_turns = kind == PieceKind::Corners && mask.half_turn_corners;
        let classes = match half_turns {
            // Identities matter: the half-turn condition applies to all corners.
            true => (0..kind.count())
                .map(|piece| (*mask.of(kind, piece), vec![piece]))
                .collect(),
            false => classes_of(mask, kind),
        };
        Labels {
            half_turns,
            ..Labels::of_classes(kind, &classes, true)
        }
    }

    /// Assigns a label to each class, a set of pieces with one constraint. Without `oriented`, no
    /// orientation is distinguished.
    fn of_classes(kind: PieceKind, classes: &[Class], oriented: bool) -> Labels {
        let mut labels = Labels {
            kind,
            of: [0; 12],
            classes: vec![([0b111; 12], false)],
            half_turns: false,
        };
        let any = 0b111 >> (3 - kind.orientations());
        for (allowed, pieces) in classes {
            let is_told = oriented
                && allowed[..kind.count()]
                    .iter()
                    .any(|bits| bits & any != 0 && bits & any != any);
            pieces
                .iter()
                .for_each(|&piece| labels.of[piece] = labels.classes.len() as u8);
            labels.classes.push((*allowed, is_told));
        }
        labels
    }

    /// Labels of pieces that no coordinate distinguishes share one; orientations are distinguished
    /// if one of the coordinates does.
    fn joint(kind: PieceKind, coordinates: &[&Coordinate]) -> Labels {
        let mut of = [0; 12];
        let mut classes = vec![([0b111; 12], false)];
        let mut known: Vec<Vec<u8>> = vec![vec![0; coordinates.len()]];
        for (piece, label) in of[..kind.count()].iter_mut().enumerate() {
            let labels: Vec<u8> = coordinates.iter().map(|c| c.labels.of[piece]).collect();
            let place = known
                .iter()
                .position(|other| *other == labels)
                .unwrap_or_else(|| {
                    let mut told = coordinates.iter().zip(&labels);
                    classes.push((
                        [0b111; 12],
                        told.any(|(c, &label)| c.labels.classes[usize::from(label)].1),
                    ));
                    known.push(labels);
                    known.len() - 1
                });
            *label = place as u8;
        }
        Labels {
            kind,
            of,
            classes,
            half_turns: false,
        }
    }

    /// Returns the maximum number of patterns: if all orientations are distinguished, some cannot
    /// occur.
    fn count(&self) -> u64 {
        let (kind, mut free, mut count) = (self.kind, self.kind.count() as u64, 1u64);
        for label in 1..self.classes.len() {
            let pieces = self.of[..kind.count()]
                .iter()
                .filter(|&&of| usize::from(of) == label)
                .count() as u64;
            let places = (0..pieces).fold(1, |places, i| places * (free - i) / (i + 1));
            let ways = if self.classes[label].1 {
                u64::from(kind.orientations()).pow(pieces as u32)
            } else {
                1
            };
            (free, count) = (free - pieces, count.saturating_mul(places * ways));
        }
        let are_all_told = self.of[..kind.count()]
            .iter()
            .all(|&label| self.classes[usize::from(label)].1);
        if are_all_told {
            count / u64::from(kind.orientations())
        } else {
            count
        }
    }

    /// Returns a key unique to this pattern: five bits for each slot.
    fn key(&self, pattern: &Pattern) -> u64 {
        let orientations = u64::from(self.kind.orientations());
        pattern.iter().fold(0, |key, &(label, orientation)| {
            key << 5 | (u64::from(label) * orientations + u64::from(orientation))
        })
    }

    /// Returns the pattern of a position.
    pub fn pattern(&self, cube: &Cube) -> Pattern {
        self.least(self.shown(cube))
    }

    /// Returns the pattern of a position without identification under half turns.
    pub fn shown(&self, cube: &Cube) -> Pattern {
        let mut pattern = [(0, 0); 12];
        for (slot, (piece, orientation)) in self.kind.pieces(cube).enumerate() {
            pattern[slot] = self.told(self.of[piece], orientation);
        }
        pattern
    }

    /// Returns the label with its orientation, which is 0 if it is not distinguished.
    pub fn told(&self, label: u8, orientation: u8) -> (u8, u8) {
        (
            label,
            if self.classes[usize::from(label)].1 {
                orientation
            } else {
                0
            },
        )
    }

    fn moved(&self, pattern: &Pattern, by: &Cube) -> Pattern {
        let mut moved = [(0, 0); 12];
        for (slot, (from, turned)) in self.kind.pieces(by).enumerate() {
            let (label, orientation) = pattern[from];
            moved[slot] = self.told(label, (orientation + turned) % self.kind.orientations());
        }
        self.least(moved)
    }

    /// Returns the least of the patterns that half turns make of this one, if these are identified.
    fn least(&self, pattern: Pattern) -> Pattern {
        match self.half_turns {
            true => self
                .relabeled(&pattern)
                .min()
                .expect("one of them changes nothing"),
            false => pattern,
        }
    }

    /// Returns the patterns that half turns make of this one.
    fn relabeled<'a>(&self, pattern: &'a Pattern) -> impl Iterator<Item = Pattern> + use<'a> {
        half_turn_arrangements().iter().map(|by| {
            pattern.map(|(label, orientation)| match label {
                0 => (0, orientation),
                _ => (by[usize::from(label) - 1] as u8 + 1, orientation),
            })
        })
    }

    /// Returns the goal patterns; if they are more than `most`, `most + 1` of them.
    fn wanted(&self, most: u64) -> Vec<Pattern> {
        if self.half_turns {
            return vec![self.pattern(&Cube::SOLVED)];
        }
        let mut left = vec![0; self.classes.len()];
        self.of[..self.kind.count()]
            .iter()
            .for_each(|&label| left[usize::from(label)] += 1);
        let mut found = Vec::new();
        self.fill((0, &mut [(0, 0); 12]), &mut left, &mut found, most);
        found
    }

    /// Returns the goal patterns without identification under half turns; `None` if they are more
    /// than `most`.
    pub fn wanted_as_shown(&self, most: usize) -> Option<Vec<Pattern>> {
        let wanted = match self.half_turns {
            true => self.relabeled(&self.shown(&Cube::SOLVED)).collect(),
            false => self.wanted(most as u64),
        };
        Some(wanted).filter(|wanted| wanted.len() <= most)
    }

    /// Returns the number of labels, including that of ignored pieces.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Adds the goal patterns that begin as `pattern` does up to `slot`, with the labels that are
    /// `left`.
    fn fill(
        &self,
        (slot, pattern): (usize, &mut Pattern),
        left: &mut [usize],
        found: &mut Vec<Pattern>,
        most: u64,
    ) {
        if found.len() as u64 > most {
            return;
        }
        if slot == self.kind.count() {
            let sum: u32 = pattern
                .iter()
                .map(|&(_, orientation)| u32::from(orientation))
                .sum();
            let are_all_told = pattern[..slot]
                .iter()
                .all(|&(label, _)| self.classes[usize::from(label)].1);
            if !are_all_told || sum.is_multiple_of(u32::from(self.kind.orientations())) {
                found.push(*pattern);
            }
            return;
        }
        for label in 0..self.classes.len() {
            if left[label] == 0 {
                continue;
            }
            left[label] -= 1;
            let (allowed, is_told) = &self.classes[label];
            let orientations = if *is_told {
                self.kind.orientations()
            } else {
                1
            };
            for orientation in 0..orientations {
                let is_allowed = if *is_told {
                    allowed[slot] >> orientation & 1 == 1
                } else {
                    allowed[slot] != 0
                };
                if is_allowed {
                    pattern[slot] = (label as u8, orientation);
                    self.fill((slot + 1, pattern), left, found, most);
                }
            }
            left[label] += 1;
        }
        pattern[slot] = (0, 0);
    }
}
