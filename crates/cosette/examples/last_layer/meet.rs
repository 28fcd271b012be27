//! All shortest sequences of turns that move the centers: two searches meet in the middle.
//!
//! The turns of a set with r, f and M are many, and each counts one: what a table of turns of faces
//! says of them is weak. So all beginnings of sequences are made from the case, and all ends are
//! known: for each way of holding the cube in which an end may begin, what it leads to the goal. A
//! *word* is a sequence in which turns about one axis that follow each other are one run of a kind;
//! it is a number with five bits for each run.

use super::about_u;
use cosette::Cube;
use cosette::cube::{Axis, LayerTurn, Move, Symmetry};
use std::collections::HashSet;

/// What is not told apart has the same key: positions that one sequence leads to the goal, or none.
pub type Key = fn(&Cube) -> u64;

/// Turns about one axis, one after the other.
struct Run {
    turns: Vec<LayerTurn>,
    axis: Axis,
}

/// The runs of some turns, of which each counts one, and the ends.
pub struct Meet {
    runs: Vec<Run>,
    /// By holding and run: the turns of faces, as the centers see them, and how the cube is held
    /// then.
    acts: Vec<Vec<(Vec<Move>, Symmetry)>>,
    key: Key,
    /// The most turns of an end.
    longest: usize,
    /// Each end's key, with how the cube is held, and its word, sorted.
    ends: Vec<(u64, u64)>,
    /// A bit for the beginning of each key, set if an end has it: most keys are looked up here
    /// alone.
    has_end: Vec<u64>,
}

/// Of how many bits of a key it is told whether an end begins so.
const BITS_TOLD: u32 = 31;

/// A word as far as it is made.
#[derive(Clone, Copy)]
struct Made {
    cube: Cube,
    held: Symmetry,
    word: u64,
    turns: usize,
}

impl Meet {
    /// The ends of at most `longest` turns.
    pub fn new(turns: &[LayerTurn], key: Key, longest: usize) -> Meet {
        let moves = |run: &Run, held: Symmetry| {
            let mut at = Made {
                cube: Cube::SOLVED,
                held,
                word: 0,
                turns: 0,
            };
            let mut moves = Vec::new();
            for turn in &run.turns {
                moves.extend(turn.face_turns().map(|m| at.held.conjugate_move(m)));
                at.held = turn.rotation().inverse().then(at.held);
            }
            (moves, at.held)
        };
        let mut runs: Vec<Run> = Vec::new();
        let mut seen = HashSet::from([(Cube::SOLVED, Symmetry::IDENTITY)]);
        for length in 1..=3 {
            let shorter: Vec<Vec<LayerTurn>> = match length {
                1 => vec![Vec::new()],
                _ => runs
                    .iter()
                    .map(|run| run.turns.clone())
                    .filter(|turns| turns.len() == length - 1)
                    .collect(),
            };
            for shorter in shorter {
                for &turn in turns
                    .iter()
                    .filter(|turn| shorter.iter().all(|other| other.axis() == turn.axis()))
                {
                    let run = Run {
                        turns: [&shorter[..], &[turn]].concat(),
                        axis: turn.axis(),
                    };
                    let (moves, held) = moves(&run, Symmetry::IDENTITY);
                    if seen.insert((Cube::from_moves(&moves), held)) {
                        runs.push(run);
                    }
                }
            }
        }
        let acts = (0..Symmetry::COUNT)
            .map(|held| {
                runs.iter()
                    .map(|run| moves(run, Symmetry::from_index(held)))
                    .collect()
            })
            .collect();
        let meet = Meet {
            runs,
            acts,
            key,
            longest,
            ends: Vec::new(),
            has_end: Vec::new(),
        };
        let mut ends = Vec::new();
        // Holdings that differ by a turn about U are one.
        for held in meet
            .holdings()
            .into_iter()
            .filter(|&held| to_first(held) == Symmetry::IDENTITY)
        {
            let solved = Made {
                cube: Cube::SOLVED,
                held,
                word: 0,
                turns: 0,
            };
            meet.walk(solved, longest, &mut |end| {
                if end.turns <= longest {
                    ends.push((meet.key_of(&end.cube.inverse(), held), end.word));
                }
            });
        }
        ends.sort_unstable();
        let mut has_end = vec![0; 1 << (BITS_TOLD - 6)];
        ends.iter()
            .map(|end| place_of(end.0))
            .for_each(|(word, bit)| has_end[word] |= bit);
        Meet {
            ends,
            has_end,
            ..meet
        }
    }

