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
//! An [engine](RecordedEngine) records the search of a single position in such a journal, in smaller
//! parts.

use crate::deepening::{OnLength, by_length};
use crate::error::LabError;
use crate::experiment::ExperimentOptions;
use crate::ida::{Ida, IdaEngine, IdaIteration, IdaLimits, IdaPart, LowerBound};
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
use std::fmt::Display;
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
    /// Number of shortest solutions: one, or all.
    pub solution_count: SolutionCount,
    /// `true` if the search uses the symmetry of the positions.
    pub by_symmetry: bool,
    /// The last threshold.
    pub max_length: u8,
    /// Maximum number of nodes generated.
    pub max_nodes: u64,
}

impl SearchPlan<'_> {
    /// Returns the settings of the journal: the tables, the metric, and what is searched; and a
    /// checksum of the positions.
    fn settings(&self) -> [(&'static str, String); 2] {
        let solutions = match self.solution_count {
            SolutionCount::ONE => "one solution",
            _ => "all solutions",
        };
        let symmetry = if self.by_symmetry {
            ", by symmetry"
        } else {
            ""
        };
        let search = format!("{}, {}, {solutions}{symmetry}", self.name, self.metric);
        [("search", search), ("positions", checksum(self.positions))]
    }

    fn limits(&self) -> IdaLimits {
        let solution_count = self.solution_count;
        let by_symmetry = self.by_symmetry;
        IdaLimits {
            solution_count,
            by_symmetry,
            ..IdaLimits::default()
        }
    }
}

