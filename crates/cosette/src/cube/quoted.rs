//! Texts as errors quote them.

/// A part of a text as an error quotes it: what is longer than 40 characters is shortened.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, 40)
}

/// At most the first `most` characters of a text, escaped; if they are not all, an ellipsis follows.
pub fn shortened(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    escaped(&text[..end]) + if end < text.len() { "…" } else { "" }
}

/// A text in which characters that a terminal obeys instead of showing them are escaped, as in `\u{1b}`.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match is_displayable(char) {
            true => escaped.push(char),
            false => escaped.extend(char.escape_default()),
        }
    }
    escaped
}

/// Whether a terminal displays a character as it is. It obeys control characters, and marks that change the direction of text.
pub fn is_displayable(char: char) -> bool {
    !char.is_control()
        && !matches!(char, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{ReadOptions, read_position};

    #[test]
    fn quotes_are_short_and_cannot_control_a_terminal() {
        assert_eq!(quoted("R U"), "R U");
        assert_eq!(shortened("añb", 2), "añ…");
        let refused = read_position("R \u{1b}]0;x\u{7}", None, &ReadOptions::default()).unwrap_err();
        assert!(
            [refused.message(), refused.to_string()].iter().all(|text| text.chars().all(is_displayable)),
            "{refused}"
        );
        assert_eq!(quoted("\u{1b}]0;x\u{7}\u{9b}\u{202e}\t"), r"\u{1b}]0;x\u{7}\u{9b}\u{202e}\t");
    }
}
