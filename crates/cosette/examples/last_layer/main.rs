//! All shortest algorithms of the last layer, as pages: the 57 cases that orient it (OLL) and the
//! 21 that then permute it (PLL), with three sets of turns: `cargo run --release --example
//! last_layer -- docs/algs`, or with `oll` or `pll` after it one page.
//!
//! A case may be held in four ways, and the last layer may be turned before and after. Holding the
//! cube another way and turning the layer first come to the same, as an algorithm that follows U
//! moves the other layers as one that is held so: both are covered by searching from the four
//! holdings. The turn after it is part of the goal: four positions for PLL, and for OLL all 288
//! arrangements of an oriented layer. With turns of all faces, the search of the whole cube reaches
//! each of these positions; fewer turns are searched from both ends (`meet`).

mod meet;

use cosette::cube::{
    Corner, DisplayMoves, Edge, Face, LayerTurn, Move, ParseOptions, Symmetry, Turn, canonical,
    execution_cost, parse_turns,
};
use cosette::goal::{TurnMetric, TurnSet};
use cosette::{Cube, Solver};
use meet::{MeetingKey, MeetingSearch, moves_in_frame};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

/// The cases of OLL, by the usual numbers, each with an algorithm that people know.
const OLL: &str = include_str!("oll.txt");
/// The cases of PLL, by the usual names, likewise.
const PLL: &str = include_str!("pll.txt");

/// The sets of turns, and how they are counted.
const SETS: [(&str, TurnMetric); 3] = [
    ("R U F", TurnMetric::Htm),
    ("R U r f M", TurnMetric::Stm),
    ("U R F D L B", TurnMetric::Htm),
];

/// Maximum number of turns from the meeting point of two searches to the goal.
const MAX_SUFFIX: usize = 7;

/// A page of cases.
struct CasePage {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// The positions that are the goal.
    goal: Vec<Cube>,
    key: MeetingKey,
    /// The name of each case, and an algorithm that solves it.
    cases: Vec<(&'static str, &'static str)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "docs/algs".into());
    let only = args.next();
    fs::create_dir_all(&folder)?;
    let solver = Solver::builder().open()?;
    for page in [oll()?, pll()?] {
        if only.as_ref().is_none_or(|only| only == page.name) {
            page.write(Path::new(&folder), &solver)?;
        }
    }
    Ok(())
}

fn cases(list: &'static str) -> Vec<(&'static str, &'static str)> {
    let lines = list.lines();
    lines.filter_map(|line| line.split_once(": ")).collect()
}

fn oll() -> Result<CasePage, cosette::ParseError> {
    let mut generators = vec![position("U")?];
    for (_, algorithm) in cases(PLL) {
        generators.push(position(algorithm)?);
    }
    Ok(CasePage {
        name: "oll",
        title: "Orienting the last layer: 57 cases",
        about: "Algorithms that turn all pieces of the last layer the right way up, wherever they \
            go (OLL).",
        goal: generated_group(&generators),
        key: |cube| key_of(cube, |piece| if piece < 4 { 0 } else { piece }),
        cases: cases(OLL),
    })
}

fn pll() -> Result<CasePage, cosette::ParseError> {
    Ok(CasePage {
        name: "pll",
        title: "Permuting the last layer: 21 cases",
        about: "Algorithms that bring all pieces of the last layer home, but for a turn of the \
            layer (PLL).",
        goal: generated_group(&[position("U")?]),
        key: |cube| {
            // The layer is turned so that the first of its corners has the name of URF.
            let mut corners = Corner::ALL.into_iter().map(|slot| cube.corner(slot).0);
            let first = corners
                .find(|corner| corner.index() < 4)
                .unwrap_or(Corner::Urf);
            let turn = Turn::ALL
                .map(|turn| Cube::from_move(Move::new(Face::U, turn)))
                .into_iter()
                .find(|turn| turn.corner(first).0 == Corner::Urf);
            key_of(&turn.map_or(*cube, |turn| *turn * *cube), |piece| piece)
        },
        cases: cases(PLL),
    })
}

