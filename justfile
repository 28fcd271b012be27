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

# The Python package in a virtual environment of its own, and its tests.
python:
    .ci/python

# Format all, then lint.
tidy:
    cargo fmt --all
    cargo clippy --release --workspace --all-targets -- -D warnings

# Each operation of the kernels, with each set of instructions that this machine has.
bench:
    cargo bench

# Measure this machine and keep the record: `just record laptop`. Minutes, in which nothing else should run.
record machine:
    cargo build --release
    set -e; for bench in memory "search --set 16,17,18" gen load; do \
        target/release/cosette bench $bench --json; \
    done > bench/records/$(date -u +%F)-{{machine}}.jsonl

# The documentation of the library, in a browser.
doc:
    cargo doc --release --no-deps --open

# The parallel search of 2006 on 1, 2, 4 and 8 ranks, and its page: a quarter of an hour, in which nothing else should run.
thesis:
    cargo build --release -p cosette-mpi
    rm -f target/thesis-*.jsonl
    set -e; for np in 1 2 4 8; do \
        rebuild=$(test $np -gt 2 || echo --rebuild); \
        mpirun --bind-to none --oversubscribe -np $np target/release/cosette-mpi thesis $rebuild \
            --record target/thesis-$np.jsonl; \
    done
    target/release/cosette-mpi thesis --page docs/lab target/thesis-*.jsonl
