//! The commands in the documentation: each has the subcommands, options and values that it uses.

use crate::support::cosette;
use std::fs;
use std::path::{Path, PathBuf};

/// The README and the pages of the book that users follow.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
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
    let is_call = |words: &Vec<String>| words.first().is_some_and(|program| program == "cosette");
    commands
        .into_iter()
        .filter(is_call)
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
fn lines_of_a_shell_are_split() {
    let line =
        r#"printf "R [ | U ]" | cosette solve --goal "UF UR" 'R2' - > FILE  # cosette tables"#;
    assert_eq!(calls(line), [["solve", "--goal", "UF UR", "R2", "-"]]);
    assert_eq!(
        examples("$ cosette tables \\\n    list\ncosette\n"),
        [["tables", "list"]]
    );
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
