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

use super::form;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions};
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::backward::BackwardSpace;
use crate::lee::heuristic::{FACES, PartialBound, Partials, pair};
use crate::lee::painting::{Painting, Selection};
use crate::stored_results::StoredResults;
use crate::template::{FormRow, Value, row};
use crate::walks::random_walk;
use cosette::cube::{Cube, Face, random_positions};
use cosette::numbers::grouped;
use cosette_app::units::mean;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::time::Instant;

/// The pairs of faces that the paper chooses for its search: 0-1, 2-3 and 3-5.
pub const CHOSEN: [[usize; 2]; 3] = [[0, 1], [2, 3], [3, 5]];

/// Number of positions in the paper's Table IX, and in ours.
const SOLVED: u64 = 25;
/// Number of positions in its Table X.
const BOUNDED: u64 = 50;
/// Number of scramble moves of the 25 positions: 23.5 on average, with a deviation of 2.9.
const SCRAMBLE: std::ops::RangeInclusive<usize> = 19..=28;

/// The problems of Table IX that are solved, with the depths of the backward and the forward space.
/// For the others, most solutions are longer than both depths together, and counting is more
/// informative.
const PROBLEMS: [(&str, u8, u8); 10] = [
    ("corner cubes", 7, 5),
    ("edge cubes", 7, 5),
    ("0-1", 7, 6),
    ("0-1 + 2/4", 6, 6),
    ("0-1 + 2/7", 6, 6),
    ("0-1 + 2/46", 6, 6),
    ("0-1 + 2/67", 6, 6),
    ("0-1 + 2/25", 6, 6),
    ("0-1 + 2/13", 6, 6),
    ("0-1 + 2/257", 6, 6),
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
pub fn partial(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "lee-partial")?;
    if kept.is_open() {
        bound_all(lab, &kept)?;
        solve_all(lab, &kept)?;
    }
    let mut form = form("partial", &kept);
    let all = Painting::new(pair([0, 1])).states() as f64;
    let near = kept.number("IX 0-1, backward", 0).unwrap_or(f64::NAN);
    form.say("one in", grouped((all / near).round() as u64))
        .say("near", grouped(near as u64));
    form.table("IX").fill(|row| solved(row, &kept));
    form.table("X").fill(|row| {
        let values = bounds_of(
            &kept,
            row.words(0).split(':').next().unwrap_or_default(),
            13.0,
        );
        let most = values.iter().copied().fold(0.0, f64::max);
        row![most, mean(&values), mean(&values) / row.number(3)]
    });
    form.table("readings").fill(|row| {
        let (selection, letter) = match row.words(0) {
            "adjacent" => (pair([0, 1]), "a"),
            "adjacent, with flips" => (with_flips([0, 1]), "f"),
            _ => (with_flips([0, 5]), "x"),
        };
        let states = Painting::new(selection).states() as f64;
        row![
            states,
            least_mean(states),
            mean(&bounds_of(&kept, letter, 14.0))
        ]
    });
    Ok(form.experiment())
}

/// Table IX, computed.
fn solve_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut walk = || {
        let length = rng.random_range(SCRAMBLE);
        Cube::from_moves(&random_walk(&mut rng, length))
    };
    let instances: Vec<Cube> = (0..SOLVED).map(|_| walk()).collect();
    for (name, backward, forward) in PROBLEMS {
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

/// Returns the values next to the paper's figures in a row of Table IX.
fn solved(row: FormRow<'_>, kept: &StoredResults) -> [Value; 7] {
    let selection = selection(row.words(0));
    let states = Painting::new(selection).states();
    let real = states as f64;
    let name = first_like(row.words(0));
    let results: Vec<Vec<String>> = (0..SOLVED)
        .filter_map(|i| kept.get(&format!("IX {name}, {i}")))
        .collect();
    let values = |place: usize| {
        results
            .iter()
            .filter_map(|values| values.get(place)?.parse().ok())
            .collect::<Vec<f64>>()
    };
    let longer = values(1)
        .iter()
        .filter(|&&is_exact| is_exact != 1.0)
        .count();
    let longer = if longer > 0 {
        format!(" ({longer} longer)")
    } else {
        String::new()
    };
    let ours = |text: String| {
        if results.is_empty() {
            Cell::Nothing
        } else {
            Cell::Text(text)
        }
    };
    row![
        selection.count(),
        real,
        ours(mean_and_deviation(&values(0), 1) + &longer),
        least_mean(real),
        ours(mean_and_deviation(&values(2), 0)),
        kept.number(&format!("IX {name}, backward"), 0),
        ours(mean_and_deviation(&values(3), 1)),
    ]
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
