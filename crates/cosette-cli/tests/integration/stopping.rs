//! Work that is stopped, killed or waited for, and resumed work.

use crate::support::{EASY, SUPERFLIP, apart, cosette, json_lines, signal, solve, tables};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Waits until the process works, i.e. until it has used more processor time than its start takes
/// on a busy machine, if the system reports that time.
fn wait_for_work(child: &mut Child) {
    const TICKS: u64 = 66;
    let stat = format!("/proc/{}/stat", child.id());
    // After the name of the program in parentheses, the 12th and 13th field are the ticks in user
    // and system mode.
    let ticks = || -> Option<u64> {
        let stat = fs::read_to_string(&stat).ok()?;
        let fields = stat.rsplit_once(')')?.1.split_whitespace();
        fields
            .skip(11)
            .take(2)
            .map(|ticks| ticks.parse::<u64>().ok())
            .sum()
    };
    if ticks().is_none() {
        sleep(Duration::from_millis(1500));
    }
    while child.try_wait().unwrap().is_none() && ticks().is_some_and(|ticks| ticks < TICKS) {
        sleep(Duration::from_millis(5));
    }
}

/// Starts the command, interrupts it when it is at work, and waits a second for its end.
fn interrupted(command: &assert_cmd::Command) -> Output {
    ended_by("-INT", 1, 130, command)
}

/// Starts the command, sends it a signal `times` times when it is at work, and waits a second for
/// its end with this exit code.
fn ended_by(name: &str, times: u32, code: i32, command: &assert_cmd::Command) -> Output {
    let mut child = apart(command).spawn().unwrap();
    wait_for_work(&mut child);
    let start = Instant::now();
    for _ in 0..times {
        signal(&child, name);
        sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    output
}

/// A terminal that is closed sends its signal to the program, and again to its group: that is one
/// request.
#[test]
fn a_search_that_is_stopped_prints_the_bounds() {
    // Where these tests run under `nohup`, the command does too.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignores_hang_ups =
        ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 1);
    for (name, times, code) in [("-INT", 1, 130), ("-TERM", 3, 143), ("-HUP", 3, 129)] {
        if name == "-HUP" && ignores_hang_ups {
            continue;
        }
        let output = ended_by(name, times, code, solve().arg(SUPERFLIP));
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(
            stdout.contains("to 20 moves") && stdout.contains("interrupted after"),
            "{stdout}"
        );
    }
    let output = interrupted(solve().args(["--json", SUPERFLIP]));
    let answer = &json_lines(&output.stdout)[0];
    assert_eq!(answer["optimal"], false);
    assert_eq!(answer["stop_reason"], "interrupt");
}

#[test]
fn an_interrupted_batch_keeps_its_journal() {
    let folder = TempDir::new().unwrap();
    let [list, journal] = ["list", "journal"].map(|name| folder.path().join(name));
    fs::write(&list, format!("R U F\n{SUPERFLIP}\n")).unwrap();
    let mut batch = cosette();
    batch.args(["batch", "--table", "24M"]).arg(&list);
    batch.arg("--tables").arg(tables());
    batch.arg("--journal").arg(&journal);
    let mut child = apart(&batch).spawn().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let answer = answers.next().unwrap().unwrap();
    assert!(answer.starts_with("F' U' R'  // line 1: 3 htm, proven"));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(answers.count(), 0);
    let errors = String::from_utf8(output.stderr).unwrap();
    let expected = "interrupted; the journal has results for 1 of 2 positions";
    assert!(errors.contains(expected), "{errors}");
    // Nothing holds the journal any more.
    batch.args(["--timeout", "0.2"]).assert().code(4);
}

#[test]
fn interrupting_a_measurement_writes_no_record() {
    for bench in [
        "memory",
        "gen --table 375M",
        "search --set 18 --threads 1 --table 24M",
    ] {
        let mut command = cosette();
        command.arg("bench").args(bench.split(' ')).arg("--json");
        if bench.starts_with("search") {
            command.arg("--tables").arg(tables());
        }
        let output = interrupted(&command);
        assert_eq!(output.stdout, b"", "{bench}");
        let errors = String::from_utf8(output.stderr).unwrap();
        let expected = "stopped before the measurement was complete";
        assert!(errors.contains(expected), "{bench}: {errors}");
    }
}

fn start(args: &[&str], folder: &Path) -> Child {
    let mut command = cosette();
    command.args(args).arg("--tables").arg(folder);
    apart(&command).env("NO_COLOR", "1").spawn().unwrap()
}

/// Starts to generate the smallest table, slowly by one thread; returns once some classes are
/// generated.
fn start_to_generate(folder: &Path) -> Child {
    let mut child = start(&["tables", "gen", "24M", "--threads", "1"], folder);
    let journal = folder.join("htm-24M.table.journal");
    while !journal
        .metadata()
        .is_ok_and(|journal| journal.len() > 5_000)
    {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        sleep(Duration::from_millis(5));
    }
    child
}

/// Starts a process that waits for the one that generates the table.
fn start_to_wait(folder: &Path) -> Child {
    let mut child = start(&["-v", "solve", "--table", "24M", EASY], folder);
    let mut errors = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    let is_waiting = |line: String| line.contains("waiting for another process");
    assert!(errors.any(|line| is_waiting(line.unwrap())));
    child
}

/// The resumed file is the same wherever the generation was stopped: `generation` of the library
/// tests that.
#[test]
fn a_generation_that_was_stopped_can_be_removed() {
    let folder = TempDir::new().unwrap();
    let child = start_to_generate(folder.path());
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("% of htm-24M generated") && errors.contains("to resume"));
    let removed = start(&["tables", "rm", "24M"], folder.path()).wait();
    assert!(removed.unwrap().success());
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

/// Returns the standard error of a process that solves the position.
fn errors_of_solved(process: Child) -> String {
    let output = process.wait_with_output().unwrap();
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && answer.contains("10 moves, proven"));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn one_of_several_processes_generates_the_table() {
    let folder = TempDir::new().unwrap();
    let solve = ["solve", "--table", "24M", EASY];
    for process in [(); 4].map(|()| start(&solve, folder.path())) {
        assert_eq!(errors_of_solved(process), "");
    }
    // The table alone is left.
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

/// One waiting process is interrupted, which takes effect at once; the other takes over from the
/// generating process, which is killed.
#[test]
fn a_process_that_waits_is_interrupted_or_takes_over() {
    let folder = TempDir::new().unwrap();
    let mut generating = start_to_generate(folder.path());
    signal(&generating, "-STOP");
    let [first, second] = [(); 2].map(|()| start_to_wait(folder.path()));
    let start = Instant::now();
    signal(&first, "-INT");
    let output = first.wait_with_output().unwrap();
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert_eq!(output.status.code(), Some(130));
    // The partial table is not its own.
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("stopped before") && !errors.contains('%'));
    generating.kill().unwrap();
    generating.wait().unwrap();
    errors_of_solved(second);
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}
