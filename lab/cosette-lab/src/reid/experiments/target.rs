//! The target subgroup T, and the weakness on positions in it or near it.

use super::random_walks;
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::ida::{IdaLimits, IdaResult};
use crate::lab::Lab;
use crate::reid::engine::Reid;
use crate::reid::target::count;
use cosette::cube::{Cube, Face, Metric, Move, Moves, Turn};
use cosette::search::SolutionCount;

/// The orders of T and of the square group, and searches of a position in T, of one a move away, and of a random one of
/// the same length.
pub fn target_subgroup(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (length, tries) = match request.effort {
        Effort::Quick => (8, 20),
        Effort::Full => (10, 100),
    };
    lab.step("counting the target subgroup", 0, 1);
    let counted = count(lab)?;
    lab.step("counting the target subgroup", 1, 1);
    let squares: u64 = counted.squares.iter().sum();
    let mut orders = Table::new("", &["what", "expected", "counted"]);
    let mut row = |what: &str, expected: u64, counted: u64| {
        orders.row([Cell::text(what), Cell::Count(expected), Cell::Count(counted)]);
    };
    row("positions at distance zero along all three axes (T)", 3_981_312, counted.order);
    row(
        "of these, painted as the solved cube: in the target subgroup of the fast engine",
        3_981_312,
        counted.painted_as_solved,
    );
    row("the square group ⟨U2, D2, F2, B2, R2, L2⟩", 663_552, squares);
    row("its cosets in T", 6, counted.cosets.len() as u64);

    let mut by_half_turns = Table::new("The square group by half turns", &["half turns", "positions"]);
    for (distance, &positions) in counted.squares.iter().enumerate() {
        by_half_turns.row([Cell::Count(distance as u64), Cell::Count(positions)]);
    }

    let reid = Reid::new(lab, Metric::Htm)?;
    let r = Move::new(Face::R, Turn::Clockwise);
    let half_turns = |seed: u64, length: u8| random_walks(seed, length.into(), Move::is_half_turn);
    let seed = request.seed_or(1);
    let in_t = find(lab, &reid, half_turns(seed, length), length, tries)?;
    let near = find(lab, &reid, half_turns(seed.wrapping_add(1), length - 1).map(|p| p.turned(r)), length, tries)?;
    let random = find(lab, &reid, random_walks(seed, length.into(), |_| true), length, tries)?;
    let mut searches = Table::headed(
        format!("Searches of three positions of length {length} in the half-turn metric"),
        "threshold | nodes (in T) | tests (in T) | nodes (a move from T) | tests (a move from T) | nodes (random) | \
         tests (random) | nodes in T / random",
    );
    let at = |found: &Option<(Cube, IdaResult)>, threshold: u8| {
        let iterations = found.as_ref().map(|(_, found)| &found.iterations);
        let iteration = iterations.and_then(|all| all.iter().find(|iteration| iteration.threshold == threshold));
        iteration.map(|iteration| (iteration.nodes, iteration.tests))
    };
    for threshold in 1..=length {
        let [of_t, of_near, of_random] = [&in_t, &near, &random].map(|found| at(found, threshold));
        let cells = |counts: Option<(u64, u64)>| [counts.map(|c| c.0), counts.map(|c| c.1)].map(Cell::count);
        let ratio = match (of_t, of_random) {
            (Some(of_t), Some(of_random)) => Cell::ratio(of_t.0 as f64, of_random.0 as f64),
            _ => Cell::Nothing,
        };
        let cells = [of_t, of_near, of_random].into_iter().flat_map(cells);
        searches.row(std::iter::once(Cell::Count(threshold.into())).chain(cells).chain([ratio]));
    }
    let example = |found: &Option<(Cube, IdaResult)>, what: &str| match found {
        Some((position, found)) => {
            let which = match found.solutions.len() {
                1 => "Its only shortest solution".to_owned(),
                count => format!("One of its {count} shortest solutions"),
            };
            format!("{what}: {}. {which}: {}.", position.reid(), Moves(&found.solutions[0]))
        }
        None => format!("{what}: none of length {length} among {tries} from the seed."),
    };
    Ok(Experiment::new("target", "The target subgroup T, and positions near it", "Reid 1997")
        .text(
            "T is where the bound is zero: the positions that lie in ⟨U, D, F2, R2, B2, L2⟩ and in its conjugates \
             along the other two axes. Its index over the square group is six. The bound cannot distinguish the \
             elements of T, so the search of a position in or near T starts from low thresholds, hardly cuts nodes \
             near the root, and tests many positions in vain.",
        )
        .text(
            "The position in T is a product of half turns; the position near it is a product of half turns and R. \
             These two and the random walk are the first from their seeds with shortest solutions of this length. All \
             shortest solutions are searched, so every iteration is complete.",
        )
        .tables([orders, by_half_turns, searches])
        .remark(example(&in_t, "The position in T"))
        .remark(example(&near, "The position a move from T"))
        .remark(example(&random, "The random position")))
}

/// The first of the positions whose shortest solutions have this length, with a complete search.
fn find(
    lab: &Lab<'_>,
    reid: &Reid,
    positions: impl Iterator<Item = Cube>,
    length: u8,
    tries: usize,
) -> Result<Option<(Cube, IdaResult)>, LabError> {
    for (i, position) in positions.take(tries).enumerate() {
        lab.step(&format!("looking for a position of length {length}"), i as u64, tries as u64);
        let limits = IdaLimits { solution_count: SolutionCount::All, last: Some(length), ..IdaLimits::default() };
        let found = reid.search(&position, &limits, &mut |_| {}, &lab.control);
        lab.check()?;
        if !found.solutions.is_empty() && found.lower_bound == length {
            return Ok(Some((position, found)));
        }
    }
    Ok(None)
}
