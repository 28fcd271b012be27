//! Numbers of threads, checked in one place.

use crate::platform::{self, allowed_by_system};
use crate::remedy::Remedy;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

/// A number of threads that this machine can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct ThreadCount(NonZeroUsize);

/// The most threads on any machine.
const MAX: usize = 4096;
/// Every machine may use this many threads, and a large one a few per processor: more would only wait for each other.
const MAX_ON_SMALL_MACHINES: usize = 64;
const MAX_PER_PROCESSOR: usize = 4;

impl ThreadCount {
    /// One thread.
    pub const ONE: ThreadCount = ThreadCount(NonZeroUsize::MIN);

    /// As many as there are processors for this process, by its affinity and the quota of its control group.
    pub fn available() -> ThreadCount {
        let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        ThreadCount(processors.min(NonZeroUsize::new(MAX).expect("it is not zero")))
    }

    /// The most threads that can be requested: four per processor, at least 64 and at most 4,096; fewer if the system
    /// allows the user fewer.
    pub fn limit() -> ThreadCount {
        let by_processors = (MAX_PER_PROCESSOR * ThreadCount::available().get()).clamp(MAX_ON_SMALL_MACHINES, MAX);
        ThreadCount(NonZeroUsize::new(by_processors.min(allowed_by_system())).unwrap_or(NonZeroUsize::MIN))
    }

    /// `threads` threads. Fails if `threads` is zero or more than [`ThreadCount::limit`].
    pub fn new(threads: usize) -> Result<ThreadCount, ThreadCountError> {
        let limit = ThreadCount::limit().get();
        let count = NonZeroUsize::new(threads).ok_or(ThreadCountError::Zero)?;
        if threads <= limit { Ok(ThreadCount(count)) } else { Err(ThreadCountError::TooMany { threads, limit }) }
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0.get()
    }

    /// This number, or `most` if that is less; at least one.
    #[must_use]
    pub fn at_most(self, most: usize) -> ThreadCount {
        NonZeroUsize::new(most).map_or(ThreadCount::ONE, |most| ThreadCount(self.0.min(most)))
    }

    /// Runs `work` in each of these threads, or in fewer if the system refuses to start them all. The calling thread is
    /// one of them and has number 0.
    pub fn run(self, work: &(dyn Fn(usize) + Sync)) {
        platform::run_in_each(self, work);
    }

    /// A pool of these threads.
    #[cfg(feature = "threads")]
    pub(crate) fn pool(self) -> Result<rayon::ThreadPool, ThreadsRefused> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.get()).build();
        pool.map_err(|source| ThreadsRefused::new(self, source))
    }
}

/// [`ThreadCount::available`].
impl Default for ThreadCount {
    fn default() -> ThreadCount {
        ThreadCount::available()
    }
}

impl fmt::Display for ThreadCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for ThreadCount {
    type Err = ThreadCountError;

    fn from_str(text: &str) -> Result<ThreadCount, ThreadCountError> {
        ThreadCount::new(text.parse().map_err(|_| ThreadCountError::NotANumber(text.to_owned()))?)
    }
}

/// Why a number of threads was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum ThreadCountError {
    /// Zero threads were requested.
    #[error("at least one thread is needed")]
    Zero,
    /// More threads were requested than the machine can use.
    #[error("{threads} threads are too many: this machine can use at most {limit}")]
    TooMany { threads: usize, limit: usize },
    /// The text is not a number.
    #[error("{0:?} is not a number of threads")]
    NotANumber(String),
}

/// The system refused to start threads.
#[derive(Debug, thiserror::Error)]
#[error("{threads} thread{} cannot be started: {source}", if threads.get() == 1 { "" } else { "s" })]
pub struct ThreadsRefused {
    /// How many were to be started.
    pub threads: ThreadCount,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl ThreadsRefused {
    #[cfg(feature = "threads")]
    pub(crate) fn new(threads: ThreadCount, source: rayon::ThreadPoolBuildError) -> ThreadsRefused {
        ThreadsRefused { threads, source: source.into() }
    }

    /// How to fix it.
    pub fn remedy(&self) -> Remedy {
        if self.threads == ThreadCount::ONE { Remedy::RaiseLimits } else { Remedy::UseFewerThreads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_can_use_is_refused() {
        let limit = ThreadCount::limit().get();
        assert!((1..=MAX).contains(&limit));
        assert_eq!(ThreadCount::new(limit).map(ThreadCount::get), Ok(limit));
        assert_eq!(ThreadCount::new(100_000), Err(ThreadCountError::TooMany { threads: 100_000, limit }));
        assert_eq!(ThreadCount::new(0), Err(ThreadCountError::Zero));
        assert_eq!("2".parse(), ThreadCount::new(2));
        assert_eq!("two".parse::<ThreadCount>(), Err(ThreadCountError::NotANumber("two".to_owned())));
    }

    #[test]
    #[cfg(feature = "threads")]
    fn each_thread_has_a_number() {
        let numbers = std::sync::Mutex::new(Vec::new());
        ThreadCount::new(3).unwrap().run(&|number| numbers.lock().unwrap().push(number));
        let mut numbers = numbers.into_inner().unwrap();
        numbers.sort_unstable();
        assert_eq!(numbers, [0, 1, 2]);
    }
}
