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

use super::bound::ViewTables;
use super::coset::ReidCoset;
use super::{Reid, form, random_walks};
use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, RunSize};
use crate::ida::{IdaLimits, IdaResult};
use crate::lab::Lab;
use crate::template::{Value, row};
use cosette::coord::{CornerPainting, EdgePainting};
use cosette::cube::{Corner, Cube, DisplayMoves, Edge, Face, Metric, Move, Turn};
use cosette::search::SolutionCount;
use rayon::prelude::*;
use std::collections::HashSet;
use std::sync::LazyLock;

/// Permutations of four slots.
const ORDERS: usize = 24;
/// The choices of one permutation for each of the five orbits.
pub const CHOICES: usize = ORDERS.pow(5);

/// Facts about T once all of it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    let look = |choice: usize| match member(choice).filter(|_| !lab.control.is_cancelled()) {
        Some(p)
            if axes
                .iter()
                .all(|&s| ReidCoset::of(&p.conjugate(s)) == ReidCoset::target()) =>
        {
            [1, u64::from(painting(&p) == solved)]
        }
        _ => [0, 0],
    };
    let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
    let counts = || {
        (0..CHOICES)
            .into_par_iter()
            .map(look)
            .reduce(|| [0, 0], sum)
    };
    let [order, painted_as_solved] = lab.control.in_pool(counts)?;
    lab.check()?;

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

/// The permutations of 0 to 3 in lexicographic order.
static PERMUTATIONS: LazyLock<[[usize; 4]; ORDERS]> = LazyLock::new(|| {
    std::array::from_fn(|mut number| {
        let mut left = vec![0, 1, 2, 3];
        [6, 2, 1, 1].map(|block| {
            let next = left.remove(number / block);
            number %= block;
            next
        })
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
        let order = PERMUTATIONS[rest % ORDERS];
        rest /= ORDERS;
        for (slot, from) in slots.into_iter().zip(order) {
            let cubie = (slots[from] as u8, 0);
            if number < 2 {
                corners[slot] = cubie
            } else {
                edges[slot] = cubie
            }
        }
    }
    Cube::from_cubies(&corners, &edges).ok()
}

/// The orders of T and of the square group, and searches of a position in T, of one a move away,
/// and of a random one of the same length.
pub fn target_subgroup(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (length, tries) = match request.effort {
        RunSize::Quick => (8, 20),
        RunSize::Full => (10, 100),
    };
    lab.step("counting the target subgroup", 0, 1);
    let counted = count(lab)?;
    lab.step("counting the target subgroup", 1, 1);
    let mut form = form("target");
    form.say("length", length);
    let squares: u64 = counted.squares.iter().sum();
    let mut orders = [
        counted.order,
        counted.painted_as_solved,
        squares,
        counted.order / squares,
    ]
    .into_iter();
    form.table("orders").fill(|_| row![orders.next()]);
    for (distance, &positions) in counted.squares.iter().enumerate() {
        form.table("squares").row(row![distance, positions]);
    }

    let reid = Reid::new(lab, Metric::Htm)?;
    let r = Move::new(Face::R, Turn::Clockwise);
    let half_turns = |seed: u64, length: u8| random_walks(seed, length.into(), Move::is_half_turn);
    let seed = request.seed_or(1);
    let all = [
        find(lab, &reid, half_turns(seed, length), length, tries)?,
        find(
            lab,
            &reid,
            half_turns(seed.wrapping_add(1), length - 1).map(|p| p.apply(r)),
            length,
            tries,
        )?,
        find(
            lab,
            &reid,
            random_walks(seed, length.into(), |_| true),
            length,
            tries,
        )?,
    ];
    for threshold in 1..=length {
        let counts = all.each_ref().map(|found| {
            let (_, found) = found.as_ref()?;
            let iteration = found
                .iterations
                .iter()
                .find(|iteration| iteration.threshold == threshold)?;
            Some([iteration.nodes, iteration.tests])
        });
        let ratio = counts[0]
            .zip(counts[2])
            .map(|(in_t, random)| in_t[0] as f64 / random[0] as f64);
        let counts = counts
            .into_iter()
            .flat_map(|counts| [0, 1].map(|i| Value::from(counts.map(|counts| counts[i]))));
        form.table("searches")
            .row(row![threshold].into_iter().chain(counts).chain(row![ratio]));
    }
    for (name, found) in ["in T", "near", "random"].into_iter().zip(&all) {
        form.say(
            name,
            match found {
                Some((position, found)) => {
                    let which = match found.solutions.len() {
                        1 => "Its only shortest solution".to_owned(),
                        count => format!("One of its {count} shortest solutions"),
                    };
                    format!(
                        "{}. {which}: {}.",
                        position.reid(),
                        DisplayMoves(&found.solutions[0])
                    )
                }
                None => format!("none of length {length} among {tries} from the seed."),
            },
        );
    }
    Ok(form.experiment())
}

/// The first of the positions whose shortest solutions have this length, with a complete search.
fn find(
    lab: &Lab<'_>,
    reid: &Reid,
    positions: impl Iterator<Item = Cube>,
    length: u8,
    tries: usize,
) -> Result<Option<(Cube, IdaResult)>, LabError> {
    for (i, position) in positions.take(tries).enumerate() {
        lab.step(
            &format!("looking for a position of length {length}"),
            i as u64,
            tries as u64,
        );
        let limits = IdaLimits {
            solution_count: SolutionCount::All,
            last: Some(length),
            ..IdaLimits::default()
        };
        let found = reid.ida().search(&position, &limits, &lab.control);
        lab.check()?;
        if !found.solutions.is_empty() && found.lower_bound == length {
            return Ok(Some((position, found)));
        }
    }
    Ok(None)
}
