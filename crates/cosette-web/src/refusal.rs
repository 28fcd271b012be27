//! What the server cannot do, as an HTTP answer: a status, and JSON that says what is wrong and what mends it.

use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection, StringRejection};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cosette::cube::ReadError;
use cosette::table::TableError;
use cosette_app::batch::BatchError;
use cosette_app::choice::ChoiceError;
use serde::Serialize;
use utoipa::ToSchema;

/// Seconds after which a client may try again what was refused because too much is under way.
const RETRY_AFTER: u32 = 2;

/// Why something cannot be done.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Refusal {
    #[serde(skip)]
    #[schema(ignore)]
    status: u16,
    /// What is wrong.
    pub error: String,
    /// What mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The bytes of the text that it is about: the first, and the one after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
}

impl Refusal {
    /// A refusal with its remedy.
    pub fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { status: status.as_u16(), error: error.into(), help: Some(help.into()), span: None }
    }

    /// The work cannot be done because other work is under way.
    pub fn conflict(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, error, help)
    }

    /// There is no such thing.
    pub fn not_found(error: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, error, help)
    }

    /// A panic in work of ours.
    pub fn internal() -> Refusal {
        let help = "please report this; the log of the server says more";
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", help)
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        let span = error.span();
        let status = StatusCode::UNPROCESSABLE_ENTITY.as_u16();
        Refusal { status, error: error.message(), help: Some(error.help()), span: Some([span.start, span.end]) }
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        let status = match error {
            TableError::NotFound { .. } => StatusCode::NOT_FOUND,
            TableError::BeingFilled { .. } => StatusCode::CONFLICT,
            TableError::TooLittleDisk { .. } => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal { status: status.as_u16(), error: error.to_string(), help: error.help(), span: None }
    }
}

impl From<ChoiceError> for Refusal {
    fn from(error: ChoiceError) -> Refusal {
        match error {
            ChoiceError::Table(error) => error.into(),
            other => Refusal { status: 500, error: other.to_string(), help: other.help(), span: None },
        }
    }
}

impl From<BatchError> for Refusal {
    fn from(error: BatchError) -> Refusal {
        tracing::error!(%error);
        Refusal::internal()
    }
}

/// Rejections of axum, in our form: they come before a handler is entered.
macro_rules! from_rejection {
    ($($rejection:ty: $help:literal),* $(,)?) => { $(
        impl From<$rejection> for Refusal {
            fn from(rejection: $rejection) -> Refusal {
                match rejection.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => Refusal::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "the body is too large",
                        "send less at a time; /api/v1/openapi.json names the limits",
                    ),
                    status => Refusal::new(status, rejection.body_text(), $help),
                }
            }
        }
    )* };
}

from_rejection! {
    JsonRejection: "send a JSON object as /api/v1/openapi.json describes it, with content-type application/json",
    StringRejection: "send text in UTF-8",
    BytesRejection: "send text in UTF-8",
    QueryRejection: "see /api/v1/openapi.json for the parameters",
    PathRejection: "see /api/v1/openapi.json for the paths",
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(self)).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER.into());
        }
        response
    }
}
