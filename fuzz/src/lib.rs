//! The fuzz targets. Each target processes an input, and checks the properties that must hold.
//! `tests/inputs.rs` calls the targets with inputs that it generates; `libfuzzer/` calls them with
//! inputs of libFuzzer, under sanitizers.

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

/// Creates the list of targets, each with its dictionary.
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

/// Converts the bytes of an input to a structured input; `None` if that fails.
fn structured<'a, I: Arbitrary<'a>>(data: &'a [u8]) -> Option<I> {
    I::arbitrary_take_rest(Unstructured::new(data)).ok()
}

/// Creates a temporary folder. `.ci/fuzz` keeps these folders in memory, and removes those that a
/// process has left.
pub fn folder() -> TempDir {
    TempDir::new().expect("there is a folder for temporary files")
}

/// Returns the path with this name in the temporary folder of this process.
pub fn path(name: &str) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER.get_or_init(folder).path().join(name)
}
