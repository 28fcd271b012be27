//! The questions of `questions.json`, which every front end is asked, with what each must answer.
//! The commands include this file: it asks them by their arguments.

use serde_json::Value;

/// A question, and what must come of it.
#[derive(serde::Deserialize)]
pub struct Question {
    /// The subject of the question.
    pub about: String,
    /// The position, as `position`, and what is asked of it, in the words of the JSON.
    pub request: serde_json::Map<String, Value>,
    /// Fields of the answer; solutions in any order.
    pub answer: Option<serde_json::Map<String, Value>>,
    /// The refused part: the position, or the request.
    pub refused: Option<String>,
    /// A part of what is said then.
    pub says: Option<String>,
}

impl Question {
    /// All of them.
    pub fn all() -> Vec<Question> {
        serde_json::from_str(include_str!("questions.json"))
            .expect("the questions are as described")
    }

    /// The question as arguments of a command.
    #[allow(dead_code, reason = "the other front ends have no arguments")]
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--json".to_owned()];
        for (name, value) in self.request.iter().filter(|(name, _)| *name != "position") {
            match (&name[..], value) {
                ("count", Value::String(_)) => arguments.push("--all".into()),
                (name, Value::Bool(_)) => arguments.push(format!("--{name}")),
                (name, value) => {
                    let name = if name == "format" {
                        "input-format".to_owned()
                    } else {
                        name.replace('_', "-")
                    };
                    arguments.push(format!(
                        "--{name}={}",
                        value.as_str().map_or(value.to_string(), str::to_owned)
                    ));
                }
            }
        }
        arguments.push(
            self.request["position"]
                .as_str()
                .expect("it is a text")
                .to_owned(),
        );
        arguments
    }

    /// Returns `true` if the question has a goal, which only some front ends know.
    #[allow(dead_code, reason = "most front ends know them")]
    pub fn has_goal(&self) -> bool {
        let engine = self.answer.as_ref().and_then(|answer| answer.get("engine"));
        let of_goals = ["goal", "moves", "costs", "slack"];
        engine.is_none_or(|engine| engine != "cosette")
            && of_goals.iter().any(|name| self.request.contains_key(*name))
    }

    /// Makes sure that an answer is the expected one.
    pub fn check(&self, answer: &Value) {
        let expected = self
            .answer
            .as_ref()
            .unwrap_or_else(|| panic!("{}: answered with {answer}", self.about));
        for (name, value) in expected {
            assert_eq!(
                sorted(&answer[name]),
                sorted(value),
                "{}: {name} of {answer}",
                self.about
            );
        }
    }

    /// Makes sure that it had to be refused, in words with what must be said.
    pub fn check_refusal(&self, of: &str, words: &str) {
        assert_eq!(self.refused.as_deref(), Some(of), "{}: {words}", self.about);
        assert!(
            words.contains(self.says.as_deref().unwrap_or_default()),
            "{}: {words}",
            self.about
        );
    }
}

/// A list in order, as solutions come in any.
fn sorted(value: &Value) -> Value {
    let mut value = value.clone();
    if let Value::Array(list) = &mut value {
        list.sort_by_key(Value::to_string);
    }
    value
}
