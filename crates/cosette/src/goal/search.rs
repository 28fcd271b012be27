//! IDA* over the places of a goal: its tables, its options, and one iteration after the other.

use super::alike::{Alike, rank};
use super::bounds::{Bounds, UNREACHABLE};
use super::coordinate::Coordinate;
use super::iteration::{Iteration, MOST_COORDINATES, Node};
use super::mask::Kind;
use super::names::{Goal, piece_name};
use super::place::Place;
use super::reach::Reach;
use super::turns::{Effect, START, Sequences, Turns};
use super::whole::Whole;
use super::words::{Reading, UNREAD, Words};
use crate::Table;
use crate::control::{Cancel, CancelReason, Control, ThreadCount};
use crate::cube::{Cube, LayerTurn, Move, Sequence};
use crate::platform::Instant;
use crate::search::{Event, Outcome, SolutionCount, Threshold};
use std::num::NonZeroUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// The tables of a goal for some turns, and the searches with them.
pub struct GoalSolver {
    goal: Goal,
    turns: Turns,
    pub(super) sequences: Sequences,
    pub(super) coordinates: Vec<Coordinate>,
    pub(super) bounds: Vec<Bounds>,
    /// Whether several positions are the goal, which are one together; other places are goals each by itself.
    pub(super) are_positions: bool,
    /// What leads to each place, unless everything does.
    reach: Vec<Option<Reach>>,
    /// What a table says of the whole cube, if that is the goal.
    pub(super) whole: Option<Whole>,
    pub(super) threads: ThreadCount,
}

/// The tables were not made: the request to stop came first, for this reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} before the tables of the goal were finished", came_first(.0))]
pub struct Unfinished(pub CancelReason);

fn came_first(reason: &CancelReason) -> &'static str {
    match reason {
        CancelReason::Requested => "the work was cancelled",
        CancelReason::TimedOut => "the time ran out",
    }
}

/// A search for the goal, whose options are set before it is [run](GoalSearch::run): by default for one cheapest solution.
pub struct GoalSearch<'a> {
    pub(super) solver: &'a GoalSolver,
    pub(super) position: Cube,
    count: SolutionCount,
    slack: u32,
    most: Option<u32>,
    words: Words,
    up_to_symmetry: bool,
    up_to_inverse: bool,
    pub(super) threads: ThreadCount,
    pub(super) cancel: Cancel,
    pub(super) on_event: &'a (dyn Fn(Event<'_>) + Sync),
    pub(super) on_found: &'a (dyn Fn(&Found) + Sync),
}

/// Turns that lead to the goal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Found {
    /// What they cost.
    pub cost: u32,
    /// Where the goal is met, as [`Goal::places`] names it.
    pub place: String,
    /// The turns, each named as the cube is held by then: in `x U`, the second turns the face that was in front.
    pub turns: Vec<LayerTurn>,
}

impl Found {
    /// The same as turns of faces, in the frame of the centres.
    pub fn moves(&self) -> Vec<Move> {
        Sequence::of_turns(&self.turns).moves_as_first_held()
    }
}

/// What a search for a goal has proven.
///
/// | claim | is made over | is covered by |
/// |---|---|---|
/// | [`least`](GoalReport::least), [`Outcome::Optimal`] | all sequences of the allowed turns that reach a variant of the goal with their last turn, whichever order commuting turns have, and that meet the conditions of the search | the iterations of all costs below, exhausted |
/// | all of [`found`](GoalReport::found), with [`SolutionCount::All`] | the same sequences up to the slack and the maximum cost; one stands for those of its cost in which turns about one axis do the same together, and for its images where one of them is asked for | the iterations up to that cost, exhausted |
/// | [`unreachable`](GoalReport::unreachable) | all sequences of the allowed turns, at any cost | orbits of patterns, and the group on the pieces with one wanted place; with conditions, an iteration after which no cost is left |
#[derive(Clone, Debug)]
pub struct GoalReport {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution costs less; `u32::MAX` if the goal is unreachable.
    pub least: u32,
    /// The solutions found, each checked by doing its turns: by cost, those of one cost by quarter turns, a half turn counting
    /// two, then by [`ease`](super::ease()).
    pub found: Vec<Found>,
    /// Why no turns lead to the goal, if that was recognised.
    pub unreachable: Option<String>,
    /// The iterations, by rising cost.
    pub thresholds: Vec<Threshold>,
    /// How long it took.
    pub elapsed: Duration,
}

impl GoalReport {
    /// How many nodes were expanded.
    pub fn nodes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.nodes).sum()
    }
}

