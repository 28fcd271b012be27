//! Checks of single answers, and of all answers together.

use crate::geometry::{
    FaceletPermutation, LayerRotation, after, class, is_solved, read_turns, solved,
};
use crate::near_solved::NearSolved;
use crate::record::{self, AnswerColumns, AnswerLine, Claims, shown};
use std::collections::{BTreeSet, HashMap};
use std::fmt;

/// Maximum distances of any position, in the half-turn and in the quarter-turn metric (cube20.org).
const DIAMETERS: [usize; 2] = [20, 26];

/// An error in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The source of the answer, as given to [`Check::check_line`].
    pub source: String,
    /// The line of the answer.
    pub line: usize,
    /// The description of the error.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.source, self.line, self.what)
    }
}

/// The counts of the checks, and the faults found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// Number of checked answers.
    pub answers: usize,
    /// Number of solutions that were applied to their positions.
    pub solutions: usize,
    /// Number of lengths that were verified by brute force.
    pub proven_again: usize,
    /// Number of positions, up to symmetry and inversion, with at least two answers, which were
    /// compared. Contradictions between answers are among the `faults`.
    pub compared: usize,
    /// The faults, in the order of the answers.
    pub faults: Vec<Fault>,
    /// Number of answers that were skipped because they have another goal or other moves than face
    /// turns.
    pub not_checked: usize,
    /// The source and line of the first skipped answer, and the reason why it was skipped.
    pub first_not_checked: Option<String>,
}

/// A bound on the distance of a position, and the source and line of the answer that proves it.
type ProvenBound = (usize, String);

/// The bounds that answers prove for the positions of a class: all have the same distance.
#[derive(Default)]
struct ClassBounds {
    /// Number of answers.
    answers: usize,
    /// The maximum lower bound.
    lower: Option<ProvenBound>,
    /// The minimum upper bound: the length of a solution, or a bound that an answer claims.
    upper: Option<ProvenBound>,
}

/// Checks answers, one after the other.
pub struct Check {
    prove_up_to: usize,
    /// The positions near the solved cube in either metric, computed when they are first needed.
    near: [Option<NearSolved>; 2],
    /// By metric (`true` for quarter turns) and class ([`class`]).
    bounds: HashMap<(bool, FaceletPermutation), ClassBounds>,
    /// The source of the last line.
    source: String,
    /// The columns that the header of this source names.
    columns: AnswerColumns,
    report: CheckReport,
}

impl Check {
    /// Creates a check that also verifies lengths up to `prove_up_to` moves by brute force; 6 takes
    /// milliseconds for an answer, 8 takes a second.
    pub fn new(prove_up_to: usize) -> Check {
        Check {
            prove_up_to,
            near: [None, None],
            bounds: HashMap::new(),
            source: String::new(),
            columns: AnswerColumns::default(),
            report: CheckReport::default(),
        }
    }

    /// Checks a line of `source`. Empty lines, comments, the header of a table and anything else
    /// that is not an answer are skipped.
    pub fn check_line(&mut self, source: &str, number: usize, line: &str) {
        if self.source != source {
            self.source = source.to_owned();
            self.columns = AnswerColumns::default();
        }
        let faults = match record::read(line, &mut self.columns) {
            Ok(AnswerLine::Other) => return,
            Ok(AnswerLine::NotChecked(reason)) => {
                self.report.not_checked += 1;
                self.report
                    .first_not_checked
                    .get_or_insert_with(|| format!("{source}:{number}: {reason}"));
                return;
            }
            Ok(AnswerLine::Answer(claims)) => {
                self.check_claims(&claims, &format!("{source}:{number}"))
            }
            Err(what) => vec![what],
        };
        self.report.answers += 1;
        let fault = |what| Fault {
            source: source.to_owned(),
            line: number,
            what,
        };
        self.report.faults.extend(faults.into_iter().map(fault));
    }

    /// Counts the compared positions, and returns the report.
    pub fn finish(mut self) -> CheckReport {
        self.report.compared = self
            .bounds
            .values()
            .filter(|bounds| bounds.answers > 1)
            .count();
        self.report
    }

