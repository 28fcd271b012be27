//! Positions: conversion from arguments, and to arrays and a picture; their symmetries; and endless
//! iterators of random positions, random walks and scrambles of a case.
//!
//! Arrays of small numbers are returned as `memoryview`s of bytes, which NumPy, `array` and plain
//! indexing accept without any package. Any iterable is accepted as input.

use crate::arguments::{self, METRICS, SeedArgument, WholeNumber};
use crate::errors;
use cosette::Cancel;
use cosette::cube::{
    self, Corner, DisplayMoves, Edge, Face, FaceOrder, FaceletLayout, Format, Input, Metric, Move,
    ParseError, ParseOptions, Sequence, parse_moves, parse_position,
};
use cosette::twophase::{self, ScrambleOptions, TwoPhase, TwoPhaseLimits};
use cosette_app::name::NamedPosition;
use cosette_app::random;
use cosette_app::solve_result::ParsedPosition;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyMemoryView, PyString, PyTuple, PyType};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write;

/// A position of the cube. It is immutable; every operation returns a new one.
///
/// ``position`` is a string of moves, 54 facelets, Reid's twenty pieces or Speffz cycles, whose
/// format is detected unless ``format`` names it, a row of 54 integers as in ``to_array``, or
/// another ``Cube``. Without it, the position is the solved cube. With ``niss=True``, moves in
/// parentheses apply to the inverse. ``face_order`` is the order of the faces in a string of
/// facelets, U R F D L B by default.
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
///     >>> Cube("R U") ** 3 == Cube("R U R U R U"), Cube("R U") ** -1 == ~Cube("R U")
///     (True, True)
///
/// Products are read left to right: ``p * m`` is p followed by m, and ``p ** n`` is p repeated n
/// times. Positions are hashable, and equal if all pieces agree. A notebook shows a position as a
/// colored net.
///
/// ``corners``, ``twists``, ``edges`` and ``flips`` are byte arrays of the piece in each slot and
/// its orientation. Slots and pieces are in the order of ``cosette.CORNERS`` and
/// ``cosette.EDGES``. The arrays are ``memoryview`` objects, which have no arithmetic, unlike
/// ``numpy.asarray(cube.corners)``. ``numpy.asarray(cube)`` is the row of ``to_array([cube])``.
///
///     >>> Cube("R").corners.tolist(), Cube("R").twists.tolist()
///     ([4, 1, 2, 0, 7, 5, 6, 3], [2, 0, 0, 1, 1, 0, 0, 2])
///     >>> import numpy
///     >>> Cube(numpy.asarray(Cube("R U"))) == Cube("R U")
///     True
#[pyclass(
    name = "Cube",
    module = "cosette",
    frozen,
    eq,
    hash,
    skip_from_py_object
)]
#[derive(Clone, PartialEq, Eq, Hash)]
// The position is in a box, because it needs an alignment of 32 bytes, and Python aligns its
// objects only to 16.
pub struct PyCube(Box<cube::Cube>);

impl PyCube {
    /// Creates the object for this position.
    pub fn of(position: cube::Cube) -> PyCube {
        PyCube(Box::new(position))
    }

    /// Returns the position.
    pub fn position(&self) -> cube::Cube {
        *self.0
    }
}

