//! Section 4.1: the search with and without the symmetry of positions.

use super::patterns::{Pattern, superflip};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use crate::reid::Reid;
use cosette::cube::{Cube, Metric};
use cosette::search::SolutionCount;

/// Nodes by limit with and without the symmetry, of the superflip and of the symmetric positions of appendix C.
pub fn symmetry(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let enough = if request.effort == Effort::Full { 100_000_000 } else { 4_000_000 };
    let mut table = Table::headed(
        "",
        "position | symmetries | metric | limit | nodes without symmetry | nodes with symmetry | ratio | tests without | tests with",
    );
    let mut ratios = Vec::new();
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        for (name, position) in positions() {
            lab.step("searching with and without symmetry", 0, 1);
            let order = position.symmetries().len();
            let mut limit = reid.bound(&position).max(1);
            loop {
                let only = |by_symmetry| IdaLimits {
                    solution_count: SolutionCount::All,
                    by_symmetry,
                    by_parity: false,
                    ..IdaLimits::only(limit)
                };
                let count = |by_symmetry| {
                    let found = reid.search(&position, &only(by_symmetry), &mut |_| {}, &lab.control);
                    found.iterations.first().map_or((0, 0), |of| (of.nodes, of.tests))
                };
                let (without, with) = (count(false), count(true));
                lab.check()?;
                if without.0 >= enough {
                    let ratio = without.0 as f64 / with.0 as f64;
                    ratios.push((order, ratio));
                    table.row([
                        Cell::text(&name),
                        Cell::Count(order as u64),
                        Cell::text(metric.name()),
                        Cell::Count(limit.into()),
                        Cell::Count(without.0),
                        Cell::Count(with.0),
                        Cell::Number(ratio, 2),
                        Cell::Count(without.1),
                        Cell::Count(with.1),
                    ]);
                    break;
                }
                limit += 1;
            }
        }
    }
    let least = ratios.iter().map(|(order, ratio)| ratio / *order as f64).fold(f64::INFINITY, f64::min);
    Ok(Experiment::new("symmetry", "Symmetry on and off", "Nargolkar 2006, section 4.1 and chapter 6")
        .text(format!(
            "The log of appendix B says that symmetry reductions are used, and the thesis that symmetric positions are solved \
             faster; it prints no counts. Here the sequences of three moves that are conjugate by a symmetry of the position are searched \
             once. Of each position that has symmetries, the first limit with {} million nodes or more:",
            enough / 1_000_000
        ))
        .tables([table])
        .remark(format!(
            "A position with n symmetries can gain the factor n, where no sequence of three moves is its own conjugate and where the \
             work below them outweighs them. Here it gains {:.0} % of n or more. Most positions have no symmetry but the identity, \
             and gain nothing: those of appendix C that are not listed, among them that of appendix B.",
            100.0 * least
        )))
}

/// The positions with symmetry, each once.
fn positions() -> Vec<(String, Cube)> {
    let mut all = vec![("superflip".to_owned(), superflip())];
    for pattern in Pattern::all() {
        let position = pattern.position();
        if position.symmetries().len() > 1 && all.iter().all(|(_, other)| *other != position) {
            all.push((format!("pattern {}", pattern.number), position));
        }
    }
    all
}
