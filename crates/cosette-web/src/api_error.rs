//! Errors as HTTP responses: a status, and JSON with the error and its remedy.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection, StringRejection};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use cosette::block_file::FileError;
use cosette::cube::ParseError;
use cosette::table::TableError;
use cosette::{OpenError, Remedy};
use cosette_app::batch::BatchError;
use cosette_app::events::character_span;
use cosette_app::remedies::{Audience, split_help, worded};
use cosette_app::request::RequestError;
use cosette_fmc::request::FieldError;
use serde::Serialize;
use std::error::Error;
use std::fmt;
use tower_http::timeout::TimeoutError;
use utoipa::ToSchema;

/// Seconds after which a client should try again when the queue is full.
const RETRY_AFTER: u32 = 2;

/// The error of a request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApiError {
    #[serde(skip)]
    #[schema(ignore)]
    status: StatusCode,
    /// The error message.
    pub error: String,
    /// The remedy: how to fix the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The invalid characters of the text, or of the field that the error names: the index of the
    /// first, and the index after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<[usize; 2]>,
}

impl ApiError {
    /// Creates an error with a message and a remedy.
    pub fn new(status: StatusCode, error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError {
            status,
            error: error.into(),
            help: Some(help.into()),
            span: None,
        }
    }

    /// Creates the error of a request that cannot be parsed.
    pub fn malformed(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error, help)
    }

    /// Creates the error of a request with an invalid position or field.
    pub fn invalid(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error, help)
    }

    /// Creates the error of a request that this client may not make.
    pub fn forbidden(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, error, help)
    }

    /// Creates the error of a request that conflicts with other work, or was stopped.
    pub fn conflict(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error, help)
    }

    /// Creates the error of a request for a resource that does not exist.
    pub fn not_found(error: impl Into<String>, help: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error, help)
    }

    /// Creates the error of a request for work that a stopping server does not begin.
    pub fn shutting_down() -> ApiError {
        let help = "start it again with `cosette-web`";
        ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is shutting down",
            help,
        )
    }

    /// Creates the error of a bug in the server.
    pub fn internal() -> ApiError {
        let help = "please report this; the log of the server has details";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal error", help)
    }

    /// Creates the error of a text that is not a position.
    pub fn of_text(text: &str, error: &ParseError) -> ApiError {
        ApiError {
            span: Some(character_span(text, error.span())),
            ..ApiError::invalid(error.message(), error.help())
        }
    }

    /// Creates the error of a table, with its remedy, if any, worded for users of the web app.
    fn of_table(status: StatusCode, error: &dyn Error, remedy: Option<Remedy>) -> ApiError {
        ApiError {
            help: remedy.map(|remedy| worded(&remedy, Audience::Page)),
            ..ApiError::new(status, error.to_string(), "")
        }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl From<TableError> for ApiError {
    fn from(error: TableError) -> ApiError {
        let status = match error {
            TableError::File(FileError::NotFound { .. } | FileError::NothingToRemove { .. }) => {
                StatusCode::NOT_FOUND
            }
            TableError::File(FileError::BeingGenerated { .. }) => StatusCode::CONFLICT,
            _ if error.is_other_file() => StatusCode::CONFLICT,
            TableError::File(FileError::TooLittleDisk { .. }) => StatusCode::INSUFFICIENT_STORAGE,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        ApiError::of_table(status, &error, error.remedy())
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> ApiError {
        let OpenError::Table(error) = error else {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            return ApiError::of_table(status, &error, error.remedy());
        };
        error.into()
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> ApiError {
        let (error, help) = error.message_and_help(Audience::Page);
        ApiError::invalid(error, &help)
    }
}

impl From<FieldError> for ApiError {
    fn from(error: FieldError) -> ApiError {
        let (wrong, help) = split_help(&error.message);
        let span = error.span.map(|(text, span)| character_span(&text, span));
        ApiError {
            span,
            ..ApiError::invalid(format!("`{}`: {wrong}", error.field), help)
        }
    }
}

impl From<BatchError> for ApiError {
    fn from(error: BatchError) -> ApiError {
        tracing::error!(%error);
        ApiError::internal()
    }
}

/// Returns the error of a request whose body, parameters or path cannot be parsed. `error` is the
/// message, unless the body is too large or arrives too slowly.
fn unreadable(
    rejection: &(dyn Error + 'static),
    status: StatusCode,
    error: String,
    help: &str,
) -> ApiError {
    match status {
        _ if is_timeout(rejection) => {
            let error = "the body did not arrive in time";
            ApiError::new(
                StatusCode::REQUEST_TIMEOUT,
                error,
                "send it without long pauses",
            )
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            let help = "send less at a time; see /api/v1/openapi.json for the limits";
            ApiError::new(status, "the body is too large", help)
        }
        status => ApiError::new(status, error, help),
    }
}

macro_rules! from_rejection {
    ($($rejection:ty: $error:expr, $help:expr);* $(;)?) => { $(
        impl From<$rejection> for ApiError {
            fn from(rejection: $rejection) -> ApiError {
                unreadable(&rejection, rejection.status(), $error(&rejection), $help)
            }
        }
    )* };
}

from_rejection! {
    JsonRejection: cause_in_body, "send a JSON object as described in /api/v1/openapi.json";
    QueryRejection: cause_in_query, "see /api/v1/openapi.json for the parameters";
    StringRejection: |_| "the body is not text in UTF-8".to_owned(), "send text in UTF-8";
    PathRejection: |_| "the path cannot be read".to_owned(), "see /api/v1/openapi.json for the \
        paths";
}

/// Returns the message of the error that caused a rejection, in which serde names the field; or the
/// message of axum if there is no such error.
fn cause(rejection: &impl Error) -> String {
    rejection
        .source()
        .map_or_else(|| rejection.to_string(), ToString::to_string)
}

/// Returns the [`cause`]. Moves the required field to the front of its list of fields.
fn cause_in_body(rejection: &impl Error) -> String {
    cause(rejection).replace(
        "expected one of `position`, ",
        "expected `position`, which is required, or one of ",
    )
}

/// Returns the [`cause`]. Removes the position from its list of fields: a query has none.
fn cause_in_query(rejection: &impl Error) -> String {
    cause(rejection).replace("expected one of `position`, `text`, ", "expected one of ")
}

/// Returns `true` if a request was rejected because its body took too long.
fn is_timeout(rejection: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(rejection), |&error| error.source())
        .any(|error| error.is::<TimeoutError>())
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status;
        let mut response = (status, axum::Json(self)).into_response();
        if matches!(
            status,
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
        ) {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, RETRY_AFTER.into());
        }
        response
    }
}
