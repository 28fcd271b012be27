//! The report: one Markdown page for each paper, with its exhibits and their plots, and an index.
//!
//! A page is written as soon as its last exhibit is there, and what an interrupted report has written stays.

mod markdown;
mod plot;

pub use markdown::exhibit as to_markdown;
pub use plot::svg;

use crate::exhibit::{Exhibit, Plot};
use crate::lab::{Lab, LabError};
use crate::papers::{PAPERS, Paper, Request};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Computes the exhibits of these papers and writes a page for each into the folder, and an index. `circumstances` says on the pages where and how they were
/// computed. Calls `on_page` with the path of each file that is written.
///
/// # Errors
/// If an exhibit fails, if a file cannot be written, or on cancellation.
pub fn write(
    lab: &Lab<'_>,
    request: &Request,
    papers: &[&Paper],
    circumstances: &str,
    folder: &Path,
    on_page: &mut dyn FnMut(&Path),
) -> Result<(), LabError> {
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    for paper in papers {
        let start = Instant::now();
        let exhibits = paper.exhibits.iter().map(|entry| (entry.run)(lab, request));
        let exhibits: Vec<Exhibit> = exhibits.collect::<Result<_, _>>()?;
        for plot in exhibits.iter().flat_map(|exhibit| &exhibit.plots) {
            write_file(&folder.join(picture(plot)), &svg(plot), on_page)?;
        }
        let circumstances = format!("{circumstances} The page took {:.0} s.", start.elapsed().as_secs_f64());
        write_file(&folder.join(page_name(paper)), &page(paper, &exhibits, &circumstances), on_page)?;
    }
    write_file(&folder.join("README.md"), &index(folder, circumstances), on_page)
}

fn page_name(paper: &Paper) -> String {
    format!("{}.md", paper.name)
}

fn picture(plot: &Plot) -> String {
    format!("{}.svg", plot.name)
}

/// The page of a paper.
fn page(paper: &Paper, exhibits: &[Exhibit], circumstances: &str) -> String {
    let head = markdown::heading(1, paper.title);
    let mut parts =
        vec![head, format!("{}\n", paper.reference), format!("{}\n", paper.about), format!("{circumstances}\n")];
    parts.extend(exhibits.iter().map(|exhibit| to_markdown(exhibit, 2, &|plot| picture(plot))));
    parts.join("\n")
}

/// The list of the pages that the folder has.
fn index(folder: &Path, circumstances: &str) -> String {
    let mut parts = vec![
        markdown::heading(1, "The founding systems, run again"),
        "Each page computes again what a paper prints, and sets it beside the paper's figures.\n".to_owned(),
        format!("{circumstances}\n"),
    ];
    let there = PAPERS.iter().filter(|paper| folder.join(page_name(paper)).exists());
    parts.extend(there.map(|paper| format!("- [{}]({}): {}", paper.title, page_name(paper), paper.about)));
    parts.join("\n") + "\n"
}

fn write_file(path: &Path, text: &str, on_page: &mut dyn FnMut(&Path)) -> Result<(), LabError> {
    fs::write(path, text).map_err(LabError::io("write", path))?;
    on_page(path);
    Ok(())
}
