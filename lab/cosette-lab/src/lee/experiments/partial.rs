//! Lee's Tables IX and X: partial problems solved, and the heuristics they give.
//!
//! *How the paper numbers faces and facelets.* Its Figure 2 is not in the text that we have, but the tables fix nearly all
//! of it. Facelet 0 of face 2 adds nothing to faces 0 and 1, so it lies on the corner that the three share; facelets 4 and
//! 6 are said to be farthest from them. Both are so if the faces are those of the usual net, U, L, F, R, B, D, and facelets
//! are counted row by row. Every pair of faces in Table X is then adjacent.

use super::kept::Kept;
use super::{experiment, printed};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::WITHIN;
use crate::lee::partial::Partials;
use crate::lee::partial::painting::Painting;
use crate::lee::partial::painting::Selection;
use crate::lee::partial::problem::{ForwardDepth, Problem};
use crate::walks::random_walk;
use cosette::cube::{Cube, Face, random_positions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::time::Instant;

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-partial.txt");

/// The paper's faces 0 to 5, as they are read here.
const FACES: [Face; 6] = [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D];

/// The pairs of faces that the paper chooses for its search: 0-1, 2-3 and 3-5.
pub const CHOSEN: [[usize; 2]; 3] = [[0, 1], [2, 3], [3, 5]];

/// How many positions the paper's Table IX has, and ours.
const SOLVED: u64 = 25;
/// And its Table X.
const BOUNDED: u64 = 50;
/// How many moves the 25 positions are scrambled with: 23.5 on average, with a deviation of 2.9.
const SCRAMBLE: std::ops::RangeInclusive<usize> = 19..=28;

/// The partial problems of Lee's Tables IX and X.
pub fn partial(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-partial", RESULTS)?;
    if kept.is_open() {
        bound_all(lab, &kept)?;
        solve_all(lab, &kept)?;
    }
    Ok(experiment("partial", "Heuristics from partial problems", "Lee 2013, Tables IX and X")
        .text(kept.circumstances())
        .tables([solved_problems(&kept), bounds(&kept), readings(&kept)]))
}

/// Two faces of the paper, by their numbers.
pub fn pair(faces: [usize; 2]) -> Selection {
    Selection::faces(&faces.map(|face| FACES[face]))
}

/// A row of Table IX.
struct Row {
    /// The paper's name.
    name: &'static str,
    selection: Selection,
    /// The row that has the same painting, if an earlier one has.
    like: Option<&'static str>,
    /// How deep the backward space is and the forward space; none where it was not computed: most solutions are longer than
    /// both, and counting tells more.
    depths: Option<[u8; 2]>,
}

/// The rows of Table IX.
fn rows() -> Vec<Row> {
    let all = Selection::faces(&Face::ALL);
    let row = |name, selection, depths| Row { name, selection, like: None, depths };
    let two = pair([0, 1]);
    let mut rows = vec![
        row("corner cubes", all.corners_only(), Some([7, 5])),
        row("edge cubes", all.edges_only(), Some([7, 5])),
        row("0-1", two, Some([7, 6])),
    ];
    for (name, facelets, like) in [
        ("0-1 + 2/0", &[0][..], Some("0-1")),
        ("0-1 + 2/4", &[4], None),
        ("0-1 + 2/7", &[7], None),
        ("0-1 + 2/67", &[6, 7], None),
        ("0-1 + 2/46", &[4, 6], None),
        ("0-1 + 2/25", &[2, 5], None),
        ("0-1 + 2/13", &[1, 3], None),
        ("0-1 + 2/257", &[2, 5, 7], None),
        ("0-1 + 2/467", &[4, 6, 7], None),
        ("0-1 + 2/0467", &[0, 4, 6, 7], Some("0-1 + 2/467")),
    ] {
        rows.push(Row { like, ..row(name, two.and_of(FACES[2], facelets), None) });
    }
    rows.push(row("0-1-2", Selection::faces(&[FACES[0], FACES[1], FACES[2]]), None));
    rows
}

fn depth(depth: u8) -> ForwardDepth {
    ForwardDepth::try_from(depth).expect("the depth is in range")
}

/// The 25 positions.
fn scrambled() -> Vec<Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let walk = |_| {
        let length = rng.random_range(SCRAMBLE);
        Cube::from_moves(&random_walk(&mut rng, length))
    };
    (0..SOLVED).map(walk).collect()
}

