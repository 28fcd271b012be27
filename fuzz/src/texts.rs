//! Texts of positions, moves, names and numbers: parsing and formatting are inverse to each other,
//! and an error has its place, a remedy and a short quotation.

use crate::structured;
use arbitrary::Arbitrary;
use cosette::cube::{
    Corner, Cube, DisplayMoves, Edge, Format, Input, Metric, Move, ParseError, ParseOptions,
    Sequence, canonical, parse_moves, parse_position,
};
use cosette::table::TableId;
use cosette_app::batch::{Lines, PositionList};
use cosette_app::request::Request;
use cosette_app::units::{TableName, bytes, seconds, table_choice};
use std::borrow::Cow;
use std::fmt::Display;

/// Maximum length of a quotation of a text in a message, in characters.
const MAX_QUOTE: usize = 200;

/// Checks an error: its span lies between characters of the text, it includes a remedy, and its
/// quotation is short.
fn check_error(text: &str, error: &ParseError) {
    let span = error.span();
    assert!(text.get(span.clone()).is_some(), "{span:?} of {text}");
    assert!(!error.help().is_empty() && !error.message().is_empty());
    // Must not panic.
    let _ = error.is_impossible();
    check_message(text, &error.to_string());
}

/// Checks that a message quotes little of a text.
pub fn check_message(text: &str, message: &str) {
    let starts: Vec<usize> = message.char_indices().map(|(start, _)| start).collect();
    assert!(starts.len() <= 1000, "a long message: {message}");
    for window in starts.windows(MAX_QUOTE + 2) {
        let quote = &message[window[0]..window[MAX_QUOTE + 1]];
        assert!(!text.contains(quote), "a long quotation: {quote}");
    }
}

/// Parses a text as a position. Formatting and parsing it again, in any format, gives the same
/// position.
fn check_position(text: &str, format: Option<Format>, niss: bool) {
    match parse_position(text, format, &options(niss)) {
        Ok(Input { cube, sequence, .. }) => {
            check_cube(&cube);
            let after_moves = sequence.map(|sequence| Cube::from_moves(sequence.moves()));
            assert!(after_moves.is_none_or(|after_moves| after_moves == cube));
        }
        Err(error) => check_error(text, &error),
    }
}

/// Checks that a position in any format is parsed as the same position, and that its inverse is
/// correct.
fn check_cube(cube: &Cube) {
    let parse = |text: &str, format| {
        parse_position(text, format, &ParseOptions::default()).map(|input| input.cube)
    };
    for (format, text) in [
        (Format::Facelets, cube.facelets()),
        (Format::Reid, cube.reid()),
        (Format::Speffz, cube.speffz()),
    ] {
        assert_eq!(parse(&text, Some(format)).as_ref(), Ok(cube), "{text}");
        assert_eq!(parse(&text, None).as_ref(), Ok(cube), "{text} is detected");
    }
    assert_eq!(cube.inverse().inverse(), *cube);
    assert!((*cube * cube.inverse()).is_solved());
}

/// Returns the default options of the parsers, with or without NISS notation.
fn options(niss: bool) -> ParseOptions {
    ParseOptions {
        niss,
        ..ParseOptions::default()
    }
}

/// Splits an input into its first byte and a text.
fn choice_and_text(data: &[u8]) -> Option<(u8, Cow<'_, str>)> {
    let (&choice, text) = data.split_first()?;
    Some((choice, String::from_utf8_lossy(text)))
}

/// Positions in all formats: the parser never panics, and formatting and parsing a position gives
/// the same position.
pub fn position(data: &[u8]) {
    let Some((choice, text)) = choice_and_text(data) else {
        return;
    };
    // A number without a format lets the parser detect it.
    let format = Format::ALL.get(usize::from(choice & 7)).copied();
    check_position(&text, format, choice & 8 != 0);
}

/// Maximum length of sequences that are formatted and parsed again.
const MAX_LENGTH: usize = 2000;

/// Sequences of moves: formatting and parsing a sequence gives the same sequence.
pub fn notation(data: &[u8]) {
    let Some((choice, text)) = choice_and_text(data) else {
        return;
    };
    match parse_moves(&text, &options(choice & 8 != 0)) {
        Ok(sequence) => check_sequence(&sequence),
        Err(error) => check_error(&text, &error),
    }
    match text.parse::<Move>() {
        Ok(parsed) => assert_eq!(parsed.to_string().parse(), Ok(parsed)),
        Err(error) => check_error(&text, &error),
    }
}

