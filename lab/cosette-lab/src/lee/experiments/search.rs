//! Lee's Table XI: the number of stored states, by bound and tie-breaking rule.

use super::form;
use super::partial::CHOSEN;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, Plot};
use crate::lab::{Lab, processor_time, processor_time_of_process};
use crate::lee::WITHIN;
use crate::lee::backward::BackwardSpace;
use crate::lee::ball::Ball;
use crate::lee::heuristic::{Heuristic, PartialBound, Partials, pair};
use crate::lee::search::{AstarSettings, SearchEnd, TieOrder, search as astar};
use crate::main_engine;
use crate::stored_results::StoredResults;
use crate::template::{PageTemplate, Value, row};
use cosette::cube::Cube;
use cosette::table::TableSize;
use cosette_app::units::mean;
use rayon::prelude::*;
use std::ops::ControlFlow::Continue;

/// Number of positions of each length that are searched.
const POSITIONS: [(u8, u64); 5] = [(10, 3), (11, 3), (12, 3), (13, 3), (14, 1)];
/// Maximum number of stored states; five times as many in the paper.
const STATES: u64 = 10_000_000;
/// Depth of the perimeter and of the backward spaces.
const D_BACK: u8 = 7;

/// A tie-breaking rule: the paper's name, the order, and the maximum value of the heuristic before
/// it.
type Rule = (&'static str, TieOrder, Option<u8>);

const RULES: [Rule; 6] = [
    ("queue", TieOrder::Queue, None),
    ("queue, heu6", TieOrder::Queue, Some(6)),
    ("queue, heu8", TieOrder::Queue, Some(8)),
    ("stack", TieOrder::Stack, None),
    ("stack, heu6", TieOrder::Stack, Some(6)),
    ("stack, heu8", TieOrder::Stack, Some(8)),
];

/// The parts of Table XI, by their names: the depths of the forward spaces, if there are any.
const PARTS: [(&str, Option<u8>); 4] = [
    ("heu6", None),
    ("d_for=5", Some(5)),
    ("d_for=6", Some(6)),
    ("d_for=7", Some(7)),
];

/// States stored by bidirectional A*, by length, bound and tie-breaking rule.
pub fn search(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "lee-search")?;
    if kept.is_open() {
        search_all(lab, &kept)?;
    }
    let mut form = form("search", &kept);
    form.table("XI").fill(|row| {
        let rest = format!("{} {}", row.words(0), row.words(1));
        POSITIONS.map(|(length, _)| {
            states(mean_of_results(&kept, CHOSEN_PAIRS, length, &rest, 0)).into()
        })
    });
    form.table("opposite").fill(|row| {
        let (part, d_for) = PARTS
            .into_iter()
            .find(|part| part.0 == row.words(0))
            .expect("the table has four parts");
        let stored = |(length, _)| {
            states(mean_of_results(
                &kept,
                OPPOSITE,
                length,
                &format!("{part} stack"),
                0,
            ))
            .into()
        };
        let forward = |place| {
            d_for.and_then(|d_for| kept.number(&format!("{OPPOSITE} forward {d_for}"), place))
        };
        let costs = [forward(1), forward(2).map(|bytes| bytes / 1e6)];
        let seconds = [13, 14].map(|length| solved(&kept, OPPOSITE, length, part, 3));
        POSITIONS
            .map(stored)
            .into_iter()
            .chain(costs.into_iter().chain(seconds).map(Value::from))
            .collect::<Vec<_>>()
    });
    form.table("forward").fill(|row| {
        let d_for = row.count(0);
        let within = |moves: u64| WITHIN[moves as usize];
        let away = within(d_for) - within(d_for - 1);
        // The mean over three pairs of faces; for seven moves they are not counted.
        let found = |length| {
            mean_of_results(&kept, CHOSEN_PAIRS, length, &format!("forward {d_for}"), 1)
                .filter(|_| d_for < 7)
        };
        let found = POSITIONS.map(|(length, _)| found(length).map(|sum| sum / 3.0).into());
        row![away, away as f64 / row.number(6)]
            .into_iter()
            .chain(found)
            .collect::<Vec<_>>()
    });
    let plot = plot(&mut form, &kept);
    Ok(form.experiment().plots([plot]))
}

