//! What a journal says of its positions as a whole.

use super::journal::{Head, Record};
use super::known;
use crate::journal::{self, JournalError};
use crate::json::Solve;
use cosette::cube::Metric;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a journal says of its positions as a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// What is counted: `htm` or `qtm`.
    pub metric: String,
    /// How many texts the list has.
    pub listed: usize,
    /// How many positions are answered.
    pub answered: usize,
    /// How many of them have a proven length.
    pub proven: usize,
    /// How many were answered by another that equals them up to symmetry and inversion.
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
    /// The time of all searches, in seconds, added up.
    pub seconds: f64,
    /// The most time that one took, in seconds.
    pub longest_seconds: f64,
    /// How many positions were searched in a second, one at a time.
    pub searched_a_second: Option<f64>,
    /// The tables searched with.
    pub tables: BTreeSet<String>,
}

/// The positions of one length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OfLength {
    /// The length.
    pub length: u8,
    /// How many positions have it.
    pub positions: usize,
    /// Their share of those with a proven length.
    pub share: f64,
    /// The share of all positions of the cube that have it, where it is known.
    pub known_share: Option<f64>,
    /// The mean of the nodes expanded, over those that were searched.
    pub mean_nodes: Option<f64>,
    /// The mean of the seconds, over those that were searched.
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
    /// Reads a journal, also while a process writes it.
    ///
    /// # Errors
    /// If the system refuses, or if it is damaged or no journal.
    pub fn of_journal(path: &Path) -> Result<Stats, JournalError> {
        let mut answers: BTreeMap<usize, Solve> = BTreeMap::new();
        let contents = journal::read::<Head>(path, &mut |Record { number, answer, .. }| {
            // What is large is of no use here.
            let answer = Solve { solutions: Vec::new(), thresholds: Vec::new(), ..answer };
            answers.entry(number).or_insert(answer);
        })?;
        let metric = contents.head.settings.get("metric").cloned().unwrap_or_default();
        Ok(Stats::new(&metric, contents.head.positions.count, &answers.into_values().collect::<Vec<_>>()))
    }

    /// What these answers say, of a list with so many texts.
    pub fn new(metric: &str, listed: usize, answers: &[Solve]) -> Stats {
        let known_metric = Metric::ALL.into_iter().find(|known| known.name() == metric).unwrap_or_default();
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
        Metric::ALL.into_iter().find(|metric| metric.name() == self.metric).unwrap_or_default()
    }
}
