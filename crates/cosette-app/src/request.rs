//! Requests for solutions of a position: the input format, the goal and the limits.
//!
//! Every front end creates a [`Request`]: the commands from their arguments, the server and the
//! JavaScript package from JSON, Python from keyword arguments; an MPI job sends it to its ranks.
//! The fields of a request are named as in JSON. This module defines the meaning of a request for a
//! search:
//!
//! - `prefer` and `explain` need all shortest solutions, so they imply `count: all`;
//! - a request for a part of the cube, with other turns or costs than those of faces, or with
//!   constraints on solutions is a [goal](Request::parse_goal), which `goal_engine` searches;
//! - a request for another position t is a search for the solved cube: moves that lead from p to t
//!   solve t⁻¹·p;
//! - a search that may end early starts with a two-phase solution, so that there is a result to
//!   show;
//! - the time limit cancels the search; it counts from the start of the search.

use crate::remedies::{Audience, split_help};
use cosette::Cancel;
use cosette::cube::{
    Cube, FaceOrder, Format, Input, LayerTurn, Metric, ParseError, ParseOptions, parse_position,
    parse_turns, quoted,
};
use cosette::goal::{Goal, GoalError, TurnMetric, TurnSet, TurnSetError};
use cosette::numbers::{expected, read_or_default};
use cosette::search::{Options, SolutionCount, TwoPhaseMode};
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// A request for solutions of a position. The default is one shortest solution in the half-turn
/// metric, without a limit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema, utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query), schema(as = SolveRequest))]
#[serde(default, deny_unknown_fields, expecting = "an object with a position")]
pub struct Request {
    /// The position, in any format. It may also be named `text`.
    // None if the positions are apart from the request, as in a batch.
    #[serde(alias = "text")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = String, required = true, default, min_length = 1, examples("R U2 F'")),
        param(ignore)
    )]
    pub position: Option<String>,
    /// The metric, which defines one move: any face turn (`htm`) or a quarter turn (`qtm`); for
    /// goals also any turn of layers (`stm`), a quarter turn of layers (`qstm`), or any turn
    /// including rotations of the whole cube (`etm`).
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<names::TurnMetric>),
        param(value_type = names::TurnMetric, inline, required = false),
    )]
    #[serde(deserialize_with = "read_name")]
    pub metric: TurnMetric,
    /// The goal, such as `cross:D`, `UF UR DFR`, or another position. Default: the solved cube.
    pub goal: Option<String>,
    /// The allowed turns, such as `R U F2 r M`. A name without an amount allows all three amounts.
    /// Default: all face turns.
    pub moves: Option<String>,
    /// The costs of individual turns, such as `R2=2 B=3`. Default: the costs of the metric.
    pub costs: Option<String>,
    /// The maximum by which the cost of a solution may exceed the cost of the shortest ones.
    /// Default: 0.
    #[serde(deserialize_with = "read_slack")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<u32>),
        param(required = false)
    )]
    pub slack: u32,
    /// The prefix that solutions must have, such as `R U`.
    pub starts_with: Option<String>,
    /// The suffix that solutions must have, such as `R U`.
    pub ends_with: Option<String>,
    /// Forbidden sequences, separated by commas, such as `F2, R L`. No solution contains one of
    /// them.
    pub avoid: Option<String>,
    /// The equivalence of solutions: `symmetry`, `inverse`, or both (`symmetry,inverse`). One
    /// solution of each class is returned.
    pub unique_up_to: Option<String>,
    /// The format of the position. By default it is detected.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<names::Format>),
        param(value_type = Option<names::Format>, inline),
    )]
    #[serde(deserialize_with = "read_optional_name")]
    pub format: Option<Format>,
    /// The order of the faces of 54 facelets, such as `ULFRBD`. Default: `URFDLB`. A mark after a
    /// face, `+`, `2` or `'`, gives its rotation. A net, and faces with names, need no order.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<String>),
        param(value_type = Option<String>, inline),
    )]
    pub face_order: Option<FaceOrder>,
    /// `true` if moves in parentheses apply to the inverse (NISS notation).
    #[serde(deserialize_with = "read_or_default")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<bool>),
        param(required = false)
    )]
    pub niss: bool,
    /// The number of shortest solutions to find: a number, or `all`.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<names::Count>, default = 1),
        param(value_type = names::Count, inline, required = false),
    )]
    #[serde(deserialize_with = "read_or_default")]
    pub count: SolutionCount,
    /// The maximum length of solutions. The search stops once all solutions of up to this length
    /// are ruled out; a known solution that is one move longer is then proven shortest.
    #[serde(deserialize_with = "read_length")]
    #[cfg_attr(feature = "openapi", schema(maximum = 255), param(maximum = 255))]
    pub max_length: Option<u8>,
    /// The time limit of the search, in seconds.
    #[serde(with = "cosette::numbers::seconds")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<f64>, minimum = 0),
        param(value_type = Option<f64>, minimum = 0),
    )]
    pub timeout: Option<Duration>,
    /// A second metric: all shortest solutions are found, and one of them that is shortest in this
    /// metric is returned.
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<names::Metric>),
        param(value_type = Option<names::Metric>, inline),
    )]
    #[serde(deserialize_with = "read_optional_name")]
    pub prefer: Option<Metric>,
    /// `true` to find all shortest solutions, and explain the special properties of the position
    /// and of these solutions.
    #[serde(deserialize_with = "read_or_default")]
    #[cfg_attr(
        feature = "openapi",
        schema(value_type = Option<bool>),
        param(required = false)
    )]
    pub explain: bool,
    /// `true` to find the first moves of all shortest solutions, and the distances of all positions
    /// one move away. Only in batches.
    #[serde(skip)]
    pub optimal_moves: bool,
    /// Number of texts in the list, if the positions are only those of its texts that need a
    /// search. Only in batches.
    #[serde(skip)]
    pub list_length: Option<usize>,
}

