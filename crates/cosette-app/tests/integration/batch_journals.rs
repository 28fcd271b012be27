//! Journals of batches: started, continued, torn, damaged and refused.

use super::support::{POSITIONS, TEXTS, answers, damaged_copies, hurried, line_ends, open, solve};
use cosette::cube::Metric;
use cosette::search::SolutionCount;
use cosette::search::SolveResult;
use cosette_app::batch::{BatchError, Stats};
use cosette_app::journal::{JournalError, JournalErrorKind};
use cosette_app::request::Request;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder, and a journal in it with all answers, each in a commit of its own.
fn complete(texts: &[&str], request: Request) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let mut batch = open(texts, request.clone(), Some(&path)).unwrap();
    for (number, answer) in answers(texts, request) {
        if batch.remaining().contains(&number) {
            batch.record(number, answer).unwrap();
            batch.commit().unwrap();
        }
    }
    (folder, path)
}

/// Continues from a journal: how many positions it answered, and that all are answered in the end.
fn resumed(path: &Path) -> usize {
    let mut batch = open(&TEXTS, Request::default(), Some(path)).unwrap();
    let before = batch.answered();
    let to_do = batch.remaining();
    let solved = solve(&mut batch);
    assert!(to_do.iter().all(|number| solved.contains_key(number)));
    assert_eq!(batch.answered(), POSITIONS.len());
    for number in POSITIONS {
        let answer = batch.answer(number).unwrap().unwrap();
        assert_eq!(answer.input, batch.list().entries()[number].text);
    }
    before
}

/// Why the journal is refused.
fn refusal(texts: &[&str], request: Request, path: &Path) -> JournalError {
    match open(texts, request, Some(path)) {
        Err(BatchError::Journal(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is accepted"),
    }
}

/// The positions without an answer in the journal.
fn remaining(texts: &[&str], path: &Path) -> Vec<usize> {
    let batch = open(texts, Request::default(), Some(path)).unwrap();
    batch.remaining()
}

#[test]
fn a_journal_is_continued() {
    let (_folder, path) = complete(&TEXTS, Request::default());
    let bytes = fs::read(&path).unwrap();
    assert_eq!(resumed(&path), POSITIONS.len());
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // Each line is JSON of its own.
    for line in String::from_utf8(bytes).unwrap().lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).unwrap()["body"].is_object());
    }
    let stats = Stats::of_journal(&path).unwrap();
    assert_eq!([stats.listed, stats.answered, stats.proven], [7, 6, 6]);
}

