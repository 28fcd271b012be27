//! Who is served when: some searches at a time, some that wait, the rest refused; and each can be stopped by its id.

use crate::refusal::Refusal;
use axum::http::StatusCode;
use cosette::Cancel;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// The desk at which searches register.
#[derive(Debug)]
pub struct Desk {
    turns: Arc<Semaphore>,
    most: usize,
    next_id: AtomicU64,
    is_closed: AtomicBool,
    stops: Mutex<BTreeMap<u64, Stop>>,
}

/// How a search is asked to stop, whether it is under way or waits for its turn.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// What the search heeds.
    pub cancel: Cancel,
    asked: Arc<Notify>,
}

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.cancel.cancel();
        self.asked.notify_one();
    }

    /// Waits until it is asked for.
    pub async fn asked(&self) {
        if !self.cancel.is_cancelled() {
            self.asked.notified().await;
        }
    }
}

/// A registered search. It is struck off the list when this is dropped.
#[derive(Debug)]
pub struct Entry {
    /// The id by which it is stopped.
    pub id: u64,
    /// How many are before it, those under way included, that it has to wait for.
    pub ahead: usize,
    /// How it is stopped.
    pub stop: Stop,
    desk: Arc<Desk>,
}

impl Desk {
    /// A desk for so many searches at a time, and so many that wait.
    pub fn new(at_a_time: NonZeroUsize, waiting: usize) -> Desk {
        Desk {
            turns: Arc::new(Semaphore::new(at_a_time.get())),
            most: at_a_time.get().saturating_add(waiting),
            next_id: AtomicU64::new(1),
            is_closed: AtomicBool::new(false),
            stops: Mutex::default(),
        }
    }

    /// Registers a search.
    ///
    /// # Errors
    /// If too many wait, or if the server is about to stop.
    pub fn register(self: &Arc<Desk>) -> Result<Entry, Refusal> {
        let mut stops = self.stops();
        if self.is_closed.load(Ordering::Relaxed) {
            let help = "start it again with `cosette-web`";
            return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "the server is about to stop", help));
        }
        if stops.len() >= self.most {
            let error = format!("{} searches are under way or wait already", stops.len());
            return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, error, "try again when some of them have ended"));
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let stop = Stop::default();
        let ahead = if self.turns.available_permits() > 0 { 0 } else { stops.len() };
        stops.insert(id, stop.clone());
        Ok(Entry { id, ahead, stop, desk: Arc::clone(self) })
    }

    /// Asks a search to stop; whether there is one with this id.
    pub fn stop(&self, id: u64) -> bool {
        let stop = self.stops().get(&id).cloned();
        stop.iter().for_each(Stop::ask);
        stop.is_some()
    }

    /// Takes no more searches and asks all of them to stop.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        self.stops().values().for_each(Stop::ask);
    }

    /// How many searches are registered, and how many of them may go on at a time.
    pub fn registered(&self) -> usize {
        self.stops().len()
    }

    fn stops(&self) -> MutexGuard<'_, BTreeMap<u64, Stop>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    /// Waits for its turn, which lasts until the permit is dropped; none where it is asked to stop before.
    pub async fn turn(&self) -> Option<OwnedSemaphorePermit> {
        tokio::select! {
            biased;
            () = self.stop.asked() => None,
            turn = Arc::clone(&self.desk.turns).acquire_owned() => turn.ok(),
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.desk.stops().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn some_go_on_some_wait_the_rest_is_refused() {
        let desk = Arc::new(Desk::new(NonZeroUsize::MIN, 1));
        let first = desk.register().unwrap();
        let turn = first.turn().await.unwrap();
        let second = desk.register().unwrap();
        assert_eq!((first.ahead, second.ahead), (0, 1));
        assert!(desk.register().is_err());
        drop((turn, first));
        assert!(second.turn().await.is_some());
        assert!(desk.register().is_ok());
    }

    #[tokio::test]
    async fn one_that_waits_can_be_stopped() {
        let desk = Arc::new(Desk::new(NonZeroUsize::MIN, 1));
        let first = desk.register().unwrap();
        let _turn = first.turn().await;
        let second = desk.register().unwrap();
        assert!(desk.stop(second.id) && !desk.stop(99));
        assert!(second.turn().await.is_none() && !first.stop.cancel.is_cancelled());
        desk.close();
        assert!(first.stop.cancel.is_cancelled() && desk.register().is_err());
    }
}
