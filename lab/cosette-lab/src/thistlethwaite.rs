//! Thistlethwaite's four stages (M. B. Thistlethwaite, 1981, as printed in D. Singmaster, "Notes on
//! Rubik's Magic Cube"). The page `thistlethwaite.md` has the method and its figures.
//!
//! A stage knows of a position a pair of *features*: what is seen of each corner and of each
//! edge. The features after a move depend on nothing but those before, and all positions of a
//! group with the same features are put right by the same moves. `STAGES` is the whole system:
//! for each stage its group, by the faces that make quarter turns, and what is seen.
//!
//! The distances are those of one breadth-first search. It begins at all pairs that the moves of
//! the next group reach from the solved position, and goes on by the moves of the group. In stage
//! 3 there are 96 such pairs, as half turns make 96 arrangements of the corners, elsewhere one.
//! Each coset has as many pairs, so that the number of pairs at a distance, divided by 96, is
//! that of the cosets.
//!
//! ```text
//! for each stage
//!     until its distance is zero
//!         do the first move of its group after which the distance is one less
//! ```
//!
//! Moves may cancel between stages, which the canonical form uses.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::lab::{Lab, processor_time};
use crate::packed::DistanceCounts;
use crate::pattern::discover;
use crate::record::Record;
use crate::space::UNREACHED;
use cosette::Control;
use cosette::cube::{Corner, Cube, Edge, Metric, Move, canonical, random_positions};
use cosette::search::{IterationStats, Options, Outcome, Report};
use cosette_app::engine::{Engine, OnEvent};
use cosette_app::units::mean_of_distribution;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Instant;

/// The visible part of each corner or of each edge: a number below 16, from the cubie in a slot and
/// its orientation.
#[derive(Clone, Copy)]
enum Feature {
    Corners(fn(Corner, u8) -> u8),
    Edges(fn(Edge, u8) -> u8),
}

const NOTHING: Feature = Feature::Corners(|_, _| 0);
const TWISTS: Feature = Feature::Corners(|_, twist| twist);
const CORNERS: Feature = Feature::Corners(|corner, _| corner as u8);
const FLIPS: Feature = Feature::Edges(|_, flip| flip);
const MIDDLE_SLOTS: Feature = Feature::Edges(|edge, _| u8::from(edge.slice() == 0));
const SLICES: Feature = Feature::Edges(|edge, _| edge.slice());
const EDGES: Feature = Feature::Edges(|edge, _| edge as u8);

impl Feature {
    /// Returns what is seen of a position, four bits a slot.
    fn of(self, position: &Cube) -> u64 {
        let add = |value: u64, digit: u8| value << 4 | u64::from(digit);
        match self {
            Feature::Corners(seen) => Corner::ALL.into_iter().fold(0, |value, slot| {
                let (corner, twist) = position.corner(slot);
                add(value, seen(corner, twist))
            }),
            Feature::Edges(seen) => Edge::ALL.into_iter().fold(0, |value, slot| {
                let (edge, flip) = position.edge(slot);
                add(value, seen(edge, flip))
            }),
        }
    }
}

/// The definition of a stage.
struct StageDefinition {
    /// The generators of its group.
    group: &'static str,
    /// The faces that make quarter turns in its group; all make half turns.
    quarter_turns: &'static str,
    seen: [Feature; 2],
}

const STAGES: [StageDefinition; 4] = [
    StageDefinition {
        group: "⟨U,D,R,L,F,B⟩",
        quarter_turns: "UDRLFB",
        seen: [FLIPS, NOTHING],
    },
    StageDefinition {
        group: "⟨U,D,R,L,F2,B2⟩",
        quarter_turns: "UDRL",
        seen: [TWISTS, MIDDLE_SLOTS],
    },
    StageDefinition {
        group: "⟨U,D,R2,L2,F2,B2⟩",
        quarter_turns: "UD",
        seen: [CORNERS, SLICES],
    },
    StageDefinition {
        group: "⟨U2,D2,R2,L2,F2,B2⟩",
        quarter_turns: "",
        seen: [CORNERS, EDGES],
    },
];

