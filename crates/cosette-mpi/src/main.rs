//! The command `cosette-mpi`; what it does is in the library of this crate.

fn main() -> std::process::ExitCode {
    cosette_mpi::main()
}