#[pymethods]
impl PyCube {
    #[new]
    #[pyo3(signature = (position=None, *, format=None, niss=false, face_order=None))]
    fn new(
        position: Option<&Bound<'_, PyAny>>,
        format: Option<&Bound<'_, PyAny>>,
        niss: bool,
        face_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCube> {
        let allowed = "pass 'moves', 'facelets', 'reid' or 'speffz', or None to detect it";
        let format = format.map(|format| arguments::parsed("format", format, allowed));
        let format = format.transpose()?;
        let options = ParseOptions {
            niss,
            face_order: parse_face_order(face_order)?,
        };
        position.map_or(Ok(PyCube::of(cube::Cube::SOLVED)), |text| {
            read("position", text, format, options)
        })
    }

    /// Returns the position after moves applied to the solved cube; an empty string means no moves.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.from_moves("(R U R' U')6").is_solved
    ///     True
    #[classmethod]
    #[pyo3(signature = (moves, *, niss=false))]
    fn from_moves(
        _class: &Bound<'_, PyType>,
        moves: &Bound<'_, PyString>,
        niss: bool,
    ) -> PyResult<PyCube> {
        let options = ParseOptions {
            niss,
            ..ParseOptions::default()
        };
        sequence(moves, options).map(|sequence| PyCube::of(sequence.position()))
    }

    /// Returns the position with these 54 facelets. Any six letters, digits or emoji may stand for
    /// the colors. The faces are in the order ``face_order``, U R F D L B by default, each row by
    /// row. A row of 54 integers is one of ``to_array``.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.from_facelets("".join(9 * face for face in "URFDLB")).is_solved
    ///     True
    #[classmethod]
    #[pyo3(signature = (facelets, *, face_order=None))]
    fn from_facelets(
        _class: &Bound<'_, PyType>,
        facelets: &Bound<'_, PyAny>,
        face_order: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCube> {
        let options = ParseOptions {
            face_order: parse_face_order(face_order)?,
            ..ParseOptions::default()
        };
        read("facelets", facelets, Some(Format::Facelets), options)
    }

    /// Returns the position in Reid's notation: the pieces in the slots UF UR UB UL DF DR DB DL FR
    /// FL BR BL UFR URB UBL ULF DRF DFL DLB DBR.
    #[classmethod]
    fn from_reid(_class: &Bound<'_, PyType>, pieces: &Bound<'_, PyString>) -> PyResult<PyCube> {
        read(
            "pieces",
            pieces,
            Some(Format::Reid),
            ParseOptions::default(),
        )
    }

    /// Returns the position with these Speffz cycles, such as
    /// ``corners: (A B C D) edges: (A B C D)``.
    #[classmethod]
    fn from_speffz(_class: &Bound<'_, PyType>, cycles: &Bound<'_, PyString>) -> PyResult<PyCube> {
        read(
            "cycles",
            cycles,
            Some(Format::Speffz),
            ParseOptions::default(),
        )
    }

    /// Returns the position with these arrays of pieces and orientations, as in the attributes
    /// ``corners``, ``twists``, ``edges`` and ``flips``. Any iterables of integers are accepted.
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
    ) -> PyResult<PyCube> {
        from_arrays([corners, twists, edges, flips]).map(PyCube::of)
    }

    /// Returns a uniformly random position. A seed gives the same position on every machine; it may
    /// be a generator of NumPy or Python, such as ``numpy.random.default_rng(1)``.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube.random(seed=1) == Cube.random(seed=1)
    ///     True
    #[classmethod]
    #[pyo3(signature = (seed=None))]
    fn random(_class: &Bound<'_, PyType>, seed: Option<SeedArgument>) -> PyResult<PyCube> {
        Ok(PyCube::of(match arguments::seed(seed)? {
            Some(seed) => cube::random_positions(seed)
                .next()
                .expect("the iterator is endless"),
            None => cube::Cube::random(&mut random::system()),
        }))
    }

    /// The corner in each slot.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> ByteArray<'py> {
        array(
            py,
            &Corner::ALL.map(|slot| self.0.corner(slot).0.index() as u8),
        )
    }

