//! Constraints on the turn sequence of a solution: required prefix, required suffix, forbidden
//! subsequences.
//!
//! A solution represents all sequences that equal it run by run (`turns`): those of the same cost
//! in which consecutive turns about one axis have the same total effect. `U D R` also represents `D
//! U R`. A solution satisfies the constraints if *one* of these sequences has the prefix and the
//! suffix and contains no forbidden sequence; this one is reported.
//!
//! # Algorithm
//!
//! An automaton reads a sequence turn by turn. Its state is the length of the prefix read, and the
//! longest part of the other constraints that was read last. A run can be read in several orders,
//! so a node has a *set* of states: those in which the sequences for its finished runs end. The
//! sets that occur, and the transitions of each set under each run, are computed before the search.
//! A node is pruned if no run that begins with its last one continues from its set.

use super::turns::{AxisRun, CheapestRuns, LayerAngles, RunAutomaton, START, added, runs_of};
use crate::cube::{Axis, LayerTurn};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The required prefix and suffix, and the forbidden sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct SequenceConstraints {
    pub prefix: Vec<LayerTurn>,
    pub suffix: Vec<LayerTurn>,
    pub forbidden: Vec<Vec<LayerTurn>>,
}

/// Length of the prefix read, and the last turns that begin another constraint.
type State = (usize, Vec<LayerTurn>);

impl SequenceConstraints {
    /// Returns `true` if there are no constraints.
    pub fn is_empty(&self) -> bool {
        self.prefix.is_empty() && self.suffix.is_empty() && self.forbidden.is_empty()
    }

    /// Returns the reason why there is no solution, if there may be one without the constraints.
    pub fn reason(&self, turns: &[(LayerTurn, u8)]) -> String {
        let mut asked = self.prefix.iter().chain(&self.suffix);
        match asked.find(|turn| turns.iter().all(|(allowed, _)| allowed != *turn)) {
            Some(turn) => format!(
                "{turn} is not one of the allowed moves, so no solution begins or ends with it"
            ),
            None => {
                "no solution has the required prefix and suffix without the forbidden sequences"
                    .to_owned()
            }
        }
    }

    /// Returns the state after a turn; `None` if the sequence violates a constraint.
    fn read(&self, (begun, last): &State, turn: LayerTurn) -> Option<State> {
        if self
            .prefix
            .get(*begun)
            .is_some_and(|&wanted| wanted != turn)
        {
            return None;
        }
        let read = [&last[..], &[turn]].concat();
        if self.forbidden.iter().any(|word| read.ends_with(word)) {
            return None;
        }
        let is_kept = |from: &usize| {
            self.forbidden
                .iter()
                .chain([&self.suffix])
                .any(|word| word.starts_with(&read[*from..]))
        };
        let from = (0..=read.len()).find(is_kept).unwrap_or(read.len());
        Some((self.prefix.len().min(begun + 1), read[from..].to_vec()))
    }

    fn is_end(&self, (begun, last): &State) -> bool {
        *begun == self.prefix.len() && last.ends_with(&self.suffix)
    }
}

/// The sets of states, and the transitions between them.
pub(super) struct ConstraintAutomaton<'a> {
    words: &'a SequenceConstraints,
    sequences: &'a RunAutomaton,
    /// By set and state of the run automaton: the set after that run, if any state is in it;
    /// whether the sequence may end there; and whether it may continue there, or after more turns
    /// about the same axis.
    after: Vec<Vec<Transition>>,
}

#[derive(Clone, Copy, Default)]
struct Transition {
    next: Option<u32>,
    is_end: bool,
    can_continue: bool,
}

/// The set in which no turn was read.
pub(super) const INITIAL_SET: u32 = 0;

