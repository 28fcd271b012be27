//! All shortest algorithms of the last layer, as pages: the 57 cases that orient it (OLL) and the 21 that then permute it (PLL),
//! with three sets of turns: `cargo run --release --example last_layer -- docs/algs`.
//!
//! A case may be held in four ways, and the last layer may be turned before and after. Holding the cube another way and turning the
//! layer first come to the same, as an algorithm that follows U moves the other layers as one that is held so: both are covered by
//! searching from the four holdings. The turn after it is part of the goal: OLL asks only how pieces are turned, PLL is `auf:U`.

use cosette::cube::{Face, LayerTurn, Symmetry};
use cosette::goal::{Goal, GoalSolver, TurnMetric, Turns};
use cosette::{Control, Cube, Solver, Table};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The cases of OLL, by the usual numbers, each by an algorithm that people know.
const OLL: [&str; 57] = [
    "R U2 R2 F R F' U2 R' F R F'",
    "F R U R' U' F' f R U R' U' f'",
    "f R U R' U' f' U' F R U R' U' F'",
    "f R U R' U' f' U F R U R' U' F'",
    "r' U2 R U R' U r",
    "r U2 R' U' R U' r'",
    "r U R' U R U2 r'",
    "r' U' R U' R' U2 r",
    "R U R' U' R' F R2 U R' U' F'",
    "R U R' U R' F R F' R U2 R'",
    "r' R2 U R' U R U2 R' U M'",
    "F R U R' U' F' U F R U R' U' F'",
    "F U R U' R2 F' R U R U' R'",
    "R' F R U R' F' R F U' F'",
    "l' U' l L' U' L U l' U l",
    "r U r' R U R' U' r U' r'",
    "R U R' U R' F R F' U2 R' F R F'",
    "r U R' U R U2 r2 U' R U' R' U2 r",
    "r' R U R U R' U' M' R' F R F'",
    "r U R' U' M2 U R U' R' U' M'",
    "R U2 R' U' R U R' U' R U' R'",
    "R U2 R2 U' R2 U' R2 U2 R",
    "R2 D' R U2 R' D R U2 R",
    "r U R' U' r' F R F'",
    "F' r U R' U' r' F R",
    "R U2 R' U' R U' R'",
    "R U R' U R U2 R'",
    "r U R' U' r' R U R U' R'",
    "R U R' U' R U' R' F' U' F R U R'",
    "F R' F R2 U' R' U' R U R' F2",
    "R' U' F U R U' R' F' R",
    "L U F' U' L' U L F L'",
    "R U R' U' R' F R F'",
    "R U R2 U' R' F R U R U' F'",
    "R U2 R2 F R F' R U2 R'",
    "L' U' L U' L' U L U L F' L' F",
    "F R' F' R U R U' R'",
    "R U R' U R U' R' U' R' F R F'",
    "L F' L' U' L U F U' L'",
    "R' F R U R' U' F' U R",
    "R U R' U R U2 R' F R U R' U' F'",
    "R' U' R U' R' U2 R F R U R' U' F'",
    "F' U' L' U L F",
    "F U R U' R' F'",
    "F R U R' U' F'",
    "R' U' R' F R F' U R",
    "F' L' U' L U L' U' L U F",
    "F R U R' U' R U R' U' F'",
    "R B' R2 F R2 B R2 F' R",
    "r' U r2 U' r2 U' r2 U r'",
    "F U R U' R' U R U' R' F'",
    "R U R' U R U' B U' B' R'",
    "r' U2 R U R' U' R U R' U r",
    "r U2 R' U' R U R' U' R U' r'",
    "R' F R U R U' R2 F' R2 U' R' U R U R'",
    "r U r' U R U' R' U R U' R' r U' r'",
    "R U R' U' M' U R U' r'",
];

