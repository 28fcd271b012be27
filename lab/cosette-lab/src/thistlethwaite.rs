//! Thistlethwaite's four stages (M. B. Thistlethwaite, 1981, as printed in D. Singmaster, "Notes on
//! Rubik's Magic Cube").
//!
//! # Theory
//!
//! Fewer and fewer moves are allowed. Each subgroup in the chain
//!
//! ```text
//! G0 = ⟨U, D, R, L, F, B⟩ ⊃ G1 = ⟨U, D, R, L, F2, B2⟩ ⊃ G2 = ⟨U, D, R2, L2, F2, B2⟩ ⊃ G3 = ⟨U2, D2, R2, L2, F2, B2⟩ ⊃ 1
//! ```
//!
//! has few cosets in the one before. A stage brings a position of its group into the next subgroup,
//! by moves that generate its group; so after four stages the position is solved. The stage depends
//! only on the coset of the position:
//!
//! | stage | cosets | what is seen |
//! |---|---|---|
//! | G0 → G1 | 2,048 | the flips of the edges |
//! | G1 → G2 | 1,082,565 = 2,187 · 495 | the twists of the corners; the slots of the edges between U and D |
//! | G2 → G3 | 29,400 = 420 · 70 | the corners up to the 96 arrangements that half turns make; the slices of the edges |
//! | G3 → 1 | 663,552 = 96 · 6,912 | where the corners are; where the edges are |
//!
//! Thistlethwaite found solutions of each stage by hand and by computer, of 7, 13, 15 and 17 moves
//! at most: 52 in all. The distances within the stages are all computed here, by breadth-first
//! search, and the largest are 7, 10, 13 and 15: so 45 moves always suffice.
//!
//! ```text
//! for each stage
//!     until its distance is zero
//!         do a move of its group after which the distance is one less
//! ```
//!
//! # Departures
//!
//! 1. The coset of a stage is given by a pair of *coordinates*, such as twists and slots. The
//!    values of each are numbered in the order in which moves from the solved position first reach
//!    them (`Coordinate`); the counts of the cosets prove that all pairs occur.
//! 2. Of several moves that reduce the distance, the first is taken. Moves may cancel between
//!    stages, which the canonical form uses.
//!
//! # Coordinates: what a stage sees of a position, and what moves make of it
//!
//! A coordinate is a function of positions with the same value all over a coset, whose value after
//! a move depends on nothing but its value before. Here the values are written into 64 bits as they
//! come; they are numbered by a breadth-first search from the solved position, which also finds the
//! number after each move.

use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, Plot, RunSize};
use crate::lab::Lab;
use crate::packed::DistanceCounts;
use crate::space::UNREACHED;
use crate::template::{PageTemplate, row};
use cosette::Control;
use cosette::cube::{Corner, Cube, Edge, Metric, Move, canonical, random_positions};
use cosette::search::{IterationStats, Options, Outcome, Report};
use cosette_app::engine::{Engine, OnEvent};
use cosette_app::units::mean_of_distribution;
use std::collections::HashMap;
use std::sync::LazyLock;
use std::time::Instant;

/// A feature of a position.
type Feature = fn(&Cube) -> u64;

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
        let mut numbers = HashMap::from([(feature(&Cube::SOLVED), 0)]);
        let mut representatives = vec![Cube::SOLVED];
        let mut turns = Vec::new();
        while let Some(&here) = representatives.get(turns.len()) {
            let mut row = [0; Move::COUNT];
            for &m in moves {
                let there = here.apply(m);
                row[m.index()] = *numbers.entry(feature(&there)).or_insert_with(|| {
                    representatives.push(there);
                    representatives.len() as u32 - 1
                });
            }
            turns.push(row);
        }
        FeatureCoordinate {
            feature,
            numbers,
            turns,
        }
    }

    /// Returns the number of values.
    fn count(&self) -> usize {
        self.turns.len()
    }

    /// Returns the number of the feature of a position; `None` if the moves reach no position with
    /// this feature.
    fn of(&self, position: &Cube) -> Option<usize> {
        self.numbers
            .get(&(self.feature)(position))
            .map(|&number| number as usize)
    }

    /// The number after a move of the stage.
    fn turned(&self, number: usize, m: Move) -> usize {
        self.turns[number][m.index()] as usize
    }
}

/// The digits as one number, four bits each.
fn digits(digits: impl IntoIterator<Item = u8>) -> u64 {
    digits
        .into_iter()
        .fold(0, |value, digit| value << 4 | u64::from(digit))
}

/// The trivial feature, constant on all positions.
fn nothing(_: &Cube) -> u64 {
    0
}

