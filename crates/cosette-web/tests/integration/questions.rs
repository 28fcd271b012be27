//! The questions that every front end is asked.

#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::support::{TestServer, json};
use question::Question;
use serde_json::Value;

#[tokio::test]
async fn each_question_has_its_answer() {
    let server = TestServer::start();
    for question in Question::all() {
        let request = server
            .post("/api/v1/solve")
            .header("accept", "application/json")
            .json(&question.request);
        let answer = json(request).await;
        match &answer["error"] {
            Value::Null => question.check(&answer),
            // Of what is wrong with a text it says where.
            Value::String(error) if answer["span"].is_array() => {
                question.check_refusal("position", error)
            }
            error => question.check_refusal("request", error.as_str().unwrap()),
        }
    }
}
