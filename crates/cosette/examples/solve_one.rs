//! Solves the position on the command line: `cargo run --release --example solve_one -- "R U2 F'"`.

fn main() -> Result<(), cosette::Error> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: solve_one [POSITION]");
        return Ok(());
    }
    let position = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "R U2 F'".to_owned());
    let solution = cosette::solve(&position)?;
    println!("{solution}: {} moves, proven", solution.length());
    Ok(())
}
