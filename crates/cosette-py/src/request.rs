//! Conversion of arguments to requests.
//!
//! PyO3 converts arguments, and names an argument of the wrong type in a note. A value that is not
//! allowed raises `ValueError`, and a value that is not a number `TypeError`, with one sentence
//! that has the argument, its value and the allowed values:
//! `threads=-1: give a whole number from 1 to 64`.

use crate::cube::Cube;
use cosette::cube::shortened;
use cosette::search::SolutionCount;
use cosette::{Metric, ThreadCount};
use cosette_app::remedies::Audience;
use cosette_app::request::Request;
use cosette_app::units;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Returns the error of an argument of the wrong type.
pub fn wrong_type(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    PyTypeError::new_err(sentence(name, value, allowed))
}

/// Returns the error of an argument with a value that is not allowed.
pub fn wrong_value(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    PyValueError::new_err(sentence(name, value, allowed))
}

/// Formats the argument, its value, and the allowed values.
pub fn sentence(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> String {
    format!("{name}={}: {allowed}", written(value))
}

/// Formats a value as in Python; one whose `repr` fails is named by its type.
fn written(value: &Bound<'_, PyAny>) -> String {
    const MAX_LENGTH: usize = 60;
    let written = value.repr().map(|text| text.to_string());
    let written = written.or_else(|_| value.get_type().name().map(|name| format!("<{name}>")));
    shortened(&written.unwrap_or_default(), MAX_LENGTH)
}

/// Error of an invalid argument.
pub struct ArgumentError {
    /// `true` if the type is wrong.
    pub is_type: bool,
    /// The message.
    pub sentence: String,
}

impl From<ArgumentError> for PyErr {
    fn from(ArgumentError { is_type, sentence }: ArgumentError) -> PyErr {
        if is_type {
            PyTypeError::new_err(sentence)
        } else {
            PyValueError::new_err(sentence)
        }
    }
}

/// A number. One that is too large for its type, or not a number, is stored only as text, so that
/// the error can name the argument.
pub struct Number<T>(Result<T, ArgumentError>);

/// A whole number.
pub type WholeNumber = Number<u64>;

/// A number of seconds.
pub type Seconds = Number<f64>;

impl FromPyObject<'_, '_> for WholeNumber {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<WholeNumber> {
        match value.is_instance_of::<PyBool>() {
            true => Ok(Number(Err(ArgumentError {
                is_type: true,
                sentence: written(&value),
            }))),
            false => Number::of(&value, value.extract()),
        }
    }
}

impl FromPyObject<'_, '_> for Seconds {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Seconds> {
        Number::of(&value, value.extract())
    }
}

impl<T: ToString> Number<T> {
    /// Creates a number from a value and the result of its conversion.
    fn of(value: &Bound<'_, PyAny>, read: PyResult<T>) -> PyResult<Number<T>> {
        let py = value.py();
        Ok(Number(match read {
            Ok(number) => Ok(number),
            Err(error)
                if error.is_instance_of::<PyOverflowError>(py)
                    || error.is_instance_of::<PyTypeError>(py) =>
            {
                Err(ArgumentError {
                    is_type: error.is_instance_of::<PyTypeError>(py),
                    sentence: written(value),
                })
            }
            Err(error) => return Err(error),
        }))
    }

    /// Returns the number if `is_allowed` accepts it.
    ///
    /// # Errors
    ///
    /// Returns [`ArgumentError`] with the allowed values otherwise.
    fn checked(
        self,
        name: &str,
        is_allowed: impl Fn(&T) -> bool,
        allowed: &str,
    ) -> Result<T, ArgumentError> {
        let refused = match self.0 {
            Ok(number) if is_allowed(&number) => return Ok(number),
            // Formatted as in Python: `nan`.
            Ok(number) => ArgumentError {
                is_type: false,
                sentence: number.to_string().to_lowercase(),
            },
            Err(refused) => refused,
        };
        Err(ArgumentError {
            sentence: format!("{name}={}: {allowed}", refused.sentence),
            ..refused
        })
    }
}

impl WholeNumber {
    /// One, as a default.
    pub const ONE: WholeNumber = Number(Ok(1));

    /// Returns the number if it is in this range.
    ///
    /// # Errors
    ///
    /// Returns [`ArgumentError`] with the allowed values otherwise.
    pub fn within(
        self,
        name: &str,
        range: RangeInclusive<u64>,
        allowed: &str,
    ) -> Result<u64, ArgumentError> {
        self.checked(name, |number| range.contains(number), allowed)
    }
}

/// Parses the seed of a random sequence.
pub fn seed(value: Option<WholeNumber>) -> PyResult<Option<u64>> {
    let read = |value: WholeNumber| {
        value.within(
            "seed",
            0..=u64::MAX,
            "pass an integer from 0 to 2**64 - 1, or None",
        )
    };
    Ok(value.map(read).transpose()?)
}

/// Parses a metric.
pub fn metric(name: &str, value: &Bound<'_, PyString>) -> PyResult<Metric> {
    value
        .to_cow()?
        .parse()
        .map_err(|_| wrong_value(name, value, "pass 'htm' or 'qtm'"))
}

/// Checks the path of a file or a folder.
pub fn path(name: &str, path: PathBuf) -> PyResult<PathBuf> {
    match path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
        true => Err(PyValueError::new_err(format!(
            "{name}='{}': pass a path",
            path.display()
        ))),
        false => Ok(path),
    }
}

