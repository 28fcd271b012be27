//! Requests and responses, in `tests/exchanges.txt`, and the questions that every front end is
//! asked. The OpenAPI document describes each of these responses.

#[path = "../../../cosette-app/tests/questions/pattern.rs"]
mod pattern;
#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::support::{TestServer, json, tables};
use jsonschema::Validator;
use pattern::matches;
use question::Question;
use reqwest::Method;
use reqwest::header::{HeaderMap, HeaderName};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Sends the request of an exchange, and checks the response.
async fn exchange(server: &TestServer, text: &str, document: &Value) {
    let mut lines = text.lines();
    let mut words = lines.next().unwrap().splitn(3, ' ');
    let [method, path] = [words.next().unwrap(), words.next().unwrap()];
    let body = words.next().unwrap_or_default();
    let token = format!("Bearer {}", server.token);
    let mut headers = HeaderMap::new();
    let mut header = |name: &str, value: &str| {
        let name = name.parse::<HeaderName>().unwrap();
        headers.insert(name, value.trim().parse().unwrap());
    };
    header("authorization", &token);
    header(
        "accept",
        match path.starts_with("/batch") {
            true => "application/x-ndjson",
            false => "application/json",
        },
    );
    if !body.is_empty() {
        header(
            "content-type",
            match is_json(body) {
                true => "application/json",
                false => "text/plain",
            },
        );
    }
    let mut expected_headers = Vec::new();
    let mut expected = String::new();
    for line in lines {
        match line.split_once(':') {
            Some((name, value)) if name.starts_with("< ") => {
                expected_headers.push((&name[2..], value.trim()));
            }
            Some((name, value)) if name.starts_with(|first: char| first.is_ascii_lowercase()) => {
                header(name, value);
            }
            _ => expected += &format!("{line}\n"),
        }
    }
    let request = match method {
        "PAGE" => server.stranger(Method::GET, path),
        method => server.stranger(method.parse().unwrap(), &format!("/api/v1{path}")),
    };
    let request = request.headers(headers).body(bytes_of(body));
    let response = request.send().await.unwrap();
    for (name, pattern) in expected_headers {
        let value = response.headers().get(name);
        let value = value.map_or("", |value| value.to_str().unwrap());
        assert!(matches(pattern, value), "{name}: {value}");
    }
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let actual = format!("{status} {text}");
    assert!(matches(expected.trim_end(), actual.trim_end()), "{actual}");
    if !["PAGE", "OPTIONS"].contains(&method) {
        check_body(document, described(document, path, method, status), &text);
    }
}

fn is_json(body: &str) -> bool {
    body.starts_with(['{', '[', '"'])
}

/// Returns the body of a request; `\n`, `\t` and `\xff` are escapes outside JSON.
fn bytes_of(body: &str) -> Vec<u8> {
    match body {
        "\\xff" => vec![0xff],
        _ if is_json(body) => body.into(),
        _ => body.replace("\\n", "\n").replace("\\t", "\t").into(),
    }
}

/// Checks that a body conforms to the description of the response, which only unknown paths and
/// methods lack.
fn check_body(document: &Value, described: Option<&Value>, text: &str) {
    let Some(described) = described else {
        let help =
            ["paths", "methods"].map(|what| format!("see /api/v1/openapi.json for the {what}"));
        return assert!(help.iter().any(|help| text.contains(help)), "{text}");
    };
    let content = &described["content"];
    if let Ok(body) = serde_json::from_str::<Value>(text)
        && body["event"].is_null()
    {
        check_schema(document, &content["application/json"]["schema"], &body);
    } else if text.starts_with('{') {
        for line in text.lines() {
            let event = serde_json::from_str(line).unwrap();
            check_schema(document, &content["application/x-ndjson"]["schema"], &event);
        }
    }
}

/// Checks that a value conforms to a schema of the document. Properties that the schema does not
/// name are errors of the document.
fn check_schema(document: &Value, schema: &Value, value: &Value) {
    assert!(!schema.is_null(), "not described: {value}");
    let validator = validator(document, schema);
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}: {value}");
}

