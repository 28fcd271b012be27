//! What move text means, proved against the geometry of `cosette-check`: facelets at points in
//! space; texts that mean the same, and what is wrong with bad ones.

use crate::texts::known_texts;
use cosette::cube::{
    self, Cube, DisplayMoves, Face, FaceOrder, Move, NissSequence, ParseError, ParseOptions,
    Sequence, Symmetry, parse_facelets, parse_moves, parse_position,
};
use cosette_check::geometry::{LayerRotation, after, solved};
use proptest::prelude::*;

const GROUPS: ParseOptions = ParseOptions {
    niss: false,
    face_order: FaceOrder::URFDLB,
};
const NISS: ParseOptions = ParseOptions {
    niss: true,
    face_order: FaceOrder::URFDLB,
};

fn read(text: &str) -> Sequence {
    parse_moves(text, &GROUPS).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn position(text: &str) -> Cube {
    read(text).position()
}

fn error(text: &str) -> ParseError {
    parse_moves(text, &GROUPS).expect_err(text)
}

/// What each model can turn: faces, two layers, slices, and the whole cube.
const NAMES: [&str; 24] = [
    "U", "R", "F", "D", "L", "B", "Uw", "Rw", "Fw", "Dw", "Lw", "Bw", "u", "r", "f", "d", "l", "b",
    "M", "E", "S", "x", "y", "z",
];

/// A name, and how often its quarter turn is done.
fn turns(longest: usize) -> impl Strategy<Value = Vec<(&'static str, usize)>> {
    prop::collection::vec((prop::sample::select(&NAMES[..]), 0..5usize), 0..longest)
}

fn text_of(turns: &[(&str, usize)]) -> String {
    let amounts = ["^0", "^1", "2", "^3", "^4"];
    // After a bracket, `x2` may say that it is done twice.
    let amount = |name: &str, times: usize| {
        if (name, times) == ("x", 2) {
            "^2"
        } else {
            amounts[times]
        }
    };
    turns
        .iter()
        .map(|&(name, times)| format!("{name}{} ", amount(name, times)))
        .collect()
}

fn inverse_of<'a>(turns: &[(&'a str, usize)]) -> Vec<(&'a str, usize)> {
    turns
        .iter()
        .rev()
        .map(|&(name, times)| (name, (8 - times) % 4))
        .collect()
}

/// The facelets after the turns in the model of `cosette-check`, as the cube is held at the end.
fn in_model(turns: &[(&str, usize)]) -> String {
    let quarters = turns
        .iter()
        .flat_map(|&(name, times)| std::iter::repeat_n(LayerRotation::read(name).unwrap(), times));
    String::from_utf8(after(&solved(), &quarters.collect::<Vec<_>>()).to_vec()).unwrap()
}

/// Whether the text means these turns: the same position, and the same centers on top, in front and
/// so on.
fn assert_means(text: &str, options: &ParseOptions, turns: &[(&str, usize)]) {
    let sequence = parse_moves(text, options).unwrap_or_else(|error| panic!("{text}: {error}"));
    let facelets = in_model(turns);
    assert_eq!(
        sequence.position(),
        parse_facelets(&facelets).unwrap(),
        "{text}"
    );
    for face in Face::ALL {
        let center = facelets.as_bytes()[sequence.rotation().face(face).index() * 9 + 4];
        assert_eq!(char::from(center), face.letter(), "{text}");
    }
    let begun = Cube::from_moves(&sequence.moves_in_initial_frame());
    assert_eq!(
        begun.conjugate(sequence.rotation()),
        sequence.position(),
        "{text}"
    );
}

#[test]
fn each_turn_by_itself_agrees_with_the_model() {
    for name in NAMES {
        assert_means(name, &GROUPS, &[(name, 1)]);
        assert_means(&format!("{name}2"), &GROUPS, &[(name, 2)]);
        assert_means(&format!("{name}'"), &GROUPS, &[(name, 3)]);
        assert_means(
            &format!("R U {name} F"),
            &GROUPS,
            &[("R", 1), ("U", 1), (name, 1), ("F", 1)],
        );
    }
}

