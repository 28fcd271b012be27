//! Bidirectional A* over a stored perimeter (Lee 2013, Figure 1).
//!
//! # Theory
//!
//! A* (Hart, Nilsson and Raphael 1968) expands the open node with the least f = g + h, where g is
//! the length of the best known path to it and h a lower bound on the remaining path. Here the
//! target is not the solved cube but the *perimeter*, whose positions are stored with their
//! distances: a generated position that is stored is a meeting, and g + distance the length of a
//! solution.
//!
//! ```text
//! open ← the position; best ← none
//! repeat:
//!     n ← the open node with the least f; of equals the one that the tie rule chooses
//!     if best is as short as f(n): best is the answer, and the way through its meeting is printed
//!     for each child c of n:
//!         c is in the perimeter: best ← g(c) + distance(c), if that is shorter
//!         c is new, or g(c) is less than before (it is opened again, expanded or not): c is open
//! ```
//!
//! *The answer is a shortest solution.* Say a shortest solution has length L, and no meeting of
//! length L was found yet. Follow its positions from the root. The root was expanded, or is open;
//! let c be the first position outside the perimeter that is not expanded with g(c) equal to its
//! distance from the root along this path. All before it were expanded so, c was then generated
//! with that g, and it is open: h never exceeds the remaining path, so f(c) ≤ L. (If there is no
//! such c, the first position inside was generated with its least g, and a meeting of length L was
//! found.) So the least f never exceeds L before that, and a meeting as short as the least f is as
//! short as any. For the same reason the greatest least f that was seen is a lower bound at any
//! time. Two kinds of pruning are safe: a child whose f is not below `best` leads to nothing
//! shorter; and the moves of the face that turned last are omitted, because n = p·m gives n·m′ =
//! p·(m·m′), which is p or was generated from p, with a lesser g.
//!
//! *Absence is a bound.* A position outside the perimeter is at least one more than its depth away.
//! This h needs no other table than the perimeter, and is combined with every other h. It is
//! consistent, and so are those of partial problems: no expanded node is ever reopened, which the
//! reports confirm by a count.
//!
//! # Ties
//!
//! With a perimeter of depth 7 and a solution of length L, everything with f < L is expanded, and
//! enough of the nodes with f = L to meet the perimeter. Their number depends on the order:
//! queue-type (first in, first out) or stack-type (last in, first out), alone or after a tie value,
//! heu6 or heu8 ([`PartialBound`]).
//!
//! # Departures
//!
//! 1. The goal test is applied when a position is generated, not when it is expanded: positions
//!    inside the perimeter are never stored, and the search ends as soon as the least f allows.
//! 2. Nodes hold no link to their parents but the move that led to them: undone, it gives the
//!    parent, which is looked up.
//! 3. A node that is overtaken by a shorter path stays in its queue and is skipped.

use super::Perimeter;
use super::heuristic::{Heuristic, PartialBound, Partials};
use super::stored_space::PositionKey;
use crate::error::LabError;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Event, IterationStats, Options, Outcome, Report};
use cosette::{CancelReason, Control};
use cosette_app::engine::{Engine, OnEvent};
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::time::{Duration, Instant};

/// The order of expansion among equal nodes: first or last in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieOrder {
    /// First in, first out.
    Queue,
    /// Last in, first out.
    Stack,
}

/// Options of a search.
#[derive(Clone, Copy, Debug)]
pub struct AstarSettings {
    /// Maximum of the bound by which ties are broken first, as in heu6 and heu8: among nodes with
    /// equal f, the one with the least distance in the backward spaces is expanded first.
    pub tie_bound: Option<u8>,
    /// The order of expansion among nodes that are still equal.
    pub order: TieOrder,
    /// Maximum number of stored states.
    pub states: u64,
    /// Maximum length searched.
    pub longest: u8,
}

