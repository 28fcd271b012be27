//! The Node addon: the solver as a native library, with the table folder of the command.
//!
//! JavaScript creates an `Engine`, which has its own thread while it is open, and sends it requests
//! in JSON. Events and the result are passed to a function that is given with each request. Node
//! keeps running until that function has received the result, and does not wait for an engine
//! without requests.

use crate::requests::{TableLocation, answer};
use crate::session::{Caller, EngineError, Session};
use cosette::table::choice::{DEFAULT_TABLE, MemoryLimit, OpenError, TableSelection, choose};
use cosette::table::{TableError, TableFileState, TableFolder};
use cosette::{Cancel, Control, Metric, Progress, Table, TableId, ThreadCount};
use cosette_app::events::Throttle;
use napi::Status;
use napi::bindgen_prelude::Error;
use napi::threadsafe_function::{
    ThreadsafeFunction, ThreadsafeFunctionCallMode, UnknownReturnValue,
};
use napi_derive::napi;
use serde_json::{Value, json};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

/// A JavaScript function that takes a text. Node keeps running while there is one, and exceptions
/// in it are uncaught, as in any callback.
type Listener = ThreadsafeFunction<String, UnknownReturnValue, String, Status, false>;

/// A request with its caller.
struct Call {
    request: String,
    cancel: Cancel,
    listener: Listener,
}

impl Call {
    /// Sends a message to JavaScript. It is lost if the program is ending.
    fn send(&self, message: &Value) {
        self.listener
            .call(message.to_string(), ThreadsafeFunctionCallMode::NonBlocking);
    }
}

