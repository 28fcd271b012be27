//! `cosette-mpi solve` and `cosette-mpi batch`: `cosette solve` and `cosette batch` with all
//! threads of all ranks.

use crate::coordinator::{PreemptedSearch, ProgressObserver, SearchCoordinator, end_all};
use crate::hosts::{self, Hosts, StartBarrier, Team};
use clap::Args;
use cosette::cube::{Cube, Metric};
use cosette::search::SolveResult;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Options, Outcome, Report};
use cosette::table::TableId;
use cosette::{Cancel, CancelReason, Control};
use cosette_app::batch::{Batch, BatchAnswers, PendingPosition, SearchedPosition};
use cosette_app::cli::batch::{self, SharedBatchArgs};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::solve::{ReadyEngine, SharedSolveArgs, open_journal};
use cosette_app::engine::{Engine, OnEvent};
use cosette_app::request::Request;
use std::cell::RefCell;

/// Find a shortest solution and prove it optimal, with all threads of all ranks
///
/// Input and output are those of `cosette solve`. Goals, custom moves, costs and solution filters
/// (--goal, --moves, --starts-with and others) are supported only by `cosette`, on one machine.
#[derive(Args)]
pub struct MpiSolveArgs {
    /// The arguments of `cosette solve`.
    #[command(flatten)]
    pub shared: SharedSolveArgs,
}

/// Runs the subcommand on this rank.
pub fn solve(hosts: &Hosts, args: &MpiSolveArgs) -> Result<Exit, Failure> {
    if hosts.world.is_first() {
        return coordinate(hosts, args);
    }
    hosts::serve(hosts, &args.shared.request.solver)?;
    Ok(Exit::Success)
}

fn coordinate(hosts: &Hosts, args: &MpiSolveArgs) -> Result<Exit, Failure> {
    let barrier = StartBarrier::new(&hosts.world);
    args.shared.solve_with(&|first| {
        barrier.release();
        let team = Team::open(hosts, &args.shared.request.solver)?;
        let journal = args
            .shared
            .journal
            .as_ref()
            .map(|path| open_journal(path, &first.cube, &team.table))
            .transpose();
        let (journal, checkpoint) = journal.inspect_err(|_| end_all(&hosts.world))?.unzip();
        let table = team.table.id();
        let coordinator = RefCell::new(SearchCoordinator::new(team, journal.clone()));
        let checkpoint = RefCell::new(checkpoint.unwrap_or_default());
        Ok(ReadyEngine {
            engine: Box::new(AllRanks {
                table,
                coordinator,
                checkpoint,
            }),
            journal,
        })
    })
}

/// All ranks, as one engine; the first search resumes from the checkpoint.
struct AllRanks<'a> {
    table: TableId,
    coordinator: RefCell<SearchCoordinator<'a>>,
    checkpoint: RefCell<Checkpoint>,
}

impl Engine for AllRanks<'_> {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        self.table.metric
    }

    fn tables(&self) -> String {
        self.table.to_string()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        self.coordinator.borrow_mut().search(
            (position, options, self.checkpoint.take()),
            on_event,
            control.cancel_token(),
        )
    }
}

/// Solve many positions with all threads of all ranks, with a crash-safe journal
///
/// FILE has one position per line, in the formats of `cosette solve`; the first rank reads it. The
/// journal is that of `cosette batch`: either command resumes where the other stopped. Each
/// position is solved by one thread of some rank, and the last ones by all threads together.
///
/// --jobs, --optimal-moves, goals, custom moves, costs and solution filters (--goal, --moves,
/// --starts-with and others) are supported only by `cosette batch`, on one machine.
#[derive(Args)]
pub struct MpiBatchArgs {
    /// The arguments of `cosette batch`.
    #[command(flatten)]
    pub shared: SharedBatchArgs,
}

/// Runs the subcommand on this rank.
pub fn batch(hosts: &Hosts, args: &MpiBatchArgs) -> Result<Exit, Failure> {
    if hosts.world.is_first() {
        let barrier = StartBarrier::new(&hosts.world);
        return batch::solve(&args.shared, || {
            barrier.release();
            let team = Team::open(hosts, &args.shared.request.solver)?;
            Ok(Box::new(move |batch, cancel, on_answer| {
                solve_on_all_ranks(team, batch, cancel, on_answer)
            }))
        });
    }
    hosts::serve(hosts, &args.shared.request.solver)?;
    Ok(Exit::Success)
}

/// Solves the remaining positions of a batch with all threads of all ranks.
fn solve_on_all_ranks(
    team: Team<'_>,
    batch: &mut Batch,
    cancel: &Cancel,
    on_answer: &mut dyn FnMut(usize, SolveResult) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let request = batch.request().clone();
    let positions = batch.remaining_positions();
    let stop = cancel.child();
    let answers = BatchAnswers::new(batch, team.table.id(), on_answer);
    let writer = RefCell::new(Writer {
        answers,
        failure: None,
        stop: stop.clone(),
    });
    let mut coordinator = SearchCoordinator::new(team, &writer);
    coordinator.begin_positions(request.clone(), positions);
    while !stop.is_cancelled() {
        if let Some(preempted) = coordinator.next_preempted() {
            let searched = continue_together(&mut coordinator, &request, preempted, &stop);
            searched
                .into_iter()
                .for_each(|searched| writer.borrow_mut().write(searched));
        } else if coordinator.positions_are_done() {
            break;
        } else {
            coordinator.advance();
        }
    }
    coordinator.stop_positions();
    drop(coordinator);
    let mut writer = writer.into_inner();
    writer.commit();
    writer.failure.map_or(Ok(()), Err)
}

/// Continues the search of a position with all threads together. Returns `None` if the search is
/// stopped.
fn continue_together(
    coordinator: &mut SearchCoordinator<'_>,
    request: &Request,
    preempted: PreemptedSearch,
    stop: &Cancel,
) -> Option<SearchedPosition> {
    let PreemptedSearch {
        position:
            PendingPosition {
                number,
                cube,
                known,
            },
        checkpoint,
        spent,
    } = preempted;
    let cancel = stop.limited(request.timeout.map(|timeout| timeout.saturating_sub(spent)));
    let options = Options {
        known_solution: known.as_deref(),
        ..request.batch_options()
    };
    let report = coordinator.search((&cube, &options, checkpoint), &|_| {}, &cancel);
    if report.outcome == Outcome::Cancelled(CancelReason::Requested) {
        return None;
    }
    Some(SearchedPosition { number, report })
}

/// Writes results until the first error.
struct Writer<'a> {
    answers: BatchAnswers<'a, Failure>,
    failure: Option<Failure>,
    /// Cancelled on the first error.
    stop: Cancel,
}

impl Writer<'_> {
    fn write(&mut self, searched: SearchedPosition) {
        let written = self.answers.record(searched);
        self.check(written);
    }

    /// Commits the journal, and passes on the results it contains.
    fn commit(&mut self) {
        if self.failure.is_none() {
            let passed_on = self.answers.commit();
            self.check(passed_on);
        }
    }

    fn check(&mut self, result: Result<(), Failure>) {
        if let Err(failure) = result {
            self.stop.cancel();
            self.failure.get_or_insert(failure);
        }
    }
}

impl ProgressObserver for &RefCell<Writer<'_>> {
    fn position_done(&mut self, searched: SearchedPosition) {
        self.borrow_mut().write(searched);
    }

    fn tick(&mut self) {
        let mut writer = self.borrow_mut();
        if writer.answers.until_due().is_zero() {
            writer.commit();
        }
    }
}
