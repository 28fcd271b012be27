//! `cosette-mpi batch`: what `cosette batch` does, by all threads of all ranks.

use crate::crew::{CalledBack, Clerk, Lead, Question};
use crate::start::{self, StartBarrier, Team};
use crate::world::World;
use clap::Args;
use cosette::search::{Options, Outcome, Solver};
use cosette::table::TableId;
use cosette::{Cancel, ThreadCount};
use cosette_app::answer::Stop;
use cosette_app::batch::{Batch, BatchError, COMMIT_INTERVAL, Searched};
use cosette_app::cli::batch::{Backend, RunArgs, solve};
use cosette_app::cli::exit::Exit;
use cosette_app::cli::failure::Failure;
use cosette_app::json::Solve;
use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Solve many positions, with a journal that survives being killed
///
/// FILE has one position a line, written as for `cosette solve`; the first rank reads it. The journal is that of
/// `cosette batch`: either command goes on where the other stopped. Each position is solved by one thread of some
/// rank, and the last ones by all together.
#[derive(Args)]
pub struct BatchArgs {
    /// The list, and what is asked of it.
    #[command(flatten)]
    pub run: RunArgs,
}

/// Runs the subcommand on this rank.
pub fn run(world: &World, args: &BatchArgs) -> Result<Exit, Failure> {
    if world.is_first() {
        let barrier = StartBarrier::new(world);
        return solve(&args.run, &|| {
            barrier.release();
            let team = Team::open(world, &args.run.solver)?;
            Ok(Box::new(Leader { team: RefCell::new(Some(team)), timeout: args.run.timeout() }))
        });
    }
    start::serve(world, &args.run.solver)?;
    Ok(Exit::Solved)
}

/// The first rank.
struct Leader<'a> {
    team: RefCell<Option<Team<'a>>>,
    timeout: Option<Duration>,
}

/// Writes answers down, and passes them on once they are safe.
struct Writer<'a> {
    book: &'a mut Batch,
    table: TableId,
    on_answer: &'a mut dyn FnMut(usize, Solve) -> Result<(), Failure>,
    due: Instant,
    failed: Option<Failure>,
    /// Made where something fails.
    stop: Cancel,
}

impl Writer<'_> {
    fn note(&mut self, searched: Searched) {
        let noted = self.book.record_search(searched, self.table);
        self.keep(noted.map_err(Failure::from));
    }

    /// Passes on what was noted, where it is time.
    fn commit(&mut self, due: bool) {
        if !due && Instant::now() < self.due || self.failed.is_some() {
            return;
        }
        let mut pass_on = || {
            for (number, answer) in self.book.commit().map_err(BatchError::from)? {
                (self.on_answer)(number, answer)?;
            }
            Ok(())
        };
        let passed = pass_on();
        self.keep(passed);
        let interval = if self.book.has_journal() { COMMIT_INTERVAL } else { Duration::ZERO };
        self.due = Instant::now() + interval;
    }

    fn keep(&mut self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.stop.cancel();
            self.failed.get_or_insert(failure);
        }
    }
}

impl Clerk for &RefCell<Writer<'_>> {
    fn solved(&mut self, searched: Searched) {
        self.borrow_mut().note(searched);
    }

    fn tick(&mut self) {
        self.borrow_mut().commit(false);
    }
}

impl Backend for Leader<'_> {
    fn run(
        &self,
        book: &mut Batch,
        cancel: &Cancel,
        on_answer: &mut dyn FnMut(usize, Solve) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Team { world, table, workshop, threads } = self.team.borrow_mut().take().expect("a batch runs once");
        let options = book.settings().options(self.timeout);
        let Options { solution_count: wanted, max_length, two_phase, .. } = options;
        let question = Question { wanted, max_length, two_phase, timeout: self.timeout };
        let positions = book.remaining_positions();
        let stop = cancel.child();
        let (id, due) = (table.id(), Instant::now());
        let writer = RefCell::new(Writer { book, table: id, on_answer, due, failed: None, stop: stop.clone() });
        let solver = Solver::new(Arc::clone(&table), ThreadCount::ONE);
        let mut lead = Lead::new(world, workshop, &threads, &writer);
        lead.begin_singles(question, positions);
        while !stop.is_cancelled() {
            if let Some(position) = lead.next_called_back() {
                together(&mut lead, &solver, (&question, position), &stop, &writer);
            } else if lead.has_no_singles() {
                break;
            } else {
                lead.turn();
            }
        }
        lead.stop_singles();
        drop(lead);
        let mut writer = writer.into_inner();
        writer.commit(true);
        writer.failed.map_or(Ok(()), Err)
    }
}

/// Goes on with a position by all threads together.
fn together(
    lead: &mut Lead<'_>,
    solver: &Solver,
    (question, called_back): (&Question, CalledBack),
    stop: &Cancel,
    writer: &RefCell<Writer<'_>>,
) {
    let CalledBack { number, position, standing, spent } = called_back;
    lead.set_position(&position);
    let in_time = |timeout: Duration| stop.child_with_timeout(timeout.saturating_sub(spent));
    let cancel = question.timeout.map_or(stop.clone(), in_time);
    let search = solver.search(&position).options(question.options()).cancel(&cancel);
    let (mut report, _) = search.resume_with(lead, standing);
    if stop.is_cancelled() && report.outcome == Outcome::Cancelled {
        return;
    }
    report.elapsed += spent;
    let stopped = cancel.is_cancelled().then_some(Stop::Timeout);
    writer.borrow_mut().note(Searched { number, report, stopped });
}
