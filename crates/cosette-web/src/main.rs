//! The server `cosette-web`.

fn main() -> std::process::ExitCode {
    // What a large request has freed is given back to the system.
    cosette_app::cli::memory::use_one_heap();
    cosette_web::main()
}
