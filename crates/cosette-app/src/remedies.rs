//! Help texts of errors. The library's errors carry remedies as data ([`Remedy`]); this module
//! turns them into help for each front end.

use cosette::{Remedy, TableFile};
use std::path::Path;

/// Help for an internal error.
pub const INTERNAL_ERROR: &str = "please report this; `cosette tables verify`, with the same --tables, may find a corrupted table";

/// The audience of a help text: each has other means to fix an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Users of the commands, with options and subcommands.
    Command,
    /// Users of the web app, with buttons, and whoever started its server.
    Page,
    /// Python programs, with arguments.
    Python,
    /// JavaScript programs, with options.
    JavaScript,
}

/// Texts about files. On platforms without files they would only make the program larger.
macro_rules! of_files {
    ($($text:tt)*) => {
        if cfg!(feature = "files") { format!($($text)*) } else { String::new() }
    };
}

/// Splits an error into its message and its help.
pub fn split_help(error: &str) -> (String, String) {
    // Quoted input comes first, so the last semicolon is the separator.
    let (wrong, help) = error.rsplit_once("; ").unwrap_or((error, ""));
    (wrong.to_owned(), help.to_owned())
}

/// Returns a table as an argument of `cosette tables`, with `--tables` unless it is in the default
/// folder.
pub fn table_argument(name: &str, folder: Option<&Path>) -> String {
    elsewhere(folder).map_or_else(
        || name.to_owned(),
        |folder| format!("{name} --tables {}", shell_word(folder)),
    )
}

/// Returns the folder, unless it is the default one.
fn elsewhere(folder: Option<&Path>) -> Option<&Path> {
    #[cfg(feature = "files")]
    let folder = folder.filter(|&folder| {
        cosette::table::choice::default_folder().is_none_or(|usual| usual != folder)
    });
    // Without files there is no command.
    #[cfg(not(feature = "files"))]
    let folder = folder.filter(|_| false);
    folder
}

/// Quotes a path for a shell.
pub fn shell_word(path: &Path) -> String {
    let path = path.display().to_string();
    let is_plain = |char: char| {
        char.is_alphanumeric() || "_./:@%+=,-".contains(char) || cfg!(windows) && char == '\\'
    };
    match !path.chars().all(is_plain) {
        true => format!("'{}'", path.replace('\'', r"'\''")),
        false => path,
    }
}

