//! The coordinator, rank 0: runs the measured searches one by one, and assigns the pieces of each
//! until the goal is proven.

use super::plan::{
    LimitEnd, PieceResult, ProblemPlan, RankMessage, RankSplit, SearchOutcome, SearchProblem,
    Trunk, WorkSpent,
};
use super::rank::{NargolkarRank, RankEngines, texts};
use super::records::{Measurements, Subject, Way};
use super::thesis::growth;
use cosette::cube::{Metric, Move};
use cosette::{Cancel, Control, ThreadCount};
use cosette_lab::ida::IdaLimits;
use cosette_lab::lab::processor_time;
use cosette_lab::nargolkar::AppendixPattern;
use cosette_mpi::world::{FIRST, World};
use std::io;

/// The part of rank 0 in a search, beside handing out the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MasterRole {
    /// It searches, and answers requests meanwhile.
    Searches,
    /// It answers one request and searches a limit, in turns: pseudo code 4.3 of the thesis.
    Alternates,
    /// It does not search.
    Coordinates,
}

impl MasterRole {
    pub const ALL: [MasterRole; 3] = [
        MasterRole::Searches,
        MasterRole::Alternates,
        MasterRole::Coordinates,
    ];

    pub fn name(self) -> &'static str {
        match self {
            MasterRole::Searches => "searches",
            MasterRole::Alternates => "alternates",
            MasterRole::Coordinates => "coordinates",
        }
    }
}

/// Rank 0.
pub struct RankZero<'s, 'e> {
    world: &'e World,
    bounds: &'e RankEngines,
    rank: NargolkarRank<'s, 'e>,
    role: MasterRole,
    /// The number of problems that have begun.
    problems: u32,
}

impl<'s, 'e> RankZero<'s, 'e> {
    /// Creates the coordinator.
    pub fn new(
        world: &'e World,
        bounds: &'e RankEngines,
        rank: NargolkarRank<'s, 'e>,
        role: MasterRole,
    ) -> RankZero<'s, 'e> {
        RankZero {
            world,
            bounds,
            rank,
            role,
            problems: 0,
        }
    }

