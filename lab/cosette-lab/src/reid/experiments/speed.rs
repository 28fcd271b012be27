//! Nodes a second, and what one more for three equal distances saves.

use super::{appendix_b, metric_name, up_to};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::reid::engine::Reid;
use crate::reid::table::Storage;
use cosette::ThreadCount;
use cosette::cube::Metric;

/// The rate of Reid's program in 1997.
const PAPER: f64 = 500_000.0;

/// Nodes a second of one thread and of all, in both metrics, with both storages, and with one more for three equal
/// distances.
pub fn speed(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let more = u8::from(request.effort == Effort::Full);
    let mut table = Table::headed(
        "",
        "metric | entries | bound | threads | threshold | nodes | tests | nodes/s (paper) | nodes/s | ratio",
    );
    let one = ThreadCount::ONE;
    let threads = if lab.control.threads() == one { vec![one] } else { vec![one, lab.control.threads()] };
    for metric in Metric::ALL {
        let threshold = if metric == Metric::Htm { 14 } else { 16 } + more;
        for storage in [Storage::Four, Storage::ModThree] {
            let mut reid = Reid::with(lab, metric, storage, false)?;
            for raises_equal in [false, true] {
                reid.raise_equal(raises_equal);
                for &threads in &threads {
                    let control = lab.control.clone().with_threads(threads);
                    let found = reid.search(&appendix_b(), &up_to(threshold), &mut |_| {}, &control);
                    lab.check()?;
                    let last = found.iterations.last().expect("the distance is larger than the threshold");
                    let rate = last.nodes as f64 / last.elapsed.as_secs_f64();
                    table.row([
                        Cell::text(metric_name(metric)),
                        Cell::text(if storage == Storage::Four { "four bits" } else { "modulo three" }),
                        Cell::text(if raises_equal { "x, x, x → x + 1" } else { "maximum" }),
                        Cell::Count(threads.get() as u64),
                        Cell::Count(threshold.into()),
                        Cell::Count(last.nodes),
                        Cell::Count(last.tests),
                        Cell::Estimate(PAPER),
                        Cell::Estimate(rate),
                        Cell::ratio(rate, PAPER),
                    ]);
                }
            }
        }
    }
    Ok(Experiment::new("speed", "Nodes a second", "Reid 1997")
        .text(
            "The last iteration of a search of the position of Nargolkar's appendix B to the threshold; nodes are \
             those generated. It is not known whether Reid's program counted one more for three equal distances; the \
             counts of the experiment log suggest that it did not.",
        )
        .tables([table]))
}
