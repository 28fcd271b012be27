//! Positions.

use crate::arrays::{self, Array};
use crate::errors;
use crate::position::Position;
use crate::symmetry::Symmetry;
use cosette::cube::{self, Format, ReadOptions, parse_moves};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A position of the cube. It never changes; every operation makes a new one.
///
/// The text is recognised by itself: moves, 54 facelets, Reid's twenty pieces, Speffz cycles. Without a text it is the
/// solved cube.
///
///     >>> from cosette import Cube
///     >>> Cube("R U2 F'") == Cube("R") * Cube("U2") * Cube("F'")
///     True
///     >>> (Cube("R U") * ~Cube("R U")).is_solved
///     True
///     >>> Cube("R U F").parity
///     1
///     >>> len(set(Cube("R").conjugates()))
///     12
///
/// Products are read left to right: ``p * m`` is p, then m. Positions are equal where all pieces are, and can be keys of
/// a dictionary.
///
/// ``corners``, ``twists``, ``edges`` and ``flips`` are arrays of bytes, one for each slot in the order of
/// ``cosette.CORNERS`` and ``cosette.EDGES``: the piece there, and how it is turned. ``numpy.asarray`` takes them.
///
///     >>> Cube("R").corners.tolist(), Cube("R").twists.tolist()
///     ([4, 1, 2, 0, 7, 5, 6, 3], [2, 0, 0, 1, 1, 0, 0, 2])
#[pyclass(module = "cosette", frozen, eq, hash, skip_from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube(pub cube::Cube);

#[pymethods]
impl Cube {
    #[new]
    #[pyo3(signature = (position=None, *, format=None, niss=false))]
    fn new(position: Option<&Bound<'_, PyAny>>, format: Option<&str>, niss: bool) -> PyResult<Cube> {
        let format: Option<Format> = format
            .map(str::parse)
            .transpose()
            .map_err(|error: cube::UnknownFormat| PyValueError::new_err(error.to_string()))?;
        position.map_or(Ok(Cube(cube::Cube::SOLVED)), |text| read(text, format, niss))
    }

    /// The position that moves make of the solved cube. An empty text is no move at all.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.from_moves("(R U R' U')6").is_solved
    ///     True
    #[classmethod]
    #[pyo3(signature = (moves, *, niss=false))]
    fn from_moves(_class: &Bound<'_, PyType>, py: Python<'_>, moves: &str, niss: bool) -> PyResult<Cube> {
        let sequence = parse_moves(moves, &ReadOptions { niss });
        sequence.map(|sequence| Cube(sequence.position())).map_err(|error| errors::not_a_cube(py, moves, &error))
    }

    /// The position that shows these 54 facelets, in any six colours: the faces U R F D L B, each row by row.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.from_facelets("UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB").is_solved
    ///     True
    #[classmethod]
    fn from_facelets(_class: &Bound<'_, PyType>, facelets: &Bound<'_, PyAny>) -> PyResult<Cube> {
        read(facelets, Some(Format::Facelets), false)
    }

    /// The position with Reid's twenty pieces: UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR.
    #[classmethod]
    fn from_reid(_class: &Bound<'_, PyType>, pieces: &Bound<'_, PyAny>) -> PyResult<Cube> {
        read(pieces, Some(Format::Reid), false)
    }

    /// The position with these Speffz cycles, as in ``corners: (A B C D) edges: (A B C D)``.
    #[classmethod]
    fn from_speffz(_class: &Bound<'_, PyType>, cycles: &Bound<'_, PyAny>) -> PyResult<Cube> {
        read(cycles, Some(Format::Speffz), false)
    }

    /// The position with these pieces in its slots; the inverse of reading the four arrays.
    ///
    ///     >>> from cosette import Cube
    ///     >>> p = Cube("R U2 F'")
    ///     >>> Cube.from_arrays(p.corners, p.twists, p.edges, p.flips) == p
    ///     True
    #[classmethod]
    fn from_arrays(
        _class: &Bound<'_, PyType>,
        corners: &Bound<'_, PyAny>,
        twists: &Bound<'_, PyAny>,
        edges: &Bound<'_, PyAny>,
        flips: &Bound<'_, PyAny>,
    ) -> PyResult<Cube> {
        arrays::from_arrays([corners, twists, edges, flips]).map(Cube)
    }

    /// A position drawn with equal chance from all 43,252,003,274,489,856,000; the same one for the same seed.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.random(seed=1) == Cube.random(seed=1)
    ///     True
    #[classmethod]
    #[pyo3(signature = (seed=None))]
    fn random(_class: &Bound<'_, PyType>, seed: Option<u64>) -> Cube {
        random_positions(seed).draw()
    }

