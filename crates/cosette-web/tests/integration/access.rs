//! Clients that may use the server: what `tests/exchanges.txt` cannot state.

use crate::support::{TestServer, json, program, rejected, tables};
use reqwest::{Client, StatusCode};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

#[tokio::test]
async fn only_one_host_passes() {
    let server = TestServer::start();
    let own = format!("127.0.0.1:{}", server.port());
    let rows = [
        (
            format!("/api/v1/health HTTP/1.1\r\nhost: {own}\r\nhost: {own}"),
            "400",
        ),
        (
            format!("/api/v1/health HTTP/1.1\r\nhost: {own}\r\nhost: evil.example"),
            "400",
        ),
        (
            format!("/api/v1/health HTTP/1.1\r\nhost: evil.example\r\nhost: {own}"),
            "400",
        ),
        (
            format!("http://evil.example/api/v1/health HTTP/1.1\r\nhost: {own}"),
            "403",
        ),
        (
            format!("http://{own}/api/v1/health HTTP/1.1\r\nhost: {own}"),
            "200",
        ),
    ];
    for (head, status) in rows {
        let token = &server.token;
        let end = format!("authorization: Bearer {token}\r\nconnection: close\r\n\r\n");
        let mut stream = TcpStream::connect(&own).unwrap();
        write!(stream, "GET {head}\r\n{end}").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let start = format!("HTTP/1.1 {status} ");
        assert!(response.starts_with(&start), "{head}: {response}");
        assert_eq!(response.contains("\"help\":"), status != "200");
    }
}

#[tokio::test]
async fn a_server_on_all_addresses_prints_and_shares_one_that_others_can_use() {
    let server = TestServer::with(tables(), &["--table", "24M", "--host", "0.0.0.0"]);
    let address = &server.address;
    assert!(!address.contains("0.0.0.0"), "{address}");
    // A machine without a network has no address for others.
    if !address.contains("127.0.0.1") {
        let sharing = json(server.get("/api/v1/sharing")).await;
        let expected = json!({ "address": address, "token": server.token });
        assert_eq!(sharing, expected);
    }
}

#[tokio::test]
async fn the_page_is_there_or_the_command_that_makes_it() {
    let server = TestServer::start();
    let response = server.get("/").send().await.unwrap();
    let status = response.status();
    let text = response.text().await.unwrap();
    let is_expected = match status {
        StatusCode::OK => text.contains("<script type=\"module\"") && !text.contains("http"),
        _ => status == 503 && text.contains("npm --prefix crates/cosette-web/ui run bundle"),
    };
    assert!(is_expected, "{status} {text}");
}

#[test]
fn invalid_options_are_refused() {
    for (options, error) in [
        ("--host 0.0.0.0 --no-token", "--host"),
        (
            "--host class.example",
            "write an IP address, such as 192.168.1.5 or 0.0.0.0; use --port",
        ),
        ("--host 0.0.0.0:8080", "write an IP address"),
        (
            "--port 0 --host 203.0.113.77",
            "set --host to an address of this machine",
        ),
        ("--port 99999", "write a port from 0 to 65535"),
        ("--port x", "write a port"),
        ("--searches 0", "write a number of searches from 1 to"),
        (
            "--searches 18446744073709551615",
            "write a number of searches from 1 to",
        ),
        ("--threads 0", "write a number of threads from 1 to"),
        ("--threads 100000", "100000 threads are too many"),
        ("--queue -", "write a whole number"),
        ("--allow-origin *", "write the scheme, host and port"),
        ("--allow-origin http://a.example/page", "write the scheme"),
        ("--no-token --token chosen-by-the-user", "--no-token"),
    ] {
        let (_, refused) = rejected(program().args(options.split(' ')));
        let refused = refused.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(refused.contains(error), "{options}: {refused}");
    }
    // The environment names options as for the command.
    for name in ["COSETTE_THREADS", "COSETTE_MEMORY", "COSETTE_TABLE"] {
        let (output, _) = rejected(program().env(name, "none"));
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
}

#[test]
fn a_token_that_an_address_cannot_hold_is_refused_and_not_shown() {
    for token in ["short", "with space", "with;semicolon"] {
        let by_variable = rejected(program().env("COSETTE_TOKEN", token));
        let by_argument = rejected(program().args(["--token", token]));
        for (place, (output, error)) in [("COSETTE_TOKEN", by_variable), ("--token", by_argument)] {
            assert_eq!(output.status.code(), Some(2), "{token}");
            let is_explained = error.contains("at least 8 letters, digits");
            assert!(is_explained && error.contains(place), "{error}");
            assert!(!error.contains(token), "{error}");
        }
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_log_does_not_contain_the_token() {
    const TOKEN: &str = "chosen-by-the-user";
    let mut command = program();
    let command = command.args(["--table", "24M"]).env("COSETTE_TOKEN", TOKEN);
    let mut server = TestServer::spawn(command.stderr(Stdio::piped()), tables());
    let address = &server.address;
    let entry = Client::new().get(format!("{address}/?token={TOKEN}"));
    entry.send().await.unwrap();
    let solve = Client::new().post(format!("{address}/api/v1/solve"));
    let solve = solve.bearer_auth(TOKEN).json(&json!({ "position": "R" }));
    solve.send().await.unwrap().text().await.unwrap();
    server.signal("-TERM");
    let mut log = server.printed.clone();
    server.output.read_to_string(&mut log).unwrap();
    let mut errors = server.child.stderr.take().unwrap();
    errors.read_to_string(&mut log).unwrap();
    server.child.wait().unwrap();
    assert!(log.contains("loaded") && !log.contains(TOKEN), "{log}");
}

/// The opener of Linux desktops, which writes what it is to open into a file.
#[cfg(target_os = "linux")]
#[test]
fn the_printed_address_is_opened_in_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let opener = folder.path().join("xdg-open");
    let opened = folder.path().join("opened");
    let script = "#!/bin/sh\necho \"$1\" > OPENED.part && /bin/mv OPENED.part OPENED\n";
    let script = script.replace("OPENED", opened.to_str().unwrap());
    std::fs::write(&opener, script).unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = program();
    let command = command.arg("--open").env("PATH", folder.path());
    let server = TestServer::spawn(command.stderr(Stdio::null()), folder.path());
    let text = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        std::fs::read_to_string(&opened).ok()
    });
    assert_eq!(text.as_ref(), Some(&server.printed));
    assert!(server.printed.contains("/?token="));
}
