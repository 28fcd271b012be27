//! Clients that are slow, many, or ask for much: others are served meanwhile, and memory stays
//! bounded.

use crate::support::{EventReader, Server, events, json, named};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Eleven characters that stand for a million turns.
const LARGE: &str = "(R U)500000";

/// More than the server gives any connection to send something.
const MAX_PAUSE: Duration = Duration::from_secs(14);

/// Connects to the server and sends a text.
fn connect(server: &Server, text: &str) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
    stream.write_all(text.as_bytes()).unwrap();
    stream
}

/// The head of a request with the token.
fn head(server: &Server, request: &str, body_length: usize) -> String {
    let (port, token) = (server.port(), &server.token);
    let kind = if request.ends_with("/batch") {
        "text/plain"
    } else {
        "application/json"
    };
    format!(
        "{request} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n\
         content-type: {kind}\r\ncontent-length: {body_length}\r\n\r\n"
    )
}

/// Returns the data that the server sends until it closes the connection. Panics if that takes
/// longer than the time limit.
fn rest(mut stream: TcpStream, until: Instant) -> String {
    let mut received = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        assert!(!left.is_zero(), "the connection is still open");
        stream.set_read_timeout(Some(left)).unwrap();
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => received.extend(&buffer[..length]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("the connection is still open: {error}"),
        }
    }
    String::from_utf8(received).unwrap()
}

/// Returns the response time of the health check.
async fn health_time(server: &Server) -> Duration {
    let start = Instant::now();
    assert_eq!(json(server.get("/api/v1/health")).await["status"], "ok");
    start.elapsed()
}

