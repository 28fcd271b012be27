//! What is in memory between two requests.

use cosette::cube::{Cube, Input};
use cosette::goal::Found;
use cosette::search::distributed::Checkpoint;
use cosette::search::{Event, Options, Report, TwoPhaseUse};
use cosette::{Cancel, Control, Metric, Progress, Solver, Table, ThreadCount};
use cosette_app::answer::{Mismatch, Stop};
use cosette_app::engine::{self, Engine, OnEvent};
use cosette_app::fewest;
use cosette_app::fewest::insert::{Insertion, Unfinished, shortest};
use cosette_app::fewest::request::{Asked, Refused};
use cosette_app::fewest::skeleton::Skeleton;
use cosette_app::fewest::steps::Steps;
use cosette_app::goals::{Goals, Listener, Preparation};
use cosette_app::json;
use cosette_app::request::Request;
use cosette_app::short::Short;
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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
    /// A table that is not complete.
    #[cfg(target_family = "wasm")]
    pub partial: Option<cosette::table::PartialTable>,
    solver: Option<Solver>,
    goals: Goals,
    steps: Steps,
    search: Option<UnderWay>,
}

/// A search of which slices of time are done.
struct UnderWay {
    position: Cube,
    checkpoint: Checkpoint,
    since: Instant,
}

/// What a search, or a slice of it, has proven.
#[derive(Serialize)]
pub struct Solved {
    answer: json::Solve,
    /// The slice has ended, and the same request goes on.
    unfinished: bool,
}

impl Solved {
    /// The same with the name of the position.
    pub fn named(self, name: Option<String>) -> Solved {
        Solved { answer: json::Solve { name, ..self.answer }, ..self }
    }
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

    /// Answers a text: searches its position, from its beginning if this is another, for a slice of time or to its end. A plain
    /// search uses neither the two-phase search nor the given moves. A goal is searched in one go, with its own tables. `None` without
    /// a table, unless it is near solved; fails if a solution is wrong.
    pub fn solve(
        &mut self,
        (text, input): (&str, &Input),
        (request, is_plain): (&Request, bool),
        slice: Option<Duration>,
        caller: &impl Caller,
    ) -> Result<Option<Solved>, Mismatch> {
        let control = Control::new(self.threads).with_cancel(&caller.cancel());
        if let Ok(Some(goal)) = request.goal() {
            let tell = |event: json::Event| caller.tell(&json!(event));
            let on_event = |event: Event<'_>| tell(json::Event::new(event, request.metric_of_faces()));
            let on_found = |found: &Found| tell(json::Event::found(found));
            let listener = Listener { on_event: &on_event, on_found: &on_found };
            let preparation = Preparation::default();
            let on_progress =
                |step: &str, progress: Progress| preparation.event(step, progress).into_iter().for_each(tell);
            let control = control.on_progress(&on_progress);
            let answer = self.goals.answer((request, &goal), (text, None, input), listener, &control);
            return Ok(Some(Solved { answer, unfinished: false }));
        }
        let Some(solver) = &self.solver else {
            let is_tried = request.max_length.is_none();
            let short = is_tried.then(|| Short::of(&input.cube, request.metric_of_faces())).flatten();
            let answer = short.map(|short| answered(&short, (text, input), request, caller, &control)).transpose()?;
            return Ok(answer.map(|answer| Solved { answer, unfinished: false }));
        };
        let (metric, position) = (solver.metric(), input.cube);
        let begin = || UnderWay { position, checkpoint: Checkpoint::default(), since: Instant::now() };
        let UnderWay { checkpoint, since, .. } =
            self.search.take().filter(|search| search.position == position).unwrap_or_else(begin);
        let left = request.timeout.map(|timeout| timeout.saturating_sub(since.elapsed()));
        let request =
            Request { metric: metric.into(), timeout: left.into_iter().chain(slice).min(), ..request.clone() };

        let engine = Resumed { solver, is_plain, checkpoint: Mutex::new(checkpoint) };
        let mut answer = answered(&engine, (text, input), &request, caller, &control)?;

        let is_sliced = slice.is_some_and(|slice| left.is_none_or(|left| slice < left));
        if slice.is_some() {
            // With what was done between slices.
            answer.seconds = since.elapsed().as_secs_f64();
        }
        let unfinished = is_sliced && answer.stopped.as_deref() == Some(Stop::Timeout.name());
        if unfinished {
            let checkpoint = engine.checkpoint.into_inner().expect("no thread panics while it has the lock");
            self.search = Some(UnderWay { position, checkpoint, since });
            // Whoever does not go on has stopped it.
            answer.stopped = Some(Stop::Interrupt.name().to_owned());
        }
        Ok(Some(Solved { answer, unfinished }))
    }

    /// Finds skeletons of fewest moves, and tells those that are shorter than all before. Fails if what comes before the first steps is not
    /// reached.
    pub fn fewest(
        &self,
        (text, scramble): (&str, Cube),
        asked: &Asked,
        caller: &impl Caller,
    ) -> Result<fewest::write::Answer, Refused> {
        // In WebAssembly one thread: the heap may not grow while others run (`wasm.rs`).
        let threads = if cfg!(target_family = "wasm") { ThreadCount::ONE } else { self.threads };
        let control = Control::new(threads).with_cancel(&caller.cancel());
        let on_better = |skeleton: &Skeleton| caller.tell(&json!(fewest::write::Event::Skeleton(skeleton.into())));
        Ok(asked.search(scramble, &self.steps, &on_better, &control)?.answer((text, None)))
    }

    /// Finds the insertions in a skeleton. `None` without a table in the half-turn metric, or inside if it is stopped.
    pub fn insertions(&self, skeleton: &Unfinished, caller: &impl Caller) -> Option<Option<Vec<Insertion>>> {
        let (solver, cancel) = (self.solver.as_ref()?, caller.cancel());
        let is_in_htm = solver.metric() == Metric::Htm;
        is_in_htm.then(|| skeleton.insertions(|position| shortest(solver, position, &cancel)))
    }

    /// Forgets the search that is under way.
    pub fn forget_search(&mut self) {
        self.search = None;
    }
}

/// What an engine answers. As the HTTP API does, it always says what is special about the position.
fn answered(
    engine: &impl Engine,
    (text, input): (&str, &Input),
    request: &Request,
    caller: &impl Caller,
    control: &Control<'_>,
) -> Result<json::Solve, Mismatch> {
    let metric = engine.metric();
    let tell = |event: Event<'_>| caller.tell(&json!(json::Event::new(event, metric)));
    let answer = engine::answer(engine, (request, request.options()), (text, None, input), &tell, control)?;
    Ok((&answer.as_asked(&Request { explain: true, ..request.clone() })).into())
}

/// A search that goes on from a checkpoint.
struct Resumed<'a> {
    solver: &'a Solver,
    is_plain: bool,
    checkpoint: Mutex<Checkpoint>,
}

impl Engine for Resumed<'_> {
    fn name(&self) -> &'static str {
        self.solver.name()
    }

    fn metric(&self) -> Metric {
        self.solver.metric()
    }

    fn tables(&self) -> String {
        self.solver.tables()
    }

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        let plain = Options { known: None, two_phase: TwoPhaseUse::Never, ..*options };
        let options = if self.is_plain { plain } else { *options };
        let mut checkpoint = self.checkpoint.lock().expect("no thread panics while it has the lock");
        let search = self.solver.search(position).options(options).control(control).on_event(on_event);
        let (report, reached) = search.resume(std::mem::take(&mut checkpoint));
        *checkpoint = reached;
        report
    }
}
