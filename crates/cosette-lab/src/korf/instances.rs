//! Instances: positions from a file, or random walks as the paper makes them.
//!
//! The paper's ten are "100 random moves" from solved, no face turned twice running. A file has a position a line, in any
//! format that `cosette solve` reads; blank lines are skipped.

use crate::error::LabError;
use cosette::cube::{Cube, Face, Move, ReadOptions, Turn, read_position};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// Where instances come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instances {
    /// A file with a position a line.
    File(PathBuf),
    /// Random walks of 100 moves, the same for the same seed.
    Walks {
        /// How many.
        count: usize,
        /// The seed.
        seed: u64,
    },
}

/// How many moves a random walk has.
pub const WALK: usize = 100;

impl Instances {
    /// The positions.
    ///
    /// # Errors
    /// If the file cannot be read, has no line, or one that is no position.
    pub fn positions(&self) -> Result<Vec<Cube>, LabError> {
        match self {
            Instances::File(path) => read(path),
            Instances::Walks { count, seed } => {
                let mut rng = ChaCha8Rng::seed_from_u64(*seed);
                Ok((0..*count).map(|_| Cube::from_moves(&walk(&mut rng))).collect())
            }
        }
    }
}

fn read(path: &Path) -> Result<Vec<Cube>, LabError> {
    let refused = |source| LabError::Io { action: "read", path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(refused)?;
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let position = |(text, line): (&str, usize)| match read_position(text, None, &ReadOptions::default()) {
        Ok(input) => Ok(input.cube),
        Err(source) => Err(LabError::NoScramble { path: path.to_owned(), line, source }),
    };
    let positions: Vec<Cube> = lines.map(position).collect::<Result<_, LabError>>()?;
    if positions.is_empty() { Err(LabError::NoInstances { path: path.to_owned() }) } else { Ok(positions) }
}

/// Random moves, no face twice running.
fn walk(rng: &mut ChaCha8Rng) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::with_capacity(WALK);
    while moves.len() < WALK {
        let face = Face::from_index(rng.random_range(0..6));
        let turn = Turn::ALL[rng.random_range(0..3)];
        if moves.last().is_none_or(|last| last.face() != face) {
            moves.push(Move::new(face, turn));
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_turn_no_face_twice_running_and_depend_on_the_seed_alone() {
        let moves = walk(&mut ChaCha8Rng::seed_from_u64(5));
        assert_eq!(moves.len(), WALK);
        assert!(moves.windows(2).all(|pair| pair[0].face() != pair[1].face()));
        let walks = |seed| Instances::Walks { count: 3, seed }.positions().expect("walks need no file");
        assert_eq!(walks(5), walks(5));
        assert_ne!(walks(5), walks(6));
        assert_eq!(walks(5)[0], Cube::from_moves(&moves));
    }
}
