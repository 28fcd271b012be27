//! The turns that are allowed, what they cost, and the sequences of them that are tried.
//!
//! # Sequences
//!
//! The layers of one axis turn independently: what a run of turns about one axis does is how far each of its three layers has
//! turned in the end, one of 64 *sums*. Turns about one axis commute, so every sequence of turns has the same effect, for no more
//! cost, as one in which each run is the cheapest one for its sum: the one with the least cost, then with the fewest turns, then
//! with the turns that were given first, in their order. Exactly these sequences are tried, so none is lost and none is there
//! twice. Every beginning of a cheapest run is a cheapest run (if there were a cheaper one, the whole would be cheaper with it), so
//! an automaton finds them: its states are the runs that may stand at the end of a sequence.

use super::coordinate::Coordinate;
use crate::cube::{Axis, Cube, Face, LayerTurn, Metric, Move, ReadOptions, Symmetry, Turn, parse_turns, quoted};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;

/// What a turn may cost, at most.
const DEAREST: u8 = 100;

/// How turns are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum TurnMetric {
    /// Every turn of a face or of two layers counts one, of a slice two, of the whole cube nothing.
    #[default]
    Htm,
    /// As `Htm`, and half turns count twice.
    Qtm,
    /// Slice turns: every turn of some layers counts one, of the whole cube nothing.
    Stm,
    /// As `Stm`, and half turns count twice.
    Qstm,
    /// Execution turns: every turn counts one, also of the whole cube.
    Etm,
}

impl TurnMetric {
    /// All of them.
    pub const ALL: [TurnMetric; 5] =
        [TurnMetric::Htm, TurnMetric::Qtm, TurnMetric::Stm, TurnMetric::Qstm, TurnMetric::Etm];

    /// The short name.
    pub const fn name(self) -> &'static str {
        ["htm", "qtm", "stm", "qstm", "etm"][self as usize]
    }

    /// How turns of faces count.
    pub const fn of_faces(self) -> Metric {
        match self {
            TurnMetric::Htm | TurnMetric::Stm | TurnMetric::Etm => Metric::Htm,
            TurnMetric::Qtm | TurnMetric::Qstm => Metric::Qtm,
        }
    }

    /// The turns that are usual where these are counted: those of faces, of slices where they count one, of two layers and of the
    /// whole cube where every turn counts.
    pub const fn usual_turns(self) -> &'static str {
        match self {
            TurnMetric::Htm | TurnMetric::Qtm => "U R F D L B",
            TurnMetric::Stm | TurnMetric::Qstm => "U R F D L B M E S",
            TurnMetric::Etm => "U R F D L B M E S u r f d l b x y z",
        }
    }

    /// What a turn counts.
    pub fn cost(self, turn: LayerTurn) -> u8 {
        let half = if matches!(self, TurnMetric::Qtm | TurnMetric::Qstm) && turn.is_half_turn() { 2 } else { 1 };
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

/// No metric has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a metric; metrics are htm, qtm, stm, qstm and etm")]
pub struct UnknownTurnMetric(String);

impl FromStr for TurnMetric {
    type Err = UnknownTurnMetric;

    fn from_str(name: &str) -> Result<TurnMetric, UnknownTurnMetric> {
        let named = TurnMetric::ALL.into_iter().find(|metric| metric.name() == name);
        named.ok_or_else(|| UnknownTurnMetric(name.to_owned()))
    }
}

/// Why turns cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages are the documentation of the fields
pub enum TurnsError {
    /// The text is no list of turns.
    #[error(transparent)]
    Read(#[from] crate::ReadError),
    /// There is no turn.
    #[error("no turn is allowed; name some, as in `R U F2 r M`")]
    None,
    /// A turn that does nothing, or costs nothing, can be repeated without end.
    #[error(
        "`{0}` costs nothing, so it could be done without end; give it a cost, as in `{0}=1`, or count all turns: etm"
    )]
    Free(LayerTurn),
    /// A plus that belongs to no turn.
    #[error("`+` stands alone; write it directly after a turn, as in `R+`")]
    LonePlus,
    /// A turn that is named but does nothing.
    #[error("a turn of `{0}` does nothing, as `{0}^4` would; leave it out, or write `{0}`, `{0}2` or `{0}'`")]
    Nothing(LayerTurn),
    /// A cost that is no number.
    #[error("`{0}` is not a cost; write a turn and a number from 1 to {DEAREST}, as in `R2=2`")]
    NotACost(String),
    /// Two costs of a turn.
    #[error("`{0}` has two costs; leave one of them out")]
    CostTwice(LayerTurn),
    /// A cost of a turn that is not allowed.
    #[error("`{0}` has a cost but is not one of the turns; leave it out or allow it")]
    CostOfNone(LayerTurn),
}

