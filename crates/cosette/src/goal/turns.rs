//! The allowed turns, their costs, and the canonical sequences of turns.
//!
//! # Sequences
//!
//! The layers of one axis turn independently: the effect of a run of turns about one axis is the
//! total angle of each of its three layers, one of 64 *sums*. The *cheapest* run for a sum is the
//! run with the minimum cost; of several, the run with the fewest turns, and then with the turns
//! that were given first, in their order. Turns about one axis commute. So every sequence has the
//! same effect as a *canonical* sequence, whose runs are all cheapest runs, and costs no less.
//! Exactly the canonical sequences are searched, so no effect is lost and no sequence is repeated.
//!
//! Every prefix of a cheapest run is a cheapest run: with a cheaper prefix the whole run would be
//! cheaper. So an automaton generates the canonical sequences. Its states are the runs that may be
//! the last run of a sequence.

use crate::cube::{
    Axis, Cube, LayerTurn, Metric, Move, ParseOptions, Symmetry, Turn, parse_turns, quoted,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fmt;
use std::str::FromStr;

/// Maximum cost of a turn.
const MAX_TURN_COST: u8 = 100;

/// A metric of layer turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
pub enum TurnMetric {
    /// Half-turn metric: turns of a face or of two layers count 1, of a slice 2, of the whole cube
    /// 0.
    #[default]
    Htm,
    /// Quarter-turn metric: like `Htm`, but half turns count twice.
    Qtm,
    /// Slice-turn metric: every turn of one or two layers counts 1, of the whole cube 0.
    Stm,
    /// Quarter slice-turn metric: like `Stm`, but half turns count twice.
    Qstm,
    /// Execution-turn metric: every turn counts 1, including turns of the whole cube.
    Etm,
}

/// The metrics, each with its name, the metric of face turns, and the default turns.
const TURN_METRICS: [(TurnMetric, &str, Metric, &str); 5] = [
    (TurnMetric::Htm, "htm", Metric::Htm, FACE_TURNS),
    (TurnMetric::Qtm, "qtm", Metric::Qtm, FACE_TURNS),
    (TurnMetric::Stm, "stm", Metric::Htm, SLICE_TURNS),
    (TurnMetric::Qstm, "qstm", Metric::Qtm, SLICE_TURNS),
    (TurnMetric::Etm, "etm", Metric::Htm, ALL_TURNS),
];
const FACE_TURNS: &str = "U R F D L B";
const SLICE_TURNS: &str = "U R F D L B M E S";
const ALL_TURNS: &str = "U R F D L B M E S u r f d l b x y z";

impl TurnMetric {
    /// All metrics.
    pub const ALL: [TurnMetric; 5] = {
        let [a, b, c, d, e] = TURN_METRICS;
        [a.0, b.0, c.0, d.0, e.0]
    };

    /// Returns the short name.
    pub const fn name(self) -> &'static str {
        TURN_METRICS[self as usize].1
    }

    /// Returns the metric of face turns.
    pub const fn face_metric(self) -> Metric {
        TURN_METRICS[self as usize].2
    }

    /// Returns the default turns: face turns; also slice turns if the metric counts them as one;
    /// also wide turns and rotations if it counts every turn as one.
    pub const fn default_turns(self) -> &'static str {
        TURN_METRICS[self as usize].3
    }

    /// Returns the cost of a turn.
    pub fn cost(self, turn: LayerTurn) -> u8 {
        let half = if turn.is_half_turn() {
            self.face_metric().half_turn_cost()
        } else {
            1
        };
        let faces = turn.face_turns().count() as u8;
        half * match self {
            TurnMetric::Htm | TurnMetric::Qtm => faces,
            TurnMetric::Stm | TurnMetric::Qstm => faces.min(1),
            TurnMetric::Etm => 1,
        }
    }
}

impl From<Metric> for TurnMetric {
    fn from(metric: Metric) -> TurnMetric {
        [TurnMetric::Htm, TurnMetric::Qtm][metric as usize]
    }
}

