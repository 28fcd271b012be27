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

use super::coordinate::Coordinate;
use crate::cube::{
    Axis, Cube, Face, LayerTurn, Metric, Move, ParseOptions, Symmetry, Turn, parse_turns, quoted,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
        "`{0}` costs nothing, so it could be repeated forever; give it a cost, for example `{0}=1`, or use the metric etm"
    )]
    ZeroCost(LayerTurn),
    /// A plus that does not follow a turn.
    #[error("`+` does not follow a move; write it directly after one, for example `R+`")]
    LonePlus,
    /// A turn that has a name but no effect.
    #[error(
        "a multiple of four turns of `{0}` has no effect; remove it, or write `{0}`, `{0}2` or `{0}'`"
    )]
    NoEffect(LayerTurn),
    /// A cost that is not a number from 1 to 100.
    #[error(
        "`{0}` is not a cost; write a move and a number from 1 to {MAX_TURN_COST}, for example `R2=2`"
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
        for turn in named(text)? {
            if !allowed.iter().any(|&(other, _)| other == turn) {
                allowed.push((turn, metric.cost(turn)));
            }
        }
        // A name of three turns gives way to a name of one of them.
        for is_general in [true, false] {
            let mut costlier = Vec::new();
            let words = costs.split(|c: char| c.is_whitespace() || ",;".contains(c));
            for text in words.filter(|word| !word.is_empty()) {
                let not_a_cost = || TurnSetError::NotACost(quoted(text));
                let (turn, cost) = text
                    .rsplit_once('=')
                    .filter(|(turn, _)| !turn.is_empty())
                    .ok_or_else(not_a_cost)?;
                let cost = cost
                    .parse()
                    .ok()
                    .filter(|cost| (1..=MAX_TURN_COST).contains(cost))
                    .ok_or_else(not_a_cost)?;
                let mut turns = named(turn)?;
                turns.dedup();
                for turn in turns.iter().filter(|_| (turns.len() > 1) == is_general) {
                    if costlier.contains(turn) {
                        return Err(TurnSetError::CostTwice(*turn));
                    }
                    costlier.push(*turn);
                    let allowed = allowed.iter_mut().find(|(other, _)| other == turn);
                    allowed.ok_or(TurnSetError::CostWithoutTurn(*turn))?.1 = cost;
                }
            }
        }
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
                .is_some_and(|run| run.0 < u32::from(cost))
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

/// Parses the names of turns: a name without an amount denotes three, one with a plus the clockwise
/// one.
fn named(text: &str) -> Result<Vec<LayerTurn>, TurnSetError> {
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
    moves: [Option<Move>; 2],
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

    /// Returns the pattern before the effect, for each pattern after it.
    pub fn undone(&self, coordinate: &Coordinate) -> Vec<u32> {
        let undone = |pattern| {
            self.moves
                .iter()
                .flatten()
                .fold(pattern, |pattern, m| coordinate.after(pattern, m.inverse()))
        };
        (0..coordinate.len() as u32).map(undone).collect()
    }
}

/// The effect of a turn in one orientation of the cube.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnInFrame {
    /// The faces that turn, in the frame of the centers.
    pub moves: [Option<Move>; 2],
    /// Orientation of the cube after the turn.
    pub held: u8,
}