impl<'a> ConstraintAutomaton<'a> {
    pub fn new(
        words: &'a SequenceConstraints,
        sequences: &'a RunAutomaton,
    ) -> ConstraintAutomaton<'a> {
        // Each set includes the axis of the run before, as no run follows one about the same axis.
        let mut sets: Vec<(Option<Axis>, BTreeSet<State>)> =
            vec![(None, BTreeSet::from([(0, Vec::new())]))];
        let mut numbers = HashMap::from([(sets[0].clone(), INITIAL_SET)]);
        let mut after: Vec<Vec<Transition>> = Vec::new();
        let runs: Vec<AxisRun> = sequences.runs.keys().copied().collect();
        while let Some((last, set)) = sets.get(after.len()).cloned() {
            // State 0 is that of the empty run.
            let mut row = vec![Transition {
                next: None,
                is_end: set.iter().any(|state| words.is_end(state)),
                can_continue: true,
            }];
            for &(axis, sum) in &runs {
                if last == Some(axis) {
                    row.push(Transition::default());
                    continue;
                }
                let read = (Some(axis), read_run(words, sequences, axis, sum, &set));
                let is_end = read.1.iter().any(|state| words.is_end(state));
                let next = (!read.1.is_empty()).then(|| {
                    *numbers.entry(read.clone()).or_insert_with(|| {
                        sets.push(read);
                        sets.len() as u32 - 1
                    })
                });
                row.push(Transition {
                    next,
                    is_end,
                    can_continue: false,
                });
            }
            after.push(row);
        }
        // Sets from which an accepted sequence continues: those that accept, and those that lead to
        // one of these.
        let mut is_alive: Vec<bool> = after
            .iter()
            .map(|row| row.iter().any(|read| read.is_end))
            .collect();
        let leads = |read: &Transition, is_alive: &[bool]| {
            read.next.is_some_and(|next| is_alive[next as usize])
        };
        while let Some(set) = (0..after.len())
            .find(|&set| !is_alive[set] && after[set].iter().any(|read| leads(read, &is_alive)))
        {
            is_alive[set] = true;
        }
        // A run that is a prefix of another has fewer turns: the longest ones first.
        let mut states: Vec<usize> = (1..=runs.len()).collect();
        states.sort_by_key(|&state| std::cmp::Reverse(sequences.runs[&runs[state - 1]].1));
        for row in &mut after {
            for &state in &states {
                let goes_on = sequences
                    .after(state as u8)
                    .iter()
                    .flatten()
                    .any(|&longer| {
                        let longer = usize::from(longer);
                        runs[longer - 1].0 == runs[state - 1].0 && row[longer].can_continue
                    });
                row[state].can_continue =
                    goes_on || row[state].is_end || leads(&row[state], &is_alive);
            }
        }
        ConstraintAutomaton {
            words,
            sequences,
            after,
        }
    }

    /// Returns the set of a node that is reached by a turn: that before its last run, if an
    /// accepted sequence may continue from it.
    #[inline(always)]
    pub fn after_turn(&self, set: u32, state: u8, turn: usize, next: u8) -> Option<u32> {
        let row = &self.after[set as usize];
        let continues = state == START
            || self.sequences.axis_of(state) == Some(self.sequences.turns[turn].0.axis());
        let set = if continues {
            set
        } else {
            row[usize::from(state)].next?
        };
        self.after[set as usize][usize::from(next)]
            .can_continue
            .then_some(set)
    }

    /// Returns `true` if the sequence may end in this node.
    pub fn is_accepting(&self, set: u32, state: u8) -> bool {
        self.after[set as usize][usize::from(state)].is_end
    }

    /// Returns the sequence that satisfies the constraints, among those that this one represents.
    pub fn matching_sequence(&self, path: &[usize]) -> Option<Vec<usize>> {
        let turns: Vec<LayerTurn> = path
            .iter()
            .map(|&turn| self.sequences.turns[turn].0)
            .collect();
        let runs = runs_of(&turns);
        let mut wanted = Vec::new();
        let is_there = self.extend(
            &runs,
            [0; 3],
            &(0, Vec::new()),
            &mut wanted,
            &mut HashSet::new(),
        );
        is_there.then_some(wanted)
    }

    /// Extends `matching_sequence` by turns that read the runs, of the first of which `done` is
    /// finished. `failed` holds the states that were tried.
    fn extend(
        &self,
        runs: &[AxisRun],
        done: LayerAngles,
        state: &State,
        wanted: &mut Vec<usize>,
        failed: &mut HashSet<(usize, LayerAngles, State)>,
    ) -> bool {
        let Some(&(axis, whole)) = runs.first() else {
            return self.words.is_end(state);
        };
        if !failed.insert((runs.len(), done, state.clone())) {
            return false;
        }
        for (turn, part) in steps(self.sequences, axis, done, whole) {
            let Some(state) = self.words.read(state, self.sequences.turns[turn].0) else {
                continue;
            };
            wanted.push(turn);
            let (rest, part) = if part == whole {
                (&runs[1..], [0; 3])
            } else {
                (runs, part)
            };
            if self.extend(rest, part, &state, wanted, failed) {
                return true;
            }
            wanted.pop();
        }
        false
    }
}

/// Returns the turns that may come next in a cheapest sequence of the run `whole` after the part
/// `done`, each with the part that is then finished.
fn steps(
    sequences: &RunAutomaton,
    axis: Axis,
    done: LayerAngles,
    whole: LayerAngles,
) -> impl Iterator<Item = (usize, LayerAngles)> {
    let runs: &CheapestRuns = &sequences.runs;
    let cost = move |sum: LayerAngles| {
        if sum == [0; 3] {
            Some(0)
        } else {
            runs.get(&(axis, sum)).map(|run| run.0)
        }
    };
    let rest = move |sum: LayerAngles| {
        cost(std::array::from_fn(|layer| {
            (4 + whole[layer] - sum[layer]) % 4
        }))
    };
    let left = rest(done);
    sequences
        .turns
        .iter()
        .enumerate()
        .filter(move |(_, (turn, _))| turn.axis() == axis)
        .filter_map(move |(number, &(turn, spent))| {
            let part = added(done, turn.layer_quarters());
            (rest(part).map(|rest| rest + u32::from(spent)) == left).then_some((number, part))
        })
}

/// Returns the states in which the sequences of a run end that begin in one of these.
fn read_run(
    words: &SequenceConstraints,
    sequences: &RunAutomaton,
    axis: Axis,
    whole: LayerAngles,
    set: &BTreeSet<State>,
) -> BTreeSet<State> {
    let mut open: Vec<(LayerAngles, State)> =
        set.iter().map(|state| ([0; 3], state.clone())).collect();
    let mut seen: HashSet<(LayerAngles, State)> = open.iter().cloned().collect();
    let mut ends = BTreeSet::new();
    while let Some((done, state)) = open.pop() {
        for (turn, part) in steps(sequences, axis, done, whole) {
            let Some(state) = words.read(&state, sequences.turns[turn].0) else {
                continue;
            };
            if part == whole {
                ends.insert(state);
            } else if seen.insert((part, state.clone())) {
                open.push((part, state));
            }
        }
    }
    ends
}
