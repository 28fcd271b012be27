//! A search in async code. It runs on a thread of tokio's for blocking work, and stops when its
//! future is dropped, for instance by a timeout or because a client has gone:
//! `cargo run --release --example async_search -- "U R2 F B R B2 R U2 L B2" 10`.

use cosette::{Cancel, Cube, DisplayMoves, Report, Solver};
use std::time::Duration;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// Cancels a token when it is dropped.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Finds all shortest solutions without blocking the runtime. Dropping the future stops the search
/// within milliseconds.
async fn search(solver: &Solver, position: Cube) -> Report {
    let guard = CancelOnDrop(Cancel::new());
    let cancel = guard.0.clone();
    // Clones share the table.
    let solver = solver.clone();
    let searching =
        spawn_blocking(move || solver.search(&position).all().with_cancel(&cancel).run());
    searching.await.expect("searches do not panic")
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some("-h" | "--help") = std::env::args().nth(1).as_deref() {
        println!("usage: async_search [POSITION [SECONDS]]");
        return Ok(());
    }
    let mut args = std::env::args().skip(1);
    let position = args.next();
    let position: Cube = position
        .as_deref()
        .unwrap_or("U R2 F B R B2 R U2 L B2")
        .parse()?;
    let seconds: u64 = args.next().as_deref().unwrap_or("10").parse()?;

    // Opening a solver takes a second, or some more if a table has to be generated.
    let solver = spawn_blocking(|| Solver::builder().open()).await??;
    match timeout(Duration::from_secs(seconds), search(&solver, position)).await {
        Ok(report) => {
            for solution in &report.solutions {
                println!("{}", DisplayMoves(solution));
            }
        }
        Err(_) => println!("no answer within {seconds} s; the search was stopped"),
    }
    Ok(())
}
