//! What the bounds are worth: their means, and the nodes and seconds of searches.

use super::bound::{Heuristic, Manhattan};
use super::cost::CubieCosts;
use crate::ida::{Ida, Iteration, Limits, LowerBound};
use crate::lab::{Lab, LabError};
use crate::walks::random_walks;
use cosette::cube::{Corner, Cube, Edge, Metric, random_positions};
use cosette::search::Outcome;

/// So many positions are drawn between two looks whether to stop.
const POSITIONS_A_LOOK: u64 = 10_000;

/// A quotient of the sums, and its mean over all positions.
pub(super) struct Mean {
    /// What it is.
    pub name: &'static str,
    /// What the paper expects.
    pub paper: Option<f64>,
    /// The exact mean; unknown for the larger of two.
    pub exact: Option<f64>,
    /// The mean over a sample.
    pub sampled: f64,
    /// The mean over a sample of the bound, which is rounded up.
    pub rounded: f64,
}

/// The exact means of the sums over the corners and over the edges. A cubie of a random position is in each of its 24 states
/// with equal chance; the mean of a sum is the sum of the means, though cubies depend on one another.
pub(super) fn exact_sums(costs: &CubieCosts) -> (f64, f64) {
    let total = |costs: Vec<u8>| costs.into_iter().map(u32::from).sum::<u32>();
    let corners: u32 = Corner::ALL.into_iter().map(|cubie| total(costs.of_corner(cubie))).sum();
    let edges: u32 = Edge::ALL.into_iter().map(|cubie| total(costs.of_edge(cubie))).sum();
    (f64::from(corners) / 24.0, f64::from(edges) / 24.0)
}

/// The means of the corners ÷ 4 and of the three heuristics, exact and over a sample of random positions.
pub(super) fn means(lab: &Lab<'_>, seed: u64, sample: u64) -> Result<Vec<Mean>, LabError> {
    let manhattan = Manhattan::new(Heuristic::Edges, Metric::Htm);
    let (corners, edges) = exact_sums(manhattan.costs());
    let quotients = |corners: u8, edges: u8| {
        let quotient = |heuristic: Heuristic| heuristic.quotient(corners, edges);
        [(corners, 4), quotient(Heuristic::Edges), quotient(Heuristic::AllCubies), quotient(Heuristic::Larger)]
    };
    let mut sums = [(0.0, 0u64); 4];
    for (number, position) in (0..sample).zip(random_positions(seed)) {
        if number % POSITIONS_A_LOOK == 0 {
            lab.check()?;
            lab.step("drawing random positions", number, sample);
        }
        let node = manhattan.node(&position);
        for (sum, (dividend, divisor)) in sums.iter_mut().zip(quotients(node.corners, node.edges)) {
            sum.0 += f64::from(dividend) / f64::from(divisor);
            sum.1 += u64::from(dividend.div_ceil(divisor));
        }
    }
    let names = ["corners ÷ 4", "edges ÷ 4", "all cubies ÷ 8", "larger of corners and edges ÷ 4"];
    let papers = [Some(3.0), Some(5.5), None, None];
    let exacts = [Some(corners / 4.0), Some(edges / 4.0), Some((corners + edges) / 8.0), None];
    let mean = |i: usize| Mean {
        name: names[i],
        paper: papers[i],
        exact: exacts[i],
        sampled: sums[i].0 / sample as f64,
        rounded: sums[i].1 as f64 / sample as f64,
    };
    Ok((0..4).map(mean).collect())
}

/// What a search to a depth takes in the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Work {
    /// The threshold, or the length of the walks.
    pub depth: u8,
    /// Nodes generated.
    pub nodes: f64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl Work {
    fn mean(depth: u8, of: &[Iteration], positions: usize) -> Work {
        let nodes: u64 = of.iter().map(|iteration| iteration.nodes).sum();
        let seconds: f64 = of.iter().map(|iteration| iteration.elapsed.as_secs_f64()).sum();
        Work { depth, nodes: nodes as f64 / positions as f64, seconds: seconds / positions as f64 }
    }
}

/// The iterations of a search that ends at `last`, at a solution, or because it is asked to.
fn search(lab: &Lab<'_>, bound: &Manhattan, position: &Cube, last: u8) -> Result<(Outcome, Vec<Iteration>), LabError> {
    let ida = Ida { bound, metric: Metric::Htm, threads: lab.threads };
    let limits = Limits { last: Some(last), ..Limits::default() };
    let found = ida.search(position, &limits, &mut |_| {}, lab.cancel);
    lab.check()?;
    Ok((found.outcome, found.iterations))
}

/// The work of complete iterations of each threshold up to `deepest`, on so many random positions. Thresholds below the
/// bound of a position take no work.
pub(super) fn iterations(
    lab: &Lab<'_>,
    heuristic: Heuristic,
    seed: u64,
    positions: usize,
    deepest: u8,
) -> Result<Vec<Work>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let mut all: Vec<Iteration> = Vec::new();
    for (number, position) in random_positions(seed).take(positions).enumerate() {
        lab.step(&format!("searching by {}", heuristic.name()), number as u64, positions as u64);
        // A random position so near would be solved; none of those drawn is, or it would count for fewer nodes.
        all.extend(search(lab, &bound, &position, deepest)?.1);
    }
    let at = |depth: u8| all.iter().filter(|iteration| iteration.threshold == depth).copied().collect::<Vec<_>>();
    Ok((1..=deepest).map(|depth| Work::mean(depth, &at(depth), positions)).collect())
}

/// The work of solving random walks of each length up to `deepest`: all iterations, the last one to the first solution.
pub(super) fn walks(
    lab: &Lab<'_>,
    heuristic: Heuristic,
    seed: u64,
    count: usize,
    deepest: u8,
) -> Result<Vec<Work>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let solve = |depth: u8| {
        lab.step(&format!("solving walks by {}", heuristic.name()), depth.into(), deepest.into());
        let mut all = Vec::new();
        for walk in random_walks(seed + u64::from(depth), depth.into()).take(count) {
            let (outcome, iterations) = search(lab, &bound, &Cube::from_moves(&walk), depth)?;
            assert_eq!(outcome, Outcome::Optimal, "{walk:?} is undone in as many moves");
            all.extend(iterations);
        }
        Ok(Work::mean(depth, &all, count))
    };
    (1..=deepest).map(solve).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edges_are_expected_to_give_five_and_a_half() {
        let (corners, edges) = exact_sums(Manhattan::new(Heuristic::Edges, Metric::Htm).costs());
        assert_eq!(edges / 4.0, 5.5);
        assert!((2.5..3.5).contains(&(corners / 4.0)), "{corners}");
    }
}
