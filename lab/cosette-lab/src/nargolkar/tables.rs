//! Table 2.1, and the table of distances in the log of appendix B.

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::reid::experiments::POSITIONS_QTM;
use crate::reid::table::{CosetTable, Storage};
use crate::thistlethwaite::Thistlethwaite;
use cosette::cube::Metric;

/// Table 2.1: the most moves of each stage, and their sum as printed.
const PRINTED: [(&str, [u8; 4], u8); 3] =
    [("original", [7, 13, 15, 17], 52), ("improved", [7, 13, 15, 15], 50), ("best possible", [7, 10, 13, 15], 45)];

/// The classes by distance that the log prints.
const CLASSES: [u64; 14] = [1, 1, 3, 24, 185, 1633, 14708, 130032, 1124165, 8868078, 48182278, 75087495, 7498528, 1279];

/// Table 2.1 beside the exact diameters.
pub fn stages(_lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let exact: Vec<u8> = Thistlethwaite::get().stages().iter().map(|stage| stage.diameter()).collect();
    let mut table = Table::headed("", "row | stage 1 | stage 2 | stage 3 | stage 4 | sum (paper) | sum");
    let count = |moves: u8| Cell::Count(moves.into());
    for (name, stages, sum) in PRINTED {
        let stages_sum: u8 = stages.iter().sum();
        table.row(
            [Cell::text(format!("{name} (paper)"))]
                .into_iter()
                .chain(stages.map(count))
                .chain([count(sum), count(stages_sum)]),
        );
    }
    let sum: u8 = exact.iter().sum();
    let row = [Cell::text("computed here")].into_iter().chain(exact.iter().copied().map(count));
    table.row(row.chain([Cell::Nothing, count(sum)]));
    Ok(Experiment::new("stages", "Thistlethwaite's stages", "Nargolkar 2006, Table 2.1")
        .text("The most moves that each stage of Thistlethwaite's method needs. The computed ones are those of [his page](thistlethwaite.md).")
        .tables([table]))
}

/// The distances of the cosets as the log prints them.
pub fn cosets(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let packed = lab.table(&CosetTable { metric: Metric::Qtm, storage: Storage::Four })?;
    let mut table = Table::headed("", "distance | positions (paper) | classes (paper) | classes | difference");
    for (distance, ((positions, printed), counted)) in POSITIONS_QTM.iter().zip(CLASSES).zip(&packed.counts).enumerate()
    {
        table.row([
            Cell::text(format!("{distance}q")),
            Cell::Count(*positions),
            Cell::Count(printed),
            Cell::Count(*counted),
            Cell::Count(counted.abs_diff(printed)),
        ]);
    }
    Ok(Experiment::new("cosets", "The table of distances", "Nargolkar 2006, appendix B")
        .text(
            "Before it searches, her program fills Reid's table: the distance of each coset to the target subgroup, in quarter turns. The \
             log prints cosets (\"positions\") and entries of the table (\"quotient\"), which are classes under sixteen symmetries. All of \
             them agree; the positions are counted on the page of [Reid](reid.md).",
        )
        .tables([table]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_sums_are_right() {
        for (name, stages, sum) in PRINTED {
            assert_eq!(stages.iter().sum::<u8>(), sum, "{name}");
        }
        assert_eq!(CLASSES.iter().sum::<u64>(), 140_908_410, "all entries of the table");
        assert_eq!(POSITIONS_QTM.iter().sum::<u64>(), 2_217_093_120, "all cosets");
    }
}
