//! The command under test, and a folder of tables that all tests share.

use assert_cmd::Command;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use tempfile::TempDir;

/// Reid's superflip: twenty moves, and hours of work for the smallest table.
pub const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Ten moves that cannot be shortened.
pub const EASY: &str = "R U R' U' F2 D L B2 R D";

/// The command, which does not see the user's tables.
pub fn cosette() -> Command {
    let mut command = Command::cargo_bin("cosette").unwrap();
    command
        .env_remove("COSETTE_TABLES")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8");
    // A search that misses a solution would run for hours.
    command.timeout(Duration::from_secs(120));
    command
}

/// `cosette solve` with the smallest table.
pub fn solve() -> Command {
    let mut command = cosette();
    command
        .arg("solve")
        .arg("--tables")
        .arg(tables())
        .args(["--table", "24M"]);
    command
}

/// Returns a copy of the command to start without waiting for its end.
pub fn apart(command: &Command) -> process::Command {
    let mut apart = process::Command::new(command.get_program());
    apart
        .args(command.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    apart
}

/// A folder with the smallest table, generated once for all tests and kept between runs.
pub fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables");
        fs::create_dir_all(&folder).unwrap();
        // Other runs of the tests may need it at the same time.
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        cosette()
            .args(["tables", "gen", "24M", "--tables"])
            .arg(&folder)
            .assert()
            .success();
        folder
    })
}

/// Sends a process a signal, as in `-INT`.
#[cfg(unix)]
pub fn signal(process: &process::Child, name: &str) {
    let sent = process::Command::new("kill")
        .args([name, &process.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// The JSON objects on standard output, one per line.
pub fn json_lines(output: &[u8]) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(output).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Runs a script in which `$DIR` is a file system of its own, mounted with these options; `None`
/// where that is forbidden.
pub fn with_file_system(options: &str, script: &str) -> Option<process::Output> {
    let folder = TempDir::new().unwrap();
    let run = |unshare: &[&str]| {
        let mount = format!(r#"mount -t tmpfs -o {options} tmpfs "$DIR" || exit 99; {script}"#);
        let mut command = process::Command::new(unshare[0]);
        command.args(&unshare[1..]).args(["sh", "-c", &mount]);
        command
            .env("DIR", folder.path())
            .env("COSETTE", assert_cmd::cargo::cargo_bin("cosette"));
        let output = command.output().ok()?;
        let stderr = String::from_utf8_lossy(&output.stderr);
        (output.status.code() != Some(99) && !stderr.starts_with("unshare:")).then_some(output)
    };
    let output = run(&["unshare", "-m"]).or_else(|| run(&["unshare", "-Urm"]));
    output.or_else(|| {
        eprintln!("skipped: mounting is forbidden here");
        None
    })
}
