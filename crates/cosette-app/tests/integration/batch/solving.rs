//! Positions solved, carried over and written.

use super::support::{POSITIONS, TEXTS, hurried, images, list, open, solve, workers};
use cosette::Cancel;
use cosette::cube::random_positions;
use cosette::search::SolutionCount;
use cosette_app::batch::{
    Batch, BatchError, BatchOutput, EntryOutcome, OutputFormat, OutputStyle, Stats, histogram,
};
use cosette_app::request::Request;
use cosette_app::solve_result::{SolveResult, StopReason};

#[test]
fn every_position_is_answered_once() {
    let mut batch = open(&TEXTS, Request::default(), None).unwrap();
    assert_eq!(
        batch.remaining(),
        [0, 2, 4, 6],
        "F' U' R' inverts the first, L' U' F' mirrors it"
    );
    let answers = solve(&mut batch);
    assert_eq!(answers.keys().copied().collect::<Vec<_>>(), POSITIONS);
    let lengths: Vec<_> = answers
        .values()
        .map(|answer| answer.length.unwrap())
        .collect();
    assert_eq!(lengths, [3, 9, 3, 6, 3, 4]);
    for (&number, answer) in &answers {
        let entry = &batch.list().entries()[number];
        batch.check(answer, entry).unwrap();
        assert_eq!(
            (answer.line, &answer.input),
            (Some(entry.line), &entry.text)
        );
    }
    assert_eq!(
        answers
            .values()
            .map(|answer| answer.equivalent_to_line)
            .collect::<Vec<_>>(),
        [None, None, Some(1), None, Some(1), None]
    );
}

