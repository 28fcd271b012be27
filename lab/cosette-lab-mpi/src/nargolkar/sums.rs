//! The records of all runs, as JSON lines; and the same summed up to what the page needs of them, and what several processors gain.
//!
//! `cosette-lab-mpi nargolkar --sum FILE…` prints these sums, a twentieth of the records, to be kept in their place.

use super::message::{Outcome, Run, Search, Split, Subject, Table};
use cosette::cube::Metric;
use cosette_lab::experiment::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// The ways to divide a search.
pub const SPLITS: [Split; 3] = [Split::Limits, Split::Unproven, Split::Subtrees];

/// A measurement. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Record {
    /// The circumstances of the records that follow.
    Run(Run),
    /// A position was searched.
    Search(Search),
    /// A position was searched further, by the sequential program only.
    Alone(Search),
    /// A rank loaded and rebuilt its table.
    Table(Table),
    /// The sums of a position.
    Position(Position),
    /// The sums of all searches in one way.
    Total(Total),
}

/// Where records go.
pub struct Recorder(Box<dyn Write>);

impl Recorder {
    /// To the end of a file, or to standard output.
    pub fn open(path: Option<&Path>) -> io::Result<Recorder> {
        Ok(Recorder(match path {
            Some(path) => Box::new(OpenOptions::new().append(true).create(true).open(path)?),
            None => Box::new(anstream::stdout()),
        }))
    }

    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        cosette_app::json::write_line(&mut self.0, record)
    }
}

/// The records of all runs, summed up, by kind.
#[derive(Default)]
pub struct Records {
    pub runs: Vec<Run>,
    /// How long ranks took to load and to rebuild their tables.
    pub tables: Vec<Table>,
    pub positions: Vec<Position>,
    totals: Vec<Total>,
}

/// How a search was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Way {
    /// The number of ranks.
    pub ranks: usize,
    /// How many of them searched.
    pub searching: usize,
}

/// A position, and how it was searched in all runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub subject: Subject,
    pub metric: Metric,
    /// The sequential program, which counts the same in each run.
    pub alone: Sequential,
    /// The same where it was run by itself and went further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    further: Option<Sequential>,
    pub found: Vec<Found>,
}

/// A search of the sequential program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// The distance, if it came to a solution.
    pub length: Option<u8>,
    /// Each limit and its nodes: all of its tree, except to the first solution.
    pub limits: Vec<(u8, u64)>,
}

/// A search by several ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct Found {
    pub way: Way,
    pub split: Split,
    /// The length of the solution, if it came to one.
    pub length: Option<u8>,
    /// Nodes on the critical path.
    pub path: u64,
    /// How many limits, from the first one on, have the counts of the sequential program.
    pub same_limits: usize,
    /// Whether its solution is another one than that of the sequential program.
    pub is_other: bool,
}

/// The same as it is stored.
type Row = (usize, usize, Split, Option<u8>, u64, usize, bool);

/// All searches in one metric that were divided and run in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Total {
    #[serde(flatten)]
    way: Way,
    metric: Metric,
    split: Split,
    /// Processor time, in seconds, of all ranks.
    computation: f64,
    communication: f64,
    /// The nodes of the limits up to the goal.
    needed: u64,
}

/// Searches in one way, summed up, beside the sequential ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub positions: usize,
    /// The nodes of the sequential program.
    pub sequential: f64,
    /// Nodes on the critical path.
    pub parallel: f64,
}

/// The element of a list that something is true of; a fresh one at its end if there is none.
fn entry<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool, fresh: impl FnOnce() -> T) -> &mut T {
    let at = list.iter().position(is_it).unwrap_or(list.len());
    if at == list.len() {
        list.push(fresh());
    }
    &mut list[at]
}

