//! The plain searches (Nargolkar 2006, chapter 2), in the half-turn metric.
//!
//! All take a position, make its moves, and keep the positions that these lead to. They differ in
//! the position that is taken next:
//!
//! ```text
//! best first                                          depth first
//! a frontier of the start                             descend(start):
//! until the frontier is empty                             solved: done
//!     take the position of the least priority             unless the path is as long as it may be
//!         solved: done                                        for each successor
//!         put in each successor that is new,                      descend(successor)
//!         or reached by fewer moves
//! ```
//!
//! With iterative deepening the limit of depth-first search is 0, 1, …, and positions are tested
//! only where no moves are left: shorter solutions were ruled out before. IDA* also turns back
//! where the estimate exceeds the moves left.
//!
//! A node is *generated* when a move makes a position, whether or not that is known already; it is
//! *stored* while the search keeps it.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::LowerBound;
use crate::lab::{Lab, processor_time};
use crate::manhattan::{Manhattan, SumCombination};
use crate::record::Record;
use crate::walks::random_walks;
use cosette::Control;
use cosette::cube::{Cube, DisplayMoves, Metric, Move, MoveSet};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::LazyLock;

/// A search.
pub struct PlainSearch {
    /// Its name.
    pub name: &'static str,
    /// The position that it takes next.
    pub takes_next: &'static str,
    /// `true` if its solutions are always shortest.
    pub is_optimal: bool,
    strategy: Strategy,
}

/// The order in which a search takes positions.
#[derive(Clone, Copy)]
enum Strategy {
    /// Takes the position of the least priority, and stores all.
    BestFirst(Priority),
    /// Takes the position found last, to this number of moves, and stores the path.
    DepthFirst(u8),
    /// Takes the position found last, to limits that rise from zero.
    Deepening,
    /// Takes the position found last, to limits that rise from the estimate of the start, where the
    /// moves made and the estimate do not exceed the limit.
    IdaStar,
}

/// The order of a best-first search; among equals it takes the position found first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Priority {
    /// The moves made; a position is tested when it is found, not when it is taken.
    Found,
    /// The moves made (Dijkstra 1959).
    Moves,
    /// The estimate of the remaining moves.
    Estimate,
    /// The sum of both (Hart, Nilsson and Raphael 1968). If no estimate exceeds the remaining
    /// moves, no position on a shortest path has a sum above its length, so none with a larger sum
    /// is taken before the solved one.
    Sum,
}

impl Priority {
    /// Returns the priority of a position, and a number that decides among equals.
    fn of(self, position: &Cube, cost: u8) -> (u8, u8) {
        match self {
            Priority::Found | Priority::Moves => (cost, 0),
            Priority::Estimate => (estimate(position), cost),
            Priority::Sum => {
                let estimate = estimate(position);
                (cost + estimate, estimate)
            }
        }
    }
}

/// The searches of the thesis: the name, the position taken next, whether solutions are shortest.
pub static SEARCHES: [PlainSearch; 7] = {
    use Strategy::{BestFirst, Deepening, DepthFirst, IdaStar};
    const fn search(
        name: &'static str,
        takes_next: &'static str,
        is_optimal: bool,
        strategy: Strategy,
    ) -> PlainSearch {
        PlainSearch {
            name,
            takes_next,
            is_optimal,
            strategy,
        }
    }
    let first = "the position found first";
    let last = "the position found last";
    [
        search("breadth-first", first, true, BestFirst(Priority::Found)),
        search("depth-first, to 5 moves", last, false, DepthFirst(5)),
        search("depth-first, iterative deepening", last, true, Deepening),
        search(
            "greedy best-first",
            "the least estimate",
            false,
            BestFirst(Priority::Estimate),
        ),
        search(
            "uniform cost",
            "the fewest moves so far",
            true,
            BestFirst(Priority::Moves),
        ),
        search(
            "A*",
            "the least sum of both",
            true,
            BestFirst(Priority::Sum),
        ),
        search(
            "IDA*",
            "the position found last, if the sum allows",
            true,
            IdaStar,
        ),
    ]
};

