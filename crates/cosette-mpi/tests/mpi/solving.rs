//! One position or many by many ranks: the same as by one thread, to the last node.

#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::Launch::{self, Alone, Ranks, TwoHosts};
use crate::{COSETTE_MPI, isolated, run, start, tables};
use cosette::cube::{Cube, DisplayMoves, Metric, random_walks};
use cosette::search::Solver;
use cosette::table::{TableFolder, TableId};
use cosette::{Control, ThreadCount};
use question::Question;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Fifteen moves, or less: a second of work with the smallest table.
const POSITION: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

/// The part of a result that must not depend on the executor: the length, all solutions, and the
/// nodes and probes of each iteration.
#[derive(Debug, PartialEq)]
struct Essence {
    length: u64,
    solutions: Value,
    counts: Vec<[u64; 3]>,
}

fn essence(answer: &Value) -> Essence {
    let iterations = answer["iterations"].as_array().unwrap().iter();
    let counts =
        iterations.map(|t| ["length", "nodes", "probes"].map(|name| t[name].as_u64().unwrap()));
    Essence {
        length: answer["length"].as_u64().unwrap(),
        solutions: answer["solutions"].clone(),
        counts: counts.collect(),
    }
}

/// Returns the result of one thread without MPI: the length, and the nodes and probes of each
/// iteration.
fn by_one_thread() -> (u64, Vec<[u64; 3]>) {
    let id = TableId {
        metric: Metric::Htm,
        size: "24M".parse().unwrap(),
    };
    let one = ThreadCount::ONE;
    let table = TableFolder::new(tables()).load(id, &Control::new(one));
    let solver = Solver::new(Arc::new(table.unwrap()), one);
    let report = solver
        .search(&POSITION.parse::<Cube>().unwrap())
        .all()
        .run();
    let counts = report.iterations.iter();
    let counts = counts.map(|t| [t.length.into(), t.nodes, t.probes]);
    (report.length().unwrap().into(), counts.collect())
}

/// Solves the position with these options.
fn solve(launch: Launch, options: &str) -> Option<Value> {
    let ended = launch.run(&format!("solve --json {options} {POSITION}"))?;
    Some(ended.json_lines().remove(0))
}

#[test]
fn any_number_of_ranks_and_threads_gives_the_same() {
    let expected = essence(&solve(Alone, "--all --threads 1").unwrap());
    assert_eq!((expected.length, expected.counts.clone()), by_one_thread());
    for (launch, threads) in [
        (Ranks(2), 1),
        (Ranks(4), 1),
        (Ranks(2), 2),
        (TwoHosts(2), 1),
        (TwoHosts(4), 1),
    ] {
        let Some(answer) = solve(launch, &format!("--all --threads {threads}")) else {
            return;
        };
        assert_eq!(essence(&answer), expected);
    }
}

/// Sixteen threads on a few cores take long enough for their last leases that idle threads get a
/// share of them.
#[test]
fn shared_leases_count_the_same() {
    let line = format!("-vv solve --json --all --threads 8 {POSITION}");
    let shares = || {
        let ended = TwoHosts(2).run(&line)?;
        let Essence { length, counts, .. } = essence(&ended.json_lines()[0]);
        assert_eq!((length, counts), by_one_thread());
        let mut sharings = ended.errors.split("sharings=").skip(1);
        Some(sharings.any(|text| !text.starts_with("0")))
    };
    let Some(has_shared) = shares() else {
        return;
    };
    // On a busy machine all threads may end at once.
    let shares_later = || (0..4).any(|_| shares() == Some(true));
    assert!(has_shared || shares_later(), "no idle thread got a share");
}

#[test]
fn one_solution_is_enough() {
    let Some(answer) = solve(Ranks(3), "--threads 1") else {
        return;
    };
    assert_eq!(answer["length"], by_one_thread().0);
    assert_eq!(answer["solutions"].as_array().unwrap().len(), 1);
}

#[test]
fn short_positions_and_texts_that_are_not_positions_end_it() {
    let Some(ended) = Ranks(2).run("solve --json R U2 F'") else {
        return;
    };
    assert_eq!(ended.json_lines()[0]["length"], 3);
    let ended = Ranks(2).run("solve R X").unwrap();
    ended.assert_refused(3, &["help:"]);
}

/// The questions that every front end is asked.
#[test]
fn each_question_has_its_answer() {
    for question in Question::all() {
        if question.has_goal() {
            continue;
        }
        let mut job = Alone.job("solve").unwrap();
        let ended = run(job.args(question.arguments()));
        let answer =
            || serde_json::from_str::<Value>(ended.output.lines().next().unwrap()).unwrap();
        match ended.status.code() {
            Some(0 | 4) => question.check(&answer()),
            Some(2) => question.check_refusal("request", &ended.errors),
            Some(3) => question.check_refusal("position", answer()["error"].as_str().unwrap()),
            code => panic!("{}: exit code {code:?}: {}", question.about, ended.errors),
        }
    }
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
        let line = format!("-vv solve --threads 1 --timeout {seconds} {FAR}");
        let Some(ended) = TwoHosts(2).run(&line) else {
            return;
        };
        assert_eq!(ended.status.code(), Some(4), "{}", ended.errors);
        assert!(ended.output.contains("not solved: "), "{}", ended.output);
        // In the last iteration, from the moment when the first rank knows until every thread has
        // stopped.
        let mut stops = ended.errors.rsplit("all threads have stopped elapsed=");
        let elapsed = stops.next().and_then(|text| text.split_whitespace().next());
        let (Some(elapsed), Some(_)) = (elapsed, stops.next()) else {
            continue;
        };
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
    for signal in ["-TERM", "-INT"] {
        // mpirun waits for `grace` seconds before it signals the ranks, and again before it kills
        // them. On a busy machine a few seconds are not enough, and with many the search ends by
        // itself.
        let mut outputs = Vec::new();
        for grace in [3, 6, 12, 24] {
            let Some(output) = output_when_asked_to_end(signal, grace) else {
                return;
            };
            outputs.push(output);
            if outputs.iter().any(|output| output.contains(PROVEN)) {
                break;
            }
        }
        let is_told = outputs.iter().any(|output| output.contains(PROVEN));
        assert!(is_told, "{signal}: {outputs:?}");
    }
}

