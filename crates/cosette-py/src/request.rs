//! What arguments may be, and what they ask for.
//!
//! PyO3 converts arguments, and says which one has a wrong type, in a note. A value that is not allowed is a `ValueError`, and what is no
//! number a `TypeError`, of one sentence, with the argument, its value and what is allowed: `threads=-1: give a whole number from 1 to 64`.

use crate::cube::Cube;
use cosette::cube::shortened;
use cosette::search::SolutionCount;
use cosette::{Metric, ThreadCount};
use cosette_app::remedies::Audience;
use cosette_app::request::Request;
use cosette_app::words;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The error that this argument has the wrong type.
pub fn wrong_type(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    PyTypeError::new_err(sentence(name, value, allowed))
}

/// The error that this argument has a value that is not allowed.
pub fn wrong_value(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyErr {
    PyValueError::new_err(sentence(name, value, allowed))
}

/// The argument and its value, then what is allowed.
pub fn sentence(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> String {
    format!("{name}={}: {allowed}", written(value))
}

/// A value as Python writes it; one that cannot be written is named by its type.
fn written(value: &Bound<'_, PyAny>) -> String {
    const LONGEST: usize = 60;
    let written = value.repr().map(|text| text.to_string());
    let written = written.or_else(|_| value.get_type().name().map(|name| format!("<{name}>")));
    shortened(&written.unwrap_or_default(), LONGEST)
}

/// Why an argument is refused.
pub struct Refused {
    /// Whether it has the wrong type.
    pub is_type: bool,
    /// The sentence that says so.
    pub sentence: String,
}

impl From<Refused> for PyErr {
    fn from(Refused { is_type, sentence }: Refused) -> PyErr {
        if is_type { PyTypeError::new_err(sentence) } else { PyValueError::new_err(sentence) }
    }
}

/// A number; one that is too large for its type, or no such number, only as it is written, so that the error names the argument.
pub struct Number<T>(Result<T, Refused>);

/// A whole number.
pub type Whole = Number<u64>;

/// A number of seconds.
pub type Seconds = Number<f64>;

impl FromPyObject<'_, '_> for Whole {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<Whole> {
        match value.is_instance_of::<PyBool>() {
            true => Ok(Number(Err(Refused { is_type: true, sentence: written(&value) }))),
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
    /// A value, and the number that it was read as.
    fn of(value: &Bound<'_, PyAny>, read: PyResult<T>) -> PyResult<Number<T>> {
        let py = value.py();
        Ok(Number(match read {
            Ok(number) => Ok(number),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyTypeError>(py) => {
                Err(Refused { is_type: error.is_instance_of::<PyTypeError>(py), sentence: written(value) })
            }
            Err(error) => return Err(error),
        }))
    }

    /// The number, if it is one that `is_allowed`; else the sentence that the argument is not.
    fn checked(self, name: &str, is_allowed: impl Fn(&T) -> bool, allowed: &str) -> Result<T, Refused> {
        let refused = match self.0 {
            Ok(number) if is_allowed(&number) => return Ok(number),
            // As Python writes it: `nan`.
            Ok(number) => Refused { is_type: false, sentence: number.to_string().to_lowercase() },
            Err(refused) => refused,
        };
        Err(Refused { sentence: format!("{name}={}: {allowed}", refused.sentence), ..refused })
    }
}

impl Whole {
    /// One, where it is the default.
    pub const ONE: Whole = Number(Ok(1));

    /// The number, if it is in this range; else the sentence that the argument is not.
    pub fn within(self, name: &str, range: RangeInclusive<u64>, allowed: &str) -> Result<u64, Refused> {
        self.checked(name, |number| range.contains(number), allowed)
    }
}

/// The seed of a random sequence.
pub fn seed(value: Option<Whole>) -> PyResult<Option<u64>> {
    let read = |value: Whole| value.within("seed", 0..=u64::MAX, "give a whole number from 0 to 2**64 - 1, or None");
    Ok(value.map(read).transpose()?)
}

/// A metric.
pub fn metric(name: &str, value: &Bound<'_, PyString>) -> PyResult<Metric> {
    value.to_cow()?.parse().map_err(|_| wrong_value(name, value, "metrics are 'htm' and 'qtm'"))
}

/// The path of a file or a folder.
pub fn path(name: &str, path: PathBuf) -> PyResult<PathBuf> {
    match path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
        true => Err(PyValueError::new_err(format!("{name}='{}': give a path", path.display()))),
        false => Ok(path),
    }
}

/// A function to be called, refused before any work begins.
pub fn callable<'a, 'py>(name: &str, value: Option<&'a Bound<'py, PyAny>>) -> PyResult<Option<&'a Bound<'py, PyAny>>> {
    match value {
        Some(value) if !value.is_callable() => Err(wrong_type(name, value, "give a function, or None")),
        value => Ok(value),
    }
}

/// A number of threads that this machine can use; by default as many as it runs at once.
pub fn threads(argument: Option<Whole>) -> PyResult<ThreadCount> {
    let Some(argument) = argument else { return Ok(ThreadCount::available()) };
    let limit = ThreadCount::limit();
    let allowed = format!("give a whole number from 1 to {limit}, or None");
    let count = argument.within("threads", 1..=limit.get() as u64, &allowed)?;
    Ok(limit.at_most(count as usize))
}

/// An amount of memory: a number of bytes, or a text as in `2G`.
pub enum Memory<'py> {
    /// The text.
    Text(Bound<'py, PyString>),
    /// The number.
    Bytes(Whole),
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
    /// The number of bytes.
    pub fn bytes(self) -> PyResult<u64> {
        let allowed = "give a number of bytes, as in 2_000_000_000, or a text, as in '2G'";
        match self {
            Memory::Text(text) => words::bytes(&text.to_cow()?).map_err(|_| wrong_value("memory", &text, allowed)),
            Memory::Bytes(bytes) => Ok(bytes.within("memory", 1..=u64::MAX, allowed)?),
        }
    }
}

/// A request for all shortest solutions, with the limits that the arguments say.
pub fn all(max_length: Option<Whole>, timeout: Option<Seconds>) -> PyResult<Request> {
    let length = |value: Whole| value.within("max_length", 0..=255, "give a whole number from 0 to 255, or None");
    let max_length = max_length.map(length).transpose()?.map(|length| length as u8);
    let allowed = "give a number of seconds, 0 or more, or None";
    let seconds = |value: Seconds| value.checked("timeout", |&seconds| seconds >= 0.0, allowed);
    // A time that is too long for a duration, or infinite, is as good as no limit.
    let timeout = timeout.map(seconds).transpose()?.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    Ok(Request { count: SolutionCount::All, max_length, timeout, ..Request::default() })
}

/// The same request for at most so many solutions; or for one of all the shortest solutions, one that is shortest in the metric
/// that the argument `prefer` names, if it names one.
pub fn at_most(request: Request, count: Whole, prefer: Option<&Bound<'_, PyString>>) -> PyResult<Request> {
    let count = count.within("count", 1..=usize::MAX as u64, "give a whole number, 1 to 2**64 - 1");
    let count = NonZeroUsize::new(count? as usize).expect("it is 1 or more");
    let prefer = prefer.map(|prefer| metric("prefer", prefer)).transpose()?;
    let request = Request { count: SolutionCount::AtMost(count), prefer, ..request };
    request.check().map_err(|_| PyValueError::new_err("prefer= gives one solution; leave count out"))?;
    Ok(request)
}

/// The same request for the goal that these keywords describe, which have the names of the fields of [`Request`].
pub fn with_goal(mut request: Request, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Request> {
    for (name, value) in keywords.into_iter().flatten() {
        let name = name.extract::<String>()?;
        let field = match &name[..] {
            "to" => &mut request.to,
            "moves" => &mut request.moves,
            "cost" => &mut request.cost,
            "starts" => &mut request.starts,
            "ends" => &mut request.ends,
            "avoid" => &mut request.avoid,
            "up_to" => &mut request.up_to,
            "slack" => {
                let slack =
                    value.extract::<Whole>()?.within("slack", 0..=u32::MAX.into(), "give a whole number, 0 or more");
                request.slack = slack? as u32;
                continue;
            }
            "metric" => {
                let allowed = "metrics are 'htm', 'qtm', 'stm', 'qstm' and 'etm'";
                let text = value.cast::<PyString>().map_err(|_| wrong_type("metric", &value, allowed))?;
                request.metric = text.to_cow()?.parse().map_err(|_| wrong_value("metric", &value, allowed))?;
                continue;
            }
            _ => return Err(PyTypeError::new_err(format!("unexpected keyword argument '{name}'"))),
        };
        let value = match name == "to" && value.is_instance_of::<Cube>() {
            true => value.call_method0("facelets")?,
            false => value,
        };
        let allowed = if name == "to" { "give a text or a Cube, or None" } else { "give a text, or None" };
        *field = value.extract().map_err(|_| wrong_type(&name, &value, allowed))?;
    }
    request.check().map_err(|refused| PyValueError::new_err(refused.worded(Audience::Python)))?;
    Ok(request)
}
