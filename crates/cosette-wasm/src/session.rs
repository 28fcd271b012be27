//! What is in memory between two requests.

use crate::exports::STOP;
use crate::host::{JOURNAL, PARTIAL, TABLE, tell};
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report};
use cosette::table::{PartialTable, TableError};
use cosette::{Cancel, Control, Cube, Metric, Moves, Progress, Solver, Table, TableId, ThreadCount};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// A table, complete or not, and the search that is under way.
#[derive(Default)]
pub struct Session {
    threads: ThreadCount,
    partial: Option<PartialTable>,
    /// Whether what is generated can be stored.
    is_storing: bool,
    solver: Option<Solver>,
    search: Option<(Cube, Checkpoint)>,
}

/// Where the table is.
pub enum State {
    Ready,
    Generated(Progress),
}

/// A request to stop that the host makes, after this time at the latest.
fn cancel(slice: Option<Duration>) -> Cancel {
    let cancel = Cancel::watching(&STOP);
    slice.map_or(cancel.clone(), |slice| cancel.child_with_timeout(slice))
}

impl Session {
    /// Loads a table from the files of the host, or what there is of it. One thread reads: only this one has the files. Fails if
    /// there is too little memory, or on cancellation.
    pub fn open(&mut self, id: TableId, threads: ThreadCount) -> Result<State, TableError> {
        *self = Session { threads, ..Session::default() };
        let show = |_: &str, Progress { done, total }: Progress| {
            tell(&json!({"event": "loading", "done": done, "total": total}))
        };
        let control = Control::new(ThreadCount::ONE).on_progress(&show).with_cancel(&cancel(None));
        match Table::load_from(id, &TABLE, &control) {
            Ok(table) => {
                self.solver = Some(Solver::new(Arc::new(table), threads));
                return Ok(State::Ready);
            }
            Err(refused) if refused.is_cancellation() || matches!(refused, TableError::TooLittleMemory { .. }) => {
                return Err(refused);
            }
            // What is not there, or damaged, is generated.
            Err(_) => {}
        }
        let mut partial = PartialTable::new(id)?;
        self.is_storing = partial.restore(&PARTIAL, &JOURNAL).is_ok();
        let progress = partial.progress();
        self.partial = Some(partial);
        Ok(State::Generated(progress))
    }

    /// Generates for a slice of time, and stores what was generated. The table is ready once nothing is missing. Fails if the
    /// threads cannot be started, or on cancellation before anything was generated.
    pub fn generate(&mut self, slice: Duration) -> Result<State, TableError> {
        let Some(partial) = &mut self.partial else { return Ok(State::Ready) };
        let control = Control::new(self.threads).with_cancel(&cancel(None));
        // The slice begins after what cannot be kept, or each would end within it.
        partial.prepare(&control)?;
        let generated = partial.generate(&control.with_timeout(slice));
        self.is_storing = self.is_storing && partial.store(&PARTIAL, &JOURNAL).is_ok();
        match generated {
            Err(TableError::Stopped { kept, .. }) => return Ok(State::Generated(kept)),
            generated => generated?,
        }
        let partial = self.partial.take().expect("it was there above");
        if self.is_storing {
            // If the file cannot be completed, the table is used all the same.
            self.is_storing = partial.complete(&PARTIAL, &JOURNAL, &Control::new(self.threads)).is_ok();
        }
        let table = partial.into_table();
        self.solver = Some(Solver::new(Arc::new(table), self.threads));
        Ok(State::Ready)
    }

    /// Whether the table is stored, and will not be generated again.
    pub fn is_stored(&self) -> bool {
        self.is_storing
    }

    /// The metric of the table, if it is ready.
    pub fn metric(&self) -> Option<Metric> {
        self.solver.as_ref().map(Solver::metric)
    }

    /// Searches, from its beginning if this is another position, for a slice of time or to its end.
    pub fn search(&mut self, position: Cube, options: Options<'_>, slice: Option<Duration>) -> Option<Report> {
        let solver = self.solver.as_ref()?;
        let from = self.search.take().filter(|(of, _)| *of == position).map(|(_, checkpoint)| checkpoint);
        let metric = solver.metric();
        let tell_event = |event: Event<'_>| tell(&event_json(event, metric));
        let search = solver.search(&position).options(options).cancel(&cancel(slice)).on_event(&tell_event);
        let (report, checkpoint) = search.resume(from.unwrap_or_default());
        if slice.is_some() && report.outcome == cosette::search::Outcome::Cancelled {
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
        }),
        Event::ThresholdDone(threshold) => json!({
            "event": "lengthSearched", "length": threshold.length, "nodes": threshold.nodes, "probes": threshold.probes,
            "seconds": threshold.elapsed.as_secs_f64(), "exhausted": threshold.exhausted,
        }),
    }
}
