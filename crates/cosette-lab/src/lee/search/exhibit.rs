//! Lee's Table XI: how many states are stored, by bound and tie-breaking rule.

use super::astar::{Ended, Settings, search as astar};
use super::estimates::{Bound, Estimates, Most};
use super::instances::{fast_engine, of_length};
use super::store::Order;
use crate::exhibit::{Cell, Exhibit, Plot, Series, Table};
use crate::lab::{Effort, Lab, LabError};
use crate::lee::Perimeter;
use crate::lee::classes::Classes;
use crate::lee::partial::forward::ForwardDepth;
use crate::lee::partial::partials::Partials;
use cosette::cube::Cube;
use cosette::table::TableSize;

/// How much of Table XI is run.
struct Plan {
    lengths: std::ops::RangeInclusive<u8>,
    /// heu6 alone is searched up to this length.
    alone_to: u8,
    positions: usize,
    d_for: &'static [u8],
    backward: u8,
    states: u64,
}

const QUICK: Plan = Plan { lengths: 10..=12, alone_to: 12, positions: 2, d_for: &[5], backward: 7, states: 500_000 };
const FULL: Plan =
    Plan { lengths: 10..=14, alone_to: 14, positions: 5, d_for: &[5, 6, 7], backward: 7, states: 50_000_000 };

/// The tie-breaking rules: the order, and the greatest value of the heuristic before it.
const RULES: [(&str, Order, Option<Most>); 6] = [
    ("queue", Order::Queue, None),
    ("stack", Order::Stack, None),
    ("heu6, then queue", Order::Queue, Some(Most::HEU6)),
    ("heu6, then stack", Order::Stack, Some(Most::HEU6)),
    ("heu8, then queue", Order::Queue, Some(Most::HEU8)),
    ("heu8, then stack", Order::Stack, Some(Most::HEU8)),
];

/// What one rule came to over the positions of one length.
#[derive(Default)]
struct Sum {
    solved: u64,
    stored: u64,
    generated: u64,
    seconds: f64,
}

/// States stored by bidirectional A*, by length, bound and tie-breaking rule.
///
/// # Errors
/// On cancellation.
pub fn search(lab: &Lab<'_>, effort: Effort) -> Result<Exhibit, LabError> {
    let plan = if effort == Effort::Quick { QUICK } else { FULL };
    let fast = fast_engine(TableSize::ALL[0], lab)?;
    let perimeter = Classes::new(7, lab)?;
    let deepest = plan.d_for.iter().max().map(|&d_for| depth(d_for));
    let partials = Partials::opposite_faces(plan.backward, deepest, lab)?;
    let mut table = Table::new(
        format!(
            "Means of {} positions of each length; at most {} states. Seconds without those for the forward spaces. The paper's \
             figures are not at hand.",
            plan.positions, plan.states
        ),
        &["length", "bound", "ties", "paper", "solved", "states stored", "nodes generated", "seconds"],
    );
    let mut series: Vec<Series> = Vec::new();
    let (mut bytes, total) = (0.0_f64, u64::from(plan.lengths.end() - plan.lengths.start() + 1));
    for length in plan.lengths.clone() {
        lab.step("searching", u64::from(length - plan.lengths.start()), total);
        let positions = of_length(length, plan.positions, 1, &fast, lab)?;
        let alone = (length <= plan.alone_to).then_some(None);
        for d_for in alone.into_iter().chain(plan.d_for.iter().map(|&d_for| Some(d_for))) {
            let mut sums: [Sum; RULES.len()] = Default::default();
            for position in &positions {
                let more = one(position, d_for, &perimeter, &partials, &plan, &mut sums, lab)?;
                bytes = bytes.max(more);
            }
            let bound = d_for.map_or("heu6 alone".to_owned(), |d_for| format!("d_for = {d_for}"));
            let mean = |sum: u64| sum as f64 / positions.len() as f64;
            for (sum, (rule, ..)) in sums.iter().zip(RULES) {
                table.row([
                    Cell::Count(length.into()),
                    Cell::text(&bound),
                    Cell::text(rule),
                    Cell::Nothing,
                    Cell::Text(format!("{} of {}", sum.solved, positions.len())),
                    Cell::Count(mean(sum.stored).round() as u64),
                    Cell::Count(mean(sum.generated).round() as u64),
                    Cell::Seconds(sum.seconds / positions.len() as f64),
                ]);
            }
            let label = format!("{bound}, stack");
            let at = series.iter().position(|series| series.label == label).unwrap_or_else(|| {
                series.push(Series { label, points: Vec::new() });
                series.len() - 1
            });
            series[at].points.push((length.into(), mean(sums[1].stored)));
        }
    }
    Ok(Exhibit {
        name: "search",
        title: "Bidirectional A* over a stored perimeter".into(),
        source: "Lee 2013, Figure 1 and Table XI",
        text: text(&plan),
        tables: vec![table],
        plots: vec![Plot {
            name: "lee-states",
            title: "States stored by bidirectional A*".into(),
            x: "length of the shortest solution",
            y: "states stored",
            logarithmic: [false, true],
            series,
        }],
        remarks: vec![
            format!(
                "At most {bytes:.1} bytes a state were used where more than 100,000 were stored, index and queues among them; \
                 the perimeter takes {:.0} MB and the backward space {:.0} MB.",
                perimeter.bytes() as f64 / 1e6,
                partials.problem(0).bytes() as f64 / 1e6
            ),
            "A forward space raises the bound where the search is: by d_for moves at the root, and by one less a move farther on. \
             What heu6 can say of positions outside a perimeter of depth 7, that they are six away, is less than what their \
             absence says; alone it is the search to the half of the way, whatever breaks ties."
                .into(),
            "With d_for, nearly every node near the instance has f = d_back + d_for + 1, d_back being the depth of the backward \
             space, unless its partial problems are solved in less. Where the solution is as long, all of them are tied: the queue \
             then expands them by depth, as without a bound, and the stack goes down at once."
                .into(),
            "Tie-breaking rules differ among the nodes whose f is the length of the solution only, and there it is chance which \
             of them comes first: of a few positions the rules show no order."
                .into(),
        ],
    })
}

