//! Reading a file, with its checksums.

use super::block_storage::name_of;
use super::byte_storage::Storage;
use super::error::FileError;
use super::header::{FileLayout, Header, PAGE, PayloadKind, PayloadStats};
use crate::control::{Control, Threads};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Number of bytes that are read at a time and then checksummed, while they are still in the
/// processor's cache.
const PIECE: usize = 256 << 10;

/// A complete file whose header and list of checksums are intact.
#[derive(Debug)]
pub struct BlockFile<S = File> {
    path: PathBuf,
    file: S,
    layout: FileLayout,
    facts: PayloadStats,
    /// The checksums of the blocks.
    sums: Vec<u64>,
}

#[cfg(feature = "files")]
impl BlockFile {
    /// Opens a file with the contents `expected`. The payload is not read.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file, if it has other contents, or if its header or its
    /// length is corrupted.
    pub fn open(path: &Path, expected: &dyn PayloadKind) -> Result<BlockFile, FileError> {
        let file = File::open(path).map_err(FileError::io("open", path))?;
        BlockFile::open_storage(path, file, expected)
    }
}

impl<S: Storage> BlockFile<S> {
    /// Opens the file with the contents `expected` in this storage.
    ///
    /// # Errors
    ///
    /// Returns an error if the storage is empty or has other contents, or if its header or its
    /// length is corrupted.
    pub fn stored(storage: S, expected: &dyn PayloadKind) -> Result<BlockFile<S>, FileError> {
        let path = name_of(expected);
        match storage.length() {
            Ok(0) => Err(FileError::NotFound { path }),
            _ => BlockFile::open_storage(&path, storage, expected),
        }
    }

