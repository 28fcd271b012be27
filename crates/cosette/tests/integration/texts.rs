//! Texts in files, as the tests of several crates read them.

use std::fs;

/// Replaces `\\n`, `\\r`, `\\t` and `\\u{a0}` by the characters that they stand for.
fn unescaped(field: &str) -> String {
    let mut parts = field.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        let mut rest = part.chars();
        text.push(match rest.next() {
            None => '\\',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let code: String = rest.by_ref().take_while(|&char| char != '}').collect();
                char::from_u32(u32::from_str_radix(&code[1..], 16).unwrap()).unwrap()
            }
            Some(other) => panic!("{other} in {field}"),
        });
        // Two backslashes are one, and the part between them is empty.
        text += if part.is_empty() {
            parts.next().unwrap_or_default()
        } else {
            rest.as_str()
        };
    }
    text
}

/// The rows of `tests/texts/NAME.txt` of the crate: fields with tabs between them.
pub fn rows_of(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/tests/texts/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with("# "))
        .map(|line| line.split('\t').map(unescaped).collect())
        .collect()
}

/// The rows of `tests/texts/NAME.txt` that have this number of fields each. Panics if one has not.
pub fn known_texts<const FIELDS: usize>(name: &str) -> Vec<[String; FIELDS]> {
    let rows = rows_of(name).into_iter();
    rows.map(|row| row.try_into().expect(name)).collect()
}
