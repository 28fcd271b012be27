//! Every fuzz target, under libFuzzer: the name of the program says which.
#![no_main]

use libfuzzer_sys::fuzz_target;

// What a target prepares takes longer than an input may.
fuzz_target!(init: cosette_fuzz::target(env!("CARGO_BIN_NAME"))(b""), |data: &[u8]| {
    cosette_fuzz::target(env!("CARGO_BIN_NAME"))(data);
});
