//! Searches for a goal: options, report, and iterative deepening by cost, with pattern databases
//! or, for solutions of a few turns, with a perimeter instead.

use super::constraints::{ConstraintAutomaton, SequenceConstraints};
use super::coordinate::MAX_COORDINATES;
use super::heuristic::{GoalNode, GoalPerimeter};
use super::iteration::{
    Conditions, GoalIteration, GoalSolution, SearchContext, SolutionDedup, rank,
};
use super::pattern_database::{Databases, UNREACHABLE};
use super::solver::{BuildCancelled, GoalSolver, cancel_reason};
use crate::control::{Cancel, Control, ThreadCount};
use crate::cube::{Cube, LayerTurn};
use crate::platform::Instant;
use crate::search::{Event, IterationStats, Outcome, SolutionCount};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Number of steps of building the databases for each pattern that a search without them may look
/// at. A pattern takes as long as some fifty steps, so a search that gives up has taken 2 % as long
/// as the databases will.
const STEPS_PER_PATTERN: u64 = 2_500;
/// Number of searches that give up in the time in which the databases would have been built.
const SEARCHES_WITHOUT_DATABASES: u64 = 50;

/// A configurable search from one position to a goal; created by [`GoalSolver::search`].
///
/// By default the search finds one cheapest solution. Set options, then call
/// [`run`](GoalSearch::run).
///
/// # Constraints
///
/// [`starts_with`](Self::starts_with), [`ends_with`](Self::ends_with) and [`avoid`](Self::avoid)
/// restrict the solutions. Costs, slack and [`GoalReport::lower_bound`] then refer to the solutions
/// that satisfy the constraints, which may be more expensive than the unconstrained optimum. Every
/// one of them is also a solution of the search without constraints, with enough slack.
///
/// A solution represents all sequences of equal cost that differ from it only in how consecutive
/// turns about one axis are ordered or combined: `U D R` also represents `D U R`. It satisfies the
/// constraints if at least one of these sequences does, and that sequence is reported.
#[derive(Clone)]
pub struct GoalSearch<'a> {
    context: SearchContext<'a>,
    count: SolutionCount,
    slack: u32,
    max_cost: Option<u32>,
    constraints: SequenceConstraints,
    dedup_symmetric: bool,
    dedup_inverse: bool,
}

/// The result of a [`GoalSearch`]. It guarantees:
///
/// | field | guarantee | proven by |
/// |---|---|---|
/// | [`lower_bound`](GoalReport::lower_bound), [`Outcome::Optimal`] | no cheaper sequence of allowed turns satisfies the constraints and reaches a variant of the goal; a sequence counts only if no order of its commuting turns reaches the variant before the last turn | exhausted iterations of all lower costs |
/// | [`solutions`](GoalReport::solutions), with [`SolutionCount::All`] | they represent all such sequences up to the slack and the maximum cost | exhausted iterations up to that cost |
/// | [`unreachable`](GoalReport::unreachable) | no sequence of allowed turns reaches the goal, at any cost | the orbits of the pieces under the turns, and the group that the turns generate on pieces with a single allowed slot and orientation; with constraints, also an iteration that leaves no higher cost to search |
///
/// A solution represents all sequences of its cost in which consecutive turns about one axis have
/// the same total effect. With [`dedup_symmetric`](GoalSearch::dedup_symmetric) or
/// [`dedup_inverse`](GoalSearch::dedup_inverse) it also represents the solutions equivalent to it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GoalReport {
    /// The reason why the search ended. If `unreachable` is set, this is
    /// [`Outcome::NoneWithinLimit`], also in a search without a limit.
    pub outcome: Outcome,
    /// Proven lower bound on the cost of any solution; `u32::MAX` if the goal is unreachable.
    pub lower_bound: u32,
    /// Verified solutions, sorted by cost, then by number of quarter turns (a half turn counts as
    /// two), then by [`execution_cost`](crate::cube::execution_cost()).
    pub solutions: Vec<GoalSolution>,
    /// The reason why the goal is unreachable with the allowed turns, if that was detected.
    pub unreachable: Option<String>,
    /// Statistics of each iteration, in order of increasing cost.
    pub iterations: Vec<IterationStats>,
    /// Wall-clock time of the search.
    pub elapsed: Duration,
}

