//! The distances of the positions one move away from a position, and the moves that begin a
//! shortest solution.
//!
//! A neighbor p·m of a position p at distance d is at d − 1, d or d + 1. It is at d − 1 if and only
//! if m begins a shortest solution of p, so a search for all shortest solutions finds all neighbors
//! at d − 1. Quarter turns change the parity, so in the quarter-turn metric all other neighbors are
//! at d + 1. (There, a solution that begins with R2 begins with R and also with R'.) In the
//! half-turn metric, two facts settle the other neighbors:
//!
//! 1. The three turns of a face lead to positions one move from one another. If one is at d − 1,
//!    the others are at most at d.
//! 2. If no turn of the face of m leads to d − 1, p·m is at d if and only if some solution of p of
//!    d + 1 moves begins with m. Proof: a solution of p·m of d moves does not begin with a turn of
//!    the face of m, since the other d − 1 moves would then solve p or a neighbor by a turn of the
//!    same face. So with m it is a solution of p of d + 1 moves.
//!
//! So one more iteration, of threshold d + 1, settles the other moves. One solution for each move
//! is enough, so a root task is skipped if all its solutions begin with settled moves. Moves of
//! opposite faces commute, so a solution that begins with R L settles both R and L, and its task is
//! skipped only if both are settled. The cost is in docs/performance.md.

use super::executor::Executor;
use super::iteration::KnownSolutions;
use super::iterative_deepening::{Deepening, WORTH_SPLITTING};
use super::report::{Neighbors, SolutionCount};
use super::tasks::{ALL_MOVES, MIN_SPLIT_LENGTH, Tasks, firsts};
use crate::cube::{Metric, Move};
use std::sync::Arc;

/// The half turns, as bits by the numbers of moves: the middle one of the three turns of each face.
const HALVES: u32 = 0o222222;

impl Deepening<'_> {
    /// Returns the distances of the neighbors of a position whose shortest solutions, of `length`
    /// moves, are all known; `None` if the search is stopped.
    pub(super) fn neighbors(
        &mut self,
        executor: &mut dyn Executor,
        length: u8,
    ) -> Option<Neighbors> {
        let metric = self.solver.metric();
        let shortest = self.solutions.shortest(SolutionCount::All);
        let mut optimal = shortest.iter().fold(0, |bits, moves| bits | firsts(moves));
        if metric == Metric::Qtm {
            // A solution that begins with a half turn begins with either quarter turn as well.
            let halves = optimal & HALVES;
            optimal |= halves << 1 | halves >> 1;
        }
        let has_optimal_face = |m: &&Move| optimal >> (3 * m.face().index()) & 0b111 != 0;
        let mut not_farther = Move::ALL
            .iter()
            .filter(has_optimal_face)
            .fold(0, |bits, m| bits | 1 << m.index());
        if length == metric.diameter() {
            // No position is farther than the diameter.
            not_farther = ALL_MOVES;
        } else if metric == Metric::Htm {
            not_farther = self.first_moves(executor, length + 1, not_farther)?;
        }
        let length_after = |m: Move| {
            let is_in = |bits: u32| bits >> m.index() & 1 == 1;
            match metric {
                Metric::Qtm if m.is_half_turn() => None,
                _ if is_in(optimal) => Some(length - 1),
                Metric::Htm if is_in(not_farther) => Some(length),
                _ => Some(length + 1),
            }
        };
        Some(Neighbors(Move::ALL.map(length_after)))
    }

    /// Runs the iteration of this length. Returns as bits the moves in `settled` and the moves that
    /// begin a solution of this length; `None` if the iteration is stopped.
    fn first_moves(
        &mut self,
        executor: &mut dyn Executor,
        length: u8,
        settled: u32,
    ) -> Option<u32> {
        let metric = self.solver.metric();
        if length < MIN_SPLIT_LENGTH || self.last_nodes() < WORTH_SPLITTING {
            self.tasks = Arc::new(Tasks::whole(self.root, metric));
        } else if !self.is_split() {
            self.split();
        }
        let mut longer = KnownSolutions::new(self.position, self.stabilizer.clone(), metric);
        // The best solution stays the best: the iteration finds only longer ones.
        longer.offer(self.solutions.best()?);
        let shortest = std::mem::replace(&mut self.solutions, longer);
        self.settled = Some(settled);
        let exhausted = self.iterate(executor, length);
        self.solutions = shortest;
        self.settled
            .filter(|&settled| exhausted || settled == ALL_MOVES)
    }
}
