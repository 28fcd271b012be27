//! Texts that represent several positions, as trainers write cases: `[R U R' | U] F` represents
//! `R U R' F` and `U F`.

use cosette::cube::is_empty;

/// Maximum number of positions that a text may represent, and of bytes in them.
const MAX_ALTERNATIVES: usize = 10_000;
const MAX_BYTES: usize = 1_000_000;

/// The text before an open bracket, and the alternatives in it up to now.
struct OpenBracket {
    before: Vec<String>,
    ended: Vec<String>,
    has_bar: bool,
}

impl OpenBracket {
    /// Returns the texts up to the end of the bracket, given those of its last alternative, and
    /// counts their `bytes`; `None` if they are too many.
    fn close(
        self,
        mut texts: Vec<String>,
        has_amount: bool,
        bytes: &mut usize,
    ) -> Option<Vec<String>> {
        let OpenBracket {
            before,
            mut ended,
            has_bar,
        } = self;
        ended.append(&mut texts);
        let length = |texts: &[String]| texts.iter().map(|text| text.len() + 4).sum::<usize>();
        *bytes += length(&before) * ended.len() + length(&ended) * before.len();
        if before.len() * ended.len() > MAX_ALTERNATIVES || *bytes > MAX_BYTES {
            return None;
        }
        let (left, right) = match (has_bar, has_amount) {
            (false, _) => ("[", "]"),
            (true, true) => ("[(", ")]"),
            (true, false) => ("", ""),
        };
        let joined = |before: &String| {
            let joined = ended
                .iter()
                .map(|one| format!("{before}{left}{one}{right}"));
            joined.collect::<Vec<_>>()
        };
        Some(before.iter().flat_map(joined).collect())
    }
}

/// Returns the texts that a text represents: one alternative is chosen for each pair of square
/// brackets that contains a bar. An empty result becomes `[]`, the solved cube. Other brackets, a
/// text whose brackets do not match, and one that represents too many positions are left unchanged.
pub fn alternatives(text: &str) -> Vec<String> {
    let expanded = if text.contains('|') {
        expanded(text)
    } else {
        None
    };
    expanded.unwrap_or_else(|| vec![text.to_owned()])
}

fn expanded(text: &str) -> Option<Vec<String>> {
    let mut open: Vec<OpenBracket> = Vec::new();
    let mut texts = vec![String::new()];
    let mut bytes = 0;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '[' => {
                let before = std::mem::replace(&mut texts, vec![String::new()]);
                open.push(OpenBracket {
                    before,
                    ended: Vec::new(),
                    has_bar: false,
                });
            }
            '|' => {
                let bracket = open.last_mut()?;
                bracket.has_bar = true;
                bracket.ended.append(&mut texts);
                texts.push(String::new());
            }
            ']' => {
                let bracket = open.pop()?;
                // A mark or a number after the bracket applies to each alternative.
                let has_amount = chars
                    .peek()
                    .is_some_and(|next| !next.is_alphabetic() && !" \t[](),:|/".contains(*next));
                texts = bracket.close(texts, has_amount, &mut bytes)?;
            }
            _ => {
                bytes += texts.len();
                texts.iter_mut().for_each(|text| text.push(char));
            }
        }
        if bytes > MAX_BYTES {
            return None;
        }
    }
    let tidy = |text: String| {
        let nothing = is_empty(&text).then_some("[]");
        nothing
            .into_iter()
            .chain(text.split_whitespace())
            .collect::<Vec<_>>()
            .join(" ")
    };
    open.is_empty()
        .then(|| texts.into_iter().map(tidy).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Cube;

    #[test]
    fn each_alternative_is_a_text() {
        for (text, expected) in [
            ("R U", &["R U"][..]),
            ("[R U R' | U] F", &["R U R' F", "U F"]),
            (
                "[ | U2][R|[F|B] D]",
                &["R", "F D", "B D", "U2R", "U2F D", "U2B D"],
            ),
            ("[R, U] [F|B]", &["[R, U] F", "[R, U] B"]),
            ("[R, [F|B]]", &["[R, F]", "[R, B]"]),
            ("[ | U] // a", &["[] // a", "U // a"]),
            ("[R||U]", &["R", "[]", "U"]),
            ("[R U | r]' D", &["[(R U )]' D", "[( r)]' D"]),
            ("[R, U|F D]3", &["[(R, U)]3", "[(F D)]3"]),
            ("R | U", &["R | U"]),
            ("[R | U", &["[R | U"]),
            ("R] [U|F]", &["R] [U|F]"]),
        ] {
            assert_eq!(alternatives(text), expected, "{text}");
        }
        assert_eq!("[]".parse(), Ok(Cube::SOLVED));
        for much in [
            "[R|U|F|D]".repeat(9),
            "[R|U]".repeat(10) + &"R ".repeat(1000),
            "[".repeat(1000) + "|",
        ] {
            assert_eq!(alternatives(&much), [much]);
        }
    }
}
