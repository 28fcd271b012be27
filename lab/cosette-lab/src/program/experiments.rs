//! The experiments of the papers, one subcommand for each, and the report of all of them.

use crate::BUILD;
use clap::{Args, Subcommand};
use cosette_app::cli::args::{StoreArgs, exit_with_usage_error, seconds, whole_number};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::{Machine, now};
use cosette_app::cli::tables::{TableStore, with_progress};
use cosette_app::events::write_line;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{ExperimentOptions, Provenance, RunSize};
use cosette_lab::lab::Lab;
use cosette_lab::page::render_section;
use cosette_lab::papers::{PAPERS, Paper, PaperExperiment, RunExperiment, index};
use cosette_lab::record::Record;
use cosette_lab::stored_results::StoredResults;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The subcommands of the experiments.
#[derive(Subcommand)]
pub enum ExperimentCommand {
    /// All engines on the same positions: nodes, probes, seconds, memory
    #[command(after_help = experiments("engines"))]
    Engines(TimedArgs),
    /// Korf 1997: IDA* with pattern databases, and the law t = n/m
    #[command(after_help = experiments("korf"))]
    Korf(InstancesArgs),
    /// Fiat et al. 1989: bidirectional search without a stored frontier
    #[command(after_help = experiments("fiat"))]
    Fiat(PaperArgs),
    /// Reid 1997: distances to a subgroup along three axes, all shortest solutions
    #[command(after_help = experiments("reid"))]
    Reid(InstancesArgs),
    /// Nargolkar 2006: uninformed searches, and the log of Reid's search
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
    /// Distances of random positions, compared with the published numbers
    #[command(after_help = experiments("distances"))]
    Distances(TimedArgs),
    /// Symmetric positions: the 33 classes, and the farthest positions of the small ones
    #[command(after_help = experiments("symmetric"))]
    Symmetric(TimedArgs),
    /// Write a page for each paper from the stored records of its experiments
    Report(ReportArgs),
}