impl GoalSolver {
    /// Makes the tables of a goal for these turns: for those that have names at most some 130 MB, in about two seconds with two
    /// threads. Fails if it is cancelled, or its time runs out. Tells no progress: how many costs there will be is not known.
    pub fn new(goal: &Goal, turns: &Turns, control: &Control<'_>) -> Result<GoalSolver, Unfinished> {
        let sequences = Sequences::new(turns);
        let effects = sequences.effects(goal.places.iter().map(|place| place.rotation));
        let coordinates = Coordinate::of_mask(&goal.mask, &Effect::moves(&effects));
        let unfinished = || Unfinished(control.cancel().reason().expect("only a request ends it"));
        let bounds = Bounds::over(&coordinates, &effects, control).ok_or_else(unfinished)?;
        let reach =
            |place: &Place| (!control.is_cancelled()).then(|| Reach::new(turns, &place.mask(&goal.mask), &Kind::BOTH));
        let reach = goal.places.iter().map(reach).collect::<Option<_>>().ok_or_else(unfinished)?;
        Ok(GoalSolver {
            goal: goal.clone(),
            turns: turns.clone(),
            sequences,
            coordinates,
            bounds,
            are_positions: goal.is_whole() && goal.places.len() > 1,
            reach,
            whole: None,
            threads: control.threads(),
        })
    }

    /// Also searches with a table of the main engine, where the goal is the whole cube: what its turns cost at least is what the
    /// table says, in turns of faces, times what they cost at least for each turn of a face. For other goals nothing changes.
    #[must_use]
    pub fn with_table(self, table: Arc<Table>) -> GoalSolver {
        let whole = self.goal.is_whole().then(|| Whole::new(table, &self.sequences.turns));
        GoalSolver { whole, ..self }
    }

    /// The turns it makes.
    pub fn turns(&self) -> &Turns {
        &self.turns
    }

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// A search from a position.
    pub fn search(&self, position: &Cube) -> GoalSearch<'_> {
        let (count, on_event, on_found) = (SolutionCount::ONE, &|_: Event<'_>| {}, &|_: &Found| {});
        let position = *position;
        let (words, cancel) = (Words::default(), Cancel::new());
        GoalSearch {
            solver: self,
            position,
            count,
            slack: 0,
            most: None,
            words,
            up_to_symmetry: false,
            up_to_inverse: false,
            threads: self.threads,
            cancel,
            on_event,
            on_found,
        }
    }

    /// What turns that lead from a position to the goal cost at least, as the tables tell: exactly that where one of them holds all
    /// that the goal asks of the pieces. `None` if no turns lead there.
    pub fn lower_bound(&self, position: &Cube) -> Option<u32> {
        self.least_from(&self.starts(position), position)
    }

    fn least_from(&self, starts: &[Node], position: &Cube) -> Option<u32> {
        let seen = |node: &Node| self.goal.places[usize::from(node.place)].seen(position);
        starts.iter().filter_map(|node| self.least_of(node, &seen(node))).min()
    }

    /// The places to which turns may lead.
    fn starts(&self, position: &Cube) -> Vec<Node> {
        let start = |(number, place): (usize, &Place)| {
            let leads = |reach: &Reach| reach.leads_from(&place.target.inverse().compose(position));
            if !self.reach[number].as_ref().is_none_or(leads) {
                return None;
            }
            let (patterns, held) = (self.patterns(&place.seen(position))?, place.rotation.index() as u8);
            Some(Node { patterns, place: number as u16, held, state: START, spent: 0, read: UNREAD })
        };
        self.goal.places.iter().enumerate().filter_map(start).collect()
    }

    /// The patterns of a position; `None` if the turns do not lead from one of them to a wanted one.
    fn patterns(&self, seen: &Cube) -> Option<[u32; MOST_COORDINATES]> {
        let mut patterns = [0; MOST_COORDINATES];
        for (number, coordinate) in patterns.iter_mut().zip(&self.coordinates) {
            *number = coordinate.number(seen)?;
        }
        Some(patterns)
    }

    /// Whether the goal does not tell the positions apart.
    pub(super) fn sees_the_same(&self, one: &Cube, other: &Cube) -> bool {
        self.goal.places.iter().all(|place| self.patterns(&place.seen(one)) == self.patterns(&place.seen(other)))
    }

    /// What leads from a node to the goal costs at least so much; `None` if nothing does.
    pub(super) fn least_of(&self, node: &Node, seen: &Cube) -> Option<u32> {
        let least = Some(self.least(&node.patterns)).filter(|&least| least != UNREACHABLE)?;
        Some(self.whole.as_ref().map_or(0, |whole| whole.least(seen)).max(least.into()))
    }