impl PlainSearch {
    /// Searches for a solution.
    pub fn run(&self, position: &Cube, limits: &PlainLimits<'_>) -> PlainResult {
        let mut depths = match self.strategy {
            Strategy::BestFirst(priority) => return best_first(position, priority, 1, limits),
            Strategy::DepthFirst(moves) => moves..=moves,
            Strategy::Deepening => 0..=u8::MAX,
            Strategy::IdaStar => estimate(position)..=u8::MAX,
        };
        let mut search = DepthFirstSearch {
            limits,
            is_iteration: !matches!(self.strategy, Strategy::DepthFirst(_)),
            estimates: matches!(self.strategy, Strategy::IdaStar),
            path: Vec::new(),
            positions: Vec::new(),
            generated: 0,
            stored: 1,
        };
        let end = depths.find_map(|limit| search.descend(position, limit).break_value());
        PlainResult {
            moves: (end == Some(true)).then_some(search.path),
            generated: search.generated,
            stored: search.stored,
        }
    }
}

/// Returns the larger of the sums over corners and edges ÷ 4.
fn estimate(position: &Cube) -> u8 {
    static ESTIMATE: LazyLock<Manhattan> =
        LazyLock::new(|| Manhattan::new(SumCombination::Larger, Metric::Htm));
    ESTIMATE.bound(&ESTIMATE.node(position), u8::MAX, &mut 0)
}

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

/// Uniform-cost search in which a half turn costs this much, and a quarter turn one.
pub fn uniform_cost(position: &Cube, half_turn: u8, limits: &PlainLimits<'_>) -> PlainResult {
    best_first(position, Priority::Moves, half_turn, limits)
}

fn best_first(
    position: &Cube,
    priority: Priority,
    half_turn: u8,
    limits: &PlainLimits<'_>,
) -> PlainResult {
    let mut tree = SeenPositions::new(position);
    let mut frontier = BinaryHeap::from([Reverse(((0, 0), 0, 0))]);
    while let Some(Reverse((_, taken, cost))) = frontier.pop() {
        if tree.entries[taken].cost < cost {
            continue; // it was taken already, at less cost
        }
        if tree.entries[taken].position.is_solved() {
            return tree.result(Some(taken));
        }
        for m in Move::ALL {
            let cost = cost + if m.is_half_turn() { half_turn } else { 1 };
            if let Some(number) = tree.add(taken, m, cost) {
                let position = &tree.entries[number].position;
                if priority == Priority::Found && position.is_solved() {
                    return tree.result(Some(number));
                }
                frontier.push(Reverse((priority.of(position, cost), number, cost)));
            }
            if limits.are_reached(tree.generated, tree.entries.len() as u64) {
                return tree.result(None);
            }
        }
    }
    tree.result(None)
}

/// A position, and the cheapest known path to it.
struct SeenPosition {
    position: Cube,
    cost: u8,
    /// The position before, and the move that led from it to this one.
    from: Option<(usize, Move)>,
}

/// All positions seen.
struct SeenPositions {
    entries: Vec<SeenPosition>,
    numbers: HashMap<Cube, usize>,
    generated: u64,
}

impl SeenPositions {
    /// Creates a tree of the start alone, which has the number 0.
    fn new(start: &Cube) -> SeenPositions {
        let root = SeenPosition {
            position: *start,
            cost: 0,
            from: None,
        };
        SeenPositions {
            entries: vec![root],
            numbers: HashMap::from([(*start, 0)]),
            generated: 0,
        }
    }

    /// Adds the position after a move. Returns its number if it is new, or was reached at a higher
    /// cost before.
    fn add(&mut self, from: usize, m: Move, cost: u8) -> Option<usize> {
        self.generated += 1;
        let position = self.entries[from].position.apply(m);
        let entry = SeenPosition {
            position,
            cost,
            from: Some((from, m)),
        };
        let number = *self.numbers.entry(position).or_insert(self.entries.len());
        match self.entries.get_mut(number) {
            None => self.entries.push(entry),
            Some(known) if known.cost > cost => *known = entry,
            Some(_) => return None,
        }
        Some(number)
    }

    /// Returns the result: the path to the position with this number, or nothing.
    fn result(&self, solved: Option<usize>) -> PlainResult {
        let path = |number: usize| {
            let steps = std::iter::successors(self.entries[number].from, |&(before, _)| {
                self.entries[before].from
            });
            let mut moves: Vec<Move> = steps.map(|(_, m)| m).collect();
            moves.reverse();
            moves
        };
        PlainResult {
            moves: solved.map(path),
            generated: self.generated,
            stored: self.entries.len() as u64,
        }
    }
}

