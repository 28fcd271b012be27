//! Second readings: texts in the notation of moves that may mean something else, namely facelets,
//! pieces, or the name of a case and moves.
//!
//! Each is rejected with both readings. A caller that names the format has chosen, so these rules
//! are only for texts whose format is detected. Except the last, none applies to a text with an
//! inverse mark or a half turn.

use super::error::ReadErrorKind;
use super::moves::Face;
use super::slots::{FACELETS, ON_FACE, Slot};
use super::speffz;
use super::text::{Token, is_blank, quoted, words};
use std::ops::Range;

/// Returns the second reading of a text that seems to be moves, and the part of the text that has
/// it.
pub(super) fn other_reading(text: &str) -> Option<(Range<usize>, ReadErrorKind)> {
    let whole = || text.len() - text.trim_start_matches(is_blank).len()..text.trim_end_matches(is_blank).len();
    if let Some(count) = facelets_in_part(text) {
        return Some((whole(), ReadErrorKind::FaceletsOrMoves(count)));
    }
    if let Some(fault) = cycles_of_pieces(text) {
        return Some((whole(), fault));
    }
    name_of_case(text)
}

fn is_gap(c: char) -> bool {
    is_blank(c) || c == '_' || c == ','
}

/// The number of letters, if they look like the facelets of a part of a cube, or of too much of
/// one: letters of faces without amounts, among which one comes several times in a row. In a
/// sequence, `R R R R` is nothing and `R R` is written R2.
fn facelets_in_part(text: &str) -> Option<usize> {
    let signs: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !is_gap(*c)).collect();
    let is_face = |c: char| Face::from_letter(c.to_ascii_uppercase()).is_some();
    let is_upper = signs.first()?.1.is_ascii_uppercase();
    if !signs.iter().all(|&(_, c)| is_face(c) && c.is_ascii_uppercase() == is_upper) {
        return None;
    }
    let touches = |a: &(usize, char), b: &(usize, char)| b.0 == a.0 + 1;
    let runs = signs.chunk_by(|a, b| a.1 == b.1);
    let joined_runs = signs.chunk_by(|a, b| a.1 == b.1 && touches(a, b));
    let count = signs.len();
    let longest = runs.map(<[_]>::len).max().unwrap_or(0);
    let longest_joined = joined_runs.map(<[_]>::len).max().unwrap_or(0);
    let is_word = signs.windows(2).all(|pair| touches(&pair[0], &pair[1]));
    let are_whole_faces = count > ON_FACE && count.is_multiple_of(ON_FACE);
    let is_nearly_whole = count.abs_diff(FACELETS) <= ON_FACE;
    let looks_so = longest_joined > 3
        || count >= ON_FACE && longest > 2
        || count >= ON_FACE && is_word && longest > 1
        || are_whole_faces && longest > 1
        || is_nearly_whole && longest > 1;
    looks_so.then_some(count)
}

/// The error that groups of letters are cycles of pieces, or moves that are joined: words that name
/// pieces, not all the same one.
fn cycles_of_pieces(text: &str) -> Option<ReadErrorKind> {
    let is_end = |c: char| is_gap(c) || "()[]>→;|-".contains(c);
    let pieces: Vec<&str> = text.split(is_end).filter(|word| !word.is_empty()).collect();
    let slot = |word: &str| {
        let faces: Option<Vec<Face>> = word.chars().map(|c| Face::from_letter(c.to_ascii_uppercase())).collect();
        Slot::touching(&faces?)
    };
    let slots: Vec<Slot> = pieces.iter().map(|word| slot(word)).collect::<Option<_>>()?;
    let are_several = slots.iter().any(|slot| slot != &slots[0]);
    are_several.then(|| ReadErrorKind::CyclesOrMoves {
        text: quoted(text.trim_matches(is_blank)),
        speffz: speffz::of_pieces(text),
    })
}

/// The error that the first word is the name of a case, as in `Ub R2 U`, or moves: two turns in one
/// word where others stand alone, or the slice E before turns of faces.
fn name_of_case(text: &str) -> Option<(Range<usize>, ReadErrorKind)> {
    let mut words = words(text);
    let name: Token = words.next()?;
    let others: Vec<Token> = words.collect();
    let letters = |word: &Token| word.text.chars().filter(|c| c.is_alphabetic() && !matches!(c, 'w' | 'i')).count();
    if others.is_empty() {
        return None;
    }
    if let Some(label) = label_with_point(&name, &others) {
        return Some((name.span(), ReadErrorKind::LabelOrPause(label.to_owned())));
    }
    if others.iter().any(|word| letters(word) != 1) {
        return None;
    }
    let fault = match name.text.trim_end_matches('.').as_bytes() {
        [face, b'b' | b'd'] if Face::from_letter(char::from(*face)).is_some() => {
            ReadErrorKind::CaseOrMoves(name.text.to_owned())
        }
        b"E" if others
            .iter()
            .all(|word| word.text.starts_with(|c: char| c.is_ascii_uppercase() && !"MES".contains(c))) =>
        {
            ReadErrorKind::CaseOrSlice
        }
        _ => return None,
    };
    Some((name.span(), fault))
}

/// Returns the label in front of a point, as in `F. R' U'`, if it could be a move as well, and no
/// other point is a pause.
fn label_with_point<'a>(name: &Token<'a>, others: &[Token]) -> Option<&'a str> {
    let label = name.text.strip_suffix('.')?;
    let letter = label.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
    let is_move = matches!(letter.as_bytes(), [c] if b"URFDLBurfdlbMESmesxyz".contains(c));
    // `E2. ` numbers an extra scramble.
    let is_extra_number = letter == "E" && label != "E";
    let has_pause = others.iter().any(|word| word.text.contains('.'));
    (is_move && !is_extra_number && !has_pause).then_some(label)
}
