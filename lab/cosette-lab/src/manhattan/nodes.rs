//! How large the tree is (Korf 1997, Table 1).

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Plot, Request, Table};
use crate::lab::Lab;
use cosette::cube::{Metric, sequence_counts};

/// Korf's Table 1: the nodes at each depth from 1 to 18.
const PAPER: [u128; 18] = [
    18,
    243,
    3_240,
    43_254,
    577_368,
    7_706_988,
    102_876_480,
    1_373_243_544,
    18_330_699_168,
    244_686_773_808,
    3_266_193_870_720,
    43_598_688_377_184,
    581_975_750_199_168,
    7_768_485_393_179_328,
    103_697_388_221_736_960,
    1_384_201_395_738_071_424,
    18_476_969_736_848_122_368,
    246_639_261_965_462_754_048,
];

/// How many times as many nodes there are at a depth as at the one before, in the limit: 6 + 3 √6 = 13.348469228349534…
///
/// Let a be the nodes at a depth that a turn of U, R or F leads to, and b those of D, L or B. A depth further there are
/// 6a + 6b and 9a + 6b, and the larger eigenvalue is what solves (6 − x)² = 54.
pub fn branching_factor() -> f64 {
    6.0 + 54f64.sqrt()
}

/// The nodes at each depth of the canonical tree, beside those of the paper and of a search that tries all moves.
pub fn nodes(_lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let columns = ["depth", "paper", "measured", "ratio", "times the depth before", "all moves, 18^d", "of them, %"];
    let mut table = Table::new("Nodes at each depth of the search tree", &columns);
    let counts = sequence_counts(PAPER.len(), Metric::Htm);
    let plot = Plot::new("korf-table-1", "Nodes at each depth", ["depth", "nodes"], [false, true]);
    let mut plot = plot.series("all moves", []).series("canonical sequences", []);
    for (depth, (&count, paper)) in (1u32..).zip(counts[1..].iter().zip(PAPER)) {
        let all = 18u128.pow(depth);
        table.row([
            Cell::Count(depth.into()),
            Cell::Large(paper),
            Cell::Large(count),
            Cell::ratio(count as f64, paper as f64),
            Cell::Number(count as f64 / counts[depth as usize - 1] as f64, 5),
            Cell::Large(all),
            Cell::Number(100.0 * count as f64 / all as f64, 2),
        ]);
        for (series, nodes) in plot.series.iter_mut().zip([all, count]) {
            series.points.push((depth.into(), nodes as f64));
        }
    }
    Ok(Experiment::new("nodes", "Nodes in the search tree as a function of depth", "Korf 1997, Table 1")
        .text(
            "Nodes of the tree of canonical sequences in the half-turn metric, counted exactly: no face turns twice \
             running, and of opposite faces one comes first. The factor from depth to depth is the branching factor; \
             the paper gives 13.34847.",
        )
        .tables([table])
        .plots([plot])
        .remark(format!(
            "In the limit the branching factor is 6 + 3 √6 = {:.14}, the larger eigenvalue of the matrix that counts \
             nodes by the face turned last.",
            branching_factor()
        )))
}
