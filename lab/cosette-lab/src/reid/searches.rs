//! Searches of known positions: all shortest solutions of Korf's ten, the superflip, and a log,
//! threshold by threshold.

use super::{Reid, appendix_b, form, metric_name, random_walks, up_to};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, ExperimentOptions, Plot, RunSize};
use crate::ida::IdaIteration;
use crate::korf::PAPERS_TEN;
use crate::korf::instances::positions;
use crate::lab::Lab;
use crate::long_search::{self, IterationCounts, LongSearchResults, SearchPlan};
use crate::main_engine;
use crate::stored_results::StoredResults;
use crate::template::{FormTable, row};
use cosette::cube::{Cube, Metric, Move, Sequence, random_positions};
use cosette::search::{Options, Report, SolutionCount};
use cosette_app::engine::Engine;
use std::collections::BTreeSet;

/// Reid's counts of shortest solutions: of the four shortest of Korf's ten, then of the six at 18,
/// whose order is not known.
const COUNTS: [u64; 10] = [1, 1, 1, 1, 1, 3, 4, 4, 6, 6];

/// Compares all shortest solutions of Korf's ten, found by the fast engine, with Reid's counts; and
/// the solution sets of Reid's solver with those of the fast engine for random walks.
pub fn korf_ten(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    const NAME: &str = "fast-korf-ten";
    let solver = main_engine::solver(lab)?;
    let all = Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    };
    let fast = |position: &Cube| -> Result<Report, LabError> {
        let report = solver
            .search(position)
            .options(all)
            .control(&lab.control)
            .run();
        lab.check()?;
        Ok(report)
    };
    let kept = match StoredResults::shown(request, NAME)? {
        Some(kept) => kept,
        None => {
            let kept = StoredResults::begin(request, NAME)?;
            let positions = positions(request)?;
            kept.are_of(&positions)?;
            for (number, position) in positions.iter().enumerate() {
                lab.step(
                    "all shortest solutions",
                    number as u64,
                    positions.len() as u64,
                );
                let report = fast(position)?;
                let length = report.lower_bound;
                kept.add(
                    &format!("{:2}", number + 1),
                    &[&length, &report.solutions.len(), &report.nodes()],
                )?;
            }
            kept
        }
    };
    let mut form = form("korf-ten");
    form.say_kept(&kept);
    let found = |(number, values): &(String, Vec<String>)| {
        Some((
            values
                .get(..3)?
                .iter()
                .map(|value| value.parse().ok())
                .collect::<Option<Vec<u64>>>()?,
            number.parse::<u64>().ok()?,
        ))
    };
    // By length, and by count within a length, as Reid's counts are known.
    let mut counts: Vec<(Vec<u64>, u64)> = kept.all("").iter().filter_map(found).collect();
    counts.sort_unstable();
    let are_korfs = kept
        .value::<String>("positions", 1)
        .is_some_and(|known| known == PAPERS_TEN);
    for (place, (values, number)) in counts.iter().enumerate() {
        let printed = COUNTS.get(place).filter(|_| are_korfs).copied();
        form.table("counts")
            .row(row![*number, values[0], printed, values[1], values[2]]);
    }

    let reid = Reid::new(lab, Metric::Htm)?;
    let length = if request.effort == RunSize::Quick {
        12
    } else {
        14
    };
    let drawn = random_walks(1, length, |_| true)
        .take(20)
        .chain(random_walks(2, 3, |_| true).take(10));
    let mut of_reid = 0;
    let mut of_fast = 0;
    let mut differ = 0u64;
    for (position, done) in drawn.zip(0..) {
        lab.step("comparing sets of solutions", done, 30);
        let reports = [
            reid.solve(&position, &all, &|_| {}, &lab.control),
            fast(&position)?,
        ];
        lab.check()?;
        let [own, other] = reports.map(|report| {
            report
                .solutions
                .into_iter()
                .collect::<BTreeSet<Vec<Move>>>()
        });
        (of_reid, of_fast) = (of_reid + own.len(), of_fast + other.len());
        differ += u64::from(own != other);
    }
    form.table("sets").row(row![
        format!("random walks of {length} and of 3 moves"),
        30u8,
        of_reid,
        of_fast,
        differ
    ]);
    Ok(form.experiment())
}

