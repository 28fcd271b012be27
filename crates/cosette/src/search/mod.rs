//! The optimal search: IDA* on a position and its inverse at once.
//!
//! # Theory
//!
//! IDA* (Korf 1985) searches depth first to a *threshold*, and raises it by one until a solution is found: then no shorter
//! one exists. A table bounds the distance of every position from below, and a node whose bound exceeds what remains is
//! cut. A position p and its inverse q = p⁻¹ are equally far from solved, so a node has two bounds, those of the cosets
//! H·p and H·q, and may be expanded on either side: a move m on p gives p·m and m⁻¹·q; a move on q likewise.
//!
//! The target subgroup H contains the half turns (`coord`), from which most cuts follow. Say a node is expanded on the side
//! of p, with r remaining and r′ = r − 1 for its children (half-turn metric), and let u(f) be the bound of H·f⁻¹·q, "across",
//! and w(m) that of H·p·m, "ahead".
//!
//! 1. *Tight bound.* If the bound of q exceeds r′, no half turn on p can lead to a solution in time.
//!    Proof: for a half turn m, H·m⁻¹·q = H·q; so that bound is one of p·m as well.
//! 2. *Shared probe.* One probe across serves both quarter turns of a face, at most six probes for eighteen children. They
//!    are made first, and only the moves that survive, u(f) ≤ r′, are probed ahead.
//!    Proof: H·f·q = H·f²·f⁻¹·q = H·f⁻¹·q, since f² is in H.
//! 3. *Neighbours.* If u(f) > r + 1 the node itself is dropped; if u(f) > r, so is the half turn of f.
//!    Proof: p is one move from p·f, and p·f² is, so both lie at u(f) − 1 at least.
//! 4. *Inheritance.* The bound across of a half turn is that of the node and is never probed; where the quarter turns of a
//!    face are gone, its half turn is probed ahead alone. Proof: as for the tight bound.
//! 5. *Direction.* The side with fewer moves left is expanded, the one with the larger bound among equals. Proof: every
//!    solution begins with a move on p and ends with one on q, so either side's moves are all there is to try.
//! 6. *Commuting turns.* After a turn of R, only those turns of L follow that survived beside it, and after L none of R.
//!    Proof: p·R·L = p·L·R; were it within r − 2, then p·L would be within r′.
//!
//! In the quarter-turn metric a half turn leaves r − 2, and the same proofs hold with its cost.
//!
//! # The loop
//!
//! ```text
//! one stack a thread; repeat:
//!     take up to 64 nodes from the stack (fed with root tasks); the solved ones are solutions
//!     1. choose a side and its moves                                          rules 1, 5, 6
//!     2. look across: queue one coset a face; find the entries; prefetch      rules 2, 4
//!     3. read them; drop moves; queue the cosets ahead of the rest; prefetch  rules 2, 3
//!     4. read those; push the children that may still be solved in time
//! ```
//!
//! Every line of the table is asked for long before it is read: some 280 by one step 2. A long search is cut into root
//! tasks, the canonical sequences of four moves. Each iteration takes them in the order of the *evidence* of the last one, the
//! sum of 2^−bound over the nodes that survived in a task: the last iteration then finds a solution after about a fifth of
//! the work. Threads take tasks one by one to the end; one takes milliseconds in a search of some seconds, half a second where
//! it stands for the 48 of a superflip, and no thread is idle for longer. A position with symmetry gets one task for each class under its stabilizer, and the stabilizer makes all solutions
//! of those found.
//!
//! # What did not pay
//!
//! Mean probes of the 25 positions `random_17f` with htm-2G; 13.32 million before rule 6 and with one fallback a line.
//!
//! | what | million probes |
//! |---|---|
//! | rule 6 (kept) | 12.93 |
//! | and a fallback for each 31 entries instead of 254 (kept) | 12.77 |
//! | rule 6, and a bound w(m) ≥ r′ + 2 drops the other turns of the face; counted only, its time was not measured | 12.62 |
//! | rule 6, and two faces looked across before the others, to drop nodes early (rule 3): a fifth step in the loop | 12.40 |
//! | rule 6, and moves on q that rule 1 excludes excluded for all descendants on p | 12.94 |
//! | the same, and nodes with 1, 2 or 4 children and more also look across on the other side, so that their descendants inherit the moves on q that are ruled out | 13.06, 13.07, 13.02 |
//! | root tasks of five moves, ordered by their evidence: 2 % fewer nodes in the last iteration, and thirteen times the tasks | 12.35, before rule 6 |
//!
//! Figures of time stand in ARCHITECTURE.md.

