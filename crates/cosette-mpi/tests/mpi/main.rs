//! The command as a user starts it: by `mpirun`, with several ranks, on one host or on two; and
//! what the tests share.
//!
//! Tests that need `mpirun`, or two hosts, say so and pass if there is none.

mod cosets;
mod killing;
mod questions;
mod ranks;
mod solving;

use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The program under test.
const COSETTE_MPI: &str = env!("CARGO_BIN_EXE_cosette-mpi");

/// A job that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// The exit code of `two-hosts` if the system does not permit such hosts.
const UNPERMITTED: i32 = 77;

/// The exit status and the output of a job.
struct Ended {
    status: ExitStatus,
    output: String,
    errors: String,
}

impl Ended {
    /// Returns the JSON objects on standard output, one per line.
    fn json_lines(&self) -> Vec<Value> {
        assert!(self.status.success(), "{}", self.errors);
        self.output
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Checks that the job was rejected with exit code 1, and printed each of these texts once.
    fn assert_refused(&self, texts: &[&str]) {
        assert_eq!(self.status.code(), Some(1), "{}", self.errors);
        assert_eq!(self.output, "");
        // The message is broken into lines of a terminal.
        let errors: Vec<&str> = self.errors.split_whitespace().collect();
        let errors = errors.join(" ");
        for text in texts {
            assert_eq!(
                errors.matches(text).count(),
                1,
                "{text:?} in: {}",
                self.errors
            );
        }
    }
}

/// `mpirun` of Open MPI, which does not see the user's tables; `None` if it is missing.
fn mpirun() -> Option<Command> {
    mpirun_bound_to("none")
}

/// `mpirun` of Open MPI with each rank bound to `place`, e.g. a core; `None` if it is missing.
fn mpirun_bound_to(place: &str) -> Option<Command> {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    let is_there = || {
        let version = Command::new("mpirun").arg("--version").output();
        version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("Open MPI"))
    };
    if !IS_THERE.get_or_init(is_there) {
        skip("there is no mpirun of Open MPI");
        return None;
    }
    let mut command = isolated("mpirun");
    command.args(["--oversubscribe", "--bind-to", place]);
    Some(command)
}

/// `mpirun` on the two hosts n1 and n2, with ranks on each in turn; `None` if the system does not
/// permit such hosts.
fn two_hosts() -> Option<Command> {
    static ARE_THERE: OnceLock<bool> = OnceLock::new();
    let are_there = || {
        let tried = run(isolated(script()).args(["-np", "2", "true"]));
        assert!(
            tried.status.success() || tried.status.code() == Some(UNPERMITTED),
            "{}",
            tried.errors
        );
        tried.status.success()
    };
    mpirun()?;
    if !ARE_THERE.get_or_init(are_there) {
        skip("the system permits no two hosts");
        return None;
    }
    Some(isolated(script()))
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/two-hosts")
}

fn isolated(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .env_remove("COSETTE_TABLES")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("NO_COLOR", "1");
    command.envs([
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ]);
    command
}

/// Reports that a test is skipped, past the test runner, which shows output of failed tests only.
fn skip(why: &str) {
    let test = thread::current().name().unwrap_or_default().to_owned();
    let mut errors = std::io::stderr();
    writeln!(errors, "skipped: {test}: {why}").unwrap();
}

/// Runs a job to its end.
fn run(command: &mut Command) -> Ended {
    let job = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut job = job.spawn().unwrap();
    let [output, errors] = [
        read(job.stdout.take().unwrap()),
        read(job.stderr.take().unwrap()),
    ];
    let start = Instant::now();
    let status = loop {
        match job.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                job.kill().unwrap();
                panic!("{command:?} hangs");
            }
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    Ended {
        status,
        output: output.join().unwrap(),
        errors: errors.join().unwrap(),
    }
}

fn read(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A folder with the smallest table, generated once for all tests and kept between runs.
fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables");
        fs::create_dir_all(&folder).unwrap();
        // Other runs of the tests may need it at the same time.
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        // One rank generates what is missing.
        let generated = run(isolated(COSETTE_MPI)
            .args(["ranks", "--table", "24M", "--tables"])
            .arg(&folder));
        assert!(generated.status.success(), "{}", generated.errors);
        folder
    })
}
