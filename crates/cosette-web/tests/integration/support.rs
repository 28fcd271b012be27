//! A server for a test, and a client for it.

use cosette::table::{TableFileState, TableFolder, TableId, TableSize};
use cosette::{Control, Metric};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

/// Reid's superflip: twenty moves, which take the smallest table hours.
pub const SUPERFLIP: &str = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";

/// Ten moves that cannot be shortened.
pub const EASY: &str = "R U R' U' F2 D L B2 R D";

/// The time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the program, without a token in its environment.
pub fn program() -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_cosette-web"));
    program.env_remove("COSETTE_TOKEN");
    program
}

/// Runs the program with options that it rejects. Returns its output, and its error as text.
pub fn rejected(program: &mut Command) -> (Output, String) {
    let output = program.output().unwrap();
    assert!(!output.status.success());
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    (output, error)
}

/// A server, killed on drop.
pub struct TestServer {
    pub child: Child,
    /// The output after the printed address.
    pub output: BufReader<ChildStdout>,
    /// The printed address, with the token.
    pub printed: String,
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
        TestServer::spawn(program().stderr(Stdio::null()).args(options), folder)
    }

    /// A server as this command starts it, with this folder of tables.
    pub fn spawn(command: &mut Command, folder: &Path) -> TestServer {
        let mut child = command
            .args(["--port", "0", "--threads", "2", "--tables"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        output.read_line(&mut printed).unwrap();
        let line = printed.trim();
        let (address, token) = line.split_once("/?token=").unwrap_or((line, ""));
        let client = Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .redirect(Policy::none())
            .build()
            .unwrap();
        TestServer {
            child,
            output,
            address: address.to_owned(),
            token: token.to_owned(),
            printed,
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

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.stranger(Method::GET, path).bearer_auth(&self.token)
    }

    pub fn post(&self, path: &str) -> RequestBuilder {
        self.stranger(Method::POST, path).bearer_auth(&self.token)
    }

    /// A request whose response is JSON lines.
    fn stream(&self, path: &str) -> RequestBuilder {
        let request = self.post(&format!("/api/v1/{path}"));
        request.header("accept", "application/x-ndjson")
    }

    /// A request to solve a position.
    pub fn solve(&self, body: &Value) -> RequestBuilder {
        self.stream("solve").json(body)
    }

    /// A request to solve lines.
    pub fn batch(&self, lines: impl Into<String>) -> RequestBuilder {
        self.stream("batch").body(lines.into())
    }

    /// A request to generate a table.
    pub fn generate(&self, table: &str) -> RequestBuilder {
        self.stream(&format!("tables/{table}"))
    }

    /// Sends a request to remove something, and returns the status of the response.
    pub async fn delete(&self, path: &str) -> StatusCode {
        let request = self.stranger(Method::DELETE, &format!("/api/v1/{path}"));
        let response = request.bearer_auth(&self.token).send().await.unwrap();
        response.status()
    }

    /// Stops a search by its id.
    pub async fn stop(&self, id: u64) -> StatusCode {
        self.delete(&format!("solves/{id}")).await
    }

    /// Solves a position, and returns the last event.
    pub async fn answer(&self, position: &str) -> Value {
        let request = self.solve(&json!({ "position": position }));
        events(request).await.pop().unwrap()
    }

    /// Returns the number of running and waiting searches.
    pub async fn searches(&self) -> u64 {
        let health = json(self.get("/api/v1/health")).await;
        health["searches"].as_u64().unwrap()
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

    /// Sends a signal to the server.
    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &pid]).status();
        assert!(sent.unwrap().success());
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
    let mut follow = EventReader::of(request).await;
    let mut events = Vec::new();
    while let Some(event) = follow.next().await {
        events.push(event);
    }
    events
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

    /// The events of a search after the first, and its id.
    pub async fn of_search(request: RequestBuilder) -> (EventReader, u64) {
        let mut follow = EventReader::of(request).await;
        let id = follow.until("queued").await["id"].as_u64().unwrap();
        (follow, id)
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
            let event = self.next().await.expect("the event is sent before the end");
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
