//! Lee's Table XI: the number of stored states, by bound and tie-breaking rule.

use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::{Lab, processor_time, processor_time_of_process};
use crate::lee::WITHIN;
use crate::lee::backward::BackwardSpace;
use crate::lee::heuristic::{CHOSEN, ForwardSpace, Heuristic, PartialBound, Partials, pair};
use crate::lee::search::{AstarEvent, AstarSettings, SearchEnd, TieOrder, search as astar};
use crate::main_engine;
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::{Cube, Move};
use cosette::table::TableSize;
use cosette_app::units::mean;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Number of positions of each length that are searched.
const POSITIONS: [(u8, u64); 5] = [(10, 3), (11, 3), (12, 3), (13, 3), (14, 1)];
/// Maximum number of stored states, as in the paper.
const STATES: u64 = 50_000_000;
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

/// The parts of Table XI, by their names.
const PARTS: [(&str, PartialBound); 4] = [
    ("heu6", PartialBound::HEU6),
    ("d_for=5", PartialBound::Informed(5)),
    ("d_for=6", PartialBound::Informed(6)),
    ("d_for=7", PartialBound::Informed(7)),
];

/// States stored by bidirectional A*, by length, bound and tie-breaking rule.
pub fn search(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "lee-search")?;
    if kept.is_open() {
        search_all(lab, &kept)?;
    }
    let row = |(part, _): (&str, PartialBound), (rule, ..): Rule| {
        let stored = POSITIONS.map(|(length, _)| stored(&kept, length, &format!("{part} {rule}")));
        json!({"bound": part, "ties": rule, "stored": stored})
    };
    let mut rows = vec![row(PARTS[0], RULES[0])];
    rows.extend(
        PARTS[1..]
            .iter()
            .flat_map(|&part| RULES.map(|rule| row(part, rule))),
    );
    let near = [5, 6, 7].map(|d_for| {
        let away = WITHIN[d_for] - WITHIN[d_for - 1];
        // The sums of the three pairs.
        let near = POSITIONS.map(|(length, count)| {
            let near = (0..count).filter_map(|i| kept.number(&near_key(length, i, d_for as u8), 0));
            let near: Vec<f64> = near.collect();
            (!near.is_empty()).then(|| mean(&near) / 3.0)
        });
        json!({"d_for": d_for, "away": away, "near": near})
    });
    let data = json!({
        "states": STATES,
        "rows": rows,
        "near": near,
        "lengths": POSITIONS.map(|(length, _)| of_length(&kept, length)),
    });
    Ok(Record::of_results(&kept, &data))
}

fn near_key(length: u8, position: u64, d_for: u8) -> String {
    format!("{length} {position} near {d_for}")
}

/// Returns the states stored by stack, for a plot.
fn of_length(kept: &StoredResults, length: u8) -> Value {
    let [heu6, five, _, seven] =
        PARTS.map(|(part, _)| solved(kept, length, &format!("{part} stack")));
    // Equal before, so that one line would hide the other.
    let five = five.filter(|_| length >= 12);
    json!({"length": length, "heu6": heu6, "five": five, "seven": seven})
}

/// Returns the mean of a value over the positions of a length.
fn mean_of(kept: &StoredResults, length: u8, rest: &str, place: usize) -> Option<f64> {
    let values: Vec<f64> = (0..3)
        .filter_map(|i| kept.number(&format!("{length} {i} {rest}"), place))
        .collect();
    (!values.is_empty()).then(|| mean(&values))
}

/// Returns the mean number of states stored, if all searches found a solution.
fn solved(kept: &StoredResults, length: u8, rest: &str) -> Option<f64> {
    let is_solved = mean_of(kept, length, rest, 2) == Some(1.0);
    mean_of(kept, length, rest, 0).filter(|_| is_solved)
}

/// Returns the number of states stored; negative where that was a limit.
fn stored(kept: &StoredResults, length: u8, rest: &str) -> Option<f64> {
    // The search stops a few states after the limit.
    let limit = || Some(-(mean_of(kept, length, rest, 0)? / 1e6).floor() * 1e6);
    solved(kept, length, rest).or_else(limit)
}

/// A planned search: the length and the number of its position, the part of the table, and the
/// rule.
struct Trial {
    length: u8,
    position: u64,
    part: (&'static str, PartialBound),
    rule: Rule,
}

impl Trial {
    /// Returns all trials, the longest searches last. The paper has one line without forward
    /// spaces; the plot takes another.
    fn all() -> impl Iterator<Item = Trial> {
        let positions = POSITIONS
            .into_iter()
            .flat_map(|(length, count)| (0..count).map(move |i| (length, i)));
        let parts =
            positions.flat_map(|(length, i)| [3, 2, 0, 1].map(|part| (length, i, PARTS[part])));
        let trials = parts.flat_map(|(length, position, part)| {
            RULES.map(|rule| Trial {
                length,
                position,
                part,
                rule,
            })
        });
        trials.filter(|trial| trial.rule.2.is_none() || trial.part.1 != PartialBound::HEU6)
    }

