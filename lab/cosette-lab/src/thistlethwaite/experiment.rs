//! What the stages need at most, and on random positions.

use super::{Stage, Thistlethwaite};
use crate::error::LabError;
use crate::experiment::{Effort, Experiment, Plot, Request};
use crate::form::{Form, row};
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
    let (seed, count) = (request.seed_or(SEED), positions(request.effort));
    let lengths = Lengths::measure(lab, &thistlethwaite, seed, count)?;
    let total: u8 = stages.iter().map(Stage::diameter).sum();
    let mean: f64 = stages.iter().map(Stage::mean).sum();

    let mut form = Form::read(include_str!("../../pages/thistlethwaite-experiments.md"), "stages");
    form.say("positions", count).say("seed", seed).say("total", total).say("seconds", format!("{seconds:.2}"));
    form.say("longest", lengths.longest(4)).say("each", format!("{:.1}", 1e6 * lengths.seconds / count as f64));
    form.table("stages").fill(|row| match stages.get(row.count(0).wrapping_sub(1) as usize) {
        Some(stage) => {
            let ratio = f64::from(stage.diameter()) / row.number(3);
            row![stage.group(), stage.cosets(), stage.diameter(), ratio, stage.mean()].into_iter().collect::<Vec<_>>()
        }
        None => row![total, f64::from(total) / row.number(3), mean].into_iter().collect(),
    });
    for distance in 0..=usize::from(stages.iter().map(Stage::diameter).max().unwrap_or(0)) {
        let counts = stages.iter().map(|stage| stage.counts().get(distance).copied().into());
        form.table("distances").row(row![distance].into_iter().chain(counts));
    }
    let mut expected = stages.iter().map(Stage::mean).chain([mean]).map(Some).chain([None]).enumerate();
    form.table("lengths").fill(|_| {
        let (which, expected) = expected.next().expect("there are as many rows");
        let mean = lengths.mean(which);
        row![expected, mean, expected.map(|expected| mean / expected), lengths.longest(which)]
    });
    Ok(form.experiment().plots([lengths.plot()]))
}

/// The lengths of solutions of random positions.
struct Lengths {
    positions: usize,
    /// How many solutions there are of each length: of each stage, of all four, and of the canonical form of all four.
    histograms: [Vec<u64>; 6],
    seconds: f64,
}

impl Lengths {
    fn measure(lab: &Lab<'_>, thistlethwaite: &Thistlethwaite, seed: u64, count: usize) -> Result<Lengths, LabError> {
        let longest: u8 = thistlethwaite.stages().iter().map(Stage::diameter).sum();
        let mut histograms = [(); 6].map(|()| vec![0; usize::from(longest) + 1]);
        let start = Instant::now();
        for (number, position) in random_positions(seed).take(count).enumerate() {
            if number % 100 == 0 {
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
