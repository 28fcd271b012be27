//! Bad requests, and texts that are not positions.

use crate::support::{Server, events, json};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

#[tokio::test]
async fn bad_requests_are_refused_with_their_remedy() {
    let server = Server::start();
    let solve =
        |body: &str| server.post("/api/v1/solve").header("content-type", "application/json").body(body.to_owned());
    let cases = [
        (solve(""), 400),
        (solve("{"), 400),
        (solve("[]"), 422),
        (solve("{}"), 422),
        (solve(r#"{"position": 7}"#), 422),
        (solve(r#"{"position": "R", "metrics": "htm"}"#), 422),
        (solve(r#"{"position": "R", "metric": "stm"}"#), 422),
        (solve(r#"{"position": "R", "format": "xml"}"#), 422),
        (solve(r#"{"position": "R", "count": 0}"#), 422),
        (solve(r#"{"position": "R", "count": "many"}"#), 422),
        (solve(r#"{"position": "R", "max_length": -1}"#), 422),
        (solve(r#"{"position": "R", "timeout": -1}"#), 422),
        (solve(r#"{"position": "R", "timeout": 1e300}"#), 422),
        (solve(r#"{"position": "R", "threads": 100000}"#), 422),
        (solve(r#"{"position": ""}"#), 422),
        (solve(r#"{"position": "R U Q"}"#), 422),
        (server.post("/api/v1/solve").body(r#"{"position": "R"}"#), 415),
        (server.get("/api/v1/solve"), 405),
        (server.delete("/api/v1/solves/99"), 404),
        (server.delete("/api/v1/solves/x"), 400),
        (server.post("/api/v1/batch").body(""), 422),
        (server.post("/api/v1/batch").body("# nothing\n\n"), 422),
        (server.post("/api/v1/batch").body(vec![0xff, 0xfe]), 400),
        (server.post("/api/v1/batch").json(&json!({ "positions": ["R U"] })), 415),
        (server.post("/api/v1/batch").json(&json!(["R U"])), 415),
        (server.post("/api/v1/batch").body(r#"{"positions": ["R U"]}"#), 415),
        (server.post("/api/v1/batch?timeout=-1").body("R"), 422),
        (server.get("/api/v1/random?seed=x"), 400),
        (server.get("/api/v1/random?sed=5"), 400),
        (solve(r#"{"position": "R", "text": "R"}"#), 422),
        (server.post("/api/v1/batch?metric=x").body("R"), 400),
        (server.get("/api/v1/nothing"), 404),
        (server.get("/api/v2/solve"), 404),
        (server.request(Method::POST, "/api/v1/tables/htm-3M"), 404),
    ];
    for (number, (request, status)) in cases.into_iter().enumerate() {
        let response = request.send().await.unwrap();
        let is_api = response.url().path().starts_with("/api/v1");
        assert_eq!(response.status().as_u16(), status, "case {number}");
        let body = response.text().await.unwrap();
        if is_api {
            let refused: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("case {number}: {body}"));
            assert!(refused["error"].is_string() && refused["help"].is_string(), "case {number}: {refused}");
        }
    }
    assert_eq!(server.searches().await, 0);
}

#[tokio::test]
async fn the_place_of_an_error_is_reported() {
    let server = Server::start();
    let refused = server.solve(&json!({ "position": "R U Q" })).send().await.unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let refused: Value = refused.json().await.unwrap();
    assert_eq!((&refused["error"], &refused["span"]), (&json!("`Q` is not a valid move"), &json!([4, 5])));
}

#[tokio::test]
async fn bad_requests_are_refused_in_plain_words() {
    let server = Server::start();
    let cases = [
        (
            json!({ "position": "R", "count": 0 }),
            "`count` cannot be 0; give a whole number, one or more, or the word `all`",
        ),
        (json!({ "position": "R", "count": 1.5 }), "`count` cannot be 1.5; give a whole number, one or more"),
        (json!({ "position": "R", "count": "many" }), "`count` cannot be \"many\"; give"),
        (json!({ "position": "R", "max_length": -1 }), "`max_length` cannot be -1; give a number of moves, 0 to 255"),
        (json!({ "position": "R", "max_length": 300 }), "`max_length` cannot be 300; give"),
        (json!({ "position": "R", "timeout": -1 }), "the timeout is negative or too long"),
        (
            json!({ "position": "R", "timeout": "x" }),
            "`timeout` cannot be \"x\"; give a number of seconds, as in 60 or 0.5",
        ),
        (json!({ "position": 5 }), "`position` cannot be 5; give a text"),
        (json!({ "text": ["R"] }), "`text` cannot be [\"R\"]; give a text"),
        (json!({ "metric": "stm", "position": "R" }), "`metric` cannot be \"stm\"; give `htm` or `qtm`"),
        (json!({ "position": "R", "metric": null }), "`metric` cannot be null"),
        (json!({ "position": "R", "prefer": 1 }), "`prefer` cannot be 1; give `htm` or `qtm`"),
        (json!({ "position": "R", "format": "xml" }), "give `moves`, `facelets`, `reid` or `speffz`"),
        (json!({ "position": "R", "niss": "yes" }), "`niss` cannot be \"yes\"; give `true` or `false`"),
        (json!({ "position": "R", "explain": 1 }), "`explain` cannot be 1; give `true` or `false`"),
        (json!({ "position": "R", "threads": 4 }), "there is no field `threads`; the fields are `position`, `text`, "),
        (json!({ "position": "R", "text": "R" }), "a field is given twice; send each field once"),
        (json!({}), "there is no `position`; give a text"),
        (json!([]), "the body is not a JSON object; send an object with `position`"),
        (json!("R"), "the body is not a JSON object"),
    ];
    let bodies = cases.map(|(body, expected)| (body.to_string(), server.solve(&body), expected));
    let posted = |body: &'static str, kind| server.post("/api/v1/position").header("content-type", kind).body(body);
    let texts = [
        ("{", "application/json", "the body is not JSON: line 1, column 1; send an object with `position`"),
        ("", "application/json", "the body is empty; send an object"),
        (r#"{"niss": true, "niss": true, "position": "R"}"#, "application/json", "a field is given twice"),
        (r#"{"position": "R"}"#, "text/plain", "the content type is not `application/json`; send a JSON object"),
    ];
    let texts = texts.map(|(body, kind, expected)| (body.to_owned(), posted(body, kind), expected));
    let addresses = [
        ("random?seed=", "`seed` cannot be empty; give a whole number, 0 to 18446744073709551615"),
        ("random?seed=-1", "`seed` cannot be -1; give a whole number"),
        ("random?seed=99999999999999999999", "`seed` cannot be 99999999999999999999; give"),
        ("batch?max_length=x", "`max_length` cannot be x; give a number of moves, 0 to 255"),
        ("batch?timeout=x", "`timeout` cannot be x; give a number of seconds"),
        ("batch?metric=htm&metric=qtm", "the parameters cannot be read; give each one once"),
        ("random?sed=5", "there is no parameter `sed`; the parameters are `seed`"),
    ];
    let addresses = addresses.map(|(path, expected)| {
        let method = if path.starts_with("batch") { Method::POST } else { Method::GET };
        (path.to_owned(), server.request(method, &format!("/api/v1/{path}")).body("R"), expected)
    });
    for (asked, request, expected) in bodies.into_iter().chain(texts).chain(addresses) {
        let refused = json(request).await;
        let error = format!("{}; {}", refused["error"].as_str().unwrap(), refused["help"].as_str().unwrap());
        assert!(error.contains(expected), "{asked}: {error}");
        for theirs in [
            "invalid type",
            "expected",
            "variant",
            "untagged",
            "enum",
            "struct",
            "deserialize",
            "u8",
            "f64",
            "Duration",
            "parse",
            "literal",
        ] {
            assert!(!error.contains(theirs), "{asked}: {error}");
        }
    }
}

#[tokio::test]
async fn the_rotation_of_moves_is_reported() {
    let server = Server::start();
    for (moves, rotation) in
        [("x2 R U", json!("x2")), ("M", json!("x'")), ("R U y", json!("y")), ("R x U x'", Value::Null)]
    {
        let checked = json(server.post("/api/v1/position").json(&json!({ "position": moves }))).await;
        assert_eq!(checked["rotation"], rotation, "{moves}: {checked}");
    }
}

#[tokio::test]
async fn a_position_may_be_named_text_too() {
    let server = Server::start();
    for name in ["position", "text"] {
        let checked = json(server.post("/api/v1/position").json(&json!({ name: "R (U) F", "niss": true }))).await;
        assert_eq!(checked["ok"], true, "{checked}");
        let answer = events(server.solve(&json!({ name: "R U" }))).await.pop().unwrap();
        assert_eq!(answer["length"], 2, "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let server = Server::start();
    let large = "R ".repeat(40_000);
    for request in [
        server.solve(&json!({ "position": large })),
        server.post("/api/v1/position").json(&json!({ "text": large })),
        server.post("/api/v1/batch").body("R U\n".repeat(3 << 20)),
    ] {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), StatusCode::PAYLOAD_TOO_LARGE);
        assert!(response.json::<Value>().await.unwrap()["help"].is_string());
    }
}

#[tokio::test]
async fn impossible_pieces_of_a_painted_cube_are_named() {
    let server = Server::start();
    let check = async |text: &str| json(server.post("/api/v1/position").json(&json!({ "text": text }))).await;
    let painted = |over: &[(usize, char)]| {
        let mut facelets: Vec<char> = SOLVED.chars().collect();
        over.iter().for_each(|&(place, symbol)| facelets[place] = symbol);
        facelets.into_iter().collect::<String>()
    };
    let impossible = check(&painted(&[(19, 'D'), (28, 'F')])).await;
    assert_eq!(impossible["ok"], false);
    assert_eq!(impossible["marks"][0]["places"], json!([7, 19]));

    let unfinished = check(&painted(&[(0, '.'), (53, '.')])).await;
    assert_eq!((&unfinished["ok"], &unfinished["blank"], &unfinished["marks"]), (&json!(false), &json!(2), &json!([])));

    // One edge flipped: every piece is possible, but the position is not.
    let flipped = check(&painted(&[(7, 'F'), (19, 'U')])).await;
    assert_eq!((&flipped["ok"], &flipped["marks"]), (&json!(false), &json!([])));
    assert!(flipped["error"].as_str().unwrap().contains("flipped"), "{flipped}");
}
