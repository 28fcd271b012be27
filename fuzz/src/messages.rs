//! Messages from outside: requests to the HTTP API, and messages between the ranks of an MPI job.

use crate::path;
use crate::texts::check_message;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use cosette::table::TableFolder;
use serde_json::Value;
use std::sync::OnceLock;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// The documented statuses that the responses to these requests may have.
const STATUSES: [u16; 12] = [200, 204, 400, 403, 404, 405, 408, 409, 413, 415, 422, 429];

fn server() -> &'static (Runtime, Router) {
    static SERVER: OnceLock<(Runtime, Router)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build();
        let runtime = runtime.expect("the system starts a thread");
        let entered = runtime.enter();
        let router = cosette_web::fuzzing::router(TableFolder::new(path("http_requests-tables")));
        // Generates its tables now, not during the first input.
        cosette::twophase::TwoPhase::get();
        drop(entered);
        (runtime, router)
    })
}

/// Creates a request: the first byte chooses the route and the headers, the rest of the line is a
/// parameter of the path or query, and the body follows. `None` if these do not form a valid
/// request.
fn request(data: &[u8]) -> Option<Request<Body>> {
    let (&choice, rest) = data.split_first()?;
    let (line, body) = match rest.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    let line = std::str::from_utf8(line).ok()?;
    let (method, uri) = match choice % 8 {
        0 => ("POST", "/api/v1/position".into()),
        1 => ("POST", "/api/v1/solve".into()),
        2 => ("POST", format!("/api/v1/batch?{line}")),
        3 => ("DELETE", format!("/api/v1/solves/{line}")),
        4 => ("DELETE", format!("/api/v1/tables/{line}")),
        5 => ("GET", format!("/{line}")),
        6 => ("DELETE", format!("/api/v1/tables/{line}/generation")),
        _ => ("GET", "/api/v1/tables".into()),
    };
    let request = Request::builder().method(method).uri(uri);
    // The line may also be a host and an origin.
    let request = match (choice & 16 != 0, line.split_once(' ')) {
        (true, Some((host, origin))) => request
            .header(header::HOST, host)
            .header(header::ORIGIN, origin),
        _ => request.header(header::HOST, "127.0.0.1:7217"),
    };
    let request = match choice & 32 {
        0 => request.header(header::CONTENT_TYPE, "application/json"),
        _ => request
            .header(header::CONTENT_TYPE, "text/plain")
            .header(header::ACCEPT, "application/x-ndjson"),
    };
    request.body(Body::from(body.to_vec())).ok()
}

/// Requests to the HTTP API: each response has a documented status, and errors are JSON with a
/// remedy.
pub fn http_requests(data: &[u8]) {
    let (runtime, router) = server();
    let Some(request) = request(data) else { return };
    let is_api = request.uri().path().starts_with("/api/");
    let (status, content_type, body) = runtime.block_on(async {
        let response = router
            .clone()
            .oneshot(request)
            .await
            .expect("a router has a response");
        let content_type = response.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.map(|kind| kind.to_str().unwrap().to_owned());
        (
            response.status().as_u16(),
            content_type.unwrap_or_default(),
            to_bytes(response.into_body(), 64 << 20).await.unwrap(),
        )
    });
    // The web app is not part of the fuzzed program, so it responds with 503.
    assert!(
        STATUSES.contains(&status) || status == 503 && !is_api,
        "status {status}"
    );
    let text = String::from_utf8_lossy(&body);
    let sent = String::from_utf8_lossy(data);
    if content_type.starts_with("application/json") && !body.is_empty() {
        let value: Value = serde_json::from_str(&text).expect("it is JSON");
        if status >= 400 {
            check_error(&value, &sent);
        }
    } else if content_type.starts_with("text/event-stream")
        || content_type.starts_with("application/x-ndjson")
    {
        let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
        for line in text.lines() {
            let event = line.strip_prefix("data:");
            // An event stream also has lines without data: names of events, and blank lines.
            let is_without_data = event.is_none() && content_type.starts_with("text/");
            assert!(is_without_data || is_json(event.unwrap_or(line)), "{line}");
        }
    }
}

/// Checks that an error has a remedy, and quotes little of the request.
fn check_error(value: &Value, sent: &str) {
    let text = |name: &str| {
        let text = value[name].as_str();
        text.unwrap_or_else(|| panic!("an error without `{name}`: {value}"))
    };
    assert!(!text("help").is_empty());
    check_message(sent, text("error"));
}

#[cfg(feature = "mpi")]
/// Messages between ranks: any bytes are rejected or parsed. Encoding and parsing do not change a
/// parsed message.
pub fn mpi_messages(data: &[u8]) {
    let Some((&choice, bytes)) = data.split_first() else {
        return;
    };
    match choice % 3 {
        0 => check_encoding::<cosette_mpi::fuzzing::WorkerCommand>(bytes),
        1 => check_encoding::<cosette_mpi::fuzzing::WorkerReply>(bytes),
        _ => {
            let texts = bytes.split(|&byte| byte == 0);
            let texts = texts.map(|text| String::from_utf8_lossy(text).into_owned());
            let texts: Vec<String> = texts.collect();
            let _ = cosette_mpi::fuzzing::read_greetings(&texts);
        }
    }
}

/// Checks that encoding and parsing do not change a message, if the bytes are one.
#[cfg(feature = "mpi")]
fn check_encoding<M: serde::Serialize + serde::de::DeserializeOwned>(bytes: &[u8]) {
    let Ok(message) = postcard::from_bytes::<M>(bytes) else {
        return;
    };
    let encoded = |message: &M| postcard::to_stdvec(message).expect("messages are plain values");
    let parsed_again = postcard::from_bytes(&encoded(&message)).expect("an encoding can be parsed");
    assert_eq!(encoded(&parsed_again), encoded(&message));
}
