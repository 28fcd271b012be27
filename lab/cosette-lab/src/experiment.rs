//! The results of a reproduction: tables beside the paper's figures, plots, and what was assumed where the paper does
//! not say.
//!
//! Each system computes its figures into an [`Experiment`], which is shown as text in the terminal, as JSON, or as a
//! section of a Markdown page.

use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How much of a paper's experiment is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// About a minute on two cores: all quick experiments together take less than ten minutes.
    #[default]
    Quick,
    /// As much as the paper did, or as a day allows.
    Full,
}

/// How experiments are to be computed.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// How much of the paper's experiment is run.
    pub effort: Effort,
    /// The file of positions to solve, for experiments that solve some; without it they are drawn from the seed.
    pub instances: Option<PathBuf>,
    /// The random seed; without it each experiment has its own.
    pub seed: Option<u64>,
    /// The folder of the results of long searches, to be shown, or continued.
    pub results: Option<PathBuf>,
    /// The commit and the machine, as results say where they were computed.
    pub origin: Origin,
    /// How many nodes long searches generate at most.
    pub max_nodes: Option<u64>,
    /// Long searches end after this time, and show what is complete.
    pub time: Option<Duration>,
}

/// Where and when results were computed.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    /// The date.
    pub date: String,
    /// The commit of the program; empty where it is not known.
    pub commit: String,
    /// The machine.
    pub machine: String,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { date, commit, machine } = self;
        let commit = if commit.is_empty() { String::new() } else { format!(", at commit {commit}") };
        write!(f, "Computed on {date} on {machine}{commit}.")
    }
}

impl Request {
    /// The default request.
    pub fn new(effort: Effort) -> Request {
        Request { effort, ..Request::default() }
    }

    /// Whether it says nothing of what is searched and how far.
    pub fn is_default(&self) -> bool {
        self.instances.is_none() && self.seed.is_none() && self.max_nodes.is_none() && self.time.is_none()
    }

    /// The random seed of an experiment: the one that was asked for, or its own.
    pub fn seed_or(&self, own: u64) -> u64 {
        self.seed.unwrap_or(own)
    }
}

/// A reproduction of a table or a claim of a paper.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Experiment {
    /// Its name in the command: `databases` of `cosette lab korf databases`.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// Where in which paper: `Korf 1997, Table 2`.
    pub source: &'static str,
    /// Paragraphs before the tables: what is computed and how, what was assumed, what the paper misprints.
    pub text: Vec<String>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The plots.
    pub plots: Vec<Plot>,
    /// Paragraphs after them: what follows.
    pub remarks: Vec<String>,
}

impl Experiment {
    /// An experiment that shows nothing yet.
    pub fn new(name: &'static str, title: impl Into<String>, source: &'static str) -> Experiment {
        Experiment { name, title: title.into(), source, ..Experiment::default() }
    }

    /// With one more paragraph before the tables.
    #[must_use]
    pub fn text(mut self, paragraph: impl Into<String>) -> Experiment {
        self.text.push(paragraph.into());
        self
    }

    /// With these tables too.
    #[must_use]
    pub fn tables(mut self, tables: impl IntoIterator<Item = Table>) -> Experiment {
        self.tables.extend(tables);
        self
    }

    /// With these plots too.
    #[must_use]
    pub fn plots(mut self, plots: impl IntoIterator<Item = Plot>) -> Experiment {
        self.plots.extend(plots);
        self
    }

    /// With one more paragraph after the tables and plots.
    #[must_use]
    pub fn remark(mut self, paragraph: impl Into<String>) -> Experiment {
        self.remarks.push(paragraph.into());
        self
    }

