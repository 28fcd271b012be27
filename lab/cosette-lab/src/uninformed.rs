//! The plain searches (Nargolkar 2006, chapter 2), in the half-turn metric.
//!
//! | search | takes next | finds | stores |
//! |---|---|---|---|
//! | [`breadth_first`] | the position found first | fewest moves | all positions |
//! | [`depth_first`] | the position found last, to a limit | something | the path |
//! | [`deepening`] | the position found last, to a limit that rises | fewest moves | the path |
//! | [`greedy`] | the least estimate | something | all positions |
//! | [`uniform_cost`] | the fewest moves so far | fewest moves | all positions |
//! | [`a_star`] | the least sum of both | fewest moves, if no estimate is too high | all positions |
//!
//! A node is *generated* when a move makes a position, whether or not that is known already; it is
//! *stored* while the search keeps it.
//!
//! # The searches that store all positions: breadth first, and best first with three kinds of priority
//!
//! ```text
//! breadth first                                            best first
//! a queue of the start                                     a frontier of the start
//! until the queue is empty                                 until the frontier is empty
//!     take the first; for each new successor                  take that with the least priority
//!         solved: done                                          solved: done
//!         put it at the end of the queue                       put in each successor that is new, or reached by fewer moves
//! ```
//!
//! # Depth-first search
//!
//! ```text
//! descend(start):
//!     solved: done
//!     unless the path is as long as it may be: for each successor that the path has not passed: descend(successor)
//! ```
//!
//! Only the path is stored. Without a limit the search might never return; with one it finds a
//! solution if there is one within the limit, but not a shortest one. With iterative deepening the
//! limit is 0, then 1, …; positions are tested only where nothing remains, because shorter
//! solutions were ruled out before, so the first solution is one of the shortest. Positions are
//! generated again wherever several ways lead to them.

use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::ida::{Ida, IdaLimits, LowerBound};
use crate::lab::Lab;
use crate::manhattan::{Manhattan, SumCombination};
use crate::template::{PageTemplate, row};
use crate::walks::random_walks;
use cosette::cube::{Cube, Metric, Move, MoveSet};
use cosette::{Control, ThreadCount};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow::{self, Break, Continue};
use std::time::Instant;

/// Limits at which a search gives up.
#[derive(Clone, Copy, Debug)]
pub struct PlainLimits<'a> {
    /// Maximum number of generated nodes.
    pub generated: u64,
    /// Maximum number of stored nodes.
    pub stored: u64,
    /// Cancellation, which is checked every few thousand nodes.
    pub control: &'a Control<'a>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainResult {
    /// The moves that solve the position; `None` if the search gave up, or found nothing within its
    /// limit.
    pub moves: Option<Vec<Move>>,
    /// Number of nodes generated.
    pub generated: u64,
    /// Maximum number of nodes stored at a time.
    pub stored: u64,
}

/// Number of nodes generated between two checks for cancellation.
const NODES_PER_CHECK: u64 = 1 << 12;

impl PlainLimits<'_> {
    /// Returns `true` if a limit is reached.
    fn are_reached(&self, generated: u64, stored: u64) -> bool {
        generated > self.generated
            || stored > self.stored
            || generated.is_multiple_of(NODES_PER_CHECK) && self.control.is_cancelled()
    }
}

/// Finds a shortest solution.
pub fn breadth_first(position: &Cube, limits: &PlainLimits<'_>) -> PlainResult {
    let mut tree = SeenPositions::new(position);
    if position.is_solved() {
        return tree.found(Some(0));
    }
    // Positions are numbered in the order in which they are found: the numbers are the queue.
    let mut next = 0;
    while next < tree.entries.len() {
        for m in Move::ALL {
            let known = tree.entries.len();
            if tree.add(next, m) == Some(known) && tree.entries[known].position.is_solved() {
                return tree.found(Some(known));
            }
            if limits.are_reached(tree.generated, tree.stored()) {
                return tree.found(None);
            }
        }
        next += 1;
    }
    tree.found(None)
}

/// Greedy best-first search: expands the position with the least estimate first, and among equals
/// the one with the shortest path. Its solutions are seldom shortest.
pub fn greedy(position: &Cube, bound: &Manhattan, limits: &PlainLimits<'_>) -> PlainResult {
    best_first(position, bound, limits, |depth, estimate| (estimate, depth))
}

