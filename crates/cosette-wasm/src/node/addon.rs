//! What JavaScript sees of the addon.

use crate::requests::{answer, failure};
use crate::session::{Caller, Session};
use cosette::Cancel;
use napi::Status;
use napi::bindgen_prelude::{Error, Result};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode, UnknownReturnValue};
use napi_derive::napi;
use serde_json::{Value, json};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// A function of JavaScript that takes a text. Node runs while there is one, and an exception in it is one that nobody catches,
/// as in any callback.
type Listener = ThreadsafeFunction<String, UnknownReturnValue, String, Status, false>;

/// A request, and who asks.
struct Call {
    request: String,
    cancel: Cancel,
    listener: Listener,
}

impl Call {
    /// Tells JavaScript. Nobody hears it once the program ends.
    fn send(&self, message: &Value) {
        self.listener.call(message.to_string(), ThreadsafeFunctionCallMode::NonBlocking);
    }
}

impl Caller for Call {
    fn tell(&self, event: &Value) {
        self.send(&json!({ "event": event }));
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// An engine: a thread with a table and the search that is under way.
#[napi]
pub struct Engine {
    /// `None` once it is closed.
    calls: Option<Sender<Call>>,
    /// Stops the last call.
    cancel: Cancel,
}

#[napi]
impl Engine {
    /// Starts the thread. Fails if the system refuses that.
    #[napi(constructor)]
    pub fn new() -> Result<Engine> {
        let (sender, calls) = channel::<Call>();
        let work = move || {
            let mut session = Session::default();
            for call in calls {
                let answered = guarded(|| answer(&mut session, call.request.as_bytes(), &call));
                call.send(&json!({ "answer": answered }));
            }
        };
        let started = thread::Builder::new().name("cosette".to_owned()).spawn(work);
        started.map_err(|error| Error::from_reason(format!("the thread of the engine cannot be started: {error}")))?;
        Ok(Engine { calls: Some(sender), cancel: Cancel::new() })
    }

    /// Does what a request asks for, after those before it. Passes events, and last the answer, to `listener`, as JSON.
    #[napi]
    pub fn ask(&mut self, request: String, listener: Listener) {
        self.cancel = Cancel::new();
        if let Some(calls) = &self.calls {
            // The thread ends only when the sender is dropped.
            let _ = calls.send(Call { request, cancel: self.cancel.clone(), listener });
        }
    }

    /// Stops what was asked last: it is answered within a fraction of a second.
    #[napi]
    pub fn stop(&self) {
        self.cancel.cancel();
    }

    /// Stops, and frees the memory once it has stopped.
    #[napi]
    pub fn close(&mut self) {
        self.cancel.cancel();
        self.calls = None;
    }
}

/// One that is not closed is closed when it is collected, or when the worker of Node that made it ends.
impl Drop for Engine {
    fn drop(&mut self) {
        self.close();
    }
}

/// The answer, or an error of the engine if it panics; the session is not used after that.
fn guarded(answer: impl FnOnce() -> Value) -> Value {
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|panic| failure("engine", &message(&*panic)))
}

/// What a panic says.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the engine panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_engine() {
        let number = 7;
        for panic in [guarded(|| panic!("there are {number}")), guarded(|| panic!("there are 7"))] {
            assert_eq!(panic, json!({"error": "engine", "message": "there are 7"}));
        }
        assert_eq!(guarded(|| json!({"length": 3})), json!({"length": 3}));
    }

    #[test]
    fn a_panic_of_any_thread_of_the_library_reaches_the_caller() {
        struct Faulty;
        impl Caller for Faulty {
            fn tell(&self, _event: &Value) {
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
