//! Searches by IDA* that take hours: many positions, threshold by threshold, in parts that are never searched twice.
//!
//! ```text
//! for threshold = 0, 1, …
//!     for each position that is not solved and whose bound is not larger
//!         cut the iteration into parts of about half a billion nodes
//!         threads search the parts that the journal lacks, and add each to it
//! ```
//!
//! So the work of a threshold is known for all positions before the next begins, and a run that is stopped or killed loses
//! some seconds. Each part is searched by one thread. Where one solution is enough, parts after the first that holds one
//! do not count, so the counts do not depend on the number of threads.
//!
//! | file | what |
//! |---|---|
//! | [`journal`] | the parts, with their solutions, in lines with checksums: to continue from |
//! | [`counts`] | the counts of complete iterations, as text: to be kept beside the pages |

pub mod counts;
pub mod journal;

pub use counts::{IterationCounts, Results, checksum};
pub use journal::Journal;

use crate::error::LabError;
use crate::experiment::{Effort, Request};
use crate::ida::{Ida, IdaLimits, IdaPart, LowerBound};
use crate::lab::{Lab, processor_time};
use cosette::Control;
use cosette::cube::{Cube, Metric, Moves};
use cosette::search::SolutionCount;
use journal::Part;
use std::fs;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// What is searched, and how far.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The name of the search, by which its journal is recognised: the tables, say.
    pub name: &'a str,
    /// The positions.
    pub positions: &'a [Cube],
    /// What is counted.
    pub metric: Metric,
    /// Whether one shortest solution is enough.
    pub solution_count: SolutionCount,
    /// Whether the symmetry of the positions is used.
    pub by_symmetry: bool,
    /// The last threshold.
    pub max_length: u8,
    /// How many nodes are generated at most.
    pub max_nodes: u64,
}

impl Plan<'_> {
    /// One search in one sentence, for the head of its journal.
    fn description(&self) -> String {
        let Plan { name, metric, solution_count, by_symmetry, .. } = self;
        let solutions = if *solution_count == SolutionCount::ONE { "one solution" } else { "all solutions" };
        let symmetry = if *by_symmetry { ", by symmetry" } else { "" };
        format!("{name}, {metric}, {solutions}{symmetry}")
    }

    fn limits(&self) -> IdaLimits {
        let (solution_count, by_symmetry) = (self.solution_count, self.by_symmetry);
        IdaLimits { solution_count, by_symmetry, ..IdaLimits::default() }
    }
}

/// How many nodes a part has, about: half a minute's work.
const PART: u64 = 500_000_000;
/// How many times more nodes a threshold has than the one before, about.
const GROWTH: u64 = 13;

/// Searches what the journal lacks, until the plan is done or the control says to stop. Fails if the journal cannot be written,
/// or has other parts than the search.
pub fn search<B: LowerBound>(
    lab: &Lab<'_>,
    bound: &B,
    plan: &Plan<'_>,
    journal: &mut Journal,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let ida = Ida { bound, metric: plan.metric };
    let left = AtomicU64::new(plan.max_nodes);
    let limits = plan.limits();
    for threshold in 0..=plan.max_length {
        for (number, position) in (1..).zip(plan.positions) {
            let first = ida.first_threshold(position, &limits);
            let is_due = threshold >= first && (threshold - first).is_multiple_of(ida.step(&limits));
            let is_solved = journal.solved(number).is_some_and(|solved| solved < threshold);
            if !is_due || is_solved || journal.iteration(number, threshold).is_some() {
                continue;
            }
            iterate(lab, &ida, plan, (number, threshold), journal, &left, control)?;
            if control.is_cancelled() || left.load(Relaxed) == 0 {
                return lab.check();
            }
        }
    }
    Ok(())
}

