//! The arguments of the `solve` commands.

use super::output::OutputMode;
use crate::batch::alternatives;
use crate::cli::args::{RequestArgs, journal_path, usage_error};
use crate::request::Request;
use crate::solution_format::SolutionFormat;
use clap::Args;
use cosette::cube::Format;
use std::path::PathBuf;

/// The arguments of every `solve` command: positions, request and output.
#[derive(Args)]
pub struct SharedSolveArgs {
    /// Position to solve; if omitted or -, positions are read from standard input
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// The input format and the request.
    #[command(flatten)]
    pub request: RequestArgs,
    /// Show the position as a colored net
    #[arg(long, conflicts_with_all = ["json", "events"], help_heading = "Output")]
    show: bool,
    /// Format of solutions
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        conflicts_with_all = ["json", "events"],
        help_heading = "Output"
    )]
    pub(super) solution_format: SolutionFormat,
    /// Print only solutions and errors
    #[arg(
        short,
        long,
        conflicts_with_all = ["json", "events", "show", "explain"],
        help_heading = "Output"
    )]
    pub(super) quiet: bool,
    /// Print results as JSON Lines; `nodes` counts expanded nodes for the engine cosette, generated
    /// nodes for all others
    #[arg(long, help_heading = "Output")]
    json: bool,
    /// Print all search events and results as JSON Lines
    #[arg(long, conflicts_with = "json", help_heading = "Output")]
    events: bool,
    /// Save the progress of the search to FILE and resume from it (one position only)
    #[arg(long, value_name = "FILE", value_parser = journal_path(), help_heading = "Search")]
    pub journal: Option<PathBuf>,
}

/// Checks that the goal is the solved cube if the format of solutions requires that.
///
/// # Errors
///
/// Returns a usage error if the goal is another position and `format` is `scramble` or `niss`.
pub fn check_solution_format(format: SolutionFormat, request: &Request) -> Result<(), clap::Error> {
    let needs_solved = matches!(format, SolutionFormat::Scramble | SolutionFormat::Niss);
    match request.target() {
        Some(target) if needs_solved && !target.is_solved() => Err(usage_error(
            "the solution formats scramble and niss apply only to full solves; \
             remove --solution-format or --goal",
        )),
        _ => Ok(()),
    }
}

impl SharedSolveArgs {
    /// Validates the combination of arguments.
    ///
    /// # Errors
    ///
    /// Returns a usage error if arguments conflict, or if the request is invalid.
    pub fn check(&self) -> Result<(), clap::Error> {
        if self.journal.is_some()
            && (self.reads_lines() || alternatives(&self.position()).len() > 1)
        {
            return Err(usage_error(
                "--journal supports only one position; give it as an argument, \
                 or use `batch` for several",
            ));
        }
        joined(&self.position)?;
        if self.request.check()?.is_none() {
            return check_solution_format(self.solution_format, &self.request.request());
        }
        let has_format = self.solution_format != SolutionFormat::Moves;
        self.request.check_options_of_cube(&[
            ("--journal", self.journal.is_some()),
            ("--solution-format", has_format),
            ("--explain", self.request.is_explained()),
        ])
    }

    pub(super) fn output_mode(&self) -> OutputMode {
        match (self.json, self.events) {
            (true, _) => OutputMode::Json,
            (_, true) => OutputMode::Events,
            _ if self.quiet => OutputMode::Solutions,
            _ => OutputMode::Text { show: self.show },
        }
    }

    /// Returns `true` if positions near solved are solved without a table. They are not if the
    /// command names a table, a memory limit, a journal or a maximum length, which the solution
    /// might exceed.
    pub(super) fn tries_short(&self) -> bool {
        let solver = &self.request.solver;
        let takes_any_table = !solver.names_table() && solver.memory.is_none();
        takes_any_table && self.journal.is_none() && self.request.request().max_length.is_none()
    }

    /// Returns `true` if results are written as JSON.
    pub fn is_json(&self) -> bool {
        self.json || self.events
    }

    /// Returns the position on the command line as given.
    pub fn position(&self) -> String {
        self.position.join(" ")
    }

    /// Returns `true` if positions are read from standard input.
    pub fn reads_lines(&self) -> bool {
        self.position.is_empty() || self.position == ["-"]
    }
}

/// Joins the arguments into one text, so that moves need no quotation marks. Speffz cycles after
/// headings, such as `corners: (A B C)`, are one position.
///
/// # Errors
///
/// Returns a usage error if one of several arguments is a position by itself: it contains
/// whitespace, or all facelets.
pub fn joined(arguments: &[String]) -> Result<String, clap::Error> {
    let text = arguments.join(" ");
    let is_whole = |argument: &String| {
        argument.trim().contains(char::is_whitespace)
            || Format::detect(argument) == Format::Facelets
    };
    match arguments.len() > 1
        && Format::detect(&text) != Format::Speffz
        && arguments.iter().any(is_whole)
    {
        true => Err(usage_error(&format!(
            "{} arguments are more than one position; put the position in quotation marks, \
             or write several to standard input, one per line",
            arguments.len()
        ))),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Cube;

    #[test]
    fn only_parts_of_one_position_are_joined() {
        let facelets = Cube::SOLVED.facelets();
        let joined = |arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
            joined(&arguments)
        };
        for (arguments, text) in [
            (&["R U F"][..], "R U F"),
            (&["R", "U2", "F'"], "R U2 F'"),
            (
                &["corners:", "(A B C)", "edges:", "()"],
                "corners: (A B C) edges: ()",
            ),
            (&[&facelets], &facelets),
            (&["UF", "UR"], "UF UR"),
        ] {
            assert_eq!(joined(arguments).unwrap(), text);
        }
        for arguments in [
            &["R U F", "R"][..],
            &["R", "U F"],
            &[&facelets, &facelets],
            &["R", &facelets],
        ] {
            let refused = joined(arguments).unwrap_err().to_string();
            assert!(refused.contains("more than one position"), "{refused}");
        }
    }
}