    #[inline(always)]
    pub(super) fn least(&self, patterns: &[u32; MOST_COORDINATES]) -> u8 {
        self.bounds.iter().map(|bounds| bounds.least(patterns)).max().unwrap_or(0)
    }

    /// Why no turns lead from `position` to the goal.
    fn reason(&self, position: &Cube) -> String {
        let turns = self.turns.to_string();
        for place in &self.goal.places {
            let (seen, effects) = (place.seen(position), self.sequences.effects([place.rotation].into_iter()));
            let pieces = Kind::BOTH.into_iter().flat_map(|kind| (0..kind.count()).map(move |piece| (kind, piece)));
            for (kind, piece) in pieces.filter(|&(kind, piece)| !self.goal.mask.ignores(kind, piece)) {
                let coordinate = [Coordinate::of_piece(&self.goal.mask, kind, piece, &Effect::moves(&effects))];
                let bounds = Bounds::over(&coordinate, &effects, &Control::default());
                let is_lost = |bounds: &Bounds, number| bounds.least(&[number]) == UNREACHABLE;
                let are_lost = |number| bounds.iter().flatten().any(|bounds| is_lost(bounds, number));
                if coordinate[0].number(&seen).is_none_or(are_lost) {
                    let maps = place.rotation.inverse().maps();
                    let own =
                        [maps.corners.get(piece), maps.edges.get(piece)][kind as usize].copied().unwrap_or_default();
                    let (own, _) = kind.slot(usize::from(own)).cubie(&place.target);
                    let name = piece_name(kind, own.number());
                    return format!("no sequence of {turns} brings {name} where the goal wants it");
                }
            }
        }
        let lost = |(kind, _): &(Kind, &str)| {
            self.goal.places.iter().all(|place| {
                let reach = Reach::new(&self.turns, &place.mask(&self.goal.mask), &[*kind]);
                reach.is_some_and(|reach| !reach.leads_from(&place.target.inverse().compose(position)))
            })
        };
        let kinds = [(Kind::Corners, "all corners"), (Kind::Edges, "all edges")];
        let all = kinds.into_iter().find(lost).map_or("all pieces", |(_, all)| all);
        format!("no sequence of {turns} brings {all} where the goal wants them")
    }
}

