//! Nargolkar 2006: what a thesis on the parallel search tells of the sequential one.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", MS thesis, The University of Texas at Arlington, 2006. Its
//! parallel search is the command `cosette-lab-mpi nargolkar`; the searches of its second chapter are [`crate::searches`], and the log
//! of its appendix B is [`crate::reid::log`].
//!
//! | file | what it shows |
//! |---|---|
//! | [`patterns`] | the positions of appendix C, with their true distances |
//! | `example` | IDA* on a position of three moves, node by node |
//! | `fifty_hours` | section 2.3.2: what a search to depth 14 costs with an estimate of the Manhattan type |
//! | `tables` | Table 2.1; the table of distances in appendix B |
//! | `path` | appendix A: the path of twelve moves |
//! | `symmetry` | section 4.1: the search with and without the symmetry of positions |

pub mod patterns;

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::ida::{Ida, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Heuristic, Manhattan, branching_factor};
use crate::reid::table::{CosetTable, Storage};
use crate::reid::{POSITIONS_QTM, Reid};
use crate::thistlethwaite::Thistlethwaite;
use cosette::cube::{Cube, Metric, Move, Moves, inverse, parse_reid, random_positions};
use cosette::search::SolutionCount;
use patterns::{Pattern, superflip};

const POSITIONS: usize = 3;
/// The limit that her programs were at.
const DEPTH: u8 = 14;
/// For so long, in seconds.
const FIFTY_HOURS: f64 = 50.0 * 3600.0;

/// Complete iterations with the sum over the edges, and what limit 14 takes.
pub fn fifty_hours(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let last = if request.effort == Effort::Full { 12 } else { 10 };
    let bound = Manhattan::new(Heuristic::Edges, Metric::Htm);
    let ida = Ida { bound: &bound, metric: Metric::Htm };
    let limits = IdaLimits { solution_count: SolutionCount::All, last: Some(last), ..IdaLimits::default() };
    let mut sums = vec![(0, 0.0); usize::from(last) + 1];
    let seed = request.seed_or(1);
    for (done, position) in (0..).zip(random_positions(seed).take(POSITIONS)) {
        lab.step("searching with the Manhattan distance", done, POSITIONS as u64);
        for iteration in ida.search(&position, &limits, &mut |_| {}, &lab.control).iterations {
            let sum = &mut sums[usize::from(iteration.threshold)];
            *sum = (sum.0 + iteration.nodes, sum.1 + iteration.elapsed.as_secs_f64());
        }
        lab.check()?;
    }
    let mut table = Table::headed(
        format!("Means of {POSITIONS} random positions (seed {seed}); from limit {} on expected", last + 1),
        "limit | nodes | nodes a second that fifty hours need",
    );
    let growth = branching_factor();
    let (nodes, _) = sums[usize::from(last)];
    for limit in last - 1..=DEPTH {
        let mean = match sums.get(usize::from(limit)) {
            Some((nodes, _)) => *nodes as f64 / POSITIONS as f64,
            None => nodes as f64 / POSITIONS as f64 * growth.powi(i32::from(limit) - i32::from(last)),
        };
        table.row([
            Cell::Count(limit.into()),
            if limit <= last { Cell::Count(mean.round() as u64) } else { Cell::Estimate(mean) },
            Cell::Count((mean / FIFTY_HOURS).round() as u64),
        ]);
    }
    let expected = nodes as f64 / POSITIONS as f64 * growth.powi(i32::from(DEPTH - last));
    Ok(Experiment::new("fifty-hours", "More than fifty hours at depth 14", "Nargolkar 2006, section 2.3.2")
        .text(format!(
            "Her first program, with a Manhattan distance of the edges, solved what it was given up to depth 13. On ten positions \
             that Korf had solved it was still at depth 14 after fifty hours. The same estimate (the edges ÷ 4) on random \
             positions, each iteration {growth:.2} times the one before:"
        ))
        .tables([table])
        .remark(format!(
            "So a program of less than {:.1} million nodes a second is at limit 14 for more than fifty hours, as she says; Korf's \
             did 0.7 million in 1997. Limit 18 would take {:.0} thousand times as long. Her Figures 2.1 and 2.2 are beside ours on the page of \
             [Korf](korf.md).",
            expected / FIFTY_HOURS / 1e6,
            growth.powi(4) / 1e3
        )))
}

/// Table 2.1: the most moves of each stage, and their sum as printed.
const PRINTED_STAGES: [(&str, [u8; 4], u8); 3] =
    [("original", [7, 13, 15, 17], 52), ("improved", [7, 13, 15, 15], 50), ("best possible", [7, 10, 13, 15], 45)];

/// The classes by distance that the log prints.
const CLASSES: [u64; 14] = [1, 1, 3, 24, 185, 1633, 14708, 130032, 1124165, 8868078, 48182278, 75087495, 7498528, 1279];

/// Table 2.1 beside the exact diameters.
pub fn stages(_lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let exact: Vec<u8> = Thistlethwaite::get().stages().iter().map(|stage| stage.diameter()).collect();
    let mut table = Table::headed("", "row | stage 1 | stage 2 | stage 3 | stage 4 | sum (paper) | sum");
    let count = |moves: u8| Cell::Count(moves.into());
    for (name, stages, sum) in PRINTED_STAGES {
        let stages_sum: u8 = stages.iter().sum();
        table.row(
            [Cell::text(format!("{name} (paper)"))]
                .into_iter()
                .chain(stages.map(count))
                .chain([count(sum), count(stages_sum)]),
        );
    }
    let sum: u8 = exact.iter().sum();
    let row = [Cell::text("computed here")].into_iter().chain(exact.iter().copied().map(count));
    table.row(row.chain([Cell::Nothing, count(sum)]));
    Ok(Experiment::new("stages", "Thistlethwaite's stages", "Nargolkar 2006, Table 2.1")
        .text("The most moves that each stage of Thistlethwaite's method needs. The computed ones are those of [his page](thistlethwaite.md).")
        .tables([table]))
}

