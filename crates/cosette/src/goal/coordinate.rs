//! Coordinates: what a goal tells apart of the corners or of the edges, numbered.
//!
//! A *pattern* is an arrangement in which pieces have labels instead of names. Pieces with the same label are not told apart, those
//! with the label 0 are ignored, and the orientation of a label may be ignored as well. A move acts on patterns as it does on
//! positions, so the patterns that a coordinate numbers are closed under moves, and their distances to the wanted ones are lower
//! bounds.
//!
//! A goal is cut into coordinates of ten to fifty thousand patterns, so that a pruning table can have several of them as its digits
//! (`bounds`):
//!
//! - all pieces of a kind in one coordinate, if it is small enough;
//! - or, where every piece has to be oriented, the orientations of all pieces and, apart from them, their places;
//! - or a few pieces at a time, and besides these the orientations of all if each has to be oriented.
//!
//! Only the patterns count to which the allowed turns lead: U, D and half turns of the other faces twist nothing and flip nothing, and
//! the edges of U and D and those between them stay apart.

use super::mask::{Allowed, Kind, Mask, half_turn_arrangements};
use crate::cube::{Cube, Move};
use std::collections::HashMap;

/// What has more patterns is cut into several coordinates, unless its pieces all have one label.
const MOST_PATTERNS: u64 = 50_000;
/// The most patterns of a coordinate of a few pieces: three edges have 10,560, four that need no orientation 11,880.
const MOST_OF_FEW: u64 = 12_000;

/// Pieces of which the same is asked, and what.
type Class = (Allowed, Vec<usize>);

/// The patterns that moves make of the wanted ones, numbered, and what the moves do to them.
pub(super) struct Coordinate {
    labels: Labels,
    numbers: HashMap<u64, u32>,
    /// By pattern and move.
    next: Vec<[u32; Move::COUNT]>,
    /// The wanted ones are the first so many.
    wanted: usize,
}

/// What tells the pieces of one kind apart.
#[derive(Clone)]
pub(super) struct Labels {
    kind: Kind,
    /// The label of each piece; 0 is ignored.
    pub of: [u8; 12],
    /// By label: what is allowed, and whether the orientation is told.
    classes: Vec<(Allowed, bool)>,
    /// Patterns that differ by a half turn of the solved corners are one.
    half_turns: bool,
}

impl Coordinate {
    /// The coordinates that together tell whether these moves lead from a position to `mask`, and when they do.
    pub fn of_mask(mask: &Mask, moves: &[Move]) -> Vec<Coordinate> {
        parts_of_mask(mask, moves, &|labels, most| Coordinate::new(labels, moves, most))
    }

    /// The number of patterns of each coordinate of `mask`, at most: moves may not make all of them.
    pub fn sizes(mask: &Mask, moves: &[Move]) -> Vec<u64> {
        parts_of_mask(mask, moves, &|labels, most| Some(labels.count()).filter(|&count| count <= most))
    }

    /// That of one piece alone.
    pub fn of_piece(mask: &Mask, kind: Kind, piece: usize, moves: &[Move]) -> Coordinate {
        let labels = Labels::of_classes(kind, &[(*mask.of(kind, piece), vec![piece])], true);
        Coordinate::new(labels, moves, u64::MAX).expect("no coordinate has so many patterns")
    }

