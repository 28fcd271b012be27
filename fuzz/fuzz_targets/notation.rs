//! Sequences of moves: what is written is read as the same sequence.
#![no_main]

use cosette::cube::{Cube, Move, Moves, ReadOptions, Sequence, canonical, parse_moves};
use cosette_fuzz::check_error;
use libfuzzer_sys::fuzz_target;

/// Longer sequences are not written and read again.
const LONGEST: usize = 2000;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    match parse_moves(&text, &ReadOptions { niss: choice & 8 != 0 }) {
        Ok(sequence) => check(&sequence),
        Err(error) => check_error(&text, &error),
    }
    match text.parse::<Move>() {
        Ok(one) => assert_eq!(one.to_string().parse(), Ok(one)),
        Err(error) => check_error(&text, &error),
    }
});

fn check(sequence: &Sequence) {
    let moves = sequence.moves();
    if moves.len() > LONGEST {
        return;
    }
    let text = sequence.to_string();
    assert_eq!(text.parse().as_ref(), Ok(sequence), "{text}");
    let text = Moves(moves).to_string();
    assert_eq!(text.parse::<Sequence>().expect("moves are written as they are read").moves(), moves, "{text}");
    let position = sequence.position();
    assert_eq!(Cube::from_moves(&canonical(moves)), position, "{text}");
    let inverse: Vec<Move> = moves.iter().rev().map(|&m| !m).collect();
    assert!(position.after(&inverse).is_solved(), "{text}");
    assert_eq!(Cube::from_moves(&inverse), position.inverse(), "{text}");
}