/// The distances of the cosets as the log prints them.
pub fn cosets(lab: &Lab<'_>, _request: &Request) -> Result<Experiment, LabError> {
    let packed = lab.table(&CosetTable { metric: Metric::Qtm, storage: Storage::Four })?;
    let mut table = Table::headed("", "distance | positions (paper) | classes (paper) | classes | difference");
    for (distance, ((positions, printed), counted)) in POSITIONS_QTM.iter().zip(CLASSES).zip(&packed.counts).enumerate()
    {
        table.row([
            Cell::text(format!("{distance}q")),
            Cell::Count(*positions),
            Cell::Count(printed),
            Cell::Count(*counted),
            Cell::Count(counted.abs_diff(printed)),
        ]);
    }
    Ok(Experiment::new("cosets", "The table of distances", "Nargolkar 2006, appendix B")
        .text(
            "Before it searches, her program fills Reid's table: the distance of each coset to the target subgroup, in quarter turns. The \
             log prints cosets (\"positions\") and entries of the table (\"quotient\"), which are classes under sixteen symmetries. All of \
             them agree; the positions are counted on the page of [Reid](reid.md).",
        )
        .tables([table]))
}

/// The positions, as printed, with their letters.
const PRINTED_PATH: [(&str, &str); 13] = [
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
    let printed = PRINTED_PATH.map(|(letter, pieces)| (letter, parse_reid(pieces).expect("twenty pieces")));
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

/// Nodes by limit with and without the symmetry, of the superflip and of the symmetric positions of appendix C.
pub fn symmetry(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let enough = if request.effort == Effort::Full { 100_000_000 } else { 4_000_000 };
    let mut table = Table::headed(
        "",
        "position | symmetries | metric | limit | nodes without symmetry | nodes with symmetry | ratio | tests without | tests with",
    );
    let mut ratios = Vec::new();
    for metric in Metric::ALL {
        let reid = Reid::new(lab, metric)?;
        for (name, position) in positions() {
            lab.step("searching with and without symmetry", 0, 1);
            let order = position.symmetries().len();
            let mut limit = reid.bound(&position).max(1);
            loop {
                let only = |by_symmetry| IdaLimits {
                    solution_count: SolutionCount::All,
                    by_symmetry,
                    by_parity: false,
                    ..IdaLimits::only(limit)
                };
                let count = |by_symmetry| {
                    let found = reid.search(&position, &only(by_symmetry), &mut |_| {}, &lab.control);
                    found.iterations.first().map_or((0, 0), |of| (of.nodes, of.tests))
                };
                let (without, with) = (count(false), count(true));
                lab.check()?;
                if without.0 >= enough {
                    let ratio = without.0 as f64 / with.0 as f64;
                    ratios.push((order, ratio));
                    table.row([
                        Cell::text(&name),
                        Cell::Count(order as u64),
                        Cell::text(metric.name()),
                        Cell::Count(limit.into()),
                        Cell::Count(without.0),
                        Cell::Count(with.0),
                        Cell::Number(ratio, 2),
                        Cell::Count(without.1),
                        Cell::Count(with.1),
                    ]);
                    break;
                }
                limit += 1;
            }
        }
    }
    let least = ratios.iter().map(|(order, ratio)| ratio / *order as f64).fold(f64::INFINITY, f64::min);
    Ok(Experiment::new("symmetry", "Symmetry on and off", "Nargolkar 2006, section 4.1 and chapter 6")
        .text(format!(
            "The log of appendix B says that symmetry reductions are used, and the thesis that symmetric positions are solved \
             faster; it prints no counts. Here the sequences of three moves that are conjugate by a symmetry of the position are searched \
             once. Of each position that has symmetries, the first limit with {} million nodes or more:",
            enough / 1_000_000
        ))
        .tables([table])
        .remark(format!(
            "A position with n symmetries can gain the factor n, where no sequence of three moves is its own conjugate and where the \
             work below them outweighs them. Here it gains {:.0} % of n or more. Most positions have no symmetry but the identity, \
             and gain nothing: those of appendix C that are not listed, among them that of appendix B.",
            100.0 * least
        )))
}

/// The positions with symmetry, each once.
fn positions() -> Vec<(String, Cube)> {
    let mut all = vec![("superflip".to_owned(), superflip())];
    for pattern in Pattern::all() {
        let position = pattern.position();
        if position.symmetries().len() > 1 && all.iter().all(|(_, other)| *other != position) {
            all.push((format!("pattern {}", pattern.number), position));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_sums_are_right() {
        for (name, stages, sum) in PRINTED_STAGES {
            assert_eq!(stages.iter().sum::<u8>(), sum, "{name}");
        }
        assert_eq!(CLASSES.iter().sum::<u64>(), 140_908_410, "all entries of the table");
        assert_eq!(POSITIONS_QTM.iter().sum::<u64>(), 2_217_093_120, "all cosets");
    }

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
