//! Measurements of all runs, as far as the page needs them: JSON lines in a file to which each run
//! appends.
//!
//! A run skips the measurements that the file already has, so a run that was stopped can be
//! resumed.

use super::plan::{RankSplit, SearchOutcome, WorkSpent};
use super::thesis::{LimitNodes, ParallelGain};
use cosette::cube::{Cube, Metric};
use cosette_app::events::{read_lines, write_line};
use cosette_lab::nargolkar::{AppendixPattern, superflip, superflip_distance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// A line of the file. Fields are added, never renamed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Measurement {
    Run(ProgramRun),
    Table(TableTimes),
    Total(Total),
    Position(PositionSearches),
}

/// The measurements of all runs, by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measurements {
    pub runs: Vec<ProgramRun>,
    /// Times of the ranks to load and to rebuild their tables.
    pub tables: Vec<TableTimes>,
    pub positions: Vec<PositionSearches>,
    totals: Vec<Total>,
}

/// A run of the command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProgramRun {
    /// Number of ranks.
    pub ranks: usize,
    /// Machine, compiler, commit, date.
    pub circumstances: String,
    /// Number of threads that the machine runs at once.
    pub cores: usize,
    /// The budget of a search, in nodes.
    pub budget: u64,
    /// `true` if only the sequential program was measured.
    #[serde(default)]
    pub sequential: bool,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

/// Times of a rank to load and to rebuild its table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableTimes {
    /// Number of ranks that did so at the same time.
    pub ranks: usize,
    /// Number of the rank.
    pub rank: usize,
    /// The move metric.
    pub metric: Metric,
    /// Seconds to load it and verify all checksums; the file was in the page cache.
    pub load: f64,
    /// Seconds to generate it, on one thread.
    pub fill: f64,
}

/// The position of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Subject {
    /// A line of appendix C, by its number.
    Pattern(usize),
    /// The inverse of a line of appendix C.
    Inverse(usize),
    Superflip,
    /// A position of the user's list.
    Listed(Cube),
}

impl Subject {
    /// The subject of a listed position.
    pub fn listed(position: Cube) -> Subject {
        if position == superflip() {
            Subject::Superflip
        } else {
            Subject::Listed(position)
        }
    }

    /// The line of appendix C that it is, or is the inverse of.
    fn pattern(self) -> Option<&'static AppendixPattern> {
        match self {
            Subject::Pattern(number) | Subject::Inverse(number) => {
                Some(&AppendixPattern::all()[number - 1])
            }
            Subject::Superflip | Subject::Listed(_) => None,
        }
    }

    /// The position itself.
    pub fn position(self) -> Cube {
        match (self, self.pattern()) {
            (Subject::Listed(position), _) => position,
            (Subject::Inverse(_), Some(pattern)) => pattern.position().inverse(),
            (_, Some(pattern)) => pattern.position(),
            (_, None) => superflip(),
        }
    }

    /// Its proven distance, if it is known.
    pub fn distance(self, metric: Metric) -> Option<u8> {
        match self {
            Subject::Superflip => Some(superflip_distance(metric)),
            _ => self.pattern().map(|pattern| pattern.distance(metric)),
        }
    }
}

/// The way in which a search is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Way {
    /// The number of ranks.
    pub ranks: usize,
    /// Number of searching ranks: all, or all except rank 0.
    pub searching: usize,
}

/// All searches of a position, in one metric.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PositionSearches {
    pub subject: Subject,
    pub metric: Metric,
    /// The search of the sequential program with which the parallel ones are compared.
    pub alone: Sequential,
    /// Its search with a larger budget, if that went further.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub further: Option<Sequential>,
    pub found: Vec<SplitSearch>,
}

/// A search of the sequential program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequential {
    /// Length of the solution, if one was found.
    pub length: Option<u8>,
    /// The limits up to the goal.
    pub limits: Vec<LimitNodes>,
}