impl StageDefinition {
    fn moves(&self) -> Vec<Move> {
        let is_allowed =
            |m: &Move| m.is_half_turn() || self.quarter_turns.contains(m.face().letter());
        Move::ALL.into_iter().filter(is_allowed).collect()
    }
}

/// The values of a feature, numbered, and the number after each move.
struct FeatureCoordinate {
    feature: Feature,
    numbers: HashMap<u64, u32>,
    /// For each number, the number after each move of the stage.
    turns: Vec<[u32; Move::COUNT]>,
}

impl FeatureCoordinate {
    /// Numbers the values reachable by `moves`. The solved position has the number 0.
    fn discover(feature: Feature, moves: &[Move]) -> FeatureCoordinate {
        let positions = discover(moves, |position| feature.of(position));
        let values = positions.iter().map(|position| feature.of(position));
        let numbers: HashMap<u64, u32> = values.zip(0..).collect();
        let turns = |position: &Cube| {
            let mut row = [0; Move::COUNT];
            for &m in moves {
                row[m.index()] = numbers[&feature.of(&position.apply(m))];
            }
            row
        };
        FeatureCoordinate {
            feature,
            turns: positions.iter().map(turns).collect(),
            numbers,
        }
    }

    /// Returns the number of the feature of a position; `None` if the moves reach no position with
    /// this feature.
    fn of(&self, position: &Cube) -> Option<usize> {
        let number = self.numbers.get(&self.feature.of(position))?;
        Some(*number as usize)
    }
}

/// A stage: from a group into the next smaller one.
pub struct GroupStage {
    /// The generators of the group, e.g. `⟨U,D,R2,L2,F2,B2⟩`.
    pub group: &'static str,
    /// The moves of the group.
    pub moves: Vec<Move>,
    coordinates: [FeatureCoordinate; 2],
    /// Distance of each pair of numbers, grouped by the first number.
    distances: Vec<u8>,
    /// The number of cosets of the next subgroup at each distance.
    pub counts: DistanceCounts,
}

impl GroupStage {
    /// Returns the distances of all cosets of some subgroups, by all moves, with a description of
    /// the solved property of each.
    pub fn subgroups() -> impl ExactSizeIterator<Item = (&'static str, GroupStage)> {
        let kinds = [
            ("flips", [FLIPS, NOTHING]),
            ("twists", [TWISTS, NOTHING]),
            ("flips and slots of the slice", [FLIPS, MIDDLE_SLOTS]),
            ("twists and slots of the slice", [TWISTS, MIDDLE_SLOTS]),
            ("flips and twists", [FLIPS, TWISTS]),
        ];
        kinds.into_iter().map(|(name, seen)| {
            let stage = GroupStage::new("", Move::ALL.to_vec(), &[], seen);
            (name, stage)
        })
    }

    /// Computes the distances by the moves of the group to what the moves of the next group reach
    /// from the solved position.
    fn new(
        group: &'static str,
        moves: Vec<Move>,
        next_moves: &[Move],
        seen: [Feature; 2],
    ) -> GroupStage {
        let coordinates = seen.map(|feature| FeatureCoordinate::discover(feature, &moves));
        let pairs = coordinates.iter().map(|coordinate| coordinate.turns.len());
        let mut stage = GroupStage {
            group,
            distances: vec![UNREACHED; pairs.product()],
            moves: Vec::new(),
            coordinates,
            counts: Vec::new(),
        };
        stage.distances[0] = 0;
        let mut level = vec![0];
        let mut done = 0;
        while done < level.len() {
            let found = stage.spread(&level[done..], next_moves, 0);
            done = level.len();
            level.extend(found);
        }
        let pairs_of_coset = level.len();
        for distance in 1.. {
            stage.counts.push((level.len() / pairs_of_coset) as u64);
            level = stage.spread(&level, &moves, distance);
            if level.is_empty() {
                break;
            }
        }
        GroupStage { moves, ..stage }
    }

