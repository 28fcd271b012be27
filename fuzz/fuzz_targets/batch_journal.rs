//! Journals of batches with valid checksums: a batch is opened with its answers checked, or refused.
#![no_main]

use cosette::cube::{Cube, parse_moves};
use cosette_app::batch::{Batch, List};
use cosette_fuzz::{batch_list, check_message, path, journal_with_checksums};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::sync::OnceLock;

fuzz_target!(|data: &[u8]| {
    static LIST: OnceLock<List> = OnceLock::new();
    let (list, settings) = (LIST.get_or_init(batch_list), Default::default());
    let path = path("journal");
    let journal = journal_with_checksums(data);
    fs::write(&path, &journal).unwrap();
    let mut batch = match Batch::open(list.clone(), settings, true, Some(&path)) {
        Ok(batch) => batch,
        Err(error) => return check_message(&String::from_utf8_lossy(data), &error.to_string()),
    };
    for (number, entry) in list.entries().iter().enumerate() {
        let Ok(Some(answer)) = batch.answer(number) else { continue };
        let cube: &Cube = &entry.input.as_ref().expect("only positions are answered").cube;
        for solution in &answer.solutions {
            let solution = parse_moves(solution, &Default::default()).expect("it was checked");
            assert!(cube.after(solution.moves()).is_solved());
        }
    }
    assert!(batch.remaining().len() <= 2 && batch.answered() <= 3);
    batch.commit().unwrap();
    drop(batch);
    // Opened again, it is the same.
    let before = fs::read(&path).unwrap();
    drop(Batch::open(list.clone(), settings, true, Some(&path)).unwrap());
    assert_eq!(fs::read(&path).unwrap(), before);
});
