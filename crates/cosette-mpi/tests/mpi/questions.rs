//! The questions that every front end is asked.

#[path = "../../../cosette-app/tests/questions/question.rs"]
mod question;

use crate::{COSETTE_MPI, isolated, run, tables};
use question::Question;
use serde_json::Value;

#[test]
fn each_question_has_its_answer() {
    for question in Question::all()
        .into_iter()
        .filter(|question| !question.has_goal())
    {
        // One rank, which needs no mpirun.
        let mut job = isolated(COSETTE_MPI);
        let ended = run(job
            .args(["solve", "--table", "24M", "--tables"])
            .arg(tables())
            .args(question.arguments()));
        let answer =
            || serde_json::from_str::<Value>(ended.output.lines().next().unwrap()).unwrap();
        match ended.status.code() {
            Some(0 | 4) => question.check(&answer()),
            Some(2) => question.check_refusal("request", &ended.errors),
            Some(3) => question.check_refusal("position", answer()["error"].as_str().unwrap()),
            code => panic!("{}: exit code {code:?}: {}", question.about, ended.errors),
        }
    }
}
