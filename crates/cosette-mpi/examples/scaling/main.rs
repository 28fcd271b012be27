//! A simulation of `cosette-mpi solve` on more cores than we have, from the recorded costs of real
//! solves: the figures of docs/mpi-scaling.md.
//!
//! ```text
//! scaling trace --record FILE < POSITIONS    records the nodes of each root task
//! scaling simulate FILE…                     prints speedup and efficiency by cores and latency
//! ```
//!
//! | split | contents |
//! |---|---|
//! | static | each core an equal part of the tasks of a threshold, dealt in advance |
//! | dynamic | leases from a coordinator, long ones shared: the dispatcher of `cosette-mpi` |
//!
//! Messages take time to arrive, keep the coordinator busy, and wait until a rank polls for them.
//!
//! | file | contents |
//! |---|---|
//! | `trace` | the recorded costs, and the command that records them |
//! | `model` | the work and the messages, as the simulation sees them; the static split |
//! | `coordinator`, `rank` | the dynamic split: the coordinator, and the ranks with their cores |

mod coordinator;
mod model;
mod rank;
mod trace;

use clap::{Parser, Subcommand};
use cosette::search::SolutionCount;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::events::read_lines;
use model::{Nanos, Network, Solve};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use trace::{Trace, TraceArgs};

/// Record solves, and simulate them on many cores.
#[derive(Parser)]
#[command(name = "scaling")]
struct Scaling {
    #[command(subcommand)]
    command: ScalingCommand,
}

#[derive(Subcommand)]
enum ScalingCommand {
    Trace(TraceArgs),
    /// Simulate recorded solves on many cores; the solves of a file are run one after the other
    Simulate {
        /// Read these traces
        #[arg(value_name = "FILE", required = true)]
        traces: Vec<PathBuf>,
    },
}

/// The simulated numbers of cores.
const CORES: [usize; 6] = [1, 2, 8, 64, 512, 4096];
/// The simulated latencies of a message, in nanoseconds.
const LATENCIES: [Nanos; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// The latency at which all splits are shown.
const USUAL_LATENCY: Nanos = LATENCIES[1];
/// Number of threads of a rank, as on a machine of a cluster.
const THREADS: usize = 64;

fn main() -> ExitCode {
    let Scaling { command } = Scaling::parse();
    cosette_app::cli::start(0);
    cosette_app::cli::finish(match command {
        ScalingCommand::Trace(args) => trace::run(&args),
        ScalingCommand::Simulate { traces } => simulate(&traces),
    })
}

fn simulate(files: &[PathBuf]) -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    for file in files {
        let traces: Vec<Trace> = read_lines(file)?;
        let solves: Vec<Solve> = traces.iter().map(Solve::of).collect();
        writeln!(out, "## {}\n", file.display())?;
        let are_solved = traces.iter().all(|trace| trace.solved.is_some());
        let wanted = [SolutionCount::All, SolutionCount::ONE];
        for &wanted in &wanted[..1 + usize::from(are_solved)] {
            let name = match wanted {
                SolutionCount::All => "All solutions, every threshold complete",
                SolutionCount::AtMost(_) => "To the first solution",
            };
            writeln!(out, "{name}: efficiency in %, and seconds\n")?;
            write_by_cores(&mut out, &solves, wanted)?;
            writeln!(
                out,
                "Dynamic split, 64 threads a rank, by latency: efficiency in %\n"
            )?;
            write_by_latency(&mut out, &solves, wanted)?;
        }
        writeln!(
            out,
            "All solutions, one thread a rank, latency 1 µs, in seconds\n"
        )?;
        write_positions(&mut out, &traces, &solves)?;
    }
    Ok(Exit::Success)
}

fn write_by_cores(out: &mut impl Write, solves: &[Solve], wanted: SolutionCount) -> io::Result<()> {
    writeln!(
        out,
        "| cores | static, cyclic | dynamic, 1 thread a rank | dynamic, 64 threads a rank \
            | speedup | seconds | coordinator busy, % |\n|--:|--:|--:|--:|--:|--:|--:|"
    )?;
    let alone: Nanos = solves.iter().map(|solve| solve.by_one_thread(wanted)).sum();
    for cores in CORES {
        let percent = |time: Nanos| 100.0 * alone as f64 / (cores as f64 * time as f64);
        let network = |threads| Network::new(cores, threads, USUAL_LATENCY);
        let fixed = solves
            .iter()
            .map(|solve| solve.by_static_split(wanted, &network(1)));
        let [single, many] = [1, THREADS].map(|threads| dynamic(solves, wanted, &network(threads)));
        writeln!(
            out,
            "| {cores} | {:.1} | {:.1} | {:.1} | {:.1} | {:.3} | {:.1} |",
            percent(fixed.sum()),
            percent(single.time),
            percent(many.time),
            alone as f64 / many.time as f64,
            many.time as f64 / 1e9,
            100.0 * many.busy as f64 / many.time as f64,
        )?;
    }
    writeln!(out)
}

fn write_by_latency(
    out: &mut impl Write,
    solves: &[Solve],
    wanted: SolutionCount,
) -> io::Result<()> {
    writeln!(out, "| latency, µs | cores | efficiency |\n|--:|--:|--:|")?;
    let alone: Nanos = solves.iter().map(|solve| solve.by_one_thread(wanted)).sum();
    for latency in LATENCIES {
        for &cores in &CORES[2..] {
            let time = dynamic(solves, wanted, &Network::new(cores, THREADS, latency)).time;
            let percent = 100.0 * alone as f64 / (cores as f64 * time as f64);
            writeln!(out, "| {} | {cores} | {percent:.1} |", latency / 1_000)?;
        }
    }
    writeln!(out)
}

/// The seconds of each position, to be compared with those of `cosette-mpi solve --all --json`.
fn write_positions(out: &mut impl Write, traces: &[Trace], solves: &[Solve]) -> io::Result<()> {
    writeln!(out, "| position | 1 rank | 2 ranks |\n|---|--:|--:|")?;
    for (trace, solve) in traces.iter().zip(solves) {
        let [one, two] = [1, 2].map(|ranks| {
            let network = Network::new(ranks, 1, LATENCIES[0]);
            coordinator::outcome(solve, SolutionCount::All, &network).time as f64 / 1e9
        });
        writeln!(out, "| {} | {one:.2} | {two:.2} |", trace.position)?;
    }
    writeln!(out)
}

/// Simulates all solves by the dynamic split, one after the other.
fn dynamic(
    solves: &[Solve],
    wanted: SolutionCount,
    network: &Network,
) -> coordinator::SimulatedSolve {
    let mut sum = coordinator::SimulatedSolve::default();
    for solve in solves {
        let outcome = coordinator::outcome(solve, wanted, network);
        sum.time += outcome.time;
        sum.busy += outcome.busy;
        sum.searched += outcome.searched;
    }
    sum
}
