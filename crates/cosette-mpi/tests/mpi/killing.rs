//! Jobs that are killed at any instant, `mpirun` or one of its ranks, and started again.

use crate::Launch::Ranks;
use crate::solving::{batch, lengths, list};
use crate::{JobOutput, run, start, within};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

/// Returns the number of times that a job is killed; SECURITY.md has the figures of a run with
/// `KILLS=20`.
fn kills_of_a_job() -> u64 {
    std::env::var("KILLS").map_or(5, |kills| kills.parse().unwrap())
}

/// The longest time it gets before that.
const MAX_DELAY: Duration = Duration::from_millis(700);

/// An instant that differs each time, but is the same in each run of the tests.
fn instant(kill: u64) -> Duration {
    MAX_DELAY.mul_f64((kill * 61 % 97) as f64 / 97.0)
}

/// The processes that a process has started.
fn children(of: u32) -> Vec<u32> {
    let tasks = fs::read_to_string(format!("/proc/{of}/task/{of}/children")).unwrap_or_default();
    let ids = tasks.split_whitespace();
    ids.map(|id| id.parse().unwrap()).collect()
}

fn kill(process: u32) {
    let mut kill = Command::new("kill");
    kill.args(["-9", &process.to_string()]);
    kill.stderr(Stdio::null()).status().unwrap();
}

/// Kills a job, by its `mpirun` or one of its ranks, and waits until nothing of it is left.
fn kill_job(job: &mut Child, number: u64) {
    let ranks = children(job.id());
    let processes: Vec<u32> = ranks.iter().copied().chain([job.id()]).collect();
    kill(processes[number as usize % processes.len()]);
    // Open MPI may overlook a rank that dies while it is being started, and then waits forever.
    if !within(Duration::from_secs(5), || job.try_wait().unwrap().is_some()) {
        processes.into_iter().for_each(kill);
        job.wait().unwrap();
    }
    let is_there = |rank: &u32| Path::new(&format!("/proc/{rank}")).exists();
    let have_ended = within(Duration::from_secs(60), || !ranks.iter().any(is_there));
    assert!(have_ended, "ranks outlive their job");
}

/// Starts a job repeatedly, kills it, and lets it run to its end at last. If it ends before it is
/// killed, starts from nothing.
fn killed_and_ended(job: &mut Command, journal: &Path) -> JobOutput {
    let mut kills = 0;
    while kills < kills_of_a_job() {
        let mut running = start(job);
        thread::sleep(instant(kills));
        if let Some(status) = running.try_wait().unwrap() {
            assert!(status.success(), "{status} after {kills} kills");
            fs::remove_file(journal).unwrap();
            continue;
        }
        kill_job(&mut running, kills);
        kills += 1;
    }
    run(job)
}

#[test]
fn a_position_that_is_killed_repeatedly_comes_out_the_same() {
    let line = "solve --json --all --threads 1 R U2 F' L D B2 R' U F L2 D' B U2 R2 F U'";
    let Some(ended) = Ranks(2).run(line) else {
        return;
    };
    let expected = ended.json_lines().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let mut job = Ranks(2).job(line).unwrap();
    let ended = killed_and_ended(job.arg("--journal").arg(&journal), &journal);
    let answer = ended.json_lines().remove(0);
    let counts = |answer: &Value| -> Vec<[Value; 3]> {
        let iterations = answer["iterations"].as_array().unwrap().iter();
        iterations
            .map(|t| ["length", "nodes", "probes"].map(|name| t[name].clone()))
            .collect()
    };
    assert_eq!(answer["solutions"], expected["solutions"]);
    assert_eq!(counts(&answer), counts(&expected));
}

#[test]
fn a_batch_that_is_killed_repeatedly_comes_out_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [file, journal] = ["list", "journal"].map(|name| folder.path().join(name));
    fs::write(&file, list()).unwrap();
    let Some(mut job) = batch(Ranks(2), &file) else {
        return;
    };
    let expected = lengths(&run(&mut job).json_lines());
    let ended = killed_and_ended(job.arg("--journal").arg(&journal), &journal);
    assert_eq!(lengths(&ended.json_lines()), expected);
    let records = fs::read_to_string(&journal).unwrap().lines().count() - 1;
    assert_eq!(
        records,
        expected.len(),
        "each answer is in the journal once"
    );
}
