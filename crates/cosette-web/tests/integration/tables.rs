//! Tables: listing, generating, stopping, removing.

use crate::support::{EASY, EventReader, TestServer, events, json, tables};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The list entry of a table.
async fn state(server: &TestServer, name: &str) -> Value {
    let tables = json(server.get("/api/v1/tables")).await["tables"].clone();
    tables
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table["name"] == name)
        .unwrap()
        .clone()
}

fn generate(server: &TestServer, name: &str) -> reqwest::RequestBuilder {
    server
        .post(&format!("/api/v1/tables/{name}"))
        .header("accept", "application/x-ndjson")
}

#[tokio::test]
async fn all_tables_are_listed() {
    let server = TestServer::start();
    let list = json(server.get("/api/v1/tables")).await;
    assert_eq!(list["folder"].as_str(), tables().to_str());
    assert_eq!(list["tables"].as_array().unwrap().len(), 20);
    assert_eq!(state(&server, "htm-24M").await["state"], "ready");
    assert_eq!(state(&server, "htm-12G").await["state"], "absent");
    assert_eq!(state(&server, "qtm-24M").await["in_use"], false);
    events(server.solve(&json!({ "position": "R U", "metric": "qtm" }))).await;
    assert_eq!(state(&server, "qtm-24M").await["in_use"], true);
}

#[tokio::test]
async fn the_table_is_loaded_when_the_server_starts() {
    let server = TestServer::start();
    while state(&server, "htm-24M").await["in_use"] == false {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // One that would have to be generated is left to the first search, which is told of it.
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &["--table", "24M"]);
    for name in ["htm-24M", "qtm-24M"] {
        let table = state(&server, name).await;
        assert_eq!(
            (&table["state"], &table["next"]),
            (&json!("absent"), &json!(true)),
            "{name}"
        );
    }
    assert_eq!(state(&server, "htm-47M").await["next"], false);
    // A size is one of half turns: in quarter turns none is generated where another is on disk.
    std::fs::copy(
        tables().join("qtm-24M.table"),
        folder.path().join("qtm-24M.table"),
    )
    .unwrap();
    for (named, in_half_turns, in_quarter_turns) in [
        ("47M", "htm-47M", "qtm-24M"),
        ("24M", "htm-24M", "qtm-24M"),
        ("qtm-47M", "htm-190M", "qtm-47M"),
    ] {
        let server = TestServer::with(folder.path(), &["--table", named]);
        for name in [in_half_turns, in_quarter_turns] {
            assert_eq!(
                state(&server, name).await["next"],
                true,
                "--table {named}: {name}"
            );
        }
    }
}

#[tokio::test]
async fn a_table_is_generated_used_and_removed() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &[]);
    let start = Instant::now();
    let generation = events(generate(&server, "htm-24M")).await;
    let most = start.elapsed().as_secs() as usize * 10 + 12;
    assert!(generation.len() <= most, "{} events", generation.len());
    assert_eq!(generation[0]["event"], "progress");
    assert_eq!(generation.last().unwrap(), &json!({ "event": "generated" }));
    assert_eq!(state(&server, "htm-24M").await["state"], "ready");

    assert_eq!(
        events(generate(&server, "htm-24M")).await,
        [json!({ "event": "generated" })]
    );

    // A position near solved does not wait for it.
    for (position, length, table) in [
        ("R U F", 3, "no table"),
        (EASY, 10, "htm-24M"),
        ("R U F", 3, "htm-24M"),
    ] {
        let answer = events(server.solve(&json!({ "position": position })))
            .await
            .pop()
            .unwrap();
        assert_eq!(
            (&answer["length"], &answer["table"]),
            (&json!(length), &json!(table))
        );
    }

    let remove = || server.delete("/api/v1/tables/htm-24M").send();
    assert_eq!(remove().await.unwrap().status(), StatusCode::NO_CONTENT);
    assert_eq!(remove().await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(state(&server, "htm-24M").await["state"], "absent");
    // It is still in memory.
    let answer = events(server.solve(&json!({ "position": "R U F" })))
        .await
        .pop()
        .unwrap();
    assert_eq!(answer["table"], "htm-24M");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_table_beyond_the_limit_of_file_sizes_is_an_error_and_not_the_end() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &[]);
    let pid = format!("--pid={}", server.child.id());
    let limited = std::process::Command::new("prlimit")
        .args([&pid, "--fsize=1000000"])
        .status()
        .unwrap();
    assert!(limited.success());
    let refused = events(generate(&server, "htm-24M")).await.pop().unwrap();
    assert!(
        refused["error"]
            .as_str()
            .unwrap()
            .contains("File too large"),
        "{refused}"
    );
    assert_eq!(json(server.get("/api/v1/health")).await["status"], "ok");
}

