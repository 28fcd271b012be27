//! Passes the commit, if known, and the compiler to the command, for its records. This script
//! belongs to programs, because everything that depends on it is rebuilt after each commit.

use std::fs;
use std::process::Command;

fn main() {
    if let Some(commit) = commit() {
        println!("cargo::rustc-env=COSETTE_COMMIT={commit}");
    }
    let compiler = std::env::var("RUSTC")
        .ok()
        .and_then(|rustc| output(&rustc, &["--version"]));
    println!(
        "cargo::rustc-env=COSETTE_RUSTC={}",
        compiler.as_deref().unwrap_or("unknown")
    );
    // The inputs of the build.
    let crates = [
        "crates/cosette",
        "crates/cosette-app",
        "crates/cosette-mpi",
        "lab/cosette-lab",
    ]
    .map(|name| format!("../../{name}/src"));
    for source in ["build.rs", "src", "../../Cargo.lock"]
        .into_iter()
        .chain(crates.iter().map(String::as_str))
    {
        if fs::exists(source).is_ok_and(|there| there) {
            println!("cargo::rerun-if-changed={source}");
        }
    }
}

/// The commit, marked `-dirty` where files have changed since: by git, or in a package by what
/// Cargo recorded in it.
fn commit() -> Option<String> {
    if let Some(log) = output("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // A package may be in the repository of another project, which does not track this file.
    if output("git", &["ls-files", "--error-unmatch", "Cargo.toml"]).is_some() {
        return output(
            "git",
            &[
                "describe",
                "--always",
                "--abbrev=12",
                "--exclude=*",
                "--dirty",
            ],
        );
    }
    let recorded = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = recorded.split_once("\"sha1\": \"")?;
    after.get(..12).map(str::to_owned)
}

/// Returns the single line that a command prints; `None` if the command fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
