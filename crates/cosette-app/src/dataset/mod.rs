//! Data sets: many positions with proven lengths, in the files that people load.
//!
//! A [`Dataset`] describes one, and each row depends on its number and the seed alone: so a shard has the rows that it has in the
//! whole set, whatever the threads, the machine and the interruptions. Rows that are done are kept in a journal beside the file until
//! all are; then the file is written, and a card that says what is in it and how it was made.
//!
//! | positions | rows |
//! |---|---|
//! | random | drawn uniformly |
//! | walks | after random walks of given lengths, in turn |
//! | distance | exactly so many moves from solved |
//! | depth | all that are so far, or some of them, drawn |
//! | listed | those of a list |
//! | symmetric | those of a class of symmetries |
//! | coset | those of a coset, up to a distance, without solutions |
//!
//! Positions at a distance are drawn until one is so far: up to [`WALKED`] moves after walks of as many moves, where a position is
//! drawn the more often the more shortest solutions it has; beyond, uniformly.

mod coset;
mod format;
mod journal;

pub use coset::usual_distance;
pub use format::{Format, UnknownFormat, card_path, journal_path};

use crate::batch::answer_chunks;
use crate::journal::{COMMIT_INTERVAL, JournalError};
use cosette::coset::CosetError;
use cosette::cube::{ArrayOrder, Cube, Metric, Move, SymmetryClass, random_positions, random_walks};
use cosette::search::distributed::ThreadExecutor;
use cosette::search::{Neighbours, Options, Outcome, Solver, TwoPhaseUse};
use cosette::{Cancel, Progress};
use journal::Rows;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Instant;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// Up to this distance, positions are drawn after walks.
pub const WALKED: u8 = 16;

/// The longest walk.
pub const LONGEST_WALK: usize = 1000;

/// The farthest distance of which all positions are written: there are 7,618,438, or 878,880 where quarter turns are counted.
pub const DEEPEST: u8 = 6;

/// The farthest distance at which positions are drawn, by metric. Of those that are farther there are too few to meet one.
const FARTHEST_DRAWN: [u8; 2] = [19, 23];

/// A thread takes so many rows at a time if they take microseconds each.
const CHUNK: usize = 64;
/// Positions after walks of so many moves do.
const SHORT_WALK: usize = 10;

/// Which positions a data set has.
#[derive(Clone, Debug, PartialEq)]
pub enum Positions {
    /// Uniformly random ones.
    Random,
    /// Those after random walks of these lengths, in turn.
    Walks(Vec<usize>),
    /// Random ones at this distance.
    Distance(u8),
    /// [All](Positions::at_depth) that are so far from solved; of fewer rows, random ones, none twice.
    Depth(u8, Arc<Vec<Cube>>),
    /// These.
    Listed(Arc<Vec<Cube>>),
    /// Random ones of this class.
    Symmetric(SymmetryClass),
    /// Random ones of the coset of a position, at most so far from solved: [made](Dataset::make_coset_file) by a search of their own.
    Coset {
        /// A position of the coset.
        of: Cube,
        /// The largest distance.
        within: u8,
    },
}

impl Positions {
    /// All positions so far from solved, always in the same order. Fails above [`DEEPEST`]: there are too many.
    pub fn at_depth(depth: u8, metric: Metric) -> Result<Positions, DatasetError> {
        if depth > DEEPEST {
            let why = format!("there are too many positions at depth {depth}; up to {DEEPEST} all are written");
            return Err(DatasetError::Refused(why));
        }
        let moves: Vec<Move> = Move::ALL.into_iter().filter(|&m| metric.cost(m) == 1).collect();
        let (mut known, mut level) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
        for _ in 0..depth {
            let all = level.iter().flat_map(|position| moves.iter().map(|&m| position.turned(m)));
            level = all.filter(|&position| known.insert(position)).collect();
        }
        Ok(Positions::Depth(depth, Arc::new(level)))
    }
}

/// The positions after random walks that cost so much: in quarter turns, the beginnings of longer ones.
fn walks_costing(seed: u64, cost: u8, metric: Metric) -> impl Iterator<Item = Cube> {
    random_walks(seed, cost.into()).filter_map(move |walk| {
        let end = (0..=walk.len()).find(|&end| metric.length(&walk[..end]) >= usize::from(cost))?;
        (metric.length(&walk[..end]) == usize::from(cost)).then(|| Cube::from_moves(&walk[..end]))
    })
}

/// A part of a data set: one of so many, counted from one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    count: u64,
}

impl Shard {
    /// All rows.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// One of `count` parts. Fails if there is no such part.
    pub fn new(number: u64, count: u64) -> Result<Shard, NoSuchShard> {
        (1..=count).contains(&number).then_some(Shard { number, count }).ok_or(NoSuchShard)
    }