impl<'a> GoalSearch<'a> {
    /// Finds all the cheapest, or with [slack](Self::slack) all that cost so little.
    #[must_use]
    pub fn all(self) -> GoalSearch<'a> {
        GoalSearch { count: SolutionCount::All, ..self }
    }

    /// Finds so many of the cheapest, or of those within the [slack](Self::slack), by rising cost; one that reaches several places is found for each, the
    /// last one maybe only for some. Panics if it is zero.
    #[must_use]
    pub fn count(self, count: usize) -> GoalSearch<'a> {
        let count = NonZeroUsize::new(count).expect("a search is for at least one solution");
        GoalSearch { count: SolutionCount::AtMost(count), ..self }
    }

    /// Finds as many as this says.
    #[must_use]
    pub fn solution_count(self, count: SolutionCount) -> GoalSearch<'a> {
        GoalSearch { count, ..self }
    }

    /// Also finds those that cost up to so much more than the cheapest.
    #[must_use]
    pub fn slack(self, slack: u32) -> GoalSearch<'a> {
        GoalSearch { slack, ..self }
    }

    /// Finds none that costs more.
    #[must_use]
    pub fn max_cost(self, most: u32) -> GoalSearch<'a> {
        GoalSearch { most: Some(most), ..self }
    }

    /// Finds only those that begin with these turns.
    ///
    /// With this, [`ends`](Self::ends) or [`avoid`](Self::avoid), all else is about the solutions that are as asked: the cheapest of
    /// them, what costs up to [`slack`](Self::slack) more, and [`GoalReport::least`]. They are chosen among those that the search has
    /// with a greater slack and without conditions. A solution stands for all sequences that cost as much and in which the turns about one axis that follow each other do the same
    /// together: `U D R` for `D U R` as well. It counts if one of these begins, ends, and avoids as is asked, and is found as that one.
    #[must_use]
    pub fn starts(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words.starts = turns.to_vec();
        self
    }

    /// Finds only those that end with these turns; see [`starts`](Self::starts).
    #[must_use]
    pub fn ends(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words.ends = turns.to_vec();
        self
    }

    /// Finds only those in which these turns do not follow each other; see [`starts`](Self::starts). Several may be given, one
    /// after the other.
    #[must_use]
    pub fn avoid(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.words.avoid.extend((!turns.is_empty()).then(|| turns.to_vec()));
        self
    }

    /// Finds one of those that are images of one another under a symmetry that keeps the turns with their costs, the goal, and what
    /// the goal sees of the position: the easiest.
    #[must_use]
    pub fn up_to_symmetry(self) -> GoalSearch<'a> {
        GoalSearch { up_to_symmetry: true, ..self }
    }

    /// Where the goal is a single position, finds one of two that are inverses of one another; with
    /// [`up_to_symmetry`](Self::up_to_symmetry), also of those that are images of inverses.
    #[must_use]
    pub fn up_to_inverse(self) -> GoalSearch<'a> {
        GoalSearch { up_to_inverse: true, ..self }
    }

    /// Searches with so many threads, where not with as many as made the tables.
    #[must_use]
    pub fn threads(self, threads: ThreadCount) -> GoalSearch<'a> {
        GoalSearch { threads, ..self }
    }

    /// Stops within milliseconds of this request, with what is found by then.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> GoalSearch<'a> {
        GoalSearch { cancel: cancel.clone(), ..self }
    }

    /// Calls `on_event` with the thresholds, from any thread.
    #[must_use]
    pub fn on_event(self, on_event: &'a (dyn Fn(Event<'_>) + Sync)) -> GoalSearch<'a> {
        GoalSearch { on_event, ..self }
    }

    /// Calls `on_found` with each solution as it is found, from any thread.
    #[must_use]
    pub fn on_found(self, on_found: &'a (dyn Fn(&Found) + Sync)) -> GoalSearch<'a> {
        GoalSearch { on_found, ..self }
    }

    /// Runs the search. With one thread the result is always the same; with several, the costs are, and so is the set of all
    /// solutions.
    pub fn run(self) -> GoalReport {
        let start = Instant::now();
        let (solver, on_event) = (self.solver, self.on_event);
        let starts = solver.starts(&self.position);
        let least = solver.least_from(&starts, &self.position);
        let (mut limit, is_reachable) = (least.unwrap_or(u32::MAX), least.is_some());
        let reading = (!self.words.is_empty()).then(|| Reading::new(&self.words, &solver.sequences));
        let alike = (self.up_to_symmetry || self.up_to_inverse)
            .then(|| Alike::new(solver, reading.as_ref(), &self.position, self.up_to_symmetry, self.up_to_inverse));
        let mut report = GoalReport {
            outcome: Outcome::NoneWithinLimit,
            least: limit,
            found: Vec::new(),
            unreachable: None,
            thresholds: Vec::new(),
            elapsed: Duration::ZERO,
        };
        let (mut nodes, mut left) = (0, self.count.most());
        loop {
            let last = report.found.first().map_or(u32::MAX, |first| first.cost.saturating_add(self.slack));
            if limit == u32::MAX && report.found.is_empty() {
                report.unreachable = Some(match is_reachable && reading.is_some() {
                    true => self.words.reason(&solver.sequences.turns),
                    false => solver.reason(&self.position),
                });
                break;
            }
            if limit > last.min(self.most.unwrap_or(u32::MAX)).min(u32::from(UNREACHABLE) - 1) {
                break;
            }
            if report.found.is_empty() {
                report.least = limit;
            }
            let length = u8::try_from(limit).unwrap_or(u8::MAX);
            on_event(Event::ThresholdStarted { length });
            let began = Instant::now();
            let iteration = Iteration::new(&self, reading.as_ref(), alike.as_ref(), limit, left);
            iteration.run(&starts, nodes);
            let exhausted = !iteration.is_ended.load(Relaxed);
            nodes = iteration.nodes.load(Relaxed);
            let threshold = Threshold {
                length,
                nodes,
                probes: iteration.probes.load(Relaxed),
                elapsed: began.elapsed(),
                exhausted,
            };
            report.thresholds.push(threshold);
            on_event(Event::ThresholdDone(&threshold));
            limit = iteration.next.load(Relaxed);
            let (mut found, sequences) = iteration.found.into_inner().unwrap_or_else(PoisonError::into_inner);
            found.sort_by_cached_key(|found| rank(&found.turns));
            report.found.append(&mut found);
            left -= sequences.len();
            if left == 0 {
                break;
            }
            if !exhausted {
                report.outcome = Outcome::unfinished(&self.cancel);
                break;
            }
            if report.found.is_empty() {
                report.least = limit;
            }
        }
        if !report.found.is_empty() && report.outcome == Outcome::NoneWithinLimit {
            report.outcome = Outcome::Optimal;
        }
        report.elapsed = start.elapsed();
        report
    }
}