    /// The twist of the corner in each slot, 0 to 2: how many steps clockwise its U or D facelet is
    /// from the U or D side.
    #[getter]
    fn twists<'py>(&self, py: Python<'py>) -> ByteArray<'py> {
        array(py, &Corner::ALL.map(|slot| self.0.corner(slot).1))
    }

    /// The edge in each slot.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> ByteArray<'py> {
        array(py, &Edge::ALL.map(|slot| self.0.edge(slot).0.index() as u8))
    }

    /// The flip of the edge in each slot, 0 or 1. Quarter turns of F and B flip the four edges that
    /// they move.
    #[getter]
    fn flips<'py>(&self, py: Python<'py>) -> ByteArray<'py> {
        array(py, &Edge::ALL.map(|slot| self.0.edge(slot).1))
    }

    /// True if this is the solved cube.
    #[getter]
    fn is_solved(&self) -> bool {
        self.0.is_solved()
    }

    /// The parity: 1 if an odd number of quarter turns reaches the position from solved, else 0.
    #[getter]
    fn parity(&self) -> u8 {
        u8::from(self.0.is_odd())
    }

    /// The order of the position in the group: the number of repetitions that solve the cube.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R U R' U'").order, (Cube("R U") ** 105).is_solved
    ///     (6, True)
    #[getter]
    fn order(&self) -> u32 {
        self.0.order()
    }

    /// Returns a scramble: about twenty moves from the solved cube to the position, found within
    /// milliseconds. For a shortest scramble, invert a shortest solution.
    ///
    ///     >>> from cosette import Cube
    ///     >>> p = Cube.random(seed=1)
    ///     >>> Cube(p.scramble()) == p
    ///     True
    fn scramble(&self, py: Python<'_>) -> String {
        let limits = TwoPhaseLimits {
            nodes: 100_000,
            until_solved: true,
            ..TwoPhaseLimits::default()
        };
        // A solution of the inverse position creates the position.
        let inverse = self.0.inverse();
        let found =
            py.detach(|| TwoPhase::get().search(&inverse, &limits, &mut |_| {}, &Cancel::new()));
        DisplayMoves(
            &found
                .solution
                .expect("the search goes on until there is a solution"),
        )
        .to_string()
    }

    /// Returns the 54 facelets as letters of faces, in the order U R F D L B, each face row by row.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("U").facelets()
    ///     'UUUUUUUUUBBBRRRRRRRRRFFFFFFDDDDDDDDDFFFLLLLLLLLLBBBBBB'
    fn facelets(&self) -> String {
        self.0.facelets()
    }

    /// Returns the position in Reid's notation.
    fn reid(&self) -> String {
        self.0.reid()
    }

    /// Returns the Speffz cycles of the position.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("U").speffz()
    ///     'corners: (A B C D) edges: (A B C D)'
    fn speffz(&self) -> String {
        self.0.speffz()
    }

    /// Returns the position after these moves. If they rotate the whole cube, the result is seen in
    /// the final orientation.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R").apply("U2 F'") == Cube("R U2 F'")
    ///     True
    fn apply(&self, moves: &Bound<'_, PyString>) -> PyResult<PyCube> {
        let sequence = sequence(moves, ParseOptions::default())?;
        Ok(PyCube::of(
            self.0
                .conjugate(sequence.rotation())
                .apply_moves(sequence.moves()),
        ))
    }

    /// Returns the inverse, also written ``~p``: ``p * ~p`` is the solved cube.
    fn inverse(&self) -> PyCube {
        PyCube::of(self.0.inverse())
    }

    /// Returns the conjugate of the position p by a symmetry s: s⁻¹·p·s.
    fn conjugate(&self, symmetry: &PySymmetry) -> PyCube {
        PyCube::of(self.0.conjugate(symmetry.0))
    }

    /// Returns the 48 conjugates of the position, in the order of ``Symmetry.all()``.
    fn conjugates(&self) -> Vec<PyCube> {
        cube::Symmetry::all()
            .map(|s| PyCube::of(self.0.conjugate(s)))
            .collect()
    }

    /// Returns the symmetries that fix the position, i.e. its stabilizer.
    ///
    ///     >>> from cosette import Cube
    ///     >>> len(Cube("U2 D2 R2 L2 F2 B2").symmetries())
    ///     48
    fn symmetries(&self) -> Vec<PySymmetry> {
        self.0.symmetries().into_iter().map(PySymmetry).collect()
    }

    /// Returns the representative of the symmetry class: one of the 48 conjugates, the same for
    /// each of them.
    ///
    ///     >>> from cosette import Cube
    ///     >>> Cube("R U").representative() == Cube("F' L'").representative()
    ///     True
    fn representative(&self) -> PyCube {
        PyCube::of(self.0.representative())
    }

    fn __mul__(&self, next: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match next.cast::<PyCube>() {
            Ok(next) => Ok(Py::new(next.py(), PyCube::of(*self.0 * *next.get().0))?.into_any()),
            Err(_) => unsupported_factor(next),
        }
    }

    fn __rmul__(&self, previous: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        unsupported_factor(previous)
    }

    fn __pow__(
        &self,
        exponent: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let py = exponent.py();
        if modulo.is_some() || !exponent.hasattr("__index__")? {
            return Ok(py.NotImplemented());
        }
        // Python computes the remainder, because its numbers have any size. The remainder is never
        // negative.
        let times = exponent.call_method0("__index__")?.rem(self.0.order())?;
        Ok(Py::new(py, PyCube::of(self.0.power(times.extract()?)))?.into_any())
    }

    fn __invert__(&self) -> PyCube {
        self.inverse()
    }

    /// Returns the 54 facelets as an array of NumPy, in the layout ``kociemba``.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // The array is always a new one.
        let _ = copy;
        let module = slf.py().import("cosette._arrays")?;
        let row = module.call_method1("to_array", ((slf,),))?.get_item(0)?;
        dtype.map_or(Ok(row.clone()), |dtype| {
            row.call_method1("astype", (dtype,))
        })
    }

    fn _repr_svg_(&self) -> String {
        net(&self.0)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (String,)) {
        (slf.get_type(), (slf.get().facelets(),))
    }

    fn __repr__(&self) -> String {
        format!("Cube('{}')", self.0.facelets())
    }
}

