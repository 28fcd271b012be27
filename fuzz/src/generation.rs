//! Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
//! generation resumes, and each block of its file holds the generated data, unless a record with a
//! valid checksum marks the block as intact.

use crate::{Forgery, Noise, control, path, read};
use arbitrary::Arbitrary;
use cosette::block_file::{BlockFile, FileError, PartialFile, progress};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

const PAGE: usize = 4096;
const BLOCK: usize = 24;
const BYTES: usize = 17 * BLOCK + 5;
const BLOCKS: usize = BYTES.div_ceil(BLOCK);
const RECORD: usize = 80;

const NOISE: Noise = Noise {
    bytes: BYTES,
    block: BLOCK,
};

#[derive(Debug, Arbitrary)]
struct GenerationInput {
    part: Forgery,
    journal: Forgery,
    /// The records with valid checksums of the block and of the record.
    fit: Vec<(u8, bool)>,
    /// Number of blocks after which generation is interrupted.
    stop: Option<u8>,
}

fn ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.to_path_buf().into_os_string();
    path.push(ending);
    path.into()
}

fn block_bytes(block: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| (block * 31 + i * i) as u8).collect()
}

/// Generates the file, up to `stop` blocks.
fn run(path: &Path, stop: usize) -> Result<(), FileError> {
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

/// The partial file and the journal after half of the blocks.
fn half() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = path("generation-half");
        assert!(matches!(run(&path, BLOCKS / 2), Err(FileError::Cancelled)));
        (
            fs::read(ending(&path, ".part")).unwrap(),
            fs::read(ending(&path, ".journal")).unwrap(),
        )
    })
}

/// Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
/// generation resumes, and each block of its file holds the generated data, unless a record with a
/// valid checksum marks the block as intact.
pub fn generation(data: &[u8]) {
    let Some(input) = read::<GenerationInput>(data) else {
        return;
    };
    let (mut part, mut journal) = half().clone();
    let payload = part.len() - BYTES;
    // Edits apply to the payload and to the records; the page before a journal is compared as a
    // whole.
    let mut bytes = part.split_off(payload);
    input.part.apply(&mut bytes);
    let mut records = journal.split_off(PAGE);
    input.journal.apply(&mut records);
    for &(block, is_of_block) in &input.fit {
        let block = usize::from(block) % BLOCKS;
        let Some(record) = records.get_mut(block * RECORD..(block + 1) * RECORD) else {
            continue;
        };
        if let (true, Some(start)) = (is_of_block, bytes.get(block * BLOCK..)) {
            let start = &start[..start.len().min(BLOCK).min(BYTES - block * BLOCK)];
            record[64..72].copy_from_slice(&xxh3_64(start).to_le_bytes());
        }
        let sum = xxh3_64_with_seed(&record[..72], block as u64);
        record[72..].copy_from_slice(&sum.to_le_bytes());
    }
    part.extend(bytes);
    journal.extend(records);
    let path = path("generation-forged");
    fs::write(ending(&path, ".part"), part).unwrap();
    fs::write(ending(&path, ".journal"), journal).unwrap();
    if let Some(progress) = progress(&path, &NOISE) {
        assert!(progress.done <= BLOCKS as u64);
    }
    if let Some(stop) = input.stop {
        let _ = run(&path, stop.into());
    }
    run(&path, usize::MAX).unwrap();
    let file = BlockFile::open(&path, &NOISE).unwrap();
    let mut memory = vec![0; BYTES];
    file.read_into(&mut memory, &control()).unwrap();
    for (block, bytes) in memory.chunks(BLOCK).enumerate() {
        let is_forged = input
            .fit
            .iter()
            .any(|&(forged, is_of_block)| is_of_block && usize::from(forged) % BLOCKS == block);
        assert!(
            is_forged || *bytes == block_bytes(block, bytes.len()),
            "block {block} is not what was generated"
        );
    }
    fs::remove_file(path).unwrap();
}
