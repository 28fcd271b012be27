//! Pipelines: the steps of a skeleton, written as one line: `eo[max=5] > dr > htr > finish`.
//!
//! ```text
//! pipeline = part { ">" part }
//! part     = step | "(" pipeline { "|" pipeline } ")"       alternatives
//! step     = name [ ":" axis ] [ "[" option { "," option } "]" ]
//! name     = "eo" | "dr" | "htr" | "finish"
//! axis     = "UD" | "RL" | "FB"                             for eo and dr; default: all axes
//! option   = "max=" number | "n=" number | "niss=" ( "none" | "linear" | "mixed" )
//!          | "triggers=" trigger { "," trigger }         for dr; such as R or RU2R
//! ```
//!
//! The steps are in the order of `name`, and any of them may be omitted. Each step preserves the
//! reductions of the steps before it.

use crate::reduction::{AXES, StepKind, axis_name};
use crate::step::{NissMode, PipelineStep, Trigger};
use cosette::cube::{Axis, quoted};
use std::fmt;
use std::str::FromStr;

/// The default steps.
pub const DEFAULT_STEPS: &str = "eo[max=5] > dr > htr > finish";

/// Maximum number of steps of a pipeline, including those of all alternatives.
const MAX_STEPS: usize = 50;

/// A sequence of steps, some of them alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// The text in normal form.
    text: String,
    /// All steps, including those of all alternatives. Each precedes the steps that may follow it.
    pub stages: Vec<PipelineStage>,
    /// Indices of the steps that may come first.
    pub first: Vec<usize>,
}

/// Writes the steps in the syntax that the parser reads.
impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A step with its successors in the pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineStage {
    pub step: PipelineStep,
    /// Indices of the steps that may follow it.
    pub next: Vec<usize>,
    /// `true` if the step may be the last one.
    pub is_last: bool,
}

/// Error of a text that is not a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    #[error("a step is missing {0}; write one, as in {DEFAULT_STEPS}")]
    MissingStep(String),
    #[error("`{0}` is not a step; use eo, dr, htr and finish, as in {DEFAULT_STEPS}")]
    UnknownStep(String),
    #[error("`{0}` is not an axis; use {1}:FB, {1}:RL or {1}:UD, or {1} for all three")]
    UnknownAxis(String, StepKind),
    #[error("`:{0}` is an axis, but {1} does not depend on one; write {1}")]
    UnexpectedAxis(String, StepKind),
    #[error(
        "`{0}` is not an option of a step; use max=, n=, niss= and triggers=, as in eo[max=5, \
            n=20, niss=linear]"
    )]
    UnknownOption(String),
    /// The option and its value. `n` is at least 1, `max` at least 0.
    #[error(
        "`{0}={1}` needs a whole number of at least {least}; write, for example, {0}=5",
        least = u8::from(.0 == "n")
    )]
    InvalidNumber(String, String),
    #[error("`{0}` is not a NISS mode; use niss=none, niss=linear or niss=mixed")]
    UnknownNissMode(String),
    #[error(
        "`{0}` is not a trigger; write the end of a dr:UD after eo:FB, from the first quarter \
            turn of R or L to the last, as in triggers=R,RU2R,RU'R"
    )]
    InvalidTrigger(String),
    #[error("triggers apply only to a dr after eo; write, for example, eo > dr[triggers=R,RU2R]")]
    TriggersWithoutDr,
    #[error("`{0}=` is given twice for one step; remove one of them")]
    RepeatedOption(String),
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    #[error(
        "`{0}` cannot follow a step; write > before the next step, and alternatives as (dr | eo > \
            dr)"
    )]
    Trailing(String),
    #[error(
        "{1} cannot follow {0}, which includes it; use the order eo > dr > htr > finish, of which \
            any may be omitted"
    )]
    WrongOrder(StepKind, StepKind),
    #[error("{1} does not preserve {0}; use one of the other two axes, or dr")]
    SameAxis(String, String),
    #[error(
        "there are more than {MAX_STEPS} steps, including those of all alternatives; remove some"
    )]
    TooManySteps,
}

impl FromStr for Pipeline {
    type Err = PipelineError;

