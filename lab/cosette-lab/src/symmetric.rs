//! Positions that symmetries fix: how many there are of each of the 33 kinds.
//!
//! A symmetry s fixes a position p if s⁻¹·p·s = p. Those that do are a subgroup of the 48, and a subgroup that a symmetry carries to
//! another is of the same *class*; there are 98 subgroups in 33 classes. Seen as a permutation of the 24 facelets of corners, and as one
//! of the 24 of edges, p is fixed by a subgroup if it commutes with it, and it commutes with the twist of each piece. So where one
//! facelet goes says where all of its orbit under both go: the number of positions is counted by choosing a place for a facelet of each orbit.
//! Positions that exactly a subgroup fixes are those that it fixes, less those that a larger one does.

use crate::error::LabError;
use crate::experiment::{Experiment, Request};
use crate::fast;
use crate::form::{Form, row};
use crate::kept::Kept;
use crate::lab::Lab;
use cosette::cube::{Corner, Cube, Edge, Face, Moves, Symmetry};
use cosette::search::Solver;
use std::collections::BTreeSet;
use std::time::Instant;

const FORMS: &str = include_str!("../pages/symmetric-experiments.md");

/// A subgroup, as bits by the numbers of its symmetries.
type Subgroup = u64;

/// Where a permutation of 24 facelets takes each.
type Facelets = [u8; 24];

/// All positions are listed of a class with at most this many, where positions that symmetries carry to one another count as one.
const LISTED: u128 = 500;

/// The positions of one class of subgroups.
struct Class {
    name: &'static str,
    subgroup: Subgroup,
    /// How many subgroups it has.
    conjugates: u128,
    /// The positions that one of them fixes, and no larger subgroup.
    exactly: u128,
}

impl Class {
    fn order(&self) -> u128 {
        self.subgroup.count_ones().into()
    }

    /// The positions with such a symmetry.
    fn positions(&self) -> u128 {
        self.conjugates * self.exactly
    }

    /// The same, where those that symmetries carry to one another count as one.
    fn up_to_symmetry(&self) -> u128 {
        self.positions() * self.order() / Symmetry::COUNT as u128
    }
}

/// The names of the classes, after Schoenflies, and how many of their symmetries are half turns about faces and about edges, turns about corners,
/// quarter turns; the inversion, mirrors along faces and along diagonals, turned mirrors of order 4 and of order 6.
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

/// The experiment.
pub fn symmetric(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "symmetric")?;
    let classes = classes();
    if kept.is_open() {
        let (solver, end) = (fast::solver(lab)?, request.time.map(|time| Instant::now() + time));
        for class in classes.iter().filter(|class| class.up_to_symmetry() <= LISTED) {
            solve(class, &solver, &kept, lab, end)?;
        }
    }
    let mut form = Form::read(FORMS, "symmetric");
    for class in classes.iter().rev() {
        let hardest = kept.get(class.name);
        let number = |place: usize| hardest.as_ref().and_then(|values| values.get(place)?.parse::<u64>().ok());
        let (solved, length) = (number(0), number(1));
        let moves = hardest.as_ref().map_or(String::new(), |values| values[2..].join(" "));
        form.table("classes").row(row![
            class.name,
            class.order() as u64,
            class.conjugates as u64,
            class.positions(),
            class.up_to_symmetry(),
            solved,
            length,
            moves
        ]);
    }
    form.say("listed", LISTED);
    form.say_kept(&kept);
    Ok(form.experiment())
}

/// Solves the positions of a class, and keeps how many there are, and the first of the farthest.
fn solve(class: &Class, solver: &Solver, kept: &Kept, lab: &Lab<'_>, end: Option<Instant>) -> Result<(), LabError> {
    if kept.get(class.name).is_some() {
        return Ok(());
    }
    let positions: BTreeSet<String> = positions_of(class.subgroup)
        .filter(|position| subgroup(position.symmetries()) == class.subgroup)
        .map(|position| position.representative().facelets())
        .collect();
    assert_eq!(positions.len() as u128, class.up_to_symmetry(), "{}", class.name);
    let mut hardest: Option<(u8, String)> = None;
    for facelets in &positions {
        let position: Cube = facelets.parse().expect("they are those of a position");
        let cancel = end.map_or_else(
            || lab.control.cancel().child(),
            |end| lab.control.cancel().child_with_timeout(end.saturating_duration_since(Instant::now())),
        );
        let report = solver.search(&position).cancel(&cancel).run();
        lab.check()?;
        let Some(length) = report.length() else { return Ok(()) };
        if hardest.as_ref().is_none_or(|(most, _)| length > *most) {
            let scramble = cosette::cube::inverse(&report.solutions[0]);
            hardest = Some((length, Moves(&scramble).to_string()));
        }
    }
    match hardest {
        Some((length, moves)) => kept.add(class.name, &[&positions.len(), &length, &moves]),
        None => Ok(()),
    }
}

