//! Measured searches, their records, and the page of the records.
//!
//! The records are JSON lines in a file to which each run appends. A run skips the positions that
//! the file already has, so a run that was stopped can be resumed. The sums that the page shows are
//! made in its template, `pages/nargolkar-parallel.md`.

use super::NargolkarArgs;
use super::coordinator::RankZero;
use super::plan::{RankSplit, SearchOutcome, SearchProblem, WorkSpent};
use cosette::cube::{Cube, Metric};
use cosette::search::Solver;
use cosette::{Cancel, Control, ThreadCount};
use cosette_app::cli::failure::Failure;
use cosette_app::events::{read_lines, write_line};
use cosette_lab::lab::processor_time;
use cosette_lab::nargolkar::{AppendixPattern, superflip};
use cosette_lab::page::{Page, Records};
use cosette_lab::record::Record;
use cosette_lab::reid::PRINTED_LOG;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The file of the template.
const TEMPLATE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/pages/nargolkar-parallel.md");

/// A line of the file. Fields are added, never renamed.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Measurement {
    /// A run of the command.
    Run {
        /// Number of ranks.
        ranks: usize,
        /// Machine, compiler, commit, date.
        circumstances: String,
        /// The budget of a search, in nodes.
        budget: u64,
        /// `true` if only the sequential program was measured.
        sequential: bool,
        /// `true` if searches used the symmetry of positions.
        #[serde(default)]
        symmetry: bool,
        /// Elapsed time in seconds.
        seconds: f64,
    },
    /// Times of a rank to load and to rebuild its table.
    Table {
        /// Number of ranks that did so at the same time.
        ranks: usize,
        /// Number of the rank.
        rank: usize,
        metric: Metric,
        /// Seconds to load it and verify all checksums; the file was in the page cache.
        load: f64,
        /// Seconds to generate it, on one thread.
        fill: f64,
    },
    /// The work of one or more searches in one metric that were divided and run in one way.
    Total {
        ranks: usize,
        searching: usize,
        metric: Metric,
        split: RankSplit,
        #[serde(flatten)]
        spent: WorkSpent,
        /// The nodes of the limits up to the goal.
        needed: u64,
    },
    Search(MeasuredSearch),
}

/// The search of a position.
#[derive(Serialize, Deserialize)]
pub struct MeasuredSearch {
    /// The name of the position.
    pub subject: String,
    pub metric: Metric,
    /// `true` if the search used the symmetry of the position.
    #[serde(default)]
    pub symmetry: bool,
    pub split: RankSplit,
    /// Number of ranks.
    pub ranks: usize,
    /// Number of searching ranks: all, or all except rank 0.
    pub searching: usize,
    /// Length of the solution, if one was found.
    pub length: Option<u8>,
    /// The limits up to the goal, and the nodes of each, if they are recorded.
    #[serde(default)]
    pub limits: Vec<(u8, u64)>,
    /// Nodes on the critical path.
    pub path: u64,
    /// Nodes of the sequential program.
    pub sequential: u64,
    /// Number of initial limits with the same counts as in the sequential program.
    pub same_limits: usize,
    /// `true` if its solution differs from that of the sequential program.
    pub is_other: bool,
    /// `true` if its solution is longer than that of the sequential program.
    pub is_longer: bool,
}

/// The lines of a file, and the output to which a run appends its own.
pub struct RecordLog {
    lines: Vec<Measurement>,
    out: Box<dyn Write>,
}

impl RecordLog {
    /// Opens a file, which need not exist; without one, lines are written to standard output.
    pub fn open(path: Option<&Path>) -> Result<RecordLog, Failure> {
        let Some(path) = path else {
            return Ok(RecordLog {
                lines: Vec::new(),
                out: Box::new(anstream::stdout()),
            });
        };
        let file = OpenOptions::new().create(true).append(true).open(path);
        Ok(RecordLog {
            out: Box::new(file.map_err(Failure::unwritable(path))?),
            lines: read(path)?,
        })
    }

