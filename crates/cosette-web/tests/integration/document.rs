//! What the server sends is what its OpenAPI document says.

use crate::support::{Server, events, json, tables};
use reqwest::{Method, RequestBuilder};
use serde_json::{Map, Value, json};

/// A JSON schema of the document.
struct Schema<'a> {
    document: &'a Value,
    schema: &'a Value,
}

impl<'a> Schema<'a> {
    fn of(document: &'a Value, schema: &'a Value) -> Schema<'a> {
        Schema { document, schema }
    }

    fn named(document: &'a Value, name: &str) -> Schema<'a> {
        Schema::of(document, &document["components"]["schemas"][name])
    }

    /// Whether a value follows the schema. Properties that it does not name are errors of the document.
    fn allows(&self, value: &Value) -> bool {
        let properties = self.properties();
        let is_described = value.as_object().is_none_or(|object| {
            !self.has_properties() || object.keys().all(|name| properties.contains(&name.as_str()))
        });
        self.allows_some(value) && is_described
    }

    fn has_properties(&self) -> bool {
        !self.properties().is_empty()
    }

    fn at(&self, schema: &'a Value) -> Schema<'a> {
        Schema::of(self.document, schema)
    }

    fn referenced(&self) -> Option<Schema<'a>> {
        let reference = self.schema["$ref"].as_str()?;
        Some(self.at(self.document.pointer(reference.trim_start_matches('#')).unwrap()))
    }

    fn parts(&self, name: &str) -> Vec<Schema<'a>> {
        self.schema[name].as_array().into_iter().flatten().map(|part| self.at(part)).collect()
    }

    /// The names of all properties that the schema or a part of it has.
    fn properties(&self) -> Vec<&'a str> {
        let own = self.schema["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str);
        let parts = ["allOf", "oneOf", "anyOf"].into_iter().flat_map(|name| self.parts(name));
        own.chain(parts.chain(self.referenced()).flat_map(|part| part.properties())).collect()
    }

    fn allows_some(&self, value: &Value) -> bool {
        let allowing = |parts: &[Schema<'_>]| parts.iter().filter(|part| part.allows_some(value)).count();
        let [all, one, any] = ["allOf", "oneOf", "anyOf"].map(|name| self.parts(name));
        self.referenced().is_none_or(|schema| schema.allows_some(value))
            && allowing(&all) == all.len()
            && (one.is_empty() || allowing(&one) == 1)
            && (any.is_empty() || allowing(&any) > 0)
            && self.has_type(value)
            && self.schema["enum"].as_array().is_none_or(|values| values.contains(value))
            && self.schema["minimum"].as_f64().is_none_or(|least| value.as_f64().is_none_or(|value| value >= least))
            && value.as_array().is_none_or(|items| {
                items.iter().all(|item| self.schema["items"].is_null() || self.at(&self.schema["items"]).allows(item))
            })
            && value.as_object().is_none_or(|object| self.allows_members(object))
    }

    fn allows_members(&self, object: &Map<String, Value>) -> bool {
        let required = self.schema["required"].as_array().into_iter().flatten();
        let is_allowed = |(name, value): (&String, &Value)| {
            let schema = &self.schema["properties"][name];
            schema.is_null() || self.at(schema).allows(value)
        };
        required.into_iter().all(|name| object.contains_key(name.as_str().unwrap())) && object.iter().all(is_allowed)
    }

    fn has_type(&self, value: &Value) -> bool {
        let is = |name: &str| match name {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("the document has the type {other}"),
        };
        match &self.schema["type"] {
            Value::Null => true,
            Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
            name => is(name.as_str().unwrap()),
        }
    }
}

