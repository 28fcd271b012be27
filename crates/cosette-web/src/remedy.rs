//! Remedies in terms of the page and the server's options.

use cosette::Remedy;

/// How to fix it, for a user of the page.
pub fn help(remedy: Option<Remedy>) -> Option<String> {
    let table =
        |name: &Option<String>| name.as_ref().map_or("the table".to_owned(), |name| format!("the table {name}"));
    Some(match remedy? {
        Remedy::UseFewerThreads => "start the server with a smaller --threads".into(),
        Remedy::GenerateTable(name) => format!("generate {} under Tables", table(&name)),
        Remedy::MoveAwayAndGenerate(name) => {
            format!("move that file away, then generate {} under Tables", table(&name))
        }
        Remedy::GenerateAgain(name) => format!("remove {} under Tables and generate it again", table(&name)),
        Remedy::ChooseSmallerTable => "generate a smaller table; Tables shows which ones fit in memory".into(),
        Remedy::AllowMoreMemory => "start the server with a larger --memory or a smaller --table".into(),
        Remedy::FreeDiskSpace => "free disk space, or start the server with another folder in --tables".into(),
        Remedy::ChooseWritableFolder => "start the server with a writable folder in --tables or COSETTE_TABLES".into(),
        Remedy::NameFolder => "name one with --tables or COSETTE_TABLES".into(),
        Remedy::ContinueGeneration(id) => format!("continue {id} under Tables, or remove what there is of it"),
        Remedy::WaitForGeneration => "wait until it has finished, or stop it: the finished part is kept".into(),
    })
}
