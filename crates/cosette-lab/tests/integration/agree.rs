//! Each system proves the same lengths as the fast engine.

use crate::support::{fast, in_lab};
use cosette::cube::{Cube, Metric, Move, MoveSet};
use cosette::search::{Options, Outcome};
use cosette_lab::engine::Engine;
use cosette_lab::fiat::Fiat;
use cosette_lab::korf::{Korf, SIX};
use cosette_lab::lab::Lab;
use cosette_lab::reid::Reid;
use rand::seq::IteratorRandom;
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

/// Random walks along canonical sequences of 8 moves and more.
fn positions(metric: Metric) -> Vec<Cube> {
    let mut rng = ChaCha8Rng::seed_from_u64(1997);
    let mut walk = || {
        let mut left = rng.random_range(8..=longest(metric));
        let mut moves: Vec<Move> = Vec::new();
        while left > 0 {
            let fits = |&m: &Move| metric.cost(m) <= left;
            let next = MoveSet::after(moves.last().copied()).iter().filter(fits).choose(&mut rng);
            moves.push(next.expect("a quarter turn always fits"));
            left -= metric.cost(moves[moves.len() - 1]);
        }
        Cube::from_moves(&moves)
    };
    (0..POSITIONS).map(|_| walk()).collect()
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