/// The cases of PLL, by the usual names.
const PLL: [(&str, &str); 21] = [
    ("Aa", "x R' U R' D2 R U' R' D2 R2 x'"),
    ("Ab", "x R2 D2 R U R' D2 R U' R x'"),
    ("E", "x' R U' R' D R U R' D' R U R' D R U' R' D' x"),
    ("F", "R' U' F' R U R' U' R' F R2 U' R' U' R U R' U R"),
    ("Ga", "R2 U R' U R' U' R U' R2 D U' R' U R D'"),
    ("Gb", "R' U' R U D' R2 U R' U R U' R U' R2 D"),
    ("Gc", "R2 U' R U' R U R' U R2 D' U R U' R' D"),
    ("Gd", "R U R' U' D R2 U' R U' R' U R' U R2 D'"),
    ("H", "M2 U M2 U2 M2 U M2"),
    ("Ja", "R' U L' U2 R U' R' U2 R L"),
    ("Jb", "R U R' F' R U R' U' R' F R2 U' R'"),
    ("Na", "R U R' U R U R' F' R U R' U' R' F R2 U' R' U2 R U' R'"),
    ("Nb", "R' U R U' R' F' U' F R U R' F R' F' R U' R"),
    ("Ra", "R U' R' U' R U R D R' U' R D' R' U2 R'"),
    ("Rb", "R2 F R U R U' R' F' R U2 R' U2 R"),
    ("T", "R U R' U' R' F R2 U' R' U' R U R' F'"),
    ("Ua", "M2 U M U2 M' U M2"),
    ("Ub", "M2 U' M U2 M' U' M2"),
    ("V", "R' U R' U' y R' F' R2 U' R' U R' F R F"),
    ("Y", "F R U' R' U' R U R' F' R U R' U' R' F R F'"),
    ("Z", "M' U M2 U M2 U M' U2 M2"),
];

/// The sets of turns, and how they are counted.
const SETS: [(&str, TurnMetric); 3] =
    [("R U F", TurnMetric::Htm), ("R U r f M", TurnMetric::Stm), ("U R F D L B", TurnMetric::Htm)];

/// What is asked of a page of cases.
struct Page {
    name: &'static str,
    title: &'static str,
    goal: &'static str,
    cases: Vec<(String, &'static str)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "docs/algs".into());
    let (folder, only) = (Path::new(&folder), std::env::args().nth(2));
    fs::create_dir_all(folder)?;
    let oll = Page {
        name: "oll",
        title: "Orienting the last layer: 57 cases",
        goal: "f2l:D oriented(UF UR UB UL URF UFL ULB UBR)",
        cases: OLL.iter().zip(1..).map(|(&text, number)| (number.to_string(), text)).collect(),
    };
    let pll = Page {
        name: "pll",
        title: "Permuting the last layer: 21 cases",
        goal: "auf:U",
        cases: PLL.iter().map(|&(name, text)| (name.to_owned(), text)).collect(),
    };
    // It bounds what permutes the last layer.
    let table = Solver::builder().open()?.shared_table();
    for page in [oll, pll].iter().filter(|page| only.as_ref().is_none_or(|only| only == page.name)) {
        page.check()?;
        page.write(folder, &table)?;
    }
    Ok(())
}

impl Page {
    /// Makes sure that the cases are cases, and not the same.
    fn check(&self) -> Result<(), Box<dyn std::error::Error>> {
        let (goal, turns): (Goal, _) = (self.goal.parse()?, Turns::default());
        let solver = GoalSolver::new(&goal, &turns, &Control::default())?;
        let mut seen: Vec<(Cube, &str)> = Vec::new();
        for (name, text) in &self.cases {
            let case = position(text)?;
            if let Some((_, other)) = seen.iter().find(|(other, _)| {
                // Equal if what undoes the other in some holding leads to the goal.
                holdings(&case).any(|held| {
                    solver.goal().is_met(&(*other * held.inverse())) || goal.is_met(&(held * other.inverse()))
                })
            }) {
                return Err(format!("{name} is the case of {other}").into());
            }
            seen.push((case, text));
        }
        Ok(())
    }

