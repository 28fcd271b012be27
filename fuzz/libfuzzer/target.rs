//! Every fuzz target, under libFuzzer: the name of the program selects one.
#![no_main]

use libfuzzer_sys::fuzz_target;

// Preparing a target takes longer than the time limit of an input.
fuzz_target!(init: cosette_fuzz::target(env!("CARGO_BIN_NAME"))(b""), |data: &[u8]| {
    cosette_fuzz::target(env!("CARGO_BIN_NAME"))(data);
});
