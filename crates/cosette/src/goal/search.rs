//! A goal that is ready to be searched for, the options of a search, and its report.

use super::alike::Alike;
use super::bounds::{Bounds, UNREACHABLE};
use super::coordinate::{Coordinate, Labels};
use super::databases::{DatabaseBound, Databases};
use super::iteration::{Heuristic, Node};
use super::mask::Kind;
use super::names::{Goal, piece_name};
use super::place::Place;
use super::reach::Reach;
use super::turns::{Effect, Sequences, Turns};
use super::whole::Whole;
use super::words::{Reading, Words};
use crate::Table;
use crate::control::{Cancel, CancelReason, Control, ThreadCount, lock_unless_cancelled};
use crate::cube::{Cube, LayerTurn, Move, Sequence};
use crate::platform::Instant;
use crate::search::{Event, Outcome, SolutionCount, Threshold};
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

/// A goal and the turns that may be made, with the pattern databases for searches, once they are built.
pub struct GoalSolver {
    goal: Goal,
    turns: Turns,
    pub(super) sequences: Sequences,
    pub(super) effects: Vec<Effect>,
    /// What the goal tells apart of the corners and of the edges.
    pub(super) labels: [Labels; 2],
    /// Whether several positions are the goal, which are one together; other places are goals each by itself.
    pub(super) are_positions: bool,
    /// What leads to each place, unless everything does.
    reach: OnceLock<Vec<Option<Reach>>>,
    pub(super) databases: OnceLock<Databases>,
    /// Locked by the thread that builds the databases.
    building: Mutex<()>,
    /// The work of all searches without databases so far.
    pub(super) work_without_databases: AtomicU64,
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
#[derive(Clone)]
pub struct GoalSearch<'a> {
    pub(super) solver: &'a GoalSolver,
    pub(super) position: Cube,
    pub(super) count: SolutionCount,
    pub(super) slack: u32,
    pub(super) most: Option<u32>,
    pub(super) words: Words,
    pub(super) up_to_symmetry: bool,
    pub(super) up_to_inverse: bool,
    pub(super) control: Control<'a>,
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
    /// Builds the pattern databases of a goal for these turns: for goals that have names at most some 130 MB, in about two seconds
    /// with two threads. Reports its progress.
    ///
    /// # Errors
    ///
    /// [`Unfinished`] if `control` is cancelled, or its time runs out.
    pub fn new(goal: &Goal, turns: &Turns, control: &Control<'_>) -> Result<GoalSolver, Unfinished> {
        let solver = GoalSolver::on_demand(goal, turns, control.threads());
        solver.prepare(control)?;
        Ok(solver)
    }

    /// A solver whose pattern databases are built by the first search that needs them. A search for a solution of a few turns does
    /// not, and takes some milliseconds; the report of any search is the same as with them, but for its nodes and iterations.
    pub fn on_demand(goal: &Goal, turns: &Turns, threads: ThreadCount) -> GoalSolver {
        let sequences = Sequences::new(turns);
        GoalSolver {
            effects: sequences.effects(goal.places.iter().map(|place| place.rotation)),
            sequences,
            labels: Kind::BOTH.map(|kind| Labels::of_mask(&goal.mask, kind)),
            are_positions: goal.is_whole() && goal.places.len() > 1,
            reach: OnceLock::new(),
            databases: OnceLock::new(),
            building: Mutex::new(()),
            work_without_databases: AtomicU64::new(0),
            whole: None,
            threads,
            goal: goal.clone(),
            turns: turns.clone(),
        }
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
        GoalSearch {
            solver: self,
            position: *position,
            count: SolutionCount::ONE,
            slack: 0,
            most: None,
            words: Words::default(),
            up_to_symmetry: false,
            up_to_inverse: false,
            control: Control::new(self.threads),
            on_event: &|_| {},
            on_found: &|_| {},
        }
    }

    /// What turns that lead from a position to the goal cost at least, as the databases tell, which are built if they are not there:
    /// exactly that where one of them holds all that the goal asks of the pieces. `None` if no turns lead there.
    pub fn lower_bound(&self, position: &Cube) -> Option<u32> {
        let databases = self.databases(&Control::new(self.threads)).expect("nothing cancels it");
        let roots = self.roots(&self.reachable_places(position), databases, position);
        self.bound_of_roots(&self.bound_by(databases), &roots, position)
    }

    pub(super) fn bound_by<'a>(&'a self, databases: &'a Databases) -> DatabaseBound<'a> {
        DatabaseBound { databases, whole: self.whole.as_ref() }
    }

    /// The least bound of the first nodes of a search; `None` if no turns lead from them to the goal.
    pub(super) fn bound_of_roots(&self, heuristic: &impl Heuristic, roots: &[Node], position: &Cube) -> Option<u32> {
        let seen = |node: &Node| self.goal.places[usize::from(node.place)].seen(position);
        roots.iter().filter_map(|node| heuristic.bound_of_root(node, &seen(node))).min()
    }

