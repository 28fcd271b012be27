//! Lee's Table XI: how many states are stored, by bound and tie-breaking rule.

use super::kept::Kept;
use super::partial::{CHOSEN, pair};
use super::{experiment, printed};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Plot, Request, Table};
use crate::fast;
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::lee::ball::Ball;
use crate::lee::engine::{Bound, Estimates, Most};
use crate::lee::partial::problem::ForwardDepth;
use crate::lee::partial::{Informed, Partials};
use crate::lee::perimeter::Perimeter;
use crate::lee::search::{AstarSettings, Order, SearchEnd, search as astar};
use cosette::cube::Cube;
use cosette::table::TableSize;
use rayon::prelude::*;
use std::ops::ControlFlow::Continue;
use std::time::Instant;

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-search.txt");

/// How many positions of each length are searched.
const POSITIONS: [(u8, u64); 5] = [(10, 3), (11, 3), (12, 3), (13, 3), (14, 1)];
/// How many states are stored at most, here and in the paper.
const STATES: u64 = 50_000_000;
/// How deep the perimeter is, and the backward spaces.
const D_BACK: u8 = 7;

/// A tie-breaking rule: the paper's name, the order, and the greatest value of the heuristic before it.
struct Rule {
    name: &'static str,
    order: Order,
    most: Option<Most>,
}

const RULES: [Rule; 6] = [
    Rule { name: "queue", order: Order::Queue, most: None },
    Rule { name: "queue, heu6", order: Order::Queue, most: Some(Most::HEU6) },
    Rule { name: "queue, heu8", order: Order::Queue, most: Some(Most::HEU8) },
    Rule { name: "stack", order: Order::Stack, most: None },
    Rule { name: "stack, heu6", order: Order::Stack, most: Some(Most::HEU6) },
    Rule { name: "stack, heu8", order: Order::Stack, most: Some(Most::HEU8) },
];

/// A part of Table XI, by the depth of the forward spaces.
struct Part {
    d_for: Option<u8>,
}

const PARTS: [Part; 4] =
    [Part { d_for: None }, Part { d_for: Some(5) }, Part { d_for: Some(6) }, Part { d_for: Some(7) }];

impl Part {
    /// The rules that are run at this length: where every rule stores more than the limit, two.
    fn rules(&self, length: u8) -> impl Iterator<Item = &'static Rule> {
        let is_hopeless = length == 14 && self.d_for == Some(5);
        let is_run = move |rule: &&Rule| rule.most.is_none() || !is_hopeless;
        let is_plain = self.d_for.is_none();
        RULES.iter().filter(move |rule| is_run(rule) && (!is_plain || rule.most.is_none()))
    }

    /// What the paper prints under this name for lengths 10 to 14.
    fn paper(&self, name: &str) -> Option<[u64; 5]> {
        let values = printed().get(&format!("XI {} {name}", self.name()))?;
        Some(std::array::from_fn(|i| values[i].parse().expect("states are counts")))
    }

    /// How it is called.
    fn name(&self) -> String {
        self.d_for.map_or("heu6".into(), |d_for| format!("d_for={d_for}"))
    }
}

/// States stored by bidirectional A*, by length, bound and tie-breaking rule.
pub fn search(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-search", RESULTS)?;
    if kept.is_open() {
        search_all(lab, &kept)?;
    }
    Ok(experiment("search", "Bidirectional A* over a stored perimeter", "Lee 2013, Figure 1 and Table XI")
        .text(kept.circumstances())
        .tables([states_stored(&kept), by_opposite_faces(&kept), forward_spaces(&kept), work(&kept)])
        .tables([beside_the_fast_engine(lab, &kept)?])
        .plots([plot(&kept)]))
}

