//! Lee's Tables IX and X: partial problems solved, and the heuristics they give.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::partial::problem::{ForwardDepth, Problem};
use crate::lee::partial::selection::Selection;
use crate::walks::random_walk_position;
use cosette::cube::{Cube, Face, Symmetry, random_positions};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::time::Instant;

/// The partial problems of Lee's Tables IX and X.
pub fn partial(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    Ok(Experiment::new("partial", "Heuristics from partial problems", "Lee 2013, Tables IX and X")
        .text(
            "A partial problem sees the facelets of some faces, each in the colour of its face, wherever they are; \
             all others are grey. Its backward space, the painted positions near solved, is stored once; its forward \
             space, those near an instance, is generated for each instance.",
        )
        .text(
            "Assumed: the paper numbers faces and facelets without explaining the order. Here the facelets of a face \
             are counted row by row in the usual net, without the centre, and those of one face are alike. The \
             paper's pairs of faces are then of two kinds, opposite and adjacent, and all pairs of a kind are \
             symmetric to one another.",
        )
        .tables([solved_problems(lab, request.effort)?, bounds(lab, request.effort)?])
        .remark(
            "Opposite and adjacent pairs differ. With U and D visible, turns of U and D leave the solved painting \
             unchanged, and four edges look alike: there are fewer painted positions, and they are closer to solved. \
             So adjacent faces give the larger bounds, and opposite faces the smaller spaces.",
        )
        .remark(
            "With U and F visible, the first facelet of R adds nothing: it lies on the corner URF, which is already \
             determined.",
        )
        .remark("If the two spaces do not meet, the bound is one more than their depths together."))
}

fn depth(depth: u8) -> ForwardDepth {
    ForwardDepth::try_from(depth).expect("the depth is in range")
}

/// The selections of the table, with their names.
fn selections() -> Vec<(String, Selection)> {
    use Face::{D, F, R, U};
    let (opposite, adjacent) = (Selection::faces(&[U, D]), Selection::faces(&[U, F]));
    let mut list = vec![
        ("U, D".to_owned(), opposite),
        ("U, D: corners only".to_owned(), opposite.corners_only()),
        ("U, D: edges only".to_owned(), opposite.edges_only()),
        ("U, F".to_owned(), adjacent),
        ("U, F: corners only".to_owned(), adjacent.corners_only()),
        ("U, F: edges only".to_owned(), adjacent.edges_only()),
    ];
    for count in 1..=4 {
        list.push((format!("U, D and {count} of F"), opposite.and_of(F, count)));
    }
    for count in 1..=4 {
        list.push((format!("U, F and {count} of R"), adjacent.and_of(R, count)));
    }
    list.push(("U, D, F".to_owned(), Selection::faces(&[U, D, F])));
    list.push(("U, F, R".to_owned(), Selection::faces(&[U, F, R])));
    list
}

/// Table IX: each partial problem solved.
fn solved_problems(lab: &Lab<'_>, effort: Effort) -> Result<Table, LabError> {
    let (backward, forward, count) = match effort {
        Effort::Quick => (5, depth(5), 3),
        Effort::Full => (6, depth(6), 4),
    };
    let moves = backward + forward.moves();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let instances: Vec<Cube> = (0..count).map(|_| random_walk_position(&mut rng, moves)).collect();
    let mut table = Table::new(
        format!(
            "{count} positions after {moves} random moves; backward spaces of depth {backward}, forward spaces of \
             depth {} at most. Means of the positions; seconds on one thread, without the backward space. The paper's \
             figures are not available.",
            forward.moves()
        ),
        &["faces", "facelets", "paper", "path length", "forward states", "backward states", "total states", "seconds"],
    );
    let all = selections();
    for (i, (name, selection)) in all.iter().enumerate() {
        lab.step("solving partial problems", i as u64, all.len() as u64);
        let problem = Problem::new(*selection, backward, None, lab)?;
        let start = Instant::now();
        let solved = instances.iter().map(|instance| problem.solve(instance, forward, &lab.control));
        let solved = solved.collect::<Result<Vec<_>, LabError>>()?;
        let mean = |value: u64| value as f64 / f64::from(count);
        let forward: u64 = solved.iter().map(|solved| solved.forward).sum();
        let stored: u64 = problem.counts().iter().sum();
        table.row([
            Cell::text(name),
            Cell::Count(selection.len().into()),
            Cell::Nothing,
            Cell::Number(mean(solved.iter().map(|solved| u64::from(solved.at_least)).sum()), 1),
            Cell::Count(mean(forward).round() as u64),
            Cell::Count(stored),
            Cell::Count(mean(forward).round() as u64 + stored),
            Cell::Seconds(start.elapsed().as_secs_f64() / f64::from(count)),
        ]);
    }
    Ok(table)
}

/// Table X: average and maximum of the bounds of several partial problems together.
fn bounds(lab: &Lab<'_>, effort: Effort) -> Result<Table, LabError> {
    use Face::{B, D, F, L, R, U};
    let (backward, forward, count) = match effort {
        Effort::Quick => (6, depth(5), 10),
        Effort::Full => (7, depth(6), 50),
    };
    let (opposite, adjacent) = ([[U, D], [R, L], [F, B]], [[U, F], [D, B], [R, U], [L, D]]);
    let mut values: Vec<[u8; 7]> = vec![[0; 7]; count];
    let instances: Vec<Cube> = random_positions(1).take(count).collect();
    let pairs = opposite.iter().chain(&adjacent).copied().collect::<Vec<[Face; 2]>>();
    for (of_sort, sort) in [(0..3, [U, D]), (3..7, [U, F])] {
        let problem = Problem::new(Selection::faces(&sort), backward, None, lab)?;
        for number in of_sort {
            lab.step("bounding random positions", number as u64, pairs.len() as u64);
            let image = |s: &Symmetry| pairs[number].map(|face| s.face(face)) == sort;
            let s = Symmetry::all().find(image).expect("pairs of a sort are symmetric");
            values.par_iter_mut().zip(&instances).try_for_each(|(values, instance)| {
                values[number] = problem.solve(&instance.conjugate(s), forward, &lab.control)?.at_least;
                Ok::<(), LabError>(())
            })?;
        }
    }
    let mut table = Table::new(
        format!(
            "The bound of {count} random positions: the maximum over the chosen problems; backward spaces of \
             depth {}, forward spaces of depth {}. The paper's figures, of 50 positions, are not available.",
            backward,
            forward.moves()
        ),
        &["problems", "", "paper", "average", "maximum"],
    );
    let choices: [(&str, &str, &[usize]); 8] = [
        ("single", "UD", &[0]),
        ("single", "UF", &[3]),
        ("pair", "UD, RL", &[0, 1]),
        ("pair", "UF, DB", &[3, 4]),
        ("triple", "UD, RL, FB", &[0, 1, 2]),
        ("triple", "UF, DB, RU", &[3, 4, 5]),
        ("quadruple", "UD, RL, FB, UF", &[0, 1, 2, 3]),
        ("quadruple", "UF, DB, RU, LD", &[3, 4, 5, 6]),
    ];
    for (size, names, numbers) in choices {
        let bounds = || values.iter().map(|values| numbers.iter().map(|&i| values[i]).max().expect("some are chosen"));
        table.row([
            Cell::text(size),
            Cell::text(names),
            Cell::Nothing,
            Cell::Number(bounds().map(f64::from).sum::<f64>() / count as f64, 2),
            Cell::count(bounds().max().map(u64::from)),
        ]);
    }
    Ok(table)
}
