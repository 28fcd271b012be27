//! Positions solved, carried over and written.

use super::support::{
    POSITIONS, TEXTS, answers, hurried, list, moves, open, solve, table, workers,
};
use cosette::Cancel;
use cosette::cube::{Cube, Symmetry, random_positions};
use cosette::search::SolutionCount;
use cosette::search::SolveResult;
use cosette::search::StopReason;
use cosette_app::batch::{
    Batch, BatchError, BatchOutput, OutputFormat, OutputStyle, Stats, histogram,
};
use cosette_app::request::Request;
use std::collections::BTreeMap;

#[test]
fn every_position_is_answered_once() {
    let mut batch = open(&TEXTS, Request::default(), None).unwrap();
    // F' U' R' inverts the first, L' U' F' mirrors it.
    assert_eq!(batch.remaining(), [0, 2, 4, 6]);
    let answers = solve(&mut batch);
    let found: Vec<_> = answers
        .iter()
        .map(|(&number, answer)| (number, answer.length, answer.equivalent_to_line))
        .collect();
    let expected = [
        (0, Some(3), None),
        (2, Some(9), None),
        (3, Some(3), Some(1)),
        (4, Some(6), None),
        (5, Some(3), Some(1)),
        (6, Some(4), None),
    ];
    assert_eq!(found, expected);
    for (&number, answer) in &answers {
        let entry = &batch.list().entries()[number];
        batch.check(answer, entry).unwrap();
        assert_eq!(answer.line, Some(entry.line));
        assert_eq!(answer.input, entry.text);
    }
}

#[test]
fn all_solutions_are_carried_over() {
    let request = Request {
        count: SolutionCount::All,
        ..Request::default()
    };
    for text in ["R U2 F' L D2", "U2 D2 F2 B2 L2 R2"] {
        let cube = Cube::from_moves(&moves(text));
        let sides = [cube, cube.inverse()];
        let images: Vec<String> = sides
            .iter()
            .flat_map(|side| Symmetry::all().map(|s| side.conjugate(s).facelets()))
            .collect();
        let images: Vec<&str> = images.iter().map(String::as_str).collect();
        let [together, alone] = [true, false].map(|dedupe| {
            let mut batch = Batch::open(list(&images), request.clone(), dedupe, None).unwrap();
            assert_eq!(batch.remaining().len(), if dedupe { 1 } else { 96 });
            let answers = solve(&mut batch).into_values();
            let found = answers.map(|answer| (answer.facelets, answer.solutions));
            found.collect::<Vec<_>>()
        });
        assert_eq!(together, alone, "{text}");
    }
}

#[test]
fn a_wrong_answer_is_detected() {
    let mut batch = open(&["R U F", "R2"], Request::default(), None).unwrap();
    let answers = solve(&mut batch);
    let entry = &batch.list().entries()[0];
    assert!(batch.check(&answers[&1], entry).is_err());
    let mut longer = answers[&0].clone();
    longer.solutions = vec!["F' U' R' L L'".into()];
    assert!(batch.check(&longer, entry).is_err());
    let recorded = batch.record(0, answers[&1].clone());
    assert!(matches!(recorded, Err(BatchError::Wrong { .. })));
}

#[test]
fn a_time_limit_holds_for_each_position() {
    let facelets = random_positions(1).next().unwrap().facelets();
    let answers = answers(&[&facelets, "R"], hurried());
    let late = &answers[&0];
    assert_eq!(late.stop_reason, Some(StopReason::Timeout));
    assert!(
        late.best_known.is_some() && late.lower_bound > 5,
        "{late:?}"
    );
    assert_eq!(answers[&1].length, Some(1));
}

#[test]
fn cancelled_positions_are_not_answered() {
    let mut batch = open(&TEXTS, Request::default(), None).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let mut refuse = |_, _| Err(BatchError::Threads(std::io::Error::other("the callback")));
    workers().run(&mut batch, &cancel, &mut refuse).unwrap();
    // An error of the callback ends the work.
    let result = workers().run(&mut batch, &Cancel::new(), &mut refuse);
    assert!(matches!(result, Err(BatchError::Threads(_))));
}

/// Writes results, the last one first.
fn written(answers: &BTreeMap<usize, SolveResult>, layout: OutputFormat, ordered: bool) -> String {
    let style = OutputStyle {
        layout,
        ordered,
        ..OutputStyle::default()
    };
    let mut out = Vec::new();
    let mut output = BatchOutput::new(style, &mut out);
    for (&number, answer) in answers.iter().rev() {
        output.write(number, Ok(answer.clone())).unwrap();
    }
    output.finish(0).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn answers_are_written_in_order_on_request() {
    let mut answers = answers(&TEXTS, Request::default());
    let text = written(&answers, OutputFormat::Text, true);
    let first = format!("F' U' R'  // line 1: 3 htm, proven, {}, ", table().id());
    assert!(text.starts_with(&first), "{text}");
    let carried = "// line 5: 3 htm, proven, as line 1 up to symmetry and inversion\n";
    assert!(text.contains(carried), "{text}");
    let unordered = written(&answers, OutputFormat::Text, false);
    let ordered: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(ordered, unordered.lines().rev().collect::<Vec<_>>());
    let csv = written(&answers, OutputFormat::Csv, true);
    assert!(csv.starts_with("line,input,format,facelets,metric,optimal,length,"));
    assert_eq!(csv.lines().count(), 1 + POSITIONS.len());
    // 255 stands for an absent bound.
    answers.retain(|&number, _| number == 0);
    for answer in answers.values_mut() {
        answer.length = None;
        answer.upper_bound = 255;
    }
    let csv = written(&answers, OutputFormat::Csv, true);
    assert!(
        csv.contains(",htm,true,,3,,") && !csv.contains(",255"),
        "{csv}"
    );
}

#[test]
fn lengths_are_counted() {
    let mut answers: Vec<SolveResult> = answers(&TEXTS, Request::default()).into_values().collect();
    let stats = Stats::new("htm", 7, &answers);
    let lengths = stats.lengths.iter().map(|of| (of.length, of.positions));
    assert_eq!(
        lengths.collect::<Vec<_>>(),
        [(3, 3), (4, 1), (6, 1), (9, 1)]
    );
    let counts = [
        stats.listed,
        stats.answered,
        stats.proven,
        stats.carried_over,
    ];
    assert_eq!(counts, [7, 6, 6, 2]);
    assert!((stats.mean_length.unwrap() - 28.0 / 6.0).abs() < 1e-9);
    let picture = histogram(&stats);
    assert!(picture.starts_with("<svg") && picture.contains("6 positions by length, htm"));
    assert!(stats.known_mean_length.is_some() && picture.contains("all positions"));
    assert!(histogram(&Stats::new("qtm", 0, &[])).starts_with("<svg"));
    let in_stm = Stats::new("stm", 7, &answers);
    assert!(in_stm.known_mean_length.is_none() && histogram(&in_stm).contains("length, stm"));
    // A result for the whole cube says nothing about its parts.
    for answer in &mut answers {
        answer.allowed_moves = Some("R U".into());
        answer.goal = Some("cross".into());
    }
    let stats = Stats::new("htm", 7, &answers);
    let is_known = stats.lengths.iter().any(|of| of.known_share.is_some());
    assert!(stats.known_mean_length.is_none() && !is_known);
    assert_eq!(stats.goal.as_deref(), Some("cross"));
    assert_eq!(stats.allowed_moves.as_deref(), Some("R U"));
    let picture = histogram(&stats);
    assert!(picture.contains("length, htm, to cross") && !picture.contains("all positions"));
}
