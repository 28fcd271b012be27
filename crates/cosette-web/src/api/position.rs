//! Reading a position without solving it, and random positions.

use crate::api_error::ApiError;
use crate::server::Server;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use cosette::cube::{
    Cube, Format, Input, Moves, Painting, ReadError, ReadOptions, Sequence, random_positions, read_position,
};
use cosette::twophase::TwoPhase;
use cosette_app::random;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A text to be read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// Moves, 54 facelets, Reid's twenty pieces or Speffz cycles. A dot is a facelet that is not painted. It may also be named
    /// `text`.
    #[serde(alias = "text")]
    #[schema(example = "R U2 F'")]
    position: String,
    /// The format; detected if omitted.
    #[schema(value_type = Option<cosette_app::request::names::Format>)]
    format: Option<Format>,
    /// Whether moves in parentheses apply to the inverse (NISS notation).
    #[serde(default)]
    niss: bool,
}

/// An impossible piece.
#[derive(Debug, Serialize, ToSchema)]
struct Mark {
    /// Its facelets, 0 to 53, in the order of facelet strings.
    places: Vec<usize>,
    /// What is wrong with it.
    error: String,
    /// How to fix it.
    help: String,
}

impl From<cosette::cube::Mark> for Mark {
    fn from(cosette::cube::Mark { places, error, help }: cosette::cube::Mark) -> Mark {
        Mark { places, error, help }
    }
}

/// What a text means.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct PositionCheck {
    /// Whether the text is a position. If not, `error` and `help` say why.
    ok: bool,
    /// The format of the text.
    format: &'static str,
    /// The 54 facelets as letters of faces; also of a painting that is not a position, with dots for blank facelets.
    #[serde(skip_serializing_if = "Option::is_none")]
    facelets: Option<String>,
    /// Moves that lead from the solved cube to the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    /// The rotation of the whole cube in the moves, as in `x2`. The facelets are those with white up and green in front; the
    /// cube as it is held after the moves is the one after this rotation and then `setup`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<String>,
    /// How many of the 48 symmetries fix the position.
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
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    /// The bytes of the text that are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
    /// How many facelets are not painted.
    blank: usize,
    /// Impossible pieces.
    marks: Vec<Mark>,
}

impl PositionCheck {
    fn position(input: &Input) -> PositionCheck {
        let cube = &input.cube;
        PositionCheck {
            ok: true,
            format: input.format.name(),
            facelets: Some(cube.facelets()),
            setup: Some(setup(cube)),
            rotation: input.sequence.as_ref().and_then(Sequence::rotation_text),
            symmetries: Some(cube.symmetries().len()),
            odd: Some(cube.is_odd()),
            representative: Some(cube.representative().facelets()),
            ..PositionCheck::default()
        }
    }

    fn error(text: &str, format: Option<Format>, error: &ReadError) -> PositionCheck {
        let painting = Painting::read(text, format);
        let span = error.span();
        PositionCheck {
            format: format.unwrap_or_else(|| Format::of(text)).name(),
            facelets: painting.as_ref().map(Painting::facelets),
            error: Some(error.message()),
            help: Some(error.help()),
            span: Some([span.start, span.end]),
            blank: painting.as_ref().map_or(0, Painting::blank),
            marks: painting.iter().flat_map(Painting::marks).map(Mark::from).collect(),
            ..PositionCheck::default()
        }
    }
}

/// A short sequence that leads to the position.
fn setup(cube: &Cube) -> String {
    Moves(&TwoPhase::get().sequence_to(cube)).to_string()
}

/// Check whether a text is a position
///
/// The status is 200 in either case. For facelets, `marks` lists the impossible pieces, even while the cube is still being
/// painted.
#[utoipa::path(
    post, path = "/position", request_body = CheckRequest,
    responses(
        (status = 200, description = "the position, or why the text is not one", body = PositionCheck),
        (status = 400, description = "the body is not JSON", body = ApiError),
        (status = 415, description = "the content type is not `application/json`", body = ApiError),
        (status = 422, description = "the request is not as described", body = ApiError),
    ),
)]
pub async fn check(
    State(server): State<Arc<Server>>,
    request: Result<Json<CheckRequest>, JsonRejection>,
) -> Result<Json<PositionCheck>, ApiError> {
    let Json(CheckRequest { position: text, format, niss }) = request?;
    let checked = server.unhurried(move || match read_position(&text, format, &ReadOptions { niss }) {
        Ok(input) => PositionCheck::position(&input),
        Err(error) => PositionCheck::error(&text, format, &error),
    });
    checked.await.map(Json)
}

/// Which random position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RandomOptions {
    /// The random seed. The same seed gives the same position on every machine, the first of `cosette scramble --seed`.
    #[param(format = "uint64")]
    seed: Option<u64>,
}

/// A position.
#[derive(Serialize, ToSchema)]
pub struct Position {
    /// Its 54 facelets.
    facelets: String,
    /// Moves that lead from the solved cube to the position.
    scramble: String,
}

/// A uniformly random position
#[utoipa::path(
    get, path = "/random", params(RandomOptions),
    responses(
        (status = 200, description = "a position", body = Position),
        (status = 400, description = "a parameter is invalid", body = ApiError),
    ),
)]
pub async fn random(
    State(server): State<Arc<Server>>,
    options: Result<Query<RandomOptions>, QueryRejection>,
) -> Result<Json<Position>, ApiError> {
    let Query(RandomOptions { seed }) = options?;
    let drawn = server.unhurried(move || {
        let cube = match seed {
            Some(seed) => random_positions(seed).next().expect("the positions do not end"),
            None => Cube::random(&mut random::system()),
        };
        Position { facelets: cube.facelets(), scramble: setup(&cube) }
    });
    drawn.await.map(Json)
}
