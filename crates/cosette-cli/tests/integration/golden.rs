//! Output of the command, compared with the texts in `tests/golden`: help, answers, and the first
//! lines of journals. A commit that changes the output changes these texts too.
//! `COSETTE_GOLDEN=write cargo test --release -p cosette-cli golden` writes them anew.

use crate::support::{cosette, tables};
use std::path::Path;
use std::{env, fs};
use tempfile::TempDir;

/// Compares a text with a file of `tests/golden`.
fn compare(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if env::var_os("COSETTE_GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap();
    for (number, (line, expected)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(line, expected, "{name}, line {}", number + 1);
    }
    assert_eq!(text.lines().count(), golden.lines().count(), "{name}");
}

/// Replaces the seconds, which differ between runs.
fn without_times(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|sign: char| sign.is_ascii_digit()) {
        let length = rest[start..]
            .find(|sign: char| !(sign.is_ascii_digit() || ".e-".contains(sign)))
            .unwrap_or(rest.len() - start);
        let (number, after) = rest[start..].split_at(length);
        result.push_str(&rest[..start]);
        let is_time =
            result.ends_with("seconds\":") || number.contains('.') && after.starts_with(" s");
        result.push_str(if is_time { "TIME" } else { number });
        rest = after;
    }
    result + rest
}

/// The transcript of a call: its arguments, what it prints, and its exit code.
fn transcript(folder: &Path, arguments: &str) -> String {
    let ended = cosette()
        .current_dir(folder)
        .env("COSETTE_TABLES", tables())
        .args(arguments.split('|'))
        .output()
        .unwrap();
    let texts = [&ended.stdout, &ended.stderr].map(|text| String::from_utf8_lossy(text));
    format!(
        "$ cosette {}\n{}{}[{}]\n\n",
        arguments.replace('|', " "),
        without_times(&texts[0]),
        without_times(&texts[1]),
        ended.status.code().unwrap()
    )
}

/// The names of the subcommands in a help text.
fn subcommands(help: &str) -> Vec<&str> {
    let list = help.split("\nCommands:\n").nth(1).unwrap_or_default();
    let list = list.split("\n\n").next().unwrap_or_default();
    let is_name = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let names = list.lines().filter(is_name);
    names
        .filter_map(|line| line.split_whitespace().next())
        .collect()
}

/// Appends the help text of a command and of those below it.
fn add_help(command: &[&str], text: &mut String) {
    let output = cosette().args(command).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    text.push_str(&format!("$ cosette {} --help\n{help}\n", command.join(" ")));
    for name in subcommands(&help)
        .into_iter()
        .filter(|name| *name != "help")
    {
        add_help(&[command, &[name]].concat(), text);
    }
}

#[test]
fn help_texts_are_those_of_the_golden_file() {
    let mut text = String::new();
    add_help(&[], &mut text);
    compare("help.txt", &text);
}

/// One call of each kind that takes no time, with arguments between bars.
const CALLS: &[&str] = &[
    "solve|R U2 F' L",
    "solve|--all|R2 L2 U2 D2",
    "solve|--explain|R U2 F' L",
    "solve|--metric|qtm|R U2 F'",
    "solve|--max-length|2|R U2 F' L",
    "solve|--json|R U2 F' L D2 B'",
    "solve|--goal|cross|R U2 F' L D2",
    "solve|--goal|cross|--all|--slack|1|R U2",
    "solve|--goal|cross|--json|R U2 F' L D2",
    "solve|--moves|R U|R U R'",
    "solve|R U2 X",
    "solve|--goal|crows|R",
    "solve|--table|24M|--threads|1|--journal|solve.journal|R U F L D B R2 U2 F2",
    "batch|--table|24M|--threads|1|--ordered|--journal|batch.journal|list.txt",
    "batch|--json|--ordered|list.txt",
    "batch|stats|batch.journal",
    "scramble|--count|2|--seed|7|--length|12",
    "dataset|data.jsonl|--all-at-distance|1|--threads|1",
    "fmc|--steps|eo|R U2 F' L D2 B' U R'",
    "fmc|--json|--steps|eo|R U2 F' L D2 B' U R'",
];

#[test]
fn answers_are_those_of_the_golden_file() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("list.txt"), "R U2 F'\nname: U R\n").unwrap();
    let mut text: String = CALLS
        .iter()
        .map(|call| transcript(folder.path(), call))
        .collect();
    for name in ["solve.journal", "batch.journal"] {
        let journal = fs::read_to_string(folder.path().join(name)).unwrap();
        let header = journal.lines().next().unwrap();
        text.push_str(&format!("$ head -1 {name}\n{header}\n\n"));
    }
    compare("answers.txt", &text);
}
