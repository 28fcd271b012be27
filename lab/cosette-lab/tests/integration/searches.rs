//! The plain searches: each against IDA*, and where they end.

use crate::support::{cancelled, position};
use cosette::cube::{Cube, Metric};
use cosette::{Control, ThreadCount};
use cosette_lab::ida::Ida;
use cosette_lab::manhattan::{Heuristic, Manhattan};
use cosette_lab::searches::{
    PlainLimits, PlainResult, a_star, breadth_first, deepening, depth_first, greedy, uniform_cost,
};
use cosette_lab::walks::random_walks;

/// What every search found, in the order of the module: breadth-first, deepening, greedy, uniform cost, A*.
fn all(position: &Cube, limits: &PlainLimits<'_>) -> [PlainResult; 5] {
    let bound = &Manhattan::new(Heuristic::Larger, Metric::Htm);
    [
        breadth_first(position, limits),
        deepening(position, limits),
        greedy(position, bound, limits),
        uniform_cost(position, bound, limits),
        a_star(position, bound, limits),
    ]
}

fn without_end<'a>(control: &'a Control<'a>) -> PlainLimits<'a> {
    PlainLimits { generated: u64::MAX, stored: u64::MAX, control }
}

#[test]
fn optimal_searches_agree_on_walks() {
    let bound = Manhattan::new(Heuristic::Larger, Metric::Htm);
    let ida = Ida { bound: &bound, metric: Metric::Htm };
    for length in 0..=4 {
        for walk in random_walks(length as u64, length).take(5) {
            let position = Cube::from_moves(&walk);
            let found = ida.search(&position, &Default::default(), &mut |_| {}, &Control::new(ThreadCount::ONE));
            let optimal = usize::from(found.lower_bound);
            let solutions = all(&position, &without_end(&Control::default())).map(|found| found.moves.unwrap());
            assert!(solutions.iter().all(|solution| position.after(solution).is_solved()), "{walk:?}");
            let [breadth, deep, greedy, uniform, star] = solutions.map(|solution| solution.len());
            assert_eq!([breadth, deep, uniform, star], [optimal; 4], "{walk:?}");
            assert!(greedy >= optimal);
        }
    }
}

#[test]
fn counts_are_those_of_the_tree_and_of_the_positions() {
    let control = Control::default();
    // A position four moves away is not among the 1 + 18 + 243 + 3240 nearest; 3502 are stored first.
    let far = position("R U F' L2");
    let found = breadth_first(&far, &PlainLimits { stored: 4000, ..without_end(&control) });
    assert_eq!((found.moves, found.stored), (None, 4001));
    // The iterations of threshold 1, 2 and 3 are complete, that of 4 ends at a solution.
    let found = deepening(&far, &without_end(&control));
    let complete = 18 + (18 + 243) + (18 + 243 + 3240);
    assert!((complete + 4..=complete + 46_755).contains(&found.generated), "{}", found.generated);
    assert_eq!((found.stored, found.moves.map(|moves| moves.len())), (5, Some(4)));
}

#[test]
fn searches_stop_at_limits_and_when_cancelled() {
    let far = Cube::from_moves(&random_walks(9, 30).next().unwrap());
    let control = Control::default();
    for found in all(&far, &PlainLimits { generated: 10_000, ..without_end(&control) }) {
        assert_eq!((found.moves, found.generated), (None, 10_001));
    }
    for found in all(&far, &without_end(&cancelled())) {
        assert!(found.moves.is_none() && found.generated <= 1 << 12);
    }
}

/// Depth-first search finds what there is within its limit, and no more; it stores its path.
#[test]
fn depth_first_search_ends_at_its_limit() {
    let (control, near) = (Control::default(), position("R U F'"));
    assert_eq!(depth_first(&near, 2, &without_end(&control)).moves, None, "it is three moves away");
    let found = depth_first(&near, 4, &without_end(&control));
    let solution = found.moves.expect("three moves solve it");
    assert!(near.after(&solution).is_solved() && (3..=4).contains(&solution.len()) && found.stored <= 5);
}
