//! Positions as arrays of small numbers.
//!
//! They are returned as `memoryview`s of bytes, which NumPy, `array` and plain indexing accept without any package. Any
//! iterable is accepted as input.

use crate::arguments;
use crate::errors;
use cosette::cube::{Corner, Cube, Edge};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// A read-only array of bytes.
pub type Array<'py> = PyResult<Bound<'py, PyMemoryView>>;

fn array<'py>(py: Python<'py>, values: &[u8]) -> Array<'py> {
    PyMemoryView::from(PyBytes::new(py, values).as_any())
}

/// The corner in each slot.
pub fn corners<'py>(py: Python<'py>, cube: &Cube) -> Array<'py> {
    array(py, &Corner::ALL.map(|slot| cube.corner(slot).0.index() as u8))
}

/// The twist of the corner in each slot.
pub fn twists<'py>(py: Python<'py>, cube: &Cube) -> Array<'py> {
    array(py, &Corner::ALL.map(|slot| cube.corner(slot).1))
}

/// The edge in each slot.
pub fn edges<'py>(py: Python<'py>, cube: &Cube) -> Array<'py> {
    array(py, &Edge::ALL.map(|slot| cube.edge(slot).0.index() as u8))
}

/// The flip of the edge in each slot.
pub fn flips<'py>(py: Python<'py>, cube: &Cube) -> Array<'py> {
    array(py, &Edge::ALL.map(|slot| cube.edge(slot).1))
}

/// The position with these arrays: corners and twists, edges and flips. Fails if an array has the wrong length, or if
/// the arrays are not a possible position.
pub fn from_arrays([corners, twists, edges, flips]: [&Bound<'_, PyAny>; 4]) -> PyResult<Cube> {
    let py = corners.py();
    let (corners, twists) = (numbers::<8>("corners", corners)?, numbers::<8>("twists", twists)?);
    let (edges, flips) = (numbers::<12>("edges", edges)?, numbers::<12>("flips", flips)?);
    let corners = std::array::from_fn(|slot| (corners[slot], twists[slot]));
    let edges = std::array::from_fn(|slot| (edges[slot], flips[slot]));
    Cube::from_cubies(&corners, &edges).map_err(|error| errors::impossible(py, error))
}

/// Reads exactly `N` numbers. A number that does not fit in a byte becomes 255, which is not a piece.
fn numbers<const N: usize>(name: &str, values: &Bound<'_, PyAny>) -> PyResult<[u8; N]> {
    let allowed = format!("give {N} numbers");
    let byte = |(slot, number): (usize, PyResult<Bound<'_, PyAny>>)| {
        let number = number?;
        match arguments::whole(&format!("{name}[{slot}]"), &number, 0..=254, "give a whole number") {
            Err(error) if !error.is_instance_of::<PyValueError>(number.py()) => Err(error),
            number => Ok(number.map_or(u8::MAX, |number| number as u8)),
        }
    };
    let numbers = values.try_iter().map_err(|_| arguments::wrong_type(name, values, &allowed))?;
    let bytes = numbers.take(N + 1).enumerate().map(byte).collect::<PyResult<Vec<u8>>>()?;
    bytes.try_into().map_err(|_| arguments::wrong_value(name, values, &allowed))
}
