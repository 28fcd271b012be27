//! How large the tree is (Korf 1997, Table 1).

use super::{CubieCosts, Heuristic, Manhattan};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::ida::{Ida, IdaIteration, IdaLimits, LowerBound};
use crate::lab::Lab;
use crate::walks::random_walks;
use cosette::cube::{Corner, Cube, Edge, Metric, random_positions, sequence_counts};
use cosette::search::Outcome;

/// Korf's Table 1: the nodes at each depth from 1 to 18.
const PAPER: [u128; 18] = [
    18,
    243,
    3_240,
    43_254,
    577_368,
    7_706_988,
    102_876_480,
    1_373_243_544,
    18_330_699_168,
    244_686_773_808,
    3_266_193_870_720,
    43_598_688_377_184,
    581_975_750_199_168,
    7_768_485_393_179_328,
    103_697_388_221_736_960,
    1_384_201_395_738_071_424,
    18_476_969_736_848_122_368,
    246_639_261_965_462_754_048,
];

/// How many times as many nodes there are at a depth as at the one before, in the limit: 6 + 3 √6 = 13.348469228349534…
///
/// Let a be the nodes at a depth that a turn of U, R or F leads to, and b those of D, L or B. A depth further there are
/// 6a + 6b and 9a + 6b, and the larger eigenvalue is what solves (6 − x)² = 54.
pub fn branching_factor() -> f64 {
    6.0 + 54f64.sqrt()
}

/// The nodes at each depth of the canonical tree, beside those of the paper and of a search that tries all moves.
pub fn nodes(_lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let columns = ["depth", "paper", "measured", "ratio", "times the depth before", "all moves, 18^d", "of them, %"];
    let mut table = Table::new("Nodes at each depth of the search tree", &columns);
    let counts = sequence_counts(PAPER.len(), Metric::Htm);
    let plot = Plot::new("korf-table-1", "Nodes at each depth", ["depth", "nodes"], [false, true]);
    let mut plot = plot.series("all moves", []).series("canonical sequences", []);
    for (depth, (&count, paper)) in (1u32..).zip(counts[1..].iter().zip(PAPER)) {
        let all = 18u128.pow(depth);
        table.row([
            Cell::Count(depth.into()),
            Cell::Large(paper),
            Cell::Large(count),
            Cell::ratio(count as f64, paper as f64),
            Cell::Number(count as f64 / counts[depth as usize - 1] as f64, 5),
            Cell::Large(all),
            Cell::Number(100.0 * count as f64 / all as f64, 2),
        ]);
        for (series, nodes) in plot.series.iter_mut().zip([all, count]) {
            series.points.push((depth.into(), nodes as f64));
        }
    }
    Ok(Experiment::new("nodes", "Nodes in the search tree as a function of depth", "Korf 1997, Table 1")
        .text(
            "Nodes of the tree of canonical sequences in the half-turn metric, counted exactly: no face turns twice \
             running, and of opposite faces one comes first. The factor from depth to depth is the branching factor; \
             the paper gives 13.34847.",
        )
        .tables([table])
        .plots([plot])
        .remark(format!(
            "In the limit the branching factor is 6 + 3 √6 = {:.14}, the larger eigenvalue of the matrix that counts \
             nodes by the face turned last.",
            branching_factor()
        )))
}

/// How much is measured.
struct Size {
    /// How many random positions the means are taken over.
    sample: u64,
    /// How many random positions are searched to each threshold, and how many walks of each length are solved.
    positions: usize,
    walks: usize,
    /// How deep, by heuristic in the order of [`Heuristic::ALL`].
    thresholds: [u8; 4],
    lengths: [u8; 4],
}

const fn size(effort: Effort) -> Size {
    match effort {
        Effort::Quick => {
            Size { sample: 1_000_000, positions: 3, walks: 10, thresholds: [6, 10, 11, 11], lengths: [6, 10, 11, 11] }
        }
        Effort::Full => {
            Size { sample: 10_000_000, positions: 10, walks: 20, thresholds: [8, 12, 14, 14], lengths: [7, 12, 13, 13] }
        }
    }
}

/// The seed, unless another is asked for.
const SEED: u64 = 1997;

