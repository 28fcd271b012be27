//! Reading the body and the parameters of a request. What is wrong with them is worded here and nowhere else: the words of the
//! libraries that read them do not reach users.

use crate::api_error::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use cosette::cube::shortened;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// How much of a name or a value an error quotes, in characters.
const LONGEST_QUOTE: usize = 60;

/// A field or a parameter: its name, and what it takes.
pub type Field = (&'static str, &'static str);

pub const POSITION: Field = ("position", "give a text, as in `\"R U2 F'\"`");
pub const TEXT: Field = ("text", POSITION.1);
pub const FORMAT: Field = ("format", "give `moves`, `facelets`, `reid` or `speffz`");
pub const NISS: Field = ("niss", "give `true` or `false`");
pub const METRIC: Field = ("metric", "give `htm` or `qtm`");
pub const COUNT: Field = ("count", "give a whole number, one or more, or the word `all`");
pub const MAX_LENGTH: Field = ("max_length", "give a number of moves, 0 to 255");
pub const TIMEOUT: Field = ("timeout", "give a number of seconds, as in 60 or 0.5");
pub const PREFER: Field = ("prefer", METRIC.1);
pub const EXPLAIN: Field = ("explain", NISS.1);
pub const SEED: Field = ("seed", "give a whole number, 0 to 18446744073709551615");

/// What a request takes. A body must have the first field, or the one that is its other name.
pub trait Fields: DeserializeOwned {
    const FIELDS: &'static [Field];
}

/// What a value is that a request does not take.
fn unknown<T: Fields>(kind: &str, name: &str, status: StatusCode) -> ApiError {
    let names: Vec<String> = T::FIELDS.iter().map(|(name, _)| format!("`{name}`")).collect();
    let error = format!("there is no {kind} `{}`", shortened(name, LONGEST_QUOTE));
    ApiError::new(status, error, format!("the {kind}s are {}", names.join(", ")))
}

/// What is wrong with a value that a field does not take.
fn refused<T: Fields>(name: &str, value: &str, status: StatusCode) -> ApiError {
    let takes = T::FIELDS.iter().find(|(field, _)| *field == name).map_or(POSITION.1, |(_, takes)| takes);
    let value = match value {
        "" => "empty".to_owned(),
        value => shortened(value, LONGEST_QUOTE),
    };
    ApiError::new(status, format!("`{name}` cannot be {value}"), takes)
}

/// A body of JSON.
pub struct Body<T>(pub T);

impl<T: Fields, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        if !is_json(request.headers()) {
            let error = "the content type is not `application/json`";
            let help = "send a JSON object, with the header `content-type: application/json`";
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, help));
        }
        let bytes = Bytes::from_request(request, state).await?;
        read(&bytes).map(Body)
    }
}

/// Whether a body says that it is JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn read<T: Fields>(bytes: &[u8]) -> Result<T, ApiError> {
    let (required, takes) = T::FIELDS[0];
    let an_object = format!("send an object with `{required}`; {takes}");
    let value = serde_json::from_slice(bytes).map_err(|error| {
        let error = match bytes.is_empty() {
            true => "the body is empty".to_owned(),
            false => format!("the body is not JSON: line {}, column {}", error.line(), error.column()),
        };
        ApiError::new(StatusCode::BAD_REQUEST, error, an_object.clone())
    })?;
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    let Value::Object(fields) = value else {
        return Err(ApiError::new(status, "the body is not a JSON object", an_object));
    };
    if let Some(name) = fields.keys().find(|name| T::FIELDS.iter().all(|(field, _)| field != name)) {
        return Err(unknown::<T>("field", name, status));
    }
    let reader = &mut serde_json::Deserializer::from_slice(bytes);
    serde_path_to_error::deserialize(reader).map_err(|error| match fields.get(&error.path().to_string()) {
        Some(value) => refused::<T>(&error.path().to_string(), &value.to_string(), status),
        None if is_given::<T>(&fields) => {
            let help = format!("send each field once; `{}` is another name of `{required}`", TEXT.0);
            ApiError::new(status, "a field is given twice", help)
        }
        None => ApiError::new(status, format!("there is no `{required}`"), takes),
    })
}

/// Whether the required field is there, under either name.
fn is_given<T: Fields>(fields: &Map<String, Value>) -> bool {
    [T::FIELDS[0].0, TEXT.0].iter().any(|name| fields.contains_key(*name))
}

/// The parameters in the address of a request. None is required.
pub struct Parameters<T>(pub T);

impl<T: Fields, S: Send + Sync> FromRequestParts<S> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Parameters<T>, ApiError> {
        Query::try_from_uri(&parts.uri).map(|Query(read)| Parameters(read)).map_err(|_| fault_of::<T>(&parts.uri))
    }
}

/// What is wrong with the parameters of an address: each is read alone.
fn fault_of<T: Fields>(uri: &Uri) -> ApiError {
    let status = StatusCode::BAD_REQUEST;
    for part in uri.query().unwrap_or_default().split('&') {
        let Ok(alone) = format!("/?{part}").parse::<Uri>() else { continue };
        let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(&alone) else { continue };
        let Some((name, value)) = pairs.first() else { continue };
        if T::FIELDS.iter().all(|(field, _)| field != name) {
            return unknown::<T>("parameter", name, status);
        }
        if Query::<T>::try_from_uri(&alone).is_err() {
            return refused::<T>(name, value, status);
        }
    }
    ApiError::new(status, "the parameters cannot be read", "give each one once, as text in UTF-8")
}
