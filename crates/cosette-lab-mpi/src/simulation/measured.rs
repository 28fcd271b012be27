//! What was measured on this machine.

use cosette_app::json;
use serde::Deserialize;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;

/// A file with the answers of `cosette-mpi solve --json`, by some number of ranks.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The number of ranks, each with one thread.
    pub ranks: usize,
    pub path: PathBuf,
}

impl FromStr for Measured {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Measured, &'static str> {
        let (ranks, path) = text.split_once('=').ok_or("write it as RANKS=FILE")?;
        let ranks = ranks.parse().ok().filter(|&ranks| ranks > 0).ok_or("the number of ranks is one or more")?;
        Ok(Measured { ranks, path: path.into() })
    }
}

/// Seconds by facelets and table.
pub type Measurements = HashMap<(String, String), f64>;

/// The fields of an answer that are read.
#[derive(Deserialize)]
struct Answer {
    facelets: String,
    table: String,
    seconds: f64,
}

impl Measured {
    /// The seconds of each position, by its facelets and the table; the median if it was solved several times.
    pub fn read(&self) -> io::Result<Measurements> {
        let mut all: HashMap<(String, String), Vec<f64>> = HashMap::new();
        for Answer { facelets, table, seconds } in json::read_lines(&self.path)? {
            all.entry((facelets, table)).or_default().push(seconds);
        }
        let median = |mut seconds: Vec<f64>| {
            seconds.sort_by(f64::total_cmp);
            seconds[seconds.len() / 2]
        };
        Ok(all.into_iter().map(|(solved, seconds)| (solved, median(seconds))).collect())
    }
}
