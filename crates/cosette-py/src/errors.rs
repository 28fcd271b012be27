//! Errors of the library as Python exceptions, which `python/cosette/_errors.py` defines.

use cosette::cube::{CubeError, Fault, ReadError};
use cosette::table::choice::OpenError;
use cosette::table::{TableError, UnknownTable};
use cosette_app::answer::Mismatch;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

/// An exception of this class, or the error that prevented making it.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let exception = py.import("cosette._errors").and_then(|module| module.getattr(class)?.call1(arguments));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// A text is not a position. The span counts characters, as Python does.
pub fn not_a_cube(py: Python<'_>, text: &str, error: &ReadError) -> PyErr {
    let span = error.span();
    let characters = |end: usize| text[..end].chars().count();
    let span = (characters(span.start), characters(span.end));
    exception(py, "NotACubeError", (error.message(), error.help(), text, span))
}

/// The pieces do not form a possible position.
pub fn impossible(py: Python<'_>, error: CubeError) -> PyErr {
    let fault = Fault::from(error);
    exception(py, "NotACubeError", (fault.message(), fault.help()))
}

/// There is no table of this name.
pub fn unknown_table(py: Python<'_>, error: &UnknownTable) -> PyErr {
    exception(py, "UnknownTableError", (error.to_string(), "give one of these, or `auto`"))
}

/// There is no table to solve with.
pub fn no_table(py: Python<'_>, error: &OpenError) -> PyErr {
    use TableError as T;
    let class = match error {
        OpenError::MemoryNotAllowed { .. } | OpenError::Table(T::TooLittleMemory { .. }) => "OutOfMemoryError",
        OpenError::Table(
            T::NotATable { .. }
            | T::OtherVersion { .. }
            | T::OtherByteOrder { .. }
            | T::OtherTable { .. }
            | T::OtherNumbering { .. }
            | T::DamagedHeader { .. }
            | T::WrongLength { .. }
            | T::DamagedBlock { .. }
            | T::WrongCounts { .. },
        ) => "DamagedTableError",
        // Only a signal cancels this work.
        OpenError::Table(stopped) if stopped.is_cancellation() => return PyKeyboardInterrupt::new_err(()),
        _ => "TableError",
    };
    exception(py, class, (in_python(&error.to_string()), error.remedy().map(|remedy| remedy.to_string())))
}

/// The search returned a wrong solution.
pub fn mismatch(py: Python<'_>, error: &Mismatch) -> PyErr {
    internal(py, &error.to_string())
}

/// A bug in Cosette.
pub fn internal(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "InternalError", (message, "please report this"))
}

/// A sentence that names options of the command, with the arguments that Python has in their place.
pub fn in_python(sentence: &str) -> String {
    ["tables", "table", "memory", "threads"]
        .iter()
        .fold(sentence.to_owned(), |sentence, option| sentence.replace(&format!("--{option}"), &format!("{option}=")))
}
