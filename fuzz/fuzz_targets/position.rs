//! Positions in all formats: none makes the reader panic, and what is read and written again is the same position.
#![no_main]

use cosette::cube::{Format, ReadOptions};
use cosette_fuzz::check_position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    let format = Format::ALL.get(usize::from(choice & 7)).copied();
    check_position(&text, format, &ReadOptions { niss: choice & 8 != 0 });
});
