//! Reachability of a goal with the allowed turns.
//!
//! Pattern databases of a few pieces each do not decide it: R and U carry each of their six corners
//! to each of the six slots, but all six together only in 120 orders. So the turns are taken as
//! permutations of the 48 facelets of the pieces and the six centers, and a stabilizer chain of the
//! group they generate is computed, after Sims (1970). Its first base points are the centers, if
//! turns move them, and the facelets of the pieces that the goal constrains to one slot and
//! orientation. Each link holds the images of its point under the stabilizer of the points before.
//! The chain decides exactly whether some element of the group carries all these facelets to their
//! goal.
//!
//! Pieces with several allowed slots or orientations are left out.

use super::definition::{Mask, PieceKind};
use super::turns::{TurnSet, reach_all};
use crate::cube::{Cube, Face, LayerTurn, Sequence, Slot, Symmetry};

/// The image of each point: 24 facelets of corners, 24 of edges, six centers.
type PointPermutation = [u8; POINTS];
const POINTS: usize = 54;

/// Reachable arrangements of the pieces that a goal constrains to one slot and orientation.
pub(super) struct Reachability {
    facelets: Vec<ConstrainedFacelet>,
    moves_centers: bool,
    /// A chain for each orientation that the whole cube may have after the turns.
    chains: Vec<StabilizerChain>,
}

/// A facelet of a piece that is constrained to one slot and orientation.
struct ConstrainedFacelet {
    piece: Slot,
    facelet: u8,
    /// The point where the goal has the facelet.
    target: u8,
}

impl Reachability {
    /// Creates the chains for pieces of these kinds. The mask is in the initial frame of the cube.
    /// `None` if the turns reach every position.
    pub fn new(turns: &TurnSet, mask: &Mask, kinds: &[PieceKind]) -> Option<Reachability> {
        let turns: Vec<LayerTurn> = turns.allowed().iter().map(|&(turn, _)| turn).collect();
        let is_turned = |face: Face| turns.iter().any(|&turn| is_quarter_of(turn, face));
        if Face::ALL.into_iter().all(is_turned) {
            return None;
        }
        let frames = reachable_frames(&turns);
        let moves_centers = frames.len() > 1;
        let facelets = constrained_facelets(mask, kinds);
        let mut chains = Vec::new();
        for &frame in &frames {
            let rotation = rotation_permutation(frame);
            let targets = facelets.iter().map(|facelet| facelet.target);
            let mut base = images(CENTERS.filter(|_| moves_centers).chain(targets), &rotation);
            for point in identity() {
                if !base.contains(&point) {
                    base.push(point);
                }
            }
            let mut chain = StabilizerChain::new(&base);
            for &turn in &turns {
                chain.add_generator(0, &turn_permutation(turn));
            }
            // Elements that differ only by a rotation at the end give the same position.
            let is_element = |frame: &&Symmetry| {
                let rotation = rotation_permutation(**frame);
                chain.contains_mapping(images(base.iter().copied(), &rotation))
            };
            if chain.order() == POSITIONS * frames.iter().filter(is_element).count() as u128 {
                return None;
            }
            chains.push(chain);
        }
        Some(Reachability {
            facelets,
            moves_centers,
            chains,
        })
    }

    /// Returns `true` if the turns carry all constrained pieces to their goal.
    pub fn is_reachable(&self, position: &Cube) -> bool {
        let point_of = |facelet: &ConstrainedFacelet| {
            let mut points = Slot::all().filter_map(|slot| {
                let (piece, orientation) = slot.cubie(position);
                (piece == facelet.piece).then(|| point(slot, facelet.facelet + orientation as u8))
            });
            points.next().expect("every piece is somewhere")
        };
        let from: Vec<u8> = CENTERS
            .filter(|_| self.moves_centers)
            .chain(self.facelets.iter().map(point_of))
            .collect();
        self.chains
            .iter()
            .any(|chain| chain.contains_mapping(from.clone()))
    }
}

