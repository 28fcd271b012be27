//! Help texts of errors. The library's errors carry remedies as data ([`Remedy`]); this module
//! turns them into help for each front end, with the texts in `remedies/*.txt`.

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
    let (message, help) = error.rsplit_once("; ").unwrap_or((error, ""));
    (message.to_owned(), help.to_owned())
}

/// Returns a table as an argument of `cosette tables`, with `--tables` unless it is in the default
/// folder.
pub fn table_argument(name: &str, folder: Option<&Path>) -> String {
    non_default(folder).map_or_else(
        || name.to_owned(),
        |folder| format!("{name} --tables {}", shell_word(folder)),
    )
}

/// Returns the folder, unless it is the default one.
fn non_default(folder: Option<&Path>) -> Option<&Path> {
    #[cfg(feature = "files")]
    let folder = folder.filter(|&folder| {
        let default = cosette::TableFolder::user_default();
        default.is_none_or(|default| default.path() != folder)
    });
    // Without the feature `files`, there are no commands and no default folder.
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

/// Returns the texts of all remedies for this audience, each on a line after the name of its
/// remedy. Without the feature `files`, the only audience is JavaScript programs; the other texts
/// would make the program larger.
const fn texts(audience: Audience) -> &'static str {
    match audience {
        #[cfg(feature = "files")]
        Audience::Command => include_str!("remedies/command.txt"),
        #[cfg(feature = "files")]
        Audience::Page => include_str!("remedies/page.txt"),
        #[cfg(feature = "files")]
        Audience::Python => include_str!("remedies/python.txt"),
        _ => include_str!("remedies/javascript.txt"),
    }
}

/// Returns the help for a remedy in the terms of this audience.
pub fn worded(remedy: &Remedy, audience: Audience) -> String {
    let table = match remedy {
        Remedy::GenerateTable(table)
        | Remedy::MoveAwayAndGenerate(table)
        | Remedy::GenerateAgain(table) => table.as_ref(),
        Remedy::ContinueGeneration(table) => Some(table),
        _ => None,
    };
    let remedy = format!("{remedy:?}");
    let name = remedy.split('(').next().unwrap_or_default();
    let mut texts = texts(audience).lines();
    let text = texts.find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let text = text.unwrap_or_default();
    text.replace("{table}", &table_in_text(table, audience))
}

/// Returns the text that replaces `{table}` in a remedy for this audience.
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
            let tables = non_default(folder.as_deref())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_follows_the_last_semicolon() {
        let (message, help) = split_help("a; b.npz already exists; use another name, or delete it");
        assert_eq!(message, "a; b.npz already exists");
        assert_eq!(help, "use another name, or delete it");
    }

    #[test]
    fn every_audience_has_a_text_for_every_remedy() {
        for audience in [
            Audience::Command,
            Audience::Page,
            Audience::Python,
            Audience::JavaScript,
        ] {
            for remedy in [
                Remedy::UseFewerThreads,
                Remedy::GenerateTable(None),
                Remedy::MoveAwayAndGenerate(None),
                Remedy::GenerateAgain(None),
                Remedy::ChooseSmallerTable,
                Remedy::AllowMoreMemory,
                Remedy::AllowEnoughMemory,
                Remedy::FreeMemory,
                Remedy::RaiseLimits,
                Remedy::MakeReadable,
                Remedy::FreeDiskSpace,
                Remedy::ChooseWritableFolder,
                Remedy::NameFolder,
                Remedy::ContinueGeneration(TableFile {
                    name: "htm-24M".into(),
                    folder: None,
                }),
                Remedy::WaitForGeneration,
            ] {
                let text = worded(&remedy, audience);
                assert!(!text.is_empty() && !text.contains("{table}"), "{remedy:?}");
            }
        }
    }
}
