//! Pipelines: the steps of a skeleton, written as one line: `eo[max=5] > dr > htr > finish`.
//!
//! ```text
//! pipeline = stage { ">" stage }
//! stage    = step | "(" pipeline { "|" pipeline } ")"       alternatives
//! step     = name [ ":" axis ] [ "[" option { "," option } "]" ]
//! name     = "eo" | "dr" | "htr" | "finish"
//! axis     = "UD" | "RL" | "FB"                             of eo and dr; default: all are tried
//! option   = "max=" number | "n=" number | "niss=" ( "none" | "linear" | "mixed" )
//!          | "triggers=" trigger { "," trigger }         of dr; R, RU2R, …
//! ```
//!
//! Steps are in this order, and any of them may be omitted. Each preserves the reductions of the
//! steps before it.

use super::trigger::Trigger;
use cosette::cube::{Axis, quoted};
use std::fmt;
use std::str::FromStr;

/// The default steps.
pub const DEFAULT_STEPS: &str = "eo[max=5] > dr > htr > finish";

/// Maximum number of steps of a pipeline, including those of all alternatives.
const MAX_STEPS: usize = 50;

/// The kinds of steps, in the order of their reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// Edge orientation on an axis: quarter turns of its two faces are no longer needed.
    Eo,
    /// Domino reduction on an axis: half turns of the four other faces are enough.
    Dr,
    /// Half-turn reduction: half turns are enough.
    Htr,
    /// The solved cube.
    Finish,
}

impl StepKind {
    /// All kinds of steps.
    pub const ALL: [StepKind; 4] = [StepKind::Eo, StepKind::Dr, StepKind::Htr, StepKind::Finish];

    /// Returns the name of the step.
    pub const fn name(self) -> &'static str {
        ["eo", "dr", "htr", "finish"][self as usize]
    }

    /// Returns `true` for steps along an axis.
    pub const fn has_axis(self) -> bool {
        matches!(self, StepKind::Eo | StepKind::Dr)
    }
}

/// The NISS mode of a step: the sides of its moves, the scramble or its inverse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NissMode {
    /// On the side of the previous step.
    None,
    /// All on one side, either of the two.
    #[default]
    Linear,
    /// On both sides, in any distribution.
    Mixed,
}

impl NissMode {
    const ALL: [NissMode; 3] = [NissMode::None, NissMode::Linear, NissMode::Mixed];

    /// Returns the name of the mode.
    pub const fn name(self) -> &'static str {
        ["none", "linear", "mixed"][self as usize]
    }
}

/// A step, with the options that restrict its solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of step.
    pub kind: StepKind,
    /// The only axis to try; `None` for all axes.
    pub axis: Option<Axis>,
    /// Maximum number of moves.
    pub max: Option<u32>,
    /// Maximum number of solutions from each position, shortest first. Default: 1 for `finish`, no
    /// limit for other steps.
    pub n: Option<usize>,
    /// The NISS mode.
    pub niss: Option<NissMode>,
    /// The triggers, one of which ends the step. If empty, any end is allowed.
    pub triggers: Vec<Trigger>,
}

impl Step {
    /// Returns the step with its axis, without its options.
    pub fn bare(&self) -> Step {
        Step {
            kind: self.kind,
            axis: self.axis,
            max: None,
            n: None,
            niss: None,
            triggers: Vec::new(),
        }
    }

    /// Returns the maximum number of solutions from each position.
    pub fn count(&self) -> usize {
        self.n.unwrap_or(if self.kind == StepKind::Finish {
            1
        } else {
            usize::MAX
        })
    }

    /// Returns the axes to try.
    pub fn axes(&self) -> impl Iterator<Item = Axis> {
        AXES.into_iter()
            .filter(|&axis| self.axis.is_none_or(|only| only == axis))
    }
}

/// The axes, in the order in which messages name them.
pub const AXES: [Axis; 3] = [Axis::Fb, Axis::Rl, Axis::Ud];

/// Returns the name of an axis: its two faces.
pub const fn axis_name(axis: Axis) -> &'static str {
    ["UD", "RL", "FB"][axis as usize]
}

