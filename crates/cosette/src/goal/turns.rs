//! The allowed turns, their costs, and the canonical sequences of turns.
//!
//! # Sequences
//!
//! The layers of one axis turn independently: the effect of a run of turns about one axis is the
//! total angle of each of its three layers, one of 64 *sums*. Turns about one axis commute, so
//! every sequence of turns has the same effect, for no more cost, as one in which each run is the
//! cheapest one for its sum: the one with the minimum cost, then with the fewest turns, then with
//! the turns that were given first, in their order. Exactly these sequences are searched, so none
//! is lost and none is repeated. Every prefix of a cheapest run is a cheapest run (if there were a
//! cheaper one, the whole would be cheaper with it), so an automaton generates them: its states are
//! the runs that may stand at the end of a sequence.

use crate::cube::{
    Axis, Cube, Face, LayerTurn, Metric, Move, ParseOptions, Symmetry, Turn, parse_turns, quoted,
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

impl TurnMetric {
    /// All metrics.
    pub const ALL: [TurnMetric; 5] = [
        TurnMetric::Htm,
        TurnMetric::Qtm,
        TurnMetric::Stm,
        TurnMetric::Qstm,
        TurnMetric::Etm,
    ];

    /// Returns the short name.
    pub const fn name(self) -> &'static str {
        ["htm", "qtm", "stm", "qstm", "etm"][self as usize]
    }

    /// Returns the metric of face turns.
    pub const fn face_metric(self) -> Metric {
        match self {
            TurnMetric::Htm | TurnMetric::Stm | TurnMetric::Etm => Metric::Htm,
            TurnMetric::Qtm | TurnMetric::Qstm => Metric::Qtm,
        }
    }

    /// Returns the default turns: face turns; also slice turns if the metric counts them as one;
    /// also wide turns and rotations if it counts every turn as one.
    pub const fn default_turns(self) -> &'static str {
        match self {
            TurnMetric::Htm | TurnMetric::Qtm => "U R F D L B",
            TurnMetric::Stm | TurnMetric::Qstm => "U R F D L B M E S",
            TurnMetric::Etm => "U R F D L B M E S u r f d l b x y z",
        }
    }

    /// Returns the cost of a turn.
    pub fn cost(self, turn: LayerTurn) -> u8 {
        let half = if matches!(self, TurnMetric::Qtm | TurnMetric::Qstm) && turn.is_half_turn() {
            2
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
        match metric {
            Metric::Htm => TurnMetric::Htm,
            Metric::Qtm => TurnMetric::Qtm,
        }
    }
}

/// The error for an unknown metric name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a metric; use htm, qtm, stm, qstm or etm")]
pub struct UnknownTurnMetric(String);

impl FromStr for TurnMetric {
    type Err = UnknownTurnMetric;

    fn from_str(name: &str) -> Result<TurnMetric, UnknownTurnMetric> {
        let named = TurnMetric::ALL
            .into_iter()
            .find(|metric| metric.name() == name);
        named.ok_or_else(|| UnknownTurnMetric(name.to_owned()))
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
        let text: Vec<String> = Face::ALL.map(|face| face.to_string()).to_vec();
        TurnSet::parse(&text.join(" "), metric, "")
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

    /// Returns a turn that is in no solution, because others about the same axis have its effect
    /// for less; `None` if there is none.
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

/// Writes the turns, those of a layer together.
impl fmt::Display for TurnSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = Vec::new();
        for &(turn, _) in &self.allowed {
            let quarter = turn.with_turn(Turn::Clockwise);
            let has = |amount| {
                self.allowed
                    .iter()
                    .any(|&(other, _)| other == quarter.with_turn(amount))
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
        f.write_str(&names.join(" "))
    }
}

/// Parses costs, such as `R2=2 B=3`. A name of three turns gives way to a name of one of them.
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
                let known = allowed.iter_mut().find(|(other, _)| *other == turn);
                known.ok_or(TurnSetError::CostWithoutTurn(turn))?.1 = cost;
            }
        }
    }
    Ok(())
}

