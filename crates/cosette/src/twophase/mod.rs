//! Good solutions within milliseconds: two-phase search, in the half-turn metric.
//!
//! # Theory
//!
//! Let G be the subgroup that U, D, R2, L2, F2 and B2 generate. It has 19.5·10⁹ members and 2.2·10⁹ cosets. Phase 1
//! brings a position into G, phase 2 solves it within G; so a solution is composed of two searches in spaces of some
//! 10⁹ each (H. Kociemba, "Close to God's algorithm", Cubism For Fun 28, 1992). A first solution is rarely good, for a
//! short way into G mostly leads to a distant member. So phase 1 is made longer step by step, which gives many more
//! ways in and leaves fewer moves for phase 2: a solution found later is shorter. When phase 1 alone is as long as the
//! best solution, no shorter one exists. (Reid's optimal search of 1997 is what remains when phase 2 is left out: IDA*
//! that reads the distances of these same cosets, along all three axes, as lower bounds.)
//!
//! ```text
//! for length = 0, 1, …, while shorter than the best solution
//!     for each view: the position along each axis, direct and inverse
//!         for each way into G of `length` moves                                 phase 1
//!             search for a way home within G that makes a better solution       phase 2, IDA*
//! ```
//!
//! # Departures
//!
//! 1. *Bloom filters.* The usual bound of phase 1, the greater distance of two or three projections, is weak: some 70 nodes
//!    are expanded for each way into G. The distances of all cosets would be exact, but take a second or more to
//!    compute. Here those within seven moves are known, one in 170: a Bloom filter for each number of moves, 0 to 7,
//!    says which cosets are within that number. So all moves of phase 1 but the last eight are tried without pruning,
//!    and the last seven almost always lead into G; some 16 nodes are expanded for each way in. The filters take 1.3
//!    MB, and a fiftieth of a second to generate.
//! 2. *No move of G before entering it.* If the last move of phase 1 were one that keeps G, a shorter phase 1 and
//!    a longer phase 2 would find the same solution.
//! 3. *Near members first.* A member of G farther than ten moves is skipped at first; it is tried only when
//!    nothing else can give a solution of twenty moves, which every position has. Before all that, solutions of up to
//!    thirteen moves in total are tried: an easy position leads to so many members near solved that ten moves from each
//!    would take long.
//!
//! docs/lab/kociemba.md shows how good the solutions are after each time: on one core, 98 % of positions have one
//! within five milliseconds.

mod coordinate;
pub(crate) mod cosets;
pub(crate) mod members;
mod scrambles;

pub use scrambles::{Scramble, ScrambleOptions, scrambles};

use crate::control::{Cancel, beside};
use crate::cube::{Cube, Face, Metric, Move, MoveSet, Symmetry, canonical, inverse};
use coordinate::Four;
use cosets::{Coset, Cosets};
use members::{Fours, Member, Members};
use std::ops::ControlFlow::{self, Break, Continue};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// The tables of the two phases.
pub struct TwoPhase {
    cosets: Cosets,
    members: Members,
}

impl TwoPhase {
    /// The tables; generated at the first call, in about a thirtieth of a second.
    pub fn get() -> &'static TwoPhase {
        static TABLES: LazyLock<TwoPhase> = LazyLock::new(TwoPhase::generate);
        &TABLES
    }

    /// The coordinates of phase 1.
    pub(crate) fn cosets(&self) -> &Cosets {
        &self.cosets
    }

    /// Searches for shorter and shorter solutions of `position` within the limits. Calls `on_solution` with each as
    /// soon as it is found.
    ///
    /// The solutions are canonical, and each is checked by applying it to the position. Cancellation takes
    /// effect within a millisecond.
    pub fn search(
        &self,
        position: &Cube,
        limits: &TwoPhaseLimits,
        on_solution: &mut dyn FnMut(&[Move]),
        cancel: &Cancel,
    ) -> Found {
        Search::new(self, position, limits, on_solution, cancel).run()
    }

    /// A short sequence that leads from the solved cube to a position: the inverse of a solution that is found at once.
    pub fn sequence_to(&self, position: &Cube) -> Vec<Move> {
        let limits = TwoPhaseLimits { nodes: 0, until_solved: true, ..TwoPhaseLimits::default() };
        let found = self.search(position, &limits, &mut |_| {}, &Cancel::new());
        inverse(&found.solution.unwrap_or_default())
    }

    /// Generates the tables, with two threads if the system grants them.
    fn generate() -> TwoPhase {
        let (corner_turns, edge_turns) = (Four::corner_turns(), Four::edge_turns());
        let generate_members = || Members::generate(&corner_turns, &edge_turns);
        let (members, cosets) = beside(generate_members, || Cosets::generate(&edge_turns));
        TwoPhase { cosets, members }
    }
}

