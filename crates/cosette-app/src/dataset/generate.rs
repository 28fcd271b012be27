//! The generation of rows.

use super::description::{Dataset, DatasetError, DatasetRow, PositionSource};
use super::journal::{self, RowRecord};
use crate::batch::answer_chunks;
use crate::journal::COMMIT_INTERVAL;
use cosette::cube::{Cube, Metric, random_positions, random_walks};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Neighbors, Options, Outcome, Solver, TwoPhaseMode};
use cosette::{Cancel, Progress};
use std::collections::HashSet;
use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;

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
            let is_right = row.solution.as_ref().is_none_or(|solution| {
                row.position.apply_moves(solution).is_solved()
                    && self.metric.length(solution) == usize::from(row.length)
            });
            let place = found.get_mut(row.index.wrapping_sub(range.start) as usize);
            let place = place
                .filter(|_| is_right)
                .ok_or(DatasetError::Wrong(row.index))?;
            count += u64::from(place.replace(row).is_none());
            on_progress(Progress { done: count, total });
            Ok(())
        };
        let (mut journal, done) = journal::open(journal, self)?;
        let is_done: HashSet<u64> = done.iter().map(|row| row.index).collect();
        done.into_iter().try_for_each(&mut keep)?;
        let open: Vec<u64> = range.clone().filter(|row| !is_done.contains(row)).collect();
        let set = self.clone();
        let chunk = if self.is_near() { CHUNK } else { 1 };
        let answers = answer_chunks(
            solver,
            (&open, chunk),
            cancel,
            move |searcher, indices, cancel| {
                indices
                    .into_iter()
                    .map(|index| set.row(searcher, index, cancel))
                    .collect::<Option<Vec<DatasetRow>>>()
            },
        );
        let mut answers = answers.map_err(DatasetError::Threads)?;
        let mut due = Instant::now() + COMMIT_INTERVAL;
        loop {
            match answers.found_within(COMMIT_INTERVAL) {
                Ok((_, new)) => {
                    for row in new {
                        journal.append(&RowRecord::new(&row));
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
                PositionSource::Random
                | PositionSource::Listed(_)
                | PositionSource::Symmetric(_)
                | PositionSource::Coset { .. } => false,
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
            let report = solver
                .search(position)
                .options(options)
                .with_cancel(cancel)
                .run_with(executor);
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
        let report = solver
            .search(&position)
            .options(options)
            .with_cancel(cancel)
            .run_with(executor);
        let solution = report
            .solutions
            .into_iter()
            .next()
            .filter(|_| report.outcome == Outcome::Optimal)?;
        let length_after = |found: Neighbors| {
            self.layout
                .moves(self.metric)
                .iter()
                .filter_map(|&m| found.length_after(m))
                .collect::<Vec<u8>>()
        };
        let neighbor_distances = report.neighbors.map(length_after);
        Some(DatasetRow {
            index,
            position,
            walk_length,
            length: report.lower_bound,
            solution: Some(solution),
            neighbor_distances,
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
