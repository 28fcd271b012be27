//! The figures in the paper's text, checked one by one.

use super::Korf;
use super::bound::Databases;
use super::edges::{SEVEN, SIX};
use super::instances::{NODES_IN_THE_PAPER, measured_means};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::ida::IdaLimits;
use crate::kept::Kept;
use crate::lab::Lab;
use crate::manhattan::branching_factor;
use crate::packed::Counts;
use cosette::cube::{Metric, random_positions, sequence_counts};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
    let (kept, measured) = match measured_means(request)? {
        Some((kept, means)) => (kept, means),
        None => {
            let positions: Vec<_> = random_positions(request.seed_or(1)).take(10).collect();
            let mean = |threshold| {
                let nodes = |position| korf.iterate(position, threshold, &IdaLimits::default(), &lab.control).0.nodes;
                (
                    threshold,
                    positions.iter().map(|position| nodes(position) as f64).sum::<f64>() / positions.len() as f64,
                )
            };
            (Kept::default(), (*THRESHOLDS.start()..=SEARCHED).map(mean).collect())
        }
    };
    lab.check()?;
    let printed = |threshold| match threshold {
        16 => Some(DEPTH_16),
        17 => Some(DEPTH_17),
        _ => None,
    };
    let mut table = kept.table(
        "Nodes of a complete iteration",
        "threshold | formula | formula, all thresholds so far | measured, mean* | ratio* | paper | paper ÷ formula",
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

/// The mean of a distribution.
pub fn mean(counts: &[u64]) -> f64 {
    let sum: f64 = counts.iter().zip(0..).map(|(&count, value)| count as f64 * f64::from(value)).sum();
    sum / counts.iter().sum::<u64>() as f64
}

/// The mean of the maximum of values with these distributions, if they were independent: the paper's way.
///
/// P(max ≤ v) is the product of P(value ≤ v), and the mean is the sum over v of P(max > v).
pub fn mean_of_maximum(distributions: &[&Counts]) -> f64 {
    let largest = distributions.iter().map(|counts| counts.len()).max().unwrap_or(0);
    let at_most =
        |counts: &Counts, v: usize| counts.iter().take(v + 1).sum::<u64>() as f64 / counts.iter().sum::<u64>() as f64;
    (0..largest).map(|v| 1.0 - distributions.iter().map(|counts| at_most(counts, v)).product::<f64>()).sum()
}

/// How many positions are drawn from one seed.
const DRAWN_TOGETHER: u64 = 10_000;

/// How often each bound is that of a random position: `positions` of them, rounded up to whole ten thousands, drawn
/// from seeds 0, 1, …; so the counts do not depend on the number of threads.
pub fn sampled(lab: &Lab<'_>, databases: &Databases, positions: u64) -> Result<Counts, LabError> {
    let (seeds, done) = (positions.div_ceil(DRAWN_TOGETHER), AtomicU64::new(0));
    let draw = |seed| -> Result<[u64; 16], LabError> {
        lab.check()?;
        let mut counts = [0; 16];
        for position in random_positions(seed).take(DRAWN_TOGETHER as usize) {
            counts[usize::from(databases.values(&position).max().unwrap_or(0))] += 1;
        }
        lab.step("drawing random positions", done.fetch_add(1, Relaxed) + 1, seeds);
        Ok(counts)
    };
    let add = |a: [u64; 16], b: [u64; 16]| Ok(std::array::from_fn(|value| a[value] + b[value]));
    Ok(lab.control.in_pool(|| (0..seeds).into_par_iter().map(draw).try_reduce(|| [0; 16], add))??.to_vec())
}

/// The distribution of each database, their means, and the mean of the maximum: computed under independence and over
/// ten million random positions. The full run adds the sets of seven edges.
pub fn databases(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    const POSITIONS: u64 = 10_000_000;
    let six = Databases::new(lab, &SIX)?;
    let mut distributions = Table::new(
        "Entries by distance",
        &["distance", "corners", "edges UR UF UL UB FR FL", "edges DR DF DL DB BR BL"],
    );
    let counts: Vec<&Counts> = six.counts().collect();
    for distance in 0..counts.iter().map(|counts| counts.len()).max().unwrap_or(0) {
        let cells = counts.iter().map(|counts| Cell::count(counts.get(distance).copied()));
        distributions.row(std::iter::once(Cell::Count(distance as u64)).chain(cells));
    }
    let mut means = Table::new("Mean values", &["bound", "entries", "bytes", "paper", "measured", "ratio"]);
    let mut row = |name: &str, entries: usize, paper: f64, measured: f64| {
        let known = if paper > 0.0 { Cell::Number(paper, 3) } else { Cell::Nothing };
        let (entries, bytes) = (Cell::Count(entries as u64), Cell::Count(entries.div_ceil(2) as u64));
        means.row([Cell::text(name), entries, bytes, known, Cell::Number(measured, 4), Cell::ratio(measured, paper)]);
    };
    let entries = |counts: &Counts| counts.iter().sum::<u64>() as usize;
    row("corners", entries(counts[0]), 8.764, mean(counts[0]));
    row("edges UR UF UL UB FR FL", entries(counts[1]), 7.668, mean(counts[1]));
    row("edges DR DF DL DB BR BL", entries(counts[2]), 7.668, mean(counts[2]));
    let with_one = entries(counts[0]) + entries(counts[1]);
    row("maximum of the first two, independent", with_one, 0.0, mean_of_maximum(&counts[..2]));
    row("maximum of three, independent", six.entries(), 8.878, mean_of_maximum(&counts));
    row("maximum of three, ten million positions", six.entries(), 8.878, mean(&sampled(lab, &six, POSITIONS)?));
    if request.effort == Effort::Full {
        let seven = Databases::new(lab, &SEVEN)?;
        let counts: Vec<&Counts> = seven.counts().collect();
        row("edges UR UF UL UB FR FL BR", entries(counts[1]), 0.0, mean(counts[1]));
        row("edges DR DF DL DB BR BL FR", entries(counts[2]), 0.0, mean(counts[2]));
        row("maximum with these, independent", seven.entries(), 0.0, mean_of_maximum(&counts));
        row("maximum with these, ten million positions", seven.entries(), 0.0, mean(&sampled(lab, &seven, POSITIONS)?));
    }
    Ok(Experiment::new("databases", "Pattern databases", "Korf 1997, section on pattern databases")
        .text(
            "Each database holds the fewest moves that solve its cubies, at four bits an entry. The paper does not \
             say which six edges it used, but the mean identifies them: of the 30 ways to choose six edges, symmetric \
             ones counted once, only the four edges of a layer with two more beside them have the printed mean. The \
             other six are equivalent by symmetry.",
        )
        .text(
            "The mean of the maximum is computed as if the three were independent, and over random positions, drawn \
             uniformly from all that moves can reach. The two agree with each other, and not with the paper's 8.878. \
             No other choice gives that either: if independent, the maximum has a mean from 8.879 to 8.898.",
        )
        .text("Where the paper says \"8 edge cubies and 12 corner cubies\", it means 12 edges and 8 corners.")
        .tables([distributions, means]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_a_maximum_is_that_of_all_pairs() {
        let (a, b): (Counts, Counts) = (vec![1, 2, 3], vec![4, 0, 1, 2]);
        let pairs = (0..3).flat_map(|v| (0..4).map(move |w| (v, w)));
        let all: f64 = pairs.map(|(v, w)| (a[v] * b[w]) as f64 * v.max(w) as f64).sum();
        assert!((mean_of_maximum(&[&a, &b]) - all / (6.0 * 7.0)).abs() < 1e-12);
        assert_eq!(mean(&a), 8.0 / 6.0);
    }
}
