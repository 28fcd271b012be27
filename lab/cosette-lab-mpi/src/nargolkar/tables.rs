//! Reid's tables: the lower bounds that the ranks search with, and how long each rank takes to load a table or to rebuild it.

use super::record::Table;
use cosette::ThreadCount;
use cosette::cube::Metric;
use cosette::search::Solver;
use cosette::table::{OnDisk, TableId, TableSize};
use cosette_lab::error::LabError;
use cosette_lab::ida::{Ida, LowerBound};
use cosette_lab::lab::{Lab, LabTable};
use cosette_lab::packed::FourBits;
use cosette_lab::reid::bound::FourBitBound;
use cosette_lab::reid::table::{CosetTable, Storage};
use cosette_mpi::world::World;
use std::sync::Arc;
use std::time::Instant;

/// A node of the search.
pub type Node = <FourBitBound as LowerBound>::Node;

/// The bounds, by metric, and on rank 0 the fast engines.
pub struct Bounds(Vec<(Metric, FourBitBound)>, Vec<Solver>);

/// Reid's table in a metric.
fn table(metric: Metric) -> CosetTable {
    CosetTable { metric, storage: Storage::Four }
}

impl Bounds {
    /// The bounds in these metrics, with their tables from disk; a missing table is generated and kept.
    pub fn load(lab: &Lab<'_>, metrics: &[Metric]) -> Result<Bounds, LabError> {
        let bound = |&metric| Ok((metric, FourBitBound::new(FourBits::new(lab.table(&table(metric))?), false)));
        Ok(Bounds(metrics.iter().map(bound).collect::<Result<_, LabError>>()?, Vec::new()))
    }

    /// With the fast engine in these metrics too, with tables of this size; a missing one is generated and kept.
    pub fn with_fastest(self, lab: &Lab<'_>, metrics: &[Metric], size: TableSize) -> Result<Bounds, LabError> {
        let solver = |&metric| {
            let id = TableId { metric, size };
            if !matches!(lab.folder.state(id), OnDisk::Yes) {
                lab.folder.generate(id, &lab.control)?;
            }
            Ok(Solver::new(Arc::new(lab.folder.load(id, &lab.control)?), ThreadCount::ONE))
        };
        Ok(Bounds(self.0, metrics.iter().map(solver).collect::<Result<_, LabError>>()?))
    }

    /// The fast engine with one thread in a metric, where it was loaded.
    pub fn fastest(&self, metric: Metric) -> Option<&Solver> {
        self.1.iter().find(|solver| solver.metric() == metric)
    }

    /// The search of one thread in a metric.
    pub fn ida(&self, metric: Metric) -> Ida<'_, FourBitBound> {
        let (_, bound) = self.0.iter().find(|(of, _)| *of == metric).expect("the metrics of all searches are loaded");
        Ida { bound, metric }
    }
}

/// Has every rank load its table and then generate it on one thread, all at the same time. Returns the times of all ranks.
pub fn measure(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<Vec<Table>, LabError> {
    let own = own(world, lab, metric);
    let text = own.as_ref().ok().and_then(|table| serde_json::to_string(table).ok()).unwrap_or("failed".into());
    let all = world.all_gather(&text);
    own?;
    Ok(all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

fn own(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<Table, LabError> {
    let table = table(metric);
    world.barrier();
    let start = Instant::now();
    drop(lab.table(&table)?);
    let load = start.elapsed().as_secs_f64();
    world.barrier();
    let start = Instant::now();
    table.generate(&lab.control)?;
    let fill = start.elapsed().as_secs_f64();
    Ok(Table { ranks: world.size(), rank: world.rank(), metric, load, fill })
}
