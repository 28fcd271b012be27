//! Help texts of errors. The library's errors carry remedies as data ([`Remedy`]); this module
//! turns them into help for each front end.

use cosette::{Remedy, TableFile};
use std::path::Path;

/// Help for an internal error.
pub const INTERNAL_ERROR: &str = "please report this; `cosette tables verify`, with the same \
    --tables, may find a corrupted table";

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
    let ([command, page, python], javascript) = texts(remedy);
    let text = match audience {
        Audience::Command => command,
        Audience::Page => page,
        Audience::Python => python,
        Audience::JavaScript => javascript,
    };
    let table = match remedy {
        Remedy::GenerateTable(table)
        | Remedy::MoveAwayAndGenerate(table)
        | Remedy::GenerateAgain(table) => table.as_ref(),
        Remedy::ContinueGeneration(table) => Some(table),
        _ => None,
    };
    text.replace("{table}", &table_in_text(table, audience))
}

/// Returns what replaces `{table}` in a text for this audience.
fn table_in_text(table: Option<&TableFile>, audience: Audience) -> String {
    match (audience, table) {
        (Audience::Command, None) => String::new(),
        (Audience::Command, Some(TableFile { name, folder })) => {
            format!(" {}", table_argument(name, folder.as_deref()))
        }
        (Audience::Page, None) => "the table".to_owned(),
        (Audience::Page, Some(table)) => format!("the table {}", table.name),
        (Audience::Python, None) => "`cosette.Solver(table=…)`".to_owned(),
        (Audience::Python, Some(TableFile { name, folder })) => {
            let tables = elsewhere(folder.as_deref())
                .map(|folder| format!(", tables={:?}", folder.display().to_string()));
            let tables = tables.unwrap_or_default();
            format!("`cosette.Solver(table=\"{name}\"{tables})`")
        }
        (Audience::JavaScript, None) => "`Solver.open({ table: … })`".to_owned(),
        (Audience::JavaScript, Some(table)) => {
            format!("`Solver.open({{ table: '{}' }})`", table.name)
        }
    }
}

/// Texts for the audiences that have files: the command, the web app and Python. On platforms
/// without files they would only make the program larger.
const fn of_files(texts: [&'static str; 3]) -> [&'static str; 3] {
    if cfg!(feature = "files") {
        texts
    } else {
        [""; 3]
    }
}

/// Returns the texts of a remedy for the command, the web app and Python, and for JavaScript.
const fn texts(remedy: &Remedy) -> ([&'static str; 3], &'static str) {
    match remedy {
        Remedy::UseFewerThreads => (
            of_files([
                "use fewer with --threads, or raise the limits of the process (`ulimit -u`, \
                    `ulimit -v`)",
                "start the server with a smaller --threads",
                "pass a smaller threads=",
            ]),
            "pass a smaller `threads`",
        ),
        Remedy::GenerateTable(_) => (
            of_files([
                "generate it with `cosette tables gen{table}`",
                "generate {table} under Tables",
                "generate it with {table}",
            ]),
            "generate it with {table}",
        ),
        Remedy::MoveAwayAndGenerate(_) => (
            of_files([
                "move that file away, then generate the table with `cosette tables gen{table}`",
                "move that file away, then generate {table} under Tables",
                "move that file away, then generate the table with {table}",
            ]),
            "move that file away, or use another `folder`",
        ),
        Remedy::GenerateAgain(_) => (
            of_files([
                "remove it with `cosette tables rm{table}` and generate it again with `cosette \
                    tables gen{table}`, or let a user with write access to its folder do this",
                "remove {table} under Tables and generate it again, or let a user with write \
                    access to its folder do this",
                "delete the file, then generate the table again with {table}",
            ]),
            "remove the file, then generate the table again with {table}",
        ),
        Remedy::ChooseSmallerTable => (
            of_files([
                "choose a smaller table; `cosette tables list` shows what fits",
                "generate a smaller table; Tables shows which ones fit in memory",
                "choose a smaller table=",
            ]),
            "choose a smaller `table`",
        ),
        Remedy::AllowMoreMemory => (
            of_files([
                "raise --memory (or COSETTE_MEMORY), or choose a smaller table with --table",
                "start the server with a larger --memory or a smaller --table",
                "raise memory=, or choose a smaller table=",
            ]),
            "choose a smaller `table`",
        ),
        Remedy::AllowEnoughMemory => (
            of_files([
                "raise --memory (or COSETTE_MEMORY); this is the smallest table",
                "start the server with a larger --memory; this is the smallest table",
                "raise memory=; this is the smallest table",
            ]),
            "free memory; this is the smallest table",
        ),
        Remedy::FreeMemory => (
            of_files([
                "free memory, or raise the limits of the process (`ulimit -v`, its control group)",
                "free memory on the server, or raise the limits of its process",
                "free memory, or raise the limits of the process",
            ]),
            "free memory, or choose a smaller `table`",
        ),
        Remedy::RaiseLimits => (
            of_files([
                "raise the limits of the process (`ulimit -u`, `ulimit -v`, `ulimit -f`, its \
                    control group)",
                "raise the limits of the server's process on threads, memory and file sizes",
                "raise the limits of the process on threads, memory and file sizes",
            ]),
            "raise the limits of the process on threads, memory and file sizes",
        ),
        Remedy::MakeReadable => (
            of_files([
                "make the file readable, or choose another folder with --tables",
                "make the file readable, or start the server with another folder in --tables",
                "make the file readable, or pass another folder as tables=",
            ]),
            "make the file readable, or pass another `folder`",
        ),
        Remedy::FreeDiskSpace => (
            of_files([
                "free disk space, or choose another folder with --tables",
                "free disk space, or start the server with another folder in --tables",
                "free disk space, or pass another folder as tables=",
            ]),
            "free disk space, or pass another `folder`",
        ),
        Remedy::ChooseWritableFolder => (
            of_files([
                "choose a writable folder with --tables or COSETTE_TABLES",
                "start the server with a writable folder in --tables or COSETTE_TABLES",
                "pass a writable folder as tables=, or set COSETTE_TABLES to one",
            ]),
            "pass a writable `folder`, or set COSETTE_TABLES to one",
        ),
        Remedy::NameFolder => (
            of_files([
                "set one with --tables or COSETTE_TABLES",
                "set one with --tables or COSETTE_TABLES",
                "pass one as tables=, or set COSETTE_TABLES",
            ]),
            "pass one as `folder`, or set COSETTE_TABLES",
        ),
        Remedy::ContinueGeneration(_) => (
            of_files([
                "run `cosette tables gen{table}` to resume, or `cosette tables rm{table}` to \
                    remove the partial file",
                "resume {table} under Tables, or remove the partial file",
                "{table} resumes it",
            ]),
            "{table} resumes it",
        ),
        Remedy::WaitForGeneration => (
            of_files([
                "wait until it has finished, or stop it: the finished part is kept",
                "wait until it has finished, or stop it: the finished part is kept",
                "wait until it has finished, or stop it: the finished part is kept",
            ]),
            "wait until it has finished, or stop it: the finished part is kept",
        ),
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
