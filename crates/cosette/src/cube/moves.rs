//! Faces, turns and the eighteen moves, their costs in each metric, and sequences of moves.
//!
//! # Canonical sequences
//!
//! A sequence is canonical if no face turns twice in a row, and opposite faces turn in one order: U
//! before D, R before L, F before B (Korf 1997, section 3). A search need only try these sequences,
//! because two consecutive turns of one face equal one turn or none, and turns of opposite faces
//! commute. There are 18 choices for the first move, 15 for a move after U, R or F, and 12 for a
//! move after D, L or B.

use super::text::quoted;
use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// One of the three axes of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Axis {
    /// The axis of U and D.
    Ud,
    /// The axis of R and L.
    Rl,
    /// The axis of F and B.
    Fb,
}

impl Axis {
    /// The three axes.
    pub const ALL: [Axis; 3] = [Axis::Ud, Axis::Rl, Axis::Fb];
}

/// One of the six faces. The numbers of opposite faces differ by three, and the number of a face
/// modulo three is that of its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // the letters are the definition
pub enum Face {
    U,
    R,
    F,
    D,
    L,
    B,
}

impl Face {
    /// The six faces, in the order of facelet strings: U R F D L B.
    pub const ALL: [Face; 6] = [Face::U, Face::R, Face::F, Face::D, Face::L, Face::B];

    /// Returns the face numbered `index`, 0 to 5, in the order of [`Face::ALL`].
    ///
    /// # Panics
    ///
    /// Panics if `index` is 6 or more.
    pub const fn from_index(index: usize) -> Face {
        Self::ALL[index]
    }

    /// Returns the number of this face, 0 to 5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the axis about which this face turns.
    pub const fn axis(self) -> Axis {
        Axis::ALL[self as usize % 3]
    }

    /// Returns the face on the other side of the cube.
    pub const fn opposite(self) -> Face {
        Self::ALL[(self as usize + 3) % 6]
    }

    /// Returns the letter of this face.
    pub const fn letter(self) -> char {
        ['U', 'R', 'F', 'D', 'L', 'B'][self as usize]
    }

    /// Returns the face with this capital letter.
    pub(crate) fn from_letter(letter: char) -> Option<Face> {
        Face::ALL.into_iter().find(|face| face.letter() == letter)
    }

    /// Returns the face with this letter, capital or lower-case.
    pub(super) fn from_any_letter(letter: char) -> Option<Face> {
        Face::from_letter(letter.to_ascii_uppercase())
    }

    /// Returns the four faces around this one: a clockwise quarter turn carries the facelets of
    /// each to the next.
    pub(super) const fn clockwise_cycle(self) -> [Face; 4] {
        use Face::{B, D, F, L, R, U};
        match self {
            U => [F, L, B, R],
            R => [U, B, D, F],
            F => [U, R, D, L],
            D => [F, R, B, L],
            L => [U, F, D, B],
            B => [U, L, D, R],
        }
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// The amount of a face turn, seen from outside the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Turn {
    /// A clockwise quarter turn, such as `R`.
    Clockwise = 1,
    /// A half turn, such as `R2`.
    Half = 2,
    /// A counterclockwise quarter turn, such as `R'`.
    Counterclockwise = 3,
}

impl Turn {
    /// The three turns.
    pub const ALL: [Turn; 3] = [Turn::Clockwise, Turn::Half, Turn::Counterclockwise];

    /// Returns the turn by `quarters` clockwise quarter turns; `None` if that is a whole number of
    /// revolutions.
    pub const fn from_quarters(quarters: i32) -> Option<Turn> {
        match quarters.rem_euclid(4) {
            1 => Some(Turn::Clockwise),
            2 => Some(Turn::Half),
            3 => Some(Turn::Counterclockwise),
            _ => None,
        }
    }

    /// Returns this turn in clockwise quarter turns: 1, 2 or 3.
    pub const fn quarters(self) -> u8 {
        self as u8
    }

    /// Returns the inverse turn.
    pub const fn inverse(self) -> Turn {
        [Turn::Counterclockwise, Turn::Half, Turn::Clockwise][self as usize - 1]
    }
}

/// One of the eighteen moves: a face and a turn. [`DisplayMoves`](crate::DisplayMoves) writes a
/// sequence of moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "u8", into = "u8")
)]
pub struct Move(u8);

impl Move {
    /// Number of moves.
    pub const COUNT: usize = 18;

    /// The eighteen moves, by face and then by turn: U, U2, U', R, …
    pub const ALL: [Move; Move::COUNT] = {
        let mut all = [Move(0); Move::COUNT];
        let mut i = 0;
        while i < Move::COUNT {
            all[i] = Move(i as u8);
            i += 1;
        }
        all
    };

    /// Creates the move that turns `face` by `turn`.
    pub const fn new(face: Face, turn: Turn) -> Move {
        Move(face as u8 * 3 + turn as u8 - 1)
    }

    /// Returns the move numbered `index`, 0 to 17, in the order of [`Move::ALL`].
    ///
    /// # Panics
    ///
    /// Panics if `index` is 18 or more.
    pub const fn from_index(index: usize) -> Move {
        Self::ALL[index]
    }

