//! What rank 0 does: it hands out the pieces of a problem until the goal is proven.

use super::message::{Message, Problem, Spent, Split};
use super::plan::{Plan, Tally, Trunk};
use super::rank::Rank;
use super::record::{Limit, Outcome};
use super::tables::Bounds;
use cosette::cube::{Cube, Moves, parse_facelets};
use cosette::search::SolutionCount;
use cosette::{Control, ThreadCount};
use cosette_lab::ida::IdaLimits;
use cosette_lab::lab::processor_time;
use cosette_mpi::world::World;
use std::time::{Duration, Instant};

/// Limits go by ones, as in the thesis, though in quarter turns parity rules out every other one.
const EVERY: IdaLimits = IdaLimits {
    solution_count: SolutionCount::ONE,
    first: 0,
    last: None,
    nodes: u64::MAX,
    by_symmetry: false,
    by_parity: false,
};

/// How many times as large the next tree usually is, by one half turn or quarter turn.
const GROWTH: [u64; 2] = [13, 8];

/// Rank 0.
pub struct Coordinator<'s, 'e> {
    world: &'e World,
    bounds: &'e Bounds,
    rank: Rank<'s, 'e>,
    /// The first rank that searches: 1 if rank 0 only coordinates.
    first: usize,
    problems: u32,
}

impl<'s, 'e> Coordinator<'s, 'e> {
    /// The coordinator; `coordinates_only` if its rank does not search.
    pub fn new(
        world: &'e World,
        bounds: &'e Bounds,
        rank: Rank<'s, 'e>,
        coordinates_only: bool,
    ) -> Coordinator<'s, 'e> {
        Coordinator { world, bounds, rank, first: usize::from(coordinates_only), problems: 0 }
    }

    /// Solves the position on this rank alone, limit by limit, while the next tree is likely to have no more than `budget` nodes.
    pub fn solve_alone(&self, problem: &Problem, budget: u64) -> Outcome {
        let ida = self.bounds.ida(problem.metric);
        let position = position(problem);
        let growth = GROWTH[usize::from(problem.metric.half_turn_cost() - 1)];
        let mut limit = ida.first_threshold(&position, &EVERY);
        let (mut searched, mut solution, mut elapsed, mut computation) =
            (Vec::<Limit>::new(), None, Duration::ZERO, 0.0);
        while solution.is_none() && limit <= problem.last {
            if searched.last().is_some_and(|last| last.nodes.saturating_mul(growth) > budget) {
                break;
            }
            let only = IdaLimits { by_parity: false, ..IdaLimits::only(limit) };
            let before = processor_time();
            let found = ida.search(&position, &only, &mut |_| {}, &Control::new(ThreadCount::ONE));
            solution = found.solutions.first().map(|moves| Moves(moves).to_string());
            elapsed += found.elapsed;
            computation += processor_time() - before;
            searched.extend(found.iterations.iter().map(|of| Limit {
                limit,
                nodes: of.nodes,
                tests: of.tests,
                complete: of.complete,
            }));
            limit += 1;
        }
        let nodes = searched.iter().map(|limit| limit.nodes).sum();
        let length = solution.is_some().then(|| limit - 1);
        let spent = vec![Spent { computation, communication: 0.0 }];
        Outcome { length, solution, seconds: elapsed.as_secs_f64(), path: nodes, nodes, spent, limits: searched }
    }

    /// Solves the position, or rules out all lengths up to the last limit, with the fast engine on this rank alone.
    pub fn solve_fastest(&self, problem: &Problem) -> Outcome {
        let position = position(problem);
        let solver = self.bounds.fastest(problem.metric).expect("it was loaded for rank 0");
        let (start, before) = (Instant::now(), processor_time());
        let report = solver.search(&position).control(&Control::new(ThreadCount::ONE)).max_length(problem.last).run();
        let seconds = start.elapsed().as_secs_f64();
        let limits = report.thresholds.iter().map(|of| Limit {
            limit: of.length,
            nodes: of.nodes,
            tests: 0,
            complete: of.exhausted,
        });
        Outcome {
            length: report.length(),
            solution: report.solutions.first().map(|moves| Moves(moves).to_string()),
            seconds,
            path: report.nodes(),
            nodes: report.nodes(),
            spent: vec![Spent { computation: processor_time() - before, communication: 0.0 }],
            limits: limits.collect(),
        }
    }

