//! Solves and batches: the events, their order, and whether the answers are right.

use crate::support::{EASY, SUPERFLIP, Server, events, json, named};
use cosette::cube::{Cube, ParseOptions, parse_moves, random_positions};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

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
    let server = Server::start();
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
async fn events_are_server_sent_unless_json_lines_are_accepted() {
    let server = Server::start();
    let response = server
        .post("/api/v1/solve")
        .json(&json!({ "position": "R U" }))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (
            response.status().as_u16(),
            &response.headers()["content-type"]
        ),
        (200, &"text/event-stream".parse().unwrap())
    );
    let text = response.text().await.unwrap();
    let data: Vec<Value> = text
        .split("\n\n")
        .filter_map(|block| block.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(data.last().unwrap()["solutions"], json!(["U' R'"]));
}

#[tokio::test]
async fn the_answer_alone_is_one_json_object() {
    let server = Server::start();
    let solve = |accept: &'static str, body: Value| {
        server
            .post("/api/v1/solve")
            .header("accept", accept)
            .json(&body)
            .send()
    };
    for accept in ["application/json", "application/json, text/plain, */*"] {
        let response = solve(accept, json!({ "position": "R U" })).await.unwrap();
        assert_eq!(response.headers()["content-type"], "application/json");
        let answer: Value = response.json().await.unwrap();
        assert_eq!(
            (&answer["solutions"], &answer["event"]),
            (&json!(["U' R'"]), &Value::Null)
        );
    }
    let late = solve(
        "application/json",
        json!({ "position": SUPERFLIP, "timeout": 0.2 }),
    )
    .await
    .unwrap();
    assert_eq!(
        late.json::<Value>().await.unwrap()["stop_reason"],
        "timeout"
    );
    let refused = solve("application/json", json!({ "position": "R Q" }))
        .await
        .unwrap();
    assert_eq!(refused.status(), 422);
    // A batch has no such answer; programs that take anything besides get events.
    let batch = |accept: &'static str| {
        server
            .post("/api/v1/batch")
            .header("accept", accept)
            .body("R U\n")
            .send()
    };
    let refused = batch("application/json").await.unwrap();
    assert_eq!(refused.status(), 406);
    assert!(
        refused.json::<Value>().await.unwrap()["help"]
            .as_str()
            .unwrap()
            .contains("application/x-ndjson")
    );
    let events = batch("application/json, text/plain, */*").await.unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
    // One that accepts events as well gets them.
    let events = solve(
        "application/json, text/event-stream",
        json!({ "position": "R U" }),
    )
    .await
    .unwrap();
    assert_eq!(events.headers()["content-type"], "text/event-stream");
}

