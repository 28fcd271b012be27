//! The report: one Markdown page for each paper, with its experiments and their plots, and an index.
//!
//! Each page is written when its last experiment is complete, so an interrupted report keeps the pages it has written.

mod markdown;
mod plot;

pub use markdown::experiment as to_markdown;
pub use plot::svg;

use crate::error::LabError;
use crate::experiment::{Experiment, Plot, Request};
use crate::lab::Lab;
use crate::papers::{PAPERS, Paper};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Pages in the same folder that are written otherwise: title, name and contents.
const OTHER_PAGES: [(&str, &str, &str); 3] = [
    ("Lee 2013, in full effort", "lee-full", "What the experiments of Lee print with `--full`, once."),
    (
        "Nargolkar 2006, in parallel",
        "nargolkar-parallel",
        "The patterns of its appendix C and the superflip on several processors, written by `cosette-lab-mpi \
         nargolkar`.",
    ),
    (
        "One search on many cores, simulated",
        "mpi-scaling",
        "What three splits of the work would gain on up to 4,096 cores, written by `cosette-lab-mpi simulate`.",
    ),
];

/// Computes the experiments of these papers and writes a page for each into the folder, and an index. `circumstances`
/// says on the pages where and how they were computed. Calls `on_page` with the path of each file that is written.
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
        let experiments = paper.experiments.iter().map(|entry| (entry.run)(lab, request));
        let experiments: Vec<Experiment> = experiments.collect::<Result<_, _>>()?;
        let circumstances = format!("{circumstances} The page took {:.0} s.", start.elapsed().as_secs_f64());
        let head = [paper.reference, paper.about, &circumstances].map(String::from).to_vec();
        let page = Page { name: paper.name, title: paper.title, head, experiments };
        write_page(&page, folder, on_page)?;
    }
    write_file(&folder.join("README.md"), &index(folder, circumstances), on_page)
}

/// A page of experiments.
pub struct Page {
    /// The name of its file, without an ending.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The paragraphs before the experiments.
    pub head: Vec<String>,
    /// The experiments.
    pub experiments: Vec<Experiment>,
}

/// Writes a page and its plots into the folder. Calls `on_page` with the path of each file that is written.
pub fn write_page(page: &Page, folder: &Path, on_page: &mut dyn FnMut(&Path)) -> Result<(), LabError> {
    fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
    for plot in page.experiments.iter().flat_map(|experiment| &experiment.plots) {
        write_file(&folder.join(picture(plot)), &svg(plot), on_page)?;
    }
    let mut parts = vec![markdown::heading(1, page.title)];
    parts.extend(page.head.iter().map(|paragraph| format!("{paragraph}\n")));
    parts.extend(page.experiments.iter().map(|experiment| to_markdown(experiment, 2, &|plot| Some(picture(plot)))));
    write_file(&folder.join(page_name(page.name)), &parts.join("\n"), on_page)
}

fn page_name(name: &str) -> String {
    format!("{name}.md")
}

fn picture(plot: &Plot) -> String {
    format!("{}.svg", plot.name)
}

/// The list of the pages that the folder has.
fn index(folder: &Path, circumstances: &str) -> String {
    let mut parts = vec![
        markdown::heading(1, "The founding systems, reproduced"),
        "Each page recomputes what a paper printed and shows it beside the paper's figures.\n".to_owned(),
        format!("{circumstances}\n"),
    ];
    let papers = PAPERS.iter().map(|paper| (paper.title, page_name(paper.name), paper.about));
    let beside = OTHER_PAGES.iter().map(|(title, name, about)| (*title, page_name(name), *about));
    let there = papers.chain(beside).filter(|(_, file, _)| folder.join(file).exists());
    parts.extend(there.map(|(title, file, about)| format!("- [{title}]({file}): {about}")));
    parts.join("\n") + "\n"
}

fn write_file(path: &Path, text: &str, on_page: &mut dyn FnMut(&Path)) -> Result<(), LabError> {
    fs::write(path, text).map_err(LabError::io("write", path))?;
    on_page(path);
    Ok(())
}
