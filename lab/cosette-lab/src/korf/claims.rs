//! The figures in the paper's text, checked one by one.

use super::databases::mean_of_maximum;
use super::edges::SIX;
use super::engine::Korf;
use super::instances::{NODES_IN_THE_PAPER, measured_means};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Plot, Request, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use crate::manhattan::branching_factor;
use crate::packed::Counts;
use cosette::cube::{Metric, random_positions, sequence_counts};

/// The paper's nodes a second, and its nodes of a complete search to depth 16 and 17.
const RATE: f64 = 700_000.0;
const DEPTH_16: f64 = 9.5e9;
const DEPTH_17: f64 = 1.22e11;
const DAY: f64 = 86_400.0;
/// All positions, and all entries of the three databases.
const POSITIONS: f64 = 43_252_003_274_489_856_000.0;
const ENTRIES: f64 = 173_335_680.0;

/// Each figure of the text with what it follows from.
pub fn claims(_: &Lab<'_>, _: &Request) -> Result<Experiment, LabError> {
    let b = branching_factor();
    let mean = NODES_IN_THE_PAPER.iter().sum::<u64>() as f64 / NODES_IN_THE_PAPER.len() as f64;
    let at_8 = sequence_counts(8, Metric::Htm)[8] as f64;
    let mut table = Table::headed("What the text says", "claim | in the paper | computed | ratio | from");
    let mut row = |claim: &str, paper: f64, computed: f64, digits: usize, from: &str| {
        let number = |value: f64| if value < 1e6 { Cell::Number(value, digits) } else { Cell::Estimate(value) };
        table.row([Cell::text(claim), number(paper), number(computed), Cell::ratio(computed, paper), Cell::text(from)]);
    };
    row("iterations without a solution add, per cent", 8.0, 100.0 / (b - 1.0), 1, "1 / (b − 1)");
    row(
        "a search to depth 16 takes, hours (\"less than\")",
        4.0,
        DEPTH_16 / RATE / 3600.0,
        1,
        "9.5·10⁹ nodes, 700,000 a second",
    );
    row("to depth 17, days", 2.0, DEPTH_17 / RATE / DAY, 1, "122·10⁹ nodes");
    row("to depth 18, weeks (\"less than\")", 4.0, b * DEPTH_17 / RATE / DAY / 7.0, 1, "b times as many");
    row("nodes of a search without a bound to 17 − 9 = 8", 1.37e9, at_8, 0, "Table 1; 89 times fewer than 122·10⁹");
    row(
        "moves that reach as many nodes as corners have states",
        7.0,
        88_179_840f64.ln() / b.ln(),
        2,
        "log m to the base b; their mean is 8.764",
    );
    row("n/m", 249_527_409_904.0, POSITIONS / ENTRIES, 0, "all positions, all entries");
    row("t, the mean of Table 2", 352_656_042_894.0, mean, 0, "its ten rows");
    row("t ÷ (n/m)", 1.4, mean / (POSITIONS / ENTRIES), 2, "the two above");
    row("megabytes of three databases", 82.0, ENTRIES / 2.0 / f64::from(1 << 20), 1, "half a byte an entry, 2²⁰ bytes");
    row(
        "megabytes of seven edges",
        244.0,
        510_935_040.0 / 2.0 / f64::from(1 << 20),
        1,
        "12·11·10·9·8·7·6 · 2⁷ entries",
    );
    row("times slower with tables on disk", 7000.0, RATE / 100.0, 0, "100 accesses a second");
    row("times the space of an entry for a permutation of Fiat's", 1000.0, 500.0 / 0.5, 0, "\"over 500 bytes\"");
    Ok(Experiment::new("claims", "The figures of the text", "Korf 1997")
        .text(
            "b is the branching factor, 13.348. The paper's disk argument, that a table on disk would have to be 7,000 times larger to \
             be worth it, and its estimate that bidirectional search must store 18·10⁹ positions (the nodes at depth nine; 17.6·10⁹ of \
             them are different positions) hold as printed.",
        )
        .tables([table]))
}

