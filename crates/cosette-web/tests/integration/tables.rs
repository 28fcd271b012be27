//! Tables: listing, generating, stopping, removing.

use crate::support::{EventReader, TestServer, events, json, tables};
use reqwest::StatusCode;
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The list entry of a table.
async fn entry(server: &TestServer, name: &str) -> Value {
    let mut list = json(server.get("/api/v1/tables")).await;
    let tables = list["tables"].as_array_mut().unwrap();
    let index = tables.iter().position(|table| table["name"] == name);
    tables.swap_remove(index.unwrap())
}

/// Checks the state of a table.
async fn assert_state(server: &TestServer, name: &str, state: &str) {
    assert_eq!(entry(server, name).await["state"], state, "{name}");
}

/// Reads events until the generation has completed three percent.
async fn until_three_percent(follow: &mut EventReader, event: &str) {
    while follow.until(event).await["percent"].as_u64() < Some(3) {}
}

/// The last event of a completed generation.
fn generated() -> Value {
    json!({ "event": "generated" })
}

#[tokio::test]
async fn the_table_is_loaded_when_the_server_starts() {
    let server = TestServer::start();
    while entry(&server, "htm-24M").await["in_use"] == false {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let folder = TempDir::new().unwrap();
    // A size is one of half turns: in quarter turns none is generated where another is on disk.
    let file = "qtm-24M.table";
    fs::copy(tables().join(file), folder.path().join(file)).unwrap();
    for (named, in_half_turns, in_quarter_turns) in [
        ("47M", "htm-47M", "qtm-24M"),
        ("24M", "htm-24M", "qtm-24M"),
        ("qtm-47M", "htm-190M", "qtm-47M"),
    ] {
        let server = TestServer::with(folder.path(), &["--table", named]);
        for name in [in_half_turns, in_quarter_turns] {
            let table = entry(&server, name).await;
            assert_eq!(table["next"], true, "--table {named}: {name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_table_beyond_the_limit_of_file_sizes_is_an_error_and_not_the_end() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &[]);
    let pid = format!("--pid={}", server.child.id());
    let limited = std::process::Command::new("prlimit")
        .args([&pid, "--fsize=1000000"])
        .status();
    assert!(limited.unwrap().success());
    let refused = events(server.generate("htm-24M")).await.pop().unwrap();
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("File too large"), "{error}");
    assert_eq!(server.searches().await, 0);
}

#[tokio::test]
async fn a_generation_is_followed_and_stopped() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &[]);
    let mut first = EventReader::of(server.generate("htm-375M")).await;
    until_three_percent(&mut first, "progress").await;
    // Its client disconnects; another one follows it.
    drop(first);
    let mut second = EventReader::of(server.generate("htm-375M")).await;
    assert!(second.until("progress").await["percent"].as_u64() >= Some(3));
    assert_state(&server, "htm-375M", "generating").await;
    let other = server.generate("htm-24M").send().await.unwrap();
    assert_eq!(other.status(), StatusCode::CONFLICT);
    let remove = || server.delete("tables/htm-375M");
    assert_eq!(remove().await, StatusCode::CONFLICT);

    let stop = || server.delete("tables/htm-375M/generation");
    assert_eq!(stop().await, StatusCode::NO_CONTENT);
    let kept = second.until("stopped").await["percent"].as_u64();
    assert!(kept >= Some(3));
    let left = entry(&server, "htm-375M").await;
    assert_eq!(left["state"], "partial");
    assert_eq!(left["percent"].as_u64(), kept);
    assert_eq!(stop().await, StatusCode::NOT_FOUND);
    assert_eq!(remove().await, StatusCode::NO_CONTENT);
    assert_state(&server, "htm-375M", "absent").await;
}

#[tokio::test]
async fn a_generation_for_a_search_is_followed_and_stopped() {
    let folder = TempDir::new().unwrap();
    let server = TestServer::with(folder.path(), &["--table", "375M"]);
    let mut search = EventReader::of(server.solve(&json!({ "position": "R U F" }))).await;
    until_three_percent(&mut search, "preparing").await;
    let generating = entry(&server, "htm-375M").await;
    assert_eq!(generating["state"], "generating");
    assert!(generating["percent"].as_u64() >= Some(3), "{generating}");
    let removed = server.delete("tables/htm-375M").await;
    assert_eq!(removed, StatusCode::CONFLICT);
    let mut follow = EventReader::of(server.generate("htm-375M")).await;
    assert!(follow.until("progress").await["percent"].is_u64());
    let stopped = server.delete("tables/htm-375M/generation").await;
    assert_eq!(stopped, StatusCode::NO_CONTENT);
    assert!(follow.until("stopped").await["percent"].as_u64() >= Some(3));
    search.until("refused").await;
    assert_state(&server, "htm-375M", "partial").await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_generation_that_nobody_follows_does_not_outlive_the_server() {
    let folder = TempDir::new().unwrap();
    for _ in 0..6 {
        let mut server = TestServer::with(folder.path(), &[]);
        drop(EventReader::of(server.generate("htm-375M")).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.signal("-TERM");
        let start = Instant::now();
        while server.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "it does not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

#[tokio::test]
async fn a_damaged_table_is_an_error_that_says_how_to_fix_it() {
    let folder = TempDir::new().unwrap();
    let mut bytes = fs::read(tables().join("htm-24M.table")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(folder.path().join("htm-24M.table"), bytes).unwrap();
    let server = TestServer::with(folder.path(), &["--table", "24M"]);
    let refused = server.answer("R").await;
    assert_eq!(refused["event"], "refused");
    assert!(refused["error"].as_str().unwrap().contains("corrupted"));
    assert!(refused["help"].is_string(), "{refused}");
    server.wait_until_idle().await;
    // It is known now, and replaced.
    let faulty = entry(&server, "htm-24M").await;
    assert_eq!(faulty["state"], "corrupted");
    assert!(faulty["fault"].as_str().unwrap().contains("corrupted"));
    let start = Instant::now();
    let generation = events(server.generate("htm-24M")).await;
    let most = start.elapsed().as_secs() as usize * 10 + 12;
    assert!((2..=most).contains(&generation.len()), "{generation:?}");
    assert_state(&server, "htm-24M", "ready").await;
    assert_eq!(server.answer("R").await["length"], 1);
}

#[tokio::test]
async fn a_file_that_is_not_the_table_is_not_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("htm-24M.table");
    let other = folder.path().join("qtm-24M.table");
    fs::write(&path, "R U R' U'").unwrap();
    // A table of another metric.
    let htm = fs::read(tables().join("htm-24M.table")).unwrap();
    fs::write(&other, &htm).unwrap();
    let server = TestServer::with(folder.path(), &[]);
    for (name, reason) in [("htm-24M", "is not a table"), ("qtm-24M", "holds htm-24M")] {
        assert_state(&server, name, "corrupted").await;
        let refused = server.generate(name).send().await.unwrap();
        assert_eq!(refused.status(), StatusCode::CONFLICT, "{name}");
        let error = refused.text().await.unwrap();
        let is_explained = error.contains(reason) && error.contains("move that file away");
        assert!(is_explained, "{error}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"R U R' U'");
    assert!(fs::read(&other).unwrap() == htm);
    // A damaged table is one, and is replaced.
    let mut damaged = htm.clone();
    damaged[100] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_state(&server, "htm-24M", "corrupted").await;
    let events = events(server.generate("htm-24M")).await;
    assert_eq!(*events.last().unwrap(), generated());
    assert!(fs::read(&path).unwrap() == htm);
}
