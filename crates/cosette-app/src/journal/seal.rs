//! A line of a journal: an object of JSON with a checksum.
//!
//! ```text
//! {"check":"0123456789abcdef","body":{…}}
//! ```
//!
//! The checksum is the xxh3 hash of the bytes of the body, with a seed. The head of a journal has the seed zero, and its
//! checksum is the seed of all other lines: so a line of another journal is seen to be wrong.

use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The line that holds `body`, with its line feed.
///
/// # Panics
/// If `body` is no value of JSON.
pub fn seal(body: &impl Serialize, seed: u64) -> Vec<u8> {
    let body = serde_json::to_string(body).expect("the bodies are plain values");
    let check = xxh3_64_with_seed(body.as_bytes(), seed);
    format!("{{\"check\":\"{check:016x}\",\"body\":{body}}}\n").into_bytes()
}

/// What is in a line that lacks nothing, and its checksum; none where a byte is not as it was written.
pub fn unseal<T: DeserializeOwned>(line: &[u8], seed: u64) -> Option<(T, u64)> {
    let line = line.strip_prefix(b"{\"check\":\"")?.strip_suffix(b"}\n")?;
    let (digits, rest) = line.split_at_checked(16)?;
    let check = u64::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    let body = rest.strip_prefix(b"\",\"body\":")?;
    let is_whole = xxh3_64_with_seed(body, seed) == check;
    is_whole.then(|| serde_json::from_slice(body).ok())?.map(|body| (body, check))
}
