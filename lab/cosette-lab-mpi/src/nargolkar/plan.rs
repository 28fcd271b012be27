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
//! largest number of nodes that a rank generated for that limit.

use super::thesis::LimitNodes;
use cosette::cube::{Cube, Metric};
use cosette::search::SolutionCount;
use cosette_lab::ida::IdaLimits;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The division of a search among ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl RankSplit {
    /// The ways to divide a search among several ranks.
    pub const PARALLEL: [RankSplit; 3] =
        [RankSplit::Limits, RankSplit::Unproven, RankSplit::Subtrees];
}

impl fmt::Display for RankSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RankSplit::Sequential => "sequential",
            RankSplit::Fastest => "fastest sequential",
            RankSplit::Limits => "limits",
            RankSplit::Unproven => "limits, first goal taken",
            RankSplit::Subtrees => "subtrees",
        })
    }
}

/// A position to solve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchProblem {
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
    pub fn ida_limits(&self) -> IdaLimits {
        IdaLimits {
            solution_count: if self.finds_all {
                SolutionCount::All
            } else {
                SolutionCount::ONE
            },
            by_symmetry: self.by_symmetry,
            by_parity: false,
            ..IdaLimits::default()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchPiece {
    /// Length of the searched solutions.
    pub limit: u8,
    /// The first of the tasks, and their end; `None` for the entire tree.
    pub tasks: Option<(usize, usize)>,
}

/// The result of a piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PieceResult {
    pub piece: SearchPiece,
    pub nodes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// `true` if the entire piece was searched.
    pub is_complete: bool,
    pub solutions: Vec<String>,
    /// Total number of nodes that this rank has generated for the problem.
    pub generated: u64,
    /// Total time that this rank has spent on the problem.
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
    /// Rank 0 to all: a problem, and its number.
    Begin(u32, SearchProblem),
    /// Rank 0 to one: a piece of it.
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchOutcome {
    /// A solution, if the search found one, and its length: the proven distance, unless the first
    /// goal was taken.
    pub goal: Option<(u8, String)>,
    /// The other solutions of that length, if all are wanted.
    pub others: Vec<String>,
    /// The limit through which every length is ruled out.
    pub ruled_out: u8,
    /// Nodes on the critical path.
    pub path: u64,
    /// Time of all ranks together, by activity.
    pub spent: WorkSpent,
    /// The limits up to the goal, and the nodes that all ranks generated in each.
    pub limits: Vec<LimitNodes>,
}

/// The end of a limit: its tree is searched, or a solution is found in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitEnd {
    pub limit: u8,
    /// Nodes generated, on all ranks.
    pub nodes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// The rank that searched it; `None` if several searched parts of it.
    pub rank: Option<usize>,
    pub has_solution: bool,
}

/// The groups of tasks are as large as a quarter of each rank's share of what is left, and this at
/// least.
const MIN_GROUP: usize = 4;

/// The counts of one limit.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Nodes generated, on all ranks.
    nodes: u64,
    tests: u64,
    /// The rank that searched the limit whole.
    rank: Option<usize>,
    /// Pieces assigned and not done.
    open: usize,
    /// `true` if a piece was cancelled.
    is_cut_off: bool,
    /// `true` if its end was returned by [`ProblemPlan::take_ended`].
    is_reported: bool,
    /// Its share of the critical path.
    path: u64,
    by_rank: Vec<u64>,
}

/// A tree that is searched in parts.
struct TreeInParts {
    limit: u8,
    tasks: usize,
    next: usize,
}

/// The tree of a limit as split by rank 0: the number of tasks, and the counts of the nodes above
/// them.
pub struct Trunk {
    /// Number of tasks.
    pub tasks: usize,
    pub nodes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    pub solutions: Vec<String>,
}

