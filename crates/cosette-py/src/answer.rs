//! Answers: what has been proven about a position.

use crate::cube::{Cube, PositionArg};
use crate::request;
use cosette::cube::parse_facelets;
use cosette::search::Options;
use cosette::{Cancel, Control, Solver};
use cosette_app::answer::{self as app, Mismatch};
use cosette_app::engine::{self, OnEvent};
use cosette_app::explain::Explanation;
use cosette_app::json;
use cosette_app::request::Request;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pythonize::{PythonizeError, depythonize, pythonize};

/// What has been proven about a position. As a dictionary it is what ``cosette solve --json`` prints.
///
///     >>> import cosette
///     >>> answer = cosette.solve("R U2 F'")
///     >>> answer.optimal, answer.length, answer.solution
///     (True, 3, "F U2 R'")
///     >>> answer.to_dict()["solutions"]
///     ["F U2 R'"]
///
/// If a limit stopped the search, ``optimal`` is false, ``length`` is None, and the length of the shortest solutions lies
/// between ``lower_bound`` and ``upper_bound``.
#[pyclass(module = "cosette", frozen, eq, skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub struct Answer(pub json::Solve);

#[pymethods]
impl Answer {
    /// Makes an answer from the dictionary that ``to_dict`` returned.
    #[classmethod]
    fn from_dict(_class: &Bound<'_, PyType>, values: &Bound<'_, PyAny>) -> PyResult<Answer> {
        let not_an_answer = |error: PythonizeError| {
            // Serde's sentence begins with these words and has the name between back-ticks.
            let error = error.to_string();
            let missing = error.split_once("missing field `").and_then(|(_, rest)| rest.split_once('`'));
            let missing = missing.map(|(name, _)| format!("; it has no '{name}'")).unwrap_or_default();
            request::wrong_value("values", values, &format!("give the dictionary that to_dict returned{missing}"))
        };
        depythonize(values).map(Answer).map_err(not_an_answer)
    }

    /// The position as it was given, without its name; its facelets if it was given as a ``Cube``.
    #[getter]
    fn input(&self) -> &str {
        &self.0.input
    }