/// The error for an unknown metric name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a metric; use one of {names}",
    names = TurnMetric::ALL.map(TurnMetric::name).join(", ")
)]
pub struct UnknownTurnMetric(String);

impl FromStr for TurnMetric {
    type Err = UnknownTurnMetric;

    fn from_str(name: &str) -> Result<TurnMetric, UnknownTurnMetric> {
        let mut metrics = TurnMetric::ALL.into_iter();
        metrics
            .find(|metric| metric.name() == name)
            .ok_or_else(|| UnknownTurnMetric(name.to_owned()))
    }
}

/// An error in a set of turns or in their costs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum TurnSetError {
    /// Text that is not a list of turns.
    #[error(transparent)]
    Read(#[from] crate::ParseError),
    /// An empty set of turns.
    #[error("no moves are allowed; list some, for example `R U F2 r M`")]
    Empty,
    /// A turn that has no effect or costs nothing, and so could be repeated forever.
    #[error(
        "`{0}` costs nothing, so it could be repeated forever; give it a cost, for example \
         `{0}=1`, or use the metric etm"
    )]
    ZeroCost(LayerTurn),
    /// A plus that does not follow a turn.
    #[error("`+` does not follow a move; write it directly after one, for example `R+`")]
    LonePlus,
    /// A turn that has a name but no effect.
    #[error(
        "a multiple of four turns of `{0}` has no effect; remove it, or write `{0}`, `{0}2` or \
         `{0}'`"
    )]
    NoEffect(LayerTurn),
    /// A cost that is not a number from 1 to 100.
    #[error(
        "`{0}` is not a cost; write a move and a number from 1 to {MAX_TURN_COST}, for example \
         `R2=2`"
    )]
    NotACost(String),
    /// A second cost for a turn.
    #[error("`{0}` has two costs; remove one of them")]
    CostTwice(LayerTurn),
    /// A cost for a turn that is not allowed.
    #[error("`{0}` has a cost, but is not one of the allowed moves; allow it or remove its cost")]
    CostWithoutTurn(LayerTurn),
}

/// The allowed turns, in order of preference, with their costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnSet {
    allowed: Vec<(LayerTurn, u8)>,
}

impl Default for TurnSet {
    /// Returns the eighteen face turns, each of cost one.
    fn default() -> TurnSet {
        TurnSet::faces(TurnMetric::Htm)
    }
}

impl TurnSet {
    /// Returns the eighteen face turns.
    pub fn faces(metric: TurnMetric) -> TurnSet {
        TurnSet::parse(FACE_TURNS, metric, "")
            .unwrap_or_else(|error| unreachable!("turns of faces cost something: {error}"))
    }

    /// Parses the allowed turns, such as `R U F2 r M`.
    ///
    /// A name without an amount denotes all three turns, `F2` and `F'` one of them, and `F+` the
    /// clockwise quarter turn alone. `costs` overrides costs of `metric`, with the same names:
    /// `R2=2 B=3 L+=2`. Costs are from 1 to 100, and a name with an amount takes precedence over
    /// one without. Searches go up to a total cost of 254.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no turn, if a turn has no effect or costs nothing, if a cost is
    /// invalid, or if one belongs to a turn that is not allowed.
    pub fn parse(text: &str, metric: TurnMetric, costs: &str) -> Result<TurnSet, TurnSetError> {
        let mut allowed: Vec<(LayerTurn, u8)> = Vec::new();
        for turn in parse_names(text)? {
            if !allowed.iter().any(|&(other, _)| other == turn) {
                allowed.push((turn, metric.cost(turn)));
            }
        }
        set_costs(&mut allowed, costs)?;
        match allowed.iter().find(|turn| turn.1 == 0) {
            Some(&(turn, _)) => Err(TurnSetError::ZeroCost(turn)),
            None if allowed.is_empty() => Err(TurnSetError::Empty),
            None => Ok(TurnSet { allowed }),
        }
    }

