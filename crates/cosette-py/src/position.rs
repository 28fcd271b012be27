//! A position as Python gives it: text in any format, or a `Cube`.

use crate::cube::Cube;
use crate::errors;
use cosette::cube::{Format, Input, ReadOptions, read_position};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// A text and the position it shows.
pub struct Position {
    /// The text; the facelets of a `Cube`.
    pub text: String,
    /// The position.
    pub input: Input,
}

impl Position {
    /// Reads a position in the format named, or in the one that the text seems to be in.
    ///
    /// # Errors
    /// If it is neither text nor a `Cube`, or if the text shows no position.
    pub fn read(given: &Bound<'_, PyAny>, format: Option<Format>, options: ReadOptions) -> PyResult<Position> {
        if let Ok(cube) = given.cast::<Cube>() {
            let cube = cube.get().0;
            let input = Input { cube, format: Format::Facelets, sequence: None };
            return Ok(Position { text: cube.facelets(), input });
        }
        let text: String = given.extract().map_err(|_| {
            let kind = given.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("a position is a text or a Cube, not {kind}"))
        })?;
        match read_position(&text, format, &options) {
            Ok(input) => Ok(Position { text, input }),
            Err(error) => Err(errors::not_a_cube(given.py(), &text, &error)),
        }
    }
}
