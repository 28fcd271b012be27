//! Exact distances near the solved cube, by brute force.

use crate::geometry::{Colors, FaceletPermutation, LayerRotation, apply, solved};
use std::collections::HashMap;

/// All positions up to `radius` moves from the solved cube, with their distances. With them, all
/// solutions of up to twice as many moves can be counted.
pub struct NearSolved {
    /// All face turns, with their costs.
    turns: Vec<(LayerRotation, FaceletPermutation, usize)>,
    radius: usize,
    distances: HashMap<Colors, usize>,
}

impl NearSolved {
    /// Prepares counting solutions of up to `length` quarter turns or face turns.
    pub fn new(length: usize, by_quarters: bool) -> NearSolved {
        let turns = LayerRotation::of_faces()
            .map(|turn| (turn, turn.permutation(), turn.cost(by_quarters)))
            .collect();
        let mut near = NearSolved {
            turns,
            radius: length.div_ceil(2),
            distances: HashMap::new(),
        };
        near.distances.insert(solved(), 0);
        let mut last = vec![solved()];
        for distance in 1..=near.radius {
            let mut next = Vec::new();
            // The turns of cost 1 suffice: if a half turn costs 2, it is two quarter turns.
            for position in last {
                for (_, permutation, _) in near.turns.iter().filter(|(.., cost)| *cost == 1) {
                    let neighbor = apply(&position, permutation);
                    near.distances.entry(neighbor).or_insert_with(|| {
                        next.push(neighbor);
                        distance
                    });
                }
            }
            last = next;
        }
        near
    }

    /// Returns the number of solutions of a position with exactly `length` moves. Sequences that
    /// differ only in the order of turns of opposite faces count once; sequences in which a face
    /// turns twice in a row do not count.
    pub fn solutions(&self, position: &Colors, length: usize) -> u64 {
        self.continuations(position, length, None)
    }

    /// Returns the number of solutions of exactly `remaining` moves that may follow the turn
    /// `last`.
    fn continuations(
        &self,
        position: &Colors,
        remaining: usize,
        last: Option<&LayerRotation>,
    ) -> u64 {
        if remaining <= self.radius
            && self
                .distances
                .get(position)
                .is_none_or(|&distance| distance > remaining)
        {
            return 0;
        }
        if remaining == 0 {
            return 1;
        }
        // About the same axis, only the opposite face may follow, and only after U, R or F.
        let may_follow = |turn: &LayerRotation| {
            last.is_none_or(|last| {
                !turn.has_axis_of(last) || !turn.has_layers_of(last) && last.is_on_first_side()
            })
        };
        let possible = self
            .turns
            .iter()
            .filter(|(turn, _, cost)| *cost <= remaining && may_follow(turn));
        possible
            .map(|(turn, permutation, cost)| {
                self.continuations(&apply(position, permutation), remaining - cost, Some(turn))
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{after, read_turns};

    #[test]
    fn positions_at_each_distance_have_the_known_numbers() {
        // Korf 1997 and cube20.org: positions at each distance.
        for (by_quarters, known) in [(false, [1, 18, 243, 3240]), (true, [1, 12, 114, 1068])] {
            let near = NearSolved::new(6, by_quarters);
            let counts: [usize; 4] = std::array::from_fn(|n| {
                near.distances
                    .values()
                    .filter(|&&distance| distance == n)
                    .count()
            });
            assert_eq!(counts, known);
        }
    }

    #[test]
    fn orders_of_turns_of_opposite_faces_count_once() {
        let count = |text: &str, by_quarters, length| {
            NearSolved::new(6, by_quarters)
                .solutions(&after(&solved(), &read_turns(text).unwrap()), length)
        };
        assert_eq!([count("U D", false, 1), count("U D", false, 2)], [0, 1]);
        assert_eq!([count("U2", true, 1), count("U2", true, 2)], [0, 1]);
        // The two are inverses of each other, so they have equally many solutions.
        assert_eq!(
            count("R2 L2 U2 D2", false, 4),
            count("U2 D2 R2 L2", false, 4)
        );
        assert_eq!(count("R U F", false, 3), 1);
    }
}
