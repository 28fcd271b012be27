//! Lee's Tables IX and X: partial problems solved, and the heuristics they give.
//!
//! *Numbering of faces and facelets.* The paper's Figure 2 is not in the text that we have, but the
//! tables determine nearly all of it. Facelet 0 of face 2 adds nothing to faces 0 and 1, so it lies
//! on the corner that the three share; the paper calls facelets 4 and 6 the farthest from them.
//! Both hold if the faces are those of the default net, U, L, F, R, B, D, and facelets are counted
//! row by row. Every pair of faces in Table X is then adjacent.
//!
//! *Edges.* Table XI counts the painted positions near an instance that are near solved: one in
//! 4,009. This holds if only the slots of edges are visible, not their flips
//! ([`Selection::without_flips`]); with the flips it would be one in half a million.

use super::run_missing;
use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::heuristic::{FACES, PartialBound, PartialProblem, pair, pair_with_flips};
use crate::lee::painting::{Painting, Selection};
use crate::record::Record;
use crate::stored_results::StoredResults;
use crate::walks::random_walk;
use cosette::cube::{Cube, Face, random_positions};
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::time::Instant;

/// Number of positions in the paper's Table IX, and in ours.
const SOLVED: usize = 25;
/// Number of positions in its Table X.
const BOUNDED: usize = 50;
/// Number of scramble moves of the 25 positions: 23.5 on average, with a deviation of 2.9.
const SCRAMBLE: std::ops::RangeInclusive<usize> = 19..=28;

/// The problems of Table IX in the paper's order.
const PROBLEMS: [&str; 14] = [
    "corner cubes",
    "edge cubes",
    "0-1",
    "0-1 + 2/0",
    "0-1 + 2/4",
    "0-1 + 2/7",
    "0-1 + 2/67",
    "0-1 + 2/46",
    "0-1 + 2/25",
    "0-1 + 2/13",
    "0-1 + 2/257",
    "0-1 + 2/467",
    "0-1 + 2/0467",
    "0-1-2",
];
/// The choices of pairs in Table X.
const CHOICES: [&str; 14] = [
    "a", "b", "c", "d", "e", "ab", "ac", "ad", "ae", "abc", "abd", "abe", "abcd", "abce",
];
/// The pairs of faces of Table X, by the paper's letters.
const PAIRS: [(char, [usize; 2]); 5] = [
    ('a', [0, 1]),
    ('b', [2, 3]),
    ('c', [4, 5]),
    ('d', [1, 2]),
    ('e', [3, 5]),
];
/// Additional problems, with the flips of edges: a pair of adjacent faces, and one of opposite
/// faces.
const WITH_FLIPS: [(char, [usize; 2]); 2] = [('f', [0, 1]), ('x', [0, 5])];

/// Returns the visible facelets of the problem of this name in Table IX: for `0-1 + 2/46`, faces 0
/// and 1, and facelets 4 and 6 of face 2.
fn selection(name: &str) -> Selection {
    match name {
        "corner cubes" => Selection::faces(&Face::ALL).corners_only(),
        "edge cubes" => Selection::faces(&Face::ALL).edges_only(),
        "0-1-2" => Selection::faces(&FACES[..3]).without_flips(),
        _ => {
            let facelets = name.split_once('/').map_or("", |(_, facelets)| facelets);
            let numbers = facelets.bytes().map(|digit| usize::from(digit - b'0'));
            pair([0, 1]).and_of(FACES[2], &numbers.collect::<Vec<_>>())
        }
    }
}

/// Returns the first problem with the same painting: facelet 0 of face 2 adds nothing.
fn first_like(name: &str) -> &str {
    match name {
        "0-1 + 2/0" => "0-1",
        "0-1 + 2/0467" => "0-1 + 2/467",
        _ => name,
    }
}

/// Returns the number of painted positions.
fn states(selection: &Selection) -> f64 {
    Painting::new(selection).states() as f64
}

/// The partial problems of Lee's Tables IX and X.
pub fn partial(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-partial")?;
    if kept.is_open() {
        bound_all(lab, &kept, &PAIRS, pair)?;
        bound_all(lab, &kept, &WITH_FLIPS, pair_with_flips)?;
        solve_all(lab, &kept)?;
    }
    let near = kept.number("IX 0-1, backward", 0);
    let problems = PROBLEMS.map(|name| problem_figures(name, &kept));
    let choices = CHOICES.map(|choice| {
        let bounds = bounds_of(&kept, choice, 13.0);
        let most = bounds.iter().copied().fold(0.0, f64::max);
        json!({"pairs": choice, "most": most, "mean": mean(&bounds)})
    });
    let readings = [
        ("adjacent", pair([0, 1]), "a"),
        ("adjacent, with flips", pair_with_flips([0, 1]), "f"),
        ("opposite, with flips", pair_with_flips([0, 5]), "x"),
    ];
    let readings = readings.map(|(name, selection, letter)| {
        let states = states(&selection);
        json!({
            "faces": name,
            "states": states,
            "least": least_mean(states),
            "mean": mean(&bounds_of(&kept, letter, 14.0)),
        })
    });
    let data = json!({
        "near": near,
        "one_in": near.map(|near| states(&pair([0, 1])) / near),
        "problems": problems,
        "choices": choices,
        "readings": readings,
    });
    Ok(Record::of_results(&kept, &data))
}

