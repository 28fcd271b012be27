//! What rank 0 does: it goes through the searches that are measured, and hands out the pieces of each until the goal is proven.

use super::message::{Limit, Message, Outcome, Problem, Search, Spent, Split, Subject};
use super::plan::{Plan, Tally, Trunk};
use super::rank::{Bounds, Rank};
use super::sums::{Record, Recorder};
use cosette::cube::{Cube, Metric, Moves, parse_facelets};
use cosette::search::SolutionCount;
use cosette::{Control, ThreadCount};
use cosette_lab::ida::IdaLimits;
use cosette_lab::lab::processor_time;
use cosette_lab::nargolkar::{Pattern, superflip, superflip_distance};
use cosette_mpi::world::World;
use std::io;
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
            elapsed += found.iterations.iter().map(|of| of.elapsed).sum::<Duration>();
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

/// The line of appendix C that solves the position of appendix B.
pub const SOLVES_APPENDIX_B: usize = 17;

/// Which searches are measured.
pub struct Selection<'a> {
    /// What is counted.
    pub metrics: &'a [Metric],
    /// The lines of appendix C with these printed depths; all if there are none.
    pub depths: &'a [u8],
    /// No search begins a limit whose tree is likely to have more nodes.
    pub budget: u64,
    /// Whether rank 0 only coordinates.
    pub coordinates_only: bool,
    /// Whether only the sequential program is measured.
    pub sequential_only: bool,
}

/// Searches every position in every way, and records each search as soon as it has ended. Fails if one proves another
/// distance than the known one.
pub fn measure(
    world: &World,
    coordinator: &mut Coordinator<'_, '_>,
    selection: &Selection<'_>,
    recorder: &mut Recorder,
) -> io::Result<()> {
    for &metric in selection.metrics {
        for subject in subjects(selection) {
            let (position, distance) = position_of(subject, metric);
            let (facelets, last, split) = (position.facelets(), metric.diameter(), Split::Sequential);
            let problem = Problem { facelets, metric, last, split };
            let searching = world.size() - usize::from(selection.coordinates_only);
            let mut record = |split, outcome| {
                let search = Search { ranks: world.size(), searching, subject, metric, split, outcome };
                check(&search, distance)?;
                recorder.write(&if selection.sequential_only { Record::Alone(search) } else { Record::Search(search) })
            };
            let alone = coordinator.solve_alone(&problem, selection.budget);
            record(Split::Sequential, alone.clone())?;
            if selection.sequential_only {
                continue;
            }
            record(Split::Fastest, coordinator.solve_fastest(&divided(&problem, Split::Fastest, &alone)))?;
            // Without a solution the first goal taken is that of the search by limits: none.
            let is_solved = alone.length.is_some();
            for split in [Split::Limits, Split::Unproven, Split::Subtrees] {
                if is_solved || split != Split::Unproven {
                    record(split, coordinator.solve(&divided(&problem, split, &alone)))?;
                }
            }
        }
    }
    Ok(())
}

fn subjects(selection: &Selection<'_>) -> Vec<Subject> {
    let depths = selection.depths;
    let patterns = Pattern::all().iter().filter(|pattern| depths.is_empty() || depths.contains(&pattern.printed));
    let mut subjects: Vec<Subject> =
        patterns.flat_map(|pattern| [Subject::Pattern(pattern.number), Subject::Inverse(pattern.number)]).collect();
    if depths.is_empty() {
        subjects.push(Subject::Superflip);
    }
    subjects
}

/// The position of a subject and its proven distance.
fn position_of(subject: Subject, metric: Metric) -> (Cube, u8) {
    let pattern = |number: usize| &Pattern::all()[number - 1];
    match subject {
        Subject::Pattern(number) => (pattern(number).position(), pattern(number).distance(metric)),
        Subject::Inverse(number) => (pattern(number).position().inverse(), pattern(number).distance(metric)),
        Subject::Superflip => (superflip(), superflip_distance(metric)),
    }
}

fn check(search: &Search, distance: u8) -> io::Result<()> {
    let Search { subject, metric, split, outcome, .. } = search;
    let is_wrong = |length| if *split == Split::Unproven { length < distance } else { length != distance };
    match outcome.length {
        Some(length) if is_wrong(length) => Err(io::Error::other(format!(
            "internal error: {subject:?} is {distance} moves from solved in {metric}, but the search by {split} found {length}"
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette_lab::reid::appendix_b;

    #[test]
    fn a_line_of_appendix_c_solves_the_position_of_appendix_b() {
        assert_eq!(Pattern::all()[SOLVES_APPENDIX_B - 1].position().inverse(), appendix_b());
    }
}
