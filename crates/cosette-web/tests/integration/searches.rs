//! Solves and batches: their events, their ends by a stop, a lost client or the end of the server,
//! and many of them at once.

use crate::support::{EASY, EventReader, SUPERFLIP, TestServer, events, json, named, tables};
use cosette::cube::{Cube, ParseOptions, parse_moves};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Returns `true` if a solution solves the position of a scramble.
fn solves(scramble: &str, solution: &Value) -> bool {
    let cube = |text: &str| {
        let sequence = parse_moves(text, &ParseOptions::default()).unwrap();
        Cube::from_moves(sequence.moves())
    };
    (cube(scramble) * cube(solution.as_str().unwrap())).is_solved()
}

/// Starts a search of the superflip and waits until it is under way. Returns its id too.
async fn superflip(server: &TestServer) -> (EventReader, u64) {
    let request = server.solve(&json!({ "position": SUPERFLIP }));
    let (mut follow, id) = EventReader::of_search(request).await;
    follow.until("iteration-finished").await;
    (follow, id)
}

/// Returns a field of each event with this name.
fn fields(events: &[Value], event: &str, field: &str) -> Vec<u64> {
    let events = named(events, event).into_iter();
    events.filter_map(|event| event[field].as_u64()).collect()
}

#[tokio::test]
async fn a_solve_reports_what_it_finds_and_ends_with_the_answer() {
    let server = TestServer::start();
    let events = events(server.solve(&json!({ "position": EASY }))).await;
    assert_eq!(events[0]["event"], "queued");
    assert_eq!(events[0]["ahead"], 0);
    let solutions = named(&events, "solution");
    assert!(!solutions.is_empty() && solutions.iter().all(|event| solves(EASY, &event["moves"])));
    let lengths = fields(&events, "iteration-started", "length");
    let is_short = lengths.iter().all(|&length| length <= 10);
    assert!(lengths.is_sorted() && is_short, "{lengths:?}");
    let answer = events.last().unwrap();
    for (field, value) in [
        ("event", json!("answer")),
        ("length", json!(10)),
        ("optimal", json!(true)),
        ("complete", json!(true)),
        ("table", json!("htm-24M")),
        ("input", json!(EASY)),
    ] {
        assert_eq!(answer[field], value);
    }
    assert!(solves(EASY, &answer["solutions"][0]));
}

#[tokio::test]
async fn a_search_whose_answer_nobody_waits_for_is_stopped() {
    let server = TestServer::start();
    let request = server
        .post("/api/v1/solve")
        .header("accept", "application/json")
        .json(&json!({ "position": SUPERFLIP }))
        .timeout(Duration::from_millis(500));
    assert!(request.send().await.unwrap_err().is_timeout());
    server.wait_until_idle().await;
    let (follow, _) = superflip(&server).await;
    assert_eq!(server.searches().await, 1);
    drop(follow);
    server.wait_until_idle().await;
}

#[tokio::test]
async fn lines_that_stand_for_a_million_turns_take_no_memory() {
    let server = TestServer::start();
    let events = events(server.batch("(R U R' U')240000 F\n".repeat(50))).await;
    assert_eq!(fields(&events, "answer", "length"), [1; 50]);
}

#[tokio::test]
async fn a_long_batch_has_a_result_for_each_line() {
    let server = TestServer::start();
    let lines = (0..12_000).map(|number| format!("R{} U{}", number % 3 + 1, number / 3 % 3 + 1));
    let mut lines: Vec<String> = lines.collect();
    lines[0] = "# a comment".to_owned();
    lines[1] = String::new();
    lines[11_000] = "R Q".to_owned();
    let events = events(server.batch(lines.join("\n"))).await;
    assert_eq!(fields(&events, "answer", "length"), [2; 11_997]);
    let mut answered = fields(&events, "answer", "line");
    answered.sort_unstable();
    let expected = (3..=12_000).filter(|line| *line != 11_001);
    assert!(answered.into_iter().eq(expected));
    assert_eq!(fields(&events, "failure", "line"), [11_001]);
    assert_eq!(named(&events, "failure")[0]["span"], json!([2, 3]));
    let totals = fields(&events, "progress", "total");
    assert!(totals.iter().all(|&total| total == 11_998));
    let end = json!({ "event": "end", "done": 11_998, "total": 11_998, "stopped": false });
    assert_eq!(*events.last().unwrap(), end);
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let server = TestServer::start();
    let large = "R ".repeat(40_000);
    let position = server.post("/api/v1/position");
    for request in [
        server.solve(&json!({ "position": large })),
        // Much more than the buffers of the connection hold.
        server.solve(&json!({ "position": large.repeat(200) })),
        position.json(&json!({ "text": large })),
        server.batch("R U\n".repeat(3 << 20)),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert!(response.json::<Value>().await.unwrap()["help"].is_string());
    }
}

