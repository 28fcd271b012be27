//! Parsing a position without solving it, random positions, and scrambles of a case.

use crate::api_error::ApiError;
use crate::body::Object;
use crate::server::Server;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use cosette::cube::{Cube, FaceOrder, Format, ParseOptions, random_positions};
use cosette::numbers::read_or_default;
use cosette_app::position::{
    PositionCheck, ScrambleList, ScrambleRequest, ScrambledPosition, read_seed,
};
use cosette_app::random;
use rand::Rng;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// A text to be parsed as a position.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckRequest {
    /// The position as moves, 54 facelets, Reid notation (twenty pieces) or Speffz cycles. A dot is
    /// an unpainted facelet. The field may also be named `text`.
    #[serde(alias = "text")]
    #[schema(example = "R U2 F'")]
    position: String,
    /// The format; detected if omitted.
    #[schema(value_type = Option<cosette_app::request::names::Format>)]
    format: Option<Format>,
    /// The order of the faces in 54 facelets, such as `ULFRBD`.
    #[schema(value_type = Option<String>)]
    face_order: Option<FaceOrder>,
    /// `true` if moves in parentheses apply to the inverse (NISS notation).
    #[serde(default, deserialize_with = "read_or_default")]
    #[schema(value_type = Option<bool>)]
    niss: bool,
}

/// Parse a position without solving it
///
/// The status is 200 even if the text is not a position. For facelets, `marks` lists the impossible
/// pieces, even while the cube is still being painted.
#[utoipa::path(
    post, path = "/position", operation_id = "checkPosition", tag = "Positions",
    request_body = CheckRequest,
    responses(
        (
            status = 200,
            description = "the position, or the error in the text",
            body = PositionCheck,
        ),
    ),
)]
pub async fn check(
    State(server): State<Arc<Server>>,
    request: Result<Json<Object<CheckRequest>>, JsonRejection>,
) -> Result<Json<PositionCheck>, ApiError> {
    let Json(Object(CheckRequest {
        position: text,
        format,
        face_order,
        niss,
    })) = request?;
    let options = ParseOptions {
        niss,
        face_order: face_order.unwrap_or_default(),
    };
    let checked = server.run_blocking(move || PositionCheck::of(&text, format, &options));
    checked.await.map(Json)
}

/// The parameters of a random position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RandomOptions {
    /// The random seed. The same seed gives the same position on every machine: the first of
    /// `cosette scramble --seed`.
    #[serde(default, deserialize_with = "read_seed")]
    #[param(value_type = Option<u64>, format = "uint64")]
    seed: Option<u64>,
}

/// Draw a uniformly random position
#[utoipa::path(
    get, path = "/random", operation_id = "drawPosition", tag = "Positions", params(RandomOptions),
    responses((status = 200, description = "a position", body = ScrambledPosition)),
)]
pub async fn random(
    State(server): State<Arc<Server>>,
    options: Result<Query<RandomOptions>, QueryRejection>,
) -> Result<Json<ScrambledPosition>, ApiError> {
    let Query(RandomOptions { seed }) = options?;
    let drawn = server.run_blocking(move || {
        let cube = match seed {
            Some(seed) => random_positions(seed)
                .next()
                .expect("the positions do not end"),
            None => Cube::random(&mut random::system()),
        };
        ScrambledPosition::from(&cube)
    });
    drawn.await.map(Json)
}

/// Generate scrambles of a case
///
/// The response has distinct scrambles, each of the minimum number of moves or slightly more. With
/// an AUF, they lead to the case up to turns of U.
#[utoipa::path(
    post, path = "/scrambles", operation_id = "drawScrambles", tag = "Positions",
    request_body = ScrambleRequest,
    responses((status = 200, description = "the scrambles", body = ScrambleList)),
)]
pub async fn scrambles(
    State(server): State<Arc<Server>>,
    request: Result<Json<Object<ScrambleRequest>>, JsonRejection>,
) -> Result<Json<ScrambleList>, ApiError> {
    let Json(Object(request)) = request?;
    let drawn = server.run_blocking(move || {
        let answer = request.answer(random::system().next_u64());
        answer.map_err(|error| ApiError::of_text(&request.case, &error))
    });
    Ok(Json(drawn.await??))
}
