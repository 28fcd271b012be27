//! Conversion of arguments.
//!
//! PyO3 converts arguments, and names an argument of the wrong type in a note. The functions here
//! raise `ValueError` for a value that is not allowed, and `TypeError` for a value of another type,
//! such as a text instead of a number. The message states the argument, its value and the allowed
//! values: `threads=-1: pass an integer from 1 to 64, or None`.

use cosette::cube::shortened;
use cosette::search::SolutionCount;
use cosette::{Metric, ThreadCount};
use cosette_app::units;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyString};
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
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
    format!("{name}={}: {allowed}", formatted(value))
}

/// Formats a value as Python writes it. If its `repr` fails, returns the name of its type.
fn formatted(value: &Bound<'_, PyAny>) -> String {
    const MAX_LENGTH: usize = 60;
    let text = value.repr().map(|text| text.to_string());
    let text = text.or_else(|_| value.get_type().name().map(|name| format!("<{name}>")));
    shortened(&text.unwrap_or_default(), MAX_LENGTH)
}

/// A number, or another value as text. PyO3 converts an argument without knowing its name; the
/// error of a value that is not a number, or too large, is therefore created later.
pub struct Number<T> {
    /// `None` if the value is not a number, or too large.
    value: Option<T>,
    /// `true` if the value is not a number.
    pub is_other_type: bool,
    /// The value as Python writes it.
    text: String,
}

/// A whole number.
pub type WholeNumber = Number<u64>;

/// A number of seconds.
pub type SecondsArgument = Number<f64>;

impl FromPyObject<'_, '_> for WholeNumber {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<WholeNumber> {
        // Python counts `True` and `False` as whole numbers.
        let number = match value.is_instance_of::<PyBool>() {
            true => Err(PyTypeError::new_err(())),
            false => value.extract(),
        };
        Number::of(&value, number)
    }
}

impl FromPyObject<'_, '_> for SecondsArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<SecondsArgument> {
        Number::of(&value, value.extract())
    }
}

impl<T: PartialOrd> Number<T> {
    /// Creates a number from a value and the result of its conversion. Returns an exception of the
    /// value itself, such as one that its `__index__` raises.
    fn of(value: &Bound<'_, PyAny>, converted: PyResult<T>) -> PyResult<Number<T>> {
        let py = value.py();
        let (number, is_other_type) = match converted {
            Ok(number) => (Some(number), false),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => (None, true),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => (None, false),
            Err(error) => return Err(error),
        };
        Ok(Number {
            value: number,
            is_other_type,
            text: formatted(value),
        })
    }

    /// Returns the number if it is in this range.
    ///
    /// # Errors
    ///
    /// Returns the exception with the allowed values otherwise.
    pub fn within(self, name: &str, range: RangeInclusive<T>, allowed: &str) -> PyResult<T> {
        self.value
            .filter(|value| range.contains(value))
            .ok_or_else(|| {
                let sentence = format!("{name}={}: {allowed}", self.text);
                match self.is_other_type {
                    true => PyTypeError::new_err(sentence),
                    false => PyValueError::new_err(sentence),
                }
            })
    }
}

/// The seed of a random sequence: a whole number, or a random generator of NumPy or Python, from
/// which a number is drawn.
pub struct SeedArgument(WholeNumber);

impl FromPyObject<'_, '_> for SeedArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, '_, PyAny>) -> PyResult<SeedArgument> {
        if value.hasattr("getrandbits")? {
            let drawn = value.call_method1("getrandbits", (64,))?;
            return drawn.extract().map(SeedArgument);
        }
        if value.hasattr("bit_generator")? {
            let drawn = value.call_method1("bytes", (8,))?.extract::<[u8; 8]>()?;
            let drawn = u64::from_le_bytes(drawn).into_pyobject(value.py())?;
            return drawn.extract().map(SeedArgument);
        }
        value.extract().map(SeedArgument)
    }
}

