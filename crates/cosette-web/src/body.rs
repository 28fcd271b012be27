//! Bodies of requests: their encoding, JSON objects, and the rest of a body that a handler has not
//! read.
//!
//! A client that sends a large body does not read the response before the end of the body. If the
//! server closed the connection before, the client would get an error of the connection instead of
//! the response. So the rest of a rejected body is read and dropped, within limits.

use crate::api_error::ApiError;
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_stream::{Stream, StreamExt};

/// Maximum number of bytes of a rejected body that are read.
const MAX_DROPPED: usize = 64 << 20;

/// Maximum time for reading the rest of a rejected body.
const DROP_TIMEOUT: Duration = Duration::from_secs(5);

/// Middleware that rejects encoded bodies, and reads the rest of a rejected body.
pub async fn read_rest(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = SharedBody(Arc::new(Mutex::new(body.into_data_stream())));
    let encoding = parts.headers.get(header::CONTENT_ENCODING);
    let response = if encoding.is_none_or(|encoding| encoding == "identity") {
        let request = Request::from_parts(parts, Body::from_stream(body.clone()));
        next.run(request).await
    } else {
        unsupported_encoding()
    };
    if response.status().is_client_error() {
        let _ = tokio::time::timeout(DROP_TIMEOUT, drop_rest(body)).await;
    }
    response
}

/// Returns the response to a request with an encoded body.
fn unsupported_encoding() -> Response {
    let error = ApiError::new(
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "the body has a `Content-Encoding`",
        "send it without compression",
    );
    let accepted = [(
        header::ACCEPT_ENCODING,
        HeaderValue::from_static("identity"),
    )];
    (accepted, error).into_response()
}

async fn drop_rest(mut body: SharedBody) {
    let mut dropped = 0;
    while dropped <= MAX_DROPPED
        && let Some(Ok(part)) = body.next().await
    {
        dropped += part.len();
    }
}

/// The parts of a body, for several readers; each part is read once.
#[derive(Clone)]
struct SharedBody(Arc<Mutex<BodyDataStream>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Pin::new(&mut *parts).poll_next(context)
    }
}

/// A value whose JSON is an object. From an array, serde would read the fields of a struct by their
/// order.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Object<T>, D::Error> {
        source.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, fields: M) -> Result<Object<T>, M::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(Object)
    }
}
