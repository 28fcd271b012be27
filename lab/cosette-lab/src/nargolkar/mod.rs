//! Nargolkar 2006: the results of a thesis on parallel search that concern the sequential one.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", MS thesis, The University of
//! Texas at Arlington, 2006. Its parallel search is the command `cosette-lab-mpi nargolkar`; the
//! searches of its second chapter are [`crate::uninformed`], and the log of its appendix B is
//! [`crate::reid::log`]. The positions of its appendix C are [`AppendixPattern`]s.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Manhattan, SumCombination};
use crate::record::Record;
use crate::reid::Reid;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, inverse, parse_reid, random_positions};
use cosette::search::SolutionCount;
use serde::Serialize;
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
    let limits = (last - 1..=last).map(|limit| MeanNodes {
        limit,
        nodes: nodes[usize::from(limit)] as f64 / POSITIONS as f64,
    });
    let record = FiftyHoursRecord {
        positions: POSITIONS,
        seed,
        limits: limits.collect(),
    };
    Ok(Record::computed(request, &record))
}

/// The figures of `cosette-lab nargolkar fifty-hours`.
#[derive(Serialize)]
struct FiftyHoursRecord {
    positions: usize,
    seed: u64,
    limits: Vec<MeanNodes>,
}

/// The mean nodes of complete iterations.
#[derive(Serialize)]
struct MeanNodes {
    limit: u8,
    nodes: f64,
}

/// The line of appendix C that leads from the solved position to X.
const PATTERN: usize = 3;

/// The figures of `cosette-lab nargolkar path`.
#[derive(Serialize)]
struct PathRecord {
    /// The moves that lead from the solved position to X.
    pattern: &'static str,
    /// The moves that solve X: the inverse.
    path: String,
    /// The distance of X in quarter turns.
    distance: u8,
    positions: Vec<PathPosition>,
}

/// A position of the path.
#[derive(Serialize)]
struct PathPosition {
    letter: &'static str,
    /// The move of the path from the position before it.
    on_path: Option<String>,
    /// The move from the previous printed position to this one, if there is one.
    printed: Option<String>,
    /// `true` if the printed position lies on the path.
    is_right: bool,
}

/// Compares the printed positions with those of the path that solves X.
pub fn path(_lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    Ok(Record::computed(request, &path_record()))
}

fn path_record() -> PathRecord {
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
        PathPosition {
            letter: printed[depth].0,
            on_path: before.map(|before| path[before].to_string()),
            printed: taken.map(|m| m.to_string()),
            is_right: printed[depth].1 == printed[0].1.apply_moves(&path[..depth]),
        }
    });
    PathRecord {
        pattern: pattern.sequence,
        path: DisplayMoves(&path).to_string(),
        distance: pattern.distance(Metric::Qtm),
        positions: positions.collect(),
    }
}

/// The figures of `cosette-lab nargolkar symmetry`.
#[derive(Serialize)]
struct SymmetryRecord {
    /// The nodes without symmetry that the limit of each position has at least.
    enough: u64,
    searches: Vec<SymmetrySearch>,
}

/// An iteration without and with the symmetry of its position.
#[derive(Serialize)]
struct SymmetrySearch {
    position: String,
    /// Number of symmetries of the position.
    symmetries: usize,
    metric: String,
    limit: u8,
    without: IterationSize,
    with: IterationSize,
}

/// The size of an iteration.
#[derive(Serialize)]
struct IterationSize {
    nodes: u64,
    tests: u64,
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
            let mut without = iteration(lab, &reid, &position, limit, false)?;
            while without.nodes < enough {
                limit += 1;
                without = iteration(lab, &reid, &position, limit, false)?;
            }
            searches.push(SymmetrySearch {
                position: name,
                symmetries,
                metric: metric.to_string(),
                limit,
                without,
                with: iteration(lab, &reid, &position, limit, true)?,
            });
        }
    }
    Ok(Record::computed(
        request,
        &SymmetryRecord { enough, searches },
    ))
}

