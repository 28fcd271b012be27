//! Requests for one scramble: a search for skeletons from prior moves, or for insertions into a
//! skeleton. The field names are those of the JSON and of the options of `cosette fmc`.

use super::insert::{Insertion, InsertionError, InsertionsResult, OpenSkeleton};
use super::notation::{PriorMovesError, parse_prior_moves};
use super::pipeline::{DEFAULT_STEPS, Pipeline, PipelineError};
use super::reduction::NissMoves;
use super::skeleton::{Attempt, MissingPrerequisite, SearchReport, Skeleton};
use super::steps::StepSolvers;
use cosette::cube::Cube;
use cosette::search::SolutionCount;
use cosette::{CancelReason, Control};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::time::Duration;

/// Default time limit of a search.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// A request for skeletons: steps, and prior moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PipelineRequest {
    /// The steps, such as `eo[max=5] > dr > htr > finish`.
    pub steps: String,
    /// The moves done before the first step, with those on the inverse in parentheses, such as
    /// `U (F R) D`. Comments are ignored.
    pub from: String,
    /// Number of skeletons to return, best first: a number, or `all`, at most 200,000. Only one of
    /// several skeletons with the same solution is returned, and of skeletons that differ only in
    /// the finish, the shortest, unless `n=` is larger.
    #[cfg_attr(feature = "openapi", schema(schema_with = count_schema))]
    pub count: SolutionCount,
    /// The time limit in seconds. Default: 10; `null` means no limit. The search ends earlier if
    /// all skeletons have been tried.
    #[serde(with = "cosette::numbers::seconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0, default = 10))]
    pub timeout: Option<Duration>,
}

impl Default for PipelineRequest {
    fn default() -> PipelineRequest {
        PipelineRequest {
            steps: DEFAULT_STEPS.to_owned(),
            from: String::new(),
            count: SolutionCount::ONE,
            timeout: Some(DEFAULT_TIMEOUT),
        }
    }
}

/// A request for insertions into a skeleton that leaves three corners, three edges or two swaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InsertionsRequest {
    /// The moves of the skeleton, with those on the inverse in parentheses. Comments are ignored.
    pub from: String,
    /// Number of insertions to return, best first: a number, or `all`.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(schema_with = count_schema))]
    pub count: SolutionCount,
}

/// Returns the reference to the schema of a number of solutions, which is that of a request to
/// solve a position.
#[cfg(feature = "openapi")]
fn count_schema() -> utoipa::openapi::Ref {
    utoipa::openapi::Ref::from_schema_name("Count")
}

/// Error of a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {message}")]
pub struct FieldError {
    /// The name of the field.
    pub field: &'static str,
    /// The fault and, after a semicolon, how to fix it.
    pub message: String,
}

impl FieldError {
    fn new(field: &'static str, error: impl Error) -> FieldError {
        FieldError {
            field,
            message: error.to_string(),
        }
    }
}

impl From<PipelineError> for FieldError {
    fn from(error: PipelineError) -> FieldError {
        FieldError::new("steps", error)
    }
}

impl From<MissingPrerequisite> for FieldError {
    fn from(error: MissingPrerequisite) -> FieldError {
        FieldError::new("steps", error)
    }
}

impl From<PriorMovesError> for FieldError {
    fn from(error: PriorMovesError) -> FieldError {
        FieldError::new("from", error)
    }
}

impl From<InsertionError> for FieldError {
    fn from(error: InsertionError) -> FieldError {
        FieldError::new("from", error)
    }
}

/// A parsed request.
#[derive(Clone, Debug)]
pub struct ParsedRequest {
    /// The steps.
    pub pipeline: Pipeline,
    /// The prior moves.
    pub done: NissMoves,
    count: usize,
    timeout: Option<Duration>,
}

/// The result of a search, with the reason if it ended before all skeletons were tried.
pub struct SearchResult<'a> {
    /// The attempt.
    pub attempt: Attempt<'a>,
    /// The report of the search.
    pub report: SearchReport,
    /// The name of the reason why the search ended early.
    pub stop_reason: Option<&'static str>,
}

