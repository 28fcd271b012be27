//! Files of checksummed blocks: pruning tables, levels of cosets, and the databases and stored
//! spaces of the lab.
//!
//! ```text
//! byte 0     header, one page of 4096 bytes                            (header.rs)
//!            | magic | version | byte order | name | bytes of the payload | block size | facts | numbering |
//!            | checksum of the list below | room for the payload | … zeros … | checksum of the header |
//!      4096  the checksums of the blocks, 8 bytes each, zeros to the end of the page
//!            | block 0 | block 1 | …                                                          |
//!      P     the payload
//!            | block 0                    | block 1                   | … the rest            |
//! ```
//!
//! Checksums are XXH3 of 64 bits: they detect errors of disks, copies and transfers, not forgeries.
//! The header is checked by its own checksum, the list of checksums by the header, and each block
//! by the list. So opening a file costs two small reads, and blocks can be checked in any order
//! while they are read ([`BlockFile`]).
//!
//! A file is written next to its final path, synced, and renamed: at any time, even after a power
//! cut, there is the old file, the new one or none. The payload is written first and the header
//! last ([`PartialFile`]). Generation block by block is recorded in a journal, from which it
//! resumes after an interruption. Without the feature `files`, the caller keeps the same bytes in a
//! [`Storage`], and a [`BlockStorage`] stores a payload from memory, block by block.
//!
//! A file records its [`PayloadKind`]; only the code that wrote the payload knows its meaning.

mod block_storage;
mod byte_storage;
mod error;
mod header;
#[cfg(feature = "files")]
mod partial;
mod reader;

pub use block_storage::BlockStorage;
pub use byte_storage::Storage;
pub use error::FileError;
pub use header::{PayloadKind, PayloadStats, file_size, numbering};
#[cfg(feature = "files")]
pub(crate) use partial::open_locked;
#[cfg(feature = "files")]
pub use partial::{
    Generation, PartialFile, check_room, open_if_missing, progress, remove, sync_folder_of,
};
pub use reader::BlockFile;
