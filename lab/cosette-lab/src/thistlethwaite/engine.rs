//! The four stages as an engine.

use super::coordinate;
use super::stage::Stage;
use crate::engine::{Engine, OnEvent};
use cosette::Control;
use cosette::cube::{Cube, Metric, Move, canonical};
use cosette::search::{Options, Outcome, Report, Threshold};
use std::sync::LazyLock;
use std::time::Instant;

/// The most moves that the original stages need (Thistlethwaite 1981): 52 in all.
pub const ORIGINAL_DIAMETERS: [u8; 4] = [7, 13, 15, 17];

/// The four stages with all their distances, 1.8 MB.
pub struct Thistlethwaite {
    stages: [Stage; 4],
}

impl Thistlethwaite {
    /// The stages; computed at the first call, in less than a second.
    pub fn get() -> &'static Thistlethwaite {
        static STAGES: LazyLock<Thistlethwaite> = LazyLock::new(Thistlethwaite::compute);
        &STAGES
    }

    /// Computes all distances.
    pub fn compute() -> Thistlethwaite {
        let halves = |faces: &'static str| move |m: Move| m.is_half_turn() || faces.contains(m.face().letter());
        Thistlethwaite {
            stages: [
                Stage::new("⟨U,D,R,L,F,B⟩", halves("UDRLFB"), [coordinate::flips, coordinate::nothing]),
                Stage::new("⟨U,D,R,L,F2,B2⟩", halves("UDRL"), [coordinate::twists, coordinate::middle_slots]),
                Stage::new(
                    "⟨U,D,R2,L2,F2,B2⟩",
                    halves("UD"),
                    [coordinate::corners_up_to_half_turns, coordinate::slices],
                ),
                Stage::new("⟨U2,D2,R2,L2,F2,B2⟩", halves(""), [coordinate::corners, coordinate::edges]),
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
            let path = stage.path(&here).expect("each stage leads into the group of the next");
            here = here.after(&path);
            path
        })
    }
}

/// The outcome of a report is [`Outcome::Unproven`]. Options make no difference: there is one solution, found within
/// a millisecond, so a request to stop makes none either.
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

    fn solve(&self, position: &Cube, _options: &Options<'_>, _on_event: OnEvent<'_>, _control: &Control<'_>) -> Report {
        let start = Instant::now();
        let paths = self.solution(position);
        let nodes = self.stages.iter().zip(&paths).map(|(stage, path)| stage.nodes_along(path)).sum();
        let solution = canonical(&paths.concat());
        assert!(position.after(&solution).is_solved(), "{solution:?} does not solve {position:?}");
        let length = solution.len() as u8;
        let probes = nodes + self.stages.len() as u64;
        let walk = Threshold { length, nodes, probes, elapsed: start.elapsed(), exhausted: false };
        Report {
            outcome: Outcome::Unproven,
            lower_bound: 0,
            solutions: Vec::new(),
            best_known: Some(solution),
            thresholds: vec![walk],
            symmetry_count: position.symmetries().len(),
            elapsed: start.elapsed(),
        }
    }
}
