//! The job queue: some searches run at a time, some wait, and more are refused. Each can be stopped by its id.

use crate::api_error::ApiError;
use axum::http::StatusCode;
use cosette::Cancel;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The queue of searches.
#[derive(Debug)]
pub struct JobQueue {
    running: Arc<Semaphore>,
    capacity: usize,
    next_id: AtomicU64,
    is_closed: AtomicBool,
    jobs: Mutex<BTreeMap<u64, StopSignal>>,
}

/// Stops a job, whether it runs or waits.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// Cancels the search.
    pub cancel: Cancel,
    sent: Arc<Notify>,
}

impl StopSignal {
    /// Asks the job to stop.
    pub fn send(&self) {
        self.cancel.cancel();
        self.sent.notify_one();
    }

    /// Waits for the signal.
    pub async fn received(&self) {
        if !self.cancel.is_cancelled() {
            self.sent.notified().await;
        }
    }
}

/// The place of a job in the queue, given up on drop.
#[derive(Debug)]
pub struct Ticket {
    /// The id by which the job can be stopped.
    pub id: u64,
    /// How many jobs are ahead of it, counting those that run; 0 if it can run at once.
    pub ahead: usize,
    /// Stops the job.
    pub stop: StopSignal,
    queue: Arc<JobQueue>,
}

impl JobQueue {
    /// A queue in which `running` jobs run at a time and `waiting` more may wait.
    pub fn new(running: usize, waiting: usize) -> JobQueue {
        JobQueue {
            running: Arc::new(Semaphore::new(running)),
            capacity: running.saturating_add(waiting),
            next_id: AtomicU64::new(1),
            is_closed: AtomicBool::new(false),
            jobs: Mutex::default(),
        }
    }

    /// Adds a job. Fails if the queue is full or closed.
    pub fn join(self: &Arc<JobQueue>) -> Result<Ticket, ApiError> {
        let mut jobs = self.jobs();
        if self.is_closed.load(Ordering::Relaxed) {
            return Err(ApiError::shutting_down());
        }
        if jobs.len() >= self.capacity {
            let error = format!("{} searches are running or waiting already", jobs.len());
            return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, error, "try again when some of them have ended"));
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let stop = StopSignal::default();
        let ahead = if self.running.available_permits() > 0 { 0 } else { jobs.len() };
        jobs.insert(id, stop.clone());
        Ok(Ticket { id, ahead, stop, queue: Arc::clone(self) })
    }

    /// Asks the job with this id to stop, and returns whether there is one.
    pub fn stop(&self, id: u64) -> bool {
        let stop = self.jobs().get(&id).cloned();
        stop.iter().for_each(StopSignal::send);
        stop.is_some()
    }

    /// Accepts no more jobs and asks all of them to stop.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.jobs().values().for_each(StopSignal::send);
    }

    /// The number of jobs that run or wait.
    pub fn len(&self) -> usize {
        self.jobs().len()
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u64, StopSignal>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ticket {
    /// Waits until the job may run, which it may until the permit is dropped; `None` if it is stopped first.
    pub async fn permit(&self) -> Option<OwnedSemaphorePermit> {
        tokio::select! {
            biased;
            () = self.stop.received() => None,
            permit = Arc::clone(&self.queue.running).acquire_owned() => permit.ok(),
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.jobs().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn some_run_some_wait_the_rest_are_refused() {
        let queue = Arc::new(JobQueue::new(1, 1));
        let first = queue.join().unwrap();
        let permit = first.permit().await.unwrap();
        let second = queue.join().unwrap();
        assert_eq!((first.ahead, second.ahead), (0, 1));
        assert!(queue.join().is_err());
        drop((permit, first));
        assert!(second.permit().await.is_some());
        assert!(queue.join().is_ok());
    }

    #[tokio::test]
    async fn one_that_waits_can_be_stopped() {
        let queue = Arc::new(JobQueue::new(1, 1));
        let first = queue.join().unwrap();
        let _permit = first.permit().await;
        let second = queue.join().unwrap();
        assert!(queue.stop(second.id) && !queue.stop(99));
        assert!(second.permit().await.is_none() && !first.stop.cancel.is_cancelled());
        queue.close();
        assert!(first.stop.cancel.is_cancelled() && queue.join().is_err());
    }
}
