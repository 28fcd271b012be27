//! Your own folder for tables, memory limit and number of threads:
//! `cargo run --release --example own_tables -- /tmp/tables 100000000 2 "R U2 F'"`.

use cosette::{Cube, Progress, Solver};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: own_tables [FOLDER [BYTES [THREADS [POSITION]]]]");
        return Ok(());
    }
    let mut args = std::env::args().skip(1);
    let folder = args.next().unwrap_or_else(|| "tables".to_owned());
    let memory: u64 = args.next().as_deref().unwrap_or("100000000").parse()?;
    let threads: usize = args.next().as_deref().unwrap_or("2").parse()?;
    let position: Cube = args.next().as_deref().unwrap_or("R U2 F'").parse()?;

    // The largest table on disk that fits, or else a small one, which is generated into the folder.
    let on_progress =
        |step: &str, progress: Progress| eprintln!("{step}: {} %", progress.percent());
    let solver = Solver::builder()
        .folder(folder)
        .memory(memory)
        .threads(threads)
        .on_progress(on_progress)
        .open()?;

    let solution = solver.solve(&position);
    println!(
        "{}: {solution}, {} nodes",
        solver.table().id(),
        solution.report().nodes()
    );
    Ok(())
}