#[test]
fn a_torn_commit_is_cut_off() {
    let (_folder, path) = complete(&TEXTS, Request::default());
    let bytes = fs::read(&path).unwrap();
    let ends = line_ends(&bytes);
    let cuts = (0..bytes.len()).step_by(97);
    for length in cuts.chain(bytes.len() - 3..bytes.len()) {
        fs::write(&path, &bytes[..length]).unwrap();
        let records = ends.iter().filter(|&&end| end <= length).count();
        // Members of a class whose others are answered are answered when it is opened.
        assert!(resumed(&path) >= records.saturating_sub(1), "{length}");
    }
    for rest in [
        &[0; 5000][..],
        b"\n\n\xff\n",
        b"{\"check\":\"0000000000000000\",\"body\":{}}\n",
    ] {
        fs::write(&path, [&bytes, rest].concat()).unwrap();
        assert_eq!(resumed(&path), POSITIONS.len());
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    // The beginning of a commit may be lost although its end is there.
    let (before, last) = bytes.split_at(ends[ends.len() - 2]);
    fs::write(&path, [before, &[0; 300], b"\n", last].concat()).unwrap();
    resumed(&path);
}

#[test]
fn a_line_damaged_later_is_left_out() {
    let texts = ["R U F", "R2", "D"];
    let (_folder, path) = complete(&texts, Request::default());
    let bytes = fs::read(&path).unwrap();
    let damage = |at: usize| {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        fs::write(&path, damaged).unwrap();
    };
    damage(line_ends(&bytes)[0] + 200);
    assert_eq!(Stats::of_journal(&path).unwrap().answered, 2);
    let mut batch = open(&texts, Request::default(), Some(&path)).unwrap();
    assert_eq!(batch.remaining(), [0]);
    solve(&mut batch);
    drop(batch);
    // The new records stand after the damage, which stays.
    assert!(remaining(&texts, &path).is_empty());
    damage(50);
    let refused = refusal(&texts, Request::default(), &path).kind;
    assert!(matches!(refused, JournalErrorKind::Damaged { line: 1, .. }));
}

#[test]
fn no_damage_makes_a_journal_say_anything_that_it_did_not_say() {
    let texts = ["R U F", "R2", "U F", "D2 L'"];
    let (_folder, path) = complete(&texts, Request::default());
    let bytes = fs::read(&path).unwrap();
    // The answers in it, or why it is refused.
    let content = |bytes: &[u8]| -> Result<Vec<Option<SolveResult>>, BatchError> {
        fs::write(&path, bytes).unwrap();
        let batch = open(&texts, Request::default(), Some(&path))?;
        let answers = (0..texts.len()).map(|number| batch.answer(number).unwrap());
        Ok(answers.collect())
    };
    let said = content(&bytes).unwrap();
    let mut read = 0;
    let mut refused = 0;
    for (damage, copy) in damaged_copies(&bytes, 100) {
        match content(&copy) {
            Ok(answers) => {
                read += 1;
                let mut answers = answers.iter().zip(&said);
                assert!(
                    answers.all(|(now, once)| now.is_none() || now == once),
                    "{damage}"
                );
            }
            Err(BatchError::Journal(error)) => {
                refused += 1;
                let is_of_head = matches!(
                    error.kind,
                    JournalErrorKind::Damaged { line: 1, .. }
                        | JournalErrorKind::NotAJournal
                        | JournalErrorKind::Mismatch { .. }
                );
                assert!(is_of_head, "{damage}: {error}");
            }
            Err(error) => panic!("{damage}: {error}"),
        }
    }
    // Ten copies at least have no whole first line; how many ranges reach into it is left to the
    // length of the journal.
    assert!(
        read > 200 && refused >= 10,
        "{read} read, {refused} refused"
    );
}

#[test]
fn a_line_of_another_journal_is_damage() {
    let (_folder, path) = complete(&TEXTS, Request::default());
    let all = Request {
        count: SolutionCount::All,
        ..Request::default()
    };
    let (_other_folder, other) = complete(&TEXTS, all);
    let bytes = fs::read_to_string(&path).unwrap();
    let other = fs::read_to_string(&other).unwrap();
    fs::write(&path, format!("{bytes}{}\n", other.lines().last().unwrap())).unwrap();
    assert_eq!(resumed(&path), POSITIONS.len());
    assert_eq!(fs::read_to_string(&path).unwrap(), bytes);
}

#[test]
fn another_batch_is_refused() {
    let (_folder, path) = complete(&TEXTS, Request::default());
    let qtm = Request {
        metric: Metric::Qtm.into(),
        ..Request::default()
    };
    for (texts, request, reason) in [
        (
            &TEXTS[..],
            qtm,
            "was started with --metric htm, not with --metric qtm",
        ),
        (
            &["R"],
            Request::default(),
            "of 7 positions, including invalid lines, not of 1 position",
        ),
    ] {
        let refused = refusal(texts, request, &path).to_string();
        assert!(refused.contains(reason), "{refused}");
    }
    let _batch = open(&TEXTS, Request::default(), Some(&path)).unwrap();
    let refused = refusal(&TEXTS, Request::default(), &path).kind;
    assert!(matches!(refused, JournalErrorKind::Locked));
}

#[test]
fn texts_without_an_answer_can_be_corrected() {
    let (_folder, path) = complete(&TEXTS, Request::default());
    let mut corrected = TEXTS;
    corrected[1] = "R U D";
    let mut batch = open(&corrected, Request::default(), Some(&path)).unwrap();
    assert_eq!(batch.answered(), POSITIONS.len());
    assert_eq!(batch.remaining(), [1]);
    solve(&mut batch);
    drop(batch);
    assert!(remaining(&corrected, &path).is_empty());
    // Now it has one.
    let refused = refusal(&TEXTS, Request::default(), &path).to_string();
    assert!(
        refused.ends_with("line 2 was `R U D`, but is now `R U Q`"),
        "{refused}"
    );
    // A line with two alternatives is two positions.
    let split = [&TEXTS[..1], &["U", "D"], &TEXTS[2..]].concat();
    let help = refusal(&split, Request::default(), &path).help().unwrap();
    assert!(help.contains("not removed or split"), "{help}");
}

#[test]
fn other_files_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("positions.txt");
    for text in ["R U F\n", "\0\0\0\0", "{", "{\"check"] {
        fs::write(&path, text).unwrap();
        let refused = refusal(&TEXTS, Request::default(), &path).kind;
        assert!(matches!(refused, JournalErrorKind::NotAJournal), "{text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // The beginning of a head is what a crash leaves of a new journal.
    fs::write(&path, "{\"check\"").unwrap();
    assert!(open(&TEXTS, Request::default(), Some(&path)).is_ok());
    let refused = refusal(&TEXTS, Request::default(), folder.path()).kind;
    assert!(matches!(refused, JournalErrorKind::Io { .. }));
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_journals() {
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for refused in [
        refusal(&TEXTS, Request::default(), Path::new("/dev/null")),
        refusal(&TEXTS, Request::default(), &pipe),
        Stats::of_journal(&pipe).unwrap_err(),
    ] {
        assert!(matches!(refused.kind, JournalErrorKind::NotAJournal));
    }
}

#[test]
fn a_position_that_ran_out_of_time_is_tried_again() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let texts = [superflip, "R"];
    let mut batch = open(&texts, hurried(), Some(&path)).unwrap();
    assert_eq!(solve(&mut batch).len(), 2);
    drop(batch);
    assert_eq!(remaining(&texts, &path), [0]);
    // A position whose lengths are ruled out up to the limit is answered.
    let limited = Request {
        max_length: Some(8),
        ..Request::default()
    };
    let path = folder.path().join("limited");
    let open = || open(&[superflip], limited.clone(), Some(&path)).unwrap();
    solve(&mut open());
    assert!(open().remaining().is_empty());
}