impl Records {
    /// Sums records up; sums that are among them are taken as they are. Of a search that was repeated, the last record counts.
    pub fn of(records: Vec<Record>) -> Records {
        let (mut of, mut searches, mut alone) = (Records::default(), Vec::new(), Vec::new());
        for record in records {
            match record {
                Record::Run(run) => of.runs.push(run),
                Record::Table(table) => of.tables.push(table),
                Record::Position(position) => of.positions.push(position),
                Record::Total(total) => of.totals.push(total),
                Record::Alone(search) => alone.push(search),
                Record::Search(search) => {
                    searches.retain(|other| key(other) != key(&search));
                    searches.push(search);
                }
            }
        }
        searches.sort_by_key(way_of);
        for search in &searches {
            let (subject, metric, _, way) = key(search);
            let sequential = (subject, metric, Split::Sequential, way);
            if let Some(alone) = searches.iter().find(|other| key(other) == sequential) {
                of.add(search, &alone.outcome);
            }
        }
        for search in alone {
            let further = Sequential::of(&search.outcome);
            let position = of.position_or(search.subject, search.metric, &search.outcome);
            if further.last() > position.alone.last() {
                position.further = Some(further);
            }
        }
        of
    }

    fn position_or(&mut self, subject: Subject, metric: Metric, alone: &Outcome) -> &mut Position {
        let is_it = |position: &Position| (position.subject, position.metric) == (subject, metric);
        let fresh = || Position { subject, metric, alone: Sequential::of(alone), further: None, found: Vec::new() };
        entry(&mut self.positions, is_it, fresh)
    }

    fn add(&mut self, search: &Search, alone: &Outcome) {
        let Search { metric, split, outcome, .. } = search;
        let (way, metric, split) = (way_of(search), *metric, *split);
        let is_it = |total: &Total| (total.way, total.metric, total.split) == (way, metric, split);
        let fresh = || Total { way, metric, split, computation: 0.0, communication: 0.0, needed: 0 };
        let total = entry(&mut self.totals, is_it, fresh);
        total.computation += outcome.spent.iter().map(|of| of.computation).sum::<f64>();
        total.communication += outcome.spent.iter().map(|of| of.communication).sum::<f64>();
        total.needed += outcome.limits.iter().map(|limit| limit.nodes).sum::<u64>();
        let position = self.position_or(search.subject, metric, alone);
        if SPLITS.contains(&split) {
            position.found.push(Found {
                way,
                split,
                length: outcome.length,
                path: outcome.path,
                same_limits: alone.limits.iter().take_while(|limit| outcome.limits.contains(limit)).count(),
                is_other: outcome.length.is_some() && outcome.solution != alone.solution,
            });
        }
    }

    /// Writes the sums, one JSON object per line.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let runs = self.runs.iter().cloned().map(Record::Run).chain(self.tables.iter().cloned().map(Record::Table));
        let positions = self.positions.iter().cloned().map(Record::Position);
        let sums = self.totals.iter().copied().map(Record::Total).chain(positions);
        runs.chain(sums).try_for_each(|record| cosette_app::json::write_line(out, &record))
    }

    /// How many cores the machine has.
    pub fn cores(&self) -> Option<usize> {
        self.runs.iter().map(|run| run.cores).max()
    }

    /// The ways in which searches were run.
    pub fn ways(&self) -> Vec<Way> {
        self.totals.iter().map(|total| total.way).collect::<BTreeSet<Way>>().into_iter().collect()
    }

    /// The ways to divide a search among several ranks.
    pub fn parallel(&self) -> impl Iterator<Item = (Split, Way)> {
        let several = |split| self.ways().into_iter().filter(|way| way.ranks > 1).map(move |way| (split, way));
        SPLITS.into_iter().flat_map(several)
    }

    /// The way with the most ranks that each have a core.
    pub fn best_way(&self) -> Option<Way> {
        let cores = self.cores().unwrap_or(1);
        self.ways().into_iter().rfind(|way| way.ranks <= cores && way.searching == way.ranks)
    }

    pub fn position(&self, subject: Subject, metric: Metric) -> Option<&Position> {
        self.positions.iter().find(|position| (position.subject, position.metric) == (subject, metric))
    }

    /// The searches that were divided and run in this way, and their positions.
    pub fn found(&self, split: Split, way: Way) -> impl Iterator<Item = (&Position, &Found)> {
        self.positions.iter().filter_map(move |position| Some((position, position.found(split, way)?)))
    }

    /// The sum over the selected searches.
    pub fn sum(&self, metric: Metric, (split, way): (Split, Way), is_of: impl Fn(&Position, &Found) -> bool) -> Sum {
        let of_metric = self.found(split, way).filter(|(position, _)| position.metric == metric);
        of_metric.filter(|(position, found)| is_of(position, found)).fold(Sum::default(), |sum, (position, found)| {
            Sum {
                positions: sum.positions + 1,
                sequential: sum.sequential + position.alone.nodes() as f64,
                parallel: sum.parallel + found.path as f64,
            }
        })
    }

    /// The processor time of computation and that of communication, and the nodes of the limits up to the goals: of all searches
    /// that were divided and run in this way, in one metric or in all.
    pub fn total(&self, metric: Option<Metric>, split: Split, way: Way) -> (f64, f64, u64) {
        let is_of = |total: &&Total| (total.split, total.way) == (split, way);
        let all = self.totals.iter().filter(is_of).filter(|total| metric.is_none_or(|metric| total.metric == metric));
        all.fold((0.0, 0.0, 0), |(computation, communication, needed), total| {
            (computation + total.computation, communication + total.communication, needed + total.needed)
        })
    }
}

