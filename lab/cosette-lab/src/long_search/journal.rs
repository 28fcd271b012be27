//! The journal of a long search: a part of an iteration that took minutes is not searched again.
//!
//! A record is one part: the number of its position, the threshold, what was counted, and the solutions. Part 0 is the search of
//! the first moves, which ends at the tasks of the other parts.

use super::Plan;
use super::counts::{IterationCounts, checksum};
use crate::error::LabError;
use cosette::cube::{ReadOptions, parse_moves, shortened};
use cosette::search::SolutionCount;
use cosette_app::journal::{self, JournalError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What one part has counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The number of the position, from 1 on.
    pub position: usize,
    /// The length of the solutions that were searched.
    pub threshold: u8,
    /// Which part it is.
    pub part: usize,
    /// How many parts the iteration has, without part 0.
    pub parts: usize,
    /// Nodes generated.
    pub nodes: u64,
    /// Accesses to tables.
    pub probes: u64,
    /// Positions compared with the solved one.
    pub tests: u64,
    /// Seconds of processor time.
    pub seconds: f64,
    /// The solutions in it: all, or the first.
    pub solutions: Vec<String>,
}

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Head {
    journal: u32,
    kind: String,
    /// The tables, the metric, and what is searched.
    search: String,
    /// A checksum of the positions.
    positions: String,
}

impl journal::Head for Head {
    const KIND: &'static str = "long search";
    const VERSION: u32 = 1;
    type Record = Line;

    fn check_is(&self, expected: &Head, path: &Path) -> Result<(), JournalError> {
        let fields = [
            ("kind", &self.kind, &expected.kind),
            ("search", &self.search, &expected.search),
            ("positions", &self.positions, &expected.positions),
        ];
        match fields.into_iter().find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(JournalError::mismatch(path, what, found, expected)),
            None => Ok(()),
        }
    }
}

/// Any other line.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
    synced: u64,
    /// The part.
    pub record: Part,
}

impl journal::Record for Line {
    fn synced(&self) -> u64 {
        self.synced
    }
}

/// The parts of an iteration, by number.
type Iteration = BTreeMap<usize, Part>;

/// The parts that were searched, and the file in which they are kept, if they are.
pub struct Journal {
    file: Option<journal::Journal<Head>>,
    path: PathBuf,
    iterations: BTreeMap<(usize, u8), Iteration>,
    /// Whether the first part with a solution is the last that counts.
    one_is_enough: bool,
}

impl Journal {
    /// A journal that is only in memory.
    pub fn in_memory(plan: &Plan<'_>) -> Journal {
        let one_is_enough = plan.solution_count == SolutionCount::ONE;
        Journal { file: None, path: PathBuf::new(), iterations: BTreeMap::new(), one_is_enough }
    }

    /// The journal at `path`, which is created if there is none.
    ///
    /// # Errors
    /// If it cannot be read and written, if it is damaged, not a journal of this kind or one of another search, or if a part is
    /// impossible or its solution wrong.
    pub fn open(path: &Path, plan: &Plan<'_>) -> Result<Journal, LabError> {
        let mut journal = Journal { path: path.to_owned(), ..Journal::in_memory(plan) };
        let head = Head {
            journal: <Head as journal::Head>::VERSION,
            kind: <Head as journal::Head>::KIND.to_owned(),
            search: plan.description(),
            positions: checksum(plan.positions),
        };
        let file = journal::Journal::open(path, &head, &mut |_, Line { record, .. }| {
            check(&record, plan).and_then(|()| journal.insert(record.clone())).map_err(|what| {
                let place =
                    format!("part {} of length {} of position {}", record.part, record.threshold, record.position);
                JournalError::Invalid { path: path.to_owned(), place, what }
            })
        })?;
        journal.file = Some(file);
        Ok(journal)
    }

    fn insert(&mut self, part: Part) -> Result<(), String> {
        let parts = self.iterations.entry((part.position, part.threshold)).or_default();
        match parts.values().next() {
            Some(other) if other.parts != part.parts => {
                Err("it has another number of parts than the others".to_owned())
            }
            None if part.part != 0 => Err("it stands before part 0".to_owned()),
            _ if parts.contains_key(&part.part) => Err("it is there twice".to_owned()),
            _ => {
                parts.insert(part.part, part);
                Ok(())
            }
        }
    }

    /// Adds a part: it is on the disk when this returns.
    pub fn add(&mut self, part: Part) -> Result<(), LabError> {
        if let Some(file) = &mut self.file {
            file.append(|synced| Line { synced, record: part.clone() });
            file.commit()?;
        }
        self.insert(part).expect("a part is searched once, after part 0");
        Ok(())
    }

    /// How many parts an iteration has, if it was begun.
    pub fn parts(&self, position: usize, threshold: u8) -> Option<usize> {
        self.iterations.get(&(position, threshold)).and_then(|parts| parts.values().next()).map(|part| part.parts)
    }

    /// Whether a part was searched.
    pub fn has(&self, position: usize, threshold: u8, part: usize) -> bool {
        self.iterations.get(&(position, threshold)).is_some_and(|parts| parts.contains_key(&part))
    }

    /// The first part with a solution, of those that were searched.
    pub fn first_with_solution(&self, position: usize, threshold: u8) -> Option<usize> {
        let parts = self.iterations.get(&(position, threshold))?;
        parts.values().find(|part| !part.solutions.is_empty()).map(|part| part.part)
    }

    /// The length of the solutions of a position, if some were found.
    pub fn solved(&self, position: usize) -> Option<u8> {
        let mut iterations = self.iterations.range((position, 0)..=(position, u8::MAX));
        iterations
            .find(|(_, parts)| parts.values().any(|part| !part.solutions.is_empty()))
            .map(|(&(_, length), _)| length)
    }

