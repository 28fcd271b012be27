//! Each system finds the solutions that the fast engine finds; each experiment stops when asked.

use crate::support::{cancelled, fast, in_lab, position};
use cosette::Control;
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
use cosette_lab::manhattan::{Manhattan, SumCombination};
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

/// The engine finds all shortest solutions that the fast engine finds, which the library checks
/// against an obvious search.
fn agrees(lab: &Lab<'_>, engine: &dyn Engine) {
    let fast = fast(engine.metric());
    let all = Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    };
    for position in positions(engine.metric()) {
        let expected = fast
            .search(&position)
            .options(all)
            .control(&lab.control)
            .run();
        let found = engine.solve(&position, &all, &|_| {}, &lab.control);
        assert_eq!(
            (found.outcome, found.lower_bound),
            (Outcome::Optimal, expected.lower_bound)
        );
        let sets =
            [&found, &expected].map(|report| report.solutions.iter().collect::<BTreeSet<_>>());
        assert_eq!(sets[0], sets[1], "{} on {position:?}", engine.name());
    }
}

#[test]
fn korf() {
    in_lab(|lab| [&SIX[..], &[]].map(|sets| agrees(lab, &Korf::new(lab, sets).unwrap())));
}

/// Positions of up to eight moves: beyond, a bound of the Manhattan type cuts too little.
#[test]
fn manhattan() {
    for metric in Metric::ALL {
        let engine = Manhattan::new(SumCombination::Larger, metric);
        for position in positions(metric) {
            let options = Options {
                max_length: Some(8),
                ..Options::default()
            };
            let expected = fast(metric).search(&position).options(options).run();
            let found = engine.solve(&position, &options, &|_| {}, &Control::default());
            assert_eq!(
                (found.outcome, found.length()),
                (expected.outcome, expected.length())
            );
            assert!(
                found
                    .solutions
                    .iter()
                    .all(|solution| position.apply_moves(solution).is_solved())
            );
        }
    }
}

#[test]
fn fiat() {
    in_lab(|lab| agrees(lab, &Fiat::new(Metric::Htm)));
}

#[test]
fn reid() {
    in_lab(|lab| {
        for (metric, raises_equal) in Metric::ALL
            .into_iter()
            .flat_map(|metric| [(metric, false), (metric, true)])
        {
            let mut reid = Reid::new(lab, metric).unwrap();
            reid.raise_equal(raises_equal);
            agrees(lab, &reid);
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
            let ended = entry.compute(&lab, &ExperimentOptions::new(RunSize::Quick));
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
fn every_row_of_an_experiment_is_whole() {
    in_lab(|lab| {
        for entry in PAPERS.iter().flat_map(|paper| paper.experiments) {
            let experiment = entry
                .compute(lab, &ExperimentOptions::new(RunSize::Quick))
                .unwrap();
            for table in &experiment.tables {
                assert!(
                    table
                        .rows
                        .iter()
                        .all(|row| row.len() == table.columns.len()),
                    "{}",
                    table.caption
                );
            }
        }
    });
}