/// Returns the figures of a problem of Table IX.
fn problem_figures(name: &str, kept: &StoredResults) -> Value {
    let like = first_like(name);
    let selection = selection(name);
    let states = states(&selection);
    let values = |place: usize| -> Vec<f64> {
        let keys = (0..SOLVED).map(|i| format!("IX {like}, {i}"));
        keys.filter_map(|key| kept.number(&key, place)).collect()
    };
    json!({
        "name": name,
        "facelets": selection.count(),
        "states": states,
        "length": mean_and_deviation(&values(0)),
        "longer": values(1).iter().filter(|&&is_exact| is_exact != 1.0).count(),
        "least": least_mean(states),
        "forward": mean_and_deviation(&values(2)),
        "backward": kept.number(&format!("IX {like}, backward"), 0),
        "seconds": mean_and_deviation(&values(3)),
    })
}

/// Table IX, computed.
fn solve_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut walk = || {
        let length = rng.random_range(SCRAMBLE);
        Cube::from_moves(&random_walk(&mut rng, length))
    };
    let instances: Vec<Cube> = (0..SOLVED).map(|_| walk()).collect();
    for name in PROBLEMS
        .into_iter()
        .filter(|name| first_like(name) == *name)
    {
        let d_back = if name == "0-1 + 2/4" { 6 } else { 7 };
        let d_for = if name.ends_with("cubes") { 5 } else { 6 };
        let trials = (0..).zip(&instances);
        let trials = trials.map(|(i, instance): (usize, _)| (format!("IX {name}, {i}"), instance));
        let prepare = || {
            let start = Instant::now();
            let problem = PartialProblem::new(&selection(name), d_back, false, lab)?;
            let stored = problem.space().counts().iter().sum::<u64>();
            let seconds = format!("{:.1}", start.elapsed().as_secs_f64());
            kept.add(&format!("IX {name}, backward"), &[&stored, &seconds])?;
            Ok(problem)
        };
        run_missing(kept, lab, trials, prepare, |problem, instance| {
            let start = Instant::now();
            let solved = problem.solve(instance, d_for, &lab.control)?;
            let is_exact = u8::from(solved.length.is_some());
            let seconds = start.elapsed().as_secs_f64();
            Ok(format!(
                "{} {is_exact} {} {seconds:.3}",
                solved.at_least, solved.forward
            ))
        })?;
    }
    Ok(())
}

/// Table X, computed.
fn bound_all(
    lab: &Lab<'_>,
    kept: &StoredResults,
    pairs: &[(char, [usize; 2])],
    see: fn([usize; 2]) -> Selection,
) -> Result<(), LabError> {
    let instances: Vec<Cube> = random_positions(1).take(BOUNDED).collect();
    let trials = (0..pairs.len()).flat_map(|pair| (0..BOUNDED).map(move |i| (pair, i)));
    let trials = trials.map(|(pair, i)| (format!("X {}, {i}", pairs[pair].0), (pair, i)));
    let prepare = || {
        let selections: Vec<Selection> = pairs.iter().map(|&(_, faces)| see(faces)).collect();
        PartialProblem::all(&selections, 7, PartialBound::HEU8, lab)
    };
    run_missing(kept, lab, trials, prepare, |problems, &(pair, i)| {
        let solved = problems[pair].solve(&instances[i], 5, &lab.control)?;
        let is_exact = u8::from(solved.length.is_some());
        Ok(format!("{} {is_exact}", solved.at_least))
    })
}

/// Returns the bounds of a choice of pairs, where every distance beyond `most` counts as `most`.
fn bounds_of(kept: &StoredResults, choice: &str, most: f64) -> Vec<f64> {
    let bound = |i: usize| {
        let mut bound: f64 = 0.0;
        for letter in choice.chars() {
            bound = bound.max(kept.number(&format!("X {letter}, {i}"), 0)?);
        }
        Some(bound.min(most))
    };
    (0..BOUNDED).filter_map(bound).collect()
}

/// Returns the mean of some values, and their standard deviation; `None` without values.
fn mean_and_deviation(values: &[f64]) -> Option<[f64; 2]> {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean).powi(2));
    let deviation = (squares.sum::<f64>() / (values.len() as f64 - 1.0)).sqrt();
    (!values.is_empty()).then_some([mean, deviation])
}

/// Returns a lower bound on the mean distance of all painted positions: at most as many of them lie
/// within k moves as positions do.
fn least_mean(states: f64) -> f64 {
    let shares = WITHIN.iter().map(|&positions| positions as f64 / states);
    shares.map(|share| 1.0 - share.min(1.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_that_are_alike_have_the_same_painting() {
        for name in PROBLEMS {
            let like = selection(first_like(name));
            assert_eq!(states(&selection(name)), states(&like), "{name}");
        }
    }
}