/// Returns the result of multiplying a position with an object that is not a `Cube`: an error for a
/// text, else `NotImplemented`, so that Python asks the other object.
fn unsupported_factor(other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    match other.is_instance_of::<PyString>() {
        true => Err(arguments::wrong_type(
            "factor",
            other,
            "use a Cube, as in p * Cube('U'), or p.apply('U')",
        )),
        false => Ok(other.py().NotImplemented()),
    }
}

/// The allowed values of an argument that is a position.
const POSITIONS: &str = "pass a string or a Cube, or a row of 54 integers";

/// Parses the order of the faces of 54 facelets; the default if none is given.
fn parse_face_order(order: Option<&Bound<'_, PyAny>>) -> PyResult<FaceOrder> {
    let allowed =
        "not an order of the faces; write each of U R F D L B once, as in 'ULFRBD', or pass None";
    order.map_or(Ok(FaceOrder::default()), |order| {
        arguments::parsed("face_order", order, allowed)
    })
}

/// Parses moves. A text without moves is not an error.
pub fn sequence(moves: &Bound<'_, PyString>, options: ParseOptions) -> PyResult<Sequence> {
    let text = moves.to_cow()?;
    parse_moves(&text, &options).map_err(|error| errors::invalid_cube(moves.py(), &text, &error))
}

/// Returns the number of face turns of a solution, in this metric; ``None`` if the moves do not
/// solve the position.
#[pyfunction]
pub fn solution_length(
    position: &PyCube,
    solution: &Bound<'_, PyString>,
    metric: &Bound<'_, PyAny>,
) -> PyResult<Option<usize>> {
    let metric: Metric = arguments::parsed("metric", metric, METRICS)?;
    let sequence = sequence(solution, ParseOptions::default())?;
    let end = position.0.apply_moves(&sequence.moves_in_initial_frame());
    Ok(end.is_solved().then(|| metric.length(sequence.moves())))
}

/// Parses an argument that is a position.
fn read(
    name: &str,
    text: &Bound<'_, PyAny>,
    format: Option<Format>,
    options: ParseOptions,
) -> PyResult<PyCube> {
    Ok(PyCube::of(
        PositionArg::read(name, text, format, options)?.input.cube,
    ))
}

