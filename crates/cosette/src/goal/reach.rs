//! Whether turns lead to a goal at all.
//!
//! Tables of a few pieces each do not tell: turns of R and U bring each corner to every corner's place that they turn, but all of
//! them only in 120 orders. So the turns are taken as permutations of the 48 facelets of the pieces and the six centres, and a
//! chain of stabilizers of the group they generate is made, after Sims (1970): for the facelets of the pieces that the goal wants in
//! one slot, one after the other, where the group brings it while it leaves the ones before alone. With it, whether some element
//! brings all of them where they should be is decided exactly.
//!
//! A piece that may be in several slots is left out of it.

use super::mask::{Kind, Mask};
use super::turns::Turns;
use crate::cube::{Cube, Face, LayerTurn, Sequence, Symmetry};

/// Where each point is brought: 24 facelets of corners, 24 of edges, six centres.
type Permutation = [u8; POINTS];
const POINTS: usize = 54;

const NOTHING: Permutation = {
    let mut points = [0; POINTS];
    let mut i = 0;
    while i < POINTS {
        points[i] = i as u8;
        i += 1;
    }
    points
};

/// What turns bring the pieces of a goal to, those that it wants in one slot.
pub(super) struct Reach {
    /// For each of their facelets: the piece, the facelet, and where it is wanted.
    asked: Vec<(Kind, usize, u8, u8)>,
    /// Whether turns move centres.
    centres: bool,
    /// A chain for each way in which the cube may be held at the end.
    chains: Vec<Chain>,
}

impl Reach {
    /// For pieces of these kinds. The mask is seen as the cube is held at first. `None` if the turns lead to every position.
    pub fn new(turns: &Turns, mask: &Mask, kinds: &[Kind]) -> Option<Reach> {
        let is_there = |face: Face| turns.allowed().iter().any(|(turn, _)| is_quarter_of(*turn, face));
        if Face::ALL.into_iter().all(is_there) {
            return None;
        }
        let mut held = vec![Symmetry::IDENTITY];
        let mut done = 0;
        while let Some(&last) = held.get(done) {
            done += 1;
            for next in turns.allowed().iter().map(|(turn, _)| last.then(turn.rotation())) {
                if !held.contains(&next) {
                    held.push(next);
                }
            }
        }
        let centres = held.len() > 1;
        let mut asked = Vec::new();
        for (kind, piece) in kinds.iter().flat_map(|&kind| (0..kind.count()).map(move |piece| (kind, piece))) {
            let allowed = &mask.of(kind, piece)[..kind.count()];
            let bits = allowed.iter().fold(0, |all, bits| all | bits);
            let mut slots = (0..kind.count()).filter(|&slot| allowed[slot] != 0);
            if let (Some(slot), None, true) = (slots.next(), slots.next(), bits.is_power_of_two()) {
                let at = |facelet| point(kind, slot, facelet + bits.trailing_zeros() as u8);
                asked.extend((0..kind.orientations()).map(|facelet| (kind, piece, facelet, at(facelet))));
            }
        }
        let mut chains = Vec::new();
        for &rotation in &held {
            let seen = of_rotation(rotation);
            let wanted = CENTRES.filter(|_| centres).chain(asked.iter().map(|asked| asked.3));
            let mut base: Vec<u8> = wanted.map(|point| seen[usize::from(point)]).collect();
            base.extend((0..POINTS as u8).filter(|point| !base.contains(point)).collect::<Vec<_>>());
            let mut chain = Chain::new(&base);
            turns.allowed().iter().for_each(|&(turn, _)| chain.extend(0, &of_turn(turn)));
            // Elements that differ by a rotation at the end make one position.
            let rotates = |s: &&Symmetry| {
                let seen = of_rotation(**s);
                chain.brings(base.iter().map(|&at| seen[usize::from(at)]).collect())
            };
            if chain.order() == POSITIONS * held.iter().filter(rotates).count() as u128 {
                return None;
            }
            chains.push(chain);
        }
        Some(Reach { asked, centres, chains })
    }

    /// Whether turns bring all the pieces where they are wanted.
    pub fn leads_from(&self, position: &Cube) -> bool {
        let at = |&(kind, piece, facelet, _): &(Kind, usize, u8, u8)| {
            let mut pieces = kind.pieces(position).enumerate();
            let slot = pieces.find(|(_, (other, _))| *other == piece);
            slot.map_or(0, |(slot, (_, orientation))| point(kind, slot, facelet + orientation))
        };
        let from: Vec<u8> = CENTRES.filter(|_| self.centres).chain(self.asked.iter().map(at)).collect();
        self.chains.iter().any(|chain| chain.brings(from.clone()))
    }
}

/// How many positions there are.
const POSITIONS: u128 = 43_252_003_274_489_856_000;
const CENTRES: std::ops::Range<u8> = 48..POINTS as u8;

fn is_quarter_of(turn: LayerTurn, face: Face) -> bool {
    turn.is_face_turn() && !turn.is_half_turn() && turn.face_turns().any(|m| m.face() == face)
}

/// The point that facelet number `facelet`, taken around, of a slot is.
fn point(kind: Kind, slot: usize, facelet: u8) -> u8 {
    let first = if kind == Kind::Corners { 0 } else { 24 };
    first + slot as u8 * kind.orientations() + facelet % kind.orientations()
}

