//! All shortest sequences of a few turns: two searches meet in the middle.
//!
//! The turns of a set with r, f and M are many, and each counts one, so a table of face turns
//! bounds them weakly. So all prefixes of sequences are generated from the case, and all suffixes
//! are known: for each way of holding the cube in which a suffix may begin, the positions that it
//! leads to the goal. A *word* is a sequence in which consecutive turns about one axis are one run
//! of a list; it is a number with five bits for each run.

use super::about_u;
use cosette::Cube;
use cosette::cube::{Axis, LayerTurn, Move, Symmetry};
use std::collections::HashSet;

/// A hash of a position, the same for positions that one sequence leads to the goal, or none.
pub type MeetingKey = fn(&Cube) -> u64;

/// Consecutive turns about one axis.
struct TurnRun {
    turns: Vec<LayerTurn>,
    axis: Axis,
}

/// The runs of some turns, each of which counts one, and the suffixes.
pub struct MeetingSearch {
    runs: Vec<TurnRun>,
    /// By frame and run: the face turns in the frame of the centers, and the frame after them.
    effects: Vec<Vec<(Vec<Move>, Symmetry)>>,
    key: MeetingKey,
    max_suffix: usize,
    /// The key of each suffix, with its frame, and its word, sorted.
    suffixes: Vec<(u64, u64)>,
    /// A bit for the beginning of each key, set if a suffix has it: most keys are looked up here
    /// alone.
    has_suffix: Vec<u64>,
}

/// Number of bits of a key that select a bit of `has_suffix`.
const SELECTING_BITS: u32 = 31;

/// A word and where it leads.
#[derive(Clone, Copy)]
struct SequenceEnd {
    cube: Cube,
    frame: Symmetry,
    word: u64,
    turns: usize,
}

impl SequenceEnd {
    fn empty(cube: Cube, frame: Symmetry) -> SequenceEnd {
        SequenceEnd {
            cube,
            frame,
            word: 0,
            turns: 0,
        }
    }
}

impl MeetingSearch {
    /// Generates the suffixes of at most `max_suffix` turns.
    pub fn new(turns: &[LayerTurn], key: MeetingKey, max_suffix: usize) -> MeetingSearch {
        let runs = runs(turns);
        let effects_in = |frame| {
            let frame = Symmetry::from_index(frame);
            runs.iter()
                .map(|run| moves_in_frame(&run.turns, frame))
                .collect()
        };
        let mut search = MeetingSearch {
            effects: (0..Symmetry::COUNT).map(effects_in).collect(),
            runs,
            key,
            max_suffix,
            suffixes: Vec::new(),
            has_suffix: vec![0; 1 << (SELECTING_BITS - 6)],
        };
        let mut suffixes = Vec::new();
        // Frames that differ by a turn about U are one.
        for frame in search.frames() {
            if to_first(frame) == Symmetry::IDENTITY {
                search.walk(
                    SequenceEnd::empty(Cube::SOLVED, frame),
                    max_suffix,
                    &mut |end| {
                        if end.turns <= max_suffix {
                            suffixes.push((search.key_of(&end.cube.inverse(), frame), end.word));
                        }
                    },
                );
            }
        }
        suffixes.sort_unstable();
        for &(key, _) in &suffixes {
            let (word, bit) = selected_bit(key);
            search.has_suffix[word] |= bit;
        }
        search.suffixes = suffixes;
        search
    }

    /// Returns the frames in which the cube may be held.
    fn frames(&self) -> Vec<Symmetry> {
        let mut frames = vec![Symmetry::IDENTITY];
        let mut done = 0;
        while let Some(&last) = frames.get(done) {
            done += 1;
            for &(_, next) in &self.effects[last.index()] {
                if !frames.contains(&next) {
                    frames.push(next);
                }
            }
        }
        frames
    }