/// Parses the names of turns: a name without an amount denotes three, one with a plus the clockwise
/// one.
fn parse_names(text: &str) -> Result<Vec<LayerTurn>, TurnSetError> {
    let mut turns = Vec::new();
    // Words that end with a plus are read one by one.
    let words = if text.contains('+') {
        text.split_whitespace().collect()
    } else {
        vec![text]
    };
    for word in words {
        let (name, is_alone) = word
            .strip_suffix('+')
            .map_or((word, false), |name| (name, true));
        if is_alone && name.is_empty() {
            return Err(TurnSetError::LonePlus);
        }
        for turn in parse_turns(name, &ParseOptions::default())? {
            match turn.turn() {
                Some(Turn::Clockwise) if !is_alone => {
                    turns.extend(Turn::ALL.map(|amount| turn.with_turn(amount)))
                }
                Some(_) => turns.push(turn),
                None => return Err(TurnSetError::NoEffect(turn.with_turn(Turn::Clockwise))),
            }
        }
    }
    Ok(turns)
}

/// The effect of a turn on the pieces in the frame of the centers: the faces that turn, and the
/// minimum cost of such a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceEffect {
    pub moves: [Option<Move>; 2],
    pub cost: u8,
}

impl FaceEffect {
    /// Returns the face turns that make up these effects, and their inverses.
    pub fn moves(effects: &[FaceEffect]) -> Vec<Move> {
        let moves = effects
            .iter()
            .flat_map(|effect| effect.moves)
            .flatten()
            .flat_map(|m| [m, m.inverse()]);
        moves.collect::<BTreeSet<Move>>().into_iter().collect()
    }

    /// Returns the position after this effect on the solved cube.
    pub fn cube(&self) -> Cube {
        self.moves
            .iter()
            .flatten()
            .fold(Cube::SOLVED, |cube, &m| cube.apply(m))
    }
}

/// The effect of a turn in one orientation of the cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnInFrame {
    /// The faces that turn, in the frame of the centers.
    pub moves: [Option<Move>; 2],
    /// Orientation of the cube after the turn.
    pub frame: u8,
}

impl TurnInFrame {
    #[inline]
    pub fn apply(&self, cube: &Cube) -> Cube {
        let moves = self.moves.iter().flatten();
        moves.fold(*cube, |cube, &m| cube.apply(m))
    }
}

/// The turns prepared for the search: the effect of each in each orientation, and the automaton of
/// the sequences.
pub(super) struct RunAutomaton {
    pub turns: Vec<(LayerTurn, u8)>,
    /// By orientation, as the number of the symmetry that carries each face of the holder's frame
    /// to the face of the centers; and by turn.
    turns_in_frames: Vec<Vec<TurnInFrame>>,
    /// By state, for each turn: the next state, or none.
    next: Vec<Vec<Option<u8>>>,
    pub runs: CheapestRuns,
    /// The axis of the last run, by state.
    axes: Vec<Option<Axis>>,
}

