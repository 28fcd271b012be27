//! Explanations: the special properties of a position and of its shortest solutions.

use crate::units::counted;
use cosette::cube::{Cube, Move, Symmetry};
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
            solutions: solutions.map(SharedProperties::of),
        }
    }

    /// Returns the explanation as sentences.
    pub fn sentences(&self) -> Vec<String> {
        // The identity, which fixes every position, is not counted.
        let kinds = [
            (self.rotations.saturating_sub(1), "rotation"),
            (self.mirrors, "mirror image"),
        ];
        let present = kinds.into_iter().filter(|&(count, _)| count > 0);
        let kinds: Vec<String> = present
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
                .filter(|common| !common.first_moves.is_empty())
                .map(SharedProperties::sentence),
        );
        sentences
    }
}

impl SharedProperties {
    fn of(solutions: &[Vec<Move>]) -> SharedProperties {
        let begin = solutions.iter().flat_map(|solution| ends(solution));
        let end = solutions.iter().flat_map(|solution| {
            let backwards: Vec<Move> = solution.iter().rev().copied().collect();
            ends(&backwards)
        });
        SharedProperties {
            count: solutions.len(),
            first_moves: names(begin),
            last_moves: names(end),
        }
    }

    fn sentence(&self) -> String {
        let which = |moves: &[String]| match moves {
            [only] => format!("with {only}"),
            several => format!("with one of {}", several.join(" ")),
        };
        let has_two_ends = self.first_moves.len() > 1 || self.last_moves.len() > 1;
        let who = match self.count {
            1 if has_two_ends => {
                "the only shortest solution, up to the order of opposite faces, begins".to_owned()
            }
            1 => "the only shortest solution begins".to_owned(),
            2 => "both shortest solutions begin".to_owned(),
            count => format!("all {count} shortest solutions begin"),
        };
        let end = if self.count == 1 { "ends" } else { "end" };
        format!(
            "{who} {} and {end} {}",
            which(&self.first_moves),
            which(&self.last_moves)
        )
    }
}

/// Returns the first move, and the second if the two turn opposite faces and can be swapped.
fn ends(moves: &[Move]) -> Vec<Move> {
    match *moves {
        [first, second, ..] if first.face().axis() == second.face().axis() => vec![first, second],
        [first, ..] => vec![first],
        [] => Vec::new(),
    }
}

fn names(moves: impl Iterator<Item = Move>) -> Vec<String> {
    let moves: std::collections::BTreeSet<Move> = moves.collect();
    moves.into_iter().map(|m| m.to_string()).collect()
}
