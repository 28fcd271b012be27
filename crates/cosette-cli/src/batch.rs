//! `cosette batch`: many positions with a journal, and the statistics of a journal.

use clap::{Args, Subcommand};
use cosette_app::batch::{LengthStats, Stats, histogram};
use cosette_app::cli::batch::{SharedBatchArgs, solve};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::events::write_line;
use cosette_app::units::{counted, grouped};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

/// Solve many positions, with a crash-safe journal
///
/// FILE has one position per line, in the formats of `cosette solve`. With --journal, every result
/// is stored in a file as soon as it is found: even if the command is killed, the next run resumes
/// from there and prints all results. A line that is not a valid position is reported; the others
/// are solved.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct BatchArgs {
    #[command(subcommand)]
    command: Option<BatchCommand>,
    #[command(flatten)]
    shared: SharedBatchArgs,
}

#[derive(Subcommand)]
enum BatchCommand {
    Stats(StatsArgs),
}

/// Show the statistics of a journal: lengths compared with those of all positions, nodes and times
#[derive(Args)]
struct StatsArgs {
    /// Journal of a batch
    #[arg(value_name = "JOURNAL")]
    journal: PathBuf,
    /// Write a histogram of the lengths to FILE, as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub fn run(args: &BatchArgs) -> Result<Exit, Failure> {
    match &args.command {
        Some(BatchCommand::Stats(args)) => show_stats(args),
        None => solve(&args.shared, || args.shared.with_threads()),
    }
}

fn show_stats(args: &StatsArgs) -> Result<Exit, Failure> {
    let stats = Stats::of_journal(&args.journal)?;
    let mut out = anstream::stdout();
    if args.json {
        write_line(&mut out, &stats)?;
    } else {
        write(&mut out, &stats)?;
    }
    if let Some(path) = &args.svg {
        if same_file::is_same_file(path, &args.journal).unwrap_or(false) {
            return Err(Failure::new(
                "the histogram would overwrite the journal",
                "use another file for --svg",
            ));
        }
        fs::write(path, histogram(&stats)).map_err(Failure::unwritable(path))?;
    }
    Ok(Exit::Success)
}

fn write(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    let Stats {
        metric,
        listed,
        answered,
        proven,
        carried_over,
        ..
    } = stats;
    let others = match answered < listed {
        true => "; the others are not searched yet, reached the time limit or cannot be read",
        false => "",
    };
    writeln!(
        out,
        "{answered} of {listed} positions answered, {proven} with a proven length in \
            {metric}{others}"
    )?;
    if let Some(goal) = &stats.goal {
        let moves = stats
            .allowed_moves
            .as_ref()
            .map(|moves| format!(", with {moves}"))
            .unwrap_or_default();
        writeln!(out, "the goal is {goal}{moves}")?;
    }
    if *carried_over > 0 {
        writeln!(
            out,
            "{carried_over} of them from an equivalent position (by symmetry or inversion)"
        )?;
    }
    if stats.lengths.is_empty() {
        return out.flush();
    }
    let is_of_goal = stats.known_mean_length.is_none();
    let all = if is_of_goal { "" } else { "  all positions" };
    writeln!(
        out,
        "\nlength  positions    share{all}    mean nodes  mean seconds"
    )?;
    for LengthStats {
        length,
        positions,
        share,
        known_share,
        mean_nodes,
        mean_seconds,
    } in &stats.lengths
    {
        let known = match is_of_goal {
            true => String::new(),
            false => format!(" {:>14}", known_share.map_or("?".into(), percent)),
        };
        let nodes = mean_nodes.map_or("-".into(), |nodes| grouped(nodes.round() as u64));
        let seconds = mean_seconds.map_or("-".into(), |seconds| format!("{seconds:.3}"));
        let share = percent(*share);
        writeln!(
            out,
            "{length:6} {positions:10} {share:>8}{known} {nodes:>13} {seconds:>13}"
        )?;
    }
    if let Some(mean) = stats.mean_length {
        let all = stats
            .known_mean_length
            .map(|all| format!("; of all positions {all:.3}"))
            .unwrap_or_default();
        writeln!(out, "\nmean length {mean:.3}{all}")?;
    }
    let (nodes, probes) = (counted(stats.nodes, "node"), counted(stats.probes, "probe"));
    writeln!(
        out,
        "{nodes}, {probes}, {:.1} s of search; longest search {:.1} s",
        stats.seconds, stats.longest_seconds
    )?;
    if let Some(rate) = stats.searched_a_second {
        writeln!(
            out,
            "{:.3} s per searched position, with {}",
            rate.recip(),
            tables(stats)
        )?;
    }
    out.flush()
}

fn tables(stats: &Stats) -> String {
    stats
        .tables
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ")
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".into(),
        _ if percent < 0.01 => format!("{percent:.0e} %"),
        _ => format!("{percent:.2} %"),
    }
}
