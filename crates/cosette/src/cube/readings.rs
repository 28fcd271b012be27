//! Second readings: texts in the notation of moves that may mean something else, namely facelets,
//! pieces, cells of a table, moves with a label, a name, a step or a count, or another notation.
//!
//! Each is rejected with both readings. A caller that names the format has chosen, so these rules
//! are only for texts whose format is detected. Texts with an inverse mark or a half turn are
//! neither facelets nor pieces.

use super::error::ParseErrorKind;
use super::moves::Face;
use super::notation::{ParseOptions, parse_turns};
use super::slots::{FACELETS, ON_FACE, Slot};
use super::speffz;
use super::text::{Token, ends_line, is_blank, quoted, words};
use std::ops::Range;

/// Returns the second reading of a text that seems to be moves, and the part of the text that has
/// it.
pub(super) fn other_reading(text: &str) -> Option<(Range<usize>, ParseErrorKind)> {
    const LITERALS: [&str; 6] = ["{", "[\"", "['", "[{", "[[\"", "[['"];
    let whole = || {
        text.len() - text.trim_start_matches(is_blank).len()..text.trim_end_matches(is_blank).len()
    };
    if LITERALS
        .iter()
        .any(|start| text[whole().start..].starts_with(start))
    {
        return Some((whole(), ParseErrorKind::Literal));
    }
    if let Some(count) = facelets_in_part(text) {
        return Some((whole(), ParseErrorKind::FaceletsOrMoves(count)));
    }
    if let Some(fault) = cycles_of_pieces(text) {
        return Some((whole(), fault));
    }
    if let Some(found) = cells_of_row(text) {
        return Some(found);
    }
    let words: Vec<Token> = words(text).collect();
    let [first, others @ ..] = &words[..] else {
        return None;
    };
    count_or_turn(&words)
        .or_else(|| label(text, first, others))
        .or_else(|| step(&words))
        .or_else(|| turn_of_sse(&words))
        .or_else(|| name_of_case(text, first, others))
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
    if !signs
        .iter()
        .all(|&(_, c)| is_face(c) && c.is_ascii_uppercase() == is_upper)
    {
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
fn cycles_of_pieces(text: &str) -> Option<ParseErrorKind> {
    let is_end = |c: char| is_gap(c) || "()[]>→;|-".contains(c);
    let is_digit = |word: &&str| matches!(*word, "0" | "1" | "2");
    let (orientations, pieces): (Vec<&str>, Vec<&str>) = text
        .split(is_end)
        .filter(|word| !word.is_empty())
        .partition(is_digit);
    let slot = |word: &str| {
        let faces: Option<Vec<Face>> = word
            .chars()
            .map(|c| Face::from_letter(c.to_ascii_uppercase()))
            .collect();
        Slot::touching(&faces?)
    };
    let slots: Vec<Slot> = pieces
        .iter()
        .map(|word| slot(word))
        .collect::<Option<_>>()?;
    // As in `(ULB,1)(DLF,2)`.
    if !orientations.is_empty() {
        return (orientations.len() == slots.len()).then_some(ParseErrorKind::Literal);
    }
    let are_several = slots.iter().any(|slot| slot != &slots[0]);
    are_several.then(|| ParseErrorKind::CyclesOrMoves {
        text: quoted(text.trim_matches(is_blank)),
        speffz: speffz::of_pieces(text),
    })
}

/// The error that the sides of a tab are cells of a table or one sequence, if both have moves and
/// one of them several.
fn cells_of_row(text: &str) -> Option<(Range<usize>, ParseErrorKind)> {
    // The whole text bounds the length of its cells.
    if !text.contains('\t') || parse_turns(text, &ParseOptions::default()).is_err() {
        return None;
    }
    let is_row = |line: &&str| line.contains('\t');
    text.split(ends_line).filter(is_row).find_map(|line| {
        let moves = |cell: &&str| {
            parse_turns(cell, &ParseOptions::default()).map_or(0, |turns| turns.len())
        };
        let cells: Vec<&str> = line
            .split('\t')
            .map(|cell| cell.trim_matches(is_blank))
            .collect();
        let cells: Vec<&str> = cells.into_iter().filter(|cell| moves(cell) > 0).collect();
        let [first, second, ..] = cells[..] else {
            return None;
        };
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let fault = ParseErrorKind::CellsOrMoves(quoted(first), quoted(second));
        cells
            .iter()
            .any(|cell| moves(cell) > 1)
            .then_some((start..start + line.len(), fault))
    })
}

/// The error that a word after moves is the name of a step, in brackets, as in `R U (FB)`, or
/// without, if all other words are single moves, as in `R U F2L`.
fn step(words: &[Token]) -> Option<(Range<usize>, ParseErrorKind)> {
    // Those of which all letters are moves.
    const STEPS: [&str; 8] = ["FB", "SB", "F2B", "F2L", "LS", "LL", "DR", "LSE"];
    let inside = |word: &Token| {
        let text = word
            .text
            .strip_prefix(['(', '['])
            .and_then(|text| text.strip_suffix([')', ']']));
        text.is_some_and(|text| STEPS.contains(&text))
    };
    let is_step = |word: &Token| inside(word) || STEPS.contains(&word.text);
    let are_alone = words.iter().all(|word| is_step(word) || letters(word) <= 1);
    let step = words
        .iter()
        .skip(1)
        .find(|word| inside(word) || are_alone && is_step(word))?;
    Some((step.span(), ParseErrorKind::StepOrMoves(quoted(step.text))))
}

/// Returns the number of moves in a word, if each letter is one.
fn letters(word: &Token) -> usize {
    word.text
        .chars()
        .filter(|c| c.is_alphabetic() && !matches!(c, 'w' | 'i'))
        .count()
}

/// The error that a word is the number of the moves before it, as in `R U 2f`, or a turn of layers,
/// if nothing but numbers of moves follows it.
fn count_or_turn(words: &[Token]) -> Option<(Range<usize>, ParseErrorKind)> {
    let is_number = |word: &Token| word.text.starts_with(|c: char| c.is_ascii_digit());
    let first = words.len()
        - words
            .iter()
            .rev()
            .take_while(|word| is_number(word))
            .count();
    let moves = &words[..first];
    let last = words.get(first)?;
    let number: usize = last.text.strip_suffix('f')?.parse().ok()?;
    let has_layers = moves.iter().any(is_number);
    let is_count = (1..=3).contains(&number)
        && !has_layers
        && moves.iter().map(letters).sum::<usize>() == number;
    is_count.then(|| (last.span(), ParseErrorKind::CountOrTurn(quoted(last.text))))
}

/// The error that a word is a turn in the notation SSE, as in `MR U'`, or two moves, where all
/// other moves stand alone or look like it.
fn turn_of_sse(words: &[Token]) -> Option<(Range<usize>, ParseErrorKind)> {
    let is_turn = |word: &&Token| {
        let mut signs = word.text.chars();
        matches!(signs.next(), Some('M' | 'S' | 'T' | 'C'))
            && signs.next().and_then(Face::from_letter).is_some()
            && signs.all(|sign| matches!(sign, '2' | '\'' | '-'))
    };
    let turn = words.iter().find(is_turn)?;
    let are_alone = words
        .iter()
        .all(|word| is_turn(&word) || letters(word) <= 1);
    are_alone.then(|| (turn.span(), ParseErrorKind::SseOrMoves(quoted(turn.text))))
}

/// The error that the first words are the name of a case, as in `U (a) R2 U`, `E perm x'` or
/// `Ub R2 U`; or moves: two turns in one word where others stand alone, or the slice E before turns
/// of faces.
fn name_of_case(
    text: &str,
    first: &Token,
    others: &[Token],
) -> Option<(Range<usize>, ParseErrorKind)> {
    let second = others.first()?;
    let is_perm = |word: &Token| word.text.to_ascii_lowercase().ends_with("perm");
    let variant = second.text.trim_end_matches(':');
    let is_variant = matches!(variant, "(a)" | "(b)" | "(c)" | "(d)");
    let is_letter = first.text.chars().all(char::is_alphabetic) && first.text.len() <= 2;
    let end = if is_perm(first) {
        Some(first.end())
    } else {
        None
    };
    let end = end.or_else(|| {
        (is_letter && (is_variant || is_perm(second))).then(|| second.start + variant.len())
    });
    if let Some(end) = end {
        let name = first.start..end;
        return Some((
            name.clone(),
            ParseErrorKind::NameOfCase(quoted(&text[name])),
        ));
    }
    if others.iter().any(|word| letters(word) != 1) {
        return None;
    }
    let fault = match first.text.as_bytes() {
        [face, b'b' | b'd'] if Face::from_letter(char::from(*face)).is_some() => {
            ParseErrorKind::CaseOrMoves(first.text.to_owned())
        }
        b"E" if others.iter().all(|word| {
            word.text
                .starts_with(|c: char| c.is_ascii_uppercase() && !"MES".contains(c))
        }) =>
        {
            ParseErrorKind::CaseOrSlice
        }
        _ => return None,
    };
    Some((first.span(), fault))
}

/// The error that a move with a sign after it, as in `F. R' U'`, `F) R' U'` or `F = R' U'`, is a
/// label; or a pause, if it is the only point.
fn label(text: &str, first: &Token, others: &[Token]) -> Option<(Range<usize>, ParseErrorKind)> {
    let second = others.first()?;
    let label = match second.text {
        "=" => first.text,
        _ => first.text.strip_suffix(['.', ')'])?,
    };
    let letter = label.trim_end_matches(|c: char| c.is_ascii_digit() || c == '\'');
    let is_move = matches!(letter.as_bytes(), [c] if b"URFDLBurfdlbMESmesxyz".contains(c));
    // `E2. ` numbers an extra scramble.
    let is_extra_number = letter == "E" && label != "E";
    let has_pause = first.text.ends_with('.') && others.iter().any(|word| word.text.contains('.'));
    let end = if second.text == "=" {
        second.end()
    } else {
        first.end()
    };
    let written = first.start..end;
    (is_move && !is_extra_number && !has_pause).then(|| {
        (
            written.clone(),
            ParseErrorKind::LabelOrMove(quoted(&text[written])),
        )
    })
}