fn text(plan: &Plan) -> Vec<String> {
    vec![
        "Forward from the position, A*; backward from solved, the stored positions within seven moves. Their membership is the \
         goal test. Positions are random walks that the fast engine proves to be of exactly that length; every solution is \
         re-applied and is of that length."
            .into(),
        format!(
            "Assumed: h is the greatest of what the three pairs of opposite faces say, with backward spaces of depth {}; \
             everything outside the perimeter counts eight at least. heu6 and heu8 are heuristics that the backward spaces give \
             alone, read to depth 5 and 7: what lies beyond counts 6 and 8, their maximum. With d_for there is a forward space as \
             well. Ties among nodes of one f go by first in, first out (queue) or last in, first out (stack), alone or after the \
             lesser heu6 or heu8.",
            plan.backward
        ),
    ]
}

fn depth(d_for: u8) -> ForwardDepth {
    ForwardDepth::try_from(d_for).expect("the plans keep to the range")
}

/// Solves one position by all rules. Gives the bytes a state, where there are many.
fn one(
    position: &Cube,
    d_for: Option<u8>,
    perimeter: &Classes,
    partials: &Partials,
    plan: &Plan,
    sums: &mut [Sum; RULES.len()],
    lab: &Lab<'_>,
) -> Result<f64, LabError> {
    let informed = match d_for {
        Some(d_for) => Some(partials.informed(position, depth(d_for), lab.threads, lab.cancel)?),
        None => None,
    };
    let mut bytes = 0.0_f64;
    for (sum, (_, order, most)) in sums.iter_mut().zip(RULES) {
        let bound = informed.as_ref().map_or(Bound::Backward(partials, Most::HEU6), Bound::Informed);
        let estimates = Estimates { bound, ties: most.map(|most| (partials, most)) };
        let settings = Settings { order, states: plan.states, ..Settings::default() };
        let found = astar(position, perimeter, &estimates, &settings, &mut |_| {}, lab.cancel);
        lab.check()?;
        sum.solved += u64::from(matches!(found.ended, Ended::Solved(_)));
        sum.stored += found.stored;
        sum.generated += found.generated();
        sum.seconds += found.elapsed().as_secs_f64();
        if found.stored > 100_000 {
            bytes = bytes.max(found.bytes as f64 / found.stored as f64);
        }
    }
    debug_assert_eq!(perimeter.depth(), 7);
    Ok(bytes)
}
