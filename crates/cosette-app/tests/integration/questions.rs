//! The way from a request to an answer, which every front end goes; positions as JSON.

#[path = "../questions/question.rs"]
mod question;

use cosette::Control;
use cosette::cube::{Cube, Metric, random_positions};
use cosette_app::engine;
use cosette_app::goal_engine::GoalSolverCache;
use cosette_app::name::NamedPosition;
use cosette_app::request::Request;
use cosette_app::solve_result::ParsedPosition;
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
        let position = ParsedPosition {
            name: name.as_deref(),
            ..ParsedPosition::unnamed(&text, &input)
        };
        let control = Control::default();
        let solved = if let Some(goal) = request.parse_goal().unwrap() {
            let goals = GoalSolverCache::default();
            goals.solve(&request, &goal, &position, &|_| {}, &control)
        } else if request.face_metric() == Metric::Htm {
            let solver = crate::support::solver(1);
            let options = request.options();
            engine::solve(&solver, &request, options, &position, &|_| {}, &control)
        } else {
            // The table of the other metric takes long to generate; the front ends have it.
            continue;
        };
        question.check(&serde_json::to_value(solved.unwrap()).unwrap());
    }
}

#[test]
fn a_position_is_its_facelets() {
    for cube in random_positions(1).take(3) {
        let text = serde_json::to_string(&cube).unwrap();
        assert_eq!(text, format!("\"{}\"", cube.facelets()));
        assert_eq!(serde_json::from_str::<Cube>(&text).unwrap(), cube);
    }
    for refused in ["\"R U\"", "5", &format!("\"{}\"", "U".repeat(54))] {
        assert!(serde_json::from_str::<Cube>(refused).is_err(), "{refused}");
    }
}
