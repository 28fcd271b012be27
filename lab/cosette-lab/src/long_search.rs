//! Searches by IDA* that take hours: many positions, threshold by threshold, in parts that are
//! never searched twice.
//!
//! ```text
//! for threshold = 0, 1, …
//!     for each position that is not solved and whose bound is not larger
//!         cut the iteration into parts of about half a billion nodes
//!         threads search the parts that the journal lacks, and add each to it
//!         add the sum of the parts to the results
//! ```
//!
//! So the work of a threshold is known for all positions before the next begins, and a run that is
//! stopped or killed loses only seconds of work. Each part is searched by one thread. Where one
//! solution is enough, parts after the first that holds one do not count, so the counts do not
//! depend on the number of threads.
//!
//! | file | contents |
//! |---|---|
//! | the journal | the parts, with their solutions, in lines with checksums: for resuming |
//! | [the results](crate::stored_results) | the counts of complete iterations: to be stored next to the pages |
//!
//! Part 0 is the search of the first moves, which ends at the tasks of the other parts. The results
//! hold neither positions nor solutions, so they can be published with a page whose positions
//! cannot.
//!
//! An [engine](IdaSolver) records the search of a single position in such a journal, in smaller
//! parts.

use crate::deepening::{OnLength, by_length};
use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::ida::{Cut, Ida, IdaEngine, IdaIteration, IdaLimits, IdaPart, LowerBound};
use crate::lab::{Lab, processor_time};
use crate::stored_results::{StoredResults, checksum};
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, ParseOptions, parse_moves};
use cosette::search::{IterationStats, Options, Report, SolutionCount};
use cosette_app::engine::{Engine, OnEvent};
use cosette_app::journal::{Journal, JournalRecord};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// The positions of a search, and its limits.
#[derive(Clone, Debug)]
pub struct SearchPlan<'a> {
    /// Name of the search, which identifies its journal: for example the tables.
    pub name: &'a str,
    /// The positions.
    pub positions: &'a [Cube],
    /// The move metric.
    pub metric: Metric,
    /// The number of solutions, one or all, the last threshold, and the use of symmetry.
    pub limits: IdaLimits,
}

impl SearchPlan<'_> {
    /// Returns the settings of the journal: the tables, the metric, and what is searched; and a
    /// checksum of the positions.
    fn settings(&self) -> [(&'static str, String); 2] {
        let solutions = match self.needs_one() {
            true => "one solution",
            false => "all solutions",
        };
        let symmetry = match self.limits.by_symmetry {
            true => ", by symmetry",
            false => "",
        };
        let search = format!("{}, {}, {solutions}{symmetry}", self.name, self.metric);
        [("search", search), ("positions", checksum(self.positions))]
    }

    fn needs_one(&self) -> bool {
        self.limits.solution_count == SolutionCount::ONE
    }
}

/// Returns the total nodes and seconds of iterations.
pub fn total(iterations: &[IterationCounts]) -> (u64, f64) {
    let nodes = iterations.iter().map(|counts| counts.nodes).sum();
    // `sum` of no seconds would be -0.
    let seconds = iterations.iter().fold(0.0, |sum, of| sum + of.seconds);
    (nodes, seconds)
}

/// Counts of one complete iteration: of all of it, or up to its first solution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct IterationCounts {
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// Seconds of processor time.
    pub seconds: f64,
    /// Number of solutions.
    pub solutions: u64,
    /// The commit of the program that completed it, if known.
    pub commit: String,
}

/// The complete iterations of a long search.
impl StoredResults {
    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.value("positions", 0).unwrap_or(0)
    }

    /// Returns the iterations of the position with this number, from 1 on, by threshold.
    pub fn iterations(&self, number: usize) -> Vec<IterationCounts> {
        let counts = |(threshold, values): (String, Vec<String>)| {
            let number = |place: usize| values.get(place)?.parse().ok();
            Some(IterationCounts {
                threshold: threshold.parse().ok()?,
                nodes: number(0)?,
                probes: number(1)?,
                tests: number(2)?,
                seconds: values.get(3)?.parse().ok()?,
                solutions: number(4)?,
                commit: values.get(5)?.clone(),
            })
        };
        let found = self.all(&format!("{number} ")).into_iter();
        let mut iterations: Vec<_> = found.filter_map(counts).collect();
        iterations.sort_by_key(|counts| counts.threshold);
        iterations
    }

    fn add_iteration(
        &self,
        number: usize,
        counts: &IterationCounts,
        commit: &str,
    ) -> Result<(), LabError> {
        self.add(
            &format!("{number} {}", counts.threshold),
            &[
                &counts.nodes,
                &counts.probes,
                &counts.tests,
                &format!("{:.9}", counts.seconds),
                &counts.solutions,
                &commit,
            ],
        )
    }
}