/// The turns prepared for the search: the effect of each in each orientation, and the automaton of
/// the sequences.
pub(super) struct RunAutomaton {
    pub turns: Vec<(LayerTurn, u8)>,
    /// By orientation, as the number of the symmetry that carries each face of the holder's frame
    /// to the face of the centers; and by turn.
    acting: Vec<Vec<TurnInFrame>>,
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
/// The cheapest run for each sum about each axis: its cost, its length, and its turns.
pub(super) type CheapestRuns = BTreeMap<AxisRun, (u32, usize, Vec<usize>)>;

/// The state of the empty sequence.
pub(super) const START: u8 = 0;

impl RunAutomaton {
    pub fn new(turns: &TurnSet) -> RunAutomaton {
        let turns = turns.allowed.clone();
        let acting = (0..Symmetry::COUNT).map(|held| {
            let held = Symmetry::from_index(held);
            let acts = |&(turn, _): &(LayerTurn, u8)| {
                let mut moves = turn.face_turns().map(|m| held.conjugate_move(m));
                // After a rotation, the holder's faces are those that the turn has carried there.
                let held = turn.rotation().inverse().then(held);
                TurnInFrame {
                    moves: [moves.next(), moves.next()],
                    held: held.index() as u8,
                }
            };
            turns.iter().map(acts).collect()
        });
        let runs = cheapest_runs(&turns);
        let axes = std::iter::once(None)
            .chain(runs.keys().map(|&(axis, _)| Some(axis)))
            .collect();
        RunAutomaton {
            acting: acting.collect(),
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
        let parts: Option<Vec<&[usize]>> = runs
            .iter()
            .map(|run| self.runs.get(run).map(|run| &run.2[..]))
            .collect();
        parts.map(|parts| parts.concat())
    }

    pub fn cost(&self, path: &[usize]) -> u32 {
        path.iter().map(|&turn| u32::from(self.turns[turn].1)).sum()
    }

    /// Returns other prefixes of a sequence: its turns up to some run, of which only a part is
    /// done. Only parts are left out that may as well come last.
    pub fn beginnings<'a>(&'a self, path: &'a [usize]) -> impl Iterator<Item = Vec<usize>> + 'a {
        let runs =
            path.chunk_by(|&one, &next| self.turns[one].0.axis() == self.turns[next].0.axis());
        runs.scan(0, |done, run| {
            *done += run.len();
            Some((*done - run.len(), run))
        })
        .flat_map(move |(before, run)| {
            let axis = self.turns[run[0]].0.axis();
            let whole = run.iter().fold([0; 3], |sum, &turn| {
                added(sum, self.turns[turn].0.layer_quarters())
            });
            let cost = move |sum: LayerAngles| self.runs.get(&(axis, sum)).map(|run| run.0);
            let is_on_the_way = move |sum: LayerAngles| {
                let rest = std::array::from_fn(|layer| (4 + whole[layer] - sum[layer]) % 4);
                cost(sum)
                    .zip(cost(rest))
                    .zip(cost(whole))
                    .is_some_and(|((cost, rest), whole)| cost + rest == whole)
            };
            // A run of cost one has no parts.
            let has_parts = cost(whole).is_some_and(|cost| cost > 1);
            let all = has_parts.then(|| self.runs.range((axis, [0; 3])..=(axis, [3; 3])));
            let parts = all
                .into_iter()
                .flatten()
                .filter(move |((_, sum), _)| is_on_the_way(*sum));
            parts.map(move |(_, (_, _, part))| [&path[..before], part].concat())
        })
    }

    /// Returns the effect of a turn in this orientation of the cube.
    #[inline(always)]
    pub fn acting(&self, held: u8, turn: usize) -> TurnInFrame {
        self.acting[usize::from(held)][turn]
    }

    /// Returns for each turn the state after it, if it may follow.
    #[inline(always)]
    pub fn after(&self, state: u8) -> &[Option<u8>] {
        &self.next[usize::from(state)]
    }

    /// Returns all effects of the turns in the orientations that are reached from these; by cost.
    pub fn effects(&self, holdings: &[Symmetry]) -> Vec<FaceEffect> {
        let mut reached: Vec<u8> = holdings.iter().map(|held| held.index() as u8).collect();
        let (mut effects, mut done): (BTreeMap<Vec<Move>, u8>, usize) = (BTreeMap::new(), 0);
        while let Some(&held) = reached.get(done) {
            done += 1;
            for (turn, &(_, cost)) in self.turns.iter().enumerate() {
                let TurnInFrame { moves, held } = self.acting(held, turn);
                let mut moves: Vec<Move> = moves.into_iter().flatten().collect();
                moves.sort_unstable();
                if !moves.is_empty() {
                    let least = effects.entry(moves).or_insert(cost);
                    *least = cost.min(*least);
                }
                if !reached.contains(&held) {
                    reached.push(held);
                }
            }
        }
        let effect = |(moves, cost): (Vec<Move>, u8)| FaceEffect {
            moves: [Some(moves[0]), moves.get(1).copied()],
            cost,
        };
        let mut effects: Vec<FaceEffect> = effects.into_iter().map(effect).collect();
        effects.sort_by_key(|effect| effect.cost);
        effects
    }
}

/// Returns the runs of a sequence.
pub(super) fn runs_of(turns: &[LayerTurn]) -> Vec<AxisRun> {
    let run = |run: &[LayerTurn]| {
        (
            run[0].axis(),
            run.iter()
                .fold([0; 3], |sum, turn| added(sum, turn.layer_quarters())),
        )
    };
    turns
        .chunk_by(|one, next| one.axis() == next.axis())
        .map(run)
        .collect()
}

pub(super) fn added(sum: LayerAngles, quarters: LayerAngles) -> LayerAngles {
    std::array::from_fn(|layer| (sum[layer] + quarters[layer]) % 4)
}

/// Returns the cheapest runs: each is a cheapest run and one more turn, or one turn.
fn cheapest_runs(turns: &[(LayerTurn, u8)]) -> CheapestRuns {
    let mut runs = CheapestRuns::new();
    for axis in Axis::ALL {
        let mut shorter = vec![((axis, [0; 3]), (0, 0, Vec::new()))];
        while !shorter.is_empty() {
            let mut better = Vec::new();
            for ((_, sum), (cost, length, run)) in shorter {
                for (number, &(turn, turn_cost)) in turns
                    .iter()
                    .enumerate()
                    .filter(|(_, (turn, _))| turn.axis() == axis)
                {
                    let sum = (axis, added(sum, turn.layer_quarters()));
                    let longer = (
                        cost + u32::from(turn_cost),
                        length + 1,
                        [&run[..], &[number]].concat(),
                    );
                    if sum.1 != [0; 3] && runs.get(&sum).is_none_or(|known| longer < *known) {
                        runs.insert(sum, longer.clone());
                        better.push((sum, longer));
                    }
                }
            }
            shorter = better;
        }
    }
    runs
}

/// Returns for each state the next state after each turn. State 0 is that of the empty sequence,
/// the others are runs.
fn automaton(turns: &[(LayerTurn, u8)], runs: &CheapestRuns) -> Vec<Vec<Option<u8>>> {
    let states: Vec<(Option<Axis>, &[usize])> = std::iter::once((None, &[][..]))
        .chain(
            runs.iter()
                .map(|(&(axis, _), (_, _, run))| (Some(axis), &run[..])),
        )
        .collect();
    let numbers: HashMap<&[usize], u8> = states
        .iter()
        .zip(0..)
        .map(|(&(_, run), state)| (run, state))
        .collect();
    let next = |&(axis, run): &(Option<Axis>, &[usize])| {
        let after = |(number, (turn, _)): (usize, &(LayerTurn, u8))| match axis == Some(turn.axis())
        {
            true => numbers.get(&[run, &[number]].concat()[..]).copied(),
            false => numbers.get(&[number][..]).copied(),
        };
        turns.iter().enumerate().map(after).collect()
    };
    states.iter().map(next).collect()
}
