//! The records of all runs, their sums, and what several processors gain.

use crate::nargolkar::message::Split;
use crate::nargolkar::record::{Record, Run, Search, Subject, Table};
use cosette::cube::Metric;
use cosette_lab::experiment::Cell;
use std::collections::BTreeSet;

/// The ways to divide a search.
pub const SPLITS: [Split; 3] = [Split::Limits, Split::Unproven, Split::Subtrees];

/// The columns that [`Sum::cells`] fills.
pub const GAINS: [&str; 5] = ["nodes, np = 1", "nodes on the path", "S", "E", "Karp–Flatt"];

/// The records of all runs, by kind.
#[derive(Default)]
pub struct Records {
    pub runs: Vec<Run>,
    searches: Vec<Search>,
    /// The searches of the sequential program only.
    pub alone: Vec<Search>,
    /// How long ranks took to load and to rebuild their tables.
    pub tables: Vec<Table>,
}

/// How a search was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    /// The number of ranks.
    pub ranks: usize,
    /// How many of them searched.
    pub searching: usize,
}

/// Searches in one way, summed up, beside the sequential ones of the same run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    pub positions: usize,
    /// Nodes on the critical path.
    sequential: f64,
    parallel: f64,
}

impl Records {
    /// Sorts records by kind. Of a search that was repeated, the last record counts.
    pub fn of(records: Vec<Record>) -> Records {
        let mut of = Records::default();
        for record in records {
            match record {
                Record::Run(run) => of.runs.push(run),
                Record::Search(search) => {
                    let is_other = |other: &Search| {
                        (other.subject, other.metric, other.split, way_of(other))
                            != (search.subject, search.metric, search.split, way_of(&search))
                    };
                    of.searches.retain(is_other);
                    of.searches.push(search);
                }
                Record::Alone(search) => of.alone.push(search),
                Record::Table(table) => of.tables.push(table),
            }
        }
        of
    }

    /// How many cores the machine has.
    pub fn cores(&self) -> Option<usize> {
        self.runs.iter().map(|run| run.cores).max()
    }

    /// The ways in which searches were run.
    pub fn ways(&self) -> Vec<Way> {
        self.searches.iter().map(way_of).collect::<BTreeSet<Way>>().into_iter().collect()
    }

    /// The ways to divide a search, each with all the ways in which searches were run.
    pub fn splits_and_ways(&self) -> impl Iterator<Item = (Split, Way)> {
        SPLITS.into_iter().flat_map(|split| self.ways().into_iter().map(move |way| (split, way)))
    }

    /// The way with the most ranks that each have a core.
    pub fn best_way(&self) -> Option<Way> {
        let cores = self.cores().unwrap_or(1);
        self.ways().into_iter().rfind(|way| way.ranks <= cores && way.searching == way.ranks)
    }

    /// The searches of the sequential program in the smallest run, by subject.
    pub fn sequential(&self, metric: Metric) -> impl Iterator<Item = &Search> {
        let way = self.ways().first().copied();
        self.searches.iter().filter(move |search| {
            search.split == Split::Sequential && search.metric == metric && Some(way_of(search)) == way
        })
    }

    /// The search of the sequential program that went furthest.
    pub fn furthest(&self, subject: Subject, metric: Metric) -> Option<&Search> {
        let all = self.alone.iter().chain(self.sequential(metric));
        let of_it = all.filter(|search| (search.subject, search.metric) == (subject, metric));
        of_it.max_by_key(|search| search.outcome.limits.last().map(|limit| limit.limit))
    }

    /// The searches by several ranks that divided them in this way.
    pub fn divided(&self, split: Split, way: Way) -> impl Iterator<Item = &Search> {
        self.searches.iter().filter(move |search| search.split == split && way_of(search) == way)
    }

    pub fn find(&self, subject: Subject, metric: Metric, split: Split, way: Way) -> Option<&Search> {
        let is_it = |search: &&Search| {
            (search.subject, search.metric, search.split, way_of(search)) == (subject, metric, split, way)
        };
        self.searches.iter().find(is_it)
    }

    /// The sum over the selected searches.
    pub fn sum(&self, metric: Metric, split: Split, way: Way, is_selected: impl Fn(&Search) -> bool) -> Sum {
        let mut sum = Sum::default();
        let is_of = |search: &&Search| (search.metric, search.split, way_of(search)) == (metric, split, way);
        for search in self.searches.iter().filter(is_of).filter(|search| is_selected(search)) {
            if let Some(alone) = self.find(search.subject, metric, Split::Sequential, way) {
                sum.positions += 1;
                sum.sequential += alone.outcome.path as f64;
                sum.parallel += search.outcome.path as f64;
            }
        }
        sum
    }
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

fn way_of(search: &Search) -> Way {
    Way { ranks: search.ranks, searching: search.searching }
}

impl Sum {
    /// The gain in nodes.
    pub fn gain(&self, way: Way) -> Option<Gain> {
        Gain::of(way.ranks, self.sequential, self.parallel)
    }

    /// The sums and gains, as [`GAINS`] names them.
    pub fn cells(&self, way: Way) -> Vec<Cell> {
        let mut cells = vec![Cell::Count(self.sequential as u64), Cell::Count(self.parallel as u64)];
        cells.extend(gain_cells(self.gain(way)));
        cells
    }

    /// The nodes of the sequential program and those on the critical path of this way.
    pub fn nodes(&self) -> [f64; 2] {
        [self.sequential, self.parallel]
    }
}

fn gain_cells(gain: Option<Gain>) -> [Cell; 3] {
    let Some(gain) = gain else { return [Cell::Nothing, Cell::Nothing, Cell::Nothing] };
    let serial = gain.serial_fraction.map_or(Cell::Nothing, |fraction| Cell::Number(fraction, 3));
    [Cell::Number(gain.speedup, 2), Cell::Number(gain.efficiency, 2), serial]
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
}
