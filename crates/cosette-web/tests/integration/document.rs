//! The responses of the server conform to its OpenAPI document.

use crate::support::{Server, events, json, tables};
use jsonschema::Validator;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// Checks that a value conforms to a schema of the document. Properties that the schema does not
/// name are errors of the document.
fn check(document: &Value, schema: &Value, value: &Value) {
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
    let server = Server::start();
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

/// Returns the description of a response. Panics if the document does not have it.
fn described<'a>(document: &'a Value, path: &str, method: &str, status: &str) -> &'a Value {
    let paths = document["paths"].as_object().unwrap();
    let fits = |pattern: &str| {
        let pattern = pattern.split('/');
        let path = path
            .trim_start_matches("/api/v1")
            .split('?')
            .next()
            .unwrap();
        let path: Vec<&str> = path.split('/').collect();
        let pattern: Vec<&str> = pattern.collect();
        pattern.len() == path.len()
            && pattern
                .iter()
                .zip(path)
                .all(|(part, name)| part.starts_with('{') || *part == name)
    };
    let item = paths
        .iter()
        .find(|(pattern, _)| fits(pattern))
        .unwrap_or_else(|| panic!("{path} is not described"))
        .1;
    let response = &item[method.to_lowercase()]["responses"][status];
    assert!(
        !response.is_null(),
        "{method} {path}: the status {status} is not described"
    );
    response
}

#[tokio::test]
async fn every_status_and_every_body_is_described() {
    let server = Server::with(tables(), &["--table", "24M"]);
    let document = json(server.get("/api/v1/openapi.json")).await;
    let send = |method: &str, path: &str| server.request(method.parse::<Method>().unwrap(), path);
    let json_type = |request: RequestBuilder, body: &'static str| {
        request
            .header("content-type", "application/json")
            .body(body)
    };
    let solve = || send("POST", "/api/v1/solve");
    let position = || send("POST", "/api/v1/position");
    let requests = [
        (json_type(solve(), "{"), 400),
        (json_type(solve(), "[]"), 422),
        (json_type(solve(), r#"{"position": "Q"}"#), 422),
        (solve().body("R"), 415),
        (
            solve().header("origin", "http://evil.example").body("R"),
            403,
        ),
        (server.stranger(Method::POST, "/api/v1/solve"), 401),
        (json_type(position(), "{"), 400),
        (json_type(position(), "{}"), 422),
        (json_type(position(), r#"{"position": "R U"}"#), 200),
        (json_type(position(), r#"{"text": "Q"}"#), 200),
        (position().body("R"), 415),
        (send("POST", "/api/v1/batch").body(vec![0xff]), 400),
        (send("POST", "/api/v1/batch?metric=%ff").body("R"), 400),
        (send("POST", "/api/v1/batch?max_length=256").body("R"), 400),
        (send("POST", "/api/v1/batch").body(""), 422),
        (json_type(send("POST", "/api/v1/batch"), "[]"), 415),
        (send("GET", "/api/v1/random?seed=-1"), 400),
        (send("GET", "/api/v1/random?seed=5"), 200),
        (send("DELETE", "/api/v1/solves/%ff"), 400),
        (send("DELETE", "/api/v1/solves/-1"), 400),
        (send("DELETE", "/api/v1/solves/9"), 404),
        (send("POST", "/api/v1/tables/%ff"), 400),
        (send("DELETE", "/api/v1/tables/%ff"), 400),
        (send("DELETE", "/api/v1/tables/%ff/generation"), 400),
        (send("DELETE", "/api/v1/tables/htm-3M"), 404),
        (send("DELETE", "/api/v1/tables/htm-24M/generation"), 404),
        (send("GET", "/api/v1/tables"), 200),
        (send("GET", "/api/v1/sharing"), 200),
        (send("GET", "/api/v1/random"), 200),
        (send("GET", "/api/v1/health?x=%ff"), 200),
    ];
    for (request, status) in requests {
        let (client, request) = request.build_split();
        let request = request.unwrap();
        let method = request.method().to_string();
        let path = request.url().path().to_owned();
        let response = client.execute(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{method} {path}");
        let described = described(&document, &path, &method, &status.to_string());
        let schema = &described["content"]["application/json"]["schema"];
        let body: Value = response
            .json()
            .await
            .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        assert!(!schema.is_null(), "{method} {path}: {body}");
        check(&document, schema, &body);
    }
    assert_eq!(
        document["components"]["securitySchemes"]["token"]["scheme"],
        "bearer"
    );
}