/// A running depth-first search.
struct DepthFirstSearch<'a> {
    limits: &'a PlainLimits<'a>,
    /// `true` for an iteration: positions are tested for being solved only where no moves are left,
    /// and may be passed again.
    is_iteration: bool,
    /// `true` if it turns back where the estimate exceeds the moves left.
    estimates: bool,
    path: Vec<Move>,
    /// The positions on the path.
    positions: Vec<Cube>,
    generated: u64,
    stored: u64,
}

impl DepthFirstSearch<'_> {
    /// Searches below a position. Breaks with `true` at a solution, with `false` if it gives up.
    fn descend(&mut self, position: &Cube, remaining: u8) -> ControlFlow<bool> {
        if (remaining == 0 || !self.is_iteration) && position.is_solved() {
            return Break(true);
        }
        if remaining == 0 || self.estimates && estimate(position) > remaining {
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
}

/// The default seed.
const SEED: u64 = 2006;

/// The moves that lead to the position of the weighted search.
const WEIGHTED: [&str; 3] = ["R2", "U", "F2"];

/// Measures each search on random walks: the lengths that it solves, and the cost.
pub fn searches(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let (longest, walks, generated, stored) = match request.effort {
        RunSize::Quick => (8, 3, 10_000_000, 1_000_000),
        RunSize::Full => (10, 10, 200_000_000, 10_000_000),
    };
    let seed = request.seed_or(SEED);
    let limits = PlainLimits {
        generated,
        stored,
        control: &lab.control,
    };
    let mut searches = Vec::new();
    for search in &SEARCHES {
        let step = format!("solving walks by {}", search.name);
        let mut lengths = Vec::new();
        for length in 1..=longest {
            lab.step(&step, length as u64, longest as u64);
            let walks = random_walks(seed.wrapping_add(length as u64), length).take(walks);
            lengths.push(means(search, length, walks, &limits));
            lab.check()?;
        }
        searches.push(json!({
            "name": search.name,
            "is_optimal": search.is_optimal,
            "lengths": lengths,
        }));
    }
    let weighted = [1, 3].map(|half_turn| weighted(half_turn, &limits));
    let record = json!({
        "seed": seed,
        "walks": walks,
        "generated": generated,
        "stored": stored,
        "searches": searches,
        "weighted": weighted,
    });
    Ok(Record::computed(request, &record))
}

/// Solves a position by uniform-cost search with a weight of half turns.
fn weighted(half_turn: u8, limits: &PlainLimits<'_>) -> Value {
    let moves = WEIGHTED.map(|name| name.parse().expect("moves"));
    let found = uniform_cost(&Cube::from_moves(&moves), half_turn, limits);
    json!({
        "half_turn": half_turn,
        "moves": DisplayMoves(&found.moves.unwrap_or_default()).to_string(),
        "generated": found.generated,
    })
}

/// Returns the means of one search over the walks of one length that it solves.
fn means(
    search: &PlainSearch,
    length: usize,
    walks: impl Iterator<Item = Vec<Move>>,
    limits: &PlainLimits<'_>,
) -> Value {
    let mut solved = 0;
    let mut sums = [0.0; 4];
    for walk in walks {
        let position = Cube::from_moves(&walk);
        let start = processor_time();
        let found = search.run(&position, limits);
        let seconds = processor_time() - start;
        if let Some(solution) = found.moves {
            assert!(
                position.apply_moves(&solution).is_solved(),
                "{solution:?} does not solve {position:?}"
            );
            solved += 1;
            let counts = [solution.len() as u64, found.generated, found.stored];
            let [moves, generated, stored] = counts.map(|count| count as f64);
            let figures = [moves, generated, stored, seconds];
            sums = std::array::from_fn(|i| sums[i] + figures[i]);
        }
    }
    let [moves, generated, stored, seconds] = sums.map(|sum| sum / f64::from(solved.max(1)));
    json!({
        "length": length,
        "solved": solved,
        "moves": moves,
        "generated": generated,
        "stored": stored,
        "seconds": seconds,
    })
}