    /// The name of the position, where its text has one, as in ``T-perm: R U R' …``; else None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The index of the position among those given to ``solve_many``, from 0; None for a single position.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.0.line.map(|line| line.saturating_sub(1))
    }

    /// The format of the text: ``moves``, ``facelets``, ``reid`` or ``speffz``.
    #[getter]
    fn format(&self) -> &str {
        &self.0.format
    }

    /// The position, as 54 facelets.
    #[getter]
    fn facelets(&self) -> &str {
        &self.0.facelets
    }

    /// The position.
    #[getter]
    fn cube(&self) -> PyResult<Cube> {
        parse_facelets(&self.0.facelets).map(Cube::of).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The goal, or another position to be reached; None if it is the solved cube.
    #[getter]
    fn to(&self) -> Option<&str> {
        self.0.to.as_deref()
    }

    /// The turns that were allowed, if this is about a goal; else None.
    #[getter]
    fn turns(&self) -> Option<&str> {
        self.0.turns.as_deref()
    }

    /// What is counted: ``htm`` or ``qtm``, for goals also ``stm``, ``qstm`` or ``etm``.
    #[getter]
    fn metric(&self) -> &str {
        &self.0.metric
    }

    /// Whether ``length`` is proven to be the length of the shortest solutions.
    #[getter]
    fn optimal(&self) -> bool {
        self.0.optimal
    }

    /// The length of the shortest solutions; None if it is not known.
    #[getter]
    fn length(&self) -> Option<u8> {
        self.0.length
    }

    /// No solution is shorter than this.
    #[getter]
    fn lower_bound(&self) -> u8 {
        self.0.lower_bound
    }

    /// The shortest solutions are not longer than this; None if nothing is known, which is 255 in ``to_dict``.
    #[getter]
    fn upper_bound(&self) -> Option<usize> {
        Some(self.0.upper_bound).filter(|&bound| bound < u8::MAX.into())
    }

    /// Shortest solutions, at most as many as requested; empty if none is proven shortest.
    #[getter]
    fn solutions(&self) -> Vec<String> {
        self.0.solutions.clone()
    }

    /// What each solution costs, if this is about a goal; else None.
    #[getter]
    fn lengths(&self) -> Option<Vec<u32>> {
        self.0.lengths.clone()
    }

    /// Where each solution meets the goal, as in ``D`` for a cross, empty if there is one place only; None if this is not about
    /// a goal.
    #[getter]
    fn places(&self) -> Option<Vec<String>> {
        self.0.places.clone()
    }

    /// Why the turns do not lead to the goal, if they do not; else None. The bounds then say nothing.
    #[getter]
    fn unreachable(&self) -> Option<&str> {
        self.0.unreachable.as_deref()
    }

    /// The best solution: a shortest one, or else the best known; None if there is neither.
    #[getter]
    fn solution(&self) -> Option<&str> {
        self.0.solutions.first().or(self.0.best_known.as_ref()).map(String::as_str)
    }

    /// The best solution known if none is proven shortest; else None.
    #[getter]
    fn best_known(&self) -> Option<&str> {
        self.0.best_known.as_deref()
    }

    /// Whether all the solutions requested were found.
    #[getter]
    fn complete(&self) -> bool {
        self.0.complete
    }

    /// Which limit stopped the search early, ``max-length`` or ``timeout``; None if it ran to its end.
    #[getter]
    fn stopped(&self) -> Option<&str> {
        self.0.stopped.as_deref()
    }

    /// How many of the 48 symmetries fix the position.
    #[getter]
    fn symmetries(&self) -> usize {
        self.0.symmetries
    }

    /// What is special about the position, as a dictionary: the symmetries that fix it and those that turn it into its
    /// inverse, its order, its parity; and if all shortest solutions of the whole cube are known, but not those in a journal,
    /// the moves they begin and end with.
    #[getter]
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.explanation)?)
    }

    /// Nodes expanded.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// Table accesses.
    #[getter]
    fn probes(&self) -> u64 {
        self.0.probes
    }

    /// How long the search took, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// The table, as in ``htm-1.5G``.
    #[getter]
    fn table(&self) -> &str {
        &self.0.table
    }

    /// The iterations of the search in order of length: dictionaries of length, nodes, probes, seconds, exhausted.
    #[getter]
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.thresholds)?)
    }

    /// The whole answer as a dictionary. Later versions may add fields; they do not rename any.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0)?)
    }

    /// The whole answer as a line of JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((slf.get_type().getattr("from_dict")?, (slf.get().to_dict(slf.py())?,)))
    }

    fn __repr__(&self) -> String {
        let json::Solve { metric, lower_bound, upper_bound, .. } = &self.0;
        let solution = self.solution().map(|moves| format!(": {moves}")).unwrap_or_default();
        match self.0.length {
            Some(length) => format!("<cosette.Answer {length} {metric}, proven{solution}>"),
            None if self.0.unreachable.is_some() => "<cosette.Answer unreachable>".into(),
            None if *upper_bound == usize::from(u8::MAX) => format!("<cosette.Answer {lower_bound} {metric} or more>"),
            None => format!("<cosette.Answer {lower_bound} to {upper_bound} {metric}{solution}>"),
        }
    }
}

/// Adds what is special about the position, if nothing has yet: a goal and a journal do not.
pub fn explain(answer: &mut json::Solve) {
    let Ok(cube) = parse_facelets(&answer.facelets) else { return };
    answer.explanation.get_or_insert_with(|| Explanation::new(&cube, None));
}

/// Searches a position, the one with this index among many. The answer always says what is special about the position. Fails if
/// a solution is wrong.
pub fn solve(
    solver: &Solver,
    asked: (&Request, Options<'static>),
    (position, index): (&PositionArg, Option<usize>),
    on_event: OnEvent<'_>,
    cancel: &Cancel,
) -> Result<json::Solve, Mismatch> {
    let source = (position.text.as_str(), index.map(|index| index + 1), &position.input);
    let control = Control::new(solver.threads()).with_cancel(cancel);
    let answer = engine::answer(solver, asked, source, on_event, &control)?;
    let answer = app::Answer { name: position.name.clone(), ..answer };
    Ok(json::Solve::from(&answer.as_asked(&Request { explain: true, ..asked.0.clone() })))
}