mod explore;
mod forecast;
mod iteration;
mod node;
mod solutions;
mod tasks;

use crate::cube::{Cube, Metric, Move, Symmetry};
use crate::kernel::Instructions;
use crate::progress::{Cancel, Progress};
use crate::table::Table;
use crate::twophase::{Limits, TwoPhase};
use explore::{Counts, Explore, Explorer};
use forecast::Forecast;
pub use forecast::Remaining;
use iteration::Iteration;
use node::Node;
use solutions::Solutions;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tasks::Tasks;

/// From this threshold on, an iteration is cut into root tasks. Shorter ones take less than a millisecond.
const TASKS_FROM: u8 = 12;

/// For so many nodes that it has expanded, a search spends one of a two-phase search on a solution of the next length. The
/// two take about the same time a node. A quarter is a guess: other shares were not measured.
const NODES_FOR_ONE_OF_TWO_PHASE: u64 = 4;
/// For a first solution it gets so many nodes, somewhat more than a millisecond, and more if it has none by then. Half of
/// all positions have one of 19 or 20 moves after that.
const FIRST_TWO_PHASE_NODES: u64 = 12_000;
/// With fewer nodes a two-phase search seldom finds more than the first one did.
const LEAST_TWO_PHASE_NODES: u64 = 100_000;
/// Some ten seconds; what is not found by then is not worth waiting for.
const MOST_TWO_PHASE_NODES: u64 = 100_000_000;

/// How many of the shortest solutions to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// The first one found.
    #[default]
    One,
    /// As many as there are, up to this number.
    AtMost(NonZeroUsize),
    /// All of them.
    All,
}

/// Whether a two-phase search gives good solutions while the shortest is searched.
///
/// It expands numbers of nodes that depend on the search alone, so results are the same each time with one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TwoPhaseUse {
    /// It is not asked.
    #[default]
    Never,
    /// With each threshold it gets a fixed share of the nodes expanded so far, to find a solution of that length. It is asked where
    /// one solution is wanted, in the half-turn metric.
    Meanwhile,
    /// The same, and it is asked for a first solution before all else: so one is known after a few milliseconds, in either
    /// metric.
    AtOnce,
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// How many of the shortest solutions to find.
    pub wanted: Wanted,
    /// Give up once every length up to this one, in the metric of the table, is ruled out.
    pub max_length: Option<u8>,
    /// A solution that is known. Once every shorter length is ruled out, a search for one solution ends with it.
    pub known: Option<&'a [Move]>,
    /// Whether to ask a two-phase search for solutions.
    pub two_phase: TwoPhaseUse,
}

/// What happens during a search. Events come from any of its threads.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A solution is known that is shorter than all before. It has been done on the position to see that it solves it.
    Solution(&'a [Move]),
    /// All shorter lengths are ruled out; solutions of this length are searched now.
    ThresholdStarted {
        /// The length, in the metric of the table.
        length: u8,
    },
    /// How far the threshold is.
    Progress {
        /// The length that is searched.
        length: u8,
        /// The work that is begun, of all, in a unit of its own.
        progress: Progress,
        /// How long it will take yet, where there is something to reckon from.
        remaining: Option<Remaining>,
    },
    /// An iteration has ended.
    ThresholdDone(&'a Threshold),
}

/// One iteration of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// The length of the solutions it searched.
    pub length: u8,
    /// Nodes expanded.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// Whether all of it was searched; not so where it stopped at a solution or on request.
    pub exhausted: bool,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The shortest solutions were found, and every shorter length is ruled out.
    Optimal,
    /// Every length up to the limit is ruled out.
    NoneWithinLimit,
    /// The search was asked to stop.
    Cancelled,
}

/// What a search has proven.
#[derive(Clone, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// No solution is shorter than this, in the metric of the table. Where all lengths within a limit are ruled out it is
    /// above the limit: by one, or by two where parity rules out the next length as well.
    pub lower_bound: u8,
    /// The solutions found, all of the length `lower_bound` where there are any, each re-applied to the position.
    pub solutions: Vec<Vec<Move>>,
    /// The shortest solution known, proven or not, re-applied to the position.
    pub best_known: Option<Vec<Move>>,
    /// The iterations, by rising length.
    pub thresholds: Vec<Threshold>,
    /// The order of the stabilizer of the position: how many symmetries fix it.
    pub stabilizer: usize,
    /// How long it took in all.
    pub elapsed: Duration,
}

impl Report {
    /// The length of the shortest solution, where it is known.
    pub fn length(&self) -> Option<u8> {
        (!self.solutions.is_empty()).then_some(self.lower_bound)
    }

