//! Validated numbers of threads, and the threads that share work: threads of a pool with the
//! feature `threads`, otherwise the calling thread alone.

use crate::remedy::Remedy;
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

/// A number of threads that this machine can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(transparent))]
pub struct ThreadCount(NonZeroUsize);

/// Maximum number of threads on any machine.
const MAX: usize = 4096;
/// The limit on small machines. A large machine allows [`MAX_PER_PROCESSOR`]: more threads would
/// only wait for each other.
const MAX_ON_SMALL_MACHINES: usize = 64;
const MAX_PER_PROCESSOR: usize = 4;

impl ThreadCount {
    /// One thread.
    pub const ONE: ThreadCount = ThreadCount(NonZeroUsize::MIN);

    /// Returns the number of processors available to this process, by its affinity and the quota of
    /// its control group; at most 4,096.
    pub fn available() -> ThreadCount {
        let processors = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        ThreadCount(processors.min(NonZeroUsize::new(MAX).expect("the maximum is not zero")))
    }

    /// Returns the maximum number of threads that can be requested: four per processor, at least 64
    /// and at most 4,096; fewer if the system allows the user fewer.
    pub fn limit() -> ThreadCount {
        let by_processors =
            (MAX_PER_PROCESSOR * ThreadCount::available().get()).clamp(MAX_ON_SMALL_MACHINES, MAX);
        ThreadCount(
            NonZeroUsize::new(by_processors.min(allowed_by_system())).unwrap_or(NonZeroUsize::MIN),
        )
    }

    /// Creates a number of threads.
    ///
    /// # Errors
    ///
    /// Returns an error if `threads` is zero or more than [`ThreadCount::limit`].
    pub fn new(threads: usize) -> Result<ThreadCount, ThreadCountError> {
        let limit = ThreadCount::limit().get();
        let count = NonZeroUsize::new(threads).ok_or(ThreadCountError::Zero)?;
        if threads <= limit {
            Ok(ThreadCount(count))
        } else {
            Err(ThreadCountError::TooMany { threads, limit })
        }
    }

    /// Returns the number.
    pub const fn get(self) -> usize {
        self.0.get()
    }

    /// Returns this number, or `max` if that is less; at least one.
    #[must_use]
    pub fn at_most(self, max: usize) -> ThreadCount {
        NonZeroUsize::new(max).map_or(ThreadCount::ONE, |max| ThreadCount(self.0.min(max)))
    }

    /// Runs `work` in each of these threads, or in fewer if the system refuses to start them all.
    /// The calling thread is one of them and has number 0.
    pub fn run(self, work: &(dyn Fn(usize) + Sync)) {
        run_in_each(self, work);
    }

    /// Creates a pool of this many threads.
    #[cfg(feature = "threads")]
    pub(crate) fn pool(self) -> Result<rayon::ThreadPool, SpawnError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.get())
            .build();
        pool.map_err(|source| SpawnError::new(self, source))
    }
}

/// The default is [`ThreadCount::available`].
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
        ThreadCount::new(
            text.parse()
                .map_err(|_| ThreadCountError::NotANumber(text.to_owned()))?,
        )
    }
}

/// An invalid number of threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum ThreadCountError {
    /// Zero threads were requested.
    #[error("at least one thread is required")]
    Zero,
    /// More threads were requested than the machine can use.
    #[error("{threads} threads are too many: this machine supports at most {limit}")]
    TooMany { threads: usize, limit: usize },
    /// The text is not a number.
    #[error("{0:?} is not a number of threads")]
    NotANumber(String),
}

/// The system refused to start threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} thread{}: {source}", if threads.get() == 1 { "" } else { "s" })]
pub struct SpawnError {
    /// Number of threads to be started.
    pub threads: ThreadCount,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl SpawnError {
    #[cfg(feature = "threads")]
    pub(crate) fn new(threads: ThreadCount, source: rayon::ThreadPoolBuildError) -> SpawnError {
        SpawnError {
            threads,
            source: source.into(),
        }
    }

    /// Returns a remedy.
    pub fn remedy(&self) -> Remedy {
        if self.threads == ThreadCount::ONE {
            Remedy::RaiseLimits
        } else {
            Remedy::UseFewerThreads
        }
    }
}

/// The threads that share some work: those of a pool, or the calling thread alone.
pub(crate) struct Threads {
    #[cfg(feature = "threads")]
    is_pool: bool,
}

#[cfg(feature = "threads")]
impl Threads {
    /// Runs `work` with `count` threads; a single one is the calling thread.
    ///
    /// # Errors
    ///
    /// Returns an error if the system refuses to start the threads.
    pub fn run<T: Send>(
        count: ThreadCount,
        work: impl FnOnce(&Threads) -> T + Send,
    ) -> Result<T, SpawnError> {
        if count == ThreadCount::ONE {
            return Ok(work(&Threads { is_pool: false }));
        }
        let mut handles = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count.get())
            .spawn_handler(|thread| {
                handles.push(std::thread::Builder::new().spawn(|| thread.run())?);
                Ok(())
            });
        let pool = pool
            .build()
            .map_err(|source| SpawnError::new(count, source))?;
        let result = pool.install(|| work(&Threads::of_this_pool()));
        // All threads have ended when this returns: if threads run in a fixed number of workers
        // (`cosette-js`), the next pool needs these workers.
        drop(pool);
        handles.into_iter().for_each(|thread| {
            thread
                .join()
                .expect("a pool catches the panics of its work")
        });
        Ok(result)
    }

    /// Returns the threads of the pool that the calling thread belongs to.
    pub fn of_this_pool() -> Threads {
        Threads { is_pool: true }
    }

