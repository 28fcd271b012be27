//! Lee's Table XI: how many states are stored, by bound and tie-breaking rule.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::fast;
use crate::lab::{Lab, peak_memory};
use crate::lee::partial::partials::{Informed, Partials};
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::perimeter::Perimeter;
use crate::lee::search::{AstarSettings, Bound, Estimates, Most, Order, SearchEnd, search as astar};
use cosette::cube::Cube;
use cosette::table::TableSize;
use rayon::prelude::*;
use std::time::Instant;

/// How much of Table XI is run.
struct Plan {
    /// How many positions of each length.
    positions: &'static [(u8, usize)],
    d_for: &'static [u8],
    states: u64,
}

const QUICK: Plan = Plan { positions: &[(10, 2), (11, 2), (12, 2)], d_for: &[5], states: 500_000 };
const FULL: Plan =
    Plan { positions: &[(10, 3), (11, 3), (12, 3), (13, 2), (14, 1)], d_for: &[5, 6, 7], states: 10_000_000 };

/// How deep the perimeter is, and the backward spaces.
const D_BACK: u8 = 7;

/// The tie-breaking rules: the order, and the greatest value of the heuristic before it.
const RULES: [(&str, Order, Option<Most>); 6] = [
    ("queue", Order::Queue, None),
    ("stack", Order::Stack, None),
    ("heu6, then queue", Order::Queue, Some(Most::HEU6)),
    ("heu6, then stack", Order::Stack, Some(Most::HEU6)),
    ("heu8, then queue", Order::Queue, Some(Most::HEU8)),
    ("heu8, then stack", Order::Stack, Some(Most::HEU8)),
];

/// The sums of one rule over some positions.
#[derive(Clone, Copy, Default)]
struct Sum {
    solved: u64,
    stored: u64,
    generated: u64,
    seconds: f64,
    /// The largest store.
    bytes: u64,
}

/// The sums of the forward spaces of one depth.
#[derive(Clone, Copy, Default)]
struct ForwardSpaces {
    instances: u64,
    states: u64,
    /// The largest of an instance.
    bytes: u64,
    seconds: f64,
}

/// States stored by bidirectional A*, by length, bound and tie-breaking rule.
pub fn search(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let plan = if request.effort == Effort::Quick { QUICK } else { FULL };
    let solver = fast::solver_of_size(TableSize::ALL[0], lab)?;
    let perimeter = Perimeter::new(D_BACK, lab)?;
    let partials = Partials::opposite_faces(D_BACK, plan.d_for.iter().max().map(|&d_for| depth(d_for)), lab)?;
    let mut table = Table::new(
        format!(
            "Means of the positions of each length; a search ends at {} states, which it then counts. Seconds exclude \
             the forward spaces; {} searches at a time. The paper's figures are not available.",
            plan.states,
            lab.control.threads()
        ),
        &["length", "bound", "ties", "paper", "solved", "states stored", "nodes generated", "seconds", "MB at most"],
    );
    let axes = ["length of the shortest solution", "states stored"];
    let mut plot = Plot::new("lee-states", "States stored by bidirectional A*", axes, [false, true]);
    let mut spaces = vec![ForwardSpaces::default(); plan.d_for.len()];
    for (&(length, count), done) in plan.positions.iter().zip(0..) {
        let positions = fast::positions_of_length(length, count, 1, &solver, lab)?;
        for row in 0..=plan.d_for.len() {
            let d_for = row.checked_sub(1).map(|i| plan.d_for[i]);
            let bound = d_for.map_or("heu6 alone".to_owned(), |d_for| format!("d_for = {d_for}"));
            lab.step(&format!("searching at length {length}, {bound}"), done, plan.positions.len() as u64);
            let mut sums = [Sum::default(); RULES.len()];
            for position in &positions {
                let informed = match d_for {
                    Some(d_for) => Some(generate(&partials, position, depth(d_for), &mut spaces[row - 1], lab)?),
                    None => None,
                };
                let bound = || informed.as_ref().map_or(Bound::Backward(&partials, Most::HEU6), Bound::Informed);
                let one = |(sum, (_, order, most)): (&mut Sum, &(&str, Order, Option<Most>))| {
                    let estimates = Estimates { bound: bound(), ties: most.map(|most| (&partials, most)) };
                    let settings = AstarSettings { order: *order, states: plan.states, ..AstarSettings::default() };
                    sum.add(position, length, &perimeter, &estimates, &settings, lab);
                };
                lab.control.in_pool(|| sums.par_iter_mut().zip(&RULES).for_each(one))?;
                lab.check()?;
            }
            let mean = |sum: u64| sum as f64 / count as f64;
            for (sum, (rule, ..)) in sums.iter().zip(RULES) {
                table.row([
                    Cell::Count(length.into()),
                    Cell::text(&bound),
                    Cell::text(rule),
                    Cell::Nothing,
                    Cell::Text(format!("{} of {count}", sum.solved)),
                    Cell::Count(mean(sum.stored).round() as u64),
                    Cell::Count(mean(sum.generated).round() as u64),
                    Cell::Seconds(sum.seconds / count as f64),
                    Cell::Number(sum.bytes as f64 / 1e6, 1),
                ]);
            }
            let label = format!("{bound}, stack");
            let point = (length.into(), mean(sums[1].stored));
            match plot.series.iter_mut().find(|series| series.label == label) {
                Some(series) => series.points.push(point),
                None => plot = plot.series(label, [point]),
            }
        }
    }
    Ok(Experiment::new("search", "Bidirectional A* over a stored perimeter", "Lee 2013, Figure 1 and Table XI")
        .text(
            "Forward from the position, A*; backward from solved, the stored positions within seven moves. Reaching \
             one of them is the goal test. Positions are random walks that the fast engine proves to have exactly \
             that length; every solution is applied to its position and has that length.",
        )
        .text(format!(
            "Assumed: h is the maximum over the three pairs of opposite faces, with backward spaces of depth \
             {D_BACK}; everything outside the perimeter counts at least eight. heu6 and heu8 are heuristics from the \
             backward spaces alone, read to depth 5 and 7: everything beyond counts 6 and 8, their maximum. With \
             d_for there is a forward space as well. Ties among nodes with the same f are broken by first in, first \
             out (queue) or last in, first out (stack), alone or after the smaller heu6 or heu8."
        ))
        .tables([table, forward_spaces(&plan, &spaces)])
        .plots([plot])
        .remarks(remarks(&perimeter, &partials)))
}

