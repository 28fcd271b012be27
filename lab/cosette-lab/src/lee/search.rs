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
//! consistent, and so are those of partial problems: no expanded node is ever reopened.
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
use super::heuristic::{Heuristic, PartialBound, PartialProblem};
use super::stored::PositionKey;
use crate::error::LabError;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Event, IterationStats, Options, Outcome, Report};
use cosette::{CancelReason, Control};
use cosette_app::engine::{Engine, OnEvent};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Instant;

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

/// The result of a search.
#[derive(Debug)]
pub struct AstarResult {
    /// The outcome, with a shortest solution. An iteration is the work done while the least f of
    /// all open nodes had one value; nodes are those generated, each of which is looked up in the
    /// perimeter. If the search stopped, the lower bound is the greatest least f.
    pub report: Report,
    /// Number of states stored, open and closed.
    pub stored: u64,
}

/// An event of a running search.
#[derive(Debug)]
pub enum AstarEvent<'a> {
    /// An iteration began or ended, with the nodes of one least f.
    Iteration(Event<'a>),
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
    /// Length of the shortest known path to solved through the perimeter.
    pub meeting: Option<u8>,
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
    let start = Instant::now();
    let ties = settings
        .tie_bound
        .map(|most| Heuristic::backward(heuristic.problems, most));
    let mut run = LeeSearch {
        root: position,
        perimeter,
        heuristic,
        ties,
        settings,
        nodes: HashMap::new(),
        open: BTreeMap::new(),
        stored: 0,
        best: None,
        solution: perimeter.solution(position)?,
        thresholds: Vec::new(),
        began: start,
    };
    let outcome = match run.solution.as_ref().map(Vec::len) {
        Some(length) if length > usize::from(settings.longest) => Outcome::NoneWithinLimit,
        Some(length) => {
            run.begin(length as u8);
            Outcome::Optimal
        }
        None => {
            run.generate(position, None, 0);
            run.go(on_event, control)?
        }
    };
    let is_ruled_out = outcome == Outcome::NoneWithinLimit;
    run.end_threshold(is_ruled_out, on_event);
    let mut report = unsolved(position, perimeter);
    report.lower_bound = match is_ruled_out {
        true => settings.longest + 1,
        false => report.lower_bound.max(run.least_f()),
    };
    if outcome == Outcome::Optimal {
        let moves = run.solution.expect("it is solved");
        assert!(
            position.apply_moves(&moves).is_solved(),
            "{moves:?} does not solve {position:?}"
        );
        report.solutions.push(moves);
    }
    report.outcome = outcome;
    report.iterations = run.thresholds;
    report.elapsed = start.elapsed();
    Ok(AstarResult {
        report,
        stored: run.stored,
    })
}

/// Returns the report of a search that has not begun: a position that is absent from the perimeter
/// has at least one move more.
fn unsolved(position: &Cube, perimeter: &dyn Perimeter) -> Report {
    let lower_bound = match perimeter.distance(position) {
        Ok(None) => perimeter.depth() + 1,
        _ => 0,
    };
    let outcome = Outcome::Cancelled(CancelReason::Requested);
    Report::new(position, outcome, lower_bound)
}

/// A path from the root to a position in the perimeter, and from there to solved.
struct Meeting {
    length: u8,
    /// The position it was generated from, and the move.
    parent: Cube,
    last: Move,
}

struct LeeSearch<'a> {
    root: &'a Cube,
    perimeter: &'a dyn Perimeter,
    heuristic: &'a Heuristic<'a>,
    ties: Option<Heuristic<'a>>,
    settings: &'a AstarSettings,
    /// All nodes, open and closed, in 15 bytes each and the queue of the open ones.
    nodes: HashMap<PositionKey, StoredNode>,
    /// Positions by f and tie value; a position that was overtaken stays in its old queue.
    open: BTreeMap<(u8, u8), VecDeque<PositionKey>>,
    /// Number of nodes stored.
    stored: u64,
    best: Option<Meeting>,
    solution: Option<Vec<Move>>,
    thresholds: Vec<IterationStats>,
    /// The time at which the last threshold began.
    began: Instant,
}

