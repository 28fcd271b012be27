//! The description of a data set: the source of its positions, its shard and its settings.

use crate::journal::{JournalError, JournalRecord};
use crate::search_journal::move_text;
use cosette::coset::CosetError;
use cosette::cube::{Cube, FaceletLayout, Metric, Move, SymmetryClass};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use xxhash_rust::xxh3::{Xxh3, xxh3_64_with_seed};

/// Maximum distance at which all positions can be listed: 7,618,438 positions, or 878,880 in the
/// quarter-turn metric.
pub const MAX_LISTED_DISTANCE: u8 = 6;

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
    /// [found](super::Dataset::make_coset_file) by a search of the coset.
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
                "there are too many positions at distance {distance} to list; use a distance of \
                    at most {MAX_LISTED_DISTANCE}"
            );
            return Err(DatasetError::Refused(why));
        }
        let mut moves = Move::ALL.to_vec();
        // A half turn of cost 2 is left out: two quarter turns reach the same position.
        moves.retain(|&m| metric.cost(m) == 1);
        let mut known = HashSet::from([Cube::SOLVED]);
        let mut level = vec![Cube::SOLVED];
        for _ in 0..distance {
            let neighbors = level
                .iter()
                .flat_map(|position| moves.iter().map(|&m| position.apply(m)));
            level = neighbors
                .filter(|&position| known.insert(position))
                .collect();
        }
        Ok(PositionSource::AllAtDistance(distance, Arc::new(level)))
    }
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

    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the indices of the shard's rows, of `rows` in all shards together.
    fn range_of(self, rows: u64) -> Range<u64> {
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
        let parse = |number: &str| number.parse().map_err(|_| ParseShardError);
        let (number, count) = text.split_once('/').ok_or(ParseShardError)?;
        Shard::new(parse(number)?, parse(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
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

impl DatasetError {
    /// Returns a constructor of the error of writing a file.
    pub(super) fn write(path: &Path) -> impl Fn(std::io::Error) -> DatasetError {
        move |error| DatasetError::Write {
            path: path.to_owned(),
            error,
        }
    }
}

/// Maximum length of a walk.
pub const MAX_WALK_LENGTH: usize = 1000;

/// Maximum distance at which random positions can be drawn, in the half-turn and the quarter-turn
/// metric. Farther positions are too rare to be found.
const MAX_DRAWN_DISTANCE: [u8; 2] = [19, 23];

/// Maximum distance of positions of a coset, in the half-turn and the quarter-turn metric. Each
/// additional move takes ten times as long.
const MAX_COSET_DISTANCE: [u8; 2] = [16, 19];

/// Returns the default maximum distance of positions of a coset: one less than the largest.
pub const fn default_distance(metric: Metric) -> u8 {
    MAX_COSET_DISTANCE[metric as usize] - 1
}

/// Maximum number of rows of a data set of a coset. All of them are in memory.
const MAX_COSET_ROWS: u64 = 10_000_000;

/// A row of a data set, which is also a record of its journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DatasetRow {
    /// The index in the whole set, counted from zero.
    pub index: u64,
    /// The position.
    pub position: Cube,
    /// The length of the walk, if the position is the end of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk_length: Option<usize>,
    /// The length of the shortest solutions.
    pub length: u8,
    /// A shortest solution; empty for positions of a coset.
    #[serde(with = "move_text")]
    pub solution: Vec<Move>,
    /// The distances of the positions after each move of the layout, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbor_distances: Option<Vec<u8>>,
}

impl JournalRecord for DatasetRow {
    const KIND: &'static str = "dataset";
    const VERSION: u32 = 5;
    const STANDS_ALONE: bool = true;
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

impl Dataset {
    /// Validates the settings, and limits the number of rows to the number of positions.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Refused`] if such positions do not exist or are not supported.
    pub fn validated(mut self) -> Result<Dataset, DatasetError> {
        let refused = |why: String| Err(DatasetError::Refused(why));
        let farthest = MAX_DRAWN_DISTANCE[self.metric as usize];
        match &self.positions {
            PositionSource::Walks(lengths) if lengths.is_empty() => {
                return refused("no walk length is given; give one or more".into());
            }
            PositionSource::Distance(distance) if *distance > farthest => {
                return refused(format!(
                    "positions at distance {distance} are too rare to be drawn at random; use a \
                        distance of at most {farthest}, or a list of positions"
                ));
            }
            PositionSource::AllAtDistance(distance, cubes) if self.rows < cubes.len() as u64 => {
                // A random sample: the positions whose numbers have the smallest hashes.
                let mut drawn: Vec<usize> = (0..cubes.len()).collect();
                let seed = self.seed;
                drawn.sort_by_cached_key(|number| xxh3_64_with_seed(&number.to_le_bytes(), seed));
                drawn.truncate(self.rows as usize);
                let drawn = drawn.into_iter().map(|number| cubes[number]).collect();
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
                if let Some(why) = self.coset_error(*within) {
                    return refused(why);
                }
            }
            _ => {}
        }
        Ok(self)
    }

    /// Returns the error message for positions of a coset up to this distance, if they are not
    /// supported.
    fn coset_error(&self, within: u8) -> Option<String> {
        let farthest = MAX_COSET_DISTANCE[self.metric as usize];
        if within > farthest {
            Some(format!(
                "positions of a coset can be drawn only up to distance {farthest}; use a distance \
                    of at most {farthest}"
            ))
        } else if self.optimal_moves {
            Some("optimal moves are not supported for cosets; remove the optimal moves".to_owned())
        } else if self.rows > MAX_COSET_ROWS {
            Some(format!(
                "a data set of a coset has at most {MAX_COSET_ROWS} rows; use at most \
                    {MAX_COSET_ROWS}"
            ))
        } else {
            None
        }
    }

    /// Returns the indices of the rows of the shard.
    pub fn range(&self) -> Range<u64> {
        self.shard.range_of(self.rows)
    }

    /// Returns the settings as JSON, with the names of the command's arguments.
    pub fn typed_settings(&self) -> Vec<(&'static str, Value)> {
        let mut named = vec![("rows", self.rows.into()), ("seed", self.seed.into())];
        match &self.positions {
            PositionSource::Random => {}
            PositionSource::Walks(lengths) => named.push(("walks", lengths[..].into())),
            PositionSource::Distance(distance) => named.push(("distance", (*distance).into())),
            PositionSource::AllAtDistance(distance, _) => {
                named.push(("all-at-distance", (*distance).into()));
            }
            PositionSource::Listed(cubes) => {
                named.push(("positions", format!("{:016x}", hash(cubes)).into()));
            }
            PositionSource::Symmetric(class) => {
                named.push(("symmetry", class.to_string().into()));
            }
            PositionSource::Coset { of, within } => {
                named.push(("coset", of.facelets().into()));
                named.push(("max-distance", (*within).into()));
            }
        }
        named.push(("shard", self.shard.to_string().into()));
        named.push(("metric", self.metric.name().into()));
        named.push(("layout", self.layout.name().into()));
        named.push(("optimal-moves", self.optimal_moves.into()));
        named
    }

    /// Returns the settings as text, for the journal.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        fn text(value: Value) -> String {
            match value {
                Value::String(text) => text,
                Value::Array(values) => {
                    let texts: Vec<String> = values.into_iter().map(text).collect();
                    texts.join(",")
                }
                value => value.to_string(),
            }
        }
        let settings = self.typed_settings().into_iter();
        settings.map(|(name, value)| (name, text(value))).collect()
    }
}

/// Returns the hash that represents a list in the settings of a data set.
fn hash(cubes: &[Cube]) -> u64 {
    let mut hash = Xxh3::new();
    for cube in cubes {
        hash.update(cube.facelets().as_bytes());
    }
    hash.digest()
}