/// Turns that may be made, in order of preference, and what each costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turns {
    allowed: Vec<(LayerTurn, u8)>,
}

impl Default for Turns {
    /// The eighteen turns of faces, each of cost one.
    fn default() -> Turns {
        Turns::of_faces(TurnMetric::Htm)
    }
}

impl Turns {
    /// The eighteen turns of faces.
    pub fn of_faces(metric: TurnMetric) -> Turns {
        let text: Vec<String> = Face::ALL.map(|face| face.to_string()).to_vec();
        Turns::read(&text.join(" "), metric, "")
            .unwrap_or_else(|error| unreachable!("turns of faces cost something: {error}"))
    }

    /// Reads the turns that are allowed, such as `R U F2 r M`. A name without an amount stands for all three turns, `F2` and
    /// `F'` for that one, and `F+` for the clockwise quarter turn alone. `costs` may give some of them other costs than `metric`, as in `R2=2 B=3 L+=2`,
    /// by the same names, from 1 to 100; a name with an amount goes before one without. Sequences that cost up to 254 are searched. Fails if there is no turn, one that does nothing or costs nothing by itself, a cost that is none, or one of a turn
    /// that is not allowed.
    pub fn read(text: &str, metric: TurnMetric, costs: &str) -> Result<Turns, TurnsError> {
        let mut allowed: Vec<(LayerTurn, u8)> = Vec::new();
        for turn in named(text)? {
            if !allowed.iter().any(|&(other, _)| other == turn) {
                allowed.push((turn, metric.cost(turn)));
            }
        }
        // A name that stands for three turns gives way to one that stands for one of them.
        for is_general in [true, false] {
            let mut dear = Vec::new();
            let words = costs.split(|c: char| c.is_whitespace() || ",;".contains(c));
            for text in words.filter(|word| !word.is_empty()) {
                let not_a_cost = || TurnsError::NotACost(quoted(text));
                let (turn, cost) = text.rsplit_once('=').filter(|(turn, _)| !turn.is_empty()).ok_or_else(not_a_cost)?;
                let cost = cost.parse().ok().filter(|cost| (1..=DEAREST).contains(cost)).ok_or_else(not_a_cost)?;
                let mut turns = named(turn)?;
                turns.dedup();
                for turn in turns.iter().filter(|_| (turns.len() > 1) == is_general) {
                    if dear.contains(turn) {
                        return Err(TurnsError::CostTwice(*turn));
                    }
                    dear.push(*turn);
                    let allowed = allowed.iter_mut().find(|(other, _)| other == turn);
                    allowed.ok_or(TurnsError::CostOfNone(*turn))?.1 = cost;
                }
            }
        }
        match allowed.iter().find(|turn| turn.1 == 0) {
            Some(&(turn, _)) => Err(TurnsError::Free(turn)),
            None if allowed.is_empty() => Err(TurnsError::None),
            None => Ok(Turns { allowed }),
        }
    }

    /// A turn that is in no solution, as others about the same axis do the same for less; `None` if there is none.
    pub fn replaced(&self) -> Option<LayerTurn> {
        let runs = cheapest_runs(&self.allowed);
        let is_dearer = |&&(turn, cost): &&(LayerTurn, u8)| {
            runs.get(&(turn.axis(), turn.layer_quarters())).is_some_and(|run| run.0 < u32::from(cost))
        };
        self.allowed.iter().find(is_dearer).map(|&(turn, _)| turn)
    }

    /// The turns and their costs.
    pub fn allowed(&self) -> &[(LayerTurn, u8)] {
        &self.allowed
    }
}

/// Writes the turns, those of a layer together.
impl fmt::Display for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = Vec::new();
        for &(turn, _) in &self.allowed {
            let quarter = turn.with_turn(Turn::Clockwise);
            let has = |amount| self.allowed.iter().any(|&(other, _)| other == quarter.with_turn(amount));
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

/// The turns that are named: a name without an amount stands for three, one with a plus for the clockwise one.
fn named(text: &str) -> Result<Vec<LayerTurn>, TurnsError> {
    let mut turns = Vec::new();
    // Words that end with a plus are read one by one.
    let words = if text.contains('+') { text.split_whitespace().collect() } else { vec![text] };
    for word in words {
        let (name, is_alone) = word.strip_suffix('+').map_or((word, false), |name| (name, true));
        if is_alone && name.is_empty() {
            return Err(TurnsError::LonePlus);
        }
        for turn in parse_turns(name, &ReadOptions::default())? {
            match turn.turn() {
                Some(Turn::Clockwise) if !is_alone => turns.extend(Turn::ALL.map(|amount| turn.with_turn(amount))),
                Some(_) => turns.push(turn),
                None => return Err(TurnsError::Nothing(turn.with_turn(Turn::Clockwise))),
            }
        }
    }
    Ok(turns)
}

/// What a turn does to the pieces as the centres see it: the faces that turn, and what that costs at least.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effect {
    moves: [Option<Move>; 2],
    pub cost: u8,
}

