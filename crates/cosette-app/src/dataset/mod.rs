//! Data sets: many positions with proven lengths, in common file formats.
//!
//! A [`Dataset`] describes a data set. Each row depends only on its number and the seed, so a shard
//! has the same rows as in the whole set, whatever the threads, the machine and the interruptions.
//! Finished rows are stored in a journal beside the file until all are finished; then the file is
//! written, with a card that describes its content and provenance.
//!
//! | positions | rows |
//! |---|---|
//! | random | uniformly random positions |
//! | walks | ends of random walks of given lengths, which alternate |
//! | distance | random positions at an exact distance |
//! | all at a distance | all positions at a distance, or a random sample of them |
//! | listed | the positions of a list |
//! | symmetric | random positions of a symmetry class |
//! | coset | positions of a coset, up to a distance, without solutions |
//!
//! Positions at a distance are found by rejection sampling: up to [`MAX_WALKED_DISTANCE`] moves
//! among the ends of walks of as many moves, where positions with more shortest solutions are drawn
//! more often; beyond, among uniformly random positions.

mod coset;
mod format;
mod journal;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;

pub use coset::default_distance;
pub use format::{DatasetFormat, UnknownDatasetFormatError, card_path, journal_path};

use crate::batch::answer_chunks;
use crate::journal::{COMMIT_INTERVAL, JournalError};
use cosette::coset::CosetError;
use cosette::cube::{
    Cube, FaceletLayout, Metric, Move, SymmetryClass, random_positions, random_walks,
};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Neighbors, Options, Outcome, Solver, TwoPhaseMode};
use cosette::{Cancel, Progress};
use journal::RowJournal;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// Maximum distance at which positions are drawn by walks.
pub const MAX_WALKED_DISTANCE: u8 = 16;

/// Maximum length of a walk.
pub const MAX_WALK_LENGTH: usize = 1000;

/// Maximum distance of which all positions are listed: there are 7,618,438, or 878,880 in the
/// quarter-turn metric.
pub const MAX_LISTED_DISTANCE: u8 = 6;

/// Maximum distance at which positions are drawn, by metric. Farther positions are too rare to be
/// found.
const MAX_DRAWN_DISTANCE: [u8; 2] = [19, 23];

/// Number of rows that a thread takes at a time if they take microseconds each.
const CHUNK: usize = 64;
/// Maximum length of walks whose ends are solved in microseconds.
const SHORT_WALK: usize = 10;

/// The source of the positions of a data set.
#[derive(Clone, Debug, PartialEq)]
pub enum PositionSource {
    /// Uniformly random positions.
    Random,
    /// Ends of random walks of these lengths, which alternate.
    Walks(Vec<usize>),
    /// Random positions at this distance.
    Distance(u8),
    /// [All](PositionSource::all_at_distance) positions at this distance; with fewer rows, a random
    /// sample without repetition.
    AllAtDistance(u8, Arc<Vec<Cube>>),
    /// The positions of a list.
    Listed(Arc<Vec<Cube>>),
    /// Random positions of this symmetry class.
    Symmetric(SymmetryClass),
    /// Random positions of the coset of a position, up to a distance,
    /// [found](Dataset::make_coset_file) by a search of the coset.
    Coset {
        /// A position of the coset.
        of: Cube,
        /// The maximum distance.
        within: u8,
    },
}