/// Searches one limit completely.
fn iteration(
    lab: &Lab<'_>,
    reid: &Reid,
    position: &Cube,
    limit: u8,
    by_symmetry: bool,
) -> Result<IterationSize, LabError> {
    let limits = IdaLimits {
        solution_count: SolutionCount::All,
        by_symmetry,
        by_parity: false,
        ..IdaLimits::only(limit)
    };
    let found = reid.ida().search(position, &limits, &lab.control);
    lab.check()?;
    let iteration = found.iterations.first();
    Ok(IterationSize {
        nodes: iteration.map_or(0, |iteration| iteration.nodes),
        tests: iteration.map_or(0, |iteration| iteration.tests),
    })
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
#[derive(Clone, Debug)]
pub struct AppendixPattern {
    /// Its number there, from one.
    pub number: usize,
    /// The depth that is printed: the length of the sequence.
    pub printed: u8,
    /// The proven distances in half and in quarter turns.
    distances: [u8; 2],
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
            lines
                .zip(1..)
                .map(|(line, number)| {
                    read_pattern(line, number).expect("the file is part of the program")
                })
                .collect()
        });
        &ALL
    }

    /// The moves of the sequence.
    pub fn moves(&self) -> Vec<Move> {
        moves(self.sequence).expect("checked when it was read")
    }

    /// The position that the sequence leads to.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves())
    }

    /// Its proven distance.
    pub fn distance(&self, metric: Metric) -> u8 {
        match metric {
            Metric::Htm => self.distances[0],
            Metric::Qtm => self.distances[1],
        }
    }
}

fn read_pattern(line: &'static str, number: usize) -> Option<AppendixPattern> {
    let mut words = line.splitn(4, ' ');
    let mut distance = || words.next()?.parse::<u8>().ok();
    let printed = distance()?;
    let distances = [distance()?, distance()?];
    let sequence = words.next()?;
    moves(sequence)?;
    Some(AppendixPattern {
        number,
        printed,
        distances,
        sequence,
    })
}

/// The moves written in `text`.
fn moves(text: &str) -> Option<Vec<Move>> {
    text.split_whitespace()
        .map(|word| word.parse().ok())
        .collect()
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
        let PathRecord {
            path, positions, ..
        } = path_record();
        assert_eq!(path, "R' U F B' R' U D L' F B' U L'");
        assert_eq!(positions.len(), 13);
        let off: Vec<&str> = positions
            .iter()
            .filter(|position| !position.is_right)
            .map(|position| position.letter)
            .collect();
        assert_eq!(off, ["Y"]);
        assert_eq!(positions[1].printed.as_deref(), Some("F'"));
        assert!(
            positions[3..]
                .iter()
                .all(|position| position.printed == position.on_path),
            "the rest is a chain of these moves"
        );
    }

    #[test]
    fn the_appendix_has_thirty_lines() {
        let patterns = AppendixPattern::all();
        assert_eq!(patterns.len(), 30);
        for pattern in patterns {
            let moves = moves(pattern.sequence).expect("moves");
            assert_eq!(
                moves.len(),
                usize::from(pattern.printed),
                "{}",
                pattern.sequence
            );
            for metric in Metric::ALL {
                let length = metric.length(&moves);
                assert!(
                    usize::from(pattern.distance(metric)) <= length,
                    "{}",
                    pattern.sequence
                );
            }
            assert_eq!(
                pattern.distance(Metric::Qtm) % 2 == 1,
                pattern.position().is_odd()
            );
        }
    }

    #[test]
    fn the_superflip_is_its_own_inverse_and_commutes_with_all() {
        assert_eq!(superflip().inverse(), superflip());
        assert_eq!(superflip().symmetries().len(), 48);
        assert!(!superflip().is_solved());
    }
}
