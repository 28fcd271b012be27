//! The counts of complete iterations, a line of JSON each, after a head that says which search they are of.
//!
//! Such a file holds neither positions nor solutions, so it can be published with a page whose positions cannot.

use super::{Journal, Plan};
use crate::error::LabError;
use crate::experiment::Origin;
use cosette::cube::Cube;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::Xxh3;

/// What one complete iteration has counted: all of it, or up to its first solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IterationCounts {
    /// The number of the position, from 1 on.
    pub position: usize,
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// Seconds of processor time.
    pub seconds: f64,
    /// How many solutions there are.
    pub solutions: u64,
    /// The commit of the program that completed it, where it is known.
    pub commit: String,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Head {
    /// The tables, the metric, and what is searched.
    search: String,
    /// How many positions there are.
    count: usize,
    /// A checksum of the positions.
    positions: String,
    /// The machine that completed the last iteration.
    machine: String,
}

/// The complete iterations of a long search.
#[derive(Clone, Debug)]
pub struct Results {
    head: Head,
    /// By position and threshold.
    pub iterations: Vec<IterationCounts>,
}

impl Results {
    /// The complete iterations of a journal, with what `earlier` says of those that it had.
    pub fn of(
        journal: &Journal,
        plan: &Plan<'_>,
        earlier: Option<Results>,
        Origin { commit, machine }: &Origin,
    ) -> Results {
        let head = Head {
            search: plan.description(),
            count: plan.positions.len(),
            positions: checksum(plan.positions),
            machine: machine.clone(),
        };
        let earlier = earlier.map(|results| results.iterations).unwrap_or_default();
        let with_commit = |counts: IterationCounts| {
            let same = |other: &&IterationCounts| {
                (other.position, other.threshold, other.nodes) == (counts.position, counts.threshold, counts.nodes)
            };
            let known = earlier.iter().find(same).map(|other| other.commit.clone());
            IterationCounts { commit: known.unwrap_or_else(|| commit.clone()), ..counts }
        };
        Results { head, iterations: journal.complete().into_iter().map(with_commit).collect() }
    }

    /// What a file has; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, or is not such a file.
    pub fn read(path: &Path) -> Result<Option<Results>, LabError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(LabError::io("read", path))?,
        };
        let not_counts = || LabError::NotCounts { path: path.to_owned() };
        let mut lines = text.lines();
        let head = lines.next().and_then(|line| serde_json::from_str(line).ok()).ok_or_else(not_counts)?;
        let iterations = lines.map(|line| serde_json::from_str(line).map_err(|_| not_counts()));
        Ok(Some(Results { head, iterations: iterations.collect::<Result<_, _>>()? }))
    }

    /// Writes them, in place of what was there. A file appears once it is complete, or never: a run that is killed meanwhile
    /// leaves the former one.
    pub fn write(&self, path: &Path) -> Result<(), LabError> {
        let json = |value: serde_json::Result<String>| value.expect("they are plain values") + "\n";
        let lines = self.iterations.iter().map(|counts| json(serde_json::to_string(counts)));
        let text = json(serde_json::to_string(&self.head)) + &lines.collect::<String>();
        let partial = path.with_extension("jsonl.partial");
        let write = || {
            let mut file = File::create(&partial)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&partial, path)
        };
        write().map_err(LabError::io("write", path))
    }

    /// Whether they are of these positions.
    pub fn are_of(&self, positions: &[Cube]) -> bool {
        self.head.positions == checksum(positions)
    }

    /// How many positions there are.
    pub fn count(&self) -> usize {
        self.head.count
    }

    /// The checksum of the positions.
    pub fn positions(&self) -> &str {
        &self.head.positions
    }

    /// The machine that completed the last iteration.
    pub fn machine(&self) -> &str {
        &self.head.machine
    }

    /// The counts of an iteration.
    pub fn get(&self, position: usize, threshold: u8) -> Option<&IterationCounts> {
        self.iterations.iter().find(|counts| (counts.position, counts.threshold) == (position, threshold))
    }

    /// The iterations of a position, by threshold.
    pub fn of_position(&self, position: usize) -> impl Iterator<Item = &IterationCounts> {
        self.iterations.iter().filter(move |counts| counts.position == position)
    }
}

/// A checksum of positions, in this order.
pub fn checksum(positions: &[Cube]) -> String {
    let mut hash = Xxh3::new();
    positions.iter().for_each(|position| hash.update(position.facelets().as_bytes()));
    format!("{:016x}", hash.digest())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Read;

    fn results(nodes: u64) -> Results {
        let head =
            Head { search: "s".into(), count: 1, positions: checksum(&[Cube::SOLVED]), machine: "the machine".into() };
        let counts = IterationCounts {
            position: 1,
            threshold: 18,
            nodes,
            probes: 2,
            tests: 1,
            seconds: 0.5,
            solutions: 1,
            commit: "c0ffee".into(),
        };
        Results { head, iterations: vec![counts] }
    }

    #[test]
    fn what_is_replaced_stays_whole_until_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("search.jsonl");
        results(3).write(&path).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        let mut earlier = File::open(&path).unwrap();
        results(4).write(&path).unwrap();
        // The former file was not cut and written again: a run that was killed meanwhile would have left it.
        let mut read = String::new();
        earlier.read_to_string(&mut read).unwrap();
        assert_eq!(read, whole);
        assert_eq!(Results::read(&path).unwrap().unwrap().iterations, results(4).iterations);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // What a killed run has left beside it does not matter.
        fs::write(folder.path().join("search.jsonl.partial"), "{").unwrap();
        results(5).write(&path).unwrap();
        assert_eq!(Results::read(&path).unwrap().unwrap().iterations, results(5).iterations);
    }
}
