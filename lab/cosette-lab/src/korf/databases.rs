//! The distributions of the pattern databases, and the mean of their maximum.

use super::bound::Databases;
use super::edges::{SEVEN, SIX};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::packed::Counts;
use cosette::cube::random_positions;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

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