    /// The corner in each slot.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> Array<'py> {
        arrays::corners(py, &self.0)
    }

    /// The twist of the corner in each slot: its facelet of U or D lies so many facelets clockwise from the slot's.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> Array<'py> {
        arrays::twists(py, &self.0)
    }

    /// The edge in each slot.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Array<'py> {
        arrays::edges(py, &self.0)
    }

    /// The flip of the edge in each slot; quarter turns of F and B flip the four edges they move.
    #[getter]
    fn flips<'py>(&self, py: Python<'py>) -> Array<'py> {
        arrays::flips(py, &self.0)
    }

    /// Whether this is the solved cube.
    #[getter]
    fn is_solved(&self) -> bool {
        self.0.is_solved()
    }

    /// 1 where an odd number of quarter turns leads here, else 0.
    #[getter]
    fn parity(&self) -> u8 {
        u8::from(self.0.is_odd())
    }

    /// The 54 facelets in the letters of the faces, in the order U R F D L B, each face row by row.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("U").facelets()
    ///     'UUUUUUUUUBBBRRRRRRRRRFFFFFFDDDDDDDDDFFFLLLLLLLLLBBBBBB'
    fn facelets(&self) -> String {
        self.0.facelets()
    }

    /// Reid's twenty pieces.
    fn reid(&self) -> String {
        self.0.reid()
    }

    /// The Speffz cycles.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("U").speffz()
    ///     'corners: (A B C D) edges: (A B C D)'
    fn speffz(&self) -> String {
        self.0.speffz()
    }

    /// The position after moves are done on this one. Where the moves turn the whole cube, it is seen as held at the end.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R").apply("U2 F'") == Cube("R U2 F'")
    ///     True
    fn apply(&self, py: Python<'_>, moves: &str) -> PyResult<Cube> {
        let sequence = parse_moves(moves, &ReadOptions::default());
        let sequence = sequence.map_err(|error| errors::not_a_cube(py, moves, &error))?;
        Ok(Cube(self.0.conjugate(sequence.rotation()).after(sequence.moves())))
    }

    /// The inverse, also written ``~p``: done after the position, it solves it.
    fn inverse(&self) -> Cube {
        Cube(self.0.inverse())
    }

    /// The position as it is seen in a symmetry: s⁻¹·p·s.
    fn conjugate(&self, symmetry: &Symmetry) -> Cube {
        Cube(self.0.conjugate(symmetry.0))
    }

    /// All 48 conjugates, by the number of the symmetry.
    fn conjugates(&self) -> Vec<Cube> {
        cube::Symmetry::all().map(|s| Cube(self.0.conjugate(s))).collect()
    }

    /// The symmetries that fix the position, its stabilizer.
    ///
    ///     >>> from cosette import Cube
    ///     >>> len(Cube("U2 D2 R2 L2 F2 B2").symmetries())
    ///     48
    fn symmetries(&self) -> Vec<Symmetry> {
        self.0.stabilizer().into_iter().map(Symmetry).collect()
    }

    /// One of the 48 conjugates, the same for all of them.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R U").representative() == Cube("F' L'").representative()
    ///     True
    fn representative(&self) -> Cube {
        Cube(self.0.representative())
    }

    fn __mul__(&self, next: &Cube) -> Cube {
        Cube(self.0 * next.0)
    }

    fn __invert__(&self) -> Cube {
        self.inverse()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().facelets(),))
    }

    fn __repr__(&self) -> String {
        format!("Cube('{}')", self.0.facelets())
    }
}

fn read(text: &Bound<'_, PyAny>, format: Option<Format>, niss: bool) -> PyResult<Cube> {
    Ok(Cube(Position::read(text, format, ReadOptions { niss })?.input.cube))
}

/// An endless run of uniformly random positions, the same for the same seed on every machine.
///
///     >>> from itertools import islice
///     >>> from cosette import random_positions
///     >>> len(list(islice(random_positions(seed=7), 5)))
///     5
#[pyfunction]
#[pyo3(signature = (seed=None))]
pub fn random_positions(seed: Option<u64>) -> Positions {
    match seed {
        Some(seed) => Positions(Box::new(cube::random_positions(seed))),
        None => Positions(Box::new(std::iter::repeat_with(|| cube::Cube::random(&mut rand::rng())))),
    }
}

/// An endless run of positions.
#[pyclass(module = "cosette")]
pub struct Positions(Box<dyn Iterator<Item = cube::Cube> + Send + Sync>);

impl Positions {
    fn draw(&mut self) -> Cube {
        Cube(self.0.next().expect("the run is endless"))
    }
}

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Cube {
        self.draw()
    }
}