    /// Its rows.
    fn of(self, rows: u64) -> Range<u64> {
        let end = |number: u64| (u128::from(rows) * u128::from(number) / u128::from(self.count)) as u64;
        end(self.number - 1)..end(self.number)
    }
}

/// There is no such part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("give the number of the shard and how many there are, as in 3/64")]
pub struct NoSuchShard;

impl FromStr for Shard {
    type Err = NoSuchShard;

    fn from_str(text: &str) -> Result<Shard, NoSuchShard> {
        let read = |number: &str| number.parse().map_err(|_| NoSuchShard);
        let (number, count) = text.split_once('/').ok_or(NoSuchShard)?;
        Shard::new(read(number)?, read(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number in the whole set, counted from zero.
    pub index: u64,
    /// The position.
    pub position: Cube,
    /// The length of the walk to it, if it was drawn so.
    pub walk: Option<usize>,
    /// The length of its shortest solutions.
    pub length: u8,
    /// One of them; `None` for positions of a coset.
    pub solution: Option<Vec<Move>>,
    /// How far the position after each move of the order is from solved, if that is asked for.
    pub neighbours: Option<Vec<u8>>,
}

/// What a data set is: the same rows for the same description.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Which positions it has.
    pub positions: Positions,
    /// How many rows all shards have together; of a depth and of a list, there are at most as many as positions.
    pub rows: u64,
    /// The seed of what is drawn.
    pub seed: u64,
    /// Which part of it is made.
    pub shard: Shard,
    /// What counts as one move.
    pub metric: Metric,
    /// The order of facelets, colours and moves.
    pub order: ArrayOrder,
    /// Whether rows have the moves that begin a shortest solution, and the distances of the neighbours.
    pub optimal_moves: bool,
}

/// Why a data set cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// What is asked for: what is wrong with it, and after the last semicolon how to fix it.
    #[error("{0}")]
    Refused(String),
    /// Its journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Its file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A coset cannot be searched.
    #[error(transparent)]
    Coset(#[from] CosetError),
    /// No thread could be started.
    #[error("no thread can be started: {0}")]
    Threads(std::io::Error),
    /// A solution is wrong.
    #[error("internal error: the solution of row {0} is wrong")]
    Wrong(u64),
}

impl Dataset {
    /// Makes sure that there are such positions, and that there are no more rows than positions. Fails if there are none.
    pub fn checked(mut self) -> Result<Dataset, DatasetError> {
        let refused = |why: String| Err(DatasetError::Refused(why));
        let farthest = FARTHEST_DRAWN[self.metric as usize];
        match &self.positions {
            Positions::Walks(lengths) if lengths.is_empty() => {
                return refused("no length of a walk is given; give one or more".into());
            }
            Positions::Distance(distance) if *distance > farthest => {
                return refused(format!(
                    "positions at distance {distance} are too rare to be drawn; up to {farthest} they are, and others are given as a list"
                ));
            }
            Positions::Depth(depth, cubes) if self.rows < cubes.len() as u64 => {
                let mut drawn: Vec<usize> = (0..cubes.len()).collect();
                drawn.sort_by_cached_key(|number| xxh3_64_with_seed(&number.to_le_bytes(), self.seed));
                let drawn = drawn.into_iter().take(self.rows as usize).map(|number| cubes[number]).collect();
                self.positions = Positions::Depth(*depth, Arc::new(drawn));
            }
            Positions::Depth(_, cubes) | Positions::Listed(cubes) => self.rows = self.rows.min(cubes.len() as u64),
            Positions::Symmetric(class) if class.random_positions(0).is_none() => {
                return refused(format!(
                    "no position has the symmetry {class} and no more; ask for another, such as Th"
                ));
            }
            Positions::Coset { within, .. } => {
                if let Some(why) = self.refuses_coset(*within) {
                    return refused(why);
                }
            }
            _ => {}
        }
        Ok(self)
    }

    /// The numbers of its rows.
    pub fn range(&self) -> Range<u64> {
        self.shard.of(self.rows)
    }

    /// What it is, with names: those of the arguments of the command.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        let positions = match &self.positions {
            Positions::Random => None,
            Positions::Walks(lengths) => {
                Some(("walks", lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(",")))
            }
            Positions::Distance(distance) => Some(("distance", distance.to_string())),
            Positions::Depth(depth, _) => Some(("depth", depth.to_string())),
            Positions::Listed(cubes) => Some(("positions", format!("{:016x}", hash(cubes)))),
            Positions::Symmetric(class) => Some(("symmetry", class.to_string())),
            Positions::Coset { of, .. } => Some(("coset", of.facelets())),
        };
        let mut named = vec![("rows", self.rows.to_string()), ("seed", self.seed.to_string())];
        named.extend(positions);
        if let Positions::Coset { within, .. } = &self.positions {
            named.push(("within", within.to_string()));
        }
        named.push(("shard", self.shard.to_string()));
        named.push(("metric", self.metric.name().to_owned()));
        named.push(("order", self.order.name().to_owned()));
        named.push(("optimal-moves", self.optimal_moves.to_string()));
        named
    }