/// The thresholds that the formula is compared at.
const THRESHOLDS: std::ops::RangeInclusive<u8> = 10..=17;
/// How deep positions are searched for the comparison where no results are kept.
const SEARCHED: u8 = 13;

/// The number of nodes that the distribution of the bound predicts, beside those measured and the paper's.
pub fn formula(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let korf = Korf::new(lab, &SIX)?;
    let counts: Vec<&Counts> = korf.databases().counts().collect();
    let measured = match measured_means(request)? {
        Some(means) => means,
        None => {
            let positions: Vec<_> = random_positions(request.seed_or(1)).take(10).collect();
            let mean = |threshold| {
                let nodes = |position| korf.iterate(position, threshold, &IdaLimits::default(), &lab.control).0.nodes;
                (
                    threshold,
                    positions.iter().map(|position| nodes(position) as f64).sum::<f64>() / positions.len() as f64,
                )
            };
            (*THRESHOLDS.start()..=SEARCHED).map(mean).collect()
        }
    };
    lab.check()?;
    let printed = |threshold| match threshold {
        16 => Some(DEPTH_16),
        17 => Some(DEPTH_17),
        _ => None,
    };
    let mut table = Table::headed(
        "Nodes of a complete iteration",
        "threshold | formula | formula, all thresholds so far | measured, mean | ratio | paper | paper ÷ formula",
    );
    let cell = |value: Option<f64>| value.map_or(Cell::Nothing, |value| Cell::Count(value.round() as u64));
    let (mut sum, mut series) = (0.0, Vec::new());
    for threshold in 0..=*THRESHOLDS.end() {
        let predicted = predicted(&counts, threshold);
        sum += predicted;
        if !THRESHOLDS.contains(&threshold) {
            continue;
        }
        series.push((f64::from(threshold), predicted));
        let found = measured.iter().find(|(measured, _)| *measured == threshold).map(|&(_, nodes)| nodes);
        table.row([
            Cell::Count(threshold.into()),
            cell(Some(predicted)),
            cell(Some(sum)),
            cell(found),
            Cell::ratio(found.unwrap_or(0.0), if found.is_some() { predicted } else { 0.0 }),
            printed(threshold).map_or(Cell::Nothing, Cell::Estimate),
            Cell::ratio(printed(threshold).unwrap_or(0.0), if printed(threshold).is_some() { sum } else { 0.0 }),
        ]);
    }
    let points = measured.iter().map(|&(threshold, nodes)| (f64::from(threshold), nodes));
    let plot = Plot::new("korf-formula", "Nodes of a complete iteration", ["threshold", "nodes"], [false, true])
        .series("formula", series)
        .series("measured", points)
        .printed("paper", [(16.0, DEPTH_16), (17.0, DEPTH_17)]);
    Ok(Experiment::new("formula", "The formula of Korf, Reid and Edelkamp", "Korf, Reid and Edelkamp 2001")
        .text(format!(
            "The later theory: in a complete iteration of threshold d, a node of depth i is expanded if its bound is at most d − i. So the \
             nodes generated are the sum, over i, of N(i + 1) · P(d − i), with N(i) the nodes of Table 1 and P(v) the share of positions \
             whose bound is at most v. P is taken from the three databases as if they were independent; the mean is then {:.3}. No search \
             is needed.",
            mean_of_maximum(&counts),
        ))
        .tables([table])
        .plots([plot])
        .remark(
            "The paper's 9.5·10⁹ and 122·10⁹ for \"complete searches to depth\" 16 and 17 are probably the sums over all thresholds: \
             they are 3 % and 1 % from the formula's, and 11 % and 7 % from those of the last threshold alone.",
        ))
}

/// How many nodes a complete iteration generates, from the distributions of its databases.
fn predicted(distributions: &[&Counts], threshold: u8) -> f64 {
    let at_most =
        |counts: &Counts, v: usize| counts.iter().take(v + 1).sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64;
    let share = |v: usize| distributions.iter().map(|counts| at_most(counts, v)).product::<f64>();
    let sequences = sequence_counts(usize::from(threshold), Metric::Htm);
    (0..usize::from(threshold)).map(|depth| sequences[depth + 1] as f64 * share(usize::from(threshold) - depth)).sum()
}