/// Error of a request that is invalid for every position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// `prefer` together with a number of solutions.
    #[error("`prefer` returns one solution, so it cannot be combined with `count`; remove `count`")]
    PreferWithCount,
    /// `explain` together with a number of solutions.
    #[error(
        "`explain` finds all shortest solutions, so it cannot be combined with `count`; remove \
            `count`"
    )]
    ExplainWithCount,
    /// An option for full solves with face turns, used with a goal.
    #[error(
        "`{0}` applies only to full solves with face turns; remove it, or remove the goal options"
    )]
    WholeCubeOnly(&'static str),
    /// A slack in a request for a single solution.
    #[error("`slack` also finds longer solutions, but only one solution is requested")]
    SlackWithoutCount,
    /// A turn that no solution contains, in a request with constraints on sequences or with a
    /// slack.
    #[error(
        "`{0}` costs more than other moves with the same effect, so no solution contains it; \
            lower its cost, or remove `starts_with`, `ends_with`, `avoid` and `slack`"
    )]
    DominatedTurn(LayerTurn),
    /// Equivalence under inversion for a goal that is not a single position.
    #[error(
        "the inverse of a solution is a solution only if the goal is a single position; remove \
            `inverse`"
    )]
    InverseOfNonPosition,
    /// An invalid goal.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Invalid turns or costs in a field.
    #[error("`{field}`: {error}")]
    Turns {
        /// The name of the field.
        field: &'static str,
        /// The fault.
        error: TurnSetError,
    },
    /// An unknown equivalence of solutions.
    #[error("unknown equivalence `{0}`; use symmetry, inverse, or symmetry,inverse")]
    UnknownEquivalence(String),
}

/// Returns a function that turns an error into the [`RequestError`] of this field.
fn in_field<E: Into<TurnSetError>>(field: &'static str) -> impl Fn(E) -> RequestError {
    move |error| RequestError::Turns {
        field,
        error: error.into(),
    }
}

/// Returns the text, unless it is only whitespace.
fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