impl Default for AstarSettings {
    fn default() -> AstarSettings {
        AstarSettings {
            tie_bound: None,
            order: TieOrder::Stack,
            states: 50_000_000,
            longest: 20,
        }
    }
}

/// The way in which a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// Solved, with a shortest solution, re-applied to the position.
    Solved(Vec<Move>),
    /// All lengths up to the maximum are ruled out.
    NoneWithinLimit,
    /// The limit of stored states is reached.
    Full,
    /// The search was cancelled.
    Cancelled,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct AstarResult {
    /// The way in which the search ended.
    pub ended: SearchEnd,
    /// Proven lower bound: no solution is shorter.
    pub lower_bound: u8,
    /// Number of states stored, open and closed.
    pub stored: u64,
    /// Number of states for which a shorter path was found after they had been expanded.
    pub reopened: u64,
    /// The work done while the least f of all open nodes had one value, by increasing f: nodes are
    /// those generated, each of which is looked up in the perimeter.
    pub thresholds: Vec<IterationStats>,
}

impl AstarResult {
    /// Returns the number of nodes generated.
    pub fn generated(&self) -> u64 {
        self.thresholds
            .iter()
            .map(|threshold| threshold.nodes)
            .sum()
    }

    /// Returns the elapsed time.
    pub fn elapsed(&self) -> Duration {
        self.thresholds
            .iter()
            .map(|threshold| threshold.elapsed)
            .sum()
    }
}

impl fmt::Display for AstarResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states stored; ", self.stored)?;
        match &self.ended {
            SearchEnd::Solved(moves) => write!(f, "solved in {}", moves.len()),
            _ => write!(f, "lower bound {}", self.lower_bound),
        }
    }
}

/// An event of a running search.
#[derive(Debug)]
pub enum AstarEvent<'a> {
    /// The least f increased: the work done before, with a threshold that has just begun.
    Risen(&'a [IterationStats]),
    /// A node was expanded.
    Expanded(Expansion),
}

/// A node that was expanded.
#[derive(Clone, Copy, Debug)]
pub struct Expansion {
    /// The position.
    pub position: Cube,
    /// Its depth: the paper's g.
    pub depth: u8,
    /// Its lower bound: the paper's h.
    pub bound: u8,
    /// Number of its children that were stored.
    pub stored: u64,
    /// Length of the shortest known path to solved through the perimeter.
    pub meeting: Option<u8>,
}

/// A path from the root to a position in the perimeter, and from there to solved.
struct Meeting {
    length: u8,
    /// The position it was generated from, and the move.
    parent: Cube,
    last: Move,
}

/// Runs A* from a position to a perimeter.
///
/// # Errors
///
/// Returns an error if the perimeter cannot be read.
pub fn search(
    position: &Cube,
    perimeter: &dyn Perimeter,
    heuristic: &Heuristic<'_>,
    settings: &AstarSettings,
    on_event: &mut dyn FnMut(AstarEvent<'_>),
    control: &Control<'_>,
) -> Result<AstarResult, LabError> {
    let mut run = LeeSearch {
        root: position,
        perimeter,
        heuristic,
        ties: settings
            .tie_bound
            .map(|most| heuristic.partials().backward(most)),
        settings,
        store: NodeStore::default(),
        best: None,
        reopened: 0,
        thresholds: Vec::new(),
    };
    let ended = match perimeter.solution(position)? {
        Some(moves) if moves.len() <= usize::from(settings.longest) => {
            run.begin(moves.len() as u8);
            SearchEnd::Solved(moves)
        }
        Some(_) => SearchEnd::NoneWithinLimit,
        None => {
            run.open(position, None, 0);
            run.go(on_event, control)?
        }
    };
    if let SearchEnd::Solved(moves) = &ended {
        assert!(
            position.apply_moves(moves).is_solved(),
            "{moves:?} does not solve {position:?}"
        );
    }
    let lower_bound = match &ended {
        SearchEnd::NoneWithinLimit => settings.longest + 1,
        _ => run
            .thresholds
            .last()
            .map_or(0, |threshold| threshold.length),
    };
    let stored = run.store.pushed;
    Ok(AstarResult {
        ended,
        lower_bound,
        stored,
        reopened: run.reopened,
        thresholds: run.thresholds,
    })
}

struct LeeSearch<'a> {
    root: &'a Cube,
    perimeter: &'a dyn Perimeter,
    heuristic: &'a Heuristic<'a>,
    ties: Option<Heuristic<'a>>,
    settings: &'a AstarSettings,
    store: NodeStore,
    best: Option<Meeting>,
    reopened: u64,
    thresholds: Vec<IterationStats>,
}

