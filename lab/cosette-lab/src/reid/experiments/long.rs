//! What Reid's engine takes hours for: all shortest solutions of Korf's ten, and the superflip.

use super::metric_name;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::korf::{Instances, PAPERS_TEN};
use crate::lab::Lab;
use crate::long_search::{self, Plan, Results};
use crate::reid::engine::Reid;
use cosette::cube::{Cube, Metric, Sequence};
use cosette::search::SolutionCount;

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
    let are_korfs = results.positions() == PAPERS_TEN;
    let mut table = Table::headed(
        "All shortest solutions by Reid's engine, half-turn metric; seconds are those of one processor",
        "position | length | solutions | nodes | seconds | million nodes a second | commit",
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
            machine(&results),
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
        let mut table =
            Table::headed(caption, "length | solutions | nodes | tests | seconds | million nodes a second | commit");
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
            machine(&results),
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
    let last = results.of_position(number).last();
    Total {
        nodes: results.of_position(number).map(|counts| counts.nodes).sum(),
        seconds: results.of_position(number).map(|counts| counts.seconds).sum(),
        last: last.map(|counts| counts.threshold),
        solutions: last.map(|counts| counts.solutions).filter(|&solutions| solutions > 0),
        commit: last.map(|counts| counts.commit.clone()),
    }
}

fn rate(nodes: u64, seconds: f64) -> Cell {
    if seconds > 0.0 { Cell::Number(nodes as f64 / seconds / 1e6, 1) } else { Cell::Nothing }
}

fn machine(results: &Results) -> String {
    match results.machine() {
        "" => String::new(),
        machine => format!("Machine: {machine}."),
    }
}
