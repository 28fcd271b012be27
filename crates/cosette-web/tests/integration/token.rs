//! The token, without which no other user of the machine may use the server.

use crate::support::{TestServer, json, tables};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

#[tokio::test]
async fn nothing_is_done_without_the_token() {
    let server = TestServer::start();
    // `.ci/attacks/server` tries all paths, and the token in other places.
    for authorization in [
        "",
        "Bearer ",
        "Bearer 00000000000000000000000000000000",
        &server.token,
    ] {
        let request = server.stranger(Method::DELETE, "/api/v1/tables/htm-24M");
        let request = request.header("authorization", authorization);
        let response = request.send().await.unwrap();
        assert_eq!(
            response.status(),
            StatusCode::UNAUTHORIZED,
            "{authorization}"
        );
        assert_eq!(response.headers()["www-authenticate"], "Bearer");
        let error: Value = response.json().await.unwrap();
        let help = error["help"].as_str().unwrap();
        assert!(help.contains("Authorization: Bearer"), "{help}");
    }
    for path in ["/", "/?token=", "/?token=wrong", "/icon.svg", "/nothing"] {
        let response = server.stranger(Method::GET, path).send().await.unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{path}");
        let form = response.text().await.unwrap();
        // It can be read on a phone, and has no token.
        assert!(
            form.contains("cosette-web printed") && form.contains("width=device-width"),
            "{path}: {form}"
        );
        assert!(!form.contains(&server.token), "{path}");
        assert_eq!(
            form.contains("That token is wrong"),
            path.contains("token="),
            "{path}"
        );
        // What is entered goes to the page.
        assert_eq!(
            form.contains("<form action=\"/\" "),
            !["/", "/?token=", "/?token=wrong"].contains(&path),
            "{path}"
        );
    }
    assert!(tables().join("htm-24M.table").exists());
    assert_eq!(json(server.get("/api/v1/health")).await["status"], "ok");
}

