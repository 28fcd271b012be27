//! The plain searches on short random walks.

use super::deepening;
use super::depth_first;
use super::{PlainLimits, PlainResult, Problem};
use super::{a_star, breadth_first, greedy, uniform_cost};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::ida::{self, Ida, LowerBound};
use crate::lab::Lab;
use crate::manhattan::{Heuristic, Manhattan};
use crate::walks::random_walks;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric, Move, MoveSet};
use std::time::Instant;

/// To solve a position by moves that cost what a metric says, with a lower bound as the estimate.
pub struct CubeProblem<B> {
    /// The position.
    pub position: Cube,
    /// What moves cost.
    pub metric: Metric,
    /// What estimates the distance.
    pub bound: B,
}

impl<B: LowerBound> Problem for CubeProblem<B> {
    type State = Cube;
    type Action = Move;

    fn start(&self) -> Cube {
        self.position
    }

    fn successors(&self, position: &Cube, after: Option<Move>) -> impl Iterator<Item = (Move, u32, Cube)> {
        MoveSet::after(after).iter().map(|m| (m, self.metric.cost(m).into(), position.turned(m)))
    }

    fn is_goal(&self, position: &Cube) -> bool {
        position.is_solved()
    }

    fn estimate(&self, position: &Cube) -> u32 {
        self.bound.bound(&self.bound.node(position), u8::MAX, &mut 0).into()
    }
}

