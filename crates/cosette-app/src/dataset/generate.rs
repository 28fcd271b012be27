//! The generation of rows, one by one or from the search of a coset.

use super::description::{Dataset, DatasetError, DatasetRow, PositionSource};
use crate::batch::answer_chunks;
use crate::journal::{COMMIT_INTERVAL, Journal};
use cosette::coset::{CosetError, CosetSearch, CosetTables, SearchEffort};
use cosette::cube::{Cube, Metric, random_positions, random_walks};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Neighbors, Options, Outcome, Solver, TwoPhaseMode};
use cosette::{Cancel, Control, Progress};
use std::collections::{BinaryHeap, HashSet};
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Maximum distance at which positions are drawn by walks.
pub const MAX_WALKED_DISTANCE: u8 = 16;

/// Number of rows that a thread takes at a time if they take microseconds each.
const CHUNK: usize = 64;

/// Maximum length of walks whose ends are solved in microseconds.
const SHORT_WALK: usize = 10;

impl Dataset {
    /// Generates the rows that the journal does not have, except those of a coset, and calls
    /// `on_progress` with the progress. Returns all rows, or `None` on cancellation.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError`] if the journal cannot be used, or if a solution is wrong.
    pub fn generate(
        &self,
        (solver, journal): (&Solver, &Path),
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<Vec<DatasetRow>>, DatasetError> {
        let range = self.range();
        let total = range.end - range.start;
        let mut found: Vec<Option<DatasetRow>> = (0..total).map(|_| None).collect();
        let mut count = 0;
        let mut keep = |row: DatasetRow| -> Result<(), DatasetError> {
            let is_right = row.position.apply_moves(&row.solution).is_solved()
                && self.metric.length(&row.solution) == usize::from(row.length);
            let place = found.get_mut(row.index.wrapping_sub(range.start) as usize);
            let place = place
                .filter(|_| is_right)
                .ok_or(DatasetError::Wrong(row.index))?;
            count += u64::from(place.replace(row).is_none());
            on_progress(Progress { done: count, total });
            Ok(())
        };
        let mut done = Vec::new();
        let mut journal = Journal::open(journal, self.settings(), &mut |_, row: DatasetRow| {
            done.push(row);
            Ok(())
        })?;
        let is_done: HashSet<u64> = done.iter().map(|row| row.index).collect();
        done.into_iter().try_for_each(&mut keep)?;
        let open: Vec<u64> = range.clone().filter(|row| !is_done.contains(row)).collect();
        let set = self.clone();
        let chunk = if self.is_near() { CHUNK } else { 1 };
        let rows = move |searcher: &mut _, indices: Vec<u64>, cancel: &Cancel| {
            let rows = indices.into_iter();
            let rows = rows.map(|index| set.row(searcher, index, cancel));
            rows.collect::<Option<Vec<DatasetRow>>>()
        };
        let answers = answer_chunks(solver, (&open, chunk), cancel, rows);
        let mut answers = answers.map_err(DatasetError::Threads)?;
        let mut due = Instant::now() + COMMIT_INTERVAL;
        loop {
            match answers.found_within(COMMIT_INTERVAL) {
                Ok((_, new)) => {
                    for row in new {
                        journal.append(&row);
                        keep(row)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if Instant::now() >= due {
                journal.commit()?;
                due = Instant::now() + COMMIT_INTERVAL;
            }
        }
        journal.commit()?;
        Ok(found.into_iter().collect())
    }

    /// Returns `true` if all positions are close enough to be solved in microseconds each.
    fn is_near(&self) -> bool {
        !self.optimal_moves
            && match &self.positions {
                PositionSource::Walks(lengths) => {
                    lengths.iter().all(|&length| length <= SHORT_WALK)
                }
                PositionSource::Distance(distance) => usize::from(*distance) <= SHORT_WALK,
                PositionSource::AllAtDistance(..) => true,
                _ => false,
            }
    }

    /// Returns the position of a row, and the length of its walk if it is the end of one; `None` on
    /// cancellation.
    fn position(
        &self,
        searcher: &mut (Solver, ThreadExecutor),
        index: u64,
        cancel: &Cancel,
    ) -> Option<(Cube, Option<usize>)> {
        // Spreads the seeds; any odd number would do.
        let seed = self
            .seed
            .wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let position = match &self.positions {
            PositionSource::Random => random_positions(seed).next()?,
            PositionSource::Walks(lengths) => {
                let length = lengths[(index % lengths.len() as u64) as usize];
                let walk = random_walks(seed, length).next()?;
                return Some((Cube::from_moves(&walk), Some(length)));
            }
            &PositionSource::Distance(distance) => {
                self.position_at(distance, seed, searcher, cancel)?
            }
            PositionSource::AllAtDistance(_, cubes) | PositionSource::Listed(cubes) => {
                cubes[index as usize]
            }
            PositionSource::Symmetric(class) => class.random_positions(seed)?.next()?,
            // Generated by `make_coset_file`.
            PositionSource::Coset { .. } => return None,
        };
        Some((position, None))
    }

    /// Draws positions until one is at this distance; `None` on cancellation.
    fn position_at(
        &self,
        distance: u8,
        seed: u64,
        (solver, executor): &mut (Solver, ThreadExecutor),
        cancel: &Cancel,
    ) -> Option<Cube> {
        let mut drawn: Box<dyn Iterator<Item = Cube>> = match distance <= MAX_WALKED_DISTANCE {
            true => Box::new(walks_costing(seed, distance, self.metric)),
            false => Box::new(random_positions(seed)),
        };
        let options = Options {
            max_length: Some(distance),
            two_phase: TwoPhaseMode::Interleaved,
            ..Options::default()
        };
        let is_at_distance = |position: &Cube| {
            let search = solver.search(position).options(options);
            let report = search.with_cancel(cancel).run_with(executor);
            report.length() == Some(distance) || cancel.is_cancelled()
        };
        drawn
            .find(is_at_distance)
            .filter(|_| !cancel.is_cancelled())
    }

    /// Returns the row with this index; `None` on cancellation.
    fn row(
        &self,
        searcher: &mut (Solver, ThreadExecutor),
        index: u64,
        cancel: &Cancel,
    ) -> Option<DatasetRow> {
        let (position, walk_length) = self.position(searcher, index, cancel)?;
        let (solver, executor) = searcher;
        let options = Options {
            two_phase: TwoPhaseMode::Interleaved,
            neighbors: self.optimal_moves,
            ..Options::default()
        };
        let search = solver.search(&position).options(options);
        let report = search.with_cancel(cancel).run_with(executor);
        let is_solved = report.outcome == Outcome::Optimal;
        let solution = report.solutions.into_iter().next().filter(|_| is_solved)?;
        let moves = self.layout.moves(self.metric).iter();
        let lengths = |found: Neighbors| moves.filter_map(|&m| found.length_after(m)).collect();
        Some(DatasetRow {
            index,
            position,
            walk_length,
            length: report.lower_bound,
            solution,
            neighbor_distances: report.neighbors.map(lengths),
        })
    }
}

/// Returns the ends of random walks of this cost; in quarter turns, those of prefixes of longer
/// walks.
fn walks_costing(seed: u64, cost: u8, metric: Metric) -> impl Iterator<Item = Cube> {
    random_walks(seed, cost.into()).filter_map(move |walk| {
        let end = (0..=walk.len()).find(|&end| metric.length(&walk[..end]) >= usize::from(cost))?;
        (metric.length(&walk[..end]) == usize::from(cost)).then(|| Cube::from_moves(&walk[..end]))
    })
}

/// Number of positions between two checks for cancellation.
const AT_ONCE: u64 = 1 << 20;

impl Dataset {
    /// Creates the file of positions of a coset, with its card, in half a minute and 5.7 GB of
    /// memory. Returns the number of rows.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError`] if there are too few such positions, if there is too little memory,
    /// on cancellation, or if the file cannot be written.
    pub fn make_coset_file(
        &self,
        (of, within): (&Cube, u8),
        path: &Path,
        control: &Control<'_>,
    ) -> Result<usize, DatasetError> {
        let tables = CosetTables::new(self.metric);
        let mut search = CosetSearch::new(&tables, of)?;
        // Selects the positions with the smallest random numbers: a uniform choice, whatever the
        // order of positions in a level.
        let mut chosen: BinaryHeap<(u64, u64, u8)> = BinaryHeap::new();
        while search.level().is_none_or(|level| level.moves < within) {
            let moves = search.advance(SearchEffort::Exhaustive, control)?.moves;
            for (looked, number) in (1..).zip(search.newly_marked_numbers()) {
                if looked % AT_ONCE == 0 && control.is_cancelled() {
                    return Err(CosetError::Cancelled.into());
                }
                let hash = xxh3_64_with_seed(&number.to_le_bytes(), self.seed);
                let row = (hash, number, moves);
                if (chosen.len() as u64) < self.rows {
                    chosen.push(row);
                } else if let Some(mut last) = chosen.peek_mut().filter(|last| row < **last) {
                    *last = row;
                }
            }
        }
        let count = search.count();
        if count < self.rows {
            let why = format!(
                "the coset has only {count} positions within {within} moves; use at most {count} \
                    rows"
            );
            return Err(DatasetError::Refused(why));
        }
        let range = self.range();
        let indexed = (0..).zip(chosen.into_sorted_vec());
        let rows: Vec<DatasetRow> = indexed
            .filter(|(index, _)| range.contains(index))
            .map(|(index, (_, number, length))| DatasetRow {
                index,
                position: search.position(number),
                walk_length: None,
                length,
                solution: Vec::new(),
                neighbor_distances: None,
            })
            .collect();
        self.write(&rows, "none", path)?;
        Ok(rows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_so_far_is_drawn() {
        for metric in Metric::ALL {
            let Ok(PositionSource::AllAtDistance(_, all)) =
                PositionSource::all_at_distance(2, metric)
            else {
                unreachable!()
            };
            let drawn: HashSet<Cube> = walks_costing(1, 2, metric).take(10_000).collect();
            assert!(
                all.iter().all(|position| drawn.contains(position)),
                "{metric}"
            );
        }
    }
}