    /// `None` if the moves make more than `most` patterns of the wanted ones.
    fn new(labels: Labels, moves: &[Move], most: u64) -> Option<Coordinate> {
        // All turns of faces reach all patterns: there is no need to try.
        if moves.len() == Move::COUNT && labels.count() > most {
            return None;
        }
        let mut found = labels.wanted(most);
        let wanted = found.len();
        let mut numbers: HashMap<u64, u32> =
            found.iter().enumerate().map(|(i, &p)| (labels.key(&p), i as u32)).collect();
        let mut next = Vec::new();
        // Those found are closed under the moves.
        while let Some(&pattern) = found.get(next.len()) {
            let mut after = [0; Move::COUNT];
            for &m in moves {
                let moved = labels.moved(&pattern, Cube::of_move(m));
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
            // A position then needs no search for the least of its patterns.
            let alike = |(number, pattern): (usize, &Pattern)| {
                labels.relabelled(pattern).map(|p| (labels.key(&p), number as u32)).collect::<Vec<_>>()
            };
            numbers.extend(found.iter().enumerate().flat_map(alike));
        }
        Some(Coordinate { labels, numbers, next, wanted })
    }

    /// How many patterns there are.
    pub fn len(&self) -> usize {
        self.next.len()
    }

    /// The number of ways in which patterns of these coordinates go together, at most: two that have different pieces in one slot
    /// do not.
    pub fn joint_len(coordinates: &[&Coordinate]) -> u64 {
        let of_kind = |kind: Kind| {
            let of_kind: Vec<&Coordinate> = coordinates.iter().copied().filter(|c| c.labels.kind == kind).collect();
            let product = of_kind.iter().map(|c| c.len() as u64).product();
            match of_kind.iter().any(|c| c.labels.half_turns) {
                true => product,
                false => Labels::joint(kind, &of_kind).count().min(product),
            }
        };
        Kind::BOTH.into_iter().map(of_kind).product()
    }

    /// How many of them are wanted: the first ones.
    pub fn wanted(&self) -> usize {
        self.wanted
    }

    /// The number of the pattern of a position; `None` if the moves do not lead from there to a wanted one.
    pub fn number(&self, position: &Cube) -> Option<u32> {
        self.numbers.get(&self.labels.key(&self.labels.shown(position))).copied()
    }

    /// The pattern after one of the moves.
    #[inline(always)]
    pub fn after(&self, pattern: u32, m: Move) -> u32 {
        self.next[pattern as usize][m.index()]
    }
}

/// Pieces of which the same is required, for each requirement of a mask.
fn classes_of(mask: &Mask, kind: Kind) -> Vec<Class> {
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

/// Cuts a mask into coordinates, of which `make` makes those that have at most a given number of patterns.
fn parts_of_mask<T>(mask: &Mask, moves: &[Move], make: &impl Fn(Labels, u64) -> Option<T>) -> Vec<T> {
    Kind::BOTH.into_iter().flat_map(|kind| parts_of_kind(mask, kind, moves, make)).collect()
}

/// Cuts what a mask requires of one kind of pieces into coordinates.
fn parts_of_kind<T>(mask: &Mask, kind: Kind, moves: &[Move], make: &impl Fn(Labels, u64) -> Option<T>) -> Vec<T> {
    let mut classes = classes_of(mask, kind);
    let is_oriented = |piece: usize| mask.of(kind, piece)[..kind.count()].iter().all(|&bits| bits <= 1);
    let all_are_oriented = (0..kind.count()).all(is_oriented);
    let half_turns = kind == Kind::Corners && mask.half_turn_corners;
    if classes.is_empty() && !half_turns {
        return Vec::new();
    }
    let of = |classes: &[Class], most| make(Labels::of_classes(kind, classes, true), most);
    let all = |labels: Labels| make(labels, u64::MAX).expect("no coordinate has so many patterns");
    let whole = if half_turns { None } else { of(&classes, MOST_PATTERNS) };
    if let Some(whole) = whole {
        return vec![whole];
    }
    let mut parts = Vec::new();
    if all_are_oriented {
        let everywhere = std::array::from_fn(|slot| u8::from(slot < kind.count()));
        let oriented = [(everywhere, (0..kind.count()).collect())];
        parts.push(all(Labels::of_classes(kind, &oriented, true)));
        let placed = match half_turns {
            // Which is which matters: the condition is one on all of them.
            true => (0..kind.count()).map(|piece| ([1; 12], vec![piece])).collect(),
            false => classes.clone(),
        };
        let places = Labels { half_turns, ..Labels::of_classes(kind, &placed, false) };
        if let Some(places) = make(places, MOST_PATTERNS) {
            parts.push(places);
            return parts;
        }
    }
    // Pieces that never meet are apart from each other: the edges of the middle layer under half turns of its faces.
    let orbit = |class: &Class| kind.orbit(class.1[0], moves);
    classes.sort_by_cached_key(orbit);
    let orbits = classes.chunk_by(|one, next| orbit(one) == orbit(next));
    let units = orbits.flat_map(|unit| match of(unit, MOST_PATTERNS) {
        Some(_) => vec![unit],
        None => unit.chunks(1).collect(),
    });
    let mut few: Vec<Class> = Vec::new();
    for unit in units {
        let more = [&few[..], unit].concat();
        if !few.is_empty() && of(&more, MOST_OF_FEW).is_none() {
            parts.extend(of(&few, u64::MAX));
            few.clear();
        }
        few.extend_from_slice(unit);
    }
    parts.extend(of(&few, u64::MAX));
    parts
}

/// The label in each slot, and its orientation, which is 0 where it is not told.
pub(super) type Pattern = [(u8, u8); 12];

impl Labels {
    /// All labels of a mask: a pattern of them tells whether the mask has a position.
    pub fn of_mask(mask: &Mask, kind: Kind) -> Labels {
        let half_turns = kind == Kind::Corners && mask.half_turn_corners;
        let classes = match half_turns {
            // Which is which matters: the condition is one on all of them.
            true => (0..kind.count()).map(|piece| (*mask.of(kind, piece), vec![piece])).collect(),
            false => classes_of(mask, kind),
        };
        Labels { half_turns, ..Labels::of_classes(kind, &classes, true) }
    }

    /// A label for each class, a set of pieces of which the same is asked. Without `oriented`, no orientation is told.
    fn of_classes(kind: Kind, classes: &[Class], oriented: bool) -> Labels {
        let mut labels = Labels { kind, of: [0; 12], classes: vec![([0b111; 12], false)], half_turns: false };
        let any = 0b111 >> (3 - kind.orientations());
        for (allowed, pieces) in classes {
            let is_told = oriented && allowed[..kind.count()].iter().any(|bits| bits & any != 0 && bits & any != any);
            pieces.iter().for_each(|&piece| labels.of[piece] = labels.classes.len() as u8);
            labels.classes.push((*allowed, is_told));
        }
        labels
    }

    /// A label for the pieces that no coordinate tells apart; their orientation is told if one of them tells it.
    fn joint(kind: Kind, coordinates: &[&Coordinate]) -> Labels {
        let mut of = [0; 12];
        let mut classes = vec![([0b111; 12], false)];
        let mut known: Vec<Vec<u8>> = vec![vec![0; coordinates.len()]];
        for (piece, label) in of[..kind.count()].iter_mut().enumerate() {
            let labels: Vec<u8> = coordinates.iter().map(|c| c.labels.of[piece]).collect();
            let place = known.iter().position(|other| *other == labels).unwrap_or_else(|| {
                let mut told = coordinates.iter().zip(&labels);
                classes.push(([0b111; 12], told.any(|(c, &label)| c.labels.classes[usize::from(label)].1)));
                known.push(labels);
                known.len() - 1
            });
            *label = place as u8;
        }
        Labels { kind, of, classes, half_turns: false }
    }

    /// How many patterns there are, at most: only where all orientations are told, some of them cannot occur.
    fn count(&self) -> u64 {
        let (kind, mut free, mut count) = (self.kind, self.kind.count() as u64, 1u64);
        for label in 1..self.classes.len() {
            let pieces = self.of[..kind.count()].iter().filter(|&&of| usize::from(of) == label).count() as u64;
            let places = (0..pieces).fold(1, |places, i| places * (free - i) / (i + 1));
            let ways = if self.classes[label].1 { u64::from(kind.orientations()).pow(pieces as u32) } else { 1 };
            (free, count) = (free - pieces, count.saturating_mul(places * ways));
        }
        let are_all_told = self.of[..kind.count()].iter().all(|&label| self.classes[usize::from(label)].1);
        if are_all_told { count / u64::from(kind.orientations()) } else { count }
    }

    /// A number that only this pattern has: five bits for each slot.
    fn key(&self, pattern: &Pattern) -> u64 {
        let orientations = u64::from(self.kind.orientations());
        pattern
            .iter()
            .fold(0, |key, &(label, orientation)| key << 5 | (u64::from(label) * orientations + u64::from(orientation)))
    }

    /// The pattern of a position.
    pub fn pattern(&self, cube: &Cube) -> Pattern {
        self.least(self.shown(cube))
    }

    /// The pattern, where half turns make a difference.
    pub fn shown(&self, cube: &Cube) -> Pattern {
        let mut pattern = [(0, 0); 12];
        for (slot, (piece, orientation)) in self.kind.pieces(cube).enumerate() {
            pattern[slot] = self.told(self.of[piece], orientation);
        }
        pattern
    }

    /// The label with its orientation, which is 0 where it is not told.
    pub fn told(&self, label: u8, orientation: u8) -> (u8, u8) {
        (label, if self.classes[usize::from(label)].1 { orientation } else { 0 })
    }

    fn moved(&self, pattern: &Pattern, by: &Cube) -> Pattern {
        let mut moved = [(0, 0); 12];
        for (slot, (from, turned)) in self.kind.pieces(by).enumerate() {
            let (label, orientation) = pattern[from];
            moved[slot] = self.told(label, (orientation + turned) % self.kind.orientations());
        }
        self.least(moved)
    }

    /// Where half turns make no difference, the least of the patterns that they make of this one.
    fn least(&self, pattern: Pattern) -> Pattern {
        match self.half_turns {
            true => self.relabelled(&pattern).min().expect("one of them changes nothing"),
            false => pattern,
        }
    }

    /// The patterns that half turns make of this one.
    fn relabelled<'a>(&self, pattern: &'a Pattern) -> impl Iterator<Item = Pattern> + use<'a> {
        half_turn_arrangements().iter().map(|by| {
            pattern.map(|(label, orientation)| match label {
                0 => (0, orientation),
                _ => (by[usize::from(label) - 1] as u8 + 1, orientation),
            })
        })
    }