/// Uniform-cost search (Dijkstra 1959): expands the position with the fewest moves first, whatever
/// the remaining distance. Finds a shortest solution.
pub fn uniform_cost(position: &Cube, bound: &Manhattan, limits: &PlainLimits<'_>) -> PlainResult {
    best_first(position, bound, limits, |depth, _estimate| (depth, 0))
}

/// A* (Hart, Nilsson and Raphael 1968): expands the position with the least sum of its moves and
/// its estimate first. Finds a shortest solution if no estimate exceeds the remaining distance: no
/// position on a shortest path has a sum above its length, so none with a larger sum is expanded
/// before it is solved.
pub fn a_star(position: &Cube, bound: &Manhattan, limits: &PlainLimits<'_>) -> PlainResult {
    best_first(position, bound, limits, |depth, estimate| {
        (depth + estimate, estimate)
    })
}

/// Finds a solution by best-first search. `priority` computes the priority from the number of moves
/// and the estimate of the remaining distance; ties of its first number are decided by the second
/// one, and then the position seen first is expanded.
fn best_first(
    position: &Cube,
    bound: &Manhattan,
    limits: &PlainLimits<'_>,
    priority: impl Fn(u8, u8) -> (u8, u8),
) -> PlainResult {
    let mut tree = SeenPositions::new(position);
    let mut frontier = BinaryHeap::from([Reverse(((0, 0), 0, 0))]);
    while let Some(Reverse((_, number, depth))) = frontier.pop() {
        if tree.entries[number].depth < depth {
            continue; // it was taken already, with fewer moves
        }
        if tree.entries[number].position.is_solved() {
            return tree.found(Some(number));
        }
        for m in Move::ALL {
            if let Some(number) = tree.add(number, m) {
                let Entry {
                    position, depth, ..
                } = &tree.entries[number];
                let estimate = bound.bound(&bound.node(position), u8::MAX, &mut 0);
                frontier.push(Reverse((priority(*depth, estimate), number, *depth)));
            }
            if limits.are_reached(tree.generated, tree.stored()) {
                return tree.found(None);
            }
        }
    }
    tree.found(None)
}

/// A position, and the shortest known path to it.
struct Entry {
    position: Cube,
    depth: u8,
    /// The position before, and the move that led from it to this one.
    from: Option<(usize, Move)>,
}

/// All positions seen.
struct SeenPositions {
    entries: Vec<Entry>,
    numbers: HashMap<Cube, usize>,
    generated: u64,
}

impl SeenPositions {
    /// Creates a tree of the start alone, which has the number 0.
    fn new(start: &Cube) -> SeenPositions {
        let entries = vec![Entry {
            position: *start,
            depth: 0,
            from: None,
        }];
        SeenPositions {
            entries,
            numbers: HashMap::from([(*start, 0)]),
            generated: 0,
        }
    }

    /// Adds the position after a move. Returns its number if it is new, or was reached by more
    /// moves before.
    fn add(&mut self, from: usize, m: Move) -> Option<usize> {
        self.generated += 1;
        let Entry {
            position, depth, ..
        } = &self.entries[from];
        let position = position.apply(m);
        let depth = depth + 1;
        let number = *self.numbers.entry(position).or_insert(self.entries.len());
        if number == self.entries.len() {
            self.entries.push(Entry {
                position,
                depth,
                from: Some((from, m)),
            });
        } else if self.entries[number].depth > depth {
            self.entries[number] = Entry {
                position,
                depth,
                from: Some((from, m)),
            };
        } else {
            return None;
        }
        Some(number)
    }