    /// The engines of this rank.
    pub fn bounds(&self) -> &'e RankEngines {
        self.bounds
    }

    /// Returns how its searches are run.
    pub fn way(&self) -> Way {
        Way {
            ranks: self.world.size(),
            searching: self.world.size() - usize::from(self.role == MasterRole::Coordinates),
        }
    }

    /// Solves the position on this rank alone, limit by limit, while the next tree is likely to
    /// have no more than `budget` nodes.
    pub fn solve_alone(&self, problem: &SearchProblem, budget: u64) -> SearchOutcome {
        let ida = self.bounds.ida(problem.metric);
        let before = processor_time();
        let mut outcome = SearchOutcome::default();
        for limit in problem.first..=problem.last {
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
            let solution = texts(&found.solutions).into_iter().next();
            outcome.goal = solution.map(|solution| (limit, solution));
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
            goal: report
                .length()
                .zip(texts(&report.solutions).into_iter().next()),
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
            ..SearchOutcome::default()
        }
    }

    /// Solves the position on all ranks, up to the last limit, or until it is stopped; `on_end` is
    /// called as each limit ends.
    pub fn solve(
        &mut self,
        problem: &SearchProblem,
        stop: &Cancel,
        on_end: &mut dyn FnMut(LimitEnd),
    ) -> SearchOutcome {
        let ida = self.bounds.ida(problem.metric);
        let cut = |limit| {
            let cut = ida.cut(&problem.position, limit, &problem.ida_limits());
            Trunk {
                tasks: cut.tasks(),
                nodes: cut.trunk.nodes,
                tests: cut.trunk.tests,
                solutions: texts(&cut.trunk.solutions),
            }
        };
        let mut plan = ProblemPlan::new(*problem, self.world.size(), &cut);
        self.problems += 1;
        self.tell_all(&RankMessage::Begin(self.problems, *problem));
        self.coordinate(&mut plan, stop, on_end);
        plan.outcome()
    }

    /// Assigns pieces until the goal is proven or the search is stopped, and all ranks are idle.
    fn coordinate(
        &mut self,
        plan: &mut ProblemPlan<'_>,
        stop: &Cancel,
        on_end: &mut dyn FnMut(LimitEnd),
    ) {
        let mut open = vec![0; self.world.size()];
        let mut waiting = Vec::new();
        let mut is_stopped = false;
        // Rank 0 begins with a limit of its own.
        let mut has_answered = true;
        loop {
            if stop.is_cancelled() && !is_stopped {
                is_stopped = true;
                self.tell_all(&RankMessage::Goal(self.problems, 0));
            }
            if !is_stopped {
                self.hand_out(plan, &mut open, &mut has_answered);
            }
            plan.take_ended().into_iter().for_each(&mut *on_end);
            if (is_stopped || plan.is_proven()) && open.iter().all(|&open| open == 0) {
                return;
            }
            if let Some((rank, RankMessage::Done(done))) = self.rank.turn() {
                waiting.push((rank, done));
            }
            while let Some((rank, done)) = self.next_request(&mut waiting, &open) {
                open[rank] -= 1;
                plan.done(rank, &done);
                if rank != FIRST {
                    has_answered = true;
                    break;
                }
            }
        }
    }

    /// Takes the next result with which a rank asks for work. A rank 0 that alternates takes none
    /// of the others' while it searches, and then that of the lowest rank. The log of appendix B
    /// has the same order.
    fn next_request(
        &self,
        waiting: &mut Vec<(usize, PieceResult)>,
        open: &[usize],
    ) -> Option<(usize, PieceResult)> {
        let is_busy = self.role == MasterRole::Alternates && open[FIRST] > 0;
        let next = waiting
            .iter()
            .enumerate()
            .filter(|(_, (rank, _))| !is_busy || *rank == FIRST)
            .min_by_key(|(_, (rank, _))| *rank)?
            .0;
        Some(waiting.remove(next))
    }

    /// Assigns all pieces that can be assigned now, to ranks with fewer open pieces first. A rank 0
    /// that alternates comes last, and only after it has answered a request.
    fn hand_out(&self, plan: &mut ProblemPlan<'_>, open: &mut [usize], has_answered: &mut bool) {
        let others = FIRST + 1..open.len();
        let ranks: Vec<usize> = match self.role {
            MasterRole::Searches => (FIRST..open.len()).collect(),
            MasterRole::Alternates => others.chain(has_answered.then_some(FIRST)).collect(),
            MasterRole::Coordinates => others.collect(),
        };
        for round in 1..=plan.ahead() {
            for &rank in &ranks {
                if open[rank] >= round {
                    continue;
                }
                let Some(piece) = plan.next() else { return };
                self.world.send(rank, &RankMessage::Search(piece));
                open[rank] += 1;
                *has_answered &= rank != FIRST;
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
        first: coordinator.bounds().reid(metric).bound(&position),
        last: metric.diameter(),
        split: RankSplit::Sequential,
        finds_all: false,
        by_symmetry: false,
    };
    let alone = coordinator.solve_alone(&problem, budget);
    let distance = subject.distance(metric);
    check(of, distance, RankSplit::Sequential, &alone)?;
    let distance = distance.or(alone.goal.as_ref().map(|goal| goal.0));
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
            _ => coordinator.solve(&problem, &Cancel::new(), &mut |_| {}),
        };
        check(of, distance, split, &outcome)?;
        records.add(of, (split, way), &outcome, &alone);
    }
    Ok(())
}

/// Checks a solution.
///
/// # Errors
///
/// The solution does not solve the position, or its length is not the distance, if that is known.
fn check(
    (subject, metric): (Subject, Metric),
    distance: Option<u8>,
    split: RankSplit,
    outcome: &SearchOutcome,
) -> io::Result<()> {
    let Some((length, solution)) = &outcome.goal else {
        return Ok(());
    };
    let moves: Vec<Move> = solution
        .split(' ')
        .map(|word| word.parse().expect("written by this program"))
        .collect();
    let has_length = distance.is_none_or(|distance| {
        *length == distance || *length > distance && split == RankSplit::Unproven
    });
    if has_length
        && metric.length(&moves) == usize::from(*length)
        && subject.position().apply_moves(&moves).is_solved()
    {
        return Ok(());
    }
    Err(io::Error::other(format!(
        "internal error: the distance of {subject:?} in {metric} is {distance:?}, but the search \
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