impl Effect {
    /// The turns of faces of which some effects are made, and those that undo them.
    pub fn moves(effects: &[Effect]) -> Vec<Move> {
        let moves = effects.iter().flat_map(|effect| effect.moves).flatten().flat_map(|m| [m, m.inverse()]);
        moves.collect::<BTreeSet<Move>>().into_iter().collect()
    }

    /// The position that it makes of the solved cube.
    pub fn cube(&self) -> Cube {
        self.moves.iter().flatten().fold(Cube::SOLVED, |cube, &m| cube.turned(m))
    }

    /// The pattern before, for each pattern after.
    pub fn undone(&self, coordinate: &Coordinate) -> Vec<u32> {
        let undone =
            |pattern| self.moves.iter().flatten().fold(pattern, |pattern, m| coordinate.after(pattern, m.inverse()));
        (0..coordinate.len() as u32).map(undone).collect()
    }
}

/// A turn as it acts while the cube is held in some way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Acting {
    /// The faces that turn, in the frame of the centres.
    pub moves: [Option<Move>; 2],
    /// How the cube is held then.
    pub held: u8,
}

/// The turns ready to be searched: what each does in each holding, and the automaton of the sequences.
pub(super) struct Sequences {
    pub turns: Vec<(LayerTurn, u8)>,
    /// By holding, as the number of the symmetry that carries each face of the holder to the face of the centres; and by turn.
    acting: Vec<Vec<Acting>>,
    /// By state, for each turn: the next state, or none.
    next: Vec<Vec<Option<u8>>>,
    pub runs: Runs,
    /// The axis of the last run, by state.
    axes: Vec<Option<Axis>>,
}

/// How far the layers of an axis have turned, in quarters.
pub(super) type Sum = [u8; 3];
/// What a run does.
pub(super) type Run = (Axis, Sum);
/// The cheapest run for each sum about each axis: what it costs, its length, and its turns.
pub(super) type Runs = BTreeMap<Run, (u32, usize, Vec<usize>)>;

/// The state in which no turn was made yet.
pub(super) const START: u8 = 0;

impl Sequences {
    pub fn new(turns: &Turns) -> Sequences {
        let turns = turns.allowed.clone();
        let acting = (0..Symmetry::COUNT).map(|held| {
            let held = Symmetry::from_index(held);
            let acts = |&(turn, _): &(LayerTurn, u8)| {
                let mut moves = turn.face_turns().map(|m| held.conjugate_move(m));
                // Where a turn carries the cube, the holder's faces are those that were where it carries them.
                let held = turn.rotation().inverse().then(held);
                Acting { moves: [moves.next(), moves.next()], held: held.index() as u8 }
            };
            turns.iter().map(acts).collect()
        });
        let runs = cheapest_runs(&turns);
        let axes = std::iter::once(None).chain(runs.keys().map(|&(axis, _)| Some(axis))).collect();
        Sequences { acting: acting.collect(), next: automaton(&turns, &runs), runs, axes, turns }
    }

    /// The axis of the last run.
    #[inline(always)]
    pub fn axis_of(&self, state: u8) -> Option<Axis> {
        self.axes[usize::from(state)]
    }

    /// The sequence that is tried of those with these runs, if there is one.
    pub fn cheapest(&self, runs: &[Run]) -> Option<Vec<usize>> {
        let parts: Option<Vec<&[usize]>> = runs.iter().map(|run| self.runs.get(run).map(|run| &run.2[..])).collect();
        parts.map(|parts| parts.concat())
    }

    pub fn cost(&self, path: &[usize]) -> u32 {
        path.iter().map(|&turn| u32::from(self.turns[turn].1)).sum()
    }

