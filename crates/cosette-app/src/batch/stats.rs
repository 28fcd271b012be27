//! Statistics of a journal.

use super::journal::{Head, Record};
use super::known;
use crate::journal::{self, JournalError};
use crate::json::Solve;
use cosette::cube::Metric;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Statistics of a journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// The metric: `htm` or `qtm`.
    pub metric: String,
    /// The number of texts in the list.
    pub listed: usize,
    /// The number of answered positions.
    pub answered: usize,
    /// How many of them have a proven length.
    pub proven: usize,
    /// How many of them were answered by another position that is equal up to symmetry and inversion.
    pub carried_over: usize,
    /// The positions by proven length.
    pub lengths: Vec<OfLength>,
    /// The mean of the proven lengths.
    pub mean_length: Option<f64>,
    /// The mean distance of all positions from solved.
    pub known_mean_length: f64,
    /// Nodes expanded.
    pub nodes: u64,
    /// Accesses to the table.
    pub probes: u64,
    /// The total time of all searches, in seconds.
    pub seconds: f64,
    /// The longest time of one search, in seconds.
    pub longest_seconds: f64,
    /// Searched positions per second of search.
    pub searched_a_second: Option<f64>,
    /// The tables that were used.
    pub tables: BTreeSet<String>,
}

/// The positions of one length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfLength {
    /// The length.
    pub length: u8,
    /// The number of positions with this length.
    pub positions: usize,
    /// Their share of those with a proven length.
    pub share: f64,
    /// Their share of all positions of the cube, if it is known.
    pub known_share: Option<f64>,
    /// The mean number of expanded nodes of those that were searched.
    pub mean_nodes: Option<f64>,
    /// The mean time in seconds of those that were searched.
    pub mean_seconds: Option<f64>,
}

/// Sums over the positions of one length.
#[derive(Default)]
struct Sums {
    positions: usize,
    searched: u64,
    nodes: u64,
    seconds: f64,
}

impl Stats {
    /// Reads a journal, also while a process writes it. Fails if the system refuses, or if the file is damaged or not a
    /// journal of a batch.
    pub fn of_journal(path: &Path) -> Result<Stats, JournalError> {
        let mut answers: BTreeMap<usize, Solve> = BTreeMap::new();
        let contents = journal::read::<Head>(path, &mut |Record { number, answer, .. }| {
            // The large fields are not needed here.
            let answer = Solve { solutions: Vec::new(), thresholds: Vec::new(), ..answer };
            answers.entry(number).or_insert(answer);
        })?;
        let metric = contents.head.settings.get("metric").cloned().unwrap_or_default();
        Ok(Stats::new(&metric, contents.head.positions.count, &answers.into_values().collect::<Vec<_>>()))
    }

    /// Statistics of these answers to a list with `listed` texts.
    pub fn new(metric: &str, listed: usize, answers: &[Solve]) -> Stats {
        let known_metric: Metric = metric.parse().unwrap_or_default();
        let mut by_length: BTreeMap<u8, Sums> = BTreeMap::new();
        for answer in answers {
            let Some(length) = answer.length else { continue };
            let sums = by_length.entry(length).or_default();
            sums.positions += 1;
            if answer.same_as.is_none() {
                sums.searched += 1;
                sums.nodes += answer.nodes;
                sums.seconds += answer.seconds;
            }
        }
        let proven: usize = by_length.values().map(|sums| sums.positions).sum();
        let sum_of_lengths: f64 =
            by_length.iter().map(|(&length, sums)| f64::from(length) * sums.positions as f64).sum();
        let searched = || answers.iter().filter(|answer| answer.same_as.is_none());
        let seconds: f64 = searched().map(|answer| answer.seconds).sum();
        let of_length = |(length, sums): (u8, Sums)| OfLength {
            length,
            positions: sums.positions,
            share: sums.positions as f64 / proven as f64,
            known_share: known::share(known_metric, length),
            mean_nodes: (sums.searched > 0).then(|| sums.nodes as f64 / sums.searched as f64),
            mean_seconds: (sums.searched > 0).then(|| sums.seconds / sums.searched as f64),
        };
        Stats {
            metric: metric.to_owned(),
            listed,
            answered: answers.len(),
            proven,
            carried_over: answers.len() - searched().count(),
            lengths: by_length.into_iter().map(of_length).collect(),
            mean_length: (proven > 0).then(|| sum_of_lengths / proven as f64),
            known_mean_length: known::mean(known_metric),
            nodes: searched().map(|answer| answer.nodes).sum(),
            probes: searched().map(|answer| answer.probes).sum(),
            seconds,
            longest_seconds: searched().map(|answer| answer.seconds).fold(0.0, f64::max),
            searched_a_second: (seconds > 0.0).then(|| searched().count() as f64 / seconds),
            tables: answers.iter().map(|answer| answer.table.clone()).collect(),
        }
    }

    /// The metric.
    pub(super) fn metric(&self) -> Metric {
        self.metric.parse().unwrap_or_default()
    }
}
