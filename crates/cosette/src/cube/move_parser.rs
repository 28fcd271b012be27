//! The parser of moves: from tokens to turns, with all groups expanded.
//!
//! The groups that are open are on a stack, so deeply nested brackets need no recursion. Each group
//! is expanded as it closes, after its turns are counted: a text may have [`MAX_TURNS`] turns in
//! all, including those that an exponent of zero removes.

use super::error::ParseError;
use super::face_order::FaceOrder;
use super::moves::{Face, Metric, Move};
use super::normalize::{Address, INVERSE_MARK, NormalizedText, is_address};
use super::sequence::{LayerTurn, Sequence};
use super::text::{Cursor, Token, is_blank, is_gap, quoted};
use std::ops::Range;
use std::str::FromStr;

/// Maximum number of turns of a text whose groups are expanded.
const MAX_TURNS: usize = 1_000_000;

/// Maximum number of brackets that may be open at once.
const MAX_NESTING: usize = 100;

/// Maximum number after a move or a bracket.
const MAX_EXPONENT: i32 = 1_000_000;

/// Options for reading a text that has several readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// `true` if parentheses hold moves on the inverse, as in fewest-moves notes: `R U (F)` is F' R
    /// U.
    pub niss: bool,
    /// The order in which the faces of a string of facelets are given.
    pub face_order: FaceOrder,
}

/// Reads a sequence of moves. A text of only whitespace and comments is the empty sequence.
///
/// ```text
/// text     = address | { turn | group | "," | "." | comment }
/// turn     = ( face | layers "w" | small | slice | rotation ) [ amount ]
/// face     = "U" | "R" | "F" | "D" | "L" | "B"           one layer
/// layers   = [ "1" | "2" | "3" ] face                    the number of layers, two by default: Rw, 3Rw
/// small    = [ "1" | "2" | "3" ] ( "u" | … | "b" )       the same: r, 3r; also rw
/// slice    = "M" | "E" | "S"                             the layer between: M turns as L, E as D, S as F
/// rotation = "x" | "y" | "z"                             the whole cube: x turns as R, y as U, z as F
/// group    = ( "(" text ")" | "[" text "]" | "[" text "," text "]" | "[" text ":" text "]" ) [ amount ]
/// amount   = [ "^" [ "-" ] ] number [ mark ] | mark [ number ] | "*" number
/// mark     = "'" | "i" | "-"                             the inverse: Ri, or R- before a space
/// comment  = "//" … end of line | "#" … end of line | "@2024-" … end of line | "/*" … "*/"
/// ```
///
/// `[A, B]` is the commutator A B A' B', and `[A: B]` the conjugate A B A'. Spaces are optional
/// everywhere, but `w`, `^` and numbers must touch what they modify: a number directly after a turn
/// or a bracket is its amount, any other number counts the layers of the turn that follows. `U2Rw`
/// is U2 Rw, and `U 2Rw` is U Rw. The number of a turn is 1, 2 or 3: `R3` is R', and `R90` is
/// rejected, because it may mean degrees. The number of a group, or after `^`, may be larger.
/// Commas outside brackets, dots and `_` are ignored. Typographic variants of all signs are
/// accepted. A number or a label before the first move is ignored. A URL stands for the moves in
/// it. A move count at the end, such as `(18f*)`, `(4f, 6q)`, `[18]` or `18f`, is checked and then
/// ignored. The brackets, quotation marks and commas of a list of single moves, such as `['R',
/// "U'"]`, are ignored.
///
/// Ambiguous notation is rejected, and the error gives both readings: `2R` (two layers, the second
/// layer, or a half turn), `R-U` (an inverse, or a dash between moves), `R U …` (a pause, or
/// omitted moves), `[r]` (a rotation in older notation), `E1 R U` (a slice, or a label), `(R U)x3`
/// (a rotation, or three times), `'R U'` (quotation marks, or an inverse).
///
/// **Premoves.** In fewest-moves notes, parentheses mean something else: `A (B) C (D)` applies A
/// and C to the scramble, and B and D to its inverse. The inverse of a position p becomes p⁻¹·B·D,
/// which is the inverse of (B D)⁻¹·p. So the text stands for the position after (B D)⁻¹ and then A
/// C, from which the search continues; A may or may not include the scramble. If S solves that
/// position, A C S (B D)⁻¹ is solved too, so the final solution is written in this order, without
/// parentheses. With [`ParseOptions::niss`], parentheses are read this way if they are in no other
/// bracket and are not inverted: `(R U)'` groups as usual, and `(R U)3` is rejected. Square
/// brackets always group. The two sides are held independently: a rotation of one does not rotate
/// the other.
///
/// **Rotations.** Moves after a rotation, a wide turn or a slice act on the faces in the new
/// orientation of the cube. Centers are the reference, so each such turn is equivalent to a
/// rotation and face turns ([`LayerTurn`]). [`Sequence`] has the details.
///
/// Reading any text takes little time and memory: expanded, it may have at most a million turns,
/// and brackets may be nested at most a hundred deep.
///
/// ```
/// use cosette::cube::{Cube, ParseOptions, parse_moves};
/// let sequence = parse_moves("(R U R' U')3 // the long way round", &ParseOptions::default())?;
/// assert_eq!(sequence.moves().len(), 12);
/// assert_eq!(sequence.position(), Cube::from_moves(sequence.moves()));
///
/// let error = parse_moves("R U Q", &ParseOptions::default()).unwrap_err();
/// assert_eq!(error.span(), 4..5);
/// assert_eq!(error.message(), "`Q` is not a valid move");
/// # Ok::<(), cosette::cube::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the text does not follow the grammar, or is too long when expanded.
pub fn parse_moves(text: &str, options: &ParseOptions) -> Result<Sequence, ParseError> {
    parse_turns(text, options).map(|turns| Sequence::from_turns(&turns))
}

