//! Positions that symmetries fix, by the class of these symmetries.
//!
//! A symmetry s fixes a position p if s⁻¹·p·s = p. The symmetries that fix p are a subgroup of the
//! 48. Conjugate subgroups are of the same *class*; there are 98 subgroups in 33 classes.
//!
//! A position is a permutation of the 24 facelets of corners and a permutation of the 24 facelets
//! of edges. Both commute with the twist that carries each facelet to the next one of its piece,
//! and a subgroup fixes the position if both commute with its symmetries. So the image of one
//! facelet determines the images of its whole orbit under the twist and the subgroup. Positions are
//! found by choosing an image for a facelet of each orbit. They are drawn uniformly by drawing
//! these images, because no choice changes the number of choices for the next. The positions whose
//! stabilizer is a subgroup are those that it fixes, less those whose stabilizer is a larger
//! subgroup.

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

/// A set of symmetries, mostly a subgroup: bit i represents the symmetry numbered i.
type SymmetrySet = u64;

/// The image of each of 24 facelets; `u8::MAX` if it is not chosen yet. In a position, each facelet
/// of a slot is mapped to the facelet of the cubie that it shows.
type FaceletImages = [u8; 24];

/// The cubie in each slot, and its orientation there.
type SlotContents = Vec<(u8, u8)>;

/// A class of conjugate subgroups of the 48 symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymmetryClass {
    /// The index in [`NAMES`].
    number: usize,
    /// One of the subgroups in the class.
    subgroup: SymmetrySet,
    /// Number of subgroups in the class.
    subgroup_count: u8,
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
                .filter(|&&subgroup| class_number(subgroup) == number);
            let subgroup_count = members.clone().count() as u8;
            SymmetryClass {
                number,
                subgroup: *members.next().expect("each class has a member"),
                subgroup_count,
            }
        };
        (0..NAMES.len()).map(class).collect()
    }

    /// Returns the Schoenflies name. A suffix distinguishes classes with the same name. Classes
    /// with (a) or "face" have axes through faces, or mirrors parallel to faces; classes with (b)
    /// or "edge" have axes through edges, or mirrors along diagonals. The mirrors of C2v (a1) are
    /// parallel to faces, those of C2v (a2) along diagonals.
    pub fn name(self) -> &'static str {
        NAMES[self.number].0
    }

    /// Returns the number of symmetries of a subgroup.
    pub fn order(self) -> u32 {
        self.subgroup.count_ones()
    }

    /// Returns the number of subgroups in the class.
    pub fn subgroup_count(self) -> u32 {
        self.subgroup_count.into()
    }

    /// Returns `true` if this class contains the stabilizer of a position.
    pub fn contains(self, position: &Cube) -> bool {
        class_number(symmetry_set(position.symmetries())) == self.number
    }

    /// Returns the number of positions of each class. Takes some seconds.
    pub fn count_positions() -> Vec<(SymmetryClass, u128)> {
        let mut fixed_by_class = [None; NAMES.len()];
        // For each subgroup, the number of positions whose stabilizer it is.
        let mut stabilized: Vec<(SymmetrySet, u128)> = Vec::new();
        for &subgroup in subgroups().iter().rev() {
            let fixed = *fixed_by_class[class_number(subgroup)]
                .get_or_insert_with(|| count_fixed(subgroup));
            let larger = stabilized
                .iter()
                .filter(|(larger, _)| larger & subgroup == subgroup);
            let by_larger: u128 = larger.map(|(_, count)| count).sum();
            stabilized.push((subgroup, fixed - by_larger));
        }
        let count_of_subgroup = |class: SymmetryClass| {
            stabilized
                .iter()
                .find(|(subgroup, _)| *subgroup == class.subgroup)
                .map_or(0, |(_, count)| *count)
        };
        let counted = |class: SymmetryClass| {
            (
                class,
                count_of_subgroup(class) * u128::from(class.subgroup_count),
            )
        };
        SymmetryClass::all().into_iter().map(counted).collect()
    }

    /// Returns the positions whose stabilizer is one chosen subgroup of the class. All positions of
    /// the class are [`subgroup_count`](Self::subgroup_count) times as many. Practical only for
    /// classes with few positions.
    pub fn positions(self) -> impl Iterator<Item = Cube> {
        fixed_by(self.subgroup).filter(move |position| self.contains(position))
    }

    /// Returns positions of the class, drawn uniformly; the same for the same seed. `None` if there
    /// are none, as for O and Td.
    pub fn random_positions(self, seed: u64) -> Option<impl Iterator<Item = Cube>> {
        // Each subgroup of another order is the stabilizer of a position.
        if self.order() == 24 && self.positions().next().is_none() {
            return None;
        }
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let corners = Centralizer::corners(self.subgroup);
        let edges = Centralizer::edges(self.subgroup);
        let draw = move || {
            loop {
                let corners = corners.draw(&mut rng);
                let edges = edges.draw(&mut rng);
                let position = corners
                    .zip(edges)
                    .and_then(|(corners, edges)| cube(&corners, &edges));
                if let Some(position) = position.filter(|position| self.contains(position)) {
                    return position
                        .conjugate(Symmetry::from_index(rng.random_range(0..Symmetry::COUNT)));
                }
            }
        };
        Some(std::iter::repeat_with(draw))
    }
}

