//! Texts in files, as the tests of several crates read them.

use std::fs;
use std::path::Path;

/// The rows of `tests/texts/NAME.txt` of the crate: fields with tabs between them, in which `\\n`,
/// `\\r`, `\\t` and `\\u{a0}` stand for characters.
pub fn rows_of(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/texts")
        .join(name)
        .with_extension("txt");
    let unescaped = |field: &str| {
        let mut parts = field.split('\\');
        let mut text = parts.next().unwrap_or_default().to_owned();
        while let Some(part) = parts.next() {
            let (char, rest) = match part
                .strip_prefix("u{")
                .and_then(|part| part.split_once('}'))
            {
                Some((code, rest)) => (
                    char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap(),
                    rest,
                ),
                None if part.is_empty() => ('\\', parts.next().unwrap_or_default()),
                None => (
                    match &part[..1] {
                        "n" => '\n',
                        "r" => '\r',
                        "t" => '\t',
                        other => panic!("{other}"),
                    },
                    &part[1..],
                ),
            };
            text.push(char);
            text += rest;
        }
        text
    };
    let text = fs::read_to_string(&path).unwrap();
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| line.split('\t').map(unescaped).collect())
        .collect()
}

/// The rows of `tests/texts/NAME.txt` that have this number of fields each. Panics if one has not.
pub fn known_texts<const FIELDS: usize>(name: &str) -> Vec<[String; FIELDS]> {
    let row = |row: Vec<String>| {
        row.try_into()
            .unwrap_or_else(|row| panic!("{name}: {row:?} has other fields"))
    };
    rows_of(name).into_iter().map(row).collect()
}
