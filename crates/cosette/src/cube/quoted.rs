//! Texts as errors quote them.

/// A part of a text as an error quotes it: what is longer than 40 characters is shortened.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, 40)
}

/// At most the first `most` characters of a text; if they are not all, an ellipsis follows. Characters that a terminal obeys
/// instead of showing them are escaped, as in `\u{1b}`.
pub fn shortened(text: &str, most: usize) -> String {
    let mut rest = text.chars();
    let mut start = String::new();
    for char in rest.by_ref().take(most) {
        match is_shown(char) {
            true => start.push(char),
            false => start.extend(char.escape_default()),
        }
    }
    if !rest.as_str().is_empty() {
        start.push('…');
    }
    start
}

/// Whether a terminal shows a character, instead of obeying it: control characters, and those that turn the direction of
/// a text.
pub fn is_shown(char: char) -> bool {
    !char.is_control() && !matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_short_and_cannot_control_a_terminal() {
        assert_eq!(quoted("R U"), "R U");
        assert_eq!(shortened("añb", 2), "añ…");
        assert_eq!(quoted("\u{1b}]0;x\u{7}\u{9b}\u{202e}\t"), r"\u{1b}]0;x\u{7}\u{9b}\u{202e}\t");
    }
}