/// Returns the flips of the edges, which quarter turns of U, D, R and L preserve.
fn flips(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).1))
}

/// Returns the twists of the corners, which quarter turns of U and D preserve.
fn twists(position: &Cube) -> u64 {
    digits(Corner::ALL.map(|slot| position.corner(slot).1))
}

/// The slots of the four edges that lie between U and D in the solved cube.
fn middle_slots(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| u8::from(position.edge(slot).0.slice() == 0)))
}

/// The slices of the edges.
fn slices(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).0.slice()))
}

/// Returns the permutation of the corners.
fn corners(position: &Cube) -> u64 {
    digits(Corner::ALL.map(|slot| position.corner(slot).0 as u8))
}

/// Returns the permutation of the edges.
fn edges(position: &Cube) -> u64 {
    digits(Edge::ALL.map(|slot| position.edge(slot).0 as u8))
}

/// Returns the permutation of the corners up to half turns done before: the least of the 96
/// arrangements that such moves produce.
fn corners_up_to_half_turns(position: &Cube) -> u64 {
    let here = Corner::ALL.map(|slot| position.corner(slot).0.index());
    let arrangements = HALF_TURNED
        .iter()
        .map(|before| digits(here.map(|cubie| before[cubie])));
    arrangements.min().expect("there are 96 arrangements")
}

/// The permutations of the corners reachable from the solved cube by half turns: for each slot its
/// cubie.
static HALF_TURNED: LazyLock<Vec<[u8; Corner::COUNT]>> = LazyLock::new(|| {
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|m| m.is_half_turn()).collect();
    let values = FeatureCoordinate::discover(corners, &half_turns)
        .numbers
        .into_keys();
    values
        .map(|value| std::array::from_fn(|slot| (value >> (4 * (7 - slot)) & 15) as u8))
        .collect()
});

/// A stage: from a group into the next smaller one.
pub struct GroupStage {
    group: &'static str,
    moves: Vec<Move>,
    coordinates: [FeatureCoordinate; 2],
    /// Distance of each pair of numbers, grouped by the first number.
    distances: Vec<u8>,
    counts: DistanceCounts,
}

impl GroupStage {
    /// Returns the distances of all cosets of some subgroups, by all moves, with a description of
    /// the solved property of each.
    pub fn subgroups() -> impl ExactSizeIterator<Item = (&'static str, GroupStage)> {
        let kinds: [(&str, [Feature; 2]); 5] = [
            ("flips", [flips, nothing]),
            ("twists", [twists, nothing]),
            ("flips and slots of the slice", [flips, middle_slots]),
            ("twists and slots of the slice", [twists, middle_slots]),
            ("flips and twists", [flips, twists]),
        ];
        kinds
            .into_iter()
            .map(|(name, features)| (name, GroupStage::new("", |_| true, features)))
    }

