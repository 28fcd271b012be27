//! What a user asks: how a position is read, what is to be found, and within which limits.
//!
//! Every front end makes a [`Request`]: the commands from their arguments, the server and the JavaScript package from JSON, Python
//! from keyword arguments; an MPI job sends it to its ranks. The names of its fields are those of the JSON. What a request means for
//! a search is said here:
//!
//! - `prefer` and `explain` need all shortest solutions, so they ask for them;
//! - what is asked of a part of the cube, or with other turns or costs than those of faces, is a [goal](Request::goal) (`goals`);
//!   another position is reached as the whole cube is solved: moves that lead from p to t solve t⁻¹·p;
//! - a search that may end early starts with a two-phase solution, so that it has something to show;
//! - the time limit is a cancellation, counted from the start of the search.

pub(crate) mod values;

#[cfg(feature = "openapi")]
pub use values::names;

use crate::remedies::{Audience, halves};
use cosette::Cancel;
use cosette::cube::{
    Cube, FaceOrder, Format, Input, LayerTurn, Metric, ReadError, ReadOptions, parse_turns, quoted, read_position,
};
use cosette::goal::{Goal, GoalError, TurnMetric, Turns, TurnsError};
use cosette::search::{Options, SolutionCount, TwoPhaseUse};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is asked of a position. By default one shortest solution in the half-turn metric, without a limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// What counts as one move: any turn of a face (`htm`), or a quarter turn (`qtm`); for goals also any turn of layers (`stm`), a
    /// quarter of it (`qstm`), or any turn, those of the whole cube too (`etm`).
    #[cfg_attr(feature = "openapi", schema(value_type = names::TurnMetric), param(value_type = names::TurnMetric, inline, required = false))]
    pub metric: TurnMetric,
    /// The goal, such as `cross:D`, `UF UR DFR`, or another position; the solved cube if it is left out.
    pub to: Option<String>,
    /// The turns that are allowed, such as `R U F2 r M`; a name without an amount stands for three.
    pub moves: Option<String>,
    /// What turns cost, where not as the metric counts them, such as `R2=2 B=3`.
    pub cost: Option<String>,
    /// Solutions may cost so much more than the shortest ones.
    #[serde(deserialize_with = "values::slack::deserialize")]
    #[cfg_attr(feature = "openapi", param(required = false))]
    pub slack: u32,
    /// What solutions begin with, as `R U`.
    pub starts: Option<String>,
    /// What they end with.
    pub ends: Option<String>,
    /// Sequences that are in none of them, separated by commas, as `F2, R L`.
    pub avoid: Option<String>,
    /// Of solutions that are the same up to `symmetry`, up to `inverse` or up to both (`symmetry,inverse`), one is kept.
    pub up_to: Option<String>,
    /// The format of the position; recognised if it is left out.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<names::Format>), param(value_type = Option<names::Format>, inline))]
    pub format: Option<Format>,
    /// The order in which the faces of 54 facelets are given, such as `ULFRBD`; `URFDLB` if it is left out. A face that is given
    /// turned has a mark: `+`, `2` or `'`. A net, and faces with names, need no order.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>), param(value_type = Option<String>, inline))]
    pub face_order: Option<FaceOrder>,
    /// Whether moves in parentheses apply to the inverse (NISS notation).
    #[cfg_attr(feature = "openapi", param(required = false))]
    pub niss: bool,
    /// How many of the shortest solutions to find: a number, or `all`.
    #[serde(with = "values::count")]
    #[cfg_attr(feature = "openapi", schema(value_type = names::Count, default = 1), param(value_type = names::Count, inline, required = false))]
    pub count: SolutionCount,
    /// Give up once every length up to this one is ruled out. A known solution that is one move longer is then proven.
    #[serde(with = "values::length")]
    #[cfg_attr(feature = "openapi", schema(maximum = 255), param(maximum = 255))]
    pub max_length: Option<u8>,
    /// Give up after this many seconds of searching.
    #[serde(with = "values::seconds")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<f64>, minimum = 0), param(value_type = Option<f64>, minimum = 0))]
    pub timeout: Option<Duration>,
    /// Find all shortest solutions, and keep one that is shortest in this metric too.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<names::Metric>), param(value_type = Option<names::Metric>, inline))]
    pub prefer: Option<Metric>,
    /// Find all shortest solutions, and say what is special about the position and about them.
    #[cfg_attr(feature = "openapi", param(required = false))]
    pub explain: bool,
    /// Find the moves that begin a shortest solution, and the distances of all positions one move away. Only batches do.
    #[serde(skip)]
    pub optimal_moves: bool,
    /// The engine of the lab that solves, by its name; `None` for the search of this program.
    #[serde(skip)]
    pub engine: Option<&'static str>,
}

