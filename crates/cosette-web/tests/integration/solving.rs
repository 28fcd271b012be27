//! Solves and batches: the events, their order, and whether the answers are right.

use crate::support::{EASY, EventReader, SUPERFLIP, TestServer, events, named};
use cosette::cube::{Cube, ParseOptions, parse_moves};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

/// Returns `true` if a solution solves the position of a scramble.
fn solves(scramble: &str, solution: &Value) -> bool {
    let moves = |text: &str| {
        parse_moves(text, &ParseOptions::default())
            .unwrap()
            .moves()
            .to_vec()
    };
    Cube::from_moves(&moves(scramble))
        .apply_moves(&moves(solution.as_str().unwrap()))
        .is_solved()
}

#[tokio::test]
async fn a_solve_reports_what_it_finds_and_ends_with_the_answer() {
    let server = TestServer::start();
    let events = events(server.solve(&json!({ "position": EASY }))).await;
    assert_eq!(
        (&events[0]["event"], &events[0]["ahead"]),
        (&json!("queued"), &json!(0))
    );
    let solutions = named(&events, "solution");
    assert!(!solutions.is_empty() && solutions.iter().all(|event| solves(EASY, &event["moves"])));
    let lengths: Vec<u64> = named(&events, "iteration-started")
        .iter()
        .map(|event| event["length"].as_u64().unwrap())
        .collect();
    assert!(
        lengths.is_sorted() && lengths.iter().all(|&length| length <= 10),
        "{lengths:?}"
    );
    let answer = events.last().unwrap();
    assert_eq!(answer["event"], "answer");
    assert_eq!(
        (&answer["length"], &answer["optimal"], &answer["complete"]),
        (&json!(10), &json!(true), &json!(true))
    );
    assert_eq!(
        (&answer["table"], &answer["input"]),
        (&json!("htm-24M"), &json!(EASY))
    );
    assert!(solves(EASY, &answer["solutions"][0]));
}

#[tokio::test]
async fn a_search_whose_answer_nobody_waits_for_is_stopped() {
    let server = TestServer::start();
    let request = server
        .post("/api/v1/solve")
        .header("accept", "application/json");
    let waiting = request
        .json(&json!({ "position": SUPERFLIP }))
        .timeout(Duration::from_millis(500))
        .send()
        .await;
    assert!(waiting.unwrap_err().is_timeout());
    server.wait_until_idle().await;
}

#[tokio::test]
async fn a_batch_has_a_result_for_each_line() {
    let server = TestServer::start();
    let lines = format!("R U F\n\n# a comment\nR Q\n{EASY}\nU2\nR R'\n");
    let batch = server
        .post("/api/v1/batch")
        .header("accept", "application/x-ndjson")
        .body(lines);
    let events = events(batch).await;
    let mut results: Vec<(u64, Option<u64>)> = named(&events, "answer")
        .iter()
        .map(|event| (event["line"].as_u64().unwrap(), event["length"].as_u64()))
        .collect();
    results.sort_unstable();
    assert_eq!(
        results,
        [(1, Some(3)), (5, Some(10)), (6, Some(1)), (7, Some(0))]
    );
    let failures = named(&events, "failure");
    assert_eq!(
        (failures.len(), &failures[0]["line"], &failures[0]["span"]),
        (1, &json!(4), &json!([2, 3]))
    );
    let end = events.last().unwrap();
    assert_eq!(
        end,
        &json!({ "event": "end", "done": 5, "total": 5, "stopped": false })
    );
}

#[tokio::test]
async fn lines_that_stand_for_a_million_turns_take_no_memory() {
    let server = TestServer::start();
    let lines = "(R U R' U')240000 F\n".repeat(50);
    let events = events(
        server
            .post("/api/v1/batch")
            .header("accept", "application/x-ndjson")
            .body(lines),
    )
    .await;
    let answers = named(&events, "answer");
    assert!(
        answers.len() == 50 && answers.iter().all(|answer| answer["length"] == 1),
        "{:?}",
        events.last()
    );
}

#[tokio::test]
async fn a_long_batch_has_a_result_for_each_line() {
    let server = TestServer::start();
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

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let server = TestServer::start();
    let large = "R ".repeat(40_000);
    for request in [
        server.solve(&json!({ "position": large })),
        server
            .post("/api/v1/position")
            .json(&json!({ "text": large })),
        server.post("/api/v1/batch").body("R U\n".repeat(3 << 20)),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert!(response.json::<Value>().await.unwrap()["help"].is_string());
    }
}
