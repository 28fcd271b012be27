//! `scaling trace` records the cost of each root task of a solve: a [`Trace`].

use clap::Args;
use cosette::cube::{Cube, ParseOptions, parse_position};
use cosette::search::distributed::{
    Checkpoint, Executor, Iteration, Searcher, SearcherEvent, Tasks, ThreadExecutor, WorkControl,
    WorkResult, WorkUnit,
};
use cosette::search::{Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode};
use cosette::table::Table;
use cosette::{Cancel, ThreadCount};
use cosette_app::cli::args::{SolverArgs, length};
use cosette_app::cli::failure::{Exit, Failure, InputText};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::events::write_line;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Costs of a solve by one thread, threshold by threshold. Times are in seconds.
#[derive(Serialize, Deserialize)]
pub struct Trace {
    /// The position, as 54 facelets.
    pub position: String,
    pub table: String,
    /// The order of the position's stabilizer.
    pub symmetries: usize,
    /// The length of its solutions, if they were reached.
    pub solved: Option<u8>,
    /// Elapsed time of the solve, including all solutions of the last length.
    pub seconds: f64,
    /// Time to split the position into root tasks.
    pub cut: f64,
    /// The thresholds that were cut into root tasks, each searched to its end. Those before them
    /// take a millisecond together.
    pub thresholds: Vec<Threshold>,
}

/// A threshold that was cut into root tasks. The lists follow the order in which a thread takes the
/// tasks.
#[derive(Default, Serialize, Deserialize)]
pub struct Threshold {
    /// The length of the solutions that were searched.
    pub length: u8,
    /// Time of one thread for all tasks, in its usual order.
    pub seconds: f64,
    /// The work in each task, predicted by the last threshold.
    pub work: Vec<u64>,
    /// The nodes in each task.
    pub nodes: Vec<u64>,
    /// The places of tasks with solutions, and the nodes in each until the first of them.
    pub solutions: Vec<(usize, u64)>,
}

/// Record what each root task of the positions on standard input costs
///
/// Each position is solved twice by one thread, all its solutions included: once as usual, for the
/// seconds of each threshold, and once task by task, for the nodes of each.
#[derive(Args)]
pub struct TraceArgs {
    /// Write the traces into this file, one JSON object per line [default: standard output]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Search no longer solutions
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    max_length: Option<u8>,
    /// The arguments of a solver.
    #[command(flatten)]
    solver: SolverArgs,
}

pub fn run(args: &TraceArgs) -> Result<Exit, Failure> {
    let table = Arc::new(args.solver.open()?);
    let mut out: Box<dyn Write> = match &args.record {
        Some(path) => Box::new(File::create(path)?),
        None => Box::new(io::stdout()),
    };
    let work = Interruptible::start();
    for line in lines::of_standard_input()? {
        let text = InputText::from(line?);
        let read = text.read(|text| parse_position(text, None, &ParseOptions::default()))?;
        let Some(trace) = record(&table, &read.cube, args.max_length, &work.cancel) else {
            return Ok(Exit::Interrupted);
        };
        write_line(&mut out, &trace)?;
    }
    Ok(Exit::Success)
}

/// The trace of a position up to this length; `None` if the user stops it.
fn record(
    table: &Arc<Table>,
    position: &Cube,
    max_length: Option<u8>,
    cancel: &Cancel,
) -> Option<Trace> {
    let solver = Solver::new(Arc::clone(table), ThreadCount::ONE);
    let options = Options {
        solution_count: SolutionCount::All,
        max_length,
        two_phase: TwoPhaseMode::Off,
        ..Options::default()
    };
    let whole: Report = solver
        .search(position)
        .options(options)
        .with_cancel(cancel)
        .run();
    let mut recorder = Recorder::new(table, position);
    let search = solver.search(position).options(options).with_cancel(cancel);
    let (apart, _) = search.resume_with(&mut recorder, Checkpoint::default());
    if [&whole, &apart]
        .iter()
        .any(|report| matches!(report.outcome, Outcome::Cancelled(_)))
    {
        return None;
    }
    for recorded in &mut recorder.thresholds {
        let same = whole
            .iterations
            .iter()
            .find(|threshold| threshold.length == recorded.length);
        let same = same.expect("both searches go through the same lengths");
        assert_eq!(
            recorded.nodes.iter().sum::<u64>(),
            same.nodes,
            "nodes of length {}",
            same.length
        );
        recorded.seconds = same.elapsed.as_secs_f64();
    }
    Some(Trace {
        position: position.facelets(),
        table: table.id().to_string(),
        symmetries: whole.symmetry_count,
        solved: whole.length(),
        seconds: whole.elapsed.as_secs_f64(),
        cut: recorder.cut,
        thresholds: recorder.thresholds,
    })
}

/// Searches task by task and records the nodes of each.
struct Recorder {
    table: Arc<Table>,
    tasks: Tasks,
    /// Time to split the position.
    cut: f64,
    searcher: Searcher,
    alone: ThreadExecutor,
    thresholds: Vec<Threshold>,
}

impl Recorder {
    fn new(table: &Arc<Table>, position: &Cube) -> Recorder {
        let start = Instant::now();
        let tasks = Tasks::of(position, table);
        Recorder {
            table: Arc::clone(table),
            tasks,
            cut: start.elapsed().as_secs_f64(),
            searcher: Searcher::default(),
            alone: ThreadExecutor::new(ThreadCount::ONE),
            thresholds: Vec::new(),
        }
    }

    /// Searches a part; whether a solution was found. With `stops`, the search stops there.
    fn search(
        &mut self,
        iteration: &Iteration<'_>,
        part: WorkUnit,
        stops: bool,
    ) -> (WorkResult, bool) {
        let control = WorkControl::default();
        let found = Cell::new(false);
        let on_event = |event: SearcherEvent<'_>| {
            if let SearcherEvent::Solution(moves) = event {
                iteration.add_solution(moves);
                found.set(true);
                if stops {
                    control.stop.cancel();
                }
            }
        };
        let job = (iteration.length(), part);
        let result = self
            .searcher
            .search((&self.table, &self.tasks), job, &control, &on_event);
        iteration.add_counts(result.counts);
        result
            .priority
            .iter()
            .for_each(|&(task, priority)| iteration.add_priority(task, priority));
        (result, found.get())
    }
}

impl Executor for Recorder {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split() {
            return self.alone.search(iteration);
        }
        let mut threshold = Threshold {
            length: iteration.length(),
            ..Threshold::default()
        };
        let tasks = &iteration.remaining().tasks;
        for (at, &task) in tasks.iter().enumerate() {
            if iteration.is_stopped() {
                return WorkUnit {
                    tasks: tasks[at..].to_vec(),
                    nodes: Vec::new(),
                };
            }
            let (result, is_found) = self.search(
                iteration,
                WorkUnit {
                    tasks: vec![task],
                    nodes: Vec::new(),
                },
                true,
            );
            let mut nodes = result.counts.nodes;
            if is_found {
                threshold.solutions.push((at, nodes));
                nodes += self.search(iteration, result.left, false).0.counts.nodes;
            }
            threshold
                .work
                .push(iteration.work_in_first(at + 1) - iteration.work_in_first(at));
            threshold.nodes.push(nodes);
        }
        self.thresholds.push(threshold);
        WorkUnit::default()
    }
}
