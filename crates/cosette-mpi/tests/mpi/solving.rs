//! One position or many by many ranks: the same as by one thread, to the last node.

use crate::{COSETTE_MPI, mpirun, run, tables, two_hosts};
use cosette::cube::{DisplayMoves, Metric, ParseOptions, parse_moves, random_walks};
use cosette::search::{Options, SolutionCount, Solver};
use cosette::table::{TableFolder, TableId};
use cosette::{Control, ThreadCount};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Fifteen moves, or less: a second of work with the smallest table.
const POSITION: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

/// The part of a result that must not depend on the executor: the length, all solutions, and the
/// nodes and probes of each iteration.
type Essence = (u64, Vec<String>, Vec<[u64; 3]>);

fn essence(answer: &Value) -> Essence {
    let iterations = answer["iterations"].as_array().unwrap().iter();
    let counts =
        iterations.map(|t| ["length", "nodes", "probes"].map(|name| t[name].as_u64().unwrap()));
    let solutions = answer["solutions"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string);
    (
        answer["length"].as_u64().unwrap(),
        solutions.collect(),
        counts.collect(),
    )
}

/// Returns the result of one thread without MPI: the length, and the nodes and probes of each
/// iteration.
fn by_one_thread(position: &str) -> (u64, Vec<[u64; 3]>) {
    let id = TableId {
        metric: Metric::Htm,
        size: "24M".parse().unwrap(),
    };
    let one = ThreadCount::ONE;
    let table = TableFolder::new(tables())
        .load(id, &Control::new(one))
        .unwrap();
    let position = parse_moves(position, &ParseOptions::default())
        .unwrap()
        .position();
    let options = Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    };
    let report = Solver::new(Arc::new(table), one)
        .search(&position)
        .options(options)
        .run();
    let counts = report
        .iterations
        .iter()
        .map(|t| [t.length.into(), t.nodes, t.probes])
        .collect();
    (report.length().unwrap().into(), counts)
}

/// Solves the position with these further arguments.
fn solve(job: &mut Command, more: &[&str]) -> Value {
    job.args(["solve", "--json", "--table", "24M", "--tables"])
        .arg(tables())
        .args(more)
        .arg(POSITION);
    run(job).json_lines().remove(0)
}

/// `cosette-mpi solve` on two ranks.
fn two_ranks() -> Option<Command> {
    let mut job = mpirun()?;
    job.args([
        "-np",
        "2",
        COSETTE_MPI,
        "solve",
        "--table",
        "24M",
        "--tables",
    ])
    .arg(tables());
    Some(job)
}

#[test]
fn any_number_of_ranks_and_threads_gives_the_same() {
    let alone = solve(&mut Command::new(COSETTE_MPI), &["--all", "--threads", "1"]);
    let expected = essence(&alone);
    assert_eq!((expected.0, expected.2.clone()), by_one_thread(POSITION));
    for (ranks, threads) in [("2", "1"), ("4", "1"), ("2", "2")] {
        let Some(mut job) = mpirun() else { return };
        let answer = solve(
            job.args(["-np", ranks, COSETTE_MPI]),
            &["--all", "--threads", threads],
        );
        assert_eq!(
            essence(&answer),
            expected,
            "{ranks} ranks of {threads} threads"
        );
    }
    for ranks in ["2", "4"] {
        let Some(mut job) = two_hosts() else { return };
        let answer = solve(
            job.args(["-np", ranks, COSETTE_MPI]),
            &["--all", "--threads", "1"],
        );
        assert_eq!(essence(&answer), expected, "{ranks} ranks on two hosts");
    }
}

/// Sixteen threads on a few cores take long enough for their last leases that idle threads get a
/// share of them.
#[test]
fn shared_leases_count_the_same() {
    let Some(mut job) = two_hosts() else { return };
    job.args([
        "-np",
        "2",
        COSETTE_MPI,
        "-vv",
        "solve",
        "--json",
        "--all",
        "--threads",
        "8",
        "--table",
        "24M",
    ]);
    let ended = run(job.arg("--tables").arg(tables()).arg(POSITION));
    let answer = ended.json_lines().remove(0);
    assert_eq!(
        (essence(&answer).0, essence(&answer).2),
        by_one_thread(POSITION)
    );
    let sharings = ended
        .errors
        .split("sharings=")
        .skip(1)
        .map(|text| text.split_whitespace().next().unwrap());
    assert!(
        sharings
            .map(|count| count.parse::<u64>().unwrap())
            .sum::<u64>()
            > 0,
        "{}",
        ended.errors
    );
}

