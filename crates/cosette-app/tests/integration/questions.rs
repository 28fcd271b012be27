//! The way from a request to an answer, which every front end goes.

#[path = "../questions/question.rs"]
mod question;

use cosette::cube::Metric;
use cosette::{Control, Solver, ThreadCount};
use cosette_app::answer::Answer;
use cosette_app::engine;
use cosette_app::goal_engine::{GoalObserver, GoalSolverCache};
use cosette_app::json::SolveResult;
use cosette_app::name::NamedPosition;
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
        let request: Request = match serde_json::from_value(Value::Object(request)) {
            Ok(request) => request,
            Err(error) => {
                question.check_refusal("request", &error.to_string());
                continue;
            }
        };
        if let Err(wrong) = request.validate() {
            question.check_refusal("request", &wrong.to_string());
            continue;
        }
        let (NamedPosition { name, text }, input) =
            match NamedPosition::read(&text, |text| request.parse_position(text)) {
                Ok(read) => read,
                Err(error) => {
                    question.check_refusal("position", &error.message());
                    continue;
                }
            };
        if let Some(goal) = request.parse_goal().unwrap() {
            let listener = GoalObserver {
                on_event: &|_| {},
                on_solution: &|_| {},
            };
            let answer = GoalSolverCache::default().answer(
                (&request, &goal),
                (&text, None, &input),
                listener,
                &Control::default(),
            );
            let answer = SolveResult { name, ..answer };
            question.check(&serde_json::to_value(answer).unwrap());
            continue;
        }
        // The table of the other metric takes long to generate; the front ends have it.
        if request.face_metric() == Metric::Htm {
            let solver = Solver::new(crate::support::table(), ThreadCount::ONE);
            let asked = (&request, request.options());
            let answer = engine::answer(
                &solver,
                asked,
                (&text, None, &input),
                &|_| {},
                &Control::default(),
            )
            .unwrap();
            let answer = Answer { name, ..answer };
            question.check(
                &serde_json::to_value(SolveResult::from(&answer.apply_request(&request))).unwrap(),
            );
        }
    }
}
