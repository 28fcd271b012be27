//! The worked example of the page: a position of few moves, solved with the databases.

use super::edges::SIX;
use super::engine::Korf;
use crate::error::LabError;
use crate::example::{SCRAMBLE, Values, deepening, position};
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::ida::Ida;
use crate::lab::Lab;
use cosette::cube::Metric;

/// How Korf's search solves the example.
pub fn example(lab: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let korf = Korf::new(lab, &SIX)?;
    let values = |position: &cosette::cube::Cube| korf.databases().values(position).collect::<Vec<u8>>();
    let mut root = Table::headed(
        "What the databases say of it",
        "cubies | entries of the database | fewest moves that solve them",
    );
    let sets = ["the eight corners", "the edges UR UF UL UB FR FL", "the edges DR DF DL DB BR BL"];
    for ((set, counts), value) in sets.iter().zip(korf.databases().counts()).zip(values(&position())) {
        root.row([Cell::text(*set), Cell::Count(counts.iter().sum()), Cell::Count(value.into())]);
    }
    let columns = &["moves made", "corners", "six edges", "other six", "bound", "left", ""];
    let [iterations, nodes] =
        deepening(&Ida { bound: korf.databases(), metric: Metric::Htm }, &Values { columns, of: &values });
    Ok(Experiment::new("example", format!("An example: the position after {SCRAMBLE}"), "computed")
        .text(
            "Three databases are asked, and the largest answer counts. It is the first threshold: no solution can be shorter. A node \
             is cut when its bound is larger than what is left of the threshold after the moves made. The position itself is not counted as \
             generated, and the solved node counts as not cut.",
        )
        .tables([root, iterations, nodes]))
}