    /// Nodes expanded in all iterations.
    pub fn nodes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.nodes).sum()
    }

    /// Accesses to the table in all iterations.
    pub fn probes(&self) -> u64 {
        self.thresholds.iter().map(|threshold| threshold.probes).sum()
    }
}

/// The optimal solver: a table and the threads to search with.
pub struct Solver {
    table: Arc<Table>,
    threads: NonZeroUsize,
    instructions: Instructions,
}

impl Solver {
    /// A solver in the metric of `table`, with the fastest instructions of this machine.
    pub fn new(table: Arc<Table>, threads: NonZeroUsize) -> Solver {
        Solver { table, threads, instructions: Instructions::best() }
    }

    /// The same solver with other instructions.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Solver {
        Solver { instructions, ..self }
    }

    /// The table it searches with.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Finds the shortest solutions of `position` and proves that there is no shorter one.
    ///
    /// With one thread the result is always the same. With several, the length is, and so is the set of all solutions.
    /// Cancellation is heeded within a few milliseconds; what is proven by then stands in the report.
    ///
    /// # Panics
    /// If the known solution does not solve the position.
    pub fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report {
        let start = Instant::now();
        let metric = self.table.id().metric;
        let stabilizer = position.stabilizer();
        let bounds = [self.table.bound(position), self.table.bound(&position.inverse())];
        let root = Node::root(position, bounds);
        let mut search = Search {
            solver: self,
            options,
            on_event,
            cancel,
            tasks: Tasks::whole(root, metric),
            explorers: std::iter::repeat_with(|| Box::new(Explorer::new())).take(self.threads.get()).collect(),
            solutions: Solutions::new(position, stabilizer.clone(), metric),
            thresholds: Vec::new(),
        };
        options.known.iter().for_each(|known| search.offer(known));
        if options.two_phase == TwoPhaseUse::AtOnce {
            search.solve_at_once(position);
        }
        let (first, step) = thresholds(position, root.best_bound(), metric);
        let mut length = first;
        let last = options.max_length.unwrap_or(metric.diameter());
        let outcome = loop {
            if search.knows(length) {
                break Outcome::Optimal;
            }
            if length > last {
                break Outcome::NoneWithinLimit;
            }
            if length >= TASKS_FROM && search.tasks.len() == 1 {
                search.split(root, &stabilizer);
            }
            on_event(Event::ThresholdStarted { length });
            let exhausted = search.iterate(position, length);
            if search.solutions.is_enough(options.wanted) || exhausted && !search.solutions.is_empty() {
                break Outcome::Optimal;
            }
            if !exhausted {
                break Outcome::Cancelled;
            }
            length += step;
        };
        Report {
            outcome,
            lower_bound: length,
            solutions: search.solutions.shortest(options.wanted),
            best_known: search.solutions.best().map(<[Move]>::to_vec),
            thresholds: search.thresholds,
            stabilizer: stabilizer.len(),
            elapsed: start.elapsed(),
        }
    }

    /// Solves many positions, as many at a time as there are threads, each with one: so no thread waits for another at the
    /// end of an iteration. A known solution among the options is left out of account.
    ///
    /// Calls `on_solved` with the number of each position and its report, in the order in which they are ready. On
    /// cancellation the positions that no thread has begun are left out.
    pub fn solve_each(
        &self,
        positions: &[Cube],
        options: &Options<'_>,
        on_solved: &(dyn Fn(usize, Report) + Sync),
        cancel: &Cancel,
    ) {
        let alone =
            Solver { table: Arc::clone(&self.table), threads: NonZeroUsize::MIN, instructions: self.instructions };
        let options = Options { known: None, ..*options };
        let next = AtomicUsize::new(0);
        in_threads(self.threads.get().min(positions.len()), &|| {
            while !cancel.is_cancelled() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = positions.get(number) else { break };
                on_solved(number, alone.solve(position, &options, &|_| {}, cancel));
            }
        });
    }
}

/// Does the same in so many threads, or in fewer where the system refuses more. This thread is one of them.
fn in_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if let Err(refused) = std::thread::Builder::new().spawn_scoped(scope, work) {
                tracing::warn!(%refused, "searching with fewer threads");
                break;
            }
        }
        work();
    });
}

/// The first threshold and the step to the next: with quarter turns the parity of the position is that of every solution.
fn thresholds(position: &Cube, bound: u8, metric: Metric) -> (u8, u8) {
    match metric {
        Metric::Htm => (bound, 1),
        Metric::Qtm => (bound + ((bound & 1) ^ u8::from(position.is_odd())), 2),
    }
}