/// Finds all shortest solutions of the given positions, normally Korf's ten, with Reid's engine: in
/// a quick run from the stored results, or to length 14 if others are requested.
pub fn korf_ten_by_reid(
    lab: &Lab<'_>,
    request: &ExperimentOptions,
) -> Result<Experiment, LabError> {
    const NAME: &str = "reid-korf-ten";
    let given = request
        .instances
        .as_ref()
        .map(|_| positions(request))
        .transpose()?;
    let results = match long_search::kept(request, NAME, given.as_deref())? {
        Some(results) => results,
        None => {
            let max_length = if request.effort == RunSize::Quick {
                14
            } else {
                20
            };
            let plan = SearchPlan {
                positions: &positions(request)?,
                max_length,
                ..plan(Metric::Htm, request)
            };
            long_search::run(
                lab,
                request,
                NAME,
                super::for_long_search(lab, Metric::Htm)?.ida().bound,
                &plan,
            )?
        }
    };
    let mut form = form("korf-ten-by-reid");
    let are = if results.are_of(PAPERS_TEN) {
        "are"
    } else {
        "are not"
    };
    form.say("whose", format!("The positions {are} Korf's ten."));
    form.say_kept(&results.0);
    let table = form.table("positions");
    let mut nodes = 0;
    let mut seconds = 0.0;
    for number in 1..=results.count() {
        let iterations = results.of_position(number);
        let last = iterations.last();
        let length = last.map(|counts| match counts.threshold {
            length if counts.solutions > 0 => Cell::Count(length.into()),
            ruled_out => Cell::text(format!("> {ruled_out}")),
        });
        let solutions = last
            .map(|counts| counts.solutions)
            .filter(|&solutions| solutions > 0);
        let (own, took) = long_search::total(&iterations);
        let commit = last.map(|counts| counts.commit.as_str());
        table.row(row![
            number,
            length,
            solutions,
            own,
            took,
            own as f64 / took / 1e6,
            commit
        ]);
        (nodes, seconds) = (nodes + own, seconds + took);
    }
    table.row(row![
        "all",
        None::<u8>,
        None::<u8>,
        nodes,
        seconds,
        nodes as f64 / seconds / 1e6,
        None::<u8>
    ]);
    if let Some(korf) = long_search::kept(request, "korf-instances", None)? {
        beside_korf(form.table("korf"), &korf, &results);
    }
    Ok(form.experiment())
}

/// Iterations that both engines have completed for the same positions, by threshold.
fn beside_korf(table: &mut FormTable, korf: &LongSearchResults, reid: &LongSearchResults) {
    for threshold in 12..=20 {
        let both = |number| {
            let korf = korf
                .get(number, threshold)
                .filter(|counts| counts.solutions == 0)?;
            Some(
                [korf, reid.get(number, threshold)?]
                    .map(|counts| [counts.nodes as f64, counts.seconds]),
            )
        };
        let both: Vec<[[f64; 2]; 2]> = (1..=korf.count()).filter_map(both).collect();
        if !both.is_empty() && korf.0.get("positions") == reid.0.get("positions") {
            let mean = |engine: usize, what: usize| {
                both.iter().map(|of| of[engine][what]).sum::<f64>() / both.len() as f64
            };
            let [nodes, seconds] = [0, 1].map(|what| [mean(0, what), mean(1, what)]);
            let ratios = [nodes, seconds].map(|[korf, reid]| korf / reid);
            table.row(row![
                threshold,
                both.len(),
                nodes[0],
                nodes[1],
                ratios[0],
                seconds[0],
                seconds[1],
                ratios[1]
            ]);
        }
    }
}

