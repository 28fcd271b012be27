//! Files in blocks with forged headers, checksums and journals, valid or invalid: tables, and
//! interrupted generations.

use crate::{path, structured};
use arbitrary::Arbitrary;
use cosette::block_file::{BlockFile, FileError, PartialFile, PayloadKind, file_size, progress};
use cosette::table::{TableFileState, TableFolder, TableId};
use cosette::{Control, ThreadCount};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Size of the header, and of the list of checksums, in bytes.
const PAGE: usize = 4096;

/// A payload of arbitrary bytes, in blocks.
struct Noise {
    bytes: usize,
    block_size: usize,
}

impl PayloadKind for Noise {
    fn name(&self) -> String {
        "noise".into()
    }

    fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    /// Returns an arbitrary number, because these bytes are not numbered.
    fn numbering(&self) -> u64 {
        7
    }

    fn block_size(&self) -> u64 {
        self.block_size as u64
    }
}

fn control() -> Control<'static> {
    Control::new(ThreadCount::ONE)
}

/// Changes to a file: bytes written over others, and another length.
#[derive(Debug, Arbitrary)]
pub struct Forgery {
    /// The offset and the new bytes of each edit.
    pub edits: Vec<(u16, Vec<u8>)>,
    /// The length of the file afterwards.
    pub length: Option<u16>,
}

impl Forgery {
    /// Applies the edits, and then the length.
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

/// Offset of the payload length in the header.
const PAYLOAD_LENGTH: usize = 88;
/// Offset of the checksum of the list of checksums in the header.
const LIST_CHECKSUM: usize = 368;
/// Offset of the checksum of the header: its last eight bytes.
const HEADER_CHECKSUM: usize = PAGE - 8;

/// The payload of table files here: three blocks and a shorter one.
const TABLE_NOISE: Noise = Noise {
    bytes: TABLE_BYTES,
    block_size: TABLE_BLOCK,
};

const TABLE_BLOCK: usize = 256;
const TABLE_BYTES: usize = 3 * TABLE_BLOCK + 17;

#[derive(Debug, Arbitrary)]
struct TableFileInput {
    /// `true` to forge a file of the program, `false` to forge an empty file.
    is_from_program: bool,
    forgery: Forgery,
    /// The forged payload length: of the file, and in its header.
    payload: Option<u16>,
    /// Checksums that are corrected after the forgery: of the blocks, of the list, of the header.
    corrected: [bool; 3],
    /// The number of a table, if the file is to be read as the beginning of a pruning table.
    table: Option<u8>,
}

/// Returns a valid file, written by the program.
fn valid_file() -> &'static [u8] {
    static VALID_FILE: OnceLock<Vec<u8>> = OnceLock::new();
    VALID_FILE.get_or_init(|| {
        let payload: Vec<u8> = (0..TABLE_BYTES).map(|i| (i * i) as u8).collect();
        let file = PartialFile::open(&path("table_file-base"), &TABLE_NOISE).unwrap();
        file.save(&payload, &[3; 32], &control()).unwrap();
        let bytes = fs::read(path("table_file-base")).unwrap();
        // Checks that the offsets above agree with the program.
        let number_at =
            |start: usize| u64::from_le_bytes(bytes[start..start + 8].try_into().unwrap());
        assert_eq!(number_at(PAYLOAD_LENGTH), TABLE_BYTES as u64);
        assert_eq!(number_at(LIST_CHECKSUM), xxh3_64(&bytes[PAGE..2 * PAGE]));
        assert_eq!(
            number_at(HEADER_CHECKSUM),
            xxh3_64(&bytes[..HEADER_CHECKSUM])
        );
        bytes
    })
}

