//! Answers that need no search: whether a text is a position and, if not, its errors (for a painted
//! cube, those of each piece); and scrambles of a case.

use crate::events::character_span;
use crate::name::NamedPosition;
use crate::request::read_length;
use cosette::cube::{
    Cube, DisplayMoves, Format, ImpossiblePiece, Input, ParseError, ParseOptions, PartialFacelets,
    Sequence, ends_line, is_empty, parse_position,
};
use cosette::numbers::{expected, read_or_default};
use cosette::twophase::{Scramble, ScrambleOptions, TwoPhase, scrambles};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

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
    /// The rotation of the whole cube that the moves contain, such as `x2`. `facelets` and `setup`
    /// name each face by its place after the moves, so this rotation and then `setup` give the cube
    /// as it is held then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<String>,
    /// Another possible reading of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The number of symmetries, out of 48, that fix the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetries: Option<usize>,
    /// `true` if the permutation of the corners, and thus that of the edges, is odd.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odd: Option<bool>,
    /// The facelets of the representative of the position's symmetry class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representative: Option<String>,
    /// The error message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The help that explains how to fix the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The characters of the text to which the error refers: the index of the first, and the index
    /// after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
    /// The number of unpainted facelets; 0 if the text is not a painted cube, whose six centers
    /// must be painted.
    pub blank: usize,
    /// The impossible pieces of a painted cube.
    pub marks: Vec<PieceFault>,
}

/// An impossible piece.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PieceFault {
    /// The indices, 0 to 53, of the facelets of the piece in a facelet string.
    pub facelet_indices: Vec<usize>,
    /// The error message.
    pub error: String,
    /// The help that explains how to fix the error.
    pub help: String,
}

impl From<ImpossiblePiece> for PieceFault {
    fn from(piece: ImpossiblePiece) -> PieceFault {
        PieceFault {
            facelet_indices: piece.facelets,
            error: piece.error,
            help: piece.help,
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
        PositionCheck {
            format: format.unwrap_or_else(|| Format::detect(text)).name(),
            facelets: painting.as_ref().map(PartialFacelets::facelets),
            error: Some(error.message()),
            help: Some(error.help()),
            span: Some(character_span(text, error.span())),
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

/// Returns how moves were read, if they might be meant otherwise: several lines, as scrambles of
/// their own; lowercase letters, as face turns written on a phone.
pub fn hint(text: &str, input: &Input) -> Option<String> {
    input.sequence.as_ref()?;
    let lines = text.split(ends_line).filter(|line| !is_empty(line)).count();
    if lines > 1 {
        return Some(format!("the {lines} lines are read as one scramble"));
    }
    let has_wide = text.contains(['u', 'r', 'f', 'd', 'l', 'b']);
    // `i` is an inverse mark, as in `ri`.
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

/// A request for scrambles of a case.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ScrambleRequest {
    /// The position after each scramble, in any format. To get the case that an algorithm ALG
    /// solves, write `(ALG)'`.
    #[cfg_attr(feature = "openapi", schema(example = "R U R' U'"))]
    pub case: String,
    /// The number of scrambles, 1 to 100.
    #[serde(default = "one_scramble", deserialize_with = "read_scramble_count")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<usize>, minimum = 1, maximum = 100, default = 1)
    )]
    pub count: usize,
    /// The minimum number of moves. No scramble has fewer than 21.
    #[serde(default, deserialize_with = "read_length")]
    #[cfg_attr(feature = "openapi", schema(maximum = 255, default = 21))]
    pub min_length: Option<u8>,
    /// `true` to add a random turn of U, or none, before the solution of the case, which is then
    /// seen from a random angle.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub pre_auf: bool,
    /// `true` to add a random turn of U, or none, after the solution of the case.
    #[serde(default, deserialize_with = "read_or_default")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<bool>))]
    pub post_auf: bool,
    /// The random seed. The same seed gives the same scrambles on every machine.
    #[serde(default, deserialize_with = "read_seed")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<u64>, format = "uint64"))]
    pub seed: Option<u64>,
}

fn one_scramble() -> usize {
    1
}

fn read_scramble_count<'de, D: Deserializer<'de>>(source: D) -> Result<usize, D::Error> {
    const RANGE: &str = "a whole number from 1 to 100";
    let count = Option::deserialize(source).map_err(|error| expected(RANGE, error))?;
    let count = count.unwrap_or_else(one_scramble);
    if (1..=100).contains(&count) {
        return Ok(count);
    }
    let given = Unexpected::Unsigned(count as u64);
    Err(D::Error::invalid_value(given, &RANGE))
}

/// Deserializes an optional random seed.
///
/// # Errors
///
/// Returns an error with the accepted range.
pub fn read_seed<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u64>, D::Error> {
    let range = format!("a whole number from 0 to {}", u64::MAX);
    Option::deserialize(source).map_err(|error| expected(&range, error))
}

/// Scrambles of a case.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleList {
    /// The 54 facelets of the case.
    pub facelets: String,
    /// Another possible reading of the text of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The scrambles, all different.
    pub scrambles: Vec<ScrambleResult>,
}

/// A scramble of a case. If A solves the case, then `pre_auf` A `post_auf` solves the cube after
/// `moves`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScrambleResult {
    /// The moves.
    pub moves: String,
    /// The turn of U before the solution of the case, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pre_auf: Option<String>,
    /// The turn of U after the solution of the case, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub post_auf: Option<String>,
}