/// Approximate number of nodes of a part of an experiment: half a minute's work.
const EXPERIMENT_PART: u64 = 500_000_000;
/// Approximate number of nodes of a part of a search by an engine, which an interruption loses: a
/// fraction of a second's work, but long beside the writing of its record.
const ENGINE_PART: u64 = 5_000_000;
/// Approximate ratio of the nodes of successive thresholds.
const GROWTH: u64 = 13;

/// Returns the number of parts, of about `part` nodes each, for the iteration after one of
/// `nodes_before` nodes.
fn expected_parts(nodes_before: u64, part: u64) -> usize {
    usize::try_from(nodes_before.saturating_mul(GROWTH) / part).unwrap_or(usize::MAX)
}

/// Returns the results of this name that are shown unchanged ([`StoredResults::shown`]), or
/// searches as far as the plan and the request allow. A full run stores complete iterations in its
/// folder of results, if it has one.
///
/// # Errors
/// Returns an error if the results or their journal cannot be used, or are of other positions, or
/// on cancellation; complete parts are in the journal.
pub fn results<B: LowerBound>(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
    name: &str,
    plan: &SearchPlan<'_>,
    bound: impl FnOnce() -> Result<B, LabError>,
) -> Result<StoredResults, LabError> {
    if let Some(shown) = StoredResults::shown(request, name)? {
        // Without instances those of the results are shown.
        if request.instances.is_some() {
            shown.are_of(plan.positions)?;
        }
        return Ok(shown);
    }
    let control = request.time.map_or(lab.control.clone(), |time| {
        lab.control.clone().with_timeout(time)
    });
    let results = StoredResults::begin(request, name)?;
    results.are_of(plan.positions)?;
    let mut journal = match &request.results {
        Some(folder) if results.is_open() => {
            PartJournal::open(&folder.join(format!("{name}.journal")), plan)?
        }
        _ => PartJournal::default(),
    };
    let ida = Ida {
        bound: &bound()?,
        metric: plan.metric,
    };
    let left = AtomicU64::new(request.max_nodes.unwrap_or(u64::MAX));
    for threshold in 0..=plan.limits.last.unwrap_or(plan.metric.diameter()) {
        for (number, position) in (1..).zip(plan.positions) {
            let first = ida.first_threshold(position, &plan.limits);
            let is_due =
                threshold >= first && (threshold - first).is_multiple_of(ida.step(&plan.limits));
            let done = results.iterations(number);
            let is_done = |of: &IterationCounts| of.threshold == threshold || of.solutions > 0;
            if !is_due || done.iter().any(is_done) {
                continue;
            }
            let nodes_before = done.last().map_or(0, |counts| counts.nodes);
            let parts = expected_parts(nodes_before, EXPERIMENT_PART);
            let iteration = (number, threshold, parts);
            iterate(&ida, plan, iteration, &mut journal, &left, &control)?;
            if let Some(counts) = journal.iteration(number, threshold, plan) {
                results.add_iteration(number, &counts, &request.origin.commit)?;
            }
            if control.is_cancelled() || left.load(Relaxed) == 0 {
                return lab.check().map(|()| results);
            }
        }
    }
    Ok(results)
}

/// An iteration in parts.
struct IterationParts<N> {
    number: usize,
    threshold: u8,
    parts: usize,
    cut: Cut<N>,
}

impl<N> IterationParts<N> {
    /// Returns the record of a part that was searched from `before`, in processor time.
    fn searched(&self, part: usize, found: &IdaPart, before: f64) -> SearchedPart {
        SearchedPart {
            position: self.number,
            threshold: self.threshold,
            part,
            parts: self.parts,
            nodes: found.nodes,
            probes: found.probes,
            tests: found.tests,
            seconds: processor_time() - before,
            solutions: found.solutions.iter().map(|moves| text(moves)).collect(),
        }
    }
}

