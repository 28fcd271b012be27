//! The experiments of the papers, one subcommand for each, and the report of all of them.

use crate::BUILD;
use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use cosette_app::cli::args::{StoreArgs, exit_with_usage_error, seconds, whole_number};
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::cli::machine::{Machine, now};
use cosette_app::cli::tables::{TableStore, with_progress};
use cosette_app::events::write_line;
use cosette_lab::error::LabError;
use cosette_lab::experiment::{ExperimentOptions, Provenance, RunSize};
use cosette_lab::lab::Lab;
use cosette_lab::page::render_section;
use cosette_lab::papers::{PAPERS, Paper, PaperExperiment, index};
use cosette_lab::record::Record;
use cosette_lab::stored_results::StoredResults;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// The experiments of a paper: a subcommand for each paper.
pub struct PaperCommand {
    paper: &'static Paper,
    args: PaperArgs,
}

impl Subcommand for PaperCommand {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(PAPERS.iter().map(|paper| {
            let takes = |option: &str| {
                let mut entries = paper.experiments.iter();
                entries.any(|entry| entry.options.contains(&option))
            };
            let own = Command::new(paper.name)
                .about(paper.about)
                .after_help(experiments(paper));
            PaperArgs::augment_args(own)
                .mut_arg("instances", |arg| arg.hide(!takes("instances")))
                .mut_arg("max_nodes", |arg| arg.hide(!takes("max-nodes")))
                .mut_arg("timeout", |arg| arg.hide(!takes("timeout")))
        }))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        PaperCommand::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Paper::named(name).is_some()
    }
}

impl FromArgMatches for PaperCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PaperCommand, clap::Error> {
        let named = matches
            .subcommand()
            .and_then(|(name, args)| Some((Paper::named(name)?, args)));
        let (paper, args) = named.ok_or(clap::Error::new(ErrorKind::InvalidSubcommand))?;
        let args = PaperArgs::from_arg_matches(args)?;
        Ok(PaperCommand { paper, args })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = PaperCommand::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the list of experiments of a paper, for the end of its help, with those that show
/// figures of earlier runs and the dates and machines of these runs.
fn experiments(paper: &Paper) -> String {
    let entries = paper.experiments;
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
    /// File of instances to solve, one scramble per line [default: random walks, from the seed]
    #[arg(long, value_name = "FILE")]
    instances: Option<PathBuf>,
    /// Stop a long search after about NODES generated nodes, e.g. 1e9, and show the complete
    /// results
    #[arg(long, value_name = "NODES", value_parser = count)]
    max_nodes: Option<u64>,
    /// Stop each long search after SECONDS, and show the complete results: that of one position
    /// and metric, with `distances` that of all positions in one metric
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
    #[command(flatten)]
    store: StoreArgs,
}

/// Write a page for each paper from the stored records of its experiments
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

impl PaperArgs {
    fn request(&self) -> ExperimentOptions {
        ExperimentOptions {
            effort: match self.full {
                true => RunSize::Full,
                false => RunSize::Quick,
            },
            instances: self.instances.clone(),
            seed: self.seed,
            results: self.results.clone(),
            origin: Provenance {
                date: now()[..10].to_owned(),
                commit: BUILD.commit.unwrap_or_default().to_owned(),
                machine: Machine::this().to_string(),
            },
            max_nodes: self.max_nodes,
            time: self.timeout,
        }
    }

    /// Ends the command if an option is given that none of these experiments takes.
    fn check(&self, entries: &[&PaperExperiment]) {
        let given = [
            ("instances", self.instances.is_some()),
            ("max-nodes", self.max_nodes.is_some()),
            ("timeout", self.timeout.is_some()),
        ];
        for (option, is_given) in given {
            if is_given && !entries.iter().any(|entry| entry.options.contains(&option)) {
                let mut takers = Vec::new();
                for paper in PAPERS {
                    for entry in paper.experiments {
                        if entry.options.contains(&option) {
                            takers.push(format!("{} {}", paper.name, entry.name));
                        }
                    }
                }
                exit_with_usage_error(&format!("--{option} applies only to {}", takers.join(", ")));
            }
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

/// Runs the experiments, and shows each as soon as it is done.
pub fn run(PaperCommand { paper, args }: &PaperCommand) -> Result<Exit, Failure> {
    let entries = named(
        paper.experiments,
        &args.experiments,
        |entry| entry.name,
        "experiment",
    );
    args.check(&entries);
    let request = args.request();
    let store = args.store.resolve()?;
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
        && entry.kept.is_empty()
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
    let origin = record.origin.clone();
    records.insert(entry.name, record);
    let template = paper.template().map_err(Failure::from)?;
    let section = render_section(&template, entry.name, &records);
    writeln!(out, "{section}\n{origin}\n")?;
    Ok(())
}

/// Writes a page for each paper from its records, and the index.
pub fn report(args: &ReportArgs) -> Result<Exit, Failure> {
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
