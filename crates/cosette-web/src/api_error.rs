//! Errors as HTTP responses: a status, and JSON that says what is wrong and how to fix it.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection, StringRejection};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cosette::block_file::FileError;
use cosette::cube::{ReadError, shortened};
use cosette::table::TableError;
use cosette::{OpenError, Remedy};
use cosette_app::batch::BatchError;
use serde::Serialize;
use std::error::Error;
use std::fmt;
use tower_http::timeout::TimeoutError;
use utoipa::ToSchema;

/// Seconds after which a client should try again when the queue is full.
const RETRY_AFTER: u32 = 2;

/// Why a request failed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApiError {
    #[serde(skip)]
    #[schema(ignore)]
    status: u16,
    /// What is wrong.
    pub error: String,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The bytes of the text that are wrong: the first, and the one after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
}

impl ApiError {
    /// An error and how to fix it.
    pub fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError { status: status.as_u16(), error: error.into(), help: Some(help.into()), span: None }
    }

    /// Other work prevents this.
    pub fn conflict(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error, help)
    }

    /// There is no such thing.
    pub fn not_found(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error, help)
    }

    /// A bug in the server.
    pub fn internal() -> ApiError {
        let help = "please report this; the log of the server has details";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", help)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> ApiError {
        let span = error.span();
        let status = StatusCode::UNPROCESSABLE_ENTITY.as_u16();
        ApiError { status, error: error.message(), help: Some(error.help()), span: Some([span.start, span.end]) }
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        let status = match error {
            TableError::File(FileError::NotFound { .. } | FileError::NothingToRemove { .. }) => StatusCode::NOT_FOUND,
            TableError::File(FileError::BeingGenerated { .. }) => StatusCode::CONFLICT,
            TableError::File(FileError::TooLittleDisk { .. }) => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError { status: status.as_u16(), error: error.to_string(), help: help(error.remedy()), span: None }
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        match error {
            OpenError::Table(error) => error.into(),
            other => ApiError { status: 500, error: other.to_string(), help: help(other.remedy()), span: None },
        }
    }
}

/// How to fix it, for a user of the page.
fn help(remedy: Option<Remedy>) -> Option<String> {
    let table =
        |name: &Option<String>| name.as_ref().map_or("the table".to_owned(), |name| format!("the table {name}"));
    Some(match remedy? {
        Remedy::UseFewerThreads => "start the server with a smaller --threads".into(),
        Remedy::GenerateTable(name) => format!("generate {} under Tables", table(&name)),
        Remedy::MoveAwayAndGenerate(name) => {
            format!("move that file away, then generate {} under Tables", table(&name))
        }
        Remedy::GenerateAgain(name) => format!("remove {} under Tables and generate it again", table(&name)),
        Remedy::ChooseSmallerTable => "generate a smaller table; Tables shows which ones fit in memory".into(),
        Remedy::AllowMoreMemory => "start the server with a larger --memory or a smaller --table".into(),
        Remedy::FreeDiskSpace => "free disk space, or start the server with another folder in --tables".into(),
        Remedy::ChooseWritableFolder => "start the server with a writable folder in --tables or COSETTE_TABLES".into(),
        Remedy::NameFolder => "name one with --tables or COSETTE_TABLES".into(),
        Remedy::ContinueGeneration(id) => format!("continue {id} under Tables, or remove what there is of it"),
        Remedy::WaitForGeneration => "wait until it has finished, or stop it: the finished part is kept".into(),
    })
}

impl From<BatchError> for ApiError {
    fn from(error: BatchError) -> ApiError {
        tracing::error!(%error);
        ApiError::internal()
    }
}

/// How much of what axum says of a request is passed on, in characters: it may quote the body.
const LONGEST_REJECTION: usize = 220;

/// Requests that axum rejects before it calls a handler.
macro_rules! from_rejection {
    ($($rejection:ty: $help:literal),* $(,)?) => { $(
        impl From<$rejection> for ApiError {
            fn from(rejection: $rejection) -> ApiError {
                if is_timeout(&rejection) {
                    let error = "the body did not arrive in time";
                    return ApiError::new(StatusCode::REQUEST_TIMEOUT, error, "send it without long pauses");
                }
                match rejection.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(
                        StatusCode::PAYLOAD_TOO_LARGE,
                        "the body is too large",
                        "send less at a time; /api/v1/openapi.json names the limits",
                    ),
                    status => ApiError::new(status, shortened(&in_plain_words(&rejection.body_text()), LONGEST_REJECTION), $help),
                }
            }
        }
    )* };
}

from_rejection! {
    JsonRejection: "send a JSON object as /api/v1/openapi.json describes it, with content-type application/json",
    StringRejection: "send text in UTF-8",
    QueryRejection: "see /api/v1/openapi.json for the parameters",
    PathRejection: "see /api/v1/openapi.json for the paths",
}

/// What people say for the words of axum and serde.
const PLAIN_WORDS: [(&str, &str); 11] = [
    ("Failed to deserialize the JSON body into the target type: ", ""),
    ("Failed to deserialize query string: ", ""),
    ("Failed to parse the request body as JSON: ", "the body is not JSON: "),
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected u64", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("number too large to fit in target type", "the number is too large"),
    ("invalid digit found in string", "expected a whole number"),
    ("cannot parse integer from empty string", "expected a whole number"),
    ("invalid float literal", "expected a number"),
    ("expected struct SolveRequest", "expected an object"),
];

/// The text of a rejection without the words of libraries.
fn in_plain_words(text: &str) -> String {
    PLAIN_WORDS.iter().fold(text.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// Whether a request was rejected because its body took too long.
fn is_timeout(rejection: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(rejection), |&error| error.source()).any(|error| error.is::<TimeoutError>())
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(self)).into_response();
        if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER.into());
        }
        response
    }
}