/// Runs what is missing.
fn search_all(lab: &Lab<'_>, kept: &Kept) -> Result<(), LabError> {
    let solver = fast::solver_of_size(TableSize::ALL[0], lab)?;
    let perimeter = Perimeter::new(D_BACK, lab)?;
    // Marks beyond the backward space, which take minutes, pay where d_for is 6 or 7.
    let is_missing = |part: &&Part| {
        let keys = POSITIONS.iter().flat_map(|&(length, count)| {
            let keys =
                move |i| part.rules(length).map(move |rule| format!("{length} {i} {} {}", part.name(), rule.name));
            (0..count).flat_map(keys)
        });
        keys.into_iter().any(|key| kept.get(&key).is_none())
    };
    let deepest = PARTS.iter().filter(is_missing).filter_map(|part| part.d_for).max().map(depth);
    let partials = Partials::new(&CHOSEN.map(pair), D_BACK, deepest, lab)?;
    kept.add("bytes", &[&perimeter.bytes(), &partials.problem(0).bytes()])?;
    for (length, count) in POSITIONS {
        for (position, i) in fast::positions_of_length(length, count as usize, 1, &solver, lab)?.iter().zip(0..) {
            // The longest searches last.
            for part in [0, 1, 3, 2].map(|number| &PARTS[number]) {
                lab.step(&format!("searching at length {length}, {}", part.name()), i, count);
                let start = |rule: &Rule| format!("{length} {i} {} {}", part.name(), rule.name);
                let missing: Vec<&Rule> = part.rules(length).filter(|rule| kept.get(&start(rule)).is_none()).collect();
                if missing.is_empty() {
                    continue;
                }
                let informed = match part.d_for {
                    Some(d_for) => Some(generate(&partials, position, d_for, &format!("{length} {i}"), kept, lab)?),
                    None => None,
                };
                let one = |rule: &&Rule| {
                    let bound = informed.as_ref().map_or(Bound::Backward(&partials, Most::HEU6), Bound::Informed);
                    let estimates = Estimates { bound, ties: rule.most.map(|most| (&partials, most)) };
                    let settings = AstarSettings { order: rule.order, states: STATES, ..AstarSettings::default() };
                    let found = astar(position, &perimeter, &estimates, &settings, &mut (), &lab.control);
                    lab.check()?;
                    let is_solved = match &found.ended {
                        SearchEnd::Solved(moves) => {
                            assert_eq!(moves.len(), usize::from(length), "the fast engine says otherwise");
                            1
                        }
                        _ => 0,
                    };
                    let seconds = format!("{:.3}", found.elapsed().as_secs_f64());
                    kept.add(&start(rule), &[&found.stored, &found.generated(), &is_solved, &seconds, &found.bytes])
                };
                lab.control.in_pool(|| missing.par_iter().with_max_len(1).try_for_each(one))??;
            }
        }
    }
    Ok(())
}

fn depth(d_for: u8) -> ForwardDepth {
    ForwardDepth::try_from(d_for).expect("the plans keep to the range")
}

/// Generates the forward spaces of an instance; and counts, where that is fast, how many painted positions just as many
/// moves away lie in the backward space.
fn generate<'a>(
    partials: &'a Partials,
    position: &Cube,
    d_for: u8,
    key: &str,
    kept: &Kept,
    lab: &Lab<'_>,
) -> Result<Informed<'a>, LabError> {
    let start = Instant::now();
    let informed = partials.informed(position, depth(d_for), &lab.control)?;
    let seconds = format!("{:.3}", start.elapsed().as_secs_f64());
    let states = informed.forwards().iter().map(|forward| forward.len()).sum::<u64>();
    let bytes = informed.forwards().iter().map(|forward| forward.bytes()).sum::<u64>();
    let mut found = 0;
    for number in (0..partials.len()).filter(|_| d_for < 7) {
        let (problem, seen) = (partials.problem(number), partials.seen(number, position));
        let count = |position: &Cube, away: u8| {
            found += u64::from(away == d_for && problem.distance(position).is_some());
            Continue(())
        };
        let room = CUMULATIVE[usize::from(d_for)] as usize;
        Ball::around(|position| problem.painting().number(position), &seen, d_for, room, count, &lab.control)?;
    }
    kept.add(&format!("{key} forward {d_for}"), &[&states, &found, &bytes, &seconds])?;
    Ok(informed)
}

/// Before the keys of a search by the three pairs of opposite faces, of which only means were kept.
const OPPOSITE: &str = "opposite ";

/// A value of each position of a length that was searched.
fn values(kept: &Kept, length: u8, rest: &str, place: usize) -> Vec<f64> {
    let (_, count) = POSITIONS[usize::from(length - 10)];
    (0..count).filter_map(|i| kept.number(&format!("{length} {i} {rest}"), place)).collect()
}