/// Number of nodes expanded between two checks for cancellation.
const CHECK_INTERVAL: u64 = 256;

impl LeeSearch<'_> {
    fn go(
        &mut self,
        on_event: &mut dyn FnMut(AstarEvent<'_>),
        control: &Control<'_>,
    ) -> Result<SearchEnd, LabError> {
        let mut start = Instant::now();
        let mut expanded = 0_u64;
        loop {
            let node = self.store.pop();
            // If no node is open, no remaining solution was shorter than the best meeting.
            let f = node
                .map(|(_, node)| node.depth + node.bound)
                .or(self.best.as_ref().map(|best| best.length));
            let Some(f) = f else {
                return Ok(SearchEnd::NoneWithinLimit);
            };
            if self
                .thresholds
                .last()
                .is_none_or(|threshold| f > threshold.length)
            {
                if let Some(last) = self.thresholds.last_mut() {
                    last.exhausted = true;
                }
                self.begin(f);
                on_event(AstarEvent::Risen(&self.thresholds));
            }
            let least = self.threshold().length;
            if least > self.settings.longest {
                return Ok(SearchEnd::NoneWithinLimit);
            }
            if let Some((position, node)) = node.filter(|_| !self.is_proven(least)) {
                let stored = self.store.pushed;
                self.expand(&position, node, least)?;
                on_event(AstarEvent::Expanded(Expansion {
                    position,
                    depth: node.depth,
                    bound: node.bound,
                    stored: self.store.pushed - stored,
                    meeting: self.best.as_ref().map(|best| best.length),
                }));
            }
            expanded += 1;
            let now = Instant::now();
            self.threshold().elapsed += now - start;
            start = now;
            if self.is_proven(least) {
                return self.path().map(SearchEnd::Solved);
            }
            if self.store.pushed >= self.settings.states {
                return Ok(SearchEnd::Full);
            }
            if expanded.is_multiple_of(CHECK_INTERVAL) && control.is_cancelled() {
                return Ok(SearchEnd::Cancelled);
            }
        }
    }

    /// Begins the nodes with this f.
    fn begin(&mut self, f: u8) {
        self.thresholds.push(IterationStats::new(f));
    }

    /// Returns the statistics of the nodes with the least f.
    fn threshold(&mut self) -> &mut IterationStats {
        self.thresholds.last_mut().expect("a threshold was begun")
    }

    /// Returns `true` if the best meeting is as short as the lower bound.
    fn is_proven(&self, least: u8) -> bool {
        self.best.as_ref().is_some_and(|best| best.length <= least)
    }

    fn expand(&mut self, position: &Cube, node: StoredNode, least: u8) -> Result<(), LabError> {
        let depth = node.depth + 1;
        let mut generated = 0;
        let before = node.last.map(Move::face);
        for m in Move::ALL.into_iter().filter(|m| Some(m.face()) != before) {
            generated += 1;
            let child = position.apply(m);
            if let Some(distance) = self.perimeter.distance(&child)? {
                let length = depth + distance;
                if self.best.as_ref().is_none_or(|best| length < best.length) {
                    self.best = Some(Meeting {
                        length,
                        parent: *position,
                        last: m,
                    });
                    if length <= least {
                        break;
                    }
                }
            } else {
                self.open(&child, Some(m), depth);
            }
        }
        let threshold = self.threshold();
        threshold.nodes += generated;
        threshold.probes += generated;
        Ok(())
    }

    /// Stores a position outside the perimeter, unless it is already stored with a path that is not
    /// longer, or leads to nothing better than the best meeting.
    fn open(&mut self, position: &Cube, last: Option<Move>, depth: u8) {
        let key = PositionKey::of(position).to_bytes();
        let there = self.store.nodes.get(&key);
        if there.is_some_and(|there| there.depth <= depth) {
            return;
        }
        let known = self.perimeter.depth() + 1;
        let bound = there.map_or_else(
            || self.heuristic.bound(position, known),
            |there| there.bound,
        );
        if self
            .best
            .as_ref()
            .is_some_and(|best| depth + bound >= best.length)
        {
            return;
        }
        self.reopened += u64::from(there.is_some_and(|there| there.is_closed));
        let tie = self.ties.as_ref().map_or(0, |ties| ties.bound(position, 0));
        let node = StoredNode {
            last,
            depth,
            bound,
            is_closed: false,
        };
        self.store.push(key, node, tie, self.settings.order);
    }

    /// Returns the path to the meeting position and from there to solved.
    fn path(&self) -> Result<Vec<Move>, LabError> {
        let best = self.best.as_ref().expect("there is a meeting");
        let mut moves = vec![best.last];
        let mut position = best.parent;
        let last = |position: &Cube| self.store.nodes[&PositionKey::of(position).to_bytes()].last;
        while let Some(m) = last(&position) {
            moves.push(m);
            position = position.apply(m.inverse());
        }
        moves.reverse();
        moves.extend(
            self.perimeter
                .solution(&self.root.apply_moves(&moves))?
                .expect("the ways meet in the perimeter"),
        );
        Ok(moves)
    }
}

