//! The report: one Markdown page for each paper, with its experiments and their plots, and an
//! index. The columns of tables line up, so that an experiment reads well in a terminal too.
//!
//! Each page is written when its last experiment is complete, so the pages written before an
//! interruption remain.

mod plot;

pub use plot::svg;

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, Plot, ResultTable};
use crate::lab::Lab;
use crate::papers::{Figure, PAPERS, Paper};
use cosette::numbers::grouped;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// The text of the index.
const INDEX: &str = include_str!("../../pages/README.md");

/// Pages in the same folder that are written by other means: title, name and contents.
const OTHER_PAGES: [(&str, &str, &str); 4] = [
    (
        "How an optimal search works",
        "optimal-search",
        "What the pages share: the puzzle, iterative deepening, lower bounds, symmetry, and the \
            words.",
    ),
    (
        "The rows of the four papers",
        "rows",
        "All that they print, and the place where it is reproduced.",
    ),
    (
        "Rokicki and others 2010",
        "cosets",
        "Whole cosets of 19.5 billion positions at once: the cost of a level, and of a proof of \
            20 moves.",
    ),
    (
        "Nargolkar 2006, in parallel",
        "nargolkar-parallel",
        "The patterns of its appendix C and the superflip on several processors, written by \
            `cosette-lab-mpi \
         nargolkar`.",
    ),
];

/// Computes the experiments of these papers and writes a page for each into the folder, and an
/// index. The pages include the `circumstances`, the place and method of the computation. Calls
/// `on_page` with the path of each file that is written.
pub fn write(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
    papers: &[&Paper],
    circumstances: &str,
    folder: &Path,
    on_page: &mut dyn FnMut(&Path),
) -> Result<(), LabError> {
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    for paper in papers {
        if let Some(page) = paper.rendered(lab)? {
            page.write(folder)?.iter().for_each(|path| on_page(path));
            for figure in paper.figures {
                write_file(&folder.join(picture(figure.name)), figure.svg, on_page)?;
            }
            continue;
        }
        let start = Instant::now();
        let experiments = paper
            .experiments
            .iter()
            .map(|entry| entry.compute(lab, request));
        let experiments: Vec<Experiment> = experiments.collect::<Result<_, _>>()?;
        let circumstances = format!(
            "{circumstances} The page took {:.0} s.",
            start.elapsed().as_secs_f64()
        );
        let values = vec![("circumstances", circumstances)];
        let Paper {
            name,
            page: text,
            figures,
            ..
        } = **paper;
        let page = ReportPage {
            name,
            text,
            figures,
            values,
            experiments,
        };
        write_page(&page, folder, on_page)?;
    }
    write_file(
        &folder.join("README.md"),
        &index(folder, circumstances),
        on_page,
    )
}

