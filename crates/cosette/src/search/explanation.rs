//! Explanations: the special properties of a position and of its shortest solutions.

use crate::cube::{Cube, Move, Symmetry};
use crate::numbers::counted;
use serde::{Deserialize, Serialize};

/// The special properties of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Explanation {
    /// The number of the 24 rotations of the whole cube that fix the position, including the
    /// identity.
    pub rotations: usize,
    /// The number of the 24 mirrored symmetries that fix it.
    pub mirrors: usize,
    /// The number of the 48 symmetries that map it to its inverse.
    pub inverting: usize,
    /// The order of the position: the number of repetitions that give the solved cube.
    pub order: u32,
    /// `true` if its permutation of the corners is odd; that of the edges has the same parity.
    pub is_odd: bool,
    /// The common properties of all shortest solutions, if all of them are known.
    pub solutions: Option<SharedProperties>,
}

/// The common properties of all shortest solutions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedProperties {
    /// The number of shortest solutions, including symmetric ones.
    pub count: usize,
    /// The first moves that occur.
    pub first_moves: Vec<String>,
    /// The last moves that occur.
    pub last_moves: Vec<String>,
}

impl Explanation {
    /// Explains a position; `solutions` are all its shortest solutions, if they are known.
    pub fn new(position: &Cube, solutions: Option<&[Vec<Move>]>) -> Explanation {
        let stabilizer = position.symmetries();
        let inverse = position.inverse();
        Explanation {
            rotations: stabilizer.iter().filter(|s| !s.is_mirror()).count(),
            mirrors: stabilizer.iter().filter(|s| s.is_mirror()).count(),
            inverting: Symmetry::all()
                .filter(|&s| position.conjugate(s) == inverse)
                .count(),
            order: position.order(),
            is_odd: position.is_odd(),
            solutions: solutions.map(SharedProperties::from_solutions),
        }
    }

    /// Returns the explanation as sentences.
    pub fn sentences(&self) -> Vec<String> {
        // The identity, which fixes every position, is not counted.
        let symmetries = [
            (self.rotations - 1, "rotation"),
            (self.mirrors, "mirror image"),
        ];
        let symmetries = symmetries.into_iter().filter(|&(count, _)| count > 0);
        let kinds: Vec<String> = symmetries
            .map(|(count, kind)| counted(count as u64, kind))
            .collect();
        let kinds = kinds.join(" and ");
        let fixed = match self.rotations + self.mirrors - 1 {
            0 => "no symmetry except the identity fixes it".to_owned(),
            1 => format!("1 symmetry besides the identity fixes it: {kinds}"),
            others => format!("{others} symmetries besides the identity fix it: {kinds}"),
        };
        let inverting = match self.inverting {
            0 => "no symmetry maps it to its inverse".to_owned(),
            1 => "one symmetry maps it to its inverse".to_owned(),
            many => format!("{many} symmetries map it to its inverse"),
        };
        let order = match self.order {
            1 => "it is solved".to_owned(),
            2 => "repeated twice, it returns to solved (order 2)".to_owned(),
            order => format!("repeated {order} times, it returns to solved"),
        };
        let parity = if self.is_odd { "odd" } else { "even" };
        let parity = format!(
            "the permutations of corners and edges are {parity}: every solution has an {parity} \
                number of quarter turns"
        );
        let mut sentences = vec![fixed, inverting, order, parity];
        sentences.extend(
            self.solutions
                .iter()
                .filter(|shared| !shared.first_moves.is_empty())
                .map(SharedProperties::sentence),
        );
        sentences
    }
}

impl SharedProperties {
    fn from_solutions(solutions: &[Vec<Move>]) -> SharedProperties {
        let first = solutions.iter().flat_map(|solution| first_moves(solution));
        let last = solutions.iter().flat_map(|solution| {
            let backwards: Vec<Move> = solution.iter().rev().copied().collect();
            first_moves(&backwards)
        });
        SharedProperties {
            count: solutions.len(),
            first_moves: sorted_names(first),
            last_moves: sorted_names(last),
        }
    }

    fn sentence(&self) -> String {
        let with_moves = |moves: &[String]| match moves {
            [single] => format!("with {single}"),
            several => format!("with one of {}", several.join(" ")),
        };
        let subject = match self.count {
            // One solution begins or ends with several moves only if turns of opposite faces can be
            // swapped.
            1 if self.first_moves.len() > 1 || self.last_moves.len() > 1 => {
                "the only shortest solution, up to the order of opposite faces, begins".to_owned()
            }
            1 => "the only shortest solution begins".to_owned(),
            2 => "both shortest solutions begin".to_owned(),
            count => format!("all {count} shortest solutions begin"),
        };
        let verb = if self.count == 1 { "ends" } else { "end" };
        format!(
            "{subject} {} and {verb} {}",
            with_moves(&self.first_moves),
            with_moves(&self.last_moves)
        )
    }
}

/// Returns the moves with which a sequence can begin: the first move, and also the second if they
/// turn opposite faces and can therefore be swapped.
fn first_moves(moves: &[Move]) -> Vec<Move> {
    match *moves {
        [first, second, ..] if first.face().axis() == second.face().axis() => vec![first, second],
        [first, ..] => vec![first],
        [] => Vec::new(),
    }
}

fn sorted_names(moves: impl Iterator<Item = Move>) -> Vec<String> {
    let moves: std::collections::BTreeSet<Move> = moves.collect();
    moves.into_iter().map(|m| m.to_string()).collect()
}
