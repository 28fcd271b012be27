//! Numbers in texts and in JSON, as people and programs write them: `2,000 nodes`, `0.5` seconds,
//! `all` solutions; and `null` in place of any value.

/// Formats a number with its noun: `1 node`, `2,000 nodes`.
pub fn counted(count: u64, noun: &str) -> String {
    format!(
        "{} {noun}{}",
        grouped(count),
        if count == 1 { "" } else { "s" }
    )
}

/// Formats a number with its digits in groups: `2,000`.
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups: Vec<_> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(String::from_utf8_lossy)
        .collect();
    groups.join(",")
}

/// Returns the error with `description` in place of the expected value that serde names in terms of
/// Rust.
#[cfg(feature = "serde")]
pub fn expected<E: serde::de::Error>(description: &str, error: E) -> E {
    let error = error.to_string();
    E::custom(format_args!(
        "{}, expected {description}",
        error.split(", expected").next().unwrap_or_default()
    ))
}

/// Deserializes a value. In JSON, `null` means the default, as if the field were left out.
///
/// # Errors
///
/// Returns the error of a value that is not of this type.
#[cfg(feature = "serde")]
pub fn read_or_default<'de, T, D>(source: D) -> Result<T, D::Error>
where
    T: serde::Deserialize<'de> + Default,
    D: serde::Deserializer<'de>,
{
    use serde::Deserialize;
    if source.is_human_readable() {
        Option::deserialize(source).map(Option::unwrap_or_default)
    } else {
        T::deserialize(source)
    }
}

/// Serialization of a time limit as a number of seconds.
#[cfg(feature = "serde")]
pub mod seconds {
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    const EXPECTED: &str = "a non-negative number of seconds";

    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(deserializer)
            .map_err(|error| super::expected(EXPECTED, error))?;
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        time.map_err(|_| {
            D::Error::invalid_value(Unexpected::Float(seconds.unwrap_or_default()), &EXPECTED)
        })
    }
}

/// Serialization of a number of solutions: in text the number, or the word `all`; in binary
/// formats, 0 for all.
#[cfg(feature = "serde")]
mod solution_count {
    use crate::search::SolutionCount;
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::fmt;
    use std::num::NonZeroUsize;

    const EXPECTED: &str = "a positive whole number, or the word `all`";

    impl Serialize for SolutionCount {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                SolutionCount::All if serializer.is_human_readable() => {
                    serializer.serialize_str("all")
                }
                SolutionCount::All => 0_usize.serialize(serializer),
                SolutionCount::AtMost(count) => count.serialize(serializer),
            }
        }
    }

    impl<'de> Deserialize<'de> for SolutionCount {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SolutionCount, D::Error> {
            if deserializer.is_human_readable() {
                return deserializer.deserialize_any(CountVisitor);
            }
            let count = NonZeroUsize::new(usize::deserialize(deserializer)?);
            Ok(count.map_or(SolutionCount::All, SolutionCount::AtMost))
        }
    }

    struct CountVisitor;

    impl Visitor<'_> for CountVisitor {
        type Value = SolutionCount;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(EXPECTED)
        }

        fn visit_u64<E: Error>(self, count: u64) -> Result<SolutionCount, E> {
            let at_most = usize::try_from(count).ok().and_then(NonZeroUsize::new);
            at_most
                .map(SolutionCount::AtMost)
                .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(count), &EXPECTED))
        }

        /// Reads the number in a parameter of a URL, which is always text.
        fn visit_str<E: Error>(self, text: &str) -> Result<SolutionCount, E> {
            match text.parse() {
                Ok(count) => Ok(SolutionCount::AtMost(count)),
                Err(_) if text == "all" => Ok(SolutionCount::All),
                Err(_) => Err(E::invalid_value(Unexpected::Str(text), &EXPECTED)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(counted(0, "node"), "0 nodes");
        assert_eq!(counted(1, "node"), "1 node");
        assert_eq!(counted(1_234_567, "probe"), "1,234,567 probes");
    }
}
