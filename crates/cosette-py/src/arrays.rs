//! Positions as arrays of small numbers.
//!
//! They are handed out as `memoryview`s of bytes: NumPy, `array` and plain indexing take them as they are, and no package is
//! needed for it. They are taken from anything that can be iterated.

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

/// The position with these arrays: corners and twists, edges and flips.
///
/// # Errors
/// If there are too many or too few, or if they show no position.
pub fn from_arrays([corners, twists, edges, flips]: [&Bound<'_, PyAny>; 4]) -> PyResult<Cube> {
    let pairs = |cubies: u8, orientation: u8| (cubies, orientation);
    let (corners, twists) = (numbers::<8>("corners", corners)?, numbers::<8>("twists", twists)?);
    let (edges_in, flips_in) = (numbers::<12>("edges", edges)?, numbers::<12>("flips", flips)?);
    let corners: [_; 8] = std::array::from_fn(|slot| pairs(corners[slot], twists[slot]));
    let cubies: [_; 12] = std::array::from_fn(|slot| pairs(edges_in[slot], flips_in[slot]));
    Cube::from_cubies(&corners, &cubies).map_err(|error| errors::impossible(edges.py(), &error))
}

/// So many numbers. Those that no byte holds become 255, which no piece has.
fn numbers<const N: usize>(what: &str, given: &Bound<'_, PyAny>) -> PyResult<[u8; N]> {
    let byte = |number: PyResult<Bound<'_, PyAny>>| number?.extract().map(|n: i64| u8::try_from(n).unwrap_or(u8::MAX));
    let bytes = given.try_iter()?.take(N + 1).map(byte).collect::<PyResult<Vec<u8>>>()?;
    bytes.try_into().map_err(|_| PyValueError::new_err(format!("{what}: give {N} numbers")))
}
