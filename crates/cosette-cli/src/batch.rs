//! `cosette batch`: many positions with a journal, and the statistics of a journal.

use clap::{Args, Subcommand};
use cosette_app::batch::{Stats, histogram};
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

/// Writes the statistics: the positions and their goal, the lengths, and the work.
fn write(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    let note = match stats.answered < stats.listed {
        true => "; the others are not searched yet, reached the time limit or cannot be read",
        false => "",
    };
    writeln!(
        out,
        "{} of {} positions answered, {} with a proven length in {}{note}",
        stats.answered, stats.listed, stats.proven, stats.metric
    )?;
    if let Some(goal) = &stats.goal {
        let moves = stats.allowed_moves.as_ref();
        let moves = moves.map_or(String::new(), |moves| format!(", with {moves}"));
        writeln!(out, "the goal is {goal}{moves}")?;
    }
    if stats.carried_over > 0 {
        let carried_over = stats.carried_over;
        writeln!(
            out,
            "{carried_over} of them from an equivalent position (by symmetry or inversion)"
        )?;
    }
    if !stats.lengths.is_empty() {
        write_lengths(out, stats)?;
        write_work(out, stats)?;
    }
    out.flush()
}

/// Writes the number of positions of each length, and the mean length.
fn write_lengths(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    // The mean length of all positions is known for full solves only.
    let known_mean = stats.known_mean_length;
    let known_heading = known_mean.map_or("", |_| "  all positions");
    writeln!(
        out,
        "\nlength  positions    share{known_heading}    mean nodes  mean seconds"
    )?;
    for row in &stats.lengths {
        let known_share = known_mean.map(|_| {
            let share = row.known_share.map_or("?".into(), percent);
            format!(" {share:>14}")
        });
        let nodes = row.mean_nodes;
        let nodes = nodes.map_or("-".into(), |nodes| grouped(nodes.round() as u64));
        let seconds = row.mean_seconds;
        let seconds = seconds.map_or("-".into(), |seconds| format!("{seconds:.3}"));
        writeln!(
            out,
            "{:6} {:10} {:>8}{} {nodes:>13} {seconds:>13}",
            row.length,
            row.positions,
            percent(row.share),
            known_share.unwrap_or_default()
        )?;
    }
    let Some(mean) = stats.mean_length else {
        return Ok(());
    };
    let known_note = known_mean.map_or(String::new(), |mean| {
        format!("; of all positions {mean:.3}")
    });
    writeln!(out, "\nmean length {mean:.3}{known_note}")
}

/// Writes the nodes, probes and times of the searches.
fn write_work(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    writeln!(
        out,
        "{}, {}, {:.1} s of search; longest search {:.1} s",
        counted(stats.nodes, "node"),
        counted(stats.probes, "probe"),
        stats.seconds,
        stats.longest_seconds
    )?;
    let Some(rate) = stats.searched_a_second else {
        return Ok(());
    };
    let tables: Vec<&str> = stats.tables.iter().map(String::as_str).collect();
    let seconds = rate.recip();
    let tables = tables.join(", ");
    writeln!(out, "{seconds:.3} s per searched position, with {tables}")
}

/// Formats a share in percent.
fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".into(),
        percent if percent < 0.01 => format!("{percent:.0e} %"),
        percent => format!("{percent:.2} %"),
    }
}