    /// Gives a distance to the pairs without one that the moves reach from these; returns them.
    fn spread(&mut self, pairs: &[usize], moves: &[Move], distance: u8) -> Vec<usize> {
        let mut found = Vec::new();
        for &pair in pairs {
            for &m in moves {
                let neighbor = self.turned(pair, m);
                if self.distances[neighbor] == UNREACHED {
                    self.distances[neighbor] = distance;
                    found.push(neighbor);
                }
            }
        }
        found
    }

    /// Returns the number of cosets of the next subgroup in the group.
    pub fn cosets(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The largest distance.
    pub fn diameter(&self) -> u8 {
        self.counts.len() as u8 - 1
    }

    /// Returns the number of moves of the group from the position to the next subgroup; `None` if
    /// the features match no position of the group. A position outside with the features of one
    /// inside has the distance of that one.
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.pair(position).map(|pair| self.distances[pair])
    }

    /// Returns a shortest sequence of moves from a position of the group into the next subgroup,
    /// and the number of moves tried; `None` as for [`GroupStage::distance`].
    fn path(&self, position: &Cube) -> Option<(Vec<Move>, u64)> {
        let mut pair = self.pair(position)?;
        let mut path = Vec::new();
        let mut tried = 0;
        while self.distances[pair] > 0 {
            let nearer = self.distances[pair] - 1;
            let mut neighbors = self.moves.iter().map(|&m| (m, self.turned(pair, m)));
            let step = neighbors.find(|&(_, neighbor)| {
                tried += 1;
                self.distances[neighbor] == nearer
            });
            let (m, neighbor) = step.expect("a coset has a neighbor nearer by one");
            path.push(m);
            pair = neighbor;
        }
        Some((path, tried))
    }

    fn pair(&self, position: &Cube) -> Option<usize> {
        let [first, second] = &self.coordinates;
        Some(first.of(position)? * second.turns.len() + second.of(position)?)
    }

    fn turned(&self, pair: usize, m: Move) -> usize {
        let [first, second] = &self.coordinates;
        let columns = second.turns.len();
        let row = first.turns[pair / columns][m.index()] as usize;
        let column = second.turns[pair % columns][m.index()] as usize;
        row * columns + column
    }
}

/// The four stages with all their distances, 4.6 MB.
pub struct Thistlethwaite {
    /// The stages, in order.
    pub stages: [GroupStage; 4],
}

/// The moves of a stage, and the number of moves tried to find them.
type StagePath = (Vec<Move>, u64);

impl Thistlethwaite {
    /// The stages; computed at the first call, in less than a second.
    pub fn get() -> &'static Thistlethwaite {
        static SYSTEM: LazyLock<Thistlethwaite> = LazyLock::new(Thistlethwaite::compute);
        &SYSTEM
    }

    /// Computes all distances.
    pub fn compute() -> Thistlethwaite {
        let stages = std::array::from_fn(|number| {
            let StageDefinition { group, seen, .. } = STAGES[number];
            let next = STAGES.get(number + 1);
            let next_moves = next.map_or(Vec::new(), StageDefinition::moves);
            GroupStage::new(group, STAGES[number].moves(), &next_moves, seen)
        });
        Thistlethwaite { stages }
    }

    /// Returns a solution, stage by stage: at most 45 moves, each stage as short as possible.
    pub fn solution(&self, position: &Cube) -> [Vec<Move>; 4] {
        self.paths(position).map(|(path, _)| path)
    }

    fn paths(&self, position: &Cube) -> [StagePath; 4] {
        let mut here = *position;
        self.stages.each_ref().map(|stage| {
            let (path, tried) = stage
                .path(&here)
                .expect("each stage leads into the group of the next");
            here = here.apply_moves(&path);
            (path, tried)
        })
    }
}

