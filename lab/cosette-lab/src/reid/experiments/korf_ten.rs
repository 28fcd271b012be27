//! All shortest solutions of given positions by the fast engine, and its solution sets beside Reid's own.

use super::long::COUNTS;
use super::{metric_name, random_walks};
use crate::engine::Engine;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Table};
use crate::lab::Lab;
use crate::reid::engine::Reid;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, Report, SolutionCount, Solver};
use std::collections::BTreeSet;

/// The optimal lengths of Korf's ten, by rising length.
const LENGTHS: [u8; 10] = [16, 17, 17, 17, 18, 18, 18, 18, 18, 18];

/// All shortest solutions of the positions by the fast engine, with Reid's counts where they are Korf's ten, which is
/// told from their lengths; and the solution sets of Reid's solver beside those of the fast engine, for those positions
/// that are near enough and for random walks.
pub fn korf_ten(lab: &Lab<'_>, positions: &[Cube], solver: &Solver, effort: Effort) -> Result<Experiment, LabError> {
    let metric = solver.table().id().metric;
    let (near, walks) = match (effort, metric) {
        (Effort::Quick, Metric::Htm) => (14, 12),
        (Effort::Quick, Metric::Qtm) => (16, 10),
        (Effort::Full, Metric::Htm) => (17, 14),
        (Effort::Full, Metric::Qtm) => (19, 12),
    };
    let all = Options { solution_count: SolutionCount::All, ..Options::default() };
    let fast = |position: &Cube| -> Result<Report, LabError> {
        let report = solver.search(position).options(all).control(&lab.control).run();
        lab.check()?;
        Ok(report)
    };
    let mut reports = Vec::new();
    for (i, position) in positions.iter().enumerate() {
        lab.step("all shortest solutions", i as u64, positions.len() as u64);
        reports.push(fast(position)?);
    }
    // By length, and by count within a length, as Reid's counts are known.
    let mut order: Vec<usize> = (0..reports.len()).collect();
    order.sort_by_key(|&i| (reports[i].lower_bound, reports[i].solutions.len()));
    let lengths: Vec<u8> = order.iter().map(|&i| reports[i].lower_bound).collect();
    let are_korfs = metric == Metric::Htm && lengths == LENGTHS;
    let mut counts = Table::new(
        format!("All shortest solutions by the fast engine, {}", metric_name(metric)),
        &["position", "length", "solutions (paper)", "solutions", "nodes", "seconds"],
    );
    for (place, &i) in order.iter().enumerate() {
        counts.row([
            Cell::Count(i as u64 + 1),
            Cell::count(reports[i].length().map(u64::from)),
            Cell::count(are_korfs.then(|| COUNTS[place])),
            Cell::Count(reports[i].solutions.len() as u64),
            Cell::Count(reports[i].nodes()),
            Cell::Seconds(reports[i].elapsed.as_secs_f64()),
        ]);
    }

    let reid = Reid::new(lab, metric)?;
    let mut sets = Table::new(
        "Sets of all shortest solutions: Reid's solver and the fast engine",
        &["positions", "searched", "solutions (Reid)", "solutions (fast engine)", "sets that differ"],
    );
    let near_ones = positions.iter().zip(&reports).filter(|(_, report)| report.lower_bound <= near);
    let mut compared = Compared::default();
    for (position, report) in near_ones {
        compared.add(lab, &reid, position, report)?;
    }
    sets.row(compared.row(format!("given, of at most {near} moves")));
    let mut compared = Compared::default();
    for position in random_walks(1, walks, |_| true).take(20).chain(random_walks(2, 3, |_| true).take(10)) {
        compared.add(lab, &reid, &position, &fast(&position)?)?;
    }
    sets.row(compared.row(format!("random walks of {walks} and of 3 moves")));
    let remark = match are_korfs {
        true => {
            "The lengths are those of Korf's ten. Reid gave one solution each for the four shortest, and for the six \
             at 18, in some order, 1, 3, 4, 4, 6 and 6; they are listed beside the measured counts in ascending order."
        }
        false => {
            "Ten random walks, not Korf's ten, so there are no counts by Reid for these positions; the next section has his."
        }
    };
    Ok(Experiment::new("korf-ten", "All shortest solutions of ten positions", "Reid 1997; Korf 1997, Table 2")
        .text(remark)
        .tables([counts, sets]))
}

/// Sets of solutions compared.
#[derive(Default)]
struct Compared {
    positions: u64,
    reid: u64,
    fast: u64,
    differ: u64,
}

impl Compared {
    fn add(&mut self, lab: &Lab<'_>, reid: &Reid, position: &Cube, fast: &Report) -> Result<(), LabError> {
        lab.step("comparing sets of solutions", self.positions, self.positions + 1);
        let all = Options { solution_count: SolutionCount::All, ..Options::default() };
        let own = reid.solve(position, &all, &|_| {}, &lab.control);
        lab.check()?;
        let set = |report: &Report| report.solutions.iter().cloned().collect::<BTreeSet<Vec<Move>>>();
        self.positions += 1;
        self.reid += own.solutions.len() as u64;
        self.fast += fast.solutions.len() as u64;
        self.differ += u64::from(set(&own) != set(fast));
        Ok(())
    }

    fn row(&self, what: String) -> [Cell; 5] {
        let [a, b, c, d] = [self.positions, self.reid, self.fast, self.differ].map(Cell::Count);
        [Cell::text(what), a, b, c, d]
    }
}
