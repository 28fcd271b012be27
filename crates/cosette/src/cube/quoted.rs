//! Texts as errors quote them.

/// A part of a text as an error quotes it: what is longer than 40 characters is shortened.
pub(crate) fn quoted(text: &str) -> String {
    shortened(text, 40)
}

/// At most the first `most` characters of a text; if they are not all, an ellipsis follows.
pub fn shortened(text: &str, most: usize) -> String {
    let mut start: String = text.chars().take(most).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    start
}
