//! The responses of the server conform to its OpenAPI document.

use crate::support::{TestServer, events, json};
use jsonschema::Validator;
use reqwest::RequestBuilder;
use serde_json::{Value, json};

/// Checks that a value conforms to a schema of the document. Properties that the schema does not
/// name are errors of the document.
pub fn check(document: &Value, schema: &Value, value: &Value) {
    let validator = validator(document, schema);
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}: {value}");
}

/// Returns the validator of a schema of the document.
fn validator(document: &Value, schema: &Value) -> Validator {
    let root = json!({ "allOf": [schema], "unevaluatedProperties": false, "components": document["components"] });
    jsonschema::draft202012::new(&root).unwrap()
}

/// The schema of this name.
fn schema(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

#[tokio::test]
async fn every_event_follows_its_schema() {
    let server = TestServer::start();
    let document = json(server.get("/api/v1/openapi.json")).await;
    let batch = |text: &'static str| {
        server
            .post("/api/v1/batch")
            .header("accept", "application/x-ndjson")
            .body(text)
    };
    let generate = |name| {
        server
            .post(&format!("/api/v1/tables/{name}"))
            .header("accept", "application/x-ndjson")
    };
    let solve = server
        .post("/api/v1/solve")
        .header("accept", "application/json");
    let answer = json(solve.json(&json!({ "position": "R U F", "explain": true }))).await;
    let described = &document["paths"]["/solve"]["post"]["responses"]["200"]["content"]["application/json"]
        ["schema"];
    check(&document, described, &answer);
    let requests: [(&str, RequestBuilder, &[&str]); 6] = [
        (
            "SolveEvent",
            server.solve(&json!({ "position": "R U F2 D L B2 R D" })),
            &["queued", "started", "answer"],
        ),
        (
            "SolveEvent",
            server.solve(&json!({ "position": "R2 L2", "count": "all", "explain": true })),
            &["answer"],
        ),
        (
            "SolveEvent",
            server.solve(&json!({ "position": "R U F D", "max_length": 2 })),
            &["answer"],
        ),
        (
            "BatchEvents",
            batch("R U\nQ\nU R\n"),
            &["queued", "failure", "answer", "progress", "end"],
        ),
        ("BatchEvents", batch("R U\nU' F2\n"), &["end"]),
        ("GenerationEvent", generate("htm-24M"), &["generated"]),
    ];
    for (name, request, expected) in requests {
        let events = events(request).await;
        events
            .iter()
            .for_each(|event| check(&document, &schema(name), event));
        for name in expected {
            assert!(
                events.iter().any(|event| event["event"] == *name),
                "there is no {name} in {events:?}"
            );
        }
    }
    // Server-sent events hold the same in their `data`.
    for (path, name) in [
        ("solve", "SolveEvent"),
        ("batch", "BatchEvents"),
        ("tables/{name}", "GenerationEvent"),
    ] {
        let stream = &document["paths"][format!("/{path}")]["post"]["responses"]["200"]["content"];
        let reference = schema(name);
        assert_eq!(stream["application/x-ndjson"]["schema"], reference);
        let sent = &stream["text/event-stream"]["schema"];
        assert_eq!(sent["properties"]["data"]["contentSchema"], reference);
        check(
            &document,
            sent,
            &json!({ "data": "{\"event\":\"filled\"}" }),
        );
    }
    // The server refuses no request that the schema allows for its numbers.
    for (count, is_allowed) in [
        (json!(0), false),
        (json!(1), true),
        (json!("all"), true),
        (json!("many"), false),
    ] {
        let request = json!({ "position": "R", "count": count });
        assert_eq!(
            validator(&document, &schema("SolveRequest")).is_valid(&request),
            is_allowed,
            "{request}"
        );
        assert_eq!(
            server.solve(&request).send().await.unwrap().status() == 200,
            is_allowed,
            "{request}"
        );
    }
    // The schemas do reject some values.
    for event in [
        json!({ "event": "queued" }),
        json!({ "event": "ended" }),
        json!({ "event": "end", "done": 1.5 }),
    ] {
        for name in ["SolveEvent", "BatchEvents"] {
            assert!(
                !validator(&document, &schema(name)).is_valid(&event),
                "{event}"
            );
        }
    }
}

/// Returns the description of a response, if the document has it.
pub fn described<'a>(
    document: &'a Value,
    path: &str,
    method: &str,
    status: u16,
) -> Option<&'a Value> {
    let parts: Vec<&str> = path.split('?').next()?.split('/').collect();
    let fits = |pattern: &str| {
        let pattern: Vec<&str> = pattern.split('/').collect();
        let mut pairs = pattern.iter().zip(&parts);
        pattern.len() == parts.len()
            && pairs.all(|(part, name)| part.starts_with('{') || part == name)
    };
    let mut paths = document["paths"].as_object()?.iter();
    let (_, item) = paths.find(|(pattern, _)| fits(pattern))?;
    item[method.to_lowercase()]["responses"].get(status.to_string())
}