/// A page: a text in which experiments have their places.
pub struct ReportPage {
    /// The name of its file, without an ending.
    pub name: &'static str,
    /// The text, in Markdown. `{{name}}` denotes a value or an experiment of that name, and
    /// `{{experiments}}` all experiments that have no other place, in their order.
    pub text: &'static str,
    /// The pictures in it that are not plots.
    pub figures: &'static [Figure],
    /// Values in the text that differ from run to run, by name.
    pub values: Vec<(&'static str, String)>,
    /// The experiments.
    pub experiments: Vec<Experiment>,
}

/// Writes a page, its figures and its plots into the folder. Calls `on_page` with the path of each
/// file that is written.
///
/// # Panics
/// Panics if the text has a place for something that does not exist.
pub fn write_page(
    page: &ReportPage,
    folder: &Path,
    on_page: &mut dyn FnMut(&Path),
) -> Result<(), LabError> {
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    for plot in page
        .experiments
        .iter()
        .flat_map(|experiment| &experiment.plots)
    {
        write_file(&folder.join(picture(&plot.name)), &svg(plot), on_page)?;
    }
    for figure in page.figures {
        write_file(&folder.join(picture(figure.name)), figure.svg, on_page)?;
    }
    let text = filled(page, &|plot| Some(picture(&plot.name)));
    write_file(&folder.join(page_name(page.name)), &text, on_page)
}

/// Returns the text of a page with everything in its place; `picture_of` returns the file of a
/// plot, if it is to be shown.
///
/// # Panics
/// Panics if the text has a place for something that does not exist.
pub fn filled(page: &ReportPage, picture_of: &dyn Fn(&Plot) -> Option<String>) -> String {
    let places = placeholders(page.text);
    let shown = |experiment: &Experiment| to_markdown(experiment, 2, picture_of);
    let mut text = page.text.to_owned();
    for place in places.iter().copied() {
        let value = page
            .values
            .iter()
            .find(|(name, _)| *name == place)
            .map(|(_, value)| value.clone());
        let experiment = || {
            page.experiments
                .iter()
                .find(|experiment| experiment.name == place)
                .map(shown)
        };
        let others = || {
            let others = page
                .experiments
                .iter()
                .filter(|experiment| !places.contains(&experiment.name));
            (place == "experiments").then(|| others.map(shown).collect::<Vec<_>>().join("\n"))
        };
        let content = value.or_else(experiment).or_else(others);
        let content = content.unwrap_or_else(|| panic!("{}: there is no {place}", page.name));
        text = text.replace(&format!("{{{{{place}}}}}"), content.trim_end());
    }
    text
}

/// Returns the names between double braces.
pub(crate) fn placeholders(text: &str) -> Vec<&str> {
    text.split("{{")
        .skip(1)
        .filter_map(|rest| rest.split_once("}}"))
        .map(|(name, _)| name)
        .collect()
}

fn page_name(name: &str) -> String {
    format!("{name}.md")
}

fn picture(name: &str) -> String {
    format!("{name}.svg")
}

/// The index: the history, and the list of the pages that the folder has.
fn index(folder: &Path, circumstances: &str) -> String {
    let papers = PAPERS
        .iter()
        .map(|paper| (paper.title, page_name(paper.name), paper.about));
    let beside = OTHER_PAGES
        .iter()
        .map(|(title, name, about)| (*title, page_name(name), *about));
    let there = papers
        .chain(beside)
        .filter(|(_, file, _)| folder.join(file).exists());
    let pages: Vec<String> = there
        .map(|(title, file, about)| format!("- [{title}]({file}): {about}"))
        .collect();
    let values = vec![
        ("circumstances", circumstances.to_owned()),
        ("pages", pages.join("\n")),
    ];
    let mut text = filled(
        &ReportPage {
            name: "README",
            text: INDEX,
            figures: &[],
            values,
            experiments: Vec::new(),
        },
        &|_| None,
    );
    // For links to pages that the folder lacks, only the text stays.
    let others = OTHER_PAGES.iter().map(|(_, name, _)| *name);
    for file in PAPERS
        .iter()
        .map(|paper| paper.name)
        .chain(others)
        .map(page_name)
    {
        let end = format!("]({file})");
        while let Some(at) = text.find(&end).filter(|_| !folder.join(&file).exists()) {
            let begin = text[..at].rfind('[').expect("a link has words");
            text.replace_range(at..at + end.len(), "");
            text.remove(begin);
        }
    }
    text
}

fn write_file(path: &Path, text: &str, on_page: &mut dyn FnMut(&Path)) -> Result<(), LabError> {
    fs::write(path, text).map_err(LabError::io("write", path))?;
    on_page(path);
    Ok(())
}

/// Formats an experiment under a heading of this level. Its plots are pictures in the files
/// returned by `file`; plots without a file are omitted.
pub fn to_markdown(
    experiment: &Experiment,
    level: usize,
    file: &dyn Fn(&Plot) -> Option<String>,
) -> String {
    let Experiment { title, source, .. } = experiment;
    let paragraph = |text: &String| format!("{text}\n");
    let mut parts = vec![
        format!("{} {title}\n", "#".repeat(level)),
        format!("*{source}*\n"),
    ];
    parts.extend(experiment.text.iter().map(paragraph));
    for tables in experiment
        .tables
        .chunk_by(|one, next| !one.folded.is_empty() && one.folded == next.folded)
    {
        let folded = tables[0].folded;
        let shown = tables.iter().map(table);
        match level {
            // A page; a terminal has nothing that folds.
            2 if !folded.is_empty() => {
                parts.push(format!("<details><summary>{folded}</summary>\n"));
                parts.extend(shown);
                parts.push("</details>\n".to_owned());
            }
            _ => parts.extend(shown),
        }
    }
    let picture = |plot: &Plot| Some(format!("![{}]({})\n", plot.title, file(plot)?));
    parts.extend(experiment.plots.iter().filter_map(picture));
    parts.extend(experiment.remarks.iter().map(paragraph));
    parts.join("\n")
}

/// A table; columns without words are set to the right.
pub fn table(table: &ResultTable) -> String {
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().map(cell).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells
            .chain([table.columns[column].chars().count(), 3])
            .max()
            .unwrap_or_default()
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let has_words = |column: usize| {
        table
            .rows
            .iter()
            .any(|row| matches!(row[column], Cell::Text(_)))
    };
    let right: Vec<bool> = (0..table.columns.len())
        .map(|column| !has_words(column))
        .collect();
    let line = |cells: &mut dyn Iterator<Item = String>| {
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let pad = |column: usize, text: &str| {
        let width = widths[column];
        if right[column] {
            format!("{text:>width$}")
        } else {
            format!("{text:<width$}")
        }
    };
    let rule = |column: usize| {
        let dashes = "-".repeat(widths[column] - 1);
        if right[column] {
            format!("{dashes}:")
        } else {
            format!("{dashes}-")
        }
    };
    let mut text = if table.caption.is_empty() {
        String::new()
    } else {
        format!("{}\n\n", table.caption)
    };
    text += &line(
        &mut table
            .columns
            .iter()
            .enumerate()
            .map(|(column, head)| pad(column, head)),
    );
    text += &line(&mut (0..widths.len()).map(rule));
    for row in &rows {
        text += &line(
            &mut row
                .iter()
                .enumerate()
                .map(|(column, cell)| pad(column, cell)),
        );
    }
    text
}

/// The text of a cell.
fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Text(text) => text.replace('|', "\\|"),
        Cell::Count(count) => grouped(*count),
        Cell::Large(count) => grouped(*count),
        Cell::Estimate(estimate) => power_of_ten(*estimate),
        Cell::Number(number, digits) => format!("{number:.digits$}"),
        Cell::Seconds(seconds) if *seconds < 0.1 => format!("{:.2} ms", 1e3 * seconds),
        Cell::Seconds(seconds) if *seconds < 10.0 => format!("{seconds:.3} s"),
        Cell::Seconds(seconds) => format!("{seconds:.1} s"),
    }
}

