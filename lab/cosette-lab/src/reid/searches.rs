//! Searches of known positions: all shortest solutions of Korf's ten, the superflip, and a log,
//! limit by limit.

use super::table::ENTRIES;
use super::{Reid, appendix_b, up_to};
use crate::bound_table::DistanceStorage;
use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::ida::IdaLimits;
use crate::korf::instances::{are_korfs, positions};
use crate::lab::Lab;
use crate::long_search::{self, SearchPlan};
use crate::main_engine;
use crate::nargolkar::{self, superflip_distance};
use crate::record::Record;
use crate::stored_results::StoredResults;
use cosette::cube::{Cube, Metric, Move};
use cosette::search::{Options, SolutionCount};
use cosette_app::units;
use serde_json::{Value, json};

/// Finds all shortest solutions of Korf's ten with the fast engine.
pub fn korf_ten(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    const NAME: &str = "fast-korf-ten";
    let kept = match StoredResults::shown(request, NAME)? {
        Some(kept) => kept,
        None => {
            let kept = StoredResults::begin(request, NAME)?;
            solve_ten(lab, &positions(request)?, &kept)?;
            kept
        }
    };
    let mut totals: Vec<[u64; 4]> = Vec::new();
    for (number, values) in kept.all("") {
        // The first line states the positions.
        if let Ok(number) = number.parse() {
            let value = |place: usize| values.get(place)?.parse().ok();
            let [length, solutions, nodes] = [0, 1, 2].map(|place| value(place).unwrap_or(0));
            totals.push([length, solutions, nodes, number]);
        }
    }
    // By length, and by solutions within a length.
    totals.sort_unstable();
    let total = |[length, solutions, nodes, number]: [u64; 4]| {
        json!({
            "length": length,
            "solutions": solutions,
            "nodes": nodes,
            "number": number,
        })
    };
    let record = json!({
        "are_korfs": are_korfs(&kept),
        "positions": totals.into_iter().map(total).collect::<Vec<_>>(),
    });
    Ok(Record::of_results(&kept, &record))
}

/// Adds the number of all shortest solutions of each position to the results.
fn solve_ten(lab: &Lab<'_>, positions: &[Cube], kept: &StoredResults) -> Result<(), LabError> {
    let all = Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    };
    let solver = main_engine::solver(lab)?;
    kept.are_of(positions)?;
    for (number, position) in (1..).zip(positions) {
        lab.step("all shortest solutions", number, positions.len() as u64);
        let search = solver.search(position).options(all).control(&lab.control);
        let report = search.run();
        lab.check()?;
        let solutions = report.solutions.len();
        kept.add(
            &format!("{number:2}"),
            &[&report.lower_bound, &solutions, &report.nodes()],
        )?;
    }
    Ok(())
}

/// Finds all shortest solutions of the given positions, normally Korf's ten, with Reid's engine: in
/// a quick run from the stored results, or to length 14 if others are requested.
pub fn korf_ten_by_reid(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    const NAME: &str = "reid-korf-ten";
    let positions = positions(request)?;
    let last = match request.effort {
        RunSize::Quick => 14,
        RunSize::Full => 20,
    };
    let plan = plan(Metric::Htm, &positions, SolutionCount::All, last);
    let results = search(lab, request, NAME, &plan)?;
    let total = |number| {
        let iterations = results.iterations(number);
        let last = iterations.last()?;
        let (nodes, seconds) = long_search::total(&iterations);
        Some(json!({
            "number": number,
            "threshold": last.threshold,
            "solutions": last.solutions,
            "nodes": nodes,
            "seconds": seconds,
            "commit": last.commit,
        }))
    };
    let thresholds = match StoredResults::shown(request, "korf-instances")? {
        Some(korf) if korf.get("positions") == results.get("positions") => (12..=20)
            .filter_map(|threshold| beside_korf(threshold, &korf, &results))
            .collect(),
        _ => Vec::new(),
    };
    let record = json!({
        "are_korfs": are_korfs(&results),
        "positions": (1..=results.positions()).filter_map(total).collect::<Vec<_>>(),
        "thresholds": thresholds,
    });
    Ok(Record::of_results(&results, &record))
}

/// Returns the means of the iterations that both engines have completed; `None` if there are none.
fn beside_korf(threshold: u8, korf: &StoredResults, reid: &StoredResults) -> Option<Value> {
    let both = |number| {
        let [korf, reid] = [korf, reid].map(|results| {
            let mut iterations = results.iterations(number).into_iter();
            iterations.find(|of| of.threshold == threshold)
        });
        let korf = korf.filter(|of| of.solutions == 0)?;
        Some([korf, reid?])
    };
    let both: Vec<_> = (1..=korf.positions()).filter_map(both).collect();
    let mean = |engine: usize| {
        let iterations = || both.iter().map(|iterations| &iterations[engine]);
        let nodes: Vec<f64> = iterations().map(|counts| counts.nodes as f64).collect();
        let seconds: Vec<f64> = iterations().map(|counts| counts.seconds).collect();
        json!({"nodes": units::mean(&nodes), "seconds": units::mean(&seconds)})
    };
    (!both.is_empty()).then(|| {
        json!({
            "threshold": threshold,
            "positions": both.len(),
            "korf": mean(0),
            "reid": mean(1),
        })
    })
}

