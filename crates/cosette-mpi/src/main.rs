//! The command `cosette-mpi`, which the library of this crate implements.

fn main() -> std::process::ExitCode {
    cosette_mpi::main()
}
