//! Bounds of the Manhattan type: exact figures, and the sums against their definition. The plain
//! searches: each against IDA* with such a bound, and where they end.

use crate::support::{cancelled, position};
use cosette::Control;
use cosette::cube::{Corner, Cube, Edge, Metric, for_each_sequence, sequence_counts};
use cosette_lab::ida::{Ida, LowerBound};
use cosette_lab::manhattan::{CubieCosts, Manhattan, SumCombination, branching_factor};
use cosette_lab::uninformed::{PlainLimits, PlainResult, SEARCHES, uniform_cost};
use cosette_lab::walks::random_walks;
use std::collections::HashMap;

#[test]
fn cubies_alone_need_known_numbers_of_moves() {
    let costs = CubieCosts::new(Metric::Htm);
    let counts = |costs: Vec<u8>| {
        [0, 1, 2, 3].map(|cost| costs.iter().filter(|&&other| other == cost).count())
    };
    for edge in Edge::ALL {
        assert_eq!(counts(costs.of_edge(edge)), [1, 6, 13, 4]);
    }
    for corner in Corner::ALL {
        assert_eq!(counts(costs.of_corner(corner)), [1, 9, 14, 0]);
    }
}

#[test]
fn costs_are_those_of_brute_force() {
    for metric in Metric::ALL {
        let costs = CubieCosts::new(metric);
        // The least length of a sequence that brings a cubie to a slot with an orientation.
        let mut corners = HashMap::new();
        let mut edges = HashMap::new();
        for length in 0..=4 {
            for_each_sequence(length, metric, |moves| {
                let position = Cube::from_moves(moves);
                for slot in Corner::ALL {
                    let known = corners.entry((slot, position.corner(slot)));
                    let known = *known.or_insert(length);
                    assert!(costs.corner(&position, slot) == known);
                }
                for slot in Edge::ALL {
                    let known = edges.entry((slot, position.edge(slot)));
                    let known = *known.or_insert(length);
                    assert!(costs.edge(&position, slot) == known);
                }
            });
        }
        assert_eq!((corners.len(), edges.len()), (8 * 24, 12 * 24));
    }
}

#[test]
fn a_move_changes_a_bound_by_its_cost_at_most() {
    for metric in Metric::ALL {
        for bound in SumCombination::ALL.map(|heuristic| Manhattan::new(heuristic, metric)) {
            let value = |node| bound.bound(&node, 0, &mut 0);
            for walk in random_walks(1, 100).take(20) {
                let mut node = bound.node(&Cube::SOLVED);
                assert_eq!(value(node), 0);
                for m in walk {
                    let before = value(node);
                    node = bound.turned(&node, m);
                    let change = before.abs_diff(value(node));
                    assert!(change <= metric.cost(m), "{:?}", node.position);
                }
            }
        }
    }
}

#[test]
fn table_1_is_exact() {
    let printed = [
        18,
        243,
        3_240,
        43_254,
        577_368,
        7_706_988,
        102_876_480,
        1_373_243_544,
        18_330_699_168,
        244_686_773_808,
        3_266_193_870_720,
        43_598_688_377_184,
        581_975_750_199_168,
        7_768_485_393_179_328,
        103_697_388_221_736_960,
        1_384_201_395_738_071_424,
        18_476_969_736_848_122_368,
        246_639_261_965_462_754_048,
    ];
    assert_eq!(sequence_counts(18, Metric::Htm)[1..], printed);
    assert_eq!(format!("{:.5}", branching_factor()), "13.34847");
}

// The plain searches.

/// Runs the search of this name.
fn run(name: &str, moves: &str, limits: &PlainLimits<'_>) -> PlainResult {
    let search = SEARCHES.iter().find(|search| search.name == name);
    let search = search.expect("it is one of them");
    search.run(&position(moves), limits)
}

fn without_end<'a>(control: &'a Control<'a>) -> PlainLimits<'a> {
    PlainLimits {
        generated: u64::MAX,
        stored: u64::MAX,
        control,
    }
}

#[test]
fn optimal_searches_agree_on_walks() {
    let metric = Metric::Htm;
    let bound = &Manhattan::new(SumCombination::Larger, metric);
    let control = Control::default();
    for length in 0..=4 {
        for walk in random_walks(length as u64, length).take(5) {
            let position = Cube::from_moves(&walk);
            let found = Ida { bound, metric }.search(&position, &Default::default(), &control);
            let optimal = usize::from(found.lower_bound);
            for search in &SEARCHES {
                let found = search.run(&position, &without_end(&control));
                let solution = found.moves.expect("the walk is short");
                assert!(position.apply_moves(&solution).is_solved(), "{walk:?}");
                let is_shortest = solution.len() == optimal;
                assert!(
                    is_shortest || !search.is_optimal && solution.len() > optimal,
                    "{}: {walk:?}",
                    search.name
                );
            }
        }
    }
}

#[test]
fn counts_are_those_of_the_tree_and_of_the_positions() {
    let control = Control::default();
    // A position four moves away is not among the 1 + 18 + 243 + 3240 nearest; 3502 are stored
    // first.
    let far = "R U F' L2";
    let limits = PlainLimits {
        stored: 4000,
        ..without_end(&control)
    };
    let breadth_first = run("breadth-first", far, &limits);
    assert_eq!((breadth_first.moves, breadth_first.stored), (None, 4001));
    // The iterations of threshold 1, 2 and 3 are complete, that of 4 ends at a solution.
    let name = "depth-first, iterative deepening";
    let found = run(name, far, &without_end(&control));
    let complete = 18 + (18 + 243) + (18 + 243 + 3240);
    assert!((complete + 4..=complete + 46_755).contains(&found.generated));
    assert_eq!(found.stored, 5);
    assert_eq!(found.moves.map(|moves| moves.len()), Some(4));
}

#[test]
fn searches_stop_at_limits_and_when_cancelled() {
    let far = Cube::from_moves(&random_walks(9, 30).next().unwrap());
    let control = Control::default();
    let limits = PlainLimits {
        generated: 10_000,
        ..without_end(&control)
    };
    for search in &SEARCHES {
        let found = search.run(&far, &limits);
        assert_eq!((found.moves, found.generated), (None, 10_001));
        let found = search.run(&far, &without_end(&cancelled()));
        assert!(found.moves.is_none() && found.generated <= 1 << 12);
    }
}

/// Depth-first search finds what there is within its limit, and no more; it stores its path.
#[test]
fn depth_first_search_ends_at_its_limit() {
    let control = Control::default();
    let search = |moves| run("depth-first, to 5 moves", moves, &without_end(&control));
    assert_eq!(search("R U F' L2 D B").moves, None, "it is six moves away");
    let near = search("R U F'");
    let solution = near.moves.expect("three moves solve it");
    assert!((3..=5).contains(&solution.len()) && near.stored <= 6);
}

/// Two quarter turns are cheaper than a half turn that costs three.
#[test]
fn uniform_cost_finds_the_cheapest_solution() {
    let control = Control::default();
    for (half_turn, length) in [(1, 1), (2, 1), (3, 2)] {
        let found = uniform_cost(&position("R2"), half_turn, &without_end(&control));
        assert_eq!(found.moves.map(|moves| moves.len()), Some(length));
    }
}