    /// The patterns that are wanted; if they are more than `most`, one more than that.
    fn wanted(&self, most: u64) -> Vec<Pattern> {
        if self.half_turns {
            return vec![self.pattern(&Cube::SOLVED)];
        }
        let mut left = vec![0; self.classes.len()];
        self.of[..self.kind.count()].iter().for_each(|&label| left[usize::from(label)] += 1);
        let mut found = Vec::new();
        self.fill((0, &mut [(0, 0); 12]), &mut left, &mut found, most);
        found
    }

    /// The wanted patterns, where half turns make a difference; `None` if they are more than `most`.
    pub fn wanted_as_shown(&self, most: usize) -> Option<Vec<Pattern>> {
        let wanted = match self.half_turns {
            true => self.relabelled(&self.shown(&Cube::SOLVED)).collect(),
            false => self.wanted(most as u64),
        };
        Some(wanted).filter(|wanted| wanted.len() <= most)
    }

    /// The number of labels, that of ignored pieces included.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Adds the wanted patterns that begin as `pattern` does up to `slot`, with the labels that are `left`.
    fn fill(&self, (slot, pattern): (usize, &mut Pattern), left: &mut [usize], found: &mut Vec<Pattern>, most: u64) {
        if found.len() as u64 > most {
            return;
        }
        if slot == self.kind.count() {
            let sum: u32 = pattern.iter().map(|&(_, orientation)| u32::from(orientation)).sum();
            let are_all_told = pattern[..slot].iter().all(|&(label, _)| self.classes[usize::from(label)].1);
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
            let orientations = if *is_told { self.kind.orientations() } else { 1 };
            for orientation in 0..orientations {
                let is_allowed = if *is_told { allowed[slot] >> orientation & 1 == 1 } else { allowed[slot] != 0 };
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
