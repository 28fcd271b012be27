//! Positions that symmetries fix, by the class of these symmetries.
//!
//! A symmetry s fixes a position p if s⁻¹·p·s = p. The symmetries that fix p are a subgroup of the
//! 48, and two subgroups that a symmetry carries to one another are of the same *class*; there are
//! 98 subgroups in 33 classes. Seen as a permutation of the 24 facelets of corners, and as one of
//! the 24 of edges, p is fixed by a subgroup if it commutes with it, and it commutes with the twist
//! of each piece. So the image of one facelet determines the images of all of its orbit under both:
//! positions are found by choosing an image for a facelet of each orbit, and drawn uniformly by
//! drawing these images, as no choice changes the number of choices for the next. The positions
//! that exactly a subgroup fixes are those that it fixes, less those that a larger one fixes.

use super::moves::Face;
use super::pieces::Slot;
use super::position::{Cube, is_odd};
use super::symmetry::Symmetry;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A subgroup, as bits by the numbers of its symmetries.
type SymmetrySet = u64;

/// The image of each of 24 facelets.
type FaceletImages = [u8; 24];

/// The target slot of each piece, and its orientation there.
type PieceTargets = Vec<(u8, u8)>;

/// A class of subgroups of the 48 symmetries: those that a symmetry carries to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetryClass {
    number: usize,
    /// One of its subgroups.
    subgroup: SymmetrySet,
    conjugates: u8,
}

/// The error for an unknown class name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the symmetry classes are C1, Ci, Cs (a), Cs (b), C2 (a), C2 (b), C3, …, Oh; \
     docs/lab/symmetric.md lists all 33"
)]
pub struct UnknownSymmetryClass;

impl FromStr for SymmetryClass {
    type Err = UnknownSymmetryClass;

    /// Reads a name in any case; spaces and parentheses may be left out, as in `c2va1`.
    fn from_str(text: &str) -> Result<SymmetryClass, UnknownSymmetryClass> {
        let bare = |text: &str| text.replace(['(', ')', ' '], "").to_ascii_lowercase();
        SymmetryClass::all()
            .into_iter()
            .find(|class| bare(class.name()) == bare(text))
            .ok_or(UnknownSymmetryClass)
    }
}

impl fmt::Display for SymmetryClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl SymmetryClass {
    /// Returns the 33 classes, by increasing order of their subgroups.
    pub fn all() -> Vec<SymmetryClass> {
        let subgroups = subgroups();
        let class = |number: usize| {
            let mut members = subgroups
                .iter()
                .filter(|&&subgroup| number_of(subgroup) == number);
            let conjugates = members.clone().count() as u8;
            SymmetryClass {
                number,
                subgroup: *members.next().expect("each class has a member"),
                conjugates,
            }
        };
        (0..NAMES.len()).map(class).collect()
    }