#[tokio::test]
async fn a_search_whose_answer_nobody_waits_for_is_stopped() {
    let server = Server::start();
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
async fn a_time_limit_is_kept() {
    let server = Server::start();
    let start = Instant::now();
    let late = events(server.solve(&json!({ "position": SUPERFLIP, "timeout": 0.3 })))
        .await
        .pop()
        .unwrap();
    assert_eq!(
        (&late["stop_reason"], &late["length"]),
        (&json!("timeout"), &Value::Null)
    );
    assert!(late["lower_bound"].as_u64() > Some(0) && solves(SUPERFLIP, &late["best_known"]));
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[tokio::test]
async fn every_format_is_read() {
    let server = Server::start();
    let cube = Cube::from_moves(parse_moves(EASY, &ParseOptions::default()).unwrap().moves());
    for (format, text) in [
        ("facelets", cube.facelets()),
        ("reid", cube.reid()),
        ("speffz", cube.speffz()),
    ] {
        for body in [
            json!({ "position": text }),
            json!({ "position": text, "format": format }),
        ] {
            let answer = events(server.solve(&body)).await.pop().unwrap();
            assert_eq!(
                (&answer["length"], &answer["format"]),
                (&json!(10), &json!(format))
            );
        }
    }
    let niss = json!({ "position": "R (U) F", "niss": true });
    assert_eq!(
        events(server.solve(&niss)).await.pop().unwrap()["length"],
        3
    );
}

#[tokio::test]
async fn a_batch_has_a_result_for_each_line() {
    let server = Server::start();
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
async fn names_are_in_the_answers() {
    let server = Server::start();
    let names = async |body: &'static str, kind: &'static str| {
        let batch = server
            .post("/api/v1/batch")
            .header("accept", "application/x-ndjson")
            .header("content-type", kind)
            .body(body);
        let events = events(batch).await;
        let results = events.iter().filter(|event| event["line"].is_u64());
        let mut results: Vec<String> = results
            .map(|event| format!("{} {} {}", event["line"], event["name"], event["input"]))
            .collect();
        results.sort_unstable();
        results
    };
    let listed = names("T-perm: R U F\nR U F\nF: R U\nAa - R Q\n", "text/plain").await;
    assert_eq!(
        listed,
        [
            r#"1 "T-perm" "R U F""#,
            r#"2 null "R U F""#,
            r#"3 null "F: R U""#,
            r#"4 null "Aa - R Q""#
        ]
    );
    assert_eq!(
        names("name,alg\nF,R U\n", "text/plain").await,
        [r#"2 "F" "R U""#]
    );
    let lines = "{\"name\": \"T\", \"alg\": \"R U\"}\n{\"alg\": \"F\"}\n";
    assert_eq!(
        names(lines, "text/plain").await,
        [r#"1 "T" "R U""#, r#"2 null "F""#]
    );
    let alone = events(server.solve(&json!({ "position": "T-perm: R U F" })))
        .await
        .pop()
        .unwrap();
    assert_eq!(
        (&alone["name"], &alone["input"], &alone["length"]),
        (&json!("T-perm"), &json!("R U F"), &json!(3))
    );
    let check = json(
        server
            .post("/api/v1/position")
            .json(&json!({ "text": "T-perm: R U F" })),
    )
    .await;
    assert_eq!(
        (&check["ok"], &check["name"]),
        (&json!(true), &json!("T-perm"))
    );
}

#[tokio::test]
async fn a_batch_counts_quarter_turns_too() {
    let server = Server::start();
    let batch = server
        .post("/api/v1/batch?metric=qtm")
        .header("accept", "application/x-ndjson")
        .body("R2\nU2 D2\n");
    let lengths: Vec<Value> = named(&events(batch).await, "answer")
        .iter()
        .map(|event| event["length"].clone())
        .collect();
    assert!(
        lengths.contains(&json!(2)) && lengths.contains(&json!(4)),
        "{lengths:?}"
    );
}

#[tokio::test]
async fn a_batch_gives_up_on_a_position_after_its_timeout() {
    let server = Server::start();
    let lines = format!("{SUPERFLIP}\nR U\n");
    let batch = server
        .post("/api/v1/batch?timeout=0.3")
        .header("accept", "application/x-ndjson")
        .body(lines);
    let events = events(batch).await;
    let mut stopped: Vec<(Value, Value)> = named(&events, "answer")
        .iter()
        .map(|event| (event["line"].clone(), event["stop_reason"].clone()))
        .collect();
    stopped.sort_by_key(|(line, _)| line.as_u64());
    assert_eq!(
        stopped,
        [(json!(1), json!("timeout")), (json!(2), Value::Null)]
    );
}

#[tokio::test]
async fn a_seed_draws_the_same_position_each_time() {
    let server = Server::start();
    let drawn = json(server.get("/api/v1/random?seed=5")).await;
    assert_eq!(
        drawn["facelets"].as_str(),
        random_positions(5)
            .next()
            .map(|cube| cube.facelets())
            .as_deref()
    );
    assert_eq!(drawn, json(server.get("/api/v1/random?seed=5")).await);
    assert_ne!(drawn, json(server.get("/api/v1/random?seed=6")).await);
    let scramble = parse_moves(
        drawn["scramble"].as_str().unwrap(),
        &ParseOptions::default(),
    )
    .unwrap();
    assert_eq!(Some(scramble.position()), random_positions(5).next());
}

#[tokio::test]
async fn scrambles_lead_to_the_case() {
    let server = Server::start();
    let post = |body: &Value| server.post("/api/v1/scrambles").json(body);
    let asked = json!({ "case": "R U R' U'", "count": 5, "min_length": 23, "pre_auf": true, "post_auf": true, "seed": 5 });
    let drawn = json(post(&asked)).await;
    assert_eq!(drawn, json(post(&asked)).await);
    let scrambles = drawn["scrambles"].as_array().unwrap();
    assert_eq!(scrambles.len(), 5);
    for scramble in scrambles {
        let text = |name: &str| scramble[name].as_str().unwrap_or_default().to_owned();
        assert!(text("moves").split(' ').count() >= 23);
        let all = format!(
            "{} {} U R U' R' {}",
            text("moves"),
            text("pre_auf"),
            text("post_auf")
        );
        assert!(
            parse_moves(&all, &ParseOptions::default())
                .unwrap()
                .position()
                .is_solved(),
            "{all}"
        );
    }
    let refused = post(&json!({ "case": "R Q" })).send().await.unwrap();
    assert_eq!(refused.status().as_u16(), 422);
    let refused = post(&json!({ "case": "R", "count": 101 }))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status().as_u16(), 422);
    assert!(
        refused
            .text()
            .await
            .unwrap()
            .contains("count: invalid value: integer `101`, expected a whole number from 1 to 100")
    );
}

#[tokio::test]
async fn the_setup_of_a_position_leads_there() {
    let server = Server::start();
    for cube in random_positions(5).take(10) {
        let checked = json(
            server
                .post("/api/v1/position")
                .json(&json!({ "text": cube.reid() })),
        )
        .await;
        let setup =
            parse_moves(checked["setup"].as_str().unwrap(), &ParseOptions::default()).unwrap();
        assert_eq!(setup.position(), cube);
    }
}

#[tokio::test]
async fn lines_that_stand_for_a_million_turns_take_no_memory() {
    let server = Server::start();
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