    /// Returns a turn that is in no solution, because cheaper turns about the same axis have its
    /// effect; `None` if there is no such turn.
    pub fn first_dominated(&self) -> Option<LayerTurn> {
        let runs = cheapest_runs(&self.allowed);
        let is_costlier = |&&(turn, cost): &&(LayerTurn, u8)| {
            runs.get(&(turn.axis(), turn.layer_quarters()))
                .is_some_and(|run| run.cost < u32::from(cost))
        };
        self.allowed.iter().find(is_costlier).map(|&(turn, _)| turn)
    }

    /// Returns the turns and their costs.
    pub fn allowed(&self) -> &[(LayerTurn, u8)] {
        &self.allowed
    }
}

/// Parses the allowed turns, with their costs in the half-turn metric ([`TurnSet::parse`]).
///
/// ```
/// use cosette::goal::{TurnMetric, TurnSet};
///
/// assert_eq!("R U M2".parse(), TurnSet::parse("R U M2", TurnMetric::Htm, ""));
/// ```
impl FromStr for TurnSet {
    type Err = TurnSetError;

    fn from_str(text: &str) -> Result<TurnSet, TurnSetError> {
        TurnSet::parse(text, TurnMetric::Htm, "")
    }
}

impl TurnSet {
    /// Returns the names of the allowed turns; a name without an amount stands for all three turns
    /// of that name.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for &(turn, _) in &self.allowed {
            let quarter = turn.with_turn(Turn::Clockwise);
            let has = |amount| {
                let mut allowed = self.allowed.iter();
                allowed.any(|&(other, _)| other == quarter.with_turn(amount))
            };
            let name = match turn.turn() {
                _ if Turn::ALL.into_iter().all(has) => quarter.to_string(),
                Some(Turn::Clockwise) => format!("{turn}+"),
                _ => turn.to_string(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// Writes the names of the allowed turns, separated by spaces.
impl fmt::Display for TurnSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(" "))
    }
}

/// Parses and sets costs, such as `R2=2 B=3`. Costs of three turns are set first, so that a cost of
/// one of them replaces it.
fn set_costs(allowed: &mut [(LayerTurn, u8)], costs: &str) -> Result<(), TurnSetError> {
    for is_general in [true, false] {
        let mut changed = Vec::new();
        let words = costs.split(|c: char| c.is_whitespace() || ",;".contains(c));
        for word in words.filter(|word| !word.is_empty()) {
            let not_a_cost = || TurnSetError::NotACost(quoted(word));
            let (name, cost) = word
                .rsplit_once('=')
                .filter(|(name, _)| !name.is_empty())
                .ok_or_else(not_a_cost)?;
            let cost = cost
                .parse()
                .ok()
                .filter(|cost| (1..=MAX_TURN_COST).contains(cost))
                .ok_or_else(not_a_cost)?;
            let mut turns = parse_names(name)?;
            turns.dedup();
            if (turns.len() > 1) != is_general {
                continue;
            }
            for turn in turns {
                if changed.contains(&turn) {
                    return Err(TurnSetError::CostTwice(turn));
                }
                changed.push(turn);
                let entry = allowed.iter_mut().find(|(other, _)| *other == turn);
                entry.ok_or(TurnSetError::CostWithoutTurn(turn))?.1 = cost;
            }
        }
    }
    Ok(())
}

/// Parses names of turns: a name without an amount denotes three turns, a name with a plus the
/// clockwise turn alone.
fn parse_names(text: &str) -> Result<Vec<LayerTurn>, TurnSetError> {
    let mut turns = Vec::new();
    // The move parser does not know a plus, so a text with one is read word by word.
    let words = if text.contains('+') {
        text.split_whitespace().collect()
    } else {
        vec![text]
    };
    for word in words {
        let (name, has_plus) = word
            .strip_suffix('+')
            .map_or((word, false), |name| (name, true));
        if has_plus && name.is_empty() {
            return Err(TurnSetError::LonePlus);
        }
        for turn in parse_turns(name, &ParseOptions::default())? {
            match turn.turn() {
                Some(Turn::Clockwise) if !has_plus => {
                    turns.extend(Turn::ALL.map(|amount| turn.with_turn(amount)))
                }
                Some(_) => turns.push(turn),
                None => return Err(TurnSetError::NoEffect(turn.with_turn(Turn::Clockwise))),
            }
        }
    }
    Ok(turns)
}

