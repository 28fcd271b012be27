//! Each system finds the solutions that the fast engine finds; each experiment stops when asked.

use crate::support::{cancelled, fast, in_lab, position};
use cosette::CancelReason;
use cosette::cube::{Cube, Metric, random_positions};
use cosette::search::{Options, Outcome, SolutionCount};
use cosette::table::TableFolder;
use cosette_app::engine::Engine;
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::experiment::{ExperimentOptions, RunSize};
use cosette_lab::fiat::Fiat;
use cosette_lab::ida::{Ida, IdaLimits, LowerBound};
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::long_search::IdaSolver;
use cosette_lab::manhattan::{Manhattan, SumCombination};
use cosette_lab::page::render_section;
use cosette_lab::papers::PAPERS;
use cosette_lab::reid::Reid;
use cosette_lab::walks::random_walk_of_cost;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Positions after random walks, and some with symmetry.
fn positions(metric: Metric) -> Vec<Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(1997);
    let most = if metric == Metric::Htm { 12 } else { 14 };
    let walks = (0..100).map(|_| {
        let cost = rng.random_range(0..=most);
        random_walk_of_cost(&mut rng, cost, metric)
    });
    let symmetric = [
        "U D' R L' F B' U D'",
        "U2 D2 R2 L2 F2 B2",
        "R",
        "U2 D2",
        "R L F B R L F B",
        "R2 L2 U2 D2",
    ];
    let symmetric = symmetric.map(position);
    assert!(
        symmetric
            .iter()
            .all(|position| position.symmetries().len() > 1)
    );
    walks.chain(symmetric).collect()
}

/// Within a length, the engine finds all shortest solutions that the fast engine finds, which the
/// library checks against an obvious search; one of them, if one is asked for; and none if it is
/// asked to stop. It rules out what is farther.
fn agrees(lab: &Lab<'_>, engine: &dyn Engine, longest: u8) {
    for position in positions(engine.metric()) {
        agrees_on(lab, engine, &position, longest);
    }
    let far = random_positions(5).next().expect("they have no end");
    agrees_on(lab, engine, &far, 8);
    let stopped = engine.solve(&far, &Options::default(), &|_| {}, &cancelled());
    assert_eq!(stopped.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert!(stopped.solutions.is_empty());
}

fn agrees_on(lab: &Lab<'_>, engine: &dyn Engine, position: &Cube, longest: u8) {
    let one = Options {
        max_length: Some(longest),
        ..Options::default()
    };
    let all = Options {
        solution_count: SolutionCount::All,
        ..one
    };
    let search = fast(engine.metric()).search(position).options(all);
    let expected = search.control(&lab.control).run();
    let found = engine.solve(position, &all, &|_| {}, &lab.control);
    let name = engine.name();
    assert_eq!(found.outcome, expected.outcome, "{name} on {position:?}");
    let [solutions, known] =
        [&found, &expected].map(|report| report.solutions.iter().collect::<BTreeSet<_>>());
    assert_eq!(solutions, known, "{name} on {position:?}");
    let single = engine.solve(position, &one, &|_| {}, &lab.control);
    assert_eq!(single.outcome, expected.outcome, "{name} on {position:?}");
    match expected.outcome {
        Outcome::Optimal => {
            assert_eq!(found.lower_bound, expected.lower_bound);
            assert!(single.solutions.len() == 1 && known.contains(&single.solutions[0]));
        }
        _ => assert!(found.lower_bound > longest),
    }
}

#[test]
fn korf() {
    in_lab(|lab| {
        for sets in [&SIX[..], &[]] {
            let korf = Korf::new(lab, sets).unwrap();
            agrees(lab, &IdaSolver::new(korf, None), 12);
        }
    });
}

/// Positions of up to eight moves: beyond, a bound of the Manhattan type cuts too little.
#[test]
fn manhattan() {
    in_lab(|lab| {
        for metric in Metric::ALL {
            let manhattan = Manhattan::new(SumCombination::Larger, metric);
            agrees(lab, &IdaSolver::new(manhattan, None), 8);
        }
    });
}

#[test]
fn fiat() {
    in_lab(|lab| {
        for metric in Metric::ALL {
            agrees(lab, &Fiat::new(metric), 9);
        }
    });
}

#[test]
fn reid() {
    in_lab(|lab| {
        for metric in Metric::ALL {
            let mut reid = IdaSolver::new(Reid::new(lab, metric).unwrap(), None);
            for raises_equal in [false, true] {
                reid.engine.raise_equal(raises_equal);
                agrees(lab, &reid, 14);
            }
        }
    });
}

/// Compares complete iterations with two bounds that are to cut the same nodes: up to the one with
/// the solutions, and of random positions to a threshold without any.
fn cut_the_same<B: LowerBound>(lab: &Lab<'_>, bounds: [&B; 2], last: u8) {
    let limits = IdaLimits {
        solution_count: SolutionCount::All,
        last: Some(last),
        ..IdaLimits::default()
    };
    let metric = Metric::Htm;
    for position in positions(metric)
        .into_iter()
        .chain(random_positions(8).take(4))
    {
        let [found, expected] =
            bounds.map(|bound| Ida { bound, metric }.search(&position, &limits, &lab.control));
        assert_eq!(found.outcome, expected.outcome);
        assert_eq!(found.solutions, expected.solutions);
        assert_eq!(found.iterations.len(), expected.iterations.len());
        for (one, other) in found.iterations.iter().zip(&expected.iterations) {
            assert!(one.complete && other.complete);
            assert_eq!(
                (one.threshold, one.nodes, one.tests),
                (other.threshold, other.nodes, other.tests),
                "{position:?}"
            );
        }
    }
}

#[test]
fn move_sets_cut_what_distances_cut() {
    in_lab(|lab| {
        let storages = [DistanceStorage::MoveSets, DistanceStorage::FourBits];
        let korfs = storages.map(|storage| Korf::with_storage(lab, &SIX, storage).unwrap());
        cut_the_same(lab, korfs.each_ref(), 13);
        let mut reids =
            storages.map(|storage| Reid::with_storage(lab, Metric::Htm, storage).unwrap());
        for raises_equal in [false, true] {
            for reid in &mut reids {
                reid.raise_equal(raises_equal);
            }
            cut_the_same(lab, reids.each_ref().map(|reid| reid.ida().bound), 13);
        }
    });
}

#[test]
fn every_experiment_stops_when_asked() {
    let folder = tempfile::TempDir::new().unwrap();
    let lab = Lab {
        folder: &TableFolder::new(folder.path()),
        control: cancelled(),
    };
    for paper in PAPERS {
        for entry in paper.experiments {
            let ended = entry.record(&lab, &ExperimentOptions::new(RunSize::Quick));
            assert!(
                ended.is_err_and(|error| error.is_cancellation()),
                "{} {}",
                paper.name,
                entry.name
            );
        }
    }
}

#[test]
#[ignore = "all quick experiments: ten minutes"]
fn every_experiment_runs() {
    let options = ExperimentOptions::new(RunSize::Quick);
    in_lab(|lab| {
        for paper in PAPERS {
            let mut records = paper.records(lab).unwrap();
            for entry in paper.experiments {
                records.insert(entry.name, entry.record(lab, &options).unwrap());
                let section = render_section(&paper.template().unwrap(), entry.name, &records);
                assert!(section.starts_with("## "), "{} {}", paper.name, entry.name);
            }
        }
    });
}