/// The classes, by rising order of their subgroups.
fn classes() -> Vec<Class> {
    let subgroups = subgroups();
    let name =
        |subgroup| NAMES.iter().position(|(_, counts)| *counts == kinds(subgroup)).expect("there are 33 classes");
    let mut fixed = [None; NAMES.len()];
    let mut exactly: Vec<(Subgroup, u128)> = Vec::new();
    for &subgroup in subgroups.iter().rev() {
        let all = *fixed[name(subgroup)].get_or_insert_with(|| count_fixed(subgroup));
        let larger = exactly.iter().filter(|(larger, _)| larger & subgroup == subgroup);
        let by_larger: u128 = larger.map(|(_, count)| count).sum();
        exactly.push((subgroup, all - by_larger));
    }
    let class = |(number, &(class, _)): (usize, &(&'static str, _))| {
        let mut members = exactly.iter().filter(|(subgroup, _)| name(*subgroup) == number);
        let conjugates = members.clone().count() as u128;
        let (subgroup, exactly) = *members.next().expect("each class has a member");
        Class { name: class, subgroup, conjugates, exactly }
    };
    NAMES.iter().enumerate().map(class).collect()
}

/// All subgroups, by rising order.
fn subgroups() -> Vec<Subgroup> {
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
    let mut all: Vec<Subgroup> = found.into_iter().collect();
    all.sort_by_key(|subgroup| subgroup.count_ones());
    all
}

fn members(subgroup: Subgroup) -> impl Iterator<Item = Symmetry> + Clone {
    Symmetry::all().filter(move |s| subgroup >> s.index() & 1 == 1)
}

fn subgroup(symmetries: Vec<Symmetry>) -> Subgroup {
    symmetries.iter().fold(0, |bits, s| bits | 1 << s.index())
}

/// The smallest subgroup with these symmetries.
fn closure(mut bits: Subgroup) -> Subgroup {
    loop {
        let products = members(bits).flat_map(|a| members(bits).map(move |b| a.then(b)));
        let larger = products.fold(bits, |bits, s| bits | 1 << s.index());
        if larger == bits {
            return bits;
        }
        bits = larger;
    }
}

/// How many symmetries of a subgroup are of which kind, as in [`NAMES`].
fn kinds(subgroup: Subgroup) -> [u8; 9] {
    let mut kinds = [0; 9];
    for s in members(subgroup) {
        let axes = [Face::U, Face::R, Face::F].map(|face| (face, s.face(face)));
        let kept = axes.iter().filter(|(from, to)| from.axis() == to.axis()).count();
        let trace: i32 = axes.iter().map(|(from, to)| i32::from(from == to) - i32::from(*to == from.opposite())).sum();
        let kind = match (s.is_mirror(), trace) {
            (false, 3) => continue,
            (false, -1) => {
                if kept == 3 {
                    0
                } else {
                    1
                }
            }
            (false, 0) => 2,
            (false, _) => 3,
            (true, -3) => 4,
            (true, 1) => {
                if kept == 3 {
                    5
                } else {
                    6
                }
            }
            (true, -1) => 7,
            (true, _) => 8,
        };
        kinds[kind] += 1;
    }
    kinds
}

/// The pieces of one kind as facelets: which symmetries and the twist take which facelet where.
struct Pieces {
    /// How many facelets a piece has.
    facelets: usize,
    /// The twist, and the symmetries of the subgroup.
    generators: Vec<Facelets>,
}

impl Pieces {
    fn corners(subgroup: Subgroup) -> Pieces {
        let pieces: Vec<Vec<Face>> = Corner::ALL.iter().map(|corner| corner.faces().to_vec()).collect();
        Pieces::new(&pieces, subgroup)
    }

    fn edges(subgroup: Subgroup) -> Pieces {
        let pieces: Vec<Vec<Face>> = Edge::ALL.iter().map(|edge| edge.faces().to_vec()).collect();
        Pieces::new(&pieces, subgroup)
    }

    fn new(pieces: &[Vec<Face>], subgroup: Subgroup) -> Pieces {
        let facelets = pieces[0].len();
        let faces = |facelet: usize| {
            let (piece, place) = (&pieces[facelet / facelets], facelet % facelets);
            (piece[place], piece.iter().copied().collect::<BTreeSet<Face>>())
        };
        let all: Vec<_> = (0..24).map(faces).collect();
        let carried = |s: Symmetry, facelet: usize| {
            let (face, piece) = &all[facelet];
            let image = (s.face(*face), piece.iter().map(|&face| s.face(face)).collect());
            all.iter().position(|other| *other == image).expect("symmetries carry pieces to pieces") as u8
        };
        let twist = std::array::from_fn(|facelet| (facelet / facelets * facelets + (facelet + 1) % facelets) as u8);
        let symmetries = members(subgroup).map(|s| std::array::from_fn(|facelet| carried(s, facelet)));
        Pieces { facelets, generators: std::iter::once(twist).chain(symmetries).collect() }
    }

    /// Calls `visit` with each permutation that commutes with all generators: where each facelet goes.
    fn for_each(&self, visit: &mut dyn FnMut(&Facelets)) {
        self.place(&mut [u8::MAX; 24], visit);
    }

    fn place(&self, placed: &mut Facelets, visit: &mut dyn FnMut(&Facelets)) {
        let Some(open) = placed.iter().position(|&to| to == u8::MAX) else { return visit(placed) };
        for to in 0..24 {
            let mut next = *placed;
            if !placed.contains(&to) && self.set(&mut next, open, to) {
                self.place(&mut next, visit);
            }
        }
    }

    /// Takes a facelet there, and with it its orbit; whether that is possible.
    fn set(&self, placed: &mut Facelets, from: usize, to: u8) -> bool {
        let mut open = vec![(from, to)];
        while let Some((from, to)) = open.pop() {
            match placed[from] {
                u8::MAX if placed.contains(&to) => return false,
                u8::MAX => placed[from] = to,
                known if known == to => continue,
                _ => return false,
            }
            let images = self.generators.iter().map(|map| (usize::from(map[from]), map[usize::from(to)]));
            open.extend(images);
        }
        true
    }

    /// Where each piece goes, and how it is turned there; `None` if turns do not add up to none.
    fn pieces(&self, facelets: &Facelets) -> Option<Vec<(u8, u8)>> {
        let count = self.facelets as u8;
        // A piece turned by t shows its facelet j at facelet j + t.
        let turned = |&to: &u8| (to / count, (count - to % count) % count);
        let pieces: Vec<(u8, u8)> = facelets.iter().step_by(self.facelets).map(turned).collect();
        let turns: u32 = pieces.iter().map(|&(_, turn)| u32::from(turn)).sum();
        turns.is_multiple_of(u32::from(count)).then_some(pieces)
    }
}

/// Whether an odd number of exchanges makes these places.
fn is_odd(pieces: &[(u8, u8)]) -> bool {
    let inversions = pieces.iter().enumerate().map(|(n, a)| pieces[n..].iter().filter(|b| b.0 < a.0).count());
    inversions.sum::<usize>() % 2 == 1
}

/// How many positions a subgroup fixes.
fn count_fixed(subgroup: Subgroup) -> u128 {
    if subgroup.count_ones() == 1 {
        return 43_252_003_274_489_856_000;
    }
    let by_parity = |pieces: &Pieces| {
        let mut counts = [0u128; 2];
        pieces.for_each(&mut |facelets| {
            if let Some(pieces) = pieces.pieces(facelets) {
                counts[usize::from(is_odd(&pieces))] += 1;
            }
        });
        counts
    };
    let (corners, edges) = (by_parity(&Pieces::corners(subgroup)), by_parity(&Pieces::edges(subgroup)));
    corners[0] * edges[0] + corners[1] * edges[1]
}

/// The positions that a subgroup fixes, of which there are not many.
fn positions_of(subgroup: Subgroup) -> impl Iterator<Item = Cube> {
    let all = |pieces: Pieces| {
        let mut all = Vec::new();
        pieces.for_each(&mut |facelets| all.extend(pieces.pieces(facelets)));
        all
    };
    let (corners, edges) = (all(Pieces::corners(subgroup)), all(Pieces::edges(subgroup)));
    corners.into_iter().flat_map(move |corners| {
        let with = |edges: &Vec<(u8, u8)>| {
            let array = |pieces: &Vec<(u8, u8)>| (pieces[..].try_into().ok(), pieces[..].try_into().ok());
            let ((corners, _), (_, edges)) = (array(&corners), array(edges));
            Cube::from_cubies(&corners?, &edges?).ok()
        };
        edges.iter().filter_map(with).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D. Hoey and J. Saxe, 1980; S. Radu and H. Kociemba, 2006.
    #[test]
    fn counts_are_the_published_ones() {
        assert_eq!(subgroups().len(), 98);
        let classes = classes();
        let sum = |of: &dyn Fn(&Class) -> u128| classes.iter().map(of).sum::<u128>();
        assert_eq!(sum(&Class::positions), 43_252_003_274_489_856_000);
        assert_eq!(sum(&Class::up_to_symmetry), 901_083_404_981_813_616);
        assert_eq!(sum(&Class::positions) - classes[0].positions(), 164_604_041_664);
        let of = |name: &str| classes.iter().find(|class| class.name == name).unwrap();
        assert_eq!((of("Oh").positions(), of("Oh").conjugates, of("C1").conjugates), (4, 1, 1));
    }

    #[test]
    fn listed_positions_have_their_symmetry() {
        for (name, subgroup) in
            [("Oh", u64::MAX >> 16), ("O", subgroups().into_iter().find(|&of| kinds(of) == NAMES[31].1).unwrap())]
        {
            let positions: Vec<Cube> = positions_of(subgroup).collect();
            assert_eq!(positions.len() as u128, count_fixed(subgroup), "{name}");
            assert!(positions.iter().all(|position| subgroup & !self::subgroup(position.symmetries()) == 0));
        }
    }
}
