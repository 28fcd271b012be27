//! Arrays of many positions, as bytes, 54 for each position. `python/cosette/_arrays.py` converts
//! them to and from NumPy.
//!
//! Lengths are bytes too, 255 if none is proven, and 254 if the position was not reached.

use crate::arguments::{self, METRICS, SecondsArgument, SeedArgument, WholeNumber};
use crate::background::{self, CancelArgument, ProgressLine};
use crate::cube::{PyCube, sequence};
use crate::errors;
use crate::many;
use crate::solver::PySolver;
use cosette::cube::{
    self, DisplayMoves, FaceletLayout, Facelets, Metric, ParseOptions, UnknownFaceletLayout,
};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Neighbors, Options, TwoPhaseMode};
use cosette::{Cancel, search};
use cosette_app::batch::{Lines, ListError, ListLine, answer_chunks};
use cosette_app::random;
use cosette_app::remedies::split_help;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyString};
use rand::Rng;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// The value of a length that is not proven.
const UNKNOWN: u8 = u8::MAX;

/// The value of the lengths of a position that was not reached within the budget of a call.
const UNREACHED: u8 = u8::MAX - 1;

/// Number of positions close to the solved cube that a thread takes at a time: solving each takes
/// only microseconds.
const CHUNK: usize = 256;

/// Returns the layout of this name.
pub fn layout(name: &Bound<'_, PyAny>) -> PyResult<FaceletLayout> {
    let (_, layouts) = split_help(&UnknownFaceletLayout::default().to_string());
    arguments::parsed("layout", name, &layouts)
}

/// Parses the rows as positions.
///
/// # Errors
///
/// Returns the exception for the first row that is not a position, with its index.
fn parse_rows(py: Python<'_>, facelets: &[u8], layout: FaceletLayout) -> PyResult<Vec<cube::Cube>> {
    let rows = || {
        facelets
            .as_chunks::<54>()
            .0
            .iter()
            .map(|row| layout.read(row))
    };
    let cubes: Result<Vec<_>, _> = py.detach(|| rows().collect());
    cubes.map_err(|error| {
        let row = rows().take_while(Result::is_ok).count();
        let (message, help) = split_help(&error.to_string());
        errors::invalid_row(py, row, &message, &help)
    })
}

/// Returns the first `n` positions as bytes. A signal stops the work.
fn write_rows(
    py: Python<'_>,
    layout: FaceletLayout,
    n: usize,
    mut cubes: impl Iterator<Item = cube::Cube>,
) -> PyResult<Bound<'_, PyByteArray>> {
    PyByteArray::new_with(py, n * size_of::<Facelets>(), |bytes| {
        for (number, (row, cube)) in bytes
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(&mut cubes)
            .enumerate()
        {
            *row = layout.write(&cube);
            if number.is_multiple_of(1 << 14) {
                py.check_signals()?;
            }
        }
        Ok(())
    })
}

/// Returns the error of each row, or ``None`` if the row is valid.
#[pyfunction]
pub fn faults(
    py: Python<'_>,
    facelets: &[u8],
    layout: &Bound<'_, PyAny>,
) -> PyResult<Vec<Option<String>>> {
    let layout = self::layout(layout)?;
    let fault = |row: &Facelets| Some(layout.read(row).err()?.to_string());
    Ok(py.detach(|| facelets.as_chunks::<54>().0.iter().map(fault).collect()))
}

/// Converts positions to cubes.
#[pyfunction]
pub fn read_cubes(
    py: Python<'_>,
    facelets: &[u8],
    layout: &Bound<'_, PyAny>,
) -> PyResult<Vec<PyCube>> {
    Ok(parse_rows(py, facelets, self::layout(layout)?)?
        .into_iter()
        .map(PyCube::of)
        .collect())
}

/// Converts positions, each a string or a cube, to facelets.
#[pyfunction]
pub fn write_cubes<'py>(
    positions: &Bound<'py, PyAny>,
    layout: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let layout = self::layout(layout)?;
    let parse = |(index, position): (usize, PyResult<Bound<'_, PyAny>>)| {
        let parsed = many::read(index, &position?);
        let parsed = parsed.map_err(|error| many::with_index(positions.py(), index, error))?;
        Ok(parsed.input.cube)
    };
    let cubes: Vec<cube::Cube> = many::iterator(positions)?
        .enumerate()
        .map(parse)
        .collect::<PyResult<_>>()?;
    write_rows(positions.py(), layout, cubes.len(), cubes.into_iter())
}

/// Returns the positions in the lines of a string, each with its line number and name, as the
/// command reads a file.
#[pyfunction]
pub fn lines(text: &str) -> PyResult<Vec<(usize, Option<String>, String)>> {
    let read = |line: Result<ListLine, ListError>| {
        let ListLine {
            number,
            name,
            text,
            fault,
        } = line.map_err(|error| PyValueError::new_err(error.to_string()))?;
        match fault {
            None => Ok((number, name, text)),
            Some(fault) => Err(PyValueError::new_err(format!("line {number}: {fault}"))),
        }
    };
    Lines::new(text.as_bytes()).map(read).collect()
}