/// The outcome of a report is [`Outcome::Unproven`]. Options have no effect: there is one solution,
/// found within a millisecond, so a cancellation has none either.
impl Engine for &'static Thistlethwaite {
    fn name(&self) -> &'static str {
        "thistlethwaite"
    }

    fn metric(&self) -> Metric {
        Metric::Htm
    }

    fn tables(&self) -> String {
        "four stages".into()
    }

    fn is_optimal(&self) -> bool {
        false
    }

    fn solve(
        &self,
        position: &Cube,
        _options: &Options<'_>,
        _on_event: OnEvent<'_>,
        _control: &Control<'_>,
    ) -> Report {
        let start = Instant::now();
        let paths = self.paths(position);
        let solution = whole(position, paths.each_ref().map(|(path, _)| path.as_slice()));
        let nodes = paths.iter().map(|(_, tried)| tried).sum();
        let mut walk = IterationStats::new(solution.len() as u8);
        walk.nodes = nodes;
        walk.probes = nodes + self.stages.len() as u64;
        walk.elapsed = start.elapsed();
        let mut report = Report::new(position, Outcome::Unproven, 0);
        report.best_known = Some(solution);
        report.iterations = vec![walk];
        report.elapsed = start.elapsed();
        report
    }
}

/// Returns the canonical form of the moves of all stages.
///
/// # Panics
/// Panics if they do not solve the position.
fn whole(position: &Cube, paths: [&[Move]; 4]) -> Vec<Move> {
    let solution = canonical(&paths.concat());
    assert!(
        position.apply_moves(&solution).is_solved(),
        "{solution:?} does not solve {position:?}"
    );
    solution
}

/// The default seed.
const SEED: u64 = 1981;

/// Returns the distribution of distances, or of the lengths of solutions, with shares in per cent.
fn distribution(counts: &[u64]) -> Value {
    let all: u64 = counts.iter().sum();
    let counted: Vec<(usize, u64)> = (0..).zip(counts.iter().copied()).collect();
    let is_counted = |&(_, count): &(usize, u64)| count > 0;
    let lengths = counted.into_iter().filter(is_counted).map(|(length, count)| {
        json!({"length": length, "count": count, "share": 100.0 * count as f64 / all as f64})
    });
    json!({
        "mean": mean_of_distribution(counts),
        "longest": counts.iter().rposition(|&count| count > 0),
        "lengths": lengths.collect::<Vec<_>>(),
    })
}

/// Compares the exact diameters of the four stages with those of 1981, and measures the lengths of
/// solutions of random positions.
pub fn stages(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let start = processor_time();
    let system = Thistlethwaite::compute();
    let seconds = processor_time() - start;
    let seed = request.seed_or(SEED);
    let positions = match request.effort {
        RunSize::Quick => 1000,
        RunSize::Full => 100_000,
    };
    let start = processor_time();
    let solutions = count_solutions(lab, &system, seed, positions)?;
    let solution_seconds = (processor_time() - start) / positions as f64;
    let stages = system.stages.iter().map(|stage| {
        json!({
            "group": stage.group,
            "cosets": stage.cosets(),
            "distances": distribution(&stage.counts),
        })
    });
    let record = json!({
        "positions": positions,
        "seed": seed,
        "stages": stages.collect::<Vec<_>>(),
        // Those of each stage, of all four, and the canonical form of all four.
        "solutions": solutions.map(|counts| distribution(&counts)),
        // Processor time of the computation of all distances, and of the solution of a position.
        "seconds": seconds,
        "solution_seconds": solution_seconds,
    });
    Ok(Record::computed(request, &record))
}

/// Solves random positions, and counts the solutions by length: those of each stage, of all four,
/// and the canonical form of all four.
fn count_solutions(
    lab: &Lab<'_>,
    system: &Thistlethwaite,
    seed: u64,
    count: usize,
) -> Result<[Vec<u64>; 6], LabError> {
    let longest: u8 = system.stages.iter().map(GroupStage::diameter).sum();
    let mut counts = [(); 6].map(|()| vec![0; usize::from(longest) + 1]);
    for (number, position) in random_positions(seed).take(count).enumerate() {
        if number % 100 == 0 {
            lab.check()?;
            lab.step("solving by four stages", number as u64, count as u64);
        }
        let paths = system.solution(&position);
        let solution = whole(&position, paths.each_ref().map(Vec::as_slice));
        let [a, b, c, d] = paths.each_ref().map(Vec::len);
        let lengths = [a, b, c, d, a + b + c + d, solution.len()];
        for (counts, length) in counts.iter_mut().zip(lengths) {
            counts[length] += 1;
        }
    }
    Ok(counts)
}
