//! Positions of the user: solved by all ranks, with a log as in appendix B of the thesis.

use super::coordinator::RankZero;
use super::plan::{LimitEnd, RankSplit, SearchOutcome, SearchProblem};
use super::rank::NargolkarRank;
use super::{NargolkarArgs, all_ready, in_full, load};
use crate::position;
use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::journal::{Journal, JournalRecord};
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::error::LabError;
use cosette_lab::lab::Lab;
use cosette_lab::packed::FourBits;
use cosette_lab::reid::table::{CosetTable, ENTRIES};
use cosette_lab::reid::{CosetCount, census};
use cosette_mpi::world::World;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// The argument that stands for positions on standard input.
const STANDARD_INPUT: &str = "-";

/// Solves a position, or those on standard input, with all ranks.
pub fn solve(
    world: &World,
    lab: &Lab<'_>,
    args: &NargolkarArgs,
    text: &str,
) -> Result<Exit, Failure> {
    let metric = args.metric.unwrap_or(Metric::Htm);
    // Only one rank reads it, so that an error is reported once.
    let read = if world.is_first() && text != STANDARD_INPUT {
        position(text.to_owned().into()).map(Some)
    } else {
        Ok(None)
    };
    let Some(given) = all_ready(world, read)? else {
        return Ok(Exit::Error);
    };
    let Some(bounds) = all_ready(world, load(world, lab, &[metric], None))? else {
        return Ok(Exit::Error);
    };
    let journal = match &args.journal {
        Some(path) if world.is_first() => LimitJournal::open(path, args, metric),
        _ => Ok(LimitJournal::default()),
    };
    let Some(journal) = all_ready(world, journal)? else {
        return Ok(Exit::Error);
    };
    std::thread::scope(|scope| {
        let rank = NargolkarRank::new(world, &bounds, scope);
        if !world.is_first() {
            // `mpirun` forwards signals to all ranks; rank 0 ends the job.
            let _work = Interruptible::start();
            rank.serve();
            return Ok(Exit::Success);
        }
        let mut solver = ParallelSolver {
            coordinator: RankZero::new(world, &bounds, rank, args.master),
            args,
            metric,
            journal,
        };
        let answered = solver.write_head(lab).and_then(|()| match given {
            Some(position) => solver.answer(position),
            None => lines::answer_each(
                |_| Ok(()),
                |text: &InputText| solver.answer(position(text.clone())?),
            ),
        });
        solver.coordinator.end();
        answered
    })
}

/// All ranks, as one solver.
struct ParallelSolver<'s, 'e> {
    coordinator: RankZero<'s, 'e>,
    args: &'e NargolkarArgs,
    metric: Metric,
    journal: LimitJournal,
}

impl ParallelSolver<'_, '_> {
    /// Logs the options, and the cosets by distance, as the program of the thesis does.
    fn write_head(&self, lab: &Lab<'_>) -> Result<(), Failure> {
        if !self.args.log {
            return Ok(());
        }
        let symmetry = if self.args.no_symmetry { "no" } else { "using" };
        let solutions = if self.args.all {
            "finding all solutions"
        } else {
            "only finding one solution"
        };
        let mut log = io::stderr().lock();
        writeln!(
            log,
            "using {}\n{symmetry} symmetry reductions\n{solutions}\n",
            in_full(self.metric)
        )?;
        write_cosets(&mut log, lab, self.metric)
    }

    /// Solves a position and writes its solutions.
    fn answer(&mut self, position: Cube) -> Result<Exit, Failure> {
        let mut out = anstream::stdout();
        if position.is_solved() {
            writeln!(out, "solved already: 0 {}", in_full(self.metric))?;
            return Ok(Exit::Success);
        }
        let mut ends = self.journal.limits_of(&position);
        let problem = SearchProblem {
            position,
            metric: self.metric,
            first: ends.last().map_or(0, |end| end.limit) + 1,
            last: self.metric.diameter(),
            split: self.args.split(),
            finds_all: self.args.all,
            by_symmetry: !self.args.no_symmetry,
        };
        if self.args.log {
            log_position(&position)?;
        }
        let work = Interruptible::start();
        let (outcome, searched) = self.search(&problem, &work.cancel)?;
        let is_stopped = work.cancel.is_cancelled();
        drop(work);
        ends.extend(searched);
        let goal = outcome.goal.as_ref().map_or(u8::MAX, |goal| goal.0);
        ends.retain(|end| end.limit <= goal);
        write_solutions(&mut out, &outcome, self.metric, is_stopped)?;
        writeln!(out, "\n{LIMIT_HEADS}")?;
        for end in &ends {
            end.write(&mut out)?;
        }
        let nodes: u64 = ends.iter().map(|end| end.nodes).sum();
        writeln!(
            out,
            "{nodes} nodes by {}, np = {}; {} on the critical path",
            problem.split,
            self.coordinator.way().ranks,
            outcome.path
        )?;
        Ok(if is_stopped {
            Exit::Interrupted
        } else {
            Exit::Success
        })
    }

    /// Searches, and records each limit as it ends.
    fn search(
        &mut self,
        problem: &SearchProblem,
        stop: &Cancel,
    ) -> Result<(SearchOutcome, Vec<SearchedLimit>), Failure> {
        let start = Instant::now();
        let mut ends = Vec::new();
        let mut recorded = Ok(());
        let outcome = self.coordinator.solve(problem, stop, &mut |end| {
            let searched = SearchedLimit {
                position: problem.position.facelets(),
                limit: end.limit,
                nodes: end.nodes,
                tests: end.tests,
                seconds: start.elapsed().as_secs_f64(),
                rank: end.rank,
            };
            if self.args.log {
                // Nothing can be done if standard error is closed.
                let _ = searched.write(&mut io::stderr().lock());
            }
            if recorded.is_ok() {
                recorded = self.journal.add(&end, &searched);
            }
            ends.push(searched);
        });
        recorded?;
        ends.sort_by_key(|end| end.limit);
        Ok((outcome, ends))
    }
}