/// The expected value of the edges in the paper, and its nodes a second.
const PAPER_EDGES: f64 = 5.5;
const PAPER_RATE: f64 = 700_000.0;
const SECONDS_A_YEAR: f64 = 365.25 * 86_400.0;

/// What the Manhattan-type bounds are worth.
pub fn manhattan(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (size, seed) = (size(request.effort), request.seed_or(SEED));
    let means = means(lab, seed, size.sample)?;
    let of_each = |deepest: [u8; 4], work: &dyn Fn(Heuristic, u8) -> Result<Vec<MeanCost>, LabError>| {
        Heuristic::ALL.into_iter().zip(deepest).map(|(heuristic, deepest)| work(heuristic, deepest)).collect()
    };
    let iterations: Result<Vec<Vec<MeanCost>>, LabError> =
        of_each(size.thresholds, &|heuristic, deepest| iterations(lab, heuristic, seed, size.positions, deepest));
    let iterations = iterations?;
    let walks: Result<Vec<Vec<MeanCost>>, LabError> =
        of_each(size.lengths, &|heuristic, deepest| walks(lab, heuristic, seed, size.walks, deepest));
    let walks = walks?;
    let edges = iterations.last().expect("the edges are the last heuristic");
    let depths = format!(
        "Complete iterations on {} random positions (threads: {}): means",
        size.positions,
        lab.control.threads()
    );
    let lengths =
        format!("{} random walks of each length, solved (threads: {}): means", size.walks, lab.control.threads());
    Ok(Experiment::new(
        "manhattan",
        "Bounds of the Manhattan type",
        "Korf 1997, section 3.1; Nargolkar 2006, Figures 2.1 and 2.2",
    )
    .text(
        "Each cubie counts the fewest moves that solve it alone, and the sum is divided by the number of cubies that \
         a move carries. Bounds are rounded up; the paper does not say whether it does so. Nodes are those generated, \
         in the half-turn metric.",
    )
    .text(
        "A cubie of a random position is in each of its 24 states with equal chance, so the mean of a sum is exact. \
         That of the larger of two, and those of rounded bounds, are taken over a sample. Korf 1997 says \"8 edge \
         cubies and 12 corner cubies\" where it means 12 edges and 8 corners.",
    )
    .text(format!(
        "Nargolkar's figures show nodes and time by the depth of the position. Her positions are not known. Here they \
         are random walks: canonical sequences of that many moves from seed {seed}. Some have shorter solutions.",
    ))
    .tables([
        cubies(),
        expected(&means, size.sample),
        by_depth(depths, "threshold", &iterations),
        estimate(edges),
        by_depth(lengths, "length", &walks),
    ])
    .plots(plots(&walks))
    .remark(
        "A tree searched to depth d − e has b^(d − e) nodes. More are generated because bounds differ from node to \
         node: nodes with a bound below the mean are not cut, and a search goes on from exactly those. But the factor \
         from threshold to threshold is the branching factor.",
    )
    .remark(years(edges)))
}

fn cubies() -> Table {
    let manhattan = Manhattan::new(Heuristic::Edges, Metric::Htm);
    let corner = manhattan.costs().of_corner(Corner::ALL[0]);
    let edge = manhattan.costs().of_edge(Edge::ALL[0]);
    let mut table = Table::new(
        "The 24 states of a cubie by the number of moves that solve it alone",
        &["moves", "a corner", "an edge"],
    );
    for moves in 0..=corner.iter().chain(&edge).copied().max().unwrap_or(0) {
        let count = |costs: &[u8]| Cell::Count(costs.iter().filter(|&&cost| cost == moves).count() as u64);
        table.row([Cell::Count(moves.into()), count(&corner), count(&edge)]);
    }
    table
}

fn expected(means: &[Mean], sample: u64) -> Table {
    let columns = ["heuristic", "paper", "exact mean", "ratio", "mean of the sample", "mean of the sample, rounded up"];
    let mut table = Table::new(format!("Expected values; a sample of {sample} random positions"), &columns);
    for mean in means {
        let number = |value: Option<f64>| value.map_or(Cell::Nothing, |value| Cell::Number(value, 4));
        table.row([
            Cell::text(mean.name),
            mean.paper.map_or(Cell::Nothing, |paper| Cell::Number(paper, 1)),
            number(mean.exact),
            mean.paper.zip(mean.exact).map_or(Cell::Nothing, |(paper, exact)| Cell::ratio(exact, paper)),
            number(Some(mean.sampled)),
            number(Some(mean.rounded)),
        ]);
    }
    table
}

