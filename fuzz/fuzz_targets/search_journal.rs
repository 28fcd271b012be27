//! Journals of a search with valid checksums: the search continues from them, or they are refused. No wrong solution is taken.
#![no_main]

use cosette::cube::Cube;
use cosette::search::distributed::Tasks;
use cosette::search::{Options, SolutionCount, TwoPhaseUse};
use cosette::table::{Table, TableFolder};
use cosette::{Control, Solver, ThreadCount};
use cosette_app::search_journal::SearchJournal;
use cosette_fuzz::{check_message, path, journal_with_checksums, search_table, searched_position};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

struct Engine {
    position: Cube,
    tasks: Tasks,
    solver: Solver,
}

/// The smallest table, generated once for all runs: with the sanitizer that takes a minute or two.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| {
        let id = search_table();
        let folder = TableFolder::new(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/tables"));
        let control = Control::new(ThreadCount::ONE);
        let table: Arc<Table> = Arc::new(folder.load(id, &control).unwrap_or_else(|_| {
            folder.generate(id, &control).unwrap();
            folder.load(id, &control).unwrap()
        }));
        let position = searched_position();
        let tasks = Tasks::of(&position, &table);
        Engine { position, tasks, solver: Solver::new(table, ThreadCount::ONE) }
    })
}

fuzz_target!(init: {engine();}, |data: &[u8]| {
    let engine = engine();
    let path = path("journal");
    fs::write(&path, journal_with_checksums(data)).unwrap();
    let text = String::from_utf8_lossy(data);
    let (mut journal, recorded) = match SearchJournal::open(&path, &engine.position, search_table()) {
        Ok(opened) => opened,
        Err(error) => return check_message(&text, &error.to_string()),
    };
    assert!(recorded.solutions().all(|moves| engine.position.after(moves).is_solved()));
    journal.commit().unwrap();
    drop(journal);
    let mut tasks = engine.tasks.clone();
    let resumed = match recorded.resume(&mut tasks) {
        Ok(resumed) => resumed,
        Err(error) => return check_message(&text, &error.to_string()),
    };
    assert!(resumed.share_done.is_finite() && resumed.to_string().len() < 200);
    // The search itself continues for a moment.
    let two_phase = TwoPhaseUse::Never;
    let options = Options { solution_count: SolutionCount::All, two_phase, ..Options::default() };
    let search = engine.solver.search(&engine.position).options(options).timeout(Duration::from_millis(5));
    let (report, _) = search.resume(resumed.checkpoint);
    let _ = (report.nodes(), report.probes());
    assert!(report.solutions.iter().all(|moves| engine.position.after(moves).is_solved()));
});