/// A parsed goal request: the goal, the allowed turns and the constraints on solutions.
#[derive(Clone, Debug)]
pub struct GoalRequest {
    /// The goal.
    pub goal: Goal,
    /// The allowed turns with their costs.
    pub turns: TurnSet,
    /// The required prefix.
    pub starts_with: Vec<LayerTurn>,
    /// The required suffix.
    pub ends_with: Vec<LayerTurn>,
    /// The forbidden sequences.
    pub avoid: Vec<Vec<LayerTurn>>,
    /// `true` to return one solution of each class under symmetry.
    pub dedup_symmetric: bool,
    /// `true` to return one solution of each inverse pair.
    pub dedup_inverse: bool,
}

impl RequestError {
    /// Returns the message with the help for this audience: each front end has its own way to
    /// request several solutions.
    pub fn message_for(&self, audience: Audience) -> String {
        let several = match audience {
            Audience::Command => "request all with --all, or several with -n",
            Audience::Page => "request all with `count=all`, or a number of them",
            Audience::Python => "request all with solve_all, or several with count=",
            Audience::JavaScript => "request all with `count: 'all'`, or a number of them",
        };
        match self {
            RequestError::SlackWithoutCount => format!("{self}; {several}"),
            RequestError::Turns { field, error } => match audience {
                Audience::Command => format!("--{}: {error}", field.replace('_', "-")),
                Audience::Python => format!("{field}: {error}"),
                Audience::Page | Audience::JavaScript => self.to_string(),
            },
            _ => self.to_string(),
        }
    }

    /// Returns the message and the help of [`message_for`](RequestError::message_for).
    pub fn message_and_help(&self, audience: Audience) -> (String, String) {
        split_help(&self.message_for(audience))
    }
}

impl Request {
    /// Validates the combination of options.
    ///
    /// # Errors
    ///
    /// Returns the first conflict.
    pub fn validate(&self) -> Result<(), RequestError> {
        let goal = self.parse_goal()?;
        let is_one = self.count == SolutionCount::ONE;
        if self.prefer.is_some() && goal.is_some() {
            Err(RequestError::WholeCubeOnly("prefer"))
        } else if self.explain && (goal.is_some() || self.target().is_some()) {
            Err(RequestError::WholeCubeOnly("explain"))
        } else if is_one && self.slack > 0 {
            Err(RequestError::SlackWithoutCount)
        } else if self.prefer.is_some() && !is_one {
            Err(RequestError::PreferWithCount)
        } else if self.explain && !is_one && self.count != SolutionCount::All {
            Err(RequestError::ExplainWithCount)
        } else {
            Ok(())
        }
    }

    /// Parses the goal, the turns and the constraints. Returns `None` for a search of the whole
    /// cube: one for any shortest solutions, with all face turns, to a single
    /// [position](Request::target).
    ///
    /// # Errors
    ///
    /// Returns [`RequestError`] if the goal, the turns or a constraint cannot be parsed, or if
    /// options conflict.
    pub fn parse_goal(&self) -> Result<Option<GoalRequest>, RequestError> {
        // Skips parsing the goal for most requests.
        let is_default = self.is_default_search();
        if is_default && self.goal.is_none() {
            return Ok(None);
        }
        let goal: Goal = self.goal.as_deref().unwrap_or("solved").parse()?;
        if is_default && goal.is_position() {
            return Ok(None);
        }
        let moves = given(&self.moves).unwrap_or(self.metric.default_turns());
        let costs = self.costs.as_deref().unwrap_or_default();
        let turns = TurnSet::parse(moves, self.metric, costs).map_err(|error| {
            // In this metric, all turns have a cost.
            let are_moves_valid = TurnSet::parse(moves, TurnMetric::Etm, "").is_ok();
            in_field(if are_moves_valid { "costs" } else { "moves" })(error)
        })?;
        let read = |field, text: &str| {
            parse_turns(text, &ParseOptions::default()).map_err(in_field(field))
        };
        let sequence = |field, text| given(text).map_or(Ok(Vec::new()), |text| read(field, text));
        let parts = |text| given(text).into_iter().flat_map(|text| text.split(','));
        let equivalences: Vec<&str> = parts(&self.unique_up_to).map(str::trim).collect();
        let is_unknown = |name: &&&str| !["symmetry", "inverse"].contains(*name);
        if let Some(unknown) = equivalences.iter().find(is_unknown) {
            return Err(RequestError::UnknownEquivalence(quoted(unknown)));
        }
        let dedup_symmetric = equivalences.contains(&"symmetry");
        let dedup_inverse = equivalences.contains(&"inverse");
        let avoid = parts(&self.avoid)
            .map(|text| read("avoid", text))
            .collect::<Result<Vec<_>, _>>()?;
        if dedup_inverse && !goal.is_position() {
            return Err(RequestError::InverseOfNonPosition);
        }
        let starts_with = sequence("starts_with", &self.starts_with)?;
        let ends_with = sequence("ends_with", &self.ends_with)?;
        let has_conditions =
            self.slack > 0 || !(starts_with.is_empty() && ends_with.is_empty() && avoid.is_empty());
        if let Some(turn) = turns.first_dominated().filter(|_| has_conditions) {
            return Err(RequestError::DominatedTurn(turn));
        }
        Ok(Some(GoalRequest {
            goal,
            turns,
            starts_with,
            ends_with,
            avoid,
            dedup_symmetric,
            dedup_inverse,
        }))
    }