/// The effect of a turn on the pieces in the frame of the centers: the face turns that have the
/// same effect, and the minimum cost of a turn with this effect.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceEffect {
    pub moves: [Option<Move>; 2],
    pub cost: u8,
}

/// Returns the position after the face turns of an effect.
#[inline]
pub(super) fn applied(moves: &[Option<Move>; 2], cube: &Cube) -> Cube {
    moves.iter().flatten().fold(*cube, |cube, &m| cube.apply(m))
}

impl FaceEffect {
    /// Returns the face turns of these effects, and the inverses of these face turns.
    pub fn moves(effects: &[FaceEffect]) -> Vec<Move> {
        let moves = effects.iter().flat_map(|effect| effect.moves).flatten();
        let moves: BTreeSet<Move> = moves.flat_map(|m| [m, m.inverse()]).collect();
        moves.into_iter().collect()
    }
}

/// The effect of a turn in one orientation of the cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnInFrame {
    /// The face turns that have the same effect, in the frame of the centers.
    pub moves: [Option<Move>; 2],
    /// Orientation of the cube after the turn.
    pub frame: u8,
}

/// The allowed turns, prepared for the search: their effects in each orientation of the cube, and
/// the automaton of the canonical sequences.
pub(super) struct RunAutomaton {
    pub turns: Vec<(LayerTurn, u8)>,
    /// By orientation of the cube and by turn. An orientation is the number of the symmetry that
    /// carries each face of the holder's frame to that face in the frame of the centers.
    turns_in_frames: Vec<Vec<TurnInFrame>>,
    /// By state and turn: the next state; `None` if the turn may not follow.
    next: Vec<Vec<Option<u8>>>,
    /// The last runs of the states from 1 on, in order.
    pub runs: CheapestRuns,
    /// The axis of the last run, by state.
    axes: Vec<Option<Axis>>,
}

/// The total angles of the layers of an axis, in quarter turns.
pub(super) type LayerAngles = [u8; 3];
/// The effect of a run: its axis and its sum.
pub(super) type AxisRun = (Axis, LayerAngles);
/// The cheapest run for each sum about each axis.
pub(super) type CheapestRuns = BTreeMap<AxisRun, CheapestRun>;

/// A run, ordered by cost, then by number of turns, then by its turns.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CheapestRun {
    pub cost: u32,
    pub length: usize,
    pub turns: Vec<usize>,
}

/// The state of the empty sequence.
pub(super) const START: u8 = 0;

impl RunAutomaton {
    pub fn new(turns: &TurnSet) -> RunAutomaton {
        let turns = turns.allowed.clone();
        let turns_in_frame = |frame: Symmetry| {
            let in_frame = |&(turn, _): &(LayerTurn, u8)| {
                let mut moves = turn.face_turns().map(|m| frame.conjugate_move(m));
                // After a rotation, a face of the holder's frame is the face that the rotation has
                // carried there.
                let frame = turn.rotation().inverse().then(frame);
                TurnInFrame {
                    moves: [moves.next(), moves.next()],
                    frame: frame.index() as u8,
                }
            };
            turns.iter().map(in_frame).collect()
        };
        let runs = cheapest_runs(&turns);
        let axes = runs.keys().map(|&(axis, _)| Some(axis));
        RunAutomaton {
            turns_in_frames: Symmetry::all().map(turns_in_frame).collect(),
            next: automaton(&turns, &runs),
            axes: std::iter::once(None).chain(axes).collect(),
            runs,
            turns,
        }
    }

    /// Returns the axis of the last run; `None` for the empty sequence.
    #[inline(always)]
    pub fn axis_of(&self, state: u8) -> Option<Axis> {
        self.axes[usize::from(state)]
    }

