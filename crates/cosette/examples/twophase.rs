//! How short the solutions of the two-phase search are after how long, and how soon there is one of 21 moves:
//!
//! ```text
//! cargo run --release -p cosette --example twophase [POSITIONS [SECONDS]]
//! ```

use cosette::Cancel;
use cosette::cube::{Cube, random_positions};
use cosette::twophase::{Limits, TwoPhase};
use std::time::{Duration, Instant};

/// When there was a solution of which length.
type Run = Vec<(Duration, usize)>;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count = arguments.next().map_or(100, |text| text.parse().expect("a number of positions"));
    let seconds = arguments.next().map_or(0.05, |text| text.parse().expect("a number of seconds"));

    let start = Instant::now();
    TwoPhase::get();
    println!("tables filled in {:.1?}", start.elapsed());
    let start = Instant::now();
    let (runs, nodes): (Vec<Run>, Vec<u64>) = random_positions(1).take(count).map(|cube| run(&cube, seconds)).unzip();
    let nodes = nodes.iter().sum::<u64>();
    println!("{count} positions, {:.0} ns a node", start.elapsed().as_nanos() as f64 / nodes as f64);

    println!("\n  after   solved    mean    to 18     19     20   more");
    for ms in [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].into_iter().filter(|&ms: &u32| f64::from(ms) <= seconds * 1e3)
    {
        let after = Duration::from_millis(ms.into());
        let best = |run: &Run| run.iter().take_while(|(time, _)| *time <= after).last().map(|&(_, length)| length);
        let lengths: Vec<usize> = runs.iter().filter_map(best).collect();
        let percent = |part: usize| 100.0 * part as f64 / count as f64;
        let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        let share = |least, most| percent(lengths.iter().filter(|length| (least..=most).contains(*length)).count());
        let shares = [share(0, 18), share(19, 19), share(20, 20), share(21, 30)];
        let [a, b, c, d] = shares.map(|share| format!("{share:5.1} %"));
        println!("{ms:4} ms  {:5.1} %  {mean:.2}  {a}{b}{c}{d}", percent(lengths.len()));
    }

    let first = |run: &Run| run.iter().find(|(_, length)| *length <= 21).map(|(time, _)| time.as_secs_f64() * 1e3);
    let mut firsts: Vec<f64> = runs.iter().filter_map(first).collect();
    firsts.sort_by(f64::total_cmp);
    let mean = firsts.iter().sum::<f64>() / firsts.len() as f64;
    let [half, most, all] = [50, 99, 100].map(|percent| firsts[(firsts.len() * percent / 100).min(firsts.len() - 1)]);
    println!(
        "\n21 moves at most for {} of {count}: after {mean:.1} ms in the mean, half of them within {half:.1}, 99 % within {most:.1}, all within {all:.1}",
        firsts.len()
    );
}

fn run(cube: &Cube, seconds: f64) -> (Run, u64) {
    let start = Instant::now();
    let limits = Limits { deadline: Some(start + Duration::from_secs_f64(seconds)), ..Limits::default() };
    let mut run = Run::new();
    let mut on_solution = |moves: &[_]| run.push((start.elapsed(), moves.len()));
    let found = TwoPhase::get().search(cube, &limits, &mut on_solution, &Cancel::new());
    (run, found.nodes)
}
