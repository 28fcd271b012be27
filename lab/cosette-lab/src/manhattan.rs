//! Bounds of the Manhattan type (Korf 1997, section 3.1), and the tree that they are to prune
//! (section 3, Table 1).
//!
//! # Theory
//!
//! The Manhattan distance of the sliding-tile puzzles counts for each tile the moves it needs
//! alone. Likewise for each cubie of the cube: the minimum number of moves that solve it, in its
//! slot and orientation, regardless of the others. One move carries eight cubies, four corners and
//! four edges, so the sum of all these counts is divided by eight; or those of the corners and
//! those of the edges are each divided by four, and the larger is taken. The edges alone are nearly
//! as good, for there are twelve of them and only eight corners. (The paper misprints that: "8 edge
//! cubies and 12 corner cubies".) All are lower bounds:
//!
//! ```text
//! a move of cost c lowers the count of a cubie that it carries by c at most, and that of the others not at all;
//! it carries four corners and four edges, so it lowers the sum of the corners by 4 c at most, and so that of the edges
//! ```
//!
//! so a position with the sum s takes ⌈s ÷ 4⌉ moves at least.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::{Ida, IdaEngine, IdaLimits, LowerBound};
use crate::lab::{Lab, processor_time_of_process};
use crate::pieces::{corners_of, edges_of};
use crate::record::Record;
use crate::space::{UNREACHED, generators};
use crate::walks::random_walks;
use cosette::cube::{Corner, Cube, Edge, Metric, Move, random_positions, sequence_counts};
use cosette::numbers::grouped;
use serde_json::{Value, json};

/// The way in which the sums are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumCombination {
    /// Only a test for the solved position.
    BruteForce,
    /// The sum over all cubies ÷ 8.
    AllCubies,
    /// The larger of the sum over the corners ÷ 4 and the sum over the edges ÷ 4.
    Larger,
    /// The sum over the edges ÷ 4.
    Edges,
}

impl SumCombination {
    /// All heuristics.
    pub const ALL: [SumCombination; 4] = [
        SumCombination::BruteForce,
        SumCombination::AllCubies,
        SumCombination::Larger,
        SumCombination::Edges,
    ];

    /// Returns a short description.
    pub const fn name(self) -> &'static str {
        match self {
            SumCombination::BruteForce => "brute force",
            SumCombination::AllCubies => "all cubies ÷ 8",
            SumCombination::Larger => "larger of corners and edges ÷ 4",
            SumCombination::Edges => "edges ÷ 4",
        }
    }

    /// The bound from the sums over the corners and over the edges, as a quotient that is not
    /// rounded.
    pub const fn quotient(self, corners: u8, edges: u8) -> (u8, u8) {
        match self {
            SumCombination::BruteForce => (if corners + edges == 0 { 0 } else { 1 }, 1),
            SumCombination::AllCubies => (corners + edges, 8),
            SumCombination::Larger => (if corners > edges { corners } else { edges }, 4),
            SumCombination::Edges => (edges, 4),
        }
    }
}

/// A position with the sums over its corners and its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManhattanNode {
    /// The position.
    pub position: Cube,
    /// The sum over the corners, 0 to 24 (HTM).
    pub corners: u8,
    /// The sum over the edges, 0 to 36 (HTM).
    pub edges: u8,
}

/// A bound of the Manhattan type; as an engine, IDA* with it.
#[derive(Clone, Debug)]
pub struct Manhattan {
    heuristic: SumCombination,
    metric: Metric,
    costs: CubieCosts,
}

impl Manhattan {
    /// The bound in a metric.
    pub fn new(heuristic: SumCombination, metric: Metric) -> Manhattan {
        Manhattan {
            heuristic,
            metric,
            costs: CubieCosts::new(metric),
        }
    }
}

impl LowerBound for Manhattan {
    type Node = ManhattanNode;

    #[inline]
    fn node(&self, position: &Cube) -> ManhattanNode {
        let corner = |slot| self.costs.corner(position, slot);
        let edge = |slot| self.costs.edge(position, slot);
        ManhattanNode {
            position: *position,
            corners: Corner::ALL.into_iter().map(corner).sum(),
            edges: Edge::ALL.into_iter().map(edge).sum(),
        }
    }

    #[inline]
    fn turned(&self, node: &ManhattanNode, m: Move) -> ManhattanNode {
        self.node(&node.position.apply(m))
    }

    #[inline]
    fn bound(&self, node: &ManhattanNode, _remaining: u8, _probes: &mut u64) -> u8 {
        let (sum, divisor) = self.heuristic.quotient(node.corners, node.edges);
        sum.div_ceil(divisor)
    }
}

impl IdaEngine for Manhattan {
    type Bound = Manhattan;

    fn name(&self) -> &'static str {
        "manhattan"
    }

    fn metric(&self) -> Metric {
        self.metric
    }

    fn tables(&self) -> String {
        self.heuristic.name().into()
    }

    fn lower_bound(&self) -> &Manhattan {
        self
    }
}

