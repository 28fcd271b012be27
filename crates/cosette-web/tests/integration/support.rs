//! A server for a test, and a client for it.

use cosette::table::{TableFileState, TableFolder, TableId, TableSize};
use cosette::{Control, Metric};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// Reid's superflip: twenty moves, which take the smallest table hours.
pub const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Ten moves that cannot be shortened.
pub const EASY: &str = "R U R' U' F2 D L B2 R D";

/// The time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// A server, killed on drop.
pub struct TestServer {
    pub child: Child,
    pub address: String,
    /// The token in the printed address; empty if there is none.
    pub token: String,
    client: Client,
}

impl TestServer {
    /// A server with the smallest table.
    pub fn start() -> TestServer {
        TestServer::with(tables(), &["--table", "24M"])
    }

    /// A server with this folder of tables and these options.
    pub fn with(folder: &Path, options: &[&str]) -> TestServer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cosette-web"))
            .args(["--port", "0", "--threads", "2", "--tables"])
            .arg(folder)
            .args(options)
            .env_remove("COSETTE_TOKEN")
            // Otherwise the C library keeps what is free in the heap of each thread, and tests of
            // memory measure that.
            .envs([
                ("MALLOC_ARENA_MAX", "1"),
                ("MALLOC_TRIM_THRESHOLD_", "1048576"),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut printed = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut printed)
            .unwrap();
        let (address, token) = printed
            .trim()
            .split_once("/?token=")
            .unwrap_or((printed.trim(), ""));
        let client = Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .redirect(Policy::none())
            .build()
            .unwrap();
        TestServer {
            child,
            address: address.to_owned(),
            token: token.to_owned(),
            client,
        }
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// A request of a client without the token.
    pub fn stranger(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.address))
    }

    /// A request with the token.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.stranger(method, path).bearer_auth(&self.token)
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.request(Method::POST, path)
    }

    pub fn delete(&self, path: &str) -> RequestBuilder {
        self.request(Method::DELETE, path)
    }

    /// A solve request whose response is JSON lines.
    pub fn solve(&self, body: &Value) -> RequestBuilder {
        self.post("/api/v1/solve")
            .header("accept", "application/x-ndjson")
            .json(body)
    }

    /// Returns the number of running and waiting searches.
    pub async fn searches(&self) -> u64 {
        json(self.get("/api/v1/health")).await["searches"]
            .as_u64()
            .unwrap()
    }

    /// Waits until no search runs or waits.
    pub async fn wait_until_idle(&self) {
        for _ in 0..300 {
            if self.searches().await == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("searches are still running after three seconds");
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The response as JSON.
pub async fn json(request: RequestBuilder) -> Value {
    request.send().await.unwrap().json().await.unwrap()
}

/// All events of a response in JSON lines.
pub async fn events(request: RequestBuilder) -> Vec<Value> {
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The events with this name.
pub fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event["event"] == name)
        .collect()
}

/// A response in JSON lines, event by event.
pub struct EventReader {
    response: Response,
    rest: String,
}

impl EventReader {
    pub async fn of(request: RequestBuilder) -> EventReader {
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 200);
        EventReader {
            response,
            rest: String::new(),
        }
    }

    /// The next event; `None` at the end.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((line, rest)) = self.rest.split_once('\n') {
                let event = serde_json::from_str(line).unwrap();
                self.rest = rest.to_owned();
                return Some(event);
            }
            self.rest += std::str::from_utf8(&self.response.chunk().await.unwrap()?).unwrap();
        }
    }

    /// The next event with this name.
    pub async fn until(&mut self, name: &str) -> Value {
        loop {
            let event = self
                .next()
                .await
                .unwrap_or_else(|| panic!("no {name} before the end"));
            if event["event"] == name {
                return event;
            }
        }
    }
}

/// A folder with the smallest tables, generated once and kept between runs.
pub fn tables() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables");
        fs::create_dir_all(&path).unwrap();
        // Another run of the tests may generate them at the same time.
        let lock = File::create(path.join("lock")).unwrap();
        lock.lock().unwrap();
        let folder = TableFolder::new(&path);
        for metric in Metric::ALL {
            let id = TableId {
                metric,
                size: TableSize::ALL[0],
            };
            if !matches!(folder.state(id), TableFileState::Complete) {
                folder.generate(id, &Control::default()).unwrap();
            }
        }
        path
    })
}