/// Returns the orientations of the whole cube that the turns lead to.
fn reachable_frames(turns: &[LayerTurn]) -> Vec<Symmetry> {
    reach_all(vec![Symmetry::IDENTITY], |frame| {
        turns.iter().map(move |turn| frame.then(turn.rotation()))
    })
}

fn constrained_facelets(mask: &Mask, kinds: &[PieceKind]) -> Vec<ConstrainedFacelet> {
    let mut facelets = Vec::new();
    for piece in Slot::all().filter(|&piece| kinds.contains(&PieceKind::of(piece))) {
        let kind = PieceKind::of(piece);
        let mut slots = kind.slots().filter(|&slot| mask.allowed(piece, slot) != 0);
        if let (Some(slot), None) = (slots.next(), slots.next())
            && mask.allowed(piece, slot).is_power_of_two()
        {
            let orientation = mask.allowed(piece, slot).trailing_zeros() as u8;
            facelets.extend((0..kind.orientations()).map(|facelet| ConstrainedFacelet {
                piece,
                facelet,
                target: point(slot, facelet + orientation),
            }));
        }
    }
    facelets
}

/// Number of positions of the cube.
const POSITIONS: u128 = 43_252_003_274_489_856_000;
const CENTERS: std::ops::Range<u8> = 48..POINTS as u8;

fn is_quarter_of(turn: LayerTurn, face: Face) -> bool {
    turn.is_face_turn() && !turn.is_half_turn() && turn.face_turns().any(|m| m.face() == face)
}

/// Returns the point of a facelet of a slot; `facelet` is taken modulo the slot's number of
/// facelets.
fn point(slot: Slot, facelet: u8) -> u8 {
    let kind = PieceKind::of(slot);
    let first = [0, 24][kind as usize];
    first + slot.number() as u8 * kind.orientations() + facelet % kind.orientations()
}

/// Returns the permutation of all points by a turn, which may move centers.
fn turn_permutation(turn: LayerTurn) -> PointPermutation {
    let sequence = Sequence::from_turns(&[turn]);
    let cube = Cube::from_moves(&sequence.moves_in_initial_frame());
    let moved = permutation_of_slots(|slot| {
        let (from, orientation) = slot.cubie(&cube);
        (from, slot, orientation as u8)
    });
    then(&moved, &rotation_permutation(sequence.rotation()))
}

fn rotation_permutation(rotation: Symmetry) -> PointPermutation {
    let mut permutation = permutation_of_slots(|slot| {
        let (slots, shifts) = PieceKind::of(slot).images(rotation);
        let to = slot.with_number(slots[slot.number()].into());
        (slot, to, shifts[slot.number()])
    });
    for face in Face::ALL {
        permutation[48 + face.index()] = 48 + rotation.face(face).index() as u8;
    }
    permutation
}

/// Returns the permutation of the facelets of all slots. For each slot, `carry` gives the slot from
/// which facelets are carried, the slot to which they go, and the facelet there that the first one
/// becomes.
fn permutation_of_slots(carry: impl Fn(Slot) -> (Slot, Slot, u8)) -> PointPermutation {
    let mut permutation = identity();
    for (from, to, shift) in Slot::all().map(carry) {
        for facelet in 0..PieceKind::of(from).orientations() {
            permutation[usize::from(point(from, facelet))] = point(to, facelet + shift);
        }
    }
    permutation
}

/// Returns the composition of two permutations, `one` first.
fn then(one: &PointPermutation, other: &PointPermutation) -> PointPermutation {
    one.map(|point| other[usize::from(point)])
}

fn images(points: impl IntoIterator<Item = u8>, permutation: &PointPermutation) -> Vec<u8> {
    let image = |point| permutation[usize::from(point)];
    points.into_iter().map(image).collect()
}

fn identity() -> PointPermutation {
    std::array::from_fn(|point| point as u8)
}

fn inverse(permutation: &PointPermutation) -> PointPermutation {
    let mut inverse = identity();
    permutation
        .iter()
        .zip(0..)
        .for_each(|(&to, from)| inverse[usize::from(to)] = from);
    inverse
}

