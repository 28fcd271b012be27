//! All shortest solutions of given positions by the fast engine, and its solution sets beside Reid's own.

use super::figures::{metric_name, random_walks};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::korf::{Instances, PAPERS_TEN};
use crate::lab::Lab;
use crate::long_search::{self, Plan, Results};
use crate::reid::Reid;
use cosette::cube::{Cube, Metric, Move, Sequence};
use cosette::search::{Options, Report, SolutionCount, Solver};
use cosette_app::engine::Engine;
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

/// Reid's counts of shortest solutions: of the four shortest of Korf's ten, then of the six at 18, whose order is not known.
pub const COUNTS: [u64; 10] = [1, 1, 1, 1, 1, 3, 4, 4, 6, 6];

/// All shortest solutions of the given positions by Reid's engine, which are meant to be Korf's ten: in a quick run what the
/// folder of results has.
pub fn korf_ten_by_reid(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let given = request.instances.as_ref().map(|_| Instances::of(request).positions()).transpose()?;
    const NAME: &str = "reid-korf-ten";
    let results = match (long_search::kept(request, NAME, given.as_deref())?, given) {
        (Some(results), _) => Some(results),
        (None, Some(positions)) if request.effort == Effort::Full => {
            let reid = Reid::new(lab, Metric::Htm)?;
            let plan = Plan { positions: &positions, max_length: 20, ..plan(Metric::Htm, request) };
            Some(reid.long_search(lab, request, NAME, &plan)?)
        }
        _ => None,
    };
    let experiment =
        Experiment::new("korf-ten-by-reid", "Korf's ten by Reid's engine", "Reid 1997; Korf 1997, Table 2");
    let Some(results) = results else {
        return Ok(experiment.text(
            "This search takes hours: `--full`, with the positions in `--instances` and a folder to keep it in, `--results`.",
        ));
    };
    let are_korfs = results.are_of(PAPERS_TEN);
    let mut table = results.0.table(
        "All shortest solutions by Reid's engine, half-turn metric; seconds are those of one processor",
        "position | length* | solutions* | nodes* | seconds* | million nodes a second* | commit*",
    );
    let (mut nodes, mut seconds) = (0, 0.0);
    for number in 1..=results.count() {
        let sum = total(&results, number);
        nodes += sum.nodes;
        seconds += sum.seconds;
        table.row([
            Cell::Count(number as u64),
            sum.length(),
            Cell::count(sum.solutions),
            Cell::Count(sum.nodes),
            Cell::Seconds(sum.seconds),
            rate(sum.nodes, sum.seconds),
            sum.commit.map_or(Cell::Nothing, Cell::text),
        ]);
    }
    table.row([
        Cell::text("all"),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Count(nodes),
        Cell::Seconds(seconds),
        rate(nodes, seconds),
        Cell::Nothing,
    ]);
    Ok(experiment
        .text(format!(
            "{}Reid searched them all in 198 hours, and found, of the four shortest, one solution each, and of the six of 18 \
             moves, in some order, {}. {}",
            if are_korfs { "The positions are Korf's ten. " } else { "The positions are not Korf's ten. " },
            COUNTS[4..].iter().map(u64::to_string).collect::<Vec<_>>().join(", "),
            results.0.circumstances(),
        ))
        .tables([table]))
}