    /// Returns the number of stored positions.
    fn stored(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Returns the result: the path to the position with this number, or nothing.
    fn found(&self, solved: Option<usize>) -> PlainResult {
        let way = |number: usize| {
            let steps = std::iter::successors(self.entries[number].from, |&(before, _)| {
                self.entries[before].from
            });
            let mut moves: Vec<Move> = steps.map(|(_, m)| m).collect();
            moves.reverse();
            moves
        };
        PlainResult {
            moves: solved.map(way),
            generated: self.generated,
            stored: self.stored(),
        }
    }
}

/// Finds a solution of at most `most` moves: the first in the order of the moves.
pub fn depth_first(position: &Cube, most: u8, limits: &PlainLimits<'_>) -> PlainResult {
    let mut descent = DepthFirstSearch::new(limits, false);
    let end = descent.descend(position, most);
    descent.result(end == Break(true))
}

/// Finds a shortest solution.
pub fn deepening(position: &Cube, limits: &PlainLimits<'_>) -> PlainResult {
    let mut descent = DepthFirstSearch::new(limits, true);
    for limit in 0.. {
        if let Break(is_solved) = descent.descend(position, limit) {
            return descent.result(is_solved);
        }
    }
    unreachable!("every position has a solution")
}

/// A running depth-first search.
struct DepthFirstSearch<'a> {
    limits: &'a PlainLimits<'a>,
    /// `true` for an iteration: positions are tested for being solved only where nothing remains,
    /// and may be passed again.
    is_iteration: bool,
    path: Vec<Move>,
    /// The positions on the path.
    positions: Vec<Cube>,
    generated: u64,
    stored: u64,
}

impl<'a> DepthFirstSearch<'a> {
    fn new(limits: &'a PlainLimits<'a>, is_iteration: bool) -> DepthFirstSearch<'a> {
        DepthFirstSearch {
            limits,
            is_iteration,
            path: Vec::new(),
            positions: Vec::new(),
            generated: 0,
            stored: 1,
        }
    }

    /// Searches below a position. Breaks with `true` at a solution, with `false` if it gives up.
    fn descend(&mut self, position: &Cube, remaining: u8) -> ControlFlow<bool> {
        if (remaining == 0 || !self.is_iteration) && position.is_solved() {
            return Break(true);
        }
        if remaining == 0 {
            return Continue(());
        }
        self.positions.push(*position);
        for m in MoveSet::after(self.path.last().copied()).iter() {
            let successor = position.apply(m);
            if !self.is_iteration && self.positions.contains(&successor) {
                continue;
            }
            self.generated += 1;
            self.path.push(m);
            self.stored = self.stored.max(self.path.len() as u64 + 1);
            if self.limits.are_reached(self.generated, self.stored) {
                return Break(false);
            }
            self.descend(&successor, remaining - 1)?;
            self.path.pop();
        }
        self.positions.pop();
        Continue(())
    }

    fn result(self, is_solved: bool) -> PlainResult {
        let DepthFirstSearch {
            path,
            generated,
            stored,
            ..
        } = self;
        PlainResult {
            moves: is_solved.then_some(path),
            generated,
            stored,
        }
    }
}

