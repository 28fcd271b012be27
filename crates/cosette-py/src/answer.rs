//! Answers: the proven results of positions.

use crate::arguments;
use crate::cube::PyCube;
use cosette::cube::parse_facelets;
use cosette::search::Explanation;
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette::search::{Event, Options};
use cosette::{Cancel, Control, Solver};
use cosette_app::engine;
use cosette_app::events::SearchEvent;
use cosette_app::goal_engine::{GoalSolverCache, OnSearchEvent};
use cosette_app::request::{GoalRequest, Request};
use cosette_app::solve_result::{InvalidSolution, ParsedPosition};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pythonize::{PythonizeError, depythonize, pythonize};

/// The proven result for a position. ``to_dict`` returns the fields that ``cosette solve --json``
/// prints, and the ``index`` of the position.
///
///     >>> import cosette
///     >>> answer = cosette.solve("R U2 F'")
///     >>> answer.optimal, answer.length, answer.solution
///     (True, 3, "F U2 R'")
///     >>> answer.to_dict()["solutions"]
///     ["F U2 R'"]
///
/// If a limit stopped the search, ``optimal`` is False, ``length`` is None, and the length of the
/// shortest solutions lies between ``lower_bound`` and ``upper_bound``.
#[pyclass(name = "Answer", module = "cosette", frozen, eq, skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub struct PyAnswer(pub SolveResult);

#[pymethods]
impl PyAnswer {
    /// Creates an answer from the dictionary that ``to_dict`` returned.
    #[classmethod]
    fn from_dict(_class: &Bound<'_, PyType>, values: &Bound<'_, PyAny>) -> PyResult<PyAnswer> {
        let not_an_answer = |error: PythonizeError| {
            // Serde's message begins with these words, followed by the field name in backticks.
            let error = error.to_string();
            let missing = error
                .split_once("missing field `")
                .and_then(|(_, rest)| rest.split_once('`'));
            let missing = missing
                .map(|(name, _)| format!("; '{name}' is missing"))
                .unwrap_or_default();
            arguments::wrong_value(
                "values",
                values,
                &format!("pass a dictionary returned by to_dict{missing}"),
            )
        };
        depythonize(values).map(PyAnswer).map_err(not_an_answer)
    }

    /// The position as it was given, without its name; for a ``Cube`` its 54 facelets.
    #[getter]
    fn input(&self) -> &str {
        &self.0.input
    }

    /// The name of the position, if the string contains one, as in ``T-perm: R U R' …``; else None.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The index of the position among those given to ``solve_many``, from 0; None for a single
    /// position.
    #[getter]
    fn index(&self) -> Option<usize> {
        self.0.line.map(|line| line.saturating_sub(1))
    }

    /// The format of ``input``: ``moves``, ``facelets``, ``reid`` or ``speffz``.
    #[getter]
    fn format(&self) -> &str {
        &self.0.format
    }

    /// The position, as a string of 54 facelets.
    #[getter]
    fn facelets(&self) -> &str {
        &self.0.facelets
    }

