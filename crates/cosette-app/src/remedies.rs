//! How to fix what went wrong. The library's errors carry remedies as data ([`Remedy`]); here they are worded, once for each
//! audience, and so are those of journals.

use crate::journal::JournalError;
use cosette::Remedy;
use std::io;

/// What to do about an internal error.
pub const INTERNAL_ERROR: &str = "please report this; `cosette tables verify` may find a damaged table";

/// Who reads how to fix something: each has other means to do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The user of a command, who has options and subcommands.
    Command,
    /// The visitor of the page, who has buttons, and whoever started its server.
    Page,
    /// A Python program, which has arguments.
    Python,
}

/// How to fix it, in the words of this audience.
pub fn worded(remedy: &Remedy, audience: Audience) -> String {
    let named = |name: &Option<String>| name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    let table = |name: &Option<String>| format!("the table{}", named(name));
    let solver = |name: &Option<String>| match name {
        Some(name) => format!("`cosette.Solver(table=\"{name}\")`"),
        None => "`cosette.Solver(table=…)`".to_owned(),
    };
    let [command, page, python]: [String; 3] = match remedy {
        Remedy::UseFewerThreads => [
            "ask for fewer with --threads, or raise the limits of the process (`ulimit -u`, `ulimit -v`)".into(),
            "start the server with a smaller --threads".into(),
            "give a smaller threads=".into(),
        ],
        Remedy::GenerateTable(name) => [
            format!("generate it with `cosette tables gen{}`", named(name)),
            format!("generate {} under Tables", table(name)),
            format!("generate it with {}", solver(name)),
        ],
        Remedy::MoveAwayAndGenerate(name) => [
            format!("move that file away, then generate the table with `cosette tables gen{}`", named(name)),
            format!("move that file away, then generate {} under Tables", table(name)),
            format!("move that file away, then generate the table with {}", solver(name)),
        ],
        Remedy::GenerateAgain(name) => [
            format!(
                "remove it with `cosette tables rm{0}` and generate it again with `cosette tables gen{0}`",
                named(name)
            ),
            format!("remove {} under Tables and generate it again", table(name)),
            format!("delete the file, then generate the table again with {}", solver(name)),
        ],
        Remedy::ChooseSmallerTable => [
            "choose a smaller table; `cosette tables list` shows what fits".into(),
            "generate a smaller table; Tables shows which ones fit in memory".into(),
            "choose a smaller table=".into(),
        ],
        Remedy::AllowMoreMemory => [
            "raise --memory, or choose a smaller table with --table".into(),
            "start the server with a larger --memory or a smaller --table".into(),
            "raise memory=, or choose a smaller table=".into(),
        ],
        Remedy::AllowEnoughMemory => [
            "raise --memory; no table is smaller".into(),
            "start the server with a larger --memory; no table is smaller".into(),
            "raise memory=; no table is smaller".into(),
        ],
        Remedy::FreeMemory => [
            "free memory, or raise the limits of the process (`ulimit -v`, its control group)".into(),
            "free memory on the server, or raise the limits of its process".into(),
            "free memory, or raise the limits of the process".into(),
        ],
        Remedy::RaiseLimits => [
            "raise the limits of the process (`ulimit -u`, `ulimit -v`, its control group)".into(),
            "raise the limits on threads and memory of the server's process".into(),
            "raise the limits on threads and memory of the process".into(),
        ],
        Remedy::MakeReadable => [
            "make the file readable, or choose another folder with --tables".into(),
            "make the file readable, or start the server with another folder in --tables".into(),
            "make the file readable, or give another folder as tables=".into(),
        ],
        Remedy::FreeDiskSpace => [
            "free disk space, or choose another folder with --tables".into(),
            "free disk space, or start the server with another folder in --tables".into(),
            "free disk space, or give another folder as tables=".into(),
        ],
        Remedy::ChooseWritableFolder => [
            "choose a folder that can be written to, with --tables or COSETTE_TABLES".into(),
            "start the server with a writable folder in --tables or COSETTE_TABLES".into(),
            "give a writable folder as tables=, or in COSETTE_TABLES".into(),
        ],
        Remedy::NameFolder => [
            "name one with --tables or COSETTE_TABLES".into(),
            "name one with --tables or COSETTE_TABLES".into(),
            "give one as tables=, or set COSETTE_TABLES".into(),
        ],
        Remedy::ContinueGeneration(id) => [
            format!(
                "`cosette tables gen {id}` continues from there, and `cosette tables rm {id}` removes what there is of it"
            ),
            format!("continue {id} under Tables, or remove what there is of it"),
            format!("{} continues from there", solver(&Some(id.clone()))),
        ],
        Remedy::WaitForGeneration => [
            "wait until it has finished, or stop it: what it has generated is kept".into(),
            "wait until it has finished, or stop it: the finished part is kept".into(),
            "wait until it has finished, or stop it: the finished part is kept".into(),
        ],
    };
    match audience {
        Audience::Command => command,
        Audience::Page => page,
        Audience::Python => python,
    }
}

