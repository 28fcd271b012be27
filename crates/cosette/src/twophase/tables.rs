//! The tables of the two phases.

use super::coordinate::Four;
use super::cosets::Cosets;
use super::members::Members;
use std::sync::LazyLock;

/// The tables of the two phases.
pub struct TwoPhase {
    pub(super) cosets: Cosets,
    pub(super) members: Members,
}

impl TwoPhase {
    /// The tables; generated at the first call, in about a thirtieth of a second.
    pub fn get() -> &'static TwoPhase {
        static TABLES: LazyLock<TwoPhase> = LazyLock::new(TwoPhase::generate);
        &TABLES
    }

    /// Generates the tables, with two threads.
    fn generate() -> TwoPhase {
        let (corner_turns, edge_turns) = (Four::corner_turns(), Four::edge_turns());
        std::thread::scope(|scope| {
            let members = scope.spawn(|| Members::generate(&corner_turns, &edge_turns));
            let cosets = Cosets::generate(&edge_turns);
            TwoPhase { cosets, members: members.join().expect("generating a table does not panic") }
        })
    }
}
