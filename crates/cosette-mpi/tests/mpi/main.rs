//! The command as a user starts it: by `mpirun`, with several ranks, on one host or on two; and
//! what the tests share.
//!
//! Tests that need `mpirun`, or two hosts, say so and pass if there is none.

mod killing;
mod ranks;
mod solving;

use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The program under test.
const COSETTE_MPI: &str = env!("CARGO_BIN_EXE_cosette-mpi");

/// A job that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// The exit code of `two-hosts` if the system does not permit such hosts.
const UNPERMITTED: i32 = 77;

/// The processes of a job, which use the smallest table unless they are told otherwise.
#[derive(Clone, Copy)]
enum Launch {
    /// One rank without `mpirun`.
    Alone,
    /// This number of ranks on one host.
    Ranks(u8),
    /// This number of ranks, each bound to a core.
    Bound(u8),
    /// This number of ranks on the hosts n1 and n2, on each in turn.
    TwoHosts(u8),
}

use Launch::{Alone, Bound, Ranks, TwoHosts};

impl Launch {
    /// Returns the job that runs the program with these arguments, separated by spaces; `None` if
    /// `mpirun` of Open MPI is missing, or the system does not permit two hosts.
    fn job(self, arguments: &str) -> Option<Command> {
        let mut job = match self {
            Alone => isolated(COSETTE_MPI),
            Ranks(ranks) => mpirun("mpirun --oversubscribe --bind-to none", ranks)?,
            Bound(ranks) => mpirun("mpirun --oversubscribe --bind-to core:if-supported", ranks)?,
            TwoHosts(ranks) => mpirun(two_hosts()?, ranks)?,
        };
        job.env("COSETTE_TABLES", tables())
            .env("COSETTE_TABLE", "24M");
        job.args(arguments.split_whitespace());
        Some(job)
    }

    /// Runs the program with these arguments to its end.
    fn run(self, arguments: &str) -> Option<JobOutput> {
        Some(run(&mut self.job(arguments)?))
    }
}

/// Returns a job of some ranks; `None` if `mpirun` is missing.
fn mpirun(launcher: &str, ranks: u8) -> Option<Command> {
    if !has_mpirun() {
        skip("there is no mpirun of Open MPI");
        return None;
    }
    let mut words = launcher.split(' ');
    let mut job = isolated(words.next()?);
    job.args(words);
    job.args(["-np", &ranks.to_string(), COSETTE_MPI]);
    Some(job)
}

fn has_mpirun() -> bool {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| {
        let version = Command::new("mpirun").arg("--version").output();
        version.is_ok_and(|version| String::from_utf8_lossy(&version.stdout).contains("Open MPI"))
    })
}

/// Returns the script that starts a job on two hosts, if the system permits it.
fn two_hosts() -> Option<&'static str> {
    static ARE_THERE: OnceLock<bool> = OnceLock::new();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/two-hosts");
    let are_there = || {
        let tried = run(isolated(script).args(["-np", "2", "true"]));
        let code = tried.status.code();
        assert!(matches!(code, Some(0 | UNPERMITTED)), "{}", tried.errors);
        code == Some(0)
    };
    if has_mpirun() && !ARE_THERE.get_or_init(are_there) {
        skip("the system permits no two hosts");
        return None;
    }
    Some(script)
}

/// A program that does not see the user's tables.
fn isolated(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_remove("COSETTE_TABLES").envs([
        ("XDG_CACHE_HOME", "/nonexistent"),
        ("NO_COLOR", "1"),
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

/// The exit status and the output of a job.
struct JobOutput {
    status: ExitStatus,
    output: String,
    errors: String,
}

impl JobOutput {
    /// Returns the JSON objects on standard output, one per line.
    fn json_lines(&self) -> Vec<Value> {
        assert!(self.status.success(), "{}", self.errors);
        let lines = self.output.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Checks that the job ended with this exit code and without output, and printed each of these
    /// texts once.
    fn assert_refused(&self, code: i32, texts: &[&str]) {
        assert_eq!(self.status.code(), Some(code), "{}", self.errors);
        assert_eq!(self.output, "");
        // The message is broken into lines of a terminal.
        let errors: Vec<&str> = self.errors.split_whitespace().collect();
        let errors = errors.join(" ");
        for text in texts {
            assert_eq!(errors.matches(text).count(), 1, "{text:?} in: {errors}");
        }
    }
}

/// Starts a job whose output is read.
fn start(job: &mut Command) -> Child {
    job.stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a job to its end.
fn run(command: &mut Command) -> JobOutput {
    let mut job = start(command);
    let output = read(job.stdout.take().unwrap());
    let errors = read(job.stderr.take().unwrap());
    if !within(LIMIT, || job.try_wait().unwrap().is_some()) {
        job.kill().unwrap();
        panic!("{command:?} hangs");
    }
    JobOutput {
        status: job.wait().unwrap(),
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

/// Returns `true` if the condition becomes true within this time.
fn within(time: Duration, mut is_true: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while !is_true() {
        if start.elapsed() > time {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
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
        let mut ranks = isolated(COSETTE_MPI);
        ranks.args(["ranks", "--table", "24M", "--tables"]);
        let generated = run(ranks.arg(&folder));
        assert!(generated.status.success(), "{}", generated.errors);
        folder
    })
}
