//! The way from a request to an answer, which every front end goes.

#[path = "../questions/question.rs"]
mod question;

use cosette::cube::Metric;
use cosette::{Control, Solver, ThreadCount};
use cosette_app::answer::Answer;
use cosette_app::engine;
use cosette_app::goals::{Goals, Listener};
use cosette_app::json::Solve;
use cosette_app::name::Named;
use cosette_app::request::Request;
use question::Question;
use serde_json::Value;

#[test]
fn each_question_has_its_answer() {
    for question in Question::all() {
        let mut request = question.request.clone();
        let Some(Value::String(text)) = request.remove("position") else {
            panic!("{}: it has no position", question.about)
        };
        let request: Request = serde_json::from_value(Value::Object(request)).unwrap();
        if let Err(wrong) = request.check() {
            question.check_refusal("request", &wrong.to_string());
            continue;
        }
        let (Named { name, text }, input) = match Named::read(&text, |text| request.read(text)) {
            Ok(read) => read,
            Err(error) => {
                question.check_refusal("position", &error.message());
                continue;
            }
        };
        if let Some(goal) = request.goal().unwrap() {
            let listener = Listener { on_event: &|_| {}, on_found: &|_| {} };
            let answer =
                Goals::default().answer((&request, &goal), (&text, None, &input), listener, &Control::default());
            let answer = Solve { name, ..answer };
            question.check(&serde_json::to_value(answer).unwrap());
            continue;
        }
        // The table of the other metric takes long to generate; the front ends have it.
        if request.metric_of_faces() == Metric::Htm {
            let (solver, asked) =
                (Solver::new(crate::support::table(), ThreadCount::ONE), (&request, request.options()));
            let answer = engine::answer(&solver, asked, (&text, None, &input), &|_| {}, &Control::default()).unwrap();
            let answer = Answer { name, ..answer };
            question.check(&serde_json::to_value(Solve::from(&answer.as_asked(&request))).unwrap());
        }
    }
}