    /// Computes the distances, with the moves of the group, selected by `is_of_group`.
    fn new(
        group: &'static str,
        is_of_group: impl Fn(Move) -> bool,
        features: [Feature; 2],
    ) -> GroupStage {
        let moves: Vec<Move> = Move::ALL.into_iter().filter(|&m| is_of_group(m)).collect();
        let coordinates = features.map(|feature| FeatureCoordinate::discover(feature, &moves));
        let distances = vec![UNREACHED; coordinates[0].count() * coordinates[1].count()];
        let mut stage = GroupStage {
            group,
            moves,
            coordinates,
            distances,
            counts: Vec::new(),
        };
        stage.distances[0] = 0;
        let mut level = vec![0];
        for distance in 1.. {
            stage.counts.push(level.len() as u64);
            let mut next = Vec::new();
            for coset in level {
                for &m in &stage.moves {
                    let neighbor = stage.turned(coset, m);
                    if stage.distances[neighbor] == UNREACHED {
                        stage.distances[neighbor] = distance;
                        next.push(neighbor);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        stage
    }

    /// Returns the generators of the group, e.g. `⟨U,D,R2,L2,F2,B2⟩`.
    pub fn group(&self) -> &'static str {
        self.group
    }

    /// The moves of its group.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of cosets of the next subgroup in the group.
    pub fn cosets(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of cosets at each distance.
    pub fn counts(&self) -> &DistanceCounts {
        &self.counts
    }

    /// The largest distance.
    pub fn diameter(&self) -> u8 {
        self.counts.len() as u8 - 1
    }

    /// The mean distance.
    pub fn mean(&self) -> f64 {
        mean_of_distribution(&self.counts)
    }

    /// Returns the number of moves of the group from the position to the next subgroup; `None` if
    /// the features match no position of the group. A position outside with the features of one
    /// inside has the distance of that one.
    pub fn distance(&self, position: &Cube) -> Option<u8> {
        self.coset(position).map(|coset| self.distances[coset])
    }

    /// Returns a shortest sequence of moves from a position of the group into the next subgroup;
    /// `None` as for [`GroupStage::distance`].
    pub fn path(&self, position: &Cube) -> Option<Vec<Move>> {
        let mut coset = self.coset(position)?;
        let mut path = Vec::new();
        while self.distances[coset] > 0 {
            let nearer = self.distances[coset] - 1;
            let neighbors = self.moves.iter().map(|&m| (m, self.turned(coset, m)));
            let step = neighbors
                .into_iter()
                .find(|&(_, neighbor)| self.distances[neighbor] == nearer);
            let (m, neighbor) = step.expect("a coset has a neighbor nearer by one");
            path.push(m);
            coset = neighbor;
        }
        Some(path)
    }

    /// Returns the number of nodes generated for this path: at each step, the moves up to the one
    /// that reduced the distance.
    fn nodes_along(&self, path: &[Move]) -> u64 {
        let tried = |m: &Move| {
            self.moves
                .iter()
                .position(|other| other == m)
                .map_or(0, |before| before as u64 + 1)
        };
        path.iter().map(tried).sum()
    }

    fn coset(&self, position: &Cube) -> Option<usize> {
        let [first, second] = &self.coordinates;
        Some(first.of(position)? * second.count() + second.of(position)?)
    }

    fn turned(&self, coset: usize, m: Move) -> usize {
        let [first, second] = &self.coordinates;
        let columns = second.count();
        first.turned(coset / columns, m) * columns + second.turned(coset % columns, m)
    }
}

/// The four stages with all their distances, 1.8 MB.
pub struct Thistlethwaite {
    stages: [GroupStage; 4],
}

impl Thistlethwaite {
    /// The stages; computed at the first call, in less than a second.
    pub fn get() -> &'static Thistlethwaite {
        static STAGES: LazyLock<Thistlethwaite> = LazyLock::new(Thistlethwaite::compute);
        &STAGES
    }

    /// Computes all distances.
    pub fn compute() -> Thistlethwaite {
        let halves = |faces: &'static str| {
            move |m: Move| m.is_half_turn() || faces.contains(m.face().letter())
        };
        Thistlethwaite {
            stages: [
                GroupStage::new("⟨U,D,R,L,F,B⟩", halves("UDRLFB"), [flips, nothing]),
                GroupStage::new("⟨U,D,R,L,F2,B2⟩", halves("UDRL"), [twists, middle_slots]),
                GroupStage::new(
                    "⟨U,D,R2,L2,F2,B2⟩",
                    halves("UD"),
                    [corners_up_to_half_turns, slices],
                ),
                GroupStage::new("⟨U2,D2,R2,L2,F2,B2⟩", halves(""), [corners, edges]),
            ],
        }
    }

    /// The stages, in order.
    pub fn stages(&self) -> &[GroupStage; 4] {
        &self.stages
    }

    /// Returns a solution, stage by stage: at most 45 moves, each stage as short as possible.
    pub fn solution(&self, position: &Cube) -> [Vec<Move>; 4] {
        let mut here = *position;
        self.stages.each_ref().map(|stage| {
            let path = stage
                .path(&here)
                .expect("each stage leads into the group of the next");
            here = here.apply_moves(&path);
            path
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
        let paths = self.solution(position);
        let nodes = self
            .stages
            .iter()
            .zip(&paths)
            .map(|(stage, path)| stage.nodes_along(path))
            .sum();
        let solution = canonical(&paths.concat());
        assert!(
            position.apply_moves(&solution).is_solved(),
            "{solution:?} does not solve {position:?}"
        );
        let length = solution.len() as u8;
        let probes = nodes + self.stages.len() as u64;
        let walk = IterationStats {
            length,
            nodes,
            probes,
            elapsed: start.elapsed(),
            exhausted: false,
        };
        Report {
            outcome: Outcome::Unproven,
            lower_bound: 0,
            solutions: Vec::new(),
            best_known: Some(solution),
            iterations: vec![walk],
            neighbors: None,
            symmetry_count: position.symmetries().len(),
            elapsed: start.elapsed(),
        }
    }
}

/// The default seed.
const SEED: u64 = 1981;

/// Compares the exact diameters of the four stages with those of 1981, and measures the lengths of
/// solutions of random positions.
pub fn stages(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    lab.step("computing the four stages", 0, 1);
    let start = Instant::now();
    let thistlethwaite = Thistlethwaite::compute();
    let seconds = start.elapsed().as_secs_f64();
    lab.step("computing the four stages", 1, 1);
    let stages = thistlethwaite.stages();
    let seed = request.seed_or(SEED);
    let count = if request.effort == RunSize::Full {
        100_000
    } else {
        1000
    };
    let lengths = Lengths::measure(lab, &thistlethwaite, seed, count)?;
    let total: u8 = stages.iter().map(GroupStage::diameter).sum();
    let mean: f64 = stages.iter().map(GroupStage::mean).sum();

    let mut form = PageTemplate::read(
        include_str!("../pages/thistlethwaite-experiments.md"),
        "stages",
    );
    form.say("positions", count)
        .say("seed", seed)
        .say("total", total)
        .say("seconds", format!("{seconds:.2}"));
    form.say("longest", lengths.longest(4)).say(
        "each",
        format!("{:.1}", 1e6 * lengths.seconds / count as f64),
    );
    form.table("stages").fill(
        |row| match stages.get(row.count(0).wrapping_sub(1) as usize) {
            Some(stage) => {
                let ratio = f64::from(stage.diameter()) / row.number(3);
                row![
                    stage.group(),
                    stage.cosets(),
                    stage.diameter(),
                    ratio,
                    stage.mean()
                ]
                .into_iter()
                .collect::<Vec<_>>()
            }
            None => row![total, f64::from(total) / row.number(3), mean]
                .into_iter()
                .collect(),
        },
    );
    for distance in 0..=usize::from(stages.iter().map(GroupStage::diameter).max().unwrap_or(0)) {
        let counts = stages
            .iter()
            .map(|stage| stage.counts().get(distance).copied().into());
        form.table("distances")
            .row(row![distance].into_iter().chain(counts));
    }
    let mut expected = stages
        .iter()
        .map(GroupStage::mean)
        .chain([mean])
        .map(Some)
        .chain([None])
        .enumerate();
    form.table("lengths").fill(|_| {
        let (which, expected) = expected.next().expect("there are as many rows");
        let mean = lengths.mean(which);
        row![
            expected,
            mean,
            expected.map(|expected| mean / expected),
            lengths.longest(which)
        ]
    });
    Ok(form.experiment().plots([lengths.plot()]))
}

/// The lengths of solutions of random positions.
struct Lengths {
    positions: usize,
    /// Number of solutions of each length: of each stage, of all four, and of the canonical form of
    /// all four.
    histograms: [Vec<u64>; 6],
    seconds: f64,
}

impl Lengths {
    fn measure(
        lab: &Lab<'_>,
        thistlethwaite: &Thistlethwaite,
        seed: u64,
        count: usize,
    ) -> Result<Lengths, LabError> {
        let longest: u8 = thistlethwaite
            .stages()
            .iter()
            .map(GroupStage::diameter)
            .sum();
        let mut histograms = [(); 6].map(|()| vec![0; usize::from(longest) + 1]);
        let start = Instant::now();
        for (number, position) in random_positions(seed).take(count).enumerate() {
            if number % 100 == 0 {
                lab.check()?;
                lab.step("solving by four stages", number as u64, count as u64);
            }
            let paths = thistlethwaite.solution(&position);
            let solution = canonical(&paths.concat());
            assert!(
                position.apply_moves(&solution).is_solved(),
                "{solution:?} does not solve {position:?}"
            );
            let [a, b, c, d] = paths.each_ref().map(Vec::len);
            for (histogram, length) in
                histograms
                    .iter_mut()
                    .zip([a, b, c, d, a + b + c + d, solution.len()])
            {
                histogram[length] += 1;
            }
        }
        lab.step("solving by four stages", count as u64, count as u64);
        Ok(Lengths {
            positions: count,
            histograms,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    fn longest(&self, which: usize) -> usize {
        self.histograms[which]
            .iter()
            .rposition(|&count| count > 0)
            .unwrap_or(0)
    }

    fn mean(&self, which: usize) -> f64 {
        mean_of_distribution(&self.histograms[which])
    }

    fn plot(&self) -> Plot {
        let share = |count: &u64| 100.0 * *count as f64 / self.positions as f64;
        let points = |which: usize| {
            let points = (0u32..)
                .map(f64::from)
                .zip(self.histograms[which].iter().map(share));
            points.filter(|&(_, share)| share > 0.0).collect::<Vec<_>>()
        };
        let axes = ["moves", "positions, per cent"];
        Plot::new(
            "thistlethwaite-lengths",
            "Lengths of solutions by four stages",
            axes,
            [false; 2],
        )
        .series("all four stages", points(4))
        .series("in canonical form", points(5))
    }
}