impl GoalReport {
    /// Returns the number of expanded nodes.
    pub fn nodes(&self) -> u64 {
        let nodes = self.iterations.iter().map(|iteration| iteration.nodes);
        nodes.sum()
    }

    /// Creates the report of another engine, without solutions. Its fields can then be set.
    pub fn new(outcome: Outcome, lower_bound: u32) -> GoalReport {
        GoalReport {
            outcome,
            lower_bound,
            solutions: Vec::new(),
            unreachable: None,
            iterations: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }
}

impl GoalSolver {
    /// Creates a search from a position.
    pub fn search(&self, position: &Cube) -> GoalSearch<'_> {
        GoalSearch {
            context: SearchContext {
                solver: self,
                position: *position,
                control: Control::new(self.threads),
                on_event: Arc::new(|_| {}),
                on_solution: Arc::new(|_| {}),
            },
            count: SolutionCount::ONE,
            slack: 0,
            max_cost: None,
            constraints: SequenceConstraints::default(),
            dedup_symmetric: false,
            dedup_inverse: false,
        }
    }
}

impl<'a> GoalSearch<'a> {
    /// Finds all cheapest solutions, or all solutions within the [slack](Self::slack).
    #[must_use]
    pub fn all(self) -> GoalSearch<'a> {
        self.solution_count(SolutionCount::All)
    }

    /// Finds up to `count` solutions, but at least one, in order of increasing cost.
    ///
    /// A solution that reaches several variants of the goal is reported once for each; the last one
    /// may be reported for only some of its variants.
    #[must_use]
    pub fn count(self, count: usize) -> GoalSearch<'a> {
        let count = NonZeroUsize::new(count).unwrap_or(NonZeroUsize::MIN);
        self.solution_count(SolutionCount::AtMost(count))
    }

    /// Sets how many solutions to find.
    #[must_use]
    pub fn solution_count(mut self, count: SolutionCount) -> GoalSearch<'a> {
        self.count = count;
        self
    }

    /// Also finds solutions whose cost exceeds the minimum by at most `slack`. Default: 0.
    #[must_use]
    pub fn slack(mut self, slack: u32) -> GoalSearch<'a> {
        self.slack = slack;
        self
    }

    /// Ignores solutions that cost more than `max_cost`. Default: no limit.
    #[must_use]
    pub fn max_cost(mut self, max_cost: u32) -> GoalSearch<'a> {
        self.max_cost = Some(max_cost);
        self
    }

    /// Requires solutions to begin with `turns`. See [Constraints](#constraints).
    #[must_use]
    pub fn starts_with(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.constraints.prefix = turns.to_vec();
        self
    }

    /// Requires solutions to end with `turns`. See [Constraints](#constraints).
    #[must_use]
    pub fn ends_with(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        self.constraints.suffix = turns.to_vec();
        self
    }

    /// Excludes solutions that contain `turns` as consecutive turns. Call repeatedly to exclude
    /// several sequences. See [Constraints](#constraints).
    #[must_use]
    pub fn avoid(mut self, turns: &[LayerTurn]) -> GoalSearch<'a> {
        if !turns.is_empty() {
            self.constraints.forbidden.push(turns.to_vec());
        }
        self
    }

    /// Reports one solution, the easiest to execute, of each class that is equivalent under
    /// symmetry.
    ///
    /// A symmetry counts if it preserves the allowed turns with their costs, the goal, and the
    /// constrained pieces of the position.
    #[must_use]
    pub fn dedup_symmetric(mut self) -> GoalSearch<'a> {
        self.dedup_symmetric = true;
        self
    }

    /// Reports one solution of each inverse pair, if the goal is a single position.
    ///
    /// Combined with [`dedup_symmetric`](Self::dedup_symmetric), the inverse of a solution may also
    /// be transformed by a symmetry.
    #[must_use]
    pub fn dedup_inverse(mut self) -> GoalSearch<'a> {
        self.dedup_inverse = true;
        self
    }

    /// Sets the number of threads. Default: that of the solver.
    #[must_use]
    pub fn threads(mut self, threads: ThreadCount) -> GoalSearch<'a> {
        self.context.control = self.context.control.with_threads(threads);
        self
    }

    /// Stops the search within milliseconds after `cancel` is triggered, also while it builds the
    /// pattern databases. The report has the solutions that were found before.
    #[must_use]
    pub fn with_cancel(mut self, cancel: &Cancel) -> GoalSearch<'a> {
        self.context.control = self.context.control.with_cancel(cancel);
        self
    }

    /// Takes the number of threads and the cancellation token from a [`Control`], which also
    /// receives the progress of building the pattern databases, if the search has to build them.
    #[must_use]
    pub fn control(mut self, control: &Control<'a>) -> GoalSearch<'a> {
        self.context.control = control.clone();
        self
    }

    /// Calls `on_event` for each iteration, from any thread.
    #[must_use]
    pub fn on_event(mut self, on_event: impl Fn(Event<'_>) + Send + Sync + 'a) -> GoalSearch<'a> {
        self.context.on_event = Arc::new(on_event);
        self
    }

    /// Calls `on_solution` for each solution as soon as it is found, from any thread.
    #[must_use]
    pub fn on_solution(
        mut self,
        on_solution: impl Fn(&GoalSolution) + Send + Sync + 'a,
    ) -> GoalSearch<'a> {
        self.context.on_solution = Arc::new(on_solution);
        self
    }

    /// Runs the search.
    ///
    /// With one thread the result is deterministic. With several, the costs and the set of all
    /// solutions are; the order in which solutions are found, and hence the choice among equally
    /// cheap ones, is not.
    pub fn run(self) -> GoalReport {
        let start = Instant::now();
        let report = self.under_conditions(|conditions| {
            self.without_databases(conditions)
                .unwrap_or_else(|| self.with_databases(conditions))
        });
        GoalReport {
            elapsed: start.elapsed(),
            ..report
        }
    }

    /// Runs `search` under the conditions that the options define.
    fn under_conditions<T>(&self, search: impl FnOnce(Conditions<'_>) -> T) -> T {
        let solver = self.context.solver;
        let constraints = (!self.constraints.is_empty())
            .then(|| ConstraintAutomaton::new(&self.constraints, &solver.sequences));
        let dedup = (self.dedup_symmetric || self.dedup_inverse).then(|| {
            SolutionDedup::new(
                solver,
                constraints.as_ref(),
                &self.context.position,
                self.dedup_symmetric,
                self.dedup_inverse,
            )
        });
        search(Conditions {
            constraints: constraints.as_ref(),
            dedup: dedup.as_ref(),
        })
    }

    /// Searches with the pattern databases.
    fn with_databases(&self, conditions: Conditions<'_>) -> GoalReport {
        let SearchContext {
            solver,
            position,
            control,
            ..
        } = &self.context;
        let variants = solver.reachable_variants(position);
        if variants.is_empty() {
            return GoalReport {
                unreachable: Some(solver.unreachable_reason(position)),
                ..GoalReport::new(Outcome::NoneWithinLimit, u32::MAX)
            };
        }
        let databases = match solver.databases(control) {
            Ok(databases) => databases,
            Err(BuildCancelled(reason)) => {
                return GoalReport {
                    outcome: Outcome::Cancelled(reason),
                    ..GoalReport::new(Outcome::NoneWithinLimit, self.trivial_bound())
                };
            }
        };
        let roots = solver.roots(&variants, databases, position);
        let heuristic = solver.database_bound(databases);
        let bound = solver.root_bound(&heuristic, &roots, position);
        let report = self.deepen(bound.unwrap_or(u32::MAX), conditions, |iteration, last| {
            iteration.run(&heuristic, &roots, last.map_or(0, |last| last.nodes));
            Some(())
        });
        let mut report = report.expect("nothing limits its nodes");
        if report.solutions.is_empty() && report.lower_bound == u32::MAX {
            report.unreachable = Some(if bound.is_some() && conditions.constraints.is_some() {
                self.constraints.reason(&solver.sequences.turns)
            } else {
                solver.unreachable_reason(position)
            });
        }
        report
    }

    /// Returns a lower bound without databases: 0 if the position satisfies the goal, otherwise the
    /// cost of the cheapest turn.
    fn trivial_bound(&self) -> u32 {
        let solver = self.context.solver;
        if solver.goal().is_met(&self.context.position) {
            return 0;
        }
        let costs = solver.turns().allowed().iter().map(|turn| turn.1);
        costs.min().unwrap_or_default().into()
    }

    /// Searches with a perimeter of the goal in place of the databases, unless these exist. `None`
    /// if no solution is found within a small part of the work of building them.
    fn without_databases(&self, conditions: Conditions<'_>) -> Option<GoalReport> {
        let solver = self.context.solver;
        if solver.databases.get().is_some() {
            return None;
        }
        let max_work = Databases::work(&solver.goal().mask, &solver.effects) / STEPS_PER_PATTERN;
        if solver.work_without_databases.load(Relaxed) > max_work * SEARCHES_WITHOUT_DATABASES {
            return None;
        }
        // Events are withheld until a solution is known to exist.
        let silent = self.clone().on_event(|_| {}).on_solution(|_| {});
        let report = silent.with_perimeter(conditions, max_work)?;
        for iteration in &report.iterations {
            let length = iteration.length;
            (self.context.on_event)(Event::IterationStarted { length });
            report
                .solutions
                .iter()
                .filter(|solution| solution.cost == u32::from(length))
                .for_each(&*self.context.on_solution);
            (self.context.on_event)(Event::IterationFinished(iteration));
        }
        Some(report)
    }

    /// Searches with a perimeter of the goal. `None` if no solution is found, or if the search
    /// would look at more than `max_work` patterns, or if it is cancelled.
    fn with_perimeter(self, conditions: Conditions<'_>, max_work: u64) -> Option<GoalReport> {
        let solver = self.context.solver;
        let mut perimeter = GoalPerimeter::new(&solver.labels, &solver.effects)?;
        let variants = solver.goal().variants.iter().enumerate();
        let roots: Vec<GoalNode> = variants
            .map(|(number, variant)| GoalNode::root(number, variant, [0; MAX_COORDINATES]))
            .collect();
        let turns = solver.sequences.turns.len() as u64;
        let bound = solver.root_bound(&perimeter, &roots, &self.context.position);
        let control = self.context.control.clone();
        let search = self.threads(ThreadCount::ONE);
        let mut work = 0;
        let report = search.deepen(bound.unwrap_or(u32::MAX), conditions, |iteration, last| {
            let last_probes = last.map_or(0, |last| last.probes);
            work += last_probes;
            // An upper estimate: each probe of the last iteration leads to a node with all turns. A
            // perimeter that is larger by one cost saves one of the turns.
            let mut work_of_next = last_probes * turns;
            // The work to grow is 0 once all patterns that lead to the goal are settled.
            while (1..=work_of_next).contains(&perimeter.work_to_grow()) && work < max_work {
                work += perimeter.work_to_grow();
                perimeter.grow(&control)?;
                work_of_next /= turns;
            }
            iteration.max_nodes = max_work.checked_sub(work)? / turns;
            iteration.run(&perimeter, &roots, last.map_or(0, |last| last.nodes));
            Some(())
        });
        solver.work_without_databases.fetch_add(work, Relaxed);
        report.filter(|report| !report.solutions.is_empty())
    }

    /// Searches by increasing cost, beginning with `limit`. `iterate` runs each iteration, given
    /// the statistics of the last one. `None` if `iterate` gives up, or if an iteration exceeds its
    /// `max_nodes`.
    fn deepen(
        &self,
        mut limit: u32,
        conditions: Conditions<'_>,
        mut iterate: impl FnMut(&mut GoalIteration<'_>, Option<&IterationStats>) -> Option<()>,
    ) -> Option<GoalReport> {
        let mut report = GoalReport::new(Outcome::NoneWithinLimit, limit);
        let mut missing = self.count.max();
        while limit <= self.max_limit(&report) {
            let mut iteration = GoalIteration::new(&self.context, conditions, limit, missing);
            let length = iteration.length();
            (self.context.on_event)(Event::IterationStarted { length });
            iterate(&mut iteration, report.iterations.last())?;
            let stats = iteration.stats();
            report.iterations.push(stats);
            (self.context.on_event)(Event::IterationFinished(&stats));
            let is_spent = iteration.is_spent();
            limit = iteration.next_limit.load(Relaxed);
            let (mut solutions, sequences) = iteration.into_solutions();
            solutions.sort_by_cached_key(|solution| rank(&solution.turns));
            report.solutions.append(&mut solutions);
            missing -= sequences;
            if missing == 0 {
                break;
            }
            if !stats.exhausted && is_spent {
                return None;
            }
            if !stats.exhausted {
                report.outcome = Outcome::Cancelled(cancel_reason(&self.context.control));
                break;
            }
            if report.solutions.is_empty() {
                report.lower_bound = limit;
            }
        }
        if !report.solutions.is_empty() && report.outcome == Outcome::NoneWithinLimit {
            report.outcome = Outcome::Optimal;
        }
        Some(report)
    }

    /// Returns the maximum cost to search.
    fn max_limit(&self, report: &GoalReport) -> u32 {
        let cheapest = report.solutions.first().map(|first| first.cost);
        cheapest
            .map_or(u32::MAX, |cost| cost.saturating_add(self.slack))
            .min(self.max_cost.unwrap_or(u32::MAX))
            .min(u32::from(UNREACHABLE) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GoalSolver, TurnMetric, TurnSet};
    use super::*;
    use crate::control::CancelReason;
    use crate::cube::{Cube, LayerTurn, Sequence};
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const TURNS: [(&str, TurnMetric, &str); 9] = [
        ("U R F D L B", TurnMetric::Htm, ""),
        ("U R F D L B", TurnMetric::Qtm, ""),
        ("R U", TurnMetric::Htm, "R2=3"),
        ("U R F D L B M E S", TurnMetric::Stm, ""),
        ("U R F D L B M E S", TurnMetric::Qstm, "F=2"),
        ("R U x", TurnMetric::Etm, ""),
        ("M U u2 S'", TurnMetric::Htm, ""),
        ("R+ U F' L2", TurnMetric::Qtm, "U2=7"),
        ("E S f y' R", TurnMetric::Etm, ""),
    ];

    /// Random turns, and the position from which they lead to the solved cube.
    fn walk(rng: &mut ChaCha8Rng, turns: &TurnSet, length: usize) -> (Vec<LayerTurn>, Cube) {
        let turn = |_| turns.allowed().choose(rng).unwrap().0;
        let walk: Vec<LayerTurn> = (0..length).map(turn).collect();
        let moves = Sequence::from_turns(&walk).moves_in_initial_frame();
        (walk, Cube::from_moves(&moves).inverse())
    }

    /// Sets random options. Constraints are parts of `back`, so that some solutions satisfy them.
    fn random_search<'a>(
        rng: &mut ChaCha8Rng,
        mut search: GoalSearch<'a>,
        back: &[LayerTurn],
    ) -> GoalSearch<'a> {
        search = match rng.random_range(0..3) {
            0 => search,
            1 => search.count(rng.random_range(1..5)),
            _ => search.all(),
        };
        if rng.random_ratio(1, 3) {
            search = search.slack(rng.random_range(1..3));
        }
        if rng.random_ratio(1, 4) {
            search = search.max_cost(rng.random_range(0..6));
        }
        let part = rng.random_range(0..=back.len().min(2));
        let start = &back[..part];
        let end = &back[back.len() - part..];
        search = match rng.random_range(0..6) {
            0 => search.starts_with(start),
            1 => search.ends_with(end),
            2 => search.avoid(start).avoid(end),
            _ => search,
        };
        if rng.random_ratio(1, 4) {
            search = search.dedup_symmetric();
        }
        if rng.random_ratio(1, 4) {
            search = search.dedup_inverse();
        }
        search
    }

    /// Compares the reports of searches with a perimeter and with databases, for random positions
    /// within a few turns of a goal or near it. `turns` is an index into [`TURNS`]. Returns the
    /// number of searches for which the perimeter was sufficient.
    fn compare(rng: &mut ChaCha8Rng, goal: &str, turns: usize, searches: usize) -> usize {
        let (text, metric, costs) = TURNS[turns];
        let turns = TurnSet::parse(text, metric, costs).unwrap();
        let control = Control::new(ThreadCount::new(2).unwrap());
        let solver = GoalSolver::new(&goal.parse().unwrap(), &turns, &control).unwrap();
        let mut compared = 0;
        for _ in 0..searches {
            let length = rng.random_range(0..5);
            let (back, start) = walk(rng, &turns, length);
            let end = ["R R'", "R R'", "U F"].choose(rng).unwrap();
            let position = end.parse::<Cube>().unwrap().compose(&start);
            let search = solver.search(&position).threads(ThreadCount::ONE);
            let search = random_search(rng, search, &back);
            search.under_conditions(|conditions| {
                let Some(without) = search.clone().with_perimeter(conditions, 100_000) else {
                    return;
                };
                compared += 1;
                let with = search.with_databases(conditions);
                assert_eq!(without.outcome, with.outcome);
                assert_eq!(without.lower_bound, with.lower_bound);
                assert_eq!(without.unreachable, with.unreachable);
                let request = format!("{goal} with {turns} from {}", position.facelets());
                assert_eq!(without.solutions, with.solutions, "{request}");
            });
        }
        compared
    }

    #[test]
    fn searches_with_a_perimeter_and_with_databases_agree() {
        let mut rng = ChaCha8Rng::seed_from_u64(57);
        let mut compared = 0;
        for goal in [
            "cross:D",
            "2x2x2",
            "1x2x3:DL",
            "eo",
            "dr:UD",
            "xcross:DFR",
            "oriented(UF UR) URF",
            "{UF UR UB UL}",
        ] {
            let all = 0..TURNS.len();
            let counts = all.map(|turns| compare(&mut rng, goal, turns, 12));
            compared += counts.sum::<usize>();
        }
        assert!(compared > 500, "{compared}");
        // Goals with databases of a hundred megabytes.
        let large = [
            ("solved", 3),
            ("auf", 4),
            ("htr", 0),
            ("f2l", 1),
            ("solved", 7),
            ("layer", 5),
        ];
        let compared = large.map(|(goal, turns)| compare(&mut rng, goal, turns, 40));
        assert!(compared.iter().sum::<usize>() > 150, "{compared:?}");
    }

    /// The work that is allowed without databases is enough for six turns.
    #[test]
    fn solutions_of_six_turns_need_no_databases() {
        let mut rng = ChaCha8Rng::seed_from_u64(58);
        let solved = "solved".parse().unwrap();
        for metric in TurnMetric::ALL {
            let turns = TurnSet::parse(metric.default_turns(), metric, "").unwrap();
            let solver = GoalSolver::on_demand(&solved, &turns, ThreadCount::ONE);
            for _ in 0..5 {
                let (walk, position) = walk(&mut rng, &turns, 6);
                let report = solver.search(&position).all().run();
                assert_eq!(report.outcome, Outcome::Optimal);
                assert!(solver.databases.get().is_none(), "{walk:?}");
            }
        }
    }

    #[test]
    fn cancellation_stops_the_growth_of_a_perimeter() {
        let turns = TurnSet::default();
        let solver = GoalSolver::on_demand(&"solved".parse().unwrap(), &turns, ThreadCount::ONE);
        let cancel = Cancel::new();
        cancel.cancel();
        let control = Control::default().with_cancel(&cancel);
        let mut perimeter = GoalPerimeter::new(&solver.labels, &solver.effects).unwrap();
        assert!(perimeter.grow(&control).is_none());
        let search = solver.search(&"R U F".parse().unwrap());
        let report = search.with_cancel(&cancel).run();
        assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
        assert!(report.solutions.is_empty());
    }
}
