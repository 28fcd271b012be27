//! Searches that are stopped: by id, when the client disconnects, with the server.

use crate::support::{EventReader, SUPERFLIP, TestServer};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Eleven characters that stand for a million turns.
const MILLION_TURNS: &str = "(R U)500000";

/// Starts a search of the superflip and waits until it is under way.
pub async fn superflip(server: &TestServer) -> (EventReader, u64) {
    let mut follow = EventReader::of(server.solve(&json!({ "position": SUPERFLIP }))).await;
    let id = follow.until("queued").await["id"].as_u64().unwrap();
    follow.until("iteration-finished").await;
    (follow, id)
}

#[tokio::test]
async fn a_search_is_stopped_by_its_id() {
    let server = TestServer::start();
    let (mut follow, id) = superflip(&server).await;
    let start = Instant::now();
    let stop = || server.delete(&format!("/api/v1/solves/{id}")).send();
    assert_eq!(stop().await.unwrap().status(), StatusCode::NO_CONTENT);
    let answer = follow.until("answer").await;
    assert!(
        start.elapsed() < Duration::from_millis(500),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(
        (&answer["stop_reason"], &answer["length"]),
        (&json!("interrupt"), &Value::Null)
    );
    assert!(
        answer["lower_bound"].as_u64() > Some(0) && answer["best_known"].is_string(),
        "{answer}"
    );
    assert!(follow.next().await.is_none());
    server.wait_until_idle().await;
    assert_eq!(stop().await.unwrap().status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_search_stops_when_its_client_disconnects() {
    let server = TestServer::start();
    let (follow, _) = superflip(&server).await;
    assert_eq!(server.searches().await, 1);
    drop(follow);
    server.wait_until_idle().await;
}

#[tokio::test]
async fn a_batch_is_stopped_by_its_id() {
    let server = TestServer::start();
    let lines = format!("R U\n{SUPERFLIP}\n{SUPERFLIP}\n{SUPERFLIP}\n");
    let batch = server
        .post("/api/v1/batch")
        .header("accept", "application/x-ndjson")
        .body(lines);
    let mut follow = EventReader::of(batch).await;
    let id = follow.until("queued").await["id"].as_u64().unwrap();
    assert_eq!(follow.until("answer").await["line"], 1);
    server
        .delete(&format!("/api/v1/solves/{id}"))
        .send()
        .await
        .unwrap();
    let end = follow.until("end").await;
    assert_eq!(
        end,
        json!({ "event": "end", "done": 1, "total": 4, "stopped": true })
    );
}

#[tokio::test]
async fn a_search_waits_or_is_refused_if_the_queue_is_full() {
    let server = TestServer::with(
        crate::support::tables(),
        &["--table", "24M", "--searches", "1", "--queue", "1"],
    );
    let (_first, _) = superflip(&server).await;
    let mut second = EventReader::of(server.solve(&json!({ "position": "R" }))).await;
    let queued = second.until("queued").await;
    assert_eq!(queued["ahead"], 1);
    let third = server
        .solve(&json!({ "position": "R" }))
        .send()
        .await
        .unwrap();
    assert_eq!(third.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(
        third.headers()["retry-after"]
            .to_str()
            .unwrap()
            .parse::<u32>()
            .unwrap()
            > 0
    );
    // A waiting search can be stopped too.
    server
        .delete(&format!("/api/v1/solves/{}", queued["id"]))
        .send()
        .await
        .unwrap();
    assert!(
        second.until("refused").await["error"]
            .as_str()
            .unwrap()
            .contains("stopped")
    );
    assert_eq!(server.searches().await, 1);
}

#[tokio::test]
async fn a_batch_is_stopped_while_it_is_read() {
    let server = TestServer::start();
    let batch = |lines: String| {
        server
            .post("/api/v1/batch")
            .header("accept", "application/x-ndjson")
            .body(lines)
    };
    for lines in [
        format!("{MILLION_TURNS}\n").repeat(50_000),
        "R\n".repeat(4_000_000),
    ] {
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

#[cfg(unix)]
#[test]
fn a_generation_that_nobody_follows_does_not_outlive_the_server() {
    let folder = TempDir::new().unwrap();
    for _ in 0..6 {
        let mut server = TestServer::with(folder.path(), &[]);
        let mut stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        let (port, token) = (server.port(), &server.token);
        let request = format!(
            "POST /api/v1/tables/htm-375M HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        drop(stream);
        thread::sleep(Duration::from_millis(100));
        let pid = server.child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .unwrap()
                .success()
        );
        let start = Instant::now();
        while server.child.try_wait().unwrap().is_none() {
            assert!(
                start.elapsed() < Duration::from_secs(20),
                "the server does not end"
            );
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_server_stops_on_request_and_sends_what_is_proven() {
    for request in ["-TERM", "-HUP"] {
        if request == "-HUP" && cosette_app::cli::interrupt::is_ignored(1) {
            continue; // as the server does
        }
        let mut server = TestServer::start();
        let (mut follow, _) = superflip(&server).await;
        let start = Instant::now();
        let pid = server.child.id().to_string();
        assert!(
            Command::new("kill")
                .args([request, &pid])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(follow.until("answer").await["stop_reason"], "interrupt");
        assert!(server.child.wait().unwrap().success());
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "{request}: {:?}",
            start.elapsed()
        );
    }
}
