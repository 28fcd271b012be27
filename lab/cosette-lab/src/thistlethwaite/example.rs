//! The worked example of the page: a position of few moves, solved stage by stage.

use super::engine::Thistlethwaite;
use crate::error::LabError;
use crate::example::{SCRAMBLE, position};
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use cosette::cube::Moves;

/// How the four stages solve the example.
pub fn example(_: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let system = Thistlethwaite::get();
    let mut here = position();
    let mut table =
        Table::headed("Stage by stage", "stage | from the group | into the group | distance of the coset | moves");
    let names: Vec<&str> = system.stages().iter().map(|stage| stage.group()).chain(["the solved cube"]).collect();
    let (mut number, mut total) = (0, 0);
    for (stage, path) in system.stages().iter().zip(system.solution(&here)) {
        let moves = if path.is_empty() { "none".to_owned() } else { Moves(&path).to_string() };
        table.row([
            Cell::Count(number + 1),
            Cell::text(names[number as usize]),
            Cell::text(names[number as usize + 1]),
            Cell::Count(path.len() as u64),
            Cell::text(moves),
        ]);
        number += 1;
        total += path.len();
        here = here.after(&path);
        debug_assert_eq!(stage.distance(&here), Some(0));
    }
    Ok(Experiment::new("example", format!("An example: the position after {SCRAMBLE}"), "computed")
        .tables([table])
        .remark(format!("The scramble has 5 moves, and the solution {total}: each stage is as short as it can be, all four together are not.")))
}
