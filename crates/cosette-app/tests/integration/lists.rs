//! Lists of positions and the names in them, in `tests/texts`.

#[path = "../../../cosette/tests/integration/texts.rs"]
mod texts;

use cosette::cube::{ParseOptions, parse_position};
use cosette_app::batch::{Lines, ListLine};
use cosette_app::name::NamedPosition;
use texts::{known_texts, rows_of};

/// A line as in lists.txt.
fn written(line: ListLine) -> String {
    let name = line
        .name
        .map(|name| format!("{name}: "))
        .unwrap_or_default();
    let text = line.fault.map_or(line.text, |fault| fault.message());
    format!("{} {name}{text}", line.number)
}

#[test]
fn lists_are_read() {
    for row in rows_of("lists") {
        let (text, expected) = row.split_first().unwrap();
        let mut lines = Lines::new(text.as_bytes());
        if let [refusal] = expected
            && let Some(reason) = refusal.strip_prefix("! ")
        {
            let error = lines.find_map(Result::err);
            let error = error
                .unwrap_or_else(|| panic!("{text} is read"))
                .to_string();
            assert!(error.contains(reason), "{text}: {error}");
            continue;
        }
        let mut read: Vec<String> = lines.by_ref().map(|line| written(line.unwrap())).collect();
        if expected.iter().any(|field| field.starts_with("* ")) {
            read.extend(lines.remarks().iter().map(|remark| format!("* {remark}")));
        }
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn numbers_are_names_if_they_follow_one_another() {
    let numbered: String = (1..300).map(|number| format!("{number},R U F\n")).collect();
    assert_eq!(Lines::new(numbered.as_bytes()).count(), 299);
    for text in [
        "R, U, Q\nR, U, Q",
        "[Q, R]\n[Q, U]",
        "Anna, Tom\nR, U, F",
        "Anna, Tom",
    ] {
        let count = Lines::new(text.as_bytes()).map(Result::unwrap).count();
        assert_eq!(count, text.lines().count(), "{text}");
    }
}

#[test]
fn names_are_separated() {
    for [text, name, position] in known_texts("names") {
        let named = NamedPosition::of_line(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            (named.name.unwrap_or_default(), named.text),
            (name, position),
            "{text}"
        );
    }
}

#[test]
fn texts_that_may_mean_two_things_are_refused() {
    for [text, reason] in known_texts("name-faults") {
        let error = NamedPosition::of_line(&text).unwrap_err();
        assert!(error.message().contains(&reason), "{text}: {error}");
    }
    // A single text is not a row of a table.
    let text = "F, R U R'";
    assert_eq!(NamedPosition::of(text), Ok(NamedPosition::unnamed(text)));
    let quoted = NamedPosition::of_line("\"after R U F\": R U").unwrap();
    assert_eq!(quoted.text, "R U");
    // A link is not a comment or a name.
    for text in [
        "https://example.com/?fd=ubl",
        "R U F2 https://youtu.be/abcRUF",
        "T: R U https://youtu.be/a",
    ] {
        let read = |text: &str| parse_position(text, None, &ParseOptions::default());
        let error = NamedPosition::read(text, read).unwrap_err();
        assert!(error.message().contains("link"), "{text}: {error}");
    }
}