/// The total angles of the layers of an axis, in quarter turns.
pub(super) type LayerAngles = [u8; 3];
/// The effect of a run.
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
        let turns_in_frame = |frame| {
            let frame = Symmetry::from_index(frame);
            let in_frame = |&(turn, _): &(LayerTurn, u8)| {
                let mut moves = turn.face_turns().map(|m| frame.conjugate_move(m));
                // After a rotation, the holder's faces are those that the turn has carried there.
                let frame = turn.rotation().inverse().then(frame);
                TurnInFrame {
                    moves: [moves.next(), moves.next()],
                    frame: frame.index() as u8,
                }
            };
            turns.iter().map(in_frame).collect()
        };
        let runs = cheapest_runs(&turns);
        let axes = std::iter::once(None)
            .chain(runs.keys().map(|&(axis, _)| Some(axis)))
            .collect();
        RunAutomaton {
            turns_in_frames: (0..Symmetry::COUNT).map(turns_in_frame).collect(),
            next: automaton(&turns, &runs),
            runs,
            axes,
            turns,
        }
    }

    /// Returns the axis of the last run.
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

    /// Returns other prefixes of a sequence: its turns up to some run, of which only a part is
    /// done. Only parts are left out that may as well come last.
    pub fn prefixes<'a>(&'a self, path: &'a [usize]) -> impl Iterator<Item = Vec<usize>> + 'a {
        let axis = move |turn: usize| self.turns[turn].0.axis();
        let runs = path.chunk_by(move |&one, &next| axis(one) == axis(next));
        runs.scan(0, |end, run| {
            *end += run.len();
            Some((*end - run.len(), run))
        })
        .flat_map(move |(start, run)| {
            let parts = self.parts_of_run(run);
            parts.map(move |part| [&path[..start], part].concat())
        })
    }

    /// Returns the parts of a run with which it costs as much as without an intermediate stop.
    fn parts_of_run(&self, run: &[usize]) -> impl Iterator<Item = &[usize]> {
        let axis = self.turns[run[0]].0.axis();
        let whole = total_angles(&self.turns_of(run));
        let cost = move |angles: LayerAngles| Some(self.runs.get(&(axis, angles))?.cost);
        // A run of cost one has no parts.
        let whole_cost = cost(whole).filter(|&cost| cost > 1);
        let all = whole_cost.map(|_| self.runs.range((axis, [0; 3])..=(axis, [3; 3])));
        let parts = all.into_iter().flatten();
        parts.filter_map(move |(&(_, angles), part)| {
            let rest = cost(difference(whole, angles))?;
            (Some(part.cost + rest) == whole_cost).then_some(&part.turns[..])
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

    /// Returns all effects of the turns in the orientations that are reached from these; by cost.
    pub fn effects(&self, frames: &[Symmetry]) -> Vec<FaceEffect> {
        let mut reached: Vec<u8> = frames.iter().map(|frame| frame.index() as u8).collect();
        let mut costs: BTreeMap<Vec<Move>, u8> = BTreeMap::new();
        let mut done = 0;
        while let Some(&frame) = reached.get(done) {
            done += 1;
            for (turn, &(_, cost)) in self.turns.iter().enumerate() {
                let turn = self.turn_in_frame(frame, turn);
                let mut moves: Vec<Move> = turn.moves.into_iter().flatten().collect();
                moves.sort_unstable();
                if !moves.is_empty() {
                    let least = costs.entry(moves).or_insert(cost);
                    *least = cost.min(*least);
                }
                if !reached.contains(&turn.frame) {
                    reached.push(turn.frame);
                }
            }
        }
        let effect = |(moves, cost): (Vec<Move>, u8)| FaceEffect {
            moves: [Some(moves[0]), moves.get(1).copied()],
            cost,
        };
        let mut effects: Vec<FaceEffect> = costs.into_iter().map(effect).collect();
        effects.sort_by_key(|effect| effect.cost);
        effects
    }
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

pub(super) fn sum(one: LayerAngles, other: LayerAngles) -> LayerAngles {
    std::array::from_fn(|layer| (one[layer] + other[layer]) % 4)
}

pub(super) fn difference(whole: LayerAngles, part: LayerAngles) -> LayerAngles {
    std::array::from_fn(|layer| (4 + whole[layer] - part[layer]) % 4)
}

/// Returns the cheapest runs: each is a cheapest run and one more turn, or one turn.
fn cheapest_runs(turns: &[(LayerTurn, u8)]) -> CheapestRuns {
    let mut runs = CheapestRuns::new();
    for axis in Axis::ALL {
        let empty = CheapestRun {
            cost: 0,
            length: 0,
            turns: Vec::new(),
        };
        let mut shorter = VecDeque::from([([0; 3], empty)]);
        while let Some((angles, run)) = shorter.pop_front() {
            for (number, &(turn, turn_cost)) in turns.iter().enumerate() {
                if turn.axis() != axis {
                    continue;
                }
                let angles = sum(angles, turn.layer_quarters());
                let longer = CheapestRun {
                    cost: run.cost + u32::from(turn_cost),
                    length: run.length + 1,
                    turns: [&run.turns[..], &[number]].concat(),
                };
                let known = runs.get(&(axis, angles));
                if angles != [0; 3] && known.is_none_or(|known| longer < *known) {
                    runs.insert((axis, angles), longer.clone());
                    shorter.push_back((angles, longer));
                }
            }
        }
    }
    runs
}

/// Returns for each state the next state after each turn. State 0 is that of the empty sequence,
/// the others are runs.
fn automaton(turns: &[(LayerTurn, u8)], runs: &CheapestRuns) -> Vec<Vec<Option<u8>>> {
    let runs = runs
        .iter()
        .map(|(&(axis, _), run)| (Some(axis), &run.turns[..]));
    let states: Vec<(Option<Axis>, &[usize])> =
        std::iter::once((None, &[][..])).chain(runs).collect();
    let numbers: HashMap<&[usize], u8> = states
        .iter()
        .zip(0..)
        .map(|(&(_, run), state)| (run, state))
        .collect();
    let next = |&(axis, run): &(Option<Axis>, &[usize])| {
        let after = |(number, (turn, _)): (usize, &(LayerTurn, u8))| {
            let last = if axis == Some(turn.axis()) { run } else { &[] };
            numbers.get(&[last, &[number]].concat()[..]).copied()
        };
        turns.iter().enumerate().map(after).collect()
    };
    states.iter().map(next).collect()
}