/// Why a request cannot be answered, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// `prefer` with a number of solutions.
    #[error("`prefer` gives one solution, so it takes no number of solutions; leave `count` out")]
    PreferredCount,
    /// `explain` with a number of solutions.
    #[error("`explain` finds all shortest solutions, so it takes no number of solutions; leave `count` out")]
    ExplainedCount,
    /// Something that is told of the shortest ways to solve the whole cube, asked of a goal.
    #[error("`{0}` is only for solving the whole cube with turns of faces; leave it out, or what is asked of a goal")]
    WholeCube(&'static str),
    /// A slack with one solution.
    #[error("`slack` finds longer solutions too, and only one is asked for")]
    Slack,
    /// A turn that is not tried, where what is tried matters.
    #[error(
        "`{0}` costs more than other turns that do the same, so no solution has it; lower its cost, or leave out `starts`, `ends`, `avoid` and `slack`"
    )]
    Replaced(LayerTurn),
    /// Solutions of a part up to inversion.
    #[error("the inverse of a solution is one only where the goal is a single position; leave `inverse` out")]
    Inverse,
    /// The goal.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// The turns or their costs.
    #[error(transparent)]
    Turns(#[from] TurnsError),
    /// What solutions may be the same up to.
    #[error(
        "`{0}` is not what solutions may be the same up to; write symmetry, inverse, or both with a comma between them"
    )]
    UpTo(String),
}

/// The text, unless it is blank.
fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

/// What is asked of a goal.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The goal.
    pub goal: Goal,
    /// The turns, and what they cost.
    pub turns: Turns,
    /// What solutions begin with.
    pub starts: Vec<LayerTurn>,
    /// What they end with.
    pub ends: Vec<LayerTurn>,
    /// What is in none of them.
    pub avoid: Vec<Vec<LayerTurn>>,
    /// Whether one of those is kept that are the same up to symmetry.
    pub up_to_symmetry: bool,
    /// Whether one of those is kept that are the same up to inversion.
    pub up_to_inverse: bool,
}

impl Refused {
    /// What is wrong, and how to fix it, in the words of this audience: each asks for several solutions by other means.
    pub fn worded(&self, audience: Audience) -> String {
        let several = match audience {
            Audience::Command => "for all with --all, or for a number of them with -n",
            Audience::Page => "for all with `count=all`, or for a number of them",
            Audience::Python => "for all with solve_all, or for a number of them with count=",
            Audience::JavaScript => "for all with `count: 'all'`, or for a number of them",
        };
        match self {
            Refused::Slack => format!("{self}; ask {several}"),
            _ => self.to_string(),
        }
    }

    /// The two halves of [that](Refused::worded).
    pub fn parts(&self, audience: Audience) -> (String, String) {
        halves(&self.worded(audience))
    }
}