/// A sequence of steps, some of them alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pipeline {
    parts: Vec<StageKind>,
    /// All steps.
    pub stages: Vec<Stage>,
    /// Indices of the steps that may come first.
    pub first: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum StageKind {
    Step(Step),
    AnyOf(Vec<Vec<StageKind>>),
}

/// A step with its successors in the pipeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The step.
    pub step: Step,
    /// Indices of the steps that may follow it.
    pub next: Vec<usize>,
    /// `true` if the step may be the last one.
    pub is_last: bool,
}

/// Error of a text that is not a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// A missing step.
    #[error("a step is missing {0}; write one, as in {DEFAULT_STEPS}")]
    Missing(String),
    /// An unknown step.
    #[error("`{0}` is not a step; use eo, dr, htr and finish, as in {DEFAULT_STEPS}")]
    Unknown(String),
    /// An unknown axis.
    #[error("`{0}` is not an axis; use {name}:FB, {name}:RL or {name}:UD, or {name} for all three", name = .1.name())]
    Axis(String, StepKind),
    /// An axis given for a step without one.
    #[error("`:{0}` is an axis, but {name} does not depend on one; write {name}", name = .1.name())]
    NoAxis(String, StepKind),
    /// An unknown option in square brackets.
    #[error(
        "`{0}` is not an option of a step; use max=, n=, niss= and triggers=, as in eo[max=5, n=20, niss=linear]"
    )]
    Option(String),
    /// An option without a valid number.
    #[error("`{0}={1}` needs a whole number of at least {least}; write, for example, {0}=5", least = u8::from(.0 == "n"))]
    Number(String, String),
    /// An unknown NISS mode.
    #[error("`{0}` is not a NISS mode; use niss=none, niss=linear or niss=mixed")]
    Niss(String),
    /// A sequence that is not a trigger.
    #[error(
        "`{0}` is not a trigger; write the end of a dr:UD after eo:FB, from the first quarter turn of R or L to the last, as in triggers=R,RU2R,RU'R"
    )]
    Trigger(String),
    /// Triggers of a step other than `dr`.
    #[error("triggers apply only to a dr after eo; write, for example, eo > dr[triggers=R,RU2R]")]
    NotOfDr,
    /// An option that is given twice.
    #[error("`{0}=` is given twice for one step; remove one of them")]
    Twice(String),
    /// A parenthesis or square bracket that is not closed.
    #[error("`{0}` is not closed; end it with `{1}`")]
    Unclosed(String, char),
    /// Text other than a separator after a step.
    #[error(
        "`{0}` cannot follow a step; write > before the next step, and alternatives as (dr | eo > dr)"
    )]
    Follows(String),
    /// A step that the reduction of an earlier one includes.
    #[error(
        "{later} cannot follow {first}, which includes it; use the order eo > dr > htr > finish, of which any may be omitted",
        first = .0.name(), later = .1.name()
    )]
    Order(StepKind, StepKind),
    /// A domino reduction on the axis of the oriented edges.
    #[error("{1} does not preserve {0}; use one of the other two axes, or dr")]
    Axes(String, String),
    /// Too many steps.
    #[error(
        "there are more than {MAX_STEPS} steps, including those of all alternatives; remove some"
    )]
    TooMany,
}

impl FromStr for Pipeline {
    type Err = PipelineError;

    fn from_str(text: &str) -> Result<Pipeline, PipelineError> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        let parts = reader.pipeline()?;
        if let Some(rest) = reader.next() {
            return Err(PipelineError::Follows(quoted(&format!(
                "{rest}{}",
                &reader.rest[rest.len_utf8()..]
            ))));
        }
        let mut stages = Vec::new();
        let (first, last) = place(&parts, &mut stages)?;
        last.iter().for_each(|&stage| stages[stage].is_last = true);
        Ok(Pipeline {
            parts,
            stages,
            first,
        })
    }
}

