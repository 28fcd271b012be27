//! Errors of the library as Python exceptions, which are defined in `python/cosette/_errors.py`.

use crate::arguments;
use cosette::cube::{CubeError, ParseError};
use cosette::table::UnknownTable;
use cosette::{OpenError, Remedy};
use cosette_app::batch::BatchError;
use cosette_app::journal_error::{JournalError, JournalErrorKind, list_length};
use cosette_app::remedies::{Audience, split_help, worded};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use std::io::ErrorKind;

/// Creates an exception of this class, or returns the error that prevented it.
fn exception<'py>(py: Python<'py>, class: &str, arguments: impl PyCallArgs<'py>) -> PyErr {
    let module = py.import("cosette._errors");
    let exception = module.and_then(|module| module.getattr(class)?.call1(arguments));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// Returns the exception for a text that is not a position. The span counts characters, as in
/// Python.
pub fn invalid_cube(py: Python<'_>, text: &str, error: &ParseError) -> PyErr {
    let span = error.span();
    let characters = |end: usize| text[..end].chars().count();
    let span = (characters(span.start), characters(span.end));
    let help = error.help().replace(
        "`--input-format facelets` or `--input-format moves` (`format` in programs)",
        "`Cube(text, format='facelets')` or `Cube(text, format='moves')`",
    );
    exception(py, "InvalidCubeError", (error.message(), help, text, span))
}

/// Returns the exception for an array of facelets that is not a position.
pub fn invalid_facelets(py: Python<'_>, error: &impl ToString) -> PyErr {
    let (message, mut help) = split_help(&error.to_string());
    if help.contains("another layout") {
        help += "; to_cubes reads it with layout=";
    }
    exception(py, "InvalidCubeError", (message, help))
}

/// Returns the exception for a row of an array that is not a position.
pub fn invalid_row(py: Python<'_>, row: usize, message: &str, help: &str) -> PyErr {
    let error = exception(
        py,
        "InvalidCubeError",
        (format!("row {row}: {message}"), help),
    );
    let index = error.value(py).setattr("index", row);
    index.map_or_else(|other| other, |()| error)
}

/// Converts the exception of one of many positions to an ``InvalidCubeError``, even if the position
/// is not a text.
pub fn as_invalid_cube(py: Python<'_>, error: PyErr) -> Py<PyAny> {
    // The exception for a text is already an `InvalidCubeError`, which has a span.
    if error.value(py).hasattr("span").unwrap_or_default() {
        return error.into_value(py).into_any();
    }
    let message = error.value(py).to_string();
    // The message is the argument with its value, and then the allowed values.
    let (argument, help) = message.rsplit_once(": ").unwrap_or((&message, ""));
    let converted = exception(
        py,
        "InvalidCubeError",
        (format!("{argument} is not a position"), help),
    );
    // Copies the index from the original exception.
    let index = error
        .value(py)
        .getattr("index")
        .and_then(|index| converted.value(py).setattr("index", index));
    index
        .map_or_else(|error| error, |()| converted)
        .into_value(py)
        .into_any()
}

/// Returns the exception for pieces that do not form a possible position.
pub fn impossible(py: Python<'_>, error: CubeError) -> PyErr {
    let error = ParseError::new("", error);
    exception(py, "InvalidCubeError", (error.message(), error.help()))
}

/// Returns the exception for an argument `table` that is not the name of a table.
pub fn unknown_table(table: &Bound<'_, PyAny>, error: &UnknownTable) -> PyErr {
    let message = arguments::sentence("table", table, &error.to_string());
    exception(
        table.py(),
        "UnknownTableError",
        (message, "pass one of these, or 'auto'"),
    )
}