    /// Runs `work` on each item, with a state that each thread creates for itself, and returns the
    /// results in the order of the items. If an item has an error, returns the error of one such
    /// item; other items may then be unprocessed.
    pub fn map<T: Send, S, R: Send, E: Send>(
        &self,
        items: Vec<T>,
        state: impl Fn() -> S + Send + Sync,
        work: impl Fn(&mut S, T) -> Result<R, E> + Send + Sync,
    ) -> Result<Vec<R>, E> {
        use rayon::prelude::*;
        if self.is_pool {
            items.into_par_iter().map_init(state, work).collect()
        } else {
            one_by_one(items, state, work)
        }
    }
}

#[cfg(not(feature = "threads"))]
impl Threads {
    /// Runs `work` in the calling thread.
    pub fn run<T>(_: ThreadCount, work: impl FnOnce(&Threads) -> T) -> Result<T, SpawnError> {
        Ok(work(&Threads {}))
    }

    /// Runs `work` on the items one after the other, with one state. Stops at the first error.
    pub fn map<T, S, R, E>(
        &self,
        items: Vec<T>,
        state: impl Fn() -> S,
        work: impl Fn(&mut S, T) -> Result<R, E>,
    ) -> Result<Vec<R>, E> {
        one_by_one(items, state, work)
    }
}

fn one_by_one<T, S, R, E>(
    items: Vec<T>,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, T) -> Result<R, E>,
) -> Result<Vec<R>, E> {
    let mut state = state();
    items
        .into_iter()
        .map(|item| work(&mut state, item))
        .collect()
}

/// Runs `foreground` in this thread and `background` in another; if the system refuses that thread,
/// runs `background` afterwards.
#[cfg(feature = "threads")]
pub(crate) fn join_background<A: Send, B>(
    background: impl Fn() -> A + Sync,
    foreground: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let handle = std::thread::Builder::new().spawn_scoped(scope, &background);
        let foreground = foreground();
        let joined = handle.map(|thread| {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        (joined.unwrap_or_else(|_| background()), foreground)
    })
}

/// Runs `background` and then `foreground`.
#[cfg(not(feature = "threads"))]
pub(crate) fn join_background<A, B>(
    background: impl Fn() -> A,
    foreground: impl FnOnce() -> B,
) -> (A, B) {
    (background(), foreground())
}

/// Implements [`ThreadCount::run`].
fn run_in_each(threads: ThreadCount, work: &(dyn Fn(usize) + Sync)) {
    #[cfg(feature = "threads")]
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for number in 1..threads.get() {
            match std::thread::Builder::new().spawn_scoped(scope, move || work(number)) {
                Ok(thread) => handles.push(thread),
                Err(refused) => {
                    tracing::warn!(%refused, "using {number} threads instead of {threads}");
                    break;
                }
            }
        }
        work(0);
        // The end of the scope waits until the work of these threads is done; a join waits until
        // they have ended, see `Threads::run`.
        for thread in handles {
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
    #[cfg(not(feature = "threads"))]
    {
        if threads != ThreadCount::ONE {
            tracing::warn!(
                "using one thread instead of {threads}: this build does not support more"
            );
        }
        work(0);
    }
}

/// Returns the number of processes and threads that the system allows the user; `usize::MAX` if
/// unknown.
fn allowed_by_system() -> usize {
    #[cfg(all(target_os = "linux", feature = "files"))]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nproc).current;
        limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        })
    }
    #[cfg(not(all(target_os = "linux", feature = "files")))]
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_numbers_of_threads_are_refused() {
        let limit = ThreadCount::limit().get();
        assert!((1..=MAX).contains(&limit));
        assert_eq!(ThreadCount::new(limit).map(ThreadCount::get), Ok(limit));
        let threads = 100_000;
        let too_many = ThreadCountError::TooMany { threads, limit };
        assert_eq!(ThreadCount::new(threads), Err(too_many));
        assert_eq!(ThreadCount::new(0), Err(ThreadCountError::Zero));
        assert_eq!("2".parse(), ThreadCount::new(2));
        let no_number = ThreadCountError::NotANumber("two".to_owned());
        assert_eq!("two".parse::<ThreadCount>(), Err(no_number));
    }

    #[test]
    #[cfg(feature = "threads")]
    fn each_thread_has_a_number() {
        let numbers = std::sync::Mutex::new(std::collections::BTreeSet::new());
        let three = ThreadCount::new(3).unwrap();
        three.run(&|number| assert!(numbers.lock().unwrap().insert(number)));
        assert!(numbers.into_inner().unwrap().into_iter().eq(0..3));
    }

    /// Doubles numbers below 2000 while `is_allowed`; returns any other number as an error.
    fn doubled(
        threads: ThreadCount,
        items: Vec<usize>,
        is_allowed: impl Fn() -> bool + Sync,
    ) -> Result<Vec<usize>, usize> {
        let double = |_: &mut (), item| {
            let is_small = item < 2000 && is_allowed();
            is_small.then_some(2 * item).ok_or(item)
        };
        Threads::run(threads, |threads| threads.map(items, || (), double)).unwrap()
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let all = ThreadCount::default();
        let even: Vec<usize> = (0..1000).map(|item| 2 * item).collect();
        assert_eq!(doubled(all, (0..1000).collect(), || true), Ok(even));
        assert_eq!(doubled(all, vec![1, 3000], || true), Err(3000));
        // One thread is the calling one.
        let caller = std::thread::current().id();
        let in_caller = || std::thread::current().id() == caller;
        let doubled = doubled(ThreadCount::ONE, vec![1, 2, 3], in_caller);
        assert_eq!(doubled, Ok(vec![2, 4, 6]));
    }
}
