//! Many different scrambles of one position, some twenty moves each: for training an algorithm.
//!
//! # Theory
//!
//! A sequence that leads to a position solves the inverse position, so a two-phase search finds
//! one. But that search looks for the shortest sequence, which for an easy case is the algorithm
//! backwards. There are 5.9·10²³ canonical sequences of 21 moves, so some 14,000 lead to each
//! position; each further move multiplies this number by 13. Here the search takes a sequence of an
//! exact length that begins with a random walk:
//!
//! ```text
//! length = 21, or the minimum length
//! for each scramble
//!     draw the AUFs, which give the position
//!     repeat
//!         draw a view of the inverse position, and a walk of length - 18 moves
//!         for each sequence into H that begins with the walk and has 9 moves more  phase 1
//!             a solution within H of 9 moves                                        phase 2
//!     until there is a generic scramble that is new
//!     if there seem to be few, begin again with length + 1
//! ```
//!
//! The views are the views of the two-phase search, along each axis, direct and inverse. So a
//! scramble begins or ends with the walk.
//!
//! # Generic scrambles
//!
//! For an easy case most sequences of 21 moves are a detour: some moves, the case or nothing
//! written in a roundabout way, and the same moves back. They never go far from solved, and reveal
//! the case. In a scramble of random moves, twelve moves in a row lead to a position that is about
//! twelve moves away. So a scramble is *generic* if
//!
//! 1. each twelve moves in a row lead to a position that is more than seven moves from solved;
//! 2. its last three moves do not undo a move of its first three.
//!
//! One in six scrambles of a random position is not generic, and at least three in four of an easy
//! case.
//!
//! # Lengths of the phases
//!
//! The lengths of the phases are a compromise. One in 900 members of H has a solution of nine
//! moves, so some 900 entries into H are tried, with some 15,000 nodes. With ten moves in phase 2
//! there would be fewer entries to try, but as many nodes, and fewer scrambles of each length.

use super::phase1::Coset;
use super::{AxisView, RunningSearch, TwoPhase, TwoPhaseLimits};
use crate::control::Cancel;
use crate::cube::{Cube, Face, Move, Turn, canonical, random_walk};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

/// Properties of the scrambles of a case. By default each leads to exactly the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrambleOptions {
    /// Minimum number of moves; no scramble has fewer than [`ScrambleOptions::MIN_LENGTH`].
    pub min_length: u8,
    /// Adds a random turn of U, or none, before the solution of the case: the case is seen from a
    /// random angle.
    pub pre_auf: bool,
    /// Adds a random turn of U, or none, after the solution of the case.
    pub post_auf: bool,
}

impl ScrambleOptions {
    /// The default of `min_length`.
    pub const MIN_LENGTH: u8 = 21;
}

impl Default for ScrambleOptions {
    fn default() -> ScrambleOptions {
        ScrambleOptions {
            min_length: ScrambleOptions::MIN_LENGTH,
            pre_auf: false,
            post_auf: false,
        }
    }
}

/// A scramble of a case.
///
/// If A solves the case, then `pre_auf` A `post_auf` solves the cube after `moves`. In other words,
/// the case is `post_auf` · `moves` · `pre_auf`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scramble {
    /// The moves, in canonical form.
    pub moves: Vec<Move>,
    /// The turn of U before the solution of the case; `None` if there is none.
    pub pre_auf: Option<Move>,
    /// The turn of U after the solution of the case; `None` if there is none.
    pub post_auf: Option<Move>,
}

/// Returns an endless sequence of different scrambles of a case; deterministic for a given seed, on
/// every machine.
///
/// They have 21 moves, or `min_length` if that is more. Once most scrambles of a length have been
/// used, the length increases by one: of a thousand scrambles, most have 22 or 23 moves.
///
/// ```
/// use cosette::Cube;
/// use cosette::twophase::{ScrambleOptions, scrambles};
///
/// let case: Cube = "R U R' U'".parse()?;
/// for scramble in scrambles(case, 1, ScrambleOptions::default()).take(5) {
///     assert_eq!(Cube::from_moves(&scramble.moves), case);
/// }
/// # Ok::<(), cosette::ParseError>(())
/// ```
pub fn scrambles(
    case: Cube,
    seed: u64,
    options: ScrambleOptions,
) -> impl Iterator<Item = Scramble> {
    let mut scrambles = Scrambles {
        case,
        options,
        rng: ChaCha8Rng::seed_from_u64(seed),
        length: options.min_length.max(ScrambleOptions::MIN_LENGTH).into(),
        known: HashSet::new(),
    };
    std::iter::repeat_with(move || scrambles.draw())
}

