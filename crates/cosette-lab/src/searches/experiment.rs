//! The plain searches on short random walks.

use super::best_first::{a_star, breadth_first, greedy, uniform_cost};
use super::deepening::deepening;
use super::{PlainLimits, PlainResult, Problem};
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

/// The searches and their names, and IDA* beside them.
const SEARCHES: [(&str, Search); 6] = [
    ("breadth-first", breadth_first),
    ("depth-first, iterative deepening", deepening),
    ("greedy best-first", greedy),
    ("uniform cost", uniform_cost),
    ("A*", a_star),
    ("IDA*", ida_star),
];

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

const SEED: u64 = 2006;

/// Each search on random walks: what it finds, and what that takes.
pub fn searches(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let size = size(request.effort);
    let columns = ["walk", "search", "solved", "moves", "nodes generated", "nodes stored", "seconds"];
    let caption = format!("{} walks of each length: means of those solved", size.walks);
    let mut table = Table::new(caption, &columns);
    let axes = ["moves of the walk", "nodes generated"];
    let plot = Plot::new("plain-searches", "Nodes of the plain searches", axes, [false, true]);
    let mut plot = SEARCHES.into_iter().fold(plot, |plot, (name, _)| plot.series(name, []));
    for length in 1..=size.longest {
        for ((name, search), series) in SEARCHES.into_iter().zip(&mut plot.series) {
            lab.step(&format!("solving walks by {name}"), length as u64, size.longest as u64);
            let row = Row::measure(lab, &size, length, search)?;
            if row.solved > 0 {
                series.points.push((length as f64, row.generated));
            }
            table.row(row.cells(length, name, &size));
        }
    }
    Ok(Experiment::new("searches", "Plain searches", "Nargolkar 2006, chapter 2")
        .text(format!(
            "Random walks (canonical sequences, seed {SEED}) are solved in the half-turn metric on one thread; some \
             walks have shorter solutions. The estimate of the greedy search, A* and IDA* is the larger of the sums \
             over corners and edges ÷ 4. A node is generated when a move leads to it, and stored while the search \
             keeps it. A search gives up after {} nodes generated or {} stored.",
            size.generated, size.stored
        ))
        .tables([table])
        .plots([plot])
        .remark(
            "All but the greedy search find shortest solutions. With the bound, A* avoids most of the nodes of the \
             uninformed searches, but it still stores nearly all that it generates. IDA* generates the same nodes, \
             some of them repeatedly, and stores only its path.",
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
    fn measure(lab: &Lab<'_>, size: &Size, length: usize, search: Search) -> Result<Row, LabError> {
        let limits = PlainLimits { generated: size.generated, stored: size.stored, control: &lab.control };
        let mut row = Row::default();
        for walk in random_walks(SEED + length as u64, length).take(size.walks) {
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

    fn cells(&self, length: usize, name: &str, size: &Size) -> Vec<Cell> {
        let mut cells = vec![
            Cell::Count(length as u64),
            Cell::text(name),
            Cell::text(format!("{} of {}", self.solved, size.walks)),
        ];
        cells.extend(match self.solved {
            0 => [const { Cell::Nothing }; 4],
            _ => [
                Cell::Number(self.moves, 1),
                Cell::Count(self.generated.round() as u64),
                Cell::Count(self.stored.round() as u64),
                Cell::Seconds(self.seconds),
            ],
        });
        cells
    }
}
