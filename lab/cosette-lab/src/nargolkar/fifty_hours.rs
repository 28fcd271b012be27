//! Section 2.3.2: more than fifty hours at depth 14.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::ida::{Ida, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Heuristic, Manhattan, branching_factor};
use cosette::cube::{Metric, random_positions};
use cosette::search::SolutionCount;

const POSITIONS: usize = 3;
/// The limit that her programs were at.
const DEPTH: u8 = 14;
/// For so long, in seconds.
const FIFTY_HOURS: f64 = 50.0 * 3600.0;

/// Complete iterations with the sum over the edges, and what limit 14 takes.
pub fn fifty_hours(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let last = if request.effort == Effort::Full { 12 } else { 10 };
    let bound = Manhattan::new(Heuristic::Edges, Metric::Htm);
    let ida = Ida { bound: &bound, metric: Metric::Htm };
    let limits = IdaLimits { solution_count: SolutionCount::All, last: Some(last), ..IdaLimits::default() };
    let mut sums = vec![(0, 0.0); usize::from(last) + 1];
    let seed = request.seed_or(1);
    for (done, position) in (0..).zip(random_positions(seed).take(POSITIONS)) {
        lab.step("searching with the Manhattan distance", done, POSITIONS as u64);
        for iteration in ida.search(&position, &limits, &mut |_| {}, &lab.control).iterations {
            let sum = &mut sums[usize::from(iteration.threshold)];
            *sum = (sum.0 + iteration.nodes, sum.1 + iteration.elapsed.as_secs_f64());
        }
        lab.check()?;
    }
    let mut table = Table::headed(
        format!("Means of {POSITIONS} random positions (seed {seed}); from limit {} on expected", last + 1),
        "limit | nodes | nodes a second that fifty hours need",
    );
    let growth = branching_factor();
    let (nodes, _) = sums[usize::from(last)];
    for limit in last - 1..=DEPTH {
        let mean = match sums.get(usize::from(limit)) {
            Some((nodes, _)) => *nodes as f64 / POSITIONS as f64,
            None => nodes as f64 / POSITIONS as f64 * growth.powi(i32::from(limit) - i32::from(last)),
        };
        table.row([
            Cell::Count(limit.into()),
            if limit <= last { Cell::Count(mean.round() as u64) } else { Cell::Estimate(mean) },
            Cell::Count((mean / FIFTY_HOURS).round() as u64),
        ]);
    }
    let expected = nodes as f64 / POSITIONS as f64 * growth.powi(i32::from(DEPTH - last));
    Ok(Experiment::new("fifty-hours", "More than fifty hours at depth 14", "Nargolkar 2006, section 2.3.2")
        .text(format!(
            "Her first program, with a Manhattan distance of the edges, solved what it was given up to depth 13. On ten positions \
             that Korf had solved it was still at depth 14 after fifty hours. The same estimate (the edges ÷ 4) on random \
             positions, each iteration {growth:.2} times the one before:"
        ))
        .tables([table])
        .remark(format!(
            "So a program of less than {:.1} million nodes a second is at limit 14 for more than fifty hours, as she says; Korf's \
             did 0.7 million in 1997. Limit 18 would take {:.0} thousand times as long. Her Figures 2.1 and 2.2 are beside ours on the page of \
             [Korf](korf.md).",
            expected / FIFTY_HOURS / 1e6,
            growth.powi(4) / 1e3
        )))
}
