//! From tokens to turns, all groups written out.
//!
//! The groups that are open are on a stack, so deeply nested brackets need no recursion. Each group
//! is written out as it closes. The cost is bounded in advance: by [`MAX_TURNS`] turns in all,
//! including those that an exponent of zero removes.

use super::layer_turn::LayerTurn;
use super::normalize::{Address, INVERSE_MARK, NormalizedText, is_address};
use crate::cube::FaceOrder;
use crate::cube::error::{MAX_EXPONENT, MAX_NESTING, MAX_TURNS, ParseError, ParseErrorKind};
use crate::cube::moves::{Face, Metric};
use crate::cube::readings::other_reading;
use crate::cube::text::{Cursor, Token, is_blank, quoted};
use std::ops::Range;

/// Options for reading a text that has several readings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// `true` if parentheses hold moves on the inverse, as in fewest-moves notes: `R U (F)` is F' R
    /// U.
    pub niss: bool,
    /// The order in which the faces of a string of facelets are given.
    pub face_order: FaceOrder,
}

/// Parses the turns of a text.
pub(super) fn parse(text: &str, options: &ParseOptions) -> Result<Vec<LayerTurn>, ParseError> {
    let turns = |plain: &NormalizedText| {
        parse_plain(&plain.text, options).map_err(|error| plain.located(error))
    };
    let Some(Address { done, undone }) = Address::of(text)? else {
        return turns(&NormalizedText::of(text));
    };
    let done = turns(&done)?;
    let undone = undone.as_ref().map(turns).transpose()?;
    Ok([done, inverse(&undone.unwrap_or_default())].concat())
}