/// Adds the steps of consecutive parts to `stages`, and links them. Returns the indices of the
/// first and the last ones.
///
/// # Errors
///
/// Returns [`PipelineError`] if a step cannot follow another one, or if there are too many steps.
fn place(
    parts: &[StageKind],
    stages: &mut Vec<Stage>,
) -> Result<(Vec<usize>, Vec<usize>), PipelineError> {
    let mut first: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let (starts, ends) = match part {
            StageKind::Step(step) => {
                if stages.len() == MAX_STEPS {
                    return Err(PipelineError::TooMany);
                }
                stages.push(Stage {
                    step: step.clone(),
                    next: Vec::new(),
                    is_last: false,
                });
                (vec![stages.len() - 1], vec![stages.len() - 1])
            }
            StageKind::AnyOf(alternatives) => {
                let mut starts = Vec::new();
                let mut ends = Vec::new();
                for alternative in alternatives {
                    let (mut first, mut last) = place(alternative, stages)?;
                    starts.append(&mut first);
                    ends.append(&mut last);
                }
                (starts, ends)
            }
        };
        for &before in &last {
            for &start in &starts {
                may_follow(&stages[before].step, &stages[start].step)?;
            }
            stages[before].next.extend(&starts);
        }
        if number == 0 {
            first = starts;
        }
        last = ends;
    }
    Ok((first, last))
}

fn may_follow(before: &Step, next: &Step) -> Result<(), PipelineError> {
    if next.kind <= before.kind {
        return Err(PipelineError::Order(before.kind, next.kind));
    }
    let is_along =
        before.kind == StepKind::Eo && next.kind == StepKind::Dr && before.axis.is_some();
    if is_along && before.axis == next.axis {
        return Err(PipelineError::Axes(
            before.bare().to_string(),
            next.bare().to_string(),
        ));
    }
    Ok(())
}

/// A parser that consumes a text from its start.
struct Reader<'a> {
    rest: &'a str,
    /// Number of open parentheses.
    depth: usize,
}

impl<'a> Reader<'a> {
    /// Returns the next character that is not whitespace.
    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn takes(&mut self, symbol: char) -> bool {
        let is_there = self.next() == Some(symbol);
        self.rest = &self.rest[if is_there { symbol.len_utf8() } else { 0 }..];
        is_there
    }

    /// Consumes the text up to one of these symbols.
    fn take_until(&mut self, symbols: &[char]) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at(self.rest.find(symbols).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken.trim()
    }

    fn pipeline(&mut self) -> Result<Vec<StageKind>, PipelineError> {
        let mut parts = vec![self.part()?];
        while self.takes('>') {
            parts.push(self.part()?);
        }
        Ok(parts)
    }

    fn part(&mut self) -> Result<StageKind, PipelineError> {
        let opened = quoted(self.rest.trim_start());
        if !self.takes('(') {
            return self.step().map(StageKind::Step);
        }
        self.depth += 1;
        if self.depth > MAX_STEPS {
            return Err(PipelineError::TooMany);
        }
        let mut alternatives = vec![self.pipeline()?];
        while self.takes('|') {
            alternatives.push(self.pipeline()?);
        }
        self.depth -= 1;
        match self.takes(')') {
            true => Ok(StageKind::AnyOf(alternatives)),
            false if self.next().is_none() => Err(PipelineError::Unclosed(opened, ')')),
            false => Err(PipelineError::Follows(quoted(self.rest))),
        }
    }