/// Returns the total nodes and seconds of iterations.
pub fn total(iterations: &[IterationCounts]) -> (u64, f64) {
    let nodes = iterations.iter().map(|counts| counts.nodes).sum();
    // `sum` of no seconds would be -0.
    (
        nodes,
        iterations
            .iter()
            .fold(0.0, |sum, counts| sum + counts.seconds),
    )
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
pub struct LongSearchResults(pub StoredResults);

impl LongSearchResults {
    /// Returns the number of positions.
    pub fn count(&self) -> usize {
        self.0.value("positions", 0).unwrap_or(0)
    }

    /// Returns `true` if the results belong to the positions with this checksum.
    pub fn are_of(&self, positions: &str) -> bool {
        self.0
            .value::<String>("positions", 1)
            .is_some_and(|known| known == positions)
    }

    /// Returns the iterations of the position with this number, from 1 on, by threshold.
    pub fn of_position(&self, number: usize) -> Vec<IterationCounts> {
        let counts = |(threshold, values): (String, Vec<String>)| {
            let [nodes, probes, tests, seconds, solutions, commit] =
                <[String; 6]>::try_from(values).ok()?;
            Some(IterationCounts {
                threshold: threshold.parse().ok()?,
                nodes: nodes.parse().ok()?,
                probes: probes.parse().ok()?,
                tests: tests.parse().ok()?,
                seconds: seconds.parse().ok()?,
                solutions: solutions.parse().ok()?,
                commit,
            })
        };
        let mut iterations: Vec<_> = self
            .0
            .all(&format!("{number} "))
            .into_iter()
            .filter_map(counts)
            .collect();
        iterations.sort_by_key(|counts| counts.threshold);
        iterations
    }

    /// The counts of an iteration.
    pub fn get(&self, number: usize, threshold: u8) -> Option<IterationCounts> {
        self.of_position(number)
            .into_iter()
            .find(|counts| counts.threshold == threshold)
    }

    fn add(&self, number: usize, counts: &IterationCounts) -> Result<(), LabError> {
        let IterationCounts {
            threshold,
            nodes,
            probes,
            tests,
            seconds,
            solutions,
            commit,
        } = counts;
        let seconds = format!("{seconds:.9}");
        let values: [&dyn Display; 6] = [nodes, probes, tests, &seconds, solutions, commit];
        self.0.add(&format!("{number} {threshold}"), &values)
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

/// Searches the parts that the results lack, until the plan is done or `control` is cancelled.
///
/// # Errors
///
/// The journal or the results cannot be written.
pub fn search<B: LowerBound>(
    lab: &Lab<'_>,
    bound: &B,
    plan: &SearchPlan<'_>,
    (journal, results): (&mut PartJournal, &LongSearchResults),
    commit: &str,
    control: &Control<'_>,
) -> Result<(), LabError> {
    let ida = Ida {
        bound,
        metric: plan.metric,
    };
    let left = AtomicU64::new(plan.max_nodes);
    let limits = plan.limits();
    for threshold in 0..=plan.max_length {
        for (number, position) in (1..).zip(plan.positions) {
            let first = ida.first_threshold(position, &limits);
            let is_due =
                threshold >= first && (threshold - first).is_multiple_of(ida.step(&limits));
            let done = results.of_position(number);
            if !is_due
                || done
                    .iter()
                    .any(|counts| counts.threshold == threshold || counts.solutions > 0)
            {
                continue;
            }
            let nodes_before = done.last().map_or(0, |counts| counts.nodes);
            let parts = expected_parts(nodes_before, EXPERIMENT_PART);
            let iteration = (number, threshold, parts);
            iterate(&ida, plan, iteration, journal, &left, control)?;
            if let Some(counts) = journal.iteration(number, threshold, plan) {
                results.add(
                    number,
                    &IterationCounts {
                        commit: commit.to_owned(),
                        ..counts
                    },
                )?;
            }
            if control.is_cancelled() || left.load(Relaxed) == 0 {
                return lab.check();
            }
        }
    }
    Ok(())
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
    let position = &plan.positions[number - 1];
    let limits = plan.limits();
    let before = processor_time();
    let cut = ida.cut(position, threshold, &limits);
    let tasks = cut.tasks();
    let begun = journal.of(number, threshold).next().map(|part| part.parts);
    let parts = begun.unwrap_or_else(|| expected_parts.max(1).min(tasks));
    if begun.is_none() {
        journal.add(SearchedPart::of(
            (number, threshold),
            (0, parts),
            &cut.trunk,
            processor_time() - before,
        ))?;
    }
    let missing: Vec<usize> = (1..=parts)
        .filter(|part| journal.of(number, threshold).all(|done| done.part != *part))
        .collect();
    let step = format!(
        "position {number} of {}, length {threshold}",
        plan.positions.len()
    );
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(parts - missing.len());
    let journal = Mutex::new((journal, Ok(())));
    control.threads().at_most(missing.len()).run(&|_| {
        while let Some(&part) = missing.get(next.fetch_add(1, Relaxed)) {
            let is_needed = {
                let (journal, written) = &*journal.lock().expect("no thread panics");
                written.is_ok()
                    && journal
                        .last_that_counts(number, threshold, plan)
                        .is_none_or(|last| part <= last)
            };
            if !is_needed {
                break;
            }
            let done = done.fetch_add(1, Relaxed) as u64;
            control.step(&step).report(done, parts as u64);
            let before = processor_time();
            let limits = IdaLimits {
                nodes: left.load(Relaxed),
                ..limits
            };
            let found = ida.search_part(
                position,
                &cut,
                tasks_of(part, parts, tasks),
                &limits,
                control,
            );
            left.fetch_update(Relaxed, Relaxed, |left| {
                Some(left.saturating_sub(found.nodes))
            })
            .ok();
            let is_enough =
                plan.solution_count == SolutionCount::ONE && !found.solutions.is_empty();
            if !found.complete && !is_enough {
                break;
            }
            let part = SearchedPart::of(
                (number, threshold),
                (part, parts),
                &found,
                processor_time() - before,
            );
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

/// Returns the results of this name that are shown unchanged ([`StoredResults::shown`]).
///
/// # Errors
/// Returns an error if the file in the folder of the request cannot be read, or is of other
/// positions than those given.
pub fn kept(
    request: &ExperimentOptions,
    name: &str,
    positions: Option<&[Cube]>,
) -> Result<Option<LongSearchResults>, LabError> {
    let Some(kept) = StoredResults::shown(request, name)? else {
        return Ok(None);
    };
    positions.map_or(Ok(()), |positions| kept.are_of(positions))?;
    Ok(Some(LongSearchResults(kept)))
}

/// Searches as far as the plan and the request allow. A full run stores complete iterations in its
/// folder of results, if it has one.
///
/// # Errors
/// Returns an error if the journal or the results there cannot be used, or on cancellation;
/// complete parts are in the journal.
pub fn run<B: LowerBound>(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
    name: &str,
    bound: &B,
    plan: &SearchPlan<'_>,
) -> Result<LongSearchResults, LabError> {
    let control = request.time.map_or(lab.control.clone(), |time| {
        lab.control.clone().with_timeout(time)
    });
    let kept = StoredResults::begin(request, name)?;
    kept.are_of(plan.positions)?;
    let mut journal = match &request.results {
        Some(folder) if kept.is_open() => {
            PartJournal::open(&folder.join(format!("{name}.journal")), plan)?
        }
        _ => PartJournal::default(),
    };
    let results = LongSearchResults(kept);
    search(
        lab,
        bound,
        plan,
        (&mut journal, &results),
        &request.origin.commit,
        &control,
    )?;
    Ok(results)
}

/// The searched parts, by position, threshold and number, and the file in which they are stored, if
/// there is one.
#[derive(Default)]
pub struct PartJournal {
    file: Option<Journal<SearchedPart>>,
    parts: BTreeMap<(usize, u8, usize), SearchedPart>,
}

impl PartJournal {
    /// Opens the journal at `path`, which is created if there is none.
    ///
    /// # Errors
    /// The file cannot be read and written, is corrupted, is not a journal of this kind, or belongs
    /// to another search.
    pub fn open(path: &Path, plan: &SearchPlan<'_>) -> Result<PartJournal, LabError> {
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
        let is_last = |part: &&SearchedPart| {
            plan.solution_count == SolutionCount::ONE && !part.solutions.is_empty()
        };
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
pub struct RecordedEngine<E> {
    engine: E,
    on_length: Option<OnLength>,
    journal: Option<RefCell<PartJournal>>,
}

impl<E: IdaEngine> RecordedEngine<E> {
    /// Creates an engine with a log, if one is given, and without a journal.
    pub fn new(engine: E, on_length: Option<OnLength>) -> RecordedEngine<E> {
        RecordedEngine {
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
            solution_count,
            by_symmetry: self.engine.limits().by_symmetry,
            max_length: self.metric().diameter(),
            max_nodes: u64::MAX,
        }
    }

    fn log(&self, iteration: &IterationStats, tests: u64) {
        if let Some(on_length) = self.on_length {
            on_length(self.metric(), iteration, Some(tests));
        }
    }

    /// Solves the position of the journal. The search stops if a part cannot be recorded.
    fn solve_recorded(
        &self,
        journal: &mut PartJournal,
        position: &Cube,
        options: &Options<'_>,
        (on_event, control): (OnEvent<'_>, &Control<'_>),
    ) -> Report {
        let name = self.search_name();
        let plan = self.plan(&name, position, options.solution_count);
        let ida = Ida {
            bound: self.engine.lower_bound(),
            metric: plan.metric,
        };
        let limits = self.engine.limits();
        let lengths = (ida.first_threshold(position, &limits), ida.step(&limits));
        let left = AtomicU64::new(plan.max_nodes);
        let mut nodes_before = 0;
        by_length(
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
        )
    }
}

/// Returns the moves of a recorded solution.
fn moves(solution: &str) -> Vec<Move> {
    let sequence = parse_moves(solution, &ParseOptions::default());
    sequence.expect("solutions are moves").moves().to_vec()
}

impl<E: IdaEngine> Engine for RecordedEngine<E> {
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
        self.engine
            .solve_by_ida(position, options, on_event, &mut log, control)
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

    fn of(
        (position, threshold): (usize, u8),
        (part, parts): (usize, usize),
        found: &IdaPart,
        seconds: f64,
    ) -> SearchedPart {
        let IdaPart {
            nodes,
            probes,
            tests,
            ref solutions,
            ..
        } = *found;
        let solutions = solutions
            .iter()
            .map(|moves| DisplayMoves(moves).to_string())
            .collect();
        SearchedPart {
            position,
            threshold,
            part,
            parts,
            nodes,
            probes,
            tests,
            seconds,
            solutions,
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