    /// Returns the text fields besides `goal` that make this a request for a goal, with their
    /// names.
    fn goal_texts(&self) -> [(&'static str, &Option<String>); 6] {
        [
            ("moves", &self.moves),
            ("costs", &self.costs),
            ("starts_with", &self.starts_with),
            ("ends_with", &self.ends_with),
            ("avoid", &self.avoid),
            ("unique_up_to", &self.unique_up_to),
        ]
    }

    /// Returns `true` if no field besides `goal` makes this a request for a goal: all face turns
    /// are allowed, and any shortest solutions are requested.
    fn is_default_search(&self) -> bool {
        self.field_of_goal() == "goal"
    }

    /// Returns the name of a field besides `goal` that makes this a request for a
    /// [goal](Request::parse_goal), if there is one; `goal` otherwise.
    pub fn field_of_goal(&self) -> &'static str {
        let mut texts = self.goal_texts().into_iter();
        match texts.find(|(_, text)| given(text).is_some()) {
            Some((name, _)) => name,
            None if self.slack > 0 => "slack",
            None if self.metric != self.metric.face_metric().into() => "metric",
            None => "goal",
        }
    }

    /// Returns the target position of a search of the whole cube, if one is given.
    pub fn target(&self) -> Option<Cube> {
        if !self.is_default_search() {
            return None;
        }
        self.goal
            .as_ref()?
            .parse()
            .ok()
            .and_then(|goal: Goal| goal.target())
    }

    /// Returns the metric of a search of the whole cube.
    pub fn face_metric(&self) -> Metric {
        self.metric.face_metric()
    }

    /// Parses a position, and maps the [target](Request::target) to the solved cube.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the text is not a position.
    pub fn parse_position(&self, text: &str) -> Result<Input, ParseError> {
        self.parse_relative(text, self.target())
    }

    /// Parses one of many positions like [`parse_position`](Request::parse_position), given their
    /// common [target](Request::target), so that the goal is parsed only once.
    ///
    /// # Errors
    ///
    /// Returns [`ParseError`] if the text is not a position.
    pub fn parse_relative(&self, text: &str, target: Option<Cube>) -> Result<Input, ParseError> {
        let options = ParseOptions {
            niss: self.niss,
            face_order: self.face_order.unwrap_or_default(),
        };
        let input = parse_position(text, self.format, &options)?;
        let cube = target.map_or(input.cube, |target| target.inverse() * input.cube);
        Ok(Input { cube, ..input })
    }

    /// Returns a position relative to the target: the target itself becomes the solved cube.
    pub fn relative_to_target(&self, position: &Cube) -> Cube {
        self.target()
            .map_or(*position, |target| target.inverse() * *position)
    }

