//! A node of the search, and the path that led there.

use crate::cube::{Cube, Move, MoveSet};

/// The longest path of a node below its root task: a task stands four moves deep, and no position is further than 26.
const LONGEST_PATH: usize = 24;

/// What stands for the last move where there is none.
const NONE: u8 = Move::COUNT as u8;

/// Which of the two cubes of a node a move is done on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Side {
    /// The position p: the move stands at the front of the solution.
    Position,
    /// Its inverse: the inverse of the move stands at the back of the solution.
    Inverse,
}

impl Side {
    /// Both sides, the position first.
    pub const BOTH: [Side; 2] = [Side::Position, Side::Inverse];

    #[inline(always)]
    pub fn other(self) -> Side {
        Side::BOTH[self as usize ^ 1]
    }
}

/// A position to be solved in exactly `remaining`, seen from both sides. One and a half cache lines.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Node {
    /// The position and its inverse, by [`Side`].
    cubes: [Cube; 2],
    /// The moves since the root task; the side in the top bit.
    path: [u8; LONGEST_PATH],
    /// The values of the table for the cosets of both cubes.
    bounds: [u8; 2],
    /// The last move on each side.
    last: [u8; 2],
    /// What remains until the threshold, in the metric of the search.
    pub remaining: u8,
    path_length: u8,
    /// The number of the root task.
    pub task: u16,
}

const SIDE_BIT: u8 = 0x80;

/// The moves that may follow each move, and all of them after none.
static FOLLOWERS: [u32; Move::COUNT + 1] = {
    let mut followers = [MoveSet::ALL.bits(); Move::COUNT + 1];
    let mut m = 0;
    while m < Move::COUNT {
        followers[m] = MoveSet::after(Some(Move::from_index(m))).bits();
        m += 1;
    }
    followers
};

impl Node {
    /// The root: nothing done on either side.
    pub fn root(position: &Cube, bounds: [u8; 2]) -> Node {
        Node {
            cubes: [*position, position.inverse()],
            path: [0; LONGEST_PATH],
            bounds,
            last: [NONE; 2],
            remaining: 0,
            path_length: 0,
            task: 0,
        }
    }

    /// The cube on one side.
    #[inline(always)]
    pub fn cube(&self, side: Side) -> &Cube {
        &self.cubes[side as usize]
    }

    /// The bound of one side.
    #[inline(always)]
    pub fn bound(&self, side: Side) -> u8 {
        self.bounds[side as usize]
    }

    /// The larger of both bounds.
    pub fn best_bound(&self) -> u8 {
        self.bounds[0].max(self.bounds[1])
    }

    /// The moves that keep the sequence on one side canonical, as bits.
    #[inline(always)]
    pub fn followers(&self, side: Side) -> u32 {
        FOLLOWERS[usize::from(self.last[side as usize])]
    }

    /// The child after a move on one side, given the cube and the bound of that side and those of the other.
    #[inline(always)]
    pub fn child(&self, side: Side, m: Move, own: (Cube, u8), other: (Cube, u8), remaining: u8) -> Node {
        let mut child = *self;
        (child.cubes[side as usize], child.bounds[side as usize]) = own;
        (child.cubes[side.other() as usize], child.bounds[side.other() as usize]) = other;
        child.remaining = remaining;
        child.last[side as usize] = m.index() as u8;
        child.path[usize::from(self.path_length) % LONGEST_PATH] = m.index() as u8 | (side as u8 * SIDE_BIT);
        child.path_length += 1;
        child
    }

    /// The same node as the start of a root task: its path begins anew.
    #[inline(always)]
    pub fn into_task(mut self, task: u16, remaining: u8) -> Node {
        (self.path_length, self.task, self.remaining) = (0, task, remaining);
        self
    }

    /// The moves since the root task as a sequence: those done on the position, then, backwards and inverted, those done
    /// on its inverse.
    pub fn moves(&self) -> Vec<Move> {
        let path = &self.path[..usize::from(self.path_length)];
        let front = path.iter().filter(|&&step| step & SIDE_BIT == 0);
        let back = path.iter().rev().filter(|&&step| step & SIDE_BIT != 0);
        let to_move = |step: &u8| Move::from_index(usize::from(step & !SIDE_BIT));
        front.map(to_move).chain(back.map(|step| !to_move(step))).collect()
    }
}