/// A node: a position that was generated.
#[derive(Clone, Copy)]
struct StoredNode {
    /// The move that led there.
    last: Option<Move>,
    depth: u8,
    bound: u8,
    is_closed: bool,
}

/// The key of a position in nine bytes.
type NodeKey = [u8; 9];

/// All nodes, open and closed, in 15 bytes each and the queue of the open ones.
#[derive(Default)]
struct NodeStore {
    nodes: HashMap<NodeKey, StoredNode>,
    /// Positions by f and tie value; a position that was overtaken stays in its old queue.
    open: Vec<VecDeque<NodeKey>>,
    /// Number of nodes pushed.
    pushed: u64,
}

/// Tie values are below this.
const TIES: usize = 16;

impl NodeStore {
    /// Stores a node and adds it to its queue, replacing one with the same position.
    fn push(&mut self, key: NodeKey, node: StoredNode, tie: u8, order: TieOrder) {
        self.nodes.insert(key, node);
        self.pushed += 1;
        let queue = usize::from(node.depth + node.bound) * TIES + usize::from(tie);
        if queue >= self.open.len() {
            self.open.resize(queue + 1, VecDeque::new());
        }
        match order {
            TieOrder::Queue => self.open[queue].push_back(key),
            TieOrder::Stack => self.open[queue].push_front(key),
        }
    }

    /// Closes and returns the next open node with the least f. A node that was overtaken was closed
    /// before, as its f is less than in its old queue.
    fn pop(&mut self) -> Option<(Cube, StoredNode)> {
        for queue in &mut self.open {
            while let Some(key) = queue.pop_front() {
                let node = self.nodes.get_mut(&key).expect("open nodes are stored");
                if !node.is_closed {
                    node.is_closed = true;
                    let position = PositionKey::from_bytes(&key).position();
                    return Some((position.expect("nodes are keys of positions"), *node));
                }
            }
        }
        None
    }
}

