//! Fewest moves: the events, their order, and whether the answers are right.

use crate::support::{Server, events, named};
use cosette::cube::{Cube, ParseOptions, parse_moves};
use serde_json::{Value, json};

const SCRAMBLE: &str = "R2 U2 F2 D R2 U F";

fn is_solved(text: String) -> bool {
    Cube::from_moves(
        parse_moves(
            &text,
            &ParseOptions {
                niss: true,
                ..ParseOptions::default()
            },
        )
        .unwrap()
        .moves(),
    )
    .is_solved()
}

#[tokio::test]
async fn skeletons_are_told_as_they_are_found() {
    let server = Server::start();
    let asked = json!({ "position": SCRAMBLE, "steps": "eo[max=1] > dr[max=2] > htr[max=3] > finish[max=6]", "count": 2 });
    let request = server
        .post("/api/v1/fmc")
        .header("accept", "application/x-ndjson")
        .json(&asked);
    let events = events(request).await;
    assert_eq!(events[0]["event"], "queued");
    let better = named(&events, "skeleton");
    let lengths: Vec<u64> = better
        .iter()
        .map(|event| event["length"].as_u64().unwrap())
        .collect();
    assert!(
        !lengths.is_empty() && lengths.is_sorted_by(|a, b| a > b),
        "{lengths:?}"
    );
    let answer = events.last().unwrap();
    assert_eq!(
        (&answer["event"], &answer["optimal"], &answer["stop_reason"]),
        (&json!("answer"), &json!(true), &Value::Null)
    );
    for skeleton in answer["skeletons"].as_array().unwrap() {
        assert!(
            is_solved(format!(
                "{SCRAMBLE} {}",
                skeleton["solution"].as_str().unwrap()
            )),
            "{skeleton}"
        );
        assert!(
            is_solved(format!(
                "{SCRAMBLE} {}",
                skeleton["moves"].as_str().unwrap()
            )),
            "{skeleton}"
        );
    }
}

#[tokio::test]
async fn one_step_lists_all_ways_and_what_is_in_the_way() {
    let server = Server::start();
    let asked = json!({ "position": SCRAMBLE, "steps": "eo[max=1]", "count": "all" });
    let request = server
        .post("/api/v1/fmc")
        .header("accept", "application/json")
        .json(&asked);
    let answer: Value = request.send().await.unwrap().json().await.unwrap();
    let ways: u64 = answer["step_counts"][0]["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert_eq!(answer["skeletons"].as_array().unwrap().len() as u64, ways);
    let bad = |step: &str| {
        answer["status"]["bad_pieces"]
            .as_array()
            .unwrap()
            .iter()
            .find(|bad| bad["step"] == step)
            .unwrap()
    };
    assert_eq!(
        (
            &bad("eo:FB")["edges"],
            bad("eo:FB")["facelets"].as_array().unwrap().len()
        ),
        (&json!(4), 8)
    );
    assert_eq!(answer["status"]["reductions"], json!(["eo:RL"]));
}

#[tokio::test]
async fn insertions_are_found() {
    let server = Server::start();
    let ask = |from: &str| {
        let asked = json!({ "position": "D2 R U R' D2 R U' R2", "from": from, "count": "all" });
        server
            .post("/api/v1/fmc/insertions")
            .header("accept", "application/json")
            .json(&asked)
            .send()
    };
    let answer: Value = ask("R").await.unwrap().json().await.unwrap();
    assert_eq!(
        (&answer["case"], &answer["insertions"][0]["length"]),
        (&json!("three corners"), &json!(8))
    );
    let other = ask("R U").await.unwrap();
    assert_eq!(other.status(), 422);
    let refused: Value = other.json().await.unwrap();
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .starts_with("`from`: these moves leave"),
        "{refused}"
    );
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused() {
    let server = Server::start();
    for (asked, error) in [
        (
            json!({ "position": "R", "steps": "eo > do" }),
            "`steps`: `do` is not a step",
        ),
        (
            json!({ "position": "R U F", "steps": "dr[triggers=R]" }),
            "`steps`: dr with triggers cannot be the first step",
        ),
        (
            json!({ "position": "R", "from": "(U" }),
            "`from`: the parenthesis",
        ),
        (
            json!({ "position": "R", "metric": "qtm" }),
            "unknown field `metric`",
        ),
        (json!({ "position": "R Q" }), "`Q` is not a valid move"),
    ] {
        let request = server
            .post("/api/v1/fmc")
            .header("accept", "application/json")
            .json(&asked);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 422, "{asked}");
        let refused: Value = response.json().await.unwrap();
        assert!(
            refused["error"].as_str().unwrap().contains(error),
            "{refused}"
        );
    }
}