    fn write(&self, folder: &Path, table: &Arc<Table>) -> Result<(), Box<dyn std::error::Error>> {
        let goal: Goal = self.goal.parse()?;
        let heads: Vec<String> =
            SETS.iter().map(|(moves, metric)| format!("{moves} ({}) | all", metric.name())).collect();
        let mut cells = format!("| case | {} |\n|---|{}\n", heads.join(" | "), "---|---:|".repeat(SETS.len()));
        let (mut list, mut rows) = (String::new(), vec![Vec::new(); self.cases.len()]);
        for (moves, metric) in SETS {
            let turns = Turns::read(moves, metric, "")?;
            let solver = GoalSolver::new(&goal, &turns, &Control::new(Default::default()))?.with_table(table.clone());
            for ((name, text), row) in self.cases.iter().zip(&mut rows) {
                let (cost, found) = shortest(&solver, &position(text)?);
                eprintln!("{} {name}, {moves}: {cost}, {}", self.name, found.len());
                row.push(format!("`{}` ({cost}) | {}", found[0], found.len()));
                let _ = writeln!(list, "{name} {moves} {}: {cost}", metric.name());
                found.iter().for_each(|one| list += &format!("    {one}\n"));
            }
        }
        for ((name, _), row) in self.cases.iter().zip(&rows) {
            let _ = writeln!(cells, "| {name} | {} |", row.join(" | "));
        }
        let (name, title) = (self.name, self.title);
        let page = format!(
            "# {title}\n\nFor each case an algorithm of the fewest turns, proven, that is easy to do, its number of turns, and how many \
             there are. All of them are in [{name}.txt]({name}.txt). The cube may be held in four ways, and the last layer may be \
             turned before and after. Made by `cargo run --release --example last_layer`.\n\n![The cases]({name}.svg)\n\n{cells}"
        );
        fs::write(folder.join(format!("{name}.md")), page)?;
        fs::write(folder.join(format!("{name}.txt")), list)?;
        fs::write(folder.join(format!("{name}.svg")), self.picture()?)?;
        Ok(())
    }

    /// The last layer of each case from above, with what shows at its sides.
    fn picture(&self) -> Result<String, Box<dyn std::error::Error>> {
        const COLUMNS: usize = 10;
        const CELL: usize = 84;
        let height = self.cases.len().div_ceil(COLUMNS) * (CELL + 16);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n",
            COLUMNS * CELL
        );
        for (number, (name, text)) in self.cases.iter().enumerate() {
            let (x, y) = (number % COLUMNS * CELL + 6, number / COLUMNS * (CELL + 16) + 4);
            let facelets: Vec<char> = position(text)?.facelets().chars().collect();
            let _ = writeln!(
                svg,
                "<g transform=\"translate({x},{y})\"><text x=\"30\" y=\"84\" fill=\"#777\">{name}</text>"
            );
            let mut draw = |x: usize, y: usize, width: usize, height: usize, facelet: usize| {
                let colour = match (self.name, facelets[facelet]) {
                    (_, 'U') => "#ffd500",
                    ("oll", _) => "#666",
                    (_, 'R') => "#c41e3a",
                    (_, 'F') => "#009e60",
                    (_, 'L') => "#ff5800",
                    _ => "#0051ba",
                };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\" stroke=\"#222\"/>"
                );
            };
            for i in 0..3 {
                (0..3).for_each(|row| draw(10 + 18 * i, 10 + 18 * row, 18, 18, 3 * row + i));
                draw(10 + 18 * i, 65, 18, 6, 18 + i); // F
                draw(10 + 18 * i, 3, 18, 6, 47 - i); // B
                draw(65, 10 + 18 * i, 6, 18, 11 - i); // R
                draw(3, 10 + 18 * i, 6, 18, 36 + i); // L
            }
            svg += "</g>\n";
        }
        Ok(svg + "</svg>\n")
    }
}

/// What an algorithm solves.
fn position(algorithm: &str) -> Result<Cube, cosette::ReadError> {
    Ok(algorithm.parse::<Cube>()?.inverse())
}

/// A position as it is held in four ways.
fn holdings(position: &Cube) -> impl Iterator<Item = Cube> {
    let position = *position;
    let turned = std::iter::successors(Some(Symmetry::IDENTITY), |held| Some(held.then(Symmetry::rotation(Face::U))));
    turned.take(4).map(move |held| position.conjugate(held))
}

/// The fewest turns of a case in any holding, and all algorithms of so many, the easiest first.
fn shortest(solver: &GoalSolver, case: &Cube) -> (u32, Vec<String>) {
    let reports: Vec<_> = holdings(case).map(|held| solver.search(&held).all().run()).collect();
    let least = reports.iter().map(|report| report.least).min().unwrap_or_default();
    let mut found: Vec<Vec<LayerTurn>> =
        reports.into_iter().flat_map(|r| r.found).filter(|f| f.cost == least).map(|f| f.turns).collect();
    found.sort_by_key(|turns| cosette::goal::ease(turns));
    let mut seen = BTreeSet::new();
    let text = |turns: &[LayerTurn]| turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let texts = found.iter().map(|turns| text(turns)).filter(|text| seen.insert(text.clone())).collect();
    (least, texts)
}
