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

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::fast;
use crate::ida::{Ida, IdaLimits, IdaResult, LowerBound};
use crate::lab::Lab;
use crate::lee::perimeter::Perimeter;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Outcome, Solver};
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

/// The fast engine, iterative deepening with its table, and the same with a perimeter, side by side.
pub fn today(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (size, plan): (TableSize, &[(u8, usize)]) = match request.effort {
        Effort::Quick => (TableSize::ALL[3], &[(14, 3), (15, 2), (16, 2)]),
        // With 2 GB: with 240 MB the plain search would generate billions of nodes at length 18.
        Effort::Full => (TableSize::ALL[6], &[(14, 10), (15, 10), (16, 5), (17, 3), (18, 2)]),
    };
    let fast = fast::solver_of_size(size, lab)?;
    let perimeter = Perimeter::new(7, lab)?;
    let filter = filter(&perimeter);
    let mut table = Table::headed(
        format!(
            "Ruling out all shorter lengths: means, with {} threads. Nodes of the fast engine are those expanded, \
             the others those generated.",
            lab.control.threads()
        ),
        "length | positions | fast: nodes | fast: s | IDA*: nodes | IDA*: s | perimeter: nodes | perimeter: s | \
         ratio of nodes",
    );
    for (i, &(length, count)) in plan.iter().enumerate() {
        lab.step("searching with today's means", i as u64, plan.len() as u64);
        let mut sums: [Sum; 3] = Default::default();
        for position in fast::positions_of_length(length, count, 2, &fast, lab)? {
            let shorter = Options { max_length: Some(length - 1), ..Options::default() };
            let report = fast.search(&position).options(shorter).control(&lab.control).run();
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
        let mean = |sum: &Sum| [Cell::Count(sum.nodes / count as u64), Cell::Seconds(sum.seconds / count as f64)];
        let [first, second, third] = [mean(&sums[0]), mean(&sums[1]), mean(&sums[2])];
        let ratio = Cell::ratio(sums[2].nodes as f64, sums[1].nodes as f64);
        let cells = [Cell::Count(length.into()), Cell::Count(count as u64)];
        table.row(cells.into_iter().chain(first).chain(second).chain(third).chain([ratio]));
    }
    Ok(experiment(&fast, &perimeter, &filter, table))
}

fn rule_out(bound: &Bounded<'_>, position: &Cube, longest: u8, lab: &Lab<'_>) -> IdaResult {
    let ida = Ida { bound, metric: Metric::Htm };
    let limits = IdaLimits { last: Some(longest), ..IdaLimits::default() };
    ida.search(position, &limits, &mut |_| {}, &lab.control)
}

fn experiment(fast: &Solver, perimeter: &Perimeter, filter: &BinaryFuse8, table: Table) -> Experiment {
    Experiment::new("today", "A perimeter with modern methods", "Lee 2013, beside the fast engine")
        .text(format!(
            "Iterative deepening with the bound of the fast engine's table ({}), for a position and its inverse; \
             once alone, once ending at a perimeter of depth {}, which is stored as symmetry classes ({:.1} MB) \
             behind a binary fuse filter ({:.1} MB). No generated position is stored, so only time limits the length.",
            fast.table().id(),
            perimeter.depth(),
            perimeter.bytes() as f64 / 1e6,
            filter.len() as f64 / 1e6
        ))
        .text(
            "The perimeter is exact: what the filter lets through is looked up. We measure the work to rule out every \
             length below that of the solution, which excludes luck in the last iteration.",
        )
        .tables([table])
        .remark(
            "What the perimeter saves varies widely between positions (the ratio of nodes): nothing if the table \
             already cuts well before seven moves remain, much if it does not. The fast engine needs fewer nodes than \
             either because it expands the position or its inverse, whichever has fewer moves left, and counts only \
             what it expands.",
        )
}
