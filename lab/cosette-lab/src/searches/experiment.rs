//! The plain searches on short random walks.

use super::{PlainLimits, PlainResult, a_star, breadth_first, deepening, depth_first, greedy, uniform_cost};
use crate::error::LabError;
use crate::experiment::{Effort, Experiment, Plot, Request};
use crate::form::{Form, row};
use crate::ida::{Ida, IdaLimits};
use crate::lab::Lab;
use crate::manhattan::{Heuristic, Manhattan};
use crate::walks::random_walks;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric};
use std::time::Instant;

type Search = fn(&Cube, &Manhattan, &PlainLimits<'_>) -> PlainResult;

/// The searches and their names, IDA* beside them, and whether a solution is always a shortest one.
const SEARCHES: [(&str, Search, bool); 7] = [
    ("breadth-first", |position, _, limits| breadth_first(position, limits), true),
    ("depth-first, to 5 moves", |position, _, limits| depth_first(position, DEEPEST, limits), false),
    ("depth-first, iterative deepening", |position, _, limits| deepening(position, limits), true),
    ("greedy best-first", greedy, false),
    ("uniform cost", uniform_cost, true),
    ("A*", a_star, true),
    ("IDA*", ida_star, true),
];

/// How many moves the search makes that goes down without deepening.
const DEEPEST: u8 = 5;

fn ida_star(position: &Cube, bound: &Manhattan, limits: &PlainLimits<'_>) -> PlainResult {
    let ida = Ida { bound, metric: Metric::Htm };
    let last = IdaLimits { nodes: limits.generated, ..IdaLimits::default() };
    let alone = limits.control.clone().with_threads(ThreadCount::ONE);
    let found = ida.search(position, &last, &mut |_| {}, &alone);
    let generated = found.iterations.iter().map(|iteration| iteration.nodes).sum();
    let moves = found.solutions.into_iter().next();
    let stored = moves.as_ref().map_or(0, |moves| moves.len() as u64 + 1);
    PlainResult { moves, generated, stored }
}

/// How long the walks are, how many of each length, and after how many nodes generated or stored a search gives up.
struct Size {
    longest: usize,
    walks: usize,
    generated: u64,
    stored: u64,
}

const fn size(effort: Effort) -> Size {
    match effort {
        Effort::Quick => Size { longest: 8, walks: 3, generated: 10_000_000, stored: 1_000_000 },
        Effort::Full => Size { longest: 10, walks: 10, generated: 200_000_000, stored: 10_000_000 },
    }
}

/// The seed, unless another is asked for.
const SEED: u64 = 2006;

/// Each search on random walks: how far it comes, and what that takes.
pub fn searches(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (size, seed) = (size(request.effort), request.seed_or(SEED));
    let mut form = Form::read(include_str!("../../pages/nargolkar-experiments.md"), "searches");
    form.say("walks", size.walks).say("longest", size.longest).say("seed", seed);
    form.say("generated", size.generated).say("stored", size.stored);
    let axes = ["moves of the walk", "nodes generated"];
    let mut plot =
        Plot::new("plain-searches", "Nodes of the plain searches, where all walks were solved", axes, [false, true]);
    for (name, search, is_shortest) in SEARCHES {
        let mut rows = Vec::new();
        for length in 1..=size.longest {
            lab.step(&format!("solving walks by {name}"), length as u64, size.longest as u64);
            rows.push((length, Row::measure(lab, &size, (seed, length), search)?));
        }
        let (all, rest) = rows.split_at(rows.iter().take_while(|(_, row)| row.solved == size.walks).count());
        plot = plot.series(name, all.iter().map(|(length, row)| (*length as f64, row.generated)));
        let longer = rest.iter().filter(|(_, row)| row.solved > 0);
        let longer: Vec<String> = longer.map(|(length, row)| format!("{} of {length}", row.solved)).collect();
        let longer = (!longer.is_empty()).then(|| longer.join(", "));
        let is_shortest = if is_shortest { "yes" } else { "no" };
        if let Some((length, Row { moves, generated, stored, seconds, .. })) = all.last() {
            let [moves, generated, stored, seconds] = [*moves, *generated, *stored, *seconds];
            form.table("searches").row(row![name, is_shortest, *length, moves, generated, stored, seconds, longer]);
        }
    }
    Ok(form.experiment().plots([plot]))
}

/// The means of one search over the walks of one length that it has solved.
#[derive(Default)]
struct Row {
    solved: usize,
    moves: f64,
    generated: f64,
    stored: f64,
    seconds: f64,
}

impl Row {
    fn measure(lab: &Lab<'_>, size: &Size, (seed, length): (u64, usize), search: Search) -> Result<Row, LabError> {
        let limits = PlainLimits { generated: size.generated, stored: size.stored, control: &lab.control };
        let mut row = Row::default();
        for walk in random_walks(seed.wrapping_add(length as u64), length).take(size.walks) {
            let position = Cube::from_moves(&walk);
            let bound = Manhattan::new(Heuristic::Larger, Metric::Htm);
            let start = Instant::now();
            let found = search(&position, &bound, &limits);
            lab.check()?;
            if let Some(solution) = found.moves {
                assert!(position.after(&solution).is_solved(), "{solution:?} does not solve {position:?}");
                row.solved += 1;
                row.moves += solution.len() as f64;
                row.generated += found.generated as f64;
                row.stored += found.stored as f64;
                row.seconds += start.elapsed().as_secs_f64();
            }
        }
        for sum in [&mut row.moves, &mut row.generated, &mut row.stored, &mut row.seconds] {
            *sum /= row.solved as f64;
        }
        Ok(row)
    }
}