/// Number of moves of phase 2.
const PHASE2: u8 = 9;

/// Number of moves of phase 1 after the random walk.
const PHASE1: u8 = 9;

/// Number of known scrambles in a row after which scrambles become longer: then about half of all
/// scrambles of the length are known.
const KNOWN_IN_A_ROW: usize = 3;

/// Number of nodes without a scramble after which scrambles become longer, some 60 milliseconds.
const MAX_NODES_PER_SCRAMBLE: u64 = 600_000;

/// Maximum number of nodes for a walk. Most walks take some fifty; but a walk that stays in H, as
/// it may if the case is in H, can be completed in very many ways.
const MAX_NODES_PER_WALK: u64 = 5_000;

/// The state of [`scrambles`].
struct Scrambles {
    case: Cube,
    options: ScrambleOptions,
    rng: ChaCha8Rng,
    /// The current number of moves.
    length: usize,
    known: HashSet<Vec<Move>>,
}

impl Scrambles {
    fn draw(&mut self) -> Scramble {
        let pre_auf = self.options.pre_auf.then(|| self.draw_auf()).flatten();
        let post_auf = self.options.post_auf.then(|| self.draw_auf()).flatten();
        let turn = |auf: Option<Move>| Cube::from_moves(auf.as_slice());
        let position = turn(post_auf).inverse() * self.case * turn(pre_auf).inverse();
        let moves = loop {
            match self.draw_new(&position.inverse()) {
                Some(moves) => break moves,
                None => self.length += 1,
            }
        };
        let reached = turn(post_auf) * Cube::from_moves(&moves) * turn(pre_auf);
        assert_eq!(reached, self.case, "{moves:?} does not lead to the case");
        Scramble {
            moves,
            pre_auf,
            post_auf,
        }
    }

    /// Draws a turn of U, or none, with equal chance.
    fn draw_auf(&mut self) -> Option<Move> {
        let quarters = self.rng.random_range(0..4);
        Turn::from_quarters(quarters).map(|turn| Move::new(Face::U, turn))
    }

    /// Draws a view along any axis, direct or inverse. Unlike the two-phase search, this includes
    /// conjugate views: solutions of a symmetric position should also differ by its symmetries.
    fn draw_view(&mut self, position: &Cube) -> AxisView {
        let rotation = AxisView::rotations()[self.rng.random_range(0..3)];
        AxisView::of(position, rotation, self.rng.random())
    }

    /// Draws a new solution of `position`; `None` if there seem to be few.
    fn draw_new(&mut self, position: &Cube) -> Option<Vec<Move>> {
        for _ in 0..KNOWN_IN_A_ROW {
            let solution = self.draw_solution(position)?;
            if self.known.insert(solution.clone()) {
                return Some(solution);
            }
        }
        None
    }

    /// Draws a generic solution of `position`; `None` if none is found within
    /// [`MAX_NODES_PER_SCRAMBLE`] nodes.
    fn draw_solution(&mut self, position: &Cube) -> Option<Vec<Move>> {
        let limits = TwoPhaseLimits {
            nodes: MAX_NODES_PER_WALK,
            ..TwoPhaseLimits::default()
        };
        let cancel = Cancel::new();
        let walk_length = self.length - usize::from(PHASE1 + PHASE2);
        let mut nodes = 0;
        while nodes < MAX_NODES_PER_SCRAMBLE {
            let view = self.draw_view(position);
            let walk = random_walk(&mut self.rng, walk_length);
            let mut ignore = |_: &[Move]| {};
            let mut search =
                RunningSearch::new(TwoPhase::get(), position, &limits, &mut ignore, &cancel);
            search.accepts_any = true;
            search.phase2_lengths = PHASE2..=PHASE2;
            // Ends with the first solution, at the limit, or when all is tried.
            let _ = search.phase1_after(&view, &walk, PHASE1);
            nodes += search.nodes;
            if let Some(solution) = search.best.filter(|solution| is_generic(solution)) {
                return Some(solution);
            }
        }
        None
    }
}

/// Returns `true` if a sequence of fifteen moves or more neither stays near its earlier positions
/// nor takes its first moves back at its end.
fn is_generic(moves: &[Move]) -> bool {
    let first = &moves[..3];
    let last = &moves[moves.len() - 3..];
    // Two moves that merge leave five; two that cancel leave four at most.
    let undoes_a_move = canonical(&[last, first].concat()).len() < 5;
    !undoes_a_move
        && moves
            .windows(12)
            .all(|part| leads_far(&Cube::from_moves(part)))
}

