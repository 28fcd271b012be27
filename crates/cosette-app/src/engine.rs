//! What solves: the search of this program, or a system of the lab.
//!
//! [`answer`] is the way from a request to an answer, the same for every front end: the moves that were given lend their
//! inverse as an upper bound, the engine searches within the limits, and each solution is applied to the position again.

use crate::answer::{Answer, Mismatch, SolvedBy, known_solution};
use crate::request::Request;
use cosette::Control;
use cosette::cube::{Cube, Input, Metric};
use cosette::search::{Event, Options, Report, Solver};

/// Receives the events of a search, from any thread.
pub type OnEvent<'a> = &'a (dyn Fn(Event<'_>) + Sync);

/// A system that solves positions.
pub trait Engine {
    /// Its name, as in `cosette solve --engine korf`.
    fn name(&self) -> &'static str;

    /// What it counts.
    fn metric(&self) -> Metric;

    /// The name of its tables, such as `korf 8+6+6`, or of what it has instead of tables.
    fn tables(&self) -> String;

    /// Whether it proves its solutions the shortest.
    fn is_optimal(&self) -> bool {
        true
    }

    /// Solves `position`. In the report nodes are those generated, by the search of this program those expanded, and probes
    /// accesses to tables. A system that does not prove gives the solution it found as the best known, with the bound zero.
    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report;

    /// What answers say of it.
    fn by(&self) -> SolvedBy {
        let (engine, metric, tables, is_optimal) = (self.name(), self.metric(), self.tables(), self.is_optimal());
        SolvedBy { engine, metric, tables, is_optimal }
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

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        self.search(position).options(*options).control(control).on_event(on_event).run()
    }
}

/// Answers a text, one of a list if it has the number of a line: searches its position, with the threads and the cancellation
/// of `control`. The options are those of the request, for one position or for one of many. The answer is still to be made [as
/// asked](Answer::as_asked). Fails if a solution is wrong.
pub fn answer<'a>(
    engine: &dyn Engine,
    (request, options): (&Request, Options<'static>),
    (text, line, input): (&'a str, Option<usize>, &'a Input),
    on_event: OnEvent<'_>,
    control: &Control<'_>,
) -> Result<Answer<'a>, Mismatch> {
    let cancel = request.limited(control.cancel());
    let known = known_solution(input, engine.metric());
    let options = Options { known: known.as_deref(), ..options };
    let report = engine.solve(&input.cube, &options, on_event, &control.clone().with_cancel(&cancel));
    Answer::new((text, line, input), report, &options, engine.by())
}