    /// The nodes of the iteration before this one; zero if there was none.
    pub fn nodes_before(&self, position: usize, threshold: u8) -> u64 {
        let before = self.iterations.range((position, 0)..(position, threshold)).next_back();
        before.map_or(0, |(_, parts)| parts.values().map(|part| part.nodes).sum())
    }

    /// The counts of an iteration whose parts were all searched.
    pub fn iteration(&self, position: usize, threshold: u8) -> Option<IterationCounts> {
        let parts = self.iterations.get(&(position, threshold))?;
        let all = parts.values().next()?.parts;
        let last = self.first_with_solution(position, threshold).filter(|_| self.one_is_enough).unwrap_or(all);
        let counted: Vec<&Part> = parts.range(0..=last).map(|(_, part)| part).collect();
        let solutions: BTreeSet<&String> = counted.iter().flat_map(|part| &part.solutions).collect();
        (counted.len() == last + 1).then(|| IterationCounts {
            position,
            threshold,
            nodes: counted.iter().map(|part| part.nodes).sum(),
            probes: counted.iter().map(|part| part.probes).sum(),
            tests: counted.iter().map(|part| part.tests).sum(),
            seconds: counted.iter().map(|part| part.seconds).sum(),
            solutions: solutions.len() as u64,
            commit: String::new(),
        })
    }

    /// The counts of all iterations whose parts were all searched.
    pub fn complete(&self) -> Vec<IterationCounts> {
        let all = self.iterations.keys().filter_map(|&(position, threshold)| self.iteration(position, threshold));
        all.collect()
    }

    /// The error for an iteration that cannot be of this search.
    pub fn invalid(&self, position: usize, threshold: u8, what: String) -> LabError {
        let place = format!("length {threshold} of position {position}");
        JournalError::Invalid { path: self.path.clone(), place, what }.into()
    }
}

/// How much of a wrong solution an error quotes, in characters.
const LONGEST_QUOTE: usize = 100;

/// Makes sure that a part may be of this search; says what is wrong if not.
fn check(part: &Part, plan: &Plan<'_>) -> Result<(), String> {
    let Some(position) = part.position.checked_sub(1).and_then(|index| plan.positions.get(index)) else {
        return Err(format!("there are {} positions", plan.positions.len()));
    };
    if part.part > part.parts {
        return Err(format!("there are {} parts", part.parts));
    }
    let is_work = |count: u64| count < 1 << 56;
    if ![part.nodes, part.probes, part.tests].into_iter().all(is_work) || !(0.0..1e12).contains(&part.seconds) {
        return Err("no search does so much work".to_owned());
    }
    let solves = |text: &String| {
        parse_moves(text, &ReadOptions::default()).is_ok_and(|sequence| {
            let moves = sequence.moves();
            plan.metric.length(moves) == usize::from(part.threshold) && position.after(moves).is_solved()
        })
    };
    match part.solutions.iter().find(|text| !solves(text)) {
        Some(text) => Err(format!("{} does not solve its position", shortened(text, LONGEST_QUOTE))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Cube, Metric, Move};
    use std::fs;

    /// A journal with these parts, whatever they say.
    fn forged(path: &Path, plan: &Plan<'_>, parts: &[Part]) -> Result<(), LabError> {
        drop(Journal::open(path, plan).expect("it is new"));
        let head = journal::read::<Head>(path, &mut |_| {}).expect("it is a journal").head;
        let mut file = journal::Journal::<Head>::open(path, &head, &mut |_, _| Ok(())).expect("it is a journal");
        for part in parts {
            file.append(|synced| Line { synced, record: part.clone() });
        }
        file.commit().expect("it can be written");
        drop(file);
        Journal::open(path, plan).map(drop)
    }

    #[test]
    fn parts_that_cannot_be_are_refused() {
        let position = [Cube::from_moves(&[Move::ALL[0]])];
        let plan = Plan {
            name: "Korf",
            positions: &position,
            metric: Metric::Htm,
            solution_count: SolutionCount::ONE,
            by_symmetry: false,
            max_length: 12,
            max_nodes: u64::MAX,
        };
        let good = Part {
            position: 1,
            threshold: 1,
            part: 0,
            parts: 0,
            nodes: 18,
            probes: 18,
            tests: 1,
            seconds: 0.0,
            solutions: vec![(!Move::ALL[0]).to_string()],
        };
        let folder = tempfile::tempdir().expect("a folder");
        let opened = |parts: &[Part]| {
            let path = folder.path().join("journal");
            fs::remove_file(&path).ok();
            forged(&path, &plan, parts)
        };
        opened(std::slice::from_ref(&good)).expect("it is right");
        let wrong: [(&str, Vec<Part>); 8] = [
            ("does not solve", vec![Part { solutions: vec![Move::ALL[0].to_string()], ..good.clone() }]),
            ("does not solve", vec![Part { threshold: 2, ..good.clone() }]),
            ("1 positions", vec![Part { position: 2, ..good.clone() }]),
            ("1 positions", vec![Part { position: 0, ..good.clone() }]),
            ("0 parts", vec![Part { part: 1, ..good.clone() }]),
            ("no search does", vec![Part { nodes: u64::MAX, ..good.clone() }]),
            ("twice", vec![good.clone(), good.clone()]),
            ("before part 0", vec![Part { part: 1, parts: 1, ..good.clone() }]),
        ];
        for (what, parts) in wrong {
            let refused = opened(&parts).expect_err(what);
            assert!(matches!(refused, LabError::Journal(JournalError::Invalid { .. })), "{refused}");
            assert!(refused.to_string().contains(what), "{refused}");
        }
    }
}
