//! `cosette-lab-mpi trace` records the cost of each root task of a solve: a [`Trace`].

use crate::position;
use clap::Args;
use cosette::cube::Cube;
use cosette::search::distributed::{
    Checkpoint, Executor, Iteration, Searcher, SearcherEvent, Tasks, ThreadExecutor, WorkControl,
    WorkResult, WorkUnit,
};
use cosette::search::{Options, Outcome, Report, SolutionCount, Solver, TwoPhaseMode};
use cosette::table::Table;
use cosette::{Cancel, ThreadCount};
use cosette_app::cli::args::{SolverArgs, length};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::interrupt::Interruptible;
use cosette_app::cli::lines;
use cosette_app::cli::solve::joined;
use cosette_app::events::{read_lines, write_line};
use cosette_mpi::world::World;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Costs of a solve by one thread, threshold by threshold. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// The traces in a file, one per line, at least one.
pub fn read(path: &Path) -> io::Result<Vec<Trace>> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let traces: Vec<Trace> = read_lines(path)?;
    let mut thresholds = traces
        .iter()
        .zip(1..)
        .flat_map(|(trace, line)| trace.thresholds.iter().map(move |of| (of, line)));
    match thresholds.find(|(threshold, _)| !threshold.is_valid()) {
        Some((Threshold { length, .. }, line)) => Err(invalid(format!(
            "line {line}: the lists of length {length} do not match"
        ))),
        None if traces.is_empty() => Err(invalid("it contains no traces".into())),
        None => Ok(traces),
    }
}

impl Threshold {
    /// Returns `true` if its lists are consistent.
    fn is_valid(&self) -> bool {
        let of_a_task =
            |&(task, nodes): &(usize, u64)| self.nodes.get(task).is_some_and(|&all| nodes <= all);
        self.work.len() == self.nodes.len() && self.solutions.iter().all(of_a_task)
    }
}

/// Record what each root task of a solve costs, for `cosette-lab-mpi simulate`
///
/// Each position is solved twice by one thread, all its solutions included: once as usual, for the
/// seconds of each threshold, and once task by task, for the nodes of each.
#[derive(Args)]
pub struct TraceArgs {
    /// The position; with - or without any, positions are read from standard input, one per line
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// Write the traces into this file, one JSON object per line [default: standard output]
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Search no longer solutions
    #[arg(long, value_name = "LENGTH", value_parser = length)]
    max_length: Option<u8>,
    /// The arguments of a solver.
    #[command(flatten)]
    pub solver: SolverArgs,
}

pub fn run(world: &World, args: &TraceArgs) -> Result<Exit, Failure> {
    if world.size() > 1 {
        let message = format!(
            "costs are recorded by one thread, but there are {} ranks",
            world.size()
        );
        return Err(Failure::new(message, "run the command without `mpirun`"));
    }
    let positions = positions(&args.position)?;
    let table = Arc::new(args.solver.open()?);
    let mut out: Box<dyn Write> = match &args.record {
        Some(path) => Box::new(File::create(path)?),
        None => Box::new(io::stdout()),
    };
    let work = Interruptible::start();
    for position in positions {
        let Some(trace) = record(&table, &position, args.max_length, &work.cancel) else {
            return Ok(Exit::Interrupted);
        };
        write_line(&mut out, &trace)?;
    }
    Ok(Exit::Success)
}

fn positions(words: &[String]) -> Result<Vec<Cube>, Failure> {
    if !words.is_empty() && words != ["-"] {
        return Ok(vec![position(
            joined(words)
                .unwrap_or_else(|several| several.exit())
                .into(),
        )?]);
    }
    lines::of_standard_input()?
        .map(|line| position(line?.into()))
        .collect()
}

/// The trace of a position up to this length; `None` if the user stops it.
pub fn record(
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

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::Control;
    use cosette::cube::{Metric, ParseOptions, parse_moves};
    use cosette::table::TableId;

    #[test]
    fn the_nodes_of_the_tasks_are_those_of_the_search_and_are_read_as_they_are_written() {
        let id = TableId {
            metric: Metric::Htm,
            size: "24M".parse().unwrap(),
        };
        let table = Arc::new(Table::generate(id, &Control::default()).unwrap());
        let moves = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";
        let position = parse_moves(moves, &ParseOptions::default())
            .unwrap()
            .position();
        let trace = record(&table, &position, None, &Cancel::new()).unwrap();
        let solver = Solver::new(table, ThreadCount::ONE);
        let options = Options {
            solution_count: SolutionCount::All,
            ..Options::default()
        };
        let report = solver.search(&position).options(options).run();
        assert_eq!(trace.solved, report.length());
        assert!(trace.thresholds.len() > 1, "the search is cut into tasks");
        for threshold in &trace.thresholds {
            let same = report
                .iterations
                .iter()
                .find(|same| same.length == threshold.length)
                .unwrap();
            assert_eq!(
                threshold.nodes.iter().sum::<u64>(),
                same.nodes,
                "length {}",
                same.length
            );
            let is_last = Some(threshold.length) == report.length();
            assert_eq!(!threshold.solutions.is_empty(), is_last);
        }
        // A trace is read as it was written, and only if its lists are consistent.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("traces");
        let mut invalid = trace.clone();
        invalid.thresholds[0].nodes.pop();
        let [line, invalid] = [&trace, &invalid].map(|trace| serde_json::to_string(trace).unwrap());
        let read_text = |text: &str| std::fs::write(&path, text).and_then(|()| read(&path));
        assert_eq!(
            read_text(&format!("{line}\n{line}\n")).unwrap(),
            [trace.clone(), trace]
        );
        for (text, refusal) in [
            (
                &*format!("{line}\n{invalid}\n"),
                "line 2: the lists of length",
            ),
            ("", "it contains no traces"),
            ("{}", "line 1: missing field"),
        ] {
            assert!(
                read_text(text)
                    .unwrap_err()
                    .to_string()
                    .starts_with(refusal),
                "{refusal}"
            );
        }
    }
}
