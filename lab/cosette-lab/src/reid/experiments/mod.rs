//! The figures that Reid printed, and those that Nargolkar printed of a similar program, reproduced.

mod cosets;
mod korf_ten;
mod log;
mod long;
mod mean;
mod speed;
mod subgroups;
mod target;

pub use cosets::{CLASSES_QTM, Census, POSITIONS_HTM, POSITIONS_QTM, census, cosets};
pub use korf_ten::korf_ten;
pub use log::{PRINTED, log};
pub use long::{korf_ten_by_reid, superflip};
pub use mean::mean;
pub use speed::speed;
pub use subgroups::subgroups;
pub use target::target_subgroup;

use crate::ida::IdaLimits;
use cosette::cube::{Cube, Metric, Move, MoveSet, parse_reid};
use cosette::search::SolutionCount;
use rand::{RngExt, SeedableRng};

/// The position of Nargolkar 2006, appendix B.
pub fn appendix_b() -> Cube {
    parse_reid("RU UF LF LU RB RD LB DB FR BU FD DL RUF LDF LFU LUB RDB RBU LBD RFD").expect("twenty pieces")
}

/// The limits of a search for all solutions up to a length, threshold by threshold, without the symmetry of the
/// position.
fn up_to(last: u8) -> IdaLimits {
    IdaLimits { solution_count: SolutionCount::All, last: Some(last), by_parity: false, ..IdaLimits::default() }
}

/// The positions after canonical random walks of `length` moves, all of which are `wanted`, from the seed.
fn random_walks(seed: u64, length: usize, wanted: impl Fn(Move) -> bool) -> impl Iterator<Item = Cube> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut walk: Vec<Move> = Vec::new();
        while walk.len() < length {
            let next: Vec<Move> = MoveSet::after(walk.last().copied()).iter().filter(|&m| wanted(m)).collect();
            walk.push(next[rng.random_range(0..next.len())]);
        }
        Cube::from_moves(&walk)
    })
}

/// The name of a metric in full.
fn metric_name(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "half-turn metric",
        Metric::Qtm => "quarter-turn metric",
    }
}
