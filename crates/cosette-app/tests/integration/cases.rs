//! Cases in `tests/texts`: lists of positions and the names in them, requests, and what is said.

#[path = "../../../cosette/tests/integration/texts.rs"]
mod texts;

use crate::support::moves;
use cosette::Control;
use cosette::cube::{Cube, Move, ParseOptions, parse_position};
use cosette::search::Explanation;
use cosette_app::batch::{Lines, ListLine};
use cosette_app::events::SearchEvent;
use cosette_app::goal_engine::GoalSolverCache;
use cosette_app::name::{NamedPosition, alternatives};
use cosette_app::position::PositionCheck;
use cosette_app::remedies::Audience;
use cosette_app::request::Request;
use cosette_app::solve_result::ParsedPosition;
use cosette_app::units;
use std::fmt::Debug;
use texts::{known_texts, rows_of};

/// A line as in lists.txt.
fn written(line: ListLine) -> String {
    let name = line
        .name
        .map(|name| format!("{name}: "))
        .unwrap_or_default();
    let text = line.fault.map_or(line.text, |fault| fault.message());
    format!("{} {name}{text}", line.number)
}

#[test]
fn lists_are_read() {
    for row in rows_of("lists") {
        let (text, expected) = row.split_first().unwrap();
        let mut lines = Lines::new(text.as_bytes());
        if let [refusal] = expected
            && let Some(reason) = refusal.strip_prefix("! ")
        {
            let error = lines.find_map(Result::err);
            let error = error
                .unwrap_or_else(|| panic!("{text} is read"))
                .to_string();
            assert!(error.contains(reason), "{text}: {error}");
            continue;
        }
        let mut read: Vec<String> = lines.by_ref().map(|line| written(line.unwrap())).collect();
        if expected.iter().any(|field| field.starts_with("* ")) {
            read.extend(lines.remarks().iter().map(|remark| format!("* {remark}")));
        }
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn numbers_are_names_if_they_follow_one_another() {
    let numbered: String = (1..300).map(|number| format!("{number},R U F\n")).collect();
    assert_eq!(Lines::new(numbered.as_bytes()).count(), 299);
    for text in [
        "R, U, Q\nR, U, Q",
        "[Q, R]\n[Q, U]",
        "Anna, Tom\nR, U, F",
        "Anna, Tom",
    ] {
        let count = Lines::new(text.as_bytes()).map(Result::unwrap).count();
        assert_eq!(count, text.lines().count(), "{text}");
    }
}

#[test]
fn names_are_separated() {
    for [text, name, position] in known_texts("names") {
        let named = NamedPosition::of_line(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            (named.name.unwrap_or_default(), named.text),
            (name, position),
            "{text}"
        );
    }
}

#[test]
fn texts_that_may_mean_two_things_are_refused() {
    for [text, reason] in known_texts("name-faults") {
        let error = NamedPosition::of_line(&text).unwrap_err();
        assert!(error.message().contains(&reason), "{text}: {error}");
    }
    // A single text is not a row of a table.
    let text = "F, R U R'";
    assert_eq!(NamedPosition::of(text), Ok(NamedPosition::unnamed(text)));
    let quoted = NamedPosition::of_line("\"after R U F\": R U").unwrap();
    assert_eq!(quoted.text, "R U");
    // A link is not a comment or a name.
    for text in [
        "https://example.com/?fd=ubl",
        "R U F2 https://youtu.be/abcRUF",
        "T: R U https://youtu.be/a",
    ] {
        let read = |text: &str| parse_position(text, None, &ParseOptions::default());
        let error = NamedPosition::read(text, read).unwrap_err();
        assert!(error.message().contains("link"), "{text}: {error}");
    }
}

#[test]
fn each_alternative_is_a_text() {
    for row in rows_of("alternatives") {
        let (text, expected) = row.split_first().unwrap();
        assert_eq!(alternatives(text), expected, "{text}");
    }
    assert_eq!("[]".parse(), Ok(Cube::SOLVED));
}

#[test]
fn what_may_be_meant_otherwise_is_said() {
    for [text, hint] in known_texts("hints") {
        let check = PositionCheck::of(&text, None, &ParseOptions::default());
        assert_eq!(check.hint.unwrap_or_default(), hint, "{text}");
    }
}

#[test]
fn conflicts_of_requests_are_refused() {
    for [json, message, help] in known_texts("requests") {
        let request: Request = serde_json::from_str(&json).unwrap();
        let error = request.validate().err();
        let said = error.map(|error| error.message_and_help(Audience::Command));
        let (wrong, advice) = said.unwrap_or_default();
        assert!(wrong.starts_with(&message), "{json}: {wrong}");
        assert!(advice.starts_with(&help), "{json}: {advice}");
        assert_eq!(wrong.is_empty(), message.is_empty(), "{json}: {wrong}");
    }
}

#[test]
fn special_properties_are_explained() {
    for [position, solutions, sentence] in known_texts("explanations") {
        let position: Cube = position.parse().unwrap();
        let solutions: Vec<Vec<Move>> = solutions.split(", ").map(moves).collect();
        let sentences = Explanation::new(&position, Some(&solutions)).sentences();
        assert!(sentences.contains(&sentence), "{sentence}: {sentences:?}");
    }
}

#[test]
fn values_are_read_with_their_units() {
    fn shown<T: Debug>(value: Result<T, String>) -> String {
        value.map_or_else(|error| format!("! {error}"), |value| format!("{value:?}"))
    }
    for [kind, text, expected] in known_texts("units") {
        let value = match &kind[..] {
            "bytes" => shown(units::bytes(&text)),
            "seconds" => shown(units::seconds(&text)),
            "digit" => shown(units::whole_number::<u8>(1..=8)(&text)),
            "length" => shown(units::length(&text)),
            "threads" => shown(units::threads(&text)),
            other => panic!("{other}"),
        };
        assert!(value.starts_with(&expected), "{kind} {text}: {value}");
    }
}

/// Building tables reports progress.
#[test]
fn near_positions_need_no_tables() {
    for [json, text, length] in known_texts("near-goals") {
        let request: Request = serde_json::from_str(&json).unwrap();
        let goal = request.parse_goal().unwrap().unwrap();
        let input = request.parse_position(&text).unwrap();
        let on_event = |event: SearchEvent| {
            let is_building = matches!(event, SearchEvent::Building { .. });
            assert!(!is_building, "{json} {text}");
        };
        let position = ParsedPosition::unnamed(&text, &input);
        let goals = GoalSolverCache::default();
        let solved = goals.solve(&request, &goal, &position, &on_event, &Control::default());
        let result = solved.unwrap();
        assert!(
            result.complete && result.length == length.parse().ok(),
            "{json}"
        );
    }
}