/// Corrects the checksums of the blocks, of the list and of the header, as requested.
fn correct_checksums(bytes: &mut [u8], [blocks, list, header]: [bool; 3]) {
    if bytes.len() < 2 * PAGE {
        return;
    }
    let write_sum = |start: usize, sum: u64, bytes: &mut [u8]| {
        bytes[start..start + 8].copy_from_slice(&sum.to_le_bytes())
    };
    if blocks {
        let block_count = (bytes.len() - 2 * PAGE).div_ceil(TABLE_BLOCK);
        for block in 0..block_count.min(PAGE / 8) {
            let start = 2 * PAGE + block * TABLE_BLOCK;
            let sum = xxh3_64(&bytes[start..bytes.len().min(start + TABLE_BLOCK)]);
            write_sum(PAGE + block * 8, sum, bytes);
        }
    }
    if list {
        let sum = xxh3_64(&bytes[PAGE..2 * PAGE]);
        write_sum(LIST_CHECKSUM, sum, bytes);
    }
    if header {
        let sum = xxh3_64(&bytes[..HEADER_CHECKSUM]);
        write_sum(HEADER_CHECKSUM, sum, bytes);
    }
}

/// Table files with forged headers, lists of checksums and blocks, with valid or invalid checksums:
/// reading all blocks at once fails if and only if reading them one by one fails.
pub fn table_file(data: &[u8]) {
    let Some(input) = structured::<TableFileInput>(data) else {
        return;
    };
    let mut bytes = if input.is_from_program {
        valid_file().to_vec()
    } else {
        Vec::new()
    };
    input.forgery.apply(&mut bytes);
    if let Some(payload) = input.payload {
        bytes.resize(2 * PAGE + usize::from(payload), 0);
        bytes[PAYLOAD_LENGTH..PAYLOAD_LENGTH + 8]
            .copy_from_slice(&u64::from(payload).to_le_bytes());
    }
    correct_checksums(&mut bytes, input.corrected);
    match input.table {
        Some(number) => check_table_state(&bytes, number),
        None => check_reading(&bytes),
    }
}

/// Reads a file with these bytes, whose payload is [`TABLE_NOISE`].
fn check_reading(bytes: &[u8]) {
    let path = path("table_file-forged");
    fs::write(&path, bytes).unwrap();
    let Ok(file) = BlockFile::open(&path, &TABLE_NOISE) else {
        return;
    };
    let mut memory = vec![0; TABLE_BYTES];
    let at_once = file.read_into(&mut memory, &control());
    let by_block = file.for_each_block(|_, block| assert!(block.len() <= TABLE_BLOCK), &control());
    assert_eq!(at_once.is_ok(), by_block.is_ok());
}

/// Requests the state of a table whose file begins with these bytes and has the right length.
fn check_table_state(bytes: &[u8], number: u8) {
    let ids: Vec<TableId> = TableId::all().collect();
    let id = ids[usize::from(number) % ids.len()];
    let folder = TableFolder::new(path("table_file-tables"));
    fs::create_dir_all(folder.path()).unwrap();
    fs::write(folder.path_of(id), bytes).unwrap();
    let file = File::options().write(true).open(folder.path_of(id));
    file.unwrap().set_len(file_size(&id)).unwrap();
    if let TableFileState::Corrupted(error) = folder.state(id) {
        // The message quotes the header, which is forged.
        let is_short = error.to_string().len() < 1000;
        assert!(is_short && error.remedy().is_some(), "{error}");
    }
    fs::remove_file(folder.path_of(id)).unwrap();
}

const BLOCK: usize = 24;
const BYTES: usize = 17 * BLOCK + 5;
const BLOCKS: usize = BYTES.div_ceil(BLOCK);

/// Size of the record of a block in a journal. Its last eight bytes are the checksum of the record;
/// the eight bytes before are the checksum of the block.
const RECORD: usize = 80;

/// The payload of generations here: 17 blocks and a shorter one.
const NOISE: Noise = Noise {
    bytes: BYTES,
    block_size: BLOCK,
};

