//! Work that is stopped, killed or waited for, and resumed work.

use crate::support::{EASY, SUPERFLIP, apart, cosette, json_lines, signal, solve, tables};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
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
        std::thread::sleep(Duration::from_millis(1500));
    }
    while child.try_wait().unwrap().is_none() && ticks().is_some_and(|ticks| ticks < TICKS) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the command, interrupts it when it is at work, and waits a second for its end.
fn interrupted(command: &assert_cmd::Command) -> Output {
    let output = ended_by("-INT", 1, command);
    assert_eq!(output.status.code(), Some(130));
    output
}

/// Starts the command, sends it a signal `times` times when it is at work, and waits a second for
/// its end.
fn ended_by(name: &str, times: u32, command: &assert_cmd::Command) -> Output {
    let mut child = apart(command).spawn().unwrap();
    wait_for_work(&mut child);
    let start = Instant::now();
    for _ in 0..times {
        signal(&child, name);
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    assert!(
        start.elapsed().as_secs_f64() < 2.0,
        "stopped only after {:?}",
        start.elapsed()
    );
    output
}

#[test]
fn interrupting_a_search_prints_the_bounds() {
    let mut command = solve();
    let output = interrupted(command.arg(SUPERFLIP));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.contains("to 20 moves") && stdout.contains("interrupted after"),
        "{stdout}"
    );
    let mut command = solve();
    let output = interrupted(command.args(["--json", SUPERFLIP]));
    let line = &json_lines(&output.stdout)[0];
    assert_eq!(
        (&line["optimal"], &line["stop_reason"]),
        (&false.into(), &"interrupt".into())
    );
}

/// A search ends once there is no reader of its events.
#[test]
fn a_search_without_a_reader_of_its_events_ends() {
    let mut child = apart(solve().args(["--events", SUPERFLIP]))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains("started"), "{line}");
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed().as_secs() < 20, "it still searches");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A terminal that is closed sends its signal to the program, and again to its group: that is one
/// request.
#[test]
fn a_request_to_end_or_a_hang_up_has_its_own_exit_code() {
    // Where these tests run under `nohup`, the command does too.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignores_hang_ups =
        ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).unwrap() & 1 == 1);
    for (name, code) in [("-TERM", 143), ("-HUP", 129)] {
        if name == "-HUP" && ignores_hang_ups {
            continue;
        }
        let output = ended_by(name, 3, solve().arg(SUPERFLIP));
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stdout}");
        assert!(stdout.contains("to 20 moves"), "{stdout}");
    }
}

#[test]
fn an_interrupted_batch_keeps_its_journal() {
    let folder = TempDir::new().unwrap();
    let [list, journal] = ["list", "journal"].map(|name| folder.path().join(name));
    fs::write(&list, format!("R U F\n{SUPERFLIP}\n")).unwrap();
    let mut batch = cosette();
    batch
        .args(["batch", "--table", "24M", "--tables"])
        .arg(tables());
    batch.arg(&list).arg("--journal").arg(&journal);
    let mut child = apart(&batch).spawn().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let answer = answers.next().unwrap().unwrap();
    assert!(
        answer.starts_with("F' U' R'  // line 1: 3 htm, proven"),
        "{answer}"
    );
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
#[cfg(target_os = "linux")]
fn nohup_keeps_a_search_running() {
    let solve = solve();
    let mut child = Command::new("nohup");
    child
        .arg(solve.get_program())
        .args(solve.get_args())
        .args(["--timeout", "8", SUPERFLIP]);
    let mut child = child
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_for_work(&mut child);
    signal(&child, "-HUP");
    assert_eq!(
        child.wait().unwrap().code(),
        Some(4),
        "it ends at its time limit"
    );
}

/// Starts to generate the smallest table in `folder`, and sends a signal once some classes are
/// generated.
fn stopped_generation(folder: &Path, name: &str) -> Output {
    let child = apart(
        cosette()
            .args(["tables", "gen", "24M", "--tables"])
            .arg(folder),
    )
    .spawn()
    .unwrap();
    let journal = folder.join("htm-24M.table.journal");
    while !journal
        .metadata()
        .is_ok_and(|journal| journal.len() > 50_000)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, name);
    child.wait_with_output().unwrap()
}

