//! Random positions, random walks and scrambles of a case, as endless iterators.

use crate::arguments::{self, WholeNumber};
use crate::cube::{PositionArg, PyCube};
use cosette::cube::{self, DisplayMoves, Move, ParseOptions};
use cosette::twophase::{self, ScrambleOptions};
use cosette_app::random;
use pyo3::prelude::*;
use rand::Rng;

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
pub fn random_positions(seed: Option<WholeNumber>) -> PyResult<RandomPositions> {
    Ok(match arguments::seed(seed)? {
        Some(seed) => RandomPositions(Box::new(cube::random_positions(seed))),
        None => RandomPositions(Box::new(std::iter::repeat_with(|| {
            cube::Cube::random(&mut random::system())
        }))),
    })
}

/// Returns an endless iterator of random walks of ``length`` face turns, as strings.
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
#[pyo3(signature = (length, seed=None))]
pub fn random_walks(length: WholeNumber, seed: Option<WholeNumber>) -> PyResult<RandomWalks> {
    let length = walk_length("length", length)?;
    let seed = arguments::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    Ok(RandomWalks(Box::new(cube::random_walks(seed, length))))
}

/// The length of a random walk.
pub fn walk_length(name: &str, length: WholeNumber) -> PyResult<usize> {
    const MAX_LENGTH: u64 = 1_000_000;
    let length = length.within(name, 0..=MAX_LENGTH, "pass an integer from 0 to 1000000");
    Ok(length? as usize)
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
    seed: Option<WholeNumber>,
) -> PyResult<PyScrambles> {
    let case = PositionArg::read("case", case, None, ParseOptions::default())?
        .input
        .cube;
    let length = |value: WholeNumber| {
        value.within(
            "min_length",
            0..=255,
            "pass an integer from 0 to 255, or None",
        )
    };
    let min_length = min_length
        .map(length)
        .transpose()?
        .map_or(ScrambleOptions::MIN_LENGTH, |length| length as u8);
    let seed = arguments::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    let options = ScrambleOptions {
        min_length,
        pre_auf,
        post_auf,
    };
    Ok(PyScrambles(Box::new(twophase::scrambles(
        case, seed, options,
    ))))
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
        py.detach(|| self.0.next()).map(PyScramble)
    }
}

/// A scramble of a case. If A solves the case, then ``pre_auf`` A ``post_auf`` solves the cube
/// after ``moves``.
///
///     >>> from cosette import Cube, scrambles
///     >>> s = next(scrambles("R U R' U'", pre_auf=True, post_auf=True))
///     >>> Cube.from_moves(f"{s.moves} {s.pre_auf} U R U' R' {s.post_auf}").is_solved
///     True
#[pyclass(name = "Scramble", module = "cosette", frozen)]
pub struct PyScramble(twophase::Scramble);

#[pymethods]
impl PyScramble {
    /// The moves of the scramble.
    #[getter]
    fn moves(&self) -> String {
        DisplayMoves(&self.0.moves).to_string()
    }

    /// The turn of U before the solution of the case; an empty string if there is none.
    #[getter]
    fn pre_auf(&self) -> String {
        DisplayMoves(self.0.pre_auf.as_slice()).to_string()
    }

    /// The turn of U after the solution of the case; an empty string if there is none.
    #[getter]
    fn post_auf(&self) -> String {
        DisplayMoves(self.0.post_auf.as_slice()).to_string()
    }

    fn __str__(&self) -> String {
        self.moves()
    }

    fn __repr__(&self) -> String {
        format!(
            "Scramble(moves=\"{}\", pre_auf=\"{}\", post_auf=\"{}\")",
            self.moves(),
            self.pre_auf(),
            self.post_auf()
        )
    }
}