/// Searches the parts of one iteration that the journal lacks; an iteration that the journal does
/// not know is cut into this number of parts, if it has as many tasks.
fn iterate<B: LowerBound>(
    ida: &Ida<'_, B>,
    plan: &SearchPlan<'_>,
    (number, threshold, expected_parts): (usize, u8, usize),
    journal: &mut PartJournal,
    left: &AtomicU64,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let before = processor_time();
    let cut = ida.cut(&plan.positions[number - 1], threshold, &plan.limits);
    let begun = journal.of(number, threshold).next().map(|part| part.parts);
    let iteration = IterationParts {
        number,
        threshold,
        parts: begun.unwrap_or_else(|| expected_parts.max(1).min(cut.tasks())),
        cut,
    };
    if begun.is_none() {
        journal.add(iteration.searched(0, &iteration.cut.trunk, before))?;
    }
    search_parts(ida, plan, &iteration, journal, left, control)
}

/// Searches the parts of an iteration that the journal lacks.
fn search_parts<B: LowerBound>(
    ida: &Ida<'_, B>,
    plan: &SearchPlan<'_>,
    iteration: &IterationParts<B::Node>,
    journal: &mut PartJournal,
    left: &AtomicU64,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let &IterationParts {
        number,
        threshold,
        parts,
        ref cut,
    } = iteration;
    let is_done = |part: usize| journal.parts.contains_key(&(number, threshold, part));
    let missing: Vec<usize> = (1..=parts).filter(|&part| !is_done(part)).collect();
    let positions = plan.positions.len();
    let step = format!("position {number} of {positions}, length {threshold}");
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(parts - missing.len());
    let journal = Mutex::new((journal, Ok(())));
    control.threads().at_most(missing.len()).run(&|_| {
        while let Some(&part) = missing.get(next.fetch_add(1, Relaxed)) {
            let is_needed = {
                let (journal, written) = &*journal.lock().expect("no thread panics");
                let last = journal.last_that_counts(number, threshold, plan);
                written.is_ok() && last.is_none_or(|last| part <= last)
            };
            if !is_needed {
                break;
            }
            let done = done.fetch_add(1, Relaxed) as u64;
            control.step(&step).report(done, parts as u64);
            let before = processor_time();
            let limits = IdaLimits {
                nodes: left.load(Relaxed),
                ..plan.limits
            };
            let tasks = tasks_of(part, parts, cut.tasks());
            let position = &plan.positions[number - 1];
            let found = ida.search_part(position, cut, tasks, &limits, control);
            let subtract = |left: u64| Some(left.saturating_sub(found.nodes));
            left.fetch_update(Relaxed, Relaxed, subtract).ok();
            let is_enough = plan.needs_one() && !found.solutions.is_empty();
            if !found.complete && !is_enough {
                break;
            }
            let part = iteration.searched(part, &found, before);
            let (journal, written) = &mut *journal.lock().expect("no thread panics");
            if written.is_ok() {
                *written = journal.add(part);
            }
        }
    });
    journal.into_inner().expect("no thread panics").1
}

/// The tasks of a part.
fn tasks_of(part: usize, parts: usize, tasks: usize) -> Range<usize> {
    (part - 1) * tasks / parts..part * tasks / parts
}

/// The searched parts, by position, threshold and number, and the file in which they are stored, if
/// there is one.
#[derive(Default)]
struct PartJournal {
    file: Option<Journal<SearchedPart>>,
    parts: BTreeMap<(usize, u8, usize), SearchedPart>,
}

impl PartJournal {
    /// Opens the journal at `path`, which is created if there is none.
    ///
    /// # Errors
    /// The file cannot be read and written, is corrupted, is not a journal of this kind, or belongs
    /// to another search.
    fn open(path: &Path, plan: &SearchPlan<'_>) -> Result<PartJournal, LabError> {
        let mut journal = PartJournal::default();
        let file = Journal::open(path, plan.settings(), &mut |_, part| {
            journal.insert(part);
            Ok(())
        })?;
        Ok(PartJournal {
            file: Some(file),
            ..journal
        })
    }