/// Returns, for each index, the index from which the moves, including rotations, carry a facelet
/// there.
#[pyfunction]
pub fn facelets_after<'py>(
    moves: &Bound<'py, PyString>,
    layout: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let layout = self::layout(layout)?;
    let sequence = sequence(moves, ParseOptions::default())?;
    let rotated = layout.rotation_permutation(sequence.rotation());
    let after = layout.permutation(&cube::Cube::SOLVED.apply_moves(sequence.moves()));
    Ok(PyByteArray::new(
        moves.py(),
        &after.map(|index| rotated[usize::from(index)]),
    ))
}

/// Returns the names of the moves of a metric, in the order in which the layout numbers them.
#[pyfunction]
pub fn move_names(layout: &Bound<'_, PyAny>, metric: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let layout = self::layout(layout)?;
    let moves = layout.moves(arguments::parsed("metric", metric, METRICS)?);
    Ok(moves
        .iter()
        .map(|&m| DisplayMoves(&[m]).to_string())
        .collect())
}

/// Returns random positions; with ``walk_length``, those after random walks of these lengths, which
/// alternate.
#[pyfunction]
pub fn random_facelets<'py>(
    py: Python<'py>,
    n: WholeNumber,
    walk_length: Option<&Bound<'py, PyAny>>,
    seed: Option<SeedArgument>,
    layout: &Bound<'_, PyAny>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let layout = self::layout(layout)?;
    let n = n.within(
        "n",
        0..=u64::from(u32::MAX),
        "pass an integer from 0 to 2**32 - 1",
    );
    let n = n? as usize;
    let seed = arguments::seed(seed)?.unwrap_or_else(|| random::system().next_u64());
    let Some(lengths) = walk_length else {
        return write_rows(py, layout, n, cube::random_positions(seed));
    };
    let lengths = arguments::walk_lengths(lengths, crate::cube::MAX_WALK_LENGTH)?;
    let walks = crate::cube::walks(seed, lengths);
    write_rows(
        py,
        layout,
        n,
        walks.map(|walk| cube::Cube::from_moves(&walk)),
    )
}

/// The limits of the search of each position, and of all of them together.
struct ArrayLimits {
    /// Positions farther from solved are not labeled.
    max_length: u8,
    /// Time limit of each position.
    timeout: Option<Duration>,
    /// Time limit of all positions together.
    budget: Option<Duration>,
}

impl ArrayLimits {
    /// Parses the limits. `at_most` is a second limit of the length.
    fn new(
        max_length: Option<WholeNumber>,
        at_most: u8,
        timeout: Option<SecondsArgument>,
        budget: Option<f64>,
    ) -> PyResult<ArrayLimits> {
        let max_length = arguments::length("max_length", max_length)?;
        Ok(ArrayLimits {
            max_length: max_length.unwrap_or(at_most).min(at_most),
            timeout: arguments::timeout(timeout)?,
            budget: budget.map(Duration::from_secs_f64),
        })
    }

    fn options(&self) -> Options<'static> {
        Options {
            max_length: Some(self.max_length),
            two_phase: TwoPhaseMode::Interleaved,
            ..Options::default()
        }
    }
}

/// Returns the proven distance of each position, 255 if it is not proven within the limits of
/// length and time. ``at_most`` is a second limit of the length: below 255 in a first pass over all
/// positions, which finds those close to the solved cube, and 255 for the rest. ``budget`` limits
/// the seconds of the whole call; the value of a position that is not reached is 254.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the Python function"
)]
pub fn distances<'py>(
    py: Python<'py>,
    solver: &PySolver,
    facelets: &[u8],
    layout: &Bound<'_, PyAny>,
    max_length: Option<WholeNumber>,
    at_most: u8,
    timeout: Option<SecondsArgument>,
    budget: Option<f64>,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let limits = ArrayLimits::new(max_length, at_most, timeout, budget)?;
    let cubes = parse_rows(py, facelets, self::layout(layout)?)?;
    let chunk = if at_most < u8::MAX { CHUNK } else { 1 };
    let budget = limits.budget;
    let length = move |solver: &search::Solver,
                       cube: &cube::Cube,
                       executor: &mut ThreadExecutor,
                       cancel: &Cancel| {
        let search = solver
            .search(cube)
            .options(limits.options())
            .with_cancel(&cancel.limited(limits.timeout));
        let length = search.run_with(executor).length();
        // A known solution that is one move longer than the limit may be proven.
        let length = length.filter(|&length| length <= limits.max_length);
        [length.unwrap_or(UNKNOWN)]
    };
    let work = ArrayWork {
        cubes,
        chunk,
        budget,
        requested: background::token(cancel),
    };
    for_each_position((py, progress), &solver.opened()?.solver, work, length)
}

