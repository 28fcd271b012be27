//! Messages between ranks: any bytes are refused or read, and what is read and written again is the same message.
#![no_main]

use cosette_mpi::fuzzing::{Reply, Request, read_greetings};
use libfuzzer_sys::fuzz_target;
use serde::{Serialize, de::DeserializeOwned};

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    match choice % 3 {
        0 => check::<Request>(bytes),
        1 => check::<Reply>(bytes),
        _ => {
            let texts: Vec<String> =
                bytes.split(|&byte| byte == 0).map(|text| String::from_utf8_lossy(text).into_owned()).collect();
            let _ = read_greetings(&texts);
        }
    }
});

fn check<M: Serialize + DeserializeOwned>(bytes: &[u8]) {
    let Ok(message) = postcard::from_bytes::<M>(bytes) else { return };
    let written = postcard::to_stdvec(&message).expect("messages are plain values");
    let again: M = postcard::from_bytes(&written).expect("what is written is read");
    assert_eq!(postcard::to_stdvec(&again).expect("messages are plain values"), written);
}
