//! Requests for one scramble: a search for skeletons from prior moves, or for insertions into a
//! skeleton. Fields have the same names in JSON and as options of `cosette fmc`.

use crate::insertions::{Insertion, InsertionsResult, OpenSkeleton};
use crate::notation::{NissMoves, parse_prior_moves};
use crate::pipeline::{DEFAULT_STEPS, Pipeline, PipelineError};
use cosette::cube::{Cube, DisplayMoves};
use cosette::numbers::{read_or_default, seconds};
use cosette::search::SolutionCount;
use serde::{Deserialize, Deserializer};
use std::ops::Range;
use std::time::Duration;

/// Maximum number of skeletons for `all`.
const MAX_COUNT: usize = 200_000;

/// A request for skeletons: steps, and prior moves.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
pub struct FmcRequest {
    /// The position, in any format. It may also be named `text`.
    #[serde(alias = "text")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, examples("R U2 F'")))]
    pub position: String,
    /// The steps, such as `eo[max=5] > dr > htr > finish`.
    #[serde(default = "default_steps", deserialize_with = "read_steps")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, default = default_steps))]
    pub steps: String,
    /// The moves done before the first step, with moves on the inverse in parentheses, such as
    /// `U (F R) D`. Comments are ignored.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, default = ""))]
    pub from: String,
    /// Number of skeletons to return, best first.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schemas::skeleton_count))]
    pub count: SolutionCount,
    /// The time limit in seconds. Default: 10; `null` means no limit. The search ends earlier if
    /// all skeletons have been tried.
    #[serde(default = "default_timeout", deserialize_with = "seconds::deserialize")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0, default = 10))]
    pub timeout: Option<Duration>,
}

fn default_steps() -> String {
    DEFAULT_STEPS.to_owned()
}

fn read_steps<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    let steps = Option::deserialize(source)?;
    Ok(steps.unwrap_or_else(default_steps))
}

/// Returns the default time limit of a search.
fn default_timeout() -> Option<Duration> {
    Some(Duration::from_secs(10))
}

/// A request for insertions into a skeleton that leaves three corners, three edges or two swaps.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
pub struct InsertionsRequest {
    /// The position, in any format. It may also be named `text`.
    #[serde(alias = "text")]
    #[cfg_attr(feature = "openapi", schema(min_length = 1, examples("R U2 F'")))]
    pub position: String,
    /// The moves of the skeleton, with moves on the inverse in parentheses. Comments are ignored.
    pub from: String,
    /// Number of insertions to return, best first.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schemas::insertion_count))]
    pub count: SolutionCount,
}

/// Schemas of fields in an OpenAPI document.
#[cfg(feature = "openapi")]
mod schemas {
    use utoipa::openapi::Ref;
    use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};

    pub fn skeleton_count() -> OneOfBuilder {
        count(
            "Number of skeletons to return, best first: a number, or `all`, at most 200,000. Of \
                several skeletons with the same solution, only one is returned. Of skeletons that \
                differ only in the finish, only a shortest one is returned, unless the option \
                `n=` of `finish` allows more.",
        )
    }

    pub fn insertion_count() -> OneOfBuilder {
        count("Number of insertions to return, best first: a number, or `all`.")
    }

    /// Returns the schema of an optional number: a reference to the schema `Count`, which the
    /// document defines for requests to solve a position.
    fn count(description: &str) -> OneOfBuilder {
        OneOfBuilder::new()
            .item(ObjectBuilder::new().schema_type(Type::Null))
            .item(Ref::from_schema_name("Count"))
            .description(Some(description))
            .default(Some(1.into()))
    }
}

/// Error of a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {message}")]
pub struct FieldError {
    /// The name of the field.
    pub field: &'static str,
    /// The fault and, after a semicolon, how to fix it.
    pub message: String,
    /// The text of the field, and the range of the fault in it, in bytes, if only a part of the
    /// text is wrong.
    pub span: Option<(String, Range<usize>)>,
}

impl FieldError {
    /// Creates the error of a whole field.
    pub fn new(field: &'static str, message: impl ToString) -> FieldError {
        FieldError {
            field,
            message: message.to_string(),
            span: None,
        }
    }
}

/// Parses the field `from`.
fn parse_from(text: &str) -> Result<NissMoves, FieldError> {
    parse_prior_moves(text).map_err(|error| FieldError {
        span: Some((text.to_owned(), error.span.clone())),
        ..FieldError::new("from", error)
    })
}

/// A parsed request: the steps to search after prior moves.
#[derive(Clone, Debug)]
pub struct ParsedRequest {
    pub pipeline: Pipeline,
    pub prior_moves: NissMoves,
    /// Maximum number of skeletons to return.
    pub count: usize,
    pub timeout: Option<Duration>,
}

impl FmcRequest {
    /// Parses the texts of the request, except for the position.
    ///
    /// # Errors
    ///
    /// Returns the [`FieldError`] of the first text that cannot be parsed.
    pub fn parse(&self) -> Result<ParsedRequest, FieldError> {
        Ok(ParsedRequest {
            pipeline: self
                .steps
                .parse()
                .map_err(|error: PipelineError| FieldError::new("steps", error))?,
            prior_moves: parse_from(&self.from)?,
            count: self.count.max().min(MAX_COUNT),
            timeout: self.timeout,
        })
    }
}

impl InsertionsRequest {
    /// Parses the skeleton for a scramble.
    ///
    /// # Errors
    ///
    /// Returns a [`FieldError`] if the moves cannot be read, or if they do not leave three corners,
    /// three edges or two swaps.
    pub fn parse(&self, scramble: &Cube) -> Result<OpenSkeleton, FieldError> {
        let moves = parse_from(&self.from)?;
        OpenSkeleton::new(scramble, &moves).map_err(|error| FieldError::new("from", error))
    }

    /// Returns the result: the `count` best of all insertions into the skeleton.
    pub fn result(&self, skeleton: &OpenSkeleton, insertions: &[Insertion]) -> InsertionsResult {
        let best = insertions.iter().take(self.count.max());
        InsertionsResult {
            input: self.position.clone(),
            line: None,
            skeleton: DisplayMoves(&skeleton.moves).to_string(),
            case: skeleton.case.name().to_owned(),
            count: insertions.len(),
            insertions: best.map(|best| best.as_json(&skeleton.moves)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cases;

    fn read(request: &str) -> Result<FmcRequest, serde_json::Error> {
        serde_json::from_str(request)
    }

    #[test]
    fn requests_are_read() {
        let default = read(r#"{"text": "R"}"#).unwrap();
        assert_eq!(default.steps, DEFAULT_STEPS);
        assert_eq!(default.timeout, Some(Duration::from_secs(10)));
        let all = read(r#"{"position": "R", "count": "all", "timeout": 1.5}"#).unwrap();
        assert_eq!(all.count, SolutionCount::All);
        assert_eq!(all.timeout, Some(Duration::from_millis(1500)));
        let unlimited = read(r#"{"position": "R", "timeout": null}"#).unwrap();
        assert_eq!(unlimited.timeout, None);
        let null = read(r#"{"position": "R", "steps": null, "from": null, "count": null}"#);
        assert_eq!(format!("{:?}", null.unwrap()), format!("{default:?}"));
        for [request, error] in cases("faults of requests") {
            let message = match read(request) {
                Err(error) => error.to_string(),
                Ok(request) => request.parse().unwrap_err().to_string(),
            };
            assert!(message.starts_with(error), "{message}");
        }
    }
}