impl From<Scramble> for ScrambleResult {
    fn from(scramble: Scramble) -> ScrambleResult {
        ScrambleResult {
            moves: DisplayMoves(&scramble.moves).to_string(),
            pre_auf: scramble.pre_auf.map(|turn| turn.to_string()),
            post_auf: scramble.post_auf.map(|turn| turn.to_string()),
        }
    }
}

impl ScrambleRequest {
    /// Draws the scrambles, from `drawn_seed` if the request has no seed.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the text of the case is not a position.
    pub fn answer(&self, drawn_seed: u64) -> Result<ScrambleList, ParseError> {
        let input = parse_position(&self.case, None, &ParseOptions::default())?;
        let options = ScrambleOptions {
            min_length: self.min_length.unwrap_or(ScrambleOptions::MIN_LENGTH),
            pre_auf: self.pre_auf,
            post_auf: self.post_auf,
        };
        let scrambles = scrambles(input.cube, self.seed.unwrap_or(drawn_seed), options);
        Ok(ScrambleList {
            facelets: input.cube.facelets(),
            hint: hint(&self.case, &input),
            scrambles: scrambles
                .take(self.count)
                .map(ScrambleResult::from)
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(fields: &str) -> Result<ScrambleRequest, serde_json::Error> {
        serde_json::from_str(&format!(r#"{{"case": "R U R' U'"{fields}}}"#))
    }

    #[test]
    fn scrambles_lead_to_the_case() {
        let seeded = request(r#", "count": 3, "seed": 1"#).unwrap();
        let list = seeded.answer(2).unwrap();
        assert_eq!(list.scrambles.len(), 3);
        for scramble in &list.scrambles {
            let cube: Cube = scramble.moves.parse().unwrap();
            assert_eq!(cube.facelets(), list.facelets);
            assert_eq!((&scramble.pre_auf, &scramble.post_auf), (&None, &None));
        }
        let drawn = request(r#", "count": 3"#).unwrap();
        assert_eq!(drawn.answer(1).unwrap(), list);
    }

    #[test]
    fn values_have_limits() {
        for (field, fault) in [
            (r#", "count": 0"#, "expected a whole number from 1 to 100"),
            (r#", "count": 101"#, "expected a whole number from 1 to 100"),
            (
                r#", "min_length": 256"#,
                "expected a whole number of moves from 0 to 255",
            ),
            (r#", "auf": true"#, "unknown field `auf`"),
        ] {
            let refused = request(field).unwrap_err().to_string();
            assert!(refused.contains(fault), "{refused}");
        }
        assert_eq!(request("").unwrap().count, 1);
    }
}
