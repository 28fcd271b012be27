//! The levels of the breadth-first search from solved, each held as symmetry classes and read in order.
//!
//! # The classes
//!
//! The 48 conjugates of a position are equally far from solved, so a breadth-first search need only keep one of each class,
//! and there are 2,101,575 classes at distance 7 where there are 100,803,036 positions. Every neighbour of a class at distance d
//! is a conjugate of a child of its representative.
//!
//! ```text
//! next level: the representatives of all children, sorted, each once, without those of the last two levels
//! ```
//!
//! # The positions in order
//!
//! Positions are sorted by their corners first. A *run* is what the representatives of a level share: the arrangement of
//! the corners. A *view* is a run seen in a symmetry; all views, sorted by the corners that they show, are the level in order.
//! Views of one run that show the same corners are a *group*: they are merged, for where the corners have symmetry two
//! representatives, or one, may give the same position twice.
//!
//! ```text
//! for each group, in order:
//!     the conjugates of its run's edges in each of its symmetries, sorted, each once
//! ```
//!
//! So a level is never in memory, nor sorted as a whole; what is kept is 16 bytes for each class and 8 for each view. How many positions
//! a group gives is known in advance: it is the same for all groups of a run.

use super::record::{EDGE_BITS, Key, Record};
use super::{CUMULATIVE, sort};
use crate::error::LabError;
use crate::pieces::{Conjugation, corner_number, corners_of, corners_with, edge_number, edges_of, edges_with};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

/// How many representatives a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// The representative of the position's class, and a symmetry that leads there: the conjugate with the least corners, slot
/// by slot, and among those the least edges. So the corners of a representative tell the class of its corners.
fn representative(position: &Cube) -> (Key, Symmetry) {
    let (corners, edges) = (corners_of(position), edges_of(position));
    // Slot 0 alone rules out most symmetries.
    let first = |conjugation: &Conjugation| conjugation.first_corner(&corners);
    let least_first = Conjugation::all().iter().map(first).min();
    let (mut least, mut ties) = ([u8::MAX; 8], 0u64);
    for (s, conjugation) in Conjugation::all().iter().enumerate() {
        if Some(first(conjugation)) != least_first {
            continue;
        }
        let conjugate = conjugation.corners(&corners);
        match conjugate.cmp(&least) {
            Ordering::Less => (least, ties) = (conjugate, 1 << s),
            Ordering::Equal => ties |= 1 << s,
            Ordering::Greater => {}
        }
    }
    let bits = (0..Symmetry::COUNT).filter(|s| ties >> s & 1 == 1);
    let tied = bits.map(|s| (Conjugation::by(s).edges(&edges), s));
    let (edges, s) = tied.min().expect("one conjugate is the least");
    let key = u128::from(corner_number(&least)) << EDGE_BITS | u128::from(edge_number(&edges));
    (Key(key), Symmetry::from_index(s))
}

/// The classes one move farther than `last`: their records, sorted. `before` are those one move nearer than `last`. Uses the
/// threads of this pool.
fn next(before: &[Record], last: &[Record], control: &Control<'_>) -> Result<Vec<Record>, LabError> {
    let check = || if control.is_cancelled() { Err(LabError::Cancelled) } else { Ok(()) };
    let mut children = vec![Record::new(Key(0), None); last.len() * Move::COUNT];
    let chunks = children.par_chunks_mut(CHUNK * Move::COUNT).zip(last.par_chunks(CHUNK));
    chunks.try_for_each(|(children, parents)| {
        check()?;
        for (children, parent) in children.chunks_mut(Move::COUNT).zip(parents) {
            let parent = parent.key().position().expect("a level holds positions");
            for (child, m) in children.iter_mut().zip(Move::ALL) {
                let (key, s) = representative(&parent.turned(m));
                *child = Record::new(key, Some(s.conjugate_move(m.inverse())));
            }
        }
        Ok::<(), LabError>(())
    })?;
    sort(&mut children, control);
    check()?;
    children.dedup_by_key(|child| child.key());
    let mut nearer = [before.iter().peekable(), last.iter().peekable()];
    children.retain(|child| {
        nearer.iter_mut().all(|level| {
            while level.next_if(|record| record.key() < child.key()).is_some() {}
            level.peek().is_none_or(|record| record.key() != child.key())
        })
    });
    children.shrink_to_fit();
    check()?;
    Ok(children)
}

/// About how many positions lie between two stops.
const STOP: u64 = 1 << 12;

/// A level, whose positions can be read in order.
pub(super) struct Level {
    classes: Vec<Record>,
    runs: Vec<Run>,
    /// Corners shown (27 bits), symmetry (6 bits), run (31 bits); sorted.
    views: Vec<u64>,
    /// Some places to begin at: how many positions come before, and the first view of a group.
    stops: Vec<(u64, usize)>,
    positions: u64,
}

/// Representatives with the same corners.
struct Run {
    /// The first of them; the others follow, up to the first of the next run.
    first: u32,
    /// How many positions each group of this run gives.
    positions: u32,
}

const RUN_BITS: u32 = 31;

fn view(corners: u64, symmetry: usize, run: usize) -> u64 {
    corners << 37 | (symmetry as u64) << RUN_BITS | run as u64
}

fn corners_shown(view: u64) -> u64 {
    view >> 37
}

fn symmetry(view: u64) -> usize {
    (view >> RUN_BITS & 63) as usize
}

fn run(view: u64) -> usize {
    (view & ((1 << RUN_BITS) - 1)) as usize
}

