//! Korf's law: time times memory is the size of the problem, t ≈ n/m.
//!
//! The paper argues so. A bound of expected value e lets an iteration to depth d generate about as many nodes as a
//! search without a bound to depth d − e: t ≈ bᵈ⁻ᵉ, with b the branching factor. A table with m entries reaches as deep
//! as m nodes go: bᵉ ≈ m. So t ≈ bᵈ/m = n/m, with n = bᵈ the nodes of the search without a bound. For a random instance
//! to be solved, d is the depth to which there are as many nodes as positions, and n that number.
//!
//! Here d is fixed and no random position is solved so early, so n is the number of canonical sequences of length d.

use super::Korf;
use super::bound::Databases;
use super::claims::{mean, sampled};
use super::edges::{EdgeSet, SEVEN, SIX};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use cosette::cube::{Cube, Metric, random_positions, sequence_counts};
use cosette::search::{Options, Solver};
use cosette::table::{OnDisk, TableId};
use cosette_app::engine::Engine;
use std::sync::Arc;

/// A set of tables, and what an iteration costs with it.
struct LawRow {
    /// What it is called.
    name: String,
    /// Its size in bytes.
    bytes: u64,
    /// How many entries it has, m.
    entries: u64,
    /// The mean bound of random positions, e.
    mean: f64,
    /// The depth of the iterations that are compared, d.
    depth: u8,
    /// The mean number of nodes of such an iteration, t.
    nodes: f64,
}

impl LawRow {
    /// How many nodes a search without a bound has at that depth, n.
    fn sequences(&self) -> f64 {
        sequence_counts(self.depth.into(), Metric::Htm)[usize::from(self.depth)] as f64
    }
}

/// How many moves deeper the fast engine is compared, because its iterations are smaller.
const DEEPER: u8 = 3;

/// The depth of the iterations that are compared.
const fn threshold(effort: Effort) -> u8 {
    match effort {
        Effort::Quick => 12,
        Effort::Full => 14,
    }
}

/// How many random positions are searched.
const POSITIONS: usize = 20;
/// Their seed, unless another is asked for.
const SEED: u64 = 1985;

/// How many random positions the mean bound is taken over.
const FOR_THE_MEAN: u64 = 100_000;

/// The law for Korf's sets of tables, and for the fast engine's tables on disk: up to 300 MB in the quick run, up to 2
/// GB in the full one.
pub fn law(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (effort, seed) = (request.effort, request.seed_or(SEED));
    let (depth, positions) = (threshold(effort), random_positions(seed).take(POSITIONS).collect::<Vec<Cube>>());
    let sets: [&[EdgeSet]; 3] = [&[], &SIX, &SEVEN];
    let korfs: Vec<LawRow> =
        sets.into_iter().map(|sets| row_of(lab, sets, &positions, depth)).collect::<Result<_, LabError>>()?;
    let fast = fast_rows(lab, effort, &positions, depth + DEEPER)?;
    let mut table = Table::new(
        format!(
            "A complete iteration to depth d, the mean of {POSITIONS} random positions (seed {seed}); n canonical sequences of \
             length d"
        ),
        &["tables", "m", "bytes", "mean bound", "d", "nodes t", "n/m", "t ÷ (n/m)"],
    );
    for row in korfs.iter().chain(&fast) {
        let predicted = row.sequences() / row.entries as f64;
        table.row([
            Cell::text(&row.name),
            Cell::Count(row.entries),
            Cell::Count(row.bytes),
            Cell::Number(row.mean, 3),
            Cell::Count(row.depth.into()),
            Cell::Count(row.nodes.round() as u64),
            Cell::Count(predicted.round() as u64),
            Cell::Number(row.nodes / predicted, 5),
        ]);
    }
    let share = |row: &LawRow| (row.entries as f64, row.nodes / row.sequences());
    let points = |rows: &[LawRow]| rows.iter().map(share).collect::<Vec<_>>();
    let predicted = korfs.iter().chain(&fast).map(|row| (row.entries as f64, 1.0 / row.entries as f64));
    let mut predicted: Vec<(f64, f64)> = predicted.collect();
    predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let series = [
        ("1/m", predicted),
        ("Korf's databases: nodes generated", points(&korfs)),
        ("the fast engine: nodes expanded", points(&fast)),
    ];
    let plot = Plot::new(
        "korf-law",
        "The share of all sequences that an iteration generates",
        ["entries m", "t/n"],
        [true, true],
    );
    let series = series.into_iter().filter(|(_, points)| !points.is_empty());
    let plot = series.fold(plot, |plot, (label, points)| plot.series(label, points));
    Ok(Experiment::new("law", "Time times memory", "Korf 1997, section on performance analysis")
        .text(
            "With a bound of expected value e an iteration to depth d generates about as many nodes as a search \
             without one to depth d − e. A table of m entries has an expected value of about log m to the base of \
             the branching factor, so the nodes t are about n/m, where n counts those of the search without a bound \
             to depth d. (The paper states it for solving a random instance, where n is the number of positions.)",
        )
        .text(
            "The nodes of Korf's sets are those generated; m is the sum of their entries. The fast engine is Cosette's own, htm-24M its table of 24 MB. Its nodes \
             are expanded nodes: it looks each position up twice, itself and its inverse, shares probes between \
             siblings, and its entries are classes under 48 symmetries. Its rows are of the tables that were on \
             disk.",
        )
        .tables([table])
        .plots([plot])
        .remark(
            "The law considers only the mean bound. With the corners alone, far more nodes are generated than it \
             predicts: the few nodes with a small bound have the largest trees below them. Summed over all bounds v, \
             with N(i) the sequences of length i, N(d − v) · P(bound ≤ v) times the branching factor gives about the \
             number measured (Korf, Reid and Edelkamp 2001). With three databases it is rare that all are small at \
             once, and the law holds. It holds partly by luck: b^(d − e) is some eighty times too small even for three \
             databases, and as log m lies 1.6 below their true mean, n/m is about as much larger.",
        ))
}

