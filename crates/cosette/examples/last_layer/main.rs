//! All shortest algorithms of the last layer, as pages: the 57 cases that orient it (OLL) and the
//! 21 that then permute it (PLL), with three sets of turns: `cargo run --release --example
//! last_layer -- docs/algs`, or with `oll` or `pll` after it one page.
//!
//! A case may be held in four ways, and the last layer may be turned before and after. Holding the
//! cube another way and turning the layer first come to the same, as an algorithm that follows U
//! moves the other layers as one that is held so: both are covered by searching from the four
//! holdings. The turn after it is part of the goal: four positions for PLL, and for OLL all 288
//! arrangements of an oriented layer. As the goal is made of whole cubes, a table of the main
//! engine bounds it: OLL as one mask, bounded by tables of its own, takes hours. The search of the
//! whole cube reaches each position with turns of all faces; turns of layers are searched from both
//! ends (`meet`).

mod meet;

use cosette::cube::{
    Corner, DisplayMoves, Edge, Face, LayerTurn, Move, ParseOptions, Symmetry, Turn, canonical,
    parse_turns,
};
use cosette::goal::{Goal, GoalSolution, GoalSolver, TurnMetric, TurnSet};
use cosette::{Control, Cube, Solver};
use meet::{Key, Meet};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

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
    (
        "Na",
        "R U R' U R U R' F' R U R' U' R' F R2 U' R' U2 R U' R'",
    ),
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
const SETS: [(&str, TurnMetric); 3] = [
    ("R U F", TurnMetric::Htm),
    ("R U r f M", TurnMetric::Stm),
    ("U R F D L B", TurnMetric::Htm),
];

/// The most turns of an end, where two searches meet.
const MAX_END: usize = 7;

/// What is asked of a page of cases.
struct Page {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// The positions that are wanted, and the goal of reaching one.
    ends: Vec<Cube>,
    goal: Goal,
    /// Tells apart what one algorithm does not bring to the goal.
    key: Key,
    cases: Vec<(String, &'static str)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "docs/algs".into());
    let (folder, only) = (Path::new(&folder), std::env::args().nth(2));
    fs::create_dir_all(folder)?;
    let turned = closed_under(&[position("U")?]);
    let swaps = PLL
        .iter()
        .map(|&(_, text)| position(text))
        .collect::<Result<Vec<_>, _>>()?;
    let arrangements = closed_under(&[&swaps[..], &turned].concat());
    let oll = Page {
        name: "oll",
        title: "Orienting the last layer: 57 cases",
        about: "Algorithms that turn all pieces of the last layer the right way up, wherever they go (OLL).",
        goal: any_of(&arrangements)?,
        ends: arrangements,
        key: |cube| key_of(cube, |piece| if piece < 4 { 0 } else { piece }),
        cases: OLL
            .iter()
            .zip(1..)
            .map(|(&text, number)| (number.to_string(), text))
            .collect(),
    };
    let pll = Page {
        name: "pll",
        title: "Permuting the last layer: 21 cases",
        about: "Algorithms that bring all pieces of the last layer home, but for a turn of the layer (PLL).",
        goal: any_of(&turned)?,
        ends: turned,
        key: |cube| {
            // The layer is turned so that the first of its corners has the name of URF.
            let mut corners = Corner::ALL.into_iter().map(|slot| cube.corner(slot).0);
            let first = corners
                .find(|corner| corner.index() < 4)
                .unwrap_or(Corner::Urf);
            let turns = Turn::ALL
                .into_iter()
                .map(|turn| Cube::from_move(Move::new(Face::U, turn)));
            let turn = turns
                .into_iter()
                .find(|turn| turn.corner(first).0 == Corner::Urf);
            key_of(&turn.map_or(*cube, |turn| *turn * *cube), |piece| piece)
        },
        cases: PLL
            .iter()
            .map(|&(name, text)| (name.to_owned(), text))
            .collect(),
    };
    // It bounds what turns of faces do.
    let solver = Solver::builder().open()?;
    for page in [oll, pll]
        .iter()
        .filter(|page| only.as_ref().is_none_or(|only| only == page.name))
    {
        page.check()?;
        page.write(folder, &solver)?;
    }
    Ok(())
}

/// A number of the pieces by their names, and of how they are turned. The first four of each kind
/// are those of U.
fn key_of(cube: &Cube, name: impl Fn(usize) -> usize) -> u64 {
    let corner = |slot| (cube.corner(slot).0.index(), cube.corner(slot).1);
    let edge = |slot| (cube.edge(slot).0.index(), cube.edge(slot).1);
    let pieces = Corner::ALL
        .map(corner)
        .into_iter()
        .chain(Edge::ALL.map(edge));
    let numbers = pieces.map(|(piece, turned)| 3 * name(piece) as u64 + u64::from(turned));
    numbers.fold(0, |key, number| {
        (key ^ number)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23)
    })
}

