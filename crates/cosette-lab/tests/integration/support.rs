//! What the tests share: a lab whose folder of tables is kept between runs.

use cosette::Cancel;
use cosette::table::TableFolder;
use cosette_lab::lab::Lab;
use std::num::NonZeroUsize;
use std::path::Path;

/// Does `work` in a lab with two threads, whose tables are kept between runs.
pub fn in_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TableFolder::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables"));
    let threads = NonZeroUsize::new(2).expect("two is not zero");
    work(&Lab { folder: &folder, threads, on_step: &|_, _| {}, cancel: &Cancel::new() })
}
