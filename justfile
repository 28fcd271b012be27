# Short names for what one does often. `just` lists them.

_default:
    @just --list

# All that a change must pass.
ci:
    .ci/run

# The tests of every day.
test:
    cargo test --release

# The deep rows of the oracles too: some minutes, up to 3 GB.
test-all:
    cargo test --release -- --include-ignored

# Format all, then lint.
tidy:
    cargo fmt --all
    cargo clippy --release --workspace --all-targets -- -D warnings

# The documentation of the library, in a browser.
doc:
    cargo doc --release --no-deps --open
