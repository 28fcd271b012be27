//! What is in memory between two requests.

use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Outcome, Report};
use cosette::{Cancel, Cube, Metric, Moves, Progress, Solver, Table, ThreadCount};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Who asks.
pub trait Caller: Sync {
    /// Tells what happens. May be called by any thread.
    fn tell(&self, event: &Value);

    /// The caller's request to stop what was asked for.
    fn cancel(&self) -> Cancel;

    /// Tells how far a table is loaded or generated.
    fn tell_progress(&self, step: &str, Progress { done, total }: Progress) {
        self.tell(&json!({"event": step, "done": done, "total": total}));
    }
}

/// A table, complete or not, and the search that is under way. Tables are opened in `wasm.rs` or `node.rs`.
#[derive(Default)]
pub struct Session {
    threads: ThreadCount,
    /// Whether the table is stored, or what is generated of it, and will not be generated again.
    pub is_stored: bool,
    #[cfg(target_family = "wasm")]
    pub partial: crate::wasm::Partial,
    solver: Option<Solver>,
    search: Option<(Cube, Checkpoint)>,
}

impl Session {
    /// A session without a table.
    pub fn new(threads: ThreadCount) -> Session {
        Session { threads, ..Session::default() }
    }

    /// How many threads do the work.
    #[cfg(target_family = "wasm")]
    pub fn threads(&self) -> ThreadCount {
        self.threads
    }

    /// From now on, this table is searched with.
    pub fn use_table(&mut self, table: Table) {
        self.solver = Some(Solver::new(Arc::new(table), self.threads));
    }

    /// The metric of the table, if it is ready.
    pub fn metric(&self) -> Option<Metric> {
        self.solver.as_ref().map(Solver::metric)
    }

    /// Searches, from its beginning if this is another position, for a slice of time or to its end.
    pub fn search(
        &mut self,
        position: Cube,
        options: Options<'_>,
        slice: Option<Duration>,
        caller: &impl Caller,
    ) -> Option<Report> {
        let solver = self.solver.as_ref()?;
        let from = self.search.take().filter(|(of, _)| *of == position).map(|(_, checkpoint)| checkpoint);
        let metric = solver.metric();
        let tell = |event: Event<'_>| caller.tell(&event_json(event, metric));
        let whole = caller.cancel();
        let cancel = whole.limited(slice);
        let search = solver.search(&position).options(options).cancel(&cancel).on_event(&tell);
        let (report, checkpoint) = search.resume(from.unwrap_or_default());
        if slice.is_some() && matches!(report.outcome, Outcome::Cancelled(_)) {
            self.search = Some((position, checkpoint));
        }
        Some(report)
    }

    /// Forgets the search that is under way.
    pub fn forget_search(&mut self) {
        self.search = None;
    }
}

fn event_json(event: Event<'_>, metric: Metric) -> Value {
    match event {
        Event::Solution(moves) => {
            json!({"event": "solution", "solution": Moves(moves).to_string(), "length": metric.length(moves)})
        }
        Event::ThresholdStarted { length } => json!({"event": "lowerBound", "length": length}),
        Event::Progress { length, progress, remaining } => json!({
            "event": "progress", "length": length, "done": progress.done, "total": progress.total,
            "remainingSeconds": remaining.map(|remaining| remaining.threshold.as_secs_f64()),
            "proofSeconds": remaining.and_then(|remaining| remaining.proof).map(|proof| proof.as_secs_f64()),
        }),
        Event::ThresholdDone(threshold) => json!({
            "event": "lengthSearched", "length": threshold.length, "nodes": threshold.nodes, "probes": threshold.probes,
            "seconds": threshold.elapsed.as_secs_f64(), "exhausted": threshold.exhausted,
        }),
    }
}
