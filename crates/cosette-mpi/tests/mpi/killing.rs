//! Jobs that are killed at any instant, `mpirun` or one of its ranks, and started again.

use crate::solving::{batch, lengths, list};
use crate::{COSETTE_MPI, Ended, mpirun, run, tables};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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
    tasks
        .split_whitespace()
        .map(|id| id.parse().unwrap())
        .collect()
}

fn kill(process: u32) {
    Command::new("kill")
        .args(["-9", &process.to_string()])
        .stderr(Stdio::null())
        .status()
        .unwrap();
}

/// Kills a job, by its `mpirun` or one of its ranks, and waits until nothing of it is left.
fn kill_job(job: &mut Child, number: u64) {
    let ranks = children(job.id());
    let processes: Vec<u32> = ranks.iter().copied().chain([job.id()]).collect();
    kill(processes[number as usize % processes.len()]);
    // Open MPI may overlook a rank that dies while it is being started, and then waits forever.
    if !within(Duration::from_secs(5), &mut || {
        job.try_wait().unwrap().is_some()
    }) {
        ranks.iter().copied().chain([job.id()]).for_each(kill);
        job.wait().unwrap();
    }
    let is_there = |rank: &u32| Path::new(&format!("/proc/{rank}")).exists();
    assert!(
        within(Duration::from_secs(60), &mut || !ranks.iter().any(is_there)),
        "ranks outlive their job"
    );
}

/// Returns `true` if the condition becomes true within this time.
fn within(time: Duration, is_true: &mut dyn FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !is_true() {
        if start.elapsed() > time {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Starts a job repeatedly, kills it, and lets it run to its end at last. If it ends before it is
/// killed, starts from nothing.
fn killed_and_ended(job: &dyn Fn() -> Command, journal: &Path) -> Ended {
    let mut kills = 0;
    while kills < kills_of_a_job() {
        let mut job = job();
        let mut job = job
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(instant(kills));
        if let Some(status) = job.try_wait().unwrap() {
            assert!(status.success(), "{status} after {kills} kills");
            fs::remove_file(journal).unwrap();
            continue;
        }
        kill_job(&mut job, kills);
        kills += 1;
    }
    run(&mut job())
}

#[test]
fn a_position_that_is_killed_repeatedly_comes_out_the_same() {
    let solve = |mut job: Command, more: &[&Path]| {
        let position = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F U'";
        job.args([
            "-np",
            "2",
            COSETTE_MPI,
            "solve",
            "--json",
            "--all",
            "--threads",
            "1",
            "--table",
            "24M",
            position,
        ]);
        job.arg("--tables")
            .arg(tables())
            .args(more.iter().flat_map(|path| [Path::new("--journal"), path]));
        job
    };
    let Some(job) = mpirun() else { return };
    let expected = run(&mut solve(job, &[])).json_lines().remove(0);
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let again = || solve(mpirun().expect("it was there just now"), &[&journal]);
    let answer = killed_and_ended(&again, &journal).json_lines().remove(0);
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
    let Some(mut job) = mpirun() else { return };
    let expected = lengths(&run(batch(job.args(["-np", "2", COSETTE_MPI]), &file)).json_lines());
    let again = || {
        let mut job = mpirun().expect("it was there just now");
        batch(job.args(["-np", "2", COSETTE_MPI]), &file)
            .arg("--journal")
            .arg(&journal);
        job
    };
    let answers = killed_and_ended(&again, &journal).json_lines();
    assert_eq!(lengths(&answers), expected);
    let records = fs::read_to_string(&journal).unwrap().lines().count() - 1;
    assert_eq!(
        records,
        expected.len(),
        "each answer is in the journal once"
    );
}