/// The memory that the server has, in bytes.
#[cfg(target_os = "linux")]
fn memory(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

#[tokio::test(flavor = "multi_thread")]
async fn large_texts_do_not_hold_up_other_requests() {
    let server = Arc::new(Server::start());
    // Loads the table.
    events(server.solve(&json!({ "position": "R" }))).await;
    #[cfg(target_os = "linux")]
    let before = memory(&server);
    let clients: Vec<_> = (0..40)
        .map(|number| {
            let server = Arc::clone(&server);
            tokio::spawn(async move {
                let request = match number % 2 {
                    0 => server.solve(&json!({ "position": LARGE })),
                    _ => server
                        .post("/api/v1/position")
                        .json(&json!({ "text": LARGE })),
                };
                let status = request.send().await.unwrap().status();
                assert!(
                    matches!(status, StatusCode::OK | StatusCode::TOO_MANY_REQUESTS),
                    "{status}"
                );
            })
        })
        .collect();
    let mut longest = Duration::ZERO;
    let mut count = 0;
    while !clients.iter().all(tokio::task::JoinHandle::is_finished) {
        longest = longest.max(health_time(&server).await);
        count += 1;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for client in clients {
        client.await.unwrap();
    }
    assert!(longest < Duration::from_secs(1), "{longest:?} of {count}");
    // What they took is given back.
    #[cfg(target_os = "linux")]
    {
        server.wait_until_idle().await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        let kept = memory(&server).saturating_sub(before);
        println!("{kept} bytes are kept; /health took {longest:?} at most");
        assert!(kept < 32 << 20, "{kept} bytes are kept");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_stay_half_open_are_closed() {
    let server = Server::start();
    let start = Instant::now();
    let silent = [
        "",
        "GET",
        "GET /api/v1/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx: ",
    ]
    .map(|text| connect(&server, text));
    let idle = connect(&server, &head(&server, "GET /api/v1/health", 0));
    let bodies = [
        "POST /api/v1/solve",
        "POST /api/v1/position",
        "POST /api/v1/batch",
    ]
    .map(|request| connect(&server, &(head(&server, request, 100) + "{")));
    let (silent, idle, bodies) = tokio::task::spawn_blocking(move || {
        let until = start + MAX_PAUSE;
        (
            silent.map(|stream| rest(stream, until)),
            rest(idle, until),
            bodies.map(|stream| rest(stream, until)),
        )
    })
    .await
    .unwrap();
    assert_eq!(silent, ["", "", ""]);
    assert!(idle.starts_with("HTTP/1.1 200 "), "{idle}");
    for response in bodies {
        assert!(
            response.starts_with("HTTP/1.1 408 ") && response.contains("\"help\":"),
            "{response}"
        );
    }
    assert_eq!(server.searches().await, 0);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_batch_that_nobody_reads_takes_little_memory() {
    let server = Server::start();
    let mut lines = String::new();
    for number in 0.. {
        writeln!(
            lines,
            "R{} U{} F{}",
            number % 3 + 1,
            number / 3 % 3 + 1,
            number / 9 % 3 + 1
        )
        .unwrap();
        if lines.len() > (8 << 20) - 20 {
            break;
        }
    }
    events(server.solve(&json!({ "position": "R" }))).await;
    let before = memory(&server);
    let request = head(&server, "POST /api/v1/batch", lines.len()) + &lines;
    let stream = connect(&server, &request);
    let mut most = 0;
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(5) {
        most = most.max(memory(&server));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(server.searches().await, 1, "it waits for its reader");
    let grown = most.saturating_sub(before);
    println!("{grown} bytes more");
    assert!(grown < 64 << 20, "{grown} bytes");
    // After some time the reader is given up, and its memory is given back.
    while server.searches().await > 0 {
        assert!(
            start.elapsed() < Duration::from_secs(40),
            "the search still waits for its reader"
        );
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let kept = memory(&server).saturating_sub(before);
    assert!(kept < 32 << 20, "{kept} bytes are kept");
    drop(stream);
}

#[tokio::test]
async fn a_batch_is_stopped_while_it_is_read() {
    let server = Server::start();
    let batch = |lines: String| {
        server
            .post("/api/v1/batch")
            .header("accept", "application/x-ndjson")
            .body(lines)
    };
    for lines in [format!("{LARGE}\n").repeat(50_000), "R\n".repeat(4_000_000)] {
        let mut follow = EventReader::of(batch(lines)).await;
        let id = follow.until("queued").await["id"].as_u64().unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        server
            .delete(&format!("/api/v1/solves/{id}"))
            .send()
            .await
            .unwrap();
        while let Some(event) = follow.next().await {
            assert_ne!(event["stopped"], false, "{event}");
        }
        server.wait_until_idle().await;
        assert!(
            start.elapsed() < Duration::from_secs(3),
            "{:?}",
            start.elapsed()
        );
    }
}

#[tokio::test]
async fn a_long_batch_has_a_result_for_each_line() {
    let server = Server::start();
    let mut lines: Vec<String> = (0..12_000)
        .map(|number| format!("R{} U{}", number % 3 + 1, number / 3 % 3 + 1))
        .collect();
    lines[11_000] = "Q".to_owned();
    let request = server
        .post("/api/v1/batch")
        .header("accept", "application/x-ndjson")
        .body(lines.join("\n"));
    let mut follow = EventReader::of(request).await;
    let mut events: Vec<Value> = Vec::new();
    while let Some(event) = follow.next().await {
        events.push(event);
    }
    let mut answered: Vec<u64> = named(&events, "answer")
        .iter()
        .map(|event| event["line"].as_u64().unwrap())
        .collect();
    answered.sort_unstable();
    assert_eq!(
        answered,
        (1..=12_000)
            .filter(|line| *line != 11_001)
            .collect::<Vec<u64>>()
    );
    assert_eq!(named(&events, "failure")[0]["line"], 11_001);
    assert!(
        named(&events, "progress")
            .iter()
            .all(|event| event["total"] == 12_000)
    );
    assert_eq!(
        *events.last().unwrap(),
        json!({ "event": "end", "done": 12_000, "total": 12_000, "stopped": false })
    );
}
