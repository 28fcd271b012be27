//! Bad requests, and texts that are not positions.

use crate::support::{Server, events, json};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

const SOLVED: &str = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";

#[tokio::test]
async fn bad_requests_are_refused_with_their_remedy() {
    let server = Server::start();
    let solve = |body: &str| {
        server
            .post("/api/v1/solve")
            .header("content-type", "application/json")
            .body(body.to_owned())
    };
    let cases = [
        (solve(r#"{"position": "R", "metric": "ftm"}"#), 422),
        (solve(r#"{"position": "R", "count": "many"}"#), 422),
        (solve(r#"{"position": "R", "max_length": -1}"#), 422),
        (solve(r#"{"position": "R", "timeout": -1}"#), 422),
        (solve(r#"{"position": "R", "timeout": 1e300}"#), 422),
        (solve(r#"{"position": ""}"#), 422),
        (server.get("/api/v1/solve"), 405),
        (server.delete("/api/v1/solves/99"), 404),
        (server.delete("/api/v1/solves/x"), 400),
        (server.post("/api/v1/batch").body(""), 422),
        (server.post("/api/v1/batch").body("# nothing\n\n"), 422),
        (server.post("/api/v1/batch").body(vec![0xff, 0xfe]), 400),
        (
            server
                .post("/api/v1/batch")
                .json(&json!({ "positions": ["R U"] })),
            415,
        ),
        (server.post("/api/v1/batch").json(&json!(["R U"])), 415),
        (
            server
                .post("/api/v1/batch")
                .body(r#"{"positions": ["R U"]}"#),
            415,
        ),
        (
            server
                .post("/api/v1/batch")
                .header("content-type", "application/x-www-form-urlencoded")
                .body("R+U="),
            415,
        ),
        (
            server
                .post("/api/v1/batch")
                .header("content-type", "multipart/form-data; boundary=x")
                .body("R\nU"),
            415,
        ),
        (
            server
                .post("/api/v1/batch")
                .body(format!("R\n{}\nU", "R ".repeat(600_000))),
            422,
        ),
        (
            server
                .post("/api/v1/batch")
                .header("content-type", "text/plain")
                .body("[{\"a\": 1}]"),
            422,
        ),
        (server.post("/api/v1/batch").body("%PDF-1.4\nR U\n"), 422),
        (
            server
                .post("/api/v1/batch")
                .body("event\tbest\n333\t1200\n"),
            422,
        ),
        (server.post("/api/v1/batch?timeout=-1").body("R"), 400),
        (server.get("/api/v1/random?seed=x"), 400),
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
            let refused: Value =
                serde_json::from_str(&body).unwrap_or_else(|_| panic!("case {number}: {body}"));
            assert!(
                refused["error"].is_string() && refused["help"].is_string(),
                "case {number}: {refused}"
            );
        }
    }
    assert_eq!(server.searches().await, 0);
}

#[tokio::test]
async fn the_place_of_an_error_is_reported() {
    let server = Server::start();
    let refused = server
        .solve(&json!({ "position": "R U Q" }))
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let refused: Value = refused.json().await.unwrap();
    assert_eq!(
        (&refused["error"], &refused["span"]),
        (&json!("`Q` is not a valid move"), &json!([4, 5]))
    );
}

#[tokio::test]
async fn a_refusal_names_the_field_and_what_it_takes() {
    let server = Server::start();
    let bodies = [
        (
            json!({ "position": "R", "count": 0 }),
            "count: invalid value: integer `0`, expected a positive whole number, or the word `all`",
        ),
        (
            json!({ "position": "R", "count": 1.5 }),
            "count: invalid type: floating point `1.5`, expected a positive whole number",
        ),
        (
            json!({ "position": "R", "max_length": 300 }),
            "max_length: invalid value: integer `300`",
        ),
        (
            json!({ "position": "R", "timeout": "x" }),
            "timeout: invalid type: string \"x\"",
        ),
        (
            json!({ "text": ["R"] }),
            "text: invalid type: sequence, expected a string",
        ),
        (
            json!({ "position": "R", "metric": null }),
            "metric: invalid type: null",
        ),
        (
            json!({ "position": "R", "metric": "ftm" }),
            "metric: unknown variant `ftm`, expected one of `htm`, `qtm`",
        ),
        (
            json!({ "position": "R", "prefer": 1 }),
            "prefer: invalid type",
        ),
        (
            json!({ "position": "R", "format": "xml" }),
            "format: unknown variant `xml`, expected one of `moves`, `facelets`, `reid`, `speffz`",
        ),
        (
            json!({ "position": "R", "niss": "yes" }),
            "niss: invalid type: string \"yes\", expected a boolean",
        ),
        (
            json!({ "position": "R", "explain": 1 }),
            "explain: invalid type",
        ),
        (
            json!({ "position": "R", "threads": 4 }),
            "unknown field `threads`, expected one of `position`, `text`, `metric`, `goal`, `moves`, ",
        ),
        (json!({ "position": "R", "text": "R" }), "duplicate field"),
        (json!({}), "missing field `position`"),
        (json!([]), "missing field `position`"),
        (
            json!("R"),
            "invalid type: string \"R\", expected an object with a position",
        ),
    ];
    let bodies =
        bodies.map(|(body, expected)| (body.to_string(), server.solve(&body), 422, expected));
    let posted = |body: &'static str, kind| {
        server
            .post("/api/v1/position")
            .header("content-type", kind)
            .body(body)
    };
    let texts = [
        ("{", "application/json", 400, "line 1 column 1"),
        ("", "application/json", 400, "line 1 column 0"),
        (
            r#"{"position": "R"}}"#,
            "application/json",
            400,
            "trailing characters",
        ),
        (
            r#"{"niss": true, "niss": true, "position": "R"}"#,
            "application/json",
            422,
            "duplicate field `niss`",
        ),
        (
            r#"{"position": "R"}"#,
            "text/plain",
            415,
            "`Content-Type: application/json`",
        ),
    ];
    let texts = texts.map(|(body, kind, status, expected)| {
        (body.to_owned(), posted(body, kind), status, expected)
    });
    let addresses = [
        (
            "random?seed=",
            "seed: cannot parse integer from empty string",
        ),
        ("random?seed=-1", "seed: invalid digit"),
        ("random?seed=99999999999999999999", "seed: number too large"),
        ("batch?max_length=256", "max_length: number too large"),
        ("batch?position=R", "unknown field `position`"),
        ("batch?timeout=x", "timeout: invalid float"),
        ("batch?metric=htm&metric=qtm", "duplicate field `metric`"),
        ("random?sed=5", "unknown field `sed`, expected `seed`"),
    ];
    let addresses = addresses.map(|(path, expected)| {
        let method = if path.starts_with("batch") {
            Method::POST
        } else {
            Method::GET
        };
        (
            path.to_owned(),
            server.request(method, &format!("/api/v1/{path}")).body("R"),
            400,
            expected,
        )
    });
    for (asked, request, status, expected) in bodies.into_iter().chain(texts).chain(addresses) {
        let response = request.send().await.unwrap();
        assert_eq!(response.status().as_u16(), status, "{asked}");
        let refused: Value = response.json().await.unwrap();
        assert!(
            refused["error"].as_str().unwrap().contains(expected),
            "{asked}: {refused}"
        );
        assert!(
            refused["help"].as_str().unwrap().contains("openapi.json"),
            "{asked}: {refused}"
        );
    }
}

#[tokio::test]
async fn the_rotation_of_moves_is_reported() {
    let server = Server::start();
    for (moves, rotation) in [
        ("x2 R U", json!("x2")),
        ("M", json!("x'")),
        ("R U y", json!("y")),
        ("R x U x'", Value::Null),
    ] {
        let checked = json(
            server
                .post("/api/v1/position")
                .json(&json!({ "position": moves })),
        )
        .await;
        assert_eq!(checked["rotation"], rotation, "{moves}: {checked}");
        assert!(checked["hint"].is_null(), "{moves}: {checked}");
    }
    let wide = json(
        server
            .post("/api/v1/position")
            .json(&json!({ "position": "r u r' u'" })),
    )
    .await;
    assert!(
        wide["hint"].as_str().unwrap().contains("wide turns"),
        "{wide}"
    );
}

#[tokio::test]
async fn a_position_may_be_named_text_too() {
    let server = Server::start();
    for name in ["position", "text"] {
        let checked = json(
            server
                .post("/api/v1/position")
                .json(&json!({ name: "R (U) F", "niss": true })),
        )
        .await;
        assert_eq!(checked["ok"], true, "{checked}");
        let answer = events(server.solve(&json!({ name: "R U" })))
            .await
            .pop()
            .unwrap();
        assert_eq!(answer["length"], 2, "{answer}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let server = Server::start();
    let large = "R ".repeat(40_000);
    for request in [
        server.solve(&json!({ "position": large })),
        server
            .post("/api/v1/position")
            .json(&json!({ "text": large })),
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
    let check = async |text: &str| {
        json(
            server
                .post("/api/v1/position")
                .json(&json!({ "text": text })),
        )
        .await
    };
    let painted = |over: &[(usize, char)]| {
        let mut facelets: Vec<char> = SOLVED.chars().collect();
        over.iter()
            .for_each(|&(place, symbol)| facelets[place] = symbol);
        facelets.into_iter().collect::<String>()
    };
    let impossible = check(&painted(&[(19, 'D'), (28, 'F')])).await;
    assert_eq!(impossible["ok"], false);
    assert_eq!(impossible["marks"][0]["facelet_indices"], json!([7, 19]));

    let unfinished = check(&painted(&[(0, '.'), (53, '.')])).await;
    assert_eq!(
        (
            &unfinished["ok"],
            &unfinished["blank"],
            &unfinished["marks"]
        ),
        (&json!(false), &json!(2), &json!([]))
    );

    // One edge flipped: every piece is possible, but the position is not.
    let flipped = check(&painted(&[(7, 'F'), (19, 'U')])).await;
    assert_eq!(
        (&flipped["ok"], &flipped["marks"]),
        (&json!(false), &json!([]))
    );
    assert!(
        flipped["error"].as_str().unwrap().contains("flipped"),
        "{flipped}"
    );
}
