//! Lee's Table XI: the number of stored states, by bound and tie-breaking rule.

use super::run_missing;
use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::lab::{Lab, processor_time};
use crate::lee::WITHIN;
use crate::lee::heuristic::{CHOSEN, Heuristic, PartialBound, PartialProblem, pair};
use crate::lee::search::{AstarSettings, TieOrder, search as astar};
use crate::lee::states::BackwardSpace;
use crate::main_engine;
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::Cube;
use cosette::table::TableSize;
use cosette_app::units::mean;
use serde_json::{Value, json};

/// Number of positions of each length that are searched.
const POSITIONS: [(u8, usize); 5] = [(10, 3), (11, 3), (12, 3), (13, 3), (14, 1)];
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
    // The paper has one line without forward spaces.
    let rows = PARTS.iter().flat_map(|&(part, _)| {
        let rules = if part == "heu6" { 1 } else { RULES.len() };
        RULES[..rules].iter().map(move |&(rule, ..)| (part, rule))
    });
    let row = |(part, rule)| {
        let stored = POSITIONS.map(|(length, _)| stored(&kept, length, part, rule));
        json!({"bound": part, "ties": rule, "stored": stored})
    };
    let near = [5, 6, 7].map(|d_for| {
        let near = POSITIONS.map(|(length, _)| {
            // The sums of the three pairs.
            Some(mean_of(&kept, length, &format!("near {d_for}"), 0)? / 3.0)
        });
        let away = WITHIN[d_for] - WITHIN[d_for - 1];
        json!({"d_for": d_for, "away": away, "near": near})
    });
    let lengths = POSITIONS.map(|(length, _)| {
        let [heu6, five, _, seven] = PARTS.map(|(part, _)| solved(&kept, length, part, "stack"));
        // Equal before, so that one line would hide the other.
        let five = five.filter(|_| length >= 12);
        json!({"length": length, "heu6": heu6, "five": five, "seven": seven})
    });
    let data = json!({
        "states": STATES,
        "rows": rows.map(row).collect::<Vec<Value>>(),
        "near": near,
        "lengths": lengths,
    });
    Ok(Record::of_results(&kept, &data))
}

/// Returns the mean of a value over the positions of a length.
fn mean_of(kept: &StoredResults, length: u8, rest: &str, place: usize) -> Option<f64> {
    let keys = (0..3).map(|i| format!("{length} {i} {rest}"));
    let values: Vec<f64> = keys.filter_map(|key| kept.number(&key, place)).collect();
    (!values.is_empty()).then(|| mean(&values))
}

/// Returns the mean number of states stored, if all searches found a solution.
fn solved(kept: &StoredResults, length: u8, part: &str, rule: &str) -> Option<f64> {
    stored(kept, length, part, rule).filter(|&stored| stored >= 0.0)
}

/// Returns the number of states stored; negative where that was a limit.
fn stored(kept: &StoredResults, length: u8, part: &str, rule: &str) -> Option<f64> {
    let rest = format!("{part} {rule}");
    let stored = mean_of(kept, length, &rest, 0)?;
    let is_solved = mean_of(kept, length, &rest, 2) == Some(1.0);
    // The search stops a few states after the limit.
    let limit = -(stored / 1e6).floor() * 1e6;
    Some(if is_solved { stored } else { limit })
}

/// Table XI while it is computed.
struct SearchRun<'a> {
    lab: &'a Lab<'a>,
    kept: &'a StoredResults,
    perimeter: BackwardSpace,
    problems: Vec<PartialProblem>,
}

/// Runs the missing searches, and counts what is missing of the painted positions near solved.
fn search_all(lab: &Lab<'_>, kept: &StoredResults) -> Result<(), LabError> {
    let solver = main_engine::solver_of_size(TableSize::ALL[0], lab)?;
    let run = SearchRun {
        lab,
        kept,
        perimeter: BackwardSpace::perimeter(D_BACK, lab)?,
        problems: PartialProblem::all(&CHOSEN.map(pair), D_BACK, PARTS[3].1, lab)?,
    };
    for (length, count) in POSITIONS {
        let positions = main_engine::positions_of_length(length, count, 1, &solver, lab)?;
        for (number, position) in positions.iter().enumerate() {
            // The longest searches come last.
            for part in [3, 2, 0, 1].map(|part| PARTS[part]) {
                run.search(position, length, number, part)?;
            }
        }
        for d_for in 5..=7 {
            let key = format!("{length} 0 near {d_for}");
            if kept.get(&key).is_none() {
                lab.step("counting painted positions near solved", d_for.into(), 7);
                let problems = run.problems.iter();
                let near = problems.map(|problem| problem.near(&positions[0], d_for, &lab.control));
                kept.add(&key, &[&near.sum::<Result<u64, LabError>>()?])?;
            }
        }
    }
    Ok(())
}

impl SearchRun<'_> {
    /// Runs the missing searches of a position by a part of the table, with all rules.
    fn search(
        &self,
        position: &Cube,
        length: u8,
        number: usize,
        (part, bound): (&str, PartialBound),
    ) -> Result<(), LabError> {
        let control = &self.lab.control;
        let key = format!("{length} {number}");
        self.lab.step(&format!("searching {key} by {part}"), 0, 1);
        // The plot takes a second line without forward spaces.
        let has_ties = bound != PartialBound::HEU6;
        let rules = RULES.iter().filter(|rule| has_ties || rule.2.is_none());
        let trials = rules.map(|rule| (format!("{key} {part} {}", rule.0), rule));
        let prepare = || Heuristic::new(&self.problems, bound, position, control);
        let run = |heuristic: &Heuristic<'_>, rule: &&Rule| {
            let settings = AstarSettings {
                order: rule.1,
                tie_bound: rule.2,
                states: STATES,
                ..AstarSettings::default()
            };
            let before = processor_time();
            let found = astar(
                position,
                &self.perimeter,
                heuristic,
                &settings,
                &mut |_| {},
                control,
            )?;
            self.lab.check()?;
            let solution = found.report.length();
            assert!(
                solution.is_none_or(|found| found == length),
                "the fast engine says otherwise"
            );
            let seconds = processor_time() - before;
            let generated = found.report.nodes();
            let is_solved = u8::from(solution.is_some());
            let stored = found.stored;
            Ok(format!("{stored} {generated} {is_solved} {seconds:.3}"))
        };
        run_missing(self.kept, self.lab, trials, prepare, run)
    }
}
