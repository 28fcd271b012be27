//! The fuzz targets: the processing of an input, and the properties that must hold.
//! `tests/inputs.rs` calls them with generated inputs, `libfuzzer/` with those of libFuzzer, under
//! sanitizers.

pub mod generation;
pub mod journals;
pub mod messages;
pub mod table_file;
pub mod texts;

use arbitrary::{Arbitrary, Unstructured};
use cosette::block_file::PayloadKind;
use cosette::{Control, ThreadCount};
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// A fuzz target: its name, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("position", texts::position),
    ("notation", texts::notation),
    ("arguments", texts::arguments),
    ("table_file", table_file::table_file),
    ("generation", generation::generation),
    ("batch_journal", journals::batch_journal),
    ("search_journal", journals::search_journal),
    ("http_requests", messages::http_requests),
    #[cfg(feature = "mpi")]
    ("mpi_messages", messages::mpi_messages),
];

/// Returns the function that the target of this name runs on an input.
///
/// # Panics
///
/// Panics if there is no such target.
pub fn target(name: &str) -> fn(&[u8]) {
    TARGETS
        .iter()
        .find(|(other, _)| *other == name)
        .unwrap_or_else(|| panic!("there is no target {name}"))
        .1
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

/// Generated contents of a file: random bytes, in blocks of this size.
struct Noise {
    bytes: usize,
    block: usize,
}

impl PayloadKind for Noise {
    fn name(&self) -> String {
        "noise".into()
    }

    fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    fn numbering(&self) -> u64 {
        7
    }

    fn block_size(&self) -> u64 {
        self.block as u64
    }
}

fn control() -> Control<'static> {
    Control::new(ThreadCount::ONE)
}

/// Changes to a file: bytes written over others, and another length.
#[derive(Debug, Arbitrary)]
pub struct Forgery {
    /// Offset and bytes of each edit.
    pub edits: Vec<(u16, Vec<u8>)>,
    /// The length of the file afterwards.
    pub length: Option<u16>,
}

impl Forgery {
    /// Applies the edits.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        for (start, edit) in &self.edits {
            let start = usize::from(*start).min(bytes.len());
            let end = (start + edit.len()).min(bytes.len());
            bytes[start..end].copy_from_slice(&edit[..end - start]);
        }
        if let Some(length) = self.length {
            bytes.resize(length.into(), 0);
        }
    }
}
