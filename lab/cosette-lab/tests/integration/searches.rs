//! The plain searches: on the cube, on the sliding tiles of the eight-puzzle, and on small graphs.

use crate::support::{cancelled, position};
use cosette::cube::{Cube, Metric, Move};
use cosette::{Control, ThreadCount};
use cosette_lab::ida::Ida;
use cosette_lab::manhattan::{Heuristic, Manhattan};
use cosette_lab::searches::{
    CubeProblem, PlainLimits, PlainResult, Problem, a_star, breadth_first, deepening, depth_first, greedy, uniform_cost,
};
use cosette_lab::walks::random_walks;
use proptest::prelude::*;

/// What every search found, in the order of the module: breadth-first, deepening, greedy, uniform cost, A*.
fn all<P: Problem>(problem: &P, control: &Control<'_>) -> [PlainResult<P::Action>; 5] {
    let limits = PlainLimits { generated: u64::MAX, stored: 1_000_000, control };
    [
        breadth_first(problem, &limits),
        deepening(problem, &limits),
        greedy(problem, &limits),
        uniform_cost(problem, &limits),
        a_star(problem, &limits),
    ]
}

fn on_cube(position: Cube, metric: Metric) -> CubeProblem<Manhattan> {
    CubeProblem { position, metric, bound: Manhattan::new(Heuristic::Larger, metric) }
}

#[test]
fn optimal_searches_agree_on_walks() {
    for (metric, longest) in [(Metric::Htm, 4), (Metric::Qtm, 2)] {
        let bound = Manhattan::new(Heuristic::Larger, metric);
        let ida = Ida { bound: &bound, metric };
        for length in 0..=longest {
            for walk in random_walks(length as u64, length).take(3) {
                let position = Cube::from_moves(&walk);
                let found = ida.search(&position, &Default::default(), &mut |_| {}, &Control::new(ThreadCount::ONE));
                let found_by = all(&on_cube(position, metric), &Control::default());
                let solutions = found_by.map(|found| found.actions.unwrap());
                assert!(solutions.iter().all(|solution| position.after(solution).is_solved()), "{walk:?}");
                let [breadth, deep, greedy, uniform, star] = solutions.map(|solution| metric.length(&solution));
                let optimal = usize::from(found.lower_bound);
                assert_eq!([deep, uniform, star], [optimal; 3], "{metric}, {walk:?}");
                assert!(greedy >= optimal && breadth >= optimal);
                // Breadth-first search counts moves.
                assert!(metric == Metric::Qtm || breadth == optimal);
            }
        }
    }
}

#[test]
fn counts_are_those_of_the_tree_and_of_the_positions() {
    let limits = PlainLimits { generated: u64::MAX, stored: 4000, control: &Control::default() };
    // A position four moves away is not among the 1 + 18 + 243 + 3240 nearest; 3502 are stored first.
    let problem = on_cube(position("R U F' L2"), Metric::Htm);
    let found = breadth_first(&problem, &limits);
    assert_eq!((found.actions, found.stored), (None, 4001));
    // The iterations of threshold 1, 2 and 3 are complete, that of 4 ends at the goal.
    let found = deepening(&problem, &PlainLimits { stored: u64::MAX, ..limits });
    let complete = 18 + (18 + 243) + (18 + 243 + 3240);
    assert!((complete + 4..=complete + 46_755).contains(&found.generated), "{}", found.generated);
    assert_eq!(found.stored, 5);
    assert_eq!(found.actions.map(|actions| actions.len()), Some(4));
}

/// The tiles of a frame of three by three; 0 is the gap. Solved with the gap first.
struct Tiles([u8; 9]);

impl Problem for Tiles {
    type State = [u8; 9];
    /// The tile that slides.
    type Action = u8;

    fn start(&self) -> [u8; 9] {
        self.0
    }

    fn successors(&self, tiles: &[u8; 9], after: Option<u8>) -> impl Iterator<Item = (u8, u32, [u8; 9])> {
        let gap = tiles.iter().position(|&tile| tile == 0).unwrap();
        let tiles = *tiles;
        let is_beside = move |&at: &usize| (at / 3).abs_diff(gap / 3) + (at % 3).abs_diff(gap % 3) == 1;
        (0..9).filter(is_beside).filter(move |&at| Some(tiles[at]) != after).map(move |at| {
            let mut next = tiles;
            next.swap(at, gap);
            (tiles[at], 1, next)
        })
    }

    fn is_goal(&self, tiles: &[u8; 9]) -> bool {
        tiles.is_sorted()
    }

    fn estimate(&self, tiles: &[u8; 9]) -> u32 {
        let distance = |(at, &tile): (usize, &u8)| {
            let home = usize::from(tile);
            (at / 3).abs_diff(home / 3) + (at % 3).abs_diff(home % 3)
        };
        tiles.iter().enumerate().filter(|(_, tile)| **tile != 0).map(distance).sum::<usize>() as u32
    }
}

