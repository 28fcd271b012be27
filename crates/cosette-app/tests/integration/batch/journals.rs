//! Journals: started, continued, torn, damaged and refused.

use super::support::{POSITIONS, TEXTS, hurried, open, solve};
use crate::support::damaged_copies;
use cosette::cube::Metric;
use cosette::search::SolutionCount;
use cosette_app::batch::{BatchError, Stats};
use cosette_app::journal::{JournalError, JournalErrorKind};
use cosette_app::request::Request;
use cosette_app::solve_result::SolveResult;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder, and a journal in it with all answers.
fn complete() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    solve(&mut open(&TEXTS, Request::default(), Some(&path)).unwrap());
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
        assert_eq!(
            batch.answer(number).unwrap().unwrap().input,
            batch.list().entries()[number].text
        );
    }
    before
}

/// Why the journal is refused.
fn refusal(texts: &[&str], settings: Request, path: &Path) -> JournalError {
    match open(texts, settings, Some(path)) {
        Err(BatchError::Journal(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is accepted"),
    }
}

#[test]
fn a_journal_is_continued() {
    let (_folder, path) = complete();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(resumed(&path), POSITIONS.len());
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // Each line is JSON of its own.
    for line in String::from_utf8(bytes).unwrap().lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).unwrap()["body"].is_object());
    }
    let stats = Stats::of_journal(&path).unwrap();
    assert_eq!((stats.listed, stats.answered, stats.proven), (7, 6, 6));
}

#[test]
fn a_torn_journal_is_continued() {
    let (_folder, path) = complete();
    let bytes = fs::read(&path).unwrap();
    let lines_in = |length: usize| {
        bytes[..length]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
    };
    for length in (0..bytes.len())
        .step_by(97)
        .chain(bytes.len() - 3..bytes.len())
    {
        fs::write(&path, &bytes[..length]).unwrap();
        // Members of a class whose others are answered are answered when it is opened.
        assert!(
            resumed(&path) >= lines_in(length).saturating_sub(1),
            "cut to {length} bytes"
        );
    }
}

#[test]
fn what_an_interrupted_commit_leaves_is_cut_off() {
    let (_folder, path) = complete();
    let bytes = fs::read(&path).unwrap();
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
    let last = bytes[..bytes.len() - 1]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .unwrap()
        + 1;
    fs::write(
        &path,
        [&bytes[..last], &vec![0; 300], b"\n", &bytes[last..]].concat(),
    )
    .unwrap();
    resumed(&path);
}

#[test]
fn a_line_damaged_later_is_left_out() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let texts = ["R U F", "R2", "D"];
    // Three commits.
    let mut batch = open(&texts, Request::default(), Some(&path)).unwrap();
    let answers = solve(&mut open(&texts, Request::default(), None).unwrap());
    for (number, answer) in answers {
        batch.record(number, answer).unwrap();
        batch.commit().unwrap();
    }
    drop(batch);
    let bytes = fs::read(&path).unwrap();
    let first_record = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut damaged = bytes.clone();
    damaged[first_record + 200] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert_eq!(Stats::of_journal(&path).unwrap().answered, 2);
    let mut batch = open(&texts, Request::default(), Some(&path)).unwrap();
    assert_eq!(batch.remaining(), [0]);
    solve(&mut batch);
    drop(batch);
    // What was added stands after the damage, which stays.
    assert!(
        open(&texts, Request::default(), Some(&path))
            .unwrap()
            .remaining()
            .is_empty()
    );
    let mut damaged = bytes.clone();
    damaged[50] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let refused = refusal(&texts, Request::default(), &path);
    assert!(
        matches!(refused.kind, JournalErrorKind::Damaged { line: 1, .. }),
        "{refused}"
    );
}