type Search = fn(&CubeProblem<Manhattan>, &PlainLimits<'_>) -> PlainResult<Move>;

/// The searches and their names, IDA* beside them, and whether a solution is always a shortest one.
const SEARCHES: [(&str, Search, bool); 7] = [
    ("breadth-first", breadth_first, true),
    ("depth-first, to 5 moves", |problem, limits| depth_first(problem, DEEPEST, limits), false),
    ("depth-first, iterative deepening", deepening, true),
    ("greedy best-first", greedy, false),
    ("uniform cost", uniform_cost, true),
    ("A*", a_star, true),
    ("IDA*", ida_star, true),
];

/// How many moves the search makes that goes down without deepening.
const DEEPEST: u32 = 5;

fn ida_star(problem: &CubeProblem<Manhattan>, limits: &PlainLimits<'_>) -> PlainResult<Move> {
    let ida = Ida { bound: &problem.bound, metric: problem.metric };
    let last = ida::IdaLimits { nodes: limits.generated, ..ida::IdaLimits::default() };
    let alone = limits.control.clone().with_threads(ThreadCount::ONE);
    let found = ida.search(&problem.position, &last, &mut |_| {}, &alone);
    let generated = found.iterations.iter().map(|iteration| iteration.nodes).sum();
    let actions = found.solutions.into_iter().next();
    let stored = actions.as_ref().map_or(0, |actions| actions.len() as u64 + 1);
    PlainResult { actions, generated, stored }
}

/// How long the walks are, how many of each length, and after how many nodes generated or stored a search gives up.
struct Size {
    longest: usize,
    walks: usize,
    generated: u64,
    stored: u64,
}

const fn size(effort: Effort) -> Size {
    match effort {
        Effort::Quick => Size { longest: 8, walks: 3, generated: 10_000_000, stored: 1_000_000 },
        Effort::Full => Size { longest: 10, walks: 10, generated: 200_000_000, stored: 10_000_000 },
    }
}

/// The seed, unless another is asked for.
const SEED: u64 = 2006;

/// Each search on random walks: how far it comes, and what that takes.
pub fn searches(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (size, seed) = (size(request.effort), request.seed_or(SEED));
    let mut table = Table::headed(
        format!(
            "{} walks of each length, to {} moves: the longest that were all solved, and their means",
            size.walks, size.longest
        ),
        "search | always shortest | walks of | moves | nodes generated | nodes stored | seconds | some longer solved",
    );
    let axes = ["moves of the walk", "nodes generated"];
    let plot =
        Plot::new("plain-searches", "Nodes of the plain searches, where all walks were solved", axes, [false, true]);
    let mut plot = SEARCHES.into_iter().fold(plot, |plot, (name, ..)| plot.series(name, []));
    for ((name, search, is_shortest), series) in SEARCHES.into_iter().zip(&mut plot.series) {
        let mut rows = Vec::new();
        for length in 1..=size.longest {
            lab.step(&format!("solving walks by {name}"), length as u64, size.longest as u64);
            rows.push((length, Row::measure(lab, &size, (seed, length), search)?));
        }
        let all = rows.iter().take_while(|(_, row)| row.solved == size.walks);
        series.points = all.clone().map(|(length, row)| (*length as f64, row.generated)).collect();
        let longer = rows.iter().skip(all.clone().count()).filter(|(_, row)| row.solved > 0);
        let longer: Vec<String> = longer.map(|(length, row)| format!("{} of {length}", row.solved)).collect();
        if let Some((length, row)) = all.last() {
            table.row(row.cells(*length, name, is_shortest, &longer.join(", ")));
        }
    }
    Ok(Experiment::new("searches", "Plain searches", "Nargolkar 2006, chapter 2")
        .text(format!(
            "Random walks (canonical sequences, seed {seed}) are solved in the half-turn metric on one thread; some \
             walks have shorter solutions. The estimate of the greedy search, A* and IDA* is the larger of the sums \
             over corners and edges ÷ 4, as on the page of [Korf](korf.md). A node is generated when a move leads to it, and \
             stored while the search keeps it. A search gives up after {} nodes generated or {} stored.",
            size.generated, size.stored
        ))
        .tables([table])
        .plots([plot])
        .remark(
            "Breadth-first search and uniform cost store every position they meet: memory ends them. Depth-first search stores \
             its path, but without deepening it spends its time below the first moves it tries, and what it finds is seldom \
             shortest. With an estimate that never exceeds the distance, A* avoids \
             most of the nodes, but still stores nearly all that it generates. IDA* generates the same nodes, some of them \
             repeatedly, and stores only its path: that is why every later chapter uses it.",
        ))
}

/// The means of one search over the walks of one length that it has solved.
#[derive(Default)]
struct Row {
    solved: usize,
    moves: f64,
    generated: f64,
    stored: f64,
    seconds: f64,
}

impl Row {
    fn measure(lab: &Lab<'_>, size: &Size, (seed, length): (u64, usize), search: Search) -> Result<Row, LabError> {
        let limits = PlainLimits { generated: size.generated, stored: size.stored, control: &lab.control };
        let mut row = Row::default();
        for walk in random_walks(seed.wrapping_add(length as u64), length).take(size.walks) {
            let position = Cube::from_moves(&walk);
            let bound = Manhattan::new(Heuristic::Larger, Metric::Htm);
            let problem = CubeProblem { position, metric: Metric::Htm, bound };
            let start = Instant::now();
            let found = search(&problem, &limits);
            lab.check()?;
            if let Some(solution) = found.actions {
                assert!(position.after(&solution).is_solved(), "{solution:?} does not solve {position:?}");
                row.solved += 1;
                row.moves += solution.len() as f64;
                row.generated += found.generated as f64;
                row.stored += found.stored as f64;
                row.seconds += start.elapsed().as_secs_f64();
            }
        }
        for sum in [&mut row.moves, &mut row.generated, &mut row.stored, &mut row.seconds] {
            *sum /= row.solved as f64;
        }
        Ok(row)
    }

    fn cells(&self, length: usize, name: &str, is_shortest: bool, longer: &str) -> [Cell; 8] {
        [
            Cell::text(name),
            Cell::text(if is_shortest { "yes" } else { "no" }),
            Cell::Count(length as u64),
            Cell::Number(self.moves, 1),
            Cell::Count(self.generated.round() as u64),
            Cell::Count(self.stored.round() as u64),
            Cell::Seconds(self.seconds),
            if longer.is_empty() { Cell::Nothing } else { Cell::text(longer) },
        ]
    }
}
