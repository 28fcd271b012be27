//! Reid's lower bound in the metrics that are searched.

use cosette::cube::Metric;
use cosette_lab::error::LabError;
use cosette_lab::ida::{Ida, LowerBound};
use cosette_lab::lab::Lab;
use cosette_lab::packed::FourBits;
use cosette_lab::reid::bound::FourBitBound;
use cosette_lab::reid::table::{CosetTable, Storage};

/// A node of the search.
pub type Node = <FourBitBound as LowerBound>::Node;

/// The bounds, by metric.
pub struct Bounds(Vec<(Metric, FourBitBound)>);

/// Reid's table in a metric.
pub fn table(metric: Metric) -> CosetTable {
    CosetTable { metric, storage: Storage::Four }
}

impl Bounds {
    /// The bounds in these metrics, with their tables from disk; a table that is not there is filled and kept.
    ///
    /// # Errors
    /// If a table cannot be had.
    pub fn load(lab: &Lab<'_>, metrics: &[Metric]) -> Result<Bounds, LabError> {
        let bound = |&metric| Ok((metric, FourBitBound::new(FourBits::new(lab.table(&table(metric))?), false)));
        Ok(Bounds(metrics.iter().map(bound).collect::<Result<_, LabError>>()?))
    }

    /// The search of one thread in a metric.
    ///
    /// # Panics
    /// If the metric was not loaded.
    pub fn ida(&self, metric: Metric) -> Ida<'_, FourBitBound> {
        let (_, bound) = self.0.iter().find(|(of, _)| *of == metric).expect("every metric asked for is loaded");
        Ida { bound, metric }
    }
}