#[tokio::test]
async fn every_event_follows_its_schema() {
    let server = Server::start();
    let document = json(server.get("/api/v1/openapi.json")).await;
    let batch = |text: &'static str| server.post("/api/v1/batch").header("accept", "application/x-ndjson").body(text);
    let generate = |name| server.post(&format!("/api/v1/tables/{name}")).header("accept", "application/x-ndjson");
    let solve = server.post("/api/v1/solve").header("accept", "application/json");
    let answer = json(solve.json(&json!({ "position": "R U F", "explain": true }))).await;
    let described = &document["paths"]["/solve"]["post"]["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(Schema::of(&document, described).allows(&answer), "{answer}");
    let requests: [(&str, RequestBuilder, &[&str]); 6] = [
        ("SolveEvent", server.solve(&json!({ "position": "R U F2 D L B2 R D" })), &["queued", "started", "answer"]),
        ("SolveEvent", server.solve(&json!({ "position": "R2 L2", "count": "all", "explain": true })), &["answer"]),
        ("SolveEvent", server.solve(&json!({ "position": "R U F D", "max_length": 2 })), &["answer"]),
        ("BatchEvents", batch("R U\nQ\nU R\n"), &["queued", "failure", "answer", "progress", "end"]),
        ("BatchEvents", batch("R U\nU' F2\n"), &["end"]),
        ("GenerationEvent", generate("htm-24M"), &["generated"]),
    ];
    for (schema, request, expected) in requests {
        let events = events(request).await;
        for event in &events {
            assert!(Schema::named(&document, schema).allows(event), "{schema}: {event}");
        }
        for name in expected {
            assert!(events.iter().any(|event| event["event"] == *name), "there is no {name} in {events:?}");
        }
    }
    // Server-sent events hold the same in their `data`.
    for (path, schema) in [("solve", "SolveEvent"), ("batch", "BatchEvents"), ("tables/{name}", "GenerationEvent")] {
        let stream = &document["paths"][format!("/{path}")]["post"]["responses"]["200"]["content"];
        let reference = json!({ "$ref": format!("#/components/schemas/{schema}") });
        assert_eq!(stream["application/x-ndjson"]["schema"], reference);
        let sent = &stream["text/event-stream"]["schema"];
        assert_eq!(sent["properties"]["data"]["contentSchema"], reference);
        assert!(Schema::of(&document, sent).allows(&json!({ "data": "{\"event\":\"filled\"}" })));
    }
    // The server refuses no request that the schema allows for its numbers.
    for (count, is_allowed) in [(json!(0), false), (json!(1), true), (json!("all"), true), (json!("many"), false)] {
        let request = json!({ "position": "R", "count": count });
        assert_eq!(Schema::named(&document, "SolveRequest").allows(&request), is_allowed, "{request}");
        assert_eq!(server.solve(&request).send().await.unwrap().status() == 200, is_allowed, "{request}");
    }
    // The schemas do refuse something.
    for event in [json!({ "event": "queued" }), json!({ "event": "ended" }), json!({ "event": "end", "done": 1.5 })] {
        assert!(!Schema::named(&document, "SolveEvent").allows(&event), "{event}");
        assert!(!Schema::named(&document, "BatchEvents").allows(&event), "{event}");
    }
}

/// The description of a response; fails if the document does not have it.
fn described<'a>(document: &'a Value, path: &str, method: &str, status: &str) -> &'a Value {
    let paths = document["paths"].as_object().unwrap();
    let fits = |pattern: &str| {
        let (pattern, path) = (pattern.split('/'), path.trim_start_matches("/api/v1").split('?').next().unwrap());
        let path: Vec<&str> = path.split('/').collect();
        let pattern: Vec<&str> = pattern.collect();
        pattern.len() == path.len()
            && pattern.iter().zip(path).all(|(part, name)| part.starts_with('{') || *part == name)
    };
    let item = paths.iter().find(|(pattern, _)| fits(pattern)).unwrap_or_else(|| panic!("{path} is not described")).1;
    let response = &item[method.to_lowercase()]["responses"][status];
    assert!(!response.is_null(), "{method} {path}: the status {status} is not described");
    response
}

#[tokio::test]
async fn every_status_and_every_body_is_described() {
    let server = Server::with(tables(), &["--table", "24M"]);
    let document = json(server.get("/api/v1/openapi.json")).await;
    let send = |method: &str, path: &str| server.request(method.parse::<Method>().unwrap(), path);
    let json_type =
        |request: RequestBuilder, body: &'static str| request.header("content-type", "application/json").body(body);
    let solve = || send("POST", "/api/v1/solve");
    let position = || send("POST", "/api/v1/position");
    let requests = [
        (json_type(solve(), "{"), 400),
        (json_type(solve(), "[]"), 422),
        (json_type(solve(), r#"{"position": "Q"}"#), 422),
        (solve().body("R"), 415),
        (solve().header("origin", "http://evil.example").body("R"), 403),
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
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let response = client.execute(request).await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{method} {path}");
        let described = described(&document, &path, &method, &status.to_string());
        let schema = &described["content"]["application/json"]["schema"];
        let body: Value = response.json().await.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        assert!(!schema.is_null() && Schema::of(&document, schema).allows(&body), "{method} {path}: {body}");
    }
    assert_eq!(document["components"]["securitySchemes"]["token"]["scheme"], "bearer");
}
