//! Errors while parsing a position, with their location in the text.
//!
//! Every message is one sentence in two halves, "what is wrong; how to fix it"; each format has its
//! own. [`ParseError`] prefixes the line and character, and returns the halves separately to a
//! caller that marks the span itself.

use super::cubie::{Corner, Edge};
use super::face_order::FaceOrder;
use super::moves::Face;
use super::position::CubeError;
use super::slots::SLOTS;
use super::text::{escaped, is_blank};
use std::fmt;
use std::ops::Range;

/// An error while parsing a position, with its location in the text.
///
/// Its `Display` is one line: line and character, the problem, and how to fix it. A program that
/// marks the span in the text itself uses [`span`](Self::span), [`message`](Self::message) and
/// [`help`](Self::help):
///
/// ```
/// let text = "R U Q";
/// let error = text.parse::<cosette::Cube>().unwrap_err();
/// assert_eq!(&text[error.span()], "Q");
/// eprintln!("{text}\n    ^ {}; {}", error.message(), error.help());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// In a box, as results are returned by value.
    kind: Box<ParseErrorKind>,
    span: Range<usize>,
    location: Option<Location>,
}

/// The start of a span, counted from one. The line is `None` if the text has only one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Location {
    line: Option<usize>,
    character: usize,
}

impl ParseError {
    pub(super) fn at(
        text: &str,
        span: Range<usize>,
        fault: impl Into<ParseErrorKind>,
    ) -> ParseError {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = text
            .contains('\n')
            .then(|| before.matches('\n').count() + 1);
        let location = Location {
            line,
            character: before[line_start..].chars().count() + 1,
        };
        ParseError {
            kind: Box::new(fault.into()),
            span,
            location: Some(location),
        }
    }

    /// Creates an error that refers to the whole text, for programs that read lists of positions.
    pub fn new(text: &str, fault: impl Into<ParseErrorKind>) -> ParseError {
        let start = text.len() - text.trim_start_matches(is_blank).len();
        let end = text.trim_end_matches(is_blank).len();
        ParseError {
            kind: Box::new(fault.into()),
            span: start.min(end)..end,
            location: None,
        }
    }

    /// Moves the error to this span of another text.
    ///
    /// # Panics
    ///
    /// Panics if the span does not begin and end between characters of the text.
    pub fn moved_to(self, text: &str, span: Range<usize>) -> ParseError {
        match self.location {
            Some(_) => ParseError::at(text, span, *self.kind),
            None => ParseError { span, ..self },
        }
    }

    /// Returns the byte range to which the error refers. If that is the whole text, the range
    /// excludes outer whitespace.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the problem, without the location in the text and the remedy.
    pub fn message(&self) -> String {
        self.kind.message()
    }

    /// Returns the remedy.
    pub fn help(&self) -> String {
        self.kind.help()
    }

    /// Returns the kind of the error, for a program to act on.
    pub fn kind(&self) -> &ParseErrorKind {
        &self.kind
    }

    /// Returns `true` if the text is well formed but the position is unsolvable: no sequence of
    /// moves reaches it.
    pub fn is_impossible(&self) -> bool {
        use ParseErrorKind::*;
        matches!(
            *self.kind,
            CentersAlike { .. }
                | SeventhColor { .. }
                | NotNine { .. }
                | NoSuchCorner { .. }
                | MirroredCorner { .. }
                | MirroredPiece(_)
                | MirroredPieces(_)
                | OtherFaceOrder { .. }
                | JoinedNet
                | NoSuchEdge { .. }
                | Cube(_)
        )
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Location { line, character }) = self.location {
            if let Some(line) = line {
                write!(f, "line {line}, ")?;
            }
            write!(f, "character {character}: ")?;
        }
        f.write_str(&escaped(&self.kind.to_string()))
    }
}

impl std::error::Error for ParseError {}