/// The state of a problem on rank 0.
pub struct ProblemPlan<'a> {
    problem: SearchProblem,
    ranks: usize,
    /// The next limit that no rank has begun.
    next: u8,
    tree: Option<TreeInParts>,
    cut: &'a dyn Fn(u8) -> Trunk,
    tallies: BTreeMap<u8, Tally>,
    /// Time of each rank by activity, as last reported.
    spent: Vec<WorkSpent>,
    /// The shortest solutions, and their length.
    goal: Option<(u8, BTreeSet<String>)>,
}

impl<'a> ProblemPlan<'a> {
    /// Creates a plan for this many ranks; `cut` splits the tree of a limit.
    pub fn new(
        problem: SearchProblem,
        ranks: usize,
        cut: &'a dyn Fn(u8) -> Trunk,
    ) -> ProblemPlan<'a> {
        ProblemPlan {
            problem,
            ranks,
            next: problem.first,
            tree: None,
            cut,
            tallies: BTreeMap::new(),
            spent: vec![WorkSpent::default(); ranks],
            goal: None,
        }
    }

    /// Returns the number of pieces assigned to a rank at a time: a part of a tree ends soon, a
    /// limit takes long.
    pub fn ahead(&self) -> usize {
        if self.problem.split == RankSplit::Subtrees {
            2
        } else {
            1
        }
    }

    /// Returns the next piece, if one can be assigned now.
    pub fn next(&mut self) -> Option<SearchPiece> {
        let piece = match self.problem.split {
            RankSplit::Subtrees => self.next_part()?,
            _ => SearchPiece {
                limit: self.next_limit()?,
                tasks: None,
            },
        };
        self.tally(piece.limit).open += 1;
        Some(piece)
    }

    /// The length of the shortest known solution, or `u8::MAX` before the first one.
    fn goal_length(&self) -> u8 {
        self.goal.as_ref().map_or(u8::MAX, |goal| goal.0)
    }

    fn next_limit(&mut self) -> Option<u8> {
        let limit = self.next;
        let is_wanted =
            limit <= self.problem.last && !self.problem.is_needless(limit, self.goal_length());
        is_wanted.then_some(limit)?;
        self.next += 1;
        Some(limit)
    }

    fn next_part(&mut self) -> Option<SearchPiece> {
        loop {
            if let Some(tree) = &mut self.tree {
                let left = tree.tasks - tree.next;
                if left > 0 && (self.goal.is_none() || self.problem.finds_all) {
                    let group = (left / (4 * self.ranks)).max(MIN_GROUP).min(left);
                    let first = tree.next;
                    tree.next += group;
                    return Some(SearchPiece {
                        limit: tree.limit,
                        tasks: Some((first, tree.next)),
                    });
                }
                let limit = tree.limit;
                if self.tally(limit).open > 0 {
                    return None;
                }
            }
            let limit = self.next_limit()?;
            let trunk = (self.cut)(limit);
            let tally = self.tally(limit);
            tally.nodes = trunk.nodes;
            tally.tests = trunk.tests;
            tally.path = trunk.nodes;
            self.tree = Some(TreeInParts {
                limit,
                tasks: trunk.tasks,
                next: 0,
            });
            self.offer(limit, trunk.solutions);
        }
    }

    /// Records the end of a piece.
    pub fn done(&mut self, rank: usize, done: &PieceResult) {
        let by_parts = done.piece.tasks.is_some();
        self.spent[rank] = done.spent;
        let tally = self.tally(done.piece.limit);
        tally.nodes += done.nodes;
        tally.tests += done.tests;
        tally.open -= 1;
        tally.is_cut_off |= !done.is_complete;
        if by_parts {
            tally.by_rank[rank] += done.nodes;
        } else {
            tally.path = done.generated;
            tally.rank = Some(rank);
        }
        self.offer(done.piece.limit, done.solutions.clone());
    }

    fn offer(&mut self, limit: u8, solutions: Vec<String>) {
        if solutions.is_empty() {
            return;
        }
        match &mut self.goal {
            Some((goal, known)) if *goal == limit => {
                if self.problem.finds_all {
                    known.extend(solutions);
                }
            }
            Some((goal, _)) if *goal < limit || self.problem.split == RankSplit::Unproven => {}
            _ => self.goal = Some((limit, solutions.into_iter().collect())),
        }
    }

    fn tally(&mut self, limit: u8) -> &mut Tally {
        let fresh = || Tally {
            by_rank: vec![0; self.ranks],
            ..Tally::default()
        };
        self.tallies.entry(limit).or_insert_with(fresh)
    }

    /// Returns `true` if nothing is left to prove: every limit below the goal is done, or every
    /// limit without a goal. The limit of the goal is done too in a search for all solutions. A
    /// search that takes the first goal proves nothing, and is over with it.
    pub fn is_proven(&self) -> bool {
        let goal = self.goal_length();
        if self.problem.split == RankSplit::Unproven && self.goal.is_some() {
            return true;
        }
        let all_begun = self.next > self.problem.last || self.problem.is_needless(self.next, goal);
        let needed = |limit: u8| !self.problem.is_needless(limit, goal);
        all_begun
            && self
                .tallies
                .iter()
                .all(|(&limit, tally)| !needed(limit) || tally.open == 0 && !self.is_left(limit))
    }

    /// Returns `true` if parts of the tree of a limit are not handed out.
    fn is_left(&self, limit: u8) -> bool {
        self.tree
            .as_ref()
            .is_some_and(|tree| tree.limit == limit && tree.next < tree.tasks)
    }

    /// Returns `true` if the entire tree of a limit has been searched.
    fn is_searched(&self, limit: u8) -> bool {
        let tally = self.tallies.get(&limit);
        tally.is_some_and(|tally| tally.open == 0 && !tally.is_cut_off) && !self.is_left(limit)
    }

    /// Returns the limits that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<LimitEnd> {
        let goal = self.goal_length();
        let has_ended = |&limit: &u8| {
            let tally = &self.tallies[&limit];
            !tally.is_reported && (self.is_searched(limit) || limit == goal && tally.open == 0)
        };
        let limits: Vec<u8> = self.tallies.keys().copied().filter(has_ended).collect();
        let mut ended = Vec::new();
        for limit in limits {
            let tally = self.tally(limit);
            tally.is_reported = true;
            ended.push(LimitEnd {
                limit,
                nodes: tally.nodes,
                tests: tally.tests,
                rank: tally.rank,
                has_solution: limit == goal,
            });
        }
        ended
    }

    /// The limits below the goal, or all before there is one.
    fn needed(&self) -> impl Iterator<Item = &Tally> {
        self.tallies
            .range(..self.goal_length())
            .map(|(_, tally)| tally)
    }

    /// The limit through which every length is ruled out: all those before the first one too.
    fn ruled_out(&self) -> u8 {
        let goal = self.goal_length();
        let unproven =
            (self.problem.first..).find(|&limit| limit == goal || !self.is_searched(limit));
        unproven.map_or(u8::MAX, |limit| limit.saturating_sub(1))
    }

    /// Returns the outcome.
    pub fn outcome(&self) -> SearchOutcome {
        let goal = self.goal_length();
        let mut solutions = self.goal.iter().flat_map(|goal| goal.1.iter().cloned());
        SearchOutcome {
            goal: solutions.next().map(|solution| (goal, solution)),
            others: solutions.collect(),
            ruled_out: self.ruled_out(),
            path: self.critical_path(),
            spent: WorkSpent {
                computation: self.spent.iter().map(|of| of.computation).sum(),
                communication: self.spent.iter().map(|of| of.communication).sum(),
            },
            limits: self
                .tallies
                .range(..=goal)
                .map(|(&limit, tally)| (limit, tally.nodes))
                .collect(),
        }
    }

    /// The critical path, in nodes.
    fn critical_path(&self) -> u64 {
        let of_goal = self
            .goal
            .as_ref()
            .and_then(|goal| self.tallies.get(&goal.0));
        if let (RankSplit::Unproven, Some(tally)) = (self.problem.split, of_goal) {
            return tally.path;
        }
        let needed = self.needed().chain(of_goal);
        match self.problem.split {
            RankSplit::Subtrees => needed
                .map(|tally| tally.path + tally.by_rank.iter().max().copied().unwrap_or_default())
                .sum(),
            _ => needed.map(|tally| tally.path).max().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_tree(_: u8) -> Trunk {
        unreachable!("limits are not cut")
    }

    fn done(piece: SearchPiece, nodes: u64, generated: u64, solution: Option<&str>) -> PieceResult {
        PieceResult {
            piece,
            nodes,
            tests: 0,
            is_complete: solution.is_none(),
            solutions: solution.map(Into::into).into_iter().collect(),
            generated,
            spent: WorkSpent::default(),
        }
    }

    fn problem(split: RankSplit, first: u8, last: u8) -> SearchProblem {
        SearchProblem {
            position: Cube::SOLVED,
            metric: Metric::Htm,
            first,
            last,
            split,
            finds_all: false,
            by_symmetry: false,
        }
    }

    #[test]
    fn a_goal_is_proven_when_smaller_limits_have_ended() {
        let mut plan = ProblemPlan::new(problem(RankSplit::Limits, 8, 20), 2, &no_tree);
        let eight = plan.next().expect("8");
        let nine = plan.next().expect("9");
        assert_eq!((eight.limit, nine.limit), (8, 9));
        plan.done(1, &done(nine, 500, 500, Some("R")));
        assert!(!plan.is_proven(), "8 is still searched");
        assert_eq!(plan.next(), None, "nothing beyond the goal is begun");
        plan.done(0, &done(eight, 40, 40, None));
        assert!(plan.is_proven());
        assert_eq!(plan.critical_path(), 500);
    }

    #[test]
    fn a_smaller_limit_may_hold_a_shorter_solution() {
        let mut plan = ProblemPlan::new(problem(RankSplit::Limits, 8, 20), 2, &no_tree);
        let eight = plan.next().expect("8");
        let nine = plan.next().expect("9");
        plan.done(1, &done(nine, 500, 500, Some("R")));
        plan.done(0, &done(eight, 40, 40, Some("U")));
        assert!(plan.is_proven());
        assert_eq!(plan.outcome().goal, Some((8, "U".into())));
        assert_eq!(
            plan.critical_path(),
            40,
            "nothing beyond the goal is waited for"
        );
    }

    #[test]
    fn the_first_goal_may_end_all() {
        let mut plan = ProblemPlan::new(problem(RankSplit::Unproven, 8, 20), 2, &no_tree);
        let eight = plan.next().expect("8");
        let nine = plan.next().expect("9");
        plan.done(1, &done(nine, 500, 500, Some("R")));
        assert!(plan.is_proven(), "though 8 is still searched");
        plan.done(0, &done(eight, 40, 40, Some("U")));
        assert_eq!(
            plan.outcome().goal,
            Some((9, "R".into())),
            "a shorter one comes too late"
        );
        assert_eq!((plan.critical_path(), plan.next()), (500, None));
    }

    #[test]
    fn a_tree_is_handed_out_once_and_whole() {
        let cut = |limit: u8| Trunk {
            tasks: usize::from(limit) * 10,
            nodes: 7,
            tests: 0,
            solutions: Vec::new(),
        };
        let mut plan = ProblemPlan::new(problem(RankSplit::Subtrees, 9, 10), 2, &cut);
        let mut searched = BTreeMap::new();
        while !plan.is_proven() {
            let pieces: Vec<SearchPiece> = std::iter::from_fn(|| plan.next()).collect();
            for (rank, piece) in pieces.iter().enumerate() {
                let (first, end) = piece.tasks.expect("parts");
                let tasks: &mut Vec<usize> = searched.entry(piece.limit).or_default();
                tasks.extend(first..end);
                plan.done(rank % 2, &done(*piece, 1, 0, None));
            }
        }
        assert_eq!(
            searched.into_values().collect::<Vec<_>>(),
            [(0..90).collect::<Vec<_>>(), (0..100).collect()]
        );
    }
}