/// Searches the superflip with Reid's engine and the symmetry of the position, in both metrics:
/// every length below that of a known solution.
pub fn superflip(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let htm = superflip_results(lab, request, Metric::Htm, 16)?;
    let qtm = superflip_results(lab, request, Metric::Qtm, 18)?;
    let lengths = |results: &StoredResults| -> Vec<Value> {
        let length = |counts: long_search::IterationCounts| {
            json!({
                "length": counts.threshold,
                "solutions": counts.solutions,
                "nodes": counts.nodes,
                "tests": counts.tests,
                "seconds": counts.seconds,
                "commit": counts.commit,
            })
        };
        results.iterations(1).into_iter().map(length).collect()
    };
    let record = json!({"htm": lengths(&htm), "qtm": lengths(&qtm)});
    let origins = [&htm, &qtm].map(|results| results.circumstances());
    let mut record = Record::of_results(&htm, &record);
    record.origin = origins.join(" ");
    Ok(record)
}

/// Returns the searches of the superflip in a metric; those of a quick run that are not stored end
/// at `quick` moves.
fn superflip_results(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
    metric: Metric,
    quick: u8,
) -> Result<StoredResults, LabError> {
    let last = match request.effort {
        RunSize::Quick => quick,
        RunSize::Full => superflip_distance(metric) - 1,
    };
    let superflip = [nargolkar::superflip()];
    let plan = plan(metric, &superflip, SolutionCount::ONE, last);
    let name = format!("reid-superflip-{}", metric.name());
    search(lab, request, &name, &plan)
}

/// Runs a long search with Reid's table, with move sets if there is room, or shows its results.
fn search(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
    name: &str,
    plan: &SearchPlan<'_>,
) -> Result<StoredResults, LabError> {
    long_search::results(lab, request, name, plan, || {
        let storage = DistanceStorage::for_long_search(plan.metric, ENTRIES);
        Ok(Reid::with_storage(lab, plan.metric, storage)?.bound)
    })
}

/// Returns the plan of a search by symmetry to a last length.
fn plan(
    metric: Metric,
    positions: &[Cube],
    solution_count: SolutionCount,
    last: u8,
) -> SearchPlan<'_> {
    SearchPlan {
        name: "Reid's table, four bits an entry",
        positions,
        metric,
        limits: IdaLimits {
            solution_count,
            last: Some(last),
            by_symmetry: true,
            ..IdaLimits::default()
        },
    }
}

/// The limits in quarter turns, nodes and tests that the log of Nargolkar 2006, appendix B, prints.
pub const PRINTED: [(u8, u64, u64); 18] = [
    (1, 12, 0),
    (2, 18, 0),
    (3, 18, 0),
    (4, 18, 0),
    (5, 18, 0),
    (6, 18, 0),
    (7, 18, 0),
    (8, 18, 0),
    (9, 18, 0),
    (10, 45, 0),
    (11, 126, 0),
    (12, 1_693, 2),
    (13, 12_513, 10),
    (14, 101_902, 96),
    (15, 778_574, 446),
    (16, 6_192_097, 3_280),
    (17, 50_023_079, 21_866),
    (18, 413_618_183, 153_812),
];

/// Searches the position of appendix B in quarter turns, limit by limit.
pub fn log(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Record, LabError> {
    let last = match request.effort {
        RunSize::Quick => 18,
        RunSize::Full => 19,
    };
    let position = appendix_b();
    let reid = Reid::new(lab, Metric::Qtm)?;
    lab.step("searching by thresholds", 0, 1);
    let found = reid.ida().search(&position, &up_to(last), &lab.control);
    lab.check()?;
    let mut limits: Vec<Value> = below_bound(reid.bound(&position)).map(log_line).collect();
    limits.extend(
        found
            .iterations
            .iter()
            .map(|of| log_line((of.threshold, of.nodes, of.tests))),
    );
    drop(reid);
    let half_turns = Reid::new(lab, Metric::Htm)?;
    let shorter = half_turns.ida().search(&position, &up_to(15), &lab.control);
    lab.check()?;
    let record = json!({
        "position": position.reid().to_string(),
        "symmetries": position.symmetries().len(),
        "limits": limits,
        // The lower bound after a search of 15 half turns.
        "half_turns": shorter.lower_bound,
    });
    Ok(Record::computed(request, &record))
}

/// Returns a line of the log beside the printed one.
fn log_line((limit, nodes, tests): (u8, u64, u64)) -> Value {
    let printed = PRINTED.iter().find(|row| row.0 == limit);
    json!({
        "limit": limit,
        "nodes": nodes,
        "tests": tests,
        "printed_nodes": printed.map(|row| row.1),
        "printed_tests": printed.map(|row| row.2),
    })
}

/// Returns the searches of limits below the bound of a position: they generate its children.
fn below_bound(bound: u8) -> impl Iterator<Item = (u8, u64, u64)> {
    let children = |limit: u8| {
        let moves = Move::ALL.into_iter();
        moves.filter(|&m| Metric::Qtm.cost(m) <= limit).count() as u64
    };
    (1..bound).map(move |limit| (limit, children(limit), 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Sequence;

    /// The solution that the log prints, and one of 16 moves.
    #[test]
    fn the_solutions_solve_the_printed_position() {
        for (text, lengths) in [
            ("F U R U' L' U' R2 U' R F' R' F B' R U' L D' L'", [18, 19]),
            ("L U B2 L2 D2 B U B' D' R' B' F' U2 B2 U R", [16, 21]),
        ] {
            let solution: Sequence = text.parse().expect("moves");
            assert!(appendix_b().apply_moves(solution.moves()).is_solved());
            assert_eq!(
                Metric::ALL.map(|metric| metric.length(solution.moves())),
                lengths
            );
        }
    }

    #[test]
    fn below_the_bound_only_the_children_of_the_position_are_generated() {
        assert!(below_bound(10).eq(PRINTED[..9].iter().copied()));
    }
}