    /// Returns `true` if all searches of a position by this number of ranks are recorded.
    pub fn has(&self, subject: &str, problem: &SearchProblem, zero: &RankZero) -> bool {
        let way = (subject, problem.metric, problem.by_symmetry);
        let ranks = (zero.ranks(), zero.searching());
        let is_it = |search: &MeasuredSearch| {
            (&*search.subject, search.metric, search.symmetry) == way
                && (search.ranks, search.searching) == ranks
                && search.split == RankSplit::Subtrees
        };
        let mut lines = self.lines.iter();
        lines.any(|line| matches!(line, Measurement::Search(search) if is_it(search)))
    }

    /// Appends lines.
    pub fn write(&mut self, lines: &[Measurement]) -> io::Result<()> {
        lines
            .iter()
            .try_for_each(|line| write_line(&mut self.out, line))
    }
}

/// Reads the records of a file.
fn read(path: &Path) -> Result<Vec<Measurement>, Failure> {
    read_lines(path).map_err(|refused| {
        Failure::new(
            format!("cannot read the records in {}: {refused}", path.display()),
            "use files written with --record",
        )
    })
}

/// Renders the page of the records of a file.
pub fn page(file: &Path) -> Result<Page, Failure> {
    let data = json!({
        "lines": read(file)?,
        "patterns": AppendixPattern::all(),
        "printed_log": PRINTED_LOG,
    });
    let record = Record {
        origin: String::new(),
        data,
    };
    let template = fs::read_to_string(TEMPLATE)?;
    let records = Records::from([("parallel", record)]);
    Ok(Page::render("nargolkar-parallel", &template, &records))
}

/// A position to be measured, with its name.
pub type Subject = (String, Cube);

/// Returns the lines of appendix C with these printed depths and their inverses; without depths
/// all, and the superflip.
pub fn subjects(depths: &[u8]) -> Vec<Subject> {
    let patterns = AppendixPattern::all().iter();
    let selected =
        patterns.filter(|pattern| depths.is_empty() || depths.contains(&pattern.printed));
    let both = selected.flat_map(|pattern| {
        let position = pattern.position();
        [("pattern", position), ("inverse", position.inverse())]
            .map(|(name, position)| (format!("{name} {}", pattern.number), position))
    });
    let superflip = depths.is_empty().then(|| listed(superflip()));
    both.chain(superflip).collect()
}

/// Returns a listed position, named by its facelets or as the superflip.
pub fn listed(position: Cube) -> Subject {
    let name = if position == superflip() {
        "superflip".to_owned()
    } else {
        position.facelets()
    };
    (name, position)
}

/// Searches a position in every way, or by the sequential program only. The sequential search
/// continues within the budget, and the other searches go as far as it does.
///
/// # Errors
///
/// A search has a wrong result.
pub fn measure(
    zero: &mut RankZero,
    fastest: Option<&Solver>,
    subject: &str,
    problem: &mut SearchProblem,
    args: &NargolkarArgs,
) -> Result<Vec<Measurement>, Failure> {
    let alone = solve_alone(zero, problem, args.budget());
    if alone.length.is_none() {
        problem.last = alone.limits.last().map_or(problem.last, |limit| limit.0);
    }
    let all = [
        RankSplit::Sequential,
        RankSplit::Fastest,
        RankSplit::Limits,
        RankSplit::Unproven,
        RankSplit::Subtrees,
    ];
    let splits = if args.sequential { &all[..1] } else { &all };
    let mut lines = Vec::new();
    for &split in splits {
        problem.split = split;
        problem.number += 1;
        let outcome = match (split, fastest) {
            (RankSplit::Sequential, _) => alone.clone(),
            (RankSplit::Fastest, Some(solver)) => solve_fastest(solver, problem),
            (RankSplit::Fastest, None) => continue,
            // Without a solution the first goal taken is that of the search by limits: none.
            (RankSplit::Unproven, _) if alone.length.is_none() => continue,
            _ => zero.solve(problem, &Cancel::new(), &mut |_| {}),
        };
        check(problem, &alone, &outcome)?;
        if !args.sequential && !problem.by_symmetry {
            lines.push(Measurement::Total {
                ranks: zero.ranks(),
                searching: zero.searching(),
                metric: problem.metric,
                split,
                spent: outcome.spent,
                needed: outcome.nodes(),
            });
        }
        let is_same = |limit: &&(u8, u64)| outcome.limits.contains(limit);
        lines.push(Measurement::Search(MeasuredSearch {
            subject: subject.to_owned(),
            metric: problem.metric,
            symmetry: problem.by_symmetry,
            split,
            ranks: zero.ranks(),
            searching: zero.searching(),
            length: outcome.length,
            path: outcome.path,
            sequential: alone.nodes(),
            same_limits: alone.limits.iter().take_while(is_same).count(),
            is_other: outcome.length.is_some()
                && outcome.solutions.first() != alone.solutions.first(),
            is_longer: outcome.length > alone.length,
            limits: outcome.limits,
        }));
    }
    Ok(lines)
}

