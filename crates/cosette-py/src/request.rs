//! Requests from the arguments of a search.

use crate::arguments::{SecondsArgument, WholeNumber, metric, wrong_type, wrong_value};
use crate::cube::PyCube;
use cosette::search::SolutionCount;
use cosette_app::remedies::Audience;
use cosette_app::request::Request;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::num::NonZeroUsize;
use std::time::Duration;

/// Creates a request for all shortest solutions, with the limits in the arguments.
pub fn all(max_length: Option<WholeNumber>, timeout: Option<SecondsArgument>) -> PyResult<Request> {
    let length = |value: WholeNumber| {
        value.within(
            "max_length",
            0..=255,
            "pass an integer from 0 to 255, or None",
        )
    };
    let max_length = max_length
        .map(length)
        .transpose()?
        .map(|length| length as u8);
    let allowed = "pass a non-negative number of seconds, or None";
    let seconds =
        |value: SecondsArgument| value.checked("timeout", |&seconds| seconds >= 0.0, allowed);
    // A time that is too long for a duration, or infinite, means no limit.
    let timeout = timeout
        .map(seconds)
        .transpose()?
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(Request {
        count: SolutionCount::All,
        max_length,
        timeout,
        ..Request::default()
    })
}

/// Changes a request to at most `count` solutions. With `prefer`, a second metric, to one solution:
/// of all shortest ones, one that is also shortest in that metric.
pub fn at_most(
    request: Request,
    count: WholeNumber,
    prefer: Option<&Bound<'_, PyString>>,
) -> PyResult<Request> {
    let count = count.within(
        "count",
        1..=usize::MAX as u64,
        "pass an integer from 1 to 2**64 - 1",
    );
    let count = NonZeroUsize::new(count? as usize).expect("it is 1 or more");
    let prefer = prefer.map(|prefer| metric("prefer", prefer)).transpose()?;
    let request = Request {
        count: SolutionCount::AtMost(count),
        prefer,
        ..request
    };
    // The only possible error here.
    request
        .validate()
        .map_err(|_| PyValueError::new_err("prefer= returns one solution; remove count="))?;
    Ok(request)
}

/// Adds to a request the goal that these keywords describe. They have the names of the fields of
/// [`Request`].
pub fn with_goal_options(
    mut request: Request,
    keywords: Option<&Bound<'_, PyDict>>,
) -> PyResult<Request> {
    for (name, value) in keywords.into_iter().flatten() {
        let name = name.extract::<String>()?;
        let field = match &name[..] {
            "goal" => &mut request.goal,
            "moves" => &mut request.moves,
            "costs" => &mut request.costs,
            "starts_with" => &mut request.starts_with,
            "ends_with" => &mut request.ends_with,
            "avoid" => &mut request.avoid,
            "unique_up_to" => &mut request.unique_up_to,
            "slack" => {
                let slack = value.extract::<WholeNumber>()?.within(
                    "slack",
                    0..=u32::MAX.into(),
                    "pass a non-negative integer",
                );
                request.slack = slack? as u32;
                continue;
            }
            "metric" => {
                let allowed = "pass 'htm', 'qtm', 'stm', 'qstm' or 'etm'";
                let text = value
                    .cast::<PyString>()
                    .map_err(|_| wrong_type("metric", &value, allowed))?;
                request.metric = text
                    .to_cow()?
                    .parse()
                    .map_err(|_| wrong_value("metric", &value, allowed))?;
                continue;
            }
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "unexpected keyword argument '{name}'"
                )));
            }
        };
        let value = match name == "goal" && value.is_instance_of::<PyCube>() {
            true => value.call_method0("facelets")?,
            false => value,
        };
        let allowed = if name == "goal" {
            "pass a string or a Cube, or None"
        } else {
            "pass a string, or None"
        };
        *field = value
            .extract()
            .map_err(|_| wrong_type(&name, &value, allowed))?;
    }
    request
        .validate()
        .map_err(|refused| PyValueError::new_err(refused.message_for(Audience::Python)))?;
    Ok(request)
}