/// Returns the help for a remedy in the terms of this audience.
pub fn worded(remedy: &Remedy, audience: Audience) -> String {
    let argument = |table: &TableFile| table_argument(&table.name, table.folder.as_deref());
    let named = |table: &Option<TableFile>| {
        table
            .as_ref()
            .map(|table| format!(" {}", argument(table)))
            .unwrap_or_default()
    };
    let table = |table: &Option<TableFile>| match table {
        Some(TableFile { name, .. }) => format!("the table {name}"),
        None => "the table".to_owned(),
    };
    let solver = |table: &Option<TableFile>| match table {
        Some(TableFile { name, folder }) => {
            let tables = elsewhere(folder.as_deref())
                .map(|folder| format!(", tables={:?}", folder.display().to_string()));
            format!(
                "`cosette.Solver(table=\"{name}\"{})`",
                tables.unwrap_or_default()
            )
        }
        None => "`cosette.Solver(table=…)`".to_owned(),
    };
    let opening = |table: &Option<TableFile>| match table {
        Some(TableFile { name, .. }) => format!("`Solver.open({{ table: '{name}' }})`"),
        None => "`Solver.open({ table: … })`".to_owned(),
    };
    let [command, page, python, javascript]: [String; 4] = match remedy {
        Remedy::UseFewerThreads => [
            of_files!(
                "use fewer with --threads, or raise the limits of the process (`ulimit -u`, `ulimit -v`)"
            ),
            of_files!("start the server with a smaller --threads"),
            of_files!("pass a smaller threads="),
            "pass a smaller `threads`".into(),
        ],
        Remedy::GenerateTable(name) => [
            of_files!("generate it with `cosette tables gen{}`", named(name)),
            of_files!("generate {} under Tables", table(name)),
            of_files!("generate it with {}", solver(name)),
            format!("generate it with {}", opening(name)),
        ],
        Remedy::MoveAwayAndGenerate(name) => [
            of_files!(
                "move that file away, then generate the table with `cosette tables gen{}`",
                named(name)
            ),
            of_files!(
                "move that file away, then generate {} under Tables",
                table(name)
            ),
            of_files!(
                "move that file away, then generate the table with {}",
                solver(name)
            ),
            "move that file away, or use another `folder`".into(),
        ],
        Remedy::GenerateAgain(name) => [
            of_files!(
                "remove it with `cosette tables rm{0}` and generate it again with `cosette tables gen{0}`, or let a user with write access to its folder do this",
                named(name)
            ),
            of_files!(
                "remove {} under Tables and generate it again, or let a user with write access to its folder do this",
                table(name)
            ),
            of_files!(
                "delete the file, then generate the table again with {}",
                solver(name)
            ),
            format!(
                "remove the file, then generate the table again with {}",
                opening(name)
            ),
        ],
        Remedy::ChooseSmallerTable => [
            of_files!("choose a smaller table; `cosette tables list` shows what fits"),
            of_files!("generate a smaller table; Tables shows which ones fit in memory"),
            of_files!("choose a smaller table="),
            "choose a smaller `table`".into(),
        ],
        Remedy::AllowMoreMemory => [
            of_files!("raise --memory (or COSETTE_MEMORY), or choose a smaller table with --table"),
            of_files!("start the server with a larger --memory or a smaller --table"),
            of_files!("raise memory=, or choose a smaller table="),
            "choose a smaller `table`".into(),
        ],
        Remedy::AllowEnoughMemory => [
            of_files!("raise --memory (or COSETTE_MEMORY); this is the smallest table"),
            of_files!("start the server with a larger --memory; this is the smallest table"),
            of_files!("raise memory=; this is the smallest table"),
            "free memory; this is the smallest table".into(),
        ],
        Remedy::FreeMemory => [
            of_files!(
                "free memory, or raise the limits of the process (`ulimit -v`, its control group)"
            ),
            of_files!("free memory on the server, or raise the limits of its process"),
            of_files!("free memory, or raise the limits of the process"),
            "free memory, or choose a smaller `table`".into(),
        ],
        Remedy::RaiseLimits => [
            of_files!(
                "raise the limits of the process (`ulimit -u`, `ulimit -v`, `ulimit -f`, its control group)"
            ),
            of_files!("raise the limits of the server's process on threads, memory and file sizes"),
            of_files!("raise the limits of the process on threads, memory and file sizes"),
            "raise the limits of the process on threads, memory and file sizes".into(),
        ],
        Remedy::MakeReadable => [
            of_files!("make the file readable, or choose another folder with --tables"),
            of_files!(
                "make the file readable, or start the server with another folder in --tables"
            ),
            of_files!("make the file readable, or pass another folder as tables="),
            "make the file readable, or pass another `folder`".into(),
        ],
        Remedy::FreeDiskSpace => [
            of_files!("free disk space, or choose another folder with --tables"),
            of_files!("free disk space, or start the server with another folder in --tables"),
            of_files!("free disk space, or pass another folder as tables="),
            "free disk space, or pass another `folder`".into(),
        ],
        Remedy::ChooseWritableFolder => [
            of_files!("choose a writable folder with --tables or COSETTE_TABLES"),
            of_files!("start the server with a writable folder in --tables or COSETTE_TABLES"),
            of_files!("pass a writable folder as tables=, or set COSETTE_TABLES to one"),
            "pass a writable `folder`, or set COSETTE_TABLES to one".into(),
        ],
        Remedy::NameFolder => [
            of_files!("set one with --tables or COSETTE_TABLES"),
            of_files!("set one with --tables or COSETTE_TABLES"),
            of_files!("pass one as tables=, or set COSETTE_TABLES"),
            "pass one as `folder`, or set COSETTE_TABLES".into(),
        ],
        Remedy::ContinueGeneration(unfinished) => [
            of_files!(
                "run `cosette tables gen {0}` to resume, or `cosette tables rm {0}` to remove the partial file",
                argument(unfinished)
            ),
            of_files!(
                "resume {} under Tables, or remove the partial file",
                unfinished.name
            ),
            of_files!("{} resumes it", solver(&Some(unfinished.clone()))),
            format!("{} resumes it", opening(&Some(unfinished.clone()))),
        ],
        Remedy::WaitForGeneration => [
            of_files!("wait until it has finished, or stop it: the finished part is kept"),
            of_files!("wait until it has finished, or stop it: the finished part is kept"),
            of_files!("wait until it has finished, or stop it: the finished part is kept"),
            "wait until it has finished, or stop it: the finished part is kept".into(),
        ],
    };
    match audience {
        Audience::Command => command,
        Audience::Page => page,
        Audience::Python => python,
        Audience::JavaScript => javascript,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_found_behind_what_is_quoted() {
        let (wrong, help) = split_help("a; b.npz already exists; use another name, or delete it");
        assert_eq!(
            (&*wrong, &*help),
            ("a; b.npz already exists", "use another name, or delete it")
        );
    }
}