#[tokio::test]
async fn a_generation_is_followed_and_stopped() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &[]);
    let mut first = EventReader::of(generate(&server, "htm-375M")).await;
    while first.until("progress").await["percent"].as_u64() < Some(3) {}
    // Its client disconnects; another one follows it.
    drop(first);
    let mut second = EventReader::of(generate(&server, "htm-375M")).await;
    assert!(second.until("progress").await["percent"].as_u64() >= Some(3));
    assert_eq!(state(&server, "htm-375M").await["state"], "generating");
    assert_eq!(
        generate(&server, "htm-24M").send().await.unwrap().status(),
        StatusCode::CONFLICT
    );
    assert_eq!(
        server
            .delete("/api/v1/tables/htm-375M")
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::CONFLICT
    );

    let stop = || server.delete("/api/v1/tables/htm-375M/generation").send();
    assert_eq!(stop().await.unwrap().status(), StatusCode::NO_CONTENT);
    let kept = second.until("stopped").await["percent"].as_u64().unwrap();
    assert!(kept >= 3);
    let left = state(&server, "htm-375M").await;
    assert_eq!(
        (&left["state"], left["percent"].as_u64()),
        (&json!("partial"), Some(kept))
    );
    assert_eq!(stop().await.unwrap().status(), StatusCode::NOT_FOUND);
    assert_eq!(
        server
            .delete("/api/v1/tables/htm-375M")
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::NO_CONTENT
    );
    assert_eq!(state(&server, "htm-375M").await["state"], "absent");
}

#[tokio::test]
async fn a_damaged_table_is_an_error_that_says_how_to_fix_it() {
    let folder = TempDir::new().unwrap();
    let mut bytes = std::fs::read(tables().join("htm-24M.table")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(folder.path().join("htm-24M.table"), bytes).unwrap();
    let server = TestServer::with(folder.path(), &["--table", "24M"]);
    let refused = events(server.solve(&json!({ "position": "R" })))
        .await
        .pop()
        .unwrap();
    assert_eq!(refused["event"], "refused");
    assert!(
        refused["error"].as_str().unwrap().contains("corrupted") && refused["help"].is_string(),
        "{refused}"
    );
    server.wait_until_idle().await;
    // It is known now, and replaced.
    let faulty = state(&server, "htm-24M").await;
    assert_eq!(faulty["state"], "corrupted");
    assert!(
        faulty["fault"].as_str().unwrap().contains("corrupted"),
        "{faulty}"
    );
    assert!(events(generate(&server, "htm-24M")).await.len() > 1);
    assert_eq!(state(&server, "htm-24M").await["state"], "ready");
    assert_eq!(
        events(server.solve(&json!({ "position": "R" })))
            .await
            .pop()
            .unwrap()["length"],
        1
    );
}

#[tokio::test]
async fn a_generation_for_a_search_is_followed_and_stopped() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &["--table", "375M"]);
    let mut search = EventReader::of(server.solve(&json!({ "position": "R U F" }))).await;
    while search.until("preparing").await["percent"].as_u64() < Some(3) {}
    let generating = state(&server, "htm-375M").await;
    assert_eq!(generating["state"], "generating");
    assert!(generating["percent"].as_u64() >= Some(3), "{generating}");
    assert_eq!(
        server
            .delete("/api/v1/tables/htm-375M")
            .send()
            .await
            .unwrap()
            .status(),
        StatusCode::CONFLICT
    );
    let mut follow = EventReader::of(generate(&server, "htm-375M")).await;
    assert!(follow.until("progress").await["percent"].is_u64());
    let stopped = server
        .delete("/api/v1/tables/htm-375M/generation")
        .send()
        .await
        .unwrap();
    assert_eq!(stopped.status(), StatusCode::NO_CONTENT);
    assert!(follow.until("stopped").await["percent"].as_u64() >= Some(3));
    search.until("refused").await;
    assert_eq!(state(&server, "htm-375M").await["state"], "partial");
}

#[tokio::test]
async fn a_file_that_is_not_the_table_is_not_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("htm-24M.table");
    let other = folder.path().join("qtm-24M.table");
    std::fs::write(&path, "R U R' U'").unwrap();
    // A table of another metric.
    let htm = std::fs::read(tables().join("htm-24M.table")).unwrap();
    std::fs::write(&other, &htm).unwrap();
    let server = TestServer::with(folder.path(), &[]);
    for (name, reason) in [("htm-24M", "is not a table"), ("qtm-24M", "holds htm-24M")] {
        assert_eq!(state(&server, name).await["state"], "corrupted");
        let refused = generate(&server, name).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::CONFLICT, "{name}");
        let error: Value = refused.json().await.unwrap();
        assert!(error["error"].as_str().unwrap().contains(reason), "{error}");
        assert!(
            error["help"]
                .as_str()
                .unwrap()
                .contains("move that file away"),
            "{error}"
        );
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"R U R' U'");
    assert!(std::fs::read(&other).unwrap() == htm);
    // A damaged table is one, and is replaced.
    let mut damaged = htm.clone();
    damaged[100] ^= 1;
    std::fs::write(&path, damaged).unwrap();
    assert_eq!(state(&server, "htm-24M").await["state"], "corrupted");
    assert_eq!(
        events(generate(&server, "htm-24M")).await.last().unwrap(),
        &json!({ "event": "generated" })
    );
    assert!(std::fs::read(&path).unwrap() == htm);
}