    /// Returns all faults of an answer; `answer` is its source and line.
    fn check_claims(&mut self, claims: &Claims, answer: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let Some(class) = class(&claims.position) else {
            return vec!["no sequence of moves creates the position".into()];
        };
        let solutions: Vec<_> = claims
            .solutions
            .iter()
            .map(|text| solution_of(claims, text))
            .collect();
        let mut shortest = solutions
            .iter()
            .flatten()
            .map(|turns| length_of(claims, turns))
            .min();
        let proven = claims.length.or(shortest.filter(|_| claims.is_optimal));
        self.check_solutions(claims, solutions, proven, &mut faults);
        if let Some(text) = &claims.best_known {
            self.report.solutions += 1;
            match solution_of(claims, text) {
                Err(fault) => faults.push(fault),
                Ok(turns) => {
                    shortest = shortest
                        .into_iter()
                        .chain([length_of(claims, &turns)])
                        .min()
                }
            }
        }
        if claims.length.is_some() && claims.solutions.is_empty() {
            faults.push("it has a proven length, but no solution".into());
        }
        // The search of a claimed length has found solutions, so it does not rule out that length.
        let lower = lower_bound(
            claims,
            proven,
            shortest.into_iter().chain(claims.length).min(),
        );
        check_bounds(claims, lower, shortest, &mut faults);
        self.prove(claims, lower, &mut faults);
        // Later answers are compared only with the solutions of an answer with a fault.
        let upper = shortest.into_iter().chain(claims.upper_bound).min();
        let stored = if faults.is_empty() {
            (lower, upper)
        } else {
            (0, shortest)
        };
        self.compare(
            claims.by_quarters,
            class,
            [(lower, upper), stored],
            answer,
            &mut faults,
        );
        faults
    }

    /// Checks each solution. All must have the length `proven`, if there is one.
    fn check_solutions(
        &mut self,
        claims: &Claims,
        solutions: Vec<Result<Vec<LayerRotation>, String>>,
        proven: Option<usize>,
        faults: &mut Vec<String>,
    ) {
        let mut distinct = BTreeSet::new();
        for (text, turns) in claims.solutions.iter().zip(solutions) {
            self.report.solutions += 1;
            let turns = match turns {
                Err(fault) => {
                    faults.push(fault);
                    continue;
                }
                Ok(turns) => turns,
            };
            let length = length_of(claims, &turns);
            if proven.is_some_and(|proven| proven != length) {
                faults.push(format!(
                    "`{}` has {length} moves, not the proven length",
                    shown(text)
                ));
            }
            // Solutions are equal if they differ only in the order and notation of turns about one
            // axis.
            let runs = turns
                .chunk_by(LayerRotation::has_axis_of)
                .map(|run| after(&solved(), run));
            if !distinct.insert(runs.collect::<Vec<_>>()) {
                faults.push(format!("`{}` is listed twice", shown(text)));
            }
        }
    }

    /// Verifies small bounds and a small length by brute force.
    fn prove(&mut self, claims: &Claims, lower: usize, faults: &mut Vec<String>) {
        let prove_up_to = self.prove_up_to;
        let near = self.near[usize::from(claims.by_quarters)]
            .get_or_insert_with(|| NearSolved::new(prove_up_to, claims.by_quarters));
        if let Some(upper) = claims.upper_bound.filter(|&upper| upper <= prove_up_to)
            && (0..=upper).all(|length| near.solutions(&claims.position, length) == 0)
        {
            faults.push(format!(
                "it has no solution within its upper bound of {upper} moves"
            ));
        }
        let checked_below = lower.min(prove_up_to + 1);
        if let Some(length) =
            (0..checked_below).find(|&length| near.solutions(&claims.position, length) > 0)
        {
            faults.push(format!(
                "it has a solution of {length} moves, but claims that there is none"
            ));
        }
        let Some(length) = claims.length.filter(|&length| length <= prove_up_to) else {
            return;
        };
        self.report.proven_again += 1;
        let count = near.solutions(&claims.position, length);
        let listed_count = claims.solutions.len() as u64;
        if claims.are_all && count != listed_count {
            faults.push(format!(
                "it has {count} shortest solutions, but lists {listed_count} as all of them"
            ));
        }
    }