/// Three digits and a power of ten: 9.50·10⁹; small numbers as they are.
pub(crate) fn power_of_ten(number: f64) -> String {
    if number.abs() < 1e4 {
        return format!("{number:.0}");
    }
    let mut text = format!("{number:.2e}");
    let exponent = text.split_off(text.find('e').expect("the format has an exponent"));
    write!(
        text,
        "·10{}",
        superscript(exponent[1..].parse().expect("it is a number"))
    )
    .expect("a string takes all");
    text
}

/// A whole number as an exponent.
fn superscript(number: i32) -> String {
    let superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| {
        digit
            .to_digit(10)
            .map_or('⁻', |digit| superscripts[digit as usize])
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::RunExperiment;

    #[test]
    fn every_experiment_has_one_place_on_its_page_and_every_place_an_experiment() {
        for paper in PAPERS {
            if !matches!(paper.experiments[0].run, RunExperiment::Form(_)) {
                continue;
            }
            let mut places = placeholders(paper.page);
            let mut names: Vec<&str> = paper.experiments.iter().map(|entry| entry.name).collect();
            names.push("circumstances");
            places.sort_unstable();
            names.sort_unstable();
            assert_eq!(places, names, "{}", paper.name);
            for figure in paper.figures {
                assert!(
                    paper.page.contains(&format!("({}.svg)", figure.name)),
                    "{} is shown",
                    figure.name
                );
            }
        }
    }

    #[test]
    fn a_page_is_filled() {
        let experiments = ["one", "two", "three"]
            .map(|name| Experiment::new(name, name, ""))
            .to_vec();
        let text = "# Page\n\n{{when}}\n\n{{two}}\n\nmiddle\n\n{{experiments}}\n";
        let values = vec![("when", "today".to_owned())];
        let filled = filled(
            &ReportPage {
                name: "page",
                text,
                figures: &[],
                values,
                experiments,
            },
            &|_| None,
        );
        let at = |what: &str| {
            filled
                .find(what)
                .unwrap_or_else(|| panic!("{what} is not in {filled}"))
        };
        assert!(at("today") < at("## two") && at("## two") < at("middle"));
        assert!(at("middle") < at("## one") && at("## one") < at("## three"));
    }

    #[test]
    fn tables_line_up() {
        let mut shown = ResultTable::new("Corners", &["distance", "positions", "note"]);
        shown.row([Cell::Count(0), Cell::Count(1), Cell::Nothing]);
        shown.row([Cell::Count(10), Cell::Count(15_139_616), Cell::text("most")]);
        let expected = "Corners\n\n\
            | distance |  positions | note |\n\
            | -------: | ---------: | ---- |\n\
            |        0 |          1 |      |\n\
            |       10 | 15,139,616 | most |\n";
        assert_eq!(table(&shown), expected);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(cell(&Cell::Estimate(9.5e9)), "9.50·10⁹");
        assert_eq!(cell(&Cell::Estimate(43.0)), "43");
        assert_eq!(cell(&Cell::Number(8.7641, 3)), "8.764");
        assert_eq!(cell(&Cell::Seconds(0.0123)), "12.30 ms");
        assert_eq!(cell(&Cell::ratio(1.0, 0.0)), "");
    }
}