/// Returns the validator of a schema of the document.
fn validator(document: &Value, schema: &Value) -> Validator {
    let root = json!({
        "allOf": [schema],
        "unevaluatedProperties": false,
        "components": document["components"],
    });
    jsonschema::draft202012::new(&root).unwrap()
}

/// Returns the description of a response, if the document has it.
fn described<'a>(document: &'a Value, path: &str, method: &str, status: u16) -> Option<&'a Value> {
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

/// The server with the smallest table, and its document.
async fn described_server() -> (TestServer, Value) {
    let server = TestServer::start();
    let document = json(server.get("/api/v1/openapi.json")).await;
    (server, document)
}

#[tokio::test]
async fn every_request_has_its_response() {
    let (mut server, document) = described_server().await;
    let new_folder = TempDir::new().unwrap();
    let mut folder = tables();
    for text in include_str!("../exchanges.txt").split("\n\n") {
        if let Some(options) = text.strip_prefix("$ cosette-web ") {
            let own = options.strip_suffix("--tables NEW");
            folder = own.map_or(tables(), |_| new_folder.path());
            let options = own.unwrap_or(options).split_whitespace();
            server = TestServer::with(folder, &options.collect::<Vec<&str>>());
        } else if !text.starts_with('#') {
            let text = text
                .trim()
                .replace("{address}", &server.address)
                .replace("{port}", &server.port().to_string())
                .replace("{token}", &server.token)
                .replace("{tables}", folder.to_str().unwrap());
            println!("{text}");
            exchange(&server, &text, &document).await;
        }
    }
}

#[tokio::test]
async fn each_question_has_its_answer() {
    let server = TestServer::start();
    for question in Question::all() {
        let request = server
            .post("/api/v1/solve")
            .header("accept", "application/json")
            .json(&question.request);
        let answer = json(request).await;
        match &answer["error"] {
            Value::Null => question.check(&answer),
            // An error in a text says where it is.
            Value::String(error) if answer["span"].is_array() => {
                question.check_refusal("position", error)
            }
            error => question.check_refusal("request", error.as_str().unwrap()),
        }
    }
}

#[tokio::test]
async fn the_document_describes_what_the_server_accepts_and_sends() {
    let (server, document) = described_server().await;
    let schema = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    for count in [json!(0), json!(1), json!("all"), json!("many"), json!(null)] {
        let request = json!({ "position": "R", "count": count });
        let is_described = validator(&document, &schema("SolveRequest")).is_valid(&request);
        let response = server.solve(&request).send().await.unwrap();
        assert_eq!(response.status() == 200, is_described, "{request}");
        assert_eq!(is_described, count != 0 && count != "many");
    }
    for event in [
        json!({ "event": "queued" }),
        json!({ "event": "ended" }),
        json!({ "event": "end", "done": 1.5 }),
    ] {
        for name in ["SolveEvent", "BatchEvent"] {
            let validator = validator(&document, &schema(name));
            assert!(!validator.is_valid(&event), "{event}");
        }
    }
    // Server-sent events hold the same as lines of JSON, in their `data`.
    for path in ["/solve", "/batch", "/tables/{name}"] {
        let content = &document["paths"][path]["post"]["responses"]["200"]["content"];
        let sent = &content["text/event-stream"]["schema"];
        let line = &content["application/x-ndjson"]["schema"];
        assert!(line["$ref"].is_string());
        assert_eq!(&sent["properties"]["data"]["contentSchema"], line);
        check_schema(
            &document,
            sent,
            &json!({ "data": "{\"event\":\"filled\"}" }),
        );
    }
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}

/// Collects all references in a document.
fn collect_references<'a>(value: &'a Value, references: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            references.extend(object.get("$ref").and_then(Value::as_str));
            let values = object.values();
            values.for_each(|value| collect_references(value, references));
        }
        Value::Array(array) => array
            .iter()
            .for_each(|value| collect_references(value, references)),
        _ => {}
    }
}
