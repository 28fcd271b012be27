//! Serialization of request values, and their schemas in an OpenAPI document.

/// A number of solutions: in text the number, or the word `all`.
pub mod count {
    use cosette::search::SolutionCount;
    use serde::de::{Error, Unexpected, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::fmt;
    use std::num::NonZeroUsize;

    const EXPECTED: &str = "a positive whole number, or the word `all`";

    pub fn serialize<S: Serializer>(
        count: &SolutionCount,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match count {
            _ if !serializer.is_human_readable() => count.serialize(serializer),
            SolutionCount::AtMost(count) => count.serialize(serializer),
            SolutionCount::All => serializer.serialize_str("all"),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SolutionCount, D::Error> {
        match deserializer.is_human_readable() {
            true => deserializer.deserialize_any(Count),
            false => SolutionCount::deserialize(deserializer),
        }
    }

    struct Count;

    impl Visitor<'_> for Count {
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

        /// The parameters of an address are texts.
        fn visit_str<E: Error>(self, text: &str) -> Result<SolutionCount, E> {
            match text.parse() {
                Ok(count) => Ok(SolutionCount::AtMost(count)),
                Err(_) if text == "all" => Ok(SolutionCount::All),
                Err(_) => Err(E::invalid_value(Unexpected::Str(text), &EXPECTED)),
            }
        }
    }
}

/// Returns the error with a description of the expected value that does not use Rust terms.
fn expected<E: serde::de::Error>(what: &str, error: E) -> E {
    let error = error.to_string();
    E::custom(format_args!(
        "{}, expected {what}",
        error.split(", expected").next().unwrap_or_default()
    ))
}

/// A length of solutions.
pub mod length {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(length: &Option<u8>, serializer: S) -> Result<S::Ok, S::Error> {
        length.serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
        Option::deserialize(deserializer)
            .map_err(|error| super::expected("a whole number of moves from 0 to 255", error))
    }
}

/// The number of scrambles of one request.
pub mod scramble_count {
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer};

    const MAX_COUNT: u64 = 100;
    const EXPECTED: &str = "a whole number from 1 to 100";

    pub const fn default() -> usize {
        1
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
        let count =
            u64::deserialize(deserializer).map_err(|error| super::expected(EXPECTED, error))?;
        match count {
            1..=MAX_COUNT => Ok(count as usize),
            _ => Err(D::Error::invalid_value(
                Unexpected::Unsigned(count),
                &EXPECTED,
            )),
        }
    }
}

/// A slack: the maximum excess of the cost of a solution over the minimum.
pub mod slack {
    use serde::{Deserialize, Deserializer};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        u32::deserialize(deserializer)
            .map_err(|error| super::expected("a non-negative whole number", error))
    }
}

/// A time as a number of seconds.
pub mod seconds {
    use serde::de::{Error, Unexpected};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(|time| time.as_secs_f64()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        const EXPECTED: &str = "a non-negative number of seconds";
        let seconds = Option::<f64>::deserialize(deserializer)
            .map_err(|error| super::expected(EXPECTED, error))?;
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        time.map_err(|_| {
            D::Error::invalid_value(Unexpected::Float(seconds.unwrap_or_default()), &EXPECTED)
        })
    }
}

/// Schemas of field values in an OpenAPI document.
#[cfg(feature = "openapi")]
#[allow(dead_code, missing_docs, reason = "they are only described")]
pub mod names {
    use utoipa::ToSchema;

    #[derive(ToSchema)]
    #[schema(rename_all = "lowercase")]
    pub enum Metric {
        Htm,
        Qtm,
    }

    #[derive(ToSchema)]
    #[schema(rename_all = "lowercase")]
    pub enum TurnMetric {
        Htm,
        Qtm,
        Stm,
        Qstm,
        Etm,
    }

    #[derive(ToSchema)]
    #[schema(rename_all = "lowercase")]
    pub enum Format {
        Moves,
        Facelets,
        Reid,
        Speffz,
    }

    #[derive(serde::Serialize, ToSchema)]
    #[serde(untagged)]
    pub enum Count {
        /// A number, as the maximum.
        AtMost(Number),
        /// The word `all`.
        All(All),
    }

    /// A number, one or more.
    #[derive(serde::Serialize, ToSchema)]
    #[schema(value_type = usize, minimum = 1)]
    pub struct Number(usize);

    #[derive(serde::Serialize, ToSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum All {
        All,
    }
}