/// Writes the solutions, and the lengths that are ruled out.
fn write_solutions(
    out: &mut impl Write,
    outcome: &SearchOutcome,
    metric: Metric,
    is_stopped: bool,
) -> io::Result<()> {
    let unit = in_full(metric);
    let ruled_out = outcome.ruled_out;
    let Some((length, solution)) = &outcome.goal else {
        return writeln!(
            out,
            "interrupted; no solution has {ruled_out} {unit} or fewer"
        );
    };
    writeln!(out, "{solution}")?;
    for other in &outcome.others {
        writeln!(out, "{other}")?;
    }
    let count = match outcome.others.len() {
        0 => String::new(),
        others => format!(", {} solutions", others + 1),
    };
    let interrupted = if is_stopped { "interrupted; " } else { "" };
    writeln!(
        out,
        "{interrupted}{length} {unit}{count}; no solution has {ruled_out} or fewer"
    )
}

/// The heads of the lines of limits.
const LIMIT_HEADS: &str = "limit           nodes     tests   seconds  rank";

/// Logs the symmetry of a position, and the heads of the lines that follow.
fn log_position(position: &Cube) -> io::Result<()> {
    let symmetry = match position.symmetries().len() {
        1 => "asymmetric position".to_owned(),
        count => format!("position with {count} symmetries"),
    };
    writeln!(io::stderr().lock(), "{symmetry}\n{LIMIT_HEADS}")
}

/// Writes the cosets by distance, as the program of the thesis does before its search: the
/// positions, and the classes that stand for them; and where the generator switches its direction.
fn write_cosets(log: &mut impl Write, lab: &Lab<'_>, metric: Metric) -> Result<(), Failure> {
    let distances = FourBits::new(lab.table(&CosetTable {
        metric,
        storage: DistanceStorage::FourBits,
    })?);
    writeln!(log, "distance   positions   (quotient)")?;
    let mut reached = 0;
    let counts = census(&lab.control, |entry| distances.get(entry))?;
    for (distance, count) in counts.into_iter().enumerate() {
        // The rule of the generator: forwards while less than half of the entries are known.
        let is_forward = reached < ENTRIES as u64 / 2;
        let CosetCount {
            positions, entries, ..
        } = count;
        writeln!(
            log,
            "{distance:8} {positions:11} {:>12}",
            format!("({entries})")
        )?;
        reached += entries;
        if is_forward && reached >= ENTRIES as u64 / 2 {
            writeln!(log, "switching to backwards searching")?;
        }
    }
    writeln!(log)?;
    Ok(())
}

/// A limit that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SearchedLimit {
    /// The position, as 54 facelets.
    position: String,
    limit: u8,
    nodes: u64,
    tests: u64,
    /// The time of its end, from the beginning of the search.
    seconds: f64,
    /// The rank that searched it; `None` if several searched parts of it.
    rank: Option<usize>,
}

impl SearchedLimit {
    /// Writes it as a line.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let SearchedLimit {
            limit,
            nodes,
            tests,
            seconds,
            ..
        } = self;
        let rank = self.rank.map_or("all".to_owned(), |rank| rank.to_string());
        writeln!(
            out,
            "{limit:5} {nodes:15} {tests:9} {seconds:9.2} {rank:>5}"
        )
    }
}

impl JournalRecord for SearchedLimit {
    const KIND: &'static str = "parallel search by limits";
    const VERSION: u32 = 1;
}

/// The limits that have ended without a solution, and the file that keeps them.
#[derive(Default)]
struct LimitJournal {
    file: Option<Journal<SearchedLimit>>,
    limits: Vec<SearchedLimit>,
}

impl LimitJournal {
    fn open(path: &Path, args: &NargolkarArgs, metric: Metric) -> Result<LimitJournal, LabError> {
        let symmetry = if args.no_symmetry {
            ""
        } else {
            ", by symmetry"
        };
        let settings = [("search", format!("reid-{metric}{symmetry}"))];
        let mut limits = Vec::new();
        let file = Journal::open(path, settings, &mut |_, limit| {
            limits.push(limit);
            Ok(())
        })?;
        Ok(LimitJournal {
            file: Some(file),
            limits,
        })
    }

    /// The limits of a position from the first on that have all ended.
    fn limits_of(&self, position: &Cube) -> Vec<SearchedLimit> {
        let position = position.facelets();
        let of_limit = |limit: u8| {
            let mut limits = self.limits.iter();
            limits.find(|of| of.limit == limit && of.position == position)
        };
        (1..).map_while(of_limit).cloned().collect()
    }

    /// Adds a limit without a solution; it is on disk when this returns.
    fn add(&mut self, end: &LimitEnd, searched: &SearchedLimit) -> Result<(), LabError> {
        if let Some(file) = &mut self.file
            && !end.has_solution
        {
            file.append(searched);
            file.commit()?;
        }
        Ok(())
    }
}

impl NargolkarArgs {
    /// The division of the search for a position among the ranks.
    fn split(&self) -> RankSplit {
        if self.subtrees {
            RankSplit::Subtrees
        } else if self.first_goal {
            RankSplit::Unproven
        } else {
            RankSplit::Limits
        }
    }
}
