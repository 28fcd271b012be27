//! The server `cosette-web`.

fn main() -> std::process::ExitCode {
    cosette_web::main()
}
