//! The pages of the repository (`docs/lab`) are those of the records.

use crate::support::in_lab;
use cosette_lab::papers::{PAPERS, index};
use cosette_lab::plot::svg;
use std::fs;
use std::path::Path;

/// `cosette-lab report --out docs/lab` writes them.
#[test]
fn the_pages_of_the_repository_are_those_of_the_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab");
    let read = |file: String| {
        fs::read_to_string(folder.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    };
    in_lab(|lab| {
        let pages = PAPERS.iter().map(|paper| paper.page(lab));
        for page in pages.chain([index()]) {
            let page = page.expect("the records are in the repository");
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
