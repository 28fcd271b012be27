//! Control of long-running work: number of threads, cancellation, deadline and progress.
//!
//! Functions that generate or load tables or process whole cosets take a [`Control`] as their last
//! parameter; searches of a position have equivalent options. [`Control::default`] uses all threads
//! of the machine, is never cancelled and reports no progress:
//!
#![cfg_attr(feature = "files", doc = "```no_run")]
#![cfg_attr(not(feature = "files"), doc = "```ignore")]
//! use cosette::{Control, table::TableFolder};
//! use std::time::Duration;
//!
//! let show = |step: &str, progress: cosette::Progress| {
//!     eprintln!("{step}: {} %", progress.percent());
//! };
//! let control = Control::default().with_timeout(Duration::from_secs(60)).on_progress(show);
//! TableFolder::new("tables").generate("htm-190M".parse()?, &control)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod threads;

pub use threads::{SpawnError, ThreadCount, ThreadCountError};
pub(crate) use threads::{Threads, join_background};

use crate::platform::Instant;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

/// Interval at which a thread that waits for a lock retries.
const LOCK_INTERVAL: Duration = Duration::from_millis(5);

/// The completed share of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Completed work, in a unit that depends on the work.
    pub done: u64,
    /// Total work, in the same unit.
    pub total: u64,
}

impl Progress {
    /// Returns the completed work in per cent, rounded down: 100 only at the end, or if there is no
    /// work.
    pub fn percent(self) -> u64 {
        (100 * self.done).checked_div(self.total).unwrap_or(100)
    }
}

/// A function that receives the name of the current step and its progress.
type ProgressListener<'a> = Arc<dyn Fn(&str, Progress) + Send + Sync + 'a>;

/// Settings of long-running work: number of threads, cancellation, deadline and progress callback.
#[derive(Clone, Default)]
pub struct Control<'a> {
    threads: ThreadCount,
    cancel: Cancel,
    step: &'a str,
    on_progress: Option<ProgressListener<'a>>,
}

impl<'a> Control<'a> {
    /// Creates a control for `threads` threads that is never cancelled and reports no progress.
    pub fn new(threads: ThreadCount) -> Control<'static> {
        Control {
            threads,
            ..Control::default()
        }
    }

    /// Sets the number of threads.
    #[must_use]
    pub fn with_threads(mut self, threads: ThreadCount) -> Control<'a> {
        self.threads = threads;
        self
    }

    /// Sets the cancellation token. Replaces any earlier token and its deadline.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> Control<'a> {
        self.cancel = cancel.clone();
        self
    }

    /// Adds a timeout, counted from now, to the cancellation token.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Control<'a> {
        self.cancel = self.cancel.child_with_timeout(timeout);
        self
    }

    /// Sets the progress callback. It is called from time to time, from any thread, with the name
    /// of the current step, such as `generating htm-1.5G`, and its progress.
    #[must_use]
    pub fn on_progress<'b>(
        self,
        on_progress: impl Fn(&str, Progress) + Send + Sync + 'b,
    ) -> Control<'b>
    where
        'a: 'b,
    {
        Control {
            on_progress: Some(Arc::new(on_progress)),
            ..self
        }
    }

    /// Returns a copy of this control whose reports carry `name` as the name of the step.
    pub fn step<'b>(&self, name: &'b str) -> Control<'b>
    where
        'a: 'b,
    {
        Control {
            step: name,
            ..self.clone()
        }
    }

    /// Returns a copy of this control that reports no progress.
    #[must_use]
    pub fn silent(&self) -> Control<'a> {
        Control {
            on_progress: None,
            ..self.clone()
        }
    }

    /// Returns the number of threads.
    pub fn threads(&self) -> ThreadCount {
        self.threads
    }

    /// Returns the cancellation token.
    pub fn cancel_token(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns `true` if the work should stop: it was cancelled, or its deadline has passed.
    #[inline(always)]
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Reports the progress of the current step.
    pub fn report(&self, done: u64, total: u64) {
        if let Some(on_progress) = &self.on_progress {
            on_progress(self.step, Progress { done, total });
        }
    }

    /// Runs `work` in a rayon pool of this many threads.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses to start the threads.
    #[cfg(feature = "threads")]
    pub fn in_pool<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, SpawnError> {
        Ok(self.threads.pool()?.install(work))
    }
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Control {
            threads,
            cancel,
            step,
            on_progress,
        } = self;
        f.debug_struct("Control")
            .field("threads", threads)
            .field("cancel", cancel)
            .field("step", step)
            .field("reports", &on_progress.is_some())
            .finish()
    }
}

/// A cancellation token, shared between the code that cancels and the work that checks it. A search
/// stops within milliseconds, work on tables within a fraction of a second.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<CancelState>);

#[derive(Debug, Default)]
struct CancelState {
    is_requested: AtomicBool,
    /// A flag of the caller; `true` also cancels.
    flag: Option<&'static AtomicBool>,
    deadline: Option<Instant>,
    /// The token of which this one is a child.
    parent: Option<Cancel>,
}

/// The reason for a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum CancelReason {
    /// [`Cancel::cancel`] was called, or the flag of [`Cancel::watching`] was set.
    Requested,
    /// The deadline has passed.
    TimedOut,
}