/// The Schoenflies names of the classes, and the number of symmetries of each kind in a subgroup.
///
/// The kinds are half turns about faces, half turns about edges, turns about corners, and quarter
/// turns; then the inversion, mirrors parallel to faces, mirrors along diagonals, rotoreflections
/// of order 4, and rotoreflections of order 6.
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
    // Bit 0 represents the identity.
    let mut found = BTreeSet::from([1]);
    let mut pending = vec![1];
    while let Some(subgroup) = pending.pop() {
        for s in Symmetry::all().filter(|s| subgroup >> s.index() & 1 == 0) {
            let larger = closure(subgroup | 1 << s.index());
            if found.insert(larger) {
                pending.push(larger);
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

fn symmetry_set(symmetries: Vec<Symmetry>) -> SymmetrySet {
    symmetries.iter().fold(0, |bits, s| bits | 1 << s.index())
}

/// Returns the smallest subgroup that contains these symmetries.
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
        let kept_axes = axes
            .iter()
            .filter(|(from, to)| from.axis() == to.axis())
            .count();
        // The trace of the symmetry as a matrix.
        let trace: i32 = axes
            .iter()
            .map(|(from, to)| i32::from(from == to) - i32::from(*to == from.opposite()))
            .sum();
        let kind = match (s.is_mirror(), trace) {
            // The identity.
            (false, 3) => continue,
            (false, -1) => usize::from(kept_axes != 3),
            (false, 0) => 2,
            (false, _) => 3,
            (true, -3) => 4,
            (true, 1) => 5 + usize::from(kept_axes != 3),
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
            let facelet = slot.faces().iter().position(|other| *other == face);
            (slot.number() * facelets + facelet.expect("the slot touches its faces")) as u8
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
        self.extend(&mut [u8::MAX; 24], visit);
    }

    /// Calls `visit` with each of these permutations that has the images chosen so far.
    fn extend(&self, images: &mut FaceletImages, visit: &mut dyn FnMut(&FaceletImages)) {
        let Some(facelet) = images.iter().position(|&to| to == u8::MAX) else {
            return visit(images);
        };
        for to in 0..24 {
            let mut next = *images;
            if !images.contains(&to) && self.set(&mut next, facelet, to) {
                self.extend(&mut next, visit);
            }
        }
    }

    /// Draws one of these permutations uniformly; `None` if its orientations do not add up to zero.
    fn draw(&self, rng: &mut ChaCha8Rng) -> Option<SlotContents> {
        let mut images = [u8::MAX; 24];
        let mut candidates: [u8; 24] = std::array::from_fn(|facelet| facelet as u8);
        while let Some(facelet) = images.iter().position(|&to| to == u8::MAX) {
            candidates.shuffle(rng);
            let before = images;
            let is_possible = |&to: &u8| {
                images = before;
                !images.contains(&to) && self.set(&mut images, facelet, to)
            };
            candidates.iter().copied().find(is_possible)?;
        }
        self.pieces(&images)
    }

    /// Maps a facelet to an image, and its orbit accordingly. Returns `true` if that is possible.
    fn set(&self, images: &mut FaceletImages, from: usize, to: u8) -> bool {
        let mut pending = vec![(from, to)];
        while let Some((from, to)) = pending.pop() {
            match images[from] {
                u8::MAX if images.contains(&to) => return false,
                u8::MAX => images[from] = to,
                known if known == to => continue,
                _ => return false,
            }
            let implied = self
                .generators
                .iter()
                .map(|map| (usize::from(map[from]), map[usize::from(to)]));
            pending.extend(implied);
        }
        true
    }

    /// Returns the cubie in each slot, and its orientation there; `None` if the orientations do not
    /// add up to zero.
    fn pieces(&self, facelets: &FaceletImages) -> Option<SlotContents> {
        let count = self.facelets as u8;
        // Facelet 0 of a slot shows facelet -t of a cubie of orientation t.
        let piece = |&to: &u8| (to / count, (count - to % count) % count);
        let pieces: SlotContents = facelets.iter().step_by(self.facelets).map(piece).collect();
        let sum: u32 = pieces
            .iter()
            .map(|&(_, orientation)| u32::from(orientation))
            .sum();
        sum.is_multiple_of(u32::from(count)).then_some(pieces)
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
                let cubies: Vec<u8> = pieces.iter().map(|(cubie, _)| *cubie).collect();
                counts[usize::from(is_odd(&cubies))] += 1;
            }
        });
        counts
    };
    let corners = by_parity(&Centralizer::corners(subgroup));
    let edges = by_parity(&Centralizer::edges(subgroup));
    corners[0] * edges[0] + corners[1] * edges[1]
}

/// Returns the positions that a subgroup fixes. Practical only if there are few.
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
fn cube(corners: &SlotContents, edges: &SlotContents) -> Option<Cube> {
    Cube::from_cubies(corners[..].try_into().ok()?, edges[..].try_into().ok()?).ok()
}

/// Returns the index in [`NAMES`] of a subgroup's class.
fn class_number(subgroup: SymmetrySet) -> usize {
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
    fn counts_agree_with_published_ones() {
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
    fn random_positions_of_a_class_are_uniform() {
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
            // Each is expected 200 times.
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