/// A search by several ranks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SplitSearchTuple", into = "SplitSearchTuple")]
pub struct SplitSearch {
    pub way: Way,
    pub split: RankSplit,
    /// Length of the solution, if one was found.
    pub length: Option<u8>,
    /// Nodes on the critical path.
    pub path: u64,
    /// Number of initial limits with the same counts as in the sequential program.
    pub same_limits: usize,
    /// `true` if its solution differs from that of the sequential program.
    pub is_other: bool,
}

/// The stored form of a divided search.
type SplitSearchTuple = (usize, usize, RankSplit, Option<u8>, u64, usize, bool);

/// All searches in one metric that were divided and run in one way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Total {
    #[serde(flatten)]
    way: Way,
    metric: Metric,
    split: RankSplit,
    #[serde(flatten)]
    spent: WorkSpent,
    /// The nodes of the limits up to the goal.
    needed: u64,
}

impl Measurements {
    /// Reads the records of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a line is not a record; the error includes the first such line.
    pub fn read(path: &Path) -> io::Result<Measurements> {
        let mut of = Measurements::default();
        for record in read_lines(path)? {
            match record {
                Measurement::Run(run) => of.runs.push(run),
                Measurement::Table(table) => of.tables.push(table),
                Measurement::Total(total) => of.totals.push(total),
                Measurement::Position(position) => of.positions.push(position),
            }
        }
        Ok(of)
    }

    /// Reads the records of the file to which a run appends; empty if the file does not exist.
    pub fn continued(path: &Path) -> io::Result<Measurements> {
        if path.exists() {
            Measurements::read(path)
        } else {
            Ok(Measurements::default())
        }
    }