    /// Returns the Schoenflies name. A suffix distinguishes classes with the same name: (a) and
    /// "face" have axes through faces, or mirrors along faces; (b) and "edge" have axes through
    /// edges. C2v (a1) has mirrors along faces, C2v (a2) along diagonals.
    pub fn name(self) -> &'static str {
        NAMES[self.number].0
    }

    /// Returns the number of symmetries of a subgroup.
    pub fn order(self) -> u32 {
        self.subgroup.count_ones()
    }

    /// Returns the number of subgroups in the class.
    pub fn subgroup_count(self) -> u32 {
        self.conjugates.into()
    }

    /// Returns `true` if this class contains the stabilizer of a position.
    pub fn contains(self, position: &Cube) -> bool {
        number_of(subgroup(position.symmetries())) == self.number
    }

    /// Returns the number of positions of each class. Takes some seconds.
    pub fn count_positions() -> Vec<(SymmetryClass, u128)> {
        let mut fixed = [None; NAMES.len()];
        let mut exactly: Vec<(SymmetrySet, u128)> = Vec::new();
        for &subgroup in subgroups().iter().rev() {
            let all = *fixed[number_of(subgroup)].get_or_insert_with(|| count_fixed(subgroup));
            let larger = exactly
                .iter()
                .filter(|(larger, _)| larger & subgroup == subgroup);
            let by_larger: u128 = larger.map(|(_, count)| count).sum();
            exactly.push((subgroup, all - by_larger));
        }
        let of = |class: SymmetryClass| {
            exactly
                .iter()
                .find(|(subgroup, _)| *subgroup == class.subgroup)
        };
        let counted = |class: SymmetryClass| {
            (
                class,
                of(class).map_or(0, |of| of.1) * u128::from(class.conjugates),
            )
        };
        SymmetryClass::all().into_iter().map(counted).collect()
    }

    /// Returns the positions whose stabilizer is one fixed subgroup of the class. They are one in
    /// [`subgroup_count`](Self::subgroup_count) of all positions of the class. Practical only for
    /// classes with few positions.
    pub fn positions(self) -> impl Iterator<Item = Cube> {
        fixed_by(self.subgroup).filter(move |position| self.contains(position))
    }

    /// Returns positions of the class, drawn uniformly; the same for the same seed. `None` if there
    /// are none, as for O and Td.
    pub fn random_positions(self, seed: u64) -> Option<impl Iterator<Item = Cube>> {
        // All but the largest subgroups have positions.
        if self.order() == 24 && self.positions().next().is_none() {
            return None;
        }
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let corners = Centralizer::corners(self.subgroup);
        let edges = Centralizer::edges(self.subgroup);
        let draw = move || {
            loop {
                let corners = corners.draw(&mut chance);
                let edges = edges.draw(&mut chance);
                let position = corners
                    .zip(edges)
                    .and_then(|(corners, edges)| cube(&corners, &edges));
                if let Some(position) = position.filter(|position| self.contains(position)) {
                    return position.conjugate(Symmetry::from_index(
                        chance.random_range(0..Symmetry::COUNT),
                    ));
                }
            }
        };
        Some(std::iter::repeat_with(draw))
    }
}

