//! Good solutions within milliseconds: two-phase search, in the half-turn metric.
//!
//! # Theory
//!
//! Let G be the subgroup that U, D, R2, L2, F2 and B2 generate. It has 19.5·10⁹ members and 2.2·10⁹ cosets. Phase 1
//! brings a position into G, phase 2 solves it within G; so a solution is composed of two searches in spaces of some
//! 10⁹ each (H. Kociemba, "Close to God's algorithm", Cubism For Fun 28, 1992). A first solution is rarely good, for a
//! short way into G mostly leads to a distant member. So phase 1 is made longer step by step, which gives many more
//! ways in and leaves fewer moves for phase 2: a solution found later is shorter. When phase 1 alone is as long as the
//! best solution, no shorter one exists. (Reid's optimal search of 1997 is what remains when phase 2 is left out: IDA*
//! that reads the distances of these same cosets, along all three axes, as lower bounds.)
//!
//! ```text
//! for length = 0, 1, …, while shorter than the best solution
//!     for each view: the position along each axis, direct and inverse
//!         for each way into G of `length` moves                                 phase 1
//!             search for a way home within G that makes a better solution       phase 2, IDA*
//! ```
//!
//! # Departures
//!
//! 1. *Bloom filters.* The usual bound of phase 1, the greater distance of two or three projections, is weak: some 70 nodes
//!    are expanded for each way into G. The distances of all cosets would be exact, but take a second or more to
//!    compute. Here those within seven moves are known, one in 170: a Bloom filter for each number of moves, 0 to 7,
//!    says which cosets are within that number. So all moves of phase 1 but the last eight are tried without pruning,
//!    and the last seven almost always lead into G; some 16 nodes are expanded for each way in. The filters take 1.3
//!    MB, and a fiftieth of a second to generate.
//! 2. *No move of G before entering it.* If the last move of phase 1 were one that keeps G, a shorter phase 1 and
//!    a longer phase 2 would find the same solution.
//! 3. *Near members first.* A member of G farther than ten moves is skipped at first; it is tried only when
//!    nothing else can give a solution of twenty moves, which every position has. Before all that, solutions of up to
//!    thirteen moves in total are tried: an easy position leads to so many members near solved that ten moves from each
//!    would take long.
//!
//! docs/lab/kociemba.md shows how good the solutions are after each time: on one core, 98 % of positions have one
//! within five milliseconds.

mod bloom_filter;
mod coordinate;
mod cosets;
mod members;
mod search;

pub use search::{TwoPhaseLimits, TwoPhaseResult};

use crate::Cancel;
use crate::control::beside;
use crate::cube::{Cube, Move, inverse};
use coordinate::Four;
use cosets::Cosets;
use members::Members;
use std::sync::LazyLock;

/// The tables of the two phases.
pub struct TwoPhase {
    cosets: Cosets,
    members: Members,
}

impl TwoPhase {
    /// The tables; generated at the first call, in about a thirtieth of a second.
    pub fn get() -> &'static TwoPhase {
        static TABLES: LazyLock<TwoPhase> = LazyLock::new(TwoPhase::generate);
        &TABLES
    }

    /// A short sequence that leads from the solved cube to a position: the inverse of a solution that is found at once.
    pub fn sequence_to(&self, position: &Cube) -> Vec<Move> {
        let limits = TwoPhaseLimits { nodes: 0, until_solved: true, ..TwoPhaseLimits::default() };
        let found = self.search(position, &limits, &mut |_| {}, &Cancel::new());
        inverse(&found.solution.unwrap_or_default())
    }

    /// Generates the tables, with two threads if the system grants them.
    fn generate() -> TwoPhase {
        let (corner_turns, edge_turns) = (Four::corner_turns(), Four::edge_turns());
        let generate_members = || Members::generate(&corner_turns, &edge_turns);
        let (members, cosets) = beside(generate_members, || Cosets::generate(&edge_turns));
        TwoPhase { cosets, members }
    }
}
