//! Sessions of a shell, in `tests/sessions`. Below a command are its standard output, its standard
//! error after `! `, and its exit code in brackets unless it is 0. `…` stands for any text.

#[path = "../../../cosette-app/tests/questions/pattern.rs"]
mod pattern;

use crate::support;
use assert_cmd::Command;
use pattern::matches;
use std::path::Path;
use std::time::Duration;
use std::{env, fs};
use tempfile::TempDir;

/// Returns what a session has below a command: the output, the errors and the exit code.
fn transcript(command: &str, folder: &Path) -> String {
    let program = assert_cmd::cargo::cargo_bin("cosette");
    let path = env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", command])
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .env("COSETTE_TABLES", support::tables())
        .env("COSETTE_TABLE", "24M")
        .env("XDG_CACHE_HOME", "/nonexistent")
        .env("TMP", folder)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8")
        // A search that misses a solution would run for hours.
        .timeout(Duration::from_secs(300))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    let mut lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    for line in text(&output.stderr).lines() {
        lines.push(format!("! {line}").trim_end().to_owned());
    }
    if output.status.code() != Some(0) {
        lines.push(format!("[{}]", output.status.code().unwrap_or(-1)));
    }
    lines
        .join("\n")
        .replace(folder.to_str().unwrap(), "$TMP")
        .replace(support::tables().to_str().unwrap(), "$COSETTE_TABLES")
}

/// Runs the commands of a session one after another.
#[track_caller]
fn replay(name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/sessions/{name}.txt"));
    let session = fs::read_to_string(file).unwrap();
    let folder = TempDir::new().unwrap();
    let mut failures = String::new();
    for paragraph in session.split("\n# ") {
        for entry in paragraph.split("\n$ ").skip(1) {
            let (command, expected) = entry.split_once('\n').unwrap_or((entry, ""));
            let actual = transcript(command, folder.path());
            if !matches(expected.trim_end(), &actual) {
                failures += &format!("$ {command}\n{actual}\n\n");
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{name}.txt has other lines than\n{failures}"
    );
}

macro_rules! sessions {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            replay(stringify!($name));
        }
    )*};
}

sessions!(answers batch bench check errors fmc manual review scramble solve stopping tables);