/// What is wrong with a journal, in the words and the options of the commands.
pub fn journal_error(error: &JournalError) -> String {
    match error {
        JournalError::OtherKind { path, found, expected } => {
            format!("{} is a journal of {}, not of {}", path.display(), command(found), command(expected))
        }
        JournalError::Mismatch { path, what, found, expected } => {
            let path = path.display();
            match what.as_str() {
                "position" => format!("the journal {path} is that of another position"),
                "list" => format!("the journal {path} is that of another list: {found}, not {expected}"),
                _ => {
                    format!("the journal {path} was started {}, not {}", option(what, found), option(what, expected))
                }
            }
        }
        error => error.to_string(),
    }
}

/// The command that writes a kind of journal.
fn command(kind: &str) -> &str {
    match kind {
        "batch" => "`cosette batch`",
        "search" => "`cosette solve`",
        kind => kind,
    }
}

/// A setting of a journal as an option.
fn option(what: &str, value: &str) -> String {
    match (what, value) {
        ("solutions", "1") => "for one solution".into(),
        ("solutions", "all") => "with --all".into(),
        ("solutions", count) => format!("with -n {count}"),
        (what, "true") => format!("with --{what}"),
        (what, "false" | "none" | "any" | "not set") => format!("without --{what}"),
        (what, value) => format!("with --{what} {value}"),
    }
}

/// How to fix what is wrong with a journal.
pub fn journal(error: &JournalError) -> Option<String> {
    Some(match error {
        JournalError::Io { verb: "open", source, .. } if source.kind() == io::ErrorKind::NotFound => {
            "create its folder first, or name a file in another".into()
        }
        JournalError::Io { source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            "name a file that you may read and write".into()
        }
        error if error.is_full_disk() => "free disk space; the same command continues from what the journal has".into(),
        JournalError::Io { .. } => return None,
        JournalError::OtherKind { .. } => "name another journal".into(),
        JournalError::Locked { .. } => "wait until that process has ended, or name another journal".into(),
        JournalError::IsOutput { .. } => "name another file for one of them".into(),
        JournalError::NotAJournal { .. } => "name a new file, or a journal that was created with --journal".into(),
        JournalError::Version { .. } => {
            "continue with the version of the program that created it, or name another journal".into()
        }
        JournalError::Mismatch { what, found, .. } if what == "table" => {
            format!("continue with `--table {found}`, or name another journal")
        }
        JournalError::Mismatch { what, .. } if what == "position" => {
            "give the position of the journal, or name another journal".into()
        }
        JournalError::Mismatch { what, .. } if what == "list" => {
            "give the list of the journal, or name another journal".into()
        }
        JournalError::Mismatch { .. } => "continue with the options of the journal, or name another journal".into(),
        JournalError::Damaged { path, line: 1, .. } => format!("remove {} and start again", path.display()),
        JournalError::Damaged { path, offset, .. } => {
            format!("cut it off there: `truncate -s {offset} {}`; what follows is computed again", path.display())
        }
        JournalError::Invalid { path, .. } => format!("please report this; remove {} and start again", path.display()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_that_is_refused_says_what_to_do() {
        let path = std::path::PathBuf::from("journal");
        for line in [1, 2, 3] {
            assert!(journal(&JournalError::Damaged { path: path.clone(), line, offset: 80 }).is_some());
        }
        let (found, expected) = ("htm-24M".into(), "htm-1.5G".into());
        let other = JournalError::Mismatch { path, what: "table".into(), found, expected };
        assert!(journal(&other).unwrap().contains("--table htm-24M"));
        assert!(journal_error(&other).ends_with("was started with --table htm-24M, not with --table htm-1.5G"));
    }
}