/// Output of a search that was stopped.
const PROVEN: &str = "not solved: the shortest solution has";

/// Returns the output of two ranks that search a position after mpirun received this signal, if it
/// kills them after `grace` seconds.
fn output_when_asked_to_end(signal: &str, grace: u64) -> Option<String> {
    let mut job = Ranks(2).job(&format!("-vv solve {FAR}"))?;
    job.env("OMPI_MCA_odls_base_sigkill_timeout", grace.to_string());
    let mut job = start(&mut job);
    let mut errors = BufReader::new(job.stderr.take().unwrap()).lines();
    // All ranks are at work.
    let has_ended = |line: &str| line.contains("an iteration has ended");
    errors
        .find(|line| line.as_ref().is_ok_and(|line| has_ended(line)))
        .expect("it is logged")
        .unwrap();
    let mut kill = Command::new("kill");
    kill.args([signal, &job.id().to_string()]).status().unwrap();
    let rest = std::thread::spawn(move || errors.for_each(drop));
    let output = job.wait_with_output().unwrap();
    rest.join().unwrap();
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_journal_that_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let [journal, file] = ["journal", "list"].map(|name| folder.path().join(name));
    fs::write(&journal, "not a journal\n").unwrap();
    fs::write(&file, list()).unwrap();
    let solve = || Ranks(2).job(&format!("solve {POSITION}"));
    for (job, journal, message) in [
        (solve(), journal.as_path(), "is not a journal"),
        (solve(), folder.path(), "cannot open the journal"),
        (batch(Ranks(2), &file), &journal, "is not a journal"),
    ] {
        let Some(mut job) = job else { return };
        run(job.arg("--journal").arg(journal)).assert_refused(1, &[message]);
    }
}

/// Forty short positions, and two that take longer than all the others, among them.
pub fn list() -> String {
    (0..42)
        .map(|number| walk(number, if number % 20 == 13 { 15 } else { 12 }))
        .collect()
}

/// A line with a random walk of this length.
fn walk(number: u64, length: usize) -> String {
    let walk = random_walks(number, length).next();
    format!("{}\n", DisplayMoves(&walk.expect("they do not end")))
}

/// The length and the line of each answer.
pub fn lengths(answers: &[Value]) -> Vec<[u64; 2]> {
    let numbers = |answer: &Value| ["line", "length"].map(|name| answer[name].as_u64().unwrap());
    answers.iter().map(numbers).collect()
}

/// The batch of the list in this file.
pub fn batch(launch: Launch, list: &Path) -> Option<Command> {
    let mut job = launch.job("batch --json --ordered --threads 1")?;
    job.arg(list);
    Some(job)
}

#[test]
fn any_number_of_ranks_gives_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    fs::write(&file, list()).unwrap();
    let answers = |launch| Some(lengths(&run(&mut batch(launch, &file)?).json_lines()));
    let alone = answers(Alone);
    assert_eq!(alone.as_ref().map(Vec::len), Some(42));
    for launch in [Ranks(2), Ranks(4), TwoHosts(2)] {
        let Some(answers) = answers(launch) else {
            return;
        };
        assert_eq!(Some(answers), alone);
    }
}

/// The last position goes from the thread that began it to all threads; what is counted stays the
/// same.
#[test]
fn a_long_position_at_the_end_is_searched_by_all_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    fs::write(&file, format!("R U\n{POSITION}\n")).unwrap();
    let answer = |launch| {
        let mut job = batch(launch, &file)?;
        Some(run(job.arg("--all")).json_lines().remove(1))
    };
    let Some(together) = answer(TwoHosts(2)) else {
        return;
    };
    // The time of the thread that began it counts once, as do its nodes.
    let iterations = together["iterations"].as_array().unwrap().iter();
    let counted: f64 = iterations
        .map(|iteration| iteration["seconds"].as_f64().unwrap())
        .sum();
    let seconds = together["seconds"].as_f64().unwrap();
    assert!(
        seconds < counted + 0.25,
        "{seconds} seconds, of which {counted} in iterations"
    );
    assert_eq!(together["nodes"], answer(Alone).unwrap()["nodes"]);
}

/// A batch stops when its output is closed; the positions that its threads have not begun do not
/// hold it up.
#[test]
fn a_batch_ends_when_its_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    let walks: String = (0..200).map(|number| walk(number, 15)).collect();
    fs::write(&file, walks).unwrap();
    let mut job = isolated("sh");
    job.envs([
        ("COSETTE_TABLE", "24M".as_ref()),
        ("COSETTE_TABLES", tables().as_os_str()),
    ])
    .args(["-c", "\"$@\" | head -n 1", "sh", COSETTE_MPI])
    .args(["batch", "--json", "--ordered", "--threads", "1"])
    .arg(&file);
    assert_eq!(run(&mut job).json_lines().len(), 1);
}
