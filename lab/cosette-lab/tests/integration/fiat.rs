//! The search with quarters of solutions: its streams, both forms, and its solutions against the
//! fast engine's.

use crate::support::{self, fast, position};
use cosette::cube::{Cube, Metric, Move, Sequence, canonical, random_positions};
use cosette::search::{Event, Options, Outcome, SolutionCount};
use cosette::{Cancel, CancelReason, Control};
use cosette_app::engine::Engine;
use cosette_lab::fiat::{
    Factor, Fiat, Form, Lists, Match, PackedPermutation, PermutationList, Product, ProductDescent,
    ProductSet, Products, merge, quarters,
};
use cosette_lab::walks::random_walk_of_cost;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Work on two threads.
fn two() -> Control<'static> {
    Control::new(support::two())
}

/// Every set of factors that streams are tried on: short lists of the cube, and random positions.
fn sides() -> Vec<[ProductSet; 2]> {
    let lists = Lists::new(Metric::Htm)
        .up_to(3, &Control::default())
        .expect("nobody cancels");
    let solved = PackedPermutation::of(&Cube::SOLVED);
    let some = |seed, count| {
        let mut some: Vec<PackedPermutation> = random_positions(seed)
            .take(count)
            .map(|p| PackedPermutation::of(&p))
            .collect();
        some.sort_unstable();
        some
    };
    let side =
        |first: PackedPermutation, factors: &[PackedPermutation], list: &Arc<PermutationList>| {
            ProductSet::new(first, factors, Arc::clone(list))
        };
    let random = |seed| Arc::new(PermutationList::new(some(seed, 150)));
    let far = PackedPermutation::of(&position("R U F' L2"));
    vec![
        [
            side(far, &lists[1].permutations, &lists[1]),
            side(solved, &lists[1].permutations, &lists[1]),
        ],
        [
            side(far, &lists[2].permutations, &lists[1]),
            side(solved, &lists[1].permutations, &lists[2]),
        ],
        [
            side(solved, &lists[1].permutations, &lists[3]),
            side(solved, &lists[2].permutations, &lists[2]),
        ],
        [
            side(solved, &lists[0].permutations, &lists[0]),
            side(solved, &lists[1].permutations, &lists[1]),
        ],
        [
            side(solved, &some(1, 100), &random(2)),
            side(far, &some(3, 100), &random(4)),
        ],
        [
            side(solved, &some(5, 100), &random(6)),
            side(solved, &some(5, 100), &random(6)),
        ],
    ]
}

#[test]
fn a_factor_multiplies_as_positions_do() {
    let positions: Vec<Cube> = random_positions(11).take(200).collect();
    for pair in positions.windows(2) {
        let [p, q] = [0, 1].map(|i| Factor::of(PackedPermutation::of(&pair[i])));
        let product = PackedPermutation::of(&pair[0].compose(&pair[1]));
        assert_eq!(p.product(PackedPermutation::of(&pair[1])), product);
        assert_eq!(
            p.compose(&q).product(PackedPermutation::of(&Cube::SOLVED)),
            product
        );
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
        let stream: Vec<Product> = Products::new(side).collect();
        assert!(stream.is_sorted_by_key(|product| product.permutation));
        let mut expected: Vec<(PackedPermutation, u32)> = Vec::new();
        for (number, factor) in side.factors.iter().enumerate() {
            expected.extend(
                side.list
                    .permutations
                    .iter()
                    .map(|&y| (factor.product(y), number as u32)),
            );
        }
        expected.sort_unstable();
        let mut found: Vec<(PackedPermutation, u32)> =
            stream.iter().map(|p| (p.permutation, p.factor)).collect();
        found.sort_unstable();
        assert_eq!(found, expected);
        // A stream may begin anywhere.
        let middle = expected[expected.len() / 2].0;
        assert_eq!(
            Products::from(side, middle).count(),
            expected
                .iter()
                .filter(|(product, _)| *product >= middle)
                .count()
        );
    }
}