/// Checks that formatting and parsing a sequence does not change it, and that its canonical form
/// and its inverse are correct.
fn check_sequence(sequence: &Sequence) {
    let moves = sequence.moves();
    if moves.len() > MAX_LENGTH {
        return;
    }
    let text = sequence.to_string();
    assert_eq!(text.parse().as_ref(), Ok(sequence), "{text}");
    let text = DisplayMoves(moves).to_string();
    let parsed_again = text
        .parse::<Sequence>()
        .expect("moves are written as they are read");
    assert_eq!(parsed_again.moves(), moves, "{text}");
    let position = sequence.position();
    assert_eq!(Cube::from_moves(&canonical(moves)), position, "{text}");
    let inverse: Vec<Move> = moves.iter().rev().map(|&m| !m).collect();
    assert!(position.apply_moves(&inverse).is_solved(), "{text}");
    assert_eq!(Cube::from_moves(&inverse), position.inverse(), "{text}");
}

#[derive(Debug, Arbitrary)]
enum TextInput {
    /// Arguments of `Cube.from_arrays`. If `are_pieces`, all numbers are valid.
    Arrays {
        corners: [(u8, u8); 8],
        edges: [(u8, u8); 12],
        are_pieces: bool,
    },
    /// The name of a metric, format or table; or a size or a time.
    Name(String),
    /// Arguments of `Cube` and `solve`.
    Position {
        text: String,
        format: String,
        niss: bool,
    },
    /// Arguments of `solve_many`, or a batch.
    List { text: Vec<u8>, format: Option<u8> },
}

/// Parses arguments of the command line and of Python: arrays, names, sizes, times, lists.
pub fn arguments(data: &[u8]) {
    let Some(input) = structured::<TextInput>(data) else {
        return;
    };
    match input {
        TextInput::Arrays {
            mut corners,
            mut edges,
            are_pieces,
        } => {
            if are_pieces {
                corners = corners.map(|(piece, twist)| (piece % 8, twist % 3));
                edges = edges.map(|(piece, flip)| (piece % 12, flip % 2));
            }
            check_arrays(&corners, &edges);
        }
        TextInput::Name(name) => check_name(&name),
        TextInput::Position { text, format, niss } => {
            let parsed = format.parse::<Format>();
            if let Err(error) = &parsed {
                check_message(&format, &error.to_string());
            }
            check_position(&text, parsed.ok(), niss);
        }
        TextInput::List { text, format } => {
            let format = format.and_then(|number| Format::ALL.get(usize::from(number)).copied());
            let request = Request {
                format,
                ..Request::default()
            };
            let lines = Lines::new(&text[..]).map_while(Result::ok);
            let list = PositionList::read(lines, &request);
            for entry in list.entries() {
                match &entry.input {
                    Ok(input) => check_cube(&input.cube),
                    Err(error) => check_error(&entry.text, error),
                }
            }
        }
    }
}

fn check_arrays(corners: &[(u8, u8); 8], edges: &[(u8, u8); 12]) {
    match Cube::from_cubies(corners, edges) {
        Ok(cube) => {
            check_cube(&cube);
            let corner = |slot: Corner| (cube.corner(slot).0.index() as u8, cube.corner(slot).1);
            let edge = |slot: Edge| (cube.edge(slot).0.index() as u8, cube.edge(slot).1);
            assert_eq!(Corner::ALL.map(corner), *corners);
            assert_eq!(Edge::ALL.map(edge), *edges);
        }
        Err(error) => assert!(error.to_string().len() < 300),
    }
}

fn check_name(name: &str) {
    let check = |error: &dyn Display| check_message(name, &error.to_string());
    match name.parse::<Metric>() {
        Ok(metric) => assert_eq!(metric.name(), name),
        Err(error) => check(&error),
    }
    match name.parse::<Format>() {
        Ok(format) => assert_eq!(format.name(), name),
        Err(error) => check(&error),
    }
    match name.parse::<TableId>() {
        Ok(id) => assert_eq!(id.to_string().parse(), Ok(id)),
        Err(error) => check(&error),
    }
    let _ = name.parse::<TableName>().inspect_err(|error| check(error));
    let _ = table_choice(name).inspect_err(|error| check(error));
    let _ = bytes(name).inspect_err(|error| check(error));
    let _ = seconds(name).inspect_err(|error| check(error));
}
