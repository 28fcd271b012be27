//! The coordinator, rank 0: runs the measured searches one by one, and assigns the pieces of each
//! until the goal is proven.

use super::plan::{
    ProblemPlan, RankMessage, RankSplit, SearchOutcome, SearchProblem, Trunk, WorkSpent,
};
use super::rank::{NargolkarRank, RankEngines, first_solution};
use super::records::{Measurements, Subject, Way};
use super::thesis::growth;
use cosette::cube::{Metric, Move};
use cosette::search::SolutionCount;
use cosette::{Control, ThreadCount};
use cosette_lab::ida::IdaLimits;
use cosette_lab::lab::processor_time;
use cosette_lab::nargolkar::AppendixPattern;
use cosette_mpi::world::World;
use std::io;

/// Limits increase by one, as in the thesis, although parity rules out every other one in quarter
/// turns.
const EVERY: IdaLimits = IdaLimits {
    solution_count: SolutionCount::ONE,
    first: 0,
    last: None,
    nodes: u64::MAX,
    by_symmetry: false,
    by_parity: false,
};

/// Rank 0.
pub struct RankZero<'s, 'e> {
    world: &'e World,
    bounds: &'e RankEngines,
    rank: NargolkarRank<'s, 'e>,
    /// The first rank that searches: 1 if rank 0 only coordinates.
    first: usize,
    problems: u32,
}

impl<'s, 'e> RankZero<'s, 'e> {
    /// Creates the coordinator; with `coordinates_only` its rank does not search.
    pub fn new(
        world: &'e World,
        bounds: &'e RankEngines,
        rank: NargolkarRank<'s, 'e>,
        coordinates_only: bool,
    ) -> RankZero<'s, 'e> {
        RankZero {
            world,
            bounds,
            rank,
            first: usize::from(coordinates_only),
            problems: 0,
        }
    }

    /// Returns how its searches are run.
    pub fn way(&self) -> Way {
        Way {
            ranks: self.world.size(),
            searching: self.world.size() - self.first,
        }
    }

    /// Solves the position on this rank alone, limit by limit, while the next tree is likely to
    /// have no more than `budget` nodes.
    pub fn solve_alone(&self, problem: &SearchProblem, budget: u64) -> SearchOutcome {
        let ida = self.bounds.ida(problem.metric);
        let before = processor_time();
        let mut outcome = SearchOutcome::default();
        for limit in ida.first_threshold(&problem.position, &EVERY)..=problem.last {
            let is_too_large =
                |last: &(u8, u64)| last.1.saturating_mul(growth(problem.metric).into()) > budget;
            if outcome.goal.is_some() || outcome.limits.last().is_some_and(is_too_large) {
                break;
            }
            let only = IdaLimits {
                by_parity: false,
                ..IdaLimits::only(limit)
            };
            let found = ida.search(&problem.position, &only, &Control::new(ThreadCount::ONE));
            outcome.goal = first_solution(&found.solutions).map(|solution| (limit, solution));
            outcome
                .limits
                .extend(found.iterations.iter().map(|of| (limit, of.nodes)));
        }
        outcome.path = outcome.limits.iter().map(|limit| limit.1).sum();
        outcome.spent.computation = processor_time() - before;
        outcome
    }

    /// Solves the position, or rules out all lengths up to the last limit, with the fast engine on
    /// this rank alone.
    pub fn solve_fastest(&self, problem: &SearchProblem) -> SearchOutcome {
        let solver = self
            .bounds
            .fastest(problem.metric)
            .expect("it was loaded for rank 0");
        let before = processor_time();
        let report = solver
            .search(&problem.position)
            .control(&Control::new(ThreadCount::ONE))
            .max_length(problem.last)
            .run();
        SearchOutcome {
            goal: report.length().zip(first_solution(&report.solutions)),
            path: report.nodes(),
            spent: WorkSpent {
                computation: processor_time() - before,
                communication: 0.0,
            },
            limits: report
                .iterations
                .iter()
                .map(|of| (of.length, of.nodes))
                .collect(),
        }
    }

    /// Solves the position on all ranks, up to the last limit.
    pub fn solve(&mut self, problem: &SearchProblem) -> SearchOutcome {
        let ida = self.bounds.ida(problem.metric);
        let cut = |limit| {
            let cut = ida.cut(&problem.position, limit, &IdaLimits::default());
            let solution = first_solution(&cut.trunk.solutions);
            Trunk {
                tasks: cut.tasks(),
                nodes: cut.trunk.nodes,
                solution,
            }
        };
        let limits = (ida.first_threshold(&problem.position, &EVERY), problem.last);
        let mut plan = ProblemPlan::new(problem.split, self.world.size(), limits, &cut);
        self.problems += 1;
        self.tell_all(&RankMessage::Begin(self.problems, *problem));
        self.coordinate(&mut plan);
        plan.outcome()
    }

