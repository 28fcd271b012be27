//! The search with quarters of solutions: its lists, its streams and their merge.

use crate::support::{self, position};
use cosette::cube::{Cube, Metric, Move, Sequence, canonical, random_positions};
use cosette::search::{Event, Options, Outcome, SolutionCount};
use cosette::{Cancel, CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::fiat::{
    Factor, Fiat, Lists, PackedPermutation, PermutationList, Product, ProductSet, Products, merge,
    quarters,
};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Work on two threads.
fn two() -> Control<'static> {
    Control::new(support::two())
}

fn lists(metric: Metric, longest: u8) -> (Lists, Vec<Arc<PermutationList>>) {
    let lists = Lists::new(metric);
    let made = lists.up_to(longest, &Control::default());
    (lists, made.expect("nobody cancels"))
}

fn word(moves: &str) -> PackedPermutation {
    PackedPermutation::of(&position(moves))
}

/// Every set of factors that streams are tried on: short lists of the cube, and random positions.
fn sides() -> Vec<[ProductSet; 2]> {
    let (_, near) = lists(Metric::Htm, 3);
    let random = |seed| {
        let positions = random_positions(seed).take(150);
        let mut words: Vec<_> = positions.map(|p| PackedPermutation::of(&p)).collect();
        words.sort_unstable();
        Arc::new(PermutationList::new(words))
    };
    let lists = [0, 1, 2, 3].map(|distance| Arc::clone(&near[distance]));
    let lists: Vec<_> = lists.into_iter().chain([4, 5, 6].map(random)).collect();
    let side = |(first, factors, list): (&str, usize, usize)| {
        ProductSet::new(
            word(first),
            &lists[factors].permutations,
            lists[list].clone(),
        )
    };
    let here = "U U'";
    let far = "R U F' L2";
    [
        [(far, 1, 1), (here, 1, 1)],
        [(far, 2, 1), (here, 1, 2)],
        [(here, 1, 3), (here, 2, 2)],
        [(here, 0, 0), (here, 1, 1)],
        [(here, 5, 4), (far, 6, 4)],
        [(here, 5, 6), (here, 5, 6)],
    ]
    .map(|sides| sides.map(side))
    .into()
}

/// All products of a side, with the numbers of their factors, by definition.
fn products(side: &ProductSet) -> Vec<Product> {
    let mut products = Vec::new();
    for (x, factor) in (0..).zip(&side.factors) {
        for (y, &permutation) in (0..).zip(&side.list.permutations) {
            products.push(Product {
                permutation: factor.product(permutation),
                factors: [x, y],
            });
        }
    }
    products.sort_unstable();
    products
}

#[test]
fn a_factor_multiplies_as_positions_do() {
    let positions: Vec<Cube> = random_positions(11).take(200).collect();
    for pair in positions.windows(2) {
        let [first, next] = [0, 1].map(|at| PackedPermutation::of(&pair[at]));
        let product = PackedPermutation::of(&pair[0].compose(&pair[1]));
        assert_eq!(Factor::of(first).product(next), product);
    }
}

#[test]
fn lists_hold_what_is_at_their_distance() {
    let known = [
        (Metric::Htm, vec![1, 18, 243, 3240, 43239]),
        (Metric::Qtm, vec![1, 12, 114, 1068, 10011, 93840]),
    ];
    for (metric, counts) in known {
        let (_, lists) = lists(metric, counts.len() as u8 - 1);
        let sizes = lists.iter().map(|list| list.permutations.len());
        assert_eq!(sizes.collect::<Vec<_>>(), counts);
    }
}

#[test]
fn sequences_are_all_the_shortest_ones() {
    let (quarter_turns, _) = lists(Metric::Qtm, 4);
    let sequences = quarter_turns.sequences(word("U2 D2"), 4);
    let solves = |sequence: &Vec<Move>| Cube::from_moves(sequence) == position("U2 D2");
    assert!(sequences.iter().all(solves));
    let canonical: BTreeSet<_> = sequences.iter().map(|moves| canonical(moves)).collect();
    assert_eq!(canonical.len(), 1);
    let (half_turns, _) = lists(Metric::Htm, 4);
    let squares: Sequence = "U2 R2 U2 R2".parse().expect("moves");
    let sequences = half_turns.sequences(word("U2 R2 U2 R2"), 4);
    assert!(sequences.contains(&squares.moves().to_vec()));
}

#[test]
fn products_come_in_order_from_any_word_on_and_equal_ones_are_found() {
    for [left, right] in &sides() {
        let [of_left, of_right] = [left, right].map(|side| {
            let expected = products(side);
            for from in [0, expected.len() / 2] {
                let least = expected[from].permutation;
                let later = expected.iter().filter(|of| of.permutation >= least);
                assert!(Products::from(side, least).eq(later.copied()));
            }
            expected
        });
        let mut expected = Vec::new();
        for product in of_left {
            let other = |of: &Product| of.permutation;
            let start = of_right.partition_point(|of| other(of) < product.permutation);
            let equal = of_right[start..].iter();
            let equal = equal.take_while(|&of| other(of) == product.permutation);
            expected.extend(equal.map(|of| [product.factors, of.factors]));
        }
        expected.sort_unstable();
        let mut merged = Vec::new();
        let mut on_match = |found| merged.push(found);
        let generated = (0..24).map(|first| merge([left, right], first, &mut on_match, &|| false));
        assert!(generated.sum::<u64>() <= left.products() + right.products());
        merged.sort_unstable();
        assert_eq!(merged, expected);
    }
}

#[test]
fn the_work_is_the_same_each_time() {
    let far = random_positions(3).next().expect("they have no end");
    let fiat = Fiat::new(Metric::Htm);
    for (length, products, generated) in
        [(8, 2 * 243 * 243, 117_786), (10, 2 * 243 * 3240, 1_574_328)]
    {
        let found = fiat.search(&far, length, SolutionCount::All, &two());
        let found = found.expect("nobody cancels");
        assert_eq!((found.products, found.generated), (products, generated));
    }
    assert_eq!(quarters(16), [4, 4, 4, 4]);
    assert_eq!(quarters(13), [3, 4, 3, 3]);
    assert_eq!(quarters(17), [4, 5, 4, 4]);
}

#[test]
fn a_search_stops_when_asked() {
    let far = random_positions(9).next().expect("they have no end");
    let cancel = Cancel::new();
    let asked = OnceLock::new();
    let stop = |event: Event<'_>| {
        if matches!(event, Event::Progress { length: 11.., progress, .. } if progress.done > 0) {
            asked.get_or_init(Instant::now);
            cancel.cancel();
        }
    };
    let control = two().with_cancel(&cancel);
    let report = Fiat::new(Metric::Htm).solve(&far, &Options::default(), &stop, &control);
    let took = asked.get().expect("it was asked").elapsed();
    assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
    assert!(report.lower_bound > 5 && report.solutions.is_empty());
    assert!(!report.iterations.last().is_some_and(|last| last.exhausted));
    assert!(took < Duration::from_millis(500), "it went on for {took:?}");
}