#[test]
fn interrupting_a_measurement_writes_no_record() {
    for bench in [
        &["memory"][..],
        &["gen", "--table", "375M"],
        &["search", "--set", "18", "--threads", "1"],
    ] {
        let mut command = cosette();
        command.arg("bench").args(bench).arg("--json");
        if bench[0] == "search" {
            command.args(["--table", "24M", "--tables"]).arg(tables());
        }
        let output = interrupted(&command);
        assert_eq!(output.stdout, b"", "{bench:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            stderr.contains("stopped before the measurement was complete"),
            "{bench:?}: {stderr}"
        );
    }
}

/// The resumed file is the same wherever the generation was stopped: `generation` of the library
/// tests that.
#[test]
fn a_generation_that_was_stopped_can_be_removed() {
    let folder = TempDir::new().unwrap();
    let output = stopped_generation(folder.path(), "-INT");
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("% of htm-24M generated") && stderr.contains("to resume"),
        "{stderr}"
    );
    cosette()
        .args(["tables", "rm", "24M", "--tables"])
        .arg(folder.path())
        .assert()
        .success();
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}

fn start_command(args: &[&str], folder: &Path) -> Child {
    apart(cosette().args(args).arg("--tables").arg(folder))
        .env("NO_COLOR", "1")
        .spawn()
        .unwrap()
}

/// The smallest table, generated slowly by one thread; returns once it is under way.
fn start_to_generate(folder: &Path) -> Child {
    let mut child = start_command(&["tables", "gen", "24M", "--threads", "1"], folder);
    let journal = folder.join("htm-24M.table.journal");
    while !journal
        .metadata()
        .is_ok_and(|journal| journal.len() > 5_000)
    {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before anyone could wait for it"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// A process that waits for the one that generates the table.
fn start_to_wait(folder: &Path) -> Child {
    let mut child = start_command(&["-v", "solve", "--table", "24M", EASY], folder);
    let mut errors = BufReader::new(child.stderr.as_mut().unwrap()).lines();
    errors
        .find(|line| {
            line.as_ref()
                .is_ok_and(|line| line.contains("waiting for another process"))
        })
        .expect("it waits")
        .unwrap();
    child
}

/// Returns the standard error of a process that solves the position.
fn errors_of_solved(process: Child) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = process.wait_with_output().unwrap();
    assert!(
        status.success()
            && String::from_utf8(stdout)
                .unwrap()
                .contains("10 moves, proven"),
        "{status}"
    );
    String::from_utf8(stderr).unwrap()
}

#[test]
fn one_of_several_processes_generates_the_table() {
    let folder = TempDir::new().unwrap();
    let processes =
        [(); 4].map(|()| start_command(&["solve", "--table", "24M", EASY], folder.path()));
    assert!(
        processes
            .into_iter()
            .all(|process| errors_of_solved(process).is_empty())
    );
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "the table alone is left"
    );
}

#[test]
fn a_waiting_process_takes_over_from_one_that_is_killed() {
    let folder = TempDir::new().unwrap();
    let mut generating = start_to_generate(folder.path());
    signal(&generating, "-STOP");
    let waiting = start_to_wait(folder.path());
    generating.kill().unwrap();
    generating.wait().unwrap();
    errors_of_solved(waiting);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn waiting_is_interrupted_at_once() {
    let folder = TempDir::new().unwrap();
    let mut generating = start_to_generate(folder.path());
    signal(&generating, "-STOP");
    let waiting = start_to_wait(folder.path());
    let start = Instant::now();
    signal(&waiting, "-INT");
    let output = waiting.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    // What there is of the table is not its own.
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(
        errors.contains("stopped before") && !errors.contains('%'),
        "{errors}"
    );
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "stopped only after {:?}",
        start.elapsed()
    );
    generating.kill().unwrap();
    generating.wait().unwrap();
}