#[test]
fn all_solutions_are_carried_over() {
    let settings = Request {
        count: SolutionCount::All,
        ..Request::default()
    };
    for moves in ["R U2 F' L D2", "U2 D2 F2 B2 L2 R2"] {
        let images = images(moves);
        let texts: Vec<&str> = images.iter().map(String::as_str).collect();
        let [together, alone] = [true, false].map(|dedupe| {
            let mut batch = Batch::open(list(&texts), settings.clone(), dedupe, None).unwrap();
            assert_eq!(batch.remaining().len(), if dedupe { 1 } else { 96 });
            solve(&mut batch)
        });
        for (number, answer) in &alone {
            let carried = &together[number];
            assert_eq!(answer.solutions, carried.solutions, "{moves}");
            assert_eq!(answer.facelets, carried.facelets);
        }
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
    longer.solution_count = 1;
    assert!(batch.check(&longer, entry).is_err());
    assert!(matches!(
        batch.record(0, answers[&1].clone()),
        Err(BatchError::Wrong { .. })
    ));
}

#[test]
fn a_time_limit_holds_for_each_position() {
    let facelets = random_positions(1).next().unwrap().facelets();
    let mut batch = open(&[&facelets, "R"], hurried(), None).unwrap();
    let answers = solve(&mut batch);
    assert_eq!(
        (answers[&0].stop_reason, answers[&1].length),
        (Some(StopReason::Timeout), Some(1))
    );
    assert!(
        answers[&0].best_known.is_some() && answers[&0].lower_bound > 5,
        "{:?}",
        answers[&0]
    );
}

#[test]
fn cancelled_positions_are_not_answered() {
    let mut batch = open(&TEXTS, Request::default(), None).unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    workers()
        .run(&mut batch, &cancel, &mut |_, _| -> Result<(), BatchError> {
            panic!("nothing is solved")
        })
        .unwrap();
    // An error of the callback ends the work.
    let error = || BatchError::Wrong {
        text: String::new(),
        what: String::new(),
    };
    let result = workers().run(&mut batch, &Cancel::new(), &mut |_, _| Err(error()));
    assert!(matches!(result, Err(BatchError::Wrong { .. })));
}

#[test]
fn answers_are_written_in_order_on_request() {
    let answers = solve(&mut open(&TEXTS, Request::default(), None).unwrap());
    let written = |layout, ordered| {
        let mut out = Vec::new();
        let mut output = BatchOutput::new(
            OutputStyle {
                layout,
                ordered,
                ..OutputStyle::default()
            },
            &mut out,
        );
        for (&number, answer) in answers.iter().rev() {
            output
                .write(number, EntryOutcome::Answer(Box::new(answer.clone())))
                .unwrap();
        }
        output.finish(0).unwrap();
        String::from_utf8(out).unwrap()
    };
    let text = written(OutputFormat::Text, true);
    assert!(
        text.starts_with("F' U' R'  // line 1: 3 htm, proven, htm-24M, "),
        "{text}"
    );
    assert!(
        text.contains("// line 5: 3 htm, proven, as line 1 up to symmetry and inversion\n"),
        "{text}"
    );
    let unordered: Vec<String> = written(OutputFormat::Text, false)
        .lines()
        .rev()
        .map(str::to_owned)
        .collect();
    let answered: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(answered, unordered);
    let csv = written(OutputFormat::Csv, true);
    assert!(
        csv.starts_with("line,input,format,facelets,metric,optimal,length,"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 1 + POSITIONS.len());
    // A bound of 255 is none.
    let mut out = Vec::new();
    let unknown = SolveResult {
        length: None,
        upper_bound: 255,
        ..answers[&0].clone()
    };
    let mut output = BatchOutput::new(
        OutputStyle {
            layout: OutputFormat::Csv,
            ..OutputStyle::default()
        },
        &mut out,
    );
    output
        .write(0, EntryOutcome::Answer(Box::new(unknown)))
        .unwrap();
    let out = String::from_utf8(out).unwrap();
    assert!(
        out.contains(",htm,true,,3,,") && !out.contains(",255"),
        "{out}"
    );
}

#[test]
fn lengths_are_counted() {
    let answers = solve(&mut open(&TEXTS, Request::default(), None).unwrap());
    let answers: Vec<SolveResult> = answers.into_values().collect();
    let stats = Stats::new("htm", 7, &answers);
    let lengths: Vec<_> = stats
        .lengths
        .iter()
        .map(|of| (of.length, of.positions))
        .collect();
    assert_eq!(lengths, [(3, 3), (4, 1), (6, 1), (9, 1)]);
    assert_eq!(
        (
            stats.listed,
            stats.answered,
            stats.proven,
            stats.carried_over
        ),
        (7, 6, 6, 2)
    );
    assert!((stats.mean_length.unwrap() - 28.0 / 6.0).abs() < 1e-9);
    let picture = histogram(&stats);
    assert!(picture.starts_with("<svg") && picture.contains("6 positions by length, htm"));
    assert!(histogram(&Stats::new("qtm", 0, &[])).starts_with("<svg"));
    // What is known of the whole cube says nothing of its parts.
    assert!(stats.known_mean_length.is_some() && picture.contains("all positions"));
    let of_part = |answer: SolveResult| SolveResult {
        allowed_moves: Some("R U".into()),
        goal: Some("cross".into()),
        ..answer
    };
    let in_stm = Stats::new("stm", 7, &answers);
    assert!(in_stm.known_mean_length.is_none() && histogram(&in_stm).contains("length, stm"));
    let stats = Stats::new(
        "htm",
        7,
        &answers.into_iter().map(of_part).collect::<Vec<_>>(),
    );
    assert!(
        stats.known_mean_length.is_none()
            && stats.lengths.iter().all(|of| of.known_share.is_none())
    );
    assert_eq!(
        (stats.goal.as_deref(), stats.allowed_moves.as_deref()),
        (Some("cross"), Some("R U"))
    );
    let picture = histogram(&stats);
    assert!(
        picture.contains("length, htm, to cross") && !picture.contains("all positions"),
        "{picture}"
    );
}