/// Parses the seed of a random sequence.
pub fn seed(value: Option<SeedArgument>) -> PyResult<Option<u64>> {
    let allowed = "pass an integer from 0 to 2**64 - 1, a random generator, or None";
    let parse = |SeedArgument(value)| value.within("seed", 0..=u64::MAX, allowed);
    value.map(parse).transpose()
}

/// Parses the argument `walk_length`: the length of random walks, or several lengths, which
/// alternate. None is longer than `max`.
pub fn walk_lengths(value: &Bound<'_, PyAny>, max: usize) -> PyResult<Vec<usize>> {
    let name = "walk_length";
    let allowed = format!("pass an integer from 0 to {max}, or several, such as range(1, 15)");
    let length = |name: &str, length: WholeNumber| {
        let length = length.within(name, 0..=max as u64, &allowed)?;
        Ok(length as usize)
    };
    let one = value.extract::<WholeNumber>()?;
    if !one.is_other_type {
        return Ok(vec![length(name, one)?]);
    }
    let is_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    let Some(several) = value.try_iter().ok().filter(|_| !is_text) else {
        return Err(wrong_type(name, value, &allowed));
    };
    let several = several
        .enumerate()
        .map(|(index, number)| length(&format!("{name}[{index}]"), number?.extract()?))
        .collect::<PyResult<Vec<usize>>>()?;
    match several.is_empty() {
        true => Err(wrong_value(name, value, &allowed)),
        false => Ok(several),
    }
}

/// Parses a number of moves that fits in a byte.
pub fn length(name: &str, value: Option<WholeNumber>) -> PyResult<Option<u8>> {
    let allowed = "pass an integer from 0 to 255, or None";
    let parse = |value: WholeNumber| value.within(name, 0..=255, allowed);
    Ok(value.map(parse).transpose()?.map(|length| length as u8))
}

/// Parses a time limit. A time that is too long for a duration, or infinite, means no limit.
pub fn timeout(value: Option<SecondsArgument>) -> PyResult<Option<Duration>> {
    let allowed = "pass a non-negative number of seconds, or None";
    let parse = |value: SecondsArgument| value.within("timeout", 0.0..=f64::INFINITY, allowed);
    let seconds = value.map(parse).transpose()?;
    Ok(seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()))
}

/// Parses a maximum number of solutions.
pub fn count(value: WholeNumber, allowed: &str) -> PyResult<SolutionCount> {
    let count = value.within("count", 1..=usize::MAX as u64, allowed)?;
    let count = NonZeroUsize::new(count as usize).expect("it is 1 or more");
    Ok(SolutionCount::AtMost(count))
}

/// Parses an argument that is a text.
pub fn parsed<T: FromStr>(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyResult<T> {
    let text = value
        .cast::<PyString>()
        .map_err(|_| wrong_type(name, value, allowed))?;
    text.to_cow()?
        .parse()
        .map_err(|_| wrong_value(name, value, allowed))
}

/// The allowed values of an argument that names a metric.
pub const METRICS: &str = "pass 'htm' or 'qtm'";

/// Parses the name of a metric, or None.
pub fn metric(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Metric>> {
    match value.is_none() {
        true => Ok(None),
        false => parsed(name, value, METRICS).map(Some),
    }
}

/// Checks the path of a file or a folder.
pub fn path(name: &str, path: PathBuf) -> PyResult<PathBuf> {
    match path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
        true => {
            let path = path.display();
            Err(PyValueError::new_err(format!(
                "{name}='{path}': pass a path"
            )))
        }
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
#[derive(FromPyObject)]
pub enum MemoryArgument<'py> {
    /// The text.
    Text(Bound<'py, PyString>),
    /// The number.
    Bytes(WholeNumber),
}

impl MemoryArgument<'_> {
    /// Returns the number of bytes.
    pub fn bytes(self) -> PyResult<u64> {
        let allowed = "pass a number of bytes, such as 2_000_000_000, or a string, such as '2G'";
        match self {
            MemoryArgument::Text(text) => {
                units::bytes(&text.to_cow()?).map_err(|_| wrong_value("memory", &text, allowed))
            }
            MemoryArgument::Bytes(bytes) => bytes.within("memory", 1..=u64::MAX, allowed),
        }
    }
}