/// Bidirectional A* over a perimeter, with a bound from partial problems.
///
/// The generated nodes are stored, so memory limits the search: positions more than about fifteen
/// moves away are bounded from below and not solved.
pub struct Lee {
    /// The positions near solved.
    pub perimeter: Box<dyn Perimeter>,
    /// The partial problems.
    pub partials: Partials,
    /// The bound that they give.
    pub bound: PartialBound,
    /// The options of the search.
    pub settings: AstarSettings,
    /// Receives the bound of each partial problem for a position, before it is searched.
    pub on_bounds: Option<OnBounds>,
}

/// A callback for the bound of each partial problem.
pub type OnBounds = Box<dyn Fn(&[u8])>;

impl Lee {
    /// Solves a position and reports the work.
    pub fn search(
        &self,
        position: &Cube,
        longest: u8,
        on_event: &mut dyn FnMut(AstarEvent<'_>),
        control: &Control<'_>,
    ) -> Result<AstarResult, LabError> {
        let is_near = self.perimeter.distance(position)?.is_some();
        let heuristic = match &self.on_bounds {
            None if is_near => self.partials.backward(0),
            _ => self.partials.heuristic(self.bound, position, control)?,
        };
        if let Some(on_bounds) = &self.on_bounds {
            on_bounds(&heuristic.bounds(position));
        }
        let settings = AstarSettings {
            longest: longest.min(self.settings.longest),
            ..self.settings
        };
        search(
            position,
            &*self.perimeter,
            &heuristic,
            &settings,
            on_event,
            control,
        )
    }
}

impl Engine for Lee {
    fn name(&self) -> &'static str {
        "lee"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        format!("perimeter {} and pairs of faces", self.perimeter.depth())
    }

    /// One solution is found, whatever number is requested. A threshold is the work done while the
    /// least f of all open nodes had one value; probes are accesses to the perimeter. If memory
    /// runs out first, the outcome is [`Outcome::OutOfMemory`], with the lower bound proven until
    /// then; if a file cannot be read, the outcome is that of a cancellation.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Report {
        let start = Instant::now();
        let longest = options.max_length.unwrap_or(Metric::Htm.diameter());
        let mut tell = |event: AstarEvent<'_>| {
            let AstarEvent::Risen([done @ .., begun]) = event else {
                return;
            };
            if let Some(done) = done.last() {
                on_event(Event::IterationFinished(done));
            }
            on_event(Event::IterationStarted {
                length: begun.length,
            });
        };
        let lower_bound = match self.perimeter.distance(position) {
            Ok(None) => self.perimeter.depth() + 1,
            _ => 0,
        };
        let outcome = Outcome::Cancelled(CancelReason::Requested);
        let mut report = Report::new(position, outcome, lower_bound);
        match self.search(position, longest, &mut tell, control) {
            Ok(found) => {
                report.lower_bound = lower_bound.max(found.lower_bound);
                report.iterations = found.thresholds;
                match found.ended {
                    SearchEnd::Solved(moves) => {
                        report.outcome = Outcome::Optimal;
                        report.solutions.push(moves);
                    }
                    SearchEnd::NoneWithinLimit => report.outcome = Outcome::NoneWithinLimit,
                    SearchEnd::Full => report.outcome = Outcome::OutOfMemory,
                    SearchEnd::Cancelled => {
                        report.outcome = Outcome::unfinished(control.cancel_token())
                    }
                }
                if let Some(last) = report.iterations.last_mut() {
                    last.exhausted = report.outcome == Outcome::NoneWithinLimit;
                    on_event(Event::IterationFinished(last));
                }
            }
            Err(fault) if fault.is_cancellation() => {
                report.outcome = Outcome::unfinished(control.cancel_token());
            }
            // As after a cancellation, only absence from the perimeter is known.
            Err(fault) => tracing::error!("{fault}"),
        }
        report.elapsed = start.elapsed();
        report
    }
}
