//! The command `cosette-mpi`; what it does is in the library of this crate.

use cosette_app::cli::memory;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::Allocator = memory::Allocator;

fn main() -> ExitCode {
    cosette_mpi::main()
}
