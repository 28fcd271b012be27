//! The plan of a search: the assignments of rank 0, the conclusions from their results, and the
//! messages between ranks.
//!
//! ```text
//! limits (the thesis)                       subtrees
//! hand out the next limit to an idle rank   cut the tree of the limit into tasks of three moves
//! a goal at g: no limit beyond g            hand out groups of tasks, smaller towards the end
//! proven when all limits below g are done   next limit when all are done; proven with the goal
//! ```
//!
//! If the first goal is taken, limits are assigned in the same way, but nothing after a goal; the
//! work up to there is not a proof, and the goal may not be shortest.
//!
//! The *critical path* is the work for which the search would wait if every rank had its own core,
//! in nodes. By limits it is the largest number of nodes that a rank had generated for the problem
//! when it ended a limit that the proof needs. By subtrees it is, summed over the limits, the
//! largest number of nodes that a rank generated for that limit. Limits that a stopped search left
//! unfinished are not counted.

use cosette::cube::{Cube, Metric, Move};
use cosette::search::SolutionCount;
use cosette_lab::ida::{IdaLimits, IdaPart};
use cosette_mpi::world::FIRST;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Instant;

/// The division of a search among ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankSplit {
    /// No division: the sequential program, on rank 0.
    Sequential,
    /// No division: the fast engine of this library, with one thread, on rank 0.
    Fastest,
    /// A different limit for each rank: the division of the thesis.
    Limits,
    /// Like the split by limits, but the first goal that any rank declares ends the search, even if
    /// smaller limits have not ended.
    Unproven,
    /// All ranks search parts of one tree to one limit.
    Subtrees,
}

/// A position to solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchProblem {
    /// The number of the problem in this run, from 1 on.
    pub number: u32,
    pub position: Cube,
    /// The move metric.
    pub metric: Metric,
    /// The first limit that is searched; it may lie below the bound.
    pub first: u8,
    /// The last limit that is searched.
    pub last: u8,
    /// The division among ranks.
    pub split: RankSplit,
    /// `true` to find all solutions of the shortest length.
    pub finds_all: bool,
    /// `true` to use the symmetry of the position.
    pub by_symmetry: bool,
}

impl SearchProblem {
    /// Returns the options of the search to one limit. Limits increase by one, like those of the
    /// thesis, although parity rules out every other one in quarter turns.
    pub fn ida_limits(&self, limit: u8) -> IdaLimits {
        IdaLimits {
            solution_count: if self.finds_all {
                SolutionCount::All
            } else {
                SolutionCount::ONE
            },
            by_symmetry: self.by_symmetry,
            by_parity: false,
            ..IdaLimits::only(limit)
        }
    }

    /// Returns `true` if a goal of this length makes the search to a limit needless: the limit is
    /// not smaller than the goal, or the first goal ends all searches.
    pub fn is_needless(&self, limit: u8, goal: u8) -> bool {
        limit > goal
            || limit == goal && !self.finds_all
            || self.split == RankSplit::Unproven && goal < u8::MAX
    }
}

/// A piece of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchPiece {
    pub problem: SearchProblem,
    /// Length of the searched solutions.
    pub limit: u8,
    /// Some tasks of the tree; `None` for the entire tree.
    pub tasks: Option<Range<usize>>,
}

/// The result of a piece.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PieceResult {
    pub limit: u8,
    pub part: IdaPart,
    /// Total number of nodes that this rank has generated for the problem.
    pub generated: u64,
    /// Time that this rank has spent since its last result.
    pub spent: WorkSpent,
}

/// Time of the ranks by activity, in seconds. They were idle for the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkSpent {
    /// Processor time of searching.
    pub computation: f64,
    /// Packing, sending, receiving and unpacking messages.
    pub communication: f64,
}

