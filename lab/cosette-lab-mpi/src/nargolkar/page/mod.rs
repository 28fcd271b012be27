//! The page that is written from the records.
//!
//! | file | what it shows |
//! |---|---|
//! | `records` | the records of all runs, their sums, and what several processors gain |
//! | `printed` | the times that she printed, what follows from them, and ours beside them |
//! | `gains` | speedup, efficiency and serial fraction of all searches together; Tables 5.1 to 5.3: average times by depth |
//! | `positions` | the patterns and their true distances; Figures 5.5 and 5.6: positions beside their inverses |
//! | `ways` | the first goal taken, other solutions, where the time goes, absolute speedup |
//! | `single` | the position of appendix B; tables on disk against tables rebuilt |

mod gains;
mod positions;
mod printed;
mod records;
mod single;
mod ways;

use super::record::{Record, Run};
use crate::unreadable;
use cosette::cube::Metric;
use cosette_app::cli::failure::{Exit, Failure};
use cosette_app::json;
use cosette_lab::report::{Figure, Page, write_page};
use records::Records;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the page of the records in these files, and its plots, into a folder.
pub fn write(folder: &Path, files: &[PathBuf]) -> Result<Exit, Failure> {
    let mut all = Vec::new();
    for path in files {
        all.extend(json::read_lines::<Record>(path).map_err(unreadable(path))?);
    }
    let records = Records::of(all);
    let (mut out, mut printed) = (anstream::stdout(), Ok(()));
    write_page(&page(&records), folder, &mut |path| printed = writeln!(out, "{}", path.display()))?;
    printed?;
    Ok(Exit::Solved)
}

fn page(records: &Records) -> Page {
    let experiments = vec![
        printed::schedule(records),
        printed::ceilings(records),
        printed::times(records),
        printed::superflip(records),
        gains::all(records),
        ways::solutions(records),
        ways::spent(records),
        ways::absolute(records),
        gains::by_depth(records),
        positions::distances(records),
        positions::inverses(records),
        single::log(records),
        single::stored_tables(records),
    ];
    let values = vec![("cores", cores(records)), ("runs", runs(records))];
    Page {
        name: "nargolkar-parallel",
        text: include_str!("../../../pages/nargolkar-parallel.md"),
        figures: &[Figure { name: "limits", svg: include_str!("../../../pages/limits.svg") }],
        values,
        experiments,
    }
}

/// What the measured nodes are, where there are fewer cores than processors.
fn cores(records: &Records) -> String {
    let Some(cores) = records.cores() else { return String::new() };
    format!(
        "The machine has {cores} cores: with more processors than that, seconds say how they share them. So nodes are counted as well, \
             on the critical path: what the search would wait for if every processor had its own core. By limits that is the largest \
             number of nodes that a processor had generated when it ended a limit that the proof needs; by subtrees, summed over the \
             limits, the largest number that a processor generated for one. Which processor gets which part depends on chance, and \
             messages take no nodes."
    )
}

/// The commands, and what they ran on.
fn runs(records: &Records) -> String {
    if records.runs.is_empty() {
        return "Written without a record of a run.".into();
    }
    let run = |run: &Run| {
        let what = if run.sequential { "sequential program only" } else { "all ways" };
        format!(
            "- np = {}, {what}, budget {:.0} million nodes a limit: {:.0} s. {}.",
            run.ranks,
            run.budget as f64 / 1e6,
            run.seconds,
            run.circumstances
        )
    };
    let runs: Vec<String> = records.runs.iter().map(run).collect();
    format!(
        "`mpirun --bind-to none --oversubscribe -np N cosette-lab-mpi nargolkar --budget NODES --record FILE` made the records in \
         [lab/cosette-lab-mpi/results](../../lab/cosette-lab-mpi/results), and `cosette-lab-mpi nargolkar --page docs/lab FILE…` this page of them (`just nargolkar` does both):\n\n{}",
        runs.join("\n")
    )
}

/// The name of a metric in full.
fn in_full(metric: Metric) -> &'static str {
    match metric {
        Metric::Htm => "half turns",
        Metric::Qtm => "quarter turns",
    }
}