    /// Reverses [`relative_to_target`](Request::relative_to_target).
    pub fn absolute(&self, position: &Cube) -> Cube {
        self.target().map_or(*position, |target| target * *position)
    }

    /// Returns the number of shortest solutions that the search has to find.
    pub fn effective_count(&self) -> SolutionCount {
        match self.explain || self.prefer.is_some() {
            true => SolutionCount::All,
            false => self.count,
        }
    }

    /// Returns the search options for a single position of an interactive user, with a good
    /// solution as soon as possible.
    pub fn options(&self) -> Options<'static> {
        Options {
            solution_count: self.effective_count(),
            max_length: self.max_length,
            known_solution: None,
            two_phase: TwoPhaseMode::Upfront,
            neighbors: self.optimal_moves,
        }
    }

    /// Returns the search options for one position of a batch, with a good solution at the start
    /// only if the search may end early.
    pub fn batch_options(&self) -> Options<'static> {
        let may_end_early = self.timeout.is_some() || self.max_length.is_some();
        let two_phase = if may_end_early {
            TwoPhaseMode::Upfront
        } else {
            TwoPhaseMode::Interleaved
        };
        Options {
            two_phase,
            ..self.options()
        }
    }

    /// Returns a child of `cancel` with the time limit of a position, counted from now.
    pub fn with_deadline(&self, cancel: &Cancel) -> Cancel {
        cancel.limited(self.timeout)
    }

    /// Returns the settings that affect results, by name, as stored in journals. The time limit is
    /// not one of them: a run may resume with another one. Settings that journals of earlier
    /// versions do not contain are omitted at their default, so that these journals can be resumed.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let solutions = match self.count {
            SolutionCount::AtMost(count) => count.to_string(),
            SolutionCount::All => "all".into(),
        };
        let max_length = self.max_length.map(|length| length.to_string());
        let flag = |is_set: bool| is_set.then(|| "true".to_owned());
        let settings = [
            ("metric", Some(self.metric.name().to_owned())),
            ("goal", self.goal.clone()),
            ("moves", self.moves.clone()),
            ("costs", self.costs.clone()),
            ("slack", (self.slack > 0).then(|| self.slack.to_string())),
            ("starts-with", self.starts_with.clone()),
            ("ends-with", self.ends_with.clone()),
            ("avoid", self.avoid.clone()),
            ("unique-up-to", self.unique_up_to.clone()),
            ("solutions", Some(solutions)),
            ("max-length", Some(max_length.unwrap_or("none".into()))),
            (
                "input-format",
                Some(self.format.map_or("any", Format::name).to_owned()),
            ),
            ("face-order", self.face_order.map(|order| order.to_string())),
            ("niss", Some(self.niss.to_string())),
            ("prefer", self.prefer.map(|metric| metric.name().to_owned())),
            ("explain", flag(self.explain)),
            ("optimal-moves", flag(self.optimal_moves)),
            ("list", self.list_length.map(|length| length.to_string())),
        ];
        settings
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

/// Deserializes an optional length of solutions.
///
/// # Errors
///
/// Returns an error with the accepted range.
pub(crate) fn read_length<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u8>, D::Error> {
    Option::deserialize(source)
        .map_err(|error| expected("a whole number of moves from 0 to 255", error))
}

fn read_slack<'de, D: Deserializer<'de>>(source: D) -> Result<u32, D::Error> {
    read_or_default(source).map_err(|error| expected("a non-negative whole number", error))
}

/// Deserializes a value by its name; `null` means the default. Without this, the JSON parser
/// reports any other value as a syntax error.
fn read_name<'de, T, D>(source: D) -> Result<T, D::Error>
where
    T: DeserializeOwned + Default,
    D: Deserializer<'de>,
{
    if source.is_human_readable() {
        read_optional_name(source).map(Option::unwrap_or_default)
    } else {
        T::deserialize(source)
    }
}

/// Deserializes a value by its name, if there is one.
fn read_optional_name<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    source: D,
) -> Result<Option<T>, D::Error> {
    if !source.is_human_readable() {
        return Option::deserialize(source);
    }
    let name = Option::<String>::deserialize(source)?;
    name.map(|name| T::deserialize(name.into_deserializer()))
        .transpose()
}