    /// Builds the pattern databases, if they are not there.
    ///
    /// # Errors
    ///
    /// [`Unfinished`] if `control` is cancelled, or its time runs out.
    pub fn prepare(&self, control: &Control<'_>) -> Result<(), Unfinished> {
        self.databases(control).map(drop)
    }

    /// The databases, built if they are not there.
    pub(super) fn databases(&self, control: &Control<'_>) -> Result<&Databases, Unfinished> {
        if let Some(databases) = self.databases.get() {
            return Ok(databases);
        }
        let unfinished = || Unfinished(control.cancel().reason().expect("only a request ends it"));
        // Another thread may be building them.
        let _building = lock_unless_cancelled(&self.building, control, || {}).ok_or_else(unfinished)?;
        if self.databases.get().is_none() {
            let databases = Databases::build(&self.goal.mask, &self.effects, control).ok_or_else(unfinished)?;
            self.databases.get_or_init(|| databases);
        }
        Ok(self.databases.get().expect("they are built"))
    }

    /// The places to which the group of the turns leads, by their numbers. Turns may still lead to none of them.
    pub(super) fn reachable_places(&self, position: &Cube) -> Vec<usize> {
        let reach = |place: &Place| Reach::new(&self.turns, &place.mask(&self.goal.mask), &Kind::BOTH);
        let reach = self.reach.get_or_init(|| self.goal.places.iter().map(reach).collect());
        let leads = |&number: &usize| {
            let relative = self.goal.places[number].target.inverse().compose(position);
            reach[number].as_ref().is_none_or(|reach| reach.leads_from(&relative))
        };
        (0..self.goal.places.len()).filter(leads).collect()
    }

    /// The first nodes of a search to these places, but for those to which turns do not lead.
    pub(super) fn roots(&self, places: &[usize], databases: &Databases, position: &Cube) -> Vec<Node> {
        let root = |&number: &usize| {
            let place = &self.goal.places[number];
            let patterns = databases.patterns(&place.seen(position))?;
            Some(Node::root(number, place, patterns))
        };
        places.iter().filter_map(root).collect()
    }

    /// Whether the goal does not tell the positions apart.
    pub(super) fn sees_the_same(&self, one: &Cube, other: &Cube) -> bool {
        let is_same =
            |labels: &Labels, place: &Place| labels.pattern(&place.seen(one)) == labels.pattern(&place.seen(other));
        self.goal.places.iter().all(|place| self.labels.iter().all(|labels| is_same(labels, place)))
    }

    /// Why no turns lead from `position` to the goal.
    pub(super) fn reason(&self, position: &Cube) -> String {
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

    /// Searches with so many threads, where not with as many as the solver has.
    #[must_use]
    pub fn threads(self, threads: ThreadCount) -> GoalSearch<'a> {
        GoalSearch { control: self.control.with_threads(threads), ..self }
    }

    /// Stops within milliseconds of this request, with what is found by then.
    #[must_use]
    pub fn cancel(self, cancel: &Cancel) -> GoalSearch<'a> {
        GoalSearch { control: self.control.with_cancel(cancel), ..self }
    }

    /// Takes the number of threads and the request to stop from a [`Control`], which also receives the progress of building the
    /// pattern databases, if they are not there and needed.
    #[must_use]
    pub fn control(self, control: &Control<'a>) -> GoalSearch<'a> {
        GoalSearch { control: control.clone(), ..self }
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
        let report = self.under_conditions(|conditions| {
            self.without_databases(conditions).unwrap_or_else(|| self.with_databases(conditions))
        });
        GoalReport { elapsed: start.elapsed(), ..report }
    }

    /// Searches under the conditions that the options name.
    pub(super) fn under_conditions<T>(&self, search: impl FnOnce(Conditions<'_>) -> T) -> T {
        let reading = (!self.words.is_empty()).then(|| Reading::new(&self.words, &self.solver.sequences));
        let alike = (self.up_to_symmetry || self.up_to_inverse).then(|| {
            Alike::new(self.solver, reading.as_ref(), &self.position, self.up_to_symmetry, self.up_to_inverse)
        });
        search(Conditions { reading: reading.as_ref(), alike: alike.as_ref() })
    }

    /// Why there is no solution.
    pub(super) fn reason(&self, is_reachable: bool, conditions: Conditions<'_>) -> String {
        match is_reachable && conditions.reading.is_some() {
            true => self.words.reason(&self.solver.sequences.turns),
            false => self.solver.reason(&self.position),
        }
    }
}

/// Conditions on solutions beside that they reach the goal.
#[derive(Clone, Copy)]
pub(super) struct Conditions<'a> {
    /// What they begin and end with, and avoid.
    pub reading: Option<&'a Reading<'a>>,
    /// Of which ones only one is found.
    pub alike: Option<&'a Alike<'a>>,
}