/// What a turn brings where, with all that it carries.
fn of_turn(turn: LayerTurn) -> Permutation {
    let sequence = Sequence::of_turns(&[turn]);
    let cube = Cube::from_moves(&sequence.moves_as_first_held());
    let mut permutation = NOTHING;
    for kind in Kind::BOTH {
        for (slot, (from, orientation)) in kind.pieces(&cube).enumerate() {
            for facelet in 0..kind.orientations() {
                permutation[usize::from(point(kind, from, facelet))] = point(kind, slot, facelet + orientation);
            }
        }
    }
    then(&permutation, &of_rotation(sequence.rotation()))
}

fn of_rotation(rotation: Symmetry) -> Permutation {
    let (maps, mut permutation) = (rotation.maps(), NOTHING);
    for kind in Kind::BOTH {
        let (slots, shifts) = match kind {
            Kind::Corners => (&maps.corners[..], &maps.corner_shift[..]),
            Kind::Edges => (&maps.edges[..], &maps.edge_shift[..]),
        };
        for (slot, (&to, &shift)) in slots.iter().zip(shifts).enumerate() {
            for facelet in 0..kind.orientations() {
                permutation[usize::from(point(kind, slot, facelet))] = point(kind, usize::from(to), facelet + shift);
            }
        }
    }
    for face in Face::ALL {
        permutation[48 + face.index()] = 48 + rotation.face(face).index() as u8;
    }
    permutation
}

/// First one, then the other.
fn then(one: &Permutation, other: &Permutation) -> Permutation {
    one.map(|point| other[usize::from(point)])
}

fn inverse(permutation: &Permutation) -> Permutation {
    let mut inverse = NOTHING;
    permutation.iter().zip(0..).for_each(|(&to, from)| inverse[usize::from(to)] = from);
    inverse
}

/// A chain of stabilizers.
struct Chain {
    links: Vec<Link>,
}

/// The elements that leave the points of the links before this one where they are.
struct Link {
    point: u8,
    generators: Vec<Permutation>,
    /// By where the point may be brought: an element that brings it there.
    brings: Vec<Option<Permutation>>,
}

impl Chain {
    /// That of the group of nothing.
    fn new(base: &[u8]) -> Chain {
        let link = |&point: &u8| {
            let mut brings = vec![None; POINTS];
            brings[usize::from(point)] = Some(NOTHING);
            Link { point, generators: Vec::new(), brings }
        };
        Chain { links: base.iter().map(link).collect() }
    }

    fn order(&self) -> u128 {
        self.links.iter().map(|link| link.brings.iter().flatten().count() as u128).product()
    }

    /// Whether some element brings the first points of the base to these points.
    fn brings(&self, mut wanted: Vec<u8>) -> bool {
        for i in 0..wanted.len() {
            let Some(brings) = &self.links[i].brings[usize::from(wanted[i])] else { return false };
            let back = inverse(brings);
            wanted.iter_mut().for_each(|point| *point = back[usize::from(*point)]);
        }
        true
    }

    /// Adds an element, which leaves the points before this link alone, and all its products.
    fn extend(&mut self, link: usize, element: &Permutation) {
        let base: Vec<u8> = self.links.iter().map(|link| link.point).collect();
        if self.brings(base.iter().map(|&point| element[usize::from(point)]).collect()) {
            return;
        }
        self.links[link].generators.push(*element);
        let known: Vec<Permutation> = self.links[link].brings.iter().flatten().copied().collect();
        known.iter().for_each(|known| self.add(link, &then(known, element)));
    }

    /// Adds a product of the elements of a link.
    fn add(&mut self, link: usize, product: &Permutation) {
        let at = usize::from(product[usize::from(self.links[link].point)]);
        if let Some(known) = &self.links[link].brings[at] {
            let rest = then(product, &inverse(known));
            return self.extend(link + 1, &rest);
        }
        self.links[link].brings[at] = Some(*product);
        for generator in self.links[link].generators.clone() {
            self.add(link, &then(product, &generator));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, TurnMetric, Turns};
    use super::*;

    fn solved(turns: &str) -> (Turns, Mask) {
        let goal: Goal = "solved".parse().unwrap();
        (Turns::read(turns, TurnMetric::Etm, "").unwrap(), goal.mask)
    }

    /// The orders of groups that are known.
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
            let (turns, mask) = solved(text);
            let reach = Reach::new(&turns, &mask, &Kind::BOTH).unwrap();
            assert_eq!(reach.chains[0].order(), order, "{text}");
        }
        for text in ["U R F D L", "x y U"] {
            let (turns, mask) = solved(text);
            assert!(Reach::new(&turns, &mask, &Kind::BOTH).is_none(), "{text}");
        }
    }

    /// Positions that turns reach, and as many that they do not.
    #[test]
    fn it_is_decided_what_turns_reach() {
        for (text, reached, lost) in [
            ("R U", "R U2 R' U R", "R U R' U' R' F R2 U' R' U' R U R' F'"),
            ("M U", "M U M' U2 M2", "R"),
            ("M2 U", "U M2 U2 M2", "M U M'"),
            ("R2 U2", "U2 R2 U2", "R U R' U'"),
            ("x R", "R2", "L"),
        ] {
            let (turns, mask) = solved(text);
            let reach = Reach::new(&turns, &mask, &Kind::BOTH).unwrap();
            assert!(reach.leads_from(&reached.parse().unwrap()), "{text}");
            assert!(!reach.leads_from(&lost.parse().unwrap()), "{text}");
        }
    }
}
