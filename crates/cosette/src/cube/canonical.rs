//! Canonical sequences: one way of writing each sequence of moves.
//!
//! Two consecutive turns of one face equal one turn or none, and turns of opposite faces commute. So a search need only
//! try sequences in which no face turns twice in a row and opposite faces turn in one order: U before D, R before L, F
//! before B (Korf 1997, section 3). The first move has 18 choices, a later one 15 after U, R or F and 12 after D, L or
//! B.

use super::moves::{Face, Metric, Move, Turn};

/// A set of moves, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveSet(u32);

impl MoveSet {
    /// All eighteen moves.
    pub const ALL: MoveSet = MoveSet((1 << Move::COUNT) - 1);

    /// The moves that may follow `last` in a canonical sequence; all moves if `last` is `None`.
    pub const fn after(last: Option<Move>) -> MoveSet {
        match last {
            None => MoveSet::ALL,
            Some(m) => {
                let face = m.face();
                let mut set = MoveSet::ALL.0 & !(0b111 << (face.index() * 3));
                if face.index() >= 3 {
                    set &= !(0b111 << (face.opposite().index() * 3));
                }
                MoveSet(set)
            }
        }
    }

    /// The set as bits: bit i stands for the move numbered i.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether `m` is in the set.
    pub const fn contains(self, m: Move) -> bool {
        self.0 >> m.index() & 1 == 1
    }

    /// The moves of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = (left != 0).then(|| Move::from_index(left.trailing_zeros() as usize));
            left &= left.wrapping_sub(1);
            next
        })
    }

    pub(crate) const fn of(moves: &[Move]) -> MoveSet {
        let (mut set, mut i) = (MoveSet(0), 0);
        while i < moves.len() {
            set.0 |= 1 << moves[i].index();
            i += 1;
        }
        set
    }

    pub(crate) const fn without(self, others: MoveSet) -> MoveSet {
        MoveSet(self.0 & !others.0)
    }

    /// The moves for which `keeps` is true, computed without a branch for each.
    #[inline(always)]
    #[must_use]
    pub fn filter(self, mut keeps: impl FnMut(Move) -> bool) -> MoveSet {
        self.iter().fold(MoveSet(0), |kept, m| MoveSet(kept.0 | u32::from(keeps(m)) << m.index()))
    }
}

/// The sequence that undoes this one.
pub fn inverse(moves: &[Move]) -> Vec<Move> {
    moves.iter().rev().map(|m| m.inverse()).collect()
}

/// Whether the sequence is canonical.
pub fn is_canonical(moves: &[Move]) -> bool {
    moves.windows(2).all(|pair| MoveSet::after(Some(pair[0])).contains(pair[1]))
}

/// The canonical sequence with the same effect: turns of one face are added up and opposite faces are put in order.
pub fn canonical(moves: &[Move]) -> Vec<Move> {
    let mut result: Vec<Move> = Vec::with_capacity(moves.len());
    for &m in moves {
        // Only the run of moves on m's axis at the end commutes with m; it has one turn of each face at most.
        let run = result.iter().rev().take_while(|last| last.face().axis() == m.face().axis()).count();
        let start = result.len() - run;
        match result[start..].iter().position(|last| last.face() == m.face()) {
            Some(at) => {
                let quarters = result[start + at].turn().quarters() + m.turn().quarters();
                match Turn::from_quarters(i32::from(quarters)) {
                    Some(turn) => result[start + at] = Move::new(m.face(), turn),
                    None => drop(result.remove(start + at)),
                }
            }
            None => {
                let before = result[start..].iter().filter(|last| last.face() < m.face()).count();
                result.insert(start + before, m);
            }
        }
    }
    result
}

/// Calls `visit` with each canonical sequence of exactly `length` in `metric`, in lexicographic order.
pub fn for_each_sequence(length: u8, metric: Metric, mut visit: impl FnMut(&[Move])) {
    fn extend(path: &mut Vec<Move>, remaining: u8, metric: Metric, visit: &mut impl FnMut(&[Move])) {
        if remaining == 0 {
            return visit(path);
        }
        for m in MoveSet::after(path.last().copied()).iter() {
            if let Some(rest) = remaining.checked_sub(metric.cost(m)) {
                path.push(m);
                extend(path, rest, metric, visit);
                path.pop();
            }
        }
    }
    extend(&mut Vec::with_capacity(usize::from(length)), length, metric, &mut visit);
}

/// How many canonical sequences there are of each length from 0 to `longest` (Korf 1997, Table 1). From 17 moves on
/// (HTM) the numbers exceed 64 bits; up to 34 moves, 128 bits are enough.
pub fn sequence_counts(longest: usize, metric: Metric) -> Vec<u128> {
    // After U, R or F all but one face may turn; after D, L or B all but two. By the face of the last move:
    let turns_of_cost = |cost: usize| match (metric, cost) {
        (Metric::Htm, 1) => 3,
        (Metric::Qtm, 1) => 2,
        (Metric::Qtm, 2) => 1,
        (Metric::Htm | Metric::Qtm, _) => 0,
    };
    let mut by_face = vec![[0u128; 6]; longest + 1];
    let mut counts = vec![1];
    for length in 1..=longest {
        for face in Face::ALL {
            for cost in 1..=2.min(length) {
                let before: u128 = match length - cost {
                    0 => 1,
                    shorter => Face::ALL
                        .into_iter()
                        .filter(|&last| last != face && !(last.index() >= 3 && last.opposite() == face))
                        .map(|last| by_face[shorter][last.index()])
                        .sum(),
                };
                by_face[length][face.index()] += before * turns_of_cost(cost);
            }
        }
        counts.push(by_face[length].iter().sum());
    }
    counts
}
