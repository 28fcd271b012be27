//! `cosette completions` and `cosette man`.

use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;
use cosette_app::cli::args::exit_with_usage_error;
use cosette_app::cli::failure::{Exit, Failure};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Print a shell completion script
#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell to print the script for
    shell: Shell,
}

/// Print a manual page in roff
#[derive(Args)]
pub struct ManArgs {
    /// Subcommand, e.g. `tables gen` [default: the command itself]
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Vec<String>,
    /// Write the pages of the command and all subcommands to the directory DIR
    #[arg(long, value_name = "DIR", conflicts_with = "subcommand")]
    dir: Option<PathBuf>,
}

/// Prints the completion script.
pub fn completions<C: CommandFactory>(args: &CompletionsArgs) -> Result<Exit, Failure> {
    // The generator panics if its output is closed, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut C::command(), "cosette", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Exit::Success)
}

/// Returns `command` without `help` subcommands, which would repeat the pages.
fn without_help(command: Command) -> Command {
    command
        .disable_help_subcommand(true)
        .mut_subcommands(without_help)
}

/// Prints or writes manual pages.
pub fn man<C: CommandFactory>(args: &ManArgs) -> Result<Exit, Failure> {
    let mut command = without_help(C::command());
    command.build();
    if let Some(dir) = &args.dir {
        fs::create_dir_all(dir)
            .and_then(|()| write_pages(&command, dir))
            .map_err(Failure::unwritable(dir))?;
        return Ok(Exit::Success);
    }
    let mut page = &command;
    for name in &args.subcommand {
        page = page.find_subcommand(name).unwrap_or_else(|| {
            exit_with_usage_error(&format!(
                "unknown subcommand `{name}`; see `cosette --help`"
            ))
        });
    }
    let mut text = Vec::new();
    page_of(page).render(&mut text)?;
    io::stdout().write_all(&text)?;
    Ok(Exit::Success)
}

/// Returns the page of a command. Its footer names the program, not the subcommand as `clap_mangen`
/// would.
fn page_of(command: &Command) -> Man {
    Man::new(command.clone()).source(concat!("cosette ", env!("CARGO_PKG_VERSION")))
}

/// Writes the pages of a command and of its subcommands.
fn write_pages(command: &Command, dir: &Path) -> io::Result<()> {
    command
        .get_subcommands()
        .filter(|subcommand| !subcommand.is_hide_set())
        .try_for_each(|subcommand| write_pages(subcommand, dir))?;
    page_of(command).generate_to(dir).map(drop)
}
