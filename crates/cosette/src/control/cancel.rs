//! Requests to stop.

use crate::platform::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A request to stop, shared between the code that makes it and the work that checks it. A search stops
/// within milliseconds, work on tables within a fraction of a second.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Request>);

#[derive(Debug, Default)]
struct Request {
    is_requested: AtomicBool,
    /// A flag of the caller, which makes the request too.
    flag: Option<&'static AtomicBool>,
    deadline: Option<Instant>,
    /// The request for the whole work, of which this is a part.
    parent: Option<Cancel>,
}

/// Why work was asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CancelReason {
    /// [`Cancel::cancel`] was called, or the flag of [`Cancel::watching`] was set.
    Requested,
    /// The deadline passed.
    TimedOut,
}

impl Cancel {
    /// A request that has not been made yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// A request that is made by setting this flag as well, such as one in memory that others write to.
    pub fn watching(flag: &'static AtomicBool) -> Cancel {
        Cancel(Arc::new(Request { flag: Some(flag), ..Request::default() }))
    }

    /// A request for a part of the work, which can be cancelled alone and is cancelled with the whole.
    pub fn child(&self) -> Cancel {
        self.child_until(None)
    }

    /// A request for a part of the work that is made automatically after `timeout`, counted from now.
    pub fn child_with_timeout(&self, timeout: Duration) -> Cancel {
        // A deadline beyond the range of the clock is no limit.
        self.child_until(Instant::now().checked_add(timeout))
    }

    /// This request, made as well after `timeout` if there is one, counted from now.
    pub fn limited(&self, timeout: Option<Duration>) -> Cancel {
        timeout.map_or_else(|| self.clone(), |timeout| self.child_with_timeout(timeout))
    }

    fn child_until(&self, deadline: Option<Instant>) -> Cancel {
        Cancel(Arc::new(Request { deadline, parent: Some(self.clone()), ..Request::default() }))
    }

    /// Asks the work to stop.
    pub fn cancel(&self) {
        self.0.is_requested.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop: it was cancelled, or its deadline has passed.
    ///
    /// It costs a few loads for this request and for each that it is a part of, and a reading of the clock (some 30 ns)
    /// for each deadline.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.reason().is_some()
    }

    /// Why the work should stop; `None` while it may continue. A request for the whole takes precedence over those for
    /// its parts. Once there is a reason there always is one, even if the flag is cleared, but `TimedOut` may become
    /// `Requested`.
    #[inline]
    pub fn reason(&self) -> Option<CancelReason> {
        let Request { is_requested, flag, deadline, parent } = &*self.0;
        if let Some(reason) = parent.as_ref().and_then(Cancel::reason) {
            return Some(reason);
        }
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            is_requested.store(true, Ordering::Relaxed);
        }
        if is_requested.load(Ordering::Relaxed) {
            return Some(CancelReason::Requested);
        }
        deadline.filter(|&deadline| Instant::now() >= deadline).map(|_| CancelReason::TimedOut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_stops_by_itself_and_with_the_whole() {
        let whole = Cancel::new();
        let [one, other] = [whole.child(), whole.child()];
        one.cancel();
        assert_eq!([&whole, &one, &other].map(Cancel::is_cancelled), [false, true, false]);
        whole.cancel();
        assert!(other.is_cancelled());
    }

    #[test]
    fn a_flag_makes_a_request() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let part = Cancel::watching(&FLAG).child();
        assert!(!part.is_cancelled());
        FLAG.store(true, Ordering::Relaxed);
        assert_eq!(part.reason(), Some(CancelReason::Requested));
        FLAG.store(false, Ordering::Relaxed);
        assert_eq!(part.reason(), Some(CancelReason::Requested));
    }

    #[test]
    fn a_part_stops_when_its_time_is_up() {
        let whole = Cancel::new();
        let [late, early] = [Duration::ZERO, Duration::MAX].map(|timeout| whole.child_with_timeout(timeout));
        assert_eq!((late.reason(), early.reason()), (Some(CancelReason::TimedOut), None));
        assert_eq!(whole.limited(Some(Duration::ZERO)).reason(), Some(CancelReason::TimedOut));
        assert_eq!(whole.limited(None).reason(), None);
        assert_eq!((late.child().reason(), whole.reason()), (Some(CancelReason::TimedOut), None));
        whole.cancel();
        assert_eq!((late.reason(), early.reason()), (Some(CancelReason::Requested), Some(CancelReason::Requested)));
    }
}
