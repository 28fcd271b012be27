//! Thistlethwaite's four stages (M. B. Thistlethwaite, 1981, as printed in D. Singmaster, "Notes on Rubik's Magic Cube").
//!
//! # Theory
//!
//! The moves are given up by and by. Each subgroup in the chain
//!
//! ```text
//! G0 = ⟨U, D, R, L, F, B⟩ ⊃ G1 = ⟨U, D, R, L, F2, B2⟩ ⊃ G2 = ⟨U, D, R2, L2, F2, B2⟩ ⊃ G3 = ⟨U2, D2, R2, L2, F2, B2⟩ ⊃ 1
//! ```
//!
//! has few cosets in the one before. A stage brings a position of its group into the next subgroup, by moves that generate its
//! group; so after four stages the position is solved. It sees no more of the position than the coset:
//!
//! | stage | cosets | what is seen |
//! |---|---|---|
//! | G0 → G1 | 2,048 | the flips of the edges |
//! | G1 → G2 | 1,082,565 = 2,187 · 495 | the twists of the corners; the slots of the edges between U and D |
//! | G2 → G3 | 29,400 = 420 · 70 | the corners up to the 96 arrangements that half turns make; the slices of the edges |
//! | G3 → 1 | 663,552 = 96 · 6,912 | where the corners are; where the edges are |
//!
//! Thistlethwaite found ways through each stage by hand and by computer, of 7, 13, 15 and 17 moves at most: 52 in all. The
//! distances within the stages are all computed here, by breadth-first search, and the largest are 7, 10, 13 and 15: so 45
//! moves are always enough.
//!
//! ```text
//! for each stage
//!     until its distance is zero
//!         do a move of its group after which the distance is one less
//! ```
//!
//! # Departures
//!
//! 1. What a stage sees is a product of two *sights*, such as twists and slots. The values of each are numbered as moves from the
//!    solved position first show them ([`Sight`]); that all products occur is what the counts of the cosets prove.
//! 2. Of several moves that lead nearer the first is taken. At the seams between stages moves may cancel, which a canonical
//!    form makes use of.

mod experiment;
mod sight;
mod stage;

pub use experiment::stages;
pub use sight::Sight;
pub use stage::Stage;

use crate::engine::Engine;
use cosette::Cancel;
use cosette::cube::{Cube, Metric, Move, canonical};
use cosette::search::{Event, Options, Outcome, Report, Threshold};
use std::sync::LazyLock;
use std::time::Instant;

/// The most moves that the original stages need (Thistlethwaite 1981): 52 in all.
pub const ORIGINAL_DIAMETERS: [u8; 4] = [7, 13, 15, 17];

/// The four stages with all their distances, 1.8 MB.
pub struct Thistlethwaite {
    stages: [Stage; 4],
}

impl Thistlethwaite {
    /// The stages; filled at the first call, in less than a second.
    pub fn get() -> &'static Thistlethwaite {
        static STAGES: LazyLock<Thistlethwaite> = LazyLock::new(Thistlethwaite::fill);
        &STAGES
    }

    /// Computes all distances.
    pub fn fill() -> Thistlethwaite {
        let halves = |faces: &'static str| move |m: Move| m.is_half_turn() || faces.contains(m.face().letter());
        Thistlethwaite {
            stages: [
                Stage::fill("⟨U,D,R,L,F,B⟩", halves("UDRLFB"), [sight::flips, sight::nothing]),
                Stage::fill("⟨U,D,R,L,F2,B2⟩", halves("UDRL"), [sight::twists, sight::middle_slots]),
                Stage::fill("⟨U,D,R2,L2,F2,B2⟩", halves("UD"), [sight::corners_up_to_half_turns, sight::slices]),
                Stage::fill("⟨U2,D2,R2,L2,F2,B2⟩", halves(""), [sight::corners, sight::edges]),
            ],
        }
    }

    /// The stages, in order.
    pub fn stages(&self) -> &[Stage; 4] {
        &self.stages
    }

    /// A solution, stage by stage: at most 45 moves, each stage as short as it can be.
    pub fn solution(&self, position: &Cube) -> [Vec<Move>; 4] {
        let mut here = *position;
        self.stages.each_ref().map(|stage| {
            let way = stage.way(&here).expect("each stage leads into the group of the next");
            here = here.after(&way);
            way
        })
    }
}

/// The outcome of a report is [`Outcome::Cancelled`], which claims nothing. Options make no difference: there is one
/// solution.
impl Engine for &'static Thistlethwaite {
    fn name(&self) -> &'static str {
        "thistlethwaite"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        "four stages".into()
    }

    fn is_optimal(&self) -> bool {
        false
    }

    fn solve(
        &self,
        position: &Cube,
        _options: &Options<'_>,
        _on_event: &(dyn Fn(Event<'_>) + Sync),
        _cancel: &Cancel,
    ) -> Report {
        let start = Instant::now();
        let ways = self.solution(position);
        let nodes = self.stages.iter().zip(&ways).map(|(stage, way)| stage.nodes_along(way)).sum();
        let solution = canonical(&ways.concat());
        assert!(position.after(&solution).is_solved(), "{solution:?} does not solve {position:?}");
        let length = solution.len() as u8;
        let probes = nodes + self.stages.len() as u64;
        let walk = Threshold { length, nodes, probes, elapsed: start.elapsed(), exhausted: false };
        Report {
            outcome: Outcome::Cancelled,
            lower_bound: 0,
            solutions: Vec::new(),
            best_known: Some(solution),
            thresholds: vec![walk],
            stabilizer: position.stabilizer().len(),
            elapsed: start.elapsed(),
        }
    }
}
