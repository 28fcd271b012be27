//! `cosette-mpi solve`: what `cosette solve` does, by all threads of all ranks.

use crate::crew::{Clerk, Lead, dismiss};
use crate::journal_writer::JournalWriter;
use crate::start::{self, StartBarrier, Team};
use crate::world::World;
use clap::Args;
use cosette::cube::Cube;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, Solver};
use cosette::{Cancel, ThreadCount};
use cosette_app::answer::SolvedBy;
use cosette_app::cli::args::misuse;
use cosette_app::cli::exit::Exit;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::solve::{Engine, QuestionArgs, SolvePosition, answer};
use cosette_app::journal::JournalError;
use std::cell::RefCell;
use std::path::PathBuf;

/// Prove the shortest solution of positions, each by all threads of all ranks
///
/// Positions are given, and answered, as by `cosette solve`.
#[derive(Args)]
pub struct SolveArgs {
    /// The positions, and what is asked of them.
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Keep what is searched of the one position in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

impl SolveArgs {
    /// Makes sure that the arguments go together.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self) -> Result<(), clap::Error> {
        if self.journal.is_some() && self.question.reads_lines() {
            return Err(misuse("--journal is for one position: name it as an argument; `batch` is for many"));
        }
        self.question.solver.check()
    }
}

/// Runs the subcommand on this rank.
pub fn run(world: &World, args: &SolveArgs) -> Result<Exit, Failure> {
    if world.is_first() {
        return lead(world, args);
    }
    start::serve(world, &args.question.solver)?;
    Ok(Exit::Solved)
}

fn lead(world: &World, args: &SolveArgs) -> Result<Exit, Failure> {
    let (barrier, writer) = (StartBarrier::new(world), RefCell::new(None));
    let answered = answer(&args.question, &|first| {
        barrier.release();
        let team = Team::open(world, &args.question.solver)?;
        let journal = args.journal.as_ref().map(|path| JournalWriter::open(path, &first.cube, &team.table)).transpose();
        let journal = journal.inspect_err(|_| dismiss(world))?;
        *writer.borrow_mut() = journal.as_ref().map(|(writer, _)| writer.clone());
        let leader = Leader::new(team, journal);
        let by = SolvedBy::table(leader.solver.table().id());
        let solve: Box<SolvePosition<'_>> = Box::new(move |position, options, on_event, control| {
            leader.solve(position, options, on_event, control.cancel())
        });
        Ok(Engine { by, solve })
    });
    let written: Result<(), JournalError> = writer.into_inner().map_or(Ok(()), |writer| writer.close());
    // Where the journal could not be written, what was proven has been shown all the same.
    answered.and_then(|exit| written.map(|()| exit).map_err(Failure::from))
}

/// All ranks, as one engine.
struct Leader<'a> {
    solver: Solver,
    lead: RefCell<Lead<'a>>,
    scribe: Option<JournalWriter>,
    standing: RefCell<Checkpoint>,
}

impl<'a> Leader<'a> {
    fn new(team: Team<'a>, journal: Option<(JournalWriter, Checkpoint)>) -> Leader<'a> {
        let Team { world, table, workshop, threads } = team;
        let (scribe, standing) = journal.unzip();
        let lead = Lead::new(world, workshop, &threads, Noting(scribe.clone()));
        let (lead, standing) = (RefCell::new(lead), RefCell::new(standing.unwrap_or_default()));
        Leader { solver: Solver::new(table, ThreadCount::ONE), lead, scribe, standing }
    }
}

/// Writes down what is searched where there is a journal.
struct Noting(Option<JournalWriter>);

impl Clerk for Noting {
    fn finished(&mut self, finished: crate::crew::Finished) {
        self.0.iter_mut().for_each(|scribe| scribe.finished(finished.clone()));
    }

    fn tick(&mut self) {
        self.0.iter_mut().for_each(Clerk::tick);
    }
}

impl Leader<'_> {
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        let mut lead = self.lead.borrow_mut();
        lead.set_position(position);
        let scribe = self.scribe.as_ref();
        scribe.into_iter().for_each(|scribe| scribe.stop_by(cancel));
        let on_event = |event: Event<'_>| {
            scribe.into_iter().for_each(|scribe| scribe.follow(event));
            on_event(event);
        };
        let search = self.solver.search(position).options(*options).cancel(cancel).on_event(&on_event);
        search.resume_with(&mut *lead, self.standing.take()).0
    }
}
