//! The rows of the four papers (`docs/lab/rows.md`): all are there, and the places of those that are
//! done exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The letters of the papers, and the numbers of their rows.
const PAPERS: [(char, usize); 4] = [('K', 76), ('R', 29), ('N', 89), ('L', 52)];

/// Returns the targets of the links in a text.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target)
        .collect()
}

/// Returns the anchor of a heading, as GitHub makes it.
fn anchor(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

/// Returns `true` if a link of a page leads to a file, and to a heading of it if it names one.
fn leads_somewhere(folder: &Path, target: &str) -> bool {
    let (file, heading) = target.split_once('#').unwrap_or((target, ""));
    let Ok(text) = fs::read_to_string(folder.join(file)) else {
        return false;
    };
    heading.is_empty()
        || text
            .lines()
            .filter(|line| line.starts_with('#'))
            .any(|line| anchor(line) == heading)
}

#[test]
fn every_row_of_the_papers_is_done_at_a_place_or_open_for_a_reason() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    let text = fs::read_to_string(folder.join("rows.md")).expect("the page exists");
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .filter(|cells: &Vec<&str>| {
            cells.len() == 4 && cells[0].ends_with(|letter: char| letter.is_ascii_digit())
        })
        .collect();
    let numbers: BTreeSet<String> = rows.iter().map(|row| row[0].to_owned()).collect();
    let expected: BTreeSet<String> = PAPERS
        .iter()
        .flat_map(|(paper, count)| (1..=*count).map(move |number| format!("{paper}{number}")))
        .collect();
    assert_eq!(numbers, expected);
    assert_eq!(rows.len(), expected.len());
    for row in &rows {
        let [number, _, verdict, place] = row[..] else {
            unreachable!("a row has four cells")
        };
        let links = links(place);
        match verdict {
            "done" => assert!(!links.is_empty(), "{number} is done at no place"),
            "open" => assert!(!place.is_empty(), "{number} is open for no reason"),
            other => panic!("{number}: {other} is no verdict"),
        }
        for link in links {
            assert!(
                leads_somewhere(&folder, link),
                "{number}: {link} leads nowhere"
            );
        }
    }
}
