//! A line of a journal: a JSON object with a checksum.
//!
//! ```text
//! {"check":"0123456789abcdef","body":{…}}
//! ```
//!
//! The checksum is the xxh3 hash of the bytes of the body, with a seed. The seed of the head is zero, and the checksum of each
//! line is the seed of the next. So a line is intact only after exactly the lines after which it was written: lines that were
//! lost, repeated, exchanged or taken from another journal are detected.

use super::error::JournalError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The first line of a journal. As JSON it has the version of the format as `journal`, and its kind as `kind`; a batch
/// omits the kind.
pub trait Head: Serialize + DeserializeOwned {
    /// What such a journal is about, in a word.
    const KIND: &'static str;
    /// The version of the format that this program writes and reads.
    const VERSION: u32;
    /// The other lines.
    type Record: Record;

    /// Makes sure that a journal with this head is the expected one. Fails with the first difference.
    fn check_is(&self, expected: &Self, path: &Path) -> Result<(), JournalError>;
}

/// Any line but the first.
pub trait Record: Serialize + DeserializeOwned {
    /// How many bytes of the journal were on the disk before this record.
    fn synced(&self) -> u64;
}

/// How every line starts.
pub(super) const START: &[u8] = b"{\"check\"";

/// The line with this body, line feed included, and its checksum.
///
/// # Panics
/// If `body` cannot be written as JSON.
pub(super) fn write_line(body: &impl Serialize, seed: u64) -> (Vec<u8>, u64) {
    let body = serde_json::to_string(body).expect("the bodies are plain values");
    let check = xxh3_64_with_seed(body.as_bytes(), seed);
    (format!("{{\"check\":\"{check:016x}\",\"body\":{body}}}\n").into_bytes(), check)
}

/// The checksum that a line states, whether it is right or not, and the rest of the line.
fn split(line: &[u8]) -> Option<(u64, &[u8])> {
    let (digits, rest) = line.strip_prefix(b"{\"check\":\"")?.split_at_checked(16)?;
    // Digits as they are written, and no sign: what is altered at all is damage.
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.as_bytes().iter().all(is_digit))?;
    Some((u64::from_str_radix(digits, 16).ok()?, rest))
}

/// The checksum that a line states, whether it is right or not.
pub(super) fn stated_check(line: &[u8]) -> Option<u64> {
    split(line).map(|(check, _)| check)
}

/// The body of a line and its checksum, if the line is intact.
pub(super) fn read_line<T: DeserializeOwned>(line: &[u8], seed: u64) -> Option<(T, u64)> {
    let (check, rest) = split(line)?;
    let body = rest.strip_prefix(b"\",\"body\":")?.strip_suffix(b"}\n")?;
    let is_intact = xxh3_64_with_seed(body, seed) == check;
    is_intact.then(|| serde_json::from_slice(body).ok())?.map(|body| (body, check))
}
