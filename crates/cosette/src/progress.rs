//! How long work reports how far it is, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a piece of work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// How much is done, in a unit of the work's own.
    pub done: u64,
    /// How much there is to do.
    pub total: u64,
}

impl Progress {
    /// How much is done in per cent, rounded down: 100 only at the end.
    pub fn percent(self) -> u64 {
        (100 * self.done).checked_div(self.total).unwrap_or(100)
    }
}

/// Called now and then, from any thread, with how far the work is.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Sync);

/// A request to stop, shared between those who may make it and the work that heeds it. A search does so
/// within milliseconds, work on tables within a fraction of a second.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    is_made: AtomicBool,
    /// The request to stop the whole, of which this is a part.
    whole: Option<Cancel>,
}

impl Cancel {
    /// A request that has not been made.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A request for a part of the work, which can be stopped by itself and stops with the whole.
    pub fn of_part(&self) -> Cancel {
        Cancel(Arc::new(Request { is_made: AtomicBool::new(false), whole: Some(self.clone()) }))
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.is_made.store(true, Ordering::Relaxed);
    }

    /// Whether the work has been asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_made.load(Ordering::Relaxed) || self.0.whole.as_ref().is_some_and(Cancel::is_cancelled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_by_itself_and_with_the_whole() {
        let whole = Cancel::new();
        let [one, other] = [whole.of_part(), whole.of_part()];
        one.cancel();
        assert_eq!([&whole, &one, &other].map(Cancel::is_cancelled), [false, true, false]);
        whole.cancel();
        assert!(other.is_cancelled());
    }
}
