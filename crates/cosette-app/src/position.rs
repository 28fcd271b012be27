//! The check of a text without solving it: a position, or its errors, piece by piece if it is a
//! painted cube.

use crate::name::NamedPosition;
use cosette::cube::{
    self, Cube, DisplayMoves, Format, Input, ParseError, ParseOptions, PartialFacelets, Sequence,
    ends_line, is_empty, parse_position,
};
use cosette::twophase::TwoPhase;
use serde::Serialize;

/// The check of a text.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionCheck {
    /// `true` if the text is a position. Otherwise `error` and `help` explain the fault.
    pub ok: bool,
    /// The name of the position, if it has one, as in `T-perm: R U R' …`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The format of the text.
    pub format: &'static str,
    /// The 54 facelets as letters of faces; also of a painted cube that is not a position, with
    /// dots for unpainted facelets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facelets: Option<String>,
    /// Moves from the solved cube to the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// The rotation of the whole cube in the moves, such as `x2`. The facelets are those with white
    /// up and green in front; the cube as held after the moves is the one after this rotation and
    /// then `setup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<String>,
    /// Another possible reading of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The number of the 48 symmetries that fix the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<usize>,
    /// `true` if it is an odd permutation of the corners, and thus of the edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd: Option<bool>,
    /// The facelets of the representative of its symmetry class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representative: Option<String>,
    /// The error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The help that explains how to fix the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The byte range of the text to which the error refers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
    /// The number of unpainted facelets of a cube whose centers are painted.
    pub blank: usize,
    /// The impossible pieces.
    pub marks: Vec<PieceFault>,
}

/// An impossible piece.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PieceFault {
    /// The facelet indices of the piece, 0 to 53, in the order of facelet strings.
    pub facelet_indices: Vec<usize>,
    /// The error message.
    pub error: String,
    /// The help that explains how to fix the error.
    pub help: String,
}

impl From<cube::ImpossiblePiece> for PieceFault {
    fn from(
        cube::ImpossiblePiece {
            facelets,
            error,
            help,
        }: cube::ImpossiblePiece,
    ) -> PieceFault {
        PieceFault {
            facelet_indices: facelets,
            error,
            help,
        }
    }
}

impl PositionCheck {
    /// Checks a text.
    pub fn of(text: &str, format: Option<Format>, options: &ParseOptions) -> PositionCheck {
        let read = |text: &str| parse_position(text, format, options);
        let named = match format {
            Some(_) => read(text).map(|input| (NamedPosition::unnamed(text), input)),
            None => NamedPosition::read(text, read),
        };
        match named {
            Ok((NamedPosition { name, text }, input)) => PositionCheck {
                name,
                ..PositionCheck::position(&text, &input)
            },
            Err(error) => PositionCheck::error(text, format, &error),
        }
    }

    fn position(text: &str, input: &Input) -> PositionCheck {
        let cube = &input.cube;
        PositionCheck {
            ok: true,
            format: input.format.name(),
            facelets: Some(cube.facelets()),
            setup: Some(scramble(cube)),
            rotation: input.sequence.as_ref().and_then(Sequence::rotation_text),
            hint: hint(text, input),
            symmetries: Some(cube.symmetries().len()),
            odd: Some(cube.is_odd()),
            representative: Some(cube.representative().facelets()),
            ..PositionCheck::default()
        }
    }

    fn error(text: &str, format: Option<Format>, error: &ParseError) -> PositionCheck {
        let painting = PartialFacelets::parse(text, format);
        let span = error.span();
        PositionCheck {
            format: format.unwrap_or_else(|| Format::detect(text)).name(),
            facelets: painting.as_ref().map(PartialFacelets::facelets),
            error: Some(error.message()),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
            blank: painting
                .as_ref()
                .map_or(0, PartialFacelets::unpainted_count),
            marks: painting
                .iter()
                .flat_map(PartialFacelets::impossible_pieces)
                .map(PieceFault::from)
                .collect(),
            ..PositionCheck::default()
        }
    }
}

/// Returns another possible reading of moves: two scrambles, one per line, or face turns in
/// lowercase letters, as phones write them.
pub fn hint(text: &str, input: &Input) -> Option<String> {
    input.sequence.as_ref()?;
    let lines = text.split(ends_line).filter(|line| !is_empty(line)).count();
    if lines > 1 {
        return Some(format!("the {lines} lines are read as one scramble"));
    }
    let has_wide = text.contains(['u', 'r', 'f', 'd', 'l', 'b']);
    let is_other = |c: char| c.is_alphabetic() && !"urfdlbi".contains(c);
    (has_wide && !text.contains(is_other)).then(|| {
        "lowercase letters are wide turns: r is Rw; write R for a turn of one face".to_owned()
    })
}

/// A position with moves that create it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambledPosition {
    /// The 54 facelets.
    pub facelets: String,
    /// Moves from the solved cube to the position.
    pub scramble: String,
}

impl From<&Cube> for ScrambledPosition {
    fn from(cube: &Cube) -> ScrambledPosition {
        ScrambledPosition {
            facelets: cube.facelets(),
            scramble: scramble(cube),
        }
    }
}

/// Returns a short sequence that creates the position.
fn scramble(cube: &Cube) -> String {
    DisplayMoves(&TwoPhase::get().sequence_to(cube)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_meant_otherwise_is_said() {
        let hint = |text: &str| {
            PositionCheck::of(text, None, &ParseOptions::default())
                .hint
                .unwrap_or_default()
        };
        for text in [
            "R U F",
            "R U // two moves\n\n# a comment\n",
            "\nr U",
            &Cube::SOLVED.facelets().replace("RRR", "RRR\n"),
        ] {
            assert_eq!(hint(text), "", "{text}");
        }
        assert_eq!(
            hint("R U F\r\n\r\nU R'"),
            "the 2 lines are read as one scramble"
        );
        assert_eq!(
            hint("R U F\u{2028}U\rR'"),
            "the 3 lines are read as one scramble"
        );
        assert!(hint("r u r'").starts_with("lowercase letters"));
    }
}
