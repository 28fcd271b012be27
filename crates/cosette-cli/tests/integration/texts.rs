//! Output of the command, compared with texts: help with the golden file, the commands in the
//! documentation, the questions that every front end is asked, and stored measurements.

#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::support::{cosette, json_lines, solve, tables};
use question::Question;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::{env, fs};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<&str> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let list = list.split("\n\n").next().unwrap_or_default();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = list.lines().filter(is_name);
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect()
}

/// The help text of a command and of those below it.
fn help_of(command: &[&str]) -> String {
    let output = cosette().args(command).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let below = subcommands(&help);
    let below = below
        .iter()
        .map(|&name| help_of(&[command, &[name]].concat()));
    let below: String = below.collect();
    format!("$ cosette {} --help\n{help}\n{below}", command.join(" "))
}

/// A commit that changes the help changes this file too: `COSETTE_GOLDEN=write cargo test --release
/// -p cosette-cli help` writes it anew.
#[test]
fn help_texts_are_those_of_the_golden_file() {
    let help = help_of(&[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/help.txt");
    if env::var_os("COSETTE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, &help).unwrap();
    }
    let golden = fs::read_to_string(path).unwrap();
    for (number, (line, expected)) in (1..).zip(help.lines().zip(golden.lines())) {
        assert_eq!(line, expected, "line {number}");
    }
    assert_eq!(help.len(), golden.len());
}

/// The README and the pages of the book that users follow.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let mut pages = vec![root.join("README.md"), root.join("docs/start.md")];
    for folder in ["docs/howto", "docs/reference"] {
        let files = fs::read_dir(root.join(folder)).unwrap();
        pages.extend(files.map(|file| file.unwrap().path()));
    }
    pages
}

/// The arguments of each `cosette` in a line of a shell, which may have pipes, redirections and a
/// comment.
fn calls(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for sign in line.chars().chain([' ']) {
        match (quote, sign) {
            (Some(open), _) if open == sign => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(sign),
            (None, '"' | '\'') => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, ' ' | '|' | '>' | '<' | '&' | ';') => {
                commands.last_mut().unwrap().extend(word.take());
                if sign != ' ' {
                    commands.push(Vec::new());
                }
            }
            (None, _) => word.get_or_insert_default().push(sign),
        }
    }
    commands.retain(|words| words.first().is_some_and(|program| program == "cosette"));
    commands
        .into_iter()
        .map(|words| words[1..].to_vec())
        .collect()
}

/// The calls in the lines of a page that begin with `$ `, joined where they end in a backslash.
fn examples(page: &str) -> Vec<Vec<String>> {
    let text = page.replace("\\\n", "");
    text.lines()
        .filter_map(|line| line.strip_prefix("$ "))
        .flat_map(calls)
        .collect()
}

#[test]
fn commands_in_the_documentation_have_arguments_that_exist() {
    let mut count = 0;
    for page in pages() {
        for arguments in examples(&fs::read_to_string(&page).unwrap()) {
            // Arguments are read up to the request for help.
            let output = cosette().args(&arguments).arg("--help").output().unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{}: cosette {arguments:?}: {error}",
                page.display()
            );
            count += 1;
        }
    }
    assert!(count > 40, "{count} commands");
}

#[test]
fn each_question_has_its_answer() {
    for question in Question::all() {
        let ended = solve().args(question.arguments()).output().unwrap();
        let error = || String::from_utf8_lossy(&ended.stderr).into_owned();
        match ended.status.code() {
            Some(0 | 4) => question.check(&json_lines(&ended.stdout)[0]),
            Some(2) => question.check_refusal("request", &error()),
            Some(3) => question.check_refusal(
                "position",
                json_lines(&ended.stdout)[0]["error"].as_str().unwrap(),
            ),
            code => panic!("{}: exit code {code:?}: {}", question.about, error()),
        }
    }
}

/// The only record of a measurement.
fn record(arguments: &str) -> Value {
    let mut bench = cosette();
    bench.arg("bench").args(arguments.split(' '));
    bench.args(["--json", "--runs", "1", "--threads", "1"]);
    let output = bench.env("COSETTE_TABLES", tables()).output().unwrap();
    let mut records = json_lines(&output.stdout);
    assert_eq!(records.len(), 1, "{records:?}");
    records.remove(0)
}

#[test]
fn figures_of_a_measurement_agree() {
    let record = record("search --set 16 -n 1 --table 24M");
    let figure = |path: &str| record.pointer(path).unwrap().as_f64().unwrap();
    let nodes = figure("/nodes/median");
    assert!(nodes > 1e5 && figure("/probes/median") > nodes, "{record}");
    assert!(figure("/share_of_limit") > 0.0 && figure("/ns_per_probe") > 1.0);
    let gigabyte_seconds = figure("/table_bytes") / 1e9 * figure("/seconds/median");
    assert!((figure("/gigabyte_seconds") / gigabyte_seconds - 1.0).abs() < 1e-3);
}

/// Fields are added to records, never renamed: records that are kept have only fields that a new
/// one has.
#[test]
fn kept_records_can_be_compared_with_new_ones() {
    let new = record("memory --size 1M");
    let lacks = |new: &Value, old: &Value| {
        let mut names = old.as_object().unwrap().keys();
        names.find(|&name| new.get(name).is_none()).cloned()
    };
    // They are kept in the repository, not in the package.
    for entry in fs::read_dir(Path::new(ROOT).join("bench/records"))
        .into_iter()
        .flatten()
    {
        for record in json_lines(&fs::read(entry.unwrap().path()).unwrap()) {
            assert_eq!(lacks(&new["machine"], &record["machine"]), None);
            if record["bench"] == "memory" {
                assert_eq!(lacks(&new, &record), None);
            }
        }
    }
}