    /// Writes the records to a file, replacing its contents.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let partial = path.with_extension("partial");
        self.write(File::create(&partial)?)?;
        fs::rename(partial, path)
    }

    /// Writes the records, one JSON object per line.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let runs = self
            .runs
            .iter()
            .cloned()
            .map(Measurement::Run)
            .chain(self.tables.iter().cloned().map(Measurement::Table));
        let positions = self.positions.iter().cloned().map(Measurement::Position);
        let sums = self
            .totals
            .iter()
            .copied()
            .map(Measurement::Total)
            .chain(positions);
        runs.chain(sums)
            .try_for_each(|record| write_line(&mut out, &record))
    }

    /// Adds a search that was divided and run in one way, next to that of the sequential program in
    /// the same run.
    pub fn add(
        &mut self,
        (subject, metric): (Subject, Metric),
        (split, way): (RankSplit, Way),
        outcome: &SearchOutcome,
        alone: &SearchOutcome,
    ) {
        let is_it = |total: &Total| (total.way, total.metric, total.split) == (way, metric, split);
        let fresh = || Total {
            way,
            metric,
            split,
            spent: WorkSpent::default(),
            needed: 0,
        };
        let total = entry(&mut self.totals, is_it, fresh);
        total.spent.computation += outcome.spent.computation;
        total.spent.communication += outcome.spent.communication;
        total.needed += outcome.limits.iter().map(|limit| limit.1).sum::<u64>();
        let position = self.position_or((subject, metric), alone);
        if position.found.is_empty() {
            // The sequential program alone may have searched it before.
            let before = std::mem::replace(&mut position.alone, alone.into());
            position.add_further(before);
        }
        if RankSplit::PARALLEL.contains(&split) {
            let [own, sequential] = [outcome, alone].map(|of| of.goal.as_ref());
            position.found.push(SplitSearch {
                way,
                split,
                length: own.map(|goal| goal.0),
                path: outcome.path,
                same_limits: alone
                    .limits
                    .iter()
                    .take_while(|limit| outcome.limits.contains(limit))
                    .count(),
                is_other: own.is_some() && own != sequential,
            });
        }
    }

    /// Adds a search of the sequential program alone, which may have gone further.
    pub fn add_alone(&mut self, of: (Subject, Metric), alone: &SearchOutcome) {
        self.position_or(of, alone).add_further(alone.into());
    }

    /// Returns `true` if all searches of a position in this way are recorded.
    pub fn has(&self, (subject, metric): (Subject, Metric), way: Way) -> bool {
        self.position(subject, metric)
            .is_some_and(|position| position.found(RankSplit::Subtrees, way).is_some())
    }

    fn position_or(
        &mut self,
        of @ (subject, metric): (Subject, Metric),
        alone: &SearchOutcome,
    ) -> &mut PositionSearches {
        let is_it = |position: &PositionSearches| (position.subject, position.metric) == of;
        let fresh = || PositionSearches {
            subject,
            metric,
            alone: alone.into(),
            further: None,
            found: Vec::new(),
        };
        entry(&mut self.positions, is_it, fresh)
    }

    /// Returns the number of cores of the machine.
    pub fn cores(&self) -> Option<usize> {
        self.runs.iter().map(|run| run.cores).max()
    }

    /// The ways in which all positions were searched.
    pub fn ways(&self) -> Vec<Way> {
        let mut searches: BTreeMap<Way, usize> = BTreeMap::new();
        let found = self.positions.iter().flat_map(|position| &position.found);
        for found in found.filter(|found| found.split == RankSplit::Limits) {
            *searches.entry(found.way).or_default() += 1;
        }
        let all = searches.values().copied().max();
        searches.retain(|_, count| Some(*count) == all);
        searches.into_keys().collect()
    }

    /// The ways to divide a search among several ranks.
    pub fn parallel(&self) -> impl Iterator<Item = (RankSplit, Way)> {
        let several = |split| {
            self.ways()
                .into_iter()
                .filter(|way| way.ranks > 1)
                .map(move |way| (split, way))
        };
        RankSplit::PARALLEL.into_iter().flat_map(several)
    }

    pub fn position(&self, subject: Subject, metric: Metric) -> Option<&PositionSearches> {
        self.positions
            .iter()
            .find(|position| (position.subject, position.metric) == (subject, metric))
    }

    /// The searches that were divided and run in this way, and their positions.
    pub fn found(
        &self,
        split: RankSplit,
        way: Way,
    ) -> impl Iterator<Item = (&PositionSearches, &SplitSearch)> {
        self.positions
            .iter()
            .filter_map(move |position| Some((position, position.found(split, way)?)))
    }

    /// The sum over the selected searches in a metric that were divided and run in this way.
    pub fn sum(
        &self,
        metric: Metric,
        (split, way): (RankSplit, Way),
        is_selected: impl Fn(&PositionSearches, &SplitSearch) -> bool,
    ) -> Sum {
        let mut positions = 0;
        let mut sequential = 0;
        let mut parallel = 0;
        for (position, found) in self.found(split, way) {
            if position.metric == metric && is_selected(position, found) {
                positions += 1;
                sequential += position.alone.nodes();
                parallel += found.path;
            }
        }
        let gain = ParallelGain::of(way.ranks, sequential as f64, parallel as f64);
        Sum {
            positions,
            sequential,
            parallel,
            gain,
        }
    }

    /// The time spent, and the nodes of the limits up to the goals: of all searches that were
    /// divided and run in this way, in one metric or in all.
    pub fn total(&self, metric: Option<Metric>, split: RankSplit, way: Way) -> (WorkSpent, u64) {
        let mut spent = WorkSpent::default();
        let mut needed = 0;
        for total in self
            .totals
            .iter()
            .filter(|total| (total.split, total.way) == (split, way))
        {
            if metric.is_none_or(|metric| total.metric == metric) {
                spent.computation += total.spent.computation;
                spent.communication += total.spent.communication;
                needed += total.needed;
            }
        }
        (spent, needed)
    }
}

/// Returns the element of a list that satisfies `is_it`; appends a new one if there is none.
fn entry<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool, fresh: impl FnOnce() -> T) -> &mut T {
    let at = list.iter().position(is_it).unwrap_or(list.len());
    if at == list.len() {
        list.push(fresh());
    }
    &mut list[at]
}