/// Table IX, computed.
fn solve_all(lab: &Lab<'_>, kept: &Kept) -> Result<(), LabError> {
    let instances = scrambled();
    for Row { name, selection, depths, .. } in rows().into_iter().filter(|row| row.like.is_none()) {
        let Some([backward, forward]) = depths else { continue };
        let missing = |i: &u64| kept.get(&format!("IX {name}, {i}")).is_none();
        let missing: Vec<u64> = (0..SOLVED).filter(missing).collect();
        if missing.is_empty() {
            continue;
        }
        let start = Instant::now();
        let problem = Problem::new(selection, backward, None, lab)?;
        let (stored, seconds) = (problem.counts().iter().sum::<u64>(), start.elapsed().as_secs_f64());
        kept.add(&format!("IX {name}, backward"), &[&stored, &format!("{seconds:.1}")])?;
        let solve = |&i: &u64| {
            let start = Instant::now();
            let solved = problem.solve(&instances[i as usize], depth(forward), &lab.control)?;
            let (is_exact, seconds) = (u8::from(solved.length.is_some()), start.elapsed().as_secs_f64());
            let values: [&dyn std::fmt::Display; 4] =
                [&solved.at_least, &is_exact, &solved.forward, &format!("{seconds:.3}")];
            kept.add(&format!("IX {name}, {i}"), &values)
        };
        lab.control.in_pool(|| missing.par_iter().try_for_each(solve))??;
    }
    Ok(())
}

/// The pairs of faces of Table X, by the paper's letters.
const PAIRS: [(char, [usize; 2]); 5] = [('a', [0, 1]), ('b', [2, 3]), ('c', [4, 5]), ('d', [1, 2]), ('e', [3, 5])];
/// The paper's choices of pairs.
const CHOICES: [&str; 14] = ["a", "b", "c", "d", "e", "ab", "ac", "ad", "ae", "abc", "abd", "abe", "abcd", "abce"];
/// What is computed beside them: a pair of opposite faces.
const OPPOSITE: [(char, [usize; 2]); 1] = [('x', [0, 5])];

/// Table X, computed.
fn bound_all(lab: &Lab<'_>, kept: &Kept) -> Result<(), LabError> {
    let instances: Vec<Cube> = random_positions(1).take(BOUNDED as usize).collect();
    for pairs in [&PAIRS[..], &OPPOSITE] {
        let key = |(number, i): (usize, usize)| format!("X {}, {i}", pairs[number].0);
        let all = (0..pairs.len()).flat_map(|number| (0..instances.len()).map(move |i| (number, i)));
        let missing: Vec<(usize, usize)> = all.filter(|&each| kept.get(&key(each)).is_none()).collect();
        if missing.is_empty() {
            continue;
        }
        let selections: Vec<Selection> = pairs.iter().map(|&(_, faces)| pair(faces)).collect();
        let partials = Partials::new(&selections, 7, None, lab)?;
        let bound = |&(number, i): &(usize, usize)| {
            let seen = partials.seen(number, &instances[i]);
            let solved = partials.problem(number).solve(&seen, depth(5), &lab.control)?;
            kept.add(&key((number, i)), &[&solved.at_least, &u8::from(solved.length.is_some())])
        };
        lab.control.in_pool(|| missing.par_iter().try_for_each(bound))??;
    }
    Ok(())
}

/// Digits in groups of three.
fn grouped(count: u64) -> String {
    match count / 1000 {
        0 => count.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), count % 1000),
    }
}

/// A mean with the deviation of the single values, as the paper prints them.
fn mean_and_deviation(values: &[f64], digits: usize) -> String {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
    let [mean, deviation] = [mean, deviation]
        .map(|value| if digits > 0 { format!("{value:.digits$}") } else { grouped(value.round() as u64) });
    format!("{mean}±{deviation}")
}

/// What the mean distance of all painted positions is at least: no more of them lie within k moves than positions do.
fn least_mean(states: f64) -> f64 {
    let within = |k: usize| WITHIN.get(k).map_or(1.0, |&positions| (positions as f64 / states).min(1.0));
    (0..WITHIN.len()).map(|k| 1.0 - within(k)).sum()
}