impl Request {
    /// Makes sure that its parts go together. Fails if they do not.
    pub fn check(&self) -> Result<(), Refused> {
        match self.count {
            _ if self.prefer.is_some() && self.goal()?.is_some() => Err(Refused::WholeCube("prefer")),
            _ if self.explain && (self.goal()?.is_some() || self.target().is_some()) => {
                Err(Refused::WholeCube("explain"))
            }
            SolutionCount::ONE if self.slack > 0 => Err(Refused::Slack),
            SolutionCount::ONE => self.goal().map(drop),
            _ if self.prefer.is_some() => Err(Refused::PreferredCount),
            SolutionCount::AtMost(_) if self.explain => Err(Refused::ExplainedCount),
            _ => self.goal().map(drop),
        }
    }

    /// The goal and the turns, unless the question is one for the search of the whole cube: any turns of faces to the one
    /// [position](Request::target), and only the shortest. Fails if they cannot be read.
    pub fn goal(&self) -> Result<Option<Wanted>, Refused> {
        // Nobody asks for the goal of most requests.
        let is_usual = self.is_usual();
        if is_usual && self.to.is_none() {
            return Ok(None);
        }
        let goal: Goal = self.to.as_deref().unwrap_or("solved").parse()?;
        if is_usual && goal.is_position() {
            return Ok(None);
        }
        let moves = given(&self.moves).unwrap_or(self.metric.usual_turns());
        let turns = Turns::read(moves, self.metric, self.cost.as_deref().unwrap_or_default())?;
        let read = |text: &str| parse_turns(text, &ReadOptions::default()).map_err(TurnsError::from);
        let sequence = |text| given(text).map_or(Ok(Vec::new()), read);
        let (mut up_to_symmetry, mut up_to_inverse) = (false, false);
        for word in given(&self.up_to).into_iter().flat_map(|text| text.split(',')).map(str::trim) {
            match word {
                "symmetry" => up_to_symmetry = true,
                "inverse" => up_to_inverse = true,
                other => return Err(Refused::UpTo(quoted(other))),
            }
        }
        let avoid: Vec<Vec<LayerTurn>> =
            given(&self.avoid).into_iter().flat_map(|text| text.split(',')).map(read).collect::<Result<_, _>>()?;
        if up_to_inverse && !goal.is_position() {
            return Err(Refused::Inverse);
        }
        let (starts, ends) = (sequence(&self.starts)?, sequence(&self.ends)?);
        let has_conditions = self.slack > 0 || !(starts.is_empty() && ends.is_empty() && avoid.is_empty());
        if let Some(turn) = turns.replaced().filter(|_| has_conditions) {
            return Err(Refused::Replaced(turn));
        }
        Ok(Some(Wanted { goal, turns, starts, ends, avoid, up_to_symmetry, up_to_inverse }))
    }

    /// Whether any turns of faces are allowed, and only the shortest solutions asked for.
    fn is_usual(&self) -> bool {
        let texts = [&self.moves, &self.cost, &self.starts, &self.ends, &self.avoid, &self.up_to];
        texts.into_iter().all(|text| given(text).is_none())
            && self.slack == 0
            && self.metric == self.metric.of_faces().into()
    }