type UninformedSearch = fn(&Cube, &Manhattan, &PlainLimits<'_>) -> PlainResult;

/// The searches and their names, with IDA* for comparison, and `true` if a solution is always a
/// shortest one.
const SEARCHES: [(&str, UninformedSearch, bool); 7] = [
    (
        "breadth-first",
        |position, _, limits| breadth_first(position, limits),
        true,
    ),
    (
        "depth-first, to 5 moves",
        |position, _, limits| depth_first(position, MAX_DEPTH, limits),
        false,
    ),
    (
        "depth-first, iterative deepening",
        |position, _, limits| deepening(position, limits),
        true,
    ),
    ("greedy best-first", greedy, false),
    ("uniform cost", uniform_cost, true),
    ("A*", a_star, true),
    ("IDA*", ida_star, true),
];

/// Maximum depth of the depth-first search without deepening.
const MAX_DEPTH: u8 = 5;

/// IDA* with the same estimate, on one thread.
pub fn ida_star(position: &Cube, bound: &Manhattan, limits: &PlainLimits<'_>) -> PlainResult {
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let last = IdaLimits {
        nodes: limits.generated,
        ..IdaLimits::default()
    };
    let alone = limits.control.clone().with_threads(ThreadCount::ONE);
    let found = ida.search(position, &last, &alone);
    let generated = found
        .iterations
        .iter()
        .map(|iteration| iteration.nodes)
        .sum();
    let moves = found.solutions.into_iter().next();
    let stored = moves.as_ref().map_or(0, |moves| moves.len() as u64 + 1);
    PlainResult {
        moves,
        generated,
        stored,
    }
}

/// Length and number of the walks, and the number of nodes, generated or stored, after which a
/// search gives up.
struct WalkSample {
    longest: usize,
    walks: usize,
    generated: u64,
    stored: u64,
}

const fn size(effort: RunSize) -> WalkSample {
    match effort {
        RunSize::Quick => WalkSample {
            longest: 8,
            walks: 3,
            generated: 10_000_000,
            stored: 1_000_000,
        },
        RunSize::Full => WalkSample {
            longest: 10,
            walks: 10,
            generated: 200_000_000,
            stored: 10_000_000,
        },
    }
}

/// The default seed.
const SEED: u64 = 2006;

/// Measures each search on random walks: the lengths that it solves, and the cost.
pub fn searches(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let size = size(request.effort);
    let seed = request.seed_or(SEED);
    let mut form = PageTemplate::read(
        include_str!("../pages/nargolkar-experiments.md"),
        "searches",
    );
    form.say("walks", size.walks)
        .say("longest", size.longest)
        .say("seed", seed);
    form.say("generated", size.generated)
        .say("stored", size.stored);
    let axes = ["moves of the walk", "nodes generated"];
    let mut plot = Plot::new(
        "plain-searches",
        "Nodes of the plain searches, where all walks were solved",
        axes,
        [false, true],
    );
    for (name, search, is_shortest) in SEARCHES {
        let mut rows = Vec::new();
        for length in 1..=size.longest {
            lab.step(
                &format!("solving walks by {name}"),
                length as u64,
                size.longest as u64,
            );
            rows.push((
                length,
                SearchMeans::measure(lab, &size, (seed, length), search)?,
            ));
        }
        let (all, rest) = rows.split_at(
            rows.iter()
                .take_while(|(_, row)| row.solved == size.walks)
                .count(),
        );
        plot = plot.series(
            name,
            all.iter()
                .map(|(length, row)| (*length as f64, row.generated)),
        );
        let longer = rest.iter().filter(|(_, row)| row.solved > 0);
        let longer: Vec<String> = longer
            .map(|(length, row)| format!("{} of {length}", row.solved))
            .collect();
        let longer = (!longer.is_empty()).then(|| longer.join(", "));
        let is_shortest = if is_shortest { "yes" } else { "no" };
        if let Some((
            length,
            SearchMeans {
                moves,
                generated,
                stored,
                seconds,
                ..
            },
        )) = all.last()
        {
            let [moves, generated, stored, seconds] = [*moves, *generated, *stored, *seconds];
            form.table("searches").row(row![
                name,
                is_shortest,
                *length,
                moves,
                generated,
                stored,
                seconds,
                longer
            ]);
        }
    }
    Ok(form.experiment().plots([plot]))
}

/// The means of one search over the walks of one length that it has solved.
#[derive(Default)]
struct SearchMeans {
    solved: usize,
    moves: f64,
    generated: f64,
    stored: f64,
    seconds: f64,
}

impl SearchMeans {
    fn measure(
        lab: &Lab<'_>,
        size: &WalkSample,
        (seed, length): (u64, usize),
        search: UninformedSearch,
    ) -> Result<SearchMeans, LabError> {
        let limits = PlainLimits {
            generated: size.generated,
            stored: size.stored,
            control: &lab.control,
        };
        let mut row = SearchMeans::default();
        for walk in random_walks(seed.wrapping_add(length as u64), length).take(size.walks) {
            let position = Cube::from_moves(&walk);
            let bound = Manhattan::new(SumCombination::Larger, Metric::Htm);
            let start = Instant::now();
            let found = search(&position, &bound, &limits);
            lab.check()?;
            if let Some(solution) = found.moves {
                assert!(
                    position.apply_moves(&solution).is_solved(),
                    "{solution:?} does not solve {position:?}"
                );
                row.solved += 1;
                row.moves += solution.len() as f64;
                row.generated += found.generated as f64;
                row.stored += found.stored as f64;
                row.seconds += start.elapsed().as_secs_f64();
            }
        }
        for sum in [
            &mut row.moves,
            &mut row.generated,
            &mut row.stored,
            &mut row.seconds,
        ] {
            *sum /= row.solved as f64;
        }
        Ok(row)
    }
}