/// The kind of a [`ParseError`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages are the documentation of the fields
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Only whitespace and comments.
    #[error(
        "there is nothing to read; give moves, 54 facelets, Reid's twenty pieces or Speffz cycles"
    )]
    Empty,
    /// A string of facelets, or a list of pieces, and more text.
    #[error(
        "there is more than one position here; give one at a time, or put spaces between the \
         moves if this is one sequence"
    )]
    SeveralPositions,
    /// Letters of faces, some of them several times in a row: facelets, or moves.
    #[error(
        "these {0} letters may be facelets or moves; write all 54 facelets without spaces, or \
         choose with `--input-format facelets` or `--input-format moves` (`format` in programs)"
    )]
    FaceletsOrMoves(usize),
    /// Words that name pieces: cycles, or moves.
    #[error("`{text}` may be cycles of pieces or single moves; put spaces between moves, and \
        write cycles in Speffz letters{}", as_in(.speffz))]
    CyclesOrMoves {
        text: String,
        speffz: Option<String>,
    },
    /// A list or an object of a program that is not one position.
    #[error(
        "this is JSON or program output, but not a single position; give one position as moves, \
         54 facelets or Reid's twenty pieces, or put several into a list file"
    )]
    Literal,
    /// Moves on both sides of a tab.
    #[error(
        "`{0}` and `{1}` may be two cells of a table or one sequence; keep one column, or write \
         spaces instead of tabs"
    )]
    CellsOrMoves(String, String),
    /// The name of a step, such as `(FB)` or `F2L`, the letters of which are moves.
    #[error(
        "`{0}` may be the name of a step or moves; leave it out, or write // before it, or put \
         spaces between the moves"
    )]
    StepOrMoves(String),
    /// A word before moves: the name of a case, or two moves.
    #[error(
        "`{0}` may be the name of a case or two moves; leave the name out, or put spaces between \
         all moves"
    )]
    CaseOrMoves(String),
    /// A move with a sign after it, before moves, such as `F.` or `F)`: a label, or a move.
    #[error(
        "`{0}` may be a label or a move; leave the label out, or write the move without the sign \
         after it"
    )]
    LabelOrMove(String),
    /// The name of a case, such as `U (a)` or `T perm`.
    #[error(
        "`{0}` seems to be the name of a case; leave it out, or write it in front of a colon, as \
         in \"{0}\": R U"
    )]
    NameOfCase(String),
    /// A turn in the notation SSE, or two moves.
    #[error(
        "`{0}` may be a turn in the notation SSE or two moves; write M', R L', Rw or x for SSE's \
         MR, SR, TR or CR, or put a space between two moves"
    )]
    SseOrMoves(String),
    /// `E` before turns of faces: the name of a case, or a slice.
    #[error(
        "`E` may be the name of a case or a turn of the slice E; leave the name out, or write \
         `[E]` for the turn"
    )]
    CaseOrSlice,

    // Lists.
    /// A word in front of moves, or a cell beside them, that may be one of them.
    #[error(
        "`{0}` may be a name or part of the moves; write \"{0}\": R U for a name (or begin a \
         table with a line such as name,alg), [{0}: R U] for a conjugate, {0} R U for moves"
    )]
    NameOrMoves(String),
    /// Text before a colon or a dash, or in a cell, that has moves and other words.
    #[error(
        "`{0}` has moves and a label, so the text may have several parts; give one of them, leave \
         the labels out if all moves are one sequence, or write \"NAME\": R U for a name"
    )]
    SeveralParts(String),
    /// A row of a table with more or fewer cells than the table has columns.
    #[error(
        "this row has {cells} cells, but the table has {columns} columns; put quotation marks \
         around a cell that contains the separator, or complete the row"
    )]
    CellCount {
        /// Number of cells in the row.
        cells: usize,
        /// Number of columns in the table.
        columns: usize,
    },

    // Addresses.
    /// The address of some other site.
    #[error(
        "links to `{0}` cannot be read; give a link to alg.cubing.net, cubedb.net or \
         alpha.twizzle.net, or paste the moves or the facelets"
    )]
    OtherSite(String),
    /// An address after other text.
    #[error(
        "`{0}` is a link, which is not read beside other text; paste the moves or the facelets, \
         or put // before the link"
    )]
    LinkBesideText(String),
    /// There is neither a setup nor an algorithm.
    #[error(
        "the link contains no moves; give them in the parameters setup and alg, as in \
         alg.cubing.net/?alg=R_U2"
    )]
    NoMovesInAddress,
    /// The moves are those of another puzzle.
    #[error("the link is for the puzzle `{0}`; give a link for the 3x3x3")]
    OtherPuzzle(String),
    /// Two values of one parameter.
    #[error("the link has a second parameter `{0}`; remove one of the two")]
    ParameterTwice(String),
    /// Encoded bytes that are not UTF-8.
    #[error("these percent-encoded bytes are not UTF-8; copy the link again")]
    AddressIsNoText,
    /// More text than an address and a comment.
    #[error("this text follows a link; give the link alone, with + or %20 for a space")]
    AddressFollowed,

    // Moves.
    /// An unknown letter or sign.
    #[error(
        "`{0}` is not a valid move; moves are U R F D L B, wide Uw or u, slices M E S, rotations \
         x y z"
    )]
    UnknownMove(char),
    /// A word with a letter that no move has.
    #[error(
        "`{letter}` in `{word}` is not a valid move; put // before text that is not moves, or \
         remove it: moves are U R F D L B, wide Uw or u, slices M E S, rotations x y z"
    )]
    UnknownWord { word: String, letter: char },
    /// A slice written as a lower-case letter, or a rotation as a capital.
    #[error("`{written}` is not a valid move; write {meant}: slices are M E S, rotations x y z")]
    WrongCase { written: char, meant: char },
    /// A number before a capital without `w`.
    #[error(
        "`{0}` may mean several layers, an inner layer or a half turn; write Rw for two layers, \
         M, E or S for the middle layer, R2 for a half turn"
    )]
    AmbiguousLayers(String),
    /// A number of layers other than 1, 2 and 3.
    #[error(
        "`{0}` turns layers that do not exist; the cube has three layers, as in Rw, 2Rw or 3Rw"
    )]
    NoSuchLayers(String),
    /// `E` with a number at the beginning, before turns of faces.
    #[error(
        "`{0}` may be the label of an extra scramble or a turn of the slice E; write `{0}.` for \
         the label, `[{0}]` for the turn"
    )]
    LabelOrSlice(String),
    /// A number that does not belong to a move.
    #[error(
        "the number {0} does not belong to a move; write it directly after a move or a group, as \
         in R2 or (R U)3"
    )]
    StrayNumber(String),
    /// A number with a sign after it, which is not at the beginning.
    #[error(
        "`{0}` seems to number another position; give one position at a time, or leave the \
         numbers out"
    )]
    SecondNumber(String),
    /// A number of repetitions in front of a group.
    #[error(
        "`{0}` before a group seems to be a number of repetitions; write (R U)3 to repeat a \
         group, x' for a rotation"
    )]
    TimesBeforeGroup(String),
    /// An inverse mark or a `^` that does not belong to a move.
    #[error(
        "there is no move before this `{0}`; write it after a move or a group, as in R' or (R U)^3"
    )]
    StrayMark(char),
    /// A number of turns that is zero.
    #[error("`{0}` has no effect; write U, U2 or U', or remove it")]
    NoTurn(String),
    /// A number of turns above three: degrees, or a slip.
    #[error(
        "`{0}` is more than three quarter turns; write {name}, {name}2, {name}3 or {name}': the \
         number counts quarter turns, not degrees",
        name = quarter_turn(.0)
    )]
    TooManyTurns(String),
    /// With NISS, parentheses that hold moves on the inverse, and a number.
    #[error(
        "`{0}` may be moves on the inverse or a repeated group; write moves on the inverse \
         without a number, and a repeated group in square brackets, as in [R U]3"
    )]
    InverseRepeated(String),
    /// A dash that is neither clearly an inverse mark nor a separator.
    #[error(
        "this `-` may be an inverse mark or a dash between two moves; write R' for the inverse, \
         and a space between moves"
    )]
    Dash,
    /// An inverse mark at the beginning and at the end.
    #[error(
        "the text begins and ends with `{0}`: they may be quotation marks, or the last one an \
         inverse mark; remove the first, and the last too if it is a quotation mark"
    )]
    QuotesOrInverse(char),
    /// Dots at the end of the text or of a group.
    #[error(
        "these dots may be a pause or stand for omitted moves; write all moves, without the dots"
    )]
    MovesLeftOut,
    /// A small letter alone in square brackets.
    #[error(
        "`{0}` may be a rotation in older notation or a wide turn; write x, y or z for a \
         rotation, Rw for a wide turn"
    )]
    RotationOrWide(String),
    /// After a group, `x` and a number that no rotation needs.
    #[error(
        "this `{0}` may be a rotation or the number of repetitions; write (R U)3 to repeat a \
         group, [x2] or x' for a rotation"
    )]
    RotationOrTimes(String),
    /// A `^` without a number.
    #[error(
        "there is no number after this `^`; write one directly after it, as in (R U)^3 or (R U)^-1"
    )]
    NoExponent,
    /// A number that is too large.
    #[error("the number {0} is too large; the maximum is {MAX_EXPONENT}")]
    NumberTooLarge(String),
    /// An opening bracket without its closing one.
    #[error("this `{0}` is never closed; close it with `{1}`")]
    Unclosed(char, char),
    /// A closing bracket without its opening one.
    #[error("this `{0}` was never opened; open it with `{1}` or leave it out")]
    Unopened(char, char),
    /// A comma or colon outside square brackets.
    #[error(
        "this `{0}` is outside square brackets; write [A, B] for a commutator, [A: B] for a \
         conjugate, or leave it out"
    )]
    StraySeparator(char),
    /// A bar outside brackets.
    #[error(
        "this `|` is outside square brackets; in lists, write alternatives in square brackets, as \
         in [R U | F] D"
    )]
    StrayBar,
    /// A second comma or colon in one pair of brackets.
    #[error(
        "this `{0}` is the second in these square brackets; put the inner pair in square brackets \
         too, as in [A: [B, C]]"
    )]
    SecondSeparator(char),
    /// Brackets within brackets within brackets …
    #[error("brackets are nested more than {MAX_NESTING} deep; remove unnecessary ones")]
    TooDeep,
    /// Too many turns, once everything is written out.
    #[error("expanded, this is longer than {MAX_TURNS} turns; use smaller exponents")]
    TooLong,
    /// A comment that does not end.
    #[error("this `/*` is never closed; end the comment with `*/`")]
    UnclosedComment,
    /// A number at the end, which is not that of the moves.
    #[error(
        "`{written}` is not the number of moves: there are {counted}; correct the number, or \
         remove it"
    )]
    WrongCount { written: String, counted: String },
    /// A number and `f`, in brackets before moves or alone after as many moves.
    #[error(
        "`{0}` may be a number of moves or a turn of layers; leave the number out, or write Fw or \
         z for the turn"
    )]
    CountOrTurn(String),
    /// A star and a number that do not touch a move or a bracket.
    #[error(
        "this `{0}` may repeat one move or all of them; write (R U)3 to repeat several, R3 for one"
    )]
    RepeatsOneOrAll(String),
    /// A capital `W` behind a face.
    #[error("`{written}` is not a valid move; write {meant}: wide turns have a lower-case w")]
    CapitalWide { written: String, meant: String },
    /// A face and plus signs.
    #[error(
        "`{written}` is not a valid move; write {face} or {face}2: in some notations, {face}+ is \
         a clockwise quarter turn, in others, {face}++ is a half turn"
    )]
    PlusMark { written: String, face: Face },
    /// A face and `s` or `a`, as Singmaster wrote two turns.
    #[error(
        "`{written}` is not a valid move; write {meant}: in Singmaster's notation, `s` and `a` \
         each turn two opposite faces"
    )]
    TwoFaces { written: String, meant: String },
    /// Two numbers of layers.
    #[error(
        "`{0}` is a range of layers; write Rw for the two outer layers, M, E or S for the middle \
         layer, L or Lw for layers from the other side"
    )]
    LayerRange(String),
    /// A letter of another alphabet.
    #[error(
        "`{written}` is a letter of another alphabet that looks like {meant}; write the Latin \
         letter {meant}"
    )]
    Lookalike { written: char, meant: char },
    /// Anything but a single turn of one face, where a single turn is required.
    #[error("`{0}` is not a single face turn; write one of U R F D L B, alone or with 2 or '")]
    NotOneTurn(String),

    // Facelets.
    /// A number of facelets other than 54.
    #[error("there {}; give 54, nine for each of the faces U R F D L B", are(*.0, "facelet"))]
    FaceletCount(usize),
    /// The facelets are a cube in one other order of the faces.
    #[error(
        "these facelets are not a cube in the face order {given}, but in {fits}; give \
         `--face-order {fits}` (`face_order` in programs), or name the faces, as in U: … R: …"
    )]
    OtherFaceOrder { given: FaceOrder, fits: FaceOrder },
    /// A cube in this order of the faces, but the letters of the centers name another.
    #[error(
        "these facelets are a cube in the face order {given}, but the letters of their centers \
         are in the order {named}; give `--face-order {named}` (`face_order` in programs), or \
         write colors instead of letters of faces"
    )]
    CentersInOtherOrder { given: FaceOrder, named: FaceOrder },
    /// Read as the rows of a net, the facelets are a cube; read face by face, they are not.
    #[error(
        "read face by face, these facelets are not a cube, but read as the rows of a net (U, then \
         L F R B, then D) they are; write each row of the net on its own line, of 3 or 12 \
         facelets"
    )]
    JoinedNet,
    /// Two centers show one color.
    #[error(
        "the centers of {first} and {second} are both `{symbol}`; a cube has six colors and each \
         is on one center, the fifth facelet of a face"
    )]
    CentersAlike {
        first: Face,
        second: Face,
        symbol: char,
    },
    /// A color that no center shows.
    #[error(
        "`{symbol}` on facelet {facelet} is a seventh color, which no center has; use the colors \
         of the centers"
    )]
    SeventhColor { symbol: char, facelet: String },
    /// A facelet without a color.
    #[error(
        "facelet {facelet} is not painted: `.` stands for any color, as in a goal; give its color"
    )]
    NotPainted { facelet: String },
    /// A color that does not appear nine times.
    #[error(
        "there are {many_times} facelets `{many}` and {few_times} facelets `{few}`; each color \
         must appear nine times"
    )]
    NotNine {
        many: char,
        many_times: usize,
        few: char,
        few_times: usize,
    },

    // Reid's pieces.
    /// A number of words other than twenty.
    #[error("there {}; give twenty, twelve edges and then eight corners", are(*.0, "piece"))]
    PieceCount(usize),
    /// A word with letters other than those of faces.
    #[error("`{0}` is not a piece; use the letters U R F D L B, as in UF or UFR")]
    UnknownPiece(String),
    /// An edge where a corner belongs, or a corner where an edge belongs.
    #[error("`{word}` is in slot {slot}; give the twelve edges first and then the eight corners")]
    WrongKind { word: String, slot: &'static str },

    /// A corner whose letters run the wrong way round.
    #[error(
        "`{0}` is the mirror image of a corner; swap two of its letters, as in {swapped}",
        swapped = swapped(.0),
    )]
    MirroredPiece(String),

    /// Several corners whose letters run the wrong way round.
    #[error(
        "`{0}` and other corners are mirror images: their letters, and perhaps the slots, are in \
         another order than Reid's; give the pieces in the slots {slots}, in this order, and the \
         letters of each corner the same way round",
        slots = SLOTS.join(" ")
    )]
    MirroredPieces(String),

    // Speffz cycles.
    /// Anything but a heading or a cycle.
    #[error("`{0}` is neither a heading nor a cycle; write corners: (A B C) edges: (A Q)")]
    NoCycle(String),
    /// A repeated heading.
    #[error("the heading {0} appears twice; write all its cycles after one heading")]
    HeadingTwice(&'static str),
    /// A cycle before the first heading.
    #[error("this cycle comes before the first heading; write corners: or edges: in front of it")]
    NoHeading,
    /// A cycle that does not end.
    #[error("this `(` is never closed; close the cycle with `)`")]
    CycleUnclosed,
    /// A character in a cycle other than a letter from A to X.
    #[error("`{0}` is not a Speffz letter; letters are the capitals A to X")]
    UnknownLetter(char),
    /// A letter is used again.
    #[error("the letter {0} appears twice; each facelet moves to one place only")]
    LetterTwice(char),
    /// Two facelets of one cubie go to different slots, or to one slot with different twists.
    #[error(
        "the piece {cubie} is sent to {letter} and to another place as well; its facelets must \
         stay together"
    )]
    TornApart { cubie: String, letter: char },

    // The colors of a slot.
    /// Three colors that no corner has.
    #[error(
        "slot {slot} shows the colors `{shown}`, which no corner has; check this slot: a corner \
         has three different colors, and no two of them are of opposite faces"
    )]
    NoSuchCorner { slot: Corner, shown: String },
    /// A corner has these colors, but in the other sense of rotation.
    #[error(
        "slot {slot} shows the mirror image `{shown}` of a corner; swap two of its colors, or, if \
         all corners are mirrored, check that the faces are in the order of the format and that \
         none is mirrored"
    )]
    MirroredCorner { slot: Corner, shown: String },
    /// Two colors that no edge has.
    #[error(
        "slot {slot} shows the colors `{shown}`, which no edge has; check this slot: an edge has \
         two different colors, and they are not of opposite faces"
    )]
    NoSuchEdge { slot: Edge, shown: String },

    /// All pieces exist, but no sequence of moves leads there.
    #[error(transparent)]
    Cube(#[from] CubeError),
}