/// Reads the turns of layers as they are written, with groups expanded: `M` is one turn.
///
/// # Errors
///
/// Returns the errors of [`parse_moves`].
pub fn parse_turns(text: &str, options: &ParseOptions) -> Result<Vec<LayerTurn>, ParseError> {
    let turns = |normalized: &NormalizedText| {
        parse_normalized(&normalized.text, options).map_err(|error| normalized.located(error))
    };
    let Some(address) = Address::of(text)? else {
        return turns(&NormalizedText::of(text));
    };
    let first = turns(&address.moves)?;
    let inverted = address.inverted_moves.as_ref().map(turns).transpose()?;
    Ok([first, inverse(&inverted.unwrap_or_default())].concat())
}

/// Reads a sequence of moves ([`parse_moves`]).
impl FromStr for Sequence {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Sequence, ParseError> {
        parse_moves(text, &ParseOptions::default())
    }
}

impl FromStr for LayerTurn {
    type Err = ParseError;

    /// Reads one turn, such as `R`, `M'`, `Rw2` or `x`.
    ///
    /// ```
    /// use cosette::cube::LayerTurn;
    ///
    /// assert_eq!("Rw2".parse::<LayerTurn>()?.to_string(), "r2");
    /// assert!("R U".parse::<LayerTurn>().is_err());
    /// # Ok::<(), cosette::ParseError>(())
    /// ```
    fn from_str(text: &str) -> Result<LayerTurn, ParseError> {
        match parse_turns(text, &ParseOptions::default())?[..] {
            [turn] => Ok(turn),
            _ => Err(not_one(text, "a single turn; write one, such as R or M'")),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;

    /// Reads one turn of one face, such as `R`, `R2` or `R'`.
    fn from_str(text: &str) -> Result<Move, ParseError> {
        match parse_turns(text, &ParseOptions::default())?[..] {
            [turn] if turn.is_face_turn() => Ok(turn.face_turns().next().expect("one face turns")),
            _ => Err(not_one(
                text,
                "a single face turn; write one of U R F D L B, alone or with 2 or '",
            )),
        }
    }
}

/// Returns the error of a text that is not `expected`, a noun with the help.
fn not_one(text: &str, expected: &str) -> ParseError {
    let written = match text.trim() {
        "" => "an empty text".to_owned(),
        written => format!("`{}`", quoted(written)),
    };
    ParseError::new(text, format!("{written} is not {expected}"))
}

/// Returns `true` if the text holds only whitespace and comments.
pub fn is_empty(text: &str) -> bool {
    !is_address(text)
        && tokens(&NormalizedText::of(text).text).is_ok_and(|tokens| tokens.is_empty())
}

fn parse_normalized(text: &str, options: &ParseOptions) -> Result<Vec<LayerTurn>, ParseError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        next: 0,
        open: Vec::new(),
        turns: Vec::new(),
        premoves: options.niss.then(Vec::new),
        length: 0,
    };
    parser.skip_extra_scramble_label()?;
    let count = parser.take_count();
    while let Some(token) = parser.next_if(|_| true) {
        match token.symbol() {
            '(' | '[' => parser.open_group(token)?,
            ')' | ']' => parser.close_group(token)?,
            ',' | ':' => parser.separate(token)?,
            '.' => parser.pause(token)?,
            '-' | '|' | '^' | INVERSE_MARK => return Err(parser.stray_sign(token)),
            _ => parser.turn(token)?,
        }
    }
    let turns = parser.finish()?;
    if let Some(count) = count {
        count.check(text, &turns)?;
    }
    Ok(turns)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// The index of the next token.
    next: usize,
    /// The groups that are open, the innermost last.
    open: Vec<OpenGroup<'a>>,
    /// The turns outside all groups.
    turns: Vec<LayerTurn>,
    /// With NISS, the turns on the inverse.
    premoves: Option<Vec<LayerTurn>>,
    /// Number of turns so far, in expanded groups and outside.
    length: usize,
}

/// A group that is open.
struct OpenGroup<'a> {
    bracket: Token<'a>,
    /// The turns before the separator, and the separator.
    left: Option<(Vec<LayerTurn>, char)>,
    /// The turns after the separator, or all turns if there is none.
    turns: Vec<LayerTurn>,
}

