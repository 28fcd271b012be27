//! How the ranks begin together: nobody opens a table before the first rank knows that there is something to do.

use crate::world::{NAP, World};
use serde::{Deserialize, Serialize};

/// What the first rank says before all else.
#[derive(Clone, Copy, Serialize, Deserialize)]
enum Gate {
    Open,
    Shut,
}

/// The first rank's hand on the gate.
pub struct Keeper<'a> {
    world: &'a World,
    is_open: std::cell::Cell<bool>,
}

impl<'a> Keeper<'a> {
    /// Lets nobody through yet.
    pub fn new(world: &'a World) -> Keeper<'a> {
        Keeper { world, is_open: false.into() }
    }

    fn tell(&self, gate: Gate) {
        (1..self.world.size()).for_each(|rank| self.world.send(rank, &gate));
    }

    /// Lets all ranks begin.
    pub fn open(&self) {
        if !self.is_open.replace(true) {
            self.tell(Gate::Open);
        }
    }
}

impl Drop for Keeper<'_> {
    /// Where there was nothing to do, the other ranks may go.
    fn drop(&mut self) {
        if !self.is_open.get() {
            self.tell(Gate::Shut);
        }
    }
}

/// Waits for the first rank; whether there is something to do.
pub fn wait(world: &World) -> bool {
    loop {
        match world.receive() {
            Some((_, Gate::Open)) => return true,
            Some((_, Gate::Shut)) => return false,
            None => std::thread::sleep(NAP),
        }
    }
}
