//! Appendix A: the path of twelve moves from a position to the solved one.

use super::patterns::Pattern;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use cosette::cube::{Cube, Metric, Move, Moves, inverse, parse_reid};

/// The positions, as printed, with their letters.
const PRINTED: [(&str, &str); 13] = [
    ("X", "RB RD FD FR BU BL LF LU BD UR DL FU FUL FLD FDR FRU BLU BUR BRD BDL"),
    ("Y", "DB RD FD FR RU BL LF LU UB BR DL FU LUB FLD FDR LFU RBU RUF BRD BDL"),
    ("Z", "DL FD FR RB BU BD LF LU RD UR BL FU DLB FDR FRU DFL ULF BUR BRD UBL"),
    ("A", "RU FD FR RB DR BD LF LU LD UB BL FU FLD FDR FRU RBU BDL LFU BRD UBL"),
    ("C", "RU FD UF RB DR BD LB LU LD UB RF FL FLD UFR RDB RBU BDL LFU LUB DRF"),
    ("E", "RU RF UF RB DR LD LB LU FD UB BD FL RUF RFD RDB RBU LDF LFU LUB LBD"),
    ("G", "RF UF RB RU DR LD LB LU FD UB BD FL RFD RDB RBU RUF LDF LFU LUB LBD"),
    ("H", "RF UF RB RU LU DR LD LB FD UB BD FL RFD RDB RBU RUF LFU LUB LBD LDF"),
    ("I", "RF UF RB UB LU DR LD FL FD LB BD RU RFD RDB FRU UBL LFU DLB BUR LDF"),
    ("J", "BL UF RB UB DF DR LD FL FR UL BD RU BLU RDB FRU BDL DRF FUL BUR LDF"),
    ("K", "BL UF UR UB DF DR DB FL FR UL BR DL BLU UFR URB BDL DRF FUL FLD DBR"),
    ("M", "UF UR UB BL DF DR DB FL FR UL BR DL UFR URB BDL BLU DRF FUL FLD DBR"),
    ("N", "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR"),
];

/// The line of appendix C that leads from the solved position to X.
const PATTERN: usize = 3;

/// A position of the path.
struct Step {
    depth: usize,
    letter: &'static str,
    /// The move of the path from the position before it.
    on_path: Option<Move>,
    /// The move that leads from the position printed before to the one printed here, if there is one.
    printed: Option<Move>,
    /// Whether the printed position lies on the path.
    is_right: bool,
}

/// The path that solves X, which is the inverse of the line of appendix C, beside the printed positions.
fn steps() -> (Vec<Move>, Vec<Step>) {
    let printed = PRINTED.map(|(letter, pieces)| (letter, parse_reid(pieces).expect("twenty pieces")));
    let path = inverse(&Pattern::all()[PATTERN - 1].moves());
    let steps = (0..printed.len()).map(|depth| Step {
        depth,
        letter: printed[depth].0,
        on_path: depth.checked_sub(1).map(|before| path[before]),
        printed: depth.checked_sub(1).and_then(|before| one_move(&printed[before].1, &printed[depth].1)),
        is_right: printed[depth].1 == printed[0].1.after(&path[..depth]),
    });
    let steps = steps.collect();
    (path, steps)
}

fn one_move(from: &Cube, to: &Cube) -> Option<Move> {
    Move::ALL.into_iter().find(|&m| from.turned(m) == *to)
}

/// The printed positions, and whether they lie on the path.
pub fn path(_lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let (path, steps) = steps();
    let mut table =
        Table::headed("", "depth | position | move of the path | move that the printed positions take | on the path");
    let name = |m: Option<Move>| m.map_or(Cell::text("none"), |m| Cell::text(m.to_string()));
    for step in &steps {
        table.row([
            Cell::Count(step.depth as u64),
            Cell::text(step.letter),
            if step.depth == 0 { Cell::text("") } else { name(step.on_path) },
            if step.depth == 0 { Cell::text("") } else { name(step.printed) },
            Cell::text(if step.is_right { "yes" } else { "no" }),
        ]);
    }
    let wrong: Vec<&Step> = steps.iter().filter(|step| !step.is_right).collect();
    let wrong = match &wrong[..] {
        [one] => format!(
            "Only {} does not lie on it: it is what {} makes of X, where the path takes {}",
            one.letter,
            one.printed.map_or("nothing".into(), |m| m.to_string()),
            one.on_path.map_or("nothing".into(), |m| m.to_string()),
        ),
        others => format!("{} positions do not lie on it", others.len()),
    };
    Ok(Experiment::new("path", "A path of twelve moves", "Nargolkar 2006, appendix A")
        .text(format!(
            "The appendix prints the thirteen positions of a path, and no moves. Its first one, X, is the position after line {PATTERN} of appendix C, \
             {}; so that line backwards, {}, solves it. {wrong}; the eleven others do, each one move from the next.",
            Pattern::all()[PATTERN - 1].sequence,
            Moves(&path),
        ))
        .tables([table])
        .remark(format!(
            "X is {} quarter turns from solved, all twelve of which the path uses: it is a shortest solution in both metrics.",
            Pattern::all()[PATTERN - 1].distance(Metric::Qtm)
        )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_y_lies_off_the_path() {
        let (path, steps) = steps();
        assert_eq!(Moves(&path).to_string(), "R' U F B' R' U D L' F B' U L'");
        let off: Vec<&str> = steps.iter().filter(|step| !step.is_right).map(|step| step.letter).collect();
        assert_eq!(off, ["Y"]);
        assert_eq!(steps[1].printed.map(|m| m.to_string()), Some("F'".into()));
        assert!(steps[3..].iter().all(|step| step.printed == step.on_path), "the rest is a chain of these moves");
        assert!(steps[12].is_right && path.len() == 12);
    }
}
