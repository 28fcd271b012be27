//! Many clients at once, some with bad requests.

use crate::support::{EASY, TestServer, named};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const CLIENTS: usize = 200;

/// Sends one client's request until it is not refused; how often it was refused, and the last
/// status.
async fn ask(server: &TestServer, number: usize) -> (usize, StatusCode) {
    let mut refused = 0;
    loop {
        let request = match number % 5 {
            0 => server.solve(&json!({ "position": "R U Q" })),
            1 => server
                .post("/api/v1/solve")
                .header("content-type", "application/json")
                .body("{"),
            2 => server
                .solve(&json!({ "position": EASY }))
                .header("origin", "http://evil.example"),
            3 => server
                .post("/api/v1/batch")
                .header("accept", "application/x-ndjson")
                .body("R U\nF2 D\n"),
            _ => server.solve(&json!({ "position": EASY })),
        };
        let response = request.send().await.unwrap();
        let status = response.status();
        if status == StatusCode::TOO_MANY_REQUESTS {
            assert!(response.headers().contains_key("retry-after"));
            refused += 1;
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        }
        let text = response.text().await.unwrap();
        if status == StatusCode::OK {
            let events: Vec<Value> = text
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let lengths: Vec<u64> = named(&events, "answer")
                .iter()
                .map(|answer| answer["length"].as_u64().unwrap())
                .collect();
            assert_eq!(
                lengths,
                if number % 5 == 3 {
                    vec![2, 2]
                } else {
                    vec![10]
                }
            );
        }
        return (refused, status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_clients_at_once() {
    let server = Arc::new(TestServer::start());
    let clients: Vec<_> = (0..CLIENTS)
        .map(|number| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { ask(&server, number).await })
        })
        .collect();
    let mut refused = 0;
    for (number, client) in clients.into_iter().enumerate() {
        let (times, status) = client.await.unwrap();
        refused += times;
        assert_eq!(
            status.as_u16(),
            [422, 400, 403, 200, 200][number % 5],
            "client {number}"
        );
    }
    println!("{refused} requests were refused because the queue was full");
    server.wait_until_idle().await;
}

#[test]
fn more_threads_than_the_machine_can_use_are_refused() {
    let server = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
        .args(["--threads", "100000"])
        .output()
        .unwrap();
    let error = String::from_utf8(server.stderr).unwrap();
    assert_eq!(server.status.code(), Some(2), "{error}");
    assert!(
        error.contains("--threads") && error.contains("100000 threads are too many"),
        "{error}"
    );
}