/// A message between ranks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RankMessage {
    /// Rank 0 to one: a piece to search.
    Search(SearchPiece),
    /// Any rank to all: the problem with this number has a solution of this length. Searches to
    /// larger limits are cancelled.
    Goal(u32, u8),
    /// To rank 0: a piece has ended.
    Done(PieceResult),
    /// Rank 0 to all: no more problems.
    End,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOutcome {
    /// The length of the solutions, if there is one: the proven distance, unless the first goal was
    /// taken.
    pub length: Option<u8>,
    pub solutions: Vec<Vec<Move>>,
    /// The limit through which every length is ruled out.
    pub ruled_out: u8,
    /// Nodes on the critical path.
    pub path: u64,
    /// Time of all ranks together, by activity.
    pub spent: WorkSpent,
    /// The limits up to the goal, and the nodes that all ranks generated in each.
    pub limits: Vec<(u8, u64)>,
}

impl SearchOutcome {
    /// The nodes of the limits up to the goal.
    pub fn nodes(&self) -> u64 {
        self.limits.iter().map(|limit| limit.1).sum()
    }
}

/// The end of a limit: its tree is searched, or a solution is found in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitEnd {
    pub limit: u8,
    /// Nodes generated, on all ranks.
    pub nodes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// The time of its end, from the beginning of the search.
    pub seconds: f64,
    /// The rank that searched it; `None` if several searched parts of it.
    pub rank: Option<usize>,
    /// The rank that first declared a solution in it.
    pub declared_by: Option<usize>,
}

/// The groups of tasks are as large as a quarter of each rank's share of what is left, and this at
/// least.
const MIN_GROUP: usize = 4;

/// The state of one limit on rank 0.
#[derive(Clone, Debug, Default)]
struct LimitTally {
    end: LimitEnd,
    /// The tasks that are not handed out.
    left: Range<usize>,
    /// Pieces assigned and not done.
    open: usize,
    /// `true` if a piece was cancelled.
    is_cut_off: bool,
    /// The nodes above the tasks.
    trunk: u64,
    /// The work of each rank: of a limit in parts, the nodes for this limit; of a whole one, all
    /// nodes for the problem until its end.
    by_rank: Vec<u64>,
}

impl LimitTally {
    fn add(&mut self, part: &IdaPart) {
        self.end.nodes += part.nodes;
        self.end.tests += part.tests;
        self.is_cut_off |= !part.complete;
    }

    /// Returns `true` if all of its tree is handed out and back.
    fn is_done(&self) -> bool {
        self.open == 0 && self.left.is_empty()
    }

    fn is_searched(&self) -> bool {
        self.is_done() && !self.is_cut_off
    }

    fn path(&self) -> u64 {
        self.trunk + self.by_rank.iter().max().copied().unwrap_or_default()
    }
}

/// The state of a problem on rank 0.
pub struct ProblemPlan<'a> {
    problem: SearchProblem,
    ranks: usize,
    /// Splits the tree of a limit: the number of tasks, and the search of the moves before them.
    cut: &'a dyn Fn(u8) -> (usize, IdaPart),
    start: Instant,
    /// The next limit that no rank has begun.
    next: u8,
    tallies: BTreeMap<u8, LimitTally>,
    spent: WorkSpent,
    /// The length of the solutions, or `u8::MAX` before the first one.
    goal: u8,
    solutions: BTreeSet<Vec<Move>>,
    /// The limits that have ended, until they are taken from here.
    pub ended: Vec<LimitEnd>,
}

