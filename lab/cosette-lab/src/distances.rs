//! The distribution of distances: an estimate from uniformly random positions, next to the
//! published numbers.

use crate::error::LabError;
use crate::experiment::{Experiment, ExperimentOptions, RunSize};
use crate::lab::Lab;
use crate::main_engine;
use crate::stored_results::StoredResults;
use crate::template::{PageTemplate, row};
use cosette::cube::{Cube, Metric, random_positions};
use cosette_app::batch::known_share;
use std::collections::BTreeMap;
use std::convert::Infallible;

const FORMS: &str = include_str!("../pages/distances-experiments.md");
const SEED: u64 = 42;

/// Number of positions solved by a full run, by metric.
const POSITIONS: [usize; 2] = [1000, 200];

/// The experiment.
pub fn distances(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let kept = StoredResults::of(lab, request, "distances")?;
    let seed = request.seed_or(SEED);
    let mut form = PageTemplate::read(FORMS, "distances");
    form.say("seed", seed);
    for metric in Metric::ALL {
        let most = POSITIONS[metric as usize];
        let wanted = match request.effort {
            RunSize::Full => most,
            RunSize::Quick if seed != SEED => most / 10,
            RunSize::Quick => 0,
        };
        extend(&kept, (seed, metric), wanted, lab, request)?;
        let mut counts: BTreeMap<u8, u64> = BTreeMap::new();
        // Positions without a gap: for positions in progress when a run was stopped, the harder
        // ones are missing.
        for values in (0..most).map_while(|number| kept.get(&key(seed, metric, number))) {
            *counts
                .entry(values[0].parse().expect("results are lengths"))
                .or_insert(0) += 1;
        }
        let all: u64 = counts.values().sum();
        form.say(&format!("positions-{}", metric.name()), all);
        for (&length, &count) in &counts {
            let (least, most) = interval(count as f64, all as f64);
            let published = known_share(metric, length).map(|share| 100.0 * share);
            let percent = 100.0 * count as f64 / all as f64;
            form.table(metric.name()).row(row![
                length,
                count,
                percent,
                100.0 * least,
                100.0 * most,
                published
            ]);
        }
        let mean = counts
            .iter()
            .map(|(&length, &count)| f64::from(length) * count as f64)
            .sum::<f64>()
            / all as f64;
        let mean = if all > 0 {
            format!("{mean:.2}")
        } else {
            "not known here".into()
        };
        form.say(&format!("mean-{}", metric.name()), mean);
    }
    // The results that are part of the program have the default seed.
    if seed == SEED || request.effort == RunSize::Full || request.results.is_some() {
        form.say_kept(&kept);
    }
    Ok(form.experiment())
}

/// Solves those of the first `count` positions of a seed that have no stored result, until the time
/// of the request is up.
fn extend(
    kept: &StoredResults,
    (seed, metric): (u64, Metric),
    count: usize,
    lab: &Lab<'_>,
    request: &ExperimentOptions,
) -> Result<(), LabError> {
    let positions = random_positions(seed).take(count).enumerate();
    let open: Vec<(usize, Cube)> = positions
        .filter(|(number, _)| kept.get(&key(seed, metric, *number)).is_none())
        .collect();
    if open.is_empty() {
        return Ok(());
    }
    let solver = main_engine::solver_in(metric, lab)?;
    let cancel = lab.control.cancel_token().limited(request.time);
    let numbers: Vec<usize> = open.iter().map(|(number, _)| *number).collect();
    let cubes = open
        .into_iter()
        .map(|(_, position)| Ok::<Cube, Infallible>(position));
    for (done, (number, Ok(report))) in (1..).zip(
        solver
            .search_many(cubes, &cancel, |search| search)
            .unordered(),
    ) {
        kept.add(&key(seed, metric, numbers[number]), &[&report.lower_bound])?;
        lab.step(
            &format!("random positions in {}", metric.name()),
            done,
            numbers.len() as u64,
        );
    }
    lab.check()
}

/// Returns the name of a result, without the seed if it is the default one.
fn key(seed: u64, metric: Metric, number: usize) -> String {
    let seed = if seed == SEED {
        String::new()
    } else {
        format!("seed {seed} ")
    };
    format!("{seed}{} {number}", metric.name())
}

/// Returns the 95 % confidence interval of a share (Wilson 1927).
fn interval(count: f64, all: f64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let share = count / all;
    let middle = share + Z * Z / (2.0 * all);
    let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let scale = 1.0 + Z * Z / all;
    ((middle - half) / scale, (middle + half) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        let (least, most) = interval(10.0, 20.0);
        assert!(
            (least - 0.299).abs() < 1e-3 && (most - 0.701).abs() < 1e-3,
            "{least} {most}"
        );
        let (least, most) = interval(0.0, 50.0);
        assert!(least.abs() < 1e-9 && (most - 0.0714).abs() < 1e-3, "{most}");
    }
}