#[test]
fn one_solution_is_enough() {
    let Some(mut job) = mpirun() else { return };
    let answer = solve(job.args(["-np", "3", COSETTE_MPI]), &["--threads", "1"]);
    assert_eq!(answer["length"], by_one_thread(POSITION).0);
    assert_eq!(answer["solutions"].as_array().unwrap().len(), 1);
}

#[test]
fn short_positions_and_those_read_from_standard_input_are_solved_too() {
    let Some(mut job) = two_ranks() else { return };
    let ended = run(job.args(["--json", "R U2 F'"]));
    assert_eq!(ended.json_lines()[0]["length"], 3);
}

#[test]
fn a_text_that_is_not_a_position_is_reported_once() {
    let Some(mut job) = two_ranks() else { return };
    let ended = run(job.arg("R X"));
    assert_eq!(ended.status.code(), Some(3), "{}", ended.errors);
    assert_eq!(ended.errors.matches("help:").count(), 1, "{}", ended.errors);
}

/// Takes minutes with the smallest table, and is cut into root tasks within seconds.
const FAR: &str = "R2 U2 L F2 R' U' F' B U' L' F L' U' L D' L2 F2 L2";

/// A time limit ends a search everywhere at once.
#[test]
fn all_ranks_stop_at_once() {
    // A machine that is busy may hold a thread up, or not come to the root tasks in time; then the
    // run proves nothing, and is repeated with more time.
    let mut delays = Vec::new();
    for seconds in (4..=40).step_by(4) {
        let Some(mut job) = two_hosts() else { return };
        job.args([
            "-np",
            "2",
            COSETTE_MPI,
            "-vv",
            "solve",
            "--threads",
            "1",
            "--table",
            "24M",
            "--tables",
        ]);
        let ended = run(job
            .arg(tables())
            .args(["--timeout", &seconds.to_string(), FAR]));
        assert_eq!(ended.status.code(), Some(4), "{}", ended.errors);
        assert!(ended.output.contains("not solved: "), "{}", ended.output);
        // Of the last iteration: from the moment when the first rank knows until every thread has
        // stopped.
        let Some((_, elapsed)) = ended
            .errors
            .rsplit_once("all threads have stopped elapsed=")
        else {
            continue;
        };
        let elapsed = elapsed.split_whitespace().next().unwrap();
        let milliseconds = elapsed
            .strip_suffix("ms")
            .and_then(|number| number.parse::<f64>().ok());
        if elapsed.ends_with("µs") || milliseconds.is_some_and(|ms| ms < 100.0) {
            return;
        }
        delays.push(elapsed.to_owned());
    }
    panic!("the threads stopped only after {delays:?}");
}

/// The signals are those of batch systems when the time of a job is up, and of Ctrl-C.
#[test]
fn what_is_proven_is_printed_when_the_job_is_asked_to_end() {
    if mpirun().is_none() {
        return;
    }
    for signal in ["-TERM", "-INT"] {
        // mpirun waits for `grace` seconds before it signals the ranks, and again before it kills
        // them. On a busy machine a few seconds are not enough, and with many the search ends by
        // itself.
        let mut outputs = Vec::new();
        let is_told = [3, 6, 12, 24].into_iter().any(|grace| {
            outputs.push(output_when_asked_to_end(signal, grace));
            outputs
                .last()
                .is_some_and(|output| output.contains("not solved: the shortest solution has"))
        });
        assert!(is_told, "{signal}: {outputs:?}");
    }
}