/// Searches the parts of one iteration that the journal lacks.
fn iterate<B: LowerBound>(
    lab: &Lab<'_>,
    ida: &Ida<'_, B>,
    plan: &Plan<'_>,
    (number, threshold): (usize, u8),
    journal: &mut Journal,
    left: &AtomicU64,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let position = &plan.positions[number - 1];
    let limits = plan.limits();
    let before = processor_time();
    let cut = ida.cut(position, threshold, &limits);
    let tasks = cut.tasks();
    let parts = match journal.parts(number, threshold) {
        Some(parts) => parts,
        None => {
            let expected = journal.nodes_before(number, threshold).saturating_mul(GROWTH) / PART;
            let parts = usize::try_from(expected).unwrap_or(tasks).clamp(1, tasks.max(1)).min(tasks);
            let trunk = record((number, threshold), (0, parts), &cut.trunk, processor_time() - before);
            journal.add(trunk)?;
            parts
        }
    };
    if parts > tasks {
        return Err(journal.invalid(number, threshold, format!("it has {parts} parts, and there are {tasks} tasks")));
    }
    let missing: Vec<usize> = (1..=parts).filter(|&part| !journal.has(number, threshold, part)).collect();
    let step = format!("position {number} of {}, length {threshold}", plan.positions.len());
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(parts - missing.len()));
    let journal = Mutex::new((journal, Ok(())));
    control.threads().at_most(missing.len()).run(&|_| {
        while let Some(&part) = missing.get(next.fetch_add(1, Relaxed)) {
            let is_needed = {
                let (journal, written) = &*journal.lock().expect("no thread panics");
                let first = journal.first_with_solution(number, threshold);
                written.is_ok() && (plan.solution_count != SolutionCount::ONE || first.is_none_or(|first| part < first))
            };
            if !is_needed {
                break;
            }
            lab.step(&step, done.fetch_add(1, Relaxed) as u64, parts as u64);
            let before = processor_time();
            let limits = IdaLimits { nodes: left.load(Relaxed), ..limits };
            let found = ida.search_part(position, &cut, tasks_of(part, parts, tasks), &limits, control);
            left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(found.nodes))).ok();
            let is_enough = plan.solution_count == SolutionCount::ONE && !found.solutions.is_empty();
            if !found.complete && !is_enough {
                break;
            }
            let part = record((number, threshold), (part, parts), &found, processor_time() - before);
            let (journal, written) = &mut *journal.lock().expect("no thread panics");
            if written.is_ok() {
                *written = journal.add(part);
            }
        }
    });
    journal.into_inner().expect("no thread panics").1
}

/// The results of this name in the folder of the request, if they are to be shown as they are: in a quick run.
///
/// # Errors
/// If the file cannot be read, or is of other positions than those given.
pub fn kept(request: &Request, name: &str, positions: Option<&[Cube]>) -> Result<Option<Results>, LabError> {
    let Some(folder) = request.results.as_ref().filter(|_| request.effort == Effort::Quick) else { return Ok(None) };
    let path = folder.join(format!("{name}.jsonl"));
    let results = Results::read(&path)?;
    match &results {
        Some(results) if positions.is_some_and(|positions| !results.are_of(positions)) => {
            Err(LabError::OtherPositions { path })
        }
        _ => Ok(results),
    }
}

/// Searches as far as the plan and the request allow. A full run keeps what is complete in its folder of results, if it has one.
///
/// # Errors
/// If the journal or the results there cannot be used, or on cancellation; complete parts are in the journal.
pub fn run<B: LowerBound>(
    lab: &Lab<'_>,
    request: &Request,
    name: &str,
    bound: &B,
    plan: &Plan<'_>,
) -> Result<Results, LabError> {
    let control = request.time.map_or(lab.control.clone(), |time| lab.control.clone().with_timeout(time));
    let Some(folder) = request.results.as_ref().filter(|_| request.effort == Effort::Full) else {
        let mut journal = Journal::in_memory(plan);
        search(lab, bound, plan, &mut journal, &control)?;
        return Ok(Results::of(&journal, plan, None, &request.origin));
    };
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    let path = folder.join(format!("{name}.jsonl"));
    let earlier = Results::read(&path)?.filter(|results| results.are_of(plan.positions));
    let mut journal = Journal::open(&folder.join(format!("{name}.journal")), plan)?;
    let searched = search(lab, bound, plan, &mut journal, &control);
    let results = Results::of(&journal, plan, earlier, &request.origin);
    results.write(&path)?;
    searched.map(|()| results)
}

/// The tasks of a part.
fn tasks_of(part: usize, parts: usize, tasks: usize) -> Range<usize> {
    (part - 1) * tasks / parts..part * tasks / parts
}

fn record((position, threshold): (usize, u8), (part, parts): (usize, usize), found: &IdaPart, seconds: f64) -> Part {
    let IdaPart { nodes, probes, tests, ref solutions, .. } = *found;
    let solutions = solutions.iter().map(|moves| Moves(moves).to_string()).collect();
    Part { position, threshold, part, parts, nodes, probes, tests, seconds, solutions }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_in_one_part() {
        for (parts, tasks) in [(1, 1), (3, 10), (7, 7), (64, 3_240)] {
            let all: Vec<usize> = (1..=parts).flat_map(|part| tasks_of(part, parts, tasks)).collect();
            assert_eq!(all, (0..tasks).collect::<Vec<_>>());
        }
    }
}