impl PipelineRequest {
    /// Parses the texts of the request.
    ///
    /// # Errors
    ///
    /// Returns the [`FieldError`] of the first text that cannot be parsed.
    pub fn parse(&self) -> Result<ParsedRequest, FieldError> {
        Ok(ParsedRequest {
            pipeline: self.steps.parse()?,
            done: parse_prior_moves(&self.from)?,
            count: at_most(self.count),
            timeout: self.timeout,
        })
    }
}

impl ParsedRequest {
    /// Searches until all skeletons are tried or the time limit is reached. Calls `on_better` with
    /// each skeleton that is shorter than all before.
    ///
    /// # Errors
    ///
    /// Returns [`MissingPrerequisite`] if the first step has triggers, but edges are not oriented.
    pub fn search(
        &self,
        scramble: Cube,
        steps: &StepSolvers,
        on_better: &(dyn Fn(&Skeleton) + Sync),
        control: &Control<'_>,
    ) -> Result<SearchResult<'_>, FieldError> {
        let limit = control.cancel_token().limited(self.timeout);
        let attempt = Attempt {
            scramble,
            prior_moves: self.done.clone(),
            pipeline: &self.pipeline,
            count: self.count,
        };
        let report = attempt.search(steps, on_better, &control.clone().with_cancel(&limit))?;
        let stop_reason = match limit.reason().filter(|_| !report.is_exhausted) {
            Some(CancelReason::Requested) => Some("interrupt"),
            Some(CancelReason::TimedOut) => Some("timeout"),
            None => report.were_dropped.then_some("memory"),
        };
        Ok(SearchResult {
            attempt,
            report,
            stop_reason,
        })
    }
}

impl InsertionsRequest {
    /// Parses the skeleton for a scramble.
    ///
    /// # Errors
    ///
    /// Returns a [`FieldError`] if the moves cannot be read, or leave other pieces than an
    /// insertion solves.
    pub fn parse(&self, scramble: &Cube) -> Result<OpenSkeleton, FieldError> {
        Ok(OpenSkeleton::new(
            scramble,
            &parse_prior_moves(&self.from)?,
        )?)
    }

    /// Returns the result for a text, with its line number if it comes from a list.
    pub fn answer(
        &self,
        (text, line): (&str, Option<usize>),
        skeleton: &OpenSkeleton,
        found: &[Insertion],
    ) -> InsertionsResult {
        InsertionsResult::new((text, line), skeleton, found, at_most(self.count))
    }
}

/// Maximum number of skeletons for `all`.
const MAX_KEPT: usize = 200_000;

fn at_most(count: SolutionCount) -> usize {
    match count {
        SolutionCount::AtMost(count) => count.get().min(MAX_KEPT),
        SolutionCount::All => MAX_KEPT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_read() {
        let read = |value| {
            serde_json::from_value::<PipelineRequest>(value).map_err(|error| error.to_string())
        };
        assert_eq!(read(json!({})), Ok(PipelineRequest::default()));
        let all = read(json!({"steps": "eo[max=4]", "count": "all", "timeout": 1.5})).unwrap();
        assert_eq!(
            (all.count, all.timeout),
            (SolutionCount::All, Some(Duration::from_millis(1500)))
        );
        assert!(
            read(json!({"step": "eo"}))
                .unwrap_err()
                .starts_with("unknown field `step`")
        );
        let refused = |steps: &str, from: &str| {
            let request = PipelineRequest {
                steps: steps.to_owned(),
                from: from.to_owned(),
                ..PipelineRequest::default()
            };
            request.parse().unwrap_err().to_string()
        };
        assert!(refused("eo > > dr", "").starts_with("`steps`: a step is missing"));
        assert!(refused(DEFAULT_STEPS, "U (F").starts_with("`from`: the parenthesis"));
    }

    #[test]
    fn the_time_is_a_limit() {
        let asked = PipelineRequest {
            timeout: Some(Duration::ZERO),
            ..PipelineRequest::default()
        }
        .parse()
        .unwrap();
        let scramble: Cube = "R U F".parse().unwrap();
        let searched = asked
            .search(
                scramble,
                &StepSolvers::default(),
                &|_| {},
                &Control::default(),
            )
            .unwrap();
        let answer = searched.answer(("R U F", None));
        assert_eq!(
            (answer.stop_reason.as_deref(), answer.optimal),
            (Some("timeout"), false)
        );
        assert_eq!(answer.status.facelets, scramble.facelets());
    }
}