#[tokio::test]
async fn a_search_is_stopped_by_its_id() {
    let server = TestServer::start();
    let (mut follow, id) = superflip(&server).await;
    let start = Instant::now();
    assert_eq!(server.stop(id).await, StatusCode::NO_CONTENT);
    let answer = follow.until("answer").await;
    let time = start.elapsed();
    assert!(time < Duration::from_millis(500), "{time:?}");
    assert_eq!(answer["stop_reason"], "interrupt");
    assert_eq!(answer["length"], Value::Null);
    let has_bounds = answer["lower_bound"].as_u64() > Some(0) && answer["best_known"].is_string();
    assert!(has_bounds, "{answer}");
    assert!(follow.next().await.is_none());
    server.wait_until_idle().await;
    assert_eq!(server.stop(id).await, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_batch_is_stopped_by_its_id() {
    let server = TestServer::start();
    let lines = format!("R U\n{SUPERFLIP}\n{SUPERFLIP}\n{SUPERFLIP}\n");
    let (mut follow, id) = EventReader::of_search(server.batch(lines)).await;
    assert_eq!(follow.until("answer").await["line"], 1);
    let before = follow.until("searching").await;
    let searching = follow.until("searching").await;
    assert_eq!(searching["line"], 2);
    let length = searching["length"].as_u64();
    assert!(
        length >= before["length"].as_u64() && length > Some(0),
        "{searching}"
    );
    server.stop(id).await;
    let end = json!({ "event": "end", "done": 1, "total": 4, "stopped": true });
    assert_eq!(follow.until("end").await, end);
}

#[tokio::test]
async fn a_client_that_reads_late_gets_every_event_of_a_stopped_batch() {
    let server = TestServer::start();
    let (mut follow, id) = EventReader::of_search(server.batch("R U\n".repeat(20_000))).await;
    follow.until("answer").await;
    // The buffers of the connection become full, and the server waits.
    tokio::time::sleep(Duration::from_secs(1)).await;
    server.stop(id).await;
    server.wait_until_idle().await;
    let mut answers = 1;
    let mut last = json!(null);
    while let Some(event) = follow.next().await {
        answers += u64::from(event["event"] == "answer");
        last = event;
    }
    assert!(answers < 20_000, "{answers}");
    let end = json!({ "event": "end", "done": answers, "total": 20_000, "stopped": true });
    assert_eq!(last, end);
}

#[tokio::test]
async fn a_batch_is_stopped_while_it_is_read() {
    let server = TestServer::start();
    // Eleven characters that stand for a million turns.
    let long_lines = "(R U)500000\n".repeat(50_000);
    for lines in [long_lines, "R\n".repeat(4_000_000)] {
        let (mut follow, id) = EventReader::of_search(server.batch(lines)).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        let start = Instant::now();
        server.stop(id).await;
        while let Some(event) = follow.next().await {
            assert_ne!(event["stopped"], false, "{event}");
        }
        server.wait_until_idle().await;
        let time = start.elapsed();
        assert!(time < Duration::from_secs(3), "{time:?}");
    }
}

#[tokio::test]
async fn a_search_waits_or_is_refused_if_the_queue_is_full() {
    let options = ["--table", "24M", "--searches", "1", "--queue", "1"];
    let server = TestServer::with(tables(), &options);
    let (_first, _) = superflip(&server).await;
    let request = || server.solve(&json!({ "position": "R" }));
    let mut second = EventReader::of(request()).await;
    let queued = second.until("queued").await;
    assert_eq!(queued["ahead"], 1);
    let list = json(server.get("/api/v1/solves")).await;
    for (search, input, running) in [(0, SUPERFLIP, true), (1, "R", false)] {
        let search = &list["solves"][search];
        assert_eq!(search["input"], input);
        assert_eq!(search["running"], running);
        assert_eq!(search["ahead"], u32::from(!running));
        let id = search["id"].as_u64().unwrap();
        let one = json(server.get(&format!("/api/v1/solves/{id}"))).await;
        assert_eq!(one["kind"], "solve");
    }
    let third = request().send().await.unwrap();
    assert_eq!(third.status(), StatusCode::TOO_MANY_REQUESTS);
    let seconds = third.headers()["retry-after"].to_str().unwrap();
    assert!(seconds.parse::<u32>().unwrap() > 0);
    // A waiting search can be stopped too.
    server.stop(queued["id"].as_u64().unwrap()).await;
    let refused = second.until("refused").await["error"].to_string();
    assert!(refused.contains("stopped"), "{refused}");
    assert_eq!(server.searches().await, 1);
}

#[tokio::test]
async fn a_waiting_search_learns_when_others_ahead_of_it_end() {
    let server = TestServer::with(tables(), &["--table", "24M", "--searches", "1"]);
    let (_first, _) = superflip(&server).await;
    let request = server.solve(&json!({ "position": SUPERFLIP }));
    let (_second, second_id) = EventReader::of_search(request).await;
    let request = server.solve(&json!({ "position": "R" }));
    let mut third = EventReader::of(request).await;
    assert_eq!(third.until("queued").await["ahead"], 2);
    server.stop(second_id).await;
    assert_eq!(third.until("queued").await["ahead"], 1);
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
        server.signal(request);
        assert_eq!(follow.until("answer").await["stop_reason"], "interrupt");
        assert!(server.child.wait().unwrap().success());
        let time = start.elapsed();
        assert!(time < Duration::from_secs(2), "{request}: {time:?}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_search_that_waits_when_the_server_stops_is_refused() {
    let server = TestServer::with(tables(), &["--table", "24M", "--searches", "1"]);
    let (_first, _) = superflip(&server).await;
    let second = server
        .post("/api/v1/solve")
        .header("accept", "application/json")
        .json(&json!({ "position": "R" }));
    let second = tokio::spawn(second.send());
    while server.searches().await < 2 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    server.signal("-TERM");
    let response = second.await.unwrap().unwrap();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
}

/// Sends one client's request until it is not refused; how often it was refused, and the last
/// status.
async fn ask(server: &TestServer, number: usize) -> (usize, StatusCode) {
    let mut refused = 0;
    loop {
        let easy = server.solve(&json!({ "position": EASY }));
        let malformed = server.post("/api/v1/solve");
        let request = match number % 5 {
            0 => server.solve(&json!({ "position": "R U Q" })),
            1 => malformed
                .header("content-type", "application/json")
                .body("{"),
            2 => easy.header("origin", "http://evil.example"),
            3 => server.batch("R U\nF2 D\n"),
            _ => easy,
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
            let lines = text.lines();
            let events: Vec<Value> = lines
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            let expected: &[u64] = if number % 5 == 3 { &[2, 2] } else { &[10] };
            assert_eq!(fields(&events, "answer", "length"), expected);
        }
        return (refused, status);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_clients_at_once() {
    let server = Arc::new(TestServer::start());
    let clients: Vec<_> = (0..200)
        .map(|number| {
            let server = Arc::clone(&server);
            tokio::spawn(async move { ask(&server, number).await })
        })
        .collect();
    let mut refused = 0;
    for (number, client) in clients.into_iter().enumerate() {
        let (times, status) = client.await.unwrap();
        refused += times;
        let expected = [422, 400, 403, 200, 200][number % 5];
        assert_eq!(status.as_u16(), expected, "client {number}");
    }
    println!("{refused} requests were refused because the queue was full");
    server.wait_until_idle().await;
}
