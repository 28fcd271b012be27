//! Random positions and random walks, as endless iterators.

use crate::cube::Cube;
use crate::request::{self, Whole};
use cosette::cube::{self, Move, Moves};
use cosette_app::random;
use pyo3::prelude::*;
use rand::Rng;

/// An endless iterator of uniformly random positions, the same for the same seed on every machine.
///
///     >>> from itertools import islice
///     >>> from cosette import random_positions
///     >>> len(list(islice(random_positions(seed=7), 5)))
///     5
#[pyfunction]
#[pyo3(signature = (seed=None))]
pub fn random_positions(seed: Option<Whole>) -> PyResult<Positions> {
    Ok(match request::seed(seed)? {
        Some(seed) => Positions(Box::new(cube::random_positions(seed))),
        None => Positions(Box::new(std::iter::repeat_with(|| cube::Cube::random(&mut random::system())))),
    })
}

/// An endless iterator of random walks of ``length`` moves, as texts, the same for the same seed on every machine; those of
/// ``cosette scramble --length``. No move turns the same face as the one before it, nor, after D, L or B, the opposite one.
///
/// A walk is not a uniformly random position: short ones stay near the solved cube.
///
///     >>> from cosette import random_walks
///     >>> walk = next(random_walks(12, seed=7))
///     >>> len(walk.split())
///     12
#[pyfunction]
#[pyo3(signature = (length, seed=None))]
pub fn random_walks(length: Whole, seed: Option<Whole>) -> PyResult<Walks> {
    let length = walk_length("length", length)?;
    let seed = request::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    Ok(Walks(Box::new(cube::random_walks(seed, length))))
}

/// The length of a random walk.
pub fn walk_length(name: &str, length: Whole) -> PyResult<usize> {
    const LONGEST: u64 = 1_000_000;
    let length = length.within(name, 0..=LONGEST, "give a whole number from 0 to 1000000");
    Ok(length? as usize)
}

/// An endless iterator of positions.
#[pyclass(module = "cosette")]
pub struct Positions(Box<dyn Iterator<Item = cube::Cube> + Send + Sync>);

#[pymethods]
impl Positions {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<Cube> {
        self.0.next().map(Cube::of)
    }
}

/// An endless iterator of random walks, as texts.
#[pyclass(module = "cosette")]
pub struct Walks(Box<dyn Iterator<Item = Vec<Move>> + Send + Sync>);

#[pymethods]
impl Walks {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<String> {
        self.0.next().map(|walk| Moves(&walk).to_string())
    }
}