/// Returns, for each position, the distance after each move, in the order of `move_names`; 255 in
/// the whole row if the position is not solved within the limits.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "they are those of the Python function"
)]
pub fn neighbor_distances<'py>(
    py: Python<'py>,
    solver: &PySolver,
    facelets: &[u8],
    layout: &Bound<'_, PyAny>,
    max_length: Option<WholeNumber>,
    timeout: Option<SecondsArgument>,
    budget: Option<f64>,
    progress: Option<bool>,
    cancel: Option<CancelArgument>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let layout = self::layout(layout)?;
    let limits = ArrayLimits::new(max_length, u8::MAX, timeout, budget)?;
    let work = ArrayWork {
        cubes: parse_rows(py, facelets, layout)?,
        chunk: 1,
        budget: limits.budget,
        requested: background::token(cancel),
    };
    let solver = &solver.opened()?.solver;
    let output = (py, progress);
    match solver.metric() {
        Metric::Htm => for_each_position(
            output,
            solver,
            work,
            neighbor_distances_of::<18>(layout, limits),
        ),
        Metric::Qtm => for_each_position(
            output,
            solver,
            work,
            neighbor_distances_of::<12>(layout, limits),
        ),
    }
}

/// Returns a function that computes the distances of the neighbors of a position, in the order of
/// the moves of `layout`.
fn neighbor_distances_of<const N: usize>(
    layout: FaceletLayout,
    limits: ArrayLimits,
) -> impl Fn(&search::Solver, &cube::Cube, &mut ThreadExecutor, &Cancel) -> [u8; N] + Send + Sync + 'static
{
    move |solver, cube, executor, cancel| {
        let search = solver
            .search(cube)
            .options(limits.options())
            .neighbors()
            .with_cancel(&cancel.limited(limits.timeout));
        let report = search.run_with(executor);
        let is_within = |length: u8| length <= limits.max_length;
        let neighbors = report.neighbors.as_ref();
        let neighbors = neighbors.filter(|_| report.length().is_some_and(is_within));
        let moves = layout.moves(solver.metric());
        std::array::from_fn(|n| {
            let length = |neighbors: &Neighbors| neighbors.length_after(moves[n]);
            neighbors.and_then(length).unwrap_or(UNKNOWN)
        })
    }
}

/// The positions of a call, and what stops it.
struct ArrayWork {
    cubes: Vec<cube::Cube>,
    /// Number of positions that a thread takes at a time.
    chunk: usize,
    /// Time limit of the call, which does not reach the remaining positions.
    budget: Option<Duration>,
    /// The token of the argument `cancel`.
    requested: Cancel,
}

/// Returns the results of `answer` for the positions, in their order. The calling thread shows the
/// progress; a signal stops the work.
fn for_each_position<'py, const N: usize>(
    (py, progress): (Python<'py>, Option<bool>),
    solver: &search::Solver,
    work: ArrayWork,
    answer: impl Fn(&search::Solver, &cube::Cube, &mut ThreadExecutor, &Cancel) -> [u8; N]
    + Send
    + Sync
    + 'static,
) -> PyResult<Bound<'py, PyByteArray>> {
    let line = ProgressLine::new(py, progress, None)?;
    let ArrayWork {
        cubes,
        chunk,
        budget,
        requested,
    } = work;
    let total = cubes.len();
    let answer_chunk = move |(solver, executor): &mut (search::Solver, ThreadExecutor),
                             cubes: Vec<_>,
                             cancel: &Cancel| {
        let answers: Vec<[u8; N]> = cubes
            .iter()
            .map(|cube| answer(solver, cube, executor, cancel))
            .collect();
        (!cancel.is_cancelled()).then_some(answers)
    };
    let mut answered = 0;
    let deliver = |counts: Vec<usize>| {
        answered += counts.into_iter().sum::<usize>();
        line.as_ref()
            .map_or(Ok(()), |line| line.call(py, "answered", (answered, total)))
    };
    let lengths = background::run(py, &requested, deliver, |tell, cancel| {
        let mut lengths = vec![[UNREACHED; N]; total];
        let cancel = cancel.limited(budget);
        let mut answers = answer_chunks(solver, (&cubes, chunk), &cancel, answer_chunk)?;
        loop {
            match answers.found_within(background::SIGNAL_INTERVAL) {
                Ok((number, answers)) => {
                    lengths[number * chunk..][..answers.len()].copy_from_slice(&answers);
                    // The receiver is gone if the work is being stopped.
                    tell.send(answers.len()).ok();
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok::<_, std::io::Error>(lengths),
            }
        }
    })?;
    let lengths = lengths
        .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
    Ok(PyByteArray::new(py, lengths.as_flattened()))
}
