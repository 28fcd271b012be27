//! The fuzz targets: the processing of an input, and the properties that must hold.
//! `tests/inputs.rs` calls them with generated inputs, `libfuzzer/` with those of libFuzzer, under
//! sanitizers.

pub mod block_files;
pub mod journals;
pub mod messages;
pub mod texts;

use arbitrary::{Arbitrary, Unstructured};
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A fuzz target.
pub struct Target {
    /// The name of the target and of its corpus.
    pub name: &'static str,
    /// The name of its dictionary.
    pub dictionary: &'static str,
    /// Processes an input.
    pub run: fn(&[u8]),
}

/// Lists targets with their dictionaries.
macro_rules! targets {
    ($($(#[$condition:meta])? $module:ident::$name:ident, $dictionary:ident;)+) => {
        &[$($(#[$condition])? Target {
            name: stringify!($name),
            dictionary: stringify!($dictionary),
            run: $module::$name,
        }),+]
    };
}

/// All targets.
pub const TARGETS: &[Target] = targets! {
    texts::position, notation;
    texts::notation, notation;
    texts::arguments, notation;
    block_files::table_file, json;
    block_files::generation, json;
    journals::batch_journal, json;
    journals::search_journal, json;
    messages::http_requests, json;
    #[cfg(feature = "mpi")]
    messages::mpi_messages, json;
};

/// Returns the function that the target of this name runs on an input.
///
/// # Panics
///
/// Panics if there is no such target.
pub fn target(name: &str) -> fn(&[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let missing = || panic!("there is no target {name}");
    target.unwrap_or_else(missing).run
}

/// An input with a structure, from bytes.
fn read<'a, I: Arbitrary<'a>>(data: &'a [u8]) -> Option<I> {
    I::arbitrary_take_rest(Unstructured::new(data)).ok()
}

/// A temporary folder. `.ci/fuzz` makes them in memory, and removes those that are left at the end
/// of a process.
pub fn folder() -> TempDir {
    TempDir::new().expect("there is a folder for temporary files")
}

/// A path in a folder of this process, the same at every call.
pub fn path(name: &str) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(folder).path().join(name)
}
