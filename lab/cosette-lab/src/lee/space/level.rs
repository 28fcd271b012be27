//! The positions of a level in order, any stretch of them, from the representatives of their classes.
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
use crate::error::LabError;
use crate::lee::sort;
use crate::pieces::{Conjugation, corner_number, corners_with, edge_number, edges_with};
use cosette::Control;
use cosette::cube::Symmetry;
use rayon::prelude::*;
use std::ops::Range;

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
    pub fn new(classes: Vec<Record>, control: &Control<'_>) -> Result<Level, LabError> {
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