#[tokio::test]
async fn the_printed_address_is_exchanged_for_a_cookie() {
    let server = TestServer::start();
    assert_eq!(server.token.len(), 32);
    let entry = server
        .stranger(Method::GET, &format!("/?token={}", server.token))
        .send()
        .await
        .unwrap();
    assert_eq!(
        (entry.status(), &entry.headers()["location"]),
        (StatusCode::SEE_OTHER, &"/".parse().unwrap())
    );
    assert_eq!(entry.headers()["referrer-policy"], "no-referrer");
    assert_eq!(entry.headers()["cache-control"], "no-store");
    let cookie = entry.headers()["set-cookie"].to_str().unwrap();
    let (cookie, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/");
    let with = |cookie: String| {
        server
            .stranger(Method::GET, "/api/v1/health")
            .header("cookie", cookie)
            .send()
    };
    for sent in [
        cookie.to_owned(),
        format!("other=1; {cookie}"),
        format!("cosette-1={}; {cookie}", "0".repeat(32)),
    ] {
        assert_eq!(
            with(sent.clone()).await.unwrap().status(),
            StatusCode::OK,
            "{sent}"
        );
    }
    // Phone keyboards add spaces, and forms send them as plus signs.
    for (before, after) in [("+", "+"), ("%20", "%20")] {
        let path = format!("/?token={before}{}{after}", server.token);
        let entry = server.stranger(Method::GET, &path).send().await.unwrap();
        assert_eq!(entry.status(), StatusCode::SEE_OTHER, "{path}");
    }
    // The cookie of a server on another port, and one cut short.
    for sent in [
        cookie.replace("cosette-", "cosette-1"),
        cookie[..cookie.len() - 1].to_owned(),
    ] {
        assert_eq!(
            with(sent.clone()).await.unwrap().status(),
            StatusCode::UNAUTHORIZED,
            "{sent}"
        );
    }
    // A position in the address stays there.
    let path = format!("/?position=R+U%27&token={}&metric=qtm", server.token);
    let entry = server.stranger(Method::GET, &path).send().await.unwrap();
    assert_eq!(entry.headers()["location"], "/?position=R+U%27&metric=qtm");
    // So it does in the form for the token.
    let asked = server
        .stranger(Method::GET, "/?position=R+U%27%22%3E%3Cb%3E&token=wrong")
        .send()
        .await
        .unwrap();
    let form = asked.text().await.unwrap();
    assert!(
        form.contains("name=\"position\" value=\"R U'&quot;&gt;&lt;b&gt;\"")
            && !form.contains("wrong\""),
        "{form}"
    );
    // The address of another path is no way in, and leads nowhere else.
    for path in ["/api/v1/health", "//evil.example/", "/index.html"] {
        let response = server
            .stranger(Method::GET, &format!("{path}?token={}", server.token))
            .send()
            .await
            .unwrap();
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[tokio::test]
async fn a_chosen_token_is_not_printed() {
    let server = TestServer::with(tables(), &["--token", "chosen-by-the-user"]);
    assert_eq!(server.token, "");
    let health = |token: &str| {
        server
            .stranger(Method::GET, "/api/v1/health")
            .bearer_auth(token)
            .send()
    };
    assert_eq!(
        health("chosen-by-the-user").await.unwrap().status(),
        StatusCode::OK
    );
    assert_eq!(
        health("chosen-by-another").await.unwrap().status(),
        StatusCode::UNAUTHORIZED
    );
}

#[tokio::test]
async fn the_page_of_this_machine_is_told_what_other_machines_need() {
    let server = TestServer::start();
    assert_eq!(
        json(server.get("/api/v1/sharing")).await,
        json!({ "address": null, "token": null })
    );
    let server = TestServer::with(tables(), &["--host", "0.0.0.0"]);
    let sharing = json(server.get("/api/v1/sharing")).await;
    // A machine without a network has no address for others.
    if !server.address.contains("127.0.0.1") {
        assert_eq!(
            sharing,
            json!({ "address": server.address, "token": server.token })
        );
    }
    let stranger = server
        .stranger(Method::GET, "/api/v1/sharing")
        .send()
        .await
        .unwrap();
    assert_eq!(stranger.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn there_may_be_no_token() {
    let server = TestServer::with(tables(), &["--no-token"]);
    assert_eq!(server.token, "");
    let health = server
        .stranger(Method::GET, "/api/v1/health")
        .send()
        .await
        .unwrap();
    assert_eq!(health.status(), StatusCode::OK);
    let foreign = server
        .stranger(Method::GET, "/api/v1/health")
        .header("origin", "http://evil.example")
        .send()
        .await;
    assert_eq!(foreign.unwrap().status(), StatusCode::FORBIDDEN);
}

#[test]
fn a_token_that_an_address_cannot_hold_is_refused() {
    for token in ["short", "with space", "with;semicolon"] {
        let program = || Command::new(env!("CARGO_BIN_EXE_cosette-web"));
        let variable = program().env("COSETTE_TOKEN", token).output();
        let argument = program().args(["--token", token]).output();
        for (place, refused) in [
            ("COSETTE_TOKEN", variable.unwrap()),
            ("--token", argument.unwrap()),
        ] {
            assert_eq!(refused.status.code(), Some(2), "{token}");
            let error = String::from_utf8(refused.stderr).unwrap();
            assert!(
                error.contains("at least 8 letters, digits") && error.contains(place),
                "{error}"
            );
            assert!(!error.contains(token), "{error}");
        }
    }
    let both = ["--no-token", "--token", "chosen-by-the-user"];
    let refused = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
        .args(both)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn the_environment_names_options_as_for_the_command() {
    for name in ["COSETTE_THREADS", "COSETTE_MEMORY", "COSETTE_TABLE"] {
        let refused = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
            .env(name, "none")
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{name}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_log_does_not_contain_the_token() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
        .args(["--port", "0", "--table", "24M", "--tables"])
        .arg(tables())
        .env("COSETTE_TOKEN", "chosen-by-the-user")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut address = String::new();
    stdout.read_line(&mut address).unwrap();
    let client = reqwest::Client::new();
    let address = address.trim();
    client
        .get(format!("{address}/?token=chosen-by-the-user"))
        .send()
        .await
        .unwrap();
    let solve = client
        .post(format!("{address}/api/v1/solve"))
        .bearer_auth("chosen-by-the-user");
    solve
        .json(&json!({ "position": "R" }))
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    let mut log = address.to_owned();
    stdout.read_to_string(&mut log).unwrap();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut log)
        .unwrap();
    child.wait().unwrap();
    assert!(
        log.contains("loaded") && !log.contains("chosen-by-the-user"),
        "{log}"
    );
}

/// The opener of Linux desktops, which writes what it is to open into a file.
#[cfg(target_os = "linux")]
#[test]
fn the_printed_address_is_opened_in_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (opener, opened) = (folder.path().join("xdg-open"), folder.path().join("opened"));
    std::fs::write(
        &opener,
        format!(
            "#!/bin/sh\necho \"$1\" > {0}.part && /bin/mv {0}.part {0}\n",
            opened.display()
        ),
    )
    .unwrap();
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut server = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
        .args(["--port", "0", "--open", "--tables"])
        .arg(folder.path())
        .env("PATH", folder.path())
        .env_remove("COSETTE_TOKEN")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut printed = String::new();
    BufReader::new(server.stdout.take().unwrap())
        .read_line(&mut printed)
        .unwrap();
    let text = (0..500).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        std::fs::read_to_string(&opened).ok()
    });
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(text.as_ref(), Some(&printed));
    assert!(printed.contains("/?token="));
}
