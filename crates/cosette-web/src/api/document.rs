//! The OpenAPI document: what the handlers do not describe themselves, such as the events of
//! streams and the statuses with which any request may be rejected.

use crate::accept::ResponseFormat;
use crate::access::API;
use crate::jobs::{QueueEvent, SEARCH_ID};
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;
use utoipa::openapi::OpenApi;

const DESCRIPTION: &str = "Finds a shortest solution of any Rubik's Cube position and proves it. \
    Without --host, the server accepts requests only from its own machine. Long responses are \
    streamed as server-sent events, with one JSON object in the data of each, or as JSON Lines if \
    the request prefers application/x-ndjson. If it prefers application/json, /solve, /fmc, \
    /fmc/insertions and /review respond with one object. A search stops when its client disconnects, or by \
    the id in the header `search-id` and in the list /solves. An error is a JSON object with \
    `error` and `help`. Bodies are limited to 64 KiB, or 8 MiB for a batch (413). When the queue \
    is full, searches are rejected with 429 and Retry-After. Requests need the token in the \
    address that the server prints, as a cookie or as `Authorization: Bearer` (401), unless the \
    server was started with --no-token. Requests from other sites that --allow-origin does not \
    name, and for hosts other than 127.0.0.1 and localhost with the port of the server, are \
    rejected with 403. With --host, other machines use the address of the server, but cannot \
    generate or remove tables.";

/// The tags of the operations.
const TAGS: [(&str, &str); 5] = [
    ("Solving", "Shortest solutions, and the searches for them."),
    (
        "Fewest moves",
        "Skeletons and insertions for fewest-moves attempts.",
    ),
    ("Positions", "Positions and scrambles, without a search."),
    ("Tables", "The pruning tables."),
    ("Server", "The server itself."),
];

/// The schemas of the events of searches, to which those of the queue are added.
const SEARCH_EVENTS: [&str; 5] = [
    "SolveEvent",
    "BatchEvent",
    "FmcEvent",
    "InsertionsEvent",
    "ReviewEvent",
];

/// The schema of the events of generations.
const GENERATION_EVENT: &str = "GenerationEvent";

/// The statuses with which any request may be rejected.
const REFUSALS: [(&str, &str); 4] = [
    ("400", "the request is malformed"),
    ("401", "the token is missing or wrong"),
    (
        "403",
        "the request is for another host, comes from another site, or would generate or remove \
         tables from another machine",
    ),
    ("500", "internal error of the server"),
];

/// The statuses with which a request for a stream may be rejected.
const STREAM_REFUSALS: [(&str, &str); 1] =
    [("406", "the request accepts no format of the response")];

/// The statuses with which a request with a body may be rejected.
const BODY_REFUSALS: [(&str, &str); 4] = [
    ("408", "the body did not arrive in time"),
    ("413", "the body is too large"),
    (
        "415",
        "the body has another content type, or a content encoding",
    ),
    ("422", "the position or the request is invalid"),
];

/// The statuses with which a search may be rejected.
const SEARCH_REFUSALS: [(&str, &str); 3] = [
    (
        "409",
        "stopped before the search ended, or its table is being generated",
    ),
    ("429", "the queue is full"),
    ("503", "the server is shutting down"),
];

/// Completes the document that describes the handlers.
pub fn complete(document: OpenApi) -> Value {
    let mut document = serde_json::to_value(document).expect("a document of text is JSON");
    let license = env!("CARGO_PKG_LICENSE");
    document["info"] = json!({
        "title": "Cosette",
        "version": env!("CARGO_PKG_VERSION"),
        "description": DESCRIPTION,
        "license": { "name": license, "identifier": license },
    });
    document["servers"] = json!([{ "url": API }]);
    document["components"]["securitySchemes"] =
        json!({ "token": { "type": "http", "scheme": "bearer" } });
    document["security"] = json!([{ "token": [] }]);
    document["tags"] = TAGS
        .iter()
        .map(|(name, description)| json!({ "name": name, "description": description }))
        .collect();
    if let Value::Object(schemas) = &mut document["components"]["schemas"] {
        complete_events(schemas);
        schemas.values_mut().for_each(complete_defaults);
    }
    let paths = values(&mut document["paths"]);
    paths.flat_map(values).for_each(complete_operation);
    document
}

