//! Answers, failures and events as JSON. Fields are added, never renamed.
//!
//! All are plain values with owned text, so they are read back as they were written: from a journal, from the page's
//! server.

mod answer;
mod event;

pub use answer::{Solve, Threshold};
pub use event::Event;

use cosette::cube::ReadError;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};

/// A text that has no answer, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NotSolved {
    /// The text.
    pub input: String,
    /// Its line, counted from one, in a list of positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong with it.
    pub error: String,
    /// What mends it.
    pub help: Option<String>,
    /// The bytes of the text that the error is about: the first, and the one after the last.
    pub span: Option<[usize; 2]>,
}

impl NotSolved {
    /// Why a text shows no position.
    pub fn unreadable(input: &str, line: Option<usize>, error: &ReadError) -> NotSolved {
        let span = error.span();
        NotSolved {
            input: input.to_owned(),
            line,
            error: error.message(),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
        }
    }
}

/// Writes an object on a line of its own.
///
/// # Errors
/// If it cannot be written.
pub fn write_line(out: &mut impl Write, object: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_string(object).map_err(io::Error::from)?;
    line.push('\n');
    out.write_all(line.as_bytes())?;
    out.flush()
}
