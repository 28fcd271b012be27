//! Requests and responses, in `tests/exchanges.txt`. A request is its method, its path and its
//! body; lines below it are headers. Then come the status and the body of the response, in which
//! `…` stands for any text. The OpenAPI document describes each of these responses.

#[path = "../../../cosette-app/tests/questions/pattern.rs"]
mod pattern;

use crate::document::{check, described};
use crate::support::{TestServer, json};
use pattern::matches;
use reqwest::Method;
use serde_json::Value;

/// The body of a request; `\n`, `\t` and `\xff` are escapes outside JSON.
fn bytes_of(body: &str) -> Vec<u8> {
    match body {
        "\\xff" => vec![0xff],
        _ if is_json(body) => body.into(),
        _ => body.replace("\\n", "\n").replace("\\t", "\t").into(),
    }
}

fn is_json(body: &str) -> bool {
    body.starts_with(['{', '[', '"'])
}

#[tokio::test]
async fn every_request_has_its_response() {
    let server = TestServer::start();
    let document = json(server.get("/api/v1/openapi.json")).await;
    let exchanges = include_str!("../exchanges.txt").split("\n\n");
    for exchange in exchanges.filter(|text| !text.starts_with('#')) {
        let mut lines = exchange.trim().lines();
        let mut request_line = lines.next().unwrap().splitn(3, ' ');
        let method = request_line.next().unwrap();
        let path = request_line.next().unwrap();
        let body = request_line.next().unwrap_or_default();
        let address = format!("/api/v1{path}");
        let mut request = server.request(method.parse::<Method>().unwrap(), &address);
        let mut accept = if path.starts_with("/batch") {
            "application/x-ndjson"
        } else {
            "application/json"
        };
        let mut content_type = if is_json(body) {
            "application/json"
        } else {
            "text/plain"
        };
        let mut expected = String::new();
        for line in lines {
            match line.split_once(": ") {
                Some(("accept", value)) => accept = value,
                Some(("content-type", value)) => content_type = value,
                Some(("origin", value)) => request = request.header("origin", value),
                _ => expected += &format!("{line}\n"),
            }
        }
        request = request.header("accept", accept);
        if !body.is_empty() {
            request = request
                .header("content-type", content_type)
                .body(bytes_of(body));
        }
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let text = response.text().await.unwrap();
        let actual = format!("{status} {}", text.trim_end());
        assert!(
            matches(expected.trim_end(), &actual),
            "{exchange}\n{actual}"
        );
        match described(&document, path, method, status) {
            Some(response) => {
                let schema = &response["content"]["application/json"]["schema"];
                if let Ok(body) = serde_json::from_str::<Value>(&text) {
                    assert!(!schema.is_null(), "{exchange}");
                    check(&document, schema, &body);
                }
            }
            None => assert!([404, 405].contains(&status), "not described: {exchange}"),
        }
    }
}