/// Solves a position on this rank alone, limit by limit, while the next tree is likely to have no
/// more than `budget` nodes.
fn solve_alone(zero: &RankZero, problem: &SearchProblem, budget: u64) -> SearchOutcome {
    /// The usual ratio of the nodes of successive limits, in half and in quarter turns.
    const GROWTH: [u64; 2] = [13, 8];
    let growth = GROWTH[problem.metric as usize];
    let before = processor_time();
    let mut outcome = SearchOutcome::default();
    for limit in problem.first..=problem.last {
        let last = outcome.limits.last();
        if last.is_some_and(|last| last.1.saturating_mul(growth) > budget) {
            break;
        }
        let control = Control::new(ThreadCount::ONE);
        let limits = problem.ida_limits(limit);
        let ida = zero.rank.reid.ida();
        let found = ida.search(&problem.position, &limits, &control);
        let nodes = found.iterations.iter().map(|of| (limit, of.nodes));
        outcome.limits.extend(nodes);
        if !found.solutions.is_empty() {
            outcome.length = Some(limit);
            outcome.solutions = found.solutions;
            break;
        }
    }
    outcome.path = outcome.nodes();
    outcome.spent.computation = processor_time() - before;
    outcome
}

/// Solves a position, or rules out all lengths up to the last limit, with the fast engine.
fn solve_fastest(solver: &Solver, problem: &SearchProblem) -> SearchOutcome {
    let before = processor_time();
    let report = solver
        .search(&problem.position)
        .control(&Control::new(ThreadCount::ONE))
        .max_length(problem.last)
        .run();
    let iterations = report.iterations.iter();
    let mut outcome = SearchOutcome {
        length: report.length(),
        path: report.nodes(),
        limits: iterations.map(|of| (of.length, of.nodes)).collect(),
        solutions: report.solutions,
        ..SearchOutcome::default()
    };
    outcome.spent.computation = processor_time() - before;
    outcome
}

/// Checks a solution.
///
/// # Errors
///
/// The solution does not solve the position, or its length is not that of the sequential program.
fn check(
    problem: &SearchProblem,
    alone: &SearchOutcome,
    outcome: &SearchOutcome,
) -> Result<(), Failure> {
    let is_longer = outcome.length > alone.length && problem.split == RankSplit::Unproven;
    let is_solved = outcome.solutions.iter().all(|moves| {
        let length = outcome.length.map(usize::from);
        length == Some(problem.metric.length(moves))
            && problem.position.apply_moves(moves).is_solved()
    });
    if is_solved && (outcome.length == alone.length || is_longer) {
        return Ok(());
    }
    Err(Failure::new(
        format!("internal error: {problem:?} is {alone:?}, not {outcome:?}"),
        "please report this",
    ))
}
