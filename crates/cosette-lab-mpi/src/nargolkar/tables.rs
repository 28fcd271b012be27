//! Tables kept on disk against tables rebuilt by each rank.

use super::bounds::table;
use super::record::Table;
use cosette::cube::Metric;
use cosette_lab::error::LabError;
use cosette_lab::lab::{Lab, LabTable};
use cosette_mpi::world::World;
use std::time::Instant;

/// Has every rank load its table and then fill it on one thread, all at the same time. Gives what all took, on every rank.
///
/// # Errors
/// If this rank could not do it; the others go on without it.
pub fn measure(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<Vec<Table>, LabError> {
    let own = own(world, lab, metric);
    let text = own.as_ref().ok().and_then(|table| serde_json::to_string(table).ok()).unwrap_or("failed".into());
    let all = world.all_gather(&text);
    own?;
    Ok(all.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
}

fn own(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<Table, LabError> {
    let table = table(metric);
    world.all_gather("now");
    let start = Instant::now();
    drop(lab.table(&table)?);
    let load = start.elapsed().as_secs_f64();
    world.all_gather("now");
    let start = Instant::now();
    table.generate(&lab.control)?;
    let fill = start.elapsed().as_secs_f64();
    Ok(Table { ranks: world.size(), rank: world.rank(), metric, load, fill })
}