/// Nodes and seconds of the four heuristics.
fn by_depth(caption: String, depth: &'static str, works: &[Vec<MeanCost>]) -> Table {
    let columns = [
        depth,
        "brute force, nodes",
        "seconds",
        "all cubies ÷ 8, nodes",
        "seconds",
        "larger ÷ 4, nodes",
        "seconds",
        "edges ÷ 4, nodes",
        "seconds",
    ];
    let mut table = Table::new(caption, &columns);
    let deepest = works.iter().map(Vec::len).max().unwrap_or(0);
    for at in 0..deepest {
        let cells = works.iter().flat_map(|works| match works.get(at) {
            Some(work) if work.nodes > 0.0 => [Cell::Count(work.nodes.round() as u64), Cell::Seconds(work.seconds)],
            _ => [Cell::Nothing, Cell::Nothing],
        });
        table.row([Cell::Count(at as u64 + 1)].into_iter().chain(cells));
    }
    table
}

/// The iterations with the edges beside what the expected value alone lets one expect of them: a bound of e in all
/// nodes would spare the last e moves.
fn estimate(edges: &[MeanCost]) -> Table {
    let columns = ["threshold d", "b^(d − 5.5)", "measured", "ratio", "times the threshold before"];
    let mut table = Table::new("Nodes of an iteration with the edges ÷ 4", &columns);
    for (before, work) in edges.iter().zip(&edges[1..]).filter(|(_, work)| work.nodes > 0.0) {
        let estimate = branching_factor().powf(f64::from(work.depth) - PAPER_EDGES);
        table.row([
            Cell::Count(work.depth.into()),
            Cell::Count(estimate.round() as u64),
            Cell::Count(work.nodes.round() as u64),
            Cell::ratio(work.nodes, estimate),
            if before.nodes > 0.0 { Cell::Number(work.nodes / before.nodes, 2) } else { Cell::Nothing },
        ]);
    }
    table
}

fn plots(walks: &[Vec<MeanCost>]) -> Vec<Plot> {
    let plot = |name, title, y, value: fn(&MeanCost) -> f64| {
        let plot = Plot::new(name, title, ["moves of the walk", y], [false, true]);
        Heuristic::ALL.into_iter().zip(walks).fold(plot, |plot, (heuristic, costs)| {
            plot.series(heuristic.name(), costs.iter().map(|cost| (f64::from(cost.depth), value(cost))))
        })
    };
    vec![
        plot("manhattan-nodes", "Nodes by depth (Nargolkar 2006, Figure 2.1)", "nodes generated", |cost| cost.nodes),
        plot("manhattan-seconds", "Time by depth (Nargolkar 2006, Figure 2.2)", "seconds", |cost| cost.seconds),
    ]
}

/// How long a search to depth 18 would take.
fn years(edges: &[MeanCost]) -> String {
    let last = edges.last().expect("some thresholds were searched");
    let nodes = last.nodes * branching_factor().powi(18 - i32::from(last.depth));
    let rate = last.nodes / last.seconds;
    format!(
        "With the edges, an iteration of threshold {} took {:.1} s at {:.1} million nodes a second. From it an \
         iteration of threshold 18 is expected to generate {nodes:.2e} nodes: {:.0} years at the paper's \
         {PAPER_RATE} nodes a second, and the paper says over 250 for depth 18; {:.1} years here.",
        last.depth,
        last.seconds,
        rate / 1e6,
        nodes / PAPER_RATE / SECONDS_A_YEAR,
        nodes / rate / SECONDS_A_YEAR,
    )
}

/// How many positions are drawn between two checks for cancellation.
const POSITIONS_PER_CHECK: u64 = 10_000;