    fn from_str(text: &str) -> Result<Pipeline, PipelineError> {
        let mut parser = PipelineParser {
            rest: text,
            depth: 0,
            text: String::new(),
            stages: Vec::new(),
        };
        let PipelineEnds { first, last } = parser.pipeline()?;
        if parser.peek().is_some() {
            return Err(PipelineError::Trailing(quoted(parser.rest)));
        }
        for stage in last {
            parser.stages[stage].is_last = true;
        }
        Ok(Pipeline {
            text: parser.text,
            stages: parser.stages,
            first,
        })
    }
}

/// Indices of the steps with which a part of a pipeline begins and ends.
struct PipelineEnds {
    first: Vec<usize>,
    last: Vec<usize>,
}

/// Checks that a step may follow another one.
fn check_order(before: &PipelineStep, next: &PipelineStep) -> Result<(), PipelineError> {
    if next.kind <= before.kind {
        return Err(PipelineError::WrongOrder(before.kind, next.kind));
    }
    let is_dr_after_eo = before.kind == StepKind::Eo && next.kind == StepKind::Dr;
    if is_dr_after_eo && before.axis.is_some() && before.axis == next.axis {
        return Err(PipelineError::SameAxis(
            PipelineStep::new(before.kind, before.axis).to_string(),
            PipelineStep::new(next.kind, next.axis).to_string(),
        ));
    }
    Ok(())
}

/// A parser that consumes a text from its start.
struct PipelineParser<'a> {
    rest: &'a str,
    /// Number of open parentheses.
    depth: usize,
    /// The consumed text in normal form.
    text: String,
    /// The steps of the consumed text, linked to their successors.
    stages: Vec<PipelineStage>,
}

impl<'a> PipelineParser<'a> {
    /// Returns the next character that is not whitespace, and consumes the whitespace before it.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Consumes a symbol if it comes next. Returns `true` if it did.
    fn take(&mut self, symbol: char) -> bool {
        self.peek();
        let rest = self.rest.strip_prefix(symbol);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Consumes the text up to one of these symbols.
    fn take_until(&mut self, symbols: &[char]) -> &'a str {
        let end = self.rest.find(symbols).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken.trim()
    }

    fn pipeline(&mut self) -> Result<PipelineEnds, PipelineError> {
        let mut ends = self.part()?;
        while self.take('>') {
            self.text += " > ";
            let next = self.part()?;
            for &before in &ends.last {
                for &next in &next.first {
                    check_order(&self.stages[before].step, &self.stages[next].step)?;
                    self.stages[before].next.push(next);
                }
            }
            ends.last = next.last;
        }
        Ok(ends)
    }

    fn part(&mut self) -> Result<PipelineEnds, PipelineError> {
        let opening = quoted(self.rest.trim_start());
        if !self.take('(') {
            return self.stage();
        }
        self.depth += 1;
        if self.depth > MAX_STEPS {
            return Err(PipelineError::TooManySteps);
        }
        self.text.push('(');
        let mut ends = self.pipeline()?;
        while self.take('|') {
            self.text += " | ";
            let alternative = self.pipeline()?;
            ends.first.extend(alternative.first);
            ends.last.extend(alternative.last);
        }
        self.depth -= 1;
        self.text.push(')');
        match self.take(')') {
            true => Ok(ends),
            false if self.rest.is_empty() => Err(PipelineError::Unclosed(opening, ')')),
            false => Err(PipelineError::Trailing(quoted(self.rest))),
        }
    }

    fn stage(&mut self) -> Result<PipelineEnds, PipelineError> {
        let step = self.step()?;
        let index = self.stages.len();
        if index == MAX_STEPS {
            return Err(PipelineError::TooManySteps);
        }
        self.text += &step.to_string();
        self.stages.push(PipelineStage {
            step,
            next: Vec::new(),
            is_last: false,
        });
        Ok(PipelineEnds {
            first: vec![index],
            last: vec![index],
        })
    }

    fn step(&mut self) -> Result<PipelineStep, PipelineError> {
        let kind = self.step_kind()?;
        let mut step = PipelineStep::new(kind, None);
        if self.take(':') {
            let text = self.take_until(&['[', ']', '>', '(', ')', '|']);
            if !kind.has_axis() {
                return Err(PipelineError::UnexpectedAxis(quoted(text), kind));
            }
            let reversed: String = text.chars().rev().collect();
            let is_named = |axis: &Axis| {
                let name = axis_name(*axis);
                name.eq_ignore_ascii_case(text) || name.eq_ignore_ascii_case(&reversed)
            };
            let axis = AXES.into_iter().find(is_named);
            let unknown = || PipelineError::UnknownAxis(quoted(text), kind);
            step.axis = Some(axis.ok_or_else(unknown)?);
        }
        let opening = quoted(self.rest);
        if self.take('[') {
            let options = self.take_until(&[']']);
            if !self.take(']') {
                return Err(PipelineError::Unclosed(opening, ']'));
            }
            if !options.is_empty() {
                set_options(&mut step, options)?;
            }
        }
        Ok(step)
    }