    fn step(&mut self) -> Result<Step, PipelineError> {
        let before = self.next();
        let name = self.take_until(&[':', '[', ']', '>', '(', ')', '|']);
        let kind = StepKind::ALL
            .into_iter()
            .find(|kind| kind.name().eq_ignore_ascii_case(name));
        let kind = kind.ok_or_else(|| match (name, before) {
            ("", None) => PipelineError::Missing("at the end".to_owned()),
            ("", Some(_)) => PipelineError::Missing(format!("before `{}`", quoted(self.rest))),
            _ => PipelineError::Unknown(quoted(name)),
        })?;
        let mut step = Step {
            kind,
            axis: None,
            max: None,
            n: None,
            niss: None,
            triggers: Vec::new(),
        };
        if self.takes(':') {
            let text = self.take_until(&['[', ']', '>', '(', ')', '|']);
            let reversed: String = text.chars().rev().collect();
            let is_it = |axis: &Axis| {
                [text, &reversed]
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(axis_name(*axis)))
            };
            step.axis = match AXES.into_iter().find(is_it) {
                _ if !kind.has_axis() => return Err(PipelineError::NoAxis(quoted(text), kind)),
                None => return Err(PipelineError::Axis(quoted(text), kind)),
                axis => axis,
            };
        }
        let opened = quoted(self.rest);
        if self.takes('[') {
            let options = self.take_until(&[']']);
            if !self.takes(']') {
                return Err(PipelineError::Unclosed(opened, ']'));
            }
            for option in options
                .split([',', ';'])
                .filter(|_| !options.is_empty())
                .map(str::trim)
            {
                // An option without a name after triggers is another trigger.
                match !step.triggers.is_empty() && !option.contains('=') {
                    true => step.triggers.push(trigger(option)?),
                    false => step.set(option)?,
                }
            }
        }
        Ok(step)
    }
}

impl Step {
    /// Sets an option.
    fn set(&mut self, text: &str) -> Result<(), PipelineError> {
        let unknown = || PipelineError::Option(quoted(text));
        let (name, value) = text.split_once('=').ok_or_else(unknown)?;
        let name = name.trim_end();
        let value = value.trim_start();
        let number = |least: u32| {
            let number = value.parse().ok().filter(|&number: &u32| number >= least);
            number.ok_or_else(|| PipelineError::Number(name.to_owned(), quoted(value)))
        };
        let was_set = match name {
            "max" => self.max.replace(number(0)?).is_some(),
            "n" => self.n.replace(number(1)? as usize).is_some(),
            "niss" => {
                let niss = NissMode::ALL.into_iter().find(|niss| niss.name() == value);
                self.niss
                    .replace(niss.ok_or_else(|| PipelineError::Niss(quoted(value)))?)
                    .is_some()
            }
            "triggers" if self.kind != StepKind::Dr => return Err(PipelineError::NotOfDr),
            "triggers" => !std::mem::replace(&mut self.triggers, vec![trigger(value)?]).is_empty(),
            _ => return Err(unknown()),
        };
        if was_set {
            Err(PipelineError::Twice(name.to_owned()))
        } else {
            Ok(())
        }
    }
}

fn trigger(text: &str) -> Result<Trigger, PipelineError> {
    text.parse()
        .map_err(|_| PipelineError::Trigger(quoted(text)))
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        if let Some(axis) = self.axis {
            write!(f, ":{}", axis_name(axis))?;
        }
        let max = self.max.map(|max| format!("max={max}"));
        let n = self.n.map(|n| format!("n={n}"));
        let niss = self.niss.map(|niss| format!("niss={}", niss.name()));
        let triggers: Vec<String> = self.triggers.iter().map(Trigger::to_string).collect();
        let triggers = (!triggers.is_empty()).then(|| format!("triggers={}", triggers.join(",")));
        let options: Vec<String> = [max, n, niss, triggers].into_iter().flatten().collect();
        if options.is_empty() {
            Ok(())
        } else {
            write!(f, "[{}]", options.join(", "))
        }
    }
}

/// Writes the steps in the syntax that the parser reads.
impl fmt::Display for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(&self.parts))
    }
}

