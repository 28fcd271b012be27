//! Serialization of request values, and their schemas in an OpenAPI document.

use cosette::numbers::expected;

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

/// A value by its name. Without this, the JSON parser reports any other value as a syntax error.
pub mod named {
    use serde::de::{DeserializeOwned, IntoDeserializer};
    use serde::{Deserialize, Deserializer};

    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
    where
        T: DeserializeOwned,
        D: Deserializer<'de>,
    {
        if deserializer.is_human_readable() {
            T::deserialize(String::deserialize(deserializer)?.into_deserializer())
        } else {
            T::deserialize(deserializer)
        }
    }

    /// The value may be missing.
    pub fn optional<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: DeserializeOwned,
        D: Deserializer<'de>,
    {
        if !deserializer.is_human_readable() {
            return Option::deserialize(deserializer);
        }
        let name = Option::<String>::deserialize(deserializer)?;
        name.map(|name| T::deserialize(name.into_deserializer()))
            .transpose()
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

/// Schemas of field values in an OpenAPI document.
#[cfg(feature = "openapi")]
#[allow(dead_code, reason = "they are only described")]
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
