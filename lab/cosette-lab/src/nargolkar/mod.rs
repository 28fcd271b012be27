//! Nargolkar 2006: the results of a thesis on parallel search that concern the sequential one.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", MS thesis, The University of
//! Texas at Arlington, 2006. Its parallel search is the command `cosette-lab-mpi nargolkar`; the
//! searches of its second chapter are [`crate::uninformed`], and the log of its appendix B is
//! [`crate::reid::log`]. The positions of its appendix C are [`AppendixPattern`]s.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaIteration, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Manhattan, SumCombination};
use crate::record::Record;
use crate::reid::Reid;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, inverse, parse_reid, random_positions};
use cosette::search::SolutionCount;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Number of random positions.
const POSITIONS: usize = 3;

/// Measures complete iterations with the sum over the edges.
pub fn fifty_hours(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let last = match request.effort {
        RunSize::Quick => 10,
        RunSize::Full => 12,
    };
    let bound = Manhattan::new(SumCombination::Edges, Metric::Htm);
    let ida = Ida {
        bound: &bound,
        metric: Metric::Htm,
    };
    let limits = IdaLimits {
        solution_count: SolutionCount::All,
        last: Some(last),
        ..IdaLimits::default()
    };
    let mut nodes = vec![0; usize::from(last) + 1];
    let seed = request.seed_or(1);
    for (done, position) in (0..).zip(random_positions(seed).take(POSITIONS)) {
        lab.step(
            "searching with the Manhattan distance",
            done,
            POSITIONS as u64,
        );
        for iteration in ida.search(&position, &limits, &lab.control).iterations {
            nodes[usize::from(iteration.threshold)] += iteration.nodes;
        }
        lab.check()?;
    }
    let mean = |limit: u8| {
        let nodes = nodes[usize::from(limit)] as f64 / POSITIONS as f64;
        json!({"limit": limit, "nodes": nodes})
    };
    let record = json!({
        "positions": POSITIONS,
        "seed": seed,
        "limits": [mean(last - 1), mean(last)],
    });
    Ok(Record::computed(request, &record))
}

/// The line of appendix C that leads from the solved position to X.
const PATTERN: usize = 3;

/// Compares the printed positions with those of the path that solves X.
pub fn path(_lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    Ok(Record::computed(request, &path_record()))
}

fn path_record() -> Value {
    let lines = include_str!("path.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let printed: Vec<(&str, Cube)> = lines
        .map(|line| {
            let (letter, pieces) = line.split_once(' ').expect("a letter and twenty pieces");
            (letter, parse_reid(pieces).expect("twenty pieces"))
        })
        .collect();
    let pattern = &AppendixPattern::all()[PATTERN - 1];
    let path = inverse(&pattern.moves());
    let one_move = |from: &Cube, to: &Cube| Move::ALL.into_iter().find(|&m| from.apply(m) == *to);
    let positions = (0..printed.len()).map(|depth| {
        let before = depth.checked_sub(1);
        let taken = before.and_then(|before| one_move(&printed[before].1, &printed[depth].1));
        json!({
            "letter": printed[depth].0,
            "on_path": before.map(|before| path[before].to_string()),
            "printed": taken.map(|m| m.to_string()),
            "is_right": printed[depth].1 == printed[0].1.apply_moves(&path[..depth]),
        })
    });
    json!({
        "pattern": pattern.sequence,
        "path": DisplayMoves(&path).to_string(),
        "distance": pattern.distances[1],
        "positions": positions.collect::<Vec<_>>(),
    })
}

/// Nodes by limit with and without the symmetry, of the superflip and of the symmetric positions of
/// appendix C.
pub fn symmetry(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let enough = match request.effort {
        RunSize::Quick => 4_000_000,
        RunSize::Full => 100_000_000,
    };
    let mut searches = Vec::new();
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        for (name, position) in known_positions() {
            let symmetries = position.symmetries().len();
            if symmetries == 1 {
                continue;
            }
            lab.step("searching with and without symmetry", 0, 1);
            let mut limit = reid.bound(&position).max(1);
            let without = loop {
                let without = iteration(lab, &reid, &position, limit, false)?;
                if without.nodes >= enough {
                    break without;
                }
                limit += 1;
            };
            let with = iteration(lab, &reid, &position, limit, true)?;
            let size = |of: IdaIteration| json!({"nodes": of.nodes, "tests": of.tests});
            searches.push(json!({
                "position": name,
                "symmetries": symmetries,
                "metric": metric.to_string(),
                "limit": limit,
                "without": size(without),
                "with": size(with),
            }));
        }
    }
    let record = json!({"enough": enough, "searches": searches});
    Ok(Record::computed(request, &record))
}