impl Level {
    /// The level of these classes: the sorted records of their representatives. Uses the threads of this pool.
    fn new(classes: Vec<Record>, control: &Control<'_>) -> Result<Level, LabError> {
        let starts = classes.chunk_by(|a, b| a.key().corners() == b.key().corners());
        let mut first = 0;
        let runs: Vec<Run> = starts
            .map(|run| {
                first += run.len() as u32;
                Run { first: first - run.len() as u32, positions: 0 }
            })
            .collect();
        let mut views = vec![0; runs.len() * Symmetry::COUNT];
        views.par_chunks_mut(Symmetry::COUNT).enumerate().for_each(|(run, views)| {
            if !control.is_cancelled() {
                let corners = corners_with(classes[runs[run].first as usize].key().corners());
                for (s, place) in views.iter_mut().enumerate() {
                    *place = view(corner_number(&Conjugation::by(s).corners(&corners)), s, run);
                }
            }
        });
        let mut level = Level { classes, runs, views, stops: Vec::new(), positions: 0 };
        let positions = (0..level.runs.len()).into_par_iter();
        let positions: Vec<u32> = positions.map(|run| level.positions_of_group(run)).collect();
        for (run, positions) in level.runs.iter_mut().zip(positions) {
            run.positions = positions;
        }
        sort(&mut level.views, control);
        if control.is_cancelled() {
            return Err(LabError::Cancelled);
        }
        let mut first = 0;
        for group in level.views.chunk_by(|&a, &b| corners_shown(a) == corners_shown(b)) {
            if level.stops.last().is_none_or(|&(positions, _)| level.positions - positions >= STOP) {
                level.stops.push((level.positions, first));
            }
            level.positions += u64::from(level.runs[run(group[0])].positions);
            first += group.len();
        }
        Ok(level)
    }

    /// How many positions there are.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends the records in this range of the level to `records`.
    pub fn read(&self, range: Range<u64>, records: &mut Vec<Record>) {
        let stop = self.stops.partition_point(|&(positions, _)| positions <= range.start) - 1;
        let (mut position, first) = self.stops[stop];
        let mut group_records = Vec::new();
        for group in self.views[first..].chunk_by(|&a, &b| corners_shown(a) == corners_shown(b)) {
            if position >= range.end {
                break;
            }
            let end = position + u64::from(self.runs[run(group[0])].positions);
            if end > range.start {
                self.read_group(group, &mut group_records);
                debug_assert_eq!(group_records.len() as u64, end - position);
                let from = range.start.max(position) - position;
                let to = range.end.min(end) - position;
                records.extend_from_slice(&group_records[from as usize..to as usize]);
            }
            position = end;
        }
    }

    /// The records of a group, sorted.
    fn read_group(&self, group: &[u64], records: &mut Vec<Record>) {
        records.clear();
        for class in self.run(run(group[0])) {
            let edges = edges_with(class.key().edges());
            for &view in group {
                let s = symmetry(view);
                let edges = edge_number(&Conjugation::by(s).edges(&edges));
                let key = Key(u128::from(corners_shown(view)) << EDGE_BITS | u128::from(edges));
                let home = class.home().map(|m| Symmetry::from_index(s).conjugate_move(m));
                records.push(Record::new(key, home));
            }
        }
        records.sort_unstable();
        if group.len() > 1 {
            records.dedup_by_key(|record| record.key());
        }
    }

    fn run(&self, run: usize) -> &[Record] {
        let end = self.runs.get(run + 1).map_or(self.classes.len(), |next| next.first as usize);
        &self.classes[self.runs[run].first as usize..end]
    }

    /// How many positions each group of a run gives; its views are not sorted yet.
    fn positions_of_group(&self, run: usize) -> u32 {
        let views = &self.views[run * Symmetry::COUNT..][..Symmetry::COUNT];
        let shown = |&&view: &&u64| corners_shown(view) == corners_shown(views[0]);
        let group: Vec<u64> = views.iter().filter(shown).copied().collect();
        let mut records = Vec::new();
        match group.len() {
            1 => self.run(run).len() as u32,
            _ => {
                self.read_group(&group, &mut records);
                records.len() as u32
            }
        }
    }
}

/// The levels up to `depth`.
pub(super) fn levels(depth: u8, control: &Control<'_>) -> Result<Vec<Level>, LabError> {
    let (mut before, mut last) = (Vec::new(), vec![Record::new(Key(0), None)]);
    let mut levels = Vec::new();
    for _ in 0..depth {
        let next = next(&before, &last, control)?;
        before = std::mem::replace(&mut last, next);
        levels.push(Level::new(before.clone(), control)?);
    }
    drop(before);
    levels.push(Level::new(last, control)?);
    let mut positions = 0;
    for (level, known) in levels.iter().zip(CUMULATIVE) {
        positions += level.positions();
        assert_eq!(positions, known, "the levels are as large as is known");
    }
    Ok(levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn all_conjugates_have_one_representative() {
        let symmetric = Cube::from_moves(&[Move::ALL[1], Move::ALL[10]]);
        let obvious = |position: &Cube| {
            Symmetry::all().map(|s| position.conjugate(s)).min_by_key(|p| (corners_of(p), edges_of(p))).unwrap()
        };
        for position in random_positions(8).take(30).chain([Cube::SOLVED, symmetric]) {
            let (key, s) = representative(&position);
            assert_eq!(Key::of(&position.conjugate(s)), key);
            assert_eq!(Key::of(&obvious(&position)), key);
            assert!(Symmetry::all().all(|s| representative(&position.conjugate(s)).0 == key));
        }
    }

    #[test]
    fn classes_are_as_many_as_known() {
        let (mut before, mut last, mut counts) = (Vec::new(), vec![Record::new(Key(0), None)], vec![1]);
        for _ in 0..4 {
            let next = next(&before, &last, &Control::default()).unwrap();
            counts.push(next.len());
            before = std::mem::replace(&mut last, next);
        }
        assert_eq!(counts, [1, 2, 9, 75, 934]);
    }
}