proptest! {
    #[test]
    fn texts_agree_with_the_model(turns in turns(30)) {
        assert_means(&text_of(&turns), &GROUPS, &turns);
    }

    #[test]
    fn groups_are_written_out(a in turns(6), b in turns(6), n in 0..5usize) {
        let ta = text_of(&a);
        let tb = text_of(&b);
        let a_back = inverse_of(&a);
        let b_back = inverse_of(&b);
        assert_means(&format!("[{ta}, {tb}]"), &GROUPS, &[&a[..], &b, &a_back, &b_back].concat());
        assert_means(&format!("[{ta}: {tb}]"), &GROUPS, &[&a[..], &b, &a_back].concat());
        assert_means(&format!("({ta}){n} {tb}"), &GROUPS, &[a.repeat(n), b.clone()].concat());
        assert_means(&format!("[{ta} ()]^-{n} {tb}"), &GROUPS, &[a_back.repeat(n), b.clone()].concat());
        assert_means(&format!("[({ta})': {tb}]'"), &GROUPS, &[&a_back[..], &b_back, &a].concat());
    }

    #[test]
    fn premoves_are_done_on_the_inverse(a in turns(6), b in turns(6), c in turns(6), d in turns(6)) {
        let [ta, tb, tc, td] = [&a, &b, &c, &d].map(|turns| text_of(turns));
        let all = [inverse_of(&d), inverse_of(&b), a.clone(), c.clone()].concat();
        assert_means(&format!("{ta} ({tb}) {tc} ({td})"), &NISS, &all);
        assert_means(&format!("{ta} ({tb}) {tc} ({td})"), &GROUPS, &[a, b, c, d].concat());
    }

    #[test]
    fn what_is_written_reads_the_same(turns in turns(30)) {
        let sequence = read(&text_of(&turns));
        prop_assert_eq!(read(&sequence.to_string()), sequence.clone());
        let written = read(&DisplayMoves(sequence.moves()).to_string());
        prop_assert_eq!(written.moves(), sequence.moves());
        prop_assert_eq!(written.rotation(), Symmetry::IDENTITY);
    }

    #[test]
    fn premoves_are_written_as_they_are_read(a in turns(5), b in turns(5)) {
        let a = read(&text_of(&a)).moves().to_vec();
        let b = read(&text_of(&b)).moves().to_vec();
        let sequence = parse_moves(&NissSequence { normal: &a, inverse: &b }.to_string(), &NISS).unwrap();
        prop_assert_eq!(sequence.position(), Cube::from_moves(&b).inverse() * Cube::from_moves(&a));
    }
}

#[test]
fn the_position_is_as_held_at_the_end() {
    // The face that turned on top is at the back after x.
    assert_eq!(read("U x").moves(), ["B".parse().unwrap()]);
    assert_eq!(read("U x").moves_in_initial_frame(), ["U".parse().unwrap()]);
    assert_eq!(read("U x").to_string(), "U x");
    // A solution of the position solves the cube right behind the text.
    assert!(position("U x B'").is_solved());
}

#[test]
fn premoves_follow_their_rule() {
    let read = |text| parse_moves(text, &NISS).unwrap().to_string();
    assert_eq!(read("R (U F) D (L)"), "L' F' U' R D");
    assert_eq!(read("R (U F)' D"), "R F' U' D");
    assert_eq!(read("R [(U F)] D"), "R U F D");
    assert_eq!(read("R [U F]2 [(D)3]"), "R U F U F D D D");
    assert_eq!(read("R ((U) F) D"), "F' U' R D");
    assert_eq!(read("(U)"), "U'");
    for repeated in [
        "(R U)1", "(R U)2", "(R U)2'", "(R U)'2", "(R U)^2", "(R U)^-1", "(R U)*3", "(R U)0",
    ] {
        let error = parse_moves(&format!("F {repeated} F"), &NISS).unwrap_err();
        assert_eq!(
            error.message(),
            format!("`{repeated}` may be moves on the inverse or a repeated group")
        );
        assert_eq!(error.span(), 2..2 + repeated.len());
    }
}