/// The mean of a value over the positions of a length.
fn mean(kept: &Kept, length: u8, rest: &str, place: usize) -> Option<f64> {
    let values = values(kept, length, rest, place);
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// A number of states; more than 50 million is only known to be more.
fn states(stored: Option<f64>) -> Cell {
    match stored {
        None => Cell::Nothing,
        Some(stored) if stored >= STATES as f64 => Cell::text("> 50,000,000"),
        Some(stored) => Cell::Count(stored.round() as u64),
    }
}

/// Table XI.
fn states_stored(kept: &Kept) -> Table {
    let columns = "bound | ties | 10, paper | 10, ours* | 11, paper | 11, ours* | 12, paper | 12, ours* | 13, paper | \
                   13, ours* | 14, paper | 14, ours*";
    let mut table = kept.table("Table XI: states stored, by the length of the solution.", columns);
    for part in &PARTS {
        let rules = RULES.iter().filter(|rule| part.d_for.is_some() || rule.most.is_none());
        for rule in rules {
            let printed = part.paper(rule.name);
            let lengths = POSITIONS.iter().zip(0..).flat_map(|(&(length, _), i)| {
                let ours = mean(kept, length, &format!("{} {}", part.name(), rule.name), 0);
                [states(printed.map(|printed| printed[i] as f64)), states(ours)]
            });
            table.row([Cell::text(part.name()), Cell::text(rule.name)].into_iter().chain(lengths));
        }
    }
    table
}

/// The forward spaces: how many painted positions just d_for moves from the start the paper finds near solved.
fn forward_spaces(kept: &Kept) -> Table {
    let columns = "d_for | painted positions d_for moves away | near solved, paper: 10 | 11 | 12 | 13 | 14 | one in | \
                   ours: 10* | 11* | 12* | 13* | 14*";
    let caption = "The forward space of a pair of faces holds all painted positions less than d_for moves from the start, and of \
                   those just d_for moves away the ones within seven moves of solved: their numbers by the length of the \
                   solution.";
    let mut table = kept.table(caption, columns);
    for part in &PARTS {
        let (Some(d_for), Some(paper)) = (part.d_for, part.paper("found")) else { continue };
        let within = |moves: u8| CUMULATIVE[usize::from(moves)];
        let away = within(d_for) - within(d_for - 1);
        let found = |length| match mean(kept, length, &format!("forward {d_for}"), 1) {
            Some(sum) if d_for < 7 => Cell::Number(sum / 3.0, 1),
            _ => Cell::Nothing,
        };
        let cells = [Cell::Count(d_for.into()), Cell::Count(away)].into_iter().chain(paper.map(Cell::Count));
        let one_in = Cell::Count((away as f64 / paper[4] as f64).round() as u64);
        table.row(cells.chain([one_in]).chain(POSITIONS.map(|(length, _)| found(length))));
    }
    table
}

/// The same by the three pairs of opposite faces.
fn by_opposite_faces(kept: &Kept) -> Table {
    let columns = "bound | ties | 10* | 11* | 12* | 13* | 14*";
    let caption = "States stored where h is the maximum over the pairs of opposite faces, U-D, L-R and F-B, instead, and a search \
                   ends at ten million states: means of 3, 3, 3, 2 and 1 positions. With heu6 before queue or stack all \
                   numbers are the same; with heu8 those at length 11 are smaller.";
    let mut table = kept.table(caption, columns);
    let rules = ["queue", "stack", "queue, heu8", "stack, heu8"];
    for (part, rule) in PARTS.iter().flat_map(|part| rules.map(|rule| (part, rule))) {
        let stored = POSITIONS.map(|(length, _)| {
            let stored = kept.number(&format!("{OPPOSITE}{length} {} {rule}", part.name()), 0);
            match stored {
                Some(stored) if stored >= 1e7 => Cell::text("> 10,000,000"),
                Some(stored) => Cell::Count(stored as u64),
                None => Cell::Nothing,
            }
        });
        table.row([Cell::text(part.name()), Cell::text(rule)].into_iter().chain(stored));
    }
    table
}

/// Seconds and bytes of one rule.
fn work(kept: &Kept) -> Table {
    let columns = "pairs | bound | length | solved* | states stored* | nodes generated* | seconds* | MB* | forward spaces, s* | MB*";
    let mut table = kept.table("What the searches by stack alone took, means.", columns);
    for part in &PARTS {
        for (length, _) in POSITIONS.into_iter().filter(|&(length, _)| length >= 12) {
            for (pairs, work) in
                [("chosen", Work::chosen(kept, part, length)), ("opposite", Work::opposite(kept, part, length))]
            {
                let Some(work) = work else { continue };
                table.row([
                    Cell::text(pairs),
                    Cell::text(part.name()),
                    Cell::Count(length.into()),
                    Cell::text(if work.is_solved { "yes" } else { "no" }),
                    Cell::Count(work.stored.round() as u64),
                    Cell::Count(work.generated.round() as u64),
                    Cell::Seconds(work.seconds),
                    Cell::Number(work.bytes / 1e6, 1),
                    work.forward.map_or(Cell::Nothing, |(seconds, _)| Cell::Seconds(seconds)),
                    work.forward.map_or(Cell::Nothing, |(_, bytes)| Cell::Number(bytes / 1e6, 1)),
                ]);
            }
        }
    }
    table
}

/// What a search by stack took on average.
struct Work {
    is_solved: bool,
    stored: f64,
    generated: f64,
    seconds: f64,
    bytes: f64,
    /// Seconds and bytes of the forward spaces, where there are any.
    forward: Option<(f64, f64)>,
}

impl Work {
    /// By the paper's pairs of faces.
    fn chosen(kept: &Kept, part: &Part, length: u8) -> Option<Work> {
        let rest = format!("{} stack", part.name());
        let forward = |d_for, place| mean(kept, length, &format!("forward {d_for}"), place);
        let work = Work::of(part, &|place| mean(kept, length, &rest, place), &|d_for| {
            Some((forward(d_for, 3)?, forward(d_for, 2)?))
        })?;
        Some(Work { is_solved: !values(kept, length, &rest, 2).contains(&0.0), ..work })
    }

    /// By opposite faces.
    fn opposite(kept: &Kept, part: &Part, length: u8) -> Option<Work> {
        let key = format!("{OPPOSITE}{length} {} stack", part.name());
        let forward = |d_for, place| kept.number(&format!("{OPPOSITE}forward {d_for}"), place);
        Work::of(part, &|place| kept.number(&key, place), &|d_for| Some((forward(d_for, 1)?, forward(d_for, 2)?)))
    }

    fn of(
        part: &Part,
        value: &dyn Fn(usize) -> Option<f64>,
        forward: &dyn Fn(u8) -> Option<(f64, f64)>,
    ) -> Option<Work> {
        Some(Work {
            is_solved: value(2)? == 1.0,
            stored: value(0)?,
            generated: value(1)?,
            seconds: value(3)?,
            bytes: value(4)?,
            forward: part.d_for.and_then(forward),
        })
    }
}

/// The least time of this search, its forward spaces included, beside the fast engine.
fn beside_the_fast_engine(lab: &Lab<'_>, kept: &Kept) -> Result<Table, LabError> {
    let solver = fast::solver(lab)?;
    let columns =
        "length | best bound* | painted positions* | nodes* | seconds* | our engine: nodes | seconds | ratio of times";
    let caption = format!(
        "The positions of the table by opposite faces, solved by the bound that takes least time (ties by stack; painted \
         positions are those of the forward spaces, whose time is included), and by our engine with its table {}, the \
         shortest of five times.",
        solver.table().id()
    );
    let mut table = kept.table(caption, columns);
    for ((length, _), count) in POSITIONS.into_iter().zip([3, 3, 3, 2, 1]) {
        let time = |work: &Work| work.seconds + work.forward.map_or(0.0, |(seconds, _)| seconds);
        let works = PARTS.iter().filter_map(|part| Some((part, Work::opposite(kept, part, length)?)));
        let best = works.filter(|(_, work)| work.is_solved).min_by(|a, b| time(&a.1).total_cmp(&time(&b.1)));
        let Some((part, work)) = best else { continue };
        let (mut nodes, mut seconds) = (0, 0.0);
        for position in fast::positions_of_length(length, count, 1, &solver, lab)? {
            let mut least = f64::INFINITY;
            for run in 0..5 {
                let report = solver.search(&position).control(&lab.control).run();
                lab.check()?;
                nodes += if run == 0 { report.nodes() } else { 0 };
                least = least.min(report.elapsed.as_secs_f64());
            }
            seconds += least;
        }
        let seconds = seconds / count as f64;
        let painted = part.d_for.and_then(|d_for| kept.number(&format!("{OPPOSITE}forward {d_for}"), 0));
        table.row([
            Cell::Count(length.into()),
            Cell::text(part.name()),
            painted.map_or(Cell::Nothing, |painted| Cell::Count(painted as u64)),
            Cell::Count(work.generated as u64),
            Cell::Seconds(time(&work)),
            Cell::Count(nodes / count as u64),
            Cell::Seconds(seconds),
            Cell::Number(time(&work) / seconds, 0),
        ]);
    }
    Ok(table)
}

/// The states stored by stack, ours and the paper's.
fn plot(kept: &Kept) -> Plot {
    let axes = ["length of the shortest solution", "states stored"];
    let mut plot = Plot::new(
        "lee-states",
        "States stored by bidirectional A*: opposite faces, ties by stack, and the paper",
        axes,
        [false, true],
    );
    let parts = [0, 1, 3].map(|number| &PARTS[number]);
    for part in parts {
        let works = POSITIONS.iter().filter_map(|&(length, _)| Some((length, Work::opposite(kept, part, length)?)));
        let solved = works.filter(|(_, work)| work.is_solved);
        plot = plot.series(part.name(), solved.map(|(length, work)| (length.into(), work.stored)));
    }
    for part in parts {
        let name = if part.d_for.is_some() { "stack" } else { "queue" };
        let printed = part.paper(name).expect("the paper has the rule");
        let points = POSITIONS.iter().zip(printed).filter(|(_, stored)| *stored <= STATES);
        plot = plot.printed(
            format!("{}, paper", part.name()),
            points.map(|(&(length, _), stored)| (f64::from(length), stored as f64)),
        );
    }
    plot
}