    /// Assigns pieces until the goal is proven and all ranks are idle.
    fn coordinate(&mut self, plan: &mut ProblemPlan<'_>) {
        let mut open = vec![0; self.world.size()];
        loop {
            self.hand_out(plan, &mut open);
            if plan.is_proven() && open.iter().all(|&open| open == 0) {
                return;
            }
            if let Some((rank, RankMessage::Done(done))) = self.rank.turn() {
                open[rank] -= 1;
                plan.done(rank, &done);
            }
        }
    }

    /// Assigns all pieces that can be assigned now, to ranks with fewer open pieces first.
    fn hand_out(&self, plan: &mut ProblemPlan<'_>, open: &mut [usize]) {
        for round in 1..=plan.ahead() {
            for (rank, open) in open
                .iter_mut()
                .enumerate()
                .skip(self.first)
                .filter(|(_, open)| **open < round)
            {
                let Some(piece) = plan.next() else { return };
                self.world.send(rank, &RankMessage::Search(piece));
                *open += 1;
            }
        }
    }

    /// Tells all ranks that there are no more problems.
    pub fn end(self) {
        self.tell_all(&RankMessage::End);
    }

    fn tell_all(&self, message: &RankMessage) {
        (0..self.world.size()).for_each(|rank| self.world.send(rank, message));
    }
}

/// The line of appendix C that solves the position of appendix B.
pub const SOLVES_APPENDIX_B: usize = 17;

/// The patterns with these printed depths and their inverses; without depths all, and the
/// superflip.
pub fn subjects(depths: &[u8]) -> Vec<Subject> {
    let patterns = AppendixPattern::all()
        .iter()
        .filter(|pattern| depths.is_empty() || depths.contains(&pattern.printed));
    let both = patterns.flat_map(|pattern| {
        [
            Subject::Pattern(pattern.number),
            Subject::Inverse(pattern.number),
        ]
    });
    both.chain(depths.is_empty().then_some(Subject::Superflip))
        .collect()
}

/// Searches a position in every way, or by the sequential program only. The sequential search
/// continues within the budget, and the other searches go as far as it does.
///
/// # Errors
///
/// A search has a wrong result.
pub fn measure(
    coordinator: &mut RankZero<'_, '_>,
    of @ (subject, metric): (Subject, Metric),
    (budget, sequential_only): (u64, bool),
    records: &mut Measurements,
) -> io::Result<()> {
    let position = subject.position();
    let way = coordinator.way();
    let problem = SearchProblem {
        position,
        metric,
        last: metric.diameter(),
        split: RankSplit::Sequential,
    };
    let alone = coordinator.solve_alone(&problem, budget);
    check(of, RankSplit::Sequential, &alone)?;
    if sequential_only {
        records.add_alone(of, &alone);
        return Ok(());
    }
    records.add(of, (RankSplit::Sequential, way), &alone, &alone);
    let cut_off = alone.limits.last().filter(|_| alone.goal.is_none());
    let last = cut_off.map_or(problem.last, |limit| limit.0);
    for split in [RankSplit::Fastest].into_iter().chain(RankSplit::PARALLEL) {
        let problem = SearchProblem {
            split,
            last,
            ..problem
        };
        let outcome = match split {
            RankSplit::Fastest => coordinator.solve_fastest(&problem),
            // Without a solution the first goal taken is that of the search by limits: none.
            RankSplit::Unproven if alone.goal.is_none() => continue,
            _ => coordinator.solve(&problem),
        };
        check(of, split, &outcome)?;
        records.add(of, (split, way), &outcome, &alone);
    }
    Ok(())
}

/// Checks a solution.
///
/// # Errors
///
/// The solution does not solve the position, or its length is not the known distance.
fn check(
    (subject, metric): (Subject, Metric),
    split: RankSplit,
    outcome: &SearchOutcome,
) -> io::Result<()> {
    let Some((length, solution)) = &outcome.goal else {
        return Ok(());
    };
    let distance = subject.distance(metric);
    let moves: Vec<Move> = solution
        .split(' ')
        .map(|word| word.parse().expect("written by this program"))
        .collect();
    let has_length = if split == RankSplit::Unproven {
        *length >= distance
    } else {
        *length == distance
    };
    if has_length
        && metric.length(&moves) == usize::from(*length)
        && subject.position().apply_moves(&moves).is_solved()
    {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "internal error: {subject:?} is {distance} moves from solved in {metric}, but the search \
            by {split} found `{solution}`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette_lab::reid::appendix_b;

    #[test]
    fn a_line_of_appendix_c_solves_the_position_of_appendix_b() {
        assert_eq!(Subject::Inverse(SOLVES_APPENDIX_B).position(), appendix_b());
    }
}