    fn open_storage(
        path: &Path,
        file: S,
        expected: &dyn PayloadKind,
    ) -> Result<BlockFile<S>, FileError> {
        let length = file.length().map_err(FileError::io("read", path))?;
        let mut page = vec![0; length.min(PAGE as u64) as usize];
        file.read_exact_at(&mut page, 0)
            .map_err(FileError::io("read", path))?;
        let header = Header::read(&page, path)?;
        let layout = header.check_identity(expected, path)?;
        if length != layout.file_size() {
            return Err(FileError::WrongLength {
                path: path.to_owned(),
                found: length,
                expected: layout.file_size(),
            });
        }
        let mut list = layout.list(&[]);
        file.read_exact_at(&mut list, PAGE as u64)
            .map_err(FileError::io("read", path))?;
        header.check_contents(&list, expected, path)?;
        let sums = list
            .chunks_exact(8)
            .map(|sum| u64::from_le_bytes(std::array::from_fn(|i| sum[i])));
        let sums = sums.take(layout.blocks()).collect();
        Ok(BlockFile {
            path: path.to_owned(),
            file,
            layout,
            facts: header.facts(),
            sums,
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file itself.
    pub fn file(&self) -> &S {
        &self.file
    }

    /// Returns the number of bytes of the payload.
    pub fn bytes(&self) -> u64 {
        self.layout.bytes
    }

    /// Returns the numbers about the payload.
    pub fn facts(&self) -> &PayloadStats {
        &self.facts
    }

    /// Returns the checksum of the checksums of all blocks, which depends on the payload alone.
    pub fn checksum(&self) -> u64 {
        xxh3_64(&self.layout.list(&self.sums))
    }

    /// Reads from the payload at an offset, without checking checksums.
    ///
    /// # Errors
    ///
    /// Returns an error on an I/O failure.
    #[inline]
    pub fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> Result<(), FileError> {
        let read = self
            .file
            .read_exact_at(bytes, self.layout.payload_start() + offset);
        read.map_err(FileError::io("read", &self.path))
    }

    /// Reads the whole payload and checks every block, with the threads of `control`. Progress
    /// counts bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if a block does not match its checksum, on an I/O failure, or on
    /// cancellation.
    ///
    /// # Panics
    ///
    /// Panics if the length of `memory` differs from that of the payload.
    pub fn read_into(&self, memory: &mut [u8], control: &Control<'_>) -> Result<(), FileError> {
        assert_eq!(memory.len() as u64, self.bytes());
        let bytes_done = AtomicU64::new(0);
        let blocks = memory
            .chunks_mut(self.layout.block_size as usize)
            .enumerate()
            .collect();
        let read = |_: &mut (), (i, block): (usize, &mut [u8])| {
            self.read_block(i, block, &bytes_done, control)
        };
        Threads::run(control.threads(), |threads| {
            threads.map(blocks, || (), read)
        })?
        .map(drop)
    }

    /// Reads and checks all blocks, and passes the number and bytes of each to `work`, with the
    /// threads of `control`. Progress counts bytes.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`BlockFile::read_into`].
    pub fn for_each_block(
        &self,
        work: impl Fn(usize, &[u8]) + Send + Sync,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        let bytes_done = AtomicU64::new(0);
        let read = |bytes: &mut [u8], i: usize| {
            self.read_block(i, bytes, &bytes_done, control)?;
            work(i, bytes);
            Ok(())
        };
        self.layout.for_each_block(control, read).map(drop)
    }

    /// Returns the error that the block which contains byte `offset` of the payload is corrupted.
    pub fn damaged_at(&self, offset: u64) -> FileError {
        let block = (offset / self.layout.block_size) as usize;
        FileError::CorruptedBlock {
            path: self.path.clone(),
            block,
            blocks: self.layout.blocks(),
        }
    }

    /// Fills `block` with the block of this number and checks it.
    fn read_block(
        &self,
        number: usize,
        block: &mut [u8],
        bytes_done: &AtomicU64,
        control: &Control<'_>,
    ) -> Result<(), FileError> {
        if control.is_cancelled() {
            return Err(FileError::Cancelled);
        }
        let mut checksum = Xxh3Default::new();
        let start = self.layout.block(number).start;
        let mut offset = start;
        for piece in block.chunks_mut(PIECE) {
            self.read_exact_at(piece, offset)?;
            checksum.update(piece);
            offset += piece.len() as u64;
        }
        if checksum.digest() != self.sums[number] {
            return Err(self.damaged_at(start));
        }
        let length = block.len() as u64;
        let done = length + bytes_done.fetch_add(length, Ordering::Relaxed);
        control.report(done, self.bytes());
        Ok(())
    }
}

/// Tests that a stored payload is read back, and that corrupted and other files are refused with
/// the right error.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_file::header::tests::Noise;
    use crate::block_file::{BlockStorage, numbering};
    use crate::cube::Cube;
    use crate::remedy::Remedy;
    use std::sync::RwLock;
    use xxhash_rust::xxh3::xxh3_64;

    const BLOCK: u64 = 1000;

    /// Returns a payload of two whole blocks and a shorter one.
    fn noise() -> Noise {
        Noise::new(2 * BLOCK + 101, BLOCK)
    }

    fn stored() -> Vec<u8> {
        let [file, journal] = [RwLock::default(), RwLock::default()];
        let noise = noise();
        let payload = noise.payload();
        let blocks = BlockStorage::new(&noise, &file, &journal);
        let restored = blocks.restore(&mut payload.clone()).unwrap();
        assert!(restored.iter().all(Option::is_none));
        for (block, bytes) in payload.chunks(BLOCK as usize).enumerate() {
            blocks.write(block, bytes, [0; 16]).unwrap();
        }
        let control = Control::default();
        blocks.complete(&payload, &[5; 32], &control).unwrap();
        file.into_inner().unwrap()
    }

    fn read(bytes: Vec<u8>, expected: Noise) -> Result<Vec<u8>, FileError> {
        let file = BlockFile::stored(RwLock::new(bytes), &expected)?;
        assert_eq!(file.facts(), &[5; 32]);
        let mut memory = vec![0; file.bytes() as usize];
        let read = file.read_into(&mut memory, &Control::default());
        let verified = file.for_each_block(|_, _| {}, &Control::default());
        let text = |refused: FileError| refused.to_string();
        let refused = read.as_ref().err().map(ToString::to_string);
        assert_eq!(refused, verified.err().map(text));
        read.map(|()| memory)
    }

    /// Asserts that the file is refused after `damage`, with an error that matches `pattern`.
    macro_rules! assert_refused {
        ($damage:expr, $pattern:pat $(if $guard:expr)?) => {{
            let mut bytes = stored();
            let damage: &dyn Fn(&mut Vec<u8>) = &$damage;
            damage(&mut bytes);
            let refusal = read(bytes, noise()).unwrap_err();
            assert!(matches!(refusal, $pattern $(if $guard)?), "{refusal}");
            refusal
        }};
    }

    /// Asserts that the file is refused if another payload is expected, with an error that matches
    /// `pattern`.
    macro_rules! assert_other_refused {
        ($field:ident: $value:expr, $pattern:pat) => {{
            let mut expected = noise();
            expected.$field = $value;
            let refusal = read(stored(), expected).unwrap_err();
            assert!(matches!(refusal, $pattern), "{refusal}");
            refusal.to_string()
        }};
    }

    #[test]
    fn a_stored_payload_is_read_back_and_a_file_of_another_length_is_refused() {
        assert_eq!(read(stored(), noise()).unwrap(), noise().payload());
        let whole_length = stored().len();
        for length in [whole_length - 1, whole_length + 1, PAGE] {
            assert_refused!(
                |bytes| bytes.resize(length, 0),
                FileError::WrongLength { found, .. } if found == length as u64
            );
        }
        for length in [100, PAGE - 1] {
            assert_refused!(
                |bytes| bytes.truncate(length),
                FileError::CorruptedHeader { .. }
            );
        }
        assert_refused!(|bytes| bytes.clear(), FileError::NotFound { .. });
    }

    #[test]
    fn one_flipped_bit_names_its_block_and_the_remedy() {
        let whole_length = stored().len();
        for (from_end, expected) in [(1, 2), (101, 2), (102, 1), (1101, 1), (1102, 0), (2101, 0)] {
            let refusal = assert_refused!(
                |bytes| bytes[whole_length - from_end] ^= 8,
                FileError::CorruptedBlock { block, blocks: 3, .. } if block == expected
            );
            let Some(Remedy::GenerateAgain(Some(table))) = refusal.remedy() else {
                panic!("{refusal}")
            };
            assert_eq!(table.name, "noise-1");
        }
        // In the facts, in the padding of the header, in its checksum, in the checksum of the first
        // block, in the padding of the list.
        for offset in [110, 2000, PAGE - 1, PAGE, 2 * PAGE - 1] {
            assert_refused!(
                |bytes| bytes[offset] ^= 0x80,
                FileError::CorruptedHeader { .. }
            );
        }
    }

    #[test]
    fn another_numbering_has_another_checksum() {
        let odd = |cube: &Cube| u64::from(cube.is_odd());
        assert_eq!(numbering(odd), numbering(odd));
        assert_ne!(numbering(odd), numbering(|cube| odd(cube) + 1));
    }

    #[test]
    fn other_files_are_refused_with_their_own_errors() {
        let refusal = assert_other_refused!(name: "noise-2", FileError::OtherContents { .. });
        let contents = "holds noise-1 (2101 bytes), not noise-2 (2101 bytes)";
        assert!(refusal.contains(contents), "{refusal}");
        assert_other_refused!(bytes: 2100, FileError::OtherContents { .. });
        assert_other_refused!(numbering: 8, FileError::OtherNumbering { .. });
        assert_refused!(
            |bytes| bytes[16] = 200,
            FileError::OtherVersion { found: 200, .. }
        );
        let reverse = |bytes: &mut Vec<u8>| {
            bytes[20..24].reverse();
            let checksum = xxh3_64(&bytes[..PAGE - 8]);
            bytes[PAGE - 8..PAGE].copy_from_slice(&checksum.to_le_bytes());
        };
        assert_refused!(reverse, FileError::OtherByteOrder { .. });
        assert_refused!(|bytes| bytes[0] ^= 1, FileError::OtherFormat { .. });
        assert_refused!(
            |bytes| *bytes = b"R U R' U'".to_vec(),
            FileError::OtherFormat { .. }
        );
    }
}