    fn step_kind(&mut self) -> Result<StepKind, PipelineError> {
        let is_at_end = self.peek().is_none();
        let name = self.take_until(&[':', '[', ']', '>', '(', ')', '|']);
        let kind = StepKind::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name));
        kind.ok_or_else(|| match name {
            "" if is_at_end => PipelineError::MissingStep("at the end".to_owned()),
            "" => PipelineError::MissingStep(format!("before `{}`", quoted(self.rest))),
            _ => PipelineError::UnknownStep(quoted(name)),
        })
    }
}

fn set_options(step: &mut PipelineStep, options: &str) -> Result<(), PipelineError> {
    for option in options.split([',', ';']).map(str::trim) {
        // An option without a name after triggers is another trigger.
        if !step.triggers.is_empty() && !option.contains('=') {
            step.triggers.push(parse_trigger(option)?);
        } else {
            set_option(step, option)?;
        }
    }
    Ok(())
}

fn set_option(step: &mut PipelineStep, text: &str) -> Result<(), PipelineError> {
    let unknown = || PipelineError::UnknownOption(quoted(text));
    let (name, value) = text.split_once('=').ok_or_else(unknown)?;
    let name = name.trim_end();
    let value = value.trim_start();
    let number = |min: u32| {
        let number = value.parse().ok().filter(|&number: &u32| number >= min);
        number.ok_or_else(|| PipelineError::InvalidNumber(name.to_owned(), quoted(value)))
    };
    let is_repeated = match name {
        "max" => step.max.replace(number(0)?).is_some(),
        "n" => step.n.replace(number(1)? as usize).is_some(),
        "niss" => {
            let mode = NissMode::ALL.into_iter().find(|mode| mode.name() == value);
            let unknown = || PipelineError::UnknownNissMode(quoted(value));
            step.niss.replace(mode.ok_or_else(unknown)?).is_some()
        }
        "triggers" if step.kind != StepKind::Dr => return Err(PipelineError::TriggersWithoutDr),
        "triggers" => {
            let earlier = std::mem::replace(&mut step.triggers, vec![parse_trigger(value)?]);
            !earlier.is_empty()
        }
        _ => return Err(unknown()),
    };
    if is_repeated {
        Err(PipelineError::RepeatedOption(name.to_owned()))
    } else {
        Ok(())
    }
}

fn parse_trigger(text: &str) -> Result<Trigger, PipelineError> {
    Trigger::parse(text).ok_or_else(|| PipelineError::InvalidTrigger(quoted(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{cases, names};

    #[test]
    fn pipelines_are_read_and_written() {
        for [text, normal] in cases("pipelines") {
            let pipeline: Pipeline = text.parse().unwrap();
            assert_eq!(pipeline.to_string(), normal);
            assert_eq!(normal.parse(), Ok(pipeline));
        }
        for [text, error] in cases("faults of pipelines") {
            let message = text.parse::<Pipeline>().unwrap_err().to_string();
            assert!(message.starts_with(error), "{text}: {message}");
        }
    }

    #[test]
    fn alternatives_are_linked() {
        let pipeline: Pipeline = "(eo > dr | dr) > (htr > finish | finish)".parse().unwrap();
        let next: Vec<&[usize]> = pipeline
            .stages
            .iter()
            .map(|stage| &stage.next[..])
            .collect();
        assert_eq!(next, [&[1][..], &[3, 5], &[3, 5], &[4], &[], &[]]);
        assert_eq!(pipeline.first, [0, 2]);
        let last = pipeline.stages.iter().map(|stage| stage.is_last);
        assert!(last.eq([false, false, false, false, true, true]));
    }

    #[test]
    fn first_steps_list_the_reductions_that_they_may_preserve() {
        for [step, moves, expected] in cases("first steps") {
            let pipeline: Pipeline = step.parse().unwrap();
            let step = &pipeline.stages[0].step;
            let preserved = step.prerequisites(&moves.parse().unwrap());
            assert_eq!(names(&preserved), expected, "{step}: {moves}");
        }
    }
}
