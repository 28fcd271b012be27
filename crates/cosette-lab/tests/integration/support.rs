//! What the tests share: a lab whose folder of tables is kept between runs.

use cosette::table::TableFolder;
use cosette::{Control, ThreadCount};
use cosette_lab::lab::Lab;
use std::path::Path;

/// Does `work` in a lab with two threads, whose tables are kept between runs.
pub fn in_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TableFolder::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables"));
    let threads = ThreadCount::new(2).unwrap();
    work(&Lab { folder: &folder, control: Control::new(threads) })
}
