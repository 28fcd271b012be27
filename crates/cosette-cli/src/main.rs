//! The command `cosette`.

use std::process::ExitCode;

fn main() -> ExitCode {
    cosette_cli::main()
}