    /// Solves the position on all ranks, up to the last limit.
    pub fn solve(&mut self, problem: &Problem) -> Outcome {
        let start = Instant::now();
        let position = position(problem);
        let ida = self.bounds.ida(problem.metric);
        let cut = |limit| {
            let cut = ida.cut(&position, limit, &IdaLimits::default());
            let solution = cut.trunk.solutions.first().map(|moves| Moves(moves).to_string());
            Trunk { tasks: cut.tasks(), nodes: cut.trunk.nodes, tests: cut.trunk.tests, solution }
        };
        let limits = (ida.first_threshold(&position, &EVERY), problem.last);
        let mut plan = Plan::new(problem.split, self.world.size(), limits, &cut);
        self.problems += 1;
        self.tell_all(&Message::Begin(self.problems, problem.clone()));
        let seconds = self.coordinate(&mut plan, start);
        outcome(&plan, seconds)
    }

    /// Hands out pieces until the goal is proven and all ranks are idle. Returns the seconds until it was proven.
    fn coordinate(&mut self, plan: &mut Plan<'_>, start: Instant) -> f64 {
        let mut open = vec![0; self.world.size()];
        let mut proven = None;
        loop {
            self.hand_out(plan, &mut open);
            if proven.is_none() && plan.is_proven() {
                proven = Some(start.elapsed().as_secs_f64());
            }
            if let Some(seconds) = proven.filter(|_| open.iter().all(|&open| open == 0)) {
                return seconds;
            }
            if let Some((rank, Message::Done(done))) = self.rank.turn() {
                open[rank] -= 1;
                plan.done(rank, &done);
            }
        }
    }

    /// Hands out what can be handed out now, to ranks with fewer open pieces first.
    fn hand_out(&self, plan: &mut Plan<'_>, open: &mut [usize]) {
        for round in 1..=plan.ahead() {
            for (rank, open) in open.iter_mut().enumerate().skip(self.first).filter(|(_, open)| **open < round) {
                let Some(piece) = plan.next() else { return };
                self.world.send(rank, &Message::Search(piece));
                *open += 1;
            }
        }
    }

    /// There are no more problems.
    pub fn end(self) {
        self.tell_all(&Message::End);
    }

    fn tell_all(&self, message: &Message) {
        (0..self.world.size()).for_each(|rank| self.world.send(rank, message));
    }
}

fn position(problem: &Problem) -> Cube {
    parse_facelets(&problem.facelets).expect("written by this program")
}

fn outcome(plan: &Plan<'_>, seconds: f64) -> Outcome {
    let goal = plan.goal.as_ref().map_or(u8::MAX, |goal| goal.0);
    let limit = |(&limit, tally): (&u8, &Tally)| Limit {
        limit,
        nodes: tally.nodes,
        tests: tally.tests,
        complete: tally.complete,
    };
    Outcome {
        length: plan.goal.as_ref().map(|goal| goal.0),
        solution: plan.goal.as_ref().map(|goal| goal.1.clone()),
        seconds,
        path: plan.critical_path(),
        nodes: plan.tallies.values().map(|tally| tally.nodes).sum(),
        spent: plan.spent.clone(),
        limits: plan.tallies.range(..=goal).map(limit).collect(),
    }
}

/// The same problem, divided in another way. If the sequential search was cut off, it ends with the same limit; if that came
/// to the goal, this is not used.
pub fn divided(problem: &Problem, split: Split, alone: &Outcome) -> Problem {
    let cut_off = alone.limits.last().filter(|_| alone.length.is_none());
    Problem { split, last: cut_off.map_or(problem.last, |limit| limit.limit), ..problem.clone() }
}