/// The row of the corners and these sets of edges.
fn row_of(lab: &Lab<'_>, sets: &[EdgeSet], positions: &[Cube], depth: u8) -> Result<LawRow, LabError> {
    let korf = Korf::new(lab, sets)?;
    let mut nodes = 0;
    for (position, done) in positions.iter().zip(0..) {
        lab.step(&korf.tables(), done, positions.len() as u64);
        nodes += korf.iterate(position, depth, &IdaLimits::default(), &lab.control).0.nodes;
        lab.check()?;
    }
    let databases: &Databases = korf.databases();
    Ok(LawRow {
        name: korf.tables(),
        bytes: databases.bytes() as u64,
        entries: databases.entries() as u64,
        mean: mean(&sampled(lab, databases, FOR_THE_MEAN)?),
        depth,
        nodes: nodes as f64 / positions.len() as f64,
    })
}

/// The rows of the fast engine.
fn fast_rows(lab: &Lab<'_>, effort: Effort, positions: &[Cube], depth: u8) -> Result<Vec<LawRow>, LabError> {
    let largest = if effort == Effort::Quick { 300_000_000 } else { 2_100_000_000 };
    let fits = |id: &TableId| id.metric == Metric::Htm && id.size.bytes() <= largest;
    let on_disk = lab.folder.list().into_iter().filter(|(_, state)| matches!(state, OnDisk::Yes));
    on_disk.map(|(id, _)| id).filter(fits).map(|id| fast_row(lab, id, positions, depth)).collect()
}

fn fast_row(lab: &Lab<'_>, id: TableId, positions: &[Cube], depth: u8) -> Result<LawRow, LabError> {
    let table = Arc::new(lab.folder.load(id, &lab.control)?);
    let solver = Solver::new(table.clone(), lab.control.threads());
    let options = Options { max_length: Some(depth), ..Options::default() };
    let mut nodes = 0;
    for position in positions {
        let report = solver.search(position).options(options).control(&lab.control).run();
        nodes += report.thresholds.iter().filter(|done| done.length == depth).map(|done| done.nodes).sum::<u64>();
        lab.check()?;
    }
    let bounds = random_positions(0).take(FOR_THE_MEAN as usize).map(|position| u64::from(table.bound(&position)));
    Ok(LawRow {
        name: id.to_string(),
        bytes: id.size.bytes(),
        entries: (cosette::coord::CornerClasses::COUNT * id.size.entries_per_class()) as u64,
        mean: bounds.sum::<u64>() as f64 / FOR_THE_MEAN as f64,
        depth,
        nodes: nodes as f64 / POSITIONS as f64,
    })
}