/// Searches the superflip with Reid's engine and the symmetry of the position, in both metrics:
/// every length below that of a known solution.
pub fn superflip(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let mut shown = form("superflip").experiment();
    for metric in Metric::ALL {
        // A solution of quarter turns has the parity of the position, which is even.
        let (known, quick, step) = match metric {
            Metric::Htm => ("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", 16, 1),
            Metric::Qtm => (
                "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'",
                18,
                2,
            ),
        };
        let known: Sequence = known.parse().expect("moves");
        let position = [Cube::from_moves(known.moves())];
        let length = metric.length(known.moves()) as u8;
        let name = format!("reid-superflip-{}", metric.name());
        let results = match long_search::kept(request, &name, None)? {
            Some(results) => results,
            None => {
                let max_length = if request.effort == RunSize::Full {
                    length - 1
                } else {
                    quick
                };
                let plan = SearchPlan {
                    positions: &position,
                    max_length,
                    ..plan(metric, request)
                };
                let plan = SearchPlan {
                    solution_count: SolutionCount::ONE,
                    ..plan
                };
                long_search::run(
                    lab,
                    request,
                    &name,
                    super::for_long_search(lab, metric)?.ida().bound,
                    &plan,
                )?
            }
        };
        let mut form = form("superflip-lengths");
        let iterations = results.of_position(1);
        for counts in &iterations {
            let IterationCounts {
                threshold,
                nodes,
                tests,
                seconds,
                solutions,
                commit,
                ..
            } = counts;
            let found = if *solutions == 0 { "none" } else { "found" };
            let rate = *nodes as f64 / seconds / 1e6;
            form.table("lengths").row(row![
                *threshold,
                found,
                *nodes,
                *tests,
                *seconds,
                rate,
                commit.as_str()
            ]);
        }
        let ruled_out = iterations.last().map_or(0, |counts| counts.threshold);
        let proven = if ruled_out + step >= length {
            format!("So its length is {length}: every shorter one is ruled out")
        } else {
            format!(
                "Every length up to {ruled_out} is ruled out so far; {length} is the length of a \
                    known solution"
            )
        };
        let (nodes, seconds) = long_search::total(&iterations);
        form.say("metric", metric_name(metric))
            .say("proven", proven);
        form.say("nodes", format!("{:.2e}", nodes as f64))
            .say("seconds", format!("{seconds:.0}"));
        form.say_kept(&results.0);
        let Experiment {
            tables, remarks, ..
        } = form.experiment();
        shown = shown.tables(tables).remarks(remarks);
    }
    Ok(shown)
}

