//! The search with quarters of solutions: its lists, its streams and both forms.

use crate::support::{self, position};
use cosette::cube::{Cube, Metric, Move, Sequence, canonical, random_positions};
use cosette::search::{Event, Options, Outcome, SolutionCount};
use cosette::{Cancel, CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::fiat::{
    Factor, Fiat, Form, Lists, Match, PackedPermutation, PermutationList, Product, ProductDescent,
    ProductSet, Products, merge, quarters,
};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Work on two threads.
fn two() -> Control<'static> {
    Control::new(support::two())
}

/// Every set of factors that streams are tried on: short lists of the cube, and random positions.
fn sides() -> Vec<[ProductSet; 2]> {
    let near = Lists::new(Metric::Htm)
        .up_to(3, &Control::default())
        .expect("nobody cancels");
    let random = |seed| {
        let positions = random_positions(seed).take(150);
        let mut words: Vec<PackedPermutation> =
            positions.map(|p| PackedPermutation::of(&p)).collect();
        words.sort_unstable();
        Arc::new(PermutationList::new(words))
    };
    let [two, four, five, six] = [2, 4, 5, 6].map(random);
    let solved = PackedPermutation::of(&Cube::SOLVED);
    let far = PackedPermutation::of(&position("R U F' L2"));
    let side = |first, factors: &Arc<PermutationList>, list: &Arc<PermutationList>| {
        ProductSet::new(first, &factors.permutations, Arc::clone(list))
    };
    vec![
        [
            side(far, &near[1], &near[1]),
            side(solved, &near[1], &near[1]),
        ],
        [
            side(far, &near[2], &near[1]),
            side(solved, &near[1], &near[2]),
        ],
        [
            side(solved, &near[1], &near[3]),
            side(solved, &near[2], &near[2]),
        ],
        [
            side(solved, &near[0], &near[0]),
            side(solved, &near[1], &near[1]),
        ],
        [side(solved, &five, &two), side(far, &six, &four)],
        [side(solved, &five, &six), side(solved, &five, &six)],
    ]
}

/// All products of a side, with the numbers of their factors, by definition.
fn products(side: &ProductSet) -> Vec<(PackedPermutation, [u32; 2])> {
    let mut products = Vec::new();
    for (x, factor) in (0..).zip(&side.factors) {
        for (y, &permutation) in (0..).zip(&side.list.permutations) {
            products.push((factor.product(permutation), [x, y]));
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
        let lists = Lists::new(metric)
            .up_to(counts.len() as u8 - 1, &Control::default())
            .expect("nobody cancels");
        assert_eq!(
            lists
                .iter()
                .map(|list| list.permutations.len())
                .collect::<Vec<_>>(),
            counts
        );
    }
}

#[test]
fn sequences_are_all_the_shortest_ones() {
    let lists = Lists::new(Metric::Qtm);
    lists.up_to(4, &Control::default()).expect("nobody cancels");
    let sequences = lists.sequences(PackedPermutation::of(&position("U2 D2")), 4);
    let canonical: BTreeSet<Vec<Move>> = sequences
        .iter()
        .map(|sequence| canonical(sequence))
        .collect();
    assert!(
        sequences
            .iter()
            .all(|sequence| Cube::from_moves(sequence) == position("U2 D2"))
    );
    assert_eq!(canonical.len(), 1);
    let htm = Lists::new(Metric::Htm);
    htm.up_to(4, &Control::default()).expect("nobody cancels");
    let squares = htm.sequences(PackedPermutation::of(&position("U2 R2 U2 R2")), 4);
    let expected: Sequence = "U2 R2 U2 R2".parse().expect("moves");
    assert!(squares.contains(&expected.moves().to_vec()));
}

#[test]
fn products_come_in_order_and_all_of_them() {
    for side in sides().iter().flatten() {
        let expected = products(side);
        let stream: Vec<Product> = Products::new(side).collect();
        let found = stream
            .iter()
            .map(|product| (product.permutation, product.factor));
        let all = expected.iter().map(|&(product, [x, _])| (product, x));
        assert!(found.eq(all));
        // A stream may begin anywhere.
        let middle = expected[expected.len() / 2].0;
        let later = expected.iter().filter(|(product, _)| *product >= middle);
        assert_eq!(Products::from(side, middle).count(), later.count());
    }
}

#[test]
fn both_forms_find_the_products_that_are_equal() {
    let values = || 0..24;
    let prefixes: [Vec<Vec<u8>>; 3] = [
        vec![vec![]],
        values().map(|first| vec![first]).collect(),
        values()
            .flat_map(|first| values().map(move |second| vec![first, second]))
            .collect(),
    ];
    for [left, right] in &sides() {
        let mut expected = Vec::new();
        let right_products = products(right);
        for (product, left) in products(left) {
            let start = right_products.partition_point(|&(other, _)| other < product);
            let equal = right_products[start..].iter();
            let equal = equal.take_while(|&&(other, _)| other == product);
            expected.extend(equal.map(|&(_, right)| Match { left, right }));
        }
        expected.sort_unstable();

        let mut merged = Vec::new();
        let mut on_match = |found| merged.push(found);
        let generated = values().map(|first| merge([left, right], first, &mut on_match, &|| false));
        assert!(generated.sum::<u64>() <= left.products() + right.products());
        merged.sort_unstable();
        assert_eq!(merged, expected);

        for words in &prefixes {
            let mut found = Vec::new();
            let mut on_match = |one| found.push(one);
            let mut descent = ProductDescent::new([left, right], &mut on_match, &|| false);
            words.iter().for_each(|word| descent.below(word));
            found.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn the_work_is_the_same_each_time() {
    let fiat = Fiat::new(Metric::Htm);
    let far = random_positions(3)
        .next()
        .expect("there is no end of positions");
    let search = |length| {
        fiat.search(&far, length, SolutionCount::All, &two())
            .expect("nobody cancels")
    };
    let [eight, ten] = [8, 10].map(search);
    assert_eq!(
        (eight.products, ten.products),
        (2 * 243 * 243, 2 * 243 * 3240)
    );
    assert_eq!((eight.generated, ten.generated), (95_620, 990_250));
    assert_eq!(
        (quarters(16), quarters(13), quarters(17)),
        ([4, 4, 4, 4], [3, 4, 3, 3], [4, 5, 4, 4])
    );
}

#[test]
fn a_search_stops_when_asked() {
    let far = random_positions(9)
        .next()
        .expect("there is no end of positions");
    for form in [Form::Descent, Form::Merge] {
        let cancel = Cancel::new();
        let fiat = Fiat::new(Metric::Htm).with_form(form);
        let asked = OnceLock::new();
        let stop = |event: Event<'_>| {
            if matches!(event, Event::Progress { length: 11.., progress, .. } if progress.done > 0)
            {
                asked.get_or_init(Instant::now);
                cancel.cancel();
            }
        };
        let report = fiat.solve(
            &far,
            &Options::default(),
            &stop,
            &two().with_cancel(&cancel),
        );
        let took = asked.get().expect("it was asked").elapsed();
        assert_eq!(report.outcome, Outcome::Cancelled(CancelReason::Requested));
        assert!(report.lower_bound > 5 && report.solutions.is_empty());
        assert!(!report.iterations.last().is_some_and(|last| last.exhausted));
        assert!(
            took < Duration::from_millis(500),
            "{form:?} went on for {took:?}"
        );
    }
}