fn way_of(search: &Search) -> Way {
    Way { ranks: search.ranks, searching: search.searching }
}

/// What two records of the same search have in common.
fn key(search: &Search) -> (Subject, Metric, Split, Way) {
    (search.subject, search.metric, search.split, way_of(search))
}

impl Way {
    /// As it is shown: the number of ranks, and whether one of them only coordinated.
    pub fn cell(self) -> Cell {
        match self.searching == self.ranks {
            true => Cell::Count(self.ranks as u64),
            false => Cell::text(format!("{}, rank 0 only coordinates", self.ranks)),
        }
    }
}

impl Position {
    /// The search of the sequential program that went furthest.
    pub fn furthest(&self) -> &Sequential {
        self.further.as_ref().unwrap_or(&self.alone)
    }

    /// Its search that was divided and run in this way.
    pub fn found(&self, split: Split, way: Way) -> Option<&Found> {
        self.found.iter().find(|found| (found.split, found.way) == (split, way))
    }
}

impl Sequential {
    fn of(outcome: &Outcome) -> Sequential {
        let limits = outcome.limits.iter().map(|limit| (limit.limit, limit.nodes)).collect();
        Sequential { length: outcome.length, limits }
    }

    fn last(&self) -> Option<u8> {
        self.limits.last().map(|limit| limit.0)
    }

    pub fn nodes(&self) -> u64 {
        self.limits.iter().map(|limit| limit.1).sum()
    }

    /// The limits that were searched to their end.
    pub fn complete(&self) -> &[(u8, u64)] {
        &self.limits[..self.limits.len() - usize::from(self.length.is_some())]
    }
}

impl From<Row> for Found {
    fn from((ranks, searching, split, length, path, same_limits, is_other): Row) -> Found {
        Found { way: Way { ranks, searching }, split, length, path, same_limits, is_other }
    }
}

impl From<Found> for Row {
    fn from(Found { way, split, length, path, same_limits, is_other }: Found) -> Row {
        (way.ranks, way.searching, split, length, path, same_limits, is_other)
    }
}

impl Sum {
    /// The gain in nodes.
    pub fn gain(&self, way: Way) -> Option<Gain> {
        Gain::of(way.ranks, self.sequential, self.parallel)
    }

    /// The nodes of the sequential program and those on the critical path, and the gains.
    pub fn cells(&self, way: Way) -> [Cell; 5] {
        let nodes = [self.sequential, self.parallel].map(|nodes| Cell::Count(nodes as u64));
        let gain = self.gain(way);
        let serial = gain.and_then(|gain| gain.serial_fraction);
        let [sequential, parallel] = nodes;
        let number = |value: Option<f64>, digits| value.map_or(Cell::Nothing, |value| Cell::Number(value, digits));
        let [speedup, efficiency] = [gain.map(|gain| gain.speedup), gain.map(|gain| gain.efficiency)];
        [sequential, parallel, number(speedup, 2), number(efficiency, 2), number(serial, 3)]
    }
}