/// Number of nodes expanded between two checks for cancellation.
const CHECK_INTERVAL: u64 = 256;

impl LeeSearch<'_> {
    fn go(
        &mut self,
        on_event: &mut dyn FnMut(AstarEvent<'_>),
        control: &Control<'_>,
    ) -> Result<Outcome, LabError> {
        let mut expanded = 0_u64;
        loop {
            let node = self.pop();
            // If no node is open, no remaining solution was shorter than the best meeting.
            let f = match (&node, self.meeting()) {
                (Some((_, node)), _) => node.depth + node.bound,
                (None, Some(length)) => length,
                (None, None) => return Ok(Outcome::NoneWithinLimit),
            };
            if self.thresholds.is_empty() || f > self.least_f() {
                self.end_threshold(true, on_event);
                self.begin(f);
                on_event(AstarEvent::Iteration(Event::IterationStarted { length: f }));
            }
            if self.least_f() > self.settings.longest {
                return Ok(Outcome::NoneWithinLimit);
            }
            if let Some((position, node)) = node.filter(|_| !self.is_proven()) {
                self.expand(&position, node)?;
                on_event(AstarEvent::Expanded(Expansion {
                    position,
                    depth: node.depth,
                    bound: node.bound,
                    meeting: self.meeting(),
                }));
            }
            expanded += 1;
            if self.is_proven() {
                self.solution = Some(self.path()?);
                return Ok(Outcome::Optimal);
            }
            if self.stored >= self.settings.states {
                return Ok(Outcome::OutOfMemory);
            }
            if expanded.is_multiple_of(CHECK_INTERVAL) && control.is_cancelled() {
                return Ok(Outcome::unfinished(control.cancel_token()));
            }
        }
    }

    /// Begins the nodes with this f.
    fn begin(&mut self, f: u8) {
        self.began = Instant::now();
        self.thresholds.push(IterationStats::new(f));
    }

    fn end_threshold(&mut self, exhausted: bool, on_event: &mut dyn FnMut(AstarEvent<'_>)) {
        if let Some(last) = self.thresholds.last_mut() {
            last.elapsed = self.began.elapsed();
            last.exhausted = exhausted;
            on_event(AstarEvent::Iteration(Event::IterationFinished(last)));
        }
    }

    /// Returns the greatest least f of all open nodes.
    fn least_f(&self) -> u8 {
        let last = self.thresholds.last();
        last.map_or(0, |threshold| threshold.length)
    }

    /// Returns the length of the best meeting.
    fn meeting(&self) -> Option<u8> {
        self.best.as_ref().map(|best| best.length)
    }

    /// Returns `true` if the best meeting is as short as the lower bound.
    fn is_proven(&self) -> bool {
        self.meeting()
            .is_some_and(|length| length <= self.least_f())
    }

    fn expand(&mut self, position: &Cube, node: StoredNode) -> Result<(), LabError> {
        let depth = node.depth + 1;
        let mut generated = 0;
        let before = node.last.map(Move::face);
        for m in Move::ALL.into_iter().filter(|m| Some(m.face()) != before) {
            generated += 1;
            let child = position.apply(m);
            let Some(distance) = self.perimeter.distance(&child)? else {
                self.generate(&child, Some(m), depth);
                continue;
            };
            let length = depth + distance;
            if self.meeting().is_none_or(|best| length < best) {
                self.best = Some(Meeting {
                    length,
                    parent: *position,
                    last: m,
                });
                if self.is_proven() {
                    break;
                }
            }
        }
        let threshold = self.thresholds.last_mut().expect("a threshold was begun");
        threshold.nodes += generated;
        threshold.probes += generated;
        Ok(())
    }

    /// Stores a position outside the perimeter, unless it is already stored with a path that is not
    /// longer, or leads to nothing better than the best meeting.
    fn generate(&mut self, position: &Cube, last: Option<Move>, depth: u8) {
        let key = PositionKey::of(position);
        let there = self.nodes.get(&key);
        if there.is_some_and(|there| there.depth <= depth) {
            return;
        }
        debug_assert!(
            there.is_none_or(|there| !there.is_closed),
            "a consistent bound reopens no node"
        );
        let beyond = self.perimeter.depth() + 1;
        let bound = match there {
            Some(there) => there.bound,
            None => self.heuristic.bound(position, beyond),
        };
        if self.meeting().is_some_and(|best| depth + bound >= best) {
            return;
        }
        let tie = self.ties.as_ref().map_or(0, |ties| ties.bound(position, 0));
        let node = StoredNode {
            last,
            depth,
            bound,
            is_closed: false,
        };
        self.nodes.insert(key, node);
        self.stored += 1;
        let queue = self.open.entry((depth + bound, tie)).or_default();
        match self.settings.order {
            TieOrder::Queue => queue.push_back(key),
            TieOrder::Stack => queue.push_front(key),
        }
    }

    /// Closes and returns the next open node with the least f. A node that was overtaken was closed
    /// before, as its f is less than in its old queue.
    fn pop(&mut self) -> Option<(Cube, StoredNode)> {
        while let Some(mut queue) = self.open.first_entry() {
            let Some(key) = queue.get_mut().pop_front() else {
                queue.remove();
                continue;
            };
            let node = self.nodes.get_mut(&key).expect("open nodes are stored");
            if !node.is_closed {
                node.is_closed = true;
                let position = key.position().expect("nodes are keys of positions");
                return Some((position, *node));
            }
        }
        None
    }

    /// Returns the path to the meeting position and from there to solved.
    fn path(&self) -> Result<Vec<Move>, LabError> {
        let best = self.best.as_ref().expect("there is a meeting");
        let mut moves = vec![best.last];
        let mut position = best.parent;
        while let Some(m) = self.nodes[&PositionKey::of(&position)].last {
            moves.push(m);
            position = position.apply(m.inverse());
        }
        moves.reverse();
        let rest = self.perimeter.solution(&self.root.apply_moves(&moves))?;
        moves.extend(rest.expect("the ways meet in the perimeter"));
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

/// Bidirectional A* over a perimeter, with a bound from partial problems.
///
/// The generated nodes are stored, so memory limits the search: positions more than about fifteen
/// moves away are bounded from below and not solved.
pub struct Lee {
    /// The positions near solved.
    pub perimeter: Box<dyn Perimeter>,
    /// The partial problems.
    pub problems: Vec<PartialProblem>,
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
    /// Solves a position within a length.
    fn search(
        &self,
        position: &Cube,
        max_length: Option<u8>,
        on_event: OnEvent<'_>,
        control: &Control<'_>,
    ) -> Result<AstarResult, LabError> {
        let is_near = self.perimeter.distance(position)?.is_some();
        let heuristic = match &self.on_bounds {
            None if is_near => Heuristic::backward(&self.problems, 0),
            _ => Heuristic::new(&self.problems, self.bound, position, control)?,
        };
        if let Some(on_bounds) = &self.on_bounds {
            on_bounds(&heuristic.bounds(position));
        }
        let longest = self.settings.longest;
        let settings = AstarSettings {
            longest: max_length.map_or(longest, |length| length.min(longest)),
            ..self.settings
        };
        let mut on_astar_event = |event: AstarEvent<'_>| {
            if let AstarEvent::Iteration(event) = event {
                on_event(event);
            }
        };
        search(
            position,
            &*self.perimeter,
            &heuristic,
            &settings,
            &mut on_astar_event,
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
        let mut report = match self.search(position, options.max_length, on_event, control) {
            Ok(found) => found.report,
            Err(fault) => {
                let mut report = unsolved(position, &*self.perimeter);
                if fault.is_cancellation() {
                    report.outcome = Outcome::unfinished(control.cancel_token());
                } else {
                    tracing::error!("{fault}");
                }
                report
            }
        };
        report.elapsed = start.elapsed();
        report
    }
}
