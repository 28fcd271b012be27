//! The pages of the repository (`docs/lab`) show what the kept results say: each figure of a column
//! that a long run has computed.

use crate::support::in_lab;
use cosette_lab::experiment::{Experiment, ExperimentOptions, RunSize};
use cosette_lab::papers::{PAPERS, RunExperiment};
use cosette_lab::report::{self, svg};
use std::fs;
use std::path::Path;

/// The cells of the tables in a text, row by row.
fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |row: &str| {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    text.lines()
        .filter(|line| line.starts_with('|'))
        .map(cells)
        .collect()
}

/// The section of a page on an experiment.
fn section<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, section) = page
        .split_once(&format!("## {title}\n"))
        .unwrap_or_else(|| panic!("the page has no {title}"));
    section
        .split("\n## ")
        .next()
        .expect("a text has a beginning")
}

/// Makes sure that the page has each row of the experiment's tables with the same figures in the
/// columns that are kept.
fn is_on_page(page: &str, shown: &Experiment) {
    let on_page = rows(section(page, &shown.title));
    for table in &shown.tables {
        let Some(kept) = &table.kept else { continue };
        let mut columns = kept.columns.clone();
        columns.insert(0, 0);
        let of = |row: &[String]| {
            columns
                .iter()
                .map(|&column| row[column].clone())
                .collect::<Vec<_>>()
        };
        let there: Vec<Vec<String>> = on_page
            .iter()
            .filter(|row| row.len() == table.columns.len())
            .map(|row| of(row))
            .collect();
        for row in rows(&report::table(table)).iter().skip(2) {
            assert!(
                there.contains(&of(row)),
                "{}: {row:?} is not on the page; `just lab` writes it anew",
                shown.title
            );
        }
    }
}

/// `cosette-lab report --out docs/lab` writes them.
#[test]
fn the_pages_of_the_repository_are_those_of_the_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    let read = |file: String| {
        fs::read_to_string(folder.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    in_lab(|lab| {
        for paper in PAPERS {
            let page = paper.rendered(lab).expect("the results are in the program");
            let Some(page) = page else { continue };
            for plot in &page.plots {
                let name = &plot.name;
                assert_eq!(svg(plot), read(format!("{name}.svg")), "{name}.svg");
            }
            let on_disk = read(format!("{}.md", page.name));
            assert!(
                page.text == on_disk,
                "{}.md is not that of its records",
                page.name
            );
        }
    });
}

#[test]
fn every_kept_figure_is_on_its_page() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    in_lab(|lab| {
        for paper in PAPERS {
            let page = fs::read_to_string(folder.join(paper.name).with_extension("md"))
                .expect("it is in the repository");
            for entry in paper.experiments.iter().filter(|entry| {
                matches!(entry.run, RunExperiment::Form(_)) && !entry.kept.is_empty()
            }) {
                is_on_page(
                    &page,
                    &entry
                        .compute(lab, &ExperimentOptions::new(RunSize::Quick))
                        .expect("it is not cancelled"),
                );
            }
        }
    });
}

/// The words of each page are those of `pages/`.
#[test]
fn the_words_of_the_pages_are_kept_in_one_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    for paper in PAPERS {
        let page = fs::read_to_string(folder.join(paper.name).with_extension("md"))
            .expect("it is in the repository");
        let words = paper.page.lines().filter(|line| !line.contains("{{"));
        words.for_each(|line| {
            assert!(
                page.lines().any(|other| other == line),
                "{}: {line}",
                paper.name
            )
        });
    }
}