fn parse_plain(text: &str, options: &ParseOptions) -> Result<Vec<LayerTurn>, ParseError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        at: 0,
        open: Vec::new(),
        turns: Vec::new(),
        premoves: options.niss.then(Vec::new),
        length: 0,
    };
    parser.label_of_extra_scramble()?;
    let count = parser.take_count();
    while let Some(token) = parser.next_if(|_| true) {
        match token.symbol() {
            '(' | '[' => parser.open_group(token)?,
            ')' | ']' => parser.close_group(token)?,
            ',' | ':' => parser.separate(token)?,
            '.' => parser.pause(token)?,
            '-' => return Err(parser.error(token.span(), ParseErrorKind::Dash)),
            '|' => return Err(parser.stray_bar(token)),
            mark if parser.at == 1
                && parser.tokens.len() > 1
                && mark == INVERSE_MARK
                && text.trim_end_matches(is_blank).ends_with(mark) =>
            {
                return Err(parser.error(token.span(), ParseErrorKind::QuotesOrInverse(mark)));
            }
            mark @ ('^' | INVERSE_MARK) => {
                return Err(parser.error(token.span(), ParseErrorKind::StrayMark(mark)));
            }
            _ => parser.turn(token)?,
        }
    }
    let turns = parser.finish()?;
    match count {
        Some(count) => count.check(text, &turns).map(|()| turns),
        None => Ok(turns),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// The next token.
    at: usize,
    /// The groups that are open, the innermost last.
    open: Vec<OpenGroup<'a>>,
    /// The turns outside all groups.
    turns: Vec<LayerTurn>,
    /// With NISS, the turns on the inverse.
    premoves: Option<Vec<LayerTurn>>,
    /// Number of turns that have been written out.
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
    /// scramble: face turns, wide turns and rotations. Without a sign after it, `E1` may be a turn
    /// of the slice E, and before as many turns as a scramble has, `E2` may be a label: both are
    /// rejected.
    fn label_of_extra_scramble(&mut self) -> Result<(), ParseError> {
        const SCRAMBLE: usize = 12;
        let [letter, number, rest @ ..] = &self.tokens[..] else {
            return Ok(());
        };
        let sign = usize::from(
            rest.first()
                .is_some_and(|sign| matches!(sign.symbol(), '.' | ')' | ':')),
        );
        let turns = &rest[sign..];
        let is_face = |token: &Token| matches!(token.symbol(), 'U' | 'R' | 'F' | 'D' | 'L' | 'B');
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
            (true, 1) => self.at = 3,
            (true, _)
                if number.text == "1"
                    || turns.iter().filter(|token| is_face(token)).count() >= SCRAMBLE =>
            {
                let span = letter.start..number.end();
                return Err(self.error(
                    span.clone(),
                    ParseErrorKind::LabelOrSlice(quoted(&self.text[span])),
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes the number of moves off the end of the tokens: in brackets, with the name of a metric
    /// and a star or without, as in `(18f*)` or `(4f, 6q)`, or a single one with a name, as in
    /// `18f`.
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
            .filter(|&first| first > self.at)?;
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
                range.clone(),
                ParseErrorKind::LayerRange(quoted(&self.text[range])),
            ));
        }
        let (count, letter) = if first.is_number() {
            (Some(first.text), self.letter_after(first)?)
        } else {
            (None, first)
        };
        let wide_mark = if Face::from_letter(letter.symbol().to_ascii_uppercase()).is_some() {
            self.next_if(|token| token.text == "w" && token.start == letter.end())
        } else {
            None
        };
        let span = first.start..wide_mark.unwrap_or(letter).end();
        let turn = LayerTurn::named(
            &self.text[span.clone()],
            letter.symbol(),
            wide_mark.is_some(),
            count,
        );
        let turn = turn.map_err(|fault| self.unknown_word(span.clone(), fault))?;
        self.refuse_repetition(|star| star > span.end)?;
        let is_power = self.peek().is_some_and(|token| token.text == "^");
        let times = self.amount(span.end)?.unwrap_or(1);
        self.refuse_repetition(|_| true)?;
        if !is_power && !(1..=3).contains(&times.abs()) {
            let whole = span.start..self.tokens[self.at - 1].end();
            let written = quoted(&self.text[whole.clone()]);
            let fault = if times == 0 {
                ParseErrorKind::NoTurn(written)
            } else {
                ParseErrorKind::TooManyTurns(written)
            };
            return Err(self.error(whole, fault));
        }
        self.lengthen(1, span)?;
        self.body().push(turn.repeated(times));
        Ok(())
    }

    /// Rejects a star with a number after it at which `is_apart` from the move before it.
    fn refuse_repetition(&self, is_apart: impl Fn(usize) -> bool) -> Result<(), ParseError> {
        match self.tokens[self.at..] {
            [star, number, ..]
                if star.text == "*" && number.is_number() && is_apart(star.start) =>
            {
                let span = star.start..number.end();
                Err(self.error(
                    span.clone(),
                    ParseErrorKind::RepeatsOneOrAll(quoted(&self.text[span])),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Returns the span of a range of layers, such as `2-3r`, if it begins with this token.
    fn range_of_layers(&self, first: Token<'a>) -> Option<Range<usize>> {
        let [dash, last, letter, ..] = self.tokens[self.at..] else {
            return None;
        };
        let is_range = first.is_number()
            && (dash.text == "-" && dash.start == first.end())
            && (last.is_number() && last.start == dash.end())
            && (Face::from_letter(letter.symbol().to_ascii_uppercase()).is_some()
                && letter.start == last.end());
        is_range.then(|| first.start..letter.end())
    }

    /// Returns the error that this letter is not a move; about the whole word, if it has three
    /// letters or more and one that no move has.
    fn unknown_word(&self, letter: Range<usize>, fault: ParseErrorKind) -> ParseError {
        let is_letter = |c: char| c.is_alphabetic();
        let start = self.text[..letter.end].trim_end_matches(is_letter).len();
        let end = self.text.len() - self.text[letter.end..].trim_start_matches(is_letter).len();
        let word = &self.text[start..end];
        let stranger = word
            .chars()
            .find(|&c| !"URFDLBurfdlbMESmesXYZxyzwi".contains(c));
        let is_word = start < letter.end && word.chars().nth(2).is_some();
        let face = self.text[..letter.start]
            .chars()
            .next_back()
            .and_then(Face::from_letter);
        if let Some(face) = face {
            let after = &self.text[letter.end..];
            let pluses = after.len() - after.trim_start_matches('+').len();
            let end = if &self.text[letter.clone()] == "+" {
                letter.end + pluses
            } else {
                letter.end
            };
            let pair = letter.start - 1..end;
            let written = quoted(&self.text[pair.clone()]);
            let fault = match &self.text[letter.clone()] {
                "W" => Some(ParseErrorKind::CapitalWide {
                    written,
                    meant: format!("{face}w"),
                }),
                "s" => Some(ParseErrorKind::TwoFaces {
                    written,
                    meant: format!("{face} {}'", face.opposite()),
                }),
                "a" => Some(ParseErrorKind::TwoFaces {
                    written,
                    meant: format!("{face} {}", face.opposite()),
                }),
                "+" => Some(ParseErrorKind::PlusMark { written, face }),
                _ => None,
            };
            if let Some(fault) = fault.filter(|_| !is_word || word.ends_with('W')) {
                return self.error(pair, fault);
            }
        }
        match (fault, stranger) {
            (ParseErrorKind::UnknownMove(_) | ParseErrorKind::WrongCase { .. }, Some(letter))
                if is_word =>
            {
                self.error(
                    start..end,
                    ParseErrorKind::UnknownWord {
                        word: quoted(word),
                        letter,
                    },
                )
            }
            (fault, _) => self.error(letter, fault),
        }
    }

    /// Takes the letter of a face directly after a number of layers.
    fn letter_after(&mut self, count: Token<'a>) -> Result<Token<'a>, ParseError> {
        let is_face =
            |token: &Token| Face::from_letter(token.symbol().to_ascii_uppercase()).is_some();
        let letter = self.next_if(|token| token.start == count.end() && is_face(token));
        letter.ok_or_else(|| self.stray_number(count))
    }

    /// Returns the error of a number that belongs to no move: it numbers another position, as in
    /// `1) R U 2) F`, it stands before the group that it repeats, as in `3x (R U)`, or neither.
    fn stray_number(&self, number: Token<'a>) -> ParseError {
        let with = |sign: Token<'a>| number.start..sign.end();
        let written = |sign: Token<'a>| quoted(&self.text[with(sign)]);
        match self.tokens[self.at..] {
            [sign, _, ..]
                if sign.start == number.end()
                    && self.open.is_empty()
                    && matches!(sign.text, "." | ")" | ":") =>
            {
                self.error(with(sign), ParseErrorKind::SecondNumber(written(sign)))
            }
            [sign, bracket, ..]
                if matches!(sign.text, "x" | "*") && matches!(bracket.text, "(" | "[") =>
            {
                self.error(with(sign), ParseErrorKind::TimesBeforeGroup(written(sign)))
            }
            _ => self.error(
                number.span(),
                ParseErrorKind::StrayNumber(quoted(number.text)),
            ),
        }
    }

    /// Parses the amount of the turn or group that ends at `end`; `None` if it has none.
    fn amount(&mut self, end: usize) -> Result<Option<i32>, ParseError> {
        if let Some(caret) = self.next_if(|token| token.text == "^") {
            let brace = self.next_if(|token| token.text == "{");
            let minus = self.next_if(|token| token.text == "-");
            let number = self.number(minus.or(brace).unwrap_or(caret).end())?;
            let number = number
                .filter(|_| brace.is_none() || self.next_if(|token| token.text == "}").is_some());
            let number =
                number.ok_or_else(|| self.error(caret.span(), ParseErrorKind::NoExponent))?;
            let sign = if minus.is_some() { -1 } else { 1 };
            return Ok(Some(sign * number * self.inverse_mark().map_or(1, |_| -1)));
        }
        if let Some(star) = self.next_if(|token| token.text == "*") {
            let number = self
                .peek()
                .filter(Token::is_number)
                .map_or(star.end(), |token| token.start);
            let number = self.number(number)?;
            return number
                .map(Some)
                .ok_or_else(|| self.error(star.span(), ParseErrorKind::UnknownMove('*')));
        }
        if let Some(number) = self.number(end)? {
            return Ok(Some(number * self.inverse_mark().map_or(1, |_| -1)));
        }
        match self.inverse_mark() {
            Some(mark) => Ok(Some(-self.number(mark.end())?.unwrap_or(1))),
            None => Ok(None),
        }
    }

    /// Parses the number directly after `end`, if there is one.
    fn number(&mut self, end: usize) -> Result<Option<i32>, ParseError> {
        let Some(token) = self.next_if(|token| token.start == end && token.is_number()) else {
            return Ok(None);
        };
        match token.text.parse() {
            Ok(number) if number <= MAX_EXPONENT => Ok(Some(number)),
            _ => Err(self.error(
                token.span(),
                ParseErrorKind::NumberTooLarge(quoted(token.text)),
            )),
        }
    }

    /// Takes the inverse mark. An apostrophe may follow after whitespace. An `i` must touch the
    /// inverted move, and so must a dash, which no further move may touch.
    fn inverse_mark(&mut self) -> Option<Token<'a>> {
        let end = self.tokens[self.at - 1].end();
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

    /// Dots are a pause between two moves. Where no move comes before or after them, moves may be
    /// missing.
    fn pause(&mut self, dots: Token<'a>) -> Result<(), ParseError> {
        let before = self.at.checked_sub(2).map(|at| self.tokens[at].symbol());
        let is_between = !matches!(before, None | Some('(' | '['))
            && self
                .peek()
                .is_some_and(|after| !matches!(after.symbol(), ')' | ']'));
        if dots.text.len() == 1 || is_between {
            Ok(())
        } else {
            Err(self.error(dots.span(), ParseErrorKind::MovesLeftOut))
        }
    }

    fn open_group(&mut self, bracket: Token<'a>) -> Result<(), ParseError> {
        if self.open.len() == MAX_NESTING {
            return Err(self.error(bracket.span(), ParseErrorKind::TooDeep));
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
        let fault = match self.open.last_mut() {
            None if symbol == ',' => return Ok(()),
            Some(group) if group.bracket.text == "[" => match group.left {
                None => {
                    group.left = Some((std::mem::take(&mut group.turns), symbol));
                    return Ok(());
                }
                Some(_) => ParseErrorKind::SecondSeparator(symbol),
            },
            _ => ParseErrorKind::StraySeparator(symbol),
        };
        Err(self.error(separator.span(), fault))
    }

    fn close_group(&mut self, bracket: Token<'a>) -> Result<(), ParseError> {
        let group = self.group_closed_by(bracket)?;
        let span = group.bracket.start..bracket.end();
        if bracket.text == "]" && is_small_letter(&self.text[group.bracket.end()..bracket.start]) {
            return Err(self.error(
                span.clone(),
                ParseErrorKind::RotationOrWide(quoted(&self.text[span])),
            ));
        }
        let inside = self.text[span.start + 1..bracket.start].trim_matches(is_gap);
        let number = inside.strip_suffix('f').unwrap_or_default();
        if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) {
            return Err(self.error(
                span.clone(),
                ParseErrorKind::CountOrTurn(quoted(&self.text[span])),
            ));
        }
        let number = inside.strip_prefix('x').unwrap_or_default();
        let is_times = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        if is_times && bracket.text == ")" && span.start > self.tokens[0].start {
            return Err(self.error(
                span.clone(),
                ParseErrorKind::RotationOrTimes(quoted(inside)),
            ));
        }
        let turns = self.written_out(group, &span)?;
        let first = self.at;
        let amount = self.amount(bracket.end())?;
        if let (None, [x, times, rest @ ..]) = (amount, &self.tokens[self.at..])
            && x.text == "x"
            && times.is_number()
            && !rest
                .first()
                .is_some_and(|mark| mark.symbol() == INVERSE_MARK && mark.start == times.end())
        {
            let span = x.start..times.end();
            return Err(self.error(
                span.clone(),
                ParseErrorKind::RotationOrTimes(quoted(&self.text[span])),
            ));
        }
        let has_number = self.tokens[first..self.at].iter().any(Token::is_number);
        match &mut self.premoves {
            Some(_) if self.open.is_empty() && bracket.text == ")" && has_number => {
                let span = span.start..self.tokens[self.at - 1].end();
                return Err(self.error(
                    span.clone(),
                    ParseErrorKind::InverseRepeated(quoted(&self.text[span])),
                ));
            }
            Some(premoves) if self.open.is_empty() && bracket.text == ")" && amount.is_none() => {
                premoves.extend(turns)
            }
            _ => {
                let turns = self.power(turns, amount.unwrap_or(1), &span)?;
                self.body().extend(turns);
            }
        }
        Ok(())
    }

    /// Closes the innermost group, if `bracket` matches it. If not, either the innermost group is
    /// not closed, if `bracket` closes a group further out, or the bracket was never opened.
    fn group_closed_by(&mut self, bracket: Token<'a>) -> Result<OpenGroup<'a>, ParseError> {
        let opening = if bracket.text == ")" { '(' } else { '[' };
        let is_partner = |group: &OpenGroup| group.bracket.symbol() == opening;
        if let Some(group) = self.open.pop_if(|group| is_partner(group)) {
            return Ok(group);
        }
        if self.open.iter().any(is_partner) {
            Err(self.unclosed())
        } else {
            Err(self.error(
                bracket.span(),
                ParseErrorKind::Unopened(bracket.symbol(), opening),
            ))
        }
    }

    /// Returns the error that the innermost group is not closed.
    fn unclosed(&self) -> ParseError {
        let bracket = self.open.last().expect("a group is open").bracket;
        let closing = if bracket.text == "(" { ')' } else { ']' };
        self.error(
            bracket.span(),
            ParseErrorKind::Unclosed(bracket.symbol(), closing),
        )
    }

    /// Returns the error that alternatives are not in square brackets: none are open, or none are
    /// closed.
    fn stray_bar(&self, bar: Token<'a>) -> ParseError {
        let mut open = Vec::new();
        for &token in &self.tokens {
            match token.symbol() {
                '[' => open.push(token),
                ']' => drop(open.pop()),
                _ => {}
            }
        }
        match open.last() {
            Some(bracket) => self.error(bracket.span(), ParseErrorKind::Unclosed('[', ']')),
            None if self.open.iter().any(|group| group.bracket.text == "[") => {
                self.error(bar.span(), ParseErrorKind::UnknownMove('|'))
            }
            None => self.error(bar.span(), ParseErrorKind::StrayBar),
        }
    }

    /// Expands a group: [A, B] to A B A' B', and [A: B] to A B A'.
    fn written_out(
        &mut self,
        group: OpenGroup<'a>,
        span: &Range<usize>,
    ) -> Result<Vec<LayerTurn>, ParseError> {
        let OpenGroup { turns: b, left, .. } = group;
        let Some((a, separator)) = left else {
            return Ok(b);
        };
        let back = if separator == ',' {
            inverse(&b)
        } else {
            Vec::new()
        };
        self.lengthen(a.len() + back.len(), span.clone())?;
        let undone = inverse(&a);
        Ok([a, b, undone, back].concat())
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
        Ok(if count == 1 { once } else { once.repeat(count) })
    }

    /// Counts `more` turns, the expansion of `span`.
    fn lengthen(&mut self, more: usize, span: Range<usize>) -> Result<(), ParseError> {
        self.length = self.length.saturating_add(more);
        if self.length > MAX_TURNS {
            Err(self.error(span, ParseErrorKind::TooLong))
        } else {
            Ok(())
        }
    }

    /// Returns the turns of the text; with NISS, the inverse of the premoves and then the normal
    /// turns.
    fn finish(&mut self) -> Result<Vec<LayerTurn>, ParseError> {
        if self.open.is_empty() {
            let premoves = self.premoves.take().unwrap_or_default();
            Ok([inverse(&premoves), std::mem::take(&mut self.turns)].concat())
        } else {
            Err(self.unclosed())
        }
    }

    /// Returns the destination of the next turns: the innermost group, or the turns outside all
    /// groups.
    fn body(&mut self) -> &mut Vec<LayerTurn> {
        self.open
            .last_mut()
            .map_or(&mut self.turns, |group| &mut group.turns)
    }

    /// Returns the next token.
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn next_if(&mut self, wanted: impl Fn(&Token<'a>) -> bool) -> Option<Token<'a>> {
        let token = self.peek().filter(wanted);
        self.at += usize::from(token.is_some());
        token
    }

    fn error(&self, span: Range<usize>, fault: ParseErrorKind) -> ParseError {
        ParseError::at(self.text, span, fault)
    }
}

/// The numbers of moves that a text ends with.
struct Count {
    span: Range<usize>,
    parts: Vec<CountPart>,
}

/// A number of moves in one metric.
struct CountPart {
    /// `None` if it is too large.
    number: Option<usize>,
    metric: CountMetric,
    /// `true` if the metric is written.
    is_named: bool,
    /// `true` if it may be a turn of layers, such as `3f`.
    may_be_turn: bool,
}

impl CountPart {
    /// Reads a number with the name of a metric and a star, or without; `None` if it is something
    /// else.
    fn of(text: &str) -> Option<CountPart> {
        let written = text.trim_matches(is_blank);
        let name = written.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = &written[..written.len() - name.len()];
        let name = name.trim_start_matches(is_blank);
        let name = name
            .strip_suffix('*')
            .unwrap_or(name)
            .trim_end_matches(is_blank);
        let metric =
            CountMetric::named(&name.to_ascii_lowercase()).filter(|_| !digits.is_empty())?;
        let number = digits.parse().ok();
        let may_be_turn = matches!(name, "f" | "F" | "M" | "S") && matches!(number, Some(0..=3));
        Some(CountPart {
            number,
            metric,
            is_named: !name.is_empty(),
            may_be_turn,
        })
    }

    /// Returns `true` if it is the number of these turns.
    fn is_right(&self, turns: &[LayerTurn]) -> bool {
        use CountMetric::{Any, Htm, Qtm, Stm};
        let metrics = if self.metric == Any {
            vec![Htm, Qtm, Stm]
        } else {
            vec![self.metric]
        };
        metrics
            .into_iter()
            .any(|metric| self.number == Some(metric.count(turns)))
    }
}

/// The metric of a number of moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CountMetric {
    /// Turns of faces.
    Htm,
    /// Quarter turns of faces.
    Qtm,
    /// Turns of layers.
    Stm,
    /// Any of the other metrics.
    Any,
}

impl CountMetric {
    fn named(name: &str) -> Option<CountMetric> {
        Some(match name {
            "f" | "h" | "htm" | "ftm" | "obtm" => CountMetric::Htm,
            "q" | "qtm" => CountMetric::Qtm,
            "s" | "stm" => CountMetric::Stm,
            "" | "m" | "moves" | "move" | "turns" => CountMetric::Any,
            _ => return None,
        })
    }

    /// Returns the number of these turns.
    fn count(self, turns: &[LayerTurn]) -> usize {
        let faces = || turns.iter().flat_map(|turn| turn.face_turns());
        match self {
            CountMetric::Htm | CountMetric::Any => faces().count(),
            CountMetric::Qtm => faces().map(|turn| Metric::Qtm.cost(turn) as usize).sum(),
            CountMetric::Stm => turns
                .iter()
                .filter(|turn| turn.face_turns().next().is_some())
                .count(),
        }
    }

    /// Returns the number of these turns with its unit, as in `4 quarter turns`.
    fn counted(self, turns: &[LayerTurn]) -> String {
        let unit = match self {
            CountMetric::Htm | CountMetric::Any => "moves",
            CountMetric::Qtm => "quarter turns",
            CountMetric::Stm => "turns of layers",
        };
        format!("{} {unit}", self.count(turns))
    }
}

impl Count {
    /// Rejects numbers that are not those of the turns.
    fn check(&self, text: &str, turns: &[LayerTurn]) -> Result<(), ParseError> {
        match self.parts.iter().find(|part| !part.is_right(turns)) {
            Some(part) => {
                let written = quoted(&text[self.span.clone()]);
                let counted = part.metric.counted(turns);
                Err(ParseError::at(
                    text,
                    self.span.clone(),
                    ParseErrorKind::WrongCount { written, counted },
                ))
            }
            None => Ok(()),
        }
    }
}

fn inverse(turns: &[LayerTurn]) -> Vec<LayerTurn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// Returns the numbers, dots and single characters of the text; whitespace and comments are
/// dropped.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut cursor = Cursor::new(text);
    let mut tokens = Vec::new();
    loop {
        skip_blanks_and_comments(text, &mut cursor)?;
        let run = cursor
            .take_run(|c| c.is_ascii_digit())
            .or_else(|| cursor.take_run(|c| c == '.'));
        match run.or_else(|| cursor.take_symbol()) {
            Some(token) => tokens.push(token),
            None => return Ok(tokens),
        }
    }
}

fn skip_blanks_and_comments(text: &str, cursor: &mut Cursor) -> Result<(), ParseError> {
    loop {
        cursor.skip(is_gap);
        let open = cursor.rest().starts_with("/*").then(|| Token {
            text: "/*",
            start: text.len() - cursor.rest().len(),
        });
        match (cursor.take_comment(), open) {
            (Some(_), _) => {}
            (None, Some(open)) => {
                return Err(ParseError::at(
                    text,
                    open.span(),
                    ParseErrorKind::UnclosedComment,
                ));
            }
            (None, None) => return Ok(()),
        }
    }
}

/// Returns `true` if `c` may stand between moves without meaning.
fn is_gap(c: char) -> bool {
    is_blank(c) || c == '_'
}

/// Returns `true` if this is a small letter of a face, with its amount.
fn is_small_letter(text: &str) -> bool {
    let text = text.trim_matches(is_gap);
    let amount = text.strip_prefix(['u', 'r', 'f', 'd', 'l', 'b']);
    amount.is_some_and(|amount| {
        amount
            .chars()
            .all(|c| c.is_ascii_digit() || c == INVERSE_MARK)
    })
}

/// Rejects a text in the notation of moves that may as well mean something else; `plain` is the
/// text without comments.
///
/// # Errors
///
/// Returns an error if it has a [second reading](other_reading).
pub(in crate::cube) fn check_readings(text: &str, plain: &str) -> Result<(), ParseError> {
    let read = NormalizedText::of(plain);
    match other_reading(&read.text) {
        Some((span, fault)) => {
            let error = read.located(ParseError::at(&read.text, span, fault));
            let span = error.span();
            Err(error.moved_to(text, span))
        }
        None => Ok(()),
    }
}

/// Returns `true` if the text holds only whitespace and comments.
pub fn is_empty(text: &str) -> bool {
    !is_address(text)
        && tokens(&NormalizedText::of(text).text).is_ok_and(|tokens| tokens.is_empty())
}