    fn key_of(&self, cube: &Cube, frame: Symmetry) -> u64 {
        let turned = to_first(frame);
        let key = (self.key)(&cube.conjugate(turned));
        (key ^ frame.then(turned).index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Visits all words that begin like this one, extended while they have fewer than `max_turns`
    /// turns.
    fn walk(&self, from: SequenceEnd, max_turns: usize, visit: &mut dyn FnMut(SequenceEnd)) {
        visit(from);
        if from.turns >= max_turns {
            return;
        }
        let last_axis = self.last(from.word).map(|run| run.axis);
        let runs = self.runs.iter().zip(&self.effects[from.frame.index()]);
        for (number, (run, (moves, frame))) in (1..).zip(runs) {
            if last_axis != Some(run.axis) {
                let next = SequenceEnd {
                    cube: from.cube.apply_moves(moves),
                    frame: *frame,
                    word: from.word << 5 | number,
                    turns: from.turns + run.turns.len(),
                };
                self.walk(next, max_turns, visit);
            }
        }
    }

    fn last(&self, word: u64) -> Option<&TurnRun> {
        let number = (word & 31).checked_sub(1)?;
        Some(&self.runs[number as usize])
    }

    fn turns_of(&self, mut word: u64) -> Vec<LayerTurn> {
        let mut turns = Vec::new();
        while let Some(run) = self.last(word) {
            turns.splice(..0, run.turns.iter().copied());
            word >>= 5;
        }
        turns
    }

    /// Returns all sequences of `length` turns that lead from a position to the goal, if none is
    /// shorter.
    pub fn solutions(&self, position: &Cube, length: usize) -> Vec<Vec<LayerTurn>> {
        let min_prefix = length.saturating_sub(self.max_suffix);
        let mut solutions = Vec::new();
        let start = SequenceEnd::empty(*position, Symmetry::IDENTITY);
        // A prefix is the shortest with so many turns; without its last run it has fewer.
        self.walk(start, min_prefix, &mut |prefix| {
            let key = self.key_of(&prefix.cube, prefix.frame);
            let (word, bit) = selected_bit(key);
            if prefix.turns < min_prefix || self.has_suffix[word] & bit == 0 {
                return;
            }
            let axis = self.last(prefix.word).map(|run| run.axis);
            let first = self.suffixes.partition_point(|suffix| suffix.0 < key);
            let suffixes = self.suffixes[first..].iter();
            for &(_, suffix) in suffixes.take_while(|suffix| suffix.0 == key) {
                let suffix = self.turns_of(suffix);
                let continues_run =
                    axis.is_some() && axis == suffix.first().map(|turn| turn.axis());
                if prefix.turns + suffix.len() == length && !continues_run {
                    solutions.push([self.turns_of(prefix.word), suffix].concat());
                }
            }
        });
        solutions
    }
}

/// Returns the shortest runs, at most three turns about one axis, for each effect.
fn runs(turns: &[LayerTurn]) -> Vec<TurnRun> {
    let mut runs: Vec<TurnRun> = Vec::new();
    let mut seen = HashSet::from([(Cube::SOLVED, Symmetry::IDENTITY)]);
    for length in 1..=3 {
        let mut shorter = vec![Vec::new()];
        if length > 1 {
            let known = runs.iter().map(|run| run.turns.clone());
            shorter = known.filter(|turns| turns.len() == length - 1).collect();
        }
        for shorter in shorter {
            for &turn in turns {
                if shorter
                    .iter()
                    .any(|other: &LayerTurn| other.axis() != turn.axis())
                {
                    continue;
                }
                let turns = [&shorter[..], &[turn]].concat();
                let (moves, frame) = moves_in_frame(&turns, Symmetry::IDENTITY);
                if seen.insert((Cube::from_moves(&moves), frame)) {
                    let axis = turn.axis();
                    runs.push(TurnRun { turns, axis });
                }
            }
        }
    }
    runs
}

/// Returns the face turns of a sequence in the frame of the centers, and the frame after it.
pub fn moves_in_frame(turns: &[LayerTurn], mut frame: Symmetry) -> (Vec<Move>, Symmetry) {
    let mut moves = Vec::new();
    for turn in turns {
        moves.extend(turn.face_turns().map(|m| frame.conjugate_move(m)));
        frame = turn.rotation().inverse().then(frame);
    }
    (moves, frame)
}

/// Returns the turn about U, which changes no goal of the last layer, that carries a frame to the
/// first of four.
fn to_first(frame: Symmetry) -> Symmetry {
    about_u()
        .min_by_key(|&turn| frame.then(turn).index())
        .unwrap_or(Symmetry::IDENTITY)
}

/// Returns the bit for a key: a word, and the bit in it.
fn selected_bit(key: u64) -> (usize, u64) {
    let bits = key >> (u64::BITS - SELECTING_BITS);
    ((bits >> 6) as usize, 1 << (bits & 63))
}
