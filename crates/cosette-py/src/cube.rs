//! Positions, and how they are read from arguments.

use crate::arrays::{self, Array};
use crate::errors;
use crate::symmetry::Symmetry;
use cosette::cube::{self, Format, Input, ReadOptions, parse_moves, read_position};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A position of the cube. It is immutable; every operation returns a new one.
///
/// The format of the text is detected: moves, 54 facelets, Reid's twenty pieces or Speffz cycles. Without a text it is
/// the solved cube.
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
/// Products are read left to right: ``p * m`` is p, then m. Positions are equal if all pieces are, and are hashable.
///
/// ``corners``, ``twists``, ``edges`` and ``flips`` are arrays with one byte for each slot, in the order of
/// ``cosette.CORNERS`` and ``cosette.EDGES``: the piece in the slot and its orientation. ``numpy.asarray`` accepts them.
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

    /// The position that moves make of the solved cube. An empty text means no moves.
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

    /// The position with these pieces in its slots, as the four array attributes give them.
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

    /// A uniformly random position, the same one for the same seed.
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

    /// The twist of the corner in each slot: how many facelets its U or D facelet is turned clockwise.
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

    /// 1 if an odd number of quarter turns leads here, else 0.
    #[getter]
    fn parity(&self) -> u8 {
        u8::from(self.0.is_odd())
    }

    /// The 54 facelets as letters of faces, in the order U R F D L B, each face row by row.
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

    /// The position after these moves. If they rotate the whole cube, the result is seen in the final orientation.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R").apply("U2 F'") == Cube("R U2 F'")
    ///     True
    fn apply(&self, py: Python<'_>, moves: &str) -> PyResult<Cube> {
        let sequence = parse_moves(moves, &ReadOptions::default());
        let sequence = sequence.map_err(|error| errors::not_a_cube(py, moves, &error))?;
        Ok(Cube(self.0.conjugate(sequence.rotation()).after(sequence.moves())))
    }

    /// The inverse, also written ``~p``: ``p * ~p`` is the solved cube.
    fn inverse(&self) -> Cube {
        Cube(self.0.inverse())
    }

    /// The conjugate of the position with a symmetry: s⁻¹·p·s.
    fn conjugate(&self, symmetry: &Symmetry) -> Cube {
        Cube(self.0.conjugate(symmetry.0))
    }

    /// All 48 conjugates, in the order of the symmetries.
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

    /// One of the 48 conjugates, the same one for each of them.
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
    Ok(Cube(PositionArg::read(text, format, ReadOptions { niss })?.input.cube))
}

/// A position passed as an argument: text in any format, or a `Cube`.
pub struct PositionArg {
    /// The text; the facelets of a `Cube`.
    pub text: String,
    /// The position.
    pub input: Input,
}

impl PositionArg {
    /// Reads a position in this format, or in the format detected. Fails if the argument is neither text nor a `Cube`,
    /// or if the text is not a possible position.
    pub fn read(argument: &Bound<'_, PyAny>, format: Option<Format>, options: ReadOptions) -> PyResult<PositionArg> {
        if let Ok(cube) = argument.cast::<Cube>() {
            let cube = cube.get().0;
            let input = Input { cube, format: Format::Facelets, sequence: None };
            return Ok(PositionArg { text: cube.facelets(), input });
        }
        let text: String = argument.extract().map_err(|_| {
            let kind = argument.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("a position is a text or a Cube, not {kind}"))
        })?;
        match read_position(&text, format, &options) {
            Ok(input) => Ok(PositionArg { text, input }),
            Err(error) => Err(errors::not_a_cube(argument.py(), &text, &error)),
        }
    }
}

/// An endless iterator of uniformly random positions, the same for the same seed on every machine.
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

/// An endless iterator of positions.
#[pyclass(module = "cosette")]
pub struct Positions(Box<dyn Iterator<Item = cube::Cube> + Send + Sync>);

impl Positions {
    fn draw(&mut self) -> Cube {
        Cube(self.0.next().expect("the iterator is endless"))
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