/// A planned search: the length and the number of its position, the part of the table, and the
/// rule.
struct Trial {
    length: u8,
    position: u64,
    part: (&'static str, Option<u8>),
    rule: Rule,
}

impl Trial {
    /// Returns all trials; where every rule stores more than the limit, two of them.
    fn all() -> impl Iterator<Item = Trial> {
        let positions = POSITIONS
            .into_iter()
            .flat_map(|(length, count)| (0..count).map(move |i| (length, i)));
        // The longest searches last.
        let parts =
            positions.flat_map(|(length, i)| [0, 1, 3, 2].map(|part| (length, i, PARTS[part])));
        let trials = parts.flat_map(|(length, position, part)| {
            RULES.map(|rule| Trial {
                length,
                position,
                part,
                rule,
            })
        });
        let is_hopeless =
            |trial: &Trial| trial.part.1.is_none() || (trial.length, trial.part.1) == (14, Some(5));
        trials.filter(move |trial| trial.rule.2.is_none() || !is_hopeless(trial))
    }

    fn key(&self) -> String {
        format!(
            "{} {} {} {}",
            self.length, self.position, self.part.0, self.rule.0
        )
    }
}

/// Runs the missing trials.
fn search_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let missing: Vec<Trial> = Trial::all()
        .filter(|trial| kept.get(&trial.key()).is_none())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let solver = main_engine::solver_of_size(TableSize::ALL[0], lab)?;
    let perimeter = BackwardSpace::perimeter(D_BACK, lab)?;
    // Marks beyond the backward space, which take minutes, pay if d_for is 6 or 7.
    let deepest = missing
        .iter()
        .filter_map(|trial| trial.part.1)
        .max()
        .map_or(PartialBound::HEU6, PartialBound::Informed);
    let partials = Partials::new(&CHOSEN.map(pair), D_BACK, deepest, lab)?;
    for of_length in missing.chunk_by(|a, b| a.length == b.length) {
        let length = of_length[0].length;
        let last = of_length[of_length.len() - 1].position;
        let positions =
            main_engine::positions_of_length(length, last as usize + 1, 1, &solver, lab)?;
        for trials in of_length.chunk_by(|a, b| (a.position, a.part) == (b.position, b.part)) {
            let &Trial {
                position: number,
                part: (part, d_for),
                ..
            } = &trials[0];
            let position = &positions[number as usize];
            lab.step(
                &format!("searching at length {length}, {part}"),
                number,
                last + 1,
            );
            let heuristic = match d_for {
                Some(d_for) => generate(
                    &partials,
                    position,
                    d_for,
                    &format!("{length} {number}"),
                    kept,
                    lab,
                )?,
                None => partials.backward(6),
            };
            let one = |trial: &Trial| {
                let (_, order, most) = trial.rule;
                let settings = AstarSettings {
                    tie_bound: most,
                    order,
                    states: STATES,
                    ..AstarSettings::default()
                };
                let before = processor_time();
                let found = astar(
                    position,
                    &perimeter,
                    &heuristic,
                    &settings,
                    &mut |_| {},
                    &lab.control,
                )?;
                lab.check()?;
                let is_solved = u8::from(matches!(found.ended, SearchEnd::Solved(_)));
                assert!(
                    is_solved == 0 || found.lower_bound == length,
                    "the fast engine says otherwise"
                );
                let seconds = format!("{:.3}", processor_time() - before);
                kept.add(
                    &trial.key(),
                    &[&found.stored, &found.generated(), &is_solved, &seconds],
                )
            };
            lab.control
                .in_pool(|| trials.par_iter().with_max_len(1).try_for_each(one))??;
        }
    }
    Ok(())
}