    /// Returns the number of this move, 0 to 17.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the face that turns.
    pub const fn face(self) -> Face {
        Face::from_index(self.0 as usize / 3)
    }

    /// Returns the turn of the face.
    pub const fn turn(self) -> Turn {
        Turn::ALL[self.0 as usize % 3]
    }

    /// Returns the inverse move.
    pub const fn inverse(self) -> Move {
        Move::new(self.face(), self.turn().inverse())
    }

    /// Returns `true` if this is a half turn.
    pub const fn is_half_turn(self) -> bool {
        self.0 % 3 == 1
    }
}

impl Not for Move {
    type Output = Move;
    /// Returns the inverse move.
    fn not(self) -> Move {
        self.inverse()
    }
}

/// The error for a number that no move has.
///
/// ```
/// use cosette::cube::{Move, MoveNumberError};
///
/// assert_eq!(Move::try_from(18), Err(MoveNumberError(18)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is not the number of a move; moves are numbered from 0 to 17")]
pub struct MoveNumberError(pub u8);

impl TryFrom<u8> for Move {
    type Error = MoveNumberError;

    /// Returns the move with this number.
    fn try_from(number: u8) -> Result<Move, MoveNumberError> {
        let m = Move::ALL.get(usize::from(number)).copied();
        m.ok_or(MoveNumberError(number))
    }
}

impl From<Move> for u8 {
    fn from(m: Move) -> u8 {
        m.0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = ["", "2", "'"][self.0 as usize % 3];
        write!(f, "{}{suffix}", self.face())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A metric: the cost of each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum Metric {
    /// The half-turn metric: every turn of a face counts one. God's number is 20.
    #[default]
    Htm,
    /// The quarter-turn metric: a half turn counts two. God's number is 26.
    Qtm,
}

impl Metric {
    /// Both metrics.
    pub const ALL: [Metric; 2] = [Metric::Htm, Metric::Qtm];

    /// Returns the cost of a half turn: 1 or 2. A quarter turn costs 1 in both metrics.
    pub const fn half_turn_cost(self) -> u8 {
        [1, 2][self as usize]
    }

    /// Returns the cost of `m`: 1 or 2.
    pub const fn cost(self, m: Move) -> u8 {
        if m.is_half_turn() {
            self.half_turn_cost()
        } else {
            1
        }
    }

    /// Returns the length of a sequence of moves.
    pub fn length(self, moves: &[Move]) -> usize {
        moves.iter().map(|&m| usize::from(self.cost(m))).sum()
    }

    /// Returns the largest distance of any position from solved: 20 (HTM), 26 (QTM).
    ///
    /// Rokicki, Kociemba, Davidson and Dethridge, "The diameter of the Rubik's cube group is
    /// twenty", 2010; the quarter-turn figure by Rokicki and Davidson, 2014.
    pub const fn diameter(self) -> u8 {
        [20, 26][self as usize]
    }

    /// Returns the ratio of the numbers of canonical sequences of lengths n + 1 and n, in the limit
    /// of large n: 6 + 3√6 in the half-turn metric.
    pub const fn growth(self) -> f64 {
        [13.35, 9.37][self as usize]
    }

    /// Returns the difference between consecutive lengths that the solutions of a position can
    /// have: 2 in the quarter-turn metric, where they all have the same parity, and 1 in the
    /// half-turn metric.
    pub const fn step(self) -> u8 {
        self.half_turn_cost()
    }

    /// Returns the short name: `htm` or `qtm`.
    pub const fn name(self) -> &'static str {
        ["htm", "qtm"][self as usize]
    }
}

/// The error for an unknown metric name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a metric; metrics are htm and qtm")]
pub struct UnknownMetric(String);

impl FromStr for Metric {
    type Err = UnknownMetric;

    fn from_str(name: &str) -> Result<Metric, UnknownMetric> {
        Metric::ALL
            .into_iter()
            .find(|metric| metric.name() == name)
            .ok_or_else(|| UnknownMetric(quoted(name)))
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of moves, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSet(u32);

impl MoveSet {
    /// All eighteen moves.
    pub const ALL: MoveSet = MoveSet((1 << Move::COUNT) - 1);

    /// Returns the moves that may follow `last` in a canonical sequence; all moves if `last` is
    /// `None`.
    pub const fn after(last: Option<Move>) -> MoveSet {
        match last {
            None => MoveSet::ALL,
            Some(m) => {
                let face = m.face();
                let mut set = MoveSet::ALL.0 & !(0b111 << (face.index() * 3));
                // D, L and B turn after their opposite faces.
                if face.index() >= 3 {
                    set &= !(0b111 << (face.opposite().index() * 3));
                }
                MoveSet(set)
            }
        }
    }

    /// Returns the set of these bits: bit i represents the move numbered i. Bits above 17 are
    /// ignored.
    pub const fn from_bits(bits: u32) -> MoveSet {
        MoveSet(bits & MoveSet::ALL.0)
    }

    /// Returns the set as bits: bit i represents the move numbered i.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns `true` if `m` is in the set.
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m.index() & 1 == 1
    }

    /// Returns the moves of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        let mut remaining = self.0;
        std::iter::from_fn(move || {
            let next =
                (remaining != 0).then(|| Move::from_index(remaining.trailing_zeros() as usize));
            // Clears the lowest bit.
            remaining &= remaining.wrapping_sub(1);
            next
        })
    }

