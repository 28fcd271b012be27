//! `cosette lab`: the systems that founded the field, and the tables of their papers.

mod report;

use clap::{Args, Subcommand};
use cosette::ThreadCount;
use cosette::table::TableFolder;
use cosette_app::cli::args::{FolderArgs, ThreadArgs, seconds, usage};
use cosette_app::cli::exit::Exit;
use cosette_app::cli::failure::Failure;
use cosette_app::cli::store::with_progress;
use cosette_app::json;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{Effort, Request};
use cosette_lab::lab::Lab;
use cosette_lab::papers::{Entry, Paper};
use cosette_lab::report::to_markdown;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Run the systems that founded the field: their papers' tables, computed again
///
/// Each paper has experiments: what a table or a claim of it comes to when it is computed again, beside what it prints. To
/// solve a position by one of these systems, see `cosette solve --engine`.
#[derive(Args)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    /// Korf 1997: IDA* with pattern databases, and the law t = n/m
    Korf(InstancesArgs),
    /// Fiat and others 1989: bidirectional search that stores no frontier
    Fiat(PaperArgs),
    /// Reid 1997: distances to a subgroup along three axes, all shortest solutions
    Reid(InstancesArgs),
    /// Nargolkar 2006: plain searches, and the log of Reid's search
    Thesis(PaperArgs),
    /// Thistlethwaite 1981: four stages through nested subgroups
    Thistlethwaite(PaperArgs),
    /// Kociemba 1992: two-phase search
    Kociemba(PaperArgs),
    /// Lee 2013: bidirectional A* over positions stored on disk
    Lee(PaperArgs),
    /// Run all experiments and write a page for each paper
    Report(report::ReportArgs),
}

/// What is run, and how.
#[derive(Args)]
struct PaperArgs {
    /// The experiments; all of the paper where none is named
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// One JSON object a line, an experiment each
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    conditions: ConditionArgs,
}

/// Where and with what the lab works.
#[derive(Args)]
struct ConditionArgs {
    /// Run what fits some minutes, as without this [default]
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run as much as the paper did, or as fits a day
    #[arg(long)]
    full: bool,
    /// Where chance starts from
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    folder: FolderArgs,
}

/// A paper with experiments that solve instances.
#[derive(Args)]
struct InstancesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// What is solved, and for how long.
#[derive(Args)]
struct SearchArgs {
    /// The instances to solve, a scramble a line [default: random walks, from the seed]
    #[arg(long, value_name = "FILE")]
    instances: Option<PathBuf>,
    /// Keep complete iterations of Korf's instances in this file, and go on from there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// End the search of Korf's instances once so many nodes are generated, and show what is complete
    #[arg(long, value_name = "NODES", value_parser = count)]
    max_nodes: Option<u64>,
    /// End the search of Korf's instances after this time, and show what is complete
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl SearchArgs {
    fn add_to(&self, request: Request) -> Request {
        let SearchArgs { instances, checkpoint, max_nodes, timeout } = self;
        let (instances, checkpoint) = (instances.clone(), checkpoint.clone());
        Request { instances, checkpoint, max_nodes: *max_nodes, time: *timeout, ..request }
    }
}

/// Reads a count: 1000000, 1e9, 9.5e9.
fn count(text: &str) -> Result<u64, String> {
    let whole = text.parse::<u64>().ok();
    let rounded = || text.parse::<f64>().ok().filter(|count| (0.0..1e19).contains(count)).map(|count| count as u64);
    whole.or_else(rounded).ok_or_else(|| "write a number, as in 1000000 or 1e9".into())
}

impl ConditionArgs {
    fn request(&self) -> Request {
        let effort = if self.full && !self.quick { Effort::Full } else { Effort::Quick };
        Request { seed: self.seed, ..Request::new(effort) }
    }

    /// Does `job` in a lab, with its steps on the terminal.
    fn in_lab<T>(&self, job: impl FnOnce(&Lab<'_>) -> Result<T, LabError>) -> Result<T, Failure> {
        work(&self.folder.folder()?, self.threads.count(), job)
    }
}

/// Does `job` in a lab that keeps its tables in this folder, with its steps on the terminal.
pub fn work<T>(
    folder: &TableFolder,
    threads: ThreadCount,
    job: impl FnOnce(&Lab<'_>) -> Result<T, LabError>,
) -> Result<T, Failure> {
    Ok(with_progress(threads, |control| job(&Lab { folder, control: control.clone() }))?)
}

/// Runs the subcommand.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    match &args.command {
        LabCommand::Korf(args) => run_paper("korf", &args.paper, args.search.add_to(args.paper.conditions.request())),
        LabCommand::Fiat(args) => run_paper("fiat", args, args.conditions.request()),
        LabCommand::Reid(args) => run_paper("reid", &args.paper, args.search.add_to(args.paper.conditions.request())),
        LabCommand::Thesis(args) => run_paper("thesis", args, args.conditions.request()),
        LabCommand::Thistlethwaite(args) => run_paper("thistlethwaite", args, args.conditions.request()),
        LabCommand::Kociemba(args) => run_paper("kociemba", args, args.conditions.request()),
        LabCommand::Lee(args) => run_paper("lee", args, args.conditions.request()),
        LabCommand::Report(args) => report::run(args),
    }
}

/// Shows each experiment as soon as it is there.
fn run_paper(paper: &str, args: &PaperArgs, request: Request) -> Result<Exit, Failure> {
    let paper = Paper::named(paper).expect("the command has a subcommand for each paper");
    let entries = chosen(paper, &args.experiments);
    let mut out = anstream::stdout();
    for entry in &entries {
        let experiment = args.conditions.in_lab(|lab| (entry.run)(lab, &request))?;
        if args.json {
            json::write_line(&mut out, &experiment)?;
        } else {
            writeln!(out, "{}", to_markdown(&experiment, 1, &|plot| format!("{}.svg", plot.name)))?;
        }
    }
    Ok(Exit::Solved)
}

/// The experiments of these names; all where none is named. Ends the command where there is no such experiment.
fn chosen(paper: &'static Paper, names: &[String]) -> Vec<&'static Entry> {
    let unknown = |name: &String| -> &'static Entry {
        let there: Vec<&str> = paper.experiments.iter().map(|entry| entry.name).collect();
        usage(&format!("{} has no experiment `{name}`; there are {}", paper.title, there.join(", ")))
    };
    match names {
        [] => paper.experiments.iter().collect(),
        names => names.iter().map(|name| paper.experiment(name).unwrap_or_else(|| unknown(name))).collect(),
    }
}
