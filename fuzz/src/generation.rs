//! Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
//! generation resumes, and each unit of its file holds the generated data, unless a record with a
//! valid checksum marks the unit as intact.

use crate::{Forgery, Noise, control, path, read};
use arbitrary::Arbitrary;
use cosette::block_file::{BlockFile, FileError, PartialFile, progress};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const PAGE: usize = 4096;
const UNIT: usize = 24;
const BLOCK: usize = 100;
const BYTES: usize = 4 * BLOCK + 13;
const UNITS: usize = BYTES.div_ceil(UNIT);
const RECORD: usize = 80;

const NOISE: Noise = Noise {
    bytes: BYTES,
    block: BLOCK,
    unit: UNIT,
};

#[derive(Debug, Arbitrary)]
struct Input {
    part: Forgery,
    journal: Forgery,
    /// The records with valid checksums of the unit and of the record.
    fit: Vec<(u8, bool)>,
    /// Number of units after which generation is interrupted.
    stop: Option<u8>,
}

fn ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.to_path_buf().into_os_string();
    path.push(ending);
    path.into()
}

fn unit_bytes(unit: usize, length: usize) -> Vec<u8> {
    (0..length).map(|i| (unit * 31 + i * i) as u8).collect()
}

/// Generates the file, up to `stop` units.
fn run(path: &Path, stop: usize) -> Result<(), FileError> {
    let control = control();
    PartialFile::open(path, &NOISE)?.generate(&control, |units, missing| {
        assert_eq!(units.count(), UNITS);
        for (written, &unit) in missing.iter().enumerate() {
            if written == stop {
                return Err(FileError::Cancelled);
            }
            let range = units.range(unit);
            units.write(
                unit,
                &unit_bytes(unit, (range.end - range.start) as usize),
                [1; 16],
            )?;
        }
        Ok(())
    })
}

/// The partial file and the journal after half of the units.
fn half() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = path("generation-half");
        assert!(matches!(run(&path, UNITS / 2), Err(FileError::Cancelled)));
        (
            fs::read(ending(&path, ".part")).unwrap(),
            fs::read(ending(&path, ".journal")).unwrap(),
        )
    })
}

/// Forged partial files and journals of an interrupted generation, with valid or invalid checksums:
/// generation resumes, and each unit of its file holds the generated data, unless a record with a
/// valid checksum marks the unit as intact.
pub fn generation(data: &[u8]) {
    let Some(input) = read::<Input>(data) else {
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
    for &(unit, is_of_unit) in &input.fit {
        let unit = usize::from(unit) % UNITS;
        let Some(record) = records.get_mut(unit * RECORD..(unit + 1) * RECORD) else {
            continue;
        };
        if let (true, Some(start)) = (is_of_unit, bytes.get(unit * UNIT..)) {
            let start = &start[..start.len().min(UNIT).min(BYTES - unit * UNIT)];
            record[64..72].copy_from_slice(&xxh3_64_with_seed(start, unit as u64).to_le_bytes());
        }
        let sum = xxh3_64_with_seed(&record[..72], unit as u64);
        record[72..].copy_from_slice(&sum.to_le_bytes());
    }
    part.extend(bytes);
    journal.extend(records);
    let path = path("generation-forged");
    fs::write(ending(&path, ".part"), part).unwrap();
    fs::write(ending(&path, ".journal"), journal).unwrap();
    if let Some(progress) = progress(&path, &NOISE) {
        assert!(progress.done <= UNITS as u64);
    }
    if let Some(stop) = input.stop {
        let _ = run(&path, stop.into());
    }
    run(&path, usize::MAX).unwrap();
    let file = BlockFile::open(&path, &NOISE).unwrap();
    let mut memory = vec![0; BYTES];
    file.read_into(&mut memory, &control()).unwrap();
    for (unit, bytes) in memory.chunks(UNIT).enumerate() {
        let is_forged = input
            .fit
            .iter()
            .any(|&(forged, is_of_unit)| is_of_unit && usize::from(forged) % UNITS == unit);
        assert!(
            is_forged || *bytes == unit_bytes(unit, bytes.len()),
            "unit {unit} is not what was generated"
        );
    }
    fs::remove_file(path).unwrap();
}