/// Returns the exception for an error of a batch: a journal that cannot be used, threads that
/// cannot be started, or a wrong result.
pub fn batch(py: Python<'_>, error: &BatchError) -> PyErr {
    let refused = match error {
        BatchError::Journal(refused) => refused,
        BatchError::Threads(_) => return PyRuntimeError::new_err(error.to_string()),
        error => return internal(py, error),
    };
    let offset_help;
    let help = match &refused.kind {
        _ if refused.is_full_disk() => "free disk space, then repeat the same call to resume",
        JournalErrorKind::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => "create its folder first, or pass another file as journal=",
            ErrorKind::PermissionDenied => "pass a writable file as journal=",
            _ => return journal(py, refused, None),
        },
        JournalErrorKind::Locked => {
            "wait until the other process or call has ended, or close the iterator that writes it"
        }
        JournalErrorKind::IsOutput
        | JournalErrorKind::NotAJournal
        | JournalErrorKind::OtherKind { .. } => {
            "pass a new file as journal=, or one created by solve_many or `cosette batch --journal`"
        }
        JournalErrorKind::Version { .. } => {
            "resume with the version that created it, or pass another file as journal="
        }
        JournalErrorKind::Mismatch { setting, found, .. }
            if ["explain", "optimal-moves"].contains(&&setting[..]) || found == "all" =>
        {
            "resume it with the call or the `cosette batch` that started it, or pass another \
                file as journal="
        }
        JournalErrorKind::Mismatch { .. } | JournalErrorKind::OtherText { .. } => {
            "pass the same positions and arguments as before, or another file as journal="
        }
        JournalErrorKind::Damaged { line: 1, .. } => "delete the file and start again",
        JournalErrorKind::Damaged { offset, .. } => {
            offset_help = format!(
                "truncate it to {offset} bytes with os.truncate: the rest is then computed again"
            );
            &offset_help
        }
        JournalErrorKind::Invalid { .. } => "please report this; delete the file and start again",
    };
    journal(py, refused, Some(help.to_owned()))
}

/// Returns the exception for a journal that cannot be used.
pub fn journal(py: Python<'_>, refused: &JournalError, help: Option<String>) -> PyErr {
    let path = refused.path.display();
    let message = match &refused.kind {
        JournalErrorKind::OtherText { .. } => {
            format!("the journal {path} was started with other positions")
        }
        JournalErrorKind::Mismatch { setting, .. } if setting == "positions" => {
            format!("the journal {path} was started with other positions")
        }
        JournalErrorKind::Mismatch {
            setting,
            found,
            expected,
        } => format!(
            "the journal {path} was started with {}, not {}",
            argument(setting, found),
            argument(setting, expected)
        ),
        _ => refused.to_string(),
    };
    exception(py, "JournalError", (message, help))
}

/// Formats a setting of a journal as an argument, such as `count=3`. The journal has the names of
/// the command's options.
fn argument(setting: &str, value: &str) -> String {
    match (setting, value) {
        ("list", count) => list_length(count),
        ("optimal-moves", "true") => "optimal_moves".into(),
        ("optimal-moves", _) => "distances or solve_many".into(),
        ("solutions", "all") => "all solutions".into(),
        ("solutions", count) => format!("count={count}"),
        ("max-length", "none") => "max_length=None".into(),
        ("max-length", length) => format!("max_length={length}"),
        ("metric", metric) => format!("the metric {metric}"),
        (setting, "not set") => format!("{}=None", setting.replace('-', "_")),
        (setting, number) if number.parse::<u64>().is_ok() => {
            format!("{}={number}", setting.replace('-', "_"))
        }
        (setting, value) => format!("{}='{value}'", setting.replace('-', "_")),
    }
}

/// Returns the exception for a table that cannot be opened.
pub fn open_error(py: Python<'_>, error: &OpenError) -> PyErr {
    if error.is_cancellation() {
        // Only a signal cancels this work here: cancel tokens have an exception of their own.
        return PyKeyboardInterrupt::new_err(());
    }
    let remedy = error.remedy();
    let class = match &remedy {
        Some(
            Remedy::AllowMoreMemory
            | Remedy::AllowEnoughMemory
            | Remedy::ChooseSmallerTable
            | Remedy::FreeMemory,
        ) => "OutOfMemoryError",
        Some(Remedy::GenerateAgain(_) | Remedy::MoveAwayAndGenerate(_)) => "CorruptedTableError",
        _ => "TableError",
    };
    exception(
        py,
        class,
        (
            error.to_string(),
            remedy.map(|remedy| worded(&remedy, Audience::Python)),
        ),
    )
}

/// Returns the exception for a call that its argument `cancel` stopped.
pub fn cancelled(py: Python<'_>) -> PyErr {
    exception(py, "CancelledError", ("the call was cancelled",))
}

/// Returns the exception for a bug in Cosette, such as a wrong solution.
pub fn internal(py: Python<'_>, error: impl ToString) -> PyErr {
    exception(
        py,
        "InternalError",
        (error.to_string(), "please report this"),
    )
}