/// Returns the position of a `Cube`, or of an array or a list of 54 facelets in the layout
/// `kociemba`; `None` for another value.
///
/// # Errors
///
/// Returns the exception if facelets are not a possible position.
pub fn read_cube(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<Option<cube::Cube>> {
    if let Ok(cube) = argument.cast::<PyCube>() {
        return Ok(Some(cube.get().position()));
    }
    let is_list = argument.is_instance_of::<PyList>() || argument.is_instance_of::<PyTuple>();
    let is_row = (is_list || argument.hasattr("__array__")?)
        && argument.len().is_ok_and(|length| length == 54)
        && !argument.is_instance_of::<PyString>();
    if !is_row {
        return Ok(None);
    }
    let facelets = numbers::<54>(name, argument)?;
    let cube = FaceletLayout::Kociemba.read(&facelets);
    cube.map(Some)
        .map_err(|error| errors::invalid_facelets(argument.py(), &error))
}

/// A position passed as an argument: text in any format, a `Cube`, or facelets as numbers.
pub struct PositionArg {
    /// The name, as in ``T-perm: R U R'``.
    pub name: Option<String>,
    /// The text without the name; the facelets of a `Cube`.
    pub text: String,
    /// The position.
    pub input: Input,
}

impl PositionArg {
    /// Returns the position for a search, with its index if it is one of many.
    pub fn position(&self, index: Option<usize>) -> ParsedPosition<'_> {
        ParsedPosition {
            text: &self.text,
            name: self.name.as_deref(),
            line: index.map(|index| index + 1),
            input: &self.input,
        }
    }

    /// Parses the argument with this name in this format, or in the detected one.
    ///
    /// # Errors
    ///
    /// Returns the exception if it is neither text nor a `Cube`, or if the text is not a possible
    /// position.
    pub fn read(
        name: &str,
        argument: &Bound<'_, PyAny>,
        format: Option<Format>,
        options: ParseOptions,
    ) -> PyResult<PositionArg> {
        let split = |text: &str| {
            if format.is_some() {
                Ok(NamedPosition::unnamed(text))
            } else {
                NamedPosition::of(text)
            }
        };
        PositionArg::read_named(name, argument, format, options, split)
    }

    /// Parses one of many positions, which is written like a line of a list.
    pub fn read_line(name: &str, argument: &Bound<'_, PyAny>) -> PyResult<PositionArg> {
        PositionArg::read_named(
            name,
            argument,
            None,
            ParseOptions::default(),
            NamedPosition::of_line,
        )
    }

    /// Parses an argument. `split` separates the name of the position from its text.
    fn read_named(
        name: &str,
        argument: &Bound<'_, PyAny>,
        format: Option<Format>,
        options: ParseOptions,
        split: impl FnOnce(&str) -> Result<NamedPosition, ParseError>,
    ) -> PyResult<PositionArg> {
        if let Some(cube) = read_cube(name, argument)? {
            let input = Input {
                cube,
                format: Format::Facelets,
                sequence: None,
            };
            return Ok(PositionArg {
                name: None,
                text: cube.facelets(),
                input,
            });
        }
        let text = argument
            .cast::<PyString>()
            .map_err(|_| arguments::wrong_type(name, argument, POSITIONS))?;
        let full_text = text.to_cow()?;
        let invalid =
            |text: &str, error: ParseError| errors::invalid_cube(argument.py(), text, &error);
        let NamedPosition { name, text } =
            split(&full_text).map_err(|error| invalid(&full_text, error))?;
        match parse_position(&text, format, &options) {
            Ok(input) => Ok(PositionArg { name, text, input }),
            Err(error) => Err(invalid(&text, error)),
        }
    }
}

/// A read-only array of bytes.
type ByteArray<'py> = PyResult<Bound<'py, PyMemoryView>>;

fn array<'py>(py: Python<'py>, values: &[u8]) -> ByteArray<'py> {
    PyMemoryView::from(PyBytes::new(py, values).as_any())
}

/// Creates the position with these arrays: corners and twists, edges and flips.
///
/// # Errors
///
/// Returns the exception if an array has the wrong length, or if the arrays do not form a possible
/// position.
fn from_arrays([corners, twists, edges, flips]: [&Bound<'_, PyAny>; 4]) -> PyResult<cube::Cube> {
    let py = corners.py();
    let corners = numbers::<8>("corners", corners)?;
    let twists = numbers::<8>("twists", twists)?;
    let edges = numbers::<12>("edges", edges)?;
    let flips = numbers::<12>("flips", flips)?;
    let corners = std::array::from_fn(|slot| (corners[slot], twists[slot]));
    let edges = std::array::from_fn(|slot| (edges[slot], flips[slot]));
    cube::Cube::from_cubies(&corners, &edges).map_err(|error| errors::impossible(py, error))
}

/// Reads exactly `N` numbers. A number that does not fit in a byte becomes 255, which is neither a
/// piece nor an orientation.
fn numbers<const N: usize>(name: &str, values: &Bound<'_, PyAny>) -> PyResult<[u8; N]> {
    let byte = |(index, number): (usize, PyResult<Bound<'_, PyAny>>)| {
        let number = number?.extract::<WholeNumber>()?;
        let is_other_type = number.is_other_type;
        match number.within(&format!("{name}[{index}]"), 0..=254, "pass an integer") {
            Err(error) if is_other_type => Err(error),
            number => Ok(number.unwrap_or(255) as u8),
        }
    };
    let bytes = values
        .try_iter()?
        .take(N + 1)
        .enumerate()
        .map(byte)
        .collect::<PyResult<Vec<u8>>>()?;
    bytes
        .try_into()
        .map_err(|_| arguments::wrong_value(name, values, &format!("pass {N} numbers")))
}

/// Length of the side of a facelet in the net, in pixels.
const SIDE: usize = 16;
/// Width of the gap between faces, in pixels.
const GAP: usize = 4;

/// The column and row of each face in the net, in the order U R F D L B.
const FACE_CELLS: [(usize, usize); 6] = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)];

