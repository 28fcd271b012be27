//! What a text shows, before anything is solved; and positions at random.

use super::FormatName;
use super::faults::{Mark, Painting};
use crate::refusal::Refusal;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use cosette::Cancel;
use cosette::cube::{Cube, Format, Input, Moves, ReadError, ReadOptions, read_position};
use cosette::twophase::{Limits, TwoPhase};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A text that may show a position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// Moves, 54 facelets, Reid's twenty pieces or Speffz cycles. Among facelets a dot is one that is not painted.
    text: String,
    /// The format; recognised by itself where it is left out.
    format: Option<FormatName>,
    /// Whether round brackets hold moves on the inverse, as in fewest-moves notes.
    #[serde(default)]
    niss: bool,
}

/// What a text shows.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Checked {
    /// Whether it shows a position. If so, `error` and what follows it are left out; if not, they are there.
    ok: bool,
    /// The format it was read in.
    format: &'static str,
    /// The 54 facelets in the letters of the faces; also of a picture that is no position, with dots where nothing is painted.
    #[serde(skip_serializing_if = "Option::is_none")]
    facelets: Option<String>,
    /// Moves that lead from the solved cube to the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    /// How many of the 48 symmetries fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    symmetries: Option<usize>,
    /// Whether it is an odd permutation of the corners, and so of the edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    odd: Option<bool>,
    /// The facelets of the representative of its symmetry class.
    #[serde(skip_serializing_if = "Option::is_none")]
    representative: Option<String>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The bytes of the text that the error is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
    /// How many facelets are not painted.
    blank: usize,
    /// Facelets that cannot be as they are.
    marks: Vec<Mark>,
}

impl Checked {
    fn position(input: &Input) -> Checked {
        let cube = &input.cube;
        Checked {
            ok: true,
            format: input.format.name(),
            facelets: Some(cube.facelets()),
            setup: Some(setup(cube)),
            symmetries: Some(cube.stabilizer().len()),
            odd: Some(cube.is_odd()),
            representative: Some(cube.representative().facelets()),
            ..Checked::default()
        }
    }

    fn fault(text: &str, format: Option<Format>, error: &ReadError) -> Checked {
        let painting = Painting::read(text, format);
        let span = error.span();
        Checked {
            format: format.unwrap_or_else(|| Format::of(text)).name(),
            facelets: painting.as_ref().map(Painting::facelets),
            error: Some(error.message()),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
            blank: painting.as_ref().map_or(0, Painting::blank),
            marks: painting.as_ref().map(Painting::marks).unwrap_or_default(),
            ..Checked::default()
        }
    }
}

/// A short sequence that leads to the position: a solution found at once, undone.
fn setup(cube: &Cube) -> String {
    let limits = Limits { nodes: 0, until_solved: true, ..Limits::default() };
    let found = TwoPhase::get().search(cube, &limits, &mut |_| {}, &Cancel::new());
    let undone: Vec<_> = found.solution.iter().flatten().rev().map(|m| m.inverse()).collect();
    Moves(&undone).to_string()
}

/// See whether a text shows a position
///
/// The answer is 200 in either case. A picture that no cube shows is told which facelets are at fault, also while it is still
/// being painted.
#[utoipa::path(
    post, path = "/position", request_body = CheckRequest,
    responses(
        (status = 200, description = "what it shows, or why it shows none", body = Checked),
        (status = 413, description = "the body is too large", body = Refusal),
        (status = 422, description = "the request is not as described", body = Refusal),
    ),
)]
pub async fn check(request: Result<Json<CheckRequest>, JsonRejection>) -> Result<Json<Checked>, Refusal> {
    let Json(CheckRequest { text, format, niss }) = request?;
    let format = format.map(Format::from);
    let checked = tokio::task::spawn_blocking(move || match read_position(&text, format, &ReadOptions { niss }) {
        Ok(input) => Checked::position(&input),
        Err(error) => Checked::fault(&text, format, &error),
    });
    checked.await.map(Json).map_err(|_| Refusal::internal())
}

/// A position.
#[derive(Serialize, ToSchema)]
pub struct Position {
    /// Its 54 facelets.
    facelets: String,
}

/// A position at random, each as likely as any other
#[utoipa::path(get, path = "/random", responses((status = 200, description = "a position", body = Position)))]
pub async fn random() -> Json<Position> {
    Json(Position { facelets: Cube::random(&mut rand::rng()).facelets() })
}