/// A quotient of the sums, and its mean over all positions.
struct Mean {
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

/// The exact means of the sums over the corners and over the edges. A cubie of a random position is in each of its 24
/// states with equal chance; the mean of a sum is the sum of the means, though cubies depend on one another.
fn exact_sums(costs: &CubieCosts) -> (f64, f64) {
    let total = |costs: Vec<u8>| costs.into_iter().map(u32::from).sum::<u32>();
    let corners: u32 = Corner::ALL.into_iter().map(|cubie| total(costs.of_corner(cubie))).sum();
    let edges: u32 = Edge::ALL.into_iter().map(|cubie| total(costs.of_edge(cubie))).sum();
    (f64::from(corners) / 24.0, f64::from(edges) / 24.0)
}

/// The means of the corners ÷ 4 and of the three heuristics, exact and over a sample of random positions.
fn means(lab: &Lab<'_>, seed: u64, sample: u64) -> Result<Vec<Mean>, LabError> {
    let manhattan = Manhattan::new(Heuristic::Edges, Metric::Htm);
    let (corners, edges) = exact_sums(manhattan.costs());
    let quotients = |corners: u8, edges: u8| {
        let quotient = |heuristic: Heuristic| heuristic.quotient(corners, edges);
        [(corners, 4), quotient(Heuristic::Edges), quotient(Heuristic::AllCubies), quotient(Heuristic::Larger)]
    };
    let mut sums = [(0.0, 0u64); 4];
    for (number, position) in (0..sample).zip(random_positions(seed)) {
        if number % POSITIONS_PER_CHECK == 0 {
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
struct MeanCost {
    /// The threshold, or the length of the walks.
    pub depth: u8,
    /// Nodes generated.
    pub nodes: f64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

impl MeanCost {
    fn mean(depth: u8, of: &[IdaIteration], positions: usize) -> MeanCost {
        let nodes: u64 = of.iter().map(|iteration| iteration.nodes).sum();
        let seconds: f64 = of.iter().map(|iteration| iteration.elapsed.as_secs_f64()).sum();
        MeanCost { depth, nodes: nodes as f64 / positions as f64, seconds: seconds / positions as f64 }
    }
}

/// The iterations of a search that ends at `last`, at a solution, or because it is asked to.
fn search(
    lab: &Lab<'_>,
    bound: &Manhattan,
    position: &Cube,
    last: u8,
) -> Result<(Outcome, Vec<IdaIteration>), LabError> {
    let ida = Ida { bound, metric: Metric::Htm };
    let limits = IdaLimits { last: Some(last), ..IdaLimits::default() };
    let found = ida.search(position, &limits, &mut |_| {}, &lab.control);
    lab.check()?;
    Ok((found.outcome, found.iterations))
}

/// The work of complete iterations of each threshold up to `deepest`, on `positions` random positions. Thresholds below
/// the bound of a position take no work.
fn iterations(
    lab: &Lab<'_>,
    heuristic: Heuristic,
    seed: u64,
    positions: usize,
    deepest: u8,
) -> Result<Vec<MeanCost>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let mut all: Vec<IdaIteration> = Vec::new();
    for (number, position) in random_positions(seed).take(positions).enumerate() {
        lab.step(&format!("searching by {}", heuristic.name()), number as u64, positions as u64);
        // A random position so near would be solved; none of those drawn is, or it would count for fewer nodes.
        all.extend(search(lab, &bound, &position, deepest)?.1);
    }
    let at = |depth: u8| all.iter().filter(|iteration| iteration.threshold == depth).copied().collect::<Vec<_>>();
    Ok((1..=deepest).map(|depth| MeanCost::mean(depth, &at(depth), positions)).collect())
}

/// The work of solving random walks of each length up to `deepest`: all iterations, the last one to the first solution.
fn walks(lab: &Lab<'_>, heuristic: Heuristic, seed: u64, count: usize, deepest: u8) -> Result<Vec<MeanCost>, LabError> {
    let bound = Manhattan::new(heuristic, Metric::Htm);
    let solve = |depth: u8| {
        lab.step(&format!("solving walks by {}", heuristic.name()), depth.into(), deepest.into());
        let mut all = Vec::new();
        for walk in random_walks(seed.wrapping_add(depth.into()), depth.into()).take(count) {
            let (outcome, iterations) = search(lab, &bound, &Cube::from_moves(&walk), depth)?;
            assert_eq!(outcome, Outcome::Optimal, "{walk:?} is undone in as many moves");
            all.extend(iterations);
        }
        Ok(MeanCost::mean(depth, &all, count))
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