impl<'a> Parser<'a> {
    /// Skips the label of an extra scramble as TNoodle writes it, `E1.`, before the moves of a
    /// scramble: face turns, wide turns and rotations. Without a sign after it, a label may be a
    /// turn of the slice E. Then `E1` is rejected; so is `E2` if as many turns follow as in a
    /// scramble.
    fn skip_extra_scramble_label(&mut self) -> Result<(), ParseError> {
        const MIN_SCRAMBLE: usize = 12;
        let [letter, number, others @ ..] = &self.tokens[..] else {
            return Ok(());
        };
        let sign = usize::from(
            others
                .first()
                .is_some_and(|sign| matches!(sign.symbol(), '.' | ')' | ':')),
        );
        let turns = &others[sign..];
        let is_face = |token: &Token| Face::from_letter(token.symbol()).is_some();
        // The mark `w`, the rotations x, y and z, and amounts.
        let is_mark =
            |token: &Token| matches!(token.symbol(), 'w'..='z' | INVERSE_MARK | '0'..='9');
        let is_label = letter.text == "E"
            && number.is_number()
            && number.start == letter.end()
            && turns
                .first()
                .is_some_and(|first| first.start > number.end() + sign)
            && turns.iter().all(|token| is_face(token) || is_mark(token));
        match (is_label, sign) {
            // The label is the letter, the number and the sign.
            (true, 1) => self.next = 3,
            (true, _)
                if number.text == "1"
                    || turns.iter().filter(|token| is_face(token)).count() >= MIN_SCRAMBLE =>
            {
                return Err(self.error(
                    letter.start..number.end(),
                    "`{}` may be the label of an extra scramble or a turn of the slice E; write \
                     `{}.` for the label, `[{}]` for the turn",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Removes the count of moves from the end of the tokens. In brackets, there may be several
    /// numbers, each with or without the name of a metric and a star, as in `(18f*)` or `(4f, 6q)`.
    /// Without brackets, there must be a single one with a name, as in `18f`.
    fn take_count(&mut self) -> Option<Count> {
        let last = *self.tokens.last()?;
        let is_bracketed = matches!(last.text, ")" | "]");
        let begins = |token: &Token| {
            if is_bracketed {
                matches!(token.text, "(" | "[")
            } else {
                token.is_number()
            }
        };
        let first = self
            .tokens
            .iter()
            .rposition(begins)
            .filter(|&first| first > self.next)?;
        let token = self.tokens[first];
        let span = token.start..last.end();
        let inside = if is_bracketed {
            token.end()..last.start
        } else {
            span.clone()
        };
        let parts: Vec<CountPart> = self.text[inside]
            .split(',')
            .map(CountPart::of)
            .collect::<Option<_>>()?;
        let stands_alone = || {
            let is_apart = self.text[..span.start].ends_with(is_gap);
            matches!(&parts[..], [part] if is_apart && part.is_named && !part.may_be_turn)
        };
        if !is_bracketed && !stands_alone() {
            return None;
        }
        self.tokens.truncate(first);
        Some(Count { span, parts })
    }

    /// Parses a turn, from its first token on: `R`, `Rw2`, `3r'`.
    fn turn(&mut self, first: Token<'a>) -> Result<(), ParseError> {
        if let Some(range) = self.range_of_layers(first) {
            return Err(self.error(
                range,
                "`{}` is a range of layers; write Rw for the two outer layers, M, E or S for the \
                 middle layer, L or Lw for layers from the other side",
            ));
        }
        let (count, letter) = if first.is_number() {
            (Some(first.text), self.letter_after(first)?)
        } else {
            (None, first)
        };
        let symbol = letter.symbol();
        let wide_mark = if Face::from_any_letter(symbol).is_some() {
            self.next_if(|token| token.text == "w" && token.start == letter.end())
        } else {
            None
        };
        let span = first.start..wide_mark.unwrap_or(letter).end();
        let is_wide = wide_mark.is_some() || symbol.is_ascii_lowercase();
        let layers = match (is_wide, count) {
            (false, None) | (true, Some("1")) => 1,
            (true, None | Some("2")) => 2,
            (true, Some("3")) => 3,
            (false, Some(_)) => {
                return Err(self.error(
                    span,
                    "`{}` may mean several layers, an inner layer or a half turn; write Rw for two \
                     layers, M, E or S for the middle layer, R2 for a half turn",
                ));
            }
            (true, Some(_)) => {
                return Err(self.error(
                    span,
                    "`{}` turns layers that do not exist; the cube has three layers, as in Rw, \
                     2Rw or 3Rw",
                ));
            }
        };
        let turn = LayerTurn::named(symbol, layers).ok_or_else(|| self.unknown_move(letter))?;
        self.reject_ambiguous_star(|star| star > span.end)?;
        let is_power = self.peek().is_some_and(|token| token.text == "^");
        let times = self.amount(span.end)?.unwrap_or(1);
        self.reject_ambiguous_star(|_| true)?;
        if !is_power && !(1..=3).contains(&times.abs()) {
            return Err(self.bad_amount(span.start, times));
        }
        self.lengthen(1, span)?;
        self.innermost_turns().push(turn.repeated(times));
        Ok(())
    }

    /// Returns the error of the turn that starts at `start`: its amount is not 1, 2 or 3.
    fn bad_amount(&self, start: usize, times: i32) -> ParseError {
        let span = start..self.tokens[self.next - 1].end();
        if times == 0 {
            return self.error(span, "`{}` has no effect; write U, U2 or U', or remove it");
        }
        let written = quoted(&self.text[span.clone()]);
        let unnumbered = written.trim_start_matches(|c: char| !c.is_alphabetic());
        let amount = unnumbered.trim_start_matches(|c: char| c.is_alphabetic());
        let name = written[..written.len() - amount.len()].trim_end_matches('i');
        let sentence = format!(
            "`{written}` is more than three quarter turns; write {name}, {name}2, {name}3 or \
             {name}': the number counts quarter turns, not degrees"
        );
        ParseError::at(self.text, span, sentence)
    }

    /// Rejects a star that is the next token and has a number after it, if `is_ambiguous` is true
    /// for the offset of the star: it may repeat one move or all of them.
    fn reject_ambiguous_star(
        &self,
        is_ambiguous: impl Fn(usize) -> bool,
    ) -> Result<(), ParseError> {
        match self.tokens[self.next..] {
            [star, number, ..]
                if star.text == "*" && number.is_number() && is_ambiguous(star.start) =>
            {
                Err(self.error(
                    star.start..number.end(),
                    "this `{}` may repeat one move or all of them; write (R U)3 to repeat several, \
                     R3 for one",
                ))
            }
            _ => Ok(()),
        }
    }

    /// Returns the span of a range of layers, such as `2-3r`, if it begins with this token.
    fn range_of_layers(&self, first: Token<'a>) -> Option<Range<usize>> {
        let [dash, last, letter, ..] = self.tokens[self.next..] else {
            return None;
        };
        let is_range = first.is_number()
            && (dash.text == "-" && dash.start == first.end())
            && (last.is_number() && last.start == dash.end())
            && (Face::from_any_letter(letter.symbol()).is_some() && letter.start == last.end());
        is_range.then(|| first.start..letter.end())
    }

    /// Returns the error that this letter is not a move. The error is about the whole word if the
    /// word has three letters or more, one of which no move has.
    fn unknown_move(&self, letter: Token<'a>) -> ParseError {
        let is_letter = |c: char| c.is_alphabetic();
        let start = self.text[..letter.end()].trim_end_matches(is_letter).len();
        let after = &self.text[letter.end()..];
        let end = self.text.len() - after.trim_start_matches(is_letter).len();
        let word = &self.text[start..end];
        let is_word = start < letter.end() && word.chars().nth(2).is_some();
        let before = self.text[..letter.start].chars().next_back();
        if let Some(face) = before.and_then(Face::from_letter)
            && (!is_word || word.ends_with('W'))
            && let Some(error) = self.other_notation(face, letter)
        {
            return error;
        }
        let stranger = word
            .chars()
            .find(|&c| !"URFDLBurfdlbMESmesXYZxyzwi".contains(c));
        let symbol = letter.symbol();
        let other_case = if symbol.is_ascii_lowercase() {
            symbol.to_ascii_uppercase()
        } else {
            symbol.to_ascii_lowercase()
        };
        let sentence = if let Some(meant) = look_alike(symbol) {
            format!(
                "`{symbol}` is a letter of another alphabet that looks like {meant}; write the \
                 Latin letter {meant}"
            )
        } else if let Some(stranger) = stranger.filter(|_| is_word) {
            let sentence = format!(
                "`{{}}` is not a valid move because of the letter `{stranger}`; put // before text \
                 that is not moves, or remove it: {MOVES}"
            );
            return self.error(start..end, &sentence);
        } else if "MESxyz".contains(other_case) {
            format!(
                "`{symbol}` is not a valid move; write {other_case}: slices are M E S, rotations \
                 x y z"
            )
        } else {
            return self.unknown_sign(letter);
        };
        ParseError::at(self.text, letter.span(), sentence)
    }

    /// Returns the error of a face and a sign that is a mark in other notations: `RW`, `R+`, `Rs`
    /// or `Ra`.
    fn other_notation(&self, face: Face, sign: Token<'a>) -> Option<ParseError> {
        let opposite = face.opposite();
        let remedy = match sign.text {
            "W" => format!("write {face}w: wide turns have a lower-case w"),
            "s" | "a" => {
                let mark = if sign.text == "s" { "'" } else { "" };
                format!(
                    "write {face} {opposite}{mark}: in Singmaster's notation, `s` and `a` each \
                     turn two opposite faces"
                )
            }
            "+" => format!(
                "write {face} or {face}2: in some notations, {face}+ is a clockwise quarter turn, \
                 in others, {face}++ is a half turn"
            ),
            _ => return None,
        };
        let after = &self.text[sign.end()..];
        let more_signs = match sign.text {
            "+" => after.len() - after.trim_start_matches('+').len(),
            _ => 0,
        };
        // The letter of the face before the sign is one byte.
        let span = sign.start - 1..sign.end() + more_signs;
        Some(self.error(span, &format!("`{{}}` is not a valid move; {remedy}")))
    }

    /// Takes the letter of a face directly after a number of layers.
    fn letter_after(&mut self, count: Token<'a>) -> Result<Token<'a>, ParseError> {
        let is_face = |token: &Token| Face::from_any_letter(token.symbol()).is_some();
        let letter = self.next_if(|token| token.start == count.end() && is_face(token));
        letter.ok_or_else(|| self.stray_number(count))
    }

    /// Returns the error of a number that belongs to no move: it numbers another position, as in
    /// `1) R U 2) F`, it stands before the group that it repeats, as in `3x (R U)`, or neither.
    fn stray_number(&self, number: Token<'a>) -> ParseError {
        match self.tokens[self.next..] {
            [sign, _, ..]
                if sign.start == number.end()
                    && self.open.is_empty()
                    && matches!(sign.text, "." | ")" | ":") =>
            {
                self.error(
                    number.start..sign.end(),
                    "`{}` seems to number another position; give one position at a time, or leave \
                     the numbers out",
                )
            }
            [sign, bracket, ..]
                if matches!(sign.text, "x" | "*") && matches!(bracket.text, "(" | "[") =>
            {
                self.error(
                    number.start..sign.end(),
                    "`{}` before a group seems to be a number of repetitions; write (R U)3 to \
                     repeat a group, x' for a rotation",
                )
            }
            _ => self.error(
                number.span(),
                "the number {} does not belong to a move; write it directly after a move or a \
                 group, as in R2 or (R U)3",
            ),
        }
    }

    /// Returns the error of a sign without a move or group before it.
    fn stray_sign(&self, sign: Token<'a>) -> ParseError {
        let sentence = match sign.symbol() {
            '|' => return self.stray_bar(sign),
            '-' => {
                "this `-` may be an inverse mark or a dash between two moves; write R' for the \
                 inverse, and a space between moves"
            }
            INVERSE_MARK
                if self.next == 1
                    && self.tokens.len() > 1
                    && self.text.trim_end_matches(is_blank).ends_with(INVERSE_MARK) =>
            {
                "the text begins and ends with `{}`: they may be quotation marks, or the last one \
                 an inverse mark; remove the first, and the last too if it is a quotation mark"
            }
            _ => {
                "there is no move before this `{}`; write it after a move or a group, as in R' or \
                 (R U)^3"
            }
        };
        self.error(sign.span(), sentence)
    }

    /// Parses the amount of the turn or group that ends at `end`; `None` if it has none.
    fn amount(&mut self, end: usize) -> Result<Option<i32>, ParseError> {
        let number = if let Some(caret) = self.next_if(|token| token.text == "^") {
            let brace = self.next_if(|token| token.text == "{");
            let minus = self.next_if(|token| token.text == "-");
            let number = self.number(minus.or(brace).unwrap_or(caret).end())?;
            let number = number
                .filter(|_| brace.is_none() || self.next_if(|token| token.text == "}").is_some());
            let number = number.ok_or_else(|| {
                self.error(
                    caret.span(),
                    "there is no number after this `^`; write one directly after it, as in \
                     (R U)^3 or (R U)^-1",
                )
            })?;
            Some(if minus.is_some() { -number } else { number })
        } else if let Some(star) = self.next_if(|token| token.text == "*") {
            let number_start = self
                .peek()
                .filter(Token::is_number)
                .map_or(star.end(), |token| token.start);
            let number = self.number(number_start)?;
            return number.map(Some).ok_or_else(|| self.unknown_sign(star));
        } else {
            self.number(end)?
        };
        match (self.inverse_mark(), number) {
            (None, _) => Ok(number),
            (Some(_), Some(number)) => Ok(Some(-number)),
            (Some(mark), None) => Ok(Some(-self.number(mark.end())?.unwrap_or(1))),
        }
    }

    fn unknown_sign(&self, sign: Token<'a>) -> ParseError {
        self.error(sign.span(), &format!("`{{}}` is not a valid move; {MOVES}"))
    }

    /// Parses the number directly after `end`, if there is one.
    fn number(&mut self, end: usize) -> Result<Option<i32>, ParseError> {
        let Some(token) = self.next_if(|token| token.start == end && token.is_number()) else {
            return Ok(None);
        };
        match token.text.parse() {
            Ok(number) if number <= MAX_EXPONENT => Ok(Some(number)),
            _ => {
                let sentence =
                    format!("the number {{}} is too large; the maximum is {MAX_EXPONENT}");
                Err(self.error(token.span(), &sentence))
            }
        }
    }

    /// Takes the inverse mark, if there is one. An apostrophe may follow after whitespace. An `i`
    /// or a dash must touch the inverted move, and no further move may touch the dash.
    fn inverse_mark(&mut self) -> Option<Token<'a>> {
        let end = self.tokens[self.next - 1].end();
        let after = |token: &Token| self.text[token.end()..].chars().next();
        let ends = |token: &Token| {
            after(token).is_none_or(|c| is_gap(c) || matches!(c, ')' | ']' | ',' | ':' | '.'))
        };
        let is_mark = |token: &Token| match token.symbol() {
            'i' => token.start == end,
            '-' => token.start == end && ends(token),
            symbol => symbol == INVERSE_MARK,
        };
        let is_next = self.peek().is_some_and(|token| is_mark(&token));
        self.next_if(|_| is_next)
    }

    /// Accepts dots as a pause between two moves. Rejects several dots without a move before or
    /// after them: moves may be missing.
    fn pause(&mut self, dots: Token<'a>) -> Result<(), ParseError> {
        // The dots are the token at `next - 1`.
        let before = self
            .next
            .checked_sub(2)
            .map(|index| self.tokens[index].symbol());
        let is_between = !matches!(before, None | Some('(' | '['))
            && self
                .peek()
                .is_some_and(|after| !matches!(after.symbol(), ')' | ']'));
        if dots.text.len() == 1 || is_between {
            return Ok(());
        }
        Err(self.error(
            dots.span(),
            "these dots may be a pause or stand for omitted moves; write all moves, without the \
             dots",
        ))
    }

    fn open_group(&mut self, bracket: Token<'a>) -> Result<(), ParseError> {
        if self.open.len() == MAX_NESTING {
            let sentence = format!(
                "brackets are nested more than {MAX_NESTING} deep; remove unnecessary ones"
            );
            return Err(self.error(bracket.span(), &sentence));
        }
        self.open.push(OpenGroup {
            bracket,
            left: None,
            turns: Vec::new(),
        });
        Ok(())
    }

    fn separate(&mut self, separator: Token<'a>) -> Result<(), ParseError> {
        let symbol = separator.symbol();
        let sentence = match self.open.last_mut() {
            None if symbol == ',' => return Ok(()),
            Some(group) if group.bracket.text == "[" => {
                if group.left.is_none() {
                    group.left = Some((std::mem::take(&mut group.turns), symbol));
                    return Ok(());
                }
                "this `{}` is the second in these square brackets; put the inner pair in square \
                 brackets too, as in [A: [B, C]]"
            }
            _ => {
                "this `{}` is outside square brackets; write [A, B] for a commutator, [A: B] for a \
                 conjugate, or leave it out"
            }
        };
        Err(self.error(separator.span(), sentence))
    }

    fn close_group(&mut self, bracket: Token<'a>) -> Result<(), ParseError> {
        let group = self.group_closed_by(bracket)?;
        let span = group.bracket.start..bracket.end();
        self.check_is_group(&span)?;
        let turns = self.expanded(group, &span)?;
        let amount_start = self.next;
        let amount = self.amount(bracket.end())?;
        if let (None, [x, times, others @ ..]) = (amount, &self.tokens[self.next..])
            && x.text == "x"
            && times.is_number()
            && !others
                .first()
                .is_some_and(|mark| mark.symbol() == INVERSE_MARK && mark.start == times.end())
        {
            return Err(self.error(x.start..times.end(), ROTATION_OR_TIMES));
        }
        let has_number = self.tokens[amount_start..self.next]
            .iter()
            .any(Token::is_number);
        match &mut self.premoves {
            Some(_) if self.open.is_empty() && bracket.text == ")" && has_number => {
                return Err(self.error(
                    span.start..self.tokens[self.next - 1].end(),
                    "`{}` may be moves on the inverse or a repeated group; write moves on the \
                     inverse without a number, and a repeated group in square brackets, as in \
                     [R U]3",
                ));
            }
            Some(premoves) if self.open.is_empty() && bracket.text == ")" && amount.is_none() => {
                premoves.extend(turns)
            }
            _ => {
                let turns = self.power(turns, amount.unwrap_or(1), &span)?;
                self.innermost_turns().extend(turns);
            }
        }
        Ok(())
    }

    /// Rejects brackets whose content may be something other than a group of moves.
    fn check_is_group(&self, span: &Range<usize>) -> Result<(), ParseError> {
        let inside = self.text[span.start + 1..span.end - 1].trim_matches(is_gap);
        let is_parenthesis = self.text[..span.end].ends_with(')');
        let is_number =
            |text: &str| !text.is_empty() && text.chars().all(|c: char| c.is_ascii_digit());
        let sentence = if !is_parenthesis && is_small_letter(inside) {
            "`{}` may be a rotation in older notation or a wide turn; write x, y or z for a \
             rotation, Rw for a wide turn"
        } else if inside.strip_suffix('f').is_some_and(is_number) {
            COUNT_OR_TURN
        } else if is_parenthesis
            && span.start > self.tokens[0].start
            && inside.strip_prefix('x').is_some_and(is_number)
        {
            let sentence = ROTATION_OR_TIMES.replace("{}", &quoted(inside));
            return Err(ParseError::at(self.text, span.clone(), sentence));
        } else {
            return Ok(());
        };
        Err(self.error(span.clone(), sentence))
    }

    /// Closes the innermost group, if `bracket` matches it. Otherwise returns an error: the
    /// innermost group is not closed if `bracket` matches a group further out, or else `bracket`
    /// was never opened.
    fn group_closed_by(&mut self, bracket: Token<'a>) -> Result<OpenGroup<'a>, ParseError> {
        let opening = if bracket.text == ")" { "(" } else { "[" };
        let is_partner = |group: &OpenGroup| group.bracket.text == opening;
        if let Some(group) = self.open.pop_if(|group| is_partner(group)) {
            return Ok(group);
        }
        match self.open.last() {
            Some(inner) if self.open.iter().any(is_partner) => Err(self.unclosed(inner.bracket)),
            _ => {
                let sentence = format!(
                    "this `{{}}` was never opened; open it with `{opening}` or leave it out"
                );
                Err(self.error(bracket.span(), &sentence))
            }
        }
    }

    /// Returns the error that a bracket is not closed.
    fn unclosed(&self, bracket: Token<'a>) -> ParseError {
        let closing = if bracket.text == "(" { ')' } else { ']' };
        let sentence = format!("this `{{}}` is never closed; close it with `{closing}`");
        self.error(bracket.span(), &sentence)
    }

    /// Returns the error of a `|`: a square bracket is not closed, the text has alternatives (the
    /// bar is in square brackets), or the bar is outside square brackets.
    fn stray_bar(&self, bar: Token<'a>) -> ParseError {
        let mut open = Vec::new();
        for &token in &self.tokens {
            match token.text {
                "[" => open.push(token),
                "]" => drop(open.pop()),
                _ => {}
            }
        }
        match open.last() {
            Some(&bracket) => self.unclosed(bracket),
            None if self.open.iter().any(|group| group.bracket.text == "[") => self.error(
                bar.span(),
                "this `|` separates alternatives, and this is one position; solve it as a line of \
                 a batch, or choose one alternative",
            ),
            None => self.error(
                bar.span(),
                "this `|` is outside square brackets; in lists, write alternatives in square \
                 brackets, as in [R U | F] D",
            ),
        }
    }

    /// Expands a group: [A, B] to A B A' B', and [A: B] to A B A'.
    fn expanded(
        &mut self,
        group: OpenGroup<'a>,
        span: &Range<usize>,
    ) -> Result<Vec<LayerTurn>, ParseError> {
        let OpenGroup { turns: b, left, .. } = group;
        let Some((a, separator)) = left else {
            return Ok(b);
        };
        let b_inverse = if separator == ',' {
            inverse(&b)
        } else {
            Vec::new()
        };
        self.lengthen(a.len() + b_inverse.len(), span.clone())?;
        let a_inverse = inverse(&a);
        Ok([a, b, a_inverse, b_inverse].concat())
    }

    /// Returns the turns repeated `times` times; backwards if `times` is negative.
    fn power(
        &mut self,
        turns: Vec<LayerTurn>,
        times: i32,
        span: &Range<usize>,
    ) -> Result<Vec<LayerTurn>, ParseError> {
        let count = times.unsigned_abs() as usize;
        self.lengthen(
            turns.len().saturating_mul(count.saturating_sub(1)),
            span.clone(),
        )?;
        let once = if times < 0 { inverse(&turns) } else { turns };
        Ok(once.repeat(count))
    }

    /// Counts `more` turns, by which expansion lengthens `span`. Rejects too many.
    fn lengthen(&mut self, more: usize, span: Range<usize>) -> Result<(), ParseError> {
        self.length = self.length.saturating_add(more);
        if self.length <= MAX_TURNS {
            return Ok(());
        }
        let sentence =
            format!("expanded, this is longer than {MAX_TURNS} turns; use smaller exponents");
        Err(self.error(span, &sentence))
    }

    /// Returns the turns of the text; with NISS, the inverse of the premoves and then the normal
    /// turns.
    fn finish(self) -> Result<Vec<LayerTurn>, ParseError> {
        match self.open.last() {
            Some(group) => Err(self.unclosed(group.bracket)),
            None => Ok([inverse(&self.premoves.unwrap_or_default()), self.turns].concat()),
        }
    }

    /// Returns the destination of the next turns: the innermost group, or the turns outside all
    /// groups.
    fn innermost_turns(&mut self) -> &mut Vec<LayerTurn> {
        self.open
            .last_mut()
            .map_or(&mut self.turns, |group| &mut group.turns)
    }

    /// Returns the next token.
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.next).copied()
    }

    fn next_if(&mut self, wanted: impl Fn(&Token<'a>) -> bool) -> Option<Token<'a>> {
        let token = self.peek().filter(wanted);
        self.next += usize::from(token.is_some());
        token
    }

    /// Returns an error about a part of the text, which is quoted in place of `{}`.
    fn error(&self, span: Range<usize>, sentence: &str) -> ParseError {
        ParseError::quoting(self.text, span, sentence)
    }
}

/// The remedy for a sign that is not a move.
const MOVES: &str = "moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z";

/// The error of a number and `f`, in brackets or after as many moves.
pub(super) const COUNT_OR_TURN: &str = "`{}` may be a number of moves or a turn of layers; leave \
                                        the number out, or write Fw or z for the turn";

/// The error of `x` and a number after a group.
const ROTATION_OR_TIMES: &str = "this `{}` may be a rotation or the number of repetitions; write \
                                 (R U)3 to repeat a group, [x2] or x' for a rotation";

/// The numbers of moves that a text ends with.
struct Count {
    span: Range<usize>,
    parts: Vec<CountPart>,
}

/// A number of moves in one metric.
struct CountPart {
    /// `None` if it is too large.
    number: Option<usize>,
    /// The metric, as an index of [`COUNT_METRICS`]; `None` if it may be any.
    metric: Option<usize>,
    /// `true` if the metric is written.
    is_named: bool,
    /// `true` if the text may be a turn of layers, such as `3f`.
    may_be_turn: bool,
}

/// The names of the metrics of a number of moves, and their units.
const COUNT_METRICS: [(&[&str], &str); 3] = [
    (&["f", "h", "htm", "ftm", "obtm"], "moves"),
    (&["q", "qtm"], "quarter turns"),
    (&["s", "stm"], "turns of layers"),
];

impl CountPart {
    /// Reads a number, with or without the name of a metric and a star; `None` if the text is
    /// something else.
    fn of(text: &str) -> Option<CountPart> {
        let written = text.trim_matches(is_blank);
        let name = written.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &written[..written.len() - name.len()];
        let name = name.trim_start_matches(is_blank);
        let name = name
            .strip_suffix('*')
            .unwrap_or(name)
            .trim_end_matches(is_blank);
        let lower = name.to_ascii_lowercase();
        let metric = COUNT_METRICS
            .iter()
            .position(|(names, _)| names.contains(&&*lower));
        let is_any = ["", "m", "moves", "move", "turns"].contains(&&*lower);
        let number = digits.parse().ok();
        let is_part = !digits.is_empty() && (is_any || metric.is_some());
        is_part.then_some(CountPart {
            number,
            metric,
            is_named: !name.is_empty(),
            may_be_turn: matches!(name, "f" | "F" | "M" | "S") && matches!(number, Some(0..=3)),
        })
    }
}

impl Count {
    /// Rejects numbers that are not the counts of these turns.
    fn check(&self, text: &str, turns: &[LayerTurn]) -> Result<(), ParseError> {
        let face_turns = || turns.iter().flat_map(|turn| turn.face_turns());
        // In the order of `COUNT_METRICS`.
        let counts = [
            face_turns().count(),
            face_turns().map(|m| usize::from(Metric::Qtm.cost(m))).sum(),
            turns
                .iter()
                .filter(|turn| turn.face_turns().next().is_some())
                .count(),
        ];
        for part in &self.parts {
            let is_right = (0..counts.len()).any(|metric| {
                part.metric.is_none_or(|named| named == metric)
                    && part.number == Some(counts[metric])
            });
            if !is_right {
                let metric = part.metric.unwrap_or(0);
                let count = counts[metric];
                let (_, unit) = COUNT_METRICS[metric];
                let sentence = format!(
                    "`{{}}` is not the number of moves: there are {count} {unit}; correct the \
                     number, or remove it"
                );
                return Err(ParseError::quoting(text, self.span.clone(), &sentence));
            }
        }
        Ok(())
    }
}

fn inverse(turns: &[LayerTurn]) -> Vec<LayerTurn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// Returns the tokens of the text: numbers, dots in a row, and single other characters. Whitespace,
/// `_` and comments separate tokens.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut cursor = Cursor::new(text);
    let mut tokens = Vec::new();
    loop {
        cursor.skip(is_gap);
        if cursor.take_comment().is_some() {
            continue;
        }
        if cursor.rest().starts_with("/*") {
            return Err(ParseError::at(
                text,
                cursor.take(2).span(),
                "this `/*` is never closed; end the comment with `*/`",
            ));
        }
        let run = cursor
            .take_run(|c| c.is_ascii_digit())
            .or_else(|| cursor.take_run(|c| c == '.'));
        match run.or_else(|| cursor.take_symbol()) {
            Some(token) => tokens.push(token),
            None => return Ok(tokens),
        }
    }
}

/// Returns `true` if this is a small letter of a face, with or without an amount.
fn is_small_letter(text: &str) -> bool {
    let amount = text.strip_prefix(['u', 'r', 'f', 'd', 'l', 'b']);
    amount.is_some_and(|amount| {
        amount
            .chars()
            .all(|c| c.is_ascii_digit() || c == INVERSE_MARK)
    })
}

/// Returns the Latin letter of a move that this letter of another alphabet resembles.
fn look_alike(letter: char) -> Option<char> {
    const LOOK_ALIKES: [(char, &str); 9] = [
        ('B', "ВΒ"),
        ('M', "МΜ"),
        ('E', "ЕΕ"),
        ('S', "Ѕ"),
        ('x', "хχ"),
        ('y', "уγ"),
        ('f', "ƒ"),
        ('u', "υ"),
        ('r', "г"),
    ];
    LOOK_ALIKES
        .iter()
        .find(|(_, others)| others.contains(letter))
        .map(|&(meant, _)| meant)
}
