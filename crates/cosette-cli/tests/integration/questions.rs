//! The questions that every front end is asked.

#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::support::{json_lines, solve};
use question::Question;

#[test]
fn each_question_has_its_answer() {
    for question in Question::all() {
        let ended = solve().args(question.arguments()).output().unwrap();
        let error = || String::from_utf8_lossy(&ended.stderr).into_owned();
        match ended.status.code() {
            Some(0 | 4) => question.check(&json_lines(&ended.stdout)[0]),
            Some(2) => question.check_refusal("request", &error()),
            Some(3) => question.check_refusal(
                "position",
                json_lines(&ended.stdout)[0]["error"].as_str().unwrap(),
            ),
            code => panic!("{}: exit code {code:?}: {}", question.about, error()),
        }
    }
}