/// Draws a position as a colored net in SVG, which notebooks show.
fn net(position: &cube::Cube) -> String {
    let width = 4 * 3 * SIDE + 5 * GAP;
    let height = 3 * 3 * SIDE + 4 * GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
            viewBox=\"0 0 {width} {height}\" \
         role=\"img\"><title>{position}</title><g stroke=\"#222\" stroke-width=\"1\">"
    );
    for (number, letter) in position.facelets().chars().enumerate() {
        let (column, row) = FACE_CELLS[number / 9];
        let cell = number % 9;
        let offset = |face: usize, cell: usize| GAP + face * (3 * SIDE + GAP) + cell * SIDE;
        let x = offset(column, cell % 3);
        let y = offset(row, cell / 3);
        let color = color(letter);
        write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{color}\"/>"
        )
        .expect("a text can always be extended");
    }
    svg + "</g></svg>"
}

/// Returns the color of the face with this letter.
fn color(letter: char) -> &'static str {
    let face = Face::ALL
        .into_iter()
        .find(|face| face.letter() == letter)
        .expect("facelets are letters of faces");
    match face {
        Face::U => "#ffffff",
        Face::R => "#c62828",
        Face::F => "#2e9e44",
        Face::D => "#fdd835",
        Face::L => "#ef7f1a",
        Face::B => "#1e5fc4",
    }
}

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
        let allowed = format!("pass an integer from 0 to {last}");
        let number = index.within("index", 0..=last as u64, &allowed)?;
        Ok(PySymmetry(cube::Symmetry::from_index(number as usize)))
    }

    /// Returns the 48 symmetries, by number.
    #[classmethod]
    fn all(_class: &Bound<'_, PyType>) -> Vec<PySymmetry> {
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

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (usize,)) {
        (slf.get_type(), (slf.get().0.index(),))
    }

    fn __repr__(&self) -> String {
        format!("Symmetry({})", self.0.index())
    }
}

/// Returns an endless iterator of uniformly random positions, as ``Cube`` objects.
///
/// A seed gives the same positions on every machine. ``random_array`` returns them as an array.
///
///     >>> from itertools import islice
///     >>> from cosette import random_positions
///     >>> len(list(islice(random_positions(seed=7), 5)))
///     5
#[pyfunction]
#[pyo3(signature = (seed=None))]
pub fn random_positions(seed: Option<SeedArgument>) -> PyResult<RandomPositions> {
    Ok(match arguments::seed(seed)? {
        Some(seed) => RandomPositions(Box::new(cube::random_positions(seed))),
        None => RandomPositions(Box::new(std::iter::repeat_with(|| {
            cube::Cube::random(&mut random::system())
        }))),
    })
}

/// Returns an endless iterator of random walks of ``walk_length`` face turns, as strings. Several
/// lengths, such as ``range(1, 15)``, alternate.
///
/// A seed gives the same walks on every machine, and as ``cosette scramble --length``. No move
/// turns the face of the previous move, and a move of U, R or F never follows one of the opposite
/// face. The position after a walk is not uniformly random: short walks stay close to the solved
/// cube.
///
///     >>> from cosette import random_walks
///     >>> walk = next(random_walks(12, seed=7))
///     >>> len(walk.split())
///     12
#[pyfunction]
#[pyo3(signature = (walk_length, seed=None))]
pub fn random_walks(
    walk_length: &Bound<'_, PyAny>,
    seed: Option<SeedArgument>,
) -> PyResult<RandomWalks> {
    let lengths = arguments::walk_lengths(walk_length, MAX_WALK_LENGTH)?;
    let seed = arguments::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    Ok(RandomWalks(Box::new(walks(seed, lengths))))
}

/// Maximum length of a random walk.
pub const MAX_WALK_LENGTH: usize = 1_000_000;

