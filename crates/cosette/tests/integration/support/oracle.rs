//! Reads the oracles: known counts by depth, one `depth count` a line in `tests/oracles/`.

use std::path::Path;

/// The counts of the oracle `name`, from depth 0 on. Panics if there is no such file or a line is neither a comment nor
/// the next depth and its count.
pub fn counts(name: &str) -> Vec<u64> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracles").join(name).with_extension("txt");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut counts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let row = line.split_once(' ').and_then(|(depth, count)| Some((depth.parse().ok()?, count.parse().ok()?)));
        let (depth, count): (usize, u64) = row.unwrap_or_else(|| panic!("{name}: {line:?} is not a depth and a count"));
        assert_eq!(depth, counts.len(), "{name}: the depths must follow one another from 0");
        counts.push(count);
    }
    counts
}

/// Checks `found`, counts from depth 0 on, against the first rows of the oracle `name`. Panics if they differ, or if
/// there are more than the oracle knows.
pub fn check(name: &str, found: &[u64]) {
    let known = counts(name);
    assert!(found.len() <= known.len(), "{name} has {} rows, found {found:?}", known.len());
    assert_eq!(found, &known[..found.len()], "{name}");
}

/// Checks `found` against all rows of the oracle `name`. Panics if they differ.
pub fn check_all(name: &str, found: &[u64]) {
    assert_eq!(found, counts(name), "{name}");
}