/// Returns the output of two ranks that search a position after mpirun received this signal, if it
/// kills them after `grace` seconds.
fn output_when_asked_to_end(signal: &str, grace: u64) -> String {
    let mut job = mpirun().unwrap();
    job.args([
        "--mca",
        "odls_base_sigkill_timeout",
        &grace.to_string(),
        "-np",
        "2",
        COSETTE_MPI,
    ]);
    job.args(["-vv", "solve", "--table", "24M", "--tables"])
        .arg(tables())
        .arg(FAR);
    job.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut job = job.spawn().unwrap();
    let mut errors = BufReader::new(job.stderr.take().unwrap()).lines();
    // All ranks are at work.
    let has_ended = |line: &str| line.contains("an iteration has ended");
    errors
        .find(|line| line.as_ref().is_ok_and(|line| has_ended(line)))
        .expect("it is logged")
        .unwrap();
    Command::new("kill")
        .args([signal, &job.id().to_string()])
        .status()
        .unwrap();
    let rest = std::thread::spawn(move || errors.for_each(drop));
    let output = job.wait_with_output().unwrap();
    rest.join().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_journal_that_cannot_be_used_is_refused() {
    let Some(mut job) = two_ranks() else { return };
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    std::fs::write(&journal, "not a journal\n").unwrap();
    let ended = run(job.arg("--journal").arg(&journal).arg(POSITION));
    ended.assert_refused(&["is not a journal"]);
    let Some(mut job) = two_ranks() else { return };
    let ended = run(job.arg("--journal").arg(folder.path()).arg(POSITION));
    ended.assert_refused(&["cannot open the journal"]);
    let Some(mut job) = mpirun() else { return };
    let file = folder.path().join("list");
    std::fs::write(&file, list()).unwrap();
    let ended = run(batch(job.args(["-np", "2", COSETTE_MPI]), &file)
        .arg("--journal")
        .arg(&journal));
    ended.assert_refused(&["is not a journal"]);
}

/// Forty short positions, and two that take longer than all the others, among them.
pub fn list() -> String {
    (0..42)
        .map(|number| walk((number, if number % 20 == 13 { 15 } else { 12 })))
        .collect()
}

/// A line with a random walk of this length.
fn walk((number, length): (u64, usize)) -> String {
    format!(
        "{}\n",
        DisplayMoves(
            &random_walks(number, length)
                .next()
                .expect("they do not end")
        )
    )
}

/// The length and the line of each answer.
pub fn lengths(answers: &[Value]) -> Vec<(u64, u64)> {
    answers
        .iter()
        .map(|answer| {
            (
                answer["line"].as_u64().unwrap(),
                answer["length"].as_u64().unwrap(),
            )
        })
        .collect()
}

/// The batch of the list in this file.
pub fn batch<'a>(job: &'a mut Command, list: &Path) -> &'a mut Command {
    job.args([
        "batch",
        "--json",
        "--ordered",
        "--threads",
        "1",
        "--table",
        "24M",
        "--tables",
    ])
    .arg(tables())
    .arg(list)
}

#[test]
fn any_number_of_ranks_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    std::fs::write(&file, list()).unwrap();
    let alone = lengths(&run(batch(&mut Command::new(COSETTE_MPI), &file)).json_lines());
    assert_eq!(alone.len(), 42);
    for ranks in ["2", "4"] {
        let Some(mut job) = mpirun() else { return };
        let answers = run(batch(job.args(["-np", ranks, COSETTE_MPI]), &file)).json_lines();
        assert_eq!(lengths(&answers), alone);
    }
    let Some(mut job) = two_hosts() else { return };
    assert_eq!(
        lengths(&run(batch(job.args(["-np", "2", COSETTE_MPI]), &file)).json_lines()),
        alone
    );
}

/// The last position goes from the thread that began it to all threads; what is counted stays the
/// same.
#[test]
fn a_long_position_at_the_end_is_searched_by_all_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    std::fs::write(&file, "R U\nR U2 F' L D B2 R' U F L2 D' B U2 R2 F\n").unwrap();
    let nodes = |answers: Vec<Value>| answers[1]["nodes"].as_u64().unwrap();
    let alone = nodes(run(batch(&mut Command::new(COSETTE_MPI), &file).arg("--all")).json_lines());
    let Some(mut job) = two_hosts() else { return };
    let answers = run(batch(job.args(["-np", "2", COSETTE_MPI]), &file).arg("--all")).json_lines();
    // The time of the thread that began it counts once, as do its nodes.
    let answer = &answers[1];
    let of_thresholds = answer["iterations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|iteration| iteration["seconds"].as_f64().unwrap());
    let seconds = answer["seconds"].as_f64().unwrap();
    let counted = of_thresholds.sum::<f64>();
    assert!(
        seconds < counted + 0.25,
        "{seconds} seconds, of which {counted} in iterations"
    );
    assert_eq!(nodes(answers), alone);
}

/// A batch stops when its output is closed; the positions that its threads have not begun do not
/// hold it up.
#[test]
fn a_batch_ends_when_its_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    std::fs::write(
        &file,
        (0..200)
            .map(|number| walk((number, 15)))
            .collect::<String>(),
    )
    .unwrap();
    let ended = run(batch(
        Command::new("sh").args(["-c", "\"$@\" | head -n 1", "sh", COSETTE_MPI]),
        &file,
    ));
    assert_eq!(ended.json_lines().len(), 1);
}