impl PositionSource {
    /// Returns all positions at this distance, always in the same order.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Refused`] above [`MAX_LISTED_DISTANCE`], where there are too many
    /// positions.
    pub fn all_at_distance(distance: u8, metric: Metric) -> Result<PositionSource, DatasetError> {
        if distance > MAX_LISTED_DISTANCE {
            let why = format!(
                "there are too many positions at distance {distance} to list; use a distance of at most {MAX_LISTED_DISTANCE}"
            );
            return Err(DatasetError::Refused(why));
        }
        let moves: Vec<Move> = Move::ALL
            .into_iter()
            .filter(|&m| metric.cost(m) == 1)
            .collect();
        let (mut known, mut level) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
        for _ in 0..distance {
            let all = level
                .iter()
                .flat_map(|position| moves.iter().map(|&m| position.apply(m)));
            level = all.filter(|&position| known.insert(position)).collect();
        }
        Ok(PositionSource::AllAtDistance(distance, Arc::new(level)))
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

/// A shard of a data set: its number, counted from one, and the number of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    /// The only shard: all rows.
    pub const WHOLE: Shard = Shard {
        number: 1,
        count: 1,
    };

    /// Creates the shard with this number.
    ///
    /// # Errors
    ///
    /// Returns [`ParseShardError`] if the number is not between 1 and `count`.
    pub fn new(number: u64, count: u64) -> Result<Shard, ParseShardError> {
        (1..=count)
            .contains(&number)
            .then_some(Shard { number, count })
            .ok_or(ParseShardError)
    }

    /// Returns the rows of the shard.
    fn of(self, rows: u64) -> Range<u64> {
        let end =
            |number: u64| (u128::from(rows) * u128::from(number) / u128::from(self.count)) as u64;
        end(self.number - 1)..end(self.number)
    }
}

/// Error of a shard that does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write the number of the shard and the total, for example 3/64")]
pub struct ParseShardError;

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let read = |number: &str| number.parse().map_err(|_| ParseShardError);
        let (number, count) = text.split_once('/').ok_or(ParseShardError)?;
        Shard::new(read(number)?, read(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// A row of a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The index in the whole set, counted from zero.
    pub index: u64,
    /// The position.
    pub position: Cube,
    /// The length of the walk, if the position is the end of one.
    pub walk_length: Option<usize>,
    /// The length of the shortest solutions.
    pub length: u8,
    /// A shortest solution; `None` for positions of a coset.
    pub solution: Option<Vec<Move>>,
    /// The distance of the position after each move of the layout, if requested.
    pub neighbor_distances: Option<Vec<u8>>,
}

/// The description of a data set, which determines its rows.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The source of the positions.
    pub positions: PositionSource,
    /// Number of rows of all shards together; for lists and for all positions at one distance, at
    /// most the number of positions.
    pub rows: u64,
    /// The random seed.
    pub seed: u64,
    /// The shard to generate.
    pub shard: Shard,
    /// The metric.
    pub metric: Metric,
    /// The layout of facelets, colors and moves.
    pub layout: FaceletLayout,
    /// `true` if rows include the first moves of shortest solutions, and the distances of the
    /// neighbors.
    pub optimal_moves: bool,
}

/// Error of a data set that cannot be generated.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// Invalid settings: the message, with the help after the last semicolon.
    #[error("{0}")]
    Refused(String),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The I/O error.
        error: std::io::Error,
    },
    /// The coset cannot be searched.
    #[error(transparent)]
    Coset(#[from] CosetError),
    /// No thread could be started.
    #[error("cannot start a thread: {0}")]
    Threads(std::io::Error),
    /// The solution of the row with this index is wrong.
    #[error("internal error: the solution of row {0} is wrong")]
    Wrong(u64),
}

impl Dataset {
    /// Validates the settings, and limits the number of rows to the number of positions.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Refused`] if there are no such positions.
    pub fn validated(mut self) -> Result<Dataset, DatasetError> {
        let refused = |why: String| Err(DatasetError::Refused(why));
        let farthest = MAX_DRAWN_DISTANCE[self.metric as usize];
        match &self.positions {
            PositionSource::Walks(lengths) if lengths.is_empty() => {
                return refused("no walk length is given; give one or more".into());
            }
            PositionSource::Distance(distance) if *distance > farthest => {
                return refused(format!(
                    "positions at distance {distance} are too rare to be drawn at random; use a distance of at most {farthest}, or a list of positions"
                ));
            }
            PositionSource::AllAtDistance(distance, cubes) if self.rows < cubes.len() as u64 => {
                let mut drawn: Vec<usize> = (0..cubes.len()).collect();
                drawn.sort_by_cached_key(|number| {
                    xxh3_64_with_seed(&number.to_le_bytes(), self.seed)
                });
                let drawn = drawn
                    .into_iter()
                    .take(self.rows as usize)
                    .map(|number| cubes[number])
                    .collect();
                self.positions = PositionSource::AllAtDistance(*distance, Arc::new(drawn));
            }
            PositionSource::AllAtDistance(_, cubes) | PositionSource::Listed(cubes) => {
                self.rows = self.rows.min(cubes.len() as u64)
            }
            PositionSource::Symmetric(class) if class.random_positions(0).is_none() => {
                return refused(format!(
                    "no position has exactly the symmetry {class}; use another class, such as Th"
                ));
            }
            PositionSource::Coset { within, .. } => {
                if let Some(why) = self.refuses_coset(*within) {
                    return refused(why);
                }
            }
            _ => {}
        }
        Ok(self)
    }

    /// Returns the indices of the rows.
    pub fn range(&self) -> Range<u64> {
        self.shard.of(self.rows)
    }