#[test]
fn no_damage_makes_a_journal_say_anything_that_it_did_not_say() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let texts = ["R U F", "R2", "U F", "D2 L'"];
    let mut batch = open(&texts, Request::default(), Some(&path)).unwrap();
    for (number, answer) in solve(&mut open(&texts, Request::default(), None).unwrap()) {
        batch.record(number, answer).unwrap();
        batch.commit().unwrap();
    }
    drop(batch);
    let bytes = fs::read(&path).unwrap();
    // The answers in it, or why it is refused.
    let content = |bytes: &[u8]| -> Result<Vec<Option<SolveResult>>, BatchError> {
        fs::write(&path, bytes).unwrap();
        let batch = open(&texts, Request::default(), Some(&path))?;
        Ok((0..texts.len())
            .map(|number| batch.answer(number).unwrap())
            .collect())
    };
    let said = content(&bytes).unwrap();
    let (mut read, mut refused) = (0, 0);
    for (damage, copy) in damaged_copies(&bytes, 100) {
        match content(&copy) {
            Ok(answers) => {
                read += 1;
                assert!(
                    answers
                        .iter()
                        .zip(&said)
                        .all(|(now, once)| now.is_none() || now == once),
                    "{damage}"
                );
            }
            Err(BatchError::Journal(JournalError {
                kind:
                    JournalErrorKind::Damaged { line: 1, .. }
                    | JournalErrorKind::NotAJournal
                    | JournalErrorKind::Mismatch { .. },
                ..
            })) => refused += 1,
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
    let (_folder, path) = complete();
    let (_other_folder, other) = complete();
    fs::remove_file(&other).unwrap();
    let all = Request {
        count: SolutionCount::All,
        ..Request::default()
    };
    solve(&mut open(&TEXTS, all, Some(&other)).unwrap());
    let [bytes, other_bytes] = [&path, &other].map(|path| fs::read_to_string(path).unwrap());
    let line = other_bytes.lines().last().unwrap();
    fs::write(&path, format!("{bytes}{line}\n")).unwrap();
    assert_eq!(resumed(&path), POSITIONS.len());
    assert_eq!(fs::read_to_string(&path).unwrap(), bytes);
}

#[test]
fn another_batch_is_refused() {
    let (_folder, path) = complete();
    let qtm = Request {
        metric: Metric::Qtm.into(),
        ..Request::default()
    };
    let refused = refusal(&TEXTS, qtm, &path).to_string();
    assert!(
        refused.contains("was started with --metric htm, not with --metric qtm"),
        "{refused}"
    );
    let refused = refusal(&["R"], Request::default(), &path);
    assert!(
        matches!(&refused.kind, JournalErrorKind::Mismatch { setting, .. } if setting == "list")
    );
    let refused = refused.to_string();
    assert!(
        refused.contains("of 7 positions, including invalid lines, not of 1 position"),
        "{refused}"
    );
    let _batch = open(&TEXTS, Request::default(), Some(&path)).unwrap();
    assert!(matches!(
        refusal(&TEXTS, Request::default(), &path).kind,
        JournalErrorKind::Locked
    ));
}

#[test]
fn texts_without_an_answer_can_be_corrected() {
    let (_folder, path) = complete();
    let mut corrected = TEXTS;
    corrected[1] = "R U D";
    let mut batch = open(&corrected, Request::default(), Some(&path)).unwrap();
    assert_eq!(
        (batch.answered(), batch.remaining()),
        (POSITIONS.len(), vec![1])
    );
    solve(&mut batch);
    drop(batch);
    assert!(
        open(&corrected, Request::default(), Some(&path))
            .unwrap()
            .remaining()
            .is_empty()
    );
    // Now it has one.
    let refused = refusal(&TEXTS, Request::default(), &path);
    assert!(
        refused
            .to_string()
            .ends_with("line 2 was `R U D`, but is now `R U Q`"),
        "{refused}"
    );
    // A line with two alternatives is two positions.
    let refused = refusal(
        &[&TEXTS[..1], &["U", "D"], &TEXTS[2..]].concat(),
        Request::default(),
        &path,
    );
    assert!(
        refused.help().unwrap().contains("not removed or split"),
        "{refused}"
    );
}

#[test]
fn other_files_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("positions.txt");
    for text in ["R U F\n", "{\"check\"", "\0\0\0\0", "{", "{\"check"] {
        fs::write(&path, text).unwrap();
        let is_begun = text.starts_with("{\"check\"");
        match open(&TEXTS, Request::default(), Some(&path)) {
            // The beginning of a head is what a crash leaves of a new journal.
            Ok(_) => assert!(is_begun),
            Err(BatchError::Journal(JournalError {
                kind: JournalErrorKind::NotAJournal,
                ..
            })) => assert!(!is_begun),
            Err(error) => panic!("{error}"),
        }
        assert!(is_begun || fs::read_to_string(&path).unwrap() == text);
    }
    assert!(matches!(
        refusal(&TEXTS, Request::default(), folder.path()).kind,
        JournalErrorKind::Io { .. }
    ));
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_journals() {
    let folder = TempDir::new().unwrap();
    assert!(matches!(
        refusal(&TEXTS, Request::default(), Path::new("/dev/null")).kind,
        JournalErrorKind::NotAJournal
    ));
    let pipe = folder.path().join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    assert!(matches!(
        refusal(&TEXTS, Request::default(), &pipe).kind,
        JournalErrorKind::NotAJournal
    ));
    assert!(matches!(
        Stats::of_journal(&pipe).unwrap_err().kind,
        JournalErrorKind::NotAJournal
    ));
}

#[test]
fn a_position_that_ran_out_of_time_is_tried_again() {
    let superflip = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("journal");
    let mut batch = open(&[superflip, "R"], hurried(), Some(&path)).unwrap();
    assert_eq!(solve(&mut batch).len(), 2);
    drop(batch);
    let batch = open(&[superflip, "R"], Request::default(), Some(&path)).unwrap();
    assert_eq!((batch.remaining(), batch.answered()), (vec![0], 1));
    drop(batch);
    // A position whose lengths are ruled out up to the limit is answered.
    let limited = Request {
        max_length: Some(8),
        ..Request::default()
    };
    let path = folder.path().join("limited");
    solve(&mut open(&[superflip], limited.clone(), Some(&path)).unwrap());
    assert!(
        open(&[superflip], limited, Some(&path))
            .unwrap()
            .remaining()
            .is_empty()
    );
}
