//! Engines: the search of this program, or a historical solver of the lab.
//!
//! [`solve`] turns a request into a result, in the same way for every front end: the inverse of
//! the input moves is an upper bound, the engine searches within the limits, and each solution is
//! applied to the position again.

use crate::request::Request;
use crate::solve_result::{
    EngineInfo, InvalidSolution, ParsedPosition, SolveResult, known_solution,
};
use cosette::Control;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, Solver};

/// A callback for the events of a search, called from any thread.
pub type OnEvent<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// An engine that solves positions.
pub trait Engine {
    /// Returns the name of the engine, as in `cosette-lab solve --engine korf`.
    fn name(&self) -> &'static str;

    /// Returns the metric.
    fn metric(&self) -> Metric;

    /// Returns the name of its tables, such as `korf 8+6+6`, or of the method used instead of
    /// tables.
    fn tables(&self) -> String;

    /// Returns `true` if its solutions are proven shortest.
    fn is_optimal(&self) -> bool {
        true
    }

    /// Solves `position`. In the report, nodes are generated nodes, but expanded nodes for the
    /// search of this program, and probes are table lookups. An engine that does not prove
    /// optimality returns its solution as the best known one, with the bound zero.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report;

    /// Returns the description of the engine for results.
    fn info(&self) -> EngineInfo {
        EngineInfo {
            engine: self.name(),
            metric: self.metric(),
            tables: self.tables(),
            is_optimal: self.is_optimal(),
        }
    }
}

impl Engine for Solver {
    fn name(&self) -> &'static str {
        "cosette"
    }

    fn metric(&self) -> Metric {
        Solver::metric(self)
    }

    fn tables(&self) -> String {
        self.table().id().to_string()
    }

    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        self.search(position)
            .options(*options)
            .control(control)
            .on_event(on_event)
            .run()
    }
}

/// Searches a position, using the threads and the cancellation of `control`. The options are those
/// of the request, for one position or for one of many.
///
/// # Errors
///
/// Returns [`InvalidSolution`] if a solution is wrong.
pub fn solve(
    engine: &dyn Engine,
    request: &Request,
    options: Options<'static>,
    position: &ParsedPosition<'_>,
    on_event: OnEvent<'_>,
    control: &Control<'_>,
) -> Result<SolveResult, InvalidSolution> {
    let cancel = request.with_deadline(control.cancel_token());
    let control = control.clone().with_cancel(&cancel);
    let known = known_solution(position.input, engine.metric());
    let options = Options {
        known_solution: known.as_deref(),
        ..options
    };
    let report = engine.solve(&position.input.cube, &options, on_event, &control);
    SolveResult::from_report(position, request, &options, report, &engine.info())
}