/// When to stop searching for a shorter solution. By default, when there is none.
#[derive(Clone, Copy, Debug)]
pub struct TwoPhaseLimits {
    /// A solution of this length is good enough.
    pub target: u8,
    /// At most this many nodes are expanded. With the same limits the result is always the same, unless it is
    /// cancelled.
    pub nodes: u64,
    /// Whether to continue beyond `nodes` until there is a first solution.
    pub until_solved: bool,
}

impl Default for TwoPhaseLimits {
    fn default() -> TwoPhaseLimits {
        TwoPhaseLimits { target: 0, nodes: u64::MAX, until_solved: false }
    }
}

/// What a search has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The shortest solution found.
    pub solution: Option<Vec<Move>>,
    /// Nodes expanded in both phases.
    pub nodes: u64,
    /// Whether everything was tried, so that there is no shorter solution.
    pub exhausted: bool,
}

/// Every position has a solution of at most this many moves.
const DIAMETER: u8 = Metric::Htm.diameter();

/// A member of G is near if it is no farther than this from solved. One in 130 is. For a random position that is
/// usually enough to find a solution of twenty moves, and searching within G takes only a node or two for each way in.
const NEAR: u8 = 10;

/// A position is easy if it has a solution of at most this many moves.
const EASY: u8 = 13;

/// If there is no solution after this many nodes, some 30 milliseconds, a search that must find one accepts a longer
/// one: from the nearest entries into G on, phase 2 may have [`REACH_OF_ANY`] moves. One in three members is within
/// that. Superflip is such a case: its first solution by near members takes 2.8 million nodes.
const NODES_BEFORE_ANY: u64 = 300_000;
const REACH_OF_ANY: u8 = 13;

/// The limits are checked every this many nodes: a tenth of a millisecond.
const NODES_PER_CHECK: u64 = 1024;

/// A running search.
struct Search<'a> {
    tables: &'a TwoPhase,
    position: &'a Cube,
    limits: &'a TwoPhaseLimits,
    cancel: &'a Cancel,
    on_solution: &'a mut dyn FnMut(&[Move]),
    /// How long phase 2 may be.
    reach: RangeInclusive<u8>,
    /// The moves from the view to the node, in the view.
    path: Vec<Move>,
    /// The fours after the first moves of the path; computed when they are needed.
    fours: Vec<Fours>,
    best: Option<Vec<Move>>,
    /// Whether any solution is accepted.
    accepts_any: bool,
    nodes: u64,
    next_check: u64,
}