fn written(parts: &[StageKind]) -> String {
    let part = |part: &StageKind| match part {
        StageKind::Step(step) => step.to_string(),
        StageKind::AnyOf(alternatives) => {
            format!(
                "({})",
                alternatives
                    .iter()
                    .map(|parts| written(parts))
                    .collect::<Vec<_>>()
                    .join(" | ")
            )
        }
    };
    parts.iter().map(part).collect::<Vec<_>>().join(" > ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            DEFAULT_STEPS,
            "eo:FB[max=4, n=20, niss=mixed] > dr:UD[niss=none] > htr > finish[n=3]",
            "(eo[max=4] > dr | dr[max=8]) > (htr > finish | finish)",
            "eo",
            "eo > dr:RL[max=8, triggers=R,RU2R,RU'R] > htr",
        ] {
            let pipeline: Pipeline = text.parse().unwrap();
            assert_eq!(pipeline.to_string(), text);
            assert_eq!(pipeline.to_string().parse(), Ok(pipeline));
        }
        let same =
            |one: &str, other: &str| assert_eq!(one.parse::<Pipeline>(), other.parse(), "{one}");
        same(" EO:bf[ max = 5;n=2 ]>DR", "eo:FB[max=5, n=2] > dr");
        same("eo[] > htr", "eo > htr");
        same(
            "eo > dr[triggers=R, R U2 R; n=3]",
            "eo > dr[n=3, triggers=R,RU2R]",
        );
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
        assert_eq!(
            pipeline
                .stages
                .iter()
                .map(|stage| stage.is_last)
                .collect::<Vec<_>>(),
            [false, false, false, false, true, true]
        );
    }

    #[test]
    fn errors_say_what_is_wrong_and_how_to_fix_it() {
        for (text, error) in [
            (
                "",
                "a step is missing at the end; write one, as in eo[max=5] > dr > htr > finish",
            ),
            ("eo > ", "a step is missing at the end; write"),
            ("eo > > dr", "a step is missing before `> dr`; write"),
            ("eo > (dr |)", "a step is missing before `)`; write"),
            (
                "cross > f2l",
                "`cross` is not a step; use eo, dr, htr and finish",
            ),
            ("eo dr", "`eo dr` is not a step; use"),
            (
                "eo:UF > dr",
                "`UF` is not an axis; use eo:FB, eo:RL or eo:UD, or eo for all three",
            ),
            (
                "htr:UD",
                "`:UD` is an axis, but htr does not depend on one; write htr",
            ),
            (
                "eo[5]",
                "`5` is not an option of a step; use max=, n=, niss= and triggers=",
            ),
            ("eo[min=5]", "`min=5` is not an option of a step"),
            (
                "eo[max=some]",
                "`max=some` needs a whole number of at least 0; write, for example, max=5",
            ),
            (
                "eo[n=0]",
                "`n=0` needs a whole number of at least 1; write, for example, n=5",
            ),
            (
                "eo[niss=yes]",
                "`yes` is not a NISS mode; use niss=none, niss=linear or niss=mixed",
            ),
            (
                "eo > dr[triggers=RUF]",
                "`RUF` is not a trigger; write the end of a dr:UD after eo:FB",
            ),
            (
                "eo > htr[triggers=R]",
                "triggers apply only to a dr after eo; write",
            ),
            (
                "eo[max=5, max=4]",
                "`max=` is given twice for one step; remove one of them",
            ),
            (
                "eo[max=5 > dr",
                "`[max=5 > dr` is not closed; end it with `]`",
            ),
            (
                "eo > (dr | htr",
                "`(dr | htr` is not closed; end it with `)`",
            ),
            (
                "eo > dr) > htr",
                "`) > htr` cannot follow a step; write > before the next step",
            ),
            (
                "eo | dr",
                "`| dr` cannot follow a step; write > before the next step, and alternatives as (dr | eo > dr)",
            ),
            ("(eo) (dr)", "`(dr)` cannot follow a step"),
            (
                "htr > dr",
                "dr cannot follow htr, which includes it; use the order eo > dr > htr > finish",
            ),
            ("eo > eo", "eo cannot follow eo"),
            (
                "eo:FB > dr:FB",
                "dr:FB does not preserve eo:FB; use one of the other two axes, or dr",
            ),
        ] {
            let told = text.parse::<Pipeline>().unwrap_err().to_string();
            assert!(told.starts_with(error), "{text}: {told}");
        }
        assert_eq!(
            format!("({})", vec!["dr"; 60].join(" | ")).parse::<Pipeline>(),
            Err(PipelineError::TooMany)
        );
        assert_eq!(
            "(".repeat(1000).parse::<Pipeline>(),
            Err(PipelineError::TooMany)
        );
    }
}