impl Caller for Call {
    fn send_event(&self, event: &Value) {
        self.send(&json!({ "event": event }));
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// An engine: a thread with a table and the current search.
#[napi(js_name = "Engine")]
pub struct NodeEngine {
    /// `None` once the engine is closed.
    calls: Option<Sender<Call>>,
    /// Cancels the last call.
    cancel: Cancel,
}

#[napi]
impl NodeEngine {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// Returns an error if the thread cannot be started.
    #[napi(constructor)]
    pub fn new() -> napi::Result<NodeEngine> {
        let (sender, calls) = channel::<Call>();
        let work = move || {
            let mut session = Session::default();
            for call in calls {
                let result = guarded(|| answer(&mut session, call.request.as_bytes(), &call));
                call.send(&json!({ "answer": result }));
            }
        };
        let started = thread::Builder::new()
            .name("cosette".to_owned())
            .spawn(work);
        started.map_err(|error| {
            Error::from_reason(format!("cannot start the engine's thread: {error}"))
        })?;
        Ok(NodeEngine {
            calls: Some(sender),
            cancel: Cancel::new(),
        })
    }

    /// Queues a request after the earlier requests. Its events, and finally its result, are passed
    /// to `listener` as JSON.
    #[napi]
    pub fn ask(&mut self, request: String, listener: Listener) {
        self.cancel = Cancel::new();
        if let Some(calls) = &self.calls {
            // The thread ends only when the sender is dropped.
            let _ = calls.send(Call {
                request,
                cancel: self.cancel.clone(),
                listener,
            });
        }
    }

    /// Cancels the last request, which returns within a fraction of a second.
    #[napi]
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Cancels the last request, and frees the memory once it has stopped.
    #[napi]
    pub fn close(&mut self) {
        self.cancel.cancel();
        self.calls = None;
    }
}

/// Closes an engine that is garbage collected, or whose Node worker ends.
impl Drop for NodeEngine {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns the result of `answer`, or an error of the kind `engine` if it panics. After a panic,
/// the session must not be used.
fn guarded(answer: impl FnOnce() -> Value) -> Value {
    catch_unwind(AssertUnwindSafe(answer))
        .unwrap_or_else(|panic| json!(EngineError::new("engine", message(&*panic))))
}

/// Returns the message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("the engine panicked")
}

/// Minimum time between two progress events to JavaScript.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

impl Session {
    /// Loads a table from its folder; `htm-auto` or `qtm-auto` is the largest table of that metric
    /// that is stored and fits in memory, or the default one. A missing or corrupted table is
    /// generated first, by this process or by another one that has already started. If the table
    /// cannot be stored in the default folder, it is generated in memory. The table is complete on
    /// return, so no progress is returned.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is unknown, if the file at the table's path is not this table,
    /// if the table cannot be stored in a named folder,
    /// if there is too little memory, if threads cannot be started, or on cancellation.
    pub fn open(
        &mut self,
        name: &str,
        threads: ThreadCount,
        location: TableLocation,
        caller: &impl Caller,
    ) -> Result<(TableId, Option<Progress>), EngineError> {
        *self = Session::new(threads);
        let folder = (!location.in_memory)
            .then(|| {
                let named = location.folder.map(TableFolder::new);
                named.or_else(TableFolder::user_default)
            })
            .flatten();
        let selection = select(name, folder.as_ref())?;
        let throttle = Throttle::new(PROGRESS_INTERVAL);
        let last_shown = Mutex::new(("", 0));
        let show = |step: &str, progress: Progress| {
            // The step of waiting for a process that generates the table also counts as generating.
            let step = if step.starts_with("loading") {
                "loading"
            } else {
                "generating"
            };
            // The lock is held so that progress events are sent in order.
            let mut last = last_shown
                .lock()
                .expect("no thread panics while it has the lock");
            let is_further = step != last.0 || progress.done > last.1;
            let is_end = progress.done == progress.total;
            if is_further && (step != last.0 || is_end || throttle.is_due()) {
                *last = (step, progress.done);
                caller.send_progress(step, progress);
            }
        };
        let control = Control::new(threads)
            .on_progress(show)
            .with_cancel(&caller.cancel());
        let (table, is_stored) = match folder {
            Some(folder) => {
                // While stored parts are read, the progress counts from 0 again. `show` then
                // reports nothing until it exceeds this one.
                if let TableFileState::Partial(progress) = folder.state(selection.id) {
                    show("generating", progress);
                }
                from_folder(&folder, selection, &control)?
            }
            None => (Table::generate(selection.id, &control)?, false),
        };
        let id = table.id();
        self.use_table(table);
        self.is_stored = is_stored;
        Ok((id, None))
    }
}

impl From<OpenError> for EngineError {
    fn from(error: OpenError) -> EngineError {
        match error {
            OpenError::Table(error) => error.into(),
            error => EngineError::new("table", error),
        }
    }
}

/// Selects the table of this name, or for `htm-auto` or `qtm-auto` the best one of the metric in the
/// folder; without a folder, the default one.
fn select(name: &str, folder: Option<&TableFolder>) -> Result<TableSelection, EngineError> {
    let automatic = name
        .to_ascii_lowercase()
        .strip_suffix("-auto")
        .and_then(|metric| metric.parse::<Metric>().ok());
    let memory = MemoryLimit::now(None);
    let id = match (automatic, folder) {
        (Some(metric), Some(folder)) => return Ok(choose(folder, metric, None, memory)?),
        (Some(metric), None) => TableId {
            metric,
            size: DEFAULT_TABLE,
        },
        (None, _) => name.parse()?,
    };
    if !memory.fits(id.size) {
        let error = TableError::TooLittleMemory {
            needed: id.size.bytes(),
            available: memory.available,
        };
        return Err(error.into());
    }
    Ok(TableSelection {
        id,
        is_on_disk: folder.is_some_and(|folder| folder.path_of(id).exists()),
        better: None,
        or_smaller: false,
    })
}

/// Returns a table from its folder, and `true` if it is stored there.
fn from_folder(
    folder: &TableFolder,
    selection: TableSelection,
    control: &Control<'_>,
) -> Result<(Table, bool), TableError> {
    let TableSelection { id, is_on_disk, .. } = selection;
    match folder.open(selection, control) {
        Ok(opened) => return Ok((opened.table, opened.save_error.is_none())),
        // Nothing can be stored in a folder that is named.
        Err(error) if !is_on_disk || !can_be_generated_again(&error) => return Err(error),
        Err(_) => {}
    }
    match folder.generate(id, control) {
        Ok(()) => Ok((folder.load(id, control)?, true)),
        Err(error) if !can_be_generated_again(&error) => Err(error),
        Err(_) => Ok((Table::generate(id, control)?, false)),
    }
}

/// Returns `true` if the table can be generated again after this error: if the error concerns the
/// file of the table, and not the machine, the caller or another file.
fn can_be_generated_again(error: &TableError) -> bool {
    let concerns_machine = matches!(
        error,
        TableError::TooLittleMemory { .. } | TableError::Threads(_)
    );
    !concerns_machine && !error.is_cancellation() && !error.is_other_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_engine() {
        let number = 7;
        for panic in [
            guarded(|| panic!("there are {number}")),
            guarded(|| panic!("there are 7")),
        ] {
            assert_eq!(panic, json!({"error": "engine", "message": "there are 7"}));
        }
        assert_eq!(guarded(|| json!({"length": 3})), json!({"length": 3}));
    }

    #[test]
    fn a_panic_of_any_thread_of_the_library_reaches_the_caller() {
        struct Faulty;
        impl Caller for Faulty {
            fn send_event(&self, _event: &Value) {
                panic!("it cannot hear");
            }
            fn cancel(&self) -> Cancel {
                Cancel::new()
            }
        }
        let mut session = Session::default();
        let open = r#"{"do": "open", "table": "htm-24M", "threads": 2, "inMemory": true}"#;
        let refused = guarded(|| answer(&mut session, open.as_bytes(), &Faulty));
        assert_eq!(refused["error"], "engine");
    }
}