/// Searches one limit completely.
fn iteration(
    lab: &Lab<'_>,
    reid: &Reid,
    position: &Cube,
    limit: u8,
    by_symmetry: bool,
) -> Result<IdaIteration, LabError> {
    let limits = IdaLimits {
        solution_count: SolutionCount::All,
        by_symmetry,
        by_parity: false,
        ..IdaLimits::only(limit)
    };
    let found = reid.ida().search(position, &limits, &lab.control);
    lab.check()?;
    Ok(found.iterations[0])
}

/// Returns the superflip and the positions of appendix C, each once, with their names.
pub fn known_positions() -> Vec<(String, Cube)> {
    let mut all = vec![("superflip".to_owned(), superflip())];
    for pattern in AppendixPattern::all() {
        let position = pattern.position();
        if all.iter().all(|(_, other)| *other != position) {
            all.push((format!("pattern {}", pattern.number), position));
        }
    }
    all
}

/// A line of appendix C.
#[derive(Clone, Debug, Serialize)]
pub struct AppendixPattern {
    /// Its number there, from one.
    pub number: usize,
    /// The depth that is printed: the length of the sequence.
    pub printed: u8,
    /// The proven distances in half and in quarter turns.
    pub distances: [u8; 2],
    /// The moves as printed.
    pub sequence: &'static str,
}

impl AppendixPattern {
    /// All of the appendix, in its order.
    pub fn all() -> &'static [AppendixPattern] {
        static ALL: LazyLock<Vec<AppendixPattern>> = LazyLock::new(|| {
            let lines = include_str!("patterns.txt")
                .lines()
                .filter(|line| !line.starts_with('#'));
            let read = |(line, number)| AppendixPattern::read(line, number);
            lines.zip(1..).map(read).collect()
        });
        &ALL
    }

    fn read(line: &'static str, number: usize) -> AppendixPattern {
        let mut words = line.splitn(4, ' ');
        let mut word = || words.next().expect("three distances and a sequence");
        let [printed, half_turns, quarter_turns] =
            [(); 3].map(|()| word().parse().expect("a distance"));
        AppendixPattern {
            number,
            printed,
            distances: [half_turns, quarter_turns],
            sequence: word(),
        }
    }

    /// The moves of the sequence.
    pub fn moves(&self) -> Vec<Move> {
        let words = self.sequence.split_whitespace();
        words.map(|word| word.parse().expect("a move")).collect()
    }

    /// The position that the sequence leads to.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves())
    }
}

/// The superflip: every edge flipped in its place.
pub fn superflip() -> Cube {
    parse_reid("FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR")
        .expect("twenty pieces")
}

/// The distance of the superflip (Reid 1995; in quarter turns Bryan 1995).
pub fn superflip_distance(metric: Metric) -> u8 {
    match metric {
        Metric::Htm => 20,
        Metric::Qtm => 24,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_y_lies_off_the_path() {
        let record = path_record();
        assert_eq!(record["path"], "R' U F B' R' U D L' F B' U L'");
        let positions = record["positions"].as_array().expect("a list");
        assert_eq!(positions.len(), 13);
        let off = positions.iter().filter(|of| of["is_right"] == false);
        assert!(off.map(|of| &of["letter"]).eq(["Y"].iter()));
        assert_eq!(positions[1]["printed"], "F'");
        // The rest is a chain of these moves.
        assert!(
            positions[3..]
                .iter()
                .all(|of| of["printed"] == of["on_path"])
        );
    }

    #[test]
    fn the_appendix_has_thirty_lines() {
        let patterns = AppendixPattern::all();
        assert_eq!(patterns.len(), 30);
        for pattern in patterns {
            let moves = pattern.moves();
            assert_eq!(moves.len(), usize::from(pattern.printed));
            for (metric, distance) in Metric::ALL.into_iter().zip(pattern.distances) {
                assert!(
                    usize::from(distance) <= metric.length(&moves),
                    "{pattern:?}"
                );
            }
            let is_odd = pattern.distances[1] % 2 == 1;
            assert_eq!(is_odd, pattern.position().is_odd());
        }
    }
}