/// Table IX.
fn solved_problems(kept: &Kept) -> Table {
    let columns = "problem | facelets | painted positions | path length, paper | ours* | mean at least | \
                   forward states, paper | ours* | backward states, paper | ours* | seconds, paper | ours*";
    let caption = "Table IX: partial problems of 25 positions, means and deviations. \"Mean at least\" is what counting \
                   alone says of random positions.";
    let mut table = kept.table(caption, columns);
    for row in rows() {
        let paper = |place| printed().value(&format!("IX {}", row.name), place).map_or(Cell::Nothing, Cell::Text);
        let name = row.like.unwrap_or(row.name);
        let results: Vec<Vec<String>> = (0..SOLVED).filter_map(|i| kept.get(&format!("IX {name}, {i}"))).collect();
        let values = |place: usize| -> Vec<f64> {
            results.iter().filter_map(|values| values.get(place)?.parse().ok()).collect()
        };
        let states = Painting::new(row.selection).states();
        // Where the orientations of all corners are seen, or of all edges, a third or a half of the numbers belongs to
        // positions.
        let real = match row.name {
            "corner cubes" => states / 3,
            "edge cubes" => states / 2,
            _ => states,
        };
        let exact = values(1).iter().filter(|&&is_exact| is_exact == 1.0).count();
        let ours = |text: String| if results.is_empty() { Cell::Nothing } else { Cell::Text(text) };
        let at_least =
            if exact < results.len() { format!(" ({} longer)", results.len() - exact) } else { String::new() };
        table.row([
            Cell::text(row.name),
            Cell::Count(row.selection.len().into()),
            Cell::Estimate(real as f64),
            paper(0),
            ours(mean_and_deviation(&values(0), 1) + &at_least),
            Cell::Number(least_mean(real as f64), 2),
            paper(1),
            ours(mean_and_deviation(&values(2), 0)),
            paper(2),
            kept.number(&format!("IX {name}, backward"), 0).map_or(Cell::Nothing, |states| Cell::Count(states as u64)),
            paper(3),
            ours(mean_and_deviation(&values(3), 1)),
        ]);
    }
    table
}

/// The bounds of a choice of pairs, where everything beyond `most` counts as that.
fn bounds_of(kept: &Kept, choice: &str, most: f64) -> Vec<f64> {
    let of = |i: u64| {
        let each = choice.chars().map(|letter| kept.number(&format!("X {letter}, {i}"), 0));
        each.collect::<Option<Vec<f64>>>().map(|bounds| bounds.into_iter().fold(0.0, f64::max).min(most))
    };
    (0..BOUNDED).filter_map(of).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Table X.
fn bounds(kept: &Kept) -> Table {
    let columns = "pairs | faces | maximum, paper | ours* | average, paper | ours* | ratio*";
    let caption = "Table X: the bound of 50 random positions, the maximum over the chosen pairs of faces, with d_back = 7 and d_for \
                   = 5: none is above 13.";
    let mut table = kept.table(caption, columns);
    for choice in CHOICES {
        let [most, average] = [0, 1].map(|place| printed().number(&format!("X {choice}"), place).unwrap_or_default());
        let values = bounds_of(kept, choice, 13.0);
        let faces = choice.chars().map(|letter| {
            let [first, second] = PAIRS.iter().find(|(own, _)| *own == letter).expect("choices are of pairs").1;
            format!("{first}-{second}")
        });
        table.row([
            Cell::text(choice),
            Cell::text(faces.collect::<Vec<_>>().join(", ")),
            Cell::Count(most as u64),
            Cell::Count(values.iter().copied().fold(0.0, f64::max) as u64),
            Cell::Number(average, 2),
            Cell::Number(mean(&values), 2),
            Cell::ratio(mean(&values), average),
        ]);
    }
    table
}

/// Adjacent and opposite faces.
fn readings(kept: &Kept) -> Table {
    let columns = "two faces | painted positions | mean at least | average of the 50*";
    let mut table = kept.table("What it would be with opposite faces.", columns);
    // All corners of opposite faces are seen, so the last orientation follows from the others.
    for (name, letter, faces, divisor) in [("adjacent", "a", [0, 1], 1), ("opposite", "x", [0, 5], 3)] {
        let states = (Painting::new(pair(faces)).states() / divisor) as f64;
        table.row([
            Cell::text(name),
            Cell::Estimate(states),
            Cell::Number(least_mean(states), 2),
            Cell::Number(mean(&bounds_of(kept, letter, 14.0)), 2),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's facelet 0 of face 2 adds nothing, as it is read here.
    #[test]
    fn rows_that_are_alike_have_the_same_painting() {
        let rows = rows();
        for row in &rows {
            let Some(like) = row.like else { continue };
            let other = rows.iter().find(|other| other.name == like).expect("an earlier row");
            let [own, other] = [row, other].map(|row| Painting::new(row.selection));
            // It sees more facelets and tells no more positions apart.
            assert_eq!(own.states(), other.states());
        }
    }

    #[test]
    fn counting_alone_refutes_the_means_of_two_adjacent_faces() {
        let states = |faces| Painting::new(pair(faces)).states() as f64;
        assert_eq!(states([0, 1]), 3_674_160.0 * 14_192_640.0);
        assert!((least_mean(states([0, 1])) - 12.09).abs() < 0.01);
        assert!(least_mean(states([0, 5]) / 3.0) < 10.9);
    }
}