/// Totals of the searches in one way, next to the sequential ones.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Sum {
    pub positions: usize,
    /// The nodes of the sequential program.
    pub sequential: u64,
    /// Nodes on the critical path.
    pub parallel: u64,
    /// The gain in nodes.
    pub gain: ParallelGain,
}

impl Way {
    /// Returns the number of ranks, and a note if one of them only coordinated.
    pub fn name(self) -> String {
        match self.searching == self.ranks {
            true => self.ranks.to_string(),
            false => format!("{}, rank 0 only coordinates", self.ranks),
        }
    }
}

impl PositionSearches {
    /// The search of the sequential program that went furthest.
    pub fn furthest(&self) -> &Sequential {
        self.further.as_ref().unwrap_or(&self.alone)
    }

    fn add_further(&mut self, search: Sequential) {
        if search.limits.last() > self.furthest().limits.last() {
            self.further = Some(search);
        }
    }

    /// Its search that was divided and run in this way.
    pub fn found(&self, split: RankSplit, way: Way) -> Option<&SplitSearch> {
        self.found
            .iter()
            .find(|found| (found.split, found.way) == (split, way))
    }
}

impl From<&SearchOutcome> for Sequential {
    fn from(outcome: &SearchOutcome) -> Sequential {
        Sequential {
            length: outcome.goal.as_ref().map(|goal| goal.0),
            limits: outcome.limits.clone(),
        }
    }
}

impl Sequential {
    pub fn nodes(&self) -> u64 {
        self.limits.iter().map(|limit| limit.1).sum()
    }

    /// The limits that were searched to their end.
    pub fn complete(&self) -> &[LimitNodes] {
        &self.limits[..self.limits.len() - usize::from(self.length.is_some())]
    }
}

impl From<SplitSearchTuple> for SplitSearch {
    fn from(
        (ranks, searching, split, length, path, same_limits, is_other): SplitSearchTuple,
    ) -> SplitSearch {
        SplitSearch {
            way: Way { ranks, searching },
            split,
            length,
            path,
            same_limits,
            is_other,
        }
    }
}

impl From<SplitSearch> for SplitSearchTuple {
    fn from(
        SplitSearch {
            way,
            split,
            length,
            path,
            same_limits,
            is_other,
        }: SplitSearch,
    ) -> SplitSearchTuple {
        (
            way.ranks,
            way.searching,
            split,
            length,
            path,
            same_limits,
            is_other,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_are_written() {
        let outcome = SearchOutcome {
            goal: Some((3, "R U2 F'".into())),
            path: 40,
            limits: vec![(3, 40)],
            ..SearchOutcome::default()
        };
        let mut records = Measurements::default();
        let of = (Subject::Inverse(30), Metric::Qtm);
        let way = Way {
            ranks: 2,
            searching: 1,
        };
        for split in [RankSplit::Sequential, RankSplit::Limits] {
            records.add(of, (split, way), &outcome, &outcome);
        }
        // A search that went further is stored separately, whether it came later or before.
        let further = SearchOutcome {
            limits: vec![(3, 41), (4, 500)],
            ..SearchOutcome::default()
        };
        records.add_alone(of, &further);
        let superflip = (Subject::Superflip, Metric::Htm);
        records.add_alone(superflip, &further);
        records.add(superflip, (RankSplit::Subtrees, way), &outcome, &outcome);
        for position in &records.positions {
            assert_eq!(
                (position.alone.nodes(), position.furthest().nodes()),
                (40, 541)
            );
        }
        assert!(records.has(superflip, way) && !records.has(of, way));
        assert_eq!(
            (
                records.positions[0].found[0].same_limits,
                records.totals.len()
            ),
            (1, 3)
        );
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("records.jsonl");
        assert_eq!(
            Measurements::continued(&file).expect("there is none"),
            Measurements::default()
        );
        records.save(&file).expect("written");
        assert_eq!(Measurements::continued(&file).expect("read"), records);
    }
}
