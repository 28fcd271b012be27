//! Texts that stand for several positions, as trainers write cases: `[R U R' | U] F` are `R U R' F` and `U F`.

/// The most positions that a text may stand for.
const MOST: usize = 100_000;

/// A text stands for too many positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it stands for more than {MOST} positions; make several lists of them")]
pub struct TooMany;

/// The texts for which a text stands: one of the alternatives for each pair of square brackets with a bar. Other brackets, and a
/// text whose brackets do not match, are left as they are. Fails if there are too many.
pub fn alternatives(text: &str) -> Result<Vec<String>, TooMany> {
    let as_it_is = || Ok(vec![text.to_owned()]);
    if !text.contains('|') {
        return as_it_is();
    }
    /// What is before a bracket, and the alternatives in it so far.
    struct Open {
        before: Vec<String>,
        ended: Vec<String>,
        has_bar: bool,
    }
    let (mut open, mut texts): (Vec<Open>, _) = (Vec::new(), vec![String::new()]);
    for char in text.chars() {
        match (char, open.last_mut()) {
            ('[', _) => {
                let before = std::mem::replace(&mut texts, vec![String::new()]);
                open.push(Open { before, ended: Vec::new(), has_bar: false });
            }
            ('|', Some(bracket)) => {
                bracket.has_bar = true;
                bracket.ended.append(&mut texts);
                texts.push(String::new());
            }
            (']', Some(_)) => {
                let Some(Open { before, mut ended, has_bar }) = open.pop() else { return as_it_is() };
                ended.append(&mut texts);
                if before.len() * ended.len() > MOST {
                    return Err(TooMany);
                }
                let (left, right) = if has_bar { ("", "") } else { ("[", "]") };
                let joined =
                    |before: &String| ended.iter().map(|one| format!("{before}{left}{one}{right}")).collect::<Vec<_>>();
                texts = before.iter().flat_map(joined).collect();
            }
            ('|' | ']', None) => return as_it_is(),
            _ => texts.iter_mut().for_each(|text| text.push(char)),
        }
    }
    if open.is_empty() { Ok(texts) } else { as_it_is() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_alternative_is_a_text() {
        for (text, expected) in [
            ("R U", &["R U"][..]),
            ("[R U R' | U] F", &["R U R'  F", " U F"]),
            ("[ | U2][R|[F|B] D]", &[" R", " F D", " B D", " U2R", " U2F D", " U2B D"]),
            ("[R, U] [F|B]", &["[R, U] F", "[R, U] B"]),
            ("[R, [F|B]]", &["[R, F]", "[R, B]"]),
            ("R | U", &["R | U"]),
            ("[R | U", &["[R | U"]),
            ("R] [U|F]", &["R] [U|F]"]),
        ] {
            assert_eq!(alternatives(text).unwrap(), expected, "{text}");
        }
        assert_eq!(alternatives(&"[R|U|F|D]".repeat(9)), Err(TooMany));
    }
}