    pub(crate) const fn from_moves(moves: &[Move]) -> MoveSet {
        let mut set = MoveSet(0);
        let mut i = 0;
        while i < moves.len() {
            set.0 |= 1 << moves[i].index();
            i += 1;
        }
        set
    }

    pub(crate) const fn without(self, others: MoveSet) -> MoveSet {
        MoveSet(self.0 & !others.0)
    }

    /// Returns the moves of the set for which `keeps` is true, without a branch for each move.
    #[inline(always)]
    #[must_use]
    pub fn filter(self, mut keeps: impl FnMut(Move) -> bool) -> MoveSet {
        self.iter().fold(MoveSet(0), |kept, m| {
            MoveSet(kept.0 | u32::from(keeps(m)) << m.index())
        })
    }
}

/// Returns the inverse of a sequence.
pub fn inverse(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|m| m.inverse()).collect()
}

/// Returns `true` if the sequence is canonical: no face turns twice in a row, and of two opposite
/// faces in a row U turns before D, R before L, and F before B. Every sequence has the same effect
/// as a canonical one that is not longer, so searches try only these.
pub fn is_canonical(moves: &[Move]) -> bool {
    moves
        .windows(2)
        .all(|pair| MoveSet::after(Some(pair[0])).contains(pair[1]))
}

/// Returns the canonical sequence with the same effect: turns of one face are merged and opposite
/// faces are put in order.
pub fn canonical(moves: &[Move]) -> Vec<Move> {
    let mut result: Vec<Move> = Vec::with_capacity(moves.len());
    for &m in moves {
        // Only the moves at the end of `result` on m's axis commute with m. Each face turns at most
        // once among them.
        let run = result
            .iter()
            .rev()
            .take_while(|earlier| earlier.face().axis() == m.face().axis())
            .count();
        let start = result.len() - run;
        match result[start..]
            .iter()
            .position(|earlier| earlier.face() == m.face())
        {
            Some(index) => {
                let quarters = result[start + index].turn().quarters() + m.turn().quarters();
                match Turn::from_quarters(i32::from(quarters)) {
                    Some(turn) => result[start + index] = Move::new(m.face(), turn),
                    None => drop(result.remove(start + index)),
                }
            }
            None => {
                let before = result[start..]
                    .iter()
                    .filter(|earlier| earlier.face() < m.face())
                    .count();
                result.insert(start + before, m);
            }
        }
    }
    result
}

/// Calls `visit` with each canonical sequence of exactly `length` in `metric`, in lexicographic
/// order.
pub fn for_each_sequence(length: u8, metric: Metric, mut visit: impl FnMut(&[Move])) {
    fn extend(
        path: &mut Vec<Move>,
        remaining: u8,
        metric: Metric,
        visit: &mut impl FnMut(&[Move]),
    ) {
        if remaining == 0 {
            return visit(path);
        }
        for m in MoveSet::after(path.last().copied()).iter() {
            if let Some(remaining_after) = remaining.checked_sub(metric.cost(m)) {
                path.push(m);
                extend(path, remaining_after, metric, visit);
                path.pop();
            }
        }
    }
    extend(
        &mut Vec::with_capacity(usize::from(length)),
        length,
        metric,
        &mut visit,
    );
}

/// Returns the number of canonical sequences of each length from 0 to `longest` (Korf 1997, Table
/// 1). From 17 moves on (HTM) the numbers exceed 64 bits.
///
/// # Panics
///
/// Panics if `longest` is more than 34 (HTM) or 39 (QTM): the numbers then exceed 128 bits.
pub fn sequence_counts(longest: usize, metric: Metric) -> Vec<u128> {
    let max_length = if metric == Metric::Htm { 34 } else { 39 };
    assert!(
        longest <= max_length,
        "the numbers of sequences of more than {max_length} moves exceed 128 bits"
    );
    // The number of sequences of each length, by the face of the last move.
    let mut by_face = vec![[0u128; 6]; longest + 1];
    let mut counts = vec![1];
    for length in 1..=longest {
        for m in Move::ALL {
            let cost = usize::from(metric.cost(m));
            let prefix_count = match length.checked_sub(cost) {
                None => 0,
                Some(0) => 1,
                // The moves that may follow depend only on the face of the last move.
                Some(shorter) => Face::ALL
                    .into_iter()
                    .filter(|&last| MoveSet::after(Some(Move::new(last, Turn::Half))).contains(m))
                    .map(|last| by_face[shorter][last.index()])
                    .sum(),
            };
            by_face[length][m.face().index()] += prefix_count;
        }
        counts.push(by_face[length].iter().sum());
    }
    counts
}
