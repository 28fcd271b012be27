//! Remedies in terms of the package's arguments and calls.

use cosette::Remedy;

/// How to fix it, for a Python program.
pub fn in_python(remedy: &Remedy) -> String {
    let solver = |name: &Option<String>| match name {
        Some(name) => format!("`cosette.Solver(table=\"{name}\")`"),
        None => "`cosette.Solver(table=…)`".to_owned(),
    };
    match remedy {
        Remedy::UseFewerThreads => "give a smaller threads=".into(),
        Remedy::GenerateTable(name) => format!("generate it with {}", solver(name)),
        Remedy::MoveAwayAndGenerate(name) => {
            format!("move that file away, then generate the table with {}", solver(name))
        }
        Remedy::GenerateAgain(name) => format!("delete the file, then generate the table again with {}", solver(name)),
        Remedy::ChooseSmallerTable => "choose a smaller table=".into(),
        Remedy::AllowMoreMemory => "raise memory=, or choose a smaller table=".into(),
        Remedy::FreeDiskSpace => "free disk space, or give another folder as tables=".into(),
        Remedy::ChooseWritableFolder => "give a writable folder as tables=, or in COSETTE_TABLES".into(),
        Remedy::NameFolder => "give one as tables=, or set COSETTE_TABLES".into(),
        Remedy::ContinueGeneration(id) => format!("{} continues from there", solver(&Some(id.clone()))),
        Remedy::WaitForGeneration => "wait until it has finished, or stop it: the finished part is kept".into(),
    }
}