    /// Makes the rows that the journal does not have, not those of a coset, and calls `on_progress` with how many are done; returns all, or `None` if
    /// it is stopped. Fails if the journal cannot be used, or if a solution is wrong.
    pub fn make(
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
                row.position.after(solution).is_solved() && self.metric.length(solution) == usize::from(row.length)
            });
            let place = found.get_mut(row.index.wrapping_sub(range.start) as usize);
            let place = place.filter(|_| is_right).ok_or(DatasetError::Wrong(row.index))?;
            count += u64::from(place.replace(row).is_none());
            on_progress(Progress { done: count, total });
            Ok(())
        };
        let (mut rows, done) = Rows::open(journal, self)?;
        let is_done: HashSet<u64> = done.iter().map(|row| row.index).collect();
        done.into_iter().try_for_each(&mut keep)?;
        let open: Vec<u64> = range.clone().filter(|row| !is_done.contains(row)).collect();
        let (set, chunk) = (self.clone(), if self.is_near() { CHUNK } else { 1 });
        let answers = answer_chunks(solver, (&open, chunk), cancel, move |searcher, indices, cancel| {
            indices.into_iter().map(|index| set.row(searcher, index, cancel)).collect::<Option<Vec<Row>>>()
        });
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

    /// Whether all positions are so near that they take microseconds each.
    fn is_near(&self) -> bool {
        !self.optimal_moves
            && match &self.positions {
                Positions::Walks(lengths) => lengths.iter().all(|&length| length <= SHORT_WALK),
                Positions::Distance(distance) => usize::from(*distance) <= SHORT_WALK,
                Positions::Depth(..) => true,
                Positions::Random | Positions::Listed(_) | Positions::Symmetric(_) | Positions::Coset { .. } => false,
            }
    }

    /// The row of this number; `None` if it is stopped.
    fn row(&self, searcher: &mut (Solver, ThreadExecutor), index: u64, cancel: &Cancel) -> Option<Row> {
        // Seeds far from one another; any odd number would do.
        let seed = self.seed.wrapping_add((index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let (walk, position) = match &self.positions {
            Positions::Random => (None, random_positions(seed).next()?),
            Positions::Walks(lengths) => {
                let length = lengths[(index % lengths.len() as u64) as usize];
                (Some(length), Cube::from_moves(&random_walks(seed, length).next()?))
            }
            Positions::Distance(distance) => {
                let mut drawn: Box<dyn Iterator<Item = Cube>> = match *distance <= WALKED {
                    true => Box::new(walks_costing(seed, *distance, self.metric)),
                    false => Box::new(random_positions(seed)),
                };
                let options =
                    Options { max_length: Some(*distance), two_phase: TwoPhaseUse::Meanwhile, ..Options::default() };
                let is_so_far = |position: &Cube, (solver, executor): &mut (Solver, ThreadExecutor)| {
                    let report = solver.search(position).options(options).cancel(cancel).run_with(executor);
                    report.length() == Some(*distance) || cancel.is_cancelled()
                };
                (None, drawn.find(|position| is_so_far(position, searcher)).filter(|_| !cancel.is_cancelled())?)
            }
            Positions::Depth(_, cubes) | Positions::Listed(cubes) => (None, cubes[index as usize]),
            Positions::Symmetric(class) => (None, class.random_positions(seed)?.next()?),
            // Made by `make_coset_file`.
            Positions::Coset { .. } => return None,
        };
        let (solver, executor) = searcher;
        let options =
            Options { two_phase: TwoPhaseUse::Meanwhile, neighbours: self.optimal_moves, ..Options::default() };
        let report = solver.search(&position).options(options).cancel(cancel).run_with(executor);
        let solution = report.solutions.into_iter().next().filter(|_| report.outcome == Outcome::Optimal)?;
        let length_after = |found: Neighbours| {
            self.order.moves(self.metric).iter().filter_map(|&m| found.length_after(m)).collect::<Vec<u8>>()
        };
        let neighbours = report.neighbours.map(length_after);
        Some(Row { index, position, walk, length: report.lower_bound, solution: Some(solution), neighbours })
    }
}

/// What stands for a list in the description of a data set.
fn hash(cubes: &[Cube]) -> u64 {
    let mut hash = Xxh3::new();
    cubes.iter().for_each(|cube| hash.update(cube.facelets().as_bytes()));
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_so_far_is_drawn() {
        for metric in Metric::ALL {
            let Ok(Positions::Depth(_, all)) = Positions::at_depth(2, metric) else { unreachable!() };
            let drawn: HashSet<Cube> = walks_costing(1, 2, metric).take(10_000).collect();
            assert!(all.iter().all(|position| drawn.contains(position)), "{metric}");
        }
    }
}
