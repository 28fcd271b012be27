//! What the stages need at most, and on random positions.

use super::Stage;
use super::{ORIGINAL_DIAMETERS, Thistlethwaite};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Plot, Request, Table};
use crate::lab::Lab;
use cosette::cube::{canonical, random_positions};
use std::time::Instant;

/// How many random positions are solved.
const fn positions(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 1000,
        Effort::Full => 100_000,
    }
}

/// How many positions are solved between two checks for cancellation.
const POSITIONS_PER_CHECK: usize = 100;

/// The seed, unless another is asked for.
const SEED: u64 = 1981;

/// The exact diameters of the four stages beside those of 1981, and how long solutions of random positions are.
pub fn stages(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    lab.step("computing the four stages", 0, 1);
    let start = Instant::now();
    let thistlethwaite = Thistlethwaite::compute();
    let seconds = start.elapsed().as_secs_f64();
    lab.step("computing the four stages", 1, 1);
    let stages = thistlethwaite.stages();
    let seed = request.seed_or(SEED);
    let lengths = Lengths::measure(lab, &thistlethwaite, seed, positions(request.effort))?;
    let total: u8 = stages.iter().map(Stage::diameter).sum();
    Ok(Experiment::new("stages", "Four stages through nested subgroups", "Thistlethwaite 1981")
        .text(
            "Each stage leads from its group into the next, by moves of its group. The distances of all cosets are \
             computed by breadth-first search; not all original stages were shortest. Moves are counted in the \
             half-turn metric. The axes are ours: F and B lose their quarter turns first, then R and L, then U and \
             D.",
        )
        .text(format!(
            "The lengths are those of {} uniformly random positions (seed {seed}). A uniformly random position \
             remains uniformly random in each group, so the expected length of each stage is the mean distance of its \
             cosets.",
            lengths.positions
        ))
        .tables([diameters(stages), distances(stages), lengths.table(stages)])
        .plots([lengths.plot()])
        .remark(format!(
            "So {total} moves are always enough; in 1981 the bound was {}. All distances are computed in {seconds:.2} \
             s, and a position is solved in {:.1} µs; no solution had more than {} moves.",
            ORIGINAL_DIAMETERS.iter().sum::<u8>(),
            1e6 * lengths.seconds / lengths.positions as f64,
            lengths.longest(4),
        )))
}

fn diameters(stages: &[Stage; 4]) -> Table {
    let columns = ["stage", "from the group", "cosets", "at most, 1981", "at most, exact", "ratio", "mean"];
    let mut table = Table::new("The stages: the most moves that each needs", &columns);
    for (number, (stage, original)) in (1..).zip(stages.iter().zip(ORIGINAL_DIAMETERS)) {
        table.row([
            Cell::Count(number),
            Cell::text(stage.group()),
            Cell::Count(stage.cosets()),
            Cell::Count(original.into()),
            Cell::Count(stage.diameter().into()),
            Cell::ratio(stage.diameter().into(), original.into()),
            Cell::Number(stage.mean(), 3),
        ]);
    }
    let [original, exact] = [ORIGINAL_DIAMETERS.iter().sum::<u8>(), stages.iter().map(Stage::diameter).sum()];
    table.row([
        Cell::text("all"),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Count(original.into()),
        Cell::Count(exact.into()),
        Cell::ratio(exact.into(), original.into()),
        Cell::Number(stages.iter().map(Stage::mean).sum(), 3),
    ]);
    table
}

fn distances(stages: &[Stage; 4]) -> Table {
    let mut table = Table::new("Cosets by distance", &["distance", "stage 1", "stage 2", "stage 3", "stage 4"]);
    let most = stages.iter().map(Stage::diameter).max().unwrap_or(0);
    for distance in 0..=usize::from(most) {
        let counts = stages.iter().map(|stage| Cell::count(stage.counts().get(distance).copied()));
        table.row([Cell::Count(distance as u64)].into_iter().chain(counts));
    }
    table
}

/// How many solutions there are of each length.
type Histogram = Vec<u64>;

/// The lengths of solutions of random positions.
struct Lengths {
    positions: usize,
    /// Of each stage, of all four, and of the canonical form of all four.
    histograms: [Histogram; 6],
    seconds: f64,
}

impl Lengths {
    fn measure(lab: &Lab<'_>, thistlethwaite: &Thistlethwaite, seed: u64, count: usize) -> Result<Lengths, LabError> {
        let longest: u8 = thistlethwaite.stages().iter().map(Stage::diameter).sum();
        let mut histograms = [const { Vec::new() }; 6].map(|_: Histogram| vec![0; usize::from(longest) + 1]);
        let start = Instant::now();
        for (number, position) in random_positions(seed).take(count).enumerate() {
            if number % POSITIONS_PER_CHECK == 0 {
                lab.check()?;
                lab.step("solving by four stages", number as u64, count as u64);
            }
            let paths = thistlethwaite.solution(&position);
            let solution = canonical(&paths.concat());
            assert!(position.after(&solution).is_solved(), "{solution:?} does not solve {position:?}");
            let [a, b, c, d] = paths.each_ref().map(Vec::len);
            for (histogram, length) in histograms.iter_mut().zip([a, b, c, d, a + b + c + d, solution.len()]) {
                histogram[length] += 1;
            }
        }
        lab.step("solving by four stages", count as u64, count as u64);
        Ok(Lengths { positions: count, histograms, seconds: start.elapsed().as_secs_f64() })
    }

    fn longest(&self, which: usize) -> usize {
        self.histograms[which].iter().rposition(|&count| count > 0).unwrap_or(0)
    }

    fn mean(&self, which: usize) -> f64 {
        let sum: u64 = self.histograms[which].iter().zip(0..).map(|(count, length)| count * length).sum();
        sum as f64 / self.positions as f64
    }

    fn table(&self, stages: &[Stage; 4]) -> Table {
        let columns = ["moves of", "mean, expected", "mean, measured", "ratio", "most"];
        let mut table = Table::new(format!("Solutions of {} random positions", self.positions), &columns);
        let names = ["stage 1", "stage 2", "stage 3", "stage 4", "all four", "all four, in canonical form"];
        let all = stages.iter().map(Stage::mean).sum();
        let expected = stages.iter().map(Stage::mean).chain([all]).map(Some).chain([None]);
        for (which, (name, expected)) in names.into_iter().zip(expected).enumerate() {
            table.row([
                Cell::text(name),
                expected.map_or(Cell::Nothing, |expected| Cell::Number(expected, 3)),
                Cell::Number(self.mean(which), 3),
                expected.map_or(Cell::Nothing, |expected| Cell::ratio(self.mean(which), expected)),
                Cell::Count(self.longest(which) as u64),
            ]);
        }
        table
    }

    fn plot(&self) -> Plot {
        let share = |count: &u64| 100.0 * *count as f64 / self.positions as f64;
        let points = |which: usize| {
            let points = (0u32..).map(f64::from).zip(self.histograms[which].iter().map(share));
            points.filter(|&(_, share)| share > 0.0).collect::<Vec<_>>()
        };
        let axes = ["moves", "positions, per cent"];
        Plot::new("thistlethwaite-lengths", "Lengths of solutions by four stages", axes, [false; 2])
            .series("all four stages", points(4))
            .series("in canonical form", points(5))
    }
}
