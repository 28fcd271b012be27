//! The worked example of the page: a position of few moves, solved by equal products.

use super::engine::Fiat;
use super::length::quarters;
use crate::error::LabError;
use crate::example::{SCRAMBLE, position};
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use cosette::cube::{Metric, Moves};
use cosette::search::SolutionCount;

/// How the bidirectional search solves the example.
pub fn example(lab: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let (fiat, position) = (Fiat::new(Metric::Htm), position());
    let mut lengths =
        Table::headed("Length by length", "length | parts a + b, c + d | products on the left | on the right | equal");
    let mut parts =
        Table::headed("The solution in four parts", "part | moves | in the list of permutations at distance");
    for length in 0.. {
        let found = fiat.search(&position, length, SolutionCount::All, &lab.control)?;
        lab.check()?;
        let [a, b, c, d] = quarters(length);
        let lists = fiat.lists().up_to(b, &lab.control)?;
        let size = |part: u8| lists[usize::from(part)].permutations.len() as u64;
        lengths.row([
            Cell::Count(length.into()),
            Cell::text(format!("{a} + {b}, {c} + {d}")),
            Cell::Count(size(a) * size(b)),
            Cell::Count(size(c) * size(d)),
            Cell::Count(found.matches),
        ]);
        let Some(solution) = found.solutions.first() else { continue };
        let mut rest = &solution[..];
        for (name, length) in ["a", "b", "c", "d"].into_iter().zip([a, b, c, d]) {
            let (part, others) = rest.split_at(length.into());
            rest = others;
            parts.row([Cell::text(name), Cell::text(Moves(part).to_string()), Cell::Count(length.into())]);
        }
        break;
    }
    Ok(Experiment::new("example", format!("An example: the position after {SCRAMBLE}"), "computed")
        .text(
            "A solution of five moves is cut in the parts a, b, c and d. On the left are the positions that the parts a and b lead \
             to from the scrambled cube, on the right those from which c and d lead to the solved one. Both are products of two short \
             lists, and both are generated in the order of a dictionary, so that equal ones are found as two sorted files are merged.",
        )
        .tables([lengths, parts]))
}