/// The superflip by Reid's engine with the symmetry of the position, in both metrics: every length below that of a solution that
/// is known.
pub fn superflip(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let mut experiment = Experiment::new("superflip", "The superflip by Reid's engine", "Reid 1997")
        .text(
            "The superflip has every corner solved and every edge flipped in its place. All 48 symmetries fix it, so of each class \
             of first moves only one needs to be tried; the nodes are those of this smaller tree. Reid proved in January 1995 that \
             it needs 20 half turns, the first position known to need so many. Solutions of 20 half turns and of 24 quarter turns \
             are known, so the proof is that every shorter length has none.",
        );
    for metric in Metric::ALL {
        let (known, quick) = match metric {
            Metric::Htm => ("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", 16),
            Metric::Qtm => ("R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'", 18),
        };
        let known: Sequence = known.parse().expect("moves");
        let position = [Cube::from_moves(known.moves())];
        let length = metric.length(known.moves()) as u8;
        let name = format!("reid-superflip-{}", metric.name());
        let results = match long_search::kept(request, &name, None)? {
            Some(results) => results,
            None => {
                let max_length = if request.effort == Effort::Full { length - 1 } else { quick };
                let plan = Plan { positions: &position, max_length, ..plan(metric, request) };
                let plan = Plan { solution_count: SolutionCount::ONE, ..plan };
                Reid::new(lab, metric)?.long_search(lab, request, &name, &plan)?
            }
        };
        let caption = format!("The superflip by length, {}; seconds are those of one processor", metric_name(metric));
        let columns = "length | solutions* | nodes* | tests* | seconds* | million nodes a second* | commit*";
        let mut table = results.0.table(caption, columns);
        for counts in results.of_position(1) {
            table.row([
                Cell::Count(counts.threshold.into()),
                Cell::text(if counts.solutions == 0 { "none" } else { "found" }),
                Cell::Count(counts.nodes),
                Cell::Count(counts.tests),
                Cell::Seconds(counts.seconds),
                rate(counts.nodes, counts.seconds),
                Cell::text(&counts.commit),
            ]);
        }
        let sum = total(&results, 1);
        let ruled_out = sum.last.unwrap_or(0);
        // A solution of quarter turns has the parity of the position, which is even.
        let step = if metric == Metric::Qtm { 2 } else { 1 };
        let proven = if ruled_out + step >= length {
            format!("So its length is {length}: every shorter one is ruled out")
        } else {
            format!("Every length up to {ruled_out} is ruled out so far; {length} is the length of a known solution")
        };
        experiment = experiment.tables([table]).remark(format!(
            "{}: {proven}. {:.2e} nodes in {:.0} s of one processor. {}",
            metric_name(metric),
            sum.nodes as f64,
            sum.seconds,
            results.0.circumstances(),
        ));
    }
    Ok(experiment)
}

/// All solutions, by symmetry.
fn plan(metric: Metric, request: &Request) -> Plan<'static> {
    Plan {
        name: "Reid's table, four bits an entry",
        positions: &[],
        metric,
        solution_count: SolutionCount::All,
        by_symmetry: true,
        max_length: metric.diameter(),
        max_nodes: request.max_nodes.unwrap_or(u64::MAX),
    }
}

/// What the iterations of a position counted together.
struct Total {
    nodes: u64,
    seconds: f64,
    /// The last threshold that is complete.
    last: Option<u8>,
    /// How many solutions it has, if any.
    solutions: Option<u64>,
    commit: Option<String>,
}

impl Total {
    fn length(&self) -> Cell {
        match (self.last, self.solutions) {
            (None, _) => Cell::Nothing,
            (Some(last), Some(_)) => Cell::Count(last.into()),
            (Some(last), None) => Cell::text(format!("> {last}")),
        }
    }
}

fn total(results: &Results, number: usize) -> Total {
    let iterations = results.of_position(number);
    let last = iterations.last();
    Total {
        nodes: iterations.iter().map(|counts| counts.nodes).sum(),
        seconds: iterations.iter().map(|counts| counts.seconds).sum(),
        last: last.map(|counts| counts.threshold),
        solutions: last.map(|counts| counts.solutions).filter(|&solutions| solutions > 0),
        commit: last.map(|counts| counts.commit.clone()),
    }
}

fn rate(nodes: u64, seconds: f64) -> Cell {
    if seconds > 0.0 { Cell::Number(nodes as f64 / seconds / 1e6, 1) } else { Cell::Nothing }
}
