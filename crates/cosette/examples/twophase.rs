//! How good two-phase search is after how long: `cargo run --release --example twophase [POSITIONS [SECONDS]]`.

use cosette::Cancel;
use cosette::cube::random_positions;
use cosette::twophase::{Limits, TwoPhase};
use std::time::{Duration, Instant};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(100, |text| text.parse().expect("a number of positions"));
    let seconds: f64 = arguments.next().map_or(0.05, |text| text.parse().expect("a number of seconds"));

    let start = Instant::now();
    let tables = TwoPhase::get();
    println!("tables filled in {:.1?}", start.elapsed());

    // For each position, when it had a solution of which length.
    let mut nodes = 0;
    let runs: Vec<Vec<(Duration, usize)>> = random_positions(1)
        .take(count)
        .map(|position| {
            let start = Instant::now();
            let limits = Limits { deadline: Some(start + Duration::from_secs_f64(seconds)), ..Limits::default() };
            let mut run = Vec::new();
            let found = tables.search(
                &position,
                &limits,
                &mut |moves| run.push((start.elapsed(), moves.len())),
                &Cancel::new(),
            );
            nodes += found.nodes;
            run
        })
        .collect();
    println!("{:.0} ns a node", seconds * 1e9 * count as f64 / nodes as f64);

    println!("after      solved  mean length  of 18 and less  19  20  21 and more");
    for after in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        .into_iter()
        .filter(|ms| *ms <= seconds * 1e3)
    {
        let best = |run: &Vec<(Duration, usize)>| {
            run.iter().take_while(|(time, _)| time.as_secs_f64() * 1e3 <= after).last().map(|&(_, length)| length)
        };
        let lengths: Vec<usize> = runs.iter().filter_map(best).collect();
        let percent = |part: usize| 100.0 * part as f64 / count as f64;
        let share = |has: &dyn Fn(usize) -> bool| percent(lengths.iter().filter(|&&length| has(length)).count());
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        println!(
            "{after:6.1} ms {:6.1} %  {mean:.3}  {:5.1} % {:5.1} % {:5.1} % {:5.1} %",
            percent(lengths.len()),
            share(&|l| l <= 18),
            share(&|l| l == 19),
            share(&|l| l == 20),
            share(&|l| l >= 21)
        );
    }
    let mut firsts: Vec<f64> = runs
        .iter()
        .map(|run| {
            run.iter().find(|(_, length)| *length <= 21).map_or(f64::INFINITY, |(time, _)| time.as_secs_f64() * 1e3)
        })
        .collect();
    firsts.sort_by(f64::total_cmp);
    println!(
        "first solution of 21 moves at most: mean {:.2} ms, median {:.2}, 99 % within {:.2}, all within {:.2}",
        firsts.iter().sum::<f64>() / count as f64,
        firsts[count / 2],
        firsts[count * 99 / 100],
        firsts[count - 1]
    );
}