/// Generates the forward spaces of an instance; and, if that is fast, counts the painted positions
/// at exactly that many moves that lie in the backward space.
fn generate<'a>(
    partials: &'a Partials,
    position: &Cube,
    d_for: u8,
    key: &str,
    kept: &StoredResults,
    lab: &Lab<'_>,
) -> Result<Heuristic<'a>, LabError> {
    let before = processor_time_of_process();
    let informed = partials.heuristic(PartialBound::Informed(d_for), position, &lab.control)?;
    let seconds = format!("{:.3}", processor_time_of_process() - before);
    let states = informed
        .forwards()
        .iter()
        .map(|forward| forward.states())
        .sum::<u64>();
    let bytes = informed
        .forwards()
        .iter()
        .map(|forward| forward.bytes())
        .sum::<u64>();
    let mut found = 0;
    for number in (0..partials.count()).filter(|_| d_for < 7) {
        let problem = partials.space(number);
        let seen = partials.seen(number, position);
        let count = |position: &Cube, away: u8| {
            found += u64::from(away == d_for && problem.get(position).is_some());
            Continue(())
        };
        let room = WITHIN[usize::from(d_for)] as usize;
        Ball::around(
            |position| problem.painting().number(position),
            &seen,
            d_for,
            room,
            count,
            &lab.control,
        )?;
    }
    kept.add(
        &format!("{key} forward {d_for}"),
        &[&states, &found, &bytes, &seconds],
    )?;
    Ok(informed)
}

/// Searches with the paper's pairs of faces, whose results are stored one by one, and with the
/// three pairs of opposite faces, of which only means are stored.
const CHOSEN_PAIRS: &str = "chosen";
const OPPOSITE: &str = "opposite";

/// The mean of a value over the positions of a length.
fn mean_of_results(
    kept: &StoredResults,
    pairs: &str,
    length: u8,
    rest: &str,
    place: usize,
) -> Option<f64> {
    let values: Vec<f64> = match pairs {
        OPPOSITE => kept
            .number(&format!("{OPPOSITE} {length} {rest}"), place)
            .into_iter()
            .collect(),
        _ => (0..3)
            .filter_map(|i| kept.number(&format!("{length} {i} {rest}"), place))
            .collect(),
    };
    (!values.is_empty()).then(|| mean(&values))
}

/// Returns the mean of a value of the searches by stack, if all found a solution.
fn solved(kept: &StoredResults, pairs: &str, length: u8, part: &str, place: usize) -> Option<f64> {
    let value = |place| mean_of_results(kept, pairs, length, &format!("{part} stack"), place);
    value(place).filter(|_| value(2) == Some(1.0))
}

/// Formats a number of states; at the limit it is only a lower bound.
fn states(stored: Option<f64>) -> Cell {
    match stored {
        None => Cell::Nothing,
        Some(stored) if stored >= STATES as f64 => {
            Cell::text(format!("> {},000,000", STATES / 1_000_000))
        }
        Some(stored) => Cell::Count(stored.round() as u64),
    }
}

/// The states stored by stack, ours and the paper's.
fn plot(form: &mut PageTemplate, kept: &StoredResults) -> Plot {
    let axes = ["length of the shortest solution", "states stored"];
    let title = "States stored by bidirectional A*, ties by stack: ours by the paper's pairs of \
        faces, and the paper";
    let mut plot = Plot::new("lee-states", title, axes, [false, true]);
    let parts = [0, 1, 3].map(|number| PARTS[number]);
    for (part, _) in parts {
        let stored = |length| solved(kept, CHOSEN_PAIRS, length, part, 0);
        let points = POSITIONS
            .iter()
            .filter_map(|&(length, _)| Some((length.into(), stored(length)?)));
        plot = plot.series(part, points);
    }
    for (part, d_for) in parts {
        let rule = if d_for.is_some() { "stack" } else { "queue" };
        let row = form
            .table("XI")
            .rows()
            .find(|row| (row.words(0), row.words(1)) == (part, rule));
        let row = row.expect("the paper has the rule");
        let points = POSITIONS
            .iter()
            .zip([2, 4, 6, 8, 10])
            .map(|(&(length, _), column)| (length, row.number(column)));
        let points = points
            .filter(|(_, stored)| !stored.is_nan())
            .map(|(length, stored)| (f64::from(length), stored));
        plot = plot.printed(format!("{part}, paper"), points);
    }
    plot
}
