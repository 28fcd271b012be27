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

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::backward::BackwardSpace;
use crate::lee::heuristic::{FACES, PartialBound, Partials, pair};
use crate::lee::painting::{Painting, Selection};
use crate::record::Record;
use crate::stored_results::StoredResults;
use crate::walks::random_walk;
use cosette::cube::{Cube, Face, random_positions};
use cosette::numbers::grouped;
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Instant;

/// Number of positions in the paper's Table IX, and in ours.
const SOLVED: u64 = 25;
/// Number of positions in its Table X.
const BOUNDED: u64 = 50;
/// Number of scramble moves of the 25 positions: 23.5 on average, with a deviation of 2.9.
const SCRAMBLE: std::ops::RangeInclusive<usize> = 19..=28;

/// The problems of Table IX in the paper's order, with the depths of the backward and the forward
/// space; none for those that have the same painting as another ([`first_like`]).
const PROBLEMS: [(&str, Option<[u8; 2]>); 14] = [
    ("corner cubes", Some([7, 5])),
    ("edge cubes", Some([7, 5])),
    ("0-1", Some([7, 6])),
    ("0-1 + 2/0", None),
    ("0-1 + 2/4", Some([6, 6])),
    ("0-1 + 2/7", Some([7, 6])),
    ("0-1 + 2/67", Some([7, 6])),
    ("0-1 + 2/46", Some([7, 6])),
    ("0-1 + 2/25", Some([7, 6])),
    ("0-1 + 2/13", Some([7, 6])),
    ("0-1 + 2/257", Some([7, 6])),
    ("0-1 + 2/467", Some([7, 6])),
    ("0-1 + 2/0467", None),
    ("0-1-2", Some([7, 6])),
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

/// Selects two faces of the paper, by their numbers, with the flips of edges.
fn with_flips(faces: [usize; 2]) -> Selection {
    Selection::faces(&faces.map(|face| FACES[face]))
}

/// Returns the visible facelets of the problem of this name in Table IX: for `0-1 + 2/46`, faces 0
/// and 1, and facelets 4 and 6 of face 2.
fn selection(name: &str) -> Selection {
    match name {
        "corner cubes" => Selection::faces(&Face::ALL).corners_only(),
        "edge cubes" => Selection::faces(&Face::ALL).edges_only(),
        "0-1-2" => Selection::faces(&FACES[..3]).without_flips(),
        _ => {
            let facelets = name.split_once('/').map_or("", |(_, facelets)| facelets);
            pair([0, 1]).and_of(
                FACES[2],
                &facelets
                    .bytes()
                    .map(|digit| usize::from(digit - b'0'))
                    .collect::<Vec<_>>(),
            )
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

/// The partial problems of Lee's Tables IX and X.
pub fn partial(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-partial")?;
    if kept.is_open() {
        bound_all(lab, &kept)?;
        solve_all(lab, &kept)?;
    }
    let all = Painting::new(pair([0, 1])).states() as f64;
    let near = kept.number("IX 0-1, backward", 0);
    let problems: Vec<Value> = PROBLEMS
        .iter()
        .map(|(name, _)| solved(name, &kept))
        .collect();
    let choices: Vec<Value> = CHOICES
        .iter()
        .map(|choice| {
            let bounds = bounds_of(&kept, choice, 13.0);
            let most = bounds.iter().copied().fold(0.0, f64::max);
            json!({"pairs": choice, "most": most, "mean": mean(&bounds)})
        })
        .collect();
    let readings = [
        ("adjacent", pair([0, 1]), "a"),
        ("adjacent, with flips", with_flips([0, 1]), "f"),
        ("opposite, with flips", with_flips([0, 5]), "x"),
    ];
    let readings = readings.map(|(name, selection, letter)| {
        let states = Painting::new(selection).states() as f64;
        json!({
            "faces": name,
            "states": states,
            "least": least_mean(states),
            "mean": mean(&bounds_of(&kept, letter, 14.0)),
        })
    });
    let data = json!({
        "near": near,
        "one_in": near.map(|near| all / near),
        "problems": problems,
        "choices": choices,
        "readings": readings,
    });
    Ok(Record::of_results(&kept, &data))
}

/// Returns the figures of a problem of Table IX.
fn solved(name: &str, kept: &StoredResults) -> Value {
    let selection = selection(name);
    let states = Painting::new(selection).states() as f64;
    let like = first_like(name);
    let results: Vec<Vec<String>> = (0..SOLVED)
        .filter_map(|i| kept.get(&format!("IX {like}, {i}")))
        .collect();
    let values = |place: usize| {
        let numbers = results
            .iter()
            .filter_map(|values| values.get(place)?.parse().ok());
        numbers.collect::<Vec<f64>>()
    };
    let shown = |place: usize, digits: usize| {
        (!results.is_empty()).then(|| mean_and_deviation(&values(place), digits))
    };
    json!({
        "name": name,
        "facelets": selection.count(),
        "states": states,
        "solved": results.len(),
        "length": shown(0, 1),
        "longer": values(1).iter().filter(|&&is_exact| is_exact != 1.0).count(),
        "least": least_mean(states),
        "forward": shown(2, 0),
        "backward": kept.number(&format!("IX {like}, backward"), 0),
        "seconds": shown(3, 1),
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
    for (name, depths) in PROBLEMS {
        let Some([backward, forward]) = depths else {
            continue;
        };
        let missing = |i: &usize| kept.get(&format!("IX {name}, {i}")).is_none();
        let missing: Vec<usize> = (0..instances.len()).filter(missing).collect();
        if missing.is_empty() {
            continue;
        }
        let start = Instant::now();
        let problem = BackwardSpace::new(selection(name), backward, false, lab)?;
        let stored = problem.counts().iter().sum::<u64>();
        let seconds = start.elapsed().as_secs_f64();
        kept.add(
            &format!("IX {name}, backward"),
            &[&stored, &format!("{seconds:.1}")],
        )?;
        let solve = |&i: &usize| {
            let start = Instant::now();
            let solved = problem.solve(&instances[i], forward, &lab.control)?;
            let is_exact = u8::from(solved.length.is_some());
            let seconds = start.elapsed().as_secs_f64();
            let seconds = format!("{seconds:.3}");
            kept.add(
                &format!("IX {name}, {i}"),
                &[&solved.at_least, &is_exact, &solved.forward, &seconds],
            )
        };
        lab.control
            .in_pool(|| missing.par_iter().try_for_each(solve))??;
    }
    Ok(())
}

/// Table X, computed.
fn bound_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let instances: Vec<Cube> = random_positions(1).take(BOUNDED as usize).collect();
    for (pairs, see) in [
        (&PAIRS[..], pair as fn([usize; 2]) -> Selection),
        (&WITH_FLIPS, with_flips),
    ] {
        let key = |(number, i): (usize, usize)| format!("X {}, {i}", pairs[number].0);
        let all =
            (0..pairs.len()).flat_map(|number| (0..instances.len()).map(move |i| (number, i)));
        let missing: Vec<(usize, usize)> =
            all.filter(|&each| kept.get(&key(each)).is_none()).collect();
        if missing.is_empty() {
            continue;
        }
        let selections: Vec<Selection> = pairs.iter().map(|&(_, faces)| see(faces)).collect();
        let partials = Partials::new(&selections, 7, PartialBound::HEU8, lab)?;
        let bound = |&(number, i): &(usize, usize)| {
            let seen = partials.seen(number, &instances[i]);
            let solved = partials.space(number).solve(&seen, 5, &lab.control)?;
            kept.add(
                &key((number, i)),
                &[&solved.at_least, &u8::from(solved.length.is_some())],
            )
        };
        lab.control
            .in_pool(|| missing.par_iter().try_for_each(bound))??;
    }
    Ok(())
}

/// Returns the bounds of a choice of pairs, where every distance beyond `most` counts as `most`.
fn bounds_of(kept: &StoredResults, choice: &str, most: f64) -> Vec<f64> {
    let of = |i: u64| {
        let each = choice
            .chars()
            .map(|letter| kept.number(&format!("X {letter}, {i}"), 0));
        each.collect::<Option<Vec<f64>>>()
            .map(|bounds| bounds.into_iter().fold(0.0, f64::max).min(most))
    };
    (0..BOUNDED).filter_map(of).collect()
}

/// Formats a mean with the standard deviation of the single values, in the paper's format.
fn mean_and_deviation(values: &[f64], digits: usize) -> String {
    let mean = mean(values);
    let squares = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>();
    let shown = [mean, (squares / (values.len() as f64 - 1.0)).sqrt()];
    shown
        .map(|value| {
            if digits > 0 {
                format!("{value:.digits$}")
            } else {
                grouped(value.round() as u64)
            }
        })
        .join("±")
}

/// Returns a lower bound on the mean distance of all painted positions: at most as many of them lie
/// within k moves as positions do.
fn least_mean(states: f64) -> f64 {
    WITHIN
        .iter()
        .map(|&positions| 1.0 - (positions as f64 / states).min(1.0))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the paper's facelet 0 of face 2 adds nothing, as read here: more facelets, but
    /// not more distinct positions.
    #[test]
    fn rows_that_are_alike_have_the_same_painting() {
        for name in ["0-1 + 2/0", "0-1 + 2/0467"] {
            let [own, other] =
                [name, first_like(name)].map(|name| Painting::new(selection(name)).states());
            assert_eq!(own, other);
        }
    }

    #[test]
    fn counting_alone_refutes_the_means_of_two_adjacent_faces_with_flips() {
        let states = |selection| Painting::new(selection).states() as f64;
        assert_eq!(states(with_flips([0, 1])), 3_674_160.0 * 14_192_640.0);
        assert!((least_mean(states(with_flips([0, 1]))) - 12.09).abs() < 0.01);
        assert_eq!(states(pair([0, 1])), 3_674_160.0 * 110_880.0);
        assert!(least_mean(states(pair([0, 1]))) < 10.4);
    }
}