/// Moves the defaults of fields to their descriptions. For a field with a default, generators of
/// TypeScript assume that it is always there, also in requests.
fn complete_defaults(schema: &mut Value) {
    let fields = schema.get_mut("properties").into_iter().flat_map(values);
    for field in fields.filter_map(Value::as_object_mut) {
        let default = field.remove("default").filter(|default| !default.is_null());
        if let (Some(default), Some(Value::String(text))) = (default, field.get_mut("description"))
            && !text.contains("Default:")
        {
            *text += &format!(" Default: {default}.");
        }
    }
}

/// Names the schema of each event, so that generated clients have a type for it, and describes each
/// stream as one of them, which the field `event` tells apart.
fn complete_events(schemas: &mut Map<String, Value>) {
    let queue = serde_json::to_value(QueueEvent::schema()).expect("a schema is JSON");
    let queue_events = name_events(schemas, "", queue);
    for stream in SEARCH_EVENTS.into_iter().chain([GENERATION_EVENT]) {
        let union = schemas
            .remove(stream)
            .expect("a handler describes the stream");
        let description = union["description"].clone();
        let own_events = name_events(schemas, stream.trim_end_matches("Event"), union);
        let mut events = own_events;
        if stream != GENERATION_EVENT {
            events.extend(queue_events.clone());
        }
        let reference = |schema: &Value| json!({ "$ref": schema });
        let variants: Vec<Value> = events.values().map(reference).collect();
        schemas.insert(
            stream.to_owned(),
            json!({
                "description": description,
                "oneOf": variants,
                "discriminator": { "propertyName": "event", "mapping": events },
            }),
        );
    }
}

/// Adds a schema for each event of an enum, such as `SolveStartedEvent` with the prefix `Solve`.
/// Returns references to them, by the value of the field `event`.
fn name_events(schemas: &mut Map<String, Value>, prefix: &str, union: Value) -> Map<String, Value> {
    let mut references = Map::new();
    for mut schema in union["oneOf"].as_array().into_iter().flatten().cloned() {
        // An event with the fields of another schema has them besides `event`.
        let fields = schema
            .pointer_mut("/allOf/0")
            .and_then(Value::as_object_mut);
        fields.and_then(|fields| fields.remove("description"));
        let event = ["/properties", "/allOf/1/properties"]
            .iter()
            .find_map(|properties| schema.pointer(&format!("{properties}/event/enum/0")))
            .and_then(Value::as_str)
            .expect("an event has a name")
            .to_owned();
        let words = event.split('-').map(capitalized);
        let name = format!("{prefix}{}Event", words.collect::<String>());
        references.insert(event, format!("#/components/schemas/{name}").into());
        schemas.insert(name, schema);
    }
    references
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Returns the values of a JSON object; none if `value` is not an object.
fn values(value: &mut Value) -> impl Iterator<Item = &mut Value> {
    value.as_object_mut().into_iter().flat_map(Map::values_mut)
}

/// Completes the description of an operation: adds the formats of a stream, and the common
/// statuses. If several lists describe a status, the most specific list applies.
fn complete_operation(operation: &mut Value) {
    let has_stream = operation
        .pointer_mut("/responses/200/content")
        .is_some_and(complete_stream);
    let mut refusals = Vec::new();
    if has_stream {
        refusals.extend(STREAM_REFUSALS);
    }
    if operation.get("requestBody").is_some() {
        refusals.extend(BODY_REFUSALS);
        if has_stream {
            refusals.extend(SEARCH_REFUSALS);
            operation["responses"]["200"]["headers"] = json!({
                SEARCH_ID.as_str(): {
                    "description": "the id of the search, with which it can be stopped",
                    "schema": { "type": "integer", "format": "int64", "minimum": 0 },
                },
            });
        }
    }
    refusals.extend(REFUSALS);
    for (status, description) in refusals {
        let response = &mut operation["responses"][status];
        if response.is_null() {
            *response = json!({
                "description": description,
                "content": {
                    "application/json": { "schema": { "$ref": "#/components/schemas/ApiError" } },
                },
            });
        }
    }
}

/// Describes the formats of a stream of events: JSON lines, and server-sent events, which in
/// OpenAPI are objects whose `data` is a text with the schema of the event. Returns `false` if the
/// content is not a stream.
fn complete_stream(content: &mut Value) -> bool {
    let Some(stream) = content.get_mut("text/event-stream") else {
        return false;
    };
    let event = stream["schema"].take();
    let data = json!({
        "type": "string",
        "contentMediaType": "application/json",
        "contentSchema": event,
    });
    stream["schema"] =
        json!({ "type": "object", "required": ["data"], "properties": { "data": data } });
    content[ResponseFormat::JsonLines.media_type()] = json!({ "schema": event });
    true
}