/// A search under way.
struct Search<'a> {
    solver: &'a Solver,
    options: &'a Options<'a>,
    on_event: &'a (dyn Fn(Event<'_>) + Sync),
    cancel: &'a Cancel,
    tasks: Tasks,
    explorers: Vec<Box<Explorer>>,
    solutions: Solutions,
    thresholds: Vec<Threshold>,
}

impl Search<'_> {
    fn wants_one(&self) -> bool {
        matches!(self.options.wanted, Wanted::One | Wanted::AtMost(NonZeroUsize::MIN))
    }

    /// Whether a solution of this length is known and one is all that is wanted. If so it is taken as found.
    fn knows(&mut self, length: u8) -> bool {
        let best = self.solutions.best().filter(|_| self.solutions.best_length() == Some(length.into()));
        match best.map(<[Move]>::to_vec) {
            Some(best) if self.wants_one() => {
                self.solutions.add(&best);
                true
            }
            _ => false,
        }
    }

    /// Takes note of a solution.
    fn offer(&mut self, moves: &[Move]) {
        if self.solutions.offer(moves) {
            self.solutions.best().iter().for_each(|best| (self.on_event)(Event::Solution(best)));
        }
    }

    /// Asks a two-phase search for a first solution.
    fn solve_at_once(&mut self, position: &Cube) {
        let limits = Limits { nodes: FIRST_TWO_PHASE_NODES, until_solved: true, ..Limits::default() };
        let cancel = self.cancel;
        TwoPhase::get().search(position, &limits, &mut |moves| self.offer(moves), cancel);
    }

    /// What a two-phase search gets to find a solution of this length; nothing where it is not to be asked.
    fn two_phase_limits(&self, length: u8) -> Option<Limits> {
        let expanded: u64 = self.thresholds.iter().map(|threshold| threshold.nodes).sum();
        let nodes = (expanded / NODES_FOR_ONE_OF_TWO_PHASE).min(MOST_TWO_PHASE_NODES);
        let htm = self.solver.table.id().metric == Metric::Htm;
        let is_asked = self.options.two_phase != TwoPhaseUse::Never && htm && self.wants_one();
        (is_asked && nodes >= LEAST_TWO_PHASE_NODES).then(|| Limits { target: length, nodes, ..Limits::default() })
    }

    /// Cuts the search into root tasks.
    fn split(&mut self, root: Node, stabilizer: &[Symmetry]) {
        let instructions = self.solver.instructions;
        self.tasks = Tasks::prefixes(root, stabilizer, &self.solver.table, instructions);
    }

    /// Searches one threshold; whether all of it.
    fn iterate(&mut self, position: &Cube, length: u8) -> bool {
        let start = Instant::now();
        let two_phase = self.two_phase_limits(length);
        let iteration = Iteration::new(
            (&self.solver.table, &self.tasks),
            (length, Forecast::new(&self.thresholds, self.solver.table.id().metric)),
            (std::mem::take(&mut self.solutions), self.options.wanted),
            self.cancel,
            self.on_event,
        );
        let instructions = self.solver.instructions;
        self.explorers.iter_mut().for_each(|explorer| explorer.counts = Counts::default());
        let explore = |explorer: &mut Box<Explorer>| instructions.run(Explore { explorer, iteration: &iteration });
        // A thread takes longer to start than a small iteration takes.
        let threads = self.explorers.len().min(iteration.len());
        std::thread::scope(|scope| {
            let (first, others) = self.explorers[..].split_first_mut().expect("there is at least one thread");
            for explorer in &mut others[..threads.saturating_sub(1)] {
                let started = std::thread::Builder::new().spawn_scoped(scope, move || explore(explorer));
                if let Err(refused) = started {
                    tracing::warn!(%refused, "searching with fewer threads");
                    break;
                }
            }
            // The other threads need not wait for it.
            if let Some(limits) = two_phase {
                let all_begun = iteration.all_begun();
                TwoPhase::get().search(position, &limits, &mut |moves| iteration.take(moves), all_begun);
            }
            explore(first);
        });
        let exhausted = !iteration.is_stopped();
        let counts = self.explorers[..threads.max(1)].iter().map(|explorer| explorer.counts);
        let (nodes, probes) = counts.fold((0, 0), |sum, counts| (sum.0 + counts.nodes, sum.1 + counts.probes));
        let (solutions, evidence) = iteration.finish();
        self.solutions = solutions;
        self.tasks.learn(evidence);
        let threshold = Threshold { length, nodes, probes, elapsed: start.elapsed(), exhausted };
        (self.on_event)(Event::ThresholdDone(&threshold));
        self.thresholds.push(threshold);
        exhausted
    }
}
