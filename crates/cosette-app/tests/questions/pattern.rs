//! Texts with gaps, for sessions of the command and exchanges with the server.

/// Returns `true` if the text is the pattern, in which `…` stands for any text.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('…') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let (middle, end) = rest.rsplit_once('…').unwrap_or(("", rest));
    for part in middle.split('…') {
        let Some((_, after)) = text.split_once(part) else {
            return false;
        };
        text = after;
    }
    text.ends_with(end)
}

#[test]
fn gaps_stand_for_any_text() {
    assert!(matches("a…c", "abc") && matches("…", "") && matches("a…b…c", "a b x c"));
    assert!(!matches("a…c", "abcd") && !matches("a…b…c", "a c") && !matches("a", "ab"));
}
