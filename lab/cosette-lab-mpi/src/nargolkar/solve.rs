//! Positions of the user: solved by all ranks, with a log as in appendix B of the thesis.

use super::coordinator::RankZero;
use super::plan::{LimitEnd, RankSplit, SearchOutcome, SearchProblem};
use super::rank::NargolkarRank;
use super::{NargolkarArgs, agree, load, position};
use cosette::cube::{Cube, DisplayMoves, Metric};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::journal::{Journal, JournalRecord};
use cosette_lab::error::LabError;
use cosette_lab::lab::Lab;
use cosette_lab::reid::table::ENTRIES;
use cosette_mpi::world::World;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// The heads of the lines of limits.
const LIMIT_HEADS: &str = "limit           nodes     tests   seconds  rank";

/// Solves a position, or those on standard input, with all ranks.
pub fn solve(
    world: &World,
    lab: &Lab<'_>,
    args: &NargolkarArgs,
    text: &str,
) -> Result<Exit, Failure> {
    let metric = args.metric.unwrap_or(Metric::Htm);
    let given = match text {
        "-" => None,
        text => Some(position(&text.to_owned().into())?),
    };
    let reid = agree(world, load(world, lab, metric, args.four_bits))?;
    let journal = world.is_first().then(|| open_journal(args, metric));
    let (journal, known) = agree(world, journal.transpose())?.unwrap_or_default();
    std::thread::scope(|scope| {
        let rank = NargolkarRank::new(world, &reid, scope);
        if !world.is_first() {
            // `mpirun` forwards signals to all ranks; rank 0 ends the job.
            let _work = Interruptible::start();
            rank.serve();
            return Ok(Exit::Success);
        }
        let mut solver = ParallelSolver {
            zero: RankZero {
                rank,
                role: args.master,
            },
            args,
            journal,
            known,
            number: 0,
        };
        let answered = solver.log_head(lab).and_then(|()| match given {
            Some(position) => solver.answer(position),
            None => lines::answer_each(
                |_| Ok(()),
                |text: &InputText| solver.answer(position(text)?),
            ),
        });
        solver.zero.end();
        answered
    })
}

/// All ranks, as one solver.
struct ParallelSolver<'s, 'e> {
    zero: RankZero<'s, 'e>,
    args: &'e NargolkarArgs,
    journal: Option<Journal<JournaledLimit>>,
    /// The limits that the journal holds.
    known: Vec<JournaledLimit>,
    /// Number of the last problem.
    number: u32,
}