impl<'a> ProblemPlan<'a> {
    /// Creates a plan for this many ranks.
    pub fn new(
        problem: SearchProblem,
        ranks: usize,
        cut: &'a dyn Fn(u8) -> (usize, IdaPart),
    ) -> ProblemPlan<'a> {
        ProblemPlan {
            problem,
            ranks,
            cut,
            start: Instant::now(),
            next: problem.first,
            tallies: BTreeMap::new(),
            spent: WorkSpent::default(),
            goal: u8::MAX,
            solutions: BTreeSet::new(),
            ended: Vec::new(),
        }
    }

    /// Returns the next piece, if one can be assigned now.
    pub fn next(&mut self) -> Option<SearchPiece> {
        if self.problem.split == RankSplit::Subtrees {
            return self.next_part();
        }
        let limit = self.next_limit()?;
        Some(self.piece(limit, None))
    }

    fn piece(&mut self, limit: u8, tasks: Option<Range<usize>>) -> SearchPiece {
        self.tally(limit).open += 1;
        SearchPiece {
            problem: self.problem,
            limit,
            tasks,
        }
    }

    fn next_limit(&mut self) -> Option<u8> {
        let limit = self.next;
        let is_wanted = limit <= self.problem.last && !self.problem.is_needless(limit, self.goal);
        is_wanted.then(|| {
            self.next += 1;
            limit
        })
    }

    fn next_part(&mut self) -> Option<SearchPiece> {
        loop {
            if let Some((&limit, tally)) = self.tallies.iter_mut().next_back() {
                let left = tally.left.len();
                if left > 0 && !self.problem.is_needless(limit, self.goal) {
                    let group = (left / (4 * self.ranks)).max(MIN_GROUP).min(left);
                    let first = tally.left.start;
                    tally.left.start += group;
                    return Some(self.piece(limit, Some(first..first + group)));
                }
                if tally.open > 0 {
                    return None;
                }
            }
            let limit = self.next_limit()?;
            let (tasks, trunk) = (self.cut)(limit);
            let tally = self.tally(limit);
            tally.left = 0..tasks;
            tally.trunk = trunk.nodes;
            tally.add(&trunk);
            self.conclude(limit, FIRST, trunk.solutions);
        }
    }

    /// Records the end of a piece.
    pub fn done(&mut self, rank: usize, done: PieceResult) {
        self.spent.computation += done.spent.computation;
        self.spent.communication += done.spent.communication;
        let is_part = self.problem.split == RankSplit::Subtrees;
        let tally = self.tally(done.limit);
        tally.open -= 1;
        tally.add(&done.part);
        if is_part {
            tally.by_rank[rank] += done.part.nodes;
        } else {
            tally.by_rank[rank] = done.generated;
            tally.end.rank = Some(rank);
        }
        self.conclude(done.limit, rank, done.part.solutions);
    }

    fn tally(&mut self, limit: u8) -> &mut LimitTally {
        self.tallies.entry(limit).or_insert_with(|| LimitTally {
            end: LimitEnd {
                limit,
                ..LimitEnd::default()
            },
            by_rank: vec![0; self.ranks],
            ..LimitTally::default()
        })
    }

    /// Takes the solutions that a rank has found in a limit, and notes its end if it has ended.
    fn conclude(&mut self, limit: u8, rank: usize, solutions: Vec<Vec<Move>>) {
        if !solutions.is_empty() {
            self.tally(limit).end.declared_by.get_or_insert(rank);
            let is_shorter = limit < self.goal && self.problem.split != RankSplit::Unproven;
            if self.solutions.is_empty() || is_shorter {
                self.goal = limit;
                self.solutions = solutions.into_iter().collect();
            } else if limit == self.goal && self.problem.finds_all {
                self.solutions.extend(solutions);
            }
        }
        let is_goal = limit == self.goal && !self.problem.finds_all;
        let tally = &self.tallies[&limit];
        if tally.is_searched() || is_goal && tally.open == 0 {
            self.ended.push(LimitEnd {
                seconds: self.start.elapsed().as_secs_f64(),
                ..tally.end
            });
        }
    }

    /// Returns `true` if nothing is left to prove: every limit below the goal is done, or every
    /// limit without a goal. The limit of the goal is done too in a search for all solutions. A
    /// search that takes the first goal proves nothing, and is over with it.
    pub fn is_proven(&self) -> bool {
        let is_needless = |limit| self.problem.is_needless(limit, self.goal);
        let mut tallies = self.tallies.iter();
        (self.next > self.problem.last || is_needless(self.next))
            && tallies.all(|(&limit, tally)| is_needless(limit) || tally.is_done())
    }

    /// Returns the outcome.
    pub fn outcome(self) -> SearchOutcome {
        let is_searched = |limit: &u8| self.tallies.get(limit).is_some_and(LimitTally::is_searched);
        let unproven =
            (self.problem.first..).find(|limit| *limit == self.goal || !is_searched(limit));
        let is_needed = |limit: u8, tally: &LimitTally| {
            limit == self.goal || !self.problem.is_needless(limit, self.goal) && tally.is_searched()
        };
        let needed = self.tallies.iter();
        let paths = needed
            .filter(|(limit, tally)| is_needed(**limit, tally))
            .map(|(_, tally)| tally.path());
        let path = match self.problem.split {
            RankSplit::Subtrees => paths.sum(),
            _ => paths.max().unwrap_or_default(),
        };
        let limits = self.tallies.range(..=self.goal);
        SearchOutcome {
            length: (!self.solutions.is_empty()).then_some(self.goal),
            ruled_out: unproven.map_or(u8::MAX, |limit| limit.saturating_sub(1)),
            path,
            spent: self.spent,
            limits: limits.map(|(&limit, of)| (limit, of.end.nodes)).collect(),
            solutions: self.solutions.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(limit: u8, nodes: u64, solution: Option<Move>) -> PieceResult {
        PieceResult {
            limit,
            part: IdaPart {
                nodes,
                complete: solution.is_none(),
                solutions: solution.map(|m| vec![m]).into_iter().collect(),
                ..IdaPart::default()
            },
            generated: nodes,
            spent: WorkSpent::default(),
        }
    }

    fn problem(split: RankSplit) -> SearchProblem {
        SearchProblem {
            number: 1,
            position: Cube::SOLVED,
            metric: Metric::Htm,
            first: 8,
            last: 20,
            split,
            finds_all: false,
            by_symmetry: false,
        }
    }

    /// Rank 1 ends limit 9 with a goal, while rank 0 searches limit 8, which has one or not.
    #[test]
    fn a_goal_waits_for_smaller_limits_unless_the_first_is_taken() {
        for (split, shorter, length, path) in [
            (RankSplit::Limits, None, 9, 500),
            (RankSplit::Limits, Some(Move::ALL[1]), 8, 40),
            (RankSplit::Unproven, Some(Move::ALL[1]), 9, 500),
        ] {
            let mut plan = ProblemPlan::new(problem(split), 2, &|_| unreachable!("no tree is cut"));
            let limits = [plan.next(), plan.next()].map(|piece| piece.expect("a limit").limit);
            assert_eq!(limits, [8, 9]);
            plan.done(1, done(9, 500, Some(Move::ALL[0])));
            assert_eq!(plan.is_proven(), split == RankSplit::Unproven);
            assert_eq!(plan.next(), None, "nothing beyond the goal is begun");
            plan.done(0, done(8, 40, shorter));
            assert!(plan.is_proven());
            assert_eq!(plan.ended[0].declared_by, Some(1));
            let outcome = plan.outcome();
            assert_eq!((outcome.length, outcome.path), (Some(length), path));
            assert_eq!(outcome.ruled_out, if shorter.is_none() { 8 } else { 7 });
        }
    }

    #[test]
    fn unfinished_limits_are_not_on_the_critical_path() {
        let mut plan = ProblemPlan::new(problem(RankSplit::Limits), 2, &|_| unreachable!());
        plan.next();
        plan.next();
        plan.done(0, done(8, 40, None));
        let mut stopped = done(9, 500, None);
        stopped.part.complete = false;
        plan.done(1, stopped);
        let outcome = plan.outcome();
        assert_eq!((outcome.length, outcome.path), (None, 40));
    }

    #[test]
    fn a_tree_is_handed_out_once_and_whole() {
        let trunk = IdaPart {
            complete: true,
            ..IdaPart::default()
        };
        let cut = |limit: u8| (usize::from(limit), trunk.clone());
        let problem = SearchProblem {
            last: 9,
            ..problem(RankSplit::Subtrees)
        };
        let mut plan = ProblemPlan::new(problem, 2, &cut);
        let mut searched = Vec::new();
        while !plan.is_proven() {
            let pieces: Vec<SearchPiece> = std::iter::from_fn(|| plan.next()).collect();
            for (rank, piece) in pieces.into_iter().enumerate() {
                let tasks = piece.tasks.expect("parts");
                searched.extend(tasks.map(|task| (piece.limit, task)));
                plan.done(rank % 2, done(piece.limit, 1, None));
            }
        }
        let all = [8, 9].map(|limit| (0..usize::from(limit)).map(move |task| (limit, task)));
        assert_eq!(searched, all.into_iter().flatten().collect::<Vec<_>>());
    }
}
