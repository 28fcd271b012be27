//! IDA* on a position of three moves, node by node.

use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::ida::IdaLimits;
use crate::lab::Lab;
use crate::reid::Reid;
use cosette::cube::{Cube, Metric, Move, MoveSet, Moves};
use cosette::search::SolutionCount;

/// The moves that lead to the position.
const SEQUENCE: &str = "L2 U L2";

/// A node whose children are generated.
struct Expanded {
    path: Vec<Move>,
    remaining: u8,
    children: u64,
    /// The children whose bound is within what then remains, with their bounds.
    kept: Vec<(Move, u8)>,
}

/// The tree of a small position, limit by limit.
pub fn example(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let reid = Reid::new(lab, Metric::Htm)?;
    let position = SEQUENCE.parse::<Cube>().expect("moves");
    let all = IdaLimits { solution_count: SolutionCount::All, ..IdaLimits::default() };
    let counted = reid.search(&position, &all, &mut |_| {}, &lab.control);
    lab.check()?;
    let mut table = Table::headed(
        format!("The position after {SEQUENCE}, whose bound is {}", reid.bound(&position)),
        "limit | moves so far | what remains | children generated | kept, with their bounds",
    );
    let mut sums = Vec::new();
    for iteration in &counted.iterations {
        let mut tree = Vec::new();
        expand(&reid, &position, Vec::new(), iteration.threshold, &mut tree);
        let nodes: u64 = tree.iter().map(|node| node.children).sum();
        assert_eq!(nodes, iteration.nodes, "the trace is that of the search");
        for node in &tree {
            let kept = node.kept.iter().map(|&(m, bound)| match is_solved(&position, &node.path, m) {
                true => format!("**{m}: solved**"),
                false => format!("{m}: {bound}"),
            });
            table.row([
                Cell::Count(iteration.threshold.into()),
                Cell::text(if node.path.is_empty() { "none".into() } else { Moves(&node.path).to_string() }),
                Cell::Count(node.remaining.into()),
                Cell::Count(node.children),
                Cell::text(kept.collect::<Vec<_>>().join(", ")),
            ]);
        }
        sums.push(format!("{nodes} at limit {}", iteration.threshold));
    }
    Ok(Experiment::new("example", "A search by hand", "Nargolkar 2006, section 2.3.1")
        .text(format!(
            "The bound is Reid's, in half turns. The search begins with the bound of the position as its limit. A child is kept \
             if its bound is not more than what remains after the move; its own children are then generated. Where nothing \
             remains and the bound is 0, the position is compared with the solved one. Nodes generated: {}, of which 18 + 243 at \
             limit 2 and 18 + 243 + 3,240 at limit 3 would be generated without a bound.",
            sums.join(", ")
        ))
        .tables([table]))
}

/// Whether a move after these solves the position.
fn is_solved(position: &Cube, path: &[Move], m: Move) -> bool {
    position.after(path).turned(m).is_solved()
}

/// Adds a node, and then those below it, to the tree.
fn expand(reid: &Reid, position: &Cube, path: Vec<Move>, remaining: u8, tree: &mut Vec<Expanded>) {
    let here = position.after(&path);
    let moves = MoveSet::after(path.last().copied());
    let bounds = moves.iter().map(|m| (m, reid.bound(&here.turned(m))));
    let kept: Vec<(Move, u8)> = bounds.filter(|&(_, bound)| bound < remaining).collect();
    let children = moves.iter().count() as u64;
    tree.push(Expanded { path: path.clone(), remaining, children, kept: kept.clone() });
    for (m, _) in kept.into_iter().filter(|_| remaining > 1) {
        let below = path.iter().copied().chain([m]).collect();
        expand(reid, position, below, remaining - 1, tree);
    }
}
