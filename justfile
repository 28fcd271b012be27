# Short names for frequent tasks. `just` lists them.

_default:
    @just --list

# Everything that a change must pass.
ci:
    .ci/run

# The everyday tests.
test:
    cargo test --release

# Also the deep rows of the oracles: a few minutes, up to 3 GB.
test-all:
    cargo test --release -- --include-ignored

# Make and try what is released, before a release: a quarter of an hour.
release:
    .ci/release full

# Build the command for Windows and run it under Wine: ten minutes.
windows:
    .ci/windows

# Install the Python package in a fresh virtual environment and test it.
python:
    .ci/python

# Build the npm package and test it in Node and Chromium.
npm:
    .ci/npm

# Build the static page, with the engine in WebAssembly, into target/site, for any host of files.
site:
    crates/cosette-js/npm/build
    npm --prefix crates/cosette-web/ui ci
    npm --prefix crates/cosette-web/ui run site

# Check the format and the lints, and warn about phrases in changed lines (CONTRIBUTING.md).
lint:
    cargo fmt --all --check
    cargo clippy --release --workspace --all-targets -- -D warnings
    .ci/prose

# Format all, then lint.
tidy:
    cargo fmt --all
    npm --prefix crates/cosette-web/ui run format
    ruff format $(git ls-files '*.py' '*.pyi' && git grep -l '^#!/usr/bin/env python3' -- .ci bench)
    just lint

# Fuzz each target for an hour, one a processor; `.ci/fuzz 60 position` fuzzes one for a minute.
fuzz:
    .ci/fuzz 3600

# Run what takes long, before a release: fuzzing, sanitizers, long attacks, packages.
nightly:
    .ci/nightly

# Small tests under Miri, and generation and search under AddressSanitizer and ThreadSanitizer.
sanitizers:
    .ci/miri
    .ci/sanitizers

# Check licences, sources and advisories of the dependencies.
deny:
    .ci/deny

# Write THIRD-PARTY.txt, the licences of what is linked into the programs.
third-party:
    .ci/third-party

# Measure each operation of the kernels, with each instruction set of this machine.
bench:
    cargo bench

# Measure this machine, in minutes, while nothing else runs, and keep it: `just record laptop`.
record machine:
    cargo build --release
    set -e; for bench in memory "search --set 16,17,18" gen load; do \
        target/release/cosette bench $bench --json; \
    done > bench/records/$(date -u +%F)-{{machine}}.jsonl

# Draw the pictures of README.md again, from real runs.
pictures:
    npm --prefix crates/cosette-web/ui run bundle
    cargo build --release -p cosette-cli -p cosette-web
    python3 docs/images/terminal.py target/release
    node docs/images/page.mjs target/release/cosette-web

# Show the documentation of the library in a browser.
doc:
    cargo doc --release --no-deps --open

# Compute the records of the lab's pages anew, some ten minutes in which nothing else should run. The
# program must be built from a commit, which the records name.
lab-records:
    cargo build --release -p cosette-lab
    set -e; for paper in korf reid fiat nargolkar thistlethwaite kociemba; do \
        target/release/cosette-lab $paper --record lab/cosette-lab/results > target/lab-records.txt; \
    done
    just lab

# Write the pages of the lab from its records (`just lab-records`) and the results of its long runs (`just lab-long`).
lab:
    cargo build --release -p cosette-lab
    target/release/cosette-lab report --out docs/lab

# Continue the searches that take hours, for so many seconds each; INSTANCES holds Korf's ten.
# Engines whose lines are removed from engines.txt are measured again.
lab-long INSTANCES SECONDS="3600":
    cargo build --release -p cosette-lab
    target/release/cosette-lab reid superflip --full --results lab/cosette-lab/results --timeout {{SECONDS}}
    target/release/cosette-lab korf instances --full --results lab/cosette-lab/results --instances {{INSTANCES}} --timeout {{SECONDS}}
    target/release/cosette-lab reid korf-ten-by-reid --full --results lab/cosette-lab/results --instances {{INSTANCES}} --timeout {{SECONDS}}
    target/release/cosette-lab engines --full --results lab/cosette-lab/results

# The parallel search of 2006 on 1, 2, 4 and 8 ranks, the sequential one further, and their page: an hour or more. It continues what
# was stopped; remove the file of results to begin anew.
nargolkar:
    cargo build --release -p cosette-lab-mpi
    set -e; for np in 1 2 4 8; do \
        rebuild=$(test $np -gt 2 || echo --rebuild); \
        mpirun --bind-to none --oversubscribe -np $np target/release/cosette-lab-mpi nargolkar --budget 20000000 $rebuild \
            --record lab/cosette-lab-mpi/results/nargolkar.jsonl; \
    done
    target/release/cosette-lab-mpi nargolkar --sequential --metric qtm --budget 5000000000 \
        --record lab/cosette-lab-mpi/results/nargolkar.jsonl
    just nargolkar-page

# The proof that the superflip needs 20 half turns, with its symmetry, on 1, 2, 4, 6 and 8 ranks: an hour on two quiet
# cores, and 0.7 GB of memory a rank.
nargolkar-superflip:
    cargo build --release -p cosette-lab-mpi
    echo "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR" > target/superflip.txt
    set -e; for np in 1 2 4 6 8; do \
        mpirun --bind-to none --oversubscribe -np $np target/release/cosette-lab-mpi nargolkar \
            --patterns target/superflip.txt --symmetry --metric htm --budget 30000000000 \
            --record lab/cosette-lab-mpi/results/nargolkar.jsonl; \
    done
    just nargolkar-page

# The page of the results that are there: at once.
nargolkar-page:
    target/release/cosette-lab-mpi nargolkar --page docs/lab lab/cosette-lab-mpi/results/nargolkar.jsonl

# Simulate the gain of many cores from recorded solves, for the tables of docs/mpi-scaling.md: twenty
# minutes in which nothing else should run.
scaling:
    cargo build --release -p cosette-cli -p cosette-mpi --bins --examples
    # Five positions of 18 moves; one with a small table, as if it were harder; the superflip up to 19, which proves its 20.
    target/release/cosette scramble -n 10 --seed 2006 | sed -n '1p;2p;5p;7p;10p' > target/scaling.txt
    target/release/examples/scaling trace --table htm-1.5G --record target/scaling-1.5G.jsonl < target/scaling.txt
    head -1 target/scaling.txt | \
        target/release/examples/scaling trace --table htm-24M --max-length 17 --record target/scaling-24M.jsonl
    echo "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2" | \
        target/release/examples/scaling trace --table htm-1.5G --max-length 19 --record target/scaling-superflip.jsonl
    # The seconds of the same solves, to be compared with the simulated ones.
    set -e; for turn in 1 2 3; do for np in 1 2; do \
        crates/cosette-mpi/tests/two-hosts -np $np target/release/cosette-mpi solve --table htm-1.5G --threads 1 --all --json \
            < target/scaling.txt | sed "s/^/$np /"; \
    done; done | sed -E 's/^([0-9]+) .*"facelets":"([^"]*)".*"seconds":([0-9.]+).*/\2 \1 \3/'
    target/release/examples/scaling simulate target/scaling-1.5G.jsonl target/scaling-24M.jsonl \
        target/scaling-superflip.jsonl