/// Returns a hash of the names of the pieces and of their orientations. The first four of each kind
/// are those of U.
fn key_of(cube: &Cube, name: impl Fn(usize) -> usize) -> u64 {
    let corner = |slot| (cube.corner(slot).0.index(), cube.corner(slot).1);
    let edge = |slot| (cube.edge(slot).0.index(), cube.edge(slot).1);
    let corners = Corner::ALL.map(corner).into_iter();
    let pieces = corners.chain(Edge::ALL.map(edge));
    pieces.fold(0, |key, (piece, orientation)| {
        let number = 3 * name(piece) as u64 + u64::from(orientation);
        (key ^ number)
            .wrapping_mul(0x0000_0100_0000_01b3)
            .rotate_left(23)
    })
}

/// Returns the group that some positions generate.
fn generated_group(generators: &[Cube]) -> Vec<Cube> {
    let mut group = vec![Cube::SOLVED];
    let mut done = 0;
    while let Some(&last) = group.get(done) {
        done += 1;
        for &generator in generators {
            if !group.contains(&(last * generator)) {
                group.push(last * generator);
            }
        }
    }
    group
}

impl CasePage {
    /// Writes the page, anew with each set of turns.
    fn write(&self, folder: &Path, solver: &Solver) -> Result<(), Box<dyn std::error::Error>> {
        let name = self.name;
        let start = Instant::now();
        let mut heads = String::from("| case |");
        let mut columns = String::from("|---|");
        let mut rows: Vec<String> = self
            .cases
            .iter()
            .map(|(case, _)| format!("| {case} |"))
            .collect();
        let mut list = String::new();
        for (moves, metric) in SETS {
            let metric_name = metric.name();
            heads += &format!(" {moves} ({metric_name}) | all |");
            columns += "---|---:|";
            let turns = TurnSet::parse(moves, metric, "")?;
            let turns: Vec<LayerTurn> = turns.allowed().iter().map(|turn| turn.0).collect();
            let search = (turns.len() < Move::COUNT)
                .then(|| MeetingSearch::new(&turns, self.key, MAX_SUFFIX));
            for ((case, text), row) in self.cases.iter().zip(&mut rows) {
                let algorithms = easiest_first(self.shortest(&position(text)?, &search, solver));
                let length = algorithms[0].split(' ').count();
                let count = algorithms.len();
                eprintln!(
                    "{:?} {name} {case}, {moves}: {length}, {count}",
                    start.elapsed()
                );
                *row += &format!(" `{}` ({length}) | {count} |", algorithms[0]);
                list += &format!("{case}, {moves}, {metric_name}: {length}\n");
                for algorithm in algorithms {
                    list += &format!("    {algorithm}\n");
                }
            }
            let title = self.title;
            let about = self.about;
            let rows = rows.join("\n");
            let minutes = start.elapsed().as_secs() / 60 + 1;
            let page = format!(
                "# {title}\n\n{about} The pictures show the cases from above. For each case and \
                 each set of turns the table has an algorithm of the fewest turns that is easy to \
                 do, in brackets its number of turns, and how many algorithms of so many turns \
                 there are. It is proven that none is shorter. All of them are in \
                 [{name}.txt]({name}.txt).\n\nThe cube may be held in four ways, and the last \
                 layer may be turned before and after; neither counts. In `htm` a turn of a face \
                 counts one, in `stm` a turn of any layers.\n\nMade by `cargo run --release \
                 --example last_layer`, this page in {minutes} minutes with two cores.\n\n![The \
                 cases]({name}.svg)\n\n{heads}\n{columns}\n{rows}\n"
            );
            fs::write(folder.join(format!("{name}.md")), page)?;
            fs::write(folder.join(format!("{name}.txt")), &list)?;
            fs::write(folder.join(format!("{name}.svg")), self.picture()?)?;
        }
        Ok(())
    }