#[derive(Debug, Arbitrary)]
struct GenerationInput {
    part: Forgery,
    journal: Forgery,
    /// Blocks whose records get a valid checksum. With `true`, the record also gets the checksum of
    /// the block.
    corrected: Vec<(u8, bool)>,
    /// Number of blocks after which the resumed generation is interrupted once more.
    stop: Option<u8>,
}

/// Appends an ending to a path.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.to_path_buf().into_os_string();
    path.push(ending);
    path.into()
}

/// Returns the generated bytes of a block.
fn block_bytes(block: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| (block * 31 + i * i) as u8).collect()
}

/// Generates the missing blocks of a file, and stops after `stop` of them.
fn generate(path: &Path, stop: usize) -> Result<(), FileError> {
    let control = control();
    PartialFile::open(path, &NOISE)?.generate(&control, |generation, missing| {
        assert_eq!(generation.count(), BLOCKS);
        for (written, &block) in missing.iter().enumerate() {
            if written == stop {
                return Err(FileError::Cancelled);
            }
            let range = generation.range(block);
            generation.write(
                block,
                &block_bytes(block, (range.end - range.start) as usize),
                [1; 16],
            )?;
        }
        Ok(())
    })
}

/// Returns the partial file and the journal after half of the blocks.
fn half_generated() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = path("generation-half");
        assert!(matches!(
            generate(&path, BLOCKS / 2),
            Err(FileError::Cancelled)
        ));
        (
            fs::read(with_ending(&path, ".part")).unwrap(),
            fs::read(with_ending(&path, ".journal")).unwrap(),
        )
    })
}

/// Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
/// generation resumes, and each block of its file holds the generated data, unless a record with a
/// valid checksum marks the block as intact.
pub fn generation(data: &[u8]) {
    let Some(input) = structured::<GenerationInput>(data) else {
        return;
    };
    let (mut part, mut journal) = half_generated().clone();
    // Edits apply only to the payload and to the records. The page before the records is not
    // edited, because a journal with any other page is not used.
    let mut bytes = part.split_off(part.len() - BYTES);
    input.part.apply(&mut bytes);
    let mut records = journal.split_off(PAGE);
    input.journal.apply(&mut records);
    for &(block, corrects_block) in &input.corrected {
        let block = usize::from(block) % BLOCKS;
        let Some(record) = records.get_mut(block * RECORD..(block + 1) * RECORD) else {
            continue;
        };
        if let (true, Some(contents)) = (corrects_block, bytes.get(block * BLOCK..)) {
            let contents = &contents[..contents.len().min(BLOCK).min(BYTES - block * BLOCK)];
            record[64..72].copy_from_slice(&xxh3_64(contents).to_le_bytes());
        }
        let sum = xxh3_64_with_seed(&record[..72], block as u64);
        record[72..].copy_from_slice(&sum.to_le_bytes());
    }
    part.extend(bytes);
    journal.extend(records);
    let path = path("generation-forged");
    fs::write(with_ending(&path, ".part"), part).unwrap();
    fs::write(with_ending(&path, ".journal"), journal).unwrap();
    if let Some(progress) = progress(&path, &NOISE) {
        assert!(progress.done <= BLOCKS as u64);
    }
    if let Some(stop) = input.stop {
        let _ = generate(&path, stop.into());
    }
    generate(&path, usize::MAX).unwrap();
    let file = BlockFile::open(&path, &NOISE).unwrap();
    let mut memory = vec![0; BYTES];
    file.read_into(&mut memory, &control()).unwrap();
    for (block, bytes) in memory.chunks(BLOCK).enumerate() {
        let is_marked_intact = input.corrected.iter().any(|&(corrected, corrects_block)| {
            corrects_block && usize::from(corrected) % BLOCKS == block
        });
        assert!(
            is_marked_intact || *bytes == block_bytes(block, bytes.len()),
            "block {block} is not what was generated"
        );
    }
    fs::remove_file(path).unwrap();
}