    fn insert(&mut self, part: SearchedPart) {
        self.parts
            .insert((part.position, part.threshold, part.part), part);
    }

    /// Adds a part, which is on disk when this returns.
    fn add(&mut self, part: SearchedPart) -> Result<(), LabError> {
        if let Some(file) = &mut self.file {
            file.append(&part);
            file.commit()?;
        }
        self.insert(part);
        Ok(())
    }

    /// The parts of an iteration that were searched, by number.
    fn of(&self, position: usize, threshold: u8) -> impl Iterator<Item = &SearchedPart> {
        self.parts
            .range((position, threshold, 0)..=(position, threshold, usize::MAX))
            .map(|(_, part)| part)
    }

    /// Returns the last part of an iteration that counts, if it was begun.
    fn last_that_counts(
        &self,
        position: usize,
        threshold: u8,
        plan: &SearchPlan<'_>,
    ) -> Option<usize> {
        let is_last = |part: &&SearchedPart| plan.needs_one() && !part.solutions.is_empty();
        let first_with_solution = self
            .of(position, threshold)
            .find(is_last)
            .map(|part| part.part);
        first_with_solution.or(self.of(position, threshold).next().map(|part| part.parts))
    }

    /// The counts of an iteration whose parts were all searched.
    fn iteration(
        &self,
        position: usize,
        threshold: u8,
        plan: &SearchPlan<'_>,
    ) -> Option<IterationCounts> {
        let last = self.last_that_counts(position, threshold, plan)?;
        let counted: Vec<&SearchedPart> = self
            .of(position, threshold)
            .take_while(|part| part.part <= last)
            .collect();
        (counted.len() == last + 1).then(|| SearchedPart::sum(threshold, &counted))
    }

    /// Returns a description of the iteration in which a search resumes, if there is one.
    fn resume_point(&self) -> Option<String> {
        let last = self.parts.values().next_back()?;
        let done = self.of(last.position, last.threshold).count() - 1;
        let parts = last.parts;
        Some(format!(
            "length {}, {done} of {parts} parts searched",
            last.threshold
        ))
    }
}

/// An engine that logs the work for each length, and may record its search of one position in a
/// journal, from which a later run resumes.
pub struct IdaSolver<E> {
    /// The solver.
    pub engine: E,
    on_length: Option<OnLength>,
    journal: Option<RefCell<PartJournal>>,
}

impl<E: IdaEngine> IdaSolver<E> {
    /// Creates an engine with a log, if one is given, and without a journal.
    pub fn new(engine: E, on_length: Option<OnLength>) -> IdaSolver<E> {
        IdaSolver {
            engine,
            on_length,
            journal: None,
        }
    }

    /// Opens the journal at `path` for the search of a position, or creates it. Returns the point
    /// from which the search resumes, if it was begun.
    ///
    /// # Errors
    /// The journal cannot be used, or belongs to another search.
    pub fn record(
        &mut self,
        path: &Path,
        position: &Cube,
        count: SolutionCount,
    ) -> Result<Option<String>, LabError> {
        let name = self.search_name();
        let journal = PartJournal::open(path, &self.plan(&name, position, count))?;
        let resume_point = journal.resume_point();
        self.journal = Some(RefCell::new(journal));
        Ok(resume_point)
    }