fn depth(d_for: u8) -> ForwardDepth {
    ForwardDepth::try_from(d_for).expect("the plans keep to the range")
}

/// Generates the forward spaces of an instance.
fn generate<'a>(
    partials: &'a Partials,
    position: &Cube,
    d_for: ForwardDepth,
    total: &mut ForwardSpaces,
    lab: &Lab<'_>,
) -> Result<Informed<'a>, LabError> {
    let start = Instant::now();
    let informed = partials.informed(position, d_for, &lab.control)?;
    total.seconds += start.elapsed().as_secs_f64();
    total.instances += 1;
    total.states += informed.forwards().iter().map(|forward| forward.len()).sum::<u64>();
    total.bytes = total.bytes.max(informed.forwards().iter().map(|forward| forward.bytes()).sum());
    Ok(informed)
}

impl Sum {
    /// Searches for the solution of a position, which is of this length.
    fn add(
        &mut self,
        position: &Cube,
        length: u8,
        perimeter: &Perimeter,
        estimates: &Estimates<'_>,
        settings: &AstarSettings,
        lab: &Lab<'_>,
    ) {
        let found = astar(position, perimeter, estimates, settings, &mut |_| {}, &lab.control);
        if let SearchEnd::Solved(moves) = &found.ended {
            assert_eq!(moves.len(), usize::from(length), "the fast engine says otherwise");
            self.solved += 1;
        }
        self.stored += found.stored;
        self.generated += found.generated();
        self.seconds += found.elapsed().as_secs_f64();
        self.bytes = self.bytes.max(found.bytes);
    }
}

fn forward_spaces(plan: &Plan, spaces: &[ForwardSpaces]) -> Table {
    let mut table = Table::new(
        "The forward spaces of the three problems of an instance, means; positions d_for moves away are not stored.",
        &["d_for", "instances", "painted positions", "MB at most", "seconds"],
    );
    for (&d_for, total) in plan.d_for.iter().zip(spaces) {
        table.row([
            Cell::Count(d_for.into()),
            Cell::Count(total.instances),
            Cell::Count(total.states / total.instances),
            Cell::Number(total.bytes as f64 / 1e6, 1),
            Cell::Seconds(total.seconds / total.instances as f64),
        ]);
    }
    table
}

fn remarks(perimeter: &Perimeter, partials: &Partials) -> impl Iterator<Item = String> {
    let peak = peak_memory().map(|bytes| {
        let megabytes = bytes as f64 / 1e6;
        format!("The peak memory of the process, including everything that ran before, is {megabytes:.0} MB.")
    });
    let memory = format!(
        "A state takes 16 bytes, including the link of its queue, and four for each slot of an index that is half to \
         three quarters full. The perimeter takes {:.0} MB, the backward space of the three problems {:.0} MB, \
         including the Bloom filter beyond it if forward spaces of six moves or more are generated.",
        perimeter.bytes() as f64 / 1e6,
        partials.problem(0).bytes() as f64 / 1e6
    );
    let others = [
        "A forward space raises the bound where the search is: by d_for moves at the root, and by one less with each \
         move away from it. For positions outside a perimeter of depth 7, heu6 says at most six, which is less than \
         what their absence proves; with heu6 alone, half of the way to solved is searched, however ties are broken.",
        "With d_for, nearly every node near the instance has f = d_back + d_for + 1, d_back being the depth of the \
         backward space, unless its partial problems have shorter solutions. If the solution has that length, all of \
         them are tied: the queue then expands them by depth, as without a bound, and the stack goes deeper at once.",
        "Tie-breaking rules matter only among nodes whose f is the length of the solution, and which of those comes \
         first is chance: with so few positions, no rule is clearly better.",
    ];
    [memory].into_iter().chain(peak).chain(others.map(str::to_owned))
}
