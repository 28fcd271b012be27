//! Data sets: many positions with proven lengths, in common file formats.
//!
//! A [`Dataset`] describes a data set. The position and the length of a row depend only on this
//! description and the index of the row. A shard therefore has the same positions as these rows of
//! the whole set, whatever the threads, the machine and the interruptions.
//!
//! Finished rows are stored in a journal beside the file until all are finished; then the file is
//! written, with a card that describes its content and provenance.
//!
//! | positions | rows |
//! |---|---|
//! | random | uniformly random positions |
//! | walks | ends of random walks of given lengths, which alternate |
//! | distance | random positions at an exact distance |
//! | all at a distance | all positions at a distance, or a random sample of them |
//! | listed | the positions of a list |
//! | symmetric | random positions of a symmetry class |
//! | coset | positions of a coset, up to a distance, without solutions |
//!
//! Random positions at a distance are found by rejection sampling. Up to [`MAX_WALKED_DISTANCE`],
//! the candidates are the ends of random walks of that length, which are more often positions with
//! many shortest solutions. At greater distances, the candidates are uniformly random positions.
//!
//! | file | contents |
//! |---|---|
//! | `description` | the description of a data set, and its rows |
//! | `generate` | the generation of rows, with a journal of the finished ones |
//! | `format`, `columns` | the file formats, and the columns of a file |
//! | `files`, `npz`, `parquet` | the files, and the card beside each |

mod columns;
mod description;
mod files;
mod format;
mod generate;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;

pub use description::{
    Dataset, DatasetError, DatasetRow, MAX_LISTED_DISTANCE, MAX_WALK_LENGTH, ParseShardError,
    PositionSource, Shard, default_distance,
};
pub use files::{card_path, journal_path};
pub use format::{DatasetFormat, UnknownDatasetFormatError};
pub use generate::MAX_WALKED_DISTANCE;
