//! The tables of the paper, one experiment each.
//!
//! What the paper prints is data (`printed.txt`), and so is what long runs have computed (`kept`). What the experiments say
//! before their tables is text (`lee-experiments.md`, beside the page).

mod absence;
mod buckets;
mod kept;
mod partial;
mod search;
mod space;
mod times;

pub use absence::absence;
pub use buckets::Sizes;
pub use partial::partial;
pub use search::search;
pub use space::space;
pub use times::times;

use crate::experiment::Experiment;
use kept::Kept;
use std::sync::LazyLock;

/// What the paper prints.
fn printed() -> &'static Kept {
    static PRINTED: LazyLock<Kept> = LazyLock::new(|| Kept::read(include_str!("printed.txt")));
    &PRINTED
}

/// An experiment with the paragraphs that stand before its tables.
fn experiment(name: &'static str, title: &'static str, source: &'static str) -> Experiment {
    let sections = include_str!("../../../pages/lee-experiments.md").split("\n## ");
    let mut texts = sections.filter_map(|section| section.strip_prefix(name)?.strip_prefix('\n'));
    let text = texts.next().unwrap_or_else(|| panic!("no section is called {name}"));
    text.trim().split("\n\n").fold(Experiment::new(name, title, source), Experiment::text)
}

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use cosette::table::TableFolder;
    use cosette::{Control, ThreadCount};

    /// Does `work` in a lab with an empty folder.
    pub fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
        let folder = tempfile::TempDir::new().unwrap();
        work(&Lab { folder: &TableFolder::new(folder.path()), control: Control::new(ThreadCount::new(2).unwrap()) })
    }
}
