//! The command-line tool `cosette`. The subcommand `solve` and the code that subcommands share are
//! in `cosette_app::cli`.
//!
//! | file | contents |
//! |---|---|
//! | `batch` | `cosette batch`, and the statistics of a journal |
//! | `table_commands` | `cosette tables`: listing, generating, verifying, removing |
//! | `bench`, `bench/search` | `cosette bench`: measurements of this machine |
//! | `check` | `cosette check`: results of any solver and folders of levels, verified |
//! | `coset` | `cosette coset`: distances of all positions of a coset |
//! | `dataset` | `cosette dataset`: positions with proven distances |
//! | `fmc` | `cosette fmc`: fewest-moves skeletons |
//! | `review` | `cosette review`: the proven distances along a solution |
//! | `scramble` | `cosette scramble`: random positions, random sequences and scrambles of a case |
//! | `manual` | `cosette completions` and `cosette man` |

mod batch;
mod bench;
mod check;
mod coset;
mod dataset;
mod fmc;
mod manual;
mod review;
mod scramble;
mod table_commands;

use clap::{Parser, Subcommand};
use cosette_app::cli::machine::Build;
use cosette_app::cli::solve::SharedSolveArgs;
use cosette_app::cli::{self, failure::EXIT_CODES};
use std::process::ExitCode;

/// The commit and the compiler of this build.
const BUILD: Build = Build::new(option_env!("COSETTE_COMMIT"), env!("COSETTE_RUSTC"));

/// Optimal Rubik's Cube solver: finds a shortest solution of any position and proves it optimal.
///
/// The first solve generates a pruning table of 190 MB in a few seconds and saves it.
/// `cosette tables gen 1.5G` generates a table that makes solving about eight times as fast.
#[derive(Parser)]
#[command(name = "cosette", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cosette {
    #[command(subcommand)]
    command: CosetteCommand,
    /// Log to standard error; -vv logs more
    #[arg(short, long, global = true, display_order = 100, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(flatten)]
    color: cli::ColorArgs,
}

#[derive(Subcommand)]
enum CosetteCommand {
    /// Find a shortest solution and prove it optimal
    ///
    /// POSITION can be a scramble (R U2 F', wide moves, slices, rotations, groups), 54 facelets in
    /// any colors (faces in the order U R F D L B), Reid notation (twenty pieces) or Speffz cycles,
    /// which show where the pieces of a solved cube go: the position after U is `corners: (A B C D)
    /// edges: (A B C D)`.
    ///
    /// Without POSITION, one position per line is read from standard input. In text output without
    /// --show, output line N answers input line N. Blank lines and lines that begin with # or //
    /// produce blank lines.
    Solve(SharedSolveArgs),
    Batch(batch::BatchArgs),
    Coset(coset::CosetArgs),
    Dataset(dataset::DatasetArgs),
    Fmc(fmc::FmcArgs),
    Review(review::ReviewArgs),
    Scramble(scramble::ScrambleArgs),
    Tables(table_commands::TablesArgs),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Completions(manual::CompletionsArgs),
    Man(manual::ManArgs),
}

fn main() -> ExitCode {
    let cosette: Cosette = cli::parse().unwrap_or_else(|error| error.exit());
    cosette.color.apply();
    cli::start(cosette.verbose);
    let result = match &cosette.command {
        CosetteCommand::Solve(args) => args.solve(),
        CosetteCommand::Batch(args) => batch::run(args),
        CosetteCommand::Coset(args) => coset::run(args),
        CosetteCommand::Dataset(args) => dataset::run(args),
        CosetteCommand::Fmc(args) => fmc::run(args),
        CosetteCommand::Review(args) => review::run(args),
        CosetteCommand::Scramble(args) => scramble::run(args),
        CosetteCommand::Tables(args) => table_commands::run(args),
        CosetteCommand::Bench(args) => bench::run(args),
        CosetteCommand::Check(args) => check::run(args),
        CosetteCommand::Completions(args) => manual::completions::<Cosette>(args),
        CosetteCommand::Man(args) => manual::man::<Cosette>(args),
    };
    cli::finish(result)
}