/// What several processors gain over one. Nodes on the critical path may stand for times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// How many times faster: the time on one divided by the time on several.
    pub speedup: f64,
    /// The share of the processors that was useful: the speedup divided by their number.
    pub efficiency: f64,
    /// The serial fraction e = (1/S − 1/p) / (1 − 1/p), determined experimentally (A. H. Karp and H. P. Flatt,
    /// "Measuring parallel processor performance", CACM 33, 1990); undefined for one processor.
    pub serial_fraction: Option<f64>,
}

impl Gain {
    /// The gain of these processors, if both times are positive.
    pub fn of(processors: usize, on_one: f64, on_several: f64) -> Option<Gain> {
        if !(on_one > 0.0 && on_several > 0.0) || processors == 0 {
            return None;
        }
        let (p, speedup) = (processors as f64, on_one / on_several);
        let serial_fraction = (processors > 1).then(|| (1.0 / speedup - 1.0 / p) / (1.0 - 1.0 / p));
        Some(Gain { speedup, efficiency: speedup / p, serial_fraction })
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::{Limit, Spent};
    use super::*;

    fn serial_fraction(processors: usize, on_one: f64, on_several: f64) -> f64 {
        Gain::of(processors, on_one, on_several).and_then(|gain| gain.serial_fraction).expect("several processors")
    }

    #[test]
    fn the_serial_fraction_is_that_of_karp_and_flatt() {
        // Perfectly parallel work has none, work that gains nothing is all serial.
        assert!(serial_fraction(8, 8.0, 1.0).abs() < 1e-12);
        assert!((serial_fraction(8, 8.0, 8.0) - 1.0).abs() < 1e-12);
        // A tenth serial on four processors: 0.1 + 0.9 / 4 of the time (Amdahl).
        assert!((serial_fraction(4, 1.0, 0.1 + 0.9 / 4.0) - 0.1).abs() < 1e-12);
        // More than linear: negative.
        assert!(serial_fraction(2, 3.0, 1.0) < 0.0);
    }

    #[test]
    fn speedup_and_efficiency() {
        let gain = Gain::of(4, 10.0, 4.0).expect("times");
        assert_eq!((gain.speedup, gain.efficiency), (2.5, 0.625));
        assert_eq!(Gain::of(1, 10.0, 10.0).expect("times").serial_fraction, None);
        assert_eq!(Gain::of(2, 10.0, 0.0), None);
        assert_eq!(Gain::of(0, 10.0, 1.0), None);
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let outcome = Outcome {
            length: Some(3),
            solution: Some("R U2 F'".into()),
            seconds: 0.25,
            path: 40,
            nodes: 70,
            spent: vec![Spent { computation: 0.25, communication: 0.0 }],
            limits: vec![Limit { limit: 3, nodes: 40, tests: 1, complete: false }],
        };
        let search = |subject| Search {
            ranks: 2,
            searching: 1,
            subject,
            metric: Metric::Qtm,
            split: Split::Limits,
            outcome: outcome.clone(),
        };
        for subject in [Subject::Pattern(1), Subject::Inverse(30), Subject::Superflip] {
            for record in [Record::Search(search(subject)), Record::Alone(search(subject))] {
                let line = serde_json::to_string(&record).expect("a record is JSON");
                assert_eq!(serde_json::from_str::<Record>(&line).expect(&line), record);
            }
            let alone = Search { split: Split::Sequential, ..search(subject) };
            let sums = Records::of(vec![Record::Search(search(subject)), Record::Search(alone)]);
            let [position] = &sums.positions[..] else { panic!("there is one position") };
            assert_eq!((position.found.len(), position.found[0].same_limits, sums.totals.len()), (1, 1, 2));
            let mut text = Vec::new();
            sums.write(&mut text).expect("a list takes all");
            let read = text.split_inclusive(|&byte| byte == b'\n').map(serde_json::from_slice);
            let read = Records::of(read.collect::<Result<_, _>>().expect("sums are read"));
            assert_eq!((read.positions, read.totals), (sums.positions, sums.totals));
        }
    }
}
