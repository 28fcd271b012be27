//! `cosette lab report`: all experiments, a page for each paper.

use super::{ConditionArgs, SearchArgs};
use clap::Args;
use cosette_app::cli::args::usage;
use cosette_app::cli::exit::Exit;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::machine::circumstances;
use cosette_lab::papers::{PAPERS, Paper};
use cosette_lab::report;
use std::io::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct ReportArgs {
    /// The papers; all where none is named
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    conditions: ConditionArgs,
}

/// Runs the subcommand.
pub fn run(args: &ReportArgs) -> Result<Exit, Failure> {
    let unknown = |name: &String| -> &'static Paper {
        let there: Vec<&str> = PAPERS.iter().map(|paper| paper.name).collect();
        usage(&format!("there is no paper `{name}`; there are {}", there.join(", ")))
    };
    let papers: Vec<&Paper> = match &args.papers[..] {
        [] => PAPERS.iter().collect(),
        names => names.iter().map(|name| Paper::named(name).unwrap_or_else(|| unknown(name))).collect(),
    };
    let command = if args.conditions.full { "cosette lab report --full" } else { "cosette lab report" };
    let circumstances = format!("Written by `{command}`: {}.", circumstances(args.conditions.threads.count()));
    let mut out = anstream::stdout();
    let mut printed = Ok(());
    let request = args.search.add_to(args.conditions.request());
    args.conditions.in_lab(|lab| {
        report::write(lab, &request, &papers, &circumstances, &args.out, &mut |path| {
            printed = writeln!(out, "{}", path.display());
        })
    })?;
    printed?;
    Ok(Exit::Solved)
}