/// Returns the list of experiments of a paper, for the end of its help, with those that show
/// figures of earlier runs and the dates and machines of these runs.
fn experiments(paper: &str) -> String {
    let entries = Paper::named(paper).map_or(&[][..], |paper| paper.experiments);
    let lines: String = entries
        .iter()
        .map(|entry| format!("  {:18} {}\n", entry.name, entry.about))
        .collect();
    let long: Vec<&str> = entries
        .iter()
        .filter(|entry| !entry.kept.is_empty())
        .map(|entry| entry.name)
        .collect();
    let mut runs: Vec<String> = Vec::new();
    for run in entries
        .iter()
        .flat_map(|entry| entry.kept)
        .flat_map(|name| StoredResults::of_program(name).runs())
    {
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let names = long.join(", ");
    let runs = runs.join(" ");
    let kept = match &long[..] {
        [] => String::new(),
        _ => format!(
            "\n\nWithout --full, these use stored results of an earlier run, and all others are \
                computed now: {names}. {runs}"
        ),
    };
    format!(
        "Experiments:\n{lines}\nEach takes at most about a minute on two cores, with --full up to \
            a day.{kept}"
    )
}

/// The experiments to run, and the output.
#[derive(Args)]
pub struct PaperArgs {
    /// Experiments to run [default: all of the paper]
    #[arg(value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// Print JSON Lines, one object per experiment
    #[arg(long)]
    json: bool,
    /// Write the record of each experiment to a file in DIR, for the pages; results of long runs
    /// have files of their own (--results)
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    #[command(flatten)]
    conditions: ConditionArgs,
}

/// The conditions of experiments: size, seed, stored results and tables.
#[derive(Args)]
struct ConditionArgs {
    /// Run for a few minutes [default]
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// Run as much as the paper did, or as a day allows
    #[arg(long)]
    full: bool,
    /// Random seed of drawn positions [default: the seed of each experiment]
    #[arg(long, value_name = "NUMBER", value_parser = whole_number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Directory of the results of long runs: show those it contains, whatever the seed and the
    /// limits, or with --full resume them [default: with --full and lee, distances or symmetric,
    /// the directory of the tables]
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
}

/// The arguments of a paper with experiments that solve instances.
#[derive(Args)]
pub struct InstancesArgs {
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    search: InstanceSearchArgs,
}

/// The arguments of a page with fixed positions.
#[derive(Args)]
pub struct TimedArgs {
    #[command(flatten)]
    paper: PaperArgs,
    /// Stop a search after SECONDS and show the complete results: with `engines` for each engine
    /// and position, with `distances` for each metric
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

/// The instances to solve, and the limits of searches.
#[derive(Args, Default)]
struct InstanceSearchArgs {
    /// File of instances to solve, one scramble per line [default: random walks, from the seed]
    #[arg(long, value_name = "FILE")]
    instances: Option<PathBuf>,
    /// Stop a long search after about NODES generated nodes, e.g. 1e9, and show the complete
    /// results
    #[arg(long, value_name = "NODES", value_parser = count)]
    max_nodes: Option<u64>,
    /// Stop each long search, of one position and metric, after SECONDS, and show the complete
    /// results
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

impl InstanceSearchArgs {
    fn add_to(&self, request: ExperimentOptions) -> ExperimentOptions {
        let InstanceSearchArgs {
            instances,
            max_nodes,
            timeout,
        } = self;
        ExperimentOptions {
            instances: instances.clone(),
            max_nodes: *max_nodes,
            time: *timeout,
            ..request
        }
    }
}

/// The arguments of `cosette-lab report`.
#[derive(Args)]
pub struct ReportArgs {
    /// Papers to report on [default: all]
    #[arg(value_name = "PAPER")]
    papers: Vec<String>,
    /// Directory to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    store: StoreArgs,
}

/// Parses a count: 1000000, 1e9, 9.5e9.
fn count(text: &str) -> Result<u64, String> {
    let whole = text.parse::<u64>().ok();
    let rounded = || {
        text.parse::<f64>()
            .ok()
            .filter(|count| (0.0..1e19).contains(count))
            .map(|count| count as u64)
    };
    whole
        .or_else(rounded)
        .ok_or_else(|| "write a number, such as 1000000 or 1e9".into())
}

impl ConditionArgs {
    fn request(&self) -> ExperimentOptions {
        let effort = if self.full && !self.quick {
            RunSize::Full
        } else {
            RunSize::Quick
        };
        let origin = Provenance {
            date: now()[..10].to_owned(),
            commit: BUILD.commit.unwrap_or_default().to_owned(),
            machine: Machine::this().to_string(),
        };
        ExperimentOptions {
            seed: self.seed,
            origin,
            results: self.results.clone(),
            ..ExperimentOptions::new(effort)
        }
    }
}

/// Runs `job` in a lab with the tables of this store, and shows its progress on the terminal.
pub fn in_lab<T>(
    store: &TableStore,
    job: impl FnOnce(&Lab<'_>) -> Result<T, LabError>,
) -> Result<T, Failure> {
    Ok(with_progress(store.threads, |control| {
        job(&Lab {
            folder: &store.folder,
            control: control.clone(),
        })
    })?)
}

/// Runs the subcommand.
pub fn run(command: &ExperimentCommand) -> Result<Exit, Failure> {
    match command {
        ExperimentCommand::Engines(args) => run_timed("engines", args),
        ExperimentCommand::Korf(args) => run_paper("korf", &args.paper, Some(&args.search)),
        ExperimentCommand::Fiat(args) => run_paper("fiat", args, None),
        ExperimentCommand::Reid(args) => run_paper("reid", &args.paper, Some(&args.search)),
        ExperimentCommand::Nargolkar(args) => run_paper("nargolkar", args, None),
        ExperimentCommand::Thistlethwaite(args) => run_paper("thistlethwaite", args, None),
        ExperimentCommand::Kociemba(args) => run_paper("kociemba", args, None),
        ExperimentCommand::Lee(args) => run_paper("lee", args, None),
        ExperimentCommand::Distances(args) => run_timed("distances", args),
        ExperimentCommand::Symmetric(args) => run_timed("symmetric", args),
        ExperimentCommand::Report(args) => report(args),
    }
}

/// Runs a page whose searches take no limit but a time.
fn run_timed(
    paper: &str,
    TimedArgs {
        paper: args,
        timeout,
    }: &TimedArgs,
) -> Result<Exit, Failure> {
    run_paper(
        paper,
        args,
        Some(&InstanceSearchArgs {
            timeout: *timeout,
            ..InstanceSearchArgs::default()
        }),
    )
}

/// Ends the command if instances or limits are given that none of these experiments takes.
fn refuse_limits(search: &InstanceSearchArgs, entries: &[&PaperExperiment]) {
    let refuse = |option: &str, takes: fn(&PaperExperiment) -> bool| {
        if !entries.iter().any(|entry| takes(entry)) {
            let all = PAPERS.iter().flat_map(|paper| {
                paper
                    .experiments
                    .iter()
                    .map(move |entry| (paper.name, entry))
            });
            let all = all
                .filter(|(_, entry)| takes(entry))
                .map(|(paper, entry)| format!("{paper} {}", entry.name));
            exit_with_usage_error(&format!(
                "{option} applies only to {}",
                all.collect::<Vec<_>>().join(", ")
            ));
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
fn run_paper(
    paper: &str,
    args: &PaperArgs,
    search: Option<&InstanceSearchArgs>,
) -> Result<Exit, Failure> {
    let paper = Paper::named(paper).expect("the command has a subcommand for each paper");
    let entries = named(
        paper.experiments,
        &args.experiments,
        |entry| entry.name,
        "experiment",
    );
    if let Some(search) = search {
        refuse_limits(search, &entries);
    }
    let request = args.conditions.request();
    let request = search.map_or(request.clone(), |search| search.add_to(request));
    let store = args.conditions.store.resolve()?;
    if args.record.is_some()
        && BUILD
            .commit
            .is_some_and(|commit| commit.ends_with("-dirty"))
    {
        exit_with_usage_error(
            "--record takes a program that was built from a commit, which the records name; \
                commit the changes, and build again",
        );
    }
    for entry in entries {
        let record = in_lab(&store, |lab| entry.record(lab, &request))?;
        show_record(args, paper, entry, record, &store)?;
    }
    Ok(Exit::Success)
}

/// Shows the record of an experiment as its section of the page, or as JSON, and stores it.
fn show_record(
    args: &PaperArgs,
    paper: &Paper,
    entry: &PaperExperiment,
    record: Record,
    store: &TableStore,
) -> Result<(), Failure> {
    if let Some(directory) = &args.record
        && matches!(entry.run, RunExperiment::Record(_))
    {
        record.write(directory, paper.name, entry.name)?;
    }
    let mut out = anstream::stdout();
    if args.json {
        let line = json!({
            "experiment": entry.name, "origin": record.origin, "data": record.data,
        });
        write_line(&mut out, &line)?;
        return Ok(());
    }
    let mut records = in_lab(store, |lab| paper.records(lab))?;
    records.insert(entry.name, record);
    let origin = records[entry.name].origin.clone();
    writeln!(
        out,
        "{}\n{origin}\n",
        render_section(
            &paper.template().map_err(Failure::from)?,
            entry.name,
            &records
        )
    )?;
    Ok(())
}

/// Writes a page for each paper from its records, and the index.
fn report(args: &ReportArgs) -> Result<Exit, Failure> {
    let papers = named(PAPERS, &args.papers, |paper| paper.name, "paper");
    let store = args.store.resolve()?;
    let mut files = Vec::new();
    in_lab(&store, |lab| {
        for paper in papers {
            files.extend(paper.page(lab)?.write(&args.out)?);
        }
        files.extend(index()?.write(&args.out)?);
        Ok(())
    })?;
    for file in files {
        writeln!(anstream::stdout(), "{}", file.display())?;
    }
    Ok(Exit::Success)
}

/// Returns the items with these names, or all if there are no names. Ends the command if a name is
/// unknown.
fn named<T>(
    all: &'static [T],
    names: &[String],
    name_of: fn(&T) -> &str,
    kind: &str,
) -> Vec<&'static T> {
    let find = |name: &String| {
        all.iter()
            .find(|item| name_of(item) == name)
            .unwrap_or_else(|| {
                let known: Vec<&str> = all.iter().map(name_of).collect();
                exit_with_usage_error(&format!(
                    "unknown {kind} `{name}`; use one of {}",
                    known.join(", ")
                ))
            })
    };
    if names.is_empty() {
        all.iter().collect()
    } else {
        names.iter().map(find).collect()
    }
}