impl Cancel {
    /// Creates a token that is not cancelled.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Creates a token that is also cancelled once `flag` is `true`, for example a flag in memory
    /// that JavaScript writes to.
    pub fn watching(flag: &'static AtomicBool) -> Cancel {
        Cancel(Arc::new(CancelState {
            flag: Some(flag),
            ..CancelState::default()
        }))
    }

    /// Creates a child token. Cancelling it does not affect this token; cancelling this token also
    /// cancels the child.
    pub fn child(&self) -> Cancel {
        self.child_until(None)
    }

    /// Creates a child token that is also cancelled after `timeout`, counted from now.
    pub fn child_with_timeout(&self, timeout: Duration) -> Cancel {
        // A deadline beyond the range of the clock does not limit anything.
        self.child_until(Instant::now().checked_add(timeout))
    }

    /// Returns a child token with this timeout, counted from now, or a clone of this token if
    /// `timeout` is `None`.
    pub fn limited(&self, timeout: Option<Duration>) -> Cancel {
        timeout.map_or_else(|| self.clone(), |timeout| self.child_with_timeout(timeout))
    }

    fn child_until(&self, deadline: Option<Instant>) -> Cancel {
        Cancel(Arc::new(CancelState {
            deadline,
            parent: Some(self.clone()),
            ..CancelState::default()
        }))
    }

    /// Cancels the work.
    pub fn cancel(&self) {
        self.0.is_requested.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the work should stop: it was cancelled, or its deadline has passed.
    ///
    /// Costs a few loads for this token and each of its ancestors, plus one reading of the clock
    /// (about 30 ns) for each deadline.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.reason().is_some()
    }

    /// Returns the reason to stop; `None` while the work may continue. A reason of the parent takes
    /// precedence. Once a token is cancelled it remains cancelled, even if its flag is cleared, but
    /// the reason may change from `TimedOut` to `Requested`.
    #[inline]
    pub fn reason(&self) -> Option<CancelReason> {
        let CancelState {
            is_requested,
            flag,
            deadline,
            parent,
        } = &*self.0;
        if let Some(reason) = parent.as_ref().and_then(Cancel::reason) {
            return Some(reason);
        }
        if flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            is_requested.store(true, Ordering::Relaxed);
        }
        if is_requested.load(Ordering::Relaxed) {
            return Some(CancelReason::Requested);
        }
        deadline
            .filter(|&deadline| Instant::now() >= deadline)
            .map(|_| CancelReason::TimedOut)
    }
}

/// Locks a mutex. Calls `on_wait` repeatedly while another thread holds the lock; returns `None` if
/// `control` is cancelled meanwhile.
pub fn lock_unless_cancelled<'a, T>(
    mutex: &'a Mutex<T>,
    control: &Control<'_>,
    on_wait: impl Fn(),
) -> Option<MutexGuard<'a, T>> {
    loop {
        match mutex.try_lock() {
            Ok(locked) => return Some(locked),
            Err(TryLockError::Poisoned(poisoned)) => return Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) if control.is_cancelled() => return None,
            Err(TryLockError::WouldBlock) => {
                on_wait();
                thread::sleep(LOCK_INTERVAL);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn reports_carry_the_name_of_their_step() {
        let reports = Mutex::new(Vec::new());
        let on_progress = |step: &str, progress: Progress| {
            let report = format!("{step} {}", progress.percent());
            reports.lock().unwrap().push(report);
        };
        let control = Control::new(ThreadCount::ONE).on_progress(on_progress);
        control.step("loading").report(1, 3);
        control.report(0, 0);
        drop(control);
        assert_eq!(reports.into_inner().unwrap(), ["loading 33", " 100"]);
    }

    #[test]
    fn a_child_is_cancelled_by_itself_and_with_its_parent() {
        const REQUESTED: Option<CancelReason> = Some(CancelReason::Requested);
        const TIMED_OUT: Option<CancelReason> = Some(CancelReason::TimedOut);
        let parent = Cancel::new();
        let [cancelled, sibling] = [parent.child(), parent.child()];
        let expired = parent.child_with_timeout(Duration::ZERO);
        let unlimited = parent.child_with_timeout(Duration::MAX);
        cancelled.cancel();
        for (cancel, reason) in [
            (&parent, None),
            (&cancelled, REQUESTED),
            (&sibling, None),
            (&expired, TIMED_OUT),
            (&expired.child(), TIMED_OUT),
            (&unlimited, None),
            (&parent.limited(Some(Duration::ZERO)), TIMED_OUT),
            (&parent.limited(None), None),
        ] {
            assert_eq!(cancel.reason(), reason);
            assert_eq!(cancel.is_cancelled(), reason.is_some());
        }
        parent.cancel();
        for cancel in [sibling, expired, unlimited] {
            assert_eq!(cancel.reason(), REQUESTED);
        }
    }

    #[test]
    fn a_watched_flag_cancels_for_good() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let child = Cancel::watching(&FLAG).child();
        assert!(!child.is_cancelled());
        for value in [true, false] {
            FLAG.store(value, Ordering::Relaxed);
            assert_eq!(child.reason(), Some(CancelReason::Requested));
        }
    }
}
