//! One search by all threads of all ranks.
//!
//! The first rank leads: it goes through the thresholds as `cosette solve` does, and where that has threads take root tasks
//! one by one, it hands them out in *leases*, a few tasks to one thread each. The tasks are numbered in the same way on every
//! rank, for they depend on the position and the table alone; so a lease is a list of numbers.
//!
//! ```text
//! first rank                                        every rank, for each of its threads
//!
//! Position(p)                            ──►        cut p into root tasks
//! Search(lease, threshold, tasks)         ──►        search them to the end, the most promising first
//!                                        ◄──        Solution(moves), as soon as it is found
//!                                        ◄──        Done(nodes, probes, priority of each task)
//! Share(lease)                           ──►        asked of the longest lease while others are idle
//!                                        ◄──        Shared(half of its open nodes): a lease for others
//! CallBack(lease)                        ──►        leave off
//!                                        ◄──        Done(…, what is left)
//! ```
//!
//! A thread has one lease more than it searches, so it never waits for the next. A lease holds a fixed share of the
//! work that is left, so leases become smaller towards the end of a threshold ("guided self-scheduling", Polychronopoulos
//! and Kuck 1987), within limits of time. What is counted in a whole threshold does not depend on any of this.
//!
//! | file | what it holds |
//! |---|---|
//! | `messages` | what ranks tell each other |
//! | `workshop` | the threads of a rank |
//! | `lead` | who hands out the work |
//! | `round` | an iteration under way |
//! | `portions` | how much of it a lease holds |
//! | `singles` | whole positions of a batch, by one thread each |

mod lead;
mod messages;
mod portions;
mod round;
#[cfg(test)]
mod service;
mod singles;
mod workshop;

pub use lead::{Clerk, Lead};
pub use messages::Question;
pub use round::Finished;
pub use singles::CalledBack;
pub use workshop::Workshop;

/// What the simulation takes from here.
pub mod policy {
    pub use super::lead::LEASES;
    pub use super::portions::{Pace, Sizes};
    pub use super::round::UNASKED;
}

use crate::world::{FIRST, POLL_INTERVAL, World};
use cosette_app::cli::interrupt::Interruptible;
use messages::{Answer, Order};

/// Tells all other ranks that there is nothing more to do.
pub fn dismiss(world: &World) {
    (1..world.size()).for_each(|rank| world.send(rank, &Order::End));
}

/// Does what the first rank says, until it says that all is done. Where this rank is asked to stop, so is the first.
pub fn follow(world: &World, workshop: &mut Workshop) {
    let (work, mut has_told) = (Interruptible::start(None), false);
    loop {
        while let Some((_, order)) = world.receive() {
            match order {
                Order::End => return,
                order => workshop.take(order),
            }
        }
        if work.cancel.is_cancelled() && !std::mem::replace(&mut has_told, true) {
            world.send(FIRST, &Answer::Interrupted);
        }
        if let Some(answer) = workshop.answer(POLL_INTERVAL) {
            world.send(FIRST, &answer);
        }
    }
}