/// Checks that an argument is callable, before any work begins.
pub fn callable<'a, 'py>(
    name: &str,
    value: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match value {
        Some(value) if !value.is_callable() => {
            Err(wrong_type(name, value, "pass a callable, or None"))
        }
        value => Ok(value),
    }
}

/// Parses a number of threads that this machine can use; by default as many as it can run in
/// parallel.
pub fn threads(argument: Option<WholeNumber>) -> PyResult<ThreadCount> {
    let Some(argument) = argument else {
        return Ok(ThreadCount::available());
    };
    let limit = ThreadCount::limit();
    let allowed = format!("pass an integer from 1 to {limit}, or None");
    let count = argument.within("threads", 1..=limit.get() as u64, &allowed)?;
    Ok(limit.at_most(count as usize))
}

/// An amount of memory: a number of bytes, or a text such as `2G`.
pub enum Memory<'py> {
    /// The text.
    Text(Bound<'py, PyString>),
    /// The number.
    Bytes(WholeNumber),
}

impl<'py> FromPyObject<'_, 'py> for Memory<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Memory<'py>> {
        match value.cast::<PyString>() {
            Ok(text) => Ok(Memory::Text((*text).clone())),
            Err(_) => value.extract().map(Memory::Bytes),
        }
    }
}

impl Memory<'_> {
    /// Returns the number of bytes.
    pub fn bytes(self) -> PyResult<u64> {
        let allowed = "pass a number of bytes, such as 2_000_000_000, or a string, such as '2G'";
        match self {
            Memory::Text(text) => {
                units::bytes(&text.to_cow()?).map_err(|_| wrong_value("memory", &text, allowed))
            }
            Memory::Bytes(bytes) => Ok(bytes.within("memory", 1..=u64::MAX, allowed)?),
        }
    }
}

/// Creates a request for all shortest solutions, with the limits in the arguments.
pub fn all(max_length: Option<WholeNumber>, timeout: Option<Seconds>) -> PyResult<Request> {
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
    let seconds = |value: Seconds| value.checked("timeout", |&seconds| seconds >= 0.0, allowed);
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

/// Changes a request to at most `count` solutions; with the argument `prefer`, to one of all
/// shortest solutions that is also shortest in that metric.
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
    request
        .validate()
        .map_err(|_| PyValueError::new_err("prefer= returns one solution; remove count="))?;
    Ok(request)
}

/// Adds the goal that these keywords describe to a request. They have the names of the fields of
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
        let value = match name == "goal" && value.is_instance_of::<Cube>() {
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