    /// Returns the canonical sequence with these runs, if there is one.
    pub fn cheapest(&self, runs: &[AxisRun]) -> Option<Vec<usize>> {
        let runs = runs.iter().map(|run| Some(&self.runs.get(run)?.turns[..]));
        Some(runs.collect::<Option<Vec<&[usize]>>>()?.concat())
    }

    /// Returns the turns with these indices.
    pub fn turns_of(&self, path: &[usize]) -> Vec<LayerTurn> {
        path.iter().map(|&turn| self.turns[turn].0).collect()
    }

    pub fn cost(&self, path: &[usize]) -> u32 {
        path.iter().map(|&turn| u32::from(self.turns[turn].1)).sum()
    }

    /// Returns the prefixes that end within a run, for every order of its turns that is as cheap:
    /// the runs before it, and the cheapest turns for the part of it that is done.
    pub fn prefixes(&self, path: &[usize]) -> Vec<Vec<usize>> {
        let axis = |turn: usize| self.turns[turn].0.axis();
        let mut prefixes = Vec::new();
        let mut start = 0;
        for run in path.chunk_by(|&one, &next| axis(one) == axis(next)) {
            let parts = self.parts_of_run(run);
            prefixes.extend(parts.map(|part| [&path[..start], part].concat()));
            start += run.len();
        }
        prefixes
    }

    /// Returns the proper parts of a run that may come first without raising its cost.
    fn parts_of_run(&self, run: &[usize]) -> impl Iterator<Item = &[usize]> {
        let axis = self.turns[run[0]].0.axis();
        let whole = total_angles(&self.turns_of(run));
        let mut parts = Vec::new();
        // A run of cost one has no parts.
        if self.cost(run) > 1 {
            let steps = |done| self.steps((axis, whole), done).map(|(_, part)| part);
            parts = reach_all(vec![[0; 3]], steps);
            parts.retain(|&part| part != [0; 3] && part != whole);
        }
        let runs = parts.into_iter().map(move |part| &self.runs[&(axis, part)]);
        runs.map(|run| &run.turns[..])
    }

    /// Returns the turns that may come next in a run of minimum cost after its part `done`, each
    /// with the part that is then done.
    pub fn steps(
        &self,
        (axis, whole): AxisRun,
        done: LayerAngles,
    ) -> impl Iterator<Item = (usize, LayerAngles)> {
        let remaining_cost = move |part: LayerAngles| match difference(whole, part) {
            [0, 0, 0] => Some(0),
            angles => Some(self.runs.get(&(axis, angles))?.cost),
        };
        let turns = self.turns.iter().enumerate();
        turns.filter_map(move |(number, &(turn, cost))| {
            let part = sum(done, turn.layer_quarters());
            let is_next = turn.axis() == axis
                && Some(remaining_cost(part)? + u32::from(cost)) == remaining_cost(done);
            is_next.then_some((number, part))
        })
    }

    /// Returns the effect of a turn in this orientation of the cube.
    #[inline(always)]
    pub fn turn_in_frame(&self, frame: u8, turn: usize) -> TurnInFrame {
        self.turns_in_frames[usize::from(frame)][turn]
    }

    /// Returns for each turn the state after it, if it may follow.
    #[inline(always)]
    pub fn after(&self, state: u8) -> &[Option<u8>] {
        &self.next[usize::from(state)]
    }