    fn key(&self) -> String {
        let Trial {
            length,
            position,
            part: (part, _),
            rule: (rule, ..),
        } = self;
        format!("{length} {position} {part} {rule}")
    }
}

/// Runs the missing trials, and counts what is missing of the painted positions near solved.
fn search_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let solver = main_engine::solver_of_size(TableSize::ALL[0], lab)?;
    let perimeter = BackwardSpace::perimeter(D_BACK, lab)?;
    let deepest = PARTS[PARTS.len() - 1].1;
    let partials = Partials::new(&CHOSEN.map(pair), D_BACK, deepest, lab)?;
    for (length, count) in POSITIONS {
        let positions = main_engine::positions_of_length(length, count as usize, 1, &solver, lab)?;
        for (position, number) in positions.iter().zip(0..) {
            let missing: Vec<Trial> = Trial::all()
                .filter(|trial| (trial.length, trial.position) == (length, number))
                .filter(|trial| kept.get(&trial.key()).is_none())
                .collect();
            for trials in missing.chunk_by(|a, b| a.part == b.part) {
                let (part, bound) = trials[0].part;
                lab.step(
                    &format!("searching at length {length}, {part}"),
                    number,
                    count,
                );
                let key = format!("{length} {number}");
                let heuristic = generate(&partials, position, bound, &key, kept, lab)?;
                let run = |trial: &Trial| run(trial, position, &perimeter, &heuristic, kept, lab);
                lab.control
                    .in_pool(|| trials.par_iter().with_max_len(1).try_for_each(run))??;
            }
        }
        for d_for in 5..=7 {
            let key = near_key(length, 0, d_for);
            if kept.get(&key).is_none() {
                kept.add(&key, &[&near(&partials, &positions[0], d_for, lab)?])?;
            }
        }
    }
    Ok(())
}

/// Runs a search.
fn run(
    trial: &Trial,
    position: &Cube,
    perimeter: &BackwardSpace,
    heuristic: &Heuristic<'_>,
    kept: &StoredResults,
    lab: &Lab<'_>,
) -> Result<(), LabError> {
    let (_, order, tie_bound) = trial.rule;
    let settings = AstarSettings {
        order,
        tie_bound,
        states: STATES,
        ..AstarSettings::default()
    };
    let before = processor_time();
    let ignore = &mut |_: AstarEvent<'_>| {};
    let found = astar(
        position,
        perimeter,
        heuristic,
        &settings,
        ignore,
        &lab.control,
    )?;
    lab.check()?;
    let is_solved = u8::from(matches!(found.ended, SearchEnd::Solved(_)));
    assert!(
        is_solved == 0 || found.lower_bound == trial.length,
        "the fast engine says otherwise"
    );
    let seconds = format!("{:.3}", processor_time() - before);
    kept.add(
        &trial.key(),
        &[&found.stored, &found.generated(), &is_solved, &seconds],
    )
}

/// Generates the forward spaces of an instance.
fn generate<'a>(
    partials: &'a Partials,
    position: &Cube,
    bound: PartialBound,
    key: &str,
    kept: &StoredResults,
    lab: &Lab<'_>,
) -> Result<Heuristic<'a>, LabError> {
    let before = processor_time_of_process();
    let heuristic = partials.heuristic(bound, position, &lab.control)?;
    if let PartialBound::Informed(d_for) = bound {
        let seconds = format!("{:.3}", processor_time_of_process() - before);
        let forwards = heuristic.forwards().iter();
        let states = forwards.clone().map(ForwardSpace::states).sum::<u64>();
        let bytes = forwards.map(ForwardSpace::bytes).sum::<u64>();
        kept.add(
            &format!("{key} forward {d_for}"),
            &[&states, &bytes, &seconds],
        )?;
    }
    Ok(heuristic)
}

/// Counts the painted positions of all problems just `d_for` moves from an instance that lie in the
/// backward space. Fewer moves do not lead to them.
fn near(partials: &Partials, position: &Cube, d_for: u8, lab: &Lab<'_>) -> Result<usize, LabError> {
    lab.step("counting painted positions near solved", d_for.into(), 7);
    let of_problem = |number| {
        let space = partials.space(number);
        let seen = partials.seen(number, position);
        let nearer = ForwardSpace::new(space, &seen, d_for, &lab.control)?;
        let mut found = HashSet::new();
        for_each_end(&seen, None, d_for, &mut |end| {
            if space.get(end).is_some() {
                let number = space.painting().number(end);
                if !nearer.contains(number) {
                    found.insert(number);
                }
            }
        });
        lab.check()?;
        Ok(found.len())
    };
    (0..partials.count()).map(of_problem).sum()
}

/// Calls `visit` with the position after each sequence of `left` moves in which no face turns twice
/// in a row.
fn for_each_end(position: &Cube, last: Option<Move>, left: u8, visit: &mut dyn FnMut(&Cube)) {
    if left == 0 {
        return visit(position);
    }
    for m in Move::ALL {
        // Of two opposite faces in a row, one comes first.
        let follows = |last: Move| {
            last.face().axis() != m.face().axis() || last.face().index() < m.face().index()
        };
        if last.is_none_or(follows) {
            for_each_end(&position.apply(m), Some(m), left - 1, visit);
        }
    }
}