/// Returns `true` if a position is certainly more than seven moves from solved, because along some
/// axis its coset, or the coset of its inverse, is.
fn leads_far(position: &Cube) -> bool {
    let cosets = TwoPhase::get().cosets();
    let is_far = |rotation, is_inverse| {
        let coset = Coset::of(&AxisView::cube(position, rotation, is_inverse));
        !cosets.may_be_near(coset)
    };
    AxisView::rotations()
        .into_iter()
        .any(|rotation| is_far(rotation, false) || is_far(rotation, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{ParseOptions, is_canonical, parse_moves};

    const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    const T_PERM: &str = "R U R' U' R' F R2 U' R' U' R U R' F'";

    fn drawn(case: &str, count: usize, options: ScrambleOptions) -> Vec<Scramble> {
        let scrambles = scrambles(case.parse().unwrap(), 1, options);
        scrambles.take(count).collect()
    }

    /// Scrambles lead to the case and differ. Neither their first nor their last moves depend on
    /// the case: they are as random as those of random walks.
    #[test]
    fn scrambles_lead_to_the_case_and_differ() {
        for (case, count) in [
            ("R R'", 200),
            ("R U R' U'", 200),
            (T_PERM, 200),
            ("R", 40),
            (SUPERFLIP, 40),
            ("U2 D2 F2 B2 R2 L2", 40),
            ("M2 E2 S2", 40),
        ] {
            let position: Cube = case.parse().unwrap();
            let all = drawn(case, count, ScrambleOptions::default());
            let mut different = HashSet::new();
            for scramble in &all {
                let moves = &scramble.moves;
                assert_eq!(Cube::from_moves(moves), position, "{moves:?}");
                assert!(is_canonical(moves) && (21..=26).contains(&moves.len()));
                assert_eq!((&scramble.pre_auf, &scramble.post_auf), (&None, &None));
                assert!(different.insert(moves));
            }
            if count == 200 {
                let first: HashSet<_> = different.iter().map(|moves| moves.first()).collect();
                let last: HashSet<_> = different.iter().map(|moves| moves.last()).collect();
                assert_eq!([first.len(), last.len()], [Move::COUNT; 2], "{case}");
            }
        }
    }

    #[test]
    fn detours_are_not_generic() {
        for (text, expected) in [
            // There and back; twelve moves that do nothing between others.
            ("R U F2 D L' B2 D2 R U R' U' D2 B2 L D' F2 U' R'", false),
            ("L F' D2 (R2 U2)6 B L' D F U'", false),
            // A scramble of a random position.
            ("R2 B L2 U2 R2 F2 D2 R2 B' F2 D L2 B2 L F' R F R2 D2", true),
        ] {
            let sequence = parse_moves(text, &ParseOptions::default()).unwrap();
            assert_eq!(is_generic(sequence.moves()), expected, "{text}");
        }
    }

    #[test]
    fn the_minimum_length_is_respected() {
        for min_length in [0, 21, 30, 255] {
            let options = ScrambleOptions {
                min_length,
                ..ScrambleOptions::default()
            };
            let shortest = usize::from(min_length.max(ScrambleOptions::MIN_LENGTH));
            for Scramble { moves, .. } in drawn("R U R' U'", 5, options) {
                let expected = shortest..=shortest + 2;
                assert!(expected.contains(&moves.len()), "{min_length}: {moves:?}");
            }
        }
    }

    #[test]
    fn aufs_come_before_and_after_the_solution() {
        // The algorithm is its own inverse, so it solves its case.
        let algorithm = T_PERM.parse::<Cube>().unwrap();
        for (pre_auf, post_auf) in [(true, true), (true, false), (false, true)] {
            let options = ScrambleOptions {
                pre_auf,
                post_auf,
                ..ScrambleOptions::default()
            };
            let mut aufs = HashSet::new();
            for scramble in drawn(T_PERM, 100, options) {
                let before = Cube::from_moves(scramble.pre_auf.as_slice()) * algorithm;
                let after = before * Cube::from_moves(scramble.post_auf.as_slice());
                assert!((Cube::from_moves(&scramble.moves) * after).is_solved());
                assert!(pre_auf || scramble.pre_auf.is_none());
                assert!(post_auf || scramble.post_auf.is_none());
                aufs.insert((scramble.pre_auf, scramble.post_auf));
            }
            assert_eq!(aufs.len(), if pre_auf && post_auf { 16 } else { 4 });
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_scrambles() {
        let case: Cube = "R U R' U'".parse().unwrap();
        let of_seed = |seed| scrambles(case, seed, ScrambleOptions::default()).take(5);
        assert!(of_seed(3).eq(of_seed(3)));
        assert!(of_seed(3).ne(of_seed(4)));
    }
}