    /// Returns the effects of the turns in all orientations that the turns lead to from `frames`,
    /// sorted by cost.
    pub fn effects(&self, frames: &[Symmetry]) -> Vec<FaceEffect> {
        let initial = frames.iter().map(|frame| frame.index() as u8);
        let turns_in = |frame: u8| self.turns_in_frames[usize::from(frame)].iter();
        let reached = reach_all(initial.collect(), |frame| {
            turns_in(frame).map(|turn| turn.frame)
        });
        let mut costs = BTreeMap::new();
        let turns = reached.into_iter().flat_map(turns_in);
        for (turn, &(_, cost)) in turns.zip(self.turns.iter().cycle()) {
            let mut moves = turn.moves;
            moves.sort_unstable();
            if moves != [None; 2] {
                let least = costs.entry(moves).or_insert(cost);
                *least = cost.min(*least);
            }
        }
        let effect = |(moves, cost)| FaceEffect { moves, cost };
        let mut effects: Vec<FaceEffect> = costs.into_iter().map(effect).collect();
        effects.sort_by_key(|effect| effect.cost);
        effects
    }
}

/// Adds to `reached` all elements that repeated steps lead to.
pub(super) fn reach_all<T: Copy + PartialEq, I: Iterator<Item = T>>(
    mut reached: Vec<T>,
    step: impl Fn(T) -> I,
) -> Vec<T> {
    let mut expanded = 0;
    while let Some(&element) = reached.get(expanded) {
        expanded += 1;
        for next in step(element) {
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    reached
}

/// Returns the runs of a sequence.
pub(super) fn runs_of(turns: &[LayerTurn]) -> Vec<AxisRun> {
    turns
        .chunk_by(|one, next| one.axis() == next.axis())
        .map(|run| (run[0].axis(), total_angles(run)))
        .collect()
}

fn total_angles(turns: &[LayerTurn]) -> LayerAngles {
    turns
        .iter()
        .fold([0; 3], |total, turn| sum(total, turn.layer_quarters()))
}

fn sum(one: LayerAngles, other: LayerAngles) -> LayerAngles {
    std::array::from_fn(|layer| (one[layer] + other[layer]) % 4)
}

fn difference(whole: LayerAngles, part: LayerAngles) -> LayerAngles {
    std::array::from_fn(|layer| (4 + whole[layer] - part[layer]) % 4)
}

/// Returns the cheapest runs. Each is a cheapest run, or the empty one, and one more turn.
fn cheapest_runs(turns: &[(LayerTurn, u8)]) -> CheapestRuns {
    let empty = CheapestRun {
        cost: 0,
        length: 0,
        turns: Vec::new(),
    };
    let mut runs = CheapestRuns::new();
    let mut queue = VecDeque::from(Axis::ALL.map(|axis| ((axis, [0; 3]), empty.clone())));
    while let Some(((axis, angles), run)) = queue.pop_front() {
        for (number, &(turn, cost)) in turns.iter().enumerate() {
            if turn.axis() != axis {
                continue;
            }
            let angles = sum(angles, turn.layer_quarters());
            let longer = CheapestRun {
                cost: run.cost + u32::from(cost),
                length: run.length + 1,
                turns: [&run.turns[..], &[number]].concat(),
            };
            let known = runs.get(&(axis, angles));
            if angles != [0; 3] && known.is_none_or(|known| longer < *known) {
                runs.insert((axis, angles), longer.clone());
                queue.push_back(((axis, angles), longer));
            }
        }
    }
    runs
}

/// Returns for each state the next state after each turn. State 0 is the empty sequence; every
/// other state is the last run of a sequence.
fn automaton(turns: &[(LayerTurn, u8)], runs: &CheapestRuns) -> Vec<Vec<Option<u8>>> {
    let runs = runs
        .iter()
        .map(|(run, cheapest)| (Some(run.0), &cheapest.turns[..]));
    let states: Vec<(Option<Axis>, &[usize])> =
        std::iter::once((None, &[][..])).chain(runs).collect();
    let numbers: HashMap<&[usize], u8> = states.iter().map(|state| state.1).zip(0..).collect();
    let next = |&(axis, run): &(Option<Axis>, &[usize])| {
        let after = |(number, (turn, _)): (usize, &(LayerTurn, u8))| {
            let last = if axis == Some(turn.axis()) { run } else { &[] };
            numbers.get(&[last, &[number]].concat()[..]).copied()
        };
        turns.iter().enumerate().map(after).collect()
    };
    states.iter().map(next).collect()
}