impl ParallelSolver<'_, '_> {
    /// The unit of lengths.
    fn unit(&self) -> &'static str {
        match self.zero.rank.reid.metric() {
            Metric::Htm => "half turns",
            Metric::Qtm => "quarter turns",
        }
    }

    /// Logs the options, and the cosets by distance, as the program of the thesis does before its
    /// search: the positions, and the classes that stand for them; and where the generator switches
    /// its direction.
    fn log_head(&self, lab: &Lab<'_>) -> Result<(), Failure> {
        if !self.args.log {
            return Ok(());
        }
        let symmetry = if self.args.no_symmetry { "no" } else { "using" };
        let solutions = match self.args.all {
            true => "finding all solutions",
            false => "only finding one solution",
        };
        let mut log = io::stderr().lock();
        writeln!(
            log,
            "using {}\n{symmetry} symmetry reductions\n{solutions}\n\n\
                distance   positions   (quotient)",
            self.unit()
        )?;
        let half = ENTRIES as u64 / 2;
        let mut reached = 0;
        let counts = self.zero.rank.reid.coset_counts(&lab.control)?;
        for (distance, count) in counts.into_iter().enumerate() {
            let entries = format!("({})", count.entries);
            writeln!(log, "{distance:8} {:11} {entries:>12}", count.positions)?;
            // The rule of the generator: forwards while less than half of the entries are known.
            if reached < half && reached + count.entries >= half {
                writeln!(log, "switching to backwards searching")?;
            }
            reached += count.entries;
        }
        Ok(writeln!(log)?)
    }

    /// Solves a position and writes its solutions.
    fn answer(&mut self, position: Cube) -> Result<Exit, Failure> {
        let mut out = anstream::stdout();
        if position.is_solved() {
            writeln!(out, "solved already: 0 {}", self.unit())?;
            return Ok(Exit::Success);
        }
        let mut ends = self.known_limits(&position);
        self.number += 1;
        let metric = self.zero.rank.reid.metric();
        let problem = SearchProblem {
            number: self.number,
            position,
            metric,
            first: ends.last().map_or(0, |end| end.limit) + 1,
            last: metric.diameter(),
            split: match self.args.subtrees {
                true => RankSplit::Subtrees,
                false if self.args.first_goal => RankSplit::Unproven,
                false => RankSplit::Limits,
            },
            finds_all: self.args.all,
            by_symmetry: !self.args.no_symmetry,
        };
        if self.args.log {
            let symmetry = match position.symmetries().len() {
                1 => "asymmetric position".to_owned(),
                count => format!("position with {count} symmetries"),
            };
            writeln!(io::stderr(), "{symmetry}\n{LIMIT_HEADS}")?;
        }
        let work = Interruptible::start();
        let mut recorded = Ok(());
        let outcome = self.zero.solve(&problem, &work.cancel, &mut |end| {
            if self.args.log {
                // Nothing can be done if standard error is closed.
                let _ = write_limit(&mut io::stderr(), &end);
            }
            if let Some(journal) = &mut self.journal
                && end.declared_by.is_none()
                && recorded.is_ok()
            {
                journal.append(&JournaledLimit {
                    position: position.facelets(),
                    end,
                });
                recorded = journal.commit();
            }
            ends.push(end);
        });
        recorded?;
        let is_stopped = work.cancel.is_cancelled();
        drop(work);
        ends.retain(|end| outcome.length.is_none_or(|length| end.limit <= length));
        ends.sort_by_key(|end| end.limit);
        self.write_solutions(&mut out, &outcome, is_stopped)?;
        writeln!(out, "\n{LIMIT_HEADS}")?;
        for end in &ends {
            write_limit(&mut out, end)?;
        }
        let nodes: u64 = ends.iter().map(|end| end.nodes).sum();
        let split = if self.args.subtrees {
            "subtrees"
        } else {
            "limits"
        };
        writeln!(
            out,
            "{nodes} nodes by {split}, np = {}; {} on the critical path",
            self.zero.ranks(),
            outcome.path
        )?;
        Ok(if is_stopped {
            Exit::Interrupted
        } else {
            Exit::Success
        })
    }

    /// The journaled limits of a position from the first on that have all ended.
    fn known_limits(&self, position: &Cube) -> Vec<LimitEnd> {
        let position = position.facelets();
        let of_limit = |limit: u8| {
            let mut known = self.known.iter();
            let known = known.find(|of| of.end.limit == limit && of.position == position)?;
            Some(known.end)
        };
        (1..).map_while(of_limit).collect()
    }

    /// Writes the solutions, and the lengths that are ruled out.
    fn write_solutions(
        &self,
        out: &mut impl Write,
        outcome: &SearchOutcome,
        is_stopped: bool,
    ) -> io::Result<()> {
        let unit = self.unit();
        let ruled_out = outcome.ruled_out;
        let interrupted = if is_stopped { "interrupted; " } else { "" };
        let Some(length) = outcome.length else {
            return writeln!(
                out,
                "{interrupted}no solution has {ruled_out} {unit} or fewer"
            );
        };
        for solution in &outcome.solutions {
            writeln!(out, "{}", DisplayMoves(solution))?;
        }
        let count = match outcome.solutions.len() {
            1 => String::new(),
            count => format!(", {count} solutions"),
        };
        writeln!(
            out,
            "{interrupted}{length} {unit}{count}; no solution has {ruled_out} or fewer"
        )
    }
}

/// Writes a limit as a line.
fn write_limit(out: &mut impl Write, end: &LimitEnd) -> io::Result<()> {
    let rank = end.rank.map_or("all".to_owned(), |rank| rank.to_string());
    let goal = end.declared_by.map_or(String::new(), |rank| {
        format!("  goal declared by rank {rank}")
    });
    writeln!(
        out,
        "{:5} {:15} {:9} {:9.2} {rank:>5}{goal}",
        end.limit, end.nodes, end.tests, end.seconds
    )
}

/// A limit that has ended without a solution.
#[derive(Serialize, Deserialize)]
struct JournaledLimit {
    /// The position, as 54 facelets.
    position: String,
    end: LimitEnd,
}

impl JournalRecord for JournaledLimit {
    const KIND: &'static str = "parallel search by limits";
    const VERSION: u32 = 2;
}

/// Opens the journal, if there is one, and reads the limits that it holds.
fn open_journal(
    args: &NargolkarArgs,
    metric: Metric,
) -> Result<(Option<Journal<JournaledLimit>>, Vec<JournaledLimit>), LabError> {
    let mut known = Vec::new();
    let Some(path) = &args.journal else {
        return Ok((None, known));
    };
    let symmetry = if args.no_symmetry {
        ""
    } else {
        ", by symmetry"
    };
    let settings = [("search", format!("reid-{metric}{symmetry}"))];
    let journal = Journal::open(path, settings, &mut |_, limit| {
        known.push(limit);
        Ok(())
    })?;
    Ok((Some(journal), known))
}
