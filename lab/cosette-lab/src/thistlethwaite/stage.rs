//! A stage: the distances of all cosets of a subgroup, and the path down.

use super::coordinate::{Coordinate, Feature, flips, middle_slots, nothing, twists};
use crate::packed::Counts;
use crate::space::UNREACHED;
use cosette::cube::{Cube, Move};

/// A stage: from a group into the next smaller one.
pub struct Stage {
    group: &'static str,
    moves: Vec<Move>,
    coordinates: [Coordinate; 2],
    /// The distance of each pair of numbers, those with one first number beside each other.
    distances: Vec<u8>,
    counts: Counts,
}

impl Stage {
    /// The distances of all cosets of some subgroups, by all moves; with what is right in each.
    pub fn subgroups() -> impl ExactSizeIterator<Item = (&'static str, Stage)> {
        let kinds: [(&str, [Feature; 2]); 5] = [
            ("flips", [flips, nothing]),
            ("twists", [twists, nothing]),
            ("flips and slots of the slice", [flips, middle_slots]),
            ("twists and slots of the slice", [twists, middle_slots]),
            ("flips and twists", [flips, twists]),
        ];
        kinds.into_iter().map(|(name, features)| (name, Stage::new("", |_| true, features)))
    }

    /// Computes the distances, with the moves that `is_of_group` says belong to the group.
    pub(super) fn new(group: &'static str, is_of_group: impl Fn(Move) -> bool, features: [Feature; 2]) -> Stage {
        let moves: Vec<Move> = Move::ALL.into_iter().filter(|&m| is_of_group(m)).collect();
        let coordinates = features.map(|feature| Coordinate::discover(feature, &moves));
        let distances = vec![UNREACHED; coordinates[0].count() * coordinates[1].count()];
        let mut stage = Stage { group, moves, coordinates, distances, counts: Vec::new() };
        stage.distances[0] = 0;
        let mut level = vec![0];
        for distance in 1.. {
            stage.counts.push(level.len() as u64);
            let mut next = Vec::new();
            for coset in level {
                for &m in &stage.moves {
                    let neighbour = stage.turned(coset, m);
                    if stage.distances[neighbour] == UNREACHED {
                        stage.distances[neighbour] = distance;
                        next.push(neighbour);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        stage
    }

    /// The generators of its group, as in `⟨U,D,R2,L2,F2,B2⟩`.
    pub fn group(&self) -> &'static str {
        self.group
    }

    /// The moves of its group.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How many cosets of the next subgroup there are in the group.
    pub fn cosets(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many cosets there are at each distance.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The largest distance.
    pub fn diameter(&self) -> u8 {
        self.counts.len() as u8 - 1
    }

    /// The mean distance.
    pub fn mean(&self) -> f64 {
        let sum: u64 = self.counts.iter().zip(0..).map(|(count, distance)| count * distance).sum();
        sum as f64 / self.cosets() as f64
    }

    /// How many moves of the group the position needs to the next subgroup; `None` where it looks like no position of
    /// the group. One outside that looks like one inside has the distance of that one.
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.coset(position).map(|coset| self.distances[coset])
    }

    /// A shortest sequence of moves from a position of the group into the next subgroup; `None` as for
    /// [`Stage::distance`].
    pub fn path(&self, position: &Cube) -> Option<Vec<Move>> {
        let mut coset = self.coset(position)?;
        let mut path = Vec::new();
        while self.distances[coset] > 0 {
            let nearer = self.distances[coset] - 1;
            let neighbours = self.moves.iter().map(|&m| (m, self.turned(coset, m)));
            let step = neighbours.into_iter().find(|&(_, neighbour)| self.distances[neighbour] == nearer);
            let (m, neighbour) = step.expect("a coset has a neighbour nearer by one");
            path.push(m);
            coset = neighbour;
        }
        Some(path)
    }

    /// How many nodes were generated for this path: at each step the moves up to the one that led nearer.
    pub(super) fn nodes_along(&self, path: &[Move]) -> u64 {
        let tried = |m: &Move| self.moves.iter().position(|other| other == m).map_or(0, |before| before as u64 + 1);
        path.iter().map(tried).sum()
    }

    fn coset(&self, position: &Cube) -> Option<usize> {
        let [first, second] = &self.coordinates;
        Some(first.of(position)? * second.count() + second.of(position)?)
    }

    fn turned(&self, coset: usize, m: Move) -> usize {
        let [first, second] = &self.coordinates;
        let columns = second.count();
        first.turned(coset / columns, m) * columns + second.turned(coset % columns, m)
    }
}