    /// Compares bounds with those of earlier answers for the same position, its symmetric images or
    /// their inverses. Then stores the bounds `stored`, with which later answers are compared.
    fn compare(
        &mut self,
        by_quarters: bool,
        class: FaceletPermutation,
        [(lower, upper), stored]: [(usize, Option<usize>); 2],
        answer: &str,
        faults: &mut Vec<String>,
    ) {
        let bounds = self.bounds.entry((by_quarters, class)).or_default();
        bounds.answers += 1;
        if let (Some(upper), Some((lower, other))) = (upper, &bounds.lower)
            && upper < *lower
        {
            faults.push(format!(
                "its upper bound is {upper} moves, but the lower bound in {other} is {lower}"
            ));
        }
        if let Some((upper, other)) = bounds.upper.as_ref().filter(|(upper, _)| *upper < lower) {
            faults.push(format!(
                "its lower bound is {lower} moves, but the upper bound in {other} is {upper}"
            ));
        }
        let (lower, upper) = stored;
        if bounds.lower.as_ref().is_none_or(|(best, _)| *best < lower) {
            bounds.lower = Some((lower, answer.to_owned()));
        }
        if let Some(upper) =
            upper.filter(|&upper| bounds.upper.as_ref().is_none_or(|(best, _)| upper < *best))
        {
            bounds.upper = Some((upper, answer.to_owned()));
        }
    }
}

/// Checks that the bounds of an answer do not contradict each other, its shortest solution or the
/// maximum distance of any position.
fn check_bounds(claims: &Claims, lower: usize, shortest: Option<usize>, faults: &mut Vec<String>) {
    if let Some(shortest) = shortest.filter(|&shortest| shortest < lower) {
        faults.push(format!(
            "its lower bound is {lower}, but it has a solution of {shortest} moves"
        ));
    }
    let diameter = DIAMETERS[usize::from(claims.by_quarters)];
    if lower > diameter {
        faults.push(format!(
            "its lower bound is {lower}, but no position needs that many moves"
        ));
    } else if let Some(upper) = claims.upper_bound.filter(|&upper| upper < lower) {
        faults.push(format!(
            "its lower bound is {lower}, but its upper bound is {upper}"
        ));
    } else if let Some((upper, shortest)) =
        // An upper bound that holds for every position needs no solution.
        claims
            .upper_bound
            .zip(shortest)
            .filter(|&(upper, shortest)| upper < shortest.min(diameter))
    {
        faults.push(format!(
            "its upper bound is {upper}, but its shortest solution has {shortest} moves"
        ));
    }
}

/// Returns the lower bound that an answer claims: its own bound, the length of solutions that it
/// calls shortest, and one more than each length that it has searched completely without finding a
/// solution.
fn lower_bound(claims: &Claims, proven: Option<usize>, shortest: Option<usize>) -> usize {
    let ruled_out = claims
        .exhausted
        .iter()
        .filter(|&&length| shortest.is_none_or(|shortest| shortest > length));
    let ruled_out = ruled_out.map(|length| length.saturating_add(1));
    ruled_out
        .chain(proven)
        .chain([claims.lower_bound])
        .max()
        .unwrap_or(0)
}

/// Returns the turns of a solution, or its fault.
fn solution_of(claims: &Claims, text: &str) -> Result<Vec<LayerRotation>, String> {
    let turns = read_turns(text)
        .map_err(|word| format!("`{}` in a solution is not a turn", shown(&word)))?;
    match is_solved(&after(&claims.position, &turns)) {
        true => Ok(turns),
        false => Err(format!("`{}` does not solve the position", shown(text))),
    }
}

fn length_of(claims: &Claims, turns: &[LayerRotation]) -> usize {
    turns.iter().map(|turn| turn.cost(claims.by_quarters)).sum()
}
