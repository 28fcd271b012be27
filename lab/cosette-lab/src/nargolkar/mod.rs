//! Nargolkar 2006: the results of a thesis on parallel search that concern the sequential one.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", MS thesis, The University of
//! Texas at Arlington, 2006. Its parallel search is the command `cosette-lab-mpi nargolkar`; the
//! searches of its second chapter are [`crate::uninformed`], and the log of its appendix B is
//! [`crate::reid::log`]. The positions of its appendix C are [`AppendixPattern`]s.

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Manhattan, SumCombination, branching_factor};
use crate::reid::Reid;
use crate::template::{PageTemplate, row};
use cosette::cube::{Cube, DisplayMoves, Metric, Move, inverse, parse_reid, random_positions};
use cosette::search::SolutionCount;
use std::sync::LazyLock;

/// The form of an experiment.
fn form(name: &'static str) -> PageTemplate {
    PageTemplate::read(include_str!("../../pages/nargolkar-experiments.md"), name)
}

const POSITIONS: usize = 3;
/// The limit reached by her programs.
const DEPTH: u8 = 14;
/// Fifty hours, in seconds.
const FIFTY_HOURS: f64 = 50.0 * 3600.0;

/// Measures complete iterations with the sum over the edges, and estimates the time of limit 14.
pub fn fifty_hours(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let last = if request.effort == RunSize::Full {
        12
    } else {
        10
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
    let mut nodes = [0; DEPTH as usize + 1];
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
    let growth = branching_factor();
    let mean = |limit: u8| {
        let beyond = limit.saturating_sub(last);
        nodes[usize::from(limit - beyond)] as f64 / POSITIONS as f64 * growth.powi(beyond.into())
    };
    let mut form = form("fifty-hours");
    form.say("positions", POSITIONS)
        .say("seed", seed)
        .say("from", last + 1)
        .say("growth", format!("{growth:.2}"));
    form.say(
        "millions",
        format!("{:.1}", mean(DEPTH) / FIFTY_HOURS / 1e6),
    );
    form.say("thousands", format!("{:.0}", growth.powi(4) / 1e3));
    for limit in last - 1..=DEPTH {
        let mean = mean(limit);
        let shown = if limit <= last {
            Cell::Count(mean.round() as u64)
        } else {
            Cell::Estimate(mean)
        };
        form.table("limits")
            .row(row![limit, shown, mean / FIFTY_HOURS]);
    }
    Ok(form.experiment())
}

/// The line of appendix C that leads from the solved position to X.
const PATTERN: usize = 3;

/// A position of the path.
struct PathPosition {
    letter: &'static str,
    /// The move of the path from the position before it.
    on_path: Option<Move>,
    /// The move from the previous printed position to this one, if there is one.
    printed: Option<Move>,
    /// `true` if the printed position lies on the path.
    is_right: bool,
}

/// Returns the path that solves X, which is the inverse of the line of appendix C, next to the
/// printed positions.
fn steps() -> (Vec<Move>, Vec<PathPosition>) {
    let lines = include_str!("path.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    let printed: Vec<(&str, Cube)> = lines
        .map(|line| {
            let (letter, pieces) = line.split_once(' ').expect("a letter and twenty pieces");
            (letter, parse_reid(pieces).expect("twenty pieces"))
        })
        .collect();
    let path = inverse(&AppendixPattern::all()[PATTERN - 1].moves());
    let one_move = |from: &Cube, to: &Cube| Move::ALL.into_iter().find(|&m| from.apply(m) == *to);
    let steps = (0..printed.len()).map(|depth| PathPosition {
        letter: printed[depth].0,
        on_path: depth.checked_sub(1).map(|before| path[before]),
        printed: depth
            .checked_sub(1)
            .and_then(|before| one_move(&printed[before].1, &printed[depth].1)),
        is_right: printed[depth].1 == printed[0].1.apply_moves(&path[..depth]),
    });
    let steps = steps.collect();
    (path, steps)
}

/// Compares the printed positions with those of the path.
pub fn path(_lab: &Lab<'_>, _request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (path, steps) = steps();
    let mut form = form("path");
    let name = |m: Option<Move>| m.map_or("none".to_owned(), |m| m.to_string());
    for (
        depth,
        PathPosition {
            letter,
            on_path,
            printed,
            is_right,
        },
    ) in steps.into_iter().enumerate()
    {
        let [on_path, printed] =
            [on_path, printed].map(|m| if depth == 0 { String::new() } else { name(m) });
        if !is_right {
            form.say("letter", letter)
                .say("printed", &printed)
                .say("move", &on_path);
        }
        form.table("path").row(row![
            depth,
            letter,
            on_path,
            printed,
            if is_right { "yes" } else { "no" }
        ]);
    }
    let pattern = &AppendixPattern::all()[PATTERN - 1];
    form.say("line", PATTERN)
        .say("pattern", pattern.sequence)
        .say("path", DisplayMoves(&path));
    form.say("distance", pattern.distance(Metric::Qtm));
    Ok(form.experiment())
}

/// Nodes by limit with and without the symmetry, of the superflip and of the symmetric positions of
/// appendix C.
pub fn symmetry(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let enough = if request.effort == RunSize::Full {
        100_000_000
    } else {
        4_000_000
    };
    let mut form = form("symmetry");
    let mut least = f64::INFINITY;
    let mut equal = Vec::new();
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        let mut shown: Vec<(u64, u64)> = Vec::new();
        for (name, position) in positions() {
            lab.step("searching with and without symmetry", 0, 1);
            let order = position.symmetries().len();
            let mut limit = reid.bound(&position).max(1);
            loop {
                let only = |by_symmetry| IdaLimits {
                    solution_count: SolutionCount::All,
                    by_symmetry,
                    by_parity: false,
                    ..IdaLimits::only(limit)
                };
                let count = |by_symmetry| {
                    let found = reid
                        .ida()
                        .search(&position, &only(by_symmetry), &lab.control);
                    found
                        .iterations
                        .first()
                        .map_or((0, 0), |of| (of.nodes, of.tests))
                };
                let without = count(false);
                let with = count(true);
                lab.check()?;
                if without.0 >= enough {
                    let ratio = without.0 as f64 / with.0 as f64;
                    least = least.min(ratio / order as f64);
                    if shown.contains(&without) {
                        equal.push(name);
                        break;
                    }
                    shown.push(without);
                    form.table("symmetry").row(row![
                        &name[..],
                        order,
                        metric.name(),
                        limit,
                        without.0,
                        with.0,
                        ratio,
                        without.1,
                        with.1,
                    ]);
                    break;
                }
                limit += 1;
            }
        }
    }
    equal.sort();
    equal.dedup();
    form.say("equal", equal.join(", "))
        .say("enough", enough / 1_000_000)
        .say("least", format!("{:.0}", 100.0 * least));
    Ok(form.experiment())
}

/// The positions with symmetry, each once.
fn positions() -> Vec<(String, Cube)> {
    let mut all = vec![("superflip".to_owned(), superflip())];
    for pattern in AppendixPattern::all() {
        let position = pattern.position();
        if position.symmetries().len() > 1 && all.iter().all(|(_, other)| *other != position) {
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
        let (path, steps) = steps();
        assert_eq!(
            DisplayMoves(&path).to_string(),
            "R' U F B' R' U D L' F B' U L'"
        );
        let off: Vec<&str> = steps
            .iter()
            .filter(|step| !step.is_right)
            .map(|step| step.letter)
            .collect();
        assert_eq!(off, ["Y"]);
        assert_eq!(steps[1].printed.map(|m| m.to_string()), Some("F'".into()));
        assert!(
            steps[3..].iter().all(|step| step.printed == step.on_path),
            "the rest is a chain of these moves"
        );
        assert!(steps[12].is_right && path.len() == 12);
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