/// For each slot, and each cubie and orientation in it, the minimum cost of moves that solve the
/// cubie.
#[derive(Clone, Debug)]
pub struct CubieCosts {
    corners: [[u8; 24]; Corner::COUNT],
    edges: [[u8; 24]; Edge::COUNT],
}

impl CubieCosts {
    /// Computes the costs by breadth-first search over the 24 states of each cubie.
    pub fn new(metric: Metric) -> CubieCosts {
        let moves: Vec<&Cube> = generators(metric)
            .into_iter()
            .map(Cube::from_move)
            .collect();
        CubieCosts {
            corners: spread(&moves.iter().map(|m| corners_of(m)).collect::<Vec<_>>(), 3),
            edges: spread(&moves.iter().map(|m| edges_of(m)).collect::<Vec<_>>(), 2),
        }
    }

    /// Returns the cost of the cubie in a corner slot.
    #[inline(always)]
    pub fn corner(&self, position: &Cube, slot: Corner) -> u8 {
        let (cubie, twist) = position.corner(slot);
        self.corners[slot.index()][cubie.index() + Corner::COUNT * usize::from(twist)]
    }

    /// Returns the cost of the cubie in an edge slot.
    #[inline(always)]
    pub fn edge(&self, position: &Cube, slot: Edge) -> u8 {
        let (cubie, flip) = position.edge(slot);
        self.edges[slot.index()][cubie.index() + Edge::COUNT * usize::from(flip)]
    }

    /// The costs of a corner cubie in its 24 states.
    pub fn of_corner(&self, cubie: Corner) -> Vec<u8> {
        self.corners
            .iter()
            .flat_map(|slot| slot.iter().skip(cubie.index()).step_by(Corner::COUNT))
            .copied()
            .collect()
    }

    /// The costs of an edge cubie in its 24 states.
    pub fn of_edge(&self, cubie: Edge) -> Vec<u8> {
        self.edges
            .iter()
            .flat_map(|slot| slot.iter().skip(cubie.index()).step_by(Edge::COUNT))
            .copied()
            .collect()
    }
}

/// Computes the costs of the corners, or of the edges. The arrangement after a move from the solved
/// cube gives, for each slot, the slot of its cubie, plus its orientation times the number of
/// slots.
fn spread<const SLOTS: usize>(moves: &[[u8; SLOTS]], turns: usize) -> [[u8; 24]; SLOTS] {
    let mut costs = [[UNREACHED; 24]; SLOTS];
    for (home, of_slot) in costs.iter_mut().enumerate() {
        of_slot[home] = 0;
    }
    for cost in 0.. {
        let mut has_new = false;
        for (there, &from) in moves.iter().flat_map(|m| m.iter().enumerate()) {
            let turn = usize::from(from) / SLOTS;
            for state in 0..24 {
                let turned = (state / SLOTS + turn) % turns;
                let is_next = costs[usize::from(from) % SLOTS][state] == cost;
                let known = &mut costs[there][state % SLOTS + SLOTS * turned];
                if is_next && *known == UNREACHED {
                    *known = cost + 1;
                    has_new = true;
                }
            }
        }
        if !has_new {
            break;
        }
    }
    costs
}

/// Returns the limit of the ratio of nodes at successive depths: 6 + 3 √6 = 13.348469228349534…
pub fn branching_factor() -> f64 {
    6.0 + 54f64.sqrt()
}

/// Counts the nodes at each depth of the canonical tree.
pub fn nodes(_lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let counts = sequence_counts(18, Metric::Htm);
    let depths = counts.windows(2).zip(1..).map(|(pair, depth)| {
        json!({
            "depth": depth,
            "exact": grouped(pair[1]),
            "nodes": pair[1] as f64,
            "growth": pair[1] as f64 / pair[0] as f64,
        })
    });
    let record = json!({
        "branching_factor": branching_factor(),
        "depths": depths.collect::<Vec<_>>(),
    });
    Ok(Record::computed(request, &record))
}

/// The extent of the measurement.
struct MeasurementSize {
    /// Number of random positions for the means.
    sample: u64,
    /// Number of random positions searched to each threshold, and of walks of each length that are
    /// solved.
    positions: usize,
    walks: usize,
    /// Maximum threshold, by heuristic in the order of [`SumCombination::ALL`].
    thresholds: [u8; 4],
    lengths: [u8; 4],
}

const fn size(effort: RunSize) -> MeasurementSize {
    match effort {
        RunSize::Quick => MeasurementSize {
            sample: 1_000_000,
            positions: 3,
            walks: 10,
            thresholds: [6, 10, 11, 11],
            lengths: [6, 10, 11, 11],
        },
        RunSize::Full => MeasurementSize {
            sample: 10_000_000,
            positions: 10,
            walks: 20,
            thresholds: [8, 12, 14, 14],
            lengths: [7, 12, 13, 13],
        },
    }
}