    /// The ways in which the cube may be held.
    fn holdings(&self) -> Vec<Symmetry> {
        let mut held = vec![Symmetry::IDENTITY];
        let mut done = 0;
        while let Some(&last) = held.get(done) {
            done += 1;
            for &(_, next) in &self.acts[last.index()] {
                if !held.contains(&next) {
                    held.push(next);
                }
            }
        }
        held
    }

    fn key_of(&self, cube: &Cube, held: Symmetry) -> u64 {
        let turned = to_first(held);
        let (cube, held) = (cube.conjugate(turned), held.then(turned));
        ((self.key)(&cube) ^ held.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Makes all words that begin so: visits each, and goes on from it while it has fewer than
    /// `most` turns.
    fn walk(&self, made: Made, most: usize, visit: &mut dyn FnMut(Made)) {
        visit(made);
        if made.turns >= most {
            return;
        }
        for (number, (run, (moves, held))) in self
            .runs
            .iter()
            .zip(&self.acts[made.held.index()])
            .enumerate()
        {
            if self
                .last(made.word)
                .is_some_and(|last| last.axis == run.axis)
            {
                continue;
            }
            let word = made.word << 5 | (number as u64 + 1);
            let turns = made.turns + run.turns.len();
            self.walk(
                Made {
                    cube: made.cube.apply_moves(moves),
                    held: *held,
                    word,
                    turns,
                },
                most,
                visit,
            );
        }
    }

    fn last(&self, word: u64) -> Option<&Run> {
        (word & 31)
            .checked_sub(1)
            .map(|run| &self.runs[run as usize])
    }

    fn of_word(&self, mut word: u64) -> Vec<&Run> {
        let mut runs = Vec::new();
        while let Some(run) = self.last(word) {
            runs.insert(0, run);
            word >>= 5;
        }
        runs
    }

    /// All sequences of `length` turns that lead from a position to the goal, if none is shorter.
    pub fn solutions(&self, position: &Cube, length: usize) -> Vec<Vec<LayerTurn>> {
        let (most, mut found) = (length.saturating_sub(self.longest), Vec::new());
        let start = Made {
            cube: *position,
            held: Symmetry::IDENTITY,
            word: 0,
            turns: 0,
        };
        // A beginning is the shortest that has so many turns; what is before its last run has
        // fewer.
        self.walk(start, most, &mut |begun| {
            if begun.turns >= most {
                let key = self.key_of(&begun.cube, begun.held);
                let (word, bit) = place_of(key);
                if self.has_end[word] & bit == 0 {
                    return;
                }
                let first = self.ends.partition_point(|end| end.0 < key);
                for &(_, end) in self.ends[first..].iter().take_while(|end| end.0 == key) {
                    let (begin, end) = (self.of_word(begun.word), self.of_word(end));
                    let turns: Vec<LayerTurn> = begin
                        .iter()
                        .chain(&end)
                        .flat_map(|run| run.turns.clone())
                        .collect();
                    let meets_itself = begin
                        .last()
                        .zip(end.first())
                        .is_some_and(|(last, first)| last.axis == first.axis);
                    if turns.len() == length && !meets_itself {
                        found.push(turns);
                    }
                }
            }
        });
        found
    }
}

/// How the whole cube is turned about U, which changes no goal of the last layer, so that it is
/// held in the first of four ways.
fn to_first(held: Symmetry) -> Symmetry {
    about_u()
        .min_by_key(|&turn| held.then(turn).index())
        .unwrap_or(Symmetry::IDENTITY)
}

/// Where it is told whether an end begins as this key does: a word, and a bit in it.
fn place_of(key: u64) -> (usize, u64) {
    let told = key >> (u64::BITS - BITS_TOLD);
    ((told >> 6) as usize, 1 << (told & 63))
}
