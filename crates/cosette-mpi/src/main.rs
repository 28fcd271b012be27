//! The command `cosette-mpi`; what it does is in the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    cosette_mpi::main()
}