    /// Returns all shortest algorithms of a case, in any holding.
    fn shortest(
        &self,
        case: &Cube,
        search: &Option<MeetingSearch>,
        solver: &Solver,
    ) -> Vec<Vec<LayerTurn>> {
        let mut algorithms = (0..).map(|length| match search {
            Some(search) => self.meeting(case, length, search),
            None => self.with_all_faces(case, length, solver),
        });
        algorithms
            .find(|algorithms| !algorithms.is_empty())
            .expect("turns solve every case")
    }

    fn meeting(&self, case: &Cube, length: u8, search: &MeetingSearch) -> Vec<Vec<LayerTurn>> {
        thread::scope(|scope| {
            let start = |held: Cube| {
                scope.spawn(move || {
                    let algorithms = search.solutions(&held, length.into());
                    for turns in &algorithms {
                        let (moves, _) = moves_in_frame(turns, Symmetry::IDENTITY);
                        let is_solved = self.goal.contains(&held.apply_moves(&moves));
                        assert!(is_solved, "two positions have one key");
                    }
                    algorithms
                })
            };
            let threads: Vec<_> = holdings(case).map(start).collect();
            let algorithms = threads.into_iter().map(|thread| thread.join());
            algorithms
                .flat_map(|algorithms| algorithms.expect("a search ends"))
                .collect()
        })
    }

    /// Returns the algorithms of this length, if none is shorter: what is found in one holding is
    /// found in each, as it is seen there.
    fn with_all_faces(&self, case: &Cube, length: u8, solver: &Solver) -> Vec<Vec<LayerTurn>> {
        let mut algorithms = Vec::new();
        for end in &self.goal {
            let position = end.inverse() * *case;
            if solver.table().bound(&position) > length {
                continue;
            }
            let search = solver.search(&position).all().max_length(length);
            for moves in search.run().solutions {
                for frame in about_u() {
                    let moves: Vec<Move> = moves.iter().map(|&m| frame.conjugate_move(m)).collect();
                    let text = DisplayMoves(&canonical(&moves)).to_string();
                    algorithms.extend(parse_turns(&text, &ParseOptions::default()));
                }
            }
        }
        algorithms
    }

    /// The last layer of each case from above, with what shows at its sides.
    fn picture(&self) -> Result<String, Box<dyn std::error::Error>> {
        const COLUMNS: usize = 10;
        const CELL: usize = 84;
        let height = self.cases.len().div_ceil(COLUMNS) * (CELL + 16);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\" stroke=\"#222\">\n",
            COLUMNS * CELL
        );
        for (number, (name, text)) in self.cases.iter().enumerate() {
            let x = number % COLUMNS * CELL + 6;
            let y = number / COLUMNS * (CELL + 16) + 4;
            let facelets: Vec<char> = position(text)?.facelets().chars().collect();
            let _ = writeln!(
                svg,
                "<g transform=\"translate({x},{y})\"><text x=\"30\" y=\"84\" fill=\"#777\" \
                 stroke=\"none\">{name}</text>"
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
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                     fill=\"{color}\"/>"
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

/// Returns the position that an algorithm solves.
fn position(algorithm: &str) -> Result<Cube, cosette::ParseError> {
    Ok(algorithm.parse::<Cube>()?.inverse())
}

/// Returns the four ways in which the cube may be held with U above.
fn about_u() -> impl Iterator<Item = Symmetry> {
    std::iter::successors(Some(Symmetry::IDENTITY), |frame| {
        Some(frame.then(Symmetry::rotation(Face::U)))
    })
    .take(4)
}

/// Returns a position as it is held in four ways.
fn holdings(position: &Cube) -> impl Iterator<Item = Cube> {
    let position = *position;
    about_u().map(move |frame| position.conjugate(frame))
}

/// Returns the algorithms as text, each once.
fn easiest_first(mut algorithms: Vec<Vec<LayerTurn>>) -> Vec<String> {
    algorithms.sort_by_cached_key(|turns| execution_cost(turns));
    let mut seen = BTreeSet::new();
    let text = |turns: &Vec<LayerTurn>| {
        let names: Vec<String> = turns.iter().map(ToString::to_string).collect();
        names.join(" ")
    };
    let texts = algorithms.iter().map(text);
    texts.filter(|text| seen.insert(text.clone())).collect()
}
