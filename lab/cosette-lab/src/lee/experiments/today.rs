//! The same idea with the means of today: iterative deepening that ends at a perimeter, behind a static filter.
//!
//! ```text
//! descend(position, remaining):
//!     cut, if the fast engine's table bounds the position or its inverse above what remains
//!     where seven moves or fewer remain:
//!         cut, if the filter does not know the class of the position              (9 bits a class; never wrong)
//!         cut, if the perimeter does not, or knows it farther away                 (exact)
//!     descend to each child
//! ```
//!
//! No state is stored. The filter knows all classes in the perimeter and one in 256 of the others; it takes 2.6 MB for
//! seven moves, so that looking into it misses no cache.

use super::kept::Kept;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::fast;
use crate::ida::{Ida, IdaLimits, IdaResult, LowerBound};
use crate::lab::Lab;
use crate::lee::perimeter::Perimeter;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Outcome};
use cosette::table::{Table as PruningTable, TableSize};
use xorf::{BinaryFuse8, Filter};

/// The fast engine's table as a bound, with or without a perimeter behind it.
pub struct Bounded<'a> {
    table: &'a PruningTable,
    perimeter: Option<(&'a Perimeter, &'a BinaryFuse8)>,
}

impl<'a> Bounded<'a> {
    /// The bound by the table alone.
    pub fn by_table(table: &'a PruningTable) -> Bounded<'a> {
        Bounded { table, perimeter: None }
    }

    /// The bound by the table, and by the perimeter where no more moves remain than it is deep.
    pub fn by_perimeter(table: &'a PruningTable, perimeter: &'a Perimeter, filter: &'a BinaryFuse8) -> Bounded<'a> {
        Bounded { table, perimeter: Some((perimeter, filter)) }
    }
}

/// The filter of the classes in a perimeter.
pub fn filter(perimeter: &Perimeter) -> BinaryFuse8 {
    let classes: Vec<u64> = perimeter.all().collect();
    BinaryFuse8::try_from(&classes).expect("no class is there twice")
}

impl LowerBound for Bounded<'_> {
    type Node = Cube;

    fn node(&self, position: &Cube) -> Cube {
        *position
    }

    fn turned(&self, node: &Cube, m: Move) -> Cube {
        node.turned(m)
    }

    fn bound(&self, node: &Cube, remaining: u8, probes: &mut u64) -> u8 {
        *probes += 1;
        let direct = self.table.bound(node);
        if direct > remaining {
            return direct;
        }
        *probes += 1;
        let bound = direct.max(self.table.bound(&node.inverse()));
        let Some((perimeter, filter)) =
            self.perimeter.filter(|(perimeter, _)| bound <= remaining && remaining <= perimeter.depth())
        else {
            return bound;
        };
        *probes += 1;
        if !filter.contains(&perimeter.class(node)) {
            return perimeter.depth() + 1;
        }
        *probes += 1;
        perimeter.distance(node).unwrap_or(perimeter.depth() + 1)
    }
}

/// Nodes and seconds of one way of searching, over some positions.
#[derive(Default)]
struct Sum {
    nodes: u64,
    seconds: f64,
}

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-today.txt");

/// The lengths, with how many positions of each.
const PLAN: [(u8, usize); 5] = [(14, 10), (15, 10), (16, 5), (17, 3), (18, 2)];

/// The fast engine, iterative deepening with its table, and the same with a perimeter, side by side.
pub fn today(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-today", RESULTS)?;
    if kept.is_open() {
        // With 1.5 GB: with 190 MB the plain search would generate billions of nodes at length 18.
        compare(lab, &kept, TableSize::ALL[6], &PLAN)?;
    }
    let mut table = Table::headed(
        "Ruling out all shorter lengths: means. Nodes of the fast engine are those expanded, the others those generated.",
        "length | positions | fast: nodes | fast: s | IDA*: nodes | IDA*: s | perimeter: nodes | perimeter: s | \
         ratio of nodes",
    );
    for (length, count) in PLAN {
        let number = |place| kept.number(&length.to_string(), place).unwrap_or_default();
        let [fast, plain, ended] =
            [0, 2, 4].map(|place| [Cell::Count(number(place) as u64), Cell::Seconds(number(place + 1))]);
        let cells = [Cell::Count(length.into()), Cell::Count(count as u64)];
        let ratio = Cell::ratio(number(4), number(2));
        table.row(cells.into_iter().chain(fast).chain(plain).chain(ended).chain([ratio]));
    }
    Ok(Experiment::new("today", "A perimeter with modern methods", "Lee 2013, beside the fast engine")
        .text(
            "A perimeter and an estimate need no A*. Iterative deepening with the table of our engine as its bound (htm-1.5G), for \
             a position and its inverse: once alone, once ending at the perimeter, which is stored as symmetry classes (24 MB) \
             behind a binary fuse filter (2.6 MB). No generated position is stored, so only time limits the length. What is \
             measured is the work to rule out every length below that of the solution, which excludes luck in the last iteration.",
        )
        .text(kept.circumstances.clone())
        .tables([table]))
}

/// Rules out all lengths shorter than that of the solution in three ways.
fn compare(lab: &Lab<'_>, kept: &Kept, size: TableSize, plan: &[(u8, usize)]) -> Result<(), LabError> {
    let fast = fast::solver_of_size(size, lab)?;
    let perimeter = Perimeter::new(7, lab)?;
    let filter = filter(&perimeter);
    kept.add("bytes", &[&perimeter.bytes(), &filter.len()])?;
    for (i, &(length, count)) in plan.iter().enumerate() {
        if kept.get(&length.to_string()).is_some() {
            continue;
        }
        lab.step("searching with today's means", i as u64, plan.len() as u64);
        let mut sums: [Sum; 3] = Default::default();
        for position in fast::positions_of_length(length, count, 2, &fast, lab)? {
            let shorter = Options { max_length: Some(length - 1), ..Options::default() };
            let report = fast.search(&position).options(shorter).control(&lab.control).run();
            lab.check()?;
            sums[0].nodes += report.nodes();
            sums[0].seconds += report.elapsed.as_secs_f64();
            let plain = Bounded::by_table(fast.table());
            let ended = Bounded::by_perimeter(fast.table(), &perimeter, &filter);
            for (sum, bound) in sums[1..].iter_mut().zip([plain, ended]) {
                let found = rule_out(&bound, &position, length - 1, lab);
                lab.check()?;
                assert_eq!((found.outcome, found.lower_bound), (Outcome::NoneWithinLimit, length));
                sum.nodes += found.iterations.iter().map(|iteration| iteration.nodes).sum::<u64>();
                sum.seconds += found.elapsed.as_secs_f64();
            }
        }
        let mean = |sum: &Sum| format!("{} {:.5}", sum.nodes / count as u64, sum.seconds / count as f64);
        kept.add(&length.to_string(), &[&mean(&sums[0]), &mean(&sums[1]), &mean(&sums[2])])?;
    }
    Ok(())
}

fn rule_out(bound: &Bounded<'_>, position: &Cube, longest: u8, lab: &Lab<'_>) -> IdaResult {
    let ida = Ida { bound, metric: Metric::Htm };
    let limits = IdaLimits { last: Some(longest), ..IdaLimits::default() };
    ida.search(position, &limits, &mut |_| {}, &lab.control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn three_ways_are_compared() {
        in_empty_lab(|lab| {
            let kept = Kept::read("");
            compare(lab, &kept, TableSize::ALL[0], &[(9, 2)]).unwrap();
            assert_eq!(kept.get("9").unwrap().len(), 6);
        });
    }
}
