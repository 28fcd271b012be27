//! Journals of batches and of searches whose lines have valid checksums: they are resumed, with
//! their answers verified, or rejected.

use crate::path;
use crate::texts::check_message;
use cosette::cube::{Cube, Move, ParseOptions, parse_moves};
use cosette::search::distributed::Tasks;
use cosette::search::{Options, SolutionCount, TwoPhaseMode};
use cosette::table::{Table, TableFolder, TableId};
use cosette::{Control, Solver, ThreadCount};
use cosette_app::batch::{Batch, Lines, PositionList};
use cosette_app::request::Request;
use cosette_app::search_journal::JournalState;
use serde_json::Value;
use std::fs;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Returns the body of a line of a journal.
pub fn body(line: &[u8]) -> &[u8] {
    const PREFIX: usize = "{\"check\":\"0123456789abcdef\",\"body\":".len();
    &line[PREFIX..line.len() - "}".len()]
}

/// Creates a journal from the lines of `data`, each with its checksum. A line that begins with `!`
/// is written unchanged, without the mark.
fn journal_with_checksums(data: &[u8]) -> Vec<u8> {
    let mut journal = Vec::new();
    let mut seed = 0;
    for line in data
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        if let Some(raw) = line.strip_prefix(b"!") {
            journal.extend(raw);
        } else {
            seed = xxh3_64_with_seed(line, seed);
            journal.extend(format!("{{\"check\":\"{seed:016x}\",\"body\":").into_bytes());
            journal.extend(line);
            journal.push(b'}');
        }
        journal.push(b'\n');
    }
    journal
}

/// Returns the list of every batch here: three positions, two of which are equal, and a line that
/// is not a position.
pub fn batch_list() -> PositionList {
    let text = "R U2 F'\nF U2 R'\nnot a position\nR U2 F' // again\n";
    PositionList::read(
        Lines::new(text.as_bytes()).map(Result::unwrap),
        &Request::default(),
    )
}

/// The scramble of the position of every search here.
pub const SCRAMBLE: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

/// Returns the position of every search here.
pub fn searched_position() -> Cube {
    parse_moves(SCRAMBLE, &ParseOptions::default())
        .expect("they are moves")
        .position()
}

/// Returns the table of every search here.
pub fn search_table() -> TableId {
    "htm-24M".parse().expect("there is such a table")
}

/// Journals of batches with valid checksums: a batch is opened with its answers verified, or
/// rejected.
pub fn batch_journal(data: &[u8]) {
    static LIST: OnceLock<PositionList> = OnceLock::new();
    let list = LIST.get_or_init(batch_list);
    let settings = Request::default();
    let path = path("batch_journal");
    let journal = journal_with_checksums(data);
    fs::write(&path, &journal).unwrap();
    let mut batch = match Batch::open(list.clone(), settings.clone(), true, Some(&path)) {
        Ok(batch) => batch,
        Err(error) => return check_message(&String::from_utf8_lossy(data), &error.to_string()),
    };
    for (number, entry) in list.entries().iter().enumerate() {
        let Ok(Some(answer)) = batch.answer(number) else {
            continue;
        };
        let input = entry.input.as_ref().expect("only positions are answered");
        for solution in &answer.solutions {
            let solution = parse_moves(solution, &Default::default()).expect("it was checked");
            assert!(input.cube.apply_moves(solution.moves()).is_solved());
        }
    }
    assert!(batch.remaining().len() <= 2 && batch.answered() <= 3);
    batch.commit().unwrap();
    drop(batch);
    // Opening the journal again changes nothing.
    let before = fs::read(&path).unwrap();
    drop(Batch::open(list.clone(), settings, true, Some(&path)).unwrap());
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// The position of every search here, with its tasks and a solver.
struct SearchFixture {
    position: Cube,
    tasks: Tasks,
    solver: Solver,
}

/// Returns the search of this process. Its table, the smallest one, is generated once for all
/// processes, because that takes a minute or two with the sanitizer.
fn search_fixture() -> &'static SearchFixture {
    static FIXTURE: OnceLock<SearchFixture> = OnceLock::new();
    FIXTURE.get_or_init(|| {
        let id = search_table();
        let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/fuzz-tables");
        let folder = TableFolder::new(tables);
        let control = Control::new(ThreadCount::ONE);
        let table: Arc<Table> = Arc::new(folder.load(id, &control).unwrap_or_else(|_| {
            folder.generate(id, &control).unwrap();
            folder.load(id, &control).unwrap()
        }));
        let position = searched_position();
        let tasks = Tasks::of(&position, &table);
        SearchFixture {
            position,
            tasks,
            solver: Solver::new(table, ThreadCount::ONE),
        }
    })
}

/// Maximum number in a record here. Sums of larger numbers may overflow: the program trusts the
/// numbers of a line with a valid checksum.
const MAX_NUMBER: u64 = 1 << 40;

/// Maximum length of an iteration, in either metric.
const MAX_LENGTH: u64 = 26;

/// Returns `true` if no number in the body of a line is larger than a search can count.
fn is_countable(body: &Value) -> bool {
    match body {
        Value::Number(number) => number.as_u64().is_none_or(|number| number <= MAX_NUMBER),
        Value::Array(values) => values.iter().all(is_countable),
        Value::Object(fields) => fields.iter().all(|(name, value)| {
            let is_too_long = name == "length" && value.as_u64() > Some(MAX_LENGTH);
            !is_too_long && is_countable(value)
        }),
        _ => true,
    }
}

/// Journals of a search with valid checksums: a journal is rejected, or the search resumes from it.
/// No wrong solution is accepted.
pub fn search_journal(data: &[u8]) {
    let mut lines = data.split(|&byte| byte == b'\n');
    if !lines.all(|line| serde_json::from_slice(line).map_or(true, |body| is_countable(&body))) {
        return;
    }
    let fixture = search_fixture();
    let path = path("search_journal");
    fs::write(&path, journal_with_checksums(data)).unwrap();
    let text = String::from_utf8_lossy(data);
    let (mut journal, recorded) = match JournalState::open(&path, &fixture.position, search_table())
    {
        Ok(opened) => opened,
        Err(error) => return check_message(&text, &error.to_string()),
    };
    let solves = |moves: &[Move]| fixture.position.apply_moves(moves).is_solved();
    assert!(recorded.solutions().all(&solves));
    journal.commit().unwrap();
    drop(journal);
    let mut tasks = fixture.tasks.clone();
    let resumed = match recorded.resume(&mut tasks) {
        Ok(resumed) => resumed,
        Err(error) => return check_message(&text, &error.to_string()),
    };
    assert!(resumed.share_done.is_finite() && resumed.to_string().len() < 200);
    // The search itself continues for a moment.
    let options = Options {
        solution_count: SolutionCount::All,
        two_phase: TwoPhaseMode::Off,
        ..Options::default()
    };
    let search = fixture.solver.search(&fixture.position).options(options);
    let search = search.timeout(Duration::from_millis(5));
    let (report, _) = search.resume(resumed.checkpoint);
    assert!(report.solutions.iter().all(|moves| solves(moves)));
}