    fn ida(&self) -> Ida<'_, E::Bound> {
        Ida {
            bound: self.engine.lower_bound(),
            metric: self.metric(),
        }
    }

    fn search_name(&self) -> String {
        format!("{} by {}", self.name(), self.engine.bound_name())
    }

    fn plan<'a>(
        &self,
        name: &'a str,
        position: &'a Cube,
        solution_count: SolutionCount,
    ) -> SearchPlan<'a> {
        SearchPlan {
            name,
            positions: slice::from_ref(position),
            metric: self.metric(),
            limits: IdaLimits {
                solution_count,
                ..self.engine.limits()
            },
        }
    }

    fn log(&self, iteration: &IterationStats, tests: u64) {
        if let Some(on_length) = self.on_length {
            on_length(self.metric(), iteration, Some(tests));
        }
    }

    /// Solves the position of the journal. The search stops if a part cannot be recorded. The time
    /// of the report is the processor time of all runs.
    fn solve_recorded(
        &self,
        journal: &mut PartJournal,
        position: &Cube,
        options: &Options<'_>,
        (on_event, control): (OnEvent<'_>, &Control<'_>),
    ) -> Report {
        let name = self.search_name();
        let plan = self.plan(&name, position, options.solution_count);
        let ida = self.ida();
        let first = ida.first_threshold(position, &plan.limits);
        let lengths = (first, ida.step(&plan.limits));
        let left = AtomicU64::new(u64::MAX);
        let mut nodes_before = 0;
        let mut report = by_length(
            position,
            plan.metric,
            options,
            lengths,
            (on_event, control),
            |threshold, control| {
                let parts = expected_parts(nodes_before, ENGINE_PART);
                let iteration = (1, threshold, parts);
                if let Err(error) = iterate(&ida, &plan, iteration, journal, &left, control) {
                    tracing::error!("{error}");
                    control.cancel_token().cancel();
                    return None;
                }
                let parts: Vec<&SearchedPart> = journal.of(1, threshold).collect();
                let counts = SearchedPart::sum(threshold, &parts);
                nodes_before = counts.nodes;
                let mut iteration = IterationStats::new(threshold);
                iteration.nodes = counts.nodes;
                iteration.probes = counts.probes;
                iteration.elapsed = Duration::from_secs_f64(counts.seconds);
                iteration.exhausted = parts.len() == parts[0].parts + 1;
                self.log(&iteration, counts.tests);
                let solutions = SearchedPart::solutions(&parts).into_iter();
                Some((iteration, solutions.map(|text| moves(text)).collect()))
            },
        );
        report.elapsed = report.iterations.iter().map(|of| of.elapsed).sum();
        report
    }
}

/// Returns a solution as it is recorded.
fn text(moves: &[Move]) -> String {
    DisplayMoves(moves).to_string()
}

/// Returns the moves of a recorded solution.
fn moves(solution: &str) -> Vec<Move> {
    let sequence = parse_moves(solution, &ParseOptions::default());
    sequence.expect("solutions are moves").moves().to_vec()
}

impl<E: IdaEngine> Engine for IdaSolver<E> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn metric(&self) -> Metric {
        self.engine.metric()
    }

    fn tables(&self) -> String {
        self.engine.tables()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        if let Some(journal) = &self.journal {
            let journal = &mut journal.borrow_mut();
            return self.solve_recorded(journal, position, options, (on_event, control));
        }
        let mut log = |iteration: IdaIteration| self.log(&iteration.threshold(), iteration.tests);
        let ida = self.ida();
        let limits = self.engine.limits();
        ida.solve(position, options, &limits, on_event, &mut log, control)
    }
}

/// A record of the journal: what one part has counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SearchedPart {
    /// The number of the position, from 1 on.
    position: usize,
    threshold: u8,
    part: usize,
    /// Number of parts of the iteration, without part 0.
    parts: usize,
    nodes: u64,
    probes: u64,
    tests: u64,
    /// Seconds of processor time.
    seconds: f64,
    /// The solutions in it: all, or the first.
    solutions: Vec<String>,
}

impl JournalRecord for SearchedPart {
    const KIND: &'static str = "long search";
    const VERSION: u32 = 2;
}

impl SearchedPart {
    /// Returns the solutions of some parts of an iteration.
    fn solutions<'a>(parts: &[&'a SearchedPart]) -> BTreeSet<&'a String> {
        parts.iter().flat_map(|part| &part.solutions).collect()
    }

    /// Returns the sum of some parts of an iteration.
    fn sum(threshold: u8, parts: &[&SearchedPart]) -> IterationCounts {
        IterationCounts {
            threshold,
            nodes: parts.iter().map(|part| part.nodes).sum(),
            probes: parts.iter().map(|part| part.probes).sum(),
            tests: parts.iter().map(|part| part.tests).sum(),
            seconds: parts.iter().map(|part| part.seconds).sum(),
            solutions: SearchedPart::solutions(parts).len() as u64,
            commit: String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_in_one_part() {
        for (parts, tasks) in [(1, 1), (3, 10), (7, 7), (64, 3_240)] {
            let all: Vec<usize> = (1..=parts)
                .flat_map(|part| tasks_of(part, parts, tasks))
                .collect();
            assert_eq!(all, (0..tasks).collect::<Vec<_>>());
        }
    }
}