/// All solutions, by symmetry.
fn plan(metric: Metric, request: &ExperimentOptions) -> SearchPlan<'static> {
    SearchPlan {
        name: "Reid's table, four bits an entry",
        positions: &[],
        metric,
        solution_count: SolutionCount::All,
        by_symmetry: true,
        max_length: metric.diameter(),
        max_nodes: request.max_nodes.unwrap_or(u64::MAX),
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

/// The solution that the log prints.
const PRINTED_SOLUTION: &str = "F U R U' L' U' R2 U' R F' R' F B' R U' L D' L'";

/// A solution of the position of appendix B in the half-turn metric.
const SOLUTION: &str = "L U B2 L2 D2 B U B' D' R' B' F' U2 B2 U R";

/// Times in the log at which one processor ended limits 15q and 17q, in seconds.
const STAMPS: [f64; 2] = [109.466568, 143.674447];

/// The log of a search in the quarter-turn metric: of the position of appendix B, and of random
/// positions.
pub fn log(lab: &Lab<'_>, request: &ExperimentOptions) -> Result<Experiment, LabError> {
    let (last, of_random, positions) = match request.effort {
        RunSize::Quick => (18, 15, 1),
        RunSize::Full => (19, 17, 10),
    };
    let position = appendix_b();
    let reid = Reid::new(lab, Metric::Qtm)?;
    let mut counted: Vec<(u8, u64, u64)> = below_bound(reid.bound(&position));
    let iterations_of_it = iterations(lab, &reid, &position, last)?;
    counted.extend(
        iterations_of_it
            .iter()
            .map(|of| (of.threshold, of.nodes, of.tests)),
    );
    let mut form = form("log");
    form.say("position", described(&position));
    log_beside_printed(form.table("appendix"), &counted);
    let point = |(threshold, nodes, _): (u8, u64, u64)| (f64::from(threshold), nodes as f64);
    let axes = ["limit in quarter turns", "nodes"];
    let plot = Plot::new(
        "reid-log",
        "Nodes generated by limit, position of appendix B",
        axes,
        [false, true],
    )
    .printed("thesis", PRINTED.into_iter().skip(9).map(point))
    .series(
        "ours",
        counted.into_iter().filter(|row| row.0 > 9).map(point),
    );
    let mut tables = Vec::new();
    for position in random_positions(request.seed_or(1)).take(positions) {
        let mut of_random_position = super::form("log-random");
        of_random_position.say("position", described(&position));
        for iteration in iterations(lab, &reid, &position, of_random)? {
            let IdaIteration {
                threshold,
                nodes,
                tests,
                elapsed,
                ..
            } = iteration;
            of_random_position.table("log").row(row![
                format!("{threshold}q"),
                nodes,
                tests,
                elapsed
            ]);
        }
        tables.extend(of_random_position.experiment().tables);
    }
    drop(reid);
    let half_turns = Reid::new(lab, Metric::Htm)?;
    let shorter = half_turns.ida().search(&position, &up_to(15), &lab.control);
    lab.check()?;
    let moves = |text: &str| text.parse::<Sequence>().expect("moves").moves().to_vec();
    let solves = |text: &str| {
        if position.apply_moves(&moves(text)).is_solved() {
            "solves"
        } else {
            "does not solve"
        }
    };
    let lengths = Metric::ALL.map(|metric| metric.length(&moves(PRINTED_SOLUTION)));
    form.say("printed", PRINTED_SOLUTION)
        .say("solves", solves(PRINTED_SOLUTION));
    form.say("half turns", lengths[0])
        .say("quarter turns", lengths[1]);
    form.say("shorter", SOLUTION)
        .say("also solves", solves(SOLUTION));
    let is_shortest = shorter.solutions.is_empty();
    let ruled_out = ", and all shorter lengths are ruled out: its distance is 16";
    form.say("ruled out", if is_shortest { ruled_out } else { "" });
    let of_17 = PRINTED[16].1 as f64;
    let seconds = STAMPS[1] - STAMPS[0];
    form.say("after 15q", STAMPS[0])
        .say("after 17q", STAMPS[1])
        .say("seconds", format!("{seconds:.1}"));
    form.say("million", format!("{:.0}", of_17 / 1e6))
        .say("rate", format!("{:.2}", of_17 / seconds / 1e6));
    Ok(form.experiment().tables(tables).plots([plot]))
}

/// The rows of the log of appendix B: limits, nodes and tests.
fn log_beside_printed(table: &mut FormTable, counted: &[(u8, u64, u64)]) {
    let mut before: Option<u64> = None;
    for &(limit, nodes, tests) in counted {
        let printed = PRINTED.iter().find(|row| row.0 == limit);
        let agree = printed.map(|row| {
            if (row.1, row.2) == (nodes, tests) {
                "yes"
            } else {
                "no"
            }
        });
        let growth = before
            .filter(|_| limit > 10)
            .map(|before| nodes as f64 / before as f64);
        let limit = format!("{limit}q");
        table.row(row![
            limit,
            printed.map(|row| row.1),
            nodes,
            printed.map(|row| row.2),
            tests,
            agree,
            growth
        ]);
        before = Some(nodes);
    }
}

/// Returns the nodes generated by the search of limits below the bound of a position: the children
/// of the position.
fn below_bound(bound: u8) -> Vec<(u8, u64, u64)> {
    let children = |limit: u8| {
        Move::ALL
            .into_iter()
            .filter(|&m| Metric::Qtm.cost(m) <= limit)
            .count() as u64
    };
    (1..bound)
        .map(|limit| (limit, children(limit), 0))
        .collect()
}

/// All iterations to the last threshold.
fn iterations(
    lab: &Lab<'_>,
    reid: &Reid,
    position: &Cube,
    last: u8,
) -> Result<Vec<IdaIteration>, LabError> {
    lab.step("searching by thresholds", 0, 1);
    let found = reid.ida().search(position, &up_to(last), &lab.control);
    lab.check()?;
    Ok(found.iterations)
}

/// Describes a position and its symmetry, as far as a search can use it.
fn described(position: &Cube) -> String {
    let symmetry = match position.symmetries().len() {
        1 => "asymmetric position".to_owned(),
        count => format!("{count} symmetries"),
    };
    format!("{}, {symmetry}", position.reid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solutions_solve_the_printed_position() {
        for (text, lengths) in [(PRINTED_SOLUTION, [18, 19]), (SOLUTION, [16, 21])] {
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
        assert_eq!(below_bound(10), PRINTED[..9]);
    }
}
