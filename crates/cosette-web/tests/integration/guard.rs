//! Which clients may use the server, the security headers, and the OpenAPI document.

use crate::support::{TestServer, json, tables};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

#[tokio::test]
async fn other_hosts_and_other_pages_are_refused() {
    let server = TestServer::start();
    let port = server.port();
    let own = format!("localhost:{port}");
    let with_port = format!("evil.example:{port}");
    for host in ["evil.example", &with_port] {
        let response = server
            .get("/api/v1/health")
            .header("host", host)
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{host}");
    }
    assert_eq!(
        server
            .get("/api/v1/health")
            .header("host", &own)
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::OK
    );
    for origin in ["http://evil.example", "null"] {
        let solve = server
            .solve(&json!({ "position": "R" }))
            .header("host", &own)
            .header("origin", origin);
        assert_eq!(
            solve.send().await.unwrap().status(),
            StatusCode::FORBIDDEN,
            "{origin}"
        );
    }
    let solve = server
        .solve(&json!({ "position": "R" }))
        .header("origin", &server.address);
    assert_eq!(solve.send().await.unwrap().status(), StatusCode::OK);
    // Images and scripts of other pages have no origin.
    let caused_by = |site| {
        server
            .get("/api/v1/random")
            .header("sec-fetch-site", site)
            .send()
    };
    for site in ["cross-site", "CROSS-SITE", "same-site", ""] {
        assert_eq!(
            caused_by(site).await.unwrap().status(),
            StatusCode::FORBIDDEN,
            "{site}"
        );
    }
    for site in ["same-origin", "none"] {
        assert_eq!(
            caused_by(site).await.unwrap().status(),
            StatusCode::OK,
            "{site}"
        );
    }
}

#[tokio::test]
async fn a_server_for_other_machines_keeps_the_rules_and_the_token() {
    let server = TestServer::with(tables(), &["--table", "24M", "--host", "127.0.0.2"]);
    assert!(
        server.address.starts_with("http://127.0.0.2:") && server.token.len() == 32,
        "{}",
        server.address
    );
    // Which hosts pass is decided in `access`.
    let own = format!("127.0.0.2:{}", server.port());
    let other = format!("class.example:{}", server.port());
    for (host, status) in [(own, StatusCode::OK), (other, StatusCode::FORBIDDEN)] {
        let health = server.get("/api/v1/health").header("host", &host);
        assert_eq!(health.send().await.unwrap().status(), status, "{host}");
    }
    let stranger = server.stranger(Method::GET, "/api/v1/health");
    let status = stranger.send().await.unwrap().status();
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    // Of a server on all addresses, one that others can connect to is printed.
    let everywhere = TestServer::with(tables(), &["--table", "24M", "--host", "0.0.0.0"]);
    assert!(
        !everywhere.address.contains("0.0.0.0"),
        "{}",
        everywhere.address
    );
    assert_eq!(json(everywhere.get("/api/v1/health")).await["status"], "ok");
    // An address by which a container or a router passes requests on is accepted, but not a page of
    // another one.
    let own = format!("192.0.2.5:{}", everywhere.port());
    for (origin, status) in [
        (format!("http://{own}"), StatusCode::OK),
        ("http://evil.example".to_owned(), StatusCode::FORBIDDEN),
    ] {
        let solve = everywhere.solve(&json!({ "position": "R" }));
        let solve = solve.header("host", &own).header("origin", &origin);
        assert_eq!(solve.send().await.unwrap().status(), status, "{origin}");
    }
    for refused in [
        &["--host", "0.0.0.0", "--no-token"][..],
        &["--host", "class.example"],
        &["--host", "203.0.113.77"],
    ] {
        let ended = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
            .args(["--port", "0"])
            .args(refused)
            .output()
            .unwrap();
        let error = String::from_utf8(ended.stderr).unwrap();
        assert!(
            !ended.status.success() && error.contains("--host"),
            "{refused:?}: {error}"
        );
    }
}

#[tokio::test]
async fn only_one_host_passes() {
    let server = TestServer::start();
    let own = format!("127.0.0.1:{}", server.port());
    let heads = [
        format!("GET /api/v1/health HTTP/1.1\r\nhost: {own}\r\nhost: {own}\r\n"),
        format!("GET /api/v1/health HTTP/1.1\r\nhost: {own}\r\nhost: evil.example\r\n"),
        format!("GET /api/v1/health HTTP/1.1\r\nhost: evil.example\r\nhost: {own}\r\n"),
        format!("GET http://evil.example/api/v1/health HTTP/1.1\r\nhost: {own}\r\n"),
        format!("GET http://{own}/api/v1/health HTTP/1.1\r\nhost: {own}\r\n"),
    ];
    for (head, status) in heads.iter().zip(["400", "400", "400", "403", "200"]) {
        let request = format!(
            "{head}authorization: Bearer {}\r\nconnection: close\r\n\r\n",
            server.token
        );
        let mut stream = TcpStream::connect(&own).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{head}{response}"
        );
        assert_eq!(
            response.contains("\"help\":"),
            status != "200",
            "{response}"
        );
    }
}

#[tokio::test]
async fn every_response_has_the_security_headers() {
    let server = TestServer::start();
    for path in ["/", "/nothing", "/api/v1/health", "/api/v1/nothing"] {
        let response = server.get(path).send().await.unwrap();
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap();
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert_eq!(response.headers()["x-content-type-options"], "nosniff");
        assert!(
            !response
                .headers()
                .contains_key("access-control-allow-origin")
        );
    }
}

#[tokio::test]
async fn the_page_is_there_or_the_command_that_makes_it() {
    let server = TestServer::start();
    let response = server.get("/").send().await.unwrap();
    let (status, text) = (response.status(), response.text().await.unwrap());
    match status {
        StatusCode::OK => assert!(
            text.contains("<script type=\"module\"") && !text.contains("http"),
            "{text}"
        ),
        _ => {
            assert!(
                status == 503 && text.contains("npm --prefix crates/cosette-web/ui run bundle"),
                "{status} {text}"
            )
        }
    }
}

#[tokio::test]
async fn every_schema_that_the_document_names_is_there() {
    let server = TestServer::start();
    let document = json(server.get("/api/v1/openapi.json")).await;
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 20);
    for reference in references {
        assert!(
            document
                .pointer(reference.trim_start_matches('#'))
                .is_some(),
            "{reference} leads nowhere"
        );
    }
}

/// All references in a document.
fn collect<'a>(value: &'a Value, references: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            references.extend(object.get("$ref").and_then(Value::as_str));
            object.values().for_each(|value| collect(value, references));
        }
        Value::Array(array) => array.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