/// The default seed.
const SEED: u64 = 1997;

/// Measures the value of the Manhattan-type bounds.
pub fn manhattan(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let size = size(request.effort);
    let seed = request.seed_or(SEED);
    let costs_of_cubies = CubieCosts::new(Metric::Htm);
    let iteration = |depth| {
        let positions = random_positions(seed).take(size.positions);
        (IdaLimits::only(depth), positions.collect())
    };
    let walks = |depth: u8| {
        let limits = IdaLimits {
            last: Some(depth),
            ..IdaLimits::default()
        };
        let walks = random_walks(seed.wrapping_add(depth.into()), depth.into());
        let ends = walks.take(size.walks).map(|walk| Cube::from_moves(&walk));
        (limits, ends.collect())
    };
    let record = json!({
        "seed": seed,
        "sample": size.sample,
        "positions": size.positions,
        "walks": size.walks,
        "corner_states": by_distance(&costs_of_cubies.of_corner(Corner::ALL[0])),
        "edge_states": by_distance(&costs_of_cubies.of_edge(Edge::ALL[0])),
        "means": means(lab, seed, size.sample)?,
        // Complete iterations of random positions, and solutions of random walks.
        "iterations": costs(lab, size.thresholds, iteration)?,
        "solved_walks": costs(lab, size.lengths, walks)?,
    });
    Ok(Record::computed(request, &record))
}

/// Returns the number of states at each distance.
fn by_distance(distances: &[u8]) -> Vec<usize> {
    let farthest = distances.iter().copied().max().unwrap_or(0);
    (0..=farthest)
        .map(|moves| distances.iter().filter(|&&cost| cost == moves).count())
        .collect()
}

/// Returns the means of the corners ÷ 4 and of the three bounds over a sample of random positions,
/// as they are and rounded up.
fn means(lab: &Lab<'_>, seed: u64, sample: u64) -> Result<Vec<Value>, LabError> {
    let manhattan = Manhattan::new(SumCombination::Edges, Metric::Htm);
    let bounds = [
        SumCombination::Edges,
        SumCombination::AllCubies,
        SumCombination::Larger,
    ];
    let mut sums = [(0.0, 0u64); 4];
    for (number, position) in (0..sample).zip(random_positions(seed)) {
        if number % 10_000 == 0 {
            lab.check()?;
            lab.step("drawing random positions", number, sample);
        }
        let node = manhattan.node(&position);
        let quotients = bounds.map(|bound| bound.quotient(node.corners, node.edges));
        let quotients = std::iter::once((node.corners, 4)).chain(quotients);
        for (sum, (dividend, divisor)) in sums.iter_mut().zip(quotients) {
            sum.0 += f64::from(dividend) / f64::from(divisor);
            sum.1 += u64::from(dividend.div_ceil(divisor));
        }
    }
    let names = std::iter::once("corners ÷ 4").chain(bounds.map(SumCombination::name));
    let means = names.zip(sums).map(|(bound, (sum, rounded))| {
        json!({
            "bound": bound,
            "mean": sum / sample as f64,
            "rounded": rounded as f64 / sample as f64,
        })
    });
    Ok(means.collect())
}

/// Searches by each sum to each depth; `searched` returns the limits and the positions of a depth.
fn costs(
    lab: &Lab<'_>,
    deepest: [u8; 4],
    searched: impl Fn(u8) -> (IdaLimits, Vec<Cube>),
) -> Result<Vec<Value>, LabError> {
    let mut all = Vec::new();
    for (sum, deepest) in SumCombination::ALL.into_iter().zip(deepest) {
        let bound = Manhattan::new(sum, Metric::Htm);
        let step = format!("searching by {}", sum.name());
        let mut costs = Vec::new();
        for depth in 1..=deepest {
            lab.step(&step, depth.into(), deepest.into());
            let (limits, positions) = searched(depth);
            costs.push(mean_cost(lab, &bound, depth, &limits, &positions)?);
        }
        all.push(json!({"bound": sum.name(), "costs": costs}));
    }
    Ok(all)
}

fn mean_cost(
    lab: &Lab<'_>,
    bound: &Manhattan,
    depth: u8,
    limits: &IdaLimits,
    positions: &[Cube],
) -> Result<Value, LabError> {
    let ida = Ida {
        bound,
        metric: Metric::Htm,
    };
    let before = processor_time_of_process();
    let mut nodes = 0;
    for position in positions {
        let found = ida.search(position, limits, &lab.control);
        lab.check()?;
        nodes += found.iterations.iter().map(|done| done.nodes).sum::<u64>();
    }
    Ok(json!({
        "depth": depth,
        "nodes": nodes as f64 / positions.len() as f64,
        "seconds": (processor_time_of_process() - before) / positions.len() as f64,
    }))
}