    /// Returns the settings, with the names of the command's arguments.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let positions = match &self.positions {
            PositionSource::Random => None,
            PositionSource::Walks(lengths) => Some((
                "walks",
                lengths
                    .iter()
                    .map(usize::to_string)
                    .collect::<Vec<_>>()
                    .join(","),
            )),
            PositionSource::Distance(distance) => Some(("distance", distance.to_string())),
            PositionSource::AllAtDistance(distance, _) => {
                Some(("all-at-distance", distance.to_string()))
            }
            PositionSource::Listed(cubes) => Some(("positions", format!("{:016x}", hash(cubes)))),
            PositionSource::Symmetric(class) => Some(("symmetry", class.to_string())),
            PositionSource::Coset { of, .. } => Some(("coset", of.facelets())),
        };
        let mut named = vec![
            ("rows", self.rows.to_string()),
            ("seed", self.seed.to_string()),
        ];
        named.extend(positions);
        if let PositionSource::Coset { within, .. } = &self.positions {
            named.push(("max-distance", within.to_string()));
        }
        named.push(("shard", self.shard.to_string()));
        named.push(("metric", self.metric.name().to_owned()));
        named.push(("layout", self.layout.name().to_owned()));
        named.push(("optimal-moves", self.optimal_moves.to_string()));
        named
    }

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
    ) -> Result<Option<Vec<Row>>, DatasetError> {
        let range = self.range();
        let total = range.end - range.start;
        let mut found: Vec<Option<Row>> = (0..total).map(|_| None).collect();
        let mut count = 0;
        let mut keep = |row: Row| -> Result<(), DatasetError> {
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
        let (mut rows, done) = RowJournal::open(journal, self)?;
        let is_done: HashSet<u64> = done.iter().map(|row| row.index).collect();
        done.into_iter().try_for_each(&mut keep)?;
        let open: Vec<u64> = range.clone().filter(|row| !is_done.contains(row)).collect();
        let (set, chunk) = (self.clone(), if self.is_near() { CHUNK } else { 1 });
        let answers = answer_chunks(
            solver,
            (&open, chunk),
            cancel,
            move |searcher, indices, cancel| {
                indices
                    .into_iter()
                    .map(|index| set.row(searcher, index, cancel))
                    .collect::<Option<Vec<Row>>>()
            },
        );
        let mut answers = answers.map_err(DatasetError::Threads)?;
        let mut due = Instant::now() + COMMIT_INTERVAL;
        loop {
            match answers.found_within(COMMIT_INTERVAL) {
                Ok((_, new)) => {
                    for row in new {
                        rows.append(&row);
                        keep(row)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if Instant::now() >= due {
                rows.commit()?;
                due = Instant::now() + COMMIT_INTERVAL;
            }
        }
        rows.commit()?;
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

    /// Returns the row with this index; `None` on cancellation.
    fn row(
        &self,
        searcher: &mut (Solver, ThreadExecutor),
        index: u64,
        cancel: &Cancel,
    ) -> Option<Row> {
        // Spreads the seeds; any odd number would do.
        let seed = self
            .seed
            .wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (walk_length, position) = match &self.positions {
            PositionSource::Random => (None, random_positions(seed).next()?),
            PositionSource::Walks(lengths) => {
                let length = lengths[(index % lengths.len() as u64) as usize];
                (
                    Some(length),
                    Cube::from_moves(&random_walks(seed, length).next()?),
                )
            }
            PositionSource::Distance(distance) => {
                let mut drawn: Box<dyn Iterator<Item = Cube>> =
                    match *distance <= MAX_WALKED_DISTANCE {
                        true => Box::new(walks_costing(seed, *distance, self.metric)),
                        false => Box::new(random_positions(seed)),
                    };
                let options = Options {
                    max_length: Some(*distance),
                    two_phase: TwoPhaseMode::Interleaved,
                    ..Options::default()
                };
                let is_so_far =
                    |position: &Cube, (solver, executor): &mut (Solver, ThreadExecutor)| {
                        let report = solver
                            .search(position)
                            .options(options)
                            .with_cancel(cancel)
                            .run_with(executor);
                        report.length() == Some(*distance) || cancel.is_cancelled()
                    };
                (
                    None,
                    drawn
                        .find(|position| is_so_far(position, searcher))
                        .filter(|_| !cancel.is_cancelled())?,
                )
            }
            PositionSource::AllAtDistance(_, cubes) | PositionSource::Listed(cubes) => {
                (None, cubes[index as usize])
            }
            PositionSource::Symmetric(class) => (None, class.random_positions(seed)?.next()?),
            // Generated by `make_coset_file`.
            PositionSource::Coset { .. } => return None,
        };
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
        Some(Row {
            index,
            position,
            walk_length,
            length: report.lower_bound,
            solution: Some(solution),
            neighbor_distances,
        })
    }
}

/// Returns the hash that represents a list in the settings of a data set.
fn hash(cubes: &[Cube]) -> u64 {
    let mut hash = Xxh3::new();
    cubes
        .iter()
        .for_each(|cube| hash.update(cube.facelets().as_bytes()));
    hash.digest()
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
