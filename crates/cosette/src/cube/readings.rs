//! Texts that are moves to the letter, and may mean something else: facelets, pieces, or the name
//! of a case and moves.
//!
//! Each is refused with both readings. A caller that names the format has chosen, so these rules
//! are only for texts whose format is recognised. None applies to a text with an inverse mark or a
//! half turn, but for the last.

use super::error::Fault;
use super::moves::Face;
use super::slots::{FACELETS, ON_FACE, Slot};
use super::speffz;
use super::text::{Token, is_blank, quoted, words};
use std::ops::Range;

/// The second reading of a text that seems to be moves, and the part of the text that has it.
pub(super) fn other_reading(text: &str) -> Option<(Range<usize>, Fault)> {
    let whole = || text.len() - text.trim_start_matches(is_blank).len()..text.trim_end_matches(is_blank).len();
    if let Some(count) = facelets_in_part(text) {
        return Some((whole(), Fault::FaceletsOrMoves(count)));
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
    let is_face = |c: char| Face::named(c.to_ascii_uppercase()).is_some();
    let is_upper = signs.first()?.1.is_ascii_uppercase();
    if !signs.iter().all(|&(_, c)| is_face(c) && c.is_ascii_uppercase() == is_upper) {
        return None;
    }
    let runs = |is_joined: &dyn Fn(&(usize, char), &(usize, char)) -> bool| {
        signs.chunk_by(|a, b| a.1 == b.1 && is_joined(a, b)).map(<[_]>::len).max().unwrap_or(0)
    };
    let touches = |a: &(usize, char), b: &(usize, char)| b.0 == a.0 + 1;
    let (count, longest, longest_joined) = (signs.len(), runs(&|_, _| true), runs(&touches));
    let is_word = signs.windows(2).all(|pair| touches(&pair[0], &pair[1]));
    let is_nearly_whole = count.abs_diff(FACELETS) <= ON_FACE;
    let looks_so = longest_joined > 3
        || count >= ON_FACE && longest > 2
        || count >= ON_FACE && is_word && longest > 1
        || is_nearly_whole && longest > 1;
    looks_so.then_some(count)
}

/// The error that groups of letters are cycles of pieces, or moves that are joined: words that name
/// pieces, not all the same one.
fn cycles_of_pieces(text: &str) -> Option<Fault> {
    let is_end = |c: char| is_gap(c) || "()[]>→;|-".contains(c);
    let pieces: Vec<&str> = text.split(is_end).filter(|word| !word.is_empty()).collect();
    let slot = |word: &str| {
        let faces: Option<Vec<Face>> = word.chars().map(|c| Face::named(c.to_ascii_uppercase())).collect();
        Slot::touching(&faces?)
    };
    let slots: Vec<Slot> = pieces.iter().map(|word| slot(word)).collect::<Option<_>>()?;
    let are_several = slots.iter().any(|slot| slot != &slots[0]);
    are_several
        .then(|| Fault::CyclesOrMoves { text: quoted(text.trim_matches(is_blank)), speffz: speffz::of_pieces(text) })
}

/// The error that the first word is the name of a case, as in `Ub R2 U`, or moves: two turns in one
/// word where others stand alone, or the slice E before turns of faces.
fn name_of_case(text: &str) -> Option<(Range<usize>, Fault)> {
    let mut words = words(text);
    let (name, others): (Token, Vec<Token>) = (words.next()?, words.collect());
    let letters = |word: &Token| word.text.chars().filter(|c| c.is_alphabetic() && !matches!(c, 'w' | 'i')).count();
    if others.is_empty() || others.iter().any(|word| letters(word) != 1) {
        return None;
    }
    let fault = match name.text.trim_end_matches('.').as_bytes() {
        [face, b'b' | b'd'] if Face::named(char::from(*face)).is_some() => Fault::CaseOrMoves(name.text.to_owned()),
        b"E" if others
            .iter()
            .all(|word| word.text.starts_with(|c: char| c.is_ascii_uppercase() && !"MES".contains(c))) =>
        {
            Fault::CaseOrSlice
        }
        _ => return None,
    };
    Some((name.span(), fault))
}