#[test]
fn both_forms_find_the_products_that_are_equal() {
    for [left, right] in &sides() {
        let mut by_product: HashMap<PackedPermutation, Vec<[u32; 2]>> = HashMap::new();
        for (x, factor) in left.factors.iter().enumerate() {
            for (y, &permutation) in left.list.permutations.iter().enumerate() {
                by_product
                    .entry(factor.product(permutation))
                    .or_default()
                    .push([x as u32, y as u32]);
            }
        }
        let mut expected = Vec::new();
        for (x, factor) in right.factors.iter().enumerate() {
            for (y, &permutation) in right.list.permutations.iter().enumerate() {
                let equal = by_product
                    .get(&factor.product(permutation))
                    .map_or(&[][..], |equal| equal);
                expected.extend(equal.iter().map(|&left| Match {
                    left,
                    right: [x as u32, y as u32],
                }));
            }
        }
        expected.sort_unstable();

        let mut merged = Vec::new();
        let mut generated = 0;
        for first in 0..24 {
            generated += merge(
                [left, right],
                first,
                &mut |found| merged.push(found),
                &|| false,
            );
        }
        assert!(generated <= left.products() + right.products());
        merged.sort_unstable();
        assert_eq!(merged, expected);

        let two_values = (0..24)
            .flat_map(|first| (0..24).map(move |second| vec![first, second]))
            .collect();
        for words in [
            vec![vec![]],
            (0..24).map(|first| vec![first]).collect(),
            two_values,
        ] {
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
fn lengths_and_all_solutions_are_those_of_the_fast_engine() {
    let symmetric = [
        "U U'",
        "U2 D2",
        "R2 L2 U2 D2 F2 B2",
        "U D' R L' F B' U D'",
        "R2 L2",
        "U2 R2 U2 R2 U2 R2",
        "F2 B2 R2 L2",
    ];
    for (metric, longest) in [(Metric::Htm, 9), (Metric::Qtm, 10)] {
        let mut rng = ChaCha8Rng::seed_from_u64(1989);
        let mut walk = |_| {
            let length = rng.random_range(0..=longest);
            random_walk_of_cost(&mut rng, length, metric)
        };
        let walks: Vec<Cube> = (0..30).map(&mut walk).collect();
        let descent = Fiat::new(metric);
        let merged = Fiat::new(metric).with_form(Form::Merge);
        for (number, cube) in walks.into_iter().chain(symmetric.map(position)).enumerate() {
            let options = Options {
                solution_count: SolutionCount::All,
                ..Options::default()
            };
            let mut expected = fast(metric).search(&cube).options(options).run().solutions;
            expected.sort_unstable();
            let report = descent.solve(&cube, &options, &|_| {}, &two());
            assert_eq!(
                (report.outcome, &report.solutions),
                (Outcome::Optimal, &expected),
                "{cube:?} {metric}"
            );
            assert_eq!(usize::from(report.lower_bound), metric.length(&expected[0]));
            if number % 4 == 0 {
                assert_eq!(
                    merged.solve(&cube, &options, &|_| {}, &two()).solutions,
                    expected
                );
            }
            let one = descent.solve(&cube, &Options::default(), &|_| {}, &two());
            assert!(one.solutions.len() == 1 && expected.contains(&one.solutions[0]));
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
fn what_lies_beyond_the_limit_is_ruled_out_up_to_it() {
    let far = random_positions(5)
        .next()
        .expect("there is no end of positions");
    for (metric, beyond) in [
        (Metric::Htm, 10),
        (Metric::Qtm, 10 + u8::from(far.is_odd())),
    ] {
        let options = Options {
            max_length: Some(9),
            ..Options::default()
        };
        let report = Fiat::new(metric).solve(&far, &options, &|_| {}, &two());
        assert_eq!(
            (report.outcome, report.lower_bound),
            (Outcome::NoneWithinLimit, beyond)
        );
        assert!(
            report
                .iterations
                .iter()
                .all(|threshold| threshold.exhausted)
        );
    }
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