    /// The position, as a ``Cube``.
    #[getter]
    fn cube(&self) -> PyResult<PyCube> {
        parse_facelets(&self.0.facelets)
            .map(PyCube::of)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// The goal, or another target position; None if it is the solved cube.
    #[getter]
    fn goal(&self) -> Option<&str> {
        self.0.goal.as_deref()
    }

    /// The allowed moves, if there is a goal; else None.
    #[getter]
    fn allowed_moves(&self) -> Option<&str> {
        self.0.allowed_moves.as_deref()
    }

    /// The metric: ``htm`` or ``qtm``, for goals also ``stm``, ``qstm`` or ``etm``.
    #[getter]
    fn metric(&self) -> &str {
        &self.0.metric
    }

    /// True if ``length`` is proven to be the length of the shortest solutions.
    #[getter]
    fn optimal(&self) -> bool {
        self.0.optimal
    }

    /// The length of the shortest solutions; None if it is not known.
    #[getter]
    fn length(&self) -> Option<u8> {
        self.0.length
    }

    /// Proven lower bound: no solution is shorter.
    #[getter]
    fn lower_bound(&self) -> u8 {
        self.0.lower_bound
    }

    /// Upper bound: the shortest solutions are not longer. None if no bound is known; ``to_dict``
    /// then has 255.
    #[getter]
    fn upper_bound(&self) -> Option<usize> {
        Some(self.0.upper_bound).filter(|&bound| bound < u8::MAX.into())
    }

    /// Shortest solutions, at most as many as requested, with ``slack`` also longer ones; empty if
    /// none is proven to be shortest.
    #[getter]
    fn solutions(&self) -> Vec<String> {
        self.0.solutions.clone()
    }

    /// The cost of each solution, if there is a goal; else None.
    #[getter]
    fn costs(&self) -> Option<Vec<u32>> {
        self.0.costs.clone()
    }

    /// The variants of the goal that each solution reaches, such as ``D`` for a cross on D; empty
    /// strings if the goal has only one variant. None without a goal.
    #[getter]
    fn variants(&self) -> Option<Vec<String>> {
        self.0.variants.clone()
    }

    /// The reason why the allowed moves cannot reach the goal, or None if they can. The bounds of
    /// an unreachable goal are meaningless.
    #[getter]
    fn unreachable(&self) -> Option<&str> {
        self.0.unreachable.as_deref()
    }

    /// The best solution: a shortest one or, if none is proven, the best known one; None if there
    /// is neither.
    #[getter]
    fn solution(&self) -> Option<&str> {
        self.0
            .solutions
            .first()
            .or(self.0.best_known.as_ref())
            .map(String::as_str)
    }

    /// The best known solution if none is proven to be shortest; else None.
    #[getter]
    fn best_known(&self) -> Option<&str> {
        self.0.best_known.as_deref()
    }

    /// True if all requested solutions were found.
    #[getter]
    fn complete(&self) -> bool {
        self.0.complete
    }

    /// The limit that stopped the search early, ``max-length`` or ``timeout``; None if it was not
    /// stopped. In answers of other programs also ``memory`` or ``interrupt``.
    #[getter]
    fn stop_reason(&self) -> Option<&str> {
        self.0.stop_reason.map(StopReason::name)
    }

    /// The number of symmetries, out of 48, that fix the position.
    #[getter]
    fn symmetries(&self) -> usize {
        self.0.symmetries
    }

    /// The special properties of the position, as a dictionary: the numbers of symmetries that fix
    /// it and that map it to its inverse, its order, its parity and, if all shortest solutions are
    /// known, their first and last moves. Answers for part of the cube or from a journal lack these
    /// moves.
    #[getter]
    fn explanation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.explanation)?)
    }

    /// The number of expanded nodes.
    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    /// The number of table lookups.
    #[getter]
    fn probes(&self) -> u64 {
        self.0.probes
    }

    /// The time of the search, in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.seconds
    }

    /// The name of the table, such as ``htm-1.5G``.
    #[getter]
    fn table(&self) -> &str {
        &self.0.table
    }

    /// The iterations of the search, by length: dictionaries with ``length``, ``nodes``,
    /// ``probes``, ``seconds`` and ``exhausted``.
    #[getter]
    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.iterations)?)
    }

    /// Returns the whole answer as a dictionary. Later versions may add fields, but do not rename
    /// any.
    ///
    /// For a position of ``solve_many``, ``index`` counts from 0 and ``line`` from 1, as the lines
    /// of ``cosette batch``.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = pythonize(py, &self.0)?;
        if let Some(index) = self.index() {
            values.set_item("index", index)?;
        }
        Ok(values)
    }

    /// Returns the whole answer as a line of JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        Ok((
            slf.get_type().getattr("from_dict")?,
            (slf.get().to_dict(slf.py())?,),
        ))
    }

    fn __repr__(&self) -> String {
        let SolveResult {
            metric,
            lower_bound,
            upper_bound,
            ..
        } = &self.0;
        let solution = self
            .solution()
            .map(|moves| format!(": {moves}"))
            .unwrap_or_default();
        match self.0.length {
            Some(length) => format!("<cosette.Answer {length} {metric}, proven{solution}>"),
            None if self.0.unreachable.is_some() => "<cosette.Answer unreachable>".into(),
            None if *upper_bound == usize::from(u8::MAX) => {
                format!("<cosette.Answer {lower_bound} {metric} or more>")
            }
            None => format!("<cosette.Answer {lower_bound} to {upper_bound} {metric}{solution}>"),
        }
    }
}

/// Adds the explanation of the position if there is none: results of goals and results from
/// journals have none.
pub fn explain(answer: &mut SolveResult) {
    let Ok(cube) = parse_facelets(&answer.facelets) else {
        return;
    };
    answer
        .explanation
        .get_or_insert_with(|| Explanation::new(&cube, None));
}

/// Solves a position, or searches a goal from it. The result always includes the explanation of the
/// position.
///
/// # Errors
///
/// Returns [`InvalidSolution`] if a solution is wrong.
pub fn solve(
    solver: &Solver,
    request: &Request,
    goal: Option<(&GoalRequest, &GoalSolverCache)>,
    options: Options<'static>,
    position: &ParsedPosition<'_>,
    tell: OnSearchEvent<'_>,
    cancel: &Cancel,
) -> Result<SolveResult, InvalidSolution> {
    let control = Control::new(solver.threads()).with_cancel(cancel);
    if let Some((goal, solvers)) = goal {
        let mut result = solvers.solve(request, goal, position, tell, &control)?;
        explain(&mut result);
        return Ok(result);
    }
    let request = Request {
        explain: true,
        ..request.clone()
    };
    let metric = solver.metric();
    let on_event = |event: Event<'_>| tell(SearchEvent::new(event, metric));
    engine::solve(solver, &request, options, position, &on_event, &control)
}