/// The unfinished notes of an attempt: what remains to be done is the rest of the scramble's only
/// solution of 17 moves, B2 D' F B R2 and U' … U2 on the scramble, with the last two moves, R F,
/// done first on the inverse.
#[test]
fn an_unfinished_skeleton_leaves_the_rest_of_its_solution() {
    let scramble = "R' U' F L2 D2 B2 R2 U2 F2 L2 B' R2 U' B' L D' R F2 R2 U2 B R' U' F";
    let solution = "B2 D' F B R2 U' R' D2 L B2 U' R2 L B U2 R F";
    assert!(position(&format!("{scramble} {solution}")).is_solved());
    let notes = |text: &str| {
        parse_moves(&format!("{scramble} {text}"), &NISS)
            .unwrap()
            .position()
    };
    let rest: Vec<Move> = read("U' R' D2 L B2 U' R2 L B U2").moves().to_vec();
    assert!(notes("B2 D' F B R2 (F' R')").apply_moves(&rest).is_solved());
    assert!(
        notes("B2 D' (F') F B R2 (R')")
            .apply_moves(&rest)
            .is_solved()
    );
    assert!(notes("B2 D' F B R2 (F' R') U' R' D2 L B2 U' R2 (U2 B' L')").is_solved());
}

#[test]
fn single_moves_are_read_and_written() {
    for m in Move::ALL {
        assert_eq!(m.to_string().parse(), Ok(m));
    }
    assert_eq!(
        "R3".parse(),
        Ok(Move::new(Face::R, cube::Turn::Counterclockwise))
    );
    assert_eq!("F2'".parse(), Ok(Move::new(Face::F, cube::Turn::Half)));
    for text in ["", "R U", "Rw", "M", "x", "R^4", "R U'"] {
        let error = text.parse::<Move>().unwrap_err();
        assert_eq!(
            error.message(),
            format!("`{text}` is not a single face turn")
        );
    }
}

/// `tests/texts/equal.txt`.
#[test]
fn texts_that_mean_the_same_are_read_alike() {
    for [text, plain] in known_texts("equal") {
        let plain = read(&plain);
        assert_eq!(read(&text), plain, "{text}");
        // They are also recognized as moves, unless there are none.
        if !plain.moves().is_empty() {
            assert_eq!(
                parse_position(&text, None, &GROUPS).unwrap().sequence,
                Some(plain),
                "{text}"
            );
        }
    }
    assert!(position("x y2 z'").is_solved());
    assert!(!position("M").is_solved());
    assert_eq!(read("M").moves().len(), 2);
}

/// `tests/texts/faults.txt`.
#[test]
fn bad_texts_are_pointed_at() {
    for [format, text, span, message, help] in known_texts("faults") {
        let (format, is_impossible) = format
            .strip_suffix('!')
            .map_or((&*format, false), |format| (format, true));
        let error = parse_position(&text, Some(format.parse().unwrap()), &GROUPS).expect_err(&text);
        assert_eq!(format!("{:?}", error.span()), span, "{text}: {error}");
        assert_eq!(error.message(), message, "{text}");
        assert!(error.help().starts_with(&help), "{text}: {}", error.help());
        assert_eq!(error.is_impossible(), is_impossible, "{text}");
    }
    let deep = error(&"(".repeat(101));
    assert_eq!(
        (deep.span(), deep.message().as_str()),
        (100..101, "brackets are nested more than 100 deep")
    );
}

#[test]
fn errors_count_characters_and_lines() {
    assert_eq!(
        error("R’ U Q").to_string(),
        "character 6: `Q` is not a valid move; moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z"
    );
    assert_eq!(
        error("R U\nF 3").to_string().split(':').next(),
        Some("line 2, character 3")
    );
}

#[test]
fn long_texts_stop_at_the_limit() {
    assert_eq!(read("(R U)500000").moves().len(), 1_000_000);
    assert_eq!(read(&"R ".repeat(1_000_000)).moves().len(), 1_000_000);
    assert!(read("(((())1000000)1000000)1000000").moves().is_empty());
    let is_too_long = |text: &str| error(text).help() == "use smaller exponents";
    assert!(is_too_long(&"R ".repeat(1_000_001)));
    assert!(is_too_long("((((R U)1000000)1000000)1000000)1000000"));
    assert!(is_too_long(&"(R)1000000 ".repeat(2)));
    assert!(is_too_long(&"((R)1000)0 ".repeat(2000)));
    assert!(is_too_long(&format!(
        "{}R{}",
        "[".repeat(60),
        ", U]".repeat(60)
    )));
}

/// A search for the end of each would take hours.
#[test]
fn many_comments_without_an_end_take_no_time() {
    let text = "R/*a".repeat(1 << 20);
    assert!(parse_position(&text, None, &GROUPS).is_err());
    assert!(parse_moves(&text, &GROUPS).is_err());
}
