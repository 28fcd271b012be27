//! How to fix what went wrong, as a command line says it.

use crate::journal::JournalError;
use cosette::Remedy;

/// What to do about an internal error.
pub const INTERNAL_ERROR: &str = "please report this; `cosette tables verify` may find a damaged table";

/// How to fix it, as commands and options.
pub fn remedy_of(remedy: &Remedy) -> String {
    let named = |name: &Option<String>| name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
    match remedy {
        Remedy::UseFewerThreads => "ask for fewer with --threads".into(),
        Remedy::GenerateTable(name) => format!("generate it with `cosette tables gen{}`", named(name)),
        Remedy::MoveAwayAndGenerate(name) => {
            format!("move that file away, then generate the table with `cosette tables gen{}`", named(name))
        }
        Remedy::GenerateAgain(name) => {
            let name = named(name);
            format!("remove it with `cosette tables rm{name}` and generate it again with `cosette tables gen{name}`")
        }
        Remedy::ChooseSmallerTable => "choose a smaller table; `cosette tables list` shows what fits".into(),
        Remedy::AllowMoreMemory => "raise --memory, or choose a smaller table with --table".into(),
        Remedy::FreeDiskSpace => "free disk space, or choose another folder with --tables".into(),
        Remedy::ChooseWritableFolder => {
            "choose a folder that can be written to, with --tables or COSETTE_TABLES".into()
        }
        Remedy::NameFolder => "name one with --tables or COSETTE_TABLES".into(),
        Remedy::ContinueGeneration(id) => {
            format!(
                "`cosette tables gen {id}` continues from there, and `cosette tables rm {id}` removes what there is of it"
            )
        }
        Remedy::WaitForGeneration => "wait until it has finished, or stop it: what it has generated is kept".into(),
    }
}

/// How to fix what is wrong with a journal.
pub fn journal(error: &JournalError) -> Option<String> {
    Some(match error {
        JournalError::Io { .. } => return None,
        JournalError::Locked { .. } => "wait until that process has ended, or name another journal".into(),
        JournalError::IsOutput { .. } => "name another file for one of them".into(),
        JournalError::NotAJournal { .. } => "name a new file, or a journal that was created with --journal".into(),
        JournalError::Version { .. } => {
            "continue with the version of the program that created it, or name another journal".into()
        }
        JournalError::Other { what, found, .. } if what == "table" => {
            format!("continue with `--table {found}`, or name another journal")
        }
        JournalError::Other { what, .. } => format!("continue with the {what} of the journal, or name another journal"),
        JournalError::Damaged { path, line: 1, .. } => format!("remove {} and start again", path.display()),
        JournalError::Damaged { path, offset, .. } => {
            format!("cut it off there: `truncate -s {offset} {}`; what follows is computed again", path.display())
        }
        JournalError::Wrong { path, .. } => format!("please report this; remove {} and start again", path.display()),
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
        let (found, expected) = ("htm-30M".into(), "htm-2G".into());
        let other = JournalError::Other { path, what: "table".into(), found, expected };
        assert!(journal(&other).unwrap().contains("--table htm-30M"));
    }
}
