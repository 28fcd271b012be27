//! Solves positions from standard input, one per line, several at a time, and answers in their
//! order: `printf 'R U\nF2 D\n' | cargo run --release --example solve_many`.

use cosette::{Cube, Solver};
use std::io::{self, BufRead};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: solve_many < POSITIONS");
        return Ok(());
    }
    let solver = Solver::builder().open()?;
    let mut positions = Vec::new();
    for (line, text) in (1..).zip(io::stdin().lock().lines()) {
        match text?.parse::<Cube>() {
            Ok(position) => positions.push(position),
            Err(error) => eprintln!("line {line}: {error}"),
        }
    }
    for solution in solver.solve_many(positions) {
        println!("{}\t{solution}", solution.length());
    }
    Ok(())
}
