//! Arguments of calls from Python: what is allowed, and errors that say so.
//!
//! PyO3's own conversions leave out the name of the argument or its value, and take `True` for 1. So arguments are taken
//! as they are and read here. An error is one sentence: `threads=-1: give a whole number from 1 to 64`. It is a
//! `TypeError` where the type is wrong, and a `ValueError` where only the value is.

use cosette::cube::{Metric, shortened};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// An argument whose default is not `None`. Where it is missing, PyO3 gives `Given::default()`.
#[derive(Default)]
pub struct Given<'py>(pub Option<Bound<'py, PyAny>>);

impl<'py> FromPyObject<'_, 'py> for Given<'py> {
    type Error = Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Given<'py>, Infallible> {
        Ok(Given(Some(value.to_owned())))
    }
}

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
    const LONGEST: usize = 60;
    let written = value.repr().map(|text| text.to_string());
    // A value that cannot be written is named by its type.
    let written = written.or_else(|_| value.get_type().name().map(|name| format!("<{name}>")));
    format!("{name}={}: {allowed}", shortened(&written.unwrap_or_default(), LONGEST))
}

/// A whole number in this range; `True` and `False` are not numbers.
pub fn whole(name: &str, value: &Bound<'_, PyAny>, range: RangeInclusive<u64>, allowed: &str) -> PyResult<u64> {
    if value.is_instance_of::<PyBool>() || !value.hasattr("__index__")? {
        return Err(wrong_type(name, value, allowed));
    }
    let number = value.call_method0("__index__").map_err(|_| wrong_type(name, value, allowed))?;
    let number = number.extract().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| wrong_value(name, value, allowed))
}

/// The seed of a random sequence.
pub fn seed(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let read = |value| whole("seed", value, 0..=u64::MAX, "give a whole number from 0 to 2**64 - 1, or None");
    value.map(read).transpose()
}

/// True or False.
pub fn flag(name: &str, value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.extract().map_err(|_| wrong_type(name, value, "give True or False"))
}

/// A text.
pub fn text(name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyResult<String> {
    let text = value.cast::<PyString>().map_err(|_| wrong_type(name, value, allowed))?;
    Ok(text.to_cow().map_err(|_| wrong_value(name, value, allowed))?.into_owned())
}

/// A metric.
pub fn metric(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Metric> {
    let allowed = "metrics are 'htm' and 'qtm'";
    text(name, value, allowed)?.parse().map_err(|_| wrong_value(name, value, allowed))
}

/// A number of seconds. A time that is too long for a duration, or infinite, is as good as no limit.
pub fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<Duration>> {
    let allowed = "give a number of seconds, 0 or more, or None";
    let seconds: f64 = match value.is_instance_of::<PyBool>() {
        true => return Err(wrong_type(name, value, allowed)),
        // A whole number may be too large for a `float`.
        false if value.hasattr("__index__")? => {
            value.extract().unwrap_or(if value.lt(0)? { -1.0 } else { f64::INFINITY })
        }
        false => value.extract().map_err(|_| wrong_type(name, value, allowed))?,
    };
    match seconds >= 0.0 {
        true => Ok(Duration::try_from_secs_f64(seconds).ok()),
        false => Err(wrong_value(name, value, allowed)),
    }
}

/// The path of a file or a folder.
pub fn path(name: &str, value: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let allowed = "give a path, or None";
    let path: PathBuf = value.extract().map_err(|_| wrong_type(name, value, allowed))?;
    match path.as_os_str().is_empty() || path.as_os_str().as_encoded_bytes().contains(&0) {
        true => Err(wrong_value(name, value, allowed)),
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