impl<'a> Search<'a> {
    fn new(
        tables: &'a TwoPhase,
        position: &'a Cube,
        limits: &'a TwoPhaseLimits,
        on_solution: &'a mut dyn FnMut(&[Move]),
        cancel: &'a Cancel,
    ) -> Search<'a> {
        Search {
            tables,
            position,
            limits,
            cancel,
            on_solution,
            reach: 0..=NEAR,
            path: Vec::new(),
            fours: Vec::new(),
            best: None,
            accepts_any: false,
            nodes: 0,
            next_check: 0,
        }
    }

    fn run(mut self) -> Found {
        let exhausted = self.all_lengths().is_continue();
        if !exhausted && self.needs_first_solution() {
            self.accepts_any = true;
            // Ends with the first solution, or at the limits.
            let _ = self.search_any();
        }
        Found { solution: self.best, nodes: self.nodes, exhausted }
    }

    /// Makes phase 1 longer step by step.
    ///
    /// First come the solutions that are short in total: easy positions lead to so many members near solved that
    /// searching ten moves from each would take long. Next come near members. Those farther away follow when near ones
    /// can no longer give a solution within the diameter: so one is found in any case.
    fn all_lengths(&mut self) -> ControlFlow<()> {
        let views = View::all(self.position);
        for length in 0..DIAMETER - NEAR {
            self.lengths(&views, length, 0..=EASY - length)?;
        }
        for length in 0..=DIAMETER - NEAR {
            self.lengths(&views, length, 0..=NEAR)?;
        }
        for length in 0..DIAMETER - NEAR {
            self.lengths(&views, length, NEAR + 1..=DIAMETER - length)?;
        }
        for length in DIAMETER - NEAR + 1..=DIAMETER {
            self.lengths(&views, length, 0..=NEAR)?;
        }
        Continue(())
    }

    /// Searches for any solution, from the nearest entries into G on.
    fn search_any(&mut self) -> ControlFlow<()> {
        let views = View::all(self.position);
        (0..=DIAMETER).try_for_each(|length| self.lengths(&views, length, 0..=REACH_OF_ANY))
    }

    /// Whether a first solution is required and not found yet.
    fn needs_first_solution(&self) -> bool {
        self.limits.until_solved && self.best.is_none()
    }

    /// Tries all solutions with these lengths of the phases that are better than the best.
    fn lengths(&mut self, views: &[View], first: u8, second: RangeInclusive<u8>) -> ControlFlow<()> {
        self.reach = second;
        for view in views {
            if self.longest_after(first) < Some(*self.reach.start()) {
                break;
            }
            self.phase1_after(view, &[], first)?;
        }
        Continue(())
    }

    /// Tries all ways into G that begin with `prefix`, which is in the view, and have exactly
    /// `remaining` moves after it.
    fn phase1_after(&mut self, view: &View, prefix: &[Move], remaining: u8) -> ControlFlow<()> {
        self.path.clear();
        self.path.extend(prefix);
        self.fours.clear();
        self.fours.push(view.fours);
        let cosets = &self.tables.cosets;
        let coset = prefix.iter().fold(view.coset, |coset, &m| cosets.turned(coset, m));
        self.phase1(view, coset, remaining)
    }

    /// How long phase 2 may be after a phase 1 of this length, if there is room for it.
    fn longest_after(&self, length: u8) -> Option<u8> {
        let farthest = *self.reach.end();
        match &self.best {
            Some(best) => (best.len() as u8).checked_sub(length + 1).map(|better| better.min(farthest)),
            None => Some(farthest),
        }
    }

    /// Tries all ways into G of exactly `remaining` moves, of which the last one does not keep G.
    fn phase1(&mut self, view: &View, coset: Coset, remaining: u8) -> ControlFlow<()> {
        self.count()?;
        let Some(rest) = remaining.checked_sub(1) else {
            return if coset == Coset::TARGET { self.enter(view) } else { Continue(()) };
        };
        let cosets = &self.tables.cosets;
        let following = MoveSet::after(self.path.last().copied());
        let moves = if rest == 0 { following.without(Members::MOVES) } else { following };
        for m in cosets.survivors(coset, moves, rest).iter() {
            self.path.push(m);
            self.phase1(view, cosets.turned(coset, m), rest)?;
            self.path.pop();
            self.fours.truncate(self.path.len() + 1);
        }
        Continue(())
    }

    /// Continues with phase 2 where phase 1 ended.
    fn enter(&mut self, view: &View) -> ControlFlow<()> {
        let length = self.path.len();
        let Some(longest) = self.longest_after(length as u8) else { return Continue(()) };
        let members = &self.tables.members;
        while let Some(&m) = self.path.get(self.fours.len() - 1) {
            let fours = self.fours.last().expect("those of the view are always there");
            self.fours.push(members.turned_fours(fours, m));
        }
        let member = Member::of(&self.fours[length]);
        for remaining in members.bound(member).max(*self.reach.start())..=longest {
            if self.phase2(member, remaining)? {
                self.keep(view)?;
                self.path.truncate(length);
                break;
            }
        }
        Continue(())
    }

    /// Whether there is a solution of exactly `remaining` moves within G. If so, the path ends with it.
    fn phase2(&mut self, member: Member, remaining: u8) -> ControlFlow<(), bool> {
        self.count()?;
        let Some(rest) = remaining.checked_sub(1) else { return Continue(member == Member::SOLVED) };
        let members = &self.tables.members;
        let following = MoveSet::after(self.path.last().copied());
        for (m, neighbour) in members.neighbours(member) {
            if following.contains(m) && members.bound(neighbour) <= rest {
                self.path.push(m);
                if self.phase2(neighbour, rest)? {
                    return Continue(true);
                }
                self.path.pop();
            }
        }
        Continue(false)
    }

    /// Keeps the solution that the path is. Panics if it does not solve the position: that would be a bug in the
    /// search, and such a solution must never be shown.
    fn keep(&mut self, view: &View) -> ControlFlow<()> {
        let solution = view.solution(&self.path);
        assert!(self.position.after(&solution).is_solved(), "{solution:?} does not solve {:?}", self.position);
        (self.on_solution)(&solution);
        // After the empty solution the search ends in any case, exhausted.
        let is_enough = self.accepts_any || (1..=usize::from(self.limits.target)).contains(&solution.len());
        self.best = Some(solution);
        if is_enough { Break(()) } else { Continue(()) }
    }

    /// Counts a node, and ends the search at its limits.
    #[inline(always)]
    fn count(&mut self) -> ControlFlow<()> {
        if self.nodes == self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Continue(())
    }

    #[cold]
    fn check_limits(&mut self) -> ControlFlow<()> {
        let needs_first_solution = self.needs_first_solution() && (self.accepts_any || self.nodes < NODES_BEFORE_ANY);
        let nodes_left = self.limits.nodes.saturating_sub(self.nodes);
        if nodes_left == 0 && !needs_first_solution || self.cancel.is_cancelled() {
            return Break(());
        }
        self.next_check =
            self.nodes + if needs_first_solution { NODES_PER_CHECK } else { NODES_PER_CHECK.min(nodes_left) };
        Continue(())
    }
}

