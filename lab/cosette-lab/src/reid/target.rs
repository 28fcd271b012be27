//! The target subgroup T: the positions that are at distance zero along all three axes.
//!
//! A position of ⟨U, D, F2, R2, B2, L2⟩ shows the colors of U and D on U and D only. In all three
//! conjugates of that group at once, each pair of opposite colors is on its own two faces. So the
//! cubies stay within five orbits of four slots, two tetrads of corners and three slices of edges,
//! none twisted or flipped, and T has 4!⁵/2 = 3,981,312 elements: half of the choices have unequal
//! parities of corners and edges. This is the target subgroup of the fast engine as well, the
//! positions whose painting is that of the solved cube (`cosette::coord`).
//!
//! The group that half turns generate, the square group, has 663,552 elements, so its index in T is
//! six. Reid's bound cannot tell the elements of T apart; if nothing remains and all three
//! distances are zero, the search must test the position.
//!
//! Both orders are found here: by going through all 24⁵ choices, and by closing the square group
//! under half turns.

use super::Reid;
use super::bound::ViewTables;
use super::coset::ReidCoset;
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::korf::{Korf, SIX};
use crate::lab::{Lab, tally};
use crate::nargolkar::known_positions;
use crate::pieces::unrank;
use crate::record::Record;
use cosette::coord::{CornerPainting, EdgePainting};
use cosette::cube::{Corner, Cube, Edge, Face, Metric, Move, Turn, random_positions};
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Permutations of four slots.
const ORDERS: usize = 24;
/// The choices of one permutation for each of the five orbits.
pub const CHOICES: usize = ORDERS.pow(5);

/// Facts about T once all of it is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TargetCounts {
    /// Number of positions at distance zero along all three axes.
    pub order: u64,
    /// Number of these with the painting of the solved cube.
    pub painted_as_solved: u64,
    /// Number of elements of the square group by number of half turns.
    pub squares: Vec<u64>,
}

/// Counts the elements of T and of the square group. Takes a second or two.
pub fn count(lab: &Lab<'_>) -> Result<TargetCounts, LabError> {
    let axes = ViewTables::get().rotations;
    let painting = |p: &Cube| (CornerPainting::of(p), EdgePainting::of(p));
    let solved = painting(&Cube::SOLVED);
    let is_target = |p: &Cube| ReidCoset::of(p) == ReidCoset::target();
    let step = "counting the target subgroup";
    let [order, painted_as_solved] =
        tally(&lab.control, step, 0..ORDERS as u64, |last, counts| {
            let choices = CHOICES / ORDERS;
            for choice in last as usize * choices..(last as usize + 1) * choices {
                let of_target =
                    member(choice).filter(|p| axes.iter().all(|&s| is_target(&p.conjugate(s))));
                counts[0] += u64::from(of_target.is_some());
                counts[1] += u64::from(of_target.is_some_and(|p| painting(&p) == solved));
            }
        })?;
    let half_turns = Face::ALL.map(|face| Move::new(face, Turn::Half));
    let mut seen = HashSet::from([Cube::SOLVED]);
    let mut level = vec![Cube::SOLVED];
    let mut squares = Vec::new();
    while !level.is_empty() {
        lab.check()?;
        squares.push(level.len() as u64);
        let after = level
            .iter()
            .flat_map(|position| half_turns.map(|m| position.apply(m)));
        level = after.filter(|&position| seen.insert(position)).collect();
    }
    Ok(TargetCounts {
        order,
        painted_as_solved,
        squares,
    })
}

/// The slots of the orbits: two tetrads of corners, three slices of edges.
static ORBITS: LazyLock<[[usize; 4]; 5]> = LazyLock::new(|| {
    std::array::from_fn(|orbit| {
        let is_in_orbit = |&slot: &usize| match orbit {
            0 | 1 => slot < Corner::COUNT && usize::from(Corner::ALL[slot].tetrad()) == orbit,
            _ => usize::from(Edge::ALL[slot].slice()) == orbit - 2,
        };
        let slots: Vec<usize> = (0..Edge::COUNT).filter(is_in_orbit).collect();
        slots.try_into().expect("an orbit has four slots")
    })
});

/// The position with these five permutations, the first orbit in the lowest digit; `None` where
/// parities differ.
pub fn member(choice: usize) -> Option<Cube> {
    let mut corners: [(u8, u8); 8] = std::array::from_fn(|slot| (slot as u8, 0));
    let mut edges: [(u8, u8); 12] = std::array::from_fn(|slot| (slot as u8, 0));
    let mut rest = choice;
    for number in 0..5 {
        let slots = ORBITS[number];
        let order = unrank::<4>((rest % ORDERS) as u64);
        rest /= ORDERS;
        for (slot, from) in slots.into_iter().zip(order) {
            let cubie = (slots[usize::from(from)] as u8, 0);
            if number < 2 {
                corners[slot] = cubie
            } else {
                edges[slot] = cubie
            }
        }
    }
    Cube::from_cubies(&corners, &edges).ok()
}

/// Counts T and the square group, and looks for positions that are hard for Korf's engine or for
/// Reid's: in T, a move from it, and those of Nargolkar 2006.
pub fn target_subgroup(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    const RANDOM: usize = 100;
    let threshold = match request.effort {
        RunSize::Quick => 10,
        RunSize::Full => 11,
    };
    let counts = count(lab)?;
    let reid = Reid::new(lab, Metric::Htm)?;
    let korf = Korf::new(lab, &SIX)?;
    // The nodes by Korf's engine, those by Reid's, and the positions that Reid's compares with the
    // solved one.
    let search = |position: &Cube| -> Result<[f64; 3], LabError> {
        lab.step("looking for hard positions", 0, 1);
        let by_korf = korf.ida().iteration(position, threshold, lab)?;
        let by_reid = reid.ida().iteration(position, threshold, lab)?;
        Ok([by_korf.nodes, by_reid.nodes, by_reid.tests].map(|count| count as f64))
    };
    let figures = |name: &str, [korf, reid, tests]: [f64; 3]| {
        json!({
            "name": name,
            "korf": korf,
            "reid": reid,
            "tests": tests,
        })
    };
    let mut random = [0.0; 3];
    for position in random_positions(request.seed_or(1)).take(RANDOM) {
        for (mean, count) in random.iter_mut().zip(search(&position)?) {
            *mean += count / RANDOM as f64;
        }
    }
    let in_t = member(3_141_592).expect("its parities agree");
    let near = in_t.apply(Move::new(Face::R, Turn::Clockwise));
    let mut positions = known_positions();
    positions.push(("in T".to_owned(), in_t));
    positions.push(("a move from T".to_owned(), near));
    let positions = positions.iter();
    let record = json!({
        "counts": counts,
        "threshold": threshold,
        "random": figures("random", random),
        "positions": positions
            .map(|(name, position)| Ok(figures(name, search(position)?)))
            .collect::<Result<Vec<_>, LabError>>()?,
    });
    Ok(Record::computed(request, &record))
}