/// The names of the classes, after Schoenflies, and the numbers of their symmetries that are half
/// turns about faces and about edges, turns about corners, quarter turns; the inversion, mirrors
/// along faces and along diagonals, rotoreflections of order 4 and of order 6.
const NAMES: [(&str, [u8; 9]); 33] = [
    ("C1", [0, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("Ci", [0, 0, 0, 0, 1, 0, 0, 0, 0]),
    ("Cs (a)", [0, 0, 0, 0, 0, 1, 0, 0, 0]),
    ("Cs (b)", [0, 0, 0, 0, 0, 0, 1, 0, 0]),
    ("C2 (a)", [1, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("C2 (b)", [0, 1, 0, 0, 0, 0, 0, 0, 0]),
    ("C3", [0, 0, 2, 0, 0, 0, 0, 0, 0]),
    ("C2h (a)", [1, 0, 0, 0, 1, 1, 0, 0, 0]),
    ("C2h (b)", [0, 1, 0, 0, 1, 0, 1, 0, 0]),
    ("C2v (a1)", [1, 0, 0, 0, 0, 2, 0, 0, 0]),
    ("C2v (a2)", [1, 0, 0, 0, 0, 0, 2, 0, 0]),
    ("C2v (b)", [0, 1, 0, 0, 0, 1, 1, 0, 0]),
    ("D2 (face)", [3, 0, 0, 0, 0, 0, 0, 0, 0]),
    ("D2 (edge)", [1, 2, 0, 0, 0, 0, 0, 0, 0]),
    ("C4", [1, 0, 0, 2, 0, 0, 0, 0, 0]),
    ("S4", [1, 0, 0, 0, 0, 0, 0, 2, 0]),
    ("S6", [0, 0, 2, 0, 1, 0, 0, 0, 2]),
    ("C3v", [0, 0, 2, 0, 0, 0, 3, 0, 0]),
    ("D3", [0, 3, 2, 0, 0, 0, 0, 0, 0]),
    ("C4h", [1, 0, 0, 2, 1, 1, 0, 2, 0]),
    ("C4v", [1, 0, 0, 2, 0, 2, 2, 0, 0]),
    ("D4", [3, 2, 0, 2, 0, 0, 0, 0, 0]),
    ("D2d (face)", [3, 0, 0, 0, 0, 0, 2, 2, 0]),
    ("D2d (edge)", [1, 2, 0, 0, 0, 2, 0, 2, 0]),
    ("D2h (face)", [3, 0, 0, 0, 1, 3, 0, 0, 0]),
    ("D2h (edge)", [1, 2, 0, 0, 1, 1, 2, 0, 0]),
    ("D3d", [0, 3, 2, 0, 1, 0, 3, 0, 2]),
    ("T", [3, 0, 8, 0, 0, 0, 0, 0, 0]),
    ("D4h", [3, 2, 0, 2, 1, 3, 2, 2, 0]),
    ("Th", [3, 0, 8, 0, 1, 3, 0, 0, 8]),
    ("Td", [3, 0, 8, 0, 0, 0, 6, 6, 0]),
    ("O", [3, 6, 8, 6, 0, 0, 0, 0, 0]),
    ("Oh", [3, 6, 8, 6, 1, 3, 6, 6, 8]),
];

/// Returns all subgroups, by increasing order.
fn subgroups() -> Vec<SymmetrySet> {
    let mut found = BTreeSet::from([1]);
    let mut open = vec![1];
    while let Some(subgroup) = open.pop() {
        for s in Symmetry::all().filter(|s| subgroup >> s.index() & 1 == 0) {
            let larger = closure(subgroup | 1 << s.index());
            if found.insert(larger) {
                open.push(larger);
            }
        }
    }
    let mut all: Vec<SymmetrySet> = found.into_iter().collect();
    all.sort_by_key(|subgroup| subgroup.count_ones());
    all
}

fn members(subgroup: SymmetrySet) -> impl Iterator<Item = Symmetry> + Clone {
    Symmetry::all().filter(move |s| subgroup >> s.index() & 1 == 1)
}

fn subgroup(symmetries: Vec<Symmetry>) -> SymmetrySet {
    symmetries.iter().fold(0, |bits, s| bits | 1 << s.index())
}

/// Returns the smallest subgroup with these symmetries.
fn closure(mut bits: SymmetrySet) -> SymmetrySet {
    loop {
        let products = members(bits).flat_map(|a| members(bits).map(move |b| a.then(b)));
        let larger = products.fold(bits, |bits, s| bits | 1 << s.index());
        if larger == bits {
            return bits;
        }
        bits = larger;
    }
}

/// Returns the number of symmetries of each kind in a subgroup, as in [`NAMES`].
fn kinds(subgroup: SymmetrySet) -> [u8; 9] {
    let mut kinds = [0; 9];
    for s in members(subgroup) {
        let axes = [Face::U, Face::R, Face::F].map(|face| (face, s.face(face)));
        let kept = axes
            .iter()
            .filter(|(from, to)| from.axis() == to.axis())
            .count();
        let trace: i32 = axes
            .iter()
            .map(|(from, to)| i32::from(from == to) - i32::from(*to == from.opposite()))
            .sum();
        let kind = match (s.is_mirror(), trace) {
            (false, 3) => continue,
            (false, -1) => usize::from(kept != 3),
            (false, 0) => 2,
            (false, _) => 3,
            (true, -3) => 4,
            (true, 1) => 5 + usize::from(kept != 3),
            (true, -1) => 7,
            (true, _) => 8,
        };
        kinds[kind] += 1;
    }
    kinds
}

/// The permutations of the facelets of corners, or of edges, that commute with the twist and with
/// the symmetries of a subgroup.
struct Centralizer {
    /// Number of facelets of a piece.
    facelets: usize,
    /// The twist, and the symmetries of the subgroup.
    generators: Vec<FaceletImages>,
}

impl Centralizer {
    fn corners(subgroup: SymmetrySet) -> Centralizer {
        Centralizer::new(Slot::corners(), subgroup)
    }

    fn edges(subgroup: SymmetrySet) -> Centralizer {
        Centralizer::new(Slot::edges(), subgroup)
    }

    fn new(slots: impl Iterator<Item = Slot>, subgroup: SymmetrySet) -> Centralizer {
        let slots: Vec<Slot> = slots.collect();
        let facelets = slots[0].faces().len();
        let carried = |s: Symmetry, facelet: usize| {
            let (slot, faces) = slots[facelet / facelets].carried(s);
            let face = faces[facelet % facelets];
            let is_it = |other: &Face| *other == face;
            let place = slot.faces().iter().position(is_it);
            (slot.number() * facelets + place.expect("the slot touches its faces")) as u8
        };
        let twist = std::array::from_fn(|facelet| {
            (facelet / facelets * facelets + (facelet + 1) % facelets) as u8
        });
        let symmetries =
            members(subgroup).map(|s| std::array::from_fn(|facelet| carried(s, facelet)));
        Centralizer {
            facelets,
            generators: std::iter::once(twist).chain(symmetries).collect(),
        }
    }

    /// Calls `visit` with each permutation that commutes with all generators: the image of each
    /// facelet.
    fn for_each(&self, visit: &mut dyn FnMut(&FaceletImages)) {
        self.place(&mut [u8::MAX; 24], visit);
    }

    fn place(&self, placed: &mut FaceletImages, visit: &mut dyn FnMut(&FaceletImages)) {
        let Some(open) = placed.iter().position(|&to| to == u8::MAX) else {
            return visit(placed);
        };
        for to in 0..24 {
            let mut next = *placed;
            if !placed.contains(&to) && self.set(&mut next, open, to) {
                self.place(&mut next, visit);
            }
        }
    }

    /// Draws one of these permutations; `None` if the orientations do not sum to zero.
    fn draw(&self, chance: &mut ChaCha8Rng) -> Option<PieceTargets> {
        let mut placed = [u8::MAX; 24];
        let mut places: [u8; 24] = std::array::from_fn(|place| place as u8);
        while let Some(open) = placed.iter().position(|&to| to == u8::MAX) {
            places.shuffle(chance);
            let before = placed;
            let is_set = |&to: &u8| {
                placed = before;
                !placed.contains(&to) && self.set(&mut placed, open, to)
            };
            places.iter().copied().find(is_set)?;
        }
        self.pieces(&placed)
    }

    /// Maps a facelet to an image, and its orbit accordingly; returns `true` if that is possible.
    fn set(&self, placed: &mut FaceletImages, from: usize, to: u8) -> bool {
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            match placed[from] {
                u8::MAX if placed.contains(&to) => return false,
                u8::MAX => placed[from] = to,
                known if known == to => continue,
                _ => return false,
            }
            let images = self
                .generators
                .iter()
                .map(|map| (usize::from(map[from]), map[usize::from(to)]));
            open.extend(images);
        }
        true
    }

    /// Returns the target slot of each piece, and its orientation there; `None` if the orientations
    /// do not sum to zero.
    fn pieces(&self, facelets: &FaceletImages) -> Option<PieceTargets> {
        let count = self.facelets as u8;
        // A piece turned by t shows its facelet j at facelet j + t.
        let turned = |&to: &u8| (to / count, (count - to % count) % count);
        let pieces: PieceTargets = facelets.iter().step_by(self.facelets).map(turned).collect();
        let turns: u32 = pieces.iter().map(|&(_, turn)| u32::from(turn)).sum();
        turns.is_multiple_of(u32::from(count)).then_some(pieces)
    }
}

/// Returns the number of positions that a subgroup fixes.
fn count_fixed(subgroup: SymmetrySet) -> u128 {
    if subgroup.count_ones() == 1 {
        return 43_252_003_274_489_856_000;
    }
    let by_parity = |centralizer: &Centralizer| {
        let mut counts = [0u128; 2];
        centralizer.for_each(&mut |facelets| {
            if let Some(pieces) = centralizer.pieces(facelets) {
                let slots: Vec<u8> = pieces.iter().map(|(slot, _)| *slot).collect();
                counts[usize::from(is_odd(&slots))] += 1;
            }
        });
        counts
    };
    let corners = by_parity(&Centralizer::corners(subgroup));
    let edges = by_parity(&Centralizer::edges(subgroup));
    corners[0] * edges[0] + corners[1] * edges[1]
}

/// Returns the positions that a subgroup fixes, of which there are not many.
fn fixed_by(subgroup: SymmetrySet) -> impl Iterator<Item = Cube> {
    let all = |centralizer: Centralizer| {
        let mut all = Vec::new();
        centralizer.for_each(&mut |facelets| all.extend(centralizer.pieces(facelets)));
        all
    };
    let corners = all(Centralizer::corners(subgroup));
    let edges = all(Centralizer::edges(subgroup));
    corners.into_iter().flat_map(move |corners| {
        edges
            .iter()
            .filter_map(|edges| cube(&corners, edges))
            .collect::<Vec<_>>()
    })
}

/// Returns the position with these corners and edges, if there is one.
fn cube(corners: &PieceTargets, edges: &PieceTargets) -> Option<Cube> {
    Cube::from_cubies(corners[..].try_into().ok()?, edges[..].try_into().ok()?).ok()
}

/// Returns the number of a subgroup's class.
fn number_of(subgroup: SymmetrySet) -> usize {
    let kinds = kinds(subgroup);
    NAMES
        .iter()
        .position(|(_, counts)| *counts == kinds)
        .expect("there are 33 classes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// D. Hoey and J. Saxe, 1980; S. Radu and H. Kociemba, 2006.
    #[test]
    fn counts_are_the_published_ones() {
        assert_eq!(subgroups().len(), 98);
        let classes = SymmetryClass::count_positions();
        let all = classes.iter().map(|(_, count)| count);
        assert_eq!(all.clone().sum::<u128>(), 43_252_003_274_489_856_000);
        assert_eq!(all.skip(1).sum::<u128>(), 164_604_041_664);
        let up_to_symmetry = classes
            .iter()
            .map(|(class, count)| count * u128::from(class.order()) / 48);
        assert_eq!(up_to_symmetry.sum::<u128>(), 901_083_404_981_813_616);
        for (name, expected) in [("Oh", 4), ("O", 0), ("Th", 20)] {
            let mut classes = classes.iter();
            let found = classes.find(|(class, _)| class.name() == name);
            assert_eq!(found.unwrap().1, expected, "{name}");
        }
        assert_eq!("D4h".parse::<SymmetryClass>().unwrap().subgroup_count(), 3);
        assert_eq!("C5".parse::<SymmetryClass>(), Err(UnknownSymmetryClass));
    }

    #[test]
    fn positions_are_drawn_uniformly_from_those_of_a_class() {
        for name in ["Oh", "th", "D3d"] {
            let class: SymmetryClass = name.parse().unwrap();
            let images = |position: Cube| Symmetry::all().map(move |s| position.conjugate(s));
            let all: BTreeSet<Cube> = class.positions().flat_map(images).collect();
            let mut drawn: BTreeMap<Cube, usize> = BTreeMap::new();
            for position in class.random_positions(1).unwrap().take(200 * all.len()) {
                assert!(class.contains(&position));
                *drawn.entry(position).or_default() += 1;
            }
            assert!(drawn.keys().eq(&all), "{name}");
            let mut counts = drawn.values();
            assert!(
                counts.all(|count| (130..=280).contains(count)),
                "{name}: {drawn:?}"
            );
        }
        for class in SymmetryClass::all() {
            match class.random_positions(7) {
                Some(mut drawn) => assert!(class.contains(&drawn.next().unwrap()), "{class}"),
                None => assert!(["O", "Td"].contains(&class.name())),
            }
        }
    }
}
