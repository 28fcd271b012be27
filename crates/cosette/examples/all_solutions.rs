//! All shortest solutions, with what happens meanwhile and a time limit:
//! `cargo run --release --example all_solutions -- "U R2 F B R B2 R U2 L B2" 60`.

use cosette::cube::DisplayMoves;
use cosette::search::{Event, Outcome};
use cosette::{Cube, Solver};
use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: all_solutions [POSITION [SECONDS]]");
        return Ok(());
    }
    let mut args = std::env::args().skip(1);
    let position: Cube = args
        .next()
        .as_deref()
        .unwrap_or("U R2 F B R B2 R U2 L B2")
        .parse()?;
    let seconds: u64 = args.next().as_deref().unwrap_or("60").parse()?;

    let solver = Solver::builder().open()?;
    let on_event = |event: Event<'_>| match event {
        Event::IterationStarted { length } => eprintln!("at least {length} moves"),
        Event::Solution(moves) => {
            eprintln!("at most {} moves: {}", moves.len(), DisplayMoves(moves))
        }
        _ => {}
    };
    let report = solver
        .search(&position)
        .all()
        .timeout(Duration::from_secs(seconds))
        .on_event(on_event)
        .run();

    for solution in &report.solutions {
        println!("{}", DisplayMoves(solution));
    }
    match report.outcome {
        Outcome::Optimal => println!(
            "solutions of {} moves: {}",
            report.lower_bound,
            report.solutions.len()
        ),
        _ => println!("stopped; at least {} moves are needed", report.lower_bound),
    }
    Ok(())
}
