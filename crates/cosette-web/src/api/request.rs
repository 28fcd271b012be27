//! What is asked of a search: a JSON object for one position, parameters in the address for many. What cannot be read is refused
//! in the words of serde, with the path of the field (see [`ApiError`]).

use crate::api_error::ApiError;
use axum::http::StatusCode;
use cosette::cube::{Format, Metric};
use cosette::search::{Options, SolutionCount, TwoPhaseUse};
use cosette_app::batch::Settings;
use serde::Deserialize;
use std::num::NonZeroUsize;
use std::time::Duration;
use utoipa::{IntoParams, ToSchema};

/// What to solve and how.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The position: moves, 54 facelets, Reid's twenty pieces or Speffz cycles. It may also be named `text`.
    #[serde(alias = "text")]
    #[schema(example = "R U2 F'", min_length = 1)]
    pub position: String,
    /// The format of the position; detected if omitted.
    pub format: Option<FormatName>,
    /// Whether moves in parentheses apply to the inverse (NISS notation).
    #[serde(default)]
    pub niss: bool,
    /// What counts as one move.
    #[serde(default)]
    pub metric: MetricName,
    /// How many of the shortest solutions to find.
    #[serde(default)]
    pub count: Count,
    /// Give up when every length up to this one is ruled out.
    #[schema(maximum = 255)]
    pub max_length: Option<u8>,
    /// Give up after this many seconds of searching.
    #[schema(minimum = 0)]
    pub timeout: Option<f64>,
    /// Find all shortest solutions and return one that is shortest in this metric too.
    pub prefer: Option<MetricName>,
    /// Whether the answer says what is special about the position.
    #[serde(default)]
    pub explain: bool,
}

impl SolveRequest {
    /// How to search.
    pub fn options(&self) -> Options<'static> {
        Options {
            solution_count: match self.count {
                _ if self.prefer.is_some() => SolutionCount::All,
                Count::AtMost(Number(count)) => SolutionCount::AtMost(count),
                Count::All(_) => SolutionCount::All,
            },
            max_length: self.max_length,
            known: None,
            two_phase: TwoPhaseUse::AtOnce,
        }
    }
}

/// How many of the shortest solutions to find: a number, or `"all"`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(untagged, expecting = "expected a whole number, one or more, or the word `all`")]
pub enum Count {
    /// At most this many.
    AtMost(Number),
    /// All of them.
    All(All),
}

/// A number, one or more.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(value_type = usize, minimum = 1)]
pub struct Number(NonZeroUsize);

/// The word `all`.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum All {
    /// All of them.
    All,
}

impl Default for Count {
    fn default() -> Count {
        Count::AtMost(Number(NonZeroUsize::MIN))
    }
}

/// How to solve many positions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BatchOptions {
    /// What counts as one move.
    #[serde(default)]
    #[param(inline, required = false)]
    pub metric: MetricName,
    /// Give up on a position when every length up to this one is ruled out.
    #[param(maximum = 255)]
    pub max_length: Option<u8>,
    /// Give up on a position after this many seconds of searching.
    #[param(minimum = 0)]
    pub timeout: Option<f64>,
}

impl BatchOptions {
    /// How to search.
    pub fn settings(&self) -> Settings {
        Settings { metric: self.metric.into(), max_length: self.max_length, ..Settings::default() }
    }
}

/// The timeout of a request, in seconds there.
pub fn timeout(seconds: Option<f64>) -> Result<Option<Duration>, ApiError> {
    seconds.map(Duration::try_from_secs_f64).transpose().map_err(|_| {
        let error = "the timeout is negative or too long";
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error, "write a number of seconds, as in 60 or 0.5")
    })
}

/// What counts as one move.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum MetricName {
    /// Any turn of a face.
    #[default]
    Htm,
    /// A quarter turn.
    Qtm,
}

impl TryFrom<String> for MetricName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<MetricName, &'static str> {
        match &*name {
            "htm" => Ok(MetricName::Htm),
            "qtm" => Ok(MetricName::Qtm),
            _ => Err("give `htm` or `qtm`"),
        }
    }
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Htm => Metric::Htm,
            MetricName::Qtm => Metric::Qtm,
        }
    }
}

/// A text format of positions.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum FormatName {
    /// Moves that lead from the solved cube to the position.
    Moves,
    /// 54 facelets.
    Facelets,
    /// Reid's twenty pieces.
    Reid,
    /// Speffz cycles.
    Speffz,
}

impl TryFrom<String> for FormatName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<FormatName, &'static str> {
        match &*name {
            "moves" => Ok(FormatName::Moves),
            "facelets" => Ok(FormatName::Facelets),
            "reid" => Ok(FormatName::Reid),
            "speffz" => Ok(FormatName::Speffz),
            _ => Err("give `moves`, `facelets`, `reid` or `speffz`"),
        }
    }
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Moves => Format::Moves,
            FormatName::Facelets => Format::Facelets,
            FormatName::Reid => Format::Reid,
            FormatName::Speffz => Format::Speffz,
        }
    }
}
