//! Each system proves the same lengths as the fast engine; each experiment stops when asked.

use crate::support::{cancelled, fast, in_lab};
use cosette::cube::{Cube, Metric};
use cosette::search::{Options, Outcome};
use cosette::table::TableFolder;
use cosette_app::engine::Engine;
use cosette_lab::experiment::{Effort, Request};
use cosette_lab::fiat::Fiat;
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::papers::PAPERS;
use cosette_lab::reid::Reid;
use cosette_lab::walks::random_walk_of_cost;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const POSITIONS: usize = 200;

/// The length of the longest walks.
fn longest(metric: Metric) -> u8 {
    match metric {
        Metric::Htm => 13,
        Metric::Qtm => 15,
    }
}

/// Positions after random walks that cost 8 and more.
fn positions(metric: Metric) -> Vec<Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(1997);
    (0..POSITIONS)
        .map(|_| {
            let cost = rng.random_range(8..=longest(metric));
            random_walk_of_cost(&mut rng, cost, metric)
        })
        .collect()
}

fn agrees(lab: &Lab<'_>, engine: &dyn Engine) {
    let fast = fast(engine.metric());
    for position in positions(engine.metric()) {
        let expected = fast.search(&position).control(&lab.control).run();
        let found = engine.solve(&position, &Options::default(), &|_| {}, &lab.control);
        assert_eq!(found.outcome, Outcome::Optimal);
        assert_eq!(found.length(), expected.length(), "{} on {position:?}", engine.name());
        let solution = &found.solutions[0];
        assert_eq!(engine.metric().length(solution), usize::from(found.lower_bound));
        assert!(position.after(solution).is_solved());
    }
}

#[test]
fn korf() {
    in_lab(|lab| agrees(lab, &Korf::new(lab, &SIX).unwrap()));
}

#[test]
fn fiat() {
    in_lab(|lab| agrees(lab, &Fiat::new(Metric::Htm)));
}

#[test]
fn reid() {
    in_lab(|lab| Metric::ALL.into_iter().for_each(|metric| agrees(lab, &Reid::new(lab, metric).unwrap())));
}

#[test]
fn every_experiment_stops_when_asked() {
    let folder = tempfile::TempDir::new().unwrap();
    let lab = Lab { folder: &TableFolder::new(folder.path()), control: cancelled() };
    for paper in PAPERS {
        for entry in paper.experiments {
            let ended = entry.compute(&lab, &Request::new(Effort::Quick));
            assert!(ended.is_err_and(|error| error.is_cancellation()), "{} {}", paper.name, entry.name);
        }
    }
}

#[test]
#[ignore = "all quick experiments: ten minutes"]
fn every_row_of_an_experiment_is_whole() {
    in_lab(|lab| {
        for entry in PAPERS.iter().flat_map(|paper| paper.experiments) {
            let experiment = entry.compute(lab, &Request::new(Effort::Quick)).unwrap();
            for table in &experiment.tables {
                assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.caption);
            }
        }
    });
}