impl ParseErrorKind {
    /// Returns the problem.
    pub fn message(&self) -> String {
        self.halves().0
    }

    /// Returns the remedy.
    pub fn help(&self) -> String {
        self.halves().1
    }

    /// Returns the two halves of the message, which quotes single characters as they are. Only the
    /// first quotes the text, so the last semicolon divides them.
    fn halves(&self) -> (String, String) {
        let sentence = escaped(&self.to_string());
        let (message, help) = sentence
            .rsplit_once("; ")
            .expect("every fault names its remedy after a semicolon");
        (message.to_owned(), help.to_owned())
    }
}

/// Maximum number of turns of a text when everything is written out.
pub(super) const MAX_TURNS: usize = 1_000_000;

/// Maximum number of brackets that may be open at once.
pub(super) const MAX_NESTING: usize = 100;

/// Maximum number after a move or a bracket.
pub(super) const MAX_EXPONENT: i32 = 1_000_000;

/// Returns the name of a turn without its number and its inverse mark.
fn quarter_turn(turn: &str) -> &str {
    let letters = turn.trim_start_matches(|c: char| !c.is_alphabetic());
    let rest = letters.trim_start_matches(|c: char| c.is_alphabetic());
    turn[..turn.len() - rest.len()].trim_end_matches('i')
}

/// Returns the word of a corner with its last two letters swapped.
fn swapped(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.chars().chain(rest.chars().rev()).collect()
}

/// Returns a phrase such as `, as in edges: (A B)`.
fn as_in(speffz: &Option<String>) -> String {
    speffz
        .as_ref()
        .map(|cycles| format!(", as in {cycles}"))
        .unwrap_or_default()
}

/// Returns a phrase such as `is 1 piece`, `are 2 pieces`.
fn are(count: usize, what: &str) -> String {
    if count == 1 {
        format!("is 1 {what}")
    } else {
        format!("are {count} {what}s")
    }
}
