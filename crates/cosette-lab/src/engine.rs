//! What a system that solves positions looks like from outside.

use cosette::Cancel;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report};

/// A system that solves positions.
pub trait Engine {
    /// Its name, as in `cosette solve --engine korf`.
    fn name(&self) -> &'static str;

    /// What it counts.
    fn metric(&self) -> Metric;

    /// What it looks things up in, in a word or two: `korf 8+6+6`, or what it has instead of tables.
    fn tables(&self) -> String;

    /// Whether it proves its solutions the shortest.
    fn is_optimal(&self) -> bool {
        true
    }

    /// Solves `position`. In the report nodes are those generated, and probes accesses to tables. A system that does not
    /// prove gives the solution it found as the best known, with the bound zero.
    fn solve(
        &self,
        position: &Cube,
        options: &Options<'_>,
        on_event: &(dyn Fn(Event<'_>) + Sync),
        cancel: &Cancel,
    ) -> Report;
}
