//! The perimeter modulo symmetry, in memory: one record for each class, 16 bytes.
//!
//! What one would store today: within seven moves there are 2,273,730 classes for 109,043,123 positions, so all of them take 36 MB.
//! A look-up costs the 48 conjugates of the position's corners, a microsecond or so.

use super::classes::{self, representative};
use super::record::{Key, Record};
use super::{MAX_DEPTH, StoredError};
use crate::lab::LabError;
use crate::lee::Perimeter;
use crate::lee::blocks::in_pool;
use cosette::Cancel;
use cosette::cube::{Cube, Move, Symmetry};
use std::num::NonZeroUsize;

/// The classes of all positions within some moves of solved, in memory.
pub struct Folded {
    /// By distance, each level sorted.
    levels: Vec<Vec<Record>>,
}

impl Folded {
    /// The classes within `depth` moves.
    ///
    /// # Errors
    /// If `depth` is more than [`MAX_DEPTH`], if the threads cannot be started, or on cancellation.
    pub fn new(depth: u8, threads: NonZeroUsize, cancel: &Cancel) -> Result<Folded, LabError> {
        if depth > MAX_DEPTH {
            return Err(StoredError::TooDeep { found: depth, most: MAX_DEPTH }.into());
        }
        in_pool(threads, || {
            let mut levels = vec![vec![Record::new(Key(0), None)]];
            for nearer in 0..usize::from(depth) {
                let before = nearer.checked_sub(1).map_or(&[][..], |before| &levels[before]);
                let next = classes::next(before, &levels[nearer], cancel)?;
                levels.push(next);
            }
            Ok(Folded { levels })
        })?
    }

    /// How many classes there are at each distance.
    pub fn classes(&self) -> Vec<u64> {
        self.levels.iter().map(|level| level.len() as u64).collect()
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> u64 {
        self.classes().iter().sum::<u64>() * size_of::<Record>() as u64
    }

    /// The distance of the position, and a move that leads closer to solved.
    fn find(&self, position: &Cube) -> Option<(u8, Option<Move>)> {
        let (key, s) = representative(position);
        let back = s.inverse();
        // Most classes are on the last level.
        self.levels.iter().enumerate().rev().find_map(|(distance, level)| {
            let at = level.binary_search_by_key(&key, |record| record.key()).ok()?;
            Some((distance as u8, level[at].home().map(|home| Symmetry::conjugate_move(back, home))))
        })
    }
}

impl Perimeter for Folded {
    fn distance(&self, position: &Cube) -> Option<u8> {
        self.find(position).map(|(distance, _)| distance)
    }

    fn depth(&self) -> u8 {
        self.levels.len() as u8 - 1
    }

    fn way_home(&self, position: &Cube) -> Option<Vec<Move>> {
        let (mut position, mut way) = (*position, Vec::new());
        while let Some(home) = self.find(&position)?.1 {
            way.push(home);
            position = position.turned(home);
        }
        Some(way)
    }
}
