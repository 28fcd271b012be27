//! The worked example of the pages: how each system solves one position that can be followed by hand.

use crate::experiment::{Cell, Table};
use crate::ida::{Ida, LowerBound};
use cosette::cube::{Cube, Moves, Sequence};

/// The scramble of the example.
pub const SCRAMBLE: &str = "R F D U' R";

/// The position of the example.
pub fn position() -> Cube {
    let sequence: Sequence = SCRAMBLE.parse().expect("five moves");
    Cube::from_moves(sequence.moves())
}

/// The values that a bound is made of, in a table of a trace.
pub struct Values<'a> {
    /// The heads of the columns of [`deepening`]'s second table: moves made, the values, bound, left, and then.
    pub columns: &'static [&'static str],
    /// The values of a position.
    pub of: &'a dyn Fn(&Cube) -> Vec<u8>,
}

/// How IDA* solves the example: its iterations, and every node of the last one that is not cut.
pub fn deepening<B: LowerBound>(ida: &Ida<'_, B>, values: &Values<'_>) -> [Table; 2] {
    let position = position();
    let mut iterations =
        Table::headed("The iterations", "threshold | nodes generated | cut at once | not cut | solutions");
    let mut nodes =
        Table::new("The nodes of the last iteration that are not cut, in the order of the search", values.columns);
    let row = |path: &str, position: &Cube, bound: u8, left: u8, then: &str| {
        let values = (values.of)(position).into_iter().map(|value| Cell::Count(value.into()));
        let head = std::iter::once(Cell::text(path)).chain(values);
        head.chain([Cell::Count(bound.into()), Cell::Count(left.into()), Cell::text(then)]).collect::<Vec<Cell>>()
    };
    let root = ida.bound.bound(&ida.bound.node(&position), u8::MAX, &mut 0);
    for threshold in root.. {
        let visits = ida.trace(&position, threshold);
        let solutions = visits.iter().filter(|visit| visit.position.is_solved()).count();
        let cut = visits.iter().filter(|visit| visit.is_cut()).count();
        let counts = [threshold.into(), visits.len(), cut, visits.len() - cut, solutions];
        iterations.row(counts.map(|count| Cell::Count(count as u64)));
        if solutions == 0 {
            continue;
        }
        nodes.row(row("none", &position, root, threshold, "searched on"));
        for visit in visits.iter().filter(|visit| !visit.is_cut()) {
            let then = match visit.remaining {
                _ if visit.position.is_solved() => "solved",
                0 => "compared, not solved",
                _ => "searched on",
            };
            nodes.row(row(&Moves(&visit.path).to_string(), &visit.position, visit.bound, visit.remaining, then));
        }
        break;
    }
    [iterations, nodes]
}
