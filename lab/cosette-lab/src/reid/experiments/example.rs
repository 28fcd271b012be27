//! The worked example of the page: a position of few moves, solved with distances along three axes.

use crate::error::LabError;
use crate::example::{SCRAMBLE, Values, deepening, position};
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::reid::engine::Reid;
use cosette::cube::{Cube, Metric};

/// How Reid's search solves the example.
pub fn example(lab: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let reid = Reid::new(lab, Metric::Htm)?;
    let mut root = Table::headed("Its distances to the three subgroups", "subgroup | distance");
    let groups = ["⟨U, D, F2, R2, B2, L2⟩", "⟨R, L, F2, U2, B2, D2⟩", "⟨F, B, U2, R2, D2, L2⟩"];
    for (group, distance) in groups.iter().zip(reid.distances(&position())) {
        root.row([Cell::text(*group), Cell::Count(distance.into())]);
    }
    let values = |position: &Cube| reid.distances(position).to_vec();
    let columns = &["moves made", "U and D", "R and L", "F and B", "bound", "left", ""];
    let [iterations, nodes] = reid.trace(|ida| deepening(ida, &Values { columns, of: &values }));
    Ok(Experiment::new("example", format!("An example: the position after {SCRAMBLE}"), "computed")
        .text(
            "The same table is asked three times, with the cube turned so that each axis once takes the place of U and D. The largest \
             distance is the first threshold. A node is cut when its bound is larger than what is left.",
        )
        .tables([root, iterations, nodes]))
}