#[test]
fn the_farthest_tiles_need_thirty_one_moves() {
    let limits = PlainLimits { generated: u64::MAX, stored: u64::MAX, control: &Control::default() };
    let problem = Tiles([8, 6, 7, 2, 5, 4, 3, 0, 1].map(|tile: u8| tile));
    // Seen from the goal with the gap last, as this position is printed: the goal here has it first.
    let turned = Tiles(std::array::from_fn(|at| (9 - problem.0[8 - at]) % 9));
    let lengths = [breadth_first(&turned, &limits), uniform_cost(&turned, &limits), a_star(&turned, &limits)];
    let stored = lengths.each_ref().map(|found| found.stored);
    assert_eq!(lengths.map(|found| found.actions.map(|actions| actions.len())), [Some(31); 3]);
    assert_eq!(stored[..2], [181_440; 2], "half of 9! positions can be reached");
    assert!(stored[2] < 181_440);
    // Two tiles swapped: no way leads to the goal, and all positions are tried.
    let odd = Tiles([0, 2, 1, 3, 4, 5, 6, 7, 8]);
    for search in [breadth_first, greedy, uniform_cost, a_star] {
        let found = search(&odd, &limits);
        assert_eq!((found.actions, found.stored), (None, 181_440));
    }
}

/// A graph: for each state the states that it leads to and what that costs; the last one is the goal.
struct Graph {
    edges: Vec<Vec<(usize, u32)>>,
    estimates: Vec<u32>,
}

impl Problem for Graph {
    type State = usize;
    /// The state it leads to.
    type Action = usize;

    fn start(&self) -> usize {
        0
    }

    fn successors(&self, &state: &usize, _after: Option<usize>) -> impl Iterator<Item = (usize, u32, usize)> {
        self.edges[state].iter().map(|&(to, cost)| (to, cost, to))
    }

    fn is_goal(&self, &state: &usize) -> bool {
        state == self.edges.len() - 1
    }

    fn estimate(&self, &state: &usize) -> u32 {
        self.estimates[state]
    }
}

#[test]
fn costs_decide_where_they_should() {
    // Straight to the goal for 9, or by two others for 1 + 2 + 3.
    let graph = Graph { edges: vec![vec![(3, 9), (1, 1)], vec![(2, 2)], vec![(3, 3)], vec![]], estimates: vec![0; 4] };
    let [breadth, deep, _, uniform, star] = all(&graph, &Control::default()).map(|found| found.actions.unwrap());
    assert_eq!(breadth, [3]);
    assert_eq!([deep, uniform, star], [const { [1, 2, 3] }; 3]);
}

#[test]
fn a_state_reached_at_less_cost_is_taken_again() {
    // The estimates are never too high, but fall by more than a step costs: A* takes 2 by way of 0 first, for 4 + 0.
    let graph =
        Graph { edges: vec![vec![(1, 1), (2, 4)], vec![(2, 1)], vec![(3, 5)], vec![]], estimates: vec![0, 6, 0, 0] };
    let [_, deep, _, uniform, star] = all(&graph, &Control::default()).map(|found| found.actions.unwrap());
    assert_eq!([deep, uniform, star], [const { [1, 2, 3] }; 3]);
}

#[test]
fn searches_stop_at_limits_and_when_cancelled() {
    let walk = random_walks(9, 30).next().unwrap();
    let problem = on_cube(Cube::from_moves(&walk), Metric::Htm);
    let searches: [fn(&_, &PlainLimits<'_>) -> PlainResult<Move>; 5] =
        [breadth_first, deepening, greedy, uniform_cost, a_star];
    for search in searches {
        let found =
            search(&problem, &PlainLimits { generated: 10_000, stored: u64::MAX, control: &Control::default() });
        assert_eq!((found.actions, found.generated), (None, 10_001));
        let found = search(&problem, &PlainLimits { generated: u64::MAX, stored: u64::MAX, control: &cancelled() });
        assert!(found.actions.is_none() && found.generated <= 1 << 12);
    }
}

/// Depth-first search finds what there is within its limit, and no more; it stores its path.
#[test]
fn depth_first_search_ends_at_its_limit() {
    let limits = PlainLimits { generated: u64::MAX, stored: u64::MAX, control: &Control::default() };
    let at = position("R U F'");
    let problem = on_cube(at, Metric::Htm);
    assert_eq!(depth_first(&problem, 2, &limits).actions, None, "it is three moves away");
    let found = depth_first(&problem, 4, &limits);
    let solution = found.actions.expect("three moves solve it");
    assert!(at.after(&solution).is_solved() && (3..=4).contains(&solution.len()) && found.stored <= 5);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn searches_agree_on_graphs(
        edges in prop::collection::vec(prop::collection::vec((0usize..8, 1u32..6), 0..4), 8),
    ) {
        // Without circles, so that depth-first search ends by itself: states lead to later ones only.
        let edges: Vec<Vec<(usize, u32)>> =
            edges.iter().enumerate().map(|(from, to)| to.iter().copied().filter(|&(to, _)| to > from).collect()).collect();
        let cost = |actions: &Vec<usize>| {
            let mut here = 0;
            actions.iter().map(|&to| {
                let cost = edges[here].iter().filter(|edge| edge.0 == to).map(|edge| edge.1).min().unwrap();
                here = to;
                cost
            }).sum::<u32>()
        };
        let graph = Graph { edges: edges.clone(), estimates: vec![0; 8] };
        let found = all(&graph, &Control::default());
        let [_, deep, _, uniform, star] = found.each_ref().map(|found| found.actions.as_ref().map(cost));
        prop_assert!(deep == uniform && uniform == star, "{deep:?} {uniform:?} {star:?}");
        prop_assert!(found.iter().all(|found| found.actions.is_some() == deep.is_some()));
    }
}