/// Returns random walks of these lengths, which alternate. Those of one length are the walks of
/// [`cube::random_walks`].
pub fn walks(seed: u64, lengths: Vec<usize>) -> impl Iterator<Item = Vec<Move>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    lengths
        .into_iter()
        .cycle()
        .map(move |length| cube::random_walk(&mut rng, length))
}

/// An endless iterator of random positions, from ``random_positions``.
#[pyclass(module = "cosette")]
pub struct RandomPositions(Box<dyn Iterator<Item = cube::Cube> + Send + Sync>);

#[pymethods]
impl RandomPositions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<PyCube> {
        self.0.next().map(PyCube::of)
    }
}

/// An endless iterator of random walks, from ``random_walks``.
#[pyclass(module = "cosette")]
pub struct RandomWalks(Box<dyn Iterator<Item = Vec<Move>> + Send + Sync>);

#[pymethods]
impl RandomWalks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<String> {
        self.0.next().map(|walk| DisplayMoves(&walk).to_string())
    }
}

/// Returns an endless iterator of different scrambles of one position.
///
/// A seed gives the same scrambles on every machine, and as ``cosette scramble --case``.
///
///     >>> from itertools import islice
///     >>> from cosette import Cube, scrambles
///     >>> five = list(islice(scrambles("R U R' U'", seed=7), 5))
///     >>> all(Cube(scramble.moves) == Cube("R U R' U'") for scramble in five)
///     True
///
/// ``case`` is a string in any format, or a ``Cube``. For the case that an algorithm ALG solves,
/// write ``(ALG)'``. Scrambles have at least ``min_length`` moves, and never fewer than 21. With
/// ``pre_auf``, the solution of the case needs a random turn of U, or none, before it, so that the
/// case is seen from a random angle; with ``post_auf``, after it.
#[pyfunction]
#[pyo3(signature = (case, *, min_length=None, pre_auf=false, post_auf=false, seed=None))]
pub fn scrambles(
    case: &Bound<'_, PyAny>,
    min_length: Option<WholeNumber>,
    pre_auf: bool,
    post_auf: bool,
    seed: Option<SeedArgument>,
) -> PyResult<PyScrambles> {
    let case = PositionArg::read("case", case, None, ParseOptions::default())?
        .input
        .cube;
    let min_length = arguments::length("min_length", min_length)?;
    let seed = arguments::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    let options = ScrambleOptions {
        min_length: min_length.unwrap_or(ScrambleOptions::MIN_LENGTH),
        pre_auf,
        post_auf,
    };
    let scrambles = twophase::scrambles(case, seed, options);
    Ok(PyScrambles(Box::new(scrambles)))
}

/// An endless iterator of scrambles of a case, from ``scrambles``.
#[pyclass(name = "Scrambles", module = "cosette")]
pub struct PyScrambles(Box<dyn Iterator<Item = twophase::Scramble> + Send + Sync>);

#[pymethods]
impl PyScrambles {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> Option<PyScramble> {
        let scramble = py.detach(|| self.0.next())?;
        Some(PyScramble {
            moves: DisplayMoves(&scramble.moves).to_string(),
            pre_auf: DisplayMoves(scramble.pre_auf.as_slice()).to_string(),
            post_auf: DisplayMoves(scramble.post_auf.as_slice()).to_string(),
        })
    }
}

/// A scramble of a case. If A solves the case, then ``pre_auf`` A ``post_auf`` solves the cube
/// after ``moves``.
///
///     >>> from cosette import Cube, scrambles
///     >>> s = next(scrambles("R U R' U'", pre_auf=True, post_auf=True))
///     >>> Cube.from_moves(f"{s.moves} {s.pre_auf} U R U' R' {s.post_auf}").is_solved
///     True
#[pyclass(name = "Scramble", module = "cosette", frozen, get_all)]
pub struct PyScramble {
    /// The moves of the scramble.
    moves: String,
    /// The turn of U before the solution of the case; an empty string if there is none.
    pre_auf: String,
    /// The turn of U after the solution of the case; an empty string if there is none.
    post_auf: String,
}

#[pymethods]
impl PyScramble {
    fn __str__(&self) -> &str {
        &self.moves
    }

    fn __repr__(&self) -> String {
        let PyScramble {
            moves,
            pre_auf,
            post_auf,
        } = self;
        format!("Scramble(moves=\"{moves}\", pre_auf=\"{pre_auf}\", post_auf=\"{post_auf}\")")
    }
}
