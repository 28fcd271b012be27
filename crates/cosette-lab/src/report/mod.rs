//! The report: one Markdown page for each paper, with its exhibits and their plots.

mod markdown;
mod plot;

pub use markdown::exhibit as to_markdown;
pub use plot::svg;
