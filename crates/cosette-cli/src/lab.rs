//! `cosette lab`: the systems that founded the field, and the tables of their papers.

use crate::BUILD;
use clap::{Args, Subcommand};
use cosette_app::cli::args::{StoreArgs, seconds, usage, whole_number};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::{Machine, now};
use cosette_app::cli::tables::{Store, with_progress};
use cosette_app::json;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{Effort, Origin, Request};
use cosette_lab::kept::Kept;
use cosette_lab::lab::Lab;
use cosette_lab::papers::{Entry, PAPERS, Paper};
use cosette_lab::report::{self, to_markdown};
pub use cosette_lab::{all_tables, lab::LabTable};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Run the systems that founded the field: their papers' tables, computed again
///
/// Each experiment recomputes a table or a claim of a paper and shows both figures side by side. What takes hours is
/// computed with --full; without it the figures of an earlier run are shown, and the output says which, and on which
/// machine they were computed. To solve a position with one of these systems, see `cosette solve --engine`.
#[derive(Args)]
pub struct LabArgs {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand)]
enum LabCommand {
    /// All engines on the same positions: nodes, probes, seconds, memory
    #[command(after_help = experiments("engines"))]
    Engines(TimedArgs),
    /// Korf 1997: IDA* with pattern databases, and the law t = n/m
    #[command(after_help = experiments("korf"))]
    Korf(InstancesArgs),
    /// Fiat and others 1989: bidirectional search that stores no frontier
    #[command(after_help = experiments("fiat"))]
    Fiat(PaperArgs),
    /// Reid 1997: distances to a subgroup along three axes, all shortest solutions
    #[command(after_help = experiments("reid"))]
    Reid(InstancesArgs),
    /// Nargolkar 2006: plain searches, and the log of Reid's search
    #[command(after_help = experiments("nargolkar"))]
    Nargolkar(PaperArgs),
    /// Thistlethwaite 1981: four stages through nested subgroups
    #[command(after_help = experiments("thistlethwaite"))]
    Thistlethwaite(PaperArgs),
    /// Kociemba 1992: two-phase search
    #[command(after_help = experiments("kociemba"))]
    Kociemba(PaperArgs),
    /// Lee 2013: bidirectional A* over positions stored on disk
    #[command(after_help = experiments("lee"))]
    Lee(PaperArgs),
    /// How far positions are: random ones beside the published numbers
    #[command(after_help = experiments("distances"))]
    Distances(TimedArgs),
    /// Positions that symmetries fix: the 33 classes, and the farthest of the small ones
    #[command(after_help = experiments("symmetric"))]
    Symmetric(TimedArgs),
    /// Run all experiments and write a page for each paper
    Report(ReportArgs),
}