    /// Other ways to begin a sequence: what is done when part of one of its runs is left out, and all after it. Only parts are
    /// left out that may as well come last.
    pub fn beginnings<'a>(&'a self, path: &'a [usize]) -> impl Iterator<Item = Vec<usize>> + 'a {
        let runs = path.chunk_by(|&one, &next| self.turns[one].0.axis() == self.turns[next].0.axis());
        runs.scan(0, |done, run| {
            *done += run.len();
            Some((*done - run.len(), run))
        })
        .flat_map(move |(before, run)| {
            let axis = self.turns[run[0]].0.axis();
            let whole = run.iter().fold([0; 3], |sum, &turn| added(sum, self.turns[turn].0.layer_quarters()));
            let cost = move |sum: Sum| self.runs.get(&(axis, sum)).map(|run| run.0);
            let is_on_the_way = move |sum: Sum| {
                let rest = std::array::from_fn(|layer| (4 + whole[layer] - sum[layer]) % 4);
                cost(sum).zip(cost(rest)).zip(cost(whole)).is_some_and(|((cost, rest), whole)| cost + rest == whole)
            };
            // What costs one has no parts.
            let has_parts = cost(whole).is_some_and(|cost| cost > 1);
            let all = has_parts.then(|| self.runs.range((axis, [0; 3])..=(axis, [3; 3])));
            let parts = all.into_iter().flatten().filter(move |((_, sum), _)| is_on_the_way(*sum));
            parts.map(move |(_, (_, _, part))| [&path[..before], part].concat())
        })
    }

    /// What a turn does while the cube is held in this way.
    #[inline(always)]
    pub fn acting(&self, held: u8, turn: usize) -> Acting {
        self.acting[usize::from(held)][turn]
    }

    /// For each turn, the state after it, if it may follow.
    #[inline(always)]
    pub fn after(&self, state: u8) -> &[Option<u8>] {
        &self.next[usize::from(state)]
    }

    /// All effects that the turns have, in the holdings that are reached from these; by cost.
    pub fn effects(&self, holdings: impl Iterator<Item = Symmetry>) -> Vec<Effect> {
        let mut reached: Vec<u8> = holdings.map(|held| held.index() as u8).collect();
        let (mut effects, mut done): (BTreeMap<Vec<Move>, u8>, usize) = (BTreeMap::new(), 0);
        while let Some(&held) = reached.get(done) {
            done += 1;
            for (turn, &(_, cost)) in self.turns.iter().enumerate() {
                let Acting { moves, held } = self.acting(held, turn);
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
        let effect = |(moves, cost): (Vec<Move>, u8)| Effect { moves: [Some(moves[0]), moves.get(1).copied()], cost };
        let mut effects: Vec<Effect> = effects.into_iter().map(effect).collect();
        effects.sort_by_key(|effect| effect.cost);
        effects
    }
}

/// The runs of a sequence.
pub(super) fn runs_of(turns: &[LayerTurn]) -> Vec<Run> {
    let run =
        |run: &[LayerTurn]| (run[0].axis(), run.iter().fold([0; 3], |sum, turn| added(sum, turn.layer_quarters())));
    turns.chunk_by(|one, next| one.axis() == next.axis()).map(run).collect()
}

pub(super) fn added(sum: Sum, quarters: Sum) -> Sum {
    std::array::from_fn(|layer| (sum[layer] + quarters[layer]) % 4)
}

/// The cheapest runs: each is a cheapest run and one more turn, or one turn.
fn cheapest_runs(turns: &[(LayerTurn, u8)]) -> Runs {
    let mut runs = Runs::new();
    for axis in Axis::ALL {
        let mut shorter = vec![((axis, [0; 3]), (0, 0, Vec::new()))];
        while !shorter.is_empty() {
            let mut better = Vec::new();
            for ((_, sum), (cost, length, run)) in shorter {
                for (number, &(turn, turn_cost)) in
                    turns.iter().enumerate().filter(|(_, (turn, _))| turn.axis() == axis)
                {
                    let sum = (axis, added(sum, turn.layer_quarters()));
                    let longer = (cost + u32::from(turn_cost), length + 1, [&run[..], &[number]].concat());
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

/// By state, the next state for each turn. State 0 is that of the empty sequence, the others are runs.
fn automaton(turns: &[(LayerTurn, u8)], runs: &Runs) -> Vec<Vec<Option<u8>>> {
    let states: Vec<(Option<Axis>, &[usize])> = std::iter::once((None, &[][..]))
        .chain(runs.iter().map(|(&(axis, _), (_, _, run))| (Some(axis), &run[..])))
        .collect();
    let numbers: HashMap<&[usize], u8> = states.iter().zip(0..).map(|(&(_, run), state)| (run, state)).collect();
    let next = |&(axis, run): &(Option<Axis>, &[usize])| {
        let after = |(number, (turn, _)): (usize, &(LayerTurn, u8))| match axis == Some(turn.axis()) {
            true => numbers.get(&[run, &[number]].concat()[..]).copied(),
            false => numbers.get(&[number][..]).copied(),
        };
        turns.iter().enumerate().map(after).collect()
    };
    states.iter().map(next).collect()
}