/// A stabilizer chain.
struct StabilizerChain {
    links: Vec<ChainLink>,
}

/// The subgroup that fixes the points of the links before this one.
struct ChainLink {
    point: u8,
    generators: Vec<PointPermutation>,
    /// By image of the point: an element that carries the point there.
    transversal: Vec<Option<PointPermutation>>,
}

impl StabilizerChain {
    /// Creates the chain of the trivial group.
    fn new(base: &[u8]) -> StabilizerChain {
        let link = |&point: &u8| {
            let mut transversal = vec![None; POINTS];
            transversal[usize::from(point)] = Some(identity());
            ChainLink {
                point,
                generators: Vec::new(),
                transversal,
            }
        };
        StabilizerChain {
            links: base.iter().map(link).collect(),
        }
    }

    fn order(&self) -> u128 {
        self.links
            .iter()
            .map(|link| link.transversal.iter().flatten().count() as u128)
            .product()
    }

    /// Returns `true` if some element of the group carries the first points of the base to
    /// `targets`.
    fn contains_mapping(&self, mut targets: Vec<u8>) -> bool {
        for i in 0..targets.len() {
            let Some(transversal) = &self.links[i].transversal[usize::from(targets[i])] else {
                return false;
            };
            targets = images(targets, &inverse(transversal));
        }
        true
    }

    /// Adds to the subgroup of a link an element that fixes the points before, and its products
    /// with the elements of the subgroup.
    fn add_generator(&mut self, link: usize, element: &PointPermutation) {
        let base = self.links.iter().map(|link| link.point);
        if self.contains_mapping(images(base, element)) {
            return;
        }
        self.links[link].generators.push(*element);
        for known in self.links[link].transversal.clone().iter().flatten() {
            self.add_element(link, &then(known, element));
        }
    }

    /// Adds a product of elements to the subgroup of a link.
    fn add_element(&mut self, link: usize, product: &PointPermutation) {
        let image = usize::from(product[usize::from(self.links[link].point)]);
        if let Some(known) = &self.links[link].transversal[image] {
            let residue = then(product, &inverse(known));
            return self.add_generator(link + 1, &residue);
        }
        self.links[link].transversal[image] = Some(*product);
        for generator in self.links[link].generators.clone() {
            self.add_element(link, &then(product, &generator));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, TurnMetric, TurnSet};
    use super::*;

    fn reachability(turns: &str) -> Option<Reachability> {
        let goal: Goal = "solved".parse().unwrap();
        let turns = TurnSet::parse(turns, TurnMetric::Etm, "").unwrap();
        Reachability::new(&turns, &goal.mask, &PieceKind::BOTH)
    }

    #[test]
    fn groups_have_the_known_orders() {
        for (text, order) in [
            ("R U", 73_483_200),
            ("R2 U2", 12),
            ("M2 E2 S2", 8),
            ("M E S", 768),
            ("x y", 24),
            ("U2 D2 R2 L2 F2 B2", 663_552),
            ("U D R2 L2 F2 B2", 19_508_428_800),
            ("R U F", 170_659_735_142_400),
        ] {
            let chain_order = reachability(text).unwrap().chains[0].order();
            assert_eq!(chain_order, order, "{text}");
        }
        for text in ["U R F D L", "x y U"] {
            assert!(reachability(text).is_none(), "{text}");
        }
    }

    #[test]
    fn only_positions_that_turns_reach_are_reachable() {
        for (text, reached, unreachable) in [
            ("R U", "R U2 R' U R", "R U R' U' R' F R2 U' R' U' R U R' F'"),
            ("M U", "M U M' U2 M2", "R"),
            ("M2 U", "U M2 U2 M2", "M U M'"),
            ("R2 U2", "U2 R2 U2", "R U R' U'"),
            ("x R", "R2", "L"),
        ] {
            let reachability = reachability(text).unwrap();
            assert!(
                reachability.is_reachable(&reached.parse().unwrap()),
                "{text}"
            );
            assert!(
                !reachability.is_reachable(&unreachable.parse().unwrap()),
                "{text}"
            );
        }
    }
}