/// The experiments of a paper, for the end of its help; which of them show figures that an earlier run has computed, and when and on
/// which machines that was.
fn experiments(paper: &str) -> String {
    let entries = Paper::named(paper).map_or(&[][..], |paper| paper.experiments);
    let lines: String = entries.iter().map(|entry| format!("  {:18} {}\n", entry.name, entry.about)).collect();
    let long: Vec<&str> = entries.iter().filter(|entry| !entry.kept.is_empty()).map(|entry| entry.name).collect();
    let mut runs: Vec<String> = Vec::new();
    for run in entries.iter().flat_map(|entry| entry.kept).flat_map(|name| Kept::of_program(name).runs()) {
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let (names, runs) = (long.join(", "), runs.join(" "));
    let kept = match &long[..] {
        [] => String::new(),
        _ => format!(
            "\n\nWithout --full these show figures that an earlier run computed, and all else is computed now: {names}. {runs}"
        ),
    };
    format!("Experiments:\n{lines}\nEach takes about a minute on two cores, or less; with --full up to a day.{kept}")
}

/// What is run, and how.
#[derive(Args)]
struct PaperArgs {
    /// The experiments [default: all of the paper]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// Print one JSON object per line, for each experiment
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    conditions: ConditionArgs,
}

/// How much is run, and with what.
#[derive(Args)]
struct ConditionArgs {
    /// Run what takes some minutes [default]
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run as much as the paper did, or as much as a day allows
    #[arg(long)]
    full: bool,
    /// The random seed of positions that are drawn [default: that of each experiment]
    #[arg(long, value_name = "NUMBER", value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// The folder of the results of long runs: show those it has, whatever the seed and the limits, or with --full continue them
    /// [default: with --full and lee, distances or symmetric that of the tables]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
}

/// A paper with experiments that solve instances.
#[derive(Args)]
struct InstancesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// A page whose positions are its own.
#[derive(Args)]
struct TimedArgs {
    #[command(flatten)]
    paper: PaperArgs,
    /// When searching, end after this time: with `engines` for each engine and position, with `distances` for each metric; show what
    /// is complete
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

/// What is solved, and for how long.
#[derive(Args, Default)]
struct SearchArgs {
    /// The instances to solve, one scramble per line [default: random walks, from the seed]
    #[arg(long, value_name = "FILE")]
    instances: Option<PathBuf>,
    /// End a long search after about this many generated nodes, and show what is complete
    #[arg(long, value_name = "NODES", value_parser = count)]
    max_nodes: Option<u64>,
    /// End each long search after this time, one of each position and metric, and show what is complete
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl SearchArgs {
    fn add_to(&self, request: Request) -> Request {
        let SearchArgs { instances, max_nodes, timeout } = self;
        Request { instances: instances.clone(), max_nodes: *max_nodes, time: *timeout, ..request }
    }
}

/// The papers to report.
#[derive(Args)]
struct ReportArgs {
    /// The papers [default: all]
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

/// Reads a count: 1000000, 1e9, 9.5e9.
fn count(text: &str) -> Result<u64, String> {
    let whole = text.parse::<u64>().ok();
    let rounded = || text.parse::<f64>().ok().filter(|count| (0.0..1e19).contains(count)).map(|count| count as u64);
    whole.or_else(rounded).ok_or_else(|| "write a number, as in 1000000 or 1e9".into())
}

impl ConditionArgs {
    fn request(&self) -> Request {
        let effort = if self.full && !self.quick { Effort::Full } else { Effort::Quick };
        let origin = Origin {
            date: now()[..10].to_owned(),
            commit: BUILD.commit.unwrap_or_default().to_owned(),
            machine: Machine::this().to_string(),
        };
        Request { seed: self.seed, origin, results: self.results.clone(), ..Request::new(effort) }
    }
}

/// Runs `job` in a lab with the tables of this store, and shows its progress on the terminal.
pub fn in_lab<T>(store: &Store, job: impl FnOnce(&Lab<'_>) -> Result<T, LabError>) -> Result<T, Failure> {
    Ok(with_progress(store.threads, |control| job(&Lab { folder: &store.folder, control: control.clone() }))?)
}

/// Generates a table of the lab into its file.
pub fn generate(store: &Store, table: &dyn LabTable) -> Result<(), Failure> {
    in_lab(store, |lab| lab.generate(table))
}

/// Checks a table of the lab completely.
pub fn verify(store: &Store, table: &dyn LabTable) -> Result<(), Failure> {
    in_lab(store, |lab| lab.verify(table))
}

/// Runs the subcommand.
pub fn run(args: &LabArgs) -> Result<Exit, Failure> {
    match &args.command {
        LabCommand::Engines(args) => run_timed("engines", args),
        LabCommand::Korf(args) => run_paper("korf", &args.paper, Some(&args.search)),
        LabCommand::Fiat(args) => run_paper("fiat", args, None),
        LabCommand::Reid(args) => run_paper("reid", &args.paper, Some(&args.search)),
        LabCommand::Nargolkar(args) => run_paper("nargolkar", args, None),
        LabCommand::Thistlethwaite(args) => run_paper("thistlethwaite", args, None),
        LabCommand::Kociemba(args) => run_paper("kociemba", args, None),
        LabCommand::Lee(args) => run_paper("lee", args, None),
        LabCommand::Distances(args) => run_timed("distances", args),
        LabCommand::Symmetric(args) => run_timed("symmetric", args),
        LabCommand::Report(args) => report(args),
    }
}

/// A page whose searches take a time alone.
fn run_timed(paper: &str, TimedArgs { paper: args, timeout }: &TimedArgs) -> Result<Exit, Failure> {
    run_paper(paper, args, Some(&SearchArgs { timeout: *timeout, ..SearchArgs::default() }))
}

/// Ends the command if instances or limits are given that none of these experiments takes.
fn refuse_limits(search: &SearchArgs, entries: &[&Entry]) {
    let refuse = |option: &str, takes: fn(&Entry) -> bool| {
        if !entries.iter().any(|entry| takes(entry)) {
            let all = PAPERS.iter().flat_map(|paper| paper.experiments.iter().map(move |entry| (paper.name, entry)));
            let all = all.filter(|(_, entry)| takes(entry)).map(|(paper, entry)| format!("{paper} {}", entry.name));
            usage(&format!("{option} is for {}", all.collect::<Vec<_>>().join(", ")));
        }
    };
    if search.instances.is_some() {
        refuse("--instances", |entry| entry.takes_instances);
    }
    if search.max_nodes.is_some() {
        refuse("--max-nodes", |entry| entry.takes_max_nodes);
    }
    if search.timeout.is_some() {
        refuse("--timeout", |entry| entry.takes_time);
    }
}

/// Shows each experiment as soon as it is done.
fn run_paper(paper: &str, args: &PaperArgs, search: Option<&SearchArgs>) -> Result<Exit, Failure> {
    let paper = Paper::named(paper).expect("the command has a subcommand for each paper");
    let entries = named(paper.experiments, &args.experiments, |entry| entry.name, "experiment");
    if let Some(search) = search {
        refuse_limits(search, &entries);
    }
    let request = args.conditions.request();
    let request = search.map_or(request.clone(), |search| search.add_to(request));
    let store = args.conditions.store.resolve()?;
    let mut out = anstream::stdout();
    for entry in entries {
        let experiment = in_lab(&store, |lab| entry.compute(lab, &request))?;
        if args.json {
            json::write_line(&mut out, &experiment)?;
        } else {
            writeln!(out, "{}", to_markdown(&experiment, 1, &|_| None))?;
            if let Some(note) = experiment.kept_note() {
                writeln!(out, "{note}\n")?;
            }
            if !experiment.plots.is_empty() {
                writeln!(out, "`cosette lab report {} --out DIR` draws the plots of this experiment.\n", paper.name)?;
            }
        }
    }
    Ok(Exit::Solved)
}

/// Writes a page for each paper.
fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let papers = named(PAPERS, &args.papers, |paper| paper.name, "paper");
    refuse_limits(&args.search, &papers.iter().flat_map(|paper| paper.experiments).collect::<Vec<_>>());
    let command = if args.conditions.full { "cosette lab report --full" } else { "cosette lab report" };
    let store = args.conditions.store.resolve()?;
    let circumstances = format!("Written by `{command}`: {}.", BUILD.circumstances(store.threads));
    let request = args.search.add_to(args.conditions.request());
    let mut printed = Ok(());
    in_lab(&store, |lab| {
        report::write(lab, &request, &papers, &circumstances, &args.out, &mut |path| {
            printed = writeln!(anstream::stdout(), "{}", path.display());
        })
    })?;
    printed?;
    Ok(Exit::Solved)
}

/// The items with these names; all if there are no names. Ends the command if a name is unknown.
fn named<T>(all: &'static [T], names: &[String], name_of: fn(&T) -> &str, kind: &str) -> Vec<&'static T> {
    let find = |name: &String| {
        all.iter().find(|item| name_of(item) == name).unwrap_or_else(|| {
            let known: Vec<&str> = all.iter().map(name_of).collect();
            usage(&format!("there is no {kind} `{name}`; the names are {}", known.join(", ")))
        })
    };
    if names.is_empty() { all.iter().collect() } else { names.iter().map(find).collect() }
}