/// Schemas of field values in an OpenAPI document.
#[cfg(feature = "openapi")]
pub mod names {
    use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
    use utoipa::{PartialSchema, ToSchema, openapi::RefOr};

    /// Returns the schema of a text that is one of these names.
    fn one_of(names: impl IntoIterator<Item = &'static str>) -> ObjectBuilder {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
    }

    /// Declares a type with this schema.
    macro_rules! schemas {
        ($($name:ident: $schema:expr;)*) => {$(
            pub struct $name;
            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    $schema.into()
                }
            }
            impl ToSchema for $name {}
        )*};
    }

    schemas! {
        Metric: one_of(super::Metric::ALL.map(super::Metric::name));
        TurnMetric: one_of(super::TurnMetric::ALL.map(super::TurnMetric::name));
        Format: one_of(super::Format::ALL.map(super::Format::name));
        Count: OneOfBuilder::new()
            .item(
                ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .description(Some("A number, as the maximum."))
                    .minimum(Some(1)),
            )
            .item(one_of(["all"]).description(Some("The word `all`.")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_in_json_is_read_as_it_was_written() {
        let json = concat!(
            r#"{"position":"R","metric":"stm","goal":"cross","moves":"R U","costs":null,"#,
            r#""slack":1,"starts_with":null,"ends_with":"U","avoid":"F2, R L","#,
            r#""unique_up_to":"symmetry","format":"speffz","face_order":"ULFRBD","niss":true,"#,
            r#""count":5,"max_length":12,"timeout":0.5,"prefer":null,"explain":false}"#,
        );
        let read = request(json);
        assert_eq!(serde_json::to_string(&read).unwrap(), json);
        assert_eq!(read.count, SolutionCount::AtMost(5.try_into().unwrap()));
        assert_eq!(request("{}"), Request::default());
        let null = r#"{"metric":null,"slack":null,"niss":null,"count":null,"explain":null}"#;
        assert_eq!(request(null), Request::default());
        assert_eq!(request(r#"{"count": "all"}"#).count, SolutionCount::All);
        for invalid in [
            r#"{"count": 0}"#,
            r#"{"count": "some"}"#,
            r#"{"timeout": -1}"#,
            r#"{"max_length": 256}"#,
            r#"{"x": 1}"#,
        ] {
            let read = serde_json::from_str::<Request>(invalid);
            assert!(read.is_err(), "{invalid}");
        }
    }

    fn request(json: &str) -> Request {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn requests_for_all_solutions_are_worded_for_each_audience() {
        let effective = |json| request(json).effective_count();
        assert_eq!(effective(r#"{"explain": true}"#), SolutionCount::All);
        assert_eq!(effective(r#"{"prefer": "qtm"}"#), SolutionCount::All);
        let error = request(r#"{"slack": 1}"#).validate().unwrap_err();
        for (audience, means) in [
            (Audience::Command, "--all"),
            (Audience::Page, "`count=all`"),
            (Audience::Python, "solve_all"),
            (Audience::JavaScript, "`count: 'all'`"),
        ] {
            assert!(error.message_for(audience).contains(means));
        }
    }

    #[test]
    fn positions_are_relative_to_the_target_only_in_searches_of_the_whole_cube() {
        for (json, position) in [
            (r#"{"goal": "R U"}"#, "U'"),
            (r#"{"goal": "R U", "moves": "R U"}"#, "R"),
        ] {
            let read = request(json).parse_position("R").unwrap();
            assert_eq!(read.cube, position.parse().unwrap());
        }
    }

    #[test]
    fn settings_missing_from_earlier_journals_are_omitted_at_their_default() {
        let earliest = ["input-format", "max-length", "metric", "niss", "solutions"];
        let names = |json: &str| request(json).settings().into_keys();
        assert!(names(r#"{"timeout": 0}"#).eq(earliest));
        assert!(names(r#"{"explain": true}"#).eq(["explain"].into_iter().chain(earliest)));
    }
}
