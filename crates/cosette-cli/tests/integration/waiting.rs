//! Processes that want the same absent table: one generates it, the others wait.
#![cfg(unix)]

use crate::support::{EASY, cosette, signal};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

fn start(args: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(cosette().get_program());
    command.args(args).arg("--tables").arg(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The smallest table, generated slowly by one thread; returns once it is under way.
fn start_to_generate(folder: &Path) -> Child {
    let mut child = start(&["tables", "gen", "24M", "--threads", "1"], folder);
    let journal = folder.join("htm-24M.table.journal");
    while !journal.metadata().is_ok_and(|journal| journal.len() > 5_000) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before anyone could wait for it");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn start_to_solve(folder: &Path) -> Child {
    start(&["solve", "--table", "24M", EASY], folder)
}

/// A process that waits for the one that generates the table.
fn start_to_wait(folder: &Path) -> Child {
    let mut child = start(&["-v", "solve", "--table", "24M", EASY], folder);
    let mut errors = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    errors
        .find(|line| line.as_ref().is_ok_and(|line| line.contains("waiting for another process")))
        .expect("it waits")
        .unwrap();
    child
}

fn is_solved(output: &Output) -> bool {
    let Output { status, stdout, stderr } = output;
    let stdout = String::from_utf8_lossy(stdout);
    assert!(status.success() && stderr.is_empty(), "{status}: {}", String::from_utf8_lossy(stderr));
    stdout.contains("10 moves, proven")
}

#[test]
fn one_of_several_processes_generates_the_table() {
    let folder = TempDir::new().unwrap();
    let processes = [(); 4].map(|()| start_to_solve(folder.path()));
    for process in processes {
        assert!(is_solved(&process.wait_with_output().unwrap()));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the table alone is left");
}

#[test]
fn a_waiting_process_takes_over_from_one_that_is_killed() {
    let folder = TempDir::new().unwrap();
    let mut generating = start_to_generate(folder.path());
    signal(&generating, "-STOP");
    let waiting = start_to_wait(folder.path());
    generating.kill().unwrap();
    generating.wait().unwrap();
    let Output { status, stdout, .. } = waiting.wait_with_output().unwrap();
    assert!(status.success() && String::from_utf8(stdout).unwrap().contains("10 moves, proven"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn waiting_is_interrupted_at_once() {
    let folder = TempDir::new().unwrap();
    let mut generating = start_to_generate(folder.path());
    signal(&generating, "-STOP");
    let waiting = start_to_wait(folder.path());
    let start = std::time::Instant::now();
    signal(&waiting, "-INT");
    let output = waiting.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    // What there is of the table is not its own.
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("stopped before") && !errors.contains('%'), "{errors}");
    assert!(start.elapsed() < Duration::from_secs(2), "stopped only after {:?}", start.elapsed());
    generating.kill().unwrap();
    generating.wait().unwrap();
}