    /// The field that makes this the request of a [goal](Request::goal), if it is one.
    pub fn field_of_goal(&self) -> &'static str {
        let texts = [
            ("moves", &self.moves),
            ("cost", &self.cost),
            ("starts", &self.starts),
            ("ends", &self.ends),
            ("avoid", &self.avoid),
            ("up_to", &self.up_to),
        ];
        let given = texts.into_iter().find(|(_, text)| given(text).is_some());
        match given {
            Some((name, _)) => name,
            None if self.slack > 0 => "slack",
            None if self.metric != self.metric.of_faces().into() => "metric",
            None => "to",
        }
    }

    /// The position that the search of the whole cube is to reach, if one is named.
    pub fn target(&self) -> Option<Cube> {
        if !self.is_usual() {
            return None;
        }
        self.to.as_ref()?.parse().ok().and_then(|goal: Goal| goal.target())
    }

    /// The metric of the search of the whole cube.
    pub fn metric_of_faces(&self) -> Metric {
        self.metric.of_faces()
    }

    /// Reads a position, as it is seen from the one to be reached. Fails if the text is not one.
    pub fn read(&self, text: &str) -> Result<Input, ReadError> {
        self.read_from(text, self.target())
    }

    /// Options for reading positions.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions { niss: self.niss, face_order: self.face_order.unwrap_or_default() }
    }

    /// The same for one of many positions, with the [target](Request::target) of all.
    pub fn read_from(&self, text: &str, target: Option<Cube>) -> Result<Input, ReadError> {
        let input = read_position(text, self.format, &self.read_options())?;
        let cube = target.map_or(input.cube, |target| target.inverse() * input.cube);
        Ok(Input { cube, ..input })
    }

    /// A position as it is seen from the one to be reached.
    pub fn as_seen(&self, position: &Cube) -> Cube {
        self.target().map_or(*position, |target| target.inverse() * *position)
    }

    /// A position that was [read](Request::read), as it was given.
    pub fn as_given(&self, position: &Cube) -> Cube {
        self.target().map_or(*position, |target| target * *position)
    }

    /// How many of the shortest solutions the search has to find.
    pub fn to_find(&self) -> SolutionCount {
        match self.explain || self.prefer.is_some() {
            true => SolutionCount::All,
            false => self.count,
        }
    }

    /// The options of the search of one position, for which somebody waits: a good solution is wanted at once.
    pub fn options(&self) -> Options<'static> {
        let (solution_count, max_length) = (self.to_find(), self.max_length);
        let (two_phase, neighbours) = (TwoPhaseUse::AtOnce, self.optimal_moves);
        Options { solution_count, max_length, known: None, two_phase, neighbours }
    }

    /// The options of the search of one position of many: a good solution is wanted at once only if the search may end early.
    pub fn options_of_many(&self) -> Options<'static> {
        let may_end_early = self.timeout.is_some() || self.max_length.is_some();
        let two_phase = if may_end_early { TwoPhaseUse::AtOnce } else { TwoPhaseUse::Meanwhile };
        Options { two_phase, ..self.options() }
    }

    /// A part of the work of `cancel` that ends when the time of a position is up, counted from now.
    pub fn limited(&self, cancel: &Cancel) -> Cancel {
        cancel.limited(self.timeout)
    }

    /// Each setting on which answers depend with its name, as a journal stores them. The time limit does not belong to them:
    /// a run may continue with another. Settings that journals of earlier versions do not have are left out where they have their
    /// default, so that those can be continued.
    pub fn named(&self) -> BTreeMap<String, String> {
        let solutions = match self.count {
            SolutionCount::AtMost(count) => count.to_string(),
            SolutionCount::All => "all".into(),
        };
        let named = [
            ("metric", Some(self.metric.name().to_owned())),
            ("to", self.to.clone()),
            ("moves", self.moves.clone()),
            ("cost", self.cost.clone()),
            ("slack", (self.slack > 0).then(|| self.slack.to_string())),
            ("starts", self.starts.clone()),
            ("ends", self.ends.clone()),
            ("avoid", self.avoid.clone()),
            ("up-to", self.up_to.clone()),
            ("solutions", Some(solutions)),
            ("max-length", Some(self.max_length.map_or("none".into(), |length| length.to_string()))),
            ("format", Some(self.format.map_or("any", Format::name).to_owned())),
            ("face-order", self.face_order.map(|order| order.to_string())),
            ("niss", Some(self.niss.to_string())),
            ("prefer", self.prefer.map(|metric| metric.name().to_owned())),
            ("explain", self.explain.then(|| "true".to_owned())),
            ("optimal-moves", self.optimal_moves.then(|| "true".to_owned())),
            ("engine", self.engine.map(str::to_owned)),
        ];
        named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_in_json_is_read_as_it_was_written() {
        let json = r#"{"metric":"stm","to":"cross","moves":"R U","cost":null,"slack":1,"starts":null,"ends":"U","avoid":"F2, R L","up_to":"symmetry","format":"speffz","face_order":"ULFRBD","niss":true,"count":5,"max_length":12,"timeout":0.5,"prefer":null,"explain":false}"#;
        let request: Request = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&request).unwrap(), json);
        assert_eq!(request.count, SolutionCount::AtMost(5.try_into().unwrap()));
        assert_eq!(serde_json::from_str::<Request>("{}").unwrap(), Request::default());
        assert_eq!(serde_json::from_str::<Request>(r#"{"count": "all"}"#).unwrap().count, SolutionCount::All);
        for refused in
            [r#"{"count": 0}"#, r#"{"count": "some"}"#, r#"{"timeout": -1}"#, r#"{"max_length": 256}"#, r#"{"x": 1}"#]
        {
            assert!(serde_json::from_str::<Request>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn what_needs_all_solutions_asks_for_them() {
        let explained = Request { explain: true, ..Request::default() };
        let preferred = Request { prefer: Some(Metric::Qtm), ..Request::default() };
        for request in [explained, preferred] {
            assert_eq!((request.check(), request.to_find()), (Ok(()), SolutionCount::All));
            let five = Request { count: SolutionCount::AtMost(5.try_into().unwrap()), ..request };
            assert!(five.check().is_err());
        }
        let of_a_part = |to: &str| Request { to: Some(to.into()), prefer: Some(Metric::Qtm), ..Request::default() };
        assert!(of_a_part("solved").check().is_ok());
        assert_eq!(
            of_a_part("cross").check().unwrap_err().parts(Audience::Command).0,
            "`prefer` is only for solving the whole cube with turns of faces"
        );
        assert!(of_a_part("crss").check().unwrap_err().parts(Audience::Command).1.starts_with("goals are"));
        // How to ask for several solutions is said in the words of who asks.
        let refused = Request { slack: 1, ..Request::default() }.check().unwrap_err();
        for (audience, means) in [
            (Audience::Command, "--all"),
            (Audience::Page, "`count=all`"),
            (Audience::Python, "solve_all"),
            (Audience::JavaScript, "`count: 'all'`"),
        ] {
            assert_eq!(refused.parts(audience).0, "`slack` finds longer solutions too, and only one is asked for");
            assert!(refused.parts(audience).1.contains(means));
        }
        // What has conditions is chosen among the sequences that are tried.
        let with = |cost: &str, avoid: &str| {
            let given = |text: &str| Some(text.to_owned());
            Request { cost: given(cost), avoid: given(avoid), ..Request::default() }.check()
        };
        assert!(with("U'=3", "U2").unwrap_err().to_string().starts_with("`U'` costs more than other turns"));
        assert!(with("U'=3", "").is_ok() && with("U'=2", "U2").is_ok());
        // A position is seen from another one only where the search of the whole cube reaches it.
        let to = |moves: Option<&str>| Request {
            to: Some("R U".into()),
            moves: moves.map(str::to_owned),
            ..Request::default()
        };
        let seen = |request: &Request| request.read("R").unwrap().cube;
        assert_eq!((seen(&to(None)), seen(&to(Some("R U")))), ("U'".parse().unwrap(), "R".parse().unwrap()));
    }

    #[test]
    fn settings_that_came_later_are_named_where_they_are_set() {
        let names = |request: Request| request.named().into_keys().collect::<Vec<_>>();
        let first = ["format", "max-length", "metric", "niss", "solutions"];
        assert_eq!(names(Request { timeout: Some(Duration::ZERO), ..Request::default() }), first);
        let later = Request { explain: true, engine: Some("korf"), ..Request::default() };
        assert_eq!(names(later), ["engine", "explain", "format", "max-length", "metric", "niss", "solutions"]);
    }
}
