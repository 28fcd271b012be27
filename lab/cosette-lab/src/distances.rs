//! The distribution of distances: an estimate from uniformly random positions, next to the
//! published numbers.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::lab::Lab;
use crate::main_engine;
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::{Cube, Metric, random_positions};
use cosette_app::batch::known_share;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;

const SEED: u64 = 42;

/// Number of positions solved by a full run, by metric.
const POSITIONS: [usize; 2] = [1000, 200];

/// The experiment.
pub fn distances(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let kept = StoredResults::of(lab, request, "distances")?;
    let seed = request.seed_or(SEED);
    for metric in Metric::ALL {
        let most = POSITIONS[metric as usize];
        let wanted = match request.effort {
            RunSize::Full => most,
            RunSize::Quick if seed != SEED => most / 10,
            RunSize::Quick => 0,
        };
        extend(&kept, (seed, metric), wanted, lab, request)?;
    }
    let record = json!({
        "seed": seed,
        "htm": metric_distances(&kept, seed, Metric::Htm),
        "qtm": metric_distances(&kept, seed, Metric::Qtm),
    });
    Ok(Record::of_results(&kept, &record))
}

/// Returns the share of the positions at each distance, in per cent, and the ends of its confidence
/// interval. Counts the positions without a gap: of those in progress when a run was stopped, the
/// harder ones are missing.
fn metric_distances(kept: &StoredResults, seed: u64, metric: Metric) -> Value {
    let numbers = 0..POSITIONS[metric as usize];
    let mut counts: BTreeMap<u8, u64> = BTreeMap::new();
    for length in numbers.map_while(|number| kept.value(&key(seed, metric, number), 0)) {
        *counts.entry(length).or_default() += 1;
    }
    let positions: u64 = counts.values().sum();
    let all = positions as f64;
    let sum: u64 = counts
        .iter()
        .map(|(&length, count)| u64::from(length) * count)
        .sum();
    let share = |(&length, &count): (&u8, &u64)| {
        let (least, most) = interval(count as f64, all);
        json!({
            "length": length,
            "positions": count,
            "share": 100.0 * count as f64 / all,
            "least": 100.0 * least,
            "most": 100.0 * most,
            "published": known_share(metric, length).map(|share| 100.0 * share),
        })
    };
    json!({
        "positions": positions,
        "mean": (positions > 0).then(|| sum as f64 / all),
        "lengths": counts.iter().map(share).collect::<Vec<_>>(),
    })
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
