//! The 48 symmetries.

use crate::arguments::WholeNumber;
use cosette::cube::{self, Face};
use pyo3::prelude::*;

/// One of the 48 symmetries of the cube, including reflections. ``Symmetry(0)`` is the identity.
///
///     >>> from cosette import Cube, Symmetry
///     >>> len(Symmetry.all()), sum(s.is_mirror for s in Symmetry.all())
///     (48, 24)
///     >>> s = Symmetry(5)
///     >>> s * ~s == Symmetry(0)
///     True
///
/// The product ``s * t`` is s followed by t, and ``~s`` is the inverse.
#[pyclass(
    name = "Symmetry",
    module = "cosette",
    frozen,
    eq,
    hash,
    skip_from_py_object
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PySymmetry(pub cube::Symmetry);

#[pymethods]
impl PySymmetry {
    #[new]
    fn new(index: WholeNumber) -> PyResult<PySymmetry> {
        let last = cube::Symmetry::COUNT - 1;
        let number = index.within(
            "index",
            0..=last as u64,
            &format!("pass an integer from 0 to {last}"),
        );
        Ok(PySymmetry(cube::Symmetry::from_index(number? as usize)))
    }

    /// Returns the 48 symmetries, by number.
    #[classmethod]
    fn all(_class: &Bound<'_, pyo3::types::PyType>) -> Vec<PySymmetry> {
        cube::Symmetry::all().map(PySymmetry).collect()
    }

    /// The number of the symmetry, 0 to 47.
    #[getter]
    fn index(&self) -> usize {
        self.0.index()
    }

    /// True if the symmetry includes a reflection, which reverses the direction of turns.
    #[getter]
    fn is_mirror(&self) -> bool {
        self.0.is_mirror()
    }

    /// The faces to which the symmetry maps U R F D L B, as six letters.
    #[getter]
    fn faces(&self) -> String {
        Face::ALL
            .map(|face| self.0.face(face).letter())
            .iter()
            .collect()
    }

    fn __mul__(&self, next: &PySymmetry) -> PySymmetry {
        PySymmetry(self.0.then(next.0))
    }

    fn __invert__(&self) -> PySymmetry {
        PySymmetry(self.0.inverse())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, pyo3::types::PyType>, (usize,)) {
        (slf.get_type(), (slf.get().0.index(),))
    }

    fn __repr__(&self) -> String {
        format!("Symmetry({})", self.0.index())
    }
}