    /// Which figures an earlier run has computed, when and on which machine; none if all were computed now.
    pub fn kept_note(&self) -> Option<String> {
        let kept = |(number, table): (usize, &Table)| {
            let columns = table.kept.as_ref()?.columns.iter();
            let columns = columns.map(|&column| format!("{} ({})", column + 1, table.columns[column]));
            Some(format!("table {number}, columns {}", columns.collect::<Vec<_>>().join(", ")))
        };
        let notes: Vec<String> = (1..).zip(&self.tables).filter_map(kept).collect();
        let mut runs: Vec<&str> =
            self.tables.iter().filter_map(|table| Some(table.kept.as_ref()?.run.as_str())).collect();
        runs.dedup();
        (!notes.is_empty()).then(|| {
            let (notes, runs) = (notes.join("; "), runs.join(" "));
            format!(
                "Kept from an earlier run, wholly or in part: {notes}. {runs} All else was computed now; with --full and a new \
                 folder as --results these figures are computed here too."
            )
        })
    }

    /// With these paragraphs after the tables and plots too.
    #[must_use]
    pub fn remarks(mut self, paragraphs: impl IntoIterator<Item = String>) -> Experiment {
        self.remarks.extend(paragraphs);
        self
    }
}

/// A table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Table {
    /// What it shows, if that needs to be said.
    pub caption: String,
    /// The heads of its columns.
    pub columns: Vec<&'static str>,
    /// Its rows, each with a cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// The columns that were not computed now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept: Option<KeptColumns>,
    /// What stands on a page in its place, until it is unfolded; nothing if it is always shown.
    #[serde(skip)]
    pub folded: &'static str,
}

/// Columns of a table whose figures an earlier run has computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeptColumns {
    /// The columns, counted from zero.
    pub columns: Vec<usize>,
    /// On which machine, when and how they were computed.
    pub run: String,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, columns: &[&'static str]) -> Table {
        Table { caption: caption.into(), columns: columns.to_vec(), ..Table::default() }
    }

    /// A table without rows, with the heads of its columns in one text: `distance | positions`.
    pub fn headed(caption: impl Into<String>, columns: &'static str) -> Table {
        Table { caption: caption.into(), columns: columns.split(" | ").collect(), ..Table::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// An empty cell.
    Nothing,
    /// Words.
    Text(String),
    /// A count, shown in full.
    Count(u64),
    /// A count that may lie beyond 2⁶⁴, shown in full.
    Large(u128),
    /// A count that was estimated, shown with three digits and a power of ten.
    Estimate(f64),
    /// A number with this many digits after the point.
    Number(f64, usize),
    /// A duration in seconds.
    Seconds(f64),
}

impl Cell {
    /// The words as a cell.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell::Text(text.into())
    }

    /// A count, where it is known.
    pub fn count(count: impl Into<Option<u64>>) -> Cell {
        count.into().map_or(Cell::Nothing, Cell::Count)
    }

    /// The measured number divided by `expected`; empty if nothing is expected.
    pub fn ratio(measured: f64, expected: f64) -> Cell {
        if expected == 0.0 { Cell::Nothing } else { Cell::Number(measured / expected, 3) }
    }
}

/// A plot of one or more series of points.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Plot {
    /// The name of its file, without an ending; no other plot has it.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What the horizontal axis shows.
    pub x: &'static str,
    /// What the vertical axis shows.
    pub y: &'static str,
    /// Whether the axes are logarithmic.
    pub logarithmic: [bool; 2],
    /// The series.
    pub series: Vec<Series>,
}

impl Plot {
    /// A plot without points, with what its axes show and whether they are logarithmic.
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        [x, y]: [&'static str; 2],
        logarithmic: [bool; 2],
    ) -> Plot {
        Plot { name, title: title.into(), x, y, logarithmic, series: Vec::new() }
    }

    /// With one more series.
    #[must_use]
    pub fn series(mut self, label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Plot {
        self.series.push(Series { label: label.into(), points: points.into_iter().collect(), is_printed: false });
        self
    }

    /// With points that a paper prints.
    #[must_use]
    pub fn printed(mut self, label: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Plot {
        self.series.push(Series { label: label.into(), points: points.into_iter().collect(), is_printed: true });
        self
    }
}

/// A series of points, joined by a line unless a paper prints them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    /// What it shows.
    pub label: String,
    /// The points, in order.
    pub points: Vec<(f64, f64)>,
    /// Whether a paper prints them.
    pub is_printed: bool,
}
