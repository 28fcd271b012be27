//! A limit on the rate of progress reports.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A limit on the rate of reports, from any thread.
#[derive(Debug)]
pub struct Throttle {
    interval: Duration,
    last: Mutex<Option<Instant>>,
}

impl Throttle {
    /// Creates a limit of one report per interval.
    pub const fn new(interval: Duration) -> Throttle {
        Throttle {
            interval,
            last: Mutex::new(None),
        }
    }

    /// Returns `true` if a report is due; the next one is then due an interval later.
    pub fn is_due(&self) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| last.elapsed() >= self.interval);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
