//! Many positions by many ranks.

use crate::support::{COSETTE_MPI, mpirun, run, tables, two_hosts};
use cosette::cube::{Move, MoveSet, Moves};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Forty short positions, and two that take longer than all the others, among them.
pub fn list() -> String {
    let lengths = (0..42).map(|number| if number % 20 == 13 { 15 } else { 12 });
    lengths.enumerate().map(|(number, length)| format!("{}\n", Moves(&sequence(number, length)))).collect()
}

/// A pseudorandom sequence of this length.
fn sequence(number: usize, length: usize) -> Vec<Move> {
    let (mut sequence, mut state) = (Vec::new(), number as u64 + 1);
    for _ in 0..length {
        let next: Vec<Move> = MoveSet::after(sequence.last().copied()).iter().collect();
        // The generator of Knuth's MMIX.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        sequence.push(next[(state >> 33) as usize % next.len()]);
    }
    sequence
}

/// The length and the line of each answer.
pub fn lengths(answers: &[Value]) -> Vec<(u64, u64)> {
    answers.iter().map(|answer| (answer["line"].as_u64().unwrap(), answer["length"].as_u64().unwrap())).collect()
}

/// The batch of the list in this file.
pub fn batch<'a>(job: &'a mut Command, list: &Path) -> &'a mut Command {
    job.args(["batch", "--json", "--ordered", "--threads", "1", "--table", "24M", "--tables"]).arg(tables()).arg(list)
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
    assert_eq!(lengths(&run(batch(job.args(["-np", "2", COSETTE_MPI]), &file)).json_lines()), alone);
}

/// The last position goes from the thread that began it to all threads; what is counted stays the same.
#[test]
fn a_long_position_at_the_end_is_searched_by_all_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    std::fs::write(&file, "R U\nR U2 F' L D B2 R' U F L2 D' B U2 R2 F\n").unwrap();
    let nodes = |answers: Vec<Value>| answers[1]["nodes"].as_u64().unwrap();
    let alone = nodes(run(batch(&mut Command::new(COSETTE_MPI), &file).arg("--all")).json_lines());
    let Some(mut job) = mpirun() else { return };
    let answers = run(batch(job.args(["-np", "2", COSETTE_MPI]), &file).arg("--all")).json_lines();
    // The time of the thread that began it counts once, as do its nodes.
    let answer = &answers[1];
    let of_thresholds =
        answer["thresholds"].as_array().unwrap().iter().map(|threshold| threshold["seconds"].as_f64().unwrap());
    let (seconds, counted) = (answer["seconds"].as_f64().unwrap(), of_thresholds.sum::<f64>());
    assert!(seconds < counted + 0.25, "{seconds} seconds, of which {counted} in iterations");
    assert_eq!(nodes(answers), alone);
}

/// A batch stops when its output is closed; the positions that its threads have not begun do not hold it up.
#[test]
fn a_batch_ends_when_its_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list");
    let list: String = (0..200).map(|number| format!("{}\n", Moves(&sequence(number, 15)))).collect();
    std::fs::write(&file, list).unwrap();
    let ended = run(batch(Command::new("sh").args(["-c", "\"$@\" | head -n 1", "sh", COSETTE_MPI]), &file));
    assert_eq!(ended.json_lines().len(), 1);
}

#[test]
fn a_journal_that_cannot_be_used_is_refused() {
    let Some(mut job) = mpirun() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [file, journal] = ["list", "journal"].map(|name| folder.path().join(name));
    std::fs::write(&file, list()).unwrap();
    std::fs::write(&journal, "what is this\n").unwrap();
    let ended = run(batch(job.args(["-np", "2", COSETTE_MPI]), &file).arg("--journal").arg(&journal));
    ended.assert_refused(&["is not a journal"]);
}
