//! What is asked of a scramble: steps from what has been done, or the best places for what finishes a skeleton. The names of the fields
//! are those of the JSON, and those of the options of `cosette fmc`.

use super::insert::{Inserted, Insertion, NothingToInsert, Unfinished};
use super::pipeline::{Pipeline, PipelineError, USUAL};
use super::reached::Sides;
use super::skeleton::{Attempt, Report, Skeleton, TooEarly};
use super::steps::Steps;
use super::write::{DoneError, read_done};
use crate::answer::Stop;
use crate::remedies::halves;
#[cfg(feature = "openapi")]
use crate::request::names;
use crate::request::values;
use cosette::Control;
use cosette::cube::Cube;
use cosette::search::SolutionCount;
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::time::Duration;

/// How long a search takes if nothing else is asked.
pub const USUAL_TIME: Duration = Duration::from_secs(10);

/// Steps, and what has been done before them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// The steps, such as `eo[max=5] > dr > htr > finish`.
    pub steps: String,
    /// Moves that have been done, with those on the inverse in round brackets, as in `U (F R) D`; comments are left out.
    pub from: String,
    /// How many skeletons are kept, the best ones: a number, or `all`, which are 200,000 at most. Of skeletons that make one solution, one is kept, and of
    /// those that differ in the finish, the shortest, unless `n=` asks for more.
    #[serde(with = "values::count")]
    #[cfg_attr(feature = "openapi", schema(value_type = names::Count, default = 1))]
    pub count: SolutionCount,
    /// Search for so many seconds, unless all is tried before: 10 if it is left out, without a limit if it is `null`.
    #[serde(with = "values::seconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0, default = 10))]
    pub timeout: Option<Duration>,
}

impl Default for Request {
    fn default() -> Request {
        Request { steps: USUAL.to_owned(), from: String::new(), count: SolutionCount::ONE, timeout: Some(USUAL_TIME) }
    }
}

/// A skeleton that leaves three corners, three edges or two swaps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct InsertionsRequest {
    /// Its moves, with those on the inverse in round brackets; comments are left out.
    pub from: String,
    /// How many insertions are told, the best ones: a number, or `all`.
    #[serde(default, with = "values::count")]
    #[cfg_attr(feature = "openapi", schema(value_type = names::Count))]
    pub count: SolutionCount,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}`: {wrong}; {help}")]
pub struct Refused {
    /// The field.
    pub field: &'static str,
    /// What is wrong with it.
    pub wrong: String,
    /// How to fix it.
    pub help: String,
}

impl Refused {
    fn new(field: &'static str, error: impl Error) -> Refused {
        let (wrong, help) = halves(&error.to_string());
        Refused { field, wrong, help }
    }
}

impl From<PipelineError> for Refused {
    fn from(error: PipelineError) -> Refused {
        Refused::new("steps", error)
    }
}

impl From<TooEarly> for Refused {
    fn from(error: TooEarly) -> Refused {
        Refused::new("steps", error)
    }
}

impl From<DoneError> for Refused {
    fn from(error: DoneError) -> Refused {
        Refused::new("from", error)
    }
}

impl From<NothingToInsert> for Refused {
    fn from(error: NothingToInsert) -> Refused {
        Refused::new("from", error)
    }
}

/// A request that was read.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The steps.
    pub pipeline: Pipeline,
    /// What has been done before them.
    pub done: Sides,
    count: usize,
    timeout: Option<Duration>,
}

/// What a search has found, and why it ended before all was tried, if it did.
pub struct Searched<'a> {
    /// What was asked.
    pub attempt: Attempt<'a>,
    /// What was found.
    pub report: Report,
    /// Why it ended early.
    pub stopped: Option<Stop>,
}

impl Request {
    /// Reads its texts. Fails if one cannot be read.
    pub fn read(&self) -> Result<Asked, Refused> {
        Ok(Asked {
            pipeline: self.steps.parse()?,
            done: read_done(&self.from)?,
            count: at_most(self.count),
            timeout: self.timeout,
        })
    }
}

impl Asked {
    /// Searches until all is tried, or for as long as was asked. Calls `on_better` with each skeleton that is shorter than all before.
    ///
    /// # Errors
    /// If the first step has triggers, but edges are not oriented.
    pub fn search(
        &self,
        scramble: Cube,
        steps: &Steps,
        on_better: &(dyn Fn(&Skeleton) + Sync),
        control: &Control<'_>,
    ) -> Result<Searched<'_>, Refused> {
        let limit = control.cancel().limited(self.timeout);
        let attempt = Attempt { scramble, done: self.done.clone(), pipeline: &self.pipeline, count: self.count };
        let report = attempt.search(steps, on_better, &control.clone().with_cancel(&limit))?;
        let dropped = report.were_dropped.then_some(Stop::Memory);
        let stopped = limit.reason().filter(|_| !report.is_exhausted).map(Stop::from).or(dropped);
        Ok(Searched { attempt, report, stopped })
    }
}

impl InsertionsRequest {
    /// Reads the skeleton of a scramble. Fails if it cannot be read, or leaves something else.
    pub fn read(&self, scramble: &Cube) -> Result<Unfinished, Refused> {
        Ok(Unfinished::new(scramble, &read_done(&self.from)?)?)
    }

    /// The answer to a text, one of a list if it has the number of a line.
    pub fn answer(&self, (text, line): (&str, Option<usize>), skeleton: &Unfinished, found: &[Insertion]) -> Inserted {
        Inserted::new((text, line), skeleton, found, at_most(self.count))
    }
}

/// The most skeletons that are kept of `all`.
const MOST_KEPT: usize = 200_000;

fn at_most(count: SolutionCount) -> usize {
    match count {
        SolutionCount::AtMost(count) => count.get().min(MOST_KEPT),
        SolutionCount::All => MOST_KEPT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_read() {
        let read = |value| serde_json::from_value::<Request>(value).map_err(|error| error.to_string());
        assert_eq!(read(json!({})), Ok(Request::default()));
        let all = read(json!({"steps": "eo[max=4]", "count": "all", "timeout": 1.5})).unwrap();
        assert_eq!((all.count, all.timeout), (SolutionCount::All, Some(Duration::from_millis(1500))));
        assert!(read(json!({"step": "eo"})).unwrap_err().starts_with("unknown field `step`"));
        let refused = |steps: &str, from: &str| {
            let request = Request { steps: steps.to_owned(), from: from.to_owned(), ..Request::default() };
            request.read().unwrap_err().to_string()
        };
        assert!(refused("eo > > dr", "").starts_with("`steps`: there is no step"));
        assert!(refused(USUAL, "U (F").starts_with("`from`: the bracket"));
    }

    #[test]
    fn the_time_is_a_limit() {
        let asked = Request { timeout: Some(Duration::ZERO), ..Request::default() }.read().unwrap();
        let scramble: Cube = "R U F".parse().unwrap();
        let searched = asked.search(scramble, &Steps::default(), &|_| {}, &Control::default()).unwrap();
        let answer = searched.answer(("R U F", None));
        assert_eq!((answer.stopped.as_deref(), answer.proven), (Some("timeout"), false));
        assert_eq!(answer.here.facelets, scramble.facelets());
    }
}