/// What some positions make of the solved one, one after the other.
fn closed_under(positions: &[Cube]) -> Vec<Cube> {
    let (mut found, mut done) = (vec![Cube::SOLVED], 0);
    while let Some(&last) = found.get(done) {
        done += 1;
        for next in positions.iter().map(|&position| last * position) {
            if !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found
}

fn any_of(positions: &[Cube]) -> Result<Goal, cosette::goal::GoalError> {
    positions
        .iter()
        .map(Cube::facelets)
        .collect::<Vec<_>>()
        .join(" | ")
        .parse()
}

impl Page {
    /// Makes sure that the cases are cases, and not the same.
    fn check(&self) -> Result<(), Box<dyn std::error::Error>> {
        let mut seen: Vec<(Cube, &str)> = Vec::new();
        for (name, text) in &self.cases {
            let case = position(text)?;
            // Equal if what undoes the other in some holding leads to the goal.
            let is_it = |other: &Cube| {
                holdings(&case).any(|held| self.goal.is_met(&(held * other.inverse())))
            };
            if let Some((_, other)) = seen.iter().find(|(other, _)| is_it(other)) {
                return Err(format!("{name} is the case of {other}").into());
            }
            seen.push((case, text));
        }
        Ok(())
    }

    /// Writes the page, anew with each set of turns.
    fn write(&self, folder: &Path, solver: &Solver) -> Result<(), Box<dyn std::error::Error>> {
        let start = Instant::now();
        let (mut heads, mut list) = (String::from("| case |"), String::new());
        let mut rows: Vec<String> = self
            .cases
            .iter()
            .map(|(name, _)| format!("| {name} |"))
            .collect();
        for (moves, metric) in SETS {
            let find = self.finder(&TurnSet::parse(moves, metric, "")?, solver)?;
            let _ = write!(heads, " {moves} ({}) | all |", metric.name());
            for ((name, text), row) in self.cases.iter().zip(&mut rows) {
                let found = easiest_first(find(&position(text)?));
                let length = found[0].split(' ').count();
                eprintln!(
                    "{:?} {} {name}, {moves}: {length}, {}",
                    start.elapsed(),
                    self.name,
                    found.len()
                );
                let _ = write!(row, " `{}` ({length}) | {} |", found[0], found.len());
                let _ = writeln!(list, "{name}, {moves}, {}: {length}", metric.name());
                found.iter().for_each(|one| list += &format!("    {one}\n"));
            }
            let (name, title, about, rows) = (self.name, self.title, self.about, rows.join("\n"));
            let lines = "---|---:|".repeat(heads.matches("all").count());
            let minutes = start.elapsed().as_secs() / 60 + 1;
            let page = format!(
                "# {title}\n\n{about} The pictures show the cases from above. For each case and each set of turns the table has an \
                 algorithm of the fewest turns that is easy to do, in brackets its number of turns, and how many algorithms of so many \
                 turns there are. It is proven that none is shorter. All of them are in [{name}.txt]({name}.txt).\n\nThe cube may be held \
                 in four ways, and the last layer may be turned before and after; neither counts. In `htm` a turn of a face counts one, \
                 in `stm` a turn of any layers.\n\nMade by `cargo run --release --example last_layer`, this page in {minutes} minutes \
                 with two cores.\n\n![The cases]({name}.svg)\n\n{heads}\n|---|{lines}\n{rows}\n"
            );
            fs::write(folder.join(format!("{name}.md")), page)?;
            fs::write(folder.join(format!("{name}.txt")), &list)?;
            fs::write(folder.join(format!("{name}.svg")), self.picture()?)?;
        }
        Ok(())
    }

    /// What finds all shortest algorithms of a case, in any holding.
    fn finder<'a>(
        &'a self,
        turns: &TurnSet,
        solver: &'a Solver,
    ) -> Result<Box<Finder<'a>>, Box<dyn std::error::Error>> {
        let allowed: Vec<LayerTurn> = turns.allowed().iter().map(|turn| turn.0).collect();
        if allowed.len() == Move::COUNT {
            // What is found in one holding is found in each, as it is seen there.
            return Ok(Box::new(move |case| {
                let found = (0..).map(|length| self.of_length(case, length, solver));
                let found = found
                    .into_iter()
                    .find(|found| !found.is_empty())
                    .unwrap_or_default();
                let seen = |moves: &[Move], held: Symmetry| -> Vec<Move> {
                    moves.iter().map(|&m| held.conjugate_move(m)).collect()
                };
                let all = found
                    .iter()
                    .flat_map(|moves| about_u().map(move |held| canonical(&seen(moves, held))));
                all.flat_map(|moves| {
                    parse_turns(&DisplayMoves(&moves).to_string(), &ParseOptions::default())
                })
                .collect()
            }));
        }
        if allowed.iter().all(|turn| turn.is_face_turn()) {
            let goals = GoalSolver::new(&self.goal, turns, &Control::default())?
                .with_table(solver.shared_table());
            return Ok(Box::new(move |case| {
                let reports: Vec<_> = holdings(case)
                    .map(|held| goals.search(&held).all().run())
                    .collect();
                let least = reports.iter().map(|report| report.lower_bound).min();
                let found = reports.into_iter().flat_map(|report| report.solutions);
                found
                    .filter(|found| Some(found.cost) == least)
                    .map(|found| found.turns)
                    .collect()
            }));
        }
        let meet = Meet::new(&allowed, self.key, MAX_END);
        let solutions = move |held: &Cube, length: usize| {
            let found = meet.solutions(held, length);
            let of_turns = |turns: &Vec<LayerTurn>| GoalSolution {
                cost: 0,
                variant: String::new(),
                turns: turns.clone(),
            };
            let is_met = |turns: &Vec<LayerTurn>| {
                self.goal
                    .is_met(&held.apply_moves(&of_turns(turns).moves()))
            };
            assert!(found.iter().all(is_met), "two positions have one key");
            found
        };
        Ok(Box::new(move |case| {
            let solutions = &solutions;
            let found = (0..).map(|length| {
                thread::scope(|scope| {
                    let search = |held: Cube| scope.spawn(move || solutions(&held, length));
                    let threads: Vec<_> = holdings(case).map(search).collect();
                    let found = threads
                        .into_iter()
                        .flat_map(|thread| thread.join().expect("a search ends"));
                    found.collect::<Vec<_>>()
                })
            });
            found
                .into_iter()
                .find(|found| !found.is_empty())
                .unwrap_or_default()
        }))
    }

    /// All sequences of so many turns of faces that lead from a case to the goal, if none is
    /// shorter.
    fn of_length(&self, case: &Cube, length: u8, solver: &Solver) -> Vec<Vec<Move>> {
        let seen = self.ends.iter().map(|end| end.inverse() * *case);
        let near = seen.filter(|position| solver.table().bound(position) <= length);
        near.flat_map(|position| {
            solver
                .search(&position)
                .all()
                .max_length(length)
                .run()
                .solutions
        })
        .collect()
    }

    /// The last layer of each case from above, with what shows at its sides.
    fn picture(&self) -> Result<String, Box<dyn std::error::Error>> {
        const COLUMNS: usize = 10;
        const CELL: usize = 84;
        let height = self.cases.len().div_ceil(COLUMNS) * (CELL + 16);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" font-family=\"sans-serif\" font-size=\"12\" stroke=\"#222\">\n",
            COLUMNS * CELL
        );
        for (number, (name, text)) in self.cases.iter().enumerate() {
            let x = number % COLUMNS * CELL + 6;
            let y = number / COLUMNS * (CELL + 16) + 4;
            let facelets: Vec<char> = position(text)?.facelets().chars().collect();
            let _ = writeln!(
                svg,
                "<g transform=\"translate({x},{y})\"><text x=\"30\" y=\"84\" fill=\"#777\" stroke=\"none\">{name}</text>"
            );
            let mut draw = |x: usize, y: usize, width: usize, height: usize, facelet: usize| {
                let color = match (self.name, facelets[facelet]) {
                    (_, 'U') => "#ffd500",
                    ("oll", _) => "#666",
                    (_, 'R') => "#c41e3a",
                    (_, 'F') => "#009e60",
                    (_, 'L') => "#ff5800",
                    _ => "#0051ba",
                };
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>"
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
fn position(algorithm: &str) -> Result<Cube, cosette::ParseError> {
    Ok(algorithm.parse::<Cube>()?.inverse())
}

/// The four ways in which the cube may be held with U above.
fn about_u() -> impl Iterator<Item = Symmetry> {
    std::iter::successors(Some(Symmetry::IDENTITY), |held| {
        Some(held.then(Symmetry::rotation(Face::U)))
    })
    .take(4)
}

/// A position as it is held in four ways.
fn holdings(position: &Cube) -> impl Iterator<Item = Cube> {
    let position = *position;
    about_u().map(move |held| position.conjugate(held))
}

/// Finds all shortest algorithms of a case.
type Finder<'a> = dyn Fn(&Cube) -> Vec<Vec<LayerTurn>> + 'a;

/// Algorithms as text, each once.
fn easiest_first(mut found: Vec<Vec<LayerTurn>>) -> Vec<String> {
    found.sort_by_key(|turns| cosette::goal::execution_cost(turns));
    let mut seen = BTreeSet::new();
    let texts = found.iter().map(|turns| {
        turns
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    });
    texts.filter(|text| seen.insert(text.clone())).collect()
}