/// A position as the two phases see it.
#[derive(Clone, Copy, Debug)]
struct View {
    /// The rotation that brings the axis upright.
    rotation: Symmetry,
    is_inverse: bool,
    coset: Coset,
    fours: Fours,
}

impl View {
    /// The view of a position, or of its inverse, with the axis that `rotation` brings upright.
    fn of(position: &Cube, rotation: Symmetry, is_inverse: bool) -> View {
        let cube = View::cube(position, rotation, is_inverse);
        View { rotation, is_inverse, coset: Coset::of(&cube), fours: Fours::of(&cube) }
    }

    /// The position of the view.
    fn cube(position: &Cube, rotation: Symmetry, is_inverse: bool) -> Cube {
        let cube = if is_inverse { position.inverse() } else { *position };
        cube.conjugate(rotation)
    }

    /// The rotations that bring each axis upright: R to U to F to R, none, one and two times.
    fn rotations() -> [Symmetry; 3] {
        let turn = Symmetry::rotation(Face::U).then(Symmetry::rotation(Face::R));
        [Symmetry::IDENTITY, turn, turn.then(turn)]
    }

    /// The views of a position, without those that are conjugates of others by a symmetry of the target subgroup.
    fn all(position: &Cube) -> Vec<View> {
        let mut seen = Vec::new();
        let mut views = Vec::new();
        for rotation in View::rotations() {
            for is_inverse in [false, true] {
                let cube = View::cube(position, rotation, is_inverse);
                let class = Symmetry::keeping_up_and_down().map(|s| cube.conjugate(s)).min();
                if !seen.contains(&class) {
                    seen.push(class);
                    views.push(View::of(position, rotation, is_inverse));
                }
            }
        }
        views
    }

    /// The solution of the position that corresponds to a solution of the view, in canonical form.
    fn solution(&self, moves: &[Move]) -> Vec<Move> {
        let back = self.rotation.inverse();
        let mut moves: Vec<Move> = moves.iter().map(|&m| back.conjugate_move(m)).collect();
        if self.is_inverse {
            moves.reverse();
            moves.iter_mut().for_each(|m| *m = m.inverse());
        }
        canonical(&moves)
    }
}
